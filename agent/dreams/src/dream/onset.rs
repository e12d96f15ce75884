//! The edge of sleep and the way back.

use golem_primitives::Ppm;

use super::{Answer, Ask, AskKind, Dream, Material, Said};
use crate::event::DreamEvent;
use crate::inputs::Engine;
use crate::integration::journal::CycleEnding;
use crate::nrem::trajectory::Trajectory;
use crate::number::count;
use crate::onset::dali;
use crate::onset::depth::Depth;
use crate::onset::fragment::{CONFIDENCE, Fragment, FragmentStatus, Held, Induction, Keyword, induce};
use crate::onset::observer::{self, FragmentFate, Judgement};
use crate::rem::rehearsal::Coverage;
use crate::report::Awakening;
use crate::vector::Vector;
use crate::words::{DreamPhase, DreamTier, Grade};

/// What came up.
#[derive(Debug, Clone, Default)]
pub(super) struct Gathered {
    pub(super) keyword: Option<Keyword>,
    pub(super) induction: Induction,
    pub(super) fragments: Vec<Fragment>,
    pub(super) held: Vec<Held>,
    /// Fragments that are looked at in the second round, each with whether it is looked at again.
    looked_at: Vec<(Fragment, bool)>,
    liminal: Vec<Fragment>,
}

impl Dream {
    pub(super) fn enter_onset(&mut self) {
        self.events.push(DreamEvent::OnsetStarted { cycle_id: self.frozen.cycle });
        // D-053: whatever is asked, the feed is shut here.
        self.events.push(DreamEvent::DepthChanged { depth: Depth::H4 });
        self.onset.keyword = Keyword::choose(&self.frozen.threads, &self.frozen.traces);
        let mut draws = self.seed.draws("induction");
        self.onset.induction = induce(&self.frozen, self.onset.keyword.as_ref(), &mut draws);
        if !self.law.hypnagogia.is_on(self.frozen.opening.tier) {
            return;
        }
        let (low, high) = self.law.hypnagogia.temperatures;
        // D-056: too deep is climbed out of at once.
        self.events.push(DreamEvent::DepthChanged { depth: Depth::of(high).interrupted() });
        match self.frozen.opening.tier {
            DreamTier::Core => {
                let material = self.onset_material();
                self.ask(DreamPhase::Onset, AskKind::Induction, Grade::T0, low, material);
            }
            DreamTier::Hardened => {
                let planned = dali::planned(self.law.hypnagogia.dali_cycles, self.frozen.phase);
                for interrupt in 0..planned {
                    self.ask_partials(DreamPhase::Onset, interrupt);
                }
            }
        }
    }

    /// D-064, D-066. What is laid before sleep, with the word it is nudged towards.
    fn onset_material(&self) -> Material {
        let lines = self.onset.keyword.iter().map(|keyword| format!("keyword: {}", keyword.word));
        Material {
            episodes: self.onset.induction.episodes.iter().copied().take(20).collect(),
            entries: self.onset.induction.fading.clone(),
            lines: lines.collect(),
        }
    }

    /// D-057. Four partials, each another branch: another temperature, and material that begins elsewhere.
    fn ask_partials(&mut self, phase: DreamPhase, interrupt: u32) {
        let range = self.law.hypnagogia.temperatures;
        for (branch, annealed) in (0..).zip(dali::temperatures(range)) {
            // D-063: behind an interrupt that caught something the next begins warm again.
            let temperature = if interrupt == 0 { annealed } else { dali::after_capture(annealed, range.1) };
            let mut material = self.onset_material();
            let turn = (branch as usize * 5).min(material.episodes.len());
            material.episodes.rotate_left(turn);
            material.lines.push(format!("branch {branch} of interrupt {interrupt}"));
            let kind = AskKind::DaliPartial { interrupt, branch };
            self.ask(phase, kind, Grade::T1, temperature, material);
        }
    }

