//! The page an owner leaves open: how alive it is, whether it made money, what it has, and why it did what it did.

use golem_primitives::{Ppm, Usdc};
use golem_view::words::{money, signed, span as lapse};
use golem_view::{HoldingPicture, LifePicture, Number, Series, Shown as _, Ticks, Witness};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::Paragraph;

use crate::chart::{Curve, chart, spark};
use crate::ink::{Ink, bar, cut, framed, line, panel, sentences, span, width};
use crate::life_log;
use crate::scene::Portrait;

/// Millionths.
const WHOLE: i64 = 1_000_000;
/// Rows of the page on the smallest usual screen.
const USUAL: u16 = 21;

pub(crate) fn draw(frame: &mut Frame<'_>, area: Rect, portrait: &Portrait, ink: Ink) {
    let more = area.height.saturating_sub(USUAL);
    let less = USUAL.saturating_sub(area.height);
    let rows = [
        Constraint::Length(9 + more * 2 / 5),
        Constraint::Length(7_u16.saturating_sub(less) + more / 5),
        Constraint::Length(1),
        Constraint::Min(1),
    ];
    let [top, middle, state, log] = Layout::vertical(rows).areas(area);
    let [vitality, profit] = Layout::horizontal([Constraint::Min(30), Constraint::Percentage(42)]).areas(top);
    let [partitions, why] = Layout::horizontal([Constraint::Length(31), Constraint::Min(20)]).areas(middle);
    draw_vitality(frame, vitality, portrait, ink);
    draw_money(frame, profit, portrait, ink);
    draw_partitions(frame, partitions, &portrait.life, ink);
    draw_why(frame, why, portrait, ink);
    frame.render_widget(state_line(portrait, ink, state.width), state);
    draw_log(frame, log, portrait, ink);
}

/// A share as people say it: `82.3%`.
pub(crate) fn percent(share: Ppm) -> String {
    let tenths = (share.get() + 500) / 1_000;
    format!("{}.{}%", tenths / 10, tenths % 10)
}

/// M-001. The product of the clocks over time, and each of them with its own past.
fn draw_vitality(frame: &mut Frame<'_>, area: Rect, portrait: &Portrait, ink: Ink) {
    let (life, history) = (&portrait.life, &portrait.history);
    let Ticks(in_phase) = life.in_phase;
    let title = format!(" vitality {}, {} for {in_phase} ticks ", percent(life.vitality), life.phase);
    let told = history.vitality.ticks().map(|(from, to)| format!(" ticks {from} to {to} ")).unwrap_or_default();
    let block = panel(cut(&title, area.width.saturating_sub(2).into()), ink);
    let inner = framed(frame, area, block.title_bottom(span(told, ink.dim())));
    let [over_time, clocks] = Layout::vertical([Constraint::Min(1), Constraint::Length(3)]).areas(inner);
    let style = ink.of_phase(&life.phase);
    chart(frame, over_time, &[Curve { series: &history.vitality, style }], Some([0, WHOLE]));
    let Number(survival) = life.clocks.survival;
    let survival = Ppm::of((survival.clamp(0.0, 1.0) * 1e6).round() as u32);
    let lasts = life.clocks.credits_last.map_or_else(|| "does not end".to_owned(), |Ticks(ticks)| lapse(ticks));
    let rows = [
        ("economic", life.clocks.economic, &history.economic, lasts),
        ("epistemic", life.clocks.epistemic, &history.epistemic, String::new()),
        ("stochastic", survival, &history.survival, format!("{} a tick", life.clocks.hazard_per_tick.words())),
    ];
    let lines: Vec<Line<'static>> = rows
        .into_iter()
        .map(|(name, share, series, words)| clock_line(name, share, series, &words, ink, clocks.width.into()))
        .collect();
    frame.render_widget(Paragraph::new(lines), clocks);
}

