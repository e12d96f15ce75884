//! What an owner paid for with his own wallet, `purchases.json` of the library (R-033, I-240).
//!
//! A payment is on disk before its header is sent, and one purchase has one name: bought again, it is given again. One
//! process buys at a time.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use eyre::{Result, WrapErr, bail};
use golem_core::record::Partition;
use golem_edge::files;
use golem_ports::{
    Authorisation, Delivery, FloatBook, Goods, Payment, PaymentReceipt, PaymentState, Payments, StoreError,
};
use golem_primitives::{Address, B256, EffectId, Usdc, UtcTime, keccak256};
use serde::{Deserialize, Serialize};

use crate::golem::home::Home;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Came {
    Nothing,
    Answer { media: String, tx: Option<B256>, payer: Option<Address>, network: Option<String> },
    NotServed { why: String },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Row {
    nonce: B256,
    effect: EffectId,
    host: String,
    payee: Address,
    usdc_micros: u64,
    valid_before: UtcTime,
    at: UtcTime,
    version: u8,
    header: String,
    state: PaymentState,
    came: Came,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Book {
    payments: Vec<Row>,
    /// Sellers that took money and gave nothing, or something else.
    barred: BTreeMap<String, UtcTime>,
}

/// The owner's record of purchases, held by one process.
#[derive(Debug)]
pub(super) struct Purchases {
    dir: PathBuf,
    book: Book,
    lock: File,
}

impl Drop for Purchases {
    fn drop(&mut self) {
        let _ = self.lock.unlock();
    }
}

impl Purchases {
    pub(super) fn open(home: &Home) -> Result<Self> {
        let dir = home.library();
        files::make_folder(&dir)?;
        let path = dir.join("purchases.lock");
        let lock = files::open(&path, OpenOptions::new().write(true).create(true).truncate(false))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => bail!("another process buys for this library just now; wait for it"),
            Err(TryLockError::Error(error)) => {
                return Err(error).wrap_err_with(|| format!("cannot lock {}", path.display()));
            }
        }
        let path = dir.join("purchases.json");
        let book = match std::fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes).wrap_err_with(|| {
                format!("{} cannot be read; nothing is bought before it can, or it could be paid twice", path.display())
            })?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Book::default(),
            Err(error) => return Err(error).wrap_err_with(|| format!("cannot read {}", path.display())),
        };
        Ok(Self { dir, book, lock })
    }

    /// The one name of buying this set there. What ran out without being taken is over, and the next try has another name.
    pub(super) fn effect(&self, buyer: Address, host: &str, set: B256) -> EffectId {
        let mut attempt = 0_u32;
        loop {
            let named = [&b"bardo library purchase"[..], buyer.as_slice(), host.as_bytes(), set.as_slice()].concat();
            let effect = EffectId(keccak256([named.as_slice(), &attempt.to_be_bytes()].concat()));
            let is_over = self.book.payments.iter().any(|row| row.effect == effect && row.state == PaymentState::Void);
            if !is_over {
                return effect;
            }
            attempt += 1;
        }
    }

    /// Notes that what came is not what was listed: nothing is bought there for a while, and what came is kept to be shown.
    pub(super) fn cheated(&mut self, host: &str, until: UtcTime) -> Result<(), StoreError> {
        self.book.barred.insert(host.to_owned(), until);
        self.keep()
    }

    /// Where what came for a payment lies.
    pub(super) fn answer_of(&self, effect: EffectId) -> Option<PathBuf> {
        self.row_of(effect).map(|row| self.body(row.nonce))
    }

    fn body(&self, nonce: B256) -> PathBuf {
        self.dir.join("purchases").join(format!("{nonce}.json"))
    }

    fn failed(&self, detail: impl Into<String>) -> StoreError {
        StoreError::Failed { path: self.dir.join("purchases.json"), detail: detail.into() }
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
        files::write_whole(path, bytes).map_err(|error| self.failed(error.to_string()))
    }

    fn keep(&self) -> Result<(), StoreError> {
        let bytes = serde_json::to_vec_pretty(&self.book).map_err(|error| self.failed(error.to_string()))?;
        self.write(&self.dir.join("purchases.json"), &bytes)
    }

    fn change(&mut self, nonce: B256, change: impl FnOnce(&mut Row)) -> Result<(), StoreError> {
        match self.book.payments.iter_mut().find(|row| row.nonce == nonce) {
            Some(row) => change(row),
            None => return Err(self.failed(format!("there is no payment {nonce}"))),
        }
        self.keep()
    }

    fn row_of(&self, effect: EffectId) -> Option<&Row> {
        let rows = || self.book.payments.iter().rev().filter(|row| row.effect == effect);
        rows().find(|row| row.state != PaymentState::Void).or_else(|| rows().next())
    }

    fn payment(&self, row: &Row) -> Payment {
        let delivery = match &row.came {
            Came::Nothing => Delivery::Awaited,
            Came::NotServed { why } => Delivery::Unserved { why: why.clone() },
            Came::Answer { media, tx, payer, network } => {
                let receipt = network.clone().map(|network| PaymentReceipt { tx: *tx, payer: *payer, network });
                let body = std::fs::read(self.body(row.nonce)).ok();
                Delivery::Served { receipt, answer: body.map(|body| Goods { media: media.clone(), body }) }
            }
        };
        Payment {
            effect: row.effect,
            partition: Partition::Data,
            host: row.host.clone(),
            authorisation: Authorisation {
                payee: row.payee,
                amount: Usdc::from_micros(row.usdc_micros),
                valid_before: row.valid_before,
                nonce: row.nonce,
            },
            at: row.at,
            version: row.version,
            header: row.header.clone(),
            state: row.state,
            delivery,
        }
    }

    fn sum(&self, is_meant: impl Fn(&Row) -> bool) -> Usdc {
        let meant = self.book.payments.iter().filter(|row| is_meant(row));
        meant.fold(Usdc::ZERO, |sum, row| sum.saturating_add(Usdc::from_micros(row.usdc_micros)))
    }
}

