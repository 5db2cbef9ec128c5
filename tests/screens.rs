//! The real program in a real window under Xvfb, driven by real key and mouse
//! events, judged by the small dump that it writes where `NINE_GATES_PROBE` says.
//!
//! Needs Xvfb, xdotool and a Vulkan driver (Mesa's software one will do). Where they
//! are missing the tests say so and pass, but not where `CI` is `true`. Pictures go
//! into the target directory, for people to look at.

#![cfg(feature = "desktop")]

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::Value;

const PROGRAM: &str = env!("CARGO_BIN_EXE_nine-gates");

/// A software rasteriser has no room for two windows at a time.
static ONE: Mutex<()> = Mutex::new(());

fn there(tool: &str) -> bool {
    Command::new("sh")
        .args(["-c", &format!("command -v {tool}")])
        .stdout(Stdio::null())
        .status()
        .is_ok_and(|s| s.success())
}

/// Whether the tests can run; says what is missing.
fn able() -> bool {
    let missing: Vec<&str> = ["Xvfb", "xdotool"].into_iter().filter(|t| !there(t)).collect();
    if missing.is_empty() {
        return true;
    }
    let words = format!("the window was not tested: {} is not installed", missing.join(" and "));
    assert!(std::env::var("CI").as_deref() != Ok("true"), "{words}");
    eprintln!("{words}");
    false
}

/// The manifest of Mesa's Vulkan driver that needs no graphics card.
fn software_driver() -> Option<PathBuf> {
    let folder = fs::read_dir("/usr/share/vulkan/icd.d").ok()?;
    let files = folder.flatten().map(|e| e.path());
    files.filter(|p| p.to_string_lossy().contains("lvp_icd")).min()
}

/// The program without a window; its JSON.
fn told(args: &[&str]) -> Value {
    let out = Command::new(PROGRAM).args(args).output().expect("the program starts");
    let text = String::from_utf8_lossy(&out.stdout);
    serde_json::from_str(&text).unwrap_or_else(|e| {
        panic!("{args:?}: {e}: {text} {}", String::from_utf8_lossy(&out.stderr))
    })
}

/// An X server and the program in it; both end with it.
struct Stage {
    server: Child,
    game: Option<Child>,
    display: String,
    folder: tempfile::TempDir,
}

