//! The loop: abstract, check, extract the DAG, interpolate, verify, refine, until no error is left
//! or one is real (thesis, fig. 1.1, 4, 5).
//!
//! `Phase` says where the loop is and owns what it works on there. [`Cegar`] keeps what outlives
//! a phase: the abstract program, and what each round found.
//!
//! ```text
//! Slice ─▶ Abstract ─▶ Check ─▶ Extract ─▶ Interpolate ─▶ Verify ─▶ Refine ─▶ Abstract …
//!                        │                      └─▶ Concretize ─▶ Done (unsafe)
//!                        └─▶ Prove ─▶ Done (safe)
//! ```
//!
//! - Invariant: there is at least one round; the last one is under way.
//! - With [`CegarOptions::slice`] the loop runs on the sliced program first. Every run of the
//!   program is one of the sliced program, so a safe sliced program answers the question. A real
//!   trace of the sliced program answers nothing: the loop then starts again on the program.
//! - With [`CegarOptions::follow`] predicates have a share of the budget. Once it is used up,
//!   rounds follow variables (`following`): `Follow` takes the place of Abstract, Check and
//!   Extract. A failing run that the interpreter can execute ends the loop there.

mod following;
mod phase;
pub(in crate::analysis) mod proof;
mod shares;
pub(in crate::analysis) mod verification;

use super::abstract_program::AbstractProgram;
use super::concrete::Concrete;
use super::concrete_trace::concrete_trace;
use super::dag::CounterexampleDag;
use super::extracted::Extracted;
use super::extraction::Extraction;
use super::following::Followed;
use super::interpolants::{Family, Interpolants};
use super::interpolation::Interpolation;
use super::lazy::{abstract_knowledge, needed};
use super::predicates::ProgramPoint;
use super::projection::Projection;
use super::round::{CegarPhase, Ending, Round};
use super::search::AbstractSearch;
use super::sliced::sliced;
use super::sliced_interpolants::SlicedInterpolants;
use crate::analysis::counterexample::Counterexample;
use crate::analysis::slice::Slice;
use crate::bdd::{Bdd, KernelLimits, Roots, roots_of};
use crate::lang::model::Program;
use crate::util::{Alarm, Bounded, Limit};
use crate::wire::refinement::CegarOptions;
use crate::wire::refinement::Heuristic;
use following::{FollowedKernels, Rival};
use phase::{Outcome, Phase};
use proof::{Proof, Proved};
use std::rc::Rc;
use verification::{Verification, Verified};

pub use shares::Shares;

/// A run of the loop.
pub struct Cegar {
    source: Rc<Program>,
    error_line: Option<u32>,
    limits: KernelLimits,
    options: CegarOptions,
    /// The program that the loop runs on, or its slice, and the abstraction of it.
    abstracted: AbstractProgram,
    is_sliced: bool,
    slice: InterpolantSlice,
    /// By rule: can it still lead to an error? All can, if `None`.
    inside: Option<Vec<bool>>,
    rounds: Vec<Round>,
    phase: Phase,
    /// Kernel steps when the phase began.
    since: u64,
    collect_every_step: bool,
    alarm: Option<Alarm>,
    /// The variables that are followed, once predicates have had their share.
    followed: Option<Followed>,
    /// The search that follows all of them, beside the rounds.
    rival: Rival,
    /// What the kernels of finished searches with followed variables took.
    followed_kernels: FollowedKernels,
    shares: Shares,
}

/// The slice of the errors for strongest interpolants ([`Heuristic::SkipConciliated`]).
enum InterpolantSlice {
    /// The heuristic does not use the slice, the slice could not be computed, or an interpolation
    /// holds it.
    None,
    /// It is computed before the first DAG.
    NotYet,
    /// It waits for the next interpolation.
    Ready(Box<SlicedInterpolants>),
}

impl Roots for InterpolantSlice {
    fn roots(&self, roots: &mut Vec<Bdd>) {
        if let InterpolantSlice::Ready(slice) = self {
            slice.roots(roots);
        }
    }
}

