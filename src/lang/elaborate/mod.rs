//! From the syntax tree to the program model: names, types, C's conversions, and control flow.
//!
//! An expression is elaborated at the *current location* of the graph under construction. What it
//! does on the way (calls, `++`, assignments inside expressions) becomes edges at once, left to
//! right; what is left is an effect-free [`Expression`], together with *pending* checks and choices
//! that the next edge takes over. Values that a later effect could change are stored in temporaries
//! first.

mod aggregates;
mod arithmetic;
mod builtins;
mod calls;
mod checks;
mod conditions;
mod conversions;
mod declarations;
mod expressions;
mod graph;
mod library;
mod literals;
mod names;
mod paths;
mod places;
mod pointers;
mod sizes;
mod statements;
mod switches;
mod threads;
mod value;
mod where_condition;

use crate::lang::diagnostic::Diagnostics;
use crate::lang::model::{
    Expression, LocationId, ProcedureId, Program, Scalar, Span, VariableId, VariableKind,
};
use crate::lang::syntax::{
    Block, Expr, File, Function, Item, Statement, StatementKind, StructId, StructType, TypeName,
};
use crate::wire::options::{Dialect, EffectiveOptions};
use aggregates::{Aggregate, Layout};
use graph::{Graph, Pending};
use names::{Entity, Names};
use pointers::{Address, Survey};
use rustc_hash::{FxHashMap, FxHashSet};

pub(crate) use where_condition::elaborate_condition;

/// Most globals, and most locals of one procedure.
const MOST_VARIABLES: usize = 1024;

/// Most parameters of one procedure.
const MOST_PARAMETERS: usize = 255;

/// Most expression nodes in all checks and alternatives together; they can grow with the square of
/// an expression's length.
const MOST_CHECK_NODES: usize = 2_000_000;

/// What callers need to know about a procedure.
struct Signature {
    /// `None` if it has no body.
    id: Option<ProcedureId>,
    /// `None` for `void`.
    result: Option<Scalar>,
    parameters: Vec<Formal>,
    span: Span,
    has_body: bool,
    /// C: more arguments may be given.
    open_ended: bool,
    /// C: it returns a pointer.
    pointer: bool,
}

/// What a parameter takes.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Formal {
    Scalar(Scalar),
    /// C: a struct by value.
    Struct(StructId),
    /// C: an address.
    Pointer(TypeName, u32),
    /// Its type was refused.
    Poisoned,
}

/// Where `break` and `continue` lead; the locations are made when they are first needed.
#[derive(Default)]
struct Jumps {
    break_to: Option<LocationId>,
    continue_to: Option<LocationId>,
    /// A `switch` takes `break` only.
    is_loop: bool,
    /// Atomic blocks that are open around it.
    atomic: usize,
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
    name: String,
    result: Option<(VariableId, Scalar)>,
    locals: Vec<VariableId>,
    jumps: Vec<Jumps>,
    switches: Vec<switches::Cases>,
    labels: FxHashMap<String, Label>,
    loops: u32,
    has_goto: bool,
    /// Too many variables, and that has been said.
    full: bool,
    /// What a thread that ends here does last: it sets this.
    ended: Option<VariableId>,
    /// The values of `atomic` on entry to the atomic blocks that are open, outermost first.
    atomic: Vec<VariableId>,
}

/// A procedure that is to be lowered: with the addresses that its pointers hold, in order.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Copy {
    /// Index among the file's bodies.
    body: usize,
    addresses: Vec<Address>,
    role: threads::Role,
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
    /// C rather than Cimple?
    c: bool,
    /// A constant did not fit its type.
    misfit: bool,
    structs: Vec<StructType>,
    layouts: FxHashMap<StructId, Layout>,
    aggregates: Vec<Aggregate>,
    survey: Survey,
    /// Procedures that threads beside main may run.
    shared_by_threads: FxHashSet<String>,
    /// Index of a procedure's body among the file's, by name.
    bodies: FxHashMap<String, usize>,
    /// Copies of procedures, in the order of their numbers.
    copies: Vec<Copy>,
    copy_ids: FxHashMap<Copy, ProcedureId>,
    /// `static` locals, by the place of their names: every copy of their procedure has the same.
    statics: FxHashMap<u32, Entity>,
    has_statement_expressions: bool,
    threads: threads::Threads,
}

/// What came of a file.
pub(crate) struct Elaborated {
    /// `None` if there is no procedure to start. Only meaningful when no error was reported.
    pub(crate) program: Option<Program>,
    /// C: did every constant keep its value at this width?
    pub(crate) constants_fit: bool,
}

/// Lowers a file.
pub(crate) fn elaborate(
    source: &str,
    file: &File,
    options: &EffectiveOptions,
    error_condition: Option<ErrorCondition>,
    diagnostics: &mut Diagnostics,
) -> Elaborated {
    let mut elaborator = Elaborator::new(source, options, diagnostics);
    elaborator.error_condition = error_condition;
    let has_procedures = elaborator.file(file);
    let constants_fit = !elaborator.misfit;
    Elaborated { program: has_procedures.then_some(elaborator.program), constants_fit }
}

