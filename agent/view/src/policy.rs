//! An owner's rules over a Golem: its policy, whom it may pay and where it may trade.

use golem_primitives::{Address, B256, Bps, Usdc, UtcTime};

use crate::{AsKept, Picture as _, PictureField, Seconds, Table, picture};

picture! {
    /// The numbers an owner may choose, under the names by which `policy set` takes them.
    pub struct PolicyPicture {
        call_cap: Usdc = "call_cap",
        float_cap: Usdc = "float_cap",
        day_floor: Usdc = "day_floor",
        death_budget: Usdc = "death_budget",
        llm_day: Bps = "llm_day_bps",
        gas_day: Bps = "gas_day_bps",
        data_day: Bps = "data_day_bps",
        trade: Bps = "trade_bps",
        day_trade: Bps = "day_trade_bps",
        day_loss: Bps = "day_loss_bps",
        slippage: Bps = "slippage_bps",
        harvest: Bps = "harvest_bps",
        twap_window: Seconds = "twap_window",
        rebalance_cooldown: Seconds = "rebalance_cooldown",
        silence_limit: Seconds = "silence_limit",
        grace: Seconds = "grace",
        min_depth: Usdc = "min_depth",
        /// In units of 2^-64.
        hazard_max: u64 = "hazard_max",
    }

    /// V-031. What a leaked key can cost in 24 hours.
    pub struct WorstPicture in "usdc_micros" {
        spending: Usdc = "spending",
        float: Usdc = "in its wallet",
        trading: Usdc = "trading, and a jump of 30 %",
        dying: Usdc = "dying",
        total: Usdc = "all of it",
    }

    /// The policy in force.
    pub struct PolicyInForce {
        policy: PolicyPicture,
        policy_hash: B256 = "hash",
        locked_until: Option<UtcTime> = "locked until",
        worst_24h: WorstPicture,
    }

    /// One number of a policy that changes; its unit stands at the end of the field's name.
    pub struct ChangedNumber { field: String, before: AsKept, after: AsKept }

    /// A policy that was changed.
    pub struct PolicyChanges {
        changes: Vec<ChangedNumber>,
        worst_before: WorstPicture,
        /// Not known where the node cannot simulate.
        worst_after: Option<WorstPicture>,
    }
}

impl PolicyPicture {
    /// Whether a number of that name is money.
    #[must_use]
    pub fn is_money(name: &str) -> bool {
        Self::keys().iter().any(|key| key.strip_suffix("_usdc_micros") == Some(name))
    }

    fn pairs(&self, after: &Self) -> impl Iterator<Item = (PictureField, PictureField)> {
        let differ = |(was, is): &(PictureField, PictureField)| was.json != is.json;
        self.fields().into_iter().zip(after.fields()).filter(differ)
    }

    /// What changes, for a program.
    #[must_use]
    pub fn changes(&self, after: &Self) -> Vec<ChangedNumber> {
        let change = |(was, is): (PictureField, PictureField)| ChangedNumber {
            field: was.key,
            before: AsKept(was.json),
            after: AsKept(is.json),
        };
        self.pairs(after).map(change).collect()
    }

    /// What changes, for a person.
    #[must_use]
    pub fn changes_told(&self, after: &Self, heading: &str) -> Table {
        let row = |(was, is): (PictureField, PictureField)| {
            vec![was.label.unwrap_or_default().to_owned(), format!("{} -> {}", was.words, is.words)]
        };
        Table::new(heading, self.pairs(after).map(row).collect())
    }
}

picture! {
    /// Somebody whom a Golem may pay.
    pub struct PayeeLine {
        subject: Address = "payee",
        /// The bits of the list.
        uses: u8,
        r#for: String = "from",
    }

    /// V-011. A pool as the source of a price.
    pub struct PoolPicture {
        token: Address,
        refusal: Option<String>,
        remedy: Option<String>,
        depth: Usdc = "deep",
        least_depth: Usdc = "of at least",
        covered: Seconds = "remembers",
        window: Seconds = "of",
        observations: u16,
        observations_next: u16,
        wanted_observations: u16,
        forgets: bool,
    }

    /// A pool a Golem may trade in, or a token it may hold.
    pub struct PoolLine {
        subject: Address = "pool or token",
        uses: u8,
        r#for: String = "listed as",
        priced_by: Option<Address>,
        report: Option<PoolPicture> = "as a source of a price",
    }

    /// What a subject is listed for since the change.
    pub struct ListedPicture { subject: Address, uses: u8 }

    /// A pool that was listed.
    pub struct PoolListed { pool: Address, token: Option<Address>, report: PoolPicture }

    /// A pool that is to be left.
    pub struct PoolLeaves { pool: Address, name: String }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shown as _;

    fn policy() -> PolicyPicture {
        let (usdc, bps, seconds) = (Usdc::whole(2), Bps::saturating(250), Seconds(7_200));
        PolicyPicture {
            call_cap: usdc,
            float_cap: usdc,
            day_floor: usdc,
            death_budget: usdc,
            llm_day: bps,
            gas_day: bps,
            data_day: bps,
            trade: bps,
            day_trade: bps,
            day_loss: bps,
            slippage: bps,
            harvest: bps,
            twap_window: seconds,
            rebalance_cooldown: seconds,
            silence_limit: seconds,
            grace: seconds,
            min_depth: usdc,
            hazard_max: 1,
        }
    }

    /// O-002: a change of policy is told in the unit of its key to a program and in words to a person, and nothing else is.
    #[test]
    fn o_002_a_change_of_policy_is_told_with_its_unit() {
        let before = policy();
        let after = PolicyPicture { call_cap: Usdc::from_micros(500_000), trade: Bps::ZERO, ..before.clone() };
        let told = before.changes(&after).json();
        let expected = serde_json::json!([
            { "field": "call_cap_usdc_micros", "before": 2_000_000, "after": 500_000 },
            { "field": "trade_bps", "before": 250, "after": 0 },
        ]);
        assert_eq!(told, expected);
        let rows = before.changes_told(&after, "").rows;
        assert_eq!(rows[1], ["trade_bps", "250 bps (2.50%) -> 0 bps (0.00%)"]);
        assert!(PolicyPicture::is_money("min_depth") && !PolicyPicture::is_money("trade_bps"));
    }
}
