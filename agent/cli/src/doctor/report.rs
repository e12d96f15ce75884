//! A bug report that can be shown to strangers.

use golem_chain::redact_url;

use crate::golem::home::Home;
use golem_view::FindingPicture;

/// Versions, findings and configuration, without secrets.
pub(super) fn write(findings: &[FindingPicture], home: &Home) -> String {
    let mut text = format!(
        "bardo {} on {} {}\n\n## Findings\n",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::OS,
        std::env::consts::ARCH
    );
    for finding in findings {
        let mark = if finding.ok.0 { "ok" } else { "!!" };
        text.push_str(&format!("{mark} {}: {}\n", finding.what, finding.detail));
    }
    for folder in home.all().unwrap_or_default() {
        if let Ok(config) = std::fs::read_to_string(folder.config()) {
            text.push_str(&format!("\n## golem.toml of {}\n{config}", folder.name()));
        }
    }
    redact(&text, std::env::var("HOME").ok().as_deref())
}

/// No keys, no passwords in addresses, no name of the person in paths.
fn redact(text: &str, home: Option<&str>) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        let line = home.filter(|home| home.len() > 1).map_or_else(|| line.to_owned(), |home| line.replace(home, "~"));
        lines.push(hide_words(&hide_urls(&line)));
    }
    lines.join("\n") + "\n"
}

fn hide_urls(line: &str) -> String {
    let mut shown = String::new();
    let mut rest = line;
    while let Some(start) =
        ["https://", "http://", "wss://", "ws://"].iter().filter_map(|scheme| rest.find(scheme)).min()
    {
        let end = rest[start..]
            .find(|c: char| c.is_whitespace() || "\"',)]".contains(c))
            .map_or(rest.len(), |end| start + end);
        let url = rest[start..end].trim_end_matches([':', ';', '.']);
        shown.push_str(&rest[..start]);
        shown.push_str(&redact_url(url));
        rest = &rest[start + url.len()..];
    }
    shown + rest
}

/// 32 bytes in hex may be a key as well as a hash: neither is shown.
fn hide_words(line: &str) -> String {
    let is_secret = |word: &str| {
        let hex = word.trim_start_matches("0x");
        hex.len() >= 64 && hex.bytes().all(|b| b.is_ascii_hexdigit())
    };
    let mut shown = String::new();
    let mut word = String::new();
    for c in line.chars().chain(['\n']) {
        if c.is_ascii_alphanumeric() {
            word.push(c);
            continue;
        }
        shown.push_str(if is_secret(&word) { "(32 bytes hidden)" } else { &word });
        word.clear();
        shown.push(c);
    }
    shown.trim_end_matches('\n').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// O-006, R-024: what looks like a secret is not in a report.
    #[test]
    fn o_006_a_report_holds_no_secret() {
        let key = "ab".repeat(32);
        let text = format!(
            "/users/mallory/.bardo\nrpc = [\"https://x.example/v2/AbC0123456789dEfGh\", \"http://me:pw@y.example\"]\nkey 0x{key} and {key}\nhttps://hooks.example/T0123456/B1?token=abc: refused"
        );
        let shown = redact(&text, Some("/users/mallory"));
        for secret in ["mallory", "AbC0123456789dEfGh", "me:pw", &key, "token=abc", "T0123456"] {
            assert!(!shown.contains(secret), "{secret}: {shown}");
        }
        assert!(shown.contains("x.example") && shown.contains("y.example") && shown.contains("refused"), "{shown}");
    }
}
