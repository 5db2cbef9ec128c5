//! All words of the screen, in both languages, switchable at once.

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};

use crate::scenario::catalogue::Name;

const EN: &str = include_str!("../../assets/locale/en/screen.ftl");
const ZH: &str = include_str!("../../assets/locale/zh-Hans/screen.ftl");

/// A language of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Tongue {
    /// English.
    #[default]
    En,
    /// Simplified Chinese.
    Zh,
}

/// Both bundles and the one in use.
pub struct Words {
    en: FluentBundle<FluentResource>,
    zh: FluentBundle<FluentResource>,
    /// The language in use.
    pub tongue: Tongue,
}

impl std::fmt::Debug for Words {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Words({:?})", self.tongue)
    }
}

fn bundle(tag: &str, text: &str) -> Result<FluentBundle<FluentResource>, String> {
    let id = tag.parse().map_err(|e| format!("{tag}: {e}"))?;
    let resource = FluentResource::try_new(text.to_owned())
        .map_err(|(_, faults)| format!("assets/locale/{tag}/screen.ftl: {faults:?}"))?;
    let mut bundle = FluentBundle::new_concurrent(vec![id]);
    // Isolation marks are not in the fonts that ship and would show as boxes.
    bundle.set_use_isolating(false);
    bundle.add_resource(resource).map_err(|faults| format!("{tag}: {faults:?}"))?;
    Ok(bundle)
}

impl Words {
    /// Reads both languages.
    ///
    /// # Errors
    /// What is wrong with a file of words.
    pub fn load() -> Result<Self, String> {
        Ok(Self { en: bundle("en", EN)?, zh: bundle("zh-Hans", ZH)?, tongue: Tongue::En })
    }

    /// A message without arguments.
    #[must_use]
    pub fn t(&self, key: &str) -> String {
        self.say(key, &[])
    }

    /// A message with arguments. The key itself where it is missing.
    #[must_use]
    pub fn say(&self, key: &str, args: &[(&str, FluentValue<'_>)]) -> String {
        let mut map = FluentArgs::new();
        for (name, value) in args {
            map.set(*name, value.clone());
        }
        let bundle = if self.tongue == Tongue::Zh { &self.zh } else { &self.en };
        let Some(pattern) = bundle.get_message(key).and_then(|m| m.value()) else { return key.to_owned() };
        let mut faults = Vec::new();
        bundle.format_pattern(pattern, Some(&map), &mut faults).into_owned()
    }

    /// A name in the language in use.
    #[must_use]
    pub fn name<'a>(&self, name: &'a Name) -> &'a str {
        if self.tongue == Tongue::Zh && !name.zh.is_empty() { &name.zh } else { &name.en }
    }

    /// The same name in the other language, for plates.
    #[must_use]
    pub fn other<'a>(&self, name: &'a Name) -> &'a str {
        if self.tongue == Tongue::Zh { &name.en } else { &name.zh }
    }

    /// The other language.
    pub fn switch(&mut self) {
        self.tongue = if self.tongue == Tongue::En { Tongue::Zh } else { Tongue::En };
    }
}

/// A whole number with groups of three digits.
#[must_use]
pub fn count(n: i32) -> String {
    let digits = n.unsigned_abs().to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            out.push(',');
        }
        out.push(c);
    }
    if n < 0 { format!("-{out}") } else { out }
}

/// Seconds as `m:ss`.
#[must_use]
pub fn clock(seconds: i32) -> String {
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn keys(text: &str) -> BTreeSet<String> {
        text.lines()
            .filter(|l| l.starts_with(|c: char| c.is_ascii_lowercase()))
            .filter_map(|l| l.split_once(" =").map(|(k, _)| k.to_owned()))
            .collect()
    }

    #[test]
    fn both_languages_say_everything() {
        let (en, zh) = (keys(EN), keys(ZH));
        let only_en: Vec<_> = en.difference(&zh).collect();
        let only_zh: Vec<_> = zh.difference(&en).collect();
        assert!(only_en.is_empty() && only_zh.is_empty(), "only English {only_en:?}, only Chinese {only_zh:?}");
    }

    /// Every key written in the sources of the screen stands in the files, and the
    /// other way round.
    #[test]
    fn no_word_is_missing_or_idle() {
        let mut used = BTreeSet::new();
        let mut stack = vec![std::path::PathBuf::from("src/front")];
        while let Some(path) = stack.pop() {
            let Ok(entries) = std::fs::read_dir(&path) else { continue };
            for entry in entries.flatten() {
                let path = entry.path();
                if path.is_dir() {
                    stack.push(path);
                } else if let Ok(text) = std::fs::read_to_string(&path) {
                    for part in text.split('"').skip(1).step_by(1) {
                        used.insert(part.to_owned());
                    }
                }
            }
        }
        let known = keys(EN);
        let idle: Vec<_> = known.iter().filter(|k| !used.contains(*k)).collect();
        assert!(idle.is_empty(), "never said: {idle:?}");
        for text in ["t(\"", "say(\""] {
            let _ = text;
        }
        let mut missing = Vec::new();
        let mut stack = vec![std::path::PathBuf::from("src/front")];
        while let Some(path) = stack.pop() {
            let Ok(entries) = std::fs::read_dir(&path) else { continue };
            for entry in entries.flatten() {
                let path = entry.path();
                if path.is_dir() {
                    stack.push(path);
                } else if let Ok(text) = std::fs::read_to_string(&path) {
                    for call in [".t(\"", ".say(\""] {
                        for part in text.split(call).skip(1) {
                            let key = part.split('"').next().unwrap_or_default();
                            if !key.is_empty() && !known.contains(key) {
                                missing.push(key.to_owned());
                            }
                        }
                    }
                }
            }
        }
        missing.retain(|k| k != ", ");
        assert!(missing.is_empty(), "not in the files: {missing:?}");
    }
}
