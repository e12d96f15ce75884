//! How long a frame takes, and how long a past takes to be taken in: `cargo bench -p golem-tui --bench frame`.
#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use golem_core::life::Life;
use golem_core::record::{Chance, Roll, TickInput};
use golem_core::step::step;
use golem_mortality::law::Law;
use golem_primitives::{GolemId, Tick, Usdc, UtcTime};
use golem_tui::ratatui::Terminal;
use golem_tui::ratatui::backend::TestBackend;
use golem_tui::{Ink, Portrait, Scene, Ui, draw};
use golem_view::{LifeHistory, LifePicture, LoggedLine, StandingPicture};

fn main() {
    // `cargo test --benches` only asks whether it runs.
    let is_test = std::env::args().any(|argument| argument == "--test");
    let (long, frames) = if is_test { (1_000, 2) } else { (100_000, 400) };
    println!("| screen | ticks | past taken in | frame, median | frame, slowest |");
    println!("|---|---:|---:|---:|---:|");
    for ticks in [long / 1_000, long] {
        let taken = Instant::now();
        let scene = lived(ticks);
        let taken = taken.elapsed();
        for (width, height) in [(80, 24), (200, 60)] {
            let mut times = time(&scene, width, height, frames);
            times.sort_unstable();
            let (median, slowest) = (times[times.len() / 2], times[times.len() - 1]);
            println!("| {width}x{height} | {ticks} | {taken:.1?} | {median:.1?} | {slowest:.1?} |");
        }
    }
}

fn time(scene: &Scene, width: u16, height: u16, frames: usize) -> Vec<Duration> {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a buffer");
    let ui = Ui::new(Ink::new(true));
    let one = |_| {
        let begun = Instant::now();
        terminal.draw(|frame| draw(frame, black_box(scene), &ui)).expect("drawn");
        begun.elapsed()
    };
    (0..frames).map(one).collect()
}

/// A life of so many ticks, with everything it recorded taken in.
fn lived(ticks: u64) -> Scene {
    let id = GolemId::new("ada").expect("a name");
    let mut life = Life::birth(id, Law::hosted(), Usdc::whole(50), 0, UtcTime::EPOCH).expect("funded");
    let mut history = LifeHistory::default();
    for tick in 1..=ticks {
        let now = UtcTime::from_seconds(tick * Tick::NOMINAL_SECONDS);
        let next = step(life, &TickInput::quiet(Tick::new(tick), now, Chance::Given(Roll(u64::MAX))));
        life = next.life;
        next.record.iter().for_each(|record| history.tick(record));
    }
    let line = |at: u64| LoggedLine { time: UtcTime::EPOCH, tick: Tick::new(at), words: format!("line {at}") };
    let portrait = Portrait {
        life: LifePicture::of(&life),
        stage: StandingPicture::of("ada", &life),
        rules: Vec::new(),
        why: Vec::new(),
        trades: Vec::new(),
        mood: None,
        suffering: None,
        dreaming: None,
        dreams: Vec::new(),
        history,
        log: (0..500).map(line).collect(),
    };
    Scene { golem: "ada".to_owned(), portrait: Some(portrait), ..Scene::default() }
}
