//! DECIDING: from what was seen to what is wanted.

use std::cmp::Reverse;

use arrayvec::ArrayVec;
use golem_dreams::rem::creative::{self, CreativeMode};
use golem_mortality::behaviour::Behaviour;
use golem_mortality::epistemic::senescence::SenescenceStage;
use golem_mortality::phase::Phase;
use golem_mortality::vitals::Vitals;
use golem_playbook::budget::{BudgetClaim, POOLS, divide};
use golem_playbook::choice::{Circumstances, Decision, Limits};
use golem_playbook::hand::HeardRules;
use golem_playbook::phages::PhageTerms;
use golem_playbook::rewriting::Rewrite;
use golem_playbook::rule::Manner;
use golem_playbook::search::STAGED;
use golem_primitives::{PoolName, Ppm, Tick, Usdc};

use crate::counsel;
use crate::influence::Lean;
use crate::mind::Mind;
use crate::pass::Pass;
use crate::precedents::Precedents;
use crate::record::{
    BookWord, Command, CommandRefusal, DreamTier, EffectKind, Event, Forgone, Order, PoolAccess, Searcher, TickInput,
};
use crate::trade::{TokenPrice, sell};
use crate::trader::bars::{Bars, forbidden};
use crate::trader::rulebook::{LookTurn, Told};
use crate::trader::toward::{Scene, leave, toward};
use crate::trader::{Outlook, Restraint, Trader, deliberate, errands, foresight};
use crate::window::return_ppm;

/// Ticks after which what was forgone is looked at again.
const FORGONE_TICKS: u64 = 5;
/// G-014. What a warning leaves of a step.
const WARNED: Ppm = Ppm::of(500_000);

/// Who has a say in a decision beside the rules.
pub(crate) struct Advisers<'a> {
    pub(crate) mind: Option<&'a mut Mind>,
    pub(crate) precedents: Option<&'a mut Precedents>,
    /// Mood and suffering.
    pub(crate) lean: Lean<'a>,
}

/// Judges old predictions, says new ones, and wants errands and a trade. Blind, it does nothing.
pub(crate) fn decide(trader: &mut Trader, mut advisers: Advisers<'_>, vitals: &Vitals, pass: &mut Pass<'_>) {
    let lean = advisers.lean;
    let Consulted { wishes, outlook } = consult(trader, &lean, vitals, pass);
    if trader.is_blind || trader.sight.is_none() {
        return;
    }
    foresight::look(trader, true, pass);
    pass.desk.matches = foresight::compare(trader, outlook).or(pass.desk.matches);
    foresight::register(trader, outlook, pass);
    errands::want(trader, vitals, lean.may_harvest(trader, vitals), pass);
    if let Some(mind) = advisers.mind.as_deref_mut().filter(|_| lean.examines(pass.tick())) {
        deliberate::examine(mind, trader, vitals, pass);
    }
    let wanted: Orders = wishes.iter().map(|wish| wish.order(trader)).collect();
    let mut sent = Pools::new();
    if let Some(order) = carry_out(trader, &wishes, &wanted, advisers, vitals, pass) {
        sent.push(order.pool());
    }
    get_out_or_put_back(trader, &wishes, &wanted, lean, sent, vitals, pass);
}

/// A trade that each pool's hand wants, in the order of the wishes.
type Orders = ArrayVec<Option<Order>, POOLS>;
/// Pools of which a trade was asked for.
type Pools = ArrayVec<PoolName, POOLS>;

/// What is left to do in each pool: what the phase winds down, or what its hand wants.
fn per_pool(trader: &Trader, wishes: &Wishes, wanted: &Orders, phase: Phase) -> ArrayVec<Order, POOLS> {
    let orders = trader.pools().filter_map(|one| {
        let at = wishes.iter().position(|wish| wish.pool == one.pool);
        let wanted = at.and_then(|at| wanted[at]);
        let wanted = wanted.filter(|order| !(order.raises_exposure() && one.rulebook.is_declined()));
        winding_down(trader, one.pool, phase).or(wanted)
    });
    orders.filter(|order| is_taken(trader, order)).collect()
}

/// P-057. Whether the vault takes such an order at all: through a pool that it does not list nothing is swapped, and asking
/// at every look would change nothing.
fn is_taken(trader: &Trader, order: &Order) -> bool {
    let market = trader.sight().and_then(|sight| sight.market_of(order.pool()));
    let is_closed = market.is_some_and(|market| market.access == PoolAccess::Closed);
    !is_closed || matches!(order, Order::Withdraw { .. })
}

