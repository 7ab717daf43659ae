//! Shortest runs, once the analysis itself is over: what it found stays, whatever becomes of the
//! search.

use super::{Job, Outcome, Phase, ReplayedRun, Session, replay};
use crate::analysis::counterexample::Counterexample;
use crate::analysis::reach::Reach;
use crate::analysis::shortest_run::{MAX_SETS, Shortest, ShortestRun};
use crate::bdd::{KernelLimits, impl_roots};
use crate::lang::model::{EdgeId, Program};
use crate::util::{Bounded, Limit};

/// Kernel steps for making the shown run a shortest one: so many (a second or two), and [`SHARE`]
/// times what the analysis took.
const STEPS: u64 = 10_000_000;
const SHARE: u64 = 2;

/// Is the shown failing run a shortest one?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// Nobody has looked yet.
    Open,
    /// No run is shorter.
    Shortest,
    /// A limit was hit first.
    Unknown(Limit),
}

/// The shortest failing run through some statements.
#[derive(Clone, Debug)]
pub struct Through {
    /// A statement of each of these is executed.
    pub sets: Vec<Vec<EdgeId>>,
    /// The run, if there is one.
    pub answer: Sought,
}

/// What a search came to.
#[derive(Clone, Debug)]
pub enum Sought {
    /// This run (replayed); none is shorter.
    Run(Box<ReplayedRun>),
    /// There is none; by these sets alone, if they are named: none of their statements is on a
    /// failing run.
    None(Vec<usize>),
    /// A limit was hit first.
    Unknown(Limit),
}

/// A search in progress.
pub(super) struct Search {
    shortest: ShortestRun,
    /// `None`: of all failing runs.
    through: Option<Vec<Vec<EdgeId>>>,
}

impl_roots!(Search { shortest });

impl Session {
    /// Begins a search for a shortest failing run that executes a statement of each set (of a raw
    /// system: applies a rule of each set); drive it with [`Session::step`]. An analysis must be
    /// over. False (and nothing begins) if there is none, or if there are more than [`MAX_SETS`]
    /// sets.
    pub fn seek_through(&mut self, sets: Vec<Vec<EdgeId>>) -> bool {
        if let Some(raw) = self.raw.as_mut().filter(|_| self.phase == Phase::Done) {
            let rules = sets.iter().map(|set| set.iter().map(|edge| edge.0).collect()).collect();
            let begun = raw.seek_through(rules, self.budgets.max_nodes, self.budgets.max_steps);
            self.phase = raw.phase();
            return begun;
        }
        if self.phase != Phase::Done || self.fault.is_some() || sets.len() > MAX_SETS {
            return false;
        }
        self.search = None;
        match self.outcome() {
            Outcome::Unsafe => {}
            Outcome::Safe => {
                let all = (0..sets.len()).collect();
                self.through = Some(Through { sets, answer: Sought::None(all) });
                return true;
            }
            Outcome::Unknown(_) | Outcome::Fault => return false,
        }
        if let Some(answer) = self.at_once(&sets) {
            self.through = Some(Through { sets, answer });
            return true;
        }
        self.through = None;
        let steps = self.budgets.max_steps;
        if let Err(limit) = self.begin_search(Some(sets), None, steps) {
            self.stop(limit);
        }
        true
    }

    /// Gives up the search that is on, if any.
    pub fn cancel_search(&mut self) {
        if self.phase == Phase::Shortest {
            self.stop(Limit::Time);
        }
    }

    /// What the analysis knows of runs through these sets without a search.
    fn at_once(&self, sets: &[Vec<EdgeId>]) -> Option<Sought> {
        // Of a sample of statements the projection says nothing of the others.
        if let Some(in_projection) = self.in_projection().filter(|_| self.sample.is_none()) {
            let never = |set: &Vec<EdgeId>| {
                !set.iter().any(|edge| in_projection.get(edge.0 as usize) == Some(&true))
            };
            let never: Vec<usize> = (0..sets.len()).filter(|k| never(&sets[*k])).collect();
            if !never.is_empty() {
                return Some(Sought::None(never));
            }
        }
        let run = self
            .run
            .as_ref()
            .filter(|run| self.certainty == Certainty::Shortest && passes(run, sets))?;
        Some(Sought::Run(Box::new(run.clone())))
    }

    /// The shortest failing run through the statements last asked for.
    pub fn through(&self) -> Option<&Through> {
        self.through.as_ref()
    }

    /// Is the shown failing run a shortest one?
    pub fn certainty(&self) -> Certainty {
        self.certainty
    }

