use super::*;
use crate::cost::ONCE;
use crate::makers::{CAPITAL, holds_for, in_hour, look};
use crate::rule::Action;

const PROVIDE: Manner = Manner::Provide { width: Ppm::of(40_000) };

fn provides() -> Option<Action> {
    Some(Action::Provide { width: Ppm::of(40_000), share: Ppm::of(600_000) })
}

fn voice(number: u64, evidence: f64, share: u32) -> Voice {
    Voice { number, place: number as usize, evidence, standing: Standing::Whole, share: Ppm::of(share) }
}

#[test]
fn p_050_the_strongest_with_money_leads_then_the_older_then_by_name() {
    let led = |awake: &[Voice]| strongest(awake.iter(), |_| "same").map(|voice| voice.number);
    assert_eq!(led(&[]), None);
    assert_eq!(led(&[voice(1, 900.0, 0)]), None, "who has earned no money does not lead");
    assert_eq!(led(&[voice(1, 30.0, 100), voice(2, 400.0, 100), voice(3, 900.0, 0)]), Some(2));
    assert_eq!(led(&[voice(7, 30.0, 100), voice(2, 30.0, 100)]), Some(2));
    let twins = [Voice { place: 0, ..voice(1, 30.0, 100) }, Voice { place: 1, ..voice(1, 30.0, 100) }];
    let names = ["b", "a"];
    assert_eq!(strongest(twins.iter(), |place| names[place]).map(|voice| voice.place), Some(1));
}

struct Case {
    wanted: u32,
    stands: u32,
    stood: Manner,
    action: Option<Action>,
    caution_ppm: u32,
    held: u32,
    bounds: Bounds,
    limits: Limits,
    gas: Usdc,
}

impl Default for Case {
    fn default() -> Self {
        Self {
            wanted: 0,
            stands: 0,
            stood: Manner::Hold,
            action: None,
            caution_ppm: ONCE,
            held: 0,
            bounds: Bounds::default(),
            limits: Limits::NONE,
            gas: Usdc::ZERO,
        }
    }
}

impl Case {
    fn decide(self) -> (Decision, Why) {
        let mut rule = holds_for("dawn", in_hour(0), 60, 10);
        rule.action = self.action.unwrap_or(rule.action);
        let look = crate::Look { gas: self.gas, ..look(0, 2_000.0) };
        let held = CAPITAL.share_down(Ppm::of(self.held));
        let now = Circumstances { capital: CAPITAL, held, limits: self.limits, caution_ppm: self.caution_ppm };
        let mut why = Why { wanted: Ppm::of(self.wanted), ..Why::default() };
        let stands = Stand { share: Ppm::of(self.stands), manner: self.stood };
        let choice = Choice { look: &look, now: &now, stands, bounds: self.bounds };
        let decision = choice.decide(Some(&Promise { rule: &rule, number: 3 }), &mut why);
        (decision, why)
    }
}

/// P-051, P-052: what a limit takes away never buys, though the price fell below what is left, and what has earned more never
/// sells, though the price rose above it.
#[test]
fn p_051_no_change_of_the_stake_trades_the_other_way() {
    let half = Limits { phase: Ppm::of(500_000), ..Limits::NONE };
    for (wanted, stands, held, limits, meant, trades) in [
        (600_000, 600_000, 250_000, half, 300_000, false),
        (600_000, 600_000, 300_000, half, 300_000, false),
        (600_000, 600_000, 350_000, half, 300_000, true),
        (600_000, 150_000, 700_000, Limits::NONE, 600_000, false),
        (600_000, 150_000, 500_000, Limits::NONE, 600_000, true),
    ] {
        let (decision, _) = Case { wanted, stands, held, limits, ..Case::default() }.decide();
        assert_eq!((decision.target.get(), decision.order.is_some()), (meant, trades), "{wanted} {stands} {held}");
    }
}

#[test]
fn p_051_guards_phase_lean_warnings_and_vault_take_away_in_that_order() {
    let limits = Limits {
        phase: Ppm::of(500_000),
        lean: Ppm::of(800_000),
        warnings: Ppm::of(900_000),
        vault: Ppm::of(100_000),
        ..Limits::NONE
    };
    let mut bounds = Bounds::default();
    bounds.cap(Ppm::of(500_000), 8);
    bounds.cap(Ppm::of(400_000), 9);
    bounds.cap(Ppm::of(450_000), 10);
    let (decision, why) = Case { wanted: 600_000, bounds, limits, ..Case::default() }.decide();
    assert_eq!(decision.target, Ppm::of(100_000));
    let cuts: Vec<(Taker, u32)> = why.cuts.iter().map(|cut| (cut.by, cut.to.get())).collect();
    assert_eq!(
        cuts,
        [
            (Taker::Guard(9), 400_000),
            (Taker::Phase, 200_000),
            (Taker::Lean, 160_000),
            (Taker::Warnings, 144_000),
            (Taker::Vault, 100_000)
        ]
    );
}

#[test]
fn p_021_p_055_an_entry_that_does_not_pay_is_forgone_and_told() {
    // 600 at stake, 0.1% of fees; 2 USDC of gas each way is another 0.667%, together more than the 0.5% expected.
    let (decision, why) = Case { wanted: 600_000, gas: Usdc::whole(2), ..Case::default() }.decide();
    assert_eq!((decision.target, decision.order), (Ppm::ZERO, None));
    assert_eq!(why.forgone, Some((3, ForgoneEntry { expected_ppm: 5_000, cost_ppm: 7_666, caution_ppm: ONCE })));
}

