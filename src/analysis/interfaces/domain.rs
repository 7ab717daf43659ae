//! The weights of a thread's pushdown system with one control location for each of its contexts.

use crate::bdd::{Bdd, impl_roots};
use crate::encode::ProgramDomain;
use crate::pds::{ControlLocation, ForwardWeights, Pds, Rule, RuleId, StackSymbol, Weights};
use crate::util::Bounded;

/// What a weight remembers about a run, besides the globals at its switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContextMark {
    /// Nothing.
    Nothing,
    /// The location at which the thread's first context ends.
    FirstSwitch,
    /// One statement of the thread. The run chooses which one.
    Statement,
}

impl ContextMark {
    /// Control locations of one context: before and after something was marked.
    pub(super) fn controls(self) -> u32 {
        if self == ContextMark::Statement { 2 } else { 1 }
    }
}

/// The rules of a program, once for each control location. For [`ContextMark::Statement`] there is
/// one more copy, which leads from each context's first control location to its second one and
/// marks the rule's edge. Returns mark nothing.
pub(super) fn contexts(program: &Pds, contexts: u32, mark: ContextMark) -> Pds {
    let controls = contexts * mark.controls();
    let mut pds = Pds::new(controls, program.symbols());
    for control in (0..controls).map(ControlLocation) {
        for rule in program.rules() {
            pds.add(Rule { from: control, to: control, ..*rule });
        }
    }
    if mark == ContextMark::Statement {
        for context in 0..contexts {
            let (from, to) = (ControlLocation(2 * context), ControlLocation(2 * context + 1));
            for rule in program.rules() {
                pds.add(Rule { from, to, ..*rule });
            }
        }
    }
    pds
}

/// A program's weights, with the rules of [`contexts`].
pub(super) struct ContextDomain {
    /// The weights of the program.
    pub(super) program: ProgramDomain,
    /// The program's rules, with one control location.
    alone: Pds,
    /// The number of the program's rules.
    rules: u32,
    /// The first rule that marks.
    marking: u32,
    /// By rule of the program: the diagram that marks it. Returns mark nothing.
    pub(super) marks: Vec<Bdd>,
}

impl ContextDomain {
    pub(super) fn new(
        program: ProgramDomain,
        pds: &Pds,
        alone: Pds,
        marks: Vec<Bdd>,
    ) -> ContextDomain {
        let rules = alone.rules().len() as u32;
        let marking = if marks.is_empty() { u32::MAX } else { rules * pds.locations() };
        ContextDomain { program, alone, rules, marking, marks }
    }

    /// The program's rule, and what it marks.
    fn rule(&self, rule: RuleId) -> (RuleId, Option<Bdd>) {
        let of_program = RuleId(rule.0 % self.rules);
        (of_program, (rule.0 >= self.marking).then(|| self.marks[of_program]))
    }

    fn marked(&mut self, weight: Bdd, mark: Option<Bdd>) -> Bounded<Bdd> {
        match mark {
            Some(mark) => self.program.kernel.and(weight, mark),
            None => Ok(weight),
        }
    }
}

impl Weights for ContextDomain {
    type Weight = Bdd;

    fn zero(&self) -> Bdd {
        Bdd::FALSE
    }
    fn is_zero(&self, weight: &Bdd) -> bool {
        weight.is_false()
    }
    fn combine(&mut self, left: &Bdd, right: &Bdd) -> Bounded<Bdd> {
        self.program.combine(left, right)
    }
    fn difference(&mut self, new: &Bdd, old: &Bdd) -> Bounded<Bdd> {
        self.program.difference(new, old)
    }
}

impl ForwardWeights for ContextDomain {
    fn after(&mut self, weight: &Bdd, rule: RuleId) -> Bounded<Bdd> {
        let (rule, mark) = self.rule(rule);
        let weight = self.marked(*weight, mark)?;
        self.program.after(&weight, rule)
    }
    fn enter(&mut self, weight: &Bdd, rule: RuleId) -> Bounded<Bdd> {
        let (rule, mark) = self.rule(rule);
        let weight = self.marked(*weight, mark)?;
        self.program.enter(&weight, rule)
    }
    fn return_after(&mut self, at_call: &Bdd, rule: RuleId, summary: &Bdd) -> Bounded<Bdd> {
        let (rule, mark) = self.rule(rule);
        let at_call = self.marked(*at_call, mark)?;
        self.program.return_after(&at_call, rule, summary)
    }
    /// Loops are summed up within one context only.
    fn accelerate(
        &mut self,
        _pds: &Pds,
        priority: &[u32],
        symbol: StackSymbol,
        gained: &Bdd,
        whole: &Bdd,
    ) -> Bounded<Option<Bdd>> {
        self.program.accelerate(&self.alone, priority, symbol, gained, whole)
    }
    fn return_into_given(&mut self, below: &Bdd, summary: &Bdd) -> Bounded<Bdd> {
        self.program.return_into_given(below, summary)
    }
}

/// A stack symbol that is a location of the program, not an error.
pub(super) fn location(
    symbol: StackSymbol,
    locations: usize,
) -> Option<crate::lang::model::LocationId> {
    ((symbol.0 as usize) < locations).then_some(crate::lang::model::LocationId(symbol.0))
}

impl_roots!(ContextDomain { program, marks });
