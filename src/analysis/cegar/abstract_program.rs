//! The abstract program as a weighted pushdown system: its rules are those of the concrete program,
//! its weights are relations of abstract bits.
//!
//! A post\* weight relates the bits with which a frame was entered
//! ([`AbstractCopy::Entry`](super::bits::AbstractCopy)) to the bits now. The pivot needs no symbol
//! of its own: a return applies push, summary and evaluation in one operation.

use super::abstraction::{AbstractCall, AbstractRule, Abstraction, Semantics};
use super::bits::{AbstractBits, AbstractCopy};
use super::predicates::{Predicates, ProgramPoint};
use crate::bdd::{Bdd, KernelLimits, Manager, impl_roots};
use crate::encode::{Copy, Layout, ProgramDomain, ProgramSystem, Relations};
use crate::lang::model::{LocationId, ProcedureId, Program};
use crate::pds::{EntrySets, ForwardWeights, RuleId, StackSymbol, Weights};
use crate::util::Bounded;
use std::rc::Rc;

/// A program, its predicates, and its abstraction by them.
pub struct AbstractProgram {
    /// The program's own semantics. Its kernel holds abstract and concrete diagrams; the abstract
    /// bits lie above the program's.
    pub domain: ProgramDomain,
    /// The rules of the program as relations.
    pub relations: Relations,
    /// The program.
    pub program: Rc<Program>,
    /// Its rules.
    pub system: ProgramSystem,
    /// The abstract bits.
    pub bits: AbstractBits,
    /// The predicates of all points.
    pub predicates: Predicates,
    /// The abstract rules.
    pub abstraction: Abstraction,
}

impl AbstractProgram {
    /// Prepares the abstraction of a program, without predicates. Only errors on `error_line`
    /// count, if given.
    pub fn new(
        program: Rc<Program>,
        error_line: Option<u32>,
        limits: KernelLimits,
    ) -> Bounded<AbstractProgram> {
        let layout = Layout::below(&program, AbstractBits::levels());
        let mut kernel = Manager::new(layout.levels(), limits)?;
        let bits = AbstractBits::new(&mut kernel, layout.levels() - AbstractBits::levels())?;
        let system = ProgramSystem::new(&program, error_line);
        let mut domain = ProgramDomain::without_effects(&program, layout, kernel);
        let abstraction = Abstraction::new(&program, &system, &mut domain, bits);
        let (relations, predicates) = (Relations::new(), Predicates::default());
        Ok(AbstractProgram { domain, relations, program, system, bits, predicates, abstraction })
    }

    /// Adds a predicate; was it new?
    pub fn add(&mut self, point: ProgramPoint, formula: Bdd, round: u32) -> bool {
        let added = self.predicates.add(point, formula, round);
        if added {
            self.abstraction.touch(&self.program, point);
        }
        added
    }

    /// Abstracts one rule that is out of date.
    pub fn abstract_one(&mut self) -> Bounded<()> {
        let AbstractProgram { domain, relations, program, system, predicates, abstraction, .. } =
            self;
        abstraction.step(&mut Semantics { program, system, domain, relations }, predicates)
    }

    /// The meaning of abstract bits ([`AbstractCopy::Now`]) at a point: a diagram over concrete
    /// variables.
    pub fn meaning(&mut self, point: ProgramPoint, bits: Bdd) -> Bounded<Bdd> {
        let concretization =
            self.abstraction.concretization(&mut self.domain.kernel, &self.predicates, point)?;
        self.domain.kernel.and_exists(bits, concretization, self.bits.now)
    }

