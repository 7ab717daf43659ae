//! What other threads can tell of a step: what it reads of the globals, with the values. In C a
//! statement takes a step per access ([`crate::lang::concurrency`]), so another thread can run
//! between them.

use super::execute::{Configuration, Machine};
use super::open_locals::edge_reads;
use crate::lang::model::{
    Edge, EdgeId, Expression, Operation, Place, Program, VariableId, VariableKind,
};

/// A cell of a global that a step reads, and its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// The global.
    pub variable: VariableId,
    /// Which of its elements.
    pub element: u32,
    /// The value that is read.
    pub bits: u64,
}

/// Does the edge leave the globals alone and stay in its procedure? Then no thread can tell whether
/// it is executed before a context switch or after it.
pub fn is_private(program: &Program, id: EdgeId) -> bool {
    let edge = program.edge(id);
    let global = |id: VariableId| program.variable(id).kind == VariableKind::Global;
    let writes = match &edge.operation {
        Operation::Skip | Operation::Assume(_) => false,
        Operation::Assign(pairs) => pairs.iter().any(|(place, _)| global(place.variable())),
        Operation::Havoc(_) | Operation::Call { .. } => true,
    };
    let mut reads = false;
    edge_reads(edge, &mut |id| reads |= global(id));
    let threads = &program.concurrency;
    let acts = threads.starts.contains_key(&id)
        || threads.waits.contains(&id)
        || threads.ends.contains(&id);
    let leaves = program.procedure(program.owner(id)).exit == edge.to;
    !(writes || reads || acts || leaves)
}

impl Machine<'_> {
    /// What an edge reads of the globals, in the order in which its expressions are evaluated, each
    /// cell once.
    pub(super) fn global_reads(
        &self,
        before: &Configuration,
        edge: &Edge,
        choices: &[u64],
    ) -> Vec<Access> {
        let mut reads = Vec::new();
        for check in &edge.checks {
            self.reads_of(before, &check.condition, choices, &mut reads);
        }
        match &edge.operation {
            Operation::Skip | Operation::Havoc(_) => {}
            Operation::Assume(condition) => self.reads_of(before, condition, choices, &mut reads),
            Operation::Assign(pairs) => {
                for (place, value) in pairs {
                    self.reads_of(before, value, choices, &mut reads);
                    if let Place::Element(_, index) = place {
                        self.reads_of(before, index, choices, &mut reads);
                    }
                }
            }
            Operation::Call { arguments, .. } => {
                for argument in arguments {
                    self.reads_of(before, argument, choices, &mut reads);
                }
            }
        }
        reads
    }

    /// The globals that an expression reads. Of a conditional expression only the branch that is
    /// taken is evaluated.
    fn reads_of(
        &self,
        configuration: &Configuration,
        e: &Expression,
        choices: &[u64],
        into: &mut Vec<Access>,
    ) {
        match e {
            Expression::Constant(..) | Expression::Choice(..) => {}
            Expression::Variable(id, _) => add(self.cell(configuration, *id, 0), into),
            Expression::Element(id, index, _) => {
                self.reads_of(configuration, index, choices, into);
                let number = index.scalar().number(self.evaluate(configuration, index, choices));
                let element = usize::try_from(number).ok();
                add(element.and_then(|at| self.cell(configuration, *id, at)), into);
            }
            Expression::Unary(_, operand) | Expression::Cast(_, operand) => {
                self.reads_of(configuration, operand, choices, into);
            }
            Expression::Binary(_, left, right) => {
                self.reads_of(configuration, left, choices, into);
                self.reads_of(configuration, right, choices, into);
            }
            Expression::Conditional(condition, then, otherwise) => {
                self.reads_of(configuration, condition, choices, into);
                let holds = self.evaluate(configuration, condition, choices) == 1;
                self.reads_of(configuration, if holds { then } else { otherwise }, choices, into);
            }
        }
    }

    /// A cell of a global; `None` for a local, or outside of the array.
    fn cell(&self, at: &Configuration, variable: VariableId, element: usize) -> Option<Access> {
        let is_global = self.program.variable(variable).kind == VariableKind::Global;
        let bits = *self.values(at, variable).get(element).filter(|_| is_global)?;
        Some(Access { variable, element: element as u32, bits })
    }
}

fn add(access: Option<Access>, into: &mut Vec<Access>) {
    into.extend(access.filter(|access| !into.contains(access)));
}