    pub(super) fn conclude_onset(&mut self, answers: Vec<(Ask, Answer)>, round: u32) {
        if round == 0 {
            self.caught(&answers);
            if self.report.is_none() {
                self.look_at();
            }
        } else {
            self.judged(&answers);
        }
        if self.queue.is_empty() && self.report.is_none() {
            self.settle_unjudged();
            let kept = count(self.onset.fragments.len());
            self.events.push(DreamEvent::OnsetCompleted { fragments: kept });
        }
    }

    /// D-068. What the interrupts caught; one that caught nothing ends the cycle, and costs nothing.
    fn caught(&mut self, answers: &[(Ask, Answer)]) {
        let interrupts = answers.iter().filter_map(|(ask, _)| match ask.kind {
            AskKind::DaliPartial { interrupt, .. } => Some(interrupt),
            _ => None,
        });
        let last = interrupts.max();
        for interrupt in last.iter().flat_map(|last| 0..=*last) {
            let of = |ask: &Ask| matches!(ask.kind, AskKind::DaliPartial { interrupt: one, .. } if one == interrupt);
            let partials = answers.iter().filter(|(ask, answer)| of(ask) && answer.said.is_some()).count();
            self.events.push(DreamEvent::DaliInterrupt { interrupt, partials: count(partials) });
            if partials == 0 {
                self.abort(answers);
                return;
            }
        }
        for fragment in answers.iter().filter_map(|(_, answer)| fragment(answer)) {
            self.onset.looked_at.push((fragment, false));
        }
        let now = self.frozen.opened.tick;
        let (due, waiting): (Vec<Held>, Vec<Held>) =
            self.frozen.held.iter().cloned().partition(|held| held.until <= now);
        self.onset.held = waiting;
        self.onset.looked_at.extend(due.into_iter().map(|held| (held.fragment, true)));
    }

    /// D-068. Failed calls are not charged; what other calls really cost is.
    fn abort(&mut self, answers: &[(Ask, Answer)]) {
        let paid = answers.iter().filter(|(_, answer)| answer.said.is_some()).map(|(_, answer)| answer.cost).sum();
        self.spent[DreamPhase::Onset as usize] = paid;
        self.events.push(DreamEvent::DreamAborted { cycle_id: self.frozen.cycle });
        self.cut(CycleEnding::Aborted);
    }

    /// D-058. Asks what is thought of each fragment, coolly.
    fn look_at(&mut self) {
        let is_watched = self.law.hypnagogia.observer && self.frozen.opening.tier == DreamTier::Hardened;
        if !is_watched || self.frozen.engine == Engine::Rules {
            return;
        }
        let texts: Vec<String> = self.onset.looked_at.iter().map(|(fragment, _)| fragment.text.clone()).collect();
        for text in texts {
            let material = Material { lines: vec![text], ..Material::default() };
            self.ask(DreamPhase::Onset, AskKind::Observe, Grade::T0, observer::TEMPERATURE, material);
        }
    }

    /// D-060, D-061. Scores what was judged; what no call could judge keeps what rules say of it.
    fn judged(&mut self, answers: &[(Ask, Answer)]) {
        let looked_at = std::mem::take(&mut self.onset.looked_at);
        for (fragment, is_second) in looked_at {
            let verdict = answers.iter().find_map(|(ask, answer)| match (&ask.kind, &answer.said) {
                (AskKind::Observe, Some(Said::Judged { relevance, coherence }))
                    if ask.material.lines.first() == Some(&fragment.text) =>
                {
                    Some((*relevance, *coherence))
                }
                _ => None,
            });
            match verdict {
                Some((relevance, coherence)) => self.judge(fragment, is_second, relevance, coherence),
                None => self.onset.looked_at.push((fragment, is_second)),
            }
        }
    }

