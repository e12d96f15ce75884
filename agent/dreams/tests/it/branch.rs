use std::time::Duration;

use golem_dreams::CycleId;
use golem_dreams::branch::{Branch, DreamTool};
use golem_dreams::words::{Tier, Trigger};

fn branch(trigger: Trigger, tier: Tier) -> Branch {
    Branch::fork(CycleId(17), trigger, tier, Duration::from_secs(1_800))
}

/// D-179, D-180, D-021: a named fork with its turns, its time and no power.
#[test]
fn d_180_a_dream_is_a_forked_branch() {
    let full = branch(Trigger::Window, Tier::Hardened);
    assert_eq!(full.name, "dream/cycle-17", "D-179");
    assert_eq!((full.max_turns, full.timeout), (60, Duration::from_secs(1_800)));
    assert!(!full.can_affect_live());
    let last = branch(Trigger::Emergency, Tier::Core);
    assert!(last.max_turns < branch(Trigger::Interval, Tier::Core).max_turns, "D-021: fewer turns");
}

/// D-181, D-182: three readers and nothing else; every other call is refused before anything runs.
#[test]
fn d_182_calls_that_act_are_refused() {
    let names: Vec<&str> = DreamTool::ALL.iter().map(|tool| tool.name()).collect();
    assert_eq!(names, ["query_grimoire", "query_state", "search_context"], "D-181");
    let branch = branch(Trigger::Window, Tier::Hardened);
    for name in names {
        assert!(branch.route(name).is_ok(), "{name}");
    }
    for name in ["preview_action", "commit_action", "emergency_halt", "Query_State", "", "query_state; commit_action"] {
        let refused = branch.route(name).expect_err(name);
        assert!(refused.to_string().contains("it reads and it reports"), "{refused}");
    }
}
