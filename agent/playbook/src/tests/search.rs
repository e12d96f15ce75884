use golem_primitives::Usdc;

use super::*;
use crate::account::{Account, AccountSight};
use crate::backtest::{BacktestSettings, Run, run};
use crate::book::Book;
use crate::choice::{Circumstances, Limits};
use crate::confidence::RuleConfidence;
use crate::cost::ONCE;
use crate::hand::Hand;
use crate::makers::{all, holds_for, is};
use crate::market::{Edge, Market};
use crate::observable::{Observable, Span};
use crate::prices::Terms;
use crate::promotion::{Founding, Origin, RuleChange};
use crate::rule::{Manner, Relation};
use crate::watch::Watch;

const LOOKS: usize = 60_000;
/// When the planted edge is true.
const EPOCHS: [Range<usize>; 2] = [6_000..26_000, 40_000..56_000];
const TERMS: Terms =
    Terms { fee_ppm: 500, gas: Usdc::from_micros(60_000), liquidity: Usdc::ZERO, capital: Usdc::whole(1_000) };

/// What the prototype planted: 0.6% over 30 looks.
const GIFT: f64 = 0.006;
/// What of it leaves the nearest rule 0.6 deviations a trip in this market, whose moves scatter less than the prototype's.
const SMALL_GIFT: f64 = 0.0035;

fn edge(during: &[Range<usize>]) -> Edge {
    edge_of(GIFT, during)
}

fn edge_of(gain: f64, during: &[Range<usize>]) -> Edge {
    Edge { window: 32, depth: 1.5, gain, over: 30, during: during.to_vec() }
}

fn nothing() -> Book {
    Book { title: "alone".to_owned(), rules: Vec::new() }
}

/// A whole life of a Golem that has no rule but those it finds.
fn lived(seed: u64, edge: Option<Edge>) -> Run {
    let looks = Market { seed, looks: LOOKS, edge }.looks(&TERMS);
    let settings = BacktestSettings {
        capital: TERMS.capital,
        rent_a_day: Usdc::ZERO,
        founding: Founding::Trial,
        search: true,
        life: None,
        folds: 4,
    };
    run(&nothing(), &looks, &settings).expect("an empty book can be tried")
}

/// The looks, from the beginning, at which something happened to a rule.
fn when(run: &Run, wanted: fn(&RuleChange) -> bool) -> Vec<usize> {
    let changed = run.events.iter().filter(|event| wanted(&event.event.change));
    changed.map(|event| (event.event.time as usize - 1_704_067_200) / 60).collect()
}

#[test]
fn p_070_the_lattice_has_5040_rules_of_different_names() {
    let mut names: Vec<String> = Entry::all().flat_map(Entry::points).map(Point::name).collect();
    assert_eq!(names.len(), 5_040);
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 5_040);
}

/// What a search works out by columns is what the account of the same rule does look by look.
#[test]
fn p_070_a_replayed_trip_is_the_trip_of_an_account() {
    let looks = Market { seed: 3, looks: 4_000, edge: None }.looks(&TERMS);
    let rows: Vec<Row> = looks.iter().map(|look| Row { look: *look, capital: TERMS.capital }).collect();
    let columns = Columns::new(&rows, rows.len());
    for entry in Entry::all().step_by(17) {
        let point = entry.points().nth(entry.window * 4 + 1).expect("24 of each entry");
        let replayed = columns.trips(point, &columns.entries(entry), 0..rows.len(), |_| {});
        let learnt = Learnt { trips: 0, gains: 0, gross: 1.0 };
        let rule = point.rule(&columns.words, &learnt);
        let mut watch = Watch::default();
        let mut account = Account::new(golem_primitives::Ppm::ONE, Manner::Hold);
        let trips: Vec<_> = looks
            .iter()
            .filter_map(|look| {
                let seen = watch.look(look, TERMS.capital);
                account.look(&rule, &AccountSight { look, seen, capital: TERMS.capital }).trip
            })
            .collect();
        assert_eq!(replayed.count, trips.len(), "{}", rule.name);
        let gross: f64 = trips.iter().map(|trip| trip.gross).sum();
        assert!((replayed.gross_mean() * trips.len() as f64 - gross).abs() < 1e-9, "{}", rule.name);
    }
}

/// How strong a planted edge is for the rule of the lattice that is nearest to it.
struct Strength {
    /// Mean net return of a trip by its deviation.
    deviations: f64,
    trips: usize,
    /// How many times its first price the last one is.
    growth: f64,
}

