//! Words for the states and for the reasons of leaving.

use golem_primitives::words;

words! {
    /// G-039. Where an entry stands.
    Status {
        /// Admitted, not yet trusted.
        Candidate = "candidate",
        /// Used in decisions.
        Active = "active",
        /// Out of context, kept for testament and life review.
        Archived = "archived",
        /// Gone but for a line.
        Burned = "burned",
    }
}

words! {
    /// Why an entry was archived.
    ArchiveReason {
        /// G-068. Its confidence decayed below the threshold.
        Decayed = "decayed",
        /// C33. Its own term is over.
        Expired = "expired",
        /// G-114. It did badly when tested and nobody reads it.
        LowQuality = "low_quality",
        /// G-075. There was no room.
        Capacity = "capacity",
        /// G-078. A clock pressed.
        Pressure = "pressure",
        /// G-151. Another entry says the same.
        Merged = "merged",
        /// I-071. It was sent, and lies far from everything that is held true here.
        FarOutside = "far_outside",
        /// G-132. What was seen later speaks against it; it comes back when it is seen again (G-031).
        Contradicted = "contradicted",
    }
}

words! {
    /// G-070. Why an entry was burned; always said, never by itself (C9, C10).
    BurnReason {
        /// Its confidence is spent.
        ConfidenceZero = "confidence_zero",
        Contradicted = "contradicted",
        Superseded = "superseded",
        /// No room, not even in the archive.
        Capacity = "capacity",
        Death = "death",
        Governance = "governance",
    }
}
