mod expected;

use golem_primitives::Ppm;
use golem_settings::{SettingError, SettingsTable};
use proptest::prelude::*;

use expected::TABLE;

use super::*;
use crate::error_code::ErrorCode;
use crate::mode::Mode;

fn hosted(text: &str) -> Result<Config, Vec<ConfigError>> {
    Config::read(text, Hosting::Hosted)
}

fn paper(text: &str) -> Result<Config, Vec<ConfigError>> {
    Config::read(text, Hosting::SelfHosted)
}

fn complaints(result: Result<Config, Vec<ConfigError>>) -> Vec<String> {
    result.expect_err("refused").iter().map(ConfigError::to_string).collect()
}

fn codes(result: Result<Config, Vec<ConfigError>>) -> Vec<ErrorCode> {
    result.expect_err("refused").iter().filter_map(ConfigError::code).collect()
}

#[test]
fn m_288_to_m_296_every_key_has_the_catalogues_default_and_range() {
    // M-288, M-289, M-290, M-291, M-292, M-296.
    let rows = Config::describe();
    for (id, key, default, bounds) in TABLE {
        let row = rows.iter().find(|row| row.key == *key).unwrap_or_else(|| panic!("no key {key}"));
        assert_eq!((row.id, row.default.as_str(), row.allowed.as_str()), (*id, *default, *bounds), "{key}");
    }
    for row in &rows {
        assert!(row.meaning.ends_with('.') && row.meaning.len() > 12, "{} has no meaning", row.key);
        assert_eq!(Config::default().value(&row.key).as_ref(), Some(&row.default), "{}", row.key);
    }
    assert_eq!(rows.len(), Config::KEYS.len());
    assert_eq!(Config::default().value("mortality.nothing"), None);
}

/// What an owner might write for a key; those that do not fit are refused and tried no further.
const TRIED: [&str; 12] = ["true", "false", "0.12", "0.07", "0.45", "12", "150", "700", "5000", "2e-6", "2.5", "0.85"];

/// M-288, M-289, M-290, M-292: every key of the sections that make the law changes it.
#[test]
fn m_288_a_key_of_the_law_changes_the_law() {
    let makes_law = ["vitality.", "stochastic.", "epistemic.", "economic.death"];
    // Bound to others, or never off: one alone cannot be changed, or changes nothing.
    let bound = ["enabled", "predictions."];
    let usual = Config::default();
    let law = usual.law(Hosting::Hosted).expect("valid");
    let mut seen = 0;
    for row in Config::describe() {
        let is_of_law = makes_law.iter().any(|part| row.key.starts_with(&format!("mortality.{part}")));
        if !is_of_law || bound.iter().any(|part| row.key.contains(part)) {
            continue;
        }
        let texts = TRIED.iter().map(|value| format!("{} = {value}", row.key));
        let read = texts.filter_map(|text| Config::read(&text, Hosting::Hosted).ok());
        let mut changed = read.filter(|config| config.value(&row.key) != usual.value(&row.key));
        assert!(
            changed.any(|config| config.law(Hosting::Hosted).expect("valid") != law),
            "{} changes nothing",
            row.key
        );
        seen += 1;
    }
    assert!(seen > 15, "{seen}");
}

