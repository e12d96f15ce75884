//! A Golem on paper: the chain without sending.

use std::path::PathBuf;

use alloy::providers::Provider;
use golem_chain::{OnPaper, PaperError, PaperPurse, PaperView, PostingError};
use golem_core::record::{ChainLife, CostSource, Order, Outcome, OutcomeResult, Partition, Phase, VaultReading};
use golem_ports::{Act, Chain, Declaration, Errand, Progress, Stain, Testament};
use golem_primitives::{B256, EffectId, GolemId, PoolName, Ppm, Tick, Usdc};

use crate::support::{CAPITAL, CREDITS, Golem, Ledger, Net, deployment, endpoints, still};

/// What gas costs beside the base fee.
const TIP_WEI: u128 = 1_000_000;

/// A Golem on paper beside a devnet.
struct Pretender {
    paper: OnPaper,
    file: PathBuf,
    ledger: Ledger,
    errands: u32,
    /// What used another amount of gas than on chain.
    unlike: Vec<String>,
    _dir: tempfile::TempDir,
}

impl Pretender {
    async fn beside(net: &Net) -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        let file = dir.path().join("paper.json");
        let purse = PaperPurse { credits: CREDITS, capital: CAPITAL, wei: 1_000_000_000_000_000_000 };
        let paper = sit(net, &file, Some(purse)).await.expect("seated");
        Self { paper, file, ledger: Ledger::default(), errands: 0, unlike: Vec::new(), _dir: dir }
    }

    /// The process ends and another takes its place.
    async fn restart(&mut self, net: &Net) {
        self.paper = sit(net, &self.file, None).await.expect("seated again");
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

async fn sit(net: &Net, file: &std::path::Path, purse: Option<PaperPurse>) -> Result<OnPaper, PaperError> {
    let (mut here, pool) = (deployment(&net.devnet), net.devnet.world().pool);
    // A deployment that names no pool calls every one of them home, as the orders of these tests do.
    here.pools.clear();
    OnPaper::sit_down(endpoints(&net.devnet).await, here, pool, file, purse).await
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
    let worth = |token: u128| golem_core::trade::usdc_for(price, token).micros();
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
    let lost = sit(&net, &golem.file.with_file_name("gone.json"), None).await.expect_err("no vault");
    assert!(matches!(lost, PaperError::Missing { .. }), "{lost}");
    let (here, file) = (deployment(&net.devnet), golem.file.with_file_name("other.json"));
    let wrong = OnPaper::sit_down(endpoints(&net.devnet).await, here.clone(), here.usdc, &file, None).await;
    let wrong = wrong.expect_err("no pool");
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
    let settle = Act::Settle { testament: Testament::default(), stain: Stain::default() };
    compare(&mut real, &mut golem, settle).await;
    let dead = golem.vault().await;
    assert_eq!((dead.life, dead.idle, dead.reserve), (ChainLife::Dead { order: None }, Usdc::ZERO, Usdc::ZERO));
    assert!(golem.unlike.is_empty(), "{:#?}", golem.unlike);
}

async fn compare(real: &mut Golem, golem: &mut Pretender, act: Act) {
    compare_each(real, golem, (act.clone(), act)).await;
}

/// The same on chain and on paper: the same end, the same books after it, and gas that is alike.
async fn compare_each(real: &mut Golem, golem: &mut Pretender, (act, on_paper): (Act, Act)) {
    let name = act.name();
    let signed = real.ledger.attempts.len();
    let told = real.act(act).await;
    let paid = |golem: &Pretender| PaperView::read(&golem.file).expect("read").gas_wei;
    let wei = paid(golem);
    let pretended = golem.act(&mut real.net, on_paper).await;
    let look = golem.paper.sense().await.expect("seen");
    let (mine, theirs) =
        (look.vault.expect("pretended"), real.chain.sense().await.expect("seen").vault.expect("a vault"));
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
    let Some(attempt) = real.ledger.attempts.get(signed) else { return };
    let receipt = real.net.devnet.provider().get_transaction_receipt(attempt.hash).await.expect("answered");
    let used = receipt.expect("landed").gas_used;
    let price = u128::from(look.market.base_fee_wei) + TIP_WEI;
    let gas = u64::try_from((paid(golem) - wei) / price).expect("small");
    if gas * 5 < used * 4 || gas * 4 > used * 5 {
        golem.unlike.push(format!("{name}: {used} on chain, {gas} on paper"));
    }
}
