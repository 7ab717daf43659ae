//! Ranges: between which numbers are all values of a variable?
//!
//! Intervals (Cousot, Cousot 1976) without regard to the order of statements: what a variable can
//! hold is the union of what any statement writes into it. A range that has grown several times
//! grows to the next power of two, so each one grows at most as often as its type has bits.
//!
//! A local that may be read before it is written can hold anything, and so can every variable of a
//! program with threads.

use super::liveness::{live_locals, read_by};
use crate::lang::model::{
    BinaryOperator, Expression, Initial, Operation, Place, Program, Scalar, UnaryOperator,
    VariableId, VariableKind,
};
use std::collections::BTreeSet;

/// All numbers between two, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The least one.
    pub least: i128,
    /// The largest one.
    pub most: i128,
}

impl Range {
    /// Only 0.
    pub const ZERO: Range = Range { least: 0, most: 0 };
    const TRUTH: Range = Range { least: 0, most: 1 };

    /// All numbers of a type.
    pub fn all(scalar: Scalar) -> Range {
        let values = 1i128 << scalar.width;
        match scalar.signed {
            true => Range { least: -(values / 2), most: values / 2 - 1 },
            false => Range { least: 0, most: values - 1 },
        }
    }

    fn one(number: i128) -> Range {
        Range { least: number, most: number }
    }

    /// The least range that has both.
    fn join(self, other: Range) -> Range {
        Range { least: self.least.min(other.least), most: self.most.max(other.most) }
    }

    fn has(self, other: Range) -> bool {
        self.least <= other.least && other.most <= self.most
    }

    /// The same, if no number of it wraps; else all numbers of the type.
    fn within(self, scalar: Scalar) -> Range {
        let all = Range::all(scalar);
        if all.has(self) { self } else { all }
    }

    /// The numbers with the same number of bits.
    fn rounded(self) -> Range {
        let bits = |number: i128| i128::BITS - number.leading_zeros();
        let most = (1i128 << bits(self.most.max(0))) - 1;
        let least = if self.least < 0 { -(1i128 << bits(!self.least)) } else { 0 };
        Range { least, most }
    }

    fn ends(self) -> [i128; 2] {
        [self.least, self.most]
    }
}

/// A range grows that often to the very numbers.
const EXACT_STEPS: u32 = 4;

/// By variable: a range with all values that its cells have whenever they are read.
pub fn ranges(program: &Program) -> Vec<Range> {
    if program.concurrency.has_threads() {
        return program.variables.iter().map(|variable| Range::all(variable.scalar)).collect();
    }
    let mut found = Found {
        ranges: program.variables.iter().map(|_| None).collect(),
        grown: vec![0; program.variables.len()],
        changed: Vec::new(),
        program,
    };
    found.start();
    found.changed.clear();
    // In rounds, each of them in the order of the edges. An edge that reads nothing that has grown
    // since would write nothing new, so it waits for no round.
    let readers = readers(program);
    let mut round: BTreeSet<usize> = (0..program.edges.len()).collect();
    let mut next = BTreeSet::new();
    loop {
        while let Some(at) = round.pop_first() {
            found.execute(&program.edges[at].operation);
            for id in found.changed.drain(..) {
                for reader in &readers[id] {
                    let waiting = if *reader > at { &mut round } else { &mut next };
                    waiting.insert(*reader);
                }
            }
        }
        if next.is_empty() {
            return found.ranges.into_iter().map(|range| range.unwrap_or(Range::ZERO)).collect();
        }
        std::mem::swap(&mut round, &mut next);
    }
}

/// By variable: the edges that read it, or that take it as the result of a call.
fn readers(program: &Program) -> Vec<Vec<usize>> {
    let mut readers = vec![Vec::new(); program.variables.len()];
    let mut read = BTreeSet::new();
    for (at, edge) in program.edges.iter().enumerate() {
        read_by(&edge.operation, &mut read);
        if let Operation::Call { callee, .. } = &edge.operation {
            read.extend(program.procedure(*callee).result);
        }
        while let Some(id) = read.pop_first() {
            readers[id].push(at);
        }
    }
    readers
}

struct Found<'p> {
    program: &'p Program,
    /// By variable; `None` while nothing is known to be written.
    ranges: Vec<Option<Range>>,
    grown: Vec<u32>,
    /// What has grown by the last edge.
    changed: Vec<VariableId>,
}

