//! V-003, V-006, V-007, V-009, V-014, V-017. What a pretended vault spends, moves and harvests, as `Vault.sol` has it.

use alloy::primitives::{Address, U256};

use super::vault::{Done, HOST, KEY, LEGACY, OWNER, Turn, refuse, reserve_up, share_of};
use crate::bindings::IVault;
use crate::inflows::cut;
use crate::owner::Policy;

/// V-005. `MIN_TOP_UP`.
const MIN_TOP_UP: u64 = 1_000_000;

impl Turn<'_> {
    /// V-006. Takes from a partition under the caps of the call and of the day; answers what the day still allows.
    pub(super) fn debit(&mut self, partition: u8, amount: u64) -> Done<u64> {
        let call_cap = Policy::default().call_cap.micros();
        if amount == 0 {
            return refuse(IVault::ZeroAmount {});
        }
        if partition >= LEGACY {
            return refuse(IVault::LegacyProtected {});
        }
        if amount > call_cap {
            return refuse(IVault::CallCapExceeded { amount: U256::from(amount), cap: U256::from(call_cap) });
        }
        let place = usize::from(partition);
        let balance = self.vault.credits[place];
        if amount > balance {
            let (amount, balance) = (U256::from(amount), U256::from(balance));
            return refuse(IVault::PartitionExceeded { partition, amount, balance });
        }
        let now = self.now();
        self.vault.begin_day(now);
        let (cap, taken) = self.vault.day_cap(place, now);
        let after = taken.saturating_add(amount);
        if after > cap {
            return refuse(IVault::DayCapExceeded { partition, spentAfter: U256::from(after), cap: U256::from(cap) });
        }
        self.vault.spent[place] = after;
        self.vault.credits[place] = balance - amount;
        Ok(cap - after)
    }

    pub(super) fn spend(&mut self, partition: u8, payee: Address, amount: u64) -> Done {
        self.alive()?;
        if payee != HOST {
            return refuse(IVault::NotListed { subject: payee, r#use: 1u8.checked_shl(partition.into()).unwrap_or(0) });
        }
        let left = self.debit(partition, amount)?;
        self.vault.host_paid = self.vault.host_paid.saturating_add(amount);
        self.emit(&IVault::Spent { partition, payee, amount: U256::from(amount), left: U256::from(left) });
        self.pay(payee, amount);
        Ok(())
    }

    pub(super) fn rebalance(&mut self, from: u8, to: u8, amount: u64) -> Done {
        self.alive()?;
        if amount == 0 {
            return refuse(IVault::ZeroAmount {});
        }
        if from == to {
            return refuse(IVault::SamePartition { partition: from });
        }
        if from >= LEGACY || to >= LEGACY {
            return refuse(IVault::LegacyProtected {});
        }
        let now = self.now();
        let allowed = self.vault.rebalanced_at.saturating_add(u64::from(Policy::default().rebalance_cooldown));
        if now < allowed {
            return refuse(IVault::RebalanceTooSoon { time: U256::from(now), allowedAt: U256::from(allowed) });
        }
        let donor = self.vault.credits[usize::from(from)];
        if amount > donor / 2 {
            return refuse(IVault::RebalanceTooLarge { amount: U256::from(amount), max: U256::from(donor / 2) });
        }
        self.vault.begin_day(now);
        self.vault.credits[usize::from(from)] -= amount;
        self.vault.credits[usize::from(to)] += amount;
        self.vault.rebalanced_at = now;
        self.emit(&IVault::Rebalanced { from, to, amount: U256::from(amount) });
        Ok(())
    }

    pub(super) fn resplit(&mut self, wanted: u8) -> Done {
        let (current, phase) = (self.vault.split, self.vault.pulse.phase);
        // V-009. Back to the birth's split goes the owner alone, and on paper he has no hand.
        if wanted == 0 {
            return refuse(IVault::NotOwner { caller: KEY, owner: OWNER });
        }
        self.alive()?;
        let needed = if wanted == 1 { 3 } else { 4 };
        if wanted <= current || phase < needed {
            return refuse(IVault::ResplitRefused { current, wanted, phase });
        }
        self.vault.begin_day(self.world.now());
        let all = self.vault.credits.iter().fold(0u64, |sum, part| sum.saturating_add(*part));
        self.vault.credits = cut(U256::from(all), wanted);
        self.vault.split = wanted;
        let [llm, gas, data, legacy] = self.vault.credits;
        self.emit(&IVault::Resplit { split: wanted, credits: IVault::Ledger { llm, gas, data, legacy } });
        Ok(())
    }

    pub(super) fn raise_reserve(&mut self, from: u8, amount: u64) -> Done {
        self.alive()?;
        if amount == 0 {
            return refuse(IVault::ZeroAmount {});
        }
        if from >= LEGACY {
            return refuse(IVault::LegacyProtected {});
        }
        let place = usize::from(from);
        let balance = self.vault.credits[place];
        if amount > balance {
            let (amount, balance) = (U256::from(amount), U256::from(balance));
            return refuse(IVault::PartitionExceeded { partition: from, amount, balance });
        }
        let reserve = self.vault.reserve.saturating_add(amount);
        let all = self.vault.credits.iter().fold(self.vault.reserve, |sum, part| sum.saturating_add(*part));
        let due = reserve_up(all, self.vault.to_settle());
        if reserve > due {
            return refuse(IVault::ReserveBeyondDue { reserveAfter: U256::from(reserve), due: U256::from(due) });
        }
        self.vault.begin_day(self.world.now());
        self.vault.credits[place] = balance - amount;
        self.vault.reserve = reserve;
        self.emit(&IVault::ReserveRaised { from, amount: U256::from(amount), reserve: U256::from(reserve) });
        Ok(())
    }

    pub(super) fn harvest(&mut self) -> Done {
        self.alive()?;
        let (capital, high_water) = (self.vault.capital, self.vault.high_water);
        let profit = capital.saturating_sub(high_water);
        let to_credits = share_of(profit, Policy::default().harvest_bps);
        if to_credits == 0 {
            return refuse(IVault::NoProfit { capital: U256::from(capital), highWater: U256::from(high_water) });
        }
        self.vault.capital = capital - to_credits;
        self.vault.high_water = self.vault.capital;
        self.vault.credit(to_credits, self.world.now());
        let (profit, split) = (U256::from(profit), self.vault.split);
        let high_water = U256::from(self.vault.high_water);
        self.emit(&IVault::Harvested { profit, toCredits: U256::from(to_credits), highWater: high_water, split });
        Ok(())
    }

    pub(super) fn sync(&mut self) -> Done {
        self.alive()?;
        let amount = self.vault.usdc.saturating_sub(self.vault.accounted());
        if amount < MIN_TOP_UP {
            return refuse(IVault::BelowMinimum { amount: U256::from(amount), minimum: U256::from(MIN_TOP_UP) });
        }
        self.vault.credit(amount, self.world.now());
        let split = self.vault.split;
        self.emit(&IVault::ToppedUp { from: Address::ZERO, amount: U256::from(amount), split });
        Ok(())
    }
}
