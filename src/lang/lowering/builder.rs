//! A program under construction: procedures, variables, labels, and edges at the current location.
//!
//! For languages whose expressions have no effects, and where a name means the same throughout its
//! procedure.

use super::graph::{Graph, Looks, Pending, Step};
use super::suggestion::suggestion;
use super::tidy::tidy_at;
use crate::lang::diagnostic::Diagnostics;
use crate::lang::model::{
    Check, ChoiceId, EdgeId, ErrorKind, Expression, Initial, LocationId, Operation, Origin, Place,
    Procedure, ProcedureId, Program, Scalar, Scope, ScopeId, Span, StatementKind, Subject,
    Variable, VariableId, VariableKind,
};
use crate::lang::syntax::Name;
use crate::util::order::sort_by_key;
use rustc_hash::FxHashMap;

/// Most globals, and most locals of one procedure, counting an array as one.
pub(in crate::lang) const MOST_VARIABLES: usize = 1024;

/// Most entries of all scopes together.
const MOST_SCOPE_ENTRIES: usize = 8_000_000;

struct Label {
    location: LocationId,
    defined: Option<Span>,
    used: Option<Span>,
    /// The current location directly after the label, before any edge is added.
    fresh: Option<LocationId>,
}

/// Builds a program; the head of the module says for which languages.
pub(in crate::lang) struct Builder<'a> {
    source: &'a str,
    pub(in crate::lang) diagnostics: &'a mut Diagnostics,
    pub(in crate::lang) program: Program,
    pub(in crate::lang) graph: Graph,
    /// Checks and choices for the next edge.
    pub(in crate::lang) pending: Pending,
    /// A label that is an error, in addition to `error` and `ERROR`.
    error_label: Option<String>,
    globals: Vec<VariableId>,
    scope: ScopeId,
    scope_entries: usize,
    procedure: ProcedureId,
    entry: LocationId,
    locals: Vec<VariableId>,
    labels: FxHashMap<String, Label>,
}

impl<'a> Builder<'a> {
    pub(in crate::lang) fn new(
        source: &'a str,
        bits: u32,
        error_label: Option<String>,
        diagnostics: &'a mut Diagnostics,
    ) -> Self {
        Builder {
            source,
            diagnostics,
            program: Program { int_width: bits as u8, ..Program::default() },
            graph: Graph::default(),
            pending: Pending::default(),
            error_label,
            globals: Vec::new(),
            scope: ScopeId(0),
            scope_entries: 0,
            procedure: ProcedureId(0),
            entry: LocationId(0),
            locals: Vec::new(),
            labels: FxHashMap::default(),
        }
    }

    /// Adds a variable that the program declares. Globals come before the first procedure, other
    /// variables inside their procedure.
    pub(in crate::lang) fn variable(
        &mut self,
        name: &Name,
        scalar: Scalar,
        dimensions: Vec<u32>,
        kind: VariableKind,
    ) -> VariableId {
        let id = self.new_variable(&name.text, scalar, dimensions, kind, name.span);
        if kind == VariableKind::Global {
            self.globals.push(id);
        }
        id
    }

    /// Makes a variable start with zero.
    pub(in crate::lang) fn zero(&mut self, id: VariableId) {
        let variable = &mut self.program.variables[id];
        variable.initial = Initial::Exactly(vec![0; variable.elements() as usize]);
    }

    /// Adds a hidden variable.
    pub(in crate::lang) fn hidden_variable(
        &mut self,
        name: &str,
        scalar: Scalar,
        kind: VariableKind,
        span: Span,
    ) -> VariableId {
        self.new_variable(name, scalar, Vec::new(), kind, span)
    }

    pub(in crate::lang) fn temporary(&mut self, scalar: Scalar, span: Span) -> VariableId {
        self.hidden_variable("", scalar, VariableKind::Temporary, span)
    }

    fn new_variable(
        &mut self,
        name: &str,
        scalar: Scalar,
        dimensions: Vec<u32>,
        kind: VariableKind,
        span: Span,
    ) -> VariableId {
        let id = VariableId(self.program.variables.len() as u32);
        let owner = (kind != VariableKind::Global).then_some(self.procedure);
        self.program.variables.push(Variable {
            name: name.to_string(),
            scalar,
            dimensions,
            kind,
            owner,
            span,
            initial: Initial::Any,
            origin: Origin::Written,
        });
        if owner.is_some() && kind != VariableKind::Parameter {
            self.locals.push(id);
        }
        id
    }

    /// Starts the next procedure. Variables that are added from now on belong to it.
    pub(in crate::lang) fn open_procedure(&mut self) {
        self.procedure = ProcedureId(self.program.procedures.len() as u32);
        self.locals.clear();
        self.labels.clear();
        self.entry = self.graph.start(self.procedure);
        self.graph.exit = self.graph.fresh();
    }

    /// Sets the scope of this procedure from its first edge on: the globals, then these variables.
    pub(in crate::lang) fn see(&mut self, own: impl Iterator<Item = VariableId>) {
        let variables: Vec<VariableId> = self.globals.iter().copied().chain(own).collect();
        self.scope_entries += variables.len();
        self.scope = ScopeId(self.program.scopes.len() as u32);
        self.program.scopes.push(Scope { variables });
    }

