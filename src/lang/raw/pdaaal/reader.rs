//! What the readers of the parts of an instance share.

use crate::lang::diagnostic::Diagnostics;
use crate::lang::model::Span;
use crate::lang::raw::json::{Json, Placed};
use crate::lang::raw::names::Interner;
use crate::lang::raw::{RawWeights, StateId, SymbolId};

/// Reads the pushdown system and the automata of an instance.
pub(super) struct Reader<'d> {
    pub(super) named: bool,
    pub(super) weights: Option<RawWeights>,
    pub(super) states: Interner,
    pub(super) symbols: Interner,
    pub(super) rules: Vec<Labelled>,
    pub(super) diagnostics: &'d mut Diagnostics,
}

/// A rule whose left symbol may be `*`. `keeps` says that the last symbol of the right side is the
/// left symbol.
pub(super) struct Labelled {
    pub(super) from: StateId,
    pub(super) symbol: Option<SymbolId>,
    pub(super) to: StateId,
    /// The symbols that the rule puts above the rest of the stack.
    pub(super) right: Vec<SymbolId>,
    pub(super) keeps: bool,
    pub(super) weight: u32,
    pub(super) span: Span,
}

impl Reader<'_> {
    pub(super) fn error(&mut self, span: Span, message: impl Into<String>, hint: &str) {
        self.diagnostics.error(span, message, hint);
    }

    pub(super) fn symbol(&mut self, name: &str, span: Span) -> SymbolId {
        if name == "*" {
            self.error(
                span,
                "`*` stands for every symbol only where a state's rules are listed",
                "name the symbol",
            );
        }
        if name.is_empty() {
            self.error(
                span,
                "a stack symbol has no name",
                "the empty text stands for no symbol; give it a name",
            );
        }
        SymbolId(self.symbols.number(name))
    }

    pub(super) fn list(&mut self, value: Placed, what: &str) -> Option<Vec<Placed>> {
        match value.json {
            Json::Array(items) => Some(items),
            other => {
                self.error(
                    value.span,
                    format!("the {what} are {}, not a list", other.kind()),
                    "write a list; it may be empty",
                );
                Some(Vec::new())
            }
        }
    }
}

pub(super) fn shown(text: &str) -> String {
    text.chars().take(40).collect()
}
