//! Warnings that are given once.

/// MG-07. Fires when a value falls below its edge and not again before it has risen above it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Alarm {
    is_below: bool,
}

impl Alarm {
    /// Looks at the value; whether the warning is to be given now.
    pub const fn observe(&mut self, is_below: bool) -> bool {
        let fires = is_below && !self.is_below;
        self.is_below = is_below;
        fires
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// MG-07, M-018, M-056.
    #[test]
    fn mg_07_a_warning_is_given_on_the_way_down_only() {
        let mut alarm = Alarm::default();
        let fired = [false, true, true, false, true].map(|below| alarm.observe(below));
        assert_eq!(fired, [false, true, false, false, true]);
    }
}
