//! Where one looks, and what a key does.

use golem_view::Witness;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Size;

use crate::Ink;
use crate::frame;
use crate::memorial::OPTIONS;
use crate::scene::{Company, HeirDraft, Scene};
use crate::wizard::HeirForm;

/// On less than this a screen shows one sentence.
pub(crate) const LEAST_WIDTH: u16 = 60;
pub(crate) const LEAST_HEIGHT: u16 = 16;

/// What only the one behind the screen can do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScreenRequest {
    /// Close the screen; of a life that this process lives: stop it.
    Close,
    /// I-266, I-267. Find out what a successor would be given and inherit, with this book where one is named.
    Foresee(Option<String>),
    /// I-268. Raise it.
    Summon(HeirDraft),
    /// I-264. Begin a new line.
    StartFresh,
}

/// A page of a life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Page {
    #[default]
    Overview,
    Rules,
    Trades,
    Mind,
    Log,
}

impl Page {
    pub(crate) const ALL: [Self; 5] = [Self::Overview, Self::Rules, Self::Trades, Self::Mind, Self::Log];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Overview => "overview",
            Self::Rules => "rules",
            Self::Trades => "trades",
            Self::Mind => "mind",
            Self::Log => "log",
        }
    }

    fn beside(self, by: usize) -> Self {
        Self::ALL[(self as usize + by) % Self::ALL.len()]
    }
}

/// What of a memorial is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Memory {
    /// I-260. The stone and its four options.
    #[default]
    Stone,
    /// I-262. The testament.
    Reflection,
    /// I-263. The dead of its line.
    Graveyard,
    /// The testament of the one that was chosen there.
    Grave,
    /// I-266. The wizard.
    Wizard,
    /// The pages of its life.
    Life,
}

/// Where one looks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ui {
    pub(crate) ink: Ink,
    pub(crate) page: Page,
    pub(crate) memory: Memory,
    pub(crate) is_helping: bool,
    /// Lines that are scrolled past; on the log counted from its end.
    pub(crate) scroll: usize,
    /// The option, or the grave, that is chosen.
    pub(crate) chosen: usize,
    pub(crate) form: Option<HeirForm>,
}

impl Ui {
    /// A screen that was just opened.
    #[must_use]
    pub const fn new(ink: Ink) -> Self {
        let (page, memory) = (Page::Overview, Memory::Stone);
        Self { ink, page, memory, is_helping: false, scroll: 0, chosen: 0, form: None }
    }

    /// Whether the pages of a life are shown, and not what is left of it.
    pub(crate) fn shows_life(&self, scene: &Scene) -> bool {
        scene.memorial.is_none() || self.memory == Memory::Life
    }

    /// Takes in that the wizard's answers came: its fields are filled in once.
    pub fn settle(&mut self, scene: &Scene) {
        if let (Memory::Wizard, None, Some(Witness::Tells(foreseen))) = (self.memory, &self.form, &scene.foreseen) {
            self.form = Some(HeirForm::filled(&foreseen.usual));
        }
    }

    /// What a key does. What the screen cannot do itself is asked for.
    pub fn press(&mut self, key: KeyEvent, scene: &Scene, size: Size) -> Option<ScreenRequest> {
        self.settle(scene);
        let is_held = key.modifiers.contains(KeyModifiers::CONTROL);
        if is_held && matches!(key.code, KeyCode::Char('c')) {
            return Some(ScreenRequest::Close);
        }
        if is_held || scene.company == Company::Stops {
            return None;
        }
        if self.is_helping {
            self.is_helping = false;
            return (key.code == KeyCode::Char('q')).then_some(ScreenRequest::Close);
        }
        if !self.shows_life(scene) && self.memory == Memory::Wizard {
            return self.press_in_wizard(key.code, scene);
        }
        match key.code {
            KeyCode::Char('q') => return Some(ScreenRequest::Close),
            KeyCode::Char('?') => self.is_helping = true,
            _ if self.shows_life(scene) => self.press_on_page(key.code, scene, size),
            code => return self.press_at_memorial(code, scene, size),
        }
        None
    }

