//! Milestones of falling credits. They advise; none of them kills or sets a phase (C-02, C-03).

use golem_primitives::Ppm;

/// M-043. A rung of the credit ladder, reached at or below its share of the spendable credits at birth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rung {
    /// 30%: a notice to conserve.
    ConservationNotice,
    /// 25%: the moment death snapshots would begin by credits alone (the phase decides, C-46).
    DeathSnapshots,
    /// 20%: monitor only.
    MonitorOnly,
    /// 15%: prepare for death; the contemplative interval; the feed option.
    DeathPreparation,
    /// 5%: the hard stop is near.
    HardStopNotice,
}

/// M-043. Rungs from the highest.
pub const LADDER: [(Rung, Ppm); 5] = [
    (Rung::ConservationNotice, Ppm::of(300_000)),
    (Rung::DeathSnapshots, Ppm::of(250_000)),
    (Rung::MonitorOnly, Ppm::of(200_000)),
    (Rung::DeathPreparation, Ppm::of(150_000)),
    (Rung::HardStopNotice, Ppm::of(50_000)),
];

impl Rung {
    /// The lowest rung reached at that share of credits.
    #[must_use]
    pub fn reached(credits: Ppm) -> Option<Self> {
        LADDER.iter().rev().find(|(_, edge)| credits <= *edge).map(|(rung, _)| *rung)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// M-018, M-043.
    #[test]
    fn m_043_the_ladder_is_monotone() {
        for (parts, rung) in [
            (300_001, None),
            (300_000, Some(Rung::ConservationNotice)),
            (250_000, Some(Rung::DeathSnapshots)),
            (200_000, Some(Rung::MonitorOnly)),
            (150_000, Some(Rung::DeathPreparation)),
            (50_001, Some(Rung::DeathPreparation)),
            (50_000, Some(Rung::HardStopNotice)),
            (0, Some(Rung::HardStopNotice)),
        ] {
            assert_eq!(Rung::reached(Ppm::of(parts)), rung, "{parts}");
        }
        assert!(LADDER.windows(2).all(|two| two[0].1 > two[1].1 && two[0].0 < two[1].0));
    }
}
