//! The two wire formats: how a question is written and what an answer says. No network here.
//!
//! An own reading of both, because three things must be exact that a general client rounds off: the usage numbers that
//! are charged, the stop reasons that make an answer none, and every bound.

mod anthropic;
mod openai;
pub(crate) mod style;

use golem_dreams::number::Temperature;
use golem_ports::{Request, Usage};
use serde_json::{Value, json};

use crate::settings::{Effort, Format};
pub(crate) use style::Style;

/// How the shape of the answer is asked for, strictest first. A provider that does not know one is asked by the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Anthropic: a tool that must be called, whose input is the answer.
    Tool,
    /// The provider holds the model to the schema.
    Schema,
    /// The provider promises JSON; the schema stands in the prompt.
    Json,
    /// The prompt alone asks.
    Plain,
    /// No shape at all: what is said is the answer.
    Prose,
}

/// One question as it goes out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Question<'a> {
    pub(crate) model: &'a str,
    pub(crate) request: &'a Request,
    pub(crate) form: Form,
    pub(crate) max_tokens: u32,
    /// What was wrong with the answer before, in our words.
    pub(crate) complaint: Option<&'a str>,
    pub(crate) effort: Option<Effort>,
    /// What the bound on the answer is called.
    pub(crate) says_completion_tokens: bool,
    /// Whether the system's words open the user's.
    pub(crate) folds_system: bool,
    /// How freely, where the provider lets itself be told.
    pub(crate) temperature: Option<Temperature>,
}

/// What a provider answered.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reply {
    pub(crate) ending: Ending,
    pub(crate) said: Said,
    pub(crate) counted: Counted,
    pub(crate) model: String,
}

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    Whole,
    /// At its bound.
    Length,
    /// The model would not, by the provider's word for it.
    Declined(&'static str),
}

/// What was said.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Said {
    Json(Value),
    Text(String),
    Nothing,
}

/// The provider's usage numbers, believed later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counted {
    Tokens(Usage),
    Missing,
    /// Negative, fractional or no number at all.
    Absurd,
}

impl Format {
    pub(crate) const fn forms(self) -> &'static [Form] {
        match self {
            Self::Anthropic => &[Form::Tool, Form::Schema, Form::Plain],
            Self::OpenAi => &[Form::Schema, Form::Json, Form::Plain],
        }
    }

    pub(crate) const fn path(self) -> &'static str {
        match self {
            Self::Anthropic => "/v1/messages",
            Self::OpenAi => "/chat/completions",
        }
    }

    pub(crate) const fn models_path(self) -> &'static str {
        match self {
            Self::Anthropic => "/v1/models",
            Self::OpenAi => "/models",
        }
    }

    /// Tokens a provider adds to a prompt: its frame around the messages, and the words that teach a model its tools.
    /// Anthropic documents up to 530 of those for its older models; newer tokenisers make about a third more. A guess on
    /// the safe side: were it ever too low, the usage would read as absurd and the maximum be charged, and it is told.
    pub(crate) const fn added_tokens(self) -> u64 {
        match self {
            Self::Anthropic => 1_000,
            Self::OpenAi => 100,
        }
    }

    pub(crate) fn body(self, question: &Question<'_>) -> Vec<u8> {
        let body = match self {
            Self::Anthropic => anthropic::body(question),
            Self::OpenAi => openai::body(question),
        };
        body.to_string().into_bytes()
    }

    /// # Errors
    /// What is missing, in our words.
    pub(crate) fn read(self, body: &[u8]) -> Result<Reply, &'static str> {
        let body: Value = serde_json::from_slice(body).map_err(|_| "its answer is no JSON")?;
        match self {
            Self::Anthropic => anthropic::read(&body),
            Self::OpenAi => openai::read(&body),
        }
    }
}

impl Question<'_> {
    fn schema(&self) -> Value {
        crate::schema::to_json(&self.request.schema)
    }

    fn system(&self) -> String {
        match self.form {
            Form::Tool | Form::Schema | Form::Prose => self.request.prompt.system.clone(),
            Form::Json | Form::Plain => format!(
                "{}\n\nAnswer with one JSON object and nothing else. It must fit this schema:\n{}",
                self.request.prompt.system,
                self.schema()
            ),
        }
    }

    fn user(&self) -> String {
        let words = &self.request.prompt.user;
        self.complaint.map_or_else(
            || words.clone(),
            |complaint| {
                format!("{words}\n\nAn earlier answer did not fit: {complaint}. Answer again, in the shape asked for.")
            },
        )
    }

    fn name(&self) -> &'static str {
        self.request.prompt.id.name
    }
}

/// A provider's words for its own error, from either format and from the servers that check a request by its fields
/// (FastAPI's `detail`). What they repeat of the request is not read: it would be taken for what they complain of.
pub(crate) fn error_words(body: &[u8]) -> String {
    let body: Value = serde_json::from_slice(body).unwrap_or(Value::Null);
    // Google's gateway wraps its error in a list.
    let body = body.get(0).unwrap_or(&body);
    let error = body.get("error").unwrap_or(body);
    let part = |of: &Value, name: &str| of.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let mut words = vec![part(error, "type"), part(error, "code"), part(error, "message")];
    // Named only where the message does not: most repeat it there.
    let param = part(error, "param");
    if !words[2].contains(&param) {
        words.push(param);
    }
    words.push(error.as_str().unwrap_or_default().to_owned());
    words.push(part(body, "detail"));
    for wrong in body.get("detail").and_then(Value::as_array).into_iter().flatten() {
        let place = wrong.get("loc").and_then(Value::as_array).and_then(|place| place.last()?.as_str());
        words.extend([place.unwrap_or_default().to_owned(), part(wrong, "msg")]);
    }
    words.retain(|word| !word.is_empty());
    crate::text::line(&words.join(": "), 240)
}

/// A text that should be JSON; a fence around it is taken off, prose beside it is not forgiven.
pub(crate) fn parse(text: &str) -> Option<Value> {
    let text = text.trim();
    let inner = text.strip_prefix("```json").or_else(|| text.strip_prefix("```"));
    let inner = inner.and_then(|text| text.strip_suffix("```")).unwrap_or(text);
    serde_json::from_str(inner.trim()).ok()
}

/// One count; `None` when it is no whole number that could be one.
fn count(usage: &Value, name: &str) -> Option<u64> {
    match usage.get(name) {
        None | Some(Value::Null) => Some(0),
        Some(number) => number.as_u64(),
    }
}

fn named(model: Option<&Value>) -> String {
    crate::text::line(model.and_then(Value::as_str).unwrap_or("unnamed"), 80)
}

fn user_message(question: &Question<'_>) -> Value {
    json!({ "role": "user", "content": question.user() })
}

#[cfg(test)]
#[path = "tests/wire.rs"]
mod tests;
