//! The window: screens, map, panels, playback. Sees views, orders, the scenario and
//! the session; never the battle's world.

#![allow(clippy::disallowed_methods, reason = "pictures need angles; no rule reads them")]

pub mod battles;
pub mod bits;
pub mod canvas;
pub mod card;
pub mod crowd;
pub mod draft;
pub mod engines;
pub mod form;
pub mod ghosts;
pub mod hours;
pub mod ladders;
pub mod land;
pub mod map;
pub mod over;
pub mod panels;
pub mod plates;
pub mod probe;
pub mod reach;
pub mod report;
pub mod save;
pub mod say;
pub mod scene;
pub mod sectors;
pub mod signs;
pub mod state;
pub mod tell;
pub mod theme;
pub mod unit;
pub mod walk;
pub mod words;

use std::collections::BTreeMap;
use std::path::PathBuf;

use bevy::prelude::*;
use bevy::window::{PresentMode, WindowResolution};
use bevy_egui::egui::{self, Key, Modifiers};
use bevy_egui::{EguiContexts, EguiPlugin, EguiPrimaryContextPass};

use crate::scenario::battle::Light;
use crate::scenario::library::{Library, data_root};
use crate::scenario::load::Options as LoadOptions;
use crate::scenario::site::Level;
use crate::study::run::Orders;
use crate::view::session::Phase;

use self::say::Teller;
use self::state::{Card, Desk, Layers, Screen, Tab};
use self::theme::Theme;

/// How the window is opened.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// A battle to open at once, by id or path; none for the list.
    pub scenario: Option<String>,
    /// The side to play in it; none to watch the record.
    pub side: Option<String>,
    /// A saved battle to go on with.
    pub load: Option<PathBuf>,
    /// What changes the battles beside their files.
    pub change: Change,
}

/// What changes a battle beside its file.
#[derive(Clone, Debug, Default)]
pub struct Change {
    /// Cell, pulse and patches.
    pub load: LoadOptions,
    /// Laws and kinds that are off, by their words.
    pub without: Vec<String>,
    /// Whose orders they obey whom no person commands.
    pub orders: Orders,
}

/// Opens the window and stays until it is closed.
///
/// # Errors
/// What could not be read, or why there is no window.
pub fn run(options: Options) -> Result<(), String> {
    let desk = desk(&options)?;
    let mut app = App::new();
    let window = Window {
        title: "Nine Gates 九门".into(),
        resolution: WindowResolution::new(1600, 900),
        present_mode: PresentMode::AutoVsync,
        ..default()
    };
    if let Err(why) = plugins(&mut app, window) {
        // Half built: its parts are not fit to be taken down.
        Box::leak(Box::new(app));
        return Err(words::Words::default().say("no-picture", &[("why", why.into())]));
    }
    app.add_plugins(EguiPlugin::default());
    app.insert_resource(ClearColor(Color::srgb_u8(0x14, 0x11, 0x0D)));
    app.insert_resource(desk);
    scene::install(&mut app);
    app.add_systems(EguiPrimaryContextPass, picture);
    match app.run() {
        AppExit::Success => Ok(()),
        AppExit::Error(code) => Err(format!("the window closed with code {code}")),
    }
}

/// Adds the engine's own parts. They give up by a panic where there is no display or
/// no driver, which is no fault of ours: its words are the error.
fn plugins(app: &mut App, window: Window) -> Result<(), String> {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let built = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        app.add_plugins(
            DefaultPlugins
                .set(WindowPlugin { primary_window: Some(window), ..default() })
                .set(bevy::log::LogPlugin { filter: "error".into(), ..default() }),
        );
    }));
    std::panic::set_hook(hook);
    built.map_err(|why| {
        let text = why.downcast_ref::<String>().map(String::as_str);
        text.or_else(|| why.downcast_ref::<&str>().copied()).unwrap_or("?").to_owned()
    })
}

