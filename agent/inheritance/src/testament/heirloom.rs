//! Statements of a testament as drafts for the heir's gate (I-025, I-027, I-056).

use golem_grimoire::entry::{Draft, EntryQuestion, Method};
use golem_grimoire::gate::{Admission, GateExcuse, GateReading, admit};
use golem_grimoire::id::{EntryId, Moment};
use golem_grimoire::kind::{EntryBody, WarningSeverity};
use golem_grimoire::provenance::{Provenance, Source};

use super::Testament;
use super::section::{Section, TestamentHypothesis};
use crate::arrival::{SectionWeighing, section_confidence};
use crate::bloodstain::landscape::Patch;
use crate::heir::tag;
use crate::row::rewritten;

/// A draft with the section it was told in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heirloom {
    /// I-025. Where it is told.
    pub section: Section,
    /// I-056. Whether it goes to the front of the heir's attention.
    pub is_priority: bool,
    /// The draft, worth what its section is (I-032).
    pub draft: Draft,
}

/// The tag that names the section an entry was told in: `testament:what_failed`.
pub const SECTION_TAG: &str = "testament:";

/// I-027, I-056, M-200. What an heir is told beside the genome: suspicions to be investigated first, dreamt hypotheses
/// as fragments of a strategy, and what was fatal as warnings with the mark of the dead. What the genome already carries
/// as entries is not told twice.
#[must_use]
pub fn heirlooms(testament: &Testament, weighing: SectionWeighing) -> Vec<Heirloom> {
    let sections = &testament.sections;
    let mut all = Vec::new();
    for text in sections.killed.fatal_strategies.iter().chain(&sections.killed.wrong_assumptions) {
        let body = EntryBody::Warning { severity: WarningSeverity::High, ttl: None };
        all.push(told(testament, weighing, Section::Killed, text, body).stained());
    }
    all.extend(sections.suspects.iter().map(|one| suspicion(testament, weighing, one)));
    let dreamt = sections.untested.iter().filter(|one| one.is_dreamt);
    all.extend(dreamt.map(|one| fragment(testament, weighing, one)));
    all.extend(sections.confused.iter().map(|one| {
        let mut heirloom = told(testament, weighing, Section::Confused, &one.about, EntryBody::Insight);
        heirloom.draft.gaps = one.signals.clone();
        heirloom.draft.question = Some(EntryQuestion::Open { requires_investigation: false });
        heirloom
    }));
    all.retain(|heirloom| heirloom.draft.check().is_ok());
    all
}

/// What the landscape of the dead warns of: where its entries went badly, as warnings with the mark of the dead. No
/// mood and no marker of its body is handed down.
#[must_use]
pub fn of_landscape(testament: &Testament, landscape: &[Patch], weighing: SectionWeighing) -> Vec<Heirloom> {
    let warned = landscape.iter().filter_map(Patch::warning).map(|text| {
        let body = EntryBody::Warning { severity: WarningSeverity::Medium, ttl: None };
        told(testament, weighing, Section::EmotionalTopology, &text, body).stained()
    });
    warned.filter(|heirloom| heirloom.draft.check().is_ok()).collect()
}

/// I-020, I-032. Takes an heirloom in: a death reflection is excused from the gate's composite (G-109) and is a candidate
/// all the same, worth what its section is.
#[must_use]
pub fn adopt(id: EntryId, heirloom: &Heirloom, reading: &GateReading, now: Moment) -> Admission {
    let reading = GateReading { occasion: GateExcuse::DeathReflection, ..*reading };
    match admit(id, heirloom.draft.clone(), &reading, now) {
        Admission::Admitted(candidate) => {
            let worth = heirloom.draft.original_confidence;
            let candidate = rewritten(*candidate, |knowledge| {
                knowledge.confidence = worth;
                tag(&mut knowledge.draft);
            });
            Admission::Admitted(Box::new(candidate))
        }
        other => other,
    }
}

impl Heirloom {
    fn stained(mut self) -> Self {
        self.draft.source = self.draft.source.stained(None);
        self
    }
}

fn told(testament: &Testament, weighing: SectionWeighing, section: Section, text: &str, body: EntryBody) -> Heirloom {
    let source = Source::foreign(Provenance::Testament, testament.header.golem, 1);
    let mut draft = Draft::new(text, body, source, testament.death.at);
    draft.original_confidence = section_confidence(section, weighing);
    draft.regime = testament.sections.killed.market;
    draft.method = Method::Received;
    draft.tags.insert(format!("{SECTION_TAG}{section}"));
    Heirloom { section, is_priority: false, draft }
}

fn suspicion(testament: &Testament, weighing: SectionWeighing, one: &TestamentHypothesis) -> Heirloom {
    let mut heirloom = told(testament, weighing, Section::Suspects, &one.statement, EntryBody::Insight);
    heirloom.draft.question = Some(EntryQuestion::Open { requires_investigation: true });
    heirloom.draft.gaps = vec![one.validation.clone()];
    heirloom.is_priority = true;
    heirloom
}

fn fragment(testament: &Testament, weighing: SectionWeighing, one: &TestamentHypothesis) -> Heirloom {
    let body = EntryBody::StrategyFragment {
        entry: one.statement.clone(),
        exit: "as soon as it fails in shadow".to_owned(),
        sizing: "nothing until it held".to_owned(),
    };
    let mut heirloom = told(testament, weighing, Section::Untested, &one.statement, body);
    heirloom.draft.question = Some(EntryQuestion::Open { requires_investigation: true });
    heirloom
}
