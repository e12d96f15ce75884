//! Dreams in a memory: frozen once, asked once, landed whole or not at all.

use golem_core::dreaming::{Landing, Slumber};
use golem_core::record::{DreamCounts, Dreamt};
use golem_dreams::DreamLaw;
use golem_dreams::clocks::Clocks;
use golem_dreams::dream::{Answer, Said};
use golem_dreams::inputs::{CycleId, Engine, Frozen};
use golem_dreams::integration::journal::{
    CycleEnding, DreamJournalEntry, EngineLabel, IntegrationSummary, NremSummary, RemSummary,
};
use golem_dreams::onset::fragment::{CONFIDENCE, Fragment, FragmentStatus};
use golem_dreams::rem::hypothesis::{DreamOrigin, Hypothesis};
use golem_dreams::rem::threat::{Rehearsals, ThreatKind};
use golem_dreams::report::Awakening;
use golem_dreams::schedule::Opening;
use golem_dreams::words::{DreamTier, DreamTrigger};
use golem_grimoire::id::Moment;
use golem_grimoire::strength::Reinforcement;
use golem_mortality::phase::Phase;
use golem_ports::{Dreams, FIRST_SUPPOSED_NOTE, Memory as _, Settled, Store as _, StoreError};
use golem_primitives::{EffectId, Ppm, Tick, Usdc};
use golem_store::SqliteStore;

use crate::world::{Lived, World, effect_id, fresh, golem, grown, now};

fn moment(tick: u64) -> Moment {
    Moment::new(Tick::new(tick), now(tick))
}

fn slumber(cycle: u64) -> Slumber {
    let frozen = Frozen {
        golem: golem(),
        cycle: CycleId(cycle),
        opened: moment(9),
        opening: Opening {
            trigger: DreamTrigger::Interval,
            score: Ppm::ONE,
            tier: DreamTier::Core,
            grant: Usdc::from_micros(3_000),
            is_emotional: false,
        },
        phase: Phase::Stable,
        vitality: Ppm::of(123_457),
        mood: None,
        regime: None,
        volatility: 3,
        is_thin: false,
        market: None,
        clocks: Clocks { projected_ticks: None, accuracy: Ppm::ONE, tick: Tick::new(9), reference_lifespan: 10_000 },
        traces: Vec::new(),
        known: Vec::new(),
        edges: Vec::new(),
        positions: Vec::new(),
        paths: Vec::new(),
        guards: Vec::new(),
        rehearsals: Rehearsals::default(),
        pheromones: Vec::new(),
        threads: Vec::new(),
        held: Vec::new(),
        heirlooms: Vec::new(),
        supposed: Vec::new(),
        observer_bias: 0.1 + 0.2,
        engine: Engine::Rules,
    };
    Slumber { frozen, law: DreamLaw::default(), gas: None }
}

fn supposed(text: &str) -> Hypothesis {
    Hypothesis {
        source: DreamOrigin::Replay,
        mode: None,
        description: text.to_owned(),
        rationale: "read in what happened".to_owned(),
        failure_conditions: "it does not".to_owned(),
        minimum_test: "it comes again".to_owned(),
        vector: None,
    }
}

/// A landing that notes an episode, supposes something and remembers a rehearsal.
fn landing(store: &SqliteStore, cycle: u64) -> Landing {
    let journal = DreamJournalEntry {
        cycle: CycleId(cycle),
        at: now(9),
        tier: DreamTier::Core,
        trigger: DreamTrigger::Interval,
        engine: EngineLabel::Rules,
        llm_calls: 0,
        finished: Vec::new(),
        ending: CycleEnding::Complete,
        nrem: NremSummary::default(),
        rem: RemSummary::default(),
        integration: IntegrationSummary::default(),
        fragments: Vec::new(),
        hypotheses: vec![supposed(&format!("idea {cycle}"))],
        stories: Vec::new(),
        cost: Usdc::from_micros(7),
        wasted: Usdc::ZERO,
        duration_ticks: 2,
        quality: Some(Ppm::of(333_333)),
    };
    let mut rehearsals = Rehearsals::default();
    rehearsals.rehearsed(ThreatKind::GasWar, cycle, now(9));
    let notes = store.reader().last_episodes(1).expect("readable").into_iter().map(|recorded| {
        let mut notes = recorded.notes;
        notes.strength = notes.strength.reinforced(Reinforcement::DreamReplay);
        (notes.replay_count, notes.last_replayed) = (1, Some(moment(11)));
        (recorded.episode.id, notes)
    });
    Landing {
        delivered: None,
        written: None,
        notes: notes.collect(),
        feelings: Default::default(),
        rehearsals,
        held: Vec::new(),
        testament: Vec::new(),
        awakening: Awakening::default(),
        dreamt: Dreamt {
            cycle: CycleId(cycle),
            trigger: DreamTrigger::Interval,
            tier: DreamTier::Core,
            engine: EngineLabel::Rules,
            ending: CycleEnding::Complete,
            calls: 0,
            wasted: Usdc::ZERO,
            duration_ticks: 2,
            counts: DreamCounts::default(),
            rules: Vec::new(),
            playbook_version: None,
            quality: None,
            mood: None,
        },
        cost: Usdc::from_micros(7),
        journal,
    }
}

