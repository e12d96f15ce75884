//! The tables `[inference]` and `[inference.t1]` to `[inference.t3]` of golem.toml.

use std::path::PathBuf;

use golem_primitives::Usdc;
use golem_settings::{Allowed, SettingsFile, settings};

use super::{Effort, Format, InferenceSettings, TierSettings};

/// The tiers a table may be of; rules have none.
const TIERS: [&str; 3] = ["t1", "t2", "t3"];

/// Empty, or a word that is known.
const fn words(is: fn(&String) -> bool, words: &'static str) -> Allowed<String> {
    Allowed::Such { is, words }
}

settings! {
    /// What is thought beside choosing actions.
    pub ThoughtSettings;
    /// Whether a model is asked for more than actions.
    "inference" thoughts: Thoughts {
        reflect: bool = true, Allowed::Any, "M-067", "Ask the small model why predictions fail when the epistemic clock warns.";
        distil: bool = false, Allowed::Any, "G-142", "Ask a model in each Curator cycle what the episodes have in common; a standing cost.";
        last_words: bool = true, Allowed::Any, "M-195", "Let a model tell the life once it is over: T3 of a rich death, T1 of any other.";
    }
}

settings! {
    /// The table of a tier, as it was written.
    pub TierTable;
    /// Who serves it.
    "inference.TIER" tier: TierKeys {
        provider: String = String::new(), words(|word| Format::from_name(word).is_some(), "anthropic or openai"), "R-030", "The wire format: anthropic, or openai (OpenAI, Ollama, vLLM, Venice, OpenRouter).";
        base_url: String = String::new(), Allowed::Any, "R-030", "Where it is, https unless on this machine; the provider's own when empty.";
        model: String = String::new(), Allowed::Any, "R-030", "The model, as the provider names it.";
        key_env: String = String::new(), Allowed::Any, "R-030", "The environment variable that holds the key; none for a local model.";
        key_file: String = String::new(), Allowed::Any, "R-030", "The sealed file that holds the key, instead of key_env.";
        key_password_env: String = String::new(), Allowed::Any, "R-030", "The environment variable that holds the sealed file's password.";
        effort: String = String::new(), words(|word| word.is_empty() || Effort::from_name(word).is_some(), "minimal, low, medium or high"), "R-030", "How hard it thinks, where it can be told; its own way when empty.";
        max_output_tokens: u64 = 1_024, Allowed::Within(1, 128_000), "R-030", "The longest answer ever asked for; thinking counts.";
        timeout: u64 = 60, Allowed::Within(1, 3_600), "R-030", "Seconds one call may take.";
        patience: u64 = 120, Allowed::Within(1, 3_600), "R-030", "Seconds all attempts of a question may take together.";
        calls_per_minute: u64 = 30, Allowed::Within(1, 6_000), "R-030", "Calls a minute to one provider, over all its tiers.";
        allow_http: bool = false, Allowed::Any, "R-030", "Allow plain http to another machine.";
        proxy: String = String::new(), Allowed::Any, "R-030", "A proxy to go through; those of the environment are not used.";
        input_price: Option<Usdc> = None, Allowed::Any, "R-030", "USDC per million tokens read; by the list when empty.";
        output_price: Option<Usdc> = None, Allowed::Any, "R-030", "USDC per million tokens written; by the list when empty.";
        cached_price: Option<Usdc> = None, Allowed::Any, "R-030", "USDC per million tokens read from cache; input_price when empty.";
    }
}

impl InferenceSettings {
    /// Takes the tables out of a file; what is wrong beyond a single key is told without what was written, in which a key
    /// might stand.
    pub fn take(file: &mut SettingsFile, mistakes: &mut Vec<String>) -> Self {
        let mut thoughts = ThoughtSettings::default();
        file.fill(&mut thoughts);
        let mut tables = file.each::<TierTable>();
        let mut tier = |name: &str| {
            let keys = tables.remove(name)?.tier;
            TierSettings::of(&keys).map_err(|mistake| mistakes.push(format!("inference.{name}: {mistake}"))).ok()
        };
        let [t1, t2, t3] = TIERS.map(&mut tier);
        let unknown = tables.into_keys().map(|name| format!("inference.{name} is no tier; write t1, t2 or t3"));
        mistakes.extend(unknown);
        let Thoughts { reflect, distil, last_words } = thoughts.thoughts;
        Self { t1, t2, t3, reflect, distil, last_words }
    }
}

impl TierSettings {
    /// What a table says.
    fn of(keys: &TierKeys) -> Result<Self, String> {
        let given = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
        let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let provider = Format::from_name(&keys.provider).ok_or("provider is missing; write anthropic or openai")?;
        if keys.model.is_empty() {
            return Err("model is missing; write it as the provider names it".to_owned());
        }
        let tier = Self {
            provider,
            base_url: given(&keys.base_url),
            model: keys.model.clone(),
            key_env: given(&keys.key_env),
            key_file: given(&keys.key_file).map(PathBuf::from),
            key_password_env: given(&keys.key_password_env),
            effort: Effort::from_name(&keys.effort),
            max_output_tokens: small(keys.max_output_tokens),
            timeout: keys.timeout,
            patience: keys.patience,
            calls_per_minute: small(keys.calls_per_minute),
            allow_http: keys.allow_http,
            proxy: given(&keys.proxy),
            input_price: keys.input_price,
            output_price: keys.output_price,
            cached_price: keys.cached_price,
        };
        tier.price().map_err(|mistake| mistake.to_string())?;
        Ok(tier)
    }
}
