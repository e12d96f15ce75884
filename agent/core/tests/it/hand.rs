//! A life that acts by a book.

use golem_core::life::Life;
use golem_core::record::{
    BookWord, Command, CommandRefusal, EffectKind, Event, Order, RuleChange, RuleChanged, Searcher,
};
use golem_core::trader::{Foundation, Trader, TraderSettings, TriedIn};
use golem_mortality::cause::CauseKind;
use golem_mortality::law::Law;
use golem_playbook::Book;
use golem_playbook::promotion::{Founding, Standing};
use golem_primitives::{Ppm, Usdc};
use proptest::prelude::*;

use crate::venue::{Venue, dips, sells};

/// Holds for five looks whenever it holds nothing; `more` is its other lines.
fn always(more: &str) -> String {
    format!("# Always in\n\n### in\n- when: hour >= 0\n- do: hold 100%\n- until: since >= 5\n{more}")
}

/// Buys what fell and sells what came back.
const DIP: &str = "# Dips\n\n### dip\n- when: z(32) <= -1.25\n- do: hold 100%\n- until: z(32) >= 0 or gain <= -1.5%\n\
                   - expects: +0.5% within 200\n";

/// A price that swings by two percent around a level, in micro-USDC.
fn wave(tick: u64, level: f64) -> u64 {
    (level * 1e6 * (1.0 + 0.02 * libm::sin(tick as f64 / 6.0))) as u64
}

fn foundation(text: &str, founding: Founding) -> Foundation {
    let book: Book = text.parse().expect("a book");
    Foundation::new("mine".parse().expect("a name"), book, founding)
}

fn venue(text: &str, founding: Founding) -> Venue {
    Venue::on(foundation(text, founding), TraderSettings::default(), Law::immortal().on_chain())
}

/// What a life leaves to its heirs.
pub(crate) fn tried_in(trader: &Trader) -> Vec<TriedIn> {
    trader.hands().map(|(pool, hand)| TriedIn { pool, hand: hand.clone(), died_of: CauseKind::OwnerKill }).collect()
}

pub(crate) fn purchases(venue: &Venue) -> Vec<Usdc> {
    each!(venue.kinds(), EffectKind::Trade(Order::Buy { spend, .. }) => spend)
}

fn changes(venue: &Venue) -> Vec<&RuleChanged> {
    each!(&venue.events, Event::Rule(changed) => &**changed)
}

/// P-047, P-050: an owner's own book moves a quarter of what it may use from the first tick on his word, all of it when he trusts
/// it, and nothing when he wants to see it on paper first; it leaves when its rule says so.
#[test]
fn p_047_a_book_of_ones_own_moves_what_its_owner_said() {
    for (founding, spends) in
        [(Founding::Trial, Some(12_500_000)), (Founding::Trust, Some(50_000_000)), (Founding::Paper, None)]
    {
        let mut venue = venue(&always("- expects: +1% within 5\n"), founding);
        venue.run(12);
        assert_eq!(purchases(&venue).first().map(|spend| spend.micros()), spends, "{founding:?}");
        assert_eq!(venue.wanted(sells) > 0, spends.is_some(), "{founding:?}: in at the first look, out after five");
        assert_eq!(venue.trader().book_name().as_str(), "mine");
    }
}

/// P-021: an entry whose promise does not pay its round trip is not made, and told once with both numbers.
#[test]
fn p_021_an_entry_that_cannot_pay_is_told_and_not_made() {
    let mut venue = venue(&always("- expects: +0.05% within 5\n"), Founding::Trust);
    venue.run(20);
    assert_eq!(purchases(&venue), []);
    let told: Vec<_> = venue.events.iter().filter(|event| matches!(event, Event::EntryForgone { .. })).collect();
    let [Event::EntryForgone { rule, expected_ppm, needed_ppm, .. }] = told.as_slice() else { panic!("{told:?}") };
    // A twentieth of a percent both ways, and the gas of 450,000 units both ways on fifty USDC.
    assert_eq!((rule.as_str(), *expected_ppm), ("in", 500));
    assert!((1_530..1_550).contains(needed_ppm), "{needed_ppm}");
}

