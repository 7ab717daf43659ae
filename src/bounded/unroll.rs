//! The unrolling to look at: each statement as often as it is executed within the bound, and what
//! the bound excludes. (Clarke, Kroening, Lerda 2004, figure 2.)
//!
//! `while (i < n) i++;` with k = 2:
//!
//! ```text
//! i < n ─true→ i++ ─→ i < n ─true→ i++ ─→ i < n ─true→ i++ ─→ more rounds: not followed
//!   └──────false──────┴──────false──────┴──────false──────→ what comes behind the loop
//! ```

use crate::check::{self, Step, Verdict};
use crate::circuit::Lit;
use crate::engine::Engine;
use crate::failure::{Checks, Cut, Limit};
use crate::solver::Answer;
use crate::state::{Last, Loop, State};
use faultline_c::code::Code;
use faultline_c::tree::{PointId, ProcedureId, Tree};
use std::rc::Rc;

/// Conflicts of the question whether some run comes to a copy.
const MOST_CONFLICTS: u64 = 500;

/// A statement in one of the rounds of its loops.
#[derive(Clone, Debug)]
pub struct Copy {
    /// The statement.
    pub point: PointId,
    /// Whose statement it is; `None` for the initial values of global variables.
    pub procedure: Option<ProcedureId>,
    /// Which round it is of each loop around it that has gone back already, the outermost first:
    /// from 2 on.
    pub rounds: Vec<u32>,
    /// Calls around it.
    pub depth: u32,
    /// It stands for runs that are not followed from here on.
    pub cut: Option<Cut>,
    /// Some run fails here.
    pub fails: bool,
    /// Some run comes here; also where that was not found out.
    pub reached: bool,
}

/// From a copy to the one that is executed next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrow {
    /// Number of a copy.
    pub from: u32,
    /// Number of a copy.
    pub to: u32,
    /// The outcome of a condition that the input decides.
    pub truth: Option<bool>,
}

/// What came of a bound.
#[derive(Clone, Debug)]
pub struct Unrolling {
    /// Most rounds of a loop, and most calls of a procedure within itself.
    pub bound: u32,
    /// By number, in the order of their execution.
    pub copies: Vec<Copy>,
    /// Each once.
    pub arrows: Vec<Arrow>,
    /// Copies beyond the most that were asked for.
    pub left_out: u32,
    /// Nodes of the circuit.
    pub nodes: usize,
    /// Variables of the clauses.
    pub variables: usize,
    /// Literals of the clauses.
    pub literals: usize,
    /// Clauses that the solver learnt.
    pub conflicts: u64,
    /// The answer for this bound; `None`: no run fails within it, and there are longer ones.
    pub verdict: Option<Verdict>,
}

/// What is noted while the engine explores.
#[derive(Default)]
pub(crate) struct Notes {
    most: usize,
    copies: Vec<(Copy, Lit)>,
    arrows: Vec<Arrow>,
    left_out: u32,
    /// Under which condition a copy fails.
    failures: Vec<(u32, Lit)>,
}

impl Engine<'_> {
    /// A state executes a statement.
    pub(crate) fn note(&mut self, state: &mut State) {
        self.note_copy(state, None);
    }

    /// Runs are not followed from here on.
    pub(crate) fn note_cut(&mut self, state: &mut State, cut: Cut) {
        let last = state.last.clone();
        self.note_copy(state, Some(cut));
        state.last = last;
    }

    fn note_copy(&mut self, state: &mut State, cut: Option<Cut>) {
        let Some(notes) = &mut self.notes else { return };
        if notes.copies.len() >= notes.most {
            notes.left_out += 1;
            state.last.clear();
            return;
        }
        let Some(frame) = state.frames.last() else { return };
        // Of a loop that it is in no more the rounds do not count.
        let around = |round: &&Loop| (round.target..=round.end).contains(&state.pc);
        let rounds = frame.loops.iter().filter(around).map(|round| round.passes + 1).collect();
        let procedure = Some(frame.procedure).filter(|_| state.frames.len() > 1);
        let depth = state.frames.len().saturating_sub(2) as u32;
        let (point, fails, reached) = (frame.point, false, true);
        let copy = Copy { point, procedure, rounds, depth, cut, fails, reached };
        let to = notes.copies.len() as u32;
        notes.copies.push((copy, state.guard));
        for Last { copy: from, truth } in std::mem::take(&mut state.last) {
            notes.arrows.push(Arrow { from, to, truth });
        }
        state.last.push(Last { copy: to, truth: None });
    }

    /// Under this condition the statement fails.
    pub(crate) fn note_failure(&mut self, state: &State, bad: Lit) {
        if let Some(notes) = &mut self.notes {
            notes.failures.extend(state.last.iter().map(|last| (last.copy, bad)));
        }
    }
}

/// Unrolls up to one bound. At most so many copies are told.
///
/// # Errors
/// The limit that ended the exploration.
pub fn unroll(
    tree: &Tree,
    code: &Code,
    checks: Checks,
    bound: u32,
    most_copies: usize,
    stop: Rc<dyn Fn() -> bool>,
) -> Result<Unrolling, Limit> {
    let mut engine = Engine::new(tree, code, checks, stop);
    engine.notes = Some(Notes { most: most_copies, ..Notes::default() });
    let verdict = match check::attempt(&mut engine, bound)? {
        Step::Decided(verdict) => Some(verdict),
        Step::Longer(..) => None,
    };
    let notes = engine.notes.take().unwrap_or_default();
    // The questions that follow are no part of the answer, so they do not count.
    let (variables, literals) = engine.solver.size();
    let (nodes, conflicts) = (engine.circuit.size(), engine.solver.conflicts());
    let mut possible = |lit: Lit| {
        engine.solver.solve(&engine.circuit, &[lit], MOST_CONFLICTS) != Answer::Unsatisfiable
    };
    let mut copies = Vec::with_capacity(notes.copies.len());
    for (mut copy, guard) in notes.copies {
        copy.reached = possible(guard);
        copies.push(copy);
    }
    if matches!(verdict, Some(Verdict::Fails(_))) {
        for (copy, bad) in notes.failures {
            let copy = &mut copies[copy as usize];
            copy.fails = copy.fails || possible(bad);
        }
    }
    let (arrows, left_out) = (notes.arrows, notes.left_out);
    Ok(Unrolling {
        bound,
        copies,
        arrows,
        left_out,
        nodes,
        variables,
        literals,
        conflicts,
        verdict,
    })
}
