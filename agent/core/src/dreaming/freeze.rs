//! Falling asleep: everything a dream is dreamt from, as it is now.

use std::collections::{BTreeMap, BTreeSet};

use golem_dreams::inputs::{Engine, Frozen, KnownEntry, Thread, Trace};
use golem_dreams::market::{Path, Point, Trade};
use golem_dreams::rem::rehearsal::GasState;
use golem_dreams::rem::threat::Guard;
use golem_dreams::window::Window;
use golem_dreams::words::DreamTier;
use golem_grimoire::episode::{EpisodeKind, Recorded};
use golem_grimoire::id::{EpisodeId, Moment};
use golem_mortality::economic::day_spend::{DAILY_SPEND_CAP, DaySpend};
use golem_mortality::economic::partitions::Partition;
use golem_mortality::epistemic::domain::Level;
use golem_primitives::{Bps, EffectId, GolemId};

use super::links::links;
use super::trades::{positions, trades};
use super::{DreamSources, SeenPrice, Slumber, newest_first, surprise_of};
use crate::dreams::readings::clocks;
use crate::life::Life;
use crate::pressure::Pressure;
use crate::record::{DreamTerms, Fill, Tier};
use crate::trader::Trader;
use crate::window::{PriceWindow, regime_in};

/// Episodes a dream looks at; of more the newest. A cycle replays a few dozen of them.
const MOST_EPISODES: usize = 5_000;
/// Looks of a path; of more the newest.
const MOST_LOOKS: usize = 10_000;
/// Seconds between a trade and the pass that heard of it, at most: by that a fill is found for an episode.
const HEARD_WITHIN: u64 = 86_400;
/// Looks over which volatility is read, and those over which liquidity is compared.
const VOLATILE_TICKS: usize = 20;

/// D-052, D-179. What the dream of this effect is dreamt from; `None` when this life does not dream it.
#[must_use]
pub fn freeze(life: &Life, effect: EffectId, sources: &DreamSources<'_>) -> Option<Slumber> {
    let dreams = life.dreams()?;
    let sleeper = dreams.sleeper().filter(|sleeper| sleeper.effect == effect)?;
    let (vitals, trader, shelf) = (life.vitals(), life.trader(), sources.shelf);
    let opened = Moment::new(sleeper.tick, sleeper.at);
    let asset = &dreams.terms.asset;
    let looks = &shelf.looks[shelf.looks.len().saturating_sub(MOST_LOOKS)..];
    let path = path(looks, asset);
    let frozen = Frozen {
        golem: *life.id(),
        cycle: sleeper.cycle,
        opened,
        opening: sleeper.opening,
        phase: vitals.phase(),
        vitality: vitals.vitality().composite,
        mood: life.affect().filter(|affect| affect.law().enabled).map(|affect| affect.mood(sleeper.at)),
        regime: trader.and_then(Trader::regime),
        volatility: volatility(trader),
        is_thin: is_thin(looks),
        market: shelf.market.clone(),
        clocks: clocks(vitals),
        traces: traces(life.id(), sources, asset),
        known: known(sources, opened),
        edges: links(trader, sources.grimoire, asset, opened.tick),
        positions: trader.map(|trader| positions(trader, &shelf.fills, asset)).unwrap_or_default(),
        paths: vec![path],
        guards: guards(trader, asset),
        rehearsals: shelf.rehearsals.clone(),
        pheromones: shelf.pheromones.clone(),
        threads: threads(sources),
        held: shelf.held.clone(),
        heirlooms: shelf.heirlooms.clone(),
        supposed: shelf.supposed.clone(),
        observer_bias: shelf.observer_bias,
        engine: engine(&dreams.terms, sleeper.opening.tier, ceiling(life)),
    };
    let gas = shelf.fills.iter().rev().find_map(|fill| fill.gas);
    let partition = vitals.economic().purse().partitions().get(Partition::Gas);
    let gas = gas.map(|exit| GasState { exit, partition });
    let mut law = dreams.law().clone();
    // Windows are not journaled; a dream asks of them no more than that the owner named one.
    law.schedule.windows = vec![Window::night()];
    Some(Slumber { frozen, law, gas })
}

/// M-130, M-036, S-036. The largest model that may be asked now: what binds every other thought of the life binds a dream.
fn ceiling(life: &Life) -> Tier {
    let vitals = life.vitals();
    let day = DaySpend::of(vitals.economic().purse().spent_today(), DAILY_SPEND_CAP);
    let strained = life.pressure().map_or(Tier::T3, Pressure::ceiling);
    let day = if vitals.law().mode.counts_credits() { day.ceiling() } else { Tier::T3 };
    vitals.posture().ceiling.min(day).min(strained)
}

/// Who answers: models where those that would be asked are served and may be asked, and rules where not.
fn engine(terms: &DreamTerms, tier: DreamTier, ceiling: Tier) -> Engine {
    let [t0, t1, t2] = terms.quotes;
    let t2 = t2.filter(|_| ceiling >= Tier::T2);
    match (tier, t0, t1) {
        _ if ceiling < Tier::T1 => Engine::Rules,
        (DreamTier::Core, Some(t0), _) => Engine::Model { t0, t1: t1.unwrap_or(t0), t2 },
        (DreamTier::Core, None, _) | (DreamTier::Hardened, _, None) => Engine::Rules,
        // A cheap question goes to the small model where there is no cheaper one.
        (DreamTier::Hardened, t0, Some(t1)) => Engine::Model { t0: t0.unwrap_or(t1), t1, t2 },
    }
}

