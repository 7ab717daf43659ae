//! Finds the variables that should be near each other in the order of decision levels.
//!
//! Bits of two numbers that are added, compared or copied must be interleaved (equality of two
//! w-bit numbers needs 3w nodes then, and 2^w if one is above the other); numbers that never meet
//! should be apart. So variables that occur together in arithmetic, in a comparison or in an
//! assignment form one group (union-find). An index of an array does not join the array's group:
//! the array only *uses* it, and the index is above the array in the order, also if it is stored
//! there (`a[i] = 10 * i`): between the elements, which one is written would have to be guessed of
//! each. The same holds for the amount of a shift. Numbers that are counted in one loop change
//! together, so they form one group, too.

use crate::cfg::loops;
use crate::lang::model::{BinaryOperator, Edge, Expression, Operation, Place, Program, VariableId};
use rustc_hash::FxHashSet;

/// Union-find over variables and the choices of edges.
pub(super) struct Affinity {
    parent: Vec<u32>,
    choice_base: Vec<u32>,
    index: Vec<bool>,
    /// Arrays with what indexes them.
    indexed: FxHashSet<(u32, u32)>,
}

/// Something that has bits.
#[derive(Clone, Copy)]
enum Item {
    Variable(VariableId),
    Choice(u32),
}

/// The variable that a statement counts up or down.
fn counter(edge: &Edge) -> Option<VariableId> {
    let Operation::Assign(list) = &edge.operation else { return None };
    let [(Place::Variable(variable), value)] = &list[..] else { return None };
    counts(value, *variable).then_some(*variable)
}

/// Is it a sum or a difference of the variable and constants?
fn counts(value: &Expression, variable: VariableId) -> bool {
    match value {
        Expression::Cast(_, operand) => counts(operand, variable),
        Expression::Binary(BinaryOperator::Add | BinaryOperator::Subtract, left, right) => {
            let is_variable = |side: &Expression| {
                is(side, |leaf| matches!(leaf, Expression::Variable(v, _) if *v == variable))
            };
            let is_constant =
                |side: &Expression| is(side, |leaf| matches!(leaf, Expression::Constant(..)));
            is_variable(left) && is_constant(right) || is_constant(left) && is_variable(right)
        }
        _ => false,
    }
}

/// Does this hold of the expression, if its casts are ignored?
fn is(mut value: &Expression, holds: impl Fn(&Expression) -> bool) -> bool {
    while let Expression::Cast(_, operand) = value {
        value = operand;
    }
    holds(value)
}

impl Affinity {
    pub(super) fn of(program: &Program) -> Affinity {
        let variables = program.variables.len() as u32;
        let mut next = variables;
        let choice_base: Vec<u32> = program
            .edges
            .iter()
            .map(|edge| {
                let base = next;
                next += edge.choices.len() as u32;
                base
            })
            .collect();
        let mut affinity = Affinity {
            parent: (0..next).collect(),
            choice_base,
            index: vec![false; next as usize],
            indexed: FxHashSet::default(),
        };
        // The first time round finds what indexes which array.
        for _ in 0..2 {
            affinity.parent = (0..next).collect();
            for (number, edge) in program.edges.iter().enumerate() {
                affinity.edge(program, number, edge);
            }
        }
        for found in loops(program) {
            let inside = |edge: &&Edge| found.contains(edge.from) && found.contains(edge.to);
            let counters: Vec<Item> = program
                .edges
                .iter()
                .filter(inside)
                .filter_map(counter)
                .map(Item::Variable)
                .collect();
            affinity.unite(&counters, 0);
        }
        affinity
    }

    /// The number of a variable's group.
    pub(super) fn group(&self, variable: VariableId) -> u32 {
        self.root(variable.0)
    }

    /// The number of the group of an edge's k-th choice.
    pub(super) fn choice_group(&self, edge: usize, choice: usize) -> u32 {
        self.root(self.choice_base[edge] + choice as u32)
    }

    /// Does some member of the group index an array?
    pub(super) fn indexes(&self, group: u32) -> bool {
        (0..self.parent.len()).any(|k| self.index[k] && self.root(k as u32) == group)
    }

    fn root(&self, mut k: u32) -> u32 {
        while self.parent[k as usize] != k {
            k = self.parent[k as usize];
        }
        k
    }

