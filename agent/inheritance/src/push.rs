//! What leaves for the Clade, and when it is a fault to keep it (I-060 to I-067).

use std::collections::BTreeMap;

use golem_grimoire::confidence::Confidence;
use golem_grimoire::id::EntryId;
use golem_grimoire::kind::Kind;
use golem_grimoire::share::sharing_threshold;
use golem_grimoire::status::Entry;
use golem_mortality::mode::Mode;
use golem_mortality::phase::Phase;
use golem_primitives::Ppm;

/// What a push gate reads of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pushable {
    /// Its type.
    pub kind: Kind,
    /// What it is worth.
    pub confidence: Confidence,
    /// Whether it is active.
    pub is_active: bool,
    /// Ticks in which it was confirmed.
    pub validated_ticks: u32,
    /// G-133. Whether something lived stands behind it.
    pub is_supported: bool,
}

impl Pushable {
    /// What the gate reads of an entry; an archived or burned one stays.
    #[must_use]
    pub fn of(entry: &Entry) -> Option<Self> {
        let (knowledge, is_active) = match entry {
            Entry::Active(active) => (active.knowledge(), true),
            Entry::Candidate(candidate) => (candidate.knowledge(), false),
            Entry::Archived(_) | Entry::Burned(_) => return None,
        };
        Some(Self {
            kind: knowledge.kind(),
            confidence: knowledge.confidence,
            is_active,
            validated_ticks: knowledge.validated,
            is_supported: knowledge.is_supported(),
        })
    }
}

/// Something that could go out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Item {
    /// An entry.
    Entry(Pushable),
    /// I-061. An observation or a raw episode.
    Episode {
        /// Whether it is the shift of a regime, the one kind that always goes.
        is_regime_shift: bool,
    },
    /// I-066. A threat a dream recorded.
    DreamThreat(Confidence),
    /// I-066. A dream's hypothesis.
    DreamHypothesis {
        /// What it is worth.
        confidence: Confidence,
        /// Whether waking confirmed it.
        is_confirmed: bool,
    },
    /// I-066. Anything else of a dream.
    RawDream,
}

/// I-060. Gates by type while Thriving; a warning has none.
const fn type_gate(kind: Kind) -> Option<Confidence> {
    match kind {
        Kind::Insight | Kind::StrategyFragment => Some(Confidence::of(600_000)),
        Kind::Heuristic => Some(Confidence::of(700_000)),
        Kind::CausalLink => Some(Confidence::of(500_000)),
        Kind::Warning => None,
    }
}

/// I-065. The least any gate can be.
const LEAST_GATE: Ppm = Ppm::of(100_000);
/// I-063. The threshold from which phases lower the gates.
const BASE: Ppm = Ppm::of(600_000);
/// I-060. Ticks of confirmation a heuristic needs.
const HEURISTIC_TICKS: u32 = 10;
/// I-066. What dreams need.
const THREAT_GATE: Confidence = Confidence::of(300_000);
const HYPOTHESIS_GATE: Confidence = Confidence::of(500_000);

/// I-063, I-064, I-351. The sharing threshold of a phase; of an immortal it is always the base.
#[must_use]
pub fn threshold(phase: Phase, mode: Mode) -> Confidence {
    sharing_threshold(if mode.is_mortal() { phase } else { Phase::Thriving })
}

/// I-065. The gate of a type in a phase: `max(0.1, type gate - (0.6 - threshold))`; in Terminal flat 0.1. A warning has
/// none.
#[must_use]
pub fn gate(kind: Kind, phase: Phase, mode: Mode) -> Option<Confidence> {
    let at_ease = type_gate(kind)?;
    if mode.is_mortal() && phase == Phase::Terminal {
        return Some(Confidence::new(LEAST_GATE));
    }
    let lowered = BASE.saturating_sub(threshold(phase, mode).get());
    Some(Confidence::new(at_ease.get().saturating_sub(lowered).max(LEAST_GATE)))
}

