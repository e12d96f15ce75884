//! Deaths that run out of time.

use golem_core::record::{Chance, Command, DyingStage, EffectKind, KillOrder, Order, Reason, Roll, TickInput, Turn};
use golem_core::trader::TraderSettings;
use golem_mortality::cause::CauseKind;
use golem_mortality::config::{Config, Hosting};
use golem_primitives::Usdc;

use crate::trading::{ALL_STAGES, stages};
use crate::venue::{Venue, is_trade, position};

/// M-182, M-183: a death passes its stages in this order, each once, and writes and settles once.
#[test]
fn m_182_a_death_passes_its_stages_in_order() {
    let law = Config::default().law(Hosting::Hosted).expect("a law").on_chain();
    let mut venue = Venue::with(TraderSettings::default(), law);
    venue.run(5);
    venue.kill("teardown");
    venue.run_until_dead(60);
    let wanted = |kind: EffectKind| venue.wanted(|one| *one == kind);
    assert_eq!(stages(&venue), ALL_STAGES);
    assert_eq!((wanted(EffectKind::WriteTestament), wanted(EffectKind::Settle)), (1, 1));
}

/// M-251, M-151: a roll that is lost ends a life in the prime of its credits, and the whole of Thanatopsis follows.
#[test]
fn m_251_a_lost_roll_is_followed_by_all_four_stages() {
    let mut venue = Venue::new("mean-reversion");
    venue.run(5);
    venue.pass += 1;
    venue.pass_turn(Turn::Deciding, vec![venue.see()]);
    let (tick, turn) = venue.life.next_pass();
    let outcomes = std::mem::take(&mut venue.waiting);
    let lost = TickInput { turn, outcomes, ..TickInput::quiet(tick, venue.now(), Chance::Given(Roll(0))) };
    venue.take(&lost);
    assert!(!venue.life.is_alive());
    venue.run_until_dead(60);
    assert_eq!(venue.life.death().map(|death| death.cause.kind()), Some(CauseKind::Stochastic));
    assert_eq!(stages(&venue), ALL_STAGES);
    assert_eq!(venue.wanted(|kind| *kind == EffectKind::WriteTestament), 1);
}

fn declares(kind: &EffectKind) -> bool {
    matches!(kind, EffectKind::Declare { .. })
}

/// M-180, M-182: a death the chain cannot be told of sells nothing, and still writes what can be written; when the chain
/// hears again it is declared and then settled.
#[test]
fn m_180_what_cannot_be_declared_is_written_all_the_same() {
    let mut venue = Venue::new("mean-reversion");
    venue.run_until_it_holds();
    venue.refuses = declares;
    venue.command(Command::Kill(KillOrder::Switch(Reason::new("breaker").expect("short"))));
    venue.run(3);
    assert_eq!(stages(&venue), [DyingStage::Acceptance]);
    let sold = venue.wanted(is_trade);
    venue.seconds_per_pass = 4_000;
    venue.run(20);
    assert_eq!(stages(&venue), [DyingStage::Acceptance, DyingStage::Reflection, DyingStage::Legacy]);
    assert_eq!(venue.wanted(|kind| matches!(kind, EffectKind::WriteTestament)), 1);
    assert_eq!(venue.wanted(|kind| matches!(kind, EffectKind::Settle)), 0, "the chain does not know yet");
    assert_eq!(venue.wanted(is_trade), sold, "nothing is sold unknown to the chain");
    let asked = venue.wanted(declares);
    venue.run(12);
    assert!(venue.wanted(declares) > asked, "it goes on insisting");
    venue.refuses = |_| false;
    venue.run_until_dead(20);
    assert_eq!(venue.wanted(|kind| matches!(kind, EffectKind::Settle)), 1);
}

/// M-185, M-189, M-190: once death has begun nothing is opened, moved or bought; liquidity is taken back first, then the
/// token is sold.
#[test]
fn m_190_the_dying_only_get_out_and_liquidity_comes_first() {
    let mut venue = Venue::new("range-liquidity");
    venue.vault.positions.push(position());
    venue.run(2);
    let before = venue.effects.len();
    venue.kill("teardown");
    venue.run_until_dead(60);
    let after: Vec<EffectKind> = venue.kinds().skip(before).collect();
    let opens = |kind: &&EffectKind| match kind {
        EffectKind::Trade(order) => order.raises_exposure(),
        EffectKind::Deliberate { .. } | EffectKind::Buy { .. } | EffectKind::DrawFloat { .. } => true,
        EffectKind::Harvest | EffectKind::MoveCredits { .. } | EffectKind::Allocate => true,
        _ => false,
    };
    assert_eq!(after.iter().find(opens), None, "M-189");
    let at = |wanted: fn(&EffectKind) -> bool| after.iter().position(wanted);
    let taken_back = at(|kind| matches!(kind, EffectKind::Trade(Order::Withdraw { .. }))).expect("it held liquidity");
    let sold = at(|kind| matches!(kind, EffectKind::Trade(Order::Sell { .. })));
    assert!(sold.is_none_or(|sold| taken_back < sold), "M-190: {after:?}");
}

/// M-190, M-191: a position that nobody opens keeps nobody from selling the token; it alone is left in kind.
#[test]
fn m_190_a_shut_position_keeps_nobody_from_selling_the_token() {
    let mut venue = Venue::new("mean-reversion");
    venue.run_until_it_holds();
    venue.vault.positions.push(position());
    // This venue takes no liquidity back.
    venue.kill("teardown");
    venue.run_until_dead(100);
    assert_eq!((venue.vault.held, venue.vault.positions.len()), (0, 1));
    assert_eq!(venue.trader().why_in_kind(), Some("no range"));
}

/// V-011, M-180, M-190: a vault lets a minute move a tenth of its capital, dying or not; a death sells all it holds in as many
/// parts as that takes, inside its limit.
#[test]
fn m_190_a_death_sells_in_parts() {
    let mut venue = Venue::new("mean-reversion");
    venue.run(2);
    let held = 300_000_000_000_000_000;
    (venue.vault.held, venue.vault.held_cost) = (held, Usdc::whole(900));
    venue.vault.idle = Usdc::whole(100);
    let (before, began) = (venue.effects.len(), venue.now());
    venue.kill("teardown");
    venue.run_until_dead(60);
    let sold = each!(venue.kinds().skip(before), EffectKind::Trade(Order::Sell { amount, .. }) => amount);
    assert_eq!(sold.iter().sum::<u128>(), held, "all of it: {sold:?}");
    assert!(sold.len() >= 10 && sold.iter().all(|part| *part <= held / 9), "in parts of at most 90 USDC: {sold:?}");
    assert!(venue.now().since(began).as_secs() < 30 * 60, "{:?}", venue.now().since(began));
}
