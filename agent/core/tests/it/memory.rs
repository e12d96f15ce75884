//! What lives remember: what counts, under which name, and that it does not depend on when it is told.

use std::collections::{BTreeMap, BTreeSet};

use golem_core::life::Life;
use golem_core::memory::{Before, Past, episodes, regime_of};
use golem_core::record::{
    Chance, Event, InvariantCheck, Outcome, OutcomeResult, OutcomeVerification, Phase, TickInput, Turn,
};
use golem_core::step::step;
use golem_core::trader::TraderSettings;
use golem_grimoire::episode::{Episode, EpisodeKind, EpisodeOutcome, Importance};
use golem_grimoire::regime::Regime;
use golem_mortality::law::Law;
use golem_primitives::{Tick, Usdc};

use crate::mind::{Mind, place};
use crate::venue::{Venue, is_trade, position, swing};

fn minded(book: &str) -> Venue {
    Venue { mind: Some(Mind::default()), ..Venue::new(book) }
}

pub(crate) fn mind(venue: &Venue) -> &Mind {
    venue.mind.as_ref().expect("it has one")
}

fn of_tool<'a>(venue: &'a Venue, tool: &str) -> Vec<&'a Episode> {
    mind(venue).episodes().filter(|episode| episode.key.tool == tool).collect()
}

/// G-135, GG-8: every regime of the market has its word in the Grimoire's set, and no other word has one.
#[test]
fn g_135_regimes_of_the_market_have_names_of_the_set() {
    for (name, regime) in [
        ("trend-up", Some(Regime::Bull)),
        ("trend-down", Some(Regime::Bear)),
        ("range", Some(Regime::Sideways)),
        ("volatile", Some(Regime::HighVol)),
        ("unknown", None),
        ("bull", None),
    ] {
        assert_eq!(regime_of(name), regime, "{name}");
    }
}

/// G-116, G-117, G-124: every tick has its observation, every judged prediction and every trade an episode, each named.
#[test]
fn g_116_a_tick_is_written_down_with_what_came_of_it() {
    let mut venue = minded("mean-reversion");
    venue.run(400);
    let mut observed: Vec<_> = mind(&venue).episodes().filter(|one| one.kind == EpisodeKind::Observation).collect();
    let all = observed.len();
    observed.retain(|episode| episode.outcome != EpisodeOutcome::Descriptive);
    assert_eq!(all - observed.len(), 400, "one a tick");
    let judged = venue.told(|event| matches!(event, Event::PredictionResolved { .. }));
    assert_eq!(observed.len(), judged);
    let trades = venue.wanted(is_trade);
    let acted = mind(&venue).episodes().filter(|episode| episode.kind == EpisodeKind::Action).count();
    assert!(acted > 5 && (trades - acted) <= 1, "{acted} of {trades}; the last may be on its way");
    let tools: BTreeSet<&str> = mind(&venue).episodes().map(|episode| episode.key.tool.as_str()).collect();
    let known = ["cost", "mean-reversion", "mean-reversion/buy", "mean-reversion/sell", "moves", "volume"];
    assert_eq!(tools.into_iter().collect::<Vec<_>>(), known);
    assert!(
        mind(&venue).episodes().all(|episode| (episode.key.chain, episode.key.pair.as_str()) == (31_337, "WETH/USDC"))
    );
    let ids: BTreeSet<_> = mind(&venue).episodes().map(|episode| episode.id).collect();
    assert_eq!(ids.len(), mind(&venue).lived.len(), "each has a name of its own");
}

