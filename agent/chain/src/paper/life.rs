//! L-025, T-001 to T-004. Beats and the death of a pretended vault, as `LineageRegistry.sol` and `VaultDeath.sol` have them.

use alloy::primitives::{Address, B256, U256};

use super::vault::{Done, HOST, KEY, LEGACY, OWNER, Pulse, Turn, refuse};
use crate::bindings::{ILineageRegistry, IVault};
use crate::owner::Policy;
use crate::sight::{DEAD, DYING};

/// T-002. `STARVED`.
const STARVED: u64 = 100_000;
const MAX_REASON: usize = 256;
/// `contracts/types/Life.sol`, Cause.
const ECONOMIC: u8 = 1;
const STOCHASTIC: u8 = 3;
const CAUSES: [&str; 6] = ["", "economic", "epistemic_senescence", "stochastic", "owner_kill", "kill_switch"];

impl Turn<'_> {
    /// L-025.
    pub(super) fn beat(&mut self, said: &ILineageRegistry::beatCall) -> Done {
        self.alive()?;
        let last = self.vault.pulse;
        if said.tick <= last.tick {
            return refuse(ILineageRegistry::TickNotAfter { tick: U256::from(said.tick), last: U256::from(last.tick) });
        }
        let latest = self.latest_tick();
        if said.tick > latest {
            return refuse(ILineageRegistry::TickTooFar { tick: U256::from(said.tick), latest: U256::from(latest) });
        }
        self.vault.pulse = Pulse {
            tick: said.tick,
            phase: said.phase,
            vitality: said.vitality,
            beat_at: self.now(),
            beat_block: self.world.at.number,
            stride: said.rollStride,
        };
        let told = ILineageRegistry::Beaten {
            agentId: self.world.place.agent,
            tick: U256::from(said.tick),
            phase: said.phase,
            vitality: U256::from(said.vitality),
            outcomeRoot: said.outcomeRoot,
            outcomes: U256::from(said.outcomes),
            rolls: said.rolls.clone(),
            rollStride: U256::from(said.rollStride),
        };
        self.emit_at(self.world.place.deployment.lineage, &told);
        Ok(())
    }

    fn latest_tick(&self) -> u64 {
        let pulse = &self.vault.pulse;
        pulse.tick.saturating_add(self.now().saturating_sub(pulse.beat_at)).saturating_add(1)
    }

    pub(super) fn die_economic(&mut self) -> Done {
        let spendable = self.vault.spendable();
        if spendable > STARVED {
            return refuse(IVault::NotStarved { spendable: U256::from(spendable), floor: U256::from(STARVED) });
        }
        self.begin_dying(ECONOMIC, "")
    }

    /// T-002. The roll itself is of a name that no chain knows; its bounds hold all the same.
    pub(super) fn die_stochastic(&mut self, said: &IVault::dieStochasticCall) -> Done {
        let max = Policy::default().hazard_max;
        if said.hazard > max {
            return refuse(IVault::HazardTooHigh { hazard: U256::from(said.hazard), max: U256::from(max) });
        }
        if said.roll >= said.hazard {
            return refuse(IVault::RollSurvived { roll: U256::from(said.roll), hazard: U256::from(said.hazard) });
        }
        self.begin_dying(STOCHASTIC, "")
    }

    pub(super) fn begin_dying(&mut self, cause: u8, reason: &str) -> Done {
        self.alive()?;
        if reason.len() > MAX_REASON {
            let (length, max) = (U256::from(reason.len()), U256::from(MAX_REASON));
            return refuse(IVault::ReasonTooLong { length, max });
        }
        let deadline = self.now().saturating_add(u64::from(Policy::default().grace));
        (self.vault.life, self.vault.cause, self.vault.deadline) = (DYING, cause, deadline);
        let (deadline, reason) = (U256::from(deadline), reason.to_owned());
        let began = ILineageRegistry::DyingBegan {
            agentId: self.world.place.agent,
            cause,
            by: KEY,
            deadline,
            reason: reason.clone(),
        };
        self.emit_at(self.world.place.deployment.lineage, &began);
        self.emit(&IVault::DeathBegan { cause: cause_name(cause), by: KEY, deadline, reason });
        Ok(())
    }

    pub(super) fn spend_dying(&mut self, payee: Address, amount: u64) -> Done {
        self.lives(DYING)?;
        if amount == 0 {
            return refuse(IVault::ZeroAmount {});
        }
        if payee != HOST {
            return refuse(IVault::NotListed { subject: payee, r#use: 15 });
        }
        let (legacy, reserve) = (self.vault.credits[usize::from(LEGACY)], self.vault.reserve);
        let spent = self.vault.spent_dying;
        let has = legacy.saturating_add(reserve).saturating_add(spent);
        let budget = Policy::default().death_budget.micros().min(has);
        let after = spent.saturating_add(amount);
        if after > budget {
            return refuse(IVault::DeathBudgetExceeded { spentAfter: U256::from(after), budget: U256::from(budget) });
        }
        let from_legacy = legacy.min(amount);
        self.vault.credits[usize::from(LEGACY)] -= from_legacy;
        self.vault.reserve -= amount - from_legacy;
        self.vault.spent_dying = after;
        self.vault.host_paid = self.vault.host_paid.saturating_add(amount);
        let [legacy, reserve, all] = [from_legacy, amount - from_legacy, after].map(U256::from);
        self.emit(&IVault::SpentDying { payee, fromLegacy: legacy, fromReserve: reserve, spentInDying: all });
        self.pay(payee, amount);
        Ok(())
    }

    /// T-004. The books are closed, and everything would be the owner's.
    pub(super) fn settle(&mut self, said: &IVault::settleCall) -> Done {
        self.lives(DYING)?;
        let (place, agent) = (self.world.place, self.world.place.agent);
        self.vault.life = DEAD;
        let ticks = said.testament.ticksLived.min(self.latest_tick()).max(self.vault.pulse.tick);
        self.vault.pulse.tick = ticks;
        let (cause, hash): (u8, B256) = (self.vault.cause, said.testament.hash);
        let died = ILineageRegistry::Died {
            agentId: agent,
            owner: OWNER,
            cause,
            generation: U256::ZERO,
            ticksLived: U256::from(ticks),
            testamentHash: hash,
        };
        self.emit_at(place.deployment.lineage, &died);
        let credits = self.vault.credits.iter().fold(0u64, |sum, part| sum.saturating_add(*part));
        let [credits, reserve, capital] = [credits, self.vault.reserve, self.vault.capital].map(U256::from);
        (self.vault.credits, self.vault.reserve) = ([0; 4], 0);
        (self.vault.capital, self.vault.high_water, self.vault.deployed) = (0, 0, 0);
        self.emit(&IVault::BooksClosed { credits, reserve, capital });
        self.emit(&IVault::DeathEnded { cause: cause_name(cause), owner: OWNER, testamentHash: hash });
        self.sweep();
        Ok(())
    }

    /// T-005. USDC, then every token and every position in kind, last of each list first.
    fn sweep(&mut self) {
        let place = self.world.place;
        let swept = |asset, id: u64, amount: u128| IVault::Swept {
            asset,
            owner: OWNER,
            id: U256::from(id),
            amount: U256::from(amount),
        };
        if self.vault.usdc > 0 {
            self.emit(&swept(place.deployment.usdc, 0, u128::from(self.vault.usdc)));
            self.vault.usdc = 0;
        }
        for line in std::mem::take(&mut self.vault.lines).into_iter().rev() {
            if line.held > 0 {
                self.emit(&swept(line.token, 0, line.held));
            } else {
                // L-024: a line that leaves the list is named, also when nothing was found.
                let (asset, id, amount) = (line.token, U256::ZERO, U256::ZERO);
                self.emit(&IVault::Stranded { asset, owner: OWNER, id, amount });
            }
        }
        for position in std::mem::take(&mut self.vault.positions).into_iter().rev() {
            self.emit(&swept(place.deployment.position_manager, position.id, 1));
        }
    }
}

fn cause_name(cause: u8) -> String {
    CAUSES.get(usize::from(cause)).copied().unwrap_or_default().to_owned()
}
