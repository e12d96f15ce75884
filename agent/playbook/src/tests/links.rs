use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::SeedableRng;

use super::*;
use crate::makers::{CAPITAL, gauss, look};
use golem_primitives::Usdc;

/// Whose chance a world is made of.
struct World {
    chance: ChaCha12Rng,
    rows: Vec<Row>,
    price: f64,
    gas: f64,
    volume: f64,
    depth: f64,
}

impl World {
    fn new(seed: u64) -> Self {
        let chance = ChaCha12Rng::seed_from_u64(seed);
        Self { chance, rows: Vec::new(), price: 2_000.0, gas: 0.0, volume: 0.0, depth: 0.0 }
    }

    /// So many looks in which everything wanders for itself, but that the price drifts by so much a look while gas is high,
    /// and as much the other way while it is low.
    fn live(&mut self, looks: usize, drift: f64) {
        for _ in 0..looks {
            self.gas = 0.97 * self.gas + 0.1 * gauss(&mut self.chance);
            self.volume = 0.97 * self.volume + 0.1 * gauss(&mut self.chance);
            self.depth = 0.97 * self.depth + 0.1 * gauss(&mut self.chance);
            let led = if self.gas > 0.0 { drift } else { -drift };
            let moved = led + 0.0005 * gauss(&mut self.chance);
            self.price *= 1.0 + moved;
            let level = |usual: f64, by: f64| Usdc::from_micros((usual * by.exp()) as u64);
            let at = self.rows.len() as u64;
            let look = crate::look::Look {
                gas: level(50_000.0, self.gas),
                volume: level(5e10, self.volume),
                impact_ppm: (800.0 * self.depth.exp()) as u32,
                ..look(at, self.price)
            };
            self.rows.push(Row { look, capital: CAPITAL });
        }
    }

    /// The record at its end.
    fn record(&self) -> &[Row] {
        &self.rows[self.rows.len().saturating_sub(crate::record::RECORD)..]
    }

    fn count(&self, links: &mut Links) -> Vec<LinkChange> {
        links.count(self.record(), self.rows.len() as u64)
    }
}

fn of(links: &Links, cause: Variable, effect: Variable) -> Option<&Link> {
    links.known().iter().find(|link| (link.cause, link.effect) == (cause, effect))
}

/// G-015: what leads the price is found with its direction, and nothing else where everything else wanders for itself.
#[test]
fn g_015_what_leads_the_price_is_learnt() {
    for (drift, is_alike) in [(0.0002, true), (-0.0002, false)] {
        let mut world = World::new(1);
        world.live(8_000, drift);
        let mut links = Links::default();
        let changes = world.count(&mut links);
        let led = of(&links, Variable::Gas, Variable::Price).expect("learnt");
        assert_eq!((led.is_alike, led.upheld, led.missed), (is_alike, 0, 0));
        assert!((7_800..8_000).contains(&led.fired), "{led:?}");
        assert!(led.held * 100 > led.moves * 52, "{led:?}");
        assert_eq!(changes, links.known().iter().map(|link| LinkChange::Learnt(*link)).collect::<Vec<_>>());
        assert!(of(&links, Variable::Volume, Variable::Price).is_none(), "{links:?}");
    }
}

/// G-015: a price that comes back to where it was leans nowhere, though adding up its moves leaves a little.
#[test]
fn g_015_what_adding_up_leaves_is_no_leaning() {
    let prices = [2_000.0, 2_100.0, 1_900.0].into_iter().cycle().take(USUAL + 300);
    let rows: Vec<Row> = prices.zip(0..).map(|(price, at)| Row { look: look(at, price), capital: CAPITAL }).collect();
    let leans = Leans::of(&rows);
    for at in USUAL..USUAL + 290 {
        assert_eq!(leans.lean(Variable::Price, at..at + 3, at), 0.0, "at {at}");
    }
}

/// G-015: series that wander slowly and have nothing to do with each other earn no link, though for long stretches they lean
/// alike. Twenty pairs in each of sixty worlds.
#[test]
fn g_015_what_wanders_for_itself_earns_no_link() {
    let found: usize = (100..160)
        .map(|seed| {
            let mut world = World::new(seed);
            world.live(4_000, 0.0);
            let mut links = Links::default();
            world.count(&mut links).len()
        })
        .sum();
    assert!(found <= 2, "{found}");
}

/// G-132: counts of later looks speak for a link that holds and against one that ended, each look once; it is then known no
/// longer, and told.
#[test]
fn g_132_later_looks_uphold_a_link_and_contradict_one_that_ended() {
    let mut world = World::new(7);
    world.live(6_000, 0.0002);
    let mut links = Links::default();
    world.count(&mut links);
    let before = *of(&links, Variable::Gas, Variable::Price).expect("learnt");
    for _ in 0..20 {
        world.live(250, 0.0002);
        world.count(&mut links);
    }
    let after = *of(&links, Variable::Gas, Variable::Price).expect("still known");
    assert!(after.upheld > 3 * after.missed && after.upheld + after.missed == 20, "{after:?}");
    assert!(after.moves > before.moves && after.moves <= before.moves + 20 * 250, "{after:?}");
    let mut gone = None;
    for count in 0..40 {
        world.live(250, -0.0001);
        let is_gone =
            |change: &LinkChange| matches!(change, LinkChange::Contradicted(link) if link.cause == Variable::Gas);
        if world.count(&mut links).iter().any(is_gone) {
            gone = Some(count);
            break;
        }
    }
    assert!(gone.is_some_and(|count| (3..25).contains(&count)), "{gone:?}");
    assert!(of(&links, Variable::Gas, Variable::Price).is_none());
}

