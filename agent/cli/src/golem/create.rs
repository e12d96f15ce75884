//! `bardo golem create`.

use golem_core::record::ELSEWHERE;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser};
use eyre::{Result, WrapErr, bail, ensure};
use golem_chain::{OwnerDesk, PoolBeside};
use golem_mortality::config::Hosting;
use golem_mortality::economic::costs::VM_PER_HOUR;
use golem_mortality::economic::funding::{FundingCheck, FundingQuestion, recommended_funding};
use golem_mortality::law::Law;
use golem_primitives::{Address, Usdc};
use golem_view::{FundingPicture, Picture as _, Shown as _, VaultToBe};
use toml_edit::{DocumentMut, table, value};

use super::birth::{BirthRequest, earlier_birth, give_birth, plan, pool_beside, require_pool, strength};
use super::book::{BookChoice, BookText};
use super::break_even;
use super::connect::{ChainChoice, Connected, Wallet, key_password};
use super::home::{BirthCertificate, Folder, Home};
use super::library::offers::offered;
use super::settings::Settings;
use super::subject::{confirm, report};
use super::{qr, wizard};
use crate::screen;
use preview::Preview;

mod preview;
#[derive(Debug, Args)]
pub(crate) struct CreateArguments {
    /// Its name: lowercase letters, digits and hyphens. Left out at a terminal, everything is asked for.
    name: Option<String>,
    #[command(flatten)]
    home: Home,
    #[command(flatten)]
    chain: ChainChoice,
    #[command(flatten)]
    wallet: Wallet,
    /// USDC to live on; the recommendation when left out.
    #[arg(long, value_name = "USDC")]
    credits: Option<Usdc>,
    /// USDC to trade with.
    #[arg(long, default_value = "0", value_name = "USDC")]
    capital: Usdc,
    /// The book it is founded on: mean-reversion, momentum, range-liquidity, or a file of your own (`bardo playbook new`); what
    /// --config says when left out, else mean-reversion.
    #[arg(long, value_name = "FILE|NAME")]
    playbook: Option<BookChoice>,
    /// A golem.toml to be born with: `bardo config init` writes one with every key. The law of a life, its tables
    /// `mortality`, is the one it is born with; what is named here otherwise goes before the file.
    #[arg(long, env = "BARDO_GOLEM_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// Who may trip the kill switch.
    #[arg(long, value_name = "ADDRESS")]
    guardian: Option<Address>,
    /// The pool it trades in; the deployment's own when left out.
    #[arg(long, value_name = "ADDRESS")]
    pool: Option<Address>,
    /// Another pool it trades in, by the name the deployment knows it by, or NAME=ADDRESS; up to three. A rule speaks of it
    /// with `- in: NAME`.
    #[arg(long, value_name = "NAME[=ADDRESS]")]
    also: Vec<String>,
    /// Who is paid for the machine; nobody when left out.
    #[arg(long, value_name = "ADDRESS")]
    host: Option<Address>,
    /// What the machine costs a tick.
    #[arg(long, value_name = "USDC")]
    host_per_tick: Option<Usdc>,
    /// Native coin for the key's gas, sent from the owner's wallet, in ether.
    #[arg(long, default_value = "0.002", value_name = "ETH", value_parser = parse_ether)]
    gas: u128,
    /// A file whose first line will be the password of the Golem's own key.
    #[arg(long, env = "BARDO_KEY_PASSWORD_FILE", value_name = "FILE")]
    key_password_file: Option<PathBuf>,
    /// Let nobody but you say in its registration file that it is dead. Without this the contract Epitaph may change that one
    /// word there after its death, and nothing else.
    #[arg(long)]
    no_epitaph: bool,
    /// Only show what would be done: what it is born with, and every transaction.
    #[arg(long)]
    dry: bool,
    /// Make its key, show where its vault will stand and how to send USDC there by a plain transfer, and stop. The same
    /// command without this gives birth at that very address.
    #[arg(long, conflicts_with = "dry")]
    show_address: bool,
    /// A JSON object instead of words.
    #[arg(long)]
    json: bool,
}

