//! Payments over HTTP 402: on disk before they are given away, and never two for one effect.

use golem_core::record::Partition;
use golem_ports::{
    Authorisation, Delivery, FloatBook, Goods, Payment, PaymentReceipt, PaymentState, Payments, StoreError,
};
use golem_primitives::{Address, B256, EffectId, Usdc, UtcTime};
use rusqlite::Row;

use crate::codec::{self, Columns, Number};
use crate::error::{At, failed};
use crate::reader::{Reader, begin};
use crate::store::SqliteStore;

/// An answer is kept this long for whoever dies before using it.
const ANSWERS_KEPT_SECONDS: u64 = UtcTime::DAY_SECONDS;

impl Reader {
    /// The last `limit` payments, newest first.
    pub fn last_payments(&self, limit: u32) -> Result<Vec<Payment>, StoreError> {
        self.all("SELECT * FROM payments ORDER BY place DESC LIMIT ?1", [limit], payment)
    }
}

impl Payments for SqliteStore {
    fn intend(&mut self, payment: &Payment) -> Result<(), StoreError> {
        self.stand()?;
        let (path, nonce) = (self.path(), payment.authorisation.nonce);
        let transaction = begin(self.reader())?;
        // two nonces that may both be taken are two payments. The adapter never asks for it; the disk refuses it.
        let sql = "SELECT count(*) FROM payments WHERE effect = ?1 AND state <> 'void'
                   AND NOT (nonce = ?2 AND header = ?3 AND state = 'open')";
        let values = (codec::effect(payment.effect), nonce.0, &payment.header);
        let others: i64 = transaction.query_row(sql, values, |row| row.get(0)).at(path)?;
        if others > 0 {
            let detail = format!("effect {} is paid for already, or may be; it is not paid again", payment.effect);
            return Err(failed(path, detail));
        }
        let sql = "INSERT INTO payments (nonce, effect, partition, host, payee, amount, valid_before, at, day, version,
                                         header, state, delivery)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, 'open', 'awaited')
                   ON CONFLICT (nonce) DO UPDATE SET valid_before = excluded.valid_before, at = excluded.at,
                       day = excluded.day, version = excluded.version, header = excluded.header, state = 'open'
                   WHERE effect = excluded.effect AND state = 'void'";
        let authorisation = &payment.authorisation;
        let values = (
            nonce.0,
            codec::effect(payment.effect),
            word(payment.partition),
            &payment.host,
            authorisation.payee.as_slice(),
            Number(authorisation.amount.micros()),
            Number(authorisation.valid_before.seconds()),
            Number(payment.at.seconds()),
            Number(payment.at.day()),
            payment.version,
            &payment.header,
        );
        transaction.execute(sql, values).at(path)?;
        let sql = "SELECT count(*) FROM payments WHERE nonce = ?1 AND effect = ?2 AND header = ?3 AND state = 'open'";
        let values = (nonce.0, codec::effect(payment.effect), &payment.header);
        let written: i64 = transaction.query_row(sql, values, |row| row.get(0)).at(path)?;
        if written != 1 {
            return Err(failed(path, format!("the name {nonce} belongs to another effect's payment")));
        }
        transaction.commit().at(path)
    }

    fn payment_of(&self, effect: EffectId) -> Result<Option<Payment>, StoreError> {
        // One that is opened again keeps its place: a later one of another price that ran out must not hide it.
        let sql = "SELECT * FROM payments WHERE effect = ?1 ORDER BY (state <> 'void') DESC, place DESC LIMIT 1";
        self.reader().maybe(sql, [codec::effect(effect)], payment)
    }

    fn open_payments(&self) -> Result<Vec<Payment>, StoreError> {
        self.reader().all("SELECT * FROM payments WHERE state = 'open' ORDER BY place", (), payment)
    }

    fn conclude(&mut self, nonce: B256, state: PaymentState) -> Result<(), StoreError> {
        let state = match state {
            PaymentState::Open => "open",
            PaymentState::Settled => "settled",
            PaymentState::Void => "void",
        };
        let changed = self.write("UPDATE payments SET state = ?2 WHERE nonce = ?1", (nonce.0, state))?;
        self.known(changed, nonce)
    }

    fn served(&mut self, nonce: B256, receipt: Option<&PaymentReceipt>, answer: &Goods) -> Result<(), StoreError> {
        let sql = "UPDATE payments SET delivery = 'served', tx = ?2, payer = ?3, network = ?4, media = ?5, body = ?6,
                   why = NULL WHERE nonce = ?1";
        let values = (
            nonce.0,
            receipt.and_then(|receipt| receipt.tx).map(|tx| tx.0),
            receipt.and_then(|receipt| receipt.payer).map(|payer| payer.into_array()),
            receipt.map(|receipt| &receipt.network),
            &answer.media,
            &answer.body,
        );
        let changed = self.write(sql, values)?;
        self.known(changed, nonce)?;
        let old = "UPDATE payments SET body = NULL WHERE body IS NOT NULL
                   AND at + ?2 < (SELECT at FROM payments WHERE nonce = ?1)";
        self.write(old, (nonce.0, Number(ANSWERS_KEPT_SECONDS))).map(drop)
    }

    fn unserved(&mut self, nonce: B256, why: &str, bar_until: Option<UtcTime>) -> Result<(), StoreError> {
        let path = self.path();
        let transaction = begin(self.reader())?;
        let sql = "UPDATE payments SET delivery = 'unserved', why = ?2 WHERE nonce = ?1";
        let changed = transaction.execute(sql, (nonce.0, why)).at(path)?;
        if let Some(until) = bar_until {
            let sql = "INSERT INTO barred (host, until) SELECT host, ?2 FROM payments WHERE nonce = ?1
                       ON CONFLICT (host) DO UPDATE SET until = max(until, excluded.until)";
            transaction.execute(sql, (nonce.0, Number(until.seconds()))).at(path)?;
        }
        transaction.commit().at(path)?;
        self.known(changed, nonce)
    }

    fn spent_on(&self, day: u64) -> Result<Usdc, StoreError> {
        let sql = "SELECT coalesce(sum(amount), 0) AS spent FROM payments WHERE day = ?1 AND state <> 'void'";
        self.reader().one(sql, [Number(day)], |row| row.number("spent").map(Usdc::from_micros))
    }

    fn barred_until(&self, host: &str) -> Result<Option<UtcTime>, StoreError> {
        let sql = "SELECT until FROM barred WHERE host = ?1";
        self.reader().maybe(sql, [host], |row| row.number("until").map(UtcTime::from_seconds))
    }

    fn payee_of(&self, host: &str) -> Result<Option<Address>, StoreError> {
        // An authorisation that ran out paid nobody.
        let sql = "SELECT payee FROM payments WHERE host = ?1 AND state <> 'void' ORDER BY place LIMIT 1";
        self.reader().maybe(sql, [host], |row| row.get("payee").map(Address::new))
    }

    fn drew(&mut self, effect: EffectId, partition: Partition, amount: Usdc) -> Result<(), StoreError> {
        let sql = "INSERT INTO draws (effect, partition, amount) VALUES (?1, ?2, ?3) ON CONFLICT (effect) DO NOTHING";
        self.write(sql, (codec::effect(effect), word(partition), Number(amount.micros()))).map(drop)
    }

    fn float_book(&self) -> Result<FloatBook, StoreError> {
        let drawn = "SELECT partition, sum(amount) AS amount FROM draws GROUP BY partition";
        let moved = "SELECT partition, sum(amount) AS amount FROM payments WHERE state = ?1 GROUP BY partition";
        Ok(FloatBook {
            drawn: by_partition(self.reader().all(drawn, (), share)?),
            paid: by_partition(self.reader().all(moved, ["settled"], share)?),
            open: by_partition(self.reader().all(moved, ["open"], share)?),
        })
    }
}

