//! What is left of a life: the stone with its four options, the testament, the graves. It stays until its owner goes (I-265).

use golem_view::{Picture as _, Shown as _, Witness};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect, Size};
use ratatui::text::Line;
use ratatui::widgets::Paragraph;

use crate::ink::{Ink, cut, line, sentences, span, wrap};
use crate::scene::{GraveScene, MemorialScene, Scene};
use crate::ui::{Memory, Ui};

/// I-261. Exactly these.
pub(crate) const OPTIONS: [&str; 4] = ["Summon Successor", "View Death Reflection", "Browse Graveyard", "Start Fresh"];

const STONE: [&str; 11] = [
    r"       .-------------.       ",
    r"     .'               '.     ",
    r"    /     R  I  P       \    ",
    r"   |                     |   ",
    r"   |                     |   ",
    r"   |                     |   ",
    r"   |                     |   ",
    r"   |                     |   ",
    r"   |                     |   ",
    r"  _|_____________________|_  ",
    r" /_________________________\ ",
];
/// The rows of the stone that carry words, and how wide those may be.
const CARVED: [usize; 4] = [4, 5, 6, 7];
const CARVED_WIDTH: usize = 19;

pub(crate) fn draw(frame: &mut Frame<'_>, area: Rect, scene: &Scene, left: &MemorialScene, ui: &Ui) {
    match ui.memory {
        Memory::Reflection | Memory::Grave => {
            let lines = reading(left, ui, area.width.into());
            let most = lines.len().saturating_sub(area.height.into());
            let lines: Vec<Line<'static>> = lines.into_iter().skip(ui.scroll.min(most)).collect();
            frame.render_widget(Paragraph::new(lines), area);
        }
        Memory::Graveyard => graveyard(frame, area, left, ui),
        Memory::Stone | Memory::Wizard | Memory::Life => stone(frame, area, scene, left, ui),
    }
}

/// How many lines lie beyond the screen.
pub(crate) fn scrollable(left: &MemorialScene, ui: &Ui, size: Size) -> usize {
    match ui.memory {
        // A memorial has no tabs.
        Memory::Reflection | Memory::Grave => {
            reading(left, ui, size.width.into()).len().saturating_sub(usize::from(size.height) + 1)
        }
        _ => 0,
    }
}

/// I-260. The stone, the life in numbers, of what it died, its last words, and what can be done now.
fn stone(frame: &mut Frame<'_>, area: Rect, scene: &Scene, left: &MemorialScene, ui: &Ui) {
    let ink = ui.ink;
    let columns = [Constraint::Length(31), Constraint::Min(20)];
    let [left_side, right_side] = Layout::horizontal(columns).areas(area);
    frame.render_widget(Paragraph::new(carved(scene, left, ink)), left_side);
    let room = usize::from(right_side.width);
    let mut lines = vec![line("", ink.plain())];
    lines.extend(sentences([&left.stone.cause], ink.strong(), room));
    let rows = [Constraint::Min(1), Constraint::Length(OPTIONS.len() as u16 + 1)];
    let [numbers, options] = Layout::vertical(rows).areas(right_side);
    let mut stats = left.stone.known("");
    stats.rows.retain(|row| !matches!(row.first().map(String::as_str), Some("cause" | "last words")));
    let rest = usize::from(numbers.height).saturating_sub(lines.len() + stats.rows.len() + 1);
    lines.extend(quoted(&left.stone.last_words, room.saturating_sub(1), rest.max(1)).map(|part| line(part, ink.dim())));
    lines.extend(stats.lines().map(|row| line(cut(&row, room), ink.plain())));
    frame.render_widget(Paragraph::new(lines), numbers);
    let offered = OPTIONS.iter().enumerate().map(|(at, option)| {
        let style = if at == ui.chosen { ink.chosen() } else { ink.plain() };
        line(format!(" {} {option} ", at + 1), style)
    });
    frame.render_widget(Paragraph::new(offered.collect::<Vec<_>>()), options);
}

