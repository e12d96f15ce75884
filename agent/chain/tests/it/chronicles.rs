//! Lives rebuilt from logs alone, and proved (L-024, O-005).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use alloy::primitives::{Address, B256, Bytes, U256, keccak256};
use golem_chain::bindings::vault::{ILineageRegistry as Dead, IVaultTrading};
use golem_chain::bindings::{ILineageRegistry, IVault};
use golem_chain::lineage::{Chronicle, Deal, FileEvidence, GolemOnChain, LineageCheck, Stage, all_hold, verify};
use golem_chain::{BirthPlan, Born, Deployment, EndpointSettings, Endpoints, Listing, Policy, Uses};
use golem_core::outcome_tree::OutcomeTree;
use golem_core::record::{CauseKind, Salt, death_roll};
use golem_primitives::{AgentId, GolemId, Tick, Usdc};
use serde_json::json;

use crate::fake_rpc::{FakeRpc, Reply, healthy};
use crate::rebuilt::rebuilt_as_it_stands;
use crate::town::{Town, micros, perform};

const TESTAMENT: &[u8] = br#"{"last":"words"}"#;

/// Two generations with all that happens in them, and what their keeper has on file.
struct Dynasty {
    town: Town,
    first: Born,
    second: Born,
    evidence: FileEvidence,
}

impl Dynasty {
    async fn live() -> Self {
        let mut town = Town::up().await;
        let first = town.born().await;
        let (vault, agent, owner) = (first.vault, first.agent, town.desk(&town.owner()));
        let key = town.stranger(0);
        let lineage = town.here.lineage;
        let mut evidence = FileEvidence::default();

        // Two beats with records and rolls. The first announces a block for each tick behind it, and of those the second
        // tells only what rolled with another.
        let mut outcomes = BTreeMap::new();
        let mut hazards = BTreeMap::new();
        let mut announced = 0;
        for (tick, records, told) in [(30_u64, 5_usize, [10_u64, 30]), (70, 2, [50, 69])] {
            town.pass(60).await;
            let leaves: Vec<B256> =
                (0..records).map(|n| keccak256([tick.to_be_bytes(), n.to_be_bytes()].concat())).collect();
            let block = town.head().await;
            let mut rolls = Vec::new();
            for rolled in told {
                rolls.extend_from_slice(&rolled.to_be_bytes());
                rolls.extend_from_slice(&block.to_be_bytes());
                hazards.insert(Tick::new(rolled), roll_at(&town, vault, rolled, block).await);
            }
            let beat = ILineageRegistry::beatCall {
                agentId: agent.0,
                tick,
                phase: 1,
                vitality: 640_000,
                outcomeRoot: OutcomeTree::new(leaves.clone()).root(),
                outcomes: u32::try_from(records).expect("few"),
                rolls: rolls.into(),
                rollStride: 1,
            };
            town.send(&key, lineage, &beat).await;
            outcomes.insert(Tick::new(tick), leaves);
            announced = town.head().await;
            for _ in 0..45 {
                town.pass(2).await;
            }
            if tick == 30 {
                hazards.insert(Tick::new(33), roll_at(&town, vault, 33, announced + 3).await);
            }
        }
        evidence.outcomes.insert(agent, outcomes);
        evidence.hazards.insert(agent, hazards);

        // Money, rules, trades.
        perform!(town, owner, |desk, report| desk.top_up(vault, Usdc::whole(7), report)).expect("fed");
        let hazard_max = u64::MAX / 10;
        let policy = Policy { hazard_max, call_cap: Usdc::whole(4), ..Policy::default() };
        perform!(town, owner, |desk, report| desk.set_policy(vault, &policy, report)).expect("set");
        let line = [
            Listing::payee(Address::repeat_byte(3), Uses::PAYEE_GAS),
            Listing::payee(town.stranger(4).address, Uses::NONE),
        ];
        let host = town.stranger(4).address;
        town.send(&key, vault, &IVault::spendCall { partition: 0, payee: host, amount: micros(Usdc::whole(1)) }).await;
        perform!(town, owner, |desk, report| desk.set_listings(vault, &line, report)).expect("listed");
        let rebalance = IVault::rebalanceCall { from: 1, to: 2, amount: micros(Usdc::whole(2)) };
        town.send(&key, vault, &rebalance).await;
        let order = IVaultTrading::SwapOrder {
            pool: town.here.pool.expect("a pool"),
            tokenIn: town.here.usdc,
            tokenOut: town.here.weth,
            amountIn: micros(Usdc::whole(4)),
            minOut: U256::ZERO,
            deadline: U256::from(town.now() + 600),
        };
        let quote = micros(Usdc::whole(4)) * U256::from(10).pow(U256::from(12)) / U256::from(3_000);
        let order = IVaultTrading::SwapOrder { minOut: quote * U256::from(992) / U256::from(1_000), ..order };
        town.send(&key, vault, &IVault::swapCall { order }).await;
        let golem = rebuilt_as_it_stands(&town, agent).await;
        let [bought] = golem.trades.as_slice() else { panic!("one trade: {:?}", golem.trades) };
        assert_eq!((bought.capital, bought.deployed), (golem.till.capital, golem.till.deployed));
        let Deal::Swap { amount_in, token_out, .. } = &bought.deal else { panic!("{bought:?}") };
        assert_eq!((*amount_in, *token_out), (micros(Usdc::whole(4)), town.here.weth));

        // A lost roll, a testament, the end.
        let (mut tick, mut block, mut roll) = (70, announced, u64::MAX);
        while roll >= hazard_max {
            (tick, block) = (tick + 1, block + 1);
            roll = roll_at(&town, vault, tick, block).await;
        }
        let lost = IVault::dieStochasticCall { tick, hazard: roll + 1, roll, blockNumber: U256::from(block) };
        town.send(&key, vault, &lost).await;
        let testament = Dead::Testament {
            hash: keccak256(TESTAMENT),
            uri: "ipfs://testament".to_owned(),
            genomeRoot: B256::repeat_byte(4),
            playbookDigest: B256::repeat_byte(1),
            ticksLived: tick + 1,
        };
        let regime = B256::right_padding_from(b"crash");
        let stain = Dead::Stain { regime, loss: U256::from(5), evidence: B256::ZERO };
        town.send(&key, vault, &IVault::settleCall { testament, stain }).await;
        evidence.testaments.insert(agent, TESTAMENT.to_vec());

        let heir = BirthPlan {
            predecessor: Some(agent),
            key: town.stranger(1).address,
            playbook_digest: B256::repeat_byte(2),
            nonce: U256::from(2),
            ..town.plan()
        };
        let second = town.birth(heir).await.expect("born");
        town.bury().await;
        Self { town, first, second, evidence }
    }

