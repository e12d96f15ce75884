//! What an owner chooses: who serves which tier, at what price, with which key.

mod error;
mod table;

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use golem_core::record::Tier;
use golem_primitives::Usdc;
use reqwest::Url;

use crate::price::Price;
use crate::sealed;
use crate::secret::ProviderKey;

pub use error::SettingsError;
pub use table::{ThoughtSettings, Thoughts, TierKeys, TierTable};

/// The tables `[inference.t1]`, `[inference.t2]` and `[inference.t3]`, and what is thought beside choosing actions.
/// Without any table, rules decide everything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InferenceSettings {
    /// The small model.
    pub t1: Option<TierSettings>,
    /// The large model.
    pub t2: Option<TierSettings>,
    /// The death reflection's.
    pub t3: Option<TierSettings>,
    /// M-067. Whether a model is asked why predictions fail.
    pub reflect: bool,
    /// G-142. Whether a model is asked what episodes have in common, in each Curator cycle. A standing cost, so nobody
    /// has it who did not ask for it.
    pub distil: bool,
    /// M-195, M-211. Whether a model tells the life once it is over: T3 of a rich death, T1 of any other.
    pub last_words: bool,
}

impl Default for InferenceSettings {
    fn default() -> Self {
        let Thoughts { reflect, distil, last_words } = Thoughts::default();
        Self { t1: None, t2: None, t3: None, reflect, distil, last_words }
    }
}

/// Which wire format a provider speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Anthropic's Messages.
    Anthropic,
    /// OpenAI's chat completions: OpenAI, Ollama, vLLM, Venice, OpenRouter.
    OpenAi,
}

impl Format {
    fn from_name(name: &str) -> Option<Self> {
        match name {
            "anthropic" => Some(Self::Anthropic),
            "openai" => Some(Self::OpenAi),
            _ => None,
        }
    }

    const fn usual_base(self) -> &'static str {
        match self {
            Self::Anthropic => "https://api.anthropic.com",
            Self::OpenAi => "https://api.openai.com/v1",
        }
    }
}

golem_primitives::words! {
    /// How hard a model thinks. Thinking is paid as output, and a short answer that thinks long is cut before it is given.
    Effort {
        /// Hardly; OpenAI only.
        Minimal = "minimal",
        Low = "low",
        Medium = "medium",
        High = "high",
    }
}

/// One tier's provider.
#[derive(Clone, PartialEq, Eq)]
pub struct TierSettings {
    /// The wire format: "anthropic" or "openai".
    pub provider: Format,
    /// Where it is, up to what `/messages`' `/v1` or `/chat/completions` follows.
    pub base_url: Option<String>,
    /// The model, as the provider names it.
    pub model: String,
    /// The environment variable that holds the key.
    pub key_env: Option<String>,
    /// A sealed file that holds the key.
    pub key_file: Option<PathBuf>,
    /// The environment variable that holds the sealed file's password.
    pub key_password_env: Option<String>,
    /// How hard the model thinks before it answers, where it can be told.
    pub effort: Option<Effort>,
    /// The longest answer ever asked for, in tokens; thinking counts.
    pub max_output_tokens: u32,
    /// Seconds one call may take.
    pub timeout: u64,
    /// Seconds all attempts of a question may take together.
    pub patience: u64,
    /// Calls a minute, over all tiers of one provider.
    pub calls_per_minute: u32,
    /// Whether plain http is allowed to another machine.
    pub allow_http: bool,
    /// A proxy to go through; those of the environment are not used.
    pub proxy: Option<String>,
    /// USDC per million tokens read, when the list does not know or an owner knows better.
    pub input_price: Option<Usdc>,
    /// USDC per million tokens written.
    pub output_price: Option<Usdc>,
    /// USDC per million tokens read from cache; the price of reading when left out.
    pub cached_price: Option<Usdc>,
}

/// A tier's settings, checked, with the key in hand.
#[derive(Debug, Clone)]
pub(crate) struct Checked {
    pub(crate) format: Format,
    pub(crate) base: Url,
    pub(crate) model: String,
    pub(crate) key: Option<ProviderKey>,
    pub(crate) effort: Option<Effort>,
    pub(crate) max_output_tokens: u32,
    pub(crate) timeout: Duration,
    pub(crate) patience: Duration,
    pub(crate) calls_per_minute: u32,
    pub(crate) proxy: Option<Url>,
    pub(crate) price: Price,
}

impl InferenceSettings {
    /// Whether no tier is configured: rules decide everything.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.t1.is_none() && self.t2.is_none() && self.t3.is_none()
    }

    /// The table of a tier; rules have none.
    #[must_use]
    pub const fn of(&self, tier: Tier) -> Option<&TierSettings> {
        match tier {
            Tier::T0 => None,
            Tier::T1 => self.t1.as_ref(),
            Tier::T2 => self.t2.as_ref(),
            Tier::T3 => self.t3.as_ref(),
        }
    }
}

