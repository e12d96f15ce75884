//! The adapter: one seat for each tier somebody serves.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use golem_core::record::Tier;
use golem_ports::{Inference, InferenceError, InferenceFault, Request, Thought};
use golem_primitives::Usdc;

use crate::asking::Asking;
use crate::http::Http;
use crate::meter::Bounds;
use crate::patience::{Patience, TimeAndChance, WallPace};
use crate::price::Price;
use crate::settings::{Checked, Effort, Format, InferenceSettings, SettingsError, host};
use crate::wire::style::is_prose;
use crate::wire::{Form, Question, Style};

/// The longest prompt that is sent, system and user together. Below it one price holds at every provider.
pub const MOST_PROMPT_BYTES: usize = 96 * 1024;

/// The models an owner configured. Without any, rules decide everything and every question is refused.
///
/// One serves a whole fleet: budgets stand in the requests, and a provider's limit and health are the same for all.
#[derive(Debug)]
pub struct Models<P = WallPace> {
    seats: Vec<(Tier, Seat)>,
    pace: P,
}

/// A tier's provider, ready to be asked.
#[derive(Debug)]
pub(crate) struct Seat {
    pub(crate) format: Format,
    pub(crate) provider: String,
    pub(crate) model: String,
    pub(crate) http: Http,
    pub(crate) price: Price,
    pub(crate) patience: Duration,
    key: Option<crate::ProviderKey>,
    effort: Option<Effort>,
    max_output_tokens: u32,
    record: Arc<Mutex<Patience>>,
    /// As it last answered.
    style: Mutex<Style>,
}

impl Models<WallPace> {
    /// Models by these settings; `env` reads an environment variable. A sealed key takes about a second to open: not for
    /// an async thread.
    ///
    /// # Errors
    /// [`TierError`]: what is wrong, and with which tier.
    pub fn new(settings: &InferenceSettings, env: impl Fn(&str) -> Option<String>) -> Result<Self, TierError> {
        Self::with_pace(settings, env, WallPace::default())
    }
}

/// A tier whose settings are wrong.
#[derive(Debug, thiserror::Error)]
#[error("[inference.t{}]", *.tier as u8)]
pub struct TierError {
    pub tier: Tier,
    #[source]
    pub source: SettingsError,
}

impl<P: TimeAndChance> Models<P> {
    /// The same with time and chance of somebody's own.
    pub fn with_pace(
        settings: &InferenceSettings,
        env: impl Fn(&str) -> Option<String>,
        pace: P,
    ) -> Result<Self, TierError> {
        let mut records: BTreeMap<String, Arc<Mutex<Patience>>> = BTreeMap::new();
        let mut seats = Vec::new();
        for tier in Tier::ALL {
            let Some(chosen) = settings.of(tier) else { continue };
            let seat = chosen.check(&env).and_then(|checked| {
                // One provider is one provider, whatever its tiers: its limit and its health are shared.
                let fresh = || Arc::new(Mutex::new(Patience::new(checked.calls_per_minute)));
                let record = records.entry(checked.base.to_string()).or_insert_with(fresh).clone();
                Seat::new(checked, record)
            });
            seats.push((tier, seat.map_err(|source| TierError { tier, source })?));
        }
        Ok(Self { seats, pace })
    }

    fn seat(&self, request: &Request) -> Result<&Seat, InferenceError> {
        let refuse = |fault| Err(InferenceError::unsent(fault));
        if !request.purpose.may_ask(request.tier) {
            return refuse(InferenceFault::NotForThis { tier: request.tier, purpose: request.purpose });
        }
        let Some((_, seat)) = self.seats.iter().find(|(tier, _)| *tier == request.tier) else {
            return refuse(InferenceFault::NoProvider { tier: request.tier });
        };
        let bytes = request.prompt.system.len() + request.prompt.user.len();
        if bytes > MOST_PROMPT_BYTES {
            return refuse(InferenceFault::BadRequest {
                why: format!("the prompt has {bytes} bytes, more than {MOST_PROMPT_BYTES}"),
            });
        }
        if request.max_output_tokens == 0 {
            return refuse(InferenceFault::BadRequest { why: "max_output_tokens is 0".to_owned() });
        }
        Ok(seat)
    }
}

