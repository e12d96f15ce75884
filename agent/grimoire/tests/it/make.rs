//! Entries and episodes to test with.

use golem_grimoire::confidence::{Confidence, Votes};
use golem_grimoire::emotion::{Emotion, EmotionalTag, Pad};
use golem_grimoire::entry::Draft;
use golem_grimoire::episode::{EpisodeCircumstances, Recorded};
use golem_grimoire::finding::PatternKey;
use golem_grimoire::id::{EntryId, Moment};
use golem_grimoire::kind::{EntryBody, Kind};
use golem_grimoire::provenance::{Provenance, Source};
use golem_grimoire::regime::Regime;
use golem_grimoire::shelf::{Change, Grimoire};
use golem_grimoire::status::Candidate;
use golem_mortality::epistemic::window::Pair;
use golem_mortality::phase::Phase;
use golem_primitives::{GolemId, Ppm, Tick, UtcTime};

pub(crate) use crate::admitted::{GOOD, admitted};
use crate::drafts;

pub(crate) const DAY: u64 = 86_400;
/// Where the tests begin.
pub(crate) const START: u64 = 1_794_700_800;

pub(crate) fn golem() -> GolemId {
    GolemId::new("golem").expect("a name")
}

/// The moment that many days and ticks after the start.
pub(crate) fn moment(tick: u64, days: f64) -> Moment {
    Moment::new(Tick::new(tick), UtcTime::from_seconds(START + (days * DAY as f64) as u64))
}

pub(crate) fn id(name: &str) -> EntryId {
    EntryId::derive(UtcTime::from_seconds(START), &golem(), name.as_bytes())
}

pub(crate) fn draft(kind: Kind, provenance: Provenance) -> Draft {
    let source = Source::foreign(provenance, golem(), u32::from(!provenance.is_own()));
    let at = UtcTime::from_seconds(START);
    let mut draft = Draft::new("When gas is above 40 gwei, wait 3 blocks before a swap.", body(kind), source, at);
    draft.original_confidence = Confidence::of(900_000);
    draft
}

pub(crate) fn body(kind: Kind) -> EntryBody {
    drafts::body(kind, id("parent"))
}

pub(crate) fn candidate(name: &str, draft: Draft, now: Moment) -> Candidate {
    *admitted(id(name), draft, now)
}

/// A Grimoire with an active entry of that name.
pub(crate) fn add_active(grimoire: &mut Grimoire, name: &str, draft: Draft, now: Moment) {
    let is_own = draft.source.provenance.is_own();
    grimoire.apply(Change::Add(Box::new(candidate(name, draft, now))), now).expect("new");
    if !is_own {
        grimoire.apply(Change::Vote { id: id(name), votes: Votes { up: 3, down: 0 } }, now).expect("alive");
    }
    grimoire.apply(Change::Promote { id: id(name), fitness: Ppm::ONE }, now).expect("earned");
}

pub(crate) fn key(pair: &str) -> PatternKey {
    PatternKey { tool: "swap".into(), chain: 8453, pair: pair.into() }
}

pub(crate) fn circumstances(tick: u64, pair: &str, regime: Option<Regime>) -> EpisodeCircumstances {
    let now = Moment::new(Tick::new(tick), UtcTime::from_seconds(START + tick * 40));
    EpisodeCircumstances { golem: golem(), now, key: key(pair), regime, emotion: None }
}

/// A joy of so much pleasure.
pub(crate) fn felt(pleasure: f64) -> EmotionalTag {
    EmotionalTag {
        primary: Emotion::Joy,
        pad: Pad::round(pleasure, 0.1, 0.1),
        mood: Pad::NEUTRAL,
        intensity: Ppm::ONE,
        phase: Phase::Stable,
        reactivations: 0,
        since: UtcTime::EPOCH,
    }
}

/// Episodes of a pair, one a tick from `tick` on, each held or not.
pub(crate) fn episodes(pair: &str, tick: u64, held: &[bool]) -> Vec<Recorded> {
    let resolve = |(at, held): (usize, &bool)| {
        let pair_of_returns = Pair::new(0.01, if *held { 0.02 } else { -0.02 }).expect("finite");
        let mut episode = circumstances(tick + at as u64, pair, Some(Regime::Bull)).resolved(pair_of_returns, 0);
        episode.pnl_micros = Some(if *held { 20_000 } else { -20_000 });
        Recorded::from(episode)
    };
    held.iter().enumerate().map(resolve).collect()
}