impl Cegar {
    /// Prepares the loop. Only errors on `error_line` count, if given.
    pub fn new(
        program: Rc<Program>,
        error_line: Option<u32>,
        limits: KernelLimits,
        options: CegarOptions,
    ) -> Bounded<Cegar> {
        let abstracted = AbstractProgram::new(Rc::clone(&program), error_line, limits)?;
        let phase = if options.slice {
            Phase::Slice(Box::new(Slice::new(Rc::clone(&program), error_line)))
        } else {
            Phase::Abstract
        };
        let slice = match options.heuristic {
            Heuristic::SkipConciliated => InterpolantSlice::NotYet,
            _ => InterpolantSlice::None,
        };
        let mut cegar = Cegar {
            source: program,
            error_line,
            limits,
            options,
            abstracted,
            is_sliced: false,
            slice,
            inside: None,
            rounds: vec![Round::default()],
            phase,
            since: 0,
            collect_every_step: false,
            alarm: None,
            followed: None,
            rival: Rival::NotYet,
            followed_kernels: FollowedKernels::default(),
            shares: Shares::USUAL,
        };
        cegar.set_shares(Shares::USUAL);
        Ok(cegar)
    }

    /// Divides the work in another way, before the loop begins.
    pub fn set_shares(&mut self, shares: Shares) {
        self.shares = shares;
        let limits = self.limits_of_predicates();
        self.abstracted.domain.kernel.set_limits(limits);
    }

    /// For tests: collects garbage after every step; a later use of a freed node panics.
    pub fn collect_every_step(&mut self) {
        self.collect_every_step = true;
        self.abstracted.domain.kernel.collect_after_every_step(true);
    }

    /// A flag by which a driver with a clock ends what takes long inside one step.
    pub fn set_alarm(&mut self, alarm: Option<Alarm>) {
        self.abstracted.domain.kernel.set_alarm(alarm.clone());
        if let Phase::Follow(search) = &mut self.phase {
            search.set_alarm(alarm.clone());
        }
        if let Rival::Searching { search, .. } = &mut self.rival {
            search.set_alarm(alarm.clone());
        }
        self.alarm = alarm;
    }

    /// Adds a predicate before the loop begins; was it new? With slicing it is forgotten.
    pub fn seed(&mut self, point: ProgramPoint, formula: Bdd) -> bool {
        self.abstracted.add(point, formula, 0)
    }

    /// The abstract program, to read formulas over it.
    pub fn abstracted(&mut self) -> &mut AbstractProgram {
        &mut self.abstracted
    }

    /// The abstract program.
    pub fn abstract_program(&self) -> &AbstractProgram {
        &self.abstracted
    }

    /// The program that was given, without slicing.
    pub fn program(&self) -> &Rc<Program> {
        &self.source
    }

    /// The options that were given.
    pub fn options(&self) -> CegarOptions {
        self.options
    }

    /// The phase under way.
    pub fn phase(&self) -> CegarPhase {
        self.phase.kind()
    }

    /// The rounds so far; the last one may be under way.
    pub fn rounds(&self) -> &[Round] {
        &self.rounds
    }

    /// Refinements so far.
    pub fn refinements(&self) -> usize {
        self.rounds.iter().filter(|round| round.is_refined()).count()
    }

    /// How the loop ends, once that is known.
    pub fn ending(&self) -> Option<Ending> {
        self.phase.ending()
    }

    /// The failing run, which the interpreter must execute before it is shown.
    pub fn counterexample(&self) -> Option<&Counterexample> {
        match &self.phase {
            Phase::Done(Outcome::Unsafe(counterexample)) => Some(counterexample),
            _ => None,
        }
    }

    /// A defect of the engine that a check found: then nothing may be claimed.
    pub fn fault(&self) -> Option<&str> {
        match &self.phase {
            Phase::Done(Outcome::Fault(fault)) => Some(fault),
            _ => None,
        }
    }

    /// Does one bounded piece of work. Returns whether the loop is over.
    pub fn step(&mut self) -> bool {
        let before = self.phase.kind();
        if before == CegarPhase::Done {
            return true;
        }
        let round = self.rounds.len() - 1;
        let phase = std::mem::replace(&mut self.phase, Phase::Abstract);
        let next = match self.advance(phase) {
            Ok(next) => next,
            Err(limit) => {
                self.beyond(limit).unwrap_or_else(|limit| Phase::Done(Outcome::Unknown(limit)))
            }
        };
        self.enter(before, next, round);
        self.collect();
        self.phase() == CegarPhase::Done
    }

    /// Steps to the end.
    pub fn run(&mut self) {
        while !self.step() {}
    }

    /// Ends the loop where it is. The rounds so far stay.
    pub fn stop(&mut self, limit: Limit) {
        let before = self.phase.kind();
        let next = std::mem::replace(&mut self.phase, Phase::Abstract).stopped(limit);
        self.enter(before, next, self.rounds.len() - 1);
    }

