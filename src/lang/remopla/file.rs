//! From the syntax tree to the program model: the file, its modules and their statements.

use super::entity::Declared;
use super::lowering::{Lowering, Signature};
use super::stack_symbols::Rules;
use super::syntax::*;
use crate::lang::diagnostic::Diagnostics;
use crate::lang::given::Picked;
use crate::lang::lowering::expressions::or;
use crate::lang::lowering::graph::Pending;
use crate::lang::lowering::suggestion::suggestion;
use crate::lang::message::is;
use crate::lang::model::{
    Expression, Operation, Place, ProcedureId, Program, Scalar, Span, StatementKind as Kind,
    VariableKind,
};
use crate::lang::syntax::Name;
use crate::wire::options::{EffectiveOptions, Globals};

/// Lowers a file; `None` if there is nothing to start. The result is only meaningful when no error
/// was reported.
pub(super) fn lower<'a>(
    source: &'a str,
    file: &'a File,
    options: &'a mut EffectiveOptions,
    bits_said: bool,
    diagnostics: &'a mut Diagnostics,
) -> Option<Program> {
    let mut lowering = Lowering::new(source, options, diagnostics);
    lowering.file(file, bits_said)?;
    Some(lowering.builder.finish())
}

impl<'a> Lowering<'a> {
    fn file(&mut self, file: &'a File, bits_said: bool) -> Option<()> {
        self.constants(&file.items, bits_said);
        let mut globals = Vec::new();
        for item in &file.items {
            match item {
                Item::Define(..) => {}
                Item::Enum(enumeration) => self.enumeration(enumeration),
                Item::Struct(structure) => self.structure(structure),
                Item::Declaration(declaration) => {
                    globals.extend(self.declare(declaration, VariableKind::Global))
                }
            }
        }
        let zero = self.options.globals == Globals::Zero;
        for declared in &globals {
            if zero {
                self.builder.zero(declared.id);
            }
        }
        let bodies = self.signatures(&file.modules);
        self.rules = Rules::gather(self, file, bodies as u32);
        let main = self.main(file, bodies)?;
        for module in &file.modules {
            if let Some(body) = &module.body {
                let starts = self.builder.program.procedures.len() == main;
                self.module(module, body, if starts { &globals } else { &[] });
                if self.builder.is_full(module.span) {
                    return None;
                }
            }
        }
        Rules::lower(self, file, &globals);
        self.builder.program.main = main;
        Some(())
    }

    /// The index of the procedure that starts.
    fn main(&mut self, file: &'a File, bodies: usize) -> Option<usize> {
        let found = match &file.init {
            Some(init) if init.state.is_some() => Some(bodies + 1).filter(|_| self.rules.is_some()),
            Some(init) => match self.signatures.get(init.name.text.as_str()).and_then(|s| s.id) {
                Some(id) => Some(id.0 as usize),
                None => {
                    self.unknown_module(&init.name);
                    return None;
                }
            },
            None => match self.signatures.get("main").and_then(|s| s.id) {
                Some(id) => Some(id.0 as usize),
                None if bodies > 0 => Some(0),
                None => self.rules.as_ref().map(|_| bodies + 1),
            },
        };
        if found.is_none() && !self.builder.diagnostics.has_errors() {
            let span = Span { start: 0, end: 0, line: 1 };
            self.builder.diagnostics.error(
                span,
                "no module to start",
                "write `module void main() { … }`",
            );
        }
        found
    }

    pub(super) fn unknown_module(&mut self, name: &Name) {
        if self.builder.diagnostics.full() {
            self.builder.diagnostics.error(name.span, "unknown module", "");
            return;
        }
        if self.signatures.contains_key(name.text.as_str()) {
            let message = format!("module `{}` has no body", name.text);
            self.builder.diagnostics.error(name.span, message, "write it, or leave the call out");
            return;
        }
        let hint = suggestion(&name.text, self.signatures.keys().copied())
            .unwrap_or_else(|| format!("write it: `module void {}() {{ … }}`", name.text));
        self.builder.diagnostics.error(name.span, format!("unknown module `{}`", name.text), hint);
    }

