//! `bardo golem plot`: a life as one drawing (O-015).

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use eyre::{OptionExt, Result, WrapErr};
use golem_view::{Curve, LifeHistory, Panel, PlotMark, PlotPoint, PlotSpan, Series, TradeLine, figure};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use super::grimoire::Whose;
use super::look;
use super::onlooker::Onlooker;

/// Pixels for each unit of a drawing.
const SHARPNESS: f32 = 2.0;
#[derive(Debug, Args)]
pub(crate) struct PlotArguments {
    #[command(flatten)]
    whose: Whose,
    /// Write the drawing here instead of printing it.
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
    /// Write it as a picture for a chat or a post: PNG, twice as wide as the drawing says.
    #[arg(long, value_name = "FILE.png")]
    png: Option<PathBuf>,
}

impl PlotArguments {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let folder = self.whose.folder()?;
        let known = Onlooker::read(&folder)?;
        let trades: Vec<TradeLine> = known.trades.iter().cloned().collect();
        let title =
            format!("The life of {}, {} at tick {}", folder.name(), look::standing(&known.life), known.life.tick());
        let drawing = figure(&title, "tick", &[money(&known.history, &trades), clocks(&known.history)]);
        let pixels = self.png.is_some().then(|| png_of(&drawing)).transpose()?;
        if self.svg.is_none() && pixels.is_none() {
            print!("{drawing}");
        }
        let files = [(&self.svg, Some(drawing.into_bytes())), (&self.png, pixels)];
        for (path, bytes) in files.into_iter().filter_map(|(path, bytes)| path.as_ref().zip(bytes)) {
            std::fs::write(path, bytes).wrap_err_with(|| format!("cannot write {}", path.display()))?;
            println!("The drawing is in {}.", path.display());
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// A drawing as pixels. The letters are the program's own, so that it looks the same on a server without fonts.
fn png_of(svg: &str) -> Result<Vec<u8>> {
    let mut options = Options::default();
    let letters = options.fontdb_mut();
    for font in [dejavu::sans::regular(), dejavu::sans::bold()] {
        letters.load_font_data(font.to_vec());
    }
    letters.set_sans_serif_family("DejaVu Sans");
    let tree = Tree::from_str(svg, &options).wrap_err("the drawing cannot be read again")?;
    let size = tree.size().to_int_size().scale_by(SHARPNESS).ok_or_eyre("the drawing has no size")?;
    let mut pixels = Pixmap::new(size.width(), size.height()).ok_or_eyre("the drawing is too large for a picture")?;
    resvg::render(&tree, Transform::from_scale(SHARPNESS, SHARPNESS), &mut pixels.as_mut());
    pixels.encode_png().wrap_err("the picture cannot be packed")
}

/// The last value of every place, in whole units of so many.
fn curve(name: &str, colour: &'static str, width: f64, dash: &'static str, series: &Series, unit: f64) -> Curve {
    let point = |extent: &golem_view::Extent| PlotPoint { x: extent.from.get() as f64, y: extent.last as f64 / unit };
    Curve { name: name.to_owned(), colour, width, dash, points: series.extents().iter().map(point).collect() }
}

/// What the capital was worth beside holding, with what was bought and sold.
fn money(history: &LifeHistory, trades: &[TradeLine]) -> Panel {
    let worth_at = |tick: u64| {
        let before = history.equity.extents().iter().take_while(|extent| extent.from.get() <= tick);
        before.last().map(|extent| extent.last as f64 / 1e6)
    };
    let mark = |trade: &TradeLine| {
        let moved = trade.moved.filter(|moved| moved.0 != 0)?;
        let tick = trade.tick.get();
        let name = format!("{} at tick {tick}", trade.order);
        Some(PlotMark { at: PlotPoint { x: tick as f64, y: worth_at(tick)? }, is_up: moved.0 < 0, name })
    };
    Panel {
        title: "Capital beside holding, USDC".to_owned(),
        unit: "",
        curves: vec![
            curve("holding the token", "#8a8177", 1.4, "5 4", &history.held, 1e6),
            curve("its capital", "#9a4f0c", 2.2, "none", &history.equity, 1e6),
        ],
        marks: trades.iter().filter_map(mark).collect(),
        spans: Vec::new(),
    }
}

/// Vitality and the clocks, with the phases below.
fn clocks(history: &LifeHistory) -> Panel {
    let colour = |phase: &str| match phase.to_ascii_lowercase().as_str() {
        "thriving" => "#1f7a4d",
        "stable" => "#2f6ea5",
        "conservation" => "#a88411",
        "declining" => "#c0642a",
        _ => "#b3352a",
    };
    let span = |span: &golem_view::PhaseSpan| PlotSpan {
        from: span.from.get() as f64,
        to: span.to.get() as f64,
        name: span.phase.clone(),
        colour: colour(&span.phase),
    };
    Panel {
        title: "Vitality and its clocks".to_owned(),
        unit: "%",
        curves: vec![
            curve("economic", "#2f6ea5", 1.3, "none", &history.economic, 1e4),
            curve("epistemic", "#7a3e9d", 1.3, "none", &history.epistemic, 1e4),
            curve("survival", "#8a8177", 1.3, "2 3", &history.survival, 1e4),
            curve("vitality", "#1d1a16", 2.2, "none", &history.vitality, 1e4),
        ],
        marks: Vec::new(),
        spans: history.phases.iter().map(span).collect(),
    }
}

#[cfg(test)]
mod tests {
    use golem_view::Panel;
    use resvg::tiny_skia::Pixmap;

    use super::{figure, png_of};

    /// O-015: a picture has the drawing's lines and letters, on a machine without a font.
    #[test]
    fn o_015_a_picture_has_letters_of_its_own() {
        let drawn = |title: &str| {
            let panel = Panel { title: title.to_owned(), ..Panel::default() };
            let picture = Pixmap::decode_png(&png_of(&figure("a life", "tick", &[panel])).expect("pixels"));
            picture.expect("a picture")
        };
        let (worded, bare) = (drawn("Capital beside holding"), drawn(""));
        assert_eq!((worded.width(), worded.height()), (1_920, 600), "sharp on a screen of today");
        let inked = |picture: &Pixmap| {
            // Where the title of the panel stands.
            let dark = |x: u32, y: u32| picture.pixel(x, y).is_some_and(|pixel| pixel.red() < 100);
            (150..500).flat_map(|x| (10..50).map(move |y| (x, y))).filter(|(x, y)| dark(*x, *y)).count()
        };
        assert!(inked(&worded) > 500, "{}", inked(&worded));
        assert_eq!(inked(&bare), 0);
    }
}
