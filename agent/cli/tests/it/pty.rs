//! A pseudo terminal with `bardo` in it, and what a person would see there.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::process::{Command, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcgetattr, tcsetwinsize};

use crate::bardo::Beside;

/// How long anything may take to appear.
const PATIENCE: Duration = Duration::from_secs(90);

/// A terminal and the program in it.
pub(crate) struct Pty {
    master: File,
    /// Held open, so that its settings can be looked at behind the program's end.
    slave: File,
    child: Beside,
    heard: Arc<(Mutex<Vec<u8>>, Condvar)>,
    listener: JoinHandle<()>,
    size: (u16, u16),
    before: String,
}

impl Pty {
    pub(crate) fn open(command: Command, width: u16, height: u16) -> Self {
        let Pair { master, slave } = Pair::open(width, height);
        let before = settings(&slave);
        let child = start(command, &slave);
        let heard = Arc::new((Mutex::new(Vec::new()), Condvar::new()));
        let (mut ear, kept) = (master.try_clone().expect("a copy"), heard.clone());
        let listener = std::thread::spawn(move || {
            let mut bytes = [0; 4_096];
            while let Ok(count @ 1..) = ear.read(&mut bytes) {
                kept.0.lock().expect("nobody panics").extend_from_slice(&bytes[..count]);
                kept.1.notify_all();
            }
        });
        Self { master, slave, child, heard, listener, size: (width, height), before }
    }

    pub(crate) fn id(&self) -> u64 {
        self.child.0.id().into()
    }

    pub(crate) fn press(&mut self, keys: &str) {
        self.master.write_all(keys.as_bytes()).expect("heard");
    }

    pub(crate) fn resize(&mut self, width: u16, height: u16) {
        self.size = (width, height);
        resize(&self.slave, width, height);
    }

    /// Waits until the screen shows something that is found in it.
    pub(crate) fn see<T>(&self, what: &str, found: impl Fn(&Screen) -> Option<T>) -> T {
        let deadline = Instant::now() + PATIENCE;
        let mut bytes = self.heard.0.lock().expect("nobody panics");
        loop {
            let screen = Screen::after(&bytes, self.size);
            if let Some(value) = found(&screen) {
                return value;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "{what} is not seen:\n{}\nbehind it:\n{}", screen.text(), screen.behind);
            bytes = self.heard.1.wait_timeout(bytes, left.min(Duration::from_millis(500))).expect("nobody panics").0;
        }
    }

    pub(crate) fn see_words(&self, words: &str) -> String {
        self.see(words, |screen| Some(screen.text()).filter(|text| text.contains(words)))
    }

    /// Waits for its end: the exit code, and what stands on the terminal behind the screen. The terminal is as it was.
    pub(crate) fn ended(self) -> (Option<i32>, String) {
        let Self { slave, mut child, heard, listener, size, before, .. } = self;
        let code = child.0.wait().expect("ended").code();
        assert_eq!(settings(&slave), before, "the terminal is given back as it was");
        // With its last end closed the terminal has nothing more to say than it has said.
        drop(slave);
        listener.join().expect("it listened");
        let screen = Screen::after(&heard.0.lock().expect("nobody panics"), size);
        assert!(!screen.is_alternate, "the screen is left");
        (code, screen.behind)
    }
}

/// Takes the terminal away as soon as a screen shows these words, as a lost connection does, and answers what the program in it
/// ended with.
pub(crate) fn vanish(command: Command, words: &str) -> Option<i32> {
    let Pair { mut master, slave } = Pair::open(80, 24);
    let mut child = start(command, &slave);
    let (mut heard, mut bytes) = (Vec::new(), [0; 4_096]);
    while !Screen::after(&heard, (80, 24)).text().contains(words) {
        let count = master.read(&mut bytes).expect("it speaks");
        heard.extend_from_slice(&bytes[..count]);
    }
    drop((master, slave));
    child.0.wait().expect("ended").code()
}

/// The two ends of a terminal.
struct Pair {
    master: File,
    slave: File,
}

