//! What moves it, what presses on it, and what it dreams.

use golem_primitives::Ppm;
use golem_view::words::money;
use golem_view::{AsleepPicture, DreamLine, DreamPicture, FeltPicture, MoodPicture, SufferingPicture, columns_of};
use ratatui::text::Line;

use crate::ink::{Ink, bar, line, sentences, table, told};
use crate::scene::Portrait;

/// How much of what was felt is shown.
const FELT: usize = 6;

pub(crate) fn lines(portrait: &Portrait, ink: Ink, columns: usize) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    match &portrait.mood {
        Some(mood) => lines.extend(mood_lines(mood, ink, columns)),
        None => lines.push(line(" it has no moods ([daimon] of its golem.toml)", ink.dim())),
    }
    lines.push(line("", ink.plain()));
    match &portrait.suffering {
        Some(suffering) => lines.extend(suffering_lines(suffering, ink, columns)),
        None => lines.push(line(" it cannot suffer ([suffering] of its golem.toml)", ink.dim())),
    }
    lines.push(line("", ink.plain()));
    match &portrait.dreaming {
        Some(dreaming) => lines.extend(dream_lines(dreaming, &portrait.dreams, ink, columns)),
        None => lines.push(line(" it does not dream ([dreams] of its golem.toml)", ink.dim())),
    }
    if let Some(known) = &portrait.life.grimoire {
        lines.push(line("", ink.plain()));
        lines.extend(told(" what it knows", known, ink, columns));
    }
    lines
}

fn mood_lines(mood: &MoodPicture, ink: Ink, columns: usize) -> Vec<Line<'static>> {
    let mut lines = vec![line(format!(" mood: {}", mood.mood), ink.strong())];
    for (name, golem_view::Number(axis)) in
        [("pleasure", mood.pad.pleasure), ("arousal", mood.pad.arousal), ("dominance", mood.pad.dominance)]
    {
        let parts = ((axis.clamp(-1.0, 1.0) + 1.0) / 2.0 * 1e6).round() as u32;
        lines.push(line(format!("  {name:<10} {} {axis:+.2}", bar(parts, 20)), ink.plain()));
    }
    let influence = &mood.influence;
    let risk = format!(
        "  takes {} of the risk its phase gives ({}); personality {}",
        influence.risk, influence.risk_by_phase, mood.disposition
    );
    lines.extend(sentences([&risk], ink.plain(), columns));
    if mood.is_helpless {
        lines.push(line("  it is helpless", ink.bad()));
    }
    let felt: Vec<FeltPicture> = mood.recent.iter().rev().take(FELT).cloned().collect();
    if !felt.is_empty() {
        let names = ["tick", "event", "degree", "emotion", "intensity"];
        lines.extend(table(&columns_of(" felt of late", &felt, &names), ink, columns, true));
    }
    lines
}

/// S-145. A bar for each thing that presses.
fn suffering_lines(suffering: &SufferingPicture, ink: Ink, columns: usize) -> Vec<Line<'static>> {
    let mut lines = vec![line(format!(" suffering: {}", suffering.load), ink.strong())];
    for one in &suffering.pressing {
        lines.push(line(format!("  {:<24} {}", one.what, one.bar), ink.warning()));
        lines.extend(sentences(
            [&format!("    {}", one.because), &format!("    eases when {}", one.eases_when)],
            ink.dim(),
            columns,
        ));
    }
    if suffering.pressing.is_empty() {
        lines.push(line("  nothing presses", ink.plain()));
    }
    if !suffering.closed.is_empty() {
        lines.push(line(format!("  closes {}", suffering.closed.join(", ")), ink.bad()));
    }
    lines
}

/// D-226. How far the dream is, phase by phase.
fn dream_lines(dreaming: &DreamPicture, dreams: &[DreamLine], ink: Ink, columns: usize) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    match &dreaming.asleep {
        Some(asleep) => lines.extend(asleep_lines(asleep, ink)),
        None => lines.push(line(" dreams: awake", ink.strong())),
    }
    let pressure = if dreaming.threshold.0 > 0.0 { dreaming.urgency.0 / dreaming.threshold.0 } else { 0.0 };
    let parts = (pressure.clamp(0.0, 1.0) * 1e6).round() as u32;
    lines.push(line(
        format!("  pressure   {} {:.3}, dreams from {:.3}", bar(parts, 20), dreaming.urgency.0, dreaming.threshold.0),
        ink.plain(),
    ));
    let spent = format!(
        "  {} dreams, {} rules tried of them; {} spent this window, {} this month of {}",
        dreaming.cycles,
        dreaming.came_to.staged,
        money(dreaming.spent.window),
        money(dreaming.spent.month),
        money(dreaming.caps.month)
    );
    lines.extend(sentences([&spent], ink.plain(), columns));
    if !dreams.is_empty() {
        let names = ["dream", "tick", "because of", "ended", "hypotheses", "threats", "cost"];
        lines.extend(table(&columns_of(" the last dreams", dreams, &names), ink, columns, true));
    }
    lines
}

fn asleep_lines(asleep: &AsleepPicture, ink: Ink) -> Vec<Line<'static>> {
    let mut lines = vec![line(format!(" dreams now: {}, because of {}", asleep.cycle, asleep.trigger), ink.strong())];
    let share = asleep.spent.ratio_of(asleep.grant);
    lines.push(line(
        format!("  spent      {} {} of {}", bar(Ppm::get(share), 20), money(asleep.spent), money(asleep.grant)),
        ink.plain(),
    ));
    for stage in &asleep.phases {
        let style = if stage.stands == "now" { ink.accent() } else { ink.plain() };
        lines.push(line(
            format!("  {:<14} {:<8} {} answers, {}", stage.phase, stage.stands, stage.answered, money(stage.spent)),
            style,
        ));
    }
    lines
}
