//! What a Golem was paid for, one JSON object a line in `sales.jsonl`.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;

use golem_core::sharing::Sharing;
use golem_edge::files;
use golem_ports::PaymentReceipt;
use golem_primitives::{Address, B256, Ppm, Usdc, UtcTime};
use golem_view::SoldPicture;
use golem_x402::{Good, Taken};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::golem::home::Folder;

/// A payment that was settled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Sale {
    pub(super) time: UtcTime,
    pub(super) good: String,
    pub(super) usdc_micros: u64,
    pub(super) payer: Option<Address>,
    pub(super) tx: Option<B256>,
    /// The name of the sale, so that whoever was not served before the stall closed is served later; on which network, and
    /// the facilitator's words.
    sale: B256,
    network: String,
    words: Value,
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
    pub(super) fn new(time: UtcTime, taken: &Taken) -> Self {
        let Taken { sale, good, amount, ref receipt, ref words } = *taken;
        let PaymentReceipt { tx, payer, network } = receipt.clone();
        Self {
            time,
            good: name(good).to_owned(),
            usdc_micros: amount.micros(),
            payer,
            tx,
            sale,
            network,
            words: words.clone(),
            set: if let Good::Set(hash) = good { Some(hash) } else { None },
            shared_from: None,
            shared_by_law: None,
        }
    }

    /// The payment it was written down for; of a good that is sold no more there is none.
    fn taken(self) -> Option<Taken> {
        let good = self.set.map(Good::Set).or_else(|| Good::ALL.into_iter().find(|good| name(*good) == self.good))?;
        let receipt = PaymentReceipt { tx: self.tx, payer: self.payer, network: self.network };
        let amount = Usdc::from_micros(self.usdc_micros);
        Some(Taken { sale: self.sale, good, amount, receipt, words: self.words })
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
    for sale in all(folder) {
        let sum = sums.entry(sale.good).or_insert(SoldPicture { count: 0, brought: Usdc::ZERO });
        sum.count = sum.count.saturating_add(1);
        sum.brought = sum.brought.saturating_add(Usdc::from_micros(sale.usdc_micros));
    }
    sums
}

/// Everything that was ever paid for, the newest last.
pub(super) fn taken(folder: &Folder) -> Vec<Taken> {
    all(folder).filter_map(Sale::taken).collect()
}

/// A line that a crash cut is passed over.
fn all(folder: &Folder) -> impl Iterator<Item = Sale> {
    let file = std::fs::File::open(folder.sales()).ok();
    let lines = file.into_iter().flat_map(|file| BufReader::new(file).lines().map_while(Result::ok));
    lines.filter_map(|line| serde_json::from_str(&line).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// what was written down of a payment is that payment again, whatever it bought; a line that a crash cut and a good that is
    /// sold no more are passed over.
    #[test]
    fn r_034_a_payment_is_read_as_it_was_written() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("sales.jsonl");
        let goods = [Good::Feed, Good::Insights, Good::Bundle, Good::Set(B256::repeat_byte(7))];
        let taken = goods.map(|good| Taken {
            sale: B256::repeat_byte(9),
            good,
            amount: Usdc::from_micros(50_001),
            receipt: PaymentReceipt {
                tx: Some(B256::repeat_byte(1)),
                payer: Some(Address::repeat_byte(2)),
                network: "eip155:8453".to_owned(),
            },
            words: serde_json::json!({ "success": true }),
        });
        for one in &taken {
            Sale::new(UtcTime::EPOCH, one).write(&path).expect("written");
        }
        let gone = Sale { good: "advice".to_owned(), ..Sale::new(UtcTime::EPOCH, &taken[0]) };
        gone.write(&path).expect("written");
        files::append(&path).expect("opens").write_all(b"{\"time\":").expect("cut");
        let read = |line: &str| serde_json::from_str::<Sale>(line).ok()?.taken();
        let text = std::fs::read_to_string(&path).expect("readable");
        assert_eq!(text.lines().filter_map(read).collect::<Vec<_>>(), taken);
    }
}
