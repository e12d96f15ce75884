//! Between a request and what it buys: terms, payment, settlement, and only then the good.

use golem_ports::FloatPlace;
use golem_primitives::{Address, U256, Usdc};
use serde::Serialize;
use serde_json::{Value, json};
use x402_chain_eip155::chain::{AssetTransferMethod, Eip155ChainReference, Eip155TokenDeployment};
use x402_chain_eip155::{V1Eip155Exact, V2Eip155Exact};
use x402_types::chain::{ChainId, DeployedTokenAmount};
use x402_types::proto::{v1, v2};
use x402_types::util::Base64Bytes;

use crate::payee::wares::Good;
use crate::payload::HEADER_BYTES;

/// How long a payer's authorisation may stand.
const STANDS_SECONDS: u64 = 300;

/// A chain's names in both versions; the older one has none for most.
pub(crate) fn networks(chain_id: u64) -> Vec<String> {
    let chain: ChainId = Eip155ChainReference::new(chain_id).into();
    [Some(chain.to_string()), chain.as_network_name().map(str::to_owned)].into_iter().flatten().collect()
}

/// Where money is taken: the chain, its USDC and the vault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counter {
    pub chain_id: u64,
    pub usdc: Address,
    /// The name of the token's signing domain.
    pub name: String,
    pub version: String,
    /// The vault that is paid, always.
    pub vault: Address,
}

impl Counter {
    /// The counter of a Golem: the token its own float is of, and its vault.
    #[must_use]
    pub fn of(float: &FloatPlace, vault: Address) -> Self {
        let FloatPlace { chain_id, usdc, name, version, .. } = float.clone();
        Self { chain_id, usdc, name, version, vault }
    }

    fn chain(&self) -> ChainId {
        Eip155ChainReference::new(self.chain_id).into()
    }

    fn amount(&self, price: Usdc) -> DeployedTokenAmount<U256, Eip155TokenDeployment> {
        let transfer_method = AssetTransferMethod::Eip3009 { name: self.name.clone(), version: self.version.clone() };
        let token = Eip155TokenDeployment {
            chain_reference: Eip155ChainReference::new(self.chain_id),
            address: self.usdc,
            decimals: 6,
            transfer_method,
        };
        DeployedTokenAmount { amount: U256::from(price.micros()), token }
    }

    /// The terms of a sale.
    pub(crate) fn terms(&self, good: Good, price: Usdc, url: String) -> Terms {
        let newer = V2Eip155Exact::price_tag(self.vault, self.amount(price)).with_timeout(STANDS_SECONDS).requirements;
        // The library panics for a chain that version 1 has no name for; there only version 2 is offered.
        let older = self.chain().as_network_name().map(|_| {
            let tag = V1Eip155Exact::price_tag(self.vault, self.amount(price)).with_timeout(STANDS_SECONDS);
            v1::PaymentRequirements {
                scheme: tag.scheme,
                network: tag.network,
                max_amount_required: tag.amount,
                resource: url.clone(),
                description: good.description().to_owned(),
                mime_type: Some("application/json".to_owned()),
                output_schema: None,
                pay_to: tag.pay_to,
                max_timeout_seconds: tag.max_timeout_seconds,
                asset: tag.asset,
                extra: tag.extra,
            }
        });
        let resource = v2::ResourceInfo {
            url,
            description: Some(good.description().to_owned()),
            mime_type: Some("application/json".to_owned()),
        };
        Terms { newer, older, resource }
    }
}

/// What is asked for, in both versions.
#[derive(Debug, Clone)]
pub(crate) struct Terms {
    newer: v2::PaymentRequirements,
    older: Option<v1::PaymentRequirements>,
    resource: v2::ResourceInfo,
}

impl Terms {
    /// The header and the body of a 402 answer.
    pub(crate) fn ask(&self, error: &str) -> (String, Value) {
        let required = v2::PaymentRequired {
            x402_version: v2::X402Version2,
            error: Some(error.to_owned()),
            resource: Some(self.resource.clone()),
            accepts: vec![self.newer.clone()],
            extensions: v2::ExtensionsJson::default(),
        };
        let newer = json(&required);
        let header = Base64Bytes::encode(newer.to_string()).to_string();
        let body = self.older.as_ref().map_or(newer, |older| {
            json(&v1::PaymentRequired {
                x402_version: v1::X402Version1,
                accepts: vec![older.clone()],
                error: Some(error.to_owned()),
            })
        });
        (header, body)
    }

