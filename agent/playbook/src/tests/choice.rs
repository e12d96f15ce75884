use super::*;
use crate::makers::{CAPITAL, holds_for, in_hour, look};

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
    held: u32,
    bounds: Bounds,
    limits: Limits,
    gas: Usdc,
}

impl Default for Case {
    fn default() -> Self {
        Self { wanted: 0, stands: 0, held: 0, bounds: Bounds::default(), limits: Limits::NONE, gas: Usdc::ZERO }
    }
}

impl Case {
    fn decide(self) -> (Decision, Why) {
        let rule = holds_for("dawn", in_hour(0), 60, 10);
        let look = crate::Look { gas: self.gas, ..look(0, 2_000.0) };
        let held = CAPITAL.share_down(Ppm::of(self.held));
        let now = Circumstances { capital: CAPITAL, held, limits: self.limits };
        let mut why = Why { wanted: Ppm::of(self.wanted), ..Why::default() };
        let choice = Choice { look: &look, now: &now, stands: Ppm::of(self.stands), bounds: self.bounds };
        let decision = choice.decide(Some(&Promise { rule: &rule, number: 3 }), &mut why);
        (decision, why)
    }
}

#[test]
fn p_051_guards_phase_lean_warnings_and_vault_take_away_in_that_order() {
    let limits =
        Limits { phase: Ppm::of(500_000), lean: Ppm::of(800_000), warnings: Ppm::of(900_000), vault: Ppm::of(100_000) };
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
    assert_eq!(why.forgone, Some((3, Forgone { expected_ppm: 5_000, cost_ppm: 7_666 })));
}

#[test]
fn p_052_a_change_smaller_than_its_cost_is_not_made_but_exits_and_guards_are() {
    let gas = Usdc::whole(2);
    let fall = Case { wanted: 599_000, stands: 600_000, held: 600_000, gas, ..Case::default() };
    let (decision, why) = fall.decide();
    assert_eq!((decision.target, decision.order), (Ppm::of(600_000), None));
    assert_eq!(why.too_small.map(|small| small.difference), Some(Usdc::whole(1)));

    let (exit, _) = Case { stands: 1_000, held: 1_000, gas, ..Case::default() }.decide();
    assert_eq!(exit.order, Some(Order { from: Ppm::of(1_000), to: Ppm::ZERO }));

    let mut bounds = Bounds::default();
    bounds.cap(Ppm::of(599_000), 9);
    let (cut, _) = Case { wanted: 600_000, stands: 600_000, held: 600_000, bounds, gas, ..Case::default() }.decide();
    assert_eq!(cut.order, Some(Order { from: Ppm::of(600_000), to: Ppm::of(599_000) }));
}

#[test]
fn p_053_an_exit_that_was_not_filled_is_ordered_again() {
    let (decision, _) = Case { stands: 0, held: 200_000, ..Case::default() }.decide();
    assert_eq!(decision.order, Some(Order { from: Ppm::ZERO, to: Ppm::ZERO }));
}
