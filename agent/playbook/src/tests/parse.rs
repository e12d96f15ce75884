//! What a book says is what was written, and what is wrong is told with its place.

use proptest::prelude::*;

use super::*;
use crate::books::book;
use crate::error::RemarkKind;

const GOOD: &str = "# A book

### dip-in-calm
- when: z(64) <= -1.25 and vol(64) <= 0.09%
- do: hold 60%
- until: z(64) >= 0 or gain <= -1.5% or since >= 200
- expects: +0.7% within 200
- because: prices that fall fast in a quiet market came back 31 of 38 times
- asks: does it hold when gas is high?
";

/// The good book with one line changed.
fn with(line: &str, instead: &str) -> String {
    assert!(GOOD.contains(line), "{line}");
    GOOD.replace(line, instead)
}

fn mistakes(text: &str) -> Vec<String> {
    match parse(text) {
        Ok(_) => Vec::new(),
        Err(mistakes) => mistakes.0.iter().map(ToString::to_string).collect(),
    }
}

/// The one mistake of a text begins with its place and holds these words.
#[track_caller]
fn refused(text: &str, place: &str, words: &[&str]) {
    let said = mistakes(text);
    assert_eq!(said.len(), 1, "{said:#?}");
    assert!(said[0].starts_with(&format!("{place}: ")), "{}", said[0]);
    for word in words {
        assert!(said[0].contains(word), "{word} in {}", said[0]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn p_005_a_printed_book_reads_as_itself(book in book(6)) {
        let text = book.to_string();
        match parse(&text) {
            Ok(read) => {
                prop_assert_eq!(&read.book, &book);
                prop_assert_eq!(read.book.to_string(), text);
            }
            // Books at random may hold guards that contradict each other; nothing else is wrong with them.
            Err(mistakes) => for mistake in mistakes.0 {
                prop_assert!(matches!(mistake.problem, Problem::Contradiction { .. }), "{mistake}\n{text}");
            }
        }
    }

    #[test]
    fn p_005_nothing_a_file_holds_is_too_strange(text in "\\PC*", bytes: Vec<u8>) {
        let _ = parse(&text);
        let _ = parse(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn p_005_no_damage_to_a_book_is_too_strange(at in 0..GOOD.len(), with in "[-+.,:()%<>=#&|0-9a-z \n\t≤é]{0,6}", cut in 0_usize..12) {
        let from = GOOD.floor_char_boundary(at);
        let to = GOOD.floor_char_boundary((at + cut).min(GOOD.len()));
        let text = format!("{}{with}{}", &GOOD[..from], &GOOD[to..]);
        if let Ok(read) = parse(&text) {
            prop_assert_eq!(read.to_string(), text);
        }
    }
}

/// P-005.
#[test]
fn p_005_canonical_text_comes_back_byte_for_byte_and_prose_is_kept() {
    let read = parse(GOOD).expect("a book");
    assert_eq!(read.book.to_string(), GOOD);
    assert_eq!(read.remarks, Vec::new());

    let prose = "\u{feff}# A book\r\n\r\nWhy I trade.\r\n\r\n## Strategy: mine\r\n<!-- ### off\n- when: x\n-->\n```\n- do: y\n```\n";
    let text =
        format!("{prose}{}\nMore words: here.\n#### A note\nand the end", GOOD.split_once('\n').expect("lines").1);
    let read = parse(&text).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    assert_eq!(read.to_string(), text);
    assert_eq!(read.book.to_string(), GOOD, "prose changes no rule");
}

#[test]
fn p_002_a_rule_is_read_as_it_is_meant() {
    use crate::{Action, Comparison, Expectation, Join, Observable, Relation, Span};
    let rule = &parse(GOOD).expect("a book").book.rules[0];
    let z = Comparison { word: Observable::Z(Span::L64), relation: Relation::AtMost, threshold: -1_250_000 };
    let vol = Comparison { word: Observable::Vol(Span::L64), relation: Relation::AtMost, threshold: 900 };
    assert_eq!(rule.when.parts.as_slice(), &[(Join::And, z), (Join::And, vol)]);
    assert_eq!(rule.action, Action::Hold { share: golem_primitives::Ppm::of(600_000) });
    assert_eq!(rule.until.as_ref().map(|until| until.parts[1].0), Some(Join::Or));
    assert_eq!(rule.expects, Some(Expectation { return_ppm: 7_000, within: 200 }));
}

#[test]
fn p_005_a_word_that_does_not_exist_is_told_with_the_nearest() {
    refused(&with("vol(64) <=", "voll(64) <="), "4:28", &["`voll`", "did you mean `vol(64)`?"]);
    refused(&with("z(64) <= -1.25 and", "return(64) <= -1% and"), "4:9", &["did you mean `move(64)`?"]);
    refused(&with("z(64) <=", "z(50) <="), "4:11", &["`50` is no span", "did you mean `z(64)`?"]);
    refused(&with("z(64) <=", "z <="), "4:9", &["`z(64)`"]);
    refused(&with("since >=", "since(64) >="), "6:41", &["`since` has no span"]);
    refused(&with("- do: hold", "- do: hodl"), "5:7", &["`hodl`", "did you mean `hold 60%`?"]);
    refused(&with("- do: hold 60%", "- do: buy 60%"), "5:7", &["did you mean `hold 60%`?"]);
    refused(&with("- asks:", "- ask:"), "9:3", &["`ask`", "did you mean `- asks:`?"]);
    refused(&with("- asks:", "- Asks:"), "9:3", &["did you mean `- asks:`?"]);
    refused(&with(" and ", " && "), "4:24", &["did you mean `and`?"]);
    refused(&with("-1.25 and vol(64) <=", "-1.25 and vol(64) =<"), "4:36", &["did you mean `<=`?"]);
}

#[test]
fn p_005_a_number_is_told_with_its_unit_and_range() {
    refused(&with("0.09%", "0.09"), "4:39", &["in percent", "did you mean `0.09%`?"]);
    refused(&with("-1.25", "-1.25%"), "4:18", &["in deviations", "did you mean `-1.25`?"]);
    refused(&with("since >= 200", "since >= 20.5"), "6:50", &["whole number"]);
    refused(&with("-1.25", "-1.2500001"), "4:18", &["six decimals"]);
    refused(&with("-1.25", "-1,25"), "4:18", &["`-1,25`"]);
    refused(&with("-1.25", "-99"), "4:18", &["between -32 and 32"]);
    refused(&with("-1.25", "99999999999999999999999999"), "4:18", &["between -32 and 32"]);
    refused(&with("hold 60%", "hold 120%"), "5:12", &["a share lies between", "100%"]);
    refused(&with("hold 60%", "hold 0%"), "5:12", &["a share lies between"]);
    refused(&with("hold 60%", "hold"), "5:11", &["nothing stands where a percentage"]);
    refused(&with("+0.7% within", "-0.7% within"), "7:12", &["expects no gain"]);
    assert_eq!(mistakes(&with("-1.25", "-1.250")), Vec::<String>::new(), "the same number");
    assert_eq!(mistakes(&with("+0.7%", "0.7%")), Vec::<String>::new(), "the same number");
}

#[test]
fn p_002_a_condition_has_four_comparisons_at_most() {
    let five = "- when: z(64) <= -1 and z(32) <= -1 and z(16) <= -1 and vol(16) <= 1% and gas <= 2";
    refused(&with("- when: z(64) <= -1.25 and vol(64) <= 0.09%", five), "4:75", &["at most 4"]);
    refused(&with(" and vol(64) <= 0.09%", " and"), "4:27", &["nothing stands where a word"]);
    refused(&with(" and vol(64)", " and or vol(64)"), "4:28", &["`or` stands where a word"]);
    refused(&with("or since >= 200", "or since >= 200 looks"), "6:54", &["`looks` stands where `and` or `or`"]);
    assert_eq!(mistakes(&with("z(64) <= -1.25", "z64 < < 1")).len(), 1, "one slip, one mistake");
}

#[test]
fn p_005_what_is_missing_twice_or_out_of_place_is_told() {
    refused(&with("- do: hold 60%\n", ""), "3:1", &["no `do`"]);
    refused(&with("- until: z(64) >= 0 or gain <= -1.5% or since >= 200\n", ""), "3:1", &["no `until`", "never leave"]);
    refused(&with("- expects: +0.7% within 200\n", ""), "3:1", &["no `expects`"]);
    refused(&with("- do: hold 60%\n", "- do: hold 60%\n- do: hold 50%\n"), "6:3", &["line 5 already"]);
    refused(&with("- do: hold 60%\n", "- do: hold 60%\n- do\n"), "6:3", &["`do` is no part"]);
    refused(&with("- asks:", "asks:"), "9:1", &["written `- asks: ...`"]);
    refused(&with("- asks:", "* asks:"), "9:3", &["written `- asks: ...`"]);
    refused(&with("- asks:", "* aska:"), "9:3", &["did you mean `- asks:`?"]);
    refused(&with("- asks:", "Asks:"), "9:1", &["written `- asks: ...`"]);
    refused(&with("- asks:", "untill:"), "9:1", &["written `- until: ...`"]);
    refused(&with("- asks: does it hold when gas is high?", "- asks:"), "9:3", &["says nothing"]);
    refused(&with("### dip-in-calm", "- when: z(64) <= 1\n### dip-in-calm"), "3:3", &["outside every rule"]);
    refused(&with("# A book\n", "A book\n"), "1:1", &["begins with its title"]);
    refused(&with("### dip-in-calm", "### Dip in calm!"), "3:5", &["did you mean `### dip-in-calm`?"]);
    refused(&with("### dip-in-calm", "###dip-in-calm"), "3:5", &["did you mean `### dip-in-calm`?"]);
    refused("# Nothing\n", "1:1", &["no rule"]);
    refused("", "1:1", &["title"]);
    refused(&format!("{GOOD}<!-- not closed"), "10:1", &["comment has no end"]);
    refused(&format!("{GOOD}```"), "10:1", &["block of code has no end"]);
}

#[test]
fn p_004_guards_need_no_end() {
    for guard in ["at most 0%", "wait 20", "no entries", "tighten until gain <= -0.5% or since >= 40"] {
        let text = format!("{GOOD}\n### guard\n- when: vol(16) >= 2%\n- do: {guard}\n- because: storms\n");
        let read = parse(&text).unwrap_or_else(|mistakes| panic!("{guard}: {mistakes}"));
        assert!(read.book.rules[1].action.is_guard());
        assert_eq!(read.book.to_string(), text);
    }
    refused(&with("hold 60%", "wait 70000"), "5:12", &["between 1 and 65535"]);
    refused(&with("hold 60%", "tighten gain <= 1%"), "5:7", &["did you mean `tighten until gain <= -0.5%`?"]);
    refused(&with("hold 60%", "provide 4%"), "5:17", &["percentage"]);
}

#[test]
fn p_005_every_mistake_is_told_at_once_in_order() {
    let text =
        "# A book\n\n### a\n- when: zz(64) <= -1 and vol(60) <= 1 or gap >\n- do: hold 300%\n\n### a\n- do: jump\n";
    let places: Vec<String> = parse(text)
        .expect_err("wrong")
        .0
        .iter()
        .map(|mistake| format!("{}:{}", mistake.line, mistake.column))
        .collect();
    assert_eq!(places, ["3:1", "3:1", "4:9", "4:30", "4:37", "4:47", "5:12", "7:1", "7:5", "8:7"]);
}

/// P-006.
#[test]
fn p_006_a_book_has_so_many_rules_of_different_names() {
    let rule = |name: usize| GOOD.split_once("\n\n").expect("a rule").1.replace("dip-in-calm", &format!("dip-{name}"));
    let full: String = (0..RULES).map(|name| format!("\n{}", rule(name))).collect();
    assert_eq!(mistakes(&format!("# Full\n{full}")), Vec::<String>::new());
    let over = mistakes(&format!("# Over\n{full}\n{}", rule(RULES)));
    assert_eq!(over.len(), 1, "{over:?}");
    assert!(over[0].contains("this is rule 257"), "{over:?}");
    refused(&format!("{GOOD}\n{}", GOOD.split_once("\n\n").expect("a rule").1), "11:5", &["already in line 3"]);
}

#[test]
fn p_005_a_file_a_line_and_a_sign_have_their_bounds() {
    refused(&"x".repeat(BYTES + 1), "1:1", &["longer than 262144"]);
    // A word as long as a file is refused like any other, and as fast.
    let endless = mistakes(&with("z(64) <= -1.25", &"z".repeat(BYTES / 2)));
    assert_eq!(endless.len(), 2, "too long, and no word");
    assert!(endless.iter().all(|said| said.len() < 200), "{endless:?}");
    refused(&with("came back", &"so ".repeat(400)), "8:1001", &["at most 1000"]);
    refused(&with("fall fast", "fall\u{1b}[2J fast"), "8:28", &["U+001B"]);
    refused(&with("fall fast", "fall \u{202e}fast"), "8:29", &["U+202E"]);
}

#[test]
fn p_006_guards_that_contradict_each_other_are_refused() {
    let guard =
        |name: &str, when: &str, does: &str| format!("\n### {name}\n- when: {when}\n- do: {does}\n- because: so\n");
    let two = |one: (&str, &str), other: (&str, &str)| {
        format!("{GOOD}{}{}", guard("one", one.0, one.1), guard("two", other.0, other.1))
    };
    let storm = "vol(16) >= 2% and gas >= 3";
    let same = "gas >= 3 and vol(16) >= 2%";
    refused(&two((storm, "at most 20%"), (same, "at most 30%")), "16:1", &["`two`", "`one`", "different shares"]);
    refused(&two((storm, "wait 5"), (same, "wait 6")), "16:1", &["different times"]);
    for fine in [(same, "wait 6"), (same, "at most 20%"), ("vol(16) >= 3%", "at most 10%")] {
        assert_eq!(mistakes(&two((storm, "at most 20%"), fine)), Vec::<String>::new(), "{fine:?}");
    }
    // A guard that is always awake when the entry wakes leaves it nothing to do.
    for (when, does) in
        [("hour >= 0", "no entries"), ("z(64) <= -1", "at most 0%"), ("gas >= 3 or vol(64) < 1%", "no entries")]
    {
        refused(&format!("{GOOD}{}", guard("never", when, does)), "11:1", &["`dip-in-calm`", "forbids"]);
    }
    for (when, does) in [("z(64) <= -1.5", "no entries"), ("hour >= 1", "no entries"), ("hour >= 0", "at most 1%")] {
        assert_eq!(mistakes(&format!("{GOOD}{}", guard("some", when, does))), Vec::<String>::new(), "{when}");
    }
}

/// P-007.
#[test]
fn p_007_a_rule_without_reason_and_question_is_marked() {
    let because = "- because: prices that fall fast in a quiet market came back 31 of 38 times\n";
    let asks = "- asks: does it hold when gas is high?\n";
    let kinds = |text: &str| {
        let remarks = parse(text).expect("a book").remarks;
        remarks.iter().map(|remark| (remark.line, remark.kind)).collect::<Vec<_>>()
    };
    assert_eq!(kinds(&with(because, "").replace(asks, "")), [(3, RemarkKind::NoReason)]);
    assert_eq!(kinds(&with(because, "")), [], "a question is something");
    assert_eq!(kinds(&with("vol(64) <= 0.09%", "z(64) > 2")), [(3, RemarkKind::NeverWakes)]);
    let never = with("z(64) >= 0 or gain <= -1.5% or since >= 200", "hour < 0 or gain > 1% and gain <= 1%");
    assert_eq!(kinds(&never), [(3, RemarkKind::NeverEnds)]);
}

#[test]
fn p_005_every_book_of_the_guide_is_one_and_every_word_is_in_it() {
    let guide = include_str!("../../../../docs/playbook.md");
    let books: Vec<&str> =
        guide.split("```markdown\n").skip(1).map(|rest| rest.split_once("```").expect("closed").0).collect();
    assert!(books.len() >= 4);
    for book in books {
        let read = parse(book).unwrap_or_else(|mistakes| panic!("{mistakes}\n{book}"));
        assert_eq!(read.remarks, Vec::new(), "{book}");
    }
    for row in crate::vocabulary::WORDS {
        let name = if row.has_span() { format!("`{}(w)`", row.name) } else { format!("`{}`", row.name) };
        assert!(guide.contains(&name), "the guide lacks {name}");
    }
}