fn strength(gain: f64, seed: u64, count: usize) -> Strength {
    let edge = edge_of(gain, std::slice::from_ref(&(0..count)));
    let looks = Market { seed, looks: count, edge: Some(edge) }.looks(&TERMS);
    let vol = Observable::Vol(Span::L64);
    let mut watch = Watch::default();
    let stance = crate::observable::Stance::default();
    let mut vols: Vec<i64> =
        looks.iter().filter_map(|look| watch.look(look, TERMS.capital).get(vol, &stance)).collect();
    vols.sort_unstable();
    let fall = is(Observable::Z(Span::L32), Relation::AtMost, -1_500_000);
    let mut rule = holds_for("planted", fall, 60, 30);
    rule.when = all(&[fall, is(vol, Relation::AtMost, vols[vols.len() / 2])]);

    let mut watch = Watch::default();
    let mut account = Account::new(golem_primitives::Ppm::of(600_000), Manner::Hold);
    let mut net = Vec::new();
    for look in &looks {
        let seen = watch.look(look, TERMS.capital);
        let turn = account.look(&rule, &AccountSight { look, seen, capital: TERMS.capital });
        net.extend(turn.trip.map(|trip| trip.observation.net));
    }
    let mean = net.iter().sum::<f64>() / net.len() as f64;
    let variance = net.iter().map(|net| (net - mean) * (net - mean)).sum::<f64>() / net.len() as f64;
    let growth = looks[count - 1].price.micros() as f64 / looks[0].price.micros() as f64;
    Strength { deviations: mean / variance.sqrt(), trips: net.len(), growth }
}

/// P-077. The markets of these tests are what they say: some seven trips in 1,000 looks, of 0.6 deviations on average where
/// the gift is small and of more where it is the prototype's; standing in them earns nothing of it.
#[test]
fn p_077_the_planted_edges_are_as_strong_as_they_are_said_to_be() {
    let seeds = [9, 9_000, 9_001, 9_002, 9_003];
    for (gain, said) in [(SMALL_GIFT, 0.55..0.7), (GIFT, 0.75..1.1)] {
        let all = seeds.map(|seed| strength(gain, seed, 30_000));
        let mean = all.iter().map(|one| one.deviations).sum::<f64>() / all.len() as f64;
        assert!(said.contains(&mean), "{mean} by {gain}");
        for Strength { trips, growth, .. } in all {
            assert!((6 * 30..9 * 30).contains(&trips), "{trips} trips");
            assert!((0.4..2.5).contains(&growth), "{growth}");
        }
    }
}

/// P-077. Alone and without a rule of its own a Golem finds the edge, tries it, moves money by it, rests when it ends and
/// wakes when it returns.
#[test]
fn p_077_a_planted_edge_is_found_tried_acted_on_rested_and_woken() {
    let deep = std::env::var_os("BARDO_DEEP").is_some();
    let seeds: Range<u64> = if deep { 300..312 } else { 201..202 };
    let (mut found, mut gained, mut woken) = (0, 0, 0);
    for seed in seeds.clone() {
        let life = lived(seed, Some(edge(&EPOCHS)));
        let tried = when(&life, |change| matches!(change, RuleChange::OnTrial { .. }));
        let promoted = when(&life, |change| matches!(change, RuleChange::Promoted { .. }));
        let rested = when(&life, |change| matches!(change, RuleChange::Rested { .. }));
        let woke = when(&life, |change| matches!(change, RuleChange::Woken { .. }));
        found += usize::from(!tried.is_empty() && !promoted.is_empty());
        gained += usize::from(life.return_ppm > 0);
        let rests_after = rested.iter().any(|look| (26_000..40_000).contains(look));
        woken += usize::from(rests_after && woke.iter().any(|look| (40_000..LOOKS).contains(look)));
        assert!(tried.iter().all(|look| *look > EPOCHS[0].start), "seed {seed}: money moved before there was an edge");
    }
    let all = seeds.count();
    assert!(found * 10 >= all * 8, "{found} of {all} were tried and promoted");
    assert!(gained * 10 >= all * 8, "{gained} of {all} gained");
    assert!(woken * 2 >= all, "{woken} of {all} rested and woke");
}

/// What a life did with money, its own wallet paying fee and gas.
struct Moved {
    /// Looks from the beginning of each epoch to the first entry in it.
    entered: [Option<usize>; 2],
    /// The rules that earned their whole stake.
    promoted: Vec<Rule>,
    /// What there is at the end of what there was.
    kept: f64,
}

