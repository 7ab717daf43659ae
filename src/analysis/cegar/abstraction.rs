//! Existential abstraction of the rules (thesis, 4.1, 5.3). It is exact, as it is computed by
//! diagrams.
//!
//! | rule | abstract rule |
//! | --- | --- |
//! | step n → m | ∃ {n} ∧ statement ∧ {m} |
//! | failing check at n | ∃ {n} ∧ failure |
//! | pop of f | ∃ {exit} ∧ {ε} |
//! | push at m, returning to r | ∃ {m} ∧ push ∧ (G = G‹) ∧ (P = P‹) ∧ {entry} ∧ {pivot} |
//! | evaluation at the pivot | ∃ {pivot} ∧ {ε} ∧ {r} |
//!
//! {n}, the *concretization*, is the conjunction of bit ↔ predicate over the list of n. It grows
//! with the list and is never built again (7.2). A rule is abstracted again only if one of its
//! points got a predicate (8.3).
//!
//! Differs from the paper: if no point of a rule has predicates, the abstract rule only says
//! whether the rule can be taken. If some sampled store takes it ([`super::sampling`]), the
//! abstract rule is 1, and no diagram of the concrete rule is made.

use super::bits::{AbstractBits, AbstractCopy};
use super::predicates::{Predicates, ProgramPoint};
use super::sampling::Sampled;
use crate::bdd::{Bdd, Manager, Roots, VarSet, impl_roots};
use crate::encode::{Cell, Copy, ProgramDomain, ProgramSystem, Relations, RuleRole};
use crate::lang::model::{EdgeId, Operation, ProcedureId, Program, VariableId};
use crate::pds::RuleId;
use crate::util::Bounded;
use std::collections::{BTreeMap, BTreeSet};

/// What an abstract rule does to the abstract bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AbstractRule {
    /// Step and pop: from [`AbstractCopy::Now`] to [`AbstractCopy::Next`]. A failing check has only
    /// `Now`.
    Step(Bdd),
    /// Push.
    Call(AbstractCall),
}

/// What a call does to the abstract bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AbstractCall {
    /// The procedure that is called.
    pub callee: ProcedureId,
    /// From [`AbstractCopy::Now`] of the caller to [`AbstractCopy::Next`] of the callee's entry and
    /// [`AbstractCopy::Below`] of the pivot.
    pub push: Bdd,
    /// From [`AbstractCopy::Below`] of the pivot and [`AbstractCopy::Now`] of ε to
    /// [`AbstractCopy::Next`] of the return site.
    pub eval: Bdd,
}

/// The program and its concrete semantics.
pub(super) struct Semantics<'a> {
    pub(super) program: &'a Program,
    pub(super) system: &'a ProgramSystem,
    pub(super) domain: &'a mut ProgramDomain,
    pub(super) relations: &'a mut Relations,
}

#[derive(Clone, Copy, Debug)]
struct Concretization {
    /// How many predicates of the list the formula has.
    predicates: usize,
    /// Over the bits [`AbstractCopy::Now`].
    formula: Bdd,
}

/// The abstract rules, and which of them are out of date.
pub struct Abstraction {
    bits: AbstractBits,
    concretizations: BTreeMap<ProgramPoint, Concretization>,
    rules: Vec<AbstractRule>,
    initial: Bdd,
    stale: BTreeSet<RuleId>,
    initial_is_stale: bool,
    rules_of: BTreeMap<ProgramPoint, Vec<RuleId>>,
    /// All concrete variables.
    concrete: VarSet,
    abstracted: u64,
    sampled: Sampled,
}

