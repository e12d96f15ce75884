//! `bardo golem playbook` and `bardo golem why`: the book a Golem acts by, what each rule has shown, and why it decided.

use std::collections::BTreeMap;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use eyre::{Result, bail, ensure, eyre};
use golem_core::life::Life;
use golem_core::record::{BookWord, Turn};
use golem_core::step::step;
use golem_core::trader::Trader;
use golem_primitives::Tick;
use golem_runtime::OwnerWord;
use golem_store::Reader;
use golem_view::{Shown as _, TriedBook, TriedRule, WhyInPool, WhyPicture, table_of};

use super::book::BookChoice;
use super::grimoire::Whose;
use super::home::Folder;
use super::look;
use crate::screen;

/// Passes read at once.
const PAGE: usize = 512;

/// What can be done with a Golem's book.
#[derive(Debug, Subcommand)]
pub(crate) enum PlaybookCommand {
    /// Show every rule: what it may move, what it has shown, and what it says.
    #[command(
        after_help = "Examples:\n  bardo golem playbook show ada\n  bardo golem playbook show ada --text > now.md\n\n\
        paper: tried beside the life, moves nothing. trial: a quarter of its stake. whole: all of it. rest: it stopped earning\n\
        and is tried again on paper. The evidence is imaginary wealth that begins at 1: 20 is a trial, docs/playbook.md."
    )]
    Show(ShowArguments),
    /// Let it try rules of yours beside its own: they are candidates and move nothing before they have earned it.
    #[command(after_help = "Example: bardo golem playbook propose ada mine.md\n\n\
        Heard at its next tick, also when it is not running now. A rule whose name it knows already stays as it is.")]
    Propose(ProposeArguments),
    /// Let a candidate through the gate: from then on its evidence alone decides whether it moves money.
    #[command(after_help = "Example: bardo golem playbook approve ada found-dip")]
    Approve(JudgeArguments),
    /// Do without a candidate: it moves nothing any more and leaves at the next look.
    #[command(after_help = "Example: bardo golem playbook reject ada found-dip")]
    Reject(JudgeArguments),
    /// Let it search the looks it remembers for rules that would have paid; what it finds is tried as candidates.
    #[command(after_help = "Example: bardo golem playbook search ada\n\nHeard at its next tick; it needs 2,000 looks.")]
    Search(Whose),
}

#[derive(Debug, Args)]
pub(crate) struct ShowArguments {
    #[command(flatten)]
    whose: Whose,
    /// The rules that move money or take away, as a file that can be read again.
    #[arg(long, conflicts_with = "json")]
    text: bool,
    /// A JSON object instead of words.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ProposeArguments {
    #[command(flatten)]
    whose: Whose,
    /// A book: a file, or the name of a founding one.
    #[arg(value_name = "FILE|NAME")]
    book: BookChoice,
}

/// What `approve` and `reject` take.
#[derive(Debug, Args)]
pub(crate) struct JudgeArguments {
    #[command(flatten)]
    whose: Whose,
    /// The candidate's name, as `golem playbook show` has it.
    rule: String,
}

#[derive(Debug, Args)]
pub(crate) struct WhyArguments {
    #[command(flatten)]
    whose: Whose,
    /// The tick; the newest when left out.
    tick: Option<u64>,
    /// A JSON object instead of words.
    #[arg(long)]
    json: bool,
}

impl PlaybookCommand {
    pub(crate) fn run(self) -> Result<ExitCode> {
        match self {
            Self::Show(arguments) => arguments.run(),
            Self::Propose(arguments) => arguments.run(),
            Self::Approve(arguments) => arguments.run(true),
            Self::Reject(arguments) => arguments.run(false),
            Self::Search(whose) => search(&whose),
        }
    }
}

impl ShowArguments {
    fn run(self) -> Result<ExitCode> {
        let (folder, reader) = self.whose.reader()?;
        let life = look::life(&reader)?;
        let trader = trader_of(&folder, &life)?;
        if self.text {
            print!("{}", trader.acts_by());
            return Ok(ExitCode::SUCCESS);
        }
        let picture = tried_book(&folder, &life)?;
        if self.json {
            screen::tell(&picture.json());
            return Ok(ExitCode::SUCCESS);
        }
        if picture.rules.is_empty() {
            println!("{} has not looked at its market with capital yet. It is founded on:\n", folder.name());
            trader.rules().for_each(|rule| println!("{}: {}", rule.name, rule.in_words()));
            return Ok(ExitCode::SUCCESS);
        }
        screen::show(&table_of(&format!("{} acts by {}", picture.golem, picture.book), &picture.rules));
        println!();
        // A rule that speaks of all pools is tried in each, and said once.
        let said: BTreeMap<&String, &String> = picture.rules.iter().map(|rule| (&rule.name, &rule.says)).collect();
        said.iter().for_each(|(name, says)| println!("{name}: {says}"));
        Ok(ExitCode::SUCCESS)
    }
}

