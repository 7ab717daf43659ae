//! The question of a localization, its stages, and its results: failing runs with their causes.

use crate::analysis::focus::focus_of_run;
use crate::analysis::localize::supergraph::{SuperEdge, lines, sources};
use crate::lang::interpreter::{ConcreteRun, replay};
use crate::lang::model::{EdgeId, ProcedureId, Program};
use crate::session::{CorrectRun, Judged, ReplayedRun};
use crate::util::{Bounded, Limit};
use crate::wire::localize::Variant;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The question.
#[derive(Clone, Debug)]
pub struct LocalizeOptions {
    /// The kind of causes that get halts. Both kinds are found.
    pub variant: Variant,
    /// Procedures whose statements are never causes.
    pub trusted: Vec<ProcedureId>,
    /// Must the failure depend on a cause in the failing run, by data and control (as in
    /// focus-statement sequences)? This loses errors of omission.
    pub dependent: bool,
    /// Are edges correct if the abstraction with which the loop of refinement ends has a correct
    /// run over them? Otherwise they are correct if the program itself has one. With the
    /// abstraction, causes by transitions are those by edges.
    pub refined: bool,
    /// The most failing runs.
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

/// The reason why the search for failing runs ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// No run fails any more.
    NoError,
    /// Every edge (transition) of the last run is on some correct run: coincidental correctness.
    NoCause,
    /// The last run has causes, but all in trusted procedures.
    Trusted,
    /// The last run has causes, but the failure depends on none of them, and only causes on which
    /// it depends were wanted.
    Independent,
    /// The wanted number of failing runs was found.
    MaxTraces,
    /// A limit was hit, in a later round or during the search for causes.
    Limit(Limit),
}

/// A failing run with its causes.
#[derive(Clone, Debug)]
pub struct LocalizedTrace {
    /// The run. It is a run of the program with the earlier rounds' halts, and was replayed on the
    /// program itself.
    pub run: ReplayedRun,
    /// Is it certain that the run is a shortest one of its round?
    pub shortest: bool,
    /// Are its transitions judged? They are not if a limit came first.
    pub judged: bool,
    /// Do correct runs end where the program ends, because the check that fails never holds?
    pub ends_with_program: bool,
    /// All of its transitions, in order.
    pub transitions: Vec<Judged>,
    /// The correct run that is closest to it ([`closest`](crate::analysis::localize::closest)), of
    /// the program with the earlier rounds' halts. If that one was not found, a close one
    /// ([`close`](crate::analysis::localize::closest::discrepancy_search)), which is marked as
    /// such. `None` if there is no correct run; or the limit that ended the search.
    pub correct: Bounded<Option<CorrectRun>>,
    /// The kernel steps for checking, and those for everything else that causes need.
    pub steps: (u64, u64),
    /// The program with the halts of earlier rounds.
    pub(super) program: Rc<Program>,
    pub(super) trusted: Vec<ProcedureId>,
    /// The statements on which the failure depends, if only those count.
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
        lines(&self.program, &self.trace(), &self.causes(variant))
    }

    fn trace(&self) -> Vec<SuperEdge> {
        self.transitions.iter().map(|judged| judged.transition.edge).collect()
    }

    /// The lines of the vertices that the run passes, one after the other. The last one is the line
    /// of the failing statement.
    pub fn path(&self) -> Vec<u32> {
        let program = &self.program;
        let mut path = sources(program, &self.trace());
        path.extend(self.run.entries.last().map(|entry| match program.is_shared(entry.edge) {
            true => self.run.check.line,
            false => program.location(program.edge(entry.edge).from).line,
        }));
        path.dedup();
        path
    }
}

/// The statements of a failing run on which the failure depends.
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
