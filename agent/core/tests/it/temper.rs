//! Lives with moods: what moves them, and what a mood may move.

use golem_core::life::Life;
use golem_core::record::{
    AffectTemper, CladeNews, DaimonEvent, EffectKind, Event, Observation, Order, PeerMessage, SiblingCrisis,
    SiblingDeath, Temper, Turn,
};
use golem_core::step::step;
use golem_daimon::Pad;
use golem_daimon::feeling::Felt;
use golem_daimon::personality::{Disposition, Personality};
use golem_daimon::trigger::TriggerKind;
use golem_mortality::behaviour::Behaviour;
use golem_mortality::cause::CauseKind;
use golem_mortality::law::Law;
use golem_primitives::{GolemId, Ppm, Usdc};
use golem_suffering::domain::WorkDomain;
use golem_suffering::law::SufferingProfile;
use golem_suffering::severity::Severity;
use golem_suffering::text::Key;
use proptest::prelude::*;

use crate::hand::purchases;
use crate::kinship::hear;
use crate::mind::Mind;
use crate::venue::{Venue, opens};

fn named(name: &str) -> Personality {
    Personality::born(&GolemId::new(name).expect("a name"), None)
}

/// Moods and suffering both, for somebody like this.
pub(crate) fn whole(personality: Personality) -> Temper {
    let place = WorkDomain { protocol: Key::new("uniswap_v3"), pair: Key::new("WETH/USDC"), ..WorkDomain::default() };
    Temper { affect: Some(AffectTemper::of(personality)), suffering: Some(SufferingProfile::Hardened), place }
}

fn tempered(temper: Temper) -> Venue {
    Venue { temper: Some(temper), ..Venue::new("mean-reversion") }
}

/// What it appraised, by what moved it.
fn appraisals(venue: &Venue) -> Vec<&Felt> {
    let moods = each!(&venue.events, Event::Daimon(told) => &**told);
    each!(moods, DaimonEvent::Appraisal { felt, .. } => felt)
}

/// How often this moved it.
pub(crate) fn felt(venue: &Venue, trigger: TriggerKind) -> usize {
    appraisals(venue).iter().filter(|felt| felt.trigger == trigger).count()
}

/// a life that is told of neither does and is written what it always did and was.
#[test]
fn a_008_a_life_that_is_told_of_nothing_is_as_it_was() {
    let (mut plain, mut told) = (Venue::new("mean-reversion"), tempered(Temper::NONE));
    plain.run(200);
    told.run(200);
    assert_eq!(plain.effects, told.effects);
    assert_eq!(plain.life.to_snapshot(), told.life.to_snapshot());
    assert!(told.life.affect().is_none() && told.life.pressure().is_none() && told.life.has_heard(&Temper::NONE));
}

/// every question of one that its own end moves stands under how near that is; another is told of its mood alone.
#[test]
fn a_044_who_is_moved_by_its_end_is_told_of_it() {
    let words = |mortality_aware| {
        let affect = AffectTemper { mortality_aware, ..AffectTemper::of(named("ada")) };
        let mut venue = tempered(Temper { affect: Some(affect), ..Temper::NONE });
        venue.run(3);
        venue.life.state_words().expect("it feels")
    };
    let moved = words(true);
    assert!(moved.starts_with("Vitality ") && moved.contains("Credits ") && moved.contains(" a day."), "{moved}");
    assert!(words(false).starts_with("State: "), "{}", words(false));
}

/// two siblings meet one market differently, and the same seed meets it the same to the last order.
#[test]
fn a_001_siblings_trade_differently_and_reproducibly_by_seed() {
    let live = |name: &str| {
        // A book that promises little more than its costs: how much more is asked for is a mood's to say.
        let mut foundation = crate::brisk::foundation("mean-reversion");
        for rule in &mut foundation.book.rules {
            rule.expects = rule.expects.map(|expects| golem_playbook::Expectation { return_ppm: 1_850, ..expects });
        }
        let settings = golem_core::trader::TraderSettings::default();
        let temper = Some(Temper { suffering: None, ..whole(named(name)) });
        let mut venue = Venue { temper, ..Venue::on(foundation, settings, Law::hosted().on_chain()) };
        venue.run(600);
        venue
    };
    let lives: Vec<Venue> = ["ada", "bea", "cyd", "dov", "eli", "fay"].map(live).into_iter().collect();
    assert_eq!(live("ada").effects, lives[0].effects, "the same seed");
    assert_eq!(live("ada").life.hash(), lives[0].life.hash());
    // An effect is named by its tick: the same orders at other times are other orders.
    let entries = |venue: &Venue| {
        let entered = venue.effects.iter().filter(|effect| opens(&effect.kind));
        entered.map(|effect| (effect.id, format!("{:?}", effect.kind))).collect::<Vec<_>>()
    };
    let mut traded: Vec<_> = lives.iter().map(entries).collect();
    assert!(traded.iter().all(|entered| entered.len() > 5));
    traded.sort();
    traded.dedup();
    assert!(traded.len() >= 3, "six siblings trade in {} ways", traded.len());
}

