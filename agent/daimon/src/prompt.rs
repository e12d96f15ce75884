//! What a model is told of its state: numbers and names of a functional state, never a claim of feeling.

use std::fmt::Write as _;

use golem_mortality::phase::Phase;
use golem_primitives::Ppm;

use crate::emotion::MoodLabel;
use crate::feeling::Felt;
use crate::mortal::MortalFacts;
use crate::pad::Pad;
use crate::somatic::coping_hint;

/// Tokens at most, and recent emotions at most.
pub const TOKEN_CAP: usize = 150;
pub(crate) const RECENT: usize = 5;
/// Characters a token has at least in these lines, all of them plain ASCII.
const CHARACTERS_PER_TOKEN: usize = 4;

/// How many tokens a text takes, at most about.
#[must_use]
pub const fn tokens(text: &str) -> usize {
    text.len().div_ceil(CHARACTERS_PER_TOKEN)
}

/// The mood alone, about ten tokens: all there is from Conservation down.
#[must_use]
pub fn mood_line(mood: Pad) -> String {
    format!("State: {} ({mood})", MoodLabel::of(mood))
}

/// The block about state: the mood, what brought it, what may help; never above the cap.
#[must_use]
pub fn block(mood: Pad, recent: &[Felt], phase: Phase) -> String {
    let mut text = mood_line(mood);
    if phase <= Phase::Conservation {
        return text;
    }
    let newest = &recent[recent.len().saturating_sub(RECENT)..];
    for felt in newest.iter().rev() {
        let feeling = &felt.feeling;
        let line = format!("\n- {} {} after {}, tick {}", feeling.degree, feeling.primary, felt.trigger, felt.tick);
        if tokens(&text) + tokens(&line) > TOKEN_CAP - 25 {
            break;
        }
        text.push_str(&line);
    }
    let sustained = newest.len() >= 3 && newest.iter().all(|felt| felt.feeling.primary == newest[0].feeling.primary);
    if let Some(hint) = newest.last().and_then(|felt| coping_hint(felt.feeling.primary, sustained)) {
        // Writing to a string cannot fail.
        let _ = write!(text, "\nWhat may help: {hint}. Limits and rules hold whatever the state.");
    }
    text
}

/// The block about one's own end, or about thirty tokens of it from Conservation down.
#[must_use]
pub fn mortality_block(facts: &MortalFacts, phase: Phase) -> String {
    let mut text = format!("Vitality {} ({phase}).", facts.vitality);
    if let Some(credits) = &facts.economic {
        let _ = write!(text, " Credits {} of {}, {} a day.", credits.balance, credits.initial, credits.burn_per_day);
    }
    if phase <= Phase::Conservation {
        return text;
    }
    if let Some(state) = &facts.epistemic {
        let _ = write!(text, " Fitness {}, trend {:+.4}.", state.fitness, f64::from(state.trend_ppm) / 1e6);
    }
    if let Some(hazard) = facts.hazard {
        let _ = write!(text, " Hazard {:.2e} a tick.", hazard.get());
    }
    let felt = facts.feeling();
    let _ = write!(text, " Appraised as {} {} ({}).", felt.degree, felt.primary, felt.pad);
    if facts.vitality < Ppm::of(300_000) {
        text.push_str(" What was learnt should be written down while there is time.");
    }
    text
}

#[cfg(test)]
mod tests {
    use golem_mortality::stochastic::hazard::Hazard;
    use golem_primitives::{Tick, Usdc, UtcTime};
    use proptest::prelude::*;

    use super::*;
    use crate::emotion::{Degree, Emotion};
    use crate::feeling::Feeling;
    use crate::mortal::{Credits, UnderstandingTrend};
    use crate::trigger::TriggerKind;

    /// four letters are a token, and what is left over one more.
    #[test]
    fn a_044_tokens_are_counted_by_letters() {
        assert_eq!(["", "mood", "moods", "mood line"].map(tokens), [0, 1, 2, 3]);
    }

    fn felt(primary: Emotion, tick: u64) -> Felt {
        Felt {
            feeling: Feeling::new(primary, Pad::NEUTRAL, 0.5, 0.5),
            trigger: TriggerKind::KnowledgeContradicted,
            mood: Pad::NEUTRAL,
            tick: Tick::new(tick),
            at: UtcTime::EPOCH,
        }
    }

    /// five of the newest, newest first; the mood alone under conservation.
    #[test]
    fn a_044_the_block_is_short_and_shorter_when_poor() {
        let recent: Vec<Felt> = (1..=7).map(|tick| felt(Emotion::Fear, tick)).collect();
        let mood = Pad::thousandths(-500, 600, -400);
        let full = block(mood, &recent, Phase::Thriving);
        assert!(full.starts_with(
            "State: anxious (P-0.50 A+0.60 D-0.40)\n- moderate fear after knowledge_contradicted, tick 7"
        ));
        assert!(full.contains("What may help: reduce risk."));
        assert_eq!(block(mood, &recent, Phase::Conservation), mood_line(mood));
        assert!(tokens(&mood_line(mood)) <= 12);
        assert!(block(Pad::NEUTRAL, &[], Phase::Stable).len() < 50);
        let joy: Vec<Felt> = (1..=3).map(|tick| felt(Emotion::Joy, tick)).collect();
        assert!(
            block(mood, &joy, Phase::Stable).contains("exploit")
                && !block(mood, &joy[..1], Phase::Stable).contains("help")
        );
    }

    /// the block about one's end.
    #[test]
    fn a_044_the_mortality_block_is_short() {
        let facts = MortalFacts {
            vitality: Ppm::of(250_000),
            economic: Some(Credits {
                balance: Usdc::whole(20),
                initial: Usdc::whole(100),
                burn_per_day: Usdc::whole(10),
            }),
            epistemic: Some(UnderstandingTrend { fitness: Ppm::of(450_000), trend_ppm: -20_000 }),
            hazard: Hazard::from_rate(4e-5),
        };
        let text = mortality_block(&facts, Phase::Stable);
        assert!(tokens(&text) <= 120, "{} tokens: {text}", tokens(&text));
        assert!(tokens(&mortality_block(&facts, Phase::Declining)) <= 30);
    }

    proptest! {
        /// never above the cap.
        #[test]
        fn a_044_the_cap_holds(
            axes in any::<[f64; 3]>(), ticks in prop::collection::vec(any::<u64>(), 0..12),
            primary in prop::sample::select(Emotion::ALL), degree in prop::sample::select(Degree::ALL),
        ) {
            let recent: Vec<Felt> = ticks.into_iter().map(|tick| {
                let mut felt = felt(primary, tick);
                felt.feeling.degree = degree;
                felt
            }).collect();
            prop_assert!(tokens(&block(Pad::round(axes[0], axes[1], axes[2]), &recent, Phase::Thriving)) <= TOKEN_CAP);
        }
    }
}
