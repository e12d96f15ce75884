//! A Golem as its chain tells it, or the pretended vault it has on paper.

use std::time::Duration;

use golem_core::held_assets::HeldToken;
use golem_core::trader::ALLOCATE_LEAST;
use golem_mortality::phase::Phase;
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
    /// In the words of a person; `name` is the Golem's, `place` is where that is.
    #[must_use]
    pub fn summary(&self, name: &str, place: &str) -> Vec<Vec<String>> {
        let Self { life, block, time, .. } = self;
        let silent = lapse(Duration::from_secs(self.silent.0));
        let gas = self.key_gas.words();
        let first =
            format!("{life} at block {block} ({time}); its last beat was {silent} ago; its key has {gas} for gas");
        let note = |until: Option<UtcTime>, words: &str| until.map(|until| format!("{words} {until}"));
        let notes = [
            note(self.locked_until, "nobody takes anything out before"),
            note(self.hibernated_until, "sleeps until"),
            note(self.noticed, "was called silent at"),
            note(self.deadline, "anybody may end its death from"),
            self.sent(name),
            self.set_aside(name),
        ];
        let rows = notes.into_iter().flatten().map(|words| vec![String::new(), words]);
        std::iter::once(vec![place.to_owned(), first]).chain(rows).collect()
    }

    /// V-003. USDC that nobody has put anywhere yet.
    fn sent(&self, name: &str) -> Option<String> {
        let sent = self.unallocated.filter(|usdc| !usdc.is_zero())?;
        Some(match self.life.as_str() {
            "alive" if sent >= ALLOCATE_LEAST => {
                format!("{sent} was sent to its vault and is taken up at its next errand")
            }
            "alive" => format!(
                "{sent} was sent to its vault, which takes up {ALLOCATE_LEAST} or more; where to send the rest: bardo golem \
                 fund {name} --show-address"
            ),
            "dead" => format!("{sent} lies in its vault, and is its owner's: bardo grave claim {name}"),
            _ => format!("{sent} was sent to its vault and goes to its owner"),
        })
    }

    /// V-009. What its decline set aside stays there when it is well again, until its owner says otherwise; a vault on paper
    /// has none.
    fn set_aside(&self, name: &str) -> Option<String> {
        let legacy = self.credits.legacy;
        let declines = [Phase::Declining, Phase::Terminal].iter().any(|phase| phase.name() == self.phase);
        let may_split = self.life == "alive" && self.owner.is_some() && !declines;
        (may_split && !legacy.is_zero()).then(|| {
            format!("{legacy} was set aside when it declined; to let it live on that again: bardo owner split {name}")
        })
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

#[cfg(test)]
mod tests {
    use super::*;

    const ALIVE: &str = "alive";

    fn well_again(legacy: Usdc, unallocated: Option<Usdc>) -> ChainPicture {
        ChainPicture {
            life: ALIVE.to_owned(),
            cause: None,
            block: 7,
            time: UtcTime::EPOCH,
            chain_id: Some(1),
            owner: Some(Address::repeat_byte(1)),
            bound_owner: None,
            key: None,
            key_gas: Wei(0),
            spent_gas: None,
            host_paid: None,
            given: None,
            pools: Vec::new(),
            tokens: Vec::new(),
            phase: Phase::Stable.to_string(),
            vitality: Ppm::ZERO,
            ticks: 0,
            last_beat: UtcTime::EPOCH,
            silent: Seconds(0),
            noticed: None,
            deadline: None,
            testament: None,
            credits: ChainCredits { llm: Usdc::ZERO, gas: Usdc::ZERO, data: Usdc::ZERO, legacy },
            reserve: Usdc::ZERO,
            capital: Usdc::ZERO,
            deployed: Usdc::ZERO,
            unallocated,
            guardian: None,
            wallet: None,
            x402: None,
            locked_until: None,
            hibernated_until: None,
        }
    }

    fn told(picture: &ChainPicture) -> String {
        picture.summary("ada", "chain").concat().concat()
    }

    /// V-003: what was sent is told with what moves it on: nothing, the rest of the least a vault takes up, or a claim.
    #[test]
    fn v_003_what_was_sent_is_told_with_what_moves_it_on() {
        let sent = |usdc, life: &str| told(&ChainPicture { life: life.to_owned(), ..well_again(Usdc::ZERO, usdc) });
        let (whole, little) = (Some(ALLOCATE_LEAST), Some(Usdc::from_micros(300_000)));
        assert!(sent(whole, ALIVE).contains("1.00 USDC was sent to its vault and is taken up"));
        assert!(sent(little, ALIVE).contains("0.30 USDC was sent") && sent(little, ALIVE).contains("--show-address"));
        assert!(sent(little, "dead").contains("bardo grave claim ada"));
        for nothing in [None, Some(Usdc::ZERO)] {
            assert!(!sent(nothing, ALIVE).contains("sent"));
        }
    }

    /// V-009: who is well again is told of the split that the owner alone can make; who cannot be split is not.
    #[test]
    fn v_009_what_a_decline_set_aside_is_told_with_the_command_that_takes_it_back() {
        let well = well_again(Usdc::whole(9), None);
        assert!(told(&well).contains("9.00 USDC was set aside") && told(&well).contains("bardo owner split ada"));
        for refused in [
            well_again(Usdc::ZERO, None),
            ChainPicture { phase: Phase::Declining.to_string(), ..well.clone() },
            ChainPicture { phase: Phase::Terminal.to_string(), ..well.clone() },
            ChainPicture { life: "dying".to_owned(), ..well.clone() },
            ChainPicture { owner: None, ..well },
        ] {
            assert!(!told(&refused).contains("owner split"), "{refused:?}");
        }
    }
}