    /// The meaning of a weight at a location: a relation of the store with which the frame was
    /// entered (the tracked cells in [`Copy::Entry`]) to the store now.
    pub fn relation(&mut self, location: LocationId, weight: Bdd) -> Bounded<Bdd> {
        let procedure = self.program.location(location).procedure;
        let entry = ProgramPoint::Location(self.program.procedure(procedure).entry);
        let entered =
            self.abstraction.concretization(&mut self.domain.kernel, &self.predicates, entry)?;
        // The store with which the frame was entered; its locals may have any value.
        let frame = &self.domain.frames[procedure];
        let others =
            self.domain.kernel.var_set(&self.domain.layout.cells_levels(&frame.others, Copy::Now));
        let shift = self.domain.kernel.renaming(&self.domain.layout.shift(
            &frame.tracked,
            Copy::Now,
            Copy::Entry,
        ));
        let entered = self.domain.kernel.exists(entered, others)?;
        let entered = self.domain.kernel.rename(entered, shift)?;
        let to_entry: Vec<_> = (0..self.predicates.at(entry).len())
            .map(|bit| {
                Ok((
                    self.bits.level(bit, AbstractCopy::Now)?,
                    self.bits.level(bit, AbstractCopy::Entry)?,
                ))
            })
            .collect::<Bounded<_>>()?;
        let to_entry = self.domain.kernel.renaming(&to_entry);
        let entered = self.domain.kernel.rename(entered, to_entry)?;
        let weight = self.domain.kernel.and_exists(weight, entered, self.bits.entry)?;
        self.meaning(ProgramPoint::Location(location), weight)
    }

    /// Quantifies the bits with which the frame was entered.
    pub fn forget_entry(&mut self, weight: Bdd) -> Bounded<Bdd> {
        self.domain.kernel.exists(weight, self.bits.entry)
    }

    /// The weight with which the program starts.
    pub(super) fn initial(&mut self) -> Bounded<Bdd> {
        let main = self.program.main_id();
        let same = self.entry_identity(main)?;
        self.domain.kernel.and(self.abstraction.initial(), same)
    }

    fn entry_identity(&mut self, procedure: ProcedureId) -> Bounded<Bdd> {
        let entry = ProgramPoint::Location(self.program.procedure(procedure).entry);
        self.bits.identity(&mut self.domain.kernel, self.predicates.at(entry).len())
    }

    fn relation_of(&self, rule: RuleId) -> Bdd {
        match self.abstraction.rule(rule) {
            AbstractRule::Step(relation) => relation,
            AbstractRule::Call(_) => unreachable!("push rules enter and return"),
        }
    }

    pub(super) fn call_of(&self, rule: RuleId) -> AbstractCall {
        match self.abstraction.rule(rule) {
            AbstractRule::Call(call) => call,
            AbstractRule::Step(_) => unreachable!("only push rules are calls"),
        }
    }

    /// The procedure that a frame with this entry belongs to.
    pub(super) fn procedure_entered(&self, entry: StackSymbol) -> ProcedureId {
        self.program.location(LocationId(entry.0)).procedure
    }

    /// The part of `weight` from which a step or pop rule leads into `after`.
    pub(super) fn before_step(&mut self, weight: Bdd, rule: RuleId, after: Bdd) -> Bounded<Bdd> {
        let relation = self.relation_of(rule);
        let after = self.domain.kernel.rename(after, self.bits.now_to_next)?;
        let before = self.domain.kernel.and_exists(relation, after, self.bits.next)?;
        self.domain.kernel.and(weight, before)
    }

    /// The bits of the pivot ([`AbstractCopy::Now`]) that a call makes of a weight.
    pub(super) fn pushed(&mut self, weight: Bdd, rule: RuleId) -> Bounded<Bdd> {
        let AbstractCall { push, .. } = self.call_of(rule);
        let pushed = self.domain.kernel.and_exists(weight, push, self.bits.now)?;
        let pushed = self.domain.kernel.exists(pushed, self.bits.entry_and_next)?;
        self.domain.kernel.rename(pushed, self.bits.below_to_now)
    }

    /// The part of `weight` from which a call enters its callee with bits in `entered`
    /// ([`AbstractCopy::Now`] of the callee's entry).
    pub(super) fn before_entry(&mut self, weight: Bdd, rule: RuleId, entered: Bdd) -> Bounded<Bdd> {
        let AbstractCall { push, .. } = self.call_of(rule);
        let entered = self.domain.kernel.rename(entered, self.bits.now_to_next)?;
        let before = self.domain.kernel.and_exists(push, entered, self.bits.next_and_below)?;
        self.domain.kernel.and(weight, before)
    }

