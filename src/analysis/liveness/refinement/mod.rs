//! Counterexample-guided abstraction refinement for formulas and termination (thesis, 8.2).
//!
//! The product of program and automaton is abstracted by predicates ([`abstracted`]), and the
//! abstraction is searched for an accepting run like any product. If it has none, the product has
//! none. If it has one, the run is a lasso α β^ω of the product's edges, and perhaps not one of its
//! runs. Then some α β^i cannot be executed, and the least such i is found by squaring
//! ([`unrolling`]). The unrolled trace is a counterexample DAG of one trace, and its interpolants
//! become predicates as those of a finite counterexample do ([`crate::analysis::cegar`]). If the
//! cycle can be executed for ever, the part of the product that goes along the lasso has an
//! accepting run, which is found there with values. "Holds" is proved of the product itself: the
//! abstraction's invariant, and the meaning of its ranking ([`certificate`]).
//!
//! Who drives the loop searches products for it: [`Turn::Search`] and [`Turn::Concretize`].
//!
//! Where a cycle counts, every value of the counter becomes a predicate. A point that would get too
//! many of them, or a trace that is too long, makes the loop follow whole variables: each of their
//! bits is a predicate wherever it is seen. With all variables the abstraction is the product; so
//! the loop ends.

pub mod abstracted;
pub mod certificate;
pub mod unrolling;

use super::product::{Product, TARGET};
use crate::analysis::cegar::abstract_program::AbstractProgram;
use crate::analysis::cegar::concrete::Concrete;
use crate::analysis::cegar::extracted::Extracted;
use crate::analysis::cegar::following::{mentioned, read_along, trace_dag};
use crate::analysis::cegar::interpolants::Interpolants;
use crate::analysis::cegar::interpolation::Interpolation;
use crate::analysis::cegar::predicates::ProgramPoint;
use crate::analysis::cegar::refinement::proof::{Proof, Proved};
use crate::analysis::cegar::refinement::verification::{Verification, Verified};
use crate::analysis::cegar::round::Round;
use crate::bdd::{Bdd, KernelLimits, Roots, impl_roots, roots_of};
use crate::cfg::{read_by, read_in};
use crate::encode::ProgramDomain;
use crate::lang::interpreter::ConcreteRun;
use crate::lang::model::{EdgeId, LocationId, Program, VariableId};
use crate::util::{Alarm, Bounded, Limit};
use crate::wire::refinement::{CegarPhase, Heuristic};
use abstracted::{
    AbstractProduct, Marked, abstract_product, abstraction, follow, points, restricted,
};
use certificate::{AbstractRanking, Certificate};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use unrolling::{CyclicTrace, Unrolled, Unroller};

/// The most statements of an unrolled trace on which interpolants are computed.
const MOST_STATEMENTS: u64 = 4_000;
/// A point that would get more predicates than this makes the loop follow variables.
const MOST_AT_A_POINT: usize = 20;

/// One round: abstract, search, unroll, interpolate, refine.
#[derive(Clone, Debug, Default)]
pub struct LassoRound {
    /// What a round of every refinement has. Its DAG is the unrolled trace.
    pub round: Round,
    /// The abstract lasso, by edges of the product; `None` where the abstraction has none.
    pub trace: Option<CyclicTrace>,
    /// How often its cycle can be executed.
    pub unrolled: Option<Unrolled>,
}

impl_roots!(LassoRound { round });

/// What one step of the loop comes to.
pub enum Turn {
    /// There is more to do.
    NotYet,
    /// An abstract product is to be searched: [`Refinement::found`] or [`Refinement::nothing`].
    Search(Rc<Product>),
    /// The last lasso is real. This part of the product, whose edges have the same numbers, has an
    /// accepting run.
    Concretize(Rc<Product>),
    /// The product has no accepting run. The abstraction's invariant and its ranking were proved of
    /// the product, or this limit stopped the proof.
    Holds(Result<(), Limit>),
    /// A check contradicts the engine.
    Contradiction(String),
}

