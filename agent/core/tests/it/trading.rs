//! Whole trading lives: what is wanted, when, and what never is.

use std::collections::BTreeMap;

use golem_core::life::{Body, Life};
use golem_core::record::{
    Bar, ChainLife, Claim, Command, DyingStage, Effect, EffectKind, Event, Forgone, InKind, KillOrder, Order,
    Partition, Partitions, Phase, Reason, Received, Turn, Verdict,
};
use golem_core::trade::TokenPrice;
use golem_core::trader::TraderSettings;
use golem_mortality::cause::CauseKind;
use golem_mortality::event::LawEvent;
use golem_mortality::law::Law;
use golem_primitives::{Address, Decimals, Ppm, Tick, Usdc};

use crate::venue::{Venue, beats, is_trade, opens, pays, sells, swing, withdrawn};

/// What a death goes through when nothing keeps it.
pub(crate) const ALL_STAGES: [DyingStage; 4] =
    [DyingStage::Acceptance, DyingStage::Settlement, DyingStage::Reflection, DyingStage::Legacy];

pub(crate) fn stages(venue: &Venue) -> Vec<DyingStage> {
    each!(&venue.events, Event::DyingStage(stage) => *stage)
}

/// A life whose host asks so many micro-USDC of it each tick.
pub(crate) fn charged(micros: u64) -> Venue {
    let settings = TraderSettings { host_per_tick: Usdc::from_micros(micros), ..TraderSettings::default() };
    Venue::with(settings, Law::hosted().on_chain())
}

fn cause(venue: &Venue) -> CauseKind {
    venue.life.death().expect("it died").cause.kind()
}

/// What the home pool's token costs.
fn at(price: Usdc) -> TokenPrice {
    TokenPrice { whole: price, decimals: Decimals::ETHER }
}

/// every prediction that is registered is resolved once, at its tick, as it was said.
#[test]
fn r_012_predictions_are_neither_changed_nor_dropped() {
    let mut venue = Venue::new("mean-reversion");
    venue.run(600);
    let mut said = BTreeMap::new();
    let mut resolved = 0;
    for event in &venue.events {
        match event {
            Event::PredictionRegistered(prediction) => {
                assert!(said.insert(prediction.number, *prediction).is_none(), "one number, one prediction");
            }
            Event::PredictionResolved { prediction, verdict } => {
                assert_eq!(said.remove(&prediction.number), Some(*prediction), "as it was said");
                if let (
                    Claim::PriceMove { return_ppm: said, .. } | Claim::Level { said_ppm: said, .. },
                    Verdict::Measured { predicted_ppm, .. },
                ) = (prediction.claim, verdict)
                {
                    assert_eq!(said, *predicted_ppm);
                }
                resolved += 1;
            }
            _ => {}
        }
    }
    assert!(resolved > 30, "{resolved}");
    let open: Vec<_> = said.into_values().collect();
    assert_eq!(open, venue.trader().predictions[..], "the others are still open");
    assert!(open.iter().all(|prediction| prediction.due > Tick::new(600)));
}

/// it trades, one trade at a time, and what is verified enters the epistemic clock.
#[test]
fn r_011_a_swinging_market_is_traded_and_learned_from() {
    let mut venue = Venue::new("mean-reversion");
    venue.run(600);
    assert!(venue.wanted(is_trade) >= 10, "{}", venue.wanted(is_trade));
    assert!(
        venue.vault.idle.saturating_add(venue.vault.held_cost) > Usdc::whole(1_000),
        "it made money: {}",
        venue.vault.idle
    );
    assert!(venue.life.is_alive());
}

