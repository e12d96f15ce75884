//! Threats: which there are, which are due, and in what order they are rehearsed.

use std::collections::BTreeMap;
use std::time::Duration;

use golem_daimon::trigger::ThreatTier;
use golem_primitives::{Bps, Ppm, UtcTime, words};

use crate::inputs::Frozen;

words! {
    /// D-128, D-129. Fifteen kinds in three tiers.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
    ThreatKind {
        /// More than a fifth in minutes.
        FlashCrash = "flash_crash",
        /// A contract is emptied.
        ContractExploit = "contract_exploit",
        /// Liquidations that cause liquidations.
        CascadingLiquidation = "cascading_liquidation",
        /// A project takes the money.
        RugPull = "rug_pull",
        /// A price that is not the price.
        OracleManipulation = "oracle_manipulation",
        /// Someone trades before and behind.
        Sandwich = "sandwich",
        /// Liquidity provided loses against holding.
        ImpermanentLoss = "impermanent_loss_spike",
        /// Everyone wants the next block.
        GasWar = "gas_war",
        /// Providers leave.
        LiquidityWithdrawal = "liquidity_withdrawal",
        /// A rule is made.
        Regulation = "regulatory_action",
        /// Yield falls.
        YieldCompression = "yield_compression",
        /// A fee changes.
        FeeChange = "fee_change",
        /// What moved together no longer does.
        CorrelationShift = "correlation_shift",
        /// What was learnt no longer holds.
        ConceptDrift = "concept_drift",
        /// Someone teaches falsehoods.
        MemoryPoisoning = "memory_poisoning",
    }
}

/// A shock in numbers, for rehearsing without a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shock {
    /// What the price does.
    pub price: Bps,
    /// What is left of liquidity.
    pub liquidity: Ppm,
    /// What gas costs, as a multiple.
    pub gas_times: u32,
}

impl ThreatKind {
    /// D-129. Its tier.
    #[must_use]
    pub const fn tier(self) -> ThreatTier {
        match self {
            Self::FlashCrash
            | Self::ContractExploit
            | Self::CascadingLiquidation
            | Self::RugPull
            | Self::OracleManipulation => ThreatTier::One,
            Self::Sandwich | Self::ImpermanentLoss | Self::GasWar | Self::LiquidityWithdrawal | Self::Regulation => {
                ThreatTier::Two
            }
            Self::YieldCompression
            | Self::FeeChange
            | Self::CorrelationShift
            | Self::ConceptDrift
            | Self::MemoryPoisoning => ThreatTier::Three,
        }
    }

    /// How bad it is, by tier.
    #[must_use]
    pub const fn severity(self) -> Ppm {
        match self.tier() {
            ThreatTier::One => Ppm::ONE,
            ThreatTier::Two => Ppm::of(600_000),
            ThreatTier::Three => Ppm::of(300_000),
        }
    }

    /// D-137. Whether somebody does it on purpose.
    #[must_use]
    pub const fn is_adversarial(self) -> bool {
        matches!(
            self,
            Self::ContractExploit | Self::RugPull | Self::OracleManipulation | Self::Sandwich | Self::MemoryPoisoning
        )
    }

    /// The shock it is rehearsed as by rules; `None` for what only a story can tell.
    #[must_use]
    pub fn shock(self) -> Option<Shock> {
        let shock = |price: i32, liquidity, gas_times| {
            Some(Shock { price: Bps::from(price), liquidity: Ppm::of(liquidity), gas_times })
        };
        match self {
            Self::FlashCrash => shock(-2_500, 500_000, 5),
            Self::ContractExploit | Self::RugPull => shock(-10_000, 0, 5),
            Self::CascadingLiquidation => shock(-3_000, 300_000, 10),
            Self::OracleManipulation => shock(-1_500, 1_000_000, 1),
            Self::Sandwich => shock(-200, 1_000_000, 1),
            Self::ImpermanentLoss => shock(-500, 1_000_000, 1),
            Self::GasWar => shock(0, 1_000_000, 10),
            Self::LiquidityWithdrawal => shock(0, 100_000, 1),
            Self::Regulation => shock(-1_000, 800_000, 1),
            Self::FeeChange => shock(-50, 1_000_000, 1),
            Self::CorrelationShift => shock(-500, 1_000_000, 1),
            Self::YieldCompression | Self::ConceptDrift | Self::MemoryPoisoning => None,
        }
    }
}

