//! The search for the correct run closest to a failing one, in small steps, and its replay.

use super::{Budgets, ReplayedEntry};
use crate::analysis::localize::asked::END_LINE;
use crate::analysis::localize::closest::{Closest, closest, replay_correct};
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
    /// How many statements from the start on it executes as the failing run does, in the same states; `None` if it starts in another one.
    pub shared: Option<usize>,
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
        let mut reach = Reach::new(Rc::clone(&question.program), Some(END_LINE), limits)?;
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
                let search = &self.search;
                collect_if_large(&mut self.reach, |roots| search.roots(roots), &mut self.collect_above, self.always_collect);
                return Ok(None);
            }
            Some(Shortest::None) => return Ok(Some(Found::None)),
            Some(Shortest::Run(found)) => self.question.read(&found),
        };
        let Some(seen) = replay_correct(program, &found, self.end) else { return Ok(Some(Found::Fault)) };
        let entries = seen.into_iter().map(|(edge, depth, values)| ReplayedEntry { edge, depth, values }).collect();
        Ok(Some(Found::Run(Box::new(CorrectRun { entries, run: found.run, passes_check: self.end.is_some(), shared: found.shared }))))
    }

    /// Kernel steps so far.
    pub(super) fn steps(&self) -> u64 {
        self.reach.domain.kernel.steps()
    }
}

/// Collects garbage above a number of live nodes that is set anew then.
pub(super) fn collect_if_large(reach: &mut Reach, others: impl FnOnce(&mut Vec<Bdd>), collect_above: &mut u64, always: bool) {
    if !always && reach.domain.kernel.live_nodes() < (*collect_above).max(COLLECT_ABOVE) {
        return;
    }
    let mut roots: Vec<Bdd> = Vec::new();
    others(&mut roots);
    reach.roots(&mut roots);
    reach.domain.kernel.collect(&roots);
    *collect_above = (2 * reach.domain.kernel.live_nodes()).max(COLLECT_ABOVE);
}