/// The arguments by themselves, for who says them without a command line.
#[derive(Debug, Parser)]
struct Words {
    #[command(flatten)]
    arguments: CreateArguments,
}

impl CreateArguments {
    /// I-264. A new line, begun from a screen: nothing of a predecessor is carried over, and everything is asked for.
    pub(crate) fn fresh(home: Home, chain: ChainChoice) -> Result<Self> {
        let said = Words::try_parse_from(["create"])?;
        Ok(Self { home, chain, ..said.arguments })
    }

    pub(crate) async fn run(mut self) -> Result<ExitCode> {
        let is_asked = self.name.is_none();
        if is_asked {
            if !std::io::stdin().is_terminal() {
                eprintln!("error: name it: bardo golem create NAME");
                return Ok(ExitCode::from(2));
            }
            self.wizard()?;
        }
        let name = self.name.clone().unwrap_or_default();
        let folder = self.home.new_folder(&name)?;
        let chain = self.chain.connect().await?;
        let desk = chain.desk(self.wallet.signer(&chain).await?)?;
        let settings = self.settings()?;
        let book = self.book(&settings)?;
        let advice = Advice::of(&settings, &book);
        let credits = self.credits.unwrap_or(advice.total);
        let purse = desk.purse(desk.address()).await?;
        if !self.json {
            advice.show(credits);
        }
        let question = FundingQuestion {
            funding: credits,
            wallet: purse.usdc.saturating_sub(self.capital),
            has_gas: purse.wei > self.gas,
            permit2_approved: None,
            reserve: advice.reserve,
        };
        // A key from an earlier try may have been born already; that needs no second purse.
        let was_tried = folder.key().exists();
        if self.dry || !was_tried {
            refuse_poor(&question, &advice, self.capital)?;
        }
        let pool = self.pool.or(chain.deployment.pool);
        let Some(pool) = pool else { bail!("this deployment names no pool; choose one with --pool ADDRESS") };
        if self.dry || !was_tried {
            require_pool(&desk, pool, self.json).await?;
        }
        let elsewhere = self.beside(&desk, pool, &book).await?;
        if self.dry || is_asked {
            let (asked, suite, owner) = (&self, &chain.deployment, desk.address());
            Preview { asked, name: &name, suite, owner, book: &book, credits, pool }.show();
        }
        if self.capital == Usdc::ZERO && !self.json {
            eprintln!(
                "With no capital it watches and predicts, and neither trades nor earns; `bardo golem fund {name} --capital \
                 --amount 100` gives it some later."
            );
        }
        if self.dry {
            return Ok(ExitCode::SUCCESS);
        }
        if is_asked {
            confirm(false, "This will be sent from the owner's wallet")?;
        }
        let request = BirthRequest {
            name,
            credits,
            capital: self.capital,
            guardian: self.guardian,
            pool,
            elsewhere,
            host: self.host,
            gas_wei: self.gas,
            key_password: key_password(
                &folder.key(),
                self.key_password_file.as_ref(),
                "A password for the Golem's own key: ",
            )?,
            strength: strength(&chain),
            key: None,
            heir: None,
            book: book.clone(),
            epitaph: !self.no_epitaph,
        };
        if self.show_address {
            return self.show_vault(&folder, &chain, &desk, request).await;
        }
        let earlier = if was_tried { earlier_birth(&folder, &chain, &desk, &request).await? } else { None };
        if was_tried && earlier.is_none() {
            refuse_poor(&question, &advice, self.capital)?;
            require_pool(&desk, pool, self.json).await?;
        }
        // Before the birth: a certificate makes a folder a Golem, and this is what it lives by.
        std::fs::create_dir_all(folder.path()).wrap_err_with(|| format!("cannot make {}", folder.path().display()))?;
        std::fs::write(folder.config(), self.config_text()?).wrap_err("cannot write golem.toml")?;
        std::fs::write(folder.founding(), &book.text).wrap_err("cannot write founding.md")?;
        let report = &mut report(self.json);
        let birth = give_birth(&folder, &chain, &desk, request, earlier, &settings, report).await?;
        self.announce(&folder, &birth, &desk).await?;
        Ok(ExitCode::SUCCESS)
    }

