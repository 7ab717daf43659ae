//! Looking into answers: the stores at a statement, and why a statement is innocent.

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
    /// The stores before a statement that some run brings there, and those of them with which a run
    /// fails; diagrams of [`Self::domain`], over current values. `None` before post\* is complete;
    /// no failing ones before the projection is.
    pub fn stores(&mut self, edge: EdgeId) -> Bounded<Option<(Bdd, Option<Bdd>)>> {
        let Some(run) = self.run_mut().filter(|run| run.executed.is_some()) else {
            return Ok(None);
        };
        run.find_contexts()?;
        let reach = &mut run.reach;
        let from = reach.program.edge(edge).from;
        let reached = reach.exact_stores_at(from)?;
        let failing = match run.projected.as_mut().map(Projected::contexts) {
            None => None,
            Some(None) => Some(Bdd::FALSE),
            Some(Some(projection)) => Some(projection.failing_at(reach, edge)?),
        };
        Ok(Some((reached, failing)))
    }

    /// What the diagrams of the answers are made of: their kernel and its layout of the variables.
    pub fn domain(&mut self) -> Option<&mut ProgramDomain> {
        self.run_mut().map(|run| &mut run.reach.domain)
    }

    /// Does a condition hold in this store before an edge? The interpreter decides, which shares no
    /// code with the diagrams.
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

    /// Why no failing run executes an edge. `None`: some failing run does, or nothing is known yet
    /// (for an edge that runs execute, the naive projection is needed).
    pub fn why_not(&mut self, edge: EdgeId) -> Bounded<Option<WhyNot>> {
        let innocent = self.explains()
            && self.in_projection().is_some_and(|in_projection| !in_projection[edge.0 as usize]);
        let Some(run) = self.run_mut().filter(|_| innocent) else { return Ok(None) };
        let Some(executed) = &run.executed else { return Ok(None) };
        let naive = run.comparison.as_mut().and_then(Comparison::naive_mut);
        why_not(&mut run.reach, naive, executed, edge)
    }
}
