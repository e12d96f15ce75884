//! A vault's books and rules, rebuilt from its own logs (L-024).

use std::collections::BTreeMap;

use alloy::primitives::{Address, U256};
use golem_primitives::{Usdc, UtcTime};
use serde::{Deserialize, Serialize};

use super::scan::Entry;
use crate::bindings::vault::IVault;
use crate::inflows::cut;
use crate::owner::Policy;
use crate::price::usdc;

/// Everything a vault's views would say, but for the day's counters.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Till {
    /// To whom key, guardian and lists are bound.
    pub bound_owner: Address,
    /// Who may trip the kill switch; zero for nobody.
    pub guardian: Address,
    pub epoch: u64,
    /// Until when it sleeps, or slept last.
    pub hibernated_until: Option<UtcTime>,
    /// V-018. Until when the owner gave up to take anything out or to change policy and lists; `None` if he never did.
    pub locked_until: Option<UtcTime>,
    pub policy: Policy,
    pub llm: Usdc,
    pub gas: Usdc,
    pub data: Usdc,
    pub legacy: Usdc,
    /// 0 birth, 1 declining, 2 terminal.
    pub split: u8,
    pub reserve: Usdc,
    /// USDC the strategy may trade.
    pub capital: Usdc,
    /// Capital above which profit is realised.
    pub high_water: Usdc,
    /// Cost of what is held in tokens and positions.
    pub deployed: Usdc,
    pub spent_dying: Usdc,
    pub listed: BTreeMap<Address, (u8, Address)>,
    /// Tokens held, with their cost.
    pub holdings: BTreeMap<Address, Usdc>,
    /// Positions held, with their cost.
    pub positions: BTreeMap<U256, Usdc>,
    /// What waits for the owner's claim: asset, NFT id (zero for coins).
    pub stranded: Vec<(Address, U256)>,
}

impl Till {
    /// Partitions, reserve and USDC capital together.
    #[must_use]
    pub fn accounted(&self) -> Usdc {
        [self.gas, self.data, self.legacy, self.reserve, self.capital]
            .into_iter()
            .fold(self.llm, |sum, part| sum.saturating_add(part))
    }

    /// Takes one log of the vault over. Returns whether it was understood.
    pub(super) fn absorb(&mut self, entry: &Entry) -> bool {
        use IVault::IVaultEvents as Event;
        let Ok(event) = <Event as alloy::sol_types::SolEventInterface>::decode_raw_log(&entry.topics, &entry.data)
        else {
            return false;
        };
        match event {
            Event::Initialised(event) => self.begin(&event),
            Event::PolicySet(event) => self.policy = event.policy.into(),
            Event::ListingSet(event) => {
                let line = (event.uses, if event.uses == 0 { Address::ZERO } else { event.pricedBy });
                self.listed.insert(event.subject, line);
            }
            Event::GuardianSet(event) => self.guardian = event.guardian,
            Event::Accepted(event) => self.accept(&event),
            Event::HibernationBegan(event) => {
                self.hibernated_until = Some(UtcTime::from_seconds(event.until.saturating_to()));
            }
            Event::Woken(_) => self.hibernated_until = self.hibernated_until.map(|until| until.min(entry.time)),
            Event::ToppedUp(event) => self.credit(event.amount, event.split),
            Event::Spent(event) => self.debit(event.partition, event.amount),
            Event::Refuelled(event) => self.debit(1, event.amountIn),
            Event::Rebalanced(event) => {
                self.debit(event.from, event.amount);
                let to = self.partition(event.to);
                *to = to.saturating_add(usdc(event.amount));
            }
            Event::Resplit(event) => {
                self.split = event.split;
                self.llm = Usdc::from_micros(event.credits.llm);
                self.gas = Usdc::from_micros(event.credits.gas);
                self.data = Usdc::from_micros(event.credits.data);
                self.legacy = Usdc::from_micros(event.credits.legacy);
            }
            Event::ReserveRaised(event) => {
                self.debit(event.from, event.amount);
                self.reserve = usdc(event.reserve);
            }
            Event::Harvested(event) => {
                self.capital = self.capital.saturating_sub(usdc(event.toCredits));
                self.high_water = usdc(event.highWater);
                self.credit(event.toCredits, event.split);
            }
            Event::CapitalFunded(event) => {
                self.capital = self.capital.saturating_add(usdc(event.amount));
                self.high_water = usdc(event.highWater);
            }
            Event::CapitalWithdrawn(event) => {
                self.capital = self.capital.saturating_sub(usdc(event.amount));
                self.high_water = usdc(event.highWater);
            }
            Event::Swapped(event) => self.trade(event.capital, event.deployed),
            Event::LiquidityAdded(event) => self.trade(event.capital, event.deployed),
            Event::LiquidityRemoved(event) => {
                self.trade(event.capital, event.deployed);
                if event.closed {
                    self.positions.remove(&event.tokenId);
                }
            }
            Event::Booked(event) if event.token.is_zero() => {
                self.positions.insert(event.id, usdc(event.book));
            }
            Event::Booked(event) => drop(self.holdings.insert(event.token, usdc(event.book))),
            Event::Pruned(event) => drop(self.holdings.remove(&event.token)),
            Event::SpentDying(event) => {
                self.legacy = self.legacy.saturating_sub(usdc(event.fromLegacy));
                self.reserve = self.reserve.saturating_sub(usdc(event.fromReserve));
                self.spent_dying = usdc(event.spentInDying);
            }
            Event::BooksClosed(_) => self.close(),
            Event::Swept(event) => self.leave(event.asset, event.id),
            Event::Stranded(event) => {
                self.leave(event.asset, event.id);
                self.stranded.push((event.asset, event.id));
            }
            Event::Claimed(event) => self.stranded.retain(|line| *line != (event.asset, event.id)),
            Event::LockSet(event) => self.locked_until = Some(UtcTime::from_seconds(event.until.saturating_to())),
            Event::RollRecorded(_) | Event::SweepPaused(_) | Event::DeathBegan(_) | Event::DeathEnded(_) => {}
        }
        true
    }

