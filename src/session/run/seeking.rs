//! Searches for shortest runs, once the analysis itself is over. The results of the analysis stay,
//! whatever the search finds.

use super::{Phase, Projected, Run};
use crate::analysis::replay::replay_ranked;
use crate::analysis::shortest_run::{MAX_SETS, Shortest, ShortestRun};
use crate::bdd::KernelLimits;
use crate::lang::model::EdgeId;
use crate::session::Outcome;
use crate::session::search::{Certainty, Search, Sought, Through};
use crate::util::Limit;

/// The kernel steps for the search for a shorter run than the shown one: this number (a second or
/// two), and [`SHARE`] times the steps of the analysis, but no more than [`MOST_STEPS`]. The
/// verdict is known, so nobody should wait long.
const STEPS: u64 = 10_000_000;
const SHARE: u64 = 2;
const MOST_STEPS: u64 = 16_000_000;

impl Run {
    /// Begins a search for a shortest failing run that executes a statement of each set. Returns
    /// false, and begins nothing, if no analysis is over or if there are more than [`MAX_SETS`]
    /// sets.
    pub(in crate::session) fn seek_through(&mut self, sets: Vec<Vec<EdgeId>>) -> bool {
        if !self.is_done() || sets.len() > MAX_SETS {
            return false;
        }
        let answer = match self.outcome() {
            Outcome::Unsafe => self.at_once(&sets),
            Outcome::Safe => Some(Sought::None((0..sets.len()).collect())),
            Outcome::Unknown(_) | Outcome::Fault => return false,
        };
        match answer {
            Some(answer) => self.through = Some(Through { sets, answer }),
            None => {
                self.through = None;
                self.begin_search(Some(sets), None, self.question.budgets.max_steps);
            }
        }
        true
    }

    /// The answer for runs through these sets, if the analysis knows it without a search.
    fn at_once(&self, sets: &[Vec<EdgeId>]) -> Option<Sought> {
        // If only a sample of statements was decided, nothing is known of the others.
        if let Some(in_projection) = self.in_projection().filter(|_| self.question.sample.is_none())
        {
            let never = |set: &Vec<EdgeId>| {
                !set.iter().any(|edge| in_projection.get(edge.0 as usize) == Some(&true))
            };
            let never: Vec<usize> = (0..sets.len()).filter(|k| never(&sets[*k])).collect();
            if !never.is_empty() {
                return Some(Sought::None(never));
            }
        }
        let run = self
            .failing
            .as_ref()
            .filter(|run| self.certainty == Certainty::Shortest && run.passes(sets))?;
        Some(Sought::Run(Box::new(run.clone())))
    }

    /// By edge: is it on a failing run?
    pub(in crate::session) fn in_projection(&self) -> Option<Vec<bool>> {
        let projected = self.projected.as_ref().filter(|_| !self.has_threads())?;
        Some(match projected {
            Projected::Empty => vec![false; self.question.program.edges.len()],
            Projected::Contexts(projection) => projection.in_projection().to_vec(),
            Projected::Statements(chop, _) => chop.in_projection().to_vec(),
        })
    }

    /// By edge: does a failing run execute it and continue behind it?
    pub(in crate::session) fn passed(&self) -> Option<Vec<bool>> {
        let projected = self.projected.as_ref().filter(|_| !self.has_threads())?;
        Some(match projected {
            Projected::Empty => vec![false; self.question.program.edges.len()],
            Projected::Contexts(projection) => projection.passed().to_vec(),
            Projected::Statements(chop, _) => chop.passed().to_vec(),
        })
    }

    /// Begins the search for a shorter run than the one that the analysis found. The analysis must
    /// be over.
    pub(super) fn seek_shortest(&mut self) {
        let Some(run) = &self.failing else { return };
        let is_wanted = self.question.seeks_shortest && self.certainty == Certainty::Open;
        if self.fault.is_some() || !is_wanted {
            return;
        }
        let length = run.length(&self.question.program);
        self.begin_search(None, Some(length - 1), self.most_for_shortest());
    }