impl Pair {
    fn open(width: u16, height: u16) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).expect("a terminal");
        grantpt(&master).and_then(|()| unlockpt(&master)).expect("a terminal of our own");
        let name = ptsname(&master, Vec::new()).expect("a name");
        let name = std::ffi::OsStr::from_bytes(name.to_bytes());
        let slave = File::options().read(true).write(true).open(name).expect("its other end");
        resize(&slave, width, height);
        Self { master: File::from(master), slave }
    }
}

fn start(mut command: Command, slave: &File) -> Beside {
    let end = || Stdio::from(slave.try_clone().expect("a copy"));
    command.env_remove("NO_COLOR").env("TERM", "xterm-256color").stdin(end()).stdout(end()).stderr(end());
    let child = Beside(command.spawn().expect("starts"));
    // What the command holds of the terminal would keep it from being taken away.
    drop(command);
    child
}

fn resize(slave: &File, width: u16, height: u16) {
    tcsetwinsize(slave, Winsize { ws_row: height, ws_col: width, ws_xpixel: 0, ws_ypixel: 0 }).expect("resized");
}

/// How a terminal handles what is typed and shown.
fn settings(slave: &File) -> String {
    let termios = tcgetattr(slave).expect("a terminal");
    format!("{:?} {:?} {:?}", termios.input_modes, termios.output_modes, termios.local_modes)
}

/// What a terminal shows: as much of its language as a screen speaks.
pub(crate) struct Screen {
    rows: Vec<Vec<char>>,
    /// As the last frame that was drawn whole left it.
    whole: Vec<Vec<char>>,
    at: (usize, usize),
    is_alternate: bool,
    /// Text that was written while no screen had the terminal.
    behind: String,
}

impl Screen {
    fn after(bytes: &[u8], (width, height): (u16, u16)) -> Self {
        let rows = vec![vec![' '; width.into()]; height.into()];
        let whole = rows.clone();
        let mut screen = Self { rows, whole, at: (0, 0), is_alternate: false, behind: String::new() };
        let text = String::from_utf8_lossy(bytes);
        let mut signs = text.chars();
        while let Some(sign) = signs.next() {
            match sign {
                '\u{1b}' => {
                    if signs.next() == Some('[') {
                        let said: String = signs.by_ref().take_while_inclusive(|sign| sign.is_ascii_alphabetic());
                        screen.obey(&said);
                    }
                }
                _ if !screen.is_alternate => screen.behind.push(sign),
                _ => screen.put(sign),
            }
        }
        screen
    }

    fn obey(&mut self, said: &str) {
        let (numbers, verb) = said.split_at(said.len().saturating_sub(1));
        let number = |at: usize| numbers.split(';').nth(at).and_then(|text| text.parse().ok()).unwrap_or(1_usize);
        match verb {
            "h" if numbers == "?1049" => self.is_alternate = true,
            "l" if numbers == "?1049" => self.is_alternate = false,
            "l" if numbers == "?2026" => self.whole.clone_from(&self.rows),
            "H" => self.at = (number(0) - 1, number(1) - 1),
            "J" => self.rows.iter_mut().for_each(|row| row.fill(' ')),
            _ => {}
        }
    }

    fn put(&mut self, sign: char) {
        if let Some(cell) = self.rows.get_mut(self.at.0).and_then(|row| row.get_mut(self.at.1)) {
            *cell = sign;
        }
        self.at.1 += 1;
    }

    pub(crate) fn text(&self) -> String {
        self.whole.iter().map(|row| row.iter().collect::<String>() + "\n").collect()
    }
}

/// The standard library has no iterator that ends behind the first that fits.
trait TakeWhileInclusive: Iterator<Item = char> + Sized {
    fn take_while_inclusive(self, is_last: impl Fn(char) -> bool) -> String {
        let mut taken = String::new();
        for sign in self {
            taken.push(sign);
            if is_last(sign) {
                break;
            }
        }
        taken
    }
}

impl<I: Iterator<Item = char>> TakeWhileInclusive for I {}
