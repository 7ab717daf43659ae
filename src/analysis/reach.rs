//! Reachability: post\* of a program's start, with the stores at locations and the errors that it
//! reaches.
//!
//! Phases: saturation; then, if some callee started with the weight 1, the entries that are really
//! reached (`entered`).

use super::entered::Entered;
use super::remembered::Remembered;
use crate::bdd::{Bdd, KernelLimits, Manager, impl_roots};
use crate::cfg::ranges;
use crate::encode::{CONTROL, ErrorSite, Layout, ProgramDomain, ProgramSystem, symbol};
use crate::lang::model::{LocationId, ProcedureId, Program};
use crate::pds::{Entry, ForwardWeights, PAutomaton, PostStar, StackSymbol, State, Transition};
use crate::util::{Bounded, Budgets, Narrow};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The layout of a program's variables that these budgets ask for.
pub fn layout(program: &Program, budgets: Budgets) -> Layout {
    let layout = Layout::reduced(program, budgets.order, budgets.unread);
    match budgets.narrow {
        Narrow::Never => layout,
        Narrow::Saving(least) => layout.narrow(&ranges(program), least),
    }
}

/// A program, its pushdown system, its weights, and post\* of its start. A copy has a kernel of its
/// own.
#[derive(Clone)]
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
    /// The stores with which the program starts, as entries of its first frame.
    initial: Bdd,
    /// The second phase, once it began. It is needed if some callee started with the weight 1.
    entered: Option<Entered>,
    /// The weights in which every local is kept.
    pub(super) remembered: Remembered,
}

impl Reach {
    /// Prepares post\*. Only errors on `error_line` count, if given.
    pub fn new(
        program: Rc<Program>,
        error_line: Option<u32>,
        limits: KernelLimits,
    ) -> Bounded<Reach> {
        let layout = layout(&program, Budgets::USUAL);
        Reach::with_layout(program, error_line, layout, limits)
    }

    /// The same with this layout of the program's variables.
    pub fn with_layout(
        program: Rc<Program>,
        error_line: Option<u32>,
        layout: Layout,
        limits: KernelLimits,
    ) -> Bounded<Reach> {
        let kernel = Manager::new(layout.levels(), limits)?;
        Reach::in_kernel(program, error_line, layout, kernel)
    }

    /// The same in a kernel that was made for the layout. Statements become relations here, which
    /// can take long: the kernel's alarm and limits end it.
    pub fn in_kernel(
        program: Rc<Program>,
        error_line: Option<u32>,
        layout: Layout,
        kernel: Manager,
    ) -> Bounded<Reach> {
        let system = ProgramSystem::new(&program, error_line);
        let mut domain = ProgramDomain::new(&program, &system, layout, kernel)?;
        let mut initial = PAutomaton::new(1);
        let start = initial.add_state();
        initial.set_final(start);
        let entry = symbol(program.procedures[program.main].entry);
        let weight = domain.initial(&program)?;
        initial.insert(
            Transition { from: CONTROL.into(), symbol: Some(entry), to: start, via: None },
            weight,
        );
        let initial_entries = domain.start_entries(program.main_id(), weight)?;
        let poststar = PostStar::new(&domain, initial, system.priority.clone());
        Ok(Reach {
            program,
            system,
            domain,
            poststar,
            start,
            initial: initial_entries,
            entered: None,
            remembered: Remembered::default(),
        })
    }

    /// One step of saturation, or of the second phase.
    pub fn step(&mut self) -> Bounded<()> {
        if !self.poststar.is_done() {
            self.poststar.step(&self.system.pds, &mut self.domain)?;
            if self.poststar.is_done() {
                if self.domain.some_start_anywhere() {
                    self.entered = Some(Entered::new(&self.poststar, self.start, self.initial));
                }
                self.domain.enter_exactly();
            }
            return Ok(());
        }
        match &mut self.entered {
            Some(entered) => entered.step(&mut self.poststar, &mut self.domain),
            None => Ok(()),
        }
    }

    /// Is the search complete? From then on each weight holds exactly the entries that are reached.
    pub fn is_done(&self) -> bool {
        self.poststar.is_done() && self.entered.as_ref().is_none_or(Entered::is_done)
    }

    /// Did some callee start with the weight 1, so that there are two phases?
    pub fn has_two_phases(&self) -> bool {
        self.domain.some_start_anywhere() || self.entered.is_some()
    }

    /// The stores that enter the frames of a state, each with the moment at which the second phase
    /// found it; `None` if there is no second phase.
    pub(super) fn entered(&self, state: State) -> Option<&[(u64, Bdd)]> {
        self.entered.as_ref().map(|entered| entered.history(state))
    }

    /// The automaton state of the first frame.
    pub fn start(&self) -> State {
        self.start
    }

    /// The procedure of the frames of a state of the post\* automaton.
    pub fn procedure_of(&self, state: State) -> ProcedureId {
        let entered = |k: &usize| {
            self.poststar.middle(CONTROL, symbol(self.program.procedures[*k].entry)) == Some(state)
        };
        let callee = (0..self.program.procedures.len()).find(entered);
        callee.map_or(self.program.main_id(), |k| ProcedureId(k as u32))
    }

