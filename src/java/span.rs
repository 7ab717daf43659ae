//! Places in the source.

/// A place in the source: byte offsets, end exclusive, and the 1-based line of the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// 1-based line of `start`; 0 in the part of Java's library that is written in Java.
    pub line: u32,
}

impl Span {
    /// From the start of one place to the end of another.
    pub fn to(self, end: Span) -> Span {
        Span { start: self.start, end: end.end.max(self.end), line: self.line }
    }
}
