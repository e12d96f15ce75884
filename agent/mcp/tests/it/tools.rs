//! O-014. What an assistant is offered, and what it is told.

use std::sync::Arc;

use golem_web::Question;
use rmcp::ServiceExt as _;
use rmcp::model::{CallToolRequestParams, CallToolResult, ReadResourceRequestParams, ResourceContents};
use rmcp::service::{RoleClient, RunningService};
use serde_json::{Value, json};

use crate::world::{Parrot, tools};

async fn assistant() -> (Arc<Parrot>, RunningService<RoleClient, ()>) {
    let (parrot, tools) = tools();
    let (here, there) = tokio::io::duplex(1 << 16);
    tokio::spawn(async move { tools.serve(there).await.expect("serves").waiting().await });
    (parrot, ().serve(here).await.expect("both speak"))
}

async fn call(client: &RunningService<RoleClient, ()>, tool: &'static str, arguments: Value) -> CallToolResult {
    let arguments = arguments.as_object().cloned().expect("an object");
    client.call_tool(CallToolRequestParams::new(tool).with_arguments(arguments)).await.expect("an answer")
}

fn said(result: &CallToolResult) -> String {
    result.content.iter().filter_map(|block| block.as_text()).map(|text| text.text.as_str()).collect()
}

/// O-014: every tool says of itself that it reads only, asks one question, and tells its answer as an object.
#[tokio::test]
async fn o_014_every_tool_asks_its_question_and_reads_only() {
    let (parrot, client) = assistant().await;
    let golem = || "ada".to_owned();
    let cases = [
        ("golems", json!({}), Question::Golems),
        ("status", json!({ "golem": "ada" }), Question::Status(golem())),
        ("why", json!({ "golem": "ada" }), Question::Why { golem: golem(), tick: None }),
        ("why", json!({ "golem": "ada", "tick": 7 }), Question::Why { golem: golem(), tick: Some(7) }),
        ("trades", json!({ "golem": "ada" }), Question::Trades(golem())),
        ("profit", json!({ "golem": "ada" }), Question::Profit(golem())),
        ("playbook", json!({ "golem": "ada" }), Question::Playbook(golem())),
        (
            "knowledge",
            json!({ "golem": "ada", "words": "dips", "status": "active", "skip": 3 }),
            Question::Grimoire {
                golem: golem(),
                words: Some("dips".to_owned()),
                status: Some("active".to_owned()),
                skip: 3,
            },
        ),
        (
            "knowledge",
            json!({ "golem": "ada", "words": " " }),
            Question::Grimoire { golem: golem(), words: None, status: None, skip: 0 },
        ),
        ("entry", json!({ "golem": "ada", "entry": "e" }), Question::Entry { golem: golem(), entry: "e".to_owned() }),
        ("lineage", json!({ "golem": "ada" }), Question::Lineage(golem())),
        ("clade", json!({ "golem": "ada" }), Question::Clade(golem())),
        ("testament", json!({ "golem": "ada" }), Question::Testament(golem())),
        ("experiments", json!({}), Question::Experiments),
        ("experiment", json!({ "name": "e1" }), Question::Experiment("e1".to_owned())),
    ];
    let offered = client.list_all_tools().await.expect("a list");
    for tool in &offered {
        let told = tool.annotations.as_ref().expect("annotated");
        assert_eq!(told.read_only_hint, Some(true), "{}", tool.name);
        assert!(tool.description.as_ref().is_some_and(|words| words.len() > 20), "{} says what it is", tool.name);
        assert!(cases.iter().any(|(name, ..)| *name == tool.name), "{} is called below", tool.name);
        assert!(!serde_json::to_string(&tool.input_schema).expect("JSON").contains("uint"), "{}", tool.name);
    }
    for (tool, arguments, question) in cases {
        assert!(offered.iter().any(|known| known.name == tool), "{tool} is offered");
        let told = call(&client, tool, arguments).await;
        assert_eq!(told.is_error, Some(false), "{tool}: {told:?}");
        assert!(told.structured_content.as_ref().is_some_and(Value::is_object), "{tool}: {told:?}");
        assert_eq!(parrot.asked.lock().expect("whole").pop(), Some(question));
    }
}

/// O-014: what cannot be answered comes back as an error of the tool that says what is wrong, and nobody was asked.
#[tokio::test]
async fn o_014_bad_input_is_told_to_the_assistant() {
    let (parrot, client) = assistant().await;
    let missing = call(&client, "status", json!({ "golem": "nobody" })).await;
    assert_eq!((missing.is_error, said(&missing).as_str()), (Some(true), "there is nobody"));
    parrot.asked.lock().expect("whole").clear();
    for (tool, arguments, words) in [
        ("status", json!({}), "golem"),
        ("status", json!({ "golem": 7 }), "string"),
        ("status", json!({ "golem": "ada", "kill": true }), "kill"),
        ("why", json!({ "golem": "ada", "tick": -1 }), "-1"),
        ("golems", json!({ "all": true }), "all"),
    ] {
        let wanted =
            CallToolRequestParams::new(tool).with_arguments(arguments.as_object().cloned().expect("an object"));
        let words_told = match client.call_tool(wanted).await {
            Ok(told) => {
                assert_eq!(told.is_error, Some(true), "{tool} {arguments}");
                said(&told)
            }
            Err(error) => error.to_string(),
        };
        assert!(words_told.contains(words), "{tool} {arguments}: {words_told}");
    }
    assert!(client.call_tool(CallToolRequestParams::new("kill")).await.is_err(), "there is no such tool");
    assert!(parrot.asked.lock().expect("whole").is_empty());
}

/// O-014: the same is found by address, a testament as the text it is; an address of nothing says so.
#[tokio::test]
async fn o_014_the_same_is_read_by_address() {
    let (_, client) = assistant().await;
    let listed = client.list_all_resources().await.expect("a list");
    assert!(listed.iter().any(|one| one.uri == "bardo://golems/ada/testament"), "{listed:?}");
    for resource in listed {
        let read = client.read_resource(ReadResourceRequestParams::new(&resource.uri)).await.expect("read");
        let Some(ResourceContents::TextResourceContents { text, mime_type, .. }) = read.contents.first() else {
            panic!("no text at {}", resource.uri)
        };
        assert_eq!(mime_type, &resource.mime_type, "{}", resource.uri);
        let is_markdown = mime_type.as_deref() == Some("text/markdown");
        assert_eq!(text.starts_with("# told"), is_markdown, "{}: {text}", resource.uri);
    }
    assert_eq!(client.list_all_resource_templates().await.expect("a list").len(), 8);
    for wrong in ["bardo://golems/ada", "bardo://golems/ada/keys", "file:///etc/passwd", "bardo://golems/nobody/status"]
    {
        let refused = client.read_resource(ReadResourceRequestParams::new(wrong)).await.expect_err(wrong);
        assert!(refused.to_string().contains("nobody") || refused.to_string().contains("nothing at"), "{refused}");
    }
}
