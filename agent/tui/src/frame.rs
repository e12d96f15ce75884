//! The whole screen: what it is of, its pages, and what keys do.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect, Size};
use ratatui::text::Line;
use ratatui::widgets::{Block, Clear, Paragraph};

use crate::ink::{Ink, cut, line, minute, sentences, span, width};
use crate::scene::{Company, Portrait, Scene};
use crate::ui::{LEAST_HEIGHT, LEAST_WIDTH, Memory, Page, Ui};
use crate::{life_log, memorial, mind, overview, rules, trades, wizard};

/// Rows that are not of the page: the title, the tabs and the keys.
const MARGIN: u16 = 3;

/// Draws everything there is to see where one looks.
pub fn draw(frame: &mut Frame<'_>, scene: &Scene, ui: &Ui) {
    let area = frame.area();
    if area.width < LEAST_WIDTH || area.height < LEAST_HEIGHT {
        let words = format!(
            "This screen needs {LEAST_WIDTH} columns and {LEAST_HEIGHT} rows; it has {} and {}.",
            area.width, area.height
        );
        frame.render_widget(Paragraph::new(sentences([&words], ui.ink.plain(), area.width.into())), area);
        return;
    }
    let rows = [Constraint::Length(1), Constraint::Length(1), Constraint::Min(1), Constraint::Length(1)];
    let [title, tabs, body, keys] = Layout::vertical(rows).areas(area);
    frame.render_widget(title_line(scene, ui.ink, title.width), title);
    match (&scene.memorial, &scene.portrait) {
        (Some(left), _) if !ui.shows_life(scene) => {
            let under = Rect { y: tabs.y, height: tabs.height + body.height, ..body };
            match ui.memory {
                Memory::Wizard => wizard::draw(frame, under, scene, ui),
                _ => memorial::draw(frame, under, scene, left, ui),
            }
        }
        (_, Some(portrait)) => {
            frame.render_widget(tabs_line(ui), tabs);
            draw_page(frame, body, portrait, ui);
        }
        (_, None) => frame.render_widget(line("reading its memory ...", ui.ink.dim()), body),
    }
    frame.render_widget(keys_line(scene, ui, keys.width), keys);
    if ui.is_helping {
        help(frame, area, scene, ui.ink);
    }
}

fn draw_page(frame: &mut Frame<'_>, area: Rect, portrait: &Portrait, ui: &Ui) {
    if ui.page == Page::Overview {
        return overview::draw(frame, area, portrait, ui.ink);
    }
    let lines = page_lines(portrait, ui, area.as_size());
    let most = lines.len().saturating_sub(area.height.into());
    let past = if ui.page == Page::Log { most.saturating_sub(ui.scroll) } else { ui.scroll.min(most) };
    frame.render_widget(Paragraph::new(lines.into_iter().skip(past).collect::<Vec<_>>()), area);
}

/// All lines of a page that is read from top to bottom.
fn page_lines(portrait: &Portrait, ui: &Ui, size: Size) -> Vec<Line<'static>> {
    let columns = usize::from(size.width);
    match ui.page {
        Page::Overview => Vec::new(),
        Page::Rules => rules::lines(portrait, ui.ink, columns),
        Page::Trades => trades::lines(portrait, ui.ink, columns),
        Page::Mind => mind::lines(portrait, ui.ink, columns),
        Page::Log => life_log::lines(portrait.log.iter(), ui.ink, columns),
    }
}

/// How many lines lie beyond the screen.
pub(crate) fn scrollable(scene: &Scene, ui: &Ui, size: Size) -> usize {
    let body = Size { height: size.height.saturating_sub(MARGIN), ..size };
    match (&scene.memorial, &scene.portrait) {
        (Some(left), _) if !ui.shows_life(scene) => memorial::scrollable(left, ui, body),
        (_, Some(portrait)) => page_lines(portrait, ui, body).len().saturating_sub(body.height.into()),
        _ => 0,
    }
}

