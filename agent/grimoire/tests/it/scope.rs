//! What the Grimoire holds, what it is not, and the size it is made for.

use golem_grimoire::confidence::Confidence;
use golem_grimoire::entry::Draft;
use golem_grimoire::kind::{Domain, EntryBody, Kind};
use golem_grimoire::playbook::{Holder, Playbook, Writership};
use golem_grimoire::provenance::{Provenance, Source};
use golem_grimoire::retention::DecayClass;
use golem_grimoire::shelf::{Change, Grimoire};
use golem_mortality::phase::Phase;
use golem_primitives::UtcTime;

use crate::cycle::Cycle;
use crate::make::{START, add_active, candidate, draft, episodes, golem, moment};

/// G-007: the cycle of a whole life, ten thousand episodes and two thousand entries of which two hundred are active rules,
/// ends within its room and loses no rule.
#[test]
fn g_007_a_whole_life_fits_a_cycle() {
    let mut grimoire = Grimoire::default();
    let now = moment(1, 0.0);
    for nth in 0..2_000u32 {
        let kind = if nth < 200 { Kind::Heuristic } else { Kind::Insight };
        let mut said = draft(kind, Provenance::Own);
        said.content = format!("{} ({nth})", said.content);
        if nth < 200 {
            add_active(&mut grimoire, &nth.to_string(), said, now);
        } else {
            let waiting = candidate(&nth.to_string(), said, now);
            grimoire.apply(Change::Add(Box::new(waiting)), now).expect("new");
        }
    }
    let mut cycle = Cycle::new(grimoire, moment(10_000, 1.0));
    for pair in 0..20u64 {
        let held: Vec<bool> = (0..500).map(|nth| (nth * 7 + pair) % 10 < 8).collect();
        cycle.episodes.extend(episodes(&format!("T{pair}/USDC"), 1 + pair * 490, &held));
    }
    let pass = cycle.run();
    assert_eq!(pass.consolidated.len(), 10_000);
    assert!(pass.grimoire.active_count() <= cycle.law.capacity, "G-075: {}", pass.grimoire.active_count());
    assert_eq!(pass.report.added, 20, "each pair says what it taught");
}

/// G-019, C25: there is no sixth type. Negative knowledge is a warning, a rule to avoid, or a claim that something fails.
#[test]
fn g_019_anti_knowledge_is_no_type() {
    for name in ["anti_knowledge", "antiknowledge", "negative"] {
        assert_eq!(Kind::from_name(name), None, "{name}");
    }
    assert_eq!(Kind::ALL.len(), 5);
}

/// G-058, C1: by decision what is drawn from a testament's text arrives at 0.4, in whatever section it stood and whatever
/// it was worth there.
#[test]
fn g_058_a_testaments_sections_weigh_the_same() {
    for worth in [600_000, 500_000, 450_000, 350_000, 0, 1_000_000] {
        let source = Source::foreign(Provenance::Testament, golem(), 1);
        let mut said =
            Draft::new("Gas falls 4 gwei at night.", EntryBody::Insight, source, UtcTime::from_seconds(START));
        said.original_confidence = Confidence::of(worth);
        assert_eq!(candidate("t", said, moment(1, 0.0)).knowledge().confidence, Confidence::of(400_000), "{worth}");
    }
}

/// G-060: the classes of the examples: mechanics stay, regime models have two weeks, signals one, prices a day.
#[test]
fn g_060_examples_fall_into_their_classes() {
    let class = |kind, domain, regime: Option<_>, asked| {
        let mut said = draft(kind, Provenance::Own);
        (said.domain, said.regime, said.decay_class) = (domain, regime, asked);
        candidate("c", said, moment(1, 0.0)).knowledge().decay_class
    };
    let bull = Some(golem_grimoire::regime::Regime::Bull);
    assert_eq!(class(Kind::Insight, Domain::Protocol, None, None), DecayClass::Structural, "how a protocol works");
    assert_eq!(class(Kind::Insight, Domain::MarketStructure, bull, None), DecayClass::RegimeConditional);
    assert_eq!(class(Kind::Insight, Domain::GasMev, None, None), DecayClass::Tactical, "an estimate of gas");
    let price = class(Kind::Insight, Domain::PriceDirection, None, Some(DecayClass::Ephemeral));
    assert_eq!(price, DecayClass::Ephemeral, "a price of now, said to be one");
    let days = DecayClass::ALL.iter().map(|class| class.half_life().map(|life| life.as_secs() / 86_400));
    assert_eq!(days.collect::<Vec<_>>(), [None, Some(14), Some(7), Some(1)]);
}

/// G-161, D-164: whoever lives, nobody but one of the three writers holds a pen to PLAYBOOK.md.
#[test]
fn g_161_one_writer_holds_the_pen() {
    for (dreams, is_dying) in [(false, false), (true, false), (true, true)] {
        let writership = Writership { dreams, is_dying, phase: Phase::Thriving };
        let writers = Holder::ALL.iter().filter(|holder| Playbook::default().pen(**holder, writership).is_ok());
        assert_eq!((writers.count(), Holder::ALL.len()), (1, 3));
    }
}
