//! Approximations of the stores that fail at a statement, beside the exact ones of
//! [`Session::stores`].

use super::{Session, Sought};
use crate::analysis::annotated::triples;
use crate::analysis::annotated::witnesses::Witnesses;
use crate::analysis::error_projection::Method;
use crate::bdd::Bdd;
use crate::lang::model::EdgeId;
use crate::session::{Job, Task};
use crate::util::Bounded;

impl Session {
    /// Failing runs, at most so many, until every statement of the projection is on one: the run
    /// that was found, and then a shortest one through each statement (in the order of edges) that
    /// no earlier one executes. Each search has the budget of the run; one that comes to a limit
    /// leaves its statement out. Replaces [`Session::through`]. Nothing where no projection is
    /// complete.
    pub fn witnesses(&mut self, most: usize) -> Witnesses {
        let mut witnesses = Witnesses::default();
        let (Some(in_projection), Some(run)) = (self.in_projection(), self.failing_run()) else {
            return witnesses;
        };
        if most > 0 {
            witnesses.add(run.entries.iter().map(|entry| (entry.edge, entry.values.clone())));
        }
        for edge in (0..in_projection.len()).filter(|k| in_projection[*k]).map(|k| EdgeId(k as u32))
        {
            if witnesses.count() >= most {
                break;
            }
            if witnesses.is_lit(edge) || !self.seek_through(vec![vec![edge]]) {
                continue;
            }
            self.run();
            if let Some(Sought::Run(run)) = self.through().map(|through| &through.answer) {
                witnesses.add(run.entries.iter().map(|entry| (entry.edge, entry.values.clone())));
            }
        }
        witnesses
    }

    /// Stores before a statement (a diagram of the kernel of [`Self::reach_mut`], over current
    /// values), every failing one among them, by triples of weights. `None` before an exact
    /// projection is complete.
    pub fn failing_by_triples(&mut self, edge: EdgeId) -> Bounded<Option<Bdd>> {
        if !self.projected
            || self.executed.is_none()
            || self.task == Task::Projection(Method::Naive)
        {
            return Ok(None);
        }
        self.find_contexts()?;
        match (&mut self.reach, &self.projection) {
            (Some(reach), Some(projection)) => {
                triples::failing_at(reach, projection, edge).map(Some)
            }
            _ => Ok(Some(Bdd::FALSE)),
        }
    }
}
