//! The one pen: who may write PLAYBOOK.md, and what a commit does.

use golem_mortality::phase::Phase;
use golem_primitives::words;

use super::{Playbook, RuleSection, WrittenRule, line};
use crate::event::GrimoireEvent;
use crate::id::EntryId;

words! {
    /// G-158, C18. Who may hold the pen.
    Holder {
        /// The last stage of a dream.
        Integration = "integration",
        /// The Curator, for a Golem that does not dream.
        Curator = "curator",
        /// The death protocol, once death was triggered.
        DeathProtocol = "death_protocol",
    }
}

/// What decides who writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Writership {
    pub dreams: bool,
    pub is_dying: bool,
    pub phase: Phase,
}

impl Writership {
    /// G-158, C18. The one writer now.
    #[must_use]
    pub const fn holder(&self) -> Holder {
        match (self.is_dying, self.dreams) {
            (true, _) => Holder::DeathProtocol,
            (false, true) => Holder::Integration,
            (false, false) => Holder::Curator,
        }
    }

    /// G-165. Whether nobody writes: a declining Golem's PLAYBOOK is frozen until its death protocol.
    #[must_use]
    pub fn is_frozen(&self) -> bool {
        !self.is_dying && self.phase <= Phase::Declining
    }
}

/// Why someone may not write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PenError {
    #[error("PLAYBOOK.md is written by {holder}, not by {asked}; propose through staging")]
    NotTheWriter { holder: Holder, asked: Holder },
    #[error("PLAYBOOK.md is frozen in the phase {phase}")]
    Frozen { phase: Phase },
}

/// Why an edit is refused; none of its commit happened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// G-162. Without the name of its cycle.
    #[error("an edit names the cycle that made it")]
    NoCycle,
    /// G-162. Without validating episodes.
    #[error("rule {id} names no validating episode")]
    NoEvidence { id: EntryId },
    /// G-157. Without a condition or an action.
    #[error("rule {id} lacks a condition or an action")]
    Incomplete { id: EntryId },
    #[error("no rule {id}")]
    Unknown { id: EntryId },
}

/// A wanted change of the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// Writes a rule, in place of one with the same id.
    Put {
        section: RuleSection,
        rule: WrittenRule,
    },
    Strike {
        id: EntryId,
    },
}

/// G-158. The right to write, lent by [`Playbook::pen`]. It borrows the document alone, so there is never a second one;
/// and there is no other way to change a rule.
///
/// ```compile_fail
/// use golem_grimoire::playbook::{Holder, Playbook, Writership};
/// let writership = Writership { dreams: true, is_dying: false, phase: golem_mortality::phase::Phase::Stable };
/// let mut playbook = Playbook::default();
/// let one = playbook.pen(Holder::Integration, writership);
/// let two = playbook.pen(Holder::Integration, writership);
/// drop((one, two));
/// ```
#[derive(Debug)]
pub struct Pen<'a> {
    playbook: &'a mut Playbook,
    holder: Holder,
}

/// A commit: what the document was before, for the history of versions (G-165), and what is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revision {
    pub before: Playbook,
    /// G-162.
    pub event: GrimoireEvent,
}

impl Pen<'_> {
    /// Who holds it.
    #[must_use]
    pub const fn holder(&self) -> Holder {
        self.holder
    }

    /// G-162. Writes all edits or none; `None` when they change nothing. Each commit is a version.
    ///
    /// # Errors
    /// [`EditError`] for an edit without cycle, evidence, condition or action, or for striking what is not there.
    pub fn commit(&mut self, cycle: &str, edits: &[Edit]) -> Result<Option<Revision>, EditError> {
        let is_low = self.playbook.low_divergence;
        self.close(cycle, edits, |_| is_low)
    }

    /// G-163, G-168. The last commit: the document is asked with its edits in it whether it says too little of its own,
    /// and the mark is part of the version; death proceeds.
    pub fn close(
        &mut self,
        cycle: &str,
        edits: &[Edit],
        is_low: impl FnOnce(&Playbook) -> bool,
    ) -> Result<Option<Revision>, EditError> {
        if cycle.trim().is_empty() {
            return Err(EditError::NoCycle);
        }
        let mut next = self.playbook.clone();
        for edit in edits {
            next.edit(edit)?;
        }
        next.low_divergence = is_low(&next);
        if next == *self.playbook {
            return Ok(None);
        }
        next.version = self.playbook.version.saturating_add(1);
        let event = GrimoireEvent::PlaybookEvolved {
            edits: u32::try_from(edits.len()).unwrap_or(u32::MAX),
            cycle: line(cycle),
        };
        let before = std::mem::replace(self.playbook, next);
        Ok(Some(Revision { before, event }))
    }
}

impl Playbook {
    /// G-158, G-165, C18. Lends the pen to the one writer.
    ///
    /// # Errors
    /// [`PenError`] for anyone else, and while the document is frozen.
    pub fn pen(&mut self, asked: Holder, writership: Writership) -> Result<Pen<'_>, PenError> {
        let holder = writership.holder();
        if holder != asked {
            return Err(PenError::NotTheWriter { holder, asked });
        }
        if writership.is_frozen() {
            return Err(PenError::Frozen { phase: writership.phase });
        }
        Ok(Pen { playbook: self, holder })
    }

    fn edit(&mut self, edit: &Edit) -> Result<(), EditError> {
        match edit {
            Edit::Put { section, rule } => {
                let rule = WrittenRule {
                    when: line(&rule.when),
                    act: line(&rule.act),
                    because: line(&rule.because),
                    open_question: rule.open_question.as_deref().map(line).filter(|text| !text.is_empty()),
                    ..rule.clone()
                };
                if rule.when.is_empty() || rule.act.is_empty() {
                    return Err(EditError::Incomplete { id: rule.id });
                }
                if rule.evidence.is_empty() {
                    return Err(EditError::NoEvidence { id: rule.id });
                }
                let section = match section {
                    RuleSection::Strategy(name) if line(name).is_empty() => RuleSection::Global,
                    RuleSection::Strategy(name) => RuleSection::Strategy(line(name)),
                    RuleSection::Global => RuleSection::Global,
                };
                self.rules.retain(|(_, known)| known.id != rule.id);
                self.rules.push((section, rule));
                self.rules.sort_by(|(a, x), (b, y)| a.cmp(b).then(x.id.cmp(&y.id)));
                Ok(())
            }
            Edit::Strike { id } => {
                let before = self.rules.len();
                self.rules.retain(|(_, rule)| rule.id != *id);
                if self.rules.len() == before { Err(EditError::Unknown { id: *id }) } else { Ok(()) }
            }
        }
    }
}
