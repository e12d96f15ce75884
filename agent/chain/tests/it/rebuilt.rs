//! What logs alone give, against what the vault itself says (L-024).

use std::collections::BTreeMap;

use alloy::primitives::{Address, U256};
use golem_chain::bindings::{IErc721, IVault};
use golem_chain::lineage::{Chronicle, Deal, GolemOnChain, Stage};
use golem_chain::{Deployment, Policy, Takeover};
use golem_core::record::Order;
use golem_ports::{Act, Chain};
use golem_primitives::{AgentId, PoolName, Usdc, UtcTime};

use crate::support::Golem;
use crate::town::{Town, micros, perform};

/// Reads the chronicle up to the newest block and compares a vault with its views, field by field.
pub(crate) async fn rebuilt_as_it_stands(town: &Town, agent: AgentId) -> GolemOnChain {
    let here = Deployment { confirmations: 0, ..town.here.clone() };
    let chronicle = Chronicle::read(&town.endpoints, &here).await.expect("read");
    assert_eq!(chronicle.not_understood, 0, "every event has a reader");
    let golem = chronicle.golem(agent).expect("born").clone();
    let (vault, till) = (golem.vault, &golem.till);
    let credits = town.read(vault, IVault::creditsCall {}).await;
    let partitions = [till.llm, till.gas, till.data, till.legacy].map(Usdc::micros);
    assert_eq!(partitions, [credits.llm, credits.gas, credits.data, credits.legacy]);
    let books = town.read(vault, IVault::booksCall {}).await;
    let figures = [till.reserve, till.capital, till.high_water, till.deployed].map(Usdc::micros);
    assert_eq!(figures, [books.reserve, books.capital, books.highWater, books.deployed]);
    assert_eq!(micros(till.accounted()), town.read(vault, IVault::accountedCall {}).await);
    let split = ["birth", "declining", "terminal"][usize::from(till.split)];
    assert_eq!(split, town.read(vault, IVault::splitCall {}).await);
    let locked = till.locked_until.map_or(0, UtcTime::seconds);
    assert_eq!(U256::from(locked), town.read(vault, IVault::lockedUntilCall {}).await);
    assert_eq!(till.policy, Policy::from(town.read(vault, IVault::policyCall {}).await));
    assert_eq!(till.guardian, town.read(vault, IVault::guardianCall {}).await);
    assert_eq!(till.bound_owner, town.read(vault, IVault::boundOwnerCall {}).await);
    assert_eq!(U256::from(till.epoch), town.read(vault, IVault::epochCall {}).await);
    let asleep = till.hibernated_until.map_or(0, UtcTime::seconds);
    assert_eq!(U256::from(asleep), town.read(vault, IVault::hibernatedUntilCall {}).await);
    assert_eq!(micros(till.spent_dying), town.read(vault, IVault::spentDyingCall {}).await);
    for (subject, (uses, priced_by)) in &till.listed {
        let line = town.read(vault, IVault::listingOfCall { subject: *subject }).await;
        assert_eq!((line.uses, line.pricedBy), (*uses, *priced_by), "{subject}");
    }
    let holdings = town.read(vault, IVault::holdingsCall {}).await;
    let held: BTreeMap<Address, u64> = holdings.iter().map(|holding| (holding.token, holding.book)).collect();
    let rebuilt: BTreeMap<Address, u64> = till.holdings.iter().map(|(token, cost)| (*token, cost.micros())).collect();
    assert_eq!(rebuilt, held);
    let positions = town.read(vault, IVault::positionsCall {}).await;
    let held: BTreeMap<U256, u64> =
        positions.iter().map(|position| (U256::from(position.tokenId), position.book)).collect();
    let rebuilt: BTreeMap<U256, u64> = till.positions.iter().map(|(id, cost)| (*id, cost.micros())).collect();
    assert_eq!(rebuilt, held);
    golem
}