impl fmt::Debug for TierSettings {
    /// What an owner may have written a key into by mistake is not shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let base = self.base().map(|base| host(&base)).unwrap_or_else(|_| "***".to_owned());
        let key_env = self.key_env.as_deref().map(|text| variable("key_env", text).unwrap_or("***"));
        f.debug_struct("TierSettings")
            .field("provider", &self.provider)
            .field("base", &base)
            .field("model", &self.model)
            .field("key_env", &key_env)
            .finish_non_exhaustive()
    }
}

impl TierSettings {
    /// A tier with everything else at its default.
    #[must_use]
    pub fn new(provider: Format, model: &str) -> Self {
        let usual = TierKeys::default();
        let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        Self {
            provider,
            base_url: None,
            model: model.to_owned(),
            key_env: None,
            key_file: None,
            key_password_env: None,
            effort: None,
            max_output_tokens: small(usual.max_output_tokens),
            timeout: usual.timeout,
            patience: usual.patience,
            calls_per_minute: small(usual.calls_per_minute),
            allow_http: usual.allow_http,
            proxy: None,
            input_price: None,
            output_price: None,
            cached_price: None,
        }
    }

    /// The price by these settings, the list, or nothing for a model on this machine.
    ///
    /// # Errors
    /// [`SettingsError::NoPrice`] where nobody says, or what is wrong with the address.
    pub fn price(&self) -> Result<Price, SettingsError> {
        let (input, output, cached) = (self.input_price, self.output_price, self.cached_price);
        let listed = if is_loopback(&self.base()?) { Some(Price::FREE) } else { Price::listed(&self.model) };
        let unknown = || SettingsError::NoPrice { model: self.model.clone() };
        Ok(Price {
            input: input.or(listed.map(|price| price.input)).ok_or_else(unknown)?,
            output: output.or(listed.map(|price| price.output)).ok_or_else(unknown)?,
            cached: cached.or(input).or(listed.map(|price| price.cached)).ok_or_else(unknown)?,
        })
    }

    fn base(&self) -> Result<Url, SettingsError> {
        let base = address(self.base_url.as_deref().unwrap_or(self.provider.usual_base()))?;
        if base.scheme() == "http" && !is_loopback(&base) && !self.allow_http {
            return Err(SettingsError::PlainHttp { host: host(&base) });
        }
        Ok(base)
    }

    fn key(&self, base: &Url, env: &dyn Fn(&str) -> Option<String>) -> Result<Option<ProviderKey>, SettingsError> {
        let read = |key, name: &str| {
            let name = variable(key, name)?;
            env(name).ok_or_else(|| SettingsError::Unset { name: name.to_owned() })
        };
        match (&self.key_env, &self.key_file) {
            (Some(_), Some(_)) => Err(SettingsError::TwoKeys),
            (Some(name), None) => ProviderKey::new(read("key_env", name)?, name).map(Some),
            (None, Some(path)) => {
                let name = self.key_password_env.as_deref().unwrap_or("BARDO_INFERENCE_PASSWORD");
                let password = read("key_password_env", name)?;
                Ok(Some(sealed::open(path, &password.into())?))
            }
            (None, None) if is_loopback(base) => Ok(None),
            (None, None) => Err(SettingsError::NoKey { host: host(base) }),
        }
    }

    /// Everything checked, the key read.
    pub(crate) fn check(&self, env: &dyn Fn(&str) -> Option<String>) -> Result<Checked, SettingsError> {
        let base = self.base()?;
        Ok(Checked {
            format: self.provider,
            model: self.model.clone(),
            key: self.key(&base, env)?,
            effort: self.effort,
            max_output_tokens: self.max_output_tokens,
            timeout: Duration::from_secs(self.timeout),
            patience: Duration::from_secs(self.patience),
            calls_per_minute: self.calls_per_minute,
            proxy: self.proxy.as_deref().map(address).transpose()?,
            price: self.price()?,
            base,
        })
    }
}

/// The name of a variable. Keys have dashes or small letters in them, names by custom do not: who wrote the key
/// where its variable's name belongs is told so, and the key is not repeated.
fn variable<'a>(key: &'static str, text: &'a str) -> Result<&'a str, SettingsError> {
    let is_name = text.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_');
    let begins = text.bytes().next().is_some_and(|b| !b.is_ascii_digit());
    if is_name && begins && text.len() <= 64 { Ok(text) } else { Err(SettingsError::NotAName { key }) }
}

/// An address without secrets in it.
fn address(text: &str) -> Result<Url, SettingsError> {
    let url: Url = text.trim().parse().map_err(|_| SettingsError::NotAUrl)?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(SettingsError::NotAUrl);
    }
    let has_secret = !url.username().is_empty() || url.password().is_some();
    if has_secret || url.query().is_some() || url.fragment().is_some() {
        return Err(SettingsError::SecretInUrl);
    }
    Ok(url)
}

fn is_loopback(url: &Url) -> bool {
    let name = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    name == "localhost" || name.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// Who is asked, as it is shown.
pub(crate) fn host(url: &Url) -> String {
    let name = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| name.to_owned(), |port| format!("{name}:{port}"))
}

#[cfg(test)]
#[path = "tests/settings.rs"]
mod tests;
