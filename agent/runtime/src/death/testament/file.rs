//! What a testament is: the facts of a life as the file says them.

use golem_core::ledger::{Earnings, Ledger};
use golem_core::record::{Learnt, MarketReading, OutcomeVerification, Sight, SufferingExport};
use golem_core::trader::Trader;
use golem_inheritance::individuation::Individuation;
use golem_inheritance::negentropy::Negentropy;
use golem_inheritance::ratchet::{Generation, RatchetScore, Tally};
use golem_inheritance::testament as law;
use golem_inheritance::testament::acceptance::Acceptance;
use golem_inheritance::toxic::Autopsy;
use golem_ports::{LastWords, SettledTestament, Store};
use golem_primitives::{Address, B256, EffectId, PoolName, Ppm, Tick, Usdc, UtcTime};
use serde::{Deserialize, Serialize};

use crate::error::RuntimeError;
use crate::kin::Kin;
use crate::notes;

/// The note under which the store keeps what the chain shall record of the testament.
pub const TESTAMENT_NOTE: &str = "testament";

/// I-302, M-218 to M-225. The file. Its keccak256 is the testament hash on chain (T-007).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TestamentFile {
    /// M-218. The format: [`law::VERSION`].
    pub version: String,
    pub kin: Kin,
    pub written: UtcTime,
    /// The hash of the life when it was written: where its journal leads.
    pub state_hash: B256,
    /// What is left of the credits, the reserve included.
    pub left: Usdc,
    /// M-191. What goes to its owner, as it stood when this was written; of a life on paper, what would.
    pub estate: Option<Estate>,
    /// P-001. The book it acted by at its end, when it had a hand.
    pub book: Option<String>,
    /// The share of capital one trade moved, when it had a hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stake: Option<Ppm>,
    /// Every action that was verified against its receipt.
    pub actions: Vec<ActionLine>,
    /// What its round trips came to, when it had a hand.
    pub earned: Option<Earned>,
    /// M-201. What misled it, of an epistemic death.
    pub autopsy: Option<Autopsy>,
    /// I-204. Whether it became a life of its own, by five checks.
    pub individuation: Individuation,
    /// I-302. What the law has it say.
    pub testament: law::Testament,
    /// M-199. What a model wrote of these facts, when one was asked. Everything above is there without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_words: Option<LastWords>,
    /// M-187. How its death began, and what it had to spend; absent where older code wrote the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acceptance: Option<Acceptance>,
    /// I-042, I-221. What it did with what it was given; absent of a life from before that was counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured: Option<Measured>,
    /// S-115. All it suffered, with its checksum; absent of one that was never told of suffering.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suffering: Option<Box<SufferingExport>>,
    /// P-062. What it had learnt of its market: the level it believed usual, how sizes differ, how much lasts. Absent of one
    /// that saw too little.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub understanding: Option<Learnt>,
    /// P-043. The hash of hand.json: what it tried and what each rule has shown.
    pub hand: Option<B256>,
}

/// One verified action: what was simulated, what the receipt says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActionLine {
    pub tick: Tick,
    pub effect: EffectId,
    pub notional: Usdc,
    /// What it was simulated to be worth at its own price, in micro-USDC.
    pub predicted_micros: i64,
    /// What it was worth at that price, in micro-USDC: what a simulation is judged by, and no profit.
    pub returned_micros: i64,
    /// M-076. Whether the simulation was right.
    pub hit: bool,
}

/// M-191. What a vault holds for its owner before the last act sends it to him.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Estate {
    pub owner: Address,
    /// USDC: credits, reserve and capital.
    pub usdc: Usdc,
    /// The token that was not sold, in its smallest unit.
    pub token: u128,
    /// What that is worth at the last price.
    pub worth: Usdc,
    /// P-057. The tokens of other pools that were not sold.
    pub elsewhere: Vec<KeptToken>,
    /// Liquidity positions that were not closed.
    pub positions: Vec<u64>,
    /// Why anything is left in kind, in the words of the last refusal.
    pub why_in_kind: Option<String>,
}

/// P-057. A token of a pool beside the home pool that was not sold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptToken {
    /// The first pool that trades it.
    pub pool: PoolName,
    /// How much, in its smallest unit.
    pub token: u128,
    /// What that is worth at the last price.
    pub worth: Usdc,
}

