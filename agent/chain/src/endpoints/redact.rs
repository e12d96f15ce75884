//! An endpoint's address without what it lets one do: providers put their keys into user, query and path.

use alloy::transports::http::reqwest::Url;

/// Path parts up to this length are names (`v2`, `rpc`, `base-sepolia`); longer ones are taken for keys.
const LONGEST_NAME: usize = 16;

/// `url` as it may be shown: no user, no query, no part of the path that could be a key.
#[must_use]
pub fn redact_url(url: &str) -> String {
    url.trim().parse::<Url>().map_or_else(|_| "(an address that is no URL)".to_owned(), |url| redact(&url))
}

pub(crate) fn redact(url: &Url) -> String {
    let mut shown = format!("{}://", url.scheme());
    if !url.username().is_empty() || url.password().is_some() {
        shown.push_str("***@");
    }
    shown.push_str(url.host_str().unwrap_or_default());
    if let Some(port) = url.port() {
        shown.push_str(&format!(":{port}"));
    }
    for part in url.path_segments().into_iter().flatten().filter(|part| !part.is_empty()) {
        shown.push('/');
        shown.push_str(if is_name(part) { part } else { "***" });
    }
    if url.query().is_some() {
        shown.push_str("?***");
    }
    shown
}

/// What in `url` must not be shown, for taking it out of others' words.
pub(super) fn secrets(url: &Url) -> Vec<String> {
    let path = url.path_segments().into_iter().flatten().filter(|part| !part.is_empty() && !is_name(part));
    let mut found: Vec<String> = path.map(ToOwned::to_owned).collect();
    found.extend(url.query_pairs().map(|(_, value)| value.into_owned()));
    found.extend([url.username(), url.password().unwrap_or_default()].map(ToOwned::to_owned));
    // A short one would blot out ordinary words.
    found.retain(|secret| secret.len() >= 6);
    found
}

/// A version or a word. A digit among letters is already suspicious beyond a few characters.
fn is_name(part: &str) -> bool {
    let plain = part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'_');
    let digits = part.bytes().filter(u8::is_ascii_digit).count();
    plain && part.len() <= LONGEST_NAME && (digits <= 2 || part.len() <= 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r_024_addresses_are_shown_without_their_keys() {
        for (given, shown) in [
            ("http://127.0.0.1:8545", "http://127.0.0.1:8545"),
            ("http://127.0.0.1:8545/", "http://127.0.0.1:8545"),
            ("https://base-mainnet.g.alchemy.com/v2/AbC0123456789dEf", "https://base-mainnet.g.alchemy.com/v2/***"),
            ("https://x.quiknode.pro/9a8b7c6d5e4f/", "https://x.quiknode.pro/***"),
            ("https://me:secret@rpc.example.org/base", "https://***@rpc.example.org/base"),
            ("https://rpc.example.org/base?apikey=secret", "https://rpc.example.org/base?***"),
            ("https://mainnet.base.org", "https://mainnet.base.org"),
            ("not a url with secret", "(an address that is no URL)"),
        ] {
            assert_eq!(redact_url(given), shown);
        }
    }
}
