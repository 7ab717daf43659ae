//! What a closed set remembers of the frames below recursive calls: who made them.
//!
//! A recursive procedure can be called without end, so frames cannot all be kept. Below a call of
//! such a procedure only its *entry* is kept: the new frame, the frames below the thread's first
//! recursive call, and, if they are told apart, the globals at the call. Whoever calls with an
//! equal entry is noted there, and a return goes back to each of them. With globals, this is the
//! context-sensitivity of procedure summaries (Sharir and Pnueli 1981, the functional approach), so
//! a program with one thread loses nothing. With several threads a return may also go back to one
//! who called while the others stood elsewhere. That can only add configurations. In the terms of
//! Liu and Wahl 2018, the tops stay exact, and what may emerge below a pop is a superset.

use crate::analysis::interner::Interner;
use crate::lang::interpreter::{Configuration, Frame};
use crate::lang::model::{EdgeId, Operation, ProcedureId, Program};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// The entries of recursive procedures, with those who called and those who came to the end.
pub(super) struct Callers {
    /// Do entries tell globals apart?
    pub(super) tells_globals: bool,
    /// By procedure: can it call itself, directly or through others?
    recursive: Vec<bool>,
    entries: Interner<Entry>,
    /// By entry.
    callers: Vec<Noted<Caller>>,
    /// By entry: configurations of all threads in which the thread at the place is at the exit.
    ended: Vec<Noted<Ended>>,
}

/// The beginning of a call. Its frame names no call: to the interpreter it is a thread's first one.
#[derive(PartialEq, Eq, Hash)]
struct Entry {
    frame: Frame,
    first: Rc<First>,
    globals: Option<Vec<Vec<u64>>>,
}

/// The frames below a thread's first recursive call that is open, and that call.
type First = (Vec<Frame>, EdgeId);

/// Who made a call.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Caller {
    /// The frames down to the next entry.
    frames: Vec<Frame>,
    call: EdgeId,
    /// That entry; `None` if the last of the frames is the thread's first.
    pub(super) below: Option<u32>,
}

/// A configuration of all threads, and the place of the thread that is at the exit of its entry.
pub(super) type Ended = (Rc<[u32]>, usize);

/// A list without repetitions.
struct Noted<T> {
    list: Vec<Rc<T>>,
    known: FxHashSet<Rc<T>>,
}

impl<T: Eq + std::hash::Hash> Noted<T> {
    /// The value, unless it was noted before.
    fn note(&mut self, value: T) -> Option<Rc<T>> {
        let value = Rc::new(value);
        let is_new = self.known.insert(Rc::clone(&value));
        if is_new {
            self.list.push(Rc::clone(&value));
        }
        is_new.then_some(value)
    }
}

impl<T> Default for Noted<T> {
    fn default() -> Noted<T> {
        Noted { list: Vec::new(), known: FxHashSet::default() }
    }
}

impl Callers {
    /// Nobody has called yet. `None` if no procedure of the program is recursive.
    pub(super) fn of(program: &Program, tells_globals: bool) -> Option<Callers> {
        let recursive = recursive(program);
        let some = recursive.contains(&true);
        let (entries, callers, ended) = (Interner::new(), Vec::new(), Vec::new());
        some.then_some(Callers { tells_globals, recursive, entries, callers, ended })
    }

    /// Is this procedure recursive?
    pub(super) fn is_recursive(&self, procedure: ProcedureId) -> bool {
        self.recursive[procedure.0 as usize]
    }

    /// Cuts the frames below the innermost one, which has just been called. Gives its entry, and
    /// the caller if it is new.
    pub(super) fn cut(
        &mut self,
        at: &mut Configuration,
        below: Option<u32>,
    ) -> Option<(u32, Option<Rc<Caller>>)> {
        let mut frame = at.frames.pop()?;
        let call = frame.call.take()?;
        let frames = std::mem::replace(&mut at.frames, vec![frame.clone()]);
        let globals = self.tells_globals.then(|| at.globals.clone());
        let first = match below {
            None => Rc::new((frames.clone(), call)),
            Some(below) => Rc::clone(&self.entries.value(below).first),
        };
        let entry = self.entries.number(Entry { frame, first, globals });
        if self.callers.len() <= entry as usize {
            self.callers.push(Noted::default());
            self.ended.push(Noted::default());
        }
        let caller = self.callers[entry as usize].note(Caller { frames, call, below });
        Some((entry, caller))
    }

    /// Notes that a thread is at the exit of an entry. False if that is known.
    pub(super) fn end(&mut self, entry: u32, configuration: &[u32], place: usize) -> bool {
        self.ended[entry as usize].note((configuration.into(), place)).is_some()
    }

    /// Who called with this entry so far.
    pub(super) fn of_entry(&self, entry: u32) -> Vec<Rc<Caller>> {
        self.callers[entry as usize].list.clone()
    }

    /// Where the exit of this entry was reached so far.
    pub(super) fn ended(&self, entry: u32) -> Vec<Rc<Ended>> {
        self.ended[entry as usize].list.clone()
    }
}

impl Caller {
    /// The configuration of a thread at the exit of its callee, with the caller's frames below.
    pub(super) fn with(&self, exit: &Configuration) -> Configuration {
        let mut frames = self.frames.clone();
        frames.extend(exit.frames.iter().cloned());
        if let Some(callee) = frames.get_mut(self.frames.len()) {
            callee.call = Some(self.call);
        }
        Configuration { frames, ..exit.clone() }
    }
}

/// By procedure: is it on a circle of calls?
fn recursive(program: &Program) -> Vec<bool> {
    let count = program.procedures.len();
    let mut calls: Vec<Vec<usize>> = vec![Vec::new(); count];
    for edge in &program.edges {
        if let Operation::Call { callee, .. } = &edge.operation {
            let caller = program.location(edge.from).procedure;
            calls[caller.0 as usize].push(callee.0 as usize);
        }
    }
    let comes_back = |start: usize| {
        let (mut seen, mut pending) = (vec![false; count], calls[start].clone());
        while let Some(at) = pending.pop() {
            if at == start {
                return true;
            }
            if !std::mem::replace(&mut seen[at], true) {
                pending.extend(&calls[at]);
            }
        }
        false
    };
    (0..count).map(comes_back).collect()
}
