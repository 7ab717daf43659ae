//! Focus-statement sequences: which statements of a failing run made it fail, under which
//! assumptions over inputs and uninitialised variables (*Error Explanation by Focus-Statement
//! Sequences*).
//!
//! | part | where |
//! | --- | --- |
//! | data, control and potential dependence | `dependence` |
//! | the sequence of one failing run (§ 2, Definition 1) | `trace` |
//! | all sequences, by rank, with their constraints over the start (§ 3.1) | `search`, `queue`, `node`, `backward`, `term`, `inputs` |
//! | procedure summaries, backward: what comes next inside a procedure, and ways through it (§ 3.3) | `state`, `summary`, `path` |
//! | can they hold together? | `feasible`, `constants` |
//! | a run for each of them, executed by the interpreter | `confirm` |
//! | Reduce and NEST (§ 3.2, figure 5) | `reduce` |
//!
//! A sequence is its lines, the outcomes of its conditions, and its assumptions. Rank: fewer
//! statements first, then fewer variables in the assumptions (Definition 2). A sequence that has
//! all lines of an earlier one and implies what that one assumes of the program's start is left
//! out. Every sequence that is called feasible comes with a run that the interpreter executed, and
//! whose own slice is the sequence.

mod backward;
mod confirm;
mod constants;
mod dependence;
mod feasible;
mod inputs;
mod lines;
mod node;
mod path;
mod queue;
mod reduce;
mod search;
mod state;
mod summary;
mod term;
mod trace;

use crate::bdd::{Bdd, KernelLimits, Roots, impl_roots, roots_of};
use crate::lang::interpreter::Replay;
use crate::lang::model::{
    EdgeId, ErrorKind, Expression, ProcedureId, Program, StatementKind, VariableId,
};
use crate::util::{Bounded, Limit};
pub use confirm::Confirmed;
use confirm::confirm;
use dependence::{Dependence, Parts, reads};
use feasible::Conjunction;
pub use inputs::{Input, Inputs};
use lines::LineSet;
use node::Candidate;
use search::Search;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
pub use trace::TraceFocus;

/// A constraint over what a run starts with or picks.
#[derive(Clone, Debug)]
pub struct Assumption {
    /// The condition or check that made it.
    pub edge: EdgeId,
    /// Over the program's variables as they are at the start, and over [`Inputs`].
    pub expression: Expression,
    /// The same as a diagram of [`Inputs::kernel`].
    pub truth: Bdd,
    /// Reduce deleted it.
    pub deleted: bool,
}

/// One way to fail.
#[derive(Clone, Debug)]
pub struct FocusSequence {
    /// The statements in order, hidden ones too.
    pub entries: Vec<EdgeId>,
    /// By entry: is it shown and counted?
    pub shown: Vec<bool>,
    /// The lines of the shown entries. Neighbours on the same line count once.
    pub lines: Vec<u32>,
    /// The assumptions in the order of the entries. Those that earlier ones imply are left out.
    pub assumptions: Vec<Assumption>,
    /// Number of shown entries.
    pub length: u32,
    /// Variables in the assumptions.
    pub variables: u32,
    /// The rank, from 1. Sequences of one rank are equally good.
    pub rank: u32,
    /// A run that has this sequence; `None` if the sequence is not feasible.
    pub confirmed: Option<Confirmed>,
    /// By entry: the condition or call that it is control dependent on. It is known for feasible
    /// sequences.
    pub parents: Vec<Option<usize>>,
    /// By entry: is it a condition?
    pub conditions: Vec<bool>,
    /// The earlier sequence that Reduce found to be identical with this one.
    pub same_as: Option<usize>,
    /// Positions of the neighborhood of error statements.
    pub nest: Vec<usize>,
}

impl FocusSequence {
    /// Does some failing run have it?
    pub fn is_feasible(&self) -> bool {
        self.confirmed.is_some()
    }
}

/// The request.
#[derive(Clone, Debug)]
pub struct Question {
    /// Only the errors on this line.
    pub error_line: Option<u32>,
    /// Variables whose conditions are ignored during the search and checked afterwards.
    pub uninterpreted: Vec<VariableId>,
    /// Most sequences.
    pub most: usize,
}

/// An enumeration of sequences in progress.
pub struct FocusAnalysis {
    program: Rc<Program>,
    search: Search,
    question: Question,
    /// By length: candidates that wait, because a shorter one may come.
    waiting: BTreeMap<u32, Vec<Candidate>>,
    accepted: Vec<(FocusSequence, Conjunction, LineSet)>,
    sequences: Vec<FocusSequence>,
    undecided: u32,
    done: bool,
    complete: bool,
}

