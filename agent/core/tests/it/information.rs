//! How much what is seen tells of what comes, in a life.

use golem_core::record::{Event, Grasp, InformationReading, Temper};
use golem_core::trader::{Foundation, TraderSettings};
use golem_daimon::personality::{Disposition, Personality};
use golem_daimon::trigger::TriggerKind;
use golem_mortality::law::Law;
use golem_mortality::phase::Phase;
use golem_playbook::choice::Taker;
use golem_playbook::promotion::Founding;
use golem_primitives::Ppm;

use crate::temper::{felt, whole};
use crate::venue::Venue;

/// Until this pass a price that wavers much goes on wavering much, for two hundred passes at a time; then it wavers alike.
const CLUSTERS_UNTIL: u64 = 10_000;

/// Wants to hold half, always.
const BOOK: &str =
    "# Holder\n\n### half\n- when: hour >= 0\n- do: hold 50%\n- until: hour < 0\n- expects: +9% within 99\n";

fn price(pass: u64) -> u64 {
    let hashed = |number: u64| {
        number.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32
    };
    let size = match hashed(pass / 200) % 2 {
        _ if pass >= CLUSTERS_UNTIL => 6_000_000,
        0 => 1_000_000,
        _ => 12_000_000,
    };
    3_000_000_000 + hashed(pass + 1) % size
}

fn readings(venue: &Venue) -> Vec<&InformationReading> {
    each!(&venue.events, Event::InformationRead { reading, .. } => reading)
}

/// To how much what it sees cuts what its book wants.
fn cut_by_information(venue: &Venue) -> Option<Ppm> {
    venue.hand().why().cuts.iter().find(|cut| cut.by == Taker::Information).map(|cut| cut.to)
}

/// M-264, M-267, M-269: a life reads how much it is told, once in a thousand looks; when its market stops telling it anything it says
/// so, is moved by it, and puts no more at stake than one that saves, though it stands as well as ever.
#[test]
fn m_269_a_life_that_is_told_nothing_any_more_is_careful() {
    let book = BOOK.parse().expect("a book");
    let foundation = Foundation::new("holder".parse().expect("a name"), book, Founding::Trust);
    let mut venue = Venue::on(foundation, TraderSettings::default(), Law::immortal().on_chain());
    (venue.price, venue.has_curator) = (price, true);
    venue.temper = Some(Temper { suffering: None, ..whole(Personality::plain(Disposition::Balanced)) });
    venue.run(CLUSTERS_UNTIL);
    let told = readings(&venue);
    assert!((2..=3).contains(&told.len()) && told.iter().all(|reading| reading.bits > 0.2), "M-274: {told:?}");
    assert_eq!(cut_by_information(&venue), None);
    let moved = |venue: &Venue| felt(venue, TriggerKind::RegimeShift);
    let before = moved(&venue);
    while readings(&venue).last().is_some_and(|reading| reading.grasp.is_none()) {
        venue.run(50);
        assert!(venue.pass < 20_000, "{:?}", readings(&venue).last());
    }
    assert_eq!(readings(&venue).last().and_then(|reading| reading.grasp), Some(Grasp::Lost));
    venue.tick();
    assert_eq!(moved(&venue), before + 1, "M-269: it is aroused, once");
    assert_eq!(venue.phase(), Phase::Thriving);
    assert_eq!(cut_by_information(&venue), Some(Ppm::of(250_000)), "half of the half it wants");
}
