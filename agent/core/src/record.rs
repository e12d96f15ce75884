//! What is journaled: inputs, outcomes, effects and events. A format with a version; serde lives here.

mod bought;
mod clade;
mod counsel;
mod curated;
mod deliberated;
mod dreams;
mod effect;
mod event;
mod fill;
mod foreign_words;
mod inflows;
pub(crate) mod order;
mod overflow;
mod prediction;
mod received;
mod refusal;
pub(crate) mod sight;
mod studied;
mod temper;

pub use bought::{
    Bought, Excerpt, Missed, Offered, Offers, PurchaseMade, PurchaseOccasion, SOURCES, SourceKind, SourceName,
    SourceNameError, Unbought,
};
pub use clade::{
    Acknowledged, BOUGHT, Checked, CladeNews, MOST_SIBLING_RULES, RuleOfAnother, RuleShown, SiblingCrisis,
    SiblingDeath, SiblingRule, SiblingStain,
};
pub use counsel::{EntryAdvice, Says};
pub use curated::{Curated, Due};
pub use deliberated::{Course, Deliberated, Overruled};
pub use dreams::{DreamCounts, DreamTerms, Dreamt, Recollection};
pub use effect::{Effect, EffectKind};
pub use event::{Event, RuleChanged, Searcher};
pub use fill::{Fill, MOST_POOL_TICKS, PoolReading};
pub use foreign_words::ForeignWords;
pub use inflows::Inflows;
pub use order::Order;
pub use overflow::Dropped;
pub use prediction::{Claim, Prediction, Verdict};
pub use received::{InKind, Received};
pub use refusal::RefusalClass;
pub use sight::{
    Bar, BlockRef, ChainLife, ELSEWHERE, EVER_ELSEWHERE, MarketReading, POSITIONS, PoolAccess, PositionReading, Sight,
    TokenReading, VaultReading,
};
pub use studied::{
    Diagnosis, Distilled, MOST_LESSONS, MOST_RULES, MissCause, Reconsidered, Reflection, SaidRule, StudyQuotes,
};
pub use temper::{AffectTemper, Confession, Swayed, Temper};
// Records are made of the law's words; who reads records need not know where each was coined.
pub use golem_daimon::Pad;
pub use golem_daimon::chain::EmotionReply;
pub use golem_daimon::event::{DaimonEvent, metric as daimon_metric};
pub use golem_daimon::trigger::TriggerKind;
pub use golem_dreams::event::{DreamEvent, StreamEvent};
pub use golem_dreams::inputs::CycleId;
pub use golem_dreams::schedule::Rest;
pub use golem_dreams::wake::{Wake, WakeSource};
pub use golem_dreams::words::{DreamTier, DreamTrigger};
pub use golem_inheritance::pheromone::{Class as SignClass, Scent, Sign};
pub use golem_mortality::cause::{CauseKind, Death, DeathCause, KillOrder, Reason};
pub use golem_mortality::economic::burn::CostSource;
pub use golem_mortality::economic::death_budget::DeathBudget;
pub use golem_mortality::economic::partitions::{Partition, Partitions};
pub use golem_mortality::economic::tier::Tier;
pub use golem_mortality::outcome::confirmation::{REORG_WINDOW_BLOCKS, confirmation_depth, confirmations};
pub use golem_mortality::outcome::record::{
    ChainState, InvariantCheck, Moved, MovedPosition, OutcomeVerification, Receipt, SimulatedOutcome,
};
pub use golem_mortality::phase::Phase;
pub use golem_mortality::stochastic::roll::{Roll, Salt, death_roll};
pub use golem_mortality::vitals::{BalanceReading, Chance, TickRecord};
pub use golem_playbook::information::{Grasp, InformationReading};
pub use golem_playbook::links::LinkChange;
pub use golem_playbook::phages::{PhageAnswer, PhageReport};
pub use golem_playbook::promotion::RuleChange;
pub use golem_playbook::rule::Rule;
pub use golem_playbook::stains::MarketStain;
pub use golem_playbook::understanding::Learnt;
pub use golem_suffering::anticipation::Signal;
pub use golem_suffering::crisis::PeerMessage;
pub use golem_suffering::event::metric as suffering_metric;
pub use golem_suffering::export::Export as SufferingExport;
pub use golem_suffering::kind::Canonical;
pub use golem_suffering::reply::{ClaimedResolution, NewStressor, SufferingReply};
pub use golem_suffering::stressor::Scar;
pub use golem_suffering::{Band, Suffering, SufferingEvent, SufferingLaw};

