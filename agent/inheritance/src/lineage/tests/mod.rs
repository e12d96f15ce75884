use super::*;

/// I-314.
#[test]
fn i_314_reputation_is_not_inherited() {
    let born = Reputation::at_birth(Some(Ppm::of(900_000)), 3);
    assert_eq!((born.mean(), born.predecessor), (Ppm::of(500_000), Some(Ppm::of(900_000))));
    assert_eq!(born.after(true).mean(), Ppm::round(2.0 / 3.0));
    assert_eq!(born.after(false).generations, 3);
}

/// I-317.
#[test]
fn i_317_a_line_has_a_status_and_a_trend() {
    let row = |number, novel| Generation {
        number,
        ticks: 100,
        tally: crate::ratchet::Tally { inherited: 10, novel_insights: novel, ..Default::default() },
        ..Generation::default()
    };
    let line = LineageRecord {
        lineage: LineageId(7),
        generations: vec![row(0, 40), row(1, 2), row(2, 4)],
        is_alive: false,
        is_ended: false,
    };
    assert_eq!((line.status(), line.trend().1), (LineageStatus::Dormant, Some(true)));
    assert_eq!(line.trend().0.micros(), 150_000);
    assert_eq!(LineageRecord { is_alive: true, ..line.clone() }.status(), LineageStatus::Active);
    assert_eq!(LineageRecord { is_ended: true, ..line }.status(), LineageStatus::Terminated);
}

/// I-305, I-352.
#[test]
fn i_352_an_immortal_leaves_nothing_that_presumes_a_death() {
    let left = |mode, teardown| Bequeathed::ALL.iter().map(|w| is_left(*w, mode, teardown)).collect::<Vec<_>>();
    assert_eq!(left(Mode::Hosted, false), [true; 4]);
    assert_eq!(left(Mode::Immortal, false), [false; 4]);
    assert_eq!(left(Mode::Immortal, true), [true, false, false, false], "I-305: torn down, it says what it was");
}
