//! What a Golem may dream: `[dreams]` of golem.toml.

use std::time::Duration;

use golem_dreams::DreamLaw;
use golem_dreams::budget::{Target, monthly_estimate};
use golem_dreams::wake::MarketThreshold;
use golem_dreams::window::Window;
use golem_dreams::words::{DreamTier, ScheduleMode};
use golem_mortality::phase::Phase;
use golem_primitives::Usdc;
use golem_runtime::DreamChoice;

use super::settings::table::DreamKeys;

/// D-014, D-230. What `create` and `paper` write for a new Golem, in sight of its owner: dreams by rules, which were shown to help and
/// cost nothing.
pub(super) const NEWBORN: &str = "\n[dreams]\nenabled = true\ntier = \"core\"\n";

/// D-194. What the thresholds call the token every Golem of this program trades.
const ASSET: &str = "ETH";

pub(super) fn read(keys: &DreamKeys, mistakes: &mut Vec<String>) -> DreamChoice {
    let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    let mut law = DreamLaw {
        enabled: keys.enabled,
        tier: DreamTier::from_name(&keys.tier).expect("the table admits these words"),
        ..DreamLaw::default()
    };
    law.schedule.mode = ScheduleMode::from_name(&keys.mode).expect("the table admits these words");
    law.schedule.autonomous_threshold = keys.threshold;
    law.schedule.cycle_interval_ticks = keys.interval_ticks;
    law.schedule.windows = windows(&keys.windows, mistakes);
    law.caps.per_cycle = keys.per_cycle;
    law.caps.per_session = keys.per_window;
    law.caps.per_month = keys.per_month;
    law.wake.enabled = keys.wake;
    let (percent, within) = (small(keys.wake_percent), Duration::from_secs(keys.wake_minutes * 60));
    law.wake.thresholds = vec![MarketThreshold { asset: ASSET.to_owned(), percent, within }];
    law.imagination.adversarial = keys.adversarial;
    if let Err(mistake) = law.check() {
        mistakes.push(format!("[dreams]: {mistake}"));
    }
    DreamChoice { law, asset: ASSET.to_owned() }
}

/// D-007, D-008, D-240. What a month is expected to cost, least and most. The lightweight tier asks no model; the full one
/// dreams its phase's cycles in each window, and as urgency wants up to the month's cap.
pub(crate) fn month(law: &DreamLaw) -> (Usdc, Usdc) {
    if law.tier == DreamTier::Core {
        return (Usdc::ZERO, Usdc::ZERO);
    }
    let windows = match law.schedule.mode {
        ScheduleMode::Autonomous => 0,
        ScheduleMode::Owner | ScheduleMode::Hybrid => u32::try_from(law.schedule.windows.len()).unwrap_or(u32::MAX),
    };
    let (fewest, most) = Target::of(Phase::Thriving).cycles;
    let of = |cycles: u32| monthly_estimate(law.tier, cycles.saturating_mul(windows), &law.caps);
    let dearest = if law.schedule.mode == ScheduleMode::Owner { of(most).1 } else { law.caps.per_month };
    (of(fewest).0, dearest)
}

/// The same in words.
pub(crate) fn month_words(law: &DreamLaw) -> String {
    match month(law) {
        (_, Usdc::ZERO) => format!("tier {} dreams by rules and costs nothing", law.tier),
        (least, most) => {
            format!("tier {} is expected to cost {least} to {most} a month, never more than the latter", law.tier)
        }
    }
}

/// DG-18. Each window is read or told.
fn windows(written: &[String], mistakes: &mut Vec<String>) -> Vec<Window> {
    let read = |text: &String| text.parse().map_err(|mistake| mistakes.push(format!("dreams.windows: {mistake}"))).ok();
    written.iter().filter_map(read).collect()
}

#[cfg(test)]
mod tests {
    use golem_primitives::{Ppm, UtcTime};
    use golem_settings::SettingsTable;

    use super::super::settings::Settings;
    use super::super::settings::table::OwnerTable;
    use super::*;

    fn law(text: &str) -> DreamLaw {
        Settings::read(text).expect("valid").dreams.law
    }

