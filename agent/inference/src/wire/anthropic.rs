//! Anthropic's Messages.

use golem_ports::Usage;
use serde_json::{Value, json};

use super::{Counted, Ending, Form, Question, Reply, Said, count, named, user_message};

pub(super) fn body(question: &Question<'_>) -> Value {
    let mut body = json!({
        "model": question.model,
        "max_tokens": question.max_tokens,
        "system": question.system(),
        "messages": [user_message(question)],
    });
    if let Some(effort) = question.effort {
        body["output_config"]["effort"] = effort.name().into();
    }
    if let Some(temperature) = question.temperature {
        // Its scale ends at one; what is meant to be freer is as free as it gets.
        body["temperature"] = temperature.as_f64().min(1.0).into();
    }
    match question.form {
        Form::Tool => {
            body["tools"] = json!([{
                "name": question.name(),
                "description": "Gives the answer. Call it once, with the whole answer.",
                "input_schema": question.schema(),
            }]);
            body["tool_choice"] = json!({ "type": "tool", "name": question.name(), "disable_parallel_tool_use": true });
        }
        Form::Schema => {
            body["output_config"]["format"] = json!({ "type": "json_schema", "schema": question.schema() });
        }
        Form::Json | Form::Plain | Form::Prose => {}
    }
    body
}

pub(super) fn read(body: &Value) -> Result<Reply, &'static str> {
    let content = body.get("content").and_then(Value::as_array).ok_or("its answer has no content")?;
    let ending = match body.get("stop_reason").and_then(Value::as_str).ok_or("its answer has no stop_reason")? {
        "end_turn" | "tool_use" | "stop_sequence" => Ending::Whole,
        "max_tokens" | "model_context_window_exceeded" => Ending::Length,
        "refusal" => Ending::Declined("refusal"),
        "pause_turn" => Ending::Declined("pause_turn"),
        _ => return Err("its stop_reason is unknown"),
    };
    Ok(Reply { ending, said: said(content), counted: counted(body), model: named(body.get("model")) })
}

/// The input of the tool when it was called, the text otherwise; thoughts are not read.
fn said(content: &[Value]) -> Said {
    let is = |block: &&Value, kind: &str| block.get("type").and_then(Value::as_str) == Some(kind);
    if let Some(call) = content.iter().find(|block| is(block, "tool_use")) {
        return call.get("input").cloned().map_or(Said::Nothing, Said::Json);
    }
    let texts = content.iter().filter(|block| is(block, "text"));
    let text: String = texts.filter_map(|block| block.get("text")?.as_str()).collect();
    if text.is_empty() { Said::Nothing } else { Said::Text(text) }
}

/// Tokens from the cache are counted beside `input_tokens`. Tokens written to it are too, and only who asks for a cache
/// gets one; should there be any, they count as read.
fn counted(body: &Value) -> Counted {
    let Some(usage) = body.get("usage").filter(|usage| usage.is_object()) else { return Counted::Missing };
    if usage.get("input_tokens").is_none() || usage.get("output_tokens").is_none() {
        return Counted::Missing;
    }
    let tokens = || {
        let written_to_cache = count(usage, "cache_creation_input_tokens")?;
        Some(Usage {
            input: count(usage, "input_tokens")?.checked_add(written_to_cache)?,
            output: count(usage, "output_tokens")?,
            cached: count(usage, "cache_read_input_tokens")?,
        })
    };
    tokens().map_or(Counted::Absurd, Counted::Tokens)
}
