//! Configurations and the effect of one edge.

use crate::lang::model::{
    Edge, EdgeId, Initial, LocationId, Operation, Place, ProcedureId, Program, VariableId,
    VariableKind,
};
use std::sync::{Arc, OnceLock};

/// Variables with the bit patterns of their elements (one for a scalar).
pub type Assignment = Vec<(VariableId, Vec<u64>)>;

/// An active call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Frame {
    /// The procedure that is called.
    pub procedure: ProcedureId,
    /// Parameters, then the other locals, in the procedure's order; one bit pattern per element.
    pub values: Vec<Vec<u64>>,
    /// The call that made it; `None` for the procedure that started.
    pub call: Option<EdgeId>,
}

/// A state of a run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Configuration {
    /// In the order of [`Program::globals`].
    pub globals: Vec<Vec<u64>>,
    /// Innermost last; never empty.
    pub frames: Vec<Frame>,
    /// Where the innermost frame stands.
    pub location: LocationId,
}

impl Configuration {
    /// Pending calls.
    pub fn depth(&self) -> u32 {
        self.frames.len() as u32 - 1
    }
}

/// The result of executing an edge.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The run goes on here (at the end of the start procedure: it has ended).
    Next(Configuration),
    /// An assumption does not hold.
    Blocked,
    /// This check (an index into [`Edge::checks`]) fails: the run ends in an error.
    Error(usize),
}

/// Why an edge cannot be passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stop {
    /// Its assumption does not hold.
    Blocked,
    /// This check fails.
    Error(usize),
}

/// What a machine knows about a program apart from its expressions: which edges leave a location,
/// and where the value of a variable is stored.
#[derive(Debug)]
pub struct Shape {
    /// Per variable: its index among the globals, or in its frame.
    pub(super) slots: Vec<usize>,
    pub(super) out: Vec<Vec<EdgeId>>,
}

impl Shape {
    /// Indexes the program.
    pub fn of(program: &Program) -> Shape {
        let mut slots = vec![0; program.variables.len()];
        for (slot, id) in program.globals().enumerate() {
            slots[id] = slot;
        }
        for procedure in &program.procedures {
            for (slot, id) in procedure.parameters.iter().chain(&procedure.locals).enumerate() {
                slots[*id] = slot;
            }
        }
        let mut out = vec![Vec::new(); program.locations.len()];
        for id in program.edge_ids() {
            out[program.edge(id).from].push(id);
        }
        Shape { slots, out }
    }

    /// The edges that leave a location, in order.
    pub fn out(&self, location: LocationId) -> &[EdgeId] {
        self.out.get(location.0 as usize).map_or(&[], Vec::as_slice)
    }
}

/// A program made ready for execution.
#[derive(Clone, Debug)]
pub struct Machine<'p> {
    pub(super) program: &'p Program,
    pub(super) shape: Arc<Shape>,
    /// Computed when the first successors are asked for.
    pub(super) open: OnceLock<Vec<bool>>,
}

