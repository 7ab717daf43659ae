//! The lab of a program: its pushdown system with names, relations as weights, and sets that mean
//! stores on top of the stack.

use super::naming::{named, return_sites};
use super::weight::{Found, LabWeight};
use super::{Lab, LabDomain, LabProblem, LabRequest};
use crate::bdd::{Bdd, KernelLimits, Manager, roots_of};
use crate::encode::{AccelerateLoops, CONTROL, Layout, ProgramDomain, ProgramSystem, symbol};
use crate::lang::model::{LocationId, ProcedureId, Program};
use crate::lang::raw::replay::Configuration;
use crate::pds::transducer::Seeds;
use crate::pds::{ForwardWeights, PAutomaton, ReadPath, Right, RuleId, Star, State, Transition};
use crate::util::Bounded;
use crate::wire::lab::LabTask;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A state of an automaton, and a state of the set over which it is read.
type Frame = (State, State);

/// By frame: a growing list of sets of stores that enter it, each with the path that brought the
/// new stores.
type FrameEntries = BTreeMap<Frame, Vec<(Bdd, Vec<u32>)>>;

/// The program behind a lab's rules.
pub struct LabProgram {
    /// The program.
    pub program: Rc<Program>,
    /// Its rules.
    pub system: ProgramSystem,
    /// At a set that the user typed, do runs start with any store? If not, they start with the
    /// program's own stores.
    pub any_store: bool,
}

impl LabProgram {
    /// The procedure whose frame has a symbol on top. Returns `None` for a symbol that is no
    /// location and no error.
    pub fn procedure_at(&self, top: u32) -> Option<ProcedureId> {
        let locations = self.program.locations.len() as u32;
        let location = match top.checked_sub(locations) {
            None => LocationId(top),
            Some(k) => self.program.edge(self.system.errors.get(k as usize)?.edge).from,
        };
        self.program.locations.get(location.0 as usize).map(|location| location.procedure)
    }

    /// The procedure whose entry is this location.
    pub fn entered_at(&self, entry: u32) -> Option<ProcedureId> {
        let found = self.program.procedures.iter().position(|procedure| procedure.entry.0 == entry);
        found.map(|k| ProcedureId(k as u32))
    }
}

impl Lab<ProgramDomain> {
    pub(super) fn program(
        program: Rc<Program>,
        error_line: Option<u32>,
        request: &LabRequest,
    ) -> Result<Self, LabProblem> {
        if request.options.task == LabTask::Transducer {
            let hint = "look at post* or pre* of the program, or at a transducer of a raw system";
            return Err(LabProblem::Refused(
                "a transducer is built for raw systems: a program's callers keep their locals over a call",
                hint,
            ));
        }
        let limits = KernelLimits {
            max_nodes: request.budgets.max_nodes,
            max_steps: request.budgets.max_steps,
        };
        let layout = Layout::new(&program);
        let kernel = Manager::new(layout.levels(), limits)?;
        let system = ProgramSystem::new(&program, error_line);
        let mut domain = ProgramDomain::new(&program, &system, layout, kernel)?;
        domain.accelerate_loops(AccelerateLoops::Never);
        domain.enter_exactly();
        let priority = system.priority.clone();
        let names = Rc::new(named(&program, &system));
        let base = match request.options.task {
            LabTask::Post => names.initial.clone(),
            _ => names.target.clone(),
        };
        let mut lab = Lab {
            pds: system.pds.clone(),
            system: names,
            domain,
            program: Some(LabProgram { program, system, any_store: request.options.set.is_some() }),
            task: request.options.task,
            base,
            recorded: Vec::new(),
            seeds: Seeds::default(),
            transducer: None,
            max_steps: request.options.max_steps,
            max_transitions: request.max_transitions,
            steps: 0,
            stopped: None,
        };
        if let Some(text) = &request.options.set {
            lab.base = lab.read_set(text).map_err(LabProblem::Set)?;
            if lab.task == LabTask::Post && !has_one_symbol_each(&lab.set_automaton(&lab.base)?) {
                let hint =
                    "leave out what stands below the top of the stack, and stacks of any height";
                return Err(LabProblem::Refused(
                    "post* of a program starts from stacks with one symbol: a caller's store at its call is not known",
                    hint,
                ));
            }
        }
        let start = |lab: &mut Self| match (lab.task, &request.options.set) {
            (LabTask::Post, None) => lab.start(),
            (LabTask::Post, Some(_)) => lab.anywhere(),
            (_, Some(_)) => lab.weighted(&lab.base, &Bdd::TRUE),
            (_, None) => Ok(lab.errors()),
        };
        lab.begin(start, priority)?;
        Ok(lab)
    }

    /// An automaton that accepts the program's start.
    fn start(&mut self) -> Bounded<PAutomaton<Bdd>> {
        let mut automaton = PAutomaton::new(1);
        let start = automaton.add_state();
        automaton.set_final(start);
        if let Some(of) = &self.program {
            let weight = self.domain.initial(&of.program)?;
            let entry = symbol(of.program.procedures[of.program.main].entry);
            automaton.insert(
                Transition { from: CONTROL.into(), symbol: Some(entry), to: start, via: None },
                weight,
            );
        }
        Ok(automaton)
    }