impl ProposeArguments {
    fn run(self) -> Result<ExitCode> {
        let folder = self.whose.folder()?;
        let book = self.book.read(std::path::Path::new(""))?.book;
        let count = book.rules.len();
        OwnerWord::Book(BookWord::Propose(book.rules)).leave(folder.path())?;
        println!("{} will try {count} rules at its next tick; `bardo golem playbook show {0}`", folder.name());
        Ok(ExitCode::SUCCESS)
    }
}

impl JudgeArguments {
    /// D-162. Leaves the owner's word where the life hears it at its next tick.
    fn run(self, is_wanted: bool) -> Result<ExitCode> {
        let (folder, reader) = self.whose.reader()?;
        let life = look::life(&reader)?;
        let rules = TriedRule::all(trader_of(&folder, &life)?);
        let Some(rule) = rules.iter().find(|rule| rule.name == self.rule) else {
            bail!("{} tries no rule called {:?}; `bardo golem playbook show {0}` lists them", folder.name(), self.rule);
        };
        ensure!(
            rule.confidence.is_some(),
            "{:?} is of the book {} was founded on, not a candidate; a successor can be founded on another book",
            self.rule,
            folder.name()
        );
        OwnerWord::Book(BookWord::Judge { rule: self.rule, is_wanted }).leave(folder.path())?;
        println!("said; {} hears it at its next tick; `bardo golem playbook show {0}`", folder.name());
        Ok(ExitCode::SUCCESS)
    }
}

fn search(whose: &Whose) -> Result<ExitCode> {
    let folder = whose.folder()?;
    OwnerWord::Book(BookWord::Search).leave(folder.path())?;
    println!("{} will search at its next tick; `bardo golem playbook show {0}`", folder.name());
    Ok(ExitCode::SUCCESS)
}

impl WhyArguments {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let (folder, reader) = self.whose.reader()?;
        let picture = why(&folder, &reader, self.tick)?;
        let wanted = picture.tick;
        Ok(screen::draw_by(self.json, &picture, |picture| {
            for why in &picture.pools {
                println!("{} at tick {wanted} in {}:", folder.name(), why.pool);
                why.words.iter().for_each(|line| println!("  {}", screen::harmless(line)));
            }
        }))
    }
}

/// P-050. The book of a life with what each rule has shown.
pub(crate) fn tried_book(folder: &Folder, life: &Life) -> Result<TriedBook> {
    let trader = trader_of(folder, life)?;
    Ok(TriedBook {
        golem: folder.name().to_owned(),
        book: trader.book_name().to_string(),
        tick: life.tick(),
        rules: TriedRule::all(trader),
    })
}

/// P-055. Why it decided as it did at a tick, or at its newest.
pub(crate) fn why(folder: &Folder, reader: &Reader, tick: Option<u64>) -> Result<WhyPicture> {
    let newest = look::life(reader)?.tick();
    let wanted = tick.map_or(newest, Tick::new);
    if wanted > newest || wanted == Tick::new(0) {
        bail!("{} has lived ticks 1 to {newest}; name one of them", folder.name());
    }
    let life = decided_at(reader, wanted)?;
    let trader = trader_of(folder, &life)?;
    if trader.hands().next().is_none() {
        bail!("{} had not looked at its market with capital by tick {wanted}", folder.name());
    }
    Ok(WhyPicture {
        golem: folder.name().to_owned(),
        tick: wanted,
        book: trader.book_name().to_string(),
        pools: trader.hands().map(|(pool, hand)| WhyInPool::of(pool, hand)).collect(),
    })
}

/// P-055, R-002. The life as it stood after it decided at a tick: lived again from the nearest place before.
fn decided_at(reader: &Reader, wanted: Tick) -> Result<Life> {
    let snapshot = reader.latest_snapshot()?.filter(|(_, life)| life.tick() < wanted);
    let (mut next, mut life) = match snapshot {
        Some((after, life)) => (after + 1, life),
        None => (1, reader.birth()?.ok_or_else(|| eyre!("the life it began with was written by another version"))?),
    };
    loop {
        let page = reader.journal(next, PAGE)?;
        let Some(last) = page.last() else { bail!("tick {wanted} is not in its journal") };
        next = last.seq + 1;
        for entry in page {
            let is_it = entry.input.tick == wanted && entry.input.turn == Turn::Deciding;
            life = step(life, &entry.input).life;
            if is_it {
                return Ok(life);
            }
        }
    }
}

fn trader_of<'life>(folder: &Folder, life: &'life Life) -> Result<&'life Trader> {
    life.trader().ok_or_else(|| eyre!("{} has no hand on a market", folder.name()))
}