/// P-044, P-045, P-048: a rule that stops earning is put to rest with the numbers that decided, moves nothing, is tried on paper
/// all the same, and wakes when its market is back.
#[test]
fn p_044_a_rule_rests_when_it_stops_earning_and_wakes_when_its_market_returns() {
    let mut venue = venue(DIP, Founding::Trust);
    venue.price = |tick| match tick {
        0..400 => wave(tick, 3_000.0),
        // A fall that no dip comes back from.
        400..480 => (wave(400, 3_000.0) as f64 * 0.997_5_f64.powi(tick as i32 - 400)) as u64,
        _ => wave(tick - 480, 2_450.0),
    };
    venue.run(400);
    let standing = |venue: &Venue| venue.hand().tried()[0].standing();
    assert_eq!(standing(&venue), Standing::Whole);
    assert!(purchases(&venue).len() > 5, "{}", purchases(&venue).len());
    while standing(&venue) != Standing::Rest {
        venue.tick();
        assert!(venue.life.tick().get() < 480, "{:?}", changes(&venue));
    }
    let rested = changes(&venue).into_iter().rfind(|changed| matches!(changed.change, RuleChange::Rested { .. }));
    let Some(RuleChanged { rule, change: RuleChange::Rested { detector, .. }, .. }) = rested else { panic!("untold") };
    assert!(rule == "dip" && *detector >= 20.0, "{rule} {detector}");
    venue.run(3);
    let before = purchases(&venue).len();
    venue.run(560 - venue.life.tick().get());
    assert_eq!(purchases(&venue).len(), before, "who rests enters nothing");
    assert_eq!(venue.vault.held, 0);
    while standing(&venue) == Standing::Rest {
        venue.tick();
        assert!(venue.life.tick().get() < 2_000, "{:?}", changes(&venue));
    }
    assert!(changes(&venue).iter().any(|changed| matches!(changed.change, RuleChange::Woken { .. })));
    venue.run(60);
    assert!(purchases(&venue).len() > before, "and trades again");
}

/// P-009, P-048: what an owner proposes is tried as a candidate and moves nothing; a name that is known already stays as it is;
/// who cannot see says that it tries nothing.
#[test]
fn p_009_a_proposal_is_a_candidate() {
    let mut venue = venue(&always("- expects: +1% within 5\n"), Founding::Trial);
    venue.run(3);
    let proposed: Book =
        "# More\n\n### in\n- when: hour >= 1\n- do: hold 50%\n- until: since >= 9\n- expects: +1% within 9\n\n\
                          ### late\n- when: hour >= 12\n- do: hold 50%\n- until: since >= 9\n- expects: +1% within 9\n"
            .parse()
            .expect("a book");
    let word = Command::Book(Box::new(BookWord::Propose(proposed.rules)));
    venue.tick_told(word.clone());
    let tried = venue.hand().tried();
    let told: Vec<_> = tried.iter().map(|tried| (tried.rule.name.as_str(), tried.standing())).collect();
    assert_eq!(told, [("in", Standing::Trial), ("late", Standing::Paper)]);
    assert!(changes(&venue).iter().any(|changed| changed.rule == "late"));
    venue.is_blind = true;
    venue.tick_told(word);
    assert!(venue.events.contains(&Event::CommandRefused { reason: CommandRefusal::TriesNothing }));
}

/// D-162: an owner's word about a candidate lets it through the gate or sends it away, each told; of a rule of its founding book, of
/// one that nobody tries and of one that went through already it is refused.
#[test]
fn d_162_an_owner_approves_and_rejects_candidates() {
    let mut venue = venue(&always("- expects: +1% within 5\n"), Founding::Trial);
    venue.run(3);
    let proposed: Book = "# More\n\n### late\n- when: hour >= 12\n- do: hold 50%\n- until: since >= 9\n- expects: +1% within 9\n\n\
                          ### never\n- when: move(16) > 90%\n- do: hold 50%\n- until: since >= 9\n- expects: +1% within 9\n"
        .parse()
        .expect("a book");
    venue.tick_told(Command::Book(Box::new(BookWord::Propose(proposed.rules))));
    let judge = |venue: &mut Venue, rule: &str, is_wanted: bool| {
        venue.events.clear();
        venue.tick_told(Command::Book(Box::new(BookWord::Judge { rule: rule.to_owned(), is_wanted })));
        !venue.events.contains(&Event::CommandRefused { reason: CommandRefusal::NoCandidate })
    };
    let names = |venue: &Venue| venue.hand().tried().iter().map(|one| one.rule.name.clone()).collect::<Vec<_>>();
    assert!(judge(&mut venue, "late", true));
    assert!(changes(&venue).iter().any(|told| told.rule == "late" && told.change == RuleChange::Approved));
    let late = venue.hand().tried()[1].clone();
    assert!(
        late.confidence().is_some_and(|one| one.is_admitted()) && late.standing() == Standing::Paper,
        "no evidence"
    );
    assert!(judge(&mut venue, "never", false));
    assert!(changes(&venue).iter().any(|told| told.rule == "never" && told.change == RuleChange::Rejected));
    venue.run(1);
    assert_eq!(names(&venue), ["in", "late"], "it leaves at the next look");
    for (rule, is_wanted) in [("late", true), ("never", false), ("in", false), ("in", true)] {
        assert!(!judge(&mut venue, rule, is_wanted), "{rule}");
    }
    assert_eq!(names(&venue), ["in", "late"]);
    assert!(judge(&mut venue, "late", false), "also after it was approved");
    venue.run(1);
    assert_eq!(names(&venue), ["in"]);
}

