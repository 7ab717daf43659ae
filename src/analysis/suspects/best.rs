//! The best mutant of a statement. Phases: each mutant is executed on a few known runs; then those
//! with the best scores are executed on all of them. What a mutant shares with the program itself
//! is not executed again ([`super::original`]).

use super::known::{Known, KnownRun};
use super::mutants::mutants;
use super::original::Original;
use super::pool::Pool;
use super::sites::{Mutant, mutant, sites};
use super::{Best, Effort};
use crate::analysis::repair::execution::{End, MOST_STEPS};
use crate::lang::interpreter::{Machine, Shape};
use crate::lang::model::{EdgeId, Program};
use crate::util::order::sort_by_key;
use crate::util::{Bounded, Limit};
use std::cmp::Reverse;
use std::sync::Arc;

/// The most failing runs for a mutant's first trial: the mutant must mend one of them.
const GLANCE: usize = 4;
/// The most known runs of each kind for the first phase.
const FIRST: usize = 12;
/// The most mutants that reach the second phase, unless it is clear before that another one is
/// better.
const TWICE: usize = 40;
/// A mutant may take `LONGER` times as many steps as the longest known run, and `MORE` steps in
/// addition.
const LONGER: usize = 4;
const MORE: usize = 1_000;

/// A statement whose mutants are being tried.
pub(super) struct Judging {
    /// Mutants that were not tried yet. The last one is next.
    left: Vec<Mutant>,
    /// The results of the first phase: score and mutant.
    first: Vec<(u32, Mutant)>,
    /// The best mutant of the second phase.
    judged: Option<Best>,
    is_second: bool,
    /// By site: the program's own executions of the known runs.
    originals: Vec<Original>,
}

fn score(mended: usize, kept: usize, failing: usize, passing: usize) -> u32 {
    (1_000 * mended / failing.max(1) + 1_000 * kept / passing.max(1)) as u32
}

/// Executes mutants on known runs.
struct Trials<'a, A> {
    /// The program itself, and the program with the mutant.
    program: Machine<'a>,
    machine: Machine<'a>,
    original: &'a mut Original,
    most: usize,
    effort: &'a mut Effort,
    rung: A,
}

impl<A: Fn() -> Option<Limit>> Trials<'_, A> {
    /// Does a known run come to an end and not fail?
    fn passes(&mut self, (number, run): (usize, &KnownRun)) -> Bounded<bool> {
        if let Some(limit) = (self.rung)() {
            return Err(limit);
        }
        let machines = (&self.program, &self.machine);
        let (end, steps) = self.original.execute(machines, (number, run), self.most);
        self.effort.executions += 1;
        self.effort.steps += steps as u64;
        Ok(end == End::Passes)
    }

    fn count<'k>(&mut self, runs: impl Iterator<Item = (usize, &'k KnownRun)>) -> Bounded<usize> {
        let mut count = 0;
        for run in runs {
            count += usize::from(self.passes(run)?);
        }
        Ok(count)
    }
}

/// An evenly spread part of the runs, [`FIRST`] at most.
fn some<R>(runs: impl ExactSizeIterator<Item = R>) -> impl Iterator<Item = R> {
    let every = runs.len().div_ceil(FIRST).max(1);
    runs.step_by(every)
}

impl Known {
    /// The failing runs with their numbers.
    fn all_failing(&self) -> impl ExactSizeIterator<Item = (usize, &KnownRun)> {
        self.failing.iter().enumerate()
    }

    /// The passing runs with their numbers, which come after those of the failing runs.
    fn all_passing(&self) -> impl ExactSizeIterator<Item = (usize, &KnownRun)> {
        self.passing.iter().enumerate().map(|(k, run)| (self.failing.len() + k, run))
    }
}

impl Judging {
    /// All mutants of a statement.
    pub(super) fn of(program: &Program, pool: &Pool, edge: EdgeId) -> Judging {
        let offer = pool.offer(program, edge);
        let mut left = Vec::new();
        for (site, e) in sites(program, edge) {
            left.extend(
                mutants(program, &offer, &e)
                    .into_iter()
                    .filter(|changed| changed.is_written(program))
                    .filter_map(|changed| mutant(program, &site, changed)),
            );
        }
        left.reverse();
        Judging { left, first: Vec::new(), judged: None, is_second: false, originals: Vec::new() }
    }