/// The levels that were judged while it lived so many ticks, by name, each when it was due.
fn levels(venue: &mut Venue, ticks: u64) -> BTreeMap<&'static str, usize> {
    let mut judged = BTreeMap::new();
    for _ in 0..ticks {
        let before = venue.events.len();
        venue.tick();
        for event in &venue.events[before..] {
            if let Event::PredictionResolved { prediction, .. } = event
                && matches!(prediction.claim, Claim::Level { .. })
            {
                assert_eq!(prediction.due, venue.life.tick(), "no look was missed");
                *judged.entry(prediction.claim.name()).or_insert(0) += 1;
            }
        }
    }
    judged
}

/// P-060, P-061: a life is judged by what it claims of moves, volume and cost, each said before and judged when its looks were
/// taken; in a market that goes on as it went it understands.
#[test]
fn p_061_a_life_is_judged_by_what_it_claims_of_its_market() {
    let mut venue = Venue::new("mean-reversion");
    let judged = levels(&mut venue, 2_000);
    // One in sixteen looks from the 33rd on.
    assert_eq!(judged.keys().copied().collect::<Vec<_>>(), ["cost", "moves", "volume"]);
    assert!(judged.values().all(|count| (115..=125).contains(count)), "{judged:?}");
    let epistemic = venue.life.vitals().epistemic();
    assert_eq!(epistemic.pairs(), 100);
    assert!(epistemic.fitness().get() > 0.6, "{:?}", epistemic.fitness());
}

/// P-063, P-064: what the strategy believes of the price is said and judged as ever, and what is traded is verified. Of the price
/// nothing is a pair before its 33rd, which is 1,584 looks away; of a hundred verified trades five are.
#[test]
fn p_063_beliefs_about_the_price_are_judged_and_seldom_count() {
    let mut venue = Venue::new("mean-reversion");
    let judged = levels(&mut venue, 960);
    let is_price = |event: &&Event| matches!(event, Event::PredictionResolved { prediction, .. } if matches!(prediction.claim, Claim::PriceMove { .. }));
    assert!(venue.events.iter().filter(is_price).count() > 12);
    let counted: usize = judged.values().map(|count| count.saturating_sub(32)).sum();
    assert!(counted > 10, "{judged:?}");
    let of_trades = venue.life.vitals().epistemic().pairs() - counted;
    assert!(of_trades <= 5, "{of_trades} and {counted}");
}

/// P-062: an heir that is told what its predecessor had learnt begins with that.
#[test]
fn p_062_an_heir_is_told_what_was_learnt() {
    let mut parent = Venue::new("mean-reversion");
    parent.run(700);
    let learnt = *parent.life.trader().expect("a hand").understanding.learnt();
    assert!(!learnt.is_empty());
    let mut heir = Venue::new("mean-reversion");
    heir.tells = Some(learnt);
    heir.run(1);
    assert_eq!(heir.life.trader().expect("a hand").understanding.learnt(), &learnt);
}

/// blind it wants nothing, starves of nothing, says so once, and sees again.
#[test]
fn r_023_a_blind_golem_neither_acts_nor_starves() {
    let mut venue = Venue::new("mean-reversion");
    venue.run(30);
    let wanted = venue.effects.len();
    venue.is_blind = true;
    venue.vault.credits = Partitions::observed([Usdc::ZERO; 4]);
    venue.run(50);
    let chain_effects = venue.effects[wanted..]
        .iter()
        .filter(|effect| !matches!(effect.kind, EffectKind::Curate | EffectKind::TakeInsuranceSnapshot));
    assert_eq!(chain_effects.count(), 0, "{:?}", &venue.effects[wanted..]);
    assert!(venue.life.is_alive());
    venue.vault.credits = Partitions::observed([29, 12, 8, 0].map(Usdc::whole));
    venue.is_blind = false;
    venue.tick();
    let told = |wanted: Event| venue.told(|event| *event == wanted);
    assert_eq!((told(Event::WentBlind), told(Event::SawAgain)), (1, 1));
}

