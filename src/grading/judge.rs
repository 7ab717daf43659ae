//! What decides how a submission did.

use crate::row::Row;
use crate::submissions::Source;

/// Decides how a submission did; shared by threads.
pub trait Judge: Send + Sync + 'static {
    /// The verdict on a program. `stop` says that the time is up. `name`, `file` and `seconds` of
    /// the row are filled in by the caller. It may panic: that becomes a row.
    fn judge(&self, source: &Source, stop: &dyn Fn() -> bool) -> Row;

    /// All that the verdicts depend on beside the program: tests, reference, options.
    fn basis(&self) -> &[u8];

    /// A digest without collisions of some bytes, as a word.
    fn digest(&self, bytes: &[u8]) -> String;
}
