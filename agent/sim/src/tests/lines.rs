use super::*;
use crate::world::EdgeLaw;

fn arm(name: &str) -> LineArm {
    LineArm {
        name: name.to_owned(),
        who: Who::Golems,
        death: Ending::None,
        heir: HeirOf::Own,
        gate: false,
        in_place: false,
        owner: Owner::Even,
        dreams: DreamArm::Nrem,
        founding: None,
        stiffens_after: None,
        shares: false,
        review: None,
    }
}

fn study(looks: usize, lines: u32) -> LinesStudy {
    let edge = EdgeLaw { gain: 1.5, over: 30, depth: 1.5, epoch: 6_000, pause: 500, drifts: false };
    let world = WorldLaw { looks, edge: Some(edge), crashes: 0.0, gas_regimes: false, prices: None };
    LinesStudy {
        world,
        lines,
        capital: 1_000,
        host_micros: 100,
        death_acts: 8,
        interregnum: 30,
        mean_life: 1_000,
        arms: Vec::new(),
    }
}

fn live(study: &LinesStudy, arm: &LineArm) -> ArmRun {
    study.live(arm, &study.world.path(4), 4).expect("somebody is born")
}

/// an arm is a function of its market and its seed; who does nothing pays its host alone, and who stands pays once.
#[test]
fn r_002_an_arm_is_a_function_of_its_seed_and_every_cost_is_charged() {
    let study = study(3_000, 2);
    let mortal = LineArm { death: Ending::Chance, ..arm("mortal") };
    assert_eq!(live(&study, &mortal), live(&study, &mortal));
    let idle = live(&study, &LineArm { dreams: DreamArm::Off, ..arm("idle") });
    let host = 100.0 * libm::log(1.0 - 3_000.0 * 100.0 / 1e9);
    assert!((idle.measures["growth"] - host).abs() < 1e-6 && idle.measures["trips"] == 0.0, "{:?}", idle.measures);
    let cash = live(&study, &LineArm { who: Who::Cash, ..arm("cash") });
    assert_eq!((cash.measures["growth"], cash.measures["costs"]), (0.0, 0.0));
    let holding = live(&study, &LineArm { who: Who::Holding, ..arm("holding") });
    assert!(holding.measures["costs"] > 0.05 && holding.measures["exposure"] > 99.0, "{:?}", holding.measures);
    assert_eq!(decisions_that_differ(&idle, &cash), 0.0);
    assert_eq!(decisions_that_differ(&holding, &cash), 100.0);
}

/// M-093, M-149: chance ends lives and is paid for; renewed in place the same lives end and nothing is sold.
#[test]
fn m_149_deaths_come_by_the_law_and_cost_what_they_cost() {
    let study = study(4_000, 1);
    let mortal = LineArm { death: Ending::Chance, dreams: DreamArm::Off, ..arm("mortal") };
    let renewed = LineArm { in_place: true, ..mortal.clone() };
    let (died, again) = (live(&study, &mortal), live(&study, &renewed));
    assert!(died.measures["deaths"] >= 1.0, "{:?}", died.measures);
    assert_eq!((died.measures["senescent"], again.measures["costs"]), (0.0, 0.0));
    assert!(died.measures["costs"] > 0.0, "the acts of a death and a birth are paid");
    assert_eq!(live(&study, &arm("immortal")).measures["deaths"], 0.0);
}

/// M-068: who stops to learn grows senescent and dies of it; who learns does not.
#[test]
fn m_068_only_those_who_stop_to_learn_die_of_senescence() {
    let mut study = study(16_000, 1);
    study.world.gas_regimes = true;
    let learning = LineArm { death: Ending::Epistemic, dreams: DreamArm::Off, ..arm("learning") };
    let stiff = LineArm { stiffens_after: Some(1_000), ..learning.clone() };
    assert_eq!(live(&study, &learning).measures["senescent"], 0.0);
    assert!(live(&study, &stiff).measures["senescent"] > 0.0);
}

