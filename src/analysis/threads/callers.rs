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
    callers: Interner<Caller>,
    /// By entry: numbers of callers.
    calls: Vec<Noted<u32>>,
    /// By entry: configurations of all threads in which the thread at the place is at the exit.
    ended: Vec<Noted<Rc<Ended>>>,
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
#[derive(PartialEq, Eq, Hash)]
struct Caller {
    /// The frames down to the next entry.
    frames: Vec<Frame>,
    call: EdgeId,
    /// That entry; `None` if the last of the frames is the thread's first.
    below: Option<u32>,
}

/// A configuration of all threads, and the place of the thread that is at the exit of its entry.
pub(super) type Ended = (Rc<[u32]>, usize);

/// A list without repetitions.
struct Noted<T> {
    list: Vec<T>,
    known: FxHashSet<T>,
}

impl<T: Clone + Eq + std::hash::Hash> Noted<T> {
    /// Notes a value. False if it was noted before.
    fn note(&mut self, value: T) -> bool {
        let is_new = self.known.insert(value.clone());
        if is_new {
            self.list.push(value);
        }
        is_new
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
        some.then(|| Callers {
            tells_globals,
            recursive,
            entries: Interner::new(),
            callers: Interner::new(),
            calls: Vec::new(),
            ended: Vec::new(),
        })
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
    ) -> Option<(u32, Option<u32>)> {
        let mut frame = at.frames.pop()?;
        let call = frame.call.take()?;
        let frames = std::mem::replace(&mut at.frames, vec![frame.clone()]);
        let globals = self.tells_globals.then(|| at.globals.clone());
        let first = match below {
            None => Rc::new((frames.clone(), call)),
            Some(below) => Rc::clone(&self.entries.value(below).first),
        };
        let entry = self.entries.number(Entry { frame, first, globals });
        if self.calls.len() <= entry as usize {
            self.calls.push(Noted::default());
            self.ended.push(Noted::default());
        }
        let caller = self.callers.number(Caller { frames, call, below });
        let is_new = self.calls[entry as usize].note(caller);
        Some((entry, is_new.then_some(caller)))
    }

    /// Notes that a thread is at the exit of an entry. False if that is known.
    pub(super) fn end(&mut self, entry: u32, configuration: &[u32], place: usize) -> bool {
        self.ended[entry as usize].note(Rc::new((configuration.into(), place)))
    }

    /// Who called with this entry so far.
    pub(super) fn of_entry(&self, entry: u32) -> &[u32] {
        &self.calls[entry as usize].list
    }

    /// A thread at the exit of its callee, with this caller's frames below, and the entry below
    /// those.
    pub(super) fn with(&self, caller: u32, exit: &Configuration) -> (Configuration, Option<u32>) {
        let caller = self.callers.value(caller);
        let mut frames = caller.frames.clone();
        frames.extend(exit.frames.iter().cloned());
        if let Some(callee) = frames.get_mut(caller.frames.len()) {
            callee.call = Some(caller.call);
        }
        (Configuration { frames, ..exit.clone() }, caller.below)
    }

    /// Where the exit of this entry was reached so far.
    pub(super) fn ended(&self, entry: u32) -> Vec<Rc<Ended>> {
        self.ended[entry as usize].list.clone()
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
