use golem_primitives::Ppm;
use golem_suffering::event::SufferingEvent;
use golem_suffering::export::{EXPORT_VERSION, StressorFileError};
use golem_suffering::history::TRACES;
use golem_suffering::kind::Canonical;
use golem_suffering::stressor::Closure;
use golem_suffering::{Band, Suffering};

use crate::make::{DAY, HARDENED, SEED, at, blind, find, key, names, pressing, says, uniswap, well};

const REP: &[Canonical] = &[Canonical::RepeatedFailure];

fn lived() -> Suffering {
    let mut suffering = Suffering::default();
    suffering.feel(&pressing(0, REP), &HARDENED);
    suffering.feel(&pressing(9 * DAY, REP), &HARDENED);
    suffering.feel(&well(9 * DAY), &HARDENED);
    suffering.hear(Some(&says(&[("slow learning", "fitness >= 95%")], &[])), &well(9 * DAY), &HARDENED);
    suffering.feel(&pressing(10 * DAY, REP), &HARDENED);
    suffering
}

/// S-110, S-004: one file holds everything, and reading it gives the same suffering.
#[test]
fn s_110_the_file_holds_everything() {
    let suffering = lived();
    let export = suffering.export(at(10 * DAY), &HARDENED);
    let (back, events) = Suffering::import(export.clone(), &HARDENED).expect("what was written is read");
    let mut sorted = suffering.clone();
    sorted.feel(&blind(10 * DAY), &HARDENED);
    assert_eq!((back.active(), back.history()), (sorted.active(), sorted.history()));
    assert_eq!((events, back.band()), (Vec::new(), suffering.band()));
    let row = export.stressors.iter().find(|row| row.name == "repeated_failure").expect("active");
    assert_eq!((row.escalation_per_day, row.resolved), (0.04, false), "S-004");
    assert!((row.severity - 0.2).abs() < 1e-9 && row.onset == at(10 * DAY), "S-004");
    assert!(export.resolved_history[0].resolved && export.resolved_history[0].resolution_note.is_some(), "S-004");
}

/// S-110: the names in JSON are the catalogue's.
#[test]
fn s_110_json_speaks_the_catalogues_words() {
    let suffering = lived();
    let export = suffering.export(at(10 * DAY), &HARDENED);
    let json: serde_json::Value = serde_json::to_value(&export).expect("plain data");
    let fields = "type description severity onset escalation_per_day observable_condition resolved resolved_at \
                  resolution_note peak_severity source domain predicate last_escalated raise_count evidence";
    for field in fields.split_whitespace() {
        assert!(json["stressors"][0].get(field).is_some(), "S-004, S-006: {field}");
    }
    let back = serde_json::from_value(json).expect("what was written is read");
    assert_eq!(Suffering::import(back, &HARDENED).expect("valid").0.active(), suffering.active());
    let text = serde_json::to_string(&suffering).expect("plain data");
    assert_eq!(serde_json::from_str::<Suffering>(&text).expect("read back"), suffering, "the life's record too");
    let block = r#"{"new_stressors":[{"type":"a b","description":"c","condition":"fitness > 0.5"}],"resolved":[{"type":"x","reason":"y"}]}"#;
    let reply: golem_suffering::SufferingReply = serde_json::from_str(block).expect("S-044");
    assert_eq!((reply.new_stressors[0].name.as_str(), reply.resolved[0].reason.as_str()), ("a b", "y"));
}

/// S-007: a rate in the file that is not the type's is ignored and told.
#[test]
fn s_007_rates_cannot_be_tampered_with() {
    let mut export = lived().export(at(10 * DAY), &HARDENED);
    export.stressors.iter_mut().for_each(|row| row.escalation_per_day = 0.0);
    let (mut back, events) = Suffering::import(export, &HARDENED).expect("read");
    assert_eq!(events.iter().filter(|event| event.name() == "suffering.rate_ignored").count(), 2);
    back.feel(&pressing(11 * DAY, REP), &HARDENED);
    assert!((find(&back, "repeated_failure").expect("active").severity.as_f64() - 0.24).abs() < 1e-9);
}

