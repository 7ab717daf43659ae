//! From a search that reaches no error to an invariant over the predicates, and its proof.

use crate::analysis::cegar::abstract_program::AbstractProgram;
use crate::analysis::cegar::search::AbstractSearch;
use crate::analysis::invariant::Invariant;
use crate::analysis::invariant::check::{Errors, Obligation, holds, obligations};
use crate::bdd::{Bdd, Roots};
use crate::lang::model::{LocationId, Program};
use crate::util::Bounded;
use crate::wire::refinement::Extent;

/// A proof in progress.
pub(in crate::analysis) enum Proof {
    /// The search left out rules that lead to no error. The invariant must hold of all rules, so
    /// the proof first explores everything once more.
    ExploreAgain,
    /// Everything is explored.
    Explore(Box<AbstractSearch>),
    /// The weights that are reached become relations, location by location.
    Read { reached: Vec<Bdd>, relations: Vec<Bdd> },
    /// The invariant's obligations are proved.
    Check { invariant: Invariant, obligations: std::vec::IntoIter<Obligation> },
}

/// The result of one step.
pub(in crate::analysis) enum Proved {
    /// There is more to do.
    NotYet,
    /// This obligation of the invariant does not hold.
    Broken(Obligation),
    /// The invariant is proved.
    All,
}

impl Proof {
    /// The invariant, taken out of the finished proof.
    pub(in crate::analysis) fn into_invariant(self) -> Option<Invariant> {
        match self {
            Proof::Check { invariant, .. } => Some(invariant),
            _ => None,
        }
    }

    /// Does one bounded piece of work. The invariant must hold of `source`. Its errors on
    /// `error_line` count, or all of them if no line is given.
    pub(in crate::analysis) fn step(
        &mut self,
        program: &mut AbstractProgram,
        source: &Program,
        error_line: Option<u32>,
    ) -> Bounded<Proved> {
        match self {
            Proof::ExploreAgain => {
                let search = AbstractSearch::new(program, Extent::All, None)?;
                *self = Proof::Explore(Box::new(search));
            }
            Proof::Explore(search) => {
                if search.step(program)? {
                    let found = search.reached(program)?;
                    let weight = |k| found.get(&LocationId(k)).copied().unwrap_or(Bdd::FALSE);
                    let reached = (0..source.locations.len() as u32).map(weight).collect();
                    *self = Proof::Read { reached, relations: Vec::new() };
                }
            }
            Proof::Read { reached, relations } => match reached.get(relations.len()).copied() {
                Some(weight) => {
                    let location = LocationId(relations.len() as u32);
                    relations.push(if weight.is_false() {
                        Bdd::FALSE
                    } else {
                        program.relation(location, weight)?
                    });
                }
                None => {
                    let frames = &program.domain.frames;
                    let tracked = frames.iter().map(|frame| frame.tracked.clone()).collect();
                    let errors = error_line.map_or(Errors::All, Errors::Line);
                    *self = Proof::Check {
                        invariant: Invariant::new(std::mem::take(relations), tracked),
                        obligations: obligations(source, errors).into_iter(),
                    };
                }
            },
            Proof::Check { invariant, obligations } => {
                let Some(obligation) = obligations.next() else { return Ok(Proved::All) };
                let domain = &mut program.domain;
                if !holds(source, &domain.layout, &mut domain.kernel, invariant, obligation)? {
                    return Ok(Proved::Broken(obligation));
                }
            }
        }
        Ok(Proved::NotYet)
    }
}

impl Roots for Proof {
    fn roots(&self, roots: &mut Vec<Bdd>) {
        match self {
            Proof::ExploreAgain => {}
            Proof::Explore(search) => search.roots(roots),
            Proof::Read { reached, relations } => (reached, relations).roots(roots),
            Proof::Check { invariant, .. } => invariant.roots(roots),
        }
    }
}