/// P-070: a search is asked for by the owner, answered in the pass that heard it, and stages candidates alone.
#[test]
fn p_070_a_search_stages_candidates() {
    let mut venue = venue(&always("- expects: +1% within 5\n"), Founding::Paper);
    venue.price = dips;
    venue.run(2_400);
    venue.tick_told(Command::Book(Box::new(BookWord::Search)));
    let searched = each!(&venue.events, Event::BookSearched { by: Searcher::Owner, staged } => *staged);
    let searched = searched.first().copied();
    let tried = venue.hand().tried();
    assert_eq!(searched.map(|staged| staged as usize), Some(tried.len() - 1), "as many as are tried beside its own");
    assert!(searched.is_some_and(|staged| staged > 0), "such a market is found");
    assert!(tried.iter().all(|tried| tried.standing() <= Standing::Paper), "and none of it moves money");
}

/// P-073: the Curator's visit goes over counted trips and has one finding tried as a candidate, and not again before a thousand
/// looks.
#[test]
fn p_073_the_curator_proposes_what_counted_trips_speak_for() {
    let book =
        "# Always\n\n### in\n- when: hour >= 0\n- do: hold 60%\n- until: since >= 10\n- expects: +5% within 10\n";
    let mut venue = venue(book, Founding::Trust);
    // Rises for half a day of looks and falls for the other half.
    venue.price = |tick| {
        let half = tick % 2_160;
        let way = if half < 1_080 { half } else { 2_160 - half };
        (3_000_000_000.0 * libm::pow(1.0005, way as f64)) as u64 + tick.wrapping_mul(2_654_435_761) % 300_000
    };
    venue.run(4_400);
    venue.has_curator = true;
    let curated = |venue: &mut Venue, ticks: u64| {
        let before = venue.events.len();
        venue.run(ticks);
        let by_curator = |event: &&Event| matches!(event, Event::BookSearched { by: Searcher::Curator, staged: 1 });
        venue.events[before..].iter().filter(by_curator).count()
    };
    assert_eq!((curated(&mut venue, 52), venue.hand().tried().len()), (1, 2));
    assert_eq!(venue.hand().tried()[1].standing(), Standing::Paper);
    assert_eq!((curated(&mut venue, 200), venue.hand().tried().len()), (0, 2), "it has seen nothing new");
}

/// P-046: an heir begins with what its line tried, moves nothing by it before its own trips, and gives the next rule the next
/// number; its owner's word stands for what he founds it on.
#[test]
fn p_046_an_heir_begins_with_what_its_line_tried() {
    let mut parent = venue(DIP, Founding::Trial);
    parent.price = |tick| wave(tick, 3_000.0);
    parent.run(700);
    let line = tried_in(parent.trader());
    let shown = line[0].hand.tried()[0].evidence();
    assert!(shown > 20.0, "{shown}");
    let own = "# Own\n\n### late\n- when: hour >= 23\n- do: hold 50%\n- until: since >= 9\n- expects: +1% within 9\n";
    let left = Foundation { line, ..foundation(own, Founding::Trial) };
    let mut heir = Venue::on(left, TraderSettings::default(), Law::immortal().on_chain());
    let kept = Life::from_snapshot(&heir.life.to_snapshot()).expect("a life");
    assert_eq!(kept, heir.life, "the looks of its line are kept with it");
    heir.price = parent.price;
    heir.run(2);
    let tried = heir.hand().tried();
    let told: Vec<_> = tried.iter().map(|tried| (tried.rule.name.as_str(), tried.number(), tried.standing())).collect();
    assert_eq!(told, [("dip", 0, Standing::Paper), ("late", 1, Standing::Trial)]);
    assert!((tried[0].evidence() - (1.0 + shown) / 2.0).abs() / shown < 0.51, "half of it: {}", tried[0].evidence());
    assert_eq!(purchases(&heir), [], "before its own trips it moves nothing");
    heir.run(120);
    assert!(!purchases(&heir).is_empty(), "one trip of its own moved the account: {:?}", changes(&heir));
}