enum Phase {
    /// Rules are abstracted.
    Abstract,
    /// The abstract product is searched elsewhere.
    Asked(AbstractProduct),
    /// How often can the last round's cycle be executed?
    Unroll,
    /// Interpolants of the unrolled trace are computed.
    Interpolate { extracted: Rc<Extracted>, interpolation: Box<Interpolation> },
    /// They are proved.
    Verify(Verification),
    /// The invariant of the last abstraction is proved of the product; then its ranking.
    Prove(Proof, Result<Box<Certificate>, Limit>),
    /// The ranking of the last abstraction is proved of the product.
    Certify(Box<Certificate>),
    /// Nothing is left to do here.
    Over,
}

impl Phase {
    /// What the loop for assertions calls it. What was searched elsewhere is told when it comes
    /// back.
    fn word(&self) -> Option<CegarPhase> {
        Some(match self {
            Phase::Abstract => CegarPhase::Abstract,
            Phase::Asked(_) | Phase::Over => return None,
            Phase::Unroll => CegarPhase::Dag,
            Phase::Interpolate { .. } => CegarPhase::Interpolate,
            Phase::Verify(_) => CegarPhase::Verify,
            Phase::Prove(..) | Phase::Certify(_) => CegarPhase::Prove,
        })
    }
}

impl Roots for Phase {
    fn roots(&self, roots: &mut Vec<Bdd>) {
        match self {
            Phase::Interpolate { extracted, interpolation } => {
                extracted.roots(roots);
                interpolation.roots(roots);
            }
            Phase::Prove(proof, certificate) => {
                proof.roots(roots);
                if let Ok(certificate) = certificate {
                    certificate.roots(roots);
                }
            }
            Phase::Certify(certificate) => certificate.roots(roots),
            // What is verified belongs to the last round.
            Phase::Verify(_) | Phase::Abstract | Phase::Asked(_) | Phase::Unroll | Phase::Over => {}
        }
    }
}

/// The loop. Invariant: there is at least one round; the last one is under way.
pub struct Refinement {
    product: Rc<Product>,
    marked: Marked,
    abstracted: AbstractProgram,
    unroller: Unroller,
    max_rounds: u32,
    rounds: Vec<LassoRound>,
    phase: Phase,
    /// How many variables the program has; those behind them are the product's.
    variables: usize,
    followed: BTreeSet<VariableId>,
    /// Are the weakest interpolants kept beside the chosen ones, to be looked at?
    explains: bool,
}

impl Refinement {
    /// Prepares the loop on a product of a program. More than `max_rounds` refinements are
    /// [`Limit::Rounds`].
    pub fn new(
        program: &Program,
        product: Rc<Product>,
        limits: KernelLimits,
        max_rounds: u32,
    ) -> Bounded<Refinement> {
        let marked = Marked::of(&product);
        let variables = program.variables.len();
        Ok(Refinement {
            abstracted: abstraction(&product, &marked, variables, limits)?,
            unroller: Unroller::new(Rc::clone(&marked.program), limits)?,
            product,
            marked,
            max_rounds,
            rounds: vec![LassoRound::default()],
            phase: Phase::Abstract,
            variables,
            followed: BTreeSet::new(),
            explains: false,
        })
    }

    /// From now on the weakest interpolants are kept beside the chosen ones, to be looked at.
    pub fn explain(&mut self) {
        self.explains = true;
    }

    /// The rounds so far; the last one may be under way.
    pub fn rounds(&self) -> &[LassoRound] {
        &self.rounds
    }

    /// The program of the product with edges that mark places; traces are made of its edges.
    pub fn marked(&self) -> &Rc<Program> {
        &self.marked.program
    }

    /// The product.
    pub fn product(&self) -> &Rc<Product> {
        &self.product
    }

    /// The abstraction.
    pub fn abstraction(&self) -> &AbstractProgram {
        &self.abstracted
    }

    /// The same, to read formulas over it.
    pub fn abstracted(&mut self) -> &mut AbstractProgram {
        &mut self.abstracted
    }

    /// Is this variable one that the product has added?
    pub fn is_added(&self, variable: VariableId) -> bool {
        variable.0 as usize >= self.variables
    }

    /// Steps of both kernels.
    pub fn steps(&self) -> u64 {
        self.abstracted.domain.kernel.steps() + self.unroller.steps()
    }

    /// A flag by which a driver with a clock ends what takes long inside one step.
    pub fn set_alarm(&mut self, alarm: Option<Alarm>) {
        self.abstracted.domain.kernel.set_alarm(alarm.clone());
        self.unroller.set_alarm(alarm);
    }