impl FocusAnalysis {
    /// Prepares the enumeration.
    pub fn new(
        program: Rc<Program>,
        question: Question,
        limits: KernelLimits,
    ) -> Bounded<FocusAnalysis> {
        let search = Search::new(
            Rc::clone(&program),
            question.error_line,
            question.uninterpreted.clone(),
            limits,
        )?;
        Ok(FocusAnalysis {
            program,
            search,
            question,
            waiting: BTreeMap::new(),
            accepted: Vec::new(),
            sequences: Vec::new(),
            undecided: 0,
            done: false,
            complete: false,
        })
    }

    /// One bounded piece of work; true once the enumeration is over. A limit ends it; the sequences
    /// found so far stay.
    pub fn step(&mut self) -> Bounded<bool> {
        if self.done {
            return Ok(true);
        }
        self.collect();
        match self.search.step() {
            Ok(Some(found)) => {
                for candidate in found {
                    self.waiting.entry(candidate.length).or_default().push(candidate);
                }
                if let Some(shortest) = self.shortest_waiting()
                    && self.search.shortest_open().is_none_or(|open| open > shortest)
                {
                    self.settle(shortest).inspect_err(|_| self.finish())?;
                }
            }
            Ok(None) => {
                while let Some(shortest) = self.shortest_waiting() {
                    self.settle(shortest).inspect_err(|_| self.finish())?;
                }
                self.complete = true;
                self.finish();
            }
            Err(limit) => {
                // Sequences that were found before the limit are listed, if the rest of the budget
                // allows it.
                while let Some(shortest) = self.shortest_waiting() {
                    if limit == Limit::Time || self.done || self.settle(shortest).is_err() {
                        break;
                    }
                }
                self.finish();
                return Err(limit);
            }
        }
        Ok(self.done)
    }

    /// For tests: collect garbage after every step, and never use again what was freed.
    pub fn collect_every_step(&mut self) {
        self.search.inputs.kernel.collect_after_every_step(true);
    }

    /// For tests and measurements: no procedure summaries; each call is walked again, statement by
    /// statement. `tests/oracle/summaries.rs` compares the answers with those that use summaries.
    /// Call it before the first step.
    pub fn walk_every_call(&mut self) {
        self.search.summaries.turn_off();
    }

    /// For tests: ends the search after so many nodes, so that `tests/localize/focus.rs` can look
    /// at a search that a limit ended.
    pub fn give_up_after(&mut self, nodes: usize) {
        self.search.most_nodes = nodes;
    }

    /// Statements of a procedure that the search has walked so far, relevant or not.
    pub fn walked(&self, procedure: ProcedureId) -> u64 {
        self.search.summaries.walked(procedure)
    }

    /// The number of accepted sequences, and of those that still wait because a shorter one may
    /// come.
    pub fn found(&self) -> (usize, usize) {
        (self.accepted.len(), self.waiting.values().map(Vec::len).sum())
    }

    /// Nodes of the search that were expanded so far.
    pub fn nodes(&self) -> usize {
        self.search.looked_at
    }

    fn shortest_waiting(&self) -> Option<u32> {
        self.waiting.keys().next().copied()
    }

    fn collect(&mut self) {
        if !self.search.inputs.kernel.is_collection_due() {
            return;
        }
        let mut roots = roots_of(&[&self.search, &self.waiting, &self.sequences]);
        for (sequence, assumed, _) in &self.accepted {
            (sequence, assumed).roots(&mut roots);
        }
        self.search.inputs.collect(&roots);
    }

    /// Ends the enumeration with the sequences found so far.
    pub fn finish(&mut self) {
        if std::mem::replace(&mut self.done, true) {
            return;
        }
        self.sequences =
            std::mem::take(&mut self.accepted).into_iter().map(|(sequence, ..)| sequence).collect();
        let key = |s: &FocusSequence| (s.length, s.variables);
        for k in 0..self.sequences.len() {
            self.sequences[k].rank = match k.checked_sub(1) {
                Some(before) if key(&self.sequences[before]) == key(&self.sequences[k]) => {
                    self.sequences[before].rank
                }
                _ => k as u32 + 1,
            };
        }
        let program = Rc::clone(&self.program);
        reduce::reduce(&mut self.sequences, &|edge| program.edge(edge).from.0);
    }

    /// All candidates of this length are known now. Ranks, checks and lists them.
    fn settle(&mut self, length: u32) -> Bounded<()> {
        let mut ranked = Vec::new();
        for candidate in self.waiting.remove(&length).unwrap_or_default() {
            let (assumptions, variables) = self.assumptions(&candidate)?;
            ranked.push((variables, candidate.entries.clone(), candidate, assumptions));
        }
        ranked.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
        for (variables, _, candidate, assumptions) in ranked {
            if self.done {
                return Ok(());
            }
            self.list(candidate, assumptions, variables)?;
        }
        Ok(())
    }