/// P-047: what the owner forbids is obeyed at once in an heir too, though its line only tried it and he wants the rest on paper.
#[test]
fn p_047_the_owners_guards_are_obeyed_whatever_he_said_of_the_rest() {
    let guard = "# Own\n\n### quiet\n- when: hour >= 0\n- do: no entries\n- because: a test\n- asks: nothing\n";
    let mut parent = venue(&always("- expects: +1% within 5\n"), Founding::Trial);
    parent.run(2);
    let rules = guard.parse::<Book>().expect("a book").rules;
    parent.tick_told(Command::Book(Box::new(BookWord::Propose(rules))));
    let line = tried_in(parent.trader());
    assert_eq!(line[0].hand.tried()[1].standing(), Standing::Paper, "a candidate is obeyed by nobody");
    let left = Foundation { line, ..foundation(guard, Founding::Paper) };
    let mut heir = Venue::on(left, TraderSettings::default(), Law::immortal().on_chain());
    heir.run(1);
    let tried = heir.hand().tried();
    assert_eq!((tried[1].rule.name.as_str(), tried[1].standing()), ("quiet", Standing::Whole));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// P-056, R-002: wherever a life is put away and taken up again, it goes on to the same hashes.
    #[test]
    fn p_056_a_life_taken_up_again_decides_the_same(stop in 1_u64..160, book in 0_usize..3) {
        let name = ["mean-reversion", "momentum", "range-liquidity"][book];
        let [mut whole, mut cut] = [Venue::new(name), Venue::new(name)];
        whole.run(stop);
        cut.run(stop);
        cut.life = Life::from_snapshot(&cut.life.to_snapshot()).expect("a life");
        prop_assert_eq!(&cut.life, &whole.life);
        whole.run(60);
        cut.run(60);
        prop_assert_eq!(cut.life.hash(), whole.life.hash());
        prop_assert_eq!(cut.effects.len(), whole.effects.len());
    }

    /// P-054, G-198: whatever a book says, no purchase goes beyond the share its owner gave it, nor beyond what is idle.
    #[test]
    fn p_054_no_book_goes_beyond_what_its_owner_gave(
        rules in prop::collection::vec((0_usize..5, -30_i32..30, 1_u32..=100, 1_u32..60), 1..6),
        stake in 1_000_u32..=100_000, founding in 0_usize..3, seed: u16,
    ) {
        let words = ["z(16)", "move(16)", "trend(16)", "vol(16)", "gap"];
        let mut text = "# Any\n".to_owned();
        for (place, (word, threshold, share, looks)) in rules.iter().enumerate() {
            let unit = if matches!(word, 1 | 3 | 4) { "%" } else { "" };
            let (sign, threshold) = if place % 2 == 0 { (">=", *threshold) } else { ("<=", *threshold) };
            text.push_str(&format!(
                "\n### r{place}\n- when: {} {sign} {}{unit}\n- do: hold {share}%\n- until: since >= {looks}\n- expects: +5% within {looks}\n",
                words[*word], f64::from(threshold) / 10.0
            ));
        }
        let founding = [Founding::Trial, Founding::Paper, Founding::Trust][founding];
        let settings = TraderSettings { stake: Ppm::of(stake), ..TraderSettings::default() };
        let Ok(book) = text.parse::<Book>() else { return Ok(()) };
        let on = Foundation { book, ..foundation(&always("- expects: +1% within 5\n"), founding) };
        let mut venue = Venue::on(on, settings, Law::immortal().on_chain());
        venue.vault.idle = Usdc::whole(900 + u32::from(seed) % 100);
        for _ in 0..80 {
            let (idle, capital) = (venue.vault.idle, venue.vault.capital);
            let before = purchases(&venue).len();
            venue.tick();
            for spend in &purchases(&venue)[before..] {
                prop_assert!(*spend <= idle && *spend <= capital.share_down(Ppm::of(stake)), "{spend} of {idle}\n{text}");
            }
        }
    }
}
