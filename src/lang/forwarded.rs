//! Of a program whose heap has a summary object ([`crate::lang::memory`]): what is read where
//! something was just written is that value.
//!
//! What is written in the summary object is forgotten. But after `p->next = t`, while neither `p`
//! nor `t` nor any `next` changes, `p->next` is `t`, whichever object that is. Followed are
//! straight lines of statements, and the branches at their ends.

use crate::lang::lowering::expressions::{children, children_mut};
use crate::lang::model::{
    EdgeId, Expression, LocationId, Operation, Place, Program, Variable, VariableId,
};

/// Most statements behind one assignment.
const MOST_STATEMENTS: usize = 32;

/// A value that stands at a place.
struct Written {
    array: VariableId,
    index: Expression,
    value: Expression,
    /// What the index and the value depend on.
    mentions: Vec<VariableId>,
}

/// Replaces what is read where it was just written.
pub(super) fn forward(program: &mut Program) {
    let mut entering = vec![0_u32; program.locations.len()];
    let mut leaving: Vec<Vec<EdgeId>> = vec![Vec::new(); program.locations.len()];
    for id in program.edge_ids() {
        let edge = program.edge(id);
        entering[edge.to] += 1;
        leaving[edge.from].push(id);
    }
    for id in program.edge_ids() {
        let Some(written) = written(program, id) else { continue };
        let mut here: LocationId = program.edge(id).to;
        for _ in 0..MOST_STATEMENTS {
            if entering[here] != 1 {
                break;
            }
            let next = leaving[here].clone();
            for edge in &next {
                written.replace_in(program, *edge);
            }
            let [only] = next[..] else { break };
            if written.changes(&program.edge(only).operation) {
                break;
            }
            here = program.edge(only).to;
        }
    }
}

/// What an edge writes in a room with a summary object.
fn written(program: &Program, id: EdgeId) -> Option<Written> {
    let Operation::Assign(stores) = &program.edge(id).operation else { return None };
    let [(Place::Element(array, index), value)] = &stores[..] else { return None };
    let room = program.memory.arrays.get(array)?;
    let has_summary = program.memory.rooms.get(usize::from(*room))?.summary.is_some();
    let Variable { scalar, .. } = program.variable(*array);
    if !has_summary || value.scalar() != *scalar {
        return None;
    }
    let mut mentions = Vec::new();
    let mut open = vec![index, value];
    while let Some(e) = open.pop() {
        match e {
            Expression::Variable(id, _) => mentions.push(*id),
            Expression::Element(..) | Expression::Choice(..) => return None,
            e => children(e, &mut open),
        }
    }
    Some(Written { array: *array, index: index.clone(), value: value.clone(), mentions })
}

impl Written {
    /// Is the value perhaps another one, or the place, after this?
    fn changes(&self, operation: &Operation) -> bool {
        let counts = |id: VariableId| id == self.array || self.mentions.contains(&id);
        match operation {
            Operation::Skip | Operation::Assume(_) => false,
            Operation::Assign(stores) => stores.iter().any(|(place, _)| counts(place.variable())),
            Operation::Havoc(list) => list.iter().copied().any(counts),
            Operation::Call { .. } => true,
        }
    }

    fn replace_in(&self, program: &mut Program, id: EdgeId) {
        let edge = &mut program.edges[id];
        for check in &mut edge.checks {
            self.replace(&mut check.condition);
        }
        match &mut edge.operation {
            Operation::Skip | Operation::Havoc(_) => {}
            Operation::Assume(condition) => self.replace(condition),
            Operation::Assign(stores) => {
                for (place, value) in stores {
                    if let Place::Element(_, index) = place {
                        self.replace(index);
                    }
                    self.replace(value);
                }
            }
            Operation::Call { arguments, .. } => arguments.iter_mut().for_each(|e| self.replace(e)),
        }
    }

    /// A read that may be in the summary object has an alternative, which is any value.
    fn replace(&self, e: &mut Expression) {
        let reads = match e {
            Expression::Conditional(_, then, _) => match &**then {
                Expression::Element(array, index, _) => {
                    *array == self.array && **index == self.index
                }
                _ => false,
            },
            _ => false,
        };
        if reads {
            *e = self.value.clone();
            return;
        }
        let mut open = Vec::new();
        children_mut(e, &mut open);
        open.into_iter().for_each(|part| self.replace(part));
    }
}
