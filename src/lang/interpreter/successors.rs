//! All next configurations, for exhaustive exploration of small programs.

use super::execute::{Assignment, Configuration, Machine, Outcome};
use super::open_locals::open_locals;
use super::replay::ConcreteStep;
use crate::lang::model::{EdgeId, Initial, Operation, ProcedureId, Scalar, VariableId};

/// One way to go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The edge, with what the run picks.
    pub step: ConcreteStep,
    /// Never [`Outcome::Blocked`].
    pub outcome: Outcome,
}

/// The ways to go on, up to a cap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Successors {
    /// Ordered by edge, then by the values that are picked, counting up.
    pub transitions: Vec<Transition>,
    /// Are these all transitions?
    pub complete: bool,
}

impl Machine<'_> {
    /// Every outcome of every edge here, over all values of choices, of freed variables and of a
    /// callee's locals. Tries at most `cap` combinations per edge. A local that is written before
    /// it is read starts at zero only: its initial value makes no difference.
    pub fn successors(&self, configuration: &Configuration, cap: usize) -> Successors {
        let mut found = Successors { transitions: Vec::new(), complete: true };
        for edge in &self.shape.out[configuration.location] {
            self.along(configuration, *edge, cap, &mut found);
        }
        found
    }

    fn along(
        &self,
        configuration: &Configuration,
        edge: EdgeId,
        cap: usize,
        found: &mut Successors,
    ) {
        let e = self.program().edge(edge);
        let free: Vec<VariableId> = match &e.operation {
            Operation::Havoc(list) => list.clone(),
            Operation::Call { callee, .. } => {
                self.arbitrary_locals(&self.program().procedure(*callee).locals)
            }
            _ => Vec::new(),
        };
        let mut digits = e.choices.clone();
        digits.extend(self.elements(&free));
        let picks_locals = !free.is_empty();
        found.complete &= combinations(&digits, cap, |values| {
            let (choices, rest) = values.split_at(e.choices.len());
            let locals = self.assign(&free, rest);
            let outcome = self.execute(configuration, edge, choices, &locals);
            if outcome != Outcome::Blocked {
                let step = ConcreteStep {
                    edge,
                    choices: choices.to_vec(),
                    locals: picks_locals.then_some(locals),
                };
                found.transitions.push(Transition { step, outcome });
            }
        });
    }

    /// Every configuration at the start, over all values that the program leaves open. At most
    /// `cap` of them, and whether these are all.
    pub fn starts(&self, cap: usize) -> (Vec<Configuration>, bool) {
        let program = self.program();
        let globals: Vec<VariableId> =
            program.globals().filter(|id| program.variable(*id).initial == Initial::Any).collect();
        let main = program.procedure(program.main_id());
        let mut free = globals;
        free.extend(&main.parameters);
        free.extend(self.arbitrary_locals(&main.locals));
        let digits: Vec<Scalar> = self.elements(&free);
        let mut starts = Vec::new();
        let complete = combinations(&digits, cap, |values| {
            starts.push(self.initial(&self.assign(&free, values), &Vec::new()))
        });
        (starts, complete)
    }

    /// Every start of a thread in this procedure with these globals, over all values of the locals
    /// that make a difference. At most `cap` of them, and whether these are all.
    pub fn thread_starts(
        &self,
        procedure: ProcedureId,
        globals: &[Vec<u64>],
        cap: usize,
    ) -> (Vec<Configuration>, bool) {
        let free = self.arbitrary_locals(&self.program().procedure(procedure).locals);
        let digits: Vec<Scalar> = self.elements(&free);
        let mut starts = Vec::new();
        let complete = combinations(&digits, cap, |values| {
            starts.push(self.thread_start(
                procedure,
                globals.to_vec(),
                &self.assign(&free, values),
            ));
        });
        (starts, complete)
    }

    fn arbitrary_locals(&self, locals: &[VariableId]) -> Vec<VariableId> {
        let open = self.open.get_or_init(|| open_locals(self.program()));
        locals.iter().copied().filter(|id| open[*id]).collect()
    }

    fn elements(&self, variables: &[VariableId]) -> Vec<Scalar> {
        let of = |id: &VariableId| {
            let variable = self.program().variable(*id);
            std::iter::repeat_n(variable.scalar, variable.elements() as usize)
        };
        variables.iter().flat_map(of).collect()
    }

    fn assign(&self, variables: &[VariableId], values: &[u64]) -> Assignment {
        let mut rest = values;
        let mut assignment = Vec::with_capacity(variables.len());
        for id in variables {
            let (mine, others) = rest.split_at(self.program().variable(*id).elements() as usize);
            assignment.push((*id, mine.to_vec()));
            rest = others;
        }
        assignment
    }
}

/// Counts through all values of these types; the first one changes fastest. Returns false if the
/// cap ended the count.
fn combinations(digits: &[Scalar], cap: usize, mut visit: impl FnMut(&[u64])) -> bool {
    let mut values = vec![0u64; digits.len()];
    let mut count = 0;
    loop {
        if count == cap {
            return false;
        }
        count += 1;
        visit(&values);
        let mut position = 0;
        loop {
            let Some(scalar) = digits.get(position) else { return true };
            if values[position] < scalar.mask() {
                values[position] += 1;
                break;
            }
            values[position] = 0;
            position += 1;
        }
    }
}
