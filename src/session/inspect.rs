//! Looking into answers: the stores at a statement, why a statement is innocent, the naive
//! projection beside the exact one.

use super::{Session, Task};
use crate::analysis::error_projection::{ErrorProjection, Method, Phase as ProjectionPhase};
use crate::analysis::why_not::{WhyNot, why_not};
use crate::bdd::{Bdd, KernelLimits};
use crate::encode::{Cell, Valuation};
use crate::lang::interpreter::{Configuration, Frame, Machine};
use crate::lang::model::{EdgeId, Expression, Program, VariableId};
use crate::util::Bounded;
use std::rc::Rc;

impl Session {
    /// The stores before a statement that some run brings there, and those of them with which a run
    /// fails; diagrams of the kernel of [`Self::reach_mut`], over current values. `None` before
    /// post\* is complete; no failing ones before the projection is.
    pub fn stores(&mut self, edge: EdgeId) -> Bounded<Option<(Bdd, Option<Bdd>)>> {
        if self.executed.is_none() {
            return Ok(None);
        }
        self.find_contexts()?;
        let Some(reach) = &mut self.reach else { return Ok(None) };
        let from = reach.program.edge(edge).from;
        let reached = reach.exact_stores_at(from)?;
        let failing = match &mut self.projection {
            Some(projection) if self.projected => Some(projection.failing_at(reach, edge)?),
            None if self.projected => Some(Bdd::FALSE),
            _ => None,
        };
        Ok(Some((reached, failing)))
    }

    /// The program, to be kept while the session is asked.
    pub fn shared_program(&self) -> Option<Rc<Program>> {
        self.program.clone()
    }

    /// Does a condition hold in this store before an edge? By the interpreter, which shares no code
    /// with the diagrams.
    pub fn holds_in(&self, edge: EdgeId, condition: &Expression, store: &Valuation) -> bool {
        let Some(program) = &self.program else { return false };
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

    /// Can reasons be given? Only beside a complete exact projection.
    pub fn explains(&self) -> bool {
        self.projected && self.executed.is_some() && self.task != Task::Projection(Method::Naive)
    }

    /// Begins the naive projection beside the exact one, with as many steps again as the run was
    /// given; true if there is something to do.
    pub fn start_beside(&mut self) -> Bounded<bool> {
        if !self.explains() || self.beside.is_some() {
            return Ok(self.beside_phase().is_some_and(|phase| phase != ProjectionPhase::Done));
        }
        self.collect_garbage();
        let Some(reach) = &mut self.reach else { return Ok(false) };
        self.beside_until = reach.domain.kernel.steps().saturating_add(self.budgets.max_steps);
        let max_nodes = self.budgets.max_nodes + self.budgets.max_nodes / 4;
        reach.domain.kernel.set_limits(KernelLimits { max_nodes, max_steps: self.beside_until });
        self.beside = Some(ErrorProjection::new(reach, Method::Naive)?);
        Ok(true)
    }

    /// One bounded piece of work on the naive projection; is it complete? A limit forgets it.
    pub fn step_beside(&mut self) -> Bounded<bool> {
        let (Some(reach), Some(beside)) = (&mut self.reach, &mut self.beside) else {
            return Ok(true);
        };
        // Somebody may have looked into a statement meanwhile.
        let max_nodes = self.budgets.max_nodes + self.budgets.max_nodes / 4;
        reach.domain.kernel.set_limits(KernelLimits { max_nodes, max_steps: self.beside_until });
        if let Err(limit) = beside.step(reach) {
            self.beside = None;
            self.collect_garbage();
            return Err(limit);
        }
        let done = beside.phase() == ProjectionPhase::Done;
        self.collect();
        Ok(done)
    }

    /// Gives the naive projection up.
    pub fn stop_beside(&mut self) {
        if self.beside_phase() != Some(ProjectionPhase::Done) {
            self.beside = None;
        }
    }

    /// The naive projection, from its beginning to its end.
    pub fn run_beside(&mut self) -> Bounded<()> {
        if self.start_beside()? {
            while !self.step_beside()? {}
        }
        Ok(())
    }

    fn beside_phase(&self) -> Option<ProjectionPhase> {
        self.beside.as_ref().map(ErrorProjection::phase)
    }

    /// By edge: does the naive projection keep it? Known once [`Self::step_beside`] says so.
    pub fn in_naive_projection(&self) -> Option<&[bool]> {
        self.beside
            .as_ref()
            .filter(|beside| beside.phase() == ProjectionPhase::Done)
            .map(ErrorProjection::in_projection)
    }

    /// Why no failing run executes an edge. `None`: some failing run does, or nothing is known yet
    /// (for an edge that runs execute, the naive projection is needed).
    pub fn why_not(&mut self, edge: EdgeId) -> Bounded<Option<WhyNot>> {
        let innocent = self.explains()
            && self.in_projection().is_some_and(|in_projection| !in_projection[edge.0 as usize]);
        let (Some(executed), Some(reach), true) = (&self.executed, &mut self.reach, innocent)
        else {
            return Ok(None);
        };
        let naive = self.beside.as_mut().filter(|beside| beside.phase() == ProjectionPhase::Done);
        why_not(reach, naive, executed, edge)
    }
}
