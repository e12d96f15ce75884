//! P-062. What a Golem believes of its market, what it last claimed, and what came.

use golem_core::life::Life;
use golem_playbook::understanding::{MarketDomain, MarketQuestion};

use crate::shown::shown;
use crate::{Number, picture};

/// A quantity of a domain in the unit it is shown in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BelievedAmount {
    amount: f64,
    unit: &'static str,
}

shown! {
    BelievedAmount as told: {
        // As many as it deserves.
        let digits = if told.amount >= 100.0 { 0 } else { 3 };
        format!("{:.digits$} {}", told.amount, told.unit)
    } => told.amount;
}

picture! {
    /// One question of a domain.
    pub struct BeliefPicture {
        domain: &'static str = "domain",
        of: &'static str = "what",
        unit: &'static str,
        believes: BelievedAmount = "believed usual",
        /// How much of a deviation is believed to last.
        lasts: Number,
        said: Option<BelievedAmount> = "last said",
        came: Option<BelievedAmount> = "came",
    }
}

impl BeliefPicture {
    /// A row for each question; none before the first claim.
    pub(crate) fn all(life: &Life) -> Vec<Self> {
        let Some(understanding) = life.trader().map(|trader| &trader.understanding) else { return Vec::new() };
        let row = |question: MarketQuestion| {
            let belief = understanding.learnt().beliefs[question.domain as usize]?;
            let newest = understanding.newest(question);
            let (unit, one) = measure(question.domain);
            let measured = |logarithm: f64| BelievedAmount { amount: logarithm.exp() / one, unit };
            Some(Self {
                domain: question.domain.name(),
                of: question.words(),
                unit,
                believes: measured(belief.say(question.size, 0.0)),
                lasts: Number(belief.slope().value()),
                said: newest.map(|judged| measured(judged.claim.said)),
                came: newest.map(|judged| measured(judged.came)),
            })
        };
        MarketQuestion::ALL.into_iter().filter_map(row).collect()
    }
}

/// The unit a domain is shown in, and how much of the law's it is.
pub(crate) const fn measure(domain: MarketDomain) -> (&'static str, f64) {
    match domain {
        MarketDomain::Moves => ("%", 0.01),
        MarketDomain::Fees => ("USDC", 1.0),
        MarketDomain::Cost => ("gwei", 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shown as _;

    #[test]
    fn amounts_have_the_digits_they_deserve() {
        for (amount, unit, words) in [(0.052_34, "%", "0.052 %"), (12_345.6, "USDC", "12346 USDC")] {
            assert_eq!(BelievedAmount { amount, unit }.words(), words);
        }
    }
}
