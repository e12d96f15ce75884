//! A vault that is only pretended: the books of `contracts/Vault.sol`, moved by the same calls under the same bounds,
//! told in the same logs and refused in the same words.

use alloy::primitives::{Address, Bytes, U256, Uint, address};
use alloy::sol_types::{SolError, SolInterface};
use golem_primitives::{Usdc, UtcTime};
use serde::{Deserialize, Serialize};

use super::world::World;
use crate::bindings::lineage::ILineageRegistry::Pulse as ChainPulse;
use crate::bindings::{IErc20, ILineageRegistry, IVault};
use crate::inflows::cut;
use crate::node::{Call, Log, Revert, Tried};
use crate::owner::Policy;
use crate::price::{amounts_of, fees_of};
use crate::reading::{PoolReading, PositionState, Reading, TokenState, VaultState};
use crate::sight::ALIVE;

/// Who is who on paper. Nobody has these addresses, and nothing is ever sent to one; the owner has none at all.
pub(crate) const KEY: Address = address!("0x000000000000000000000000000000000000b0b1");
pub(crate) const OWNER: Address = Address::ZERO;
pub(crate) const HOST: Address = address!("0x000000000000000000000000000000000000b0b3");
pub(crate) const VAULT: Address = address!("0x000000000000000000000000000000000000b0b4");

const BPS: u64 = 10_000;
const DAY: u64 = 86_400;
/// `contracts/types/Money.sol`, PartitionId.
const LLM: u8 = 0;
pub(super) const GAS: u8 = 1;
pub(super) const LEGACY: u8 = 3;
/// M-037: the numbers of `PartitionLib.reserveUp`.
const RESERVE_FLOOR: u64 = 300_000;
const RESERVE_BPS: u64 = 200;
const SETTLEMENT_PER_POSITION: u64 = 20_000;
const SETTLEMENT_BASE: u64 = 220_000;
/// `contracts/types/Life.sol`, Cause.
const SENESCENT: u8 = 2;

/// What a call came to: nothing more to say, or the data of its revert.
pub(super) type Done<T = ()> = Result<T, Bytes>;

pub(super) fn refuse<T, E: SolError>(error: E) -> Done<T> {
    Err(error.abi_encode().into())
}

/// What the last beat left behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Pulse {
    pub(crate) tick: u64,
    pub(crate) phase: u8,
    pub(crate) vitality: u32,
    pub(crate) beat_at: u64,
    pub(crate) beat_block: u64,
    pub(crate) stride: u8,
}

/// V-011. What the day has traded and lost, and by which capital both are measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Traded {
    pub(super) volume: u64,
    pub(super) loss: u64,
    pub(super) basis: u64,
    pub(super) day: u64,
    pub(super) last_at: u64,
}

/// What a look showed of the fees between two ticks of the pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Seen {
    pub(super) tick: i32,
    /// Growth in all, of the pool's first and second token.
    pub(super) global: [U256; 2],
    /// Growth between the two ticks, where the pool itself counts it: both are ends of somebody's liquidity.
    pub(super) inside: Option<[U256; 2]>,
}

/// V-015. What the vault has of a token: a line that stays, as nobody prunes it on paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Line {
    pub(super) token: Address,
    /// What the token's own books would say.
    pub(super) held: u128,
    pub(super) book: u64,
    /// Positions that may pay out in it.
    pub(super) positions: u64,
}

/// A liquidity position that nobody minted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Position {
    pub(super) id: u64,
    /// P-057. Where it lies.
    pub(super) pool: Address,
    pub(super) book: u64,
    pub(super) lower: i32,
    pub(super) upper: i32,
    pub(super) liquidity: u128,
    /// What a unit of it has earned since it was last touched, of the pool's first and second token.
    pub(super) growth: [U256; 2],
    pub(super) seen: Seen,
}

