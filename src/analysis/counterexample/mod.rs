//! A concrete failing run, read backwards off the history of post\*.
//!
//! Each part of each weight appeared at a moment, and was derived from parts of earlier moments
//! (see [`crate::pds::History`]). So from a store at an error the walk finds a store before the
//! last statement with an earlier moment, and so on to the start.
//!
//! - Calls: at a return site the walk goes through the callee, from its exit back to its entry,
//!   with the caller waiting on a stack of its own. So recursion in the program costs memory, not
//!   the machine's stack.
//! - Loops: where post\* summed up the rounds of a loop, their number is halved until single rounds
//!   are left. Each round is walked in a saturation of its own that goes round once.
//! - Invariant: models are picked lexicographically, so the run does not depend on node ids.

mod call_stores;
mod detour;
mod known_store;
mod path;
mod run;

pub use run::{Counterexample, MAX_STEPS, Step};

pub(super) use call_stores::{callers_entering, fix_stores, known_at_exit, pick_stores};

use super::reach::Reach;
use crate::bdd::impl_roots;
use crate::encode::ErrorSite;
use crate::util::{Bounded, Limit};
use detour::Detour;
use known_store::{locate, pick_known};
use path::{Next, Path};
use std::rc::Rc;

/// A walk back from an error to the start, in progress.
pub struct Walk {
    error: ErrorSite,
    path: Path,
    /// Rounds within rounds, the innermost last.
    detours: Vec<Detour>,
    /// The statements found so far, the last one of the run first.
    steps: Vec<Step>,
}

impl Walk {
    /// Starts at the error that was found first, if one was found.
    pub fn new(reach: &mut Reach) -> Bounded<Option<Walk>> {
        let errors = reach.system.errors.clone();
        Walk::among(reach, &errors)
    }

    /// Starts at that of these errors which was found first.
    pub fn among(reach: &mut Reach, errors: &[ErrorSite]) -> Bounded<Option<Walk>> {
        let Some((error, transition, entry)) = reach.first_error(errors)? else { return Ok(None) };
        let program = Rc::clone(&reach.program);
        let state = reach.poststar.automaton().transition(transition).to;
        let from = program.edge(error.edge).from;
        let failed =
            pick_known(reach, from, state, program.owner(error.edge), entry.gained, entry.moment)?;
        let choices =
            reach.domain.choices_of_failure(&program, error.edge, error.check, &failed.now)?;
        let choices = choices.expect("the store was picked among those that fail here");
        let last = Step {
            edge: error.edge,
            before: failed.now.clone(),
            after: failed.now.clone(),
            choices,
        };
        let path = Path::new(locate(reach, failed)?);
        Ok(Some(Walk { error, path, detours: Vec::new(), steps: vec![last] }))
    }

    /// Does a bounded piece of work. Returns the run once the walk has reached the start.
    pub fn step(&mut self, reach: &mut Reach) -> Bounded<Option<Counterexample>> {
        if self.steps.len() > MAX_STEPS {
            return Err(Limit::Depth);
        }
        let next = match self.detours.last_mut() {
            None => self.path.step(reach)?,
            Some(detour) => detour.step(reach)?,
        };
        match next {
            Next::On => {}
            Next::Statement(step) => self.steps.push(step),
            Next::Round(rounds) => self.detours.push(Detour::new(reach, rounds)?),
            Next::Start if self.detours.pop().is_some() => {}
            Next::Start => {
                let mut steps = std::mem::take(&mut self.steps);
                steps.reverse();
                return Ok(Some(Counterexample {
                    initial: self.path.at.now.clone(),
                    steps,
                    error: self.error,
                }));
            }
        }
        Ok(None)
    }

    /// Statements found so far.
    pub fn length(&self) -> usize {
        self.steps.len()
    }
}

impl_roots!(Walk { detours });
