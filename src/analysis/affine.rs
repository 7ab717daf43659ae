//! Affine-relation analysis: every affine equality among the variables in scope that holds at a
//! location, procedures and recursion included (Müller-Olm, Seidl 2004; Lal, Touili, Kidd, Reps
//! 2007, § 4.2.1).
//!
//! post\* over matrix spaces gives, for each frame, the effect of the runs since its entry. A
//! fixpoint over the calls, on rows (1, x1, …, xn) instead of matrices, then finds the stores that
//! enter each frame. Conditions other than equalities are treated as choices (see
//! [`AffineDomain`]). So every equality found holds, and if nothing was approximated all of them
//! are found.

use crate::encode::affine::{AffineDomain, Arithmetic, Columns};
use crate::encode::{CONTROL, ProgramSystem, RuleRole, symbol};
use crate::lang::model::{LocationId, Operation, ProcedureId, Program, VariableId};
use crate::pds::{PAutomaton, PostStar, State, Transition};
use crate::semiring::Semiring;
use crate::semiring::affine::{Coefficients, Span};
use crate::util::order::sort_by_key;
use crate::util::{Alarm, Bounded};
use num_bigint::BigInt;
use num_traits::Zero;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Σ ai xi = a, in lowest terms for the rationals; modulo 2^w otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equality {
    /// The pairs (x, ai) with ai ≠ 0. The variable that was declared last comes first.
    pub terms: Vec<(VariableId, BigInt)>,
    /// The right side a.
    pub constant: BigInt,
}

/// An analysis in progress.
pub struct AffineAnalysis<C: Coefficients> {
    program: Rc<Program>,
    system: ProgramSystem,
    domain: AffineDomain<C>,
    poststar: PostStar<AffineDomain<C>>,
    start: State,
    /// By procedure: the hull of the stores that enter its frames. For the start procedure these
    /// are the frames that calls create; `first` has the stores that enter its first frame.
    entries: Vec<Span<C::Number>>,
    first: Span<C::Number>,
    changed: BTreeSet<usize>,
    entered: bool,
}

impl<C: Coefficients> AffineAnalysis<C> {
    /// Prepares the analysis; after `most_operations` multiplications of numbers it ends with a
    /// limit.
    pub fn new(
        program: Rc<Program>,
        arithmetic: Arithmetic,
        ring: C,
        most_operations: u64,
    ) -> Bounded<Self> {
        let system = ProgramSystem::new(&program, None);
        let mut domain = AffineDomain::new(&program, &system, arithmetic, ring, most_operations)?;
        let mut initial = PAutomaton::new(1);
        let start = initial.add_state();
        initial.set_final(start);
        let entry = symbol(program.procedures[program.main].entry);
        let one = domain.semiring.one()?;
        initial.insert(
            Transition { from: CONTROL.into(), symbol: Some(entry), to: start, via: None },
            one,
        );
        let first = domain.start(&program)?;
        let poststar = PostStar::new(&domain, initial, system.priority.clone());
        let entries = vec![Span::empty(); program.procedures.len()];
        Ok(AffineAnalysis {
            program,
            system,
            domain,
            poststar,
            start,
            entries,
            first,
            changed: BTreeSet::new(),
            entered: false,
        })
    }

    /// While the alarm is on, a step ends with [`Limit::Time`](crate::util::Limit::Time).
    pub fn set_alarm(&mut self, alarm: Alarm) {
        self.domain.semiring.set_alarm(alarm);
    }

    /// One piece of work. Returns true once the analysis is over.
    pub fn step(&mut self) -> Bounded<bool> {
        if !self.poststar.is_done() {
            self.poststar.step(&self.system.pds, &mut self.domain)?;
            return Ok(false);
        }
        if !self.entered {
            self.entered = true;
            self.follow_calls(self.program.main, self.start, self.first.clone())?;
            return Ok(false);
        }
        let Some(next) = self.changed.pop_first() else { return Ok(true) };
        if let Some(frame) = self.frame(ProcedureId(next as u32)) {
            self.follow_calls(next, frame, self.entries[next].clone())?;
        }
        Ok(false)
    }

