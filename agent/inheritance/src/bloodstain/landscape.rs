//! A piece of the landscape a Golem felt its way through. What an heir gets of it are warnings, never a mood.

/// Places a bloodstain carries.
pub const MOST_PATCHES: usize = 8;
/// Tries below which a gut says nothing.
const LEAST_TRIES: u32 = 2;

/// One place of a landscape: what was tried there and what came of it, in whole numbers.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Patch {
    pub setting: String,
    pub wins: u32,
    pub tries: u32,
    /// What it brought in the mean, in parts per million of what was at stake.
    pub pnl_ppm: i64,
}

impl Patch {
    /// Whether it was tried often enough to speak of, won less than half of the time and lost on the whole.
    #[must_use]
    pub const fn went_badly(&self) -> bool {
        self.tries >= LEAST_TRIES && (self.wins as u64) * 2 < self.tries as u64 && self.pnl_ppm < 0
    }

    /// What an heir is warned of; `None` where nothing went badly.
    #[must_use]
    pub fn warning(&self) -> Option<String> {
        let hundredths = self.pnl_ppm.unsigned_abs() / 100;
        let lost = format!("{}.{:02}%", hundredths / 100, hundredths % 100);
        let Self { setting, wins, tries, .. } = self;
        self.went_badly().then(|| format!("Entries with {setting} went badly: {wins} of {tries} won, {lost} lost"))
    }
}

/// The piece a bloodstain carries: where it went worst, the worst first. Ties go to what was tried more often.
#[must_use]
pub fn fragment(mut patches: Vec<Patch>) -> Vec<Patch> {
    patches.sort_by(|a, b| a.pnl_ppm.cmp(&b.pnl_ppm).then(b.tries.cmp(&a.tries)).then(a.setting.cmp(&b.setting)));
    patches.truncate(MOST_PATCHES);
    patches
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patch(wins: u32, tries: u32, pnl_ppm: i64) -> Patch {
        Patch { setting: "5% of capital".to_owned(), wins, tries, pnl_ppm }
    }

    /// eight places, the worst first; what went well or was tried once warns of nothing.
    #[test]
    fn a_124_a_fragment_is_where_it_went_worst() {
        let kept = fragment((0..20).map(|n| patch(0, 2, 5_000 - 1_000 * n)).collect());
        assert_eq!((kept.len(), kept[0].pnl_ppm, kept[7].pnl_ppm), (MOST_PATCHES, -14_000, -7_000));
        let told = "Entries with 5% of capital went badly: 1 of 3 won, 1.25% lost";
        assert_eq!(patch(1, 3, -12_599).warning().as_deref(), Some(told));
        for harmless in [patch(0, 1, -9_000), patch(2, 4, -9_000), patch(1, 4, 0), patch(0, 0, -1)] {
            assert_eq!(harmless.warning(), None, "{harmless:?}");
        }
    }
}
