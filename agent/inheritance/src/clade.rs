//! The Clade: Golems of one owner, each with its own Grimoire; knowledge is exported, sent and taken in, never merged.
//!
//! Carrying is the relay's work. What is law is here: [when](sync) something goes out, how
//! long [words](delta) wait for whoever is away, what the dying [leave](farewell), how a [link](mod@link) fails and recovers,
//! what the [`archive`] keeps, and whether a sibling's words hold where one lives oneself ([`agreement`]).

pub mod agreement;
pub mod archive;
pub mod delta;
pub mod farewell;
pub mod link;
pub mod sync;
