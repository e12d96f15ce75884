//! `bardo line successor`: the next life of a line, by a person's hand (I-260 to I-272).

use std::collections::BTreeMap;
use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser};
use eyre::{Result, bail, ensure};
use golem_grimoire::id::EntryId;
use golem_inheritance::individuation::{Stillborn, birth_gate};
use golem_inheritance::succession::SuccessionLaw;
use golem_inheritance::summon::{Flags, HeirPreview, Known, Memorial, Summons, UsageError, Wizard};
use golem_inheritance::testament::Recommendation;
use golem_playbook::Rule;
use golem_primitives::{Ppm, Usdc};
use golem_runtime::LegacyBundle;
use golem_tui::{Foreseen, HeirDraft};
use golem_view::{
    AdjustmentPicture, FirstDays, InheritancePreview, MemorialPicture, Picture as _, Shown as _, StillbornPicture,
    WouldInherit,
};

use super::birth::{BirthRequest, earlier_birth, give_birth, require_pool, strength};
use super::book::BookChoice;
use super::bundle::layers::{self, against_chain};
use super::connect::{Connected, Wallet, key_password};
use super::create::parse_ether;
use super::founding::{Inherited, Prepared, config_of, found, next_name, place_of, prepare};
use super::heirship::{Heirship, diff, distance, poisoned};
use super::orchestrate::give_capital;
use super::settings::Settings;
use super::subject::{Subject, Which, confirm, report};
use super::succession_lock::SuccessionLock;
use super::tried_first;
use super::{library, wizard};
use crate::screen;

#[derive(Debug, Args)]
pub(crate) struct SuccessorArguments {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    wallet: Wallet,
    /// USDC credits it begins with; the predecessor's succession.budget_usdc when left out.
    #[arg(long, value_name = "USDC")]
    budget: Option<Usdc>,
    /// Take the predecessor's compressed Grimoire in, as candidates; as its `[succession]` says when neither is given.
    #[arg(long, conflicts_with = "no_inherit")]
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
    /// The book it is founded on: a founding book or a file; the one the predecessor acted by when left out, which is too much
    /// alike to be born of.
    #[arg(long, value_name = "FILE|NAME")]
    playbook: Option<BookChoice>,
    /// The share of capital its book may use; as the predecessor when left out.
    #[arg(long, value_name = "SHARE")]
    stake: Option<Ppm>,
    /// USDC to trade with; without any it watches and trades nothing until it is given some. At a terminal you are asked,
    /// and offered what the predecessor was born with.
    #[arg(long, value_name = "USDC")]
    capital: Option<Usdc>,
    /// The bundle of a predecessor that died on another machine.
    #[arg(long, value_name = "FILE")]
    bundle: Option<PathBuf>,
    /// Native coin for the key's gas, in ether.
    #[arg(long, default_value = "0.002", value_name = "ETH", value_parser = parse_ether)]
    gas: u128,
    /// A file whose first line will be the password of the successor's key.
    #[arg(long, env = "BARDO_KEY_PASSWORD_FILE", value_name = "FILE")]
    key_password_file: Option<PathBuf>,
    /// Let nobody but you say in its registration file that it is dead; see `bardo golem create --help`.
    #[arg(long)]
    no_epitaph: bool,
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

/// The bundle of the dead: the file that was named, the one in its folder, or the one in the library.
pub(crate) fn left_by(which: &Which, subject: &Subject, named: Option<&PathBuf>) -> Result<LegacyBundle> {
    let kept = library::bundle_path(&which.home, subject.chain.deployment.chain_id, subject.agent);
    let local = subject.local.as_ref().map(|(folder, _)| folder.bundle()).filter(|path| path.exists());
    let path = named.cloned().or(local).unwrap_or(kept);
    let left = layers::read(&path)?;
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
    if let Some(failed) = against_chain(left, chain).await?.into_iter().find(|layer| !layer.ok.0) {
        bail!("the bundle is refused at layer {}: {}", failed.what, failed.detail);
    }
    Ok(())
}

impl SuccessorArguments {
    pub(crate) async fn run(mut self) -> Result<ExitCode> {
        let subject = self.which.find().await?;
        let (summons, law) = match self.summons(&subject).await? {
            Ok(found) => found,
            Err(usage) => {
                screen::complain(&eyre::Report::new(usage));
                return Ok(ExitCode::from(2));
            }
        };
        // One process at a time raises a successor of one Golem.
        let _lock = subject.local.as_ref().map(|(folder, _)| SuccessionLock::of(folder)).transpose()?;
        let left = self.proven(&subject, &summons).await?;
        if let Some(left) = left.as_ref().filter(|_| !self.json) {
            // I-260. What stands on the stone.
            let memorial = Memorial::of(&left.testament.testament);
            screen::show(&MemorialPicture::from(&memorial).table(&format!("In memory of {}", memorial.golem)));
        }
        let summons = self.ask(&subject, summons, left.as_ref(), &law)?;
        let prospect = self.look_ahead(&subject, left, &summons, &law).await?;
        let Prospect { prepared, poisoned, shown, told_apart, tried, similarity, gate } = prospect;
        if summons.inherit_grimoire && !self.json {
            let picture = InheritancePreview::of(&shown, told_apart);
            screen::show(&picture.table("What it would inherit, as candidates"));
            tried_first::show(&tried);
        }
        if let Err(stillborn) = gate {
            return self.stillborn(&prepared, similarity, stillborn);
        }
        if self.dry {
            let would = WouldInherit { born: false, similarity, entries: shown.entries, told: told_apart, tried };
            return Ok(screen::done(
                self.json,
                &would,
                &format!("\nIt would be born; alike by {}.", alike(similarity)),
            ));
        }
        confirm(
            self.yes,
            &format!("{} is born with {} of credits and {} of capital", prepared.name, summons.budget, self.capital()),
        )?;
        self.give(&subject, prepared, &summons, poisoned).await
    }