/// P-046, P-070, I-365: what was found is acted by, an heir has half the evidence and the blank one nothing, and the gate makes
/// an heir another than the dead one.
#[test]
fn p_046_heirs_go_on_where_the_blank_begin_anew_and_the_gate_makes_them_others() {
    let study = LinesStudy { mean_life: 3_000, ..study(12_000, 1) };
    let immortal = live(&study, &arm("immortal"));
    assert!(immortal.measures["staged"] > 0.0 && immortal.measures["trips"] > 0.0, "{:?}", immortal.measures);
    let mortal = LineArm { death: Ending::Chance, ..arm("mortal") };
    let own = live(&study, &mortal);
    let gated = live(&study, &LineArm { gate: true, ..mortal.clone() });
    let blank = live(&study, &LineArm { heir: HeirOf::Blank, ..mortal });
    assert!(own.measures["deaths"] > 0.0);
    assert_eq!(own.measures["forced"], 0.0);
    assert!(
        gated.measures["heir-distance"] >= own.measures["heir-distance"],
        "{:?} {:?}",
        gated.measures,
        own.measures
    );
    assert!(blank.measures["staged"] < own.measures["staged"], "who begins anew searches nothing for 2,000 looks");
}

/// An owner who funds the fitter moves money and makes none; the worst is chosen by what it earned.
#[test]
fn an_owner_moves_capital_between_lines_and_makes_none() {
    let study = LinesStudy { mean_life: 500, ..study(3_000, 3) };
    let idle = LineArm { dreams: DreamArm::Off, ..arm("idle") };
    let (even, fitter) = (live(&study, &idle), live(&study, &LineArm { owner: Owner::Fitter, ..idle.clone() }));
    assert!((even.measures["growth"] - fitter.measures["growth"]).abs() < 1e-9);
    let worst = live(&study, &LineArm { death: Ending::Worst, heir: HeirOf::Fitter, ..idle });
    assert_eq!(worst.measures["deaths"], 5.0, "one at each review");
}

/// P-075, I-104: lines that are a Clade tell each other what moves money and try what they hear on paper; lines that are none do
/// not, and one that is alone hears nobody. Who is born later hears what is kept (I-108), so blank newcomers hear the rules again.
#[test]
fn p_075_lines_of_a_clade_hear_what_siblings_act_by() {
    let clade = LineArm { shares: true, ..arm("clade") };
    let apart = arm("apart");
    let study = LinesStudy { arms: vec![apart.clone(), clade.clone()], ..study(14_000, 2) };
    let (alone, together) = (live(&study, &apart), live(&study, &clade));
    assert_eq!([alone.measures["told"], alone.measures["crossed"]], [0.0; 2]);
    assert!(together.measures["told"] > 0.0 && together.measures["crossed"] > 0.0, "{:?}", together.measures);
    assert!(together.measures["staged"] >= together.measures["crossed"]);
    assert!(alone.measures["apart"] > 0.0, "books are compared in every arm");
    let single = LinesStudy { lines: 1, ..study.clone() };
    assert_eq!(live(&single, &clade).measures["crossed"], 0.0, "nothing comes back to who said it (I-103)");
    let turned = LineArm { death: Ending::Oldest, heir: HeirOf::Blank, review: Some(5_000), ..clade };
    let renewed = live(&study, &turned);
    assert_eq!(renewed.measures["deaths"], 2.0, "one at each review");
    assert!(renewed.measures["crossed"] > 0.0, "{:?}", renewed.measures);
}

/// The ones that have lived longest die in turn: over as many reviews as there are lines each dies once.
#[test]
fn turnover_ends_the_one_that_has_lived_longest() {
    let study = study(2_000, 3);
    let turned = LineArm { death: Ending::Oldest, review: Some(500), dreams: DreamArm::Off, ..arm("turned") };
    let mut population = Population::new(&study, &turned, 4);
    let path = study.world.path(4);
    for at in 0..1_501 {
        population.look(&path, at).expect("somebody is born");
    }
    let deaths: Vec<u32> = population.lines.iter().map(|line| line.count.deaths).collect();
    assert_eq!(deaths, [1, 1, 1]);
}
