//! S-145. What presses on a Golem, what would ease it, and what it closes: functional state, no claim of feeling.

use golem_core::life::Life;
use golem_primitives::Tick;
use golem_suffering::Suffering;
use golem_suffering::action::{Goal, GoalClass};
use golem_suffering::domain::WorkDomain;
use golem_suffering::export::{Export, StressorRow};
use golem_suffering::prompt::bar;
use golem_suffering::stressor::Stressor;

use crate::{Number, picture, standing};

picture! {
    /// Something that presses.
    pub struct PressingPicture {
        what: String = "what",
        bar: String = "how much",
        severity: Number,
        because: String = "because",
        eases_when: String = "eases when",
    }

    /// Something that is over.
    pub struct EasedPicture {
        what: String = "what",
        peak: Number = "peak",
        ended: &'static str = "ended",
        note: String = "note",
    }

    /// Everything its owner may see.
    pub struct SufferingPicture {
        golem: String,
        life: &'static str,
        tick: Tick,
        load: String = "load",
        profile: &'static str = "reading",
        closed: Vec<&'static str> = "closed",
        frozen: Option<String> = "frozen since",
        crisis_cycles: u32 = "cycles in crisis",
        pressing: Vec<PressingPicture>,
        eased: Vec<EasedPicture>,
        /// What stands above a question to a model.
        prompt: Option<String>,
    }
}

impl SufferingPicture {
    /// How many that are over are shown.
    const EASED: usize = 10;

    /// What a life that can suffer suffers, as of its last tick.
    #[must_use]
    pub fn of(golem: &str, life: &Life) -> Option<Self> {
        let pressure = life.pressure()?;
        let (suffering, law) = (&pressure.suffering, pressure.law().unwrap_or_default());
        let eased = Self::export(life)?.resolved_history;
        Some(Self {
            golem: golem.to_owned(),
            life: standing(life),
            tick: life.tick(),
            load: suffering.status(&law),
            profile: pressure.law().map_or("off", |law| law.profile.name()),
            closed: closed(suffering),
            frozen: suffering.frozen_at().map(|at| at.to_string()),
            crisis_cycles: suffering.crisis().cycles(),
            pressing: suffering.active().into_iter().map(pressing).collect(),
            eased: eased.into_iter().rev().take(Self::EASED).map(over).collect(),
            prompt: pressure.prompt(),
        })
    }

    /// S-110. The whole of it, for a file.
    #[must_use]
    pub fn export(life: &Life) -> Option<Export> {
        let pressure = life.pressure()?;
        let law = pressure.law().unwrap_or_default();
        Some(pressure.suffering.export(life.vitals().vitality().last_computed, &law))
    }
}

fn pressing(one: &Stressor) -> PressingPicture {
    PressingPicture {
        what: one.key().to_string(),
        bar: format!("{} {}", bar(one.severity), one.severity),
        severity: Number(one.severity.as_f64()),
        because: format!("{} {}", one.description, one.evidence),
        eases_when: one.condition.text.to_string(),
    }
}

fn over(row: StressorRow) -> EasedPicture {
    EasedPicture {
        what: row.name,
        peak: Number(row.peak_severity),
        ended: row.closure.map_or("", |closure| closure.name()),
        note: row.resolution_note.unwrap_or_default(),
    }
}

/// S-021. Which classes of goals a band closes, where the Golem is in no particular place.
fn closed(suffering: &Suffering) -> Vec<&'static str> {
    let is_closed = |class: &&GoalClass| !suffering.judge(&Goal::new(**class, WorkDomain::default())).is_open();
    GoalClass::ALL.iter().filter(is_closed).map(|class| class.name()).collect()
}
