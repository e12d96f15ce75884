//! The ratchet: whether each generation adds to what it was given (I-040 to I-046).

use golem_grimoire::kind::Kind;
use golem_primitives::words;
use golem_primitives::{Ppm, Usdc};

/// What a generation did with what it was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Tally {
    pub inherited: u32,
    pub validated: u32,
    pub contradicted: u32,
    /// I-045. Novel insights.
    pub novel_insights: u32,
    pub novel_heuristics: u32,
    pub novel_links: u32,
    pub novel_warnings: u32,
}

impl Tally {
    /// I-042. Everything new, by whatever type.
    #[must_use]
    pub const fn novel(&self) -> u64 {
        self.novel_insights as u64 + self.novel_heuristics as u64 + self.novel_links as u64 + self.novel_warnings as u64
    }

    /// I-042, I-045. Counts one more entry that was learnt in this life; a fragment of a strategy is no insight yet.
    pub fn learnt(&mut self, kind: Kind) {
        let of = match kind {
            Kind::Insight => &mut self.novel_insights,
            Kind::Heuristic => &mut self.novel_heuristics,
            Kind::CausalLink => &mut self.novel_links,
            Kind::Warning => &mut self.novel_warnings,
            Kind::StrategyFragment => return,
        };
        *of = of.saturating_add(1);
    }

    /// I-045. Inherited entries nobody tested.
    #[must_use]
    pub const fn untested(&self) -> u32 {
        self.inherited.saturating_sub(self.validated).saturating_sub(self.contradicted)
    }

    /// I-042. `0.5 N/I + 0.3 V/I - 0.2 C/I` with `I` at least one.
    #[must_use]
    pub fn score(&self) -> RatchetScore {
        let inherited = f64::from(self.inherited.max(1));
        let sum = 0.5 * self.novel() as f64 + 0.3 * f64::from(self.validated) - 0.2 * f64::from(self.contradicted);
        RatchetScore::round(sum / inherited)
    }
}

/// I-042. A score in millionths: it may be negative, and has no upper end where nothing was inherited (I-046).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, serde::Serialize, serde::Deserialize)]
pub struct RatchetScore(i64);

impl std::fmt::Display for RatchetScore {
    /// In whole and thousandths: `-0.090`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&format!("{:.3}", self.0 as f64 / 1e6))
    }
}

words! {
    /// I-043. What a score means.
    ScoreBand {
        /// It lost more than it added.
        Regressive = "regressive",
        /// It kept what it had.
        Adequate = "adequate",
        /// It added.
        Strong = "strong",
        /// It added much.
        Exceptional = "exceptional",
    }
}

impl RatchetScore {
    /// Rounds once to millionths; what is no number is zero.
    #[must_use]
    pub fn round(score: f64) -> Self {
        Self(libm::round(score * 1e6) as i64)
    }

    /// In millionths.
    #[must_use]
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// I-043. Its band: above 0.5, from 0.2, from 0, below.
    #[must_use]
    pub const fn band(self) -> ScoreBand {
        match self.0 {
            score if score > 500_000 => ScoreBand::Exceptional,
            score if score >= 200_000 => ScoreBand::Strong,
            score if score >= 0 => ScoreBand::Adequate,
            _ => ScoreBand::Regressive,
        }
    }
}

/// I-045. The record of a generation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Generation {
    pub number: u32,
    pub tally: Tally,
    pub ticks: u64,
    /// Earned less spent, in micro-USDC.
    pub net_micros: i64,
    pub peak_fitness: Ppm,
    /// How far PLAYBOOK.md moved; `None` when nobody could measure it.
    pub divergence: Option<Ppm>,
    pub funded: Usdc,
}

/// I-045. What changed from a generation to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Delta {
    /// Of the score, in millionths.
    pub score_micros: i64,
    /// Of the profit, in micro-USDC.
    pub net_micros: i64,
    pub ticks: i128,
    /// Of peak fitness, in millionths.
    pub peak_fitness: i64,
}

impl Generation {
    /// I-045, I-046. The change since the predecessor; `None` against generation 0, whose score has no upper end.
    #[must_use]
    pub fn delta(&self, before: &Self) -> Option<Delta> {
        (before.number > 0).then(|| Delta {
            score_micros: self.tally.score().micros() - before.tally.score().micros(),
            net_micros: self.net_micros.saturating_sub(before.net_micros),
            ticks: i128::from(self.ticks) - i128::from(before.ticks),
            peak_fitness: i64::from(self.peak_fitness.get()) - i64::from(before.peak_fitness.get()),
        })
    }
}