/// L-025: a report at each change of phase and before six hours of silence, one at a time.
#[test]
fn l_025_it_reports_at_each_phase_and_every_few_hours() {
    let mut venue = Venue::new("range-liquidity");
    venue.vault.reported_phase = Phase::Stable;
    venue.tick();
    let first = venue.wanted(beats);
    venue.run(1_400);
    let hours = 1_400 * 40 / 3_600;
    let phases = venue.told(|event| matches!(event, Event::Mortality(LawEvent::PhaseTransition { .. })));
    let reports = venue.wanted(beats);
    assert!(first <= 1 && reports >= hours / 6, "{reports} reports in {hours} hours");
    assert!(reports <= phases + hours / 5 + 2, "{reports} are too many");
}

/// V-012: from Conservation on nothing that raises exposure is even asked for; Declining sells what is held.
#[test]
fn v_012_a_failing_golem_only_lowers_what_it_holds() {
    let mut venue = Venue::new("mean-reversion");
    venue.price = |tick| if tick < 64 { swing(tick) } else { 2_940_000_000 - (tick % 2) * 1_000_000 };
    venue.run_until_it_holds();
    // Credits collapse: the phase falls to Declining or below.
    venue.set_credits([900_000, 400_000, 200_000, 0]);
    venue.run(3);
    let phase = venue.phase();
    assert!(phase <= Phase::Conservation, "{phase:?}");
    let before = venue.wanted(opens);
    venue.run(60);
    assert_eq!(venue.wanted(opens), before);
    if venue.phase() <= Phase::Declining {
        assert_eq!(venue.vault.held, 0, "wound down");
    }
}

/// P-053: what rests after a refused entry does not wait with an exit: a life that falls to Declining sells at once.
#[test]
fn p_053_an_exit_does_not_wait_for_a_rest() {
    let mut venue = Venue::new("range-liquidity");
    let is_refused = |event: &Event| matches!(event, Event::TradeForgone { .. } | Event::EffectRefused { .. });
    // Half of a pair is bought; this venue takes no pair, so the hand rests for ten ticks with the token in it.
    let provides = |kind: &EffectKind| matches!(kind, EffectKind::Trade(Order::Provide { .. }));
    venue.run_until(|venue| venue.wanted(provides) > 0);
    venue.tick();
    assert!(venue.vault.held > 0 && !venue.events.iter().any(is_refused));
    venue.set_credits([500_000, 100_000, 100_000, 0]);
    // The rest is not over in eight.
    venue.run_until_before(venue.pass + 8, |venue| venue.phase() <= Phase::Declining);
    venue.run(2);
    assert!(venue.wanted(sells) > 0);
}

/// M-030, M-031, V-009: the split of Declining is asked for in Terminal too, when that came first; once it stands nothing is
/// asked again, and the split that would leave nothing to live on never is.
#[test]
fn m_031_a_split_that_terminal_overtook_is_still_made() {
    for refuses_reports in [true, false] {
        let mut venue = Venue::new("mean-reversion");
        venue.run(10);
        if refuses_reports {
            venue.refuses = beats;
        }
        venue.vault.credits = Partitions::observed([9, 3, 2, 0].map(Usdc::whole));
        while venue.phase() > Phase::Declining {
            let parts = Partition::ALL.map(|part| venue.vault.credits.get(part).share_down(Ppm::of(950_000)));
            venue.vault.credits = Partitions::observed(parts);
            venue.tick();
        }
        assert_eq!(venue.phase(), Phase::Declining);
        venue.run(2);
        let split = |venue: &Venue| venue.wanted(|kind| matches!(kind, EffectKind::ResplitCredits { .. }));
        assert_eq!(split(&venue), usize::from(!refuses_reports), "V-009: the report goes first");
        let half = if refuses_reports { 0 } else { 300_000 };
        venue.set_credits([300_000, 20_000, 20_000, half]);
        venue.run_until(|venue| venue.phase() <= Phase::Terminal);
        venue.refuses = |_| false;
        venue.run(10);
        assert!(venue.life.is_alive() && venue.vault.reported_phase == Phase::Terminal);
        assert_eq!(each!(venue.kinds(), EffectKind::ResplitCredits { phase } => phase), [Phase::Declining]);
    }
}

