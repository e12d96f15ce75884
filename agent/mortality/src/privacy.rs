//! What telemetry may tell of an owner (M-177).

use golem_primitives::{Address, Usdc};
use hmac::{Hmac, Mac};
use sha2::Sha256;

use crate::config::Hosting;

/// Inclusive floors in whole USDC with the text of each bucket, largest first; below one is the first.
const BUCKETS: [(u32, &str); 6] =
    [(10_000, "10K+"), (1_000, "1K-10K"), (200, "200-1K"), (50, "50-200"), (10, "10-50"), (1, "1-10")];

/// The bucket that stands for an amount: the amount itself never leaves.
#[must_use]
pub fn amount_bucket(amount: Usdc) -> &'static str {
    BUCKETS.iter().find(|(floor, _)| amount >= Usdc::whole(*floor)).map_or("$0", |(_, bucket)| *bucket)
}

/// The name that stands for a wallet: HMAC-SHA256 under a key that only the sender holds, so that nobody can try
/// addresses until one fits.
#[must_use]
pub fn pseudonym(key: &[u8], wallet: &Address) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes a key of any length");
    mac.update(wallet.as_slice());
    mac.finalize().into_bytes().into()
}

/// Whether telemetry is sent: in the app unless the owner said no, self-hosted only if the owner said yes.
#[must_use]
pub const fn may_send(hosting: Hosting, choice: Option<bool>) -> bool {
    match (hosting, choice) {
        (_, Some(choice)) => choice,
        (Hosting::Hosted, None) => true,
        (Hosting::SelfHosted, None) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn m_177_amounts_leave_as_buckets() {
        // M-177.
        for (micros, bucket) in [
            (0, "$0"),
            (999_999, "$0"),
            (1_000_000, "1-10"),
            (9_999_999, "1-10"),
            (10_000_000, "10-50"),
            (50_000_000, "50-200"),
            (200_000_000, "200-1K"),
            (999_999_999, "200-1K"),
            (1_000_000_000, "1K-10K"),
            (10_000_000_000, "10K+"),
            (u64::MAX, "10K+"),
        ] {
            assert_eq!(amount_bucket(Usdc::from_micros(micros)), bucket, "{micros}");
        }
    }

    #[test]
    fn m_177_a_wallet_leaves_as_a_keyed_hash() {
        // M-177. The construction against RFC 4231, test case 2, and the wallet's own.
        let mut mac = Hmac::<Sha256>::new_from_slice(b"Jefe").expect("any key");
        mac.update(b"what do ya want for nothing?");
        let expected = [
            0x5b, 0xdc, 0xc1, 0x46, 0xbf, 0x60, 0x75, 0x4e, 0x6a, 0x04, 0x24, 0x26, 0x08, 0x95, 0x75, 0xc7, 0x5a, 0x00,
            0x3f, 0x08, 0x9d, 0x27, 0x39, 0x83, 0x9d, 0xec, 0x58, 0xb9, 0x64, 0xec, 0x38, 0x43,
        ];
        assert_eq!(<[u8; 32]>::from(mac.finalize().into_bytes()), expected);
        let (one, two) = (Address::repeat_byte(1), Address::repeat_byte(2));
        assert_eq!(pseudonym(b"key", &one), pseudonym(b"key", &one));
        assert_ne!(pseudonym(b"key", &one), pseudonym(b"key", &two));
        assert_ne!(pseudonym(b"key", &one), pseudonym(b"other", &one));
    }

    #[test]
    fn m_177_out_in_the_app_in_when_self_hosted() {
        // M-177.
        assert!(may_send(Hosting::Hosted, None) && !may_send(Hosting::Hosted, Some(false)));
        assert!(!may_send(Hosting::SelfHosted, None) && may_send(Hosting::SelfHosted, Some(true)));
    }
}
