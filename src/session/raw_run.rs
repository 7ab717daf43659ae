//! Runs of a raw pushdown system that were replayed.

use crate::analysis::raw_relation::RelationRun;
use crate::lang::raw::RawSystem;
use crate::lang::raw::replay::{self, Configuration};
use crate::lang::raw::transformer::Store;

/// A run that was replayed: its first and last configuration, and the numbers of its rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayedRawRun {
    /// An initial configuration.
    pub start: Configuration,
    /// The rules in the order in which they are applied.
    pub rules: Vec<u32>,
    /// A target configuration.
    pub end: Configuration,
    /// If weights are relations: the variables' values before each rule and at the end. Otherwise
    /// empty.
    pub stores: Vec<Store>,
}

/// A run over relations, replayed with its values.
pub(super) fn with_stores(system: &RawSystem, run: RelationRun) -> Result<ReplayedRawRun, String> {
    let RelationRun { start, rules, stores } = run;
    let end = replay::replay(system, &start, &rules)?;
    replay::replay_stores(system, &rules, &stores)?;
    Ok(ReplayedRawRun { start, rules, end, stores })
}
