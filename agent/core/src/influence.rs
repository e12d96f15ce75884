//! How mood and suffering lean on a decision.

use golem_daimon::Pad;
use golem_daimon::influence::Influence;
use golem_daimon::modulation::{severity, temperature};
use golem_daimon::somatic::SomaticMarker;
use golem_mortality::behaviour::Behaviour;
use golem_mortality::phase::Phase;
use golem_mortality::vitals::Vitals;
use golem_primitives::{Ppm, Tick};
use golem_suffering::gate::GoalVerdict;

use crate::affect::Affect;
use crate::deliberation::Bias;
use crate::pass::Pass;
use crate::precedents::Situation;
use crate::pressure::{Opening, Pressure};
use crate::record::{Band, Event, Forgone, Order, Signal, Swayed};
use crate::trader::Trader;

/// How far a mood raises the threshold of an entry. It lowers none: nothing is entered that the rules would
/// not foretell anything of.
const ENTRY: (f64, f64) = (1.0, 1.25);

/// How affect and suffering lean on one decision. It holds them only to read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lean<'a> {
    influence: Option<Influence>,
    affect: Option<&'a Affect>,
    pressure: Option<&'a Pressure>,
}

impl<'a> Lean<'a> {
    /// As they stand in this pass.
    pub(crate) fn of(affect: Option<&'a Affect>, pressure: Option<&'a Pressure>, pass: &Pass<'_>) -> Self {
        Self { influence: affect.map(|affect| affect.influence(pass.tick(), pass.now())), affect, pressure }
    }

    /// The risk that is taken: never more than the phase gives.
    pub(crate) fn risk(&self, phase: Phase) -> Ppm {
        let by_phase = Behaviour::of(phase).risk_within(Ppm::ONE);
        self.influence.map_or(by_phase, |influence| influence.risk_within(phase, Ppm::ONE).min(by_phase))
    }

    /// What the threshold of an entry is multiplied with: who exploits waits for more, who explores does not,
    /// and who is moved by what went badly is cautious, however far its thoughts wander.
    pub(crate) fn entry(&self) -> f64 {
        let factor = |influence: Influence| {
            let beta = influence.beta(1.0);
            if influence.mood.pleasure() < 0.0 { 2.0 - beta } else { beta }
        };
        self.influence.map_or(1.0, |influence| factor(influence).clamp(ENTRY.0, ENTRY.1))
    }

    /// How much is explored on paper: as much as usual in a calm mood, more by who is stirred or dissatisfied, and by
    /// the young of a line (I-007).
    pub(crate) fn exploration(&self, youth: Ppm) -> f64 {
        let mood = self.influence.map_or(Pad::NEUTRAL, |influence| influence.mood);
        temperature(1.0 + youth.as_f64(), mood)
    }

    /// How aroused a decision is made.
    pub(crate) fn arousal(&self) -> Ppm {
        self.influence.map_or(Ppm::ZERO, |influence| Ppm::round(influence.mood.arousal().max(0.0)))
    }

    /// How a mood bends what depends on a decision: the anxious see more in it, the confident a little less.
    pub(crate) fn stakes(&self, plain: Ppm) -> Ppm {
        self.influence.map_or(plain, |influence| severity(plain, influence.mood))
    }

    /// What mood and marks do to whom is asked.
    pub(crate) fn bias(&self, situation: &Situation) -> Bias {
        self.influence.map_or_else(Bias::default, |influence| Bias::of(&influence, self.marked(situation).is_some()))
    }

    /// The mark of a situation that wants to be thought over.
    pub(crate) fn marked(&self, situation: &Situation) -> Option<SomaticMarker> {
        self.affect.and_then(|affect| affect.warns_of(situation))
    }

    /// What is asked for above the bare minimum before anything is sent.
    pub(crate) fn margin(&self) -> Ppm {
        self.influence.map_or(Ppm::ZERO, |influence| influence.safety_margin)
    }

    /// S-129. Why an order is closed. Who would get out is not asked about (S-128).
    pub(crate) fn closes(&self, order: &Order, trader: &Trader) -> Option<Forgone> {
        let (pressure, opening) = (self.pressure?, Opening::of(order)?);
        match pressure.judge(opening, trader)? {
            GoalVerdict::Closed(_) => Some(Forgone::Suffering(pressure.band())),
            GoalVerdict::Open(_) => None,
        }
    }

