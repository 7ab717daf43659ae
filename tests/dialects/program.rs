//! A random program without a language: every statement stands on a line of its own, which is the
//! same in all dialects. `support::generate` writes Cimple, and much that other languages lack.

use crate::support::Random;

/// A Boolean variable, by its number among the globals or among its procedure's locals (parameters
/// first), or a small integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variable {
    Global(u64),
    Local(u64),
}

#[derive(Clone, Debug)]
pub enum Condition {
    Truth(bool),
    Variable(Variable),
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
    Equal(Box<Condition>, Box<Condition>),
    NotEqual(Box<Condition>, Box<Condition>),
    /// Integers compared.
    Less(Number, Number),
    Same(Number, Number),
}

/// An unsigned integer of [`BITS`] bits.
#[derive(Clone, Debug)]
pub enum Number {
    Constant(u64),
    Variable(u64),
    Sum(u64, u64),
    Difference(u64, u64),
}

#[derive(Clone, Debug)]
pub enum Statement {
    Skip,
    Assign(Variable, Condition),
    /// Two at once.
    Swap(Variable, Variable, Condition, Condition),
    Any(Variable),
    Count(u64, Number),
    AnyNumber(u64),
    Assume(Condition),
    Assert(Condition),
    /// `variable = procedure(one, other)`; without a variable the result is dropped.
    Call(Option<Variable>, u64, Condition, Condition),
    /// No condition is a choice.
    If(Option<Condition>, Vec<Statement>, Vec<Statement>),
    While(Option<Condition>, Vec<Statement>),
    Return(Condition),
}

/// Procedures `p0`, `p1`, … of two parameters and a result; then `main`.
#[derive(Clone, Debug)]
pub struct Program {
    pub globals: u64,
    /// Global integers.
    pub numbers: u64,
    /// Of each procedure, besides its parameters.
    pub locals: u64,
    pub procedures: Vec<Vec<Statement>>,
    pub main: Vec<Statement>,
}

/// Parameters of each procedure but main.
pub const PARAMETERS: u64 = 2;
/// Width of the integers.
pub const BITS: u64 = 2;

/// Which program.
pub fn random(seed: u64, with_numbers: bool) -> Program {
    let random = &mut Random::new(seed);
    let globals = 2 + random.below(2);
    let numbers = if with_numbers { 1 + random.below(2) } else { 0 };
    let procedures = 1 + random.below(3);
    let mut maker = Maker { random, globals, numbers, locals: 1, procedures, visible: 0 };
    maker.visible = PARAMETERS + maker.locals;
    let bodies = (0..procedures)
        .map(|_| {
            let mut body = maker.block(3, 2);
            body.push(Statement::Return(maker.condition(2)));
            body
        })
        .collect();
    maker.visible = maker.locals;
    let mut main = maker.block(5, 2);
    main.push(Statement::Assert(maker.condition(2)));
    Program { globals, numbers, locals: 1, procedures: bodies, main }
}

struct Maker<'r> {
    random: &'r mut Random,
    globals: u64,
    numbers: u64,
    locals: u64,
    procedures: u64,
    /// Locals and parameters of the procedure at hand.
    visible: u64,
}

impl Maker<'_> {
    fn variable(&mut self) -> Variable {
        let k = self.random.below(self.globals + self.visible);
        if k < self.globals { Variable::Global(k) } else { Variable::Local(k - self.globals) }
    }

    fn condition(&mut self, depth: u64) -> Condition {
        if depth == 0 || self.random.below(4) == 0 {
            return if self.random.below(8) == 0 {
                Condition::Truth(self.random.flip())
            } else {
                Condition::Variable(self.variable())
            };
        }
        let numbers = if self.numbers > 0 { 3 } else { 0 };
        match self.random.below(5 + numbers) {
            0 => Condition::Not(Box::new(self.condition(depth - 1))),
            1 => Condition::And(
                Box::new(self.condition(depth - 1)),
                Box::new(self.condition(depth - 1)),
            ),
            2 => Condition::Or(
                Box::new(self.condition(depth - 1)),
                Box::new(self.condition(depth - 1)),
            ),
            3 => Condition::Equal(
                Box::new(self.condition(depth - 1)),
                Box::new(self.condition(depth - 1)),
            ),
            4 => Condition::NotEqual(
                Box::new(self.condition(depth - 1)),
                Box::new(self.condition(depth - 1)),
            ),
            5 => Condition::Same(self.number(), self.number()),
            _ => Condition::Less(self.number(), self.number()),
        }
    }

    fn number(&mut self) -> Number {
        match self.random.below(4) {
            0 => Number::Constant(self.random.below(1 << BITS)),
            1 => Number::Sum(self.random.below(self.numbers), self.random.below(self.numbers)),
            2 => {
                Number::Difference(self.random.below(self.numbers), self.random.below(self.numbers))
            }
            _ => Number::Variable(self.random.below(self.numbers)),
        }
    }

    fn block(&mut self, most: u64, depth: u64) -> Vec<Statement> {
        (0..1 + self.random.below(most)).map(|_| self.statement(depth)).collect()
    }

    fn statement(&mut self, depth: u64) -> Statement {
        let choice = |maker: &mut Self| (maker.random.below(3) > 0).then(|| maker.condition(2));
        match self.random.below(if depth == 0 { 12 } else { 16 }) {
            0 => Statement::Skip,
            1 | 2 => Statement::Any(self.variable()),
            3 => Statement::Assume(self.condition(2)),
            4 => Statement::Assert(self.condition(2)),
            5 | 6 => {
                let into = if self.random.below(4) == 0 { None } else { Some(self.variable()) };
                Statement::Call(
                    into,
                    self.random.below(self.procedures),
                    self.condition(1),
                    self.condition(1),
                )
            }
            7 => {
                let (one, other) = (self.variable(), self.variable());
                let (first, second) = (self.condition(1), self.condition(1));
                if one == other {
                    Statement::Assign(one, first)
                } else {
                    Statement::Swap(one, other, first, second)
                }
            }
            8 | 9 if self.numbers > 0 => {
                Statement::Count(self.random.below(self.numbers), self.number())
            }
            10 if self.numbers > 0 => Statement::AnyNumber(self.random.below(self.numbers)),
            8..12 => Statement::Assign(self.variable(), self.condition(2)),
            12..15 => {
                Statement::If(choice(self), self.block(2, depth - 1), self.block(2, depth - 1))
            }
            _ => Statement::While(choice(self), self.block(2, depth - 1)),
        }
    }
}
