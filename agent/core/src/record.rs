//! What is journaled: inputs, outcomes, effects and events. A format with a version; serde lives here.

mod bought;
mod counsel;
mod curated;
mod deliberated;
mod dreams;
mod fill;
mod inflows;
mod order;
mod prediction;
mod refusal;
mod sight;
mod studied;
mod temper;

pub use bought::{
    Bought, EXCERPT_CHARS, Excerpt, Missed, Occasion, Offered, Offers, Purchase, SOURCE_NAME_BYTES, SOURCES,
    SourceKind, SourceName, SourceNameError, Unbought,
};
pub use counsel::{Advice, Says};
pub use curated::{Curated, Due};
pub use deliberated::{Course, Deliberated, Overruled};
pub use dreams::{DreamCounts, DreamTerms, Dreamt, Recollection};
pub use fill::{Fill, MOST_POOL_TICKS, PoolReading};
pub use inflows::Inflows;
pub use order::Order;
pub use prediction::{Claim, Prediction, Verdict};
pub use refusal::RefusalClass;
pub use sight::{Bar, BlockRef, ChainLife, MarketReading, POSITIONS, PositionReading, Sight, VaultReading};
pub use studied::{Diagnosis, Distilled, MOST_LESSONS, MissCause, Reconsidered, Reflection, StudyQuotes};
pub use temper::{AffectTemper, Confession, Swayed, Temper};
// Records are made of the law's words; who reads records need not know where each was coined.
pub use golem_daimon::chain::EmotionReply;
pub use golem_daimon::event::{DaimonEvent, metric as daimon_metric};
pub use golem_daimon::trigger::TriggerKind;
pub use golem_dreams::event::{DreamEvent, StreamEvent};
pub use golem_dreams::inputs::CycleId;
pub use golem_dreams::schedule::Rest;
pub use golem_dreams::wake::{Wake, WakeSource};
pub use golem_dreams::words::{Tier as DreamTier, Trigger as DreamTrigger};
pub use golem_mortality::cause::{CauseKind, Death, DeathCause, KillOrder, Reason};
pub use golem_mortality::economic::burn::CostSource;
pub use golem_mortality::economic::partitions::{Partition, Partitions};
pub use golem_mortality::economic::tier::Tier;
pub use golem_mortality::outcome::confirmation::{REORG_WINDOW_BLOCKS, confirmation_depth, confirmations};
pub use golem_mortality::outcome::record::{
    ChainState, InvariantCheck, OutcomeVerification, Receipt, SimulatedOutcome,
};
pub use golem_mortality::phase::Phase;
pub use golem_mortality::stochastic::roll::{Roll, Salt, death_roll};
pub use golem_mortality::vitals::{BalanceReading, Chance, TickRecord};
pub use golem_suffering::event::metric as suffering_metric;
pub use golem_suffering::kind::Canonical;
pub use golem_suffering::reply::{ClaimedResolution, NewStressor, SufferingReply};
pub use golem_suffering::{Band, Suffering, SufferingEvent, SufferingLaw};

use golem_mortality::epistemic::domain::MarketState;
use golem_mortality::epistemic::window::Pair;
use golem_primitives::{B256, EffectId, GolemId, Ppm, Tick, Usdc, UtcTime};
use golem_suffering::anticipation::Signal;
use golem_suffering::crisis::PeerMessage;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// The newest version of a record this code writes: that of a life with rooms beyond a mind. Readers refuse what is newer.
pub const RECORD_VERSION: u16 = 4;
/// The version of the records of a life that has a mind and no other room.
pub const MIND_VERSION: u16 = 3;
/// The version of the records of a life without rooms. It is written as it was before there were any, so that a life of
/// the first release is lived again to the same hashes.
pub const PLAIN_VERSION: u16 = 2;

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
    /// The format.
    pub version: u16,
    /// The tick this pass belongs to.
    pub tick: Tick,
    /// Its stage.
    pub turn: Turn,
    /// Wall time, read once by the driver.
    pub now: UtcTime,
    /// Where the death roll of this tick comes from.
    pub chance: Chance,
    /// The number of the block behind that chance, for everybody to look up.
    #[serde(default)]
    pub roll_block: Option<u64>,
    /// What was seen.
    pub observations: Vec<Observation>,
    /// What came of earlier effects.
    pub outcomes: Vec<Outcome>,
    /// What the owner and the guardians want.
    pub commands: Vec<Command>,
}

