//! A Golem on paper: the chain without sending.

use std::path::PathBuf;

use alloy::providers::Provider;
use golem_chain::{ListedPool, OnPaper, PaperError, PaperPurse, PaperView, PostingError};
use golem_core::record::{
    ChainLife, CostSource, Order, Outcome, OutcomeResult, Partition, Phase, PositionReading, VaultReading,
};
use golem_ports::{Act, Chain, Declaration, Errand, Progress, SettledTestament, Stain};
use golem_primitives::{B256, EffectId, GolemId, PoolName, Ppm, Tick, Usdc};

use crate::support::{CAPITAL, CREDITS, Golem, Ledger, Net, deployment, endpoints, still};

/// What gas costs beside the base fee.
const TIP_WEI: u128 = 1_000_000;

/// A Golem on paper beside a devnet.
struct Pretender {
    paper: OnPaper,
    /// Its pools, the home pool first.
    pools: Vec<ListedPool>,
    file: PathBuf,
    ledger: Ledger,
    errands: u32,
    /// What used another amount of gas than on chain.
    unlike: Vec<String>,
    _dir: tempfile::TempDir,
}

impl Pretender {
    async fn beside(net: &Net) -> Self {
        Self::in_pools(net, vec![ListedPool { name: PoolName::HOME, address: net.devnet.world().pool }]).await
    }

    async fn in_pools(net: &Net, pools: Vec<ListedPool>) -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        let file = dir.path().join("paper.json");
        let purse = PaperPurse { credits: CREDITS, capital: CAPITAL, wei: 1_000_000_000_000_000_000 };
        let paper = sit(net, &pools, &file, Some(purse)).await.expect("seated");
        Self { paper, pools, file, ledger: Ledger::default(), errands: 0, unlike: Vec::new(), _dir: dir }
    }

    /// The process ends and another takes its place.
    async fn restart(&mut self, net: &Net) {
        self.paper = sit(net, &self.pools, &self.file, None).await.expect("seated again");
    }

    fn errand(&mut self, act: Act) -> Errand {
        self.errands += 1;
        let (golem, tick) = (GolemId::new("paper").expect("a name"), Tick::new(7));
        let effect = EffectId::derive(&golem, tick, 0, self.errands);
        Errand { effect, tick, act, budget: Usdc::ZERO }
    }

    async fn step(&mut self, errand: &Errand) -> Progress {
        self.paper.drive(errand, &mut self.ledger).await.expect("driven")
    }

    /// Drives to the end, a block after each step.
    async fn finish(&mut self, net: &mut Net, errand: &Errand) -> Outcome {
        for _ in 0..60 {
            match self.step(errand).await {
                Progress::Done(outcome) => return *outcome,
                Progress::Pending => net.devnet.mine_still(2).await.map(drop).expect("mined"),
            }
        }
        panic!("{} does not end", errand.act.name());
    }

    async fn act(&mut self, net: &mut Net, act: Act) -> Outcome {
        let errand = self.errand(act);
        self.finish(net, &errand).await
    }

    async fn vault(&self) -> VaultReading {
        self.paper.sense().await.expect("seen").vault.expect("a pretended vault")
    }
}

async fn sit(
    net: &Net,
    pools: &[ListedPool],
    file: &std::path::Path,
    purse: Option<PaperPurse>,
) -> Result<OnPaper, PaperError> {
    let (home, beside) = pools.split_first().expect("a home pool");
    OnPaper::sit_down(endpoints(&net.devnet).await, deployment(&net.devnet), *home, beside, file, purse).await
}

fn buy(usdc: u32) -> Act {
    Act::Trade(Order::Buy { pool: PoolName::HOME, spend: Usdc::whole(usdc), least: 1 })
}

fn beat(tick: u64) -> Act {
    let (tick, phase, vitality) = (Tick::new(tick), Phase::Stable, Ppm::of(800_000));
    Act::Beat { tick, phase, vitality, root: B256::ZERO, outcomes: 1, rolls: Vec::new(), stride: Some(3) }
}

