//! Rounds that follow variables instead of predicates: localization reduction (Kurshan, *Computer-
//! Aided Verification of Coordinating Processes*, 1994), which Beyer and Löwe (*Explicit-state
//! software model checking based on CEGAR and interpolation*, 2013) call precision refinement by
//! interpolation.
//!
//! Predicates at points prove what depends on a few facts. Where a program keeps its state in many
//! variables, every round of predicates teaches the abstraction one more combination of values.
//! From then on the loop follows whole variables: a round saturates the program in which only the
//! followed variables have values ([`localized`]). If it fails, the interpreter tries the failing
//! run in the program itself ([`executed`](mod@executed)). If it cannot execute it, the trace
//! becomes a DAG ([`trace_dag`](mod@trace_dag)) on which everything that the loop does to DAGs is
//! done: interpolants say whether the trace is spurious, they are proved apart, and a real trace
//! becomes a run. What they mention is followed from then on.
//!
//! This ends: each spurious trace adds a variable, and with all variables the localized program is
//! the program.

mod choosing;
mod domain_types;
mod executed;
mod localized;
mod trace_dag;

pub(in crate::analysis) use choosing::{mentioned, read_along};
pub(super) use domain_types::only_compared;
pub(super) use executed::executed;
pub(in crate::analysis) use trace_dag::{returning, trace_dag};

use crate::analysis::counterexample::{Counterexample, Walk};
use crate::analysis::early::{EarlySearch, Turn};
use crate::analysis::invariant::Invariant;
use crate::analysis::invariant::check::{Errors, Obligation, holds, obligations};
use crate::analysis::reach::Reach;
use crate::bdd::{KernelLimits, Roots, roots_of};
use crate::cfg::{changed_variables, ranges};
use crate::encode::{Cell, Layout};
use crate::lang::model::{LocationId, Program, VariableId};
use crate::util::{Alarm, Bounded};
use localized::Localized;
use std::rc::Rc;

/// A variable that is at least so many bits shorter by its range is stored with fewer bits.
const LEAST_SAVED: u8 = 8;

/// The variables that the loop follows.
#[derive(Clone, Debug)]
pub(super) struct Followed {
    /// By variable.
    is_followed: Vec<bool>,
}

impl Followed {
    /// None of the program's variables.
    pub(super) fn none_of(program: &Program) -> Followed {
        Followed { is_followed: vec![false; program.variables.len()] }
    }

    /// Adds variables; returns those that are new, in order.
    pub(super) fn add(
        &mut self,
        variables: impl IntoIterator<Item = VariableId>,
    ) -> Vec<VariableId> {
        let mut new: Vec<VariableId> = variables
            .into_iter()
            .filter(|variable| !std::mem::replace(&mut self.is_followed[*variable], true))
            .collect();
        new.sort();
        new
    }

    /// How many.
    pub(super) fn count(&self) -> usize {
        self.is_followed.iter().filter(|followed| **followed).count()
    }

    /// All of the program's variables?
    pub(super) fn is_all(&self) -> bool {
        self.is_followed.iter().all(|followed| *followed)
    }
}

/// What became of a step.
pub(super) enum Found {
    /// There is more to do.
    NotYet,
    /// A failing run of the localized program.
    Run(Box<Counterexample>),
    /// The localized program is safe; the proof of its invariant begins.
    Safe,
    /// An obligation of the invariant does not hold of the program.
    Broken(Obligation),
    /// The invariant is proved.
    Proved,
}

/// The search of one round through the localized program.
pub(super) struct Following {
    source: Rc<Program>,
    reach: Reach,
    errors: Errors,
    transitions_seen: usize,
    state: State,
}

enum State {
    /// post\*, beside the search for a short failing run.
    Forward(EarlySearch),
    /// A failing run is read off it.
    Witness(Walk),
    /// The invariant's obligations are proved of the program.
    Prove { invariant: Invariant, obligations: std::vec::IntoIter<Obligation> },
}

