//! Where a thread can stand: waiting for ever, at its end, at a line that was asked about.
//!
//! A *deadlock*: every thread that was started has ended or waits (for a lock, for another thread's
//! end), one of them at least waits, and if there is a main, main does. A run that ends in a false
//! assumption is no deadlock: it is no run.

use super::stacks::Stacks;
use super::system::ThreadSystem;
use crate::bdd::{Bdd, Roots, impl_roots};
use crate::encode::{ProgramDomain, Shared};
use crate::lang::model::{EdgeId, LocationId};
use crate::pds::StackSymbol;
use crate::util::Bounded;

/// How a thread stands at a location.
#[derive(Clone, Copy, Debug)]
pub enum Standing {
    /// Goes on by itself.
    Moves,
    /// Cannot go on in these stores (over now).
    Waits(Bdd),
    /// The thread ends here, in whatever frame.
    Ends,
    /// The procedure ends here; so does the thread, if this is its bottom frame.
    Exit,
}

/// The locations of a program, looked through once.
pub struct Places {
    standing: Vec<Standing>,
    asked: Vec<bool>,
}

/// Sets of globals (over now) with which a thread can stand in some way.
#[derive(Clone, Copy, Debug)]
pub struct Stands {
    /// It waits.
    pub waits: Bdd,
    /// It waits or has ended.
    pub quiet: Bdd,
    /// It is before a statement that was asked about.
    pub at: Bdd,
}

impl Standing {
    /// By location of a program with threads.
    pub fn of(domain: &mut ProgramDomain, system: &ThreadSystem) -> Bounded<Vec<Standing>> {
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
                    Standing::Waits(!open)
                }
                None if system.program.procedure(procedure).exit == location => Standing::Exit,
                None if system.ends_at(location, edges) => Standing::Ends,
                None => Standing::Moves,
            });
        }
        Ok(all)
    }

    /// The stores in which it waits.
    pub fn stores(&self) -> Option<Bdd> {
        match self {
            Standing::Waits(stores) => Some(*stores),
            Standing::Moves | Standing::Ends | Standing::Exit => None,
        }
    }
}

impl Places {
    /// `line`: the line that is asked about.
    pub fn new(
        domain: &mut ProgramDomain,
        system: &ThreadSystem,
        line: Option<u32>,
    ) -> Bounded<Places> {
        let here = |id: &EdgeId| {
            let edge = system.program.edge(*id);
            edge.is_statement() && Some(edge.span.line) == line
        };
        let asked = system.outgoing().iter().map(|edges| edges.iter().any(here)).collect();
        let standing = Standing::of(domain, system)?;
        Ok(Places { standing, asked })
    }

    /// Is this an end of the thread?
    pub fn ends(&self, location: LocationId, bottom: bool) -> bool {
        match self.standing[location.0 as usize] {
            Standing::Ends => true,
            Standing::Exit => bottom,
            Standing::Moves | Standing::Waits(_) => false,
        }
    }

    /// How a thread can stand that has one of these tops: symbol, bottom frame?, weight.
    pub fn stands(
        &self,
        domain: &mut ProgramDomain,
        shared: &Shared,
        tops: impl IntoIterator<Item = (StackSymbol, bool, Bdd)>,
    ) -> Bounded<Stands> {
        let mut found = Stands { waits: Bdd::FALSE, quiet: Bdd::FALSE, at: Bdd::FALSE };
        for (symbol, bottom, weight) in tops {
            let Some(standing) = self.standing.get(symbol.0 as usize) else { continue };
            let quiet = match standing {
                Standing::Waits(stores) => {
                    let stores = domain.kernel.and(weight, *stores)?;
                    let globals = domain.globals_of(shared, stores)?;
                    found.waits = domain.kernel.or(found.waits, globals)?;
                    globals
                }
                Standing::Exit if !bottom => Bdd::FALSE,
                Standing::Ends | Standing::Exit => domain.globals_of(shared, weight)?,
                Standing::Moves => Bdd::FALSE,
            };
            found.quiet = domain.kernel.or(found.quiet, quiet)?;
            if self.asked[symbol.0 as usize] {
                let globals = domain.globals_of(shared, weight)?;
                found.at = domain.kernel.or(found.at, globals)?;
            }
        }
        Ok(found)
    }

    /// The same of stacks at a switch.
    pub fn stands_in(
        &self,
        domain: &mut ProgramDomain,
        shared: &Shared,
        stacks: &Stacks,
    ) -> Bounded<Stands> {
        self.stands(domain, shared, stacks.tops().collect::<Vec<_>>())
    }
}

impl_roots!(Places { standing });

impl Roots for Standing {
    fn roots(&self, roots: &mut Vec<Bdd>) {
        roots.extend(self.stores());
    }
}

impl_roots!(Stands { waits, quiet, at });
