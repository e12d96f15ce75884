//! A Golem as its chain tells it, or the pretended vault it has on paper.

use std::time::Duration;

use golem_core::held_assets::HeldToken;
use golem_primitives::{Address, AgentId, B256, Ppm, Tick, Usdc, UtcTime};

use crate::words::lapse;
use crate::{AsKept, Gain, Seconds, Shown as _, TokenUnits, Wei, picture};

picture! {
    /// V-003. Credits by partition, as the vault has them.
    pub struct ChainCredits in "usdc_micros" {
        llm: Usdc = "llm",
        gas: Usdc = "gas",
        data: Usdc = "data",
        legacy: Usdc = "legacy",
    }

    /// What a life on paper began with.
    pub struct PaperGiven in "usdc_micros" { credits: Usdc = "credits", capital: Usdc = "capital" }

    /// P-057. A pool that a life on paper trades in.
    pub struct PaperPoolPicture {
        name: String = "pool",
        address: Address = "at",
        /// What it has beside USDC.
        token: Address = "of the token",
        symbol: String,
        decimals: u8,
    }

    /// P-057. What a pretended vault has of a token outside of positions.
    pub struct PaperTokenPicture {
        token: Address,
        symbol: String,
        decimals: u8,
        held: TokenUnits,
        cost: Usdc,
    }

    /// What the chain says of it now. What only a real vault has is not there on paper, and the reverse.
    pub struct ChainPicture {
        life: String = "life",
        cause: Option<String> = "cause",
        block: u64 = "block",
        time: UtcTime = "time",
        chain_id: Option<u64> = "chain",
        owner: Option<Address> = "owner",
        bound_owner: Option<Address> = "bound to",
        key: Option<Address> = "key",
        key_gas: Wei = "the key's gas",
        spent_gas: Option<Wei> = "gas so far",
        host_paid: Option<Usdc> = "paid to the host",
        given: Option<PaperGiven>,
        /// The pools of a life on paper, the home pool first.
        pools: Vec<PaperPoolPicture>,
        /// What a pretended vault ever held.
        tokens: Vec<PaperTokenPicture>,
        phase: String = "phase",
        vitality: Ppm = "vitality",
        ticks: u64 = "ticks",
        last_beat: UtcTime = "last beat",
        silent: Seconds = "silent for",
        noticed: Option<UtcTime> = "called silent at",
        deadline: Option<UtcTime> = "its death may be ended from",
        testament: Option<B256> = "testament",
        credits: ChainCredits,
        reserve: Usdc = "reserve",
        capital: Usdc = "capital",
        deployed: Usdc = "at work",
        unallocated: Option<Usdc> = "not allocated",
        guardian: Option<Address> = "guardian",
        wallet: Option<Address> = "linked wallet",
        /// L-012. Where its registration file says that it takes x402.
        x402: Option<String> = "says it takes x402 at",
        locked_until: Option<UtcTime> = "locked until",
        hibernated_until: Option<UtcTime> = "sleeps until",
    }
}

impl ChainPicture {
    /// In the words of a person; `place` is where that is.
    #[must_use]
    pub fn summary(&self, place: &str) -> Vec<Vec<String>> {
        let Self { life, block, time, .. } = self;
        let silent = lapse(Duration::from_secs(self.silent.0));
        let gas = self.key_gas.words();
        let first =
            format!("{life} at block {block} ({time}); its last beat was {silent} ago; its key has {gas} for gas");
        let note = |until: Option<UtcTime>, words: &str| until.map(|until| format!("{words} {until}"));
        let waiting = self.unallocated.filter(|usdc| !usdc.is_zero());
        let notes = [
            note(self.locked_until, "nobody takes anything out before"),
            note(self.hibernated_until, "sleeps until"),
            note(self.noticed, "was called silent at"),
            note(self.deadline, "anybody may end its death from"),
            waiting.map(|usdc| format!("{usdc} was sent to its vault and is taken up at its next errand")),
        ];
        let rows = notes.into_iter().flatten().map(|words| vec![String::new(), words]);
        std::iter::once(vec![place.to_owned(), first]).chain(rows).collect()
    }
}

picture! {
    /// O-006. A Golem by the chain alone, and what is wrong with it.
    pub struct WatchedPicture {
        golem: String = "golem",
        agent: AgentId,
        time: Option<UtcTime>,
        life: Option<String> = "life",
        phase: Option<String> = "phase",
        ticks: Option<u64> = "ticks",
        silent: Option<Seconds> = "silent for",
        beats_left: Option<u64> = "reports it can pay for",
        wrong: Vec<AsKept> = "wrong",
        error: Option<String>,
    }

    /// P-057. What a life on paper has of a token.
    pub struct HeldTokenPicture {
        /// The first pool that trades it.
        pool: String,
        symbol: String,
        decimals: u8,
        held: TokenUnits,
        /// In liquidity positions.
        pooled: TokenUnits,
        worth: Usdc,
    }
}

impl From<HeldToken> for HeldTokenPicture {
    fn from(token: HeldToken) -> Self {
        let denomination = token.denomination;
        let units = |amount| TokenUnits { amount, denomination };
        Self {
            pool: token.pool.to_string(),
            symbol: denomination.symbol.to_string(),
            decimals: denomination.decimals.get(),
            held: units(token.held),
            pooled: units(token.pooled),
            worth: token.worth,
        }
    }
}

picture! {
    /// What a life on paper came to, as far as it was lived.
    pub struct PaperAccount {
        tick: Tick,
        life: String,
        idle: Option<Usdc>,
        /// Every token of its pools, the home pool's first.
        tokens: Vec<HeldTokenPicture>,
        worth: Option<Usdc>,
        credits: Usdc,
        gas: Usdc,
        host_paid: Usdc,
        net: Gain,
        /// What its owner was given at its death.
        received: AsKept,
    }
}
