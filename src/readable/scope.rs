//! The variables that a formula about a statement may mention.

use crate::bdd::{Bdd, Manager, VarSet};
use crate::encode::{Cell, Copy, ProgramDomain};
use crate::lang::model::{
    EdgeId, Expression, Operation, Origin, Program, Scalar, VariableId, VariableKind,
};
use crate::readable::NamedScalar;
use crate::util::Bounded;
use crate::util::names::continues_name;
use crate::util::order::inserted;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The most atoms of the program's own, and the most statements from which they may come.
const MAX_OWN: usize = 24;
const MAX_AHEAD: usize = 40;
/// The kernel steps for one of them.
const OWN_STEPS: u64 = 20_000;

/// The most characters of a name that is a part of the source.
const LONGEST_WORDS: usize = 60;

/// The cells of a variable with their names: `x`, or `a[0]`, `a[1]`, …, or `a[0][0]`, …, under a
/// name for the variable. Those of memory are called after the objects that stand there.
pub(crate) fn cells_with_names(
    program: &Program,
    id: VariableId,
    name: &str,
) -> Vec<(String, Cell)> {
    let variable = program.variable(id);
    let named = |element: u32| format!("{name}{}", written(&variable.indices(element)));
    let called = |element: u32| in_memory(program, id, element).unwrap_or_else(|| named(element));
    (0..variable.elements())
        .map(|element| (called(element), Cell { variable: id, element }))
        .collect()
}

/// The name of a cell of memory: `node#1.key`, `x`, `a[2]`, or `exists(node#1)`. `None` if nothing
/// stands there.
fn in_memory(program: &Program, id: VariableId, element: u32) -> Option<String> {
    let memory = &program.memory;
    if let Some((room, _)) = memory.flags.iter().find(|(_, flags)| **flags == id) {
        let slots = &memory.rooms.get(usize::from(*room))?.slots;
        let slot = slots.iter().find(|slot| slot.flag == Some(element))?;
        return Some(format!("exists({})", slot.object));
    }
    let variable = program.variable(id);
    let slot = memory.slot(id, element / variable.inner())?;
    let outer = program.members.get(&id).map_or(variable.name.len(), |length| *length as usize);
    let part = variable.name.get(outer..).unwrap_or("");
    let index = written(&variable.indices(element)[1..]);
    Some(format!("{}{part}{index}", slot.place()))
}

fn written(indices: &[u32]) -> String {
    indices.iter().map(|index| format!("[{index}]")).collect()
}

/// Does a person want to read about a cell? Not where nothing stands, not where a literal does, and
/// of what only keeps count of memory whether objects of the heap exist.
pub(crate) fn is_shown(program: &Program, cell: Cell) -> bool {
    let memory = &program.memory;
    if memory.arrays.contains_key(&cell.variable) {
        let inner = program.variable(cell.variable).inner();
        let slot = memory.slot(cell.variable, cell.element / inner);
        return slot.is_some_and(|slot| !slot.is_literal());
    }
    if memory.flags.values().any(|flags| *flags == cell.variable) {
        let name = in_memory(program, cell.variable, cell.element);
        return name.is_some_and(|name| name.contains('#'));
    }
    program.variable(cell.variable).origin == Origin::Written
}

/// What the values of a pointer are called, by number; `None` for other variables.
pub(crate) fn names_of_values(program: &Program, id: VariableId) -> Option<Rc<[String]>> {
    let memory = &program.memory;
    let room = memory.rooms.get(usize::from(*memory.pointers.get(&id)?))?;
    Some(room.slots.iter().map(|slot| slot.pointer.clone()).collect())
}

/// The same cells with types, under the variable's own name.
pub(crate) fn typed_cells(program: &Program, id: VariableId) -> Vec<(String, Cell, Scalar)> {
    let variable = program.variable(id);
    cells_with_names(program, id, &variable.name)
        .into_iter()
        .map(|(name, cell)| (name, cell, variable.scalar))
        .collect()
}

/// The variables in scope before an edge, outermost first. Their names are different: a hidden
/// variable is `x₀`.
pub(crate) fn names(program: &Program, edge: EdgeId) -> Vec<(VariableId, String)> {
    let scope = &program.scope(program.edge(edge).scope).variables;
    let hidden = |k: usize| scope[k + 1..].iter().any(|later| program.hides(*later, scope[k]));
    let name =
        |k: usize| program.variable(scope[k]).name.clone() + if hidden(k) { "₀" } else { "" };
    (0..scope.len()).map(|k| (scope[k], name(k))).collect()
}