    /// An automaton that accepts the set's configurations, all of one frame, with any stores. The
    /// stores are related to themselves, as if the frame had just been entered.
    fn anywhere(&mut self) -> Bounded<PAutomaton<Bdd>> {
        let mut automaton = self.weighted(&self.base, &Bdd::TRUE)?;
        for id in 0..automaton.transitions().len() as u32 {
            let top = automaton.transition(id).symbol;
            let procedure = top.and_then(|top| self.program.as_ref()?.procedure_at(top.0));
            let weight =
                procedure.map_or(Ok(Bdd::TRUE), |procedure| self.domain.unchanged(procedure))?;
            automaton.set_weight(id, weight);
        }
        Ok(automaton)
    }

    /// An automaton that accepts every error on any stack of return sites.
    fn errors(&self) -> PAutomaton<Bdd> {
        let mut automaton = PAutomaton::new(1);
        let hit = automaton.add_state();
        automaton.set_final(hit);
        let Some(of) = &self.program else { return automaton };
        for site in &of.system.errors {
            automaton.insert(
                Transition { from: CONTROL.into(), symbol: Some(site.symbol), to: hit, via: None },
                Bdd::TRUE,
            );
        }
        for below in return_sites(&of.program) {
            automaton.insert(
                Transition { from: hit, symbol: Some(symbol(below)), to: hit, via: None },
                Bdd::TRUE,
            );
        }
        automaton
    }

    /// By a pair of states, of an automaton and of a set: the stores that enter the frames of the
    /// pair, read from the bottom of the stack up. Each entry is a larger set of stores than the
    /// one before it, and has the path that brought the new ones.
    fn frame_entries(
        &mut self,
        automaton: &PAutomaton<Bdd>,
        set: &PAutomaton<bool>,
    ) -> Bounded<FrameEntries> {
        let mut callers: BTreeMap<State, Vec<u32>> = BTreeMap::new();
        for (id, transition) in (0u32..).zip(automaton.transitions()) {
            if transition.via.is_some() {
                callers.entry(transition.to).or_default().push(id);
            }
        }
        let mut below: BTreeMap<State, Vec<Transition>> = BTreeMap::new();
        for read in set.transitions() {
            below.entry(read.to).or_default().push(*read);
        }
        let mut entries = FrameEntries::new();
        let mut waiting: BTreeSet<Frame> = BTreeSet::new();
        for left in (1..automaton.states()).map(State).filter(|state| automaton.is_final(*state)) {
            for right in (0..set.states()).map(State).filter(|state| set.is_final(*state)) {
                entries.insert((left, right), vec![(Bdd::TRUE, Vec::new())]);
                waiting.insert((left, right));
            }
        }
        while let Some((left, right)) = waiting.pop_first() {
            let (here, path) =
                entries[&(left, right)].last().cloned().unwrap_or((Bdd::FALSE, Vec::new()));
            for id in callers.get(&left).into_iter().flatten() {
                let transition = automaton.transition(*id);
                let Some(rule) = transition.via else { continue };
                let reads = below.get(&right).into_iter().flatten();
                for read in reads.filter(|read| read.symbol == transition.symbol) {
                    let at_call = self.domain.kernel.and(*automaton.weight(*id), here)?;
                    let entered = self.domain.as_entries(rule, at_call)?;
                    let at = (transition.from, read.from);
                    let known = entries.entry(at).or_default();
                    let old = known.last().map_or(Bdd::FALSE, |(whole, _)| *whole);
                    let new = self.domain.kernel.or(old, entered)?;
                    if new != old {
                        known.push((new, [&[*id][..], &path].concat()));
                        waiting.insert(at);
                    }
                }
            }
        }
        Ok(entries)
    }

    /// post\*: the stores that enter the frames, then the stores on top, with the path that brought
    /// them.
    fn read_forward(
        &mut self,
        automaton: &PAutomaton<Bdd>,
        set: &PAutomaton<bool>,
    ) -> Bounded<LabWeight<Bdd>> {
        let entries = self.frame_entries(automaton, set)?;
        let mut found: BTreeMap<ProcedureId, Found<Bdd>> = BTreeMap::new();
        for (id, transition) in (0u32..).zip(automaton.transitions()) {
            let Some(top) =
                transition.symbol.filter(|_| automaton.control(transition.from).is_some())
            else {
                continue;
            };
            let Some(procedure) = self.program.as_ref().and_then(|of| of.procedure_at(top.0))
            else {
                continue;
            };
            let reads: Vec<State> = set
                .outgoing(CONTROL.into())
                .iter()
                .map(|k| set.transition(*k))
                .filter(|read| read.symbol == Some(top))
                .map(|read| read.to)
                .collect();
            for right in reads {
                for (entered, path) in entries.get(&(transition.to, right)).into_iter().flatten() {
                    let weight = self.domain.kernel.and(*automaton.weight(id), *entered)?;
                    let stores = self.domain.forget_entry(procedure, weight)?;
                    if stores.is_false() {
                        continue;
                    }
                    let entry = found.entry(procedure).or_insert(Found {
                        procedure: Some(procedure),
                        weight: Bdd::FALSE,
                        paths: Vec::new(),
                    });
                    let whole = self.domain.kernel.or(entry.weight, stores)?;
                    if whole != entry.weight {
                        entry.weight = whole;
                        let transitions = [&[id][..], path].concat();
                        entry.paths.push(ReadPath {
                            location: CONTROL,
                            transitions,
                            weight: stores,
                        });
                    }
                }
            }
        }
        Ok(LabWeight { found: found.into_values().collect(), ..LabWeight::default() })
    }

