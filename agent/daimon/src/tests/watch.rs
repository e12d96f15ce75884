use super::*;
use crate::feeling::Feeling;
use crate::trigger::TriggerKind;

fn felt(primary: Emotion, tick: u64) -> Felt {
    Felt {
        feeling: Feeling::new(primary, Pad::NEUTRAL, 0.5, 0.5),
        trigger: TriggerKind::Unknown,
        mood: Pad::NEUTRAL,
        tick: Tick::new(tick),
        at: UtcTime::EPOCH,
    }
}

/// one emotion for everything makes rules more sensitive for 50 ticks.
#[test]
fn a_053_sameness_raises_sensitivity() {
    let mut watch = WatchMemory::default();
    assert_eq!(watch.review(Tick::new(50)), None, "nothing felt says nothing");
    (10..20).for_each(|tick| watch.note_felt(&felt(Emotion::Fear, tick)));
    assert_eq!(watch.review(Tick::new(50)), Some(Alert::LowDiversity));
    assert_eq!((watch.sensitivity(Tick::new(99)), watch.sensitivity(Tick::new(100))), (1.5, 1.0));
    assert_eq!(watch.review(Tick::new(100)), None, "what is older than 50 ticks does not count");
    let mut varied = WatchMemory::default();
    [Emotion::Fear, Emotion::Joy].iter().cycle().take(10).for_each(|label| varied.note_felt(&felt(*label, 40)));
    assert_eq!(varied.review(Tick::new(50)), None);
    assert!((entropy_bits([Emotion::Fear, Emotion::Joy].into_iter()) - 1.0).abs() < 1e-12);
}

/// one label for 500 ticks is told once.
#[test]
fn a_055_one_label_for_500_ticks_is_told_once() {
    let mut watch = WatchMemory::default();
    let mood = Pad::thousandths(300, 300, 300);
    let told: Vec<u64> =
        (1..=1_200).filter(|tick| watch.note_mood(mood, Tick::new(*tick)).contains(&Alert::SameLabel)).collect();
    assert_eq!(told, [501]);
}

/// three capped syncs within a day.
#[test]
fn a_055_contagion_at_its_bound_is_told() {
    let at = |hours: u64| UtcTime::from_seconds(hours * 3_600);
    let mut watch = WatchMemory::default();
    assert_eq!([0, 10].map(|hours| watch.note_cap(at(hours))), [None, None]);
    assert_eq!(watch.note_cap(at(23)), Some(Alert::ContagionCap));
    assert_eq!(watch.note_cap(at(35)), None, "the first is more than a day old by now: 10 to 35");
}

/// 200 ticks without command, told once, gone when it is.
#[test]
fn a_056_helplessness_is_told() {
    let mut watch = WatchMemory::default();
    let low = Pad::round(0.0, 0.0, -0.300_001);
    let told: Vec<u64> =
        (1..=300).filter(|tick| watch.note_mood(low, Tick::new(*tick)).contains(&Alert::Helplessness)).collect();
    assert_eq!((told, watch.is_helpless()), (vec![200], true));
    (301..=320).for_each(|tick| drop(watch.note_mood(Pad::thousandths(0, 0, 1_000), Tick::new(tick))));
    assert!(!watch.is_helpless());
    let mut edge = WatchMemory::default();
    (1..=300).for_each(|tick| drop(edge.note_mood(Pad::round(0.0, 0.0, -0.3), Tick::new(tick))));
    assert!(!edge.is_helpless(), "exactly -0.3 is not below it");
}
