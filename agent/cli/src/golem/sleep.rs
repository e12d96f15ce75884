//! What a Golem may dream: `[dreams]` of golem.toml.

use std::time::Duration;

use golem_dreams::DreamLaw;
use golem_dreams::budget::{Target, monthly_estimate};
use golem_dreams::number::Hundredths;
use golem_dreams::wake::MarketThreshold;
use golem_dreams::window::Window;
use golem_dreams::words::{ScheduleMode, Tier};
use golem_mortality::phase::Phase;
use golem_primitives::{Ppm, Usdc};
use golem_runtime::DreamChoice;

use super::settings::Reader;

/// Every key: name, default, range, meaning. Off where nobody wrote them, so that a Golem born before there were dreams
/// lives as it did; `create` and `paper` write them off, in sight of the owner (D-014, D-240).
pub(super) const KEYS: [(&str, &str, &str, &str); 15] = [
    ("dreams.enabled", "false", "true, false", "Whether it dreams; the lightweight tier dreams by rules and is free."),
    (
        "dreams.tier",
        "core",
        "core, hardened",
        "How much: core by rules behind the ticks, hardened with models, asleep.",
    ),
    ("dreams.mode", "hybrid", "owner, autonomous, hybrid", "Who decides when: windows, urgency, or both."),
    ("dreams.threshold", "0.8", "0 to 1", "Urgency from which a hardened Golem dreams outside its windows."),
    (
        "dreams.windows",
        "02:00-06:00 UTC",
        "one or a list, such as [\"22:00-02:00 Europe/Berlin\"]",
        "When it may sleep, on the wall clock of an IANA zone; an end before the start lies behind midnight.",
    ),
    ("dreams.interval_ticks", "50", "1 to 100000", "Ticks between two lightweight cycles."),
    ("dreams.per_cycle", "0.50", "an amount of USDC", "What one hardened cycle may cost."),
    ("dreams.per_window", "2.00", "an amount of USDC", "What all cycles of one window may cost."),
    ("dreams.per_month", "15.00", "an amount of USDC", "What all dreams of a month may cost, of either tier."),
    (
        "dreams.wake",
        "true",
        "true, false",
        "Whether the market or a sibling in need may wake it; death and you always do.",
    ),
    ("dreams.wake_percent", "10", "1 to 100", "A move of the price that wakes it."),
    ("dreams.wake_minutes", "5", "1 to 1440", "Within how long."),
    ("dreams.adversarial", "true", "true, false", "Whether it rehearses attacks on itself."),
    (
        "dreams.validation_required",
        "true",
        "true, false",
        "How much confirmation a row needs before it is used: true is a confidence of 0.7, false one waking episode.",
    ),
    ("dreams.max_staged", "10", "1 to 100", "Rows that may wait at once; a better one takes the place of the least."),
];

/// D-230, D-014. What `create` and `paper` write for a new Golem: off, in sight of its owner, until dreams show a benefit.
pub(super) const NEWBORN: &str = "\n[dreams]\nenabled = false\ntier = \"core\"\n";

/// D-194. What the thresholds call the token every Golem of this program trades.
const ASSET: &str = "ETH";

/// `[dreams]`.
pub(super) fn read(reader: &mut Reader) -> DreamChoice {
    let usual = DreamLaw::default();
    let mut law = DreamLaw {
        enabled: reader.parse("dreams.enabled", |on: &bool| Some(*on)),
        tier: reader.parse("dreams.tier", |word: &String| Tier::from_name(word)),
        ..usual
    };
    law.schedule.mode = reader.parse("dreams.mode", |word: &String| ScheduleMode::from_name(word));
    law.schedule.autonomous_threshold = reader.parse("dreams.threshold", |share: &Ppm| Some(*share));
    law.schedule.cycle_interval_ticks =
        reader.parse("dreams.interval_ticks", |ticks: &u64| (1..=100_000).contains(ticks).then_some(*ticks));
    law.schedule.windows = windows(reader);
    law.caps.per_cycle = reader.parse("dreams.per_cycle", |text: &String| amount(text));
    law.caps.per_session = reader.parse("dreams.per_window", |text: &String| amount(text));
    law.caps.per_month = reader.parse("dreams.per_month", |text: &String| amount(text));
    law.wake.enabled = reader.parse("dreams.wake", |on: &bool| Some(*on));
    let percent = reader.parse("dreams.wake_percent", |percent: &u32| (1..=100).contains(percent).then_some(*percent));
    let within = reader.parse("dreams.wake_minutes", |minutes: &u64| {
        (1..=1_440).contains(minutes).then(|| Duration::from_secs(*minutes * 60))
    });
    law.wake.thresholds = vec![MarketThreshold { asset: ASSET.to_owned(), percent, within }];
    law.imagination.adversarial = reader.parse("dreams.adversarial", |on: &bool| Some(*on));
    law.consolidation.validation_required = reader.parse("dreams.validation_required", |on: &bool| Some(*on));
    law.consolidation.max_staged =
        reader.parse("dreams.max_staged", |rows: &u32| (1..=100).contains(rows).then_some(*rows));
    law.consolidation.insight_confidence = Hundredths::of(30);
    if let Err(mistake) = law.check() {
        reader.mistakes.push(format!("[dreams]: {mistake}"));
    }
    DreamChoice { law, asset: ASSET.to_owned() }
}