impl TickInput {
    /// An input in which nothing happened, for the whole of a tick.
    #[must_use]
    pub fn quiet(tick: Tick, now: UtcTime, chance: Chance) -> Self {
        Self {
            version: PLAIN_VERSION,
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
}

/// Something seen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Observation {
    /// What the chain says of the credits.
    Balance(BalanceReading),
    /// The cost of being alive since the last look: machine, insurance, Styx.
    Upkeep {
        /// For what.
        source: CostSource,
        /// How much.
        cost: Usdc,
    },
    /// Someone funded the Golem.
    Funded {
        /// With how much.
        amount: Usdc,
    },
    /// Realised profit reached the credits.
    Revenue {
        /// How much.
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
    /// Positions open.
    Positions {
        /// How many.
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
    /// A reorganisation took back what an outcome told; the effect is open again and its cost stands.
    Withdrawn {
        /// Which effect.
        effect: EffectId,
        /// What it wants.
        kind: EffectKind,
    },
    /// A sibling died.
    SiblingDied {
        /// Who.
        golem: GolemId,
        /// Why.
        cause: CauseKind,
    },
    /// G-155. What the Grimoire says about the situation at hand.
    Counsel {
        /// Each entry that speaks, by id.
        advice: Vec<Advice>,
    },
    /// Which tiers are served, and what a deliberation asked of each costs at most. The first one awakens
    /// the mind; prices are recorded like everything else that is decided by.
    Faculties {
        /// T0 to T3; `None` where nobody serves.
        quotes: [Option<Usdc>; 4],
    },
    /// G-143, C32. The Grimoire wants its Curator beside the turns a phase gives it.
    CuratorDue {
        /// What for.
        why: Due,
    },
    /// G-002. For how many ticks what a model advised answers the same situation again; the first one begins to remember.
    Precedents {
        /// So many; with none every question is put.
        ttl_ticks: u64,
    },
    /// What may be bought, and within which bounds. The first one furnishes the larder.
    Offers(Box<Offers>),
    /// V-003. What the vault's log says of its credits. The first one opens the books.
    Inflows(Box<Inflows>),
    /// Which thoughts beside the ticks are served, and what each costs at most.
    Studies {
        /// By kind and tier.
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
}

impl Observation {
    /// The version of the first record that could hold it.
    #[must_use]
    pub const fn since(&self) -> u16 {
        match self {
            Self::Faculties { .. } => MIND_VERSION,
            Self::CuratorDue { .. }
            | Self::Precedents { .. }
            | Self::Offers(_)
            | Self::Inflows(_)
            | Self::Studies { .. }
            | Self::Temper(_)
            | Self::Dreams(_)
            | Self::Recalled(_)
            | Self::Roused(_)
            | Self::Filled(_) => RECORD_VERSION,
            _ => PLAIN_VERSION,
        }
    }
}

/// What came of an effect.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The effect.
    pub effect: EffectId,
    /// What it cost, and for what.
    pub cost: Option<(CostSource, Usdc)>,
    /// How it went.
    pub result: OutcomeResult,
}

/// How an effect went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeResult {
    /// Done.
    Done,
    /// An action, confirmed at depth, with what was simulated and what the receipt says.
    Verified(Box<OutcomeVerification>),
    /// On paper: what the simulation says would have come of it.
    Simulated {
        /// Change in USDC, in micros.
        usdc_micros: i64,
        /// Change in the token, in its smallest unit.
        token: i128,
    },
    /// A Loop-2 reflection ended.
    Reflected {
        /// Whether it raised fitness.
        improved: bool,
    },
    /// The world refused.
    Refused {
        /// In the adapter's words.
        reason: String,
    },
    /// A Curator cycle landed.
    Curated(Curated),
    /// A model answered: all that is left of its answer.
    Advised {
        /// Index and reason.
        advice: crate::deliberation::Advice,
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
        /// Index and reason.
        advice: crate::deliberation::Advice,
        /// What it said, not yet believed.
        confession: Box<Confession>,
    },
    /// D-183. A dream is over: all that is left of its report here.
    Dreamt(Box<Dreamt>),
}

/// What someone with the right to it wants.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// End this life.
    Kill(KillOrder),
    /// Split the credits as the present phase asks (V-009).
    RestoreSplit,
    /// Dream.
    Sleep,
    /// Wake.
    Wake,
    /// The death protocol is over.
    Conclude,
}

/// What the Golem wants of the world.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Effect {
    /// Its one name for ever.
    pub id: EffectId,
    /// What.
    pub kind: EffectKind,
    /// The most it may cost.
    pub budget: Usdc,
}

