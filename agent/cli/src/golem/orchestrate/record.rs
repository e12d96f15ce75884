//! What happened in a succession, line by line: `succession.jsonl` in the dead Golem's folder. Its file of events ended with
//! its last pass.

use std::io::Write as _;

use golem_edge::files;
use golem_inheritance::succession::machine::State;
use golem_primitives::UtcTime;
use serde_json::json;

use crate::golem::home::Folder;

/// How an event of a succession that stands there is called.
const fn name(state: &State) -> &'static str {
    match state {
        State::Running { .. } => "succession.step",
        State::Waiting { .. } => "succession.waiting",
        State::Halted { .. } => "succession.halted",
        State::Done { .. } => "succession.done",
        State::Cancelled(_) => "succession.ended",
    }
}

/// I-284. Writes down where a succession stands now. What cannot be written is told: the succession itself has its file.
pub(super) fn record(dead: &Folder, state: &State, words: &str, now: UtcTime) {
    write(dead, json!({ "time": now, "name": name(state), "golem": dead.name(), "words": words, "data": state }));
}

/// I-284. Writes down why one could not begin or go on.
pub(super) fn record_failure(dead: &Folder, words: &str, now: UtcTime) {
    write(dead, json!({ "time": now, "name": "succession.failed", "golem": dead.name(), "words": words }));
}

fn write(dead: &Folder, line: serde_json::Value) {
    let path = dead.path().join("succession.jsonl");
    let appended = files::append(&path).map_err(std::io::Error::from);
    if let Err(error) = appended.and_then(|mut file| writeln!(file, "{line}")) {
        tracing::warn!(path = %path.display(), %error, "a succession's event was not written");
    }
}

#[cfg(test)]
mod tests {
    use golem_inheritance::individuation::Stillborn;
    use golem_inheritance::succession::machine::{Halt, SuccessionStep};
    use golem_primitives::Usdc;
    use serde_json::Value;

    use super::*;
    use crate::golem::home::Home;

    /// I-284: a succession that halts leaves an event that says where and why; so does one that could not begin.
    #[test]
    fn i_284_a_halt_is_an_event() {
        let dir = tempfile::tempdir().expect("a folder");
        let dead = Home::at(dir.path()).golem_folder("ada").expect("a name");
        std::fs::create_dir_all(dead.path()).expect("made");
        let now = UtcTime::from_seconds(7);
        let unfunded = State::Halted { step: SuccessionStep::Fund, why: Halt::Unfunded { missing: Usdc::whole(3) } };
        let unmeasured = State::Halted { step: SuccessionStep::Compare, why: Halt::Gate(Stillborn::Unmeasured) };
        for state in [State::BEGIN, unfunded, unmeasured] {
            record(&dead, &state, &crate::golem::orchestrate::words(&state), now);
        }
        record_failure(&dead, "no mandate", now);
        let text = std::fs::read_to_string(dead.path().join("succession.jsonl")).expect("written");
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let names: Vec<&str> = lines.iter().map(|line| line["name"].as_str().expect("a name")).collect();
        assert_eq!(names, ["succession.step", "succession.halted", "succession.halted", "succession.failed"]);
        assert!(lines[1]["words"].as_str().is_some_and(|words| words.contains("3")), "{text}");
        assert_eq!((&lines[2]["data"]["halted"]["step"], &lines[3]["golem"]), (&"compare".into(), &"ada".into()));
    }
}