/// D-007, D-008, D-240. What a month is expected to cost, least and most. The lightweight tier asks no model; the full one
/// dreams its phase's cycles in each window, and as urgency wants up to the month's cap.
pub(crate) fn month(law: &DreamLaw) -> (Usdc, Usdc) {
    if law.tier == Tier::Core {
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

/// DG-25. `0.50` or `$0.50`; what is negative or has more decimals than money has is refused.
fn amount(text: &str) -> Option<Usdc> {
    let text = text.trim();
    golem_dreams::law::dollars(&format!("${}", text.strip_prefix('$').unwrap_or(text))).ok()
}

/// DG-18. Each window is read or told; without a word it is the night of UTC.
fn windows(reader: &mut Reader) -> Vec<Window> {
    if reader.written("dreams.windows").is_none() {
        return DreamLaw::default().schedule.windows;
    }
    let mut windows = Vec::new();
    for text in reader.list("dreams.windows") {
        match text.parse() {
            Ok(window) => windows.push(window),
            Err(mistake) => reader.mistakes.push(format!("dreams.windows: {mistake}")),
        }
    }
    windows
}

#[cfg(test)]
mod tests {
    use golem_primitives::UtcTime;

    use super::super::Settings;
    use super::*;

    fn law(text: &str) -> DreamLaw {
        Settings::read(text, false).expect("valid").dreams.law
    }

    /// D-230 to D-237, C6: off where nobody wrote it and in what a newborn is given, the lightweight tier there, and every number
    /// of the law by its key.
    #[test]
    fn d_230_the_table_is_the_law() {
        assert_eq!(law(""), DreamLaw::default());
        assert!(!law("").enabled);
        let newborn = law(NEWBORN);
        assert!(!newborn.enabled && newborn.tier == Tier::Core);
        let chosen = law("[dreams]\nenabled = true\ntier = \"hardened\"\nmode = \"owner\"\nthreshold = 0.7\n\
             windows = [\"22:00-02:00 UTC\", \"14:00-15:00 America/New_York\"]\nper_cycle = \"$0.25\"\nper_window = \"1\"\n\
             per_month = 9.5\nwake_percent = 20\nmax_staged = 3\n");
        assert_eq!((chosen.tier, chosen.schedule.mode), (Tier::Hardened, ScheduleMode::Owner));
        assert_eq!(chosen.schedule.autonomous_threshold, Ppm::of(700_000));
        assert_eq!(chosen.caps.per_cycle, Usdc::from_micros(250_000));
        assert_eq!((chosen.caps.per_session, chosen.caps.per_month), (Usdc::whole(1), Usdc::from_micros(9_500_000)));
        assert_eq!((chosen.wake.thresholds[0].percent, chosen.consolidation.max_staged), (20, 3));
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
            ("validation_required", "false"),
            ("max_staged", "3"),
        ];
        for (key, ..) in KEYS {
            let name = key.trim_start_matches("dreams.");
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
            ("[dreams]\nmax_staged = 0\n", "1 to 100"),
            ("[dreams]\nwindow = 1\n", "did you mean dreams.windows"),
        ] {
            let said = Settings::read(text, false).expect_err("a mistake").to_string();
            assert!(said.contains(told), "{text}: {said}");
        }
    }
}