impl Payments for Purchases {
    fn intend(&mut self, payment: &Payment) -> Result<(), StoreError> {
        let Authorisation { payee, amount, valid_before, nonce } = payment.authorisation.clone();
        let is_taken =
            |row: &Row| (row.effect == payment.effect || row.nonce == nonce) && row.state != PaymentState::Void;
        if self.book.payments.iter().any(is_taken) {
            return Err(self.failed(format!("{} is paid for already, or may be; it is not paid again", payment.effect)));
        }
        self.book.payments.push(Row {
            nonce,
            effect: payment.effect,
            host: payment.host.clone(),
            payee,
            usdc_micros: amount.micros(),
            valid_before,
            at: payment.at,
            version: payment.version,
            header: payment.header.clone(),
            state: PaymentState::Open,
            came: Came::Nothing,
        });
        self.keep()
    }

    fn payment_of(&self, effect: EffectId) -> Result<Option<Payment>, StoreError> {
        Ok(self.row_of(effect).map(|row| self.payment(row)))
    }

    fn open_payments(&self) -> Result<Vec<Payment>, StoreError> {
        let open = self.book.payments.iter().filter(|row| row.state == PaymentState::Open);
        Ok(open.map(|row| self.payment(row)).collect())
    }

    fn conclude(&mut self, nonce: B256, state: PaymentState) -> Result<(), StoreError> {
        self.change(nonce, |row| row.state = state)
    }

    fn served(&mut self, nonce: B256, receipt: Option<&PaymentReceipt>, answer: &Goods) -> Result<(), StoreError> {
        self.write(&self.body(nonce), &answer.body)?;
        let (tx, payer) = (receipt.and_then(|receipt| receipt.tx), receipt.and_then(|receipt| receipt.payer));
        let network = receipt.map(|receipt| receipt.network.clone());
        let media = answer.media.clone();
        self.change(nonce, |row| row.came = Came::Answer { media, tx, payer, network })
    }

    fn unserved(&mut self, nonce: B256, why: &str, bar_until: Option<UtcTime>) -> Result<(), StoreError> {
        let host = self.book.payments.iter().find(|row| row.nonce == nonce).map(|row| row.host.clone());
        if let (Some(host), Some(until)) = (host, bar_until) {
            let known = self.book.barred.entry(host).or_insert(until);
            *known = (*known).max(until);
        }
        let why = why.to_owned();
        self.change(nonce, |row| row.came = Came::NotServed { why })
    }

    fn spent_on(&self, day: u64) -> Result<Usdc, StoreError> {
        Ok(self.sum(|row| row.at.day() == day && row.state != PaymentState::Void))
    }

