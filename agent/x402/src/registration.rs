//! L-012. What a registration file says: that a Golem takes x402 and where, and what its owner says of it.

use serde_json::{Map, Value, json};
use x402_types::util::Base64Bytes;

use crate::payee::a2a;

/// How a registration file that carries itself begins.
const CARRIED: &str = "data:application/json;base64,";
/// The object of what is ours. Clients that know only the standard's kinds of service fail at others, so the address of the
/// stall stands here and not among them.
const OURS: &str = "golem";
/// The address of the stall in it.
const STALL: &str = "x402";
/// The longest address of a stall.
const STALL_BYTES: usize = 2_048;
/// Every field that a file has which the contract builds.
const KNOWN: [&str; 10] = [
    "type",
    "name",
    "description",
    "image",
    "services",
    "x402Support",
    "supportedTrust",
    "active",
    "registrations",
    OURS,
];

/// Why a registration file cannot say so.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RegistrationError {
    #[error("the registration file is not in the chain itself; change it where it is kept")]
    Elsewhere,
    #[error("the address of the stall is no address of at most {STALL_BYTES} plain letters; write a shorter one")]
    Address,
    #[error("what the chain keeps as registration file is no JSON object in base64; write it anew")]
    Unreadable,
}

/// A way to reach an agent, as its file names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceTold {
    pub name: String,
    pub endpoint: String,
    /// Of the protocol; empty for none.
    pub version: String,
}

/// What a registration file says of its agent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Described {
    pub name: String,
    pub description: String,
    pub image: String,
    /// Where it can be reached.
    pub services: Vec<ServiceTold>,
    /// Whether it takes x402.
    pub x402: bool,
    /// Whether it is said to be alive.
    pub active: bool,
    /// What it says besides, which the contract that builds files does not know.
    pub besides: Vec<String>,
}

/// What a registration file says.
///
/// # Errors
/// [`RegistrationError`] for a file that is not carried in its own address.
pub fn described(file: &str) -> Result<Described, RegistrationError> {
    let fields = unpack(file)?;
    let text =
        |of: &Map<String, Value>, name: &str| of.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let is = |name: &str| fields.get(name).and_then(Value::as_bool).unwrap_or_default();
    let items = |name: &str| fields.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let mut besides: Vec<String> = fields.keys().filter(|name| !KNOWN.contains(&name.as_str())).cloned().collect();
    // One chain's own entry is written anew, and no trust is claimed: what goes further would be lost.
    besides.extend((items("registrations").len() > 1).then(|| "registrations".to_owned()));
    besides.extend((!items("supportedTrust").is_empty()).then(|| "supportedTrust".to_owned()));
    let mut services = Vec::new();
    for service in items("services") {
        let service = service.as_object().ok_or(RegistrationError::Unreadable)?;
        let told = ServiceTold {
            name: text(service, "name"),
            endpoint: text(service, "endpoint"),
            version: text(service, "version"),
        };
        let more = service.keys().filter(|key| !["name", "endpoint", "version"].contains(&key.as_str()));
        besides.extend(more.map(|key| format!("services/{}/{key}", told.name)));
        services.push(told);
    }
    Ok(Described {
        name: text(&fields, "name"),
        description: text(&fields, "description"),
        image: text(&fields, "image"),
        services,
        x402: is("x402Support"),
        active: is("active"),
        besides,
    })
}

/// The same registration file with `x402Support` and the address of the stall among what is ours; with `None`, without
/// them. Everything else stays, and so does the room in which the contract `Epitaph` writes after death (L-014). The owner
/// sets it with `setAgentURI`.
///
/// # Errors
/// [`RegistrationError`] for a file that is not carried in its own address, and for an address that is none.
pub fn advertise(file: &str, payee: Option<&str>) -> Result<String, RegistrationError> {
    let mut fields = unpack(file)?;
    payee.map(address).transpose()?;
    fields.insert("x402Support".to_owned(), json!(payee.is_some()));
    let before = fields.get(OURS).and_then(|ours| ours.get(STALL)?.as_str()).map(card_at);
    let services = fields.entry("services").or_insert_with(|| json!([]));
    let services = services.as_array_mut().ok_or(RegistrationError::Unreadable)?;
    // Where it stood once; a card elsewhere is its owner's.
    services.retain(|service| {
        let said = |key: &str| service.get(key).and_then(Value::as_str);
        said("name") != Some(STALL) && (before.is_none() || said("endpoint") != before.as_deref())
    });
    let has_card = services.iter().any(|service| service.get("name").and_then(Value::as_str) == Some("A2A"));
    if let Some(url) = payee.filter(|_| !has_card) {
        services.push(json!({ "name": "A2A", "endpoint": card_at(url), "version": a2a::VERSION }));
    }
    let ours = fields.entry(OURS).or_insert_with(|| json!({})).as_object_mut().ok_or(RegistrationError::Unreadable)?;
    match payee {
        Some(url) => drop(ours.insert(STALL.to_owned(), json!(url))),
        None => drop(ours.remove(STALL)),
    }
    if ours.is_empty() {
        fields.remove(OURS);
    }
    Ok(pack(&fields))
}

