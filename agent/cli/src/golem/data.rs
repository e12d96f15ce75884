//! What a Golem may buy over x402, `[x402]` of golem.toml, and buying it beside a life.

use std::collections::BTreeMap;

use eyre::{Result, WrapErr};
use golem_chain::{KeyFloat, Signer};
use golem_core::record::{PurchaseOccasion, SOURCES, SourceKind, SourceName};
use golem_ports::Payments;
use golem_primitives::{Address, Usdc};
use golem_runtime::Shopper;
use golem_settings::KeyChange;
use golem_x402::{Host, Listed, PaidSource, Payer, PayerSettings, PurchaseBounds, SourceMarket};

use super::connect::Connected;
use super::home::BirthCertificate;
use super::settings::table::{DataKeys, SourceKeys, SourceTable};

/// `[x402]` of golem.toml.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DataChoice {
    pub(crate) hosts: Vec<Listed>,
    pub(crate) per_call: Usdc,
    pub(crate) per_day: Usdc,
    pub(crate) sources: Vec<PaidSource>,
}

impl DataChoice {
    /// The most a day costs: what the sources come to at a thriving Golem's pace, and never above the day's cap.
    pub(crate) fn day_at_most(&self) -> Usdc {
        let all = self.sources.iter().map(|source| {
            let times = 86_400_u64.div_ceil(source.every_seconds.max(1));
            Usdc::from_micros(source.at_most.micros().saturating_mul(times))
        });
        all.fold(Usdc::ZERO, Usdc::saturating_add).min(self.per_day)
    }
}

/// What the tables say; `None` without a source. What does not go together is told, all of it.
pub(crate) fn read(
    keys: &DataKeys,
    sources: &BTreeMap<String, SourceTable>,
    mistakes: &mut Vec<String>,
) -> Option<DataChoice> {
    let DataKeys { per_call, per_day, .. } = *keys;
    if per_day < per_call {
        mistakes.push(format!("x402.per_day is {per_day}, less than one call may cost ({per_call}); raise it"));
    }
    let hosts: Vec<Listed> = keys.hosts.iter().filter_map(|text| listed(text, mistakes)).collect();
    if sources.len() > SOURCES {
        mistakes.push(format!("x402.sources are {}; at most {SOURCES} can be offered", sources.len()));
    }
    let read: Vec<PaidSource> =
        sources.iter().filter_map(|(name, found)| source(name, &found.source, per_call, &hosts, mistakes)).collect();
    (!sources.is_empty()).then_some(DataChoice { hosts, per_call, per_day, sources: read })
}

/// A host, and who is paid there when an address stands behind it.
fn listed(text: &str, mistakes: &mut Vec<String>) -> Option<Listed> {
    let (host, payee) = text.split_once(' ').map_or((text, None), |(host, payee)| (host, Some(payee.trim())));
    let host = match host.parse::<Host>() {
        Ok(host) => host,
        Err(error) => {
            mistakes.push(format!("x402.hosts: {error}"));
            return None;
        }
    };
    let payee = match payee.map(str::parse::<Address>) {
        None => None,
        Some(Ok(payee)) => Some(payee),
        Some(Err(_)) => {
            mistakes.push(format!("x402.hosts: what stands behind {host} is no address; write \"{host} 0x...\""));
            return None;
        }
    };
    Some(Listed { host, payee })
}

fn source(
    name: &str,
    keys: &SourceKeys,
    per_call: Usdc,
    hosts: &[Listed],
    mistakes: &mut Vec<String>,
) -> Option<PaidSource> {
    let mut wrong = |key: &str, what: String| mistakes.push(format!("x402.sources.{name}{key}: {what}"));
    let named = SourceName::new(name).map_err(|error| wrong("", error.to_string())).ok();
    let kind = SourceKind::from_name(&keys.kind).expect("the table admits these words");
    match kind {
        SourceKind::Price if !keys.field.starts_with('/') => {
            wrong(".field", "a price needs its place in the answer, such as \"/data/price\"".to_owned());
        }
        SourceKind::Text if !keys.field.is_empty() => {
            wrong(".field", "only a price has one; take it out, or say kind = \"price\"".to_owned());
        }
        _ => {}
    }
    let at_most = keys.at_most.unwrap_or(per_call);
    if at_most > per_call {
        wrong(".at_most", format!("it takes an amount above 0 to x402.per_call ({per_call})"));
    }
    let source = PaidSource {
        name: named?,
        url: keys.url.clone(),
        kind,
        field: keys.field.clone(),
        at_most,
        every_seconds: keys.every_minutes.saturating_mul(60),
        when: PurchaseOccasion::from_name(&keys.when).expect("the table admits these words"),
    };
    match source.host() {
        Err(error) => wrong(".url", error.to_string()),
        Ok(host) if !hosts.iter().any(|listed| listed.host == host) => {
            wrong(".url", format!("{host} is not in x402.hosts; add it if it may be paid"));
        }
        Ok(_) => return Some(source),
    }
    None
}

/// What differs from buying nothing.
pub(crate) fn changes(choice: Option<&DataChoice>) -> Vec<KeyChange> {
    let Some(choice) = choice else { return Vec::new() };
    let change = |source: &PaidSource| {
        let minutes = source.every_seconds / 60;
        let value = format!("{} every {minutes} min, at most {}", source.kind.name(), source.at_most);
        KeyChange { key: format!("x402.sources.{}", source.name), usual: "nothing".to_owned(), value }
    };
    choice.sources.iter().map(change).collect()
}

