//! What a person looks at, as types: each picture says its values once, with the unit of every number, and is printed as a
//! table or as JSON in one way. Whoever shows something (the command line, a screen, a page, a tool) draws from here and adds
//! nothing of its own. A picture can change nothing.
//!
//! Begin with [`picture!`] and [`Shown`]; [`LifePicture`] is the largest of them.

mod chain;
mod dreams;
mod graves;
mod heritage;
mod knowledge;
mod life;
mod list;
mod mood;
mod picture;
mod shown;
mod suffering;
mod summary;
mod table;
mod trades;
mod understanding;
pub mod words;

pub use chain::{ChainCredits, ChainPicture, PaperGiven};
pub use dreams::{AsleepPicture, CapsPicture, DreamPicture, SpentPicture, StagePicture, YieldPicture};
pub use graves::{AdjustmentPicture, AdvicePicture, GravePicture};
pub use heritage::{HeirloomLine, HeritagePicture};
pub use knowledge::KnowledgePicture;
pub use life::{
    ClocksPicture, CountsPicture, CreditsPicture, HandPicture, LifePicture, OpenEffectPicture, PaymentPicture,
    PositionPicture, ProfitPicture, PurchasesPicture, standing,
};
pub use list::GolemLine;
pub use mood::{FeltPicture, InfluencePicture, MoodPicture, PadPicture};
pub use picture::{Field, Picture, csv_of, key_of, table_of};
pub use serde_json::Value;
pub use shown::{Gain, Number, Seconds, Shown, Ticks, TokenUnits, Wei};
pub use suffering::{EasedPicture, PressingPicture, SufferingPicture};
pub use summary::{LifeSummary, break_even};
pub use table::Table;
pub use trades::{RecordedTrade, TokenChange, TradeLine};
pub use understanding::{BeliefPicture, BelievedAmount};
