//! What the Golem says of the market, domain by domain, and how well it knows each.

use golem_primitives::Ppm;

use crate::score::Score;

/// The five things a market state says (M-057).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StateDomain {
    Price,
    Volatility,
    Yield,
    Gas,
    /// Whether the protocol behaves.
    Protocol,
}

/// A domain's weight in the accuracy and the pace of its fitness.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DomainLaw {
    pub domain: StateDomain,
    /// M-057. Weight in the accuracy of a tick.
    pub weight: Ppm,
    /// M-059. Pace of its fitness: the faster the domain changes, the sooner old success is forgotten.
    pub alpha: f64,
}

/// M-057, M-059. Weights sum to one.
pub const DOMAINS: [DomainLaw; 5] = [
    DomainLaw { domain: StateDomain::Price, weight: Ppm::of(350_000), alpha: 0.02 },
    DomainLaw { domain: StateDomain::Volatility, weight: Ppm::of(250_000), alpha: 0.005 },
    DomainLaw { domain: StateDomain::Yield, weight: Ppm::of(200_000), alpha: 0.003 },
    DomainLaw { domain: StateDomain::Gas, weight: Ppm::of(100_000), alpha: 0.05 },
    DomainLaw { domain: StateDomain::Protocol, weight: Ppm::of(100_000), alpha: 0.001 },
];

/// M-061. Fitness below which a domain fails.
pub const DOMAIN_FAILURE: Ppm = Ppm::of(200_000);

/// Three-way category of a domain (M-058), in the order down/low/decreasing/cheap/degraded, flat/medium/stable/normal,
/// up/high/increasing/expensive/upgraded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Price down, volatility low, yield decreasing, gas cheap, protocol degraded.
    Low,
    /// Price flat, volatility medium, yield stable, gas normal, protocol normal.
    Middle,
    /// Price up, volatility high, yield increasing, gas expensive, protocol upgraded.
    High,
}

impl StateDomain {
    /// M-058. The catalogue's word for a level of this domain.
    #[must_use]
    pub const fn word(self, level: Level) -> &'static str {
        let words = match self {
            Self::Price => ["down", "flat", "up"],
            Self::Volatility => ["low", "medium", "high"],
            Self::Yield => ["decreasing", "stable", "increasing"],
            Self::Gas => ["cheap", "normal", "expensive"],
            Self::Protocol => ["degraded", "normal", "upgraded"],
        };
        words[level as usize]
    }

    /// The domain's name in events.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Price => "price_direction",
            Self::Volatility => "volatility_regime",
            Self::Yield => "yield_trend",
            Self::Gas => "gas_condition",
            Self::Protocol => "protocol_state",
        }
    }
}

/// A market state, predicted in SENSING or observed after the tick (M-064): one level per domain in the order of
/// [`DOMAINS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct MarketState(pub [Level; 5]);

/// Which domains were predicted right in a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Matches(pub [bool; 5]);

impl Matches {
    /// Compares what was said with what was.
    #[must_use]
    pub fn between(predicted: &MarketState, observed: &MarketState) -> Self {
        Self(std::array::from_fn(|domain| predicted.0[domain] == observed.0[domain]))
    }

    /// M-057. The weighted share of what was right.
    #[must_use]
    pub fn accuracy(&self) -> Ppm {
        DOMAINS
            .iter()
            .zip(self.0)
            .filter(|(_, right)| *right)
            .fold(Ppm::ZERO, |sum, (law, _)| sum.saturating_add(law.weight))
    }
}

/// Fitness of each domain, in the order of [`DOMAINS`].
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct DomainFitness(pub [Score; 5]);

impl Default for DomainFitness {
    fn default() -> Self {
        Self([Score::HALF; 5])
    }
}

