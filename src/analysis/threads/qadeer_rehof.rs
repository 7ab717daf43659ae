//! Qadeer and Rehof's algorithm: threads in turn, their sets of stacks split by explicit globals at
//! each switch.
//!
//! Source: Lal, Touili, Kidd, Reps 2007, § 2.4, fig. 3. A node of the tree is (globals, stacks of
//! thread 1, …, stacks of thread n). An edge runs one thread by post\* and splits the
//! configurations that it reaches by their globals. Contexts at one depth need the same number of
//! switches, so the first depth with an error is the least number.
//!
//! Differs from the paper: k switches are k + 1 contexts (§ 2.4 as printed runs k); the initial
//! globals stay one set until the first context ends; a context is computed once for equal stacks
//! and globals, and a node met again is not grown again; within a depth errors and deadlocks are
//! sought before anything is split, so the last context is never split.

use super::context::{Context, Engine, within};
use super::stacks::Stacks;
use super::system::Begins;
use super::thread_state::GlobalsByState;
use crate::bdd::{Bdd, BitVector, Roots, impl_roots};
use crate::encode::{Copy, ErrorSite, ProgramDomain, Valuation};
use crate::pds::PostStar;
use crate::util::Bounded;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

/// Most nodes of the tree.
const MOST_NODES: usize = 200_000;

/// A node of the tree.
#[derive(Clone, Debug)]
pub struct Node {
    /// The node before its context.
    pub parent: Option<usize>,
    /// Contexts so far.
    pub depth: u32,
    /// The thread that ran last.
    pub thread: Option<usize>,
    /// The globals; at the root all initial ones.
    pub globals: Bdd,
    /// By cell; `None` at the root.
    pub valuation: Option<Valuation>,
    /// By thread: which set of stacks.
    stacks: Rc<[u32]>,
    /// An earlier node with the same globals and stacks, which is expanded instead of this one.
    pub same_as: Option<usize>,
    /// Contexts that begin here: the thread, and which context it is.
    contexts: Vec<(usize, u32)>,
}

/// What went wrong in a context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// Checks that fail.
    Errors(Vec<ErrorSite>),
    /// A set of globals with which no thread can go on.
    Deadlock(Bdd),
}

/// A context that fails.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Where it begins.
    pub node: usize,
    /// The thread that runs.
    pub thread: usize,
    /// How.
    pub kind: FailureKind,
}

/// The globals that are reached at one depth.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    /// The globals that are reached with so many switches (over now); only before the line asked
    /// about, if one was.
    pub reached: Bdd,
}

struct Known {
    stacks: Stacks,
    by_state: GlobalsByState,
}

struct Running {
    node: usize,
    thread: usize,
    saturation: PostStar<ProgramDomain>,
}

/// The tree while it grows.
pub struct QadeerRehof {
    /// The program.
    pub engine: Engine,
    asks: bool,
    nodes: Vec<Node>,
    stacks: Vec<Known>,
    stack_numbers: FxHashMap<Stacks, u32>,
    contexts: Vec<Context>,
    context_numbers: FxHashMap<(usize, u32, Bdd), u32>,
    met: FxHashMap<(Bdd, Rc<[u32]>), usize>,
    /// By thread: the stacks before it ever ran, and the globals with which it may run.
    initial: Vec<u32>,
    may_run: Vec<Bdd>,
    bound: u32,
    pending: VecDeque<(usize, usize)>,
    running: Option<Running>,
    /// Contexts whose ends are not nodes yet: (node, thread, context, globals left to be made
    /// nodes).
    splitting: VecDeque<(usize, usize, u32, Bdd)>,
    failures: Vec<Failure>,
    levels: Vec<Level>,
    steps: u64,
}

