//! `bardo docs`: what shells and manuals are told of the commands.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use clap_complete::Shell;
use eyre::{Result, WrapErr as _};

/// What is written of the commands themselves.
#[derive(Debug, Subcommand)]
pub(crate) enum DocsCommand {
    /// Write completions for a shell to standard output.
    #[command(
        after_help = "Example: bardo docs completions bash > ~/.local/share/bash-completion/completions/bardo\n         bardo docs completions zsh > ~/.zfunc/_bardo"
    )]
    Completions(CompletionsArguments),
    /// Write a manual page for every command into a folder.
    #[command(after_help = "Example: bardo docs man ~/.local/share/man/man1\n         man bardo-golem-create")]
    Man(ManArguments),
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsArguments {
    /// bash, zsh, fish, elvish or powershell.
    shell: Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ManArguments {
    /// The folder, made where there is none.
    folder: PathBuf,
}

impl DocsCommand {
    pub(crate) fn run(self, mut bardo: clap::Command) -> Result<ExitCode> {
        match self {
            Self::Completions(arguments) => {
                clap_complete::generate(arguments.shell, &mut bardo, "bardo", &mut std::io::stdout());
            }
            Self::Man(ManArguments { folder }) => {
                std::fs::create_dir_all(&folder).wrap_err_with(|| format!("cannot make {}", folder.display()))?;
                clap_mangen::generate_to(bardo, &folder)
                    .wrap_err_with(|| format!("cannot write manual pages into {}", folder.display()))?;
                println!("manual pages are in {}", folder.display());
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
