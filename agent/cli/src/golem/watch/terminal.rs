//! A terminal that is borrowed and given back as it was, whatever ends the screen.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufRead as _, BufReader, PipeReader, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use eyre::{Result, WrapErr, ensure};
use golem_tui::ratatui::backend::CrosstermBackend;
use golem_tui::ratatui::crossterm::cursor::{Hide, Show};
use golem_tui::ratatui::crossterm::execute;
use golem_tui::ratatui::crossterm::terminal::{
    BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
    disable_raw_mode, enable_raw_mode,
};
use golem_tui::ratatui::layout::{Rect, Size};
use golem_tui::ratatui::{Frame, Terminal, TerminalOptions, Viewport};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::stdio::{dup2_stderr, dup2_stdout};

use crate::screen;

/// Lines that were said meanwhile and are shown when the terminal is given back.
const MOST_LINES: usize = 200;

/// The terminal, drawn on. Dropping it gives it back, also when a panic unwinds.
pub(super) struct Canvas {
    terminal: Terminal<CrosstermBackend<File>>,
    tty: File,
    size: Size,
    said: Aside,
}

impl Canvas {
    pub(super) fn open() -> Result<Self> {
        let tty =
            File::from(std::io::stdout().as_fd().try_clone_to_owned().wrap_err("the terminal cannot be drawn on")?);
        let size = size_of(&tty)?;
        let viewport = Viewport::Fixed(Rect::from(((0, 0).into(), size)));
        let backend = CrosstermBackend::new(tty.try_clone()?);
        let terminal = Terminal::with_options(backend, TerminalOptions { viewport })?;
        let said = Aside::begin()?;
        // From here on dropping it gives back what was taken.
        let mut canvas = Self { terminal, tty, size, said };
        screen::leave_colours(true);
        enable_raw_mode().wrap_err("the terminal does not hand over its keys")?;
        execute!(canvas.tty, EnterAlternateScreen, Hide, Clear(ClearType::All))?;
        Ok(canvas)
    }

    pub(super) fn draw(&mut self, paint: impl FnOnce(&mut Frame<'_>)) -> Result<()> {
        let now = size_of(&self.tty)?;
        if now != self.size {
            self.size = now;
            self.terminal.resize(Rect::from(((0, 0).into(), now)))?;
        }
        // A terminal that knows how shows a frame whole or not at all.
        execute!(self.tty, BeginSynchronizedUpdate)?;
        let drawn = self.terminal.draw(paint).map(drop);
        execute!(self.tty, EndSynchronizedUpdate)?;
        Ok(drawn?)
    }

    /// Waits for keys, for so long at most; answers whether there are any. A terminal that went away is an error: whoever asked
    /// it for keys would be told for ever that there are some.
    pub(super) fn has_keys(&self, wait: Timespec) -> Result<bool> {
        let keys = std::io::stdin();
        let mut asked = [PollFd::new(&keys, PollFlags::IN)];
        match poll(&mut asked, Some(&wait)) {
            Ok(_) => {}
            Err(Errno::INTR) => return Ok(false),
            Err(error) => return Err(error).wrap_err("the terminal cannot be asked for keys"),
        }
        let said = asked[0].revents();
        ensure!(!said.intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL), "the terminal is gone");
        Ok(said.contains(PollFlags::IN))
    }

    /// Whether it is as large as it was when it was last drawn on.
    pub(super) fn is_as_it_was(&self) -> bool {
        size_of(&self.tty).is_ok_and(|now| now == self.size)
    }

    /// How large it was when it was last drawn on.
    pub(super) const fn size(&self) -> Size {
        self.size
    }

    /// The last thing that was said on standard output or error since the screen has the terminal.
    pub(super) fn last_said(&self) -> Option<String> {
        self.said.lines.lock().unwrap_or_else(PoisonError::into_inner).back().cloned()
    }
}

impl Drop for Canvas {
    fn drop(&mut self) {
        let _ = execute!(self.tty, LeaveAlternateScreen, Show);
        let _ = disable_raw_mode();
        screen::leave_colours(false);
        self.said.end();
    }
}

fn size_of(tty: &File) -> Result<Size> {
    let size = rustix::termios::tcgetwinsize(tty).wrap_err("the terminal does not say how large it is")?;
    Ok(Size { width: size.ws_col, height: size.ws_row })
}

