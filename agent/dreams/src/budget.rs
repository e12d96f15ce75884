//! Money for dreams: caps, grants, and how a cycle's grant is split.

use golem_mortality::phase::Phase;
use golem_primitives::{Ppm, Usdc, UtcTime};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::words::{DreamPhase, DreamTier};

/// D-199, D-232. What dreams may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Caps {
    /// One cycle; hardened only.
    pub per_cycle: Usdc,
    /// One window; hardened only.
    pub per_session: Usdc,
    /// One calendar month, both tiers, hard.
    pub per_month: Usdc,
}

impl Default for Caps {
    fn default() -> Self {
        Self { per_cycle: Usdc::from_micros(500_000), per_session: Usdc::whole(2), per_month: Usdc::whole(15) }
    }
}

/// D-233. An owner's split of what lies between onset and return.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct CoreSplit {
    pub nrem: Ppm,
    pub rem: Ppm,
    pub integration: Ppm,
}

impl CoreSplit {
    /// All three together, in parts per million.
    #[must_use]
    pub fn sum(&self) -> u64 {
        [self.nrem, self.rem, self.integration].iter().map(|part| u64::from(part.get())).sum()
    }
}

/// D-046, D-047. Percent of a cycle's budget by vital phase: onset, NREM, REM, Integration, return. The row of Terminal
/// serves the emergency cycle alone (C2).
#[must_use]
pub const fn percents(phase: Phase) -> [u32; 5] {
    match phase {
        Phase::Thriving => [10, 34, 30, 21, 5],
        Phase::Stable => [10, 30, 30, 25, 5],
        Phase::Conservation => [10, 25, 20, 40, 5],
        Phase::Declining => [10, 20, 16, 49, 5],
        Phase::Terminal => [10, 16, 12, 57, 5],
    }
}

/// The budget of each phase of a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Split {
    parts: [Usdc; 5],
}

impl Split {
    /// D-046, C1. Splits a grant by the table of the vital phase, or by the owner's split of the 85%. Each part is rounded
    /// down; what rounding leaves goes to Integration, so that nothing is lost.
    #[must_use]
    pub fn of(grant: Usdc, phase: Phase, owner: Option<CoreSplit>) -> Self {
        const CORE: u64 = 85;
        let micros = u128::from(grant.micros());
        let percent = |percent: u32| micros * u128::from(percent) / 100;
        let [onset, nrem, rem, _, last] = percents(phase);
        let (nrem, rem) = match owner {
            None => (percent(nrem), percent(rem)),
            Some(split) => {
                let of = |share: Ppm| micros * u128::from(CORE) * u128::from(share.get()) / 100_000_000;
                (of(split.nrem), of(split.rem))
            }
        };
        let (onset, last) = (percent(onset), percent(last));
        let integration = micros - onset - nrem - rem - last;
        let usdc = |part: u128| Usdc::from_micros(u64::try_from(part).expect("a part of an amount"));
        Self { parts: [onset, nrem, rem, integration, last].map(usdc) }
    }

    /// What a phase may spend.
    #[must_use]
    pub const fn of_phase(&self, phase: DreamPhase) -> Usdc {
        self.parts[phase as usize]
    }
}

/// D-197. What a hardened Golem of a vital phase aims at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    /// Ticks a cycle takes, least and most.
    pub ticks: (u64, u64),
    /// Cycles in a window, least and most.
    pub cycles: (u32, u32),
    /// Money for a cycle, least and most.
    pub budget: (Usdc, Usdc),
}

impl Target {
    /// D-197, D-200. By vital phase; Terminal dreams of nothing, and what it would have spent stays with the death
    /// reserve.
    #[must_use]
    pub const fn of(phase: Phase) -> Self {
        let (ticks, cycles, (least, most)) = match phase {
            Phase::Thriving => ((30, 60), (3, 4), (500_000, 1_000_000)),
            Phase::Stable => ((20, 40), (2, 3), (300_000, 500_000)),
            Phase::Conservation => ((10, 20), (1, 2), (100_000, 200_000)),
            Phase::Declining => ((5, 10), (1, 1), (50_000, 100_000)),
            Phase::Terminal => ((0, 0), (0, 0), (0, 0)),
        };
        Self { ticks, cycles, budget: (Usdc::from_micros(least), Usdc::from_micros(most)) }
    }
}

