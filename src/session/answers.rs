//! What can be asked of a session, while it goes on and once it is over.

use super::{Outcome, Phase, Proof, RawSession, ReplayedRun, Session, Task};
use crate::analysis::invariant::Invariant;
use crate::analysis::reach::Reach;
use crate::analysis::slice::Slice;
use crate::lang::model::Program;
use crate::util::{Bounded, Limit};
use crate::wire::options::EffectiveOptions;

impl Session {
    /// The program's text.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The options in force.
    pub fn options(&self) -> &EffectiveOptions {
        &self.options
    }

    /// The program, if it could be read.
    pub fn program(&self) -> Option<&Program> {
        self.program.as_deref()
    }

    /// What is computed.
    pub fn task(&self) -> Task {
        self.task
    }

    /// Where the run is.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Pieces of work done.
    pub fn items(&self) -> u64 {
        self.items
    }

    /// The answer so far; meaningful once the run is over.
    pub fn outcome(&self) -> Outcome {
        if let Some(raw) = &self.raw {
            return match (raw.reachable(), self.limit) {
                _ if raw.fault().is_some() => Outcome::Fault,
                (Some(true), _) => Outcome::Unsafe,
                (Some(false), _) => Outcome::Safe,
                (None, limit) => Outcome::Unknown(limit.unwrap_or(Limit::Time)),
            };
        }
        match (&self.run, self.limit) {
            _ if self.fault.is_some() => Outcome::Fault,
            (Some(_), _) => Outcome::Unsafe,
            // Whatever came after a complete post\* that saw no error, it saw none.
            (None, Some(limit)) if self.executed.is_none() => Outcome::Unknown(limit),
            (None, _) if self.has_threads() => Outcome::Unknown(Limit::Threads),
            (None, _) => Outcome::Safe,
        }
    }

    /// The raw pushdown system, if that is what was loaded.
    pub fn raw(&self) -> Option<&RawSession> {
        self.raw.as_ref()
    }

    /// A run of the first thread alone that fails is a run of the program; that none fails says
    /// nothing.
    pub(super) fn has_threads(&self) -> bool {
        self.program.as_ref().is_some_and(|program| program.concurrency.has_threads())
    }

    /// How the interpreter, or the check of the invariant, contradicts the engine.
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref().or_else(|| self.raw.as_ref()?.fault())
    }

    /// What is known of the invariant behind "safe"; `None` for other verdicts.
    pub fn proof(&self) -> Option<Proof> {
        self.proof
    }

    /// The invariant: of a safe program the one behind the verdict, of another what post\* reached.
    /// `None` before post\* is complete.
    pub fn invariant(&mut self) -> Bounded<Option<Invariant>> {
        if self.executed.is_none() {
            return Ok(None);
        }
        match (&self.proving, &mut self.reach) {
            (Some(proving), _) => Ok(Some(proving.invariant().clone())),
            (None, Some(reach)) => Invariant::of(reach).map(Some),
            (None, None) => Ok(None),
        }
    }

    /// The failing run.
    pub fn failing_run(&self) -> Option<&ReplayedRun> {
        self.run.as_ref()
    }

    /// By edge: does some run execute it? Known once post\* is complete.
    pub fn executed(&self) -> Option<&[bool]> {
        self.executed.as_deref()
    }

    /// By edge: does some failing run execute it? Known once the projection is complete.
    pub fn in_projection(&self) -> Option<Vec<bool>> {
        let edges = self.program.as_ref()?.edges.len();
        (self.projected && !self.has_threads()).then(|| match (&self.chop, &self.projection) {
            (Some(chop), _) => chop.in_projection().to_vec(),
            (None, Some(projection)) => projection.in_projection().to_vec(),
            (None, None) => vec![false; edges],
        })
    }

    /// By edge: does some failing run execute it and go on behind it? Known once the projection is
    /// complete.
    pub fn passed(&self) -> Option<Vec<bool>> {
        let edges = self.program.as_ref()?.edges.len();
        (self.projected && !self.has_threads()).then(|| match (&self.chop, &self.projection) {
            (Some(chop), _) => chop.passed().to_vec(),
            (None, Some(projection)) => projection.passed().to_vec(),
            (None, None) => vec![false; edges],
        })
    }

    /// By edge: is it in the slice of the errors? Known at the end of a run that projects, unless
    /// it was too large.
    pub fn slice(&self) -> Option<&[bool]> {
        self.slice.as_ref().filter(|slice| slice.is_done()).map(Slice::inside)
    }

    /// Most nodes alive, steps, and bytes held by the kernel.
    pub fn statistics(&self) -> (u64, u64, u64) {
        if let Some(raw) = &self.raw {
            let (peak, steps) = raw.statistics();
            return (peak, steps, 0);
        }
        self.reach.as_ref().map_or((0, 0, 0), |reach| {
            let kernel = &reach.domain.kernel;
            (kernel.peak_nodes(), kernel.steps(), kernel.bytes())
        })
    }

    /// Nodes alive now.
    pub fn live_nodes(&self) -> u64 {
        let raw = self.raw.as_ref().map_or(0, RawSession::live);
        self.reach.as_ref().map_or(raw, |reach| reach.domain.kernel.live_nodes())
    }

    /// The weights behind the answers, to look into a statement.
    pub fn reach_mut(&mut self) -> Option<&mut Reach> {
        self.reach.as_mut()
    }
}
