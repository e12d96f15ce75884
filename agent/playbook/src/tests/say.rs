use crate::parse::parse;

fn said(lines: &str) -> String {
    let book = parse(&format!("# Book\n\n### rule\n{lines}\n")).unwrap_or_else(|mistakes| panic!("{mistakes}")).book;
    book.rules[0].in_words()
}

#[test]
fn p_007_a_rule_is_said_as_a_person_would() {
    assert_eq!(
        said(
            "- when: z(64) <= -1.25 and vol(64) <= 0.09%\n- do: hold 60%\n\
             - until: z(64) >= 0 or gain <= -1.5% or since >= 200\n- expects: +0.7% within 200"
        ),
        "When the price stands at least 1.25 deviations below its mean of 64 looks and the volatility of 64 looks is at \
         most 0.09%, hold 60% of the capital a trade may use in the token, until the price stands at or above its mean of \
         64 looks or the position stands at least 1.5% below its entry or the time since the entry is at least 200 looks; \
         it expects +0.7% within 200 looks."
    );
    assert_eq!(
        said("- when: gap > 1% or gas >= 3 and z(16) < 1\n- do: wait 1"),
        "When the price stands more than 1% above the vault's mean price, or gas is at least 3 times its median and the \
         price stands less than 1 deviation above its mean of 16 looks, enter nothing for 1 look, as long as that is so."
    );
    assert_eq!(
        said("- when: move(32) > -2%\n- do: tighten until fall <= -0.5%\n- until: trend(128) < 0"),
        "When the price stands less than 2% below where the last 32 looks began, leave already when the position stands \
         at least 0.5% below its best since the entry, until the slope of the last 128 looks is below 0 standard errors."
    );
}

#[test]
fn p_003_every_word_has_one_row_and_can_be_said() {
    use crate::observable::{Observable, SEEN};
    use crate::{Comparison, Relation};
    let words: Vec<Observable> = Observable::all().collect();
    let places: std::collections::BTreeSet<usize> = words.iter().filter_map(|word| word.place()).collect();
    assert_eq!(places.len(), SEEN, "every value of a look has its word");
    for word in words {
        let (row, span) = word.row();
        assert_eq!(row.has_span(), span.is_some());
        let said = Comparison { word, relation: Relation::AtLeast, threshold: row.least }.in_words();
        assert!(!said.contains('{'), "{said}");
    }
}
