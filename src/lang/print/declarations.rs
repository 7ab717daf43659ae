//! Declarations, types, procedures.

use super::Printer;
use crate::lang::syntax::{
    Declaration, Declarator, Expr, Function, Handle, Initializer, Parameter, Size, StructId,
    TypeName,
};
use std::fmt::Write;

impl Printer<'_> {
    /// Prints the enumerations that a declaration declares, one on a line.
    pub(super) fn enumerations(&mut self, declaration: &Declaration) {
        for enumeration in &declaration.enumerations {
            match self.c {
                true => {
                    let _ = write!(self.text, "enum e{} {{", enumeration.id.0);
                }
                false => self.put("enum {"),
            }
            for (index, enumerator) in enumeration.members.iter().enumerate() {
                self.put(if index > 0 { ", " } else { " " });
                self.put(&enumerator.name.text);
                if let Some(value) = &enumerator.value {
                    self.put(" = ");
                    self.operand(value);
                }
            }
            self.put(" };\n");
        }
    }

    pub(super) fn structure(&mut self, id: StructId, done: &mut [bool]) {
        let file = self.file;
        let structure = &file.structs[id];
        if std::mem::replace(&mut done[id], true) {
            return;
        }
        let Some(fields) = &structure.fields else { return };
        for field in fields {
            if let TypeName::Struct(inner) = field.type_name {
                self.structure(inner, done);
            }
        }
        let _ = write!(self.text, "struct s{} {{ ", id.0);
        for field in fields.iter().filter(|field| !field.name.text.is_empty()) {
            if field.atomic {
                self.put("_Atomic ");
            }
            self.type_name(field.type_name);
            self.put(" ");
            self.put(&"*".repeat(field.pointers as usize));
            self.put(&field.name.text);
            self.extents(&field.dimensions);
            if let TypeName::Enum { width: Some(width), .. } = field.type_name {
                let _ = write!(self.text, " : {width}");
            }
            self.put("; ");
        }
        self.put("};\n");
    }

    pub(super) fn extents(&mut self, extents: &[Option<Expr>]) {
        for extent in extents {
            self.put("[");
            if let Some(e) = extent {
                self.expression(e);
            }
            self.put("]");
        }
    }

    pub(super) fn type_name(&mut self, name: TypeName) {
        let text = match name {
            TypeName::Void | TypeName::Procedure(_) | TypeName::Array(_) => "void",
            TypeName::Bool if self.c => "_Bool",
            TypeName::Bool => "bool",
            TypeName::Integer { size, signed } => match (size, signed) {
                (Size::Char, true) => "char",
                (Size::Char, false) => "unsigned char",
                (Size::Short, true) => "short",
                (Size::Short, false) => "unsigned short",
                (Size::Int, true) => "int",
                (Size::Int, false) => "unsigned",
                (Size::Long, true) => "long",
                (Size::Long, false) => "unsigned long",
            },
            TypeName::Exact { width, signed } => {
                let _ = write!(self.text, "{}int{width}_t", if signed { "" } else { "u" });
                return;
            }
            TypeName::Slot { .. } | TypeName::Pattern { .. } => "unsigned",
            TypeName::Floating { width: 32 } => "float",
            TypeName::Floating { .. } => "double",
            TypeName::Struct(id) => {
                let _ = write!(self.text, "struct s{}", id.0);
                return;
            }
            TypeName::Enum { id, .. } => {
                let _ = write!(self.text, "enum e{}", id.0);
                return;
            }
            TypeName::Handle(Handle::Thread) => "pthread_t",
            TypeName::Handle(Handle::Mutex) => "pthread_mutex_t",
            TypeName::Handle(Handle::Key) => "pthread_key_t",
            TypeName::Handle(Handle::Other) => "pthread_attr_t",
            TypeName::Poisoned => "int",
        };
        self.put(text);
    }

    pub(super) fn declaration(&mut self, declaration: &Declaration, declarator: &Declarator) {
        for (is, word) in [
            (declaration.is_extern, "extern "),
            (declaration.is_static, "static "),
            (declaration.constant, "const "),
            (declaration.atomic, "_Atomic "),
            (declaration.per_thread, "_Thread_local "),
        ] {
            if is {
                self.put(word);
            }
        }
        self.type_name(declaration.type_name);
        self.put(" ");
        self.declarator(declarator);
    }

    fn declarator(&mut self, declarator: &Declarator) {
        self.put(&"*".repeat(declarator.pointers as usize));
        self.put_name(&declarator.name.text);
        self.extents(&declarator.dimensions);
        if let Some(initializer) = &declarator.initializer {
            self.put(" = ");
            self.initializer(initializer);
        }
    }

    pub(super) fn initializer(&mut self, initializer: &Initializer) {
        match initializer {
            Initializer::Value(e) => self.operand(e),
            Initializer::List(list, _) => {
                self.put("{");
                for (index, item) in list.iter().enumerate() {
                    self.put(if index > 0 { ", " } else { "" });
                    self.initializer(item);
                }
                self.put("}");
            }
            Initializer::Member(name, inner) => {
                self.put(".");
                self.put(&name.text);
                self.put(" = ");
                self.initializer(inner);
            }
            Initializer::At(index, inner) => {
                self.put("[");
                self.expression(index);
                self.put("] = ");
                self.initializer(inner);
            }
        }
    }

    pub(super) fn function(&mut self, function: &Function, word: Option<&str>) {
        match word {
            Some(word) => {
                self.put(word);
                self.put(" ");
                self.put(&function.name.text);
            }
            None => {
                self.type_name(function.result);
                self.put(" ");
                self.put(&"*".repeat(function.pointers as usize));
                self.put(&function.name.text);
                self.parameters(function);
            }
        }
        match &function.body {
            None => self.put(";\n"),
            Some(body) => {
                self.put(" ");
                self.block(body);
                self.put("\n");
            }
        }
    }

    pub(super) fn parameters(&mut self, function: &Function) {
        self.put("(");
        if function.parameters.is_empty() && self.c && !function.open_ended {
            self.put("void");
        }
        for (index, parameter) in function.parameters.iter().enumerate() {
            self.put(if index > 0 { ", " } else { "" });
            self.parameter(parameter);
        }
        if function.open_ended && !function.parameters.is_empty() {
            self.put(", ...");
        }
        self.put(")");
    }

    pub(super) fn parameter(&mut self, parameter: &Parameter) {
        if parameter.constant {
            self.put("const ");
        }
        if parameter.atomic {
            self.put("_Atomic ");
        }
        self.type_name(parameter.type_name);
        self.put(" ");
        self.put(&"*".repeat(parameter.pointers as usize));
        if let Some(name) = &parameter.name {
            self.put(&name.text);
        }
    }

    /// Prints several declarators with one type, as the head of a `for` needs it.
    pub(super) fn declarators(&mut self, declaration: &Declaration) {
        for (index, declarator) in declaration.declarators.iter().enumerate() {
            if index == 0 {
                self.declaration(declaration, declarator);
                continue;
            }
            self.put(", ");
            self.declarator(declarator);
        }
    }
}
