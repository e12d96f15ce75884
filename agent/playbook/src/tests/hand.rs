use proptest::prelude::*;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use super::*;
use crate::choice::{HandOrder, Limits};
use crate::cost::ONCE;
use crate::makers::{CAPITAL, any, dip, guard, holds_for, in_hour, is, look};
use crate::observable::{Observable, Span};
use crate::rule::{Comparison, Manner, Relation};

/// A walk of one percent a look.
pub(super) fn walk(seed: u64, looks: u64) -> Vec<Look> {
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    let mut price = 2_000.0;
    (0..looks)
        .map(|at| {
            price *= 1.0 + 0.01 * ((chance.next_u32() % 2_001) as f64 / 1_000.0 - 1.0);
            look(at, price)
        })
        .collect()
}

/// A life on paper: the book's order is filled at once at the next look without costs, what stands is what was ordered, moved
/// by the price.
#[derive(Default)]
pub(super) struct Life {
    held: f64,
    before: Option<f64>,
    pub(super) pending: Option<HandOrder>,
}

impl Life {
    /// What the hand is told at this look.
    pub(super) fn now(&mut self, look: &Look, limits: Limits) -> Circumstances {
        let price = look.price.micros() as f64;
        self.held *= self.before.map_or(1.0, |before| price / before);
        self.before = Some(price);
        if let Some(order) = self.pending.take() {
            self.held = CAPITAL.share_down(order.to).micros() as f64;
        }
        let held = Usdc::from_micros(self.held as u64);
        Circumstances { capital: CAPITAL, held, limits, caution_ppm: ONCE }
    }
}

fn live(hand: &mut Hand, looks: &[Look], limits: Limits) -> Vec<Decision> {
    let mut life = Life::default();
    let mut look = |look: &Look| {
        let decision = hand.look(look, &life.now(look, limits));
        life.pending = decision.order;
        decision
    };
    looks.iter().map(&mut look).collect()
}

/// Nothing held and nothing in the way.
fn at_ease() -> Circumstances {
    Circumstances { capital: CAPITAL, held: Usdc::ZERO, limits: Limits::NONE, caution_ppm: ONCE }
}

pub(super) fn found(rules: &[Rule], founding: Founding) -> Hand {
    let book = Book { title: "tried".to_owned(), rules: rules.to_vec() };
    Hand::found(&book, founding, &look(0, 2_000.0), CAPITAL).expect("a book that can be tried")
}

#[test]
fn p_050_a_book_of_one_trusted_rule_trades_exactly_as_that_rules_account() {
    let looks = walk(5, 3_000);
    // Promising the most keeps the detector from resting it, which would be another story.
    let rule = Rule { expects: None, ..dip(Span::L16) };
    let mut hand = found(std::slice::from_ref(&rule), Founding::Trust);
    let mut watch = Watch::default();
    let mut account = Account::new(Ppm::of(600_000), Manner::Hold);
    let decisions = live(&mut hand, &looks, Limits::NONE);
    let mut entries = 0;
    let rested = hand.events().find(|event| matches!(event.change, RuleChange::Rested { .. })).map(|event| event.time);
    for (look, decision) in looks.iter().zip(decisions) {
        if rested.is_some_and(|time| look.time >= time) {
            break;
        }
        let seen = watch.look(look, CAPITAL);
        let was_awake = account.is_awake();
        account.look(&rule, &AccountSight { look, seen, capital: CAPITAL });
        let wanted = if account.is_awake() { 600_000 } else { 0 };
        assert_eq!(decision.target, Ppm::of(wanted));
        assert_eq!(decision.order.is_some(), was_awake != account.is_awake());
        entries += u32::from(decision.order.is_some_and(|order| order.to > order.from));
    }
    assert!(entries > 30, "{entries}");
}

#[test]
fn p_003_a_rule_that_asks_new_words_late_sees_what_it_would_have_seen_from_the_start() {
    let looks = walk(7, 7_000);
    let storm = is(Observable::VolRank(Span::L256), Relation::AtLeast, 500_000);
    let late = Rule { expects: None, ..holds_for("late", storm, 60, 20) };
    let mut hand = found(&[dip(Span::L16)], Founding::Trust);
    let (before, after) = looks.split_at(6_000);
    live(&mut hand, before, Limits::NONE);
    hand.propose(&late, &before[5_999], CAPITAL);
    let mut watch = Watch::default();
    for look in before {
        watch.look(look, CAPITAL);
    }
    let mut account = Account::of(&late.action).expect("it holds");
    let mut awake = 0;
    for look in after {
        hand.look(look, &at_ease());
        let seen = watch.look(look, CAPITAL);
        account.look(&late, &AccountSight { look, seen, capital: CAPITAL });
        let tried = hand.tried().iter().find(|tried| tried.rule.name == "late").expect("it is tried");
        assert_eq!(tried.paper, Paper::Holds(account));
        awake += u32::from(account.is_awake());
    }
    assert!(awake > 100, "{awake}");
}

