//! V-003. What the vault's log says of its credits: what others gave, and what the vault itself split or locked away.

use std::sync::atomic::Ordering;

use alloy::primitives::{Address, U256};
use alloy::sol_types::SolCall;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use golem_core::record::Inflows;
use golem_ports::Blindness;
use golem_primitives::Usdc;

use crate::bindings::IVault;
use crate::node::{Call, Log, LoggedAt};
use crate::on_chain::OnChain;
use crate::price::usdc;
use crate::reorg::newest_at_depth;

/// Blocks of logs asked for at once; public endpoints refuse much more.
pub(crate) const LOG_SPAN: u64 = 2_000;
/// How many such spans are asked for at one look. Who was away for longer opens its books anew.
const LOG_SPANS: u64 = 20;

/// V-004, V-009. An amount by the shares of a split: llm, gas, data, legacy. Dust goes to `llm`.
pub(crate) fn cut(amount: U256, split: u8) -> [u64; 4] {
    let amount = amount.saturating_to::<u64>();
    let share = |bps: u128| u64::try_from(u128::from(amount) * bps / 10_000).unwrap_or(u64::MAX);
    let (gas, data, legacy) = match split {
        0 => (share(2_500), share(1_500), 0),
        1 => (share(1_500), share(500), share(5_000)),
        _ => (0, 0, amount),
    };
    [amount.saturating_sub(gas).saturating_sub(data).saturating_sub(legacy), gas, data, legacy]
}

/// Changes of the four partitions, and whether they were split anew.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Changes {
    micros: [i64; 4],
    capital: i64,
    /// M-047, M-046. What of it was given, and what was earned.
    funded: Usdc,
    earned: Usdc,
    is_resplit: bool,
    /// Whether something is among it that only an owner can do.
    is_owners: bool,
    givers: Vec<Address>,
}

impl Changes {
    pub(crate) fn of<'a>(logs: impl IntoIterator<Item = &'a Log>) -> Self {
        let mut changes = Self::default();
        for log in logs {
            if let Some(fed) = log.decode::<IVault::ToppedUp>() {
                changes.credit(fed.amount, fed.split);
                changes.funded = changes.funded.saturating_add(usdc(fed.amount));
                changes.givers.push(fed.from);
            } else if let Some(funded) = log.decode::<IVault::CapitalFunded>() {
                changes.givers.push(funded.from);
                changes.capital = changes.capital.saturating_add(funded.amount.saturating_to());
            } else if is_owners(log) {
                changes.is_owners = true;
                let taken = log.decode::<IVault::CapitalWithdrawn>().map_or(0, |taken| taken.amount.saturating_to());
                changes.capital = changes.capital.saturating_sub(taken);
            } else if let Some(harvest) = log.decode::<IVault::Harvested>() {
                changes.capital = changes.capital.saturating_sub(harvest.toCredits.saturating_to());
                changes.credit(harvest.toCredits, harvest.split);
                changes.earned = changes.earned.saturating_add(usdc(harvest.toCredits));
            } else if let Some(raised) = log.decode::<IVault::ReserveRaised>() {
                let from = &mut changes.micros[usize::from(raised.from).min(3)];
                *from = from.saturating_sub(raised.amount.saturating_to());
            } else if log.decode::<IVault::Resplit>().is_some() {
                changes.is_resplit = true;
            }
        }
        changes
    }

    /// All of it as settled: of a vault whose past nobody takes back.
    pub(crate) fn inflows(&self, at: u64, after: Option<u64>, settled_to: u64) -> Inflows {
        Inflows {
            at,
            after,
            settled_to,
            settled: self.micros,
            recent: [0; 4],
            capital: [self.capital, 0],
            funded: self.funded,
            earned: self.earned,
            is_resplit: [self.is_resplit, false],
            owner_spoke: false,
        }
    }

    fn credit(&mut self, amount: U256, split: u8) {
        for (part, more) in self.micros.iter_mut().zip(cut(amount, split)) {
            *part = part.saturating_add(i64::try_from(more).unwrap_or(i64::MAX));
        }
    }
}

/// What nobody but the owner can do to a vault.
fn is_owners(log: &Log) -> bool {
    log.decode::<IVault::PolicySet>().is_some()
        || log.decode::<IVault::ListingSet>().is_some()
        || log.decode::<IVault::GuardianSet>().is_some()
        || log.decode::<IVault::CapitalWithdrawn>().is_some()
}

impl OnChain {
    /// Whether the owner himself is behind something of it. He is asked for only when somebody gave.
    async fn owner_spoke(&self, changes: &Changes, number: u64) -> Result<bool, Blindness> {
        if changes.is_owners || changes.givers.iter().all(|giver| giver.is_zero()) {
            return Ok(changes.is_owners);
        }
        let Some(at) = self.node.block(number).await? else { return Ok(false) };
        let call = Call { from: Address::ZERO, to: self.place().vault, data: IVault::ownerCall {}.abi_encode().into() };
        let Ok(said) = self.node.call(&call, &at).await? else { return Ok(false) };
        let owner = IVault::ownerCall::abi_decode_returns(&said);
        Ok(owner.is_ok_and(|owner| !owner.is_zero() && changes.givers.contains(&owner)))
    }