    /// I-267, I-271. What would be born and inherit, by the very functions that then do it; nothing is kept of it.
    async fn look_ahead(
        &self,
        subject: &Subject,
        left: Option<LegacyBundle>,
        summons: &Summons,
        law: &SuccessionLaw,
    ) -> Result<Prospect> {
        let prepared = self.prepare(subject, left).await?;
        let poisoned = match prepared.left.as_ref().filter(|_| summons.inherit_grimoire) {
            Some(left) => poisoned(left, &subject.chain.endpoints).await,
            None => BTreeMap::new(),
        };
        let (shown, told_apart) = prepared.preview(&poisoned);
        let tried = if summons.inherit_grimoire {
            tried_first::first_days(&prepared, &poisoned).await
        } else {
            FirstDays::default()
        };
        let distance = distance(&prepared.book.book, &prepared.before, &prepared.settings).await;
        let similarity = distance.map(|distance| distance.similarity());
        let gate = birth_gate(distance, law.min_playbook_distance, summons.wish);
        Ok(Prospect { prepared, poisoned, shown, told_apart, tried, similarity, gate })
    }

    /// I-266. The command as a screen begins it: nothing is said yet but of whom.
    pub(crate) fn of(which: Which) -> Result<Self> {
        let said: Words = Words::try_parse_from(["successor", which.golem.as_str()])?;
        Ok(Self { which, ..said.arguments })
    }

    /// I-266 to I-268. What a screen shows before anybody is born, with this book or else the predecessor's.
    pub(crate) async fn foresee(mut self, playbook: Option<BookChoice>) -> Result<Foreseen> {
        let subject = self.which.find().await?;
        let (summons, law) = self.summons(&subject).await??;
        let left = self.proven(&subject, &summons).await?;
        self.playbook = playbook;
        let Usual { filled, heir, .. } = self.usual(&subject, &summons, left.as_ref(), &law)?;
        (self.playbook, self.stake) = (Some(heir.playbook.clone()), Some(heir.stake));
        let prospect = self.look_ahead(&subject, left, &summons, &law).await?;
        let advised = [&filled.change, &filled.keep, &filled.investigate].into_iter().flatten();
        let in_words = |rule: &Rule| format!("{}: {}", rule.name, rule.in_words());
        Ok(Foreseen {
            usual: HeirDraft {
                playbook: heir.playbook.to_string(),
                stake: heir.stake,
                credits: heir.credits,
                capital: heir.capital,
                inherits: summons.inherit_grimoire,
            },
            strategy: prospect.prepared.before.rules.iter().map(in_words).collect(),
            advice: advised.map(AdjustmentPicture::from).collect(),
            preview: InheritancePreview::of(&prospect.shown, prospect.told_apart),
            tried: prospect.tried,
            similarity: prospect.similarity,
            stillborn: prospect.gate.err().map(|why| format!("{why}; {}", advice(why))),
        })
    }

