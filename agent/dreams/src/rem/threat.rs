//! Threats: which there are, which are due, and in what order they are rehearsed.

use std::collections::BTreeMap;
use std::time::Duration;

use golem_daimon::trigger::ThreatTier;
use golem_primitives::{Bps, Ppm, UtcTime, words};

use crate::inputs::Frozen;

words! {
    /// D-128, D-129. Fifteen kinds in three tiers.
    ThreatKind {
        /// More than a fifth in minutes.
        FlashCrash = "flash_crash",
        ContractExploit = "contract_exploit",
        CascadingLiquidation = "cascading_liquidation",
        RugPull = "rug_pull",
        OracleManipulation = "oracle_manipulation",
        Sandwich = "sandwich",
        ImpermanentLoss = "impermanent_loss_spike",
        GasWar = "gas_war",
        LiquidityWithdrawal = "liquidity_withdrawal",
        Regulation = "regulatory_action",
        YieldCompression = "yield_compression",
        FeeChange = "fee_change",
        CorrelationShift = "correlation_shift",
        ConceptDrift = "concept_drift",
        MemoryPoisoning = "memory_poisoning",
    }
}

/// A shock in numbers, for rehearsing without a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shock {
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

/// D-133. When one kind of threat was last rehearsed: the cycle, and its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Rehearsal {
    pub cycle: u64,
    pub at: UtcTime,
}

/// When threats were rehearsed.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Rehearsals(pub BTreeMap<ThreatKind, Rehearsal>);

/// D-136. Cycles within which every threat of the first tier is rehearsed.
pub const ALL_WITHIN: u64 = 7;
/// D-131. Cycles between two rehearsals of the second tier.
const SECOND_TIER: u64 = 3;
/// D-131. Time between two of the third.
const THIRD_TIER: Duration = Duration::from_secs(7 * UtcTime::DAY_SECONDS);

impl Rehearsals {
    /// D-131. Whether a kind is due: the first tier in every cycle, the second in every third, the third weekly.
    #[must_use]
    pub fn is_due(&self, kind: ThreatKind, cycle: u64, now: UtcTime) -> bool {
        let Some(last) = self.0.get(&kind) else { return true };
        match kind.tier() {
            ThreatTier::One => true,
            ThreatTier::Two => cycle.saturating_sub(last.cycle) >= SECOND_TIER,
            ThreatTier::Three => now.since(last.at) >= THIRD_TIER,
        }
    }

    /// D-133. After a rehearsal in a cycle.
    pub fn rehearsed(&mut self, kind: ThreatKind, cycle: u64, at: UtcTime) {
        self.0.insert(kind, Rehearsal { cycle, at });
    }

    /// Cycles since a kind was rehearsed; `None` when it never was.
    fn since(&self, kind: ThreatKind, cycle: u64) -> Option<u64> {
        self.0.get(&kind).map(|last| cycle.saturating_sub(last.cycle))
    }

    /// D-130. What decides which threat comes first: `0.25 severity + 0.20 staleness`, whole after seven cycles.
    #[must_use]
    pub fn priority(&self, kind: ThreatKind, cycle: u64) -> Ppm {
        let since = self.since(kind, cycle).unwrap_or(ALL_WITHIN);
        Ppm::round(0.25 * kind.severity().as_f64() + 0.20 * (since as f64 / ALL_WITHIN as f64).min(1.0))
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Pheromone {
    pub kind: ThreatKind,
    /// How much it concerns this Golem.
    pub relevance: Ppm,
    pub strength: Ppm,
}

/// D-134. Something that protects: it speaks when a number passes its threshold.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
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
            let since = frozen.rehearsals.since(kind, cycle).unwrap_or(u64::MAX);
            let is_first = kind.tier() == ThreatTier::One;
            let times = if is_first { regime_multiplier(frozen.volatility, frozen.is_thin) } else { 1 };
            let weight = u64::from(frozen.rehearsals.priority(kind, cycle).get()) * u64::from(times);
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
