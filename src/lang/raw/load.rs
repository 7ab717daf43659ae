//! From a text to a raw system, in the requested dialect.

use super::{RawSystem, pdaaal, text};
use crate::lang::diagnostic::{Diagnostic, Diagnostics};
use crate::lang::directives;
use crate::lang::loaded::dialect_of;
use crate::lang::model::Span;
use crate::wire::options::{Dialect, EffectiveOptions, RequestedOptions};

/// The result of loading a text.
#[derive(Clone, Debug)]
pub struct LoadedSystem {
    /// `None` iff an error was reported.
    pub system: Option<RawSystem>,
    /// The options in force. Options for programs have no effect.
    pub options: EffectiveOptions,
    /// Errors and warnings in source order.
    pub diagnostics: Vec<Diagnostic>,
}

/// Longest text that is read, in bytes: places are counted in 32 bits.
const LONGEST: usize = 1 << 30;

/// Reads a raw system. Total: any text gives a system or diagnostics.
pub fn load(source: &str, requested: &RequestedOptions) -> LoadedSystem {
    let mut diagnostics = Diagnostics::default();
    let (options, _) =
        directives::effective(dialect_of(source, requested), &[], requested, &mut diagnostics);
    let start = Span { start: 0, end: 0, line: 1 };
    if let Some(line) = requested.error {
        let message = format!(
            "only an error at line {line} is to count, but a pushdown system has a target, no errors"
        );
        diagnostics.error(start, message, "leave `--error` out; the target is what the text says");
    }
    if let Some(label) = &requested.label {
        let message = format!(
            "the label `{label}` is to be an error, but a pushdown system has a target, no labels"
        );
        diagnostics.error(start, message, "leave `--label` out; the target is what the text says");
    }
    let system = match options.dialect {
        _ if source.len() > LONGEST => {
            diagnostics.error(start, "the text is longer than a gigabyte", "split it");
            None
        }
        Dialect::Pdaaal => pdaaal::read(source, &mut diagnostics),
        _ => text::read(source, &mut diagnostics),
    };
    let system = system.filter(|_| !diagnostics.has_errors());
    LoadedSystem { system, options, diagnostics: diagnostics.finish() }
}
