use golem_daimon::contagion::Sync;
use golem_daimon::influence::Influence;
use golem_daimon::personality::{Disposition, Personality};
use golem_daimon::{AppraisalModel, Daimon, DaimonLaw, Pad, Trigger};
use golem_mortality::behaviour::{Behaviour, sharing_threshold};
use golem_mortality::epistemic::senescence::SenescenceStage;
use golem_mortality::phase::Phase;
use golem_mortality::stochastic::hazard::Hazard;
use golem_primitives::{Bps, Ppm, Tick};
use proptest::prelude::*;

use crate::life::{RULES, at, facts, moment};

proptest! {
    /// off, every number is as if the engine did not exist, whatever happens.
    #[test]
    fn a_008_disabled_is_the_identity(
        losses in prop::collection::vec(0i32..5_000, 0..60), parts in 0u32..=1_000_000, rate in 1e-8..1e-3f64,
        by_model: bool, cage in 0u32..=1_000_000,
    ) {
        let law = if by_model {
            DaimonLaw { model: AppraisalModel::Disabled, ..RULES }
        } else {
            DaimonLaw { enabled: false, ..RULES }
        };
        let born = Daimon::born(Personality::plain(Disposition::Thanatos));
        let mut daimon = born.clone();
        for (tick, points) in losses.iter().enumerate() {
            let tick = tick as u64 + 1;
            let triggers = [Trigger::TradeLoss { loss: Bps::from(*points) }, Trigger::RegimeShift];
            let lived = daimon.live(&law, &moment(tick, &triggers));
            prop_assert!(lived.felt.is_empty() && lived.events.is_empty() && lived.tag().is_none());
            daimon.sync(&law, &Sync { moods: &[Pad::thousandths(0, 900, 0)], warnings: 9, success: true }, at(tick));
        }
        prop_assert_eq!(&daimon, &born);
        let influence = daimon.influence(&law, Tick::new(1), at(1));
        prop_assert_eq!(influence, Influence::NONE);
        prop_assert_eq!(daimon.mood(&law, at(1)), Pad::NEUTRAL);
        prop_assert_eq!(daimon.prompt(&law, &facts(250_000, 200_000, 450_000, -20_000, 4e-5), Phase::Thriving, at(1)), None);
        // The numbers of the law of mortality, untouched.
        let (vitality, hazard) = (Ppm::of(parts), Hazard::from_rate(rate).expect("a rate"));
        let phase = Phase::raw(vitality);
        prop_assert_eq!(influence.risk_within(phase, Ppm::of(cage)), Behaviour::of(phase).risk_within(Ppm::of(cage)));
        for stage in [SenescenceStage::Sound, SenescenceStage::Confirmed] {
            let by_law = sharing_threshold(phase, hazard, stage);
            prop_assert_eq!(influence.sharing_within(by_law, phase, vitality, hazard), by_law);
        }
        prop_assert_eq!(influence.beta(1.0), 1.0);
        prop_assert_eq!(Pad::thousandths(300, -200, 100).congruence(daimon.mood(&law, at(1))), 0.5);
    }
}
