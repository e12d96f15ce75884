//! O-011. What an owner begins on the page: the command of that name, run beside the server, whose every transaction his own
//! wallet in the browser is handed, signs and sends. What it says goes to its [`Clerk`].

use std::ffi::OsString;
use std::io::{ErrorKind, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use clap::{Parser, Subcommand};
use eyre::Result;
use golem_chain::HandedSigner;
use golem_playbook::Book;
use golem_primitives::{Address, Usdc};
use golem_view::UndertakingPicture;
use golem_web::{BookWanted, Refused, UndertakingKind, UndertakingWanted, WalletAnswer};
use tempfile::NamedTempFile;
use tokio::runtime::Handle;

use crate::clerk::{Clerk, Papers, locked};
use crate::golem::book::BookText;
use crate::golem::connect::ChainChoice;
use crate::golem::home::Home;
use crate::golem::{GolemCommand, LineCommand, OwnerCommand};
use crate::web::explorer::unsigned;

/// A command that the page may begin.
#[derive(Debug, Parser)]
struct Words {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    #[command(subcommand)]
    Golem(GolemCommand),
    #[command(subcommand)]
    Owner(OwnerCommand),
    #[command(subcommand)]
    Line(LineCommand),
}

impl Command {
    async fn run(self) -> Result<ExitCode> {
        match self {
            Self::Golem(command) => command.act().await,
            Self::Owner(command) => command.act().await,
            Self::Line(command) => command.act().await,
        }
    }
}

/// The place at which commands are begun: one at a time, since a wallet has one owner, and he looks at one thing at a time.
#[derive(Default)]
pub(crate) struct Counter {
    open: Mutex<Option<Undertaking>>,
}

struct Undertaking {
    number: u64,
    says: String,
    golem: Option<String>,
    from: Address,
    papers: Arc<Mutex<Papers>>,
}

/// Where commands look for Golems, chain and password.
pub(crate) struct Surroundings<'a> {
    pub(crate) home: &'a Home,
    pub(crate) chain: &'a ChainChoice,
    pub(crate) key_password_file: Option<&'a PathBuf>,
}

impl Counter {
    /// Begins a command; answers how it stands.
    pub(crate) fn begin(
        &self,
        wanted: UndertakingWanted,
        around: &Surroundings<'_>,
    ) -> Result<UndertakingPicture, Refused> {
        let Asked { says, golem, words, book } = Asked::of(wanted.kind)?;
        let command = words.parsed(around)?;
        let mut open = locked(&self.open);
        if let Some(running) = open.as_ref().filter(|undertaking| locked(&undertaking.papers).over.is_none()) {
            return Err(Refused::Wrong(format!(
                "one thing at a time: {} is not over; sign it in your wallet, or put it aside",
                running.says
            )));
        }
        let papers = Arc::new(Mutex::new(Papers::default()));
        let number = open.as_ref().map_or(1, |last| last.number + 1);
        start(command, book, wanted.from, papers.clone());
        let undertaking = Undertaking { number, says, golem, from: wanted.from, papers };
        let picture = undertaking.picture();
        *open = Some(undertaking);
        Ok(picture)
    }

    /// How what was begun last stands, if anything was.
    pub(crate) fn look(&self) -> Option<UndertakingPicture> {
        locked(&self.open).as_ref().map(Undertaking::picture)
    }

    /// What the wallet did with what it was handed.
    pub(crate) fn answer(&self, number: u64, answer: WalletAnswer) -> Result<UndertakingPicture, Refused> {
        let open = locked(&self.open);
        let undertaking = open.as_ref().filter(|undertaking| undertaking.number == number);
        let undertaking = undertaking.ok_or_else(|| Refused::Missing(format!("there is no undertaking {number}")))?;
        let Some(handed) = locked(&undertaking.papers).waits.take() else {
            return Err(Refused::Wrong("no transaction waits for the wallet now".to_owned()));
        };
        match answer {
            WalletAnswer::Sent(hash) => handed.sent(hash),
            WalletAnswer::Refused(words) => handed.refused(words),
        }
        Ok(undertaking.picture())
    }
}

/// Runs a command on a thread of its own: a server that ends waits for nobody's wallet.
fn start(command: Command, book: Option<NamedTempFile>, from: Address, papers: Arc<Mutex<Papers>>) {
    let (wallet, mut handed) = HandedSigner::new(from);
    let runtime = Handle::current();
    let waiting = papers.clone();
    runtime.spawn(async move {
        while let Some(one) = handed.recv().await {
            locked(&waiting).waits = Some(one);
        }
    });
    std::thread::spawn(move || {
        let clerk = Clerk { wallet, papers: papers.clone() };
        let done = runtime.block_on(clerk.hears(command.run()));
        // The Golem's folder has its own copy.
        drop(book);
        let mut papers = locked(&papers);
        papers.waits = None;
        let over = match done {
            Ok(code) if code == ExitCode::SUCCESS => Ok(()),
            Ok(_) => Err(papers.refusal()),
            Err(error) => Err(format!("{error:#}")),
        };
        papers.over = Some(over);
    });
}

