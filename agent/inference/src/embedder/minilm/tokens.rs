//! From text to token ids.

use tokenizers::{Tokenizer, TruncationParams};

use super::weights::LONGEST;
use crate::embedder::vectors::cut;

/// Bytes of a text that are read at all: many times what the longest sequence of ordinary words holds, and little enough
/// that nobody's text keeps the machine busy.
pub(super) const LONGEST_BYTES: usize = 16_384;

/// Reads the tokenizer from the bytes of `tokenizer.json`; the words are why not.
pub(super) fn read(bytes: &[u8]) -> Result<Tokenizer, String> {
    let mut tokenizer = Tokenizer::from_bytes(bytes).map_err(|error| error.to_string())?;
    // The file's own settings are for the model's training: 128 tokens, padded.
    tokenizer.with_padding(None);
    let truncation = TruncationParams { max_length: LONGEST, ..Default::default() };
    tokenizer.with_truncation(Some(truncation)).map_err(|error| error.to_string())?;
    Ok(tokenizer)
}

/// The ids of a text, at least the two that frame it and at most [`LONGEST`].
pub(super) fn ids(tokenizer: &Tokenizer, text: &str) -> Result<Vec<u32>, String> {
    let encoding = tokenizer.encode_fast(cut(text, LONGEST_BYTES), true).map_err(|error| error.to_string())?;
    Ok(encoding.get_ids().to_vec())
}