/// P-057. The one trade that advisers are asked about: a way out before everything else, then the entry whose rule has shown
/// the most. Nothing where what is wanted has to wait.
fn foremost(trader: &Trader, wishes: &Wishes, orders: &[Order], tick: Tick) -> Option<Order> {
    let evidence = |order: &Order| {
        let wish = wishes.iter().find(|wish| wish.pool == order.pool());
        wish.map_or(0.0, |wish| wish.evidence)
    };
    let is_free = |order: &&Order| trader.is_free(Some(order), tick);
    let way_out = orders.iter().find(|order| !order.raises_exposure() && is_free(order));
    let entries = || orders.iter().filter(|order| order.raises_exposure() && is_free(order));
    // Of equals the first: the owner's order of his pools.
    let entry = || entries().rev().max_by(|left, right| evidence(left).total_cmp(&evidence(right)));
    way_out.or_else(entry).copied()
}

/// From what the book wants to a trade that was asked for, if one was.
fn carry_out(
    trader: &mut Trader,
    wishes: &Wishes,
    wanted: &Orders,
    advisers: Advisers<'_>,
    vitals: &Vitals,
    pass: &mut Pass<'_>,
) -> Option<Order> {
    let Advisers { mind, precedents, lean } = advisers;
    let (tick, phase) = (pass.tick(), vitals.phase());
    let orders = per_pool(trader, wishes, wanted, phase);
    let orders: ArrayVec<Order, POOLS> = orders
        .into_iter()
        .map(|order| parked(trader, &lean, &order).unwrap_or(order))
        .map(|order| clipped(order, trader))
        .collect();
    let order = foremost(trader, wishes, &orders, tick);
    let has_to_wait = order.is_none() && !orders.is_empty();
    if has_to_wait || !trader.is_free(order.as_ref(), tick) {
        return None;
    }
    let is_counselled_against = counsel::forbids(pass.input(), trader.book_name().as_str(), trader.regime());
    let bars = Bars { is_counselled_against, is_apart: pass.is_apart, lean };
    let was_asked = mind.as_deref().is_some_and(|mind| mind.pending.is_some());
    let order = match mind {
        // The rules' order stands unless somebody who may be asked is worth asking.
        Some(mind) => deliberate::weigh(mind, precedents, order, trader, vitals, &bars, pass),
        None => order,
    };
    let order = order.filter(|order| !lean.rests(order, tick))?;
    match forbidden(trader, &order, phase, &bars) {
        // Only entries rest behind this: whatever comes to be left in the meantime is left at once (S-128).
        Some(reason @ Forgone::Suffering(_)) => pass.say(Event::TradeForgone { order, reason }),
        Some(reason) => {
            pass.say(Event::TradeForgone { order, reason });
            trader.rest(&order, FORGONE_TICKS, tick);
        }
        None => {
            if !was_asked {
                lean.warn(&order, trader, pass);
            }
            lean.tell(order, phase, pass);
            return send(trader, order, vitals, pass).then_some(order);
        }
    }
    None
}

/// P-053, P-057. What protects in one pool waits for nothing that happens in another: every way out that is free is taken.
/// Where what the look decided takes a trade, and that was not asked for or leads only half way, what stood before stands.
fn get_out_or_put_back(
    trader: &mut Trader,
    wishes: &Wishes,
    wanted: &Orders,
    lean: Lean<'_>,
    mut sent: Pools,
    vitals: &Vitals,
    pass: &mut Pass<'_>,
) {
    let (tick, phase) = (pass.tick(), vitals.phase());
    let bars = Bars { is_counselled_against: false, is_apart: pass.is_apart, lean };
    let orders = per_pool(trader, wishes, wanted, phase);
    for order in orders.into_iter().filter(|order| !order.raises_exposure()) {
        let order = clipped(order, trader);
        if sent.contains(&order.pool()) || !trader.is_free(Some(&order), tick) {
            continue;
        }
        match forbidden(trader, &order, phase, &bars) {
            Some(reason) => {
                pass.say(Event::TradeForgone { order, reason });
                trader.rest(&order, FORGONE_TICKS, tick);
            }
            None if send(trader, order, vitals, pass) => sent.push(order.pool()),
            None => {}
        }
    }
    for (wish, wanted) in wishes.iter().zip(wanted) {
        let is_reached = sent.contains(&wish.pool) && wish.is_reached_by(*wanted);
        if wanted.is_some() && !is_reached {
            trader.hand_in_mut(wish.pool).rulebook.put_back();
        }
    }
}

