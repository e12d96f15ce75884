//! The Weismann barrier: what a life was sure of, its heir is less sure of, once and not twice.

use golem_grimoire::confidence::Confidence;
use golem_grimoire::entry::Knowledge;
use golem_primitives::Ppm;

/// I-163. What remains at each sync within the Clade.
pub const CLADE_FACTOR: Ppm = Ppm::of(800_000);

/// I-165, I-166. What the seed does not have and an owner may turn on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WeismannLaw {
    /// I-165. The least that is left of an entry, so that its attribution survives; the companion says 0.01.
    pub floor: Option<Confidence>,
    /// I-166. Whether feelings slow the decay.
    pub emotional_bonus: bool,
}

/// I-165. The floor of the companion.
pub const FLOOR: Confidence = Confidence::of(10_000);

/// I-166. What an entry was felt with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct EntryFeeling {
    /// How varied the moods were in which it was confirmed.
    pub diversity: Ppm,
    pub is_redemptive: bool,
    pub from_testament: bool,
}

/// I-166. The least that feelings leave.
const FELT_FLOOR: f64 = 0.05;

impl WeismannLaw {
    /// I-160, I-161, I-361. What an entry worth `bequeathed` is worth to the Golem of that generation: `c * 0.85^gen`,
    /// one multiplier for all entries of a succession. Generation 0 inherits nothing and loses nothing.
    #[must_use]
    pub fn inherited(&self, bequeathed: Confidence, heir_generation: u32) -> Confidence {
        let decayed = bequeathed.inherited(heir_generation);
        match self.floor {
            Some(floor) if heir_generation > 0 => decayed.max(floor.min(bequeathed)),
            _ => decayed,
        }
    }

    /// I-166. The same with what was felt, when the owner turned that on: never more than it was worth.
    #[must_use]
    pub fn inherited_felt(&self, bequeathed: Confidence, heir_generation: u32, feeling: EntryFeeling) -> Confidence {
        let plain = self.inherited(bequeathed, heir_generation);
        if !self.emotional_bonus {
            return plain;
        }
        let bonus = 0.1 * feeling.diversity.as_f64()
            + 0.05 * f64::from(u8::from(feeling.is_redemptive))
            + 0.03 * f64::from(u8::from(feeling.from_testament));
        Confidence::round((plain.as_f64() + bonus).max(FELT_FLOOR)).min(bequeathed)
    }
}

/// I-162. What a dead Golem's entry is worth before the barrier: as it stands if the dead made it or confirmed it, else
/// what it was worth before it was discounted for the dead. So nothing is discounted twice.
#[must_use]
pub fn bequeathed(entry: &Knowledge) -> Confidence {
    let is_untouched = entry.draft.source.provenance.is_inherited() && entry.validated == 0;
    // A contradiction touched it too: the heir is told what is left, not what it was before.
    if is_untouched && entry.contradicted == 0 { entry.draft.original_confidence } else { entry.confidence }
}

