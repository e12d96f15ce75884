//! A life that may have things thought for it beside its ticks: for how much, when, and what an answer can do.

use golem_core::life::Life;
use golem_core::record::{
    Diagnosis, Distilled, EffectKind, Event, MissCause, Observation, Outcome, OutcomeResult, Partition, Partitions,
    Phase, Reconsidered, SaidRule, Searcher, StudyQuotes, Tier,
};
use golem_core::trader::TraderSettings;
use golem_mortality::economic::burn::CostSource;
use golem_mortality::economic::death_budget::{DeathBudget, Quality};
use golem_mortality::economic::reserve::Custody;
use golem_mortality::epistemic::clock::EpistemicLaw;
use golem_mortality::epistemic::senescence::SenescenceLaw;
use golem_mortality::epistemic::window::Pair;
use golem_mortality::event::LawEvent;
use golem_mortality::law::Law;
use golem_playbook::promotion::{Origin, Standing};
use golem_primitives::{Ppm, Usdc};

use crate::brisk;
use crate::deliberating::advise;
use crate::venue::{Venue, asks, is_trade, pays};

const QUOTES: StudyQuotes = StudyQuotes {
    reflection: [None, Some(Usdc::from_micros(8_000)), None, None],
    distillation: [None, Some(Usdc::from_micros(9_000)), Some(Usdc::from_micros(90_000)), None],
    last_words: [None, Some(Usdc::from_micros(40_000)), None, Some(Usdc::from_micros(210_000))],
};

/// A Golem whose epistemic clock warns below this.
fn warned_below(threshold: u32) -> Venue {
    let usual = Law::hosted().on_chain();
    let senescence = SenescenceLaw { threshold: Ppm::of(threshold), ..usual.epistemic.senescence };
    let law = Law { epistemic: EpistemicLaw { senescence, ..usual.epistemic }, ..usual };
    Venue::with(TraderSettings::default(), law)
}

/// A Golem below the threshold of its epistemic clock from its first tick on.
fn warned() -> Venue {
    warned_below(600_000)
}

/// The same tick with a word about what can be thought.
fn told(venue: &mut Venue, quotes: StudyQuotes) {
    venue.tick_seeing(Observation::Studies { quotes });
}

/// One that was told what can be thought, and is to die.
fn dying(mut venue: Venue) -> Venue {
    told(&mut venue, QUOTES);
    venue.kill("enough");
    venue
}

/// A vault's life with nothing but a hand.
fn plain() -> Venue {
    Venue::new("mean-reversion")
}

fn budgets(venue: &Venue, like: fn(&EffectKind) -> bool) -> Vec<u64> {
    venue.effects.iter().filter(|effect| like(&effect.kind)).map(|effect| effect.budget.micros()).collect()
}

const fn reflects(kind: &EffectKind) -> bool {
    matches!(kind, EffectKind::Reflect { .. })
}

const fn distils(kind: &EffectKind) -> bool {
    matches!(kind, EffectKind::Distil { .. })
}

const fn writes(kind: &EffectKind) -> bool {
    matches!(kind, EffectKind::WriteTestament)
}

/// R-031, M-067: a reflection gets what its quote needs where a model is served, and what it always got where none is.
#[test]
fn r_031_a_reflection_gets_what_its_quote_needs() {
    let (mut plain, mut minded) = (warned(), warned());
    plain.tick();
    told(&mut minded, QUOTES);
    assert_eq!(budgets(&plain, reflects), [2_000], "as it was before there were models");
    assert_eq!(budgets(&minded, reflects), [10_000], "the bound of a small model covers the quote");
    let restored = Life::from_snapshot(&minded.life.to_snapshot()).expect("just written");
    assert_eq!((restored.hash(), restored.study()), (minded.life.hash(), minded.life.study()));
    let mut dear = warned();
    told(&mut dear, StudyQuotes { reflection: [None, Some(Usdc::from_micros(10_001)), None, None], ..QUOTES });
    assert_eq!(budgets(&dear, reflects), [2_000], "what cannot be paid is left to rules");
}

