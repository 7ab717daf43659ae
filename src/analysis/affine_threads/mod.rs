//! Affine equalities of a program with threads under a bound on context switches (Lal, Touili,
//! Kidd, Reps 2007, § 4.2.1, 6 and App. B.2).
//!
//! Each thread alone, by post\* over matrix spaces with a control location for each of its
//! contexts: a switch copies the globals to a further column and takes fresh ones from another,
//! which is affine, so locals stay where they are and the space of matrices is exact. Applied to
//! the hulls of the globals with which its contexts can begin it gives the thread's interface, an
//! affine hull over the globals at all its switches. A schedule is the intersection of the hulls of
//! its threads, where each context begins with what the one before it ended with.
//!
//! Differs from the paper: hulls of relations are intersected, where the paper multiplies tensor
//! products of matrix spaces ([`crate::semiring::affine::AffineTensors`]). Every equality found
//! holds. The paper's is stronger where a thread's matrices are not determined by the hull of what
//! they relate: of x := x or x := −x the hull is everything, although both leave 0 alone. So
//! answers count as approximate. It needs (1 + n · contexts)² instead of (1 + n)^(2 · contexts)
//! entries for n globals, and locals may cross switches in whatever frames.

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
use crate::util::Bounded;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

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
    /// Orders whose threads can run, all of them so far; from `next` on the hull of their ends is
    /// not known.
    orders: Vec<(Order, Span<C::Number>)>,
    next: usize,
    /// Where the longest orders begin.
    level: usize,
}

/// One order of the threads' contexts.
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

    /// 1 and these columns of stores.
    fn rows_over(&self, stores: &Span<C::Number>, columns: &[usize]) -> Span<C::Number> {
        let select = |row: &Vec<C::Number>| {
            std::iter::once(row[0].clone())
                .chain(columns.iter().map(|c| row[c + 1].clone()))
                .collect()
        };
        Span::of(self.domain.program.semiring.ring(), stores.rows().iter().map(select))
    }

    /// While the alarm is on, a step ends with [`Limit::Time`](crate::util::Limit::Time).
    pub fn set_alarm(&mut self, alarm: Arc<AtomicBool>) {
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
            // The longest orders are followed by nothing.
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

    /// Every order with one more context; what it begins with goes to its thread.
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

    /// A basis of affine equalities among `variables` that hold whenever a thread of some run with
    /// at most so many switches is at the location and no other is inside of an atomic section;
    /// `None` if none ever is. Meaningful once the analysis is over.
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
