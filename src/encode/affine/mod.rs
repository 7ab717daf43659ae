//! Programs as weighted pushdown systems over affine relations (Lal, Touili, Kidd, Reps 2007, §
//! 4.2.1 and App. B.2).

mod columns;
mod domain;
mod expression;

pub use columns::Columns;
pub use domain::AffineDomain;
pub use expression::Arithmetic;
