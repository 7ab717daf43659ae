//! What is asked of a localization, what it is at, and what it found: failing runs with their
//! causes.

use crate::analysis::focus::focus_of_run;
use crate::analysis::localize::supergraph::{SuperEdge, lines};
use crate::lang::interpreter::{ConcreteRun, replay};
use crate::lang::model::{EdgeId, ProcedureId, Program};
use crate::session::{CorrectRun, Judged, ReplayedRun};
use crate::util::{Bounded, Limit};
use crate::wire::localize::Variant;
use std::collections::BTreeSet;
use std::rc::Rc;

/// What is asked for.
#[derive(Clone, Debug)]
pub struct LocalizeOptions {
    /// Which causes are halted at. Both are found.
    pub variant: Variant,
    /// Procedures whose statements are never causes.
    pub trusted: Vec<ProcedureId>,
    /// Only causes on which what fails depends on the failing run, by data and control (as in
    /// focus-statement sequences)? That loses errors of omission.
    pub dependent: bool,
    /// Are edges correct if the abstraction that the loop of refinement ends with has a correct run
    /// over them? Else if the program itself has. Causes by transitions are then those by edges.
    pub refined: bool,
    /// Failing runs, at most.
    pub max_traces: u32,
}

impl Default for LocalizeOptions {
    fn default() -> Self {
        LocalizeOptions {
            variant: Variant::Edges,
            trusted: Vec::new(),
            dependent: false,
            refined: false,
            max_traces: 10,
        }
    }
}

/// Why no further failing run is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// No run fails any more.
    NoError,
    /// Every edge (transition) of the last run is on some correct run: coincidental correctness.
    NoCause,
    /// The last run has causes, but all in trusted procedures.
    Trusted,
    /// The last run has causes, but what fails depends on none of them, and only those that it
    /// depends on were asked for.
    Independent,
    /// As many failing runs as were asked for.
    MaxTraces,
    /// A limit, in a later round or while looking for causes.
    Limit(Limit),
}

/// A failing run with its causes.
#[derive(Clone, Debug)]
pub struct LocalizedTrace {
    /// The run; of the program with the earlier rounds' halts, and (replayed) of the program
    /// itself.
    pub run: ReplayedRun,
    /// Is it certain to be a shortest one of its round?
    pub shortest: bool,
    /// Are its transitions judged? Not where a limit came first.
    pub judged: bool,
    /// Do correct runs end where the program ends, as the check that fails never holds?
    pub ends_with_program: bool,
    /// All of its transitions, in order.
    pub transitions: Vec<Judged>,
    /// The correct run closest to it ([`closest`](crate::analysis::localize::closest)), of the
    /// program with the earlier rounds' halts, or where that is not found a close one
    /// ([`close`](crate::analysis::localize::closest::discrepancy_search)), which it says of
    /// itself; none if there is no correct run at all; or the limit that ended the search.
    pub correct: Bounded<Option<CorrectRun>>,
    /// Kernel steps for checking, and for everything that causes need beyond that.
    pub steps: (u64, u64),
    /// The program with the halts of earlier rounds.
    pub(super) program: Rc<Program>,
    pub(super) trusted: Vec<ProcedureId>,
    /// Statements on which what fails depends, if only those count.
    pub(super) relevant: Option<BTreeSet<EdgeId>>,
}

impl LocalizedTrace {
    /// The cause, as edges of the supergraph.
    pub fn causes(&self, variant: Variant) -> BTreeSet<SuperEdge> {
        let mut causes = self.untrusting_causes(variant);
        causes.retain(|edge| !self.trusted.contains(&self.program.owner(edge.edge())));
        causes.retain(|edge| self.is_relevant(*edge));
        causes
    }

    pub(super) fn is_relevant(&self, edge: SuperEdge) -> bool {
        self.relevant.as_ref().is_none_or(|relevant| relevant.contains(&edge.edge()))
    }

    pub(super) fn untrusting_causes(&self, variant: Variant) -> BTreeSet<SuperEdge> {
        let incorrect = |judged: &&Judged| match variant {
            Variant::Edges => !judged.edge_is_correct,
            Variant::Transitions => !judged.is_correct,
        };
        self.transitions.iter().filter(incorrect).map(|judged| judged.transition.edge).collect()
    }

    /// The lines of the cause, ascending.
    pub fn lines(&self, variant: Variant) -> Vec<u32> {
        let trace: Vec<SuperEdge> =
            self.transitions.iter().map(|judged| judged.transition.edge).collect();
        lines(&self.program, &trace, &self.causes(variant))
    }

    /// The lines of the vertices that the run passes, one after the other, the failing statement's
    /// last.
    pub fn path(&self) -> Vec<u32> {
        let from = |judged: &Judged| judged.transition.edge.from(&self.program).line(&self.program);
        let mut path: Vec<u32> = self.transitions.iter().map(from).collect();
        path.extend(
            self.run
                .entries
                .last()
                .map(|entry| self.program.location(self.program.edge(entry.edge).from).line),
        );
        path.dedup();
        path
    }
}

/// The statements of a failing run on which what fails depends.
pub(super) fn relevant(program: &Rc<Program>, run: &ConcreteRun) -> Option<BTreeSet<EdgeId>> {
    let executed = replay(program, run).ok()?;
    let depends = focus_of_run(program, &executed).focus;
    Some(
        executed
            .steps
            .iter()
            .zip(depends)
            .filter(|(_, depends)| *depends)
            .map(|(step, _)| step.edge)
            .collect(),
    )
}
