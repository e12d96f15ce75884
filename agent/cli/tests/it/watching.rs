//! The screen as a person has it: the real program in a pseudo terminal, before real lives.

use std::path::Path;

use serde_json::Value;

use crate::bardo::{command, does, run, signal, text};
use crate::line::{die, editions, live, swinging};
use crate::living::hourly;
use crate::pty::{Pty, vanish};
use crate::town::Town;

/// Lives on paper through prices of the past, with so much to live on.
pub(crate) fn paper(dir: &Path, hours: u64, credits: &str, host: &str) {
    let book = "# Impatient\n\n### again\n- when: move(16) < 0%\n- do: hold 100%\n- until: since >= 8\n- expects: +2% within 8\n";
    std::fs::write(dir.join("mine.md"), book).expect("written");
    std::fs::write(dir.join("eth.csv"), format!("time,price,volume\n{}", hourly(0..hours))).expect("written");
    let begin = ["golem", "paper", "eve", "--playbook", "mine.md", "--capital", "1000", "--liquidity", "5000000"];
    let rest = ["--prices", "eth.csv", "--json", "--credits", credits, "--host-per-tick", host];
    does(dir, &[&begin[..], &rest].concat());
}

fn watch(dir: &Path, golem: &str) -> Pty {
    let mut watch = command(dir);
    watch.args(["golem", "watch", golem]);
    Pty::open(watch, 80, 24)
}

/// Back to the stone. What is pressed behind an escape at once would be read as one key with it, so frames are waited for.
fn go_back(screen: &mut Pty) {
    screen.see_words("esc  back");
    screen.press("\u{1b}");
    screen.see_words("l  its life");
}

fn status(dir: &Path) -> Value {
    let said = run(dir, &["golem", "status", "eve", "--json"]);
    serde_json::from_slice(&said.stdout).expect("JSON")
}

/// Micro-USDC as the screen has them.
fn cents(micros: &Value) -> String {
    let micros = micros.as_i64().expect("an amount");
    let (sign, cents) = (if micros < 0 { '-' } else { '+' }, micros.unsigned_abs() / 10_000);
    format!("{sign}{}.{:02} ", cents / 100, cents % 100)
}

/// O-010: a late look at a life shows its past, its money beside holding as `status` has it, and its pages by keys; it fits
/// itself to the terminal, changes nothing, and gives the terminal back.
#[test]
fn o_010_a_screen_shows_a_life_and_gives_the_terminal_back() {
    let dir = tempfile::tempdir().expect("a folder");
    paper(dir.path(), 120, "40", "0.02");
    let before = status(dir.path());
    let mut screen = watch(dir.path(), "eve");
    let shown = screen.see_words("ahead of holding");
    let memory = &before["memory"];
    let tick = memory["tick"].as_u64().expect("a tick");
    for words in ["eve  alive", "on paper", &format!("tick {tick},"), &format!("ticks 1 to {tick} ")] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    let row = |name: &str| shown.lines().find(|line| line.contains(name)).unwrap_or_default().to_owned();
    let holding = &memory["holding"];
    for (name, key) in
        [("after everything", "after_everything"), ("made by holding", "held_made"), ("ahead of", "ahead")]
    {
        let told = cents(&holding[format!("{key}_usdc_micros")]);
        assert!(row(name).contains(&told), "{name} {told}: {shown}");
    }
    assert!(shown.contains('⠤') || shown.contains('⠒') || shown.contains('⠉'), "its past is drawn: {shown}");
    screen.press("2");
    screen.see_words("again: When the price stands below");
    screen.press("3");
    screen.see_words("newest first");
    screen.press("1");
    screen.see_words("ahead of holding");
    screen.resize(120, 40);
    screen.see("the last row of forty", |screen| {
        let text = screen.text();
        text.lines().nth(39).is_some_and(|last| last.contains("q closes this screen")).then_some(())
    });
    screen.press("q");
    let (code, behind) = screen.ended();
    assert_eq!((code, behind.trim()), (Some(0), ""), "nothing is left behind");
    assert_eq!(status(dir.path()), before, "a face changes nothing");
}

/// O-010: a screen ends with its terminal; it neither stays behind nor asks for keys for ever.
#[test]
fn o_010_a_screen_ends_with_its_terminal() {
    let dir = tempfile::tempdir().expect("a folder");
    paper(dir.path(), 20, "40", "0.02");
    let mut watch = command(dir.path());
    watch.args(["golem", "watch", "eve"]);
    assert_eq!(vanish(watch, "ahead of holding"), Some(1));
}

