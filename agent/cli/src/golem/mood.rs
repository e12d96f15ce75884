//! `bardo mind mood`: what moves a Golem, and what that does to its decisions.

use std::process::ExitCode;

use clap::Args;
use eyre::{Result, eyre};
use golem_core::affect::Affect;
use golem_core::life::Life;
use golem_daimon::event::public_mood;
use golem_daimon::feeling::Felt;
use golem_mortality::behaviour::Behaviour;
use golem_primitives::Ppm;
use serde_json::{Value, json};

use super::grimoire::Whose;
use super::look;
use crate::screen;

/// What `mood` takes.
#[derive(Debug, Args)]
pub(crate) struct MoodArguments {
    #[command(flatten)]
    whose: Whose,
    /// A JSON object instead of tables.
    #[arg(long)]
    json: bool,
}

impl MoodArguments {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let (folder, reader) = self.whose.reader()?;
        let life = look::life(&reader)?;
        let affect = life.affect().ok_or_else(|| {
            eyre!(
                "{} has no moods; write `mode = \"rules\"` under [daimon] of its golem.toml and let it live",
                folder.name()
            )
        })?;
        let picture = picture(folder.name(), &life, affect);
        if self.json {
            println!("{}", serde_json::to_string_pretty(&picture)?);
        } else {
            show(&picture);
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Everything the owner may see; functional state, no claim of feeling.
fn picture(name: &str, life: &Life, affect: &Affect) -> Value {
    // Its own time, not the machine's: a stopped life is as old as its last tick.
    let (tick, now) = (life.tick(), life.vitals().vitality().last_computed);
    let (daimon, mood, influence) = (affect.daimon(), affect.mood(now), affect.influence(tick, now));
    let phase = life.vitals().phase();
    let axes = |pad: golem_daimon::Pad| json!({ "pleasure": pad.pleasure(), "arousal": pad.arousal(), "dominance": pad.dominance() });
    let felt = |felt: Felt| {
        json!({
            "tick": felt.tick, "time": felt.at, "event": felt.trigger.name(), "emotion": felt.feeling.primary.name(),
            "degree": felt.feeling.degree.name(), "intensity": felt.feeling.intensity.as_f64(), "pad": axes(felt.feeling.pad),
        })
    };
    json!({
        "golem": name,
        "life": look::standing(life),
        "tick": tick,
        "mode": if !affect.law().is_on() { "off" } else if affect.asks_model() { "model" } else { "rules" },
        "personality": { "disposition": daimon.personality().disposition().name(), "baseline": axes(daimon.personality().baseline()) },
        "mood": { "label": public_mood(mood).name(), "pad": axes(mood) },
        "grief_ticks_left": daimon.grief(tick).map_or(0, |grief| grief.ticks_left(tick)),
        "is_helpless": daimon.is_helpless(),
        "recent": daimon.recent().map(felt).collect::<Vec<_>>(),
        "influence": {
            "risk": influence.risk_within(phase, Ppm::ONE).as_f64(),
            "risk_by_phase": Behaviour::of(phase).risk_within(Ppm::ONE).as_f64(),
            "risk_factor": influence.risk,
            "exploitation": influence.beta(1.0),
            "sharing_threshold": life.sharing().threshold.as_f64(),
            "sharing_by_law": life.sharing().by_law.as_f64(),
            "sharing_relief": influence.sharing_relief,
            "safety_margin": influence.safety_margin.as_f64(),
        },
    })
}

fn show(picture: &Value) {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let number = |value: &Value| format!("{:.3}", value.as_f64().unwrap_or_default());
    let pad = |value: &Value| {
        let axis = |name: &str| format!("{:+.3}", value[name].as_f64().unwrap_or_default());
        format!("pleasure {}, arousal {}, dominance {}", axis("pleasure"), axis("arousal"), axis("dominance"))
    };
    let (mood, personality, influence) = (&picture["mood"], &picture["personality"], &picture["influence"]);
    let mut rows = vec![
        vec!["mood".to_owned(), format!("{} ({})", text(&mood["label"]), pad(&mood["pad"]))],
        vec![
            "personality".to_owned(),
            format!("{} (rests at {})", text(&personality["disposition"]), pad(&personality["baseline"])),
        ],
        vec!["appraised by".to_owned(), text(&picture["mode"])],
        vec![
            "risk taken".to_owned(),
            format!("{} of {} the phase gives", number(&influence["risk"]), number(&influence["risk_by_phase"])),
        ],
        vec!["exploitation".to_owned(), number(&influence["exploitation"])],
        vec![
            "gives away".to_owned(),
            format!(
                "knowledge from {} on, by the law alone from {}",
                number(&influence["sharing_threshold"]),
                number(&influence["sharing_by_law"])
            ),
        ],
    ];
    if picture["grief_ticks_left"] != 0 {
        rows.push(vec!["grief".to_owned(), format!("{} ticks left", picture["grief_ticks_left"])]);
    }
    screen::table(
        &format!("{}, {} at tick {}", text(&picture["golem"]), text(&picture["life"]), picture["tick"]),
        &rows,
    );
    let recent: Vec<Vec<String>> = picture["recent"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|felt| {
            vec![
                format!("tick {}", felt["tick"]),
                text(&felt["event"]),
                format!("{} {}", text(&felt["degree"]), text(&felt["emotion"])),
                number(&felt["intensity"]),
            ]
        })
        .collect();
    if !recent.is_empty() {
        screen::table("appraised of late", &recent);
    }
}
