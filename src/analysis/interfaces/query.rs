//! Queries on finished interfaces.

use super::Interfaces;
use super::domain::ContextMark;
use super::thread::Top;
use crate::analysis::threads::ThreadSystem;
use crate::bdd::{Bdd, KernelLimits};
use crate::encode::symbol;
use crate::lang::model::{EdgeId, LocationId};
use crate::util::Bounded;

/// The locations at which a first switch can lead to an error.
pub type FirstSwitches = Vec<LocationId>;

impl Interfaces {
    /// The globals (now) that some run has with exactly `switches` switches while one of its
    /// threads is at this location and the others are anywhere. `None`: any location.
    pub fn globals_at(&mut self, switches: u32, place: Option<LocationId>) -> Bounded<Bdd> {
        match place {
            None => self.globals_where(switches, &[]),
            Some(place) => {
                let mut all = Bdd::FALSE;
                for thread in 0..self.kind.len() {
                    let here = self.globals_where(switches, &[(thread, place)])?;
                    all = self.shared.domain.program.kernel.or(all, here)?;
                }
                Ok(all)
            }
        }
    }

    /// The globals (now) that some run has with exactly `switches` switches while these threads are
    /// at these locations, and the others anywhere.
    pub fn globals_where(&mut self, switches: u32, places: &[(usize, LocationId)]) -> Bounded<Bdd> {
        let mut all = Bdd::FALSE;
        for index in 0..self.schedules.len() {
            if self.schedules[index].threads.len() as u32 == switches + 1 {
                let here = self.globals_of_schedule(index, places)?;
                all = self.shared.domain.program.kernel.or(all, here)?;
            }
        }
        Ok(all)
    }

    fn globals_of_schedule(
        &mut self,
        index: usize,
        places: &[(usize, LocationId)],
    ) -> Bounded<Bdd> {
        let contexts = self.schedules[index].threads.len();
        let last = self.schedules[index].threads[contexts - 1];
        let mut relation = self.before_last(index)?;
        let mut begins = Bdd::TRUE;
        let mut top = Top::Anywhere;
        for (thread, place) in places {
            if *thread == last {
                top = Top::At(symbol(*place));
            } else if self.schedules[index].threads.contains(thread) {
                let there = self.placed(index, *thread, Top::SwitchAt(symbol(*place)), false)?;
                relation = self.shared.domain.program.kernel.and(relation, there)?;
            } else {
                let entry =
                    self.program().procedure(self.shared.system.threads[*thread].procedure).entry;
                if *place != entry {
                    return Ok(Bdd::FALSE);
                }
                begins = self.shared.domain.program.kernel.and(begins, self.may_begin[*thread])?;
            }
        }
        let here = self.placed(index, last, top, false)?;
        let gone: Vec<usize> = (0..contexts).collect();
        let globals = self.shared.history.join(
            &mut self.shared.domain.program.kernel,
            relation,
            here,
            &gone,
        )?;
        self.shared.domain.program.kernel.and(globals, begins)
    }

    /// The failing runs of schedules of at most so many switches, as relations that contain the
    /// marks.
    fn marked_failures(
        &mut self,
        switches: u32,
        which: impl Fn(&super::Schedule) -> Vec<usize>,
    ) -> Bounded<Vec<Bdd>> {
        let mut found = Vec::new();
        for index in 0..self.schedules.len() {
            if self.schedules[index].threads.len() as u32 > switches + 1 {
                continue;
            }
            let last = *self.schedules[index].threads.last().expect("a schedule has a context");
            for marked in which(&self.schedules[index]) {
                found.extend(self.marked_errors(index, last, marked)?);
            }
        }
        Ok(found)
    }

    /// The runs of one schedule that end in an error, with what this thread of it has marked.
    fn marked_errors(&mut self, index: usize, last: usize, marked: usize) -> Bounded<Vec<Bdd>> {
        let mut found = Vec::new();
        let mut relation = self.before_last(index)?;
        if marked != last {
            let there = self.placed(index, marked, Top::AtSwitch, true)?;
            relation = self.shared.domain.program.kernel.and(relation, there)?;
        }
        for error in self.errors.clone() {
            let fails = self.placed(index, last, Top::At(error.symbol), marked == last)?;
            let fails = self.shared.domain.program.kernel.and(relation, fails)?;
            if !fails.is_false() {
                found.push(fails);
            }
        }
        Ok(found)
    }

