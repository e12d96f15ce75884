//! `bardo golem successor`: the next life of a line, by a person's hand (I-260 to I-272).

use std::collections::BTreeMap;
use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use eyre::{Result, WrapErr, bail, ensure};
use golem_core::strategy::StrategyName;
use golem_grimoire::playbook::Playbook;
use golem_inheritance::individuation::birth_gate;
use golem_inheritance::summon::{Flags, Known, Memorial, Preview, Summons, Wizard, preview};
use golem_inheritance::weismann::WeismannLaw;
use golem_primitives::{Ppm, Usdc};
use golem_runtime::LegacyBundle;
use serde_json::json;

use super::bundle::{self, against_chain};
use super::connect::password;
use super::create::parse_ether;
use super::heirship::{Charter, Heirship, distance, poisoned};
use super::nativity::{Nativity, earlier_birth, give_birth, strength};
use super::subject::{Subject, Which, confirm};
use super::{Connected, Folder, Settings, Wallet, library, wizard};
use crate::screen;

/// What `successor` takes.
#[derive(Debug, Args)]
pub(crate) struct SuccessorArguments {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    wallet: Wallet,
    /// USDC credits it begins with; the predecessor's succession.budget_usdc when left out.
    #[arg(long, value_name = "USDC")]
    budget: Option<Usdc>,
    /// Take the predecessor's compressed Grimoire in, as candidates.
    #[arg(long)]
    inherit_grimoire: bool,
    /// Take over the configuration alone.
    #[arg(long)]
    no_inherit: bool,
    /// Be born although it would be much the same again. Not recommended; no configuration key has this.
    #[arg(long)]
    force_similarity: bool,
    /// Its name; the predecessor's with the next generation when left out.
    #[arg(long)]
    name: Option<String>,
    /// How it trades; as the predecessor when left out.
    #[arg(long)]
    strategy: Option<StrategyName>,
    /// The share of capital one trade moves; as the predecessor when left out.
    #[arg(long, value_name = "SHARE")]
    stake: Option<Ppm>,
    /// USDC to trade with.
    #[arg(long, default_value = "0", value_name = "USDC")]
    capital: Usdc,
    /// The bundle of a predecessor that died on another machine.
    #[arg(long, value_name = "FILE")]
    bundle: Option<PathBuf>,
    /// Native coin for the key's gas, in ether.
    #[arg(long, default_value = "0.002", value_name = "ETH", value_parser = parse_ether)]
    gas: u128,
    /// A file whose first line will be the password of the successor's key.
    #[arg(long, env = "BARDO_KEY_PASSWORD_FILE", value_name = "FILE")]
    key_password_file: Option<PathBuf>,
    /// Only show what would be inherited, and whether it would be born.
    #[arg(long)]
    dry: bool,
    /// Do not ask again.
    #[arg(long)]
    yes: bool,
    /// A JSON object instead of words.
    #[arg(long)]
    json: bool,
}

/// Everything that is known before a birth.
pub(crate) struct Prepared {
    pub(crate) name: String,
    pub(crate) config: String,
    pub(crate) settings: Settings,
    pub(crate) left: LegacyBundle,
    pub(crate) charter: Charter,
    pub(crate) before: Charter,
}

/// What the dead lived by; the defaults when its folder is not here.
pub(crate) fn config_of(subject: &Subject) -> Result<String> {
    match &subject.local {
        Some((folder, _)) if folder.config().exists() => std::fs::read_to_string(folder.config())
            .wrap_err_with(|| format!("cannot read {}", folder.config().display())),
        _ => Ok(String::new()),
    }
}

/// The bundle of the dead: the file that was named, the one in its folder, or the one in the library.
pub(crate) fn left_by(which: &Which, subject: &Subject, named: Option<&PathBuf>) -> Result<LegacyBundle> {
    let kept = library::bundle_path(&which.home, subject.chain.deployment.chain_id, subject.agent);
    let local = subject.local.as_ref().map(|(folder, _)| folder.bundle()).filter(|path| path.exists());
    let path = named.cloned().or(local).unwrap_or(kept);
    let left = bundle::read(&path)?;
    ensure!(
        left.kin.agent == Some(subject.agent),
        "{} is of agent {:?}, not of {}",
        path.display(),
        left.kin.agent.map(|agent| agent.to_string()),
        subject.agent
    );
    Ok(left)
}

