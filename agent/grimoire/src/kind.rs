//! The five types of entry and what each says beyond its statement.

use std::collections::BTreeSet;
use std::time::Duration;

use golem_primitives::{Ppm, Tick};

use crate::id::EntryId;
use crate::retention::DecayClass;
use golem_primitives::words;

words! {
    /// G-011, G-022. The five canonical types of entry.
    Kind {
        /// G-012. A reusable rule distilled from episodes.
        Insight = "insight",
        /// G-013. A condition and an action: what PLAYBOOK.md holds.
        Heuristic = "heuristic",
        /// G-014. Negative knowledge.
        Warning = "warning",
        /// G-015. One market variable moves another.
        CausalLink = "causal_link",
        /// G-016. A part of a strategy.
        StrategyFragment = "strategy_fragment",
    }
}

impl Kind {
    /// G-106. How likely an entry of this type is to be of use, before anything is known of it.
    #[must_use]
    pub const fn prior(self) -> Ppm {
        match self {
            Self::Warning => Ppm::of(900_000),
            Self::CausalLink => Ppm::of(700_000),
            Self::Heuristic => Ppm::of(600_000),
            Self::Insight => Ppm::of(500_000),
            Self::StrategyFragment => Ppm::of(400_000),
        }
    }

    /// GG-9. The decay class of an entry whose maker named none.
    #[must_use]
    pub const fn default_class(self, domain: Domain, has_regime: bool) -> DecayClass {
        match self {
            Self::CausalLink => DecayClass::Structural,
            _ if matches!(domain, Domain::Protocol) => DecayClass::Structural,
            Self::Warning => DecayClass::RegimeConditional,
            _ if has_regime => DecayClass::RegimeConditional,
            _ => DecayClass::Tactical,
        }
    }
}

words! {
    /// G-040. What an entry is about; inheritance samples by it.
    Domain {
        GasMev = "gas_mev",
        PriceDirection = "price_direction",
        /// How much they jump.
        Volatility = "volatility",
        Yield = "yield",
        Protocol = "protocol",
        Governance = "governance",
        MarketStructure = "market_structure",
        CrossChain = "cross_chain",
        General = "general",
    }
}

words! {
    /// G-047. How bad what a warning warns of is.
    WarningSeverity {
        Low = "low",
        Medium = "medium",
        High = "high",
        Critical = "critical",
    }
}

words! {
    /// What stands behind a causal link: seen together is not yet caused.
    CausalBasis {
        /// Seen together with a lag.
        Associational = "associational",
        /// The Golem moved one and saw the other move.
        Intervention = "intervention",
    }
}

/// G-015, G-047, G-128, G-130. A directed relation between two market variables.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct CausalLink {
    /// What moves first.
    pub cause: String,
    /// What moves after.
    pub effect: String,
    /// G-128. How strong the relation is.
    pub weight: Ppm,
    /// G-128. How often it was seen.
    pub evidence: u32,
    /// G-130. Ticks within which the effect moves.
    pub lag_ticks: u64,
    /// Whether it moves the same way.
    pub is_alike: bool,
    /// G-130. When it was last seen.
    pub last_fired: Tick,
    pub basis: CausalBasis,
    pub mechanism: Option<String>,
}

impl CausalLink {
    /// G-134. As an heir receives it: what it weighs is counted anew.
    #[must_use]
    pub fn inherited(&self) -> Self {
        const WEIGHT: Ppm = Ppm::of(300_000);
        Self { weight: WEIGHT, basis: CausalBasis::Associational, ..self.clone() }
    }

    /// Whether both say the same, whatever their numbers.
    #[must_use]
    pub fn says_the_same(&self, other: &Self) -> bool {
        (&self.cause, &self.effect, self.lag_ticks, self.is_alike)
            == (&other.cause, &other.effect, other.lag_ticks, other.is_alike)
    }
}

/// How the action of a rule begins that says to leave something alone.
pub(crate) const AVOID: &str = "avoid ";

/// What an entry says beyond its statement, by type (G-047).
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryBody {
    /// G-012.
    Insight,
    /// G-013, G-017. When the condition holds, do the action, because of the reason.
    Heuristic {
        when: String,
        act: String,
        because: String,
        /// G-017. The insights it is derived from.
        derived_from: BTreeSet<EntryId>,
    },
    /// G-014.
    Warning {
        severity: WarningSeverity,
        /// C33. How long it holds; without one its class decides.
        ttl: Option<Duration>,
    },
    /// G-015.
    CausalLink(CausalLink),
    /// G-016.
    StrategyFragment { entry: String, exit: String, sizing: String },
}

