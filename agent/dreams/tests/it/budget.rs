use golem_dreams::budget::{
    CORE_CYCLE, Caps, CoreSplit, DreamLedger, HARDENED_CYCLE, Split, Target, monthly_estimate, percents,
    share_of_inference,
};
use golem_dreams::words::{DreamPhase, DreamTier};
use golem_mortality::phase::Phase;
use golem_primitives::{Ppm, Usdc, UtcTime};
use proptest::prelude::*;

fn micros(micros: u64) -> Usdc {
    Usdc::from_micros(micros)
}

fn parts(split: &Split) -> Vec<u64> {
    DreamPhase::ALL.iter().map(|phase| split.of_phase(*phase).micros()).collect()
}

fn day(text: &str) -> UtcTime {
    text.parse().expect("a time")
}

/// D-046, D-047, D-048: V13, V14, and every row of the table.
#[test]
fn d_046_budgets_are_split_by_vital_phase() {
    let thriving = Split::of(micros(500_000), Phase::Thriving, None);
    assert_eq!(parts(&thriving), [50_000, 170_000, 150_000, 105_000, 25_000], "V13");
    let declining = Split::of(micros(100_000), Phase::Declining, None);
    assert_eq!(parts(&declining), [10_000, 20_000, 16_000, 49_000, 5_000], "V14, D-048");
    for phase in Phase::ALL {
        let row = percents(phase);
        assert_eq!(row.iter().sum::<u32>(), 100, "D-047 {phase}");
        assert_eq!((row[0], row[4]), (10, 5), "D-047 {phase}");
    }
    assert_eq!(percents(Phase::Stable), [10, 30, 30, 25, 5]);
    assert_eq!(percents(Phase::Conservation), [10, 25, 20, 40, 5]);
    assert_eq!(percents(Phase::Terminal), [10, 16, 12, 57, 5]);
}

/// D-233. The split that the seed shows.
const OWNERS: CoreSplit = CoreSplit { nrem: Ppm::of(450_000), rem: Ppm::of(350_000), integration: Ppm::of(200_000) };

/// D-233: V15, the owner's split of the 85%.
#[test]
fn d_233_an_owners_split_divides_the_middle() {
    let split = Split::of(micros(1_000_000), Phase::Declining, Some(OWNERS));
    assert_eq!(parts(&split), [100_000, 382_500, 297_500, 170_000, 50_000], "V15");
}

/// D-197, D-198, D-200: what each vital phase aims at, and Terminal at nothing.
#[test]
fn d_197_targets_by_vital_phase() {
    for (phase, ticks, cycles, budget) in [
        (Phase::Thriving, (30, 60), (3, 4), (500_000, 1_000_000)),
        (Phase::Stable, (20, 40), (2, 3), (300_000, 500_000)),
        (Phase::Conservation, (10, 20), (1, 2), (100_000, 200_000)),
        (Phase::Declining, (5, 10), (1, 1), (50_000, 100_000)),
        (Phase::Terminal, (0, 0), (0, 0), (0, 0)),
    ] {
        let target = Target::of(phase);
        assert_eq!((target.ticks, target.cycles), (ticks, cycles), "{phase}");
        assert_eq!(target.budget, (micros(budget.0), micros(budget.1)), "{phase}");
    }
    let now = day("2026-06-01T00:00:00Z");
    for phase in [Phase::Thriving, Phase::Declining] {
        let grant = DreamLedger::default().grant(DreamTier::Core, phase, &Caps::default(), now);
        assert_eq!(grant, CORE_CYCLE, "D-198: one fixed cycle in every phase");
    }
    for tier in [DreamTier::Core, DreamTier::Hardened] {
        let grant = DreamLedger::default().grant(tier, Phase::Terminal, &Caps::default(), now);
        assert_eq!(grant, Usdc::ZERO, "D-200");
    }
}

