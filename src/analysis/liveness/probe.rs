//! Programs that fail where a product comes to a given head: one that begins at the product's start
//! (for the prefix of a lasso), and one that begins in that head with nothing below it on the stack
//! (for the cycle). A failing run of them is found, made concrete and replayed like any other.

use super::heads::Head;
use super::product::{Product, SILENT, TARGET, bookkeeping, both};
use crate::cfg::live_locals;
use crate::encode::Cell;
use crate::lang::model::{
    BinaryOperator, Check, EdgeId, ErrorKind, Expression, Initial, Location, LocationId, Operation,
    Origin, Place, ProcedureId, Program, Scalar, ScopeId, Span, Subject, Variable, VariableId,
    VariableKind,
};

/// A run to the head, from the start.
pub fn prefix(product: &Product, head: &Head) -> Program {
    let mut program = product.program.clone();
    watch(product, &mut program, head);
    program
}

/// A run from the head to the head, with any stack on top of the one at the beginning.
pub fn cycle(product: &Product, head: &Head) -> Program {
    let mut program = product.program.clone();
    let owner = program.location(head.location).procedure;
    watch(product, &mut program, head);
    let globals: Vec<VariableId> = program.globals().collect();
    for id in globals {
        let cells =
            (0..program.variable(id).elements()).map(|element| Cell { variable: id, element });
        let values = cells.map(|cell| head.store.get(cell)).collect();
        program.variables[id].initial = Initial::Exactly(values);
    }
    let first = VariableId(program.variables.len() as u32);
    program.variables.push(Variable {
        name: "at the beginning of the cycle".to_string(),
        scalar: Scalar::BOOL,
        dimensions: Vec::new(),
        kind: VariableKind::Global,
        owner: None,
        span: Span::default(),
        initial: Initial::Exactly(vec![1]),
        origin: Origin::Written,
    });
    // The procedure begins in the head once; after that, where it always does.
    let usual = program.procedure(owner).entry;
    let begin = place(&mut program, usual);
    let is_first = Expression::Variable(first, Scalar::BOOL);
    let here = same(product, head, false);
    let scope = scope_at(product, head.location);
    let once = Place::Variable(first);
    for (to, condition) in
        [(head.location, both(is_first.clone(), here)), (usual, is_first.negated())]
    {
        let writes = Operation::Assign(vec![(once.clone(), Expression::falsity())]);
        let mut edge = bookkeeping(begin, to, program.location(usual).line, scope, writes);
        edge.checks.push(check(condition, SILENT));
        program.edges.push(edge);
    }
    program.procedures[owner.0 as usize].entry = begin;
    program.main = owner.0 as usize;
    program
}

/// The variables that must have the same values at both ends of a cycle at this place: all globals,
/// and the locals that matter there.
pub fn compared(product: &Product, location: LocationId) -> Vec<VariableId> {
    let program = &product.program;
    let live = live_locals(program);
    program.globals().chain(live[location.0 as usize].iter().copied()).collect()
}

/// Lets runs fail where they come to the head. Runs that begin there do not.
fn watch(product: &Product, program: &mut Program, head: &Head) {
    let at = head.location;
    let before = place(program, at);
    for edge in &mut program.edges {
        if edge.to == at {
            edge.to = before;
        }
    }
    let owner = program.location(at).procedure;
    for procedure in &mut program.procedures {
        if procedure.entry == at {
            procedure.entry = before;
        }
    }
    let line = program.location(at).line;
    let scope = scope_at(product, at);
    let mut edge = bookkeeping(before, at, line, scope, Operation::Skip);
    edge.checks.push(check(same(product, head, true).negated(), TARGET));
    program.edges.push(edge);
    assert_eq!(program.location(before).procedure, owner);
}

fn scope_at(product: &Product, location: LocationId) -> ScopeId {
    let edges = &product.program.edges;
    let from = edges.iter().find(|edge| edge.from == location);
    from.or(edges.iter().find(|edge| edge.to == location)).map_or(ScopeId(0), |edge| edge.scope)
}

fn place(program: &mut Program, like: LocationId) -> LocationId {
    let Location { procedure, line } = *program.location(like);
    program.locations.push(Location { procedure, line });
    LocationId(program.locations.len() as u32 - 1)
}

/// A check of a probe: on [`TARGET`] it is what is looked for, on [`SILENT`] it ends the run.
pub(super) fn check(condition: Expression, line: u32) -> Check {
    Check {
        kind: ErrorKind::Assertion,
        condition,
        message: String::new(),
        subject: Subject::Condition,
        line,
    }
}

/// The condition that the store is the head's, where it matters.
fn same(product: &Product, head: &Head, globals: bool) -> Expression {
    let program = &product.program;
    let mut all = Expression::truth();
    for id in compared(product, head.location) {
        let variable = program.variable(id);
        if !globals && variable.kind == VariableKind::Global {
            continue;
        }
        let scalar = variable.scalar;
        for element in 0..variable.elements() {
            let value = match variable.is_array() {
                false => Expression::Variable(id, scalar),
                true => {
                    let wide = Scalar::int(32, false);
                    let index = Expression::Constant(u64::from(element), wide);
                    Expression::Element(id, Box::new(index), scalar)
                }
            };
            let bits = Expression::Constant(head.store.get(Cell { variable: id, element }), scalar);
            let equal = Expression::binary(BinaryOperator::Equal, value, bits);
            all = both(all, equal);
        }
    }
    all
}

/// The procedure whose frame is on top in a head.
pub fn owner(product: &Product, head: &Head) -> ProcedureId {
    product.program.location(head.location).procedure
}

/// The edge that fails at the end of a probe's run.
pub fn target(program: &Program) -> Option<EdgeId> {
    program.edge_ids().find(|id| program.edge(*id).checks.iter().any(|check| check.line == TARGET))
}