    fn barred_until(&self, host: &str) -> Result<Option<UtcTime>, StoreError> {
        Ok(self.book.barred.get(host).copied())
    }

    fn payee_of(&self, host: &str) -> Result<Option<Address>, StoreError> {
        Ok(self
            .book
            .payments
            .iter()
            .find(|row| row.host == host && row.state != PaymentState::Void)
            .map(|row| row.payee))
    }

    fn drew(&mut self, _: EffectId, _: Partition, _: Usdc) -> Result<(), StoreError> {
        Err(self.failed("nothing is drawn for an owner's own wallet"))
    }

    /// An owner's wallet has no partitions: what it holds is asked of the chain, and all of it is his.
    fn float_book(&self) -> Result<FloatBook, StoreError> {
        let mut book = FloatBook::default();
        let data = Partition::Data as usize;
        (book.drawn[data], book.open[data]) = (Usdc::MAX, self.sum(|row| row.state == PaymentState::Open));
        Ok(book)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn payment(effect: EffectId, nonce: u8) -> Payment {
        Payment {
            effect,
            partition: Partition::Data,
            host: "golem.example:443".to_owned(),
            authorisation: Authorisation {
                payee: Address::repeat_byte(7),
                amount: Usdc::from_micros(250_000),
                valid_before: UtcTime::from_seconds(600),
                nonce: B256::repeat_byte(nonce),
            },
            at: UtcTime::from_seconds(60),
            version: 2,
            header: "header".to_owned(),
            state: PaymentState::Open,
            delivery: Delivery::Awaited,
        }
    }

    /// R-033, I-240: a purchase has one name until it ran out untaken; it is not paid a second time, by this process or the next, and
    /// what came is given again. Two processes do not buy at once.
    #[test]
    fn r_033_a_set_is_paid_once_and_given_again() {
        let dir = tempfile::tempdir().expect("a folder");
        let home = Home::at(dir.path());
        let (buyer, set) = (Address::repeat_byte(1), B256::repeat_byte(9));
        let mut book = Purchases::open(&home).expect("free");
        assert!(Purchases::open(&home).expect_err("held").to_string().contains("another process"));
        let first = book.effect(buyer, "golem.example:443", set);
        book.intend(&payment(first, 1)).expect("on disk");
        book.intend(&payment(first, 2)).expect_err("a second payment of one purchase");
        assert_eq!(book.effect(buyer, "golem.example:443", set), first, "its name stays");
        assert_eq!(book.float_book().expect("a book").open[Partition::Data as usize], Usdc::from_micros(250_000));
        drop(book);
        let mut book = Purchases::open(&home).expect("let go");
        book.conclude(B256::repeat_byte(1), PaymentState::Void).expect("on disk");
        let second = book.effect(buyer, "golem.example:443", set);
        assert_ne!(second, first, "what ran out is over");
        assert_eq!(book.spent_on(0).expect("read"), Usdc::ZERO);
        book.intend(&payment(second, 3)).expect("on disk");
        let goods = Goods { media: "application/json".to_owned(), body: b"{}".to_vec() };
        book.conclude(B256::repeat_byte(3), PaymentState::Settled).expect("on disk");
        book.served(B256::repeat_byte(3), None, &goods).expect("on disk");
        drop(book);
        let mut book = Purchases::open(&home).expect("let go");
        let known = book.payment_of(second).expect("read").expect("there");
        assert_eq!(known.delivery, Delivery::Served { receipt: None, answer: Some(goods) });
        assert_eq!(book.payee_of("golem.example:443").expect("read"), Some(Address::repeat_byte(7)));
        book.cheated("golem.example:443", UtcTime::from_seconds(900)).expect("on disk");
        assert_eq!(book.barred_until("golem.example:443").expect("read"), Some(UtcTime::from_seconds(900)));
    }

    /// a record that cannot be read stops every purchase instead of letting one be paid twice.
    #[test]
    fn r_033_nothing_is_bought_beside_a_damaged_record() {
        let dir = tempfile::tempdir().expect("a folder");
        let home = Home::at(dir.path());
        drop(Purchases::open(&home).expect("free"));
        std::fs::write(home.library().join("purchases.json"), b"{").expect("written");
        let told = Purchases::open(&home).expect_err("damaged").to_string();
        assert!(told.contains("paid twice"), "{told}");
    }
}