impl Following {
    /// Prepares the search. Only errors on `error_line` count, if given.
    pub(super) fn new(
        program: &Program,
        followed: &Followed,
        error_line: Option<u32>,
        limits: KernelLimits,
        alarm: Option<Alarm>,
    ) -> Bounded<Following> {
        let localized = Localized::new(program, &followed.is_followed);
        Following::of(localized, error_line, limits, alarm)
    }

    fn of(
        localized: Localized,
        error_line: Option<u32>,
        limits: KernelLimits,
        alarm: Option<Alarm>,
    ) -> Bounded<Following> {
        let Localized { source, program, ordering } = localized;
        // By the ranges of the program itself: its runs stay inside, and the invariant is proved of
        // it in this layout.
        let layout = Layout::narrowed(&ordering, &ranges(&source), LEAST_SAVED);
        let mut reach = Reach::with_layout(program, error_line, layout, limits)?;
        reach.domain.kernel.set_alarm(alarm);
        let errors = error_line.map_or(Errors::All, Errors::Line);
        let state = State::Forward(EarlySearch::default());
        Ok(Following { source, reach, errors, transitions_seen: 0, state })
    }

    /// For tests: collects garbage after every step.
    pub(super) fn collect_every_step(&mut self) {
        self.reach.domain.kernel.collect_after_every_step(true);
    }

    pub(super) fn set_alarm(&mut self, alarm: Option<Alarm>) {
        self.reach.domain.kernel.set_alarm(alarm);
    }

    /// The kernel that the localized program is saturated in.
    pub(super) fn kernel(&self) -> &crate::bdd::Manager {
        &self.reach.domain.kernel
    }

    /// Is only the proof left?
    pub(super) fn is_proving(&self) -> bool {
        matches!(self.state, State::Prove { .. })
    }

    /// Does one bounded piece of work.
    pub(super) fn step(&mut self) -> Bounded<Found> {
        let found = self.advance();
        if self.reach.domain.kernel.is_collection_due() {
            let roots = roots_of(&[&self.reach, &self.state]);
            self.reach.domain.kernel.collect(&roots);
        }
        found
    }

    fn advance(&mut self) -> Bounded<Found> {
        match &mut self.state {
            State::Forward(early) => match early.step(&mut self.reach)? {
                Turn::Poststar => self.forward(),
                Turn::Searched => Ok(Found::NotYet),
                Turn::Found(counterexample, _) => Ok(Found::Run(counterexample)),
            },
            State::Witness(walk) => Ok(match walk.step(&mut self.reach)? {
                None => Found::NotYet,
                Some(counterexample) => Found::Run(Box::new(counterexample)),
            }),
            State::Prove { invariant, obligations } => {
                let Some(obligation) = obligations.next() else { return Ok(Found::Proved) };
                let domain = &mut self.reach.domain;
                let kernel = &mut domain.kernel;
                let holds = holds(&self.source, &domain.layout, kernel, invariant, obligation)?;
                Ok(if holds { Found::NotYet } else { Found::Broken(obligation) })
            }
        }
    }

    fn forward(&mut self) -> Bounded<Found> {
        self.reach.step()?;
        if self.reach.saw_error(&mut self.transitions_seen)
            && let Some(walk) = Walk::new(&mut self.reach)?
        {
            self.state = State::Witness(walk);
            return Ok(Found::NotYet);
        }
        if !self.reach.is_done() {
            return Ok(Found::NotYet);
        }
        let invariant = self.invariant()?;
        let obligations = obligations(&self.source, self.errors).into_iter();
        self.state = State::Prove { invariant, obligations };
        Ok(Found::Safe)
    }

    /// The invariant of the localized program, as one of the program: the program may change more
    /// cells, of which the relations say nothing.
    fn invariant(&mut self) -> Bounded<Invariant> {
        let found = Invariant::of(&mut self.reach)?;
        let locations = (0..self.source.locations.len() as u32).map(LocationId);
        let at = locations.map(|location| found.at(location)).collect();
        let layout = &self.reach.domain.layout;
        let changes = changed_variables(&self.source);
        let tracked = self.source.procedures.iter().zip(&changes).map(|(procedure, changed)| {
            let globals = self.source.globals();
            let candidates = globals.chain(procedure.parameters.iter().copied());
            let tracked = candidates.filter(|variable| changed.contains(variable));
            tracked.flat_map(|variable| layout.cells(variable)).collect::<Vec<Cell>>()
        });
        Ok(Invariant::new(at, tracked.collect()))
    }
}