/// Effects the law of mortality asks for. Later laws add theirs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EffectKind {
    /// M-178. Begin the death protocol.
    BeginDeath {
        /// Why.
        cause: CauseKind,
    },
    /// D-020. The one dream on the edge into Terminal, by rules.
    EmergencyDream,
    /// M-131. Close positions.
    UnwindPositions {
        /// How many are open.
        open: u32,
    },
    /// M-030, M-031. Split the credits on chain as the phase asks.
    ResplitCredits {
        /// The phase.
        phase: Phase,
    },
    /// M-034. Move credits between partitions on chain.
    MoveCredits {
        /// From.
        source: Partition,
        /// To.
        destination: Partition,
        /// How much.
        amount: Usdc,
    },
    /// M-038. Raise the reserve on chain.
    RaiseReserve {
        /// To how much.
        to: Usdc,
    },
    /// M-048. Tell the owner what feeding would buy.
    OfferFeed {
        /// What a day costs.
        amount: Usdc,
        /// Until when it can be paid.
        deadline: Tick,
    },
    /// M-067. Reflect at once: the epistemic clock has warned.
    Reflect {
        /// The largest model that may be asked.
        ceiling: Tier,
    },
    /// M-131, M-230. A death snapshot.
    TakeDeathSnapshot,
    /// M-227. An insurance snapshot.
    TakeInsuranceSnapshot,
    /// M-138, M-250. Run the Curator.
    Curate,
    /// Trade; preview and permit stand between this wish and a transaction.
    Trade(Order),
    /// L-025. Report tick, phase and vitality on chain, with the root of what was verified since the last report.
    Beat {
        /// The phase.
        phase: Phase,
        /// Vitality.
        vitality: Ppm,
    },
    /// V-006. Pay the host what the machine has cost.
    PayHost {
        /// From where.
        partition: Partition,
        /// How much.
        amount: Usdc,
    },
    /// V-008. Native coin for the key out of the gas partition.
    Refuel {
        /// For how much USDC.
        amount: Usdc,
    },
    /// V-014. Profit into credits by the owner's share.
    Harvest,
    /// V-003. Allocate what was sent to the vault without a word.
    Allocate,
    /// M-195. Write the testament.
    WriteTestament,
    /// T-004. The last act: settle on chain.
    Settle,
    /// M-139. Ask a model which of the offered actions to take.
    Deliberate {
        /// How large a model.
        tier: Tier,
        /// The digest of the list.
        about: B256,
    },
    /// Buy what a source sells, for at most the budget.
    Buy {
        /// Which.
        source: SourceName,
    },
    /// V-006. USDC into the key's own wallet, to buy with.
    DrawFloat {
        /// From where.
        partition: Partition,
        /// How much.
        amount: Usdc,
    },
    /// G-142. Ask a model what the episodes have in common.
    Distil {
        /// How large a model.
        tier: Tier,
    },
    /// S-071. Simulate a trade that is closed now, on the chain as it is, and send nothing.
    Rehearse(Order),
    /// D-015. Dream, for at most the budget, until it is over or the life says to wake.
    Dream {
        /// Which cycle of this life.
        cycle: CycleId,
        /// What opened it.
        trigger: DreamTrigger,
        /// How much is dreamt.
        tier: DreamTier,
    },
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// By the law of mortality.
    Mortality(golem_mortality::event::Event),
    /// An input was not taken in; the life is as it was.
    InputRefused {
        /// Why.
        reason: InputRefusal,
    },
    /// A command was not obeyed.
    CommandRefused {
        /// Why.
        reason: CommandRefusal,
    },
    /// An effect was wanted and not allowed.
    EffectRefused {
        /// Which.
        kind: EffectKind,
        /// Why.
        reason: EffectRefusal,
    },
    /// An outcome came for an effect nobody waits for.
    OutcomeUnknown {
        /// Which.
        effect: EffectId,
    },
    /// An effect cost more than it was allowed; the cost stands, the breach is told.
    BudgetBreached {
        /// Which.
        effect: EffectId,
        /// What it cost.
        cost: Usdc,
        /// What it might have cost.
        budget: Usdc,
    },
    /// An adapter refused an effect.
    EffectFailed {
        /// Which.
        effect: EffectId,
        /// In the adapter's words.
        reason: String,
    },
    /// More came in a tick than a tick can hold.
    InputDropped {
        /// What of.
        what: Dropped,
    },
    /// Something was said of the future.
    PredictionRegistered(Prediction),
    /// The future came.
    PredictionResolved {
        /// What was said.
        prediction: Prediction,
        /// What came.
        verdict: Verdict,
    },
    /// The chain cannot be seen; nothing is done until it can.
    WentBlind,
    /// The chain can be seen again.
    SawAgain,
    /// A reorganisation took an outcome back.
    OutcomeWithdrawn {
        /// Of which effect.
        effect: EffectId,
    },
    /// A trade was wanted and not asked for.
    TradeForgone {
        /// Which.
        order: Order,
        /// Why.
        reason: Forgone,
    },
    /// M-176. The death protocol entered a stage.
    DyingStage(DyingStage),
    /// The Golem fell asleep.
    FellAsleep,
    /// The Golem woke.
    Woke,
    /// The death protocol is over.
    DeathConcluded,
    /// G-195. A Curator cycle is complete.
    Curated(Curated),
    /// M-139, R-032. A deliberation is over.
    Deliberated(Box<Deliberated>),
    /// G-002. A model would have been asked, and what one advised before answered.
    DecisionRecalled {
        /// What followed.
        course: Course,
        /// When it was decided.
        decided: Tick,
    },
    /// Data was bought.
    Bought(Box<Purchase>),
    /// Data was wanted and not bought, or paid for and not served.
    Unbought(Box<Missed>),
    /// V-003. No own spending is open, and the vault holds something else than these books: an alarm.
    LedgerDiffers {
        /// Where.
        partition: Partition,
        /// By the agent's own books.
        ours: Usdc,
        /// On chain.
        chain: Usdc,
    },
    /// M-067. A reflection that a model took part in is over.
    Reflected(Box<Reflection>),
    /// G-142. A model's distillation is over.
    Distilled {
        /// What it came to.
        distilled: Distilled,
        /// What it cost.
        cost: Usdc,
    },
    /// Something moved in the Daimon.
    Daimon(Box<DaimonEvent>),
    /// S-022, S-091. Something moved in what the Golem suffers.
    Suffering(Box<SufferingEvent>),
    /// Affect changed a decision.
    Swayed(Box<Swayed>),
    /// S-080. A place where much was suffered was entered.
    Anticipated(Box<Signal>),
    /// S-031, S-033. What every peer that can be reached is told of a crisis.
    CrisisTold(Box<PeerMessage>),
    /// D-221 to D-228. Something happened in its dreaming.
    Dream(Box<DreamEvent>),
    /// D-226. What a face is told of its dreaming.
    DreamStream(Box<StreamEvent>),
    /// D-193. Somebody or something woke it.
    DreamRoused(Box<Wake>),
    /// D-019, DG-23. The owner asked for a dream and there is none, for another reason than the four preconditions.
    DreamDeclined {
        /// Which.
        why: Rest,
    },
    /// D-168. A dream is over, whole or not, in numbers.
    Dreamt {
        /// What it came to.
        dreamt: Box<Dreamt>,
        /// What it cost.
        cost: Usdc,
    },
}

