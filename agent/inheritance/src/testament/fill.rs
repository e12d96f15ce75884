//! The sections of a testament from records, by rule and without a model (I-300, I-301).
//!
//! What stands here was counted: outcomes verified on chain, votes of a life's own use, links that passed a sign test.
//! Nothing is told that a record does not show, so the testament of a Golem that never had a model is short and true.

use std::collections::BTreeMap;

use golem_grimoire::confidence::Confidence;
use golem_grimoire::entry::{EntryQuestion, Knowledge, Method};
use golem_grimoire::finding::{Finding, PatternKey};
use golem_grimoire::id::{EntryId, Moment};
use golem_grimoire::kind::{CausalBasis, EntryBody, Kind};
use golem_grimoire::provenance::Provenance;
use golem_grimoire::regime::Regime;
use golem_grimoire::retention::RetentionLaw;
use golem_grimoire::shelf::Grimoire;
use golem_mortality::cause::{Death, DeathCause};
use golem_primitives::{Tick, Usdc};

use super::affect::EmotionalTopology;
use super::section::{
    Advice, AdviceUrgency, Analysis, CausalEdge, Contradiction, HypothesisStrength, Insight, InsightSource,
    Misconception, Sections, TestamentHypothesis,
};

/// What a strategy did, counted from receipts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StrategyRecord {
    pub name: String,
    pub trades: u32,
    /// Of them with a profit after everything they cost.
    pub won: u32,
    /// What it brought, in micro-USDC.
    pub net_micros: i64,
    /// Its worst round trip, in micro-USDC.
    pub worst_micros: i64,
    pub last: Tick,
    pub regime: Option<Regime>,
}

impl StrategyRecord {
    /// In a line, with its numbers.
    #[must_use]
    pub fn line(&self) -> String {
        let regime = self.regime.map_or("any regime", Regime::name);
        let net = signed(self.net_micros);
        format!("{}: {} of {} round trips won in {regime}, net {net}", self.name, self.won, self.trades)
    }

    const fn loss(&self) -> Usdc {
        Usdc::from_micros(if self.net_micros < 0 { self.net_micros.unsigned_abs() } else { 0 })
    }
}

/// What failed believing in an entry cost, and when that was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Refutation {
    pub at: Tick,
    pub cost: Usdc,
}

/// All that is read.
#[derive(Debug, Clone, Copy)]
pub struct Records<'a> {
    pub grimoire: &'a Grimoire,
    pub retention: &'a RetentionLaw,
    pub strategies: &'a [StrategyRecord],
    pub refuted: &'a BTreeMap<EntryId, Refutation>,
    pub death: &'a Death,
    pub regime: Option<Regime>,
    pub now: Moment,
}

/// Items of a section at most, so that a testament can be read.
pub const MOST: usize = 20;
/// I-341. Causal edges at most.
pub const MOST_EDGES: usize = 50;
/// Confidence from which an entry that held counts as what worked.
const WORKED: Confidence = Confidence::of(600_000);
/// Share of its confidence below which a heuristic is stale.
const STALE: f64 = 0.5;

pub(super) fn signed(micros: i64) -> String {
    let sign = if micros < 0 { "-" } else { "+" };
    format!("{sign}{}", Usdc::from_micros(micros.unsigned_abs()))
}

fn context(entry: &Knowledge) -> String {
    let regime = entry.draft.regime.map_or("any regime", Regime::name);
    format!("{} in {regime}, held {} times, failed {}", entry.draft.domain, entry.validated, entry.contradicted)
}

fn source(entry: &Knowledge) -> InsightSource {
    match (entry.draft.source.generation, &entry.draft.method) {
        (0, _) => InsightSource::Novel,
        (_, Method::Rules(_)) => InsightSource::Modified,
        _ => InsightSource::Validated,
    }
}

/// All nine sections.
#[must_use]
pub fn fill(records: &Records<'_>, topology: EmotionalTopology) -> Sections {
    let failed = failed(records);
    let killed = killed(records, &failed);
    Sections {
        worked: worked(records),
        confused: confused(records.grimoire),
        untested: untested(records.grimoire),
        would_change: would_change(records, &killed),
        suspects: suspects(records.grimoire),
        causal_edges: causal_edges(records.grimoire, MOST_EDGES),
        failed,
        killed,
        emotional_topology: topology,
    }
}