    /// The weights at a stack symbol: for each frame state, entry and current stores.
    pub fn at(&self, symbol: StackSymbol) -> Vec<(State, u32)> {
        let automaton = self.poststar.automaton();
        // Only the states of the first frame and of the symbol's procedure read it.
        [Some(self.start), self.callee_state(symbol)]
            .into_iter()
            .flatten()
            .filter_map(|state| {
                let transition =
                    Transition { from: CONTROL.into(), symbol: Some(symbol), to: state, via: None };
                automaton.find(transition).map(|id| (state, id))
            })
            .collect()
    }

    /// The state of the frames that have this symbol (a location or an error) on top, if the
    /// procedure of the symbol was called.
    fn callee_state(&self, top: StackSymbol) -> Option<State> {
        let locations = self.program.locations.len();
        let procedure = match self.program.locations.get(top.0 as usize) {
            Some(location) => location.procedure,
            None => self.program.owner(self.system.errors.get(top.0 as usize - locations)?.edge),
        };
        self.poststar.middle(CONTROL, symbol(self.program.procedure(procedure).entry))
    }

    /// The weights at a stack symbol, with their frame states.
    pub fn weights_at(&self, symbol: StackSymbol) -> Vec<(State, Bdd)> {
        self.at(symbol)
            .into_iter()
            .map(|(state, id)| (state, *self.poststar.automaton().weight(id)))
            .collect()
    }

    /// The weight at a location in the frames of one state; false if no run reaches it.
    pub fn weight_at(&self, state: State, location: LocationId) -> Bdd {
        let transition = Transition {
            from: CONTROL.into(),
            symbol: Some(symbol(location)),
            to: state,
            via: None,
        };
        let automaton = self.poststar.automaton();
        automaton.find(transition).map_or(Bdd::FALSE, |id| *automaton.weight(id))
    }

    /// The states of a procedure's frames: the state of the frames that calls create, and for the
    /// start procedure also the state of the first frame.
    pub fn states_of(&self, procedure: ProcedureId) -> Vec<State> {
        let first = (procedure == self.program.main_id()).then_some(self.start);
        first
            .into_iter()
            .chain(self.poststar.middle(CONTROL, symbol(self.program.procedure(procedure).entry)))
            .collect()
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

    /// The summary of a procedure that has returned: a relation of the store at its entry to the
    /// store at its end.
    pub fn summary(&self, callee: ProcedureId) -> Option<Bdd> {
        let middle = self.poststar.middle(CONTROL, symbol(self.program.procedure(callee).entry))?;
        let transition = Transition { from: CONTROL.into(), symbol: None, to: middle, via: None };
        let automaton = self.poststar.automaton();
        automaton.find(transition).map(|id| *automaton.weight(id))
    }

    /// Did saturation reach an error by a transition after the first `seen` ones? Advances `seen`.
    /// If callees start with the weight 1, the answer is known only at the end.
    pub fn saw_error(&self, seen: &mut usize) -> bool {
        if self.has_two_phases() && !self.is_done() {
            return false;
        }
        let transitions = self.poststar.automaton().transitions();
        let first = self.program.locations.len() as u32;
        let new = (*seen).min(transitions.len())..transitions.len();
        *seen = transitions.len();
        let is_error = |id: usize| transitions[id].symbol.is_some_and(|symbol| symbol.0 >= first);
        new.into_iter()
            .any(|id| is_error(id) && !self.poststar.automaton().weight(id as u32).is_false())
    }

    /// That of these errors which was found first, if one was: the transition that holds its
    /// weight, the moment, and the part of the weight.
    pub fn first_error(
        &mut self,
        errors: &[ErrorSite],
    ) -> Bounded<Option<(ErrorSite, u32, Entry<Bdd>)>> {
        let mut first: Option<(ErrorSite, u32, Entry<Bdd>)> = None;
        for site in errors.iter().copied() {
            for (_, id) in self.at(site.symbol) {
                let weight = *self.poststar.automaton().weight(id);
                for entry in self.poststar.history().all(id).to_vec() {
                    if first.as_ref().is_some_and(|(.., first)| first.moment <= entry.moment) {
                        break;
                    }
                    let gained = self.domain.kernel.and(entry.gained, weight)?;
                    if !gained.is_false() {
                        first = Some((site, id, Entry { moment: entry.moment, gained }));
                        break;
                    }
                }
            }
        }
        Ok(first)
    }

    /// By edge: does some run execute it, or fail one of its checks?
    pub fn executed(&mut self) -> Bounded<Vec<bool>> {
        let program = Rc::clone(&self.program);
        let mut executed = Vec::new();
        for id in program.edge_ids() {
            let edge = program.edge(id);
            let stores = self.stores_at(edge.from)?;
            let mut some = false;
            if !stores.is_false() {
                let rules = self.system.fails[id].iter().copied().chain([self.system.executes[id]]);
                for rule in rules.collect::<Vec<_>>() {
                    if matches!(self.system.pds.rule(rule).right, crate::pds::Right::Push(..)) {
                        some |= !self.domain.enter(&stores, rule)?.is_false();
                    } else {
                        some |= !self.domain.after(&stores, rule)?.is_false();
                    }
                }
                // A failing check that does not count also ends the run here.
                for check in 0..edge.checks.len() {
                    some = some || self.domain.may_fail(&program, id, check, stores)?;
                }
            }
            executed.push(some);
        }
        Ok(executed)
    }

    /// Transitions from a frame state to those of its callers, by frame state of the callee:
    /// (transition, caller's state).
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

impl_roots!(Reach { domain, poststar, initial, remembered, entered });
