//! What an owner may choose beside the law: `[golem]`, `[chain]`, `[grimoire]`, `[embedder]`, `[inference]`, `[alerts]`,
//! `[feed]`, `[succession]`, `[daimon]`, `[suffering]` and `[dreams]` of `golem.toml`.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use eyre::{Result, bail};
use golem_core::trader::TraderSettings;
use golem_grimoire::law::GrimoireLaw;
use golem_grimoire::reflection::ReflectionLaw;
use golem_grimoire::retention::RetentionLaw;
use golem_mortality::config::{Config, Hosting, KeyDescription};
use golem_playbook::promotion::Founding;
use golem_primitives::{Ppm, Usdc};
use toml::de::{DeTable, DeValue};

use super::book::BookChoice;
use super::data::{self, DataChoice};
use super::embedding::EmbedderChoice;
use super::feed::{self, FeedChoice};
use super::models;
use super::sleep;
use super::succession::{self, SuccessionChoice};
use super::temper::{self, TemperChoice};

/// The tables of this file; the law has its own.
pub(crate) const TABLES: [&str; 12] = [
    "golem",
    "chain",
    "grimoire",
    "embedder",
    "alerts",
    "feed",
    "succession",
    "daimon",
    "suffering",
    "dreams",
    models::TABLE,
    data::TABLE,
];

/// Every key: name, default, range, meaning.
const KEYS: [(&str, &str, &str, &str); 23] = [
    (
        "golem.playbook",
        "mean-reversion",
        "mean-reversion, momentum, range-liquidity, or a file",
        "The book it is founded on; its birth keeps it as founding.md, and nothing reads this later.",
    ),
    (
        "golem.founding",
        "trial",
        "trial, paper, trust",
        "What the rules of that book may move at first: a quarter of their stake, nothing, or all of it at your own risk.",
    ),
    (
        "golem.stake",
        "0.05",
        "0.001 to 0.10",
        "The share of capital its book may use; the vault bounds each trade again.",
    ),
    ("golem.host_usdc_per_tick", "0.0001", "0 to 1", "What the machine costs a tick, paid to the listed host."),
    ("golem.tick_seconds", "40", "2 to 3600", "The length of a tick; the phase stretches it."),
    ("chain.rpc", "[]", "a list of URLs", "Endpoints; several are used by their health."),
    ("chain.deployment", "", "a file", "Addresses of the suite, as the deploy script writes them."),
    ("chain.block_seconds", "2", "1 to 600", "How often open transactions are looked after."),
    ("chain.metrics", "", "an address such as 127.0.0.1:9464", "Where Prometheus may ask; nowhere when empty."),
    (
        "grimoire.decision_ticks",
        "50",
        "0 to 1000",
        "Ticks for which what a model advised answers the same situation; with 0 it is asked every time.",
    ),
    ("grimoire.capacity", "500", "50 to 5000", "Active entries there is room for; the least certain go first."),
    (
        "grimoire.archive_threshold",
        "0.10",
        "0.01 to 0.30",
        "What is worth less than this now leaves at the next cycle.",
    ),
    (
        "embedder.kind",
        "minilm",
        "minilm, openai, ollama, none",
        "What turns entries into vectors; none searches words.",
    ),
    ("embedder.folder", "", "a folder", "Where minilm's files are; its cache when empty."),
    ("embedder.base_url", "", "a URL", "Where an openai or ollama endpoint is."),
    ("embedder.model", "", "a name", "Its model; nomic-embed-text when empty."),
    ("embedder.version", "", "a text", "Which one of that name; asked of Ollama when empty."),
    ("embedder.dimensions", "0", "0 to 8192", "Numbers of a vector; 0 for what the model is known for."),
    ("embedder.key_env", "", "a name", "The environment variable that holds the endpoint's key; never the key itself."),
    ("alerts.webhook", "", "a URL", "Where alerts are posted as JSON."),
    ("alerts.command", "", "a program", "What is run for each alert, its JSON on standard input."),
    ("alerts.low_gas_beats", "60", "1 to 10000", "Reports the key's gas must cover before an alert."),
    ("alerts.missed_beat_hours", "7", "1 to 168", "Silence on chain before an alert."),
];

