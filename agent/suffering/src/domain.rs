//! Where something happens, in parts that can be compared.

use crate::action::GoalClass;
use crate::text::Key;

/// S-083. A place of work: protocol, class of action, pair of assets, regime; each may be left open.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, serde::Serialize, serde::Deserialize)]
pub struct WorkDomain {
    pub protocol: Option<Key>,
    pub class: Option<GoalClass>,
    pub pair: Option<Key>,
    pub regime: Option<Key>,
}

impl WorkDomain {
    /// Whether nothing is said.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.protocol.is_none() && self.class.is_none() && self.pair.is_none() && self.regime.is_none()
    }

    /// S-083. Whether `place` lies within this domain: every part it names is the same there. A domain that names
    /// nothing covers nothing.
    #[must_use]
    pub fn covers(&self, place: &Self) -> bool {
        fn agrees<T: PartialEq>(part: Option<&T>, there: Option<&T>) -> bool {
            part.is_none() || part == there
        }
        !self.is_open()
            && agrees(self.protocol.as_ref(), place.protocol.as_ref())
            && agrees(self.class.as_ref(), place.class.as_ref())
            && agrees(self.pair.as_ref(), place.pair.as_ref())
            && agrees(self.regime.as_ref(), place.regime.as_ref())
    }

    /// Its parts in one line, for keys of tables: `protocol/class/pair/regime`.
    #[must_use]
    pub fn path(&self) -> String {
        let word = |key: Option<&Key>| key.map_or_else(|| "-".to_owned(), Key::to_string);
        let class = self.class.map_or("-", GoalClass::name);
        format!("{}/{class}/{}/{}", word(self.protocol.as_ref()), word(self.pair.as_ref()), word(self.regime.as_ref()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// S-083: parts are compared, never prose.
    #[test]
    fn s_083_domains_match_by_part() {
        let uniswap = WorkDomain { protocol: Key::new("Uniswap V3"), ..WorkDomain::default() };
        let pair = WorkDomain { pair: Key::new("WETH/USDC"), ..uniswap.clone() };
        assert!(uniswap.covers(&pair) && !pair.covers(&uniswap) && pair.covers(&pair));
        assert!(
            !uniswap.covers(&WorkDomain { protocol: Key::new("uniswap"), ..WorkDomain::default() }),
            "no substring"
        );
        assert!(!WorkDomain::default().covers(&pair), "nothing covers nothing");
        assert_eq!(pair.path(), "uniswap_v3/-/weth_usdc/-");
    }
}