/// What worked: strategies that earned, most first; then entries that held more often than not, surest first.
#[must_use]
pub fn worked(records: &Records<'_>) -> Vec<Insight> {
    let mut earners: Vec<&StrategyRecord> = records.strategies.iter().filter(|one| one.net_micros > 0).collect();
    earners.sort_by(|a, b| b.net_micros.cmp(&a.net_micros).then(a.name.cmp(&b.name)));
    let of_strategy = |one: &StrategyRecord| Insight {
        statement: one.line(),
        confidence: Confidence::new(golem_grimoire::finding::wilson(one.won, one.trades).low),
        evidence: one.trades,
        context: format!("worst round trip {}, last at tick {}", signed(one.worst_micros), one.last),
        source: InsightSource::Novel,
        entry: None,
    };
    let mut held: Vec<&Knowledge> = records
        .grimoire
        .active()
        .map(golem_grimoire::status::Active::knowledge)
        .filter(|entry| entry.validated > entry.contradicted && entry.confidence >= WORKED)
        .collect();
    held.sort_by(|a, b| b.confidence.cmp(&a.confidence).then(b.validated.cmp(&a.validated)).then(a.id.cmp(&b.id)));
    let of_entry = |entry: &Knowledge| Insight {
        statement: entry.draft.content.clone(),
        confidence: entry.confidence,
        evidence: entry.validated,
        context: context(entry),
        source: source(entry),
        entry: Some(entry.id),
    };
    earners.into_iter().map(of_strategy).chain(held.into_iter().map(of_entry)).take(MOST).collect()
}

/// What failed: strategies that lost, then entries that failed more often than they held, the dearest first.
#[must_use]
pub fn failed(records: &Records<'_>) -> Vec<Misconception> {
    let of_strategy = |one: &StrategyRecord| Misconception {
        statement: one.line(),
        why_held: format!("it won {} of {} round trips, the worst {}", one.won, one.trades, signed(one.worst_micros)),
        realised: Some(one.last),
        cost: one.loss(),
        entry: None,
    };
    let of_entry = |entry: &Knowledge| {
        let seen = records.refuted.get(&entry.id);
        Misconception {
            statement: entry.draft.content.clone(),
            why_held: format!("it was worth {} on {} episodes", entry.confidence, entry.draft.parents.len()),
            realised: seen.map(|seen| seen.at),
            cost: seen.map_or(Usdc::ZERO, |seen| seen.cost),
            entry: Some(entry.id),
        }
    };
    let strategies = records.strategies.iter().filter(|one| one.net_micros < 0).map(of_strategy);
    let is_wrong = |entry: &&Knowledge| entry.contradicted > entry.validated || records.refuted.contains_key(&entry.id);
    let entries = records.grimoire.entries().filter_map(golem_grimoire::status::Entry::knowledge);
    let mut failed: Vec<Misconception> = strategies.chain(entries.filter(is_wrong).map(of_entry)).collect();
    failed.sort_by(|a, b| b.cost.cmp(&a.cost).then(a.statement.cmp(&b.statement)).then(a.entry.cmp(&b.entry)));
    failed.truncate(MOST);
    failed
}

/// What confused: findings under the same key that point opposite ways, and entries that held about as often as not.
#[must_use]
pub fn confused(grimoire: &Grimoire) -> Vec<Contradiction> {
    let mut by_key: BTreeMap<&PatternKey, Vec<(&Knowledge, &Finding)>> = BTreeMap::new();
    for entry in grimoire.living() {
        if let Method::Rules(finding) = &entry.draft.method {
            by_key.entry(&finding.key).or_default().push((entry, finding));
        }
    }
    let mut all = Vec::new();
    for (key, found) in by_key {
        let at_odds =
            found.iter().filter(|(_, one)| found.iter().any(|(_, other)| one.contradicts(other))).collect::<Vec<_>>();
        if !at_odds.is_empty() {
            all.push(Contradiction {
                about: key.to_string(),
                signals: at_odds.iter().map(|(entry, _)| entry.draft.content.clone()).collect(),
                entries: at_odds.iter().map(|(entry, _)| entry.id).collect(),
            });
        }
    }
    let is_even = |entry: &&Knowledge| {
        let (held, failed) = (entry.validated, entry.contradicted);
        held.min(failed) >= 2 && held.abs_diff(failed) <= held.max(failed) / 2
    };
    all.extend(grimoire.living().filter(is_even).map(|entry| Contradiction {
        about: entry.draft.content.clone(),
        signals: vec![format!("held {} times", entry.validated), format!("failed {} times", entry.contradicted)],
        entries: vec![entry.id],
    }));
    all.truncate(MOST);
    all
}