/// G-132: where the price leans with what leads it, its own past hides the lead; a link whose price goes the other way more often than
/// not is contradicted all the same.
#[test]
fn g_132_what_goes_the_other_way_more_often_is_contradicted() {
    const ENDS: u64 = 4_300;
    let (mut price, mut rows) = (3_000.0, Vec::new());
    for at in 0..6_000_u64 {
        let hashed = at.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let noise = ((hashed >> 32) % 2_001) as f64 / 1_000.0 - 1.0;
        let (size, way) = if (at / 40).is_multiple_of(2) { (0.003, 1.0) } else { (0.001, -1.0) };
        price *= 1.0 + 0.000_8 * if at < ENDS { way } else { -way } + size * noise;
        rows.push(Row { look: look(at, price), capital: CAPITAL });
    }
    let mut links = Links::default();
    let told = |change: &LinkChange| match change {
        LinkChange::Learnt(link) => (link.cause == Variable::Moves && link.is_alike).then_some(true),
        LinkChange::Contradicted(link) => (link.cause == Variable::Moves).then_some(false),
    };
    let mut heard = Vec::new();
    for until in (4_250..=6_000).step_by(250) {
        heard.extend(
            links.count(&rows[..until], until as u64).iter().filter_map(told).map(|is_learnt| (until, is_learnt)),
        );
    }
    assert_eq!(heard[..2], [(4_250, true), (5_250, false)], "{heard:?}");
}

/// G-132: looks through which gas only rose say nothing of what follows gas, neither for it nor against it; and a link remembers the
/// last look after which both leaned as it says (G-130).
#[test]
fn g_132_looks_that_say_nothing_speak_against_nothing() {
    let mut world = World::new(7);
    world.live(6_000, 0.0002);
    let mut links = Links::default();
    world.count(&mut links);
    let before = *of(&links, Variable::Gas, Variable::Price).expect("learnt");
    assert!((5_800..6_000).contains(&before.fired), "{before:?}");
    for _ in 0..6 {
        let from = world.rows.len();
        world.live(250, 0.0);
        for (step, row) in world.rows[from..].iter_mut().enumerate() {
            row.look.gas = Usdc::from_micros(1_000_000 * (from + step) as u64);
        }
        world.count(&mut links);
    }
    let after = *of(&links, Variable::Gas, Variable::Price).expect("nothing spoke against it");
    assert!(after.missed <= 1 && after.doubt <= MISSED, "{after:?}");
}

/// G-134: an heir counts for itself what its line says.
#[test]
fn g_134_an_heir_begins_its_own_counts() {
    let mut world = World::new(7);
    world.live(6_000, 0.0002);
    let mut links = Links::default();
    world.count(&mut links);
    world.live(250, 0.0002);
    world.count(&mut links);
    assert!(links.known().iter().any(|link| link.upheld + link.missed > 0));
    let heir = links.inherited();
    assert_eq!(heir.known().len(), links.known().len());
    let counts = |link: &Link| [link.moves, link.held, link.upheld, link.missed];
    assert!(heir.known().iter().all(|link| counts(link) == [0; 4]));
    let led = |links: &Links| *of(links, Variable::Gas, Variable::Price).expect("known");
    assert_eq!(rule_of(&led(&heir), world.record()), None, "P-073: not before it was seen here");
    let mut heir = heir;
    world.live(250, 0.0002);
    world.count(&mut heir);
    assert!(led(&heir).moves > 0 && led(&heir).moves <= 250, "{heir:?}");
}

/// A short record says nothing, and what was counted is not counted again.
#[test]
fn a_short_record_earns_nothing() {
    let mut world = World::new(1);
    world.live(3_900, 0.0004);
    let mut links = Links::default();
    assert!(links.is_due(3_900) && world.count(&mut links).is_empty() && links.is_due(3_900));
    world.live(100, 0.0004);
    assert!(!world.count(&mut links).is_empty());
    assert!(!links.is_due(4_249) && links.is_due(4_250));
}

/// P-073: a link whose price pays a round trip is tried as a rule that holds; one that only falls pays as a guard; one that pays
/// neither is not tried.
#[test]
fn p_073_a_link_that_pays_is_a_rule_to_try() {
    let rule = |drift: f64| {
        let mut world = World::new(3);
        world.live(8_000, drift);
        let mut links = Links::default();
        world.count(&mut links);
        let link = of(&links, Variable::Gas, Variable::Price).copied();
        link.and_then(|link| rule_of(&link, world.record()))
    };
    let follow = rule(0.0004).expect("it pays");
    assert_eq!(follow.name, "follow-hi-gas");
    assert!(follow.expects.is_some_and(|expects| expects.return_ppm > 1_000), "{follow:?}");
    assert!(matches!(follow.action, Action::Hold { .. }) && follow.until.is_some());
    let [(_, asks)] = follow.when.parts[..] else { panic!("{follow:?}") };
    assert!(
        asks.word == Observable::Gas && asks.relation == Relation::AtLeast && asks.threshold > 1_000_000,
        "{asks:?}"
    );
    assert_eq!(rule(-0.0004).expect("it pays").name, "follow-lo-gas");
    assert_eq!(rule(0.00004), None, "what does not pay its costs is not tried");
}
