//! Whether a Golem that takes and sells over x402 can be paid and found.

use std::time::Duration;

use golem_edge::client;
use golem_x402::PayeeSettings;
use serde_json::Value;

use crate::golem::connect::Connected;
use crate::golem::home::{BirthCertificate, Folder};
use crate::golem::look::holder;
use golem_view::FindingPicture;

/// How long the public address may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// The longest page that is read.
const LARGEST_PAGE: usize = 64 << 10;

/// The facilitator, the address others call, and what the registration file says; nothing without `[feed]`.
pub(super) async fn examine(
    folder: &Folder,
    birth: &BirthCertificate,
    chain: Option<&Connected>,
) -> Vec<FindingPicture> {
    let Some(feed) = folder.settings().ok().and_then(|settings| settings.feed) else { return Vec::new() };
    let url = feed.url();
    let mut findings = vec![facilitator(folder, birth, &feed.settings(Some(birth))).await];
    if holder(folder).is_some() {
        findings.push(address(folder, birth, &url).await);
    }
    if let Some(chain) = chain.filter(|chain| chain.deployment.chain_id == birth.deployment.chain_id) {
        findings.extend(registration(folder, birth, chain, &url).await);
    }
    findings
}

async fn facilitator(folder: &Folder, birth: &BirthCertificate, settings: &PayeeSettings) -> FindingPicture {
    let subject = format!("{}: facilitator", folder.name());
    let settled = settings.settled_versions(birth.deployment.chain_id).await.map(|versions| {
        let versions: Vec<String> = versions.iter().map(ToString::to_string).collect();
        format!("settles here, x402 version {}", versions.join(" and "))
    });
    let settled = settled.map_err(|error| format!("{:#}", eyre::Report::new(error)));
    let remedy = format!("wait, or name another one in feed.facilitator of {}", folder.config().display());
    FindingPicture::tried(subject, settled, remedy)
}

/// Whether what others call is this Golem.
async fn address(folder: &Folder, birth: &BirthCertificate, url: &str) -> FindingPicture {
    let subject = format!("{}: feed", folder.name());
    let remedy = format!("lead {url} to feed.listen, or correct feed.public_url in {}", folder.config().display());
    let asked = async {
        let say = |error: reqwest::Error| error.without_url().to_string();
        let asked = client::client().map_err(say)?.get(format!("{url}/")).timeout(PATIENCE);
        let mut said = asked.send().await.map_err(say)?;
        let said = client::read(&mut said, LARGEST_PAGE).await.map_err(|error| error.to_string())?;
        serde_json::from_slice::<Value>(&said).map_err(|_| "what it says is no JSON".to_owned())
    };
    match asked.await {
        Ok(said)
            if said["vault"].as_str().is_some_and(|vault| vault.eq_ignore_ascii_case(&birth.vault.to_string())) =>
        {
            FindingPicture::sound(subject, format!("{url} answers"))
        }
        Ok(_) => FindingPicture::wrong(subject, format!("at {url} somebody else answers"), remedy),
        Err(error) => FindingPicture::wrong(subject, format!("{url} does not answer: {error}"), remedy),
    }
}

/// A file that says nothing is no defect; one that sends people elsewhere is.
async fn registration(
    folder: &Folder,
    birth: &BirthCertificate,
    chain: &Connected,
    url: &str,
) -> Option<FindingPicture> {
    let subject = format!("{}: registration", folder.name());
    let file = chain.onlooker().ok()?.agent_uri(birth.agent).await.ok()?;
    let said = golem_x402::advertised(&file).ok()?;
    let remedy = format!("bardo owner advertise {}", folder.name());
    Some(match said {
        Some(said) if said == url => FindingPicture::sound(subject, format!("says x402 at {said}")),
        Some(said) => FindingPicture::wrong(subject, format!("says x402 at {said}, not at {url}"), remedy),
        None => FindingPicture::sound(subject, format!("does not say that it takes x402; {remedy} does")),
    })
}