/// Reads the look, the words and the battles.
fn desk(options: &Options) -> Result<Desk, String> {
    let library = Library::find();
    let mut faults = Vec::new();
    let mut cards = Vec::new();
    let mut ids: Vec<String> = library.list().into_iter().map(|l| l.id).collect();
    if let Some(wanted) = &options.scenario
        && !ids.contains(wanted)
    {
        ids.insert(0, wanted.clone());
    }
    for id in &ids {
        match library.scenario(id, &options.change.load) {
            Ok(battle) => {
                let companies = battles::companies(&battle);
                cards.push(Card { id: id.clone(), battle, companies });
            }
            Err(found) => {
                faults.extend(found.iter().map(|f| format!("{id}: {}", f.message)));
            }
        }
    }
    let mut desk = Desk {
        theme: Theme::load()?,
        words: words::Words::default(),
        signs: signs::Signs::load()?,
        screen: Screen::Battles,
        cards,
        faults,
        card: 0,
        seat: 0,
        seed: 1,
        play: None,
        probe: std::env::var_os("NINE_GATES_PROBE").map(PathBuf::from),
        probed: String::new(),
        spots: BTreeMap::new(),
        pictures: 0,
        quit: false,
        dressed: false,
        change: options.change.clone(),
        fonts: data_root().unwrap_or_default().join("assets/fonts"),
        verdicts: None,
        library,
    };
    if let Some(file) = &options.load {
        let (session, made) = save::read(file, options.side.as_deref())?;
        let mut play = state::Play::new(session);
        play.made = Some(made);
        desk.play = Some(play);
        desk.screen = Screen::Battle;
        return Ok(desk);
    }
    if let Some(wanted) = &options.scenario {
        let found =
            desk.cards.iter().position(|c| c.battle.id == *wanted || ids.first() == Some(wanted));
        let Some(card) = found else {
            return Err(desk.faults.join("\n"));
        };
        desk.card = card;
        let sides = &desk.cards[card].battle.sides;
        desk.seat = match &options.side {
            None => sides.len(),
            Some(side) => sides.iter().position(|s| s.id == *side).ok_or_else(|| {
                let known: Vec<&str> = sides.iter().map(|s| s.id.as_str()).collect();
                format!("no side `{side}` in {wanted}; there is {}", known.join(", "))
            })?,
        };
        desk.open();
    }
    Ok(desk)
}

/// One picture: time, keys, panels, map.
fn picture(
    mut contexts: EguiContexts,
    mut desk: ResMut<Desk>,
    time: Res<Time<Real>>,
    mut exit: MessageWriter<AppExit>,
) -> Result {
    let ctx = contexts.ctx_mut()?.clone();
    let desk = &mut *desk;
    if !desk.dressed {
        desk.dressed = true;
        for missing in theme::fonts(&ctx, &desk.fonts) {
            desk.faults.push(missing);
        }
        desk.theme.dress(&ctx);
        // Fonts are ready from the next picture on.
        return Ok(());
    }
    desk.light();
    if let Some(play) = &mut desk.play
        && desk.screen == Screen::Battle
    {
        if play.tick(time.delta_secs_f64())
            && let Some(call) = play.session.turns().last().and_then(|t| t.call.clone())
        {
            let words = desk.words.say("tell-call", &[("who", desk.words.name(&call).into())]);
            play.note = Some((words, ctx.input(|i| i.time) + 6.0));
        }
        let (cursor, watcher, land) = (play.cursor, play.watcher(), play.land);
        let mut shown = std::mem::take(&mut play.shown);
        crowd::between(&play.session, land, cursor, watcher, &mut shown);
        play.shown = shown;
    }
    desk.spots.clear();
    desk.pictures += 1;
    keys(&ctx, desk);
    let mut root = egui::Ui::new(
        ctx.clone(),
        "root".into(),
        egui::UiBuilder::new().layer_id(egui::LayerId::background()).max_rect(ctx.viewport_rect()),
    );
    let ui = &mut root;
    match desk.screen {
        Screen::Battles => battles::show(ui, desk),
        Screen::Report => report::show(ui, desk),
        Screen::Battle => {
            let fill = egui::Frame::new()
                .fill(desk.theme.lacquer().bg.0)
                .inner_margin(egui::Margin::symmetric(12, 0));
            egui::Panel::top("top")
                .exact_size(44.0)
                .frame(fill)
                .show(ui, |ui| panels::top(ui, desk));
            let fill = fill.inner_margin(egui::Margin { left: 12, right: 12, top: 6, bottom: 6 });
            egui::Panel::bottom("bottom")
                .exact_size(106.0)
                .frame(fill)
                .show(ui, |ui| hours::bottom(ui, desk));
            let fill = fill.inner_margin(egui::Margin { left: 8, right: 6, top: 6, bottom: 4 });
            egui::Panel::left("left")
                .exact_size(320.0)
                .resizable(false)
                .frame(fill)
                .show(ui, |ui| panels::left(ui, desk));
            let fill = fill.inner_margin(egui::Margin { left: 12, right: 12, top: 6, bottom: 6 });
            egui::Panel::right("right")
                .exact_size(324.0)
                .resizable(false)
                .frame(fill)
                .show(ui, |ui| unit::right(ui, desk));
            if desk.screen == Screen::Battle {
                map::hands(ui, desk);
                over::overlay(ui, desk);
            }
        }
    }
    keep(&ctx, desk);
    probe::write(desk);
    if desk.quit {
        exit.write(AppExit::Success);
    }
    Ok(())
}

