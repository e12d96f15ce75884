//! One page that tells a life so far: what it tried, learnt, dreamt, felt and was wrong about.

use std::collections::BTreeMap;

use golem_core::life::Life;
use golem_core::record::{
    Claim, DaimonEvent, Event, Grasp, LinkChange, PhageAnswer, RuleChange, Searcher, SufferingEvent, Verdict,
};
use golem_playbook::promotion::Standing;
use golem_primitives::{Tick, Usdc};

use crate::{LifeSummary, picture};

/// Names, moods and stressors that one line of the page holds.
const MOST_NAMED: usize = 6;

picture! {
    /// What it tried.
    #[derive(Default)]
    pub struct TriedStory {
        staged: u32 = "rules tried",
        by_dreams: u32 = "found by dreams",
        by_curator: u32 = "made of counted trips and links",
        by_model: u32 = "told by its model",
        by_siblings: u32 = "told by its siblings",
        by_owner: u32 = "found by its owner's search",
        guards: u32 = "guards rehearsed",
        /// By what they try, with their pools.
        phages_living: Vec<String> = "phages that live",
        phages: u32 = "phages at their end",
        confirmed: u32 = "of them confirmed",
        falsified: u32 = "of them falsified",
        by_phages: u32 = "confirmed twice by phages",
        earned_a_trial: u32 = "earned a trial",
        earned_their_stake: u32 = "earned their whole stake",
        refuted: u32 = "refuted by their trips",
        /// By name, with their pools.
        moving_money: Vec<String> = "move money now",
    }

    /// What it learnt.
    #[derive(Default)]
    pub struct LearntStory {
        active_entries: u32 = "entries it relies on",
        candidates: u32 = "entries that wait",
        forgotten: u32 = "entries it let go",
        /// In words, the surest first.
        links: Vec<String> = "what follows what",
        /// M-268. By pool.
        told: Vec<String> = "what is seen tells",
        /// G-100. By pool.
        deaths: Vec<String> = "markets its line died of",
    }

    /// What it dreamt.
    #[derive(Default)]
    pub struct DreamtStory {
        dreams: u32 = "dreams",
        cut_short: u32 = "cut short",
        supposed: u32 = "supposed",
        threats: u32 = "threats rehearsed",
        calls: u32 = "questions to models",
        cost: Usdc = "cost",
    }

    /// What it felt.
    #[derive(Default)]
    pub struct FeltStory {
        /// Each with how often it came.
        moods: Vec<String> = "moods",
        stressors: Vec<String> = "what pressed",
        relieved: u32 = "relieved",
        crises: u32 = "crises",
    }

    /// What it was wrong about.
    #[derive(Default)]
    pub struct WrongStory {
        claims_judged: u32 = "directions foretold",
        wrong: u32 = "of them wrong",
        stopped_paying: Vec<String> = "rules that stopped paying",
        false_guards: Vec<String> = "guards that cried wolf",
        contradicted_links: Vec<String> = "links that ended",
        warnings: u32 = "times it understood too little",
        decoupled: u32 = "times what it saw told nothing any more",
        reflections: Vec<String> = "why, by its model",
        worst_trade: Option<String> = "worst round trip",
    }

    /// A life so far.
    pub struct StoryPicture {
        golem: String,
        tick: Tick,
        standing: String = "stands",
        has: Vec<String> = "has",
        made: Option<String> = "made",
        /// M-236. Of what an immortal would have died, and when.
        would_have_died: Vec<String> = "would have died",
        tried: TriedStory,
        learnt: LearntStory,
        dreamt: DreamtStory,
        felt: FeltStory,
        wrong: WrongStory,
    }
}

/// What happened, told one by one.
#[derive(Debug, Default)]
pub struct Story {
    tried: TriedStory,
    learnt: LearntStory,
    dreamt: DreamtStory,
    felt: FeltStory,
    wrong: WrongStory,
    moods: BTreeMap<String, u32>,
    stressors: BTreeMap<String, u32>,
    reflections: BTreeMap<String, u32>,
    worst: Option<WorstTrade>,
    would_have_died: Vec<String>,
}

#[derive(Debug, Clone, Copy)]
struct WorstTrade {
    net_micros: i64,
    tick: Tick,
}

