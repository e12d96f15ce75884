//! What is worth an appraisal.

use golem_mortality::ring::Ring;
use golem_primitives::Ppm;

use crate::trigger::{Trigger, TriggerKind};

/// Appraisals among which an event's kind is old.
pub const MEMORY: usize = 20;
/// Magnitude above which even an old kind counts.
pub const LOUD: Ppm = Ppm::of(300_000);
/// Appraisals in a tick.
pub const PER_TICK: usize = 10;

/// The kinds appraised last.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Attention {
    recent: Ring<Option<TriggerKind>, MEMORY>,
}

/// One event with how loud it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Heard {
    pub trigger: Trigger,
    pub magnitude: Ppm,
}

/// What a tick attends to.
#[derive(Debug, Clone, PartialEq)]
pub struct Attended {
    pub heard: Vec<Heard>,
    /// What was loud enough and had to be left.
    pub left: usize,
}

impl Attention {
    /// Whether an event is appraised. Above one, `sensitivity` makes quieter events loud.
    #[must_use]
    pub fn fires(&self, heard: &Heard, sensitivity: f64) -> bool {
        let kind = heard.trigger.kind();
        let is_new = !self.recent.iter().any(|seen| *seen == Some(kind));
        is_new || heard.trigger.is_mandatory() || Ppm::round(heard.magnitude.as_f64() * sensitivity) > LOUD
    }

    /// What of a tick's events is appraised: at most ten, what is mandatory first, then the loudest; of
    /// equals the earlier one. What is appraised is remembered.
    pub fn attend(&mut self, heard: &[Heard], sensitivity: f64) -> Attended {
        let mut fired: Vec<Heard> = Vec::new();
        for one in heard {
            // Two of a kind in one tick: the second is no longer new.
            let repeats = fired.iter().any(|earlier| earlier.trigger.kind() == one.trigger.kind());
            let loud = Ppm::round(one.magnitude.as_f64() * sensitivity) > LOUD;
            if self.fires(one, sensitivity) && (!repeats || loud || one.trigger.is_mandatory()) {
                fired.push(*one);
            }
        }
        fired.sort_by_key(|one| (std::cmp::Reverse(one.trigger.is_mandatory()), std::cmp::Reverse(one.magnitude)));
        let left = fired.len().saturating_sub(PER_TICK);
        fired.truncate(PER_TICK);
        for one in &fired {
            self.recent.push(Some(one.trigger.kind()));
        }
        Attended { heard: fired, left }
    }
}

#[cfg(test)]
mod tests {
    use golem_primitives::Bps;

    use super::*;

    fn heard(trigger: Trigger, magnitude: u32) -> Heard {
        Heard { trigger, magnitude: Ppm::of(magnitude) }
    }

    const LOSS: Trigger = Trigger::TradeLoss { loss: Bps::ZERO };

    /// new, loud or mandatory; else the mood only decays.
    #[test]
    fn a_030_what_is_new_loud_or_mandatory_is_appraised() {
        let mut attention = Attention::default();
        let quiet = heard(LOSS, 300_000);
        assert!(attention.fires(&quiet, 1.0), "never seen");
        assert_eq!(attention.attend(&[quiet], 1.0).heard.len(), 1);
        assert!(!attention.fires(&quiet, 1.0), "seen, and exactly at the threshold");
        assert!(attention.fires(&heard(LOSS, 300_001), 1.0), "loud");
        assert!(attention.fires(&quiet, 1.5), "A-053: raised sensitivity");
        assert!(attention.fires(&heard(Trigger::RegimeShift, 0), 1.0));
        let curator = heard(Trigger::CuratorCycle, 0);
        for _ in 0..MEMORY {
            attention.attend(&[curator], 1.0);
        }
        assert!(attention.fires(&quiet, 1.0), "twenty appraisals later it is new again");
        assert!(attention.fires(&curator, 1.0), "mandatory, however often");
    }

    /// ten at most, mandatory before loud before quiet.
    #[test]
    fn a_033_ten_appraisals_are_the_most() {
        let mut events: Vec<Heard> = (0..12).map(|step| heard(LOSS, 400_000 + step * 1_000)).collect();
        events.push(heard(Trigger::RegimeShift, 10_000));
        let attended = Attention::default().attend(&events, 1.0);
        assert_eq!((attended.heard.len(), attended.left), (PER_TICK, 3));
        assert_eq!(attended.heard[0].trigger, Trigger::RegimeShift);
        assert_eq!(attended.heard[1].magnitude, Ppm::of(411_000));
        let twice = Attention::default().attend(&[heard(LOSS, 1), heard(LOSS, 1)], 1.0);
        assert_eq!(twice.heard.len(), 1, "the second of a tick is no longer new");
    }
}