    fn judge(&mut self, fragment: Fragment, is_second: bool, relevance: Ppm, coherence: Ppm) {
        let novelty = self.novelty(fragment.vector.as_ref());
        let score = Judgement { novelty, relevance, coherence }.score(self.frozen.observer_bias);
        match observer::fate(score, self.law.hypnagogia.fragment_floor, is_second, self.frozen.opened.tick) {
            FragmentFate::Keep => self.keep(fragment),
            FragmentFate::Hold(until) => {
                let fragment = Fragment { status: FragmentStatus::Held, ..fragment };
                self.onset.held.push(Held { fragment, until });
            }
            FragmentFate::Discard => self.events.push(DreamEvent::FragmentDiscarded),
        }
    }

    fn keep(&mut self, fragment: Fragment) {
        self.events.push(DreamEvent::FragmentCaptured { confidence: fragment.confidence });
        self.onset.fragments.push(Fragment { status: FragmentStatus::Kept, ..fragment });
    }

    /// D-061. How unlike everything known.
    pub(super) fn novelty(&self, vector: Option<&Vector>) -> Ppm {
        let known = self.frozen.known.iter().filter_map(|known| known.vector.as_ref());
        observer::novelty(vector.and_then(|vector| vector.nearest(known)))
    }

    /// What nobody judged stays in the journal, undeveloped; what was held is held no longer than its second look.
    fn settle_unjudged(&mut self) {
        for (fragment, is_second) in std::mem::take(&mut self.onset.looked_at) {
            if !is_second {
                self.keep(fragment);
            }
        }
    }

    /// D-067. What was caught before an interrupt is saved.
    pub(super) fn catch_fragments(&mut self) {
        let caught: Vec<Fragment> = self.answers.iter().filter_map(|(_, answer)| fragment(answer)).collect();
        self.onset.looked_at.extend(caught.into_iter().map(|fragment| (fragment, false)));
        self.settle_unjudged();
    }

    /// D-176. The way back includes one more interrupt.
    pub(super) fn enter_return(&mut self) {
        if !self.law.hypnagogia.hypnopompic_return {
            return;
        }
        self.events.push(DreamEvent::HypnopompicStarted);
        if self.law.hypnagogia.is_on(self.frozen.opening.tier) && self.frozen.opening.tier == DreamTier::Hardened {
            self.ask_partials(DreamPhase::Return, 0);
        }
    }

    pub(super) fn conclude_return(&mut self, answers: &[(Ask, Answer)]) {
        if self.law.hypnagogia.hypnopompic_return {
            self.onset.liminal = answers.iter().filter_map(|(_, answer)| fragment(answer)).collect();
            self.events.push(DreamEvent::HypnopompicCompleted);
        }
    }

    /// D-108. What follows from what is known to follow, where it would take something.
    pub(super) fn foreseen(&self) -> impl Iterator<Item = String> {
        self.replayed.trajectories.iter().filter_map(Trajectory::sentence)
    }

    /// D-177. What the dream found, said for a waking Golem, and a mood a tenth nearer to calm.
    pub(super) fn awakening(&self) -> Awakening {
        if !self.law.hypnagogia.hypnopompic_return {
            return Awakening::default();
        }
        let gaps = self.imagined.threats.iter().filter(|threat| threat.coverage != Coverage::Covered);
        let gaps = gaps.map(|threat| format!("nothing guards against {}", threat.kind));
        Awakening {
            lines: self.foreseen().chain(gaps).collect(),
            mood: self.frozen.mood.map(|mood| mood.toward(golem_daimon::Pad::NEUTRAL, 0.1)),
        }
    }

    /// Fragments of the way back stand behind those of the way in.
    pub(super) fn all_fragments(&self) -> Vec<Fragment> {
        self.onset.fragments.iter().chain(&self.onset.liminal).cloned().collect()
    }
}

/// D-059. The fragment of an answer.
fn fragment(answer: &Answer) -> Option<Fragment> {
    match &answer.said {
        Some(Said::Fragment { text, vector, .. }) => Some(Fragment {
            text: text.clone(),
            confidence: CONFIDENCE,
            status: FragmentStatus::Kept,
            vector: vector.clone(),
        }),
        _ => None,
    }
}
