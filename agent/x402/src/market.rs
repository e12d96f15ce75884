//! R-033. The owner's sources, bought from for a life: a life names a source, and everything else is the owner's word.

use golem_core::record::{
    Bought, Excerpt, Offered, Offers, Partition, PurchaseOccasion, SourceKind, SourceName, Unbought,
};
use golem_ports::{Buyer, Float, Goods, PaymentState, Payments, Purchased, WantedPurchase};
use golem_primitives::{Usdc, keccak256};
use reqwest::Url;

use crate::host::{Host, HostError};
use crate::payer::Payer;
use crate::purchase::{Purchase, PurchaseError, PurchaseRequest};

/// Something an owner lets a life buy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaidSource {
    pub name: SourceName,
    pub url: String,
    pub kind: SourceKind,
    /// For a price: the JSON pointer to it, such as `/data/price`.
    pub field: String,
    /// The most one purchase may cost.
    pub at_most: Usdc,
    /// Seconds between two purchases of a thriving Golem.
    pub every_seconds: u64,
    /// When it is worth it.
    pub when: PurchaseOccasion,
}

impl PaidSource {
    /// Who sells it.
    pub fn host(&self) -> Result<Host, HostError> {
        let unreadable = |_| HostError::Unreadable { text: crate::host::short(&self.url) };
        Host::of(&Url::parse(&self.url).map_err(unreadable)?)
    }
}

/// What a day and the vault allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PurchaseBounds {
    /// The most a UTC day may cost.
    pub per_day: Usdc,
    /// V-006. The most the vault pays out at once.
    pub call_cap: Usdc,
    /// V-006. The most the key's wallet may hold.
    pub float_cap: Usdc,
}

/// Buys from the owner's sources, and records what it pays.
#[derive(Debug)]
pub struct SourceMarket<F, P> {
    payer: Payer<F>,
    payments: P,
    sources: Vec<PaidSource>,
    bounds: PurchaseBounds,
}

impl<F: Float, P: Payments> SourceMarket<F, P> {
    /// A market of these sources.
    pub const fn new(payer: Payer<F>, payments: P, sources: Vec<PaidSource>, bounds: PurchaseBounds) -> Self {
        Self { payer, payments, sources, bounds }
    }

    /// What an error leaves: over, or to be asked again under the same name.
    fn unserved(&self, wanted: &WantedPurchase, error: &PurchaseError) -> Purchased {
        let over = |why| Purchased::Unserved { why, paid: Usdc::ZERO };
        match error {
            PurchaseError::Unserved { amount, host, .. } => {
                let barred = self.payments.barred_until(host).ok().flatten();
                let why = barred.map_or(Unbought::Unknown, |until| Unbought::Cheated { until });
                Purchased::Unserved { why, paid: *amount }
            }
            PurchaseError::Barred { until, .. } => over(Unbought::Barred { until: *until }),
            PurchaseError::FloatShort { short, .. } => over(Unbought::FloatShort { short: *short }),
            PurchaseError::NotTaken { .. } => Purchased::Pending,
            // The owner changed where it is bought: nobody goes on with what was begun elsewhere.
            PurchaseError::AnotherPurchase { .. } | PurchaseError::NotListed { .. } | PurchaseError::Host(_) => {
                self.abandoned(wanted)
            }
            _ => match self.payments.payment_of(wanted.effect) {
                // What was given away is over only when the chain says so.
                Ok(Some(payment)) if payment.state != PaymentState::Void => Purchased::Pending,
                Ok(_) => over(Unbought::Refused),
                Err(_) => Purchased::Pending,
            },
        }
    }

    /// R-031. A purchase that cannot be gone on with: what may have been taken is booked whole.
    fn abandoned(&self, wanted: &WantedPurchase) -> Purchased {
        match self.payments.payment_of(wanted.effect) {
            Ok(Some(payment)) if payment.state != PaymentState::Void => {
                Purchased::Unserved { why: Unbought::Unknown, paid: payment.authorisation.amount }
            }
            Ok(_) => Purchased::Unserved { why: Unbought::Refused, paid: Usdc::ZERO },
            Err(_) => Purchased::Pending,
        }
    }
}