impl Drop for Stage {
    fn drop(&mut self) {
        for child in self.game.iter_mut().chain([&mut self.server]) {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Stage {
    fn open(args: &[&str]) -> Self {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1600x900x24", "-nolisten", "tcp"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb starts");
        let mut number = String::new();
        BufReader::new(server.stdout.take().expect("a pipe"))
            .read_line(&mut number)
            .expect("Xvfb says its display");
        let folder = tempfile::tempdir().expect("a folder");
        let mut stage = Self { server, game: None, display: format!(":{}", number.trim()), folder };
        let mut game = Command::new(PROGRAM);
        // Mesa's software driver, so that a picture is the same on every machine.
        if let Some(driver) = software_driver() {
            game.env("VK_DRIVER_FILES", &driver).env("VK_ICD_FILENAMES", &driver);
        }
        let game = game
            .args(args)
            .env("DISPLAY", &stage.display)
            .env_remove("WAYLAND_DISPLAY")
            .env("WGPU_BACKEND", "vulkan")
            .env("NINE_GATES_LANG", "en")
            .env("NINE_GATES_PROBE", stage.folder.path().join("probe.json"))
            .env("XDG_DATA_HOME", stage.folder.path())
            .stdout(Stdio::null())
            .stderr(fs::File::create(stage.folder.path().join("stderr")).expect("a file"))
            .spawn()
            .expect("the program starts");
        stage.game = Some(game);
        stage.until("the first picture", 180, |s| s["screen"].is_string());
        // Without a window manager nobody gives the window the keys.
        let window = stage.xdo(&["search", "--name", "Nine Gates"]);
        stage.xdo(&["windowfocus", window.lines().next().unwrap_or_default()]);
        std::thread::sleep(Duration::from_millis(300));
        stage
    }

    fn xdo(&self, args: &[&str]) -> String {
        let out = Command::new("xdotool")
            .args(args)
            .env("DISPLAY", &self.display)
            .output()
            .expect("xdotool starts");
        String::from_utf8_lossy(&out.stdout).into_owned()
    }

    fn state(&self) -> Value {
        let text = fs::read_to_string(self.folder.path().join("probe.json")).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or(Value::Null)
    }

    /// Waits until the state is as wanted; shows it where that never comes.
    fn until(&mut self, what: &str, seconds: u64, wanted: impl Fn(&Value) -> bool) -> Value {
        let began = Instant::now();
        loop {
            let state = self.state();
            if wanted(&state) {
                return state;
            }
            let gone = self.game.as_mut().is_some_and(|g| g.try_wait().is_ok_and(|s| s.is_some()));
            if gone || began.elapsed() > Duration::from_secs(seconds) {
                let said =
                    fs::read_to_string(self.folder.path().join("stderr")).unwrap_or_default();
                let state = serde_json::to_string(&state).unwrap_or_default();
                self.picture("failed");
                panic!("never came: {what} (program gone: {gone})\n{state}\n{said}");
            }
            std::thread::sleep(Duration::from_millis(60));
        }
    }

    fn key(&self, key: &str) {
        self.xdo(&["key", key]);
        self.pictures(2, 10);
    }

    /// A key while Ctrl is held for as long as a slow picture takes.
    fn with_ctrl(&self, key: &str) {
        self.xdo(&["keydown", "ctrl"]);
        self.pictures(2, 10);
        self.key(key);
        self.xdo(&["keyup", "ctrl"]);
        self.pictures(1, 10);
    }

    /// Points at a control by its name in the dump and presses a button.
    fn click(&mut self, spot: &str, button: &str) {
        let state = self.until(&format!("the control {spot}"), 40, |s| {
            s["spots"][spot].is_array() || s["play"]["tiles"][spot].is_array()
        });
        let place = if state["spots"][spot].is_array() {
            &state["spots"][spot]
        } else {
            &state["play"]["tiles"][spot]
        };
        let at = |i: usize| format!("{:.0}", place[i].as_f64().unwrap_or_default());
        self.point(&at(0), &at(1), button);
    }

    fn point(&self, x: &str, y: &str, button: &str) {
        self.xdo(&["mousemove", x, y]);
        // The program must have seen the pointer come before it is pressed.
        self.pictures(2, 10);
        self.xdo(&["click", button]);
        self.pictures(2, 10);
    }

    /// Waits for so many pictures more, or so many seconds.
    fn pictures(&self, more: u64, seconds: u64) {
        let count = || self.state()["pictures"].as_u64().unwrap_or_default();
        let (from, began) = (count(), Instant::now());
        while count() < from + more && began.elapsed() < Duration::from_secs(seconds) {
            std::thread::sleep(Duration::from_millis(40));
        }
    }

    /// A picture for people, where there is a tool to take one.
    fn picture(&self, name: &str) {
        // Four pictures on, all that was pressed can be seen, however slow they are.
        self.pictures(4, 60);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("screens");
        if there("import") && fs::create_dir_all(&folder).is_ok() {
            let file = folder.join(format!("{name}.png"));
            let _ = Command::new("import")
                .args(["-window", "root"])
                .arg(&file)
                .env("DISPLAY", &self.display)
                .status();
        }
    }

    /// Ctrl+Q ends the program, without a fault.
    fn leave(&mut self) {
        for args in [["keydown", "ctrl"], ["key", "q"], ["keyup", "ctrl"]] {
            self.xdo(&args);
            std::thread::sleep(Duration::from_millis(400));
        }
        let began = Instant::now();
        let game = self.game.as_mut().expect("a program");
        while began.elapsed() < Duration::from_secs(60) {
            if let Ok(Some(status)) = game.try_wait() {
                assert!(status.success(), "{status}");
                return;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        panic!("Ctrl+Q does not end the program");
    }

    fn save(&self) -> PathBuf {
        let mut found = Vec::new();
        let mut stack = vec![self.folder.path().to_path_buf()];
        while let Some(folder) = stack.pop() {
            for path in fs::read_dir(&folder).into_iter().flatten().flatten().map(|e| e.path()) {
                if path.is_dir() {
                    stack.push(path);
                } else if path.to_string_lossy().contains("saves") {
                    found.push(path);
                }
            }
        }
        found.pop().expect("a save")
    }
}

/// A standing instruction is struck out by mouse and by key, taken back, and heard.
#[test]
fn a_person_strikes_out_a_standing_instruction() {
    if !able() {
        return;
    }
    let _one = ONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut stage = Stage::open(&[]);
    stage.until("the list", 60, |s| s["battles"].as_array().is_some_and(|b| b.len() > 1));
    // The second battle has shooters on a wall; the list is in alphabetical order.
    stage.key("Right");
    stage.click("side.garrison", "1");
    stage.click("begin", "1");
    stage.until("the battle", 120, |s| s["screen"] == "battle" && s["play"]["planning"] == true);
    stage.click("unit.bows_c", "1");
    stage.until("the unit", 30, |s| s["play"]["selected"] == serde_json::json!(["bows_c"]));
    let orders = |s: &Value, n: usize| s["play"]["orders"].as_array().is_some_and(|l| l.len() == n);
    stage.click("inst-keep-arrows", "1");
    let one = stage.until("the order", 30, |s| orders(s, 1));
    let said = one["play"]["orders"][0]["said"].as_str().unwrap_or_default();
    assert!(said.contains("strike out") && said.contains("arrows"), "{said}");
    stage.with_ctrl("1");
    stage.until("another by a key", 30, |s| orders(s, 2));
    stage.picture("instructions");
    stage.with_ctrl("z");
    stage.until("it is taken back", 30, |s| orders(s, 1));
    // Once more on its row takes it back too.
    stage.click("inst-keep-arrows", "1");
    stage.until("as it was", 30, |s| orders(s, 0));
    stage.leave();
}

/// From the list of battles through two turns with a conditional order, back in
/// time, on again, and once more from an earlier moment.
#[test]
fn a_person_plays_two_turns() {
    if !able() {
        return;
    }
    let _one = ONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let listed = told(&["list", "--json"]);
    let side = listed[0]["sides"][0]["id"].as_str().expect("a side").to_owned();
    let mut stage = Stage::open(&[]);
    stage.picture("battles");
    stage.key("F2");
    stage.until("the other language", 30, |s| s["language"] == "zh");
    stage.picture("battles_zh");
    stage.key("F2");
    stage.until("English again", 30, |s| s["language"] == "en");
    stage.click(&format!("side.{side}"), "1");
    stage.click("begin", "1");
    let start = stage
        .until("the battle", 120, |s| s["screen"] == "battle" && s["play"]["planning"] == true);
    assert_eq!(start["play"]["side"], side.as_str());
    assert_eq!(start["play"]["pulse"], 0);
    assert_eq!(start["faults"], serde_json::json!([]), "fonts and battles are all there");

    // A unit by the keyboard, another by the list, and a box over all that is seen.
    stage.key("Tab");
    let first = stage.until("a unit by Tab", 30, |s| {
        s["play"]["selected"].as_array().is_some_and(|l| l.len() == 1)
    });
    let unit = first["play"]["selected"][0].as_str().expect("an id").to_owned();
    stage.key("Escape");
    stage.until("nobody chosen", 30, |s| s["play"]["selected"] == serde_json::json!([]));
    stage.click(&format!("unit.{unit}"), "1");
    stage.until("a unit by the list", 30, |s| s["play"]["selected"] == serde_json::json!([unit]));

    // WHEN the enemy is near the gate DO fall back.
    stage.key("e");
    stage.click("when-near", "1");
    stage.click("metres.less", "1");
    stage.click("form.do-back", "1");
    stage.picture("order_form");
    stage.click("form-keep", "1");
    let ordered = stage
        .until("the order", 30, |s| s["play"]["orders"].as_array().is_some_and(|l| l.len() == 1));
    let said = ordered["play"]["orders"][0]["said"].as_str().unwrap_or_default();
    assert!(said.contains("275 m") && said.contains("fall back"), "{said}");
    stage.picture("planning");

    // A right-click on the ground, and a second thought.
    let tile = &ordered["play"]["tiles"][&unit];
    let (x, y) = (tile[0].as_f64().expect("a tile"), tile[1].as_f64().expect("a tile"));
    stage.point(&format!("{:.0}", x - 150.0), &format!("{:.0}", y + 40.0), "3");
    stage.until("a second order", 30, |s| {
        s["play"]["orders"].as_array().is_some_and(|l| l.len() == 2)
    });
    stage.with_ctrl("z");
    stage.until("it is taken back", 30, |s| {
        s["play"]["orders"].as_array().is_some_and(|l| l.len() == 1)
    });

    // The turn is resolved and shown.
    stage.key("space");
    stage.until("the watching", 40, |s| {
        s["play"]["playing"] == true && s["play"]["shown"].as_u64() > Some(2)
    });
    stage.picture("watching");
    let one = stage.until("the end of turn 1", 240, |s| {
        s["play"]["planning"] == true && s["play"]["turn"] == 1
    });
    let pulse = one["play"]["pulse"].as_u64().expect("a pulse");
    assert!(pulse > 1 && one["play"]["given"] == 1, "{one}");
    let digest = one["play"]["digest"].clone();
    assert!(digest.is_string());

    // Back in time by mouse and key, and on again: the battle itself is untouched.
    stage.click("scrub.start", "1");
    stage.until("the beginning", 30, |s| s["play"]["shown"] == 0);
    stage.key("Right");
    stage.until("one pulse on", 30, |s| s["play"]["shown"] == 1);
    stage.key("space");
    let again = stage.until("the present again", 240, |s| {
        s["play"]["planning"] == true && s["play"]["shown"].as_u64() == Some(pulse)
    });
    assert_eq!(again["play"]["digest"], digest);

    // Night, the rampart, the city from afar, and single men.
    for light in ["dusk", "night", "day"] {
        stage.key("F9");
        stage.picture(light);
    }
    stage.key("Prior");
    stage.until("the rampart", 30, |s| s["play"]["level"] == "Rampart");
    stage.key("Next");
    for _ in 0..9 {
        stage.key("equal");
    }
    stage.picture("street");
    for _ in 0..16 {
        stage.key("minus");
    }
    stage.picture("city");

    // An order at once to a unit that is far off: it is seen to travel, and to be taken.
    stage.key("x");
    let ordered = stage.until("an order at once", 30, |s| {
        s["play"]["orders"].as_array().is_some_and(|l| l.len() == 1)
    });
    let label = ordered["play"]["orders"][0]["label"].as_str().unwrap_or_default().to_owned();
    let stands = |s: &Value, how: &str| {
        s["play"]["standings"][&label].as_str().is_some_and(|now| now.starts_with(how))
    };

    // A second turn, then anew from the middle of the first.
    stage.key("space");
    stage.until("the order goes out", 60, |s| stands(s, "Leaves"));
    stage.until("the order travels", 120, |s| stands(s, "Travels(Courier"));
    stage.picture("courier");
    let two = stage.until("the end of turn 2", 240, |s| {
        s["play"]["planning"] == true && s["play"]["turn"] == 2
    });
    let save = stage.save();
    let verified = told(&["verify", &save.display().to_string(), "--json"]);
    assert_eq!(
        verified["same"], true,
        "what the window played is what runs without it: {verified}"
    );
    assert_eq!(verified["turns"], 2);
    assert!(two["play"]["pulse"].as_u64() > Some(pulse));
    stage.click("scrub.start", "1");
    stage.until("the beginning again", 40, |s| s["play"]["shown"] == 0);
    for pulse in 1..=4 {
        stage.key("Right");
        stage.until("one pulse on", 30, |s| s["play"]["shown"] == pulse);
    }
    stage.key("f");
    let forked = stage
        .until("a battle anew", 120, |s| s["play"]["planning"] == true && s["play"]["pulse"] == 4);
    assert_eq!(forked["play"]["turn"], 1);
    stage.leave();
}

/// The record watched to its end in the window gives the digest of `replay`, both
/// changed by every argument that changes a battle.
#[test]
fn the_window_changes_nothing() {
    if !able() {
        return;
    }
    let _one = ONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let id = told(&["list", "--json"])[0]["id"].as_str().expect("a battle").to_owned();
    let folder = tempfile::tempdir().expect("a folder");
    let patch = folder.path().join("short.ron");
    let text = format!("Patch(target: Scenario(\"{id}\"), set: {{\"max_minutes\": 40}})");
    fs::write(&patch, text).expect("a patch is written");
    let patch = patch.display().to_string();
    let change = [
        "--patch",
        &patch,
        "--without",
        "heart",
        "--orders",
        "doctrine",
        "--cell",
        "20",
        "--pulse",
        "4",
    ];
    let with = |args: &[&str]| -> Vec<String> {
        args.iter().chain(&change).map(|a| (*a).to_owned()).collect()
    };
    let args = with(&["play", &id]);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let mut stage = Stage::open(&args);
    let over = stage.until("the end of the battle", 900, |s| s["play"]["phase"] == "Over");
    let args = with(&["replay", &id, "--seed", "1", "--json"]);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let bare = told(&args);
    let plain = told(&["replay", &id, "--seed", "1", "--json"]);
    assert_ne!(plain["digest"], bare["digest"], "the arguments change nothing");
    assert_eq!(over["play"]["digest"], bare["digest"]);
    assert_eq!(over["play"]["pulse"], bare["pulses"]);
    stage.click("end-turn", "1");
    stage.until("the report", 40, |s| s["screen"] == "report");
    std::thread::sleep(Duration::from_millis(500));
    stage.picture("report");
    stage.key("F2");
    stage.picture("report_zh");
    stage.key("Escape");
    stage.until("the battle again", 30, |s| s["screen"] == "battle");
    stage.picture("battle_zh");
}

/// A call that is at fault says so, opens nothing, and does not panic.
#[test]
fn a_wrong_call_opens_no_window() {
    let id = told(&["list", "--json"])[0]["id"].as_str().expect("a battle").to_owned();
    let calls: &[(&[&str], &str)] = &[
        (&["play", "no_such_battle"], "no_such_battle"),
        (&["play", &id, "--side", "nobody"], "nobody"),
        (&["play", &id, "--without", "no_such_law"], "no_such_law"),
        (&["play", &id, "--patch", "no_such_file.ron"], "no_such_file.ron"),
        (&["play", &id, "--load", "no_such_file.json"], "--load"),
        (&["play", "--load", "no_such_file.json"], "no_such_file.json"),
        (&["play", &id, "--pulse", "0"], "--pulse"),
        // With all in order, but nowhere to show it.
        (&["play", &id], "replay"),
    ];
    for (args, hint) in calls {
        let out = Command::new(PROGRAM)
            .args(*args)
            .env("DISPLAY", ":987")
            .env_remove("WAYLAND_DISPLAY")
            .env("NINE_GATES_LANG", "en")
            .output()
            .expect("the program starts");
        let said = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains(hint) && !said.contains("panicked"), "{args:?}: {said}");
    }
    let help = told(&["play", &id, "--without", "help", "--json"]);
    assert!(help["laws"].as_array().is_some_and(|l| l.iter().any(|w| w == "heart")), "{help}");
}
