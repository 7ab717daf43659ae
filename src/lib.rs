//! Faultline proves or breaks programs while you watch.
//!
//! The crate is the engine: parsing, pushdown systems with weights, and the analyses on top. It
//! knows no browser, no clock and no randomness. Each layer imports only from the layers to its
//! left:
//!
//! `util → bdd → lang → cfg → semiring → pds → encode → analysis → session → view →
//! cli | worker | ui`
//!
//! (`tests/layering.rs` enforces it.)

pub mod util;

pub mod bdd;

pub mod lang;

pub mod cfg;

pub mod semiring;

pub mod pds;

pub mod encode;

pub mod analysis;

pub mod session;

pub mod view;

#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "ui")]
pub mod ui;
#[cfg(feature = "ui")]
pub mod worker;