fn bed(world: &mut World) -> &mut (dyn Dreams + Send) {
    world.store.dreams().expect("it keeps dreams")
}

/// D-168, DG-20, R-021: what is frozen reads back to the last bit and is frozen once; a question is noted before its answer,
/// one without an answer is known as sent, and the first answer counts.
#[test]
fn dg_20_what_was_frozen_and_answered_reads_back() {
    let Lived { folder: _folder, path, mut world } = fresh();
    let (effect, first) = (effect_id(1), slumber(1));
    assert_eq!(bed(&mut world).dreaming(effect).expect("readable"), None);
    bed(&mut world).fall_asleep(effect, moment(9), &first).expect("written");
    bed(&mut world).fall_asleep(effect, moment(10), &slumber(2)).expect("nothing to do");
    let answer =
        |cost| Answer { ask: 0, said: Some(Said::Narrative("it fell".to_owned())), cost: Usdc::from_micros(cost) };
    bed(&mut world).ask(effect, 0, Usdc::from_micros(90)).expect("written");
    let begun = bed(&mut world).dreaming(effect).expect("readable").expect("begun");
    assert_eq!((begun.answers.len(), begun.sent), (0, Some((0, Usdc::from_micros(90)))));
    bed(&mut world).answer(effect, &answer(5)).expect("written");
    bed(&mut world).answer(effect, &answer(6)).expect("too late");
    drop(world);
    let mut world = World::open(&path);
    let begun = bed(&mut world).dreaming(effect).expect("readable").expect("begun");
    assert_eq!((begun.slumber, begun.answers, begun.sent), (first, vec![answer(5)], None));
}

/// D-183, D-186, G-139: a landing is there whole or not at all; landed again it changes nothing and answers its record.
#[test]
fn d_186_a_dream_lands_once_and_whole() {
    let Lived { folder: _folder, path, mut world } = grown(12);
    let effect = effect_id(1);
    bed(&mut world).fall_asleep(effect, moment(9), &slumber(1)).expect("written");
    let first = landing(&world.store, 1);
    let settled = |landing| Settled { effect, now: moment(11), landing, cost: Usdc::from_micros(9) };
    let landed = bed(&mut world).land(&settled(&first)).expect("landed");
    assert_eq!((landed.cost, landed.entry.quality), (Usdc::from_micros(9), Some(Ppm::of(333_333))));
    let again = landing(&world.store, 7);
    assert_eq!(bed(&mut world).land(&settled(&again)).expect("known"), landed);
    drop(world);
    let world = World::open(&path);
    let reader = world.store.reader();
    assert_eq!(reader.dreamt(effect).expect("readable"), Some(landed));
    let shelf = reader.dream_shelf().expect("readable");
    assert_eq!(shelf.rehearsals.0[&ThreatKind::GasWar].cycle, 1);
    assert_eq!(shelf.supposed, ["idea 1"], "the next dream is told of it");
    for (id, notes) in &first.notes {
        let kept = reader.episode(*id).expect("readable").expect("an episode is never taken away");
        assert_eq!(&kept.notes, notes);
        assert!(reader.dream_episodes().expect("readable").iter().any(|one| one.episode.id == *id), "none is hidden");
    }
    reader.check().expect("sound");
}

/// R-020, D-168: a memory keeps the worlds of the last dreams only; their journal stays.
#[test]
fn d_168_old_worlds_go_and_the_journal_stays() {
    let Lived { folder: _folder, mut world, .. } = fresh();
    for cycle in 1..=12 {
        let effect = effect_id(cycle);
        bed(&mut world).fall_asleep(effect, moment(9), &slumber(cycle)).expect("written");
        let made = landing(&world.store, cycle);
        let settled = Settled { effect, now: moment(9 + cycle), landing: &made, cost: Usdc::ZERO };
        bed(&mut world).land(&settled).expect("landed");
    }
    assert_eq!(world.store.reader().last_dreams(99).expect("readable").len(), 12);
    let is_kept = |world: &World, cycle| world.store.reader().dreaming(effect_id(cycle)).expect("readable").is_some();
    assert!(!is_kept(&world, 1) && !is_kept(&world, 4) && is_kept(&world, 5) && is_kept(&world, 12));
}

