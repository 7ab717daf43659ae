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
//! * A step that leaves the globals alone ([`is_private`]) follows at once the step before it. It
//!   commutes with all steps of the others, so each run has an equivalent run of this form. Heads
//!   of loops are excepted, so that a thread that goes round for ever does not hold up the others.
//!
//! Started threads of one procedure are alike, so their order does not count. A local that takes
//! any value, and is written before it is read, keeps the value that it has. A condition about a
//! freely chosen value with too many possible values is taken to hold: that can only add
//! configurations. A global that nothing reads starts at zero only.
//!
//! Where procedures call themselves without end, that set is infinite. Then it is begun once more
//! with frames below recursive calls known only by who called ([`super::callers`]).

use super::callers::{Caller, Callers, Ended};
use super::left_out::{heads_of_loops, is_forgotten, with_unread_globals_at_zero};
use super::visible::Visible;
use crate::analysis::interner::Interner;
use crate::lang::interpreter::{
    Configuration, Frame, Machine, Outcome, Shape, SharedConfiguration, Transition, is_private,
};
use crate::lang::model::{EdgeId, LocationId, Operation, ProcedureId, Program};
use crate::util::Limit;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::sync::Arc;

/// Most configurations of the set.
pub const MOST_CONFIGURATIONS: usize = 200_000;

/// Most values that are tried at one edge.
const MOST_CHOICES: usize = 1 << 12;

/// Most configurations inside one step of the set, and most frames of a thread.
const MOST_INSIDE: usize = 20_000;
const MOST_FRAMES: usize = 64;

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
    shape: Arc<Shape>,
    /// Who made recursive calls, if that is all that is known of the frames below.
    callers: Option<Callers>,
    /// Returns to callers that came after them.
    late: Vec<(Rc<Ended>, Rc<Caller>)>,
    /// The limit that ended the set while it knew all frames.
    open: Option<Limit>,
    /// By location: only private edges leave it, and no loop begins there.
    passes: Vec<bool>,
    globals: Interner<Vec<Vec<u64>>>,
    threads: Interner<Thread>,
    /// Each is the number of its globals, then those of its threads.
    configurations: Vec<Rc<[u32]>>,
    numbers: FxHashMap<Rc<[u32]>, u32>,
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
    widened: bool,
    most: usize,
    answer: Option<Closed>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Thread {
    /// Where it started.
    root: ProcedureId,
    frames: Vec<Frame>,
    location: LocationId,
    /// The entry below the frames, if some are left out.
    below: Option<u32>,
}