/// Name, gauge, share, past and what it comes to.
fn clock_line(name: &str, share: Ppm, series: &Series, words: &str, ink: Ink, columns: usize) -> Line<'static> {
    let style = match share.get() {
        500_000.. => ink.good(),
        200_000.. => ink.warning(),
        _ => ink.bad(),
    };
    let words = if words.is_empty() { String::new() } else { format!(" {words}") };
    let head = format!("{name:<10} ");
    let number = format!(" {:>6} ", percent(share));
    let gauge = (columns / 7).clamp(4, 20);
    let past = columns.saturating_sub(width(&head) + gauge + width(&number) + width(&words));
    Line::from(vec![
        span(head, ink.plain()),
        span(bar(share.get(), gauge), style),
        span(number, ink.strong()),
        span(spark(series, past, [0, WHOLE]), ink.dim()),
        span(words, ink.dim()),
    ])
}

/// Whether it made money, and whether holding would have made more.
fn draw_money(frame: &mut Frame<'_>, area: Rect, portrait: &Portrait, ink: Ink) {
    let inner = framed(frame, area, panel(" money, USDC ", ink));
    let lines = money_lines(&portrait.life, ink, inner.width.into());
    let rows = u16::try_from(lines.len()).unwrap_or(u16::MAX).min(inner.height);
    let [numbers, over_time] = Layout::vertical([Constraint::Length(rows), Constraint::Min(0)]).areas(inner);
    frame.render_widget(Paragraph::new(lines), numbers);
    if over_time.height >= 3 {
        let [legend, room] = Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(over_time);
        let words = [span("capital", ink.accent()), span(" beside ", ink.dim()), span("holding", ink.warning())];
        frame.render_widget(Line::from_iter(words), legend);
        // What the capital is worth is drawn above what holding would be.
        let history = &portrait.history;
        let held = Curve { series: &history.held, style: ink.warning() };
        chart(frame, room, &[held, Curve { series: &history.equity, style: ink.accent() }], None);
    }
}

pub(crate) fn money_lines(life: &LifePicture, ink: Ink, columns: usize) -> Vec<Line<'static>> {
    let row = |name: &str, amount: String, style: Style| {
        let (amount, room) = (amount.replace(" USDC", ""), columns.saturating_sub(width(name) + 2));
        Line::from(vec![span(format!(" {name}"), ink.plain()), span(format!("{:>room$} ", cut(&amount, room)), style)])
    };
    match &life.holding {
        Some(Witness::Tells(told)) => {
            let HoldingPicture { put_in, equity, marked, after_everything, held_made, ahead, .. } = told;
            let (gas, upkeep) = life.hand.as_ref().map_or((Usdc::ZERO, Usdc::ZERO), |hand| {
                let profit = &hand.profit;
                (profit.gas, profit.upkeep)
            });
            let costs = gas.saturating_add(upkeep);
            vec![
                row("capital is worth", money(*equity), ink.strong()),
                row("put in", put_in.words().trim_start_matches('+').to_owned(), ink.plain()),
                row("made, at prices now", signed(marked.0), ink.of_gain(marked.0)),
                row("gas and upkeep", format!("-{}", money(costs)), ink.plain()),
                row("after everything", signed(after_everything.0), ink.of_gain(after_everything.0)),
                row("made by holding", signed(held_made.0), ink.of_gain(held_made.0)),
                row("ahead of holding", signed(ahead.0), ink.of_gain(ahead.0)),
            ]
        }
        Some(Witness::Fails(why)) => {
            let mut lines = vec![row("capital, profit, holding", "-".to_owned(), ink.plain())];
            lines.extend(sentences([&format!(" not known: {why}")], ink.dim(), columns));
            lines
        }
        None => vec![row("capital, profit, holding", "- (it has no hand)".to_owned(), ink.plain())],
    }
}

/// V-003. Credits by partition, and the reserve.
fn draw_partitions(frame: &mut Frame<'_>, area: Rect, life: &LifePicture, ink: Ink) {
    let credits = &life.credits;
    let title = format!(" credits {} ", money(credits.spendable));
    let inner = framed(frame, area, panel(cut(&title, area.width.saturating_sub(2).into()), ink));
    let parts = [
        ("llm", credits.llm),
        ("gas", credits.gas),
        ("data", credits.data),
        ("legacy", credits.legacy),
        ("reserve", life.reserve),
    ];
    let most = parts.iter().map(|(_, amount)| amount.micros()).max().unwrap_or_default();
    let columns = usize::from(inner.width);
    let lines = parts.into_iter().map(|(name, amount)| {
        let share = u32::try_from(u128::from(amount.micros()) * 1_000_000 / u128::from(most.max(1))).unwrap_or(0);
        let words = money(amount);
        let cells = columns.saturating_sub(10 + width(&words));
        Line::from(vec![
            span(format!(" {name:<8}"), ink.plain()),
            span(if cells >= 3 { bar(share, cells) } else { String::new() }, ink.accent()),
            span(format!(" {words}"), ink.plain()),
        ])
    });
    frame.render_widget(Paragraph::new(lines.collect::<Vec<_>>()), inner);
}