impl SqliteStore {
    fn known(&self, changed: usize, nonce: B256) -> Result<(), StoreError> {
        if changed == 1 { Ok(()) } else { Err(failed(self.path(), format!("no payment {nonce} is recorded"))) }
    }
}

const fn word(partition: Partition) -> &'static str {
    match partition {
        Partition::Llm => "llm",
        Partition::Gas => "gas",
        Partition::Data => "data",
        Partition::Legacy => "legacy",
    }
}

fn partition(row: &Row<'_>) -> rusqlite::Result<Partition> {
    let name: String = row.get("partition")?;
    // The column's own check lets nothing else in.
    Ok(Partition::ALL.into_iter().find(|known| word(*known) == name).unwrap_or(Partition::Data))
}

fn share(row: &Row<'_>) -> rusqlite::Result<(Partition, Usdc)> {
    Ok((partition(row)?, Usdc::from_micros(row.number("amount")?)))
}

fn by_partition(shares: Vec<(Partition, Usdc)>) -> [Usdc; 4] {
    Partition::ALL.map(|wanted| {
        shares.iter().find(|(partition, _)| *partition == wanted).map_or(Usdc::ZERO, |(_, amount)| *amount)
    })
}

fn payment(row: &Row<'_>) -> rusqlite::Result<Payment> {
    let state = match row.get::<_, String>("state")?.as_str() {
        "settled" => PaymentState::Settled,
        "void" => PaymentState::Void,
        _ => PaymentState::Open,
    };
    let delivery = match row.get::<_, String>("delivery")?.as_str() {
        "served" => Delivery::Served { receipt: receipt(row)?, answer: answer(row)? },
        "unserved" => Delivery::Unserved { why: row.get::<_, Option<String>>("why")?.unwrap_or_default() },
        _ => Delivery::Awaited,
    };
    Ok(Payment {
        effect: row.effect("effect")?,
        partition: partition(row)?,
        host: row.get("host")?,
        authorisation: Authorisation {
            payee: Address::new(row.get("payee")?),
            amount: Usdc::from_micros(row.number("amount")?),
            valid_before: UtcTime::from_seconds(row.number("valid_before")?),
            nonce: row.hash("nonce")?,
        },
        at: UtcTime::from_seconds(row.number("at")?),
        version: row.get("version")?,
        header: row.get("header")?,
        state,
        delivery,
    })
}

fn receipt(row: &Row<'_>) -> rusqlite::Result<Option<PaymentReceipt>> {
    let Some(network) = row.get::<_, Option<String>>("network")? else { return Ok(None) };
    let payer = row.get::<_, Option<_>>("payer")?.map(Address::new);
    Ok(Some(PaymentReceipt { tx: row.maybe_hash("tx")?, payer, network }))
}

fn answer(row: &Row<'_>) -> rusqlite::Result<Option<Goods>> {
    let body: Option<Vec<u8>> = row.get("body")?;
    let media: Option<String> = row.get("media")?;
    Ok(body.map(|body| Goods { media: media.unwrap_or_default(), body }))
}