    /// What the facilitator is asked about a payment of version 2.
    pub(crate) fn newer(&self, header: &[u8]) -> Result<Value, &'static str> {
        let payload: v2::PaymentPayload<v2::PaymentRequirements, Value> = read(header)?;
        if payload.accepted != self.newer {
            return Err("the payment accepts other terms than these");
        }
        Ok(json!({ "x402Version": 2, "paymentPayload": json(&payload), "paymentRequirements": json(&self.newer) }))
    }

    /// What it is asked about a payment of version 1.
    pub(crate) fn older(&self, header: &[u8]) -> Result<Value, &'static str> {
        let terms = self.older.as_ref().ok_or("version 1 has no name for this chain; pay by version 2")?;
        let payload: v1::PaymentPayload = read(header)?;
        if payload.scheme != terms.scheme || payload.network != terms.network {
            return Err("the payment is of another scheme or network than these terms");
        }
        Ok(json!({ "x402Version": 1, "paymentPayload": json(&payload), "paymentRequirements": json(terms) }))
    }
}

fn read<T: serde::de::DeserializeOwned>(header: &[u8]) -> Result<T, &'static str> {
    const UNREADABLE: &str = "the payment header cannot be read";
    if header.len() > HEADER_BYTES {
        return Err("the payment header is too long");
    }
    let json = Base64Bytes::from(header).decode().map_err(|_| UNREADABLE)?;
    serde_json::from_slice(&json).map_err(|_| UNREADABLE)
}

fn json<T: Serialize>(value: &T) -> Value {
    serde_json::to_value(value).unwrap_or(Value::Null)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn counter(chain_id: u64) -> Counter {
        Counter {
            chain_id,
            usdc: Address::repeat_byte(2),
            name: "USD Coin".to_owned(),
            version: "2".to_owned(),
            vault: Address::repeat_byte(7),
        }
    }

    /// version 1 where it has a name for the chain, version 2 everywhere, and never a panic.
    #[test]
    fn r_034_terms_are_offered_in_every_version_the_chain_has() {
        for (chain_id, older) in [(8453, true), (84_532, true), (763_088, false), (31_337, false), (u64::MAX, false)] {
            let terms = counter(chain_id).terms(Good::Feed, Usdc::whole(5), "http://127.0.0.1/feed".to_owned());
            let (header, body) = terms.ask("pay");
            let newer: Value = read(header.as_bytes()).expect("base64 of JSON");
            assert_eq!(newer["accepts"][0]["amount"], "5000000", "{chain_id}");
            assert_eq!(newer["accepts"][0]["network"], format!("eip155:{chain_id}"));
            assert_eq!(newer["accepts"][0]["payTo"], Address::repeat_byte(7).to_string());
            assert_eq!(body["x402Version"], if older { 1 } else { 2 }, "{chain_id}");
            assert_eq!(networks(chain_id).len(), if older { 2 } else { 1 });
            assert!(terms.older(b"e30=").is_err());
        }
    }

    /// a payment for other terms is not shown to the facilitator at all.
    #[test]
    fn r_034_a_payment_for_less_is_not_one() {
        let terms = |price| counter(8453).terms(Good::Bundle, Usdc::from_micros(price), "http://x/".to_owned());
        let paid = |price| {
            let accepted = json(&terms(price).newer);
            let payload = json!({ "x402Version": 2, "accepted": accepted, "payload": { "signature": "0x" } });
            Base64Bytes::encode(payload.to_string()).to_string()
        };
        assert!(terms(10).newer(paid(10).as_bytes()).is_ok());
        assert!(terms(10).newer(paid(9).as_bytes()).is_err());
        assert!(terms(10).newer(&vec![b'A'; HEADER_BYTES + 1]).is_err());
    }

    proptest! {
        #[test]
        fn r_034_any_header_is_read(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let terms = counter(8453).terms(Good::Insights, Usdc::whole(1), String::new());
            let encoded = Base64Bytes::encode(&bytes).to_string();
            prop_assert!(terms.newer(&bytes).is_err() && terms.older(encoded.as_bytes()).is_err());
        }
    }
}
