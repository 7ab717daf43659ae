//! What a thread can do at each location: go on, wait, or end.
//!
//! In a *deadlock* every thread that was started has ended or waits (for a lock, or for the end of
//! another thread), at least one of them waits, and main waits if there is a main. A run that ends
//! in a false assumption is no deadlock, because it is no run.
//!
//! A thread is *quiet* if it waits or has ended.

use super::stacks::Stacks;
use super::system::ThreadSystem;
use crate::bdd::{Bdd, Roots, impl_roots};
use crate::encode::{ProgramDomain, Shared};
use crate::lang::model::{EdgeId, LocationId};
use crate::pds::StackSymbol;
use crate::util::Bounded;

/// The state of a thread that is at a location.
#[derive(Clone, Copy, Debug)]
pub enum ThreadState {
    /// It goes on by itself.
    Moves,
    /// It cannot go on with these stores (over now).
    Waits(Bdd),
    /// It ends here, in each frame.
    Ends,
    /// The procedure ends here. The thread ends, too, if this is its bottom frame.
    Exit,
}

/// The state of a thread at each location of a program.
pub struct ThreadStates {
    /// By location.
    states: Vec<ThreadState>,
    /// By location: is it before a statement on the line that is asked about?
    asked: Vec<bool>,
}

/// The globals (over now) with which a thread can be in a state.
#[derive(Clone, Copy, Debug)]
pub struct GlobalsByState {
    /// It waits.
    pub waits: Bdd,
    /// It waits or has ended.
    pub quiet: Bdd,
    /// It is before a statement on the line of the question.
    pub at: Bdd,
}

impl ThreadState {
    /// By location of a program with threads.
    pub fn of(domain: &mut ProgramDomain, system: &ThreadSystem) -> Bounded<Vec<ThreadState>> {
        let mut all = Vec::new();
        for (k, edges) in system.outgoing().iter().enumerate() {
            let location = LocationId(k as u32);
            let procedure = system.program.location(location).procedure;
            all.push(match system.waits_at(location, edges) {
                Some(conditions) => {
                    let mut open = Bdd::FALSE;
                    for condition in &conditions {
                        let holds = domain.condition(condition)?;
                        open = domain.kernel.or(open, holds)?;
                    }
                    ThreadState::Waits(!open)
                }
                None if system.program.procedure(procedure).exit == location => ThreadState::Exit,
                None if system.ends_at(location, edges) => ThreadState::Ends,
                None => ThreadState::Moves,
            });
        }
        Ok(all)
    }

    /// The stores in which it waits; `None` if it never does.
    pub fn waiting(self) -> Option<Bdd> {
        match self {
            ThreadState::Waits(stores) => Some(stores),
            ThreadState::Moves | ThreadState::Ends | ThreadState::Exit => None,
        }
    }

    /// Has the thread ended? `is_bottom`: its only frame is at the location.
    pub fn has_ended(self, is_bottom: bool) -> bool {
        match self {
            ThreadState::Ends => true,
            ThreadState::Exit => is_bottom,
            ThreadState::Moves | ThreadState::Waits(_) => false,
        }
    }

    /// The stores in which it is quiet; `None` if it never is.
    pub fn quiet(self, is_bottom: bool) -> Option<Bdd> {
        self.waiting().or(self.has_ended(is_bottom).then_some(Bdd::TRUE))
    }
}

impl ThreadStates {
    /// `line`: the line that is asked about.
    pub fn new(
        domain: &mut ProgramDomain,
        system: &ThreadSystem,
        line: Option<u32>,
    ) -> Bounded<ThreadStates> {
        let here = |id: &EdgeId| line.is_some_and(|line| system.program.stands_at(*id, line));
        let asked = system.outgoing().iter().map(|edges| edges.iter().any(here)).collect();
        let states = ThreadState::of(domain, system)?;
        Ok(ThreadStates { states, asked })
    }

    /// The globals by the state of a thread that has one of these tops. A top is a symbol, whether
    /// it belongs to the bottom frame, and a weight.
    pub fn globals_of_tops(
        &self,
        domain: &mut ProgramDomain,
        shared: &Shared,
        tops: impl IntoIterator<Item = (StackSymbol, bool, Bdd)>,
    ) -> Bounded<GlobalsByState> {
        let mut found = GlobalsByState { waits: Bdd::FALSE, quiet: Bdd::FALSE, at: Bdd::FALSE };
        for (symbol, is_bottom, weight) in tops {
            let Some(state) = self.states.get(symbol.0 as usize) else { continue };
            if let Some(stores) = state.quiet(is_bottom) {
                let stores = domain.kernel.and(weight, stores)?;
                let globals = domain.globals_of(shared, stores)?;
                if state.waiting().is_some() {
                    found.waits = domain.kernel.or(found.waits, globals)?;
                }
                found.quiet = domain.kernel.or(found.quiet, globals)?;
            }
            if self.asked[symbol] {
                let globals = domain.globals_of(shared, weight)?;
                found.at = domain.kernel.or(found.at, globals)?;
            }
        }
        Ok(found)
    }

    /// The same for stacks at a switch.
    pub fn globals_of_stacks(
        &self,
        domain: &mut ProgramDomain,
        shared: &Shared,
        stacks: &Stacks,
    ) -> Bounded<GlobalsByState> {
        self.globals_of_tops(domain, shared, stacks.tops().collect::<Vec<_>>())
    }
}

impl_roots!(ThreadStates { states });

impl Roots for ThreadState {
    fn roots(&self, roots: &mut Vec<Bdd>) {
        roots.extend(self.waiting());
    }
}

impl_roots!(GlobalsByState { waits, quiet, at });