impl DomainFitness {
    /// M-059. One tick's matches; `alphas` in the order of [`DOMAINS`], which an owner may override.
    #[must_use]
    pub fn observe(&self, matches: Matches, alphas: &[Score; 5]) -> Self {
        Self(std::array::from_fn(|domain| {
            let sample = if matches.0[domain] { Score::ONE } else { Score::ZERO };
            self.0[domain].toward(sample, alphas[domain])
        }))
    }

    /// M-060. The weighted mean of the domains, for diagnosis only.
    #[must_use]
    pub fn composite(&self) -> Score {
        Score::held(DOMAINS.iter().zip(self.0).map(|(law, fitness)| law.weight.as_f64() * fitness.get()).sum())
    }

    /// M-061. Which domains fail.
    #[must_use]
    pub fn failing(&self) -> [bool; 5] {
        self.0.map(|fitness| fitness.ppm() < DOMAIN_FAILURE)
    }
}

/// M-059. The default paces.
#[must_use]
pub fn default_alphas() -> [Score; 5] {
    DOMAINS.map(|law| Score::held(law.alpha))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// M-057, M-060: W-77.
    #[test]
    fn m_057_weighted_accuracy_and_m_060_composite_meet_w_77() {
        assert_eq!(Matches([true, true, false, false, false]).accuracy(), Ppm::of(600_000), "W-77");
        assert_eq!(Matches([true, true, true, false, true]).accuracy(), Ppm::of(900_000), "W-77");
        assert_eq!(Matches([true; 5]).accuracy(), Ppm::ONE);
        let domains = DomainFitness([0.6, 0.7, 0.8, 0.4, 0.9].map(Score::held));
        assert_eq!(domains.composite().ppm(), Ppm::of(675_000), "M-060, W-77");
    }

    /// M-059: W-78. Ticks until half of the way to a new truth is covered.
    #[test]
    fn m_059_half_response_meets_w_78() {
        for (alpha, ticks) in [(0.05, 14), (0.02, 35), (0.005, 139), (0.003, 231), (0.001, 693)] {
            let mut fitness = Score::ONE;
            let mut passed = 0;
            while fitness.get() > 0.5 {
                fitness = fitness.toward(Score::ZERO, Score::held(alpha));
                passed += 1;
            }
            assert_eq!(passed, ticks, "W-78 alpha {alpha}");
        }
        let alphas = default_alphas().map(Score::get);
        assert_eq!(alphas, [0.02, 0.005, 0.003, 0.05, 0.001], "M-059");
    }

    /// M-058: categories and their words.
    #[test]
    fn m_058_categories_match_exactly() {
        use Level::{High, Low, Middle};
        let predicted = MarketState([High, Low, Middle, Middle, Middle]);
        let observed = MarketState([High, Middle, Middle, High, Middle]);
        let matches = Matches::between(&predicted, &observed);
        assert_eq!(matches, Matches([true, false, true, false, true]));
        assert_eq!(matches.accuracy(), Ppm::of(650_000));
        assert_eq!(StateDomain::Price.word(High), "up");
        assert_eq!(StateDomain::Volatility.word(Middle), "medium");
        assert_eq!(StateDomain::Yield.word(Low), "decreasing");
        assert_eq!(StateDomain::Gas.word(High), "expensive");
        assert_eq!(StateDomain::Protocol.word(Low), "degraded");
        assert_eq!(StateDomain::Price.name(), "price_direction");
    }

    /// M-061: only a domain that keeps failing fails.
    #[test]
    fn m_061_a_domain_fails_below_0_2() {
        let mut domains = DomainFitness::default();
        let mut ticks = 0;
        while !domains.failing()[3] {
            domains = domains.observe(Matches([true, true, true, false, true]), &default_alphas());
            ticks += 1;
        }
        assert_eq!(ticks, 18, "0.5 * 0.95^18 is the first below 0.2");
        assert_eq!(domains.failing(), [false, false, false, true, false]);
        assert_eq!(DomainFitness([Score::held(0.2); 5]).failing(), [false; 5]);
    }
}
