//! P-083. A market of the past in the place of a chain: each time of the files of prices is a block, and the pool of each file is
//! one whose liquidity stands everywhere alike.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use alloy::primitives::{Address, B256, U160, U256, U512, keccak256};
use golem_core::record::PoolReading as RecordedPool;
use golem_core::trader::SWAP_GAS;
use golem_primitives::{Decimals, PoolName, TokenSymbol, Usdc, UtcTime};

use super::vault::{Done, VAULT, refuse};
use super::world::{Beyond, Needs, Sold, Trusted, Venue, World};
use crate::bindings::IVault;
use crate::deployment::Deployment;
use crate::node::At;
use crate::owner::Policy;
use crate::place::{Place, Pool};
use crate::price::{MAX_TICK, Quote, root_at};
use crate::reading::PoolReading;
use crate::roster::PoolStay;

const WHOLE: u32 = 1_000_000;
/// USDC on each side of a pool of which nobody says how deep it is: nothing moves its price.
const DEEP: Usdc = Usdc::from_micros(1_000_000_000_000_000_000);
const QUOTE: Quote = Quote { token_is_first: true, decimals: Decimals::ETHER };

/// One row of a file of prices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PastPrice {
    pub time: UtcTime,
    /// What one whole token cost.
    pub price: Usdc,
    /// USDC traded since the row before, where the file says it.
    pub volume: Option<Usdc>,
    pub gas: Usdc,
    /// USDC on one side of the pool; nothing for one so deep that nothing moves it.
    pub side: Usdc,
}

/// P-057. A file of prices: a pool, and what its token cost at each time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastPool {
    pub name: PoolName,
    pub fee_ppm: u32,
    /// The oldest first.
    pub prices: Vec<PastPrice>,
}

/// A pool at a row.
#[derive(Debug, Clone, Copy)]
struct Row {
    price: PastPrice,
    now: PoolReading,
}

/// A pool through all rows.
#[derive(Debug)]
struct Lived {
    name: PoolName,
    fee_ppm: u32,
    rows: Vec<Row>,
}

/// A recorded history, lived row by row.
#[derive(Debug)]
pub struct PastMarket {
    home: Lived,
    beside: Vec<Lived>,
    /// What its blocks' hashes and its addresses are made of.
    name: B256,
    stands_at: AtomicUsize,
}

impl PastMarket {
    /// The market of these files, the home pool's first, which prices gas too. All have the same times; `None` where they have
    /// not, and where there is no row.
    #[must_use]
    pub fn of(pools: &[PastPool]) -> Option<Self> {
        let (home, beside) = pools.split_first()?;
        let times = |pool: &PastPool| pool.prices.iter().map(|row| row.time).collect::<Vec<UtcTime>>();
        if home.prices.is_empty() || beside.iter().any(|pool| times(pool) != times(home)) {
            return None;
        }
        let mut named = Vec::new();
        for PastPool { name, fee_ppm, prices } in pools {
            let first = prices.first()?;
            named.extend(first.time.seconds().to_be_bytes());
            named.extend(first.price.micros().to_be_bytes());
            named.extend(fee_ppm.to_be_bytes());
            // Of several the names too, each in one length, so that no two lists are written alike.
            if !beside.is_empty() {
                named.extend(keccak256(name.as_str()));
            }
        }
        Some(Self {
            home: Lived::of(home),
            beside: beside.iter().map(Lived::of).collect(),
            name: keccak256(named),
            stands_at: AtomicUsize::new(0),
        })
    }

    /// P-057. Every pool, the home pool first.
    fn pools(&self) -> impl Iterator<Item = &Lived> {
        std::iter::once(&self.home).chain(&self.beside)
    }

    /// Goes on to the first row after a moment, if it does not stand behind that already; answers its time, or `None` when no
    /// row is left.
    pub fn advance_past(&self, past: UtcTime) -> Option<UtcTime> {
        let stands = self.stands_at.load(Ordering::Relaxed);
        let ahead = self.home.rows.get(stands..)?.iter().position(|row| row.price.time > past)?;
        self.stands_at.store(stands + ahead, Ordering::Relaxed);
        self.home.rows.get(stands + ahead).map(|row| row.price.time)
    }

    /// Seconds between two rows, as it is usual in the files.
    #[must_use]
    pub fn usual_seconds(&self) -> u64 {
        let mut steps: Vec<u64> =
            self.home.rows.windows(2).map(|two| two[1].price.time.seconds() - two[0].price.time.seconds()).collect();
        let middle = steps.len() / 2;
        if steps.is_empty() { 0 } else { *steps.select_nth_unstable(middle).1 }
    }

