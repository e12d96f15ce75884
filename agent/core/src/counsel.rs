//! What the Grimoire says about the situation at hand, and what a decision makes of it.
//!
//! Knowledge enters a decision as an observation: it is journaled with the rest of the input, so a life that is lived
//! again is counselled the same. It can only hold back. A rule that has earned it keeps a Golem from raising its
//! exposure, a warning lets it take half the step; nothing it says makes a trade, and nothing it says keeps anyone from
//! getting out (G-198).

use std::collections::BTreeMap;

use golem_grimoire::confidence::Confidence;
use golem_grimoire::entry::{Knowledge, Method};
use golem_grimoire::id::EntryId;
use golem_grimoire::kind::Kind;
use golem_grimoire::regime::Regime;
use golem_grimoire::retention::RetentionLaw;
use golem_grimoire::shelf::Grimoire;
use golem_grimoire::status::Active;
use golem_primitives::{Ppm, UtcTime};

use crate::memory::Venue;
use crate::record::{EntryAdvice, Says, TickInput};

/// What a rule must be worth now to be obeyed. A rule of one's own begins there and decays from there; it speaks once it
/// has the confirmations PLAYBOOK.md asks for, and falls silent without more.
pub const HEARD_FROM: Ppm = Ppm::of(700_000);

/// What a warning must be worth now to shorten a step. The catalogue lets a warning be heard whatever it is worth and
/// does not say what hearing it does; below what keeps any other entry active (G-146) it is heard and changes nothing.
pub const BEWARE_FROM: Ppm = Ppm::of(400_000);

/// Warnings that are heard at most; the most certain first.
const WARNINGS: usize = 16;

/// The few entries that may speak to this Golem's decisions, kept at hand between two Curator cycles.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Counsellor {
    rules: Vec<Knowledge>,
    warnings: Vec<Knowledge>,
}

impl Counsellor {
    /// G-098, G-145. The rules of PLAYBOOK.md that were counted of this book at this venue, and the active warnings of
    /// what it does there or of nothing in particular. A rule counted where nobody knew the regime speaks in none.
    #[must_use]
    pub fn of(grimoire: &Grimoire, venue: &Venue, book: &str) -> Self {
        let key = venue.key(book);
        let is_rule = |active: &&Active| {
            let counted = active.knowledge().draft.counted();
            active.is_playbook_worthy() && counted.is_some_and(|found| found.key == key && found.regime.is_some())
        };
        let is_here =
            |entry: &&Knowledge| entry.draft.key().is_none_or(|of| *of == venue.key(&of.tool) && is_of(&of.tool, book));
        let active = || grimoire.active().map(|active| active.knowledge());
        let is_warning = |entry: &&Knowledge| entry.kind() == Kind::Warning;
        let mut warnings: Vec<Knowledge> = active().filter(is_warning).filter(is_here).cloned().collect();
        warnings.sort_by_key(|entry| (std::cmp::Reverse(entry.confidence), entry.id));
        warnings.truncate(WARNINGS);
        let rules = grimoire.active().filter(is_rule).map(|active| active.knowledge().clone()).collect();
        Self { rules, warnings }
    }

    /// I-180. The same with rules that its line made a default of its configuration: they speak from the first tick, as
    /// rules of PLAYBOOK.md do, of this book at this venue and until they are contradicted.
    #[must_use]
    pub fn with_defaults(
        mut self,
        grimoire: &Grimoire,
        venue: &Venue,
        book: &str,
        defaults: &BTreeMap<EntryId, Confidence>,
    ) -> Self {
        let key = venue.key(book);
        for (id, worth) in defaults {
            let is_at_hand = self.rules.iter().any(|rule| rule.id == *id);
            let known = grimoire.get(*id).and_then(|entry| entry.knowledge()).filter(|_| !is_at_hand);
            let claims = |known: &&Knowledge| match &known.draft.method {
                Method::Told(told) => told.key == key && told.regime.is_some(),
                Method::Rules(found) => found.key == key && found.regime.is_some(),
                _ => false,
            };
            let Some(rule) = known.filter(|known| known.kind() == Kind::Heuristic).filter(claims) else { continue };
            // It is worth what it was when its line left it: a default of the configuration is not discounted.
            self.rules.push(Knowledge { confidence: rule.confidence.max(*worth), ..rule.clone() });
        }
        self
    }

    /// G-091. What they say in a regime at a time, in the order of ids.
    #[must_use]
    pub fn speak(&self, regime: Option<Regime>, now: UtcTime, law: &RetentionLaw) -> Vec<EntryAdvice> {
        let applies = |entry: &&Knowledge| {
            (entry.draft.regime.is_none() || entry.draft.regime == regime) && !entry.is_expired(now)
        };
        let advice = |entry: &Knowledge| EntryAdvice {
            entry: entry.id,
            says: match entry.kind() {
                Kind::Warning => Says::Beware,
                _ if entry.is_avoidance() => Says::Avoid,
                _ => Says::Use,
            },
            tool: entry.draft.key().map(|key| key.tool.clone()).unwrap_or_default(),
            regime: entry.draft.regime,
            confidence: entry.effective(law, now),
        };
        let mut said: Vec<EntryAdvice> = self.rules.iter().chain(&self.warnings).filter(applies).map(advice).collect();
        said.sort_by_key(|advice| advice.entry);
        said
    }
}

/// G-155. Whether a rule that is heard says to leave this book alone in this regime. What it says of another
/// book or regime is not meant for now, whoever put it into the input.
pub(crate) fn forbids(input: &TickInput, book: &str, regime: Option<Regime>) -> bool {
    input.counsel().any(|advice| {
        advice.says == Says::Avoid
            && advice.tool == book
            && (advice.regime.is_none() || advice.regime == regime)
            && advice.confidence >= HEARD_FROM
    })
}

/// Whether a tool is the book, or one of the things it does, such as `mean-reversion/sell`.
fn is_of(tool: &str, book: &str) -> bool {
    tool.strip_prefix(book).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// G-014. Whether a warning that is heard is of what this book does in this regime: then it takes half the step.
pub(crate) fn warns(input: &TickInput, book: &str, regime: Option<Regime>) -> bool {
    input.counsel().any(|advice| {
        advice.says == Says::Beware
            && is_of(&advice.tool, book)
            && (advice.regime.is_none() || advice.regime == regime)
            && advice.confidence >= BEWARE_FROM
    })
}