/// M-057, M-058: yields are looked at and can be foretold wrongly: in a market that stands still they are always as they were,
/// in one that stirs and rests they are not.
#[test]
fn m_057_yields_can_be_foretold_wrongly() {
    let knows = |price: fn(u64) -> u64| {
        let mut venue = Venue::new("mean-reversion");
        venue.price = price;
        venue.run(200);
        venue.life.vitals().epistemic().domains().0[2].get()
    };
    let still = knows(|_| 3_000_000_000);
    // The first look has no return yet, and the second nothing that was said of it.
    let always_right = 1.0 - 0.5 * 0.997_f64.powi(198);
    assert!((still - always_right).abs() < 1e-9, "{still} {always_right}");
    let uneven = knows(|tick| 3_000_000_000 + if (tick / 16) % 2 == 0 { (tick % 2) * 9_000_000 } else { 0 });
    assert!(uneven < still - 0.0005, "{uneven} {still}");
}

/// V-006, T-002: rent burns the credits, and when the host can be paid no more it starves, whatever the legacy holds.
#[test]
fn t_002_rent_burns_the_credits_until_it_starves() {
    let mut venue = charged(40_000);
    venue.vault.credits = Partitions::observed([2, 1, 1, 0].map(Usdc::whole));
    venue.run_until_dead(2_000);
    assert_eq!(cause(&venue), CauseKind::Economic);
    let left: Usdc =
        [Partition::Llm, Partition::Gas, Partition::Data].map(|part| venue.vault.credits.get(part)).into_iter().sum();
    assert!(left <= Usdc::from_micros(100_000), "{left}");
    assert!(venue.wanted(pays) > 10);
}

/// T-001, M-176, M-178, M-179: the owner's kill is a transaction and nothing else; the four stages follow in order, once.
#[test]
fn m_178_a_kill_on_chain_runs_the_four_stages_in_order() {
    let mut venue = Venue::new("mean-reversion");
    venue.run_until_it_holds();
    let lived = venue.life.tick();
    venue.kill("teardown");
    venue.run_until_dead(60);
    assert_eq!(cause(&venue), CauseKind::OwnerKill);
    assert_eq!(stages(&venue), ALL_STAGES);
    assert_eq!(venue.vault.held, 0, "sold in Settlement");
    assert_eq!(venue.wanted(|kind| matches!(kind, EffectKind::Settle)), 1);
    assert_eq!(venue.life.tick(), lived, "dying is no living");
    assert_eq!(venue.events.last(), Some(&Event::DeathConcluded));
    let hash = venue.life.hash();
    let wanted = venue.effects.len();
    venue.take(&golem_core::record::TickInput::quiet(lived.next(), venue.now(), golem_core::record::Chance::default()));
    assert_eq!((venue.life.hash(), venue.effects.len()), (hash, wanted), "a settled life emits nothing");
}

