//! The same by address, for assistants that attach what they read: `bardo://golems/ada/status`.

use golem_web::{Question, Refused};
use rmcp::model::{
    ErrorData, ListResourceTemplatesResult, ListResourcesResult, ReadResourceResponse, ReadResourceResult, Resource,
    ResourceContents, ResourceTemplate,
};
use serde_json::Value;

use crate::Tools;

const GOLEMS: &str = "bardo://golems";
const EXPERIMENTS: &str = "bardo://experiments";
const JSON: &str = "application/json";
const MARKDOWN: &str = "text/markdown";

/// What there is of one Golem: its name in an address, what it is, and the question.
struct Facet {
    name: &'static str,
    about: &'static str,
    kind: &'static str,
    question: fn(String) -> Question,
}

const FACETS: [Facet; 7] = [
    Facet { name: "status", about: "where it stands", kind: JSON, question: Question::Status },
    Facet { name: "profit", about: "what it made", kind: JSON, question: Question::Profit },
    Facet { name: "trades", about: "its newest trades", kind: JSON, question: Question::Trades },
    Facet { name: "playbook", about: "the rules it acts by", kind: JSON, question: Question::Playbook },
    Facet { name: "lineage", about: "the line it is of", kind: JSON, question: Question::Lineage },
    Facet { name: "clade", about: "its siblings", kind: JSON, question: Question::Clade },
    Facet { name: "testament", about: "what it wrote when it died", kind: MARKDOWN, question: Question::Testament },
];

/// Everybody's, by name.
pub(crate) async fn listed(tools: &Tools) -> Result<ListResourcesResult, ErrorData> {
    let told = tools.told(Question::Golems).await.map_err(|refused| failure(&refused))?.into_value();
    let mut resources = vec![
        Resource::new(GOLEMS, "golems").with_description("The Golems of this machine").with_mime_type(JSON),
        Resource::new(EXPERIMENTS, "experiments").with_description("Registered experiments").with_mime_type(JSON),
    ];
    for golem in told.as_array().into_iter().flatten() {
        let Some(name) = golem["name"].as_str() else { continue };
        let is_dead = golem["life"] == "dead";
        // Only the dead have left something to read.
        let facets = FACETS.iter().filter(|facet| facet.kind == JSON || is_dead);
        resources.extend(facets.map(|facet| {
            Resource::new(format!("{GOLEMS}/{name}/{}", facet.name), format!("{name} {}", facet.name))
                .with_description(format!("{name}: {}", facet.about))
                .with_mime_type(facet.kind)
        }));
    }
    Ok(ListResourcesResult::with_all_items(resources))
}

/// How an address is made.
pub(crate) fn templates() -> ListResourceTemplatesResult {
    let of_golem = FACETS.iter().map(|facet| {
        ResourceTemplate::new(format!("{GOLEMS}/{{golem}}/{}", facet.name), facet.name)
            .with_description(format!("Of one Golem: {}", facet.about))
            .with_mime_type(facet.kind)
    });
    let report = ResourceTemplate::new(format!("{EXPERIMENTS}/{{name}}"), "experiment")
        .with_description("The report of one experiment")
        .with_mime_type(MARKDOWN);
    ListResourceTemplatesResult::with_all_items(of_golem.chain([report]).collect())
}

/// What an address asks, how it is told, and the part that is text where it is.
fn understood(uri: &str) -> Option<(Question, &'static str, Option<&'static str>)> {
    match uri {
        GOLEMS => return Some((Question::Golems, JSON, None)),
        EXPERIMENTS => return Some((Question::Experiments, JSON, None)),
        _ => {}
    }
    if let Some(name) = uri.strip_prefix(EXPERIMENTS).and_then(|rest| rest.strip_prefix('/')) {
        return Some((Question::Experiment(name.to_owned()), MARKDOWN, Some("report")));
    }
    let (golem, wanted) = uri.strip_prefix(GOLEMS)?.strip_prefix('/')?.split_once('/')?;
    let facet = FACETS.iter().find(|facet| facet.name == wanted)?;
    let part = (facet.kind == MARKDOWN).then_some(facet.name);
    Some(((facet.question)(golem.to_owned()), facet.kind, part))
}

/// One of them.
pub(crate) async fn read(tools: &Tools, uri: &str) -> Result<ReadResourceResponse, ErrorData> {
    let Some((question, kind, part)) = understood(uri) else {
        let words = format!("there is nothing at {uri:?}; resources/list says what there is");
        return Err(ErrorData::resource_not_found(words, None));
    };
    let told = tools.told(question).await.map_err(|refused| failure(&refused))?.into_value();
    let text = match part.map(|part| &told[part]) {
        Some(Value::String(text)) => text.clone(),
        _ => told.to_string(),
    };
    Ok(ReadResourceResult::new(vec![ResourceContents::text(text, uri).with_mime_type(kind)]).into())
}

fn failure(refused: &Refused) -> ErrorData {
    let words = refused.to_string();
    match refused {
        Refused::Missing(_) => ErrorData::resource_not_found(words, None),
        Refused::Wrong(_) => ErrorData::invalid_params(words, None),
        Refused::Away(_) | Refused::Failed(_) => ErrorData::internal_error(words, None),
    }
}