/// I-010. Refuses what the chain does not know, naming the layer.
pub(crate) async fn prove(left: &LegacyBundle, chain: &Connected) -> Result<()> {
    if let Some(failed) = against_chain(left, chain).await?.into_iter().find(|layer| !layer.ok) {
        bail!("the bundle is refused at layer {}: {}", failed.layer, failed.detail);
    }
    Ok(())
}

/// A golem.toml with other values for keys of `[golem]`; everything else stays as the owner wrote it.
pub(crate) fn with_values(text: &str, values: &[(&str, String)]) -> Result<String> {
    let mut table: toml::Table = text.parse().wrap_err("the predecessor's golem.toml cannot be read")?;
    let golem = table.entry("golem").or_insert_with(|| toml::Value::Table(toml::Table::new()));
    let Some(golem) = golem.as_table_mut() else { bail!("[golem] of the predecessor's golem.toml is no table") };
    for (key, value) in values {
        let value = value.parse::<f64>().map_or_else(|_| toml::Value::String(value.clone()), toml::Value::Float);
        golem.insert((*key).to_owned(), value);
    }
    toml::to_string(&table).wrap_err("the successor's golem.toml cannot be written")
}

/// The predecessor's last PLAYBOOK as a document; one that died before it had a rule has an empty one.
pub(crate) fn playbook_of(left: &LegacyBundle) -> Result<Playbook> {
    let text = &left.testament.testament.playbook;
    if text.is_empty() { Ok(Playbook::default()) } else { Ok(text.parse()?) }
}

impl SuccessorArguments {
    pub(crate) async fn run(mut self) -> Result<ExitCode> {
        let subject = self.which.find().await?;
        let (summons, law) = match self.summons(&subject).await? {
            Ok(found) => found,
            Err(usage) => {
                eprintln!("error: {usage}");
                return Ok(ExitCode::from(2));
            }
        };
        let left = left_by(&self.which, &subject, self.bundle.as_ref())?;
        prove(&left, &subject.chain).await?;
        if !self.json {
            remember(&left);
        }
        let summons = self.ask(summons, &left, &law)?;
        let prepared = self.prepare(&subject, left, &summons)?;
        let shown = preview(
            &prepared.left.bequest,
            &prepared.left.golem,
            prepared.left.kin.generation.saturating_add(1),
            &WeismannLaw::default(),
        );
        if summons.inherit_grimoire && !self.json {
            show_preview(&shown);
        }
        let distance = distance(&prepared.charter, &prepared.before, &prepared.settings).await;
        let similarity = distance.map(|distance| distance.similarity());
        if let Err(stillborn) = birth_gate(distance, law.min_playbook_distance, summons.wish) {
            return self.stillborn(&prepared, similarity, &stillborn.to_string());
        }
        if self.dry {
            let told = json!({ "born": false, "similarity_ppm": similarity.map(Ppm::get), "entries": shown.entries });
            if self.json {
                println!("{told}")
            } else {
                println!("\nIt would be born; alike by {}.", alike(similarity))
            }
            return Ok(ExitCode::SUCCESS);
        }
        confirm(
            self.yes,
            &format!("{} is born with {} of credits and {} of capital", prepared.name, summons.budget, self.capital),
        )?;
        self.give(&subject, prepared, &summons).await
    }

    /// I-269, I-270. What was typed, held against what the chain says of the Golem.
    async fn summons(
        &self,
        subject: &Subject,
    ) -> Result<Result<(Summons, golem_inheritance::succession::SuccessionLaw), golem_inheritance::summon::UsageError>>
    {
        let known = subject.chain.onlooker()?.golem(subject.agent).await?;
        let known = if known.life.eq_ignore_ascii_case("dead") { Known::Dead } else { Known::Alive };
        let law = Settings::read(&config_of(subject)?, false)?.succession.law;
        let flags = Flags {
            budget: self.budget,
            inherit_grimoire: self.inherit_grimoire,
            no_inherit: self.no_inherit,
            force_similarity: self.force_similarity,
        };
        Ok(flags.resolve(&law, known).map(|summons| (summons, law)))
    }

