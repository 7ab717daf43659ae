//! Real programs with known answers, written by others: one module per folder of the corpus.
//!
//! The corpus is no part of the product. It is read from the folder that `FAULTLINE_CASES` names,
//! or from `../shared/cases` beside the checkout; where it is missing, each test says that it was
//! left out.
#![allow(unreachable_pub, missing_docs)]

mod bp;
mod c;
mod index;
mod pds;
#[path = "../support/printing.rs"]
mod printing;
mod refinement;
mod refusals;
mod remopla;
mod tcas;
mod threads;
