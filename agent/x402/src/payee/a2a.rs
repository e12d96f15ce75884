//! L-012. How other agents find the stall and ask it what there is: the card and the one method of A2A 1.0 that a stall needs.
//!
//! Nothing is thought over here and nothing is paid by a message: whoever asks is told what is sold and where, and pays there
//! over HTTP 402.

use golem_primitives::keccak256;
use serde_json::{Value, json};

use crate::payee::sale::Shop;

/// Where the card lies, and where messages go.
pub(crate) const CARD: &str = "/.well-known/agent-card.json";
pub(crate) const MESSAGES: &str = "/a2a";
/// The version that is spoken.
pub(crate) const VERSION: &str = "1.0";
/// The longest message that is read.
pub(crate) const MOST_BYTES: usize = 64 * 1024;

/// What other agents read of it.
pub(crate) fn card(shop: &Shop) -> Value {
    json!({
        "name": shop.name,
        "description": "A Golem: an agent that lives on what it earns and is given. It takes USDC over x402 (HTTP 402).",
        "version": env!("CARGO_PKG_VERSION"),
        "supportedInterfaces": [
            { "url": format!("{}{MESSAGES}", shop.base), "protocolBinding": "JSONRPC", "protocolVersion": VERSION },
        ],
        "capabilities": { "streaming": false, "pushNotifications": false },
        "defaultInputModes": ["text/plain"],
        "defaultOutputModes": ["text/plain", "application/json"],
        "skills": [{
            "id": "offer",
            "name": "What it sells",
            "description": "Tells what is sold, for how much, and where it is paid over x402. Reads only.",
            "tags": ["x402", "read-only"],
        }],
    })
}

/// ERC-8004. Which registered agent this address belongs to, so that a registration and its endpoint name each other.
pub(crate) fn registration(shop: &Shop) -> Value {
    let agent = shop.agent.as_deref().and_then(|agent| agent.rsplit_once('/'));
    let known = agent.map(|(registry, id)| json!({ "agentId": number(id), "agentRegistry": registry }));
    json!({ "registrations": known.into_iter().collect::<Vec<_>>() })
}

/// A small id is a number there; one that outgrows JSON's numbers is text.
fn number(id: &str) -> Value {
    id.parse::<u32>().map_or_else(|_| json!(id), |id| json!(id))
}

/// Answers one message of JSON-RPC with the offer.
pub(crate) fn reply(bytes: &[u8], version: Option<&[u8]>, offer: &Value) -> Value {
    let Ok(asked) = serde_json::from_slice::<Value>(bytes) else {
        return refusal(&Value::Null, -32_700, "this is no JSON");
    };
    // An id that is neither text nor a number is none.
    let id = asked.get("id").filter(|id| id.is_string() || id.is_number()).cloned().unwrap_or(Value::Null);
    if asked["jsonrpc"] != "2.0" || !asked["method"].is_string() {
        return refusal(&id, -32_600, "this is no request of JSON-RPC 2.0");
    }
    if version.is_some_and(|said| said != VERSION.as_bytes()) {
        return refusal(&id, -32_009, "A2A 1.0 is spoken here");
    }
    if asked["method"] != "SendMessage" {
        return refusal(&id, -32_601, "a stall knows SendMessage alone");
    }
    let message = &asked["params"]["message"];
    let (Some(said), Some(_)) = (message["messageId"].as_str(), message["parts"].as_array()) else {
        return refusal(&id, -32_602, "params.message with a messageId and parts is wanted");
    };
    let mut answer = json!({
        // The same question has the same answer, also by its name.
        "messageId": keccak256(said.as_bytes()).to_string(),
        "role": "ROLE_AGENT",
        "parts": [{ "text": words(offer) }, { "data": offer, "mediaType": "application/json" }],
    });
    if let Some(context) = message["contextId"].as_str() {
        answer["contextId"] = json!(context);
    }
    json!({ "jsonrpc": "2.0", "id": id, "result": { "message": answer } })
}

fn words(offer: &Value) -> String {
    let goods = offer["goods"].as_array().into_iter().flatten();
    let line = |good: &Value| {
        let part = |key: &str| good[key].as_str().unwrap_or_default().to_owned();
        format!("{} {}: {}", part("method"), part("url"), part("description"))
    };
    let lines: Vec<String> = goods.map(line).collect();
    if lines.is_empty() {
        return "It sells nothing now.".to_owned();
    }
    format!("It takes USDC over x402 (HTTP 402):\n{}", lines.join("\n"))
}

fn refusal(id: &Value, code: i32, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// L-012: who asks by A2A is told the offer under the id he gave; everything else is refused with the protocol's own number.
    #[test]
    fn l_012_a_message_is_answered_with_the_offer_or_refused_by_number() {
        let offer =
            json!({ "goods": [{ "method": "GET", "url": "https://a/insights", "description": "what it knows" }] });
        let asked = r#"{"jsonrpc":"2.0","id":7,"method":"SendMessage","params":{"message":{"messageId":"m","role":"ROLE_USER",
            "contextId":"c","parts":[{"text":"what have you?"}]}}}"#;
        let told = reply(asked.as_bytes(), Some(b"1.0"), &offer);
        let message = &told["result"]["message"];
        assert_eq!(
            (&told["id"], &message["role"], &message["contextId"]),
            (&json!(7), &json!("ROLE_AGENT"), &json!("c"))
        );
        assert!(message["parts"][0]["text"].as_str().is_some_and(|text| text.contains("https://a/insights")), "{told}");
        assert_eq!(message["parts"][1]["data"], offer);
        for (body, version, code) in [
            ("{", None, -32_700),
            ("[]", None, -32_600),
            (r#"{"jsonrpc":"2.0","id":{},"method":"SendMessage"}"#, None, -32_602),
            (r#"{"jsonrpc":"2.0","id":1,"method":"CancelTask"}"#, None, -32_601),
            (asked, Some(&b"0.3"[..]), -32_009),
        ] {
            let refused = reply(body.as_bytes(), version, &offer);
            assert_eq!(refused["error"]["code"], code, "{body}: {refused}");
        }
    }
}