    /// Collects what callers need to know about modules. Gives the number of bodies.
    fn signatures(&mut self, modules: &'a [Module]) -> usize {
        let mut bodies = 0;
        for module in modules {
            let result = module
                .result
                .as_ref()
                .and_then(|(type_name, width)| self.scalar(type_name, width.as_ref(), module.span));
            let parameters: Vec<Scalar> = module
                .parameters
                .iter()
                .map(|(type_name, declarator)| {
                    if !declarator.dimensions.is_empty() || matches!(type_name, TypeName::Struct(_))
                    {
                        let message = is("an array or struct as a parameter");
                        self.builder.diagnostics.error(
                            declarator.name.span,
                            message,
                            "make it global",
                        );
                        return Scalar::BOOL;
                    }
                    self.scalar(type_name, declarator.width.as_ref(), declarator.name.span)
                        .unwrap_or(Scalar::BOOL)
                })
                .collect();
            let id = module.body.is_some().then(|| {
                bodies += 1;
                ProcedureId(bodies as u32 - 1)
            });
            let signature = Signature { id, result, parameters, span: module.span };
            let name = &module.name.text;
            let Some(old) = self.signatures.get_mut(name.as_str()) else {
                self.signatures.insert(name, signature);
                continue;
            };
            let line = old.span.line;
            if old.id.is_some() && id.is_some() {
                let message = format!("module `{name}` is already defined in line {line}");
                self.builder.diagnostics.error(module.span, message, "rename one of them");
            } else if old.parameters != signature.parameters || old.result != signature.result {
                let message =
                    format!("module `{name}` differs from its declaration in line {line}");
                self.builder.diagnostics.error(module.span, message, "make their types agree");
            }
            old.id = old.id.or(id);
        }
        bodies
    }

    fn module(&mut self, module: &'a Module, body: &'a Body, globals: &[Declared]) {
        self.builder.open_procedure();
        self.locals.clear();
        let mut parameters = Vec::new();
        for (type_name, declarator) in &module.parameters {
            parameters.extend(self.declare_one(type_name, declarator, VariableKind::Parameter));
        }
        let mut locals = Vec::new();
        for declaration in &body.locals {
            if declaration.shared {
                let name = &declaration.declarators[0].name;
                self.builder.diagnostics.error(
                    name.span,
                    "a shared variable inside a module",
                    "declare it outside",
                );
            }
            locals.extend(self.declare(declaration, VariableKind::Local));
        }
        self.builder.see(parameters.iter().chain(&locals).map(|d| d.id));
        self.result =
            self.signatures.get(module.name.text.as_str()).and_then(|s| s.result).map(|scalar| {
                let id = self.builder.hidden_variable(
                    "result",
                    scalar,
                    VariableKind::Result,
                    module.span,
                );
                (id, scalar)
            });
        self.members(globals, module.span);
        self.members(&locals, module.span);
        self.statements(&body.statements);
        let result = self.result.map(|r| r.0);
        let parameters = parameters.iter().map(|d| d.id).collect();
        self.builder.close_procedure(&module.name, module.span, body.end, parameters, result);
    }