/// Saves after every turn that a person has played.
fn keep(ctx: &egui::Context, desk: &mut Desk) {
    let Some(play) = &desk.play else { return };
    let turns = play.session.turns().last().map_or(0, |t| t.to);
    let quiet = matches!(play.session.phase(), Phase::Planning | Phase::Over);
    if !quiet || play.session.side().is_none() || turns == play.kept || turns == 0 {
        return;
    }
    let outcome = save::write(desk);
    let Some(play) = &mut desk.play else { return };
    play.kept = turns;
    if play.session.parted() {
        play.note = Some((desk.words.t("save-parted"), ctx.input(|i| i.time) + 8.0));
    }
    if let Err(why) = outcome {
        let words = desk.words.say("save-failed", &[("why", why.into())]);
        play.note = Some((words, ctx.input(|i| i.time) + 8.0));
    }
}

/// Keys, before any control sees them.
fn keys(ctx: &egui::Context, desk: &mut Desk) {
    let press = |modifiers: Modifiers, key: Key| ctx.input_mut(|i| i.consume_key(modifiers, key));
    let none = Modifiers::NONE;
    if press(none, Key::F2) {
        desk.words.switch();
    }
    if press(Modifiers::CTRL, Key::Q) {
        desk.quit = true;
    }
    for (key, by) in [(Key::Plus, 1.1), (Key::Equals, 1.1), (Key::Minus, 1.0 / 1.1)] {
        if press(Modifiers::CTRL, key) {
            ctx.set_zoom_factor((ctx.zoom_factor() * by).clamp(0.7, 2.0));
        }
    }
    match desk.screen {
        Screen::Battles => {
            let cards = desk.cards.len();
            if press(none, Key::ArrowRight) && cards > 0 {
                desk.card = (desk.card + 1) % cards;
            }
            if press(none, Key::ArrowLeft) && cards > 0 {
                desk.card = (desk.card + cards - 1) % cards;
            }
            let seats = desk.cards.get(desk.card).map_or(1, |c| c.battle.sides.len() + 1);
            if press(none, Key::ArrowDown) {
                desk.seat = (desk.seat + 1) % seats;
            }
            if press(none, Key::ArrowUp) {
                desk.seat = (desk.seat + seats - 1) % seats;
            }
            if press(none, Key::Enter) {
                desk.open();
            }
            if press(none, Key::Escape) && desk.play.is_some() {
                desk.screen = Screen::Battle;
            }
        }
        Screen::Report => {
            if press(none, Key::Escape) {
                desk.screen = Screen::Battle;
            }
        }
        Screen::Battle => battle_keys(ctx, desk),
    }
}