impl<F: Float + 'static, P: Payments + Send + 'static> Buyer for SourceMarket<F, P> {
    fn offers(&self) -> Offers {
        let offered = |source: &PaidSource| {
            Some(Offered {
                name: source.name,
                kind: source.kind,
                host: source.host().ok()?.to_string(),
                at_most: source.at_most,
                every_seconds: source.every_seconds,
                when: source.when,
            })
        };
        let PurchaseBounds { per_day, call_cap, float_cap } = self.bounds;
        let sources = self.sources.iter().filter_map(offered).take(golem_core::record::SOURCES).collect();
        Offers { sources, per_day, call_cap, float_cap }
    }

    async fn buy(&mut self, wanted: WantedPurchase) -> Purchased {
        let Some(source) = self.sources.iter().find(|source| source.name == wanted.source).cloned() else {
            // The owner took it off his list. What was paid for it is found by its payment.
            return self.abandoned(&wanted);
        };
        let purchase = Purchase {
            effect: wanted.effect,
            partition: Partition::Data,
            url: source.url.clone(),
            request: PurchaseRequest::Get,
            at_most: wanted.at_most.min(source.at_most),
            now: wanted.now,
        };
        match self.payer.buy(&purchase, &mut self.payments).await {
            Ok(got) => {
                let host = source.host().map(|host| host.to_string()).unwrap_or_default();
                let receipt = got.receipt.and_then(|receipt| receipt.tx);
                let bought = Bought { receipt, ..digest(&source, host, &got.answer) };
                Purchased::Served { bought: Box::new(bought), paid: got.paid }
            }
            Err(error) => {
                tracing::warn!(source = %source.name, %error, "not bought");
                self.unserved(&wanted, &error)
            }
        }
    }

    async fn reconcile(&mut self) {
        if let Err(error) = self.payer.reconcile(&mut self.payments).await {
            tracing::warn!(%error, "what became of open payments is not known yet");
        }
    }
}

/// What of an answer comes into a life.
fn digest(source: &PaidSource, host: String, answer: &Goods) -> Bought {
    let reading = (source.kind == SourceKind::Price).then(|| price(&answer.body, &source.field)).flatten();
    Bought {
        source: source.name,
        host,
        bytes: u32::try_from(answer.body.len()).unwrap_or(u32::MAX),
        digest: keccak256(&answer.body),
        excerpt: Excerpt::from(String::from_utf8_lossy(&answer.body).as_ref()),
        reading,
        receipt: None,
    }
}

/// A price in JSON, as a number or a text, cut to a millionth; nothing above zero is no price.
fn price(body: &[u8], field: &str) -> Option<Usdc> {
    let answer: serde_json::Value = serde_json::from_slice(body).ok()?;
    let text = match answer.pointer(field)? {
        serde_json::Value::Number(number) => number.to_string(),
        serde_json::Value::String(text) => text.clone(),
        _ => return None,
    };
    let cut = match text.split_once('.') {
        Some((whole, part)) if part.bytes().all(|digit| digit.is_ascii_digit()) => {
            format!("{whole}.{}", &part[..part.len().min(6)])
        }
        Some(_) => return None,
        None => text,
    };
    cut.parse().ok().filter(|price: &Usdc| !price.is_zero())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R-032: a price is a number above zero at the named place; everything else is words.
    #[test]
    fn r_032_a_reading_is_a_price_or_nothing() {
        for (body, micros) in [
            (r#"{"data":{"price":3012.25}}"#, Some(3_012_250_000)),
            (r#"{"data":{"price":"3012.123456789"}}"#, Some(3_012_123_456)),
            (r#"{"data":{"price":3000}}"#, Some(3_000_000_000)),
            (r#"{"data":{"price":0}}"#, None),
            (r#"{"data":{"price":-1}}"#, None),
            (r#"{"data":{"price":"1e9"}}"#, None),
            (r#"{"data":{"price":"1.é00000"}}"#, None),
            (r#"{"data":{"price":"99999999999999999999999"}}"#, None),
            (r#"{"data":{"price":[1]}}"#, None),
            (r#"{"price":1}"#, None),
            ("buy now", None),
        ] {
            let read = price(body.as_bytes(), "/data/price");
            assert_eq!(read.map(Usdc::micros), micros, "{body}");
        }
    }
}
