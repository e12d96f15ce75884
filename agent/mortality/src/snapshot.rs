//! When a life is written down, and what is in it (section 16 of the catalogue). Writing it is `bardo-lifespan`'s work.

use golem_primitives::{Ppm, Tick, Usdc};

use crate::control::WouldBeCause;
use crate::phase::Phase;

/// M-227. Ticks between insurance snapshots: 6 hours.
pub const INSURANCE_TICKS: u64 = 6 * Tick::PER_HOUR;
/// M-230. Ticks between death snapshots while Declining, unless the configuration says otherwise.
pub const DEATH_SNAPSHOT_TICKS: u64 = 50;
/// M-229. What an insurance snapshot costs, about.
pub const INSURANCE_COST: Usdc = Usdc::from_micros(10_000);

/// What is to be written on a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SnapshotsDue {
    /// An insurance snapshot.
    pub insurance: bool,
    /// A death snapshot.
    pub death: bool,
}

/// When the last of each was written. It knows nothing of the mode: an immortal Golem is insured too (M-231).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SnapshotClock {
    last_insurance: Tick,
    last_death: Option<Tick>,
}

impl SnapshotClock {
    /// What is due now; what is due counts as written. A death snapshot is due on entering Declining and every
    /// `death_interval` ticks from there; in another phase none is.
    pub fn tick(&mut self, now: Tick, phase: Phase, death_interval: u64) -> SnapshotsDue {
        let insurance = now.since(self.last_insurance) >= INSURANCE_TICKS;
        if insurance {
            self.last_insurance = now;
        }
        if phase != Phase::Declining {
            self.last_death = None;
            return SnapshotsDue { insurance, death: false };
        }
        let death = self.last_death.is_none_or(|last| now.since(last) >= death_interval.max(1));
        if death {
            self.last_death = Some(now);
        }
        SnapshotsDue { insurance, death }
    }
}

/// M-229. The stochastic clock since the last snapshot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StochasticSummary {
    /// Rolls made.
    pub checks: u64,
    /// The highest hazard.
    pub max_hazard: f64,
    /// Cumulative survival over the whole life.
    pub cumulative_survival: f64,
}

impl StochasticSummary {
    /// Before any roll.
    pub const NONE: Self = Self { checks: 0, max_hazard: 0.0, cumulative_survival: 1.0 };

    /// Takes a roll's hazard and the survival after it.
    pub fn record(&mut self, hazard: f64, cumulative_survival: f64) {
        self.checks = self.checks.saturating_add(1);
        self.max_hazard = self.max_hazard.max(hazard);
        self.cumulative_survival = cumulative_survival;
    }
}

/// M-229. What an insurance snapshot holds of mortality, beside the Grimoire and the PLAYBOOK by their digests.
#[derive(Debug, Clone, PartialEq)]
pub struct InsuranceSnapshot {
    /// When.
    pub tick: Tick,
    /// The state of the Grimoire.
    pub grimoire_digest: [u8; 32],
    /// The state of PLAYBOOK.md.
    pub playbook_digest: [u8; 32],
    /// Composite vitality.
    pub vitality: Ppm,
    /// Phase.
    pub phase: Phase,
    /// Fitness at each tick since the last snapshot.
    pub fitness_history: Vec<Ppm>,
    /// The stochastic clock since the last snapshot.
    pub stochastic: StochasticSummary,
    /// Pleasure, arousal and dominance.
    pub affect: [f64; 3],
    /// Whether and when it would have died, had it been mortal, and of what.
    pub would_have_died: Option<(Tick, WouldBeCause)>,
}

/// M-228. The snapshot a death is recovered from: the last one written before or on its tick. Snapshots ascend in tick.
#[must_use]
pub fn recovery_point(snapshots: &[InsuranceSnapshot], died: Tick) -> Option<&InsuranceSnapshot> {
    let after = snapshots.partition_point(|snapshot| snapshot.tick <= died);
    snapshots[..after].last()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(tick: u64) -> InsuranceSnapshot {
        InsuranceSnapshot {
            tick: Tick::new(tick),
            grimoire_digest: [1; 32],
            playbook_digest: [2; 32],
            vitality: Ppm::of(600_000),
            phase: Phase::Stable,
            fitness_history: vec![Ppm::of(500_000)],
            stochastic: StochasticSummary::NONE,
            affect: [0.0; 3],
            would_have_died: None,
        }
    }

    #[test]
    fn m_227_w_105_a_life_is_insured_every_540_ticks() {
        // M-227, W-105.
        assert_eq!(INSURANCE_TICKS, 540);
        let mut clock = SnapshotClock::default();
        let due: Vec<u64> = (1..=2_000)
            .filter(|t| clock.tick(Tick::new(*t), Phase::Thriving, DEATH_SNAPSHOT_TICKS).insurance)
            .collect();
        assert_eq!(due, [540, 1_080, 1_620]);
        // A process that slept through its hour writes at once and counts from there.
        assert!(clock.tick(Tick::new(9_999), Phase::Thriving, 50).insurance);
        assert!(!clock.tick(Tick::new(10_538), Phase::Thriving, 50).insurance);
    }

    #[test]
    fn m_228_a_death_loses_at_most_six_hours() {
        // M-228.
        let snapshots: Vec<_> = [540, 1_080].map(snapshot).into();
        let at = |died| recovery_point(&snapshots, Tick::new(died)).map(|s| s.tick.get());
        assert_eq!(
            [at(539), at(540), at(1_079), at(1_080), at(1_619)],
            [None, Some(540), Some(540), Some(1_080), Some(1_080)]
        );
    }

    #[test]
    fn m_229_the_stochastic_summary_keeps_count_maximum_and_survival() {
        // M-229.
        let mut summary = StochasticSummary::NONE;
        for (hazard, survival) in [(1e-6, 0.999_999), (3e-6, 0.999_996), (2e-6, 0.999_994)] {
            summary.record(hazard, survival);
        }
        assert_eq!(summary, StochasticSummary { checks: 3, max_hazard: 3e-6, cumulative_survival: 0.999_994 });
        assert_eq!(INSURANCE_COST.to_string(), "0.01 USDC");
        let flagged = InsuranceSnapshot {
            would_have_died: Some((Tick::new(7), WouldBeCause::Economic)),
            stochastic: summary,
            ..snapshot(540)
        };
        assert_ne!(flagged, snapshot(540));
    }

    #[test]
    fn m_230_death_snapshots_every_fifty_ticks_while_declining() {
        // M-230, C-46.
        let mut clock = SnapshotClock::default();
        let phase = |t: u64| if (100..=220).contains(&t) { Phase::Declining } else { Phase::Conservation };
        let due: Vec<u64> = (1..=300).filter(|t| clock.tick(Tick::new(*t), phase(*t), 50).death).collect();
        assert_eq!(due, [100, 150, 200]);
        assert!(clock.tick(Tick::new(301), Phase::Declining, 0).death, "an interval of nothing is one tick");
    }

    #[test]
    fn m_231_an_immortal_golem_is_insured_too() {
        // M-231: its phase is locked to Thriving.
        let mut clock = SnapshotClock::default();
        let due = clock.tick(Tick::new(540), crate::control::IMMORTAL.phase, DEATH_SNAPSHOT_TICKS);
        assert_eq!(due, SnapshotsDue { insurance: true, death: false });
        assert!(crate::control::IMMORTAL.faculties.contains(&crate::control::Faculty::Snapshots));
    }
}