/// D-130. What decides which threat comes first, each in [0, 1].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Urgencies {
    /// Whether it was suffered lately.
    pub loss: f64,
    /// How likely it is.
    pub probability: f64,
    /// How bad.
    pub severity: f64,
    /// How long since it was rehearsed.
    pub stale: f64,
}

impl Urgencies {
    /// D-130. `0.30 loss + 0.25 probability + 0.25 severity + 0.20 staleness`.
    #[must_use]
    pub fn priority(&self) -> Ppm {
        Ppm::round(0.30 * self.loss + 0.25 * self.probability + 0.25 * self.severity + 0.20 * self.stale)
    }
}

/// What is remembered of one kind of threat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rehearsal {
    /// The cycle of the last rehearsal, and its time.
    pub last: Option<(u64, UtcTime)>,
    /// How often.
    pub times: u32,
    /// The cycle behind which a real loss of this kind came.
    pub suffered: Option<u64>,
    /// How often its guard spoke.
    pub activations: u32,
    /// And was wrong.
    pub false_alarms: u32,
    /// And was right.
    pub true_positives: u32,
}

/// Everything remembered of threats.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rehearsals(pub BTreeMap<ThreatKind, Rehearsal>);

/// D-131. Cycles for which a real loss doubles a frequency.
pub const AFTER_LOSS: u64 = 5;
/// D-136. Cycles within which every threat of the first tier is rehearsed.
pub const ALL_WITHIN: u64 = 7;
/// D-131. Cycles between two rehearsals of the second tier.
const SECOND_TIER: u64 = 3;
/// D-131. Time between two of the third.
const THIRD_TIER: Duration = Duration::from_secs(7 * UtcTime::DAY_SECONDS);
/// D-136. Share of false alarms above which guards are looked at.
pub const FALSE_ALARMS: Ppm = Ppm::of(300_000);

impl Rehearsals {
    /// What is remembered of a kind.
    #[must_use]
    pub fn of(&self, kind: ThreatKind) -> Rehearsal {
        self.0.get(&kind).copied().unwrap_or_default()
    }

    /// D-131. Whether a loss of this kind is recent enough to double its frequency.
    #[must_use]
    pub fn is_doubled(&self, kind: ThreatKind, cycle: u64) -> bool {
        self.of(kind).suffered.is_some_and(|at| cycle.saturating_sub(at) <= AFTER_LOSS)
    }

    /// D-131. Whether a kind is due: the first tier in every cycle, the second in every third, the third weekly; twice as
    /// often after a real loss.
    #[must_use]
    pub fn is_due(&self, kind: ThreatKind, cycle: u64, now: UtcTime) -> bool {
        let halves = if self.is_doubled(kind, cycle) { 2 } else { 1 };
        let Some((last, at)) = self.of(kind).last else { return true };
        match kind.tier() {
            ThreatTier::One => true,
            ThreatTier::Two => cycle.saturating_sub(last) >= SECOND_TIER / halves,
            ThreatTier::Three => now.since(at) >= THIRD_TIER / u32::try_from(halves).unwrap_or(1),
        }
    }

    /// D-136. The share of alarms that were false, and whether it is too large; `None` when there was none.
    #[must_use]
    pub fn false_alarms(&self) -> Option<(Ppm, bool)> {
        let sum = |part: fn(&Rehearsal) -> u32| self.0.values().map(part).map(u64::from).sum::<u64>();
        let (wrong, all) = (sum(|one| one.false_alarms), sum(|one| one.activations));
        let share = Ppm::saturating((wrong * 1_000_000).checked_div(all)?);
        Some((share, share >= FALSE_ALARMS))
    }