/// O-010, O-004: without a terminal it says what to do instead, and does not panic.
#[test]
fn o_010_without_a_terminal_it_says_what_to_do() {
    let dir = tempfile::tempdir().expect("a folder");
    paper(dir.path(), 20, "40", "0.02");
    let said = run(dir.path(), &["golem", "watch", "eve"]);
    let told = text(&said.stderr);
    assert_eq!(said.status.code(), Some(1), "{told}");
    assert!(told.contains("no terminal") && told.contains("bardo golem status eve"), "{told}");
    assert!(!told.contains("panicked"), "{told}");
}

/// I-260, I-261, I-262: the dead have a memorial with four options, and their testament is read to its end; a signal closes
/// the screen as a key does.
#[test]
fn i_260_the_dead_have_a_memorial() {
    let dir = tempfile::tempdir().expect("a folder");
    paper(dir.path(), 160, "4", "0.05");
    let mut screen = watch(dir.path(), "eve");
    let shown = screen.see_words("Summon Successor");
    for words in ["It ran out of money.", "View Death Reflection", "Browse Graveyard", "Start Fresh", "R  I  P"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    screen.press("2");
    screen.see_words("Testament of paper-eve");
    go_back(&mut screen);
    // I-266: who lived on paper has no vault, so that nobody can follow; it is said, not guessed.
    screen.press("1");
    screen.see_words("no successor can be prepared");
    signal(screen.id(), "-TERM");
    let (code, _) = screen.ended();
    assert_eq!(code, Some(130));
}

/// O-010, I-266, I-267, I-268, I-271: a life is lived on the screen and stopped there; when it is dead its owner summons a
/// successor from the memorial, and what the wizard counted is what is then inherited.
#[test]
fn i_271_what_the_wizard_counts_is_what_is_inherited() {
    let dir = tempfile::tempdir().expect("a folder");
    let town = Town::with(&["--paced", "--seed", "7", "--block-seconds", "40", "--market", &swinging(dir.path())]);
    editions(&town);
    let create = ["golem", "create", "ada", "--credits", "50", "--capital", "2000", "--gas", "0.02"];
    town.json(&[&create[..], &["--playbook", "first.md"]].concat());
    let mut screen = Pty::open(town.bardo(&["golem", "run", "ada", "--speed", "1000000"]), 80, 24);
    screen.see("some ticks", |screen| {
        let text = screen.text();
        let tick = text.split("tick ").nth(1)?.split(',').next()?.parse::<u64>().ok()?;
        (text.contains("lives here") && text.contains("q stops it") && tick >= 5).then_some(())
    });
    screen.press("q");
    let (code, behind) = screen.ended();
    assert_eq!(code, Some(130), "as Ctrl-C does: {behind}");
    assert!(behind.contains("stopped; run it again to go on"), "{behind}");

    live(&town, "ada", "150");
    die(&town, "ada");
    let mut screen = Pty::open(town.bardo(&["golem", "watch", "ada"]), 100, 30);
    screen.see_words("Summon Successor");
    screen.press("3");
    screen.see_words("† ada");
    go_back(&mut screen);
    screen.press("1");
    screen.see_words("entries of at most 2048");
    screen.see_words("type to change");
    // The predecessor's own book is too much alike; another edition is not.
    screen.press(&"\u{7f}".repeat(40));
    screen.press("second.md\t");
    let shown = screen.see("somebody would be born", |screen| {
        let text = screen.text();
        (text.contains("second.md") && text.contains("it would be born")).then_some(text)
    });
    let count = |words: &str| -> u64 {
        let before = shown.split(words).next().expect("there").trim_end();
        before
            .rsplit([' ', '│'])
            .next()
            .and_then(|number| number.parse().ok())
            .unwrap_or_else(|| panic!("{words}: {shown}"))
    };
    let (genome, told) = (count("entries of at most 2048"), count("statements of its testament"));
    screen.press("\t\t\t\t");
    screen.press("\r");
    let (code, behind) = screen.ended();
    assert_eq!(code, Some(0), "{behind}");
    assert!(behind.contains("ada-1 is born"), "{behind}");
    let heritage = town.json(&["line", "heritage", "ada-1"]);
    let arrived =
        heritage["entries"].as_array().expect("entries").iter().filter(|entry| !entry["arrived_ppm"].is_null());
    assert_eq!(arrived.count() as u64, genome + told, "I-271: {heritage}");
    assert!(genome + told > 0, "there was something to inherit: {shown}");
}
