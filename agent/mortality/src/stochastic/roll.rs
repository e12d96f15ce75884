//! The deterministic death roll.

use golem_primitives::{BlockHash, GolemId, Tick, keccak256};

use super::hazard::{Hazard, TWO_POW_64};

/// A roll in [0, 1) as an integer in units of 2^-64.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Roll(pub u64);

/// What is hashed behind the id and the tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Salt {
    /// Nothing: the vectors of the catalogue.
    #[default]
    Empty,
    /// The newest block at confirmation depth, so that nobody can compute a death in advance.
    Block(BlockHash),
    /// A simulation's seed, appended in eight big-endian bytes (C-15).
    Seed(u64),
}

impl Roll {
    /// As a number for display; division may round up to one, which only a survivor can show (C-15).
    #[must_use]
    pub fn as_f64(self) -> f64 {
        self.0 as f64 / TWO_POW_64
    }

    /// M-096. Death if and only if the roll is below the hazard.
    #[must_use]
    pub fn is_survived(self, hazard: Hazard) -> bool {
        self.0 >= hazard.as_fraction()
    }
}

/// M-096, M-306, R-003. Anyone holding the id, the tick and the salt can recompute the roll, so it comes from those and
/// nothing else: neither an oracle of randomness nor the machine's own (M-098).
#[must_use]
pub fn death_roll(id: &GolemId, tick: Tick, salt: Salt) -> Roll {
    let mut input = [0u8; 64 + 8 + 32];
    let mut length = 0;
    let mut append = |bytes: &[u8]| {
        input[length..length + bytes.len()].copy_from_slice(bytes);
        length += bytes.len();
    };
    append(id.as_bytes());
    append(&tick.to_be_bytes());
    match salt {
        Salt::Empty => {}
        Salt::Block(hash) => append(hash.as_slice()),
        Salt::Seed(seed) => append(&seed.to_be_bytes()),
    }
    let hash = keccak256(&input[..length]);
    Roll(u64::from_be_bytes(hash[..8].try_into().expect("a hash has 32 bytes")))
}

#[cfg(test)]
mod tests {
    use golem_primitives::B256;
    use proptest::prelude::*;

    use super::*;
    use crate::score::Score;
    use crate::stochastic::hazard::HazardLaw;

    fn id(name: &str) -> GolemId {
        GolemId::new(name).expect("a test's name")
    }

    /// M-096, M-097, M-306: W-63 to W-70, the hash as well as the number.
    #[test]
    fn m_096_rolls_meet_w_63_to_w_70() {
        for (w, name, tick, first_bytes, number) in [
            ("W-63", "golem-0001", 0, 0xadf2_3027_5f09_2c85, 0.679476747142904),
            ("W-64", "golem-0001", 1, 0x113f_d4a3_e8ff_ee8d, 0.06738022805893683),
            ("W-65", "golem-0001", 2, 0x13d7_6ae5_9822_c0ec, 0.07750576119736775),
            ("W-66", "golem-0001", 874, 0x001d_7700_0060_d165, 0.00044959783588473793),
            ("W-67", "golem-0001", 1000, 0x4c75_2644_4143_7b7b, 0.29866255918865464),
            ("W-68", "golem-0001", 3756, 0x0017_dea8_d7e7_8dc8, 0.0003642236914897759),
            ("W-69", "golem-abc", 42, 0x1d1d_3116_c019_f1e3, 0.11372668080739581),
            ("W-70", "golem-abc", 100_000, 0x6961_517f_161f_e0d5, 0.4116412101049032),
        ] {
            let roll = death_roll(&id(name), Tick::new(tick), Salt::Empty);
            assert_eq!(roll, Roll(first_bytes), "{w}");
            assert_eq!(roll.as_f64(), number, "{w}");
        }
    }

    /// M-096: W-71, the hash is Keccak and not SHA-3.
    #[test]
    fn m_096_the_hash_is_keccak_w_71() {
        let empty: B256 = "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470".parse().expect("hex");
        assert_eq!(keccak256([]), empty, "W-71");
    }

    /// M-096: W-72.
    #[test]
    fn m_096_golem_0001_at_tick_874_meets_w_72() {
        let roll = death_roll(&id("golem-0001"), Tick::new(874), Salt::Empty);
        assert!(!roll.is_survived(Hazard::from_rate(0.001).expect("a rate")), "W-72 dead");
        assert!(roll.is_survived(Hazard::from_rate(0.0004).expect("a rate")), "W-72 survives");
        let natural = HazardLaw::DEFAULT.hazard(Tick::new(874), Score::ONE);
        assert_eq!(natural.get(), 1.0104466890720147e-06, "W-72");
        assert!(roll.is_survived(natural), "W-72 survives its own hazard");
    }

    /// M-096: a roll exactly at the hazard survives, one below it dies, in integers.
    #[test]
    fn m_096_the_edge_belongs_to_the_living() {
        let hazard = Hazard::from_rate(1e-3).expect("a rate");
        let edge = hazard.as_fraction();
        assert!(Roll(edge).is_survived(hazard) && !Roll(edge - 1).is_survived(hazard));
        assert!(!Roll(0).is_survived(Hazard::from_rate(f64::MIN_POSITIVE).expect("a rate")), "M-003: never impossible");
    }

    proptest! {
        /// M-097, M-098: the same names give the same roll; another block gives another.
        #[test]
        fn m_097_the_roll_is_a_function_of_names(name in "[a-z0-9]{1,64}", tick: u64, seed: u64, block: [u8; 32]) {
            let golem = id(&name);
            let tick = Tick::new(tick);
            let salt = Salt::Block(block.into());
            prop_assert_eq!(death_roll(&golem, tick, salt), death_roll(&golem, tick, salt));
            prop_assert_ne!(death_roll(&golem, tick, salt), death_roll(&golem, tick, Salt::Empty));
            prop_assert_ne!(death_roll(&golem, tick, Salt::Seed(seed)), death_roll(&golem, tick, Salt::Empty));
        }

        /// The integer comparison is the real one, for every hazard the law can give.
        #[test]
        fn m_096_integers_decide_as_real_numbers_do(rate in 1e-9..0.01f64, roll: u64) {
            let hazard = Hazard::from_rate(rate).expect("a rate");
            let near = Roll(hazard.as_fraction().wrapping_add(roll % 5).wrapping_sub(2));
            for roll in [Roll(roll), near] {
                // Both sides as exact 128-bit integers in units of 2^-128.
                let (mantissa, exponent) = ((rate.to_bits() & ((1 << 52) - 1)) | 1 << 52, ((rate.to_bits() >> 52) as i32) - 1075);
                let exact = u128::from(mantissa) << u32::try_from(exponent + 128).expect("a rate above 1e-9");
                prop_assert_eq!(roll.is_survived(hazard), u128::from(roll.0) << 64 >= exact);
            }
        }
    }
}
