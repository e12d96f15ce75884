//! What a Golem takes and sells over x402.

use std::collections::BTreeMap;

use golem_primitives::{Ppm, Usdc};

use crate::{Picture as _, Shown as _, Table, picture};

picture! {
    /// What it asks; what has no price is not sold.
    pub struct PricesPicture in "usdc_micros" {
        feed_least: Option<Usdc> = "least feed",
        feed_most: Option<Usdc> = "most feed",
        insights: Option<Usdc> = "insights",
        bundle: Option<Usdc> = "bundle",
    }

    /// How often something was paid for, and what it brought.
    pub struct SoldPicture { count: u64 = "times, for", brought: Usdc = "in all" }

    /// A-077, S-129. From which confidence knowledge is sold now, and what closes that.
    pub struct SharingPicture {
        from: Ppm = "sells what is worth",
        by_law: Ppm,
        closed: Option<String> = "sells nothing while",
    }

    /// Its stall.
    pub struct FeedPicture {
        url: String = "address",
        facilitator: String = "facilitator",
        prices: PricesPicture,
        sold: BTreeMap<String, SoldPicture>,
        sharing: Option<SharingPicture>,
    }
}

impl FeedPicture {
    /// All of it in one table.
    #[must_use]
    pub fn told(&self, heading: &str) -> Table {
        let mut table = self.table(heading);
        table.rows.extend(self.prices.rows());
        let sold = |(good, sold): (&String, &SoldPicture)| {
            vec![format!("paid for {good}"), format!("{} in all, {} times", sold.brought.words(), sold.count)]
        };
        table.rows.extend(self.sold.iter().map(sold));
        table.rows.extend(self.sharing.iter().flat_map(SharingPicture::rows));
        table
    }
}