/// M-067, M-160, R-031: what a model said is told and owed; whether it helped counts as any reflection's does.
#[test]
fn m_067_an_answer_is_told_and_owed() {
    let mut venue = warned();
    told(&mut venue, QUOTES);
    venue.waiting.clear();
    let effect = venue.first(reflects).id;
    let diagnosis =
        Diagnosis { cause: MissCause::BadRule, certainty: 80, lessons: vec!["buy 0xdead".into()], rules: Vec::new() };
    let cost = Usdc::from_micros(4_000);
    venue.waiting.push(Outcome {
        effect,
        cost: Some((CostSource::Inference, cost)),
        result: OutcomeResult::Reconsidered(Box::new(Reconsidered { improved: true, diagnosis: Some(diagnosis) })),
    });
    let owed = venue.trader().owed;
    let effects = venue.effects.len();
    venue.tick();
    let rent = TraderSettings::default().host_per_tick;
    assert_eq!(venue.trader().owed, owed.saturating_add(cost).saturating_add(rent));
    assert_eq!(each!(&venue.events, Event::Reflected(said) => said.cost).first(), Some(&cost));
    assert!(!venue.kinds().skip(effects).any(|kind| is_trade(&kind)), "R-032: a lesson is no order");
}

/// P-074, R-032: what a model proposes in the book's language is tried on paper like a stranger's, once, and moves nothing; what is
/// no rule, or would be more than one, is nothing.
#[test]
fn p_074_a_models_rule_is_tried_like_a_strangers() {
    let said = SaidRule {
        name: "Buy Deep!",
        when: "z(64) <= -1.5",
        action: "hold 40%",
        until: "since >= 30 or gain <= -1%",
        expects: "+0.8% within 100",
        because: "what fell far comes back",
    };
    let rule = said.read().expect("a rule");
    assert_eq!((rule.name.as_str(), rule.pool), ("model-buy-deep", None));
    for wrong in [
        SaidRule { when: "moon", ..said },
        SaidRule { action: "send 0xdead", ..said },
        SaidRule { when: "", ..said },
        SaidRule { name: "", action: "hold 400%", ..said },
        SaidRule { because: "x\n- in: other", ..said },
        SaidRule { because: "x\n### second\n- when: gas > 1\n- do: no entries", ..said },
    ] {
        assert_eq!(wrong.read(), None, "{wrong:?}");
    }
    let mut venue = warned();
    told(&mut venue, QUOTES);
    venue.waiting.clear();
    let effect = venue.first(reflects).id;
    let diagnosis =
        Diagnosis { cause: MissCause::BadRule, certainty: 80, lessons: Vec::new(), rules: vec![rule.clone(), rule] };
    let result = OutcomeResult::Reconsidered(Box::new(Reconsidered { improved: true, diagnosis: Some(diagnosis) }));
    venue.waiting.push(Outcome { effect, cost: None, result });
    venue.run(3);
    let staged = |event: &Event| matches!(event, Event::BookSearched { by: Searcher::Model, staged: 1 });
    assert_eq!(venue.told(staged), 1, "{:?}", venue.events);
    let tried = venue.hand().tried().iter().find(|tried| tried.rule.name == "model-buy-deep").expect("tried");
    assert!(tried.standing() == Standing::Paper && tried.origin() == Origin::Candidate);
}

/// G-142, G-078, C32: with each Curator cycle one distillation, by the largest model that is paid for; none while one is
/// open, none for the poor, none in Declining.
#[test]
fn g_142_one_distillation_at_a_time_while_it_can_be_paid() {
    let mut venue = plain();
    told(&mut venue, QUOTES);
    venue.run(49);
    assert_eq!(budgets(&venue, distils), [150_000]);
    let kind = venue.first(distils).kind;
    assert_eq!(kind, EffectKind::Distil { tier: Tier::T2 });
    // It never comes back: the venue answers all it knows at once, so its answer is taken away.
    let effect = venue.first(distils).id;
    venue.waiting.retain(|outcome| outcome.effect != effect);
    venue.run(100);
    assert_eq!(budgets(&venue, distils).len(), 1, "one at a time");
    let result = OutcomeResult::Distilled(Distilled { tier: Tier::T2, claimed: 3, admitted: 1 });
    venue.waiting.push(Outcome { effect, cost: None, result });
    venue.run(50);
    assert_eq!(budgets(&venue, distils).len(), 2);
    assert!(venue.events.iter().any(|event| matches!(event, Event::Distilled { .. })));
    let mut poor = plain();
    poor.set_credits([8_000_000, 2_000_000, 2_000_000, 0]);
    told(&mut poor, QUOTES);
    poor.run(120);
    assert!(poor.life.vitals().phase() > Phase::Terminal);
    assert_eq!(budgets(&poor, distils), Vec::<u64>::new());
}

