//! Affine equalities of a program with threads under a bound on context switches (Lal, Touili,
//! Kidd, Reps 2007, § 4.2.1, 6 and App. B.2).
//!
//! Each thread is analysed alone, by post\* over matrix spaces with a control location for each of
//! its contexts. A switch copies the globals to one column and takes fresh values from another
//! column. Both are affine, so locals stay where they are and the space of matrices is exact. The
//! thread's matrices, applied to the hulls of the globals with which its contexts can begin, give
//! the thread's interface: an affine hull over the globals at all its switches. The hull of a
//! schedule is the intersection of the hulls of its threads, where each context begins with the
//! globals with which the context before it ended.
//!
//! Differs from the paper: hulls of relations are intersected, where the paper multiplies tensor
//! products of matrix spaces ([`crate::semiring::affine::AffineTensors`]). Every equality found
//! holds. The paper's method finds more equalities where the hull of the related stores does not
//! determine a thread's matrices. Example: the hull of "x := x or x := −x" contains all pairs,
//! although both assignments keep the value 0. So answers count as approximate. In return this
//! method needs (1 + n · contexts)² instead of (1 + n)^(2 · contexts) entries for n globals, and it
//! follows locals across switches in frames of any depth.

mod atomic;
mod context_domain;
mod schedules;
mod thread;

use self::atomic::outside_atomic_sections;
use self::context_domain::ContextDomain;
use self::thread::Thread;
use super::affine::{Equality, equalities, latest_first};
use super::threads::ThreadSystem;
use crate::encode::ProgramSystem;
use crate::encode::affine::{AffineDomain, Arithmetic, Columns};
use crate::lang::model::{LocationId, VariableId};
use crate::pds::Pds;
use crate::semiring::affine::{Coefficients, Span};
use crate::util::{Alarm, Bounded};

/// An analysis in progress.
pub struct AffineThreads<C: Coefficients> {
    system: ThreadSystem,
    pds: Pds,
    domain: ContextDomain<C>,
    threads: Vec<Thread<C>>,
    kind: Vec<usize>,
    contexts: usize,
    switches: u32,
    /// By location: can a context end there, outside of atomic sections?
    switchable: Vec<bool>,
    first: Span<C::Number>,
    /// The orders of contexts whose threads can run, all of them so far, each with the hull of the
    /// globals at its end. The hulls are known only up to `next`.
    orders: Vec<(Order, Span<C::Number>)>,
    next: usize,
    /// The index in `orders` at which the longest orders begin.
    level: usize,
}

/// One order of contexts: the thread of each context.
type Order = Vec<usize>;

impl<C: Coefficients> AffineThreads<C> {
    /// Sets it up for at most `switches` switches; after `most_operations` multiplications of
    /// numbers it ends with a limit.
    pub fn new(
        system: ThreadSystem,
        switches: u32,
        arithmetic: Arithmetic,
        ring: C,
        most_operations: u64,
    ) -> Bounded<AffineThreads<C>> {
        let program = std::rc::Rc::clone(&system.program);
        let rules = ProgramSystem::new(&program, None);
        let contexts = switches as usize / 2 + 1;
        let columns = Columns::remembering(&program, 2 * contexts);
        let of_program =
            AffineDomain::over(columns, &program, &rules, arithmetic, ring, most_operations)?;
        let switchable = outside_atomic_sections(&system);
        let (pds, mut domain) =
            ContextDomain::new(of_program, &rules, &switchable, contexts as u32)?;
        let first = domain.program.start(&program)?;
        let mut threads: Vec<Thread<C>> = Vec::new();
        let mut kind = Vec::new();
        for thread in &system.threads {
            let known = threads.iter().position(|known| known.procedure == thread.procedure);
            kind.push(match known {
                Some(known) => known,
                None => {
                    threads.push(Thread::new(
                        &mut domain,
                        &system,
                        &rules,
                        thread.procedure,
                        contexts,
                    )?);
                    threads.len() - 1
                }
            });
        }
        let orders = system.first.iter().map(|thread| (vec![*thread], Span::empty())).collect();
        let mut analysis = AffineThreads {
            system,
            pds,
            domain,
            threads,
            kind,
            contexts,
            switches,
            switchable,
            first,
            orders,
            next: 0,
            level: 0,
        };
        let columns = analysis.domain.program.columns.shared().to_vec();
        let initial = analysis.rows_over(&analysis.first, &columns);
        for thread in analysis.system.first.clone() {
            let kind = analysis.kind[thread];
            analysis.threads[kind].begin(&analysis.domain, &analysis.system, 0, &initial);
        }
        Ok(analysis)
    }

