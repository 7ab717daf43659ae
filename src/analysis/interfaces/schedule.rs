//! Schedules: which thread runs in which context, and which globals the contexts pass on.

use super::Interfaces;
use super::domain::ContextMark;
use super::thread::Top;
use crate::bdd::{Bdd, Var, impl_roots};
use crate::encode::{Copy, ErrorSite, Valuation};
use crate::util::Bounded;

/// The threads of the contexts so far, and the relation between the globals at their switches.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// By context: the thread.
    pub threads: Vec<usize>,
    /// The schedule without its last context.
    pub(super) before: Option<usize>,
    /// Over copies 0 … m: the globals at the start and at the end of each of m contexts. The last
    /// one can be switched away from.
    pub(super) relation: Bdd,
    /// The globals (now) at the end.
    pub(super) ends: Bdd,
    begun: bool,
}

impl Schedule {
    /// How many contexts this thread has had.
    pub fn contexts_of(&self, thread: usize) -> usize {
        self.threads.iter().filter(|t| **t == thread).count()
    }

    /// The positions of the thread's copies 0, 1, … among the copies of the schedule.
    pub(super) fn positions(&self, thread: usize) -> Vec<usize> {
        let contexts = self.threads.iter().enumerate().filter(|(_, t)| **t == thread);
        contexts.flat_map(|(context, _)| [context, context + 1]).collect()
    }
}

impl_roots!(Schedule { relation, ends });
impl_roots!(Failure { relation });

/// The failure of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhatFails {
    /// A check fails.
    Check(ErrorSite),
    /// A deadlock with these globals: every thread that was started waits or has ended, and at
    /// least one waits. If there is a main, main waits.
    Deadlock(Valuation),
}

/// An error that can be reached, with the globals at its switches.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The threads of its contexts; the error is in the last one. One switch fewer than contexts.
    pub threads: Vec<usize>,
    /// What fails.
    pub what: WhatFails,
    /// The globals with which each context begins.
    pub globals: Vec<Valuation>,
    pub(super) relation: Bdd,
}

impl Failure {
    /// How many switches the run has.
    pub fn switches(&self) -> u32 {
        self.threads.len() as u32 - 1
    }
}

impl Interfaces {
    pub(super) fn first_schedules(&mut self) {
        for thread in self.shared.system.first.clone() {
            self.add_schedule(vec![thread], None);
        }
    }

    fn add_schedule(&mut self, threads: Vec<usize>, before: Option<usize>) {
        self.schedules.push(Schedule {
            threads,
            before,
            relation: Bdd::FALSE,
            ends: Bdd::FALSE,
            begun: false,
        });
    }

    /// Begins, saturates or joins for the next schedule. If all are done, goes on to the schedules
    /// with one more context.
    pub(super) fn advance(&mut self) -> Bounded<()> {
        if self.next == self.schedules.len() {
            if self.failure.is_none() {
                self.failure = self.deadlock.take();
            }
            let bound = self.bound.map_or(0, |bound| bound + 1);
            self.bound = Some(bound);
            if bound < self.most_switches {
                self.next_level();
            }
            return Ok(());
        }
        let index = self.next;
        let threads = self.schedules[index].threads.clone();
        let thread = threads[threads.len() - 1];
        let kind = self.kind[thread];
        let context = self.schedules[index].contexts_of(thread) - 1;
        if !self.schedules[index].begun {
            let globals = match self.schedules[index].before {
                Some(before) => self.schedules[before].ends,
                None => self.initial,
            };
            let globals = self.shared.domain.program.kernel.and(globals, self.may_begin[thread])?;
            self.threads[kind].begin(&mut self.shared, context, globals)?;
            self.schedules[index].begun = true;
        } else if !self.threads[kind].is_done() {
            self.threads[kind].step(&mut self.shared)?;
        } else {
            self.join(index, kind, context)?;
            self.next += 1;
        }
        Ok(())
    }

