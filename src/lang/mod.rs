//! Front ends: from text to the typed program model, with diagnostics.

pub mod diagnostic;
pub mod model;
pub mod options;
