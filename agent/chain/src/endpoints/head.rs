//! The newest block, as agreed among endpoints that may lag, lie or have a wrong clock.

use std::time::{SystemTime, UNIX_EPOCH};

use alloy::primitives::{B256, U64, U256};
use serde::{Deserialize, Serialize};

use super::{EndpointError, EndpointSettings};
use golem_primitives::UtcTime;

/// The newest block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    pub number: u64,
    pub hash: B256,
    pub parent: B256,
    pub time: UtcTime,
    /// In wei, for each unit of gas.
    pub base_fee: u128,
}

/// This machine's clock against the newest block's time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skew {
    /// Seconds this machine is ahead of the newest block; a block is up to one block time old when it is seen.
    pub seconds: i64,
    pub block: UtcTime,
}

/// What is remembered between two looks.
#[derive(Debug, Default)]
pub(super) struct Memory {
    pub(super) number: Option<u64>,
    pub(super) skew: Option<Skew>,
}

/// A block as nodes write it.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Header {
    number: U64,
    hash: B256,
    parent_hash: B256,
    timestamp: U64,
    #[serde(default)]
    base_fee_per_gas: Option<U256>,
}

impl From<Header> for Head {
    fn from(header: Header) -> Self {
        Self {
            number: header.number.to(),
            hash: header.hash,
            parent: header.parent_hash,
            time: UtcTime::from_seconds(header.timestamp.to()),
            base_fee: header.base_fee_per_gas.map_or(0, |fee| fee.saturating_to()),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Doubt {
    Stale,
    /// Blocks behind the agreed head.
    Lags(u64),
    /// Blocks ahead of what the others have.
    Leads(u64),
    /// Seconds in the future.
    Future(u64),
}

pub(super) struct Judged {
    pub(super) head: Head,
    pub(super) from: usize,
    pub(super) skew: Skew,
    pub(super) verdicts: Vec<(usize, Option<Doubt>)>,
}

pub(super) fn wall_clock() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// Finds the height a majority has reached, among heads whose time is believable.
pub(super) fn judge(seen: &[(usize, Head)], settings: &EndpointSettings, now: u64) -> Result<Judged, EndpointError> {
    let mut verdicts = Vec::with_capacity(seen.len());
    let mut believable = Vec::with_capacity(seen.len());
    for (index, head) in seen {
        match doubt_time(head, settings, now) {
            Some(doubt) => verdicts.push((*index, Some(doubt))),
            None => believable.push((*index, *head)),
        }
    }
    if believable.is_empty() {
        return Err(unbelievable(seen, settings, now));
    }
    // With n heads in falling order, a strict majority has reached the one at n / 2: of two the lower, of three the
    // middle one. A single liar can neither push it up nor, among three, hold it down.
    believable.sort_by_key(|(index, head)| (std::cmp::Reverse(head.number), *index));
    let agreed = match believable.as_slice() {
        [(_, higher), (_, lower)] if is_lag(higher, lower, settings) => higher.number,
        _ => believable[believable.len() / 2].1.number,
    };
    let (from, head) = majority_hash(&believable, agreed);
    for (index, other) in &believable {
        let lead = other.number.saturating_sub(head.number);
        let lag = head.number.saturating_sub(other.number);
        verdicts.push((
            *index,
            if lead > settings.head_tolerance {
                Some(Doubt::Leads(lead))
            } else if lag > settings.head_tolerance {
                Some(Doubt::Lags(lag))
            } else {
                None
            },
        ));
    }
    verdicts.sort_unstable_by_key(|(index, _)| *index);
    let seconds = i64::try_from(now).unwrap_or(i64::MAX).saturating_sub_unsigned(head.time.seconds());
    Ok(Judged { head, from, skew: Skew { seconds, block: head.time }, verdicts })
}

/// Of two that disagree the lower one lags when the time between their blocks explains the blocks between them. A liar
/// gains nothing by it: with an honest neighbour's block just made, it could only be a few blocks ahead.
fn is_lag(higher: &Head, lower: &Head, settings: &EndpointSettings) -> bool {
    let blocks = higher.number.saturating_sub(lower.number);
    blocks > settings.head_tolerance && higher.time.seconds().saturating_sub(lower.time.seconds()) >= blocks
}

/// At the agreed height the hash most endpoints have; the first of them on a tie.
fn majority_hash(believable: &[(usize, Head)], number: u64) -> (usize, Head) {
    let at: Vec<&(usize, Head)> = believable.iter().filter(|(_, head)| head.number == number).collect();
    let votes = |hash: B256| at.iter().filter(|(_, head)| head.hash == hash).count();
    **at.iter()
        .min_by_key(|(index, head)| (std::cmp::Reverse(votes(head.hash)), *index))
        .expect("the height was taken from one of them")
}

fn doubt_time(head: &Head, settings: &EndpointSettings, now: u64) -> Option<Doubt> {
    let time = head.time.seconds();
    let ahead = time.saturating_sub(now);
    if settings.future_tolerance.is_some_and(|limit| ahead > limit.as_secs()) {
        return Some(Doubt::Future(ahead));
    }
    let age = now.saturating_sub(time);
    settings.staleness.is_some_and(|limit| age > limit.as_secs()).then_some(Doubt::Stale)
}

fn unbelievable(seen: &[(usize, Head)], settings: &EndpointSettings, now: u64) -> EndpointError {
    let newest = seen.iter().map(|(_, head)| head).max_by_key(|head| head.time.seconds()).expect("some were seen");
    let time = newest.time.seconds();
    if time > now {
        return EndpointError::FutureHead { number: newest.number, seconds: time - now };
    }
    EndpointError::Stale {
        number: newest.number,
        age: now - time,
        limit: settings.staleness.map_or(0, |limit| limit.as_secs()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: u64 = 1_800_000_000;

    fn head(number: u64, time: u64) -> Head {
        let hash = B256::with_last_byte(u8::try_from(number % 251).expect("small"));
        Head { number, hash, parent: B256::ZERO, time: UtcTime::from_seconds(time), base_fee: 7 }
    }

    fn check(heads: &[(u64, u64)], agreed: u64, doubted: &[(usize, Doubt)]) {
        let seen: Vec<_> = heads.iter().enumerate().map(|(i, (number, time))| (i, head(*number, *time))).collect();
        let judged = judge(&seen, &EndpointSettings::default(), NOW).expect("believable");
        assert_eq!(judged.head.number, agreed, "{heads:?}");
        let found: Vec<_> = judged.verdicts.iter().filter_map(|(i, doubt)| doubt.map(|doubt| (*i, doubt))).collect();
        assert_eq!(found, doubted, "{heads:?}");
    }

    #[test]
    fn r_023_the_head_is_what_a_majority_has_reached() {
        check(&[(100, NOW)], 100, &[]);
        check(&[(100, NOW), (102, NOW)], 100, &[]);
        check(&[(100, NOW), (101, NOW), (102, NOW)], 101, &[]);
        check(&[(100, NOW), (100, NOW), (9_000, NOW)], 100, &[(2, Doubt::Leads(8_900))]);
        check(&[(100, NOW), (10, NOW), (100, NOW)], 100, &[(1, Doubt::Lags(90))]);
        check(&[(100, NOW), (101, NOW + 3_600)], 100, &[(1, Doubt::Future(3_600))]);
        check(&[(100, NOW), (90, NOW - 600)], 100, &[(1, Doubt::Stale)]);
        // Two alone: forty blocks in no time are a lie, forty blocks in eighty seconds are the other's delay.
        check(&[(100, NOW), (140, NOW)], 100, &[(1, Doubt::Leads(40))]);
        check(&[(140, NOW), (100, NOW - 80)], 140, &[(1, Doubt::Lags(40))]);
    }

    #[test]
    fn r_023_a_head_that_is_too_old_or_too_new_is_blindness() {
        let settings = EndpointSettings::default();
        let old = judge(&[(0, head(5, NOW - 600))], &settings, NOW).err().expect("stale");
        assert!(matches!(old, EndpointError::Stale { age: 600, limit: 90, .. }) && old.is_blind());
        let new = judge(&[(0, head(5, NOW + 600))], &settings, NOW).err().expect("future");
        assert!(matches!(new, EndpointError::FutureHead { seconds: 600, .. }) && new.is_blind());
        assert!(judge(&[(0, head(5, 1_000))], &EndpointSettings::devnet(), NOW).is_ok());
    }

    #[test]
    fn r_023_two_hashes_at_one_height_are_decided_by_votes() {
        let other = Head { hash: B256::repeat_byte(9), ..head(7, NOW) };
        let seen = [(0, other), (1, head(7, NOW)), (2, head(7, NOW))];
        let judged = judge(&seen, &EndpointSettings::default(), NOW).expect("believable");
        assert_eq!((judged.head, judged.from), (head(7, NOW), 1));
    }
}