    /// The abstract product that was asked about has this accepting run.
    pub fn found(&mut self, location: LocationId, prefix: &ConcreteRun, cycle: &ConcreteRun) {
        if let Phase::Asked(asked) = &self.phase {
            let (prefix, round) = (asked.edges(prefix), asked.edges(cycle));
            let is_place = (location.0 as usize) < self.product.program.locations.len();
            let accepting = is_place.then(|| self.marked.accepting(location)).flatten();
            let cycle = accepting.into_iter().chain(round).collect();
            self.round().round.took(CegarPhase::Check, 0);
            self.round().trace = Some(CyclicTrace { prefix, cycle, location });
            self.phase = Phase::Unroll;
        }
    }

    /// The abstract product that was asked about has no accepting run: the ranking that the search
    /// has left, by round and location, over this domain.
    pub fn nothing(&mut self, domain: &mut ProgramDomain, rounds: &[Vec<Bdd>]) {
        let Phase::Asked(asked) = &self.phase else { return };
        let words = asked.product.words.as_ref().map_or(&[][..], |words| &words.of_procedure);
        let ranking = AbstractRanking { domain, rounds, words };
        let certificate = Certificate::new(ranking, &self.product, &mut self.abstracted);
        self.round().round.took(CegarPhase::Check, 0);
        self.phase = Phase::Prove(Proof::ExploreAgain, certificate.map(Box::new));
    }

    /// The same, where the search has not proved its ranking.
    pub fn nothing_proved(&mut self) {
        self.round().round.took(CegarPhase::Check, 0);
        self.phase = Phase::Prove(Proof::ExploreAgain, Err(Limit::Rounds));
    }

    /// Does one bounded piece of work.
    pub fn step(&mut self) -> Bounded<Turn> {
        let (phase, before, number) = (self.phase.word(), self.steps(), self.rounds.len() - 1);
        let turn = self.advance();
        let steps = self.steps() - before;
        if let Some(phase) = phase {
            self.rounds[number].round.took(phase, steps);
        }
        turn
    }

    fn advance(&mut self) -> Bounded<Turn> {
        let turn = match std::mem::replace(&mut self.phase, Phase::Over) {
            Phase::Abstract => self.abstract_rules()?,
            Phase::Asked(asked) => {
                self.phase = Phase::Asked(asked);
                Turn::NotYet
            }
            Phase::Unroll => self.unroll()?,
            Phase::Interpolate { extracted, interpolation } => {
                self.interpolate(extracted, interpolation)?
            }
            Phase::Verify(verification) => self.verify(verification)?,
            Phase::Prove(proof, certificate) => self.prove(proof, certificate),
            Phase::Certify(certificate) => self.certify(certificate),
            Phase::Over => Turn::NotYet,
        };
        if self.abstracted.domain.kernel.is_collection_due() {
            let roots = roots_of(&[&self.abstracted, &self.rounds, &self.phase]);
            self.abstracted.domain.kernel.collect(&roots);
        }
        Ok(turn)
    }

    fn round(&mut self) -> &mut LassoRound {
        self.rounds.last_mut().expect("there is at least one round")
    }

    fn abstract_rules(&mut self) -> Bounded<Turn> {
        if !self.abstracted.abstraction.is_done() {
            let before = self.abstracted.abstraction.abstracted();
            self.abstracted.abstract_one()?;
            let made = self.abstracted.abstraction.abstracted() - before;
            self.round().round.rules_abstracted += made;
            self.phase = Phase::Abstract;
            return Ok(Turn::NotYet);
        }
        let predicates = &self.abstracted.predicates;
        let (count, longest) = (predicates.count(), predicates.longest());
        let follows = (!self.followed.is_empty()).then_some(self.followed.len());
        let round = &mut self.round().round;
        (round.predicates, round.bits, round.follows) = (count, longest, follows);
        let asked = abstract_product(&self.product, &mut self.abstracted)?;
        let product = Rc::clone(&asked.product);
        self.phase = Phase::Asked(asked);
        Ok(Turn::Search(product))
    }

