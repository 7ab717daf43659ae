//! What explains an invalid use of memory: the object that does not exist any more with the line
//! after which it was gone, or where the pointer leads.

use crate::draw::words::counted;
use crate::lang::fault::{Fault, FaultKind};
use crate::lang::model::{BinaryOperator, Check, Expression, Program, Scalar, VariableId};
use crate::lang::rooms::Object;
use crate::report::failure::{Failure, Passed, numbered};

/// "the index is 3, and int#1, taken in line 12, has 3 elements, 0 to 2", "node#2, in line 19",
/// "x, after line 12". The last of the steps is the one that fails.
pub(in crate::report) fn detail(
    failure: &Failure<'_>,
    check: &Check,
    fault: &Fault<Expression>,
    steps: &[Passed<'_>],
) -> Option<String> {
    match fault.kind {
        // The message about lost memory says all of it.
        FaultKind::Lost { .. } => return None,
        FaultKind::Elements(count) => {
            let index = failure.counted("index", &fault.steps.as_ref()?.count);
            let elements = numbered(count.into(), "element");
            return Some(format!("{index}, and {} has {elements}", fault.what));
        }
        FaultKind::Outside | FaultKind::LeadsOutside => {
            if let Some(detail) = outside(failure, fault, steps) {
                return Some(detail);
            }
        }
        _ => {}
    }
    let program = failure.program();
    let mut parts = Vec::new();
    conjuncts(&check.condition, &mut parts);
    let missing = parts.iter().filter(|part| failure.bits(part) & 1 == 0);
    let gone = missing.clone().find_map(|part| flag(program, part));
    if let Some((flags, number)) = gone {
        return object_gone(program, flags, number, steps);
    }
    let mut pointers = Vec::new();
    missing.for_each(|part| values(part, &mut pointers));
    let shown = |e: &&Expression| match e {
        Expression::Variable(id, _) | Expression::Element(id, ..) => {
            program.memory.pointer(*id, failure.bits(e))
        }
        _ => None,
    };
    // The message says these itself.
    let said = |name: &&str| !matches!(*name, "NULL" | "null" | "no value");
    pointers.iter().find_map(shown).filter(said).map(str::to_string)
}

/// Which element is used, and how many the object has; `None` if the pointer leads to no object.
fn outside(
    failure: &Failure<'_>,
    fault: &Fault<Expression>,
    steps: &[Passed<'_>],
) -> Option<String> {
    let program = failure.program();
    let (pointer, room) = fault.pointer.as_ref()?;
    let from = failure.bits(pointer);
    let object = program.memory.object(*room, from)?;
    let known = program.memory.rooms.get(usize::from(*room))?;
    let end = match (object.length, program.memory.lengths.get(room)) {
        (Some(length), Some(lengths)) => {
            let scalar = program.variable(*lengths).scalar;
            let at = Expression::Constant(u64::from(length), Scalar::int(16, false));
            let slots = failure.bits(&Expression::Element(*lengths, Box::new(at), scalar));
            object.first + slots * known.step
        }
        _ => object.end,
    };
    let moved = fault.steps.as_ref().map_or(0, |steps| {
        let count = failure.number(&steps.count);
        if steps.back { -count } else { count }
    });
    let stride = i128::from(fault.stride.max(1));
    let place = i128::from(from) + i128::from(fault.offset) + moved * stride;
    let before = place - i128::from(object.first);
    let all = i128::from(end) - i128::from(object.first);
    let taken = match object.heap.then(|| taken(program, *room, object, steps)).flatten() {
        Some(line) => format!("{}, taken in line {line},", object.name),
        None => object.name.clone(),
    };
    if all < stride {
        let bytes = |n: i128| counted(n.max(0) as u64 * known.bytes.unwrap_or(1), "byte");
        return match known.bytes {
            Some(_) => Some(format!("{taken} has {}, not {}", bytes(all), bytes(stride))),
            None if all == 0 => Some(format!("{taken} has no elements")),
            None => None,
        };
    }
    let (index, count) = (before.div_euclid(stride), all / stride);
    if before % stride != 0 || (0..count).contains(&index) {
        return None;
    }
    // What a shared procedure counts has no name in the program.
    let is_own = steps.last().is_some_and(|step| !program.is_shared(step.edge));
    let value = match &fault.steps {
        Some(steps) if is_own && from == object.first && fault.offset == 0 && !steps.back => {
            failure.counted("index", &steps.count)
        }
        _ => format!("the index is {index}"),
    };
    Some(format!("{value}, and {taken} has {}", numbered(count as u64, "element")))
}

/// The line of the step that took the object last.
fn taken(program: &Program, room: u16, object: &Object, steps: &[Passed<'_>]) -> Option<u32> {
    let flags = program.memory.flags.get(&room)?;
    let flag = object.flag?;
    let is_last = |k: &usize| {
        exists(&steps[*k], *flags, flag) == Some(false)
            && exists(&steps[k + 1], *flags, flag) == Some(true)
    };
    (0..steps.len().saturating_sub(1)).rev().find(is_last).map(|k| line(program, &steps[..=k]))
}

/// Does the object of a flag exist before a step?
fn exists(step: &Passed<'_>, flags: VariableId, flag: u32) -> Option<bool> {
    let (_, bits) = step.store.iter().find(|(id, _)| *id == flags)?;
    bits.get(flag as usize).map(|bit| bit & 1 == 1)
}

/// The line as which the last of these steps is told.
fn line(program: &Program, steps: &[Passed<'_>]) -> u32 {
    let Some(last) = steps.last() else { return 0 };
    let pending = program.pending(steps.iter().map(|step| (step.edge, step.depth)));
    let told = program.told(last.edge, pending);
    told.map_or(program.edge(last.edge).span.line, |call| call.span.line)
}

/// The object of a flag, and the line of the last statement before which it existed.
fn object_gone(
    program: &Program,
    flags: VariableId,
    number: u64,
    steps: &[Passed<'_>],
) -> Option<String> {
    let memory = &program.memory;
    let (room, _) = memory.flags.iter().find(|(_, id)| **id == flags)?;
    let slots = &memory.rooms.get(usize::from(*room))?.slots;
    let slot = slots.iter().find(|slot| slot.flag.map(u64::from) == Some(number))?;
    let existed = |k: &usize| exists(&steps[*k], flags, number as u32) == Some(true);
    let last = (0..steps.len()).rev().find(existed)?;
    let line = line(program, &steps[..=last]);
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