    /// D-136, D-133. After a rehearsal in a cycle.
    pub fn rehearsed(&mut self, kind: ThreatKind, cycle: u64, now: UtcTime) {
        let one = self.0.entry(kind).or_default();
        one.last = Some((cycle, now));
        one.times = one.times.saturating_add(1);
    }
}

/// D-132. How much more the first tier counts: volatile or thin twice, both three times.
#[must_use]
pub const fn regime_multiplier(volatility: u8, is_thin: bool) -> u32 {
    match (volatility >= 4, is_thin) {
        (true, true) => 3,
        (true, false) | (false, true) => 2,
        (false, false) => 1,
    }
}

/// D-138. What siblings warn of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pheromone {
    /// Of what.
    pub kind: ThreatKind,
    /// How much it concerns this Golem.
    pub relevance: Ppm,
    /// What is left of it.
    pub strength: Ppm,
}

/// D-134. Something that protects: it speaks when a number passes its threshold.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Guard {
    /// The asset whose fall it watches.
    pub asset: String,
    /// From which fall on it speaks, as a positive number.
    pub threshold: Bps,
}

/// D-128 to D-138. Which threats this cycle rehearses, in their order: what siblings warn of by remaining strength, then
/// what the first tier has not rehearsed for six cycles, then by priority, with the first tier multiplied in a dangerous
/// market. Names break ties.
#[must_use]
pub fn plan(frozen: &Frozen, most: usize, adversarial: bool) -> Vec<ThreatKind> {
    let cycle = frozen.cycle.0;
    let may = |kind: &ThreatKind| adversarial || !kind.is_adversarial();
    let mut warned: Vec<&Pheromone> =
        frozen.pheromones.iter().filter(|one| one.relevance > Ppm::of(500_000) && may(&one.kind)).collect();
    warned.sort_by_key(|one| (std::cmp::Reverse(one.strength), one.kind));
    let mut due: Vec<(bool, u64, ThreatKind)> = ThreatKind::ALL
        .iter()
        .copied()
        .filter(|kind| may(kind) && frozen.rehearsals.is_due(*kind, cycle, frozen.opened.at))
        .map(|kind| {
            let since = frozen.rehearsals.of(kind).last.map_or(u64::MAX, |(last, _)| cycle.saturating_sub(last));
            let is_first = kind.tier() == ThreatTier::One;
            let times = if is_first { regime_multiplier(frozen.volatility, frozen.is_thin) } else { 1 };
            let weight = u64::from(urgencies(frozen, kind).priority().get()) * u64::from(times);
            (is_first && since >= ALL_WITHIN - 1, weight, kind)
        })
        .collect();
    due.sort_by_key(|(overdue, weight, kind)| (std::cmp::Reverse(*overdue), std::cmp::Reverse(*weight), *kind));
    let mut chosen: Vec<ThreatKind> = Vec::new();
    for kind in warned.into_iter().map(|one| one.kind).chain(due.into_iter().map(|(_, _, kind)| kind)) {
        if !chosen.contains(&kind) && chosen.len() < most {
            chosen.push(kind);
        }
    }
    chosen
}

/// D-130. The numbers of a kind as they stand: a recent loss of it, how often such losses came, how bad it is, and how
/// long since it was rehearsed, whole after seven cycles.
#[must_use]
pub fn urgencies(frozen: &Frozen, kind: ThreatKind) -> Urgencies {
    let rehearsal = frozen.rehearsals.of(kind);
    let since = rehearsal.last.map_or(ALL_WITHIN, |(last, _)| frozen.cycle.0.saturating_sub(last));
    let seen = rehearsal.true_positives.saturating_add(u32::from(rehearsal.suffered.is_some()));
    Urgencies {
        loss: if frozen.rehearsals.is_doubled(kind, frozen.cycle.0) { 1.0 } else { 0.0 },
        probability: f64::from(seen) / f64::from(seen + 4),
        severity: kind.severity().as_f64(),
        stale: (since as f64 / ALL_WITHIN as f64).min(1.0),
    }
}
