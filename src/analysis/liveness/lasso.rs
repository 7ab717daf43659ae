//! Lassos: a run of the program, and a cycle that it goes round for ever. Shown only after the
//! interpreter has executed the prefix and twice the cycle, with the same store on top after each
//! round, and after the formula, evaluated on the letters of these states by its definition, is
//! false (see [`super::word`]). Neither the automaton nor a diagram takes part in that.

use super::atoms::Standing;
use super::fairness::{choices, is_fair};
use super::parser::Reading;
use super::places::{ends_run, states};
use super::probe::compared;
use super::product::{Meaning, Product};
use super::word::LassoWord;
use crate::lang::interpreter::{
    Assignment, ConcreteRun, ConcreteStep, Configuration, Machine, Outcome, Stop,
};
use crate::lang::model::{EdgeId, Initial, LocationId, Program, VariableId};

/// What comes at the end of the prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The cycle.
    Cycle,
    /// The end of the start procedure.
    End,
    /// This statement, which fails.
    Failure(EdgeId),
    /// This statement, which ends the program.
    Exit(EdgeId),
}

/// A call that is added in each round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pending {
    /// The call.
    pub call: EdgeId,
}

/// A state of a lasso.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LassoState {
    /// Where the run stands.
    pub standing: Standing,
    /// How many steps of the prefix, or of prefix and cycle, come before it.
    pub before: usize,
    /// The value of each atom.
    pub letter: Vec<bool>,
}

/// A run that violates a formula for ever.
#[derive(Clone, Debug)]
pub struct Lasso {
    /// From the start; with the values that it picks. The last step may be one that fails or exits.
    pub run: ConcreteRun,
    /// So many of its steps are the prefix; the others are one round of the cycle.
    pub prefix: usize,
    /// What comes behind the prefix.
    pub ending: Ending,
    /// What one round leaves on the stack.
    pub grows: Vec<Pending>,
    /// The states, up to the end of the first round.
    pub states: Vec<LassoState>,
    /// The state at which the cycle begins.
    pub from: usize,
    /// By subformula (see [`super::formula::Formula::subformulas`]): its value in each state.
    pub table: Vec<Vec<bool>>,
}

/// An execution of steps, with the states that it comes to.
struct Execution<'p> {
    program: &'p Program,
    machine: Machine<'p>,
    reading: &'p Reading,
    is_state: Vec<bool>,
    at: Configuration,
    states: Vec<LassoState>,
    steps: usize,
    least_depth: u32,
    ending: Ending,
}

impl Execution<'_> {
    fn visit(&mut self) {
        if !self.is_state[self.at.location.0 as usize] {
            return;
        }
        let standing = Standing { location: self.at.location, fails: false };
        let letter = self.letter(standing);
        self.states.push(LassoState { standing, before: self.steps, letter });
    }

    fn letter(&self, standing: Standing) -> Vec<bool> {
        let of = |atom: &super::atoms::Atom| {
            self.machine.evaluate(&self.at, &atom.expression(self.program, standing), &[]) != 0
        };
        self.reading.atoms.iter().map(of).collect()
    }

    /// Executes one step; says why it cannot.
    fn step(&mut self, step: &ConcreteStep) -> Result<(), String> {
        let edge = self.program.edge(step.edge);
        if edge.from != self.at.location {
            return Err(format!("line {} does not come next", edge.span.line));
        }
        let none = Vec::new();
        let locals = step.locals.as_ref().unwrap_or(&none);
        match self.machine.execute_edge(&self.at, step.edge, &step.choices, locals) {
            Outcome::Next(next) => self.at = next,
            Outcome::Blocked => return Err(format!("line {} is blocked", edge.span.line)),
            Outcome::Error(_) => return Err(format!("line {} fails", edge.span.line)),
        }
        self.steps += 1;
        self.visit();
        while self.machine.is_to_return(&self.at) {
            self.machine.return_once(&mut self.at);
            self.least_depth = self.least_depth.min(self.at.depth());
            self.visit();
        }
        Ok(())
    }

    /// The last state is one where the run ends.
    fn end(&mut self, step: &ConcreteStep, fails: bool) -> Result<(), String> {
        let edge = self.program.edge(step.edge);
        let stop = self.machine.stops(&self.at, step.edge, &step.choices);
        let is_right = match stop {
            Some(Stop::Error(_)) => fails,
            Some(Stop::Blocked) => !fails && ends_run(edge),
            None => false,
        };
        if !is_right || edge.from != self.at.location {
            return Err(format!("line {} does not end the run", edge.span.line));
        }
        let standing = Standing { location: self.at.location, fails };
        let letter = self.letter(standing);
        match self.states.last_mut() {
            Some(last) if last.standing.location == standing.location => {
                last.standing = standing;
                last.letter = letter;
            }
            _ => return Err("a run ends in no state".to_string()),
        }
        self.ending = if fails { Ending::Failure(step.edge) } else { Ending::Exit(step.edge) };
        Ok(())
    }
}

