//! What an answer says besides its verdict: what was not checked, and what a compiler's warnings
//! tell and the engine knows.

use crate::util::words;
use serde::{Deserialize, Serialize};

words! {
    /// What an answer says nothing about.
    pub enum Unchecked {
        /// What the program prints, and whether its results are the right ones.
        Output = "output",
        /// Memory that is never freed.
        Leaks = "leaks",
        /// Runs that do not end.
        EndlessLoops = "endless-loops",
        /// Signed overflow.
        Overflow = "overflow",
        /// Accesses of threads that nothing orders.
        Races = "races",
        /// Variables that are read before they have a value.
        Initialised = "initialised",
        /// The same of what that check does not follow: memory of bytes, objects beyond the
        /// individual ones, large arrays.
        InitialisedInPart = "initialised-in-part",
    }
}

words! {
    /// What a note is about.
    pub enum NoteCode {
        /// A loop that no run leaves, so that no run ends.
        EndlessLoop = "endless-loop",
        /// A procedure that never returns.
        NeverReturns = "never-returns",
        /// A procedure that never returns, in a program whose end therefore no run reaches.
        NeverEnds = "never-ends",
        /// Memory that is not freed when `main` ends.
        Leak = "leak",
        /// `if (x = 5)`.
        AssignedCondition = "assigned-condition",
        /// A statement that no run executes.
        Unreached = "unreached",
        /// A condition that holds in every run.
        AlwaysTrue = "always-true",
        /// A condition that holds in no run.
        AlwaysFalse = "always-false",
        /// `x + 1;`: a value that nothing uses.
        UnusedResult = "unused-result",
    }
}

/// A note under the verdict. It changes no verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// 1-based.
    pub line: u32,
    /// What it is about.
    pub code: NoteCode,
    /// One sentence.
    pub text: String,
}
