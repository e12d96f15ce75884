//! What was heard of each sibling, counted for people. Nothing is decided from it.

use std::collections::BTreeMap;

use golem_core::record::CauseKind;
use golem_ports::HeardWord;
use golem_primitives::{GolemId, UtcTime};
use serde::{Deserialize, Serialize};

use super::said::{Death, Said};

/// Siblings that are counted; of more who was silent longest is forgotten.
const MOST_SIBLINGS: usize = 256;

/// What one sibling said.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SiblingHeard {
    pub entries: u64,
    pub rules: u64,
    /// Warnings and shifts of a regime.
    pub warnings: u64,
    pub crises: u64,
    pub answers: u64,
    /// Of what it is dying or died.
    pub died_of: Option<CauseKind>,
    /// When it last said something, by its own clock.
    pub last: UtcTime,
}

/// All that was heard, by who said it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SiblingsHeard {
    /// Up to which place it is counted: what is told again is counted once.
    through: u64,
    siblings: BTreeMap<GolemId, SiblingHeard>,
}

impl SiblingsHeard {
    /// The note of a memory that holds it.
    pub const NOTE: &str = "clade.siblings";

    /// As that note says; one that cannot be read begins anew.
    #[must_use]
    pub fn of_note(note: Option<&str>) -> Self {
        note.and_then(|note| serde_json::from_str(note).ok()).unwrap_or_default()
    }

    /// Each sibling with what it said.
    pub fn siblings(&self) -> impl Iterator<Item = (&GolemId, &SiblingHeard)> {
        self.siblings.iter()
    }

    /// Counts a word, once.
    pub(super) fn count(&mut self, word: &HeardWord, said: &Said) {
        if word.place <= self.through {
            return;
        }
        self.through = word.place;
        let heard = self.siblings.entry(word.from).or_default();
        heard.last = heard.last.max(word.at);
        match said {
            Said::Batch(batch) => {
                heard.entries += batch.entries.len() as u64;
                heard.rules += batch.rules.len() as u64;
            }
            Said::Alert(alert) => heard.warnings += (alert.warnings.len() as u64).max(1),
            Said::Death(Death { notice, .. }) => heard.died_of = Some(notice.cause),
            Said::Left(left) => {
                heard.died_of = Some(left.stain.cause);
                heard.warnings += left.warnings.len() as u64;
            }
            Said::Crisis(_) => heard.crises += 1,
            Said::Answers(answers) => heard.answers += answers.len() as u64,
        }
        if self.siblings.len() > MOST_SIBLINGS
            && let Some(silent) = self.siblings.iter().min_by_key(|(_, heard)| heard.last).map(|(golem, _)| *golem)
        {
            self.siblings.remove(&silent);
        }
    }
}

#[cfg(test)]
mod tests {
    use golem_ports::WordKind;

    use super::super::said::{Alert, Answer, Batch, Shared};
    use super::*;

    /// I-107, I-110: what each sibling said is counted once, by its kind; of very many the one that was silent longest is forgotten.
    #[test]
    fn i_110_what_siblings_said_is_counted_once() {
        let golem = |name: &str| GolemId::new(name).expect("a name");
        let word = |place: u64, from: &str| HeardWord {
            place,
            from: golem(from),
            at: UtcTime::from_seconds(1_000 + place),
            kind: WordKind::Warning,
            body: Vec::new(),
        };
        let mut heard = SiblingsHeard::default();
        let answer = Answer { of: golem("ada"), what: Shared::Rule("dip".to_owned()), is_upheld: true };
        for _ in 0..2 {
            heard.count(&word(1, "ash"), &Said::Alert(Alert::default()));
            heard.count(&word(2, "ash"), &Said::Answers(vec![answer.clone(), answer.clone()]));
            heard.count(&word(3, "elm"), &Said::Batch(Batch::default()));
        }
        let kept = serde_json::to_string(&heard).expect("plain data");
        assert_eq!(SiblingsHeard::of_note(Some(&kept)), heard);
        let (_, ash) = heard.siblings().next().expect("heard");
        assert_eq!((ash.warnings, ash.answers, ash.entries, ash.last.seconds()), (1, 2, 0, 1_002));
        for n in 0..300 {
            heard.count(&word(4 + n, &format!("kin{n}")), &Said::Batch(Batch::default()));
        }
        assert_eq!(heard.siblings().count(), MOST_SIBLINGS);
        assert!(heard.siblings().all(|(who, _)| *who != golem("ash")), "the longest silent is forgotten");
    }
}