    /// Rows that are left.
    #[must_use]
    pub fn left(&self) -> usize {
        self.home.rows.len().saturating_sub(self.stands_at.load(Ordering::Relaxed) + 1)
    }

    /// Where a life goes on that has seen this block.
    pub(super) fn go_on_from(&self, block: u64) {
        let place = usize::try_from(block.saturating_sub(1)).unwrap_or(usize::MAX);
        self.stands_at.store(place.min(self.home.rows.len().saturating_sub(1)), Ordering::Relaxed);
    }

    /// Where the files know nothing a made-up address stands: nothing is ever sent there. Each file is of a token of its own.
    pub(super) fn place(&self, host: Address) -> Place {
        let made_up = |of: &str| {
            let digest = keccak256([self.name.as_slice(), of.as_bytes()].concat());
            Address::from_slice(&digest[12..])
        };
        let mut pools = self.pools().zip(0u8..).map(|(lived, token_place)| Pool {
            name: lived.name,
            token_place,
            address: made_up(&format!("pool {token_place}")),
            token: made_up(&format!("token {token_place}")),
            quote: QUOTE,
            symbol: TokenSymbol::default(),
            fee_ppm: lived.fee_ppm,
            tick_spacing: if lived.fee_ppm >= 3_000 { 60 } else { 10 },
            stay: PoolStay::Stays,
        });
        let pool = pools.next().expect("there is a home pool");
        let elsewhere = pools.collect();
        let deployment = Deployment {
            chain_id: 0,
            from_block: 0,
            identity: made_up("identity"),
            lineage: made_up("lineage"),
            birth: made_up("birth"),
            succession: made_up("succession"),
            vault: made_up("vault"),
            vault_owner: made_up("vault owner"),
            vault_trading: made_up("vault trading"),
            vault_liquidity: made_up("vault liquidity"),
            vault_death: made_up("vault death"),
            swap_adapter: made_up("swap adapter"),
            position_adapter: made_up("position adapter"),
            epitaph: made_up("epitaph"),
            usdc: made_up("usdc"),
            weth: pool.token,
            uniswap_factory: made_up("factory"),
            position_manager: made_up("position manager"),
            multicall3: made_up("multicall"),
            quoter: None,
            pool: Some(pool.address),
            pools: BTreeMap::new(),
            confirmations: 0,
        };
        Place {
            deployment,
            vault: VAULT,
            agent: U256::ZERO,
            pool,
            elsewhere,
            gas_pool: pool,
            host: Some(host),
            // What is decided at a row lands at the next; behind a gap it has run out, as it would on chain.
            order_seconds: self.usual_seconds().saturating_mul(2).max(60),
        }
    }

    pub(super) fn head(&self) -> At {
        self.at_row(self.stands_at.load(Ordering::Relaxed))
    }

    pub(super) fn block(&self, number: u64) -> Option<At> {
        let place = usize::try_from(number.checked_sub(1)?).ok()?;
        (place <= self.stands_at.load(Ordering::Relaxed)).then(|| self.at_row(place))
    }

    fn at_row(&self, place: usize) -> At {
        let (number, row) = (place as u64 + 1, &self.home.rows[place]);
        let hash = keccak256([self.name.as_slice(), &number.to_be_bytes()].concat());
        At { number, hash, time: row.price.time, base_fee: row.base_fee() }
    }

    pub(super) fn look<'a>(&self, place: &'a Place, at: At, needs: &Needs) -> World<'a> {
        // Nobody else's positions end anywhere, so no tick counts anything.
        let beyond = Beyond { is_counted: false, outside: [U256::ZERO; 2] };
        let venues = place.pools().zip(self.pools()).map(|(pool, lived)| {
            let row = lived.row(&at);
            let ends = needs.ends.iter().filter(|end| end.pool == pool.address);
            let ticks = ends.map(|end| (end.tick, beyond)).collect();
            Venue { pool, now: row.now, trusted: row.trusted(pool.address), ticks }
        });
        let quoted = needs.sold.and_then(|Sold { pool, token, amount }| {
            let (_, lived) = place.pools().zip(self.pools()).find(|(known, _)| known.address == pool)?;
            Some(Ok(lived.row(&at).swapped(amount, token != place.deployment.usdc, lived.fee_ppm)))
        });
        let home = self.home.row(&at);
        World {
            place,
            at,
            venues: venues.collect(),
            native: home.price.price,
            trusted_native: home.trusted(place.gas_pool.address),
            quoted,
            parent_wei: 0,
        }
    }

    /// A pool at a row as a trade's record keeps it; the home pool where there is none of that name.
    pub(super) fn recorded(&self, at: &At, pool: PoolName) -> (PoolReading, RecordedPool) {
        let lived = self.pools().find(|lived| lived.name == pool).unwrap_or(&self.home);
        let now = lived.row(at).now;
        let pool = RecordedPool {
            sqrt_price: U256::from(now.root),
            tick: now.tick,
            liquidity: now.liquidity,
            fee_ppm: lived.fee_ppm,
            ends: (-MAX_TICK, MAX_TICK),
            ticks: Vec::new(),
            token_is_first: QUOTE.token_is_first,
        };
        (now, pool)
    }
}

