//! The settings of a Golem: one table says every key, and everything else follows from it.
//!
//! A room that has keys writes them with [`settings!`]: key, kind, default, what is allowed, requirement and meaning, each
//! once. From that come the struct that holds the values, the defaults, the list for a person and the reading.
//! [`SettingsFile`] is one `golem.toml`: each table takes its own keys out of it, and what nobody took is a mistake, told
//! with its line and the nearest key that exists. All mistakes are told together.
//!
//! It uses the `toml` crate's parser alone (no serde): that parser hands over the digits a person wrote, so money and
//! shares are read exactly and never pass through a float, and it knows the line of each key. It reads a text that is
//! given; it opens no file.

mod error;
mod file;
mod kind;
mod table;

pub use error::SettingError;
pub use file::SettingsFile;
pub use kind::{Allowed, RawValue, Setting};
pub use table::{KeyChange, KeyDescription, SettingsTable, ValueRefusal, assign};