/// Last words in so many lines; where there are more, the testament has the rest.
fn quoted(words: &str, columns: usize, most: usize) -> impl Iterator<Item = String> {
    let mut parts = wrap(&format!("\"{words}\""), columns);
    if parts.len() > most {
        parts.truncate(most);
        if let Some(last) = parts.last_mut() {
            *last = cut(&format!("{last} …"), columns);
        }
    }
    parts.into_iter()
}

/// The stone in grey, with static over it that is the same at every look.
fn carved(scene: &Scene, left: &MemorialScene, ink: Ink) -> Vec<Line<'static>> {
    let generation = left.graves.iter().find(|one| one.grave.name.as_deref() == Some(scene.golem.as_str()));
    let words = [
        cut(&scene.golem, CARVED_WIDTH),
        generation.map(|one| format!("generation {}", one.grave.generation)).unwrap_or_default(),
        format!("{} ticks", left.stone.ticks),
        format!("{} round trips", left.stone.trades),
    ];
    let row = |(at, row): (usize, &&str)| {
        let carved =
            CARVED.iter().position(|place| *place == at).map(|place| format!("{:^CARVED_WIDTH$}", words[place]));
        let text = match carved {
            Some(words) => format!("   | {words} |   "),
            None => row.chars().enumerate().map(|(x, sign)| worn(x, at, sign)).collect(),
        };
        line(text, ink.stone())
    };
    std::iter::once(line("", ink.plain())).chain(STONE.iter().enumerate().map(row)).collect()
}

/// What time did to a sign of the stone.
const fn worn(x: usize, y: usize, sign: char) -> char {
    match (sign, (x * 7 + y * 31 + x * y) % 23) {
        ('_' | '-' | '|', 3) => '░',
        ('_' | '-' | '|', 11) => '▒',
        (sign, _) => sign,
    }
}

/// I-263. Everybody of the line that is dead.
fn graveyard(frame: &mut Frame<'_>, area: Rect, left: &MemorialScene, ui: &Ui) {
    let mut lines = vec![line(" the dead of its line", ui.ink.strong())];
    for (at, GraveScene { grave, testament }) in left.graves.iter().enumerate() {
        let style = if at == ui.chosen { ui.ink.chosen() } else { ui.ink.plain() };
        let kept = [
            matches!(testament, Witness::Tells(_)).then_some("testament"),
            grave.bundle.then_some("genome"),
            grave.bloodstain.then_some("bloodstain"),
        ];
        let kept: Vec<&str> = kept.into_iter().flatten().collect();
        let words = format!(
            " {:<24} generation {:<4} {:>8} ticks  {:<20} {} ",
            grave.shown.as_deref().unwrap_or("-"),
            grave.generation,
            grave.ticks.words(),
            grave.cause.unwrap_or("-"),
            kept.join(", ")
        );
        lines.push(line(cut(&words, area.width.into()), style));
    }
    if left.graves.is_empty() {
        lines.push(line(" nobody of its line is buried on this machine", ui.ink.dim()));
    }
    frame.render_widget(Paragraph::new(lines), area);
}

/// I-262. A testament, every line of it.
fn reading(left: &MemorialScene, ui: &Ui, columns: usize) -> Vec<Line<'static>> {
    let testament = match ui.memory {
        Memory::Grave => left.graves.get(ui.chosen).map(|one| &one.testament),
        _ => Some(&left.testament),
    };
    match testament {
        Some(Witness::Tells(text)) => text.lines().flat_map(|row| written(row, ui.ink, columns)).collect(),
        Some(Witness::Fails(why)) => sentences([&format!(" {why}")], ui.ink.warning(), columns),
        None => vec![line(" there is no such grave", ui.ink.dim())],
    }
}

/// One line of Markdown: a heading stands out, the rest is wrapped as it is.
fn written(row: &str, ink: Ink, columns: usize) -> Vec<Line<'static>> {
    let style = if row.starts_with('#') { ink.strong() } else { ink.plain() };
    let text = row.trim_start_matches('#').trim_start();
    if text.is_empty() {
        return vec![line("", ink.plain())];
    }
    wrap(text, columns.saturating_sub(2))
        .into_iter()
        .map(|part| Line::from(vec![span(" ", ink.plain()), span(part, style)]))
        .collect()
}
