//! What a Golem knows, why it believes it, and what it made of it.

use std::collections::BTreeMap;

use golem_core::record::Curated;
use golem_grimoire::entry::{EntryQuestion, Knowledge, Method};
use golem_grimoire::finding::Finding;
use golem_grimoire::id::{EntryId, EpisodeId, Moment};
use golem_grimoire::kind::{EntryBody, Kind};
use golem_grimoire::recall::Explanation;
use golem_grimoire::retention::RetentionLaw;
use golem_grimoire::status::Entry;
use golem_grimoire::thesis::Thesis;
use golem_primitives::{GolemId, Ppm, Tick, UtcTime};

use crate::shown::shown;
use crate::{AsKept, Gain, Millionths, Number, Seconds, Shown, Table, Ticks, Value, columns_of, picture};

picture! {
    /// G-001. What is in its Grimoire, in a few numbers.
    pub struct KnowledgePicture {
        active: usize = "active entries",
        candidates: usize = "candidates",
        questions: usize = "open questions",
        rules: u32 = "rules in PLAYBOOK.md",
        playbook_version: u64 = "its version",
        vectors: String = "vectors",
    }

    /// One entry; of what was burned no more is left than what it was and why.
    pub struct EntryLine {
        id: EntryId = "id",
        kind: &'static str = "kind",
        status: &'static str = "status",
        confidence: Option<Ppm> = "confidence",
        /// What is left of that.
        effective: Option<Ppm> = "effective",
        quality: Option<Ppm> = "quality",
        validated: Option<u32> = "validated",
        contradicted: Option<u32> = "contradicted",
        domain: Option<&'static str> = "domain",
        regime: Option<&'static str> = "regime",
        provenance: Option<&'static str> = "provenance",
        origin: Option<GolemId> = "origin",
        /// I-246. Whether a dead Golem left it, and what that one felt at the end.
        bloodstain: Option<bool> = "of the dead",
        last_felt: Option<&'static str> = "felt at the end",
        question: Option<&'static str> = "question",
        recorded: Option<UtcTime> = "recorded",
        recorded_tick: Option<Tick> = "recorded at tick",
        has_vector: Option<bool> = "has a vector",
        burned_at: Option<UtcTime> = "burned at",
        reason: Option<&'static str> = "reason",
        content: String = "content",
    }
}

impl EntryLine {
    /// What a list shows of each.
    pub const LISTED: [&'static str; 8] =
        ["id", "kind", "status", "effective", "validated", "contradicted", "regime", "content"];

    /// An entry as it stands at a time.
    #[must_use]
    pub fn of(entry: &Entry, law: &RetentionLaw, at: UtcTime) -> Self {
        let burned = match entry {
            Entry::Burned(burned) => Some(burned),
            _ => None,
        };
        let known = entry.knowledge();
        let kind = known.map(Knowledge::kind).or(burned.map(|burned| burned.kind));
        Self {
            id: entry.id(),
            kind: kind.map_or("", Kind::name),
            status: entry.status().name(),
            confidence: known.map(|known| known.confidence.get()),
            effective: known.map(|known| known.effective(law, at)),
            quality: known.map(|known| known.quality),
            validated: known.map(|known| known.validated),
            contradicted: known.map(|known| known.contradicted),
            domain: known.map(|known| known.draft.domain.name()),
            regime: known.and_then(|known| known.draft.regime).map(|regime| regime.name()),
            provenance: known.map(|known| known.draft.source.provenance.name()),
            origin: known.map(|known| known.draft.source.origin),
            bloodstain: known.map(|known| known.draft.source.is_bloodstain()),
            last_felt: known.and_then(|known| known.draft.source.terminal_emotion()).map(|felt| felt.primary.name()),
            question: known.and_then(|known| known.draft.question).map(|question| match question {
                EntryQuestion::Open { .. } => "open",
                EntryQuestion::Answered(_) => "answered",
                EntryQuestion::Superseded(_) => "superseded",
            }),
            recorded: known.map(|known| known.recorded.at),
            recorded_tick: known.map(|known| known.recorded.tick),
            has_vector: known.map(|known| known.embedding.is_some()),
            burned_at: burned.map(|burned| burned.at.at),
            reason: burned.map(|burned| burned.reason.name()),
            content: known
                .map(|known| known.draft.content.clone())
                .or(burned.map(|burned| burned.summary.clone()))
                .unwrap_or_default(),
        }
    }
}

picture! {
    /// A page of them.
    pub struct EntriesPage { golem: String, tick: Tick, total: usize, skipped: usize, entries: Vec<EntryLine> }

    /// When something holds, what to do.
    struct HeuristicPicture {
        when: String = "when",
        r#do: String = "do",
        because: String = "because",
        derived_from: Vec<EntryId>,
    }

    /// What to beware of.
    struct WarningPicture { severity: &'static str = "severity", ttl: Option<Seconds> = "holds for" }

    /// G-128. What moves what.
    struct CausePicture {
        cause: String = "of",
        effect: String = "comes",
        is_alike: bool = "the same way",
        weight: Ppm = "strength",
        evidence: u32 = "seen",
        lag: Ticks = "ticks after",
        basis: &'static str = "by",
        mechanism: Option<String>,
    }

    /// A piece of a strategy.
    struct FragmentPicture { entry: String = "enter", exit: String = "leave", sizing: String = "how much" }
}

/// What an entry says beyond its statement, by its kind.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyPicture {
    words: String,
    json: Value,
}

impl BodyPicture {
    fn of(body: &EntryBody) -> Option<Self> {
        Some(match body {
            EntryBody::Insight => return None,
            EntryBody::Heuristic { when, act, because, derived_from } => Self::told(&HeuristicPicture {
                when: when.clone(),
                r#do: act.clone(),
                because: because.clone(),
                derived_from: derived_from.iter().copied().collect(),
            }),
            EntryBody::Warning { severity, ttl } => {
                Self::told(&WarningPicture { severity: severity.name(), ttl: ttl.map(|ttl| Seconds(ttl.as_secs())) })
            }
            EntryBody::CausalLink(link) => Self::told(&CausePicture {
                cause: link.cause.clone(),
                effect: link.effect.clone(),
                is_alike: link.is_alike,
                weight: link.weight,
                evidence: link.evidence,
                lag: Ticks(link.lag_ticks),
                basis: link.basis.name(),
                mechanism: link.mechanism.clone(),
            }),
            EntryBody::StrategyFragment { entry, exit, sizing } => {
                Self::told(&FragmentPicture { entry: entry.clone(), exit: exit.clone(), sizing: sizing.clone() })
            }
        })
    }