use std::fmt;

use golem_mortality::epistemic::domain::MarketState;
use golem_mortality::epistemic::window::Pair;
use golem_primitives::{EffectId, Tick, Usdc, UtcTime};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// The version of the records this code reads and writes. Readers refuse every other.
pub const RECORD_VERSION: u16 = 1;

/// The stages of a tick; the law runs when the last one ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Turn {
    /// Reading the world, predicting it.
    Sensing,
    /// Choosing.
    Deciding,
    /// Doing.
    Acting,
    /// Looking at what came of it.
    Reflecting,
    /// Resting; behind it the law.
    Sleeping,
}

/// One pass of the loop: everything that happened since the last one, in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TickInput {
    pub version: u16,
    /// The tick this pass belongs to.
    pub tick: Tick,
    pub turn: Turn,
    /// Wall time, read once by the driver.
    pub now: UtcTime,
    /// Where the death roll of this tick comes from.
    pub chance: Chance,
    /// The number of the block behind that chance, for everybody to look up.
    #[serde(default)]
    pub roll_block: Option<u64>,
    pub observations: Vec<Observation>,
    pub outcomes: Vec<Outcome>,
    /// What the owner and the guardians want.
    pub commands: Vec<Command>,
}

impl TickInput {
    /// An input in which nothing happened, for the whole of a tick.
    #[must_use]
    pub fn quiet(tick: Tick, now: UtcTime, chance: Chance) -> Self {
        Self {
            version: RECORD_VERSION,
            tick,
            turn: Turn::Sleeping,
            now,
            chance,
            roll_block: None,
            observations: Vec::new(),
            outcomes: Vec::new(),
            commands: Vec::new(),
        }
    }

    /// G-155. What the Grimoire says in it.
    pub fn counsel(&self) -> impl Iterator<Item = &EntryAdvice> {
        self.observations.iter().flat_map(|seen| match seen {
            Observation::Counsel { advice } => advice.as_slice(),
            _ => &[],
        })
    }
}

