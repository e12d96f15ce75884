//! Who may be bought from: exactly the servers the owner listed.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use golem_primitives::Address;
use reqwest::Url;

/// A server, as `host:port`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Host(String);

/// Why a text names no server one may buy from.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HostError {
    #[error("{text:?} is no address of a server; write it as https://host/path, or host:port in a list")]
    Unreadable {
        /// What was given, cut short.
        text: String,
    },
    #[error("{host} is neither on this machine nor asked over https; use https")]
    Plain { host: String },
    #[error("the address of {host} carries a name or password; leave it out")]
    Credentials { host: String },
}

/// A listed server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    pub host: Host,
    /// Who is paid there. `None` binds whoever is paid there first.
    pub payee: Option<Address>,
}

impl Host {
    /// The server a URL is asked of.
    ///
    /// # Errors
    /// [`HostError`] for anything but https, or http on this machine.
    pub fn of(url: &Url) -> Result<Self, HostError> {
        let unreadable = || HostError::Unreadable { text: short(url.as_str()) };
        let name = url.host_str().ok_or_else(unreadable)?;
        let port = url.port_or_known_default().ok_or_else(unreadable)?;
        let host = format!("{name}:{port}");
        match url.scheme() {
            "https" => {}
            "http" if is_here(name) => {}
            "http" => return Err(HostError::Plain { host }),
            _ => return Err(unreadable()),
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(HostError::Credentials { host });
        }
        Ok(Self(host))
    }

    /// `host:port`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Host {
    type Err = HostError;

    /// Reads `host` or `host:port`; without a port it is 443.
    fn from_str(text: &str) -> Result<Self, HostError> {
        let unreadable = || HostError::Unreadable { text: short(text) };
        if text.is_empty() || text.contains(['/', '@', '?', '#', '\\']) || text.contains(char::is_whitespace) {
            return Err(unreadable());
        }
        // A list says whom one may ask; how is checked when one asks.
        Url::parse(&format!("https://{text}/")).map_err(|_| unreadable()).and_then(|url| Self::of(&url))
    }
}

/// Whether a name stands for this machine.
fn is_here(name: &str) -> bool {
    let literal = name.trim_start_matches('[').trim_end_matches(']');
    name == "localhost" || literal.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Enough of a stranger's text to recognise it by.
pub(crate) fn short(text: &str) -> String {
    const SHOWN: usize = 120;
    text.chars().filter(|letter| !letter.is_control()).take(SHOWN).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// only https, only loopback without it, and the port is part of the name.
    #[test]
    fn r_033_a_server_is_its_name_and_port() {
        for (url, expected) in [
            ("https://api.example.com/v1?q=1", Some("api.example.com:443")),
            ("https://API.Example.com:8443/", Some("api.example.com:8443")),
            ("http://127.0.0.1:9/x", Some("127.0.0.1:9")),
            ("http://[::1]:9/x", Some("[::1]:9")),
            ("http://localhost/x", Some("localhost:80")),
            ("http://api.example.com/", None),
            ("http://10.0.0.1/", None),
            ("http://127.0.0.1.example.com/", None),
            ("https://user:word@api.example.com/", None),
            ("ftp://api.example.com/", None),
            ("data:text/plain,1", None),
        ] {
            let host = Host::of(&Url::parse(url).expect("a URL")).ok();
            assert_eq!(host.as_ref().map(Host::as_str), expected, "{url}");
        }
    }

    #[test]
    fn r_033_a_list_names_servers_and_nothing_more() {
        for (text, expected) in [
            ("api.example.com", Some("api.example.com:443")),
            ("api.example.com:8443", Some("api.example.com:8443")),
            ("127.0.0.1:4021", Some("127.0.0.1:4021")),
            ("", None),
            ("https://api.example.com", None),
            ("api.example.com/path", None),
            ("user@api.example.com", None),
            ("api example", None),
            ("api.example.com:99999", None),
        ] {
            assert_eq!(text.parse::<Host>().ok().as_ref().map(Host::as_str), expected, "{text}");
        }
    }
}