/// G-124, G-125: a purchase that paid its fee is no evidence; a sale is, by its profit; a belief is, by what it would
/// have earned after the pool's fee both ways.
#[test]
fn g_125_what_counts_as_held() {
    let mut venue = minded("mean-reversion");
    venue.run(700);
    let bought = of_tool(&venue, "mean-reversion/buy");
    assert!(!bought.is_empty() && bought.iter().all(|episode| episode.outcome == EpisodeOutcome::Neutral));
    assert!(bought.iter().all(|episode| episode.pnl_micros.is_none()), "nothing is earned before it is sold");
    assert!(bought.iter().all(|episode| episode.text.contains("returned -25000")), "what it was worth is still told");
    for episode in of_tool(&venue, "mean-reversion/sell") {
        let gain = episode.pnl_micros.expect("measured");
        let right = if gain > 0 { EpisodeOutcome::Positive } else { EpisodeOutcome::Negative };
        assert_eq!(episode.outcome, right, "{}", episode.text);
    }
    let beliefs: Vec<_> = of_tool(&venue, "mean-reversion").into_iter().filter(|e| e.held().is_some()).collect();
    assert!(beliefs.len() > 10, "{}", beliefs.len());
    for belief in &beliefs {
        let (said, came) = (belief.expected.expect("said"), belief.actual.expect("came"));
        let earned = belief.pnl_micros.expect("measured");
        let by_hand = (said.signum() * came * 1e6).round() as i64 - 1_000;
        assert_eq!(earned, by_hand, "{}", belief.text);
        assert_eq!(belief.held(), Some(earned > 0));
        assert_eq!(belief.position, Usdc::whole(1), "per USDC");
    }
    assert!(beliefs.iter().all(|belief| belief.expected > Some(0.0)), "only what is bought on");
    let levels = of_tool(&venue, "moves");
    assert!(
        !levels.is_empty() && levels.iter().all(|episode| episode.held().is_some() && episode.pnl_micros.is_none())
    );
}

/// G-013, G-125: who provides liquidity is judged by its fees and believes nothing of the price.
#[test]
fn g_125_fees_are_what_liquidity_earns() {
    let mut venue = minded("range-liquidity");
    venue.vault.positions.push(position());
    for tick in 0..300u64 {
        venue.vault.positions[0].fees = Usdc::from_micros(50 * tick);
        venue.tick();
    }
    let beliefs: Vec<_> = of_tool(&venue, "range-liquidity").into_iter().filter(|e| e.held().is_some()).collect();
    assert!(beliefs.len() > 5, "{}", beliefs.len());
    // Fifty millionths a tick on ten USDC, over the twenty ticks a claim looks ahead.
    assert!(beliefs.iter().all(|belief| belief.pnl_micros == Some(100) && belief.position == Usdc::whole(1)));
    assert!(of_tool(&venue, "fees").is_empty());
}

/// G-124: a transaction that reverted changed nothing and is no evidence; a broken law is told beside it, for certain.
#[test]
fn g_126_a_revert_is_no_evidence_and_a_broken_law_is_an_incident() {
    let mut venue = minded("mean-reversion");
    venue.run(300);
    let sale = venue.journal.iter().position(|input| {
        let earned = each!(&input.outcomes, Outcome { result: OutcomeResult::Verified(record), .. } => record);
        earned.iter().any(|record| record.receipt.realised_return_micros > 0)
    });
    let sale = sale.expect("something was sold at a profit");
    let told = |change: fn(&mut OutcomeVerification)| {
        let mut journal = venue.journal.clone();
        for outcome in &mut journal[sale].outcomes {
            if let OutcomeResult::Verified(record) = &mut outcome.result {
                change(record);
            }
        }
        relive(&journal[..=sale]).into_iter().filter(|e| e.key.tool == "mean-reversion/sell").collect::<Vec<_>>()
    };
    let as_it_was = told(|_| {});
    assert_eq!(as_it_was.last().expect("told").outcome, EpisodeOutcome::Positive);
    let reverted = told(|record| record.receipt.success = false);
    assert_eq!(reverted.last().expect("told").outcome, EpisodeOutcome::Neutral);
    let broken = told(|record| {
        record.invariants.push(InvariantCheck {
            name: "V-003".into(),
            expression: String::new(),
            passed: false,
            actual: String::new(),
            expected: String::new(),
        });
    });
    let incident = broken.last().expect("told");
    assert_eq!((incident.kind, incident.importance), (EpisodeKind::SafetyIncident, Importance::Emergency));
    assert_eq!(broken[broken.len() - 2].importance, Importance::Critical, "G-123: kept whole");
}

