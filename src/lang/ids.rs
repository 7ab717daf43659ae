//! The numbers of a program's parts. Lists with one entry for each part are indexed by them.

use crate::util::index_by;

/// Index into [`Program::variables`](crate::lang::model::Program::variables).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VariableId(pub u32);
/// Index into [`Program::procedures`](crate::lang::model::Program::procedures).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProcedureId(pub u32);
/// Index into [`Program::locations`](crate::lang::model::Program::locations); locations are
/// numbered through the whole program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocationId(pub u32);
/// Index into [`Program::edges`](crate::lang::model::Program::edges); edges (statements) are
/// numbered through the whole program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeId(pub u32);
/// Index into [`Program::scopes`](crate::lang::model::Program::scopes).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ScopeId(pub u32);
/// Index into [`Edge::choices`](crate::lang::model::Edge::choices): the k-th value that the run
/// picks when it executes that edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChoiceId(pub u32);

index_by!(VariableId, ProcedureId, LocationId, EdgeId, ScopeId, ChoiceId);
