//! What affect gives to memory.

/// Ticks of high arousal in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, serde::Serialize, serde::Deserialize)]
pub struct Flashbulb {
    ticks: u32,
}

impl Flashbulb {
    /// Whether this tick is burnt in: arousal above 0.7 for the second tick or more.
    pub fn notes(&mut self, arousal: f64) -> bool {
        self.ticks = if arousal > 0.7 { self.ticks.saturating_add(1) } else { 0 };
        self.ticks >= 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// two ticks above 0.7.
    #[test]
    fn a_105_two_aroused_ticks_burn_in() {
        let mut bulb = Flashbulb::default();
        let notes = [0.71, 0.71, 0.9, 0.7, 0.8, 0.8].map(|arousal| bulb.notes(arousal));
        assert_eq!(notes, [false, true, true, false, false, true]);
    }
}
