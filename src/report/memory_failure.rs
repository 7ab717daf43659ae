//! What explains an invalid use of memory: the object that does not exist any more with the line
//! after which it was gone, or where the pointer leads.

use crate::lang::interpreter::Assignment;
use crate::lang::model::{BinaryOperator, Check, EdgeId, Expression, Program, VariableId};

/// A step on the way to the failure: its statement, and the store before it.
pub(in crate::report) type Before<'r> = (EdgeId, &'r Assignment);

/// "node#2, in line 19", "x, after line 12" or "the end of buffer". `bits` evaluates an expression
/// where the check fails; the last of the steps is the one that fails.
pub(in crate::report) fn detail(
    program: &Program,
    check: &Check,
    bits: &impl Fn(&Expression) -> u64,
    steps: &[Before<'_>],
) -> Option<String> {
    // The message about lost memory says all of it.
    if check.message.ends_with("when `main` ends") {
        return None;
    }
    let mut parts = Vec::new();
    conjuncts(&check.condition, &mut parts);
    let missing = parts.iter().filter(|part| bits(part) & 1 == 0);
    let gone = missing.clone().find_map(|part| flag(program, part));
    if let Some((flags, number)) = gone {
        return object_gone(program, flags, number, steps);
    }
    let mut pointers = Vec::new();
    missing.for_each(|part| values(part, &mut pointers));
    let shown = |e: &&Expression| match e {
        Expression::Variable(id, _) | Expression::Element(id, ..) => {
            program.memory.pointer(*id, bits(e))
        }
        _ => None,
    };
    // The message says these itself.
    let said = |name: &&str| !matches!(*name, "NULL" | "no value");
    pointers.iter().find_map(shown).filter(said).map(str::to_string)
}

/// The object of a flag, and the line of the last statement before which it existed.
fn object_gone(
    program: &Program,
    flags: VariableId,
    number: u64,
    steps: &[Before<'_>],
) -> Option<String> {
    let memory = &program.memory;
    let (room, _) = memory.flags.iter().find(|(_, id)| **id == flags)?;
    let slots = &memory.rooms.get(usize::from(*room))?.slots;
    let slot = slots.iter().find(|slot| slot.flag.map(u64::from) == Some(number))?;
    let exists = |step: &&Before<'_>| {
        let stored = step.1.iter().find(|(id, _)| *id == flags);
        stored.and_then(|(_, bits)| bits.get(number as usize)).is_some_and(|bit| bit & 1 == 1)
    };
    let line = steps.iter().rev().find(exists).map(|step| program.edge(step.0).span.line)?;
    let how = if slot.object.contains('#') { "in" } else { "after" };
    Some(format!("{}, {how} line {line}", slot.object))
}

/// The flag that one side of a disjunction asks for.
fn flag(program: &Program, part: &Expression) -> Option<(VariableId, u64)> {
    let mut read = Vec::new();
    values(part, &mut read);
    read.into_iter().find_map(|e| match e {
        Expression::Element(id, index, _) if program.memory.flags.values().any(|f| f == id) => {
            match &**index {
                Expression::Constant(number, _) => Some((*id, *number)),
                _ => None,
            }
        }
        _ => None,
    })
}

fn conjuncts<'e>(e: &'e Expression, into: &mut Vec<&'e Expression>) {
    match e {
        Expression::Binary(BinaryOperator::And, left, right) if e.scalar().boolean => {
            conjuncts(left, into);
            conjuncts(right, into);
        }
        Expression::Cast(to, inner) if to.boolean => conjuncts(inner, into),
        e => into.push(e),
    }
}

/// The variables and elements in an expression.
fn values<'e>(e: &'e Expression, into: &mut Vec<&'e Expression>) {
    match e {
        Expression::Variable(..) | Expression::Element(..) => into.push(e),
        Expression::Constant(..) | Expression::Choice(..) => {}
        Expression::Unary(_, e) | Expression::Cast(_, e) => values(e, into),
        Expression::Binary(_, left, right) => {
            values(left, into);
            values(right, into);
        }
        Expression::Conditional(condition, then, otherwise) => {
            [condition, then, otherwise].into_iter().for_each(|part| values(part, into));
        }
    }
}
