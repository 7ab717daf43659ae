//! The program that has one path only: the statements of a run, one after the other, with every
//! value left open.
//!
//! Each call of the run becomes a procedure of its own, so a statement that the run executes twice
//! stands there twice, and nothing is a loop or recursive. All runs of the path program are runs of
//! the program. An analysis of it tells whether some run along this path fails.
//!
//! A path program may also leave only small values open ([`PathProgram::with_small_inputs`]). Its
//! runs are some of the runs along the path: those whose inputs fit into few bits.

use super::replay::ReplayedRun;
use crate::lang::concurrency::Concurrency;
use crate::lang::interpreter::{Assignment, ConcreteRun, ConcreteStep};
use crate::lang::model::{
    BinaryOperator, Check, Edge, EdgeId, Expression, Initial, Location, LocationId, Operation,
    Place, Procedure, ProcedureId, Program, Scalar, Scope, ScopeId, Span, StatementKind,
    VariableId,
};
use crate::util::order::inserted;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The most statements, and the most calls, of a path.
const MOST_STEPS: usize = 4_000;
const MOST_CALLS: usize = 400;

/// A program with one path only.
#[derive(Clone, Debug)]
pub struct PathProgram {
    /// It. Its edges are the steps of the path, in order; conditions on inputs stand between them.
    pub program: Rc<Program>,
    /// By edge: the edge of the whole program; `None` for a condition on inputs.
    edges: Vec<Option<EdgeId>>,
    /// By variable: the variable of the whole program.
    variables: Vec<VariableId>,
}

impl PathProgram {
    /// The path of these edges, from the program's start on; returns are implied. `None` if it is
    /// too long, or no path of the program.
    pub fn new(whole: &Program, path: &[EdgeId]) -> Option<PathProgram> {
        PathProgram::build(Building::new(whole, None), path)
    }

    /// The same, where only values that fit into so many bits are open: the values that statements
    /// pick, uninitialised locals, and globals that may have any value. Elements of arrays and
    /// values that are picked inside a condition stay wholly open.
    pub fn with_small_inputs(whole: &Program, path: &[EdgeId], bits: u8) -> Option<PathProgram> {
        PathProgram::build(Building::new(whole, Some(bits)), path)
    }

    fn build(mut building: Building, path: &[EdgeId]) -> Option<PathProgram> {
        if path.is_empty() || path.len() > MOST_STEPS {
            return None;
        }
        for edge in path {
            building.step(*edge)?;
        }
        let Building { program, edges, variables, .. } = building;
        Some(PathProgram { program: Rc::new(program), edges, variables })
    }

    /// A run of the path program, as a run of the whole program.
    pub fn run_of_whole(&self, run: &ReplayedRun) -> ConcreteRun {
        let assignment = |values: &Assignment| -> Assignment {
            inserted(values.iter().map(|(id, bits)| (self.variables[*id], bits.clone())))
        };
        let step = |step: &ConcreteStep| {
            Some(ConcreteStep {
                edge: self.edges[step.edge]?,
                choices: step.choices.clone(),
                locals: step.locals.as_ref().map(assignment),
            })
        };
        ConcreteRun {
            initial_globals: assignment(&run.run.initial_globals),
            initial_locals: assignment(&run.run.initial_locals),
            steps: run.run.steps.iter().filter_map(step).collect(),
        }
    }
}

/// A call of the path that has not returned.
struct Pending {
    /// Its procedure in the path program.
    procedure: ProcedureId,
    /// The procedure of the whole program.
    of: ProcedureId,
    /// Where the path goes on in it.
    at: LocationId,
    /// Its variables: from the whole program's to its own.
    variables: BTreeMap<VariableId, VariableId>,
    /// Its scopes, likewise.
    scopes: BTreeMap<ScopeId, ScopeId>,
}

struct Building<'p> {
    whole: &'p Program,
    program: Program,
    edges: Vec<Option<EdgeId>>,
    variables: Vec<VariableId>,
    /// Into how many bits inputs fit, if not all values are open.
    small: Option<u8>,
    /// The globals: from the whole program's to the path program's.
    globals: BTreeMap<VariableId, VariableId>,
    /// Innermost last.
    stack: Vec<Pending>,
}

