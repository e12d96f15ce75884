//! What happened in a pass, for whoever watches.

use golem_primitives::{EffectId, GolemId, PoolName, Ppm, Tick, Usdc};
use serde::{Deserialize, Serialize};

use crate::ledger::LedgerLine;

use super::{
    Acknowledged, CommandRefusal, Course, Curated, DaimonEvent, Deliberated, Distilled, DreamEvent, Dreamt, Dropped,
    DyingStage, EffectKind, EffectRefusal, Forgone, InformationReading, InputRefusal, LinkChange, MarketStain, Missed,
    Order, Partition, PeerMessage, PhageReport, Prediction, PurchaseMade, Received, Reflection, Rest, RuleChange,
    Scent, SiblingCrisis, SiblingRule, Signal, StreamEvent, SufferingEvent, Swayed, Unbought, Verdict, Wake,
};

/// P-070. Who had the record searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Searcher {
    Owner,
    Dream,
    /// P-073. The Curator, who goes over counted trips.
    Curator,
    /// P-074. A model, who looked back at misses.
    Model,
    /// P-075. A sibling, who acts by them.
    Sibling,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    Mortality(golem_mortality::event::LawEvent),
    /// An input was not taken in; the life is as it was.
    InputRefused {
        reason: InputRefusal,
    },
    CommandRefused {
        reason: CommandRefusal,
    },
    /// An effect was wanted and not allowed.
    EffectRefused {
        kind: EffectKind,
        reason: EffectRefusal,
    },
    /// An outcome came for an effect nobody waits for.
    OutcomeUnknown {
        effect: EffectId,
    },
    /// An effect cost more than it was allowed; the cost stands, the breach is told.
    BudgetBreached {
        effect: EffectId,
        cost: Usdc,
        budget: Usdc,
    },
    EffectFailed {
        effect: EffectId,
        reason: String,
    },
    /// More came in a tick than a tick can hold.
    InputDropped {
        what: Dropped,
    },
    /// Something was said of the future.
    PredictionRegistered(Prediction),
    /// The future came.
    PredictionResolved {
        prediction: Prediction,
        verdict: Verdict,
    },
    /// The chain cannot be seen; nothing is done until it can.
    WentBlind,
    /// The chain can be seen again.
    SawAgain,
    /// A reorganisation took an outcome back.
    OutcomeWithdrawn {
        effect: EffectId,
    },
    /// M-081. A trade landed: what it is in the ledger.
    Traded {
        order: Order,
        line: Box<LedgerLine>,
    },
    TradeForgone {
        order: Order,
        reason: Forgone,
    },
    /// P-021. A rule wanted to enter and does not promise what going in and out again costs.
    EntryForgone {
        /// P-057. In which pool.
        pool: PoolName,
        rule: String,
        /// What it expects, in millionths of the stake.
        expected_ppm: i64,
        /// What a round trip costs now, as often over as its mood asks for, in the same.
        needed_ppm: i64,
    },
    /// P-034. A guard in force began to take away from what the book wants.
    GuardCut {
        /// P-057. In which pool.
        pool: PoolName,
        rule: String,
        /// What the book wanted to stand, as a share of its budget.
        wanted: Ppm,
        left: Ppm,
    },
    /// P-057. Its owner opened a pool, and it trades there from now on.
    PoolTakenUp {
        pool: PoolName,
    },
    /// P-057. Its owner closed a pool, nothing is held there, and it trades there no more.
    PoolLeft {
        pool: PoolName,
    },
    /// P-048. What a rule may move has changed, with the numbers that decided.
    Rule(Box<RuleChanged>),
    /// P-070. The record was searched.
    BookSearched {
        by: Searcher,
        /// Rules that are now tried as candidates.
        staged: u32,
    },
    /// P-071. Threats were rehearsed in a dream.
    BookRehearsed {
        /// Guards that are now tried as candidates.
        guards: u32,
    },
    /// G-015, G-132. What follows what was learnt, or contradicted by later looks.
    LinkCounted {
        pool: PoolName,
        change: LinkChange,
    },
    /// M-264. How much what is seen tells of what comes.
    InformationRead {
        pool: PoolName,
        /// In bits.
        reading: InformationReading,
    },
    /// G-100. The market has come to look like one that its line died of: what is entered is half.
    DeathRecalled {
        pool: PoolName,
        stain: Box<MarketStain>,
    },
    /// P-079, M-244. A phage is at its end and answers its hypothesis.
    PhageEnded {
        pool: PoolName,
        report: Box<PhageReport>,
    },
    /// M-176. The death protocol entered a stage.
    DyingStage(DyingStage),
    FellAsleep,
    Woke,
    /// T-004, M-191. What the owner received, and why anything was left in kind.
    OwnerReceived(Box<Received>),
    DeathConcluded,
    /// G-195. A Curator cycle is complete.
    Curated(Curated),
    /// M-139, R-032. A deliberation is over.
    Deliberated(Box<Deliberated>),
    /// G-002. A model would have been asked, and what one advised before answered.
    DecisionRecalled {
        course: Course,
        decided: Tick,
    },
    /// Data was bought.
    Bought(Box<PurchaseMade>),
    /// Data was wanted and not bought, or paid for and not served.
    Unbought(Box<Missed>),
    /// V-003. No own spending is open, and the vault holds something else than these books: an alarm.
    LedgerDiffers {
        partition: Partition,
        /// By the agent's own books.
        ours: Usdc,
        chain: Usdc,
    },
    /// V-014. No trade is on its way, and the vault's books of the capital say something else than the ledger: an alarm.
    CapitalDiffers {
        /// By the ledger.
        ours: Usdc,
        chain: Usdc,
    },
    /// V-003, R-021. While the books differ from the vault nobody is paid and nothing is entered. What is held may be left,
    /// reports go on, and gas is bought for both.
    PaymentsPaused,
    /// V-003. The books agree with the vault again, or began anew.
    PaymentsResumed,
    /// M-067. A reflection that a model took part in is over.
    Reflected(Box<Reflection>),
    /// G-142. A model's distillation is over.
    Distilled {
        distilled: Distilled,
        cost: Usdc,
    },
    /// Something moved in the Daimon.
    Daimon(Box<DaimonEvent>),
    /// S-022, S-091. Something moved in what the Golem suffers.
    Suffering(Box<SufferingEvent>),
    /// Affect changed a decision.
    Swayed(Box<Swayed>),
    /// S-080. A place where much was suffered is about to be entered.
    Anticipated(Box<Signal>),
    /// S-031, S-033. What every peer that can be reached is told of a crisis.
    CrisisTold(Box<PeerMessage>),
    /// S-031, S-034. A sibling told of its crisis.
    SiblingCrisis(Box<SiblingCrisis>),
    /// P-075. A sibling told of a rule it acts by.
    SiblingRule(Box<SiblingRule>),
    /// M-241. A control that could not die can from here on.
    BecameMortal,
    /// I-122. What a sibling says keeps turning out wrong here.
    SiblingDiverges {
        golem: GolemId,
        checks: u32,
        refuted: u32,
    },
    /// P-075. A sibling's rule came to move money here, or its own trips refuted it.
    SiblingRuleJudged {
        golem: GolemId,
        rule: String,
        /// Whether it moves money.
        is_upheld: bool,
    },
    /// I-326. A sign came into the air that was not there, or one more confirmed it.
    SignSensed(Scent),
    /// A sibling tried what this life had shared, and tells what became of it.
    Acknowledged(Box<Acknowledged>),
    /// D-221 to D-228. Something happened in its dreaming.
    Dream(Box<DreamEvent>),
    /// D-226. What a face is told of its dreaming.
    DreamStream(Box<StreamEvent>),
    /// D-193. Somebody or something woke it.
    DreamRoused(Box<Wake>),
    /// D-019, DG-23. The owner asked for a dream and there is none, for another reason than the four preconditions.
    DreamDeclined {
        why: Rest,
    },
    /// D-168. A dream is over, whole or not, in numbers.
    Dreamt {
        dreamt: Box<Dreamt>,
        cost: Usdc,
    },
}

