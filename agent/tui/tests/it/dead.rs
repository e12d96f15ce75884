//! What is left of a life, and who comes after it.

use golem_primitives::{Ppm, Usdc};
use golem_tui::ratatui::crossterm::event::KeyCode;
use golem_tui::{HeirDraft, ScreenRequest};
use golem_view::Witness;

use crate::scenes::{Glass, dead, foreseen, lived};

const OPTIONS: [&str; 4] = ["Summon Successor", "View Death Reflection", "Browse Graveyard", "Start Fresh"];

/// I-260, I-261, M-217, M-277: a stone, the life in numbers, of what it died, its last words, and exactly four options.
#[test]
fn i_260_the_dead_have_a_memorial_with_four_options() {
    let scene = dead(&lived(200));
    let shown = Glass::new(80, 24).shown(&scene);
    for option in OPTIONS {
        assert_eq!(shown.matches(option).count(), 1, "{option}: {shown}");
    }
    assert!(shown.contains("4 Start Fresh") && !shown.contains(" 5 "), "I-261: {shown}");
    assert!(shown.contains("It ran out of money.") && shown.contains("\"I bought every dip"), "{shown}");
    insta::assert_snapshot!(shown);
}

/// I-265, M-006, M-217: it stays as it is however often it is drawn; only its owner's keys move it.
#[test]
fn i_265_a_memorial_stays_until_its_owner_goes() {
    let scene = dead(&lived(20));
    let mut glass = Glass::new(80, 24);
    let first = glass.shown(&scene);
    for _ in 0..1_000 {
        assert_eq!(glass.shown(&scene), first);
    }
    assert_eq!(glass.press(&scene, KeyCode::Esc), None);
    assert_eq!(glass.shown(&scene), first, "nothing dismisses it by itself");
}

/// I-262: the whole testament can be read, to its last line.
#[test]
fn i_262_the_whole_testament_is_read() {
    let scene = dead(&lived(20));
    let mut glass = Glass::new(80, 24);
    glass.press(&scene, KeyCode::Down);
    assert_eq!(glass.press(&scene, KeyCode::Enter), None);
    let shown = glass.shown(&scene);
    assert!(shown.contains("Testament of ada") && !shown.contains("suspicion 60:"), "{shown}");
    glass.press(&scene, KeyCode::End);
    assert!(glass.shown(&scene).contains("suspicion 60:"));
    glass.press(&scene, KeyCode::Esc);
    assert!(glass.shown(&scene).contains("4 Start Fresh"));
}

/// I-263: all the dead of the line, and the testament of each.
#[test]
fn i_263_the_graves_of_a_line_are_read_one_by_one() {
    let scene = dead(&lived(20));
    let mut glass = Glass::new(100, 24);
    glass.press(&scene, KeyCode::Char('3'));
    let shown = glass.shown(&scene);
    for name in ["† ada ", "† ada-1 ", "† first "] {
        assert!(shown.contains(name), "{name}: {shown}");
    }
    glass.press(&scene, KeyCode::Down);
    glass.press(&scene, KeyCode::Down);
    glass.press(&scene, KeyCode::Enter);
    assert!(glass.shown(&scene).contains("Testament of first"));
    glass.press(&scene, KeyCode::Esc);
    assert!(glass.shown(&scene).contains("the dead of its line"));
}

/// I-264: a fresh start is asked for and carries nothing.
#[test]
fn i_264_a_fresh_start_is_asked_for() {
    let scene = dead(&lived(20));
    assert_eq!(Glass::new(80, 24).press(&scene, KeyCode::Char('4')), Some(ScreenRequest::StartFresh));
}

/// I-266, I-267: the wizard is filled in from the predecessor, beside what its testament advises and what it would inherit.
#[test]
fn i_266_the_wizard_is_filled_in_beside_the_advice() {
    let mut scene = dead(&lived(20));
    let mut glass = Glass::new(80, 24);
    assert_eq!(glass.press(&scene, KeyCode::Enter), Some(ScreenRequest::Foresee(None)));
    assert!(glass.shown(&scene).contains("proving what it left"));
    scene.foreseen = Some(Witness::Tells(foreseen()));
    let shown = glass.shown(&scene);
    for words in ["mean-reversion", "50.00 USDC", "1000.00 USDC", "change: the stake", "keep: the stop", "dip: When"] {
        assert!(shown.contains(words), "I-266, {words}: {shown}");
    }
    for words in ["37 entries of at most 2048", "85% left by the barrier", "gas 7, market 30", "bloodstains 2, older 1"]
    {
        assert!(shown.contains(words), "I-267, {words}: {shown}");
    }
    insta::assert_snapshot!(shown);
}

