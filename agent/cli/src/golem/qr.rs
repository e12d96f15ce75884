//! A code to scan, drawn with characters.

use eyre::{Result, WrapErr};
use golem_primitives::{Address, Usdc};
use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;

/// EIP-681: a transfer of USDC as wallets read it.
pub(crate) fn transfer(usdc: Address, chain_id: u64, to: Address, amount: Option<Usdc>) -> String {
    let amount = amount.map_or(String::new(), |amount| format!("&uint256={}", amount.micros()));
    format!("ethereum:{usdc}@{chain_id}/transfer?address={to}{amount}")
}

/// The code as text, two rows to a line.
pub(crate) fn draw(text: &str) -> Result<String> {
    let code = QrCode::new(text).wrap_err("the address cannot be drawn")?;
    Ok(code.render::<Dense1x2>().dark_color(Dense1x2::Light).light_color(Dense1x2::Dark).build())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// O-002: what is drawn is a transfer to the vault and nothing else.
    #[test]
    fn o_002_a_transfer_is_drawn_as_wallets_read_it() {
        let (usdc, vault) = (Address::repeat_byte(1), Address::repeat_byte(2));
        let uri = transfer(usdc, 8_453, vault, Some(Usdc::whole(5)));
        assert_eq!(uri, format!("ethereum:{usdc}@8453/transfer?address={vault}&uint256=5000000"));
        let drawn = draw(&uri).expect("short enough");
        assert!(drawn.lines().count() > 15 && drawn.contains('█'));
    }
}
