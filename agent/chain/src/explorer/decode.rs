//! Calls and events by the names their contracts gave them.

use std::collections::HashMap;
use std::sync::LazyLock;

use alloy::dyn_abi::{DynSolValue, EventExt as _, JsonAbiExt as _};
use alloy::json_abi::{Event, Function, Param};
use alloy::primitives::{B256, Selector};

use crate::bindings::{COMMON_EVENTS, MONEY_CALLS, interfaces};

/// Letters of one value that are shown; a registration file may be long.
const LONGEST: usize = 512;

/// A call or an event, decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodedData {
    /// The kind of contract that has it.
    pub contract: &'static str,
    pub name: String,
    pub parts: Vec<NamedValue>,
}

/// One part of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedValue {
    /// Its name; empty where the contract gave none.
    pub name: String,
    /// Its type in Solidity.
    pub kind: String,
    pub value: String,
}

#[derive(Default)]
struct Words {
    /// Two kinds of token have one word for an approval and mean different things by it.
    calls: HashMap<Selector, Vec<(&'static str, Function)>>,
    /// The same for a transfer; these differ in what is indexed.
    events: HashMap<B256, Vec<(&'static str, Event)>>,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let mut words = Words::default();
    for (contract, abi) in interfaces() {
        for function in abi.functions() {
            words.calls.entry(function.selector()).or_default().push((contract, function.clone()));
        }
        for event in abi.events() {
            words.events.entry(event.selector()).or_default().push((contract, event.clone()));
        }
    }
    for function in MONEY_CALLS.into_iter().filter_map(|text| Function::parse(text).ok()) {
        for token in ["USDC", "WETH"] {
            words.calls.entry(function.selector()).or_default().push((token, function.clone()));
        }
    }
    for event in COMMON_EVENTS.into_iter().filter_map(|text| Event::parse(text).ok()) {
        words.events.entry(event.selector()).or_default().push(("", event));
    }
    words
});

/// What a call says, by the contract it is made to where that is known; none where nobody here knows it, or it is no such
/// call after all.
pub(crate) fn call(input: &[u8], to: Option<&'static str>) -> Option<DecodedData> {
    let (selector, rest) = input.split_first_chunk::<4>()?;
    let known = WORDS.calls.get(&Selector::from(*selector))?;
    let (contract, function) = known.iter().find(|(contract, _)| Some(*contract) == to).or(known.first())?;
    let values = function.abi_decode_input(rest).ok()?;
    Some(DecodedData { contract, name: function.name.clone(), parts: named(&function.inputs, &values) })
}

/// What an event says; none where nobody here knows it.
pub(super) fn event(topics: &[B256], data: &[u8]) -> Option<DecodedData> {
    let known = WORDS.events.get(topics.first()?)?;
    known.iter().find_map(|(contract, event)| {
        let decoded = event.decode_log_parts(topics.iter().copied(), data).ok()?;
        let (mut indexed, mut body) = (decoded.indexed.into_iter(), decoded.body.into_iter());
        let parts = event.inputs.iter().map(|input| {
            let value = if input.indexed { indexed.next() } else { body.next() };
            let value = value.map(|value| shown(&value)).unwrap_or_default();
            NamedValue { name: input.name.clone(), kind: input.ty.clone(), value }
        });
        Some(DecodedData { contract, name: event.name.clone(), parts: parts.collect() })
    })
}

fn named(inputs: &[Param], values: &[DynSolValue]) -> Vec<NamedValue> {
    let part = |(input, value): (&Param, &DynSolValue)| NamedValue {
        name: input.name.clone(),
        kind: input.ty.clone(),
        value: shown(value),
    };
    inputs.iter().zip(values).map(part).collect()
}

fn shown(value: &DynSolValue) -> String {
    let mut text = whole(value);
    if let Some((end, _)) = text.char_indices().nth(LONGEST) {
        text.truncate(end);
        text.push('…');
    }
    text
}

fn whole(value: &DynSolValue) -> String {
    let list = |values: &[DynSolValue]| values.iter().map(whole).collect::<Vec<_>>().join(", ");
    match value {
        DynSolValue::Bool(yes) => yes.to_string(),
        DynSolValue::Int(number, _) => number.to_string(),
        DynSolValue::Uint(number, _) => number.to_string(),
        DynSolValue::Address(address) => address.to_string(),
        DynSolValue::String(text) => text.clone(),
        DynSolValue::Bytes(bytes) => alloy::hex::encode_prefixed(bytes),
        DynSolValue::FixedBytes(word, size) => alloy::hex::encode_prefixed(&word[..*size]),
        DynSolValue::Function(function) => alloy::hex::encode_prefixed(function),
        DynSolValue::Array(values) | DynSolValue::FixedArray(values) => format!("[{}]", list(values)),
        DynSolValue::Tuple(values) => format!("({})", list(values)),
        DynSolValue::CustomStruct { tuple, .. } => format!("({})", list(tuple)),
    }
}

#[cfg(test)]
mod tests {
    use alloy::primitives::{Address, U256};
    use alloy::sol_types::{SolCall as _, SolEvent as _};

    use super::*;
    use crate::bindings::{IErc20, IErc721, IVault};

    /// O-013: a call and an event of a vault have their names and their parts.
    #[test]
    fn o_013_calls_and_events_of_the_suite_are_said_by_name() {
        let kill = IVault::killCall { reason: "<script>alert(1)</script>".to_owned() };
        let decoded = call(&kill.abi_encode(), None).expect("known");
        assert_eq!((decoded.contract, decoded.name.as_str()), ("Vault", "kill"));
        assert_eq!((decoded.parts[0].name.as_str(), decoded.parts[0].value.as_str()), ("reason", kill.reason.as_str()));
        let said =
            IVault::CapitalFunded { from: Address::repeat_byte(1), amount: U256::from(5), highWater: U256::from(5) };
        let log = said.encode_log_data();
        let decoded = event(log.topics(), &log.data).expect("known");
        assert_eq!(decoded.name, "CapitalFunded");
        assert!(decoded.parts.iter().any(|part| part.name == "amount" && part.value == "5"), "{decoded:?}");
        assert_eq!(call(&[1, 2, 3, 4, 5], None), None);
    }

    /// O-013: the two kinds of token are told apart by what they index.
    #[test]
    fn o_013_a_transfer_of_money_is_none_of_an_identity() {
        let (from, to) = (Address::repeat_byte(1), Address::repeat_byte(2));
        let money = IErc20::Transfer { from, to, value: U256::from(7) }.encode_log_data();
        let token = IErc721::Transfer { from, to, tokenId: U256::from(7) }.encode_log_data();
        let last = |log: &alloy::primitives::LogData| {
            event(log.topics(), &log.data).and_then(|decoded| decoded.parts.last().map(|part| part.name.clone()))
        };
        assert_eq!((last(&money).as_deref(), last(&token).as_deref()), (Some("value"), Some("tokenId")));
    }

    /// O-013: who lets a contract take his USDC is told of a sum, and not of a token of that number.
    #[test]
    fn o_013_an_approval_of_money_is_none_of_an_identity() {
        let data = IErc20::approveCall { spender: Address::repeat_byte(2), value: U256::from(7) }.abi_encode();
        let last = |to| call(&data, Some(to)).and_then(|decoded| decoded.parts.last().map(|part| part.name.clone()));
        assert_eq!(last("USDC").as_deref(), Some("value"));
        assert_eq!(last("IdentityRegistry").as_deref(), Some("tokenId"));
    }
}