    /// pre\*: the stores on top from which runs that stay in this frame, or above it, reach the
    /// target.
    fn read_backward(
        &mut self,
        automaton: &PAutomaton<Bdd>,
        set: &PAutomaton<bool>,
    ) -> Bounded<LabWeight<Bdd>> {
        let mut answer = LabWeight::default();
        let mut found: BTreeMap<ProcedureId, Found<Bdd>> = BTreeMap::new();
        for (id, transition) in (0u32..).zip(automaton.transitions()) {
            let Some(top) =
                transition.symbol.filter(|_| automaton.control(transition.from).is_some())
            else {
                continue;
            };
            let Some(procedure) = self.program.as_ref().and_then(|of| of.procedure_at(top.0))
            else {
                continue;
            };
            let mut reads = set
                .outgoing(CONTROL.into())
                .iter()
                .map(|k| set.transition(*k))
                .filter(|read| read.symbol == Some(top));
            if !reads.any(|read| Self::accepts_from(automaton, set, (transition.to, read.to))) {
                continue;
            }
            if automaton.control(transition.to).is_some() {
                answer.returns_left_out = true;
                continue;
            }
            let weight = *automaton.weight(id);
            let entry = found.entry(procedure).or_insert(Found {
                procedure: Some(procedure),
                weight: Bdd::FALSE,
                paths: Vec::new(),
            });
            entry.weight = self.domain.kernel.or(entry.weight, weight)?;
        }
        answer.found = found.into_values().collect();
        Ok(answer)
    }
}

impl LabDomain for ProgramDomain {
    fn one(&mut self) -> Bounded<Bdd> {
        Ok(Bdd::TRUE)
    }

    fn read(
        lab: &mut Lab<Self>,
        automaton: &PAutomaton<Bdd>,
        star: Star,
        set: &PAutomaton<bool>,
    ) -> Bounded<LabWeight<Bdd>> {
        match star {
            Star::Post => lab.read_forward(automaton, set),
            Star::Pre => lab.read_backward(automaton, set),
        }
    }

    /// The stores at the end of a run from the program's start, or from a set with any store. Empty
    /// if no run executes these rules.
    fn weigh(lab: &mut Lab<Self>, start: &Configuration, rules: &[u32]) -> Bounded<Bdd> {
        let Some(of) = &lab.program else { return Ok(Bdd::FALSE) };
        let main = match start.stack.last() {
            Some(top) => of.procedure_at(top.0).unwrap_or(of.program.main_id()),
            None => of.program.main_id(),
        };
        let mut weight = if of.any_store {
            lab.domain.unchanged(main)?
        } else {
            lab.domain.initial(&of.program)?
        };
        let mut callers: Vec<(Bdd, RuleId, ProcedureId)> = Vec::new();
        let mut procedure = main;
        for rule in rules.iter().map(|rule| RuleId(*rule)) {
            match lab.pds.rule(rule).right {
                Right::Step(_) => weight = lab.domain.after(&weight, rule)?,
                Right::Push(top, _) => {
                    callers.push((weight, rule, procedure));
                    weight = lab.domain.enter(&weight, rule)?;
                    procedure =
                        lab.program.as_ref().and_then(|of| of.entered_at(top.0)).unwrap_or(main);
                }
                Right::Pop => {
                    let summary = lab.domain.after(&weight, rule)?;
                    match callers.pop() {
                        Some((at_call, call, caller)) => {
                            weight = lab.domain.return_after(&at_call, call, &summary)?;
                            procedure = caller;
                        }
                        None => weight = summary,
                    }
                }
            }
        }
        lab.domain.forget_entry(procedure, weight)
    }

    fn collect(lab: &mut Lab<Self>) {
        if lab.domain.kernel.is_collection_due() {
            let roots = roots_of(&[&lab.domain, &lab.recorded]);
            lab.domain.kernel.collect(&roots);
        }
    }
}

/// Does a set hold only stacks of one symbol?
fn has_one_symbol_each(set: &PAutomaton<bool>) -> bool {
    let ends = |state: State| set.is_final(state) && set.outgoing(state).is_empty();
    !set.is_final(CONTROL.into())
        && set.outgoing(CONTROL.into()).iter().all(|id| ends(set.transition(*id).to))
}
