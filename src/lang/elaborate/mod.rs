//! From the syntax tree to the program model: names, types, C's conversions, and control flow.
//!
//! An expression is elaborated at the *current location* of the graph under construction. What it does on the way (calls, `++`,
//! assignments inside expressions) becomes edges at once, left to right; what is left is an effect-free [`Expression`], together with
//! *pending* checks and choices that the next edge takes over. Values that a later effect could change are stored in temporaries first.

mod arithmetic;
mod builtins;
mod calls;
mod checks;
mod conditions;
mod conversions;
mod declarations;
mod expressions;
mod graph;
mod names;
mod places;
mod statements;
mod switches;
mod text;
mod value;
mod where_condition;

use crate::lang::diagnostic::Diagnostics;
use crate::lang::model::{Expression, LocationId, ProcedureId, Program, Scalar, Span, VariableId, VariableKind};
use crate::lang::options::EffectiveOptions;
use crate::lang::syntax::{Block, Expr, File, Function, Item, Statement, StatementKind, TypeName};
use graph::{Graph, Pending};
use names::{Entity, Names};
use rustc_hash::FxHashMap;

pub(crate) use where_condition::elaborate_condition;

/// Most globals, and most locals of one procedure.
const MOST_VARIABLES: usize = 1024;

/// Most parameters of one procedure.
const MOST_PARAMETERS: usize = 255;

/// Most expression nodes in all checks and alternatives together; they can grow with the square of an expression's length.
const MOST_CHECK_NODES: usize = 2_000_000;

/// What callers need to know about a procedure.
struct Signature {
    /// `None` if it has no body.
    id: Option<ProcedureId>,
    /// `None` for `void`.
    result: Option<Scalar>,
    /// `None` where the type was refused.
    parameters: Vec<Option<Scalar>>,
    span: Span,
    has_body: bool,
}

/// Where `break` and `continue` lead; the locations are made when they are first needed.
#[derive(Default)]
struct Jumps {
    break_to: Option<LocationId>,
    continue_to: Option<LocationId>,
    /// A `switch` takes `break` only.
    is_loop: bool,
}

/// The `//! error = (x == V)` directive.
pub(crate) struct ErrorCondition {
    pub(crate) expression: Expr,
    pub(crate) mentions: Vec<String>,
    pub(crate) text: String,
    pub(crate) span: Span,
    pub(crate) used: bool,
}

/// The procedure under construction.
#[derive(Default)]
struct Current {
    id: u32,
    result: Option<(VariableId, Scalar)>,
    locals: Vec<VariableId>,
    jumps: Vec<Jumps>,
    switches: Vec<switches::Cases>,
    labels: FxHashMap<String, Label>,
    loops: u32,
    has_goto: bool,
    /// Too many variables, and that has been said.
    full: bool,
}

struct Label {
    location: LocationId,
    defined: Option<Span>,
    used: Option<Span>,
}

/// Elaborates one file.
pub(crate) struct Elaborator<'a> {
    source: &'a str,
    options: &'a EffectiveOptions,
    diagnostics: &'a mut Diagnostics,
    program: Program,
    names: Names,
    signatures: FxHashMap<String, Signature>,
    graph: Graph,
    pending: Pending,
    /// What holds where the expression at hand is evaluated (`i < n` to the right of `i < n &&`).
    guards: Vec<Expression>,
    current: Current,
    error_condition: Option<ErrorCondition>,
    /// No checks and no choices for undefined results: operators mean what the model says.
    total: bool,
    /// Constant variables stand for their values.
    folding: bool,
    /// Expression nodes that checks may still take.
    check_nodes: usize,
}

/// Lowers a file; `None` if it has no procedure to start. The result is only meaningful when no error was reported.
pub(crate) fn elaborate(
    source: &str,
    file: &File,
    options: &EffectiveOptions,
    error_condition: Option<ErrorCondition>,
    diagnostics: &mut Diagnostics,
) -> Option<Program> {
    let mut elaborator = Elaborator::new(source, options, diagnostics);
    elaborator.error_condition = error_condition;
    elaborator.file(file)
}

impl<'a> Elaborator<'a> {
    fn new(source: &'a str, options: &'a EffectiveOptions, diagnostics: &'a mut Diagnostics) -> Self {
        Elaborator {
            source,
            options,
            diagnostics,
            program: Program { int_width: options.bits as u8, ..Program::default() },
            names: Names::default(),
            signatures: FxHashMap::default(),
            graph: Graph::default(),
            pending: Pending::default(),
            guards: Vec::new(),
            current: Current::default(),
            error_condition: None,
            total: false,
            folding: false,
            check_nodes: MOST_CHECK_NODES,
        }
    }

    fn file(mut self, file: &File) -> Option<Program> {
        for item in &file.items {
            match item {
                Item::Declaration(declaration) => self.global_declaration(declaration),
                Item::Function(function) => self.signature(function),
            }
        }
        // Procedures are numbered in the order of their bodies, before any body is lowered: calls may look ahead.
        let bodies: Vec<(&Function, &Block)> = file
            .items
            .iter()
            .filter_map(|item| match item {
                Item::Function(f) if !builtins::keeps_its_meaning(&f.name.text) => f.body.as_ref().map(|b| (f, b)),
                _ => None,
            })
            .collect();
        for (next, (function, _)) in bodies.iter().enumerate() {
            if let Some(signature) = self.signatures.get_mut(&function.name.text).filter(|s| s.id.is_none()) {
                signature.id = Some(ProcedureId(next as u32));
            }
        }
        for (function, body) in &bodies {
            if self.names.is_full() {
                self.diagnostics.error(function.name.span, "too many variables in too many places", "split the program, or use arrays");
                return None;
            }
            self.procedure(function, body);
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
            return None;
        }
        self.program.main = bodies.iter().position(|(f, _)| f.name.text == "main").unwrap_or(0);
        self.graph.finish(&mut self.program);
        Some(self.program)
    }