impl Lived {
    fn of(pool: &PastPool) -> Self {
        let mut growth = [U256::ZERO; 2];
        let mut before: Option<PoolReading> = None;
        let rows = pool.prices.iter().map(|price| {
            let row = Row::of(price, before.as_ref(), &mut growth, pool.fee_ppm);
            before = Some(row.now);
            row
        });
        Self { name: pool.name, fee_ppm: pool.fee_ppm, rows: rows.collect() }
    }

    fn row(&self, at: &At) -> &Row {
        let place = usize::try_from(at.number.saturating_sub(1)).unwrap_or(usize::MAX);
        &self.rows[place.min(self.rows.len() - 1)]
    }
}

impl Row {
    fn of(price: &PastPrice, before: Option<&PoolReading>, growth: &mut [U256; 2], fee_ppm: u32) -> Self {
        let root = root_of(price.price);
        let side = if price.side.is_zero() { DEEP } else { price.side };
        let wide = (U512::from(side.micros()) << 96usize) / U512::from(root.max(U160::ONE));
        let liquidity = wide.saturating_to::<u128>().max(1);
        for (counted, fees) in growth.iter_mut().zip(fees(price, before, root, fee_ppm)) {
            *counted = counted.wrapping_add(U256::saturating_from((fees << 128usize) / U512::from(liquidity)));
        }
        let now = PoolReading {
            root,
            tick: tick_of(root),
            liquidity,
            price: price.price,
            twap: Some(price.price),
            fee_growth: *growth,
        };
        Self { price: *price, now }
    }

    /// At which the gas of a swap costs what the row says, were its token the native coin.
    fn base_fee(&self) -> u128 {
        let swap = U512::from(SWAP_GAS) * U512::from(self.price.price.micros().max(1));
        let base_fee = U512::from(self.price.gas.micros()) * U512::from(10u8).pow(U512::from(18u8)) / swap;
        base_fee.saturating_to()
    }

    /// V-011. A row is all that is known of its time, so its price is the mean of any window.
    fn trusted(&self, pool: Address) -> Done<Trusted> {
        let least = Policy::default().min_depth;
        if !self.price.side.is_zero() && self.price.side < least {
            let [depth, minimum] = [self.price.side, least].map(|usdc| U256::from(usdc.micros()));
            return refuse(IVault::DepthTooLow { pool, depth, minimum });
        }
        Ok(Trusted { low: self.now.tick, high: self.now.tick })
    }

    /// What comes out where liquidity is the same at every price; rounded down, as a venue pays.
    fn swapped(&self, amount: u128, is_token: bool, fee_ppm: u32) -> u128 {
        let (root, liquidity) = (U512::from(self.now.root), U512::from(self.now.liquidity));
        let kept = U512::from(amount) * U512::from(WHOLE.saturating_sub(fee_ppm)) / U512::from(WHOLE);
        let wide = liquidity << 96usize;
        let out: U512 = if is_token {
            let after = (wide * root).div_ceil(wide + kept * root);
            (liquidity * (root - after.min(root))) >> 96usize
        } else {
            let after = root + (kept << 96usize) / liquidity;
            wide * (after - root) / after / root
        };
        out.saturating_to()
    }
}