/// I-044. The score of a line: the mean of its generations by how long they lived; zero of none or of no life at all.
#[must_use]
pub fn lineage_score(lives: &[(RatchetScore, u64)]) -> RatchetScore {
    let ticks: u128 = lives.iter().map(|(_, ticks)| u128::from(*ticks)).sum();
    if ticks == 0 {
        return RatchetScore::default();
    }
    let sum: f64 = lives.iter().map(|(score, ticks)| score.0 as f64 * *ticks as f64).sum();
    RatchetScore(libm::round(sum / ticks as f64) as i64)
}

/// I-044, I-046. The score of a line from its records, generation 0 left out.
#[must_use]
pub fn score_of_line(generations: &[Generation]) -> RatchetScore {
    let comparable = generations.iter().filter(|generation| generation.number > 0);
    let lives: Vec<_> = comparable.map(|generation| (generation.tally.score(), generation.ticks)).collect();
    lineage_score(&lives)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn tally(novel: u32, inherited: u32, validated: u32, contradicted: u32) -> Tally {
        Tally { inherited, validated, contradicted, novel_insights: novel, ..Tally::default() }
    }

    /// I-042, I-043, I-046, M-281: W-37.
    #[test]
    fn i_042_w_37_a_generation_is_measured_by_what_it_adds() {
        assert_eq!(tally(0, 100, 10, 60).score().to_string(), "-0.090");
        for (tally, micros, band) in [
            (tally(38, 30, 12, 3), 733_333, ScoreBand::Exceptional),
            (tally(0, 100, 10, 60), -90_000, ScoreBand::Regressive),
            (tally(40, 0, 0, 0), 20_000_000, ScoreBand::Exceptional),
        ] {
            assert_eq!((tally.score().micros(), tally.score().band()), (micros, band), "W-37");
        }
        for (micros, band) in [
            (500_001, ScoreBand::Exceptional),
            (500_000, ScoreBand::Strong),
            (200_000, ScoreBand::Strong),
            (199_999, ScoreBand::Adequate),
            (0, ScoreBand::Adequate),
            (-1, ScoreBand::Regressive),
        ] {
            assert_eq!(RatchetScore(micros).band(), band, "I-043 {micros}");
        }
    }

    /// I-042: every type of novelty counts; I-045: what nobody tested is counted too.
    #[test]
    fn i_045_everything_new_counts_and_the_untested_are_known() {
        let mixed = Tally {
            novel_insights: 1,
            novel_heuristics: 2,
            novel_links: 3,
            novel_warnings: 4,
            inherited: 10,
            validated: 3,
            contradicted: 2,
        };
        assert_eq!((mixed.novel(), mixed.untested()), (10, 5));
        let mut learnt = mixed;
        Kind::ALL.iter().for_each(|kind| learnt.learnt(*kind));
        assert_eq!((learnt.novel(), learnt.novel_links), (14, 4), "each of four types by one");
        let generation = |number, ticks| Generation { number, ticks, tally: mixed, ..Generation::default() };
        let delta = generation(2, 70).delta(&generation(1, 100)).expect("comparable");
        assert_eq!((delta.ticks, delta.score_micros), (-30, 0));
        assert_eq!(generation(1, 1).delta(&generation(0, 1)), None, "I-046");
    }

    /// I-044: W-38.
    #[test]
    fn i_044_w_38_long_lives_weigh_more() {
        let lives = [(700_000, 20_000), (100_000, 5_000), (-100_000, 10_000)];
        let lives = lives.map(|(micros, ticks)| (RatchetScore(micros), ticks));
        assert_eq!(lineage_score(&lives).micros(), 385_714, "W-38");
        assert_eq!(lineage_score(&[]).micros(), 0);
        assert_eq!(lineage_score(&[(RatchetScore(5), 0)]).micros(), 0);
        let first = Generation { number: 0, ticks: 1_000, tally: tally(40, 0, 0, 0), ..Generation::default() };
        let second = Generation { number: 1, ticks: 10, tally: tally(1, 10, 0, 0), ..Generation::default() };
        assert_eq!(score_of_line(&[first, second]), second.tally.score(), "I-046");
    }

    proptest! {
        /// I-042: adding and proving never lower a score, contradictions never raise it.
        #[test]
        fn i_042_scores_move_the_way_they_should(n in 0u32..100, i in 0u32..100, v in 0u32..100, c in 0u32..100) {
            let score = |n, v, c| tally(n, i, v, c).score();
            prop_assert!(score(n + 1, v, c) >= score(n, v, c));
            prop_assert!(score(n, v + 1, c) >= score(n, v, c));
            prop_assert!(score(n, v, c + 1) <= score(n, v, c));
        }
    }
}
