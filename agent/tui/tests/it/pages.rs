//! The pages of a life.

use golem_primitives::Tick;
use golem_tui::ratatui::crossterm::event::KeyCode;
use golem_tui::ratatui::style::Color;
use golem_tui::{Company, Ink, Portrait, Scene, Ui};
use golem_view::{Gain, HoldingPicture, LoggedLine, Series, Witness};

use crate::scenes::{Glass, dead, foreseen, lived, scene};

fn portrait(scene: &mut Scene) -> &mut Portrait {
    scene.portrait.as_mut().expect("lived")
}

/// O-010: vitality and its clocks with their past, the phase, money beside holding, partitions, what it holds and why, mood,
/// suffering, the dream and the log, on the smallest usual terminal.
#[test]
fn o_010_everything_an_owner_asks_stands_on_one_small_page() {
    let scene = scene(&lived(200));
    insta::assert_snapshot!(Glass::new(80, 24).shown(&scene));
}

/// O-010: more room shows more past, and what the capital did beside holding.
#[test]
fn o_010_a_large_terminal_shows_more() {
    let scene = scene(&lived(200));
    insta::assert_snapshot!(Glass::new(140, 42).shown(&scene));
}

/// O-010: every page by its digit, and by tab.
#[test]
fn o_010_every_page_is_a_key_away() {
    let scene = scene(&lived(200));
    for (digit, word) in
        [('2', "evidence"), ('3', "newest first"), ('4', "suffering:"), ('5', "trade"), ('1', "ahead of")]
    {
        let mut glass = Glass::new(100, 30);
        assert_eq!(glass.press(&scene, KeyCode::Char(digit)), None);
        let shown = glass.shown(&scene);
        assert!(shown.contains(word), "{digit}: {shown}");
    }
    let mut glass = Glass::new(80, 24);
    let first = glass.shown(&scene);
    for _ in 0..5 {
        glass.press(&scene, KeyCode::Tab);
    }
    assert_eq!(glass.shown(&scene), first, "five pages in a ring");
    insta::assert_snapshot!("rules", {
        glass.press(&scene, KeyCode::Char('2'));
        glass.shown(&scene)
    });
    insta::assert_snapshot!("mind", {
        let mut tall = Glass::new(80, 40);
        tall.press(&scene, KeyCode::Char('4'));
        tall.shown(&scene)
    });
}

