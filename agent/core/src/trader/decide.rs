//! DECIDING: from what was seen to what is wanted.

use golem_mortality::behaviour::Behaviour;
use golem_mortality::phase::Phase;
use golem_mortality::vitals::Vitals;
use golem_playbook::choice::{Decision, Manner};
use golem_primitives::{Ppm, Usdc};

use crate::counsel;
use crate::influence::Lean;
use crate::mind::Mind;
use crate::pass::Pass;
use crate::precedents::Precedents;
use crate::record::{BookWord, Command, CommandRefusal, EffectKind, Event, Forgone, Order, TickInput};
use crate::trade::{sell, token_for, usdc_for};
use crate::trader::bars::{Bars, forbidden};
use crate::trader::toward::{Scene, leave, toward};
use crate::trader::{Outlook, Restraint, Trader, deliberate, errands, foresight};
use crate::window::regime_of;
use crate::window::return_ppm;

/// Ticks after which what was forgone is looked at again.
const FORGONE_TICKS: u64 = 5;
/// G-014. What a warning leaves of a step.
const WARNED: Ppm = Ppm::of(500_000);

/// Who has a say in a decision beside the rules.
pub(crate) struct Advisers<'a> {
    /// The models that may be asked.
    pub(crate) mind: Option<&'a mut Mind>,
    /// What models advised before.
    pub(crate) precedents: Option<&'a mut Precedents>,
    /// Mood and suffering.
    pub(crate) lean: Lean<'a>,
}

/// Judges old predictions, says new ones, and wants errands and a trade. Blind, it does nothing.
pub(crate) fn decide(trader: &mut Trader, mut advisers: Advisers<'_>, vitals: &Vitals, pass: &mut Pass<'_>) {
    let lean = advisers.lean;
    let wish = consult(trader, &lean, vitals.phase(), pass);
    if trader.is_blind || trader.sight.is_none() {
        return;
    }
    foresight::look(trader, true, pass);
    let outlook = wish.as_ref().and_then(|wish| wish.outlook);
    pass.desk.matches = foresight::compare(trader, outlook).or(pass.desk.matches);
    foresight::register(trader, outlook, pass);
    errands::want(trader, vitals, lean.may_harvest(trader, vitals), pass);
    if let Some(mind) = advisers.mind.as_deref_mut().filter(|_| lean.examines(pass.tick())) {
        deliberate::examine(mind, trader, vitals, pass);
    }
    let wanted = wish.as_ref().and_then(|wish| wish.order(trader));
    let is_sent = carry_out(trader, wanted, advisers, vitals, pass);
    put_back_unless_reached(trader, wish.as_ref(), wanted, is_sent);
}

/// Where what the look decided takes a trade, and that was not asked for or leads only half way, what stood before stands.
fn put_back_unless_reached(trader: &mut Trader, wish: Option<&Wish>, wanted: Option<Order>, is_sent: bool) {
    let is_reached = is_sent && wish.is_none_or(|wish| wish.is_reached_by(wanted));
    if wanted.is_some() && !is_reached {
        trader.rulebook.put_back();
    }
}

/// From what the book wants to a trade that was asked for; answers whether one was.
fn carry_out(
    trader: &mut Trader,
    wanted: Option<Order>,
    advisers: Advisers<'_>,
    vitals: &Vitals,
    pass: &mut Pass<'_>,
) -> bool {
    let Advisers { mind, precedents, lean } = advisers;
    let (tick, phase) = (pass.tick(), vitals.phase());
    let wanted = wanted.filter(|order| !(order.raises_exposure() && trader.rulebook.is_declined()));
    let order = winding_down(trader, phase).or(wanted);
    let order = order.map(|order| parked(trader, &lean, &order).unwrap_or(order));
    let order = order.map(|order| clipped(order, trader));
    if !trader.is_free(order.as_ref(), tick) {
        return false;
    }
    let regime = regime_of(trader.regime_name());
    let is_counselled_against = counsel::forbids(pass.input(), trader.book_name().as_str(), regime);
    let bars = Bars { is_counselled_against, is_apart: pass.is_apart, lean };
    let was_asked = mind.as_deref().is_some_and(|mind| mind.pending.is_some());
    let order = match mind {
        // The rules' order stands unless somebody who may be asked is worth asking.
        Some(mind) => deliberate::weigh(mind, precedents, order, trader, vitals, &bars, pass),
        None => order,
    };
    let Some(order) = order.filter(|order| !lean.rests(order, tick)) else { return false };
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
            return send(trader, order, vitals, pass);
        }
    }
    false
}

