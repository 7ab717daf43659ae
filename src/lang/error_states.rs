//! Errors stated as "variable = value in procedure": a run fails where the variable has the value
//! while the procedure runs.
//!
//! The variable is checked at the entry of the procedure (a global or a parameter) and after each
//! of its statements that may have changed it, including calls. In the model these are checks on
//! hidden edges of their own, in addition to the program's other checks (*Error Explanation by
//! Focus-Statement Sequences*, § 2 and § 4). All ids stay.

use crate::lang::model::{
    BinaryOperator, Check, Edge, EdgeId, ErrorKind, Expression, Location, LocationId, Operation,
    ProcedureId, Program, ScopeId, StatementKind, Subject, VariableId, VariableKind,
};
use std::fmt;

/// An error state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorState {
    /// A scalar: a global, or the procedure's own.
    pub variable: VariableId,
    /// The bit pattern of the value.
    pub bits: u64,
    /// The procedure in which the value is an error.
    pub procedure: ProcedureId,
}

/// What is wrong with the text of an error state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadErrorState {
    /// It does not read `NAME = VALUE in PROCEDURE`.
    Form(String),
    /// There is no procedure of this name.
    Procedure(String),
    /// The procedure sees no scalar of this name.
    Variable(String, String),
    /// The text is not a value of the variable.
    Value(String, String),
}

impl fmt::Display for BadErrorState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadErrorState::Form(text) => {
                write!(f, "`{text}` does not read NAME = VALUE in PROCEDURE")
            }
            BadErrorState::Procedure(name) => write!(f, "there is no procedure `{name}`"),
            BadErrorState::Variable(name, procedure) => {
                write!(f, "`{procedure}` sees no scalar `{name}`")
            }
            BadErrorState::Value(value, name) => write!(f, "`{value}` is no value of `{name}`"),
        }
    }
}

impl std::error::Error for BadErrorState {}

/// Reads `NAME = VALUE in PROCEDURE`; `==` is understood too. The value is a number, `true`,
/// `false`, or an enumerator.
pub fn parse(program: &Program, text: &str) -> Result<ErrorState, BadErrorState> {
    let form = || BadErrorState::Form(text.to_string());
    let (condition, procedure) = text.rsplit_once(" in ").ok_or_else(form)?;
    let (name, value) = condition.split_once('=').ok_or_else(form)?;
    let (name, value, procedure) =
        (name.trim(), value.trim_start_matches('=').trim(), procedure.trim());
    let found = program.procedures.iter().position(|known| known.name == procedure);
    let id = found
        .map(|k| ProcedureId(k as u32))
        .ok_or_else(|| BadErrorState::Procedure(procedure.to_string()))?;
    let sees = |variable: &VariableId| {
        let variable = program.variable(*variable);
        let hidden = !variable.has_name();
        variable.name == name
            && !variable.is_array()
            && !hidden
            && variable.owner.is_none_or(|owner| owner == id)
    };
    let all = (0..program.variables.len() as u32).map(VariableId);
    // A local hides a global of its name.
    let variable = all.filter(sees).max_by_key(|id| program.variable(*id).owner.is_some());
    let variable =
        variable.ok_or_else(|| BadErrorState::Variable(name.to_string(), procedure.to_string()))?;
    let scalar = program.variable(variable).scalar;
    let number = match (value, value.parse::<i128>()) {
        (_, Ok(number)) => Some(number),
        ("true", _) if scalar.boolean => Some(1),
        ("false", _) if scalar.boolean => Some(0),
        _ => program.constants.get(value).map(|(bits, of)| of.number(*bits)),
    };
    let number = number.filter(|number| scalar.holds(*number));
    let number = number.ok_or_else(|| BadErrorState::Value(value.to_string(), name.to_string()))?;
    Ok(ErrorState { variable, bits: scalar.wrap(number), procedure: id })
}

/// The program with checks for these error states.
pub fn with_error_states(program: &Program, states: &[ErrorState]) -> Program {
    let mut watched = program.clone();
    for state in states {
        let variable = program.variable(state.variable);
        let entry = watched.procedure(state.procedure).entry;
        if matches!(variable.kind, VariableKind::Global | VariableKind::Parameter) {
            // An entry has no in-edges. Therefore its edges start after the check.
            let line = watched.procedure(state.procedure).span.line;
            let scope = watched
                .edges
                .iter()
                .find(|edge| edge.from == entry)
                .map_or(ScopeId(0), |edge| edge.scope);
            let behind = place(&mut watched, entry);
            for edge in watched.edges.iter_mut().filter(|edge| edge.from == entry) {
                edge.from = behind;
            }
            look(&mut watched, *state, entry, behind, line, scope);
        }
        for id in program.edge_ids() {
            let edge = watched.edge(id).clone();
            if watched.owner(id) != state.procedure || !may_change(program, &edge, state.variable) {
                continue;
            }
            let middle = place(&mut watched, edge.to);
            watched.edges[id].to = middle;
            look(&mut watched, *state, middle, edge.to, edge.span.line, edge.scope);
        }
    }
    watched
}

fn may_change(program: &Program, edge: &Edge, variable: VariableId) -> bool {
    match &edge.operation {
        Operation::Skip | Operation::Assume(_) => false,
        Operation::Assign(pairs) => pairs.iter().any(|(place, _)| place.variable() == variable),
        Operation::Havoc(list) => list.contains(&variable),
        Operation::Call { result, .. } => {
            *result == Some(variable) || program.variable(variable).owner.is_none()
        }
    }
}

fn place(program: &mut Program, like: LocationId) -> LocationId {
    let Location { procedure, line } = *program.location(like);
    program.locations.push(Location { procedure, line });
    LocationId(program.locations.len() as u32 - 1)
}

/// Adds a hidden edge with the check.
fn look(
    program: &mut Program,
    state: ErrorState,
    from: LocationId,
    to: LocationId,
    line: u32,
    scope: ScopeId,
) -> EdgeId {
    let variable = program.variable(state.variable);
    let scalar = variable.scalar;
    let message = format!(
        "{} = {} in {}",
        variable.name,
        scalar.show(state.bits),
        program.procedure(state.procedure).name
    );
    let value = Expression::Variable(state.variable, scalar);
    let bits = Expression::Constant(state.bits, scalar);
    let condition = Expression::binary(BinaryOperator::NotEqual, value, bits);
    let check = Check {
        kind: ErrorKind::Assignment,
        condition,
        message: message.clone(),
        subject: Subject::Condition,
        line,
    };
    let mut span = program.procedure(state.procedure).span;
    span.line = line;
    program.edges.push(Edge {
        from,
        to,
        checks: vec![check],
        operation: Operation::Skip,
        choices: Vec::new(),
        kind: StatementKind::Hidden,
        outcome: String::new(),
        span,
        text: message,
        scope,
    });
    EdgeId(program.edges.len() as u32 - 1)
}