/// what moved a decision is told with it, and appraisals are told by their names.
#[test]
fn a_006_an_entry_is_told_with_the_mood_behind_it() {
    let mut venue = tempered(whole(Personality::plain(Disposition::Eros)));
    venue.run(600);
    let swayed = venue.told(|event| event.telemetry_name() == "daimon.influence");
    assert_eq!(swayed, purchases(&venue).len(), "each entry, for a baseline that is not neutral");
    for name in ["daimon.appraisal", "daimon.emotional_shift"] {
        assert!(venue.events.iter().any(|event| event.telemetry_name() == name), "{name}");
    }
}

/// A-035, M-057: a tick that was foretold wrongly rouses; one that came as foretold does not.
#[test]
fn a_035_what_was_foretold_wrongly_rouses() {
    let roused = |price: fn(u64) -> u64| {
        let mut venue = Venue { price, ..Venue::new("mean-reversion") };
        venue.run(31);
        // A mood is new to it, so its first ordinary tick is appraised.
        venue.temper = Some(Temper { suffering: None, ..whole(Personality::plain(Disposition::Balanced)) });
        venue.run(5);
        let pulse = appraisals(&venue).into_iter().find(|felt| felt.trigger == TriggerKind::Pulse);
        pulse.expect("an ordinary tick").feeling.pad.arousal()
    };
    let (still, uneven) = (roused(|_| 3_000_000_000), roused(|tick| 3_000_000_000 + (tick % 2) * 9_000_000));
    assert!(uneven > still + 0.1, "{uneven} {still}");
}

/// a sibling's death lowers what is staked, and the grief passes.
#[test]
fn a_091_grief_makes_entries_smaller_for_a_while() {
    let mut venue = tempered(Temper { suffering: None, ..whole(Personality::plain(Disposition::Balanced)) });
    venue.run(60);
    let before = venue.life.affect().expect("a mood").influence(venue.life.tick(), venue.now()).risk;
    venue.pass += 1;
    let sibling = GolemId::new("sibling").expect("a name");
    let death = SiblingDeath { golem: sibling, cause: CauseKind::Economic, overlap: Ppm::of(500_000) };
    let news = CladeNews { deaths: vec![death], ..CladeNews::default() };
    let seen = vec![venue.see(), Observation::Clade(Box::new(news))];
    venue.pass_turn(Turn::Deciding, seen);
    let affect = venue.life.affect().expect("a mood");
    let grief = affect.influence(venue.life.tick(), venue.now()).risk;
    assert!(grief < before * 0.85, "{grief} after {before}");
    assert!(venue.events.iter().any(|event| event.telemetry_name() == "daimon.grief_began"));
    venue.pass_turn(Turn::Sleeping, Vec::new());
    venue.run(120);
    assert!(venue.life.affect().expect("a mood").daimon.grief(venue.life.tick()).is_none());
}

/// M-134: a mood opens the hand the law leaves closed and closes none it opens; off, it is the law's.
#[test]
fn a_077_affect_gives_away_more_and_never_less() {
    let like = |pleasure: i32| {
        let mut written = serde_json::to_value(Personality::plain(Disposition::Eros)).expect("plain data");
        written["baseline"] = serde_json::to_value(Pad::thousandths(pleasure, 0, -400)).expect("plain data");
        serde_json::from_value::<Personality>(written).expect("a personality")
    };
    for (pleasure, gives_more) in [(500, true), (0, false), (-700, false)] {
        let mut venue = tempered(Temper { suffering: None, ..whole(like(pleasure)) });
        let mut gave_more = false;
        for _ in 0..200 {
            venue.tick();
            let sharing = venue.life.sharing();
            assert_eq!(sharing.by_law, venue.life.vitals().posture().sharing);
            assert!(sharing.threshold <= sharing.by_law && sharing.threshold >= Ppm::of(100_000), "{sharing:?}");
            gave_more |= sharing.threshold < sharing.by_law;
        }
        assert_eq!(gave_more, gives_more, "{pleasure}");
        venue.temper = Some(Temper { affect: None, suffering: None, ..whole(like(pleasure)) });
        venue.run(2);
        assert_eq!(venue.life.sharing().threshold, venue.life.sharing().by_law, "A-008");
    }
}

