//! Boden's three ways of being creative, by counting where no model answers.

use std::collections::BTreeMap;

use golem_grimoire::confidence::Confidence;
use golem_grimoire::finding::{Finding, PatternKey, mean_interval};
use golem_grimoire::id::EpisodeId;
use golem_grimoire::regime::Regime;
use golem_mortality::phase::Phase;
use golem_primitives::{Tick, words};

use crate::chance::Draws;
use crate::inputs::{Frozen, Known, Trace};
use crate::number::{Hundredths, count};

words! {
    /// D-115. Three ways.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
    CreativeMode {
        /// Elements of different strategies together.
        Combinational = "combinational",
        /// One strategy to its limits.
        Exploratory = "exploratory",
        /// A basic assumption turned round.
        Transformational = "transformational",
    }
}

impl CreativeMode {
    /// D-116. What it starts at.
    #[must_use]
    pub const fn confidence(self) -> Hundredths {
        match self {
            Self::Transformational => Hundredths::of(10),
            Self::Combinational | Self::Exploratory => Hundredths::of(20),
        }
    }
}

/// D-117. Weights in percent by vital phase: combinational, exploratory, transformational.
#[must_use]
pub const fn weights(phase: Phase) -> [(CreativeMode, u32); 3] {
    use CreativeMode::{Combinational, Exploratory, Transformational};
    let [combinational, exploratory, transformational] = match phase {
        Phase::Thriving => [20, 30, 50],
        Phase::Stable => [30, 50, 20],
        Phase::Conservation => [50, 30, 20],
        Phase::Declining => [100, 0, 0],
        Phase::Terminal => [0, 0, 0],
    };
    [(Combinational, combinational), (Exploratory, exploratory), (Transformational, transformational)]
}

/// D-117, D-205. The modes of this cycle's sessions, drawn by weight. `is_proven_only` leaves combining alone.
#[must_use]
pub fn sessions(phase: Phase, wanted: u32, is_proven_only: bool, draws: &mut Draws) -> Vec<CreativeMode> {
    let weights = if is_proven_only && phase != Phase::Terminal { weights(Phase::Declining) } else { weights(phase) };
    let total: u32 = weights.iter().map(|(_, weight)| weight).sum();
    if total == 0 {
        return Vec::new();
    }
    let mut draw = |_| {
        let mut at = u32::try_from(draws.below(total as usize)).expect("below a hundred");
        let found = weights.iter().find(|(_, weight)| {
            let is_here = at < *weight;
            at = at.saturating_sub(*weight);
            is_here
        });
        found.map_or(CreativeMode::Combinational, |(mode, _)| *mode)
    };
    (0..wanted).map(&mut draw).collect()
}

/// D-124. What creative work starts from: fragments of different times, and one rule nobody tried lately.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SeedSet {
    /// Episodes, one of each third of a life.
    pub episodes: Vec<EpisodeId>,
    /// The rule of PLAYBOOK.md that was tried longest ago.
    pub rule: Option<golem_grimoire::id::EntryId>,
}

/// D-124. Draws the seeds of one session.
#[must_use]
pub fn seeds(frozen: &Frozen, draws: &mut Draws) -> SeedSet {
    let mut all: Vec<&Trace> = frozen.traces.iter().filter(|trace| !trace.recorded.notes.is_forgotten).collect();
    all.sort_by_key(|trace| (trace.recorded.episode.happened, trace.id()));
    let third = all.len().div_ceil(3).max(1);
    let episodes = all.chunks(third).map(|epoch| epoch[draws.below(epoch.len())].id()).collect();
    let rules = frozen.known.iter().filter(|known| known.is_in_playbook);
    let rule = rules.min_by_key(|known| (known.last_tried, known.id)).map(|known| known.id);
    SeedSet { episodes, rule }
}

/// D-125. What a creative session states.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Idea {
    /// Of which mode.
    pub mode: CreativeMode,
    /// The scenario.
    pub scenario: String,
    /// The strategy that would do well in it.
    pub strategy: String,
    /// When it would fail catastrophically.
    pub failure: String,
    /// Its simplest testable version.
    pub test: String,
    /// The episodes behind it.
    pub episodes: Vec<EpisodeId>,
}

/// A way of trading that was lived: when, and for how long it was held.
struct Strategy<'a> {
    key: &'a PatternKey,
    regime: Option<Regime>,
    hold: u64,
    trades: Vec<&'a Trace>,
}

impl Strategy<'_> {
    fn name(&self) -> String {
        format!("{} in {}", self.key, self.regime.map_or("any market", Regime::name))
    }
}

