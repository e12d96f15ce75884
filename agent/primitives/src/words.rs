//! Closed lists of words, each spelled the same in files, tables and screens.

/// An enum of plain variants with one word each, listed, written and read back; a record and a file have the same word. The crate
/// that uses it needs serde.
///
/// ```
/// golem_primitives::words! {
///     /// The two.
///     Side { /** Left. */ Left = "left", /** Right. */ Right = "right" }
/// }
/// assert_eq!(Side::from_name("left"), Some(Side::Left));
/// assert_eq!(Side::ALL.len(), 2);
/// ```
#[macro_export]
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$note:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $name { $($(#[$note])* #[serde(rename = $word)] $variant),+ }

        impl $name {
            /// Every one, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word for it in files, tables and screens.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// The one of that word, or `None`.
            #[must_use]
            pub fn from_name(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.name() == word)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }
    };
}