/// D-017, D-192. The decision of a Golem that dreams in full: nothing is predicted, asked or entered, and what was said is
/// judged, what is owed is paid, and what protects gets out as if it were awake. A dream stops no stop-loss.
pub(crate) fn keep_watch(trader: &mut Trader, lean: Lean<'_>, vitals: &Vitals, pass: &mut Pass<'_>) {
    let Consulted { wishes, .. } = consult(trader, &lean, vitals, pass);
    if trader.is_blind || trader.sight.is_none() {
        return;
    }
    foresight::look(trader, false, pass);
    // What is not looked at is not forecast: the first waking look has nothing to be compared with.
    trader.forecast = None;
    errands::want(trader, vitals, false, pass);
    let wanted: Orders = wishes.iter().map(|wish| wish.order(trader)).collect();
    get_out_or_put_back(trader, &wishes, &wanted, lean, Pools::new(), vitals, pass);
}

/// Asks for a trade; answers whether it is on its way.
fn send(trader: &mut Trader, order: Order, vitals: &Vitals, pass: &mut Pass<'_>) -> bool {
    let is_sent = errands::send(trader, EffectKind::Trade(order), vitals, pass);
    if is_sent {
        trader.hand_in_mut(order.pool()).rulebook.sent();
    }
    is_sent
}

/// What the hand of one pool wants at a look.
struct Wish {
    pool: PoolName,
    scene: Scene,
    decision: Decision,
    /// E of the rule that leads there.
    evidence: f64,
}

/// Of all pools that were heard, in their order.
type Wishes = ArrayVec<Wish, POOLS>;

impl Wish {
    fn order(&self, trader: &Trader) -> Option<Order> {
        toward(&self.decision, &self.scene, self.pool, trader)
    }

    /// Where it is wished, for whoever speaks to its book.
    fn told(&self, trader: &Trader) -> Told {
        let written = (!trader.elsewhere.is_empty()).then_some(self.pool);
        Told { pool: self.pool, look: self.scene.look, capital: self.scene.usable, written }
    }

    /// Whether what is meant stands once this trade has landed: who held liquidity and is to hold the token has to take it
    /// back first and then decides anew.
    fn is_reached_by(&self, order: Option<Order>) -> bool {
        !(self.decision.manner == Manner::Hold && matches!(order, Some(Order::Withdraw { .. })))
    }
}

/// What the book wants everywhere, and believes of its home pool.
#[derive(Default)]
struct Consulted {
    wishes: Wishes,
    outlook: Option<Outlook>,
}

/// A pool between the two halves of a look.
struct Half {
    pool: PoolName,
    scene: Scene,
    now: Circumstances,
    heard: HeardRules,
}

impl Half {
    /// What its leader asks of the budget; where nothing may be entered nothing is.
    fn claim(&self) -> Option<BudgetClaim> {
        self.heard.claim.filter(|_| self.scene.access == PoolAccess::Open)
    }
}

/// P-050, P-051, P-057. Every rule lives through the look of its pool; of each pool the strongest that earned it says what
/// shall stand with the part of the budget that evidence leaves to it, less what phase, mood, suffering and warnings take.
fn consult(trader: &mut Trader, lean: &Lean<'_>, vitals: &Vitals, pass: &mut Pass<'_>) -> Consulted {
    let phase = vitals.phase();
    let mut halves: ArrayVec<Half, POOLS> = ArrayVec::new();
    if !trader.is_blind {
        let names: Pools = trader.pools().map(|one| one.pool).collect();
        halves.extend(names.into_iter().filter_map(|pool| hear(trader, pool, lean, phase, pass)));
    }
    let claims: ArrayVec<Option<BudgetClaim>, POOLS> = halves.iter().map(Half::claim).collect();
    let parts = divide(&claims);
    let mut consulted = Consulted::default();
    for (half, part) in halves.iter().zip(parts) {
        let Half { pool, scene, now, heard } = half;
        let turn = LookTurn { pool: *pool, heard, look: &scene.look, now };
        let decision = trader.hand_in_mut(*pool).rulebook.choose(&turn, part, pass);
        let evidence = heard.claim.map_or(0.0, |claim| claim.evidence);
        let wish = decision.map(|decision| Wish { pool: *pool, scene: *scene, decision, evidence });
        consulted.wishes.extend(wish);
    }
    for wish in &consulted.wishes {
        if let Some(stain) = trader.hand_in_mut(wish.pool).rulebook.take_surfaced() {
            pass.say(Event::DeathRecalled { pool: wish.pool, stain: Box::new(stain) });
        }
    }
    for word in words(pass) {
        obey(trader, word, &consulted.wishes, pass);
    }
    if let Some(tier) = trader.dreamt.take_if(|_| !consulted.wishes.is_empty()) {
        follow_dream(trader, tier, phase, &consulted.wishes, pass);
    }
    if !trader.proposed.is_empty() && !consulted.wishes.is_empty() {
        follow_proposals(trader, &consulted.wishes, pass);
    }
    if trader.is_curated && !consulted.wishes.is_empty() {
        trader.is_curated = false;
        follow_curator(trader, &consulted.wishes, pass);
    }
    tend_phages(trader, lean, vitals, &consulted.wishes, pass);
    let at_home = consulted.wishes.iter().find(|wish| wish.pool == trader.home.pool);
    consulted.outlook = at_home.and_then(|wish| trader.home.rulebook.outlook(wish.scene.look.price));
    consulted
}

