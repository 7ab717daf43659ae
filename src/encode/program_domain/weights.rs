//! The weights of a program's pushdown system, as saturation computes with them.

use super::{Effect, ProgramDomain};
use crate::bdd::Bdd;
use crate::pds::{BackwardWeights, ForwardWeights, Pds, RuleId, StackSymbol, Weights};
use crate::util::Bounded;

impl Weights for ProgramDomain {
    type Weight = Bdd;

    fn zero(&self) -> Bdd {
        Bdd::FALSE
    }
    fn is_zero(&self, weight: &Bdd) -> bool {
        weight.is_false()
    }
    fn combine(&mut self, left: &Bdd, right: &Bdd) -> Bounded<Bdd> {
        self.kernel.or(*left, *right)
    }
    /// If weights mention all entries, the difference has larger diagrams than the whole weight.
    fn difference(&mut self, new: &Bdd, old: &Bdd) -> Bounded<Bdd> {
        if self.some_start_anywhere() {
            return Ok(*new);
        }
        self.kernel.difference(*new, *old)
    }
}

impl ForwardWeights for ProgramDomain {
    fn after(&mut self, weight: &Bdd, rule: RuleId) -> Bounded<Bdd> {
        if let Effect::Return(procedure) = self.effects[rule] {
            let dropped = self.frame_relations[procedure].dropped;
            return self.kernel.exists(*weight, dropped);
        }
        let statement = self.statement_for(rule, *weight)?;
        self.pass_forward(&statement.change, *weight, statement.forward)
    }

    fn enter(&mut self, weight: &Bdd, rule: RuleId) -> Bounded<Bdd> {
        let call = self.call_at(rule);
        let callee = call.callee.0 as usize;
        let frame = self.frame_relations[callee];
        if self.may_start_anywhere && !self.starts_anywhere[callee] {
            self.entered[callee] += 1;
            self.starts_anywhere[callee] = self.entered[callee] > self.restarts;
        }
        let entered = self.kernel.and_exists(*weight, call.enter, call.left_behind)?;
        if self.starts_anywhere[callee] {
            return Ok(if entered.is_false() { Bdd::FALSE } else { frame.entry });
        }
        let entered = self.kernel.rename(entered, frame.middle_to_now)?;
        self.kernel.and(entered, frame.entry)
    }

    fn return_after(&mut self, at_call: &Bdd, rule: RuleId, summary: &Bdd) -> Bounded<Bdd> {
        let call = self.call_at(rule);
        let relation = call.forward(&mut self.kernel, *summary)?;
        self.pass_forward(&call.change, *at_call, relation)
    }

    /// A program starts with one frame.
    fn return_into_given(&mut self, _below: &Bdd, _summary: &Bdd) -> Bounded<Bdd> {
        Ok(Bdd::FALSE)
    }

    /// Does nothing if callees start with the weight 1: the numbers of such a program are too
    /// narrow to count far.
    fn accelerate(
        &mut self,
        pds: &Pds,
        priority: &[u32],
        symbol: StackSymbol,
        gained: &Bdd,
        whole: &Bdd,
    ) -> Bounded<Option<Bdd>> {
        if self.may_start_anywhere {
            return Ok(None);
        }
        self.rounds_after(pds, priority, symbol, *gained, *whole)
    }
}

impl BackwardWeights for ProgramDomain {
    fn pop_before(&mut self, rule: RuleId) -> Bounded<Bdd> {
        let Effect::Return(procedure) = self.effects[rule] else {
            unreachable!("only pop rules come here")
        };
        let exit = self.frame_relations[procedure].exit;
        self.narrow(rule, exit)
    }

    fn before(&mut self, rule: RuleId, weight: &Bdd) -> Bounded<Bdd> {
        // The statement covers everything inside the stores that post\* has reached.
        let statement = if self.reached.is_some() {
            self.statement_at(rule)
        } else {
            self.statement_for(rule, Bdd::TRUE)?
        };
        let before = self.pass_backward(&statement.change, statement.backward, *weight)?;
        self.narrow(rule, before)
    }

    fn return_before(&mut self, rule: RuleId, summary: &Bdd, weight: &Bdd) -> Bounded<Bdd> {
        let call = self.call_at(rule);
        let summary =
            self.kernel.exists(*summary, self.frame_relations[call.callee].uninitialised)?;
        let relation = call.backward(&mut self.kernel, summary)?;
        let before = self.pass_backward(&call.change, relation, *weight)?;
        self.narrow(rule, before)
    }

    fn accelerate_backward(&mut self, symbol: StackSymbol, gained: &Bdd) -> Bounded<Option<Bdd>> {
        let Some(weight) = self.rounds_before(symbol, *gained)? else { return Ok(None) };
        match &self.reached {
            Some(reached) => self.kernel.and(weight, reached[symbol]).map(Some),
            None => Ok(Some(weight)),
        }
    }

    /// The target is a set of tops, so the stack below the callee is arbitrary.
    fn inside_before(&mut self, rule: RuleId, callee: &Bdd, _below: &Bdd) -> Bounded<Bdd> {
        let call = self.call_at(rule);
        let frame = self.frame_relations[call.callee];
        let entered = self.kernel.exists(*callee, frame.uninitialised)?;
        let entered = self.kernel.rename(entered, frame.entry_to_now)?;
        let before = self.kernel.and_exists(entered, call.enter_backward, frame.parameters_now)?;
        self.narrow(rule, before)
    }
}