    /// The part of `weight` from which a call leads over some of `summary` into `after`, and that
    /// part of the summary.
    pub(super) fn before_call(
        &mut self,
        weight: Bdd,
        rule: RuleId,
        summary: Bdd,
        after: Bdd,
    ) -> Bounded<(Bdd, Bdd)> {
        let AbstractCall { push, eval, .. } = self.call_of(rule);
        let bits = self.bits;
        let after = self.domain.kernel.rename(after, bits.now_to_next)?;
        // The copies here: Entry is the caller's, Now is that of ε, Next is the callee's at its
        // entry, Below is that of the pivot.
        let evaluates = self.domain.kernel.and_exists(eval, after, bits.next)?;
        let summary = self.domain.kernel.rename(summary, bits.entry_to_next)?;
        let joined = self.domain.kernel.and(evaluates, summary)?;
        let pushed = self.domain.kernel.and_exists(weight, push, bits.now)?;
        let needed = self.domain.kernel.and_exists(pushed, joined, bits.entry_and_below)?;
        let needed = self.domain.kernel.rename(needed, bits.next_to_entry)?;
        let below = self.domain.kernel.exists(joined, bits.now)?;
        let before = self.domain.kernel.and_exists(push, below, bits.next_and_below)?;
        Ok((self.domain.kernel.and(weight, before)?, needed))
    }
}

impl_roots!(AbstractProgram { domain, relations, predicates, abstraction });

impl Weights for AbstractProgram {
    type Weight = Bdd;

    fn zero(&self) -> Bdd {
        Bdd::FALSE
    }
    fn is_zero(&self, weight: &Bdd) -> bool {
        weight.is_false()
    }
    fn combine(&mut self, left: &Bdd, right: &Bdd) -> Bounded<Bdd> {
        self.domain.kernel.or(*left, *right)
    }
    fn difference(&mut self, new: &Bdd, old: &Bdd) -> Bounded<Bdd> {
        self.domain.kernel.difference(*new, *old)
    }
}

impl ForwardWeights for AbstractProgram {
    fn after(&mut self, weight: &Bdd, rule: RuleId) -> Bounded<Bdd> {
        let relation = self.relation_of(rule);
        let after = self.domain.kernel.and_exists(*weight, relation, self.bits.now)?;
        self.domain.kernel.rename(after, self.bits.next_to_now)
    }

    fn enter(&mut self, weight: &Bdd, rule: RuleId) -> Bounded<Bdd> {
        let AbstractCall { callee, push, .. } = self.call_of(rule);
        let entered = self.domain.kernel.and_exists(*weight, push, self.bits.now)?;
        let entered = self.domain.kernel.exists(entered, self.bits.entry_and_below)?;
        let entered = self.domain.kernel.rename(entered, self.bits.next_to_now)?;
        let same = self.entry_identity(callee)?;
        self.domain.kernel.and(entered, same)
    }

    fn return_after(&mut self, at_call: &Bdd, rule: RuleId, summary: &Bdd) -> Bounded<Bdd> {
        let AbstractCall { push, eval, .. } = self.call_of(rule);
        let bits = self.bits;
        let pushed = self.domain.kernel.and_exists(*at_call, push, bits.now)?;
        let summary = self.domain.kernel.rename(*summary, bits.entry_to_next)?;
        let returned = self.domain.kernel.and_exists(pushed, summary, bits.next)?;
        let after = self.domain.kernel.and_exists(returned, eval, bits.now_and_below)?;
        self.domain.kernel.rename(after, bits.next_to_now)
    }

    /// A program starts with one frame.
    fn return_into_given(&mut self, _below: &Bdd, _summary: &Bdd) -> Bounded<Bdd> {
        Ok(Bdd::FALSE)
    }
}

impl EntrySets for AbstractProgram {
    fn starts(&mut self, weight: &Bdd, rule: RuleId) -> Bounded<Bdd> {
        self.enter(weight, rule)
    }
    fn entries(&mut self, _rule: RuleId, starts: &Bdd) -> Bounded<Bdd> {
        self.domain.kernel.exists(*starts, self.bits.now)
    }
    fn meet(&mut self, weight: &Bdd, entries: &Bdd) -> Bounded<Bdd> {
        self.domain.kernel.and(*weight, *entries)
    }
    fn beyond(&mut self, weight: &Bdd, old: &Bdd) -> Bounded<Bdd> {
        self.domain.kernel.difference(*weight, *old)
    }
}
