//! `contracts/abi`: what Rust binds to, written from the compiled contracts and proved fresh.

use std::collections::BTreeMap;
use std::process::Command;

use eyre::{Context, Result, bail};
use serde_json::{Value, json};

use crate::repo;

const ROOM: &str = "contracts/abi";

pub(crate) fn write() -> Result<()> {
    let fresh = compile()?;
    let room = repo::root().join(ROOM);
    std::fs::create_dir_all(&room).wrap_err("cannot make contracts/abi")?;
    for path in committed()? {
        std::fs::remove_file(repo::root().join(&path)).wrap_err_with(|| format!("cannot remove {path}"))?;
    }
    for (name, text) in &fresh {
        std::fs::write(room.join(name), text).wrap_err_with(|| format!("cannot write {name}"))?;
    }
    println!("abi: wrote {} files", fresh.len());
    Ok(())
}

pub(crate) fn check() -> Result<()> {
    let stale = stale()?;
    if stale.is_empty() {
        println!("abi: fresh");
        return Ok(());
    }
    bail!("{}", stale.join("\n"))
}

/// Files that differ from what the contracts compile to.
pub(crate) fn stale() -> Result<Vec<String>> {
    let fresh = compile()?;
    let mut problems = Vec::new();
    for (name, text) in &fresh {
        let path = format!("{ROOM}/{name}");
        if repo::text(&path).as_ref() != Some(text) {
            problems.push(format!("{path} is stale; run `cargo xtask abi`"));
        }
    }
    for path in committed()? {
        let name = path.rsplit('/').next().unwrap_or_default();
        if !fresh.contains_key(name) {
            problems.push(format!("{path} belongs to no contract; run `cargo xtask abi`"));
        }
    }
    Ok(problems)
}

fn committed() -> Result<Vec<String>> {
    Ok(repo::files()?.into_iter().filter(|path| path.starts_with(ROOM) && path.ends_with(".json")).collect())
}

/// Name and text of each file: the ABI of every interface and contract, with the creation code of what is deployed.
fn compile() -> Result<BTreeMap<String, String>> {
    repo::output(Command::new(repo::tool("forge")).args(["build", "contracts"]))?;
    let mut files = BTreeMap::new();
    let is_bound = |path: &&String| {
        path.starts_with("contracts/")
            && path.ends_with(".sol")
            && !path.contains("/libraries/")
            && !path.contains("/types/")
    };
    for path in repo::files()?.iter().filter(is_bound) {
        let room = repo::root().join("out").join(path.rsplit('/').next().unwrap_or_default());
        let entries = std::fs::read_dir(&room).wrap_err_with(|| format!("{path} compiles to nothing"))?;
        for entry in entries {
            let artifact = entry.wrap_err_with(|| format!("cannot list {}", room.display()))?.path();
            let text =
                std::fs::read_to_string(&artifact).wrap_err_with(|| format!("cannot read {}", artifact.display()))?;
            let json: Value =
                serde_json::from_str(&text).wrap_err_with(|| format!("{} is torn", artifact.display()))?;
            // A contract that was renamed leaves its old artifact behind; the compiler's own word decides.
            let target = &json["metadata"]["settings"]["compilationTarget"][path.as_str()];
            if let Some(name) = target.as_str() {
                files.insert(format!("{name}.json"), render(&json));
            }
        }
    }
    Ok(files)
}

fn render(artifact: &Value) -> String {
    let code = artifact["bytecode"]["object"].as_str().unwrap_or("0x");
    let mut out = json!({ "abi": artifact["abi"] });
    if code.len() > 2 {
        out["bytecode"] = json!(code);
    }
    let mut text = serde_json::to_string_pretty(&out).expect("JSON stays JSON");
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interface_has_no_code_and_a_contract_has() {
        let interface = render(&json!({ "abi": [], "bytecode": { "object": "0x" } }));
        assert!(!interface.contains("bytecode"));
        let contract = render(&json!({ "abi": [], "bytecode": { "object": "0x6001" } }));
        assert!(contract.contains("\"bytecode\": \"0x6001\"") && contract.ends_with("}\n"));
    }
}
