//! How often can a cycle be executed? The least i for which α β^i cannot, by squaring (thesis,
//! 8.2).
//!
//! P: the stores at the cycle's beginning after the prefix α. R: the relation of the store on top
//! at the beginning of the cycle β to the one at its end. α β^i can be executed iff P meets the
//! domain of R^i, and these domains only shrink. R, R², R⁴, … are computed until the domain of one
//! of them misses P: then the least i is found by a binary search over these squares. If the domain
//! does not change from one square to the next, it never changes again, and the cycle can be
//! executed for ever.
//!
//! Differs from the paper: the paper's program has no calls, and it asks for R to the power of
//! 2^|X|. Here calls that return within the cycle are their effects, and calls that do not leave
//! the store of the caller behind: what is on top at both ends belongs to the same procedure. The
//! comparison of domains ends the squaring as soon as nothing changes.

use crate::analysis::cegar::following::returning;
use crate::bdd::{Bdd, KernelLimits, Manager, Renaming, Roots, VarSet, impl_roots, roots_of};
use crate::encode::{CallRelation, Cell, Copy, Layout, ProgramDomain, Relations};
use crate::lang::model::{EdgeId, LocationId, Operation, ProcedureId, Program, VariableId};
use crate::util::{Alarm, Bounded, Limit};
use std::rc::Rc;

/// A further copy of the store: at the beginning of a cycle.
const BEGUN: u32 = 0;
/// A further copy of the store: between two cycles.
const BETWEEN: u32 = 1;
/// The most squares: i is less than 2 to this power.
const MOST_SQUARES: usize = 63;

/// A trace with a cycle, as edges of a program. The cycle may leave calls on the stack, and returns
/// to no frame below its beginning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CyclicTrace {
    /// α.
    pub prefix: Vec<EdgeId>,
    /// β; not empty.
    pub cycle: Vec<EdgeId>,
    /// Where the cycle begins and ends.
    pub location: LocationId,
}

/// How often a cycle can be executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unrolled {
    /// The least i for which α β^i cannot be executed; `None` if the cycle can be executed for
    /// ever.
    pub least: Option<u64>,
    /// So many squares of R were computed, R itself included.
    pub squares: u32,
}

/// Executes traces of one program symbolically, with a kernel of its own.
pub struct Unroller {
    program: Rc<Program>,
    domain: ProgramDomain,
    relations: Relations,
}

impl_roots!(Unroller { domain, relations });

/// A cycle's relation: the copy of its beginning, and now.
#[derive(Clone, Copy)]
struct Copies {
    begun: VarSet,
    between: VarSet,
    now: VarSet,
    begun_to_now: Renaming,
    begun_to_between: Renaming,
    now_to_begun: Renaming,
    now_to_between: Renaming,
}

impl Unroller {
    /// Prepares it. [`Limit::Depth`] if the program has too many variables for two further copies.
    pub fn new(program: Rc<Program>, limits: KernelLimits) -> Bounded<Unroller> {
        let all = (0..program.variables.len() as u32).map(VariableId).collect();
        let layout = Layout::remembering(&program, 0, &all, 2);
        let kernel = Manager::new(layout.levels(), limits)?;
        let domain = ProgramDomain::without_effects(&program, layout, kernel);
        Ok(Unroller { program, domain, relations: Relations::new() })
    }

    /// A flag by which a driver with a clock ends what takes long inside one step.
    pub fn set_alarm(&mut self, alarm: Option<Alarm>) {
        self.domain.kernel.set_alarm(alarm);
    }

    /// Steps of the kernel.
    pub fn steps(&self) -> u64 {
        self.domain.kernel.steps()
    }

    /// The least i for which α β^i cannot be executed. [`Limit::Rounds`] for more than 2^63.
    pub fn unrolled(&mut self, trace: &CyclicTrace) -> Bounded<Unrolled> {
        let start = self.after_prefix(trace)?;
        if start.is_false() {
            return Ok(Unrolled { least: Some(0), squares: 0 });
        }
        let procedure = self.program.location(trace.location).procedure;
        let copies = self.copies(procedure);
        let mut squares = vec![self.relation(trace, procedure, start)?];
        let mut before = None;
        loop {
            let last = squares[squares.len() - 1];
            let able = self.domain.kernel.exists(last, copies.now)?;
            let able = self.domain.kernel.rename(able, copies.begun_to_now)?;
            if self.domain.kernel.disjoint(start, able)? {
                break;
            }
            if before == Some(able) {
                return Ok(Unrolled { least: None, squares: squares.len() as u32 });
            }
            before = Some(able);
            if squares.len() == MOST_SQUARES {
                return Err(Limit::Rounds);
            }
            let square = self.compose(last, copies)?;
            squares.push(square);
            self.collect(&[&squares, &start, &able]);
        }
        // α β^n can be executed, and α β^(n + 2^k) cannot: for each k, from the largest.
        let (mut executed, mut at) = (0, start);
        for (k, square) in squares.iter().enumerate().rev().skip(1) {
            let next = self.image(at, *square, copies)?;
            if !next.is_false() {
                executed += 1 << k;
                at = next;
            }
        }
        Ok(Unrolled { least: Some(executed + 1), squares: squares.len() as u32 })
    }

