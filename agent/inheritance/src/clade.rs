//! The Clade: Golems of one owner, each with its own Grimoire; knowledge is exported, sent and taken in, never merged.

pub mod version;
