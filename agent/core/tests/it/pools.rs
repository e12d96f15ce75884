//! P-057. A life that trades in several pools with one budget.

use golem_core::life::Life;
use golem_core::record::{BookWord, Command, CommandRefusal, EffectKind, Event, Order, PoolAccess, TokenReading};
use golem_core::trader::{Foundation, SWAP_GAS, TraderSettings};
use golem_mortality::law::Law;
use golem_playbook::Book;
use golem_playbook::hand::Hand;
use golem_playbook::promotion::Founding;
use golem_primitives::{Decimals, Denomination, PoolName, Usdc};
use proptest::prelude::*;

use crate::hand::tried_in;
use crate::venue::{Beside, Venue};

/// What the default stake lets a thousand USDC of capital put to work.
const BUDGET: Usdc = Usdc::whole(50);
/// Another fee tier of the home pool's pair, and a second token's pool.
const TIER: &str = "tier";
const OTHER: &str = "other";

fn name(text: &str) -> PoolName {
    text.parse().expect("a name")
}

/// A rule that holds so much for so many looks whenever it holds nothing, in a pool or in all.
fn rule(called: &str, pool: Option<&str>, percent: u32, looks: u32) -> String {
    let pool = pool.map_or_else(String::new, |pool| format!("- in: {pool}\n"));
    format!(
        "### {called}\n{pool}- when: hour >= 0\n- do: hold {percent}%\n- until: since >= {looks}\n- expects: +1% within 5\n\n"
    )
}

fn foundation(rules: &[String]) -> Foundation {
    let book: Book = format!("# Mine\n\n{}", rules.concat()).parse().expect("a book");
    let elsewhere = [TIER, OTHER].map(name).into_iter().collect();
    Foundation { elsewhere, ..Foundation::new("mine".parse().expect("a name"), book, Founding::Trust) }
}

/// A token that is counted in hundred-millionths, as bitcoin is.
fn eight() -> Denomination {
    Denomination { symbol: "EMBR".parse().expect("a symbol"), decimals: Decimals::new(8).expect("few") }
}

/// Three pools at rest: nothing a test sees is the price's doing.
fn venue_on(foundation: Foundation) -> Venue {
    let mut venue = Venue::on(foundation, TraderSettings::default(), Law::immortal().on_chain());
    venue.price = |_| 3_000_000_000;
    venue.beside = vec![
        Beside {
            pool: name(TIER),
            token: 0,
            access: PoolAccess::Open,
            denomination: Denomination::default(),
            price: |_| 3_000_000_000,
        },
        Beside { pool: name(OTHER), token: 1, access: PoolAccess::Open, denomination: eight(), price: |_| 200_000_000 },
    ];
    venue.vault.others.push(TokenReading::default());
    venue
}

fn venue(rules: &[String]) -> Venue {
    venue_on(foundation(rules))
}

/// Every trade that was asked for.
fn orders(venue: &Venue) -> Vec<Order> {
    each!(venue.kinds(), EffectKind::Trade(order) => order)
}

fn worth(venue: &Venue) -> Usdc {
    let home = venue.market_of(PoolName::HOME).token_price().worth(venue.vault.held);
    home.saturating_add(venue.market_of(name(OTHER)).token_price().worth(venue.vault.others[0].held))
}

/// P-057: a rule that names a pool trades that one and never another; one that names none trades all of them.
#[test]
fn p_057_a_rule_trades_the_pools_it_speaks_of() {
    for pool in [TIER, OTHER, "home"] {
        let mut venue = venue(&[rule("there", Some(pool), 40, 5)]);
        venue.run(30);
        let orders = orders(&venue);
        assert!(orders.len() >= 4 && orders.iter().all(|order| order.pool() == name(pool)), "{pool}: {orders:?}");
        let changed = each!(&venue.events, Event::Rule(changed) => changed.pool);
        assert!(changed.into_iter().all(|told| told == name(pool)), "{pool}: it is tried where it speaks of");
    }
    let mut venue = venue(&[rule("everywhere", None, 20, 9)]);
    venue.run(12);
    for pool in ["home", TIER, OTHER] {
        assert!(orders(&venue).iter().any(|order| order.pool() == name(pool)), "{pool}");
    }
    let hands: Vec<PoolName> = venue.trader().hands().map(|(pool, _)| pool).collect();
    assert_eq!(hands, ["home", TIER, OTHER].map(name), "a hand for each, fed with its own looks");
}

