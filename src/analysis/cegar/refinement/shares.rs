//! Kernel steps that the parts of the loop have, where it may follow variables. Steps are the same
//! on every machine, so answers are, too.

/// How the loop divides its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shares {
    /// Steps that predicates have.
    pub predicates: u64,
    /// Steps that the interpolants of one trace have. A trace that needs more is excluded by the
    /// variables that it reads.
    pub interpolants: u64,
    /// Steps that searches have in all, before the search that follows all variables begins beside
    /// them. From then on a round also follows what its trace reads and only compares.
    pub searches: u64,
    /// Steps of the search that follows all variables, for one of everything else.
    pub rival: u64,
}

impl Shares {
    /// What measurements chose (`docs/measurements.md`, competition programs of 2012).
    pub const USUAL: Shares =
        Shares { predicates: 4_000_000, interpolants: 2_000_000, searches: 6_000_000, rival: 3 };
}
