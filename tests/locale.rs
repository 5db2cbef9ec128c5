//! The words of the game: every one that is asked for stands in both languages, none
//! stands there for nothing, every name has both tongues, and the fonts that ship can
//! draw each character. Reads files only: needs no window and no part of the game.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

#[path = "locale/face.rs"]
mod face;

use face::characters;

/// A file of words, and the parts of `src/` that speak from it.
const BOOKS: &[(&str, &[&str])] = &[("screen.ftl", &["front"]), ("cli.ftl", &["cli", "study"])];
/// Files whose values a person reads as names.
const NAMED: &[&str] = &["assets/rules", "assets/maps", "scenarios", "seeds"];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// All files with an ending under a folder, in order.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut stack = vec![folder.to_path_buf()];
    while let Some(folder) = stack.pop() {
        for path in fs::read_dir(&folder).into_iter().flatten().flatten().map(|e| e.path()) {
            if path.is_dir() {
                stack.push(path);
            } else if path.extension().is_some_and(|e| e == ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The messages of a Fluent text: key and value. Lines that are neither a message
/// nor a remark are faults.
fn messages(text: &str) -> (BTreeMap<String, String>, Vec<String>) {
    let (mut found, mut faults) = (BTreeMap::new(), Vec::new());
    for line in text.lines().filter(|l| !l.is_empty() && !l.starts_with('#')) {
        match line.split_once(" = ") {
            Some((key, value)) if !value.trim().is_empty() => {
                if found.insert(key.to_owned(), value.to_owned()).is_some() {
                    faults.push(format!("twice: {key}"));
                }
            }
            _ => faults.push(format!("no message: {line}")),
        }
    }
    (found, faults)
}

/// What is put into a message: the words after its dollar signs.
fn holes(value: &str) -> BTreeSet<&str> {
    value
        .split('$')
        .skip(1)
        .map(|rest| {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            &rest[..end.unwrap_or(rest.len())]
        })
        .collect()
}

/// The words between quotes in a Rust text, without its remarks and its tests.
fn quoted(code: &str) -> Vec<String> {
    let code = code.split("#[cfg(test)]").next().unwrap_or_default();
    let mut found = Vec::new();
    for line in code.lines() {
        let line = line.trim_start();
        if line.starts_with("//") {
            continue;
        }
        let mut parts = line.split('"');
        parts.next();
        while let Some(inside) = parts.next() {
            found.push(inside.to_owned());
            if parts.next().is_none() {
                break;
            }
        }
    }
    found
}

/// What is wrong between two languages and the code that speaks: in one only, other
/// holes, never said, said but nowhere. A word counts as a key where it is written
/// like one and begins like one that is known.
fn gaps(en: &str, zh: &str, code: &[String]) -> Vec<String> {
    let ((en, mut faults), (zh, more)) = (messages(en), messages(zh));
    faults.extend(more);
    for (key, value) in &en {
        match zh.get(key) {
            None => faults.push(format!("English only: {key}")),
            Some(other) if holes(value) != holes(other) => {
                faults.push(format!("puts in other things: {key}"));
            }
            Some(_) => {}
        }
    }
    faults.extend(zh.keys().filter(|k| !en.contains_key(*k)).map(|k| format!("Chinese only: {k}")));
    let words: BTreeSet<&str> = code.iter().map(String::as_str).collect();
    faults.extend(en.keys().filter(|k| !words.contains(k.as_str())).map(|k| format!("idle: {k}")));
    let first = |key: &str| key.split('-').next().unwrap_or_default().to_owned();
    let heads: BTreeSet<String> = en.keys().filter(|k| k.contains('-')).map(|k| first(k)).collect();
    let like_key = |word: &str| {
        word.contains('-')
            && !word.ends_with('-')
            && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
    };
    for word in words {
        if like_key(word) && heads.contains(&first(word)) && !en.contains_key(word) {
            faults.push(format!("said but nowhere: {word}"));
        }
    }
    faults
}

fn code_of(parts: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for part in parts {
        for file in files(&root().join("src").join(part), "rs") {
            found.extend(quoted(&read(&file)));
        }
    }
    found
}

fn book(language: &str, file: &str) -> String {
    read(&root().join("assets/locale").join(language).join(file))
}

#[test]
fn every_word_is_there_in_both_languages_and_said() {
    for (file, parts) in BOOKS {
        let faults = gaps(&book("en", file), &book("zh-Hans", file), &code_of(parts));
        assert!(faults.is_empty(), "{file}:\n{}", faults.join("\n"));
    }
}

#[test]
fn the_two_languages_have_the_same_files() {
    let names = |language: &str| -> Vec<_> {
        let folder = root().join("assets/locale").join(language);
        files(&folder, "ftl")
            .into_iter()
            .filter_map(|f| f.file_name().map(ToOwned::to_owned))
            .collect()
    };
    assert_eq!(names("en"), names("zh-Hans"));
    let known: Vec<_> = BOOKS.iter().map(|(file, _)| std::ffi::OsString::from(file)).collect();
    let unread: Vec<_> = names("en").into_iter().filter(|n| !known.contains(n)).collect();
    assert!(unread.is_empty(), "no test reads {unread:?}");
}

#[test]
fn each_gap_is_found() {
    let en = "do-go = Go { $x }\ndo-stay = Stay\n";
    let zh = "do-go = 去 { $x }\ndo-stay = 留\n";
    let code = ["do-go", "do-stay"].map(str::to_owned);
    assert_eq!(gaps(en, zh, &code), Vec::<String>::new());
    let with = |en: &str, zh: &str, code: &[&str]| {
        gaps(en, zh, &code.iter().map(|c| (*c).to_owned()).collect::<Vec<_>>())
    };
    let both = ["do-go", "do-stay"];
    assert_eq!(with(en, "do-go = 去 { $x }\n", &both), ["English only: do-stay"]);
    assert_eq!(with("do-go = Go { $x }\n", zh, &["do-go"]), ["Chinese only: do-stay"]);
    assert_eq!(with(en, &zh.replace("$x", "$y"), &both), ["puts in other things: do-go"]);
    assert_eq!(with(en, zh, &["do-go"]), ["idle: do-stay"]);
    assert_eq!(with(en, zh, &["do-go", "do-stay", "do-run"]), ["said but nowhere: do-run"]);
    assert_eq!(
        with("do-go = Go { $x }\ndo-stay =\n", zh, &["do-go"]),
        ["no message: do-stay =", "Chinese only: do-stay"]
    );
    assert_eq!(quoted("// \"a\"\nb(\"c\", \"d\")\n#[cfg(test)]\n\"e\""), ["c", "d"]);
}

/// The value of a field in a stretch of a RON text.
fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let at = text.find(&format!("{name}: \""))?;
    let rest = &text[at + name.len() + 3..];
    rest.split('"').next()
}

/// Names with both tongues, as they stand in a RON text, and what is wrong with them.
fn names(text: &str) -> (Vec<(String, String)>, Vec<String>) {
    let (mut found, mut faults) = (Vec::new(), Vec::new());
    for (i, line) in text.lines().enumerate() {
        let line_no = i + 1;
        let code = line.trim_start();
        if code.starts_with("//") {
            continue;
        }
        let mut rest = code;
        while let Some(at) = ["(en: ", "(zh: "].iter().filter_map(|n| rest.find(n)).min() {
            let inside = &rest[at + 1..];
            let end = inside.find("\")").map_or(inside.len(), |e| e + 1);
            let pair = &inside[..end];
            match (field(pair, "en"), field(pair, "zh")) {
                (Some(en), Some(zh)) if !en.trim().is_empty() && !zh.trim().is_empty() => {
                    if !zh.chars().any(chinese) {
                        faults.push(format!("{line_no}: no Chinese in {zh}"));
                    }
                    if en.chars().any(chinese) {
                        faults.push(format!("{line_no}: Chinese in {en}"));
                    }
                    found.push((en.to_owned(), zh.to_owned()));
                }
                _ => faults.push(format!("{line_no}: one tongue only: {pair}")),
            }
            rest = &inside[end..];
        }
        if code.contains("name: \"") || code.contains("title: \"") {
            faults.push(format!("{line_no}: a name without tongues: {code}"));
        }
    }
    (found, faults)
}

const fn chinese(c: char) -> bool {
    matches!(c, '\u{4E00}'..='\u{9FFF}')
}

#[test]
fn every_name_has_both_tongues() {
    let mut all = 0;
    for folder in NAMED {
        for file in files(&root().join(folder), "ron") {
            let (found, faults) = names(&read(&file));
            assert!(faults.is_empty(), "{}:\n{}", file.display(), faults.join("\n"));
            all += found.len();
        }
    }
    assert!(all > 60, "only {all} names were found: the files are written otherwise");
    assert_eq!(names("a: (en: \"Gate\", zh: \"门\"),").1, Vec::<String>::new());
    for wrong in [
        "a: (en: \"Gate\"),",
        "a: (zh: \"门\"),",
        "a: (en: \"Gate\", zh: \"\"),",
        "a: (en: \"Gate\", zh: \"Gate\"),",
        "a: (en: \"门\", zh: \"门\"),",
        "name: \"Gate\",",
    ] {
        assert_eq!(names(wrong).1.len(), 1, "{wrong}");
    }
}

/// The characters of a text that a family of faces cannot draw.
fn missing(text: &str, family: &BTreeSet<char>) -> String {
    let wanted: BTreeSet<char> = text.chars().filter(|c| !c.is_control()).collect();
    wanted.difference(family).collect()
}

fn family(faces: &[&str]) -> BTreeSet<char> {
    let mut all = BTreeSet::new();
    for name in faces {
        let path = root().join("assets/fonts").join(name);
        let bytes = fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let found = characters(&bytes);
        assert!(found.contains(&'A'), "{name}: its table of characters was not read");
        all.extend(found);
    }
    all
}

#[test]
fn the_fonts_draw_every_character() {
    let sans = family(&["NotoSansLatin-game.otf", "NotoSansSC-game.otf"]);
    let serif = family(&["NotoSerifLatin-game.otf", "NotoSerifSC-game.otf"]);
    assert_eq!(missing("龘 is not cut", &sans), "龘", "the test sees what is missing");
    let mut faults = Vec::new();
    let mut look = |what: &str, text: &str, family: &BTreeSet<char>| {
        let lacks = missing(text, family);
        if !lacks.is_empty() {
            faults.push(format!("{what}: {lacks}"));
        }
    };
    for language in ["en", "zh-Hans"] {
        look(language, &book(language, "screen.ftl"), &sans);
        look(&format!("{language}, as titles"), &book(language, "screen.ftl"), &serif);
    }
    look("the screen's own signs", &code_of(&["front"]).join(""), &sans);
    for folder in NAMED {
        for file in files(&root().join(folder), "ron") {
            let text = read(&file);
            let both: String = names(&text).0.into_iter().map(|(en, zh)| en + &zh).collect();
            let banners: String = text.lines().filter_map(|l| field(l, "banner")).collect();
            look(&format!("{}, names", file.display()), &(both.clone() + &banners), &serif);
            look(&format!("{}, names in lists", file.display()), &both, &sans);
            // Sources and remarks are quoted beside their figures.
            look(&file.display().to_string(), &text, &sans);
        }
    }
    look("statements", &read(&root().join("seeds/statements.json")), &sans);
    assert!(faults.is_empty(), "run tools/fonts.sh:\n{}", faults.join("\n"));
}
