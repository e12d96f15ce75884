//! `bardo`: mortal DeFi agents from a terminal.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is the one room that talks to a person")]

mod alerts;
mod backtest;
mod chain;
mod clerk;
mod config;
mod demo;
mod docs;
mod doctor;
mod experiment;
mod golem;
mod help;
mod mcp;
mod playbook;
mod relay;
mod screen;
mod sim;
mod undertaking;
mod watchdog;
mod web;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches as _, Parser, Subcommand};
use tracing_subscriber::EnvFilter;

/// Mortal DeFi agents: a Golem is born, trades, ages, dies and leaves what it learnt.
///
/// Exit codes: 0 done, 1 failed (the error says what to do next), 2 wrong arguments, 130 interrupted.
#[derive(Debug, Parser)]
#[command(name = "bardo", version, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// A local L2 with real parts and a market by seed.
    #[command(subcommand)]
    Chain(chain::ChainCommand),
    /// Every key of golem.toml, and whether a file is one.
    #[command(subcommand)]
    Config(config::ConfigCommand),
    /// Raise a Golem, let it live, watch it, feed it, end it.
    #[command(subcommand)]
    Golem(golem::GolemCommand),
    /// What binds a vault and its key, and what others read of a Golem.
    #[command(subcommand)]
    Owner(golem::OwnerCommand),
    /// What a Golem knows, dreams, feels and suffers.
    #[command(subcommand)]
    Mind(golem::MindCommand),
    /// Who follows whom, and what is handed down.
    #[command(subcommand)]
    Line(golem::LineCommand),
    /// The dead, and those whose death others must finish.
    #[command(subcommand)]
    Grave(golem::GraveCommand),
    /// What is kept of a life here: proved, copied, taken elsewhere.
    #[command(subcommand)]
    Memory(golem::MemoryCommand),
    /// Read, check, compare and begin the book of rules a Golem acts by.
    #[command(subcommand)]
    Playbook(playbook::PlaybookCommand),
    /// One whole life at speed, from birth to a proved tombstone.
    ///
    /// It lives on a local L2 of its own, and the chain confirms each line of the tombstone.
    Demo(demo::DemoArguments),
    /// A page in your browser: every Golem of this machine, and its chain.
    Web(web::WebArguments),
    /// Let an assistant ask about your Golems (MCP); it reads only.
    ///
    /// It speaks the Model Context Protocol, by a pipe or over HTTP on this machine.
    Mcp(mcp::McpArguments),
    /// Try books over past prices, beside doing nothing.
    ///
    /// Beside them stand cash, the token, half and half, and liquidity.
    Backtest(backtest::BacktestArguments),
    /// Experiments written down before they are run: live and judge them.
    #[command(subcommand)]
    Experiment(experiment::ExperimentCommand),
    /// Many lives under one seed: who survives, what the others die of.
    ///
    /// Mortal ones stand beside immortal ones on the same market.
    Sim(sim::SimArguments),
    /// Carry words between your Golems, and keep them for who is away.
    Relay(relay::RelayArguments),
    /// Alert from the chain alone, also when a Golem's machine is down.
    Watchdog(watchdog::WatchdogArguments),
    /// Check tools, versions, ports, disk and clock, and say what to do.
    Doctor(doctor::DoctorArguments),
    /// Completions for a shell, and a manual page for every command.
    #[command(subcommand)]
    Docs(docs::DocsCommand),
}

impl Cli {
    /// What was typed. Whoever asks for help or typed it wrongly is answered here, and the process ends.
    fn typed() -> Self {
        let matches = help::in_groups(Self::command()).get_matches();
        Self::from_arg_matches(&matches).unwrap_or_else(|error| error.format(&mut Self::command()).exit())
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    let filter = EnvFilter::try_from_env("BARDO_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
    end_with_the_reader();
    // Most commands hold a key or a password at some time, and all of them write what is nobody else's business.
    golem_edge::files::keep_private();
    if let Err(error) = golem_chain::forbid_core_dumps() {
        screen::complain(&eyre::Report::new(error).wrap_err("core dumps cannot be forbidden"));
        return ExitCode::FAILURE;
    }
    let outcome = match Cli::typed().command {
        Command::Chain(command) => command.run().await,
        Command::Config(command) => command.run(),
        Command::Golem(command) => command.run().await,
        Command::Owner(command) => command.run().await,
        Command::Mind(command) => command.run().await,
        Command::Line(command) => command.run().await,
        Command::Grave(command) => command.run().await,
        Command::Memory(command) => command.run().await,
        Command::Playbook(command) => command.run(),
        Command::Demo(arguments) => arguments.run().await,
        Command::Web(arguments) => arguments.run().await,
        Command::Mcp(arguments) => arguments.run().await,
        Command::Backtest(arguments) => arguments.run(),
        Command::Experiment(command) => command.run(),
        Command::Sim(arguments) => arguments.run(),
        Command::Relay(arguments) => arguments.run().await,
        Command::Watchdog(arguments) => arguments.run().await,
        Command::Doctor(arguments) => arguments.run().await,
        Command::Docs(command) => command.run(Cli::command()),
    };
    outcome.unwrap_or_else(|error| {
        let is_closed = |error: &std::io::Error| error.kind() == std::io::ErrorKind::BrokenPipe;
        if error.downcast_ref::<std::io::Error>().is_some_and(is_closed) {
            return ExitCode::SUCCESS;
        }
        screen::complain(&error);
        ExitCode::FAILURE
    })
}

/// Who closes the pipe, as `head` does, has read enough: that is an end and no defect.
fn end_with_the_reader() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let words = panic.payload().downcast_ref::<String>();
        if words.is_some_and(|words| words.starts_with("failed printing to stdout") && words.contains("Broken pipe")) {
            std::process::exit(0);
        }
        usual(panic);
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    /// O-003: whoever asks for help sees what to type, and no level has more words than a person reads.
    #[test]
    fn o_003_every_command_has_an_example_and_no_level_too_many_words() {
        fn look(command: &clap::Command, path: &str, without: &mut Vec<String>) {
            let inner: Vec<_> = command.get_subcommands().filter(|inner| inner.get_name() != "help").collect();
            assert!(inner.len() <= 19, "{path} has {} words", inner.len());
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            if inner.is_empty() && !(help.contains("Example") && help.contains(path)) {
                without.push(path.to_owned());
            }
            for inner in inner {
                look(inner, &format!("{path} {}", inner.get_name()), without);
            }
        }
        let mut without = Vec::new();
        look(&Cli::command(), "bardo", &mut without);
        assert!(without.is_empty(), "no example in the help of {without:#?}");
    }
}
