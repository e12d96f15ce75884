//! What is given away and what comes back for it, as headers.

use golem_ports::{Authorisation, FloatPlace, PaymentReceipt};
use golem_primitives::{B256, EffectId, U256, keccak256};
use serde_json::Value;
use x402_chain_eip155::v1_eip155_exact::types::{ExactEvmPayload, ExactEvmPayloadAuthorization, ExactScheme};
use x402_types::proto::{OriginalJson, v1, v2};
use x402_types::timestamp::UnixTimestamp;
use x402_types::util::Base64Bytes;

use crate::host::{Host, short};
use crate::offer::{Offer, Way};

/// The header version 1 pays with.
pub(crate) const X_PAYMENT: &str = "x-payment";
/// The header version 2 pays with.
pub(crate) const PAYMENT_SIGNATURE: &str = "payment-signature";
/// The header version 2 asks with.
pub(crate) const PAYMENT_REQUIRED: &str = "payment-required";
/// The header both versions answer with by now.
pub(crate) const PAYMENT_RESPONSE: &str = "payment-response";
/// The header version 1 answered with.
pub(crate) const X_PAYMENT_RESPONSE: &str = "x-payment-response";
/// The longest header that is sent or read.
pub(crate) const HEADER_BYTES: usize = 16 * 1024;

/// The name of an authorisation. It follows from the purchase alone: signing again after a crash gives away nothing new,
/// because the token refuses a second use of a name.
pub(crate) fn nonce(effect: EffectId, host: &Host, offer: &Offer) -> B256 {
    let mut bytes = b"bardo x402 payment".to_vec();
    bytes.extend(effect.0);
    bytes.extend((host.as_str().len() as u64).to_be_bytes());
    bytes.extend(host.as_str().as_bytes());
    bytes.extend(offer.price.micros().to_be_bytes());
    bytes.extend(offer.payee);
    keccak256(bytes)
}

/// The header that pays; `None` when it would be longer than one that is sent.
pub(crate) fn header(
    offer: &Offer,
    float: &FloatPlace,
    authorisation: &Authorisation,
    signature: Vec<u8>,
) -> Option<String> {
    let payload = ExactEvmPayload {
        signature: signature.into(),
        authorization: ExactEvmPayloadAuthorization {
            from: float.holder,
            to: authorisation.payee,
            value: U256::from(authorisation.amount.micros()),
            valid_after: UnixTimestamp::from_secs(0),
            valid_before: UnixTimestamp::from_secs(authorisation.valid_before.seconds()),
            nonce: authorisation.nonce,
        },
    };
    let payload = checksummed(&payload, float, authorisation)?;
    let json = match &offer.way {
        Way::V1 { network } => serde_json::to_vec(&v1::PaymentPayload {
            x402_version: v1::X402Version1,
            scheme: ExactScheme,
            network: network.clone(),
            payload,
        }),
        Way::V2(terms) => serde_json::to_vec(&v2::PaymentPayload {
            x402_version: v2::X402Version2,
            accepted: OriginalJson(terms.accepted.clone()),
            resource: terms.resource.clone(),
            payload,
            extensions: terms.extensions.clone(),
        }),
    };
    let header = Base64Bytes::encode(json.ok()?).to_string();
    (header.len() <= HEADER_BYTES).then_some(header)
}

/// The payload with its addresses as EIP-55 writes them: the library's own are in small letters, which the reference
/// facilitator takes for no addresses at all.
fn checksummed(payload: &ExactEvmPayload, float: &FloatPlace, authorisation: &Authorisation) -> Option<Value> {
    let mut said = serde_json::to_value(payload).ok()?;
    let parts = said.get_mut("authorization")?;
    parts["from"] = float.holder.to_checksum(None).into();
    parts["to"] = authorisation.payee.to_checksum(None).into();
    Some(said)
}

/// The name of the header a version pays with.
pub(crate) const fn header_name(version: u8) -> &'static str {
    if version == 1 { X_PAYMENT } else { PAYMENT_SIGNATURE }
}

/// A server's receipt; what is no receipt is none.
pub(crate) fn receipt(header: &[u8]) -> Option<PaymentReceipt> {
    if header.len() > HEADER_BYTES {
        return None;
    }
    let json = Base64Bytes::from(header).decode().ok()?;
    let said: Value = serde_json::from_slice(&json).ok()?;
    let text = |field: &str| said.get(field).and_then(Value::as_str);
    if said.get("success") != Some(&Value::Bool(true)) {
        return None;
    }
    Some(PaymentReceipt {
        tx: text("transaction").and_then(|tx| tx.parse().ok()),
        payer: text("payer").and_then(|payer| payer.parse().ok()),
        network: short(text("network").unwrap_or_default()),
    })
}

