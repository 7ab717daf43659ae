//! What one thread can do in a number of contexts: post\* of its start, continued at every switch.
//!
//! The pushdown system has a control location for each context. When a context ends, every
//! transition from its control location whose symbol can be switched away from is entered once more
//! from the next one: its globals become constants of the weight, and the globals now are whatever
//! the next context begins with. The frames below the top do not change, so the automaton of j
//! contexts is part of that of j + 1. No stack of another thread is needed (Lal, Touili, Kidd,
//! Reps 2007, § 7: the same transducer is composed each time; here, applied).

use super::domain::{ContextDomain, ContextMark, location};
use crate::analysis::threads::ThreadSystem;
use crate::analysis::threads::thread_state::ThreadState;
use crate::bdd::{Bdd, VarSet, impl_roots};
use crate::encode::{History, symbol};
use crate::lang::model::ProcedureId;
use crate::pds::{ControlLocation, Pds, PostStar, StackSymbol, State, Transition};
use crate::util::Bounded;
use std::collections::{BTreeMap, BTreeSet};

/// What all threads of one program share while they are saturated.
pub(super) struct Shared {
    pub(super) system: ThreadSystem,
    pub(super) pds: Pds,
    pub(super) domain: ContextDomain,
    pub(super) history: History,
    pub(super) priority: Vec<u32>,
    pub(super) mark: ContextMark,
    /// By symbol, for [`ContextMark::FirstSwitch`]: its number, over the levels of the mark.
    pub(super) symbol_codes: Vec<Bdd>,
    /// The levels of the mark.
    pub(super) marked: VarSet,
    /// By location.
    pub(super) states: Vec<ThreadState>,
    /// The stores in which no atomic section is open (globals now).
    pub(super) free: Bdd,
}

/// The stack tops for which a relation is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Top {
    /// Any location.
    Anywhere,
    /// Any location at which a context may end, outside of atomic sections.
    AtSwitch,
    /// This symbol.
    At(StackSymbol),
    /// This symbol, if a context may end there, outside of atomic sections.
    SwitchAt(StackSymbol),
    /// Any top with which the thread cannot go on by itself.
    Quiet {
        /// Must the thread wait? If false, it may also have ended.
        waits: bool,
        /// Its context has ended before: the thread cannot go on with the globals now, whatever its
        /// context ended with.
        ended: bool,
    },
}

/// A thread's saturation.
pub(super) struct Thread {
    /// The procedure with which the thread starts.
    pub(super) procedure: ProcedureId,
    poststar: PostStar<ContextDomain>,
    start: State,
    /// By context, from 0: the globals (now) with which it may begin, as far as they are known.
    begins: Vec<Bdd>,
    /// Contexts that must begin again, because the context before them has grown.
    again: BTreeSet<usize>,
    /// Transitions that are still to be entered once more from the next context.
    opening: Vec<(usize, u32)>,
    /// Relations that were read, each with the number of steps after which it was read.
    known: BTreeMap<(usize, Top, bool), (u64, Bdd)>,
    changes: u64,
}

impl Thread {
    pub(super) fn new(shared: &Shared, procedure: ProcedureId, contexts: usize) -> Thread {
        let mut automaton = crate::pds::PAutomaton::new(shared.pds.locations());
        let start = automaton.add_state();
        automaton.set_final(start);
        Thread {
            procedure,
            poststar: PostStar::new(&shared.domain, automaton, shared.priority.clone()),
            start,
            begins: vec![Bdd::FALSE; contexts],
            again: BTreeSet::new(),
            opening: Vec::new(),
            known: BTreeMap::new(),
            changes: 0,
        }
    }

    /// Adds globals (now) with which a context may begin.
    pub(super) fn begin(
        &mut self,
        shared: &mut Shared,
        context: usize,
        globals: Bdd,
    ) -> Bounded<()> {
        let old = self.begins[context];
        let all = shared.domain.program.kernel.or(old, globals)?;
        if all == old {
            return Ok(());
        }
        self.begins[context] = all;
        self.changes += 1;
        if context > 0 {
            self.again.insert(context);
            return Ok(());
        }
        let program = &mut shared.domain.program;
        let entry = program.at_entry(self.procedure, globals)?;
        let weight = shared.history.begin(&mut program.kernel, entry, 0)?;
        let top = symbol(shared.system.program.procedure(self.procedure).entry);
        let transition = Transition {
            from: ControlLocation(0).into(),
            symbol: Some(top),
            to: self.start,
            via: None,
        };
        self.poststar.add(&mut shared.domain, transition, weight)
    }

    /// Is nothing left to do?
    pub(super) fn is_done(&self) -> bool {
        self.poststar.is_done() && self.again.is_empty() && self.opening.is_empty()
    }