    /// Do the scopes take more room than a program may need? If so, this is reported.
    pub(in crate::lang) fn is_full(&mut self, span: Span) -> bool {
        let full = self.scope_entries > MOST_SCOPE_ENTRIES;
        if full {
            self.diagnostics.error(
                span,
                "too many variables in too many procedures",
                "split the program",
            );
        }
        full
    }

    /// Ends a procedure: an edge leads from its end to its exit. Reports labels that are used but
    /// not defined.
    pub(in crate::lang) fn close_procedure(
        &mut self,
        name: &Name,
        span: Span,
        end: Span,
        parameters: Vec<VariableId>,
        result: Option<VariableId>,
    ) {
        let exit = self.graph.exit;
        if self.graph.at_entry() {
            self.hidden(end, Operation::Skip);
        }
        if let Some(here) = self.graph.current.take() {
            self.graph.merge(here, exit);
        }
        self.graph.set_line(exit, end.line);
        let labels = std::mem::take(&mut self.labels);
        let mut wrong: Vec<(&String, Span)> = labels
            .iter()
            .filter(|(_, l)| l.defined.is_none())
            .filter_map(|(name, l)| l.used.map(|span| (name, span)))
            .collect();
        sort_by_key(&mut wrong, |(_, span)| span.start);
        for (name, span) in wrong {
            if self.diagnostics.full() {
                self.diagnostics.error(span, "unknown label", "");
                continue;
            }
            let mut known: Vec<&str> = labels
                .iter()
                .filter(|(_, l)| l.defined.is_some())
                .map(|(n, _)| n.as_str())
                .collect();
            known.sort_unstable();
            let hint = suggestion(name, known.into_iter())
                .unwrap_or_else(|| format!("write `{name}:` before a statement"));
            self.diagnostics.error(span, format!("unknown label `{name}`"), hint);
        }
        let locals = std::mem::take(&mut self.locals);
        let entry = self.entry;
        self.program.procedures.push(Procedure {
            name: name.text.clone(),
            parameters,
            locals,
            result,
            entry,
            exit,
            span,
        });
    }

    /// Gives the program. All procedures must be closed.
    pub(in crate::lang) fn finish(mut self) -> Program {
        self.graph.finish(&mut self.program);
        self.program
    }

    /// The source text of a place, on one line.
    pub(in crate::lang) fn text(&self, span: Span) -> String {
        tidy_at(self.source, span)
    }

    /// The looks of a statement with its own source text.
    pub(in crate::lang) fn looks(&self, kind: StatementKind, span: Span) -> Looks {
        Looks { kind, span, text: self.text(span) }
    }

    /// Adds an edge from the current location to a new one, which becomes current. The edge takes
    /// the pending checks and choices.
    pub(in crate::lang) fn emit(&mut self, operation: Operation, looks: Looks) -> EdgeId {
        let to = self.graph.fresh();
        let id = self.emit_to(operation, looks, to);
        self.graph.current = Some(to);
        id
    }

    /// Adds an edge from the current location to the given one. No location is current afterwards.
    pub(in crate::lang) fn emit_to(
        &mut self,
        operation: Operation,
        looks: Looks,
        to: LocationId,
    ) -> EdgeId {
        let from = self.graph.here();
        let pending = std::mem::take(&mut self.pending);
        self.graph.current = None;
        self.edge((from, to), operation, pending, "", looks)
    }

    pub(in crate::lang) fn edge(
        &mut self,
        ends: (LocationId, LocationId),
        operation: Operation,
        pending: Pending,
        outcome: &str,
        looks: Looks,
    ) -> EdgeId {
        let step = Step { operation, pending, outcome: outcome.to_string(), looks };
        self.graph.edge(&mut self.program, ends, self.scope, step)
    }

    /// Adds a step that is not in the source.
    pub(in crate::lang) fn hidden(&mut self, span: Span, operation: Operation) {
        let looks = self.looks(StatementKind::Hidden, span);
        self.emit(operation, looks);
    }

    /// Forbids that another thread runs between the edges that meet at the current location.
    pub(in crate::lang) fn uninterruptible(&mut self) {
        let here = self.graph.here();
        self.program.concurrency.uninterruptible.insert(here);
    }

    /// A value that the next edge picks.
    pub(in crate::lang) fn choice(&mut self, scalar: Scalar) -> Expression {
        let id = ChoiceId(self.pending.choices.len() as u32);
        self.pending.choices.push(scalar.into());
        Expression::Choice(id, scalar)
    }

    /// Stores values in hidden variables by one assignment, which takes the pending checks and
    /// choices. Gives expressions that read these variables. No other thread runs before the next
    /// edge.
    pub(in crate::lang) fn store(
        &mut self,
        values: Vec<Expression>,
        span: Span,
    ) -> Vec<Expression> {
        let mut pairs = Vec::new();
        let mut kept = Vec::new();
        for value in values {
            let scalar = value.scalar();
            let variable = self.temporary(scalar, span);
            kept.push(Expression::Variable(variable, scalar));
            pairs.push((Place::Variable(variable), value));
        }
        self.hidden(span, Operation::Assign(pairs));
        self.uninterruptible();
        kept
    }

