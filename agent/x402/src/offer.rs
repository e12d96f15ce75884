//! What a 402 answer offers, in either version of the protocol. All of it is a stranger's text.

use golem_ports::FloatPlace;
use golem_primitives::{Address, Usdc};
use serde_json::Value;
use serde_json::value::RawValue;
use x402_types::chain::ChainId;
use x402_types::proto::v2::{ExtensionsJson, ResourceInfo};
use x402_types::proto::{OriginalJson, v1, v2};
use x402_types::util::Base64Bytes;

/// Offers of one answer that are looked at.
const OFFERS: usize = 32;
/// The one scheme that is paid.
const EXACT: &str = "exact";

/// The terms of version 2, told back to the server as it wrote them.
#[derive(Debug, Clone)]
pub(crate) struct Terms {
    pub(crate) accepted: Box<RawValue>,
    pub(crate) resource: Option<ResourceInfo>,
    pub(crate) extensions: ExtensionsJson,
}

/// How an offer is taken up.
#[derive(Debug, Clone)]
pub(crate) enum Way {
    /// Version 1, by the network's name.
    V1 { network: String },
    /// Version 2.
    V2(Box<Terms>),
}

/// An offer that can be paid from the float.
#[derive(Debug, Clone)]
pub(crate) struct Offer {
    pub(crate) price: Usdc,
    pub(crate) payee: Address,
    pub(crate) seconds: u64,
    pub(crate) way: Way,
}

impl Offer {
    pub(crate) const fn version(&self) -> u8 {
        match self.way {
            Way::V1 { .. } => 1,
            Way::V2(_) => 2,
        }
    }
}

/// Why an offer cannot be paid from the float, whatever it costs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unfit {
    /// Another scheme than an exact amount by EIP-3009.
    #[error("it asks for another scheme than an exact amount by EIP-3009")]
    Scheme,
    #[error("it asks for money on {0}")]
    Chain(String),
    /// Another asset than USDC.
    #[error("it asks for another asset, {0}")]
    Asset(String),
    #[error("it names a signing domain that is not USDC's")]
    Domain,
    #[error("its payee is nobody, or the buyer himself")]
    Payee,
    #[error("its amount is none")]
    Amount,
}

/// The cheapest offer that can be paid from the float, the newer version first among equals.
///
/// # Errors
/// A sentence about a text that is no offer at all, or the first offer's reason when none fits.
pub(crate) fn choose(header: Option<&[u8]>, body: &[u8], float: &FloatPlace) -> Result<Offer, NoOffer> {
    let mut read = Vec::new();
    let newer = header.and_then(|header| Base64Bytes::from(header).decode().ok());
    let newer = newer.and_then(|json| serde_json::from_slice::<v2::PaymentRequired<OriginalJson>>(&json).ok());
    if let Some(required) = newer {
        let (resource, extensions) = (required.resource, required.extensions);
        let terms = |accepted| Terms { accepted, resource: resource.clone(), extensions: extensions.clone() };
        read.extend(required.accepts.into_iter().take(OFFERS).map(|offer| second(terms(offer.0), float)));
    }
    if let Ok(required) = serde_json::from_slice::<v1::PaymentRequired<OriginalJson>>(body) {
        read.extend(required.accepts.into_iter().take(OFFERS).map(|offer| first(&offer.0, float)));
    }
    let mut unfit = None;
    let mut best: Option<Offer> = None;
    for offer in read {
        match offer {
            Ok(offer) if best.as_ref().is_none_or(|best| offer.price < best.price) => best = Some(offer),
            Ok(_) => {}
            Err(why) => unfit = unfit.or(Some(why)),
        }
    }
    best.ok_or_else(|| unfit.map_or(NoOffer::Unreadable, NoOffer::Unfit))
}

/// Why a 402 answer offers nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NoOffer {
    Unreadable,
    Unfit(Unfit),
}

fn first(offer: &RawValue, float: &FloatPlace) -> Result<Offer, Unfit> {
    let offer: v1::PaymentRequirements = serde_json::from_str(offer.get()).map_err(|_| Unfit::Scheme)?;
    let chain = ChainId::from_network_name(&offer.network);
    let on_chain = chain.ok_or_else(|| Unfit::Chain(crate::host::short(&offer.network)))?;
    let asked = Asked {
        scheme: &offer.scheme,
        chain: &on_chain,
        asset: &offer.asset,
        payee: &offer.pay_to,
        amount: &offer.max_amount_required,
        extra: offer.extra.as_ref(),
    };
    let (price, payee) = asked.check(float)?;
    Ok(Offer { price, payee, seconds: offer.max_timeout_seconds, way: Way::V1 { network: offer.network } })
}

