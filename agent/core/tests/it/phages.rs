//! Phages beside a life, and the markets its line died of.

use golem_core::record::{Event, PhageReport, Temper};
use golem_core::trader::{Foundation, TraderSettings, TriedIn};
use golem_daimon::personality::{Disposition, Personality};
use golem_daimon::trigger::TriggerKind;
use golem_mortality::cause::CauseKind;
use golem_mortality::fractal::PhageLaw;
use golem_mortality::law::Law;
use golem_playbook::choice::Taker;
use golem_playbook::promotion::Founding;
use golem_primitives::{PoolName, Ppm};

use crate::temper::{felt, whole};
use crate::venue::{Venue, dips};

/// Buys what fell and sells what came back.
const DIP: &str = "# Dips\n\n### dip\n- when: z(32) <= -1.25\n- do: hold 50%\n- until: z(32) >= 0 or gain <= -1.5%\n\
                   - expects: +0.5% within 200\n";
/// Wants to hold half, always.
const HALF: &str =
    "# Holder\n\n### half\n- when: hour >= 0\n- do: hold 50%\n- until: since >= 10\n- expects: +0.3% within 99\n";

fn founded(text: &str) -> Foundation {
    Foundation::new("mine".parse().expect("a name"), text.parse().expect("a book"), Founding::Trust)
}

fn venue(foundation: Foundation, phages: PhageLaw) -> Venue {
    let mut venue = Venue::on(foundation, TraderSettings::default(), Law { phages, ..Law::immortal().on_chain() });
    venue.price = dips;
    venue
}

fn reports(venue: &Venue) -> Vec<&PhageReport> {
    each!(&venue.events, Event::PhageEnded { report, .. } => &**report)
}

/// P-079, M-216, M-243, M-248, M-294: a life that thrives sends three phages a day, each of them answers after its fifty looks, and what
/// is done does not differ by one order from a life that sends none.
#[test]
fn p_079_phages_live_beside_a_life_and_move_nothing() {
    let mut with = venue(founded(DIP), PhageLaw::default());
    let mut without = venue(founded(DIP), PhageLaw { daily_rate: 0, ..PhageLaw::default() });
    for one in [&mut with, &mut without] {
        one.run(3_000);
    }
    let told = reports(&with);
    let sent = with.hand().phages().sent();
    let days = 3_000 * with.seconds_per_pass / 86_400;
    assert!(told.len() as u64 <= sent && sent <= 3 * (days + 1) && sent >= 3, "{sent} in {days} days, {}", told.len());
    assert!(!told.is_empty() && told.iter().all(|report| report.rule == "dip" && report.looks == 50), "{told:?}");
    assert!(reports(&without).is_empty() && without.hand().phages().sent() == 0);
    assert!(
        told.iter().all(|report| !report.is_staged) && with.effects == without.effects,
        "nothing is done otherwise"
    );
}

/// I-007: an heir sends four in its first day where it sends three in any other of the same phase.
#[test]
fn i_007_a_young_heir_explores() {
    let mut parent = venue(founded(DIP), PhageLaw { daily_rate: 0, ..PhageLaw::default() });
    parent.run(1_500);
    let line = vec![TriedIn { pool: PoolName::HOME, hand: parent.hand().clone(), died_of: CauseKind::Stochastic }];
    let mut heir = venue(Foundation { line, ..founded(DIP) }, PhageLaw::default());
    // Its first hundred ticks are of one day.
    heir.seconds_per_pass = 600;
    heir.run(100);
    assert_eq!(heir.hand().phages().sent(), 4, "it has the looks of its line and begins at once");
    heir.run(43);
    assert_eq!(heir.hand().phages().sent(), 4, "that day has had its number");
    heir.run(140);
    assert_eq!(heir.hand().phages().sent(), 4 + 3, "what a day has later");
}

/// Calm, with a storm in which it wavers much and falls, every two thousand passes.
fn storms(pass: u64) -> u64 {
    let noise = |size: f64| ((pass.wrapping_mul(2_654_435_761) >> 7) % 1_000) as f64 / 500.0 * size - size;
    let storm = pass % 2_000;
    let price = match storm {
        0..1_600 => 1.0 + noise(0.000_5),
        1_600..1_900 => (1.0 - (storm - 1_600) as f64 / 3_000.0) * (1.0 + noise(0.008)),
        _ => (0.9 + (storm - 1_900) as f64 / 1_000.0) * (1.0 + noise(0.000_5)),
    };
    (3e9 * price) as u64
}

/// G-100: where one of its line starved, an heir says so when its market looks like it, from its first look on, is moved, and enters
/// with half;
/// the heir of one that its owner killed there does nothing of the kind.
#[test]
fn g_100_an_heir_is_careful_in_a_market_that_killed() {
    let quiet = PhageLaw { daily_rate: 0, ..PhageLaw::default() };
    let mut parent = venue(founded(HALF), quiet);
    parent.price = storms;
    parent.run(1_750);
    let hand = parent.hand().clone();
    let lived = |died_of: CauseKind| {
        let line = vec![TriedIn { pool: PoolName::HOME, hand: hand.clone(), died_of }];
        let mut heir = venue(Foundation { line, ..founded(HALF) }, quiet);
        heir.price = |pass| storms(pass + 3_700);
        heir.temper = Some(Temper { suffering: None, ..whole(Personality::plain(Disposition::Balanced)) });
        let mut cut = None;
        for _ in 0..300 {
            heir.tick();
            let is_said = heir.events.iter().any(|event| matches!(event, Event::DeathRecalled { .. }));
            assert!(is_said || cut.is_none());
            cut = cut.or(heir.hand().why().cuts.iter().find(|cut| cut.by == Taker::Warnings).map(|cut| cut.to));
        }
        let recalled = heir.told(|event| matches!(event, Event::DeathRecalled { .. }));
        (recalled, cut, felt(&heir, TriggerKind::Anomaly) > 0)
    };
    let (recalled, cut, moved) = lived(CauseKind::Economic);
    assert!((1..=6).contains(&recalled) && moved, "{recalled}");
    assert_eq!(cut, Some(Ppm::of(250_000)), "half of the half it wants");
    assert_eq!(lived(CauseKind::OwnerKill), (0, None, false));
}
