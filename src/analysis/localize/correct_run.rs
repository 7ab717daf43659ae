//! The correct run that a failing one is compared with: a close one, searched by the interpreter,
//! then the closest, searched in a kernel of its own. Both are executed again.

use super::closest::ClosestRun;
use super::closest::alignment_program::AlignmentProgram;
use super::closest::closeness::{Closeness, FailingRun};
use super::closest::discrepancy_search::{CloseRun, DiscrepancySearch};
use super::closest::replay::replay_correct;
use super::correct_end_program::END_LINE;
use super::supergraph::SuperEdge;
use super::trace::{Transition, transitions_of_prefix};
use crate::analysis::budgets::Budgets;
use crate::analysis::reach::Reach;
use crate::analysis::replay::ReplayedEntry;
use crate::analysis::shortest_run::{Shortest, ShortestRun};
use crate::bdd::{Roots, roots_of};
use crate::lang::interpreter::ConcreteRun;
use crate::lang::model::{EdgeId, Program};
use crate::util::{Alarm, Bounded, Limit};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A correct run, as the interpreter executed it.
#[derive(Clone, Debug)]
pub struct CorrectRun {
    /// In order.
    pub entries: Vec<ReplayedEntry>,
    /// What is needed to execute the run again.
    pub run: ConcreteRun,
    /// Does the run end before its last entry, whose check holds? Otherwise it ends the program.
    pub passes_check: bool,
    /// How many statements from the start on it executes as the failing run does, in the same
    /// states; `None` if it starts in another one.
    pub shared: Option<usize>,
    /// Is it certain that no correct run is closer? If not, the limit that ended the search for a
    /// closer one.
    pub closest: Bounded<()>,
}

impl CorrectRun {
    /// Executes a claimed correct run; `end` is the statement and its check that it passes, `None`
    /// if it ends the program. `None` if it is no such run.
    fn new(
        program: &Program,
        found: ClosestRun,
        end: Option<(EdgeId, usize)>,
        closest: Bounded<()>,
    ) -> Option<CorrectRun> {
        let seen = replay_correct(program, &found, end)?;
        let entries = seen
            .into_iter()
            .map(|(edge, depth, values)| ReplayedEntry { edge, depth, values })
            .collect();
        Some(CorrectRun {
            entries,
            run: found.run,
            passes_check: end.is_some(),
            shared: found.shared,
            closest,
        })
    }
}

/// A search by the interpreter alone, in progress.
pub struct CloseRunSearch {
    /// The program with halts.
    halted: Rc<Program>,
    failing: Rc<FailingRun>,
    search: DiscrepancySearch,
}

impl CloseRunSearch {
    /// Sets up the search in the program with halts, for a failing run that violates the `check`-th
    /// check of its last statement; at most so many statements are executed. `None` if that is no
    /// run.
    pub fn new(
        halted: Rc<Program>,
        failing: &ConcreteRun,
        check: usize,
        most: u64,
    ) -> Option<CloseRunSearch> {
        let failing = Rc::new(FailingRun::new(&halted, failing, check)?);
        let search = DiscrepancySearch::new(&halted, Rc::clone(&failing), most);
        Some(CloseRunSearch { halted, failing, search })
    }

    /// Does one bounded piece of work, and returns whether the search is over.
    pub fn step(&mut self) -> bool {
        self.search.step(&self.halted)
    }

    /// The failing run, and how close the run is that was found.
    pub fn failing(&self) -> (Rc<FailingRun>, Option<Closeness>) {
        (Rc::clone(&self.failing), self.search.found().map(|found| found.closeness))
    }

    /// What was found, executed in the program without halts. `first_wrong`: the first statement of
    /// the failing run that no correct run executes in its states.
    pub fn found(&self, program: &Program, first_wrong: Option<usize>) -> Found {
        let Some(CloseRun { run, closeness }) = self.search.found() else { return Found::None };
        let closest = if self.search.is_closest(&self.halted, first_wrong) {
            Ok(())
        } else {
            Err(Limit::Steps)
        };
        let found = ClosestRun { run: run.clone(), shared: closeness.shared };
        CorrectRun::new(program, found, self.failing.end(), closest)
            .map_or(Found::Fault, |run| Found::Run(Box::new(run)))
    }
}

/// A search in progress, in a kernel of its own.
pub struct ClosestRunSearch {
    question: AlignmentProgram,
    reach: Reach,
    search: ShortestRun,
    /// The statement and its check that correct runs pass; `None` if they end the program.
    end: Option<(EdgeId, usize)>,
}

/// The result of a search.
pub enum Found {
    /// This run, executed by the interpreter.
    Run(Box<CorrectRun>),
    /// No run is correct (or as close as was asked for).
    None,
    /// The interpreter contradicts the engine.
    Fault,
}

impl ClosestRunSearch {
    /// Sets up the search in the program with halts. Only runs that are closer than this count, if
    /// it is given.
    pub fn new(
        program: &Program,
        failing: Rc<FailingRun>,
        than: Option<Closeness>,
        budgets: Budgets,
        alarm: Option<Alarm>,
    ) -> Bounded<ClosestRunSearch> {
        let end = failing.end();
        let below = than.map(|than| failing.cost(&than));
        let question = AlignmentProgram::new(program, failing, than.and_then(|than| than.shared))?;
        let program = Rc::clone(&question.program);
        let mut reach = budgets.reach(program, Some(END_LINE), alarm)?;
        let search = ShortestRun::with_costs(
            &mut reach,
            &question.costs,
            below.map(|below| below.saturating_sub(1)),
        )?;
        Ok(ClosestRunSearch { question, reach, search, end })
    }

    /// One bounded piece of work; `program` is the one without halts, on which what is found is
    /// replayed.
    pub fn step(&mut self, program: &Program) -> Bounded<Option<Found>> {
        let answer = self.search.step(&mut self.reach)?;
        let found = match answer {
            None => {
                collect_if_due(&mut self.reach, &self.search);
                return Ok(None);
            }
            Some(Shortest::None) => return Ok(Some(Found::None)),
            Some(Shortest::Run(found)) => self.question.read(&found),
        };
        let found = CorrectRun::new(program, found, self.end, Ok(()));
        Ok(Some(found.map_or(Found::Fault, |run| Found::Run(Box::new(run)))))
    }

    /// Kernel steps so far.
    pub fn steps(&self) -> u64 {
        self.reach.domain.kernel.steps()
    }
}

/// Collects garbage if it is due; `others`: what else holds diagrams of the same kernel.
pub fn collect_if_due(reach: &mut Reach, others: &dyn Roots) {
    if reach.domain.kernel.is_collection_due() {
        let roots = roots_of(&[reach, others]);
        reach.domain.kernel.collect(&roots);
    }
}

/// By transition of a failing run: does this correct run pass its edge, and does it take the
/// transition? Returns `None` if the correct run is no run of the program.
pub(super) fn passes(
    program: &Program,
    correct: &CorrectRun,
    transitions: &[Transition],
) -> Option<Vec<(bool, bool)>> {
    let statements = correct.run.steps.len().saturating_sub(usize::from(correct.passes_check));
    let on_correct = transitions_of_prefix(program, &correct.run, statements)?;
    let mut by_edge: BTreeMap<SuperEdge, Vec<&Transition>> = BTreeMap::new();
    for transition in &on_correct {
        by_edge.entry(transition.edge).or_default().push(transition);
    }
    let passed = |transition: &Transition| {
        let same = by_edge.get(&transition.edge);
        (same.is_some(), same.is_some_and(|same| same.contains(&transition)))
    };
    Some(transitions.iter().map(passed).collect())
}
