//! What a life may have thought for it beside its ticks: why its predictions fail, what its episodes have in common, and,
//! at the end, how it was.
//!
//! A life has no study until somebody serves such thoughts; what they cost is bounded before they are asked, and nothing
//! they say is a target, an amount or a limit.

use golem_mortality::economic::death_budget::DeathBudget;
use golem_mortality::economic::partitions::Partition;
use golem_mortality::economic::tier::Tier;
use golem_mortality::phase::Phase;
use golem_mortality::vitals::Vitals;
use golem_primitives::{EffectId, Usdc};
use serde::{Deserialize, Serialize};

use crate::desk::Desk;
use crate::means::Means;
use crate::pass::Pass;
use crate::record::{CostSource, EffectKind, Event, Outcome, OutcomeResult, Reflection, StudyQuotes};
use crate::trader::Trader;

/// M-067, M-297. Ticks after a reflection over which it is measured whether fitness rose.
pub const MEASURED_AFTER: u64 = 50;

/// The thoughts a life can have, and what is open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Study {
    /// What each kind of thought costs at most.
    pub quotes: StudyQuotes,
    /// At most one distillation at a time.
    pub(crate) distilling: Option<EffectId>,
    /// At most one reflection at a time.
    pub(crate) reflecting: Option<EffectId>,
}

impl Study {
    /// The first word of such thoughts is the birth of the study; later ones only change what it may ask.
    pub(crate) fn furnish(room: &mut Option<Box<Self>>, quotes: StudyQuotes) {
        room.get_or_insert_with(|| Box::new(Self { quotes, distilling: None, reflecting: None })).quotes = quotes;
    }

    /// M-067. Whether a reflection is on its way: a second one would ask the same of the same.
    pub(crate) fn is_reflecting(&self, desk: &Desk) -> bool {
        self.reflecting.is_some_and(|effect| desk.holds.awaits(effect))
    }

    /// M-067. What a reflection may cost when a model takes part; `None` when rules alone look back.
    pub(crate) fn reflection_budget(&self, means: &Means, ceiling: Tier) -> Option<Usdc> {
        affordable(&self.quotes.reflection, Tier::T1.under(ceiling), means).map(|(_, budget)| budget)
    }

    /// G-142. Wants what the episodes have in common put into claims, when that can be paid and none is on its way. The
    /// poor and the dying distil nothing (G-078, C32).
    pub(crate) fn distil(&mut self, trader: Option<&Trader>, vitals: &Vitals, pass: &mut Pass<'_>) {
        let is_poor = vitals.economic().score().ppm() < vitals.law().conservation_threshold;
        let is_open = self.distilling.is_some_and(|effect| pass.desk.holds.awaits(effect));
        if is_open || vitals.phase() <= Phase::Declining || (vitals.law().mode.counts_credits() && is_poor) {
            return;
        }
        let means = means_to_think(trader, vitals, &pass.desk);
        if let Some((tier, budget)) = affordable(&self.quotes.distillation, Tier::T2.under(pass.ceiling), &means) {
            self.distilling = pass.ask_up_to(EffectKind::Distil { tier }, budget, vitals);
        }
    }

    /// M-032, M-181, M-195, M-211, M-212. How large a model tells the life, and what that may cost: the largest the death
    /// may ask whose quote the review covers. `None` when that is nobody, and rules alone tell it.
    #[must_use]
    pub fn last_words(&self, vitals: &Vitals) -> Option<(Tier, Usdc)> {
        let means = Means::of_the_dying(&DeathBudget::left_by(vitals));
        let served = [Tier::T3, Tier::T2, Tier::T1].into_iter().filter(|tier| *tier <= means.ceiling);
        let mut covered =
            served.filter(|tier| self.quotes.last_words[*tier as usize].is_some_and(|quote| quote <= means.left));
        covered.next().map(|tier| (tier, means.left))
    }

    /// An outcome came. Answers what the host is owed for it.
    pub(crate) fn land(&mut self, outcome: &Outcome, pass: &mut Pass<'_>) -> Option<Usdc> {
        let (source, cost) = outcome.cost.unwrap_or((CostSource::Inference, Usdc::ZERO));
        match &outcome.result {
            OutcomeResult::Reconsidered(reconsidered) => {
                let (effect, reconsidered) = (outcome.effect, (**reconsidered).clone());
                pass.say(Event::Reflected(Box::new(Reflection { effect, cost, reconsidered })));
            }
            OutcomeResult::Distilled(distilled) => pass.say(Event::Distilled { distilled: *distilled, cost }),
            _ => {}
        }
        for open in [&mut self.distilling, &mut self.reflecting] {
            open.take_if(|effect| *effect == outcome.effect);
        }
        (source == CostSource::Inference).then_some(cost)
    }
}

/// The largest served tier up to `most` whose quote its budget covers.
fn affordable(quotes: &[Option<Usdc>; 4], most: Tier, means: &Means) -> Option<(Tier, Usdc)> {
    let served = [Tier::T3, Tier::T2, Tier::T1].into_iter().filter(|tier| *tier <= most);
    let mut quoted = served.filter_map(|tier| Some((tier, quotes[tier as usize]?)));
    quoted.find(|(tier, quote)| *quote <= means.budget(*tier)).map(|(tier, _)| (tier, means.budget(tier)))
}

/// What may be thought for. The chain shows what was paid; what the host is owed he will take out of the same
/// partition first, so nobody thinks on credit (M-028).
pub(crate) fn means_to_think(trader: Option<&Trader>, vitals: &Vitals, desk: &Desk) -> Means {
    let (purse, promised) = (vitals.economic().purse(), desk.holds.promised(Partition::Llm));
    let means = Means::of_the_living(purse, promised, vitals.phase());
    let owed = trader.map_or(Usdc::ZERO, |trader| trader.owed);
    let unowed = purse.partitions().get(Partition::Llm).saturating_sub(owed).saturating_sub(promised);
    Means { left: means.left.min(unowed), ..means }
}