    /// Follows one transition, or enters one once more from the next context.
    pub(super) fn step(&mut self, shared: &mut Shared) -> Bounded<()> {
        if !self.poststar.is_done() {
            self.changes += 1;
            return self.poststar.step(&shared.pds, &mut shared.domain);
        }
        if let Some((context, id)) = self.opening.pop() {
            self.changes += 1;
            return self.open(shared, context, id);
        }
        let Some(context) = self.again.pop_first() else { return Ok(()) };
        let controls = shared.mark.controls();
        for control in (context as u32 - 1) * controls..context as u32 * controls {
            self.opening.extend(
                self.poststar.automaton().outgoing(State(control)).iter().map(|id| (context, *id)),
            );
        }
        if self.begins.get(context + 1).is_some_and(|stores| !stores.is_false()) {
            self.again.insert(context + 1);
        }
        Ok(())
    }

    /// Begins the context in the configurations in which the one before it can end.
    fn open(&mut self, shared: &mut Shared, context: usize, id: u32) -> Bounded<()> {
        let transition = self.poststar.automaton().transition(id);
        let Some(top) = transition.symbol.filter(|top| shared.can_switch(*top)) else {
            return Ok(());
        };
        let weight = *self.poststar.automaton().weight(id);
        let (kernel, history) = (&mut shared.domain.program.kernel, &shared.history);
        let mut weight = kernel.and(weight, shared.free)?;
        if shared.mark == ContextMark::FirstSwitch && context == 1 {
            weight = kernel.and(weight, shared.symbol_codes[top])?;
        }
        let ended = history.end(kernel, weight, 2 * context - 1)?;
        let begun = kernel.and(ended, self.begins[context])?;
        let begun = history.begin(kernel, begun, 2 * context)?;
        let from = State(transition.from.0 + shared.mark.controls());
        self.poststar.add(&mut shared.domain, Transition { from, ..transition }, begun)
    }

    /// The thread's interface: a relation over copies 0, 1, … of the globals with which its
    /// contexts, up to this one (counted from 0), began and ended. The present state of this
    /// context is over the globals now. `marked`: only runs in which something was marked.
    pub(super) fn relation(
        &mut self,
        shared: &mut Shared,
        context: usize,
        top: Top,
        marked: bool,
    ) -> Bounded<Bdd> {
        let key = (context, top, marked);
        if let Some((changes, known)) = self.known.get(&key)
            && *changes == self.changes
        {
            return Ok(*known);
        }
        let controls = shared.mark.controls();
        let control = context as u32 * controls + u32::from(marked && controls == 2);
        let locations = shared.system.program.locations.len();
        let mut all = Bdd::FALSE;
        for k in 0..self.poststar.automaton().outgoing(State(control)).len() {
            let id = self.poststar.automaton().outgoing(State(control))[k];
            let Some(here) = self.poststar.automaton().transition(id).symbol else { continue };
            let (wanted, free) = match top {
                Top::Anywhere => (location(here, locations).is_some(), false),
                Top::AtSwitch => (shared.can_switch(here), true),
                Top::At(symbol) => (symbol == here, false),
                Top::SwitchAt(symbol) => (symbol == here && shared.can_switch(here), true),
                Top::Quiet { waits, ended } => {
                    let is_bottom = self.poststar.automaton().transition(id).to == self.start;
                    let is_quiet = location(here, locations)
                        .map(|at| shared.states[at])
                        .and_then(
                            |state| if waits { state.waiting() } else { state.quiet(is_bottom) },
                        )
                        .is_some();
                    (is_quiet && (!ended || shared.can_switch(here)), ended)
                }
            };
            if !wanted {
                continue;
            }
            let mut weight = *self.poststar.automaton().weight(id);
            let kernel = &mut shared.domain.program.kernel;
            if free {
                weight = kernel.and(weight, shared.free)?;
                if shared.mark == ContextMark::FirstSwitch && context == 0 {
                    weight = kernel.and(weight, shared.symbol_codes[here])?;
                }
            }
            if let Top::Quiet { ended, .. } = top {
                if ended {
                    weight = shared.history.end(kernel, weight, 2 * context + 1)?;
                }
                let state = shared.states.get(here.0 as usize);
                if let Some(stores) = state.and_then(|state| state.waiting()) {
                    weight = kernel.and(weight, stores)?;
                }
            }
            let weight = kernel.exists(weight, shared.history.private())?;
            all = kernel.or(all, weight)?;
        }
        if !marked && shared.mark == ContextMark::FirstSwitch {
            all = shared.domain.program.kernel.exists(all, shared.marked)?;
        }
        self.known.insert(key, (self.changes, all));
        Ok(all)
    }

    /// States and transitions of its automaton.
    pub(super) fn size(&self) -> (u32, usize) {
        (self.poststar.automaton().states(), self.poststar.automaton().transitions().len())
    }

    /// The diagrams of the interfaces of complete contexts that are known now.
    pub(super) fn interfaces(&self) -> Vec<(usize, Bdd)> {
        let complete = self.known.iter().filter(|((_, top, _), _)| *top == Top::AtSwitch);
        complete.map(|((context, ..), (_, relation))| (*context, *relation)).collect()
    }
}

impl_roots!(Thread { poststar, begins, known });

impl Shared {
    /// Can a context end with this symbol on top, if no atomic section is open?
    fn can_switch(&self, top: StackSymbol) -> bool {
        self.system.switchable.get(top.0 as usize).copied().unwrap_or(false)
    }
}

impl_roots!(Shared { domain, symbol_codes, free, states, history });
