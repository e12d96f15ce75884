//! The only room that speaks to models: a budgeted request becomes an answer or a refusal with its cost.
//!
//! [`Models`] serves the tiers an owner configured. What a call may cost is known before it is made, and
//! what comes back is data: checked against a closed schema, stripped and bounded. [`prompts`] holds the words,
//! each with its version. [`survey`](survey::survey) tells a doctor which tiers live and what a day costs.

mod asking;
mod confession;
mod deliberator;
pub mod embedder;
mod http;
mod meter;
mod models;
mod musing;
mod patience;
mod pondering;
mod price;
pub mod prompts;
mod schema;
pub mod sealed;
mod secret;
mod settings;
pub mod survey;
mod text;
mod wire;

pub use deliberator::{Deliberator, Duties};
pub use models::{MOST_PROMPT_BYTES, Models, TierError};
pub use patience::{TimeAndChance, WallPace};
pub use price::Price;
pub use secret::ProviderKey;
pub use settings::{
    Effort, Format, InferenceSettings, SettingsError, ThoughtSettings, Thoughts, TierKeys, TierSettings, TierTable,
};
