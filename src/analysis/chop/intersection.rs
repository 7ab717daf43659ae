//! The method of the paper: post\* and pre\* once, then for each statement a path summary over
//! their intersection by functional weights (Lal, Kidd, Reps, Touili 2007, § 4).
//!
//! Callers' locals: if the run leaves the frame, the functional weight is λz. merge(w_b, z) ⊗ w_f,
//! so that the caller's locals are those that it had at the call (Lal, Touili, Kidd, Reps 2007,
//! App. B, adapted). If the target lies inside the callee, the caller's locals are quantified.

use super::{Begun, Part, Query, behind, callee_entry, entered};
use crate::analysis::backward::weight;
use crate::analysis::reach::Reach;
use crate::bdd::{Bdd, impl_roots};
use crate::encode::{CONTROL, ProgramDomain, symbol};
use crate::lang::model::{EdgeId, LocationId, Program};
use crate::pds::{
    ForwardWeights, FunctionalSummary, Functionals, PreStar, RuleId, StackAutomaton, StackSymbol,
    State,
};
use crate::util::Bounded;

/// A path summary in progress, from the frame of the statement down the stack.
pub(super) struct Intersection {
    summary: FunctionalSummary<Bdd>,
    stacks: StackAutomaton,
}

/// The functional weights of a program. A label is what the frame is entered and left with, as long
/// as the frame is left; at the target it only says whether the target is reached.
struct Frames<'a> {
    domain: &'a mut ProgramDomain,
    program: &'a Program,
}

impl Functionals for Frames<'_> {
    type Weight = Bdd;
    fn zero(&self) -> Bdd {
        Bdd::FALSE
    }
    fn combine(&mut self, left: &Bdd, right: &Bdd) -> Bounded<Bdd> {
        self.domain.kernel.or(*left, *right)
    }
    fn before(&mut self, _backward: &Bdd, z: &Bdd) -> Bounded<Bdd> {
        // Only the top of the stack is read with ε, and the top was read already.
        Ok(*z)
    }
    fn around(
        &mut self,
        symbol: StackSymbol,
        via: Option<RuleId>,
        at_call: &Bdd,
        z: &Bdd,
        forward: &Bdd,
        (from, to): (State, State),
    ) -> Bounded<Bdd> {
        let rule = via.expect("what lies below a frame was left by a call");
        let left = State::from(CONTROL);
        if z.is_false() || from != left {
            // The target lies inside the callee, and its entry is one that this caller or another
            // makes.
            return Ok(*z);
        }
        let procedure = self.program.location(LocationId(symbol.0)).procedure;
        let returned = self.domain.return_after(at_call, rule, z)?;
        if to == left {
            self.domain.meet(procedure, returned, *forward)
        } else {
            let reached = self.domain.meets(procedure, returned, *forward)?;
            Ok(if reached { Bdd::TRUE } else { Bdd::FALSE })
        }
    }
}

/// The seeds: the statement's own frame.
pub(super) fn begin(
    reach: &mut Reach,
    edge: EdgeId,
    part: Part,
    prestar: &PreStar<ProgramDomain>,
    target: State,
) -> Bounded<Begun> {
    let automaton = prestar.automaton();
    if part == Part::Ending {
        let Some(entry) = callee_entry(reach, edge) else { return Ok(Begun::Answer(false)) };
        let Some(inside) = weight(automaton, entry, target) else {
            return Ok(Begun::Answer(false));
        };
        let callee = reach.program.location(LocationId(entry.0)).procedure;
        let entered = entered(reach, edge)?;
        return Ok(Begun::Answer(reach.domain.meets(callee, entered, inside)?));
    }
    let (location, procedure) = (reach.program.edge(edge).to, reach.program.owner(edge));
    let (to_end, to_target) = (
        weight(automaton, symbol(location), CONTROL.into()),
        weight(automaton, symbol(location), target),
    );
    let mut seeds = Vec::new();
    for (state, arriving) in behind(reach, edge)? {
        if let Some(to_target) = to_target
            && reach.domain.meets(procedure, arriving, to_target)?
        {
            return Ok(Begun::Answer(true));
        }
        if let Some(to_end) = to_end {
            let whole = reach.domain.meet(procedure, arriving, to_end)?;
            if !whole.is_false() {
                seeds.push(((state, State::from(CONTROL), 0), whole));
            }
        }
    }
    if seeds.is_empty() {
        return Ok(Begun::Answer(false));
    }
    let query =
        Intersection { summary: FunctionalSummary::seeded(seeds), stacks: StackAutomaton::all() };
    Ok(Begun::Query(Box::new(Query::Intersection(query))))
}

impl Intersection {
    /// Does a piece of the query. Returns the answer once it is known: is the path summary more
    /// than "no path"?
    pub(super) fn step(
        &mut self,
        reach: &mut Reach,
        prestar: &PreStar<ProgramDomain>,
    ) -> Bounded<Option<bool>> {
        let (backward, forward) = (reach.poststar.read(), prestar.read());
        let mut frames = Frames { domain: &mut reach.domain, program: &reach.program };
        if !self.summary.is_done() {
            self.summary.step(&mut frames, backward, forward, &self.stacks)?;
            return Ok(None);
        }
        let total = self.summary.total(&mut frames, backward, forward, &self.stacks)?;
        Ok(Some(!total.is_false()))
    }
}

impl_roots!(Intersection { summary });
