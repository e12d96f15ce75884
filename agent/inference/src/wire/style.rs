//! How a provider wants to be asked, where the compatible ones differ. Learnt from its refusals: a parameter it does not know
//! is said otherwise, or left out, and the question asked again at once.

use golem_ports::{Request, Schema};

use super::Format;

/// One way to write a question. The first is the strictest; what is learnt is kept once it was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Style {
    /// Which of the format's forms.
    pub(crate) form: usize,
    /// OpenAI's own models refuse `max_tokens`; many of the compatible ones know nothing else.
    pub(crate) says_completion_tokens: bool,
    /// Models that think refuse to be told how freely.
    pub(crate) leaves_temperature: bool,
    /// Models that do not think refuse to be told how much.
    pub(crate) leaves_effort: bool,
    /// Some models' templates have no place for a system message: its words open the user's.
    pub(crate) folds_system: bool,
}

impl Style {
    /// What may be tried after a refusal in these words, of a question that was written this way: all that the words
    /// may mean, the likeliest first.
    pub(crate) fn others(self, format: Format, request: &Request, words: &str) -> impl Iterator<Item = Self> {
        let words = words.to_ascii_lowercase();
        let says = |signs: &[&str]| signs.iter().any(|sign| words.contains(sign));
        let is_open = format == Format::OpenAi;
        let bound = is_open && says(&["max_tokens", "max_completion_tokens"]);
        let temperature = request.temperature.is_some() && !self.leaves_temperature && says(&["temperature"]);
        let effort = !self.leaves_effort && says(&["effort"]);
        let system = is_open && !self.folds_system && says(&["system"]) && says(&["role", "message"]);
        let form = self.form + 1 < format.forms().len() && !is_prose(request) && says(&FORM);
        [
            bound.then_some(Self { says_completion_tokens: !self.says_completion_tokens, ..self }),
            temperature.then_some(Self { leaves_temperature: true, ..self }),
            effort.then_some(Self { leaves_effort: true, ..self }),
            system.then_some(Self { folds_system: true, ..self }),
            form.then_some(Self { form: self.form + 1, ..self }),
        ]
        .into_iter()
        .flatten()
    }
}

/// The words of a refusal that mean: not in this form.
const FORM: [&str; 8] = [
    "response_format",
    "json_schema",
    "json_object",
    "tool_choice",
    "tools",
    "thinking",
    "output_config",
    "structured",
];

/// Whether the whole answer is plain text, which may break off.
pub(crate) const fn is_prose(request: &Request) -> bool {
    matches!(request.schema, Schema::Text { .. })
}