/// Orders are filled at the next look.
fn moved(gain: f64, seed: u64) -> Moved {
    let looks = Market { seed, looks: LOOKS, edge: Some(edge_of(gain, &EPOCHS)) }.looks(&TERMS);
    let mut hand = Hand::found(&nothing(), Founding::Trial, &looks[0], TERMS.capital).expect("it can be tried");
    let mut moved = Moved { entered: [None; 2], promoted: Vec::new(), kept: 1.0 };
    let (mut cash, mut tokens): (f64, f64) = (1_000.0, 0.0);
    let mut share: Option<f64> = None;
    for (at, look) in looks.iter().enumerate() {
        let price = look.price.micros() as f64 / 1e6;
        if let Some(share) = share.take() {
            let bought = (cash + tokens * price) * share - tokens * price;
            cash -= bought + bought.abs() * 0.0005 + 0.06;
            tokens += bought / price;
        }
        let [capital, held] =
            [cash + tokens * price, tokens * price].map(|usdc| Usdc::from_micros((usdc * 1e6) as u64));
        if at > 0 && (at as u64).is_multiple_of(EVERY) {
            hand.search(look, capital, None, STAGED);
        }
        let now = Circumstances { capital, held, limits: Limits::NONE, caution_ppm: ONCE };
        let order = hand.look(look, &now).order;
        share = order.map(|order| f64::from(order.to.get()) / 1e6);
        if order.is_some_and(|order| order.to > order.from)
            && let Some(epoch) = EPOCHS.iter().rposition(|epoch| epoch.start <= at)
        {
            moved.entered[epoch].get_or_insert(at - EPOCHS[epoch].start);
        }
        let promoted = hand.events().filter(|event| matches!(event.change, RuleChange::Promoted { .. }));
        let numbers: Vec<u64> = promoted.map(|event| event.number).collect();
        let of = |tried: &&crate::promotion::Tried| numbers.contains(&tried.number());
        moved.promoted.extend(hand.tried().iter().filter(of).map(|tried| tried.rule.clone()));
        moved.kept = (cash + tokens * price) / 1_000.0;
    }
    moved
}

/// How many of these rules lose on average where the edge is always true, in a market that they were not found in.
fn without_an_edge(rules: &[Rule], gain: f64, seed: u64) -> usize {
    let edge = edge_of(gain, std::slice::from_ref(&(0..LOOKS)));
    let looks = Market { seed, looks: LOOKS, edge: Some(edge) }.looks(&TERMS);
    let mut watch = Watch::default();
    let mut accounts: Vec<_> = rules.iter().map(|rule| Account::of(&rule.action).expect("it holds")).collect();
    let mut net = vec![0.0; rules.len()];
    for look in &looks {
        let seen = watch.look(look, TERMS.capital);
        for ((account, rule), net) in accounts.iter_mut().zip(rules).zip(&mut net) {
            let turn = account.look(rule, &AccountSight { look, seen, capital: TERMS.capital });
            *net += turn.trip.map_or(0.0, |trip| trip.observation.net);
        }
    }
    net.iter().filter(|net| **net <= 0.0).count()
}

/// What some lives came to.
#[derive(Debug)]
struct Figures {
    lives: usize,
    /// Looks until money moved in each epoch, of the middle life.
    money: [usize; 2],
    /// Lives in which it moved again within 200 looks.
    at_once: usize,
    gained: usize,
    /// What was left of the beginning, on average.
    kept: f64,
    promoted: usize,
    /// Promoted without an edge.
    wrong: usize,
}

fn figures(gain: f64, seeds: Range<u64>) -> Figures {
    let lives: Vec<Moved> = seeds.clone().map(|seed| moved(gain, seed)).collect();
    let middle = |epoch: usize| {
        let mut entered: Vec<usize> = lives.iter().map(|life| life.entered[epoch].unwrap_or(usize::MAX)).collect();
        entered.sort_unstable();
        entered[entered.len() / 2]
    };
    let wrong = lives.iter().zip(seeds).map(|(life, seed)| without_an_edge(&life.promoted, gain, seed + 1_000_000));
    Figures {
        lives: lives.len(),
        money: [middle(0), middle(1)],
        at_once: lives.iter().filter(|life| life.entered[1].is_some_and(|looks| looks <= 200)).count(),
        gained: lives.iter().filter(|life| life.kept > 1.0).count(),
        kept: lives.iter().map(|life| life.kept).sum::<f64>() / lives.len() as f64,
        promoted: lives.iter().map(|life| life.promoted.len()).sum(),
        wrong: wrong.sum(),
    }
}

