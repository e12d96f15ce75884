//! `bardo playbook`: read, check, compare and begin the book of rules a Golem acts by.

use std::io::Read;
use std::path::Path;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use eyre::{Result, WrapErr, bail, eyre};
use golem_playbook::parse::BYTES;
use golem_playbook::{Book, Difference, Document, WORDS, Word, parse};
use golem_view::{BookCheck, BookDifference, BookPicture, FoundingText, RemarkPicture, Shown as _, WordPicture};

use crate::screen;

#[derive(Debug, Subcommand)]
pub(crate) enum PlaybookCommand {
    /// Say everything that is wrong with a book, with line and column.
    #[command(
        after_help = "Examples:\n  bardo playbook check mine.md\n  bardo playbook new momentum | bardo playbook check -\n\n\
        Exit code 0: no mistake (warnings may be told). 1: a mistake, or a file that cannot be read."
    )]
    Check(CheckArguments),
    /// Say a book in plain words.
    #[command(after_help = "Examples:\n  bardo playbook show mine.md\n  bardo playbook show mean-reversion")]
    Show(ShowArguments),
    /// Say which rules of two books differ in what they mean.
    #[command(after_help = "Example: bardo playbook diff mean-reversion mine.md\n\n\
        Numbers within a tenth are the same; names, reasons and questions do not count.")]
    Diff(DiffArguments),
    /// Print a founding book to start from.
    #[command(after_help = "Example: bardo playbook new mean-reversion > mine.md")]
    New(NewArguments),
    /// List every word a rule may use, with its unit and range.
    #[command(after_help = "Example: bardo playbook words vol")]
    Words(WordsArguments),
}

#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// The files; `-` is the standard input.
    #[arg(required = true)]
    files: Vec<String>,
    /// A JSON array instead of words, one object a file.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ShowArguments {
    /// A file, `-`, or the name of a founding book.
    #[arg(value_name = "FILE|NAME")]
    book: String,
    /// A JSON object instead of words.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DiffArguments {
    /// A file or the name of a founding book.
    first: String,
    /// The other.
    second: String,
    /// A JSON object instead of words.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct NewArguments {
    /// mean-reversion, momentum or range-liquidity.
    name: String,
    /// A JSON object with the text in it.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct WordsArguments {
    /// Show only words whose name or meaning holds this text.
    filter: Option<String>,
    /// A JSON array instead of a table.
    #[arg(long)]
    json: bool,
}

impl PlaybookCommand {
    pub(crate) fn run(self) -> Result<ExitCode> {
        match self {
            Self::Check(arguments) => check(&arguments),
            Self::Show(arguments) => show(&arguments),
            Self::Diff(arguments) => diff(&arguments),
            Self::New(arguments) => new(&arguments),
            Self::Words(arguments) => words(&arguments),
        }
    }
}

/// The text of a file or of the standard input, no more of it than a book may have.
fn read(file: &str) -> Result<String> {
    let shown = screen::harmless(file);
    let mut bytes = Vec::new();
    let source: Box<dyn Read> = match file {
        "-" => Box::new(std::io::stdin().lock()),
        path => Box::new(std::fs::File::open(path).wrap_err_with(|| format!("cannot read {shown}"))?),
    };
    // One byte more, so that a longer file is seen to be longer.
    source.take(BYTES as u64 + 1).read_to_end(&mut bytes).wrap_err_with(|| format!("cannot read {shown}"))?;
    let is_cut = bytes.len() > BYTES;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        // The cut may have gone through a sign: what is too long is told as that.
        Err(error) if is_cut => Ok(String::from_utf8_lossy(error.as_bytes()).into_owned()),
        Err(error) => {
            let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
            bail!("{shown}:{line}: this is no UTF-8 text; save the file as UTF-8")
        }
    }
}

/// A book by file or by the name it ships under.
fn find(book: &str) -> Result<Document> {
    let text = match Book::founding_text(book) {
        Some(text) if book != "-" && !Path::new(book).exists() => text.to_owned(),
        _ => read(book).wrap_err_with(|| {
            let names: Vec<_> = Book::founding_names().collect();
            format!("no book there; name a file, or a founding book ({})", names.join(", "))
        })?,
    };
    let shown = screen::harmless(book);
    parse(&text).map_err(|mistakes| {
        let list: Vec<String> = mistakes.0.iter().map(|mistake| format!("  {shown}:{mistake}")).collect();
        eyre!("{shown} has {} mistake(s):\n{}", list.len(), list.join("\n"))
    })
}

