//! A person's own wallet that is handed one transaction after the other, and sends each by itself.

use std::time::Duration;

use alloy::primitives::{Address, Bytes, TxHash, U256};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use super::error::SignerError;
use crate::explorer::DecodedData;

/// How long a person may look at a transaction before he signs it.
const PATIENCE: Duration = Duration::from_secs(900);

/// A transaction that somebody else signs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsigned {
    pub act: &'static str,
    pub to: Address,
    pub data: Bytes,
    pub value: U256,
    /// What it says, by the names of the contract it calls.
    pub call: Option<DecodedData>,
}

/// The wallet of one account, at the other end of a line.
#[derive(Debug, Clone)]
pub struct HandedSigner {
    address: Address,
    line: mpsc::Sender<HandedTransaction>,
}

/// A transaction that waits for a wallet. Who drops it refuses it.
#[derive(Debug)]
pub struct HandedTransaction {
    pub chain_id: u64,
    pub wanted: Unsigned,
    answer: oneshot::Sender<Result<TxHash, String>>,
}

impl HandedTransaction {
    /// The wallet sent it.
    pub fn sent(self, tx: TxHash) {
        // Who waited may have given up; then nobody is left to be told.
        let _ = self.answer.send(Ok(tx));
    }

    /// The wallet did not, and says why.
    pub fn refused(self, words: String) {
        let _ = self.answer.send(Err(words));
    }
}

impl HandedSigner {
    /// The wallet of `address`, and where it finds what it shall send.
    #[must_use]
    pub fn new(address: Address) -> (Self, mpsc::Receiver<HandedTransaction>) {
        let (line, handed) = mpsc::channel(1);
        (Self { address, line }, handed)
    }

    /// Whose wallet it is.
    #[must_use]
    pub const fn address(&self) -> Address {
        self.address
    }

    /// Hands a transaction over, and waits for the hash it was sent under.
    pub(crate) async fn send(&self, chain_id: u64, wanted: Unsigned) -> Result<TxHash, SignerError> {
        let unsent = |words: &str| SignerError::Unsent { address: self.address, words: words.to_owned() };
        let (answer, answered) = oneshot::channel();
        let handed = HandedTransaction { chain_id, wanted, answer };
        self.line.send(handed).await.map_err(|_| unsent("nobody takes anything for it any more"))?;
        match timeout(PATIENCE, answered).await {
            Ok(Ok(Ok(tx))) => Ok(tx),
            Ok(Ok(Err(words))) => Err(unsent(&words)),
            Ok(Err(_)) => Err(unsent("it was put aside")),
            Err(_) => Err(unsent("it was waited for a quarter of an hour")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted() -> Unsigned {
        Unsigned { act: "a test", to: Address::ZERO, data: Bytes::new(), value: U256::ZERO, call: None }
    }

    /// O-011: what a wallet is handed is sent under the hash it says, or not at all, in its own words.
    #[tokio::test]
    async fn o_011_a_wallet_sends_or_refuses_in_its_own_words() {
        let (wallet, mut handed) = HandedSigner::new(Address::repeat_byte(1));
        let tx = TxHash::repeat_byte(7);
        let answer = async |answer: fn(HandedTransaction)| {
            let (sent, ()) = tokio::join!(wallet.send(1, wanted()), async {
                answer(handed.recv().await.expect("it is handed"));
            });
            sent
        };
        let mut answer = answer;
        assert_eq!(answer(|handed| handed.sent(TxHash::repeat_byte(7))).await.expect("sent"), tx);
        for (how, words) in [
            ((|handed| handed.refused("no, thanks".to_owned())) as fn(HandedTransaction), "no, thanks"),
            (drop, "put aside"),
        ] {
            let refused = answer(how).await.expect_err("not sent").to_string();
            assert!(refused.contains(words), "{refused}");
        }
        drop(handed);
        assert!(wallet.send(1, wanted()).await.is_err(), "nobody takes it");
    }
}
