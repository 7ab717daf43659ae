//! The loop: abstract, check, DAG, interpolate, refine, until no error is left or one is real
//! (thesis, fig. 1.1, 4, 5).

use super::abstract_program::AbstractProgram;
use super::check::{Claim, Obligation, obligations};
use super::concrete_trace::concrete_trace;
use super::dag::DagPoint;
use super::extraction::Extraction;
use super::heuristic::Heuristic;
use super::interpolant::{Concrete, Family, Interpolants, Interpolation, needed};
use super::outline::Outline;
use super::predicates::ProgramPoint;
use super::projection::Projection;
use super::round::{CegarOptions, CegarPhase, Ending, Round};
use super::search::AbstractSearch;
use super::sliced::sliced;
use crate::analysis::counterexample::Counterexample;
use crate::analysis::invariant::Invariant;
use crate::analysis::invariant::check as invariant;
use crate::analysis::slice::Slice;
use crate::bdd::{Bdd, KernelLimits, impl_roots, roots_of};
use crate::encode::Copy;
use crate::lang::model::{LocationId, Program};
use crate::pds::RuleId;
use crate::util::{Bounded, Limit};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A run of the loop.
pub struct Cegar {
    source: Rc<Program>,
    error_line: Option<u32>,
    limits: KernelLimits,
    options: CegarOptions,
    phase: CegarPhase,
    /// Before the loop proper; or, for [`Heuristic::SkipConciliated`] alone, before its first DAG.
    slice: Option<Slice>,
    /// For [`Heuristic::SkipConciliated`], between two interpolations.
    outline: Option<Outline>,
    is_sliced: bool,
    abstracted: AbstractProgram,
    rounds: Vec<Round>,
    search: Option<AbstractSearch>,
    extraction: Option<Extraction>,
    /// Of the abstract program of this round, once its DAG is there.
    projection: Option<Projection>,
    interpolation: Option<Interpolation>,
    verifying: Option<Verifying>,
    proving: Option<Proving>,
    ending: Option<Ending>,
    counterexample: Option<Counterexample>,
    fault: Option<String>,
    /// Rules that can still lead to an error; all, if `None`.
    inside: Option<Vec<bool>>,
    /// Kernel steps when the phase began.
    since: u64,
    collect_every_step: bool,
    alarm: Option<Arc<AtomicBool>>,
}

/// Obligations of one round's interpolants that are still to be proved.
struct Verifying {
    families: usize,
    all: Vec<Obligation>,
    next: usize,
}

/// From a search that reaches no error to a proof.
struct Proving {
    /// Rules that were left out led to no error, but may lead on: everything is explored once more.
    search: AbstractSearch,
    /// By location, once the search is done: what is reached.
    reached: Option<Vec<Bdd>>,
    /// By location: what that means, as far as it was read.
    at: Vec<Bdd>,
    invariant: Option<Invariant>,
    all: std::vec::IntoIter<invariant::Obligation>,
}

impl_roots!(Proving { search, reached, at, invariant });

impl Cegar {
    /// Nothing is done yet. Only errors on `error_line` count, if given.
    pub fn new(
        program: Rc<Program>,
        error_line: Option<u32>,
        limits: KernelLimits,
        options: CegarOptions,
    ) -> Bounded<Cegar> {
        let abstracted = AbstractProgram::new(Rc::clone(&program), error_line, limits)?;
        let needs_slice = options.slice || options.heuristic == Heuristic::SkipConciliated;
        Ok(Cegar {
            slice: needs_slice.then(|| Slice::new(Rc::clone(&program), error_line)),
            outline: None,
            is_sliced: false,
            phase: if options.slice { CegarPhase::Slice } else { CegarPhase::Abstract },
            source: program,
            error_line,
            limits,
            options,
            abstracted,
            rounds: vec![Round::default()],
            search: None,
            extraction: None,
            projection: None,
            interpolation: None,
            verifying: None,
            proving: None,
            ending: None,
            counterexample: None,
            fault: None,
            inside: None,
            since: 0,
            collect_every_step: false,
            alarm: None,
        })
    }

    /// For tests: collect garbage after every step, and never use again what was freed.
    pub fn collect_every_step(&mut self) {
        self.collect_every_step = true;
        self.abstracted.domain.kernel.collect_after_every_step(true);
    }

    /// A flag by which a driver with a clock ends what takes long inside one step.
    pub fn set_alarm(&mut self, alarm: Option<Arc<AtomicBool>>) {
        self.abstracted.domain.kernel.set_alarm(alarm.clone());
        self.alarm = alarm;
    }

