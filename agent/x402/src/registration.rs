//! L-012. Saying in the registration file that a Golem takes x402, and where.

use serde_json::{Value, json};
use x402_types::util::Base64Bytes;

/// How a registration file that carries itself begins.
const CARRIED: &str = "data:application/json;base64,";
/// The service's name in the file.
const SERVICE: &str = "x402";

/// Why a registration file cannot say so.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RegistrationError {
    /// The file lies elsewhere: whoever keeps it has to change it.
    #[error("the registration file is not in the chain itself; set `x402Support` where it is kept")]
    Elsewhere,
    /// No registration file.
    #[error("what the chain keeps as registration file is no JSON object in base64; write it anew")]
    Unreadable,
}

/// The same registration file with `x402Support` and the payee's address among its services; with `None`, without them.
/// The owner sets it with `setAgentURI`.
///
/// # Errors
/// [`RegistrationError`] for a file that is not carried in its own address.
pub fn advertise(file: &str, payee: Option<&str>) -> Result<String, RegistrationError> {
    let mut said = unpack(file)?;
    let fields = said.as_object_mut().ok_or(RegistrationError::Unreadable)?;
    fields.insert("x402Support".to_owned(), json!(payee.is_some()));
    let services = fields.entry("services").or_insert_with(|| json!([]));
    let services = services.as_array_mut().ok_or(RegistrationError::Unreadable)?;
    services.retain(|service| service.get("name").and_then(Value::as_str) != Some(SERVICE));
    services.extend(payee.map(|url| json!({ "name": SERVICE, "endpoint": url })));
    Ok(format!("{CARRIED}{}", Base64Bytes::encode(said.to_string())))
}

/// Where a registration file says that x402 is taken; `None` when it does not say so.
///
/// # Errors
/// [`RegistrationError`] for a file that is not carried in its own address.
pub fn advertised(file: &str) -> Result<Option<String>, RegistrationError> {
    let said = unpack(file)?;
    if said.get("x402Support").and_then(Value::as_bool) != Some(true) {
        return Ok(None);
    }
    let services = said.get("services").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let ours = services.iter().find(|service| service.get("name").and_then(Value::as_str) == Some(SERVICE));
    Ok(ours.and_then(|service| service.get("endpoint")?.as_str()).map(crate::host::short))
}

fn unpack(file: &str) -> Result<Value, RegistrationError> {
    let packed = file.strip_prefix(CARRIED).ok_or(RegistrationError::Elsewhere)?;
    let json = Base64Bytes::from(packed.as_bytes()).decode().map_err(|_| RegistrationError::Unreadable)?;
    serde_json::from_slice(&json).map_err(|_| RegistrationError::Unreadable)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(said: &Value) -> String {
        format!("{CARRIED}{}", Base64Bytes::encode(said.to_string()))
    }

    /// L-012, R-034: said once, however often; taken back as if it had never been said.
    #[test]
    fn l_012_a_golem_says_where_it_takes_x402_and_stops_saying_it() {
        let vault = json!({ "name": "vault", "endpoint": "eip155:8453:0x00" });
        let before = packed(&json!({ "name": "Ada", "services": [vault], "x402Support": false, "active": true }));
        let url = "https://golem.example/ada";
        let service = json!({ "name": "x402", "endpoint": url });
        let after = json!({ "name": "Ada", "services": [vault, service], "x402Support": true, "active": true });
        let once = advertise(&before, Some("http://127.0.0.1:1")).expect("a file");
        assert_eq!(advertise(&once, Some(url)), Ok(packed(&after)));
        assert_eq!(advertised(&packed(&after)), Ok(Some(url.to_owned())));
        assert_eq!(advertised(&before), Ok(None));
        assert_eq!(advertise(&packed(&after), None), Ok(before));
    }

    #[test]
    fn l_012_what_is_no_registration_file_is_left_alone() {
        for (file, expected) in [
            ("https://golem.example/ada.json".to_owned(), RegistrationError::Elsewhere),
            (format!("{CARRIED}%%%"), RegistrationError::Unreadable),
            (packed(&json!([1])), RegistrationError::Unreadable),
            (packed(&json!({ "services": "none" })), RegistrationError::Unreadable),
        ] {
            assert_eq!(advertise(&file, Some("https://x/")), Err(expected), "{file}");
        }
    }
}
