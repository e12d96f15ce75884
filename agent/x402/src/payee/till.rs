//! The facilitator: verifies and settles for us. It is configured by the owner and bounded all the same.

use golem_ports::PaymentReceipt;
use reqwest::Url;
use serde_json::Value;

use crate::fetch::Fetch;
use crate::host::{Host, HostError, short};
use crate::purchase::PurchaseRequest;

/// Why a payment was not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TillError {
    /// The facilitator does not answer, or not in its own words. Nothing is known to be paid.
    #[error("the facilitator {host} does not answer: {why}; check `feed.facilitator`, nothing was served")]
    Unreachable { host: String, why: String },
    #[error("{reason}")]
    Declined { reason: String },
}

impl TillError {
    /// Whether the same payment may be taken later.
    #[must_use]
    pub const fn may_retry(&self) -> bool {
        matches!(self, Self::Unreachable { .. })
    }
}

/// The way to a facilitator.
#[derive(Debug, Clone)]
pub(crate) struct Till {
    fetch: Fetch,
    base: Url,
    host: String,
}

impl Till {
    pub(crate) fn new(url: &str, fetch: Fetch) -> Result<Self, HostError> {
        let unreadable = |_| HostError::Unreadable { text: short(url) };
        let base = Url::parse(&format!("{}/", url.trim_end_matches('/'))).map_err(unreadable)?;
        let host = Host::of(&base)?.to_string();
        Ok(Self { fetch, base, host })
    }

    /// Whether a payment would be taken.
    pub(crate) async fn verify(&self, asked: &Value) -> Result<(), TillError> {
        let said = self.ask("verify", Some(asked)).await?;
        match said.get("isValid").and_then(Value::as_bool) {
            Some(true) => Ok(()),
            Some(false) => Err(declined(&said, &["invalidReason", "invalidMessage"])),
            None => Err(self.unreachable("it says neither yes nor no")),
        }
    }

    /// Takes a payment; its own words of it come back beside what we read in them.
    pub(crate) async fn settle(&self, asked: &Value) -> Result<(PaymentReceipt, Value), TillError> {
        let said = self.ask("settle", Some(asked)).await?;
        let text = |field: &str| said.get(field).and_then(Value::as_str);
        match said.get("success").and_then(Value::as_bool) {
            Some(true) => {
                let receipt = PaymentReceipt {
                    tx: text("transaction").and_then(|tx| tx.parse().ok()),
                    payer: text("payer").and_then(|payer| payer.parse().ok()),
                    network: short(text("network").unwrap_or_default()),
                };
                Ok((receipt, said))
            }
            Some(false) => Err(declined(&said, &["errorReason", "error_reason", "errorMessage"])),
            None => Err(self.unreachable("it says neither yes nor no")),
        }
    }

    /// The versions of the protocol it settles for a network named either way.
    pub(crate) async fn versions(&self, names: &[String]) -> Result<Vec<u64>, TillError> {
        let said = self.ask("supported", None).await?;
        let kinds = said.get("kinds").and_then(Value::as_array).cloned().unwrap_or_default();
        let ours = |kind: &&Value| {
            let text = |field: &str| kind.get(field).and_then(Value::as_str).unwrap_or_default();
            text("scheme") == "exact" && names.iter().any(|name| name == text("network"))
        };
        Ok(kinds.iter().filter(ours).filter_map(|kind| kind.get("x402Version")?.as_u64()).collect())
    }

    async fn ask(&self, path: &str, asked: Option<&Value>) -> Result<Value, TillError> {
        let url = self.base.join(path).map_err(|error| self.unreachable(&error.to_string()))?;
        let request = match asked {
            Some(asked) => {
                PurchaseRequest::Post { media: "application/json".to_owned(), body: asked.to_string().into_bytes() }
            }
            None => PurchaseRequest::Get,
        };
        let reply = self.fetch.ask(&url, &request, None).await;
        let reply = reply.map_err(|error| self.unreachable(&error.to_string()))?;
        // A refusal comes with its reason under several statuses; what is no JSON is no answer.
        serde_json::from_slice(&reply.body)
            .map_err(|_| self.unreachable(&format!("status {} and no JSON", reply.status.as_u16())))
    }

    fn unreachable(&self, why: &str) -> TillError {
        TillError::Unreachable { host: self.host.clone(), why: short(why) }
    }
}

fn declined(said: &Value, fields: &[&str]) -> TillError {
    let reason = fields.iter().find_map(|field| said.get(*field).and_then(Value::as_str));
    TillError::Declined { reason: short(reason.unwrap_or("the facilitator declined the payment")) }
}
