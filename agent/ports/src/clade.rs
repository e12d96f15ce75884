//! The Clade's wire as a life sees it: words go out and come in, and neither a crash nor a missing relay loses one.

use golem_core::record::{Scent, Sign};
use golem_grimoire::kind::Domain;
use golem_grimoire::regime::Regime;
use golem_primitives::{GolemId, UtcTime};

/// What a word is about. A relay files frames by it and reads no body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum WordKind {
    /// I-104. What the Curator's turn let go out: entries and rules with their evidence.
    Batch = 1,
    /// I-107. A warning or a shift of regime: it goes at once.
    Warning = 2,
    /// M-186. A death has begun.
    Dying = 3,
    /// I-121. What the dead saw and leave.
    Bloodstain = 4,
    /// S-031. A crisis, or its end.
    Crisis = 5,
    /// What became of something a sibling had sent: whoever hears none is invisible.
    Acknowledgement = 6,
}

impl WordKind {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Batch, Self::Warning, Self::Dying, Self::Bloodstain, Self::Crisis, Self::Acknowledgement];

    /// Its number on the wire.
    #[must_use]
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The kind of a number; `None` of one that nobody gave.
    #[must_use]
    pub fn of_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }
}

/// A sibling's word. That its sender signed it, lives, and has the same owner was checked before it got here; what it
/// says was not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeardWord {
    /// Where it stands among all that this life ever heard; [`Clade::taken`] goes by it.
    pub place: u64,
    /// Who said it: the vault's address, as its key signed it.
    pub from: GolemId,
    /// When it was said, by its sender's clock.
    pub at: UtcTime,
    pub kind: WordKind,
    pub body: Vec<u8>,
}

/// Why a word could not be kept or read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CladeError {
    /// More bytes than a frame carries.
    #[error("a word of {bytes} bytes is longer than the {most} that a frame carries; send less at once")]
    TooLong { bytes: usize, most: usize },
    /// I-113. So many words wait for the relay that no more are kept.
    #[error("{waiting} words wait for the relay already; this one is not kept")]
    Full { waiting: u64 },
    /// I-325. More signs than one leaves in a minute.
    #[error("so many signs are left in a minute that this one is not; the next minute takes more")]
    TooManySigns,
    #[error("the words of the Clade cannot be kept: {reason}")]
    Broken { reason: String },
}

/// I-100 to I-114. Speaks to siblings and hears them. Nothing here waits for a network: what is said is on disk when
/// [`say`](Self::say) returns and leaves when it can, what is heard was put on disk by whoever received it.
pub trait Clade: std::fmt::Debug + Send {
    /// Puts a word on its way to every sibling.
    ///
    /// # Errors
    /// [`CladeError`] when it is not kept; a life goes on without.
    fn say(&mut self, kind: WordKind, body: &[u8], now: UtcTime) -> Result<(), CladeError>;

    /// What siblings said and was not taken yet, in the order of its places, at most so many.
    fn heard(&mut self, most: usize) -> Result<Vec<HeardWord>, CladeError>;

    /// Everything up to this place was taken in; it is not told again, also after a crash.
    ///
    /// # Errors
    /// [`CladeError`] when that cannot be kept; it is told again then.
    fn taken(&mut self, through: u64) -> Result<(), CladeError>;

    /// Whether what is said waits for siblings that are away. Where it does not, speaking to nobody is forgetting.
    fn keeps(&self) -> bool {
        true
    }

    /// I-323. Leaves a sign for siblings; who left it is told to nobody.
    ///
    /// # Errors
    /// [`CladeError`] when it is not kept; a life goes on without.
    fn leave(&mut self, sign: &Sign, now: UtcTime) -> Result<(), CladeError>;

    /// I-326. What is in the air in these domains and this regime, as far as is known by now; nothing waits to know more. What
    /// comes of it is data of others: whoever reads it bounds it.
    fn sense(&mut self, domains: &[Domain], regime: Option<Regime>, now: UtcTime) -> Vec<Scent>;

    /// How many siblings were in reach when last heard of; `None` when nobody knows.
    fn siblings(&self) -> Option<u32>;
}