/// What was chosen.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) law: Config,
    pub(crate) trader: TraderSettings,
    /// P-009. The book it is founded on.
    pub(crate) playbook: BookChoice,
    /// P-047. What the rules of that book may move at first.
    pub(crate) founding: Founding,
    pub(crate) tick: Duration,
    pub(crate) rpc: Vec<String>,
    pub(crate) deployment: Option<PathBuf>,
    pub(crate) block: Duration,
    pub(crate) metrics: Option<SocketAddr>,
    pub(crate) grimoire: GrimoireLaw,
    pub(crate) embedder: EmbedderChoice,
    pub(crate) inference: golem_inference::Settings,
    pub(crate) webhook: Option<String>,
    pub(crate) command: Option<String>,
    pub(crate) low_gas_beats: u64,
    pub(crate) missed_beat: Duration,
    pub(crate) feed: Option<FeedChoice>,
    pub(crate) data: Option<DataChoice>,
    pub(crate) succession: SuccessionChoice,
    pub(crate) temper: TemperChoice,
    pub(crate) dreams: golem_runtime::DreamChoice,
}

/// The keys of this file and of the rooms that keep their own.
fn keys() -> impl Iterator<Item = (&'static str, &'static str, &'static str, &'static str)> {
    KEYS.into_iter().chain(feed::KEYS).chain(succession::KEYS).chain(temper::KEYS).chain(sleep::KEYS)
}

/// Every key beside the law's, for `bardo config`.
pub(crate) fn describe() -> impl Iterator<Item = KeyDescription> {
    let own = keys().map(|(key, default, bounds, meaning)| KeyDescription {
        key: key.to_owned(),
        default: default.to_owned(),
        bounds: bounds.to_owned(),
        meaning,
        id: "O-003",
    });
    own.chain(data::describe()).chain(models::describe())
}

impl Settings {
    /// Reads a whole `golem.toml`; every mistake is told at once.
    pub(crate) fn read(text: &str, is_self_hosted: bool) -> Result<Self> {
        let (settings, mut mistakes, own) = Self::take(text, is_self_hosted);
        mistakes.extend(own);
        if mistakes.is_empty() {
            return Ok(settings);
        }
        bail!("{} mistake(s):\n  {}", mistakes.len(), mistakes.join("\n  "))
    }

    /// The mistakes of these tables alone; the law tells its own.
    pub(crate) fn mistakes(text: &str, is_self_hosted: bool) -> Vec<String> {
        Self::take(text, is_self_hosted).2
    }

    /// What differs from the defaults: key, default, choice.
    pub(crate) fn chosen(text: &str) -> Vec<(String, String, String)> {
        let found = values(text, &mut Vec::new());
        let shown = |value: &Value| match value {
            Value::Text(text) => text.clone(),
            Value::List(items) => format!("[{}]", items.join(", ")),
        };
        keys()
            .filter_map(|(key, default, ..)| {
                let value = found.iter().find(|(found, _)| found == key).map(|(_, value)| shown(value))?;
                (value != default).then(|| (key.to_owned(), default.to_owned(), value))
            })
            .chain(data::changes(data::read(text, &mut Vec::new()).as_ref()))
            .chain(models::changes(&models::read(text, &mut Vec::new())))
            .collect()
    }

