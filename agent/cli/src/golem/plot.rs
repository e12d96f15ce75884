//! `bardo golem plot`: a life as one drawing (O-015).

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use eyre::{Result, WrapErr};
use golem_view::{Curve, LifeHistory, Panel, PlotMark, PlotPoint, PlotSpan, Series, TradeLine, figure};

use super::onlooker::Onlooker;
use super::{Home, look};

/// What `plot` takes.
#[derive(Debug, Args)]
pub(crate) struct PlotArguments {
    /// The Golem: its name on this machine, its agent id, or its vault's address.
    #[arg(value_name = "GOLEM")]
    golem: String,
    #[command(flatten)]
    home: Home,
    /// Write the drawing here instead of printing it.
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
}

impl PlotArguments {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let folder = self.home.find_memory(&self.golem)?;
        let known = Onlooker::read(&folder)?;
        let trades: Vec<TradeLine> = known.trades.iter().cloned().collect();
        let title =
            format!("The life of {}, {} at tick {}", folder.name(), look::standing(&known.life), known.life.tick());
        let drawing = figure(&title, "tick", &[money(&known.history, &trades), clocks(&known.history)]);
        match &self.svg {
            Some(path) => {
                std::fs::write(path, drawing).wrap_err_with(|| format!("cannot write {}", path.display()))?;
                println!("The drawing is in {}.", path.display());
            }
            None => print!("{drawing}"),
        }
        Ok(ExitCode::SUCCESS)
    }
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
