use proptest::prelude::*;

use super::*;

const HOUR: u64 = 3_600;

fn source(name: &str) -> SourceHash {
    SourceHash::of(&GolemId::new(name).expect("a name"), b"salt")
}

fn threat(name: &str, parts: u32, at: u64) -> Sign {
    Sign {
        layer: Layer::Clade,
        class: Class::Threat,
        intensity: Ppm::of(parts),
        domain: Domain::GasMev,
        regime: Some(Regime::Bear),
        source: source(name),
        at: UtcTime::from_seconds(at),
    }
}

fn hours(hours: f64) -> Duration {
    Duration::from_secs_f64(hours * HOUR as f64)
}

/// I-321, I-322: W-43, W-44, W-45.
#[test]
fn i_322_w_43_w_44_w_45_signs_fade_by_class_and_confirmations() {
    for (class, start, age, confirmations, left) in [
        (Class::Threat, 800_000, 2.0, 0, 400_000),
        (Class::Threat, 800_000, 2.0, 3, 606_287),
        (Class::Threat, 800_000, 5.0, 3, 400_000),
        (Class::Opportunity, 600_000, 24.0, 0, 150_000),
        (Class::Wisdom, 1_000_000, 168.0, 1, 629_961),
        (Class::Threat, 1_000_000, 8.643_856, 0, 50_000),
        (Class::Opportunity, 1_000_000, 51.863_137, 0, 50_000),
        (Class::Wisdom, 1_000_000, 726.083_920, 0, 50_000),
    ] {
        let got = intensity(class, Ppm::of(start), hours(age), confirmations);
        assert!(got.get().abs_diff(left) <= 1, "{class} {start} {age} {confirmations}: {got}");
    }
}

/// I-323: W-46. Twelve bytes of a hash and nothing else.
#[test]
fn i_323_w_46_a_source_is_twelve_bytes_of_a_hash() {
    let unsalted = |name: &str| format!("{:?}", SourceHash::of(&GolemId::new(name).expect("a name"), b""));
    assert_eq!(unsalted("golem-alpha"), "bf677a8b02b9fdb130b15c02", "W-46");
    assert_eq!(unsalted("golem-beta"), "60622cd7e30d0a243a85acfd", "W-46");
    assert_ne!(format!("{:?}", source("golem-alpha")), unsalted("golem-alpha"), "salted it is another");
}

/// I-324: others confirm, oneself does not, nobody does twice.
#[test]
fn i_324_only_others_confirm_and_only_once() {
    let now = UtcTime::from_seconds(0);
    let mut field = Field::default();
    let mut deposit = |name| field.deposit(threat(name, 800_000, 0), Switches::default(), now).expect("taken");
    ["a", "a", "b", "b", "c", "d"].into_iter().for_each(&mut deposit);
    let scents = field.sense(Domain::GasMev, Some(Regime::Bear), Switches::default(), now);
    assert_eq!(scents, [Scent { class: Class::Threat, intensity: Ppm::of(800_000), confirmations: 3 }]);
    let elsewhere = Sign { regime: None, ..threat("e", 800_000, 0) };
    field.deposit(elsewhere, Switches::default(), now).expect("taken");
    assert_eq!(field.len(), 2, "another regime is another place");
    assert!(field.sense(Domain::Yield, Some(Regime::Bear), Switches::default(), now).is_empty(), "I-326");
}

