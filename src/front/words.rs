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

/// Men that are seen from afar: in whole hundreds.
#[must_use]
pub fn about(words: &Words, men: i32) -> String {
    match (men + 50) / 100 * 100 {
        ..=0 => words.t("few-men"),
        hundreds => words.say("about-men", &[("n", count(hundreds).into())]),
    }
}

/// Seconds as `m:ss`.
#[must_use]
pub fn clock(seconds: i32) -> String {
    format!("{}:{:02}", seconds / 60, seconds % 60)
}
