use std::collections::BTreeSet;

use golem_daimon::Pad;
use golem_dreams::chance::Seed;
use golem_dreams::inputs::{Thread, Trace};
use golem_dreams::nrem::select::{Chooser, Criterion, calls, reserve};
use golem_dreams::nrem::utility::{Context, MoodBias, gain, need, spacing, utility};
use golem_dreams::words::{DreamTier, Prioritisation};
use golem_dreams::{CycleId, Frozen};
use golem_grimoire::episode::{Ambiguity, DreamPriority, EpisodeKind};
use golem_grimoire::id::EpisodeId;
use golem_grimoire::provenance::Provenance;
use golem_grimoire::regime::Regime;
use golem_mortality::dream_modulation::LegacyFocus;
use golem_primitives::{Ppm, Tick, Usdc};
use proptest::prelude::*;

use crate::make::{at, felt, frozen, golem, in_regime, ppm, result, trace, vector};

fn context(market: &golem_dreams::vector::Vector) -> Context<'_> {
    Context { market: Some(market), regime: Some(Regime::Bull), tick: Tick::new(1_500), mood: None, is_legacy: false }
}

/// The episode of V16 and V17: surprise 0.8, lost 23 of 1,000, regret 0.5, cosine 0.9, 500 ticks ago.
fn v16() -> Trace {
    let mut one = result(1_000, -23_000_000);
    one.recorded.episode.position = Usdc::whole(1_000);
    one.surprise = Some(ppm(0.8));
    one.regret = Some(ppm(0.5));
    one.vector = Some(vector(&[0.9, 0.435_889_9]));
    one
}

fn worth(change: impl Fn(&mut Trace)) -> Ppm {
    let market = vector(&[1.0, 0.0]);
    let mut one = v16();
    change(&mut one);
    utility(&one, &context(&market))
}

/// D-073, D-074, D-075: V16, V17, V18, V25.
#[test]
fn d_074_gain_and_need_meet_their_vectors() {
    assert_eq!(ppm(gain(0.8, Some(-23), 1_000, 0.5)), ppm(0.4769), "V16");
    assert_eq!(ppm(gain(1.0, Some(500), 1_000, 1.0)), ppm(0.85), "V25");
    assert_eq!(ppm(gain(0.5, Some(7), 0, 0.2)), ppm(0.26), "V25: a position of nothing");
    assert_eq!(ppm(gain(0.0, Some(i64::MIN), 1, 0.0)), ppm(0.3), "a loss beyond the position counts whole");
    assert_eq!(ppm(need(0.9, true, 500)), ppm(0.893_640), "V17, D-075");
    assert_eq!(ppm(need(0.9, false, 500)), ppm(0.683_640), "V17");
    assert_eq!(need(-1.0, true, 500), need(0.0, true, 500), "what points away is nothing");
    assert_eq!(worth(|_| {}), ppm(0.426_177), "V18, D-073");
    assert_eq!(worth(|one| one.recorded.episode.regime = Some(Regime::Bear)), ppm(0.326_028), "V18");
}

/// D-076, D-077, D-078, D-079: V19 to V22.
#[test]
fn d_079_boosts_and_penalties_meet_their_vectors() {
    let tagged = |one: &mut Trace| {
        one.recorded.notes.dream_priority = Some((DreamPriority::High, Ambiguity::ContradictoryPattern));
    };
    assert_eq!(worth(tagged), ppm(0.852_354), "V19, D-079");
    let medium = |one: &mut Trace| {
        one.recorded.notes.dream_priority = Some((DreamPriority::Medium, Ambiguity::ContradictoryPattern));
    };
    assert_eq!(worth(medium), ppm(0.426_177), "only high counts");
    assert_eq!(worth(|one| one.recorded.notes.last_replayed = Some(at(1_250))), ppm(0.296_932), "V20, D-076");
    assert_eq!(worth(|one| one.recorded.notes.last_replayed = Some(at(1_500))), ppm(0.213_089), "V20");
    assert_eq!(worth(|one| one.recorded.notes.replay_count = 3), ppm(0.261_726), "V21, D-077");
    assert_eq!(worth(|one| one.provenance = Provenance::Testament), ppm(0.511_412), "V22, D-078");
    assert_eq!(worth(|one| one.provenance = Provenance::Inheritance), ppm(0.426_177), "D-078: the dead's words alone");
    assert_eq!(spacing(None), 1.0);
}

