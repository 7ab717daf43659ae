//! Questions to an analysis of threads that is over: the reached globals, the sizes of interfaces,
//! and the places where a first switch matters.

use super::{ThreadsMethod, ThreadsSession};
use crate::analysis::interfaces::{InterfaceSize, first_switches};
use crate::analysis::thread_search::ThreadSearch;
use crate::bdd::{Bdd, KernelLimits, Natural};
use crate::encode::{Cell, Copy};
use crate::lang::interpreter::Assignment;
use crate::lang::model::{LocationId, VariableId};
use crate::util::Bounded;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The kernel steps for questions about reached globals, whatever the budget is.
const LOOKING: u64 = 5_000_000;

impl ThreadsSession {
    /// The globals that are reached with so many switches and not with fewer. Only globals that a
    /// reader knows count. Returns the first `most` valuations, and the number of all valuations
    /// that are reached with at most so many switches.
    pub fn reached(
        &mut self,
        bound: u32,
        most: usize,
    ) -> Bounded<(Vec<Assignment>, bool, Natural)> {
        let Ok(search) = &mut self.search else {
            return Ok((Vec::new(), false, Natural::default()));
        };
        let shown = self.system.shown_globals();
        let program = Rc::clone(&self.system.program);
        let max_nodes = self.budgets.max_nodes.saturating_add(self.budgets.max_nodes / 4);
        let kernel = &mut search.domain().0.kernel;
        let max_steps = kernel.steps().saturating_add(LOOKING);
        kernel.set_limits(KernelLimits { max_nodes, max_steps });
        let levels = search.levels(bound, self.asked.at)?;
        let (domain, shared) = search.domain();
        let cells: Vec<Cell> = shown.iter().flat_map(|id| domain.layout.cells(*id)).collect();
        let hidden: Vec<Cell> =
            shared.cells.iter().filter(|cell| !cells.contains(cell)).copied().collect();
        let (mut before, mut now) = (Bdd::FALSE, Bdd::FALSE);
        for (k, level) in levels.into_iter().enumerate().take(bound as usize + 1) {
            let level = domain.forget_cells(level, &hidden)?;
            now = domain.kernel.or(now, level)?;
            if k < bound as usize {
                before = now;
            }
        }
        let count = domain.kernel.sat_count(now, &shared.levels(domain, &cells));
        let mut rest = domain.kernel.difference(now, before)?;
        let mut found = Vec::new();
        while found.len() < most
            && let Some((valuation, _)) = domain.least_globals(&shared, rest)?
        {
            let only = domain.fixed(&cells, Copy::Now, &valuation)?;
            rest = domain.kernel.difference(rest, only)?;
            let values = |id: &VariableId| {
                let elements = 0..program.variable(*id).elements();
                (
                    *id,
                    elements
                        .map(|element| valuation.get(Cell { variable: *id, element }))
                        .collect(),
                )
            };
            found.push(shown.iter().map(values).collect());
        }
        Ok((found, !rest.is_false(), count))
    }

    /// The method of the analysis.
    pub fn method(&self) -> ThreadsMethod {
        self.method
    }

    /// The greatest bound that is decided.
    pub fn bound(&self) -> Option<u32> {
        self.search.as_ref().ok()?.bound()
    }

    /// The sizes of the interfaces. Empty if the other method was used.
    pub fn interfaces(&self) -> Vec<InterfaceSize> {
        match &self.search {
            Ok(ThreadSearch::Interfaces(interfaces)) => interfaces.sizes(),
            _ => Vec::new(),
        }
    }

    /// The locations of thread 0 at which a first switch can lead to an error with the least number
    /// of switches. Only after a run has failed. A second analysis by interfaces finds them, within
    /// the same budgets but with at most `LOOKING` steps. Returns `None` if these do not suffice.
    pub fn first_switches(&self) -> Option<BTreeSet<LocationId>> {
        let switches = self
            .switches
            .filter(|_| self.found.as_ref().is_some_and(|found| found.check.is_some()))?;
        let limits = KernelLimits {
            max_nodes: self.budgets.max_nodes,
            max_steps: self.budgets.max_steps.min(LOOKING),
        };
        let found =
            first_switches((*self.system).clone(), self.options.error, switches, limits).ok()?;
        Some(found.into_iter().collect())
    }
}
