//! A struct gets its members, once. None of them holds the struct itself, so that whoever goes
//! through members of members comes to an end.

use super::Parser;
use crate::lang::message::{Message, at_line};
use crate::lang::model::Span;
use crate::lang::syntax::{Field, StructId, TypeName};

impl Parser<'_> {
    /// `whole` is where its members stand.
    pub(super) fn define_struct(&mut self, id: StructId, fields: Vec<Field>, whole: Span) {
        let kind = if self.structs[id].is_union { "union" } else { "struct" };
        if self.structs[id].fields.is_some() {
            let name = &self.structs[id].tag;
            let message = format!("{kind} `{name}` is already defined");
            self.diagnostics.syntax_error(whole, message, "rename one of them");
        }
        self.structs[id].fields = Some(fields);
        if self.holds_itself(id) {
            let name = &self.structs[id].tag;
            let message = Message::from(at_line(&format!("{kind} `{name}` contains itself")));
            let hint = "let it hold a pointer to another one: add `*`";
            self.diagnostics.syntax_error(whole, message, hint);
        }
    }

    fn holds_itself(&self, id: StructId) -> bool {
        let mut seen = vec![false; self.structs.len()];
        let mut work = vec![id];
        while let Some(at) = work.pop() {
            for field in self.structs[at].fields.iter().flatten().filter(|f| f.pointers == 0) {
                let TypeName::Struct(inner) = field.type_name else { continue };
                if inner == id {
                    return true;
                }
                if !std::mem::replace(&mut seen[inner.0 as usize], true) {
                    work.push(inner);
                }
            }
        }
        false
    }
}
