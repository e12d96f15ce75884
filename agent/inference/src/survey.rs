//! Which tiers live, which do not and why, and what a day would cost: what a doctor asks before a life depends on it.

use std::fmt;

use golem_core::record::Tier;
use golem_ports::Usage;
use golem_primitives::Usdc;
use serde_json::Value;

use crate::http::Lost;
use crate::models::Seat;
use crate::patience::Patience;
use crate::price::Price;
use crate::settings::{InferenceSettings, SettingsError, TierSettings};
use crate::wire::error_words;

/// How a day is imagined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Day {
    /// Calls of each tier, T1 to T3.
    pub calls: [u32; 3],
    /// What one call reads and writes.
    pub tokens: Usage,
}

impl Default for Day {
    /// M-022, "ranging": of 2,160 ticks of forty seconds a tenth at T1 and seven hundredths at T2; a death a day is not
    /// planned for, so T3 stands with one call.
    fn default() -> Self {
        Self { calls: [216, 151, 1], tokens: Usage { input: 1_200, output: 200, cached: 0 } }
    }
}

/// What was found.
#[derive(Debug)]
pub struct Survey {
    /// T0 to T3.
    pub tiers: Vec<TierReport>,
}

impl Survey {
    /// Whether rules decide everything.
    #[must_use]
    pub fn is_rules_only(&self) -> bool {
        !self.tiers.iter().any(|report| matches!(report.state, TierState::Live { .. }))
    }

    /// What the day costs over all live tiers.
    #[must_use]
    pub fn per_day(&self) -> Usdc {
        let live = self.tiers.iter().filter(|report| matches!(report.state, TierState::Live { .. }));
        live.filter_map(|report| report.per_day).sum()
    }
}

/// One tier.
#[derive(Debug)]
pub struct TierReport {
    pub tier: Tier,
    pub state: TierState,
    pub model: Option<String>,
    pub price: Option<Price>,
    /// What the imagined day costs by that price.
    pub per_day: Option<Usdc>,
}

/// How a tier stands.
#[derive(Debug)]
#[non_exhaustive]
pub enum TierState {
    /// Rules: always there and free.
    Rules,
    /// Nobody was configured.
    Unset,
    Live {
        /// Whether the provider lists the model; `None` when its list could not be read.
        is_listed: Option<bool>,
    },
    Misset(SettingsError),
    /// It does not answer, in clean words.
    Down(String),
}

impl fmt::Display for TierState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rules => f.write_str("rules, always there and free"),
            Self::Unset => f.write_str("no model is configured; rules decide"),
            Self::Live { is_listed: Some(false) } => f.write_str("answers, but does not list this model"),
            Self::Live { .. } => f.write_str("answers"),
            Self::Misset(error) => write!(f, "misconfigured: {error}"),
            Self::Down(why) => write!(f, "does not answer: {why}"),
        }
    }
}

/// Asks every configured provider for its list of models, which costs nothing.
pub async fn survey(settings: &InferenceSettings, env: impl Fn(&str) -> Option<String>, day: Day) -> Survey {
    let mut tiers = Vec::new();
    for tier in Tier::ALL {
        let calls = (tier as usize).checked_sub(1).map(|place| day.calls[place]);
        tiers.push(match (settings.of(tier), calls) {
            (Some(chosen), Some(calls)) => {
                let price = chosen.price().ok();
                let per_day = price.map(|price| times(price.of(day.tokens), calls));
                let state = probe(chosen, &env).await;
                TierReport { tier, state, model: Some(chosen.model.clone()), price, per_day }
            }
            _ => {
                let state = if tier == Tier::T0 { TierState::Rules } else { TierState::Unset };
                TierReport { tier, state, model: None, price: None, per_day: None }
            }
        });
    }
    Survey { tiers }
}

fn times(cost: Usdc, calls: u32) -> Usdc {
    Usdc::from_micros(cost.micros().saturating_mul(calls.into()))
}

async fn probe(chosen: &TierSettings, env: &impl Fn(&str) -> Option<String>) -> TierState {
    let record = || std::sync::Arc::new(std::sync::Mutex::new(Patience::new(1)));
    let seat = match chosen.check(env).and_then(|checked| Seat::new(checked, record())) {
        Ok(seat) => seat,
        Err(error) => return TierState::Misset(error),
    };
    match seat.http.get(seat.format.models_path()).await {
        Ok(raw) if (200..300).contains(&raw.status) => TierState::Live { is_listed: lists(&raw.body, &seat.model) },
        Ok(raw) => {
            let why = seat.clean(error_words(&raw.body));
            TierState::Down(format!("status {}, {why}; check key and base_url", raw.status))
        }
        Err(Lost::Unconnected(why)) => TierState::Down(format!("{why}; check base_url and the network")),
        Err(Lost::TimedOut(limit)) => TierState::Down(format!("nothing came within {} s", limit.as_secs())),
        Err(Lost::Broken) => TierState::Down("the connection broke".to_owned()),
        // It answers; its list is merely long.
        Err(Lost::Oversized) => TierState::Live { is_listed: None },
    }
}

/// Whether a list of models, the same in both formats, has this one.
fn lists(body: &[u8], model: &str) -> Option<bool> {
    let body: Value = serde_json::from_slice(body).ok()?;
    let listed = body.get("data")?.as_array()?;
    let is = |entry: &Value| entry.get("id").and_then(Value::as_str) == Some(model);
    // Anthropic pages its list, so absence proves nothing there when more is to come.
    let has_more = body.get("has_more").and_then(Value::as_bool).unwrap_or(false);
    if listed.iter().any(is) { Some(true) } else { (!has_more).then_some(false) }
}