    /// The assumptions in the order of the entries, without those that earlier ones imply.
    fn assumptions(&mut self, candidate: &Candidate) -> Bounded<(Vec<Assumption>, u32)> {
        let mut held = Conjunction::default();
        let (mut assumptions, mut parts) = (Vec::new(), Parts::new());
        for constraint in &candidate.constraints {
            let inputs = &mut self.search.inputs;
            if held.implies(inputs, constraint.truth)? {
                continue;
            }
            held.and_expression(inputs, &constraint.expression, constraint.truth)?;
            reads(&constraint.expression, &mut parts);
            let expression = constraint.expression.clone();
            assumptions.push(Assumption {
                edge: constraint.edge,
                expression,
                truth: constraint.truth,
                deleted: false,
            });
        }
        let variables: BTreeSet<VariableId> = parts.iter().map(|part| part.variable).collect();
        Ok((assumptions, variables.len() as u32))
    }

    fn list(
        &mut self,
        candidate: Candidate,
        assumptions: Vec<Assumption>,
        variables: u32,
    ) -> Bounded<()> {
        let assumed = candidate.holds.of_the_start(&mut self.search.inputs)?;
        for (_, earlier, lines) in &self.accepted {
            if lines.is_subset(&candidate.lines)
                && assumed.implies_all(&mut self.search.inputs, earlier)?
            {
                return Ok(());
            }
        }
        let dependence = Rc::clone(&self.search.dependence);
        let confirmed = match candidate.holds.is_false() {
            true => None,
            false => {
                let found = confirm(
                    &dependence,
                    &self.search.inputs,
                    &candidate.entries,
                    candidate.error,
                    &candidate.holds,
                );
                if found.is_none() {
                    self.undecided += 1;
                    return Ok(());
                }
                found
            }
        };
        let sequence = self.sequence(
            &dependence,
            candidate.entries,
            assumptions,
            candidate.length,
            variables,
            confirmed,
        );
        self.accepted.push((sequence, assumed, candidate.lines));
        if self.accepted.len() >= self.question.most {
            self.finish();
        }
        Ok(())
    }

    fn sequence(
        &self,
        dependence: &Dependence,
        entries: Vec<EdgeId>,
        assumptions: Vec<Assumption>,
        length: u32,
        variables: u32,
        confirmed: Option<Confirmed>,
    ) -> FocusSequence {
        let last = entries.len().saturating_sub(1);
        let is_shown = |(k, id): (usize, &EdgeId)| {
            dependence.is_shown(*id) || k == last && !is_assignment_check(&self.program, *id)
        };
        let shown: Vec<bool> = entries.iter().enumerate().map(is_shown).collect();
        let with_lines = entries.iter().zip(&shown).filter(|(_, shown)| **shown);
        let mut lines: Vec<u32> =
            with_lines.map(|(id, _)| self.program.edge(*id).span.line).collect();
        lines.dedup();
        let conditions = entries.iter().map(|id| dependence.is_condition(*id)).collect();
        let parents = match &confirmed {
            None => vec![None; entries.len()],
            Some(Confirmed { focus, .. }) => {
                // Turns positions of steps into positions of entries.
                let steps: Vec<usize> =
                    (0..focus.focus.len()).filter(|k| focus.focus[*k]).collect();
                steps.iter().map(|step| steps.binary_search(&focus.parents[*step]?).ok()).collect()
            }
        };
        FocusSequence {
            entries,
            shown,
            lines,
            assumptions,
            length,
            variables,
            rank: 0,
            confirmed,
            parents,
            conditions,
            same_as: None,
            nest: Vec::new(),
        }
    }

    /// The sequences by rank. The list is complete once the enumeration is over.
    pub fn sequences(&self) -> &[FocusSequence] {
        &self.sequences
    }

    /// Were all failing runs covered? If not, there may be more sequences.
    pub fn is_complete(&self) -> bool {
        self.complete && self.undecided == 0 && self.search.cut.is_none()
    }

    /// The limit that cut off single ways of the search, if there was one.
    pub fn cut(&self) -> Option<Limit> {
        self.search.cut
    }

    /// How many sequences have assumptions that can hold, but no run was found. They are not
    /// listed.
    pub fn undecided(&self) -> u32 {
        self.undecided
    }

    /// The variables of assumptions, and the diagrams over them.
    pub fn inputs(&mut self) -> &mut Inputs {
        &mut self.search.inputs
    }

    /// The same, without the right to change them.
    pub fn inputs_ref(&self) -> &Inputs {
        &self.search.inputs
    }
}

/// A hidden step that checks the value that an assignment has written (`//! error = (x == V)`): the
/// assignment is what is shown.
fn is_assignment_check(program: &Program, id: EdgeId) -> bool {
    let edge = program.edge(id);
    edge.kind == StatementKind::Hidden
        && edge.checks.iter().all(|check| check.kind == ErrorKind::Assignment)
}

/// The focus statements of an executed failing run.
pub fn focus_of_run(program: &Rc<Program>, run: &Replay) -> TraceFocus {
    trace::slice(&Dependence::new(Rc::clone(program)), &run.steps, run.failed_check)
}

impl_roots!(FocusSequence { assumptions });
impl_roots!(Assumption { truth });
