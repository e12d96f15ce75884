//! What is true in each epoch, which no life is told: counted over a long path on which nothing else changes.

use std::collections::BTreeMap;

use golem_grimoire::distil::group;
use golem_grimoire::finding::{Finding, PatternKey};
use golem_grimoire::kind::Kind;
use golem_grimoire::regime::Regime;
use golem_grimoire::thesis::Thesis;
use golem_mortality::law::Law;
use golem_mortality::vitals::BirthError;
use serde::{Deserialize, Serialize};

use super::learner::{Learner, Trade};
use super::settings::{BOOK, TrialSettings, time_of};
use super::terrain::{Epoch, Terrain};

/// What is true.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Truth {
    findings: BTreeMap<(Epoch, PatternKey, Option<Regime>), Finding>,
}

/// What the book's beliefs are worth in an epoch and a regime.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Worth {
    /// Where.
    pub epoch: Epoch,
    /// In the regime a Golem sees.
    pub regime: Regime,
    /// Beliefs judged.
    pub trials: u32,
    /// Of them held.
    pub held: u32,
    /// What a USDC behind one earned after fees, in micro-USDC: the mean, and its 95% interval.
    pub earned_micros: [i64; 3],
}

impl Truth {
    /// Counts what is true, by the beliefs of a life that never dies and learns nothing.
    ///
    /// # Errors
    /// [`BirthError`] when nobody can be born.
    pub fn of(settings: &TrialSettings) -> Result<Self, BirthError> {
        let trade = Trade::new(settings, settings.first_seed);
        let mut findings = BTreeMap::new();
        for epoch in Epoch::ALL {
            let born = Learner::born(&trade, Law::immortal(), "truth", settings.capital, time_of(0))?;
            let mut life = born.unlearning();
            let ticks = usize::try_from(settings.truth_ticks).unwrap_or(usize::MAX);
            for (at, ground) in (1..).zip(Terrain::still(settings.first_seed, settings.pace, epoch).take(ticks)) {
                life = life.tick(ground.price, time_of(at)).0;
            }
            for ((key, regime), lived) in group(life.library.episodes()) {
                let finding = lived.finding(&key, regime);
                findings.insert((epoch, key, regime), finding);
            }
        }
        Ok(Self { findings })
    }

    /// Whether a claim is true in an epoch; `None` where even the long path does not exclude chance, and for warnings,
    /// which claim that something can happen and not that it will.
    #[must_use]
    pub fn verdict(&self, epoch: Epoch, thesis: &Thesis) -> Option<bool> {
        let finding = self.findings.get(&(epoch, thesis.key.clone(), thesis.regime))?;
        let sign = match thesis.kind {
            Kind::Heuristic => finding.earned?.sign(),
            Kind::Insight => Finding { earned: None, ..finding.clone() }.sign(),
            _ => 0,
        };
        (sign != 0).then_some((sign > 0) == thesis.holds)
    }

    /// Whether the book earns in an epoch and a regime; `None` where nobody can say.
    #[must_use]
    pub fn earns(&self, epoch: Epoch, key: &PatternKey, regime: Option<Regime>) -> Option<bool> {
        self.verdict(epoch, &Thesis { kind: Kind::Heuristic, key: key.clone(), regime, holds: true })
    }

    /// The book's own beliefs, for a report.
    #[must_use]
    pub fn table(&self) -> Vec<Worth> {
        let own = self.findings.iter().filter(|((_, key, _), _)| key.tool == BOOK);
        let worth = own.filter_map(|((epoch, _, regime), finding)| {
            let earned = finding.earned?;
            Some(Worth {
                epoch: *epoch,
                regime: (*regime)?,
                trials: finding.trials,
                held: finding.held,
                earned_micros: [earned.mean_micros, earned.low_micros, earned.high_micros],
            })
        });
        worth.collect()
    }
}