fn seed() -> Seed {
    Seed::new(golem(), CycleId(17))
}

fn chosen(frozen: &Frozen, order: Prioritisation, size: usize) -> Vec<EpisodeId> {
    let batch = Chooser::new(frozen, order, size, LegacyFocus::None).next(&mut seed().draws("t"));
    batch.map_or_else(Vec::new, |batch| batch.chosen.iter().map(|one| one.trace.id()).collect())
}

/// D-080: V23, V24: strictly above 0.1, best first, top N; a tag rescues.
#[test]
fn d_080_only_what_is_worth_it_is_replayed() {
    let market = vector(&[1.0, 0.0]);
    let mut faint = v16();
    faint.recorded.episode.pnl_micros = Some(10_000_000);
    faint.surprise = Some(ppm(0.2));
    faint.regret = None;
    faint.vector = Some(vector(&[0.8, 0.6]));
    let at_1000 = Context { tick: Tick::new(2_000), ..context(&market) };
    assert_eq!(utility(&faint, &at_1000), ppm(0.066_563), "V23");
    faint.recorded.notes.dream_priority = Some((DreamPriority::High, Ambiguity::ContradictoryPattern));
    assert_eq!(utility(&faint, &at_1000), ppm(0.133_125), "V23");
    assert!(Ppm::of(100_000) <= golem_dreams::nrem::utility::ELIGIBLE, "V24: exactly 0.1 is dropped");

    let mut world = frozen(DreamTier::Hardened);
    world.traces = (0..4).map(|n| Trace { surprise: Some(ppm(0.9 - 0.2 * f64::from(n))), ..trace(2_990) }).collect();
    for (n, one) in world.traces.iter_mut().enumerate() {
        one.recorded.episode.id = trace(2_990 + n as u64).id();
    }
    world.traces.push(Trace { surprise: Some(Ppm::ZERO), ..trace(100) });
    let best: Vec<EpisodeId> = (0..2).map(|n| trace(2_990 + n).id()).collect();
    assert_eq!(chosen(&world, Prioritisation::Utility, 2)[..2], best);
}

/// D-081, D-082: V26, and each criterion of the reserve, regardless of utility.
#[test]
fn d_081_a_fifth_is_reserved_for_what_is_different() {
    assert_eq!([5, 10, 15].map(reserve), [1, 2, 3], "V26");
    let dull = |one: Trace| Trace { surprise: Some(Ppm::ZERO), ..one };
    let mut world = frozen(DreamTier::Hardened);
    world.traces = (0..30).map(|n| trace(2_950 + n)).collect();
    world.traces.push(dull(in_regime(2_000, Regime::Bear)));
    world.traces.push(dull(in_regime(2_001, Regime::Bear)));
    world.traces.push(dull(in_regime(1_999, Regime::Crisis)));
    world.traces.push(dull(felt(2_945, Pad::thousandths(0, 900, 0))));
    for one in world.traces.iter_mut().filter(|one| one.recorded.episode.happened.tick.get() < 2_946) {
        (one.recorded.episode.pnl_micros, one.surprise) = (Some(0), Some(Ppm::ZERO));
    }
    let mut chooser = Chooser::new(&world, Prioritisation::Utility, 10, LegacyFocus::None);
    let first = chooser.next(&mut seed().draws("t")).expect("a batch");
    assert_eq!((first.chosen.len(), first.reserved), (12, 2));
    let regimes: Vec<_> = first.chosen[10..].iter().map(|one| one.trace.recorded.episode.regime).collect();
    assert_eq!(regimes, [Some(Regime::Crisis), Some(Regime::Bear)], "rarest first; both are of the oldest third");
    assert_eq!(first.unmet, [Criterion::HighArousal], "no room left");
    let second = chooser.next(&mut seed().draws("t")).expect("a batch");
    let reserved = &second.chosen[second.chosen.len() - second.reserved..];
    assert!(reserved.iter().any(|one| one.trace.arousal() > 0.5), "it was carried");
    world.mood = None;
    let mut calm = Chooser::new(&world, Prioritisation::Utility, 10, LegacyFocus::None);
    let batch = calm.next(&mut seed().draws("t")).expect("a batch");
    assert!(batch.unmet.is_empty(), "D-082: without a Daimon nobody asks for arousal");
}

