//! OpenAI's chat completions, as OpenAI, Ollama, vLLM, Venice and OpenRouter speak them.

use golem_ports::Usage;
use serde_json::{Value, json};

use super::{Counted, Ending, Form, Question, Reply, Said, count, named, user_message};

pub(super) fn body(question: &Question<'_>) -> Value {
    let messages = if question.folds_system {
        json!([{ "role": "user", "content": format!("{}\n\n{}", question.system(), question.user()) }])
    } else {
        json!([{ "role": "system", "content": question.system() }, user_message(question)])
    };
    let mut body = json!({ "model": question.model, "messages": messages, "stream": false });
    let bound = if question.says_completion_tokens { "max_completion_tokens" } else { "max_tokens" };
    body[bound] = question.max_tokens.into();
    if let Some(effort) = question.effort {
        body["reasoning_effort"] = effort.name().into();
    }
    if let Some(temperature) = question.temperature {
        body["temperature"] = temperature.as_f64().into();
    }
    match question.form {
        Form::Schema => {
            body["response_format"] = json!({
                "type": "json_schema",
                "json_schema": { "name": question.name(), "strict": true, "schema": question.schema() },
            });
        }
        Form::Json => body["response_format"] = json!({ "type": "json_object" }),
        Form::Tool | Form::Plain | Form::Prose => {}
    }
    body
}

pub(super) fn read(body: &Value) -> Result<Reply, &'static str> {
    let choice = body.get("choices").and_then(|choices| choices.get(0)).ok_or("its answer has no choices")?;
    let message = choice.get("message").ok_or("its answer has no message")?;
    let finish = choice.get("finish_reason").and_then(Value::as_str).ok_or("its answer has no finish_reason")?;
    let ending = match finish {
        "stop" | "tool_calls" => Ending::Whole,
        "length" => Ending::Length,
        "content_filter" => Ending::Declined("content_filter"),
        _ => return Err("its finish_reason is unknown"),
    };
    let refused = message.get("refusal").and_then(Value::as_str).is_some_and(|words| !words.is_empty());
    let ending = if refused && ending == Ending::Whole { Ending::Declined("refusal") } else { ending };
    let said = match message.get("content").and_then(Value::as_str) {
        Some(text) if !text.trim().is_empty() => Said::Text(text.to_owned()),
        _ => Said::Nothing,
    };
    Ok(Reply { ending, said, counted: counted(body), model: named(body.get("model")) })
}

/// Tokens from the cache are part of `prompt_tokens`; they are counted once here.
fn counted(body: &Value) -> Counted {
    let Some(usage) = body.get("usage").filter(|usage| usage.is_object()) else { return Counted::Missing };
    if usage.get("prompt_tokens").is_none() || usage.get("completion_tokens").is_none() {
        return Counted::Missing;
    }
    let tokens = || {
        let details = usage.get("prompt_tokens_details").unwrap_or(&Value::Null);
        let (all, cached) = (count(usage, "prompt_tokens")?, count(details, "cached_tokens")?);
        Some(Usage { input: all.checked_sub(cached)?, output: count(usage, "completion_tokens")?, cached })
    };
    tokens().map_or(Counted::Absurd, Counted::Tokens)
}
