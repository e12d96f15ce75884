//! Which keys a life follows.

use super::table::KeyDescription;

/// Keys that are read and checked, and that nothing follows yet: the catalogue has them (M-288 to M-297), and the part of a
/// life they would govern is missing or has numbers of its own. A name that ends in a dot means its whole section. Who makes
/// one of them count takes it out of here.
const WAITING: [&str; 16] = [
    "mortality.experiment",
    "mortality.economic.terminal_threshold",
    "mortality.epistemic.pnl_minimum_trades",
    "mortality.epistemic.pnl_fitness_window",
    "mortality.stochastic.seed",
    "mortality.affect.appraisal_model",
    "mortality.affect.record_context",
    "mortality.demurrage.",
    "mortality.phage.",
    "mortality.thanatopsis.",
    "mortality.succession.inheritance_confidence",
    "mortality.succession.inherit_clade",
    "mortality.styx.",
    "mortality.regime.",
    "mortality.dream.",
    "mortality.information.",
];

impl KeyDescription {
    /// Whether a life follows this key; an owner is told where none does.
    #[must_use]
    pub fn is_in_force(&self) -> bool {
        !WAITING.iter().any(|waiting| self.key == *waiting || (waiting.ends_with('.') && self.key.starts_with(waiting)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Config, Hosting};

    /// What an owner might write for a key; those that do not fit are refused and tried no further.
    const TRIED: [&str; 13] =
        ["true", "false", "0.12", "0.07", "0.45", "12", "150", "700", "5000", "2e-6", "2.5", "0.85", "\"rule-based\""];

    /// The laws that follow from another value of a key alone.
    fn others(key: &str) -> Vec<bool> {
        let (table, name) = key.rsplit_once('.').expect("a key lies in a table");
        let usual = Config::default();
        let law = usual.law(Hosting::Hosted).expect("valid");
        let texts = TRIED.iter().map(|value| format!("[{table}]\n{name} = {value}\n"));
        let read = texts.filter_map(|text| Config::read(&text, Hosting::Hosted, &[]).ok());
        let changed = read.filter(|config| config.value(key) != usual.value(key));
        changed.map(|config| config.law(Hosting::Hosted).expect("valid") != law).collect()
    }

    /// M-288 to M-297: no key that changes the law is said to wait, and every key of the sections that make it changes it.
    #[test]
    fn m_288_what_is_said_to_wait_changes_no_law() {
        let makes_law =
            ["mortality.vitality.", "mortality.stochastic.", "mortality.epistemic.", "mortality.economic.death"];
        // Bound to others, or never off: one alone cannot be changed, or changes nothing.
        let bound = ["enabled", "predictions."];
        let mut seen = 0;
        for row in Config::describe() {
            let changes = others(&row.key);
            if !row.is_in_force() {
                assert!(!changes.contains(&true), "{} is said to wait and changes the law", row.key);
            } else if makes_law.iter().any(|section| row.key.starts_with(section))
                && !bound.iter().any(|part| row.key.contains(part))
            {
                assert!(changes.contains(&true), "{} is said to be in force and changes nothing", row.key);
                seen += 1;
            }
        }
        assert!(seen > 15, "{seen}");
    }
}