    /// The settings, the mistakes against the law, and those of these tables.
    fn take(text: &str, is_self_hosted: bool) -> (Self, Vec<String>, Vec<String>) {
        let hosting = if is_self_hosted { Hosting::SelfHosted } else { Hosting::Hosted };
        let mut of_law = Vec::new();
        let law = Config::read(text, hosting, &TABLES).unwrap_or_else(|errors| {
            of_law.extend(errors.iter().map(ToString::to_string));
            Config::default_for(hosting)
        });
        let mut mistakes = Vec::new();
        let inference = models::read(text, &mut mistakes);
        let data = data::read(text, &mut mistakes);
        let found = values(text, &mut mistakes);
        let mut reader = Reader { found, mistakes };
        let settings = Self {
            trader: TraderSettings {
                stake: reader
                    .parse("golem.stake", |share: &Ppm| (1_000..=100_000).contains(&share.get()).then_some(*share)),
                host_per_tick: reader
                    .parse("golem.host_usdc_per_tick", |usdc: &Usdc| (*usdc <= Usdc::whole(1)).then_some(*usdc)),
            },
            playbook: reader.parse("golem.playbook", |book: &BookChoice| Some(book.clone())),
            founding: reader.parse("golem.founding", |word: &String| founding_of(word)),
            tick: reader
                .parse("golem.tick_seconds", |s: &u64| (2..=3_600).contains(s).then(|| Duration::from_secs(*s))),
            rpc: reader.list("chain.rpc"),
            deployment: reader.text("chain.deployment").map(PathBuf::from),
            block: reader
                .parse("chain.block_seconds", |s: &u64| (1..=600).contains(s).then(|| Duration::from_secs(*s))),
            metrics: reader.address("chain.metrics"),
            grimoire: GrimoireLaw {
                retention: reader.parse("grimoire.archive_threshold", |share: &Ppm| {
                    RetentionLaw::default().with_archive_threshold(*share).ok()
                }),
                decision_ticks: reader.parse("grimoire.decision_ticks", |n: &u64| (*n <= 1_000).then_some(*n)),
                capacity: reader.parse("grimoire.capacity", |n: &usize| (50..=5_000).contains(n).then_some(*n)),
                reflection: reflection(&law),
                ..GrimoireLaw::default()
            },
            embedder: EmbedderChoice {
                kind: reader.parse("embedder.kind", |kind: &String| {
                    ["minilm", "openai", "ollama", "none"].contains(&kind.as_str()).then(|| kind.clone())
                }),
                folder: reader.text("embedder.folder").unwrap_or_default(),
                base_url: reader.text("embedder.base_url").unwrap_or_default(),
                model: reader.text("embedder.model").unwrap_or_default(),
                version: reader.text("embedder.version").unwrap_or_default(),
                dimensions: reader.parse("embedder.dimensions", |n: &u16| (*n <= 8_192).then_some(*n)),
                key_env: reader.text("embedder.key_env"),
            },
            inference,
            webhook: reader.text("alerts.webhook"),
            command: reader.text("alerts.command"),
            low_gas_beats: reader.parse("alerts.low_gas_beats", |n: &u64| (1..=10_000).contains(n).then_some(*n)),
            missed_beat: reader.parse("alerts.missed_beat_hours", |h: &u64| {
                (1..=168).contains(h).then(|| Duration::from_secs(*h * 3_600))
            }),
            feed: FeedChoice::read(&mut reader),
            data,
            succession: SuccessionChoice::read(&mut reader, &law),
            temper: TemperChoice::read(&mut reader),
            dreams: sleep::read(&mut reader),
            law,
        };
        // What each kind of embedder needs and has no use for is its own room's to say.
        if let Err(mistake) = settings.embedder.check() {
            reader.mistakes.push(mistake);
        }
        (settings, of_law, reader.mistakes)
    }
}

/// M-296, I-209. What the owner asks a life to leave beyond what it was given.
fn reflection(law: &Config) -> ReflectionLaw {
    let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    ReflectionLaw {
        least_divergence: law.succession.divergence,
        least_novel: small(law.succession.novel_minimum),
        least_invalidated: small(law.succession.invalidated_minimum),
        least_question_ratio: law.succession.question_ratio,
        ..ReflectionLaw::default()
    }
}

#[derive(Debug)]
pub(super) enum Value {
    Text(String),
    List(Vec<String>),
}

pub(super) struct Reader {
    found: Vec<(String, Value)>,
    pub(super) mistakes: Vec<String>,
}

/// Every value of these tables as it was written; unknown keys are mistakes with the nearest known one.
fn values(text: &str, mistakes: &mut Vec<String>) -> Vec<(String, Value)> {
    // What is no TOML at all was told by the law's own reader.
    let Ok(document) = DeTable::parse(text) else { return Vec::new() };
    let mut found = Vec::new();
    for (table, value) in document.get_ref() {
        let name = table.get_ref().as_ref();
        // Tables that lie a step deeper are read by their own rooms.
        if !TABLES.contains(&name) || [models::TABLE, data::TABLE].contains(&name) {
            continue;
        }
        let DeValue::Table(keys) = value.get_ref() else {
            mistakes.push(format!("{name} is a table: write [{name}]"));
            continue;
        };
        take_table(name, keys, &mut found, mistakes);
    }
    found
}

/// The values of one table, those of a table within it by their whole name.
fn take_table(name: &str, table: &DeTable<'_>, found: &mut Vec<(String, Value)>, mistakes: &mut Vec<String>) {
    for (key, value) in table {
        let key = format!("{name}.{}", key.get_ref());
        let is_table = keys().any(|(known, ..)| known.strip_prefix(&key).is_some_and(|rest| rest.starts_with('.')));
        if !is_table && !keys().any(|(known, ..)| known == key) {
            let nearest = keys()
                .map(|(known, ..)| known)
                .max_by(|a, b| strsim::jaro_winkler(a, &key).total_cmp(&strsim::jaro_winkler(b, &key)))
                .expect("there are keys");
            mistakes.push(format!("unknown key {key}; did you mean {nearest}?"));
            continue;
        }
        match (scalar(value.get_ref()), value.get_ref()) {
            (Some(_), _) if is_table => mistakes.push(format!("{key} is a table: write [{key}]")),
            (Some(text), _) => found.push((key, Value::Text(text))),
            (None, DeValue::Array(items)) if !is_table => {
                let items = items.iter().filter_map(|item| scalar(item.get_ref())).collect();
                found.push((key, Value::List(items)));
            }
            (None, DeValue::Table(within)) if is_table => take_table(&key, within, found, mistakes),
            _ => mistakes.push(format!("{key} is neither a value nor a list")),
        }
    }
}

