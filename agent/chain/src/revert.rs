//! Why a contract refused, in a word and its values.

use std::fmt;

use alloy::primitives::{Bytes, U256};
use alloy::sol_types::{Panic, Revert as SolidityRevert, SolError, SolInterface};

use golem_primitives::{Usdc, UtcTime};

use crate::bindings::{IAdapters, IBirth, IEpitaph, IErc721, IIdentityRegistry, ILineageRegistry, ISuccession, IVault};

/// A refusal, decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ContractRefusal {
    Vault(Box<IVault::IVaultErrors>),
    Lineage(Box<ILineageRegistry::ILineageRegistryErrors>),
    Birth(Box<IBirth::IBirthErrors>),
    Succession(Box<ISuccession::ISuccessionErrors>),
    Identity(Box<IIdentityRegistry::IIdentityRegistryErrors>),
    Epitaph(Box<IEpitaph::IEpitaphErrors>),
    Adapter(Box<IAdapters::IAdaptersErrors>),
    /// By an ERC-721 token.
    Token(Box<IErc721::IErc721Errors>),
    /// In words, as older contracts do.
    Words(String),
    /// By the compiler's checks.
    Panic(u64),
    /// In no language known here.
    Unknown(Bytes),
}

impl ContractRefusal {
    /// Decodes revert data of anything the suite may call. Never fails: what is not understood is kept as it is.
    #[must_use]
    pub fn decode(data: &Bytes) -> Self {
        if let Ok(error) = IVault::IVaultErrors::abi_decode(data) {
            return Self::Vault(Box::new(error));
        }
        if let Ok(error) = ILineageRegistry::ILineageRegistryErrors::abi_decode(data) {
            return Self::Lineage(Box::new(error));
        }
        if let Ok(error) = IBirth::IBirthErrors::abi_decode(data) {
            return Self::Birth(Box::new(error));
        }
        if let Ok(error) = ISuccession::ISuccessionErrors::abi_decode(data) {
            return Self::Succession(Box::new(error));
        }
        if let Ok(error) = IIdentityRegistry::IIdentityRegistryErrors::abi_decode(data) {
            return Self::Identity(Box::new(error));
        }
        if let Ok(error) = IEpitaph::IEpitaphErrors::abi_decode(data) {
            return Self::Epitaph(Box::new(error));
        }
        if let Ok(error) = IAdapters::IAdaptersErrors::abi_decode(data) {
            return Self::Adapter(Box::new(error));
        }
        if let Ok(error) = IErc721::IErc721Errors::abi_decode(data) {
            return Self::Token(Box::new(error));
        }
        if let Ok(revert) = SolidityRevert::abi_decode(data) {
            return Self::Words(revert.reason);
        }
        if let Ok(panic) = Panic::abi_decode(data) {
            return Self::Panic(panic.code.saturating_to());
        }
        Self::Unknown(data.clone())
    }

    /// Of a call that an endpoint says was reverted: by its data, or in the node's words where it has none.
    pub(crate) fn of(data: Option<Bytes>, words: String) -> Self {
        data.map_or(Self::Words(words), |data| Self::decode(&data))
    }

    /// The name of the error, for rules and metrics.
    #[must_use]
    pub fn word(&self) -> &'static str {
        fn name<E: SolInterface>(error: &E, names: fn([u8; 4]) -> Option<&'static str>) -> &'static str {
            names(error.selector()).unwrap_or("Unknown")
        }
        match self {
            Self::Vault(error) => name(&**error, IVault::IVaultErrors::name_by_selector),
            Self::Lineage(error) => name(&**error, ILineageRegistry::ILineageRegistryErrors::name_by_selector),
            Self::Birth(error) => name(&**error, IBirth::IBirthErrors::name_by_selector),
            Self::Succession(error) => name(&**error, ISuccession::ISuccessionErrors::name_by_selector),
            Self::Identity(error) => name(&**error, IIdentityRegistry::IIdentityRegistryErrors::name_by_selector),
            Self::Epitaph(error) => name(&**error, IEpitaph::IEpitaphErrors::name_by_selector),
            Self::Adapter(error) => name(&**error, IAdapters::IAdaptersErrors::name_by_selector),
            Self::Token(error) => name(&**error, IErc721::IErc721Errors::name_by_selector),
            Self::Words(_) => "Error",
            Self::Panic(_) => "Panic",
            Self::Unknown(_) => "Unknown",
        }
    }

    /// What a person reads: what a Golem's vault refuses in a sentence with its amounts, and the contract's own word behind it.
    #[must_use]
    pub fn in_words(&self) -> String {
        match self {
            Self::Vault(error) => match sentence(error) {
                Some(sentence) => format!("{sentence} ({})", self.word()),
                None => self.to_string(),
            },
            _ => self.to_string(),
        }
    }
}

