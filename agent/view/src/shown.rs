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

impl Shown for AsKept {
    fn words(&self) -> String {
        match &self.0 {
            Value::Null => UNKNOWN.to_owned(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        }
    }

    fn json(&self) -> Value {
        self.0.clone()
    }
}

impl Shown for Bps {
    const UNIT: &'static str = "bps";

    fn words(&self) -> String {
        let (sign, points) = (if self.get() < 0 { "-" } else { "" }, self.magnitude());
        format!("{sign}{points} bps ({sign}{}.{:02}%)", points / 100, points % 100)
    }

    fn json(&self) -> Value {
        self.get().into()
    }
}

impl Shown for Millionths {
    const UNIT: &'static str = "micros";

    /// Three digits.
    fn words(&self) -> String {
        let sign = if self.0 < 0 { "-" } else { "" };
        let thousandths = self.0.unsigned_abs() / 1_000;
        format!("{sign}{}.{:03}", thousandths / 1_000, thousandths % 1_000)
    }

    fn json(&self) -> Value {
        self.0.into()
    }
}

impl Shown for ByteCount {
    const UNIT: &'static str = "bytes";

    fn words(&self) -> String {
        format!("{} bytes", self.0)
    }

    fn json(&self) -> Value {
        self.0.into()
    }
}

impl Shown for Tested {
    fn words(&self) -> String {
        if self.0 { "✓" } else { "✗" }.to_owned()
    }

    fn json(&self) -> Value {
        self.0.into()
    }
}

impl Shown for Confidence {
    const UNIT: &'static str = Ppm::UNIT;

    fn words(&self) -> String {
        self.get().words()
    }

    fn json(&self) -> Value {
        self.get().json()
    }
}

impl Shown for Usdc {
    const UNIT: &'static str = "usdc_micros";

    fn words(&self) -> String {
        self.to_string()
    }

    fn json(&self) -> Value {
        self.micros().into()
    }
}

impl Shown for Gain {
    const UNIT: &'static str = "usdc_micros";

    fn words(&self) -> String {
        signed(self.0)
    }

    fn json(&self) -> Value {
        self.0.into()
    }
}

impl Shown for Wei {
    const UNIT: &'static str = "wei";

    fn words(&self) -> String {
        ether(self.0)
    }

    /// As text: it outgrows the numbers that JSON's readers keep exactly.
    fn json(&self) -> Value {
        self.0.to_string().into()
    }
}

impl Shown for TokenUnits {
    const UNIT: &'static str = "token_units";

    fn words(&self) -> String {
        token(self.amount, self.denomination)
    }

    fn json(&self) -> Value {
        self.amount.to_string().into()
    }
}

impl Shown for Seconds {
    const UNIT: &'static str = "seconds";

    fn words(&self) -> String {
        lapse(Duration::from_secs(self.0))
    }

    fn json(&self) -> Value {
        self.0.into()
    }
}

impl Shown for Ticks {
    const UNIT: &'static str = "ticks";

    fn words(&self) -> String {
        self.0.to_string()
    }

    fn json(&self) -> Value {
        self.0.into()
    }
}

impl Shown for Ppm {
    const UNIT: &'static str = "ppm";

    fn words(&self) -> String {
        self.to_string()
    }

    fn json(&self) -> Value {
        self.get().into()
    }
}

impl Shown for Number {
    /// Three digits, and more where they would all be nothing.
    fn words(&self) -> String {
        let Self(number) = *self;
        if number != 0.0 && number.abs() < 0.001 { format!("{number:.2e}") } else { format!("{number:.3}") }
    }

    fn json(&self) -> Value {
        self.0.into()
    }
}

impl Shown for bool {
    fn words(&self) -> String {
        if *self { "yes" } else { "no" }.to_owned()
    }

    fn json(&self) -> Value {
        (*self).into()
    }
}

impl Shown for String {
    fn words(&self) -> String {
        self.clone()
    }

    fn json(&self) -> Value {
        self.clone().into()
    }
}

impl Shown for &'static str {
    fn words(&self) -> String {
        (*self).to_owned()
    }

    fn json(&self) -> Value {
        (*self).into()
    }
}

/// What already has one way to be written.
macro_rules! as_written {
    ($($type:ty),*) => {$(
        impl Shown for $type {
            fn words(&self) -> String {
                self.to_string()
            }

            fn json(&self) -> Value {
                self.to_string().into()
            }
        }
    )*};
}

/// What is a plain number.
macro_rules! as_number {
    ($($type:ty),*) => {$(
        impl Shown for $type {
            fn words(&self) -> String {
                self.to_string()
            }

            fn json(&self) -> Value {
                (*self).into()
            }
        }
    )*};
}

as_written!(AgentId, B256, EffectId, EntryId, EpisodeId, GolemId, LineageId, U256, UtcTime);
as_number!(u8, u16, u32, u64, i32, i64, usize);

impl Shown for PathBuf {
    fn words(&self) -> String {
        self.display().to_string()
    }

    fn json(&self) -> Value {
        self.words().into()
    }
}

impl Shown for Address {
    /// With its checksum, for the eye.
    fn words(&self) -> String {
        self.to_string()
    }

    /// In small letters, as every other command tells it.
    fn json(&self) -> Value {
        format!("{self:#x}").into()
    }
}

impl Shown for Tick {
    fn words(&self) -> String {
        self.to_string()
    }

    fn json(&self) -> Value {
        self.get().into()
    }
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