impl<'a> Elaborator<'a> {
    fn new(
        source: &'a str,
        options: &'a EffectiveOptions,
        diagnostics: &'a mut Diagnostics,
    ) -> Self {
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
            c: options.dialect == Dialect::C,
            misfit: false,
            structs: Vec::new(),
            layouts: FxHashMap::default(),
            aggregates: Vec::new(),
            survey: Survey::default(),
            shared_by_threads: FxHashSet::default(),
            bodies: FxHashMap::default(),
            copies: Vec::new(),
            copy_ids: FxHashMap::default(),
            statics: FxHashMap::default(),
            has_statement_expressions: false,
            threads: threads::Threads::default(),
        }
    }

    /// Lowers everything; false if there is no procedure to start.
    fn file(&mut self, file: &File) -> bool {
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
        // Procedures are numbered in the order of their bodies, before any body is lowered: calls
        // may look ahead. Those with pointers are numbered when they are first called with certain
        // addresses.
        let bodies: Vec<(&Function, &Block)> = file
            .items
            .iter()
            .filter_map(|item| match item {
                Item::Function(f) if !builtins::keeps_its_meaning(&f.name.text, self.c) => {
                    f.body.as_ref().map(|b| (f, b))
                }
                Item::Thread(f) => f.body.as_ref().map(|b| (f, b)),
                _ => None,
            })
            .collect();
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
            if !takes_addresses || starts {
                let addresses = function
                    .parameters
                    .iter()
                    .filter(|p| p.pointers > 0)
                    .map(|_| Address::Unknown)
                    .collect();
                let id =
                    self.copy_of(index, addresses, threads::Role::Procedure, function.name.span);
                if let Some(signature) = self.signatures.get_mut(name) {
                    signature.id = id;
                }
            }
        }
        self.start_threads(file);
        let main = bodies.iter().position(|(f, _)| f.name.text == "main");
        if self.copies.is_empty() && !bodies.is_empty() {
            let (function, _) = bodies[0];
            let addresses = function
                .parameters
                .iter()
                .filter(|p| p.pointers > 0)
                .map(|_| Address::Unknown)
                .collect();
            self.copy_of(0, addresses, threads::Role::Procedure, function.name.span);
        }
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
            self.copies.iter().position(|c| c.body == main && c.role == threads::Role::Procedure)
        });
        self.program.main = called_main.unwrap_or_else(|| self.first_thread().unwrap_or(0));
        self.finish_threads(main.is_some());
        self.graph.finish(&mut self.program);
        true
    }

    /// The number of a procedure with these addresses; `None` if there are too many.
    fn copy_of(
        &mut self,
        body: usize,
        addresses: Vec<Address>,
        role: threads::Role,
        span: Span,
    ) -> Option<ProcedureId> {
        let copy = Copy { body, addresses, role };
        if let Some(id) = self.copy_ids.get(&copy) {
            return Some(*id);
        }
        if self.copies.iter().filter(|c| !c.addresses.is_empty()).count() >= pointers::MOST_COPIES {
            self.refuse_pointer(span, "procedures are called with too many different addresses");
            return None;
        }
        let id = ProcedureId(self.copies.len() as u32);
        self.copies.push(copy.clone());
        self.copy_ids.insert(copy, id);
        Some(id)
    }

    /// Notes what callers need, before any body is lowered.
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
        let parameters: Vec<Formal> = function
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
            return;
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
            },
        );
    }

    fn returned_struct(&mut self, function: &Function) {
        if function.body.is_some() {
            let message =
                format!("structs as results are not modelled: line {}", function.span.line);
            self.diagnostics.error(function.span, message, "write the result to a global");
        }
    }

    fn procedure(&mut self, function: &Function, body: &Block, copy: &Copy) {
        let id = ProcedureId(self.program.procedures.len() as u32);
        let has_goto = self.has_statement_expressions || body.statements.iter().any(has_goto);
        self.current =
            Current { id: id.0, name: function.name.text.clone(), has_goto, ..Current::default() };
        self.names.open();
        let mut parameters = Vec::new();
        let mut addresses = copy.addresses.iter();
        let mut moved = Vec::new();
        for parameter in &function.parameters {
            let name = parameter.name.as_ref();
            if parameter.pointers > 0 {
                let address = addresses.next().copied().unwrap_or(Address::Unknown);
                let address = self.fitting(address, parameter.type_name, parameter.pointers);
                let rebound = name.is_some_and(|n| self.survey.assigned.contains(&n.text));
                if let Some(name) = name {
                    self.bind(
                        name,
                        Entity::Pointer(if rebound { Address::Unknown } else { address }),
                    );
                }
                continue;
            }
            let text = name.map_or(String::new(), |n| n.text.clone());
            if name.is_none() && !self.c {
                self.diagnostics.error(parameter.span, "this parameter has no name", "name it");
            }
            let span = name.map_or(parameter.span, |n| n.span);
            if let TypeName::Struct(type_id) = parameter.type_name {
                self.struct_parameter(type_id, &text, name, span, &mut parameters, &mut moved);
                continue;
            }
            let scalar = self.scalar(parameter.type_name).unwrap_or(self.int());
            let variable =
                self.new_variable(&text, scalar, Vec::new(), VariableKind::Parameter, span);
            parameters.push(variable);
            if let Some(name) = name {
                let entity = match parameter.type_name {
                    TypeName::Poisoned => Entity::Poisoned,
                    _ if self.is_shared_local(&text, span) => {
                        let shared = self.new_variable(
                            &text,
                            scalar,
                            Vec::new(),
                            VariableKind::Global,
                            span,
                        );
                        moved.push((variable, shared));
                        Entity::Variable { id: shared, constant: parameter.constant, value: None }
                    }
                    _ => {
                        Entity::Variable { id: variable, constant: parameter.constant, value: None }
                    }
                };
                self.bind(name, entity);
            }
        }
        let result = match function.result {
            TypeName::Void => None,
            _ if function.pointers > 0 => None,
            name => {
                let scalar = self.scalar(name).unwrap_or(self.int());
                let variable = self.new_variable(
                    "result",
                    scalar,
                    Vec::new(),
                    VariableKind::Result,
                    function.span,
                );
                Some((variable, scalar))
            }
        };
        self.current.result = result;
        let entry = self.graph.start(id);
        let exit = self.graph.fresh();
        self.graph.exit = exit;
        self.open_procedure(function, copy, &parameters, moved);
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
        self.close_procedure(body.end);
        if let Some(here) = self.graph.current {
            self.graph.merge(here, exit);
        }
        self.graph.current = None;
    }

    /// What comes before the first statement.
    fn open_procedure(
        &mut self,
        function: &Function,
        copy: &Copy,
        parameters: &[VariableId],
        moved: Vec<(VariableId, VariableId)>,
    ) {
        let looks = graph::Looks {
            kind: crate::lang::model::StatementKind::Hidden,
            span: function.span,
            text: self.tidy(function.span),
        };
        if !moved.is_empty() {
            let stores = moved
                .into_iter()
                .map(|(from, to)| {
                    let scalar = self.program.variable(from).scalar;
                    (crate::lang::model::Place::Variable(to), Expression::Variable(from, scalar))
                })
                .collect();
            self.emit(crate::lang::model::Operation::Assign(stores), looks.clone());
        }
        if self.c
            && function.name.text == "main"
            && let Some(count) = parameters.first()
        {
            // The number of arguments is not negative.
            let scalar = self.program.variable(*count).scalar;
            let zero = Expression::Constant(0, scalar);
            let count = Expression::Variable(*count, scalar);
            let condition =
                conversions::binary(crate::lang::model::BinaryOperator::LessEqual, zero, count);
            self.emit(crate::lang::model::Operation::Assume(condition), looks.clone());
        }
        self.open_thread(copy.role, &looks);
    }

    /// A struct that is passed by value: a parameter for each of its scalars.
    fn struct_parameter(
        &mut self,
        type_id: StructId,
        text: &str,
        name: Option<&crate::lang::syntax::Name>,
        span: Span,
        parameters: &mut Vec<VariableId>,
        moved: &mut Vec<(VariableId, VariableId)>,
    ) {
        let Some(index) =
            self.new_aggregate(text, type_id, Vec::new(), VariableKind::Parameter, false, span)
        else {
            if let Some(name) = name {
                self.bind(name, Entity::Poisoned);
            }
            return;
        };
        let leaves = self.aggregates[index as usize].leaves.clone();
        if leaves.iter().any(|leaf| self.program.variable(*leaf).is_array()) {
            let message = format!("structs with arrays are not passed: line {}", span.line);
            self.diagnostics.error(span, message, "make it a global");
        }
        parameters.extend(&leaves);
        let mut bound = index;
        if self.is_shared_local(text, span)
            && let Some(shared) =
                self.new_aggregate(text, type_id, Vec::new(), VariableKind::Global, false, span)
        {
            moved.extend(
                leaves.iter().copied().zip(self.aggregates[shared as usize].leaves.iter().copied()),
            );
            bound = shared;
        }
        if let Some(name) = name {
            self.bind(name, Entity::Aggregate(bound));
        }
    }

    fn check_labels(&mut self, current: &Current) {
        let mut wrong: Vec<(&String, Span)> = current
            .labels
            .iter()
            .filter(|(_, l)| l.defined.is_none())
            .filter_map(|(name, l)| l.used.map(|span| (name, span)))
            .collect();
        wrong.sort_by_key(|(_, span)| span.start);
        for (name, span) in wrong {
            let mut known: Vec<&str> = current
                .labels
                .iter()
                .filter(|(_, l)| l.defined.is_some())
                .map(|(n, _)| n.as_str())
                .collect();
            known.sort_unstable();
            let hint = names::suggestion(name, known.into_iter())
                .unwrap_or_else(|| format!("write `{name}:` before a statement"));
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
        StatementKind::Atomic(block) => block.statements.iter().any(has_goto),
        _ => false,
    }
}
