//! Who spoke when something was decided, and to whom its profit is owed.

use std::collections::BTreeMap;

use golem_grimoire::episode::{Episode, EpisodeCircumstances};
use golem_grimoire::id::{EntryId, EpisodeId};
use golem_grimoire::strength::LiveResult;
use golem_primitives::{GolemId, Tick};

use super::{Past, wanted_at};
use crate::record::{OutcomeResult, Says, TickInput, Turn};

/// Entries that were heard, from the journal alone: a life that is taken up again reads them back.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Voices {
    /// Entries that spoke, and when last.
    spoke: BTreeMap<EntryId, Tick>,
    /// Those that spoke for something, by tick, as far back as an outcome may come from.
    urging: BTreeMap<Tick, Vec<EntryId>>,
}

impl Voices {
    /// Takes an input in, oldest first.
    pub fn take(&mut self, input: &TickInput) {
        if input.turn != Turn::Deciding {
            return;
        }
        self.spoke.extend(input.counsel().map(|advice| (advice.entry, input.tick)));
        let urging = input.counsel().filter(|advice| advice.says == Says::Use).map(|advice| advice.entry).collect();
        self.urging.insert(input.tick, urging);
        self.urging.retain(|tick, _| input.tick.since(*tick) <= Past::TICKS);
    }

    /// G-081. Entries that spoke since they were last counted.
    pub fn spoke(&self) -> impl Iterator<Item = EntryId> + '_ {
        self.spoke.keys().copied()
    }

    /// What spoke until this tick was counted.
    pub fn count_until(&mut self, tick: Tick) {
        self.spoke.retain(|_, when| *when > tick);
    }

    /// Everything that spoke was counted.
    pub fn count_all(&mut self) {
        self.spoke.clear();
    }

    /// G-079. Whom a profit is owed to: who spoke for it in the tick that ordered the trade, not in the one that heard of
    /// it. Who spoke against it has no part in its profit.
    #[must_use]
    pub fn owed(&self, golem: &GolemId, input: &TickInput, lived: &[Episode]) -> Vec<(EpisodeId, EntryId, LiveResult)> {
        let mut owed = Vec::new();
        for outcome in &input.outcomes {
            let [name, _] = EpisodeCircumstances::names_of(outcome.effect);
            let id = EpisodeId::derive(input.now, golem, &name);
            let trade = lived.iter().find(|episode| episode.id == id && episode.held().is_some());
            let result = trade.map(|trade| trade.pnl_micros.unwrap_or(0));
            let result = result.map(|pnl_micros| LiveResult { pnl_micros, risk_improved: false });
            let Some(result) = result.filter(|result| result.is_positive()) else { continue };
            // Last, because it is looked for by trying names: of what no tick ordered, thousands.
            let ordered = match &outcome.result {
                OutcomeResult::Verified(record) => Some(record.tick),
                _ => wanted_at(golem, outcome.effect, input.tick),
            };
            let urging = ordered.and_then(|ordered| self.urging.get(&ordered)).into_iter().flatten();
            owed.extend(urging.map(|entry| (id, *entry, result)));
        }
        owed
    }
}

#[cfg(test)]
mod tests {
    use golem_grimoire::episode::EpisodeOutcome;
    use golem_grimoire::id::Moment;
    use golem_primitives::{EffectId, Ppm, UtcTime};

    use crate::record::Moved;

    use super::*;
    use crate::memory::Venue;
    use crate::record::{Chance, EntryAdvice, Observation, Outcome};

    /// G-079: the profit of a trade is owed to who spoke for it when it was ordered; not to who spoke when it came, and
    /// never to a rule that forbids it.
    #[test]
    fn g_079_a_profit_is_owed_to_who_spoke_for_it() {
        let golem = GolemId::new("ada").expect("a name");
        let now = UtcTime::from_seconds(1_767_225_600);
        let entry = |name: &[u8]| EntryId::derive(now, &golem, name);
        let said = |name: &[u8], says| EntryAdvice {
            entry: entry(name),
            says,
            tool: "mean-reversion".to_owned(),
            regime: None,
            confidence: Ppm::of(900_000),
        };
        let venue = Venue { chain: 1, pair: "WETH/USDC".to_owned() };
        let mut voices = Voices::default();
        let tick = |tick: u64, advice: Vec<EntryAdvice>| TickInput {
            turn: Turn::Deciding,
            observations: vec![Observation::Counsel { advice }],
            ..TickInput::quiet(Tick::new(tick), now, Chance::default())
        };
        voices.take(&tick(5, vec![said(b"for", Says::Use), said(b"against", Says::Avoid)]));
        voices.take(&tick(6, vec![said(b"later", Says::Use)]));
        let effect = EffectId::derive(&golem, Tick::new(5), Turn::Deciding as u8, 3);
        let result = OutcomeResult::Simulated(Box::new(Moved { usdc_micros: 9, ..Moved::default() }));
        let outcomes = vec![Outcome { effect, cost: None, result }];
        let input = TickInput { outcomes, ..tick(7, Vec::new()) };
        voices.take(&input);
        let key = venue.key("mean-reversion/sell");
        let here =
            EpisodeCircumstances { golem, now: Moment::new(Tick::new(7), now), key, regime: None, emotion: None };
        let [name, _] = EpisodeCircumstances::names_of(effect);
        let id = EpisodeId::derive(now, &golem, &name);
        let mut sold = Episode { id, outcome: EpisodeOutcome::Positive, pnl_micros: Some(9), ..here.observed("sold") };
        let owed: Vec<EntryId> =
            voices.owed(&golem, &input, std::slice::from_ref(&sold)).into_iter().map(|owed| owed.1).collect();
        assert_eq!(owed, [entry(b"for")]);
        (sold.outcome, sold.pnl_micros) = (EpisodeOutcome::Negative, Some(-9));
        assert_eq!(voices.owed(&golem, &input, &[sold]), []);
    }
}