    /// Gives a predicate before the loop begins; was it new? With slicing it is forgotten.
    pub fn seed(&mut self, point: ProgramPoint, formula: Bdd) -> bool {
        self.abstracted.add(point, formula, 0)
    }

    /// The abstract program, to read formulas over, and to look into.
    pub fn abstracted(&mut self) -> &mut AbstractProgram {
        &mut self.abstracted
    }

    /// The same.
    pub fn abstract_program(&self) -> &AbstractProgram {
        &self.abstracted
    }

    /// The program as it was given.
    pub fn program(&self) -> &Rc<Program> {
        &self.source
    }

    /// What was asked for.
    pub fn options(&self) -> CegarOptions {
        self.options
    }

    /// Where it is.
    pub fn phase(&self) -> CegarPhase {
        self.phase
    }

    /// The rounds so far; the last one may be under way.
    pub fn rounds(&self) -> &[Round] {
        &self.rounds
    }

    /// Refinements so far.
    pub fn refinements(&self) -> usize {
        self.rounds.iter().filter(|round| !round.added.is_empty()).count()
    }

    /// How it ended, once it did.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// The real trace, to be executed by the interpreter.
    pub fn counterexample(&self) -> Option<&Counterexample> {
        self.counterexample.as_ref()
    }

    /// A defect of the engine that a check found: nothing may be claimed then.
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// The invariant over predicates, once no error was left.
    pub fn invariant(&self) -> Option<&Invariant> {
        self.proving.as_ref()?.invariant.as_ref()
    }

    /// Was what was explored the sliced program?
    pub fn is_sliced(&self) -> bool {
        self.is_sliced
    }

    /// One bounded piece of work; is it over?
    pub fn step(&mut self) -> bool {
        if self.phase == CegarPhase::Done {
            return true;
        }
        if let Err(limit) = self.advance() {
            self.stop(limit);
        }
        self.collect();
        self.phase == CegarPhase::Done
    }

    /// To the end of the phase under way; is all over?
    pub fn step_phase(&mut self) -> bool {
        let phase = self.phase;
        while self.phase == phase && !self.step() {}
        self.phase == CegarPhase::Done
    }

    /// To the end.
    pub fn run(&mut self) {
        while !self.step() {}
    }

    /// Ends it where it is. The rounds so far stay.
    pub fn stop(&mut self, limit: Limit) {
        if self.phase == CegarPhase::Done {
            return;
        }
        self.ending = Some(if self.phase == CegarPhase::Prove {
            Ending::Safe(Err(limit))
        } else {
            Ending::Unknown(limit)
        });
        self.enter(CegarPhase::Done);
    }

    fn enter(&mut self, phase: CegarPhase) {
        let now = self.abstracted.domain.kernel.steps();
        let (before, took) = (self.phase, now.saturating_sub(self.since));
        self.since = now;
        self.phase = phase;
        let Some(round) = self.rounds.last_mut() else { return };
        match round.steps.iter_mut().find(|(known, _)| *known == before) {
            Some((_, steps)) => *steps += took,
            None => round.steps.push((before, took)),
        }
    }

    fn advance(&mut self) -> Bounded<()> {
        match self.phase {
            CegarPhase::Slice => self.advance_slice(),
            CegarPhase::Abstract => self.advance_abstraction(),
            CegarPhase::Check => self.advance_search(),
            CegarPhase::Dag => self.advance_extraction(),
            CegarPhase::Interpolate => self.advance_interpolation(),
            CegarPhase::Verify => self.advance_verification(),
            CegarPhase::Refine => self.refine(),
            CegarPhase::Prove => self.advance_proof(),
            CegarPhase::Done => Ok(()),
        }
    }

    fn advance_slice(&mut self) -> Bounded<()> {
        let Some(slice) = &mut self.slice else { return Ok(()) };
        if !slice.is_done() {
            return slice.step();
        }
        let Some(slice) = self.slice.take() else { return Ok(()) };
        if self.options.heuristic == Heuristic::SkipConciliated {
            self.outline = Some(Outline::new(&self.source, slice.inside()));
        }
        self.restart(Rc::new(sliced(&self.source, slice.inside())))?;
        self.is_sliced = true;
        self.enter(CegarPhase::Abstract);
        Ok(())
    }