#[test]
fn p_047_on_trial_a_founding_rule_moves_a_quarter() {
    let mut hand = found(&[dip(Span::L16)], Founding::Trial);
    let targets: Vec<u32> = live(&mut hand, &walk(5, 400), Limits::NONE).iter().map(|it| it.target.get()).collect();
    assert!(targets.contains(&150_000));
    assert!(targets.iter().all(|target| [0, 150_000].contains(target)));
}

#[test]
fn p_055_the_reasons_name_who_was_awake_and_who_led() {
    let weak = holds_for("weak", in_hour(23), 40, 500);
    let mut hand = found(&[dip(Span::L16), weak], Founding::Trust);
    for look in walk(5, 200) {
        hand.look(&look, &at_ease());
        let why = hand.why();
        assert_eq!(why.time, look.time);
        let strongest = why.awake.iter().map(|voice| voice.evidence).fold(0.0, f64::max);
        assert_eq!(why.leader.map(|leader| leader.evidence), Some(strongest));
    }
}

#[test]
fn p_051_no_entries_keeps_out_and_tighten_sends_away() {
    let always = is(Observable::Hour, Relation::AtLeast, 0);
    let keeps_out = guard("night", always, Action::NoEntries);
    let mut hand = found(&[dip(Span::L16), keeps_out], Founding::Trust);
    assert!(live(&mut hand, &walk(5, 500), Limits::NONE).iter().all(|decision| decision.order.is_none()));

    let until = any(&[is(Observable::Gain, Relation::AtMost, -5_000)]);
    let closer = guard("closer", always, Action::Tighten { until });
    let looks = walk(5, 500);
    let exposed = |rules: &[Rule]| {
        let decisions = live(&mut found(rules, Founding::Trust), &looks, Limits::NONE);
        decisions.iter().filter(|decision| decision.target > Ppm::ZERO).count()
    };
    let (free, tightened) = (exposed(&[dip(Span::L16)]), exposed(&[dip(Span::L16), closer]));
    assert!(0 < tightened && tightened < free, "{tightened} of {free}");
}

fn provides(name: &str, looks: i64) -> Rule {
    let action = Action::Provide { width: Ppm::of(40_000), share: Ppm::of(500_000) };
    Rule { action, expects: None, ..holds_for(name, in_hour(23), 50, looks) }
}

#[test]
fn p_004_p_030_what_provides_is_tried_on_paper_and_chosen_in_its_manner() {
    let mut hand = found(&[provides("range", 20)], Founding::Trust);
    let decisions = live(&mut hand, &walk(5, 500), Limits::NONE);
    let manner = Manner::Provide { width: Ppm::of(40_000) };
    assert!(decisions.iter().all(|decision| decision.manner == manner || decision.target == Ppm::ZERO));
    assert_eq!(decisions[0].order, Some(HandOrder { from: Ppm::ZERO, to: Ppm::of(500_000) }));
    assert!(hand.tried()[0].trips() > 10, "{}", hand.tried()[0].trips());
    assert!(hand.tried()[0].recent_mean() < 0.0, "a walk pays no fees and costs all the same");
}

#[test]
fn p_053_an_order_that_was_not_carried_out_is_put_back_and_decided_anew() {
    let mut hand = found(&[Rule { expects: None, ..holds_for("long", in_hour(23), 60, 100) }], Founding::Trust);
    let before = hand.stands();
    assert_eq!(before, Stand::default());
    let first = hand.look(&look(0, 2_000.0), &at_ease());
    assert_eq!(hand.stands(), Stand { share: Ppm::of(600_000), manner: Manner::Hold });
    let cent = Circumstances { held: Usdc::from_micros(10_000), ..at_ease() };
    assert_eq!(hand.look(&look(1, 2_000.0), &cent).order, None, "it was ordered already");
    hand.put_back(before);
    assert_eq!(hand.look(&look(2, 2_000.0), &cent).order, first.order, "it was not, so it is ordered again");
    assert_eq!(hand.look(&look(3, 2_000.0), &at_ease()).order, first.order, "where nothing is held nothing stands");
}