    /// P-057. The pools it trades in beside its home pool, and whether its book speaks of no other.
    async fn beside(&self, desk: &OwnerDesk, pool: Address, book: &BookText) -> Result<Vec<PoolBeside>> {
        ensure!(
            self.also.len() <= ELSEWHERE,
            "--also names {} pools; at most {ELSEWHERE} can be traded in beside the home pool",
            self.also.len()
        );
        let mut names = vec![desk.deployment().name_of(pool)];
        let mut elsewhere: Vec<PoolBeside> = Vec::new();
        for said in &self.also {
            let beside = pool_beside(desk, said).await?;
            let is_twice = beside.address == pool || elsewhere.iter().any(|known| known.address == beside.address);
            ensure!(!is_twice && !names.contains(&beside.name), "the pool {} is named twice", beside.name);
            names.push(beside.name);
            elsewhere.push(beside);
        }
        book.require_pools(&names, |pool| format!("--also {pool}"))?;
        Ok(elsewhere)
    }

    /// Asks for everything, with the recommendation and why (M-050).
    fn wizard(&mut self) -> Result<()> {
        if let Some(offered) = offered(&self.home.library()).filter(|_| self.home.all().is_ok_and(|all| all.is_empty()))
        {
            println!("There is no Golem here, and {offered}.\n");
        }
        let settings = self.settings()?;
        let advice = Advice::of(&settings, &self.book(&settings)?);
        advice.show(advice.total);
        println!();
        let answers = wizard::ask(&mut std::io::stdin().lock(), &mut std::io::stderr(), advice.total)?;
        self.name = Some(answers.name);
        self.playbook = Some(answers.playbook);
        (self.credits, self.capital) = (Some(answers.credits), answers.capital);
        self.guardian = answers.guardian;
        Ok(())
    }

    /// The vault's address before it exists.
    async fn show_vault(
        &self,
        folder: &Folder,
        chain: &Connected,
        desk: &OwnerDesk,
        request: BirthRequest,
    ) -> Result<ExitCode> {
        let key = request.own_key(folder)?;
        let (usdc, chain_id) = (chain.deployment.usdc, chain.deployment.chain_id);
        let total = request.credits.saturating_add(request.capital);
        let plan = plan(&request, chain, desk, key.address());
        let vault = desk.vault_address(&plan).await?;
        let uri = qr::transfer(usdc, chain_id, vault, None);
        if self.json {
            let (name, key) = (request.name, key.address());
            screen::tell(&VaultToBe { name, vault, key, usdc_address: usdc, chain_id, uri }.json());
            return Ok(ExitCode::SUCCESS);
        }
        println!(
            "\nThe vault of {} will stand at\n\n  {vault}\n\non chain {chain_id}. USDC ({usdc}) may be sent there already; once born, it takes it up as credits.\n",
            request.name
        );
        println!("{}", qr::draw(&uri)?);
        println!(
            "{uri}\nThe birth itself takes {total} from {}: the same command without --show-address.",
            desk.address()
        );
        Ok(ExitCode::SUCCESS)
    }

    fn settings(&self) -> Result<Settings> {
        let read = Settings::read(&self.config_text()?);
        read.wrap_err_with(|| self.config.as_ref().map_or_else(String::new, |path| path.display().to_string()))
    }