fn hypothesis(entry: &Knowledge, validation: String) -> TestamentHypothesis {
    let is_dreamt = entry.draft.source.provenance == Provenance::Dream;
    let strength = HypothesisStrength::of(entry.confidence);
    TestamentHypothesis {
        statement: entry.draft.content.clone(),
        strength,
        validation,
        entry: Some(entry.id),
        is_dreamt,
    }
}

fn by_promise(mut entries: Vec<&Knowledge>) -> Vec<&Knowledge> {
    entries.sort_by(|a, b| b.confidence.cmp(&a.confidence).then(b.quality.cmp(&a.quality)).then(a.id.cmp(&b.id)));
    entries.truncate(MOST);
    entries
}

/// What was never tested: candidates no evidence ever touched, the most promising first (M-200: dreams among them).
#[must_use]
pub fn untested(grimoire: &Grimoire) -> Vec<TestamentHypothesis> {
    let is_untested =
        |entry: &&Knowledge| entry.validated == 0 && entry.contradicted == 0 && entry.draft.question.is_none();
    let entries = grimoire.candidates().map(golem_grimoire::status::Candidate::knowledge).filter(is_untested).collect();
    let validation = |entry: &Knowledge| {
        let regime = entry.draft.regime.map_or("any regime", Regime::name);
        format!("shadow-execute it in {regime} and count")
    };
    by_promise(entries).into_iter().map(|entry| hypothesis(entry, validation(entry))).collect()
}

/// What it suspects and cannot prove: open questions to be investigated, links only seen together, candidates that held
/// and not often enough.
#[must_use]
pub fn suspects(grimoire: &Grimoire) -> Vec<TestamentHypothesis> {
    let wanted = |entry: &Knowledge| match (&entry.draft.question, &entry.draft.body) {
        (Some(EntryQuestion::Open { requires_investigation: true }), _) => Some("answer the question".to_owned()),
        (Some(_), _) => None,
        (None, EntryBody::CausalLink(link)) if link.basis == CausalBasis::Associational => {
            Some(format!("move {} and watch {} for {} ticks", link.cause, link.effect, link.lag_ticks))
        }
        (None, _) if entry.validated > entry.contradicted && entry.confidence < WORKED => {
            Some(format!("held {} times so far; count on", entry.validated))
        }
        _ => None,
    };
    let entries = grimoire.living().filter(|entry| wanted(entry).is_some()).collect();
    by_promise(entries).into_iter().map(|entry| hypothesis(entry, wanted(entry).unwrap_or_default())).collect()
}

/// I-002, I-341. The strongest links by weight times confidence, then evidence, then id.
#[must_use]
pub fn causal_edges(grimoire: &Grimoire, most: usize) -> Vec<CausalEdge> {
    let mut edges: Vec<CausalEdge> = grimoire
        .living()
        .filter_map(|entry| match &entry.draft.body {
            EntryBody::CausalLink(link) => Some(CausalEdge {
                from: link.cause.clone(),
                to: link.effect.clone(),
                is_alike: link.is_alike,
                weight: link.weight,
                confidence: entry.confidence,
                evidence: link.evidence,
                domain: entry.draft.domain,
                basis: link.basis,
                entry: entry.id,
            }),
            _ => None,
        })
        .collect();
    let strength = |edge: &CausalEdge| edge.weight.times_down(edge.confidence.get());
    edges.sort_by(|a, b| strength(b).cmp(&strength(a)).then(b.evidence.cmp(&a.evidence)).then(a.entry.cmp(&b.entry)));
    edges.truncate(most);
    edges
}

