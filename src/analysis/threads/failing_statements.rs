//! Which thread executes which statement in some run that fails within a bound on context switches:
//! the error projection of a program with threads, by an explicit search.
//!
//! A node of the graph is a configuration of all threads with the one that runs. Steps cost
//! nothing, a switch costs one. The least number of switches from the start to each node is found
//! forward, and from each node to a failure backward (both by breadth first, level by level). A
//! step is on a failing run within the bound if and only if the two numbers at its ends are at most
//! the bound together. So the answer is exact, with no stack summarized and no step left out;
//! there is none if the configurations are too many. Then the interfaces of the threads
//! answer the same question
//! ([`concurrent_projection`](crate::analysis::interfaces::concurrent_projection)).
//!
//! What fails: a check (on the line that was asked about, if one was), or a deadlock. Where a
//! program is watched for data races, an announced access takes part only in a run that ends in a
//! race.

use super::race_watch::{RaceWatch, Watched};
use super::{Begins, ThreadSystem};
use crate::analysis::interner::Interner;
use crate::lang::interpreter::{
    Configuration, Frame, Machine, Outcome, Shape, SharedConfiguration,
};
use crate::lang::model::{EdgeId, LocationId, VariableId};
use crate::util::{Bounded, Limit};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

/// Most nodes of the graph, and most values that are tried at one edge.
const MOST_NODES: usize = 150_000;
const MOST_CHOICES: usize = 256;

/// Most frames of a thread.
const MOST_FRAMES: usize = 64;

/// Nodes that one call of [`FailingStatements::step`] looks at.
const AT_ONCE: usize = 64;

/// A thread that has not begun.
const WAITING: u32 = u32::MAX;

/// No number of switches.
const NEVER: u32 = u32::MAX;

/// By thread of the system, by edge: does some failing run within the bound execute it there?
pub type ByThread = Vec<Vec<bool>>;

/// The search.
pub struct FailingStatements {
    system: Rc<ThreadSystem>,
    shape: Arc<Shape>,
    error_line: Option<u32>,
    watch: Option<RaceWatch>,
    /// The bound.
    most: u32,
    globals: Interner<Vec<Vec<u64>>>,
    stacks: Interner<(Vec<Frame>, LocationId)>,
    /// By node: the number of its globals, those of its threads' stacks, and who runs.
    nodes: Vec<Rc<[u32]>>,
    numbers: FxHashMap<Rc<[u32]>, u32>,
    /// By node: the least switches with which it is reached, once it was looked at.
    least: Vec<u32>,
    /// From, to, and the statement; `None` is a switch.
    moves: Vec<(u32, u32, Option<EdgeId>)>,
    /// The failing steps, each with its check, and the nodes in a deadlock.
    fails: Vec<(u32, EdgeId, usize)>,
    stuck: Vec<u32>,
    switches: u32,
    pending: Vec<u32>,
    later: Vec<u32>,
    answer: Option<Bounded<ByThread>>,
}

impl FailingStatements {
    /// Asks for runs with at most so many switches. Only failing checks on `error_line` count, if
    /// it is given. `watch`: how the program is watched for data races, if it is.
    pub fn new(
        system: Rc<ThreadSystem>,
        error_line: Option<u32>,
        watch: Option<RaceWatch>,
        most: u32,
    ) -> FailingStatements {
        let mut search = FailingStatements {
            shape: Arc::new(Shape::of(&system.program)),
            system,
            error_line,
            watch,
            most,
            globals: Interner::new(),
            stacks: Interner::new(),
            nodes: Vec::new(),
            numbers: FxHashMap::default(),
            least: Vec::new(),
            moves: Vec::new(),
            fails: Vec::new(),
            stuck: Vec::new(),
            switches: 0,
            pending: Vec::new(),
            later: Vec::new(),
            answer: None,
        };
        if let Err(limit) = search.starts() {
            search.answer = Some(Err(limit));
        }
        search
    }

    /// The answer, once there is one: exact, or the limit that the search hit.
    pub fn answer(&self) -> Option<&Bounded<ByThread>> {
        self.answer.as_ref()
    }

