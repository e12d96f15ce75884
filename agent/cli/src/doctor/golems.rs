//! The chain, and every Golem of this machine: keys, balances, stores.

use golem_chain::{EndpointState, Keystore};
use golem_inference::survey::{Day, TierState, survey};
use golem_ports::{Embedder as _, EmbeddingPurpose};
use golem_store::Reader;
use golem_view::FindingPicture;

use crate::golem::connect::{ChainChoice, Connected};
use crate::golem::home::{BirthCertificate, Folder, Home};
use crate::golem::look::holder;
use crate::golem::sleep::month_words;
use crate::watchdog::Sighted;

/// Seconds this machine's clock may stand from a public chain's.
const SKEW_SECONDS: i64 = 30;
/// Wei under which an owner can hardly kill: two million gas at a tenth of a gwei.
const OWNER_WEI: u128 = 200_000_000_000_000;

/// Looks at the chain that is meant and at every Golem here.
pub(super) async fn examine(home: &Home, choice: &ChainChoice) -> Vec<FindingPicture> {
    let mut findings = Vec::new();
    let folders = home.all().unwrap_or_default();
    let settings = folders.iter().find_map(|folder| folder.settings().ok());
    let choice = settings
        .map_or_else(|| choice.clone(), |settings| choice.clone().or(&settings.rpc, settings.deployment.as_ref()));
    let births: Vec<(Folder, BirthCertificate)> = folders
        .into_iter()
        .filter_map(|folder| match folder.birth() {
            Ok(birth) => Some((folder, birth)),
            Err(error) => {
                findings.push(FindingPicture::wrong(
                    folder.name(),
                    format!("{error:#}"),
                    "restore birth.json from a backup, or import the Golem again",
                ));
                None
            }
        })
        .collect();
    let chain = if choice.is_named() || !births.is_empty() {
        let known = births.first().map(|(_, birth)| &birth.deployment);
        match choice.connect_as(known).await {
            Ok(chain) => Some(chain),
            Err(error) => {
                findings.push(FindingPicture::wrong("chain", format!("{error:#}"), "start the local L2 with `bardo chain up --detach`, or name an RPC and its deployment with --rpc and --deployment"));
                None
            }
        }
    } else {
        None
    };
    if let Some(chain) = &chain {
        findings.extend(of_chain(chain).await);
    }
    for (folder, birth) in &births {
        findings.push(key(folder));
        findings.push(store(folder, birth));
        findings.push(config(folder));
        findings.push(embedder(folder).await);
        findings.extend(models(folder).await);
        findings.extend(super::feed::examine(folder, birth, chain.as_ref()).await);
        findings.extend(super::data::examine(folder));
        findings.extend(dreams(folder));
        if let Some(chain) = chain.as_ref().filter(|chain| chain.deployment.chain_id == birth.deployment.chain_id) {
            findings.extend(balances(chain, birth).await);
        }
    }
    findings
}

async fn of_chain(chain: &Connected) -> Vec<FindingPicture> {
    let head = chain.endpoints.head().await;
    let mut findings: Vec<FindingPicture> = chain
        .endpoints
        .health()
        .into_iter()
        .map(|health| {
            let latency = health
                .latency
                .map_or_else(|| "no answer yet".to_owned(), |latency| format!("{} ms", latency.as_millis()));
            let block = health.head.map_or_else(String::new, |block| format!(", block {block}"));
            let detail = format!(
                "{}: {latency}{block}{}",
                health.url,
                health.last_failure.map_or_else(String::new, |why| format!("; last failure: {why}"))
            );
            FindingPicture::new(
                "rpc",
                health.state == EndpointState::Healthy,
                detail,
                "wait, or name another endpoint in chain.rpc of golem.toml",
            )
        })
        .collect();
    let detail = format!("chain {}, registry {}", chain.deployment.chain_id, chain.deployment.lineage);
    findings.push(FindingPicture::sound("suite", detail));
    match (head, chain.endpoints.skew()) {
        (Err(error), _) => findings.push(FindingPicture::wrong(
            "head",
            error.to_string(),
            "wait until an endpoint follows the chain again",
        )),
        (Ok(head), Some(skew)) if chain.devnet.is_none() => {
            let healthy = skew.seconds.abs() <= SKEW_SECONDS;
            let detail = format!("{} s from the time of block {}", skew.seconds, head.number);
            findings.push(FindingPicture::new(
                "clock skew",
                healthy,
                detail,
                "set the system clock (for example with an NTP client)",
            ));
        }
        (Ok(head), _) => {
            findings.push(FindingPicture::sound("head", format!("block {} of {}", head.number, head.time)))
        }
    }
    findings
}

fn key(folder: &Folder) -> FindingPicture {
    let (subject, path) = (format!("{}: key", folder.name()), folder.key());
    match Keystore::open(&path) {
        Ok(keystore) => match keystore.loose_mode() {
            None => FindingPicture::sound(subject, format!("{} is sealed and private", path.display())),
            Some(mode) => FindingPicture::wrong(
                subject,
                format!("{} can be read by others ({mode:o})", path.display()),
                format!("chmod 600 {}", path.display()),
            ),
        },
        Err(error) => FindingPicture::wrong(
            subject,
            error.to_string(),
            format!("copy the key file there, or give it a new key: bardo owner rotate-key {}", folder.name()),
        ),
    }
}