impl Abstraction {
    /// Prepares the abstraction; every rule is out of date.
    pub(super) fn new(
        program: &Program,
        system: &ProgramSystem,
        domain: &mut ProgramDomain,
        bits: AbstractBits,
    ) -> Abstraction {
        let mut rules_of: BTreeMap<ProgramPoint, Vec<RuleId>> = BTreeMap::new();
        let ids = (0..system.roles.len() as u32).map(RuleId);
        for rule in ids.clone() {
            for point in points_of(program, system.role(rule)) {
                rules_of.entry(point).or_default().push(rule);
            }
        }
        let levels: Vec<_> =
            (AbstractBits::levels()..domain.layout.levels()).map(crate::bdd::Var).collect();
        Abstraction {
            bits,
            concretizations: BTreeMap::new(),
            rules: vec![AbstractRule::Step(Bdd::FALSE); system.roles.len()],
            initial: Bdd::FALSE,
            stale: ids.collect(),
            initial_is_stale: true,
            rules_of,
            concrete: domain.kernel.var_set(&levels),
            abstracted: 0,
            sampled: Sampled::of(program),
        }
    }

    /// Marks the rules at a point as out of date, after the point got a predicate.
    pub(super) fn touch(&mut self, program: &Program, point: ProgramPoint) {
        self.stale.extend(self.rules_of.get(&point).into_iter().flatten());
        self.initial_is_stale |=
            point == ProgramPoint::Location(program.procedure(program.main_id()).entry);
    }

    /// Is every rule up to date?
    pub fn is_done(&self) -> bool {
        self.stale.is_empty() && !self.initial_is_stale
    }

    /// How often a rule was abstracted so far.
    pub fn abstracted(&self) -> u64 {
        self.abstracted
    }

    /// An abstract rule.
    pub fn rule(&self, rule: RuleId) -> AbstractRule {
        self.rules[rule]
    }

    /// The abstract bits ([`AbstractCopy::Now`]) with which the program starts.
    pub fn initial(&self) -> Bdd {
        self.initial
    }

    /// Abstracts one rule that is out of date.
    pub(super) fn step(
        &mut self,
        concrete: &mut Semantics<'_>,
        predicates: &Predicates,
    ) -> Bounded<()> {
        let Some(rule) = self.stale.first().copied() else {
            if self.initial_is_stale {
                self.initial = self.initial_of(concrete, predicates)?;
                self.initial_is_stale = false;
            }
            return Ok(());
        };
        let role = concrete.system.role(rule);
        let made = match role {
            _ if self.surely_happens(role)
                && points_of(concrete.program, role)
                    .iter()
                    .all(|point| predicates.at(*point).is_empty()) =>
            {
                match callee_of(concrete.program, role) {
                    Some(callee) => AbstractRule::Call(AbstractCall {
                        callee,
                        push: Bdd::TRUE,
                        eval: Bdd::TRUE,
                    }),
                    None => AbstractRule::Step(Bdd::TRUE),
                }
            }
            RuleRole::Return(procedure) => {
                let exit = ProgramPoint::Location(concrete.program.procedure(procedure).exit);
                let kernel = &mut concrete.domain.kernel;
                let exit = self.concretization(kernel, predicates, exit)?;
                let returned = self.next(kernel, predicates, ProgramPoint::Returned(procedure))?;
                AbstractRule::Step(kernel.and_exists(exit, returned, self.concrete)?)
            }
            RuleRole::Fail(edge, check) => {
                let from = ProgramPoint::Location(concrete.program.edge(edge).from);
                let from = self.concretization(&mut concrete.domain.kernel, predicates, from)?;
                let relation = concrete.relations.step(
                    concrete.domain,
                    concrete.program,
                    edge,
                    Some(check),
                )?;
                let kernel = &mut concrete.domain.kernel;
                let failing = relation.after(kernel, from)?;
                AbstractRule::Step(kernel.exists(failing, self.concrete)?)
            }
            RuleRole::Execute(id) => {
                let edge = concrete.program.edge(id);
                match edge.operation {
                    Operation::Call { callee, .. } => {
                        self.call(concrete, predicates, id, callee)?
                    }
                    _ => {
                        let ends = [edge.from, edge.to].map(ProgramPoint::Location);
                        let kernel = &mut concrete.domain.kernel;
                        let from = self.concretization(kernel, predicates, ends[0])?;
                        let to = self.next(kernel, predicates, ends[1])?;
                        let relation =
                            concrete.relations.step(concrete.domain, concrete.program, id, None)?;
                        let kernel = &mut concrete.domain.kernel;
                        let after = relation.after(kernel, from)?;
                        AbstractRule::Step(kernel.and_exists(after, to, self.concrete)?)
                    }
                }
            }
        };
        self.rules[rule] = made;
        self.stale.remove(&rule);
        self.abstracted += 1;
        Ok(())
    }