/// D-199, D-232, D-008: V39, V40 and the edges of the caps.
#[test]
fn d_199_grants_are_the_least_of_all_caps() {
    let caps = Caps::default();
    let now = day("2026-06-01T00:00:00Z");
    let spent = DreamLedger::default().spend(micros(1_700_000), now);
    assert_eq!(spent.grant(DreamTier::Hardened, Phase::Thriving, &caps, now), micros(300_000), "V39");
    let mut ledger = DreamLedger::default();
    let mut cycles = 0;
    loop {
        let grant = ledger.new_session().grant(DreamTier::Hardened, Phase::Thriving, &caps, now);
        if grant.is_zero() {
            break;
        }
        ledger = ledger.spend(grant, now);
        cycles += 1;
    }
    assert_eq!(cycles, 30, "V40");
    assert_eq!(ledger.grant(DreamTier::Core, Phase::Thriving, &caps, now), Usdc::ZERO, "the month binds both tiers");
    let next = day("2026-07-01T00:00:00Z");
    assert_eq!(ledger.grant(DreamTier::Core, Phase::Thriving, &caps, next), CORE_CYCLE, "a new month");
    assert_eq!(ledger.at(day("2026-06-30T23:59:59Z")), ledger, "the same month");
    assert_eq!(HARDENED_CYCLE, (micros(200_000), micros(450_000)), "D-008");
    let stable = DreamLedger::default().grant(DreamTier::Hardened, Phase::Stable, &caps, now);
    assert!(HARDENED_CYCLE.0 <= stable && stable <= caps.per_cycle);
}

/// D-007, D-240: what an owner is told.
#[test]
fn d_007_what_dreams_cost_a_month() {
    let caps = Caps::default();
    assert_eq!(monthly_estimate(DreamTier::Core, 1, &caps), (micros(30_000), micros(90_000)), "D-007");
    let told = monthly_estimate(DreamTier::Hardened, 3, &caps);
    assert_eq!(told, (caps.per_month, caps.per_month), "D-240: the cap is what it can cost at most");
}

/// D-012, M-135: trading is served first, and dreams take a tenth at most, with what they took before.
#[test]
fn d_012_dreams_are_cut_before_trading_is() {
    let share =
        |left, needs, spent, ppm| share_of_inference(micros(left), micros(needs), micros(spent), Ppm::of(ppm)).micros();
    let of = |needs| share(1_000, needs, 0, 100_000);
    assert_eq!([of(0), of(900), of(950), of(1_000), of(2_000)], [100, 100, 50, 0, 0]);
    assert_eq!(share(900, 0, 100, 100_000), 0, "a tenth was spent");
    assert_eq!(share(950, 0, 50, 100_000), 50);
    assert_eq!(share(1_000, 0, 0, 10_000), 10, "Declining: one in a hundred");
    assert_eq!(share(1_000, 0, 0, 0), 0, "Terminal");
}

proptest! {
    /// D-047: nothing is lost and nothing is made.
    #[test]
    fn d_047_splits_are_whole(grant: u64, phase in 0usize..5, owner: bool) {
        let owner = owner.then_some(OWNERS);
        let split = Split::of(micros(grant), Phase::ALL[phase], owner);
        prop_assert_eq!(parts(&split).iter().sum::<u64>(), grant);
    }

    /// D-199: no sequence of cycles passes a cap.
    #[test]
    fn d_199_no_cap_is_passed(phases in prop::collection::vec(1usize..5, 0..60)) {
        let caps = Caps::default();
        let now = day("2026-06-01T00:00:00Z");
        let mut ledger = DreamLedger::default();
        for phase in phases {
            let grant = ledger.grant(DreamTier::Hardened, Phase::ALL[phase], &caps, now);
            prop_assert!(grant <= caps.per_cycle);
            ledger = ledger.spend(grant, now);
            prop_assert!(ledger.session <= caps.per_session && ledger.month <= caps.per_month);
        }
    }
}
