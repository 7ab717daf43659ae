//! What can be asked of an analysis of threads that is over: the globals that are reached, the
//! sizes of interfaces, where a first switch matters.

use super::{LOOKING, ThreadsMethod, ThreadsSession};
use crate::analysis::interfaces::{InterfaceSize, Interfaces, first_switches};
use crate::bdd::{Bdd, KernelLimits, Natural};
use crate::encode::{Cell, Copy, Shared};
use crate::lang::interpreter::Assignment;
use crate::lang::model::{Edge, LocationId, VariableId};
use crate::util::Bounded;
use std::collections::BTreeSet;
use std::rc::Rc;

impl ThreadsSession {
    /// What is reached with at most so many switches and not with fewer: by the globals that a
    /// reader knows, the first `most` valuations of them, and how many all those are that are
    /// reached with at most so many.
    pub fn reached(
        &mut self,
        bound: u32,
        most: usize,
    ) -> Bounded<(Vec<Assignment>, bool, Natural)> {
        let shown = self.system.shown_globals();
        let program = Rc::clone(&self.system.program);
        let kernel = match (&mut self.tree, &mut self.interfaces) {
            (Some(tree), _) => &mut tree.engine.domain.kernel,
            (None, Some(interfaces)) => &mut interfaces.domain().kernel,
            (None, None) => return Ok((Vec::new(), false, Natural::default())),
        };
        let max_nodes = self.budgets.max_nodes.saturating_add(self.budgets.max_nodes / 4);
        let max_steps = kernel.steps().saturating_add(LOOKING);
        kernel.set_limits(KernelLimits { max_nodes, max_steps });
        let levels = self.levels(bound)?;
        let (domain, shared) = match (&mut self.tree, &mut self.interfaces) {
            (Some(tree), _) => (&mut tree.engine.domain, tree.engine.shared.clone()),
            (None, Some(interfaces)) => {
                let shared = Shared::new(interfaces.domain(), &program);
                (interfaces.domain(), shared)
            }
            (None, None) => return Ok((Vec::new(), false, Natural::default())),
        };
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

    /// What is reached with each number of switches up to this one.
    fn levels(&mut self, bound: u32) -> Bounded<Vec<Bdd>> {
        if let Some(tree) = &self.tree {
            return Ok(tree.levels().iter().map(|level| level.reached).collect());
        }
        let Some(interfaces) = &mut self.interfaces else { return Ok(Vec::new()) };
        let program = Rc::clone(&self.system.program);
        let before = |line: u32| {
            let asked = move |edge: &&Edge| edge.is_statement() && edge.span.line == line;
            program
                .edges
                .iter()
                .filter(asked)
                .map(|edge| edge.from)
                .collect::<BTreeSet<LocationId>>()
        };
        let places: Vec<Option<LocationId>> = match self.asked.at {
            Some(line) => before(line).into_iter().map(Some).collect(),
            None => vec![None],
        };
        let mut levels = Vec::new();
        for switches in 0..=bound {
            let mut level = Bdd::FALSE;
            for place in &places {
                let here = interfaces.globals_at(switches, *place)?;
                level = interfaces.domain().kernel.or(level, here)?;
            }
            levels.push(level);
        }
        Ok(levels)
    }

    /// How it is computed.
    pub fn method(&self) -> ThreadsMethod {
        self.method
    }

    /// The greatest bound that is decided.
    pub fn bound(&self) -> Option<u32> {
        match (&self.tree, &self.interfaces) {
            (Some(tree), _) => Some(tree.bound()),
            (None, interfaces) => interfaces.as_ref().and_then(Interfaces::bound),
        }
    }

    /// The sizes of the interfaces; none, by the other method.
    pub fn interfaces(&self) -> Vec<InterfaceSize> {
        self.interfaces.as_ref().map_or(Vec::new(), Interfaces::sizes)
    }

    /// The locations of thread 0 at which a first switch can lead to an error with as few switches
    /// as any; for a run that failed. A second analysis by interfaces, within the same budgets but
    /// at most `LOOKING` steps; `None` if that is too much.
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
