//! M-178. Death as a small machine: Acceptance, Settlement, Reflection, Legacy. Each step is an effect that waits for its
//! outcome or its deadline, so a crash resumes in the middle and a failure moves on (M-182).

use std::time::Duration;

use golem_mortality::lifecycle::{self, Golem};
use golem_mortality::vitals::Vitals;
use golem_primitives::Usdc;

use super::progress::Dying;
use super::unwind::unwind;
use crate::body::Body;
use crate::pass::Pass;
use crate::record::{CauseKind, ChainLife, CostSource, DyingStage, EffectKind, Event, Outcome, Partition};
use crate::study::Study;
use crate::trader::{Flight, Trader, errands};

/// How long one that the chain calls Dead still waits for its own settlement to be confirmed.
const CLOSING: Duration = Duration::from_secs(24 * 3_600);
/// Declarations of a cause that the chain may refuse before it is told another.
const TRIES: u8 = 3;

/// M-195. What the last words have cost, when this is how they ended.
pub(crate) fn cost_of_words(trader: &Trader, outcome: &Outcome) -> Usdc {
    let is_theirs = |flight: &Flight| flight.effect == outcome.effect && flight.kind == EffectKind::WriteTestament;
    match outcome.cost {
        Some((CostSource::Legacy, cost)) if trader.flights.iter().any(is_theirs) => cost,
        _ => Usdc::ZERO,
    }
}

/// M-032, T-003. The host paid for the last words, and only a dying vault can still pay him back: asked once, before the
/// end. What it refuses is told and stays owed; no death waits for a bill (M-182).
fn pay_for_words(trader: &mut Trader, cost: Usdc, vitals: &Vitals, pass: &mut Pass<'_>) {
    if !cost.is_zero() && trader.vault().is_some_and(|vault| matches!(vault.life, ChainLife::Dying { .. })) {
        errands::send(trader, EffectKind::PayHost { partition: Partition::Legacy, amount: cost }, vitals, pass);
    }
}

const fn pays_for_words(kind: &EffectKind) -> bool {
    matches!(kind, EffectKind::PayHost { partition: Partition::Legacy, .. })
}

/// One pass of a death that a hand carries out itself; without a hand somebody else says when it is over.
pub(crate) fn die(
    golem: Golem<lifecycle::Dying>,
    last_words: Usdc,
    trader: Option<&mut Trader>,
    study: Option<&Study>,
    pass: &mut Pass<'_>,
) -> Body {
    // The pass that began the death is not yet one of its own.
    let Some(trader) = trader.filter(|trader| trader.dying.as_ref().is_some_and(|dying| dying.pass < pass.tick()))
    else {
        return Body::Dying(golem);
    };
    pay_for_words(trader, last_words, golem.vitals(), pass);
    let words = study.and_then(|study| study.last_words(golem.vitals())).map_or(Usdc::ZERO, |(_, budget)| budget);
    if advance(trader, words, golem.vitals(), pass) {
        pass.say(Event::DeathConcluded);
        return Body::Dead(golem.conclude(pass.now()));
    }
    Body::Dying(golem)
}

/// One pass of a death. Answers whether it is over.
fn advance(trader: &mut Trader, words: Usdc, vitals: &Vitals, pass: &mut Pass<'_>) -> bool {
    let Some(mut dying) = trader.dying.clone() else { return true };
    dying.pass = pass.tick();
    let late = dying.is_late(pass.now());
    let over = match dying.stage {
        DyingStage::Acceptance => {
            accept(trader, &mut dying, late, vitals, pass);
            false
        }
        DyingStage::Settlement => {
            unwind(trader, &mut dying, vitals, pass);
            false
        }
        DyingStage::Reflection => {
            // However late it is, what can be written at once is; only waiting for it is not put off any longer.
            let is_writing = trader.flies(|kind| matches!(kind, EffectKind::WriteTestament));
            if dying.written || (late && is_writing) {
                dying.enter(DyingStage::Legacy, pass);
            } else if !is_writing {
                // Nobody is asked for words that cannot be waited for: the facts are written at once.
                let words = if late { Usdc::ZERO } else { words };
                errands::send_up_to(trader, EffectKind::WriteTestament, words, vitals, pass);
            }
            false
        }
        DyingStage::Legacy => settle(trader, &mut dying, vitals, pass),
    };
    trader.dying = Some(dying);
    over
}

/// M-185. The chain must know before anything is sold: the declaration freezes what the key could still do.
/// M-180, M-182. What the chain cannot be told of in time is not sold, and still written: the declaration is insisted on
/// behind the testament.
fn accept(trader: &mut Trader, dying: &mut Dying, late: bool, vitals: &Vitals, pass: &mut Pass<'_>) {
    if is_declared(trader) {
        dying.enter(DyingStage::Settlement, pass);
    } else if late {
        dying.enter(DyingStage::Reflection, pass);
    } else {
        declare(trader, dying, vitals, pass);
    }
}

/// Whether the chain knows of the death.
fn is_declared(trader: &Trader) -> bool {
    trader.vault().is_none_or(|vault| vault.life != ChainLife::Alive)
}

fn declare(trader: &mut Trader, dying: &mut Dying, vitals: &Vitals, pass: &mut Pass<'_>) {
    // A death the chain will not take as what it is (fed in the last moment, a roll whose block is gone, a kill that a
    // reorganisation took back) is still a death here: it is declared by the one cause that needs no proof.
    let cause = if dying.asked >= TRIES { CauseKind::EpistemicSenescence } else { dying.cause };
    if dying.pass > dying.waits_until && !trader.flies(|kind| matches!(kind, EffectKind::Declare { .. })) {
        insistently(trader, EffectKind::Declare { cause }, dying.refusals, vitals, pass);
    }
}

/// T-004. The last act is repeated until the chain says Dead; nothing else is left to do. The newest block says it before
/// the act is confirmed, and a reorganisation could take that back: its own act is waited for.
fn settle(trader: &mut Trader, dying: &mut Dying, vitals: &Vitals, pass: &mut Pass<'_>) -> bool {
    let now = pass.now();
    let is_dead = trader.vault().is_none_or(|vault| matches!(vault.life, ChainLife::Dead { .. }));
    let awaits = trader.flies(|kind| matches!(kind, EffectKind::Settle)) && now.since(dying.began) < CLOSING;
    if dying.settled || is_dead {
        return !awaits;
    }
    // The chain has to hear of the death before it can settle it.
    if !is_declared(trader) {
        declare(trader, dying, vitals, pass);
        return false;
    }
    // A vault that is settled pays nobody.
    if !dying.is_late(now) && trader.flies(pays_for_words) {
        return false;
    }
    if dying.pass >= dying.waits_until && !trader.flies(|kind| matches!(kind, EffectKind::Settle)) {
        insistently(trader, EffectKind::Settle, dying.refusals, vitals, pass);
    }
    false
}

/// M-192. The end may cost what it costs: each refusal raises the bound, up to all the key has. Nothing else will need it.
fn insistently(trader: &mut Trader, kind: EffectKind, refusals: u8, vitals: &Vitals, pass: &mut Pass<'_>) {
    let budget = Usdc::from_micros(500_000u64.saturating_mul(4u64.saturating_pow(u32::from(refusals.min(6)))));
    errands::send_up_to(trader, kind, budget, vitals, pass);
}