/// I-267. What is left after the barrier in whole percent, for a preview.
#[must_use]
pub fn percent_left(heir_generation: u32) -> u8 {
    let share = Confidence::CERTAIN.inherited(heir_generation);
    u8::try_from((share.get().get() + 5_000) / 10_000).unwrap_or(100)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PLAIN: WeismannLaw = WeismannLaw { floor: None, emotional_bonus: false };

    fn c(parts: u32) -> Confidence {
        Confidence::of(parts)
    }

    /// I-160, I-161, M-278: W-01, W-02, W-03. The cap of 0.4 that M-278 adds is not there for a genome (C-01, decisions).
    #[test]
    fn i_160_w_01_the_barrier_takes_its_share_of_each_generation() {
        for (worth, generation, left) in [
            (900_000, 0, 900_000),
            (900_000, 1, 765_000),
            (900_000, 2, 650_250),
            (900_000, 3, 552_712),
            (950_000, 3, 583_419),
            (900_000, 5, 399_335),
            (900_000, 10, 177_187),
        ] {
            assert_eq!(PLAIN.inherited(c(worth), generation), c(left), "{worth} at {generation}");
        }
        let multipliers: Vec<u32> = (1..4).map(|g| PLAIN.inherited(Confidence::CERTAIN, g).get().get()).collect();
        assert_eq!(multipliers, [850_000, 722_500, 614_125], "I-160");
    }

    /// I-160: W-04. The first generation that sees less than a threshold.
    #[test]
    fn i_160_w_04_knowledge_fades_out_of_a_line() {
        for (threshold, generation) in [(400_000, 5), (100_000, 14), (50_000, 18)] {
            let first = (0..).find(|g| PLAIN.inherited(c(900_000), *g) < c(threshold));
            assert_eq!(first, Some(generation), "W-04 {threshold}");
        }
    }

    /// I-162: W-05. Applied to what was already discounted it would give other numbers; they must not appear.
    #[test]
    fn i_162_w_05_the_naive_chain_is_another_one() {
        let mut stored = c(900_000);
        let naive: Vec<u32> = (1..4)
            .map(|generation| {
                stored = PLAIN.inherited(stored, generation);
                stored.get().get()
            })
            .collect();
        let worked = [765_000u32, 552_712, 339_435];
        assert!(naive.iter().zip(worked).all(|(got, want)| got.abs_diff(want) <= 1), "W-05: what must not happen");
        let right: Vec<u32> = (1..4).map(|g| PLAIN.inherited(c(900_000), g).get().get()).collect();
        assert_eq!(right, [765_000, 650_250, 552_712], "I-162");
    }

    /// I-267: W-06.
    #[test]
    fn i_267_w_06_previews_show_whole_percent() {
        assert_eq!([1, 2, 3, 4, 5].map(percent_left), [85, 72, 61, 52, 44], "W-06");
        assert_eq!(percent_left(0), 100);
    }

    /// I-163: two factors for two ways.
    #[test]
    fn i_163_succession_and_sync_have_their_own_factors() {
        assert_eq!(Confidence::CERTAIN.inherited(1).get(), Ppm::of(850_000));
        assert_eq!(c(400_000).from_clade().get(), c(400_000).get().times_down(CLADE_FACTOR));
    }

    /// I-165, M-278: a floor of 0.01, off by default, and never a gift.
    #[test]
    fn i_165_a_floor_keeps_attribution_when_asked_for() {
        let floored = WeismannLaw { floor: Some(FLOOR), ..PLAIN };
        assert_eq!(PLAIN.inherited(c(900_000), 60), c(52), "the seed has no floor");
        assert_eq!(floored.inherited(c(900_000), 60), c(10_000));
        assert_eq!(floored.inherited(c(4_000), 60), c(4_000), "a floor never raises above the source");
        assert_eq!(floored.inherited(c(900_000), 0), c(900_000), "generation 0 is undecayed");
        assert_eq!(WeismannLaw::default(), PLAIN);
    }

    /// I-166, M-279: 0.1, 0.05 and 0.03 on top, within 0.05 and what it was worth; off unless the owner wants it.
    #[test]
    fn i_166_feelings_slow_the_decay_only_when_turned_on() {
        let feeling = EntryFeeling { diversity: Ppm::ONE, is_redemptive: true, from_testament: true };
        let felt = WeismannLaw { emotional_bonus: true, ..PLAIN };
        assert_eq!(PLAIN.inherited_felt(c(900_000), 3, feeling), c(552_712), "off by default");
        assert_eq!(felt.inherited_felt(c(900_000), 3, feeling), c(732_712));
        assert_eq!(felt.inherited_felt(c(900_000), 1, feeling), c(900_000), "clamped at what it was worth");
        assert_eq!(felt.inherited_felt(c(900_000), 90, EntryFeeling::default()), c(50_000));
    }

    proptest! {
        /// I-361: non-increasing in the generation, linear in what was bequeathed, and never above it.
        #[test]
        fn i_361_decay_is_monotone_and_linear(a in 0u32..=500_000, b in 0u32..=500_000, generation in 0u32..30) {
            let of = |parts| PLAIN.inherited(c(parts), generation).get().get();
            prop_assert!(PLAIN.inherited(c(a), generation + 1) <= PLAIN.inherited(c(a), generation));
            prop_assert!(of(a).abs_diff(a) == a - of(a));
            prop_assert!(of(a + b).abs_diff(of(a) + of(b)) <= 1, "linear but for the last rounding");
        }
    }
}