/// I-027, I-300. What killed it, from the record of its death.
#[must_use]
pub fn killed(records: &Records<'_>, failed: &[Misconception]) -> Analysis {
    let death = records.death;
    let (mut factors, preventable, change) = match &death.cause {
        DeathCause::Economic { balance, burn_rate, ticks_alive } => (
            vec![format!("{balance} left after {ticks_alive} ticks, burning {} a day", burn_rate.per_day())],
            true,
            "spend less on thinking before the edge is proven, or start with more".to_owned(),
        ),
        DeathCause::EpistemicSenescence { final_fitness, fitness_at_peak, ticks_in_senescence, .. } => (
            vec![format!(
                "fitness fell from {} to {} and stayed low for {ticks_in_senescence} ticks",
                fitness_at_peak.ppm(),
                final_fitness.ppm()
            )],
            true,
            "re-test what failed before trusting any of it".to_owned(),
        ),
        DeathCause::Stochastic { hazard_rate, tick_at_death, .. } => (
            vec![format!("chance at a hazard of {:.9} on tick {tick_at_death}", hazard_rate.get())],
            false,
            "nothing: chance spares nobody; share sooner".to_owned(),
        ),
        DeathCause::OwnerKill { reason } => {
            (vec![format!("ended by the owner: {}", reason.as_str())], false, "ask the owner".to_owned())
        }
        DeathCause::KillSwitch { trigger } => {
            (vec![format!("stopped by {}", trigger.as_str())], true, "keep clear of what pulled the switch".to_owned())
        }
    };
    if let DeathCause::EpistemicSenescence { last_successful_prediction, .. } = &death.cause {
        // Fitness is measured by returns; that levels of the market were still read right does not speak against the cause.
        let domains: Vec<&str> = death.cause.failing_domains().collect();
        factors.push(match domains.as_slice() {
            [] => "the levels of the market were still read right; the returns it predicted were not".to_owned(),
            failing => format!("failing domains: {}", failing.join(", ")),
        });
        factors.push(match last_successful_prediction {
            Some(tick) => format!("the last return it foretold right came at tick {tick}"),
            None => "no return came as it was foretold".to_owned(),
        });
    }
    let losses: Usdc = records.strategies.iter().map(StrategyRecord::loss).sum();
    if !losses.is_zero() {
        factors.push(format!("strategies lost {losses}"));
    }
    let fatal = failed.iter().filter(|item| item.entry.is_none()).map(|item| item.statement.clone());
    let assumed = failed.iter().filter(|item| item.entry.is_some()).map(|item| item.statement.clone());
    Analysis {
        primary: death.cause.kind(),
        factors,
        preventable,
        market: records.regime,
        fatal_strategies: fatal.collect(),
        wrong_assumptions: assumed.collect(),
        change,
    }
}

/// What it would change: the lesson of its death first, then each strategy that lost, then heuristics gone stale.
#[must_use]
pub fn would_change(records: &Records<'_>, killed: &Analysis) -> Vec<Advice> {
    let mut advice = vec![Advice {
        urgency: if killed.preventable { AdviceUrgency::Critical } else { AdviceUrgency::Nice },
        what: killed.change.clone(),
        why: killed.factors.join("; "),
        entries: Vec::new(),
    }];
    advice.extend(killed.fatal_strategies.iter().map(|line| Advice {
        urgency: AdviceUrgency::Important,
        what: "change or drop the strategy".to_owned(),
        why: line.clone(),
        entries: Vec::new(),
    }));
    advice.extend(stale(records).map(|entry| Advice {
        urgency: AdviceUrgency::Nice,
        what: format!("re-test: {}", entry.draft.content),
        why: "nobody confirmed it for more than a half-life".to_owned(),
        entries: vec![entry.id],
    }));
    advice.truncate(MOST);
    advice
}

/// I-300. Active heuristics of which less than half is left.
pub(super) fn stale<'a>(records: &Records<'a>) -> impl Iterator<Item = &'a Knowledge> + use<'a> {
    let (law, now) = (*records.retention, records.now.at);
    records
        .grimoire
        .active()
        .map(golem_grimoire::status::Active::knowledge)
        .filter(|entry| entry.kind() == Kind::Heuristic)
        .filter(move |entry| entry.remaining(&law, now).as_f64() < STALE * entry.confidence.as_f64())
}