    fn unite(&mut self, items: &[Item], edge: usize) {
        let ids: Vec<u32> = items
            .iter()
            .map(|item| match item {
                Item::Variable(v) => v.0,
                Item::Choice(k) => self.choice_base[edge] + k,
            })
            .collect();
        for (k, id) in ids.iter().enumerate().skip(1) {
            let fits = |other: &&u32| !self.is_index_of(**other, *id);
            let Some(other) = ids[..k].iter().rev().find(fits) else { continue };
            let (a, b) = (self.root(*other), self.root(*id));
            self.parent[a.max(b) as usize] = a.min(b);
        }
    }

    /// Does one of the two index the other?
    fn is_index_of(&self, a: u32, b: u32) -> bool {
        self.indexed.contains(&(a, b)) || self.indexed.contains(&(b, a))
    }

    fn edge(&mut self, program: &Program, number: usize, edge: &Edge) {
        for check in &edge.checks {
            self.visit(&check.condition, number);
        }
        match &edge.operation {
            Operation::Skip | Operation::Havoc(_) => {}
            Operation::Assume(condition) => {
                self.visit(condition, number);
            }
            Operation::Assign(list) => {
                for (place, value) in list {
                    if let Place::Element(array, index) = place {
                        self.index(index, Some(*array), number);
                    }
                    let mut items = self.visit(value, number);
                    items.push(Item::Variable(place.variable()));
                    self.unite(&items, number);
                }
            }
            Operation::Call { callee, arguments, result } => {
                let callee = program.procedure(*callee);
                for (parameter, argument) in callee.parameters.iter().zip(arguments) {
                    let mut items = self.visit(argument, number);
                    items.push(Item::Variable(*parameter));
                    self.unite(&items, number);
                }
                if let (Some(target), Some(result)) = (result, callee.result) {
                    self.unite(&[Item::Variable(*target), Item::Variable(result)], number);
                }
            }
        }
    }

    fn index(&mut self, index: &Expression, array: Option<VariableId>, edge: usize) {
        let items = self.visit(index, edge);
        self.unite(&items, edge);
        for item in items {
            let id = match item {
                Item::Variable(v) => v.0,
                Item::Choice(k) => self.choice_base[edge] + k,
            };
            self.index[id as usize] = true;
            self.indexed.extend(array.map(|array| (array.0, id)));
        }
    }

    /// The items whose bits flow into the value. Unites the groups of items that meet in between.
    fn visit(&mut self, expression: &Expression, edge: usize) -> Vec<Item> {
        match expression {
            Expression::Constant(..) => Vec::new(),
            Expression::Variable(v, _) => vec![Item::Variable(*v)],
            Expression::Choice(k, _) => vec![Item::Choice(k.0)],
            Expression::Element(array, index, _) => {
                self.index(index, Some(*array), edge);
                vec![Item::Variable(*array)]
            }
            Expression::Unary(_, operand) | Expression::Cast(_, operand) => {
                self.visit(operand, edge)
            }
            Expression::Binary(
                BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight,
                left,
                amount,
            ) => {
                // Each amount selects bits of the operand, as an index selects elements.
                self.index(amount, None, edge);
                self.visit(left, edge)
            }
            Expression::Binary(operator, left, right) => {
                let mut items = self.visit(left, edge);
                items.extend(self.visit(right, edge));
                let compares = matches!(
                    operator,
                    BinaryOperator::Equal
                        | BinaryOperator::NotEqual
                        | BinaryOperator::Less
                        | BinaryOperator::LessEqual
                );
                if compares {
                    self.unite(&items, edge);
                    return Vec::new();
                }
                items
            }
            Expression::Conditional(condition, then, otherwise) => {
                self.visit(condition, edge);
                let mut items = self.visit(then, edge);
                items.extend(self.visit(otherwise, edge));
                items
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::options::RequestedOptions;

    #[test]
    fn an_index_is_above_its_array_also_if_it_is_stored_there() {
        let source = "int a[6], i, n; void main() { while (i < n) { a[i] = 2 * i; i = i + 1; } }";
        let program = crate::lang::load(source, &RequestedOptions::default()).program.unwrap();
        let affinity = Affinity::of(&program);
        let [a, i, n] = [0, 1, 2].map(|k| affinity.group(VariableId(k)));
        assert!(i != a && i == n);
        assert!(affinity.indexes(i) && !affinity.indexes(a));
    }
}
