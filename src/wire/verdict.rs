//! The answer to the question whether a run fails.

use crate::util::words;

words! {
    /// The answer.
    pub enum Verdict {
        /// No run fails.
        Safe = "safe",
        /// A concrete run fails; it was replayed.
        Unsafe = "unsafe",
        /// A limit was hit.
        Unknown = "unknown",
    }
}
