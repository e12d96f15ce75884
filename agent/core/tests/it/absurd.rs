//! Invariant 1 with a hand: no look at the chain, however absurd, and no outcome makes `step` fail.

use arrayvec::ArrayVec;
use golem_core::life::Life;
use golem_core::record::{
    Bar, BlockRef, ChainLife, Chance, Effect, MarketReading, Moved, Observation, Outcome, OutcomeResult, Partitions,
    Phase, PoolAccess, PositionReading, Receipt, Roll, Sight, SimulatedOutcome, TickInput, VaultReading,
};
use golem_core::step::step;
use golem_core::trader::TraderSettings;
use golem_mortality::law::Law;
use golem_primitives::{B256, Decimals, Denomination, GolemId, PoolName, Tick, U256, Usdc, UtcTime};
use proptest::prelude::*;

use crate::brisk;
use crate::venue::{is_trade, verified};

const BARS: [Bar; 4] = [Bar::OwnerChanged, Bar::Hibernating, Bar::KeyRotated, Bar::EndUnconfirmed];

fn usdc() -> impl Strategy<Value = Usdc> {
    prop_oneof![Just(0), Just(1), Just(u64::MAX), 0u64..10_000_000_000, any::<u64>()].prop_map(Usdc::from_micros)
}

fn wide() -> impl Strategy<Value = u128> {
    prop_oneof![Just(0), Just(1), Just(u128::MAX), 0u128..1 << 70, any::<u128>()]
}

fn tick() -> impl Strategy<Value = i32> {
    prop_oneof![Just(i32::MIN), Just(i32::MAX), -900_000i32..900_000]
}

prop_compose! {
    fn market()(
        price in usdc(), twap in prop::option::of(usdc()), pool_tick in tick(), tick_spacing in tick(),
        liquidity in wide(), fee_ppm in prop_oneof![0u32..10_000, any::<u32>()],
        base_fee_wei in prop_oneof![0u64..1 << 40, any::<u64>()], token_is_first: bool,
        growth in prop::array::uniform4(wide()), ether in usdc(), decimals in 0u8..=24,
    ) -> MarketReading {
        let denomination = Denomination { decimals: Decimals::new(decimals).expect("few"), ..Denomination::default() };
        let [a, b, c, d] = growth.map(U256::from);
        let fee_growth = [(a << 128) | b, (c << 128) | d];
        MarketReading { pool: PoolName::HOME, token: 0, access: PoolAccess::Open, denomination, price, twap, pool_tick, tick_spacing, token_is_first, liquidity, fee_ppm, base_fee_wei, ether, fee_growth }
    }
}

prop_compose! {
    fn position()(id: u64, lower in tick(), upper in tick(), liquidity in wide(), token in wide(), usdc in usdc(), fees in usdc())
        -> PositionReading {
        PositionReading { id, pool: PoolName::HOME, lower, upper, liquidity, token, usdc, fees, book: fees }
    }
}

prop_compose! {
    fn vault()(
        credits in prop::array::uniform4(usdc()), today in prop::array::uniform4(usdc()), money in prop::array::uniform6(usdc()),
        held in wide(), key_wei in wide(), positions in prop::collection::vec(position(), 0..4),
        life in 0u8..8, phase in 0usize..5, beat: u64, barred in prop::option::of(0u8..4),
    ) -> VaultReading {
        let phases = [Phase::Terminal, Phase::Declining, Phase::Conservation, Phase::Stable, Phase::Thriving];
        let [reserve, idle, held_cost, harvestable, capital, unallocated] = money;
        VaultReading {
            others: ArrayVec::new(),
            life: match life {
                0 => ChainLife::Dying { order: None, deadline: UtcTime::from_seconds(beat) },
                1 => ChainLife::Dead { order: None },
                _ => ChainLife::Alive,
            },
            credits: Partitions::observed(credits),
            reserve,
            idle,
            held,
            held_cost,
            harvestable,
            capital,
            unallocated,
            positions: positions.into_iter().collect::<ArrayVec<_, 16>>(),
            key_wei,
            reported_phase: phases[phase],
            reported_tick: Tick::new(beat),
            beat_at: UtcTime::from_seconds(beat),
            spendable_today: today,
            barred: barred.map(|bar| BARS[usize::from(bar)]),
        }
    }
}

