//! Which room may lean on which.

use std::process::Command;

use eyre::{Result, WrapErr};
use serde_json::Value;

use crate::repo;

/// The pure rooms in the order of the catalogues; each may lean on those before it.
const PURE: [&str; 9] =
    ["primitives", "settings", "mortality", "daimon", "suffering", "grimoire", "playbook", "dreams", "inheritance"];
/// What the pure layer must not know: a runtime, a database, a provider, a wire format.
const FOREIGN_TO_PURE: [&str; 7] = ["tokio", "rusqlite", "alloy", "reqwest", "serde_json", "axum", "tracing"];

/// The rooms a room may lean on.
fn allowed(room: &str) -> Option<Vec<&'static str>> {
    if let Some(place) = PURE.iter().position(|pure| *pure == room) {
        return Some(PURE[..place].to_vec());
    }
    let with_pure = |more: &[&'static str]| PURE.iter().chain(more).copied().collect::<Vec<_>>();
    Some(match room {
        "core" => with_pure(&[]),
        // Knowledge and dreams cross the waist in the words of their laws: a second set of types would only be copied to
        // and fro.
        "ports" => vec!["primitives", "daimon", "grimoire", "dreams", "core"],
        // Files and wires are nobody's law: whoever touches the machine does it through this room.
        "edge" => vec![],
        "chain" | "x402" => vec!["primitives", "core", "ports", "edge"],
        // What a relay lets through, keeps and forgets is the Clade's law.
        "relay" => vec!["primitives", "grimoire", "inheritance", "ports", "edge"],
        // What a dream asks and may be told is the dream's to say.
        "inference" => vec!["primitives", "settings", "dreams", "core", "ports", "edge"],
        "store" => vec!["primitives", "daimon", "grimoire", "dreams", "core", "ports", "edge"],
        // The death protocol writes down what the laws of inheritance and of the hand say; their types are the format.
        "runtime" => vec!["primitives", "grimoire", "playbook", "dreams", "inheritance", "core", "ports", "edge"],
        "sim" => with_pure(&["core", "ports", "runtime"]),
        "devnet" => vec!["primitives", "edge"],
        // What is shown is said in the words of the laws it is of.
        "view" => with_pure(&["core"]),
        "tui" | "web" => vec!["primitives", "view", "ports"],
        // The page's questions, guard and source are the assistant's too.
        "mcp" => vec!["view", "web"],
        "cli" => with_pure(&[
            "core",
            "ports",
            "edge",
            "chain",
            "inference",
            "store",
            "relay",
            "x402",
            "runtime",
            "sim",
            "devnet",
            "view",
            "tui",
            "web",
            "mcp",
        ]),
        _ => return None,
    })
}

/// Arrows that point the wrong way.
pub(crate) fn problems() -> Result<Vec<String>> {
    let said =
        repo::output(Command::new("cargo").args(["metadata", "--format-version", "1", "--no-deps", "--locked"]))?;
    let metadata: Value = serde_json::from_str(&said).wrap_err("cargo metadata is no JSON")?;
    let packages = metadata["packages"].as_array().cloned().unwrap_or_default();
    Ok(packages.iter().flat_map(check_package).collect())
}

fn check_package(package: &Value) -> Vec<String> {
    let name = package["name"].as_str().unwrap_or_default();
    let Some(room) = name.strip_prefix("golem-") else { return Vec::new() };
    let Some(allowed) = allowed(room) else {
        return vec![format!("{name}: no room of that name in scripts/xtask/src/arrows.rs; add it with its arrows")];
    };
    let is_pure = PURE.contains(&room) || room == "core";
    let empty = Vec::new();
    let dependencies = package["dependencies"].as_array().unwrap_or(&empty);
    // Tests may lean on anything; what ships may not.
    let shipped = dependencies.iter().filter(|dependency| dependency["kind"].is_null());
    let names = shipped.filter_map(|dependency| dependency["name"].as_str());
    names.filter_map(|dependency| complaint(name, dependency, &allowed, is_pure)).collect()
}

fn complaint(name: &str, dependency: &str, allowed: &[&str], is_pure: bool) -> Option<String> {
    match dependency.strip_prefix("golem-") {
        Some(room) if !allowed.contains(&room) => Some(format!("{name} must not depend on {dependency}")),
        None if is_pure && FOREIGN_TO_PURE.contains(&dependency) => {
            Some(format!("{name} is pure and must not know {dependency}"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, dependency: &str, kind: Option<&str>) -> Value {
        serde_json::json!({ "name": name, "dependencies": [{ "name": dependency, "kind": kind }] })
    }

    #[test]
    fn wrong_arrows_are_found_and_right_ones_pass() {
        // (package, dependency, dev, complaints)
        for (name, dependency, kind, complaints) in [
            ("golem-mortality", "golem-primitives", None, 0),
            ("golem-primitives", "golem-mortality", None, 1),
            ("golem-core", "golem-inheritance", None, 0),
            ("golem-core", "golem-store", None, 1),
            ("golem-chain", "golem-store", None, 1),
            ("golem-x402", "golem-chain", None, 1),
            ("golem-x402", "golem-chain", Some("dev"), 0),
            ("golem-web", "golem-core", None, 1),
            ("golem-cli", "golem-devnet", None, 0),
            ("golem-mortality", "tokio", None, 1),
            ("golem-mortality", "tokio", Some("dev"), 0),
            ("golem-core", "serde_json", None, 1),
            ("golem-chain", "tokio", None, 0),
            ("golem-attic", "golem-core", None, 1),
            ("xtask", "serde_json", None, 0),
        ] {
            let found = check_package(&package(name, dependency, kind));
            assert_eq!(found.len(), complaints, "{name} -> {dependency}: {found:?}");
        }
    }
}
