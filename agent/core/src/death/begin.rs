//! M-178. The first moment of a death: the life wants it declared, and nothing else before that.

use golem_mortality::lifecycle::{Dying, Golem};

use super::progress;
use crate::pass::Pass;
use crate::record::{DyingStage, EffectKind, Event};
use crate::trader::Trader;

/// M-178. A death wants its protocol, once: no state behind this one can come back here.
pub(crate) fn begin_death(golem: &Golem<Dying>, trader: Option<&mut Trader>, pass: &mut Pass<'_>) {
    let cause = golem.death().cause.kind();
    // The reserve pays (M-181): no partition is asked, and no cap stands between a Golem and its death.
    let kind = EffectKind::Declare { cause };
    let id = pass.insist(kind, golem.vitals());
    if let Some(trader) = trader {
        trader.dying = Some(progress::Dying::begin(cause, pass.now(), pass.tick()));
        trader.fly(id, kind);
        pass.say(Event::DyingStage(DyingStage::Acceptance));
    }
}