    fn unroll(&mut self) -> Bounded<Turn> {
        let Some(trace) = self.round().trace.clone() else { return Ok(Turn::NotYet) };
        let failure = match (trace.location.0 as usize) < self.product.program.locations.len() {
            true => self.marked.failure(trace.location),
            false => None,
        };
        let (Some(failure), false) = (failure, trace.cycle.is_empty()) else {
            return Ok(Turn::Contradiction("an abstract cycle goes nowhere".to_string()));
        };
        let unrolled = self.unroller.unrolled(&trace)?;
        self.round().unrolled = Some(unrolled);
        let Some(least) = unrolled.least else {
            let along: BTreeSet<EdgeId> =
                trace.prefix.iter().chain(&trace.cycle).copied().collect();
            let part = restricted(&self.product, |edge| along.contains(&edge));
            return Ok(Turn::Concretize(Rc::new(part)));
        };
        let length = (trace.cycle.len() as u64).saturating_mul(least);
        if length.saturating_add(trace.prefix.len() as u64) > MOST_STATEMENTS {
            let read = self.read_in_cycle(&trace);
            return match self.follow(read)? {
                true => self.next_round(),
                false => Err(Limit::Depth),
            };
        }
        let mut edges = trace.prefix.clone();
        for _ in 0..least {
            edges.extend(&trace.cycle);
        }
        edges.push(failure.edge);
        let extracted = match trace_dag(&self.marked.program, &edges, failure) {
            Ok(extracted) => Rc::new(extracted),
            Err(error) => {
                return Ok(Turn::Contradiction(format!("the trace's DAG is none: {error:?}")));
            }
        };
        self.round().round.extracted = Some(Rc::clone(&extracted));
        let heuristic = Heuristic::SkipConciliated;
        let interpolation = match self.explains {
            true => Interpolation::new(&extracted.dag, heuristic),
            false => Interpolation::of_chosen(&extracted.dag, heuristic),
        };
        let interpolation = Box::new(interpolation);
        self.phase = Phase::Interpolate { extracted, interpolation };
        Ok(Turn::NotYet)
    }

    fn interpolate(
        &mut self,
        extracted: Rc<Extracted>,
        mut interpolation: Box<Interpolation>,
    ) -> Bounded<Turn> {
        if !interpolation.is_done() {
            let AbstractProgram { domain, relations, program, .. } = &mut self.abstracted;
            interpolation.step(&mut Concrete { program, domain, relations }, &extracted.dag)?;
            self.phase = Phase::Interpolate { extracted, interpolation };
            return Ok(Turn::NotYet);
        }
        let interpolants = Rc::new(interpolation.into_result());
        self.round().round.interpolants = Some(Rc::clone(&interpolants));
        if !interpolants.is_spurious(&extracted.dag) {
            let fault = "a trace that cannot be executed by squaring can be executed".to_string();
            return Ok(Turn::Contradiction(fault));
        }
        self.phase = Phase::Verify(Verification::new(extracted, interpolants));
        Ok(Turn::NotYet)
    }

    fn verify(&mut self, mut verification: Verification) -> Bounded<Turn> {
        match verification.step(&mut self.abstracted)? {
            Verified::Holds => {
                self.round().round.proved += 1;
                self.phase = Phase::Verify(verification);
                Ok(Turn::NotYet)
            }
            Verified::Broken(obligation) => {
                Ok(Turn::Contradiction(format!("an interpolant is none: {obligation:?}")))
            }
            Verified::All(extracted, interpolants) => self.refine(&extracted, &interpolants),
        }
    }

    /// Interpolants become predicates, or the variables that they mention are followed.
    fn refine(&mut self, extracted: &Extracted, interpolants: &Interpolants) -> Bounded<Turn> {
        let number = self.rounds.len() as u32;
        let mut at: BTreeMap<ProgramPoint, Vec<Bdd>> = BTreeMap::new();
        for family in &interpolants.chosen {
            for node in extracted.dag.node_ids() {
                let (Some(point), formula) = (extracted.points[node], family[node]) else {
                    continue;
                };
                if !formula.is_constant() {
                    let list = at.entry(point).or_default();
                    if !list.contains(&formula) && !list.contains(&!formula) {
                        list.push(formula);
                    }
                }
            }
        }
        let fits = at.iter().all(|(point, list)| {
            self.abstracted.predicates.at(*point).len() + list.len() <= MOST_AT_A_POINT
        });
        if fits {
            let mut added = Vec::new();
            for (point, list) in &at {
                for formula in list {
                    if self.abstracted.add(*point, *formula, number) {
                        added.push((*point, *formula));
                    }
                }
            }
            let is_refined = !added.is_empty();
            self.round().round.took(CegarPhase::Refine, 0);
            self.round().round.added = added;
            if is_refined {
                return self.next_round();
            }
        }
        let formulas: Vec<Bdd> = at.into_values().flatten().collect();
        let domain = &self.abstracted.domain;
        let asked = mentioned(&domain.kernel, &domain.layout, &formulas);
        let read = read_along(&self.marked.program, extracted);
        let all = (0..self.variables as u32).map(VariableId).collect();
        for variables in [asked, read, all] {
            if self.follow(variables)? {
                return self.next_round();
            }
        }
        let fault = format!("round {number} excludes its lasso with no new predicate");
        Ok(Turn::Contradiction(fault))
    }