fn second(terms: Terms, float: &FloatPlace) -> Result<Offer, Unfit> {
    let offer: v2::PaymentRequirements = serde_json::from_str(terms.accepted.get()).map_err(|_| Unfit::Scheme)?;
    let asked = Asked {
        scheme: &offer.scheme,
        chain: &offer.network,
        asset: &offer.asset,
        payee: &offer.pay_to,
        amount: &offer.amount,
        extra: offer.extra.as_ref(),
    };
    let (price, payee) = asked.check(float)?;
    Ok(Offer { price, payee, seconds: offer.max_timeout_seconds, way: Way::V2(Box::new(terms)) })
}

/// What both versions ask for.
struct Asked<'a> {
    scheme: &'a str,
    chain: &'a ChainId,
    asset: &'a str,
    payee: &'a str,
    amount: &'a str,
    extra: Option<&'a Value>,
}

impl Asked<'_> {
    fn check(&self, float: &FloatPlace) -> Result<(Usdc, Address), Unfit> {
        let method = self.extra.and_then(|extra| extra.get("assetTransferMethod"));
        if self.scheme != EXACT || method.is_some_and(|method| method != "eip3009") {
            return Err(Unfit::Scheme);
        }
        if *self.chain != ChainId::new("eip155", float.chain_id.to_string()) {
            return Err(Unfit::Chain(crate::host::short(&self.chain.to_string())));
        }
        if self.asset.parse::<Address>().ok() != Some(float.usdc) {
            return Err(Unfit::Asset(crate::host::short(self.asset)));
        }
        let says =
            |field: &str, ours: &str| self.extra.and_then(|extra| extra.get(field)).is_none_or(|theirs| theirs == ours);
        if !says("name", &float.name) || !says("version", &float.version) {
            return Err(Unfit::Domain);
        }
        let payee = self.payee.parse::<Address>().map_err(|_| Unfit::Payee)?;
        if payee.is_zero() || payee == float.holder || payee == float.usdc {
            return Err(Unfit::Payee);
        }
        Ok((price(self.amount).ok_or(Unfit::Amount)?, payee))
    }
}