    /// How many nodes the graph has so far.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Has the program no start?
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Looks at a few nodes. Does nothing once there is an answer.
    pub fn step(&mut self) {
        let system = Rc::clone(&self.system);
        let machine = Machine::with_shape(&system.program, Arc::clone(&self.shape));
        for _ in 0..AT_ONCE {
            if self.answer.is_some() {
                return;
            }
            let Some(node) = self.pending.pop() else {
                if self.later.is_empty() {
                    self.answer = Some(Ok(self.backward()));
                    return;
                }
                self.pending = std::mem::take(&mut self.later);
                self.switches += 1;
                continue;
            };
            if self.least[node as usize] != NEVER {
                continue;
            }
            self.least[node as usize] = self.switches;
            if let Err(limit) = self.follow(&machine, node) {
                self.answer = Some(Err(limit));
            }
        }
    }

    fn starts(&mut self) -> Bounded<()> {
        let system = Rc::clone(&self.system);
        let machine = Machine::with_shape(&system.program, Arc::clone(&self.shape));
        let (starts, complete) = machine.starts(MOST_CHOICES);
        if !complete {
            return Err(Limit::Steps);
        }
        for start in starts {
            for first in &system.first {
                let globals = self.globals.number(start.globals.clone());
                let mut waiting = vec![globals];
                waiting.extend(system.threads.iter().map(|_| WAITING));
                waiting.push(*first as u32);
                for node in self.going_on(&machine, &waiting, *first)? {
                    self.pending.push(node);
                }
            }
        }
        Ok(())
    }

    /// The nodes in which this thread runs, which may have to begin first, in all ways.
    fn going_on(
        &mut self,
        machine: &Machine<'_>,
        from: &[u32],
        thread: usize,
    ) -> Bounded<Vec<u32>> {
        let mut to = from.to_vec();
        let last = to.len() - 1;
        to[last] = thread as u32;
        if to[1 + thread] != WAITING {
            return Ok(vec![self.number(to)?]);
        }
        let procedure = self.system.threads[thread].procedure;
        let globals = Rc::clone(self.globals.value(from[0]));
        let (starts, complete) = machine.thread_starts(procedure, &globals, MOST_CHOICES);
        if !complete {
            return Err(Limit::Steps);
        }
        let mut nodes = Vec::new();
        for start in starts {
            to[1 + thread] = self.stacks.number((start.frames, start.location));
            nodes.push(self.number(to.clone())?);
        }
        Ok(nodes)
    }

    fn number(&mut self, node: Vec<u32>) -> Bounded<u32> {
        if let Some(number) = self.numbers.get(&node[..]) {
            return Ok(*number);
        }
        if self.nodes.len() >= MOST_NODES {
            return Err(Limit::Nodes);
        }
        let (node, number): (Rc<[u32]>, u32) = (node.into(), self.nodes.len() as u32);
        self.nodes.push(Rc::clone(&node));
        self.numbers.insert(node, number);
        self.least.push(NEVER);
        Ok(number)
    }

    /// The value of a hidden counter or flag.
    fn value(&self, node: &[u32], id: VariableId) -> u64 {
        let globals = self.globals.value(node[0]);
        let slot = self.system.program.globals().position(|global| global == id);
        slot.and_then(|slot| globals[slot].first().copied()).unwrap_or(0)
    }

    /// May a thread run, as far as its start is concerned?
    fn is_started(&self, node: &[u32], thread: usize) -> bool {
        match self.system.threads[thread].begins {
            Begins::AtStart => true,
            Begins::Started { counter, count } => self.value(node, counter) >= u64::from(count),
        }
    }

    /// All steps and switches from a node.
    fn follow(&mut self, machine: &Machine<'_>, number: u32) -> Bounded<()> {
        let system = Rc::clone(&self.system);
        let node = Rc::clone(&self.nodes[number as usize]);
        let running = node[node.len() - 1] as usize;
        let stack = Rc::clone(self.stacks.value(node[1 + running]));
        let (frames, location) = (*stack).clone();
        let globals = (**self.globals.value(node[0])).clone();
        let here = Configuration { globals, frames, location };
        if here.frames.len() > MOST_FRAMES {
            return Err(Limit::Depth);
        }
        if self.is_deadlock(machine, &node) {
            self.stuck.push(number);
        }
        let successors = machine.successors(&here, MOST_CHOICES);
        if !successors.complete {
            return Err(Limit::Steps);
        }
        for transition in successors.transitions {
            let edge = transition.step.edge;
            if system.program.cut_offs.contains(&edge) {
                return Err(Limit::Heap);
            }
            match transition.outcome {
                Outcome::Next(next) => {
                    let mut to = node.to_vec();
                    to[0] = self.globals.number(next.globals);
                    to[1 + running] = self.stacks.number((next.frames, next.location));
                    let to = self.number(to)?;
                    self.moves.push((number, to, Some(edge)));
                    self.pending.push(to);
                }
                Outcome::Error(check) => {
                    let line = system.program.edge(edge).checks[check].line;
                    if self.error_line.is_none_or(|asked| asked == line) {
                        self.fails.push((number, edge, check));
                    }
                }
                Outcome::Blocked => {}
            }
        }
        if self.switches >= self.most || !machine.can_switch(&here) {
            return Ok(());
        }
        for other in (0..system.threads.len()).filter(|other| *other != running) {
            let is_next = system.before(other).is_none_or(|before| node[1 + before] != WAITING);
            let has_begun = node[1 + other] != WAITING;
            if has_begun || is_next && self.is_started(&node, other) {
                for to in self.going_on(machine, &node, other)? {
                    self.moves.push((number, to, None));
                    self.later.push(to);
                }
            }
        }
        Ok(())
    }

