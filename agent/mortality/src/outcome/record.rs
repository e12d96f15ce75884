//! The record of one action: before, predicted, after, and how they differ.

use std::collections::BTreeMap;

use golem_primitives::{Address, B256, Bps, Denomination, EffectId, Tick, Usdc};

use super::deviation::{deviation, is_hit};
use crate::epistemic::window::{Pair, PairError};

/// What was read of the chain at a block.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct ChainState {
    /// Balances by token, in its smallest unit.
    pub balances: BTreeMap<Address, u128>,
    pub positions: BTreeMap<u64, u128>,
    /// The state of the pool, as its own hash: equal or not is all the law asks.
    pub pool_state: B256,
}

/// What the simulation of the exact call said.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct SimulatedOutcome {
    /// Profit or loss expected, in micro-USDC.
    pub expected_return_micros: i64,
    pub notional: Usdc,
    pub expected_gas: u64,
    pub would_revert: bool,
    pub balance_changes: BTreeMap<Address, i128>,
    pub expected_logs: Vec<B256>,
}

/// What a trade moved of the capital, from its own logs: all that a ledger of round trips is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Moved {
    /// Change of USDC, in micros.
    pub usdc_micros: i64,
    /// Change of the token, in its smallest unit.
    pub token: i128,
    /// The token held before, in its smallest unit: what is sold is a share of that.
    pub held_before: u128,
    /// P-057. How the token is counted and called.
    pub denomination: Denomination,
    /// What one whole token cost when the trade was permitted.
    pub price: Usdc,
    pub position: Option<MovedPosition>,
}

/// A liquidity position before and after a trade.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct MovedPosition {
    pub id: u64,
    pub before: u128,
    pub after: u128,
}

/// What the receipt said.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Receipt {
    pub success: bool,
    pub gas_used: u64,
    pub logs: Vec<B256>,
    /// What it was worth at the price of its permit, in micro-USDC: what a simulation is judged by, and no profit.
    pub realised_return_micros: i64,
    /// What it moved; nothing when it reverted.
    pub moved: Moved,
}

/// M-073. How the two differ.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Deviations {
    /// Of the return; `None` when no return was predicted.
    pub return_bps: Option<Bps>,
    /// Of each balance change that was predicted or happened.
    pub balance_change_bps: BTreeMap<Address, Bps>,
    pub gas_deviation_bps: Option<Bps>,
    pub unexpected_logs: Vec<B256>,
    pub missing_expected_logs: Vec<B256>,
}

/// M-074, M-079. An invariant checked by deterministic reads, at no cost.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct InvariantCheck {
    pub name: String,
    pub expression: String,
    pub passed: bool,
    pub actual: String,
    pub expected: String,
}

/// M-073. The whole record.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct OutcomeVerification {
    pub tick: Tick,
    pub action_id: EffectId,
    pub pre_state: ChainState,
    pub prediction: SimulatedOutcome,
    pub post_state: ChainState,
    pub receipt: Receipt,
    pub deviations: Deviations,
    pub invariants: Vec<InvariantCheck>,
}

impl OutcomeVerification {
    /// M-072. Compares a simulation with its receipt and the states read around it.
    #[must_use]
    pub fn compare(
        tick: Tick,
        action_id: EffectId,
        pre_state: ChainState,
        prediction: SimulatedOutcome,
        post_state: ChainState,
        receipt: Receipt,
    ) -> Self {
        let deviations = Deviations {
            return_bps: deviation(
                i128::from(prediction.expected_return_micros),
                i128::from(actual_return(&prediction, &receipt)),
            ),
            balance_change_bps: balance_changes(&pre_state, &prediction, &post_state),
            gas_deviation_bps: deviation(i128::from(prediction.expected_gas), i128::from(receipt.gas_used)),
            unexpected_logs: without(&receipt.logs, &prediction.expected_logs),
            missing_expected_logs: without(&prediction.expected_logs, &receipt.logs),
        };
        Self { tick, action_id, pre_state, prediction, post_state, receipt, deviations, invariants: Vec::new() }
    }

    /// M-076. The pair for the R² window, as returns per unit of notional (MG-03); `None` when nothing was at stake.
    ///
    /// # Errors
    /// [`PairError`] when a return is beyond belief.
    pub fn pair(&self) -> Result<Option<Pair>, PairError> {
        if self.prediction.notional.is_zero() {
            return Ok(None);
        }
        let notional = self.prediction.notional.micros() as f64;
        let predicted = self.prediction.expected_return_micros as f64 / notional;
        let actual = actual_return(&self.prediction, &self.receipt) as f64 / notional;
        Pair::new(predicted, actual).map(Some)
    }

    /// M-076. Whether the simulation was right within 50 bps; a simulation that foresaw the revert was right.
    #[must_use]
    pub fn is_hit(&self) -> bool {
        if self.prediction.would_revert {
            return !self.receipt.success;
        }
        self.receipt.success && self.deviations.return_bps.is_none_or(is_hit)
    }
}