    /// The next edge fails unless this condition holds.
    pub(in crate::lang) fn require(
        &mut self,
        kind: ErrorKind,
        condition: Expression,
        subject: Subject,
        message: String,
        span: Span,
    ) {
        if condition != Expression::truth() {
            let line = span.line;
            self.pending.checks.push(Check { kind, condition, message, subject, line });
        }
    }

    /// `assert(e)`.
    pub(in crate::lang) fn assertion(&mut self, condition: Expression, span: Span) {
        let looks = self.looks(StatementKind::Assertion, span);
        self.pending.checks.push(Check {
            kind: ErrorKind::Assertion,
            condition,
            message: looks.text.clone(),
            subject: Subject::Condition,
            line: span.line,
        });
        self.emit(Operation::Skip, looks);
    }

    /// Makes sure that the current location is not the entry, because jumps may lead here and an
    /// entry has no in-edges.
    pub(in crate::lang) fn leave_entry(&mut self, span: Span) {
        if self.graph.at_entry() {
            self.hidden(span, Operation::Skip);
        }
    }

    fn label_entry(&mut self, name: &str) -> &mut Label {
        let graph = &mut self.graph;
        self.labels.entry(name.to_string()).or_insert_with(|| Label {
            location: graph.fresh(),
            defined: None,
            used: None,
            fresh: None,
        })
    }

    /// Sets a label before a statement. If the label is an error, the statement fails. A label that
    /// is repeated directly has no further effect.
    pub(in crate::lang) fn label(&mut self, name: &Name) {
        self.leave_entry(name.span);
        let current = self.graph.current;
        let label = self.label_entry(&name.text);
        if let Some(old) = label.defined {
            if label.fresh != current || current.is_none() {
                let message = format!("label `{}` is already in line {}", name.text, old.line);
                self.diagnostics.error(name.span, message, "rename one of them");
            }
            return;
        }
        label.defined = Some(name.span);
        let location = label.location;
        match current {
            // All labels of one statement share its location.
            Some(here) => {
                self.graph.merge(location, here);
            }
            None => self.graph.current = Some(location),
        }
        if self.is_error_label(&name.text) {
            let looks = self.looks(StatementKind::Assertion, name.span);
            let looks = Looks { text: format!("{}:", looks.text), ..looks };
            self.require(
                ErrorKind::ErrorLabel,
                Expression::falsity(),
                Subject::Condition,
                looks.text.clone(),
                name.span,
            );
            self.emit(Operation::Skip, looks);
        }
        let current = self.graph.current;
        self.label_entry(&name.text).fresh = current;
    }

    /// Is reaching this label an error?
    pub(in crate::lang) fn is_error_label(&self, name: &str) -> bool {
        matches!(name, "error" | "ERROR" | "SLIC_ERROR")
            || self.error_label.as_deref() == Some(name)
    }

    /// `goto` one of these.
    pub(in crate::lang) fn goto(&mut self, names: &[Name], span: Span) {
        let from = self.graph.here();
        for name in names {
            let label = self.label_entry(&name.text);
            label.used.get_or_insert(name.span);
            let to = label.location;
            let mut looks = self.looks(StatementKind::Jump, span);
            if names.len() > 1 {
                looks.text = format!("goto {}", name.text);
            }
            self.edge((from, to), Operation::Skip, Pending::default(), "", looks);
        }
        self.graph.current = None;
    }

    /// Adds two edges out of the current location: one if the condition holds, one if not. A
    /// constant condition has one edge only.
    pub(in crate::lang) fn branch(
        &mut self,
        condition: Expression,
        looks: Looks,
    ) -> (Option<LocationId>, Option<LocationId>) {
        let choices = std::mem::take(&mut self.pending).choices;
        let from = self.graph.here();
        self.graph.current = None;
        let outcomes = match &condition {
            Expression::Constant(1, _) => vec![(true, Expression::truth())],
            Expression::Constant(..) => vec![(false, Expression::truth())],
            Expression::Choice(..) => {
                vec![(true, Expression::truth()), (false, Expression::truth())]
            }
            _ => vec![(true, condition.clone()), (false, condition.clone().negated())],
        };
        let mut ends = (None, None);
        for (outcome, condition) in outcomes {
            let to = self.graph.fresh();
            let choices = if matches!(condition, Expression::Constant(..)) {
                Vec::new()
            } else {
                choices.clone()
            };
            let pending = Pending { checks: Vec::new(), choices };
            let word = if outcome { "true" } else { "false" };
            self.edge((from, to), Operation::Assume(condition), pending, word, looks.clone());
            *(if outcome { &mut ends.0 } else { &mut ends.1 }) = Some(to);
        }
        ends
    }

    /// Starts one more thread.
    pub(in crate::lang) fn start_thread(&mut self, callee: ProcedureId, span: Span) {
        let looks = self.looks(StatementKind::Call, span);
        let edge = self.emit(Operation::Skip, looks);
        self.program.concurrency.starts.insert(edge, callee);
    }
}
