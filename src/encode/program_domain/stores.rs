//! Questions to the weights of a program: stores before a rule, at an entry, and of a frame.

use super::ProgramDomain;
use crate::bdd::{Bdd, BitVector};
use crate::cfg::live_locals;
use crate::encode::call::{Call, CallSite};
use crate::encode::effect::{Change, Statement, open_failure};
use crate::encode::layout::{Cell, Copy};
use crate::lang::model::{EdgeId, LocationId, ProcedureId, Program, VariableKind};
use crate::pds::RuleId;
use crate::util::Bounded;
use std::rc::Rc;

impl ProgramDomain {
    /// The same stores, also for readers that look at every bit of a cell: the bits that effects do
    /// not store are what they follow to be. Only cells that `live` says are live in this copy, and
    /// cells that the set mentions, have such bits; what no statement reads any more may have any
    /// value.
    pub fn in_full(
        &mut self,
        mut stores: Bdd,
        copy: Copy,
        cells: &[Cell],
        is_live: impl Fn(Cell) -> bool,
    ) -> Bounded<Bdd> {
        if stores.is_false() {
            return Ok(stores);
        }
        let support = self.kernel.support(stores);
        for cell in cells {
            let stored = self.layout.stored(*cell);
            let levels = self.layout.cell(*cell, copy);
            let (low, high) = levels.split_at(stored.bits.into());
            let is_mentioned = || low.iter().any(|level| support.binary_search(level).is_ok());
            if high.is_empty() || !is_live(*cell) && !is_mentioned() {
                continue;
            }
            let value = self.layout.value(&mut self.kernel, *cell, copy)?;
            let whole = BitVector::from_variables(&mut self.kernel, &levels)?;
            let follows = whole.equal(&mut self.kernel, &value)?;
            stores = self.kernel.and(stores, follows)?;
        }
        Ok(stores)
    }

    /// [`Self::in_full`] for the stores that runs bring to a location, over [`Copy::Now`].
    pub fn stores_in_full(
        &mut self,
        program: &Program,
        location: LocationId,
        stores: Bdd,
    ) -> Bounded<Bdd> {
        if !self.layout.is_narrowed() {
            return Ok(stores);
        }
        let live = Rc::clone(self.live.get_or_insert_with(|| Rc::new(live_locals(program))));
        let visible = self.visible(program.location(location).procedure);
        self.in_full(stores, Copy::Now, &visible, |cell| {
            program.variable(cell.variable).kind == VariableKind::Global
                || live[location].contains(&cell.variable)
        })
    }

    /// `after` relates frame entries to stores now; the result relates them to the stores before a
    /// forward relation.
    pub(super) fn preimage(&mut self, change: &Change, relation: Bdd, after: Bdd) -> Bounded<Bdd> {
        if change.cells.is_empty() {
            return self.kernel.and(after, relation);
        }
        let before = self.kernel.and_exists(after, relation, change.now)?;
        self.kernel.rename(before, change.middle_to_now)
    }

    /// Frame entries and stores now in which a step rule applies and after which `after` holds
    /// (both over entry and now).
    pub fn before_step(&mut self, rule: RuleId, after: Bdd) -> Bounded<Bdd> {
        // A question about all stores, reached or not, needs the whole relation.
        let everything = after.is_true() && self.reached.is_none();
        let statement =
            if everything { self.statement_for(rule, Bdd::TRUE)? } else { self.statement_at(rule) };
        self.preimage(&statement.change, statement.forward, after)
    }

    /// The same for entries and stores that post\* has brought to the rule. For others the result
    /// is arbitrary.
    pub fn before_reached(&mut self, rule: RuleId, after: Bdd) -> Bounded<Bdd> {
        let statement = self.statement_at(rule);
        self.preimage(&statement.change, statement.forward, after)
    }

    /// [`Self::before_step`] for a whole call with this post\* summary of its callee.
    pub fn before_call(&mut self, rule: RuleId, summary: Bdd, after: Bdd) -> Bounded<Bdd> {
        let call = self.call_at(rule);
        let relation = call.forward(&mut self.kernel, summary)?;
        self.preimage(&call.change, relation, after)
    }

    /// The caller's stores now from which a call enters its callee with globals and parameters in
    /// `entered` (over [`Copy::Now`]).
    pub fn before_entry(&mut self, rule: RuleId, entered: Bdd) -> Bounded<Bdd> {
        let call = self.call_at(rule);
        let relations = self.frame_relations[call.callee];
        let entered = self.kernel.rename(entered, relations.now_to_middle)?;
        self.kernel.and_exists(entered, call.enter, relations.parameters_middle)
    }

    /// The procedure that a call's rule calls.
    pub fn callee_of(&self, rule: RuleId) -> ProcedureId {
        self.callee(rule)
    }

    /// Stores at a procedure's entry (now) without its locals that are no parameters.
    pub fn without_others(&mut self, procedure: ProcedureId, stores: Bdd) -> Bounded<Bdd> {
        let others = self.layout.cells_levels(&self.frames[procedure].others, Copy::Now);
        let others = self.kernel.var_set(&others);
        self.kernel.exists(stores, others)
    }