fn verified(outcome: &Outcome) -> &golem_core::record::OutcomeVerification {
    match &outcome.result {
        OutcomeResult::Verified(record) => record,
        other => panic!("{other:?}"),
    }
}

async fn transactions(net: &Net) -> usize {
    let provider = net.devnet.provider();
    let head = provider.get_block_number().await.expect("a head");
    let mut count = 0;
    for number in head.saturating_sub(10)..=head {
        let block = provider.get_block_by_number(number.into()).await.expect("answered").expect("there");
        count += block.transactions.len();
    }
    count
}

/// it sees a vault at the block of its market, trades at the real pool a block later, pays gas, and sends nothing;
/// what is driven again, before and after a restart, happens once.
#[tokio::test(flavor = "multi_thread")]
async fn r_013_paper_is_the_chain_without_sending() {
    let mut net = still().await;
    net.devnet.mine_still(2).await.expect("mined");
    let mut golem = Pretender::beside(&net).await;
    // L-025: a tick takes a second at least.
    net.devnet.mine_still(20).await.expect("mined");
    let sight = golem.paper.sense().await.expect("seen");
    let vault = sight.vault.expect("a pretended vault");
    assert_eq!((vault.idle, vault.capital, vault.reserve), (CAPITAL, CAPITAL, Usdc::whole(2)));
    assert_eq!((vault.life, vault.barred, vault.held), (ChainLife::Alive, None, 0));
    assert!(sight.market.price == net.devnet.price() && sight.market.twap.is_some());
    let (number, _) = golem.paper.roll_block(Tick::new(7)).await.expect("a block");
    assert_eq!(number, sight.block.number - 2);
    let before = transactions(&net).await;

    let errand = golem.errand(buy(45));
    assert_eq!(golem.step(&errand).await, Progress::Pending);
    assert_eq!(golem.step(&errand).await, Progress::Pending, "the same block");
    let other = golem.errand(beat(7));
    assert_eq!(golem.step(&other).await, Progress::Pending, "one at a time");
    golem.restart(&net).await;
    let outcome = golem.finish(&mut net, &errand).await;
    assert!(matches!(outcome.cost, Some((CostSource::Gas, cost)) if !cost.is_zero()), "{outcome:?}");
    let record = verified(&outcome).clone();
    assert!(record.receipt.success && record.is_hit() && record.deviations.unexpected_logs.is_empty(), "{record:#?}");
    assert!(record.invariants.len() == 4 && record.invariants.iter().all(|check| check.passed), "{record:#?}");
    assert_eq!((record.receipt.moved.usdc_micros, record.prediction.notional), (-45_000_000, Usdc::whole(45)));
    let fill = golem.paper.fill(&errand, &outcome, &mut golem.ledger).await.expect("read").expect("a fill");
    assert_eq!((fill.usdc_micros, fill.token), (-45_000_000, record.receipt.moved.token));
    let once = golem.vault().await;
    assert_eq!((once.idle, once.held_cost), (Usdc::whole(955), Usdc::whole(45)));
    assert!(once.key_wei < 1_000_000_000_000_000_000);
    for _ in 0..2 {
        assert_eq!(golem.finish(&mut net, &errand).await, outcome, "driven again it is told again");
        golem.restart(&net).await;
        assert_eq!(golem.vault().await, once);
    }
    assert_eq!(golem.finish(&mut net, &other).await.result, OutcomeResult::Done);
    let told = golem.vault().await;
    assert_eq!((told.reported_phase, told.reported_tick), (Phase::Stable, Tick::new(7)));

    // V-011: minutes apart.
    net.devnet.mine_still(120).await.expect("mined");
    let tick = sight.market.pool_tick.div_euclid(10) * 10;
    let order = Order::Provide {
        pool: PoolName::HOME,
        lower: tick - 600,
        upper: tick + 600,
        usdc: Usdc::whole(45),
        token: once.held,
    };
    let provided = golem.act(&mut net, Act::Trade(order)).await;
    assert!(verified(&provided).receipt.success, "{provided:?}");
    let holds = golem.vault().await;
    let position = holds.positions[0];
    let price = net.devnet.price();
    let price = golem_core::trade::TokenPrice { whole: price, decimals: golem_primitives::Decimals::ETHER };
    let worth = |token: u128| price.worth(token).micros();
    let all = position.usdc.micros() + worth(position.token) + holds.idle.micros() + worth(holds.held);
    assert!((999_900_000..1_000_000_000).contains(&all), "1,000 USDC are shown as {all} micro-USDC");
    let half = Order::Withdraw { pool: PoolName::HOME, position: position.id, liquidity: position.liquidity / 2 };
    assert!(verified(&golem.act(&mut net, Act::Trade(half)).await).receipt.success);
    let rest = Order::Withdraw { pool: PoolName::HOME, position: position.id, liquidity: position.liquidity };
    assert!(verified(&golem.act(&mut net, Act::Trade(rest)).await).receipt.success);
    let back = golem.vault().await;
    assert!(back.positions.is_empty() && back.held.abs_diff(once.held) <= 4, "{back:?}");
    assert!(back.idle.micros().abs_diff(once.idle.micros()) <= 4, "{back:?}");

    net.devnet.mine_still(120).await.expect("mined");
    let tried = golem
        .act(&mut net, Act::Rehearse(Order::Sell { pool: PoolName::HOME, amount: back.held, least: Usdc::ZERO }))
        .await;
    assert!(matches!(tried.result, OutcomeResult::Simulated(moved) if moved.usdc_micros > 44_900_000));
    let (partition, amount) = (Partition::Data, Usdc::whole(1));
    let drawn = golem.act(&mut net, Act::DrawFloat { partition, amount }).await;
    assert!(matches!(drawn.result, OutcomeResult::Refused { reason } if reason.contains("nothing can be bought")));
    let large = golem.act(&mut net, buy(101)).await;
    assert!(matches!(large.result, OutcomeResult::Refused { reason } if reason.ends_with("(TradeTooLarge)")));
    assert_eq!(golem.paper.withdrawn(&mut golem.ledger).await.expect("seen"), vec![]);
    assert_eq!((golem.ledger.attempts.len(), transactions(&net).await), (0, before), "nothing was signed or sent");

    let view = PaperView::read(&golem.file).expect("read");
    assert_eq!((view.life, view.given.capital), ("alive", CAPITAL));
    assert!(golem.paper.reckon(Tick::new(6)).is_err() && golem.paper.reckon(Tick::new(7)).is_ok());
    let lost = sit(&net, &golem.pools, &golem.file.with_file_name("gone.json"), None).await.expect_err("no vault");
    assert!(matches!(lost, PaperError::Missing { .. }), "{lost}");
    let (here, file) = (deployment(&net.devnet), golem.file.with_file_name("other.json"));
    let none = ListedPool { name: PoolName::HOME, address: here.usdc };
    let wrong = sit(&net, &[none], &file, None).await.expect_err("no pool");
    assert!(matches!(wrong, PaperError::Posting(PostingError::NotThePool { .. })), "{wrong}");
}