/// The steps of a product's run that the program executes, and the step that ends it, if one does.
fn steps_of(
    program: &Program,
    product: &Product,
    run: &ConcreteRun,
) -> (Vec<ConcreteStep>, Option<(ConcreteStep, bool)>) {
    let mut steps = Vec::new();
    let mut last = None;
    let own = |values: &Assignment| -> Assignment {
        let is_own = |(id, _): &&(VariableId, Vec<u64>)| (id.0 as usize) < program.variables.len();
        values.iter().filter(is_own).cloned().collect()
    };
    for step in &run.steps {
        let with = |edge: EdgeId| ConcreteStep {
            edge,
            choices: step.choices.clone(),
            locals: step.locals.as_ref().map(own),
        };
        match product.meanings.get(step.edge.0 as usize) {
            Some(Meaning::Executes(edge)) => steps.push(with(*edge)),
            Some(Meaning::Fails(edge)) => last = Some((with(*edge), true)),
            Some(Meaning::Exits(edge)) => last = Some((with(*edge), false)),
            Some(Meaning::Nothing) | None => {}
        }
    }
    (steps, last)
}

/// How a run is to violate a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Violation {
    /// By not ending; else by the formula.
    pub is_endless: bool,
    /// While no choice is for ever the same (see [`super::fairness`]).
    pub is_fair: bool,
}

/// The lasso of two runs of probes (see [`super::probe`]). An error says how the interpreter, or
/// the formula itself, contradicts the engine.
pub fn lasso(
    program: &Program,
    product: &Product,
    reading: &Reading,
    location: LocationId,
    prefix: &ConcreteRun,
    cycle: &ConcreteRun,
    violation: Violation,
) -> Result<Lasso, String> {
    let (to_head, ends) = steps_of(program, product, prefix);
    let (round, again) = steps_of(program, product, cycle);
    if again.is_some() {
        return Err("a run ends within its cycle".to_string());
    }
    if violation.is_fair && !is_fair(&choices(program), round.iter().map(|step| step.edge)) {
        return Err("a choice is for ever the same on a run that is said to be fair".to_string());
    }
    let own = |values: &Assignment| -> Assignment {
        let is_own = |(id, _): &&(VariableId, Vec<u64>)| (id.0 as usize) < program.variables.len();
        values.iter().filter(is_own).cloned().collect()
    };
    let (globals, locals) = (own(&prefix.initial_globals), own(&prefix.initial_locals));
    for (id, values) in &globals {
        if matches!(&program.variable(*id).initial, Initial::Exactly(fixed) if fixed != values) {
            return Err(format!("`{}` cannot start like this", program.variable(*id).name));
        }
    }
    let machine = Machine::new(program);
    let at = machine.initial(&globals, &locals);
    let mut execution = Execution {
        program,
        machine,
        reading,
        is_state: states(program),
        at,
        states: Vec::new(),
        steps: 0,
        least_depth: 0,
        ending: Ending::Cycle,
    };
    execution.visit();
    for step in &to_head {
        execution.step(step)?;
    }
    if let Some((step, fails)) = &ends {
        execution.end(step, *fails)?;
        if !round.is_empty() {
            return Err("a run goes on after its end".to_string());
        }
    } else if round.is_empty() {
        if !execution.machine.has_ended(&execution.at) {
            return Err("a run stops before its end".to_string());
        }
        execution.ending = Ending::End;
    }
    let before = execution.at.clone();
    let is_state = execution.is_state[before.location.0 as usize];
    let from = execution.states.len() - usize::from(is_state && !execution.states.is_empty());
    // A run that has ended is not executed further.
    let matters = if round.is_empty() { Vec::new() } else { compared(product, location) };
    let same = |execution: &Execution<'_>, other: &Configuration| {
        let values = |configuration: &Configuration| -> Vec<Vec<u64>> {
            let own = matters.iter().filter(|id| (id.0 as usize) < program.variables.len());
            own.map(|id| execution.machine.values(configuration, *id).to_vec()).collect()
        };
        execution.at.location == other.location && values(&execution.at) == values(other)
    };
    // Once round, and once more.
    let mut states = Vec::new();
    let mut grows = Vec::new();
    for turn in 0..2 {
        let begun = execution.at.clone();
        execution.least_depth = begun.depth();
        for step in &round {
            execution.step(step)?;
        }
        if execution.least_depth < begun.depth() {
            return Err("a cycle returns to below its beginning".to_string());
        }
        if !same(&execution, &before) {
            return Err("the store on top differs after a round".to_string());
        }
        let new: Vec<Pending> = execution.at.frames[begun.frames.len()..]
            .iter()
            .filter_map(|frame| frame.call.map(|call| Pending { call }))
            .collect();
        if turn == 0 {
            states = execution.states.clone();
            grows = new;
        } else if grows != new {
            return Err("the rounds of a cycle leave different calls".to_string());
        }
    }
    if !round.is_empty() && is_state {
        states.pop();
    }
    if from >= states.len() {
        return Err("a cycle passes no state".to_string());
    }
    let word =
        LassoWord { letters: states.iter().map(|state| state.letter.clone()).collect(), from };
    let goes_on = violation.is_endless && !round.is_empty();
    if !goes_on && word.holds(&reading.formula)[0] {
        return Err("the formula holds on the run that is to violate it".to_string());
    }
    if violation.is_endless && round.is_empty() {
        return Err("a run that ends is said not to".to_string());
    }
    let table = reading.formula.subformulas().into_iter().map(|sub| word.holds(sub)).collect();
    let mut steps = to_head;
    let prefix_length = steps.len();
    steps.extend(round);
    Ok(Lasso {
        run: ConcreteRun { initial_globals: globals, initial_locals: locals, steps },
        prefix: prefix_length,
        ending: execution.ending,
        grows,
        states,
        from,
        table,
    })
}
