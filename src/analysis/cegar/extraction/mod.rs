//! The counterexample DAG, read off the breadth-first layers of the abstract program (thesis, 4.2,
//! 5.1).
//!
//! A node is a layer, with the abstract states in it from which the bottom is reached. An edge is
//! an abstract rule between two of those. The construction goes backward from every failing check.
//! Ranks only fall on the way, so that recursion is unrolled as far as some run unrolls it, and the
//! construction ends.
//!
//! 1. *By rank* (`backward`). Ranks are counted from the entry of the frame. In the *main part*
//!    frames are told apart by the rank at which they can first be entered. A frame enters those
//!    that can first be entered later than itself, at whatever point it calls them. So all ways
//!    into a failing frame are there at once. A *body* is made for what a call needs of its
//!    callee's summaries (pairs of entry and end of one length). Calls that need the same share it.
//! 2. *Joins* (`widening`). Of several branches to one location, breadth-first ranks keep the
//!    shortest. Every abstract transition along the control flow from a layer to a node that is
//!    there is added as well, as long as the DAG has no cycle. A body's callees stay shorter than
//!    itself.
//! 3. *Merging* (`merging`). Nodes of one point with the same future become one, and so do bodies
//!    that look alike.

mod backward;
mod construction;
mod draft;
mod layers;
mod merging;
mod widening;

use super::abstract_program::AbstractProgram;
use super::dag::DagPoint;
use super::dag_builder::DagError;
use super::extracted::Extracted;
use super::search::AbstractSearch;
use crate::bdd::{Bdd, impl_roots};
use crate::encode::CONTROL;
use crate::util::Bounded;
use construction::Construction;
use draft::{DraftAction, DraftId};
use layers::Explored;
use merging::merge;

/// An extraction in progress.
pub struct Extraction {
    construction: Construction,
}

/// Abstract states in which a check fails.
struct Failure {
    /// The least number of calls below the frame.
    depth: u32,
    at: DraftId,
    states: Bdd,
    action: DraftAction,
}

impl Extraction {
    /// Starts at every failing check that the finished search reached.
    pub fn new(program: &mut AbstractProgram, search: &AbstractSearch) -> Bounded<Extraction> {
        let mut construction = Construction::new();
        let explored = &mut Explored { program, search };
        let failures = failures(&mut construction, explored)?;
        // Where the search stopped early, few calls on the stack are preferred (thesis, 8.1.2).
        let fewest = match search.last_rank() {
            u64::MAX => None,
            _ => failures.iter().map(|failure| failure.depth).min(),
        };
        for Failure { depth, at, states, action } in failures {
            if fewest.is_none_or(|fewest| depth == fewest) {
                construction.link(explored, 0, at, states, (action, None))?;
            }
        }
        Ok(Extraction { construction })
    }

    /// Looks at what leads to one node. The extraction is over once this returns true.
    pub fn step(
        &mut self,
        program: &mut AbstractProgram,
        search: &AbstractSearch,
    ) -> Bounded<bool> {
        let (construction, explored) = (&mut self.construction, &mut Explored { program, search });
        if let Some((part, id)) = construction.draft.next_to_link() {
            if let DagPoint::Location(location) = id.point {
                backward::over_steps(construction, explored, (part, id), location)?;
                backward::over_calls(construction, explored, (part, id), location)?;
                if part == 0 {
                    backward::over_entries(construction, explored, id, location)?;
                }
            }
            return Ok(false);
        }
        if construction.draft.begin_widening() {
            return Ok(false);
        }
        let Some((part, id)) = construction.draft.next_to_widen() else { return Ok(true) };
        if let DagPoint::Location(location) = id.point {
            widening::over_steps(construction, explored, (part, id), location)?;
            widening::over_calls(construction, explored, (part, id), location)?;
        }
        Ok(false)
    }

    /// Merges nodes with the same future, and numbers what is left. `None` if no failing check was
    /// reached.
    pub fn finish(
        self,
        program: &mut AbstractProgram,
        search: &AbstractSearch,
    ) -> Bounded<Option<Result<Extracted, DagError>>> {
        let parts = &self.construction.draft.parts;
        if parts[0].nodes.is_empty() {
            return Ok(None);
        }
        merge(&mut Explored { program, search }, parts).map(Some)
    }
}

impl_roots!(Extraction { construction });

/// Every failing check that the search reached, up to the last rank that counts.
fn failures(construction: &mut Construction, explored: &mut Explored<'_>) -> Bounded<Vec<Failure>> {
    let search = explored.search;
    let last = search.last_rank();
    let mut failures = Vec::new();
    for site in explored.program.system.errors.clone() {
        let from = explored.program.program.edge(site.edge).from;
        let rules = explored.program.system.pds.to_head(CONTROL, site.symbol).to_vec();
        for frame in 0..search.ranked.frames() {
            for (entered, _) in explored.entries(frame) {
                let point = DagPoint::Location(from);
                let first = DraftId { entered, rank: 0, frame, point };
                let layers = construction.layers(explored, 0, first, from)?;
                for (&rank, &layer) in layers.range(..=last.saturating_sub(entered)) {
                    for rule in &rules {
                        let states = explored.program.before_step(layer, *rule, Bdd::TRUE)?;
                        if !states.is_false() {
                            failures.push(Failure {
                                depth: explored.depth(frame),
                                at: DraftId { rank, ..first },
                                states,
                                action: DraftAction::Fail(site.edge, site.check),
                            });
                        }
                    }
                }
            }
        }
    }
    Ok(failures)
}
