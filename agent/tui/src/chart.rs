//! Lines over time: the least and the greatest of every column of dots.

use golem_primitives::Tick;
use golem_view::{Extent, Series};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};
use ratatui::symbols::Marker;
use ratatui::widgets::canvas::{Canvas, Context, Line};

/// One line of a chart.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Curve<'a> {
    pub(crate) series: &'a Series,
    pub(crate) style: Style,
}

/// Draws curves over the same ticks. `bounds` are those of the values; where there are none they are the curves' own.
pub(crate) fn chart(frame: &mut Frame<'_>, area: Rect, curves: &[Curve<'_>], bounds: Option<[i64; 2]>) {
    let spans = || curves.iter().filter_map(|curve| curve.series.ticks());
    let (Some(from), Some(to)) = (spans().map(|(from, _)| from).min(), spans().map(|(_, to)| to).max()) else {
        return;
    };
    if area.is_empty() {
        return;
    }
    let [least, greatest] = bounds.unwrap_or_else(|| bounds_of(curves));
    // Two dots lie beside each other in a cell of braille.
    let dots = usize::from(area.width) * 2;
    let columns: Vec<(Vec<Option<Extent>>, Color)> =
        curves.iter().map(|curve| (curve.series.columns(from, to, dots), curve.style.fg.unwrap_or_default())).collect();
    let canvas = Canvas::default()
        .marker(Marker::Braille)
        .x_bounds([0.0, dots.saturating_sub(1).max(1) as f64])
        .y_bounds([least as f64, (greatest.max(least + 1)) as f64])
        .paint(|context| columns.iter().for_each(|(columns, colour)| paint(context, columns, *colour)));
    frame.render_widget(canvas, area);
}

/// A stroke from the least to the greatest of a column, and one from its newest to the next column, so that there are no holes.
fn paint(context: &mut Context<'_>, columns: &[Option<Extent>], color: Color) {
    let mut before: Option<(f64, f64)> = None;
    for (at, extent) in columns.iter().enumerate() {
        let Some(extent) = extent else { continue };
        let x = at as f64;
        context.draw(&Line { x1: x, y1: extent.least as f64, x2: x, y2: extent.greatest as f64, color });
        if let Some((x1, y1)) = before {
            context.draw(&Line { x1, y1, x2: x, y2: extent.last as f64, color });
        }
        before = Some((x, extent.last as f64));
    }
}

/// The least and the greatest of all curves, with a little air.
pub(crate) fn bounds_of(curves: &[Curve<'_>]) -> [i64; 2] {
    let all = || curves.iter().filter_map(|curve| curve.series.bounds());
    let least = all().map(|(least, _)| least).min().unwrap_or_default();
    let greatest = all().map(|(_, greatest)| greatest).max().unwrap_or_default();
    let air = (greatest.saturating_sub(least) / 20).max(1);
    [least.saturating_sub(air), greatest.saturating_add(air)]
}

/// A series as one row of blocks, its newest at the right.
pub(crate) fn spark(series: &Series, cells: usize, bounds: [i64; 2]) -> String {
    const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let Some((from, to)) = series.ticks() else { return " ".repeat(cells) };
    let [least, greatest] = bounds;
    let height = i128::from(greatest.saturating_sub(least).max(1));
    let block = |extent: Option<Extent>| {
        let Some(extent) = extent else { return ' ' };
        let above = i128::from(extent.last.clamp(least, greatest).saturating_sub(least));
        let at = usize::try_from(above * (BLOCKS.len() as i128 - 1) / height).unwrap_or_default();
        BLOCKS.get(at).copied().unwrap_or(' ')
    };
    // A young life is not blown up: a cell is one tick at least.
    let to = Tick::new(to.get().max(from.get().saturating_add(cells as u64).saturating_sub(1)));
    series.columns(from, to, cells).into_iter().map(block).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn o_010_a_row_of_blocks_rises_with_its_values() {
        let mut series = Series::default();
        (0..8).for_each(|tick| series.push(Tick::new(tick), (tick * 100_000) as i64));
        assert_eq!(spark(&series, 8, [0, 700_000]), "▁▂▃▄▅▆▇█");
        assert_eq!(spark(&Series::default(), 3, [0, 1]), "   ");
    }
}