/// D-006, C12. The most a lightweight cycle costs: the stated total is the cap, and the gap to the parts is the onset.
pub const CORE_CYCLE: Usdc = Usdc::from_micros(3_000);
/// D-008. What a full cycle is expected to cost, least and most.
pub const HARDENED_CYCLE: (Usdc, Usdc) = (Usdc::from_micros(200_000), Usdc::from_micros(450_000));

/// D-007, D-240. What dreaming is expected to cost in a month of 30 days, least and most: what an owner is told before
/// turning it on.
#[must_use]
pub fn monthly_estimate(tier: DreamTier, cycles_a_day: u32, caps: &Caps) -> (Usdc, Usdc) {
    let (least, most) = match tier {
        DreamTier::Core => (Usdc::from_micros(1_000), CORE_CYCLE),
        DreamTier::Hardened => HARDENED_CYCLE,
    };
    let month = |cycle: Usdc| {
        Usdc::from_micros(cycle.micros().saturating_mul(u64::from(cycles_a_day)).saturating_mul(30)).min(caps.per_month)
    };
    (month(least), month(most))
}

/// What was spent on dreams so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct DreamLedger {
    pub session: Usdc,
    pub month: Usdc,
    /// Year and month in UTC, as `year * 12 + month - 1`.
    pub month_number: u32,
}

/// The month of a moment in UTC.
fn month_number(now: UtcTime) -> u32 {
    let seconds = i64::try_from(now.seconds()).expect("UtcTime ends in year 9999");
    let moment = Timestamp::from_second(seconds).expect("UtcTime ends before jiff does");
    let date = TimeZone::UTC.to_datetime(moment).date();
    let positive = |value: i16| u32::try_from(value).expect("UtcTime begins in 1970");
    positive(date.year()) * 12 + positive(i16::from(date.month())) - 1
}

impl DreamLedger {
    /// The same at `now`: a new month begins at nothing.
    #[must_use]
    pub fn at(self, now: UtcTime) -> Self {
        let number = month_number(now);
        if number == self.month_number { self } else { Self { month: Usdc::ZERO, month_number: number, ..self } }
    }

    /// The same in a new window.
    #[must_use]
    pub const fn new_session(self) -> Self {
        Self { session: Usdc::ZERO, ..self }
    }

    /// After `cost` was spent at `now`.
    #[must_use]
    pub fn spend(self, cost: Usdc, now: UtcTime) -> Self {
        let at = self.at(now);
        Self { session: at.session.saturating_add(cost), month: at.month.saturating_add(cost), ..at }
    }

    /// D-009, D-199, C14. What the next cycle may cost: the least of what the vital phase asks for, the cap of a cycle,
    /// what is left of the window's and of the month's. A lightweight cycle knows only its own total and the month.
    #[must_use]
    pub fn grant(&self, tier: DreamTier, phase: Phase, caps: &Caps, now: UtcTime) -> Usdc {
        let at = self.at(now);
        let month = caps.per_month.saturating_sub(at.month);
        match tier {
            _ if phase == Phase::Terminal => Usdc::ZERO,
            DreamTier::Core => CORE_CYCLE.min(month),
            DreamTier::Hardened => {
                let asked = Target::of(phase).budget.1;
                asked.min(caps.per_cycle).min(caps.per_session.saturating_sub(at.session)).min(month)
            }
        }
    }
}

/// D-012, M-135. What dreams may take of what is left for inference this period once trading has what it needs: at most the
/// phase's share of the whole, of which they spent some already, and nothing where trading needs all of it.
#[must_use]
pub fn share_of_inference(left: Usdc, trading_needs: Usdc, spent: Usdc, share: Ppm) -> Usdc {
    let most = left.saturating_add(spent).share_down(share);
    left.saturating_sub(trading_needs).min(most.saturating_sub(spent))
}
