//! What a life gives away of what it knows: by the law of mortality, by its mood, and not at all while it suffers too much.

use golem_primitives::Ppm;

use crate::life::Life;
use crate::record::Band;

/// A-077, S-129. From which confidence a Golem gives away what it knows, and whether it may now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sharing {
    pub threshold: Ppm,
    /// M-134. What the law of mortality says; affect may open a hand it leaves closed and closes none.
    pub by_law: Ppm,
    /// The band that closes publishing (C9), when one does.
    pub closed: Option<Band>,
}

impl Life {
    /// M-134. What it gives away as it stands: the law's threshold, lowered by its mood and its grief within
    /// what the law of affect allows, while nothing it suffers closes publishing.
    #[must_use]
    pub fn sharing(&self) -> Sharing {
        let (vitals, vitality) = (self.vitals(), self.vitals().vitality());
        let by_law = vitals.posture().sharing;
        let threshold = self.affect().map_or(by_law, |affect| {
            let influence = affect.influence(self.tick(), vitality.last_computed);
            let (phase, hazard) = (vitals.phase(), vitals.stochastic().hazard);
            if affect.law().is_on() {
                influence.sharing_within(by_law, phase, vitality.composite, hazard)
            } else {
                by_law
            }
        });
        let closed =
            self.pressure().zip(self.trader()).and_then(|(pressure, trader)| pressure.closes_publishing(trader));
        Sharing { threshold, by_law, closed }
    }
}
