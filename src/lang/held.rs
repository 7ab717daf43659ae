//! Of a program whose heap has a summary object ([`crate::lang::memory`]): to which individual
//! objects do summary objects hold pointers?
//!
//! What is read in a summary object is any value. But it is no pointer to an individual object,
//! unless such a pointer was written there before. For each individual object the model notes
//! whether it was, in any summary object; and what is read is the null pointer where it would be
//! one that nobody wrote. So a node to which only one other node points is reached from that one
//! alone.

use crate::lang::lowering::expressions::{and, children_mut, or};
use crate::lang::model::{
    BinaryOperator, Expression, Operation, Place, Program, Scalar, VariableId,
};
use std::collections::BTreeMap;

/// An individual object, as pointers of one kind see it.
#[derive(Clone)]
struct Individual {
    slot: u64,
    /// The array that says whether a summary object holds a pointer to it, and the place there.
    held: VariableId,
    at: u64,
}

/// What is to be known of the program's arrays.
struct Arrays {
    /// By array with pointers: the individual objects to which they may lead.
    targets: BTreeMap<VariableId, Vec<Individual>>,
    /// By array of slots: the first number that is a pointer to the summary object.
    summaries: BTreeMap<VariableId, u64>,
}

/// Notes what summary objects hold, and lets reads there give nothing else.
pub(super) fn hold(program: &mut Program) {
    let arrays = arrays(program);
    for edge in program.edges.iter_mut() {
        for check in &mut edge.checks {
            arrays.narrow(&mut check.condition);
        }
        match &mut edge.operation {
            Operation::Skip | Operation::Havoc(_) => {}
            Operation::Assume(condition) => arrays.narrow(condition),
            Operation::Call { arguments, .. } => {
                arguments.iter_mut().for_each(|argument| arrays.narrow(argument));
            }
            Operation::Assign(stores) => {
                for (place, value) in stores.iter_mut() {
                    if let Place::Element(_, index) = place {
                        arrays.narrow(index);
                    }
                    arrays.narrow(value);
                }
                let noted: Vec<_> = stores
                    .iter()
                    .filter_map(|(place, value)| arrays.noted(place, value))
                    .flatten()
                    .collect();
                stores.extend(merged(noted));
            }
        }
    }
}

fn arrays(program: &Program) -> Arrays {
    let memory = &program.memory;
    let named = |name: &str| program.variables.iter().position(|variable| variable.name == name);
    let mut targets = BTreeMap::new();
    for (pointer, room) in &memory.pointers {
        let room = memory.rooms.get(usize::from(*room));
        let Some(summary) = room.and_then(|room| room.summary.as_ref()) else { continue };
        let Some(held) = named(&summary.held).map(|at| VariableId(at as u32)) else { continue };
        let individual = |(at, slot): (u64, &u32)| Individual { slot: u64::from(*slot), held, at };
        targets.insert(*pointer, (0..).zip(&summary.individuals).map(individual).collect());
    }
    let first = |(array, room): (&VariableId, &u16)| {
        let room = memory.rooms.get(usize::from(*room))?;
        room.summary.as_ref()?;
        Some((*array, room.slots.len() as u64))
    };
    Arrays { targets, summaries: memory.arrays.iter().filter_map(first).collect() }
}

impl Individual {
    fn is_held(&self) -> Expression {
        let at = Expression::Constant(self.at, Scalar::int(16, false));
        Expression::Element(self.held, Box::new(at), Scalar::BOOL)
    }

    fn is(&self, pointer: &Expression) -> Expression {
        let slot = Expression::Constant(self.slot, pointer.scalar());
        Expression::binary(BinaryOperator::Equal, pointer.clone(), slot)
    }
}

impl Arrays {
    /// A read that may be in a summary object has an alternative, which is any value.
    fn narrow(&self, e: &mut Expression) {
        let mut open = Vec::new();
        if let Expression::Conditional(inside, then, any) = e
            && let Expression::Element(array, index, _) = &mut **then
            && self.summaries.contains_key(array)
            && matches!(**any, Expression::Choice(..))
        {
            self.narrow(inside);
            self.narrow(index);
            for individual in self.targets.get(array).into_iter().flatten() {
                let is_new = and(individual.is(any), individual.is_held().negated());
                let null = Expression::Constant(0, any.scalar());
                let value = std::mem::replace(&mut **any, Expression::truth());
                **any = Expression::Conditional(Box::new(is_new), Box::new(null), Box::new(value));
            }
            return;
        }
        children_mut(e, &mut open);
        open.into_iter().for_each(|part| self.narrow(part));
    }

    /// What is noted where a value is written at a place.
    fn noted(
        &self,
        place: &Place,
        value: &Expression,
    ) -> Option<Vec<(VariableId, u64, Expression)>> {
        let Place::Element(array, index) = place else { return None };
        let (summary, targets) = (self.summaries.get(array)?, self.targets.get(array)?);
        let first = Expression::Constant(*summary, index.scalar());
        let in_summary = Expression::binary(BinaryOperator::LessEqual, first, index.clone());
        let note = |individual: &Individual| {
            let held = and(in_summary.clone(), individual.is(value));
            (individual.held, individual.at, held)
        };
        Some(targets.iter().map(note).collect())
    }
}

/// One store for each object, where one edge writes several pointers.
fn merged(noted: Vec<(VariableId, u64, Expression)>) -> Vec<(Place, Expression)> {
    let mut stores: BTreeMap<(VariableId, u64), Expression> = BTreeMap::new();
    for (held, at, now) in noted {
        let before = stores
            .remove(&(held, at))
            .unwrap_or_else(|| Individual { slot: 0, held, at }.is_held());
        stores.insert((held, at), or(before, now));
    }
    let place = |at| Expression::Constant(at, Scalar::int(16, false));
    stores.into_iter().map(|((held, at), e)| (Place::Element(held, place(at)), e)).collect()
}
