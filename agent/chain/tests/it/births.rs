//! A birth that nobody wrote down.

use alloy::primitives::U256;
use golem_chain::BirthPlan;
use golem_primitives::Usdc;

use crate::town::Town;

/// L-004: who was cut off after the birth finds it again by its plan, with what it was really born with.
#[tokio::test(flavor = "multi_thread")]
async fn l_004_a_birth_is_found_again_by_its_plan() {
    let mut town = Town::up().await;
    let (desk, plan) = (town.desk(&town.owner()), town.plan());
    assert_eq!(desk.find_birth(&plan).await.expect("seen"), None);
    let born = town.birth(plan.clone()).await.expect("born");
    town.bury().await;
    assert_eq!((born.credits, born.capital), (plan.credits, plan.capital));
    assert_eq!(desk.find_birth(&plan).await.expect("seen").as_ref(), Some(&born));
    let misremembered = BirthPlan { credits: Usdc::whole(7), name: "Eve".to_owned(), ..plan.clone() };
    assert_eq!(desk.find_birth(&misremembered).await.expect("seen"), Some(born));
    let others = [
        BirthPlan { nonce: U256::from(9), ..plan.clone() },
        BirthPlan { key: town.stranger(2).address, ..plan.clone() },
        BirthPlan { owner: town.stranger(2).address, ..plan },
    ];
    for other in others {
        assert_eq!(desk.find_birth(&other).await.expect("seen"), None, "{other:?}");
    }
}