impl KeptToken {
    /// What is kept of the token that this pool is the first to bring.
    fn of(market: &MarketReading, sight: &Sight) -> Option<Self> {
        let is_first = sight.markets().find(|other| other.token == market.token) == Some(market);
        let token = sight.vault.as_ref().filter(|_| is_first)?.token(market.token).held;
        (token > 0).then(|| Self { pool: market.pool, token, worth: market.token_price().worth(token) })
    }
}

impl Estate {
    pub(super) fn of(trader: &Trader, owner: Address) -> Option<Self> {
        let sight = trader.sight()?;
        let vault = sight.vault.as_ref()?;
        let credits = vault.credits.total().saturating_add(vault.reserve).saturating_add(vault.unallocated);
        let positions: Vec<u64> = vault.positions.iter().map(|position| position.id).collect();
        let elsewhere: Vec<KeptToken> =
            sight.elsewhere.iter().filter_map(|market| KeptToken::of(market, sight)).collect();
        let is_in_kind = vault.held > 0 || !positions.is_empty() || !elsewhere.is_empty();
        Some(Self {
            owner,
            usdc: credits.saturating_add(vault.idle),
            token: vault.held,
            worth: sight.market.token_price().worth(vault.held),
            elsewhere,
            positions,
            why_in_kind: trader.why_in_kind().filter(|_| is_in_kind).map(str::to_owned),
        })
    }

    /// In a line, for the owner and the heirs.
    #[must_use]
    pub fn told(&self) -> String {
        let mut told = format!("{} for {}", self.usdc, self.owner);
        if self.token > 0 {
            told.push_str(&format!(", {} units of the token in kind (worth {})", self.token, self.worth));
        }
        for KeptToken { pool, token, worth } in &self.elsewhere {
            told.push_str(&format!(", {token} units of the token of {pool} in kind (worth {worth})"));
        }
        for id in &self.positions {
            told.push_str(&format!(", position {id} in kind"));
        }
        if let Some(why) = &self.why_in_kind {
            told.push_str(&format!(". Why in kind: {why}"));
        }
        told
    }
}

/// What a life earned, by its ledger and by nothing else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Earned {
    pub trips: Earnings,
    /// All gas, of trades and of everything else.
    pub gas: Usdc,
    /// The machine, models, data and whatever else living cost.
    pub upkeep: Usdc,
    /// What is left after both, in micro-USDC.
    pub net_micros: i64,
    /// What was never closed had cost.
    pub open_cost: Usdc,
    /// The same in a line.
    pub told: String,
}

impl From<&Ledger> for Earned {
    fn from(ledger: &Ledger) -> Self {
        Self {
            trips: *ledger.earned(),
            gas: ledger.gas(),
            upkeep: ledger.upkeep,
            net_micros: ledger.net_micros(),
            open_cost: ledger.open_cost(),
            told: ledger.told(),
        }
    }
}

impl From<&OutcomeVerification> for ActionLine {
    fn from(record: &OutcomeVerification) -> Self {
        Self {
            tick: record.tick,
            effect: record.action_id,
            notional: record.prediction.notional,
            predicted_micros: record.prediction.expected_return_micros,
            returned_micros: record.receipt.realised_return_micros,
            hit: record.is_hit(),
        }
    }
}

/// The measure of a life, counted from its records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measured {
    /// I-045. What it inherited, confirmed, refuted and added.
    pub tally: Tally,
    /// I-042. The score of that, in millionths.
    pub score: RatchetScore,
    /// I-221. Signs of order.
    pub negentropy: Negentropy,
}

impl TestamentFile {
    /// I-045. The row of this generation in its line; `None` of a testament from before lives were measured.
    #[must_use]
    pub fn generation(&self) -> Option<Generation> {
        let (measured, stats) = (self.measured?, &self.testament.stats);
        let micros = |usdc: golem_primitives::Usdc| i64::try_from(usdc.micros()).unwrap_or(i64::MAX);
        Some(Generation {
            number: self.kin.generation,
            tally: measured.tally,
            ticks: stats.ticks,
            net_micros: micros(stats.earned).saturating_sub(micros(stats.spent)),
            peak_fitness: stats.peak_fitness,
            divergence: stats.playbook_divergence,
            funded: stats.funded,
        })
    }
}

/// What the store noted of the testament, for the chain.
pub(crate) fn noted<S: Store>(store: &S) -> Result<Option<SettledTestament>, RuntimeError> {
    Ok(notes::read(store, TESTAMENT_NOTE)?)
}
