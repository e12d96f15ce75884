//! `bardo mcp` as an assistant starts it: the SDK's own client before the real program and a real life.

use std::path::Path;
use std::process::Stdio;

use rmcp::ServiceExt as _;
use rmcp::model::{CallToolRequestParams, ReadResourceRequestParams, ResourceContents};
use serde_json::{Value, json};

use crate::bardo::{command, run};
use crate::watching::paper;

fn said(dir: &Path, words: &[&str]) -> Value {
    let said = run(dir, &[words, &["--json"]].concat());
    serde_json::from_slice(&said.stdout).unwrap_or_else(|error| panic!("{words:?}: {error}"))
}

/// O-014: an assistant is told of a life that ended what the commands tell, by every tool; nothing it asks changes anything.
#[tokio::test]
async fn o_014_an_assistant_is_told_what_the_commands_tell() {
    let dir = tempfile::tempdir().expect("a folder");
    // So little to live on that it dies, and leaves a testament.
    paper(dir.path(), 400, "3", "0.05");
    let experiments = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/experiments");
    let before = said(dir.path(), &["golem", "status", "eve"]);
    assert_eq!(before["memory"]["life"], "dead", "{before}");

    let mut bardo = tokio::process::Command::from(command(dir.path()));
    bardo.args(["mcp", "--experiments", experiments]).stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
    let mut child = bardo.spawn().expect("starts");
    let line = (child.stdout.take().expect("piped"), child.stdin.take().expect("piped"));
    let client = ().serve(line).await.expect("both speak");
    let told = async |tool: &'static str, arguments: Value| {
        let wanted =
            CallToolRequestParams::new(tool).with_arguments(arguments.as_object().cloned().expect("an object"));
        let told = client.call_tool(wanted).await.unwrap_or_else(|error| panic!("{tool}: {error}"));
        assert_eq!(told.is_error, Some(false), "{tool}: {told:?}");
        told.structured_content.expect("an object")
    };
    let eve = || json!({ "golem": "eve" });
    assert_eq!(told("golems", json!({})).await["found"], said(dir.path(), &["golem", "list"]));
    assert_eq!(told("status", eve()).await["life"], before["memory"]);
    let why = said(dir.path(), &["golem", "why", "eve", "20"]);
    assert_eq!(told("why", json!({ "golem": "eve", "tick": 20 })).await, why);
    let mut trades = said(dir.path(), &["golem", "trades", "eve"]).as_array().cloned().expect("a list");
    trades.reverse();
    assert_eq!(told("trades", eve()).await["found"], Value::Array(trades));
    let profit = told("profit", eve()).await;
    assert_eq!(profit["profit"], before["memory"]["hand"]["profit"]);
    assert_eq!(profit["holding"], before["memory"]["holding"]);
    assert_eq!(told("playbook", eve()).await["book"], said(dir.path(), &["golem", "playbook", "show", "eve"]));
    let known = told("knowledge", eve()).await;
    assert_eq!(known, said(dir.path(), &["mind", "grimoire", "list", "eve"]));
    if let Some(entry) = known["entries"][0]["id"].as_str() {
        let one = told("entry", json!({ "golem": "eve", "entry": entry })).await;
        assert_eq!(one, said(dir.path(), &["mind", "grimoire", "show", "eve", entry]));
    }
    assert_eq!(told("knowledge", json!({ "golem": "eve", "words": "price" })).await["question"], "price");
    assert_eq!(told("lineage", eve()).await["members"], json!([]), "on paper it has no line");
    let testament = told("testament", eve()).await;
    assert!(testament["testament"].as_str().is_some_and(|text| text.starts_with("# ")), "{testament}");
    let all = said(dir.path(), &["experiment", "list", "--folder", experiments]);
    assert_eq!(told("experiments", json!({})).await["found"], all);
    let report = told("experiment", json!({ "name": "e1-death" })).await;
    assert!(
        report["report"]
            .as_str()
            .is_some_and(|text| text.contains(report["experiment"]["question"].as_str().expect("asked")))
    );

    let stone = ReadResourceRequestParams::new("bardo://golems/eve/testament");
    let read = client.read_resource(stone).await.expect("read");
    let Some(ResourceContents::TextResourceContents { text, .. }) = read.contents.first() else { panic!("no text") };
    assert_eq!(Some(text.as_str()), testament["testament"].as_str());
    client.cancel().await.expect("closed");
    assert!(child.wait().await.expect("ended").success(), "who hangs up ends it");
    assert_eq!(said(dir.path(), &["golem", "status", "eve"]), before, "nothing was changed");
}
