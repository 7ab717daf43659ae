//! The proof behind "safe, whatever the number of switches": a set of configurations of all
//! threads together that is closed, checked apart from what found the answer.
//!
//! A configuration is the globals with the frames of every thread. The set contains every start;
//! it is closed under every step that any thread can take next; and no step from it fails, nor is
//! one of it a deadlock. The interpreter computes all steps. Diagrams, automata and the bound on
//! switches take no part. Every thread may go on from every configuration, so the set speaks of any
//! number of switches. It grows in the order of switches: that says after how many of them nothing
//! new came.
//!
//! Two things keep the set small; both are the usual partial order reduction (Godefroid 1996):
//!
//! * An atomic section is one step, as no other thread can run in it.
//! * A step that leaves the globals alone ([`crate::lang::interpreter::is_private`]) follows at
//!   once the step before it. It commutes with all steps of the others, so each run has an
//!   equivalent run of this form. Heads of loops are excepted, so that a thread that goes round for
//!   ever does not hold up the others; calls and ends of procedures are never such steps.
//!
//! Started threads of one procedure are alike, so their order does not count. A local that takes
//! any value, and is written before it is read, keeps the value that it has. A condition about a
//! freely chosen value with too many possible values is taken to hold: that can only add
//! configurations. A global that nothing reads starts at zero only.
//!
//! Where procedures call themselves without end, that set is infinite. Then it is begun once more
//! with frames below recursive calls known only by who called (`callers`).

use super::callers::{Callers, Ended};
use super::left_out::with_unread_globals_at_zero;
use super::numbered::Numbered;
use super::thread_steps::{Arrival, MOST_CHOICES, Standing, Step, ThreadSteps};
use super::visible::Visible;
use crate::lang::interpreter::{Machine, SharedConfiguration};
use crate::lang::model::{ProcedureId, Program};
use crate::util::Limit;
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// Most configurations of the set.
pub const MOST_CONFIGURATIONS: usize = 1_000_000;

/// Most configurations inside one step of the set.
const MOST_INSIDE: usize = 20_000;

/// Configurations that one call of [`ClosedSet::step`] looks at.
const AT_ONCE: usize = 64;

/// The answer of the check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closed {
    /// The set is closed and nothing in it fails. More switches than so many bring nothing new; of
    /// a set that knows frames only by who called, that is not known.
    Holds(Option<u32>),
    /// A configuration of it fails that is reached with so many switches, unless the set may have
    /// configurations that no run reaches ([`ClosedSet::is_widened`]).
    Fails(u32),
    /// A budget ran out.
    Open(Limit),
}

/// A set of configurations while it is being closed.
pub struct ClosedSet {
    program: Rc<Program>,
    error_line: Option<u32>,
    steps: ThreadSteps,
    /// The limit that ended the set while it knew all frames.
    open: Option<Limit>,
    /// Each is the number of its globals, then those of its threads.
    configurations: Numbered,
    /// By configuration: the threads whose steps from it are in the set, as bits.
    followed: Vec<u32>,
    /// What is to be followed next: configurations, each with the place of the thread that runs.
    pending: Vec<(u32, usize)>,
    /// The same after one more switch.
    later: Vec<(u32, usize)>,
    /// The switches so far, and those with which the last configuration came.
    switches: u32,
    last_new: u32,
    /// Threads that run from the start.
    at_start: usize,
    has_main: bool,
    reduces: bool,
    most: usize,
    answer: Option<Closed>,
    /// Room for a configuration that is looked at, and for one that a step leads to.
    now: Vec<u32>,
    after: Vec<u32>,
}

/// Where a thread comes to within one step of the set.
#[derive(Default)]
struct Inside {
    /// What is to be followed.
    pending: Vec<Vec<u32>>,
    seen: FxHashSet<Vec<u32>>,
}

/// The bit of the thread at this place.
fn bit(place: usize) -> u32 {
    1 << (place - 1)
}

