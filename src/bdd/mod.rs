//! The decision-diagram kernel and bit-vector arithmetic on top of it.
//!
//! Reduced ordered binary decision diagrams (Bryant 1986) with complement edges (Brace, Rudell,
//! Bryant 1990) in one arena. The order of the levels is fixed: the caller chooses it
//! when it makes a [`Manager`].
//!
//! Invariants, written as what never happens:
//! * no node has a complemented high edge, two equal children, or a twin with the same level and
//!   children; so equal functions are equal handles, and negation is free;
//! * nothing here depends on the width of `usize`, a clock or chance: node, step and byte counts
//!   agree between native and wasm32;
//! * nothing is collected except by [`Manager::collect`], and no node ever moves;
//! * no short function on a hot path is left to the compiler's choice: the page's worker is built
//!   for size, where only `#[inline(always)]` inlines it and only slices are indexed in place;
//! * no operation recurses deeper than a fixed number of native frames, however many levels there
//!   are (`recursion`).
//!
//! ```
//! use faultline::bdd::{BitVector, KernelLimits, Manager, Var};
//!
//! # fn main() -> Result<(), faultline::util::limits::Limit> {
//! let mut m = Manager::new(8, KernelLimits::NONE)?;
//! let x = BitVector::from_variables(&mut m, &[Var(0), Var(2), Var(4), Var(6)])?;
//! let y = BitVector::from_variables(&mut m, &[Var(1), Var(3), Var(5), Var(7)])?;
//! let sum = x.add(&mut m, &y)?;
//! let wraps = sum.unsigned_less(&mut m, &x)?;
//! let all: Vec<Var> = (0..8).map(Var).collect();
//! assert_eq!(m.sat_count(wraps, &all).to_string(), "120");
//! # Ok(())
//! # }
//! ```
//!
//! Every operation that can allocate returns [`Bounded`](crate::util::limits::Bounded). When a
//! budget has run out, the manager can still be used.

mod apply;
pub mod bitvector;
mod cache;
mod collect;
mod collection;
mod count;
mod inspect;
mod limits;
mod manager;
mod models;
mod natural;
mod node;
mod quantify;
mod recursion;
mod renaming;
mod restrict;
mod roots;
mod substitute;
mod unique;
mod var_set;

pub use bitvector::BitVector;
pub use limits::KernelLimits;
pub use manager::{MAX_LEVELS, Manager};
pub use models::Cubes;
pub use natural::Natural;
pub use node::{Bdd, Var};
pub use renaming::Renaming;
pub(crate) use roots::impl_roots;
pub use roots::{Roots, roots_of};
pub use var_set::VarSet;