    /// I-266, I-268. At a terminal the wizard is filled in and asks; everywhere else the flags decide.
    fn ask(
        &mut self,
        summons: Summons,
        left: &LegacyBundle,
        law: &golem_inheritance::succession::SuccessionLaw,
    ) -> Result<Summons> {
        if self.yes || self.json || self.dry || !std::io::stdin().is_terminal() {
            return Ok(summons);
        }
        let was = left.testament.strategy.clone().unwrap_or_default();
        let filled = Wizard::filled(&was, law, left.testament.testament.recommendation.as_ref());
        for (verb, advice) in [("change", &filled.change), ("keep", &filled.keep), ("investigate", &filled.investigate)]
        {
            for one in advice {
                println!("  {verb}: {} ({})", screen::harmless(&one.what), screen::harmless(&one.rationale));
            }
        }
        let usual = self.strategy.or_else(|| was.parse().ok()).unwrap_or(StrategyName::MeanReversion);
        let answers = wizard::ask_heir(
            &mut std::io::stdin().lock(),
            &mut std::io::stderr(),
            usual,
            summons.budget,
            self.capital,
        )?;
        (self.strategy, self.capital) = (Some(answers.0), answers.2);
        Ok(Summons { budget: answers.1, ..summons })
    }

    fn prepare(&self, subject: &Subject, left: LegacyBundle, summons: &Summons) -> Result<Prepared> {
        let generation = left.kin.generation.saturating_add(1);
        let name = match &self.name {
            Some(name) => name.clone(),
            None => next_name(&subject.name, generation),
        };
        let mut values = Vec::new();
        values.extend(self.strategy.map(|strategy| ("strategy", strategy.to_string())));
        values.extend(self.stake.map(|stake| ("stake", stake.as_f64().to_string())));
        prepare(subject, left, name, &values, summons.inherit_grimoire)
    }

    /// I-283, I-210. Not born: how alike, what differs, and what to change.
    fn stillborn(&self, prepared: &Prepared, similarity: Option<Ppm>, why: &str) -> Result<ExitCode> {
        let diff = prepared.charter.diff(&prepared.before);
        if self.json {
            let told = json!({ "born": false, "similarity_ppm": similarity.map(Ppm::get), "diff": diff, "why": why });
            println!("{}", serde_json::to_string_pretty(&told)?);
        } else {
            let rows: Vec<_> = diff.iter().map(|line| vec![screen::harmless(line)]).collect();
            screen::table(&format!("Alike by {}; what differs", alike(similarity)), &rows);
            eprintln!(
                "\nerror: {why}: another --strategy or --stake, or --no-inherit; a person may insist with --force-similarity"
            );
        }
        Ok(ExitCode::FAILURE)
    }