    /// Extends every schedule of the last level that some run follows by every other thread.
    fn next_level(&mut self) {
        let leaves = self.level..self.schedules.len();
        self.level = self.schedules.len();
        for leaf in leaves {
            if self.schedules[leaf].ends.is_false() {
                continue;
            }
            let threads = self.schedules[leaf].threads.clone();
            for thread in 0..self.kind.len() {
                let earlier = self
                    .shared
                    .system
                    .before(thread)
                    .is_none_or(|before| threads.contains(&before));
                let may = threads.last() != Some(&thread)
                    && earlier
                    && self.schedules[leaf].contexts_of(thread) < self.contexts;
                if may {
                    let mut longer = threads.clone();
                    longer.push(thread);
                    self.add_schedule(longer, Some(leaf));
                }
            }
        }
    }

    /// The relation before the last context of a schedule begins, over copies.
    pub(super) fn before_last(&mut self, index: usize) -> Bounded<Bdd> {
        let thread = *self.schedules[index].threads.last().expect("a schedule has a context");
        let last = self.schedules[index].threads.len() - 1;
        let relation = match self.schedules[index].before {
            Some(before) => self.schedules[before].relation,
            None => {
                self.shared.history.end(&mut self.shared.domain.program.kernel, self.initial, 0)?
            }
        };
        let history = &self.shared.history;
        let kernel = &mut self.shared.domain.program.kernel;
        let may = history.end(kernel, self.may_begin[thread], last)?;
        if self.schedules[index].contexts_of(thread) == 1 {
            kernel.and(relation, may)
        } else {
            Ok(relation)
        }
    }

    /// The interface of a schedule's thread, over the schedule's copies. If the thread's last
    /// context is the last one of the schedule, its present state is over the globals now.
    pub(super) fn placed(
        &mut self,
        index: usize,
        thread: usize,
        top: Top,
        marked: bool,
    ) -> Bounded<Bdd> {
        let schedule = &self.schedules[index];
        let context = schedule.contexts_of(thread) - 1;
        let positions = schedule.positions(thread);
        let is_last = schedule.threads.last() == Some(&thread);
        let mut relation =
            self.threads[self.kind[thread]].relation(&mut self.shared, context, top, marked)?;
        let kernel = &mut self.shared.domain.program.kernel;
        let kept = if is_last { positions.len() - 1 } else { positions.len() };
        if !is_last && !matches!(top, Top::Quiet { .. }) {
            relation = self.shared.history.end(kernel, relation, kept - 1)?;
        }
        self.shared.history.place(kernel, relation, &positions[..kept])
    }

    fn join(&mut self, index: usize, kind: usize, context: usize) -> Bounded<()> {
        let threads = self.schedules[index].threads.clone();
        let (contexts, thread) = (threads.len(), threads[threads.len() - 1]);
        let before = self.before_last(index)?;
        if self.failure.is_none() && self.shared.mark == ContextMark::Nothing {
            for error in self.errors.clone() {
                let fails = self.threads[kind].relation(
                    &mut self.shared,
                    context,
                    Top::At(error.symbol),
                    false,
                )?;
                if fails.is_false() {
                    continue;
                }
                let fails = self.placed(index, thread, Top::At(error.symbol), false)?;
                let fails = self.shared.domain.program.kernel.and(before, fails)?;
                if !fails.is_false() {
                    let (globals, _) = self.globals_of(fails, contexts);
                    self.failure = Some(Failure {
                        threads: threads.clone(),
                        what: WhatFails::Check(error),
                        globals,
                        relation: fails,
                    });
                    break;
                }
            }
            if self.deadlock.is_none()
                && self.failure.is_none()
                && !self.program().concurrency.waits.is_empty()
            {
                let stuck = self.stuck(index, before, None)?;
                if !stuck.is_false() {
                    let (globals, last) = self.globals_of(stuck, contexts);
                    self.deadlock = Some(Failure {
                        threads: threads.clone(),
                        what: WhatFails::Deadlock(last),
                        globals,
                        relation: stuck,
                    });
                }
            }
        }
        let ends = self.placed(index, thread, Top::AtSwitch, false)?;
        let kernel = &mut self.shared.domain.program.kernel;
        let relation = kernel.and(before, ends)?;
        let globals = self.shared.history.forget(kernel, relation, 0..contexts)?;
        self.schedules[index].relation = self.shared.history.end(kernel, relation, contexts)?;
        self.schedules[index].ends = globals;
        Ok(())
    }