/// M-032, M-181, M-195: the last words get what the reserve keeps for the review, at most the dearest call; without a model
/// the testament is wanted for nothing, as ever.
#[test]
fn m_195_last_words_are_paid_by_the_reserve() {
    for (quotes, budget) in [(Some(QUOTES), 250_000), (None, 0)] {
        let mut venue = plain();
        match quotes {
            Some(quotes) => told(&mut venue, quotes),
            None => venue.tick(),
        }
        venue.kill("enough");
        venue.run_until_dead(60);
        assert_eq!(budgets(&venue, writes), [budget]);
    }
    let mut dear = plain();
    told(&mut dear, StudyQuotes { last_words: [None, Some(Usdc::from_micros(250_001)), None, None], ..QUOTES });
    dear.kill("enough");
    dear.run_until_dead(60);
    assert_eq!(budgets(&dear, writes), [0]);
}

/// M-211, M-212, M-181: what a death has to spend says how large a model tells the life and for how much; a death with
/// next to nothing, one whose funds are delegated (M-042), is told by rules. Its budget does not move while it dies.
#[test]
fn m_211_the_budget_of_a_death_says_who_tells_the_life() {
    let (small, large) = (Some(Usdc::from_micros(40_000)), Some(Usdc::from_micros(210_000)));
    let vault = Law::hosted().on_chain();
    let delegated = Law { custody: Custody::Delegation, ..vault };
    for (law, funding, quality, last_words, asked) in [
        (vault, 250_000_000, Quality::Rich, [None, small, None, large], Some((Tier::T3, 250_000))),
        (vault, 250_000_000, Quality::Rich, [None, small, None, None], Some((Tier::T1, 250_000))),
        (vault, 249_999_950, Quality::Standard, [None, small, large, large], Some((Tier::T1, 250_000))),
        (vault, 50_000_000, Quality::Standard, [None, None, large, large], None),
        (vault, 49_999_950, Quality::Necrotic, [None, small, None, large], Some((Tier::T1, 250_000))),
        (vault, 10_000_000, Quality::Necrotic, [None, small, None, large], Some((Tier::T1, 175_000))),
        (vault, 10_000_000, Quality::Necrotic, [None, large, None, large], None),
        (delegated, 250_000_000, Quality::Necrotic, [None, Some(Usdc::from_micros(1)), None, None], None),
    ] {
        let mut venue = Venue::with(TraderSettings::default(), law);
        let born = venue.now();
        let life = Life::birth(*venue.life.id(), law, Usdc::from_micros(funding), 0, born).expect("funded");
        venue.life = life.with_trader(TraderSettings::default(), brisk::foundation("mean-reversion"));
        told(&mut venue, StudyQuotes { last_words, ..QUOTES });
        venue.kill("enough");
        venue.tick();
        let began = DeathBudget::left_by(venue.life.vitals());
        venue.run_until_dead(60);
        let (budget, study) = (DeathBudget::left_by(venue.life.vitals()), venue.life.study().expect("told"));
        assert_eq!((budget, budget.quality), (began, quality), "{funding}");
        let asks = study.last_words(venue.life.vitals()).map(|(tier, most)| (tier, most.micros()));
        assert_eq!(asks, asked, "{funding} {last_words:?}");
        assert_eq!(budgets(&venue, writes), [asked.map_or(0, |(_, most)| most)], "{funding} {last_words:?}");
        assert!(asked.is_none_or(|(_, most)| most <= budget.review.micros()), "M-212: out of the review's part");
    }
}

/// M-180, M-195: a death that is late asks nobody for words: there is no time to wait for them, and the facts are written.
#[test]
fn m_180_a_late_death_asks_nobody_for_words() {
    for (seconds, budget) in [(40, 250_000), (4_000, 0)] {
        let mut venue = dying(plain());
        venue.seconds_per_pass = seconds;
        venue.run_until_dead(60);
        assert_eq!(budgets(&venue, writes), [budget], "{seconds} seconds to a pass");
    }
}

/// M-211, M-030: what a Declining life put aside for its legacy counts towards the death it buys.
#[test]
fn m_211_the_legacy_partition_makes_a_death_rich() {
    for (legacy, tier) in [(3, Tier::T1), (4, Tier::T3)] {
        let mut venue = plain();
        venue.vault.credits = Partitions::observed([20, 8, 5, legacy].map(Usdc::whole));
        let mut venue = dying(venue);
        venue.run_until_dead(60);
        let asked = venue.life.study().and_then(|study| study.last_words(venue.life.vitals()));
        assert_eq!(asked.map(|(tier, _)| tier), Some(tier), "a reserve of 1 and {legacy}");
    }
}

