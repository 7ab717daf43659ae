//! What the readers of the parts of an instance share.

use crate::lang::diagnostic::Diagnostics;
use crate::lang::message::Message;
use crate::lang::model::Span;
use crate::lang::raw::json::{Items, Json, Value};
use crate::lang::raw::names::Interner;
use crate::lang::raw::transformer::Transformer;
use crate::lang::raw::{RawRule, RawWeights, SymbolId};
use std::rc::Rc;

/// Reads the pushdown system and the automata of an instance.
pub(super) struct Reader<'d> {
    pub(super) named: bool,
    pub(super) weights: Option<RawWeights>,
    pub(super) states: Interner,
    pub(super) symbols: Interner,
    pub(super) rules: Vec<RawRule>,
    /// The rules for every symbol, in their order.
    pub(super) stars: Vec<Star>,
    /// What rules do with variables: nothing.
    pub(super) no_effect: Rc<Transformer>,
    pub(super) diagnostics: &'d mut Diagnostics,
}

/// A rule for the label `*`. It stands for a rule for every symbol.
#[derive(Clone, Copy)]
pub(super) struct Star {
    /// Its number in [`Reader::rules`], where its own symbol has no meaning.
    pub(super) rule: usize,
    /// Is the last symbol of the right side the symbol that it is for?
    pub(super) keeps: bool,
}

impl Reader<'_> {
    pub(super) fn error(&mut self, span: Span, message: impl Into<Message>, hint: &str) {
        self.diagnostics.error(span, message, hint);
    }

    /// The symbol with this name, which stands in a text at `place`.
    pub(super) fn symbol(&mut self, name: &str, place: Value) -> SymbolId {
        if name == "*" {
            self.error(
                place.span(),
                "`*` stands for every symbol only where a state's rules are listed",
                "name the symbol",
            );
        }
        if name.is_empty() {
            self.error(
                place.span(),
                "a stack symbol has no name",
                "the empty text stands for no symbol; give it a name",
            );
        }
        SymbolId(self.symbols.number(name))
    }

    /// The values of a list; none, after an error, if it is no list.
    pub(super) fn list<'v>(&mut self, value: Value<'v>, what: &str) -> Option<Items<'v>> {
        if let Json::Array(items) = value.json() {
            return Some(items);
        }
        self.error(
            value.span(),
            format!("the {what} are {}, not a list", value.kind()),
            "write a list; it may be empty",
        );
        None
    }
}

pub(super) fn shown(text: &str) -> String {
    text.chars().take(40).collect()
}