/// P-057: where the budget is short, equal evidence gets equal parts, and what stands is never more than all of it.
#[test]
fn p_057_one_budget_is_divided_by_evidence() {
    let mut venue = venue(&[rule("here", Some("home"), 100, 40), rule("there", Some(OTHER), 100, 40)]);
    venue.run(10);
    let at_work = [PoolName::HOME, name(OTHER)].map(|pool| venue.trader().at_work_in(pool).micros());
    assert!(at_work.iter().all(|micros| (24_900_000..=25_000_000).contains(micros)), "{at_work:?}");
    assert!(worth(&venue) <= BUDGET);
    let hand = venue.hand();
    let told = golem_playbook::why::say(hand.why(), hand.tried()).join(" ");
    assert!(told.contains("wanted 100%") && told.contains("divided among the pools by evidence"), "{told}");
}

/// P-057: a token that two pools trade is that pool's whose hand bought it: the one leaves with its own and not with the
/// other's.
#[test]
fn p_057_a_shared_token_belongs_to_who_bought_it() {
    let mut venue = venue(&[rule("short", Some("home"), 30, 6), rule("long", Some(TIER), 40, 400)]);
    venue.run(5);
    let both = venue.vault.held;
    let bought = orders(&venue);
    assert_eq!(bought.iter().map(Order::pool).collect::<Vec<_>>(), ["home", TIER].map(name), "{bought:?}");
    // The rule at home begins anew at the look after its end; what is kept is seen in between.
    while venue.vault.held >= both {
        venue.tick();
        assert!(venue.pass < 30, "{:?}", orders(&venue));
    }
    let kept = venue.market_of(name(TIER)).token_price().worth(venue.vault.held);
    assert!((19_900_000..=20_000_000).contains(&kept.micros()), "{kept} of what was {both}");
    assert_eq!(venue.trader().at_work_in(name(TIER)), kept);
    let sold = orders(&venue).into_iter().find(|order| matches!(order, Order::Sell { .. })).expect("sold");
    assert_eq!(sold.pool(), PoolName::HOME);
}

/// P-053, P-057: what protects in one pool waits for nothing in another: two ends at one look are two trades of one tick, and
/// a pool that refuses its exit keeps nobody in the other.
#[test]
fn p_057_exits_wait_for_no_other_pool() {
    let rules = [rule("here", Some("home"), 30, 8), rule("there", Some(OTHER), 30, 8)];
    let mut both = venue(&rules);
    let exits = |venue: &Venue| orders(venue).iter().filter(|order| !order.raises_exposure()).count();
    let mut most = 0;
    for _ in 0..20 {
        let before = exits(&both);
        both.tick();
        most = most.max(exits(&both) - before);
    }
    assert_eq!(most, 2, "{:?}", orders(&both));
    let mut venue = venue(&rules);
    venue.refuses = |kind| matches!(kind, EffectKind::Trade(Order::Sell { pool, .. }) if *pool == PoolName::HOME);
    while exits(&venue) < 8 {
        venue.tick();
        assert!(venue.pass < 60, "{:?}", orders(&venue));
    }
    let sold: Vec<PoolName> = orders(&venue).iter().filter(|order| !order.raises_exposure()).map(Order::pool).collect();
    assert!(sold.contains(&name(OTHER)), "the home pool refuses its exit, and the other's goes: {sold:?}");
    assert!(venue.vault.held > 0 && sold.iter().filter(|pool| **pool == PoolName::HOME).count() > 2, "{sold:?}");
}

/// M-190, P-057: a death sells what is held in every pool.
#[test]
fn p_057_a_death_unwinds_every_pool() {
    let mut venue =
        venue(&[rule("a", Some("home"), 20, 400), rule("b", Some(TIER), 20, 400), rule("c", Some(OTHER), 20, 400)]);
    venue.run(9);
    assert!(venue.vault.held > 0 && venue.vault.others[0].held > 0);
    venue.kill("enough");
    venue.run(12);
    assert_eq!((venue.vault.held, venue.vault.others[0].held), (0, 0));
    let sold: Vec<PoolName> = orders(&venue).iter().filter(|one| !one.raises_exposure()).map(Order::pool).collect();
    for pool in ["home", TIER, OTHER] {
        assert!(sold.contains(&name(pool)), "{pool}: {sold:?}");
    }
}