/// P-052.
#[test]
fn p_052_a_change_smaller_than_its_cost_is_not_made_but_exits_and_guards_are() {
    let gas = Usdc::whole(2);
    let fall = Case { wanted: 599_000, stands: 600_000, held: 600_000, gas, ..Case::default() };
    let (decision, why) = fall.decide();
    assert_eq!((decision.target, decision.order), (Ppm::of(600_000), None));
    assert_eq!(why.too_small.map(|small| small.difference), Some(Usdc::whole(1)));

    let (exit, _) = Case { stands: 1_000, held: 1_000, gas, ..Case::default() }.decide();
    assert_eq!(exit.order, Some(HandOrder { from: Ppm::of(1_000), to: Ppm::ZERO }));

    let mut bounds = Bounds::default();
    bounds.cap(Ppm::of(599_000), 9);
    let (cut, _) = Case { wanted: 600_000, stands: 600_000, held: 600_000, bounds, gas, ..Case::default() }.decide();
    assert_eq!(cut.order, Some(HandOrder { from: Ppm::of(600_000), to: Ppm::of(599_000) }));
}

#[test]
fn p_053_an_exit_that_was_not_filled_is_ordered_again() {
    let (decision, _) = Case { stands: 0, held: 200_000, ..Case::default() }.decide();
    assert_eq!(decision.order, Some(HandOrder { from: Ppm::ZERO, to: Ppm::ZERO }));
}

#[test]
fn p_021_caution_asks_for_more_than_the_cost_and_never_for_less() {
    // 600 at stake: 0.1% of fees and 0.2% of gas both ways; 0.5% is expected.
    let gas = Usdc::from_micros(600_000);
    let entry = |caution_ppm| Case { wanted: 600_000, gas, caution_ppm, ..Case::default() }.decide();
    assert_eq!(entry(1_600_000).0.target, Ppm::of(600_000), "0.48% is asked");
    let (decision, why) = entry(1_700_000);
    assert_eq!((decision.target, decision.order), (Ppm::ZERO, None), "0.51% is asked");
    assert_eq!(why.forgone, Some((3, ForgoneEntry { expected_ppm: 5_000, cost_ppm: 3_000, caution_ppm: 1_700_000 })));
    let dear = Case { wanted: 600_000, gas: Usdc::whole(2), caution_ppm: 0, ..Case::default() }.decide();
    assert_eq!(dear.0.order, None, "no caution is less than once");
    assert_eq!(dear.1.forgone.map(|(_, forgone)| forgone.caution_ppm), Some(ONCE));
}

#[test]
fn p_004_p_052_a_change_of_manner_is_worth_an_order_though_the_share_is_the_same() {
    let changes = || Case { wanted: 600_000, stands: 600_000, held: 600_000, action: provides(), ..Case::default() };
    let (decision, _) = changes().decide();
    let order = Some(HandOrder { from: Ppm::of(600_000), to: Ppm::of(600_000) });
    assert_eq!(decision, Decision { target: Ppm::of(600_000), manner: PROVIDE, order });
    let (stays, _) = Case { stood: PROVIDE, ..changes() }.decide();
    assert_eq!(stays, Decision { target: Ppm::of(600_000), manner: PROVIDE, order: None });
    let wider = Manner::Provide { width: Ppm::of(50_000) };
    assert!(Case { stood: wider, ..changes() }.decide().0.order.is_some(), "another width is another manner");
}

#[test]
fn p_053_where_the_other_manner_does_not_pay_what_nobody_leads_any_more_is_left_all_the_same() {
    // The gas of four acts on 600 is 1.3%; 0.5% is expected.
    let gas = Usdc::whole(2);
    let case = Case { wanted: 600_000, stands: 600_000, held: 600_000, action: provides(), gas, ..Case::default() };
    let (decision, why) = case.decide();
    let order = Some(HandOrder { from: Ppm::of(600_000), to: Ppm::ZERO });
    assert_eq!(decision, Decision { target: Ppm::ZERO, manner: Manner::Hold, order });
    assert_eq!(why.forgone.map(|(number, _)| number), Some(3));
}

#[test]
fn p_051_guards_bind_what_provides_as_they_bind_a_hold() {
    let bounds = Bounds { no_entries: Some(9), ..Bounds::default() };
    let case = Case { wanted: 600_000, stands: 600_000, held: 600_000, action: provides(), bounds, ..Case::default() };
    let (kept, why) = case.decide();
    assert_eq!(kept, Decision { target: Ppm::of(600_000), manner: Manner::Hold, order: None });
    assert_eq!(why.manner_kept_by, Some(9));
    let (out, why) = Case { wanted: 600_000, action: provides(), bounds, ..Case::default() }.decide();
    assert_eq!((out.target, out.order, why.manner_kept_by), (Ppm::ZERO, None, None));

    let mut bounds = Bounds::default();
    bounds.cap(Ppm::of(200_000), 9);
    let (capped, _) = Case { wanted: 600_000, action: provides(), bounds, ..Case::default() }.decide();
    let order = Some(HandOrder { from: Ppm::ZERO, to: Ppm::of(200_000) });
    assert_eq!(capped, Decision { target: Ppm::of(200_000), manner: PROVIDE, order });
}
