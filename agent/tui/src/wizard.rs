//! I-266 to I-268. The successor: filled in from its predecessor, beside what the testament advises, with what it would
//! inherit counted by the code that then does it.

use golem_primitives::{Ppm, Usdc};
use golem_view::{InheritancePreview, Witness};
use ratatui::Frame;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::Paragraph;

use crate::ink::{Ink, cut, framed, line, panel, sentences, span};
use crate::scene::{Foreseen, HeirDraft, Scene};
use crate::ui::{ScreenRequest, Ui};

/// The fields in their order, and the last row, which summons.
const FIELDS: [&str; 5] = ["book", "stake", "credits", "capital", "inherits"];
/// Longest text of a field.
const LONGEST: usize = 200;

/// What is filled in so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HeirForm {
    /// Book, stake, credits and capital as they are typed.
    texts: [String; 4],
    inherits: bool,
    /// The field one is in; behind the last is the row that summons.
    at: usize,
    /// The book that the preview is of.
    foreseen_for: String,
    wrong: Option<String>,
}

impl HeirForm {
    /// I-266. With what the predecessor had.
    pub(crate) fn filled(usual: &HeirDraft) -> Self {
        let bare = |usdc: Usdc| usdc.to_string().replace(" USDC", "");
        Self {
            texts: [usual.playbook.clone(), usual.stake.to_string(), bare(usual.credits), bare(usual.capital)],
            inherits: usual.inherits,
            at: 0,
            foreseen_for: usual.playbook.clone(),
            wrong: None,
        }
    }

    /// What a key does to it.
    pub(crate) fn press(&mut self, code: KeyCode, foreseen: &Foreseen) -> Option<ScreenRequest> {
        self.wrong = None;
        match code {
            KeyCode::Up | KeyCode::BackTab => return self.move_to(self.at.saturating_sub(1)),
            KeyCode::Down | KeyCode::Tab => return self.move_to((self.at + 1).min(FIELDS.len())),
            KeyCode::Enter if self.at == FIELDS.len() => return self.confirm(foreseen),
            KeyCode::Enter => return self.move_to(self.at + 1),
            KeyCode::Char(' ') | KeyCode::Left | KeyCode::Right if self.at == self.texts.len() => {
                self.inherits = !self.inherits;
            }
            KeyCode::Char(sign) if !sign.is_control() => {
                if let Some(text) = self.texts.get_mut(self.at).filter(|text| text.len() < LONGEST) {
                    text.push(sign);
                }
            }
            KeyCode::Backspace => {
                if let Some(text) = self.texts.get_mut(self.at) {
                    text.pop();
                }
            }
            _ => {}
        }
        None
    }

    /// Another book asks anew how much alike the two are.
    fn move_to(&mut self, at: usize) -> Option<ScreenRequest> {
        self.at = at;
        if self.texts[0] == self.foreseen_for {
            return None;
        }
        self.foreseen_for = self.texts[0].clone();
        Some(ScreenRequest::Foresee(Some(self.foreseen_for.clone())))
    }

    /// I-268. What was filled in, if it can be.
    fn draft(&self) -> Result<HeirDraft, String> {
        let [playbook, stake, credits, capital] = &self.texts;
        let wrong = |what: &str, error: &dyn std::fmt::Display| format!("{what}: {error}");
        let stake: Ppm = stake.parse().map_err(|error| wrong("stake", &error))?;
        if !(1_000..=100_000).contains(&stake.get()) {
            return Err("stake: 0.001 to 0.10; the vault bounds it again".to_owned());
        }
        Ok(HeirDraft {
            playbook: playbook.trim().to_owned(),
            stake,
            credits: credits.parse().map_err(|error| wrong("credits", &error))?,
            capital: capital.parse().map_err(|error| wrong("capital", &error))?,
            inherits: self.inherits,
        })
    }

    fn confirm(&mut self, foreseen: &Foreseen) -> Option<ScreenRequest> {
        if let Some(why) = &foreseen.stillborn {
            self.wrong = Some(why.clone());
            return None;
        }
        match self.draft() {
            Ok(draft) => Some(ScreenRequest::Summon(draft)),
            Err(why) => {
                self.wrong = Some(why);
                None
            }
        }
    }
}

pub(crate) fn draw(frame: &mut Frame<'_>, area: Rect, scene: &Scene, ui: &Ui) {
    let ink = ui.ink;
    let foreseen = match &scene.foreseen {
        Some(Witness::Tells(foreseen)) => foreseen,
        Some(Witness::Fails(why)) => {
            let mut lines = vec![line(" no successor can be prepared", ink.strong())];
            lines.extend(sentences([&format!(" {why}")], ink.warning(), area.width.into()));
            lines.push(line("", ink.plain()));
            lines.push(line(" enter tries again, esc goes back", ink.dim()));
            return frame.render_widget(Paragraph::new(lines), area);
        }
        None => {
            let words = " proving what it left against the chain, and counting what would be inherited ...";
            return frame.render_widget(line(words, ink.dim()), area);
        }
    };
    let filled = HeirForm::filled(&foreseen.usual);
    let form = ui.form.as_ref().unwrap_or(&filled);
    let [left, right] = Layout::horizontal([Constraint::Percentage(52), Constraint::Min(28)]).areas(area);
    let lines = field_lines(form, foreseen, ink, left.width.saturating_sub(2).into());
    // Why nobody would be born is read to its end; the advice has the rest.
    let rows = u16::try_from(lines.len()).unwrap_or(u16::MAX).saturating_add(2).clamp(10, left.height * 2 / 3);
    let [fields, advice] = Layout::vertical([Constraint::Length(rows), Constraint::Min(4)]).areas(left);
    frame.render_widget(Paragraph::new(lines).block(panel(" summon a successor ", ink)), fields);
    draw_advice(frame, advice, foreseen, ink);
    draw_preview(frame, right, form, foreseen, ink);
}