impl ClosedSet {
    /// The set of all starts. Only errors on `error_line` count, if it is given. `most`: the most
    /// configurations, at most [`MOST_CONFIGURATIONS`].
    pub fn new(program: &Program, error_line: Option<u32>, most: usize) -> ClosedSet {
        let program = Rc::new(with_unread_globals_at_zero(program));
        ClosedSet::begun(program, error_line, most, true, None)
    }

    /// The same set without partial order reduction, to compare with: a context may end before each
    /// step.
    pub fn unreduced(program: &Program, error_line: Option<u32>, most: usize) -> ClosedSet {
        let program = Rc::new(with_unread_globals_at_zero(program));
        ClosedSet::begun(program, error_line, most, false, None)
    }

    fn begun(
        program: Rc<Program>,
        error_line: Option<u32>,
        most: usize,
        reduces: bool,
        callers: Option<Callers>,
    ) -> ClosedSet {
        let mut set = ClosedSet {
            at_start: 1 + program.concurrency.threads.len(),
            has_main: program.procedure(program.main_id()).name == "main",
            reduces,
            open: None,
            steps: ThreadSteps::new(&program, error_line, reduces, callers),
            program,
            error_line,
            configurations: Numbered::default(),
            followed: Vec::new(),
            pending: Vec::new(),
            later: Vec::new(),
            switches: 0,
            last_new: 0,
            most: most.min(MOST_CONFIGURATIONS),
            answer: None,
            now: Vec::new(),
            after: Vec::new(),
        };
        if let Err(end) = set.starts() {
            set.answer = Some(end);
        }
        set
    }

    /// Looks at a few configurations. Does nothing once there is an answer.
    pub fn step(&mut self) {
        let program = Rc::clone(&self.program);
        let machine = self.steps.machine(&program);
        for _ in 0..AT_ONCE {
            if self.answer.is_some() {
                return;
            }
            if let Some((ended, caller)) = self.steps.late.pop() {
                if let Err(end) = self.return_late(&machine, &ended, caller) {
                    return self.end(end);
                }
                continue;
            }
            let Some((number, place)) = self.pending.pop() else {
                if self.later.is_empty() {
                    let last = (!self.knows_callers_only()).then_some(self.last_new);
                    self.answer = Some(Closed::Holds(last));
                    return;
                }
                self.pending = std::mem::take(&mut self.later);
                self.switches += 1;
                continue;
            };
            if self.followed[number as usize] & bit(place) != 0 {
                continue;
            }
            self.followed[number as usize] |= bit(place);
            if let Err(end) = self.thread_steps(&machine, number, place) {
                return self.end(end);
            }
        }
    }

    /// The answer of a set that is over. If it was infinite for its recursive calls, it is begun
    /// once more with frames below them known by who called; at first with equal arguments, and if
    /// that is too little, with equal globals as well.
    fn end(&mut self, end: Closed) {
        let open = match (end, self.open) {
            (Closed::Open(limit @ (Limit::Depth | Limit::Nodes)), None) => limit,
            (Closed::Fails(_), Some(limit)) => limit,
            _ => return self.answer = Some(end),
        };
        let tells_globals = match &self.steps.callers {
            None => Some(false),
            Some(callers) => (!callers.tells_globals).then_some(true),
        };
        let callers = tells_globals.and_then(|tells| Callers::of(&self.program, tells));
        let Some(callers) = callers else {
            return self.answer = Some(Closed::Open(open));
        };
        let program = Rc::clone(&self.program);
        let (line, most) = (self.error_line, self.most);
        *self = ClosedSet::begun(program, line, most, self.reduces, Some(callers));
        self.open = Some(open);
    }

    /// Was a condition taken to hold? Then a failure may be none of the program.
    pub fn is_widened(&self) -> bool {
        self.steps.widened
    }

    /// Are frames below recursive calls known only by who called?
    pub fn knows_callers_only(&self) -> bool {
        self.steps.callers.is_some()
    }

    /// The answer, once there is one.
    pub fn answer(&self) -> Option<Closed> {
        self.answer
    }

    /// How many configurations are in the set so far.
    pub fn len(&self) -> usize {
        self.configurations.len()
    }