    /// The book of these choices: one that the command names is looked for here, one of a configuration beside it.
    fn book(&self, settings: &Settings) -> Result<BookText> {
        let beside = self.config.as_deref().and_then(Path::parent).filter(|_| self.playbook.is_none());
        settings.playbook.read(beside.unwrap_or(Path::new("")))
    }

    fn config_text(&self) -> Result<String> {
        let given = match &self.config {
            Some(path) => golem_edge::files::read_text(path, golem_edge::files::SMALL)
                .wrap_err_with(|| format!("cannot read {}", path.display()))?,
            None => String::new(),
        };
        // Nobody is paid who is not named.
        let per_tick = if self.host.is_none() { Some(Usdc::ZERO) } else { self.host_per_tick };
        founded(&given, self.playbook.as_ref(), per_tick)
    }

    async fn announce(&self, folder: &Folder, birth: &BirthCertificate, desk: &OwnerDesk) -> Result<()> {
        let picture = birth.picture(folder, desk).await;
        if self.json {
            screen::tell(&picture.json());
            return Ok(());
        }
        screen::show(&picture.known(&format!("{} is born", birth.name)));
        let dreams = folder.settings()?.dreams.law;
        if dreams.enabled {
            println!("\nIt dreams ([dreams] in {}): {}", folder.config().display(), super::sleep::month_words(&dreams));
        }
        println!("\nLet it live:  bardo golem run {}", birth.name);
        println!("Feed it:      send USDC to its vault, or bardo golem fund {} --amount 10", birth.name);
        println!("Describe it:  bardo owner profile {} --description \"...\"", birth.name);
        println!("Kill it:      bardo golem kill {} --reason \"...\"", birth.name);
        Ok(())
    }
}

/// A `golem.toml` as it was given, with what goes before it and what every newborn has and it does not speak of.
pub(super) fn founded(given: &str, playbook: Option<&BookChoice>, per_tick: Option<Usdc>) -> Result<String> {
    let mut file: DocumentMut = given.parse().wrap_err("the golem.toml is no TOML")?;
    let golem = file.entry("golem").or_insert_with(table).as_table_mut();
    let golem = golem.ok_or_else(|| eyre::eyre!("golem is no table in the golem.toml; write [golem]"))?;
    if let Some(playbook) = playbook {
        golem["playbook"] = value(playbook.to_string());
    }
    if let Some(usdc) = per_tick {
        golem["host_usdc_per_tick"] = plain(usdc).parse().wrap_err("an amount is a number")?;
    }
    let newborn: DocumentMut = format!("{}{}", super::temper::NEWBORN, super::sleep::NEWBORN).parse()?;
    for (name, usual) in newborn.iter() {
        file.entry(name).or_insert_with(|| usual.clone());
    }
    Ok(file.to_string())
}

/// M-050. What a life should be given, and why.
pub(super) struct Advice {
    daily: Usdc,
    reserve: Usdc,
    pub(super) total: Usdc,
    /// P-023. The least capital at which it could earn what it costs.
    break_even: Option<Usdc>,
}

impl Advice {
    pub(super) fn of(settings: &Settings, book: &BookText) -> Self {
        let ticks_a_day = 86_400 / settings.tick.as_secs().max(1);
        let host = Usdc::from_micros(settings.trader.host_per_tick.micros().saturating_mul(ticks_a_day));
        let daily = host.max(Usdc::from_micros(VM_PER_HOUR.micros() * 24));
        let running = recommended_funding(daily, Usdc::ZERO);
        let law = settings.law.law(Hosting::Hosted).unwrap_or_else(|_| Law::hosted());
        let reserve = law.reserve_for(running, 0);
        let break_even = break_even::promised(&book.book, settings.trader.stake, daily, ticks_a_day);
        Self { daily, reserve, total: recommended_funding(daily, reserve), break_even }
    }

    fn break_even(&self) -> String {
        match self.break_even {
            Some(capital) => format!("{capital}, if its best rule keeps its promise all day; four times that on trial"),
            None => "its book promises nothing beyond its costs".to_owned(),
        }
    }