    /// Does some sampled store take the rule?
    fn surely_happens(&self, role: RuleRole) -> bool {
        match role {
            RuleRole::Return(_) => true,
            RuleRole::Execute(edge) => self.sampled.passes(edge),
            RuleRole::Fail(edge, check) => self.sampled.fails(edge, check),
        }
    }

    /// {n}, over the bits [`AbstractCopy::Now`].
    pub(super) fn concretization(
        &mut self,
        kernel: &mut Manager,
        predicates: &Predicates,
        point: ProgramPoint,
    ) -> Bounded<Bdd> {
        let known = self
            .concretizations
            .entry(point)
            .or_insert(Concretization { predicates: 0, formula: Bdd::TRUE });
        for (bit, predicate) in predicates.at(point).iter().enumerate().skip(known.predicates) {
            let bit_now = kernel.var(self.bits.level(bit, AbstractCopy::Now)?)?;
            let link = kernel.iff(bit_now, predicate.formula)?;
            known.formula = kernel.and(known.formula, link)?;
            known.predicates = bit + 1;
        }
        Ok(known.formula)
    }

    /// {n}, over the bits [`AbstractCopy::Next`].
    fn next(
        &mut self,
        kernel: &mut Manager,
        predicates: &Predicates,
        point: ProgramPoint,
    ) -> Bounded<Bdd> {
        let formula = self.concretization(kernel, predicates, point)?;
        kernel.rename(formula, self.bits.now_to_next)
    }

    fn initial_of(
        &mut self,
        concrete: &mut Semantics<'_>,
        predicates: &Predicates,
    ) -> Bounded<Bdd> {
        let main = concrete.program.main_id();
        let entry = ProgramPoint::Location(concrete.program.procedure(main).entry);
        if predicates.at(entry).is_empty() {
            return Ok(Bdd::TRUE);
        }
        let stores = concrete.relations.initial(concrete.domain, concrete.program)?;
        let ProgramDomain { kernel, layout, frames, .. } = &mut *concrete.domain;
        let entry = self.concretization(kernel, predicates, entry)?;
        // At the start, the store at the entry is the store now.
        let shift = kernel.renaming(&layout.shift(&frames[main].tracked, Copy::Entry, Copy::Now));
        let entry = kernel.rename(entry, shift)?;
        kernel.and_exists(stores, entry, self.concrete)
    }