    /// Once the analysis is over: is the run that it found a shortest one?
    pub(super) fn seek_shortest(&mut self) -> Bounded<()> {
        let (Some(run), Some(program)) = (&self.run, &self.program) else { return Ok(()) };
        if self.fault.is_some() || self.certainty != Certainty::Open {
            return Ok(());
        }
        let length = length(program, run);
        let used = self.reach.as_ref().map_or(0, |reach| reach.domain.kernel.steps());
        self.begin_search(
            None,
            Some(length - 1),
            STEPS.saturating_add(SHARE.saturating_mul(used)).min(self.budgets.max_steps),
        )
    }

    fn begin_search(
        &mut self,
        through: Option<Vec<Vec<EdgeId>>>,
        at_most: Option<u64>,
        steps: u64,
    ) -> Bounded<()> {
        let Some(reach) = &mut self.reach else { return Ok(()) };
        allow(reach, self.budgets.max_nodes, steps);
        self.phase = Phase::Shortest;
        let sets = through.clone().unwrap_or_default();
        // Noted before the first diagram is made: a limit may be hit right there.
        self.sought_sets = through;
        let shortest = ShortestRun::new(reach, &sets, at_most)?;
        self.search = Some(Search { shortest, through: self.sought_sets.clone() });
        Ok(())
    }

    /// One piece of a search.
    pub(super) fn advance_search(&mut self) -> Bounded<()> {
        let (Some(search), Some(reach)) = (&mut self.search, &mut self.reach) else {
            self.phase = Phase::Done;
            return Ok(());
        };
        let Some(answer) = search.shortest.step(reach)? else { return Ok(()) };
        let rank = search.shortest.rank();
        let sets = search.through.clone();
        let program = self.program.as_ref().expect("only programs are run");
        let answer = match answer {
            Shortest::None => Ok(None),
            Shortest::Run(counterexample) => shortest_replayed(program, &counterexample, rank)
                .and_then(|run| {
                    if !passes(&run, sets.as_deref().unwrap_or_default()) {
                        return Err("the run does not pass the statements that it was asked for"
                            .to_string());
                    }
                    Ok(Some(run))
                }),
        };
        match (answer, sets) {
            (Err(contradiction), _) => self.fault = Some(contradiction),
            (Ok(found), None) => {
                self.run = found.or(self.run.take());
                self.certainty = Certainty::Shortest;
            }
            (Ok(Some(run)), Some(sets)) => {
                self.through = Some(Through { sets, answer: Sought::Run(Box::new(run)) })
            }
            (Ok(None), Some(sets)) => {
                self.through = Some(Through { sets, answer: Sought::None(Vec::new()) })
            }
        }
        self.end_search();
        Ok(())
    }

    /// A limit ended the search; the analysis is not touched by that.
    pub(super) fn give_up_search(&mut self, limit: Limit) {
        match self.sought_sets.take() {
            None => self.certainty = Certainty::Unknown(limit),
            Some(sets) => self.through = Some(Through { sets, answer: Sought::Unknown(limit) }),
        }
        self.end_search();
    }

    fn end_search(&mut self) {
        self.search = None;
        self.sought_sets = None;
        self.phase = Phase::Done;
        if let Some(reach) = &mut self.reach {
            allow(reach, self.budgets.max_nodes, self.budgets.max_steps);
        }
    }
}

fn allow(reach: &mut Reach, max_nodes: u64, steps: u64) {
    let kernel = &mut reach.domain.kernel;
    let max_steps = kernel.steps().saturating_add(steps);
    kernel.set_limits(KernelLimits { max_nodes, max_steps });
}

/// Replays a run that was found as one of `rank` statements; how the interpreter contradicts that.
pub(super) fn shortest_replayed(
    program: &Program,
    counterexample: &Counterexample,
    rank: u64,
) -> Result<ReplayedRun, String> {
    let run = replay::replay(program, counterexample)?;
    match length(program, &run) {
        replayed if replayed == rank => Ok(run),
        replayed => Err(format!("a run of {rank} statements was replayed as one of {replayed}")),
    }
}

/// Entries of the run's trace.
fn length(program: &Program, run: &ReplayedRun) -> u64 {
    let last = run.entries.len().saturating_sub(1);
    let traced = |(k, entry): &(usize, &super::ReplayedEntry)| {
        *k == last || program.edge(entry.edge).is_traced()
    };
    run.entries.iter().enumerate().filter(traced).count() as u64
}

/// Does the run execute a statement of each set?
fn passes(run: &ReplayedRun, sets: &[Vec<EdgeId>]) -> bool {
    sets.iter().all(|set| run.entries.iter().any(|entry| set.contains(&entry.edge)))
}
