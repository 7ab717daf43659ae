//! The pushdown lab: a saturation of what was loaded, recorded step by step, and questions about
//! it.
//!
//! A raw system is saturated as it is. For a program its own pushdown system is saturated, with
//! relations between stores as weights. There, loops are followed round by round, and callees are
//! entered with the stores that reach them. In both cases names of states and symbols, regular sets
//! and replays are those of a [`RawSystem`].

mod naming;
mod program;
mod raw;
mod run;
mod weight;

use super::{Budgets, Job, Session};
use crate::analysis::recorded::Recorded;
use crate::bdd::KernelLimits;
use crate::encode::{
    ProgramDomain, RawAffine, RawConstants, RawDomain, RawRelations, configurations, raw_domain,
};
use crate::lang::diagnostic::{Diagnostic, Diagnostics};
use crate::lang::raw::replay::Configuration;
use crate::lang::raw::text::read_set;
use crate::lang::raw::{ConfigurationSet, RawSystem};
use crate::pds::transducer::{Seeds, Transducer, grow_start, pop_start};
use crate::pds::{BackwardWeights, ForwardWeights, PAutomaton, Pds, Plain, Star, State};
use crate::semiring::affine::{Modular, Rationals};
use crate::semiring::{Boolean, MinPath};
use crate::util::{Alarm, Bounded, Limit, Progress, Stage};
use crate::wire::lab::{LabOptions, LabTask};
pub use program::LabProgram;
pub use run::LabRunFound;
use std::rc::Rc;
pub use weight::{Found, LabWeight};

/// The most transitions of an automaton for a set, and the most transitions that a question may
/// look at.
const MOST: u64 = 4_000_000;
/// The most heads ⟨p, γ⟩ of a system for which a transducer is built.
const MOST_HEADS: u64 = 400;

/// The request, with its budgets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabRequest {
    /// What to build.
    pub options: LabOptions,
    /// Most transitions of an automaton.
    pub max_transitions: u64,
    /// The budgets of the kernel, for programs.
    pub budgets: Budgets,
}

/// A problem with a request or a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LabProblem {
    /// The text of a set is wrong. Its diagnostics have the places.
    Set(Vec<Diagnostic>),
    /// The second set of a question is wrong.
    SecondSet(Vec<Diagnostic>),
    /// The question is impossible: a sentence, and what to do instead.
    Refused(&'static str, &'static str),
    /// A limit was hit.
    Limit(Limit),
}

impl From<Limit> for LabProblem {
    fn from(limit: Limit) -> LabProblem {
        LabProblem::Limit(limit)
    }
}

/// The answer to a question about a transducer that was not built.
const NO_TRANSDUCER: LabProblem = LabProblem::Refused(
    "there is no transducer",
    "build the transducer first, with more steps if it was not finished",
);

/// The reason why a recording ended before its automaton was saturated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The allowed number of steps.
    Steps,
    /// The allowed number of transitions.
    Transitions,
    /// A limit of the kernel, or the driver's clock.
    Limit(Limit),
}

/// The operations that the lab needs of a domain, in addition to saturation.
pub trait LabDomain: ForwardWeights + BackwardWeights + Sized {
    /// "Skip", if the domain has one weight for it.
    fn one(&mut self) -> Bounded<Self::Weight>;
    /// The weight of a set in an automaton of the lab, and paths that make it.
    fn read(
        lab: &mut Lab<Self>,
        automaton: &PAutomaton<Self::Weight>,
        star: Star,
        set: &PAutomaton<bool>,
    ) -> Bounded<LabWeight<Self::Weight>>;
    /// The weight of the rules of a run from a configuration, one after the other.
    fn weigh(lab: &mut Lab<Self>, start: &Configuration, rules: &[u32]) -> Bounded<Self::Weight>;
    /// The weight of all runs from one set to another, by the transducer. It comes with a run of
    /// post\* of the first set, whose weight is compared. Default: there is no transducer.
    fn transfer(
        _lab: &mut Lab<Self>,
        _from: &ConfigurationSet,
        _to: &ConfigurationSet,
    ) -> Result<LabWeight<Self::Weight>, LabProblem> {
        Err(NO_TRANSDUCER)
    }
    /// Collects garbage, if there is any.
    fn collect(_lab: &mut Lab<Self>) {}
}

/// A lab over one domain.
pub struct Lab<D: LabDomain> {
    /// The names, and the rules as they are replayed.
    pub system: Rc<RawSystem>,
    /// The rules.
    pub pds: Pds,
    /// The weights.
    pub domain: D,
    /// The program from which the rules come, if there is one.
    pub program: Option<LabProgram>,
    task: LabTask,
    base: ConfigurationSet,
    recorded: Vec<Recorded<D>>,
    seeds: Seeds,
    transducer: Option<Transducer<D::Weight>>,
    max_steps: u64,
    max_transitions: u64,
    steps: u64,
    stopped: Option<Stopped>,
}