/// I-325, I-327: limits, sweeping, switches.
#[test]
fn i_325_the_field_is_bounded_and_swept() {
    let now = UtcTime::from_seconds(600);
    let on = Switches::default();
    let mut field = Field::default();
    for n in 0..60 {
        assert_eq!(field.deposit(threat("a", 800_000, 600), on, now), Ok(()), "{n}");
    }
    assert_eq!(field.deposit(threat("a", 800_000, 600), on, now), Err(NotTaken::TooMany));
    assert_eq!(field.deposit(threat("b", 800_000, 600), on, now), Ok(()), "another agent");
    let off = Switches { deposit_enabled: false, ..on };
    let refused = field.deposit(threat("c", 1, 600), off, now).expect_err("off");
    assert!(refused == NotTaken::Off && !refused.may_retry() && NotTaken::TooMany.may_retry(), "I-327");
    let blind = Switches { sense_enabled: false, ..on };
    assert!(field.sense(Domain::GasMev, Some(Regime::Bear), blind, now).is_empty(), "I-327");
    assert_eq!(field.evaporate(UtcTime::from_seconds(600 + 8 * HOUR)), 0);
    assert_eq!(field.evaporate(UtcTime::from_seconds(600 + 13 * HOUR)), 1);
    assert!(field.is_empty());

    let mut full = Field::default();
    for (n, (class, layer)) in (0..5_000u64).flat_map(|n| {
        Class::ALL.iter().flat_map(move |class| Layer::ALL.iter().map(move |layer| (n, (*class, *layer))))
    }) {
        let regime = Regime::ALL.get((n % 7) as usize).copied();
        let sign = Sign { class, layer, regime, ..threat(&format!("g{n}"), 900_000, 600) };
        full.deposit(sign, on, now).expect("taken");
    }
    assert!(full.len() == 42 && full.len() <= PER_DOMAIN, "I-325: bounded by what can be said");
}

/// I-326: W-47; I-320: what is felt is numbers.
#[test]
fn i_326_w_47_threats_are_felt_and_not_read() {
    let scent = |confirmations| Scent { class: Class::Threat, intensity: Ppm::of(800_000), confirmations };
    assert!((felt(0.0, 0.5, &[scent(0)]).1 - 0.74).abs() < 1e-9, "W-47");
    assert_eq!(felt(0.0, 0.9, &[scent(0)]).1, 1.0, "W-47");
    assert!((felt(0.0, 0.5, &[scent(3)]).0 + 0.1).abs() < 1e-9);
    assert_eq!(felt(-0.95, 0.5, &[scent(3)]).0, -1.0);
    assert_eq!(felt(0.2, 0.5, &[Scent { class: Class::Wisdom, ..scent(9) }]), (0.2, 0.5));
}

/// I-328.
#[test]
fn i_328_vectors_reinforce_above_six_tenths() {
    assert!(reinforces(&[0], &[(1 << 25) - 1]) && !reinforces(&[0], &[(1 << 26) - 1]));
    assert!(!reinforces(&[0], &[0, 0]) && !reinforces(&[], &[]));
}

/// I-329: deaths stack.
#[test]
fn i_329_a_death_marks_its_domains() {
    let now = UtcTime::from_seconds(0);
    let mut field = Field::default();
    for name in ["a", "b", "c", "d"] {
        for sign in of_death(source(name), &[Domain::GasMev], &[Domain::Yield], None, now) {
            field.deposit(sign, Switches::default(), now).expect("taken");
        }
    }
    let at = |domain| field.sense(domain, None, Switches::default(), now);
    assert_eq!((at(Domain::GasMev)[0].class, at(Domain::GasMev)[0].confirmations), (Class::Threat, 3));
    assert_eq!(at(Domain::Yield)[0].class, Class::Wisdom);
}

proptest! {
    /// I-367: weaker with time, stronger with confirmations.
    #[test]
    fn i_367_time_weakens_and_confirmation_strengthens(
        class in 0usize..3, start in 0u32..=1_000_000, age in 0u64..5_000_000, later in 0u64..5_000_000, n in 0u32..50,
    ) {
        let of = |age, n| intensity(Class::ALL[class], Ppm::of(start), Duration::from_secs(age), n);
        prop_assert!(of(age + later, n) <= of(age, n));
        prop_assert!(of(age, n + 1) >= of(age, n));
        prop_assert!(of(age, n) <= Ppm::of(start));
    }
}