impl Event {
    /// R-050, M-171, M-176. The name in the structured telemetry; every event has one.
    #[must_use]
    pub const fn telemetry_name(&self) -> &'static str {
        match self {
            Self::Mortality(event) => event.telemetry_name(),
            Self::InputRefused { .. } => "golem.input_refused",
            Self::CommandRefused { .. } => "golem.command_refused",
            Self::EffectRefused { .. } => "golem.effect_refused",
            Self::OutcomeUnknown { .. } => "golem.outcome_unknown",
            Self::BudgetBreached { .. } => "golem.budget_breached",
            Self::EffectFailed { .. } => "golem.effect_failed",
            Self::InputDropped { .. } => "golem.input_dropped",
            Self::PredictionRegistered(_) => "golem.prediction_registered",
            Self::PredictionResolved { .. } => "golem.prediction_resolved",
            Self::WentBlind => "golem.blind",
            Self::SawAgain => "golem.saw_again",
            Self::OutcomeWithdrawn { .. } => "golem.outcome_withdrawn",
            Self::TradeForgone { .. } => "golem.trade_forgone",
            Self::DyingStage(DyingStage::Acceptance) => "golem.acceptance_entered",
            Self::DyingStage(DyingStage::Settlement) => "golem.settlement_started",
            Self::DyingStage(DyingStage::Reflection) => "golem.life_review_started",
            Self::DyingStage(DyingStage::Legacy) => "golem.legacy_started",
            Self::FellAsleep => "golem.fell_asleep",
            Self::Woke => "golem.woke",
            Self::DeathConcluded => "golem.death_complete",
            Self::Curated(_) => "golem.curator_cycle_complete",
            Self::Deliberated(_) => "golem.deliberated",
            Self::DecisionRecalled { .. } => "golem.decision_recalled",
            Self::Bought(_) => "golem.data_bought",
            Self::Unbought(missed) => match missed.why {
                Unbought::Cheated { .. } => "golem.data_cheated",
                _ => "golem.data_unbought",
            },
            Self::LedgerDiffers { .. } => "golem.ledger_differs",
            Self::Reflected(_) => "golem.reflected",
            Self::Distilled { .. } => "golem.distilled",
            Self::Daimon(event) => event.name(),
            Self::Suffering(event) => event.name(),
            Self::Swayed(_) => "daimon.influence",
            Self::Anticipated(_) => "suffering.anticipated",
            Self::CrisisTold(_) => "suffering.crisis_told",
            Self::Dream(event) => event.name(),
            Self::DreamStream(event) => event.name(),
            Self::DreamRoused(_) => "dream.roused",
            Self::DreamDeclined { .. } => "dream.declined",
            Self::Dreamt { .. } => "dream.over",
        }
    }
}