    /// A new loop over this program; rounds so far are kept.
    fn restart(&mut self, program: Rc<Program>) -> Bounded<()> {
        let spent = self.abstracted.domain.kernel.steps();
        let limits =
            KernelLimits { max_steps: self.limits.max_steps.saturating_sub(spent), ..self.limits };
        self.limits = limits;
        self.abstracted = AbstractProgram::new(program, self.error_line, limits)?;
        self.abstracted.domain.kernel.collect_after_every_step(self.collect_every_step);
        self.abstracted.domain.kernel.set_alarm(self.alarm.clone());
        self.rounds = vec![Round::default()];
        self.inside = None;
        self.since = 0;
        if let Some(outline) = &mut self.outline {
            outline.forget();
        }
        Ok(())
    }

    fn advance_abstraction(&mut self) -> Bounded<()> {
        let before = self.abstracted.abstraction.abstracted();
        if !self.abstracted.abstraction.is_done() {
            self.abstracted.abstract_one()?;
            let made = self.abstracted.abstraction.abstracted() - before;
            if let Some(round) = self.rounds.last_mut() {
                round.rules_abstracted += made;
            }
            return Ok(());
        }
        if let Some(round) = self.rounds.last_mut() {
            round.predicates = self.abstracted.predicates.count();
            round.bits = self.abstracted.predicates.longest();
        }
        let inside = self.inside.clone();
        self.search = Some(AbstractSearch::new(
            &mut self.abstracted,
            self.options.extent,
            inside.as_deref(),
        )?);
        self.enter(CegarPhase::Check);
        Ok(())
    }

    fn advance_search(&mut self) -> Bounded<()> {
        let Some(search) = &mut self.search else { return Ok(()) };
        if !search.step(&mut self.abstracted)? {
            return Ok(());
        }
        if let Some(round) = self.rounds.last_mut() {
            round.ranks = search.rank();
        }
        if search.errors(&self.abstracted).is_empty() {
            return self.begin_proof();
        }
        self.extraction = Some(Extraction::new(&mut self.abstracted, search)?);
        self.enter(CegarPhase::Dag);
        Ok(())
    }

    fn advance_extraction(&mut self) -> Bounded<()> {
        // The first time, for the heuristic, which can do without.
        if let Some(slice) = &mut self.slice {
            if slice.is_done() {
                self.outline = Some(Outline::new(&self.source, slice.inside()));
                self.slice = None;
            } else if slice.step().is_err() {
                self.slice = None;
            }
            return Ok(());
        }
        if let Some(projection) = &mut self.projection {
            if projection.step(&mut self.abstracted)? {
                self.inside = self.projection.take().map(Projection::into_used);
                self.search = None;
                self.enter(CegarPhase::Interpolate);
            }
            return Ok(());
        }
        let (Some(search), Some(extraction)) = (&self.search, &mut self.extraction) else {
            return Ok(());
        };
        if !extraction.step(&mut self.abstracted, search)? {
            return Ok(());
        }
        let Some(extraction) = self.extraction.take() else { return Ok(()) };
        match extraction.finish(&mut self.abstracted, search)? {
            Some(Ok(extracted)) => {
                let (dag, heuristic) = (&extracted.dag, self.options.heuristic);
                let all = self.options.explain;
                let interpolation = if all {
                    Interpolation::new(dag, heuristic)
                } else {
                    Interpolation::of_chosen(dag, heuristic)
                };
                self.interpolation = Some(match self.outline.take() {
                    Some(outline) => interpolation.outlined(dag, outline),
                    None => interpolation,
                });
                if let Some(round) = self.rounds.last_mut() {
                    round.extracted = Some(extracted);
                }
                // What a search that stopped early did not come to may fail, too.
                if self.options.project && search.is_complete() {
                    self.projection = Some(Projection::new(&mut self.abstracted, search)?);
                    return Ok(());
                }
                self.search = None;
                self.enter(CegarPhase::Interpolate);
            }
            Some(Err(error)) => self.give_up(format!("the counterexample DAG is none: {error:?}")),
            None => self.give_up("an error is reached, and no trace leads to it".to_string()),
        }
        Ok(())
    }

    fn give_up(&mut self, fault: String) {
        self.fault = Some(fault);
        self.enter(CegarPhase::Done);
    }

