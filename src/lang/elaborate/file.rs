//! A whole file: signatures first, then the bodies, then what starts.

use super::address::Address;
use super::elaborator::Elaborator;
use super::meaning::keeps_its_meaning;
use super::names::Entity;
use super::signature::{Formal, MOST_PARAMETERS, ProcedureCopy, Role, Signature};
use super::survey::Survey;
use crate::lang::message::are;
use crate::lang::model::{ProcedureId, Scalar, Span};
use crate::lang::syntax::{Block, File, Function, Item, TypeName};

/// Most copies of procedures for different addresses.
pub(super) const MOST_COPIES: usize = 256;

impl Elaborator<'_> {
    /// Lowers the whole file. Returns false if there is no procedure to start.
    pub(super) fn file(&mut self, file: &File) -> bool {
        self.structs = file.structs.clone();
        self.has_statement_expressions = file.has_statement_expressions;
        self.survey = Survey::of(file);
        self.find_threads(file);
        for item in &file.items {
            match item {
                Item::Declaration(declaration) => self.global_declaration(declaration),
                Item::Function(function) | Item::Thread(function) => self.signature(function),
            }
        }
        let bodies: Vec<(&Function, &Block)> = file
            .items
            .iter()
            .filter_map(|item| match item {
                Item::Function(f) if !keeps_its_meaning(&f.name.text, self.c) => {
                    f.body.as_ref().map(|b| (f, b))
                }
                Item::Thread(f) => f.body.as_ref().map(|b| (f, b)),
                _ => None,
            })
            .collect();
        self.number_bodies(&bodies);
        self.start_threads(file);
        let main = bodies.iter().position(|(f, _)| f.name.text == "main");
        if let (true, Some((function, _))) = (self.copies.is_empty(), bodies.first()) {
            let addresses = unknown_addresses(function);
            self.copy_of(0, addresses, Role::Procedure, function.name.span);
        }
        let starts = self.starts(&bodies);
        if !self.lower_copies(&bodies) {
            return false;
        }
        if let Some(condition) = self.error_condition.take().filter(|c| !c.used) {
            let names = condition.mentions.join("`, `");
            self.diagnostics.warning(
                condition.span,
                format!("no assignment to `{names}` can be this error"),
                "name a variable that is assigned",
            );
        }
        if bodies.is_empty() {
            let span = Span { start: 0, end: 0, line: 1 };
            if !self.diagnostics.has_errors() {
                self.diagnostics.error(span, "no procedure to start", "write `void main() { … }`");
            }
            return false;
        }
        let called_main = main.and_then(|main| {
            self.copies.iter().position(|c| c.body == main && c.role == Role::Procedure)
        });
        self.program.main = called_main.unwrap_or_else(|| self.first_thread().unwrap_or(0));
        self.pick_start(starts);
        self.finish_threads(main.is_some());
        self.graph.finish(&mut self.program);
        true
    }

    /// Numbers the procedures in the order of their bodies, before any body is lowered: a call may
    /// come before the procedure that it calls. Procedures with pointers are numbered later: each
    /// when it is first called with certain addresses.
    fn number_bodies(&mut self, bodies: &[(&Function, &Block)]) {
        for (index, (function, _)) in bodies.iter().enumerate() {
            let name = &function.name.text;
            if self.bodies.contains_key(name) {
                continue;
            }
            self.bodies.insert(name.clone(), index);
            let starts = name == "main";
            let takes_addresses = self
                .signatures
                .get(name)
                .is_some_and(|s| s.parameters.iter().any(|p| matches!(p, Formal::Pointer(..))));
            // Threads have copies of their own of what takes an argument.
            let only_starts = self.survey.thread_entries.contains(name)
                && !self.survey.callers.contains_key(name)
                && !function.parameters.is_empty();
            if !(takes_addresses || only_starts) || starts {
                let addresses = unknown_addresses(function);
                let id = self.copy_of(index, addresses, Role::Procedure, function.name.span);
                if let Some(signature) = self.signatures.get_mut(name) {
                    signature.id = id;
                }
            }
        }
    }

    /// Lowers the body of each copy of a procedure; calls in a body can add copies. Returns false
    /// if the program takes too much room, which is reported.
    fn lower_copies(&mut self, bodies: &[(&Function, &Block)]) -> bool {
        let mut next = 0;
        while let Some(copy) = self.copies.get(next).cloned() {
            next += 1;
            let (function, body) = bodies[copy.body];
            if self.names.is_full() {
                self.diagnostics.error(
                    function.name.span,
                    "too many variables in too many places",
                    "split the program, or use arrays",
                );
                return false;
            }
            self.procedure(function, body, &copy);
        }
        true
    }

    /// The number of a procedure with these addresses; `None` if there are too many.
    pub(super) fn copy_of(
        &mut self,
        body: usize,
        addresses: Vec<Address>,
        role: Role,
        span: Span,
    ) -> Option<ProcedureId> {
        let thread = if role == Role::Procedure { self.current.thread } else { 0 };
        let copy = ProcedureCopy { body, addresses, role, thread };
        if let Some(id) = self.copy_ids.get(&copy) {
            return Some(*id);
        }
        let is_extra = |c: &&ProcedureCopy| !c.addresses.is_empty() || c.thread != 0;
        let extra = || self.copies.iter().filter(is_extra).count();
        if is_extra(&&copy) && extra() >= MOST_COPIES {
            self.refuse_pointer(span, "procedures are called with too many different addresses");
            return None;
        }
        let id = ProcedureId(self.copies.len() as u32);
        self.copies.push(copy.clone());
        self.copy_ids.insert(copy, id);
        Some(id)
    }

    /// Collects what callers need to know about a procedure, before any body is lowered.
    fn signature(&mut self, function: &Function) {
        let pointer = function.pointers > 0;
        let result = match function.result {
            TypeName::Void => None,
            _ if pointer => None,
            TypeName::Struct(_) => {
                self.returned_struct(function);
                Some(self.int())
            }
            name => Some(self.scalar(name).unwrap_or(self.int())),
        };
        let parameters = self.formals(function);
        if parameters.len() > MOST_PARAMETERS {
            let message = format!("more than {MOST_PARAMETERS} parameters");
            self.diagnostics.error(function.name.span, message, "use globals or an array");
        }
        let name = &function.name.text;
        let has_body = function.body.is_some();
        if self.signatures.contains_key(name) {
            return self.signature_again(function, parameters, result);
        }
        if let Some(Entity::Variable { .. } | Entity::Constant(_)) = self.names.find(name) {
            self.diagnostics.error(
                function.name.span,
                format!("`{name}` is already a variable"),
                "rename one of them",
            );
        }
        let open_ended = function.open_ended;
        self.signatures.insert(
            name.clone(),
            Signature {
                id: None,
                result,
                parameters,
                span: function.span,
                has_body,
                open_ended,
                pointer,
                shared: function.shared,
            },
        );
    }

    /// What the parameters take.
    fn formals(&mut self, function: &Function) -> Vec<Formal> {
        function
            .parameters
            .iter()
            .map(|p| {
                if p.pointers > 0 {
                    return Formal::Pointer(p.type_name, p.pointers);
                }
                if p.type_name == TypeName::Void {
                    self.diagnostics.error(
                        p.span,
                        "a parameter cannot be `void`",
                        "give it a type",
                    );
                }
                match p.type_name {
                    TypeName::Struct(id) => Formal::Struct(id),
                    name => self.scalar(name).map_or(Formal::Poisoned, Formal::Scalar),
                }
            })
            .collect()
    }

    /// A further declaration of a procedure, or its definition after a declaration.
    fn signature_again(
        &mut self,
        function: &Function,
        parameters: Vec<Formal>,
        result: Option<Scalar>,
    ) {
        let name = &function.name.text;
        let has_body = function.body.is_some();
        let Some(old) = self.signatures.get_mut(name) else { return };
        if old.has_body && has_body {
            let line = old.span.line;
            self.diagnostics.error(
                function.span,
                format!("procedure `{name}` is already defined in line {line}"),
                "rename one of them",
            );
        } else if self.c
            && (!old.has_body && old.open_ended || !has_body && function.open_ended)
            && old.result == result
        {
            // C's `int f();` says nothing about the parameters.
            if has_body || !function.open_ended {
                old.parameters = parameters;
                old.open_ended = function.open_ended;
            }
        } else if old.parameters != parameters || old.result != result {
            let line = old.span.line;
            self.diagnostics.error(
                function.span,
                format!("procedure `{name}` differs from its declaration in line {line}"),
                "make their types agree",
            );
        }
        old.has_body |= has_body;
    }

    fn returned_struct(&mut self, function: &Function) {
        if function.body.is_some() {
            let message = are("structs as results").of_memory();
            self.diagnostics.error(function.span, message, "write the result to a global");
        }
    }
}

/// An address for each pointer among the parameters; none of them is known.
pub(super) fn unknown_addresses(function: &Function) -> Vec<Address> {
    function.parameters.iter().filter(|p| p.pointers > 0).map(|_| Address::Unknown).collect()
}
