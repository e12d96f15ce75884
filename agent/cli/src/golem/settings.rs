//! What an owner may choose: everything in a `golem.toml`, read at once.

pub(super) mod table;
pub(super) mod words;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use eyre::{Result, WrapErr, bail};
use golem_core::trader::TraderSettings;
use golem_grimoire::law::GrimoireLaw;
use golem_grimoire::reflection::ReflectionLaw;
use golem_grimoire::retention::RetentionLaw;
use golem_inference::{ThoughtSettings, TierTable};
use golem_inheritance::pheromone::Switches;
use golem_mortality::config::{Config, Hosting};
use golem_playbook::promotion::Founding;
use golem_relay::ArchiveRecipient;
use golem_settings::{KeyChange, KeyDescription, SettingsFile, SettingsTable};

use super::book::BookChoice;
use super::data::{self, DataChoice};
use super::feed::choice::FeedChoice;
use super::home::Folder;
use super::models;
use super::sleep;
use super::succession::SuccessionChoice;
use super::temper::TemperChoice;
use crate::alerts::{Receivers, WebhookFormat};

use table::{EmbedderChoice, OwnerTable, SourceTable};
use words::founding_of;

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
    pub(crate) inference: golem_inference::InferenceSettings,
    pub(crate) receivers: Receivers,
    /// I-101. The relay it speaks through.
    pub(crate) relay: Option<String>,
    /// The file in PEM of the one authority that vouches for the relay.
    pub(crate) ca: Option<PathBuf>,
    /// I-117. For whom its backups are sealed.
    pub(crate) archive: Option<ArchiveRecipient>,
    /// I-327. What it may do with signs in the air.
    pub(crate) pheromones: Switches,
    /// I-122. Siblings it does not hear, by name or vault.
    pub(crate) excluded: Vec<String>,
    pub(crate) low_gas_beats: u64,
    pub(crate) missed_beat: Duration,
    pub(crate) feed: Option<FeedChoice>,
    pub(crate) data: Option<DataChoice>,
    pub(crate) succession: SuccessionChoice,
    pub(crate) temper: TemperChoice,
    pub(crate) dreams: golem_runtime::DreamChoice,
}

/// A file that was read, with everything that is wrong with it and everything that is not as usual.
pub(crate) struct Judged {
    pub(crate) settings: Settings,
    pub(crate) mistakes: Vec<String>,
    pub(crate) changes: Vec<KeyChange>,
}

/// Every key of a golem.toml.
pub(crate) fn describe() -> Vec<KeyDescription> {
    let tables = [
        OwnerTable::describe(),
        SourceTable::describe(),
        ThoughtSettings::describe(),
        TierTable::describe(),
        Config::describe(),
    ];
    tables.concat()
}

impl Settings {
    /// Reads a whole `golem.toml`; every mistake is told at once.
    pub(crate) fn read(text: &str) -> Result<Self> {
        let Judged { settings, mistakes, .. } = Self::judge(text, Hosting::Hosted);
        if mistakes.is_empty() {
            return Ok(settings);
        }
        bail!("{} mistake(s):\n  {}", mistakes.len(), mistakes.join("\n  "))
    }

    /// The settings of a text, those of a wrong key at their default.
    pub(crate) fn judge(text: &str, hosting: Hosting) -> Judged {
        let mut syntax = None;
        let mut file = SettingsFile::parse(text).unwrap_or_else(|mistake| {
            syntax = Some(mistake);
            SettingsFile::default()
        });
        let law = Config::take(&mut file, hosting);
        let mut owner = OwnerTable::default();
        file.fill(&mut owner);
        let sources = file.each::<SourceTable>();
        // What does not go together is each room's own to say; it comes behind what is wrong by itself.
        let mut apart = Vec::new();
        let inference = golem_inference::InferenceSettings::take(&mut file, &mut apart);
        let data = data::read(&owner.x402, &sources, &mut apart);
        let settings = Self::of(&owner, law, inference, data, &mut apart);
        let written = syntax.into_iter().chain(file.finish()).map(|mistake| mistake.to_string());
        let broken = settings.law.broken_invariants(hosting).into_iter().map(|mistake| mistake.to_string());
        let mistakes = written.chain(broken).chain(apart).collect();
        let changes = [
            settings.law.changes(&Config::default_for(hosting)),
            owner.changes(&OwnerTable::default()),
            data::changes(settings.data.as_ref()),
            models::changes(&settings.inference),
        ];
        Judged { settings, mistakes, changes: changes.concat() }
    }