    /// Follows these variables. Returns whether that says more than the predicates before.
    fn follow(&mut self, variables: BTreeSet<VariableId>) -> Bounded<bool> {
        let number = self.rounds.len() as u32;
        let mut new = Vec::new();
        for variable in variables {
            if self.followed.insert(variable) && follow(&mut self.abstracted, variable, number)? {
                new.push(variable);
            }
        }
        let is_new = !new.is_empty();
        self.round().round.took(CegarPhase::Refine, 0);
        self.round().round.followed = new;
        Ok(is_new)
    }

    /// The variables that statements of a cycle read.
    fn read_in_cycle(&self, trace: &CyclicTrace) -> BTreeSet<VariableId> {
        let mut read = BTreeSet::new();
        for id in &trace.cycle {
            let edge = self.marked.program.edge(*id);
            edge.checks.iter().for_each(|check| read_in(&check.condition, &mut read));
            read_by(&edge.operation, &mut read);
        }
        read
    }

    fn next_round(&mut self) -> Bounded<Turn> {
        if self.rounds.len() as u32 > self.max_rounds {
            return Err(Limit::Rounds);
        }
        let longest = self.abstracted.predicates.longest();
        self.round().round.longest_after = longest;
        self.rounds.push(LassoRound::default());
        self.phase = Phase::Abstract;
        Ok(Turn::NotYet)
    }

    /// Proves that the last abstraction holds what the product reaches.
    fn prove(&mut self, mut proof: Proof, certificate: Result<Box<Certificate>, Limit>) -> Turn {
        match proof.step(&mut self.abstracted, &self.marked.program, Some(TARGET)) {
            Ok(Proved::NotYet) => {
                self.phase = Phase::Prove(proof, certificate);
                Turn::NotYet
            }
            Ok(Proved::Broken(obligation)) => {
                Turn::Contradiction(format!("the abstraction's invariant is none: {obligation:?}"))
            }
            Ok(Proved::All) => match certificate {
                Ok(mut certificate) => {
                    certificate.set_invariant(proof.into_invariant());
                    self.phase = Phase::Certify(certificate);
                    Turn::NotYet
                }
                Err(limit) => Turn::Holds(Err(limit)),
            },
            Err(limit) => Turn::Holds(Err(limit)),
        }
    }

    /// Proves that the meaning of the last abstraction's ranking is a ranking of the product.
    fn certify(&mut self, mut certificate: Box<Certificate>) -> Turn {
        match certificate.step(&mut self.abstracted, &self.product) {
            Ok(None) => {
                self.phase = Phase::Certify(certificate);
                Turn::NotYet
            }
            Ok(Some(true)) => Turn::Holds(Ok(())),
            Ok(Some(false)) => {
                let fault = "the ranking of the abstraction is none of the program".to_string();
                Turn::Contradiction(fault)
            }
            Err(limit) => Turn::Holds(Err(limit)),
        }
    }

    /// How many predicates the points of the program have beside those of the product's variables.
    pub fn own_predicates(&self) -> usize {
        let program = &self.marked.program;
        points(program)
            .into_iter()
            .flat_map(|point| self.abstracted.predicates.at(point))
            .filter(|predicate| {
                let formulas = [predicate.formula];
                let domain = &self.abstracted.domain;
                mentioned(&domain.kernel, &domain.layout, &formulas)
                    .iter()
                    .any(|variable| !self.is_added(*variable))
            })
            .count()
    }
}