/// Who buys for a life. Whatever keeps it from buying is told, and it lives on without.
pub(crate) async fn shopper(
    choice: &DataChoice,
    till: impl Payments + Send + 'static,
    birth: &BirthCertificate,
    chain: &Connected,
    key: Signer,
) -> Option<Shopper> {
    match try_shopper(choice, till, birth, chain, key).await {
        Ok(shopper) => Some(shopper),
        Err(error) => {
            tracing::warn!("{error:#}; no data is bought until a restart");
            eprintln!("{} buys no data: {error:#}; it lives on, and a restart tries again", birth.name);
            None
        }
    }
}

async fn try_shopper(
    choice: &DataChoice,
    till: impl Payments + Send + 'static,
    birth: &BirthCertificate,
    chain: &Connected,
    key: Signer,
) -> Result<Shopper> {
    let policy = chain.onlooker()?.policy(birth.vault).await.wrap_err("the vault's policy cannot be read")?;
    let float = KeyFloat::open(chain.endpoints.clone(), key, &birth.deployment).await;
    let float = float.wrap_err("the chain's USDC cannot be read")?;
    let settings = PayerSettings {
        hosts: choice.hosts.clone(),
        per_call: choice.per_call,
        per_day: choice.per_day,
        ..PayerSettings::default()
    };
    let bounds = PurchaseBounds { per_day: choice.per_day, call_cap: policy.call_cap, float_cap: policy.float_cap };
    Ok(Shopper::hire(SourceMarket::new(Payer::new(float, settings)?, till, choice.sources.clone(), bounds)))
}

#[cfg(test)]
mod tests {
    use super::super::settings::Settings;
    use super::*;

    const GOOD: &str = "[x402]\nhosts = [\"api.example.com\", \"127.0.0.1:4021 0x00000000000000000000000000000000000000a1\"]\nper_call = 0.02\nper_day = \"0.5\"\n[x402.sources.eth]\nurl = \"https://api.example.com/eth\"\nkind = \"price\"\nfield = \"/price\"\nat_most = 0.005\nevery_minutes = 30\n[x402.sources.news]\nurl = \"http://127.0.0.1:4021/news\"\nwhen = \"volatile\"\n";

    /// R-033, O-003: the owner's words are read whole; nothing is bought without a source.
    #[test]
    fn r_033_sources_hosts_and_caps_are_read() {
        let chosen = |text: &str| Settings::read(text).expect("valid").data;
        assert_eq!(chosen("[golem]\n"), None);
        assert_eq!(chosen("[x402]\nhosts = []\nper_call = 0.01\nper_day = 0.25\n"), None);
        let choice = chosen(GOOD).expect("two sources");
        assert_eq!((choice.per_call, choice.per_day), (Usdc::from_micros(20_000), Usdc::from_micros(500_000)));
        assert_eq!(choice.hosts[1].payee.map(|payee| payee.0[19]), Some(0xa1));
        let [eth, news] = &choice.sources[..] else { panic!("{choice:?}") };
        assert_eq!((eth.every_seconds, eth.at_most, eth.kind), (1_800, Usdc::from_micros(5_000), SourceKind::Price));
        assert_eq!((news.every_seconds, news.at_most, news.when), (3_600, choice.per_call, PurchaseOccasion::Volatile));
        // 48 times half a cent and 24 times two, held at the day's cap.
        assert_eq!(choice.day_at_most(), Usdc::from_micros(500_000));
        let cheap = DataChoice { sources: vec![eth.clone()], ..choice };
        assert_eq!(cheap.day_at_most(), Usdc::from_micros(240_000));
        assert_eq!(changes(Some(&cheap)).len(), 1);
    }

    /// O-003: every mistake is told with what to do.
    #[test]
    fn r_033_mistakes_are_told_by_key() {
        for (from, to, told) in [
            ("per_call = 0.02", "per_call = 0", "x402.per_call"),
            ("per_call = 0.02", "per_call = 0.0000001", "six decimals"),
            ("per_day = \"0.5\"", "per_day = 0.001", "raise it"),
            ("\"api.example.com\",", "\"https://api.example.com\",", "host:port in a list"),
            ("0x00000000000000000000000000000000000000a1", "0xa1", "is no address"),
            ("https://api.example.com/eth", "http://api.example.com/eth", "use https"),
            ("https://api.example.com/eth", "https://elsewhere.example/eth", "is not in x402.hosts"),
            ("sources.eth", "sources.Eth", "small letters"),
            ("kind = \"price\"", "kind = \"oracle\"", "text or price"),
            ("field = \"/price\"", "field = \"price\"", "/data/price"),
            ("kind = \"price\"\n", "", "only a price has one"),
            ("at_most = 0.005", "at_most = 0.03", "x402.per_call"),
            ("every_minutes = 30", "every_minutes = 0", "1 to 10080"),
            ("when = \"volatile\"", "when = \"often\"", "always, exposed or volatile"),
            ("when = \"volatile\"", "wehn = \"always\"", "no key `x402.sources.news.wehn`"),
        ] {
            let text = GOOD.replace(from, to);
            assert_ne!(text, GOOD, "{from}");
            let said = Settings::read(&text).expect_err("a mistake").to_string();
            assert!(said.contains(told), "{to}: {said}");
        }
    }
}