/// S-034: a kindred death of understanding is grieved and opens the hand; crises of siblings rouse by
/// a tenth each and three tenths at most, touch no dominance, and press on nobody.
#[test]
fn a_095_what_siblings_tell_moves_a_mood_and_nothing_else() {
    let mut venue = tempered(whole(Personality::plain(Disposition::Balanced)));
    venue.run(150);
    let mood = |venue: &Venue| venue.life.affect().expect("a mood").mood(venue.now());
    let calm = mood(&venue);
    let golem = GolemId::new("sibling").expect("a name");
    let types = vec![Key::new("futility").expect("a key")];
    let message = PeerMessage { load: Severity::ONE, types, is_over: false };
    let over = SiblingCrisis { golem, message: PeerMessage { is_over: true, ..message.clone() } };
    hear(&mut venue, CladeNews { crises: vec![over; 3], ..CladeNews::default() });
    assert!((mood(&venue).arousal() - calm.arousal()).abs() < 0.05, "what is over rouses nobody");
    let crisis = SiblingCrisis { golem, message };
    hear(&mut venue, CladeNews { crises: vec![crisis.clone(); 40], ..CladeNews::default() });
    let told = Event::SiblingCrisis(Box::new(crisis));
    assert!(venue.events.contains(&told), "S-031: load and types are heard");
    let roused = mood(&venue);
    assert!((0.25..=0.31).contains(&(roused.arousal() - calm.arousal())), "A-162: {calm} {roused}");
    assert!((roused.dominance() - calm.dominance()).abs() < 0.02, "A-095");
    assert!(venue.life.pressure().expect("it suffers").suffering.active().is_empty(), "S-034");
    let death = SiblingDeath { golem, cause: CauseKind::EpistemicSenescence, overlap: Ppm::ONE };
    hear(&mut venue, CladeNews { deaths: vec![death], ..CladeNews::default() });
    let influence = venue.life.affect().expect("a mood").influence(venue.life.tick(), venue.now());
    assert!(influence.recalibrates && influence.risk < 0.85, "A-091, A-093: {influence:?}");
    let sharing = venue.life.sharing();
    assert!(sharing.threshold < sharing.by_law, "A-093: {sharing:?}");
}

/// episodes of an appraised tick carry what was felt, others nothing, and arousal is among it.
#[test]
fn a_100_episodes_carry_what_was_felt() {
    let mut venue = Venue { mind: Some(Mind::default()), ..tempered(whole(named("ada"))) };
    venue.run(400);
    let mind = venue.mind.as_ref().expect("a memory");
    let tagged: Vec<_> = mind.episodes().filter_map(|episode| Some((episode, episode.emotion?))).collect();
    assert!(tagged.len() > 10, "{}", tagged.len());
    assert!(tagged.iter().all(|(episode, tag)| tag.since == episode.recorded.at), "felt in the tick it was made");
    assert!(tagged.iter().any(|(_, tag)| tag.pad.arousal() != 0.0));
    assert!(mind.episodes().any(|episode| episode.emotion.is_none()), "an untouched tick leaves none");
}

/// S-111: a life with both rooms, cut and restored at every pass, ends in the same hash.
#[test]
fn r_021_a_moved_life_cut_at_every_pass_ends_in_the_same_hash() {
    let mut venue = Venue { reverts: |_| true, ..tempered(whole(named("ada"))) };
    let born = venue.life.clone();
    venue.run(120);
    venue.seconds_per_pass = 9_000;
    venue.reverts = |_| false;
    venue.run(120);
    let mut again = born;
    for input in &venue.journal {
        let written = serde_json::to_string(input).expect("plain data");
        let read = serde_json::from_str(&written).expect("just written");
        again = Life::from_snapshot(&step(again, &read).life.to_snapshot()).expect("just written");
    }
    assert_eq!(again.hash(), venue.life.hash());
    let active = again.pressure().expect("it suffers").suffering.active();
    assert!(!active.is_empty(), "there is something to keep");
}

/// numbers may be changed in a life, what it is like is not.
#[test]
fn a_020_personality_is_fixed_at_birth() {
    let (first, second) = (named("ada"), named("bea"));
    let mut venue = tempered(whole(first));
    venue.run(3);
    assert!(venue.life.has_heard(&whole(second)), "another personality is nothing new");
    let off = Temper { affect: None, ..whole(first) };
    assert!(!venue.life.has_heard(&off));
    venue.temper = Some(off.clone());
    venue.run(3);
    let affect = venue.life.affect().expect("kept");
    assert!(!affect.law().is_on() && venue.life.has_heard(&off));
    assert_eq!(*affect.daimon.personality(), first);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// whoever it is and whatever happens, no entry is larger than phase and cage give.
    #[test]
    fn a_150_no_mood_stakes_more_than_the_phase_gives(name in "[a-z]{1,8}", revert in any::<bool>(), pace in 40u64..4_000) {
        let mut venue = tempered(whole(named(&name)));
        venue.seconds_per_pass = pace;
        venue.reverts = if revert { opens } else { |_| false };
        for _ in 0..150 {
            let (seen, phase) = (venue.effects.len(), venue.phase());
            venue.tick();
            let most = Usdc::whole(1_000).share_down(Ppm::of(50_000).times_down(Behaviour::of(phase).risk_within(Ppm::ONE)));
            for effect in &venue.effects[seen..] {
                if let EffectKind::Trade(Order::Buy { spend, .. }) = effect.kind {
                    prop_assert!(spend <= most, "{spend} of {most}");
                }
            }
        }
        prop_assert!(venue.events.iter().any(|event| matches!(event, Event::Daimon(_))));
    }
}