impl Position {
    /// Takes in what the pool's own counters grew by since the last look. Between ticks that the pool does not count at,
    /// what it grew in all counts while its price lay between them at both looks. The pool shares its fees among the
    /// liquidity it has; with this one there would be more to share among.
    fn accrue(&mut self, now: Seen, others: u128) {
        let holds = |seen: &Seen| (self.lower..self.upper).contains(&seen.tick);
        let before = match (self.seen.inside, now.inside) {
            (Some(before), Some(after)) => Some((before, after)),
            _ if holds(&self.seen) && holds(&now) => Some((self.seen.global, now.global)),
            _ => None,
        };
        if let Some((before, after)) = before {
            for (token, growth) in self.growth.iter_mut().enumerate() {
                let grown = after[token].wrapping_sub(before[token]);
                // A reorganisation took fees back: the count stands lower than it stood.
                if !grown.bit(255) {
                    *growth = growth.saturating_add(shared(grown, others, self.liquidity));
                }
            }
        }
        self.seen = now;
    }

    pub(super) fn fees(&self) -> (u128, u128) {
        (fees_of(self.growth[0], self.liquidity), fees_of(self.growth[1], self.liquidity))
    }
}

/// The part of a growth that is left when one more shares it.
fn shared(growth: U256, others: u128, own: u128) -> U256 {
    type Wide = Uint<512, 8>;
    let (others, own) = (Wide::from(others), Wide::from(own));
    let all = others + own;
    if all.is_zero() { U256::ZERO } else { U256::saturating_from(Wide::from(growth) * others / all) }
}

/// The pretended vault, its registry's line and its key's purse. Amounts in the smallest units, times in seconds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PretendedVault {
    pub(crate) life: u8,
    pub(crate) cause: u8,
    pub(crate) deadline: u64,
    pub(crate) pulse: Pulse,
    /// llm, gas, data, legacy.
    pub(crate) credits: [u64; 4],
    pub(super) spent: [u64; 3],
    pub(super) spent_day: u64,
    pub(super) day_start: [u64; 4],
    pub(super) split: u8,
    pub(super) rebalanced_at: u64,
    pub(crate) reserve: u64,
    pub(crate) capital: u64,
    pub(super) high_water: u64,
    pub(crate) deployed: u64,
    /// What USDC's own books would say: the books above are held against it (V-030).
    pub(super) usdc: u64,
    /// P-057. The tokens that it ever held, in the order in which it first did. There are no more of them than pools, so the
    /// list of a real vault would never be full.
    pub(super) lines: Vec<Line>,
    pub(super) positions: Vec<Position>,
    pub(super) next_id: u64,
    pub(super) traded: Traded,
    pub(super) minute_volume: u64,
    pub(super) spent_dying: u64,
    pub(super) lost_closing: u64,
    pub(super) closing_basis: u64,
    pub(crate) key_wei: u128,
    pub(crate) gas_wei: u128,
    pub(crate) host_paid: u64,
}

/// V-004. max(0.30, 2 %, what settling so many things takes), rounded up.
pub(super) fn reserve_up(credits: u64, lines: u64) -> u64 {
    let share = u64::try_from((u128::from(credits) * u128::from(RESERVE_BPS)).div_ceil(u128::from(BPS)));
    let settlement = SETTLEMENT_PER_POSITION.saturating_mul(lines).saturating_add(SETTLEMENT_BASE);
    RESERVE_FLOOR.max(share.unwrap_or(u64::MAX)).max(settlement)
}

pub(super) fn share_of(amount: u64, bps: u16) -> u64 {
    u64::try_from(u128::from(amount) * u128::from(bps) / u128::from(BPS)).unwrap_or(u64::MAX)
}

pub(super) fn micros(amount: U256) -> u64 {
    amount.saturating_to()
}

