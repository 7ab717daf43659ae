//! When the bounded engine has a short try beside the diagrams: their own steps say so, and the
//! tries are counted in its looks at the clock, so that what is found depends on the program alone.

use crate::lang::model::{BinaryOperator, Expression, Operation, Program};
use crate::session::{Job, Session};
use crate::wire::options::Dialect;

/// Steps of the kernel, some tenths of a second, after which the bounded engine has a try where the
/// program computes what diagrams are slow at. A first visit ends before, and fetches no engine.
const SOON: u64 = 2_000_000;
/// Steps, some seconds, after which it has one in every C program.
const LATER: u64 = 20_000_000;
/// So often the first try looks at the clock, and the second twice as often: about a second.
const LOOKS: u32 = 4_000;

/// The tries that are still to come.
pub struct EarlyTries {
    tries: u32,
    is_c: bool,
    is_slow: bool,
    is_over: bool,
}

impl EarlyTries {
    /// For the program of this session, whose run begins.
    pub fn new(session: &Session) -> EarlyTries {
        let is_c = session.options().dialect == Dialect::C;
        let is_slow = session.program().is_some_and(is_slow);
        EarlyTries { tries: 0, is_c, is_slow, is_over: false }
    }

    /// Is the bounded engine's turn now, and how often may it look at the clock? Soon where the
    /// diagrams are slow at what the program computes, and once they take long. A failing run of
    /// theirs comes with what takes part in it, so there is no try beside one.
    pub fn due(&mut self, session: &Session) -> Option<u32> {
        let progress = session.progress();
        let is_due = match self.tries {
            _ if !self.is_c || self.is_over => false,
            0 => progress.steps > SOON || self.is_slow && session.has_slow_statements(),
            1 => progress.steps > LATER,
            _ => false,
        };
        if !is_due || progress.fails || session.is_settled() {
            return None;
        }
        self.tries += 1;
        Some(match (self.tries, self.is_slow) {
            // A program that reads nothing has one run, whose execution takes no look.
            (1, false) => 0,
            (tries, _) => LOOKS * tries,
        })
    }

    /// There was an answer.
    pub fn end(&mut self) {
        self.is_over = true;
    }
}

/// Does it compute what diagrams are slow at: products of open numbers, quotients, floating point?
fn is_slow(program: &Program) -> bool {
    program.edges.iter().any(|edge| {
        edge.checks.iter().any(|check| check.condition.any(is_slow_here))
            || match &edge.operation {
                Operation::Assume(condition) => condition.any(is_slow_here),
                Operation::Assign(list) => list.iter().any(|(_, value)| value.any(is_slow_here)),
                Operation::Call { arguments, .. } => {
                    arguments.iter().any(|value| value.any(is_slow_here))
                }
                Operation::Skip | Operation::Havoc(_) => false,
            }
    })
}

/// The same for one operation, without its operands. Dividing by a power of two is a shift.
fn is_slow_here(expression: &Expression) -> bool {
    use BinaryOperator::{Divide, Multiply, Remainder};
    match expression {
        Expression::Variable(_, scalar) | Expression::Element(.., scalar) => scalar.floating,
        Expression::Binary(Multiply, a, b) => !is_constant(a) && !is_constant(b),
        Expression::Binary(Divide | Remainder, a, b) => match **b {
            Expression::Constant(bits, _) => !is_constant(a) && !bits.is_power_of_two(),
            _ => !is_constant(a) && !is_constant(b),
        },
        _ => false,
    }
}

fn is_constant(expression: &Expression) -> bool {
    use Expression::{Choice, Element, Variable};
    !expression.any(|part| matches!(part, Variable(..) | Element(..) | Choice(..)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Budgets, Task};
    use crate::wire::options::RequestedOptions;

    /// Does a try come before the run is over?
    fn comes(condition: &str) -> bool {
        let source = format!(
            "#include <assert.h>\n#include <stdio.h>\n\
             int main(void) {{ unsigned a, b; if (scanf(\"%u %u\", &a, &b) != 2) return 1; \
             if (a > 1 && b > 1 && a < 40000 && b < 40000) assert({condition}); return 0; }}"
        );
        let requested =
            RequestedOptions { dialect: Some(Dialect::C), ..RequestedOptions::default() };
        let (mut session, _) = Session::load(&source, &requested);
        assert!(session.program().is_some(), "{source}");
        session.use_portfolio(&requested);
        session.list_failures();
        session.start(Task::Check, Budgets::default());
        let mut tries = EarlyTries::new(&session);
        loop {
            if tries.due(&session).is_some() {
                return true;
            }
            if session.step() {
                return false;
            }
        }
    }

    #[test]
    fn a_product_in_an_assertion_is_slow() {
        assert!(comes("a * b != 1209 * 1213u"));
        assert!(!comes("a + b != 1209 * 1213u"));
    }
}