/// I-060 to I-066, C-13, C-14. Whether something goes out now; what does not stays and is asked again next time (I-062).
#[must_use]
pub fn may_push(item: &Item, phase: Phase, mode: Mode) -> bool {
    match item {
        Item::Entry(entry) => may_push_entry(entry, phase, mode),
        Item::Episode { is_regime_shift } => *is_regime_shift,
        Item::DreamThreat(confidence) => *confidence >= THREAT_GATE,
        Item::DreamHypothesis { confidence, is_confirmed } => *is_confirmed && *confidence >= HYPOTHESIS_GATE,
        Item::RawDream => false,
    }
}

fn may_push_entry(entry: &Pushable, phase: Phase, mode: Mode) -> bool {
    let Some(gate) = gate(entry.kind, phase, mode) else { return true };
    // I-065: the dying share everything that is worth a tenth.
    let is_last_chance = mode.is_mortal() && phase == Phase::Terminal;
    let is_proven = is_last_chance
        || match entry.kind {
            Kind::Insight => entry.is_active,
            Kind::Heuristic => entry.validated_ticks >= HEURISTIC_TICKS,
            Kind::CausalLink => entry.is_supported,
            Kind::Warning | Kind::StrategyFragment => true,
        };
    is_proven && entry.confidence >= gate
}

/// I-067. A fault of sharing, told and not punished here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SharingFault {
    /// It could have gone out for two cycles and did not.
    Withheld {
        /// Which.
        id: EntryId,
        /// For how many cycles.
        cycles: u32,
    },
    /// It went out as worth more than it is.
    Inflated {
        /// Which.
        id: EntryId,
        /// What was claimed.
        claimed: Confidence,
        /// What it is worth.
        worth: Confidence,
    },
}

/// I-067. Cycles an eligible entry may wait.
const PATIENCE: u32 = 2;

/// I-067. Watches that what may go out does.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SharingWatch {
    waiting: BTreeMap<EntryId, u32>,
}

impl SharingWatch {
    /// A sync cycle went by: `eligible` entries passed their gate, of which `pushed` went out. Those that wait for their
    /// second cycle or longer are told each cycle.
    pub fn cycle(&mut self, eligible: &[EntryId], pushed: &[EntryId]) -> Vec<SharingFault> {
        let kept = eligible.iter().filter(|id| !pushed.contains(id));
        self.waiting =
            kept.map(|id| (*id, self.waiting.get(id).map_or(1, |cycles| cycles.saturating_add(1)))).collect();
        let late = self.waiting.iter().filter(|(_, cycles)| **cycles >= PATIENCE);
        late.map(|(id, cycles)| SharingFault::Withheld { id: *id, cycles: *cycles }).collect()
    }
}