/// What a life can meet. The owner's commands look before they send and have words of their own.
fn sentence(error: &IVault::IVaultErrors) -> Option<String> {
    use IVault::IVaultErrors as E;
    let usdc = |micros: U256| Usdc::from_micros(micros.saturating_to());
    let time = |seconds: U256| UtcTime::from_seconds(seconds.saturating_to());
    Some(match error {
        E::TradeTooLarge(e) => {
            let (after, bound) = (usdc(e.volumeAfter), usdc(e.bound));
            format!("the trades of this minute would come to {after}, and the vault lets a minute move {bound}")
        }
        E::DayVolumeExceeded(e) => {
            let (after, bound) = (usdc(e.volumeAfter), usdc(e.bound));
            format!("the trades of this day would come to {after}, and the vault lets a day move {bound}")
        }
        E::DayLossReached(e) => {
            let (loss, bound) = (usdc(e.loss), usdc(e.bound));
            format!(
                "this day has lost {loss} of the {bound} that the vault lets a day lose, and nothing more is entered"
            )
        }
        E::BelowTrustedPrice(e) => {
            let (out, least) = (usdc(e.valueOut), usdc(e.minimum));
            format!("it would bring what is worth {out} at the vault's trusted price, and {least} is the least")
        }
        E::BelowMinOut(_) => "it would bring less than the least it was ordered for".to_owned(),
        E::ExposureFrozen(_) => "its phase lets it enter nothing more".to_owned(),
        E::HoldingExceeded(_) => "it would give away more than the vault holds".to_owned(),
        E::CallCapExceeded(e) => {
            format!("{} is more than the {} that one payment may be", usdc(e.amount), usdc(e.cap))
        }
        E::PartitionExceeded(e) => {
            format!("{} is more than the {} that is left for it", usdc(e.amount), usdc(e.balance))
        }
        E::DayCapExceeded(e) => {
            format!("the payments of this day would come to {}, and its cap is {}", usdc(e.spentAfter), usdc(e.cap))
        }
        E::FloatCapExceeded(e) => {
            format!("the key would hold {}, and {} is the most it may", usdc(e.balanceAfter), usdc(e.cap))
        }
        E::SpotTooFar(e) => {
            let (far, most) = (e.deviationBps, e.maxBps);
            format!("the pool is {far} hundredths of a percent from its average price, and {most} is the most")
        }
        E::DepthTooLow(e) => {
            format!("the pool holds {}, and the vault trusts no pool below {}", usdc(e.depth), usdc(e.minimum))
        }
        E::WindowNotCovered(_) => "the pool remembers too few prices for the vault to trust its average".to_owned(),
        E::NotListed(e) => format!("{} is not on the vault's list", e.subject),
        E::Hibernating(e) => format!("it hibernates until {}", time(e.until)),
        E::Locked(e) => format!("the vault is locked until {}", time(e.until)),
        E::OwnerChanged(_) => "its token was sold and the new owner has not accepted it".to_owned(),
        E::DeadlinePassed(e) => format!("it was to land until {} and came later", time(e.deadline)),
        E::RebalanceTooSoon(e) => format!("credits may be moved again from {}", time(e.allowedAt)),
        _ => return None,
    })
}

/// The longest text of a contract that is repeated: it is somebody else's word.
const WORDS: usize = 200;

impl fmt::Display for ContractRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Vault(error) => inner(f, error),
            Self::Lineage(error) => inner(f, error),
            Self::Birth(error) => inner(f, error),
            Self::Succession(error) => inner(f, error),
            Self::Identity(error) => inner(f, error),
            Self::Epitaph(error) => inner(f, error),
            Self::Adapter(error) => inner(f, error),
            Self::Token(error) => inner(f, error),
            Self::Words(words) => write!(f, "Error(\"{}\")", foreign(words)),
            Self::Panic(code) => write!(f, "Panic({code:#x})"),
            Self::Unknown(data) if data.is_empty() => f.write_str("a revert without a reason"),
            Self::Unknown(data) => {
                let shown = &data[..data.len().min(68)];
                write!(f, "a revert of {} bytes: {}", data.len(), alloy::hex::encode_prefixed(shown))
            }
        }
    }
}

/// Somebody else's words, short and without what moves a cursor.
pub(crate) fn foreign(words: &str) -> String {
    words.chars().filter(|c| !c.is_control()).take(WORDS).collect()
}

/// `ZeroAmount(ZeroAmount { of: 1 })` as `ZeroAmount { of: 1 }`.
fn inner(f: &mut fmt::Formatter<'_>, error: &impl fmt::Debug) -> fmt::Result {
    let text = format!("{error:?}");
    let text = text.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')')).unwrap_or(&text);
    f.write_str(text)
}

#[cfg(test)]
mod tests {
    use alloy::primitives::{U256, address, hex};
    use serde_json::Value;

    use super::*;