impl QadeerRehof {
    /// The tree with its root, for 0 switches. `asks`: [`Level::reached`] counts only runs that are
    /// before the line that `engine` was asked about.
    pub fn new(mut engine: Engine, asks: bool) -> Bounded<QadeerRehof> {
        let globals = engine.initial_globals()?;
        let count = engine.system.threads.len();
        let mut tree = QadeerRehof {
            asks,
            nodes: Vec::new(),
            stacks: Vec::new(),
            stack_numbers: FxHashMap::default(),
            contexts: Vec::new(),
            context_numbers: FxHashMap::default(),
            met: FxHashMap::default(),
            initial: Vec::new(),
            may_run: Vec::new(),
            bound: 0,
            pending: VecDeque::new(),
            running: None,
            splitting: VecDeque::new(),
            failures: Vec::new(),
            levels: Vec::new(),
            steps: 0,
            engine,
        };
        for thread in 0..count {
            let entry = tree.engine.entry(thread);
            let number = tree.intern(Stacks::at_entry(entry))?;
            tree.initial.push(number);
            let may_run = tree.begins(thread)?;
            tree.may_run.push(may_run);
        }
        let stacks: Rc<[u32]> = tree.initial.clone().into();
        tree.nodes.push(Node {
            parent: None,
            depth: 0,
            thread: None,
            globals,
            valuation: None,
            stacks,
            same_as: None,
            contexts: Vec::new(),
        });
        tree.levels.push(Level { reached: Bdd::FALSE });
        tree.pending.extend(tree.engine.system.first.iter().map(|thread| (0, *thread)));
        Ok(tree)
    }

    /// The globals with which a thread may begin.
    fn begins(&mut self, thread: usize) -> Bounded<Bdd> {
        let Begins::Started { counter, count } = self.engine.system.threads[thread].begins else {
            return Ok(Bdd::TRUE);
        };
        let domain = &mut self.engine.domain;
        let cells: Vec<_> = domain.layout.cells(counter).collect();
        let width = self.engine.system.program.variable(counter).scalar.width;
        let mut begun = Bdd::FALSE;
        for value in u64::from(count)..1 << width {
            let levels = domain.layout.cell(cells[0], Copy::Now);
            let now = BitVector::from_variables(&mut domain.kernel, &levels)?;
            let equal = now.equal(&mut domain.kernel, &BitVector::constant(value, width.into()))?;
            begun = domain.kernel.or(begun, equal)?;
        }
        Ok(begun)
    }

    fn intern(&mut self, stacks: Stacks) -> Bounded<u32> {
        if let Some(number) = self.stack_numbers.get(&stacks) {
            return Ok(*number);
        }
        let engine = &mut self.engine;
        let by_state =
            engine.states.globals_of_stacks(&mut engine.domain, &engine.shared, &stacks)?;
        let number = self.stacks.len() as u32;
        self.stack_numbers.insert(stacks.clone(), number);
        self.stacks.push(Known { stacks, by_state });
        Ok(number)
    }

    /// One piece of work. Does nothing once [`Self::is_done`]. After a limit only what was found
    /// can be read.
    pub fn step(&mut self) -> Bounded<()> {
        self.steps += 1;
        if let Some(running) = &mut self.running {
            if !running.saturation.is_done() {
                return running.saturation.step(&self.engine.rules.pds, &mut self.engine.domain);
            }
            let context = self.engine.finish(&running.saturation)?;
            let (node, thread) = (running.node, running.thread);
            self.running = None;
            let number = self.contexts.len() as u32;
            self.contexts.push(context);
            self.context_numbers.insert(self.key(node, thread), number);
            return self.ran(node, thread, number);
        }
        if let Some((node, thread, context, globals)) = self.splitting.pop_front() {
            return self.split(node, thread, context, globals);
        }
        if let Some((node, thread)) = self.pending.pop_front() {
            if let Some(number) = self.context_numbers.get(&self.key(node, thread)) {
                return self.ran(node, thread, *number);
            }
            let stacks = self.stacks[self.nodes[node].stacks[thread] as usize].stacks.clone();
            let saturation = self.engine.begin(&stacks, self.nodes[node].globals)?;
            self.running = Some(Running { node, thread, saturation });
        }
        Ok(())
    }

    fn key(&self, node: usize, thread: usize) -> (usize, u32, Bdd) {
        // Instances of one procedure behave alike.
        let procedure = self.engine.system.threads[thread].procedure.0 as usize;
        (procedure, self.nodes[node].stacks[thread], self.nodes[node].globals)
    }