/// what is done on paper beside what is done on chain: the same books, the same bounds, the same gas within a quarter.
#[tokio::test(flavor = "multi_thread")]
async fn r_013_paper_uses_the_gas_of_the_chain_and_keeps_its_books() {
    let mut real = Golem::born().await;
    real.mine(40).await;
    let mut golem = Pretender::beside(&real.net).await;
    let usual = Usdc::from_micros(400_000);
    let first = [
        beat(7),
        buy(45),
        Act::PayHost { partition: Partition::Llm, amount: usual },
        Act::Refuel { amount: usual },
        Act::Rebalance { from: Partition::Data, to: Partition::Gas, amount: usual },
        Act::Harvest,
        Act::Allocate,
        Act::Resplit(Phase::Declining),
        buy(101),
    ];
    for act in first {
        compare(&mut real, &mut golem, act).await;
    }
    let sight = real.chain.sense().await.expect("seen");
    let tick = sight.market.pool_tick.div_euclid(10) * 10;
    let held = golem.vault().await.held.min(sight.vault.expect("a vault").held);
    real.mine(35).await;
    let order = Order::Provide {
        pool: PoolName::HOME,
        lower: tick - 600,
        upper: tick + 600,
        usdc: Usdc::whole(30),
        token: held / 2,
    };
    compare(&mut real, &mut golem, Act::Trade(order)).await;
    let ids = [real.chain.sense().await.expect("seen").vault.expect("a vault").positions[0].id, 1];
    let liquidity = u128::MAX;
    let [chain, paper] = ids.map(|position| Act::Trade(Order::Withdraw { pool: PoolName::HOME, position, liquidity }));
    compare_each(&mut real, &mut golem, (chain, paper)).await;
    real.mine(35).await;
    let least = Usdc::from_micros(1);
    compare(&mut real, &mut golem, Act::Trade(Order::Sell { pool: PoolName::HOME, amount: held / 2, least })).await;
    compare(&mut real, &mut golem, Act::Declare(Declaration::Senescent { evidence: "old".to_owned() })).await;
    real.mine(35).await;
    compare(&mut real, &mut golem, Act::Trade(Order::Sell { pool: PoolName::HOME, amount: held / 4, least })).await;
    compare(&mut real, &mut golem, Act::PayHost { partition: Partition::Legacy, amount: usual }).await;
    let settle = Act::Settle { testament: SettledTestament::default(), stain: Stain::default() };
    compare(&mut real, &mut golem, settle).await;
    let dead = golem.vault().await;
    assert_eq!((dead.life, dead.idle, dead.reserve), (ChainLife::Dead { order: None }, Usdc::ZERO, Usdc::ZERO));
    assert!(golem.unlike.is_empty(), "{:#?}", golem.unlike);
}