impl<'p> Building<'p> {
    fn new(whole: &'p Program, small: Option<u8>) -> Building<'p> {
        let program = Program {
            int_width: whole.int_width,
            constants: whole.constants.clone(),
            concurrency: Concurrency::default(),
            ..Program::default()
        };
        let mut building = Building {
            whole,
            program,
            edges: Vec::new(),
            variables: Vec::new(),
            small,
            globals: BTreeMap::new(),
            stack: Vec::new(),
        };
        for id in whole.globals() {
            let copy = building.variable(id, None);
            building.globals.insert(id, copy);
        }
        let is_open = |(id, _): &(&VariableId, &VariableId)| {
            matches!(whole.variable(**id).initial, Initial::Any)
        };
        let open = building.globals.iter().filter(is_open).map(|(_, copy)| *copy).collect();
        let main = building.procedure(whole.main_id(), open);
        building.stack.push(main);
        building
    }

    /// Adds a copy of a variable.
    fn variable(&mut self, id: VariableId, owner: Option<ProcedureId>) -> VariableId {
        let variable = self.whole.variable(id).clone();
        self.program.variables.push(crate::lang::model::Variable { owner, ..variable });
        self.variables.push(id);
        VariableId(self.variables.len() as u32 - 1)
    }

    fn location(&mut self, procedure: ProcedureId, like: LocationId) -> LocationId {
        let line = self.whole.location(like).line;
        self.program.locations.push(Location { procedure, line });
        LocationId(self.program.locations.len() as u32 - 1)
    }

    /// Adds a procedure for one call. `open`: variables besides its locals whose values are open
    /// when it begins.
    fn procedure(&mut self, of: ProcedureId, mut open: Vec<VariableId>) -> Pending {
        let called = self.whole.procedure(of);
        let procedure = ProcedureId(self.program.procedures.len() as u32);
        let mut variables = BTreeMap::new();
        for id in called.parameters.iter().chain(&called.locals) {
            let copy = self.variable(*id, Some(procedure));
            variables.insert(*id, copy);
        }
        let entry = self.location(procedure, called.entry);
        let exit = self.location(procedure, called.exit);
        let copies = |ids: &[VariableId]| ids.iter().map(|id| variables[id]).collect();
        self.program.procedures.push(Procedure {
            name: called.name.clone(),
            parameters: copies(&called.parameters),
            locals: copies(&called.locals),
            result: called.result.map(|id| variables[&id]),
            entry,
            exit,
            span: called.span,
        });
        open.extend(called.locals.iter().map(|id| variables[id]));
        let mut begun = Pending { procedure, of, at: entry, variables, scopes: BTreeMap::new() };
        if let Some(condition) = self.are_small(&open) {
            let to = self.location(procedure, called.entry);
            self.assume(&mut begun, condition, to);
        }
        begun
    }

    /// The condition that these scalars fit into few bits; `None` if there is nothing to say.
    fn are_small(&self, ids: &[VariableId]) -> Option<Expression> {
        let bits = self.small?;
        let is_small = |id: &VariableId| -> Option<Expression> {
            let variable = self.program.variable(*id);
            let scalar = variable.scalar;
            if !variable.dimensions.is_empty() || scalar.width <= bits {
                return None;
            }
            let value = Expression::Variable(*id, scalar);
            let few = Expression::Cast(Scalar::int(bits, scalar.signed), Box::new(value.clone()));
            let wide = Expression::Cast(scalar, Box::new(few));
            Some(Expression::binary(BinaryOperator::Equal, wide, value))
        };
        let both = |a, b| Expression::binary(BinaryOperator::And, a, b);
        ids.iter().filter_map(is_small).reduce(both)
    }

    /// Adds a condition that no statement of the whole program stands for.
    fn assume(&mut self, pending: &mut Pending, condition: Expression, to: LocationId) {
        self.program.scopes.push(Scope::default());
        let line = self.program.location(pending.at).line;
        self.program.edges.push(Edge {
            from: pending.at,
            to,
            checks: Vec::new(),
            operation: Operation::Assume(condition),
            choices: Vec::new(),
            kind: StatementKind::Hidden,
            outcome: String::new(),
            span: Span { line, ..Span::default() },
            text: String::new(),
            scope: ScopeId(self.program.scopes.len() as u32 - 1),
        });
        self.edges.push(None);
        pending.at = to;
    }

    /// Adds the next step of the path.
    fn step(&mut self, id: EdgeId) -> Option<()> {
        let edge = self.whole.edges.get(id.0 as usize)?;
        let owner = self.whole.owner(id);
        let mut caller = self.stack.pop().filter(|pending| pending.of == owner)?;
        let callee = match &edge.operation {
            Operation::Call { callee, .. } => Some(self.procedure(*callee, Vec::new())),
            _ => None,
        };
        if self.program.procedures.len() > MOST_CALLS {
            return None;
        }
        let is_end = edge.to == self.whole.procedure(caller.of).exit;
        let to = match is_end {
            true => self.program.procedures[caller.procedure].exit,
            false => self.location(caller.procedure, edge.to),
        };
        let scope = self.scope(&mut caller, edge.scope);
        let names = Names { globals: &self.globals, own: &caller.variables };
        let operation = names.operation(&edge.operation, callee.as_ref())?;
        let check = |check: &Check| -> Option<Check> {
            Some(Check { condition: names.expression(&check.condition)?, ..check.clone() })
        };
        let checks = edge.checks.iter().map(check).collect::<Option<Vec<Check>>>()?;
        let small = self.are_small(&picked(&operation, edge));
        let next = match small {
            Some(_) => self.location(caller.procedure, edge.to),
            None => to,
        };
        let (from, edge) = (caller.at, edge.clone());
        self.program.edges.push(Edge { from, to: next, checks, operation, scope, ..edge });
        self.edges.push(Some(id));
        caller.at = next;
        if let Some(condition) = small {
            self.assume(&mut caller, condition, to);
        }
        self.stack.push(caller);
        self.stack.extend(callee);
        self.return_from_ended();
        Some(())
    }

    /// A procedure whose end is reached returns with the same step.
    fn return_from_ended(&mut self) {
        while let [.., last] = &self.stack[..]
            && last.at == self.program.procedures[last.procedure].exit
        {
            self.stack.pop();
        }
    }

    fn scope(&mut self, pending: &mut Pending, id: ScopeId) -> ScopeId {
        if let Some(known) = pending.scopes.get(&id) {
            return *known;
        }
        let copy =
            |id: &VariableId| pending.variables.get(id).or_else(|| self.globals.get(id)).copied();
        let variables = self.whole.scope(id).variables.iter().filter_map(copy).collect();
        self.program.scopes.push(Scope { variables });
        let new = ScopeId(self.program.scopes.len() as u32 - 1);
        pending.scopes.insert(id, new);
        new
    }
}

/// The variables to which a statement gives values that the run picks. `operation`: what the
/// statement does in the path program.
fn picked(operation: &Operation, edge: &Edge) -> Vec<VariableId> {
    match operation {
        Operation::Havoc(variables) => variables.clone(),
        Operation::Assign(pairs) if !edge.choices.is_empty() => {
            let variable = |(place, _): &(Place, Expression)| match place {
                Place::Variable(id) => Some(*id),
                Place::Element(..) => None,
            };
            pairs.iter().filter_map(variable).collect()
        }
        _ => Vec::new(),
    }
}

/// What variables of the whole program are called in one procedure of the path program.
struct Names<'a> {
    globals: &'a BTreeMap<VariableId, VariableId>,
    own: &'a BTreeMap<VariableId, VariableId>,
}

