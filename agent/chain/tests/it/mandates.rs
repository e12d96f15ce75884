//! Mandates on a real devnet (T-020, T-021).

use alloy::primitives::{Address, B256, Bytes, U256};
use golem_chain::bindings::{ILineageRegistry, IVault, vault};
use golem_chain::{BirthPlan, Listing, MandatePlan, Policy, Succeeding, Uses};
use golem_primitives::{Usdc, UtcTime};

use crate::town::{Town, perform};

#[tokio::test(flavor = "multi_thread")]
async fn t_020_a_mandate_is_funded_emptied_and_carried_out() {
    let mut town = Town::up().await;
    let born = town.born().await;
    let desk = town.desk(&town.owner());
    let plan = MandatePlan {
        lineage: born.lineage,
        budget: Usdc::whole(20),
        successors: 2,
        expiry: UtcTime::from_seconds(town.now() + 30 * 86_400),
        executor: town.stranger(3).address,
        policy: Some(Policy { call_cap: Usdc::whole(4), ..Policy::default() }),
        listings: vec![Listing::payee(Address::repeat_byte(5), Uses::PAYEE_LLM)],
        guardian: None,
        keys: vec![],
        nonce: U256::from(1),
    };
    let terms = plan.clone();
    let made = perform!(town, desk, |desk, report| desk.commit_mandate(&terms, Usdc::whole(15), report));
    let mandate = made.expect("committed").mandate;
    perform!(town, desk, |desk, report| desk.add_escrow(mandate, Usdc::whole(10), report)).expect("added");
    perform!(town, desk, |desk, report| desk.withdraw_escrow(mandate, Usdc::whole(3), report)).expect("withdrawn");
    let standing = desk.standing_of(mandate).await.expect("read").expect("stands");
    assert_eq!((standing.escrow, standing.born, standing.committer), (Usdc::whole(22), 0, desk.address()));
    assert_eq!(desk.standing_of(B256::repeat_byte(3)).await.expect("read"), None);
    let stranger = town.desk(&town.stranger(2));
    let error = perform!(town, stranger, |desk, report| desk.withdraw_escrow(mandate, Usdc::whole(1), report));
    assert_eq!(error.expect_err("not his").refusal().expect("refused").word(), "NotCommitter");
    let terms = plan.clone();
    let again = perform!(town, desk, |desk, report| desk.commit_mandate(&terms, Usdc::ZERO, report));
    assert_eq!(again.expect_err("stands").refusal().expect("refused").word(), "MandateExists");

    // The Golem lives a day, dies and leaves a testament; the executor brings the successor with a key the owner signed.
    let executor = town.desk(&town.stranger(3));
    let key = town.stranger(1).address;
    let succeeding = Succeeding {
        predecessor: born.agent,
        key,
        key_signature: desk.sign_successor_key(mandate, born.agent, key).await.expect("signed").into(),
        playbook_digest: B256::repeat_byte(2),
        nonce: U256::ZERO,
        name: "Ada II".to_owned(),
        agent_uri: None,
    };
    let (who, terms, what) = (desk.address(), plan.clone(), succeeding.clone());
    let early = perform!(town, executor, |desk, report| desk.succeed(who, &terms, &what, report));
    assert_eq!(early.expect_err("alive").refusal().expect("refused").word(), "PredecessorNotDead");
    town.pass(90_000).await;
    let reason = "made room";
    perform!(town, desk, |desk, report| desk.kill(born.vault, reason, report)).expect("killed");
    let testament = vault::ILineageRegistry::Testament {
        hash: B256::repeat_byte(7),
        uri: String::new(),
        genomeRoot: B256::ZERO,
        playbookDigest: B256::repeat_byte(1),
        ticksLived: 5,
    };
    let stain = vault::ILineageRegistry::Stain { regime: B256::ZERO, loss: U256::ZERO, evidence: B256::ZERO };
    let golem = town.stranger(0);
    town.send(&golem, born.vault, &IVault::settleCall { testament, stain }).await;

    let unsigned = Succeeding { key_signature: Bytes::new(), ..succeeding.clone() };
    let terms = plan.clone();
    let error = perform!(town, executor, |desk, report| desk.succeed(who, &terms, &unsigned, report));
    assert_eq!(error.expect_err("no word of the owner").refusal().expect("refused").word(), "KeyMismatch");
    let terms = plan.clone();
    let heir = perform!(town, executor, |desk, report| desk.succeed(who, &terms, &succeeding, report)).expect("born");
    assert_eq!((heir.generation, heir.lineage, heir.owner, heir.key), (1, born.lineage, who, key));
    assert_eq!(Some(desk.policy(heir.vault).await.expect("read")), plan.policy);
    let after = town.read(town.here.lineage, ILineageRegistry::successorOfCall { agentId: born.agent.0 }).await;
    assert_eq!(after, heir.agent.0);
    assert_eq!(desk.standing_of(mandate).await.expect("read").expect("stands").escrow, Usdc::whole(2));

    // The line has its successor; a birth by hand for the same dead one is refused.
    let by_hand = BirthPlan {
        predecessor: Some(born.agent),
        nonce: U256::from(5),
        playbook_digest: B256::repeat_byte(9),
        ..town.plan()
    };
    let error = town.birth(by_hand).await.expect_err("one each");
    assert_eq!(error.refusal().expect("refused").word(), "AlreadySucceeded");
}