impl EntryBody {
    /// The type of the entry.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Insight => Kind::Insight,
            Self::Heuristic { .. } => Kind::Heuristic,
            Self::Warning { .. } => Kind::Warning,
            Self::CausalLink(_) => Kind::CausalLink,
            Self::StrategyFragment { .. } => Kind::StrategyFragment,
        }
    }

    /// G-017. The statement that the parts make, for the types whose parts make one.
    #[must_use]
    pub fn statement(&self) -> Option<String> {
        match self {
            Self::Heuristic { when, act, because, .. } => Some(format!("When {when}, {act}, because {because}.")),
            Self::CausalLink(link) => {
                let way = if link.is_alike { "the same way" } else { "the other way" };
                let CausalLink { cause, effect, lag_ticks, .. } = link;
                Some(match &link.mechanism {
                    Some(why) => format!("{cause} moves {effect} {way} within {lag_ticks} ticks because {why}."),
                    None => format!("Where {cause} goes, {effect} goes {way} within {lag_ticks} ticks."),
                })
            }
            Self::Insight | Self::Warning { .. } | Self::StrategyFragment { .. } => None,
        }
    }

    /// Every text of the parts.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        let texts: [Option<&str>; 3] = match self {
            Self::Heuristic { when, act, because, .. } => [Some(when), Some(act), Some(because)],
            Self::CausalLink(link) => [Some(&link.cause), Some(&link.effect), link.mechanism.as_deref()],
            Self::StrategyFragment { entry, exit, sizing } => [Some(entry), Some(exit), Some(sizing)],
            Self::Insight | Self::Warning { .. } => [None; 3],
        };
        texts.into_iter().flatten()
    }

    /// How many insights it is derived from.
    pub(crate) fn derived_from(&self) -> usize {
        match self {
            Self::Heuristic { derived_from, .. } => derived_from.len(),
            _ => 0,
        }
    }

    /// What is missing from the parts, or `None`.
    pub(crate) fn missing(&self) -> Option<&'static str> {
        let empty = |text: &str| text.trim().is_empty();
        match self {
            Self::Heuristic { derived_from, .. } if derived_from.is_empty() => Some("an insight it is derived from"),
            Self::Heuristic { when, .. } if empty(when) => Some("a condition"),
            Self::Heuristic { act, .. } if empty(act) => Some("an action"),
            Self::CausalLink(link) if empty(&link.cause) || empty(&link.effect) => Some("two variables"),
            Self::CausalLink(link) if link.evidence == 0 => Some("supporting evidence"),
            Self::StrategyFragment { entry, exit, sizing } if empty(entry) && empty(exit) && empty(sizing) => {
                Some("entry, exit or sizing")
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// G-011, G-022, G-018: five types, and an insight is one of them.
    #[test]
    fn g_011_there_are_five_types() {
        let words: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
        assert_eq!(words, ["insight", "heuristic", "warning", "causal_link", "strategy_fragment"]);
        assert_eq!(Kind::from_name("hypothesis"), None, "G-020: hypotheses stay in staging");
        assert_eq!(Kind::from_name("observation"), None);
    }

    /// G-106.
    #[test]
    fn g_106_priors_prefer_warnings() {
        let parts: Vec<u32> = Kind::ALL.iter().map(|kind| kind.prior().get()).collect();
        assert_eq!(parts, [500_000, 600_000, 900_000, 700_000, 400_000]);
    }

    /// G-029: the default classes of GG-9.
    #[test]
    fn g_029_default_classes_follow_type_and_domain() {
        for (kind, domain, regime, class) in [
            (Kind::CausalLink, Domain::GasMev, true, DecayClass::Structural),
            (Kind::Insight, Domain::Protocol, true, DecayClass::Structural),
            (Kind::Insight, Domain::GasMev, true, DecayClass::RegimeConditional),
            (Kind::Heuristic, Domain::GasMev, false, DecayClass::Tactical),
            (Kind::Warning, Domain::General, false, DecayClass::RegimeConditional),
        ] {
            assert_eq!(kind.default_class(domain, regime), class, "{kind} {domain} {regime}");
        }
    }

    /// G-013, G-016, G-017, G-128: parts that an entry must not lack.
    #[test]
    fn g_017_parts_make_the_statement_and_none_may_lack() {
        let id = "0192f0c1-5b00-7abc-8def-0123456789ab".parse().expect("a UUID");
        let heuristic = |derived: BTreeSet<EntryId>, when: &str| EntryBody::Heuristic {
            when: when.into(),
            act: "wait".into(),
            because: "gas falls at night".into(),
            derived_from: derived,
        };
        let whole = heuristic(BTreeSet::from([id]), "gas is high");
        assert_eq!(whole.missing(), None);
        assert_eq!(whole.statement().as_deref(), Some("When gas is high, wait, because gas falls at night."));
        assert_eq!(heuristic(BTreeSet::new(), "x").missing(), Some("an insight it is derived from"));
        assert_eq!(heuristic(BTreeSet::from([id]), " ").missing(), Some("a condition"));

        let mut link = CausalLink {
            cause: "gas".into(),
            effect: "spread".into(),
            weight: Ppm::of(400_000),
            evidence: 3,
            lag_ticks: 2,
            is_alike: false,
            last_fired: Tick::new(9),
            basis: CausalBasis::Associational,
            mechanism: None,
        };
        assert_eq!(
            EntryBody::CausalLink(link.clone()).statement().as_deref(),
            Some("Where gas goes, spread goes the other way within 2 ticks.")
        );
        link.mechanism = Some("makers wait".into());
        let said = EntryBody::CausalLink(link.clone()).statement();
        assert_eq!(said.as_deref(), Some("gas moves spread the other way within 2 ticks because makers wait."));
        link.evidence = 0;
        assert_eq!(EntryBody::CausalLink(link).missing(), Some("supporting evidence"));
        let empty = EntryBody::StrategyFragment { entry: String::new(), exit: " ".into(), sizing: String::new() };
        assert!(empty.missing().is_some(), "G-016");
    }

    /// G-040: nine domains, read back by name.
    #[test]
    fn g_040_domains_read_back_by_name() {
        assert_eq!(Domain::ALL.len(), 9);
        assert!(Domain::ALL.iter().all(|domain| Domain::from_name(domain.name()) == Some(*domain)));
    }
}