    /// Enters a phase. The steps of the phase that ends count for the round in which it ran; after
    /// a restart, for the first round.
    fn enter(&mut self, before: CegarPhase, next: Phase, round: usize) {
        self.phase = next;
        if self.phase.kind() == before && round == self.rounds.len() - 1 {
            return;
        }
        let now = self.steps();
        let took = now.saturating_sub(self.since);
        self.since = now;
        let round = round.min(self.rounds.len() - 1);
        let steps = &mut self.rounds[round].steps;
        match steps.iter_mut().find(|(known, _)| *known == before) {
            Some((_, steps)) => *steps += took,
            None => steps.push((before, took)),
        }
    }

    /// The round under way.
    fn round(&mut self) -> &mut Round {
        self.rounds.last_mut().expect("there is at least one round")
    }

    fn advance(&mut self, phase: Phase) -> Bounded<Phase> {
        match phase {
            Phase::Slice(slice) => self.slice(slice),
            Phase::Abstract => self.abstract_rules(),
            Phase::Check(search) => self.check(search),
            Phase::SliceForInterpolants { slice, search, extraction } => {
                Ok(self.slice_for_interpolants(slice, search, extraction))
            }
            Phase::Extract { search, extraction } => self.extract(search, extraction),
            Phase::Project { projection, extracted, interpolation } => {
                self.project(projection, extracted, interpolation)
            }
            Phase::Interpolate { extracted, interpolation } => {
                self.interpolate(extracted, interpolation)
            }
            Phase::Verify(verification) => self.verify(verification),
            Phase::Refine { extracted, interpolants } => self.refine(&extracted, &interpolants),
            Phase::Concretize { extracted, interpolants } => {
                self.concretize(&extracted.dag, &interpolants.strongest)
            }
            Phase::Prove(proof) => Ok(self.prove(proof)),
            Phase::Follow(search) => self.follow(search),
            Phase::Done(outcome) => Ok(Phase::Done(outcome)),
        }
    }

    fn slice(&mut self, mut slice: Box<Slice>) -> Bounded<Phase> {
        if !slice.is_done() {
            slice.step()?;
            return Ok(Phase::Slice(slice));
        }
        if let InterpolantSlice::NotYet = self.slice {
            self.slice = self.interpolant_slice(&slice);
        }
        self.restart(Rc::new(sliced(&self.source, slice.inside())))?;
        self.is_sliced = true;
        Ok(Phase::Abstract)
    }

    fn interpolant_slice(&self, slice: &Slice) -> InterpolantSlice {
        InterpolantSlice::Ready(Box::new(SlicedInterpolants::new(&self.source, slice.inside())))
    }

    /// Begins the loop again, on this program.
    fn restart(&mut self, program: Rc<Program>) -> Bounded<()> {
        let spent = self.abstracted.domain.kernel.steps();
        let max_steps = self.limits.max_steps.saturating_sub(spent);
        self.limits = KernelLimits { max_steps, ..self.limits };
        self.abstracted = AbstractProgram::new(program, self.error_line, self.limits)?;
        let kernel = &mut self.abstracted.domain.kernel;
        kernel.collect_after_every_step(self.collect_every_step);
        kernel.set_alarm(self.alarm.clone());
        let limits = self.limits_of_predicates();
        self.abstracted.domain.kernel.set_limits(limits);
        self.rounds = vec![Round::default()];
        self.inside = None;
        self.since = 0;
        if let InterpolantSlice::Ready(slice) = &mut self.slice {
            slice.forget_relations();
        }
        Ok(())
    }

    fn abstract_rules(&mut self) -> Bounded<Phase> {
        if !self.abstracted.abstraction.is_done() {
            let before = self.abstracted.abstraction.abstracted();
            self.abstracted.abstract_one()?;
            let made = self.abstracted.abstraction.abstracted() - before;
            self.round().rules_abstracted += made;
            return Ok(Phase::Abstract);
        }
        let predicates = &self.abstracted.predicates;
        let (count, longest) = (predicates.count(), predicates.longest());
        let round = self.round();
        (round.predicates, round.bits) = (count, longest);
        let inside = self.inside.as_deref();
        let search = AbstractSearch::new(&mut self.abstracted, self.options.extent, inside)?;
        Ok(Phase::Check(Box::new(search)))
    }

