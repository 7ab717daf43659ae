//! Which threads of a session a report lists, and their numbers there.

use crate::analysis::threads::{Begins, ThreadInstance};
use crate::session::{SwitchBound, ThreadsSession};

/// Can the thread run with as many switches as are decided? A bound that rises by itself has
/// instances for more switches than it comes to. The j-th instance of a procedure runs after j
/// switches at least.
pub(super) fn matters(session: &ThreadsSession, thread: &ThreadInstance) -> bool {
    match (session.asked().switches, thread.begins) {
        (SwitchBound::AtMost(_), _) | (_, Begins::AtStart) => true,
        (SwitchBound::Rising, Begins::Started { count, .. }) => {
            count <= session.decided().unwrap_or(0).max(1)
        }
    }
}

/// The number of a thread in the report's list.
pub(super) fn number(session: &ThreadsSession, thread: usize) -> u32 {
    let before = session.system().threads.iter().take(thread);
    before.filter(|thread| matters(session, thread)).count() as u32
}