/// The first half of a look in one pool.
fn hear(trader: &mut Trader, pool: PoolName, lean: &Lean<'_>, phase: Phase, pass: &Pass<'_>) -> Option<Half> {
    let scene = Scene::of(trader, trader.hand_in(pool))?;
    let by_phase = Behaviour::of(phase).risk_within(Ppm::ONE);
    let is_warned = || counsel::warns(pass.input(), trader.book_name().as_str(), trader.regime());
    let restraint = scene.at_work.is_zero().then(|| {
        let warnings = if is_warned() { WARNED } else { Ppm::ONE };
        Restraint { lean: part_of(lean.risk(phase), by_phase), warnings }
    });
    let caution_ppm = Ppm::round(lean.entry() - 1.0).get().saturating_add(1_000_000);
    let rulebook = &mut trader.hand_in_mut(pool).rulebook;
    rulebook.restraint = restraint.unwrap_or(rulebook.restraint);
    // M-269. Who learns nothing any more from what it sees is as careful as one that saves, however well it stands.
    let saving = Behaviour::of(Phase::Conservation).risk.min(by_phase);
    let information = if rulebook.is_decoupled() { part_of(saving, by_phase) } else { Ppm::ONE };
    let Restraint { lean, warnings } = rulebook.restraint;
    let limits = Limits { phase: by_phase, information, lean, warnings, ..Limits::NONE };
    let mut now = scene.circumstances(limits, caution_ppm);
    let heard = rulebook.hear(pool, &scene.look, &now)?;
    // G-100. Only the look itself tells whether this market is like one that killed: what is entered at it is half already.
    if scene.at_work.is_zero() && rulebook.is_like_a_death() {
        rulebook.restraint.warnings = WARNED;
        now.limits.warnings = WARNED;
    }
    Some(Half { pool, scene, now, heard })
}

/// P-009, P-057, P-070. A word about the book is heard in every pool it speaks of.
fn obey(trader: &mut Trader, word: &BookWord, wishes: &Wishes, pass: &mut Pass<'_>) {
    let mut about = None;
    for wish in wishes {
        let told = wish.told(trader);
        if let Some(count) = trader.hand_in_mut(wish.pool).rulebook.obey(word, &told) {
            about = Some(about.unwrap_or(0_u32).saturating_add(count));
        }
    }
    match (word, about) {
        (_, None) => pass.refuse(CommandRefusal::TriesNothing),
        (BookWord::Propose(rules), Some(0)) if !rules.is_empty() => pass.refuse(CommandRefusal::UnlistedPool),
        (BookWord::Judge { .. }, Some(0)) => pass.refuse(CommandRefusal::NoCandidate),
        (BookWord::Propose(_) | BookWord::Judge { .. }, Some(_)) => {}
        (BookWord::Search, Some(staged)) => pass.say(Event::BookSearched { by: Searcher::Owner, staged }),
    }
    for wish in wishes {
        trader.hand_in_mut(wish.pool).rulebook.tell(wish.pool, pass);
    }
}

