//! A verified outcome made again from the chain alone, for whoever doubts it.

use golem_core::record::{ChainState, Order, OutcomeVerification};
use golem_ports::{Act, Attempt, Blindness, Errand};
use golem_primitives::{Address, Usdc};

use crate::drive::record_of;
use crate::on_chain::OnChain;
use crate::verify::verification;

/// What came of asking again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Again {
    /// The chain gives the same record, to the last field.
    Same,
    Differs(String),
    /// The node no longer has the state of that block, so nobody can tell from it.
    Pruned(String),
}

impl OnChain {
    /// Makes the record of a trade again from its receipt and the state after it.
    pub async fn verify_again(
        &self,
        told: &OutcomeVerification,
        order: &Order,
        attempt: &Attempt,
    ) -> Result<Again, Blindness> {
        let Some(receipt) = self.node.receipt(attempt.hash).await? else {
            return Ok(Again::Differs(format!("the chain knows no transaction {}", attempt.hash)));
        };
        let Some(permit) = record_of(attempt) else {
            return Ok(Again::Differs("what was permitted cannot be read".to_owned()));
        };
        let at = self.node.block(receipt.block()).await?.filter(|at| at.hash == receipt.block_hash);
        let Some(at) = at else {
            return Ok(Again::Differs(format!("its block {} is not in the chain", receipt.block())));
        };
        let reading = match self.read(at).await {
            Ok(reading) => reading,
            Err(blind) => return Ok(Again::Pruned(format!("no state of block {}: {}", at.number, blind.why))),
        };
        let errand =
            Errand { effect: told.action_id, tick: told.tick, act: Act::Trade(*order), budget: Usdc::default() };
        let made = verification(&errand, order, permit, &receipt, &self.place(), &reading);
        Ok(compare(told, &made))
    }
}

/// Whether a state is the one that was told. P-057: a place whose owner named more pools since knows more tokens.
fn is_state(told: &ChainState, made: &ChainState) -> bool {
    let is_same = |(token, held): (&Address, &u128)| made.balances.get(token) == Some(held);
    told.balances.iter().all(is_same) && (&told.positions, told.pool_state) == (&made.positions, made.pool_state)
}

fn compare(told: &OutcomeVerification, made: &OutcomeVerification) -> Again {
    let fields = [
        ("the state before", told.pre_state == made.pre_state),
        ("the prediction", told.prediction == made.prediction),
        ("the receipt", told.receipt == made.receipt),
        ("the state after", is_state(&told.post_state, &made.post_state)),
        ("the deviations", told.deviations == made.deviations),
        ("the invariants", told.invariants == made.invariants),
    ];
    let wrong: Vec<&str> = fields.into_iter().filter(|(_, same)| !same).map(|(name, _)| name).collect();
    if wrong.is_empty() { Again::Same } else { Again::Differs(format!("{} came out otherwise", wrong.join(", "))) }
}
