//! Faultline proves or breaks programs while you watch.
//!
//! The crate is the engine: parsing, pushdown systems with weights, and the analyses on top. It
//! knows no browser, no clock and no randomness. Each layer imports only from the layers to its
//! left:
//!
//! ```text
//! util → wire → draw → bdd → lang → cfg → semiring → pds → encode → analysis → readable
//!      → session → report → cli | worker | ui
//! ```
//!
//! (`tests/layering.rs` enforces it.)

/// The templates of `docs/extending.md`, which are compiled and run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/extending.md")]
mod extending {}

pub mod util;

pub mod wire;

pub mod draw;

pub mod bdd;

pub mod lang;

pub mod cfg;

pub mod semiring;

pub mod pds;

pub mod encode;

pub mod analysis;

pub mod readable;

pub mod session;

pub mod report;

#[cfg(feature = "cli")]
pub mod cli;
#[cfg(any(feature = "ui", test))]
pub mod package;
#[cfg(any(feature = "ui", test))]
pub mod ui;
#[cfg(any(feature = "ui", test))]
pub mod worker;