/// M-075. What came of it; an unforeseen revert brought nothing.
const fn actual_return(prediction: &SimulatedOutcome, receipt: &Receipt) -> i64 {
    if receipt.success || prediction.would_revert { receipt.realised_return_micros } else { 0 }
}

fn balance_changes(pre: &ChainState, prediction: &SimulatedOutcome, post: &ChainState) -> BTreeMap<Address, Bps> {
    let held = |state: &ChainState, token: &Address| {
        i128::try_from(state.balances.get(token).copied().unwrap_or(0)).unwrap_or(i128::MAX)
    };
    prediction
        .balance_changes
        .iter()
        .filter_map(|(token, predicted)| {
            let actual = held(post, token) - held(pre, token);
            deviation(*predicted, actual).map(|bps| (*token, bps))
        })
        .collect()
}

/// Those of `all` that are not matched one to one in `others`.
fn without(all: &[B256], others: &[B256]) -> Vec<B256> {
    let mut others = others.to_vec();
    all.iter()
        .filter(|log| match others.iter().position(|other| other == *log) {
            Some(at) => {
                others.swap_remove(at);
                false
            }
            None => true,
        })
        .copied()
        .collect()
}

#[cfg(test)]
mod tests {
    use golem_primitives::GolemId;

    use super::*;

    const TICK: Tick = Tick::new(7);

    fn id() -> EffectId {
        let golem = GolemId::new("golem-0001").expect("a name");
        EffectId::derive(&golem, TICK, 0, 0)
    }

    fn predicted(micros: i64) -> SimulatedOutcome {
        SimulatedOutcome {
            expected_return_micros: micros,
            notional: Usdc::whole(100),
            expected_gas: 120_000,
            ..SimulatedOutcome::default()
        }
    }

    fn receipt(success: bool, micros: i64) -> Receipt {
        Receipt { success, gas_used: 132_000, realised_return_micros: micros, ..Receipt::default() }
    }

    fn compare(prediction: SimulatedOutcome, receipt: Receipt) -> OutcomeVerification {
        OutcomeVerification::compare(TICK, id(), ChainState::default(), prediction, ChainState::default(), receipt)
    }

    /// M-072, M-075, M-076, M-081: W-81 through a whole record.
    #[test]
    fn m_076_a_record_yields_a_pair_and_a_hit() {
        let record = compare(predicted(1_000_000), receipt(true, 995_000));
        assert_eq!(record.deviations.return_bps, Some(Bps::from(-50)), "W-81");
        assert_eq!(record.deviations.gas_deviation_bps, Some(Bps::from(1_000)), "W-81");
        assert!(record.is_hit());
        let pair = record.pair().expect("a return").expect("at stake");
        assert_eq!((pair.predicted(), pair.actual()), (0.01, 0.00995), "MG-03: per unit of notional");
    }

    /// M-075: a revert nobody foresaw is -10000 bps; one that was foreseen is a hit.
    #[test]
    fn m_075_an_unforeseen_revert_scores_nothing() {
        let reverted = compare(predicted(1_000_000), receipt(false, -70_000));
        assert_eq!(reverted.deviations.return_bps, Some(Bps::from(-10_000)));
        assert!(!reverted.is_hit());
        assert_eq!(reverted.pair().expect("finite").expect("at stake").actual(), 0.0);
        let foreseen = SimulatedOutcome { would_revert: true, ..predicted(0) };
        assert!(compare(foreseen.clone(), receipt(false, -70_000)).is_hit());
        assert!(!compare(foreseen, receipt(true, 0)).is_hit());
    }

    /// M-073: balances and logs, one to one.
    #[test]
    fn m_073_deviations_name_tokens_and_logs() {
        let token = Address::repeat_byte(1);
        let [a, b, c] = [1, 2, 3].map(B256::repeat_byte);
        let state = |amount| ChainState { balances: [(token, amount)].into(), ..ChainState::default() };
        let prediction = SimulatedOutcome {
            balance_changes: [(token, -1_000)].into(),
            expected_logs: vec![a, a, b],
            ..predicted(1)
        };
        let receipt = Receipt { logs: vec![a, c], ..receipt(true, 1) };
        let record = OutcomeVerification::compare(TICK, id(), state(5_000), prediction, state(3_990), receipt);
        assert_eq!(record.deviations.balance_change_bps, [(token, Bps::from(-100))].into(), "paid 1% more");
        assert_eq!(record.deviations.unexpected_logs, [c]);
        assert_eq!(record.deviations.missing_expected_logs, [a, b]);
    }

    /// M-076: nothing at stake gives no pair; a return beyond belief is refused.
    #[test]
    fn m_076_no_stake_no_pair() {
        let free = SimulatedOutcome { notional: Usdc::ZERO, ..predicted(1) };
        assert_eq!(compare(free, receipt(true, 1)).pair(), Ok(None));
        let absurd = SimulatedOutcome { notional: Usdc::from_micros(1), ..predicted(i64::MAX) };
        assert!(compare(absurd, receipt(true, 1)).pair().is_err());
    }
}