/// M-180, M-191, M-192: what the venue refuses is tried again for as long as the chain's grace lasts, later each time and for
/// more gas, bounded by what is at stake; then it is left behind, the death goes on, and it says why.
#[test]
fn m_191_a_refusing_venue_does_not_stop_a_death() {
    let mut venue = Venue::new("mean-reversion");
    venue.run_until_it_holds();
    venue.refuses = is_trade;
    let (before, began) = (venue.effects.len(), venue.now());
    venue.seconds_per_pass = 10;
    // The clock of this world is its passes: it goes on from where it stood.
    venue.pass *= 4;
    let order = Some(KillOrder::Owner(Reason::new("teardown").expect("short")));
    let deadline = began.plus(std::time::Duration::from_secs(3_600));
    venue.vault.life = ChainLife::Dying { order, deadline };
    venue.run_until(|venue| stages(venue).contains(&DyingStage::Reflection));
    let spent = venue.now().since(began).as_secs();
    assert!((2_990..=3_060).contains(&spent), "all but the last ten minutes of the hour: {spent} s");
    let tries: Vec<Usdc> =
        venue.effects[before..].iter().filter(|one| is_trade(&one.kind)).map(|one| one.budget).collect();
    assert!((10..=20).contains(&tries.len()), "it backs off: {tries:?}");
    let stake = at(Usdc::from_micros((venue.price)(venue.pass))).worth(venue.vault.held);
    assert!(tries[0] >= Usdc::from_micros(50_000) && tries[3] > tries[0], "{tries:?}");
    assert!(tries.iter().all(|most| *most <= stake.share_up(Ppm::of(330_000))), "never more than a third of {stake}");
    assert_eq!(venue.trader().why_in_kind(), Some("refused"));
    venue.run_until_dead(20);
    assert!(venue.vault.held > 0, "stranded, for the sweep in kind");
    assert!(matches!(venue.vault.life, ChainLife::Dead { .. }));
}

/// M-182: a refused declaration and a refused settlement are asked for again until the chain agrees.
#[test]
fn m_182_what_cannot_be_left_behind_is_asked_for_again() {
    let mut venue = Venue::new("mean-reversion");
    venue.run(5);
    venue.refuses = |kind| matches!(kind, EffectKind::Declare { .. } | EffectKind::Settle | EffectKind::WriteTestament);
    venue.command(Command::Kill(KillOrder::Switch(Reason::new("breaker").expect("short"))));
    venue.run(20);
    assert!(venue.wanted(|kind| matches!(kind, EffectKind::Declare { .. })) >= 3);
    assert_eq!(stages(&venue), [DyingStage::Acceptance], "nothing is sold before the chain knows");
    venue.refuses = |kind| matches!(kind, EffectKind::Settle | EffectKind::WriteTestament);
    venue.run(30);
    assert!(venue.wanted(|kind| matches!(kind, EffectKind::Settle)) >= 3);
    venue.refuses = |_| false;
    venue.run_until_dead(10);
    assert_eq!(cause(&venue), CauseKind::KillSwitch);
}

/// M-180: after half an hour the settlement is cut short and the chain is told.
#[test]
fn m_180_half_an_hour_is_all_a_death_takes() {
    let mut venue = Venue::new("mean-reversion");
    venue.run_until_it_holds();
    venue.refuses = is_trade;
    venue.seconds_per_pass = 40;
    venue.kill("teardown");
    venue.run(2);
    venue.seconds_per_pass = 4_000;
    venue.run_until_dead(6);
}

/// T-004, M-191: what the owner received is told with why anything of it was left in kind, before the death is over.
#[test]
fn m_191_the_owner_is_told_what_he_received_and_why() {
    let mut venue = Venue::new("mean-reversion");
    venue.run_until_it_holds();
    venue.refuses = is_trade;
    venue.kill("teardown");
    let token = InKind { asset: Address::repeat_byte(7), id: 0, amount: venue.vault.held };
    let account = Received {
        owner: Address::repeat_byte(9),
        usdc: Usdc::whole(900),
        in_kind: vec![token],
        is_whole: true,
        ..Received::default()
    };
    venue.receives = Some(account.clone());
    venue.run_until_dead(100);
    let told = each!(&venue.events, Event::OwnerReceived(received) => &**received)[0];
    assert_eq!(*told, Received { why_in_kind: Some("refused".to_owned()), ..account });
    assert_eq!(venue.trader().received(), Some(told));
    let words = told.told();
    for part in ["0x0909", "900.00 USDC", "0x0707", "in kind", "Why in kind: refused"] {
        assert!(words.contains(part), "{part} in {words}");
    }
    assert_eq!(venue.events.last(), Some(&Event::DeathConcluded), "the account comes first");
}