    /// Notes what callers need, before any body is lowered.
    fn signature(&mut self, function: &Function) {
        let result = match function.result {
            TypeName::Void => None,
            name => Some(self.scalar(name).unwrap_or(self.int())),
        };
        let parameters: Vec<Option<Scalar>> = function
            .parameters
            .iter()
            .map(|p| {
                if p.type_name == TypeName::Void {
                    self.diagnostics.error(p.span, "a parameter cannot be `void`", "give it a type");
                }
                self.scalar(p.type_name)
            })
            .collect();
        if parameters.len() > MOST_PARAMETERS {
            let message = format!("more than {MOST_PARAMETERS} parameters");
            self.diagnostics.error(function.name.span, message, "use globals or an array");
        }
        let name = &function.name.text;
        let has_body = function.body.is_some();
        if let Some(old) = self.signatures.get_mut(name) {
            if old.has_body && has_body {
                let line = old.span.line;
                self.diagnostics.error(
                    function.span,
                    format!("procedure `{name}` is already defined in line {line}"),
                    "rename one of them",
                );
            } else if old.parameters != parameters || old.result != result {
                let line = old.span.line;
                self.diagnostics.error(
                    function.span,
                    format!("procedure `{name}` differs from its declaration in line {line}"),
                    "make their types agree",
                );
            }
            old.has_body |= has_body;
            return;
        }
        if let Some(Entity::Variable { .. } | Entity::Constant(_)) = self.names.find(name) {
            self.diagnostics.error(function.name.span, format!("`{name}` is already a variable"), "rename one of them");
        }
        self.signatures.insert(name.clone(), Signature { id: None, result, parameters, span: function.span, has_body });
    }

    fn procedure(&mut self, function: &Function, body: &Block) {
        let id = ProcedureId(self.program.procedures.len() as u32);
        self.current = Current { id: id.0, has_goto: body.statements.iter().any(has_goto), ..Current::default() };
        self.names.open();
        let mut parameters = Vec::new();
        for parameter in &function.parameters {
            let scalar = self.scalar(parameter.type_name).unwrap_or(self.int());
            let name = parameter.name.as_ref();
            let text = name.map_or(String::new(), |n| n.text.clone());
            if name.is_none() {
                self.diagnostics.error(parameter.span, "this parameter has no name", "name it");
            }
            let span = name.map_or(parameter.span, |n| n.span);
            let variable = self.new_variable(&text, scalar, Vec::new(), VariableKind::Parameter, span);
            parameters.push(variable);
            if let Some(name) = name {
                let entity = match parameter.type_name {
                    TypeName::Poisoned => Entity::Poisoned,
                    _ => Entity::Variable { id: variable, constant: parameter.constant, value: None },
                };
                self.bind(name, entity);
            }
        }
        let result = match function.result {
            TypeName::Void => None,
            name => {
                let scalar = self.scalar(name).unwrap_or(self.int());
                let variable = self.new_variable("result", scalar, Vec::new(), VariableKind::Result, function.span);
                Some((variable, scalar))
            }
        };
        self.current.result = result;
        let entry = self.graph.start(id);
        let exit = self.graph.fresh();
        self.graph.exit = exit;
        self.block_statements(&body.statements);
        self.finish_body(body, exit);
        self.names.close();
        self.graph.set_line(exit, body.end.line);
        let current = std::mem::take(&mut self.current);
        self.check_labels(&current);
        self.program.procedures.push(crate::lang::model::Procedure {
            name: function.name.text.clone(),
            parameters,
            locals: current.locals,
            result: result.map(|r| r.0),
            entry,
            exit,
            span: function.span,
        });
    }

    /// Falling off the end leads to the exit.
    fn finish_body(&mut self, body: &Block, exit: LocationId) {
        if self.graph.at_entry() {
            self.hidden(body.end, "}".to_string());
        }
        if let Some(here) = self.graph.current {
            self.graph.merge(here, exit);
        }
        self.graph.current = None;
    }

    fn check_labels(&mut self, current: &Current) {
        let mut wrong: Vec<(&String, Span)> =
            current.labels.iter().filter(|(_, l)| l.defined.is_none()).filter_map(|(name, l)| l.used.map(|span| (name, span))).collect();
        wrong.sort_by_key(|(_, span)| span.start);
        for (name, span) in wrong {
            let mut known: Vec<&str> = current.labels.iter().filter(|(_, l)| l.defined.is_some()).map(|(n, _)| n.as_str()).collect();
            known.sort_unstable();
            let hint = names::suggestion(name, known.into_iter()).unwrap_or_else(|| format!("write `{name}:` before a statement"));
            self.diagnostics.error(span, format!("unknown label `{name}`"), hint);
        }
    }
}

/// Is there a `goto` inside? Depth is bounded by the parser.
fn has_goto(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Goto(_) => true,
        StatementKind::Block(block) => block.statements.iter().any(has_goto),
        StatementKind::If { branches, otherwise } => {
            branches.iter().any(|b| has_goto(&b.then)) || otherwise.as_deref().is_some_and(has_goto)
        }
        StatementKind::While { body, .. }
        | StatementKind::DoWhile { body, .. }
        | StatementKind::For { body, .. }
        | StatementKind::Switch { body, .. } => has_goto(body),
        _ => false,
    }
}
