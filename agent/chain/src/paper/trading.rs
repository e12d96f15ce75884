//! V-008, V-011, V-012, V-014, V-015. Swaps and liquidity of a pretended vault, as `VaultTrading.sol`, `VaultLiquidity.sol`
//! and `VaultCapital.sol` have them.

use alloy::primitives::{Address, Bytes, U256};
use alloy::sol_types::{Revert as SolidityRevert, SolError as _};

use super::vault::{Done, GAS, Line, Position, Turn, micros, refuse, share_of};
use super::world::{Trusted, Venue};
use crate::bindings::vault::{IVaultLiquidity, IVaultTrading};
use crate::bindings::{IErc20, IVault};
use crate::owner::Policy;
use crate::price::{MAX_TICK, amounts_of, amounts_taken, convert_down, deviation_bps_up, liquidity_for};
use crate::sight::DYING;

const BPS: u64 = 10_000;
const MINUTE: u64 = 60;
const MAX_POSITIONS: usize = 16;
const USE_POOL: u8 = 16;
/// Phase.Conservation, best first.
const CONSERVATION: u8 = 2;

/// On whose word a call trades. On paper an owner has no hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trader {
    Key,
    DyingKey,
}

/// Rounded up by one unit where a price is involved, so that no amount is too small to count.
fn value_up(amount: u128, tick: i32) -> u64 {
    let value = if amount == 0 || tick == 0 { amount } else { convert_down(amount, tick).saturating_add(1) };
    narrow(value)
}

fn narrow(value: u128) -> u64 {
    u64::try_from(value).unwrap_or(u64::MAX)
}

fn words<T>(reason: &str) -> Done<T> {
    Err(Bytes::from(SolidityRevert { reason: reason.to_owned() }.abi_encode()))
}

impl<'a> Turn<'a> {
    fn usdc(&self) -> Address {
        self.world.place.deployment.usdc
    }

    fn quote_of(&self, token: Address) -> Done<Trusted> {
        if token == self.usdc() { Ok(Trusted { low: 0, high: 0 }) } else { self.world.trusted(token) }
    }

    fn in_time(&self, deadline: U256) -> Done {
        let time = U256::from(self.now());
        if time > deadline { refuse(IVault::DeadlinePassed { deadline, time }) } else { Ok(()) }
    }