    /// Can no thread go on?
    fn is_deadlock(&self, machine: &Machine<'_>, node: &[u32]) -> bool {
        let of = |thread: usize| match node[1 + thread] {
            WAITING if !self.is_started(node, thread) => None,
            WAITING => {
                let procedure = self.system.threads[thread].procedure;
                let start = machine.thread_start(procedure, Vec::new(), &Vec::new());
                Some((start.frames, start.location))
            }
            stack => Some((**self.stacks.value(stack)).clone()),
        };
        let running = node[node.len() - 1] as usize;
        let globals = || (**self.globals.value(node[0])).clone();
        // Most nodes are told by the thread that runs.
        let Some((frames, location)) = of(running) else { return false };
        let here = Configuration { globals: globals(), frames, location };
        if machine.waits(&here).is_none() && !machine.thread_has_ended(&here) {
            return false;
        }
        let threads = (0..self.system.threads.len()).map(of).collect();
        machine.deadlock(&SharedConfiguration { globals: globals(), threads }).is_some()
    }

    /// The steps on failing runs within the bound, from the graph that is complete.
    fn backward(&self) -> ByThread {
        let edges = self.system.program.edges.len();
        let mut found: ByThread = self.system.threads.iter().map(|_| vec![false; edges]).collect();
        let all = self.fails.iter().map(|(node, ..)| *node).chain(self.stuck.iter().copied());
        let left = self.left(all);
        let is_race = |edge: EdgeId, check: usize| {
            self.watch.as_ref().is_some_and(|watch| watch.is_race(edge, check))
        };
        let races = self.fails.iter().filter(|(_, edge, check)| is_race(*edge, *check));
        let left_to_race = match &self.watch {
            Some(_) => self.left(races.map(|(node, ..)| *node)),
            None => Vec::new(),
        };
        let announces = |edge: EdgeId| {
            let original = self.watch.as_ref().map(|watch| watch.original(edge));
            matches!(original, Some(Watched::Announces(_)))
        };
        for (from, to, edge) in &self.moves {
            let Some(edge) = *edge else { continue };
            let left = if announces(edge) { &left_to_race } else { &left };
            let left = left[*to as usize];
            if left != NEVER && self.least[*from as usize] + left <= self.most {
                found[self.running(*from)][edge.0 as usize] = true;
            }
        }
        for (node, edge, _) in &self.fails {
            found[self.running(*node)][edge.0 as usize] = true;
        }
        found
    }

    fn running(&self, node: u32) -> usize {
        let node = &self.nodes[node as usize];
        node[node.len() - 1] as usize
    }

    /// By node: the least switches to one of these nodes.
    fn left(&self, goals: impl Iterator<Item = u32>) -> Vec<u32> {
        let mut before: Vec<Vec<(u32, u32)>> = vec![Vec::new(); self.nodes.len()];
        for (from, to, edge) in &self.moves {
            before[*to as usize].push((*from, u32::from(edge.is_none())));
        }
        let mut left = vec![NEVER; self.nodes.len()];
        let mut pending: VecDeque<(u32, u32)> = goals.map(|node| (node, 0)).collect();
        while let Some((node, switches)) = pending.pop_front() {
            if left[node as usize] <= switches {
                continue;
            }
            left[node as usize] = switches;
            for (from, cost) in &before[node as usize] {
                match cost {
                    0 => pending.push_front((*from, switches)),
                    _ => pending.push_back((*from, switches + 1)),
                }
            }
        }
        left
    }
}