/// Something seen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Observation {
    /// What the chain says of the credits.
    Balance(BalanceReading),
    /// The cost of being alive since the last look: machine, insurance, Styx.
    Upkeep {
        source: CostSource,
        cost: Usdc,
    },
    /// Someone funded the Golem.
    Funded {
        amount: Usdc,
    },
    /// Realised profit reached the credits.
    Revenue {
        amount: Usdc,
    },
    /// What was said of the market before the tick, and what it was.
    Market {
        /// Said in SENSING.
        predicted: MarketState,
        /// Read after.
        observed: MarketState,
    },
    /// A prediction registered before the fact was resolved from chain state after it.
    Resolved {
        /// What was said and what came, as returns per unit of notional.
        pair: Pair,
    },
    /// Whether this regime is too new to judge by.
    Regime {
        /// Too few matched ticks are known.
        is_novel: bool,
    },
    Positions {
        open: u32,
    },
    /// The Curator archived entries.
    Pruned {
        /// In this tick.
        archived: u32,
        /// In the last 500 ticks.
        archived_recently: u32,
        /// Active when those 500 ticks began.
        active_at_start: u32,
    },
    /// One look at the chain. It brings balance, positions and, when the chain says so, the order to die.
    Sight(Box<Sight>),
    /// Nobody answers for the chain: nothing is done and nobody starves until somebody does.
    Blind,
    /// What an outcome told is not so: a reorganisation took it back, or what counted as lost is on the chain. The
    /// effect is open again and its cost stands.
    Withdrawn {
        effect: EffectId,
        kind: EffectKind,
        /// Whether it was told as refused: then nothing was paid that could come back.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        was_refused: bool,
    },
    /// G-155. What the Grimoire says about the situation at hand.
    Counsel {
        /// Each entry that speaks, by id.
        advice: Vec<EntryAdvice>,
    },
    /// Which tiers are served, and what a deliberation asked of each costs at most. The first one awakens
    /// the mind; prices are recorded like everything else that is decided by.
    Faculties {
        /// T0 to T3; `None` where nobody serves.
        quotes: [Option<Usdc>; 4],
    },
    /// G-143, C32. The Grimoire wants its Curator beside the turns a phase gives it.
    CuratorDue {
        why: Due,
    },
    /// G-002. For how many ticks what a model advised answers the same situation again; the first one begins to remember.
    Precedents {
        /// So many; with none every question is put.
        ttl_ticks: u64,
    },
    /// What may be bought, and within which bounds. The first one lets a life buy at all.
    Offers(Box<Offers>),
    /// V-003. What the vault's log says of its credits. The first one opens the books.
    Inflows(Box<Inflows>),
    /// Which thoughts beside the ticks are served, and what each costs at most.
    Studies {
        quotes: StudyQuotes,
    },
    /// A-002, S-008. What the Golem is like, when that is not what it last heard.
    Temper(Box<Temper>),
    /// D-230. What it may dream, and by which numbers. The first one furnishes the room.
    Dreams(Box<DreamTerms>),
    /// D-039. What memory says once the tick is written.
    Recalled(Box<Recollection>),
    /// D-193. Somebody wakes it: the owner, a sibling, or an alarm that this life cannot see itself.
    Roused(Box<Wake>),
    /// D-101, D-110. How a trade came about, as it was recorded: what counterfactuals are computed from.
    Filled(Box<Fill>),
    /// S-085. What its predecessor suffered and left: warnings for one that is told by which reading it suffers.
    Scars(Vec<Scar>),
    /// What siblings told.
    Clade(Box<CladeNews>),
    /// P-062. What its predecessor had learnt of the market: a belief to begin with, judged by its own looks like any other.
    Learnt(Box<Learnt>),
}

/// What an owner may ask of the book of a life that goes on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BookWord {
    /// P-009. Rules to be tried as candidates; one whose name is known already is left as it is.
    Propose(Vec<Rule>),
    /// P-070. A search of the record for rules that would have paid.
    Search,
    /// D-162. What its owner thinks of a candidate.
    Judge {
        rule: String,
        /// Whether it goes through the gate, or leaves.
        is_wanted: bool,
    },
}

/// What came of an effect.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    pub effect: EffectId,
    pub cost: Option<(CostSource, Usdc)>,
    pub result: OutcomeResult,
}

/// How an effect went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeResult {
    Done,
    /// An action, confirmed at depth, with what was simulated and what the receipt says.
    Verified(Box<OutcomeVerification>),
    /// S-071. Only tried: what the simulation says would have moved.
    Simulated(Box<Moved>),
    /// A Loop-2 reflection ended.
    Reflected {
        improved: bool,
    },
    Refused {
        reason: String,
    },
    Curated(Curated),
    /// A model answered: all that is left of its answer.
    Advised {
        advice: crate::deliberation::ModelAdvice,
    },
    /// Something was bought.
    Bought(Box<Bought>),
    /// Nothing was bought.
    Unbought(Unbought),
    /// M-067. A Loop-2 reflection ended that a model took part in.
    Reconsidered(Box<Reconsidered>),
    /// G-142. A model's distillation ended.
    Distilled(Distilled),
    /// A-040, S-044. A model answered, and said something of the Golem's own state beside it.
    Confided {
        advice: crate::deliberation::ModelAdvice,
        /// What it said, not yet believed.
        confession: Box<Confession>,
    },
    /// D-183. A dream is over: all that is left of its report here.
    Dreamt(Box<Dreamt>),
    /// T-004. The death is settled, with what its owner received.
    Settled(Box<Received>),
}

/// What someone with the right to it wants.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    Kill(KillOrder),
    /// M-241. From here on a control that could not die can.
    BecomeMortal,
    Sleep,
    Wake,
    Conclude,
    /// P-009, P-070. What its owner asks of its book.
    Book(Box<BookWord>),
}