fn scalar(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) => Some(number.as_str().to_owned()),
        DeValue::Float(number) => Some(number.as_str().to_owned()),
        DeValue::Boolean(value) => Some(value.to_string()),
        _ => None,
    }
}

impl Reader {
    pub(super) fn written(&self, key: &str) -> Option<&Value> {
        self.found.iter().find(|(found, _)| found == key).map(|(_, value)| value)
    }

    pub(super) fn text(&self, key: &str) -> Option<String> {
        match self.written(key) {
            Some(Value::Text(text)) if !text.is_empty() => Some(text.clone()),
            _ => None,
        }
    }

    /// An address to listen at, or none and a mistake.
    fn address(&mut self, key: &str) -> Option<SocketAddr> {
        let text = self.text(key)?;
        let address = text.parse().ok();
        if address.is_none() {
            self.mistakes.push(format!("{key} is {text:?}; it takes an address such as 127.0.0.1:9464"));
        }
        address
    }

    pub(super) fn list(&self, key: &str) -> Vec<String> {
        match self.written(key) {
            Some(Value::List(items)) => items.clone(),
            Some(Value::Text(text)) => vec![text.clone()],
            None => Vec::new(),
        }
    }

    /// A value within its range, or its default and a mistake.
    pub(super) fn parse<T: FromStr, U>(&mut self, key: &str, take: impl Fn(&T) -> Option<U>) -> U {
        let (_, default, bounds, _) = keys().find(|(known, ..)| *known == key).expect("a key of the table");
        let read = |text: &str| text.parse::<T>().ok().as_ref().and_then(&take);
        let usual = read(default).expect("a default is within its range");
        let Some(Value::Text(text)) = self.written(key) else { return usual };
        match read(text) {
            Some(value) => value,
            None => {
                self.mistakes.push(format!("{key} is {text:?}; it takes {bounds}"));
                usual
            }
        }
    }
}

fn founding_of(word: &str) -> Option<Founding> {
    match word {
        "trial" => Some(Founding::Trial),
        "paper" => Some(Founding::Paper),
        "trust" => Some(Founding::Trust),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// O-003: an empty file is the defaults; every key can be set; every mistake is told, with the nearest key.
    #[test]
    fn o_003_settings_are_read_whole_or_with_every_mistake() {
        let usual = Settings::read("", false).expect("nothing is wrong with nothing");
        assert_eq!(usual.trader, TraderSettings::default());
        assert_eq!(usual.tick, Duration::from_secs(40));
        let text = "[golem]\nplaybook = \"momentum\"\nstake = 0.02\nhost_usdc_per_tick = 0.002\n[chain]\nrpc = [\"http://a\", \"http://b\"]\n[mortality]\n";
        let chosen = Settings::read(text, false).expect("valid");
        assert_eq!(chosen.playbook, BookChoice::Shipped("momentum"));
        assert_eq!((chosen.trader.stake, chosen.trader.host_per_tick), (Ppm::of(20_000), Usdc::from_micros(2_000)));
        assert_eq!(chosen.rpc, ["http://a", "http://b"]);
        let text =
            "[grimoire]\narchive_threshold = 0.2\n[embedder]\nkind = \"ollama\"\nbase_url = \"http://127.0.0.1:1\"\n";
        let chosen = Settings::read(text, false).expect("valid");
        assert_eq!(chosen.grimoire.retention.archive_threshold(), Ppm::of(200_000), "G-069");
        for (text, told) in [
            ("[grimoire]\narchive_threshold = 0.4\n", "0.01 to 0.30"),
            ("[embedder]\nkind = \"magic\"\n", "minilm, openai, ollama, none"),
            ("[embedder]\nmodel = \"big\"\n", "means nothing for minilm"),
            ("[embedder]\nkind = \"openai\"\n", "is missing"),
            ("[chain]\nmetrics = \"here\"\n", "127.0.0.1:9464"),
        ] {
            let said = Settings::read(text, false).expect_err("a mistake").to_string();
            assert!(said.contains(told), "{text}: {said}");
        }
        let wrong = "[golem]\nplaybok = \"momentum\"\nstake = 0.5\n[chain]\nblock_seconds = \"soon\"\n";
        let told = Settings::read(wrong, false).expect_err("three mistakes").to_string();
        for part in ["3 mistake", "golem.playbook", "0.001 to 0.10", "1 to 600"] {
            assert!(told.contains(part), "{part}: {told}");
        }
    }
}
