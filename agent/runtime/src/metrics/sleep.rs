//! Dreams as numbers for dashboards.

use std::sync::atomic::AtomicU64;

use golem_core::life::Life;
use golem_core::record::{Dreamt, Event, RuleChange};
use golem_dreams::integration::journal::CycleEnding;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use super::{Whose, series};

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Ended {
    golem: String,
    tier: &'static str,
    ending: &'static str,
}

/// D-172, D-226. What is counted of dreams.
#[derive(Debug)]
pub(super) struct Sleep {
    dreams: Family<Ended, Counter>,
    cost: Family<Whose, Counter<f64, AtomicU64>>,
    staged: Family<Whose, Counter>,
    validated: Family<Whose, Counter>,
    dreaming: Family<Whose, Gauge>,
    urgency: Family<Whose, Gauge<f64, AtomicU64>>,
}

impl Sleep {
    pub(super) fn new(registry: &mut Registry) -> Self {
        Self {
            dreams: series(registry, "dreams", "Dreams that are over, by tier and ending"),
            cost: series(registry, "dream_cost_usdc", "What dreams cost, in USDC"),
            staged: series(registry, "dream_staged", "Rules that dreams had tried"),
            validated: series(registry, "dream_validated", "Of them those that came to move money"),
            dreaming: series(registry, "dreaming", "1 while a dream is dreamt"),
            urgency: series(registry, "dream_urgency", "How much a dream is needed, 0 to 1"),
        }
    }

    pub(super) fn count(&self, golem: &str, event: &Event) {
        let whose = Whose { golem: golem.to_owned() };
        if let Event::Rule(told) = event {
            let is_staged = told.is_dreamt && matches!(told.change, RuleChange::Staged { .. });
            self.staged.get_or_create(&whose).inc_by(is_staged.into());
            self.validated.get_or_create(&whose).inc_by((told.dream_outcome() == Some(true)).into());
        }
        let Event::Dreamt { dreamt, cost } = event else { return };
        let ended = Ended { golem: whose.golem.clone(), tier: dreamt.tier.name(), ending: ending(dreamt) };
        self.dreams.get_or_create(&ended).inc();
        self.cost.get_or_create(&whose).inc_by(cost.micros() as f64 / 1e6);
    }

    pub(super) fn show(&self, whose: &Whose, life: &Life) {
        let Some(dreams) = life.dreams().filter(|dreams| dreams.is_on()) else { return };
        self.dreaming.get_or_create(whose).set(i64::from(dreams.sleeper().is_some()));
        self.urgency.get_or_create(whose).set(dreams.state.score().as_f64());
    }
}

const fn ending(dreamt: &Dreamt) -> &'static str {
    match dreamt.ending {
        CycleEnding::Complete => "complete",
        CycleEnding::Degraded => "degraded",
        CycleEnding::BudgetExhausted(_) => "budget_exhausted",
        CycleEnding::Aborted => "aborted",
        CycleEnding::Interrupted { .. } => "interrupted",
    }
}