    /// D-230 to D-237, D-232, DG-25, C6: off where nobody wrote it, the lightweight tier in what a newborn is given, and every number
    /// of the law by its key.
    #[test]
    fn d_230_the_table_is_the_law() {
        assert_eq!(law(""), DreamLaw::default());
        assert!(!law("").enabled);
        let newborn = law(NEWBORN);
        assert!(
            newborn.enabled && newborn.tier == DreamTier::Core && month(&newborn) == (Usdc::ZERO, Usdc::ZERO),
            "D-014"
        );
        let chosen = law("[dreams]\nenabled = true\ntier = \"hardened\"\nmode = \"owner\"\nthreshold = 0.7\n\
             windows = [\"22:00-02:00 UTC\", \"14:00-15:00 America/New_York\"]\nper_cycle = \"$0.25\"\nper_window = \"1\"\n\
             per_month = 9.5\nwake_percent = 20\n");
        assert_eq!((chosen.tier, chosen.schedule.mode), (DreamTier::Hardened, ScheduleMode::Owner));
        assert_eq!(chosen.schedule.autonomous_threshold, Ppm::of(700_000));
        assert_eq!(chosen.caps.per_cycle, Usdc::from_micros(250_000));
        assert_eq!((chosen.caps.per_session, chosen.caps.per_month), (Usdc::whole(1), Usdc::from_micros(9_500_000)));
        assert_eq!(chosen.wake.thresholds[0].percent, 20);
        let night = UtcTime::from_seconds(1_767_225_600 + 23 * 3_600);
        assert!(chosen.schedule.windows[0].is_open(night) && !chosen.schedule.windows[1].is_open(night));
    }

    /// D-230 to D-237: each key of the table alone moves the law, and none is left out.
    #[test]
    fn d_230_every_key_moves_the_law() {
        let other = [
            ("enabled", "true"),
            ("tier", "\"hardened\""),
            ("mode", "\"autonomous\""),
            ("threshold", "0.5"),
            ("windows", "[\"22:00-02:00 UTC\"]"),
            ("interval_ticks", "25"),
            ("per_cycle", "\"0.25\""),
            ("per_window", "\"1\""),
            ("per_month", "\"9\""),
            ("wake", "false"),
            ("wake_percent", "20"),
            ("wake_minutes", "30"),
            ("adversarial", "false"),
        ];
        for key in OwnerTable::KEYS {
            let Some(name) = key.strip_prefix("dreams.") else { continue };
            let (_, value) =
                other.iter().find(|(known, _)| *known == name).unwrap_or_else(|| panic!("{key} is untried"));
            assert_ne!(law(&format!("[dreams]\n{name} = {value}\n")), DreamLaw::default(), "{key} moves nothing");
        }
    }

    /// D-007, D-008, D-240: what a month costs is known before dreams are on: nothing by rules, and with models what the
    /// windows hold, up to the cap.
    #[test]
    fn d_240_a_months_cost_is_told() {
        assert_eq!(month(&law("")), (Usdc::ZERO, Usdc::ZERO));
        assert!(month_words(&law("")).contains("costs nothing"));
        let owner = law("[dreams]\ntier = \"hardened\"\nmode = \"owner\"\nper_month = \"100\"\n");
        let (fewest, most) = Target::of(Phase::Thriving).cycles;
        let expected = (u64::from(fewest) * 200_000 * 30, u64::from(most) * 450_000 * 30);
        assert_eq!(month(&owner), (Usdc::from_micros(expected.0), Usdc::from_micros(expected.1)));
        let urgent = law("[dreams]\ntier = \"hardened\"\nmode = \"autonomous\"\n");
        assert_eq!(month(&urgent), (Usdc::ZERO, Usdc::whole(15)), "urgency alone may want none, or all of the cap");
    }

    /// DG-18, DG-25, O-003: every mistake is told, and says what to write.
    #[test]
    fn dg_18_mistakes_are_told() {
        for (text, told) in [
            ("[dreams]\ntier = \"deep\"\n", "core, hardened"),
            ("[dreams]\nmode = \"never\"\n", "owner, autonomous, hybrid"),
            ("[dreams]\nwindows = [\"02:00-02:00 UTC\"]\n", "is empty"),
            ("[dreams]\nwindows = [\"02:00-06:00 Mars/Olympus\"]\n", "no time zone"),
            ("[dreams]\nmode = \"owner\"\nwindows = []\n", "add one or choose autonomous"),
            ("[dreams]\nper_cycle = \"-1\"\n", "an amount of USDC"),
            ("[dreams]\nper_month = \"much\"\n", "an amount of USDC"),
            ("[dreams]\nwindow = 1\n", "did you mean `dreams.windows`"),
        ] {
            let said = Settings::read(text).expect_err("a mistake").to_string();
            assert!(said.contains(told), "{text}: {said}");
        }
    }
}