impl Undertaking {
    fn picture(&self) -> UndertakingPicture {
        let papers = locked(&self.papers);
        let born = papers.told.as_ref().and_then(|told| told["name"].as_str()).map(str::to_owned);
        UndertakingPicture {
            number: self.number,
            says: self.says.clone(),
            golem: born.or_else(|| self.golem.clone()),
            from: self.from,
            notes: papers.notes.clone(),
            chain_id: papers.waits.as_ref().map(|handed| handed.chain_id),
            wants: papers.waits.as_ref().map(|handed| unsigned(handed.wanted.clone())),
            over: papers.over.is_some(),
            error: papers.over.as_ref().and_then(|over| over.as_ref().err().cloned()),
        }
    }
}

/// What was asked for, in words and as a command.
struct Asked {
    says: String,
    golem: Option<String>,
    words: CommandWords,
    /// The file in which the command finds a book that was written on the page.
    book: Option<NamedTempFile>,
}

/// A command line. Values are bound to their options and names stand behind `--`, so that nothing that was typed on a page is
/// taken for an option.
struct CommandWords {
    command: &'static [&'static str],
    options: Vec<String>,
    name: String,
}

impl CommandWords {
    fn parsed(self, around: &Surroundings<'_>) -> Result<Command, Refused> {
        let mut words: Vec<OsString> = vec!["bardo".into()];
        words.extend(self.command.iter().map(OsString::from));
        words.extend(self.options.into_iter().map(OsString::from));
        words.extend([OsString::from("--json"), around.home.word()]);
        words.extend(around.chain.words());
        if let Some(path) = around.key_password_file {
            let mut word = OsString::from("--key-password-file=");
            word.push(path);
            words.push(word);
        }
        words.extend([OsString::from("--"), self.name.into()]);
        let parsed = Words::try_parse_from(words);
        parsed.map(|words| words.command).map_err(|error| Refused::Wrong(error.to_string()))
    }
}

/// An amount as a command line takes it.
fn amount(usdc: Usdc) -> String {
    format!("{}.{:06}", usdc.micros() / 1_000_000, usdc.micros() % 1_000_000)
}

/// The option that names a book, and the file it names where it was written on the page. A page names no file of this machine.
fn founding(wanted: BookWanted) -> Result<(String, Option<NamedTempFile>), Refused> {
    let text = match wanted {
        BookWanted::Founding(name) => {
            let names: Vec<&str> = Book::founding_names().collect();
            if names.contains(&name.as_str()) {
                return Ok((format!("--playbook={name}"), None));
            }
            return Err(Refused::Wrong(format!("there is no founding book {name:?}; there are {}", names.join(", "))));
        }
        BookWanted::Written(text) => text,
    };
    let read = BookText::parse(text, "what you wrote").map_err(|error| Refused::Wrong(format!("{error:#}")))?;
    let cannot = |error: std::io::Error| Refused::Wrong(format!("the book cannot be kept on this machine: {error}"));
    let mut file = tempfile::Builder::new().prefix("book-").suffix(".md").tempfile().map_err(cannot)?;
    file.write_all(read.text.as_bytes()).map_err(cannot)?;
    let path = file.path().to_str().ok_or_else(|| cannot(ErrorKind::InvalidFilename.into()))?;
    Ok((format!("--playbook={path}"), Some(file)))
}