/// The scalars in scope before an edge, and the rest of its frame, which must be forgotten.
pub(crate) fn scope(
    domain: &mut ProgramDomain,
    program: &Program,
    edge: EdgeId,
) -> (Vec<NamedScalar>, VarSet) {
    let in_scope = &program.scope(program.edge(edge).scope).variables;
    let visible = domain.visible(program.owner(edge));
    let shown = |cell: &Cell| in_scope.contains(&cell.variable) && is_shown(program, *cell);
    let hidden: Vec<Cell> = visible.into_iter().filter(|cell| !shown(cell)).collect();
    let hidden = domain.kernel.var_set(&domain.layout.cells_levels(&hidden, Copy::Now));
    let named = names(program, edge)
        .into_iter()
        .flat_map(|(id, name)| cells_with_names(program, id, &name))
        .filter(|(_, cell)| is_shown(program, *cell));
    (named.map(|(name, cell)| named_scalar(domain, program, name, cell)).collect(), hidden)
}

/// The same with the variables that the front end made (the values of calls inside an expression),
/// as `max(a, b)`, and with the frame's other variables. No two names are equal.
pub(crate) fn whole_frame(
    domain: &mut ProgramDomain,
    program: &Program,
    edge: EdgeId,
) -> Vec<NamedScalar> {
    let named = names(program, edge);
    let mut taken: BTreeSet<String> = named.iter().map(|(_, name)| name.clone()).collect();
    let named = named.into_iter().flat_map(|(id, name)| cells_with_names(program, id, &name));
    let mut scalars: Vec<NamedScalar> =
        named.map(|(name, cell)| named_scalar(domain, program, name, cell)).collect();
    let in_scope = &program.scope(program.edge(edge).scope).variables;
    let mut others = BTreeSet::new();
    for cell in domain.visible(program.owner(edge)) {
        if !in_scope.contains(&cell.variable) {
            others.insert(cell.variable);
        }
    }
    for (k, id) in others.into_iter().enumerate() {
        let variable = program.variable(id);
        let name = match variable.kind {
            VariableKind::Temporary => free_name(&mut taken, &words_of_made(program, id)),
            VariableKind::Result => "result₀".to_string(),
            _ => format!("{}{}", variable.name, subscript(k + 1)),
        };
        scalars.extend(
            cells_with_names(program, id, &name)
                .into_iter()
                .map(|(name, cell)| named_scalar(domain, program, name, cell)),
        );
    }
    scalars
}

fn named_scalar(
    domain: &ProgramDomain,
    program: &Program,
    name: String,
    cell: Cell,
) -> NamedScalar {
    NamedScalar {
        name,
        scalar: domain.layout.scalar(cell),
        bits: domain.layout.cell(cell, Copy::Now),
        values: names_of_values(program, cell.variable),
        wraps: false,
    }
}

/// The words for a value that the front end keeps in a variable of its own, and the subscript from
/// which such names are numbered (0 is none).
pub(crate) fn words_of_made(program: &Program, id: VariableId) -> (String, usize) {
    if let Origin::Expression(text) = &program.variable(id).origin
        && !text.is_empty()
    {
        // A formula has no calls of its own. Anything else must differ from what it would be in a
        // formula: the value of `n` before a call that changes `n` is `n₁`.
        return match text.char_indices().nth(LONGEST_WORDS) {
            None if is_call(text) => (text.clone(), 0),
            None if text.chars().all(continues_name) => (text.clone(), 1),
            None => (format!("({text})"), 1),
            Some((end, _)) => (format!("({}…)", text[..end].trim_end()), 1),
        };
    }
    let called = program.edges.iter().find_map(|edge| match edge.operation {
        Operation::Call { callee, result: Some(result), .. } if result == id => Some(callee),
        _ => None,
    });
    match called {
        Some(callee) => (format!("{}()", program.procedure(callee).name), 0),
        None => ("value".to_string(), 1),
    }
}