/// What it holds, which rules are awake, and why it decided as it did.
fn draw_why(frame: &mut Frame<'_>, area: Rect, portrait: &Portrait, ink: Ink) {
    let title = format!(" holds, and why, at tick {} ", portrait.life.tick);
    let inner = framed(frame, area, panel(cut(&title, area.width.saturating_sub(2).into()), ink));
    let columns = usize::from(inner.width);
    let mut lines: Vec<Line<'static>> =
        holdings(portrait).iter().map(|held| line(cut(held, columns), ink.plain())).collect();
    let several = portrait.why.len() > 1;
    for why in &portrait.why {
        let place = if several { format!("{}: ", why.pool) } else { String::new() };
        let words: Vec<String> = why
            .words
            .iter()
            .enumerate()
            .map(|(at, words)| if at == 0 { format!("{place}{words}") } else { words.clone() })
            .collect();
        lines.extend(sentences(&words, ink.accent(), columns));
    }
    lines.extend(sentences([&format!("waits {}", portrait.stage.waits)], ink.dim(), columns));
    frame.render_widget(Paragraph::new(lines), inner);
}

/// What is held beside USDC, a line each.
pub(crate) fn holdings(portrait: &Portrait) -> Vec<String> {
    let Some(hand) = &portrait.life.hand else { return vec!["it has no hand on a market".to_owned()] };
    let token = hand.held.as_ref().filter(|held| held.amount > 0).map(|held| {
        let cost = hand.held_cost.map(|cost| format!(", bought for {}", money(cost))).unwrap_or_default();
        format!("{}{cost}", held.words())
    });
    let positions = hand.positions.iter().map(|position| {
        let (id, usdc, held) = (position.id, money(position.worth), position.held.words());
        format!("liquidity {id} in {}: {usdc} and {held}, fees {}", position.pool, money(position.fees))
    });
    let idle = hand.idle.map(|idle| format!("{} idle", money(idle)));
    let price = hand.price.map(|price| format!("price {}", money(price)));
    let first = [idle, price].into_iter().flatten().collect::<Vec<_>>().join(", ");
    let first = if first.is_empty() { "it has not looked at its market yet".to_owned() } else { first };
    std::iter::once(first).chain(token).chain(positions).collect()
}

/// Mood, suffering and dreams in a row.
fn state_line(portrait: &Portrait, ink: Ink, columns: u16) -> Line<'static> {
    let mood = portrait.mood.as_ref().map_or("no moods", |mood| mood.mood);
    let suffering = portrait.suffering.as_ref().map_or_else(
        || "cannot suffer".to_owned(),
        |told| match told.pressing.first() {
            Some(worst) => format!("suffers {} {}", worst.what, worst.bar),
            None => "nothing presses".to_owned(),
        },
    );
    let dream = portrait.dreaming.as_ref().map_or_else(
        || "does not dream".to_owned(),
        |told| match &told.asleep {
            Some(asleep) => {
                let phase = asleep.phase.as_deref().unwrap_or("begins");
                format!("dreams {}: {phase}, {} of {}", asleep.cycle, money(asleep.spent), money(asleep.grant))
            }
            None => format!("dream pressure {} of {}", told.urgency.words(), told.threshold.words()),
        },
    );
    line(cut(&format!(" mood {mood}   {suffering}   {dream}"), columns.into()), ink.plain())
}

fn draw_log(frame: &mut Frame<'_>, area: Rect, portrait: &Portrait, ink: Ink) {
    let skipped = portrait.log.len().saturating_sub(area.height.into());
    let lines = life_log::lines(portrait.log.iter().skip(skipped), ink, area.width.into());
    frame.render_widget(Paragraph::new(lines), area);
}