    fn press_on_page(&mut self, code: KeyCode, scene: &Scene, size: Size) {
        let to = match code {
            KeyCode::Char(digit @ '1'..='5') => Page::ALL[usize::from(digit as u8 - b'1')],
            KeyCode::Tab | KeyCode::Right => self.page.beside(1),
            KeyCode::BackTab | KeyCode::Left => self.page.beside(Page::ALL.len() - 1),
            KeyCode::Char('m') | KeyCode::Esc if scene.memorial.is_some() => return self.remember(Memory::Stone),
            _ => return self.scroll(code, scene, size),
        };
        (self.page, self.scroll) = (to, 0);
    }

    fn press_at_memorial(&mut self, code: KeyCode, scene: &Scene, size: Size) -> Option<ScreenRequest> {
        let graves = scene.memorial.as_ref().map_or(0, |memorial| memorial.graves.len());
        match (self.memory, code) {
            (Memory::Stone, KeyCode::Char('l') | KeyCode::Tab) => self.remember(Memory::Life),
            (Memory::Stone, KeyCode::Char(digit @ '1'..='4')) => {
                self.chosen = usize::from(digit as u8 - b'1');
                return self.choose();
            }
            (Memory::Stone, KeyCode::Enter) => return self.choose(),
            (Memory::Stone | Memory::Graveyard, KeyCode::Up) => self.chosen = self.chosen.saturating_sub(1),
            (Memory::Stone, KeyCode::Down) => self.chosen = (self.chosen + 1).min(OPTIONS.len() - 1),
            (Memory::Graveyard, KeyCode::Down) => self.chosen = (self.chosen + 1).min(graves.saturating_sub(1)),
            // The grave that was chosen stays so.
            (Memory::Graveyard, KeyCode::Enter) if graves > 0 => (self.memory, self.scroll) = (Memory::Grave, 0),
            (Memory::Grave, KeyCode::Esc | KeyCode::Backspace) => (self.memory, self.scroll) = (Memory::Graveyard, 0),
            (Memory::Reflection | Memory::Graveyard, KeyCode::Esc | KeyCode::Backspace) => self.remember(Memory::Stone),
            (Memory::Reflection | Memory::Grave, code) => self.scroll(code, scene, size),
            _ => {}
        }
        None
    }

    /// I-261. One of the four.
    fn choose(&mut self) -> Option<ScreenRequest> {
        match self.chosen {
            0 => {
                (self.memory, self.scroll, self.form) = (Memory::Wizard, 0, None);
                return Some(ScreenRequest::Foresee(None));
            }
            1 => self.remember(Memory::Reflection),
            2 => self.remember(Memory::Graveyard),
            _ => return Some(ScreenRequest::StartFresh),
        }
        None
    }

    fn remember(&mut self, what: Memory) {
        (self.memory, self.scroll, self.chosen) = (what, 0, 0);
    }

    fn press_in_wizard(&mut self, code: KeyCode, scene: &Scene) -> Option<ScreenRequest> {
        if code == KeyCode::Esc {
            self.form = None;
            self.remember(Memory::Stone);
            return None;
        }
        match (&mut self.form, &scene.foreseen) {
            (Some(form), Some(Witness::Tells(foreseen))) => form.press(code, foreseen),
            // Nothing can be filled in before it is known; what failed may be tried again.
            (_, Some(Witness::Fails(_))) if code == KeyCode::Enter => Some(ScreenRequest::Foresee(None)),
            _ => None,
        }
    }

    fn scroll(&mut self, code: KeyCode, scene: &Scene, size: Size) {
        let most = frame::scrollable(scene, self, size);
        let page = usize::from(size.height.saturating_sub(4)).max(1);
        let (up, down) = match code {
            KeyCode::Up => (1, 0),
            KeyCode::Down => (0, 1),
            KeyCode::PageUp => (page, 0),
            KeyCode::PageDown | KeyCode::Char(' ') => (0, page),
            KeyCode::Home => (usize::MAX, 0),
            KeyCode::End => (0, usize::MAX),
            _ => return,
        };
        // The log is read from its end.
        let is_log = self.shows_life(scene) && self.page == Page::Log;
        let (more, less) = if is_log { (up, down) } else { (down, up) };
        self.scroll = self.scroll.min(most).saturating_add(more).min(most).saturating_sub(less);
    }
}