/// P-077. How fast, on seeds that nothing was chosen by: by the prototype's gift the middle life moves money within 10,000
/// looks of the edge, gains by it, and of what it promotes next to nothing is without an edge. When the edge returns, who has
/// a rule left that does not rest moves money at once and the others when one wakes, which at seven trips in 1,000 looks is
/// thousands of looks.
#[test]
fn p_077_money_moves_within_ten_thousand_looks_of_an_edge_and_no_false_rule_is_promoted() {
    let deep = std::env::var_os("BARDO_DEEP").is_some();
    let found = figures(GIFT, if deep { 700..720 } else { 700..701 });
    let (most, few) = if deep { (10_000, found.lives / 10) } else { (14_000, 0) };
    assert!(found.money[0] <= most && found.money[1] <= 10_000, "{found:?}");
    assert!(found.gained + few >= found.lives && found.promoted >= 5 * found.lives, "{found:?}");
    assert!(found.wrong * 5 <= found.lives && (found.at_once > 0 || !deep), "{found:?}");
}

/// P-077. At 0.6 deviations a trip money moves within the first epoch, later than the prototype's did: evidence grows by what a
/// trip brings over B, and here that is a ninth where it was a quarter. It costs next to nothing and promotes nothing false.
#[test]
fn p_077_at_six_tenths_of_a_deviation_money_moves_within_the_epoch_and_is_not_lost() {
    let deep = std::env::var_os("BARDO_DEEP").is_some();
    let found = figures(SMALL_GIFT, if deep { 720..740 } else { 720..721 });
    let (most, least) = if deep { (15_000, 0.99) } else { (20_000, 0.95) };
    assert!(found.money[0] <= most, "{found:?}");
    assert!(found.kept >= least && found.wrong * 5 <= found.lives, "{found:?}");
}

/// P-078. Without an edge what is found is tried on paper and moves nothing.
#[test]
fn p_078_without_an_edge_nothing_is_promoted_and_next_to_nothing_lost() {
    let deep = std::env::var_os("BARDO_DEEP").is_some();
    let seeds: Range<u64> = if deep { 400..420 } else { 400..401 };
    let mut promoted = 0;
    for seed in seeds.clone() {
        let life = lived(seed, None);
        promoted += when(&life, |change| matches!(change, RuleChange::Promoted { .. })).len();
        assert!(life.return_ppm > -30_000, "seed {seed} lost {} ppm", life.return_ppm);
    }
    assert!(promoted * 10 <= seeds.count(), "{promoted} promoted");
}

/// P-070. An edge of the last 4,000 looks is too thin in the older part of 10,000 to be seen there by most.
#[test]
fn p_070_the_newest_half_shows_what_began_lately() {
    let found = |seed: u64, is_whole_alone: bool| {
        let edge = edge(std::slice::from_ref(&(6_000..10_000)));
        let looks = Market { seed, looks: 10_000, edge: Some(edge) }.looks(&TERMS);
        let rows: Vec<Row> = looks.iter().map(|look| Row { look: *look, capital: TERMS.capital }).collect();
        let mut searches = Searches::default();
        if is_whole_alone {
            searches.search_part(&rows, 10_000, STAGED)
        } else {
            searches.search(&rows, 10_000, STAGED)
        }
    };
    let finds = |is_whole_alone: bool| (30..38).filter(|seed| !found(*seed, is_whole_alone).is_empty()).count();
    let (alone, both) = (finds(true), finds(false));
    assert!(alone + 3 <= both && both >= 6, "{alone} and {both} of 8");
    assert!((30..38).all(|seed| found(seed, false).len() <= STAGED));
}

/// P-070, D-158.
#[test]
fn p_070_at_most_three_are_staged_and_what_was_staged_lately_is_not_staged_again() {
    let looks = Market { seed: 1, looks: 12_000, edge: Some(edge(std::slice::from_ref(&(0..12_000)))) }.looks(&TERMS);
    let mut hand = Hand::found(&nothing(), Founding::Trial, &looks[0], TERMS.capital).expect("it can be tried");
    let now = Circumstances { capital: TERMS.capital, held: Usdc::ZERO, limits: Limits::NONE, caution_ppm: ONCE };
    for look in &looks[..11_000] {
        hand.look(look, &now);
    }
    assert_eq!(hand.search(&looks[10_999], TERMS.capital, None, STAGED), 3);
    let first: Vec<String> = hand.tried().iter().map(|tried| tried.rule.name.clone()).collect();
    assert!(hand.tried().iter().all(|tried| tried.origin() == Origin::Candidate && tried.evidence() == 1.0));
    assert!(hand.tried().iter().all(|tried| tried.confidence() == Some(RuleConfidence::FOUND)), "P-040");
    hand.search(&looks[10_999], TERMS.capital, None, STAGED);
    let again = hand.tried()[first.len()..].iter().filter(|tried| first.contains(&tried.rule.name)).count();
    assert_eq!(again, 0);
    // A record that is too short says nothing.
    assert!(Searches::default().search(&[], 0, STAGED).is_empty());
}
