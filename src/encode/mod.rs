//! Programs as weighted pushdown systems over decision diagrams.