/// Is the text one call, `max(a, b)`?
fn is_call(text: &str) -> bool {
    let name = text.find(|c| !continues_name(c)).unwrap_or(text.len());
    let (name, rest) = text.split_at(name);
    let mut depth = 0usize;
    let close = rest.bytes().position(|byte| {
        depth = match byte {
            b'(' => depth + 1,
            b')' => depth.saturating_sub(1),
            _ => depth,
        };
        depth == 0
    });
    !name.is_empty() && rest.starts_with('(') && close == rest.len().checked_sub(1)
}

/// The first of `words₀`, `words₁`, …, counted from a number (where 0 adds nothing), that is not
/// taken.
pub(crate) fn free_name(taken: &mut BTreeSet<String>, (words, first): &(String, usize)) -> String {
    let mut k = *first;
    loop {
        let name = if k == 0 { words.clone() } else { words.clone() + &subscript(k) };
        if taken.insert(name.clone()) {
            return name;
        }
        k += 1;
    }
}

pub(crate) fn subscript(n: usize) -> String {
    n.to_string()
        .bytes()
        .filter_map(|digit| char::from_u32(0x2080 + u32::from(digit - b'0')))
        .collect()
}

/// Comparisons of the program over the scalars in scope before an edge, and their weakest
/// preconditions along the statements that follow it: a condition `x > 3` behind `x = y + 1`
/// becomes `y + 1 > 3`.
pub(crate) fn own_atoms(
    kernel: &mut Manager,
    program: &Program,
    edge: EdgeId,
    scalars: &[NamedScalar],
) -> Vec<(String, Bdd)> {
    let mut texts: Vec<String> = Vec::new();
    // What memory is made of has no terms: its numbers say nothing.
    let memory = &program.memory;
    let has_terms = |id: &VariableId| {
        !memory.pointers.contains_key(id)
            && !memory.arrays.contains_key(id)
            && !program.variable(*id).scalar.floating
    };
    let here: BTreeMap<VariableId, String> =
        inserted(names(program, edge).into_iter().filter(|(id, _)| has_terms(id)));
    let mut work = vec![(program.edge(edge).from, here)];
    let changes = crate::cfg::changed_variables(program);
    let mut seen = BTreeSet::new();
    let mut next = 0;
    while next < work.len() && next < MAX_AHEAD && texts.len() < MAX_OWN {
        let (location, terms) = work[next].clone();
        next += 1;
        if !seen.insert(location) {
            continue;
        }
        for following in program.edges.iter().filter(|e| e.from == location) {
            for check in &following.checks {
                comparisons(&check.condition, &terms, &mut texts);
            }
            let mut after = terms.clone();
            match &following.operation {
                Operation::Assume(condition) => comparisons(condition, &terms, &mut texts),
                Operation::Assign(pairs) => {
                    for (place, value) in pairs {
                        let id = place.variable();
                        let is_term = program.variable(id).dimensions.is_empty() && has_terms(&id);
                        match sum(value, &terms).filter(|_| is_term) {
                            Some(term) => after.insert(place.variable(), term),
                            None => after.remove(&place.variable()),
                        };
                    }
                }
                Operation::Havoc(variables) => after.retain(|id, _| !variables.contains(id)),
                Operation::Call { callee, result, .. } => {
                    // Variables that the callee may change are not followed.
                    after.retain(|id, _| {
                        !changes[callee.0 as usize].contains(id) && Some(*id) != *result
                    });
                }
                Operation::Skip => {}
            }
            work.push((following.to, after));
        }
    }
    texts.dedup();
    let mut own: Vec<(String, Bdd)> = Vec::new();
    for text in texts.into_iter().take(MAX_OWN) {
        let limits = kernel.limits();
        let max_steps = limits.max_steps.min(kernel.steps() + OWN_STEPS);
        kernel.set_limits(crate::bdd::KernelLimits { max_steps, ..limits });
        if let Ok(holds) = crate::readable::predicate::parse(kernel, &text, scalars)
            && own.iter().all(|(_, other)| *other != holds && *other != !holds)
        {
            own.push((text, holds));
        }
        kernel.set_limits(limits);
    }
    own
}

