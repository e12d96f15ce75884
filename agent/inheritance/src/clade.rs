//! The Clade: Golems of one owner, each with its own Grimoire; knowledge is exported, sent and taken in, never merged.
//!
//! Carrying is the relay's work. What is law is here: which [sibling](member) is listened to, [when](sync) something goes out, how
//! long [words](delta) wait for whoever is away, what the dying [leave](farewell), what was [seen](version), how a [link](mod@link) fails and recovers,
//! what the [`archive`] keeps, and what all of it may [cost](spend).

pub mod archive;
pub mod delta;
pub mod farewell;
pub mod link;
pub mod member;
pub mod spend;
pub mod sync;
pub mod version;