impl Names<'_> {
    fn variable(&self, id: VariableId) -> Option<VariableId> {
        self.own.get(&id).or_else(|| self.globals.get(&id)).copied()
    }

    fn operation(&self, operation: &Operation, callee: Option<&Pending>) -> Option<Operation> {
        Some(match operation {
            Operation::Skip => Operation::Skip,
            Operation::Assume(condition) => Operation::Assume(self.expression(condition)?),
            Operation::Assign(assignments) => Operation::Assign(
                assignments
                    .iter()
                    .map(|(place, value)| Some((self.place(place)?, self.expression(value)?)))
                    .collect::<Option<Vec<_>>>()?,
            ),
            Operation::Havoc(variables) => Operation::Havoc(
                variables.iter().map(|id| self.variable(*id)).collect::<Option<Vec<_>>>()?,
            ),
            Operation::Call { arguments, result, .. } => Operation::Call {
                callee: callee?.procedure,
                arguments: arguments
                    .iter()
                    .map(|argument| self.expression(argument))
                    .collect::<Option<Vec<_>>>()?,
                result: match result {
                    Some(id) => Some(self.variable(*id)?),
                    None => None,
                },
            },
        })
    }

    fn place(&self, place: &Place) -> Option<Place> {
        Some(match place {
            Place::Variable(id) => Place::Variable(self.variable(*id)?),
            Place::Element(id, index) => {
                Place::Element(self.variable(*id)?, self.expression(index)?)
            }
        })
    }

    fn boxed(&self, e: &Expression) -> Option<Box<Expression>> {
        self.expression(e).map(Box::new)
    }

    fn expression(&self, e: &Expression) -> Option<Expression> {
        Some(match e {
            Expression::Constant(..) | Expression::Choice(..) => e.clone(),
            Expression::Variable(id, scalar) => Expression::Variable(self.variable(*id)?, *scalar),
            Expression::Element(id, index, scalar) => {
                Expression::Element(self.variable(*id)?, self.boxed(index)?, *scalar)
            }
            Expression::Unary(operator, operand) => {
                Expression::Unary(*operator, self.boxed(operand)?)
            }
            Expression::Binary(operator, left, right) => {
                Expression::Binary(*operator, self.boxed(left)?, self.boxed(right)?)
            }
            Expression::Cast(scalar, operand) => Expression::Cast(*scalar, self.boxed(operand)?),
            Expression::Conditional(condition, then, otherwise) => Expression::Conditional(
                self.boxed(condition)?,
                self.boxed(then)?,
                self.boxed(otherwise)?,
            ),
        })
    }
}
