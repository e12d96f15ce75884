//! Windows of local time in which dreams are dreamt.

use std::fmt;
use std::str::FromStr;

use golem_primitives::UtcTime;
use jiff::Timestamp;
use jiff::tz::{TimeZone, TimeZoneDatabase};

/// Why a text is no window.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WindowError {
    /// Not `HH:MM`.
    #[error("{text:?} is no time of day; write it as HH:MM between 00:00 and 23:59")]
    NotATime { text: String },
    /// DG-18. A window of no length.
    #[error("a window from {at} to {at} is empty; give it an end that differs from its start")]
    Empty { at: TimeOfDay },
    /// DG-18. A zone nobody knows.
    #[error("{name:?} is no time zone of the IANA database; write one such as UTC or America/New_York")]
    UnknownZone { name: String },
    /// Not `HH:MM-HH:MM Zone`.
    #[error("{text:?} is no window; write it as \"02:00-06:00 UTC\"")]
    NotAWindow { text: String },
}

/// A minute of a local day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TimeOfDay {
    minutes: u16,
}

impl TimeOfDay {
    /// Seconds since local midnight.
    const fn seconds(self) -> u32 {
        self.minutes as u32 * 60
    }
}

/// A text cut to what an error may repeat.
fn quote(text: &str) -> String {
    text.chars().take(40).collect()
}

impl FromStr for TimeOfDay {
    type Err = WindowError;

    /// Reads `02:00`.
    fn from_str(text: &str) -> Result<Self, WindowError> {
        let refused = || WindowError::NotATime { text: quote(text) };
        let (hours, minutes) = text.split_once(':').ok_or_else(refused)?;
        let two_digits = |part: &str| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
        if !two_digits(hours) || !two_digits(minutes) {
            return Err(refused());
        }
        let (hours, minutes): (u16, u16) =
            (hours.parse().map_err(|_| refused())?, minutes.parse().map_err(|_| refused())?);
        if hours > 23 || minutes > 59 { Err(refused()) } else { Ok(Self { minutes: hours * 60 + minutes }) }
    }
}

impl fmt::Display for TimeOfDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{:02}:{:02}", self.minutes / 60, self.minutes % 60))
    }
}

/// D-042, DG-18. From start inclusive to end exclusive on the wall clock of an IANA zone; an end before the start lies
/// behind midnight. The tables of the zones are in the binary.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Window {
    start: TimeOfDay,
    end: TimeOfDay,
    name: String,
    zone: TimeZone,
}

impl Window {
    /// A window of that zone.
    ///
    /// # Errors
    /// [`WindowError`] for an empty window or a zone nobody knows.
    pub fn new(start: TimeOfDay, end: TimeOfDay, zone: &str) -> Result<Self, WindowError> {
        if start == end {
            return Err(WindowError::Empty { at: start });
        }
        let unknown = || WindowError::UnknownZone { name: quote(zone) };
        let found = TimeZoneDatabase::bundled().get(zone).map_err(|_| unknown())?;
        let name = found.iana_name().ok_or_else(unknown)?.to_owned();
        Ok(Self { start, end, name, zone: found })
    }

    /// D-042. 02:00 to 06:00 UTC.
    #[must_use]
    pub fn night() -> Self {
        let at = |minutes| TimeOfDay { minutes };
        Self { start: at(2 * 60), end: at(6 * 60), name: "UTC".to_owned(), zone: TimeZone::UTC }
    }

    /// DG-18. Whether it is open. An hour that a clock skips never comes, and one that it repeats counts twice: the wall
    /// clock decides, as the owner wrote it.
    #[must_use]
    pub fn is_open(&self, now: UtcTime) -> bool {
        self.open_for(now).is_some()
    }

    /// For how many seconds of the wall clock it is open; `None` while it is closed.
    fn open_for(&self, now: UtcTime) -> Option<u64> {
        let seconds = i64::try_from(now.seconds()).expect("UtcTime ends in year 9999");
        let moment = Timestamp::from_second(seconds).ok()?;
        let local = self.zone.to_datetime(moment).time();
        let seconds = |value: i8, each: u32| u32::try_from(value).expect("parts of a clock are not negative") * each;
        let now = seconds(local.hour(), 3_600) + seconds(local.minute(), 60) + seconds(local.second(), 1);
        let (start, end) = (self.start.seconds(), self.end.seconds());
        let is_open = if start < end { start <= now && now < end } else { now >= start || now < end };
        let since = if now >= start { now - start } else { now + DAY - start };
        is_open.then_some(u64::from(since))
    }
}

impl PartialEq for Window {
    fn eq(&self, other: &Self) -> bool {
        (self.start, self.end, &self.name) == (other.start, other.end, &other.name)
    }
}

impl Eq for Window {}

impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}-{} {}", self.start, self.end, self.name))
    }
}

impl FromStr for Window {
    type Err = WindowError;

    /// Reads `02:00-06:00 UTC`.
    fn from_str(text: &str) -> Result<Self, WindowError> {
        let refused = || WindowError::NotAWindow { text: quote(text) };
        let (times, zone) = text.trim().split_once(' ').ok_or_else(refused)?;
        let (start, end) = times.split_once('-').ok_or_else(refused)?;
        Self::new(start.parse()?, end.parse()?, zone.trim())
    }
}

impl TryFrom<String> for Window {
    type Error = WindowError;

    fn try_from(text: String) -> Result<Self, WindowError> {
        text.parse()
    }
}

impl From<Window> for String {
    fn from(window: Window) -> Self {
        window.to_string()
    }
}

/// Seconds of a day.
const DAY: u32 = 86_400;

/// D-016, D-199. Whether a window is open and was seen open before in the same opening: the first look into a new one
/// answers no, so that every opening is seen to begin, also by a Golem that slept through the end of the last. Where
/// there are no windows a day of UTC stands for one.
#[must_use]
pub fn is_seen_open(windows: &[Window], now: UtcTime, before: UtcTime) -> bool {
    let passed = now.since(before).as_secs();
    if windows.is_empty() {
        return now.seconds() / u64::from(DAY) == before.seconds() / u64::from(DAY);
    }
    windows.iter().any(|window| window.open_for(now).is_some_and(|open| passed <= open))
}