/// Where the stall at an address serves its card for other agents.
fn card_at(stall: &str) -> String {
    format!("{}{}", stall.trim_end_matches('/'), a2a::CARD)
}

/// A picture as the address that carries it; `kind` as in `image/png`.
#[must_use]
pub fn carried_image(kind: &str, bytes: &[u8]) -> String {
    format!("data:image/{kind};base64,{}", Base64Bytes::encode(bytes))
}

/// Where a registration file says that x402 is taken; `None` when it does not say so.
///
/// # Errors
/// [`RegistrationError`] for a file that is not carried in its own address, and for an address that is none.
pub fn advertised(file: &str) -> Result<Option<String>, RegistrationError> {
    let fields = unpack(file)?;
    if fields.get("x402Support").and_then(Value::as_bool) != Some(true) {
        return Ok(None);
    }
    fields.get(OURS).and_then(|ours| ours.get(STALL)?.as_str()).map(address).transpose()
}

/// The same address, whole: half of one leads elsewhere.
fn address(text: &str) -> Result<String, RegistrationError> {
    let is_plain = text.len() <= STALL_BYTES && !text.chars().any(char::is_control);
    if is_plain { Ok(text.to_owned()) } else { Err(RegistrationError::Address) }
}

fn unpack(file: &str) -> Result<Map<String, Value>, RegistrationError> {
    let packed = file.strip_prefix(CARRIED).ok_or(RegistrationError::Elsewhere)?;
    let json = Base64Bytes::from(packed.as_bytes()).decode().map_err(|_| RegistrationError::Unreadable)?;
    serde_json::from_slice(&json).map_err(|_| RegistrationError::Unreadable)
}

