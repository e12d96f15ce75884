//! What moves a life and what presses on it, as numbers for dashboards.

use golem_core::life::Life;
use golem_core::record::{
    Band, Canonical, DaimonEvent, Event, Suffering, SufferingEvent, SufferingLaw, daimon_metric as daimon,
    suffering_metric as suffering,
};
use golem_primitives::UtcTime;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use super::{Kind, Level, Whose, series};

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct WhichOf {
    golem: String,
    name: &'static str,
    by: &'static str,
}

/// A-052, S-022, S-091. Levels and counts of affect and suffering.
#[derive(Debug)]
pub(super) struct Temperature {
    pleasure: Family<Whose, Level>,
    arousal: Family<Whose, Level>,
    dominance: Family<Whose, Level>,
    grief: Family<Whose, Gauge>,
    appraisals: Family<WhichOf, Counter>,
    overrides: Family<Whose, Counter>,
    alerts: Family<Kind, Counter>,
    load: Family<Whose, Level>,
    raw_sum: Family<Whose, Level>,
    band: Family<Kind, Gauge>,
    severity: Family<Kind, Level>,
    dropped: Family<WhichOf, Counter>,
    resets: Family<Whose, Counter>,
    rejected: Family<Kind, Counter>,
}

/// What a stressor nobody counts by name is called.
const OTHER: &str = "other";

impl Temperature {
    pub(super) fn new(registry: &mut Registry) -> Self {
        Self {
            pleasure: series(registry, daimon::PLEASURE, "Pleasure of the mood, -1 to 1"),
            arousal: series(registry, daimon::AROUSAL, "Arousal of the mood, -1 to 1"),
            dominance: series(registry, daimon::DOMINANCE, "Dominance of the mood, -1 to 1"),
            grief: series(registry, daimon::GRIEF, "Ticks of grief left"),
            appraisals: series(registry, counter(daimon::APPRAISALS), "Appraisals, by event and emotion"),
            overrides: series(registry, counter(daimon::OVERRIDES), "Models not believed"),
            alerts: series(registry, counter(daimon::ALERTS), "Alerts of the Daimon"),
            load: series(registry, suffering::LOAD, "Suffering load, 0 to 1"),
            raw_sum: series(registry, suffering::RAW_SUM, "The same without its cap"),
            band: series(registry, suffering::BAND, "1 for the band it is in"),
            severity: series(registry, suffering::SEVERITY, "Severity by canonical type"),
            dropped: series(registry, counter(suffering::DROPPED), "Stressors that found no room"),
            resets: series(registry, counter(suffering::RESETS), "Crises broken by force"),
            rejected: series(registry, counter(suffering::CLAIMS_REJECTED), "Reliefs claimed and not seen"),
        }
    }

    pub(super) fn count(&self, golem: &str, event: &Event) {
        let golem = golem.to_owned();
        match event {
            Event::Daimon(told) => self.count_daimon(golem, told),
            Event::Suffering(told) => self.count_suffering(golem, told),
            _ => {}
        }
    }

    fn count_daimon(&self, golem: String, event: &DaimonEvent) {
        match event {
            DaimonEvent::Appraisal { felt, divergence, .. } => {
                if divergence.is_some() {
                    self.overrides.get_or_create(&Whose { golem: golem.clone() }).inc();
                }
                let label = WhichOf { golem, name: felt.trigger.name(), by: felt.feeling.primary.name() };
                self.appraisals.get_or_create(&label).inc();
            }
            DaimonEvent::Alert(alert) => {
                self.alerts.get_or_create(&Kind { golem, name: alert.name() }).inc();
            }
            _ => {}
        }
    }

    fn count_suffering(&self, golem: String, event: &SufferingEvent) {
        match event {
            SufferingEvent::Dropped { key, source, .. } => {
                let name = key.as_ref().map_or(OTHER, |key| word(key.as_str()));
                self.dropped.get_or_create(&WhichOf { golem, name, by: source.name() }).inc();
            }
            SufferingEvent::ForceReset { .. } => {
                self.resets.get_or_create(&Whose { golem }).inc();
            }
            SufferingEvent::ClaimRejected { key, .. } => {
                self.rejected.get_or_create(&Kind { golem, name: word(key.as_str()) }).inc();
            }
            _ => {}
        }
    }

    pub(super) fn show(&self, whose: &Whose, life: &Life, now: UtcTime) {
        if let Some(affect) = life.affect() {
            let mood = affect.mood(now);
            self.pleasure.get_or_create(whose).set(mood.pleasure());
            self.arousal.get_or_create(whose).set(mood.arousal());
            self.dominance.get_or_create(whose).set(mood.dominance());
            let left = affect.daimon.grief(life.tick()).map_or(0, |grief| grief.ticks_left(life.tick()));
            self.grief.get_or_create(whose).set(i64::try_from(left).unwrap_or(i64::MAX));
        }
        let Some(pressure) = life.pressure() else { return };
        let (suffers, law) = (&pressure.suffering, pressure.law().unwrap_or_default());
        self.show_suffering(whose, suffers, &law);
    }

    fn show_suffering(&self, whose: &Whose, suffers: &Suffering, law: &SufferingLaw) {
        let load = suffers.load(law);
        self.load.get_or_create(whose).set(load.load.as_f64());
        self.raw_sum.get_or_create(whose).set(load.raw_sum());
        for band in Band::ALL {
            let label = Kind { golem: whose.golem.clone(), name: band.name() };
            self.band.get_or_create(&label).set(i64::from(suffers.band() == *band));
        }
        let active = suffers.active();
        for kind in Canonical::ALL {
            let found = active.iter().find(|one| one.kind.canonical() == Some(*kind));
            let label = Kind { golem: whose.golem.clone(), name: kind.name() };
            self.severity.get_or_create(&label).set(found.map_or(0.0, |one| one.severity.as_f64()));
        }
    }
}

/// The word of a canonical type; what a model named is only counted.
fn word(key: &str) -> &'static str {
    Canonical::from_name(key).map_or(OTHER, Canonical::name)
}

/// The encoder adds `_total` to a counter by itself.
fn counter(name: &'static str) -> &'static str {
    name.strip_suffix("_total").unwrap_or(name)
}