/// I-067. The fault of claiming more than an entry is worth, if it is one.
#[must_use]
pub fn inflation(id: EntryId, claimed: Confidence, worth: Confidence) -> Option<SharingFault> {
    (claimed > worth).then_some(SharingFault::Inflated { id, claimed, worth })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MORTAL: Mode = Mode::Hosted;

    fn entry(kind: Kind, parts: u32) -> Pushable {
        let confidence = Confidence::of(parts);
        Pushable { kind, confidence, is_active: true, validated_ticks: 10, is_supported: true }
    }

    fn pushed(entry: Pushable, phase: Phase) -> bool {
        may_push(&Item::Entry(entry), phase, MORTAL)
    }

    /// I-060, I-061, I-062: W-22.
    #[test]
    fn i_060_w_22_gates_by_type() {
        let at_ease = |entry| pushed(entry, Phase::Thriving);
        assert!(at_ease(entry(Kind::Insight, 600_000)));
        assert!(!at_ease(Pushable { is_active: false, ..entry(Kind::Insight, 600_000) }));
        assert!(at_ease(entry(Kind::Heuristic, 700_000)));
        assert!(!at_ease(Pushable { validated_ticks: 9, ..entry(Kind::Heuristic, 700_000) }));
        assert!(at_ease(Pushable { is_active: false, is_supported: false, ..entry(Kind::Warning, 10_000) }));
        assert!(at_ease(entry(Kind::CausalLink, 500_000)));
        assert!(!at_ease(Pushable { is_supported: false, ..entry(Kind::CausalLink, 500_000) }));
        assert!(at_ease(entry(Kind::StrategyFragment, 600_000)) && !at_ease(entry(Kind::StrategyFragment, 590_000)));
        let episode = |is_regime_shift| may_push(&Item::Episode { is_regime_shift }, Phase::Thriving, MORTAL);
        assert!(!episode(false) && episode(true), "W-22, I-061");
        let later = entry(Kind::Insight, 550_000);
        assert!(!at_ease(later) && pushed(later, Phase::Stable), "I-062: asked again");
    }

    /// I-063, I-064, I-065: W-23.
    #[test]
    fn i_065_w_23_the_nearer_the_end_the_lower_the_gate() {
        let kinds = [Kind::Insight, Kind::Heuristic, Kind::CausalLink, Kind::StrategyFragment];
        let gates = |phase| kinds.map(|kind| gate(kind, phase, MORTAL).expect("gated").get().get());
        assert_eq!(gates(Phase::Declining), [300_000, 400_000, 200_000, 300_000], "W-23");
        assert_eq!(gates(Phase::Thriving), [600_000, 700_000, 500_000, 600_000]);
        assert_eq!(gates(Phase::Terminal), [100_000; 4]);
        assert!(Phase::ALL.iter().all(|phase| gate(Kind::Warning, *phase, MORTAL).is_none()));
        let unproven =
            Pushable { is_active: false, validated_ticks: 0, is_supported: false, ..entry(Kind::Heuristic, 100_000) };
        assert!(pushed(unproven, Phase::Terminal) && !pushed(unproven, Phase::Declining), "I-065: clauses waived");
        let thresholds = Phase::ALL.map(|phase| threshold(phase, MORTAL).get().get());
        assert_eq!(thresholds, [100_000, 300_000, 400_000, 500_000, 600_000], "I-063, I-064");
    }

    /// I-351: an immortal never reaches the end.
    #[test]
    fn i_351_an_immortal_shares_at_the_base_threshold() {
        for phase in Phase::ALL {
            assert_eq!(threshold(phase, Mode::Immortal), Confidence::of(600_000));
            assert_eq!(gate(Kind::Insight, phase, Mode::Immortal), Some(Confidence::of(600_000)));
        }
    }

    /// I-066.
    #[test]
    fn i_066_dreams_leave_only_as_threats_and_confirmed_hypotheses() {
        let may = |item| may_push(&item, Phase::Terminal, MORTAL);
        let c = Confidence::of;
        assert!(may(Item::DreamThreat(c(300_000))) && !may(Item::DreamThreat(c(299_999))));
        let hypothesis = |parts, is_confirmed| Item::DreamHypothesis { confidence: c(parts), is_confirmed };
        assert!(may(hypothesis(500_000, true)) && !may(hypothesis(499_999, true)) && !may(hypothesis(900_000, false)));
        assert!(!may(Item::RawDream));
    }

    /// I-067: two cycles of silence are told, and so is a boast.
    #[test]
    fn i_067_keeping_knowledge_back_is_a_fault() {
        let id = |n: u8| format!("00000000-0000-7000-8000-0000000000{n:02}").parse().expect("a UUID");
        let mut watch = SharingWatch::default();
        assert!(watch.cycle(&[id(1), id(2)], &[id(2)]).is_empty());
        assert_eq!(watch.cycle(&[id(1), id(2)], &[]), [SharingFault::Withheld { id: id(1), cycles: 2 }]);
        assert!(watch.cycle(&[id(1)], &[id(1)]).is_empty(), "it went out");
        assert!(inflation(id(1), Confidence::of(700_000), Confidence::of(700_000)).is_none());
        assert!(inflation(id(1), Confidence::of(700_001), Confidence::of(700_000)).is_some());
    }

    proptest! {
        /// I-364: no confidence, phase or mode holds a warning back; and a worse phase never closes a gate.
        #[test]
        fn i_364_warnings_always_go(parts in 0u32..=1_000_000, at in 0usize..5, kind in 0usize..5) {
            let warning = Pushable { is_active: false, validated_ticks: 0, is_supported: false, ..entry(Kind::Warning, parts) };
            for mode in [Mode::Hosted, Mode::SelfHosted, Mode::Immortal] {
                prop_assert!(may_push(&Item::Entry(warning), Phase::ALL[at], mode));
            }
            let any = entry(Kind::ALL[kind], parts);
            for worse in 0..at {
                prop_assert!(!pushed(any, Phase::ALL[at]) || pushed(any, Phase::ALL[worse]));
            }
        }
    }
}