/// Combinations are kept from this many trades on.
const SUPPORT: usize = 5;
/// D-205. Worth from which a pattern is proven.
const PROVEN: Confidence = Confidence::of(700_000);

fn strategies(frozen: &Frozen) -> Vec<Strategy<'_>> {
    let mut groups: BTreeMap<(&PatternKey, Option<Regime>), Vec<&Trace>> = BTreeMap::new();
    let finished = |trace: &&Trace| trace.trade.as_ref().is_some_and(|trade| trade.exit.is_some());
    for trace in frozen.traces.iter().filter(finished) {
        groups.entry((&trace.recorded.episode.key, trace.recorded.episode.regime)).or_default().push(trace);
    }
    let mut all = Vec::new();
    for ((key, regime), trades) in groups {
        let mut holds: Vec<u64> = trades.iter().filter_map(|trace| held(trace)).collect();
        holds.sort_unstable();
        let hold = holds.get(holds.len() / 2).copied().unwrap_or(0);
        all.push(Strategy { key, regime, hold, trades });
    }
    all
}

fn held(trace: &Trace) -> Option<u64> {
    let trade = trace.trade.as_ref()?;
    Some(trade.exit?.since(trade.entry))
}

/// The return, in millionths, of entering as a trade did and leaving after `hold` ticks, by recorded prices.
fn return_after(trace: &Trace, hold: u64, frozen: &Frozen) -> Option<i64> {
    let trade = trace.trade.as_ref()?;
    let path = frozen.path(&trade.asset)?;
    let exit: Tick = trade.entry.checked_add(hold)?;
    // A price must have been seen at the exit or behind it, or the last one known would stand for all time to come.
    if path.points.last()?.tick < exit {
        return None;
    }
    let (bought, sold) = (path.at_tick(trade.entry)?.price, path.at_tick(exit)?.price);
    let moved = (i128::from(sold) - i128::from(bought)) * 1_000_000;
    i64::try_from(moved.checked_div(i128::from(bought))?).ok()
}

fn mean(trades: &[&Trace], hold: u64, frozen: &Frozen) -> Option<(i64, usize)> {
    let all: Vec<i64> = trades.iter().filter_map(|trace| return_after(trace, hold, frozen)).collect();
    let sum: i128 = all.iter().map(|one| i128::from(*one)).sum();
    let mean = sum.checked_div(all.len() as i128)?;
    Some((i64::try_from(mean).ok()?, all.len()))
}

/// Combinational, by counting: one strategy's condition with another's exit, scored on history; kept with five trades or
/// more when it beats both parents. The best first. `is_proven_only` leaves what an entry worth 0.7 or more speaks of.
#[must_use]
pub fn combine(frozen: &Frozen, is_proven_only: bool) -> Vec<Idea> {
    let is_proven = |key: &PatternKey| {
        let of_key = |known: &&Known| known.finding.as_ref().is_some_and(|finding| finding.key == *key);
        frozen.known.iter().filter(of_key).any(|known| known.confidence >= PROVEN)
    };
    let mut all = strategies(frozen);
    all.retain(|strategy| !is_proven_only || is_proven(strategy.key));
    let mut kept: Vec<(i64, Idea)> = Vec::new();
    for (entry, exit) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
        if std::ptr::eq(entry, exit) || entry.hold == exit.hold {
            continue;
        }
        let crossed = mean(&entry.trades, exit.hold, frozen);
        let parents = mean(&entry.trades, entry.hold, frozen).zip(mean(&exit.trades, exit.hold, frozen));
        let (Some((crossed, support)), Some(((first, _), (second, _)))) = (crossed, parents) else { continue };
        if support >= SUPPORT && crossed > first.max(second) {
            kept.push((crossed, combination(entry, exit, crossed, [first, second], support)));
        }
    }
    kept.sort_by_key(|(mean, _)| std::cmp::Reverse(*mean));
    kept.into_iter().map(|(_, idea)| idea).collect()
}

fn combination(entry: &Strategy<'_>, exit: &Strategy<'_>, crossed: i64, parents: [i64; 2], support: usize) -> Idea {
    let [first, second] = parents;
    Idea {
        mode: CreativeMode::Combinational,
        scenario: format!("{} entered as before and held {} ticks as in {}.", entry.name(), exit.hold, exit.name()),
        strategy: format!(
            "It returned {crossed} millionths on the mean over {support} recorded entries, its parents {first} and {second}."
        ),
        failure: "It fails where recorded prices do not repeat; the Golem's own trade is taken to move none."
            .to_owned(),
        test: format!("Hold the next entry of {} for {} ticks.", entry.name(), exit.hold),
        episodes: entry.trades.iter().map(|trace| trace.id()).collect(),
    }
}

