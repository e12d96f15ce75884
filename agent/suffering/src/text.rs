//! Words of models and peers, made harmless before anything keeps them.

use std::fmt;

use icu_normalizer::ComposingNormalizerBorrowed;

/// Characters of markup and of other people's prompts.
const MARKUP: &str = "<>`*#[]{}|~\\";

fn is_invisible(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
        || matches!(letter, '\u{e0000}'..='\u{e007f}')
}

/// S-050. One line of at most 280 characters, without control characters and markup.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, serde::Serialize)]
#[serde(transparent)]
pub struct Line(String);

impl Line {
    /// Characters at most.
    pub const CHARACTERS: usize = 280;

    /// The line of a text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self::cut(text, Self::CHARACTERS)
    }

    /// The line of a text, of at most so many characters.
    #[must_use]
    pub fn cut(text: &str, characters: usize) -> Self {
        let kept = text.chars().map(|letter| if letter.is_whitespace() { ' ' } else { letter });
        let kept: String = kept.filter(|letter| !is_invisible(*letter) && !MARKUP.contains(*letter)).collect();
        let line: String = kept.split_whitespace().collect::<Vec<_>>().join(" ");
        Self(line.chars().take(characters.min(Self::CHARACTERS)).collect::<String>().trim_end().to_owned())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether nothing is left.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl<'de> serde::Deserialize<'de> for Line {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::new(&<std::borrow::Cow<'_, str>>::deserialize(deserializer)?))
    }
}

/// S-093. The name of a stressor, a protocol, a pair or a rule in the one form in which it is compared.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(transparent)]
pub struct Key(String);

impl Key {
    /// Characters at most.
    pub const CHARACTERS: usize = 64;

    /// S-093. NFKC, lower case, every run of anything but letters and digits one underscore, none outside. `None` when
    /// nothing is left.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        // The text is bounded before it is normalised: some characters grow.
        let text: String = text.chars().filter(|letter| !is_invisible(*letter)).take(4 * Self::CHARACTERS).collect();
        let normal = ComposingNormalizerBorrowed::new_nfkc().normalize(&text).to_lowercase();
        let normal = ComposingNormalizerBorrowed::new_nfkc().normalize(&normal).into_owned();
        let words = normal.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
        let joined: String = words.collect::<Vec<_>>().join("_").chars().take(Self::CHARACTERS).collect();
        let key = joined.trim_matches('_');
        (!key.is_empty()).then(|| Self(key.to_owned()))
    }

    /// A key from a word that is one.
    #[must_use]
    pub(crate) fn word(word: &'static str) -> Self {
        Self(word.to_owned())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl<'de> serde::Deserialize<'de> for Key {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'_, str>>::deserialize(deserializer)?;
        Self::new(&text).ok_or_else(|| serde::de::Error::custom("a name needs at least one letter or digit"))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// S-050: markup, control characters and length.
    #[test]
    fn s_050_texts_become_one_harmless_line() {
        assert_eq!(Line::new("  a\n\n<b>`c`\t# d\u{202e} \u{200b}e ").as_str(), "a bc d e");
        assert_eq!(Line::new(&"x ".repeat(400)).as_str().chars().count(), 279);
        assert!(Line::new("\u{0}\u{1b}").is_empty());
    }

    /// S-092, S-093: W-15, and more ways to write one name.
    #[test]
    fn s_093_one_name_has_one_form() {
        for text in [
            " Thermal_Saturation ",
            "thermal saturation",
            "THERMAL-SATURATION",
            "ｔhermal…saturation",
            "_thermal__saturation_",
            "ther\u{200b}mal saturation",
        ] {
            assert_eq!(Key::new(text).as_ref().map(Key::as_str), Some("thermal_saturation"), "W-15 {text}");
        }
        assert_ne!(Key::new("thermal saturation risk"), Key::new("thermal saturation"));
        for text in ["", "  ", "__", "—", "\u{200b}"] {
            assert_eq!(Key::new(text), None, "{text:?}");
        }
    }

    proptest! {
        /// S-093: the form is its own form, and every line its own line.
        #[test]
        fn s_093_normal_forms_are_stable(text in ".{0,200}") {
            if let Some(key) = Key::new(&text) {
                prop_assert_eq!(Key::new(key.as_str()), Some(key.clone()));
                prop_assert!(key.as_str().chars().count() <= Key::CHARACTERS);
            }
            let line = Line::new(&text);
            prop_assert_eq!(Line::new(line.as_str()), line.clone());
            prop_assert!(line.as_str().chars().count() <= Line::CHARACTERS && !line.as_str().contains('\n'));
        }
    }
}
