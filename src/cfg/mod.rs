//! Control-flow graphs: properties of a program that follow from its shape, without its data.

mod changes;
mod contraction;
mod control;
mod distance;
mod liveness;
mod loops;
mod order;
mod ranges;
mod recursion;

pub use changes::changed_variables;
pub use contraction::Contraction;
pub use control::ControlDependence;
pub use distance::Distances;
pub use liveness::{live_locals, read_by, read_in};
pub use loops::{Loop, loops};
pub use order::{location_ranks, postorder};
pub use ranges::{Range, ranges};
pub use recursion::{endless_recursions, is_recursive, never_ends};