/// L-006, L-007: a barred key wants no trade and says why; its reports go on.
#[test]
fn l_006_a_barred_key_forgoes_its_trades() {
    let mut venue = Venue::new("mean-reversion");
    venue.vault.barred = Some(Bar::OwnerChanged);
    venue.run(200);
    assert_eq!(venue.wanted(is_trade), 0);
    let barred =
        |event: &Event| matches!(event, Event::TradeForgone { reason: Forgone::Barred(Bar::OwnerChanged), .. });
    assert!(venue.events.iter().any(barred));
    assert_eq!(venue.wanted(pays), 0, "it may not spend either");
}

/// L-025: gas for thirty reports is not traded away; the key asks for more.
#[test]
fn l_025_gas_for_thirty_reports_is_untouchable() {
    let mut venue = Venue::new("mean-reversion");
    venue.vault.key_wei = 20_000_000_000_000;
    venue.run(150);
    assert_eq!(venue.wanted(is_trade), 0);
    assert!(venue.events.iter().any(|event| matches!(event, Event::TradeForgone { reason: Forgone::Gas, .. })));
    assert!(venue.wanted(|kind| matches!(kind, EffectKind::Refuel { .. })) > 0);
}

/// an outcome that a reorganisation took back is awaited again, and its second coming is taken in.
#[test]
fn r_022_a_withdrawn_outcome_is_awaited_again() {
    let mut venue = Venue::new("mean-reversion");
    venue.run_until(|venue| venue.wanted(is_trade) > 0);
    venue.tick();
    let effect = venue.first(is_trade);
    let open = venue.life.open_effects();
    venue.pass_turn(Turn::Deciding, vec![withdrawn(&effect)]);
    assert!(venue.life.open_effects() > open);
    assert!(venue.events.contains(&Event::OutcomeWithdrawn { effect: effect.id }));
    venue.pass_turn(Turn::Sleeping, Vec::new());
    assert!(!venue.events.contains(&Event::OutcomeUnknown { effect: effect.id }));
}

/// a trading life restored from its snapshot at any tick has the same hash.
#[test]
fn r_002_a_trading_life_survives_its_snapshot() {
    let mut venue = Venue::new("momentum");
    for _ in 0..120 {
        venue.tick();
        let restored = Life::from_snapshot(&venue.life.to_snapshot()).expect("just written");
        assert_eq!(restored.hash(), venue.life.hash());
    }
    assert!(matches!(venue.life.body(), Body::Active(_)));
}