    fn advance_interpolation(&mut self) -> Bounded<()> {
        let (Some(round), Some(interpolation)) = (self.rounds.last_mut(), &mut self.interpolation)
        else {
            return Ok(());
        };
        let Some(extracted) = &round.extracted else { return Ok(()) };
        if !interpolation.is_done() {
            let AbstractProgram { domain, relations, program, .. } = &mut self.abstracted;
            return interpolation
                .step(&mut Concrete { program, domain, relations }, &extracted.dag);
        }
        let Some(mut interpolation) = self.interpolation.take() else { return Ok(()) };
        self.outline = interpolation.take_outline();
        let interpolants = interpolation.into_result();
        let spurious = interpolants.is_spurious(&extracted.dag);
        self.verifying = Some(Verifying {
            families: claims(&interpolants).len(),
            all: obligations(&extracted.dag),
            next: 0,
        });
        round.interpolants = Some(interpolants);
        self.enter(if spurious { CegarPhase::Verify } else { CegarPhase::Refine });
        Ok(())
    }

    fn advance_verification(&mut self) -> Bounded<()> {
        let (Some(round), Some(verifying)) = (self.rounds.last_mut(), &mut self.verifying) else {
            return Ok(());
        };
        let (Some(extracted), Some(interpolants)) = (&round.extracted, &round.interpolants) else {
            return Ok(());
        };
        if verifying.next == verifying.families * verifying.all.len() {
            self.verifying = None;
            self.enter(CegarPhase::Refine);
            return Ok(());
        }
        let (family, obligation) = (
            verifying.next / verifying.all.len(),
            verifying.all[verifying.next % verifying.all.len()],
        );
        verifying.next += 1;
        let (family, bound) = claims(interpolants)[family];
        let AbstractProgram { domain, program, .. } = &mut self.abstracted;
        let (layout, frames, strongest) = (&domain.layout, &domain.frames, &interpolants.strongest);
        let claim =
            Claim { program, layout, frames, dag: &extracted.dag, strongest, family, bound };
        if claim.holds(&mut domain.kernel, obligation)? {
            round.proved += 1;
        } else {
            self.give_up(format!("an interpolant is none: {obligation:?}"));
        }
        Ok(())
    }

    /// Interpolants become predicates; or some trace is real.
    fn refine(&mut self) -> Bounded<()> {
        let number = self.rounds.len() as u32;
        let Some(round) = self.rounds.last_mut() else { return Ok(()) };
        let (Some(extracted), Some(interpolants)) = (&round.extracted, &round.interpolants) else {
            return Ok(());
        };
        let dag = &extracted.dag;
        if !interpolants.is_spurious(dag) {
            if self.is_sliced {
                // The run may be one of the sliced program only.
                self.restart(Rc::clone(&self.source))?;
                self.is_sliced = false;
                self.enter(CegarPhase::Abstract);
                return Ok(());
            }
            let errors = self.abstracted.system.errors.clone();
            let AbstractProgram { domain, relations, program, .. } = &mut self.abstracted;
            self.counterexample = concrete_trace(
                &mut Concrete { program, domain, relations },
                dag,
                &interpolants.strongest,
                &errors,
            )?;
            if self.counterexample.is_none() {
                self.give_up("the DAG has a real trace, and no run leads along it".to_string());
                return Ok(());
            }
            self.ending = Some(Ending::Unsafe);
            self.enter(CegarPhase::Done);
            return Ok(());
        }
        if number > self.options.max_rounds {
            return Err(Limit::Rounds);
        }
        let mut added = Vec::new();
        for family in &interpolants.chosen {
            let needed = if self.options.lazy {
                let known = known(&mut self.abstracted, extracted)?;
                let AbstractProgram { domain, relations, program, .. } = &mut self.abstracted;
                let needed =
                    needed(&mut Concrete { program, domain, relations }, dag, family, &known)?;
                let either = |k: usize| needed[k] || round.needed.get(k).copied().unwrap_or(false);
                round.needed = (0..needed.len()).map(either).collect();
                needed
            } else {
                vec![true; dag.node_count()]
            };
            for node in dag.node_ids().map(|node| node.0 as usize) {
                let (Some(point), true) = (extracted.points[node], needed[node]) else { continue };
                if self.abstracted.add(point, family[node], number) {
                    added.push((point, family[node]));
                }
            }
        }
        if added.is_empty() {
            self.give_up(format!("round {number} excludes its DAG with no new predicate"));
            return Ok(());
        }
        round.added = added;
        round.longest_after = self.abstracted.predicates.longest();
        self.enter(CegarPhase::Abstract);
        self.rounds.push(Round::default());
        Ok(())
    }