/// What was paid to liquidity since the row before, in the token and in USDC: of the volume that the file tells, half each; of
/// what moving the price takes where it tells none.
fn fees(price: &PastPrice, before: Option<&PoolReading>, root: U160, fee_ppm: u32) -> [U512; 2] {
    let Some(before) = before else { return [U512::ZERO; 2] };
    let share = |amount: U512| amount * U512::from(fee_ppm) / U512::from(WHOLE);
    if let Some(volume) = price.volume {
        let half = U512::from(volume.micros() / 2);
        let unit = U512::from(QUOTE.decimals.unit());
        return [share(half * unit / U512::from(price.price.micros().max(1))), share(half)];
    }
    let (was, is, liquidity) = (U512::from(before.root), U512::from(root), U512::from(before.liquidity));
    if is >= was {
        [U512::ZERO, share((liquidity * (is - was)) >> 96usize)]
    } else {
        [share((liquidity << 96usize) * (was - is) / was / is.max(U512::ONE)), U512::ZERO]
    }
}

/// The root price of a pool with the token first, rounded down.
fn root_of(price: Usdc) -> U160 {
    let square = (U512::from(price.micros().max(1)) << 192usize) / U512::from(QUOTE.decimals.unit());
    U160::saturating_from(square.root(2))
}

