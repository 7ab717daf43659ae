//! The weights and rules of a thread's pushdown system with one control location for each of its
//! contexts.

use crate::encode::affine::AffineDomain;
use crate::encode::{ProgramSystem, symbol};
use crate::lang::model::LocationId;
use crate::pds::{ControlLocation, ForwardWeights, Pds, Right, Rule, RuleId, Weights};
use crate::semiring::Semiring;
use crate::semiring::affine::{Coefficients, MatrixSpace};
use crate::util::Bounded;

/// A program's weights, its rules once for each context and a rule for each switch.
pub(super) struct ContextDomain<C: Coefficients> {
    pub(super) program: AffineDomain<C>,
    rules: u32,
    /// The first rule that switches.
    switching: u32,
    /// The number of rules that switch from one context to the next.
    switches_each: u32,
    /// By context that ends: the weight of the switch that ends it.
    switches: Vec<MatrixSpace<C>>,
}

impl<C: Coefficients> ContextDomain<C> {
    /// The program's rules once for each context, and a rule for each location at which a switch
    /// can end a context.
    pub(super) fn new(
        mut program: AffineDomain<C>,
        rules: &ProgramSystem,
        switchable: &[bool],
        contexts: u32,
    ) -> Bounded<(Pds, ContextDomain<C>)> {
        let locations: Vec<LocationId> = (0u32..)
            .zip(switchable)
            .filter(|(_, switchable)| **switchable)
            .map(|(k, _)| LocationId(k))
            .collect();
        let mut pds = Pds::new(contexts, rules.pds.symbols());
        for control in (0..contexts).map(ControlLocation) {
            for rule in rules.pds.rules() {
                pds.add(Rule { from: control, to: control, ..*rule });
            }
        }
        let switching = pds.rules().len() as u32;
        let mut switches = Vec::new();
        for context in 1..contexts {
            for location in &locations {
                let top = symbol(*location);
                pds.add(Rule {
                    from: ControlLocation(context - 1),
                    symbol: top,
                    to: ControlLocation(context),
                    right: Right::Step(top),
                });
            }
            switches.push(program.switch(2 * context as usize - 1, 2 * context as usize)?);
        }
        let domain = ContextDomain {
            program,
            rules: rules.pds.rules().len() as u32,
            switching,
            switches_each: locations.len().max(1) as u32,
            switches,
        };
        Ok((pds, domain))
    }

    pub(super) fn of_program(&self, rule: RuleId) -> RuleId {
        RuleId(rule.0 % self.rules)
    }
}

impl<C: Coefficients> Weights for ContextDomain<C> {
    type Weight = MatrixSpace<C>;

    fn zero(&self) -> MatrixSpace<C> {
        self.program.zero()
    }
    fn is_zero(&self, weight: &MatrixSpace<C>) -> bool {
        weight.is_empty()
    }
    fn combine(
        &mut self,
        left: &MatrixSpace<C>,
        right: &MatrixSpace<C>,
    ) -> Bounded<MatrixSpace<C>> {
        self.program.combine(left, right)
    }
}

impl<C: Coefficients> ForwardWeights for ContextDomain<C> {
    fn after(&mut self, weight: &MatrixSpace<C>, rule: RuleId) -> Bounded<MatrixSpace<C>> {
        if rule.0 >= self.switching {
            let context = (rule.0 - self.switching) / self.switches_each;
            return self.program.semiring.extend(weight, &self.switches[context as usize]);
        }
        self.program.after(weight, self.of_program(rule))
    }
    fn enter(&mut self, weight: &MatrixSpace<C>, rule: RuleId) -> Bounded<MatrixSpace<C>> {
        self.program.enter(weight, self.of_program(rule))
    }
    fn return_after(
        &mut self,
        at_call: &MatrixSpace<C>,
        rule: RuleId,
        summary: &MatrixSpace<C>,
    ) -> Bounded<MatrixSpace<C>> {
        self.program.return_after(at_call, self.of_program(rule), summary)
    }
    fn return_into_given(
        &mut self,
        below: &MatrixSpace<C>,
        summary: &MatrixSpace<C>,
    ) -> Bounded<MatrixSpace<C>> {
        self.program.return_into_given(below, summary)
    }
}