    /// A thread ran from a node.
    fn ran(&mut self, node: usize, thread: usize, number: u32) -> Bounded<()> {
        self.nodes[node].contexts.push((thread, number));
        let context = &self.contexts[number as usize];
        let (passed, by_state) = (context.passed, context.globals_by_state);
        if !context.errors.is_empty() {
            let kind = FailureKind::Errors(context.errors.clone());
            self.failures.push(Failure { node, thread, kind });
        }
        let others: Vec<(usize, GlobalsByState)> = (0..self.initial.len())
            .filter(|other| *other != thread)
            .map(|other| (other, self.stacks[self.nodes[node].stacks[other] as usize].by_state))
            .collect();
        let kernel = &mut self.engine.domain.kernel;
        // The globals that this thread reaches; at a line, also those with another thread there.
        let mut reached = if self.asks { by_state.at } else { passed };
        if self.asks {
            for (other, by_state) in &others {
                let here = kernel.and_all(&[by_state.at, self.may_run[*other], passed])?;
                reached = kernel.or(reached, here)?;
            }
        }
        let level = &mut self.levels[self.bound as usize];
        level.reached = kernel.or(level.reached, reached)?;
        // Is there a deadlock?
        let main = if self.engine.system.has_main { Some(0) } else { None };
        let mut stuck = if main == Some(thread) { by_state.waits } else { by_state.quiet };
        let mut waits = by_state.waits;
        for (other, by_state) in &others {
            let quiet = if main == Some(*other) { by_state.waits } else { by_state.quiet };
            let quiet = kernel.or(quiet, !self.may_run[*other])?;
            let waiting = kernel.and(by_state.waits, self.may_run[*other])?;
            stuck = kernel.and(stuck, quiet)?;
            waits = kernel.or(waits, waiting)?;
        }
        let stuck = kernel.and(stuck, waits)?;
        if !stuck.is_false() {
            self.failures.push(Failure { node, thread, kind: FailureKind::Deadlock(stuck) });
        }
        Ok(())
    }

    /// Makes a node for one choice of globals with which a context ends.
    fn split(&mut self, parent: usize, thread: usize, context: u32, globals: Bdd) -> Bounded<()> {
        // As long as no other thread may run, nothing ends this context.
        let mut others = Bdd::FALSE;
        for other in (0..self.may_run.len()).filter(|other| *other != thread) {
            others = self.engine.domain.kernel.or(others, self.may_run[other])?;
        }
        let globals = self.engine.domain.kernel.and(globals, others)?;
        let engine = &mut self.engine;
        let Some((valuation, only)) = engine.domain.least_globals(&engine.shared, globals)? else {
            return Ok(());
        };
        let rest = engine.domain.kernel.difference(globals, only)?;
        let ends = engine.stacks_after(&self.contexts[context as usize], only)?;
        let number = self.intern(ends)?;
        let mut stacks = self.nodes[parent].stacks.to_vec();
        stacks[thread] = number;
        let stacks: Rc<[u32]> = stacks.into();
        within(self.nodes.len(), MOST_NODES)?;
        let id = self.nodes.len();
        let same_as = self.met.get(&(only, Rc::clone(&stacks))).copied();
        let depth = self.nodes[parent].depth + 1;
        self.nodes.push(Node {
            parent: Some(parent),
            depth,
            thread: Some(thread),
            globals: only,
            valuation: Some(valuation),
            stacks: Rc::clone(&stacks),
            same_as,
            contexts: Vec::new(),
        });
        if same_as.is_none() {
            self.met.insert((only, stacks), id);
            for other in 0..self.initial.len() {
                if other != thread && self.may_go(id, other)? {
                    self.pending.push_back((id, other));
                }
            }
        }
        if !rest.is_false() {
            self.splitting.push_front((parent, thread, context, rest));
        }
        Ok(())
    }

    /// May this thread run from a node?
    fn may_go(&mut self, node: usize, thread: usize) -> Bounded<bool> {
        let stacks = &self.nodes[node].stacks;
        // Instances of one procedure behave alike, so they run for the first time in their order.
        if self
            .engine
            .system
            .before(thread)
            .is_some_and(|before| stacks[before] == self.initial[before])
        {
            return Ok(false);
        }
        let globals =
            self.engine.domain.kernel.and(self.nodes[node].globals, self.may_run[thread])?;
        Ok(!globals.is_false())
    }

