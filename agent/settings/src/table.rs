//! The table of a room's settings, and what is made of it.

use crate::kind::{Allowed, RawValue, Setting};

/// One row of a table, for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyDescription {
    /// The whole key, `mortality.economic.enabled`.
    pub key: String,
    /// The value when the owner says nothing.
    pub default: String,
    pub allowed: String,
    pub meaning: &'static str,
    /// The requirement it comes from.
    pub id: &'static str,
}

/// A key that is not as usual.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyChange {
    pub key: String,
    /// Its value when the owner says nothing.
    pub usual: String,
    pub value: String,
}

/// Why a value was not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ValueRefusal {
    /// Not of the kind.
    Kind { expected: &'static str },
    /// Of the kind, and not allowed.
    Value { allowed: String },
}

/// Settings that were written with [`settings!`](crate::settings).
pub trait SettingsTable: Default {
    /// The paths of all sections.
    const SECTIONS: &'static [&'static str];
    /// The paths of all keys.
    const KEYS: &'static [&'static str];

    /// Takes a value for a key; `None` when there is no such key.
    fn set(&mut self, key: &str, raw: RawValue<'_>) -> Option<Result<(), ValueRefusal>>;

    /// The value of a key as text; `None` when there is no such key.
    fn value(&self, key: &str) -> Option<String>;

    /// Every key with its default, what is allowed, meaning and requirement, in the order of the table.
    fn describe() -> Vec<KeyDescription>;

    /// What differs from another.
    fn changes(&self, usual: &Self) -> Vec<KeyChange> {
        let changed = Self::KEYS.iter().filter_map(|key| {
            let (usual, value) = (usual.value(key)?, self.value(key)?);
            (value != usual).then(|| KeyChange { key: (*key).to_owned(), usual, value })
        });
        changed.collect()
    }
}

/// Reads `raw` into `place` when it is of the kind and allowed.
///
/// # Errors
/// [`ValueRefusal`] otherwise; `place` is then as it was.
pub fn assign<T: Setting>(place: &mut T, raw: RawValue<'_>, allowed: &Allowed<T>) -> Result<(), ValueRefusal> {
    let value = T::read(raw).ok_or(ValueRefusal::Kind { expected: T::KIND })?;
    if !allowed.admits(&value) {
        return Err(ValueRefusal::Value { allowed: allowed.show() });
    }
    *place = value;
    Ok(())
}

/// Writes a table of settings: a struct of sections, each a struct of values.
///
/// ```
/// use golem_settings::{Allowed, SettingsFile, SettingsTable, settings};
///
/// settings! {
///     /// What the garden may choose.
///     pub Garden;
///     /// When it is watered.
///     "garden" watering: Watering {
///         hours: u64 = 6, Allowed::Within(1, 24), "X-001", "Hours between two waterings.";
///     }
/// }
///
/// let mut file = SettingsFile::parse("[garden]\nhours = 12\n").unwrap();
/// let mut garden = Garden::default();
/// file.fill(&mut garden);
/// assert_eq!((garden.watering.hours, file.finish()), (12, Vec::new()));
/// ```
#[macro_export]
macro_rules! settings {
    ($(#[$of:meta])* $vis:vis $Table:ident; $($(#[$doc:meta])* $path:literal $section:ident: $Section:ident {
        $($key:ident: $kind:ty = $default:expr, $allowed:expr, $id:literal, $meaning:literal;)*
    })*) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone, PartialEq)]
            $vis struct $Section {
                $(#[doc = $meaning] $vis $key: $kind,)*
            }

            impl Default for $Section {
                fn default() -> Self {
                    Self { $($key: $default,)* }
                }
            }
        )*

        $(#[$of])*
        #[derive(Debug, Clone, PartialEq, Default)]
        $vis struct $Table {
            $($(#[$doc])* $vis $section: $Section,)*
        }

        impl $crate::SettingsTable for $Table {
            const SECTIONS: &'static [&'static str] = &[$($path,)*];
            const KEYS: &'static [&'static str] = &[$($(concat!($path, ".", stringify!($key)),)*)*];

            fn set(&mut self, key: &str, raw: $crate::RawValue<'_>) -> Option<Result<(), $crate::ValueRefusal>> {
                match key {
                    $($(concat!($path, ".", stringify!($key)) => {
                        let allowed: $crate::Allowed<$kind> = $allowed;
                        Some($crate::assign(&mut self.$section.$key, raw, &allowed))
                    })*)*
                    _ => None,
                }
            }

            fn value(&self, key: &str) -> Option<String> {
                match key {
                    $($(concat!($path, ".", stringify!($key)) => {
                        Some($crate::Setting::show(&self.$section.$key))
                    })*)*
                    _ => None,
                }
            }

            fn describe() -> Vec<$crate::KeyDescription> {
                let mut rows = Vec::with_capacity(<Self as $crate::SettingsTable>::KEYS.len());
                $($({
                    let (default, allowed): ($kind, $crate::Allowed<$kind>) = ($default, $allowed);
                    rows.push($crate::KeyDescription {
                        key: concat!($path, ".", stringify!($key)).to_owned(),
                        default: $crate::Setting::show(&default),
                        allowed: allowed.show(),
                        meaning: $meaning,
                        id: $id,
                    });
                })*)*
                rows
            }
        }
    };
}
