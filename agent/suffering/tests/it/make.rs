use golem_mortality::phase::Phase;
use golem_primitives::{Ppm, Tick, UtcTime};
use golem_suffering::attempt::AttemptFacts;
use golem_suffering::domain::WorkDomain;
use golem_suffering::facts::{ConductFacts, PurposeFacts, SharingFacts, SurvivalFacts, Violation};
use golem_suffering::kind::Canonical;
use golem_suffering::reply::{ClaimedResolution, NewStressor};
use golem_suffering::stressor::Stressor;
use golem_suffering::text::Key;
use golem_suffering::truth::Reading;
use golem_suffering::{Facts, Suffering, SufferingLaw, SufferingReply};

pub(crate) const DAY: u64 = 86_400;
pub(crate) const HARDENED: SufferingLaw = SufferingLaw {
    profile: golem_suffering::SufferingProfile::Hardened,
    existence_cycle_ticks: 50,
    max_gap_days: None,
};
pub(crate) const SEED: SufferingLaw = SufferingLaw { profile: golem_suffering::SufferingProfile::Seed, ..HARDENED };
pub(crate) const LAWS: [SufferingLaw; 2] = [HARDENED, SEED];

pub(crate) fn at(seconds: u64) -> UtcTime {
    UtcTime::from_seconds(50_000_000 + seconds)
}

pub(crate) fn key(text: &str) -> Key {
    Key::new(text).expect("a key")
}

pub(crate) fn uniswap() -> WorkDomain {
    WorkDomain { protocol: Some(key("uniswap")), ..WorkDomain::default() }
}

/// A world in which nothing can be seen.
pub(crate) fn blind(seconds: u64) -> Facts {
    Facts { domain: uniswap(), ..Facts::blind(Tick::new(seconds / 40), at(seconds), Phase::Stable) }
}

/// A world in which these types have reason to be raised and all others have reason not to.
pub(crate) fn pressing(seconds: u64, kinds: &[Canonical]) -> Facts {
    let has = |kind: Canonical| kinds.contains(&kind);
    let mut facts = blind(seconds);
    let failed = if has(Canonical::RepeatedFailure) { 30 } else { 4 };
    facts.attempts = Some(AttemptFacts { failed, completed: 6, streaks: Vec::new() });
    facts.survival = SurvivalFacts {
        life_seconds: Reading::Known(500 * 3_600),
        fitness: Reading::Known(Ppm::of(if has(Canonical::ExistentialThreat) { 300_000 } else { 380_000 })),
        composite: Reading::Known(Ppm::of(600_000)),
    };
    facts.purpose = Some(PurposeFacts {
        idle_since: has(Canonical::Purposelessness).then_some(UtcTime::EPOCH),
        ruleless_since: None,
        strategy_active: false,
        predictions: 0,
        goals_completed: 0,
        verified: 0,
    });
    let rule = Violation {
        rule: key("no leverage"),
        confidence: Ppm::of(900_000),
        at: facts.now,
        commits_since: 0,
        made_good: false,
    };
    let clean = Violation { commits_since: 12, ..rule.clone() };
    let violations = vec![if has(Canonical::IdentityViolation) { rule } else { clean }];
    facts.conduct = Some(ConductFacts { violations });
    facts.sharing = Some(SharingFacts {
        shares: 20,
        acks: u32::from(!has(Canonical::Invisibility)),
        acked_share_at: None,
        owner_at: None,
        born_at: UtcTime::EPOCH,
        siblings: Reading::Known(2),
    });
    facts.goals = Some(golem_suffering::facts::GoalFacts {
        stalled: if has(Canonical::Futility) { 9 } else { 0 },
        completed: 0,
        deployed: 3,
        called: 0,
    });
    facts
}

/// A world in which attempts succeed again, goals are met and nothing endangers it.
pub(crate) fn well(seconds: u64) -> Facts {
    let mut facts = pressing(seconds, &[]);
    facts.attempts = Some(AttemptFacts { failed: 10, completed: 30, streaks: Vec::new() });
    facts.survival.fitness = Reading::Known(Ppm::of(900_000));
    facts.goals = Some(golem_suffering::facts::GoalFacts { stalled: 0, completed: 9, deployed: 3, called: 2 });
    facts
}

pub(crate) fn says(new: &[(&str, &str)], resolved: &[&str]) -> SufferingReply {
    SufferingReply {
        new_stressors: new
            .iter()
            .map(|(name, condition)| NewStressor {
                name: (*name).to_owned(),
                description: format!("about {name}"),
                condition: (*condition).to_owned(),
            })
            .collect(),
        resolved: resolved
            .iter()
            .map(|name| ClaimedResolution { name: (*name).to_owned(), reason: "I feel better".to_owned() })
            .collect(),
    }
}

pub(crate) fn find<'a>(suffering: &'a Suffering, name: &str) -> Option<&'a Stressor> {
    suffering.active().into_iter().find(|one| one.key() == key(name))
}

pub(crate) fn severity(suffering: &Suffering, name: &str) -> f64 {
    find(suffering, name).map_or(0.0, |one| one.severity.as_f64())
}

pub(crate) fn names(suffering: &Suffering) -> Vec<String> {
    let mut names: Vec<String> = suffering.active().into_iter().map(|one| one.key().to_string()).collect();
    names.sort_unstable();
    names
}