    fn statements(&mut self, statements: &'a [Statement]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    /// This function only dispatches: a level of nesting must cost little stack.
    fn statement(&mut self, statement: &'a Statement) {
        for label in &statement.labels {
            self.builder.label(label);
        }
        match &statement.kind {
            StatementKind::Block(body) => self.statements(body),
            StatementKind::Select { is_loop, options } => {
                self.select(*is_loop, options, statement.span)
            }
            _ => self.plain(statement),
        }
    }

    fn select(&mut self, is_loop: bool, options: &'a [Choice], span: Span) {
        if is_loop {
            self.builder.leave_entry(span);
            self.breaks.push(None);
        }
        let head = self.builder.graph.here();
        let open = self.guards_of(options, span);
        let from = self.builder.graph.here();
        let mut end = None;
        for (option, (condition, choices)) in options.iter().zip(open) {
            self.builder.graph.current = None;
            if condition != Expression::falsity() {
                let to = self.builder.graph.fresh();
                let word = if option.guard.is_some() { "true" } else { "" };
                let looks = self.builder.looks(Kind::Condition, option.head);
                let pending = Pending { checks: Vec::new(), choices };
                self.builder.edge((from, to), Operation::Assume(condition), pending, word, looks);
                self.builder.graph.current = Some(to);
            }
            self.statements(&option.body);
            let current = self.builder.graph.current;
            end = self.builder.graph.join(end, current);
        }
        if is_loop {
            if let Some(end) = end {
                self.builder.graph.merge(end, head);
            }
            end = self.breaks.pop().expect("pushed above");
        }
        self.builder.graph.current = end;
    }

    /// The condition of each option, with its choices. The checks have an edge of their own before.
    #[inline(never)]
    fn guards_of(&mut self, options: &'a [Choice], span: Span) -> Vec<(Expression, Vec<Picked>)> {
        let mut conditions = Vec::new();
        for option in options {
            let condition = option.guard.as_ref().map(|guard| {
                let value = self.expression(guard);
                self.truth(value, guard.span)
            });
            conditions.push(condition);
        }
        // A value that a check needs, or more than one guard, is stored.
        if !self.builder.pending.choices.is_empty()
            && (conditions.len() > 1 || !self.builder.pending.checks.is_empty())
        {
            let values = conditions.iter().flatten().cloned().collect();
            let mut kept = self.builder.store(values, span).into_iter();
            conditions = conditions.into_iter().map(|c| c.and_then(|_| kept.next())).collect();
        } else if !self.builder.pending.checks.is_empty() {
            self.builder.hidden(span, Operation::Skip);
            self.builder.uninterruptible();
        }
        let choices = std::mem::take(&mut self.builder.pending).choices;
        let none = conditions
            .iter()
            .flatten()
            .cloned()
            .reduce(or)
            .unwrap_or_else(Expression::falsity)
            .negated();
        conditions
            .into_iter()
            .map(|c| (c.unwrap_or_else(|| none.clone()), choices.clone()))
            .collect()
    }

    #[inline(never)]
    fn plain(&mut self, statement: &'a Statement) {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Skip(None) => {
                let looks = self.builder.looks(Kind::Skip, span);
                self.builder.emit(Operation::Skip, looks);
            }
            StatementKind::Skip(Some(relation)) => self.relation(relation, span, Kind::Assumption),
            StatementKind::Assign(list) => self.assignments(list, span),
            StatementKind::Call { target, callee, arguments } => {
                self.call(target.as_ref(), callee, arguments, span)
            }
            StatementKind::Fork { callee, arguments } => {
                let Some(Signature { id: Some(id), parameters, result, .. }) =
                    self.signatures.get(callee.text.as_str())
                else {
                    self.unknown_module(callee);
                    return;
                };
                let id = *id;
                if !parameters.is_empty() || !arguments.is_empty() || result.is_some() {
                    let message = is("a thread with parameters or a result");
                    self.builder.diagnostics.error(
                        span,
                        message,
                        "pass values through shared variables",
                    );
                    return;
                }
                self.builder.start_thread(id, span);
            }
            StatementKind::Break => {
                let Some(slot) = self.breaks.last_mut() else {
                    self.builder.diagnostics.error(span, "`break` outside a loop", "");
                    return;
                };
                let to = *slot.get_or_insert_with(|| self.builder.graph.fresh());
                let looks = self.builder.looks(Kind::Jump, span);
                self.builder.emit_to(Operation::Skip, looks, to);
            }
            StatementKind::Goto(name) => self.builder.goto(std::slice::from_ref(name), span),
            StatementKind::Return(value) => self.return_statement(value.as_ref(), span),
            StatementKind::Assert(e) => {
                let value = self.expression(e);
                let mut condition = self.truth(value, e.span);
                if !self.builder.pending.choices.is_empty() {
                    condition = self.builder.store(vec![condition], span).remove(0);
                }
                self.builder.assertion(condition, span);
            }
            StatementKind::Block(_) | StatementKind::Select { .. } => {
                unreachable!("lowered by `statement`")
            }
        }
    }

    #[inline(never)]
    fn return_statement(&mut self, value: Option<&'a Expr>, span: Span) {
        let operation = match (value, self.result) {
            (None, None) => Operation::Skip,
            (Some(e), Some((result, scalar))) => {
                let value = self.expression(e);
                let value = self.convert(value, scalar, None, e.span);
                Operation::Assign(vec![(Place::Variable(result), value)])
            }
            (None, Some(_)) => {
                self.builder.diagnostics.error(
                    span,
                    "the module returns a value",
                    "write `return e;`",
                );
                return;
            }
            (Some(e), None) => {
                self.builder.diagnostics.error(
                    e.span,
                    "a `void` module returns no value",
                    "give it a type, or leave the value out",
                );
                return;
            }
        };
        let exit = self.builder.graph.exit;
        let looks = self.builder.looks(Kind::Return, span);
        self.builder.emit_to(operation, looks, exit);
    }
}
