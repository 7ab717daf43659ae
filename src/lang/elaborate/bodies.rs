//! Bodies of procedures: parameters, the statements, and what comes before and after them.

use super::address::Address;
use super::current::Current;
use super::elaborator::Elaborator;
use super::names::Entity;
use super::signature::{ProcedureCopy, Role};
use super::thread_locals::thread_of;
use crate::lang::lowering::expressions::binary;
use crate::lang::lowering::graph::Looks;
use crate::lang::lowering::suggestion::suggestion;
use crate::lang::message::at_line;
use crate::lang::model::{
    BinaryOperator, Expression, LocationId, Operation, Place, Procedure, ProcedureId, Span,
    StatementKind as ModelKind, VariableId, VariableKind,
};
use crate::lang::syntax::{Block, Function, Name, Statement, StatementKind, StructId, TypeName};
use crate::util::order::sort_by_key;

impl Elaborator<'_> {
    pub(super) fn procedure(&mut self, function: &Function, body: &Block, copy: &ProcedureCopy) {
        let id = ProcedureId(self.program.procedures.len() as u32);
        let has_goto = self.has_statement_expressions || body.statements.iter().any(has_goto);
        self.current = Current {
            id: id.0,
            name: function.name.text.clone(),
            has_goto,
            shared: function.shared,
            ..Current::default()
        };
        let has_own = !self.threads.locals.is_empty();
        self.names.open();
        if has_own {
            self.current.thread = thread_of(id, copy);
            self.bind_own();
        }
        self.names.open();
        let (parameters, moved) = self.parameters(function, copy);
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
                self.note_pointer(variable, name);
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
        self.names.close();
        self.graph.set_line(exit, body.end.line);
        let current = std::mem::take(&mut self.current);
        self.check_labels(&current);
        if function.shared {
            self.program.shared.procedures.insert(id);
        }
        self.program.procedures.push(Procedure {
            name: function.name.text.clone(),
            parameters,
            locals: current.locals,
            result: result.map(|r| r.0),
            entry,
            exit,
            span: function.span,
        });
    }

    /// Declares the parameters. Gives their variables, and pairs (parameter, global) for those
    /// whose address is taken: the body uses the global.
    fn parameters(
        &mut self,
        function: &Function,
        copy: &ProcedureCopy,
    ) -> (Vec<VariableId>, Vec<(VariableId, VariableId)>) {
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
                    let address = if rebound { Address::Unknown } else { address };
                    self.bind(name, Entity::Pointer(address));
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
            self.note_pointer(variable, parameter.type_name);
            parameters.push(variable);
            let Some(name) = name else { continue };
            let mut id = variable;
            if parameter.type_name != TypeName::Poisoned && self.is_shared_local(&text, span) {
                id = self.new_variable(&text, scalar, Vec::new(), VariableKind::Global, span);
                self.begins_with_declaration(id);
                if parameter.atomic {
                    self.threads.atomics.insert(id);
                }
                moved.push((variable, id));
            }
            let entity = match parameter.type_name {
                TypeName::Poisoned => Entity::Poisoned,
                _ => Entity::Variable { id, constant: parameter.constant, value: None },
            };
            self.bind(name, entity);
        }
        (parameters, moved)
    }

    /// A struct that is passed by value: a parameter for each of its scalars.
    fn struct_parameter(
        &mut self,
        type_id: StructId,
        text: &str,
        name: Option<&Name>,
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
            let message = at_line("structs with arrays are not passed");
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
            let shown = self.aggregates[bound as usize].leaves.clone();
            self.names.show(&shown);
        }
    }

    /// Adds the edges that come before the first statement.
    fn open_procedure(
        &mut self,
        function: &Function,
        copy: &ProcedureCopy,
        parameters: &[VariableId],
        moved: Vec<(VariableId, VariableId)>,
    ) {
        let looks =
            Looks { kind: ModelKind::Hidden, span: function.span, text: self.tidy(function.span) };
        if self.current.thread != 0 {
            self.begin_own(copy, &looks);
        }
        if matches!(copy.role, Role::Thread(_)) {
            self.take_argument(parameters, &looks);
        }
        if !moved.is_empty() {
            let stores = moved
                .into_iter()
                .map(|(from, to)| {
                    let scalar = self.program.variable(from).scalar;
                    (Place::Variable(to), Expression::Variable(from, scalar))
                })
                .collect();
            self.emit(Operation::Assign(stores), looks.clone());
        }
        if self.c
            && function.name.text == "main"
            && let Some(count) = parameters.first()
        {
            // The number of arguments is not negative.
            let scalar = self.program.variable(*count).scalar;
            let zero = Expression::Constant(0, scalar);
            let count = Expression::Variable(*count, scalar);
            let condition = binary(BinaryOperator::LessEqual, zero, count);
            self.emit(Operation::Assume(condition), looks.clone());
        }
        self.open_thread(copy.role, &looks);
    }

    /// Adds the edge from the end of the body to the exit.
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

    fn check_labels(&mut self, current: &Current) {
        let mut wrong: Vec<(&String, Span)> = current
            .labels
            .iter()
            .filter(|(_, l)| l.defined.is_none())
            .filter_map(|(name, l)| l.used.map(|span| (name, span)))
            .collect();
        sort_by_key(&mut wrong, |(_, span)| span.start);
        for (name, span) in wrong {
            let mut known: Vec<&str> = current
                .labels
                .iter()
                .filter(|(_, l)| l.defined.is_some())
                .map(|(n, _)| n.as_str())
                .collect();
            known.sort_unstable();
            let hint = suggestion(name, known.into_iter())
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
