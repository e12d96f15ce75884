//! A screen's portrait of a life, and whether it is still like it.

use eyre::Result;
use golem_core::life::Body;
use golem_tui::{Portrait, Scene};
use golem_view::{MoodPicture, StandingPicture, SufferingPicture, TriedRule};

use super::memory;
use crate::golem::home::Folder;
use crate::golem::look;
use crate::golem::onlooker::Onlooker;

/// Who draws one memory.
pub(super) struct Painter {
    folder: Folder,
    known: Option<Onlooker>,
    /// What is wrong with the memory.
    pub(super) trouble: Option<String>,
}

impl Painter {
    pub(super) const fn new(folder: Folder) -> Self {
        Self { folder, known: None, trouble: None }
    }

    /// Looks; answers whether anything is to be shown anew. A memory that cannot be read now is read from its beginning
    /// when it can be.
    pub(super) fn look(&mut self, scene: &mut Scene) -> bool {
        match self.try_look(scene) {
            Ok(is_new) => {
                self.trouble = None;
                is_new
            }
            Err(error) => {
                (self.known, self.trouble) = (None, Some(format!("{error:#}")));
                true
            }
        }
    }

    fn try_look(&mut self, scene: &mut Scene) -> Result<bool> {
        let Self { folder, known, .. } = self;
        if known.is_none() {
            scene.place = folder.place();
            *known = Some(Onlooker::read(folder)?);
        }
        let Some(known) = known else { return Ok(false) };
        let is_new = known.look(folder)?;
        let process = look::holder(folder);
        let shown = scene.portrait.as_ref().map(|portrait| portrait.life.process);
        if !is_new && shown == Some(process) {
            return Ok(false);
        }
        scene.portrait = Some(portrait(known, folder)?);
        if matches!(known.life.body(), Body::Dead(_)) && (is_new || scene.memorial.is_none()) {
            scene.memorial = Some(memory::memorial(folder, &known.life));
        }
        Ok(true)
    }
}

fn portrait(known: &Onlooker, folder: &Folder) -> Result<Portrait> {
    let (life, name) = (&known.life, folder.name());
    let seldom = known.seldom.as_ref();
    Ok(Portrait {
        life: known.picture(folder)?,
        stage: StandingPicture::of(name, life),
        rules: life.trader().map(TriedRule::all).unwrap_or_default(),
        why: known.why(),
        trades: known.trades.iter().cloned().collect(),
        mood: MoodPicture::of(name, life),
        suffering: SufferingPicture::of(name, life),
        dreaming: seldom.and_then(|seldom| seldom.dreaming.clone()),
        dreams: seldom.map(|seldom| seldom.dreams.clone()).unwrap_or_default(),
        history: known.history.clone(),
        log: known.log.iter().map(|(_, line)| line.clone()).collect(),
    })
}