    /// Tries the next mutant, and returns whether all were tried.
    pub(super) fn step(
        &mut self,
        program: &Program,
        changed: &mut Program,
        shape: &Arc<Shape>,
        known: &Known,
        effort: &mut Effort,
        rung: impl Fn() -> Option<Limit>,
    ) -> Bounded<bool> {
        let Some(mutant) = self.left.pop() else {
            if self.is_second {
                return Ok(true);
            }
            self.is_second = true;
            sort_by_key(&mut self.first, |(score, mutant)| (Reverse(*score), mutant.oddness()));
            self.first.truncate(TWICE);
            self.left = self.first.drain(..).rev().map(|(_, mutant)| mutant).collect();
            return Ok(self.left.is_empty());
        };
        mutant.write(changed);
        let most = MOST_STEPS.min(LONGER * known.longest + MORE);
        let mut trials = Trials {
            program: Machine::with_shape(program, Arc::clone(shape)),
            machine: Machine::with_shape(changed, Arc::clone(shape)),
            original: original_of(&mut self.originals, mutant.site.edges()),
            most,
            effort,
            rung,
        };
        // One that changes no less than the best so far must have a greater score.
        let at_least = self
            .judged
            .as_ref()
            .map_or(0, |best| best.score + u32::from(mutant.oddness() >= best.mutant.oddness()));
        let looked = if self.is_second {
            look(&mut trials, known, at_least)
        } else {
            glance(&mut trials, known).map(Some)
        };
        mutant.take_back(changed, program);
        let looked = looked?;
        if self.is_second {
            let Some((mended, kept)) = looked.filter(|(mended, _)| *mended > 0) else {
                return Ok(false);
            };
            let score = score(mended, kept, known.failing.len(), known.passing.len());
            let key = |score: u32, mutant: &Mutant| (Reverse(score), mutant.oddness());
            if self
                .judged
                .as_ref()
                .is_none_or(|best| key(score, &mutant) < key(best.score, &best.mutant))
            {
                self.judged = Some(Best { mutant, mended, kept, score });
            }
        } else {
            effort.mutants += 1;
            if let Some((mended, kept)) = looked.filter(|(mended, _)| *mended > 0) {
                let score = score(
                    mended,
                    kept,
                    some(known.all_failing()).count(),
                    some(known.all_passing()).count(),
                );
                self.first.push((score, mutant));
            }
        }
        Ok(false)
    }

    /// The best mutant of the second phase.
    pub(super) fn best(self) -> Option<Best> {
        self.judged
    }
}

/// The program's own executions for the site with these edges.
fn original_of(originals: &mut Vec<Original>, edges: Vec<EdgeId>) -> &mut Original {
    let known = originals.iter().position(|original| original.edges() == edges);
    let at = known.unwrap_or_else(|| {
        originals.push(Original::new(edges));
        originals.len() - 1
    });
    &mut originals[at]
}

/// Tries a mutant on all known runs. Returns `None` once it is clear that the score stays below the
/// given one.
fn look<A: Fn() -> Option<Limit>>(
    trials: &mut Trials<'_, A>,
    known: &Known,
    at_least: u32,
) -> Bounded<Option<(usize, usize)>> {
    let (failing, passing) = (known.failing.len(), known.passing.len());
    let (mut lost_failing, mut lost_passing) = (0, 0);
    let can_still = |lost_failing: usize, lost_passing: usize| {
        score(failing - lost_failing, passing - lost_passing, failing, passing) >= at_least
    };
    if !can_still(0, 0) {
        return Ok(None);
    }
    for run in known.all_failing() {
        lost_failing += usize::from(!trials.passes(run)?);
        if !can_still(lost_failing, lost_passing) {
            return Ok(None);
        }
    }
    for run in known.all_passing() {
        lost_passing += usize::from(!trials.passes(run)?);
        if !can_still(lost_failing, lost_passing) {
            return Ok(None);
        }
    }
    Ok(Some((failing - lost_failing, passing - lost_passing)))
}

/// Tries a mutant on some known runs, if it mends one of the first few.
fn glance<A: Fn() -> Option<Limit>>(
    trials: &mut Trials<'_, A>,
    known: &Known,
) -> Bounded<(usize, usize)> {
    let mends_one = trials.count(some(known.all_failing()).take(GLANCE))? > 0;
    if mends_one {
        Ok((trials.count(some(known.all_failing()))?, trials.count(some(known.all_passing()))?))
    } else {
        Ok((0, 0))
    }
}

#[cfg(test)]
mod tests {
    use super::score;

    /// A thousand for all failing runs mended, a thousand for all passing ones kept.
    #[test]
    fn a_score_is_two_shares() {
        assert_eq!(score(1, 3, 2, 4), 1_250);
        assert_eq!(score(3, 3, 3, 3), 2_000);
        assert_eq!(score(2, 0, 3, 5), 666);
        assert_eq!(score(1, 0, 1, 0), 1_000);
    }
}
