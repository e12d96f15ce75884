//! The life the demo shows.

use std::io::IsTerminal as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use eyre::{Result, WrapErr, bail};
use golem_chain::{LocalKey, OwnerDesk, PasswordStrength, Secret, Signer};
use golem_core::life::Life;
use golem_devnet::Accounts;
use golem_primitives::{Ppm, Usdc, keccak256};
use golem_runtime::{EventLine, LivedTick, Metrics};
use tokio::sync::broadcast;

use super::{DemoArguments, TICK_SECONDS};
use crate::golem::birth::{BirthRequest, give_birth};
use crate::golem::connect::{ChainChoice, Connected};
use crate::golem::home::{BirthCertificate, Folder, Home};
use crate::golem::launch::launch;
use crate::golem::pace::Pace;
use crate::golem::settings::Settings;
use crate::screen;

/// What the demo's Golem lives on and trades with.
pub(super) const CREDITS: Usdc = Usdc::whole(50);
const CAPITAL: Usdc = Usdc::whole(2_000);
/// What its machine costs a tick: a life of hundreds of ticks feels it.
const HOST_PER_TICK: &str = "0.02";
/// Gas for the key: a hundredth of an ether.
pub(super) const GAS_WEI: u128 = 10_000_000_000_000_000;
/// Ticks between two lines where there is no terminal to draw on.
const LINE_EVERY: u64 = 25;

/// A newborn and who stands around it.
pub(super) struct Newborn {
    pub(super) folder: Folder,
    pub(super) birth: BirthCertificate,
    pub(super) chain: Connected,
    pub(super) desk: OwnerDesk,
    settings: Settings,
    pub(super) owner: Signer,
    key: LocalKey,
}

/// How it ended.
pub(super) struct Ended {
    pub(super) life: Life,
    pub(super) killed: bool,
}

pub(super) async fn birth(demo: &DemoArguments) -> Result<Newborn> {
    let chain = ChainChoice::local(demo.dir.clone()).connect().await?;
    let accounts = Accounts::default();
    let owner = LocalKey::from_hex(&Secret::new(accounts.owner.key.to_string()))?;
    let owner = Signer::Local(owner);
    let desk = chain.desk(owner.clone())?;
    // Drawn from the seed, so that a seed repeats the demo to the last hash; no Golem but the demo's has such a key.
    let seed = [b"bardo demo key".as_slice(), &demo.seed.to_be_bytes()].concat();
    let key = LocalKey::from_bytes(&keccak256(seed).0)?;
    let config = format!(
        "[golem]\nplaybook = \"{}\"\nhost_usdc_per_tick = {HOST_PER_TICK}\ntick_seconds = {TICK_SECONDS}\n\
         [embedder]\nkind = \"none\"\n",
        demo.playbook
    );
    let book = demo.playbook.read(Path::new(""))?;
    let settings = Settings::read(&config)?;
    let folder = Home::at(&demo.dir).new_folder("ada")?;
    let Some(pool) = chain.deployment.pool else { bail!("the local L2 has no pool") };
    let request = BirthRequest {
        name: "ada".to_owned(),
        credits: CREDITS,
        capital: CAPITAL,
        guardian: Some(accounts.guardian.address),
        pool,
        elsewhere: Vec::new(),
        host: accounts.strangers.first().map(|account| account.address),
        gas_wei: GAS_WEI,
        key_password: Secret::new("demo".to_owned()),
        strength: PasswordStrength::Test,
        key: Some(key.clone()),
        heir: None,
        book: book.clone(),
        epitaph: true,
    };
    let quiet = demo.json || !std::io::stderr().is_terminal();
    let mut report = |progress| screen::desk_progress(progress, quiet);
    let birth = give_birth(&folder, &chain, &desk, request, None, &settings, &mut report).await?;
    chain.stop_bringing();
    std::fs::write(folder.config(), config).wrap_err("cannot write golem.toml")?;
    if !demo.json {
        let rows = vec![
            vec!["agent id".to_owned(), format!("{} (ERC-8004), generation {}", birth.agent, birth.generation)],
            vec!["vault".to_owned(), birth.vault.to_string()],
            vec!["key".to_owned(), birth.key.to_string()],
            vec!["owner".to_owned(), birth.owner.to_string()],
            vec!["credits".to_owned(), format!("{CREDITS}, the machine takes {HOST_PER_TICK} a tick")],
            vec!["capital".to_owned(), format!("{CAPITAL}, traded by {}", book.name)],
        ];
        screen::table("ada is born", &rows);
        println!();
    }
    Ok(Newborn { folder, birth, chain, desk, settings, owner, key })
}

