//! What a person sees: tables, one changing line, errors with their causes.

mod sleep;
mod temper;

use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use eyre::Report;
use golem_core::ledger::LedgerLine;
use golem_core::record::{
    Claim, Course, Curated, Deliberated, Event, Forgone, Grasp, LinkChange, Order, PhageAnswer, Reflection, Searcher,
    Verdict,
};
use golem_devnet::{Block, StartStage};
use golem_primitives::{PoolName, Usdc};
use golem_runtime::EventLine;
use indicatif::{ProgressBar, ProgressStyle};

pub(crate) use temper::distress_words;

pub(crate) use golem_view::words::{ether, harmless, token};
use golem_view::words::{money, signed};
use golem_view::{Picture, Shown, Table, table_of};
use serde_json::Value;

use crate::clerk;

/// Prints an error and its causes, once, at the top.
pub(crate) fn complain(error: &Report) {
    clerk::note(&format!("{error:#}"));
    // Where nobody is left to be told, as behind a terminal that is gone, an error is no reason to panic.
    let mut out = std::io::stderr();
    let _ = writeln!(out, "{} {error}", paint_err("error:", "31;1"));
    for cause in error.chain().skip(1) {
        let _ = writeln!(out, "  because: {cause}");
    }
}

/// Colours text when the standard output is a terminal that wants colours.
pub(crate) fn paint(text: &str, code: &str) -> String {
    paint_when(std::io::stdout().is_terminal(), text, code)
}

fn paint_err(text: &str, code: &str) -> String {
    paint_when(std::io::stderr().is_terminal(), text, code)
}

/// Whether a screen has the terminal: then it paints, and words are bare.
static IS_DRAWN: AtomicBool = AtomicBool::new(false);

/// Leaves colours to a screen that takes the terminal, or takes them back.
pub(crate) fn leave_colours(is_drawn: bool) {
    IS_DRAWN.store(is_drawn, Ordering::Relaxed);
}

/// Whether the owner wants colours at all.
pub(crate) fn wants_colours() -> bool {
    std::env::var_os("NO_COLOR").is_none()
}