    /// S-129. Whether profit may be made into credits.
    pub(crate) fn may_harvest(&self, trader: &Trader, vitals: &Vitals) -> bool {
        self.pressure.is_none_or(|pressure| pressure.may_harvest(trader, vitals))
    }

    /// Whether no entry is asked for now, because one was just closed. What gets out does not wait.
    pub(crate) fn rests(&self, order: &Order, tick: Tick) -> bool {
        order.raises_exposure() && self.pressure.is_some_and(|pressure| pressure.rests(tick))
    }

    /// S-129. The band in which data is not bought, when this is one. What is on its way is followed to its end.
    pub(crate) fn closes_purchases(&self, trader: &Trader) -> Option<Band> {
        self.pressure.filter(|pressure| !pressure.may_buy(trader)).map(Pressure::band)
    }

    /// S-036. Whether a model is asked to look at what presses, though nothing may be chosen.
    pub(crate) fn examines(&self, tick: Tick) -> bool {
        self.pressure.is_some_and(|pressure| pressure.examines(tick))
    }

    /// S-080. What was suffered before where an order would enter.
    pub(crate) fn anticipates(&self, order: &Order, trader: &Trader) -> Option<Signal> {
        self.pressure?.anticipates(Opening::of(order)?, trader)
    }

    /// S-080. Warns of what was suffered there before an order enters: when a model is asked about it, or when it goes out
    /// and nobody was.
    pub(crate) fn warn(&self, order: &Order, trader: &Trader, pass: &mut Pass<'_>) {
        if let Some(signal) = self.anticipates(order, trader) {
            pass.say(Event::Anticipated(Box::new(signal)));
        }
    }

    /// What is told of an order that goes out: what moved it.
    pub(crate) fn tell(&self, order: Order, phase: Phase, pass: &mut Pass<'_>) {
        if !order.raises_exposure() {
            return;
        }
        let (risk, by_phase) = (self.risk(phase), Behaviour::of(phase).risk_within(Ppm::ONE));
        if let Some(influence) = self.influence
            && (risk != by_phase || self.entry() != 1.0)
        {
            pass.say(Event::Swayed(Box::new(Swayed { order, risk, by_phase, influence })));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn entry(p: f64, a: f64, d: f64) -> f64 {
        let influence = Influence { mood: Pad::round(p, a, d), ..Influence::NONE };
        Lean { influence: Some(influence), affect: None, pressure: None }.entry()
    }

    /// fear is caution, contentment waits for more, and a calm mind enters as the rules say.
    #[test]
    fn a_001_fear_makes_an_entry_harder() {
        assert!((entry(-0.3, 0.4, -0.2) - 1.19).abs() < 1e-9);
        assert!((entry(0.2, 0.1, 0.3) - 1.07).abs() < 1e-9);
        assert_eq!((entry(0.0, 0.0, 0.0), entry(0.1, 0.9, 0.0), entry(-1.0, 1.0, -1.0)), (1.0, 1.0, 1.25));
    }

    /// I-007: who is stirred by what went badly tries more, who is content less, and the young more than either.
    #[test]
    fn a_070_a_restless_mind_explores() {
        let explored = |p: f64, a: f64, youth: u32| {
            let influence = Influence { mood: Pad::round(p, a, 0.0), ..Influence::NONE };
            Lean { influence: Some(influence), affect: None, pressure: None }.exploration(Ppm::of(youth))
        };
        assert_eq!(Lean { influence: None, affect: None, pressure: None }.exploration(Ppm::ZERO), 1.0, "A-008");
        assert!((explored(-0.4, 0.5, 0) - 1.22).abs() < 1e-9);
        assert!((explored(0.5, -0.2, 0) - 0.81).abs() < 1e-9);
        assert!((explored(0.0, 0.0, 200_000) - 1.2).abs() < 1e-9);
    }

    proptest! {
        /// whatever the mood, nothing is entered sooner than the rules would.
        #[test]
        fn a_151_no_mood_enters_sooner(p in -1.0..=1.0f64, a in -1.0..=1.0f64, d in -1.0..=1.0f64) {
            prop_assert!((1.0..=1.25).contains(&entry(p, a, d)));
        }
    }
}