    fn told(picture: &impl Shown) -> Self {
        Self { words: picture.words(), json: picture.json() }
    }
}

shown! {
    BodyPicture as body: body.words.clone() => body.json.clone();
}

picture! {
    /// What something earned: its mean and the ends of its interval.
    pub struct EarnedPicture in "usdc_micros" { low: Gain = "at least", mean: Gain = "mean", high: Gain = "at most" }

    /// What was counted for an entry.
    pub struct CountedPicture {
        key: String = "of",
        trials: u32 = "tried",
        held: u32 = "held",
        low: Ppm = "at least",
        high: Ppm = "at most",
        earned: Option<EarnedPicture>,
    }
}

impl CountedPicture {
    fn of(finding: &Finding) -> Self {
        let earned = finding.earned.map(|earned| EarnedPicture {
            low: Gain(earned.low_micros),
            mean: Gain(earned.mean_micros),
            high: Gain(earned.high_micros),
        });
        let interval = finding.interval();
        Self {
            key: finding.key.to_string(),
            trials: finding.trials,
            held: finding.held,
            low: interval.low,
            high: interval.high,
            earned,
        }
    }
}

picture! {
    /// Who made an entry's vector.
    pub struct VectorPicture { model: String = "of", version: String = "version", at: UtcTime = "at" }

    /// What stands behind an entry.
    pub struct GroundsPicture {
        body: Option<BodyPicture> = "it says",
        method: &'static str = "said by",
        counted: Option<CountedPicture> = "counted",
        /// G-053, G-175. How what came from outside fares here.
        test: Option<String> = "its test",
        decay_class: &'static str = "decays as",
        strength: Number = "strength",
        last_validated: UtcTime = "last confirmed",
        last_accessed_tick: Tick = "last used at tick",
        access_count: u32 = "used",
        useful_count: u32 = "of use",
        cycles: u32 = "cycles lived through",
        valid_from: UtcTime = "held from",
        valid_until: Option<UtcTime> = "held until",
        tags: Vec<String> = "tags",
        gaps: Vec<String> = "does not know",
        origin: GolemId = "first learnt by",
        generation: u32 = "generation",
        is_bloodstain: bool = "a bloodstain",
        vector: Option<VectorPicture> = "vector",
        parents: Vec<EpisodeId>,
    }
}

impl From<&Knowledge> for GroundsPicture {
    fn from(known: &Knowledge) -> Self {
        let draft = &known.draft;
        let (method, counted) = match &draft.method {
            Method::Rules(finding) => ("rules", Some(CountedPicture::of(finding))),
            Method::Told(finding) => ("told", Some(CountedPicture::of(finding))),
            Method::Looks => ("looks", None),
            Method::Model => ("model", None),
            Method::Received => ("received", None),
            Method::Stated => ("stated", None),
        };
        Self {
            body: BodyPicture::of(&draft.body),
            method,
            counted,
            test: test(known),
            decay_class: known.decay_class.name(),
            strength: Number(known.strength.as_f64()),
            last_validated: known.last_validated.at,
            last_accessed_tick: known.last_accessed,
            access_count: known.access_count,
            useful_count: known.useful_count,
            cycles: known.cycles,
            valid_from: draft.valid_from,
            valid_until: draft.valid_until,
            tags: draft.tags.iter().cloned().collect(),
            gaps: draft.gaps.clone(),
            origin: draft.source.origin,
            generation: draft.source.generation,
            is_bloodstain: draft.source.is_bloodstain(),
            vector: known.embedding.as_ref().map(|mark| VectorPicture {
                model: mark.model.clone(),
                version: mark.version.clone(),
                at: mark.at,
            }),
            parents: draft.parents.iter().copied().collect(),
        }
    }
}

/// G-053, G-175. How what came from outside fares here, and what it waits for.
fn test(known: &Knowledge) -> Option<String> {
    let provenance = known.draft.source.provenance;
    if provenance.is_own() {
        return None;
    }
    let Some(thesis) = Thesis::of(&known.draft) else {
        return Some(
            "it claims nothing that its own episodes could confirm or contradict: it stays a candidate and fades"
                .to_owned(),
        );
    };
    let what = if thesis.holds { "holds" } else { "fails" };
    let regime = thesis.regime.map_or("any regime", |regime| regime.name());
    let tested = format!(
        "it claims that {} {what} in {regime}; of its own episodes {} confirm that and {} contradict it",
        thesis.key, known.validated, known.contradicted
    );
    let is_barred = known.kind() == Kind::Heuristic && !provenance.may_become_heuristic();
    Some(if is_barred {
        format!("{tested}; a rule from outside is never active, a Golem derives its own")
    } else {
        tested
    })
}

picture! {
    /// An episode that an entry was counted from.
    pub struct EpisodeLine {
        id: EpisodeId,
        tick: Tick = "tick",
        outcome: &'static str = "outcome",
        pnl: Option<Gain> = "made",
        text: String = "what",
    }

    /// Something that happened to an entry.
    pub struct HistoryLine { tick: Tick = "tick", at: UtcTime = "at", what: String = "what", note: Option<String> = "note" }

    /// One entry whole.
    pub struct EntryPicture {
        entry: EntryLine,
        more: Option<GroundsPicture>,
        behind: Vec<EpisodeLine>,
        history: Vec<HistoryLine>,
    }

    /// An entry that answers a question, with its score by part.
    pub struct HitPicture {
        score: Millionths = "score",
        semantic: Number = "semantic",
        temporal: Number = "temporal",
        importance: Number = "importance",
        emotional: Number = "emotional",
        regime: Number = "x regime",
        bloodstain: Number = "x bloodstain",
        discount: Number = "x discount",
        cosine: Option<Number>,
        bm25: Option<Number>,
        vector_rank: Option<u32>,
        text_rank: Option<u32> = "words #",
        reranked: Ppm,
        is_contrarian: bool,
        entry: EntryLine,
    }
}

impl HitPicture {
    /// The parts of a score beside the entry they are of; what only some searches have is filled in by who searched.
    #[must_use]
    pub fn of(entry: EntryLine, parts: u64, why: &Explanation, reranked: Ppm) -> Self {
        Self {
            score: Millionths(i64::try_from(parts).unwrap_or(i64::MAX)),
            semantic: Number(why.semantic),
            temporal: Number(why.temporal),
            importance: Number(why.importance),
            emotional: Number(why.emotional),
            regime: Number(why.regime),
            bloodstain: Number(why.bloodstain),
            discount: Number(why.discount),
            cosine: None,
            bm25: None,
            vector_rank: None,
            text_rank: None,
            reranked,
            is_contrarian: false,
            entry,
        }
    }

