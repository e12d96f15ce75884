//! What a webhook is sent: our own JSON, or what Telegram, Discord, Slack and ntfy take.

use golem_primitives::words;
use serde_json::json;

use super::{Alert, Kind};

/// Letters that every one of them takes in a message.
const LONGEST: usize = 1_900;

words! {
    /// How an alert is written for who receives it.
    WebhookFormat {
        /// By the address: the four are known by theirs, and everybody else has JSON.
        Auto = "auto",
        /// The alert as it is.
        Json = "json",
        /// A bot's `sendMessage`, the chat in the address (`?chat_id=`).
        Telegram = "telegram",
        /// A channel's webhook.
        Discord = "discord",
        /// An incoming webhook.
        Slack = "slack",
        /// A topic.
        Ntfy = "ntfy",
    }
}

/// What is posted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Posted {
    pub(super) content_type: &'static str,
    pub(super) headers: Vec<(&'static str, String)>,
    pub(super) body: String,
}

impl WebhookFormat {
    /// What an address of this format takes.
    fn of(self, url: &str) -> Self {
        let host = url.split("://").nth(1).and_then(|rest| rest.split(['/', ':', '?']).next()).unwrap_or_default();
        let is_of = |name: &str| host == name || host.strip_suffix(name).is_some_and(|rest| rest.ends_with('.'));
        match self {
            Self::Auto if is_of("api.telegram.org") => Self::Telegram,
            Self::Auto if is_of("discord.com") || is_of("discordapp.com") => Self::Discord,
            Self::Auto if is_of("hooks.slack.com") => Self::Slack,
            Self::Auto if is_of("ntfy.sh") => Self::Ntfy,
            Self::Auto => Self::Json,
            told => told,
        }
    }

    /// What is wrong with an address of this format, and what to do; nothing where an alert can be written for it.
    pub(crate) fn flaw(self, url: &str) -> Option<&'static str> {
        let lacks_chat = self.of(url) == Self::Telegram && chat(url).is_empty();
        lacks_chat.then_some("a Telegram address names its chat: end it with ?chat_id= and the chat's number")
    }

    /// An alert as it is posted to this address. What strangers may have written in it, names and reasons, is text and nothing
    /// else: no mention, no link under another name, no line of a header.
    pub(super) fn posted(self, url: &str, alert: &Alert) -> Posted {
        let json = |body: serde_json::Value| Posted {
            content_type: "application/json",
            headers: Vec::new(),
            body: body.to_string(),
        };
        match self.of(url) {
            Self::Auto | Self::Json => json(serde_json::to_value(alert).expect("plain data")),
            Self::Telegram => json(json!({ "chat_id": chat(url), "text": words(alert) })),
            Self::Discord => {
                json(json!({ "content": escaped(&words(alert), "*_~`|>#[]()"), "allowed_mentions": { "parse": [] } }))
            }
            Self::Slack => {
                let text = words(alert).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
                json(json!({ "text": text }))
            }
            Self::Ntfy => {
                let priority = if alert.kind.is_urgent() { "5" } else { "3" };
                let title: String = title(alert).chars().filter(|letter| (' '..='~').contains(letter)).collect();
                Posted {
                    content_type: "text/plain; charset=utf-8",
                    headers: vec![("title", title), ("priority", priority.to_owned())],
                    body: cut(&alert.text),
                }
            }
        }
    }
}

impl Kind {
    /// Whether somebody should look now.
    const fn is_urgent(self) -> bool {
        matches!(
            self,
            Self::Dying | Self::Dead | Self::Cheated | Self::LedgerDiffers | Self::Stopped | Self::MissedBeat
        )
    }
}

/// The chat that an address of Telegram names.
fn chat(url: &str) -> &str {
    let query = url.split_once('?').map_or("", |(_, query)| query);
    query.split('&').find_map(|part| part.strip_prefix("chat_id=")).unwrap_or_default()
}

fn title(alert: &Alert) -> String {
    let kind = serde_json::to_value(alert.kind).expect("plain data");
    format!("{}: {}", alert.whom.golem, kind.as_str().unwrap_or_default().replace('_', " "))
}

/// One message for a person.
fn words(alert: &Alert) -> String {
    let tick = alert.tick.map(|tick| format!(" at tick {tick}")).unwrap_or_default();
    cut(&format!("{}{tick}. {}", title(alert), alert.text))
}

