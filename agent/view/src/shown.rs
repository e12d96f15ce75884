//! A value with its unit: how a person reads it, and how a program does.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use golem_grimoire::confidence::Confidence;
use golem_grimoire::id::{EntryId, EpisodeId};
use golem_primitives::{
    Address, AgentId, B256, Bps, Denomination, EffectId, GolemId, LineageId, Ppm, Tick, U256, Usdc, UtcTime,
};
use serde_json::Value;

use crate::words::{ether, lapse, signed, token};

/// A value that may stand in a picture.
pub trait Shown {
    /// What its number counts, as the end of its JSON key says it; empty where it counts nothing.
    const UNIT: &'static str = "";

    /// For a person.
    fn words(&self) -> String;

    /// For a program: the same number, in the unit of the key.
    fn json(&self) -> Value;
}

/// Nothing to tell.
pub(crate) const UNKNOWN: &str = "-";

/// A gain or a loss in micro-USDC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gain(pub i64);

/// Native coin in its smallest unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wei(pub u128);

/// A token that is traded, in its smallest unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenUnits {
    pub amount: u128,
    pub denomination: Denomination,
}

/// A span on the wall clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seconds(pub u64);

/// A number of ticks that is no age.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ticks(pub u64);

/// A number that has no unit and is no money: a score, a chance, a factor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Number(pub f64);

/// A number in millionths that may be below zero or above one: a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Millionths(pub i64);

/// A count of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ByteCount(pub u64);

/// Whether something that was checked is as it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tested(pub bool);

/// A record in the form it is kept in, which is another format's to say: for programs that read that format.
#[derive(Debug, Clone, PartialEq)]
pub struct AsKept(pub Value);

impl AsKept {
    /// What writes itself down. What cannot be written down is nothing.
    #[must_use]
    pub fn of(record: &impl serde::Serialize) -> Self {
        Self(serde_json::to_value(record).unwrap_or_default())
    }
}

/// How types are shown: what a person reads, then what a program does, then the unit where there is one.
macro_rules! shown {
    ($($type:ty as $value:ident: $words:expr => $json:expr $(, $unit:expr)?;)*) => {$(
        impl $crate::Shown for $type {
            $( const UNIT: &'static str = $unit; )?

            fn words(&self) -> String {
                let $value = self;
                $words
            }

            fn json(&self) -> $crate::Value {
                let $value = self;
                $json.into()
            }
        }
    )*};
}

pub(crate) use shown;

/// What already has one way to be written.
macro_rules! as_written {
    ($($type:ty),*) => {
        shown! { $($type as value: value.to_string() => value.to_string();)* }
    };
}

/// What is a plain number.
macro_rules! as_number {
    ($($type:ty),*) => {
        shown! { $($type as number: number.to_string() => *number;)* }
    };
}

as_written!(AgentId, B256, EffectId, EntryId, EpisodeId, GolemId, LineageId, U256, UtcTime);
as_number!(u8, u16, u32, u64, i32, i64, usize);

shown! {
    Usdc as usdc: usdc.to_string() => usdc.micros(), "usdc_micros";
    Gain as gain: signed(gain.0) => gain.0, "usdc_micros";
    // As text: it outgrows the numbers that JSON's readers keep exactly.
    Wei as wei: ether(wei.0) => wei.0.to_string(), "wei";
    TokenUnits as units: token(units.amount, units.denomination) => units.amount.to_string(), "token_units";
    Seconds as span: lapse(Duration::from_secs(span.0)) => span.0, "seconds";
    Tick as tick: tick.to_string() => tick.get();
    Ticks as ticks: ticks.0.to_string() => ticks.0, "ticks";
    Ppm as share: share.to_string() => share.get(), "ppm";
    Confidence as sure: sure.get().words() => sure.get().json(), Ppm::UNIT;
    Bps as share: basis_points(*share) => share.get(), "bps";
    Millionths as score: thousandths(score.0) => score.0, "micros";
    Number as number: three_digits(number.0) => number.0;
    ByteCount as size: format!("{} bytes", size.0) => size.0, "bytes";
    Tested as tested: if tested.0 { "✓" } else { "✗" }.to_owned() => tested.0;
    bool as is_so: if *is_so { "yes" } else { "no" }.to_owned() => *is_so;
    String as text: text.clone() => text.clone();
    &'static str as text: (*text).to_owned() => *text;
    PathBuf as path: path.display().to_string() => path.words();
    // With its checksum for the eye; in small letters for programs, as every other command tells it.
    Address as address: address.to_string() => format!("{address:#x}");
    AsKept as kept: in_words(&kept.0) => kept.0.clone();
}

fn in_words(kept: &Value) -> String {
    match kept {
        Value::Null => UNKNOWN.to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn basis_points(share: Bps) -> String {
    let (sign, points) = (if share.get() < 0 { "-" } else { "" }, share.magnitude());
    format!("{sign}{points} bps ({sign}{}.{:02}%)", points / 100, points % 100)
}

fn thousandths(millionths: i64) -> String {
    let sign = if millionths < 0 { "-" } else { "" };
    let thousandths = millionths.unsigned_abs() / 1_000;
    format!("{sign}{}.{:03}", thousandths / 1_000, thousandths % 1_000)
}

/// More where they would all be nothing.
fn three_digits(number: f64) -> String {
    if number != 0.0 && number.abs() < 0.001 { format!("{number:.2e}") } else { format!("{number:.3}") }
}

impl<T: Shown> Shown for Option<T> {
    const UNIT: &'static str = T::UNIT;

    fn words(&self) -> String {
        self.as_ref().map_or_else(|| UNKNOWN.to_owned(), Shown::words)
    }

    fn json(&self) -> Value {
        self.as_ref().map_or(Value::Null, Shown::json)
    }
}

impl<T: Shown> Shown for Vec<T> {
    const UNIT: &'static str = T::UNIT;

    fn words(&self) -> String {
        if self.is_empty() {
            return UNKNOWN.to_owned();
        }
        self.iter().map(Shown::words).collect::<Vec<_>>().join(", ")
    }

    fn json(&self) -> Value {
        self.iter().map(Shown::json).collect()
    }
}

/// Values by name.
impl<T: Shown> Shown for BTreeMap<String, T> {
    const UNIT: &'static str = T::UNIT;

    fn words(&self) -> String {
        let told: Vec<String> = self.iter().map(|(name, value)| format!("{name}: {}", value.words())).collect();
        if told.is_empty() { UNKNOWN.to_owned() } else { told.join(", ") }
    }

    fn json(&self) -> Value {
        self.iter().map(|(name, value)| (name.clone(), value.json())).collect()
    }
}