/// P-046, P-057, R-002: an heir takes the hands of all pools, each to its own; and a life with several is written and read back
/// as it was.
#[test]
fn p_057_an_heir_takes_every_hand() {
    let mut parent = venue(&[rule("here", Some("home"), 30, 5), rule("there", Some(OTHER), 30, 5)]);
    parent.run(60);
    assert_eq!(Life::from_snapshot(&parent.life.to_snapshot()).expect("a life"), parent.life);
    let line = tried_in(parent.trader());
    let own = foundation(&[rule("new", Some(TIER), 10, 5)]);
    let mut heir = venue_on(Foundation { line, ..own });
    assert_eq!(Life::from_snapshot(&heir.life.to_snapshot()).expect("a life"), heir.life, "before its first look too");
    heir.run(1);
    let rules = |hand: &Hand| hand.tried().iter().map(|tried| tried.rule.name.clone()).collect::<Vec<_>>();
    let tried: Vec<_> = heir.trader().hands().map(|(pool, hand)| (pool, rules(hand).join(" "))).collect();
    let expected = [(PoolName::HOME, "here"), (name(TIER), "new"), (name(OTHER), "there")];
    assert_eq!(tried, expected.map(|(pool, rules)| (pool, rules.to_owned())));
}

/// P-009, P-057: a proposal is heard in the pools it speaks of; one that speaks of none that is listed is refused.
#[test]
fn p_057_a_proposal_for_an_unlisted_pool_is_refused() {
    let mut venue = venue(&[rule("here", None, 10, 5)]);
    venue.run(2);
    let propose = |text: String| {
        let book: Book = format!("# Mine\n\n{text}").parse().expect("a book");
        Command::Book(Box::new(BookWord::Propose(book.rules)))
    };
    venue.tick_told(propose(rule("far", Some("nowhere"), 10, 5)));
    let refused = |event: &Event| matches!(event, Event::CommandRefused { reason: CommandRefusal::UnlistedPool });
    assert!(venue.events.iter().any(refused));
    venue.tick_told(propose(rule("near", Some(OTHER), 10, 5)));
    let knows = |pool: PoolName| {
        let (_, hand) = venue.trader().hands().find(|(known, _)| *known == pool).expect("a hand");
        hand.tried().iter().any(|tried| tried.rule.name == "near")
    };
    assert_eq!([PoolName::HOME, name(TIER), name(OTHER)].map(knows), [false, false, true]);
}

/// P-057, P-009, R-002: a pool that its owner opens during a life is taken up at the next look, with the rules of the founding
/// book that speak of it; the same journal gives the same life.
#[test]
fn p_057_a_living_golem_takes_up_a_pool_its_owner_opens() {
    let founded = foundation(&[rule("here", Some("home"), 10, 5), rule("there", Some(OTHER), 30, 5)]);
    let mut venue = venue_on(Foundation { elsewhere: [name(TIER)].into_iter().collect(), ..founded });
    let other = venue.beside.pop().expect("two");
    let newborn = venue.life.clone();
    venue.run(10);
    assert!(orders(&venue).iter().all(|order| order.pool() == PoolName::HOME), "{:?}", orders(&venue));
    venue.beside.push(other);
    venue.tick();
    let taken = |event: &Event| *event == Event::PoolTakenUp { pool: name(OTHER) };
    assert_eq!(venue.told(taken), 1);
    venue.run(20);
    let there: Vec<Order> = orders(&venue).into_iter().filter(|order| order.pool() == name(OTHER)).collect();
    assert!(there.len() >= 4 && there.iter().any(|order| !order.raises_exposure()), "{there:?}");
    assert_eq!(venue.told(taken), 1, "once");
    let mut again = newborn;
    for input in &venue.journal {
        again = golem_core::step::step(again, input).life;
    }
    assert_eq!(again, venue.life);
}

