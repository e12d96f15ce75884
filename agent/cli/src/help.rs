//! `bardo --help`: commands in groups a person can guess, instead of one long list.

use clap::Command;

/// Commands that somebody looks for in one place.
struct Group {
    heading: &'static str,
    commands: &'static [&'static str],
}

/// Every command stands in exactly one; what it does is said where it is declared.
const GROUPS: [Group; 8] = [
    Group { heading: "Living", commands: &["golem", "web", "mcp", "watchdog"] },
    Group { heading: "Owner's handles", commands: &["owner", "memory", "config"] },
    Group { heading: "Knowing", commands: &["mind", "playbook"] },
    Group { heading: "Line and Clade", commands: &["line", "relay"] },
    Group { heading: "Graves", commands: &["grave"] },
    Group { heading: "Local chain", commands: &["demo", "chain"] },
    Group { heading: "Simulator", commands: &["backtest", "sim", "experiment"] },
    Group { heading: "This machine", commands: &["doctor", "docs"] },
];

/// The same command with its subcommands shown in groups. clap has no headings for them, so the list is written here and
/// stands in the template of the help; completions and manual pages do not look at it.
pub(crate) fn in_groups(bardo: Command) -> Command {
    let header = bardo.get_styles().get_header();
    let options = format!("{header}Options:{header:#}");
    let list = list_of(&bardo);
    bardo.help_template(
        [
            "{before-help}{about-with-newline}\n{usage-heading} {usage}\n\n",
            &list,
            &options,
            "\n{options}\n\n",
            "To see a whole life: bardo demo. More about a command: bardo help COMMAND{after-help}",
        ]
        .concat(),
    )
}

/// A heading for each group, and under it a line for each of its commands.
fn list_of(bardo: &Command) -> String {
    let (header, literal) = (bardo.get_styles().get_header(), bardo.get_styles().get_literal());
    let names = GROUPS.iter().flat_map(|group| group.commands);
    let width = names.map(|name| name.len()).max().unwrap_or_default();
    let mut list = String::new();
    for Group { heading, commands } in &GROUPS {
        list.push_str(&format!("{header}{heading}:{header:#}\n"));
        for command in commands.iter().filter_map(|name| bardo.find_subcommand(name)) {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            list.push_str(&format!("  {literal}{:<width$}{literal:#}  {about}\n", command.get_name()));
        }
        list.push('\n');
    }
    list
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::Cli;

    /// What somebody reads who types this.
    fn read(arguments: &[&str]) -> String {
        let typed = ["bardo"].iter().chain(arguments);
        in_groups(Cli::command()).try_get_matches_from(typed).expect_err("help is no command").to_string()
    }

    #[test]
    fn o_003_every_command_stands_in_one_group_and_no_group_names_another() {
        let grouped: Vec<&str> = GROUPS.iter().flat_map(|group| group.commands).copied().collect();
        let bardo = Cli::command();
        for name in bardo.get_subcommands().map(Command::get_name) {
            let times = grouped.iter().filter(|grouped| **grouped == name).count();
            assert_eq!(times, 1, "`bardo {name}` stands in {times} groups of help.rs");
        }
        for name in grouped {
            assert!(bardo.find_subcommand(name).is_some(), "help.rs names `{name}`, which is no command");
        }
    }

    /// O-004. Under each heading each command has a line that says what it does and fits a narrow terminal.
    #[test]
    fn o_004_whoever_asks_for_help_and_whoever_types_nothing_reads_all_groups() {
        for arguments in [&[][..], &["-h"], &["--help"], &["help"]] {
            let help = read(arguments);
            for Group { heading, commands } in &GROUPS {
                let (_, group) = help.split_once(&format!("\n{heading}:\n")).expect("every heading is there");
                for (line, name) in group.lines().zip(*commands) {
                    let command = Cli::command().find_subcommand(name).cloned().expect("a command");
                    let about = command.get_about().expect("it says what it does").to_string();
                    assert!(line.trim_start().starts_with(name) && line.ends_with(&about), "{line}");
                    assert!(line.chars().count() <= 80, "wider than 80 columns: {line}");
                }
            }
            assert!(help.contains("--version"), "{help}");
        }
    }
}
