//! Layer 2: whether an arrival fits with what is known (I-074, I-075).

use golem_grimoire::confidence::Confidence;
use golem_grimoire::entry::{Draft, Knowledge, Method};
use golem_grimoire::id::EntryId;
use golem_grimoire::kind::Body;
use golem_grimoire::shelf::Grimoire;
use golem_primitives::words;

words! {
    /// I-075. How many validators must pass.
    Strictness {
        /// One of three.
        One = "1_of_3",
        /// Two of three: the default.
        Two = "2_of_3",
        /// All three.
        Three = "3_of_3",
        /// All three, and a hundred ticks in the sandbox.
        ThreeExtended = "3_of_3_extended",
    }
}

impl Strictness {
    /// I-075. The least number of passes.
    #[must_use]
    pub const fn needed(self) -> usize {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Three | Self::ThreeExtended => 3,
        }
    }
}

/// I-075. What the three validators said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ballot {
    /// I-074. It contradicts nothing well known.
    pub agrees: bool,
    /// It is well made: a statement with its parts and a reason to believe it.
    pub is_sound: bool,
    /// It does not claim to be surer than anything can be.
    pub is_modest: bool,
}

/// Confidence from which a claim is beyond what evidence can give (G-082 ends at 0.99).
const IMMODEST: Confidence = Confidence::of(990_000);
/// I-074. What may not be contradicted lightly.
const WELL_KNOWN: Confidence = golem_grimoire::gate::WELL_KNOWN;

impl Ballot {
    /// The validators by rule: no model is asked.
    #[must_use]
    pub fn by_rule(draft: &Draft, grimoire: &Grimoire) -> Self {
        let evidence = match &draft.body {
            Body::CausalLink(link) => link.evidence > 0,
            _ => true,
        };
        Self {
            agrees: contradicted(draft, grimoire).is_none(),
            is_sound: draft.check().is_ok() && evidence,
            is_modest: draft.original_confidence <= IMMODEST,
        }
    }

    /// How many passed.
    #[must_use]
    pub fn passes(self) -> usize {
        [self.agrees, self.is_sound, self.is_modest].into_iter().filter(|passed| *passed).count()
    }

    /// I-075. Whether that is enough.
    #[must_use]
    pub fn is_enough(self, strictness: Strictness) -> bool {
        self.passes() >= strictness.needed()
    }
}

/// I-074. The surest well known entry that the draft contradicts: the same pattern counted the other way, or the same
/// condition with another action.
#[must_use]
pub fn contradicted(draft: &Draft, grimoire: &Grimoire) -> Option<EntryId> {
    let against = |entry: &&Knowledge| entry.confidence >= WELL_KNOWN && contradicts(draft, &entry.draft);
    let mut known: Vec<&Knowledge> =
        grimoire.active().map(golem_grimoire::status::Active::knowledge).filter(against).collect();
    known.sort_by(|a, b| b.confidence.cmp(&a.confidence).then(a.id.cmp(&b.id)));
    known.first().map(|entry| entry.id)
}

fn contradicts(new: &Draft, known: &Draft) -> bool {
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    match (&new.method, &known.method, &new.body, &known.body) {
        (Method::Rules(new), Method::Rules(known), _, _) => new.contradicts(known),
        (_, _, Body::Heuristic { when: new_when, act: new_act, .. }, Body::Heuristic { when, act, .. }) => {
            plain(new_when) == plain(when) && plain(new_act) != plain(act)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// I-075: the four strictnesses.
    #[test]
    fn i_075_two_of_three_unless_the_owner_is_stricter() {
        let ballot = |agrees, is_sound, is_modest| Ballot { agrees, is_sound, is_modest };
        for (cast, enough) in [
            (ballot(true, true, true), [true, true, true, true]),
            (ballot(false, true, true), [true, true, false, false]),
            (ballot(false, false, true), [true, false, false, false]),
            (ballot(false, false, false), [false; 4]),
        ] {
            let got: Vec<bool> = Strictness::ALL.iter().map(|strictness| cast.is_enough(*strictness)).collect();
            assert_eq!(got, enough, "{cast:?}");
        }
    }
}