    /// Is the analysis over?
    pub fn is_done(&self) -> bool {
        self.poststar.is_done() && self.entered && self.changed.is_empty()
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Was the effect of some reached statement approximated, so that more equalities may hold than
    /// are found?
    pub fn is_approximate(&mut self) -> Bounded<bool> {
        for edge in 0..self.program.edges.len() {
            if self.domain.approximated()[edge] && self.is_reached(self.program.edges[edge].from)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_reached(&mut self, location: LocationId) -> Bounded<bool> {
        Ok(!self.stores_at(location)?.is_empty())
    }

    /// The state that means "inside a callee's frame of this procedure".
    fn frame(&self, procedure: ProcedureId) -> Option<State> {
        self.poststar.middle(CONTROL, symbol(self.program.procedure(procedure).entry))
    }

    fn weight_at(&self, location: LocationId, frame: State) -> Option<Span<C::Number>> {
        let transition = Transition {
            from: CONTROL.into(),
            symbol: Some(symbol(location)),
            to: frame,
            via: None,
        };
        let automaton = self.poststar.automaton();
        automaton.find(transition).map(|id| automaton.weight(id).clone())
    }

    /// The stores that enter the callees of a procedure, if these stores enter its frames.
    fn follow_calls(
        &mut self,
        procedure: usize,
        frame: State,
        stores: Span<C::Number>,
    ) -> Bounded<()> {
        for rule in 0..self.system.roles.len() {
            let RuleRole::Execute(edge) = self.system.roles[rule] else { continue };
            let id = crate::pds::RuleId(rule as u32);
            let edge = self.program.edge(edge);
            let Operation::Call { callee, .. } = edge.operation else { continue };
            let from = edge.from;
            if self.program.location(from).procedure.0 as usize != procedure {
                continue;
            }
            let Some(weight) = self.weight_at(from, frame) else { continue };
            let Some(enter) = self.domain.entering(id).cloned() else { continue };
            let at_call = self.domain.apply(&stores, &weight)?;
            let entering = self.domain.apply(&at_call, &enter)?;
            let old = &self.entries[callee];
            let new = old.sum(self.domain.semiring.ring(), &entering);
            if new != *old {
                self.entries[callee] = new;
                self.changed.insert(callee.0 as usize);
            }
        }
        Ok(())
    }

    /// The affine hull of the stores that reach a location: rows (1, x1, …, xn) over the columns;
    /// empty if none does.
    fn stores_at(&mut self, location: LocationId) -> Bounded<Span<C::Number>> {
        let procedure = self.program.location(location).procedure;
        let mut all = Span::empty();
        let mut frames = Vec::new();
        if procedure.0 as usize == self.program.main {
            frames.push((self.start, self.first.clone()));
        }
        if let Some(frame) = self.frame(procedure) {
            frames.push((frame, self.entries[procedure].clone()));
        }
        for (frame, stores) in frames {
            if let Some(weight) = self.weight_at(location, frame) {
                let reached = self.domain.apply(&stores, &weight)?;
                all = all.sum(self.domain.semiring.ring(), &reached);
            }
        }
        Ok(all)
    }

    /// A basis of all affine equalities among `variables` that hold whenever a run is at the
    /// location; `None` if none ever is.
    pub fn equalities_at(
        &mut self,
        location: LocationId,
        variables: &[VariableId],
    ) -> Bounded<Option<Vec<Equality>>> {
        let stores = self.stores_at(location)?;
        if stores.is_empty() {
            return Ok(None);
        }
        let shown = latest_first(&self.domain.columns, variables);
        let ring = self.domain.semiring.ring();
        let select = |row: &Vec<C::Number>| -> Vec<C::Number> {
            shown
                .iter()
                .map(|(_, column)| row[column + 1].clone())
                .chain([row[0].clone()])
                .collect()
        };
        let rows: Vec<_> = stores.rows().iter().map(select).collect();
        Ok(Some(equalities(ring, &rows, &shown)))
    }

    /// Multiplications of numbers so far.
    pub fn operations(&self) -> u64 {
        self.domain.semiring.operations()
    }
}

/// The variables with their columns. The variable that was declared last comes first, so that the
/// equalities express each variable by earlier ones.
pub(super) fn latest_first(
    columns: &Columns,
    variables: &[VariableId],
) -> Vec<(VariableId, usize)> {
    let mut shown: Vec<(VariableId, usize)> =
        variables.iter().filter_map(|v| Some((*v, columns.of(*v)?))).collect();
    sort_by_key(&mut shown, |(id, _)| std::cmp::Reverse(*id));
    shown.dedup();
    shown
}

/// A basis of the equalities that hold of all these rows, each over the shown variables and then
/// the constant.
pub(super) fn equalities<C: Coefficients>(
    ring: &C,
    rows: &[Vec<C::Number>],
    shown: &[(VariableId, usize)],
) -> Vec<Equality> {
    let constant = shown.len();
    let found = Span::null_space(ring, rows, constant + 1);
    let equality = |row: &Vec<C::Number>| {
        let numbers = ring.readable(row);
        let terms = shown
            .iter()
            .zip(&numbers)
            .filter(|(_, n)| !n.is_zero())
            .map(|((id, _), n)| (*id, n.clone()))
            .collect();
        Equality { terms, constant: -numbers[constant].clone() }
    };
    found.rows().iter().map(equality).filter(|e| !e.terms.is_empty()).collect()
}
