//! The refinement loop on the paper's programs.

mod figures;
mod support;