fn title_line(scene: &Scene, ink: Ink, columns: u16) -> Line<'static> {
    let mut spans = vec![span(format!(" {} ", scene.golem), ink.strong())];
    let mut right = scene.place.clone();
    if let Some(portrait) = &scene.portrait {
        let life = &portrait.life;
        spans.push(span(format!(" {} ", life.life), ink.plain()));
        spans.push(span(format!(" {} ", life.phase), ink.of_phase(&life.phase)));
        spans.push(span(format!(" tick {}, {} ", life.tick, minute(life.last_seen)), ink.dim()));
        let who = match (scene.company, life.process) {
            (Company::Lives, _) => "lives here".to_owned(),
            (Company::Stops, _) => "stops".to_owned(),
            (Company::LooksOn, Some(process)) => format!("process {process}"),
            (Company::LooksOn, None) if life.death.is_some() => String::new(),
            (Company::LooksOn, None) => "not running".to_owned(),
        };
        right = [right, who].into_iter().filter(|words| !words.is_empty()).collect::<Vec<_>>().join(", ");
    }
    let used: usize = spans.iter().map(|span| span.width()).sum();
    let room = usize::from(columns).saturating_sub(used + 1);
    let right = cut(&right, room);
    spans.push(span(" ".repeat(room - width(&right).min(room)), ink.plain()));
    spans.push(span(right, ink.dim()));
    Line::from(spans)
}

fn tabs_line(ui: &Ui) -> Line<'static> {
    let tabs = Page::ALL.iter().enumerate().flat_map(|(at, page)| {
        let style = if *page == ui.page { ui.ink.chosen() } else { ui.ink.dim() };
        [span(format!(" {} {} ", at + 1, page.name()), style), span(" ", ui.ink.plain())]
    });
    Line::from(tabs.collect::<Vec<_>>())
}

fn keys_line(scene: &Scene, ui: &Ui, columns: u16) -> Line<'static> {
    if let Some(notice) = &scene.notice {
        return line(cut(&format!(" {notice}"), columns.into()), ui.ink.warning());
    }
    let quit = match scene.company {
        Company::Stops => return line(" stopping: it ends what it began; nothing is lost by that", ui.ink.warning()),
        Company::Lives if scene.memorial.is_none() => "q stops it, nothing is lost by that",
        Company::Lives | Company::LooksOn => "q closes this screen",
    };
    let keys = if ui.shows_life(scene) {
        let back = if scene.memorial.is_some() { "  m memorial" } else { "" };
        format!(" 1-5 tab  page   up down  scroll   ? help{back}   {quit}")
    } else {
        match ui.memory {
            Memory::Stone => format!(" up down enter  choose   l  its life   ? help   {quit}"),
            Memory::Wizard => " up down  field   type to change   enter  next, or summon   esc  back".to_owned(),
            Memory::Graveyard => format!(" up down enter  choose   esc  back   {quit}"),
            _ => format!(" up down  scroll   esc  back   {quit}"),
        }
    };
    line(cut(&keys, columns.into()), ui.ink.dim())
}

fn help(frame: &mut Frame<'_>, area: Rect, scene: &Scene, ink: Ink) {
    let close = match scene.company {
        Company::LooksOn => "close the screen; nothing else ends",
        _ => "stop it; run it again to go on",
    };
    let rows = [
        ("1 to 5, tab, left, right", "overview, rules, trades, mind, log"),
        ("up, down, page up, page down", "read on; home and end too"),
        ("enter, 1 to 4", "choose at a memorial"),
        ("l, m", "from the memorial to its life, and back"),
        ("q, ctrl-c", close),
    ];
    let rows = rows.iter().map(|(key, what)| vec![(*key).to_owned(), (*what).to_owned()]).collect();
    let mut lines: Vec<Line<'static>> =
        golem_view::Table::new("", rows).lines().map(|row| line(row, ink.plain())).collect();
    lines.push(line("", ink.plain()));
    let words = " made: what is open counts at the price of now. after everything: less all gas and upkeep. holding: the same \
                 money in the token since it was put in.";
    lines.extend(sentences([&words.to_owned()], ink.dim(), usize::from(area.width.min(78)) - 4));
    let height = u16::try_from(lines.len()).unwrap_or(10).saturating_add(2).min(area.height);
    let size = Rect { width: area.width.min(78), height, x: 0, y: 0 };
    let place = Rect { x: (area.width - size.width) / 2, y: (area.height - height) / 2, ..size };
    frame.render_widget(Clear, place);
    let block = Block::bordered().title(span(" keys; any key goes on ", ink.strong()));
    frame.render_widget(Paragraph::new(lines).block(block), place);
}