/// What a dream does with the record. P-070: it is searched, and what is found is tried on paper, three rules a dream in all
/// pools together; the pool that waited longest is the first, or one pool's finds would leave the others nothing. P-071: a full
/// dream rehearses threats over it, and a guard that is worth its price is tried too (D-128). P-072: a full one also rewrites
/// rules, in the ways of its phase (D-117); what it imagines is one of the three.
fn follow_dream(trader: &mut Trader, tier: DreamTier, phase: Phase, wishes: &Wishes, pass: &mut Pass<'_>) {
    let ways: ArrayVec<Rewrite, 3> = creative::weights(phase).into_iter().filter_map(way_of).collect();
    let mut by_turn: ArrayVec<&Wish, POOLS> = wishes.iter().collect();
    by_turn.sort_by_key(|wish| Reverse(trader.hand_in(wish.pool).rulebook.looks_since_search()));
    let (mut left, mut staged) = (STAGED, None);
    let (mut is_rehearsed, mut guards) = (false, 0_u32);
    for wish in by_turn {
        let told = wish.told(trader);
        let rulebook = &mut trader.hand_in_mut(wish.pool).rulebook;
        let before = rulebook.staged();
        if tier == DreamTier::Hardened
            && let Some(is_staged) = rulebook.rehearse(&told)
        {
            is_rehearsed = true;
            guards += u32::from(is_staged);
        }
        if tier == DreamTier::Hardened && left > 0 && rulebook.imagine(&told, &ways) {
            left -= 1;
            staged = Some(staged.unwrap_or(0_u32).saturating_add(1));
        }
        if left > 0
            && let Some(found) = rulebook.replay(&told, left)
        {
            left = left.saturating_sub(found);
            staged = Some(staged.unwrap_or(0_u32).saturating_add(u32::try_from(found).unwrap_or(u32::MAX)));
        }
        rulebook.mark_dreamt(before);
    }
    if let Some(staged) = staged {
        pass.say(Event::BookSearched { by: Searcher::Dream, staged });
    }
    if is_rehearsed {
        pass.say(Event::BookRehearsed { guards });
    }
    for wish in wishes {
        trader.hand_in_mut(wish.pool).rulebook.tell(wish.pool, pass);
    }
}

/// D-115, D-117. The way to rewrite rules that a mode of creative work is, where its phase gives it any weight.
fn way_of((mode, weight): (CreativeMode, u32)) -> Option<Rewrite> {
    (weight > 0).then_some(match mode {
        CreativeMode::Combinational => Rewrite::Combinational,
        CreativeMode::Exploratory => Rewrite::Exploratory,
        CreativeMode::Transformational => Rewrite::Transformational,
    })
}

/// P-073, G-132, M-264. What the Curator makes of the record: what follows what is counted, what is seen is weighed in bits, and of
/// counted trips and links comes one candidate a pool, told when there is one.
fn follow_curator(trader: &mut Trader, wishes: &Wishes, pass: &mut Pass<'_>) {
    let mut staged = 0_u32;
    for wish in wishes {
        let told = wish.told(trader);
        let rulebook = &mut trader.hand_in_mut(wish.pool).rulebook;
        for change in rulebook.count_links() {
            pass.say(Event::LinkCounted { pool: wish.pool, change });
        }
        if let Some(reading) = rulebook.read_information() {
            pass.say(Event::InformationRead { pool: wish.pool, reading });
        }
        staged += u32::from(rulebook.tune(&told));
        rulebook.tell(wish.pool, pass);
    }
    if staged > 0 {
        pass.say(Event::BookSearched { by: Searcher::Curator, staged });
    }
}

/// P-079, M-243, M-248. Phages whose life is over answer, and others are sent, as many a day as the phase, what the clock warns of
/// and how much is explored let be sent in all pools together.
fn tend_phages(trader: &mut Trader, lean: &Lean<'_>, vitals: &Vitals, wishes: &Wishes, pass: &mut Pass<'_>) {
    let (row, law) = (Behaviour::of(vitals.phase()), vitals.law().phages);
    // M-067. Who is warned tries as much as any phase does, while it may try at all.
    let is_warned = vitals.epistemic().senescence().stage() >= SenescenceStage::Warning && row.phages_a_day > 0;
    let rate = if is_warned { Behaviour::of(Phase::Thriving).phages_a_day } else { row.phages_a_day };
    let allowed = law.daily_allowance(rate, lean.exploration(trader.youth(pass.tick())));
    let may_replicate = law.replicants && row.may_replicate;
    for wish in wishes {
        let others = trader.pools().filter(|one| one.pool != wish.pool);
        let elsewhere = others.map(|one| one.rulebook.phages_on(wish.scene.look.time)).sum();
        // I-192. The numbers of replicants are a parent's, whatever it trades in.
        let may_replicate = may_replicate && wish.pool == trader.home.pool;
        let terms = PhageTerms { law, allowed, elsewhere, may_replicate };
        let told = wish.told(trader);
        let rulebook = &mut trader.hand_in_mut(wish.pool).rulebook;
        let reports = rulebook.tend_phages(&told, &terms);
        rulebook.tell(wish.pool, pass);
        // M-246. Where too many fall by the same, the rules are gone over out of turn.
        trader.is_curated |= reports.iter().any(|report| report.is_alarming);
        for report in reports {
            pass.say(Event::PhageEnded { pool: wish.pool, report: Box::new(report) });
        }
    }
}

