//! Known runs: the failing run with random changes of its inputs. Each of them is executed, and
//! kept if it takes another path.

use super::slots::{Slot, slots};
use super::spread;
use crate::analysis::repair::execution::{End, MOST_STEPS, Prepared};
use crate::lang::interpreter::{ConcreteRun, Machine};
use crate::lang::model::{EdgeId, ErrorKind, Operation, ProcedureId, Program};
use std::collections::{BTreeMap, BTreeSet};

/// The most random changes that are executed.
const CHANGES: usize = 3_000;
/// The most runs of one kind that are kept.
const ALIKE: usize = 4;
/// The most known runs that fail, and the most known runs that pass.
const FAILING: usize = 48;
const PASSING: usize = 160;
/// The most steps of all known runs together. If runs are long, fewer are kept.
const TOGETHER: usize = 400_000;
/// The most statements (each with the locals of it that are not zero) by which runs are
/// distinguished.
const TOLD_APART: usize = 500;
/// The interpreter steps of one piece of work.
const PIECE: u64 = 20_000;
/// The greatest number that is offered to mutants.
const GREATEST: i128 = 1 << 20;

/// A run that was executed.
#[derive(Clone, Debug)]
pub struct KnownRun {
    /// The failing run with changed values: the values that this run picks, by statement and by how
    /// often the statement was executed. The path of this run may differ.
    pub inputs: ConcreteRun,
    pub(super) prepared: Prepared,
    /// The values of the globals before the run's last statement.
    pub(super) globals: Vec<Vec<u64>>,
}

/// The kind of a run: does it fail, the values of a trusted start procedure (up to 3), and the
/// statements that it executes, each with the locals that are not zero.
type Kind = (bool, Vec<u64>, BTreeSet<(EdgeId, u64)>);

/// A run that is kept: its index in the corpus, and the values of the globals before its last
/// statement.
#[derive(Clone)]
struct Kept {
    values: usize,
    globals: Vec<Vec<u64>>,
}

/// The search for known runs. It is random with a fixed seed, so its results are always the same.
pub(super) struct Search {
    run: ConcreteRun,
    error: (u32, ErrorKind),
    trusted: Vec<ProcedureId>,
    numbers: Vec<i128>,
    slots: Vec<Slot>,
    /// The values of the slots, for each run that was kept.
    corpus: Vec<Vec<u64>>,
    kinds: BTreeMap<Kind, usize>,
    /// The values that were tried, so that no run is known twice.
    tried: BTreeSet<Vec<u64>>,
    random: u64,
    left: usize,
    failing: Vec<Kept>,
    passing: Vec<Kept>,
    values: BTreeSet<i128>,
    longest: usize,
    /// Is the failing run too long to be executed?
    is_lost: bool,
    executions: u64,
    steps: u64,
}

/// The runs that were found.
pub(super) struct Known {
    /// Runs that fail at the same check; the first is the failing run itself.
    pub(super) failing: Vec<KnownRun>,
    /// Runs that come to an end.
    pub(super) passing: Vec<KnownRun>,
    /// The values that failing runs take from their inputs.
    pub(super) values: Vec<i128>,
    /// The number of steps of the longest run.
    pub(super) longest: usize,
    /// The number of values that can be changed.
    pub(super) slots: usize,
}

impl Search {
    /// Prepares the search. `numbers`: changed values are made from these and from the values of
    /// the run. `error`: where the run fails, line and kind.
    pub(super) fn new(
        program: &Program,
        run: &ConcreteRun,
        error: (u32, ErrorKind),
        trusted: &[ProcedureId],
        numbers: &[i128],
    ) -> Search {
        let (slots, run) = slots(program, run);
        let first: Vec<u64> = slots.iter().map(|slot| slot.value(&run)).collect();
        Search {
            error,
            trusted: trusted.to_vec(),
            numbers: if numbers.is_empty() { vec![0, 1] } else { numbers.to_vec() },
            left: if slots.is_empty() { 0 } else { CHANGES },
            values: numbers_of(&slots, &first),
            slots,
            tried: BTreeSet::from([first.clone()]),
            corpus: vec![first],
            kinds: BTreeMap::new(),
            random: 0x9E37_79B9_7F4A_7C15,
            longest: run.steps.len(),
            failing: Vec::new(),
            passing: Vec::new(),
            run,
            is_lost: false,
            executions: 0,
            steps: 0,
        }
    }