    /// The rows of these stores over the constant 1 and these columns.
    fn rows_over(&self, stores: &Span<C::Number>, columns: &[usize]) -> Span<C::Number> {
        let select = |row: &Vec<C::Number>| {
            std::iter::once(row[0].clone())
                .chain(columns.iter().map(|c| row[c + 1].clone()))
                .collect()
        };
        Span::of(self.domain.program.semiring.ring(), stores.rows().iter().map(select))
    }

    /// While the alarm is on, a step ends with [`Limit::Time`](crate::util::Limit::Time).
    pub fn set_alarm(&mut self, alarm: Alarm) {
        self.domain.program.semiring.set_alarm(alarm);
    }

    /// One piece of work; true once there is nothing left to do.
    pub fn step(&mut self) -> Bounded<bool> {
        for thread in &mut self.threads {
            if !thread.poststar.is_done() {
                thread.poststar.step(&self.pds, &mut self.domain)?;
                return Ok(false);
            }
            if !thread.changed.is_empty() {
                thread.follow_calls(&self.system, &mut self.domain)?;
                return Ok(false);
            }
            if let Some((context, place)) = thread.unread.pop() {
                thread.read(&mut self.domain, &self.switchable, context, place)?;
                return Ok(false);
            }
        }
        if self.next < self.orders.len() {
            let order = self.orders[self.next].0.clone();
            // The longest orders are extended no further.
            if order.len() <= self.switches as usize {
                self.orders[self.next].1 = self.ends_of(&order)?;
            }
            self.next += 1;
            return Ok(false);
        }
        if self.orders.get(self.level).is_none_or(|(order, _)| order.len() > self.switches as usize)
        {
            return Ok(true);
        }
        self.lengthen();
        Ok(false)
    }

    /// Extends every order by one more context, and tells that context's thread with which globals
    /// it begins.
    fn lengthen(&mut self) {
        let leaves = self.level..self.orders.len();
        self.level = self.orders.len();
        for leaf in leaves {
            let (order, ends) = self.orders[leaf].clone();
            if ends.is_empty() {
                continue;
            }
            for thread in 0..self.kind.len() {
                let context = order.iter().filter(|t| **t == thread).count();
                let earlier =
                    self.system.before(thread).is_none_or(|before| order.contains(&before));
                if order.last() != Some(&thread) && earlier && context < self.contexts {
                    self.threads[self.kind[thread]].begin(
                        &self.domain,
                        &self.system,
                        context,
                        &ends,
                    );
                    self.orders.push(([&order[..], &[thread]].concat(), Span::empty()));
                }
            }
        }
    }

    /// The threads.
    pub fn system(&self) -> &ThreadSystem {
        &self.system
    }

    /// Multiplications of numbers so far.
    pub fn operations(&self) -> u64 {
        self.domain.program.semiring.operations()
    }

    /// Returns a basis of the affine equalities among `variables` that hold whenever some thread is
    /// at the location and no other thread is inside an atomic section, in all runs with at most so
    /// many switches. Returns `None` if no run is there. The answer means something only once the
    /// analysis is over.
    pub fn equalities_at(
        &mut self,
        place: LocationId,
        variables: &[VariableId],
    ) -> Bounded<Option<Vec<Equality>>> {
        let shown = latest_first(&self.domain.program.columns, variables);
        let columns: Vec<usize> = shown.iter().map(|(_, column)| *column).collect();
        let mut all = Span::empty();
        for index in 0..self.orders.len() {
            let order = self.orders[index].0.clone();
            for thread in 0..self.kind.len() {
                let stores = self.stores_at(&order, thread, place, &columns)?;
                all = all.sum(self.domain.program.semiring.ring(), &stores);
            }
        }
        if all.is_empty() {
            return Ok(None);
        }
        let ring = self.domain.program.semiring.ring();
        Ok(Some(equalities(ring, all.rows(), &shown)))
    }
}
