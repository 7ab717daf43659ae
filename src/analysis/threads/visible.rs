//! Visible states (Liu and Wahl 2018): configurations of all threads without the frames that are
//! below others.

use crate::lang::interpreter::{Frame, SharedConfiguration};
use crate::lang::model::LocationId;

/// What can be seen of a configuration: the globals and, by thread, where it stands and the values
/// of its innermost frame (Liu and Wahl 2018, the visible state).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Visible {
    globals: Vec<Vec<u64>>,
    threads: Vec<Option<(LocationId, Vec<Vec<u64>>)>>,
}

impl Visible {
    /// That of a configuration.
    pub fn of(state: &SharedConfiguration) -> Visible {
        let top = |(frames, location): &(Vec<Frame>, LocationId)| {
            (*location, frames.last().map_or(Vec::new(), |frame| frame.values.clone()))
        };
        let threads = state.threads.iter().map(|thread| thread.as_ref().map(top)).collect();
        Visible { globals: state.globals.clone(), threads }
    }
}
