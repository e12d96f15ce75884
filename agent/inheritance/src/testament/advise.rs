//! What a dying Golem advises, and what it says of itself (I-300, I-304), by rule and from the same records.

use golem_daimon::personality::Disposition;
use golem_daimon::somatic::coping_hint;
use golem_mortality::cause::CauseKind;
use golem_primitives::Ppm;

use super::affect::{EmotionalLayer, EmotionalTopology};
use super::fill::{MOST, Records, StrategyRecord, signed, stale};
use super::section::Sections;
use super::{Adjustment, LifeStats, Recommendation, Verb};

/// I-300, I-304. What a successor is advised: change what lost, keep what earned, investigate what is open or stale.
#[must_use]
pub fn recommend(records: &Records<'_>, sections: &Sections, stats: &LifeStats) -> Recommendation {
    let of_strategy = |one: &StrategyRecord| Adjustment {
        verb: if one.net_micros > 0 { Verb::Keep } else { Verb::Change },
        what: one.name.clone(),
        rationale: one.line(),
        confidence: golem_grimoire::finding::wilson(one.won, one.trades).width().complement(),
        entries: Vec::new(),
        is_stale: false,
    };
    let mut adjustments: Vec<Adjustment> =
        records.strategies.iter().filter(|one| one.net_micros != 0).map(of_strategy).collect();
    adjustments.extend(stale(records).take(MOST).map(|entry| Adjustment {
        verb: Verb::Investigate,
        what: entry.draft.content.clone(),
        rationale: "stale: less than half of its confidence is left".to_owned(),
        confidence: entry.remaining(records.retention, records.now.at),
        entries: vec![entry.id],
        is_stale: true,
    }));
    let losers = records.strategies.iter().filter(|one| one.net_micros < 0);
    let open = sections.suspects.iter().chain(sections.untested.iter().filter(|one| one.is_dreamt));
    Recommendation {
        adjustments,
        outlook: records
            .regime
            .map_or("no regime was recognised at the end".to_owned(), |regime| format!("died in a {regime} market")),
        config_hints: losers.map(|one| (format!("strategy.{}.enabled", one.name), "false".to_owned())).collect(),
        investigations: open.map(|one| one.statement.clone()).take(MOST).collect(),
        self_assessment: assessment(stats),
        funding: stats.funded,
        disposition: Some(disposition(records)),
        regime: records.regime,
        guidance: Vec::new(),
    }
}

/// M-202. How a successor should lean, by rule: soberly after losses, curiously where a model of the world had gone stale,
/// and otherwise neither way.
fn disposition(records: &Records<'_>) -> Disposition {
    let net = records.strategies.iter().map(|one| one.net_micros).fold(0, i64::saturating_add);
    match records.death.cause.kind() {
        _ if net < 0 => Disposition::Thanatos,
        CauseKind::EpistemicSenescence => Disposition::Eros,
        _ => Disposition::Balanced,
    }
}

/// M-202, A-082. What its moods teach one who has other moods: what helps with the one it was mostly in, which entries were
/// made in excitement, and what was never settled. Words to weigh; no mood is handed down.
#[must_use]
pub fn guidance(layer: &EmotionalLayer, topology: &EmotionalTopology) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(hint) = coping_hint(layer.dominant, true) {
        lines.push(format!("it was mostly in {}: {hint}", layer.dominant));
    }
    if !layer.hot_entries.is_empty() {
        lines.push(format!("look again in calm at {} entries that were made in excitement", layer.hot_entries.len()));
    }
    lines.extend(topology.tensions.iter().take(MOST).map(|one| format!("never settled: {}", one.what)));
    lines
}

fn assessment(stats: &LifeStats) -> String {
    let net = i64::try_from(stats.net_micros()).unwrap_or(i64::MAX);
    let divergence = stats.playbook_divergence.map_or("unmeasured".to_owned(), |share: Ppm| share.to_string());
    format!(
        "{} ticks, net {}, {} trades; fitness {} at the end and {} at its best; PLAYBOOK divergence {divergence}",
        stats.ticks,
        signed(net),
        stats.trades,
        stats.final_fitness,
        stats.peak_fitness
    )
}

/// I-300, I-260. The story and the last words, by rule: what killed it, what it leaves, what it asks.
#[must_use]
pub fn narrate(sections: &Sections, stats: &LifeStats) -> (String, String) {
    let killed = &sections.killed;
    let narrative = format!(
        "I lived {} ticks. {}. I leave {} things that worked, {} that failed, {} I could not settle and {} I never tested.",
        stats.ticks,
        killed.factors.join("; "),
        sections.worked.len(),
        sections.failed.len(),
        sections.confused.len(),
        sections.untested.len()
    );
    let ask = sections.suspects.first().map(|one| one.statement.as_str());
    let lesson = sections.worked.first().map(|one| one.statement.as_str());
    let last_words = match (lesson, ask) {
        (Some(lesson), Some(ask)) => format!("{lesson} And find out: {ask}"),
        (Some(only), None) | (None, Some(only)) => only.to_owned(),
        (None, None) => format!("{}.", killed.change),
    };
    (narrative, last_words)
}