    /// Is there no configuration in it (no store fits the program's start)?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What can be seen of its configurations.
    pub fn visible(&self) -> impl Iterator<Item = Visible> + '_ {
        self.configurations.iter().map(|numbers| Visible::of(&self.shared(numbers)))
    }

    fn starts(&mut self) -> Result<(), Closed> {
        let program = Rc::clone(&self.program);
        let machine = self.steps.machine(&program);
        let (starts, complete) = machine.starts(MOST_CHOICES);
        if !complete {
            return Err(Closed::Open(Limit::Steps));
        }
        for start in starts {
            let globals = self.steps.globals.number(start.globals.clone());
            let main = self.steps.thread(program.main_id(), start, None).map_err(Closed::Open)?;
            let mut all = vec![vec![globals, main]];
            for procedure in &program.concurrency.threads {
                all = self.with_thread(&machine, *procedure, all)?;
            }
            for configuration in all {
                self.refuse_deadlock(&machine, &configuration)?;
                let first = if self.has_main { 1..2 } else { 1..configuration.len() };
                for place in first {
                    self.add(&mut configuration.clone(), place)?;
                }
            }
        }
        Ok(())
    }

    /// Adds what the thread at this place can do next from a configuration of the set.
    fn thread_steps(
        &mut self,
        machine: &Machine<'_>,
        number: u32,
        place: usize,
    ) -> Result<(), Closed> {
        let mut now = std::mem::take(&mut self.now);
        now.clear();
        now.extend_from_slice(self.configurations.of(number));
        let mut inside = Inside::default();
        let added = self.follow(machine, &mut now, place, &mut inside);
        self.now = now;
        added?;
        self.follow_all(machine, place, inside)
    }

    /// Adds what the thread at this place can do next, within one step of the set.
    fn follow_all(
        &mut self,
        machine: &Machine<'_>,
        place: usize,
        mut inside: Inside,
    ) -> Result<(), Closed> {
        while let Some(mut now) = inside.pending.pop() {
            self.follow(machine, &mut now, place, &mut inside)?;
        }
        Ok(())
    }

    /// The same from one configuration. What goes on within the step is put off.
    fn follow(
        &mut self,
        machine: &Machine<'_>,
        now: &mut [u32],
        place: usize,
        inside: &mut Inside,
    ) -> Result<(), Closed> {
        let steps = self.steps.of(machine, now[0], now[place]).map_err(Closed::Open)?;
        if steps.is_empty()
            && !inside.seen.is_empty()
            && machine.can_switch(&self.steps.configuration(now[0], now[place]))
        {
            // A private assumption holds the thread up for ever. The others can go on.
            return self.add(now, place);
        }
        for step in steps.iter() {
            match *step {
                Step::Fails => return Err(Closed::Fails(self.switches)),
                Step::Ends => {}
                Step::IsCutOff => return Err(Closed::Open(Limit::Heap)),
                Step::Leads { to, starts: None } => {
                    self.arrive(machine, now, place, to, inside)?;
                }
                Step::Leads { to, starts: Some(procedure) } => {
                    let mut now = now.to_vec();
                    now[0] = to.globals;
                    for now in self.with_thread(machine, procedure, vec![now])? {
                        self.arrive(machine, &now, place, to, inside)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// A thread at the exit of an entry returns to a caller that was not known then.
    fn return_late(
        &mut self,
        machine: &Machine<'_>,
        ended: &Ended,
        caller: u32,
    ) -> Result<(), Closed> {
        let (now, place) = (&ended.0, ended.1);
        let to = self.steps.returned(machine, now[0], now[place], caller).map_err(Closed::Open)?;
        let mut inside = Inside::default();
        self.arrive(machine, now, place, to, &mut inside)?;
        self.follow_all(machine, place, inside)
    }

    /// A thread comes to somewhere; from the exit of an entry it returns to all who called.
    fn arrive(
        &mut self,
        machine: &Machine<'_>,
        now: &[u32],
        place: usize,
        to: Arrival,
        inside: &mut Inside,
    ) -> Result<(), Closed> {
        let (mut at, mut pending) = (Some(to), Vec::new());
        let mut after = std::mem::take(&mut self.after);
        while let Some(to) = at.take().or_else(|| pending.pop()) {
            after.clear();
            after.extend_from_slice(now);
            (after[0], after[place]) = (to.globals, to.thread);
            if let (Some(entry), Some(callers)) = (to.exit, &mut self.steps.callers) {
                if callers.end(entry, &after, place) {
                    for caller in callers.of_entry(entry).to_vec() {
                        let back = self.steps.returned(machine, to.globals, to.thread, caller);
                        pending.push(back.map_err(Closed::Open)?);
                    }
                }
                continue;
            }
            if to.standing != Standing::Moves {
                self.refuse_deadlock(machine, &after)?;
            }
            if !to.goes_on {
                self.add(&mut after, place)?;
            } else if inside.seen.insert(after.clone()) {
                inside.pending.push(after.clone());
            }
        }
        self.after = after;
        if inside.seen.len() > MOST_INSIDE {
            return Err(Closed::Open(Limit::Steps));
        }
        Ok(())
    }

    /// Adds a configuration that the thread at this place has come to.
    fn add(&mut self, configuration: &mut [u32], place: usize) -> Result<(), Closed> {
        let runs = configuration[place];
        let threads = &self.steps.threads;
        if let Some(started) = configuration.get_mut(1 + self.at_start..) {
            started.sort_unstable_by_key(|number| (threads.value(*number).root, *number));
        }
        let stays = place <= self.at_start;
        let found = || configuration[1..].iter().rposition(|number| *number == runs);
        let place = if stays { place } else { 1 + found().expect("the thread is one of them") };
        if let Some(number) = self.configurations.number(configuration) {
            if self.followed[number as usize] & bit(place) == 0 {
                self.pending.push((number, place));
            }
            return Ok(());
        }
        if self.configurations.len() >= self.most {
            return Err(Closed::Open(Limit::Nodes));
        }
        if configuration.len() > u32::BITS as usize {
            return Err(Closed::Open(Limit::Threads));
        }
        let number = self.configurations.push(configuration);
        self.last_new = self.switches;
        self.pending.push((number, place));
        let others = (1..configuration.len()).filter(|other| *other != place);
        self.later.extend(others.map(|other| (number, other)));
        self.followed.push(0);
        Ok(())
    }

    /// One more thread in each of these configurations, at its procedure's entry, in all ways.
    fn with_thread(
        &mut self,
        machine: &Machine<'_>,
        procedure: ProcedureId,
        all: Vec<Vec<u32>>,
    ) -> Result<Vec<Vec<u32>>, Closed> {
        let mut more = Vec::new();
        for configuration in all {
            let started = self.steps.started(machine, procedure, configuration[0]);
            for thread in started.map_err(Closed::Open)?.iter() {
                let mut with = configuration.clone();
                with.push(*thread);
                more.push(with);
            }
            if more.len() > MOST_INSIDE {
                return Err(Closed::Open(Limit::Steps));
            }
        }
        Ok(more)
    }

    /// A configuration of all threads, as far as their frames are known.
    fn shared(&self, numbers: &[u32]) -> SharedConfiguration {
        let thread = |number: &u32| {
            let thread = self.steps.threads.value(*number);
            Some((thread.frames.clone(), thread.location))
        };
        SharedConfiguration {
            globals: (**self.steps.globals.value(numbers[0])).clone(),
            threads: numbers[1..].iter().map(thread).collect(),
        }
    }

    /// Fails if no thread can go on: every thread waits or has ended, at least one waits, and main
    /// waits if there is one ([`Machine::deadlock`]).
    fn refuse_deadlock(&mut self, machine: &Machine<'_>, numbers: &[u32]) -> Result<(), Closed> {
        let mut waits = false;
        for (at, thread) in numbers.iter().enumerate().skip(1) {
            match self.steps.standing(machine, numbers[0], *thread) {
                Standing::Moves => return Ok(()),
                Standing::HasEnded if at == 1 && self.has_main => return Ok(()),
                Standing::HasEnded => {}
                Standing::Waits => waits = true,
            }
        }
        if waits { Err(Closed::Fails(self.switches)) } else { Ok(()) }
    }
}