/// What prices did, with the regime each look was in.
fn path(looks: &[SeenPrice], asset: &str) -> Path {
    let mut window = PriceWindow::default();
    let point = |seen: &SeenPrice| {
        window.push(seen.price);
        let regime = regime_in(&window);
        Point { tick: seen.tick, at: seen.at, price: seen.price.micros(), regime }
    };
    Path { asset: asset.to_owned(), points: looks.iter().map(point).collect() }
}

/// D-132. The fifth of volatility, as the words of the clock have it: calm, usual, wild.
fn volatility(trader: Option<&Trader>) -> u8 {
    match trader.and_then(|trader| trader.window.volatility_level(VOLATILE_TICKS)) {
        Some(Level::Low) => 1,
        Some(Level::High) => 5,
        Some(Level::Middle) | None => 3,
    }
}

/// D-132. Whether the pool holds less than half of what it held on the mean of the recorded looks.
fn is_thin(looks: &[SeenPrice]) -> bool {
    let Some(newest) = looks.last() else { return false };
    let mean = looks.iter().map(|seen| seen.liquidity / looks.len() as u128).sum::<u128>();
    newest.liquidity < mean / 2
}

/// D-073. Episodes with what else was recorded of them.
fn traces(golem: &GolemId, sources: &DreamSources<'_>, asset: &str) -> Vec<Trace> {
    let mut newest = newest_first(sources.episodes);
    newest.truncate(MOST_EPISODES);
    newest.reverse();
    let made = trades(&sources.shelf.fills, asset);
    let of = |recorded: &&Recorded| trace(golem, recorded, &made, sources);
    newest.iter().map(of).collect()
}

fn trace(golem: &GolemId, recorded: &Recorded, made: &BTreeMap<EffectId, Trade>, sources: &DreamSources<'_>) -> Trace {
    let (id, shelf) = (recorded.episode.id, sources.shelf);
    Trace {
        vector: shelf.episode_vectors.get(&id).cloned(),
        trade: fill_of(golem, recorded, &shelf.fills).and_then(|fill| made.get(&fill.effect).cloned()),
        surprise: surprise_of(recorded),
        feeling: shelf.feelings.get(&id).copied(),
        ..Trace::from(recorded.clone())
    }
}

/// The fill an episode tells of: an action is named by its effect and the time it was heard of.
fn fill_of<'a>(golem: &GolemId, recorded: &Recorded, fills: &'a [Fill]) -> Option<&'a Fill> {
    let episode = &recorded.episode;
    if episode.kind != EpisodeKind::Action {
        return None;
    }
    let heard = episode.happened.at;
    let near = fills.iter().rev().filter(|fill| heard.since(fill.at).as_secs() <= HEARD_WITHIN);
    near.into_iter().find(|fill| EpisodeId::derive(heard, golem, fill.effect.0.as_slice()) == episode.id)
}

/// What is known, candidates among it: what is only supposed is supposed once.
pub(super) fn known(sources: &DreamSources<'_>, now: Moment) -> Vec<KnownEntry> {
    let of = |knowledge: &golem_grimoire::entry::Knowledge| KnownEntry {
        is_in_playbook: sources.playbook.rule(knowledge.id).is_some(),
        ..KnownEntry::of(
            knowledge,
            sources.shelf.entry_vectors.get(&knowledge.id).cloned(),
            &sources.law.retention,
            now.at,
        )
    };
    sources.grimoire.living().map(of).collect()
}

/// What protects: the book's own stop, and the guards in force that speak of a fall.
fn guards(trader: Option<&Trader>, asset: &str) -> Vec<Guard> {
    let Some(trader) = trader else { return Vec::new() };
    let falls = trader.home.rulebook.stop_ppm().into_iter().chain(trader.home.rulebook.guarded_falls_ppm());
    let guard = |fall: u64| Guard { asset: asset.to_owned(), threshold: Bps::saturating(i128::from(fall / 100)) };
    falls.map(guard).collect()
}

/// D-045, D-066. What was being thought: questions nobody has answered, and episodes the Curator handed to dreams.
fn threads(sources: &DreamSources<'_>) -> Vec<Thread> {
    let asked = sources.grimoire.living().filter(|entry| entry.is_open_question());
    let questions = asked.map(|entry| Thread {
        text: entry.draft.content.clone(),
        episodes: entry.draft.parents.clone(),
        is_puzzle: true,
    });
    let tagged = sources.episodes.iter().filter(|recorded| recorded.notes.dream_priority.is_some());
    let nagging = tagged.map(|recorded| Thread {
        text: recorded.episode.text.clone(),
        episodes: BTreeSet::from([recorded.episode.id]),
        is_puzzle: false,
    });
    questions.chain(nagging).take(MOST_THREADS).collect()
}

/// Threads a dream is given at most.
const MOST_THREADS: usize = 32;