/// The space behind `true` is the letter by which `false` is longer: `Epitaph` looks for exactly that and writes over it.
fn pack(fields: &Map<String, Value>) -> String {
    let lines: Vec<String> = fields
        .iter()
        .map(|(name, value)| {
            let room = if name == "active" && *value == Value::Bool(true) { " " } else { "" };
            format!("{}:{value}{room}", Value::from(name.as_str()))
        })
        .collect();
    format!("{CARRIED}{}", Base64Bytes::encode(format!("{{{}}}", lines.join(","))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(said: &Value) -> String {
        format!("{CARRIED}{}", Base64Bytes::encode(said.to_string()))
    }

    fn said(file: &str) -> Value {
        Value::Object(unpack(file).expect("a file"))
    }

    /// A file as the contract builds it, with what an owner set.
    fn built() -> String {
        let text = r#"{"type":"https://eips.ethereum.org/EIPS/eip-8004#registration-v1","name":"A \"da","description":"says \"active\":true often","image":"ipfs://ada","services":[{"name":"MCP","endpoint":"https://golem.example/mcp","version":"2025-06-18"}],"x402Support":false,"supportedTrust":[],"active":true ,"registrations":[{"agentId":3,"agentRegistry":"eip155:8453:0x00"}],"golem":{"vault":"eip155:8453:0x01","predecessor":null,"bornAt":1700000000}}"#;
        format!("{CARRIED}{}", Base64Bytes::encode(text))
    }

    /// L-012, R-034: said once, however often; taken back as if it had never been said; what the owner set stays.
    #[test]
    fn l_012_a_golem_says_where_it_takes_x402_and_stops_saying_it() {
        let (before, url) = (built(), "https://golem.example/ada");
        let once = advertise(&before, Some("http://127.0.0.1:1")).expect("a file");
        let after = advertise(&once, Some(url)).expect("a file");
        assert_eq!(advertised(&after), Ok(Some(url.to_owned())));
        assert_eq!(advertised(&before), Ok(None));
        let mut expected = said(&before);
        expected["x402Support"] = json!(true);
        expected["golem"]["x402"] = json!(url);
        let card = json!({ "name": "A2A", "endpoint": format!("{url}/.well-known/agent-card.json"), "version": "1.0" });
        expected["services"].as_array_mut().expect("a list").push(card);
        assert_eq!(said(&after), expected);
        assert_eq!(said(&advertise(&after, None).expect("a file")), said(&before));
    }

    /// R-034: an address is told whole, however long it may be, or not at all.
    #[test]
    fn r_034_the_address_of_a_stall_is_never_cut() {
        let of = |bytes: usize| format!("https://golem.example/{}", "a".repeat(bytes - 22));
        for (url, fits) in [(of(121), true), (of(STALL_BYTES), true), (of(STALL_BYTES + 1), false)] {
            let told = advertise(&built(), Some(&url));
            assert_eq!(told.is_ok(), fits, "{}", url.len());
            let expected = if fits { Ok(Some(url)) } else { Err(RegistrationError::Address) };
            assert_eq!(told.and_then(|file| advertised(&file)), expected);
        }
        let foreign = json!({ "x402Support": true, "golem": { "x402": "https://a\nb" } });
        assert_eq!(advertised(&packed(&foreign)), Err(RegistrationError::Address));
    }

    /// L-012: no service of a kind that clients fail at, also in a file that had one.
    #[test]
    fn l_012_the_stall_is_no_service_of_its_own_kind() {
        let old = json!({ "services": [{ "name": "x402", "endpoint": "https://old.example" }], "x402Support": true });
        let now = advertise(&packed(&old), Some("https://golem.example")).expect("a file");
        let told = said(&now);
        let names: Vec<_> = told["services"].as_array().into_iter().flatten().map(|one| &one["name"]).collect();
        assert_eq!(names, ["A2A"]);
        let off = advertise(&now, None).expect("a file");
        assert_eq!(said(&off), json!({ "services": [], "x402Support": false }));
    }

    /// L-014: the room for the word that is written after death is where the contract looks for it, once.
    #[test]
    fn l_014_an_advertised_file_keeps_the_room_for_its_epitaph() {
        let file = advertise(&built(), Some("https://golem.example")).expect("a file");
        let bytes =
            Base64Bytes::from(file.strip_prefix(CARRIED).expect("carried").as_bytes()).decode().expect("base64");
        let text = String::from_utf8(bytes).expect("text");
        assert_eq!(text.matches("\"active\":true ").count(), 1, "{text}");
        let dead = text.replacen("\"active\":true ", "\"active\":false", 1);
        let dead = described(&format!("{CARRIED}{}", Base64Bytes::encode(dead))).expect("still a file");
        assert!(!dead.active && dead.name == "A \"da" && dead.description.contains("active"), "{dead:?}");
        // One that is dead stays so.
        let mut gone = said(&built());
        gone["active"] = json!(false);
        assert_eq!(said(&advertise(&packed(&gone), None).expect("a file"))["active"], false);
    }

    #[test]
    fn l_012_what_a_file_says_is_read_and_what_would_be_lost_is_named() {
        let told = described(&built()).expect("a file");
        assert_eq!(
            (told.name.as_str(), told.image.as_str(), told.x402, told.active),
            ("A \"da", "ipfs://ada", false, true)
        );
        assert_eq!((told.services.len(), told.services[0].version.as_str()), (1, "2025-06-18"));
        assert!(told.besides.is_empty(), "{told:?}");
        let mut more = said(&built());
        more["licence"] = json!("MIT");
        more["supportedTrust"] = json!(["reputation"]);
        more["services"][0]["mcpTools"] = json!(["trade"]);
        let told = described(&packed(&more)).expect("a file");
        assert_eq!(told.besides, ["licence", "supportedTrust", "services/MCP/mcpTools"]);
    }

    #[test]
    fn l_012_what_is_no_registration_file_is_left_alone() {
        for (file, expected) in [
            ("https://golem.example/ada.json".to_owned(), RegistrationError::Elsewhere),
            (format!("{CARRIED}%%%"), RegistrationError::Unreadable),
            (packed(&json!([1])), RegistrationError::Unreadable),
            (packed(&json!({ "services": "none" })), RegistrationError::Unreadable),
            (packed(&json!({ "golem": "clay" })), RegistrationError::Unreadable),
        ] {
            assert_eq!(advertise(&file, Some("https://x/")), Err(expected), "{file}");
        }
    }
}