    /// P-057. A pool that is traded in.
    fn listed(&self, pool: Address) -> Done<&'a Venue<'a>> {
        self.world.venue(pool).map_or_else(|| refuse(IVault::NotListed { subject: pool, r#use: USE_POOL }), Ok)
    }

    /// Who may trade, and whether it may raise exposure.
    fn as_trader(&mut self, raises: bool) -> Done<Trader> {
        let traded = self.vault.traded_today(self.now());
        self.vault.traded = traded;
        if self.vault.life == DYING && !raises {
            if self.vault.closing_basis == 0 {
                self.vault.closing_basis = traded.basis;
            }
            return Ok(Trader::DyingKey);
        }
        self.alive()?;
        if raises {
            let phase = self.vault.pulse.phase;
            if phase >= CONSERVATION {
                return refuse(IVault::ExposureFrozen { phase });
            }
            let bound = share_of(traded.basis, Policy::default().day_loss_bps);
            if traded.loss != 0 && traded.loss >= bound {
                return refuse(IVault::DayLossReached { loss: U256::from(traded.loss), bound: U256::from(bound) });
            }
        }
        Ok(Trader::Key)
    }

    fn near(&self, value_in: u64, value_out: u64) -> Done {
        let kept = BPS - u64::from(Policy::default().slippage_bps);
        let minimum = narrow((u128::from(value_in) * u128::from(kept)).div_ceil(u128::from(BPS)));
        if value_out < minimum {
            let (value, minimum) = (U256::from(value_out), U256::from(minimum));
            return refuse(IVault::BelowTrustedPrice { valueOut: value, minimum });
        }
        Ok(())
    }

    /// Counts a trade against what its minute, its day or Dying may trade and lose.
    fn count_trade(&mut self, trader: Trader, value: u64, loss: u64) -> Done {
        let policy = Policy::default();
        let basis = if trader == Trader::Key { self.vault.traded.basis } else { self.vault.closing_basis };
        self.count_minute(value, share_of(basis, policy.trade_bps))?;
        if trader == Trader::Key {
            let volume = self.vault.traded.volume.saturating_add(value);
            let bound = share_of(basis, policy.day_trade_bps);
            if volume > bound {
                return refuse(IVault::DayVolumeExceeded { volumeAfter: U256::from(volume), bound: U256::from(bound) });
            }
            self.vault.traded.volume = volume;
            self.vault.traded.loss = self.vault.traded.loss.saturating_add(loss);
            return Ok(());
        }
        let lost = self.vault.lost_closing.saturating_add(loss);
        let bound = share_of(basis, policy.slippage_bps);
        if lost > bound {
            return refuse(IVault::DayLossReached { loss: U256::from(lost), bound: U256::from(bound) });
        }
        self.vault.lost_closing = lost;
        Ok(())
    }

    fn count_minute(&mut self, value: u64, bound: u64) -> Done {
        let now = self.now();
        let before = if now < self.vault.traded.last_at.saturating_add(MINUTE) { self.vault.minute_volume } else { 0 };
        let volume = before.saturating_add(value);
        if volume > bound {
            return refuse(IVault::TradeTooLarge { volumeAfter: U256::from(volume), bound: U256::from(bound) });
        }
        (self.vault.traded.last_at, self.vault.minute_volume) = (now, volume);
        Ok(())
    }

    /* BOOKS */

    fn balance(&self, token: Address) -> u128 {
        // The vault's USDC is mostly not capital.
        if token == self.usdc() { u128::from(self.vault.capital) } else { self.vault.held(token) }
    }

    /// Takes an amount out of the capital's books and answers what it cost.
    fn release(&mut self, token: Address, amount: u128, balance: u128) -> Done<u64> {
        if token == self.usdc() {
            if amount > u128::from(self.vault.capital) {
                return exceeded(token, amount, self.vault.capital.into());
            }
            self.vault.capital -= narrow(amount);
            return Ok(narrow(amount));
        }
        if amount == 0 {
            return Ok(0);
        }
        if amount > balance || self.vault.line(token).is_none() {
            return exceeded(token, amount, balance);
        }
        let line = self.vault.open_line(token);
        let cost = micros(U256::from(line.book) * U256::from(amount) / U256::from(balance.max(1)));
        line.book -= cost;
        self.vault.deployed = self.vault.deployed.saturating_sub(cost);
        self.booked_token(token);
        Ok(cost)
    }

    /// Adds to the capital's books: USDC at its worth, a token at `cost`.
    fn acquire(&mut self, token: Address, amount: u128, cost: u64) {
        if token == self.usdc() {
            self.vault.capital = self.vault.capital.saturating_add(narrow(amount));
            return;
        }
        let line = self.vault.open_line(token);
        line.book = line.book.saturating_add(cost);
        self.vault.deployed = self.vault.deployed.saturating_add(cost);
        self.booked_token(token);
    }

    /// V-015. The line of a token stays as long as a position may pay out in it.
    fn tie(&mut self, token: Address) {
        let line = self.vault.open_line(token);
        line.positions = line.positions.saturating_add(1);
        self.booked_token(token);
    }

    fn untie(&mut self, token: Address) {
        let line = self.vault.open_line(token);
        line.positions = line.positions.saturating_sub(1);
        self.booked_token(token);
    }

    fn booked_token(&mut self, token: Address) {
        let Line { book, positions, .. } = *self.vault.open_line(token);
        let (book, positions) = (U256::from(book), U256::from(positions));
        self.emit(&IVault::Booked { token, id: U256::ZERO, book, positions });
    }

    fn booked_position(&mut self, id: u64, book: u64) {
        let (id, book) = (U256::from(id), U256::from(book));
        self.emit(&IVault::Booked { token: Address::ZERO, id, book, positions: U256::ZERO });
    }

    fn send(&mut self, token: Address, to: Address, amount: u128) {
        if amount == 0 {
            return;
        }
        if token == self.usdc() {
            return self.pay(to, narrow(amount));
        }
        let line = self.vault.open_line(token);
        line.held = line.held.saturating_sub(amount);
        self.emit_at(token, &IErc20::Transfer { from: self.world.place.vault, to, value: U256::from(amount) });
    }

    fn receive(&mut self, token: Address, from: Address, amount: u128) {
        if amount == 0 {
            return;
        }
        if token == self.usdc() {
            return self.take(from, narrow(amount));
        }
        let line = self.vault.open_line(token);
        line.held = line.held.saturating_add(amount);
        self.emit_at(token, &IErc20::Transfer { from, to: self.world.place.vault, value: U256::from(amount) });
    }

    /* SWAPS */

    pub(super) fn swap(&mut self, order: &IVaultTrading::SwapOrder) -> Done {
        self.in_time(order.deadline)?;
        if order.amountIn.is_zero() {
            return refuse(IVault::ZeroAmount {});
        }
        if order.tokenIn == order.tokenOut {
            return refuse(IVault::SameToken { token: order.tokenIn });
        }
        let (sold, bought) = (order.tokenIn, order.tokenOut);
        let trader = self.as_trader(bought != self.usdc())?;
        let venue = self.listed(order.pool)?;
        let (dearest, cheapest) = (self.quote_of(sold)?.high, self.quote_of(bought)?.low);
        if [sold, bought].iter().any(|token| !pair(venue, self.usdc()).contains(token)) {
            return words("the pool trades no such pair");
        }
        let amount = u128::try_from(order.amountIn).unwrap_or(u128::MAX);
        let value_in = value_up(amount, dearest);
        let cost = self.release(sold, amount, self.balance(sold))?;
        let out = self.world.swapped()?;
        self.send(sold, self.world.place.deployment.swap_adapter, amount);
        self.receive(bought, order.pool, out);
        if U256::from(out) < order.minOut {
            return refuse(IVault::BelowMinOut { amountOut: U256::from(out), minOut: order.minOut });
        }
        let value_out = narrow(convert_down(out, cheapest));
        self.near(value_in, value_out)?;
        self.acquire(bought, out, cost);
        self.count_trade(trader, value_in, value_in.saturating_sub(value_out))?;
        let told = IVault::Swapped {
            pool: order.pool,
            tokenIn: order.tokenIn,
            tokenOut: order.tokenOut,
            amountIn: order.amountIn,
            amountOut: U256::from(out),
            valueIn: U256::from(value_in),
            valueOut: U256::from(value_out),
            capital: U256::from(self.vault.capital),
            deployed: U256::from(self.vault.deployed),
        };
        self.emit(&told);
        Ok(())
    }

    pub(super) fn refuel(&mut self, said: &IVault::refuelCall) -> Done {
        self.in_time(said.deadline)?;
        self.alive()?;
        if said.pool != self.world.place.gas_pool.address {
            return refuse(IVault::NotListed { subject: said.pool, r#use: USE_POOL });
        }
        let cheapest = self.world.trusted_native.clone()?.low;
        let amount = micros(said.amountIn);
        let left = self.debit(GAS, amount)?;
        let native = self.world.swapped()?;
        self.pay(self.world.place.deployment.swap_adapter, amount);
        if U256::from(native) < said.minOut {
            return refuse(IVault::BelowMinOut { amountOut: U256::from(native), minOut: said.minOut });
        }
        self.near(amount, narrow(convert_down(native, cheapest)))?;
        self.vault.key_wei = self.vault.key_wei.saturating_add(native);
        let (key, [amount, left]) = (super::vault::KEY, [amount, left].map(U256::from));
        self.emit(&IVault::Refuelled { key, amountIn: amount, native: U256::from(native), left });
        Ok(())
    }

    /* LIQUIDITY */

    /// The distance of a pool's price from the further end of its token's trusted one, in basis points.
    fn deviation(&self, venue: &Venue<'_>) -> Done<u64> {
        let Trusted { low, high } = self.quote_of(venue.pool.token)?;
        // As the pool prices its first token in its second.
        let (low, high) = if venue.pool.quote.token_is_first { (low, high) } else { (-high, -low) };
        let root = venue.now.root;
        let deviation = deviation_bps_up(root, low).max(deviation_bps_up(root, high));
        let most = u64::from(Policy::default().slippage_bps);
        if deviation > most {
            let (pool, max) = (venue.pool.address, U256::from(most));
            return refuse(IVault::SpotTooFar { pool, deviationBps: U256::from(deviation), maxBps: max });
        }
        Ok(deviation)
    }

    pub(super) fn mint(&mut self, order: &IVaultLiquidity::MintOrder) -> Done {
        let count = self.vault.positions.len();
        if count >= MAX_POSITIONS {
            return refuse(IVault::ListFull { length: U256::from(count), max: U256::from(MAX_POSITIONS) });
        }
        let trader = self.as_trader(true)?;
        let venue = self.listed(order.pool)?;
        let deviation = self.deviation(venue)?;
        let wanted = [order.amount0, order.amount1].map(|amount| u128::try_from(amount).unwrap_or(u128::MAX));
        if wanted == [0, 0] {
            return refuse(IVault::ZeroAmount {});
        }
        let pair = pair(venue, self.usdc());
        for (token, amount) in pair.into_iter().zip(wanted) {
            if amount > self.balance(token) {
                return exceeded(token, amount, self.balance(token));
            }
        }
        let (lower, upper) = (order.tickLower.as_i32(), order.tickUpper.as_i32());
        let spacing = venue.pool.tick_spacing.max(1);
        if lower >= upper || lower < -MAX_TICK || upper > MAX_TICK || lower % spacing != 0 || upper % spacing != 0 {
            return words("no range of this pool");
        }
        let root = venue.now.root;
        let liquidity = liquidity_for(wanted[0], wanted[1], root, lower, upper);
        if liquidity == 0 {
            return words("the range takes none of it");
        }
        let used = <[u128; 2]>::from(amounts_taken(liquidity, root, lower, upper));
        if U256::from(used[0]) < order.min0 || U256::from(used[1]) < order.min1 {
            return words("Price slippage check");
        }
        let id = self.vault.next_id;
        self.vault.next_id += 1;
        self.tie(venue.pool.token);
        let mut cost = 0u64;
        let mut value = 0u64;
        for (token, amount) in pair.into_iter().zip(used) {
            let before = self.balance(token);
            self.send(token, self.world.place.deployment.position_adapter, amount);
            cost = cost.saturating_add(self.release(token, amount, before)?);
            value = value.saturating_add(value_up(amount, self.quote_of(token)?.high));
        }
        let loss = narrow((u128::from(value) * u128::from(deviation)).div_ceil(u128::from(BPS)));
        self.count_trade(trader, value, loss)?;
        let (pool, growth, seen) = (order.pool, [U256::ZERO; 2], venue.seen(lower, upper));
        self.vault.positions.push(Position { id, pool, book: cost, lower, upper, liquidity, growth, seen });
        self.vault.deployed = self.vault.deployed.saturating_add(cost);
        self.booked_position(id, cost);
        let told = IVault::LiquidityAdded {
            tokenId: U256::from(id),
            pool: order.pool,
            amount0: U256::from(used[0]),
            amount1: U256::from(used[1]),
            value: U256::from(value),
            lossBooked: U256::from(loss),
            capital: U256::from(self.vault.capital),
            deployed: U256::from(self.vault.deployed),
        };
        self.emit(&told);
        Ok(())
    }

    pub(super) fn decrease(&mut self, said: &IVault::decreasePositionCall) -> Done {
        self.as_trader(false)?;
        let id: u64 = said.tokenId.saturating_to();
        let Some(index) = self.vault.positions.iter().position(|position| position.id == id) else {
            return refuse(IVault::UnknownPosition { tokenId: said.tokenId });
        };
        let position = self.vault.positions[index].clone();
        let available = position.liquidity;
        let liquidity = if said.liquidity == u128::MAX { available } else { said.liquidity };
        if liquidity > available {
            let (liquidity, available) = (U256::from(liquidity), U256::from(available));
            return refuse(IVault::LiquidityExceeded { tokenId: said.tokenId, liquidity, available });
        }
        // Not whether it is listed: what lies there can always be taken out.
        let Some(venue) = self.world.venue(position.pool) else { return Err(Bytes::new()) };
        self.deviation(venue)?;
        let out = <[u128; 2]>::from(amounts_of(liquidity, venue.now.root, position.lower, position.upper));
        if U256::from(out[0]) < said.min0 || U256::from(out[1]) < said.min1 {
            return words("Price slippage check");
        }
        // What was earned is paid out with any part.
        let fees = <[u128; 2]>::from(position.fees());
        let got = [out[0].saturating_add(fees[0]), out[1].saturating_add(fees[1])];
        let closed = liquidity == available;
        let cost = match closed {
            true => position.book,
            false => micros(U256::from(position.book) * U256::from(liquidity) / U256::from(available.max(1))),
        };
        let book = position.book - cost;
        self.vault.deployed = self.vault.deployed.saturating_sub(cost);
        self.put_back(venue, got, cost)?;
        if closed {
            self.untie(venue.pool.token);
            self.vault.positions.swap_remove(index);
        } else {
            let left = Position { book, liquidity: available - liquidity, growth: [U256::ZERO; 2], ..position };
            self.vault.positions[index] = left;
        }
        self.booked_position(id, book);
        let told = IVault::LiquidityRemoved {
            tokenId: said.tokenId,
            liquidity,
            amount0: U256::from(got[0]),
            amount1: U256::from(got[1]),
            closed,
            capital: U256::from(self.vault.capital),
            deployed: U256::from(self.vault.deployed),
        };
        self.emit(&told);
        Ok(())
    }

    /// The cost is first covered by the USDC that came back; what remains goes to the token, if any came back.
    fn put_back(&mut self, venue: &Venue<'_>, got: [u128; 2], cost: u64) -> Done {
        let cheapest = self.quote_of(venue.pool.token)?.low;
        let (token, usdc) = venue.pool.quote.ordered(got[0], got[1]);
        let rest = cost.saturating_sub(narrow(usdc));
        let cost = if convert_down(token, cheapest) == 0 { 0 } else { rest };
        for (token, amount) in pair(venue, self.usdc()).into_iter().zip(got) {
            self.receive(token, venue.pool.address, amount);
            self.acquire(token, amount, cost);
        }
        Ok(())
    }
}

/// A pool's first and second token.
const fn pair(venue: &Venue<'_>, usdc: Address) -> [Address; 2] {
    if venue.pool.quote.token_is_first { [venue.pool.token, usdc] } else { [usdc, venue.pool.token] }
}

fn exceeded<T>(token: Address, amount: u128, balance: u128) -> Done<T> {
    refuse(IVault::HoldingExceeded { token, amount: U256::from(amount), balance: U256::from(balance) })
}