/// Where a step of a thread leads to.
struct Next {
    at: Configuration,
    /// The entry below its frames, if some are left out.
    below: Option<u32>,
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
        let shape = Arc::new(Shape::of(&program));
        let heads = heads_of_loops(&program, &shape);
        let passes = (0..program.locations.len()).map(|k| {
            let out = shape.out(LocationId(k as u32));
            reduces
                && !heads[k]
                && !out.is_empty()
                && out.iter().all(|edge| is_private(&program, *edge))
        });
        let mut set = ClosedSet {
            passes: passes.collect(),
            at_start: 1 + program.concurrency.threads.len(),
            has_main: program.procedure(program.main_id()).name == "main",
            reduces,
            widened: false,
            open: None,
            program,
            error_line,
            shape,
            callers,
            late: Vec::new(),
            globals: Interner::new(),
            threads: Interner::new(),
            configurations: Vec::new(),
            numbers: FxHashMap::default(),
            followed: Vec::new(),
            pending: Vec::new(),
            later: Vec::new(),
            switches: 0,
            last_new: 0,
            most: most.min(MOST_CONFIGURATIONS),
            answer: None,
        };
        if let Err(end) = set.starts() {
            set.answer = Some(end);
        }
        set
    }

    /// Looks at a few configurations. Does nothing once there is an answer.
    pub fn step(&mut self) {
        let program = Rc::clone(&self.program);
        let machine = Machine::with_shape(&program, Arc::clone(&self.shape));
        for _ in 0..AT_ONCE {
            if self.answer.is_some() {
                return;
            }
            if let Some((ended, caller)) = self.late.pop() {
                if let Err(end) = self.return_late(&machine, &ended, &caller) {
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
            let bit = 1 << (place - 1);
            if self.followed[number as usize] & bit != 0 {
                continue;
            }
            self.followed[number as usize] |= bit;
            let configuration = Rc::clone(&self.configurations[number as usize]);
            if let Err(end) = self.thread_steps(&machine, &configuration, place) {
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
        let tells_globals = match &self.callers {
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
        self.widened
    }

    /// Are frames below recursive calls known only by who called?
    pub fn knows_callers_only(&self) -> bool {
        self.callers.is_some()
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
        self.configurations.is_empty()
    }

    /// What can be seen of its configurations.
    pub fn visible(&self) -> impl Iterator<Item = Visible> + '_ {
        self.configurations.iter().map(|numbers| Visible::of(&self.shared(numbers)))
    }

    fn starts(&mut self) -> Result<(), Closed> {
        let program = Rc::clone(&self.program);
        let machine = Machine::with_shape(&program, Arc::clone(&self.shape));
        let (starts, complete) = machine.starts(MOST_CHOICES);
        if !complete {
            return Err(Closed::Open(Limit::Steps));
        }
        for start in starts {
            let globals = self.globals.number(start.globals.clone());
            let mut all = vec![vec![globals, self.thread(program.main_id(), start, None)?]];
            for procedure in &program.concurrency.threads {
                all = self.with_thread(&machine, *procedure, all)?;
            }
            for configuration in all {
                self.refuse_deadlock(&machine, &configuration)?;
                let first = if self.has_main { 1..2 } else { 1..configuration.len() };
                for place in first {
                    self.add(configuration.clone(), place)?;
                }
            }
        }
        Ok(())
    }

    /// Adds what the thread at this place can do next.
    fn thread_steps(
        &mut self,
        machine: &Machine<'_>,
        configuration: &[u32],
        place: usize,
    ) -> Result<(), Closed> {
        self.follow(machine, place, FxHashSet::default(), vec![configuration.to_vec()])
    }

    /// Adds what the thread at this place can do next from the pending configurations. `inside`:
    /// where it came to within this step of the set.
    fn follow(
        &mut self,
        machine: &Machine<'_>,
        place: usize,
        mut inside: FxHashSet<Vec<u32>>,
        mut pending: Vec<Vec<u32>>,
    ) -> Result<(), Closed> {
        while let Some(now) = pending.pop() {
            let here = self.configuration(&now, place);
            let below = self.threads.value(now[place]).below;
            let successors = self.successors(machine, &here)?;
            if successors.is_empty() && !inside.is_empty() && machine.can_switch(&here) {
                // A private assumption holds the thread up for ever. The others can go on.
                self.add(now, place)?;
                continue;
            }
            for (edge, outcome) in successors {
                if self.program.cut_offs.contains(&edge) {
                    return Err(Closed::Open(Limit::Heap));
                }
                let next = match outcome {
                    Outcome::Error(check) if self.counts(edge, check) => {
                        return Err(Closed::Fails(self.switches));
                    }
                    Outcome::Error(_) | Outcome::Blocked => continue,
                    Outcome::Next(next) => next,
                };
                let mut now = now.clone();
                now[0] = self.globals.number(next.globals.clone());
                let started = self.program.concurrency.starts.get(&edge).copied();
                let all = match started {
                    Some(procedure) => self.with_thread(machine, procedure, vec![now])?,
                    None => vec![now],
                };
                for now in all {
                    let next = Next { at: next.clone(), below };
                    for next in self.by_callers(machine, &now, place, here.depth(), next)? {
                        self.arrive(machine, &now, place, next, &mut inside, &mut pending)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Where a step leads to if frames below recursive calls are known by who called: a call of a
    /// recursive procedure leaves its caller's frames out, and at the exit of the last frame that
    /// is known all callers follow. `depth`: that of the thread before the step.
    fn by_callers(
        &mut self,
        machine: &Machine<'_>,
        now: &[u32],
        place: usize,
        depth: u32,
        mut next: Next,
    ) -> Result<Vec<Next>, Closed> {
        let Some(callers) = &mut self.callers else { return Ok(vec![next]) };
        let called = next.at.frames.last().filter(|_| next.at.depth() > depth);
        if called.is_some_and(|frame| callers.is_recursive(frame.procedure))
            && let Some((entry, new)) = callers.cut(&mut next.at, next.below)
        {
            next.below = Some(entry);
            let caller = new.into_iter();
            let late = caller.flat_map(|caller| {
                callers.ended(entry).into_iter().map(move |ended| (ended, Rc::clone(&caller)))
            });
            self.late.extend(late);
        }
        let (mut found, mut pending) = (Vec::new(), vec![next]);
        while let Some(next) = pending.pop() {
            let Some(entry) = next.below.filter(|_| is_at_exit(machine, &next.at)) else {
                found.push(next);
                continue;
            };
            let root = self.threads.value(now[place]).root;
            let mut after = now.to_vec();
            after[0] = self.globals.number(next.at.globals.clone());
            after[place] = self.thread(root, next.at.clone(), next.below)?;
            let Some(callers) = &mut self.callers else { break };
            if callers.end(entry, &after, place) {
                let back = callers.of_entry(entry);
                pending.extend(back.iter().map(|caller| returned(machine, caller, &next.at)));
            }
        }
        Ok(found)
    }

    /// A thread that was at the exit of an entry returns to a caller that was not known then.
    fn return_late(
        &mut self,
        machine: &Machine<'_>,
        ended: &Ended,
        caller: &Caller,
    ) -> Result<(), Closed> {
        let (now, place) = (&ended.0, ended.1);
        let exit = self.configuration(now, place);
        let next = returned(machine, caller, &exit);
        let (mut inside, mut pending) = (FxHashSet::default(), Vec::new());
        let depth = next.at.depth();
        for next in self.by_callers(machine, now, place, depth, next)? {
            self.arrive(machine, now, place, next, &mut inside, &mut pending)?;
        }
        self.follow(machine, place, inside, pending)
    }

    /// A thread has come to a configuration. It goes on where others cannot run, or need not.
    fn arrive(
        &mut self,
        machine: &Machine<'_>,
        now: &[u32],
        place: usize,
        next: Next,
        inside: &mut FxHashSet<Vec<u32>>,
        pending: &mut Vec<Vec<u32>>,
    ) -> Result<(), Closed> {
        let Next { at, below } = next;
        let root = self.threads.value(now[place]).root;
        let goes_on = !machine.can_switch(&at) || self.passes[at.location];
        let is_still = machine.waits(&at).is_some() || machine.thread_has_ended(&at);
        let mut after = now.to_vec();
        after[0] = self.globals.number(at.globals.clone());
        after[place] = self.thread(root, at, below)?;
        if is_still {
            self.refuse_deadlock(machine, &after)?;
        }
        if !goes_on {
            self.add(after, place)?;
        } else if inside.insert(after.clone()) {
            pending.push(after);
        }
        if inside.len() > MOST_INSIDE {
            return Err(Closed::Open(Limit::Steps));
        }
        Ok(())
    }

    /// What can happen next on each edge.
    fn successors(
        &mut self,
        machine: &Machine<'_>,
        here: &Configuration,
    ) -> Result<Vec<(EdgeId, Outcome)>, Closed> {
        let successors = machine.successors(here, MOST_CHOICES);
        let outcomes = |list: Vec<Transition>| {
            list.into_iter().map(|one| (one.step.edge, one.outcome)).collect::<Vec<_>>()
        };
        if successors.complete {
            return Ok(outcomes(successors.transitions));
        }
        let out = self.shape.out(here.location);
        if let [edge] = out[..]
            && is_forgotten(&self.program, &self.shape, edge)
        {
            let next = Configuration { location: self.program.edge(edge).to, ..here.clone() };
            return Ok(vec![(edge, Outcome::Next(next))]);
        }
        let is_condition = |edge: &EdgeId| {
            let edge = self.program.edge(*edge);
            matches!(edge.operation, Operation::Assume(_)) && edge.checks.is_empty()
        };
        if !out.iter().all(is_condition) {
            return Err(Closed::Open(Limit::Steps));
        }
        self.widened = true;
        let taken = |edge: &EdgeId| {
            let mut next = here.clone();
            machine.pass(&mut next, *edge, &[], &Vec::new());
            (*edge, Outcome::Next(next))
        };
        Ok(out.iter().map(taken).collect())
    }

    /// Is a failing check one that was asked about?
    fn counts(&self, edge: EdgeId, check: usize) -> bool {
        let line = self.program.edge(edge).checks[check].line;
        self.error_line.is_none_or(|asked| asked == line)
    }

    /// Adds a configuration that the thread at this place has come to.
    fn add(&mut self, mut configuration: Vec<u32>, place: usize) -> Result<(), Closed> {
        let runs = configuration[place];
        let threads = &self.threads;
        if let Some(started) = configuration.get_mut(1 + self.at_start..) {
            started.sort_unstable_by_key(|number| (threads.value(*number).root, *number));
        }
        let stays = place <= self.at_start;
        let found = || configuration[1..].iter().rposition(|number| *number == runs);
        let place = if stays { place } else { 1 + found().expect("the thread is one of them") };
        if let Some(number) = self.numbers.get(&configuration[..]) {
            self.pending.push((*number, place));
            return Ok(());
        }
        if self.configurations.len() >= self.most {
            return Err(Closed::Open(Limit::Nodes));
        }
        if configuration.len() > u32::BITS as usize {
            return Err(Closed::Open(Limit::Threads));
        }
        let number = self.configurations.len() as u32;
        let configuration: Rc<[u32]> = configuration.into();
        self.last_new = self.switches;
        self.pending.push((number, place));
        let others = (1..configuration.len()).filter(|other| *other != place);
        self.later.extend(others.map(|other| (number, other)));
        self.numbers.insert(Rc::clone(&configuration), number);
        self.configurations.push(configuration);
        self.followed.push(0);
        Ok(())
    }

    fn thread(
        &mut self,
        root: ProcedureId,
        at: Configuration,
        below: Option<u32>,
    ) -> Result<u32, Closed> {
        if at.frames.len() > MOST_FRAMES {
            return Err(Closed::Open(Limit::Depth));
        }
        Ok(self.threads.number(Thread { root, frames: at.frames, location: at.location, below }))
    }

    /// One thread with the globals.
    fn configuration(&self, numbers: &[u32], place: usize) -> Configuration {
        let thread = self.threads.value(numbers[place]);
        Configuration {
            globals: (**self.globals.value(numbers[0])).clone(),
            frames: thread.frames.clone(),
            location: thread.location,
        }
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
            let globals = Rc::clone(self.globals.value(configuration[0]));
            let (starts, complete) = machine.thread_starts(procedure, &globals, MOST_CHOICES);
            if !complete || more.len() > MOST_INSIDE {
                return Err(Closed::Open(Limit::Steps));
            }
            for start in starts {
                let mut with = configuration.clone();
                with.push(self.thread(procedure, start, None)?);
                more.push(with);
            }
        }
        Ok(more)
    }

    /// A configuration of all threads, as far as their frames are known.
    fn shared(&self, numbers: &[u32]) -> SharedConfiguration {
        let thread = |number: &u32| {
            let thread = self.threads.value(*number);
            Some((thread.frames.clone(), thread.location))
        };
        SharedConfiguration {
            globals: (**self.globals.value(numbers[0])).clone(),
            threads: numbers[1..].iter().map(thread).collect(),
        }
    }

    fn refuse_deadlock(&self, machine: &Machine<'_>, numbers: &[u32]) -> Result<(), Closed> {
        match machine.deadlock(&self.shared(numbers)) {
            Some(_) => Err(Closed::Fails(self.switches)),
            None => Ok(()),
        }
    }
}

/// Is a thread at the end of the last of its frames?
fn is_at_exit(machine: &Machine<'_>, at: &Configuration) -> bool {
    let exit = |frame: &Frame| machine.program().procedure(frame.procedure).exit;
    matches!(&at.frames[..], [frame] if exit(frame) == at.location)
}

/// A thread at the exit of an entry, after its return to a caller.
fn returned(machine: &Machine<'_>, caller: &Caller, exit: &Configuration) -> Next {
    let mut at = caller.with(exit);
    while machine.return_once(&mut at).is_some() {}
    Next { at, below: caller.below }
}