fn battle_keys(ctx: &egui::Context, desk: &mut Desk) {
    let press = |modifiers: Modifiers, key: Key| ctx.input_mut(|i| i.consume_key(modifiers, key));
    let none = Modifiers::NONE;
    // Tab and Space belong to the battle, not to egui's walk over its controls.
    if let Some(focused) = ctx.memory(egui::Memory::focused) {
        ctx.memory_mut(|m| m.surrender_focus(focused));
    }
    let Desk { play: Some(play), screen, .. } = desk else { return };
    let land = play.land;
    if press(none, Key::Escape) {
        if play.form.open {
            play.form.open = false;
        } else if play.chosen.is_empty() {
            play.playing = false;
            *screen = Screen::Battles;
        } else {
            play.chosen.clear();
        }
    }
    for (modifiers, by) in [(Modifiers::SHIFT, -1_isize), (none, 1)] {
        if press(modifiers, Key::Tab) {
            let mine = play.mine();
            let at = play.chosen.first().and_then(|u| mine.iter().position(|m| m == u));
            let n = mine.len().max(1) as isize;
            let next =
                at.map_or(if by > 0 { 0 } else { n - 1 }, |a| (a as isize + by).rem_euclid(n));
            if let Some(unit) = mine.get(next as usize) {
                play.choose(*unit, false);
            }
        }
    }
    if press(none, Key::Space) {
        play.space();
    }
    // Counted: a slow picture may hold several strokes of one key.
    let strokes = |key: Key| ctx.input_mut(|i| i.count_and_consume_key(none, key)) as f64;
    let (back, on) = (strokes(Key::ArrowLeft), strokes(Key::ArrowRight));
    if back > 0.0 {
        play.seek(play.cursor.ceil() - back);
    }
    if on > 0.0 {
        play.seek(play.cursor.floor() + on);
    }
    if press(none, Key::Home) {
        match play.middle() {
            Some(middle) => play.look(middle),
            None => play.seek(0.0),
        }
    }
    if press(none, Key::End) || press(none, Key::P) {
        play.seek(f64::from(play.session.last()));
    }
    if press(none, Key::F) {
        play.fork();
    }
    if press(none, Key::Comma) {
        play.speed = play.speed.saturating_sub(1);
    }
    if press(none, Key::Period) {
        play.speed = (play.speed + 1).min(state::SPEEDS.len() - 1);
    }
    if press(none, Key::PageUp) {
        play.level = Level::Rampart;
    }
    if press(none, Key::PageDown) {
        play.level = Level::Ground;
    }
    let centre = play.view.rect.center();
    let nearer = strokes(Key::Equals) + strokes(Key::Plus) - strokes(Key::Minus);
    if nearer != 0.0 {
        play.view.zoom(0.8_f32.powf(nearer as f32), centre, land);
    }
    for (key, by) in [
        (Key::ArrowLeft, egui::vec2(120.0, 0.0)),
        (Key::ArrowRight, egui::vec2(-120.0, 0.0)),
        (Key::ArrowUp, egui::vec2(0.0, 120.0)),
        (Key::ArrowDown, egui::vec2(0.0, -120.0)),
    ] {
        if press(Modifiers::SHIFT, key) {
            play.view.pan(by, land);
        }
    }
    if press(none, Key::F9) {
        play.light = Some(match play.shade() {
            Light::Day => Light::Dusk,
            Light::Dusk => Light::Night,
            Light::Night => Light::Day,
        });
    }
    if play.planning()
        && let Some(side) = play.session.side()
    {
        let numbers = [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6, Key::Num7];
        for (nth, key) in numbers.into_iter().enumerate() {
            if !press(Modifiers::CTRL, key) {
                continue;
            }
            let battle = play.battle();
            let frame = std::sync::Arc::clone(play.session.frame(play.pulse()));
            let row = card::rows(play, &battle, &frame).get(nth).copied();
            if let Some(row) = row {
                play.tab = Tab::Unit;
                if let Some(no) = card::turn(play, &battle, &frame, side, row, &desk.words) {
                    play.note = Some((no, ctx.input(|i| i.time) + 3.0));
                }
            }
        }
    }
    let Layers { men, orders, density, bodies, names } = &mut play.layers;
    for (key, layer) in [
        (Key::Num1, men),
        (Key::Num2, orders),
        (Key::Num4, density),
        (Key::Num6, bodies),
        (Key::Num7, names),
    ] {
        if press(none, key) {
            *layer = !*layer;
        }
    }
    if press(none, Key::E) && play.planning() && !play.chosen.is_empty() {
        play.form.open = !play.form.open;
        play.tab = Tab::Unit;
    }
    if press(none, Key::N) && play.planning() {
        let mine = play.mine();
        if let Some(side) = play.session.side() {
            let named = |u: &crate::core::ids::UnitId| {
                let subject = crate::orders::ast::Subject::Unit(*u);
                play.session
                    .given(side)
                    .chain(play.session.pending())
                    .any(|l| l.who.contains(&subject))
            };
            if let Some(next) = mine.into_iter().find(|u| !named(u)) {
                play.choose(next, false);
            }
        }
    }
    if press(Modifiers::CTRL, Key::Z)
        && let Some(last) = play.session.pending().last().map(|l| l.id)
    {
        play.session.take_back(last);
    }
    if play.planning() && !play.form.open {
        let letters = [
            (Key::X, form::Deed::Back),
            (Key::C, form::Deed::Charge),
            (Key::S, form::Deed::Screen),
            (Key::K, form::Deed::Hold),
            (Key::L, form::Deed::Shoot),
            (Key::H, form::Deed::HoldFire),
            (Key::Z, form::Deed::Shut),
            (Key::A, form::Deed::Open),
        ];
        for (key, deed) in letters {
            if press(none, key)
                && let Some(side) = play.session.side()
            {
                let battle = play.battle();
                let frame = std::sync::Arc::clone(play.session.frame(play.pulse()));
                let (chosen, labels) = (play.chosen.clone(), play.labels());
                let table = form::Desk {
                    battle: &battle,
                    frame: &frame,
                    side,
                    chosen: &chosen,
                    labels: &labels,
                };
                match table.order(deed, &play.form, crate::orders::ast::Cond::Start) {
                    Ok(line) => {
                        let told = Teller { words: &desk.words, battle: &battle }.line(&line);
                        let way = draft::goes(&desk.words, &battle, &table, &line);
                        play.note = Some((format!("{told} ({way})"), ctx.input(|i| i.time) + 4.0));
                        play.session.give(line);
                    }
                    Err(no) => {
                        let until = ctx.input(|i| i.time) + 3.0;
                        play.note = Some((no.words(&desk.words), until));
                    }
                }
            }
        }
    }
}
