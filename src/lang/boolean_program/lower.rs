//! From the syntax tree to the program model.
//!
//! * `n` results, n > 1, are one number of n bits, the first result in its lowest bit; the caller
//!   keeps it in a temporary and unpacks it.
//! * `x := e constrain c`: where `c` reads the value of `x` before, it is saved first; then the
//!   assignment; then `c` is assumed. A right side that mentions a value afterwards is any value,
//!   constrained to equal it.
//! * `enforce e` is assumed at the entry and after each statement, unless no variable in `e` can
//!   have changed.
//! * `atomic_begin` and `atomic_end` set and clear a hidden global.

use super::syntax::*;
use crate::lang::diagnostic::Diagnostics;
use crate::lang::lowering::builder::{Builder, MOST_VARIABLES};
use crate::lang::lowering::expressions::and;
use crate::lang::message::is;
use crate::lang::model::{
    Expression, Operation, Place, ProcedureId, Program, Scalar, Span, StatementKind as Kind,
    VariableId, VariableKind,
};
use crate::lang::syntax::Name;
use crate::wire::options::{EffectiveOptions, Globals};
use rustc_hash::FxHashMap;

/// What callers need to know about a procedure.
pub(super) struct Signature {
    pub(super) id: ProcedureId,
    pub(super) parameters: usize,
    pub(super) results: u32,
    pub(super) span: Span,
}

pub(super) struct Lowering<'a> {
    pub(super) builder: Builder<'a>,
    pub(super) signatures: FxHashMap<&'a str, Signature>,
    pub(super) globals: FxHashMap<&'a str, VariableId>,
    pub(super) locals: FxHashMap<&'a str, VariableId>,
    /// Does the program have threads beside main?
    pub(super) threaded: bool,
    pub(super) atomic: Option<VariableId>,
    /// The conditions that the procedure under construction enforces; `None` if there are none.
    pub(super) enforced: Option<(&'a [Expr], Span)>,
    pub(super) result: Option<(VariableId, u32)>,
    /// Inside a constraint: the saved old values of the assigned variables.
    pub(super) relation: Option<FxHashMap<VariableId, Expression>>,
}

/// Lowers a file; `None` if it has no procedure to start. The result is only meaningful when no
/// error was reported.
pub(super) fn lower<'a>(
    source: &'a str,
    file: &'a File,
    options: &'a EffectiveOptions,
    diagnostics: &'a mut Diagnostics,
) -> Option<Program> {
    let mut lowering = Lowering {
        builder: Builder::new(source, options.bits, options.label.clone(), diagnostics),
        signatures: FxHashMap::default(),
        globals: FxHashMap::default(),
        locals: FxHashMap::default(),
        threaded: false,
        atomic: None,
        enforced: None,
        result: None,
        relation: None,
    };
    lowering.file(file, options.globals)?;
    Some(lowering.builder.finish())
}

/// The type of a procedure's results together.
pub(super) fn packed(results: u32) -> Option<Scalar> {
    match results {
        0 => None,
        1 => Some(Scalar::BOOL),
        n => Some(Scalar::int(n as u8, false)),
    }
}

impl<'a> Lowering<'a> {
    fn file(&mut self, file: &'a File, globals: Globals) -> Option<()> {
        for (name, value) in [("T", 1), ("F", 0)] {
            self.builder.program.constants.insert(name.to_string(), (value, Scalar::BOOL));
        }
        if file.globals.last().is_some_and(|last| self.too_many(file.globals.len(), last.span)) {
            return None;
        }
        for name in &file.globals {
            let id = self.builder.variable(name, Scalar::BOOL, Vec::new(), VariableKind::Global);
            if globals == Globals::Zero {
                self.builder.zero(id);
            }
            if let Some(old) = self.globals.insert(&name.text, id) {
                self.declared_twice(name, old);
            }
        }
        let mut uses = Uses::default();
        file.procedures.iter().for_each(|procedure| uses.statements(&procedure.body));
        self.threaded = uses.threads;
        if uses.atomic {
            let flag = self.builder.hidden_variable(
                "atomic",
                Scalar::BOOL,
                VariableKind::Global,
                Span::default(),
            );
            self.builder.zero(flag);
            self.builder.program.concurrency.atomic = Some(flag);
            self.atomic = Some(flag);
        }
        for (index, procedure) in file.procedures.iter().enumerate() {
            let signature = Signature {
                id: ProcedureId(index as u32),
                parameters: procedure.parameters.len(),
                results: procedure.results,
                span: procedure.span,
            };
            if let Some(old) = self.signatures.insert(&procedure.name.text, signature) {
                let message = format!(
                    "procedure `{}` is already defined in line {}",
                    procedure.name.text, old.span.line
                );
                self.builder.diagnostics.error(procedure.span, message, "rename one of them");
            }
        }
        for procedure in &file.procedures {
            if !self.procedure(procedure) {
                return None;
            }
        }
        if file.procedures.is_empty() {
            let span = Span { start: 0, end: 0, line: 1 };
            if !self.builder.diagnostics.has_errors() {
                self.builder.diagnostics.error(
                    span,
                    "no procedure to start",
                    "write `void main() begin … end`",
                );
            }
            return None;
        }
        self.builder.program.main =
            file.procedures.iter().position(|p| p.name.text == "main").unwrap_or(0);
        Some(())
    }

