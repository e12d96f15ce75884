//! PLAYBOOK.md: the rules a Golem acts by, as a document people read and one writer writes.

use std::collections::BTreeSet;

use golem_mortality::phase::Phase;
use golem_primitives::Ppm;

use crate::confidence::Confidence;
use crate::event::GrimoireEvent;
use crate::id::{EntryId, EpisodeId};
use crate::kind::Body;
use crate::regime::Regime;
use crate::shelf::Grimoire;
use crate::status::Active;
use golem_primitives::words;

mod markdown;

pub use markdown::ParseError;

/// G-160. Where a rule stands.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Section {
    /// For every strategy.
    Global,
    /// For one.
    Strategy(String),
}

/// The tag of an entry that belongs to one strategy's section: `strategy:id`.
pub(crate) const STRATEGY_TAG: &str = "strategy:";

/// G-157, GG-15. One rule: condition, action, reason, and what stands behind it. Texts are single lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// The heuristic it comes from.
    pub id: EntryId,
    /// The condition.
    pub when: String,
    /// The action.
    pub act: String,
    /// G-166. The structure behind it.
    pub because: String,
    /// What it was worth when written.
    pub confidence: Confidence,
    /// In which regime it holds; `None` for any.
    pub regime: Option<Regime>,
    /// G-162. The episodes that validated it.
    pub evidence: BTreeSet<EpisodeId>,
    /// G-166. What it leaves open.
    pub open_question: Option<String>,
}

/// A text as one line with single spaces.
fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Rule {
    /// The rule of a heuristic worthy of it; `None` for any other entry.
    #[must_use]
    pub fn of(active: &Active) -> Option<Self> {
        if !active.is_playbook_worthy() {
            return None;
        }
        let entry = active.knowledge();
        let Body::Heuristic { when, act, because, .. } = &entry.draft.body else { return None };
        Some(Self {
            id: entry.id,
            when: line(when),
            act: line(act),
            because: line(because),
            confidence: entry.confidence,
            regime: entry.draft.regime,
            evidence: entry.draft.parents.clone(),
            open_question: entry.draft.gaps.first().map(|gap| line(gap)),
        })
    }

    /// GG-7. What makes two rules the same: the condition and the action, whatever their spelling.
    #[must_use]
    pub fn key(&self) -> (String, String) {
        (line(&self.when).to_lowercase(), line(&self.act).to_lowercase())
    }

    /// Whether another says the same in the same words. What stands behind a rule moves with every episode; what it says
    /// does not.
    fn says_as(&self, other: &Self) -> bool {
        let said = |rule: &Self| (rule.id, rule.regime, rule.open_question.clone());
        (&self.when, &self.act, &self.because) == (&other.when, &other.act, &other.because) && said(self) == said(other)
    }

    /// G-166. Whether it only says "do X when Y", with neither reason nor question.
    #[must_use]
    pub fn is_deficient(&self) -> bool {
        self.because.is_empty() && self.open_question.is_none()
    }
}

/// The document: a version and rules by section, in the order of sections and ids.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Playbook {
    version: u64,
    rules: Vec<(Section, Rule)>,
    low_divergence: bool,
}

words! {
    /// G-158, C18. Who may hold the pen.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
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
    /// Whether this Golem dreams.
    pub dreams: bool,
    /// Whether death was triggered.
    pub is_dying: bool,
    /// Its phase.
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
    /// Another is the writer.
    #[error("PLAYBOOK.md is written by {holder}, not by {asked}; propose through staging")]
    NotTheWriter {
        /// Who is.
        holder: Holder,
        /// Who asked.
        asked: Holder,
    },
    /// Nobody is.
    #[error("PLAYBOOK.md is frozen in the phase {phase}")]
    Frozen {
        /// The phase.
        phase: Phase,
    },
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
    NoEvidence {
        /// Which.
        id: EntryId,
    },
    /// G-157. Without a condition or an action.
    #[error("rule {id} lacks a condition or an action")]
    Incomplete {
        /// Which.
        id: EntryId,
    },
    /// Removing what is not there.
    #[error("no rule {id}")]
    Unknown {
        /// Which.
        id: EntryId,
    },
}

