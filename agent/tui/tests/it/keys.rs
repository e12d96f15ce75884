//! Keys to look around.

use golem_tui::ScreenRequest;
use golem_tui::ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use golem_tui::ratatui::layout::Size;
use golem_view::LoggedLine;

use crate::scenes::{Glass, lived, scene};

/// O-010: q and ctrl-c close, wherever one is; nothing else asks for anything on the pages of a life.
#[test]
fn o_010_only_closing_asks_for_something() {
    let scene = scene(&lived(20));
    for keys in ["", "2", "5", "?"] {
        let mut glass = Glass::new(80, 24);
        keys.chars().for_each(|key| assert_eq!(glass.press(&scene, KeyCode::Char(key)), None));
        assert_eq!(glass.press(&scene, KeyCode::Char('q')), Some(ScreenRequest::Close), "{keys}");
        let held = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        assert_eq!(glass.ui.press(held, &scene, Size::new(80, 24)), Some(ScreenRequest::Close), "{keys}");
    }
    let mut glass = Glass::new(80, 24);
    for code in [KeyCode::Enter, KeyCode::Esc, KeyCode::Up, KeyCode::Char('m'), KeyCode::Char('y'), KeyCode::F(1)] {
        assert_eq!(glass.press(&scene, code), None, "{code:?}");
    }
}

/// O-010: the log is read from its end, back to its first line, and no farther.
#[test]
fn o_010_the_log_scrolls_to_its_first_line_and_back() {
    let mut scene = scene(&lived(20));
    let told = scene.portrait.as_mut().expect("lived");
    let line =
        |at: u64| LoggedLine { time: told.life.last_seen, tick: told.life.tick, words: format!("line {at:03}.") };
    told.log = (0..300).map(line).collect();
    let mut glass = Glass::new(80, 24);
    glass.press(&scene, KeyCode::Char('5'));
    assert!(glass.shown(&scene).contains("line 299."));
    glass.press(&scene, KeyCode::Up);
    let shown = glass.shown(&scene);
    assert!(shown.contains("line 298.") && !shown.contains("line 299."), "{shown}");
    glass.press(&scene, KeyCode::Home);
    glass.press(&scene, KeyCode::PageUp);
    assert!(glass.shown(&scene).contains("line 000."));
    glass.press(&scene, KeyCode::Down);
    let shown = glass.shown(&scene);
    assert!(!shown.contains("line 000.") && shown.contains("line 001."), "it turns at once: {shown}");
    glass.press(&scene, KeyCode::End);
    assert!(glass.shown(&scene).contains("line 299."));
}

/// O-010: any key goes on from the help.
#[test]
fn o_010_help_goes_with_any_key() {
    let scene = scene(&lived(20));
    let mut glass = Glass::new(80, 24);
    let before = glass.shown(&scene);
    glass.press(&scene, KeyCode::Char('?'));
    assert!(glass.shown(&scene).contains("any key goes on"));
    glass.press(&scene, KeyCode::Char('x'));
    assert_eq!(glass.shown(&scene), before);
}
