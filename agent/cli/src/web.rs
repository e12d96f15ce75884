//! `bardo web`: the page of O-011 to O-013, served to this machine alone.
//!
//! The server (`golem-web`) guards and asks; what it is told is read here, by the functions of the commands of that name.

mod acts;
mod evidence;
pub(crate) mod explorer;
mod house;
mod looker;
mod tale;

use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use eyre::{Result, WrapErr};
use golem_edge::server::{ServerLimits, serve};
use golem_web::{Doorkeeper, Token, routes};
use tokio::net::TcpListener;

use crate::chain::Stopping;
use crate::golem::connect::ChainChoice;
use crate::golem::home::Home;
use crate::screen;

pub(crate) use house::House;

/// The port when none is named.
const PORT: u16 = 8_042;
/// Connections at once: a browser opens six, and each page one stream.
const CONNECTIONS: usize = 64;
/// How long one may stand; a stream that is cut comes back by itself.
const PATIENCE: Duration = Duration::from_secs(6 * 3_600);
#[derive(Debug, Args)]
#[command(
    after_help = "Example: bardo web\n         bardo web --home .bardo --port 8042\n\nThe address it prints holds a token: whoever has it may look, nobody may act. What you do there (raise a Golem or a successor, top up, withdraw, kill and more) your own browser wallet signs."
)]
pub(crate) struct WebArguments {
    #[command(flatten)]
    home: Home,
    #[command(flatten)]
    chain: ChainChoice,
    /// The port on this machine; 0 takes a free one.
    #[arg(long, default_value_t = PORT)]
    port: u16,
    /// A file whose first line will be the password of the keys of Golems that are raised from the page.
    #[arg(long, env = "BARDO_KEY_PASSWORD_FILE", value_name = "FILE")]
    key_password_file: Option<PathBuf>,
    /// A JSON object with the address instead of words.
    #[arg(long)]
    json: bool,
}

impl WebArguments {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        let listener = listen_at(self.port).await?;
        let guard = Doorkeeper::new(listener.local_addr()?, Token::of(token()?));
        let address = guard.address();
        if self.json {
            println!("{}", serde_json::json!({ "address": address, "page": golem_web::is_built() }));
        } else {
            println!("{address}\n");
            println!("Open it in a browser on this machine. Ctrl-C ends it; the Golems live on.");
            if !golem_web::is_built() {
                println!("This program was built without its page: run scripts/setup, then build it again.");
            }
        }
        // What happened is told in the words of a terminal; a page paints by itself.
        screen::leave_colours(true);
        let mut stopping = Stopping::listen()?;
        let experiments = crate::experiment::FOLDER.into();
        let house = Arc::new(House::new(self.home, self.chain, experiments, self.key_password_file));
        let limits = ServerLimits { connections: CONNECTIONS, patience: PATIENCE };
        tokio::select! {
            biased;
            () = stopping.asked() => {}
            () = serve(listener, routes(house, guard), limits) => {}
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// A port of this machine. Nobody else's machine may ask: there is no option for another address.
pub(crate) async fn listen_at(port: u16) -> Result<TcpListener> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await;
    listener.wrap_err_with(|| {
        format!("port {port} of this machine cannot be had; name another with --port, or 0 for a free one")
    })
}

/// Bytes that nobody can guess.
pub(crate) fn token() -> Result<[u8; 32]> {
    let key = golem_chain::LocalKey::random().wrap_err("there is no randomness for a token")?;
    Ok(golem_primitives::keccak256(key.address()).0)
}