/// P-074, P-075. What a model or a sibling proposed is tried like a stranger's, in every pool it speaks of: on paper, at the
/// confidence of one who knows nothing of it. What is tried already is not tried again.
fn follow_proposals(trader: &mut Trader, wishes: &Wishes, pass: &mut Pass<'_>) {
    let proposed = std::mem::take(&mut trader.proposed);
    for by in [Searcher::Model, Searcher::Sibling] {
        let rules = || proposed.iter().filter(|one| one.by == by).map(|one| &one.rule);
        let mut staged = 0_u32;
        for wish in wishes {
            let told = wish.told(trader);
            let rulebook = &mut trader.hand_in_mut(wish.pool).rulebook;
            staged += rulebook.take_proposals(rules(), &told);
            rulebook.tell(wish.pool, pass);
        }
        if staged > 0 {
            pass.say(Event::BookSearched { by, staged });
        }
    }
}

/// What the owner asks of the book in this pass.
fn words<'input>(pass: &Pass<'input>) -> impl Iterator<Item = &'input BookWord> + use<'input> {
    let input: &'input TickInput = pass.input();
    input.commands.iter().filter_map(|command| match command {
        Command::Book(word) => Some(&**word),
        _ => None,
    })
}

/// The part one share is of another that is no smaller.
fn part_of(part: Ppm, whole: Ppm) -> Ppm {
    Ppm::saturating(u64::from(part.get()) * 1_000_000 / u64::from(whole.get().max(1)))
}

/// M-131. From Declining on nothing is held on to: positions first, then the token.
fn winding_down(trader: &Trader, pool: PoolName, phase: Phase) -> Option<Order> {
    if phase > Phase::Declining {
        return None;
    }
    let market = trader.sight()?.market_of(pool)?;
    leave(market, &trader.holdings_in(market)?)
}

/// M-190. All that is left to be sold, a way out of each pool: liquidity everywhere first, then the tokens.
pub(crate) fn ways_out(trader: &Trader) -> ArrayVec<Order, { 2 * POOLS }> {
    let mut ways = ArrayVec::new();
    let Some(sight) = trader.sight() else { return ways };
    let held = || sight.markets().take(POOLS).filter_map(|market| Some((market, trader.holdings_in(market)?)));
    ways.extend(
        held().filter(|(_, held)| !held.positions.is_empty()).filter_map(|(market, held)| leave(market, &held)),
    );
    ways.extend(held().filter(|(_, held)| held.held > 0).map(|(market, held)| sell(market, held.held)));
    ways
}

/// S-131. A book that would go on building is closed: what it holds already keeps its stop.
fn parked(trader: &Trader, lean: &Lean<'_>, wanted: &Order) -> Option<Order> {
    const STOP_PPM: i64 = -15_000;
    lean.closes(wanted, trader)?;
    let market = trader.sight()?.market_of(wanted.pool())?;
    let holdings = trader.holdings_in(market)?;
    let stands = return_ppm(holdings.held_cost, market.token_price().worth(holdings.held));
    (holdings.held > 0 && stands <= STOP_PPM).then(|| sell(market, holdings.held))
}

/// V-011. A vault, living or dying, lets the trades of a minute move a tenth of its capital, counted at the dearer end of what
/// it trusts; what is more goes in parts, one after another.
pub(crate) fn clipped(order: Order, trader: &Trader) -> Order {
    const PART: Ppm = Ppm::of(90_000);
    let market = trader.sight().and_then(|sight| sight.market_of(order.pool()));
    let (Order::Sell { amount, .. }, Some(market), Some(vault)) = (order, market, trader.vault()) else {
        return order;
    };
    let dearest = market.price.max(market.twap.unwrap_or(Usdc::ZERO));
    let most = TokenPrice { whole: dearest, ..market.token_price() }.buys(vault.capital.share_down(PART));
    if most == 0 || amount <= most { order } else { sell(market, most) }
}
