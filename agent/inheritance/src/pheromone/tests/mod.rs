use proptest::prelude::*;

use super::*;

const HOUR: u64 = 3_600;

fn source(name: &str) -> SourceHash {
    SourceHash::of(&GolemId::new(name).expect("a name"), b"salt")
}

fn threat(parts: u32) -> Sign {
    Sign { class: Class::Threat, intensity: Ppm::of(parts), domain: Domain::GasMev, regime: Some(Regime::Bear) }
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

/// I-324: others confirm, oneself does not, nobody does twice; and nobody senses what only it left.
#[test]
fn i_324_only_others_confirm_and_only_once() {
    let now = UtcTime::from_seconds(0);
    let mut field = Field::default();
    let reader = source("reader");
    let deposit = |field: &mut Field, name| field.deposit(threat(800_000), source(name), now).expect("taken");
    deposit(&mut field, "a");
    let at = |field: &Field, reader| field.sense(Domain::GasMev, Some(Regime::Bear), reader, now);
    assert!(at(&field, source("a")).is_empty() && at(&field, reader).len() == 1, "I-326");
    ["a", "b", "b", "c", "d"].into_iter().for_each(|name| deposit(&mut field, name));
    let there = [Scent { domain: Domain::GasMev, class: Class::Threat, intensity: Ppm::of(800_000), confirmations: 3 }];
    assert_eq!((at(&field, reader).as_slice(), at(&field, source("a")).as_slice()), (&there[..], &there[..]));
    field.deposit(Sign { regime: None, ..threat(800_000) }, source("e"), now).expect("taken");
    assert_eq!(field.len(), 2, "another regime is another place");
    assert!(field.sense(Domain::Yield, Some(Regime::Bear), reader, now).is_empty(), "I-326");
}

/// I-325: limits and sweeping.
#[test]
fn i_325_the_field_is_bounded_and_swept() {
    let now = UtcTime::from_seconds(600);
    let mut field = Field::default();
    for n in 0..60 {
        assert_eq!(field.deposit(threat(800_000), source("a"), now), Ok(()), "{n}");
    }
    assert_eq!(field.deposit(threat(800_000), source("a"), now), Err(TooManySigns));
    assert_eq!(field.deposit(threat(800_000), source("b"), now), Ok(()), "another agent");
    assert_eq!(field.deposit(threat(800_000), source("a"), UtcTime::from_seconds(660)), Ok(()), "another minute");
    assert_eq!(field.evaporate(UtcTime::from_seconds(600 + 8 * HOUR)), 0);
    assert_eq!(field.evaporate(UtcTime::from_seconds(600 + 13 * HOUR)), 1);
    assert!(field.is_empty());

    let mut full = Field::default();
    for (n, class) in (0..5_000u64).flat_map(|n| Class::ALL.iter().map(move |class| (n, *class))) {
        let regime = Regime::ALL.get((n % 7) as usize).copied();
        full.deposit(Sign { class, regime, ..threat(900_000) }, source(&format!("g{n}")), now).expect("taken");
    }
    assert_eq!(full.len(), 21, "I-325: bounded by what can be said, far below a thousand");
}

/// I-327: the whole field, leaving and sensing are turned off each by itself.
#[test]
fn i_327_each_switch_turns_its_own_part_off() {
    let on = Switches::default();
    assert!(on.leaves() && on.senses());
    let off = |switches: Switches| (switches.leaves(), switches.senses());
    assert_eq!(off(Switches { enabled: false, ..on }), (false, false));
    assert_eq!(off(Switches { deposit_enabled: false, ..on }), (false, true));
    assert_eq!(off(Switches { sense_enabled: false, ..on }), (true, false));
}

/// I-322, I-325: a sign that waited is left as weak as it has become, and one that has faded not at all.
#[test]
fn i_322_a_sign_that_waited_is_weaker() {
    assert_eq!(threat(800_000).after(hours(2.0)), Some(threat(400_000)));
    assert_eq!(threat(800_000).after(hours(9.0)), None);
}

/// I-329: deaths stack.
#[test]
fn i_329_a_death_marks_its_domains() {
    let now = UtcTime::from_seconds(0);
    let mut field = Field::default();
    for name in ["a", "b", "c", "d"] {
        for sign in of_death(&[Domain::GasMev], &[Domain::Yield], None) {
            field.deposit(sign, source(name), now).expect("taken");
        }
    }
    let at = |domain| field.sense(domain, None, source("reader"), now);
    assert_eq!((at(Domain::GasMev)[0].class, at(Domain::GasMev)[0].confirmations), (Class::Threat, 3));
    assert_eq!(at(Domain::Yield)[0].class, Class::Wisdom);
}

fn any_scent() -> impl Strategy<Value = Scent> {
    let parts = (0..Domain::ALL.len(), 0..Class::ALL.len(), 0u32..=1_000_000, any::<u32>());
    parts.prop_map(|(domain, class, parts, confirmations)| Scent {
        domain: Domain::ALL[domain],
        class: Class::ALL[class],
        intensity: Ppm::of(parts),
        confirmations,
    })
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

    /// I-326: whatever is told, a reader has of each of its domains and classes one sign, the strongest, and of no other domain
    /// any; gathered again it is the same.
    #[test]
    fn i_326_what_is_gathered_is_bounded(told in prop::collection::vec(any_scent(), 0..200)) {
        let own = [Domain::GasMev, Domain::Volatility];
        let got = gathered(told.clone(), &own);
        prop_assert!(got.len() <= own.len() * Class::ALL.len());
        prop_assert_eq!(gathered(got.clone(), &own), got.clone());
        for scent in &got {
            let same = |one: &&Scent| (one.domain, one.class) == (scent.domain, scent.class);
            let strongest = told.iter().filter(same).map(|one| one.intensity).max().expect("told");
            prop_assert!(own.contains(&scent.domain) && scent.intensity <= strongest);
            prop_assert!(strongest.get() - scent.intensity.get() < 10_000);
        }
    }
}