    /// All of them, best first.
    #[must_use]
    pub fn list(heading: &str, hits: &[Self]) -> Table {
        let entries: Vec<EntryLine> = hits.iter().map(|hit| hit.entry.clone()).collect();
        let mut table = crate::table_of(heading, hits);
        let names = columns_of("", &entries, &["id", "content"]);
        table.rows.iter_mut().zip(names.rows).for_each(|(row, more)| row.extend(more));
        table
    }
}

picture! {
    /// What a Golem answers to a question.
    pub struct AnswerPicture {
        golem: String,
        question: String,
        basis: &'static str,
        advice: Option<String>,
        hits: Vec<HitPicture>,
    }

    /// Entries by where they stand, and what waits to become some.
    pub struct EntryCounts {
        active: u64 = "active",
        candidates: u64 = "candidates",
        archived: u64 = "archived",
        burned: u64 = "burned",
        in_quarantine: u64 = "in quarantine",
        waiting: u64 = "waiting",
        capacity: usize = "capacity",
        episodes: u64 = "episodes",
        episodes_not_looked_at: u64 = "episodes not looked at",
        playbook_version: u64 = "version of PLAYBOOK.md",
    }

    /// G-156. How well what is known fares.
    pub struct HealthPicture {
        mean_effective_confidence: Ppm = "mean effective confidence",
        open_questions: u64 = "open questions",
        question_ratio: Option<Ppm> = "share of questions",
        rules_survive_as_they_should: Option<bool> = "rules survive as they should",
        retrieval_is_of_use: Option<bool> = "retrieval is of use",
        archive_threshold: Ppm = "archived below",
    }

    /// How far a model has come with an entry's vectors.
    pub struct EmbeddedPicture { model: String = "model", done: u64 = "done", total: u64 = "of" }

    /// G-006. Its vectors.
    pub struct VectorsPicture {
        searched: Option<EmbeddedPicture> = "searched",
        on_their_way: Option<EmbeddedPicture> = "on their way",
    }

    /// A cycle of the Curator.
    pub struct CyclePicture {
        tick: Tick = "tick",
        at: UtcTime,
        duty: AsKept = "duty",
        added: u32 = "added",
        promoted: u32 = "promoted",
        demoted: u32 = "demoted",
        archived: u32 = "archived",
        restored: u32 = "restored",
        burned: u32 = "burned",
        active: u32 = "active",
        candidates: u32 = "candidates",
        rules: u32 = "rules",
        playbook_version: u64,
        archived_recently: u32,
        active_at_start: u32,
        mean_before: Ppm,
        mean_after: Ppm,
        taught: Vec<UtcTime>,
    }
}

impl CyclePicture {
    /// A cycle as it was recorded.
    #[must_use]
    pub fn of(at: Moment, cycle: Curated) -> Self {
        Self {
            tick: at.tick,
            at: at.at,
            duty: AsKept::of(&cycle.duty),
            added: cycle.added,
            promoted: cycle.promoted,
            demoted: cycle.demoted,
            archived: cycle.archived,
            restored: cycle.restored,
            burned: cycle.burned,
            active: cycle.active,
            candidates: cycle.candidates,
            rules: cycle.rules,
            playbook_version: cycle.playbook_version,
            archived_recently: cycle.archived_recently,
            active_at_start: cycle.active_at_start,
            mean_before: cycle.mean_before,
            mean_after: cycle.mean_after,
            taught: cycle.taught,
        }
    }
}

picture! {
    /// Everything that is counted of a Grimoire.
    pub struct StatsPicture {
        tick: Tick,
        entries: EntryCounts,
        kinds: BTreeMap<String, u64>,
        domains: BTreeMap<String, u64>,
        sources: BTreeMap<String, u64>,
        confidence_by_tenth: Vec<u64>,
        quality_by_tenth: Vec<u64>,
        health: HealthPicture,
        vectors: VectorsPicture,
        cycles: Vec<CyclePicture>,
    }

    /// What became of a line that was offered.
    pub struct ArrivalLine {
        line: usize = "line",
        fate: &'static str = "fate",
        entry: Option<EntryId> = "entry",
        why: Option<String> = "why",
    }

    /// G-050. What became of a file of knowledge.
    pub struct ArrivalsPicture {
        golem: String,
        way: &'static str,
        candidates: usize,
        merged: usize,
        known: usize,
        quarantined: usize,
        waiting: usize,
        refused: usize,
        vectors: Option<String>,
        lines: Vec<ArrivalLine>,
    }

    /// G-006. A model held against what it said first.
    pub struct DriftPicture { health: AsKept, found: String }

    /// Entries that were given vectors.
    pub struct ReembeddedPicture {
        golem: String,
        embedded: u64,
        left: u64,
        searched: Option<String>,
        drift: DriftPicture,
    }
}
