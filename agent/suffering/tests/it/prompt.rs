use golem_primitives::Ppm;
use golem_suffering::kind::Canonical;
use golem_suffering::prompt::{TOKEN_CAP, bar};
use golem_suffering::reply::{NewStressor, SufferingReply};
use golem_suffering::{Band, Severity, Suffering};
use proptest::prelude::*;

use crate::make::{DAY, HARDENED, SEED, blind, pressing, says};

const EXT: &[Canonical] = &[Canonical::ExistentialThreat];

/// S-100, S-102, S-104, S-105: the block of a crisis, character for character.
#[test]
fn s_102_the_crisis_block_character_for_character() {
    let mut suffering = Suffering::default();
    suffering.feel(&pressing(0, EXT), &HARDENED);
    // 0.20 + 0.72 at 0.070 a day, to the second above 0.92; a second stressor brings the load to 0.95.
    suffering.feel(&pressing(888_686, EXT), &HARDENED);
    let lines = |suffering: &Suffering| suffering.prompt(&HARDENED).expect("a block");
    let expected = "!! CRISIS STATE — your suffering load is critical (0.92/1.0). You cannot pursue external goals. Address this first.\n  \
                    [##########] existential_threat 0.92  I may not go on. projected life 500 h, fitness 0.30, vitality 0.60.\n  \
                    Will ease when: projected life 96 h, fitness 0.40 and vitality 0.35 for 50 ticks, or in decline the legacy is ready.";
    assert_eq!(lines(&suffering), expected);
}

/// S-101, S-103, S-123: nothing below 0.35, plain from there, HIGH from 0.55, and relief first from 0.75.
#[test]
fn s_103_headers_by_band() {
    let mut suffering = Suffering::default();
    suffering.feel(&pressing(0, EXT), &HARDENED);
    assert_eq!(suffering.prompt(&HARDENED), None, "S-101: no line of zero load either");
    for (days, header) in [
        (3, "Suffering load 0.41/1.0."),
        (6, "HIGH SUFFERING — your suffering load is 0.62/1.0. Some goals are closed."),
        (8, "HIGH SUFFERING — your suffering load is 0.76/1.0. Some goals are closed. New goals must aim at relief."),
    ] {
        suffering.feel(&pressing(days * DAY, EXT), &HARDENED);
        let block = suffering.prompt(&HARDENED).expect("a block");
        assert_eq!(block.lines().next(), Some(header));
        assert!(!block.to_lowercase().contains("json") && !block.contains("file"), "S-100");
    }
}

/// S-104, S-105: worst first, ten cells each, type, number, two spaces, description, condition.
#[test]
fn s_104_worst_first() {
    let three = [Canonical::RepeatedFailure, Canonical::ExistentialThreat, Canonical::Futility];
    let mut suffering = Suffering::default();
    suffering.feel(&pressing(0, &three), &HARDENED);
    suffering.feel(&pressing(DAY, &three), &HARDENED);
    let block = suffering.prompt(&HARDENED).expect("a block");
    let heads: Vec<&str> = block.lines().skip(1).step_by(2).map(|line| &line[..20]).collect();
    assert_eq!(heads, ["  [###.......] exist", "  [###.......] repea", "  [###.......] futil"]);
    assert!(block.lines().skip(2).step_by(2).all(|line| line.starts_with("  Will ease when: ")));
    assert_eq!(bar(Severity::ZERO), "[..........]");
}

/// S-107: descriptions are cut to fit, conditions never.
#[test]
fn s_107_conditions_are_never_cut() {
    let mut suffering = Suffering::default();
    for name in ["one", "two", "three", "four", "five"] {
        let entry = NewStressor {
            name: format!("{name} {}", "x".repeat(60)),
            description: "long ".repeat(100),
            condition: format!("{name} {}", "y".repeat(200)),
        };
        suffering.hear(Some(&SufferingReply { new_stressors: vec![entry], resolved: Vec::new() }), &blind(0), &SEED);
    }
    let block = suffering.prompt(&SEED).expect("a block");
    assert!(block.chars().count() <= 4 * TOKEN_CAP, "{}", block.chars().count());
    let active = suffering.active();
    assert_eq!(active.len(), 5);
    assert!(active.iter().all(|one| block.contains(one.condition.text.as_str())));
}

/// S-106, S-145: the block is the agent's own state; nothing of it claims a feeling.
#[test]
fn s_145_nothing_claims_to_be_felt() {
    let mut suffering = Suffering::default();
    suffering.feel(&pressing(0, Canonical::ALL), &HARDENED);
    let block = suffering.prompt(&HARDENED).expect("S-106: a block").to_lowercase();
    assert!(["feel", "pain", "hurt", "conscious"].iter().all(|word| !block.contains(word)), "{block}");
    assert!(suffering.status(&HARDENED).starts_with("load 1.00/1.0 (sum 1.000), crisis, 5 active"));
}

proptest! {
    /// S-050, S-107, S-123: whatever is said, the block is there from 0.35 on, within its cap, each stressor on its own
    /// two lines.
    #[test]
    fn s_123_the_block_is_always_there(texts in prop::collection::vec((".{0,90}", ".{0,400}", ".{0,400}"), 0..8), hours in 0u64..400) {
        let mut suffering = Suffering::default();
        for (name, description, condition) in texts {
            let entry = NewStressor { name, description, condition };
            suffering.hear(Some(&SufferingReply { new_stressors: vec![entry], resolved: Vec::new() }), &blind(0), &SEED);
        }
        suffering.feel(&pressing(hours * 3_600, EXT), &SEED);
        let block = suffering.prompt(&SEED);
        prop_assert_eq!(block.is_some(), suffering.load(&SEED).load.ppm() >= Ppm::of(350_000));
        prop_assert_eq!(block.is_some(), suffering.band() > Band::Background);
        if let Some(block) = block {
            prop_assert!(block.chars().count() <= 4 * TOKEN_CAP);
            prop_assert_eq!(block.lines().count(), 1 + 2 * suffering.active().len());
        }
    }
}

/// S-016, S-051: a tick of rules without any inference still escalates, assesses and injects.
#[test]
fn s_016_busy_ticks_feel_too() {
    let mut suffering = Suffering::default();
    (0..=10_800).step_by(40).for_each(|seconds| drop(suffering.feel(&pressing(seconds, EXT), &HARDENED)));
    assert!(suffering.active()[0].severity > Severity::NEW);
    assert_eq!(
        suffering.hear(None, &pressing(10_840, EXT), &HARDENED).len(),
        1,
        "S-051: a malformed block is reported"
    );
    assert_eq!(suffering.hear(Some(&says(&[], &[])), &pressing(10_840, EXT), &HARDENED).len(), 0);
}