/// Lives a journal from here, shows every pass, and answers every episode.
fn go_on(
    mut life: Life,
    mut past: Past,
    journal: &[TickInput],
    mut see: impl FnMut(&Life, &TickInput, &[Event], &[Episode]),
) -> Vec<Episode> {
    let mut lived = Vec::new();
    for input in journal {
        let before = Before::of(&life);
        let next = step(life, input);
        past.take(input);
        let pass = episodes(&place(), &past, &before, &next.life, input, &next.events);
        see(&next.life, input, &next.events, &pass);
        lived.extend(pass);
        life = next.life;
    }
    lived
}

fn relive_with(journal: &[TickInput], see: impl FnMut(&Life, &TickInput, &[Event], &[Episode])) -> Vec<Episode> {
    go_on(Venue::new("mean-reversion").life, Past::default(), journal, see)
}

fn relive(journal: &[TickInput]) -> Vec<Episode> {
    relive_with(journal, |_, _, _, _| {})
}

/// G-010, G-119: the same journal gives the same episodes; a life taken up in its middle, its past read back from the
/// looks before, goes on with the same.
#[test]
fn g_119_a_life_taken_up_again_tells_the_same() {
    let mut venue = minded("mean-reversion");
    venue.price = |tick| if tick < 350 { swing(tick) } else { falling(tick) };
    venue.run(700);
    let whole = relive(&venue.journal);
    assert_eq!(whole, mind(&venue).episodes().cloned().collect::<Vec<_>>());
    for cut in [600, 601, 1_000] {
        let mut life = Venue::new("mean-reversion").life;
        for input in &venue.journal[..cut] {
            life = step(life, input).life;
        }
        let mut past = Past::default();
        let reach = 2 * (usize::try_from(Past::TICKS).expect("small") + Past::LOOKS);
        venue.journal[cut.saturating_sub(reach)..cut].iter().for_each(|input| past.take(input));
        let lived = go_on(life, past, &venue.journal[cut..], |_, _, _, _| {});
        assert_eq!(lived[..], whole[whole.len() - lived.len()..], "cut at {cut}");
    }
}

/// A market that goes down stairs, in noise that hides it: a range by name, in which nothing ever comes back.
pub(crate) fn falling(tick: u64) -> u64 {
    let steps = (tick / 60) as f64 + (tick % 60).min(6) as f64 / 6.0;
    let noise = if tick.is_multiple_of(2) { 1.000_5 } else { 0.999_5 };
    (libm::exp(-0.012 * steps) * 3_100_000_000.0 * noise) as u64
}

/// G-136: an outcome is told under the regime in which it was said, whatever the market has become since.
#[test]
fn g_136_beliefs_are_counted_where_they_were_said() {
    let mut venue = minded("mean-reversion");
    // A calm swing that breaks: what was believed in the calm fails in the storm.
    venue.price = |tick| if tick < 202 { swing(tick) } else { swing(tick) * (1_000 - (tick - 201).min(300)) / 1_000 };
    venue.run(240);
    let (mut regimes, mut judged, mut moved) = (BTreeMap::new(), 0, 0);
    let lived = relive_with(&venue.journal, |life, input, events, lived| {
        let now = regime_of(life.trader().expect("a hand").regime_name());
        if input.turn == Turn::Deciding {
            regimes.insert(input.tick, now);
        }
        let said = each!(events, Event::PredictionResolved { prediction, .. } => regimes[&prediction.said]);
        let told: Vec<_> = lived.iter().filter(|e| e.kind == EpisodeKind::Observation && e.held().is_some()).collect();
        assert_eq!(told.iter().map(|episode| episode.regime).collect::<Vec<_>>(), said);
        judged += said.len();
        moved += said.iter().filter(|said| **said != now).count();
    });
    assert!(judged > 10 && moved > 0, "{judged} were judged, {moved} of them in another regime");
    assert!(lived.iter().any(|episode| episode.kind == EpisodeKind::RegimeShift));
}