    /// No error is reached: what is reached means an invariant.
    fn begin_proof(&mut self) -> Bounded<()> {
        let Some(search) = self.search.take() else { return Ok(()) };
        self.ending = Some(Ending::Safe(Ok(())));
        self.enter(CegarPhase::Prove);
        let search = match self.inside {
            Some(_) => AbstractSearch::new(&mut self.abstracted, super::search::Extent::All, None)?,
            None => search,
        };
        self.proving = Some(Proving {
            search,
            reached: None,
            at: Vec::new(),
            invariant: None,
            all: Vec::new().into_iter(),
        });
        Ok(())
    }

    fn advance_proof(&mut self) -> Bounded<()> {
        let Some(proving) = &mut self.proving else { return Ok(()) };
        let locations = self.source.locations.len();
        if let Some(invariant) = &proving.invariant {
            let Some(obligation) = proving.all.next() else {
                self.enter(CegarPhase::Done);
                return Ok(());
            };
            let domain = &mut self.abstracted.domain;
            if !invariant::holds(
                &self.source,
                &domain.layout,
                &mut domain.kernel,
                invariant,
                obligation,
            )? {
                self.give_up(format!("the invariant is none: {obligation:?}"));
            }
        } else if let Some(reached) = &proving.reached {
            if let Some(weight) = reached.get(proving.at.len()).copied() {
                let location = LocationId(proving.at.len() as u32);
                let relation = if weight.is_false() {
                    Bdd::FALSE
                } else {
                    self.abstracted.relation(location, weight)?
                };
                proving.at.push(relation);
            } else {
                let tracked = self
                    .abstracted
                    .domain
                    .frames
                    .iter()
                    .map(|frame| frame.tracked.clone())
                    .collect();
                let errors =
                    self.error_line.map_or(invariant::Errors::All, invariant::Errors::Line);
                proving.invariant = Some(Invariant::new(std::mem::take(&mut proving.at), tracked));
                proving.all = invariant::obligations(&self.source, errors).into_iter();
            }
        } else if proving.search.step(&mut self.abstracted)? {
            let reached = proving.search.reached(&mut self.abstracted)?;
            proving.reached = Some(
                (0..locations as u32)
                    .map(|k| reached.get(&LocationId(k)).copied().unwrap_or(Bdd::FALSE))
                    .collect(),
            );
        }
        Ok(())
    }

    fn collect(&mut self) {
        if !self.abstracted.domain.kernel.is_collection_due() {
            return;
        }
        let extracting = (&self.search, &self.extraction, &self.projection);
        let interpolating = (&self.interpolation, &self.outline, &self.proving);
        let roots = roots_of(&[&self.abstracted, &self.rounds, &extracting, &interpolating]);
        self.abstracted.domain.kernel.collect(&roots);
    }
}

/// Every family with what bounds it: strongest, weakest (if they were asked for), then the chosen
/// ones.
fn claims(interpolants: &Interpolants) -> Vec<(&Family, &Family)> {
    let Interpolants { strongest, weakest, chosen, bounds, .. } = interpolants;
    let outer =
        [(strongest, weakest), (weakest, weakest)].into_iter().filter(|_| !weakest.is_empty());
    outer.chain(chosen.iter().zip(bounds)).collect()
}

/// What the abstract values at each node mean, in the signature of its predicates.
fn known(
    program: &mut AbstractProgram,
    extracted: &super::extraction::Extracted,
) -> Bounded<Vec<Bdd>> {
    let mut known = Vec::new();
    for node in extracted.dag.node_ids() {
        let k = node.0 as usize;
        let (Some(point), true) =
            (extracted.points[k], extracted.dag.node(node).point != DagPoint::Error)
        else {
            known.push(Bdd::TRUE);
            continue;
        };
        let mut meaning = program.meaning(point, extracted.states[k])?;
        if !extracted.dag.is_in_body(node) {
            let frame = &program.domain.frames[extracted.dag.procedure(node).0 as usize];
            let entry = program.domain.layout.cells_levels(&frame.tracked, Copy::Entry);
            let entry = program.domain.kernel.var_set(&entry);
            meaning = program.domain.kernel.exists(meaning, entry)?;
        }
        known.push(meaning);
    }
    Ok(known)
}

/// Which rules a restricted search may use.
pub(super) fn is_inside(inside: Option<&[bool]>, rule: RuleId) -> bool {
    inside.is_none_or(|inside| inside.get(rule.0 as usize).copied().unwrap_or(true))
}