#[cfg(test)]
mod tests {
    use golem_primitives::{Address, Usdc};
    use proptest::prelude::*;

    use super::*;

    fn offer(micros: u64, payee: u8) -> Offer {
        let way = Way::V1 { network: "base".to_owned() };
        Offer { price: Usdc::from_micros(micros), payee: Address::repeat_byte(payee), seconds: 60, way }
    }

    /// R-033: the name is the purchase's: whatever differs, it differs, and nothing else makes it differ.
    #[test]
    fn r_033_a_name_follows_from_the_purchase_alone() {
        let (effect, other) = (EffectId(B256::repeat_byte(1)), EffectId(B256::repeat_byte(2)));
        let host = |name: &str| name.parse::<Host>().expect("a host");
        let base = nonce(effect, &host("a.example"), &offer(5, 1));
        let mut later = offer(5, 1);
        later.seconds = 7;
        assert_eq!(nonce(effect, &host("a.example"), &later), base);
        for changed in [
            nonce(other, &host("a.example"), &offer(5, 1)),
            nonce(effect, &host("b.example"), &offer(5, 1)),
            nonce(effect, &host("a.example:444"), &offer(5, 1)),
            nonce(effect, &host("a.example"), &offer(6, 1)),
            nonce(effect, &host("a.example"), &offer(5, 2)),
        ] {
            assert_ne!(changed, base);
        }
    }

    /// R-033: both addresses of a payment carry their checksum, in either version.
    #[test]
    fn r_033_the_addresses_of_a_payment_are_checksummed() {
        const HOLDER: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
        const PAYEE: &str = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
        let float = FloatPlace {
            holder: HOLDER.parse().expect("an address"),
            chain_id: 8_453,
            usdc: Address::repeat_byte(2),
            name: "USD Coin".to_owned(),
            version: "2".to_owned(),
        };
        let authorisation = Authorisation {
            payee: PAYEE.parse().expect("an address"),
            amount: Usdc::from_micros(5),
            valid_before: golem_primitives::UtcTime::from_seconds(9),
            nonce: B256::repeat_byte(3),
        };
        let terms = crate::offer::Terms {
            accepted: serde_json::value::RawValue::from_string("{}".to_owned()).expect("JSON"),
            resource: None,
            extensions: v2::ExtensionsJson::default(),
        };
        for way in [Way::V1 { network: "base".to_owned() }, Way::V2(Box::new(terms))] {
            let offer = Offer { way, ..offer(5, 1) };
            let header = header(&offer, &float, &authorisation, vec![1; 65]).expect("short");
            let json = Base64Bytes::from(header.as_bytes()).decode().expect("base64");
            let said: Value = serde_json::from_slice(&json).expect("JSON");
            let parts = &said["payload"]["authorization"];
            assert_eq!((&parts["from"], &parts["to"]), (&HOLDER.into(), &PAYEE.into()));
            assert_eq!((&parts["value"], &parts["validBefore"]), (&"5".into(), &"9".into()));
        }
    }

    #[test]
    fn r_033_a_receipt_is_read_in_either_spelling_and_a_refusal_is_none() {
        let tx = B256::repeat_byte(7);
        let payer = Address::repeat_byte(8);
        for (said, expected) in [
            (format!(r#"{{"success":true,"transaction":"{tx}","payer":"{payer}","network":"base"}}"#), Some(tx)),
            (r#"{"success":true,"transaction":"soon","network":"eip155:8453"}"#.to_owned(), None),
        ] {
            let read = receipt(Base64Bytes::encode(said).as_ref()).expect("a receipt");
            assert_eq!(read.tx, expected);
        }
        for refused in [r#"{"success":false,"network":"base"}"#, "{}", "[]", "7"] {
            assert_eq!(receipt(Base64Bytes::encode(refused).as_ref()), None, "{refused}");
        }
    }

    proptest! {
        #[test]
        fn r_033_any_receipt_is_read(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = receipt(&bytes);
            let _ = receipt(Base64Bytes::encode(&bytes).as_ref());
        }
    }
}
