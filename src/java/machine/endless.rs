//! Runs that never end: a state that comes back, with nothing read since, comes back for ever.
//!
//! Brent 1980: the state is kept at loop turns 2^k and compared with the states behind it, so that
//! a cycle of any length is found after at most three times its length.

use super::State;

/// Loop turns before states are kept: most programs have ended by then.
const FIRST: u64 = 1 << 12;

#[derive(Default)]
pub(super) struct Watch {
    turns: u64,
    next: u64,
    kept: Option<Box<State>>,
}

impl Watch {
    /// At the end of each turn of a loop: is this the state that was kept?
    pub(super) fn returns(&mut self, state: &State) -> bool {
        self.turns += 1;
        if self.turns >= self.next.max(FIRST) {
            self.next = self.turns * 2;
            self.kept = Some(Box::new(state.clone()));
            return false;
        }
        // Cheap parts first: nearly always one of these differs.
        self.kept.as_deref().is_some_and(|kept| {
            kept.pc == state.pc
                && kept.at == state.at
                && kept.stack == state.stack
                && kept.statics == state.statics
                && kept == state
        })
    }
}
