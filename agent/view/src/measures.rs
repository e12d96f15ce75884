//! What a life is held against another by (M-238), and what it would have died of where it cannot die (M-236).

use golem_core::life::Life;
use golem_core::record::Event;
use golem_playbook::promotion::Standing;
use golem_primitives::{Ppm, Tick};

use crate::{Gain, Number, Picture as _, Table, picture};

picture! {
    /// M-238. A life on the six dimensions, beside what it made.
    pub struct MeasuresPicture {
        golem: String = "golem",
        /// Mortal or immortal.
        mode: &'static str = "mortality",
        ticks: Tick = "ticks lived",
        /// Of what it died and when; of the control, of what it would have died first.
        end: Option<String> = "end",
        net: Gain = "made after everything",
        fitness: Ppm = "fitness now",
        strategies: usize = "rules that move money",
        /// Entries it came to rely on for every thousand ticks.
        insights: Number = "new insights in 1,000 ticks",
        /// The mean of its round trips over their deviation; none before the third.
        return_for_risk: Option<Number> = "round trip for its risk",
        grimoire_health: Ppm = "share of entries relied on",
        /// From understanding too little to understanding again, in the mean.
        adaptation: Option<Number> = "ticks to understand again",
    }
}

/// What happened, told one by one.
#[derive(Debug, Default)]
pub struct Measures {
    would_have_died: Option<String>,
    trips: Vec<f64>,
    active: u32,
    candidates: u32,
    promoted: u32,
    lost_at: Option<Tick>,
    recoveries: Vec<u64>,
}

impl Measures {
    /// Takes in what happened at a tick.
    pub fn hear(&mut self, tick: Tick, event: &Event) {
        use golem_mortality::event::LawEvent;
        match event {
            Event::Mortality(LawEvent::ImmortalWouldHaveDied { cause, tick }) => {
                let first = || format!("would have died of {} at tick {tick}", cause.name().replace('_', " "));
                self.would_have_died.get_or_insert_with(first);
            }
            Event::Mortality(LawEvent::SenescenceEntered { .. }) => self.lost_at = self.lost_at.or(Some(tick)),
            Event::Mortality(LawEvent::EpistemicRecovery { .. }) => {
                self.recoveries.extend(self.lost_at.take().map(|lost| tick.since(lost)));
            }
            Event::Curated(cycle) => {
                (self.active, self.candidates) = (cycle.active, cycle.candidates);
                self.promoted += cycle.promoted;
            }
            Event::Traded { line, .. } => self.trips.extend(line.closed.map(|closed| closed.net_micros() as f64)),
            _ => {}
        }
    }

    /// The life by them, as it is now.
    #[must_use]
    pub fn of(self, golem: &str, life: &Life) -> MeasuresPicture {
        let hands = life.trader().into_iter().flat_map(|trader| trader.hands());
        let moving = hands.flat_map(|(_, hand)| hand.tried()).filter(|tried| tried.standing() > Standing::Paper);
        let vitals = life.vitals();
        let died = life.death().map(|death| format!("died of {}", death.cause.kind().name().replace('_', " ")));
        let (ticks, known) = (life.tick().get().max(1) as f64, u64::from(self.active) + u64::from(self.candidates));
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
        MeasuresPicture {
            golem: golem.to_owned(),
            mode: if vitals.law().mode.is_mortal() { "mortal" } else { "immortal" },
            ticks: life.tick(),
            end: died.or(self.would_have_died),
            net: Gain(life.trader().map_or(0, |trader| trader.ledger().net_micros())),
            fitness: vitals.epistemic().fitness().ppm(),
            strategies: moving.filter(|tried| !tried.rule.action.is_guard()).count(),
            insights: Number(f64::from(self.promoted) * 1_000.0 / ticks),
            return_for_risk: for_risk(&self.trips).map(Number),
            grimoire_health: Ppm::saturating(u64::from(self.active) * 1_000_000 / known.max(1)),
            adaptation: (!self.recoveries.is_empty())
                .then(|| Number(mean(&self.recoveries.iter().map(|ticks| *ticks as f64).collect::<Vec<_>>()))),
        }
    }
}

/// The mean over the deviation; of fewer than three there is none worth the name.
fn for_risk(trips: &[f64]) -> Option<f64> {
    let count = trips.len() as f64;
    let mean = trips.iter().sum::<f64>() / count.max(1.0);
    let variance = trips.iter().map(|net| (net - mean) * (net - mean)).sum::<f64>() / (count - 1.0).max(1.0);
    (trips.len() >= 3 && variance > 0.0).then(|| mean / variance.sqrt())
}

impl MeasuresPicture {
    /// Several lives side by side, a measure a row.
    #[must_use]
    pub fn beside(lives: &[Self]) -> Table {
        let tables: Vec<Table> = lives.iter().map(|life| life.table("")).collect();
        let Some(first) = tables.first() else { return Table::default() };
        let value = |table: &Table, row: usize| table.rows.get(row).and_then(|row| row.last()).cloned();
        let row = |(at, row): (usize, &Vec<String>)| {
            let label = row.first().cloned().unwrap_or_default();
            std::iter::once(label).chain(tables.iter().filter_map(|table| value(table, at))).collect()
        };
        Table::new("side by side", first.rows.iter().enumerate().map(row).collect())
    }
}

#[cfg(test)]
mod tests {
    use golem_mortality::cause::CauseKind;
    use golem_mortality::event::LawEvent;

    use super::*;

    /// M-236, M-238: the first end counts, each recovery from where understanding was lost, and risk is told from the third trip on.
    #[test]
    fn m_238_a_life_is_measured_by_what_happened() {
        let mut measures = Measures::default();
        let fell =
            |tick| Event::Mortality(LawEvent::ImmortalWouldHaveDied { cause: CauseKind::EpistemicSenescence, tick });
        for at in [700, 900] {
            measures.hear(Tick::new(at), &fell(Tick::new(at)));
        }
        for (lost, found) in [(100, 160), (300, 320)] {
            measures.hear(Tick::new(lost), &Event::Mortality(LawEvent::SenescenceEntered { fitness: Ppm::ZERO }));
            measures.hear(Tick::new(lost + 5), &Event::Mortality(LawEvent::SenescenceEntered { fitness: Ppm::ZERO }));
            measures.hear(Tick::new(found), &Event::Mortality(LawEvent::EpistemicRecovery { fitness: Ppm::ONE }));
        }
        assert_eq!(measures.would_have_died.as_deref(), Some("would have died of epistemic senescence at tick 700"));
        assert_eq!(measures.recoveries, [60, 20]);
        assert_eq!((for_risk(&[1.0, 2.0]), for_risk(&[2.0, 2.0, 2.0])), (None, None));
        assert_eq!(for_risk(&[1.0, 2.0, 3.0]), Some(2.0));
    }
}
