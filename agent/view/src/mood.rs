//! What moves a Golem and what that does to its decisions: functional state, no claim of feeling.

use golem_core::affect::Affect;
use golem_core::life::Life;
use golem_daimon::Pad;
use golem_daimon::event::public_mood;
use golem_daimon::feeling::Felt;
use golem_mortality::behaviour::Behaviour;
use golem_primitives::{Ppm, Tick, UtcTime};

use crate::{Number, Ticks, picture, standing};

picture! {
    /// Pleasure, arousal and dominance, each from -1 to 1.
    pub struct PadPicture {
        pleasure: Number = "pleasure",
        arousal: Number = "arousal",
        dominance: Number = "dominance",
    }

    /// An event that was appraised.
    pub struct FeltPicture {
        tick: Tick = "tick",
        time: UtcTime,
        event: &'static str = "event",
        degree: &'static str = "degree",
        emotion: &'static str = "emotion",
        intensity: Ppm = "intensity",
        pad: PadPicture,
    }

    /// What mood does to a decision.
    pub struct InfluencePicture {
        risk: Ppm = "risk taken",
        risk_by_phase: Ppm = "of what the phase gives",
        risk_factor: Number,
        exploitation: Number = "exploitation",
        sharing_threshold: Ppm = "gives knowledge away from",
        sharing_by_law: Ppm = "by the law alone from",
        sharing_relief: Number,
        safety_margin: Ppm = "safety margin",
    }

    /// Everything the owner may see of a mood.
    pub struct MoodPicture {
        golem: String,
        life: &'static str,
        tick: Tick,
        mood: &'static str = "mood",
        pad: PadPicture = "that is",
        mode: &'static str = "appraised by",
        disposition: &'static str = "personality",
        baseline: PadPicture = "rests at",
        grief: Ticks = "ticks of grief left",
        is_helpless: bool = "helpless",
        influence: InfluencePicture,
        recent: Vec<FeltPicture>,
    }
}

impl From<Pad> for PadPicture {
    fn from(pad: Pad) -> Self {
        Self { pleasure: Number(pad.pleasure()), arousal: Number(pad.arousal()), dominance: Number(pad.dominance()) }
    }
}

impl From<Felt> for FeltPicture {
    fn from(felt: Felt) -> Self {
        Self {
            tick: felt.tick,
            time: felt.at,
            event: felt.trigger.name(),
            degree: felt.feeling.degree.name(),
            emotion: felt.feeling.primary.name(),
            intensity: felt.feeling.intensity,
            pad: felt.feeling.pad.into(),
        }
    }
}

impl MoodPicture {
    /// The mood of a life that has one, as of its last tick: a stopped life is as old as that.
    #[must_use]
    pub fn of(golem: &str, life: &Life) -> Option<Self> {
        let affect = life.affect()?;
        let (tick, now) = (life.tick(), life.vitals().vitality().last_computed);
        let (daimon, mood) = (&affect.daimon, affect.mood(now));
        Some(Self {
            golem: golem.to_owned(),
            life: standing(life),
            tick,
            mood: public_mood(mood).name(),
            pad: mood.into(),
            mode: match (affect.law().is_on(), affect.asks_model()) {
                (false, _) => "off",
                (true, true) => "model",
                (true, false) => "rules",
            },
            disposition: daimon.personality().disposition().name(),
            baseline: daimon.personality().baseline().into(),
            grief: Ticks(daimon.grief(tick).map_or(0, |grief| grief.ticks_left(tick))),
            is_helpless: daimon.is_helpless(),
            influence: influence(life, affect),
            recent: daimon.recent().map(FeltPicture::from).collect(),
        })
    }
}

fn influence(life: &Life, affect: &Affect) -> InfluencePicture {
    let influence = affect.influence(life.tick(), life.vitals().vitality().last_computed);
    let (phase, sharing) = (life.vitals().phase(), life.sharing());
    InfluencePicture {
        risk: influence.risk_within(phase, Ppm::ONE),
        risk_by_phase: Behaviour::of(phase).risk_within(Ppm::ONE),
        risk_factor: Number(influence.risk),
        exploitation: Number(influence.beta(1.0)),
        sharing_threshold: sharing.threshold,
        sharing_by_law: sharing.by_law,
        sharing_relief: Number(influence.sharing_relief),
        safety_margin: influence.safety_margin,
    }
}
