//! Budgets of a manager.

/// Budgets of a manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelLimits {
    /// The most live nodes. More than that end an operation with
    /// [`Limit::Nodes`](crate::util::Limit::Nodes).
    pub max_nodes: u64,
    /// The most steps (recursive calls that missed the cache) since the manager was made. More than
    /// that end an operation with [`Limit::Steps`](crate::util::Limit::Steps).
    pub max_steps: u64,
}

impl KernelLimits {
    /// No limits except the number of handles.
    pub const NONE: KernelLimits = KernelLimits { max_nodes: u64::MAX, max_steps: u64::MAX };
}