impl<'p> Machine<'p> {
    /// Indexes the program.
    pub fn new(program: &'p Program) -> Machine<'p> {
        Machine::with_shape(program, Arc::new(Shape::of(program)))
    }

    /// A machine for a program that differs from the indexed program only in expressions.
    pub fn with_shape(program: &'p Program, shape: Arc<Shape>) -> Machine<'p> {
        Machine { program, shape, open: OnceLock::new() }
    }

    /// The part that does not depend on expressions.
    pub fn shape(&self) -> &Arc<Shape> {
        &self.shape
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The configuration at the start. A variable that is not given is zero, or has the initial
    /// value that the program fixes.
    pub fn initial(&self, globals: &Assignment, locals: &Assignment) -> Configuration {
        let main = self.program.main_id();
        let mut configuration = Configuration {
            globals: self.program.globals().map(|id| self.initial_value(id)).collect(),
            frames: vec![self.frame(main, None)],
            location: self.program.procedure(main).entry,
        };
        for (id, values) in globals.iter().chain(locals) {
            self.set(&mut configuration, *id, values);
        }
        configuration
    }

    fn initial_value(&self, id: VariableId) -> Vec<u64> {
        let variable = self.program.variable(id);
        match &variable.initial {
            Initial::Exactly(values) => values.clone(),
            Initial::Any => vec![0; variable.elements() as usize],
        }
    }

    pub(super) fn frame(&self, procedure: ProcedureId, call: Option<EdgeId>) -> Frame {
        let p = self.program.procedure(procedure);
        let values = p
            .parameters
            .iter()
            .chain(&p.locals)
            .map(|id| vec![0; self.program.variable(*id).elements() as usize])
            .collect();
        Frame { procedure, values, call }
    }

    /// The values of the variables that can be seen at this edge.
    pub(super) fn visible(&self, configuration: &Configuration, edge: &Edge) -> Assignment {
        let variables = &self.program.scope(edge.scope).variables;
        variables.iter().map(|id| (*id, self.values(configuration, *id).to_vec())).collect()
    }

    /// The elements of a variable, of the innermost frame if it is not global. (Empty if that frame
    /// is not its procedure's.)
    pub fn values<'c>(&self, configuration: &'c Configuration, id: VariableId) -> &'c [u64] {
        let slot = self.shape.slots[id];
        let found = match self.program.variable(id).owner {
            None => configuration.globals.get(slot),
            Some(owner) => configuration
                .frames
                .last()
                .filter(|f| f.procedure == owner)
                .and_then(|f| f.values.get(slot)),
        };
        found.map_or(&[], Vec::as_slice)
    }

    /// Overwrites a variable, masked to its type; extra elements are ignored, missing ones stay.
    pub(super) fn set(&self, configuration: &mut Configuration, id: VariableId, values: &[u64]) {
        for (index, bits) in values.iter().enumerate() {
            self.set_element(configuration, id, index, *bits);
        }
    }

    fn set_element(
        &self,
        configuration: &mut Configuration,
        id: VariableId,
        index: usize,
        bits: u64,
    ) {
        let variable = self.program.variable(id);
        let slot = self.shape.slots[id];
        let values = match variable.owner {
            None => configuration.globals.get_mut(slot),
            Some(owner) => configuration
                .frames
                .last_mut()
                .filter(|f| f.procedure == owner)
                .and_then(|f| f.values.get_mut(slot)),
        };
        if let Some(element) = values.and_then(|v| v.get_mut(index)) {
            *element = bits & variable.scalar.mask();
        }
    }

    /// Executes an edge that starts where the configuration stands. `choices` are the values of
    /// [`Edge::choices`]; `arbitrary` those of a callee's locals, or of the variables that a havoc
    /// frees (what is left out is zero).
    pub fn execute(
        &self,
        configuration: &Configuration,
        edge: EdgeId,
        choices: &[u64],
        arbitrary: &Assignment,
    ) -> Outcome {
        let mut outcome = self.execute_edge(configuration, edge, choices, arbitrary);
        if let Outcome::Next(next) = &mut outcome {
            while self.return_once(next).is_some() {}
        }
        outcome
    }

    /// As [`Self::execute`], but a procedure that then is at its exit has not returned yet.
    /// [`Self::return_once`] returns from it.
    pub fn execute_edge(
        &self,
        configuration: &Configuration,
        edge: EdgeId,
        choices: &[u64],
        arbitrary: &Assignment,
    ) -> Outcome {
        match self.stops(configuration, edge, choices) {
            Some(Stop::Error(check)) => Outcome::Error(check),
            Some(Stop::Blocked) => Outcome::Blocked,
            None => {
                let mut next = configuration.clone();
                self.apply(&mut next, edge, choices, arbitrary);
                Outcome::Next(next)
            }
        }
    }

    /// The check that fails, or the assumption that does not hold, if any. The edge starts where
    /// the configuration stands.
    pub fn stops(
        &self,
        configuration: &Configuration,
        edge: EdgeId,
        choices: &[u64],
    ) -> Option<Stop> {
        let Edge { checks, operation, .. } = self.program.edge(edge);
        let failed = checks
            .iter()
            .position(|check| self.evaluate(configuration, &check.condition, choices) == 0);
        match (failed, operation) {
            (Some(check), _) => Some(Stop::Error(check)),
            (None, Operation::Assume(condition)) => {
                (self.evaluate(configuration, condition, choices) == 0).then_some(Stop::Blocked)
            }
            (None, _) => None,
        }
    }

    /// As [`Self::execute_edge`] of an edge that nothing stops, in place: the configuration becomes
    /// the next one.
    pub fn pass_edge(
        &self,
        configuration: &mut Configuration,
        edge: EdgeId,
        choices: &[u64],
        arbitrary: &Assignment,
    ) {
        self.apply(configuration, edge, choices, arbitrary);
    }

    /// As [`Self::execute`] of an edge that nothing stops, in place: the configuration becomes the
    /// next one.
    pub fn pass(
        &self,
        configuration: &mut Configuration,
        edge: EdgeId,
        choices: &[u64],
        arbitrary: &Assignment,
    ) {
        self.apply(configuration, edge, choices, arbitrary);
        while self.return_once(configuration).is_some() {}
    }

    /// The effect of an edge that nothing stops.
    fn apply(
        &self,
        configuration: &mut Configuration,
        edge: EdgeId,
        choices: &[u64],
        arbitrary: &Assignment,
    ) {
        let Edge { operation, to, .. } = self.program.edge(edge);
        match operation {
            Operation::Skip | Operation::Assume(_) => {}
            Operation::Assign(pairs) => {
                let write =
                    |configuration: &Configuration,
                     (place, value): &(Place, crate::lang::model::Expression)| {
                        let index = match place {
                            Place::Variable(_) => Some(0),
                            Place::Element(_, index) => usize::try_from(
                                index.scalar().number(self.evaluate(configuration, index, choices)),
                            )
                            .ok(),
                        };
                        (place.variable(), index, self.evaluate(configuration, value, choices))
                    };
                let set =
                    |configuration: &mut Configuration,
                     (id, index, bits): (VariableId, Option<usize>, u64)| {
                        if let Some(index) = index {
                            self.set_element(configuration, id, index, bits);
                        }
                    };
                if let [pair] = &pairs[..] {
                    let written = write(configuration, pair);
                    set(configuration, written);
                } else {
                    let writes: Vec<_> =
                        pairs.iter().map(|pair| write(configuration, pair)).collect();
                    writes.into_iter().for_each(|written| set(configuration, written));
                }
            }
            Operation::Havoc(list) => {
                for id in list {
                    let zero = vec![0; self.program.variable(*id).elements() as usize];
                    let values =
                        arbitrary.iter().find(|(v, _)| v == id).map_or(&zero, |(_, values)| values);
                    self.set(configuration, *id, values);
                }
            }
            Operation::Call { callee, arguments, .. } => {
                let values: Vec<u64> =
                    arguments.iter().map(|a| self.evaluate(configuration, a, choices)).collect();
                let procedure = self.program.procedure(*callee);
                configuration.frames.push(self.frame(*callee, Some(edge)));
                for (id, values) in arbitrary {
                    if self.program.variable(*id).kind != VariableKind::Global {
                        self.set(configuration, *id, values);
                    }
                }
                for (id, bits) in procedure.parameters.iter().zip(values) {
                    self.set_element(configuration, *id, 0, bits);
                }
                configuration.location = procedure.entry;
                return;
            }
        }
        configuration.location = *to;
    }

    /// Is the innermost procedure at its exit, and not the one that started?
    pub fn is_to_return(&self, configuration: &Configuration) -> bool {
        let innermost = configuration.frames.last().filter(|frame| frame.call.is_some());
        innermost.is_some_and(|frame| {
            configuration.location == self.program.procedure(frame.procedure).exit
        })
    }

    /// Returns from the innermost procedure if it has reached its exit and is not the one that
    /// started. Gives the call that made it.
    pub fn return_once(&self, configuration: &mut Configuration) -> Option<EdgeId> {
        let [.., Frame { procedure, call: Some(call), .. }] = configuration.frames[..] else {
            return None;
        };
        let procedure = self.program.procedure(procedure);
        if configuration.location != procedure.exit {
            return None;
        }
        let value = procedure.result.and_then(|id| self.values(configuration, id).first().copied());
        configuration.frames.pop();
        let edge = self.program.edge(call);
        if let (Operation::Call { result: Some(into), .. }, Some(bits)) = (&edge.operation, value) {
            self.set_element(configuration, *into, 0, bits);
        }
        configuration.location = edge.to;
        Some(call)
    }

    /// Has the start procedure come to its end?
    pub fn has_ended(&self, configuration: &Configuration) -> bool {
        configuration.frames.len() == 1
            && configuration.location == self.program.procedure(self.program.main_id()).exit
    }
}