fn check(arguments: &CheckArguments) -> Result<ExitCode> {
    let mut is_right = true;
    let mut reports = Vec::new();
    for file in &arguments.files {
        let shown = screen::harmless(file);
        let report = match read(file).map(|text| parse(&text)) {
            Ok(Ok(document)) => {
                if !arguments.json {
                    told(&shown, &document);
                }
                BookCheck::sound(file, &document)
            }
            Ok(Err(mistakes)) => {
                is_right = false;
                if !arguments.json {
                    mistakes.0.iter().for_each(|mistake| eprintln!("{shown}:{mistake}"));
                }
                BookCheck::broken(file, &mistakes.0)
            }
            Err(error) => {
                is_right = false;
                if !arguments.json {
                    screen::complain(&error);
                }
                BookCheck { error: Some(format!("{error:#}")), ..BookCheck::broken(file, &[]) }
            }
        };
        reports.push(report);
    }
    if arguments.json {
        screen::tell(&reports.json());
    }
    Ok(if is_right { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A book without a mistake: its warnings, and what it is.
fn told(shown: &str, document: &Document) {
    for remark in &document.remarks {
        eprintln!("{shown}:{}:1: warning: {}", remark.line, RemarkPicture::from(remark).problem);
    }
    let rules = document.book.rules.len();
    let guards = document.book.rules.iter().filter(|rule| rule.action.is_guard()).count();
    println!("{shown}: \"{}\", {} rule(s), {guards} of them guards, no mistake.", document.book.title, rules);
}

fn show(arguments: &ShowArguments) -> Result<ExitCode> {
    let document = find(&arguments.book)?;
    Ok(screen::draw_by(arguments.json, &BookPicture::from(&document), |_| say(&document)))
}

/// A book in plain words.
fn say(document: &Document) {
    let book = &document.book;
    println!("{}", screen::paint(&book.title, "1"));
    for rule in &book.rules {
        println!("\n{}", screen::paint(&rule.name, "1"));
        println!("  {}", rule.in_words());
        if let Some(because) = &rule.because {
            println!("  Because: {because}");
        }
        if let Some(asks) = &rule.asks {
            println!("  Open: {asks}");
        }
        for remark in document.remarks.iter().filter(|remark| remark.rule == rule.name) {
            println!("  {} it {}", screen::paint("Warning:", "33"), remark.kind);
        }
    }
}

fn diff(arguments: &DiffArguments) -> Result<ExitCode> {
    let (first, second) = (find(&arguments.first)?.book, find(&arguments.second)?.book);
    let difference = Difference::between(&first, &second);
    let distance = difference.distance();
    if arguments.json {
        screen::tell(&BookDifference::from(&difference).json());
        return Ok(ExitCode::SUCCESS);
    }
    for (one, other) in &difference.same {
        let also = if one.name == other.name { String::new() } else { format!(" (there `{}`)", other.name) };
        println!("  {}{also}: the same", one.name);
    }
    for (file, rules, sign) in
        [(&arguments.first, &difference.only_first, '-'), (&arguments.second, &difference.only_second, '+')]
    {
        for rule in rules {
            println!("{sign} {}: only in {}", screen::paint(&rule.name, "1"), screen::harmless(file));
            rule.to_string().lines().filter(|line| meaning(line)).for_each(|line| println!("{sign}   {line}"));
        }
    }
    let alone = difference.only_first.len() + difference.only_second.len();
    println!("{alone} of {} rule(s) differ: distance {distance}.", alone + difference.same.len());
    Ok(ExitCode::SUCCESS)
}

/// Whether a printed line is part of what a rule means.
fn meaning(line: &str) -> bool {
    ["- when:", "- do:", "- until:", "- expects:"].iter().any(|part| line.starts_with(part))
}

fn new(arguments: &NewArguments) -> Result<ExitCode> {
    let Some(text) = Book::founding_text(&arguments.name) else {
        let names: Vec<_> = Book::founding_names().collect();
        bail!("there is no founding book {:?}; choose {}", screen::harmless(&arguments.name), names.join(", "));
    };
    let founding = FoundingText { name: arguments.name.clone(), text };
    Ok(screen::draw_by(arguments.json, &founding, |_| print!("{text}")))
}

fn words(arguments: &WordsArguments) -> Result<ExitCode> {
    let filter = arguments.filter.as_deref().unwrap_or_default().to_lowercase();
    let is_wanted = |word: &&Word| word.name.contains(&filter) || word.meaning.to_lowercase().contains(&filter);
    let words = WORDS.iter().filter(is_wanted).map(WordPicture::from).collect();
    let heading = "Words of a rule; w is 16, 32, 64, 128, 256, 512 or 1024 looks";
    Ok(screen::draw_all(arguments.json, heading, &words, "There is no such word."))
}