    fn begin(&mut self, event: &IVault::Initialised) {
        self.bound_owner = event.boundOwner;
        self.guardian = event.guardian;
        self.reserve = usdc(event.reserve);
        self.capital = usdc(event.capital);
        self.high_water = self.capital;
        self.credit(event.credits.saturating_sub(event.reserve), 0);
    }

    fn accept(&mut self, event: &IVault::Accepted) {
        self.bound_owner = event.owner;
        self.guardian = event.guardian;
        // L-006. The only way back to the template; a policy that was kept is the one that is known.
        if event.policy == Policy::hash_of(None) {
            self.policy = Policy::default();
        }
        let epoch = event.epoch.saturating_to();
        if epoch != self.epoch {
            self.epoch = epoch;
            self.listed.clear();
        }
    }

    /// V-004, V-009. The shares of a split; dust goes to `llm`.
    fn credit(&mut self, amount: U256, split: u8) {
        for (partition, part) in (0..).zip(cut(amount, split)) {
            let balance = self.partition(partition);
            *balance = balance.saturating_add(Usdc::from_micros(part));
        }
    }

    fn debit(&mut self, partition: u8, amount: U256) {
        let balance = self.partition(partition);
        *balance = balance.saturating_sub(usdc(amount));
    }

    const fn partition(&mut self, number: u8) -> &mut Usdc {
        match number {
            0 => &mut self.llm,
            1 => &mut self.gas,
            2 => &mut self.data,
            _ => &mut self.legacy,
        }
    }

    fn trade(&mut self, capital: U256, deployed: U256) {
        self.capital = usdc(capital);
        self.deployed = usdc(deployed);
    }

    fn close(&mut self) {
        for part in [&mut self.llm, &mut self.gas, &mut self.data, &mut self.legacy] {
            *part = Usdc::default();
        }
        for part in [&mut self.reserve, &mut self.capital, &mut self.high_water, &mut self.deployed] {
            *part = Usdc::default();
        }
    }

    fn leave(&mut self, asset: Address, id: U256) {
        self.holdings.remove(&asset);
        if !id.is_zero() {
            self.positions.remove(&id);
        }
    }
}
