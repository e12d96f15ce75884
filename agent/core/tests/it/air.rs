//! I-320: what of a life leaves a sign, and that nothing of how it trades is in it.

use golem_core::record::{Event, PeerMessage, RuleChange, RuleChanged, Sign, SignClass};
use golem_core::trader::{Foundation, TraderSettings};
use golem_grimoire::kind::Domain;
use golem_mortality::law::Law;
use golem_playbook::promotion::Founding;
use golem_primitives::{PoolName, Ppm};
use golem_suffering::severity::Severity;

use crate::venue::Venue;

const IN: &str = "# In\n\n### in\n- when: hour >= 0\n- do: hold 100%\n- until: since >= 5\n- expects: +1% within 5\n";

fn venue(guards: &str) -> Venue {
    let book = format!("{IN}\n{guards}").parse().expect("a book");
    let foundation = Foundation::new("mine".parse().expect("a name"), book, Founding::Trust);
    Venue::on(foundation, TraderSettings::default(), Law::immortal().on_chain())
}

fn signs(venue: &Venue) -> Vec<(SignClass, Domain, u32)> {
    let told = |sign: Sign| (sign.class, sign.domain, sign.intensity.get());
    venue.life.signs(&venue.events).into_iter().map(told).collect()
}

/// I-320: a guard that begins to take away is told once, and leaves a threat as strong as what it takes; a guard that binds nothing and a
/// quiet life leave none.
#[test]
fn i_320_a_guard_that_cuts_is_a_sign_once() {
    let guard = |does: &str, when: &str| format!("### careful\n- when: {when}\n- do: {does}\n");
    for (does, when, left) in [("at most 30%", "hour >= 0", 300_000), ("no entries", "cost > 0%", 0)] {
        let mut venue = venue(&guard(does, when));
        venue.run(3);
        let cuts = each!(&venue.events, Event::GuardCut { rule, wanted, left, .. } => (rule.as_str(), wanted.get(), left.get()));
        assert_eq!(cuts, [("careful", 1_000_000, left)], "{does}");
        assert_eq!(signs(&venue), [(SignClass::Threat, Domain::MarketStructure, 1_000_000 - left)], "{does}");
    }
    for quiet in [guard("at most 30%", "hour < 0"), String::new()] {
        let mut venue = venue(&quiet);
        venue.run(3);
        assert_eq!(signs(&venue), [], "{quiet}");
    }
    let mut told_to_leave = venue(&guard("tighten until gain <= -1%", "hour >= 0"));
    told_to_leave.price = |tick| if tick < 3 { 3_000_000_000 } else { 2_950_000_000 };
    told_to_leave.run(5);
    assert_eq!(signs(&told_to_leave), [(SignClass::Threat, Domain::MarketStructure, 1_000_000)]);
}

/// I-320: a round trip that lost a twentieth is a threat of half strength, a tenth of a whole one; a smaller loss and a gain are none.
#[test]
fn i_320_a_large_loss_is_a_sign() {
    let after = |fallen: fn(u64) -> u64| {
        let mut venue = venue("");
        venue.price = fallen;
        venue.run(12);
        signs(&venue)
    };
    assert_eq!(after(|tick| if tick < 3 { 3_000_000_000 } else { 2_900_000_000 }), [], "three percent");
    assert_eq!(after(|tick| if tick < 3 { 3_000_000_000 } else { 3_300_000_000 }), [], "a gain");
    let [(class, domain, strength)] = after(|tick| if tick < 3 { 3_000_000_000 } else { 2_800_000_000 })[..] else {
        panic!("one sign")
    };
    assert_eq!((class, domain), (SignClass::Threat, Domain::PriceDirection));
    assert!((660_000..720_000).contains(&strength), "some seven percent: {strength}");
    let crash = after(|tick| if tick < 3 { 3_000_000_000 } else { 2_000_000_000 });
    assert_eq!(crash, [(SignClass::Threat, Domain::PriceDirection, 1_000_000)]);
}

/// I-320: a rule of its own that came to move its whole stake is a chance, always told as strongly; a sibling's rule and a guard are none.
/// A crisis is a threat as strong as its load, and its end is none.
#[test]
fn i_320_promoted_rules_and_crises_are_signs() {
    let mut venue = venue("### careful\n- when: hour < 0\n- do: no entries\n");
    venue.run(2);
    let promoted = |rule: &str, number| {
        let change = RuleChange::Promoted { evidence: 640.0, bound: 640.0, block: 0, promoted: 1 };
        let changed = RuleChanged { pool: PoolName::HOME, rule: rule.to_owned(), number, change, is_dreamt: false };
        venue.life.signs(&[Event::Rule(Box::new(changed))])
    };
    let [sign] = promoted("in", 0)[..] else { panic!("a chance") };
    assert_eq!(
        (sign.class, sign.domain, sign.intensity),
        (SignClass::Opportunity, Domain::PriceDirection, Ppm::of(600_000))
    );
    assert_eq!(sign.regime, venue.life.regime());
    assert_eq!((promoted("kin-ash-in", 0), promoted("careful", 1)), (Vec::new(), Vec::new()));
    let crisis = |is_over| {
        let message = PeerMessage { load: Severity::of(Ppm::of(900_000)), types: Vec::new(), is_over };
        venue.life.signs(&[Event::CrisisTold(Box::new(message))])
    };
    let [sign] = crisis(false)[..] else { panic!("a threat") };
    assert_eq!((sign.class, sign.domain, sign.intensity), (SignClass::Threat, Domain::General, Ppm::of(900_000)));
    assert_eq!(crisis(true), []);
}