/// Staging may take a rule out of the middle; the words of a guard go on speaking of who led.
#[test]
fn p_034_who_led_is_known_by_number_though_places_move() {
    let rules: Vec<Rule> = (0..RULES - 2).map(|at| holds_for(&format!("r{at}"), in_hour(-1), 10, 10)).collect();
    let mut hand = found(&rules, Founding::Trust);
    for name in ["goes", "leads"] {
        let awake = if name == "leads" { in_hour(23) } else { in_hour(-1) };
        hand.stage(
            Rule { expects: None, ..holds_for(name, awake, 10, 90) },
            Origin::Candidate,
            &look(0, 2_000.0),
            CAPITAL,
        );
    }
    let leads = RULES as u64 - 1;
    hand.desk.led = Some(leads);
    for at in 0..3 {
        hand.look(&look(at, 2_000.0), &at_ease());
    }
    hand.desk.led = Some(leads);
    let sees = |hand: &Hand| {
        let (watch, now) = (&hand.watch, look(3, 2_000.0));
        hand.desk.leaders_stance(&AccountSight { look: &now, seen: watch.seen(), capital: CAPITAL })
    };
    assert_eq!(sees(&hand).held, 100_000);
    hand.stage(holds_for("new", in_hour(-1), 10, 10), Origin::Candidate, &look(3, 2_000.0), CAPITAL);
    assert_eq!(hand.tried()[RULES - 2].rule.name, "leads", "who was before it made room");
    assert_eq!(sees(&hand).held, 100_000);
}

/// P-048, D-157.
#[test]
fn p_048_the_least_promising_candidate_makes_room_and_founding_rules_do_not() {
    let rules: Vec<Rule> = (0..RULES).map(|at| holds_for(&format!("r{at}"), in_hour(0), 10, 10)).collect();
    let mut hand = found(&rules, Founding::Trust);
    hand.events().count();
    let late = || holds_for("late", in_hour(0), 10, 10);
    hand.stage(late(), Origin::Candidate, &look(0, 2_000.0), CAPITAL);
    assert!(hand.events().all(|event| matches!(event.change, RuleChange::Refused { tried: RULES })));

    let mut hand = found(&rules[1..], Founding::Trust);
    for _ in 0..2 {
        hand.stage(late(), Origin::Candidate, &look(0, 2_000.0), CAPITAL);
    }
    let made_room = hand.events().find(|event| matches!(event.change, RuleChange::MadeRoom { .. }));
    assert_eq!(made_room.map(|event| event.number), Some(RULES as u64 - 1));
    assert_eq!(hand.tried().len(), RULES);
}

/// What loses at every trip: in at the next look, out at the one after, in a market that stands still.
fn loses(name: &str) -> Rule {
    Rule { expects: None, ..holds_for(name, in_hour(23), 10, 1) }
}

/// P-040, D-152, D-165: its own trips decide, and until then it moves nothing.
#[test]
fn p_040_a_candidate_that_does_not_pay_is_refuted_told_and_leaves_and_the_owners_rule_stays() {
    let still = |at: u64| look(at, 2_000.0);
    let mut hand = found(&[loses("owners")], Founding::Paper);
    hand.stage(loses("supposed"), Origin::Candidate, &still(0), CAPITAL);
    hand.stage(
        Rule { expects: None, ..holds_for("patient", in_hour(-1), 10, 9) },
        Origin::Candidate,
        &still(0),
        CAPITAL,
    );
    hand.events().count();
    let refuted = (0..40).find(|at| {
        hand.look(&still(*at), &at_ease());
        hand.desk.has_refuted
    });
    let refuted = refuted.expect("three trips are over by then");
    let told: Vec<DatedChange> = hand.events().collect();
    assert!(
        matches!(told[..], [DatedChange { number: 1, change: RuleChange::Refuted { trips: 3, .. }, .. }]),
        "{told:?}"
    );
    // Reasons name rules by their places, so it leaves with the next look; an heir never has it.
    let names = |hand: &Hand| hand.tried().iter().map(|tried| tried.rule.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&hand), ["owners", "supposed", "patient"]);
    assert_eq!(names(&hand.heir()), ["owners", "patient"]);
    hand.look(&still(refuted + 1), &at_ease());
    assert_eq!(names(&hand), ["owners", "patient"]);
    assert_eq!(hand.tried()[0].trips(), 3, "what the owner wrote loses as much and is not forgotten");
}