/// M-178. The four stages of a death, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DyingStage {
    /// Declared; nothing but the end is left.
    Acceptance,
    /// Positions become USDC.
    Settlement,
    Reflection,
    /// The chain is told, and everything goes to the owner.
    Legacy,
}

/// Why a trade was not asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Forgone {
    /// V-012. The phase forbids raising exposure.
    Phase,
    /// L-025. The key has no gas beyond what thirty beats need.
    Gas,
    /// The vault takes nothing from this key now.
    Barred(Bar),
    /// Below what is worth its gas.
    TooSmall,
    /// V-011. The pool is further from its time-weighted price than the vault lets a trade be.
    FarFromTwap,
    /// G-155. A rule of the Grimoire says to leave this book alone in this regime.
    Counsel,
    /// S-030, S-129. What the Golem suffers closes it.
    Suffering(Band),
    /// V-003. The vault holds something else than the Golem's books say.
    LedgerDiffers,
    /// P-057. Its owner lets nothing be entered in this pool.
    Pool(PoolAccess),
}

impl fmt::Display for Forgone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Phase => f.write_str("its phase enters nothing more"),
            Self::Gas => f.write_str("its key keeps what gas is left for its reports"),
            Self::Barred(bar) => bar.fmt(f),
            Self::TooSmall => f.write_str("too small to be worth its gas"),
            Self::FarFromTwap => f.write_str("the pool is too far from its average price"),
            Self::Counsel => f.write_str("held back by what it has learned"),
            Self::Suffering(band) => write!(f, "closed while its suffering is {band}"),
            Self::LedgerDiffers => f.write_str("it waits until its books agree with the vault"),
            Self::Pool(access) => write!(f, "its pool is {access}"),
        }
    }
}

impl fmt::Display for DyingStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Acceptance => "its death is declared",
            Self::Settlement => "what it holds becomes USDC",
            Self::Reflection => "it writes its testament",
            Self::Legacy => "the chain is told, and everything goes to its owner",
        })
    }
}

/// Why an input was not taken in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InputRefusal {
    /// Written by newer code.
    Version {
        got: u16,
    },
    /// Not the tick that is due.
    Tick {
        expected: Tick,
        got: Tick,
    },
    /// A stage of this tick that is already over.
    Turn {
        last: Turn,
        got: Turn,
    },
    /// Nothing ticks a Golem whose death has begun.
    Dying,
    Dead,
}

/// Why a command was not obeyed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommandRefusal {
    /// M-179. Its death has begun.
    Dying,
    Dead,
    NotDying,
    /// It already sleeps, or already wakes.
    NoChange,
    /// M-145. In Terminal nothing is dreamed.
    TerminalDreamsNot,
    /// It tries no rule yet: it cannot see its market, or has no capital to tell a cost by.
    TriesNothing,
    /// P-057. What was proposed speaks of pools that are not listed for it.
    UnlistedPool,
    /// D-162. No candidate of that name waits for it.
    NoCandidate,
}

/// Why an effect is not allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum EffectRefusal {
    #[error("{partition:?} may spend no more today")]
    DailyCap { partition: Partition },
    /// What is promised already is no longer left.
    #[error("{partition:?} has {available} left, less than {budget}")]
    Unaffordable { partition: Partition, available: Usdc, budget: Usdc },
    /// M-032. Legacy pays for no operation.
    #[error("the legacy pays for no operation")]
    LegacyProtected,
    /// The day's spending or the phase forbids it.
    #[error("no model may be asked now")]
    NoModel,
    #[error("too many effects are open")]
    TooManyOpen,
}

/// The most events a pass can bring.
pub const EVENTS_PER_STEP: usize = 64;
/// The most effects a pass can want.
pub const EFFECTS_PER_STEP: usize = 16;

/// A pass's events. An ordinary tick has three and allocates nothing; a list that always had room for the busiest tick
/// would cost more to move than the tick costs to live.
pub type Events = SmallVec<[Event; 4]>;
/// A pass's effects; an ordinary tick has none.
pub type Effects = SmallVec<[Effect; 1]>;
