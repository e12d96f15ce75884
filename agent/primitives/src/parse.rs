//! Reading decimal numbers a person wrote, exactly.

/// Why a text is not the quantity it should be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseError {
    #[error("an empty text is not {what}; write {example}")]
    Empty {
        what: &'static str,
        /// A text that would have been read.
        example: &'static str,
    },
    #[error("`{text}` is not {what}; write {example}")]
    NotANumber {
        /// What was written, cut to a readable length.
        text: String,
        what: &'static str,
        example: &'static str,
    },
    #[error("`{text}` has more than {decimals} decimals, the smallest unit of {what}")]
    TooFine { text: String, what: &'static str, decimals: u32 },
    #[error("`{text}` is too large for {what}")]
    TooLarge { text: String, what: &'static str },
}

/// What a parser is reading, for its errors.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted {
    pub(crate) what: &'static str,
    pub(crate) example: &'static str,
}

/// Longest piece of foreign text an error repeats.
const QUOTED_CHARS: usize = 40;

pub(crate) fn quote(text: &str) -> String {
    if text.chars().count() <= QUOTED_CHARS {
        return text.to_owned();
    }
    let mut cut: String = text.chars().take(QUOTED_CHARS).collect();
    cut.push('…');
    cut
}

/// Reads `12.5` with `decimals` = 6 as 12_500_000. Underscores may group digits; signs, exponents and spaces are refused.
pub(crate) fn fixed_point(text: &str, decimals: u32, wanted: Wanted) -> Result<u64, ParseError> {
    let Wanted { what, example } = wanted;
    if text.is_empty() {
        return Err(ParseError::Empty { what, example });
    }
    let not_a_number = || ParseError::NotANumber { text: quote(text), what, example };
    let too_large = || ParseError::TooLarge { text: quote(text), what };

    let (whole, fraction) = match text.split_once('.') {
        Some((whole, fraction)) if !fraction.is_empty() => (whole, fraction),
        Some(_) => return Err(not_a_number()),
        None => (text, ""),
    };
    if !whole.starts_with(|c: char| c.is_ascii_digit()) || whole.ends_with('_') {
        return Err(not_a_number());
    }
    if !fraction.chars().all(|c| c.is_ascii_digit()) {
        return Err(not_a_number());
    }
    let significant = fraction.trim_end_matches('0');
    if significant.len() > decimals as usize {
        return Err(ParseError::TooFine { text: quote(text), what, decimals });
    }

    let mut value: u64 = 0;
    let padded = (0..decimals as usize).map(|i| fraction.as_bytes().get(i).copied().unwrap_or(b'0'));
    for byte in whole.bytes().chain(padded) {
        if byte == b'_' {
            continue;
        }
        if !byte.is_ascii_digit() {
            return Err(not_a_number());
        }
        value = value.checked_mul(10).and_then(|v| v.checked_add(u64::from(byte - b'0'))).ok_or_else(too_large)?;
    }
    Ok(value)
}