impl Seat {
    pub(crate) fn new(checked: Checked, record: Arc<Mutex<Patience>>) -> Result<Self, SettingsError> {
        Ok(Self {
            http: Http::new(&checked)?,
            provider: host(&checked.base),
            style: Mutex::new(Style {
                says_completion_tokens: checked.base.host_str() == Some("api.openai.com"),
                ..Style::default()
            }),
            format: checked.format,
            model: checked.model,
            price: checked.price,
            patience: checked.patience,
            key: checked.key,
            effort: checked.effort,
            max_output_tokens: checked.max_output_tokens,
            record,
        })
    }

    /// The longest answer to a request: its own bound, or the owner's.
    pub(crate) fn max_tokens(&self, request: &Request) -> u32 {
        request.max_output_tokens.min(self.max_output_tokens)
    }

    /// The body of a question, written this way, and what it may cost.
    pub(crate) fn write(&self, request: &Request, complaint: Option<&str>, style: Style) -> (Vec<u8>, Bounds) {
        let max_tokens = self.max_tokens(request);
        let forms = self.format.forms();
        let question = Question {
            model: &self.model,
            request,
            form: if is_prose(request) { Form::Prose } else { forms[style.form.min(forms.len() - 1)] },
            max_tokens,
            complaint,
            effort: self.effort.filter(|_| !style.leaves_effort),
            says_completion_tokens: style.says_completion_tokens,
            folds_system: style.folds_system,
            temperature: request.temperature.filter(|_| !style.leaves_temperature),
        };
        let body = self.format.body(&question);
        let bounds = Bounds::of(self.format, body.len(), max_tokens);
        (body, bounds)
    }

    /// How the provider is asked: as it last answered.
    pub(crate) fn style(&self) -> Style {
        *self.style.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The provider answers when it is asked this way.
    pub(crate) fn adopt(&self, style: Style) {
        *self.style.lock().unwrap_or_else(PoisonError::into_inner) = style;
    }

    /// What is remembered of the provider.
    pub(crate) fn record<R>(&self, change: impl FnOnce(&mut Patience) -> R) -> R {
        // Whoever panicked meanwhile left counters, not invariants.
        change(&mut self.record.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A provider's own words, unless a piece of the key is among them.
    pub(crate) fn clean(&self, words: String) -> String {
        match &self.key {
            Some(key) if key.is_in(&words) => "its words repeat the key and are not shown".to_owned(),
            _ if words.is_empty() => "it did not say why".to_owned(),
            _ => words,
        }
    }
}

impl<P: TimeAndChance> Inference for Models<P> {
    async fn ask(&self, request: &Request) -> Result<Thought, InferenceError> {
        let seat = self.seat(request)?;
        let answer = Asking::new(seat, &self.pace, request).answer().await;
        match &answer {
            Ok(answer) => tracing::debug!(
                tier = ?request.tier, prompt = %request.prompt.id, provider = %seat.provider, cost = %answer.cost,
                metering = ?answer.metering, repaired = answer.repaired, "a model answered"
            ),
            Err(error) => tracing::debug!(
                tier = ?request.tier, prompt = %request.prompt.id, provider = %seat.provider, %error, "no answer"
            ),
        }
        answer
    }

    fn quote(&self, request: &Request) -> Result<Usdc, InferenceError> {
        let seat = self.seat(request)?;
        Ok(seat.write(request, None, seat.style()).1.most(&seat.price))
    }

    fn tiers(&self) -> Vec<Tier> {
        std::iter::once(Tier::T0).chain(self.seats.iter().map(|(tier, _)| *tier)).collect()
    }
}
