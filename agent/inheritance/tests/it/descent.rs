//! I-041, I-152, I-166, I-180 to I-184: what several generations make of an entry.

use std::collections::BTreeMap;

use golem_grimoire::confidence::{Confidence, Votes};
use golem_grimoire::emotion::Emotion;
use golem_grimoire::entry::EntryQuestion;
use golem_grimoire::kind::{Domain, Kind};
use golem_grimoire::quality::{Dimensions, RedFlag, WeightProfile, quality};
use golem_grimoire::share::{Giving, may_push};
use golem_grimoire::shelf::{Change, Grimoire};
use golem_inheritance::baldwin::propose;
use golem_inheritance::bottleneck::{BottleneckLaw, Gene, Selection};
use golem_inheritance::genome::{Afterword, bequeath};
use golem_inheritance::heir::adopt;
use golem_inheritance::negentropy::Negentropy;
use golem_inheritance::weismann::WeismannLaw;
use golem_mortality::mode::Mode;
use golem_mortality::phase::Phase;
use golem_primitives::{LineageId, Ppm};

use crate::make::{GOOD, LAW, add, candidate, draft, heir, hold, id, inherit, left, moment};

/// I-166: feelings slow the decay of what was felt in many moods, when the owner lets them, and only then.
#[test]
fn i_166_feelings_count_only_when_turned_on() {
    let mut dead = Grimoire::default();
    hold(&mut dead, 1, Kind::Insight, "Gas above 40 gwei falls within 2 blocks.", 2);
    let moods = BTreeMap::from([(id(1), Emotion::ALL.to_vec())]);
    let afterword = Afterword { is_redemptive: true, moods, ..Afterword::default() };
    let bequest = bequeath(&dead, &BottleneckLaw::default(), &afterword);
    let worth =
        |law| candidate(adopt(&bequest.entries[0], &heir(3), &law, &GOOD, moment(1_000))).knowledge().confidence;
    assert_eq!(worth(LAW), Confidence::of(552_712));
    assert_eq!(
        worth(WeismannLaw { emotional_bonus: true, ..LAW }),
        Confidence::of(702_712),
        "all eight moods, redeemed"
    );
}

/// I-180, I-182, I-184: three generations confirm a heuristic, and it is proposed as a default; an insight is not.
#[test]
fn i_184_a_line_proposes_what_it_keeps_proving() {
    let mut grimoire = Grimoire::default();
    hold(&mut grimoire, 1, Kind::Heuristic, "Wait 3 ticks when gas is above 40 gwei.", 2);
    hold(&mut grimoire, 2, Kind::Insight, "Gas above 40 gwei falls within 2 blocks.", 2);
    for generation in 1..=3 {
        let now = moment(u64::from(generation) * 1_000);
        let proposed = grimoire.living().filter_map(|entry| propose(entry, LineageId(7), now)).count();
        assert_eq!(proposed, 0, "I-180: not before three generations");
        grimoire = inherit(&left(&grimoire), generation, now);
        for n in [1, 2] {
            grimoire.apply(Change::Vote { id: id(n), votes: Votes { up: 3, down: 0 } }, now).expect("alive");
        }
    }
    let proposed: Vec<_> = grimoire.living().filter_map(|entry| propose(entry, LineageId(7), moment(9_000))).collect();
    assert_eq!(proposed.iter().map(|one| (one.entry, one.generation)).collect::<Vec<_>>(), [(id(1), 3)], "I-184");
    let genome = left(&grimoire).genome;
    assert_eq!(genome.places[Selection::Priority as usize].taken, 2, "I-184: the bottleneck's clause covers any type");
}

/// I-041, I-062: a Clade that is fully in sync still leaves to the heir what never passed its gates.
#[test]
fn i_041_descent_carries_what_sync_does_not() {
    let mut grimoire = Grimoire::default();
    add(&mut grimoire, 1, draft(Kind::Insight, "Gas above 40 gwei falls within 2 blocks."), Votes { up: 0, down: 2 });
    let entry = grimoire.get(id(1)).expect("known");
    assert!(!may_push(entry, Giving::of(Phase::Thriving, Mode::Hosted)), "no sibling ever hears of it");
    assert_eq!(left(&grimoire).entries.len(), 1, "I-041");
}

/// I-152: the bottleneck ranks by the composite of the Grimoire.
#[test]
fn i_152_quality_is_the_composite() {
    let dimensions = Dimensions {
        specificity: Ppm::of(400_000),
        actionability: Ppm::of(800_000),
        novelty: Ppm::of(700_000),
        verifiability: Ppm::of(600_000),
        consistency: Some(Ppm::of(900_000)),
    };
    assert_eq!(quality(&dimensions, WeightProfile::Standard, &[]), Ppm::of(665_000));
    assert_eq!(quality(&dimensions, WeightProfile::Standard, &[RedFlag::Tautology]), Ppm::of(565_000));
    let mut grimoire = Grimoire::default();
    add(&mut grimoire, 1, draft(Kind::Insight, "Gas above 40 gwei falls within 2 blocks."), Votes::default());
    let entry = grimoire.living().next().expect("one");
    assert_eq!(Gene::of(entry).quality, entry.quality);
}

/// I-220, I-221: the signs of order are counted from what lives, beside what was only piled up.
#[test]
fn i_220_the_signs_of_order_are_counted() {
    let none = Votes::default();
    let mut known = Grimoire::default();
    add(&mut known, 1, draft(Kind::Insight, "Gas above 40 gwei falls within 2 blocks."), Votes { up: 0, down: 1 });
    add(&mut known, 2, draft(Kind::Insight, "Gas above 60 gwei falls within 3 blocks."), Votes { up: 1, down: 1 });
    add(&mut known, 3, draft(Kind::CausalLink, "Gas above 50 gwei widens the spread by 5 bps."), none);
    let mut asked = draft(Kind::Insight, "Gas above 90 gwei may fall within 9 blocks.");
    (asked.domain, asked.question) = (Domain::Yield, Some(EntryQuestion::Open { requires_investigation: true }));
    add(&mut known, 4, asked, none);
    let quarter = Ppm::of(250_000);
    let counted = Negentropy {
        distilled: Ppm::of(200_000),
        edges_per_entry: quarter,
        domains: 2,
        questions: quarter,
        contradicted: quarter,
    };
    assert_eq!(Negentropy::of(&known, 16), counted);
}
