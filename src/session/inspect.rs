//! Questions about answers: the stores at a statement, and why a statement is innocent.

use super::Session;
use super::comparison::Comparison;
use super::run::Projected;
use crate::analysis::why_not::{WhyNot, why_not};
use crate::bdd::Bdd;
use crate::encode::{Cell, ProgramDomain, Valuation};
use crate::lang::interpreter::{Configuration, Frame, Machine};
use crate::lang::model::{EdgeId, Expression, VariableId};
use crate::util::Bounded;

impl Session {
    /// One bounded piece of what [`Self::stores`] of a statement needs first. Returns whether that
    /// is there.
    pub fn prepare_stores(&mut self, edge: EdgeId) -> Bounded<bool> {
        let Some(run) = self.run_mut().filter(|run| run.executed.is_some()) else {
            return Ok(true);
        };
        if run.reach.domain.kernel.is_collection_due() {
            run.collect_garbage();
        }
        let from = run.reach.program.edge(edge).from;
        run.reach.remember(from)
    }

    /// The stores that some run brings to a statement, and those of them with which a run fails.
    /// They are diagrams of [`Self::domain`], over current values. Returns `None` before post\* is
    /// complete, and no failing stores before the projection is.
    pub fn stores(&mut self, edge: EdgeId) -> Bounded<Option<(Bdd, Option<Bdd>)>> {
        let Some(run) = self.run_mut().filter(|run| run.executed.is_some()) else {
            return Ok(None);
        };
        run.find_contexts()?;
        let reach = &mut run.reach;
        let from = reach.program.edge(edge).from;
        let program = std::rc::Rc::clone(&reach.program);
        let reached = reach.exact_stores_at(from)?;
        let reached = reach.domain.stores_in_full(&program, from, reached)?;
        let failing = match run.projected.as_mut().map(Projected::contexts) {
            None => None,
            Some(None) => Some(Bdd::FALSE),
            Some(Some(projection)) => {
                let failing = projection.failing_at(reach, edge)?;
                Some(reach.domain.stores_in_full(&program, from, failing)?)
            }
        };
        Ok(Some((reached, failing)))
    }

    /// The kernel of the answers' diagrams, with its layout of the variables.
    pub fn domain(&mut self) -> Option<&mut ProgramDomain> {
        self.run_mut().map(|run| &mut run.reach.domain)
    }

    /// Does a condition hold in this store before an edge? The interpreter decides this, and shares
    /// no code with the diagrams.
    pub fn holds_in(&self, edge: EdgeId, condition: &Expression, store: &Valuation) -> bool {
        let Some(program) = self.program() else { return false };
        let elements = |id: VariableId| {
            (0..program.variable(id).elements())
                .map(|element| store.get(Cell { variable: id, element }))
                .collect()
        };
        let owner = program.owner(edge);
        let procedure = program.procedure(owner);
        let values =
            procedure.parameters.iter().chain(&procedure.locals).map(|id| elements(*id)).collect();
        let configuration = Configuration {
            globals: program.globals().map(elements).collect(),
            frames: vec![Frame { procedure: owner, values, call: None }],
            location: program.edge(edge).from,
        };
        Machine::new(program).evaluate(&configuration, condition, &[]) == 1
    }

    /// Why no failing run executes an edge. Returns `None` if some failing run does, or if nothing
    /// is known yet (for an edge that runs execute, the naive projection must be complete).
    pub fn why_not(&mut self, edge: EdgeId) -> Bounded<Option<WhyNot>> {
        let innocent = self.explains()
            && self.in_projection().is_some_and(|in_projection| !in_projection[edge.0 as usize]);
        let Some(run) = self.run_mut().filter(|_| innocent) else { return Ok(None) };
        let Some(executed) = &run.executed else { return Ok(None) };
        let naive = run.comparison.as_mut().and_then(Comparison::naive_mut);
        why_not(&mut run.reach, naive, executed, edge)
    }
}
