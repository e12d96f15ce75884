//! PLAYBOOK.md: the rules a Golem acts by, as a document people read and one writer writes.

use std::collections::BTreeSet;

use golem_primitives::Ppm;

use crate::confidence::Confidence;
use crate::id::{EntryId, EpisodeId};
use crate::kind::EntryBody;
use crate::regime::Regime;
use crate::shelf::Grimoire;
use crate::status::Active;

mod markdown;
mod pen;

pub use markdown::MarkdownError;
pub use pen::{Edit, EditError, Holder, Pen, PenError, Revision, Writership};

/// G-160. Where a rule stands.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RuleSection {
    /// For every strategy.
    Global,
    Strategy(String),
}

/// The tag of an entry that belongs to one strategy's section: `strategy:id`.
pub(crate) const STRATEGY_TAG: &str = "strategy:";

/// G-157, GG-15. One rule: condition, action, reason, and what stands behind it. Texts are single lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenRule {
    /// The heuristic it comes from.
    pub id: EntryId,
    pub when: String,
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

impl WrittenRule {
    /// The rule of a heuristic worthy of it; `None` for any other entry.
    #[must_use]
    pub fn of(active: &Active) -> Option<Self> {
        if !active.is_playbook_worthy() {
            return None;
        }
        let entry = active.knowledge();
        let EntryBody::Heuristic { when, act, because, .. } = &entry.draft.body else { return None };
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
}

/// The document: a version and rules by section, in the order of sections and ids.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Playbook {
    version: u64,
    rules: Vec<(RuleSection, WrittenRule)>,
    low_divergence: bool,
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
    pub fn rules(&self) -> impl Iterator<Item = (&RuleSection, &WrittenRule)> {
        self.rules.iter().map(|(section, rule)| (section, rule))
    }

    /// The rule of that id.
    #[must_use]
    pub fn rule(&self, id: EntryId) -> Option<&WrittenRule> {
        self.rules.iter().map(|(_, rule)| rule).find(|rule| rule.id == id)
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
    pub fn changes_since(&self, before: &Self) -> Vec<WrittenRuleChange> {
        let ids = |playbook: &Self| playbook.rules.iter().map(|(_, rule)| rule.id).collect::<BTreeSet<_>>();
        let all: BTreeSet<EntryId> = ids(before).union(&ids(self)).copied().collect();
        all.into_iter()
            .filter_map(|id| match (before.rule(id), self.rule(id)) {
                (Some(_), None) => Some(WrittenRuleChange::Struck(id)),
                (None, Some(_)) => Some(WrittenRuleChange::Written(id)),
                (Some(old), Some(new)) if old != new => Some(WrittenRuleChange::Rewritten(id)),
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
            let Some(rule) = WrittenRule::of(active).filter(|rule| !rule.evidence.is_empty()) else { continue };
            let strategy = active.knowledge().draft.tags.iter().find_map(|tag| tag.strip_prefix(STRATEGY_TAG));
            let section = strategy.map_or(RuleSection::Global, |name| RuleSection::Strategy(name.to_owned()));
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
pub enum WrittenRuleChange {
    Struck(EntryId),
    Written(EntryId),
    Rewritten(EntryId),
}