    /// The arguments with which a call in one of these stores (now) enters its callee, over the
    /// parameters in [`Copy::Middle`].
    pub fn entering(&mut self, rule: RuleId, at_call: Bdd) -> Bounded<Bdd> {
        let call = self.call_at(rule);
        self.kernel.and_exists(at_call, call.enter, call.left_behind)
    }

    /// The globals and parameters (over [`Copy::Now`]) with which a procedure starts in these
    /// entries and stores at its entry.
    pub fn entered_with(&mut self, procedure: ProcedureId, at_entry: Bdd) -> Bounded<Bdd> {
        let starting = self.at_entry(procedure, at_entry)?;
        let frame = &self.frames[procedure];
        let mut gone = self.layout.cells_levels(&frame.tracked, Copy::Entry);
        gone.extend(self.layout.cells_levels(&frame.others, Copy::Now));
        let gone = self.kernel.var_set(&gone);
        self.kernel.exists(starting, gone)
    }

    /// A set of stores over [`Copy::Entry`] (a pre\* weight into the target), renamed to
    /// [`Copy::Now`].
    pub fn entry_to_now(&mut self, procedure: ProcedureId, stores: Bdd) -> Bounded<Bdd> {
        let relations = self.frame_relations[procedure];
        self.kernel.rename(stores, relations.all_entry_to_now)
    }

    /// A set of stores over [`Copy::Now`], renamed to [`Copy::Entry`].
    pub fn now_to_entry(&mut self, procedure: ProcedureId, stores: Bdd) -> Bounded<Bdd> {
        let shift = match self.all_now_to_entry[procedure] {
            Some(shift) => shift,
            None => {
                let visible = self.visible(procedure);
                let shift =
                    self.kernel.renaming(&self.layout.shift(&visible, Copy::Now, Copy::Entry));
                self.all_now_to_entry[procedure] = Some(shift);
                shift
            }
        };
        self.kernel.rename(stores, shift)
    }

    /// Is the edge's k-th check, in some of these stores (over now) and for some choices, the first
    /// to fail?
    pub fn may_fail(
        &mut self,
        program: &Program,
        edge: EdgeId,
        check: usize,
        stores: Bdd,
    ) -> Bounded<bool> {
        let open = open_failure(&mut self.kernel, &self.layout, program, edge, check, stores)?;
        Ok(!self.kernel.and(open, stores)?.is_false())
    }

    /// The stores now of a post\* weight: forgets the frame's entry.
    pub fn forget_entry(&mut self, procedure: ProcedureId, weight: Bdd) -> Bounded<Bdd> {
        let relations = self.frame_relations[procedure];
        self.kernel.exists(weight, relations.tracked)
    }

    /// Forgets the values of uninitialised locals at a callee's entry, over [`Copy::Entry`].
    pub fn forget_uninitialised(&mut self, procedure: ProcedureId, stores: Bdd) -> Bounded<Bdd> {
        let relations = self.frame_relations[procedure];
        self.kernel.exists(stores, relations.uninitialised)
    }

    /// The part of a weight in which nothing has changed since the procedure was entered.
    pub fn at_entry(&mut self, procedure: ProcedureId, weight: Bdd) -> Bounded<Bdd> {
        let entry = self.frame_relations[procedure].entry;
        self.kernel.and(weight, entry)
    }

    /// The entries of a call's callee, given its caller's weight at the call: tracked cells in
    /// [`Copy::Entry`], constant ones in [`Copy::Now`].
    pub fn as_entries(&mut self, rule: RuleId, at_call: Bdd) -> Bounded<Bdd> {
        let call = self.call_at(rule);
        let relations = self.frame_relations[call.callee];
        let entered = self.kernel.and_exists(at_call, call.enter, call.left_behind)?;
        let entered = self.kernel.rename(entered, relations.middle_to_now)?;
        self.start_entries(call.callee, entered)
    }

    /// The same for stores with which a procedure starts (over [`Copy::Now`]).
    pub fn start_entries(&mut self, procedure: ProcedureId, stores: Bdd) -> Bounded<Bdd> {
        let relations = self.frame_relations[procedure];
        let stores = self.kernel.exists(stores, relations.tracked)?;
        self.kernel.rename(stores, relations.tracked_to_entry)
    }

    /// As `ForwardWeights::after` for an edge without a call, with every local remembered.
    pub fn after_remembering(
        &mut self,
        program: &Program,
        edge: EdgeId,
        weight: Bdd,
    ) -> Bounded<Bdd> {
        let stores = self.forget_entry(program.owner(edge), weight)?;
        let stores = if self.program.is_some() { stores } else { Bdd::TRUE };
        let statement =
            Statement::within(&mut self.kernel, &self.layout, program, (edge, None), &[], stores)?;
        self.pass_forward(&statement.change, weight, statement.forward)
    }

    /// As `ForwardWeights::return_after` for a call, with every local of the caller remembered.
    pub fn return_remembering(
        &mut self,
        site: &CallSite<'_>,
        weight: Bdd,
        summary: Bdd,
    ) -> Bounded<Bdd> {
        let call = Call::of(&mut self.kernel, &self.layout, &self.frames, site, &[])?;
        let relation = call.forward(&mut self.kernel, summary)?;
        self.pass_forward(&call.change, weight, relation)
    }
}