/// An amount in the token's smallest units. What no purse could hold is the largest there is: too dear, not unreadable.
fn price(digits: &str) -> Option<Usdc> {
    if digits.is_empty() || digits.len() > 78 || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let micros = digits.trim_start_matches('0').parse::<u64>();
    match micros {
        Ok(micros) => Some(Usdc::from_micros(micros)),
        Err(_) if digits.bytes().all(|digit| digit == b'0') => None,
        Err(_) => Some(Usdc::MAX),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn float() -> FloatPlace {
        FloatPlace {
            holder: Address::repeat_byte(1),
            chain_id: 8453,
            usdc: Address::repeat_byte(2),
            name: "USD Coin".to_owned(),
            version: "2".to_owned(),
        }
    }

    fn terms() -> Value {
        json!({
            "scheme": "exact", "network": "eip155:8453", "amount": "1000", "asset": Address::repeat_byte(2),
            "payTo": Address::repeat_byte(3), "maxTimeoutSeconds": 60,
            "extra": { "name": "USD Coin", "version": "2" },
        })
    }

    fn header(accepts: Value) -> Vec<u8> {
        let required = json!({ "x402Version": 2, "accepts": accepts, "resource": { "url": "https://x/" } });
        Base64Bytes::encode(required.to_string()).as_ref().to_vec()
    }

    fn with(field: &str, value: Value) -> Value {
        let mut terms = terms();
        terms[field] = value;
        terms
    }

    /// a table of offers that are not what is paid here, each refused by its reason.
    #[test]
    fn r_033_only_usdc_of_this_chain_by_an_exact_eip_3009_amount_is_paid() {
        let payee = |byte| json!(Address::repeat_byte(byte));
        for (name, offer, expected) in [
            ("as it should be", terms(), None),
            ("no domain named", with("extra", Value::Null), None),
            ("another scheme", with("scheme", json!("upto")), Some(Unfit::Scheme)),
            ("by Permit2", with("extra", json!({ "assetTransferMethod": "permit2" })), Some(Unfit::Scheme)),
            ("another chain", with("network", json!("eip155:1")), Some(Unfit::Chain("eip155:1".into()))),
            ("another kind of chain", with("network", json!("solana:x")), Some(Unfit::Chain("solana:x".into()))),
            ("another asset", with("asset", json!("0x12")), Some(Unfit::Asset("0x12".into()))),
            ("another domain", with("extra", json!({ "name": "USDC" })), Some(Unfit::Domain)),
            ("a domain that is no text", with("extra", json!({ "version": 2 })), Some(Unfit::Domain)),
            ("paid to nobody", with("payTo", payee(0)), Some(Unfit::Payee)),
            ("paid to the buyer", with("payTo", payee(1)), Some(Unfit::Payee)),
            ("paid to the token", with("payTo", payee(2)), Some(Unfit::Payee)),
            ("a negative amount", with("amount", json!("-1")), Some(Unfit::Amount)),
            ("a fraction", with("amount", json!("0.5")), Some(Unfit::Amount)),
            ("nothing", with("amount", json!("0")), Some(Unfit::Amount)),
            ("an exponent", with("amount", json!("1e30")), Some(Unfit::Amount)),
            ("an amount that is no text", with("amount", json!(5)), Some(Unfit::Scheme)),
        ] {
            let chosen = choose(Some(&header(json!([offer]))), b"", &float());
            assert_eq!(chosen.err(), expected.map(NoOffer::Unfit), "{name}");
        }
        let vast = choose(Some(&header(json!([with("amount", json!(format!("1{}", "0".repeat(30))))]))), b"", &float());
        assert_eq!(vast.expect("readable").price, Usdc::MAX, "too dear for anybody");
    }

    #[test]
    fn r_033_the_cheapest_offer_is_taken_and_the_newer_version_among_equals() {
        let body = |amount: &str| {
            json!({ "x402Version": 1, "accepts": [{
                "scheme": "exact", "network": "base", "maxAmountRequired": amount, "resource": "https://x/",
                "description": "", "mimeType": "", "payTo": Address::repeat_byte(3), "maxTimeoutSeconds": 60,
                "asset": Address::repeat_byte(2), "extra": { "name": "USD Coin", "version": "2" },
            }] })
            .to_string()
        };
        let newer = header(json!([with("scheme", json!("upto")), terms()]));
        for (older, version, price) in [("1000", 2, 1_000), ("999", 1, 999), ("1001", 2, 1_000)] {
            let chosen = choose(Some(&newer), body(older).as_bytes(), &float()).expect("an offer");
            assert_eq!((chosen.version(), chosen.price.micros()), (version, price));
        }
        assert_eq!(choose(None, body("7").as_bytes(), &float()).expect("an offer").version(), 1);
        let elsewhere = body("7").replace("\"base\"", "\"polygon\"");
        let unfit = choose(None, elsewhere.as_bytes(), &float()).err();
        assert_eq!(unfit, Some(NoOffer::Unfit(Unfit::Chain("eip155:137".to_owned()))));
    }

    #[test]
    fn r_033_what_is_no_offer_is_said_to_be_none() {
        for (head, body) in [
            (None, &b""[..]),
            (Some(&b"%%%"[..]), b"{}"),
            (Some(b"e30="), b"[]"),
            (None, b"{\"x402Version\":3,\"accepts\":[]}"),
            (None, b"{\"x402Version\":1,\"accepts\":[]}"),
        ] {
            assert_eq!(choose(head, body, &float()).err(), Some(NoOffer::Unreadable));
        }
    }

    proptest! {
        /// no text of a stranger's makes reading it fail, and what is chosen is payable.
        #[test]
        fn r_033_any_text_is_read(head in prop::collection::vec(any::<u8>(), 0..200),
                                  body in prop::collection::vec(any::<u8>(), 0..200),
                                  amount in "[0-9a-fx.-]{0,90}") {
            let _ = choose(Some(&head), &body, &float());
            let chosen = choose(Some(&header(json!([with("amount", json!(amount))]))), &body, &float());
            if let Ok(offer) = chosen {
                prop_assert!(!offer.price.is_zero() && !offer.payee.is_zero());
            }
        }
    }
}