    fn check(&mut self, mut search: Box<AbstractSearch>) -> Bounded<Phase> {
        if !search.step(&mut self.abstracted)? {
            return Ok(Phase::Check(search));
        }
        self.round().ranks = search.rank();
        if search.errors(&self.abstracted).is_empty() {
            // The verdict is known; its proof needs no share.
            self.abstracted.domain.kernel.set_limits(self.limits);
            return Ok(Phase::Prove(match self.inside {
                Some(_) => Proof::ExploreAgain,
                None => Proof::Explore(search),
            }));
        }
        let extraction = Box::new(Extraction::new(&mut self.abstracted, &search)?);
        if let InterpolantSlice::NotYet = self.slice {
            let slice = Box::new(Slice::new(Rc::clone(&self.source), self.error_line));
            return Ok(Phase::SliceForInterpolants { slice, search, extraction });
        }
        Ok(Phase::Extract { search, extraction })
    }

    /// The heuristic works without the slice too, so a limit here does not end the loop.
    fn slice_for_interpolants(
        &mut self,
        mut slice: Box<Slice>,
        search: Box<AbstractSearch>,
        extraction: Box<Extraction>,
    ) -> Phase {
        if slice.is_done() {
            self.slice = self.interpolant_slice(&slice);
        } else if slice.step().is_ok() {
            return Phase::SliceForInterpolants { slice, search, extraction };
        } else {
            self.slice = InterpolantSlice::None;
        }
        Phase::Extract { search, extraction }
    }

    fn extract(
        &mut self,
        search: Box<AbstractSearch>,
        mut extraction: Box<Extraction>,
    ) -> Bounded<Phase> {
        if !extraction.step(&mut self.abstracted, &search)? {
            return Ok(Phase::Extract { search, extraction });
        }
        let extracted = match extraction.finish(&mut self.abstracted, &search)? {
            Some(Ok(extracted)) => Rc::new(extracted),
            Some(Err(error)) => {
                return Ok(Phase::fault(format!("the counterexample DAG is none: {error:?}")));
            }
            None => {
                let fault = "an error is reached, and no trace leads to it";
                return Ok(Phase::fault(fault.to_string()));
            }
        };
        let interpolation = Box::new(self.interpolation(&extracted.dag));
        self.round().extracted = Some(Rc::clone(&extracted));
        // A search that stopped early has not reached every error.
        if self.options.project && search.is_complete() {
            let projection = Box::new(Projection::new(&mut self.abstracted, &search)?);
            return Ok(Phase::Project { projection, extracted, interpolation });
        }
        Ok(Phase::Interpolate { extracted, interpolation })
    }

    /// Prepares the interpolation of a DAG as the options ask for it.
    fn interpolation(&mut self, dag: &CounterexampleDag) -> Interpolation {
        let heuristic = self.options.heuristic;
        let interpolation = if self.options.explain {
            Interpolation::new(dag, heuristic)
        } else {
            Interpolation::of_chosen(dag, heuristic)
        };
        self.with_slice(interpolation, dag)
    }

    fn with_slice(
        &mut self,
        interpolation: Interpolation,
        dag: &CounterexampleDag,
    ) -> Interpolation {
        match std::mem::replace(&mut self.slice, InterpolantSlice::None) {
            InterpolantSlice::Ready(slice) => interpolation.with_slice(dag, slice),
            InterpolantSlice::None | InterpolantSlice::NotYet => interpolation,
        }
    }

    fn project(
        &mut self,
        mut projection: Box<Projection>,
        extracted: Rc<Extracted>,
        interpolation: Box<Interpolation>,
    ) -> Bounded<Phase> {
        if !projection.step(&mut self.abstracted)? {
            return Ok(Phase::Project { projection, extracted, interpolation });
        }
        self.inside = Some(projection.into_used());
        Ok(Phase::Interpolate { extracted, interpolation })
    }

    fn interpolate(
        &mut self,
        extracted: Rc<Extracted>,
        mut interpolation: Box<Interpolation>,
    ) -> Bounded<Phase> {
        if !interpolation.is_done() {
            interpolation.step(&mut concrete(&mut self.abstracted), &extracted.dag)?;
            return Ok(Phase::Interpolate { extracted, interpolation });
        }
        if let Some(slice) = interpolation.take_slice() {
            self.slice = InterpolantSlice::Ready(slice);
        }
        let interpolants = Rc::new(interpolation.into_result());
        self.round().interpolants = Some(Rc::clone(&interpolants));
        Ok(if interpolants.is_spurious(&extracted.dag) {
            Phase::Verify(Verification::new(extracted, interpolants))
        } else {
            Phase::Concretize { extracted, interpolants }
        })
    }

