//! The line of each place of a source.

use crate::lang::model::Span;

/// Counts lines on the way from one token to the next.
pub(crate) struct Lines<'a> {
    bytes: &'a [u8],
    offset: usize,
    line: u32,
}

impl<'a> Lines<'a> {
    /// From the first line on.
    pub(crate) fn new(source: &'a str) -> Lines<'a> {
        Lines { bytes: source.as_bytes(), offset: 0, line: 1 }
    }

    /// Starts over from a place that was given out before.
    pub(crate) fn from(&self, place: Span) -> Lines<'a> {
        Lines { bytes: self.bytes, offset: place.start as usize, line: place.line }
    }

    /// The span of these bytes; `start` must not be before that of the last call.
    pub(crate) fn span(&mut self, start: usize, end: usize) -> Span {
        self.line += self.bytes[self.offset..start].iter().filter(|b| **b == b'\n').count() as u32;
        self.offset = start;
        Span { start: start as u32, end: end as u32, line: self.line }
    }
}