/// P-048. One change of one rule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RuleChanged {
    /// P-057. The pool it is tried in.
    pub pool: PoolName,
    pub rule: String,
    /// Its number as it was staged.
    pub number: u64,
    pub change: RuleChange,
    /// D-171. Whether a dream of this life staged it.
    pub is_dreamt: bool,
}

impl RuleChanged {
    /// D-171, D-229. Of a rule that was dreamt: whether it came to move money, or its own trips or alarms refuted it.
    #[must_use]
    pub const fn dream_outcome(&self) -> Option<bool> {
        match self.change {
            RuleChange::OnTrial { .. } if self.is_dreamt => Some(true),
            RuleChange::Refuted { .. } | RuleChange::Withdrawn { .. } if self.is_dreamt => Some(false),
            _ => None,
        }
    }
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
            Self::Traded { .. } => "golem.traded",
            Self::TradeForgone { .. } => "golem.trade_forgone",
            Self::EntryForgone { .. } => "golem.entry_forgone",
            Self::GuardCut { .. } => "golem.guard_cut",
            Self::PoolTakenUp { .. } => "golem.pool_taken_up",
            Self::PoolLeft { .. } => "golem.pool_left",
            Self::Rule(changed) => match changed.change {
                RuleChange::Staged { .. } => "golem.rule_staged",
                RuleChange::OnTrial { .. } => "golem.rule_on_trial",
                RuleChange::Promoted { .. } => "golem.rule_promoted",
                RuleChange::Rested { .. } => "golem.rule_rested",
                RuleChange::Withdrawn { .. } => "golem.rule_withdrawn",
                RuleChange::Woken { .. } => "golem.rule_woken",
                RuleChange::MadeRoom { .. } => "golem.rule_left",
                RuleChange::Refused { .. } => "golem.rule_refused",
                RuleChange::Refuted { .. } => "golem.rule_refuted",
                RuleChange::Approved => "golem.rule_approved",
                RuleChange::Rejected => "golem.rule_rejected",
            },
            Self::BookSearched { .. } => "golem.book_searched",
            Self::BookRehearsed { .. } => "golem.book_rehearsed",
            Self::LinkCounted { .. } => "golem.link_counted",
            Self::InformationRead { .. } => "golem.information_read",
            Self::DeathRecalled { .. } => "golem.death_recalled",
            Self::PhageEnded { .. } => "golem.phage_ended",
            Self::DyingStage(DyingStage::Acceptance) => "golem.acceptance_entered",
            Self::DyingStage(DyingStage::Settlement) => "golem.settlement_started",
            Self::DyingStage(DyingStage::Reflection) => "golem.life_review_started",
            Self::DyingStage(DyingStage::Legacy) => "golem.legacy_started",
            Self::FellAsleep => "golem.fell_asleep",
            Self::Woke => "golem.woke",
            Self::OwnerReceived(_) => "golem.owner_received",
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
            Self::CapitalDiffers { .. } => "golem.capital_differs",
            Self::PaymentsPaused => "golem.payments_paused",
            Self::PaymentsResumed => "golem.payments_resumed",
            Self::Reflected(_) => "golem.reflected",
            Self::Distilled { .. } => "golem.distilled",
            Self::Daimon(event) => event.name(),
            Self::Suffering(event) => event.name(),
            Self::Swayed(_) => "daimon.influence",
            Self::Anticipated(_) => "suffering.anticipated",
            Self::CrisisTold(_) => "suffering.crisis_told",
            Self::SiblingCrisis(_) => "suffering.sibling_crisis",
            Self::SiblingRule(_) => "clade.rule_heard",
            Self::BecameMortal => "golem.became_mortal",
            Self::SiblingDiverges { .. } => "clade.sibling_diverges",
            Self::SiblingRuleJudged { .. } => "clade.rule_judged",
            Self::SignSensed(_) => "clade.sign_sensed",
            Self::Acknowledged(_) => "clade.acknowledged",
            Self::Dream(event) => event.name(),
            Self::DreamStream(event) => event.name(),
            Self::DreamRoused(_) => "dream.roused",
            Self::DreamDeclined { .. } => "dream.declined",
            Self::Dreamt { .. } => "dream.over",
        }
    }
}