    fn verify(&mut self, mut verification: Verification) -> Bounded<Phase> {
        Ok(match verification.step(&mut self.abstracted)? {
            Verified::Holds => {
                self.round().proved += 1;
                Phase::Verify(verification)
            }
            Verified::Broken(obligation) => {
                Phase::fault(format!("an interpolant is none: {obligation:?}"))
            }
            Verified::All(extracted, interpolants) => Phase::Refine { extracted, interpolants },
        })
    }

    /// A real trace becomes a run; if it is one of the sliced program, the loop begins again.
    fn concretize(&mut self, dag: &CounterexampleDag, strongest: &Family) -> Bounded<Phase> {
        if self.is_sliced {
            self.restart(Rc::clone(&self.source))?;
            self.is_sliced = false;
            return Ok(Phase::Abstract);
        }
        self.abstracted.domain.kernel.set_limits(self.limits);
        let errors = self.abstracted.system.errors.clone();
        let run = concrete_trace(&mut concrete(&mut self.abstracted), dag, strongest, &errors)?;
        Ok(match run {
            Some(counterexample) => Phase::Done(Outcome::Unsafe(counterexample)),
            None => Phase::fault("the DAG has a real trace, and no run leads along it".to_string()),
        })
    }

    /// Interpolants become predicates, and a new round begins.
    fn refine(&mut self, extracted: &Extracted, interpolants: &Interpolants) -> Bounded<Phase> {
        let number = self.rounds.len() as u32;
        if number > self.options.max_rounds {
            return Err(Limit::Rounds);
        }
        if self.followed.is_some() {
            return self.follow_mentioned(extracted, interpolants);
        }
        let mut added = Vec::new();
        for family in &interpolants.chosen {
            let needed = self.needed(extracted, family)?;
            for node in extracted.dag.node_ids() {
                let (Some(point), true) = (extracted.points[node], needed[node]) else { continue };
                if self.abstracted.add(point, family[node], number) {
                    added.push((point, family[node]));
                }
            }
        }
        if added.is_empty() {
            let fault = format!("round {number} excludes its DAG with no new predicate");
            return Ok(Phase::fault(fault));
        }
        let longest = self.abstracted.predicates.longest();
        let round = self.round();
        (round.added, round.longest_after) = (added, longest);
        self.rounds.push(Round::default());
        Ok(Phase::Abstract)
    }

    /// By node: does the loop need a predicate there? Notes it in the round if the loop is lazy.
    fn needed(&mut self, extracted: &Extracted, family: &Family) -> Bounded<Vec<bool>> {
        let dag = &extracted.dag;
        if !self.options.lazy {
            return Ok(vec![true; dag.node_count()]);
        }
        let known = abstract_knowledge(&mut self.abstracted, extracted)?;
        let needed = needed(&mut concrete(&mut self.abstracted), dag, family, &known)?;
        let noted = &mut self.round().needed;
        noted.resize(needed.len(), false);
        noted.iter_mut().zip(&needed).for_each(|(noted, needed)| *noted |= needed);
        Ok(needed)
    }

    fn prove(&mut self, mut proof: Proof) -> Phase {
        match proof.step(&mut self.abstracted, &self.source, self.error_line) {
            Ok(Proved::NotYet) => Phase::Prove(proof),
            Ok(Proved::Broken(obligation)) => {
                Phase::fault(format!("the invariant is none: {obligation:?}"))
            }
            Ok(Proved::All) => Phase::Done(Outcome::Safe { proved: Ok(()) }),
            Err(limit) => Phase::Prove(proof).stopped(limit),
        }
    }

    fn collect(&mut self) {
        if self.abstracted.domain.kernel.is_collection_due() {
            let held: [&dyn Roots; 4] = [&self.abstracted, &self.rounds, &self.phase, &self.slice];
            let roots = roots_of(&held);
            self.abstracted.domain.kernel.collect(&roots);
        }
    }
}

/// The concrete program behind an abstract one.
fn concrete(abstracted: &mut AbstractProgram) -> Concrete<'_> {
    let AbstractProgram { domain, relations, program, .. } = abstracted;
    Concrete { program, domain, relations }
}
