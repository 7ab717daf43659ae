//! The search for the correct run closest to a failing one, in small steps, and its replay.

use super::{Budgets, ReplayedEntry};
use crate::analysis::localize::closest::{Closest, END_LINE, closest, replay_correct};
use crate::analysis::reach::Reach;
use crate::analysis::shortest_run::{Shortest, ShortestRun};
use crate::bdd::{Bdd, KernelLimits};
use crate::lang::interpreter::ConcreteRun;
use crate::lang::model::{EdgeId, Program};
use crate::util::Bounded;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Nodes above which garbage is collected.
const COLLECT_ABOVE: u64 = 1 << 19;

/// A correct run, as the interpreter executed it.
#[derive(Clone, Debug)]
pub struct CorrectRun {
    /// In order.
    pub entries: Vec<ReplayedEntry>,
    /// What was executed: enough to execute it again.
    pub run: ConcreteRun,
    /// Does it end before its last entry, whose check holds? Else it ends the program.
    pub passes_check: bool,
}

/// A search in progress, in a kernel of its own.
pub(super) struct ClosestSearch {
    question: Closest,
    reach: Reach,
    search: ShortestRun,
    /// The statement and its check that correct runs pass; `None` if they end the program.
    end: Option<(EdgeId, usize)>,
    collect_above: u64,
    always_collect: bool,
}

/// What a search came to.
pub(super) enum Found {
    /// This run, executed by the interpreter.
    Run(Box<CorrectRun>),
    /// No run is correct.
    None,
    /// The interpreter contradicts the engine.
    Fault,
}

impl ClosestSearch {
    /// Sets up the search in the program with halts, for a failing run that violates the `check`-th check of its last statement. `None` if that is no run.
    pub(super) fn new(
        program: &Program,
        failing: &ConcreteRun,
        check: usize,
        budgets: Budgets,
        alarm: Option<Arc<AtomicBool>>,
    ) -> Bounded<Option<ClosestSearch>> {
        let Some(question) = closest(program, failing, check)? else { return Ok(None) };
        let limits = KernelLimits { max_nodes: budgets.max_nodes, max_steps: budgets.max_steps };
        let mut reach = Reach::new(Rc::new(question.program.clone()), Some(END_LINE), limits)?;
        reach.domain.kernel.set_alarm(alarm);
        reach.domain.kernel.poison(budgets.collect_every_step);
        let search = ShortestRun::with_costs(&mut reach, &question.costs)?;
        let end = failing.steps.last().filter(|_| !question.ends_with_program).map(|last| (last.edge, check));
        let collect_above = (budgets.max_nodes / 2).min(COLLECT_ABOVE);
        Ok(Some(ClosestSearch { question, reach, search, end, collect_above, always_collect: budgets.collect_every_step }))
    }

    /// One bounded piece of work; `program` is the one without halts, on which what is found is replayed.
    pub(super) fn step(&mut self, program: &Program) -> Bounded<Option<Found>> {
        let answer = self.search.step(&mut self.reach)?;
        let found = match answer {
            None => {
                self.collect();
                return Ok(None);
            }
            Some(Shortest::None) => return Ok(Some(Found::None)),
            Some(Shortest::Run(found)) => self.question.read(&found),
        };
        let Some(seen) = replay_correct(program, &found, self.end) else { return Ok(Some(Found::Fault)) };
        let entries = seen.into_iter().map(|(edge, depth, values)| ReplayedEntry { edge, depth, values }).collect();
        Ok(Some(Found::Run(Box::new(CorrectRun { entries, run: found.run, passes_check: self.end.is_some() }))))
    }

    /// Kernel steps so far.
    pub(super) fn steps(&self) -> u64 {
        self.reach.domain.kernel.steps()
    }

    fn collect(&mut self) {
        if !self.always_collect && self.reach.domain.kernel.live_nodes() < self.collect_above {
            return;
        }
        let mut roots: Vec<Bdd> = Vec::new();
        self.reach.roots(&mut roots);
        self.search.roots(&mut roots);
        let kernel = &mut self.reach.domain.kernel;
        kernel.collect(&roots);
        self.collect_above = (2 * kernel.live_nodes()).max(COLLECT_ABOVE);
    }
}