/// P-057, R-013: the same trades in three pools of two tokens on chain and on paper, liquidity and a death in it: the books are
/// those of the real vault to the last unit, every token in its own line, at the same gas within a quarter.
#[tokio::test(flavor = "multi_thread")]
async fn p_057_paper_keeps_the_books_of_a_vault_in_several_pools() {
    let mut real = crate::pools::born().await;
    real.mine(40).await;
    let pools = real.net.devnet.world().pools.clone();
    let listed: Vec<ListedPool> =
        pools.iter().map(|pool| ListedPool { name: pool.name, address: pool.address }).collect();
    let mut golem = Pretender::in_pools(&real.net, listed.clone()).await;
    let [home, tier, ember] = [0, 1, 2].map(|place: usize| listed[place].name);
    let buy = |pool, usdc| Act::Trade(Order::Buy { pool, spend: Usdc::whole(usdc), least: 1 });
    let least = Usdc::from_micros(1);
    let sell = |pool, amount| Act::Trade(Order::Sell { pool, amount, least });
    for act in [buy(ember, 40), buy(home, 30), buy(tier, 20)] {
        same(&mut real, &mut golem, act).await;
    }
    let bought = golem.vault().await;
    assert_eq!((bought.held_cost, bought.others[0].cost), (Usdc::whole(50), Usdc::whole(40)));
    real.mine(35).await;
    same(&mut real, &mut golem, sell(ember, bought.others[0].held / 4)).await;
    let sight = golem.paper.sense().await.expect("seen");
    let vault = sight.vault.as_ref().expect("a pretended vault");
    let provide = |at: usize, token| {
        let market = sight.markets().nth(at).expect("a pool");
        let (pool, width) = (market.pool, 1_200);
        let lower = market.pool_tick.div_euclid(market.tick_spacing) * market.tick_spacing - width;
        Act::Trade(Order::Provide { pool, lower, upper: lower + 2 * width, usdc: Usdc::whole(8), token })
    };
    let held = vault.held;
    // The token is the side in short supply.
    for act in [provide(2, vault.others[0].held / 8), provide(0, held / 9), provide(1, held / 10)] {
        real.mine(35).await;
        same(&mut real, &mut golem, act).await;
    }
    for (pool, part) in [(ember, 2), (tier, 1)] {
        real.mine(35).await;
        let there = real.chain.sense().await.expect("seen").vault.expect("a vault").positions;
        let here = golem.vault().await.positions;
        let withdraw = |positions: &[PositionReading]| {
            let open = positions.iter().find(|open| open.pool == pool).expect("it is open");
            Act::Trade(Order::Withdraw { pool, position: open.id, liquidity: open.liquidity / part })
        };
        same_each(&mut real, &mut golem, withdraw(&there), withdraw(&here)).await;
    }
    real.mine(35).await;
    // From here on in the pool where nothing lies any more: what a position earns of a real swap is shared on paper too, with
    // another rounding.
    let held = golem.vault().await.held;
    same(&mut real, &mut golem, sell(tier, held / 2)).await;
    same(&mut real, &mut golem, Act::Declare(Declaration::Senescent { evidence: "old".to_owned() })).await;
    real.mine(35).await;
    same(&mut real, &mut golem, sell(tier, held / 4)).await;
    same(&mut real, &mut golem, Act::Settle { testament: SettledTestament::default(), stain: Stain::default() }).await;
    assert!(golem.unlike.is_empty(), "{:#?}", golem.unlike);

    let twice = [listed[0], listed[1], ListedPool { name: ember, ..listed[1] }];
    let error = sit(&real.net, &twice, &golem.file.with_file_name("twice.json"), None).await.expect_err("twice");
    assert!(error.to_string().contains("is there already"), "{error}");
    let error = sit(&real.net, &listed[..2], &golem.file, None).await.expect_err("it began with three");
    assert!(matches!(&error, PaperError::Elsewhere { market } if market.beside.len() == 2), "{error}");
}