fn cut(text: &str) -> String {
    let mut cut: String = text.chars().filter(|letter| !letter.is_control()).take(LONGEST).collect();
    if text.chars().count() > LONGEST {
        cut.push('…');
    }
    cut
}

/// The same with a backslash before every sign that would be read as layout.
fn escaped(text: &str, signs: &str) -> String {
    let escape = |letter: char| signs.contains(letter).then_some('\\').into_iter().chain([letter]);
    text.chars().flat_map(escape).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Whom;
    use super::*;

    fn alert(golem: &str, text: &str) -> Alert {
        let whom = Whom { golem: golem.into(), agent: "7".into(), vault: None, chain_id: None };
        let (kind, time) = (Kind::Dying, "2026-01-01".to_owned());
        Alert { kind, whom, time, tick: Some(9), text: text.into(), left: None }
    }

    /// O-006: each of the four has its own shape, chosen by the address or by the owner's word.
    #[test]
    fn o_006_an_alert_is_written_as_its_receiver_takes_it() {
        let alert = alert("ada", "its death has begun: economic");
        let told = "ada: dying at tick 9. its death has begun: economic";
        let read = |posted: &Posted| serde_json::from_str::<serde_json::Value>(&posted.body).expect("JSON");
        let telegram = WebhookFormat::Auto.posted("https://api.telegram.org/bot1:x/sendMessage?chat_id=-42", &alert);
        assert_eq!(read(&telegram), json!({ "chat_id": "-42", "text": told }));
        let discord = WebhookFormat::Auto.posted("https://discord.com/api/webhooks/1/x", &alert);
        assert_eq!(read(&discord), json!({ "content": told, "allowed_mentions": { "parse": [] } }));
        let slack = WebhookFormat::Auto.posted("https://hooks.slack.com/services/T/B/x", &alert);
        assert_eq!(read(&slack), json!({ "text": told }));
        let ntfy = WebhookFormat::Auto.posted("https://ntfy.sh/mine", &alert);
        assert_eq!(
            (ntfy.body.as_str(), ntfy.content_type),
            ("its death has begun: economic", "text/plain; charset=utf-8")
        );
        assert_eq!(ntfy.headers, [("title", "ada: dying".to_owned()), ("priority", "5".to_owned())]);
        for url in ["https://example.org/ntfy.sh", "https://ntfy.sh.example.org/x", "http://127.0.0.1:9/discord.com"] {
            assert_eq!(read(&WebhookFormat::Auto.posted(url, &alert))["kind"], "dying", "{url}");
        }
        assert!(
            WebhookFormat::Auto.flaw("https://api.telegram.org/bot1:x/sendMessage").is_some(),
            "who would hear it?"
        );
        assert_eq!(WebhookFormat::Auto.flaw("https://api.telegram.org/bot1:x/sendMessage?chat_id=-42"), None);
        let own = WebhookFormat::Ntfy.posted("https://push.example.org/mine", &alert);
        assert_eq!(own, ntfy, "a server of one's own, by the owner's word");
    }

    /// O-006, R-032: what a stranger wrote is text: no mention, no layout, no header, and never too long.
    #[test]
    fn o_006_a_strangers_words_are_text() {
        let hostile = alert("ada", "@everyone <!channel> [here](https://evil.example) **x**\r\nx-evil: 1\u{1b}[2J");
        let discord = WebhookFormat::Discord.posted("https://x", &hostile).body;
        assert!(
            discord.contains(r"\\[here\\]\\(https://evil.example\\)") && discord.contains(r#""parse":[]"#),
            "{discord}"
        );
        let slack = WebhookFormat::Slack.posted("https://x", &hostile).body;
        assert!(slack.contains("&lt;!channel&gt;") && !slack.contains('<'), "{slack}");
        let named = alert("ada\r\nx-evil: 1", &"x".repeat(9_000));
        let ntfy = WebhookFormat::Ntfy.posted("https://x", &named);
        assert_eq!(ntfy.headers[0].1, "adax-evil: 1: dying");
        assert!(ntfy.body.chars().count() == LONGEST + 1 && ntfy.body.ends_with('…'));
        assert!(!WebhookFormat::Telegram.posted("https://x", &hostile).body.contains("\\u001b"));
    }
}