/// M-178. The four stages of a death, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DyingStage {
    /// Declared; nothing but the end is left.
    Acceptance,
    /// Positions become USDC.
    Settlement,
    /// The testament is written.
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
    /// G-155. A rule of the Grimoire says to leave this strategy alone in this regime.
    Counsel,
    /// S-030, S-129. What the Golem suffers closes it.
    Suffering(Band),
}

/// Why an input was not taken in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InputRefusal {
    /// Written by newer code.
    Version {
        /// Its version.
        got: u16,
    },
    /// Not the tick that is due.
    Tick {
        /// What is due.
        expected: Tick,
        /// What came.
        got: Tick,
    },
    /// A stage of this tick that is already over.
    Turn {
        /// The last stage.
        last: Turn,
        /// What came.
        got: Turn,
    },
    /// Nothing ticks a Golem whose death has begun.
    Dying,
    /// Nothing ticks the dead.
    Dead,
}

/// Why a command was not obeyed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommandRefusal {
    /// M-179. Its death has begun.
    Dying,
    /// It is dead.
    Dead,
    /// It is not dying.
    NotDying,
    /// It already sleeps, or already wakes.
    NoChange,
    /// M-145. In Terminal nothing is dreamed.
    TerminalDreamsNot,
}

/// Why an effect is not allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum EffectRefusal {
    /// The day's cap of its partition is reached.
    #[error("{partition:?} may spend no more today")]
    DailyCap {
        /// Which.
        partition: Partition,
    },
    /// Its partition cannot pay, what is already promised taken off.
    #[error("{partition:?} has {available} left, less than {budget}")]
    Unaffordable {
        /// Which.
        partition: Partition,
        /// What it can still promise.
        available: Usdc,
        /// What was asked.
        budget: Usdc,
    },
    /// M-032. Legacy pays for no operation.
    #[error("the legacy pays for no operation")]
    LegacyProtected,
    /// The day's spending or the phase forbids models.
    #[error("no model may be asked now")]
    NoModel,
    /// Too many effects are open.
    #[error("too many effects are open")]
    TooManyOpen,
}

/// What overflowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Dropped {
    /// Pairs of predictions and outcomes.
    Pairs,
    /// Results of trades.
    Trades,
    /// Events of the tick.
    Events,
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