/// Exploratory, by counting: how much dearer gas and slippage may become before what pays on the mean pays nothing.
#[must_use]
pub fn explore(frozen: &Frozen) -> Vec<Idea> {
    let mut groups: BTreeMap<&PatternKey, Vec<&Trace>> = BTreeMap::new();
    for trace in frozen.traces.iter().filter(|trace| trace.recorded.episode.pnl_micros.is_some()) {
        groups.entry(&trace.recorded.episode.key).or_default().push(trace);
    }
    groups.into_iter().filter_map(|(key, group)| boundary(key, &group)).collect()
}

fn boundary(key: &PatternKey, group: &[&Trace]) -> Option<Idea> {
    let earned: i128 = group.iter().filter_map(|trace| trace.recorded.episode.pnl_micros).map(i128::from).sum();
    let gas: Option<i128> = group.iter().map(|trace| Some(i128::from(trace.trade.as_ref()?.gas?.micros()))).sum();
    let notional: i128 = group.iter().map(|trace| i128::from(trace.recorded.episode.position.micros())).sum();
    if earned <= 0 || notional == 0 || group.len() < 3 {
        return None;
    }
    let slippage = earned * 10_000 / notional;
    let by_gas = gas.filter(|gas| *gas > 0).map_or_else(String::new, |gas| {
        format!(" or gas above {} hundredths of what it was", 100 + earned * 100 / gas)
    });
    Some(Idea {
        mode: CreativeMode::Exploratory,
        scenario: format!("{key} with {slippage} bps more slippage{by_gas}."),
        strategy: format!("Below that it pays on the mean over {} recorded results.", group.len()),
        failure: format!("At {slippage} bps more slippage it pays nothing."),
        test: format!("Refuse {key} when the quoted slippage is {slippage} bps above the recorded one."),
        episodes: group.iter().map(|trace| trace.id()).collect(),
    })
}

/// Transformational, as far as counting goes: a stored rule with its condition turned round. Where the same holds outside
/// the regime it was said for, the regime is not what makes it hold; where the opposite does, it is.
#[must_use]
pub fn negate(frozen: &Frozen) -> Vec<Idea> {
    frozen.known.iter().filter_map(|known| negation(known, frozen)).collect()
}

fn negation(known: &Known, frozen: &Frozen) -> Option<Idea> {
    let rule = known.finding.as_ref().filter(|rule| rule.sign() != 0)?;
    let regime = rule.regime?;
    let outside: Vec<&Trace> = frozen
        .traces
        .iter()
        .filter(|trace| trace.recorded.episode.key == rule.key && trace.sign() != 0)
        .filter(|trace| trace.recorded.episode.regime.is_some_and(|other| other != regime))
        .collect();
    let earned: Option<Vec<i64>> = outside.iter().map(|trace| trace.recorded.episode.pnl_micros).collect();
    let counted = Finding {
        key: rule.key.clone(),
        regime: None,
        trials: count(outside.len()),
        held: count(outside.iter().filter(|trace| trace.sign() > 0).count()),
        earned: earned.filter(|earned| !earned.is_empty()).and_then(|earned| mean_interval(&earned)),
    };
    if counted.trials < 3 || counted.sign() == 0 {
        return None;
    }
    let same = counted.sign() == rule.sign();
    let says = if same { "holds outside it too" } else { "turns round outside it" };
    Some(Idea {
        mode: CreativeMode::Transformational,
        scenario: format!(
            "{} without the condition {regime} {}.",
            rule.key,
            if same { "holds" } else { "turns round" }
        ),
        strategy: format!(
            "What is known of {} in {regime} {says}: {} of {} held.",
            rule.key, counted.held, counted.trials
        ),
        failure: "It fails where other regimes are not alike.".to_owned(),
        test: judged_outside(&rule.key, regime),
        episodes: outside.iter().map(|trace| trace.id()).collect(),
    })
}

/// D-152. The condition under which a rule with its regime turned round is tried; by these words a waking tick knows it.
#[must_use]
pub fn judged_outside(key: &PatternKey, regime: Regime) -> String {
    format!("Judge the next {key} outside {regime} by this.")
}

/// D-115, D-205. What a mode finds by counting, best first.
#[must_use]
pub fn ideas(mode: CreativeMode, frozen: &Frozen, is_proven_only: bool) -> Vec<Idea> {
    match mode {
        CreativeMode::Combinational => combine(frozen, is_proven_only),
        CreativeMode::Exploratory => explore(frozen),
        CreativeMode::Transformational => negate(frozen),
    }
}
