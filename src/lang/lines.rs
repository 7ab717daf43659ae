//! The line of each place of a source.

use crate::lang::model::Span;

/// Counts lines on the way from one token to the next.
pub(crate) struct Lines<'a> {
    bytes: &'a [u8],
    offset: usize,
    line: u32,
}

impl<'a> Lines<'a> {
    /// Starts at the first line.
    pub(crate) fn new(source: &'a str) -> Lines<'a> {
        Lines { bytes: source.as_bytes(), offset: 0, line: 1 }
    }

    /// Starts again from a place that was returned before.
    pub(crate) fn from(&self, place: Span) -> Lines<'a> {
        Lines { bytes: self.bytes, offset: place.start as usize, line: place.line }
    }

    /// The span of these bytes. `start` must not be less than in the last call.
    pub(crate) fn span(&mut self, start: usize, end: usize) -> Span {
        self.line += self.bytes[self.offset..start].iter().filter(|b| **b == b'\n').count() as u32;
        self.offset = start;
        Span { start: start as u32, end: end as u32, line: self.line }
    }
}
