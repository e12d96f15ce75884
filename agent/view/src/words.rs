//! Amounts and spans as people speak of them.

use std::time::Duration;

use golem_primitives::{Denomination, Tick, Units, Usdc};

/// USDC to the cent; less than a cent is told whole.
#[must_use]
pub fn money(usdc: Usdc) -> String {
    let cents = usdc.micros() / 10_000;
    if cents == 0 { usdc.to_string() } else { format!("{}.{:02} USDC", cents / 100, cents % 100) }
}

/// A gain or a loss, with its sign.
#[must_use]
pub fn signed(micros: i64) -> String {
    let sign = if micros < 0 { "-" } else { "+" };
    format!("{sign}{}", money(Usdc::from_micros(micros.unsigned_abs())))
}

/// A number of ticks as a span.
#[must_use]
pub fn span(ticks: u64) -> String {
    match ticks {
        u64::MAX => "as long as nothing burns".to_owned(),
        _ => lapse(Duration::from_secs(ticks.saturating_mul(86_400 / Tick::PER_DAY))),
    }
}

/// A span in its largest unit of which there are two.
#[must_use]
pub fn lapse(span: Duration) -> String {
    let seconds = span.as_secs();
    match seconds {
        0..120 => format!("{seconds} seconds"),
        120..7_200 => format!("{} minutes", seconds / 60),
        7_200..172_800 => format!("{} hours", seconds / 3_600),
        _ => format!("{} days", seconds / 86_400),
    }
}

/// Native coin: six decimals, the last one rounded down.
#[must_use]
pub fn ether(wei: u128) -> String {
    format!("{:.6} ether", Units::wei(wei))
}

/// The same of a token that is traded, by its own decimals and name.
#[must_use]
pub fn token(amount: u128, denomination: Denomination) -> String {
    let Denomination { symbol, decimals } = denomination;
    format!("{:.6} {symbol}", Units { amount, decimals })
}

/// Text from elsewhere as a screen may show it: what would move the cursor, change colours or turn the line around is
/// written out instead.
#[must_use]
pub fn harmless(text: &str) -> String {
    let is_loud = |sign: char| sign.is_control() || matches!(sign, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars().map(|sign| if is_loud(sign) { sign.escape_unicode().to_string() } else { sign.to_string() }).collect()
}

#[cfg(test)]
mod tests {
    use golem_primitives::Decimals;

    use super::*;

    /// G-053: what others wrote is shown, and can neither paint nor turn the screen.
    #[test]
    fn g_053_foreign_text_cannot_repaint_a_screen() {
        assert_eq!(harmless("0.7 × ether: 中文"), "0.7 × ether: 中文");
        assert_eq!(harmless("a\u{1b}[2Jb\r\nc\u{202e}d"), "a\\u{1b}[2Jb\\u{d}\\u{a}c\\u{202e}d");
    }

    /// P-057: an amount of a token is told by its own decimals and name.
    #[test]
    fn p_057_an_amount_of_a_token_is_told_by_its_own_decimals_and_name() {
        let decimals = Decimals::new(8).expect("few");
        let ember = Denomination { symbol: "EMBR".parse().expect("a symbol"), decimals };
        assert_eq!(token(123_456_789, ember), "1.234567 EMBR");
        assert_eq!(token(1_500_000_000_000_000, Denomination::default()), "0.001500 token");
    }

    #[test]
    fn o_004_amounts_and_spans_are_told_as_people_speak() {
        let told = [0, 1, 9_999, 10_000, 1_234_567_891].map(|micros| money(Usdc::from_micros(micros)));
        assert_eq!(told, ["0.00 USDC", "0.000001 USDC", "0.009999 USDC", "0.01 USDC", "1234.56 USDC"]);
        assert_eq!([signed(-340_000), signed(0)], ["-0.34 USDC", "+0.00 USDC"]);
        let day = Tick::PER_DAY;
        let spans = [day / 48, day / 4, day, 2 * day, 435 * day, u64::MAX].map(span);
        assert_eq!(spans, ["30 minutes", "6 hours", "24 hours", "2 days", "435 days", "as long as nothing burns"]);
    }
}