fn paint_when(terminal: bool, text: &str, code: &str) -> String {
    let wanted = terminal && wants_colours() && !IS_DRAWN.load(Ordering::Relaxed);
    if wanted { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
}

/// Text of several lines from elsewhere as a screen may show it.
pub(crate) fn harmless_lines(text: &str) -> String {
    text.lines().map(harmless).collect::<Vec<_>>().join("\n")
}

/// Prints a table; what was checked stands out where it does not hold.
pub(crate) fn show(table: &Table) {
    println!("\n{}", paint(&table.heading, "1"));
    for line in table.lines() {
        match line.trim_start().chars().next() {
            Some('✓') => println!("{}", line.replacen('✓', &paint("✓", "32"), 1)),
            Some('✗') => println!("{}", line.replacen('✗', &paint("✗", "31;1"), 1)),
            _ => println!("{line}"),
        }
    }
}

/// Prints a picture as a program reads it, or as a person does. A command that comes to this was done.
pub(crate) fn draw<P: Picture + Shown>(json: bool, heading: &str, picture: &P) -> ExitCode {
    draw_by(json, picture, |picture| show(&picture.known(heading)))
}

/// The same where a person is told in a way of its own.
pub(crate) fn draw_by<P: Shown>(json: bool, picture: &P, show: impl FnOnce(&P)) -> ExitCode {
    if json {
        tell(&picture.json())
    } else {
        show(picture)
    }
    ExitCode::SUCCESS
}

/// Prints many of a kind as a program reads them, or as a person does, who is told where there are none.
pub(crate) fn draw_all<P: Picture + Shown>(json: bool, heading: &str, pictures: &Vec<P>, nothing: &str) -> ExitCode {
    draw_by(json, pictures, |pictures| show_all(heading, pictures, nothing))
}

/// Prints what was done as a program reads it, or in words.
pub(crate) fn done<P: Picture + Shown>(json: bool, picture: &P, words: &str) -> ExitCode {
    draw_by(json, picture, |_| println!("{words}"))
}

/// Prints many of a kind as a table, or that there are none.
pub(crate) fn show_all<P: Picture>(heading: &str, pictures: &[P], nothing: &str) {
    if pictures.is_empty() { println!("{nothing}") } else { show(&table_of(heading, pictures)) }
}

/// Prints many of a kind as a table, where there are any.
pub(crate) fn show_some<P: Picture>(heading: &str, pictures: &[P]) {
    if !pictures.is_empty() {
        show(&table_of(heading, pictures));
    }
}

/// Prints what a program reads.
pub(crate) fn tell(json: &Value) {
    if !clerk::told(json) {
        println!("{json:#}");
    }
}

/// Prints rows in aligned columns under a heading.
pub(crate) fn table(heading: &str, rows: &[Vec<String>]) {
    show(&Table::new(heading, rows.to_vec()));
}

/// Prints rows in aligned columns.
pub(crate) fn rows(rows: &[Vec<String>]) {
    Table::new("", rows.to_vec()).lines().for_each(|line| println!("{line}"));
}

/// A wheel that turns, where somebody can see it.
fn wheel(quiet: bool) -> Option<ProgressBar> {
    (!quiet && std::io::stderr().is_terminal()).then(|| {
        let wheel = ProgressBar::new_spinner();
        wheel.set_style(ProgressStyle::with_template("{spinner} {msg}").expect("a fixed template"));
        wheel.enable_steady_tick(Duration::from_millis(80));
        wheel
    })
}

/// How bars show what was done of a memory.
pub(crate) const WIDE_BAR: &str = "{msg} {wide_bar} {pos}/{len} {eta}";

/// The stages of a start: a turning wheel on a terminal, a line each elsewhere.
pub(crate) struct Progress {
    wheel: Option<ProgressBar>,
    quiet: bool,
}

impl Progress {
    pub(crate) fn new(quiet: bool) -> Self {
        Self { wheel: wheel(quiet), quiet }
    }

    pub(crate) fn show(&self, stage: StartStage) {
        match &self.wheel {
            Some(wheel) if stage == StartStage::Ready => wheel.finish_and_clear(),
            Some(wheel) => wheel.set_message(stage.to_string()),
            None if !self.quiet && stage != StartStage::Ready => eprintln!("{stage}"),
            None => {}
        }
    }
}

/// One line for a block.
pub(crate) fn block_line(block: &Block) -> String {
    let gwei = block.base_fee_wei as f64 / 1e9;
    let regime = block.regime.map_or_else(|| "-".to_owned(), |regime| regime.to_string());
    // The price as a trader reads it; the exact one is in --json.
    let cents = block.price.micros().div_ceil(10_000);
    format!(
        "block {:<7} {}  WETH {:>8}.{:02} USDC  {:<10}  {:<4}  gas {gwei:>8.4} gwei",
        block.number,
        block.time,
        cents / 100,
        cents % 100,
        regime,
        block.depth.to_string(),
    )
}

/// Draws over the same line on a terminal; elsewhere stays silent.
pub(crate) fn redraw(line: &str) {
    if std::io::stdout().is_terminal() {
        print!("\r\u{1b}[2K{line}");
        let _ = std::io::stdout().flush();
    }
}

/// Makes room for a whole line where one was redrawn.
pub(crate) fn clear_line() {
    if std::io::stdout().is_terminal() {
        print!("\r\u{1b}[2K");
    }
}

/// Ends a redrawn line.
pub(crate) fn end_line() {
    if std::io::stdout().is_terminal() {
        println!();
    }
}

/// How far a transaction of the owner has come.
pub(crate) fn desk_progress(progress: golem_chain::DeskProgress, quiet: bool) {
    use golem_chain::DeskProgress as Progress;
    let words = match progress {
        Progress::Previewed { act, gas, .. } => format!("{act}: the contracts would take it ({gas} gas)"),
        Progress::Sent { act, tx, .. } => format!("{act}: sent as {tx}"),
        Progress::Replaced { act, tx } => format!("{act}: it hung, sent again as {tx}"),
        Progress::Landed { act, block } => format!("{act}: in block {block}"),
        Progress::Confirmed { act, depth, of } if depth >= of => format!("{act}: confirmed"),
        _ => return,
    };
    if !clerk::note(&words) && !quiet {
        eprintln!("{words}");
    }
}

/// An event in words for a person; what happens at every tick is not told.
pub(crate) fn event_words(line: &EventLine) -> Option<String> {
    use golem_mortality::event::LawEvent;
    Some(match &line.data {
        Event::Mortality(LawEvent::PhaseTransition { from_phase, to_phase, composite, .. }) => {
            paint(&format!("{from_phase} -> {to_phase} (vitality {composite})"), "33")
        }
        Event::Mortality(LawEvent::DeathTrigger { .. }) => paint("its death has begun", "31;1"),
        Event::Mortality(LawEvent::Dead(_)) | Event::Mortality(LawEvent::VitalityUpdate { .. }) => return None,
        Event::Mortality(LawEvent::EpistemicWarning { .. }) => "it understands its market less and less".to_owned(),
        Event::Mortality(LawEvent::SenescenceEntered { .. }) => paint("senescence", "33"),
        Event::Mortality(LawEvent::SenescenceConfirmed { .. }) => paint("senescence, confirmed", "31"),
        Event::Mortality(LawEvent::EpistemicRecovery { .. }) => paint("it understands again", "32"),
        Event::Mortality(LawEvent::EconomicCritical { .. }) => paint("credits are critical", "31"),
        Event::PredictionResolved { prediction, .. } if matches!(prediction.claim, Claim::Level { .. }) => return None,
        Event::PredictionResolved { prediction, verdict: Verdict::Measured { predicted_ppm, actual_ppm } } => {
            let right = predicted_ppm.signum() == actual_ppm.signum();
            let percent = |ppm: &i64| *ppm as f64 / 10_000.0;
            format!(
                "said {:+.2}%, came {:+.2}% ({}) {}",
                percent(predicted_ppm),
                percent(actual_ppm),
                prediction.claim.name(),
                if right { paint("right", "32") } else { paint("wrong", "31") }
            )
        }
        Event::Traded { order, line } => trade_words(order, line),
        // A phase that forbids entries forbids them at every signal; the phase itself was told.
        Event::TradeForgone { reason: Forgone::Phase, .. } => return None,
        Event::TradeForgone { order, reason } => {
            let said = format!("wanted to {}{}: {reason}", order.name(), away(order.pool()));
            match reason {
                Forgone::Counsel | Forgone::Suffering(_) => paint(&said, "36"),
                Forgone::LedgerDiffers => paint(&said, "33"),
                _ => said,
            }
        }
        Event::EntryForgone { pool, rule, expected_ppm, needed_ppm } => {
            let [expected, cost] = [expected_ppm, needed_ppm].map(|ppm| *ppm as f64 / 10_000.0);
            format!(
                "{rule} would enter{}; it promises {expected:+.2}%, and going in and out again costs {cost:.2}%",
                away(*pool)
            )
        }
        Event::GuardCut { pool, rule, wanted, left } => {
            paint(&format!("{rule} holds back{}: {left} instead of {wanted}", away(*pool)), "33")
        }
        Event::PoolTakenUp { pool } => format!("trades in {pool} from now on"),
        Event::PoolLeft { pool } => format!("holds nothing in {pool} and trades there no more"),
        Event::Rule(changed) => {
            paint(&format!("{}{}: {}", changed.rule, away(changed.pool), changed.change.in_words()), "36")
        }
        Event::BookSearched { by, staged } => {
            let whence = match by {
                Searcher::Owner => "searched what it remembers",
                Searcher::Dream => "went through what it remembers in its dream",
                Searcher::Curator => "went over what its rules did",
                Searcher::Model => "was told rules by its model",
                Searcher::Sibling => "was told rules by its siblings",
            };
            format!("{whence}; {staged} new rules are tried on paper")
        }
        Event::BookRehearsed { guards: 0 } => "rehearsed threats in its dream; no guard is worth its price".to_owned(),
        Event::BookRehearsed { guards } => {
            format!("rehearsed threats in its dream; {guards} new guards are tried on paper")
        }
        Event::LinkCounted { pool, change } => {
            let (word, link) = match change {
                LinkChange::Learnt(link) => ("learnt", link),
                LinkChange::Contradicted(link) => ("no longer believes", link),
            };
            format!("{word} that {}{}", link.in_words(), away(*pool))
        }
        Event::InformationRead { pool, reading } => match reading.grasp? {
            Grasp::Lost => format!("is careful: what it sees{} tells it next to nothing any more", away(*pool)),
            Grasp::Regained => format!("what it sees{} tells it something again", away(*pool)),
        },
        Event::DeathRecalled { pool, stain } => paint(
            &format!("is careful: the market{} looks like the one in which {}", away(*pool), stain.in_words()),
            "33",
        ),
        Event::PhageEnded { report, .. } if report.answer == PhageAnswer::Open => return None,
        Event::PhageEnded { pool, report } => format!("a phage{} tried {}", away(*pool), report.in_words()),
        Event::EffectFailed { reason, .. } if reason.starts_with(golem_runtime::ABSENT) => return None,
        Event::EffectFailed { reason, .. } => format!("refused: {reason}"),
        Event::Curated(cycle) => curator_words(cycle)?,
        Event::Deliberated(told) => paint(&deliberation_words(told), "36"),
        Event::DecisionRecalled { course, decided } => {
            let what = match course {
                Course::Act(order) => format!("{} as offered", order.name()),
                Course::Stay | Course::Rules(_) => "stay".to_owned(),
            };
            paint(&format!("asked nobody: as decided at tick {decided}, {what}"), "36")
        }
        Event::Reflected(told) => paint(&reflection_words(told), "36"),
        Event::Distilled { distilled, cost } => {
            let (claimed, admitted) = (distilled.claimed, distilled.admitted);
            paint(
                &format!("{:?} made {claimed} claims for {cost}, {admitted} of them to be tried", distilled.tier),
                "36",
            )
        }
        Event::Daimon(told) => temper::mood_words(told)?,
        Event::Suffering(told) => temper::suffering_words(told)?,
        Event::Swayed(swayed) => {
            format!("{} at {} of the risk {} its phase gives", swayed.order.name(), swayed.risk, swayed.by_phase)
        }
        Event::Anticipated(signal) => paint(&signal.text().replace('\n', " "), "33"),
        Event::Dream(told) => sleep::dream_words(told)?,
        Event::DreamStream(told) => sleep::stream_words(told)?,
        Event::DreamRoused(wake) => paint(&format!("woken by {}: {}", wake.source, wake.reason), "33"),
        Event::DreamDeclined { why } => paint(&format!("you asked for a dream and there is none: {why}"), "33"),
        Event::Dreamt { dreamt, cost } => sleep::dreamt_words(dreamt, *cost),
        Event::CrisisTold(message) => paint(&message.text(), "31"),
        Event::SiblingCrisis(heard) => paint(&format!("{} says: {}", heard.golem, heard.message.text()), "33"),
        Event::Mortality(LawEvent::SiblingDeath { golem, cause }) => {
            paint(&format!("its sibling {golem} is dying of {}", cause.name().replace('_', " ")), "35")
        }
        Event::SiblingRule(told) => {
            let shown = told.shown;
            let mean = shown.mean_ppm as f64 / 10_000.0;
            format!("{} acts by {}: {} trips, {mean:+.2}% each, it says", told.golem, told.theirs, shown.trips)
        }
        Event::SiblingRuleJudged { golem, rule, is_upheld: true } => {
            paint(&format!("{rule} of {golem} holds here too and moves money"), "36")
        }
        Event::SiblingRuleJudged { golem, rule, is_upheld: false } => format!("{rule} of {golem} does not hold here"),
        Event::BecameMortal => paint("can die from here on", "35"),
        Event::Mortality(LawEvent::ImmortalWouldHaveDied { cause, .. }) => {
            paint(&format!("would have died of {}", cause.name().replace('_', " ")), "35")
        }
        Event::SiblingDiverges { golem, checks, refuted } => {
            paint(&format!("{refuted} of {checks} things that {golem} said do not hold here"), "33")
        }
        Event::SignSensed(scent) => {
            let class = scent.class.name().to_lowercase();
            let about = scent.domain.name().replace('_', " ");
            format!("senses {class} about {about} in the air ({}, {} confirm it)", scent.intensity, scent.confirmations)
        }
        Event::Acknowledged(answer) => {
            let word = if answer.is_upheld { "confirms" } else { "cannot confirm" };
            format!("{} {word} what it was told: {}", answer.golem, answer.what)
        }
        Event::WentBlind => paint("blind: the chain cannot be seen, nothing is done", "31"),
        Event::SawAgain => paint("sees the chain again", "32"),
        Event::OutcomeWithdrawn { .. } => paint("the chain took an outcome back; it is looked for again", "33"),
        Event::PaymentsPaused => {
            paint("its books differ from the vault: nobody is paid and nothing entered until they agree", "31")
        }
        Event::PaymentsResumed => paint("its books agree with the vault: payments go on", "32"),
        Event::DyingStage(stage) => paint(&format!("dying: {stage}"), "35"),
        Event::OwnerReceived(received) => paint(&received.told(), "35;1"),
        Event::DeathConcluded => paint("dead, settled on chain", "35;1"),
        _ => return None,
    })
}

/// P-057. Where something was, for one whose pool has a name.
fn away(pool: PoolName) -> String {
    if pool == PoolName::HOME { String::new() } else { format!(" in {pool}") }
}

/// M-081. A trade that landed, and what it brought where it closed something.
fn trade_words(order: &Order, line: &LedgerLine) -> String {
    let usdc = money(Usdc::from_micros(line.moved.usdc_micros.unsigned_abs()));
    let token = token(line.moved.token.unsigned_abs(), line.moved.denomination);
    let did = match order {
        Order::Buy { .. } => format!("bought {token} for {usdc}"),
        Order::Sell { .. } => format!("sold {token} for {usdc}"),
        Order::Provide { .. } => format!("put {usdc} and {token} into liquidity"),
        Order::Withdraw { .. } => format!("took {usdc} and {token} out of liquidity"),
    };
    let did = format!("{did}{}", away(order.pool()));
    match line.closed {
        Some(closed) => {
            let net = closed.net_micros();
            let brought = paint(&signed(net), if net < 0 { "31" } else { "32" });
            format!("{did}: {brought} after gas, on what had cost {}", money(closed.cost))
        }
        None => format!("{did} (gas {})", line.gas),
    }
}

/// A deliberation in words: whom it asked, what that cost, what came of it and why.
fn deliberation_words(told: &Deliberated) -> String {
    let course = match told.course {
        Course::Act(order) => format!("{} as offered", order.name()),
        Course::Stay => "stay".to_owned(),
        Course::Rules(why) => format!("{why}, so rules decide"),
    };
    let why = if told.rationale.as_str().is_empty() { String::new() } else { format!(": \"{}\"", told.rationale) };
    format!("asked {:?} for {}, {course}{why}", told.tier, told.cost)
}

/// A reflection in words: why a model thinks it erred, and whether it understands more since.
fn reflection_words(told: &Reflection) -> String {
    let since = if told.reconsidered.improved { "it understands more since" } else { "nothing is better since" };
    match &told.reconsidered.diagnosis {
        Some(said) => {
            let (cause, sure) = (said.cause.name(), said.certainty);
            format!("reflected for {}: {cause}, {sure}% sure; {since}", told.cost)
        }
        None => format!("reflected for {} without an answer; {since}", told.cost),
    }
}

/// A Curator cycle in words; one that changed nothing is not told.
fn curator_words(cycle: &Curated) -> Option<String> {
    let said: Vec<String> = [
        (cycle.added, "learned"),
        (cycle.promoted, "trusted"),
        (cycle.demoted, "doubted"),
        (cycle.restored, "remembered"),
        (cycle.archived, "let go"),
        (cycle.burned, "refuted"),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, word)| format!("{count} {word}"))
    .collect();
    let stands = format!("{} active, {} rules", cycle.active, cycle.rules);
    (!said.is_empty()).then(|| paint(&format!("the Curator: {} ({stands})", said.join(", ")), "36"))
}

/// A turning wheel for what takes its time; a line for each step where nobody can see it turn.
#[derive(Debug)]
pub(crate) struct Wait {
    wheel: Option<ProgressBar>,
    quiet: bool,
}

impl Wait {
    pub(crate) fn new(quiet: bool, words: &str) -> Self {
        let wait = Self { wheel: wheel(quiet), quiet };
        wait.say(words);
        wait
    }

    pub(crate) fn say(&self, words: &str) {
        match &self.wheel {
            Some(wheel) => wheel.set_message(words.to_owned()),
            None if !self.quiet => tracing::info!("{words}"),
            None => {}
        }
    }

    pub(crate) fn end(&self) {
        if let Some(wheel) = &self.wheel {
            wheel.finish_and_clear();
        }
    }
}

/// A bar for what is counted; hidden where nobody can see it grow.
pub(crate) fn bar(total: u64, quiet: bool, template: &str, words: &'static str) -> ProgressBar {
    if quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(total);
    bar.set_style(ProgressStyle::with_template(template).expect("a fixed template"));
    bar.set_message(words);
    bar
}