async fn same(real: &mut Golem, golem: &mut Pretender, act: Act) {
    same_each(real, golem, act.clone(), act).await;
}

/// The same on paper and then on chain, where the market is still what it was on paper: the same end and the same books.
async fn same_each(real: &mut Golem, golem: &mut Pretender, on_chain: Act, on_paper: Act) {
    let (name, spent) = (on_chain.name(), Spent::so_far(real, golem));
    let pretended = golem.act(&mut real.net, on_paper).await;
    let told = real.act(on_chain).await;
    let mine = golem.vault().await;
    let theirs = real.chain.sense().await.expect("seen").vault.expect("a vault");
    match (&told.result, &pretended.result) {
        (OutcomeResult::Verified(chain), OutcomeResult::Verified(paper)) => {
            assert!(chain.receipt.success && paper.receipt.success, "{name}: {chain:#?} {paper:#?}");
            let moved = |record: &golem_core::record::OutcomeVerification| {
                (record.receipt.moved.usdc_micros, record.receipt.moved.token)
            };
            assert_eq!(moved(chain), moved(paper), "{name}");
        }
        (OutcomeResult::Settled(chain), OutcomeResult::Settled(paper)) => {
            assert_eq!((chain.usdc, chain.is_whole), (paper.usdc, paper.is_whole));
            // A position has another number on chain.
            let given = |all: &[golem_core::record::InKind]| {
                all.iter().map(|kind| (kind.asset, kind.amount)).collect::<Vec<_>>()
            };
            assert_eq!(given(&chain.in_kind), given(&paper.in_kind));
            assert_eq!(given(&chain.waiting), given(&paper.waiting));
            assert!(paper.in_kind.len() > 2, "two tokens and positions: {paper:?}");
        }
        (chain, paper) => assert_eq!((chain, paper), (&OutcomeResult::Done, &OutcomeResult::Done), "{name}"),
    }
    if !matches!(theirs.life, ChainLife::Dead { .. }) {
        assert_eq!((mine.idle, mine.capital), (theirs.idle, theirs.capital), "{name}");
        assert_eq!((mine.held, mine.held_cost), (theirs.held, theirs.held_cost), "{name}");
        assert_eq!(mine.others, theirs.others, "{name}");
        let lying = |vault: &VaultReading| {
            let of = |open: &PositionReading| PositionReading { id: 0, ..*open };
            let mut lying: Vec<PositionReading> = vault.positions.iter().map(of).collect();
            lying.sort_by_key(|open| (open.pool, open.lower));
            lying
        };
        assert_eq!(lying(&mine), lying(&theirs), "{name}");
    }
    spent.compare(real, golem, name).await;
}