impl Found<'_> {
    /// What variables hold before anything is written.
    fn start(&mut self) {
        let live = live_locals(self.program);
        for (k, variable) in self.program.variables.iter().enumerate() {
            let id = VariableId(k as u32);
            let (owner, scalar) = (variable.owner, variable.scalar);
            let is_read_first = match (variable.kind, owner) {
                (VariableKind::Global, _) | (_, None) => false,
                (VariableKind::Parameter, Some(owner)) => owner == self.program.main_id(),
                (_, Some(owner)) => live[self.program.procedure(owner).entry].contains(&id),
            };
            match &variable.initial {
                Initial::Exactly(values) if variable.kind == VariableKind::Global => {
                    for bits in values {
                        self.grow(id, Range::one(scalar.number(*bits)));
                    }
                }
                _ if variable.kind == VariableKind::Global || is_read_first => {
                    self.grow(id, Range::all(scalar));
                }
                _ => {}
            }
        }
    }

    fn execute(&mut self, operation: &Operation) {
        match operation {
            Operation::Skip | Operation::Assume(_) => {}
            Operation::Assign(list) => {
                for (place, value) in list {
                    self.write(place, value);
                }
            }
            Operation::Havoc(variables) => {
                for id in variables {
                    self.grow(*id, Range::all(self.program.variable(*id).scalar));
                }
            }
            Operation::Call { callee, arguments, result } => {
                let callee = self.program.procedure(*callee);
                for (parameter, argument) in callee.parameters.iter().zip(arguments) {
                    self.write(&Place::Variable(*parameter), argument);
                }
                let returned = callee.result.and_then(|returned| self.ranges[returned]);
                if let (Some(target), Some(returned)) = (result, returned) {
                    self.grow(*target, returned);
                }
            }
        }
    }

    fn write(&mut self, place: &Place, value: &Expression) {
        if let Some(range) = self.value(value) {
            self.grow(place.variable(), range);
        }
    }

    fn grow(&mut self, id: VariableId, range: Range) {
        let old = self.ranges[id];
        let mut new = old.map_or(range, |old| old.join(range));
        if old == Some(new) {
            return;
        }
        self.grown[id] += 1;
        if self.grown[id] > EXACT_STEPS {
            new = new.rounded().within(self.program.variable(id).scalar);
        }
        self.ranges[id] = Some(new);
        self.changed.push(id);
    }

    /// The numbers that an expression can be. `None` if it reads what is not written yet.
    fn value(&self, expression: &Expression) -> Option<Range> {
        let scalar = expression.scalar();
        Some(match expression {
            Expression::Constant(bits, scalar) => Range::one(scalar.number(*bits)),
            Expression::Variable(id, _) => self.ranges[*id]?,
            // Outside of the array it is 0.
            Expression::Element(id, _, _) => self.ranges[*id]?.join(Range::ZERO),
            Expression::Choice(..) => Range::all(scalar),
            Expression::Unary(operator, operand) => {
                let operand = self.value(operand)?;
                match operator {
                    UnaryOperator::Not => Range::TRUTH,
                    UnaryOperator::Complement => Range::all(scalar),
                    UnaryOperator::Negate => {
                        Range { least: -operand.most, most: -operand.least }.within(scalar)
                    }
                }
            }
            Expression::Binary(operator, left, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                binary(*operator, left, right, scalar)
            }
            Expression::Cast(to, operand) => {
                let operand = self.value(operand)?;
                if to.boolean { Range::TRUTH } else { operand.within(*to) }
            }
            Expression::Conditional(condition, then, otherwise) => {
                self.value(condition)?;
                match (self.value(then), self.value(otherwise)) {
                    (Some(then), Some(otherwise)) => then.join(otherwise),
                    (then, otherwise) => then.or(otherwise)?,
                }
            }
        })
    }
}

/// The numbers that an operator with two operands can give.
fn binary(operator: BinaryOperator, left: Range, right: Range, scalar: Scalar) -> Range {
    let all = Range::all(scalar);
    let is_natural = left.least >= 0 && right.least >= 0;
    let hull = |numbers: [Option<i128>; 4]| {
        let numbers: Option<Vec<i128>> = numbers.into_iter().collect();
        let ends = numbers.and_then(|all| Some((*all.iter().min()?, *all.iter().max()?)));
        ends.map_or(all, |(least, most)| Range { least, most }.within(scalar))
    };
    match operator {
        BinaryOperator::Add => {
            Range { least: left.least + right.least, most: left.most + right.most }.within(scalar)
        }
        BinaryOperator::Subtract => {
            Range { least: left.least - right.most, most: left.most - right.least }.within(scalar)
        }
        BinaryOperator::Multiply => {
            let ([a, b], [c, d]) = (left.ends(), right.ends());
            hull([(a, c), (a, d), (b, c), (b, d)].map(|(x, y)| x.checked_mul(y)))
        }
        // x / 0 is 0, and x / y is never further from 0 than x is.
        BinaryOperator::Divide if is_natural => Range { least: 0, most: left.most },
        // x % 0 is 0.
        BinaryOperator::Remainder if is_natural => {
            Range { least: 0, most: left.most.min((right.most - 1).max(0)) }
        }
        BinaryOperator::ShiftRight if left.least >= 0 => Range { least: 0, most: left.most },
        BinaryOperator::And if left.least >= 0 || right.least >= 0 => {
            let natural = [left, right].into_iter().filter(|side| side.least >= 0);
            Range { least: 0, most: natural.map(|side| side.most).min().unwrap_or(all.most) }
        }
        BinaryOperator::Or | BinaryOperator::Xor if is_natural => {
            left.join(right).join(Range::ZERO).rounded().within(scalar)
        }
        BinaryOperator::Equal
        | BinaryOperator::NotEqual
        | BinaryOperator::Less
        | BinaryOperator::LessEqual => Range::TRUTH,
        BinaryOperator::Divide
        | BinaryOperator::Remainder
        | BinaryOperator::ShiftLeft
        | BinaryOperator::ShiftRight
        | BinaryOperator::And
        | BinaryOperator::Or
        | BinaryOperator::Xor => all,
    }
}