/// I-268: the owner changes book and funding and confirms; what is asked for is what was filled in, and nothing before that.
#[test]
fn i_268_what_is_confirmed_is_what_was_filled_in() {
    let mut scene = dead(&lived(20));
    let mut glass = Glass::new(80, 24);
    glass.press(&scene, KeyCode::Char('1'));
    scene.foreseen = Some(Witness::Tells(foreseen()));
    glass.shown(&scene);
    (0..14).for_each(|_| drop(glass.press(&scene, KeyCode::Backspace)));
    glass.types(&scene, "momentum");
    assert_eq!(
        glass.press(&scene, KeyCode::Down),
        Some(ScreenRequest::Foresee(Some("momentum".to_owned()))),
        "asked anew"
    );
    glass.press(&scene, KeyCode::Down);
    (0..5).for_each(|_| drop(glass.press(&scene, KeyCode::Backspace)));
    glass.types(&scene, "12.5");
    assert!(glass.shown(&scene).contains("12.5 USDC"));
    for _ in 0..3 {
        assert_eq!(glass.press(&scene, KeyCode::Down), None);
    }
    let expected = HeirDraft {
        playbook: "momentum".to_owned(),
        stake: Ppm::of(50_000),
        credits: Usdc::from_micros(12_500_000),
        capital: Usdc::whole(1_000),
        inherits: true,
    };
    assert_eq!(glass.press(&scene, KeyCode::Enter), Some(ScreenRequest::Summon(expected)));
}

/// I-268, I-210: what cannot be read, and who would be the same again, is summoned by no key.
#[test]
fn i_210_nobody_is_summoned_who_would_not_be_born() {
    let mut scene = dead(&lived(20));
    let mut told = foreseen();
    told.stillborn = Some("too much alike; bring another book".to_owned());
    let mut glass = Glass::new(80, 24);
    glass.press(&scene, KeyCode::Char('1'));
    scene.foreseen = Some(Witness::Tells(told));
    glass.shown(&scene);
    for _ in 0..5 {
        assert_eq!(glass.press(&scene, KeyCode::Tab), None);
    }
    assert_eq!(glass.press(&scene, KeyCode::Enter), None);
    assert!(glass.shown(&scene).contains("too much alike"));
    let mut glass = Glass::new(80, 24);
    glass.press(&scene, KeyCode::Char('1'));
    scene.foreseen = Some(Witness::Tells(foreseen()));
    glass.shown(&scene);
    glass.press(&scene, KeyCode::Down);
    glass.types(&scene, "x");
    (0..4).for_each(|_| drop(glass.press(&scene, KeyCode::Down)));
    assert_eq!(glass.press(&scene, KeyCode::Enter), None, "no share");
    assert!(glass.shown(&scene).contains("stake:"));
}

/// I-268: a q in a field is a letter.
#[test]
fn i_268_letters_are_typed_and_close_nothing() {
    let mut scene = dead(&lived(20));
    let mut glass = Glass::new(80, 24);
    glass.press(&scene, KeyCode::Char('1'));
    scene.foreseen = Some(Witness::Tells(foreseen()));
    glass.shown(&scene);
    glass.types(&scene, "q1?");
    assert!(glass.shown(&scene).contains("mean-reversionq1?"));
}

/// I-260, O-010: from the memorial to the pages of its life, and back.
#[test]
fn i_260_its_life_can_be_looked_back_at() {
    let scene = dead(&lived(20));
    let mut glass = Glass::new(80, 24);
    glass.press(&scene, KeyCode::Char('l'));
    assert!(glass.shown(&scene).contains("1 overview"));
    glass.press(&scene, KeyCode::Char('m'));
    assert!(glass.shown(&scene).contains("Summon Successor"));
}
