//! What each step of a run reads, writes and returns, as the interpreter executes it. Traces are
//! made of this, so that what they say of a step is what happened.

use super::execute::{Configuration, Machine};
use super::replay::{ConcreteRun, ConcreteStep};
use crate::lang::model::{
    EdgeId, Expression, Operation, Place, Program, StatementKind, VariableId, VariableKind,
};

/// An element that was written, perhaps with the value that it had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Whose element.
    pub variable: VariableId,
    /// Its index; 0 for a scalar.
    pub element: u32,
    /// The frame of the variable, from 0 for the procedure that started; `None` for a global.
    pub frame: Option<u32>,
    /// Its bit pattern before.
    pub before: u64,
    /// Its bit pattern after.
    pub after: u64,
}

/// What a step did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Observed {
    /// The edge.
    pub edge: EdgeId,
    /// Pending calls before it.
    pub depth: u32,
    /// Elements of arrays that it read.
    pub reads: Vec<(VariableId, u32)>,
    /// What it wrote; of a havoc only what has another value now.
    pub writes: Vec<Written>,
    /// What its procedure returned, if it returned a value with this step.
    pub returned: Option<u64>,
    /// Results that callers received with this step, innermost first.
    pub results: Vec<Written>,
}

/// A run as it was observed.
#[derive(Clone, Debug)]
pub struct Observation {
    /// By step.
    pub steps: Vec<Observed>,
    /// After the last step; if that step fails, before it.
    pub end: Configuration,
}

/// Executes a run and observes each step. The run stops at the first step that fails or cannot be
/// executed.
pub fn observe(program: &Program, run: &ConcreteRun) -> Observation {
    let machine = Machine::new(program);
    let mut end = machine.initial(&run.initial_globals, &run.initial_locals);
    let mut steps = Vec::with_capacity(run.steps.len());
    for step in &run.steps {
        let starts_here = program.edges.get(step.edge.0 as usize).map(|edge| edge.from);
        if starts_here != Some(end.location) {
            break;
        }
        let stops = machine.stops(&end, step.edge, &step.choices).is_some();
        steps.push(machine.observe(&mut end, step));
        if stops {
            break;
        }
    }
    Observation { steps, end }
}