/// A lab over one of the existing domains.
pub enum LabSession {
    /// Raw systems without weights.
    Boolean(Lab<Plain<Boolean>>),
    /// Raw systems with natural numbers.
    MinPath(Lab<Plain<MinPath>>),
    /// Raw systems with relations between stores.
    Relation(Box<Lab<Plain<RawRelations>>>),
    /// Raw systems with affine relations of integers that never wrap.
    Rational(Box<Lab<Plain<RawAffine<Rationals>>>>),
    /// Raw systems with affine relations modulo 2^w.
    Modular(Box<Lab<Plain<RawAffine<Modular>>>>),
    /// Raw systems with constants.
    Constants(Box<Lab<Plain<RawConstants>>>),
    /// Programs.
    Program(Box<Lab<ProgramDomain>>),
}

/// Does the same for the domain of any [`LabSession`].
macro_rules! each_lab {
    ($session:expr, $lab:ident => $result:expr) => {
        match $session {
            $crate::session::LabSession::Boolean($lab) => $result,
            $crate::session::LabSession::MinPath($lab) => $result,
            $crate::session::LabSession::Relation($lab) => $result,
            $crate::session::LabSession::Rational($lab) => $result,
            $crate::session::LabSession::Modular($lab) => $result,
            $crate::session::LabSession::Constants($lab) => $result,
            $crate::session::LabSession::Program($lab) => $result,
        }
    };
}

pub(crate) use each_lab;

impl Job for LabSession {
    fn step(&mut self) -> bool {
        each_lab!(self, lab => lab.step())
    }

    fn stop(&mut self, limit: Limit) {
        each_lab!(self, lab => lab.stopped = Some(Stopped::Limit(limit)));
    }

    fn limit(&self) -> Option<Limit> {
        match each_lab!(self, lab => lab.stopped) {
            None => None,
            Some(Stopped::Steps) => Some(Limit::Steps),
            Some(Stopped::Transitions) => Some(Limit::Nodes),
            Some(Stopped::Limit(limit)) => Some(limit),
        }
    }

    fn progress(&self) -> Progress {
        let over = each_lab!(self, lab => lab.stopped.is_some() || lab.is_complete());
        let stage = if over { Stage::Done } else { Stage::Saturation };
        Progress {
            stage,
            items: self.steps(),
            nodes: self.transitions(),
            steps: 0,
            ..Progress::default()
        }
    }

    fn set_alarm(&mut self, alarm: Alarm) {
        match self {
            LabSession::Program(lab) => lab.domain.kernel.set_alarm(Some(alarm)),
            LabSession::Relation(lab) => {
                lab.domain.semiring.relations.kernel.set_alarm(Some(alarm))
            }
            // The other domains have no kernel.
            _ => {}
        }
    }
}

impl LabSession {
    /// Prepares a lab for the text that a session has loaded. Nothing is saturated yet.
    pub fn new(session: &Session, request: &LabRequest) -> Result<LabSession, LabProblem> {
        if request.options.task == LabTask::Unrolling {
            return Err(LabProblem::Refused(
                "an unrolling is no saturation",
                "the bounded engine makes it",
            ));
        }
        if let Some(raw) = session.raw() {
            let system = raw.shared_system();
            let limits = KernelLimits {
                max_nodes: request.budgets.max_nodes,
                max_steps: request.budgets.max_steps,
            };
            return Ok(match raw_domain(&system, limits)? {
                RawDomain::Boolean(domain) => {
                    LabSession::Boolean(Lab::raw(system, domain, request)?)
                }
                RawDomain::MinPath(domain) => {
                    LabSession::MinPath(Lab::raw(system, domain, request)?)
                }
                RawDomain::Relation(domain) => {
                    LabSession::Relation(Box::new(Lab::raw(system, *domain, request)?))
                }
                RawDomain::Rational(domain) => {
                    LabSession::Rational(Box::new(Lab::raw(system, domain, request)?))
                }
                RawDomain::Modular(domain) => {
                    LabSession::Modular(Box::new(Lab::raw(system, domain, request)?))
                }
                RawDomain::Constants(domain) => {
                    LabSession::Constants(Box::new(Lab::raw(system, domain, request)?))
                }
            });
        }
        match session.shared_program() {
            Some(program) => Ok(LabSession::Program(Box::new(Lab::program(
                program,
                session.options().error,
                request,
            )?))),
            None => Err(LabProblem::Refused(
                "there is nothing to saturate: the text could not be read",
                "mend what the editor marks",
            )),
        }
    }

    /// The number of recorded steps.
    pub fn steps(&self) -> u64 {
        each_lab!(self, lab => lab.steps)
    }

    /// The number of transitions of the automaton that is being saturated.
    pub fn transitions(&self) -> u64 {
        each_lab!(self, lab => lab.recorded.last().map_or(0, |recorded| recorded.automaton().transitions().len() as u64))
    }
}