    async fn read(&self) -> Chronicle {
        Chronicle::read(&self.town.endpoints, &self.town.here).await.expect("read")
    }

    async fn verify(&self, chronicle: &Chronicle, evidence: &FileEvidence) -> Vec<LineageCheck> {
        let (endpoints, here) = (&self.town.endpoints, &self.town.here);
        verify(chronicle, self.first.lineage, evidence, endpoints, here).await.expect("seen")
    }
}

async fn roll_at(town: &Town, vault: Address, tick: u64, block: u64) -> u64 {
    let salt = Salt::Block(town.block_hash(block).await);
    death_roll(&GolemId::from_vault(vault), Tick::new(tick), salt).0
}

fn crosses(checks: &[LineageCheck]) -> Vec<(AgentId, &'static str)> {
    checks.iter().filter(|check| !check.ok).map(|check| (check.agent, check.name)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn l_024_lives_are_rebuilt_from_logs_alone_and_proved() {
    let dynasty = Dynasty::live().await;
    let (a, b) = (dynasty.first.agent, dynasty.second.agent);
    let chronicle = dynasty.read().await;
    let members: Vec<AgentId> = chronicle.lineage(dynasty.first.lineage).iter().map(|golem| golem.agent).collect();
    assert_eq!(members, [a, b]);
    let (first, second) = (chronicle.golem(a).expect("born"), chronicle.golem(b).expect("born"));
    assert_eq!((first.stage(), first.successor), (Stage::Dead, Some(b)));
    assert!(first.ticks() > 71, "the tick of the roll and one more: {}", first.ticks());
    assert_eq!((second.stage(), second.generation, second.predecessor), (Stage::Alive, 1, Some(a)));
    assert_eq!((first.owner, second.owner), (dynasty.town.owner().address, dynasty.town.owner().address));
    assert_eq!(first.till.accounted(), Usdc::ZERO, "the books are closed");
    let death = first.death.as_ref().expect("dead");
    assert_eq!((death.cause, death.regime.as_str()), (Some(CauseKind::Stochastic), "crash"));
    assert!(first.uri.starts_with("data:application/json"), "{}", first.uri);
    assert_eq!(first.beats.len(), 2);
    assert_eq!(first.beats[0].rolls.iter().map(|roll| roll.tick.get()).collect::<Vec<_>>(), [10, 30]);
    let graves = chronicle.graveyard();
    assert_eq!(graves.len(), 1);
    assert_eq!((graves[0].agent, graves[0].testament), (a, Some(keccak256(TESTAMENT))));

    let checks = dynasty.verify(&chronicle, &dynasty.evidence).await;
    assert!(all_hold(&checks), "{:#?}", crosses(&checks));
    let names: Vec<&str> = checks.iter().filter(|check| check.agent == a).map(|check| check.name).collect();
    for name in ["birth", "vault", "state", "beats", "survived rolls", "outcome roots", "death", "death roll"] {
        assert!(names.contains(&name), "{name} in {names:?}");
    }
    assert!(names.contains(&"testament") && names.contains(&"successor"), "{names:?}");
    let rolls = checks.iter().find(|check| check.name == "survived rolls").expect("checked");
    // Of the 39 ticks between the beats two were told; one of the others has its hazard on file, 36 have not, and most of
    // those rolled above any hazard that the policy allows.
    assert!(rolls.detail.starts_with("5 survived by their records"), "{}", rolls.detail);
    assert!(rolls.detail.contains("above any hazard allowed"), "{}", rolls.detail);
    assert!(first.roll.expect("lost").verified, "announced by the last beat");
    // Without files, what the chain alone proves still holds.
    assert!(all_hold(&dynasty.verify(&chronicle, &FileEvidence::default()).await));
}

#[tokio::test(flavor = "multi_thread")]
async fn o_005_whatever_is_forged_shows_as_a_cross() {
    let dynasty = Dynasty::live().await;
    let (a, b) = (dynasty.first.agent, dynasty.second.agent);
    let chronicle = dynasty.read().await;

    let mut evidence = dynasty.evidence.clone();
    evidence.testaments.insert(a, b"other words".to_vec());
    evidence.outcomes.get_mut(&a).expect("given").get_mut(&Tick::new(30)).expect("given").swap(0, 3);
    *evidence.hazards.get_mut(&a).expect("given").get_mut(&Tick::new(10)).expect("given") += 1;
    let checks = dynasty.verify(&chronicle, &evidence).await;
    assert_eq!(crosses(&checks), [(a, "survived rolls"), (a, "outcome roots"), (a, "testament")]);
    let mut evidence = dynasty.evidence.clone();
    evidence.outcomes.get_mut(&a).expect("given").remove(&Tick::new(70));
    evidence.testaments.insert(b, b"written while alive".to_vec());
    let checks = dynasty.verify(&chronicle, &evidence).await;
    assert_eq!(crosses(&checks), [(a, "outcome roots"), (b, "testament")]);

    type Forgery = fn(&mut GolemOnChain);
    let forgeries: [(&str, bool, Forgery); 10] = [
        ("birth", false, |golem| golem.generation = 5),
        ("birth", true, |golem| golem.metadata = Bytes::new()),
        ("beats", true, |golem| golem.beats.swap(0, 1)),
        ("survived rolls", true, |golem| golem.beats[1].rolls[0].block = u64::MAX),
        ("death roll", true, |golem| golem.roll.as_mut().expect("lost").tick = Tick::new(89)),
        ("survived rolls", true, |golem| golem.beats[0].roll_stride = 200),
        ("death roll", true, |golem| golem.beats[1].roll_stride = 2),
        ("death roll", true, |golem| golem.roll = None),
        ("death", true, |golem| golem.death.as_mut().expect("dead").cause = Some(CauseKind::Economic)),
        ("successor", true, |golem| golem.testament.as_mut().expect("left").playbook_digest = B256::repeat_byte(2)),
    ];
    for (name, elder, forge) in forgeries {
        let mut forged = chronicle.clone();
        let agent = if elder { a } else { b };
        forge(forged.golems.get_mut(&agent).expect("born"));
        let checks = dynasty.verify(&forged, &dynasty.evidence).await;
        assert!(crosses(&checks).contains(&(agent, name)), "{name}: {:?}", crosses(&checks));
    }
    // A vault that is not the suite's.
    let mut forged = chronicle.clone();
    forged.golems.get_mut(&a).expect("born").vault = dynasty.town.here.usdc;
    assert!(crosses(&dynasty.verify(&forged, &FileEvidence::default()).await).contains(&(a, "vault")));
}

#[tokio::test(flavor = "multi_thread")]
async fn l_024_a_chronicle_goes_on_where_it_stopped() {
    let mut town = Town::up().await;
    let first = town.born().await;
    let mut chronicle = Chronicle::read(&town.endpoints, &town.here).await.expect("read");
    assert_eq!(chronicle.golems.len(), 1);
    let desk = town.desk(&town.owner());
    let vault = first.vault;
    perform!(town, desk, |desk, report| desk.kill(vault, "enough", report)).expect("killed");
    let plan = BirthPlan { nonce: U256::from(2), ..town.plan() };
    town.birth(plan).await.expect("born");
    // Kept in a file in between.
    let kept = serde_json::to_string(&chronicle).expect("written");
    chronicle = serde_json::from_str(&kept).expect("read");
    chronicle.update(&town.endpoints, &town.here).await.expect("read on");
    let whole = Chronicle::read(&town.endpoints, &town.here).await.expect("read");
    assert_eq!(chronicle, whole);
    let killed = chronicle.golem(first.agent).expect("born");
    assert_eq!(killed.stage(), Stage::Dying);
    assert_eq!(killed.dying.as_ref().expect("dying").reason, "enough");
    // One that remembers another chain starts anew.
    chronicle.to_hash = B256::repeat_byte(1);
    chronicle.golems.clear();
    chronicle.update(&town.endpoints, &town.here).await.expect("read anew");
    assert_eq!(chronicle, whole);
}

/// L-025: every proof of our tree is one the registry accepts, and no other.
#[tokio::test(flavor = "multi_thread")]
async fn l_025_the_registry_takes_the_proofs_of_our_tree() {
    let town = Town::up().await;
    for count in [1_usize, 2, 3, 4, 5, 7, 8, 9, 13, 33] {
        let leaves: Vec<B256> =
            (0..count).map(|n| keccak256([count.to_be_bytes(), n.to_be_bytes()].concat())).collect();
        let tree = OutcomeTree::new(leaves.clone());
        for (index, leaf) in leaves.iter().enumerate() {
            let proof = tree.proof(index).expect("within");
            let ask =
                |leaf: B256| ILineageRegistry::verifyOutcomeCall { root: tree.root(), leaf, proof: proof.clone() };
            assert!(town.read(town.here.lineage, ask(*leaf)).await, "leaf {index} of {count}");
            let other = keccak256(leaf);
            assert!(!town.read(town.here.lineage, ask(other)).await, "a stranger at {index} of {count}");
        }
    }
}

/// Providers limit ranges and results, each in its own words; the whole range is read all the same, once.
#[tokio::test]
async fn l_024_logs_are_read_in_pieces_the_endpoint_allows() {
    let ranges = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&ranges);
    let node = FakeRpc::start(move |method, params| {
        if method != "eth_getLogs" {
            return healthy(method, 20_000, 1_700_000_000);
        }
        let number = |name: &str| {
            let text = params[0][name].as_str().expect("a number");
            u64::from_str_radix(text.trim_start_matches("0x"), 16).expect("hex")
        };
        let (from, to) = (number("fromBlock"), number("toBlock"));
        if to - from >= 1_000 {
            return Reply::Error(-32005, "query returned more than 10000 results", json!(null));
        }
        seen.lock().expect("whole").push((from, to));
        Reply::Result(json!([]))
    })
    .await;
    let settings = EndpointSettings { rounds: 1, ..EndpointSettings::devnet() };
    let endpoints = Endpoints::connect(std::slice::from_ref(&node.url), settings).await.expect("connected");
    let nobody = Address::repeat_byte(1);
    let mut here: Deployment = Town::up().await.here;
    here = Deployment { chain_id: 7, from_block: 500, lineage: nobody, ..here };
    let chronicle = Chronicle::read(&endpoints, &here).await.expect("read");
    assert_eq!((chronicle.to, chronicle.golems.len()), (20_000 - here.confirmations, 0));
    let ranges = ranges.lock().expect("whole").clone();
    assert_eq!((ranges[0].0, ranges.last().expect("some").1), (500, chronicle.to));
    assert!(ranges.windows(2).all(|pair| pair[1].0 == pair[0].1 + 1), "{ranges:?}");
    assert!(node.asked("eth_getLogs") < ranges.len() + 8, "the limit is learnt, not hit again and again");
}