    /// Reports a list with more variables than a program may have.
    pub(super) fn too_many(&mut self, list: usize, span: Span) -> bool {
        let many = list > MOST_VARIABLES;
        if many {
            self.builder.diagnostics.error(
                span,
                format!("more than {MOST_VARIABLES} variables"),
                "split the program",
            );
        }
        many
    }

    fn declared_twice(&mut self, name: &Name, old: VariableId) {
        let line = self.builder.program.variable(old).span.line;
        self.builder.diagnostics.error(
            name.span,
            format!("`{}` is already declared in line {line}", name.text),
            "rename one of them",
        );
    }

    /// Lowers a procedure. Returns false if the rest of the file is not worth reading.
    fn procedure(&mut self, procedure: &'a Procedure) -> bool {
        self.builder.open_procedure();
        self.locals.clear();
        if self.too_many(procedure.parameters.len() + procedure.locals.len(), procedure.span) {
            return false;
        }
        let parameters = self.own(&procedure.parameters, VariableKind::Parameter);
        let locals = self.own(&procedure.locals, VariableKind::Local);
        self.builder.see(parameters.iter().chain(&locals).copied());
        self.result = packed(procedure.results).map(|scalar| {
            let id = self.builder.hidden_variable(
                "result",
                scalar,
                VariableKind::Result,
                procedure.span,
            );
            (id, procedure.results)
        });
        let plain = procedure.enforced.iter().all(|e| matches!(e.kind, ExprKind::Truth(true)));
        let place = procedure.enforced.first().map_or(procedure.span, |e| e.span);
        self.enforced = (!plain).then_some((&procedure.enforced[..], place));
        if let Some((_, span)) = self.enforced {
            self.enforce(span);
        }
        self.statements(&procedure.body);
        let result = self.result.map(|r| r.0);
        self.builder.close_procedure(
            &procedure.name,
            procedure.span,
            procedure.end,
            parameters,
            result,
        );
        !self.builder.is_full(procedure.span)
    }

