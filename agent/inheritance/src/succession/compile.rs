//! Step 2: the successor's settings from the predecessor's and the testament's hints (I-282).

use std::collections::{BTreeMap, BTreeSet};

/// What became of the hints.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Compiled {
    pub settings: BTreeMap<String, String>,
    /// Settings that follow the testament.
    pub followed: BTreeSet<String>,
    /// Settings the testament named and may not touch.
    pub refused: BTreeSet<String>,
}

/// Bytes of a hint's value at most.
const MOST_BYTES: usize = 256;

/// I-282, I-272. Compiles the successor's settings. A testament is a text of the dead: it may change a setting only where
/// the predecessor has one and the owner lets advice reach it, so it never names a budget, a key or an address.
#[must_use]
pub fn compile(
    predecessor: &BTreeMap<String, String>,
    hints: &[(String, String)],
    open_to_advice: &BTreeSet<String>,
) -> Compiled {
    let mut compiled = Compiled { settings: predecessor.clone(), ..Compiled::default() };
    for (name, value) in hints {
        let is_plain = value.len() <= MOST_BYTES && !value.chars().any(char::is_control);
        match compiled.settings.get_mut(name) {
            Some(setting) if is_plain && open_to_advice.contains(name) => {
                setting.clone_from(value);
                compiled.followed.insert(name.clone());
            }
            _ => {
                compiled.refused.insert(name.clone());
            }
        }
    }
    compiled
}

#[cfg(test)]
mod tests {
    use super::*;

    /// I-282: what is open to advice follows it, nothing else does.
    #[test]
    fn i_282_a_testament_reaches_only_what_the_owner_opened() {
        let pairs = |pairs: &[(&str, &str)]| pairs.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect::<Vec<_>>();
        let predecessor: BTreeMap<String, String> =
            pairs(&[("strategy.momentum.enabled", "true"), ("succession.budget_usdc", "50")]).into_iter().collect();
        let open = BTreeSet::from(["strategy.momentum.enabled".to_owned(), "strategy.new".to_owned()]);
        let hints = pairs(&[
            ("strategy.momentum.enabled", "false"),
            ("succession.budget_usdc", "1000000"),
            ("strategy.new", "x"),
        ]);
        let compiled = compile(&predecessor, &hints, &open);
        assert_eq!(compiled.settings["strategy.momentum.enabled"], "false");
        assert_eq!(compiled.settings["succession.budget_usdc"], "50", "the owner's money is not the dead's to give");
        assert_eq!(compiled.settings.len(), 2, "no setting is invented");
        assert_eq!((compiled.followed.len(), compiled.refused.len()), (1, 2));
        let odd = pairs(&[("strategy.momentum.enabled", "false\nkey = 1")]);
        assert_eq!(compile(&predecessor, &odd, &open).settings, predecessor, "one plain line or nothing");
    }
}
