//! No answer.

use golem_primitives::UtcTime;

use super::terms::{Onset, StressorLook};
use crate::facts::{Facts, SharingFacts};
use crate::truth::{Reading, Truth, all, any};

const SHARED_HOURS: u64 = 72;
const SOLO_HOURS: u64 = 7 * 24;
/// S-127. Shares below which silence says nothing.
const LEAST_SHARES: u32 = 5;

fn owner_silent(sharing: &SharingFacts, now: UtcTime, hours: u64) -> bool {
    let last = sharing.owner_at.unwrap_or(sharing.born_at).max(sharing.born_at);
    now.since(last).as_secs() >= hours * 3_600
}

fn raise(sharing: &SharingFacts, now: UtcTime) -> Truth {
    match sharing.siblings {
        // Nobody to answer but the owner.
        Reading::Off => owner_silent(sharing, now, SOLO_HOURS).into(),
        Reading::Unknown => Truth::Unknown,
        Reading::Known(_) if sharing.shares < LEAST_SHARES => Truth::Unknown,
        Reading::Known(siblings) => {
            Truth::from(siblings >= 1 && sharing.acks == 0 && owner_silent(sharing, now, SHARED_HOURS))
        }
    }
}

pub(super) fn look(facts: &Facts) -> StressorLook {
    StressorLook::of(facts.sharing.as_ref().map_or(Truth::Unknown, |sharing| raise(sharing, facts.now)))
}

pub(super) fn evidence(facts: &Facts) -> String {
    let Some(sharing) = &facts.sharing else { return String::new() };
    let silent = facts.now.since(sharing.owner_at.unwrap_or(sharing.born_at)).as_secs() / 3_600;
    format!("{} verdicts on {} shares in 72 h; owner silent {silent} h", sharing.acks, sharing.shares)
}

pub(super) fn resolves(facts: &Facts, onset: &Onset<'_>) -> Truth {
    let Some(sharing) = &facts.sharing else { return Truth::Unknown };
    let owner = Truth::from(sharing.owner_at.is_some_and(|at| at > onset.at));
    let fresh = Truth::from(sharing.acked_share_at.is_some_and(|at| at > onset.at));
    let share = if sharing.shares == 0 {
        Truth::Unknown
    } else {
        Truth::from(u64::from(sharing.acks) * 10 >= u64::from(sharing.shares))
    };
    any([Some(owner), Some(all([Some(fresh), Some(share)]))])
}