    fn own(&mut self, names: &'a [Name], kind: VariableKind) -> Vec<VariableId> {
        let mut ids = Vec::new();
        for name in names {
            let id = self.builder.variable(name, Scalar::BOOL, Vec::new(), kind);
            ids.push(id);
            if let Some(old) = self.locals.insert(&name.text, id) {
                self.declared_twice(name, old);
            }
        }
        ids
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
            StatementKind::If { branches, otherwise } => {
                self.if_chain(branches, otherwise.as_deref())
            }
            StatementKind::While { condition, body } => {
                self.while_loop(condition, body, statement.span)
            }
            _ => self.plain(statement),
        }
    }

    fn if_chain(&mut self, branches: &'a [Branch], otherwise: Option<&'a [Statement]>) {
        let mut end = None;
        for branch in branches {
            let (then, not) = self.condition(&branch.condition, branch.head);
            self.builder.graph.current = then;
            self.statements(&branch.body);
            let current = self.builder.graph.current;
            end = self.builder.graph.join(end, current);
            self.builder.graph.current = not;
        }
        self.statements(otherwise.unwrap_or_default());
        let current = self.builder.graph.current;
        self.builder.graph.current = self.builder.graph.join(end, current);
    }

    fn while_loop(&mut self, condition: &'a Expr, body: &'a [Statement], span: Span) {
        self.builder.leave_entry(span);
        let head = self.builder.graph.here();
        let (then, not) = self.condition(condition, span);
        self.builder.graph.current = then;
        self.statements(body);
        if let Some(end) = self.builder.graph.current {
            self.builder.graph.merge(end, head);
        }
        self.builder.graph.current = not;
    }

    #[inline(never)]
    fn condition(
        &mut self,
        condition: &'a Expr,
        span: Span,
    ) -> (Option<crate::lang::model::LocationId>, Option<crate::lang::model::LocationId>) {
        let value = self.expression(condition);
        let looks = self.builder.looks(Kind::Condition, span);
        let (then, not) = self.builder.branch(value, looks);
        if self.threaded {
            for end in [then, not].into_iter().flatten() {
                self.builder.graph.current = Some(end);
                self.enforce_anew(span);
            }
        }
        (then, not)
    }

    #[inline(never)]
    fn plain(&mut self, statement: &'a Statement) {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Skip => self.visible(Operation::Skip, Kind::Skip, span),
            StatementKind::Print(values) => {
                for value in values {
                    self.expression(value);
                }
                self.builder.pending = Default::default();
                self.visible(Operation::Skip, Kind::Skip, span);
            }
            StatementKind::Assign { targets, values, constraint } => {
                self.assignment(targets, values, constraint.as_ref(), span)
            }
            StatementKind::Call { targets, callee, arguments } => {
                self.call(targets, callee, arguments, span)
            }
            StatementKind::StartThread { callee, arguments } => {
                self.start_thread(callee, arguments.len(), span)
            }
            StatementKind::EndThread => self.end_thread(span),
            StatementKind::AtomicBegin | StatementKind::AtomicEnd => {
                let flag = self.atomic.expect("made when the file was looked through");
                let on = if matches!(statement.kind, StatementKind::AtomicBegin) {
                    Expression::truth()
                } else {
                    Expression::falsity()
                };
                self.visible(
                    Operation::Assign(vec![(Place::Variable(flag), on)]),
                    Kind::Skip,
                    span,
                );
            }
            StatementKind::Assert(e) => {
                let mut condition = self.expression(e);
                if !self.builder.pending.choices.is_empty() {
                    condition = self.builder.store(vec![condition], span).remove(0);
                }
                self.builder.assertion(condition, span);
                self.enforce_anew(span);
            }
            StatementKind::Assume(e) => {
                let condition = self.expression(e);
                self.visible(Operation::Assume(condition), Kind::Assumption, span);
            }
            StatementKind::Dead(names) => {
                let ids: Vec<VariableId> =
                    names.iter().filter_map(|name| self.find(&name.text, name.span)).collect();
                let looks = self.builder.looks(Kind::Assignment, span);
                self.builder.emit(Operation::Havoc(ids), looks);
                self.enforce(span);
            }
            StatementKind::Goto(names) => {
                self.enforce_anew(span);
                self.builder.goto(names, span);
            }
            StatementKind::Return(values) => self.return_statement(values, span),
            StatementKind::Block(_) | StatementKind::If { .. } | StatementKind::While { .. } => {
                unreachable!("lowered by `statement`")
            }
        }
    }

    fn start_thread(&mut self, callee: &'a Name, arguments: usize, span: Span) {
        let Some((id, parameters, results)) = self.callee(callee, arguments, span) else { return };
        if parameters > 0 || results > 0 {
            let what = is("a thread with parameters or results");
            self.builder.diagnostics.error(span, what, "pass values through globals");
        }
        self.builder.start_thread(id, span);
        self.enforce_anew(span);
    }

    fn end_thread(&mut self, span: Span) {
        if let Some(flag) = self.atomic {
            let falsity = Expression::falsity();
            self.builder.hidden(span, Operation::Assign(vec![(Place::Variable(flag), falsity)]));
        }
        let looks = self.builder.looks(Kind::Assumption, span);
        let edge = self.builder.emit(Operation::Assume(Expression::falsity()), looks);
        self.builder.program.concurrency.ends.insert(edge);
    }

    /// A statement that writes none of the program's variables.
    fn visible(&mut self, operation: Operation, kind: Kind, span: Span) {
        let looks = self.builder.looks(kind, span);
        self.builder.emit(operation, looks);
        self.enforce_anew(span);
    }

    /// Enforces the conditions again after a statement that writes nothing. Only other threads can
    /// have changed them.
    fn enforce_anew(&mut self, span: Span) {
        if self.threaded {
            self.enforce(span);
        }
    }

    /// Assumes what the procedure enforces.
    pub(super) fn enforce(&mut self, span: Span) {
        let Some((enforced, _)) = self.enforced else { return };
        let parts: Vec<Expression> = enforced.iter().map(|e| self.expression(e)).collect();
        let condition = parts.into_iter().reduce(and).unwrap_or_else(Expression::truth);
        self.builder.uninterruptible();
        self.builder.hidden(span, Operation::Assume(condition));
    }
}

/// Features that a program uses.
#[derive(Default)]
struct Uses {
    threads: bool,
    atomic: bool,
}

impl Uses {
    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            match &statement.kind {
                StatementKind::StartThread { .. } => self.threads = true,
                StatementKind::AtomicBegin | StatementKind::AtomicEnd => self.atomic = true,
                StatementKind::Block(body) | StatementKind::While { body, .. } => {
                    self.statements(body)
                }
                StatementKind::If { branches, otherwise } => {
                    branches.iter().for_each(|branch| self.statements(&branch.body));
                    self.statements(otherwise.as_deref().unwrap_or_default());
                }
                _ => {}
            }
        }
    }
}
