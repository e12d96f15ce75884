//! What may be asked of models now, and for how much: the ceilings of phase and day over the means that are left.

use golem_mortality::behaviour::Behaviour;
use golem_mortality::economic::costs::INFERENCE_CALL;
use golem_mortality::economic::day_spend::{DAILY_SPEND_CAP, DaySpend};
use golem_mortality::economic::death_budget::DeathBudget;
use golem_mortality::economic::partitions::Partition;
use golem_mortality::economic::purse::Purse;
use golem_mortality::economic::tier::Tier;
use golem_mortality::phase::Phase;
use golem_primitives::Usdc;

/// M-199. Tokens the death reflection may write.
pub const DEATH_REFLECTION_TOKENS: u32 = 8_000;

/// What a life can still spend on thinking, and on how large a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Means {
    /// The largest model that may be asked.
    pub ceiling: Tier,
    /// What is left to spend today.
    pub left: Usdc,
    /// M-131, M-199. Tokens an answer may have, where that is limited.
    pub token_limit: Option<u32>,
}

impl Means {
    /// M-027, M-036, M-128..M-132. The means of a living Golem: the partition for models under its daily cap, what is
    /// promised already taken off, under the lower ceiling of phase and day.
    #[must_use]
    pub fn of_the_living(purse: &Purse, promised: Usdc, phase: Phase) -> Self {
        let row = Behaviour::of(phase);
        let day = DaySpend::of(purse.spent_today(), DAILY_SPEND_CAP);
        Self {
            ceiling: row.ceiling.under(day.ceiling()),
            left: purse.allowance(Partition::Llm).saturating_sub(promised),
            token_limit: row.token_limit,
        }
    }

    /// M-132, M-181, M-195, M-211. The means of the dying: one look back out of what the budget of the death gives the
    /// review, by as large a model as its quality allows. The day's spending does not forbid it: there is no other day.
    /// A look back is longer than any other call of its tier, so the dearest call bounds it and not the tier's own.
    #[must_use]
    pub fn of_the_dying(budget: &DeathBudget) -> Self {
        let most = Behaviour::of(Phase::Terminal).death_reflection.unwrap_or(Tier::T0);
        Self {
            ceiling: most.under(budget.quality.ceiling()),
            left: budget.review.min(call_budget(most)),
            token_limit: Some(DEATH_REFLECTION_TOKENS),
        }
    }

    /// The budget a call of this tier gets; nothing above the ceiling.
    #[must_use]
    pub fn budget(&self, tier: Tier) -> Usdc {
        if tier > self.ceiling { Usdc::ZERO } else { call_budget(tier).min(self.left) }
    }

    /// The most tokens an answer may have, when somebody wants this many.
    #[must_use]
    pub fn tokens(&self, wanted: u32) -> u32 {
        self.token_limit.map_or(wanted, |limit| wanted.min(limit))
    }
}

/// M-020, M-021. The most one call may cost. The prices of M-021 are what a call usually costs; before it is made nobody
/// knows its tokens, only its bytes, so its bound is five times that, and never beyond the dearest call of M-020.
#[must_use]
pub const fn call_budget(tier: Tier) -> Usdc {
    let micros = match tier {
        Tier::T0 => 0,
        Tier::T1 => 10_000,
        Tier::T2 => 150_000,
        Tier::T3 => INFERENCE_CALL.high.micros(),
    };
    Usdc::from_micros(micros)
}

#[cfg(test)]
mod tests {
    use golem_mortality::economic::costs::tier_price;
    use golem_mortality::economic::partitions::Shares;
    use golem_mortality::economic::purse::DailyCaps;

    use super::*;

    fn purse() -> Purse {
        Purse::new(Usdc::whole(100), Shares::NORMAL, DailyCaps::DEFAULT)
    }