    /// I-268. Raises what was filled in and confirmed on a screen, as the command does.
    pub(crate) async fn summon(mut self, draft: HeirDraft) -> Result<ExitCode> {
        self.playbook = Some(draft.playbook.parse().map_err(eyre::Report::msg)?);
        (self.stake, self.budget, self.capital) = (Some(draft.stake), Some(draft.credits), Some(draft.capital));
        (self.inherit_grimoire, self.no_inherit) = (draft.inherits, !draft.inherits);
        self.yes = true;
        self.run().await
    }

    /// I-009, I-010, I-269. What the dead left, proved against the chain. Who takes nothing over needs none of it: one that
    /// died without a testament is succeeded by its configuration alone.
    async fn proven(&self, subject: &Subject, summons: &Summons) -> Result<Option<LegacyBundle>> {
        let proved = async {
            let left = left_by(&self.which, subject, self.bundle.as_ref())?;
            prove(&left, &subject.chain).await?;
            Ok::<_, eyre::Report>(left)
        };
        match proved.await {
            Ok(left) => Ok(Some(left)),
            Err(why) if !summons.inherit_grimoire => {
                screen::complain(&why.wrap_err("nothing that it left can be proved, and nothing of it is taken over"));
                Ok(None)
            }
            Err(why) => Err(why.wrap_err(
                "it cannot be inherited from; `bardo grave testament GOLEM --attach` gives the chain a testament it lacks, \
                 and --no-inherit takes the configuration alone",
            )),
        }
    }

    /// I-269, I-270. What was typed, held against what the chain says of the Golem.
    async fn summons(&self, subject: &Subject) -> Result<Result<(Summons, SuccessionLaw), UsageError>> {
        let known = subject.chain.onlooker()?.golem(subject.agent).await?;
        let known = if known.life.eq_ignore_ascii_case("dead") { Known::Dead } else { Known::Alive };
        let choice = Settings::read(&config_of(subject)?)?.succession;
        ensure!(
            choice.may_inherit || !self.inherit_grimoire,
            "mortality.succession.enabled is false in the predecessor's golem.toml: nobody may inherit from it; change that, or \
             take its configuration alone with --no-inherit"
        );
        let law = choice.law;
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
        subject: &Subject,
        summons: Summons,
        left: Option<&LegacyBundle>,
        law: &SuccessionLaw,
    ) -> Result<Summons> {
        if self.yes || self.json || self.dry || !std::io::stdin().is_terminal() {
            return Ok(summons);
        }
        let Usual { filled, advice, heir } = self.usual(subject, &summons, left, law)?;
        for (verb, advice) in [("change", &filled.change), ("keep", &filled.keep), ("investigate", &filled.investigate)]
        {
            for one in advice {
                println!("  {verb}: {} ({})", screen::harmless(&one.what), screen::harmless(&one.rationale));
            }
        }
        for line in advice.iter().flat_map(|advice| {
            advice.disposition.map(|it| format!("disposition: {it}")).into_iter().chain(advice.guidance.clone())
        }) {
            println!("  {}", screen::harmless(&line));
        }
        let chosen = wizard::ask_heir(&mut std::io::stdin().lock(), &mut std::io::stderr(), heir)?;
        (self.playbook, self.stake, self.capital) = (Some(chosen.playbook), Some(chosen.stake), Some(chosen.capital));
        Ok(Summons { budget: chosen.credits, ..summons })
    }

