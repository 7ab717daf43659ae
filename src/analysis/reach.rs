//! Reachability: post\* of a program's start, and what it says about locations and errors.

use crate::bdd::{Bdd, KernelLimits, Manager};
use crate::encode::{CONTROL, ErrorSite, Layout, ProgramDomain, ProgramSystem, symbol};
use crate::lang::model::{LocationId, ProcedureId, Program};
use crate::pds::{Domain, PAutomaton, PostStar, StackSymbol, State, Transition};
use crate::util::Bounded;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A program, its pushdown system, its weights, and post\* of its start.
pub struct Reach {
    /// The program.
    pub program: Rc<Program>,
    /// Its rules.
    pub system: ProgramSystem,
    /// Its weights.
    pub domain: ProgramDomain,
    /// The saturation.
    pub poststar: PostStar<ProgramDomain>,
    start: State,
}

impl Reach {
    /// Sets up post\*; nothing is saturated yet. Only errors on `error_line` count, if given.
    pub fn new(program: Rc<Program>, error_line: Option<u32>, limits: KernelLimits) -> Bounded<Reach> {
        let layout = Layout::new(&program);
        let kernel = Manager::new(layout.levels(), limits)?;
        let system = ProgramSystem::new(&program, error_line);
        let mut domain = ProgramDomain::new(&program, &system, layout, kernel)?;
        let mut initial = PAutomaton::new(1);
        let start = initial.add_state();
        initial.set_final(start);
        let entry = symbol(program.procedures[program.main].entry);
        let weight = domain.initial(&program)?;
        initial.insert(Transition { from: CONTROL.into(), symbol: Some(entry), to: start, via: None }, weight);
        let poststar = PostStar::new(&domain, initial, system.priority.clone());
        Ok(Reach { program, system, domain, poststar, start })
    }

    /// One step of saturation.
    pub fn step(&mut self) -> Bounded<()> {
        self.poststar.step(&self.system.pds, &mut self.domain)
    }

    /// The state that stands for the first frame.
    pub fn start(&self) -> State {
        self.start
    }

    /// The procedure whose frames a state of the post\* automaton stands for.
    pub fn procedure_of(&self, state: State) -> ProcedureId {
        let entered = |k: &usize| self.poststar.middle(CONTROL, symbol(self.program.procedures[*k].entry)) == Some(state);
        let callee = (0..self.program.procedures.len()).find(entered);
        callee.map_or(self.program.main_id(), |k| ProcedureId(k as u32))
    }

    /// The weights at a stack symbol: for each frame state, entry and current stores.
    pub fn at(&self, symbol: StackSymbol) -> Vec<(State, u32)> {
        let automaton = self.poststar.automaton();
        self.frame_states()
            .into_iter()
            .filter_map(|state| {
                let transition = Transition { from: CONTROL.into(), symbol: Some(symbol), to: state, via: None };
                automaton.find(transition).map(|id| (state, id))
            })
            .collect()
    }

    /// All states that stand for frames: the first frame, then callees in the order in which they were entered.
    pub fn frame_states(&self) -> Vec<State> {
        (self.start.0..self.poststar.automaton().states()).map(State).collect()
    }

    /// The stores that some run brings to a location, over [`crate::encode::Copy::Now`].
    pub fn stores_at(&mut self, location: LocationId) -> Bounded<Bdd> {
        let procedure = self.program.location(location).procedure;
        let mut stores = Bdd::FALSE;
        for (_, id) in self.at(symbol(location)) {
            let weight = *self.poststar.automaton().weight(id);
            let here = self.domain.forget_entry(procedure, weight)?;
            stores = self.domain.kernel.or(stores, here)?;
        }
        Ok(stores)
    }

    /// Did saturation add a transition for an error after the first `seen` transitions? Advances `seen`.
    pub fn saw_error(&self, seen: &mut usize) -> bool {
        let transitions = self.poststar.automaton().transitions();
        let first = self.program.locations.len() as u32;
        let new = &transitions[(*seen).min(transitions.len())..];
        *seen = transitions.len();
        new.iter().any(|transition| transition.symbol.is_some_and(|symbol| symbol.0 >= first))
    }

    /// The error that was found first, if any, with the transition that holds its weight.
    pub fn first_error(&self) -> Option<(ErrorSite, u32)> {
        let mut first: Option<(u64, ErrorSite, u32)> = None;
        for site in &self.system.errors {
            for (_, id) in self.at(site.symbol) {
                if let Some(entry) = self.poststar.history().all(id).first()
                    && first.is_none_or(|(moment, ..)| entry.moment < moment)
                {
                    first = Some((entry.moment, *site, id));
                }
            }
        }
        first.map(|(_, site, id)| (site, id))
    }

    /// Whether some run executes each edge (or fails one of its checks).
    pub fn executed(&mut self) -> Bounded<Vec<bool>> {
        let program = Rc::clone(&self.program);
        let mut executed = Vec::new();
        for id in program.edge_ids() {
            let edge = program.edge(id);
            let stores = self.stores_at(edge.from)?;
            let mut some = false;
            if !stores.is_false() {
                let rules = self.system.fails[id.0 as usize].iter().copied().chain([self.system.executes[id.0 as usize]]);
                for rule in rules.collect::<Vec<_>>() {
                    if matches!(self.system.pds.rule(rule).right, crate::pds::Right::Push(..)) {
                        some |= !self.domain.enter(&stores, rule)?.is_false();
                    } else {
                        some |= !self.domain.after(&stores, rule)?.is_false();
                    }
                }
                // A failing check that does not count ends the run here all the same.
                for check in 0..edge.checks.len() {
                    some = some || self.domain.may_fail(&program, id, check, stores)?;
                }
            }
            executed.push(some);
        }
        Ok(executed)
    }

    /// Every diagram held, for garbage collection.
    pub fn roots(&self, roots: &mut Vec<Bdd>) {
        self.domain.roots(roots);
        roots.extend(self.poststar.weights());
    }

    /// Transitions from a frame state to those of its callers, by frame state of the callee: (transition, caller's state).
    pub fn callers(&self) -> BTreeMap<State, Vec<u32>> {
        let automaton = self.poststar.automaton();
        let mut callers: BTreeMap<State, Vec<u32>> = BTreeMap::new();
        for (id, transition) in automaton.transitions().iter().enumerate() {
            if transition.via.is_some() {
                callers.entry(transition.from).or_default().push(id as u32);
            }
        }
        callers
    }
}
