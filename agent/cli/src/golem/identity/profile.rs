//! `bardo owner profile`: what the registration file says, in its owner's words.

use std::process::ExitCode;

use clap::Args;
use eyre::{Result, WrapErr, ensure};
use golem_chain::{OwnerDesk, RegistrationProfile};
use golem_primitives::AgentId;
use golem_view::{ProfilePicture, ServicePicture};
use golem_x402::RegistrationError;

use super::{EPITAPH, picture, present};
use crate::golem::subject::{Act, Acting};
use crate::screen;

#[derive(Debug, Args)]
pub(crate) struct ProfileArguments {
    #[command(flatten)]
    act: Act,
    /// What it is, in at most 1,024 bytes; "" for the sentence that fits every Golem.
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// What it looks like: an address, or a file of at most 4,096 bytes; "" for the picture that is drawn on chain.
    #[arg(long, value_name = "URL|FILE")]
    image: Option<String>,
    /// Its page; "" for none. agent0-sdk for Python, up to 1.7.1, cannot load a file with this kind.
    #[arg(long, value_name = "URL")]
    web: Option<String>,
    /// Where it speaks MCP; "" for none.
    #[arg(long, value_name = "URL")]
    mcp: Option<String>,
    /// Its A2A card; "" for none.
    #[arg(long, value_name = "URL")]
    a2a: Option<String>,
    /// Let its file say that it is dead, once it is: the contract Epitaph may change that one word and nothing else.
    #[arg(long, conflicts_with = "no_epitaph")]
    epitaph: bool,
    /// Let nobody but you change its file.
    #[arg(long)]
    no_epitaph: bool,
    /// Write the file anew although it says things that this command does not know; they are lost.
    #[arg(long)]
    anew: bool,
    /// Only show what it says.
    #[arg(long)]
    show: bool,
}

impl ProfileArguments {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        if self.show || !(self.says_something() || self.epitaph || self.no_epitaph) {
            return self.look().await;
        }
        let acting = self.act.open().await?;
        let (agent, name) = (acting.subject.agent, acting.subject.name.clone());
        let mut receipt = None;
        if self.says_something() {
            let file = self.file(&acting).await?;
            receipt = Some(acting.desk.set_agent_uri(agent, file, &mut acting.report()).await?);
        }
        let mut words =
            receipt.iter().map(|_| format!("The registration file of {name} is changed.")).collect::<Vec<_>>();
        if self.web.as_ref().is_some_and(|url| !url.is_empty()) {
            words.push(
                "Of the known clients, agent0-sdk for Python (up to 1.7.1) cannot load a file that lists `web`."
                    .to_owned(),
            );
        }
        let lets = acting.desk.lets_epitaph(agent).await?;
        if (self.epitaph && !lets) || (self.no_epitaph && lets) {
            receipt = Some(acting.desk.let_epitaph(agent, self.epitaph, &mut acting.report()).await?);
        }
        if self.epitaph {
            words.push(EPITAPH.to_owned());
        } else if self.no_epitaph {
            words.push("Nobody but you changes its registration file.".to_owned());
        }
        let told = picture_of(&acting.desk, agent).await?;
        Ok(acting.told(receipt.as_ref(), &words.join("\n"), &told))
    }

    const fn says_something(&self) -> bool {
        self.description.is_some()
            || self.image.is_some()
            || self.web.is_some()
            || self.mcp.is_some()
            || self.a2a.is_some()
    }

    /// L-012. The present file with what was named changed; what the chain knows comes from the chain.
    async fn file(&self, acting: &Acting) -> Result<String> {
        let (desk, agent) = (&acting.desk, acting.subject.agent);
        let (mut profile, besides) = match present(desk, agent).await {
            Ok(found) => found,
            // One that lies elsewhere, or is none, is replaced only when that is said.
            Err(_) if self.anew => (RegistrationProfile::named(acting.subject.name.clone()), Vec::new()),
            Err(error) => return Err(error.wrap_err("nothing was changed; --anew puts a file on chain in its place")),
        };
        ensure!(
            besides.is_empty() || self.anew,
            "its file also says what this command does not know ({}) and would lose; nothing was changed. Write it with \
             setAgentURI yourself, or drop that with --anew",
            besides.join(", ")
        );
        if let Some(text) = &self.description {
            profile.description.clone_from(text);
        }
        if let Some(given) = &self.image {
            profile.image = picture::read(given)?;
        }
        for (kind, given) in [("web", &self.web), ("MCP", &self.mcp), ("A2A", &self.a2a)] {
            if let Some(endpoint) = given {
                profile.serve(kind, endpoint);
            }
        }
        profile.check()?;
        let stall = match golem_x402::advertised(&desk.agent_uri(agent).await?) {
            // What cannot be told whole is not lost without a word.
            Err(error @ RegistrationError::Address) if !self.anew => return Err(error).wrap_err("nothing was changed"),
            stall => stall.ok().flatten(),
        };
        let file = desk.registration_file(agent, &profile).await?;
        match stall {
            // the address of its stall is ours, and the contract does not know it.
            Some(url) => golem_x402::advertise(&file, Some(&url)).wrap_err("nothing was changed"),
            None => Ok(file),
        }
    }

    async fn look(&self) -> Result<ExitCode> {
        let subject = self.act.which.find().await?;
        let desk = subject.chain.onlooker()?;
        let told = picture_of(&desk, subject.agent).await?;
        Ok(screen::draw(self.act.json, &format!("What others read of {}", subject.name), &told))
    }
}

pub(crate) async fn picture_of(desk: &OwnerDesk, agent: AgentId) -> Result<ProfilePicture> {
    const SHOWN: usize = 60;
    let file = desk.agent_uri(agent).await?;
    let told = golem_x402::described(&file).wrap_err_with(|| {
        let shown: String = file.chars().take(SHOWN).collect();
        format!("it is at {}", screen::harmless(&shown))
    })?;
    let service = |service: golem_x402::ServiceTold| ServicePicture {
        name: service.name,
        endpoint: service.endpoint,
        version: service.version,
    };
    // A picture that the file carries is no text for a table.
    let image: String = told.image.chars().take(SHOWN).collect();
    Ok(ProfilePicture {
        name: told.name,
        description: told.description,
        image: if image == told.image { image } else { format!("{image}... ({} letters)", told.image.len()) },
        active: told.active,
        x402: golem_x402::advertised(&file)?,
        wallet: desk.agent_wallet(agent).await?,
        epitaph: desk.lets_epitaph(agent).await?,
        services: told.services.into_iter().map(service).collect(),
        besides: told.besides,
    })
}
