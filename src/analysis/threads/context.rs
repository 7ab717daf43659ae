//! One context: everything that a thread reaches by itself from stacks and globals.

use super::stacks::{Stacks, is_bottom};
use super::system::ThreadSystem;
use super::thread_state::{GlobalsByState, ThreadStates};
use crate::bdd::{Bdd, impl_roots};
use crate::encode::{CONTROL, Copy, ErrorSite, ProgramDomain, ProgramSystem, Shared};
use crate::lang::model::LocationId;
use crate::pds::{PAutomaton, PostStar, StackSymbol};
use crate::util::order::{inserted, sort_by_key};
use crate::util::{Bounded, Limit};
use std::collections::BTreeSet;

/// A program with threads, its rules and its weights.
pub struct Engine {
    /// The threads.
    pub system: ThreadSystem,
    /// The rules of all procedures.
    pub rules: ProgramSystem,
    /// The weights.
    pub domain: ProgramDomain,
    /// The globals.
    pub shared: Shared,
    /// What a thread can do at each location.
    pub states: ThreadStates,
    /// The globals with which a context switch can happen: no atomic section is open.
    free: Bdd,
    /// Where runs end that need more than the model has.
    cut_ends: BTreeSet<StackSymbol>,
}

/// What a context reaches.
#[derive(Clone, Debug)]
pub struct Context {
    automaton: PAutomaton<Bdd>,
    /// The tops with which the context can end in a switch: transitions, each with a part of its
    /// weight.
    tops: Vec<(u32, Bdd)>,
    /// The errors.
    pub errors: Vec<ErrorSite>,
    /// The globals with which the context can end in a switch.
    pub after: Bdd,
    /// Does some run of it need more than the model has? It ends there.
    pub is_cut_off: bool,
    /// All globals that the context passes through.
    pub passed: Bdd,
    /// The globals with which its thread can wait, be quiet, or be at the line of the question.
    pub globals_by_state: GlobalsByState,
}

impl Engine {
    /// The entry of the thread's procedure.
    pub fn entry(&self, thread: usize) -> StackSymbol {
        let procedure = self.system.threads[thread].procedure;
        crate::encode::symbol(self.system.program.procedure(procedure).entry)
    }

    /// Prepares a program.
    pub fn new(
        system: ThreadSystem,
        rules: ProgramSystem,
        mut domain: ProgramDomain,
        line: Option<u32>,
    ) -> Bounded<Engine> {
        // A callee that starts with weight 1 would have summaries for globals that no run brings to
        // it.
        domain.enter_exactly();
        let shared = Shared::new(&mut domain, &system.program);
        let states = ThreadStates::new(&mut domain, &system, line)?;
        let mut free = Bdd::TRUE;
        if let Some(atomic) = system.atomic {
            let cells: Vec<_> = domain.layout.cells(atomic).collect();
            let off = domain.fixed(&cells, Copy::Now, &crate::encode::Valuation::default())?;
            free = off;
        }
        let program = &system.program;
        let ends =
            program.cut_offs.iter().map(|edge| crate::encode::symbol(program.edge(*edge).to));
        let cut_ends = inserted(ends);
        Ok(Engine { system, rules, domain, shared, states, free, cut_ends })
    }

    /// The globals with which a run can begin.
    pub fn initial_globals(&mut self) -> Bounded<Bdd> {
        let program = std::rc::Rc::clone(&self.system.program);
        let stores = self.domain.initial(&program)?;
        // If the relation to the frame's entry is dropped, only the values that the program fixes
        // remain.
        self.domain.globals_of(&self.shared, stores)
    }

    /// Prepares the saturation of what a thread reaches.
    pub fn begin(&mut self, stacks: &Stacks, globals: Bdd) -> Bounded<PostStar<ProgramDomain>> {
        let initial = stacks.with_globals(&mut self.domain, globals)?;
        Ok(PostStar::new(&self.domain, initial, self.rules.priority.clone()))
    }

    /// Reads a context off a finished saturation.
    pub fn finish(&mut self, saturation: &PostStar<ProgramDomain>) -> Bounded<Context> {
        let automaton = saturation.automaton().clone();
        let locations = self.system.program.locations.len() as u32;
        let (mut tops, mut all) = (Vec::new(), Vec::new());
        let mut errors: Vec<ErrorSite> = Vec::new();
        let (mut after, mut passed) = (Bdd::FALSE, Bdd::FALSE);
        let mut is_cut_off = false;
        for id in automaton.outgoing(CONTROL.into()) {
            let transition = automaton.transition(*id);
            let weight = *automaton.weight(*id);
            let Some(symbol) = transition.symbol.filter(|_| !weight.is_false()) else { continue };
            if symbol.0 >= locations {
                errors.extend(self.rules.errors.iter().find(|site| site.symbol == symbol));
                continue;
            }
            is_cut_off |= self.cut_ends.contains(&symbol);
            all.push((symbol, is_bottom(transition), weight));
            let globals = self.domain.globals_of(&self.shared, weight)?;
            passed = self.domain.kernel.or(passed, globals)?;
            if !self.system.switchable[symbol]
                || self.is_inner_exit(LocationId(symbol.0)) && !is_bottom(transition)
            {
                continue;
            }
            let weight = self.domain.kernel.and(weight, self.free)?;
            if !weight.is_false() {
                let globals = self.domain.globals_of(&self.shared, weight)?;
                after = self.domain.kernel.or(after, globals)?;
                tops.push((*id, weight));
            }
        }
        sort_by_key(&mut errors, |site| site.symbol);
        errors.dedup();
        let globals_by_state = self.states.globals_of_tops(&mut self.domain, &self.shared, all)?;
        Ok(Context { automaton, tops, errors, after, is_cut_off, passed, globals_by_state })
    }

    /// The stacks with which a context ends with these globals.
    pub fn stacks_after(&mut self, context: &Context, globals: Bdd) -> Bounded<Stacks> {
        Stacks::split(&mut self.domain, &self.shared, &context.automaton, &context.tops, globals)
    }

    /// Is the location the exit of a procedure? A switch there equals a switch one statement later,
    /// unless the thread ends there.
    fn is_inner_exit(&self, location: LocationId) -> bool {
        let program = &self.system.program;
        program.procedure(program.location(location).procedure).exit == location
    }
}

impl_roots!(Engine { domain, states, free });

impl Context {
    /// Transitions of the saturated automaton.
    pub fn size(&self) -> u32 {
        self.automaton.transitions().len() as u32
    }
}

impl_roots!(Context { automaton, tops, after, passed, globals_by_state });

/// Returns the limit if there are more than `most` of something that the kernel does not count.
pub(super) fn within(count: usize, most: usize) -> Bounded<()> {
    if count < most { Ok(()) } else { Err(Limit::Nodes) }
}
