//! The keys of a `golem.toml`.

use crate::picture;

picture! {
    /// O-003. A key, and what may be written there.
    pub struct KeyLine {
        key: String = "key",
        default: String = "default",
        allowed: String = "allowed",
        meaning: &'static str = "meaning",
        requirement: &'static str,
    }

    /// A key that is not as usual.
    pub struct ChangedKey { key: String = "key", usual: String = "default", value: String = "here" }

    /// O-003. What became of a file that was read.
    pub struct CheckedFile { valid: bool, errors: Vec<String>, changed: Vec<ChangedKey> }
}