/// What others say while the screen has the terminal: kept aside, so that nothing tears it, and told behind it.
struct Aside {
    stdout: OwnedFd,
    stderr: OwnedFd,
    lines: Arc<Mutex<VecDeque<String>>>,
    listener: Option<JoinHandle<()>>,
}

impl Aside {
    fn begin() -> Result<Self> {
        let (reader, writer) = std::io::pipe().wrap_err("there is no pipe to be had")?;
        let stdout = std::io::stdout().as_fd().try_clone_to_owned()?;
        let stderr = std::io::stderr().as_fd().try_clone_to_owned()?;
        let lines = Arc::new(Mutex::new(VecDeque::new()));
        let kept = lines.clone();
        let listener = Some(std::thread::spawn(move || listen(reader, &kept)));
        let aside = Self { stdout, stderr, lines, listener };
        dup2_stdout(&writer).wrap_err("standard output cannot be kept aside")?;
        dup2_stderr(&writer).wrap_err("standard error cannot be kept aside")?;
        Ok(aside)
    }

    fn end(&mut self) {
        let _ = std::io::stdout().flush();
        let _ = dup2_stdout(&self.stdout);
        let _ = dup2_stderr(&self.stderr);
        // The last end of the pipe is closed now, so that its listener comes to an end.
        if let Some(listener) = self.listener.take() {
            let _ = listener.join();
        }
        for line in self.lines.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            eprintln!("{line}");
        }
    }
}

fn listen(reader: PipeReader, lines: &Mutex<VecDeque<String>>) {
    for line in BufReader::new(reader).lines() {
        let Ok(line) = line else { return };
        let mut kept = lines.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == MOST_LINES {
            kept.pop_front();
        }
        kept.push_back(line);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;
    use std::process::{Command, Stdio};

    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    use rustix::termios::{Winsize, tcgetattr, tcsetwinsize};

    use super::*;

    /// Says to this very test that it is the one in the pseudo terminal.
    const INSIDE: &str = "BARDO_TEST_PANICS_ON_A_SCREEN";

    /// O-010: a screen that panics while it draws gives the terminal back as it was, and what broke is told behind it.
    #[test]
    fn o_010_a_panic_on_the_screen_gives_the_terminal_back() {
        if std::env::var_os(INSIDE).is_some() {
            let mut canvas = Canvas::open().expect("a terminal");
            canvas.draw(|_| panic!("the picture broke")).expect("never");
        }
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudo terminal");
        grantpt(&master).expect("granted");
        unlockpt(&master).expect("unlocked");
        let name = ptsname(&master, Vec::new()).expect("a name").into_string().expect("plain");
        let slave = File::options().read(true).write(true).open(name).expect("its other end");
        let size = Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&slave, size).expect("a size");
        let settings = || format!("{:?}", tcgetattr(&slave).expect("settings"));
        let before = settings();
        let end = || Stdio::from(slave.try_clone().expect("a copy"));
        let mut child = Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "golem::watch::terminal::tests::o_010_a_panic_on_the_screen_gives_the_terminal_back"])
            .args(["--nocapture", "--test-threads=1"])
            .env(INSIDE, "1")
            .env_remove("RUST_BACKTRACE")
            .stdin(end())
            .stdout(end())
            .stderr(end())
            .spawn()
            .expect("starts");
        let listener = std::thread::spawn(move || {
            let (mut ear, mut heard) = (File::from(master), Vec::new());
            // Ends with an error when the last one hangs up; what was heard until then counts.
            let _ = ear.read_to_end(&mut heard);
            String::from_utf8_lossy(&heard).into_owned()
        });
        assert!(!child.wait().expect("ended").success(), "it panicked");
        assert_eq!(settings(), before, "keys are read as before");
        drop(slave);
        let heard = listener.join().expect("listened");
        let (_, inside) = heard.split_once("\u{1b}[?1049h").expect("it took the screen");
        let (_, behind) = inside.split_once("\u{1b}[?1049l").expect("it gave the screen back");
        assert!(behind.contains("\u{1b}[?25h"), "the cursor is shown: {behind:?}");
        assert!(behind.contains("the picture broke"), "what broke is told: {behind:?}");
    }
}