    /// P.
    fn after_prefix(&mut self, trace: &CyclicTrace) -> Bounded<Bdd> {
        let initial = self.relations.initial(&mut self.domain, &self.program)?;
        self.execute(&trace.prefix, initial, initial)
    }

    /// R. `start` is kept by a collection.
    fn relation(
        &mut self,
        trace: &CyclicTrace,
        procedure: ProcedureId,
        start: Bdd,
    ) -> Bounded<Bdd> {
        let mut same = Bdd::TRUE;
        for cell in self.domain.visible(procedure) {
            let now = self.domain.layout.cell(cell, Copy::Now);
            let begun = self.domain.layout.remembered(cell, BEGUN);
            let kernel = &mut self.domain.kernel;
            for (now, begun) in now.into_iter().zip(begun).rev() {
                let (now, begun) = (kernel.var(now)?, kernel.var(begun)?);
                let equal = kernel.iff(now, begun)?;
                same = kernel.and(equal, same)?;
            }
        }
        self.execute(&trace.cycle, same, start)
    }

    /// The image of stores, perhaps with remembered copies, under the statements of a trace. A
    /// collection keeps `held`.
    fn execute(&mut self, edges: &[EdgeId], from: Bdd, held: Bdd) -> Bounded<Bdd> {
        let program = Rc::clone(&self.program);
        let returns = returning(&program, edges);
        let mut at = from;
        // The calls that return, which are under way: pivot, and where the run goes on behind them.
        let mut waiting: Vec<(Rc<CallRelation>, Bdd, LocationId)> = Vec::new();
        for (id, returns) in edges.iter().zip(returns) {
            let edge = program.edge(*id);
            let mut location = match edge.operation {
                Operation::Call { callee, .. } => {
                    let call = self.relations.call(&mut self.domain, &program, *id)?;
                    let pivot = call.push_after(&mut self.domain.kernel, at)?;
                    if returns {
                        at = match pivot.is_false() {
                            true => Bdd::FALSE,
                            false => self.relations.entered(&mut self.domain, callee)?,
                        };
                        waiting.push((call, pivot, edge.to));
                    } else {
                        at = call.enter_after(&mut self.domain.kernel, pivot)?;
                    }
                    program.procedure(callee).entry
                }
                _ => {
                    let step = self.relations.step(&mut self.domain, &program, *id, None)?;
                    at = step.after(&mut self.domain.kernel, at)?;
                    edge.to
                }
            };
            while is_exit(&program, location)
                && let Some((call, pivot, to)) = waiting.pop()
            {
                let left = self.relations.popped(&mut self.domain, call.callee, at)?;
                let effect = call.effect(&mut self.domain.kernel, left)?;
                at = call.return_after(&mut self.domain.kernel, pivot, effect)?;
                location = to;
            }
            if at.is_false() {
                return Ok(Bdd::FALSE);
            }
            if self.domain.kernel.is_collection_due() {
                let pivots: Vec<Bdd> = waiting.iter().map(|(_, pivot, _)| *pivot).collect();
                self.collect(&[&at, &held, &pivots]);
            }
        }
        Ok(at)
    }

    fn copies(&mut self, procedure: ProcedureId) -> Copies {
        let cells = self.domain.visible(procedure);
        let layout = &self.domain.layout;
        let of = |copy: u32| -> Vec<_> {
            cells.iter().flat_map(|cell: &Cell| layout.remembered(*cell, copy)).collect()
        };
        let now: Vec<_> = cells.iter().flat_map(|cell| layout.cell(*cell, Copy::Now)).collect();
        let (begun, between) = (of(BEGUN), of(BETWEEN));
        let kernel = &mut self.domain.kernel;
        let mut renaming = |from: &[_], to: &[_]| {
            kernel.renaming(&from.iter().copied().zip(to.iter().copied()).collect::<Vec<_>>())
        };
        Copies {
            begun_to_now: renaming(&begun, &now),
            begun_to_between: renaming(&begun, &between),
            now_to_begun: renaming(&now, &begun),
            now_to_between: renaming(&now, &between),
            begun: kernel.var_set(&begun),
            between: kernel.var_set(&between),
            now: kernel.var_set(&now),
        }
    }

    /// A relation after itself.
    fn compose(&mut self, relation: Bdd, copies: Copies) -> Bounded<Bdd> {
        let kernel = &mut self.domain.kernel;
        let first = kernel.rename(relation, copies.now_to_between)?;
        let second = kernel.rename(relation, copies.begun_to_between)?;
        kernel.and_exists(first, second, copies.between)
    }

    /// The stores into which a relation leads from these.
    fn image(&mut self, stores: Bdd, relation: Bdd, copies: Copies) -> Bounded<Bdd> {
        let kernel = &mut self.domain.kernel;
        let stores = kernel.rename(stores, copies.now_to_begun)?;
        kernel.and_exists(stores, relation, copies.begun)
    }

    fn collect(&mut self, held: &[&dyn Roots]) {
        if self.domain.kernel.is_collection_due() {
            let mut roots = roots_of(held);
            self.roots(&mut roots);
            self.domain.kernel.collect(&roots);
        }
    }
}

fn is_exit(program: &Program, location: LocationId) -> bool {
    program.procedure(program.location(location).procedure).exit == location
}
