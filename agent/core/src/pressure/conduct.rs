//! Rules of PLAYBOOK.md that were in force when something was done.

use std::collections::VecDeque;

use golem_primitives::{Ppm, UtcTime};
use golem_suffering::facts::{ConductFacts, Violation};
use golem_suffering::text::Key;
use serde::{Deserialize, Serialize};

use crate::pass::Pass;
use crate::record::{EffectKind, EntryAdvice, Event, Says};
use crate::trader::Trader;

/// The confidence from which a rule counts as held.
const HELD_FROM: Ppm = Ppm::of(500_000);
const MOST: usize = 16;
const WEEK_SECONDS: u64 = 7 * UtcTime::DAY_SECONDS;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Breach {
    rule: Key,
    confidence: Ppm,
    at: UtcTime,
    commits_since: u32,
    made_good: bool,
}

/// Violations of a week, newest last.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Conduct {
    breaches: VecDeque<Breach>,
}

impl Conduct {
    /// Compares what a pass committed with the rules it heard. Only what raises exposure can break one: a rule keeps
    /// nobody from getting out (G-198), and what protection or death forces breaks none.
    pub(super) fn look(&mut self, trader: &Trader, pass: &Pass<'_>) {
        let committed = |raises: bool| {
            pass.effects
                .iter()
                .any(|effect| matches!(effect.kind, EffectKind::Trade(order) if order.raises_exposure() == raises))
        };
        let is_forgone = pass
            .events
            .iter()
            .any(|event| matches!(event, Event::TradeForgone { order, .. } if order.raises_exposure()));
        let (opens, closes) = (committed(true), committed(false));
        if !opens && !closes && !is_forgone {
            return;
        }
        let regime = trader.regime();
        let book = trader.book_name();
        let speaks = |advice: &&EntryAdvice| {
            advice.says == Says::Avoid
                && advice.tool == book.as_str()
                && (advice.regime.is_none() || advice.regime == regime)
                && advice.confidence >= HELD_FROM
        };
        let rules: Vec<(Key, Ppm)> = pass
            .input()
            .counsel()
            .filter(speaks)
            .filter_map(|advice| Some((Key::new(&advice.entry.to_string())?, advice.confidence)))
            .collect();
        if is_forgone {
            let met = |breach: &&mut Breach| rules.iter().any(|(rule, _)| *rule == breach.rule);
            self.breaches.iter_mut().filter(met).for_each(|breach| breach.made_good = true);
        }
        if opens && !rules.is_empty() {
            self.breaches.iter_mut().for_each(|breach| breach.commits_since = 0);
            rules.into_iter().for_each(|(rule, confidence)| self.broke(rule, confidence, pass.now()));
        } else if opens || closes {
            self.breaches.iter_mut().for_each(|breach| breach.commits_since = breach.commits_since.saturating_add(1));
        }
    }

    fn broke(&mut self, rule: Key, confidence: Ppm, at: UtcTime) {
        if self.breaches.len() == MOST {
            self.breaches.pop_front();
        }
        self.breaches.push_back(Breach { rule, confidence, at, commits_since: 0, made_good: false });
    }

    pub(super) fn facts(&self, now: UtcTime) -> ConductFacts {
        let this_week = self.breaches.iter().filter(|breach| now.since(breach.at).as_secs() <= WEEK_SECONDS);
        let violation = |breach: &Breach| Violation {
            rule: breach.rule.clone(),
            confidence: breach.confidence,
            at: breach.at,
            commits_since: breach.commits_since,
            made_good: breach.made_good,
        };
        ConductFacts { violations: this_week.map(violation).collect() }
    }
}