/// The highest tick whose root is not above this one.
fn tick_of(root: U160) -> i32 {
    let (mut low, mut high) = (-MAX_TICK, MAX_TICK);
    while low < high {
        let middle = low + (high - low + 1) / 2;
        if root_at(middle) <= root { low = middle } else { high = middle - 1 }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    fn price(seconds: u64, usdc: u32) -> PastPrice {
        let (volume, gas) = (None, Usdc::from_micros(20_000));
        PastPrice { time: UtcTime::from_seconds(seconds), price: Usdc::whole(usdc), volume, gas, side: Usdc::ZERO }
    }

    /// The market of one file.
    fn market(prices: &[PastPrice]) -> Option<PastMarket> {
        PastMarket::of(&[PastPool { name: PoolName::HOME, fee_ppm: 500, prices: prices.to_vec() }])
    }

    /// rows come one after the other, never back, and a row that is passed is a block for ever.
    #[test]
    fn r_014_rows_are_blocks() {
        let market = market(&[price(100, 3_000), price(160, 3_010), price(500, 2_990)]).expect("rows");
        let now = |market: &PastMarket| (market.head().number, market.head().time.seconds());
        assert_eq!(now(&market), (1, 100));
        assert_eq!(market.advance_past(UtcTime::EPOCH).map(UtcTime::seconds), Some(100), "asks where it stands");
        assert!(market.block(2).is_none(), "what is to come is not known");
        let first = market.head().hash;
        assert_eq!(market.advance_past(UtcTime::from_seconds(100)).map(UtcTime::seconds), Some(160));
        assert_eq!((now(&market), market.left(), market.usual_seconds()), ((2, 160), 1, 340));
        assert_eq!(market.block(1).map(|at| at.hash), Some(first));
        assert_eq!(market.advance_past(UtcTime::from_seconds(400)).map(UtcTime::seconds), Some(500));
        assert_eq!(market.advance_past(UtcTime::from_seconds(500)), None, "at its end");
        market.go_on_from(2);
        assert_eq!(now(&market), (2, 160));
        assert!(PastMarket::of(&[]).is_none());
    }

    /// P-057, R-014: files of several pools are one market: a look shows each at its own price and fee with a token of its own, a
    /// swap is quoted by the pool it names, and gas is priced by the home pool. Files of other times are none.
    #[test]
    fn p_057_several_files_are_one_market() {
        let pool = |name: &str, fee_ppm, prices: &[PastPrice]| PastPool {
            name: name.parse().expect("a name"),
            fee_ppm,
            prices: prices.to_vec(),
        };
        let dear = pool("weth-500", 500, &[price(100, 3_000), price(160, 3_010)]);
        let cheap = pool("ember-3000", 3_000, &[price(100, 200), price(160, 210)]);
        let market = PastMarket::of(&[dear.clone(), cheap.clone()]).expect("rows");
        let place = market.place(Address::ZERO);
        let names: Vec<String> = place.pools().map(|pool| pool.name.to_string()).collect();
        assert_eq!((names, place.tokens().len()), (vec!["weth-500".to_owned(), "ember-3000".to_owned()], 2));
        assert_eq!(place.pools().map(|pool| pool.token_place).collect::<Vec<_>>(), [0, 1]);
        market.advance_past(UtcTime::from_seconds(100));
        let sold = |pool: &Pool| Needs {
            sold: Some(Sold { pool: pool.address, token: place.deployment.usdc, amount: 210_000_000 }),
            ..Needs::default()
        };
        let look = |pool: &Pool| market.look(&place, market.head(), &sold(pool));
        let seen = look(&place.elsewhere[0]);
        let prices: Vec<Usdc> = seen.venues.iter().map(|venue| venue.now.price).collect();
        assert_eq!((prices, seen.native), (vec![Usdc::whole(3_010), Usdc::whole(210)], Usdc::whole(3_010)));
        let ember = seen.swapped().expect("quoted") as f64 / 1e18;
        assert!((ember - 0.997).abs() < 1e-6, "{ember}: a whole one less its fee");
        let weth = look(&place.pool).swapped().expect("quoted") as f64 / 1e18;
        assert!((weth - 210.0 / 3_010.0 * 0.999_5).abs() < 1e-6, "{weth}");
        let (_, recorded) = market.recorded(&market.head(), cheap.name);
        assert_eq!(recorded.fee_ppm, 3_000);

        let other = PastMarket::of(&[dear.clone(), pool("ember-3000", 500, &cheap.prices)]).expect("rows");
        assert_ne!(
            other.place(Address::ZERO).pool.address,
            place.pool.address,
            "with another fee it is another market"
        );
        assert!(PastMarket::of(&[dear, pool("ember-3000", 500, &cheap.prices[1..])]).is_none(), "not the same times");
    }

    /// P-083: the pool stands at the file's price, a swap loses its fee and what it moves, and gas costs what the file says.
    #[test]
    fn p_083_the_pool_of_a_row_is_the_files() {
        for (usdc, side) in [(1, 0), (3_000, 0), (3_000, 1_000_000), (65_000, 50_000_000)] {
            let told = PastPrice { side: Usdc::whole(side), ..price(0, usdc) };
            let market = market(&[told]).expect("a row");
            let (row, place) = (market.home.rows[0], market.place(Address::ZERO));
            let read = QUOTE.price(row.now.root).micros();
            assert!(read.abs_diff(told.price.micros()) <= 1, "{read}");
            assert!(root_at(row.now.tick) <= row.now.root && root_at(row.now.tick + 1) > row.now.root);
            let gas = crate::price::value_of_wei(row.base_fee() * u128::from(SWAP_GAS), told.price);
            assert!(gas.micros().abs_diff(20_000) <= 1, "{gas}");
            let spend = 1_000_000_000;
            let token = row.swapped(spend, false, 500);
            let fair = spend as f64 / 1e6 / f64::from(usdc) * 1e18;
            let depth = if side == 0 { 0.0 } else { 1_000.0 / f64::from(side) };
            let lost = 1.0 - token as f64 / fair;
            assert!((lost - 0.000_5 - depth).abs() < 2e-6 + depth * 0.002, "{usdc} {side}: {lost}");
            let back = row.swapped(token, true, 500) as f64 / spend as f64;
            assert!(back < 1.0 - 2.0 * 0.000_5 + 1e-6, "{back}");
            assert!(row.trusted(place.pool.address).is_ok());
        }
        let thin = PastPrice { side: Usdc::whole(10), ..price(0, 3_000) };
        assert!(market(&[thin]).expect("a row").home.rows[0].trusted(Address::ZERO).is_err(), "V-011");
    }

    /// P-061: what a life reads as volume is what the file tells, or what moving the price took.
    #[test]
    fn p_061_fees_are_those_of_the_volume() {
        let rows = [price(0, 3_000), PastPrice { volume: Some(Usdc::whole(10_000)), ..price(60, 3_030) }];
        let deep = rows.map(|row| PastPrice { side: Usdc::whole(1_000_000), ..row });
        let told = market(&deep).expect("rows").home.rows[1];
        let earned = |growth: U256| (U512::from(growth) * U512::from(told.now.liquidity)) >> 128usize;
        let [token, usdc] = told.now.fee_growth.map(earned);
        assert!(usdc.to::<u64>().abs_diff(2_500_000) <= 1, "half of five USDC: {usdc}");
        assert!((token.to::<u64>() as f64 / 1e18 * 3_030.0 - 2.5).abs() < 1e-6, "{token}");
        let silent = deep.map(|row| PastPrice { volume: None, ..row });
        let moved = market(&silent).expect("rows").home.rows[1];
        let [token, usdc] = moved.now.fee_growth.map(earned);
        // A rise of 1% moves half a percent of the side through the pool.
        assert!(token.is_zero() && (usdc.to::<u64>() as f64 / 1e6 - 2.494).abs() < 0.01, "{usdc}");
    }
}