    fn of(
        owner: &OwnerTable,
        law: Config,
        inference: golem_inference::InferenceSettings,
        data: Option<DataChoice>,
        mistakes: &mut Vec<String>,
    ) -> Self {
        let OwnerTable { golem, chain, grimoire, embedder, alerts, clade, pheromones, .. } = owner;
        let given = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
        // What each kind of embedder needs and has no use for is its own room's to say.
        mistakes.extend(embedder.check().err());
        let format = WebhookFormat::from_name(&alerts.format).expect("the table admits these words");
        mistakes.extend(format.flaw(&alerts.webhook).map(|flaw| format!("alerts.webhook: {flaw}")));
        // Whoever names an authority believes that somebody vouches for the relay; over ws:// nobody does.
        let is_unvouched = !clade.ca.is_empty() && clade.relay.starts_with("ws://");
        mistakes.extend(is_unvouched.then(|| "clade.ca: it vouches for a relay behind wss:// alone".to_owned()));
        Self {
            trader: TraderSettings { stake: golem.stake, host_per_tick: golem.host_usdc_per_tick },
            playbook: golem.playbook.parse().expect("the table admits what names a book"),
            founding: founding_of(&golem.founding).expect("the table admits these words"),
            tick: Duration::from_secs(golem.tick_seconds),
            rpc: chain.rpc.clone(),
            deployment: given(&chain.deployment).map(PathBuf::from),
            block: Duration::from_secs(chain.block_seconds),
            metrics: chain.metrics,
            grimoire: GrimoireLaw {
                retention: RetentionLaw::default()
                    .with_archive_threshold(grimoire.archive_threshold)
                    .expect("the table admits the law's range"),
                decision_ticks: grimoire.decision_ticks,
                capacity: usize::try_from(grimoire.capacity).unwrap_or(usize::MAX),
                reflection: reflection(&law),
                ..GrimoireLaw::default()
            },
            embedder: embedder.clone(),
            inference,
            receivers: Receivers { webhook: given(&alerts.webhook), format, command: given(&alerts.command) },
            relay: given(&clade.relay),
            ca: given(&clade.ca).map(PathBuf::from),
            archive: given(&clade.archive).map(|key| key.parse().expect("the table admits these words")),
            pheromones: Switches {
                enabled: pheromones.enabled,
                deposit_enabled: pheromones.deposit_enabled,
                sense_enabled: pheromones.sense_enabled,
            },
            excluded: clade.exclude.clone(),
            low_gas_beats: alerts.low_gas_beats,
            missed_beat: Duration::from_secs(alerts.missed_beat_hours * 3_600),
            feed: FeedChoice::read(&owner.feed, &owner.prices, mistakes),
            data,
            succession: SuccessionChoice::of(&owner.succession, &law),
            temper: TemperChoice::of(&owner.daimon, &owner.suffering),
            dreams: sleep::read(&owner.dreams, mistakes),
            law,
        }
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

impl Folder {
    /// What the owner chose; the defaults when there is no file.
    pub(crate) fn settings(&self) -> Result<Settings> {
        let path = self.config();
        if !path.exists() {
            return Settings::read("");
        }
        let text = self.text(&path)?;
        let mut settings = Settings::read(&text).wrap_err_with(|| format!("{} has mistakes", path.display()))?;
        models::place(&mut settings.inference, self.path());
        Ok(settings)
    }
}

#[cfg(test)]
mod tests {
    use golem_primitives::{Ppm, Usdc};

    use super::*;

    /// O-003: an empty file is the defaults; every key can be set; every mistake is told, with the nearest key.
    #[test]
    fn o_003_settings_are_read_whole_or_with_every_mistake() {
        let usual = Settings::read("").expect("nothing is wrong with nothing");
        assert_eq!(usual.trader, TraderSettings::default());
        assert_eq!(usual.tick, Duration::from_secs(40));
        let text = "[golem]\nplaybook = \"momentum\"\nstake = 0.02\nhost_usdc_per_tick = 0.002\n[chain]\nrpc = [\"http://a\", \"http://b\"]\n[mortality]\n";
        let chosen = Settings::read(text).expect("valid");
        assert_eq!(chosen.playbook, BookChoice::Shipped("momentum"));
        assert_eq!((chosen.trader.stake, chosen.trader.host_per_tick), (Ppm::of(20_000), Usdc::from_micros(2_000)));
        assert_eq!(chosen.rpc, ["http://a", "http://b"]);
        let text =
            "[grimoire]\narchive_threshold = 0.2\n[embedder]\nkind = \"ollama\"\nbase_url = \"http://127.0.0.1:1\"\n";
        let chosen = Settings::read(text).expect("valid");
        assert_eq!(chosen.grimoire.retention.archive_threshold(), Ppm::of(200_000), "G-069");
        for (text, told) in [
            ("[grimoire]\narchive_threshold = 0.4\n", "0.01 to 0.30"),
            ("[embedder]\nkind = \"magic\"\n", "minilm, openai, ollama, none"),
            ("[embedder]\nmodel = \"big\"\n", "means nothing for minilm"),
            ("[embedder]\nkind = \"openai\"\n", "is missing"),
            ("[chain]\nmetrics = \"here\"\n", "127.0.0.1:9464"),
            ("[clade]\nca = \"styx-ca.pem\"\n", "by its whole path"),
            ("[clade]\nca = \"/ca.pem\"\nrelay = \"ws://a:1\"\n", "wss:// alone"),
            ("[clade]\nexclude = [\"0xbob\"]\n", "addresses of vaults"),
            ("[clade]\nexclude = [\"bob and ada\"]\n", "names of Golems beside it"),
            ("[golem\n", "line 1"),
        ] {
            let said = Settings::read(text).expect_err("a mistake").to_string();
            assert!(said.contains(told), "{text}: {said}");
        }
        let wrong = "[golem]\nplaybok = \"momentum\"\nstake = 0.5\n[chain]\nblock_seconds = \"soon\"\n";
        let told = Settings::read(wrong).expect_err("three mistakes").to_string();
        for part in ["3 mistake", "golem.playbook", "0.001 to 0.10", "line 5: `chain.block_seconds`"] {
            assert!(told.contains(part), "{part}: {told}");
        }
    }
}