/// S-111: a damaged file is replaced by its copy, and nothing is ever read as empty.
#[test]
fn s_111_a_crash_does_not_cure() {
    let good = lived().export(at(10 * DAY), &HARDENED);
    let mut torn = good.clone();
    torn.stressors.clear();
    assert_eq!(Suffering::import(torn.clone(), &HARDENED).err(), Some(StressorFileError::Checksum));
    let mut eased = good.clone();
    eased.stressors[0].predicate = golem_suffering::condition::Predicate::None;
    assert_eq!(
        Suffering::import(eased, &HARDENED).err(),
        Some(StressorFileError::Checksum),
        "what ends it decides too"
    );
    let mut newer = good.clone();
    newer.version = EXPORT_VERSION + 1;
    assert_eq!(Suffering::import(newer, &HARDENED).err(), Some(StressorFileError::Version { got: EXPORT_VERSION + 1 }));
    let mut wild = good.clone();
    wild.stressors[0].severity_units = u64::MAX;
    wild.checksum = wild.digest();
    assert_eq!(Suffering::import(wild, &HARDENED).err(), Some(StressorFileError::Row { at: 0 }));
    let (recovered, _) = Suffering::recover(Some(torn.clone()), Some(good), &HARDENED).expect("the copy");
    assert_eq!(names(&recovered).len(), 2);
    let lost = Suffering::recover(None, Some(torn), &HARDENED).expect_err("no silent empty state");
    assert_eq!(lost, StressorFileError::NothingLeft);
}

/// S-093, S-098: on reading, names take their form, five stay, the rest leaves its trace.
#[test]
fn s_098_the_cap_holds_on_reading() {
    let mut export = lived().export(at(10 * DAY), &HARDENED);
    let row = export.stressors[0].clone();
    for number in 0..9u64 {
        let mut more = row.clone();
        more.name = format!("Legacy Name-{}", number % 7);
        more.severity_units += number;
        export.stressors.push(more);
    }
    export.checksum = export.digest();
    let (back, events) = Suffering::import(export, &HARDENED).expect("read");
    assert_eq!(names(&back).len(), 5);
    assert!(find(&back, "legacy_name_6").is_some(), "S-093: rewritten");
    let closed =
        |event: &&SufferingEvent| matches!(event, SufferingEvent::Resolved { closure: Closure::OverCapOnLoad, .. });
    assert_eq!(events.iter().filter(closed).count(), 6, "eleven were written");
    assert_eq!(back.band(), Band::of(back.load(&HARDENED).load));
}

/// S-114: five hundred traces whole, the rest in sums, scars last.
#[test]
fn s_114_history_is_bounded() {
    let mut suffering = Suffering::default();
    suffering.feel(&pressing(0, REP), &SEED);
    suffering.feel(&pressing(20 * DAY, REP), &SEED);
    suffering.feel(&well(20 * DAY), &SEED);
    for number in 0..700u64 {
        let seconds = 20 * DAY + number * 90_000;
        let name = format!("worry {}", number % 3);
        suffering.hear(Some(&says(&[(name.as_str(), "it passes by itself")], &[])), &blind(seconds), &SEED);
        suffering.hear(Some(&says(&[], &[name.as_str()])), &blind(seconds), &SEED);
    }
    let history = suffering.history();
    assert_eq!(history.traces().len(), TRACES);
    assert_eq!(history.sums().iter().map(|sum| sum.count).sum::<u64>(), 201);
    assert_eq!(history.sums().len(), 3, "one for each name and place");
    assert!(history.traces().next().is_some_and(|trace| trace.peak.ppm() == Ppm::ONE), "the scar is kept whole");
    assert!(suffering.anticipate(&uniswap()).is_some(), "S-124");
}

/// S-085, S-124: a successor is warned of what its predecessor suffered, and suffers none of it.
#[test]
fn s_085_scars_are_inherited_as_warnings() {
    let mut parent = lived();
    parent.feel(&pressing(11 * DAY, REP), &HARDENED);
    let scars = parent.bequeath();
    assert_eq!(scars.len(), 1);
    let child = Suffering::born_with(scars);
    assert!(names(&child).is_empty() && child.load(&HARDENED).load.units() == 0);
    let signal = child.anticipate(&uniswap()).expect("warned");
    assert!(signal.inherited && signal.key == key("repeated_failure"));
    assert!(
        signal.text().starts_with("Anticipatory signal: a predecessor in a similar domain suffered repeated_failure")
    );
    assert!(child.bequeath().is_empty(), "what was inherited is not bequeathed as one's own");
    let mut grown = child;
    grown.feel(&pressing(12 * DAY, REP), &HARDENED);
    assert!(
        (find(&grown, "repeated_failure").expect("active").severity.as_f64() - 0.2).abs() < 1e-12,
        "it begins anew"
    );
}