    fn call(
        &mut self,
        concrete: &mut Semantics<'_>,
        predicates: &Predicates,
        id: EdgeId,
        callee: ProcedureId,
    ) -> Bounded<AbstractRule> {
        let program = concrete.program;
        let edge = program.edge(id);
        let arguments = concrete.relations.call(concrete.domain, program, id)?.push();
        let ProgramDomain { kernel, layout, frames, .. } = &mut *concrete.domain;
        let frame = &frames[callee];
        let changed_parameters: Vec<Cell> =
            frame.tracked.iter().copied().filter(|cell| frame.parameters.contains(cell)).collect();

        // First the push. The caller's globals are in `Now`. The parameters, as entered and now,
        // are in `Middle`.
        let caller = self.concretization(kernel, predicates, ProgramPoint::Location(edge.from))?;
        let entry =
            self.next(kernel, predicates, ProgramPoint::Location(program.procedure(callee).entry))?;
        let others = kernel.var_set(&layout.cells_levels(&frame.others, Copy::Now));
        let entry = kernel.exists(entry, others)?;
        let mut shift = layout.shift(&frame.changed_globals, Copy::Entry, Copy::Now);
        shift.extend(layout.shift(&changed_parameters, Copy::Entry, Copy::Middle));
        shift.extend(layout.shift(&frame.parameters, Copy::Now, Copy::Middle));
        let shift = kernel.renaming(&shift);
        let entry = kernel.rename(entry, shift)?;
        let pivot_now = self.concretization(kernel, predicates, ProgramPoint::Pivot(id))?;
        let pivot = kernel.rename(pivot_now, self.bits.now_to_below)?;
        let enters = kernel.and(caller, arguments)?;
        let enters = kernel.and(enters, entry)?;
        let push = kernel.and_exists(enters, pivot, self.concrete)?;

        // Then the evaluation. The globals and parameters with which the callee was entered, and
        // its result, are in `Middle`.
        let shift = kernel.renaming(&layout.shift(&frame.changed_globals, Copy::Now, Copy::Middle));
        let pivot = kernel.rename(pivot, shift)?;
        let returned = self.concretization(kernel, predicates, ProgramPoint::Returned(callee))?;
        let mut shift = layout.shift(&frame.tracked, Copy::Entry, Copy::Middle);
        shift.extend(layout.shift(&frame.constant_parameters, Copy::Now, Copy::Middle));
        shift.extend(layout.shift(&frame.result, Copy::Now, Copy::Middle));
        let shift = kernel.renaming(&shift);
        let returned = kernel.rename(returned, shift)?;
        let mut after = self.next(kernel, predicates, ProgramPoint::Location(edge.to))?;
        if let Some(target) =
            result_of(&edge.operation).map(|variable| Cell { variable, element: 0 })
        {
            after = match frame.result {
                Some(result) => {
                    let (from, to) =
                        (layout.cell(target, Copy::Now), layout.cell(result, Copy::Middle));
                    let shift = kernel.renaming(&from.into_iter().zip(to).collect::<Vec<_>>());
                    kernel.rename(after, shift)?
                }
                None => {
                    let target = kernel.var_set(&layout.cell(target, Copy::Now));
                    kernel.exists(after, target)?
                }
            };
        }
        let returns = kernel.and(pivot, returned)?;
        let eval = kernel.and_exists(returns, after, self.concrete)?;
        Ok(AbstractRule::Call(AbstractCall { callee, push, eval }))
    }
}

impl_roots!(Abstraction { concretizations, initial, rules });
impl_roots!(Concretization { formula });

impl Roots for AbstractRule {
    fn roots(&self, roots: &mut Vec<Bdd>) {
        match self {
            AbstractRule::Step(relation) => roots.push(*relation),
            AbstractRule::Call(call) => roots.extend([call.push, call.eval]),
        }
    }
}

fn result_of(operation: &Operation) -> Option<VariableId> {
    match operation {
        Operation::Call { result, .. } => *result,
        _ => None,
    }
}

/// The procedure that a rule calls, if it is the push rule of a call.
fn callee_of(program: &Program, role: RuleRole) -> Option<ProcedureId> {
    match role {
        RuleRole::Execute(edge) => match program.edge(edge).operation {
            Operation::Call { callee, .. } => Some(callee),
            _ => None,
        },
        RuleRole::Fail(..) | RuleRole::Return(_) => None,
    }
}

/// The points on whose predicates the abstraction of a rule depends.
pub(super) fn points_of(program: &Program, role: RuleRole) -> Vec<ProgramPoint> {
    match role {
        RuleRole::Return(procedure) => {
            vec![
                ProgramPoint::Location(program.procedure(procedure).exit),
                ProgramPoint::Returned(procedure),
            ]
        }
        RuleRole::Fail(edge, _) => vec![ProgramPoint::Location(program.edge(edge).from)],
        RuleRole::Execute(id) => {
            let edge = program.edge(id);
            let mut points =
                vec![ProgramPoint::Location(edge.from), ProgramPoint::Location(edge.to)];
            if let Operation::Call { callee, .. } = edge.operation {
                points.extend([
                    ProgramPoint::Pivot(id),
                    ProgramPoint::Location(program.procedure(callee).entry),
                    ProgramPoint::Returned(callee),
                ]);
            }
            points
        }
    }
}