    /// The kernel steps that the search for a shorter run may take from now on.
    pub(super) fn most_for_shortest(&self) -> u64 {
        let used = self.reach.domain.kernel.steps();
        let steps = STEPS.saturating_add(SHARE.saturating_mul(used)).min(MOST_STEPS);
        steps.min(self.question.budgets.max_steps)
    }

    fn begin_search(
        &mut self,
        through: Option<Vec<Vec<EdgeId>>>,
        at_most: Option<u64>,
        steps: u64,
    ) {
        self.allow_search(steps);
        let sets = through.as_deref().unwrap_or_default();
        let errors = match &through {
            None => self.sought_errors(),
            Some(_) => self.reach.system.errors.clone(),
        };
        match ShortestRun::toward(&mut self.reach, &errors, sets, at_most) {
            Ok(shortest) => self.phase = Phase::Shortest(Search { shortest, through }),
            Err(limit) => self.give_up_search(through, limit),
        }
    }

    /// Takes the answer of the search in progress.
    pub(super) fn searched(&mut self, answer: Shortest) {
        let Phase::Shortest(Search { shortest, through }) =
            std::mem::replace(&mut self.phase, Phase::Done)
        else {
            return;
        };
        let found = match answer {
            Shortest::None => Ok(None),
            Shortest::Run(counterexample) => {
                replay_ranked(&self.question.program, &counterexample, shortest.rank()).map(Some)
            }
        };
        match (found, through) {
            (Err(contradiction), _) => self.fault = Some(contradiction),
            (Ok(found), None) => {
                self.failing = found.or(self.failing.take());
                self.certainty = Certainty::Shortest;
                self.shorten_listed();
            }
            (Ok(Some(run)), Some(sets)) if !run.passes(&sets) => {
                let how = "the run does not pass the statements that it was asked for";
                self.fault = Some(how.to_string());
            }
            (Ok(found), Some(sets)) => {
                let answer = match found {
                    Some(run) => Sought::Run(Box::new(run)),
                    // Without a projection, or with one that keeps too much, it is known only now.
                    None if sets.len() == 1 => Sought::None(vec![0]),
                    None => Sought::None(Vec::new()),
                };
                self.through = Some(Through { sets, answer });
            }
        }
        self.end_search();
    }

    /// Ends the search for a limit. The results of the analysis stay.
    pub(super) fn give_up_search(&mut self, through: Option<Vec<Vec<EdgeId>>>, limit: Limit) {
        match through {
            None => self.certainty = Certainty::Unknown(limit),
            Some(sets) => self.through = Some(Through { sets, answer: Sought::Unknown(limit) }),
        }
        self.end_search();
    }

    fn end_search(&mut self) {
        self.allow_search(self.question.budgets.max_steps);
    }

    /// Allows the kernel so many steps from now on.
    pub(super) fn allow_search(&mut self, steps: u64) {
        let kernel = &mut self.reach.domain.kernel;
        let max_steps = kernel.steps().saturating_add(steps);
        kernel.set_limits(KernelLimits { max_nodes: self.question.budgets.max_nodes, max_steps });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::budgets::Budgets;
    use crate::lang::load;
    use crate::session::Task;
    use crate::session::run::Question;
    use crate::wire::options::RequestedOptions;
    use std::rc::Rc;

    /// The verdict may be given more than it needed, the search behind it may not.
    #[test]
    fn more_for_the_verdict_is_not_more_for_a_shorter_run() {
        let source = "void main() { int x = *; while (x < 5) { x = x + 1; } assert(x != 5); }";
        let program = load(source, &RequestedOptions::default()).program.expect("a program");
        let question = Question {
            program: Rc::new(program),
            error: None,
            task: Task::Check,
            budgets: Budgets { max_steps: 1_000_000, ..Budgets::default() },
            sample: None,
            seeks_shortest: true,
            lists: false,
        };
        let mut run = Run::new(question, None).expect("no limit");
        while !matches!(run.phase, Phase::Shortest(_)) {
            assert!(!run.step(), "a shorter run is looked for");
        }
        run.allow(Budgets::default());
        let kernel = &run.reach.domain.kernel;
        let most = kernel.limits().max_steps - kernel.steps();
        assert!((1_000_000..=MOST_STEPS).contains(&most), "{most}");
    }
}
