//! The symbolic side of the comparison.

/// What the product says about a program; the vectors go by edge number.
pub struct SymbolicAnswer {
    /// `None`: unknown.
    pub is_unsafe: Option<bool>,
    pub reached: Vec<bool>,
    pub projection: Vec<bool>,
    pub naive: Vec<bool>,
    /// If unsafe: did the interpreter replay the run that is shown, to the error?
    pub trace_replays: bool,
}

/// Checks and projects. `error`: the line of the only error that counts.
pub fn answer(_source: &str, _error: Option<u32>) -> Option<SymbolicAnswer> {
    None
}