/// M-288 to M-297, of which M-295 has no key at all: a key that no life follows is no key, and is refused like any other mistake.
#[test]
fn m_297_keys_that_would_steer_nothing_are_refused() {
    for (text, expected) in [
        ("[mortality.phage]\nbudget = 0.05", "line 2: there is no key `mortality.phage.budget`"),
        ("[mortality.demurrage]\nburn_threshold = 0.1", "line 2: there is no key `mortality.demurrage.burn_threshold`"),
        ("[mortality.stochastic]\nseed = 7", "line 2: there is no key `mortality.stochastic.seed`"),
        ("[mortality.styx]\n", "line 1: there is no key `mortality.styx`"),
        ("[mortality.thanatopsis]\nmax_tokens = 8000", "line 2: there is no key `mortality.thanatopsis.max_tokens`"),
    ] {
        let [error] = &complaints(hosted(text))[..] else { panic!("{text}") };
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn nothing_written_is_the_default_and_every_key_can_be_written() {
    assert_eq!(hosted(""), Ok(Config::default()));
    assert_eq!(hosted("[mortality]\n"), Ok(Config::default()));
    let written = hosted(
        "[mortality.economic]\ndeath_reserve_floor_usdc = 1.25\nconservation_threshold = \"25%\"\n\
         [mortality.stochastic]\nbase_hazard_rate = 2e-6\n\
         [mortality.epistemic]\nfitness_window = 0x3E8\nrecovery_grace_period = 1_000\n",
    )
    .expect("all valid");
    assert_eq!(written.economic.death_reserve_floor_usdc, Usdc::from_micros(1_250_000));
    assert_eq!(written.economic.conservation_threshold, Ppm::of(250_000));
    assert_eq!(written.stochastic.base_hazard_rate, 2e-6);
    assert_eq!((written.epistemic.fitness_window, written.epistemic.recovery_grace_period), (1_000, 1_000));
}

#[test]
fn what_describe_shows_can_be_written_back() {
    for row in Config::describe() {
        let plain = hosted(&format!("{} = {}", row.key, row.default));
        let quoted = hosted(&format!("{} = {:?}", row.key, row.default));
        let read = plain.or(quoted).unwrap_or_else(|errors| panic!("{}: {errors:?}", row.key));
        assert_eq!(read, Config::default(), "{}", row.key);
    }
}

#[test]
fn an_empty_section_is_checked_by_its_name() {
    assert_eq!(hosted("[mortality.economic]\n"), Ok(Config::default()));
    let errors = complaints(hosted("\n[mortality.econmic]\n"));
    assert_eq!(errors, ["line 2: there is no key `mortality.econmic`; did you mean `mortality.economic`?"]);
    assert_eq!(complaints(hosted("mortality = 3")), ["line 1: `mortality` is 3; write a table of keys"]);
}

#[test]
fn money_is_read_from_its_digits_and_never_through_a_float() {
    // 0.1 + 0.2 has no exact double; its digits do.
    for (digits, micros) in [("0.300001", 300_001), ("18446744073709.551615", u64::MAX), ("3", 3_000_000)] {
        let text = format!("[mortality.economic]\ndeath_reserve_floor_usdc = {digits}");
        assert_eq!(hosted(&text).expect("valid").economic.death_reserve_floor_usdc.micros(), micros);
    }
    let errors = complaints(hosted("[mortality.economic]\ndeath_reserve_floor_usdc = 0.3000001"));
    assert_eq!(
        errors,
        [
            "line 2: `mortality.economic.death_reserve_floor_usdc` is 0.3000001; write an amount of USDC with at most six decimals"
        ]
    );
}

#[test]
fn an_unknown_key_is_named_with_the_nearest_valid_one() {
    for (text, expected) in [
        (
            "[mortality.economic]\nenabeld = true",
            "line 2: there is no key `mortality.economic.enabeld`; did you mean `mortality.economic.enabled`?",
        ),
        (
            "\n\n[mortality]\nfitness_window = 700",
            "line 4: there is no key `mortality.fitness_window`; did you mean `mortality.epistemic.fitness_window`?",
        ),
        ("[mortalty]\nimmortal = true", "line 1: there is no key `mortalty`; did you mean `mortality`?"),
        ("[mortality]\nzzz = 1", "line 2: there is no key `mortality.zzz`; `bardo config keys` lists them all"),
        (
            "[mortality.economics]\nenabled = true",
            "line 2: there is no key `mortality.economics.enabled`; did you mean `mortality.economic.enabled`?",
        ),
    ] {
        assert_eq!(complaints(hosted(text)), [expected]);
    }
}

/// M-308: what is out of its range is named with its bounds, and a rule of the protocol by its code.
#[test]
fn m_308_a_value_out_of_range_is_named_with_its_bounds_and_its_code() {
    for (text, expected, code) in [
        (
            "[mortality.stochastic]\nmax_hazard_rate = 0.02",
            "line 2: `mortality.stochastic.max_hazard_rate` is 0.02; it must be 1e-6 to 0.01",
            Some(ErrorCode::CfgMaxHazard),
        ),
        (
            "[mortality.epistemic]\nfitness_window = 499",
            "line 2: `mortality.epistemic.fitness_window` is 499; it must be 500 to 10000",
            None,
        ),
        (
            "[mortality]\nstaleness_window = 99",
            "line 2: `mortality.epistemic.recovery_grace_period` is 99; it must be 100 to 2000",
            None,
        ),
    ] {
        let errors = hosted(text).expect_err("out of range");
        assert_eq!((errors[0].to_string().as_str(), errors[0].code()), (expected, code));
    }
}

#[test]
fn values_of_another_kind_are_refused_and_everything_wrong_is_said_at_once() {
    let text = "[mortality]\nimmortal = \"yes\"\n[mortality.epistemic]\nfitness_window = -5\nenabled = 1\n\
                [mortality.stochastic]\nbase_hazard_rate = nan\n[mortality.epistemic.half_life]\ngas_condition = 1.5\n[mortality.economic]\npartitions = 3\n\
                daily_caps.llm = [1]\n[mortality.vitality]\nage_drag = 2021-01-01\n";
    let errors = complaints(hosted(text));
    let expected = [
        "line 2: `mortality.immortal` is \"yes\"; write true or false",
        "line 4: `mortality.epistemic.fitness_window` is -5; write a whole number of zero or more",
        "line 5: `mortality.epistemic.enabled` is 1; write true or false",
        "line 7: `mortality.stochastic.base_hazard_rate` is nan; write a number",
        "line 9: `mortality.epistemic.half_life.gas_condition` is 1.5; write a whole number, or \"none\"",
        "line 11: `mortality.economic.partitions` is 3; write a table of keys",
        "line 12: `mortality.economic.daily_caps.llm` is a list; write a share from 0 to 1 with at most six decimals",
        "line 14: `mortality.vitality.age_drag` is a date; write a number",
    ];
    assert_eq!(errors, expected);
}

#[test]
fn text_that_is_no_toml_is_refused_with_its_line() {
    let errors = hosted("[mortality]\nimmortal = = true").expect_err("no TOML");
    assert!(matches!(&errors[..], [ConfigError::Written(SettingError::Syntax { line: 2, .. })]), "{errors:?}");
}

#[test]
fn m_299_short_names_stand_for_their_keys_but_not_beside_them() {
    // M-299.
    let short = "[mortality]\ndeath_reserve_usdc = 0.5\nstaleness_threshold = 0.4\nstaleness_window = 600\n";
    let config = hosted(short).expect("aliases");
    assert_eq!(config.economic.death_reserve_floor_usdc, Usdc::from_micros(500_000));
    assert_eq!(config.epistemic.senescence_threshold, Ppm::of(400_000));
    assert_eq!(config.epistemic.recovery_grace_period, 600);
    let errors = complaints(hosted("[mortality]\nstaleness_window = 600\nepistemic.recovery_grace_period = 600"));
    assert_eq!(
        errors,
        ["line 2: `mortality.staleness_window` is another name of `mortality.epistemic.recovery_grace_period`; \
          write only one of them"]
    );
}

#[test]
fn m_300_the_protocols_bounds_hold_whatever_is_written() {
    // M-300.
    for (text, code) in [
        ("[mortality.economic]\ndeath_reserve_floor_usdc = 0.099999", ErrorCode::CfgReserveFloor),
        ("[mortality.economic]\ndeath_reserve_proportional = 0.11", ErrorCode::CfgReserveRate),
        ("[mortality.economic]\nconservation_threshold = 0.51", ErrorCode::CfgConservationRange),
        ("[mortality.stochastic]\nmax_hazard_rate = 0.011", ErrorCode::CfgMaxHazard),
        ("[mortality.stochastic]\nbase_hazard_rate = 0.0011", ErrorCode::CfgBaseHazard),
    ] {
        assert_eq!(codes(hosted(text)), [code], "{text}");
    }
    assert!(hosted("[mortality.economic]\ndeath_reserve_floor_usdc = 0.10").is_ok());
    // Without the clock no floor is asked (M-041).
    let config = paper("[mortality.economic]\ndeath_reserve_floor_usdc = 0").expect("paper");
    assert_eq!(config.economic.death_reserve_floor_usdc, Usdc::ZERO);
    // The rules also hold for a configuration that no file wrote.
    let mut config = Config::default();
    config.stochastic.max_hazard_rate = f64::NAN;
    config.stochastic.base_hazard_rate = 0.0;
    let broken: Vec<_> = config.broken_invariants(Hosting::Hosted).iter().filter_map(ConfigError::code).collect();
    assert_eq!(broken, [ErrorCode::CfgMaxHazard, ErrorCode::CfgBaseHazard]);
}

#[test]
fn m_302_m_303_m_306_no_key_reaches_the_cage_the_protocol_or_the_roll() {
    // M-302, M-303, M-306, G-073: refused with the reason, not as a typing mistake.
    for (key, says) in [
        ("policy_cage = false", "law on chain"),
        ("thanatopsis.cancellable = true", "cannot be stopped"),
        ("stochastic.roll_inputs = \"x\"", "everybody to check"),
        ("max_age = 1000", "no Golem has a fixed greatest age"),
        ("demurrage.interval = 250", "computed when knowledge is read"),
    ] {
        let errors = hosted(&format!("[mortality]\n{key}")).expect_err("retired");
        assert!(matches!(&errors[..], [ConfigError::Written(SettingError::Retired { line: 2, .. })]), "{errors:?}");
        assert!(errors[0].to_string().contains(says), "{errors:?}");
    }
    for key in Config::KEYS {
        for forbidden in ["policy", "cage", "golem_id", "cancel", "auto_feed"] {
            assert!(!key.contains(forbidden), "{key}");
        }
    }
}

#[test]
fn m_304_partitions_sum_to_one_exactly() {
    // M-304.
    let text = |llm: &str| format!("[mortality.economic.partitions]\nllm = {llm}\ngas = 0.3\ndata = 0.1");
    assert!(hosted(&text("0.6")).is_ok(), "0.6 + 0.3 + 0.1 is no double's 1.0, and is one");
    assert_eq!(codes(hosted(&text("0.600001"))), [ErrorCode::CfgPartitionSum]);
    assert_eq!(codes(hosted(&text("0.599999"))), [ErrorCode::CfgPartitionSum]);
}

#[test]
fn m_305_no_clock_of_a_mortal_golem_can_be_switched_off() {
    // M-305, C-10.
    for clock in ["economic", "epistemic", "stochastic"] {
        let text = format!("[mortality.{clock}]\nenabled = false");
        assert_eq!(codes(hosted(&text)), [ErrorCode::CfgClockDisabled], "{clock}");
    }
    // M-288, M-016: on paper only the economic clock is off, and only it may be.
    let plain = paper("").expect("paper");
    assert!(!plain.economic.enabled && plain.epistemic.enabled && plain.stochastic.enabled);
    for clock in ["epistemic", "stochastic"] {
        assert_eq!(codes(paper(&format!("[mortality.{clock}]\nenabled = false"))), [ErrorCode::CfgClockDisabled]);
    }
    let paid = paper("[mortality.economic]\nenabled = true\ndeath_reserve_floor_usdc = 0.3").expect("on paper");
    assert!(paid.economic.enabled && paid.mode(Hosting::SelfHosted) == Mode::Hosted);
}

#[test]
fn m_233_m_242_immortal_is_self_hosted_and_switches_every_clock_off() {
    // M-233, M-242, M-293.
    assert_eq!(codes(hosted("[mortality]\nimmortal = true")), [ErrorCode::CfgImmortalHosted]);
    let config = paper("[mortality]\nimmortal = true").expect("the control");
    assert_eq!(config.mode(Hosting::SelfHosted), Mode::Immortal);
}

#[test]
fn m_298_profiles_are_defaults_that_keys_still_change() {
    // M-298.
    let dev = paper("[mortality]\nprofile = \"dev\"").expect("dev");
    assert_eq!((dev.epistemic.fitness_window, dev.epistemic.recovery_grace_period), (200, 50));
    assert!((dev.stochastic.base_hazard_rate - 1e-4).abs() < 1e-18);
    assert!((dev.stochastic.age_hazard_coefficient - 1e-6).abs() < 1e-20);
    let on_chain = hosted("[mortality]\nprofile = \"dev\"").expect("a short life with a vault");
    assert_eq!(on_chain.economic.death_reserve_floor_usdc, Usdc::from_micros(300_000), "M-300 holds there too");
    let changed = paper("[mortality]\nprofile = \"dev\"\n[mortality.epistemic]\nfitness_window = 700").expect("dev");
    assert_eq!(changed.epistemic.fitness_window, 700);
    for profile in Profile::ALL.iter().copied() {
        let text = format!("[mortality]\nprofile = \"{}\"", profile.name());
        assert_eq!(paper(&text).expect("a profile").mortality.profile, profile);
        assert!(hosted(&text).is_ok(), "{profile:?}");
    }
    assert!(complaints(hosted("[mortality]\nprofile = \"devv\""))[0].contains("\"standard\", \"dev\""));
}

#[test]
fn m_066_without_any_prediction_profit_stands_in() {
    assert!(Config::default().scores_predictions());
    let text = "[mortality.epistemic.predictions]\nprice_direction = false\nvolatility_regime = false\n\
                yield_trend = false\ngas_condition = false\nprotocol_state = false";
    assert!(!hosted(text).expect("allowed").scores_predictions());
}

#[test]
fn m_059_w_78_a_half_life_is_the_ticks_in_which_half_is_forgotten() {
    // M-059, M-289, W-78: the catalogue's weights halve in 35, 139, 231, 14 and 693 ticks.
    let default = Config::default().prediction_half_life.alphas();
    assert_eq!(default, [0.02, 0.005, 0.003, 0.05, 0.001]);
    let halves = default.map(|alpha| (1..).find(|n| libm::pow(1.0 - alpha, f64::from(*n)) <= 0.5).expect("it falls"));
    assert_eq!(halves, [35, 139, 231, 14, 693]);
    let own = hosted("[mortality.epistemic.half_life]\ngas_condition = 10\nprice_direction = 0").expect("valid");
    let alphas = own.prediction_half_life.alphas();
    assert!((libm::pow(1.0 - alphas[3], 10.0) - 0.5).abs() < 1e-12);
    assert_eq!(alphas[0], 0.5, "nothing halves faster than in a tick");
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC{0,200}") {
        let _ = hosted(&text).is_ok();
        let _ = hosted(&format!("[mortality]\n{text}")).is_ok();
    }

    #[test]
    fn what_is_read_breaks_no_rule(
        llm in 0u32..=1_000_000, floor in 0u64..1_000_000, hazard in 0.0..0.02f64, immortal: bool, economic: bool,
    ) {
        let text = format!(
            "[mortality]\nimmortal = {immortal}\n[mortality.economic]\nenabled = {economic}\n\
             death_reserve_floor_usdc = \"{}\"\npartitions.llm = \"{}\"\n[mortality.stochastic]\nmax_hazard_rate = {hazard:?}",
            Usdc::from_micros(floor), Ppm::of(llm),
        );
        for hosting in [Hosting::Hosted, Hosting::SelfHosted] {
            if let Ok(config) = Config::read(&text, hosting) {
                prop_assert!(config.broken_invariants(hosting).is_empty());
                let all = [config.economic.enabled, config.epistemic.enabled, config.stochastic.enabled];
                prop_assert!(hosting == Hosting::SelfHosted || (all == [true; 3] && !config.mortality.immortal));
            }
        }
    }
}

fn mode(text: &str) -> Mode {
    paper(text).expect("valid").mode(Hosting::SelfHosted)
}

/// M-232: on paper the economic clock is off and the others hold; an owner may count paper credits.
#[test]
fn m_232_on_paper_the_economic_clock_is_off_and_the_others_hold() {
    let alone = mode("");
    assert_eq!(alone, Mode::SelfHosted);
    assert!(!alone.counts_credits() && alone.is_mortal());
    assert!(mode("[mortality.economic]\nenabled = true\ndeath_reserve_floor_usdc = 0.3").counts_credits());
    assert_eq!(Config::default().mode(Hosting::Hosted), Mode::Hosted);
}

/// M-233, M-234: immortality is an explicit choice that siblings can see.
#[test]
fn m_233_immortal_is_an_explicit_choice_that_siblings_can_see() {
    let immortal = mode("[mortality]\nimmortal = true");
    assert_eq!((immortal, immortal.name()), (Mode::Immortal, "immortal"));
    assert!(!immortal.is_mortal() && !immortal.counts_credits());
}

/// M-242: a hosted Golem is mortal even if somebody built the configuration by hand.
#[test]
fn m_242_a_hosted_golem_is_mortal_whoever_built_its_configuration() {
    let mut config = Config::default();
    config.mortality.immortal = true;
    config.economic.enabled = false;
    assert_eq!(config.mode(Hosting::Hosted), Mode::Hosted);
    assert!(!config.broken_invariants(Hosting::Hosted).is_empty());
}