/// Lives it tick by tick, then its death. Past its last tick the owner ends it, as any owner can.
pub(super) async fn live(demo: &DemoArguments, born: &Newborn) -> Result<Ended> {
    let pace = Pace::of(&born.chain, Some(f64::MAX), Duration::from_secs(1)).await?;
    let key = Signer::Local(born.key.clone());
    let metrics = Arc::new(Metrics::default());
    let mut runtime = launch(&born.folder, &born.birth, &born.settings, &born.chain, key, pace, metrics).await?;
    let mut events = runtime.telemetry().listen();
    let mut killed = false;
    loop {
        let lived = runtime.tick().await?;
        tell(&mut events, demo.json);
        if !demo.json {
            draw(runtime.life(), lived);
        }
        if lived == LivedTick::Dead {
            break;
        }
        if lived == LivedTick::Alive && runtime.life().tick().get() >= demo.ticks && !killed {
            killed = true;
            if !demo.json {
                screen::end_line();
                println!("  {}", screen::paint("the owner kills it: one transaction, from any wallet", "35"));
            }
            let desk = born.chain.desk(born.owner.clone())?;
            desk.kill(born.birth.vault, "the demo is over", &mut |_| {}).await?;
            born.chain.stop_bringing();
        }
    }
    if !demo.json {
        screen::end_line();
    }
    Ok(Ended { life: runtime.into_life(), killed })
}

/// What happened in the tick, in words.
fn tell(events: &mut broadcast::Receiver<Arc<EventLine>>, json: bool) {
    while let Ok(line) = events.try_recv() {
        if json {
            println!("{}", serde_json::to_string(&*line).expect("plain data"));
        } else if let Some(words) = screen::event_words(&line) {
            screen::clear_line();
            println!("  {}  tick {:<5} {words}", line.time, line.tick);
        }
    }
}

/// One changing line: where the life stands.
fn draw(life: &Life, lived: LivedTick) {
    let (vitals, vitality) = (life.vitals(), life.vitals().vitality());
    let price = life.trader().and_then(|trader| trader.sight()).map(|sight| sight.market.price);
    let word = match lived {
        LivedTick::Alive => vitality.phase.to_string(),
        LivedTick::Dying => "dying".to_owned(),
        LivedTick::Dead => "dead".to_owned(),
    };
    let line = format!(
        "  tick {:<5} {word:<12} {} {}  credits {:>9} {}  understanding {} {}  WETH {}",
        life.tick(),
        gauge(vitality.composite),
        vitality.composite,
        vitals.economic().balance().to_string(),
        gauge(vitality.economic),
        vitality.epistemic,
        gauge(vitality.epistemic),
        price.map_or_else(|| "-".to_owned(), |price| price.to_string()),
    );
    if std::io::stdout().is_terminal() {
        screen::redraw(&line);
    } else if life.tick().get().is_multiple_of(LINE_EVERY) && lived == LivedTick::Alive {
        println!("{line}");
    }
}

/// Eight blocks for a share of one.
fn gauge(share: Ppm) -> String {
    const WIDTH: u32 = 8;
    let full = (share.get() * WIDTH).div_ceil(1_000_000).min(WIDTH) as usize;
    let colour = match share.get() {
        700_000.. => "32",
        300_000.. => "33",
        _ => "31",
    };
    screen::paint(&format!("{}{}", "█".repeat(full), "░".repeat(WIDTH as usize - full)), colour)
}