    /// The globals at the end of a schedule with which no thread can go on. `before`: the relation
    /// before its last context. `marked`: only runs in which this thread, which runs, has marked
    /// something.
    pub(super) fn stuck(
        &mut self,
        index: usize,
        before: Bdd,
        marked: Option<usize>,
    ) -> Bounded<Bdd> {
        let main = self.shared.system.has_main.then_some(0);
        // At least one thread waits: main, or else each thread in turn.
        let waiting: Vec<usize> =
            main.map_or_else(|| (0..self.kind.len()).collect(), |main| vec![main]);
        let mut all = Bdd::FALSE;
        for waits in waiting {
            let mut stuck = before;
            for thread in 0..self.kind.len() {
                if stuck.is_false() {
                    break;
                }
                let quiet = self.quiet(index, thread, thread == waits, marked == Some(thread))?;
                stuck = self.shared.domain.program.kernel.and(stuck, quiet)?;
            }
            all = self.shared.domain.program.kernel.or(all, stuck)?;
        }
        Ok(all)
    }

    /// The globals at the end of a schedule with which a thread is quiet (over its copies and the
    /// globals now). `waits`: it must wait; that it has ended is not enough.
    fn quiet(&mut self, index: usize, thread: usize, waits: bool, marked: bool) -> Bounded<Bdd> {
        let schedule = &self.schedules[index];
        if schedule.threads.contains(&thread) {
            let ended = schedule.threads.last() != Some(&thread);
            return self.placed(index, thread, Top::Quiet { waits, ended }, marked);
        }
        let program = &self.shared.system.program;
        let entry = program.procedure(self.shared.system.threads[thread].procedure).entry;
        let kernel = &mut self.shared.domain.program.kernel;
        let state = self.shared.states[entry];
        let quiet = match state.waiting() {
            Some(stores) => kernel.exists(stores, self.shared.history.private())?,
            None if !waits && state.has_ended(true) => Bdd::TRUE,
            None => Bdd::FALSE,
        };
        if waits {
            kernel.and(quiet, self.may_begin[thread])
        } else {
            kernel.or(quiet, !self.may_begin[thread])
        }
    }

    /// Chooses the globals with which the contexts begin, and those at the end.
    fn globals_of(&self, relation: Bdd, contexts: usize) -> (Vec<Valuation>, Valuation) {
        let program = &self.shared.system.program;
        let domain = &self.shared.domain.program;
        let layout = &domain.layout;
        let all: Vec<_> = program.globals().flat_map(|variable| layout.cells(variable)).collect();
        let mut levels = layout.cells_levels(&all, Copy::Now);
        for context in 0..contexts {
            levels.extend(
                self.shared.history.levels(context).into_iter().flat_map(|(_, levels)| levels),
            );
        }
        levels.sort();
        let Some(model) = domain.kernel.pick(relation, &levels) else {
            return (Vec::new(), Valuation::default());
        };
        let truth = |level: &Var| levels.binary_search(level).is_ok_and(|k| model[k]);
        let number = |levels: &[Var]| {
            levels
                .iter()
                .enumerate()
                .fold(0u64, |bits, (k, level)| bits | u64::from(truth(level)) << k)
        };
        let last = Valuation(
            all.iter().map(|cell| (*cell, number(&layout.cell(*cell, Copy::Now)))).collect(),
        );
        let at = |context: usize| {
            let mut values = last.clone();
            for (cell, levels) in self.shared.history.levels(context) {
                values.0.insert(cell, number(&levels));
            }
            values
        };
        ((0..contexts).map(at).collect(), last)
    }
}