impl PretendedVault {
    /// V-004. As a birth splits what it is given.
    pub(crate) fn born(credits: Usdc, capital: Usdc, key_wei: u128, block: u64, time: UtcTime) -> Self {
        let (credits, capital) = (credits.micros(), capital.micros());
        let reserve = reserve_up(credits, 0).min(credits);
        Self {
            life: ALIVE,
            cause: 0,
            deadline: 0,
            pulse: Pulse { tick: 0, phase: 0, vitality: 0, beat_at: time.seconds(), beat_block: block, stride: 0 },
            credits: cut(U256::from(credits - reserve), 0),
            spent: [0; 3],
            spent_day: 0,
            day_start: [0; 4],
            split: 0,
            rebalanced_at: 0,
            reserve,
            capital,
            high_water: capital,
            deployed: 0,
            usdc: credits.saturating_add(capital),
            lines: Vec::new(),
            positions: Vec::new(),
            next_id: 1,
            traded: Traded::default(),
            minute_volume: 0,
            spent_dying: 0,
            lost_closing: 0,
            closing_basis: 0,
            key_wei,
            gas_wei: 0,
            host_paid: 0,
        }
    }

    /// V-003. All that is accounted for.
    pub(super) fn accounted(&self) -> u64 {
        self.credits.iter().fold(self.reserve.saturating_add(self.capital), |sum, part| sum.saturating_add(*part))
    }

    /// What it has of a token, where it ever held any.
    pub(super) fn line(&self, token: Address) -> Option<&Line> {
        self.lines.iter().find(|line| line.token == token)
    }

    pub(super) fn held(&self, token: Address) -> u128 {
        self.line(token).map_or(0, |line| line.held)
    }

    /// V-015. The line of a token, a new one where there is none.
    pub(super) fn open_line(&mut self, token: Address) -> &mut Line {
        let place = self.lines.iter().position(|line| line.token == token).unwrap_or_else(|| {
            self.lines.push(Line { token, held: 0, book: 0, positions: 0 });
            self.lines.len() - 1
        });
        &mut self.lines[place]
    }

    /// V-004. Things that a death settles.
    pub(super) fn to_settle(&self) -> u64 {
        (self.lines.len() + self.positions.len()) as u64
    }

    /// Takes in what the counters of each position's pool say of the fees since the last look.
    pub(super) fn accrue(&mut self, world: &World<'_>) {
        for position in &mut self.positions {
            if let Some(venue) = world.venue(position.pool) {
                position.accrue(venue.seen(position.lower, position.upper), venue.now.liquidity);
            }
        }
    }

