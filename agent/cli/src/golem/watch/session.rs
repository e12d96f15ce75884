//! A screen that is open: a thread that looks, draws and hears keys, beside whatever else the process does.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use eyre::{Result, WrapErr, eyre};
use golem_tui::ratatui::crossterm::event::{self, Event, KeyEventKind};
use golem_tui::{Company, Foreseen, Ink, Scene, ScreenRequest, Ui, draw};
use golem_view::Witness;
use rustix::event::Timespec;
use tokio::runtime::Handle;
use tokio::sync::{oneshot, watch};

use super::portrait::Painter;
use super::terminal::Canvas;
use crate::golem::book::BookChoice;
use crate::golem::home::Folder;
use crate::golem::subject::Which;
use crate::golem::successor::SuccessorArguments;
use crate::screen;

/// Between two looks at the memory.
const LOOK: Duration = Duration::from_secs(1);
/// How long what the process said stands in the place of the keys; all of it is told when the screen closes.
const STANDS: Duration = Duration::from_secs(10);
/// How long keys are waited for before anything else is seen to.
const WAIT: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };

/// What a screen is of.
pub(crate) struct Stage {
    pub(crate) folder: Folder,
    pub(crate) which: Which,
    /// How to stop the life, where this process lives it.
    pub(crate) stop: Option<Arc<watch::Sender<bool>>>,
}

/// An open screen. Dropping it closes it and gives the terminal back.
pub(crate) struct Session {
    control: Arc<Control>,
    thread: Option<JoinHandle<()>>,
    end: oneshot::Receiver<Result<Option<ScreenRequest>>>,
}

/// What is said to the screen from outside.
#[derive(Debug, Default)]
struct Control {
    close: AtomicBool,
    /// The life that this process lived is not lived any more.
    over: AtomicBool,
}

impl Session {
    pub(crate) fn open(stage: Stage) -> Result<Self> {
        let control = Arc::new(Control::default());
        let (tell, end) = oneshot::channel();
        let (own, handle) = (control.clone(), Handle::current());
        let is_lived = stage.stop.is_some();
        let shown = move || {
            let shown = match Shown::new(stage, own, handle).run() {
                // A life goes on without its screen, and its owner is told at once.
                Err(error) if is_lived => {
                    screen::complain(&error.wrap_err("the screen is gone; the life goes on, and Ctrl-C stops it"));
                    Ok(None)
                }
                shown => shown,
            };
            let _ = tell.send(shown);
        };
        let thread =
            std::thread::Builder::new().name("screen".to_owned()).spawn(shown).wrap_err("no thread to be had")?;
        Ok(Self { control, thread: Some(thread), end })
    }

    /// What the owner asked for; nothing where he closed it.
    pub(crate) async fn ended(&mut self) -> Result<Option<ScreenRequest>> {
        (&mut self.end).await.unwrap_or_else(|_| Err(eyre!("the screen broke off; the reason stands above")))
    }

    pub(crate) async fn close(&mut self) -> Result<Option<ScreenRequest>> {
        self.control.close.store(true, Ordering::Relaxed);
        self.ended().await
    }

