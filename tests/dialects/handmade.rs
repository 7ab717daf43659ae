//! Programs that use everything that Boolean programs and Remopla have.

use faultline::wire::options::Dialect;

/// Name, dialect, text.
pub const SAMPLES: [(&str, Dialect, &str); 6] = [
    ("relations.bp", Dialect::BooleanProgram, include_str!("samples/relations.bp")),
    ("control.bp", Dialect::BooleanProgram, include_str!("samples/control.bp")),
    ("threads.bp", Dialect::BooleanProgram, include_str!("samples/threads.bp")),
    ("types.rem", Dialect::Remopla, include_str!("samples/types.rem")),
    ("control.rem", Dialect::Remopla, include_str!("samples/control.rem")),
    ("rules.rem", Dialect::Remopla, include_str!("samples/rules.rem")),
];