impl<D: LabDomain> Lab<D> {
    /// The task of the lab.
    pub fn task(&self) -> LabTask {
        self.task
    }

    /// The saturations: one, or `A_pop` and `A_grow`.
    pub fn recorded(&self) -> &[Recorded<D>] {
        &self.recorded
    }

    /// The transducer, once it is built.
    pub fn transducer(&self) -> Option<&Transducer<D::Weight>> {
        self.transducer.as_ref()
    }

    /// q_{p,γ} of `A_grow`.
    pub fn seeds(&self) -> &Seeds {
        &self.seeds
    }

    /// The set that was saturated.
    pub fn base(&self) -> &ConfigurationSet {
        &self.base
    }

    /// The most transitions that are recorded.
    pub fn max_transitions(&self) -> u64 {
        self.max_transitions
    }

    /// The reason why it ended early, if it did.
    pub fn stopped(&self) -> Option<Stopped> {
        self.stopped
    }

    /// Is everything built that was requested?
    pub fn is_complete(&self) -> bool {
        let built = self.task != LabTask::Transducer || self.transducer.is_some();
        built && self.recorded.iter().all(Recorded::is_done)
    }

    fn step(&mut self) -> bool {
        if self.stopped.is_some() || self.is_complete() {
            return true;
        }
        if let Err(limit) = self.advance() {
            self.stopped = Some(Stopped::Limit(limit));
        }
        D::collect(self);
        self.stopped.is_some() || self.is_complete()
    }

    fn advance(&mut self) -> Bounded<()> {
        let Some(current) = self.recorded.last_mut() else { return Ok(()) };
        if !current.is_done() {
            if self.steps >= self.max_steps {
                self.stopped = Some(Stopped::Steps);
            } else if current.automaton().transitions().len() as u64 > self.max_transitions {
                self.stopped = Some(Stopped::Transitions);
            } else {
                current.step(&self.pds, &mut self.domain)?;
                self.steps += 1;
            }
            return Ok(());
        }
        let one = self.domain.one()?;
        if self.recorded.len() == 1 {
            let (start, seeds) = grow_start(&self.pds, &one);
            self.seeds = seeds;
            self.recorded.push(Recorded::post(&self.domain, start, Vec::new()));
            return Ok(());
        }
        let phases = (
            self.recorded[0].automaton().clone(),
            self.recorded[1].automaton().clone(),
            self.seeds.clone(),
        );
        if phases.1.transitions().len() as u64 * u64::from(self.pds.locations()) > MOST {
            return Err(Limit::Nodes);
        }
        self.transducer = Some(Transducer::of_phases(&self.pds, &mut self.domain, phases, &one)?);
        Ok(())
    }

    /// Reads a set in the system's names.
    fn read_set(&self, text: &str) -> Result<ConfigurationSet, Vec<Diagnostic>> {
        let mut diagnostics = Diagnostics::default();
        let set = read_set(&self.system, text, &mut diagnostics);
        set.ok_or_else(|| diagnostics.finish())
    }

    fn set_automaton(&self, set: &ConfigurationSet) -> Bounded<PAutomaton<bool>> {
        configurations(&self.system, set, MOST)
    }

    /// The automaton of a set. Every transition has the weight `one`.
    fn weighted(&self, set: &ConfigurationSet, one: &D::Weight) -> Bounded<PAutomaton<D::Weight>> {
        let unweighted = self.set_automaton(set)?;
        let mut automaton = PAutomaton::new(unweighted.locations());
        while automaton.states() < unweighted.states() {
            automaton.add_state();
        }
        for state in (0..unweighted.states()).map(State).filter(|state| unweighted.is_final(*state))
        {
            automaton.set_final(state);
        }
        for transition in unweighted.transitions() {
            automaton.insert(*transition, one.clone());
        }
        Ok(automaton)
    }

    /// Begins the requested saturation. `start`: the automaton of the set, with weights.
    fn begin(
        &mut self,
        start: impl FnOnce(&mut Self) -> Bounded<PAutomaton<D::Weight>>,
        priority: Vec<u32>,
    ) -> Result<(), LabProblem> {
        let recorded = match self.task {
            LabTask::Post => {
                let initial = start(self)?;
                Recorded::post(&self.domain, initial, priority)
            }
            LabTask::Pre => {
                let target = start(self)?;
                Recorded::pre(&self.pds, &mut self.domain, target, priority)?
            }
            LabTask::Transducer | LabTask::Unrolling => {
                if u64::from(self.pds.locations()) * u64::from(self.pds.symbols()) > MOST_HEADS {
                    let hint = "look at post* or pre* of a set, or at a smaller system";
                    return Err(LabProblem::Refused(
                        "a transducer is built for at most 400 pairs of a state and a symbol",
                        hint,
                    ));
                }
                Recorded::pre(&self.pds, &mut self.domain, pop_start(&self.pds), Vec::new())?
            }
        };
        self.recorded.push(recorded);
        Ok(())
    }
}
