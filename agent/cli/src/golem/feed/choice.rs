//! `[feed]` of golem.toml: what an owner lets a Golem take and sell.

use std::net::SocketAddr;

use golem_view::{FeedPicture, PricesPicture, SharingPicture};
use golem_x402::{PayeeSettings, PriceList};

use super::sales;
use crate::golem::home::{BirthCertificate, Folder};
use crate::golem::look;
use crate::golem::settings::table::{FeedKeys, FeedPrices};

/// `[feed]` of golem.toml.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FeedChoice {
    facilitator: String,
    listen: SocketAddr,
    public_url: Option<String>,
    prices: PriceList,
}

impl FeedChoice {
    /// What was written; `None` without a facilitator, and a mistake when something else was chosen then.
    pub(crate) fn read(keys: &FeedKeys, prices: &FeedPrices, mistakes: &mut Vec<String>) -> Option<Self> {
        if keys.facilitator.is_empty() {
            if (keys, prices) != (&FeedKeys::default(), &FeedPrices::default()) {
                let told = "feed.facilitator is missing: nobody would verify and settle; name one, or take [feed] out";
                mistakes.push(told.to_owned());
            }
            return None;
        }
        let choice = Self {
            facilitator: keys.facilitator.clone(),
            listen: keys.listen,
            public_url: Some(keys.public_url.clone()).filter(|url| !url.is_empty()),
            prices: PriceList { feed: prices.feed.0, insights: prices.insights, bundle: prices.bundle },
        };
        if let Err(mistake) = choice.settings(None).check() {
            mistakes.push(format!("{:#}", eyre::Report::new(mistake)));
        }
        Some(choice)
    }

    /// What a payee is opened with, for a Golem or for nobody yet.
    pub(crate) fn settings(&self, birth: Option<&BirthCertificate>) -> PayeeSettings {
        let name = birth.map(|birth| birth.name.clone()).unwrap_or_default();
        let agent = birth.map(|birth| {
            let suite = &birth.deployment;
            format!("eip155:{}:{}/{}", suite.chain_id, suite.identity, birth.agent)
        });
        PayeeSettings {
            listen: self.listen,
            public_url: self.public_url.clone(),
            prices: self.prices,
            agent,
            ..PayeeSettings::new(self.facilitator.clone(), name)
        }
    }

    /// What others call it. The settings were checked when they were read.
    pub(crate) fn url(&self) -> String {
        self.settings(None).url().unwrap_or_else(|_| format!("http://{}", self.listen))
    }

    /// Whether only this machine can reach what others are told.
    pub(crate) fn is_loopback(&self) -> bool {
        self.public_url.is_none() && (self.listen.ip().is_loopback() || self.listen.ip().is_unspecified())
    }

    /// Address, prices and what was sold so far, for a face.
    pub(crate) fn picture(&self, folder: &Folder) -> FeedPicture {
        FeedPicture {
            url: self.url(),
            facilitator: golem_chain::redact_url(&self.facilitator),
            prices: PricesPicture {
                feed_least: self.prices.feed.map(|(least, _)| least),
                feed_most: self.prices.feed.map(|(_, most)| most),
                insights: self.prices.insights,
                bundle: self.prices.bundle,
            },
            sold: sales::totals(folder),
            sharing: sharing(folder),
        }
    }
}

/// A-077, S-129. From which confidence knowledge is sold now, and what closes that.
fn sharing(folder: &Folder) -> Option<SharingPicture> {
    let sharing = look::life(&look::reader(folder).ok()?).ok()?.sharing();
    let closed = sharing.closed.map(|band| format!("suffering is {band}"));
    Some(SharingPicture { from: sharing.threshold, by_law: sharing.by_law, closed })
}

#[cfg(test)]
mod tests {
    use golem_primitives::Usdc;

    use crate::golem::settings::Settings;

    fn told(text: &str) -> String {
        Settings::read(text).expect_err("a mistake").to_string()
    }

    /// R-034, O-003: nothing listens unasked; every key is read; whatever could not be taken is told with its key.
    #[test]
    fn r_034_a_feed_is_what_the_owner_wrote_or_a_mistake_with_its_key() {
        assert_eq!(Settings::read("").expect("nothing").feed, None);
        assert_eq!(Settings::read("[feed]\n").expect("an empty table").feed, None);
        let text = "[feed]\nlisten = \"127.0.0.1:7\"\nfacilitator = \"https://x402.example/\"\npublic_url = \"https://golem.example/ada\"\nprices = { feed = [2, 30.5], insights = 0.05, bundle = 0.25 }\n";
        let feed = Settings::read(text).expect("valid").feed.expect("chosen");
        let usdc = |micros| Usdc::from_micros(micros);
        assert_eq!(feed.prices.feed, Some((usdc(2_000_000), usdc(30_500_000))));
        assert_eq!((feed.prices.insights, feed.prices.bundle), (Some(usdc(50_000)), Some(usdc(250_000))));
        assert_eq!((feed.url().as_str(), feed.is_loopback()), ("https://golem.example/ada", false));
        let plain = "[feed]\nfacilitator = \"http://127.0.0.1:9\"\n[feed.prices]\nfeed = []\n";
        let feed = Settings::read(plain).expect("valid").feed.expect("chosen");
        assert_eq!((feed.prices.feed, feed.is_loopback()), (None, true));
        let with = |line: &str| told(&format!("[feed]\nfacilitator = \"https://x402.example\"\n{line}\n"));
        for (line, key) in [
            ("listen = \"here\"", "feed.listen"),
            ("public_url = \"golem.example\"", "feed.public_url"),
            ("prices = { feed = [0.05, 10] }", "0.10 USDC"),
            ("prices = { feed = [10, 2] }", "below the least"),
            ("prices = { feed = [1] }", "feed.prices.feed"),
            ("prices = { feed = 5 }", "feed.prices.feed"),
            ("prices = { insights = 0 }", "/insights"),
            ("prices = { bundle = \"much\" }", "feed.prices.bundle"),
            ("prices = { insight = 1 }", "did you mean `feed.prices.insights`?"),
            ("prices = 3", "`feed.prices` is 3; write a table of keys"),
        ] {
            assert!(with(line).contains(key), "{line}: {}", with(line));
        }
        assert!(told("[feed]\nfacilitator = \"http://elsewhere.example\"\n").contains("https"), "no plain text");
        assert!(told("[feed]\nlisten = \"127.0.0.1:9\"\n").contains("feed.facilitator is missing"));
    }
}