    async fn give(&self, subject: &Subject, prepared: Prepared, summons: &Summons) -> Result<ExitCode> {
        let chain = &subject.chain;
        let desk = chain.desk(self.wallet.signer(chain).await?)?;
        let folder = self.which.home.new_folder(&prepared.name)?;
        let poisoned =
            if summons.inherit_grimoire { poisoned(&prepared.left, &chain.endpoints).await } else { BTreeMap::new() };
        let (pool, host) = place_of(subject)?;
        let charter = prepared.charter.digest(&prepared.name, subject.agent);
        let nativity = Nativity {
            name: prepared.name.clone(),
            credits: summons.budget,
            capital: self.capital,
            guardian: None,
            pool,
            host,
            gas_wei: self.gas,
            key_password: password(self.key_password_file.as_ref(), "A password for the successor's own key: ")?,
            strength: strength(chain),
            key: None,
            heir: Some(Heirship {
                predecessor: subject.agent,
                charter,
                left: prepared.left,
                takes_genome: summons.inherit_grimoire,
                poisoned,
            }),
        };
        ensure!(!nativity.key_password.is_empty(), "the key's password must not be empty");
        let earlier = if folder.key().exists() { earlier_birth(&folder, chain, &desk, &nativity).await? } else { None };
        found(&folder, &prepared.config, &prepared.charter)?;
        let quiet = self.json;
        let birth = give_birth(&folder, chain, &desk, nativity, earlier, &prepared.settings, &mut |progress| {
            screen::desk_progress(progress, quiet)
        })
        .await?;
        if self.json {
            println!("{}", serde_json::to_string_pretty(&birth)?);
        } else {
            println!(
                "{} is born: agent {}, lineage {}, generation {}",
                birth.name, birth.agent, birth.lineage, birth.generation
            );
            println!("What it inherited waits as candidates: bardo golem heritage {}", birth.name);
            println!("Let it live: bardo golem run {}", birth.name);
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The pool and the host of the predecessor; of one from elsewhere the deployment's pool and nobody.
pub(crate) fn place_of(subject: &Subject) -> Result<(golem_primitives::Address, Option<golem_primitives::Address>)> {
    match (&subject.local, subject.chain.deployment.pool) {
        (Some((_, birth)), _) => Ok((birth.pool, birth.host)),
        (None, Some(pool)) => Ok((pool, None)),
        (None, None) => bail!("this deployment names no pool; bring the predecessor's folder here"),
    }
}

/// Writes what a successor lives by before it is born: a certificate makes a folder a Golem.
pub(crate) fn found(folder: &Folder, config: &str, charter: &Charter) -> Result<()> {
    std::fs::create_dir_all(folder.path()).wrap_err_with(|| format!("cannot make {}", folder.path().display()))?;
    std::fs::write(folder.config(), config).wrap_err("cannot write golem.toml")?;
    std::fs::write(folder.path().join("CHARTER.md"), charter.text()).wrap_err("cannot write CHARTER.md")
}

/// The settings and the charter of a successor with these values changed.
pub(crate) fn prepare(
    subject: &Subject,
    left: LegacyBundle,
    name: String,
    values: &[(&str, String)],
    takes_genome: bool,
) -> Result<Prepared> {
    let was = config_of(subject)?;
    let strategy = left.testament.strategy.clone().map(|strategy| ("strategy", strategy));
    // Of one whose folder is not here the testament knows how it traded.
    let was = if subject.local.is_some() { was } else { with_values(&was, &strategy.into_iter().collect::<Vec<_>>())? };
    let config = with_values(&was, values)?;
    let (old, settings) = (Settings::read(&was, false)?, Settings::read(&config, false)?);
    let playbook = playbook_of(&left)
        .wrap_err("the predecessor's PLAYBOOK cannot be read, so nobody can say how alike they are")?;
    let before = Charter::of_dead(&old, &playbook);
    let charter = Charter::of_heir(&settings, &left, &playbook, takes_genome);
    Ok(Prepared { name, config, settings, left, charter, before })
}

/// `ada` has `ada-1`, which has `ada-2`.
pub(crate) fn next_name(name: &str, generation: u32) -> String {
    let stem =
        name.rsplit_once('-').filter(|(_, last)| last.bytes().all(|byte| byte.is_ascii_digit()) && !last.is_empty());
    let stem: String = stem.map_or(name, |(stem, _)| stem).chars().take(24).collect();
    format!("{stem}-{generation}")
}

fn alike(similarity: Option<Ppm>) -> String {
    similarity.map_or_else(|| "an unknown share".to_owned(), |share| share.to_string())
}

/// I-260. What stands on the stone.
fn remember(left: &LegacyBundle) {
    let memorial = Memorial::of(&left.testament.testament);
    let stats = memorial.stats;
    let rows = vec![
        vec!["lived".to_owned(), format!("{} ticks, {} trades", stats.ticks, stats.trades)],
        vec!["cause".to_owned(), memorial.cause],
        vec!["last words".to_owned(), format!("\"{}\"", screen::harmless(&memorial.last_words))],
    ];
    screen::table(&format!("In memory of {}", memorial.golem), &rows);
}

/// I-267. What would be inherited.
fn show_preview(shown: &Preview) {
    let bars = |bars: &[u32]| bars.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
    let domains =
        shown.domains.iter().map(|(domain, count)| format!("{domain}: {count}")).collect::<Vec<_>>().join(", ");
    let rows = vec![
        vec!["entries".to_owned(), format!("{} of at most 2048", shown.entries)],
        vec!["left by the barrier".to_owned(), format!("{}%", shown.percent_left)],
        vec!["by tenths of confidence, before".to_owned(), bars(&shown.before)],
        vec!["and after".to_owned(), bars(&shown.after)],
        vec!["by domain".to_owned(), domains],
        vec![
            "bloodstains, of the dead and of those before".to_owned(),
            format!("{}, {}", shown.own_bloodstains, shown.older_bloodstains),
        ],
    ];
    screen::table("What it would inherit, as candidates", &rows);
}