    pub(crate) fn read_inflows(&self, after: Option<u64>, at: u64) -> BoxFuture<'_, Result<Inflows, Blindness>> {
        async move {
            let depth = newest_at_depth(at, self.depth());
            let is_near = |after: &u64| at.saturating_sub(*after) <= LOG_SPAN * LOG_SPANS;
            // What was spent in a future that was given up stands in no book of this life.
            let mut after = after.filter(|after| is_near(after) && *after >= self.books_begin());
            if let Some(known) = after
                && self.was_rekeyed(known).await
            {
                after = None;
            }
            let settled_to = depth.max(after.unwrap_or(depth));
            let logs = self.logs_between(after.unwrap_or(depth), at).await?;
            let (settled, recent): (Vec<_>, Vec<_>) =
                logs.iter().partition(|logged| logged.block_number.to::<u64>() <= settled_to);
            let [settled, recent] =
                [settled, recent].map(|part| Changes::of(part.into_iter().map(|logged| &logged.log)));
            let owner_spoke = self.owner_spoke(&settled, settled_to).await?;
            Ok(Inflows {
                at,
                after,
                settled_to,
                settled: settled.micros,
                recent: recent.micros,
                capital: [settled.capital, recent.capital],
                funded: settled.funded,
                earned: settled.earned,
                is_resplit: [settled.is_resplit, recent.is_resplit],
                owner_spoke,
            })
        }
        .boxed()
    }

    /// L-002. Whether another key kept the books up to that block. What it spent, or somebody with it, is over with it, and
    /// replacing it is the owner's word that the life goes on: the books begin again. A process has one key, so it asks
    /// until it has one answer.
    async fn was_rekeyed(&self, number: u64) -> bool {
        if self.keeps_books.load(Ordering::Relaxed) {
            return false;
        }
        // State of long ago may be gone; then the books are held to be this key's.
        let Ok(state) = self.state_at(number).await else { return false };
        self.keeps_books.store(true, Ordering::Relaxed);
        state.key != self.key()
    }

    /// Behind one block and up to another.
    async fn logs_between(&self, behind: u64, to: u64) -> Result<Vec<LoggedAt>, Blindness> {
        let mut logs = Vec::new();
        let mut from = behind.saturating_add(1);
        while from <= to {
            let until = to.min(from.saturating_add(LOG_SPAN - 1));
            logs.extend(self.node.logs(self.place().vault, &[], from, until).await?);
            from = until.saturating_add(1);
        }
        Ok(logs)
    }
}

#[cfg(test)]
mod tests {
    use alloy::sol_types::SolEvent;

    use super::*;

    fn log<E: SolEvent>(event: &E) -> Log {
        let data = event.encode_log_data();
        Log { address: Address::ZERO, topics: data.topics().to_vec(), data: data.data }
    }

    /// V-003, V-004, V-009: dust is the llm's, spending is nobody's inflow, and a new split is only said to have happened.
    #[test]
    fn v_003_what_others_did_is_read_to_the_last_unit() {
        assert_eq!(cut(U256::from(1_000_003), 0), [600_003, 250_000, 150_000, 0]);
        assert_eq!(cut(U256::from(7), 1), [3, 1, 0, 3]);
        assert_eq!(cut(U256::from(7), 2), [0, 0, 0, 7]);
        let fed = IVault::ToppedUp { from: Address::ZERO, amount: U256::from(1_000_003), split: 0 };
        let raised = IVault::ReserveRaised { from: 0, amount: U256::from(3), reserve: U256::from(9) };
        let spent = IVault::Spent { partition: 2, payee: Address::ZERO, amount: U256::from(50), left: U256::ZERO };
        let changes = Changes::of(&[log(&fed), log(&raised), log(&spent)]);
        assert_eq!((changes.micros, changes.is_resplit), ([600_000, 250_000, 150_000, 0], false));
        assert!(!changes.is_owners && changes.givers == [Address::ZERO], "what came of itself is nobody's word");
        let profit = [9, 5, 9].map(U256::from);
        let harvest = IVault::Harvested { profit: profit[0], toCredits: profit[1], highWater: profit[2], split: 0 };
        let changes = Changes::of(&[log(&fed), log(&harvest)]);
        assert_eq!((changes.funded.micros(), changes.earned.micros()), (1_000_003, 5), "M-046, M-047");
    }

    /// V-003, V-014: what the owner puts in and takes out of the capital, and what a harvest takes, to the last unit.
    #[test]
    fn v_014_what_reached_the_capital_is_no_profit() {
        let high = U256::ZERO;
        let funded = IVault::CapitalFunded { from: Address::ZERO, amount: U256::from(1_000_003), highWater: high };
        let taken = IVault::CapitalWithdrawn { to: Address::ZERO, amount: U256::from(400_001), highWater: high };
        let (profit, to_credits) = (U256::from(90), U256::from(50));
        let harvest = IVault::Harvested { profit, toCredits: to_credits, highWater: high, split: 0 };
        assert_eq!(Changes::of(&[log(&funded), log(&taken), log(&harvest)]).capital, 599_952);
    }

    /// S-062, V-010: what only an owner can do is his word; what anybody can give is the giver's.
    #[test]
    fn v_003_an_owners_doing_is_told_from_a_strangers() {
        let guardian = IVault::GuardianSet { guardian: Address::repeat_byte(1) };
        assert!(Changes::of(&[log(&guardian)]).is_owners);
        let fed = IVault::ToppedUp { from: Address::repeat_byte(2), amount: U256::from(1), split: 0 };
        let changes = Changes::of(&[log(&fed)]);
        assert!(!changes.is_owners && changes.givers == [Address::repeat_byte(2)]);
    }
}