/// A number within one of nothing, by its name.
fn chaos(name: u64) -> f64 {
    let mixed = name.wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

/// M-150, P-060: a market in which nothing lasts kills it. Every twelve looks its moves, its volume and its gas are drawn anew,
/// between a fiftieth and fifty times the usual, so that whatever was learnt of them is wrong.
#[test]
fn m_150_a_market_it_cannot_read_ends_it() {
    const LASTS: u64 = 12;
    const fn drawn(what: u64, tick: u64) -> u64 {
        what * 1_000_003 + tick / LASTS
    }
    let mut venue = Venue::new("mean-reversion");
    venue.price = |tick| {
        let wide = 0.000_2 * libm::exp(4.0 * chaos(drawn(1, tick)));
        (3_000_000_000.0 * (1.0 + wide * chaos(tick))) as u64
    };
    venue.traded = |tick| {
        let usual = |tick| 1_000.0 * libm::exp(4.0 * chaos(drawn(2, tick)));
        let before: f64 = (0..tick / LASTS).map(|part| usual(part * LASTS) * LASTS as f64).sum();
        before + usual(tick) * (tick % LASTS) as f64
    };
    venue.gas = |tick| (10_000_000.0 * libm::exp(4.0 * chaos(drawn(3, tick)))) as u64;
    venue.run_until_dead(3_000);
    assert_eq!(cause(&venue), CauseKind::EpistemicSenescence);
}

/// T-001, M-182: a death the chain will not take as what it is is declared by the one cause that needs no proof.
#[test]
fn m_182_a_death_the_chain_refuses_is_declared_otherwise() {
    let mut venue = charged(40_000);
    venue.vault.credits = Partitions::observed([2, 1, 1, 0].map(Usdc::whole));
    venue.refuses = |kind| matches!(kind, EffectKind::Declare { cause: CauseKind::Economic });
    venue.run_until_dead(2_000);
    assert_eq!(cause(&venue), CauseKind::Economic, "what it died of stays what it died of");
    let asked = each!(&venue.effects, Effect { kind: EffectKind::Declare { cause }, budget, .. } => (*cause, *budget));
    assert_eq!(asked.last().map(|(cause, _)| *cause), Some(CauseKind::EpistemicSenescence), "{asked:?}");
    assert_eq!(asked.len(), 4, "three times by its name: {asked:?}");
    assert!(asked[2].1 > asked[1].1, "M-192: each refusal may cost more: {asked:?}");
}

/// V-010: a grain of the token that anybody can send stops nobody from trading.
#[test]
fn v_010_dust_in_the_vault_is_not_held() {
    let mut venue = Venue::new("mean-reversion");
    venue.vault.held = 1;
    venue.run(100);
    assert!(venue.wanted(opens) > 0, "it buys all the same");
    assert_eq!(venue.wanted(|kind| matches!(kind, EffectKind::Trade(Order::Sell { amount: 1, .. }))), 0);
}

/// V-011: what is more than a tenth of the capital is sold in parts.
#[test]
fn v_011_a_large_holding_is_sold_in_parts() {
    let mut venue = Venue::new("mean-reversion");
    venue.vault.held = at(Usdc::whole(3_000)).buys(Usdc::whole(400));
    venue.vault.held_cost = Usdc::whole(400);
    venue.run(300);
    let most = at(Usdc::from_micros(2_980_000_000)).buys(Usdc::whole(90));
    let sales = each!(venue.kinds(), EffectKind::Trade(Order::Sell { amount, .. }) => amount);
    assert!(sales.len() >= 5 && sales.iter().all(|amount| *amount <= most), "{sales:?}");
}

/// L-025: a report that is late may cost more than one that is early.
#[test]
fn l_025_a_late_report_may_cost_more() {
    let mut venue = Venue::new("range-liquidity");
    venue.refuses = beats;
    venue.vault.reported_phase = Phase::Terminal;
    venue.tick();
    venue.seconds_per_pass = 4_000;
    venue.run(50);
    let budgets = each!(&venue.effects, effect if beats(&effect.kind) => effect.budget);
    assert_eq!(budgets.first(), Some(&Usdc::from_micros(50_000)));
    assert_eq!(budgets.last(), Some(&Usdc::whole(100)), "before silence is taken for death");
    assert!(budgets.is_sorted());
}

/// told twice, a withdrawn outcome is awaited once, and rent that was not paid after all is owed again.
#[test]
fn r_022_a_withdrawn_payment_is_owed_again_and_awaited_once() {
    let mut venue = charged(50_000);
    venue.run_until(|venue| venue.wanted(pays) > 0);
    venue.tick();
    let effect = venue.first(pays);
    let EffectKind::PayHost { amount, .. } = effect.kind else { unreachable!("rent") };
    let (owed, open) = (venue.trader().owed, venue.life.open_effects());
    venue.pass_turn(Turn::Deciding, vec![withdrawn(&effect), withdrawn(&effect)]);
    assert_eq!(venue.trader().owed, owed.saturating_add(amount));
    assert_eq!(venue.life.open_effects(), open + 1);
    assert_eq!(venue.told(|event| matches!(event, Event::OutcomeWithdrawn { .. })), 1);
}
