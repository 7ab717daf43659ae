//! Decides when a manager's next collection is due. `collect` describes the policy.

use super::limits::KernelLimits;

/// A collection is not worthwhile below this number of live nodes.
const LEAST: u64 = 1 << 19;

/// When the next collection is due.
#[derive(Clone)]
pub(super) struct Collection {
    /// The next collection is due at this number of live nodes.
    pub(super) above: u64,
    pub(super) every_step: bool,
}

impl Collection {
    pub(super) fn new(limits: KernelLimits) -> Collection {
        Collection { above: (limits.max_nodes / 2).min(LEAST), every_step: false }
    }

    /// Notes the number of live nodes after a collection. The next collection is due when it has
    /// doubled.
    pub(super) fn after(&mut self, live: u64, limits: KernelLimits) {
        self.above = (2 * live).max(LEAST).min(limits.max_nodes.max(live + 1));
    }
}