/// D-017, D-192. The decision of a Golem that dreams in full: nothing is predicted, asked or entered, and what was said is
/// judged, what is owed is paid, and what protects gets out as if it were awake. A dream stops no stop-loss.
pub(crate) fn keep_watch(trader: &mut Trader, lean: Lean<'_>, vitals: &Vitals, pass: &mut Pass<'_>) {
    let (tick, phase) = (pass.tick(), vitals.phase());
    let wish = consult(trader, &lean, phase, pass);
    if trader.is_blind || trader.sight.is_none() {
        return;
    }
    foresight::look(trader, false, pass);
    // What is not looked at is not forecast: the first waking look has nothing to be compared with.
    trader.forecast = None;
    errands::want(trader, vitals, false, pass);
    let wanted = wish.as_ref().and_then(|wish| wish.order(trader));
    let order = winding_down(trader, phase).or(wanted);
    let order = order.filter(|order| !order.raises_exposure()).map(|order| clipped(order, trader));
    let mut is_sent = false;
    if let Some(order) = order.filter(|order| trader.is_free(Some(order), tick)) {
        let bars = Bars { is_counselled_against: false, is_apart: pass.is_apart, lean };
        match forbidden(trader, &order, phase, &bars) {
            Some(reason) => {
                pass.say(Event::TradeForgone { order, reason });
                trader.rest(&order, FORGONE_TICKS, tick);
            }
            None => is_sent = send(trader, order, vitals, pass),
        }
    }
    put_back_unless_reached(trader, wish.as_ref(), wanted, is_sent);
}

/// Asks for a trade; answers whether it is on its way.
fn send(trader: &mut Trader, order: Order, vitals: &Vitals, pass: &mut Pass<'_>) -> bool {
    let is_sent = errands::send(trader, EffectKind::Trade(order), vitals, pass);
    if is_sent {
        trader.rulebook.sent();
    }
    is_sent
}

/// What the book wants and believes at a look.
struct Wish {
    scene: Scene,
    decision: Decision,
    outlook: Option<Outlook>,
}

impl Wish {
    fn order(&self, trader: &Trader) -> Option<Order> {
        toward(&self.decision, &self.scene, trader)
    }

    /// Whether what is meant stands once this trade has landed: who held liquidity and is to hold the token has to take it
    /// back first and then decides anew.
    fn is_reached_by(&self, order: Option<Order>) -> bool {
        !(self.decision.manner == Manner::Hold && matches!(order, Some(Order::Withdraw { .. })))
    }
}

/// P-050, P-051. Every rule lives through the look, and the strongest that earned it says what shall stand, less what phase,
/// mood, suffering and warnings take.
fn consult(trader: &mut Trader, lean: &Lean<'_>, phase: Phase, pass: &mut Pass<'_>) -> Option<Wish> {
    let Some(scene) = Scene::of(trader).filter(|_| !trader.is_blind) else {
        words(pass).for_each(|_| pass.refuse(CommandRefusal::TriesNothing));
        return None;
    };
    let by_phase = Behaviour::of(phase).risk_within(Ppm::ONE);
    if scene.at_work.is_zero() {
        let is_warned = counsel::warns(pass.input(), trader.book_name().as_str(), regime_of(trader.regime_name()));
        let warnings = if is_warned { WARNED } else { Ppm::ONE };
        trader.rulebook.restraint = Restraint { lean: part_of(lean.risk(phase), by_phase), warnings };
    }
    let caution_ppm = Ppm::round(lean.entry() - 1.0).get().saturating_add(1_000_000);
    let now = scene.circumstances(by_phase, trader.rulebook.restraint, caution_ppm);
    let decision = trader.rulebook.look(&scene.look, &now, pass)?;
    for word in words(pass) {
        trader.rulebook.hear(word, &scene.look, scene.usable, pass);
    }
    Some(Wish { scene, decision, outlook: trader.rulebook.outlook(scene.look.price) })
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
pub(crate) fn winding_down(trader: &Trader, phase: Phase) -> Option<Order> {
    if phase > Phase::Declining {
        return None;
    }
    leave(&trader.sight()?.market, &trader.holdings()?)
}

/// S-131. A book that would go on building is closed: what it holds already keeps its stop.
fn parked(trader: &Trader, lean: &Lean<'_>, wanted: &Order) -> Option<Order> {
    const STOP_PPM: i64 = -15_000;
    lean.closes(wanted, trader)?;
    let (sight, holdings) = (trader.sight()?, trader.holdings()?);
    let stands = return_ppm(holdings.held_cost, usdc_for(sight.market.price, holdings.held));
    (holdings.held > 0 && stands <= STOP_PPM).then(|| sell(&sight.market, holdings.held))
}

/// V-011. A vault, living or dying, lets the trades of a minute move a tenth of its capital, counted at the dearer end of what
/// it trusts; what is more goes in parts, one after another.
pub(crate) fn clipped(order: Order, trader: &Trader) -> Order {
    const PART: Ppm = Ppm::of(90_000);
    let (Order::Sell { amount, .. }, Some(sight), Some(vault)) = (order, trader.sight(), trader.vault()) else {
        return order;
    };
    let dearest = sight.market.price.max(sight.market.twap.unwrap_or(Usdc::ZERO));
    let most = token_for(dearest, vault.capital.share_down(PART));
    if most == 0 || amount <= most { order } else { sell(&sight.market, most) }
}