impl Asked {
    fn of(kind: UndertakingKind) -> Result<Self, Refused> {
        let words = |command, options, name: &str| CommandWords { command, options, name: name.trim().to_owned() };
        Ok(match kind {
            UndertakingKind::Birth { name, credits, capital, playbook } => {
                let (playbook, book) = founding(playbook)?;
                let mut options = vec![format!("--capital={}", amount(capital)), playbook];
                options.extend(credits.map(|credits| format!("--credits={}", amount(credits))));
                Self {
                    says: format!("the birth of {}", name.trim()),
                    golem: None,
                    words: words(&["golem", "create"], options, &name),
                    book,
                }
            }
            UndertakingKind::Successor { golem, credits, capital, playbook, inherit } => {
                let inherits = if inherit { "--inherit-grimoire" } else { "--no-inherit" };
                let mut options = vec![format!("--capital={}", amount(capital)), inherits.into(), "--yes".into()];
                options.extend(credits.map(|credits| format!("--budget={}", amount(credits))));
                let (playbook, book) = playbook.map(founding).transpose()?.unzip();
                options.extend(playbook);
                Self {
                    says: format!("a successor of {golem}"),
                    golem: None,
                    words: words(&["line", "successor"], options, &golem),
                    book: book.flatten(),
                }
            }
            UndertakingKind::Mandate { golem, budget, successors, days, executor, escrow } => {
                let options = vec![
                    format!("--budget={}", amount(budget)),
                    format!("--successors={successors}"),
                    format!("--for={days}d"),
                    format!("--executor={executor}"),
                    format!("--escrow={}", amount(escrow)),
                    "--prepare-keys".into(),
                    "--yes".into(),
                ];
                let says = format!("a mandate for {successors} of the line of {golem}");
                Self {
                    says,
                    golem: Some(golem.clone()),
                    words: words(&["line", "mandate", "commit"], options, &golem),
                    book: None,
                }
            }
            UndertakingKind::RotateKey { golem } => Self {
                says: format!("a new key for {golem}"),
                golem: Some(golem.clone()),
                words: words(&["owner", "rotate-key"], vec!["--yes".into()], &golem),
                book: None,
            },
            UndertakingKind::Accept { golem, keep_lists } => {
                let mut options = vec!["--yes".to_owned()];
                options.extend(keep_lists.then(|| "--keep-lists".to_owned()));
                Self {
                    says: format!("{golem} is taken over"),
                    golem: Some(golem.clone()),
                    words: words(&["owner", "accept"], options, &golem),
                    book: None,
                }
            }
            UndertakingKind::Link { golem } => Self {
                says: format!("{golem} is linked with its key"),
                golem: Some(golem.clone()),
                words: words(&["owner", "wallet"], vec!["--link".into(), "--yes".into()], &golem),
                book: None,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn parsed(kind: UndertakingKind) -> Result<String, Refused> {
        let chain = ChainChoice::local(Path::new("chain").to_owned());
        let home = Home::at(Path::new("here").to_owned());
        let around = Surroundings { home: &home, chain: &chain, key_password_file: Some(&PathBuf::from("password")) };
        let asked = Asked::of(kind)?;
        let read = |file: &NamedTempFile| std::fs::read_to_string(file.path()).expect("the book");
        let book = asked.book.as_ref().map(read).unwrap_or_default();
        Ok(format!("{:?} {book}", asked.words.parsed(&around)?))
    }

    /// O-011: every undertaking is the command of its name, with what was typed as values and never as options.
    #[test]
    fn o_011_an_undertaking_is_a_command_and_what_was_typed_is_no_option() {
        let (golem, capital) = ("ada".to_owned(), Usdc::whole(1_000));
        let (credits, playbook) = (Some(Usdc::whole(50)), BookWanted::Founding("momentum".to_owned()));
        let kinds = [
            (UndertakingKind::Birth { name: golem.clone(), credits, capital, playbook: playbook.clone() }, "Create("),
            (
                UndertakingKind::Successor {
                    golem: golem.clone(),
                    credits,
                    capital,
                    playbook: Some(playbook.clone()),
                    inherit: true,
                },
                "inherit_grimoire: true",
            ),
            (
                UndertakingKind::Mandate {
                    golem: golem.clone(),
                    budget: capital,
                    successors: 2,
                    days: 90,
                    executor: Address::ZERO,
                    escrow: Usdc::ZERO,
                },
                "prepare_keys: true",
            ),
            (UndertakingKind::RotateKey { golem: golem.clone() }, "RotateKey("),
            (UndertakingKind::Accept { golem: golem.clone(), keep_lists: true }, "keep_lists: true"),
            (UndertakingKind::Link { golem }, "link: true"),
        ];
        for (kind, word) in kinds {
            let said = parsed(kind).expect("a command");
            for word in [word, "json: true", "\"here\"", "key_password_file: Some(\"password\")"] {
                assert!(said.contains(word), "{word}: {said}");
            }
        }
        let born = |name: &str, playbook: BookWanted| {
            let name = name.to_owned();
            parsed(UndertakingKind::Birth { name, credits: None, capital: Usdc::ZERO, playbook })
        };
        let birth = |name: &str, book: &str| born(name, BookWanted::Founding(book.to_owned()));
        let odd = birth("--dry", "momentum").expect("a name like any other");
        assert!(odd.contains("Some(\"--dry\")") && odd.contains("dry: false"), "{odd}");
        for book in ["/etc/passwd", "mine.md", ""] {
            assert!(matches!(birth("eve", book), Err(Refused::Wrong(_))), "{book} is no founding book");
        }
        let mine = Book::founding_text("momentum").expect("it ships").replace("# Momentum", "# Mine");
        let own = born("eve", BookWanted::Written(mine.clone())).expect("a book");
        assert!(
            own.contains("playbook: Some(File(") && own.ends_with(&mine),
            "it is founded on what was written: {own}"
        );
        let wrong = mine.replace("- when: ", "- whence: ");
        let Err(Refused::Wrong(why)) = born("eve", BookWanted::Written(wrong)) else { panic!("it is no book") };
        assert!(why.contains("what you wrote is no book") && why.contains("whence"), "{why}");
    }
}