    /// Everything a Golem knows of its place, as it is read of a real one.
    pub(super) fn reading(&self, world: &World<'_>) -> Reading {
        let positions = self.positions.iter().filter_map(|position| {
            let venue = world.venue(position.pool)?;
            let quote = venue.pool.quote;
            let (in0, in1) = amounts_of(position.liquidity, venue.now.root, position.lower, position.upper);
            let (fees0, fees1) = position.fees();
            Some(PositionState {
                id: position.id,
                pool: venue.pool.name,
                book: position.book,
                lower: position.lower,
                upper: position.upper,
                liquidity: position.liquidity,
                amounts: quote.ordered(in0.saturating_add(fees0), in1.saturating_add(fees1)),
                fees: quote.ordered(fees0, fees1),
            })
        });
        let tokens = world.place.tokens().into_iter().map(|token| TokenState {
            held: U256::from(self.held(token)),
            cost: self.line(token).map_or(0, |line| line.book),
        });
        let mut tokens: Vec<TokenState> = tokens.collect();
        let TokenState { held, cost: held_cost } = tokens.remove(0);
        let [llm, gas, data, legacy] = self.credits;
        let [llm_left, gas_left, data_left] = self.left_today(world.now());
        let accounted = self.accounted();
        let vault = VaultState {
            key: KEY,
            life: self.life,
            cause: self.cause,
            deadline: U256::from(self.deadline),
            pulse: ChainPulse {
                tick: Uint::saturating_from(self.pulse.tick),
                phase: self.pulse.phase,
                vitality: Uint::saturating_from(self.pulse.vitality),
                beatAt: Uint::saturating_from(self.pulse.beat_at),
                beatBlock: u32::try_from(self.pulse.beat_block).unwrap_or(u32::MAX),
                rollStride: self.pulse.stride,
                noticeAt: Uint::ZERO,
                diedAt: Uint::ZERO,
                predecessor: Uint::ZERO,
            },
            owner: Some(OWNER),
            bound: OWNER,
            hibernated_until: U256::ZERO,
            policy: IVault::Policy::from(&Policy::default()),
            credits: IVault::Ledger { llm, gas, data, legacy },
            left_today: IVault::Ledger { llm: llm_left, gas: gas_left, data: data_left, legacy: 0 },
            books: IVault::Books {
                reserve: self.reserve,
                capital: self.capital,
                highWater: self.high_water,
                deployed: self.deployed,
            },
            basis: self.traded_today(world.now()).basis,
            traded_at: u32::try_from(self.traded.last_at).unwrap_or(u32::MAX),
            accounted: U256::from(accounted),
            unallocated: U256::from(self.usdc.saturating_sub(accounted)),
            usdc: U256::from(self.usdc),
            held,
            held_cost,
            others: tokens,
            allowances: U256::ZERO,
            key_wei: U256::from(self.key_wei),
            positions: positions.collect(),
        };
        let mut pools: Vec<PoolReading> = world.venues.iter().map(|venue| venue.now).collect();
        // All that it began with: no owner takes one from its lists.
        let listed = vec![true; pools.len()];
        let pool = pools.remove(0);
        Reading { at: world.at, pool, elsewhere: pools, listed, native: world.native, vault }
    }

    /// Carries out a call of the key as the contracts would: the logs, or the revert, and then nothing has changed.
    pub(super) fn execute(&mut self, call: &Call, world: &World<'_>) -> Tried<Vec<Log>> {
        let mut turn = Turn { vault: self.clone(), world, logs: Vec::new() };
        match turn.perform(call) {
            Ok(()) => {
                *self = turn.vault;
                Ok(turn.logs)
            }
            Err(data) => Err(Revert { data, message: String::new() }),
        }
    }

    /// V-011. The first trade of a day fixes the capital that the day is measured by.
    pub(super) fn traded_today(&self, now: u64) -> Traded {
        let day = now / DAY;
        if self.traded.day == day {
            return self.traded;
        }
        let basis = self.capital.saturating_add(self.deployed);
        Traded { volume: 0, loss: 0, basis, day, last_at: self.traded.last_at }
    }

    pub(super) fn day_cap(&self, partition: usize, now: u64) -> (u64, u64) {
        let policy = Policy::default();
        let bps = [policy.llm_day_bps, policy.gas_day_bps, policy.data_day_bps][partition];
        let begun = self.spent_day == now / DAY;
        let start = if begun { self.day_start[partition] } else { self.credits[partition] };
        let taken = if begun { self.spent[partition] } else { 0 };
        let untouched = self.credits[partition].saturating_add(taken);
        (share_of(start, bps).max(untouched.min(policy.day_floor.micros())), taken)
    }

    fn left_today(&self, now: u64) -> [u64; 3] {
        [0, 1, 2].map(|partition| {
            let (cap, taken) = self.day_cap(partition, now);
            self.credits[partition].min(cap.saturating_sub(taken))
        })
    }

    pub(super) const fn has_begun_day(&self, now: u64) -> bool {
        self.spent_day == now / DAY
    }

    pub(super) fn begin_day(&mut self, now: u64) {
        let day = now / DAY;
        if self.spent_day != day {
            (self.spent_day, self.spent, self.day_start) = (day, [0; 3], self.credits);
        }
    }

    pub(super) fn credit(&mut self, amount: u64, now: u64) {
        self.begin_day(now);
        for (part, more) in self.credits.iter_mut().zip(cut(U256::from(amount), self.split)) {
            *part = part.saturating_add(more);
        }
    }

