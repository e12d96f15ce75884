//! What was handed down to a Golem, and what its own life made of it.

use golem_primitives::Ppm;

use crate::{AsKept, picture};

picture! {
    /// One entry from the predecessor's word to the heir's own.
    pub struct HeirloomLine {
        entry: String = "entry",
        from: Option<String> = "from",
        kind: Option<String>,
        generation: Option<u64>,
        bequeathed: Ppm = "bequeathed",
        arrived: Option<Ppm> = "arrived",
        fate: String = "fate",
        turn: String = "turn",
        novelty: Option<Ppm>,
        status: Option<String> = "status",
        confidence: Option<Ppm> = "confidence",
        validated: Option<u64> = "validated",
        contradicted: Option<u64> = "contradicted",
        says: Option<String> = "says",
    }

    /// All of it.
    pub struct HeritagePicture {
        golem: String,
        predecessor: String = "predecessor",
        generation: u64 = "generation",
        testament: String,
        bundle: String,
        stage: String = "it is there to",
        waiting: usize = "wait for their trial",
        put_off: usize = "put off as nearly known",
        refused: usize = "refuted",
        entries: Vec<HeirloomLine>,
        /// I-183. Rules that its line proposes as defaults, as its store keeps them.
        defaults: AsKept,
        /// I-271. What it supposes because its predecessor dreamt it.
        hypotheses: AsKept,
    }
}