impl Story {
    /// Takes in what happened at a tick.
    pub fn hear(&mut self, tick: Tick, event: &Event) {
        use golem_mortality::event::LawEvent;
        let Self { tried, learnt, dreamt, felt, wrong, .. } = self;
        match event {
            Event::BookSearched { by, staged } => {
                let found = match by {
                    Searcher::Owner => &mut tried.by_owner,
                    Searcher::Dream => &mut tried.by_dreams,
                    Searcher::Curator => &mut tried.by_curator,
                    Searcher::Model => &mut tried.by_model,
                    Searcher::Sibling => &mut tried.by_siblings,
                };
                *found += staged;
            }
            Event::BookRehearsed { guards } => tried.guards += guards,
            Event::Rule(changed) => self.hear_of_a_rule(&changed.rule, &changed.change),
            Event::LinkCounted { change: LinkChange::Contradicted(link), .. } => {
                name(&mut wrong.contradicted_links, link.in_words());
            }
            Event::PhageEnded { report, .. } => {
                tried.phages += 1;
                tried.confirmed += u32::from(report.answer == PhageAnswer::Confirmed);
                tried.falsified += u32::from(report.answer == PhageAnswer::Falsified);
                tried.by_phages += u32::from(report.is_staged);
            }
            Event::InformationRead { reading, .. } => {
                wrong.decoupled += u32::from(reading.grasp == Some(Grasp::Lost));
            }
            Event::Curated(cycle) => {
                (learnt.active_entries, learnt.candidates) = (cycle.active, cycle.candidates);
                learnt.forgotten += cycle.archived + cycle.burned;
            }
            Event::Dreamt { dreamt: told, cost } => {
                dreamt.dreams += 1;
                dreamt.cut_short += u32::from(!told.is_complete());
                dreamt.supposed += told.counts.hypotheses;
                dreamt.threats += told.counts.threats;
                dreamt.calls += told.calls;
                dreamt.cost = dreamt.cost.saturating_add(*cost);
            }
            Event::Daimon(told) => {
                if let DaimonEvent::MoodUpdate { label, .. } = &**told {
                    *self.moods.entry(label.to_string()).or_default() += 1;
                }
            }
            Event::Suffering(told) => match &**told {
                SufferingEvent::Raised { kind, restored: false, .. } => {
                    *self.stressors.entry(kind.key().to_string()).or_default() += 1;
                }
                SufferingEvent::Resolved { .. } => felt.relieved += 1,
                _ => {}
            },
            Event::CrisisTold(_) => felt.crises += 1,
            // A level has no direction, and what fees bring is never negative: only the price can go the other way.
            Event::PredictionResolved { prediction, verdict: Verdict::Measured { predicted_ppm, actual_ppm } }
                if matches!(prediction.claim, Claim::PriceMove { .. }) && *predicted_ppm != 0 =>
            {
                wrong.claims_judged += 1;
                wrong.wrong += u32::from(predicted_ppm.signum() != actual_ppm.signum());
            }
            Event::Mortality(LawEvent::EpistemicWarning { .. }) => wrong.warnings += 1,
            Event::Mortality(LawEvent::ImmortalWouldHaveDied { cause, tick }) => {
                name(&mut self.would_have_died, format!("of {} at tick {tick}", cause.name().replace('_', " ")));
            }
            Event::Reflected(told) => {
                if let Some(diagnosis) = &told.reconsidered.diagnosis {
                    *self.reflections.entry(diagnosis.cause.name().replace('_', " ")).or_default() += 1;
                }
            }
            Event::Traded { line, .. } => {
                let worst = self.worst.map_or(0, |worst| worst.net_micros);
                if let Some(net_micros) = line.closed.map(|closed| closed.net_micros()).filter(|net| *net < worst) {
                    self.worst = Some(WorstTrade { net_micros, tick });
                }
            }
            _ => {}
        }
    }

    fn hear_of_a_rule(&mut self, rule: &str, change: &RuleChange) {
        match change {
            RuleChange::Staged { .. } => self.tried.staged += 1,
            RuleChange::OnTrial { .. } => self.tried.earned_a_trial += 1,
            RuleChange::Promoted { .. } => self.tried.earned_their_stake += 1,
            RuleChange::Refuted { .. } => self.tried.refuted += 1,
            RuleChange::Rested { .. } => name(&mut self.wrong.stopped_paying, rule.to_owned()),
            RuleChange::Withdrawn { .. } => name(&mut self.wrong.false_guards, rule.to_owned()),
            RuleChange::Woken { .. }
            | RuleChange::MadeRoom { .. }
            | RuleChange::Refused { .. }
            | RuleChange::Approved
            | RuleChange::Rejected => {}
        }
    }