    /// M-020, M-021: a bound lies above what a call usually costs and never above the dearest call.
    #[test]
    fn m_021_a_calls_bound_is_above_its_usual_price() {
        for tier in Tier::ALL {
            assert!(call_budget(tier) >= tier_price(tier).high && call_budget(tier) <= INFERENCE_CALL.high, "{tier:?}");
        }
        assert_eq!(call_budget(Tier::T1).micros(), 5 * tier_price(Tier::T1).high.micros());
        assert_eq!(call_budget(Tier::T2).micros(), 5 * tier_price(Tier::T2).high.micros());
    }

    /// M-036, M-128..M-132: the lower of both ceilings holds, and above it there is no budget.
    #[test]
    fn m_036_phase_and_day_close_the_models() {
        for (phase, spent, ceiling) in [
            (Phase::Thriving, 0, Tier::T2),
            (Phase::Stable, 6, Tier::T2),
            (Phase::Stable, 7, Tier::T1),
            (Phase::Thriving, 9, Tier::T0),
            (Phase::Conservation, 0, Tier::T1),
            (Phase::Declining, 0, Tier::T1),
            (Phase::Terminal, 0, Tier::T0),
        ] {
            let mut purse = purse();
            purse.charge(Partition::Gas, Usdc::whole(spent));
            let means = Means::of_the_living(&purse, Usdc::ZERO, phase);
            assert_eq!(means.ceiling, ceiling, "{phase:?} after {spent}");
            for tier in Tier::ALL.into_iter().filter(|tier| *tier > ceiling) {
                assert_eq!(means.budget(tier), Usdc::ZERO, "{phase:?} {tier:?}");
            }
        }
    }

    /// M-027, M-028: twelve of sixty a day, what is promised taken off; the other partitions are not asked.
    #[test]
    fn m_028_what_is_left_is_the_days_share_of_one_partition() {
        let mut purse = purse();
        let left = |purse: &Purse, promised| Means::of_the_living(purse, promised, Phase::Stable).left;
        assert_eq!(left(&purse, Usdc::ZERO), Usdc::whole(12));
        assert_eq!(left(&purse, Usdc::whole(5)), Usdc::whole(7));
        assert_eq!(left(&purse, Usdc::whole(50)), Usdc::ZERO);
        purse.charge(Partition::Llm, Usdc::from_micros(11_999_000));
        let means = Means::of_the_living(&purse, Usdc::ZERO, Phase::Stable);
        assert_eq!((means.left, means.budget(Tier::T1)), (Usdc::from_micros(1_000), Usdc::ZERO), "M-036: 90% is gone");
    }

    /// M-131: hard token limits in Declining. M-195, M-199: the last call is long and bounded; M-211: of a rich death T3.
    #[test]
    fn m_199_the_dying_may_write_at_length_and_the_declining_may_not() {
        let declining = Means::of_the_living(&purse(), Usdc::ZERO, Phase::Declining);
        assert_eq!((declining.tokens(4_000), declining.tokens(100)), (512, 100));
        assert_eq!(Means::of_the_living(&purse(), Usdc::ZERO, Phase::Stable).tokens(4_000), 4_000);
        let dying_with = |micros| Means::of_the_dying(&DeathBudget::of(Usdc::from_micros(micros), 0));
        let dying = dying_with(9_000_000);
        assert_eq!((dying.ceiling, dying.tokens(20_000)), (Tier::T3, 8_000));
        assert_eq!(dying.budget(Tier::T3), Usdc::from_micros(250_000), "M-195: at most 0.25");
        let (standard, necrotic, last) = (dying_with(4_999_999), dying_with(300_000), dying_with(99_999));
        assert_eq!((standard.ceiling, standard.left), (Tier::T1, Usdc::from_micros(250_000)), "M-211: no large model");
        assert_eq!((necrotic.ceiling, necrotic.left), (Tier::T1, Usdc::from_micros(175_000)), "M-212");
        assert_eq!((last.left, standard.budget(Tier::T3)), (Usdc::ZERO, Usdc::ZERO), "M-212: rules alone");
    }
}
