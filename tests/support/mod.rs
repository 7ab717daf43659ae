//! What several suites share. `tests/README.md` says which of it is for what.
#![allow(dead_code)]

pub(crate) mod boolean_programs;
pub(crate) mod explicit_systems;
pub(crate) mod figure_9;
pub(crate) mod generate;
pub(crate) mod interner;
pub(crate) mod load;
pub(crate) mod meaning;
pub(crate) mod printing;
pub(crate) mod random;
pub(crate) mod shrink;
pub(crate) mod systems;
pub(crate) mod tcas;
pub(crate) mod tree;

pub(crate) use random::Random;
