//! Budgets of a manager.

/// Budgets of a manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelLimits {
    /// Live nodes; more than that end in [`Limit::Nodes`](crate::util::Limit::Nodes).
    pub max_nodes: u64,
    /// Steps (recursive calls that missed the cache) since the manager was made; more than that end
    /// in [`Limit::Steps`](crate::util::Limit::Steps).
    pub max_steps: u64,
}

impl KernelLimits {
    /// No limits but those of the handles.
    pub const NONE: KernelLimits = KernelLimits { max_nodes: u64::MAX, max_steps: u64::MAX };
}
