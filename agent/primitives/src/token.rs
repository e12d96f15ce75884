//! How amounts of a token are counted and what they are called.

use std::fmt;

use arrayvec::ArrayString;

/// Letters a symbol may have: what exchanges and wallets show.
const LETTERS: usize = 11;

/// How many digits behind the point a whole token has: its smallest unit is a whole one divided by ten that many times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Decimals(u8);

/// More decimals than can be counted with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a token of {0} decimals cannot be counted; one of 0 to {most} can", most = Decimals::MOST.0)]
pub struct DecimalsError(pub u8);

impl Decimals {
    /// As ether has them, and most tokens.
    pub const ETHER: Self = Self(18);
    /// The most that are counted with. An amount has 128 bits: with 24 decimals that is room for 340 trillion whole tokens,
    /// more than any token in use has, and with 36 it would be room for 340.
    pub const MOST: Self = Self(24);

    /// So many.
    pub const fn new(decimals: u8) -> Result<Self, DecimalsError> {
        if decimals > Self::MOST.0 { Err(DecimalsError(decimals)) } else { Ok(Self(decimals)) }
    }

    /// How many.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// One whole token in its smallest unit.
    #[must_use]
    pub const fn unit(self) -> u128 {
        10_u128.pow(self.0 as u32)
    }
}

impl TryFrom<u8> for Decimals {
    type Error = DecimalsError;

    fn try_from(decimals: u8) -> Result<Self, DecimalsError> {
        Self::new(decimals)
    }
}

impl From<Decimals> for u8 {
    fn from(decimals: Decimals) -> Self {
        decimals.0
    }
}

/// What a token is called on a screen: letters and digits alone. Its maker chose it, so nothing is ever decided by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "ArrayString<LETTERS>", into = "ArrayString<LETTERS>")]
pub struct TokenSymbol(ArrayString<LETTERS>);

/// Not a symbol that a screen may show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a token's symbol has 1 to {LETTERS} letters and digits")]
pub struct TokenSymbolError;

impl TokenSymbol {
    /// As it is written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::str::FromStr for TokenSymbol {
    type Err = TokenSymbolError;

    fn from_str(text: &str) -> Result<Self, TokenSymbolError> {
        let is_plain = !text.is_empty() && text.bytes().all(|letter| letter.is_ascii_alphanumeric());
        ArrayString::from(text).ok().filter(|_| is_plain).map(Self).ok_or(TokenSymbolError)
    }
}

impl TryFrom<ArrayString<LETTERS>> for TokenSymbol {
    type Error = TokenSymbolError;

    fn try_from(text: ArrayString<LETTERS>) -> Result<Self, TokenSymbolError> {
        text.parse()
    }
}

impl From<TokenSymbol> for ArrayString<LETTERS> {
    fn from(symbol: TokenSymbol) -> Self {
        symbol.0
    }
}

impl Default for TokenSymbol {
    /// What a token is called whose own word nobody knows or may show.
    fn default() -> Self {
        Self(ArrayString::from("token").unwrap_or_default())
    }
}

impl fmt::Display for TokenSymbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// How amounts of a token are said: what it is called, and how many of its smallest units are a whole one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Denomination {
    pub symbol: TokenSymbol,
    pub decimals: Decimals,
}

impl Default for Denomination {
    /// A token that nobody named, counted as most are: that of a file of prices.
    fn default() -> Self {
        Self { symbol: TokenSymbol::default(), decimals: Decimals::ETHER }
    }
}

/// An amount in the smallest unit of a token, as people read it.
///
/// `{}` writes every digit there is, `{:.6}` six of them, never more than there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Units {
    /// How many of the smallest unit.
    pub amount: u128,
    /// Of what size that is.
    pub decimals: Decimals,
}

impl Units {
    /// The native coin.
    #[must_use]
    pub const fn wei(amount: u128) -> Self {
        Self { amount, decimals: Decimals::ETHER }
    }
}

impl fmt::Display for Units {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unit, width) = (self.decimals.unit(), usize::from(self.decimals.get()));
        let rest = if width == 0 { String::new() } else { format!("{:0width$}", self.amount % unit) };
        let digits = match f.precision() {
            Some(precision) => &rest[..precision.min(width)],
            None => rest.trim_end_matches('0'),
        };
        let whole = self.amount / unit;
        if digits.is_empty() { write!(f, "{whole}") } else { write!(f, "{whole}.{digits}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn o_002_native_coin_is_told_in_ether() {
        for (wei, whole, six) in [
            (0, "0", "0.000000"),
            (1, "0.000000000000000001", "0.000000"),
            (1_500_000_000_000_000, "0.0015", "0.001500"),
            (10_u128.pow(18), "1", "1.000000"),
            (12_345_678_999_999_999_999, "12.345678999999999999", "12.345678"),
        ] {
            assert_eq!(Units::wei(wei).to_string(), whole);
            assert_eq!(format!("{:.6}", Units::wei(wei)), six, "never more than there is");
        }
        assert_eq!(format!("{:.0}", Units::wei(u128::MAX)), "340282366920938463463");
    }

    /// P-057: an amount is told by the decimals of its own token, and never with more digits than it has.
    #[test]
    fn p_057_an_amount_is_told_by_its_own_decimals() {
        let told = |amount, decimals| {
            let units = Units { amount, decimals: Decimals::new(decimals).expect("few") };
            (units.to_string(), format!("{units:.6}"))
        };
        assert_eq!(told(123_456_789, 8), ("1.23456789".into(), "1.234567".into()));
        assert_eq!(told(1_050_000, 6), ("1.05".into(), "1.050000".into()));
        assert_eq!(told(105, 2), ("1.05".into(), "1.05".into()));
        assert_eq!(told(7, 0), ("7".into(), "7".into()));
        assert_eq!(told(10_u128.pow(24), 24), ("1".into(), "1.000000".into()));
    }

    /// P-057: what cannot be counted in 128 bits is refused with what can.
    #[test]
    fn p_057_decimals_beyond_the_most_are_refused() {
        let error = Decimals::new(25).expect_err("too many");
        assert!(error.to_string().contains("25 decimals") && error.to_string().contains("0 to 24"), "{error}");
        assert_eq!([0, 8, 24].map(|few| Decimals::new(few).expect("few").unit()), [1, 100_000_000, 10_u128.pow(24)]);
    }

    /// P-057, G-053: a maker's word for his token is shown when it is plain, and paints no screen.
    #[test]
    fn p_057_a_symbol_is_plain_or_none() {
        for symbol in ["EMBR", "cbBTC", "1INCH", "ABCDEFGHIJK"] {
            assert_eq!(symbol.parse::<TokenSymbol>().expect(symbol).to_string(), symbol);
        }
        for symbol in ["", "ABCDEFGHIJKL", "A B", "\u{202e}CDSU", "\u{1b}[2J", "USD-C", "ÜSD"] {
            assert_eq!(symbol.parse::<TokenSymbol>(), Err(TokenSymbolError), "{symbol:?}");
        }
        assert_eq!(TokenSymbol::default().as_str(), "token");
    }
}