    fn show(&self, credits: Usdc) {
        let picture = FundingPicture {
            daily: self.daily,
            two_weeks: recommended_funding(self.daily, Usdc::ZERO),
            reserve: self.reserve,
            recommended: self.total,
            given: credits,
            break_even: self.break_even(),
        };
        screen::show(&picture.table("Funding"));
    }
}

/// M-050. Every check that fails, with what to do.
fn refuse_poor(question: &FundingQuestion, advice: &Advice, capital: Usdc) -> Result<()> {
    let failing = question.failing();
    if failing.is_empty() {
        return Ok(());
    }
    let words: Vec<String> = failing
        .into_iter()
        .map(|check| match check {
            FundingCheck::Floor => format!(
                "{} is below the least a life is given, 25 USDC ({} a day, reserve {}, recommended {})",
                question.funding, advice.daily, advice.reserve, advice.total
            ),
            FundingCheck::Balance => format!(
                "the owner's wallet holds {}, and {} is wanted; send it the difference",
                question.wallet.saturating_add(capital),
                question.funding.saturating_add(capital)
            ),
            FundingCheck::Gas => "the owner's wallet cannot pay gas; send it some native coin".to_owned(),
            FundingCheck::Permit2 => "the wallet has not approved Permit2".to_owned(),
            FundingCheck::Reserve => format!("nothing is left beside the reserve of {}", question.reserve),
        })
        .collect();
    bail!("this Golem would not live:\n  {}", words.join("\n  "))
}

/// An amount as TOML writes it.
fn plain(usdc: Usdc) -> String {
    format!("{}.{:06}", usdc.micros() / 1_000_000, usdc.micros() % 1_000_000)
}

/// Ether as a person writes it, exactly.
pub(crate) fn parse_ether(text: &str) -> Result<u128, String> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    if part.len() > 18 || part.bytes().any(|b| !b.is_ascii_digit()) {
        return Err("an amount such as 0.002, with at most 18 decimals".to_owned());
    }
    let whole: u128 = whole.parse().map_err(|_| "an amount such as 0.002".to_owned())?;
    let part: u128 = format!("{part:0<18}").parse().map_err(|_| "an amount such as 0.002".to_owned())?;
    whole
        .checked_mul(1_000_000_000_000_000_000)
        .and_then(|wei| wei.checked_add(part))
        .ok_or_else(|| "too much".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// O-002: a golem.toml of one's own is kept as it was written; what the command says goes before it.
    #[test]
    fn o_002_a_golem_is_born_with_the_file_its_owner_wrote() {
        let given = "# mine\n[golem]\nplaybook = \"momentum\" # slow\n[dreams]\nenabled = true\n[mortality.stochastic]\n\
                     max_hazard_rate = 0.000001\n";
        let text = founded(given, None, None).expect("valid");
        assert!(text.contains("# mine") && text.contains("\"momentum\" # slow"), "{text}");
        let settings = Settings::read(&text).expect("valid");
        assert!(settings.dreams.law.enabled && text.contains("profile = \"hardened\""), "{text}");
        assert!((settings.law.stochastic.max_hazard_rate - 1e-6).abs() < f64::EPSILON);
        let other = founded(given, Some(&BookChoice::Shipped("range-liquidity")), Some(Usdc::ZERO)).expect("valid");
        let settings = Settings::read(&other).expect("valid");
        assert_eq!(
            (settings.playbook, settings.trader.host_per_tick),
            (BookChoice::Shipped("range-liquidity"), Usdc::ZERO)
        );
        assert_eq!(
            Settings::read(&founded("", None, None).expect("valid")).expect("valid").playbook,
            BookChoice::Shipped("mean-reversion")
        );
        for wrong in ["golem = 1", "[golem"] {
            assert!(founded(wrong, None, None).is_err(), "{wrong}");
        }
    }
}
