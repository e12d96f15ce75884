//! Times as files of prices spell them.

use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;

/// Numbers from here on are milliseconds: as seconds they would be the year 5138.
const MILLIS: u64 = 100_000_000_000;
/// Numbers from here on are microseconds.
const MICROS: u64 = 100_000_000_000_000;

/// Seconds since 1970: a number of seconds, milliseconds or microseconds, an RFC 3339 moment, `2019-10-17`,
/// `2019-10-17 09:30`, `2019-10-17 09:30:00 UTC` or `2019-10-17 09-AM`. What has no offset is UTC.
pub(super) fn read_time(text: &str) -> Option<u64> {
    let number = text.strip_suffix(".0").unwrap_or(text);
    if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) {
        let number: u64 = number.parse().ok()?;
        return Some(match number {
            MICROS.. => number / 1_000_000,
            MILLIS.. => number / 1_000,
            _ => number,
        });
    }
    if let Ok(moment) = text.parse::<jiff::Timestamp>() {
        return u64::try_from(moment.as_second()).ok();
    }
    let text = text.strip_suffix("UTC").unwrap_or(text).trim_end();
    let (date, clock) = text.split_once([' ', 'T']).unwrap_or((text, ""));
    let date: Date = date.parse().ok()?;
    let moment = date.to_datetime(read_clock(clock.trim())?).to_zoned(TimeZone::UTC).ok()?;
    u64::try_from(moment.timestamp().as_second()).ok()
}

fn read_clock(text: &str) -> Option<Time> {
    if text.is_empty() {
        return Some(Time::midnight());
    }
    // `09-AM`: an hour of twelve.
    for (half, later) in [("-AM", 0), ("-PM", 12)] {
        if let Some(hour) = text.strip_suffix(half) {
            let hour: i8 = hour.parse().ok().filter(|hour| (1..=12).contains(hour))?;
            return Time::new(hour % 12 + later, 0, 0, 0).ok();
        }
    }
    text.parse().ok()
}
