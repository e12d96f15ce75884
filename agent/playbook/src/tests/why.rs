use golem_primitives::{Ppm, Usdc};

use super::*;
use crate::account::Account;
use crate::makers::{guard, holds_for, in_hour};
use crate::promotion::{Founding, Origin, Paper, Staged};
use crate::rule::Rule;
use crate::staging::Blocks;

fn tried() -> Vec<Tried> {
    let mut blocks = Blocks::default();
    let provides = Action::Provide { width: Ppm::of(40_000), share: Ppm::of(500_000) };
    let rules = [
        holds_for("dip", in_hour(0), 60, 10),
        guard("night", in_hour(0), Action::NoEntries),
        Rule { action: provides, ..holds_for("range", in_hour(0), 50, 10) },
    ];
    let mut stage = |rule: Rule| {
        let paper =
            Account::of(&rule.action).map_or(Paper::Guards(crate::guard::GuardAccount::default()), Paper::Holds);
        let origin = Origin::Founding(Founding::Trial);
        Tried::stage(
            Staged { rule, paper, origin, confidence: None, bound_of_a_loss: 0.0192, cost: 0.001 },
            &mut blocks,
        )
    };
    rules.into_iter().map(&mut stage).collect()
}

fn voice(number: u64, evidence: f64, standing: Standing) -> Voice {
    Voice { number, place: number as usize, evidence, standing, share: Ppm::of(150_000) }
}

#[test]
fn p_055_reasons_are_plain_sentences_with_both_numbers() {
    assert_eq!(say(&Why::default(), &[]), ["No rule was awake.", "Nobody led, so nothing is to stand."]);
    let awake = vec![voice(0, 1.234, Standing::Trial), voice(2, 3e7, Standing::Paper), voice(9, 0.5, Standing::Rest)];
    let mut why = Why { leader: Some(awake[0]), awake, wanted: Ppm::of(150_000), ..Why::default() };
    why.cuts.push(Cut { by: Taker::Guard(1), to: Ppm::of(100_000) });
    why.cuts.push(Cut { by: Taker::Lean, to: Ppm::of(80_000) });
    why.forgone = Some((0, ForgoneEntry { expected_ppm: 5_000, cost_ppm: 7_666, caution_ppm: 1_500_000 }));
    why.too_small = Some(TooSmall { difference: Usdc::whole(1), cost: Usdc::whole(2) });
    assert_eq!(
        say(&why, &tried()),
        [
            "3 rules were awake: dip (evidence 1.23, moves a quarter (trial)), range (evidence 3e7, moves nothing (on \
             paper)) and rule 9 (evidence 0.50, moves nothing (rests)).",
            "dip led and wanted 15% of the capital in the token.",
            "The guard night cut that to 10%.",
            "Mood and suffering cut that to 8%.",
            "An entry of dip was forgone: it expects 0.5% and going in and out again costs 0.7666%, of which it must \
             promise 1.5 times.",
            "The change was not made: it would move 1.00 USDC and moving it costs 2.00 USDC.",
        ]
    );
    why.leader = Some(voice(2, 3e7, Standing::Whole));
    why.manner_kept_by = Some(1);
    let said = say(&why, &tried());
    assert_eq!(said[1], "range led and wanted 15% of the capital provided 4% either side of the price.");
    assert!(said.contains(&"The guard night lets nothing be entered, so what stands stays as it is.".to_owned()));
}

#[test]
fn p_048_a_change_is_a_sentence_that_names_its_rule() {
    let event = |number, change| DatedChange { time: 0, number, change }.in_words(&tried());
    let staged = RuleChange::Staged { block: 1, bound_of_a_loss: 0.0192, standing: Standing::Trial };
    assert_eq!(event(0, staged), "dip was staged in block 1: a trip can lose 1.92%, it moves a quarter (trial).");
    assert_eq!(event(7, RuleChange::MadeRoom { evidence: 0.5 }), "rule 7 made room for another: evidence 0.50.");
    let promoted = RuleChange::Promoted { evidence: 321.0, bound: 320.0, block: 0, promoted: 1 };
    assert_eq!(event(0, promoted), "dip moves its whole stake: evidence 321.00 of 320.0, number 1 of block 0.");
}