/// The comparisons in a condition, as texts over these terms. Sums of the program wrap and those of
/// formulas do not. So near the limits of a type an atom may differ from the program. This does no
/// harm, because every formula is checked in its final form.
fn comparisons(
    condition: &Expression,
    terms: &BTreeMap<VariableId, String>,
    texts: &mut Vec<String>,
) {
    use crate::lang::model::{BinaryOperator as B, UnaryOperator};
    let mut work = vec![condition];
    while let Some(e) = work.pop() {
        if texts.len() >= MAX_OWN {
            return;
        }
        match e {
            Expression::Unary(UnaryOperator::Not, inner) => work.push(inner),
            Expression::Cast(_, inner) => work.push(inner),
            Expression::Conditional(a, b, c) => work.extend([&**a, &**b, &**c]),
            Expression::Binary(operator, left, right) => {
                let sign = match operator {
                    B::Equal => "==",
                    B::NotEqual => "!=",
                    B::Less => "<",
                    B::LessEqual => "<=",
                    _ => {
                        work.extend([&**left, &**right]);
                        continue;
                    }
                };
                if let (Some(left), Some(right)) = (sum(left, terms), sum(right, terms))
                    && left != right
                {
                    let number = |text: &str| {
                        text.trim_start_matches('-').bytes().all(|b| b.is_ascii_digit())
                    };
                    let mirrored = if sign == "<" {
                        ">"
                    } else if sign == "<=" {
                        ">="
                    } else {
                        sign
                    };
                    texts.push(if number(&left) {
                        format!("{right} {mirrored} {left}")
                    } else {
                        format!("{left} {sign} {right}")
                    });
                }
                if left.scalar().boolean {
                    work.extend([&**left, &**right]);
                }
            }
            _ => {}
        }
    }
}

/// A sum of terms and constants as a text. Returns `None` for any other expression, or if the text
/// gets long.
fn sum(e: &Expression, terms: &BTreeMap<VariableId, String>) -> Option<String> {
    use crate::lang::model::BinaryOperator as B;
    let mut text = String::new();
    // Right operands wait with their sign. The parts of a sum need no parentheses.
    let mut work = vec![(e, '+')];
    while let Some((e, sign)) = work.pop() {
        let part = match e {
            Expression::Constant(bits, scalar) if !scalar.boolean => {
                scalar.number(*bits).to_string()
            }
            Expression::Variable(id, _) => terms.get(id)?.clone(),
            Expression::Element(array, index, _) => match &**index {
                Expression::Constant(bits, scalar) => {
                    format!("{}[{}]", terms.get(array)?, scalar.number(*bits))
                }
                _ => return None,
            },
            Expression::Cast(to, inner) if !to.boolean && !inner.scalar().boolean => {
                work.push((inner, sign));
                continue;
            }
            Expression::Binary(B::Add, left, right) if sign == '+' => {
                work.push((right, '+'));
                work.push((left, '+'));
                continue;
            }
            Expression::Binary(B::Subtract, left, right) if sign == '+' => {
                work.push((right, '-'));
                work.push((left, '+'));
                continue;
            }
            _ => return None,
        };
        let compound = part.contains([' ', '-']);
        let part = if compound && sign == '-' { format!("({part})") } else { part };
        text = match (text.is_empty(), sign) {
            (true, '+') => part,
            (true, _) => format!("-{part}"),
            (false, _) => match part.strip_prefix('-') {
                Some(rest) if sign == '+' => format!("{text} - {rest}"),
                _ => format!("{text} {sign} {part}"),
            },
        };
        if text.len() > 48 {
            return None;
        }
    }
    Some(text)
}

/// The stores over the variables in scope alone.
pub(crate) fn in_scope(domain: &mut ProgramDomain, stores: Bdd, hidden: VarSet) -> Bounded<Bdd> {
    domain.kernel.exists(stores, hidden)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_call_is_told_from_a_sum_of_calls() {
        for text in ["f()", "max(a, b)", "f(g(1), (2))"] {
            assert!(is_call(text), "{text}");
        }
        for text in ["", "f", "(a)", "f(a) + g(b)", "a[f(1)]", "f(1"] {
            assert!(!is_call(text), "{text}");
        }
    }

    #[test]
    fn names_are_numbered_until_one_is_free() {
        let mut taken = BTreeSet::from(["f(x)".to_string()]);
        let mut free = |words: &str, first| free_name(&mut taken, &(words.to_string(), first));
        assert_eq!(free("f(x)", 0), "f(x)₁");
        assert_eq!(free("f(x)", 0), "f(x)₂");
        assert_eq!(free("n", 1), "n₁");
    }
}