    /// The life is not lived any more: of the dead the memorial stays until its owner goes (I-265), any other screen closes.
    pub(crate) async fn rest(&mut self) -> Result<Option<ScreenRequest>> {
        self.control.over.store(true, Ordering::Relaxed);
        self.ended().await
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.control.close.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A wizard's answer and the number of its question: only the newest counts.
type Answer = (u64, Witness<Foreseen>);

struct Shown {
    stage: Stage,
    control: Arc<Control>,
    handle: Handle,
    scene: Scene,
    ui: Ui,
    /// What the process said last, and since when it stands there.
    said: Option<(String, Instant)>,
    questions: u64,
    answer: mpsc::Sender<Answer>,
    answers: mpsc::Receiver<Answer>,
}

impl Shown {
    fn new(stage: Stage, control: Arc<Control>, handle: Handle) -> Self {
        let company = if stage.stop.is_some() { Company::Lives } else { Company::LooksOn };
        let scene = Scene { golem: stage.folder.name().to_owned(), company, ..Scene::default() };
        let (answer, answers) = mpsc::channel();
        let ui = Ui::new(Ink::new(screen::wants_colours()));
        Self { stage, control, handle, scene, ui, said: None, questions: 0, answer, answers }
    }

    fn run(mut self) -> Result<Option<ScreenRequest>> {
        let mut canvas = Canvas::open()?;
        canvas.draw(|frame| draw(frame, &self.scene, &self.ui))?;
        let mut painter = Painter::new(self.stage.folder.clone());
        let mut next_look = Instant::now();
        let mut is_new = true;
        loop {
            let is_over = self.control.over.load(Ordering::Relaxed);
            if Instant::now() >= next_look || (is_over && self.scene.company != Company::LooksOn) {
                is_new |= painter.look(&mut self.scene);
                is_new |= self.notice(&painter, &canvas);
                next_look = Instant::now() + LOOK;
            }
            if self.control.close.load(Ordering::Relaxed) || is_over && self.scene.memorial.is_none() {
                return Ok(None);
            }
            if is_over && self.scene.company != Company::LooksOn {
                (self.scene.company, is_new) = (Company::LooksOn, true);
            }
            is_new |= self.hear_answers();
            if is_new || !canvas.is_as_it_was() {
                self.ui.settle(&self.scene);
                canvas.draw(|frame| draw(frame, &self.scene, &self.ui))?;
            }
            let (heard, is_changed) = self.hear_keys(&canvas)?;
            is_new = is_changed;
            if let Some(request) = heard {
                return Ok(Some(request));
            }
        }
    }

    /// What stands under the screen: what is wrong with the memory, or for a while what the process said last.
    fn notice(&mut self, painter: &Painter, canvas: &Canvas) -> bool {
        let last = canvas.last_said();
        if self.said.as_ref().map(|(words, _)| words) != last.as_ref() {
            self.said = last.map(|words| (words, Instant::now()));
        }
        let said = self.said.as_ref().filter(|(_, since)| since.elapsed() < STANDS);
        let notice = painter.trouble.clone().or_else(|| said.map(|(words, _)| words.clone()));
        let is_new = notice != self.scene.notice;
        self.scene.notice = notice;
        is_new
    }

    /// All keys that were pressed. Answers what the screen ends with, and whether anything is to be drawn anew.
    fn hear_keys(&mut self, canvas: &Canvas) -> Result<(Option<ScreenRequest>, bool)> {
        if !canvas.has_keys(WAIT)? {
            return Ok((None, false));
        }
        let mut is_changed = false;
        while event::poll(Duration::ZERO)? {
            is_changed = true;
            let Event::Key(key) = event::read()? else { continue };
            if key.kind == KeyEventKind::Release {
                continue;
            }
            match self.ui.press(key, &self.scene, canvas.size()) {
                None => {}
                Some(ScreenRequest::Foresee(playbook)) => self.foresee(playbook),
                Some(ScreenRequest::Close) if self.scene.company == Company::Lives => self.stop(),
                Some(ScreenRequest::Close) if self.scene.company == Company::Stops => {}
                Some(request) => {
                    // What still runs beside a dead life is left where it stands before anything else begins.
                    self.stop();
                    return Ok((Some(request), true));
                }
            }
        }
        Ok((None, is_changed))
    }

    /// As Ctrl-C does: the life ends what it began.
    fn stop(&mut self) {
        if let Some(stop) = &self.stage.stop {
            let _ = stop.send(true);
            self.scene.company = Company::Stops;
        }
    }

    /// I-267. Asks aside, so that the screen goes on meanwhile.
    fn foresee(&mut self, playbook: Option<String>) {
        self.questions += 1;
        self.scene.foreseen = None;
        let (number, which, answer) = (self.questions, self.stage.which.clone(), self.answer.clone());
        self.handle.spawn(async move {
            let foreseen = async {
                let book: Option<BookChoice> =
                    playbook.map(|text| text.trim().parse()).transpose().map_err(eyre::Report::msg)?;
                SuccessorArguments::of(which)?.foresee(book).await
            };
            let _ = answer.send((number, Witness::of(foreseen.await)));
        });
    }

    fn hear_answers(&mut self) -> bool {
        let newest = self.answers.try_iter().filter(|(number, _)| *number == self.questions).last();
        let is_new = newest.is_some();
        if let Some((_, told)) = newest {
            self.scene.foreseen = Some(told);
        }
        is_new
    }
}