/// What was signed on chain and paid on paper before an act.
struct Spent {
    signed: usize,
    wei: u128,
}

impl Spent {
    fn so_far(real: &Golem, golem: &Pretender) -> Self {
        Self { signed: real.ledger.attempts.len(), wei: PaperView::read(&golem.file).expect("read").gas_wei }
    }

    /// Notes an act whose gas on paper is not that of its receipt.
    async fn compare(self, real: &Golem, golem: &mut Pretender, name: &str) {
        let Some(attempt) = real.ledger.attempts.get(self.signed) else { return };
        let receipt = real.net.devnet.provider().get_transaction_receipt(attempt.hash).await.expect("answered");
        let used = receipt.expect("landed").gas_used;
        let base_fee = golem.paper.sense().await.expect("seen").market.base_fee_wei;
        let paid = Self::so_far(real, golem).wei - self.wei;
        let gas = u64::try_from(paid / (u128::from(base_fee) + TIP_WEI)).expect("small");
        if gas * 5 < used * 4 || gas * 4 > used * 5 {
            golem.unlike.push(format!("{name}: {used} on chain, {gas} on paper"));
        }
    }
}

async fn compare(real: &mut Golem, golem: &mut Pretender, act: Act) {
    compare_each(real, golem, (act.clone(), act)).await;
}

/// The same on chain and on paper: the same end, the same books after it, and gas that is alike.
async fn compare_each(real: &mut Golem, golem: &mut Pretender, (act, on_paper): (Act, Act)) {
    let (name, spent) = (act.name(), Spent::so_far(real, golem));
    let told = real.act(act).await;
    let pretended = golem.act(&mut real.net, on_paper).await;
    let mine = golem.vault().await;
    let theirs = real.chain.sense().await.expect("seen").vault.expect("a vault");
    match (&told.result, &pretended.result) {
        (OutcomeResult::Verified(chain), OutcomeResult::Verified(paper)) => {
            assert_eq!(chain.receipt.success, paper.receipt.success, "{name}");
            assert_eq!(
                chain.receipt.logs.iter().collect::<std::collections::BTreeSet<_>>().len() > 1,
                paper.receipt.logs.len() > 1
            );
            let apart = chain.receipt.moved.usdc_micros.abs_diff(paper.receipt.moved.usdc_micros);
            assert!(apart < 30_000, "{name}: {:?} and {:?}", chain.receipt.moved, paper.receipt.moved);
        }
        (OutcomeResult::Refused { reason: chain }, OutcomeResult::Refused { reason: paper }) => {
            assert_eq!(chain, paper, "{name}");
        }
        (OutcomeResult::Settled(chain), OutcomeResult::Settled(paper)) => {
            assert!(chain.usdc.micros().abs_diff(paper.usdc.micros()) < 100_000, "{chain:?} and {paper:?}");
            assert_eq!((chain.is_whole, chain.in_kind.len()), (paper.is_whole, paper.in_kind.len()));
        }
        (chain, paper) => assert_eq!(chain, paper, "{name}"),
    }
    if theirs.life == ChainLife::Alive {
        assert_eq!((&mine.credits, mine.reserve), (&theirs.credits, theirs.reserve), "{name}");
        assert_eq!(mine.spendable_today, theirs.spendable_today, "{name}");
        assert_eq!((mine.reported_phase, mine.reported_tick), (theirs.reported_phase, theirs.reported_tick));
        assert!(mine.idle.micros().abs_diff(theirs.idle.micros()) < 60_000, "{name}: {} {}", mine.idle, theirs.idle);
        assert!(mine.held_cost.micros().abs_diff(theirs.held_cost.micros()) < 60_000, "{name}");
    }
    spent.compare(real, golem, name).await;
}
