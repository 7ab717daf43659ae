//! Raw pushdown systems: rules, initial and target configurations, without a program behind them.
//!
//! Two dialects are read and printed: `.pds` ([`text`], one statement on a line) and the JSON of
//! PDAAAL's reachability instances ([`pdaaal`]). Both give a [`RawSystem`]; a run of one is
//! replayed by [`replay`], which shares no code with the pushdown engine.

mod json;
mod load;
mod names;
pub mod pdaaal;
pub mod replay;
mod stack_expression;
mod system;
pub mod text;
mod tokens;
pub mod transformer;

pub use load::{LoadedSystem, load};
pub use stack_expression::StackExpression;
pub use system::{
    AtomHead, AtomTop, ConfigurationAutomaton, ConfigurationSet, Described, Node, RawAtom, RawRule,
    RawSystem, RawVariable, RawWeights, RightSide, StateId, SymbolId,
};
