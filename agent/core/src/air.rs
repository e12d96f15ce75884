//! I-320 to I-329. What a life leaves in the air for its siblings: class, strength, domain and regime, and nothing of how it
//! trades. What it senses there comes with the news of its Clade and moves its mood ([`crate::affect`]).

use golem_grimoire::kind::Domain;
use golem_grimoire::regime::Regime;
use golem_inheritance::pheromone::of_death;
use golem_mortality::cause::CauseKind;
use golem_mortality::epistemic::domain::DOMAIN_FAILURE;
use golem_playbook::rule::Action;
use golem_primitives::Ppm;

use crate::curation::domain_fitness;
use crate::ledger::{ClosedTrip, LedgerLine};
use crate::life::Life;
use crate::record::{Event, Order, RuleChange, RuleChanged, SiblingRule, Sign, SignClass};
use crate::trader::Trader;

/// I-326. The domains a life has a part in: those its understanding is measured in, and what concerns everybody.
pub const OWN_DOMAINS: [Domain; 7] = [
    Domain::PriceDirection,
    Domain::Volatility,
    Domain::Yield,
    Domain::GasMev,
    Domain::Protocol,
    Domain::MarketStructure,
    Domain::General,
];

/// What a round trip must lose, as a share of what it had cost, before it is a sign: twice as much is as strong as one gets.
const LARGE_LOSS: Ppm = Ppm::of(50_000);
/// How strongly a rule that came to move its whole stake is told of. Always the same: how well it does is nobody's business.
const CHANCE: Ppm = Ppm::of(600_000);
/// I-329. What a life understood: as far above the half it began with as failing is below it.
const UNDERSTOOD: Ppm = DOMAIN_FAILURE.complement();

impl Life {
    /// The regime its home pool is in; `None` when it sees none.
    #[must_use]
    pub fn regime(&self) -> Option<Regime> {
        self.trader().filter(|trader| !trader.is_blind())?.regime()
    }

    /// I-320. The signs that what happened in a pass leaves: a crisis, a large loss and a guard that began to cut are threats, a rule
    /// of its own that came to move its whole stake is a chance.
    #[must_use]
    pub fn signs(&self, events: &[Event]) -> Vec<Sign> {
        let regime = self.regime();
        let sign = |(class, domain, intensity)| Sign { class, intensity, domain, regime };
        events.iter().filter_map(|event| self.trace(event)).map(sign).collect()
    }

    fn trace(&self, event: &Event) -> Option<(SignClass, Domain, Ppm)> {
        let threat = |domain, intensity| Some((SignClass::Threat, domain, intensity));
        match event {
            Event::CrisisTold(told) if !told.is_over => threat(Domain::General, told.load.ppm()),
            Event::Traded { order, line } => threat(domain_of(order), lost(line)?),
            Event::GuardCut { wanted, left, .. } => {
                let cut = u64::from(wanted.get().saturating_sub(left.get()));
                threat(Domain::MarketStructure, share(cut, wanted.get().into()))
            }
            Event::Rule(changed) if matches!(changed.change, RuleChange::Promoted { .. }) => {
                Some((SignClass::Opportunity, self.chance(changed)?, CHANCE))
            }
            _ => None,
        }
    }

    /// What a rule of its own has shown to pay; a guard pays nothing, and a sibling's is its sibling's to tell.
    fn chance(&self, changed: &RuleChanged) -> Option<Domain> {
        if SiblingRule::is_named(&changed.rule) {
            return None;
        }
        let (_, hand) = self.trader()?.hands().find(|(pool, _)| *pool == changed.pool)?;
        let tried = hand.tried().iter().find(|tried| tried.number() == changed.number)?;
        match tried.rule.action {
            Action::Hold { .. } => Some(Domain::PriceDirection),
            Action::Provide { .. } => Some(Domain::Yield),
            _ => None,
        }
    }

    /// I-329. What its death leaves: a threat in each domain that failed it, and wisdom in each it understood. Who starved or grew
    /// senescent although none failed leaves a general one; an owner's word and chance are no danger to anybody else.
    #[must_use]
    pub fn last_signs(&self) -> Vec<Sign> {
        let Some(death) = self.death() else { return Vec::new() };
        let fitness = domain_fitness(self);
        let those = |is: fn(Ppm) -> bool| -> Vec<Domain> {
            fitness.iter().filter(|(_, fitness)| is(**fitness)).map(|(domain, _)| *domain).collect()
        };
        let is_of_market = matches!(death.cause.kind(), CauseKind::Economic | CauseKind::EpistemicSenescence);
        let mut failing = if is_of_market { those(|fitness| fitness < DOMAIN_FAILURE) } else { Vec::new() };
        if is_of_market && failing.is_empty() {
            failing.push(Domain::General);
        }
        let known = those(|fitness| fitness >= UNDERSTOOD);
        of_death(&failing, &known, self.trader().and_then(Trader::regime))
    }
}

/// What a trade is about.
const fn domain_of(order: &Order) -> Domain {
    match order {
        Order::Buy { .. } | Order::Sell { .. } => Domain::PriceDirection,
        Order::Provide { .. } | Order::Withdraw { .. } => Domain::Yield,
    }
}

/// How strong the sign of what a round trip lost is; nothing below a large loss.
fn lost(line: &LedgerLine) -> Option<Ppm> {
    let closed @ ClosedTrip { cost, .. } = line.closed.as_ref()?;
    let net = closed.net_micros();
    if net >= 0 {
        return None;
    }
    let lost = share(net.unsigned_abs(), cost.micros());
    (lost >= LARGE_LOSS).then(|| share(lost.get().into(), 2 * u64::from(LARGE_LOSS.get())))
}

/// A part of a whole, at most all of it.
fn share(part: u64, whole: u64) -> Ppm {
    let millionths = u128::from(part) * 1_000_000 / u128::from(whole.max(1));
    Ppm::saturating(u64::try_from(millionths).unwrap_or(u64::MAX))
}