/// P-001. The file is what is acted by: another number in it is another order, and without the rule there is none.
#[test]
fn p_001_what_a_person_writes_is_what_is_ordered() {
    let ordered = |text: &str| {
        let book = crate::parse(text).expect("a good file").book;
        let mut hand = Hand::found(&book, Founding::Trust, &look(0, 2_000.0), CAPITAL).expect("it can be tried");
        let targets = (0..4).map(|at| hand.look(&look(at, 2_000.0), &at_ease()).target.get());
        targets.max().unwrap_or_default()
    };
    // The first look is of a quarter past ten in the evening.
    let text =
        "# Mine\n\n### late\n- when: hour >= 22\n- do: hold 60%\n- until: since >= 90\n- expects: +0.7% within 90\n";
    assert_eq!(ordered(text), 600_000);
    assert_eq!(ordered(&text.replace("hold 60%", "hold 35%")), 350_000);
    assert_eq!(ordered(&text.replace("hour >= 22", "hour >= 23")), 0, "its condition does not hold");
    assert!(crate::parse("# Mine\n").is_err(), "a file without a rule is nothing to act by");
    for line in ["- when: hour >= 22\n", "- do: hold 60%\n"] {
        assert!(crate::parse(&text.replace(line, "")).is_err(), "without {line:?} it is no rule");
    }
}

/// P-043. A birth does not forget how much its line has tried.
#[test]
fn p_043_numbers_blocks_and_counts_cross_a_death() {
    let now = look(0, 2_000.0);
    let mut hand = found(&[], Founding::Trial);
    for at in 0..BLOCK + 1 {
        hand.stage(holds_for(&format!("r{at}"), in_hour(-1), 10, 10), Origin::Candidate, &now, CAPITAL);
    }
    let blocks: Vec<u64> = hand
        .events()
        .filter_map(|event| if let RuleChange::Staged { block, .. } = event.change { Some(block) } else { None })
        .collect();
    assert_eq!([blocks[0], blocks[31], blocks[32]], [0, 0, 1], "its owner is told the block");
    let Desk { tried, blocks, .. } = &mut hand.desk;
    while tried[3].standing() != Standing::Whole {
        tried[3].observe(TripObservation { net: 0.01, passive: 0.0, exposure: 0.0 }, blocks);
    }
    let mut heir = hand.heir().heir();
    assert_eq!(heir.blocks(), hand.blocks());
    assert_eq!([5, BLOCK].map(|number| heir.blocks().bound(number)), [160.0, 320.0]);
    let numbers = |hand: &Hand| hand.tried().iter().map(Tried::number).collect::<Vec<_>>();
    assert_eq!(numbers(&heir), numbers(&hand));
    // What is staged next is in the second block, and who was promoted before is not counted again.
    heir.stage(holds_for("new", in_hour(-1), 10, 10), Origin::Candidate, &now, CAPITAL);
    assert_eq!(heir.tried().last().map(Tried::number), Some(BLOCK + 1));
    let Desk { tried, blocks, .. } = &mut heir.desk;
    while tried[3].standing() != Standing::Whole {
        tried[3].observe(TripObservation { net: 0.01, passive: 0.0, exposure: 0.0 }, blocks);
    }
    assert_eq!(blocks.promoted(3), 1);
}

/// P-075. Whatever it claims of itself: what comes from others is a candidate that has shown nothing, and moves nothing.
#[test]
fn p_075_a_rule_from_elsewhere_begins_with_nothing_shown() {
    let mut hand = found(&[loses("owners")], Founding::Trust);
    let claims = Rule {
        because: Some("31 of 38 such trips paid for themselves".to_owned()),
        expects: Some(crate::rule::Expectation { return_ppm: 900_000, within: 9 }),
        ..holds_for("bought", in_hour(23), 90, 500)
    };
    hand.propose(&claims, &look(0, 2_000.0), CAPITAL);
    // Nor does it take the place of what has its name.
    hand.propose(&Rule { name: "owners".to_owned(), ..claims }, &look(0, 2_000.0), CAPITAL);
    let [owners, bought] = hand.tried() else { panic!("{} rules", hand.tried().len()) };
    assert_eq!(owners.rule, loses("owners"));
    assert_eq!((bought.origin(), bought.standing(), bought.trips()), (Origin::Candidate, Standing::Paper, 0));
    assert_eq!((bought.evidence(), bought.confidence()), (1.0, Some(RuleConfidence::PROPOSED)));
    let targets: Vec<Decision> = live(&mut hand, &walk(5, 50), Limits::NONE);
    assert!(targets.iter().all(|decision| decision.target <= Ppm::of(100_000)), "only the owner's rule moves money");
}

