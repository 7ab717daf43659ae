//! When a manager's next collection is due. The policy: `collect`.

use super::limits::KernelLimits;

/// Fewer live nodes than this are not worth a collection.
const LEAST: u64 = 1 << 19;

/// When the next collection is due.
pub(super) struct Collection {
    /// From this many live nodes on.
    pub(super) above: u64,
    pub(super) every_step: bool,
}

impl Collection {
    pub(super) fn new(limits: KernelLimits) -> Collection {
        Collection { above: (limits.max_nodes / 2).min(LEAST), every_step: false }
    }

    /// So many nodes are live after a collection: the next one is due when they have doubled.
    pub(super) fn after(&mut self, live: u64, limits: KernelLimits) {
        self.above = (2 * live).max(LEAST).min(limits.max_nodes.max(live + 1));
    }
}