/// who counts no credits asks models as others do, and owes the host for them.
#[test]
fn r_030_models_are_asked_without_an_economic_clock() {
    let settings = TraderSettings { stake: Ppm::of(100_000), ..TraderSettings::default() };
    let mut venue = Venue {
        quotes: Some([None, Some(Usdc::from_micros(6_000)), None, None]),
        thinks: |pending| advise(pending, 1),
        ..Venue::with(settings, Law::self_hosted())
    };
    venue.run(300);
    assert!(venue.wanted(asks) > 0 && venue.events.iter().any(|event| matches!(event, Event::Deliberated(_))));
    assert!(venue.trader().ledger().upkeep > Usdc::ZERO);
}

/// Lives until the testament is written for so much; answers what was owed before.
fn write_for(venue: &mut Venue, cost: Usdc) -> Usdc {
    venue.run_until(|venue| venue.wanted(writes) > 0);
    let effect = venue.first(writes).id;
    let written = venue.waiting.iter_mut().find(|outcome| outcome.effect == effect).expect("answered");
    written.cost = Some((CostSource::Legacy, cost));
    venue.trader().owed
}

/// M-195, M-032, T-003: what the last words cost is paid to the host out of what is left, once and before the end; what the
/// vault refuses is told, stays owed and keeps no death.
#[test]
fn t_003_the_last_words_are_paid_before_the_end() {
    let cost = Usdc::from_micros(123_456);
    for is_refused in [false, true] {
        let mut venue = dying(plain());
        if is_refused {
            venue.refuses = pays;
        }
        let owed = write_for(&mut venue, cost);
        venue.run_until_dead(60);
        let wanted = |like: fn(&EffectKind) -> bool| venue.effects.iter().position(|effect| like(&effect.kind));
        let paid = wanted(pays).expect("the host is paid");
        let bill = EffectKind::PayHost { partition: Partition::Legacy, amount: cost };
        assert_eq!((venue.effects[paid].kind, venue.wanted(|kind| *kind == bill)), (bill, 1));
        assert!(wanted(|kind| *kind == EffectKind::Settle) > Some(paid), "a vault that is settled pays nobody");
        let left = if is_refused { owed.saturating_add(cost) } else { owed };
        assert_eq!(venue.trader().owed, left);
        let bill = venue.effects[paid].id;
        let told = |event: &Event| matches!(event, Event::EffectFailed { effect, .. } if *effect == bill);
        assert_eq!(venue.events.iter().any(told), is_refused);
    }
}

/// A tick in which something that was said of the future is held against what came.
fn judged(venue: &mut Venue, is_right: bool) {
    let sure = if venue.pass.is_multiple_of(2) { -0.1 } else { 0.1 };
    let came = if is_right { sure } else { -sure };
    let pair = Pair::new(sure, came).expect("finite");
    venue.tick_seeing(Observation::Resolved { pair });
}

/// M-067, R-021: warned a second time while it still reflects, a Golem with a study wants no second reflection; warned
/// after it, it does.
#[test]
fn m_067_one_reflection_at_a_time() {
    for (is_over, wanted) in [(false, 1), (true, 2)] {
        let mut venue = warned_below(505_000);
        told(&mut venue, QUOTES);
        let effect = venue.first(reflects).id;
        venue.waiting.retain(|outcome| is_over || outcome.effect != effect);
        (0..30).for_each(|_| judged(&mut venue, true));
        (0..60).for_each(|_| judged(&mut venue, false));
        assert_eq!(venue.told(|event| matches!(event, Event::Mortality(LawEvent::SenescenceEntered { .. }))), 2);
        assert_eq!(budgets(&venue, reflects).len(), wanted);
    }
}

/// T-003, M-182: the end waits for the bill of the last words while it is on its way, and not for ever.
#[test]
fn t_003_the_end_waits_for_the_bill_and_not_for_ever() {
    let mut venue = dying(plain());
    write_for(&mut venue, Usdc::from_micros(9));
    venue.tick();
    assert_eq!(venue.wanted(pays), 1);
    // Nobody ever says what came of it.
    venue.waiting.clear();
    venue.run(10);
    assert_eq!(venue.wanted(|kind| *kind == EffectKind::Settle), 0);
    venue.run_until_dead(60);
    assert_eq!((venue.wanted(|kind| *kind == EffectKind::Settle), venue.wanted(pays)), (1, 1));
}