/// G-122: Conservation writes what was decided, Declining what was done, Terminal and the dying nothing.
#[test]
fn g_122_what_is_written_down_thins_out() {
    let mut venue = minded("mean-reversion");
    venue.run_until_it_holds();
    venue.set_credits([900_000, 400_000, 200_000, 0]);
    venue.run(3);
    let phase = venue.phase();
    assert!(phase <= Phase::Conservation, "{phase:?}");
    let before = mind(&venue).lived.len();
    venue.run(60);
    let since: Vec<_> = mind(&venue).episodes().skip(before).cloned().collect();
    match venue.phase() {
        Phase::Terminal => assert!(since.is_empty(), "{since:?}"),
        Phase::Declining => {
            assert!(since.iter().all(|episode| episode.outcome != EpisodeOutcome::Descriptive), "{since:?}");
            let sold: Vec<_> = since.iter().filter(|e| e.key.tool == "mean-reversion/sell").collect();
            assert!(sold.iter().all(|e| e.outcome == EpisodeOutcome::Neutral), "a forced sale is no evidence");
        }
        _ => assert!(since.len() < 60, "{}", since.len()),
    }
    venue.kill("enough");
    let before = mind(&venue).lived.len();
    venue.run_until_dead(60);
    assert_eq!(mind(&venue).lived.len(), before, "the dying write no episodes");
}

/// G-136: a trade is told under the regime in which it was ordered, however late its outcome comes.
#[test]
fn g_136_trades_are_told_where_they_were_ordered() {
    let begin = || Venue::on(crate::brisk::foundation("impatient"), TraderSettings::default(), Law::self_hosted());
    let mut venue = begin();
    (venue.mind, venue.price) = (Some(Mind::default()), |tick| if tick < 350 { swing(tick) } else { falling(tick) });
    venue.run(700);
    let (mut past, mut regimes) = (Past::default(), BTreeMap::new());
    for input in &venue.journal {
        past.take(input);
        regimes.entry(input.tick).or_insert_with(|| past.regime());
    }
    // The outcome of one trade comes when the market has become another.
    let traded = venue.journal.iter().flat_map(|input| input.outcomes.iter().map(|outcome| (outcome, input.tick)));
    let mut traded = traded.filter(|(outcome, _)| matches!(outcome.result, OutcomeResult::Verified(_)));
    let late = traded.find_map(|(outcome, came)| {
        let soon = Tick::new(came.get() + 40);
        let changed = regimes.range(came..soon).find(|(_, regime)| **regime != regimes[&came]);
        changed.map(|(tick, _)| (outcome.clone(), *tick))
    });
    let (late, due) = late.expect("the market changes soon after a trade");
    let (mut life, mut past, mut ordered, mut told) = (begin().life, Past::default(), BTreeMap::new(), None);
    for input in &venue.journal {
        let mut input = input.clone();
        input.outcomes.retain(|outcome| outcome.effect != late.effect);
        if input.tick == due && told.is_none() {
            input.outcomes = vec![late.clone()];
        }
        let before = Before::of(&life);
        let next = step(life, &input);
        past.take(&input);
        for effect in next.effects.iter().filter(|effect| is_trade(&effect.kind)) {
            ordered.insert(effect.id, input.tick);
        }
        let lived = episodes(&place(), &past, &before, &next.life, &input, &next.events);
        if input.outcomes.contains(&late) {
            told = lived.into_iter().find(|episode| episode.kind == EpisodeKind::Action);
        }
        life = next.life;
    }
    let told = told.expect("it is told");
    assert_eq!(told.regime, regimes[&ordered[&late.effect]], "{}", told.text);
    assert_ne!(told.regime, regimes[&due], "{}", told.text);
}

/// what nobody waited for is not lived; blindness is.
#[test]
fn r_023_blindness_is_lived_and_strangers_outcomes_are_not() {
    let mut venue = minded("mean-reversion");
    venue.run(20);
    venue.is_blind = true;
    venue.tick();
    let last = mind(&venue).episodes().last().expect("lived").clone();
    assert_eq!((last.text.as_str(), last.happened.tick), ("the chain could not be seen", Tick::new(21)));
    let verified = venue.journal.iter().flat_map(|input| input.outcomes.clone()).collect::<Vec<_>>();
    let before = mind(&venue).lived.len();
    let (tick, turn) = venue.life.next_pass();
    let quiet = TickInput::quiet(tick, venue.now(), Chance::default());
    let again = TickInput { turn, outcomes: verified, ..quiet };
    venue.take(&again);
    let more = mind(&venue).episodes().skip(before).filter(|episode| episode.kind == EpisodeKind::Action).count();
    assert_eq!(more, 0);
}