    /// I-266. What the wizard is filled in with: what was typed, else what the predecessor had.
    fn usual<'a>(
        &self,
        subject: &Subject,
        summons: &Summons,
        left: Option<&'a LegacyBundle>,
        law: &SuccessionLaw,
    ) -> Result<Usual<'a>> {
        let before = Settings::read(&config_of(subject)?)?;
        let advice = left.and_then(|left| left.testament.testament.recommendation.as_ref());
        let filled = Wizard::filled(&before.playbook.to_string(), law, advice);
        let lived = left.and_then(|left| left.testament.stake);
        let born_with = subject.local.as_ref().map(|(_, birth)| birth.capital);
        let heir = wizard::Heir {
            playbook: self.playbook.clone().unwrap_or(before.playbook),
            stake: self.stake.or(lived).unwrap_or(before.trader.stake),
            credits: summons.budget,
            capital: self.capital.or(born_with).unwrap_or_default(),
        };
        Ok(Usual { filled, advice, heir })
    }

    fn capital(&self) -> Usdc {
        self.capital.unwrap_or_default()
    }

    async fn prepare(&self, subject: &Subject, left: Option<LegacyBundle>) -> Result<Prepared> {
        let known = subject.chain.onlooker()?.golem(subject.agent).await?;
        let generation = known.generation.saturating_to::<u32>().saturating_add(1);
        let name = match &self.name {
            Some(name) => name.clone(),
            None => next_name(&subject.name, generation),
        };
        let values: Vec<_> = self.stake.map(|stake| ("stake", stake.as_f64().to_string())).into_iter().collect();
        prepare(subject, left, name, &values, self.playbook.as_ref())
    }

    /// I-283, I-210. Not born: how alike, what differs, and what to change.
    fn stillborn(&self, prepared: &Prepared, similarity: Option<Ppm>, why: Stillborn) -> Result<ExitCode> {
        let diff = diff(&prepared.book.book, &prepared.before);
        if self.json {
            let told = StillbornPicture { born: false, similarity, diff, why: why.to_string(), advice: advice(why) };
            screen::tell(&told.json());
        } else {
            let rows: Vec<_> = diff.iter().map(|line| vec![screen::harmless(line)]).collect();
            screen::table(&format!("Alike by {}; what differs", alike(similarity)), &rows);
            eprintln!("\nerror: {why}; {}", advice(why));
        }
        Ok(ExitCode::FAILURE)
    }

    async fn give(
        &self,
        subject: &Subject,
        prepared: Prepared,
        summons: &Summons,
        poisoned: BTreeMap<EntryId, String>,
    ) -> Result<ExitCode> {
        let chain = &subject.chain;
        let desk = chain.desk(self.wallet.signer(chain).await?)?;
        let folder = self.which.home.new_folder(&prepared.name)?;
        let Inherited { pool, elsewhere, host } = place_of(subject)?;
        let request = BirthRequest {
            name: prepared.name.clone(),
            credits: summons.budget,
            capital: self.capital(),
            guardian: None,
            pool,
            elsewhere,
            host,
            gas_wei: self.gas,
            key_password: key_password(
                &folder.key(),
                self.key_password_file.as_ref(),
                "A password for the successor's own key: ",
            )?,
            strength: strength(chain),
            key: None,
            book: prepared.book.clone(),
            heir: Some(Heirship {
                predecessor: subject.agent,
                left: prepared.left,
                takes_genome: summons.inherit_grimoire,
                poisoned,
            }),
            epitaph: !self.no_epitaph,
        };
        let earlier = if folder.key().exists() { earlier_birth(&folder, chain, &desk, &request).await? } else { None };
        if earlier.is_none() {
            require_pool(&desk, pool, self.json).await?;
        }
        found(&folder, &prepared.config, &prepared.book)?;
        let report = &mut report(self.json);
        let birth = give_birth(&folder, chain, &desk, request, earlier, &prepared.settings, report).await?;
        if self.json {
            screen::tell(&birth.picture(&folder, &desk).await.json());
        } else {
            println!(
                "{} is born: agent {}, lineage {}, generation {}",
                birth.name, birth.agent, birth.lineage, birth.generation
            );
            println!("What it inherited waits as candidates: bardo line heritage {}", birth.name);
            if birth.capital.is_zero() {
                println!("It has no capital; to trade with: {}", give_capital(&birth.name));
            }
            println!("Let it live: bardo golem run {}", birth.name);
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The arguments by themselves, for who says them without a command line.
#[derive(Debug, Parser)]
struct Words {
    #[command(flatten)]
    arguments: SuccessorArguments,
}

/// What the wizard is filled in with, and what the testament advises beside it.
struct Usual<'a> {
    filled: Wizard,
    advice: Option<&'a Recommendation>,
    heir: wizard::Heir,
}

/// A successor that is not born.
struct Prospect {
    prepared: Prepared,
    poisoned: BTreeMap<EntryId, String>,
    shown: HeirPreview,
    /// How much of it the testament tells beside the genome.
    told_apart: usize,
    tried: FirstDays,
    similarity: Option<Ppm>,
    gate: Result<(), Stillborn>,
}

fn advice(why: Stillborn) -> &'static str {
    match why {
        Stillborn::TooSimilar { .. } => {
            "bring another --playbook, or change its rules; a person may insist with --force-similarity"
        }
        // I-212: what cannot be measured is no reason to trade otherwise.
        _ => {
            "bring up the model of [embedder] (bardo doctor), or write measure = \"rules\" under [succession]; a person may \
             insist with --force-similarity"
        }
    }
}

fn alike(similarity: Option<Ppm>) -> String {
    similarity.map_or_else(|| "an unknown share".to_owned(), |share| share.to_string())
}
