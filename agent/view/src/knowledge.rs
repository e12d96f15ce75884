//! What a Golem knows, in a few numbers.

use crate::picture;

picture! {
    /// G-001. What is in its Grimoire.
    pub struct KnowledgePicture {
        active: usize = "active entries",
        candidates: usize = "candidates",
        questions: usize = "open questions",
        rules: u32 = "rules in PLAYBOOK.md",
        playbook_version: u64 = "its version",
        vectors: String = "vectors",
    }
}
