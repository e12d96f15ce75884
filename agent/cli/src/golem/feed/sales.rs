//! What a Golem was paid for, one JSON object a line in `sales.jsonl`.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;

use golem_core::sharing::Sharing;
use golem_edge::files;
use golem_ports::PaymentReceipt;
use golem_primitives::{Address, B256, Ppm, Usdc, UtcTime};
use golem_view::SoldPicture;
use golem_x402::Good;
use serde::{Deserialize, Serialize};

use crate::golem::Folder;

/// A payment that was settled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Sale {
    pub(super) time: UtcTime,
    pub(super) good: String,
    pub(super) usdc_micros: u64,
    pub(super) payer: Option<Address>,
    pub(super) tx: Option<B256>,
    /// I-240. Which set of the library, by its hash.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) set: Option<B256>,
    /// From which confidence knowledge was given away then, and what the law alone would have said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) shared_from: Option<Ppm>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) shared_by_law: Option<Ppm>,
}

impl Sale {
    pub(super) fn new(time: UtcTime, good: Good, amount: Usdc, receipt: &PaymentReceipt) -> Self {
        let set = if let Good::Set(hash) = good { Some(hash) } else { None };
        let good = name(good).to_owned();
        let (usdc_micros, payer, tx) = (amount.micros(), receipt.payer, receipt.tx);
        Self { time, good, usdc_micros, payer, tx, set, shared_from: None, shared_by_law: None }
    }

    /// The same with what moved it; a feed gives nothing away, and a set is its owner's choice.
    pub(super) fn under(mut self, sharing: Option<Sharing>) -> Self {
        if let Some(sharing) = sharing.filter(|_| self.good != name(Good::Feed) && self.set.is_none()) {
            (self.shared_from, self.shared_by_law) = (Some(sharing.threshold), Some(sharing.by_law));
        }
        self
    }

    /// One line in one write, so that a crash cuts at most the last one.
    pub(super) fn write(&self, path: &Path) -> std::io::Result<()> {
        let line = format!("{}\n", serde_json::to_string(self).expect("plain data"));
        files::append(path)?.write_all(line.as_bytes())
    }
}

/// A good as files, metrics and people call it.
pub(super) const fn name(good: Good) -> &'static str {
    match good {
        Good::Feed => "feed",
        Good::Insights => "insights",
        Good::Bundle => "bundle",
        Good::Set(_) => "library",
    }
}

/// How often each good was paid for, and what it brought.
pub(super) fn totals(folder: &Folder) -> BTreeMap<String, SoldPicture> {
    let mut sums: BTreeMap<String, SoldPicture> = BTreeMap::new();
    if let Ok(file) = std::fs::File::open(folder.sales()) {
        let lines = BufReader::new(file).lines().map_while(Result::ok);
        for sale in lines.filter_map(|line| serde_json::from_str::<Sale>(&line).ok()) {
            let sum = sums.entry(sale.good).or_insert(SoldPicture { count: 0, brought: Usdc::ZERO });
            sum.count = sum.count.saturating_add(1);
            sum.brought = sum.brought.saturating_add(Usdc::from_micros(sale.usdc_micros));
        }
    }
    sums
}