/// D-083: other orders.
#[test]
fn d_083_an_owner_may_order_otherwise() {
    let mut world = frozen(DreamTier::Hardened);
    world.mood = None;
    world.traces = (0..6).map(|n| Trace { surprise: Some(ppm(0.5 + 0.05 * n as f64)), ..trace(2_995 - n) }).collect();
    let ticks = |order| -> Vec<u64> {
        let ids = chosen(&world, order, 3);
        let tick = |id: &EpisodeId| {
            world.traces.iter().find(|one| one.id() == *id).map(|one| one.recorded.episode.happened.tick.get())
        };
        ids[..3].iter().filter_map(tick).collect()
    };
    assert_eq!(ticks(Prioritisation::Recency), [2_995, 2_994, 2_993]);
    assert_eq!(ticks(Prioritisation::Surprise), [2_990, 2_991, 2_992]);
    assert_eq!(ticks(Prioritisation::Uniform), ticks(Prioritisation::Uniform), "chance under the seed");
    assert_eq!(ticks(Prioritisation::Uniform).len(), 3);
}

/// D-084, D-204: a Golem that understands little asks what confused it.
#[test]
fn d_084_the_confused_ask_what_confused_them() {
    let mut world = frozen(DreamTier::Hardened);
    world.mood = None;
    world.traces = (0..5).map(|n| trace(2_990 + n)).collect();
    for (n, one) in world.traces.iter_mut().enumerate() {
        one.recorded.episode.actual = Some(0.05 + 0.1 * n as f64);
        one.surprise = Some(ppm(0.9 - 0.1 * n as f64));
    }
    world.clocks.accuracy = ppm(0.5);
    assert_eq!(chosen(&world, Prioritisation::Utility, 1)[0], world.traces[0].id(), "0.5 is not below 0.5");
    world.clocks.accuracy = ppm(0.499_999);
    assert_eq!(chosen(&world, Prioritisation::Utility, 1)[0], world.traces[4].id());
}

/// D-085: each mood doubles what it looks for.
#[test]
fn d_085_moods_look_for_their_own() {
    let shift = |one: &mut Trace| one.recorded.episode.kind = EpisodeKind::RegimeShift;
    for (mood, bias) in [
        (Pad::thousandths(-400, 600, -300), MoodBias::Anxious),
        (Pad::thousandths(500, 300, 500), MoodBias::Confident),
        (Pad::thousandths(0, -500, 0), MoodBias::Depleted),
        (Pad::thousandths(-700, -200, -500), MoodBias::Despairing),
        (Pad::NEUTRAL, MoodBias::None),
    ] {
        assert_eq!(MoodBias::of(Some(mood)), bias, "{mood}");
    }
    assert_eq!(MoodBias::of(None), MoodBias::None);
    let market = vector(&[1.0, 0.0]);
    let anxious = Context { mood: Some(Pad::thousandths(-400, 600, -300)), ..context(&market) };
    let mut one = v16();
    assert_eq!(utility(&one, &anxious), ppm(0.426_177));
    shift(&mut one);
    assert_eq!(utility(&one, &anxious), ppm(0.852_354), "twice");
    let novel = Trace { surprise: Some(ppm(0.5)), ..trace(1) };
    assert!(MoodBias::Confident.favours(&novel) && !MoodBias::Depleted.favours(&result(1, -5)));
    assert!(MoodBias::Depleted.favours(&result(1, 5)));
    assert!(MoodBias::Despairing.favours(&Trace { provenance: Provenance::Testament, ..trace(1) }));
}

