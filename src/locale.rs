//! Words for people in the languages of the game, from Fluent files that are built
//! into the program.

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use unic_langid::LanguageIdentifier;

/// A language of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Language {
    /// English.
    #[default]
    En,
    /// Simplified Chinese.
    Zh,
}

impl Language {
    /// All languages.
    pub const ALL: [Self; 2] = [Self::En, Self::Zh];

    /// From a locale name as systems write it (`zh_CN.UTF-8`); English if unknown.
    #[must_use]
    pub fn from_name(name: &str) -> Self {
        if name.to_ascii_lowercase().starts_with("zh") { Self::Zh } else { Self::En }
    }

    /// What the user's surroundings ask for.
    #[must_use]
    pub fn of_environment() -> Self {
        let set = |name: &str| std::env::var(name).ok().filter(|v| !v.is_empty());
        ["NINE_GATES_LANG", "LC_ALL", "LC_MESSAGES", "LANG"]
            .iter()
            .find_map(|n| set(n))
            .map_or(Self::En, |v| Self::from_name(&v))
    }

    fn id(self) -> LanguageIdentifier {
        let name = match self {
            Self::En => "en",
            Self::Zh => "zh-Hans",
        };
        // Both names are sound; the empty identifier would still give words.
        name.parse().unwrap_or_default()
    }
}

/// The words of one language. A key without words gives the key itself, so that a
/// missing translation is seen and nothing breaks.
pub struct Locale {
    bundle: FluentBundle<FluentResource>,
    language: Language,
}

impl std::fmt::Debug for Locale {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Locale({:?})", self.language)
    }
}

impl Locale {
    /// A locale of these Fluent texts; what stands in an earlier one wins. A text
    /// with faults gives the entries that are sound.
    #[must_use]
    pub fn new(language: Language, texts: &[&str]) -> Self {
        let mut bundle = FluentBundle::new_concurrent(vec![language.id()]);
        // Terminals and panels would show the isolating marks as boxes.
        bundle.set_use_isolating(false);
        for text in texts {
            let resource =
                FluentResource::try_new((*text).into()).unwrap_or_else(|(sound, _)| sound);
            // A clash keeps the first: nothing to report to a person here.
            let _ = bundle.add_resource(resource);
        }
        Self { bundle, language }
    }

    /// The words of the command line.
    #[must_use]
    pub fn command_line(language: Language) -> Self {
        Self::new(
            language,
            &[match language {
                Language::En => include_str!("../assets/locale/en/cli.ftl"),
                Language::Zh => include_str!("../assets/locale/zh-Hans/cli.ftl"),
            }],
        )
    }

    /// Its language.
    #[must_use]
    pub const fn language(&self) -> Language {
        self.language
    }

    /// The words of a key.
    #[must_use]
    pub fn text(&self, key: &str) -> String {
        self.with(key, &[])
    }

    /// The words of a key with values put in.
    #[must_use]
    pub fn with(&self, key: &str, values: &[(&str, &str)]) -> String {
        let Some(pattern) = self.bundle.get_message(key).and_then(|m| m.value()) else {
            return key.into();
        };
        let mut args = FluentArgs::new();
        for (name, value) in values {
            args.set(*name, FluentValue::from(*value));
        }
        let mut faults = Vec::new();
        self.bundle.format_pattern(pattern, Some(&args), &mut faults).into_owned()
    }

    /// Whether a key has words.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        self.bundle.has_message(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_put_in_without_marks() {
        let locale = Locale::command_line(Language::En);
        assert_eq!(locale.with("did-you-mean", &[("word", "passage")]), "Did you mean `passage`?");
        assert_eq!(locale.text("no-such-key"), "no-such-key");
        assert_eq!(Language::from_name("zh_CN.UTF-8"), Language::Zh);
        assert_eq!(Language::from_name("C"), Language::En);
    }
}