    pub(super) fn spendable(&self) -> u64 {
        self.credits[..3].iter().fold(0, |sum, part| sum.saturating_add(*part))
    }
}

/// One call on its way through the vault.
pub(super) struct Turn<'a> {
    pub(super) vault: PretendedVault,
    pub(super) world: &'a World<'a>,
    pub(super) logs: Vec<Log>,
}

impl Turn<'_> {
    fn perform(&mut self, call: &Call) -> Done {
        use ILineageRegistry::ILineageRegistryCalls as OfRegistry;
        use IVault::IVaultCalls as OfVault;
        if call.to == self.world.place.deployment.lineage {
            return match OfRegistry::abi_decode(&call.data) {
                Ok(OfRegistry::beat(beat)) => self.beat(&beat),
                _ => Err(Bytes::new()),
            };
        }
        match OfVault::abi_decode(&call.data) {
            Ok(OfVault::swap(called)) => self.swap(&called.order),
            Ok(OfVault::refuel(called)) => self.refuel(&called),
            Ok(OfVault::mintPosition(called)) => self.mint(&called.order),
            Ok(OfVault::decreasePosition(called)) => self.decrease(&called),
            Ok(OfVault::spend(called)) => self.spend(called.partition, called.payee, micros(called.amount)),
            Ok(OfVault::rebalance(called)) => self.rebalance(called.from, called.to, micros(called.amount)),
            Ok(OfVault::resplit(called)) => self.resplit(called.wanted),
            Ok(OfVault::raiseReserve(called)) => self.raise_reserve(called.from, micros(called.amount)),
            Ok(OfVault::harvest(_)) => self.harvest(),
            Ok(OfVault::sync(_)) => self.sync(),
            Ok(OfVault::dieEconomic(_)) => self.die_economic(),
            Ok(OfVault::dieSenescent(called)) => self.begin_dying(SENESCENT, &called.evidence),
            Ok(OfVault::dieStochastic(called)) => self.die_stochastic(&called),
            Ok(OfVault::spendDying(called)) => self.spend_dying(called.payee, micros(called.amount)),
            Ok(OfVault::settle(called)) => self.settle(&called),
            _ => Err(Bytes::new()),
        }
    }

    pub(super) fn emit<E: alloy::sol_types::SolEvent>(&mut self, event: &E) {
        self.logs.push(Log::of(self.world.place.vault, event));
    }

    pub(super) fn emit_at<E: alloy::sol_types::SolEvent>(&mut self, address: Address, event: &E) {
        self.logs.push(Log::of(address, event));
    }

    /// USDC leaves.
    pub(super) fn pay(&mut self, to: Address, amount: u64) {
        self.vault.usdc = self.vault.usdc.saturating_sub(amount);
        let from = self.world.place.vault;
        self.emit_at(self.world.place.deployment.usdc, &IErc20::Transfer { from, to, value: U256::from(amount) });
    }

    /// USDC comes.
    pub(super) fn take(&mut self, from: Address, amount: u64) {
        self.vault.usdc = self.vault.usdc.saturating_add(amount);
        let to = self.world.place.vault;
        self.emit_at(self.world.place.deployment.usdc, &IErc20::Transfer { from, to, value: U256::from(amount) });
    }

    pub(super) fn now(&self) -> u64 {
        self.world.now()
    }

    pub(super) fn alive(&self) -> Done {
        self.lives(ALIVE)
    }

    pub(super) fn lives(&self, needed: u8) -> Done {
        let life = self.vault.life;
        if life == needed {
            return Ok(());
        }
        refuse(ILineageRegistry::WrongLife { agentId: self.world.place.agent, life, needed })
    }
}

/// The partitions by name, for whoever tells of them.
pub(crate) const PARTITIONS: [(&str, u8); 4] = [("llm", LLM), ("gas", GAS), ("data", 2), ("legacy", LEGACY)];