/// D-086: dreams own these weights; waking replay has none of its own in this law.
#[test]
fn d_086_gain_times_need_has_one_home() {
    let market = vector(&[1.0, 0.0]);
    let one = v16();
    let by_hand = gain(0.8, Some(-23_000_000), 1_000_000_000, 0.5) * need(0.9, true, 500);
    assert_eq!(utility(&one, &context(&market)), ppm(by_hand));
}

/// D-087: fifteen episodes are two calls of ten and five.
#[test]
fn d_087_batches_are_called_in_tens() {
    let sizes = |count: usize| calls(&(0..count).collect::<Vec<_>>()).iter().map(Vec::len).collect::<Vec<_>>();
    assert_eq!((sizes(15), sizes(10), sizes(5)), (vec![10, 5], vec![10], vec![5]));
}

/// D-088: what belongs to one position is read together.
#[test]
fn d_088_lives_of_positions_stay_whole() {
    let mut world = frozen(DreamTier::Hardened);
    world.mood = None;
    world.traces = (0..8).map(|n| Trace { surprise: Some(ppm(0.8 - 0.05 * n as f64)), ..trace(2_980 + n) }).collect();
    for n in [0, 6, 7] {
        world.traces[n].trade = Some(crate::make::trade(2_980, 2_990));
    }
    let ids: BTreeSet<EpisodeId> = chosen(&world, Prioritisation::Utility, 4)[..4].iter().copied().collect();
    for n in [0, 6, 7] {
        assert!(ids.contains(&world.traces[n].id()), "{n} came with its position");
    }
    assert!(ids.contains(&world.traces[1].id()), "the best of the rest");
}

/// D-045, D-072: what was being thought when the Golem fell asleep is replayed first, whatever it is worth.
#[test]
fn d_072_residue_is_replayed_first() {
    let mut world = frozen(DreamTier::Hardened);
    world.traces = (0..5).map(|n| trace(2_990 + n)).collect();
    world.traces.push(Trace { surprise: Some(Ppm::ZERO), ..result(50, 0) });
    let old = world.traces[5].id();
    world.threads = vec![Thread { text: "why?".into(), episodes: BTreeSet::from([old]), is_puzzle: true }];
    assert_eq!(chosen(&world, Prioritisation::Utility, 3)[0], old, "D-045");
}

proptest! {
    /// D-080: nothing below the line is chosen on its merit, nothing twice, nothing forgotten.
    #[test]
    fn d_080_batches_hold_what_they_promise(
        worths in prop::collection::vec((0.0..=1.0f64, any::<bool>()), 0..40), size in 1usize..12,
    ) {
        let mut world = frozen(DreamTier::Hardened);
        world.traces = worths.iter().zip(2_900..).map(|((surprise, forgotten), tick)| {
            let mut one = Trace { surprise: Some(ppm(*surprise)), ..trace(tick) };
            one.recorded.notes.is_forgotten = *forgotten;
            one
        }).collect();
        let mut chooser = Chooser::new(&world, Prioritisation::Utility, size, LegacyFocus::None);
        let mut seen = BTreeSet::new();
        let mut draws = seed().draws("t");
        while let Some(batch) = chooser.next(&mut draws) {
            prop_assert!(batch.chosen.len() <= size + reserve(size));
            let merit = &batch.chosen[..batch.chosen.len() - batch.reserved];
            prop_assert!(merit.iter().all(|one| one.utility > Ppm::of(100_000)));
            for one in &batch.chosen {
                prop_assert!(seen.insert(one.trace.id()), "once");
                prop_assert!(!one.trace.recorded.notes.is_forgotten);
            }
        }
    }
}