fn any_word() -> impl Strategy<Value = Observable> {
    let span = prop::sample::select(vec![Span::L16, Span::L32, Span::L64]);
    (0_u8..9, span).prop_map(|(kind, span)| match kind {
        0 | 1 => Observable::Z(span),
        2 => Observable::Move(span),
        3 => Observable::Trend(span),
        4 => Observable::Vol(span),
        5 => Observable::Since,
        6 => Observable::Gain,
        7 => Observable::Hour,
        _ => Observable::Cost,
    })
}

fn any_comparison() -> impl Strategy<Value = Comparison> {
    let relation = prop::sample::select(vec![Relation::AtMost, Relation::AtLeast, Relation::Below, Relation::Above]);
    let threshold = prop_oneof![-2_000_000_i64..2_000_000, -20_i64..40, prop::sample::select(vec![i64::MIN, i64::MAX])];
    (any_word(), relation, threshold).prop_map(|(word, relation, threshold)| Comparison { word, relation, threshold })
}

fn any_condition() -> impl Strategy<Value = crate::rule::Condition> {
    prop::collection::vec(any_comparison(), 1..4).prop_map(|parts| any(&parts))
}

fn any_share() -> impl Strategy<Value = Ppm> {
    (0_u32..=1_000_000).prop_map(Ppm::of)
}

fn any_action() -> impl Strategy<Value = Action> {
    prop_oneof![
        3 => any_share().prop_map(|share| Action::Hold { share }),
        2 => (any_share(), any_share()).prop_map(|(width, share)| Action::Provide { width, share }),
        1 => any_share().prop_map(|share| Action::AtMost { share }),
        1 => (0_u16..30).prop_map(|looks| Action::Wait { looks }),
        1 => Just(Action::NoEntries),
        1 => any_condition().prop_map(|until| Action::Tighten { until }),
    ]
}

fn any_rule() -> impl Strategy<Value = Rule> {
    (any_condition(), any_action(), prop::option::of(any_condition()), -1_000_i64..20_000).prop_map(
        |(when, action, until, expected)| Rule {
            when,
            action,
            until,
            expects: Some(crate::rule::Expectation { return_ppm: expected, within: 50 }),
            ..holds_for("any", in_hour(0), 1, 1)
        },
    )
}

pub(super) fn any_book() -> impl Strategy<Value = Vec<Rule>> {
    prop::collection::vec(any_rule(), 1..12).prop_map(|rules| {
        let named = rules.into_iter().enumerate();
        named.map(|(at, rule)| Rule { name: format!("rule-{at}"), ..rule }).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// P-054. Whatever a book says, no order goes beyond the owner's policy, and what the limits take never comes back.
    #[test]
    fn p_054_no_book_orders_beyond_the_caps_it_is_given(
        rules in any_book(), seed in 0_u64..1_000, vault in any_share(), phase in any_share(),
    ) {
        let limits = Limits { vault, phase, ..Limits::NONE };
        for decision in live(&mut found(&rules, Founding::Trust), &walk(seed, 400), limits) {
            prop_assert!(decision.target <= vault && decision.target <= phase);
            prop_assert!(decision.order.is_none_or(|order| order.to <= vault && order.to <= phase));
        }
    }

    /// P-051. At every look the target stands at or below what the leader wants, or at what stood before.
    #[test]
    fn p_051_guards_only_take_away(rules in any_book(), seed in 0_u64..1_000) {
        let mut hand = found(&rules, Founding::Trust);
        let looks = walk(seed, 400);
        let mut stands = Ppm::ZERO;
        let mut held = Usdc::ZERO;
        for look in &looks {
            let decision = hand.look(look, &Circumstances { held, ..at_ease() });
            let why = hand.why();
            prop_assert!(decision.target <= why.wanted.max(stands));
            prop_assert!(why.cuts.windows(2).all(|pair| pair[1].to < pair[0].to));
            prop_assert!(why.cuts.iter().all(|cut| cut.to < why.wanted));
            stands = decision.target;
            held = CAPITAL.share_down(stands);
        }
    }

    /// P-056. The same looks and the same book give the same decisions and the same accounts.
    #[test]
    fn p_056_the_same_looks_give_the_same_decisions(rules in any_book(), seed in 0_u64..1_000) {
        let looks = walk(seed, 300);
        let (mut one, mut other) = (found(&rules, Founding::Trial), found(&rules, Founding::Trial));
        prop_assert_eq!(live(&mut one, &looks, Limits::NONE), live(&mut other, &looks, Limits::NONE));
        prop_assert_eq!(one.tried(), other.tried());
    }
}