    /// A random number, by Marsaglia's xorshift.
    fn random(&mut self, most: usize) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random % most.max(1) as u64) as usize
    }

    /// Executes some changes, and returns whether there are no more.
    pub(super) fn step(&mut self, machine: &Machine<'_>) -> bool {
        let until = self.steps + PIECE;
        if self.executions == 0 {
            self.execute_itself(machine);
        }
        while self.left > 0 && self.steps < until {
            self.left -= 1;
            self.change(machine);
        }
        self.left == 0
    }

    /// Executes the failing run itself, which is the first known run if it is not too long.
    fn execute_itself(&mut self, machine: &Machine<'_>) {
        let mut globals = Vec::new();
        let own = Prepared::of(machine.program(), &self.run);
        let (end, steps) = own.execute(machine, MOST_STEPS, |configuration, _| {
            globals.clone_from(&configuration.globals)
        });
        (self.executions, self.steps) = (1, steps as u64);
        if end == End::Fails(self.error.0, self.error.1) {
            self.failing.push(Kept { values: 0, globals });
        } else {
            (self.is_lost, self.left) = (true, 0);
        }
    }

    /// Is the failing run too long to be executed?
    pub(super) fn is_lost(&self) -> bool {
        self.is_lost
    }

    /// Ends the search with the runs found so far.
    pub(super) fn cut(&mut self) {
        self.left = 0;
    }

    fn changed(&mut self) -> Vec<u64> {
        let base = self.random(self.corpus.len());
        let mut values = self.corpus[base].clone();
        for _ in 0..1 + self.random(3) {
            let at = self.random(values.len());
            let value = if self.random(3) == 0 {
                values[self.random(values.len())]
            } else {
                let which = self.random(self.numbers.len());
                self.numbers[which] as u64
            };
            let value =
                [value, value, value.wrapping_add(1), value.wrapping_sub(1)][self.random(4)];
            values[at] = value & self.slots[at].scalar.mask();
        }
        values
    }

    fn change(&mut self, machine: &Machine<'_>) {
        let program = machine.program();
        let values = self.changed();
        if !self.tried.insert(values.clone()) {
            return;
        }
        let prepared = Prepared::of(program, &self.changed_run(&values));
        let (mut executed, mut outer, mut globals) = (BTreeSet::new(), Vec::new(), Vec::new());
        // Which locals are not zero, unless that may have changed; and the frames before the last
        // statement, if it wrote nothing.
        let (mut nonzero, mut unchanged) = (None, None);
        let (end, steps) = prepared.execute(machine, MOST_STEPS, |configuration, edge| {
            let frames = configuration.frames.len();
            let is_same = unchanged == Some(frames);
            let writes_nothing =
                matches!(program.edge(edge).operation, Operation::Skip | Operation::Assume(_));
            unchanged = writes_nothing.then_some(frames);
            if !is_same {
                globals.clone_from(&configuration.globals);
                nonzero = None;
            }
            let Some(frame) = configuration.frames.last() else { return };
            if !self.trusted.contains(&frame.procedure) {
                if executed.len() >= TOLD_APART {
                    return;
                }
                let nonzero = nonzero.get_or_insert_with(|| {
                    let locals = frame.values.iter().flatten().enumerate();
                    locals.fold(0u64, |set, (k, value)| set ^ u64::from(*value != 0) << (k % 64))
                });
                executed.insert((edge, *nonzero));
            } else if frames == 1 && !is_same {
                outer.clear();
                outer.extend(frame.values.iter().flatten().map(|value| (*value).min(3)));
            }
        });
        self.executions += 1;
        self.steps += steps as u64;
        let fails = match end {
            End::Passes => false,
            End::Fails(line, kind) if (line, kind) == self.error => true,
            End::Fails(..) | End::Blocked | End::Unfinished => return,
        };
        let alike = self.kinds.entry((fails, outer, executed)).or_default();
        if *alike < ALIKE {
            *alike += 1;
            if fails {
                self.values.extend(numbers_of(&self.slots, &values));
            }
            self.longest = self.longest.max(steps);
            if fails { &mut self.failing } else { &mut self.passing }
                .push(Kept { values: self.corpus.len(), globals });
            self.corpus.push(values);
        }
    }

    /// The number of executed runs, and their steps.
    pub(super) fn effort(&self) -> (u64, u64) {
        (self.executions, self.steps)
    }

    /// The runs that were found.
    pub(super) fn finish(self, program: &Program) -> Known {
        let made = |all: &[Kept], most: usize| -> Vec<KnownRun> {
            let kept = spread(all, most.min(TOGETHER / self.longest.max(1)).max(1));
            kept.into_iter()
                .map(|Kept { values, globals }| self.known(program, values, globals))
                .collect()
        };
        Known {
            failing: made(&self.failing, FAILING),
            passing: made(&self.passing, PASSING),
            values: self.values.iter().copied().filter(|value| value.abs() < GREATEST).collect(),
            longest: self.longest,
            slots: self.slots.len(),
        }
    }

    fn changed_run(&self, values: &[u64]) -> ConcreteRun {
        let mut run = self.run.clone();
        for (slot, value) in self.slots.iter().zip(values) {
            slot.set(&mut run, *value);
        }
        run
    }

    fn known(&self, program: &Program, values: usize, globals: Vec<Vec<u64>>) -> KnownRun {
        let inputs = self.changed_run(self.corpus.get(values).map_or(&[], Vec::as_slice));
        KnownRun { prepared: Prepared::of(program, &inputs), inputs, globals }
    }
}

fn numbers_of(slots: &[Slot], values: &[u64]) -> BTreeSet<i128> {
    let numbers = slots.iter().zip(values).filter(|(slot, _)| !slot.scalar.boolean);
    numbers.map(|(slot, value)| slot.scalar.number(*value)).collect()
}
