use super::*;

/// Death of oneself stays where offspring stay near, and is lost where everybody is everybody's neighbour.
#[test]
fn mortality_is_kept_in_space_and_lost_well_mixed() {
    let study = WerfelStudy {
        side: 40,
        steps: 1_500,
        growth: 0.1,
        consumption: 0.1,
        mutation: 0.2,
        change: 0.02,
        first_mortality: 0.15,
        first_reproduction: 0.5,
        arms: Vec::new(),
    };
    let arm = |spatial| WerfelArm { name: String::new(), spatial };
    for seed in 1..=3 {
        let (spatial, mixed) = (study.live(&arm(true), seed), study.live(&arm(false), seed));
        assert_eq!(spatial, study.live(&arm(true), seed), "a function of its seed");
        assert!(spatial["survived"] == 1.0 && mixed["survived"] == 1.0, "{spatial:?} {mixed:?}");
        assert!(spatial["mortality"] > 2.0 * mixed["mortality"], "{spatial:?} {mixed:?}");
    }
}