/// a full disk lands nothing of a dream, and what was there is whole.
#[test]
fn r_020_a_dream_that_finds_no_room_leaves_nothing() {
    let Lived { folder: _folder, mut world, .. } = grown(3);
    let effect: EffectId = effect_id(1);
    let mut made = landing(&world.store, 1);
    made.awakening.lines = vec!["x".repeat(4_000); 400];
    world.store.limit(1).expect("bounded");
    let settled = Settled { effect, now: moment(3), landing: &made, cost: Usdc::ZERO };
    let error = bed(&mut world).land(&settled).expect_err("no room");
    assert!(matches!(error, StoreError::DiskFull { .. }), "{error}");
    let reader = world.store.reader();
    assert_eq!(reader.dreamt(effect).expect("readable"), None);
    assert!(reader.last_dreams(9).expect("readable").is_empty());
}

/// D-020, D-206, D-247: what the last dream says and what nobody tried can be read for a testament, the last dream first;
/// and from the landing of the first whole dream that supposed anything on, what was handed down is taken.
#[test]
fn d_020_what_nobody_tried_is_there_for_the_testament() {
    let Lived { folder: _folder, path, mut world } = fresh();
    assert_eq!(world.store.untried().expect("readable"), Vec::new());
    let land = |world: &mut World, cycle: u64, change: &dyn Fn(&mut Landing)| {
        let mut made = landing(&world.store, cycle);
        change(&mut made);
        let settled = Settled { effect: effect_id(cycle), now: moment(9 + cycle), landing: &made, cost: Usdc::ZERO };
        bed(world).land(&settled).expect("landed");
        world.store.note(FIRST_SUPPOSED_NOTE).expect("readable")
    };
    assert_eq!(land(&mut world, 1, &|_| {}), None, "it supposed nothing");
    let cut = |made: &mut Landing| (made.dreamt.counts.hypotheses, made.dreamt.ending) = (3, CycleEnding::Aborted);
    assert_eq!(land(&mut world, 2, &cut), None, "it did not end whole");
    let whole = |made: &mut Landing| made.dreamt.counts.hypotheses = 1;
    assert_eq!(land(&mut world, 3, &whole).as_deref(), Some("cycle-3"));
    assert_eq!(land(&mut world, 4, &whole).as_deref(), Some("cycle-3"), "the first counts");
    let last = |made: &mut Landing| {
        made.journal.hypotheses.clear();
        (made.dreamt.trigger, made.testament) =
            (DreamTrigger::Emergency, vec!["gas leads".to_owned(), "idea 4".to_owned()]);
    };
    land(&mut world, 5, &last);
    land(&mut world, 6, &|made| made.journal.hypotheses.clear());
    drop(world);
    let untried = World::open(&path).store.untried().expect("readable");
    let texts: Vec<&str> = untried.iter().map(|one| one.text.as_str()).collect();
    assert_eq!(texts, ["gas leads", "idea 4"], "what it said last comes first, and nothing is said twice");
}

/// D-243: behind an insurance snapshot the oldest fragments go, and not before one; the snapshot has them all.
#[test]
fn d_243_old_fragments_are_purged_behind_a_snapshot_alone() {
    let Lived { folder: _folder, path, mut world } = fresh();
    let mut made = landing(&world.store, 1);
    let of = |nth: u32| Fragment {
        text: format!("fragment {nth}"),
        confidence: CONFIDENCE,
        status: FragmentStatus::Kept,
        vector: None,
    };
    made.journal.fragments = (0..1_050).map(of).collect();
    let settled = Settled { effect: effect_id(1), now: moment(9), landing: &made, cost: Usdc::ZERO };
    bed(&mut world).land(&settled).expect("landed");
    let kept = |path: &std::path::Path| -> u32 {
        let file = rusqlite::Connection::open(path).expect("a file");
        file.query_row("SELECT count(*) FROM dream_fragments", (), |row| row.get(0)).expect("a count")
    };
    assert_eq!(kept(&path), 1_050, "nothing goes by itself");
    let snapshot = world.store.insure(Tick::new(9)).expect("insured");
    assert_eq!((kept(&path), kept(&snapshot)), (1_000, 1_050));
}