impl Roots for State {
    fn roots(&self, roots: &mut Vec<crate::bdd::Bdd>) {
        match self {
            State::Forward(early) => early.roots(roots),
            State::Witness(walk) => walk.roots(roots),
            State::Prove { invariant, .. } => invariant.roots(roots),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::model::Operation;
    use crate::wire::options::RequestedOptions;

    /// `flag` decides, `other` is of no matter.
    const SOURCE: &str = "int flag = 0; int other;
        void raise() { flag = 1; }
        void main() {
            other = other + 1;
            raise();
            if (flag == 1) { flag = 2; }
            assert(flag == 2);
        }";

    fn program() -> Program {
        crate::lang::load(SOURCE, &RequestedOptions::default()).program.expect("a program")
    }

    /// The localization to `flag`.
    fn localized(program: &Program) -> Localized {
        let followed: Vec<bool> =
            program.variables.iter().map(|variable| variable.name == "flag").collect();
        Localized::new(program, &followed)
    }

    fn run(localized: Localized) -> Found {
        let limits = KernelLimits { max_nodes: 1_000_000, max_steps: 10_000_000 };
        let mut following = Following::of(localized, None, limits, None).expect("no limit");
        loop {
            match following.step().expect("no limit") {
                Found::NotYet | Found::Safe => {}
                found => return found,
            }
        }
    }

    /// The edge that assigns this number to `flag`.
    fn assigning(program: &Program, number: u64) -> usize {
        let assigns = |operation: &Operation| {
            matches!(operation, Operation::Assign(list) if list.iter().any(|(_, value)| {
                matches!(value, crate::lang::model::Expression::Constant(bits, _) if *bits == number)
            }))
        };
        let found = program.edges.iter().position(|edge| assigns(&edge.operation));
        found.expect("it is in the text")
    }

    #[test]
    fn what_is_not_followed_is_left_out_and_the_proof_is_of_the_program() {
        let program = program();
        let localized = localized(&program);
        let read_other = |program: &Program| {
            let mut read = std::collections::BTreeSet::new();
            program.edges.iter().for_each(|edge| crate::cfg::read_by(&edge.operation, &mut read));
            read.into_iter().any(|variable| program.variable(variable).name == "other")
        };
        assert!(read_other(&program) && !read_other(&localized.program));
        assert!(matches!(run(localized), Found::Proved));
    }

    /// A localization that forgets an assignment to a followed variable has fewer runs than the
    /// program: the check of its invariant finds that.
    #[test]
    fn a_localization_with_too_few_runs_is_caught() {
        let program = program();
        let mut damaged = localized(&program);
        // The end of main is never reached then, and flag stays 0 where the program has 1.
        let raise = assigning(&program, 1);
        let edges = &mut Rc::make_mut(&mut damaged.program).edges;
        edges[raise].operation = Operation::Assume(crate::lang::model::Expression::falsity());
        assert!(matches!(run(damaged), Found::Broken(_)));
    }

    /// One that writes another value has runs that the program does not have: the interpreter does
    /// not execute them.
    #[test]
    fn a_run_that_the_program_does_not_have_is_caught() {
        let program = program();
        let mut damaged = localized(&program);
        let mend = assigning(&program, 2);
        Rc::make_mut(&mut damaged.program).edges[mend].operation = Operation::Skip;
        let Found::Run(found) = run(damaged) else { panic!("its check fails") };
        assert!(executed(&program, &found).is_none());
        // What the program does have is executed, whatever the unfollowed variables are.
        let failing = SOURCE.replace("flag == 2);", "flag == 1);");
        let failing = crate::lang::load(&failing, &RequestedOptions::default()).program.unwrap();
        let Found::Run(found) = run(localized(&failing)) else { panic!("it fails") };
        let run = executed(&failing, &found).expect("it is real");
        assert!(crate::analysis::replay::replay(&failing, &run).is_ok());
    }
}
