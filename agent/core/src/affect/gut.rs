//! What earlier tries left: a mark on each situation that was entered, and a landscape of the settings it was
//! entered with. Both are counted from receipts alone; they lean on whom is asked and on what a model is told, and order
//! nothing.

use std::collections::BTreeMap;

use golem_daimon::Trigger;
use golem_daimon::somatic::{GutWord, Leaf, SomaticMarker, gut};
use golem_primitives::Ppm;
use serde::{Deserialize, Serialize};

use crate::precedents::Situation;
use crate::trader::setting::Setting;

/// Situations that carry a mark, and leaves of the landscape, at most.
const MARKS: usize = 64;
const LEAVES: usize = 32;
/// Settings as near as this are one leaf.
const SAME: f64 = 0.05;

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Mark {
    marker: SomaticMarker,
    record: Leaf,
}

/// What was entered and waits for its end, or is only considered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Entered {
    situation: Situation,
    at: Setting,
}

/// The marks and the landscape of one life.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Body {
    marks: BTreeMap<Situation, Mark>,
    leaves: Vec<Leaf>,
    entered: Option<Entered>,
    considered: Option<Setting>,
}

impl Body {
    /// An entry was sent: how it ends is how this felt.
    pub(super) fn enter(&mut self, situation: Situation, at: Setting) {
        self.considered = Some(at);
        self.entered = Some(Entered { situation, at });
    }

    pub(super) const fn consider(&mut self, at: Setting) {
        self.considered = Some(at);
    }

    /// A way out has landed: the setting and the situation it was entered with are worth what it brought.
    pub(super) fn land(&mut self, trigger: &Trigger) {
        let (won, share) = match trigger {
            Trigger::TradeProfit { gain } => (true, f64::from(gain.get()) / 10_000.0),
            Trigger::TradeLoss { loss } => (false, -f64::from(loss.get()) / 10_000.0),
            _ => return,
        };
        let Some(Entered { situation, at }) = self.entered.clone() else { return };
        learn(self.leaf(at), won, share);
        if !self.marks.contains_key(&situation) && self.marks.len() == MARKS {
            let weakest = self.marks.iter().min_by_key(|(_, mark)| mark.marker.strength).map(|(key, _)| key.clone());
            weakest.and_then(|key| self.marks.remove(&key));
        }
        let blank = Mark { marker: SomaticMarker::default(), record: Leaf { at, wins: 0, tries: 0, pnl: 0.0 } };
        let mark = self.marks.entry(situation).or_insert(blank);
        learn(&mut mark.record, won, share);
        mark.marker = mark.marker.marked(Ppm::ONE, mark.record.valence());
    }

    /// The leaf of this setting; a full landscape gives up its least tried.
    fn leaf(&mut self, at: Setting) -> &mut Leaf {
        let apart = |leaf: &Leaf| leaf.at.iter().zip(&at).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
        let found = self.leaves.iter().position(|leaf| apart(leaf) <= SAME * SAME);
        let place = found.unwrap_or_else(|| {
            if self.leaves.len() == LEAVES {
                let least = (0..LEAVES).min_by_key(|place| self.leaves[*place].tries).unwrap_or(0);
                self.leaves.remove(least);
            }
            self.leaves.push(Leaf { at, wins: 0, tries: 0, pnl: 0.0 });
            self.leaves.len() - 1
        });
        &mut self.leaves[place]
    }

    /// The mark of a situation, when it wants the large model.
    pub(super) fn warns_of(&self, situation: &Situation) -> Option<SomaticMarker> {
        self.marks.get(situation).map(|mark| mark.marker).filter(SomaticMarker::wants_second_thought)
    }

    /// What the landscape says of what is considered now, in words for the context.
    pub(super) fn words(&self) -> Option<&'static str> {
        match gut(&self.leaves, &self.considered?)?.word()? {
            GutWord::Warning => Some("Gut: entries like this went badly before."),
            GutWord::Confidence => Some("Gut: entries like this went well before."),
        }
    }

    /// The landscape, for screens and for what is left behind.
    pub(super) fn leaves(&self) -> &[Leaf] {
        &self.leaves
    }
}

/// Another try with this end; the profit is the mean over all of them.
fn learn(leaf: &mut Leaf, won: bool, share: f64) {
    leaf.tries = leaf.tries.saturating_add(1);
    leaf.wins = leaf.wins.saturating_add(u32::from(won));
    leaf.pnl += (share - leaf.pnl) / f64::from(leaf.tries);
}

#[cfg(test)]
mod tests {
    use golem_primitives::Bps;

    use super::*;
    use crate::record::Phase;
    use golem_daimon::somatic::DIMENSIONS;

    fn situation(deviations: i8) -> Situation {
        Situation { wish: "buy".to_owned(), regime: None, phase: Phase::Thriving, deviations }
    }

    fn at(first: f64) -> Setting {
        let mut setting = [0.0; DIMENSIONS];
        setting[0] = first;
        setting
    }

    const LOSS: Trigger = Trigger::TradeLoss { loss: Bps::ZERO };
    const GAIN: Trigger = Trigger::TradeProfit { gain: Bps::ZERO };

    /// a dozen losses in one situation mark it, a profit among them takes that back, and another situation is not
    /// marked by it.
    #[test]
    fn a_080_what_keeps_going_badly_is_marked() {
        let mut body = Body::default();
        body.land(&LOSS);
        assert_eq!(body.marks.len(), 0, "nothing was entered");
        body.enter(situation(-2), at(0.5));
        let marked = (1..=20).find(|_| {
            body.land(&LOSS);
            body.warns_of(&situation(-2)).is_some()
        });
        assert_eq!(marked, Some(12), "valence -0.6 (1 - 0.85^n) below -0.5");
        assert!(body.warns_of(&situation(-1)).is_none());
        (0..4).for_each(|_| body.land(&GAIN));
        assert!(body.warns_of(&situation(-2)).is_none(), "what went well since counts");
    }

    /// words only when it is clear and not from one try, and the nearer setting is louder.
    #[test]
    fn a_081_the_landscape_speaks_of_what_is_considered() {
        let mut body = Body::default();
        body.enter(situation(-2), at(0.5));
        body.land(&LOSS);
        assert_eq!(body.words(), None, "one try is too few");
        (0..4).for_each(|_| body.land(&LOSS));
        assert!(body.words().expect("clear").contains("badly"));
        body.enter(situation(-2), at(5.0));
        (0..5).for_each(|_| body.land(&GAIN));
        assert!(body.words().expect("clear").contains("well"));
        body.consider(at(0.5));
        assert!(body.words().expect("clear").contains("badly"));
    }

    /// both are bounded, whatever was lived.
    #[test]
    fn a_004_marks_and_leaves_are_bounded() {
        let mut body = Body::default();
        for place in 0..200_i16 {
            body.enter(situation(i8::try_from(place % 120).expect("small")), at(f64::from(place)));
            body.land(if place % 3 == 0 { &GAIN } else { &LOSS });
        }
        assert_eq!((body.marks.len(), body.leaves().len()), (MARKS, LEAVES));
    }
}