prop_compose! {
    fn look()(market in market(), vault in prop::option::of(vault()), number: u64, time: u64, blind in 0u8..10) -> Observation {
        if blind == 0 {
            return Observation::Blind;
        }
        let block = BlockRef { number, hash: B256::ZERO, time: UtcTime::from_seconds(time) };
        Observation::Sight(Box::new(Sight { block, market, elsewhere: ArrayVec::new(), vault }))
    }
}

#[derive(Debug, Clone)]
enum Answer {
    Done,
    Refused,
    Moved(i64, i128),
    Never,
}

fn answer() -> impl Strategy<Value = Answer> {
    prop_oneof![
        Just(Answer::Done),
        Just(Answer::Refused),
        Just(Answer::Never),
        (any::<i64>(), any::<i128>()).prop_map(|(usdc, token)| Answer::Moved(usdc, token)),
    ]
}

fn outcome(effect: &Effect, answer: &Answer) -> Option<Outcome> {
    let result = match answer {
        Answer::Done => OutcomeResult::Done,
        Answer::Refused => OutcomeResult::Refused { reason: "no".to_owned() },
        Answer::Moved(usdc_micros, token) => {
            let price = Usdc::from_micros(usdc_micros.unsigned_abs());
            let moved = Moved { usdc_micros: *usdc_micros, token: *token, price, ..Moved::default() };
            let receipt = Receipt { success: true, moved, ..Receipt::default() };
            verified((Tick::new(1), effect.id), SimulatedOutcome::default(), receipt)
        }
        Answer::Never => return None,
    };
    Some(Outcome { effect: effect.id, cost: None, result })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Invariant 1: total with a hand, with and without an economic clock, through death; and what it wants stays bounded.
    #[test]
    fn no_sight_and_no_outcome_makes_a_step_fail(
        looks in prop::collection::vec(look(), 1..120), answers in prop::collection::vec(answer(), 1..8),
        book in 0usize..3, uncounted: bool, repeat in 1usize..3,
    ) {
        let book = ["mean-reversion", "momentum", "range-liquidity"][book];
        let settings = TraderSettings::default();
        let id = GolemId::new("golem-0001").expect("a name");
        let law = if uncounted { Law::self_hosted() } else { Law::hosted().on_chain() };
        let mut life = Life::birth(id, law, Usdc::whole(50), 0, UtcTime::EPOCH).expect("funded");
        life = life.with_trader(settings, brisk::foundation(book));
        let mut waiting: Vec<Outcome> = Vec::new();
        let mut turn = 0usize;
        for look in looks.iter().cycle().take(looks.len() * repeat) {
            for _ in 0..2 {
                let (tick, stage) = life.next_pass();
                let now = UtcTime::from_seconds(tick.get() * 40);
                let observations = if turn.is_multiple_of(2) || !life.is_alive() { vec![look.clone()] } else { Vec::new() };
                let input = TickInput {
                    turn: stage,
                    observations,
                    outcomes: std::mem::take(&mut waiting),
                    ..TickInput::quiet(tick, now, Chance::Given(Roll(u64::MAX)))
                };
                let next = step(life, &input);
                prop_assert!(next.effects.len() <= 16);
                let trades = next.effects.iter().filter(|effect| is_trade(&effect.kind)).count();
                prop_assert!(trades <= 1, "one trade at a time");
                waiting.extend(next.effects.iter().filter_map(|effect| outcome(effect, &answers[turn % answers.len()])));
                life = next.life;
                turn += 1;
            }
        }
        let restored = Life::from_snapshot(&life.to_snapshot()).expect("just written");
        prop_assert_eq!(restored.hash(), life.hash());
    }
}