#[tokio::test(flavor = "multi_thread")]
async fn l_024_positions_sleep_sale_and_sweep_are_rebuilt() {
    let mut golem = Golem::born().await;
    golem.verified(Act::Trade(Order::Buy { pool: PoolName::HOME, spend: Usdc::whole(90), least: 1 })).await;
    let sight = golem.chain.sense().await.expect("seen");
    let (market, seen) = (sight.market, sight.vault.expect("a vault"));
    let middle = market.pool_tick.div_euclid(market.tick_spacing) * market.tick_spacing;
    let (lower, upper) = (middle - 60 * market.tick_spacing, middle + 60 * market.tick_spacing);
    golem
        .verified(Act::Trade(Order::Provide {
            pool: PoolName::HOME,
            lower,
            upper,
            usdc: Usdc::whole(45),
            token: seen.held / 2,
        }))
        .await;
    let position = golem.chain.sense().await.expect("seen").vault.expect("a vault").positions[0];
    let half = Order::Withdraw { pool: PoolName::HOME, position: position.id, liquidity: position.liquidity / 2 };
    golem.verified(Act::Trade(half)).await;

    let (agent, vault) = (AgentId(golem.agent), golem.vault);
    let mut town = Town::around(golem.net).await;
    let record = rebuilt_as_it_stands(&town, agent).await;
    let deals: Vec<&Deal> = record.trades.iter().map(|trade| &trade.deal).collect();
    assert!(
        matches!(deals[..], [Deal::Swap { .. }, Deal::Add { .. }, Deal::Remove { closed: false, .. }]),
        "{deals:?}"
    );

    // Sleep, waking, a sale and its acceptance.
    let (owner, buyer) = (town.desk(&town.owner()), town.desk(&town.stranger(1)));
    let until = UtcTime::from_seconds(town.now() + 86_400);
    perform!(town, owner, |desk, report| desk.hibernate(vault, until, report)).expect("asleep");
    rebuilt_as_it_stands(&town, agent).await;
    perform!(town, owner, |desk, report| desk.wake(vault, report)).expect("awake");
    rebuilt_as_it_stands(&town, agent).await;
    let policy = Policy { call_cap: Usdc::whole(3), ..Policy::default() };
    perform!(town, owner, |desk, report| desk.set_policy(vault, &policy, report)).expect("set");
    let lock = UtcTime::from_seconds(town.now() + 60);
    perform!(town, owner, |desk, report| desk.lock(vault, lock, report)).expect("locked");
    rebuilt_as_it_stands(&town, agent).await;
    let (seller, identity) = (town.owner(), town.here.identity);
    let sale = IErc721::transferFromCall { from: owner.address(), to: buyer.address(), tokenId: agent.0 };
    town.send(&seller, identity, &sale).await;
    assert_eq!(rebuilt_as_it_stands(&town, agent).await.owner, buyer.address());
    let nothing = Takeover::default();
    perform!(town, buyer, |desk, report| desk.accept(vault, &nothing, report)).expect("accepted");
    let record = rebuilt_as_it_stands(&town, agent).await;
    assert!(record.till.listed.is_empty() && record.till.policy == Policy::default());
    assert_eq!((record.key, record.till.bound_owner), (Address::ZERO, buyer.address()));

    // The kill, and everything to the buyer in kind.
    perform!(town, buyer, |desk, report| desk.kill(vault, "sold", report)).expect("killed");
    town.pass(3_600).await;
    perform!(town, buyer, |desk, report| desk.finalise(vault, report)).expect("finalised");
    let record = rebuilt_as_it_stands(&town, agent).await;
    assert_eq!((record.stage(), record.till.accounted()), (Stage::Dead, Usdc::ZERO));
    assert!(record.till.holdings.is_empty() && record.till.positions.is_empty() && record.till.stranded.is_empty());
    let token_id = U256::from(position.id);
    let owner_of = IErc721::ownerOfCall { tokenId: token_id };
    assert_eq!(town.read(town.here.position_manager, owner_of).await, buyer.address());
}