/// P-057: of a pool that is to be left everything is sold at once, nothing is entered, and its hand goes when nothing is held; its
/// part of the budget is the others'. Opened again, it begins anew.
#[test]
fn p_057_a_pool_that_is_left_is_sold_and_let_go() {
    let mut venue = venue(&[rule("here", Some("home"), 100, 400), rule("there", Some(OTHER), 100, 400)]);
    venue.run(10);
    assert!(venue.vault.others[0].held > 0);
    venue.beside[1].access = PoolAccess::Leaving;
    let before = orders(&venue).len();
    venue.run(8);
    assert_eq!(venue.vault.others[0].held, 0);
    let since = orders(&venue).split_off(before);
    assert!(since.iter().all(|order| order.pool() != name(OTHER) || !order.raises_exposure()), "{since:?}");
    assert_eq!(venue.told(|event| *event == Event::PoolLeft { pool: name(OTHER) }), 1);
    assert_eq!(venue.trader().pool_names().collect::<Vec<_>>(), ["home", TIER].map(name));
    let at_home = venue.trader().at_work_in(PoolName::HOME);
    assert!(at_home > Usdc::whole(45) && at_home <= BUDGET, "{at_home}");
    venue.beside[1].access = PoolAccess::Open;
    venue.tick();
    assert_eq!(venue.trader().pool_names().collect::<Vec<_>>(), ["home", TIER, OTHER].map(name));
}

/// P-057: what was bought in a pool that is not listed any more is sold in another pool of its token; where there is none it is
/// kept without asking the vault for what it refuses, and sold when the pool is listed again.
#[test]
fn p_057_a_token_leaves_through_another_pool_or_waits() {
    for (pool, token) in [(TIER, 0), (OTHER, 1)] {
        let mut venue = venue(&[rule("there", Some(pool), 60, 400)]);
        venue.run(6);
        let held = |venue: &Venue| venue.vault.token(token).held;
        assert!(held(&venue) > 0, "{pool}");
        let at = venue.beside.iter().position(|beside| beside.pool == name(pool)).expect("there");
        venue.beside[at].access = PoolAccess::Closed;
        let before = orders(&venue).len();
        venue.run(10);
        let since = orders(&venue).split_off(before);
        assert!(since.iter().all(|order| order.pool() != name(pool)), "{pool}: nothing is asked of it: {since:?}");
        if token == 0 {
            assert_eq!(held(&venue), 0, "sold at home: {since:?}");
            assert!(!venue.trader().pool_names().any(|known| known == name(pool)), "and left");
        } else {
            assert!(held(&venue) > 0 && venue.trader().pool_names().any(|known| known == name(pool)));
            venue.beside[at].access = PoolAccess::Leaving;
            venue.run(6);
            assert_eq!(held(&venue), 0, "{:?}", orders(&venue));
        }
    }
}

fn any_rules() -> impl Strategy<Value = Vec<(Option<usize>, u32, u32)>> {
    prop::collection::vec((prop::option::of(0_usize..3), 1_u32..=100, 1_u32..12), 1..6)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// P-054, P-057: whatever books say of several pools, what is at work in all of them together is never more than the one
    /// budget, and every trade is of a pool its rules speak of.
    #[test]
    fn p_057_no_book_exceeds_the_one_budget(rules in any_rules()) {
        let pools = ["home", TIER, OTHER];
        let written: Vec<String> = rules
            .iter()
            .enumerate()
            .map(|(at, (pool, percent, looks))| rule(&format!("rule-{at}"), pool.map(|pool| pools[pool]), *percent, *looks))
            .collect();
        let mut venue = venue(&written);
        let named = |pool: PoolName| {
            rules.iter().any(|(of, ..)| of.is_none_or(|of| name(pools[of]) == pool))
        };
        for _ in 0..40 {
            venue.tick();
            prop_assert!(worth(&venue) <= BUDGET, "{} at work", worth(&venue));
        }
        prop_assert!(orders(&venue).iter().all(|order| named(order.pool())));
    }
}

/// P-020, P-022: a life that trades learns from its own receipts what a swap uses of gas, the same from the same journal; one
/// whose receipts nobody read keeps what it was founded on.
#[test]
fn p_020_a_life_learns_the_gas_of_its_own_swaps() {
    let lived = |gas_used: u64| {
        let mut venue = venue(&[rule("here", Some("home"), 50, 3)]);
        venue.gas_used = gas_used;
        venue.run(120);
        assert!(orders(&venue).len() >= 10, "{:?}", orders(&venue));
        venue
    };
    let learnt = lived(200_000).trader().swap_gas();
    assert!((200_000..230_000).contains(&learnt), "{learnt}");
    assert_eq!(lived(0).trader().swap_gas(), SWAP_GAS);
    assert_eq!(lived(200_000).life.hash(), lived(200_000).life.hash());
}