impl Machine<'_> {
    /// Executes a step that starts where the configuration stands, in place, and says what it did.
    /// A step that fails or is blocked changes nothing.
    pub fn observe(&self, configuration: &mut Configuration, step: &ConcreteStep) -> Observed {
        let edge = self.program.edge(step.edge);
        let depth = configuration.depth();
        let mut observed = Observed { edge: step.edge, depth, ..Observed::default() };
        observed.reads = self.elements_read(configuration, step);
        if self.stops(configuration, step.edge, &step.choices).is_some() {
            return observed;
        }
        let places = self.places_written(configuration, step);
        let locals = step.locals.as_ref().unwrap_or(const { &Vec::new() });
        let before: Vec<u64> =
            places.iter().map(|place| self.element(configuration, *place)).collect();
        self.pass_edge(configuration, step.edge, &step.choices, locals);
        let any_value = matches!(edge.operation, Operation::Havoc(_));
        for (place, before) in places.into_iter().zip(before) {
            let after = self.element(configuration, place);
            if !any_value || before != after {
                observed.writes.push(self.written(place, depth, (before, after)));
            }
        }
        self.observe_returns(configuration, &mut observed);
        observed
    }

    /// All returns that are due.
    fn observe_returns(&self, configuration: &mut Configuration, observed: &mut Observed) {
        while self.is_to_return(configuration) {
            let [.., caller, callee] = &configuration.frames[..] else { return };
            let result = self.program.procedure(callee.procedure).result;
            if configuration.depth() == observed.depth {
                observed.returned =
                    result.and_then(|id| self.values(configuration, id).first().copied());
            }
            let into = callee.call.and_then(|call| match self.program.edge(call).operation {
                Operation::Call { result: Some(into), .. } if result.is_some() => Some(into),
                _ => None,
            });
            let slot = into.and_then(|into| caller.values.get(self.shape.slots[into]));
            let before = slot.and_then(|values| values.first().copied());
            if self.return_once(configuration).is_none() {
                return;
            }
            if let (Some(into), Some(before)) = (into, before) {
                let after = self.element(configuration, (into, 0));
                let written = self.written((into, 0), configuration.depth(), (before, after));
                observed.results.push(written);
            }
        }
    }

    fn written(
        &self,
        (variable, element): (VariableId, u32),
        depth: u32,
        (before, after): (u64, u64),
    ) -> Written {
        let global = self.program.variable(variable).kind == VariableKind::Global;
        Written { variable, element, frame: (!global).then_some(depth), before, after }
    }

    fn element(&self, configuration: &Configuration, (id, element): (VariableId, u32)) -> u64 {
        self.values(configuration, id).get(element as usize).copied().unwrap_or(0)
    }

    /// What the step writes, each element once.
    fn places_written(
        &self,
        configuration: &Configuration,
        step: &ConcreteStep,
    ) -> Vec<(VariableId, u32)> {
        let mut places = Vec::new();
        match &self.program.edge(step.edge).operation {
            Operation::Assign(pairs) => {
                for (place, _) in pairs {
                    match place {
                        Place::Variable(id) => places.push((*id, 0)),
                        Place::Element(id, index) => {
                            let inside = self.position(configuration, *id, index, &step.choices);
                            places.extend(inside.map(|element| (*id, element)));
                        }
                    }
                }
                if places.len() > 1 {
                    places.sort_unstable();
                    places.dedup();
                }
            }
            Operation::Havoc(list) => {
                for id in list {
                    places.extend((0..self.program.variable(*id).elements()).map(|e| (*id, e)));
                }
            }
            Operation::Skip | Operation::Assume(_) | Operation::Call { .. } => {}
        }
        places
    }

    /// The index of an element, if it is inside.
    fn position(
        &self,
        configuration: &Configuration,
        id: VariableId,
        index: &Expression,
        choices: &[u64],
    ) -> Option<u32> {
        let number = index.scalar().number(self.evaluate(configuration, index, choices));
        u32::try_from(number).ok().filter(|element| *element < self.program.variable(id).elements())
    }

    /// The elements of arrays that the step reads, each once.
    fn elements_read(
        &self,
        configuration: &Configuration,
        step: &ConcreteStep,
    ) -> Vec<(VariableId, u32)> {
        let edge = self.program.edge(step.edge);
        let mut read = Vec::new();
        let mut reads = |e: &Expression| self.reads(configuration, e, &step.choices, &mut read);
        match &edge.operation {
            Operation::Assume(condition) => reads(condition),
            Operation::Assign(pairs) => {
                for (place, value) in pairs {
                    if let Place::Element(_, index) = place {
                        reads(index);
                    }
                    reads(value);
                }
            }
            Operation::Call { arguments, .. } => arguments.iter().for_each(reads),
            Operation::Skip | Operation::Havoc(_) => {}
        }
        if edge.kind == StatementKind::Assertion {
            for check in &edge.checks {
                self.reads(configuration, &check.condition, &step.choices, &mut read);
            }
        }
        read.sort_unstable();
        read.dedup();
        read
    }

    fn reads(
        &self,
        configuration: &Configuration,
        e: &Expression,
        choices: &[u64],
        into: &mut Vec<(VariableId, u32)>,
    ) {
        match e {
            Expression::Constant(..) | Expression::Variable(..) | Expression::Choice(..) => {}
            Expression::Element(id, index, _) => {
                self.reads(configuration, index, choices, into);
                into.extend(
                    self.position(configuration, *id, index, choices).map(|element| (*id, element)),
                );
            }
            Expression::Unary(_, e) | Expression::Cast(_, e) => {
                self.reads(configuration, e, choices, into)
            }
            Expression::Binary(_, left, right) => {
                self.reads(configuration, left, choices, into);
                self.reads(configuration, right, choices, into);
            }
            Expression::Conditional(condition, then, otherwise) => {
                self.reads(configuration, condition, choices, into);
                let holds = self.evaluate(configuration, condition, choices) == 1;
                self.reads(configuration, if holds { then } else { otherwise }, choices, into);
            }
        }
    }
}