fn field_lines(form: &HeirForm, foreseen: &Foreseen, ink: Ink, columns: usize) -> Vec<Line<'static>> {
    let room = columns.saturating_sub(12);
    let mut lines = Vec::new();
    for (at, name) in FIELDS.iter().enumerate() {
        let (value, unit) = match form.texts.get(at) {
            Some(text) => (text.clone(), if at >= 2 { " USDC" } else { "" }),
            None if form.inherits => ("yes: as candidates".to_owned(), ""),
            None => ("no: its configuration alone".to_owned(), ""),
        };
        let style = if form.at == at { ink.chosen() } else { ink.plain() };
        lines.push(Line::from(vec![
            span(format!(" {name:<9} "), ink.dim()),
            span(format!("{}{unit} ", cut(&value, room.saturating_sub(6))), style),
        ]));
    }
    let style = if form.at == FIELDS.len() { ink.chosen() } else { ink.strong() };
    lines.push(line(" Summon it ", style));
    match (&form.wrong, &foreseen.stillborn, foreseen.similarity) {
        (Some(wrong), ..) => lines.extend(sentences([&format!(" {wrong}")], ink.bad(), columns)),
        (None, Some(why), _) => lines.extend(sentences([&format!(" {why}")], ink.warning(), columns)),
        (None, None, Some(similarity)) => {
            lines.push(line(format!(" it would be born; alike by {similarity}"), ink.good()))
        }
        (None, None, None) => lines.push(line(" it would be born", ink.good())),
    }
    lines
}

/// I-266. What the predecessor acted by, beside what its testament advises.
fn draw_advice(frame: &mut Frame<'_>, area: Rect, foreseen: &Foreseen, ink: Ink) {
    let inner = framed(frame, area, panel(" its testament advises; what it acted by ", ink));
    let columns = usize::from(inner.width);
    let mut lines = Vec::new();
    for one in &foreseen.advice {
        let words = format!(" {}: {} ({})", one.verb, one.what, one.rationale);
        lines.extend(sentences([&words], ink.accent(), columns));
    }
    if foreseen.advice.is_empty() {
        lines.push(line(" it advises nothing", ink.dim()));
    }
    let rules: Vec<String> = foreseen.strategy.iter().map(|rule| format!(" {rule}")).collect();
    lines.extend(sentences(&rules, ink.dim(), columns));
    frame.render_widget(Paragraph::new(lines), inner);
}

/// I-267. Entries, what the barrier leaves of them, by domain, and bloodstains.
fn draw_preview(frame: &mut Frame<'_>, area: Rect, form: &HeirForm, foreseen: &Foreseen, ink: Ink) {
    let inner = framed(frame, area, panel(" what it would inherit ", ink));
    let columns = usize::from(inner.width);
    if !form.inherits {
        let words = " nothing: it takes its configuration alone, and everything it knew ends with it".to_owned();
        return frame.render_widget(Paragraph::new(sentences([&words], ink.dim(), columns)), inner);
    }
    let InheritancePreview { genome, told, percent_left, before, after, domains, own_bloodstains, older_bloodstains } =
        &foreseen.preview;
    let mut lines = vec![
        line(format!(" {genome} entries of at most 2048"), ink.plain()),
        line(format!(" {told} statements of its testament"), ink.plain()),
        line(format!(" {percent_left}% left by the barrier"), ink.plain()),
        line(format!(" bloodstains {own_bloodstains}, older {older_bloodstains}"), ink.plain()),
        line(" confidence   before  after", ink.dim()),
    ];
    let most = before.iter().chain(after).copied().max().unwrap_or_default();
    for (tenth, (was, is)) in before.iter().zip(after).enumerate() {
        let cells = columns.saturating_sub(28);
        let bar = |count: u32| {
            "▪".repeat(usize::try_from(u64::from(count) * cells as u64 / u64::from(most.max(1))).unwrap_or(0))
        };
        lines.push(Line::from(vec![
            span(format!(" 0.{tenth} to {}.{}  ", (tenth + 1) / 10, (tenth + 1) % 10), ink.dim()),
            span(format!("{was:>5}  {is:>5} "), ink.plain()),
            span(bar(*is), ink.accent()),
        ]));
    }
    let domains: Vec<String> = domains.iter().map(|(domain, count)| format!("{domain} {count}")).collect();
    lines.extend(sentences([&format!(" by domain: {}", domains.join(", "))], ink.plain(), columns));
    for one in &foreseen.tried.first {
        lines.extend(sentences([&format!(" tries first: {}", one.says)], ink.dim(), columns));
    }
    frame.render_widget(Paragraph::new(lines), inner);
}