    /// Allows one more switch; all nodes and failures stay.
    pub fn raise(&mut self) {
        let first =
            self.nodes.iter().position(|node| node.depth == self.bound).unwrap_or(self.nodes.len());
        for node in first..self.nodes.len() {
            for (thread, context) in self.nodes[node].contexts.clone() {
                let after = self.contexts[context as usize].after;
                if !after.is_false() {
                    self.splitting.push_back((node, thread, context, after));
                }
            }
        }
        self.bound += 1;
        self.levels.push(Level { reached: Bdd::FALSE });
    }

    /// Is everything known for the present bound?
    pub fn is_done(&self) -> bool {
        self.running.is_none() && self.splitting.is_empty() && self.pending.is_empty()
    }

    /// Did no context begin with as many switches as are allowed now? Every node so deep is like
    /// one met before, or no thread may go on from it. Then no greater bound reaches anything new.
    /// Meaningful once [`Self::is_done`].
    pub fn is_exhausted(&self) -> bool {
        let mut deepest = self.nodes.iter().rev().take_while(|node| node.depth == self.bound);
        deepest.all(|node| node.contexts.is_empty())
    }

    /// Does some run so far need more than the model has?
    pub fn is_cut_off(&self) -> bool {
        self.contexts.iter().any(|context| context.is_cut_off)
    }

    /// The present bound.
    pub fn bound(&self) -> u32 {
        self.bound
    }

    /// The contexts that fail; all with the present bound, if it is raised only while there are
    /// none.
    pub fn failures(&self) -> &[Failure] {
        &self.failures
    }

    /// The nodes, parents first.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// By number of switches.
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// Contexts computed, and sets of stacks met.
    pub fn sizes(&self) -> (usize, usize) {
        (self.contexts.len(), self.stacks.len())
    }

    /// Transitions of a node's sets of stacks.
    pub fn size(&self, node: usize) -> u32 {
        self.nodes[node]
            .stacks
            .iter()
            .map(|number| self.stacks[*number as usize].stacks.size())
            .sum()
    }

    /// At most so many ways from the root to this node, each without the root, also through nodes
    /// that are like those of others and as deep; and are these all?
    pub fn paths(&self, node: usize, most: usize) -> (Vec<Vec<usize>>, bool) {
        let mut alike: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (id, node) in self.nodes.iter().enumerate() {
            if let Some(same) = node.same_as.filter(|same| self.nodes[*same].depth == node.depth) {
                alike.entry(same).or_default().push(id);
            }
        }
        let (mut found, mut pending) = (Vec::new(), vec![(node, Vec::new())]);
        while let Some((at, behind)) = pending.pop() {
            if found.len() >= most {
                return (found, false);
            }
            for one in alike.get(&at).into_iter().flatten().chain([&at]) {
                let mut path: Vec<usize> = behind.clone();
                match self.nodes[*one].parent {
                    None => {
                        path.reverse();
                        found.push(path);
                    }
                    Some(parent) => {
                        path.push(*one);
                        pending.push((parent, path));
                    }
                }
            }
        }
        (found, true)
    }
}

impl Roots for QadeerRehof {
    fn roots(&self, roots: &mut Vec<Bdd>) {
        (&self.engine, &self.nodes, &self.stacks).roots(roots);
        (&self.contexts, &self.may_run, &self.running).roots(roots);
        roots.extend(self.splitting.iter().map(|(.., globals)| *globals));
        (&self.levels, &self.failures).roots(roots);
    }
}

impl_roots!(Node { globals });
impl_roots!(Known { stacks, by_state });
impl_roots!(Running { saturation });
impl_roots!(Level { reached });
impl_roots!(Failure { kind });

impl Roots for FailureKind {
    fn roots(&self, roots: &mut Vec<Bdd>) {
        match self {
            FailureKind::Errors(_) => {}
            FailureKind::Deadlock(globals) => roots.push(*globals),
        }
    }
}