/// A wanted change of the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// Writes a rule, in place of one with the same id.
    Put {
        /// Where.
        section: Section,
        /// What.
        rule: Rule,
    },
    /// Strikes a rule.
    Strike {
        /// Which.
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
    /// The version before.
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
    ///
    /// # Errors
    /// As [`Pen::commit`].
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
    /// Which version it is; zero was never written.
    #[must_use]
    pub const fn version(&self) -> u64 {
        self.version
    }

    /// G-168. Whether it says too little of its own.
    #[must_use]
    pub const fn is_low_divergence(&self) -> bool {
        self.low_divergence
    }

    /// Every rule with its section, sections in order, rules by id.
    pub fn rules(&self) -> impl Iterator<Item = (&Section, &Rule)> {
        self.rules.iter().map(|(section, rule)| (section, rule))
    }

    /// The rule of that id.
    #[must_use]
    pub fn rule(&self, id: EntryId) -> Option<&Rule> {
        self.rules.iter().map(|(_, rule)| rule).find(|rule| rule.id == id)
    }

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
                let rule = Rule {
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
                    Section::Strategy(name) if line(name).is_empty() => Section::Global,
                    Section::Strategy(name) => Section::Strategy(line(name)),
                    Section::Global => Section::Global,
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

    /// GG-7, G-169. How much two playbooks differ: one less the share of common rules in all of both. Two empty ones do
    /// not differ.
    #[must_use]
    pub fn divergence(&self, other: &Self) -> Ppm {
        let keys = |playbook: &Self| playbook.rules.iter().map(|(_, rule)| rule.key()).collect::<BTreeSet<_>>();
        let (mine, theirs) = (keys(self), keys(other));
        let all = mine.union(&theirs).count();
        if all == 0 {
            return Ppm::ZERO;
        }
        Ppm::round(1.0 - mine.intersection(&theirs).count() as f64 / all as f64)
    }

    /// What changed from `before` to this, in the order of ids: struck, written, rewritten.
    #[must_use]
    pub fn changes_since(&self, before: &Self) -> Vec<RuleChange> {
        let ids = |playbook: &Self| playbook.rules.iter().map(|(_, rule)| rule.id).collect::<BTreeSet<_>>();
        let all: BTreeSet<EntryId> = ids(before).union(&ids(self)).copied().collect();
        all.into_iter()
            .filter_map(|id| match (before.rule(id), self.rule(id)) {
                (Some(_), None) => Some(RuleChange::Struck(id)),
                (None, Some(_)) => Some(RuleChange::Written(id)),
                (Some(old), Some(new)) if old != new => Some(RuleChange::Rewritten(id)),
                _ => None,
            })
            .collect()
    }

    /// G-145, G-146, G-161. The edits that bring the document in line with the Grimoire: worthy heuristics in, those no
    /// longer active out. Whoever is not the writer stages them. A rule that says what it said is no reason for a version
    /// (G-165); where there is another, its evidence and confidence are brought up to date with it.
    #[must_use]
    pub fn wanted_edits(&self, grimoire: &Grimoire) -> Vec<Edit> {
        let is_active = |id: EntryId| grimoire.active().any(|active| active.knowledge().id == id);
        let struck = self.rules.iter().map(|(_, rule)| rule.id).filter(|id| !is_active(*id));
        let mut edits: Vec<Edit> = struck.map(|id| Edit::Strike { id }).collect();
        let mut refreshed = Vec::new();
        for active in grimoire.active() {
            let Some(rule) = Rule::of(active).filter(|rule| !rule.evidence.is_empty()) else { continue };
            let strategy = active.knowledge().draft.tags.iter().find_map(|tag| tag.strip_prefix(STRATEGY_TAG));
            let section = strategy.map_or(Section::Global, |name| Section::Strategy(name.to_owned()));
            match self.rule(rule.id) {
                Some(written) if *written == rule => {}
                Some(written) if written.says_as(&rule) => refreshed.push(Edit::Put { section, rule }),
                _ => edits.push(Edit::Put { section, rule }),
            }
        }
        if !edits.is_empty() {
            edits.extend(refreshed);
        }
        edits
    }
}

/// How a rule changed between two versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RuleChange {
    /// It is gone.
    Struck(EntryId),
    /// It is new.
    Written(EntryId),
    /// It says something else.
    Rewritten(EntryId),
}
