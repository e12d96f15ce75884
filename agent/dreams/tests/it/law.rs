use golem_dreams::budget::CoreSplit;
use golem_dreams::law::DreamLaw;
use golem_dreams::number::{Hundredths, Temperature};
use golem_dreams::window::Window;
use golem_dreams::words::{DreamTier, Prioritisation, ScheduleMode};
use golem_primitives::Ppm;

use crate::make::ppm;

/// D-230, D-231, D-234, D-235, D-237, D-239, D-240: where an owner starts.
#[test]
fn d_230_where_an_owner_starts() {
    let law = DreamLaw::default();
    assert_eq!((law.enabled, law.tier), (false, DreamTier::Core), "D-230, D-240");
    assert_eq!(law.schedule.mode, ScheduleMode::Hybrid, "D-231");
    assert_eq!(law.schedule.autonomous_threshold, ppm(0.8), "D-231");
    assert_eq!(law.schedule.windows, [Window::night()], "D-231");
    assert_eq!(law.schedule.cycle_interval_ticks, 50);
    let replay = law.replay;
    assert_eq!((replay.batch_size, replay.prioritisation), (10, Prioritisation::Utility), "D-234");
    let imagination = law.imagination;
    assert_eq!(
        (imagination.counterfactual_depth, imagination.creative_sessions, imagination.threat_scenarios),
        (2, 2, 3),
        "D-235"
    );
    assert!(law.wake.enabled && law.wake.thresholds.len() == 1, "D-237");
    let edge = law.hypnagogia;
    assert_eq!((edge.max_duration_secs, edge.dali_cycles), (60, 3), "D-239");
    assert_eq!(edge.temperatures, (Temperature::thousandths(1_000), Temperature::thousandths(1_500)), "D-239");
    assert_eq!(edge.fragment_floor, Hundredths::of(10), "D-239");
    assert!(edge.observer && edge.hypnopompic_return, "D-239");
    assert_eq!(law.check(), Ok(()));
}

const WHOLE: CoreSplit = CoreSplit { nrem: Ppm::of(450_000), rem: Ppm::of(350_000), integration: Ppm::of(200_000) };

/// D-233, D-033: what is no law is refused by its key.
#[test]
fn d_233_numbers_that_are_no_law_are_refused() {
    type Change = fn(&mut DreamLaw);
    let wrong: [(Change, &str); 12] = [
        (|law| law.phases = Some(CoreSplit { rem: Ppm::ZERO, ..WHOLE }), "sum to 650000"),
        (|law| law.schedule.weights.stable.novelty = Ppm::ZERO, "Stable"),
        (|law| law.schedule.weights.declining.natural_period = 0, "naturalPeriod"),
        (|law| law.schedule.cycle_interval_ticks = 0, "cycleIntervalTicks"),
        (|law| (law.schedule.mode, law.schedule.windows) = (ScheduleMode::Owner, Vec::new()), "windows"),
        (|law| (law.schedule.mode, law.schedule.windows) = (ScheduleMode::Hybrid, Vec::new()), "windows"),
        (|law| law.schedule.market_adjustment = 100_001, "marketAdjustment"),
        (|law| law.replay.batch_size = 0, "batchSize"),
        (|law| law.imagination.exploration_temperature = Temperature::thousandths(2_001), "Temperature"),
        (|law| law.hypnagogia.dali_cycles = 6, "daliCycles"),
        (|law| law.hypnagogia.temperatures.0 = Temperature::thousandths(1_501), "temperatureRange"),
        (|law| law.depotentiation = Hundredths::of(29), "depotentiation"),
    ];
    for (change, says) in wrong {
        let mut law = DreamLaw::default();
        change(&mut law);
        let refused = law.check().expect_err(says).to_string();
        assert!(refused.contains(says), "{says}: {refused}");
    }
    let whole = DreamLaw { phases: Some(WHOLE), ..DreamLaw::default() };
    assert_eq!(whole.check(), Ok(()));
}

/// A law is written down and read back as it was.
#[test]
fn d_230_a_law_is_recorded_and_read_back() {
    let law = DreamLaw::default();
    let text = serde_json::to_string(&law).expect("plain");
    assert_eq!(serde_json::from_str::<DreamLaw>(&text).expect("plain"), law);
    assert!(text.contains("02:00-06:00 UTC"));
    assert!(serde_json::from_str::<DreamLaw>(&text.replace("06:00 UTC", "06:00 Nowhere")).is_err());
}