fn store(folder: &Folder, birth: &BirthCertificate) -> FindingPicture {
    let subject = format!("{}: memory", folder.name());
    let remedy = format!("bardo memory restore {}", folder.name());
    let looked = Reader::open(&folder.store()).and_then(|reader| {
        reader.check()?;
        Ok((*reader.golem(), reader.counts()?))
    });
    match looked {
        Ok((golem, _)) if golem != birth.golem() => {
            FindingPicture::wrong(subject, format!("it is the memory of {golem}"), remedy)
        }
        Ok((_, counts)) => {
            let who = holder(folder)
                .map_or_else(|| "nobody lives it now".to_owned(), |pid| format!("process {pid} lives it"));
            FindingPicture::sound(subject, format!("sound, {} passes; {who}", counts.committed))
        }
        Err(error) => FindingPicture::wrong(subject, error.to_string(), remedy),
    }
}

fn config(folder: &Folder) -> FindingPicture {
    let subject = format!("{}: golem.toml", folder.name());
    match folder.settings() {
        Ok(settings) if settings.temper.wants_model() && settings.inference.is_empty() => FindingPicture::sound(
            subject,
            "without mistakes; daimon.mode is model and no model is configured, so rules appraise: configure \
             [inference.t1], or write mode = \"rules\"",
        ),
        Ok(_) => FindingPicture::sound(subject, "without mistakes"),
        Err(error) => FindingPicture::wrong(
            subject,
            format!("{error:#}"),
            format!("bardo config check {}", folder.config().display()),
        ),
    }
}

/// Whether what it learns can be found by meaning. A Golem lives without; its Grimoire is then searched by words.
async fn embedder(folder: &Folder) -> FindingPicture {
    let subject = format!("{}: embedder", folder.name());
    let Ok(settings) = folder.settings() else {
        return FindingPicture::sound(subject, "golem.toml has mistakes; see there");
    };
    let choice = settings.embedder;
    if choice.is_none() {
        return FindingPicture::sound(subject, "none chosen: its Grimoire is searched by words");
    }
    let tried = async {
        let Some(embedder) = choice.open().await? else { eyre::bail!("none chosen") };
        embedder.embed(&["gas falls at night"], EmbeddingPurpose::Query).await?;
        Ok::<_, eyre::Report>(embedder.model().to_string())
    };
    match tried.await {
        Ok(model) => FindingPicture::sound(subject, format!("{model} answers")),
        // The default that nobody fetched is no defect: nobody asked for it.
        Err(error) if choice.kind == "minilm" => FindingPicture::sound(subject, format!("words alone: {error:#}")),
        Err(error) => FindingPicture::wrong(
            subject,
            format!("{error:#}"),
            format!("correct [embedder] in {}, or choose kind = \"none\"", folder.config().display()),
        ),
    }
}

/// Which tiers live, why not, and what a day of the living ones would cost. Without any, rules decide.
async fn models(folder: &Folder) -> Vec<FindingPicture> {
    let Ok(settings) = folder.settings() else { return Vec::new() };
    let found = survey(&settings.inference, |name| std::env::var(name).ok(), Day::default()).await;
    let asked = found.tiers.iter().filter(|report| report.model.is_some()).map(|report| {
        let is_live = matches!(report.state, TierState::Live { .. });
        let model = report.model.as_deref().unwrap_or_default();
        let price = report.per_day.map_or_else(String::new, |usdc| format!("; an imagined day costs {usdc}"));
        FindingPicture::new(
            format!("{}: {:?}", folder.name(), report.tier),
            is_live,
            format!("{model} {}{price}", report.state),
            format!(
                "correct [inference.{}] in {}",
                format!("{:?}", report.tier).to_lowercase(),
                folder.config().display()
            ),
        )
    });
    let mut findings: Vec<FindingPicture> = asked.collect();
    let words = if found.is_rules_only() {
        "no model answers: rules decide everything".to_owned()
    } else {
        format!("an imagined day of the living tiers costs {}", found.per_day())
    };
    findings.push(FindingPicture::sound(format!("{}: models", folder.name()), words));
    findings
}

/// D-240. Whether it dreams and what a month of it costs, said also where dreams are off: an owner knows the cost before turning
/// them on.
fn dreams(folder: &Folder) -> Option<FindingPicture> {
    let law = folder.settings().ok()?.dreams.law;
    let state = if law.enabled { "on" } else { "off" };
    let detail = format!("{state}; {}", month_words(&law));
    Some(FindingPicture::sound(format!("{}: dreams", folder.name()), detail))
}

async fn balances(chain: &Connected, birth: &BirthCertificate) -> Vec<FindingPicture> {
    let asked = async {
        let desk = chain.onlooker()?;
        let sight = Sighted::look(chain, &desk, birth.agent).await?;
        let owner = desk.owner_of(birth.agent).await?;
        Ok::<_, eyre::Report>((sight, desk.purse(owner).await?))
    };
    let (sight, owner) = match asked.await {
        Ok(seen) => seen,
        Err(error) => {
            return vec![FindingPicture::wrong(
                format!("{}: on chain", birth.name),
                format!("{error:#}"),
                "check that this is the chain it was born on",
            )];
        }
    };
    let lives = sight.life == "alive";
    vec![
        FindingPicture::new(
            format!("{}: gas", birth.name),
            !lives || sight.beats_left >= 60,
            format!("its key pays for {} reports; it is {}", sight.beats_left, sight.life),
            format!("bardo golem fund {} --gas 0.002", birth.name),
        ),
        FindingPicture::new(
            format!("{}: owner", birth.name),
            !lives || owner.wei >= OWNER_WEI,
            format!("{} has {} and {}", owner.account, owner.usdc, crate::screen::ether(owner.wei)),
            format!("send the owner {} some native coin: without gas he can neither kill nor fund", owner.account),
        ),
    ]
}
