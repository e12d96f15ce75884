use super::*;
use crate::phase::Phase;

const VITAL: Ppm = Ppm::of(689_345);

/// A number in [-1, 1) that looks random, from a counter.
fn noise(of: u64) -> f64 {
    let hash = golem_primitives::keccak256(of.to_be_bytes());
    let word = u64::from_be_bytes(hash[..8].try_into().expect("eight bytes"));
    (word >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

fn diagnostics() -> Diagnostics {
    Diagnostics::new(Ksg::default(), DEFAULT_CEILING_BITS).expect("above zero")
}

/// Lives `ticks`, the response following the action with `grip` in [0, 1].
fn live(diagnostics: &mut Diagnostics, ticks: std::ops::RangeInclusive<u64>, grip: f64) {
    for t in ticks {
        let action = noise(t);
        let response = grip * action + (1.0 - grip) * noise(t + (1 << 40));
        let pair = ActionResponse { tick: Tick::new(t), action, response };
        diagnostics.observe(pair, t % 50).expect("finite and in order");
    }
}

#[test]
fn m_264_the_layer_reads_the_composite_and_gives_no_score_to_any_clock() {
    // M-264: the same pairs read under any composite tell the same; only the alert depends on it.
    let mut base = diagnostics();
    live(&mut base, 1..=500, 0.0);
    let read = |composite| base.clone().analyse(Tick::new(501), composite).expect("finite");
    let (high, low) = (read(Ppm::ONE), read(Ppm::ZERO));
    assert_eq!(InformationReading { decoupling: false, ..high }, low);
    assert!(high.decoupling && !low.decoupling);
}

#[test]
fn m_266_too_few_samples_say_that_nothing_is_wrong() {
    // M-266: five neighbours need six samples.
    let mut young = diagnostics();
    live(&mut young, 1..=5, 0.0);
    let reading = young.analyse(Tick::new(10), Ppm::ONE).expect("defined");
    assert_eq!(reading, InformationReading::UNKNOWN);
    assert_eq!((reading.bits, reading.vitality, reading.rate, reading.entropy_rate), (0.0, Ppm::ONE, 0.0, 1.0));
    assert_eq!(reading.alerts().count(), 0);
    live(&mut young, 6..=6, 0.0);
    assert_ne!(young.analyse(Tick::new(10), Ppm::ONE), Ok(InformationReading::UNKNOWN));
}

#[test]
fn m_267_signals_are_bits_bits_per_tick_and_a_share() {
    // M-267, C-34.
    let reading = InformationReading { bits: 1.5, rate: -0.25, ..InformationReading::UNKNOWN };
    let signals = reading.signals(Ppm::of(250_000));
    assert_eq!(signals.mutual_information, 1.5f32);
    assert_eq!(signals.information_rate, -0.25f32);
    assert_eq!(signals.redundancy_index, 0.25f32);
}

#[test]
fn m_268_vitality_is_the_share_of_the_ceiling_and_rate_the_change_per_tick() {
    // M-268, MG-08: the default ceiling is 2 bits.
    let mut life = diagnostics();
    live(&mut life, 1..=400, 0.9);
    let first = life.analyse(Tick::new(400), VITAL).expect("finite");
    assert_eq!(first.rate, 0.0, "nothing to compare with");
    assert_eq!(first.vitality, Ppm::round(first.bits / 2.0));
    live(&mut life, 401..=404, 0.0);
    let second = life.analyse(Tick::new(404), VITAL).expect("finite");
    assert!((second.rate - (second.bits - first.bits) / 4.0).abs() < 1e-15);
    // A perfect grip would tell more than the ceiling; V is held at one.
    let mut certain = diagnostics();
    live(&mut certain, 1..=900, 1.0);
    assert_eq!(certain.analyse(Tick::new(900), VITAL).expect("finite").vitality, Ppm::ONE);
    for bits in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(Diagnostics::new(Ksg::default(), bits).is_err(), "{bits}");
    }
}

#[test]
fn m_269_decoupling_needs_vital_clocks_and_a_silent_market() {
    // M-269: composite > 0.5 and V < 0.2, both exclusive.
    let parts = Ppm::of;
    for (composite, vitality, expected) in [
        (parts(500_001), parts(199_999), true),
        (parts(500_000), parts(0), false),
        (parts(1_000_000), parts(200_000), false),
    ] {
        assert_eq!(decouples(composite, vitality), expected, "{composite} {vitality}");
    }
    let mut idle = diagnostics();
    live(&mut idle, 1..=600, 0.0);
    let alerts: Vec<Alert> = idle.analyse(Tick::new(600), VITAL).expect("finite").alerts().collect();
    assert_eq!(alerts, [Alert::Decoupling]);
    assert_eq!(Alert::Decoupling.event(), "mortality:decoupling_alert");
    assert!(Alert::Decoupling.raises_arousal() && Alert::Decoupling.asks_caution());
    let mut engaged = diagnostics();
    live(&mut engaged, 1..=600, 0.9);
    assert!(!engaged.analyse(Tick::new(600), VITAL).expect("finite").decoupling);
}

#[test]
fn m_270_overfitting_is_a_past_three_times_louder_than_a_quiet_present() {
    // M-270.
    for (past, recent, expected) in [
        (1.81, 0.6, false), // 0.6 is not below 0.3 of two bits
        (1.79, 0.59, true),
        (1.77, 0.59, false), // exactly three times is not more
        (0.5, 0.0, true),    // guarded
        (0.0, 0.0, false),   // nothing was known
    ] {
        assert_eq!(overfits(past, recent, 2.0), expected, "{past} {recent}");
    }
}

#[test]
fn m_270_the_windows_are_the_last_thousand_ticks_and_the_thousand_before() {
    // M-270, C-35: a grip that is lost at tick 1,000.
    let mut life = diagnostics();
    live(&mut life, 1..=1_000, 0.97);
    live(&mut life, 1_001..=2_000, 0.0);
    let reading = life.analyse(Tick::new(2_000), VITAL).expect("finite");
    assert!(reading.overfitting, "{reading:?}");
    assert_eq!(reading.alerts().collect::<Vec<_>>(), [Alert::Decoupling, Alert::Overfitting]);
    // What it has learnt again tells more than what it had forgotten.
    live(&mut life, 2_001..=3_000, 0.97);
    assert!(!life.analyse(Tick::new(3_000), VITAL).expect("finite").overfitting);
    // A young life has no past.
    let mut young = diagnostics();
    live(&mut young, 1..=900, 0.0);
    assert!(!young.analyse(Tick::new(900), VITAL).expect("finite").overfitting);
}

#[test]
fn m_274_overfitting_is_tested_on_every_tenth_tick_and_remembered_between() {
    // M-274.
    let mut life = diagnostics();
    live(&mut life, 1..=1_000, 0.97);
    live(&mut life, 1_001..=1_999, 0.0);
    assert!(!life.analyse(Tick::new(1_999), VITAL).expect("finite").overfitting, "not looked at");
    live(&mut life, 2_000..=2_000, 0.0);
    assert!(life.analyse(Tick::new(2_000), VITAL).expect("finite").overfitting);
    live(&mut life, 2_001..=2_001, 0.0);
    assert!(life.analyse(Tick::new(2_001), VITAL).expect("finite").overfitting, "remembered");
}

#[test]
fn m_275_the_entropy_rate_of_fifty_kinds_in_a_full_window() {
    // M-275.
    let mut life = diagnostics();
    live(&mut life, 1..=1_000, 0.5);
    assert_eq!(life.analyse(Tick::new(1_000), VITAL).expect("finite").entropy_rate, 0.05);
}

#[test]
fn m_271_a_twin_is_redundant_and_a_lone_voice_unique() {
    // M-271, MG-15.
    let five = Ksg::default();
    let own: Vec<f64> = (0..1_000).map(noise).collect();
    let other: Vec<f64> = (0..1_000).map(|i| noise(i + (1 << 41))).collect();
    let responses: Vec<f64> = (0..1_000).map(|i| own[i] + other[i] + 0.2 * noise(i as u64 + (1 << 42))).collect();
    let index = |clade: &[&[f64]]| redundancy_index(five, &own, clade, &responses).expect("finite");
    assert_eq!(index(&[]), Ppm::ONE, "no Clade");
    assert!(index(&[&own]) < Ppm::of(100_000), "a twin says the same: {}", index(&[&own]));
    assert!(index(&[&other]) > Ppm::of(900_000), "nobody else sees it: {}", index(&[&other]));
    let idle = vec![1.0; 1_000];
    assert_eq!(redundancy_index(five, &idle, &[&other], &responses), Ok(Ppm::ZERO), "it tells nothing");
    assert_eq!(redundancy_index(five, &own[..5], &[&other[..5]], &responses[..5]), Ok(Ppm::ONE), "too young to judge");
    let siblings = vec![other.as_slice(); 7];
    assert!(matches!(
        redundancy_index(five, &own, &siblings, &responses),
        Err(InformationError::Estimate(KsgError::Columns { given: 8 }))
    ));
}

#[test]
fn pairs_that_are_no_numbers_or_run_backwards_are_refused() {
    let mut life = diagnostics();
    live(&mut life, 1..=10, 0.5);
    let before = life.clone();
    let pair = |tick, action, response| ActionResponse { tick: Tick::new(tick), action, response };
    assert!(matches!(life.observe(pair(11, f64::NAN, 0.0), 0), Err(InformationError::NotFinite { .. })));
    assert!(matches!(life.observe(pair(11, 0.0, f64::INFINITY), 0), Err(InformationError::NotFinite { .. })));
    let error = life.observe(pair(9, 0.0, 0.0), 0).expect_err("older");
    assert_eq!(error, InformationError::OutOfOrder { given: Tick::new(9), newest: Tick::new(10) });
    assert_eq!(life, before);
    life.observe(pair(10, 0.0, 0.0), 0).expect("a tick may hold several pairs");
}

#[test]
fn c_38_the_bands_of_information_are_those_of_the_phases() {
    // M-273, C-38.
    assert_eq!(Phase::raw(Ppm::round(1.4 / DEFAULT_CEILING_BITS)), Phase::Thriving);
    assert_eq!(Phase::raw(Ppm::round(0.99 / DEFAULT_CEILING_BITS)), Phase::Conservation);
}
