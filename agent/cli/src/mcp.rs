//! `bardo mcp`: what an assistant may ask, over a pipe or over HTTP on this machine (O-014).

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use eyre::Result;
use golem_edge::server::{ServerLimits, serve};
use golem_mcp::{Tools, over_http, over_stdio};
use golem_web::{Doorkeeper, Token};

use crate::chain::Stopping;
use crate::golem::connect::ChainChoice;
use crate::golem::home::Home;
use crate::screen;
use crate::web::{House, listen_at, token};

/// Connections at once, and how long one may stand: an assistant asks one thing at a time.
const LIMITS: ServerLimits = ServerLimits { connections: 16, patience: Duration::from_secs(3_600) };
#[derive(Debug, Args)]
#[command(
    after_help = "Example: bardo mcp --home .bardo\n         bardo mcp --port 8043\n\nWithout --port it speaks over its standard input and output, as an assistant starts it. docs/mcp.md shows how to add it to one. It reads only: nothing that it can be asked spends, signs or changes anything."
)]
pub(crate) struct McpArguments {
    #[command(flatten)]
    home: Home,
    #[command(flatten)]
    chain: ChainChoice,
    /// Where registered experiments are.
    #[arg(long, default_value = crate::experiment::FOLDER, value_name = "FOLDER")]
    experiments: PathBuf,
    /// Over HTTP at this port of this machine instead of over a pipe; 0 takes a free one.
    #[arg(long)]
    port: Option<u16>,
    /// The address and the token as a JSON object instead of words; with --port.
    #[arg(long, requires = "port")]
    json: bool,
}

impl McpArguments {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        // What happened is told in the words of a terminal; an assistant has no use for colours.
        screen::leave_colours(true);
        let mut stopping = Stopping::listen()?;
        let tools = Tools::new(Arc::new(House::new(self.home, self.chain, self.experiments, None)));
        let Some(port) = self.port else {
            tokio::select! {
                biased;
                () = stopping.asked() => {}
                ended = over_stdio(tools) => ended?,
            }
            return Ok(ExitCode::SUCCESS);
        };
        let listener = listen_at(port).await?;
        let token = Token::of(token()?);
        let guard = Doorkeeper::new(listener.local_addr()?, token.clone());
        let address = format!("{}/mcp", guard.origins()[0]);
        if self.json {
            println!("{}", serde_json::json!({ "address": address, "token": token.reveal() }));
        } else {
            println!("{address}\nAuthorization: Bearer {}\n", token.reveal());
            println!("Give both to an assistant on this machine. Ctrl-C ends it; the Golems live on.");
        }
        tokio::select! {
            biased;
            () = stopping.asked() => {}
            () = serve(listener, over_http(tools, guard), LIMITS) => {}
        }
        Ok(ExitCode::SUCCESS)
    }
}