/// O-010: a dream is shown phase by phase, with what it spent of its grant.
#[test]
fn o_010_a_dream_shows_how_far_it_is() {
    let scene = scene(&lived(20));
    let mut glass = Glass::new(80, 60);
    glass.press(&scene, KeyCode::Char('4'));
    let shown = glass.shown(&scene);
    for words in ["dreams now: dream-4", "NREM           over", "REM            now", "0.02 USDC of 0.05 USDC"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
}

/// O-010: the past that is drawn is the one that was recorded: a fall of one tick in a hundred thousand is on the chart.
#[test]
fn o_010_the_past_is_drawn_from_what_was_recorded() {
    let mut calm = scene(&lived(20));
    let mut series = Series::default();
    (1..=100_000).for_each(|tick| series.push(Tick::new(tick), 990_000));
    portrait(&mut calm).history.vitality = series;
    let mut fell = calm.clone();
    let mut series = Series::default();
    (1..=100_000).for_each(|tick| series.push(Tick::new(tick), if tick == 50_000 { 10_000 } else { 990_000 }));
    portrait(&mut fell).history.vitality = series;
    let [calm, fell] = [calm, fell].map(|scene| Glass::new(80, 24).shown(&scene));
    assert!(calm.contains("ticks 1 to 99"), "{calm}");
    assert_ne!(calm, fell, "one tick of a hundred thousand is seen");
}

/// O-010: what is not known is a dash with its reason, and no number.
#[test]
fn o_010_what_is_not_known_is_said_to_be() {
    let mut scene = scene(&lived(20));
    portrait(&mut scene).life.holding = Some(Witness::Fails("the log could not be read back".to_owned()));
    let shown = Glass::new(80, 24).shown(&scene);
    assert!(shown.contains("capital, profit, holding     - ") && shown.contains("not known: the log"), "{shown}");
    assert!(!shown.contains("ahead of holding"), "{shown}");
}

/// O-010: the money on the page is that of the picture, to the cent and with its sign.
#[test]
fn o_010_the_money_is_that_of_the_picture() {
    let mut scene = scene(&lived(20));
    let Some(Witness::Tells(told)) = portrait(&mut scene).life.holding.clone() else { panic!("known") };
    let told = HoldingPicture { after_everything: Gain(-12_340_000), ahead: Gain(56_780_000), ..told };
    portrait(&mut scene).life.holding = Some(Witness::Tells(told));
    let shown = Glass::new(80, 24).shown(&scene);
    assert!(shown.contains("after everything        -12.34"), "{shown}");
    assert!(shown.contains("ahead of holding        +56.78"), "{shown}");
}

/// O-010: below its least size it says one sentence, at it everything.
#[test]
fn o_010_too_small_a_terminal_is_told_so() {
    let scene = scene(&lived(20));
    for (width, height) in [(59, 24), (80, 15), (20, 3), (1, 1)] {
        let shown = Glass::new(width, height).shown(&scene);
        assert!(!shown.contains("vitality"), "{shown}");
    }
    assert!(Glass::new(59, 24).shown(&scene).contains("needs 60 columns and 16 rows"));
    let mut small = Glass::new(60, 16);
    for code in ['1', '2', '3', '4', '5', '?'] {
        small.press(&scene, KeyCode::Char(code));
        assert!(!small.shown(&scene).contains("needs"), "{code}");
    }
}

/// O-010: of a terminal that wants no colours (NO_COLOR) no cell has one.
#[test]
fn o_010_without_colours_no_cell_has_one() {
    let scene = dead(&lived(200));
    let colours = |has_colours: bool| {
        let mut glass = Glass::new(80, 24);
        glass.ui = Ui::new(Ink::new(has_colours));
        glass.press(&scene, KeyCode::Char('l'));
        glass.shown(&scene);
        let cells = glass.terminal.backend().buffer().content().iter();
        cells.filter(|cell| cell.fg != Color::Reset || cell.bg != Color::Reset).count()
    };
    assert_eq!(colours(false), 0);
    assert!(colours(true) > 0);
}

/// G-053, O-010: whatever a name, a rule, a token, a peer or a model says, no cell of any page moves the cursor, changes a
/// colour or turns a line around.
#[test]
fn g_053_nothing_foreign_reaches_the_terminal_raw() {
    const EVIL: &str = "a\u{1b}[2J\u{7}\r\n\u{9b}31m\u{202e}b";
    let mut scene = dead(&lived(200));
    scene.golem = EVIL.to_owned();
    scene.place = EVIL.to_owned();
    let told = portrait(&mut scene);
    told.life.phase = EVIL.to_owned();
    told.stage.waits = EVIL.to_owned();
    told.rules.iter_mut().for_each(|rule| (rule.name, rule.says) = (EVIL.to_owned(), EVIL.to_owned()));
    told.why.iter_mut().for_each(|why| why.words = vec![EVIL.to_owned()]);
    told.trades.iter_mut().for_each(|trade| trade.result = EVIL.to_owned());
    if let Some(hand) = &mut told.life.hand {
        hand.book = EVIL.to_owned();
        hand.profit.told = EVIL.to_owned();
    }
    let line = LoggedLine { time: told.life.last_seen, tick: Tick::new(1), words: EVIL.to_owned() };
    told.log = [line].into_iter().collect();
    if let Some(left) = &mut scene.memorial {
        (left.stone.cause, left.stone.last_words) = (EVIL.to_owned(), EVIL.to_owned());
        left.testament = Witness::Tells(EVIL.to_owned());
        left.graves.iter_mut().for_each(|one| one.grave.shown = Some(EVIL.to_owned()));
    }
    let mut foreseen = foreseen();
    foreseen.strategy = vec![EVIL.to_owned()];
    foreseen.advice.iter_mut().for_each(|one| one.what = EVIL.to_owned());
    foreseen.usual.playbook = EVIL.to_owned();
    scene.foreseen = Some(Witness::Tells(foreseen));
    // The stone, the testament, the graves, the wizard, and every page of the life.
    for keys in ["", "2", "3", "1", "l1", "l2", "l3", "l4", "l5", "l?"] {
        let mut glass = Glass::new(100, 40);
        for key in keys.chars() {
            glass.press(&scene, KeyCode::Char(key));
        }
        glass.shown(&scene);
        let cells = glass.terminal.backend().buffer().content();
        let raw = |sign: char| sign.is_control() || ('\u{202a}'..='\u{202e}').contains(&sign);
        assert!(cells.iter().all(|cell| !cell.symbol().chars().any(raw)), "{keys}");
        let text: String = cells.iter().map(|cell| cell.symbol()).collect();
        assert!(text.contains("\\u{1b}"), "{keys}: it is written out, {text}");
    }
}

/// O-010: whoever lives it here is told that closing stops it, and whoever looks on that it does not.
#[test]
fn o_010_it_says_what_closing_does() {
    let mut scene = scene(&lived(20));
    assert!(Glass::new(80, 24).shown(&scene).contains("q closes this screen"));
    scene.company = Company::Lives;
    assert!(Glass::new(80, 24).shown(&scene).contains("q stops it, nothing is lost by that"));
    scene.company = Company::Stops;
    assert!(Glass::new(80, 24).shown(&scene).contains("stopping"));
}
