//! All words of the screen, in both languages, switchable at once.

use crate::locale::{Language, Locale};
use crate::scenario::catalogue::Name;

const EN: &str = include_str!("../../assets/locale/en/screen.ftl");
const ZH: &str = include_str!("../../assets/locale/zh-Hans/screen.ftl");

/// A value put into words.
#[derive(Clone, Debug)]
pub struct Val(String);

impl From<String> for Val {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for Val {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl From<i32> for Val {
    fn from(n: i32) -> Self {
        Self(n.to_string())
    }
}

/// Both languages and the one in use.
#[derive(Debug)]
pub struct Words {
    en: Locale,
    zh: Locale,
    /// The language in use.
    pub tongue: Language,
}

impl Default for Words {
    fn default() -> Self {
        Self {
            en: Locale::new(Language::En, &[EN]),
            zh: Locale::new(Language::Zh, &[ZH]),
            tongue: Language::of_environment(),
        }
    }
}

impl Words {
    /// A message without arguments.
    #[must_use]
    pub fn t(&self, key: &str) -> String {
        self.say(key, &[])
    }

    /// A message with arguments. The key itself where it is missing.
    #[must_use]
    pub fn say(&self, key: &str, args: &[(&str, Val)]) -> String {
        let args: Vec<(&str, &str)> = args.iter().map(|(k, v)| (*k, v.0.as_str())).collect();
        let locale = if self.tongue == Language::Zh { &self.zh } else { &self.en };
        locale.with(key, &args)
    }

    /// A name in the language in use.
    #[must_use]
    pub fn name<'a>(&self, name: &'a Name) -> &'a str {
        if self.tongue == Language::Zh && !name.zh.is_empty() { &name.zh } else { &name.en }
    }

    /// The same name in the other language, for plates.
    #[must_use]
    pub fn other<'a>(&self, name: &'a Name) -> &'a str {
        if self.tongue == Language::Zh { &name.en } else { &name.zh }
    }

    /// The other language.
    pub fn switch(&mut self) {
        self.tongue = if self.tongue == Language::En { Language::Zh } else { Language::En };
    }
}

/// A whole number with groups of three digits.
#[must_use]
pub fn count(n: i32) -> String {
    let digits = n.unsigned_abs().to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
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
        assert!(
            only_en.is_empty() && only_zh.is_empty(),
            "only English {only_en:?}, only Chinese {only_zh:?}"
        );
    }

    /// Every text that the sources of the screen ask for stands in the files, and
    /// every one that stands there is asked for.
    #[test]
    fn no_word_is_missing_or_idle() {
        let mut sources = String::new();
        let mut stack = vec![std::path::PathBuf::from("src/front")];
        while let Some(path) = stack.pop() {
            let entries =
                std::fs::read_dir(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            for path in entries.flatten().map(|e| e.path()) {
                if path.is_dir() {
                    stack.push(path);
                } else if path.file_name().is_some_and(|n| n != "words.rs") {
                    sources += &std::fs::read_to_string(&path).unwrap_or_default();
                }
            }
        }
        let known = keys(EN);
        let quoted: BTreeSet<&str> = sources.split('"').collect();
        let idle: Vec<_> = known.iter().filter(|k| !quoted.contains(k.as_str())).collect();
        assert!(idle.is_empty(), "never said: {idle:?}");
        let mut missing = BTreeSet::new();
        for call in ["t(\"", "say(\"", "one(\""] {
            for part in sources.split(call).skip(1) {
                let key = part.split('"').next().unwrap_or_default();
                let word =
                    key.chars().all(|c| c.is_ascii_lowercase() || c == '-') && key.contains('-');
                if word && !known.contains(key) {
                    missing.insert(key.to_owned());
                }
            }
        }
        assert!(missing.is_empty(), "not in the files: {missing:?}");
    }
}
