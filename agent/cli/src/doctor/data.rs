//! What a Golem may buy, from whom, and what a day of it costs at most.

use golem_x402::PaidSource;

use crate::golem::data::DataChoice;
use crate::golem::home::Folder;
use golem_view::FindingPicture;

/// Hosts, caps and each source; nothing without `[x402]`.
pub(super) fn examine(folder: &Folder) -> Vec<FindingPicture> {
    let choice = folder.settings().ok().and_then(|settings| settings.data);
    choice.map(|choice| findings(folder.name(), &choice)).unwrap_or_default()
}

fn findings(name: &str, choice: &DataChoice) -> Vec<FindingPicture> {
    let hosts: Vec<String> = choice.hosts.iter().map(|listed| listed.host.to_string()).collect();
    let caps = format!(
        "{} a call, {} a day; a day costs {} at most; paid to {}",
        choice.per_call,
        choice.per_day,
        choice.day_at_most(),
        hosts.join(", ")
    );
    let mut findings = vec![FindingPicture::sound(format!("{name}: data"), caps)];
    findings.extend(choice.sources.iter().map(|source| of_source(name, source)));
    findings
}

fn of_source(name: &str, source: &PaidSource) -> FindingPicture {
    let host = source.host().map(|host| host.to_string()).unwrap_or_default();
    let detail = format!(
        "{} of {host}, every {} min while it thrives ({}), {} at most",
        source.kind.name(),
        source.every_seconds / 60,
        source.when.name(),
        source.at_most
    );
    FindingPicture::sound(format!("{name}: source {}", source.name), detail)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golem::settings::Settings;

    /// hosts, caps, sources and a day's cost at most are told before anything is bought.
    #[test]
    fn r_033_a_days_cost_is_told() {
        let text = "[x402]\nhosts = [\"api.example.com\"]\nper_call = 0.02\nper_day = 0.5\n[x402.sources.eth]\nurl = \"https://api.example.com/eth\"\nat_most = 0.005\nevery_minutes = 30\n";
        let choice = Settings::read(text).expect("no mistake").data.expect("a source");
        let told: Vec<String> =
            findings("ada", &choice).iter().map(|finding| format!("{} {}", finding.what, finding.detail)).collect();
        assert_eq!(told.len(), 2);
        for part in ["0.02", "0.5", "0.24", "api.example.com:443"] {
            assert!(told[0].contains(part), "{part}: {}", told[0]);
        }
        assert!(told[1].contains("source eth") && told[1].contains("every 30 min"), "{}", told[1]);
    }
}