    /// The numbers that are marked in one of these diagrams.
    fn marks(&mut self, found: &[Bdd], count: usize) -> Bounded<Vec<bool>> {
        let bits = usize::BITS - count.saturating_sub(1).leading_zeros();
        let codes =
            super::number_codes(&mut self.shared.domain.program.kernel, bits, count, count)?;
        let mut marked = Vec::new();
        for code in codes {
            let mut some = false;
            for relation in found {
                some = some || !self.shared.domain.program.kernel.and(*relation, code)?.is_false();
            }
            marked.push(some);
        }
        Ok(marked)
    }
}

/// The locations of the thread that runs first at which the first switch can lead to an error
/// within `switches` switches (Lal, Kidd, Reps, Touili 2007, § 7.2, there for two threads and two
/// switches). Each run remembers the location at which its first context ended, so one analysis
/// answers for all locations.
pub fn first_switches(
    system: ThreadSystem,
    error_line: Option<u32>,
    switches: u32,
    limits: KernelLimits,
) -> Bounded<FirstSwitches> {
    let mut interfaces =
        Interfaces::new(system, error_line, switches, ContextMark::FirstSwitch, limits)?
            .exhaustive();
    interfaces.raise(switches);
    interfaces.run()?;
    interfaces.first_switches(switches)
}

/// The statements that are executed in some run in which a check fails within `switches` switches:
/// the error projection under a context bound. Each run remembers one of its statements, which the
/// run chooses.
pub fn concurrent_projection(
    system: ThreadSystem,
    error_line: Option<u32>,
    switches: u32,
    limits: KernelLimits,
) -> Bounded<Vec<EdgeId>> {
    let mut interfaces =
        Interfaces::new(system, error_line, switches, ContextMark::Statement, limits)?.exhaustive();
    interfaces.raise(switches);
    interfaces.run()?;
    interfaces.projection(switches)
}

impl Interfaces {
    /// See [`first_switches`]; for a finished analysis with [`ContextMark::FirstSwitch`].
    pub fn first_switches(&mut self, switches: u32) -> Bounded<FirstSwitches> {
        let found = self.marked_failures(switches, |schedule| {
            // The interface of the thread that ran first says where its first context ended.
            if schedule.threads.len() > 1 { vec![schedule.threads[0]] } else { Vec::new() }
        })?;
        let count = self.program().locations.len();
        let marked = self.marks(&found, count)?;
        Ok((0..count as u32).map(LocationId).filter(|place| marked[*place]).collect())
    }

    /// See [`concurrent_projection`]; for a finished analysis with [`ContextMark::Statement`].
    pub fn projection(&mut self, switches: u32) -> Bounded<Vec<EdgeId>> {
        let found = self.marked_failures(switches, |schedule| {
            let mut threads = schedule.threads.clone();
            threads.sort_unstable();
            threads.dedup();
            threads
        })?;
        let edges = self.edges();
        let marked = self.marks(&found, self.program().edges.len())?;
        Ok(edges.filter(|edge| marked[*edge]).collect())
    }

    /// The same thread by thread, in the order of the system, deadlocks included. By thread, by
    /// edge: does a failing run execute it there?
    pub fn projection_by_thread(&mut self, switches: u32) -> Bounded<Vec<Vec<bool>>> {
        let edges = self.program().edges.len();
        let waits = !self.program().concurrency.waits.is_empty();
        let mut by_thread = Vec::new();
        for thread in 0..self.kind.len() {
            let mut found = Vec::new();
            for index in 0..self.schedules.len() {
                let threads = &self.schedules[index].threads;
                if threads.len() as u32 > switches + 1 || !threads.contains(&thread) {
                    continue;
                }
                let last = *threads.last().expect("a schedule has a context");
                found.extend(self.marked_errors(index, last, thread)?);
                if waits {
                    let before = self.before_last(index)?;
                    found.push(self.stuck(index, before, Some(thread))?);
                }
            }
            by_thread.push(self.marks(&found, edges)?);
        }
        Ok(by_thread)
    }
}