    /// Every custom error that any contract of the suite declares is known by its name.
    #[test]
    fn r_010_every_error_of_the_suite_has_its_word() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../contracts/abi");
        let mut seen = 0;
        for entry in std::fs::read_dir(folder).expect("the ABI").flatten() {
            let text = std::fs::read_to_string(entry.path()).expect("read");
            let artifact: Value = serde_json::from_str(&text).expect("JSON");
            for item in artifact["abi"].as_array().expect("a list").iter().filter(|item| item["type"] == "error") {
                let inputs = item["inputs"].as_array().expect("a list");
                let name = item["name"].as_str().expect("a name");
                // Two of a library's, which no call of ours can meet.
                if ["InvalidShortString", "StringTooLong"].contains(&name) {
                    continue;
                }
                let kinds: Vec<&str> = inputs.iter().map(|input| input["type"].as_str().expect("a type")).collect();
                let selector = alloy::primitives::keccak256(format!("{name}({})", kinds.join(",")));
                let mut data = selector[..4].to_vec();
                // Static zeroes; a string is an offset behind the head and a length of nothing.
                let head = 32 * inputs.len();
                for kind in &kinds {
                    let word = if *kind == "string" || *kind == "bytes" { U256::from(head) } else { U256::ZERO };
                    data.extend(word.to_be_bytes::<32>());
                }
                data.extend([0; 32]);
                data.truncate(
                    4 + head + if kinds.iter().any(|kind| ["string", "bytes"].contains(kind)) { 32 } else { 0 },
                );
                let refusal = ContractRefusal::decode(&data.into());
                assert_eq!(refusal.word(), name, "{refusal:?}");
                assert!(refusal.to_string().starts_with(name), "{refusal}");
                seen += 1;
            }
        }
        assert!(seen > 150, "{seen}");
    }

    /// What a life meets is told in USDC and hours, with the contract's word behind it.
    #[test]
    fn r_010_a_person_reads_amounts() {
        let told = |data: Vec<u8>| ContractRefusal::decode(&data.into()).in_words();
        let (volume, bound) = (U256::from(501_000_000), U256::from(500_000_000));
        assert_eq!(
            told(IVault::DayVolumeExceeded { volumeAfter: volume, bound }.abi_encode()),
            "the trades of this day would come to 501.00 USDC, and the vault lets a day move 500.00 USDC (DayVolumeExceeded)"
        );
        let late = told(IVault::Hibernating { until: U256::from(86_400), time: U256::ZERO }.abi_encode());
        assert!(late.contains("1970-01-02") && late.ends_with("(Hibernating)"), "{late}");
        let huge = told(IVault::CallCapExceeded { amount: U256::MAX, cap: U256::ZERO }.abi_encode());
        assert!(huge.ends_with("(CallCapExceeded)"), "an amount that no purse holds: {huge}");
        assert_eq!(told(IVault::NoNotice {}.abi_encode()), "NoNotice", "an owner's command has words of its own");
    }

    #[test]
    fn r_010_a_refusal_carries_its_values() {
        let error = IVault::TradeTooLarge { volumeAfter: U256::from(2), bound: U256::from(1) };
        let refusal = ContractRefusal::decode(&error.abi_encode().into());
        assert_eq!(
            (refusal.word(), refusal.to_string().as_str()),
            ("TradeTooLarge", "TradeTooLarge { volumeAfter: 2, bound: 1 }")
        );
        let stranger = address!("0x00000000000000000000000000000000000000aa");
        let error = IVault::RefuelRefused { key: stranger };
        let text = ContractRefusal::decode(&error.abi_encode().into()).to_string();
        assert!(text.to_lowercase().contains("00aa"), "{text}");
    }

    #[test]
    fn what_is_not_understood_is_kept_and_cut() {
        assert_eq!(ContractRefusal::decode(&Bytes::new()).to_string(), "a revert without a reason");
        let words = SolidityRevert { reason: "ERC20: no\n\u{1b}[31m money".to_owned() };
        assert_eq!(ContractRefusal::decode(&words.abi_encode().into()).to_string(), "Error(\"ERC20: no[31m money\")");
        let long = SolidityRevert { reason: "x".repeat(5_000) };
        assert!(ContractRefusal::decode(&long.abi_encode().into()).to_string().len() < 300);
        let panic = Panic { code: U256::from(0x11) };
        assert_eq!(ContractRefusal::decode(&panic.abi_encode().into()).to_string(), "Panic(0x11)");
        let odd = ContractRefusal::decode(&Bytes::from(hex!("deadbeef00")));
        assert_eq!((odd.word(), odd.to_string().as_str()), ("Unknown", "a revert of 5 bytes: 0xdeadbeef00"));
        let torn = ContractRefusal::decode(&Bytes::from(IVault::TradeTooLarge::SELECTOR.to_vec()));
        assert_eq!(torn.word(), "Unknown", "a known name without its values");
    }
}