    /// The page, with the life as it is now.
    #[must_use]
    pub fn page(self, golem: &str, life: &Life) -> StoryPicture {
        let summary = LifeSummary(life);
        let hands = || life.trader().into_iter().flat_map(|trader| trader.hands());
        let several = hands().count() > 1;
        let of = |pool: &dyn std::fmt::Display| if several { format!(" in {pool}") } else { String::new() };
        let moving = hands().flat_map(|(pool, hand)| {
            let moving =
                hand.tried().iter().filter(|tried| tried.standing() > Standing::Paper && !tried.rule.action.is_guard());
            moving.map(|tried| format!("{}{}", tried.rule.name, of(&pool))).collect::<Vec<_>>()
        });
        let mut links: Vec<_> =
            hands().flat_map(|(pool, hand)| hand.links().known().iter().map(move |link| (pool, link))).collect();
        links.sort_by_key(|(_, link)| {
            std::cmp::Reverse(u64::from(link.held) * 1_000_000 / u64::from(link.moves.max(1)))
        });
        let links = links.iter().take(MOST_NAMED).map(|(pool, link)| format!("{}{}", link.in_words(), of(pool)));
        let told =
            hands().filter_map(|(pool, hand)| Some(format!("{}{}", hand.information().last()?.in_words(), of(&pool))));
        let deaths = hands().flat_map(|(pool, hand)| {
            let told = hand.stains().all().iter().map(move |stain| format!("{}{}", stain.in_words(), of(&pool)));
            told.collect::<Vec<_>>()
        });
        let phages = hands().flat_map(|(pool, hand)| {
            let living = hand.phages().living().iter().map(move |phage| format!("{}{}", phage.hypothesis(), of(&pool)));
            living.collect::<Vec<_>>()
        });
        let worst = |worst: WorstTrade| format!("{} at tick {}", crate::words::signed(worst.net_micros), worst.tick);
        StoryPicture {
            golem: golem.to_owned(),
            tick: life.tick(),
            standing: summary.standing(),
            has: summary.has(),
            made: summary.made(),
            would_have_died: self.would_have_died,
            tried: TriedStory { moving_money: moving.collect(), phages_living: phages.collect(), ..self.tried },
            learnt: LearntStory {
                links: links.collect(),
                told: told.collect(),
                deaths: deaths.collect(),
                ..self.learnt
            },
            dreamt: self.dreamt,
            felt: FeltStory { moods: most(&self.moods), stressors: most(&self.stressors), ..self.felt },
            wrong: WrongStory {
                reflections: most(&self.reflections),
                worst_trade: self.worst.map(worst),
                ..self.wrong
            },
        }
    }
}

/// Keeps a name once; of many the first few.
fn name(names: &mut Vec<String>, new: String) {
    if names.len() < MOST_NAMED && !names.contains(&new) {
        names.push(new);
    }
}

/// The most frequent, each with how often it came.
fn most(counts: &BTreeMap<String, u32>) -> Vec<String> {
    let mut sorted: Vec<(&String, &u32)> = counts.iter().collect();
    sorted.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), *name));
    sorted.into_iter().take(MOST_NAMED).map(|(name, count)| format!("{name} ({count})")).collect()
}

#[cfg(test)]
mod tests {
    use golem_core::record::{Prediction, RuleChanged, Searcher};
    use golem_primitives::PoolName;

    use super::*;

    fn rule(name: &str, change: RuleChange) -> Event {
        Event::Rule(Box::new(RuleChanged {
            pool: PoolName::HOME,
            rule: name.to_owned(),
            number: 1,
            is_dreamt: false,
            change,
        }))
    }

    fn foretold(claim: Claim) -> Event {
        let prediction = Prediction { number: 1, said: Tick::new(1), due: Tick::new(2), claim };
        Event::PredictionResolved { prediction, verdict: Verdict::Measured { predicted_ppm: 9, actual_ppm: -1 } }
    }

    /// O-002: what happened is counted under what it was, names are told once, and the most frequent first.
    #[test]
    fn o_002_what_happened_is_counted_under_what_it_was() {
        let mut story = Story::default();
        let rested = || RuleChange::Rested { detector: 20.0, wanted: 0.1, evidence: 3.0 };
        let events = [
            rule("dip", rested()),
            rule("dip", rested()),
            rule("dip", RuleChange::Woken { evidence: 20.0 }),
            rule("found", RuleChange::OnTrial { evidence: 20.0 }),
            rule("bad", RuleChange::Refuted { confidence: 5, evidence: 0.5, trips: 4 }),
            Event::BookSearched { by: Searcher::Dream, staged: 2 },
            Event::BookSearched { by: Searcher::Model, staged: 1 },
            Event::BookRehearsed { guards: 1 },
            foretold(Claim::PriceMove { from: Usdc::whole(1), return_ppm: 9, stop_ppm: -9, moves_money: false }),
            foretold(Claim::Fees { position: 1, from: Usdc::ZERO, earned: Usdc::ZERO, notional: Usdc::ZERO }),
        ];
        for event in &events {
            story.hear(Tick::new(1), event);
        }
        let Story { tried, wrong, .. } = story;
        assert_eq!(wrong.stopped_paying, ["dip"]);
        assert_eq!((wrong.claims_judged, wrong.wrong), (1, 1), "only a price has a direction");
        assert_eq!((tried.earned_a_trial, tried.refuted, tried.guards), (1, 1, 1));
        assert_eq!((tried.by_dreams, tried.by_model, tried.by_curator, tried.by_owner), (2, 1, 0, 0));
        let counts = BTreeMap::from([("calm".to_owned(), 1), ("wary".to_owned(), 3)]);
        assert_eq!(most(&counts), ["wary (3)", "calm (1)"]);
    }
}
