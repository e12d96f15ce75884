//! A Golem founded on its owner's own book, on the local L2, by the program alone.

use crate::bardo::text;
use crate::town::Town;

pub(crate) const BOOK: &str = "# Every other look\n\nHolds for a moment, whatever the market does.\n\n### in-and-out\n- when: hour >= 0\n\
                    - do: hold 100%\n- until: since >= 2 and hour >= 0\n- expects: +1.5% within 3\n- because: a test needs trades\n\
                    - asks: does it ever earn?\n";
const MORE: &str = "# More\n\n### calm\n- when: volrank(16) <= 0.5\n- do: hold 40%\n- until: since >= 20\n\
                    - expects: +1% within 20\n- because: who waits pays less\n- asks: how long?\n";

/// P-009, P-047, P-055: a book of one's own is founded, trades at a quarter of its stake, is shown with what it has earned, says
/// why at any tick, takes proposals as candidates, and its mistakes are told before money moves.
#[test]
fn p_009_a_golem_acts_by_its_owners_book() {
    let town = Town::build("40");
    std::fs::write(town.path("mine.md"), BOOK).expect("written");
    std::fs::write(town.path("wrong.md"), BOOK.replace("hour", "huor")).expect("written");
    std::fs::write(town.path("more.md"), MORE).expect("written");
    let create = ["golem", "create", "ada", "--credits", "50", "--capital", "1000", "--gas", "0.01"];
    town.refuses(
        &[&create[..], &["--playbook", "wrong.md"]].concat(),
        &["wrong.md is no book", "huor", "did you mean"],
    );
    let unknown = town.run(&[&create[..], &["--playbook", "martingale"]].concat());
    let told = text(&unknown.stderr);
    assert!(unknown.status.code() == Some(2) && told.contains("there is no founding book"), "{told}");
    town.json(&[&create[..], &["--playbook", "mine.md"]].concat());
    let kept = std::fs::read_to_string(town.path(".bardo/golems/ada/founding.md")).expect("kept");
    assert_eq!(kept, BOOK);
    let run = |ticks: &str| {
        town.does(&["golem", "run", "ada", "--speed", "1000000", "--ticks", ticks]);
    };
    run("12");
    let shown = town.json(&["golem", "playbook", "show", "ada"]);
    assert_eq!(
        (&shown["book"], &shown["rules"][0]["standing"]),
        (&"every-other-look".into(), &"trial, a quarter".into())
    );
    assert!(shown["rules"][0]["trips"].as_u64().is_some_and(|trips| trips >= 1), "{shown}");
    let trades = town.json(&["golem", "trades", "ada"]);
    // A quarter of a twentieth of a thousand USDC, and of that what its phase lets it risk.
    assert!(trades.to_string().contains("\"moved_usdc_micros\":-10000000"), "{trades}");
    let why = town.json(&["golem", "why", "ada", "1"]);
    let words = why["pools"][0]["words"].to_string();
    assert!(words.contains("in-and-out") && words.contains("led and wanted 25%"), "{words}");
    town.refuses(&["golem", "why", "ada", "99"], &["has lived ticks 1 to 12"]);
    let said = town.run(&["golem", "playbook", "propose", "ada", "more.md"]);
    assert!(text(&said.stdout).contains("will try 1 rules"), "{}", text(&said.stdout));
    run("14");
    let shown = town.json(&["golem", "playbook", "show", "ada"]);
    let (name, standing) = (&shown["rules"][1]["name"], &shown["rules"][1]["standing"]);
    assert_eq!((name, standing), (&"calm".into(), &"paper".into()), "{shown}");
    let held = town.json(&["memory", "replay", "ada"]);
    assert_eq!(held["holds"], true, "{held}");
}
