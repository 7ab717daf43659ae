//! Runs that the interpreter executes by itself, with small inputs: a failing run is often found
//! long before the engine has all runs. A program that picks nothing has one run, and executing
//! that to its end decides it.
//!
//! Inputs are scripts: numbers, of which the last is repeated, or a text, which ends. Each script
//! gets few steps at first, and more steps if they were not enough. All is counted in steps, so
//! what is found does not depend on a clock.

use super::counterexample::MAX_STEPS;
use super::replay::{ReplayedRun, execute};
use crate::lang::interpreter::{
    Assignment, ConcreteRun, ConcreteStep, Configuration, Machine, Shape, Stop, open_locals,
};
use crate::lang::model::{
    EdgeId, ErrorKind, Initial, Operation, ProcedureId, Program, Scalar, VariableId,
};
use crate::util::order;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

/// Most steps of the one run of a program that picks nothing.
const MOST_ALONE: u64 = 2_000_000;
/// Most calls that are pending at once.
const MOST_CALLS: usize = 1_000_000;
/// Most cells of memory that are pending at once.
const MOST_CELLS: usize = 20_000_000;
/// Most steps with one script: at first, and in the end.
const FIRST_STEPS: u64 = 2_000;
const LAST_STEPS: u64 = 30_000;
/// Most steps of all scripts together.
const MOST_STEPS: u64 = 600_000;
/// Starts for which there are as many steps each.
const MOST_STARTS: usize = 8;
/// Steps of one slice.
const SLICE: u64 = 5_000;

/// A number of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Input {
    Number(i64),
    /// The least and the greatest number of the type.
    Least,
    Greatest,
}

impl Input {
    fn bits(self, scalar: Scalar) -> u64 {
        let greatest = if scalar.signed { scalar.mask() >> 1 } else { scalar.mask() };
        match self {
            Input::Number(number) => scalar.wrap(number.into()),
            Input::Greatest => greatest,
            Input::Least => !greatest & scalar.mask(),
        }
    }
}

/// What a run picks.
#[derive(Clone, Debug)]
enum Script {
    Numbers(Vec<Input>),
    /// Characters, and then the end of the input.
    Text(&'static [u8]),
}

const TEXTS: [&[u8]; 8] = [b"", b"\n", b" ", b"a", b"a b\n", b"0", b"12\n", b"-1 x"];

/// The scripts, small inputs first.
fn scripts() -> Vec<Script> {
    use Input::{Greatest, Least, Number};
    let mut scripts: Vec<Script> = TEXTS.into_iter().map(Script::Text).collect();
    let single = [0, 1, -1, 2, 3, 4, 5, 7, 8, 10, 16, 32, 100, 1000];
    scripts.extend(single.map(|number| Script::Numbers(vec![Number(number)])));
    // Pairs: the second number is repeated.
    let few = [0, 1, -1, 2, 3, 5, 10];
    for first in few {
        let others = few.into_iter().filter(|second| *second != first);
        scripts.extend(others.map(|second| Script::Numbers(vec![Number(first), Number(second)])));
    }
    let rising = |k: i64| Script::Numbers((0..k).map(Number).collect());
    scripts.extend([rising(4), rising(12)]);
    for first in [1, 2, 3, 4, 5] {
        scripts.push(Script::Numbers(vec![Number(first), Number(first), Number(0), Number(1)]));
        scripts.push(Script::Numbers(vec![Number(first), Number(1), Number(2), Number(3)]));
    }
    scripts.extend([Least, Greatest].map(|bound| Script::Numbers(vec![bound])));
    for bound in [Least, Greatest] {
        for number in [0, 1, -1] {
            scripts.push(Script::Numbers(vec![bound, Number(number)]));
            scripts.push(Script::Numbers(vec![Number(number), bound]));
        }
    }
    scripts
}

/// What is known of a program's only run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Only {
    /// The program picks something, so there may be several.
    Several,
    /// It was executed to its end, and no check fails.
    Ends,
    /// It fails at a check that counts, or its end is not known.
    Open,
}

/// What is to be executed.
#[derive(Clone, Debug)]
struct Waiting {
    script: Script,
    /// Where it starts, if several procedures may.
    start: Option<ProcedureId>,
    /// Most steps.
    most: u64,
}

/// Every script from each of these starts, small inputs first.
fn from_each(starts: &[Option<ProcedureId>]) -> VecDeque<Waiting> {
    let from_all = |script: Script| {
        let of = move |start: &Option<ProcedureId>| Waiting {
            script: script.clone(),
            start: *start,
            most: FIRST_STEPS,
        };
        starts.iter().map(of).collect::<Vec<_>>()
    };
    scripts().into_iter().flat_map(from_all).collect()
}

/// Which procedures start, where several may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Starts {
    /// The first, and the others once a run from it fails: what else can fail is of interest then.
    FirstFirst,
    /// All of them.
    All,
}

/// Executions in progress.
pub struct Execution {
    program: Rc<Program>,
    error_line: Option<u32>,
    shape: Arc<Shape>,
    open: Vec<bool>,
    waiting: VecDeque<Waiting>,
    /// Starts whose turn comes once a run fails.
    others: Vec<Option<ProcedureId>>,
    attempt: Option<Attempt>,
    used: u64,
    /// Most steps of all scripts together.
    most: u64,
    only: Only,
    found: Vec<ReplayedRun>,
}

/// How many values were picked.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Picked {
    inputs: usize,
    /// Truth values that stand alone: which way a run goes.
    truths: usize,
}

/// A run in progress.
struct Attempt {
    waiting: Waiting,
    picked: Picked,
    /// How many values were picked that variables start with.
    started: usize,
    /// Was there more than one way to go on?
    has_chosen: bool,
    /// Did it need more objects than the model has?
    is_cut: bool,
    at: Configuration,
    run: ConcreteRun,
    steps: u64,
    cells: usize,
}

/// How a run ended.
enum End {
    Failed,
    Over,
    TooLong,
    /// Nothing follows from it: an assumption does not hold.
    Blocked,
}

impl Execution {
    /// Prepares the executions. Only errors on this line count, if given.
    #[inline(never)]
    pub fn new(program: Rc<Program>, error_line: Option<u32>, starts: Starts) -> Execution {
        let mut all: Vec<Option<ProcedureId>> = program.starts.iter().copied().map(Some).collect();
        if all.is_empty() {
            all.push(None);
        }
        let now = if starts == Starts::All { all.len() } else { 1 };
        let others = all.split_off(now);
        Execution {
            shape: Arc::new(Shape::of(&program)),
            open: open_locals(&program),
            program,
            error_line,
            waiting: from_each(&all),
            others,
            attempt: None,
            used: 0,
            most: MOST_STEPS * now.min(MOST_STARTS) as u64,
            only: Only::Open,
            found: Vec::new(),
        }
    }

    /// Does some steps. Returns whether nothing is left to do.
    #[inline(never)]
    pub fn step(&mut self) -> bool {
        let Some(mut attempt) = self.attempt.take().or_else(|| self.begin()) else { return true };
        let program = Rc::clone(&self.program);
        let machine = Machine::with_shape(&program, Arc::clone(&self.shape));
        for _ in 0..SLICE {
            if let Some(end) = attempt.step(&machine, &self.open) {
                self.ended(attempt, &end);
                return self.waiting.is_empty()
                    && (self.others.is_empty() || self.found.is_empty());
            }
        }
        self.attempt = Some(attempt);
        false
    }

    /// The failing runs of different checks, those that overflow last. Each was replayed.
    pub fn found(&self) -> &[ReplayedRun] {
        &self.found
    }

    /// The program.
    pub fn program(&self) -> &Rc<Program> {
        &self.program
    }

    /// What is known of the program's only run. It is final once nothing is left to do.
    pub fn only(&self) -> Only {
        self.only
    }

    fn begin(&mut self) -> Option<Attempt> {
        if self.used >= self.most {
            self.waiting.clear();
        }
        if self.waiting.is_empty() && !self.found.is_empty() && !self.others.is_empty() {
            self.waiting = from_each(&self.others);
            self.most = self.used + MOST_STEPS * self.others.len().min(MOST_STARTS) as u64;
            self.others.clear();
        }
        let waiting = self.waiting.pop_front()?;
        let program = Rc::clone(&self.program);
        let machine = Machine::with_shape(&program, Arc::clone(&self.shape));
        let main = program.procedure(program.main_id());
        let globals: Vec<VariableId> = (program.globals())
            .filter(|id| program.variable(*id).initial == Initial::Any)
            .collect();
        let open = main.locals.iter().filter(|id| self.open[id.0 as usize]);
        let locals: Vec<VariableId> = main.parameters.iter().chain(open).copied().collect();
        let mut attempt = Attempt {
            picked: Picked::default(),
            started: 0,
            has_chosen: waiting.start.is_some(),
            is_cut: false,
            at: machine.initial(&Vec::new(), &Vec::new()),
            run: ConcreteRun::default(),
            steps: 0,
            cells: 0,
            waiting,
        };
        let initial_globals = attempt.starts(&program, &globals);
        let initial_locals = attempt.starts(&program, &locals);
        attempt.at = machine.initial(&initial_globals, &initial_locals);
        // A replay wants all of them.
        let own = program.globals().chain(main.parameters.iter().chain(&main.locals).copied());
        let (globals, locals) = own.partition(|id| program.variable(*id).owner.is_none());
        let whole = |ids: Vec<VariableId>| -> Assignment {
            ids.into_iter().map(|id| (id, machine.values(&attempt.at, id).to_vec())).collect()
        };
        (attempt.run.initial_globals, attempt.run.initial_locals) = (whole(globals), whole(locals));
        Some(attempt)
    }

    fn ended(&mut self, attempt: Attempt, end: &End) {
        self.used += attempt.steps;
        let is_only = attempt.is_only();
        if is_only {
            // Every script leads to this run.
            self.waiting.clear();
        }
        self.only = match end {
            _ if !is_only => Only::Several,
            End::Over if !attempt.is_cut => Only::Ends,
            _ => Only::Open,
        };
        match end {
            End::TooLong if !is_only && attempt.waiting.most < LAST_STEPS => {
                self.waiting.push_back(Waiting { most: LAST_STEPS, ..attempt.waiting });
            }
            End::Failed => {
                if let Ok(run) = execute(&self.program, attempt.run) {
                    self.note(run);
                }
            }
            _ => {}
        }
    }

    fn note(&mut self, run: ReplayedRun) {
        let key = |run: &ReplayedRun| -> (u32, ErrorKind, String) {
            (run.check.line, run.check.kind, run.check.message.clone())
        };
        let counts = self.error_line.is_none_or(|line| line == run.check.line);
        if !counts {
            return;
        }
        match self.found.iter_mut().find(|known| key(known) == key(&run)) {
            Some(known) if known.length(&self.program) > run.length(&self.program) => *known = run,
            Some(_) => {}
            None => self.found.push(run),
        }
        // What overflows by a number that nobody would try does not hide what else fails.
        order::sort_by_key(&mut self.found, |run| run.check.kind == ErrorKind::Overflow);
    }
}

impl Attempt {
    /// One edge; how the run has ended, if it has.
    fn step(&mut self, machine: &Machine<'_>, open: &[bool]) -> Option<End> {
        let program = machine.program();
        if machine.has_ended(&self.at) {
            return Some(End::Over);
        }
        let most = if self.is_only() { MOST_ALONE } else { self.waiting.most };
        if self.steps >= most || self.at.frames.len() > MOST_CALLS || self.cells > MOST_CELLS {
            return Some(End::TooLong);
        }
        self.steps += 1;
        let mut way: Option<(EdgeId, Vec<u64>, Picked)> = None;
        let out = machine.shape().out(self.at.location);
        for id in out {
            let edge = program.edge(*id);
            if self.is_other_start(machine, *id) {
                continue;
            }
            let (picked, choices) = self.choices(&edge.choices);
            match machine.stops(&self.at, *id, &choices) {
                Some(Stop::Blocked) => self.has_chosen |= !choices.is_empty(),
                Some(Stop::Error(_)) if way.is_none() => {
                    self.has_chosen |= out.len() > 1 || !choices.is_empty();
                    self.note(*id, choices, None);
                    return Some(End::Failed);
                }
                None if way.is_none() => way = Some((*id, choices, picked)),
                Some(Stop::Error(_)) | None => self.has_chosen = true,
            }
        }
        let Some((id, choices, picked)) = way else { return Some(End::Blocked) };
        // Other values may lead elsewhere, also where the edge is the only one: `b = * || *`.
        self.has_chosen |= !choices.is_empty();
        self.picked = picked;
        self.is_cut |= program.cut_offs.contains(&id);
        let arbitrary = match &program.edge(id).operation {
            Operation::Havoc(list) => self.values(program, list),
            Operation::Call { callee, .. } => {
                let procedure = program.procedure(*callee);
                let size = procedure.parameters.iter().chain(&procedure.locals);
                self.cells +=
                    size.map(|id| program.variable(*id).elements() as usize).sum::<usize>();
                let free: Vec<VariableId> =
                    procedure.locals.iter().copied().filter(|id| open[id.0 as usize]).collect();
                self.starts(program, &free)
            }
            _ => Vec::new(),
        };
        machine.pass_edge(&mut self.at, id, &choices, &arbitrary);
        while machine.is_to_return(&self.at) {
            let left = self
                .at
                .frames
                .last()
                .map_or(0, |frame| frame.values.iter().map(Vec::len).sum::<usize>());
            self.cells = self.cells.saturating_sub(left);
            machine.return_once(&mut self.at);
        }
        self.note(id, choices, Some(arbitrary).filter(|values| !values.is_empty()));
        None
    }

    /// Does the edge lead to a start of the program that is not this run's?
    fn is_other_start(&self, machine: &Machine<'_>, id: EdgeId) -> bool {
        let Some(start) = self.waiting.start.filter(|_| self.at.frames.len() == 1) else {
            return false;
        };
        let edge = machine.program().edge(id);
        match (&edge.operation, machine.shape().out(edge.to)) {
            (Operation::Call { callee, .. }, _) => *callee != start,
            (_, [only]) => self.is_other_start(machine, *only),
            _ => false,
        }
    }

    /// Was there no other way so far?
    fn is_only(&self) -> bool {
        self.picked == Picked::default() && self.started == 0 && !self.has_chosen
    }

    fn note(&mut self, edge: EdgeId, choices: Vec<u64>, locals: Option<Assignment>) {
        // A longer run is not shown.
        if self.run.steps.len() <= MAX_STEPS {
            self.run.steps.push(ConcreteStep { edge, choices, locals });
        }
    }

    /// Values for the choices of an edge, and how many inputs and truth values were picked with
    /// them. A truth value before a number says that the number is read, and one behind it that the
    /// input has ended; several of them say that all is read.
    fn choices(&self, scalars: &[Scalar]) -> (Picked, Vec<u64>) {
        let has_number = scalars.iter().any(|scalar| !scalar.boolean);
        let first = self.picked.inputs;
        let mut picked = self.picked;
        let pick = |scalar: &Scalar| {
            if !scalar.boolean {
                picked.inputs += 1;
                self.pick(picked.inputs - 1, *scalar)
            } else if has_number && picked.inputs > first {
                u64::from(self.is_over(picked.inputs - 1))
            } else if has_number || scalars.len() > 1 {
                u64::from(!self.is_over(picked.inputs))
            } else {
                picked.truths += 1;
                self.pick(picked.truths - 1, *scalar)
            }
        };
        let values = scalars.iter().map(pick).collect();
        (picked, values)
    }

    /// Has the input ended before this place?
    fn is_over(&self, place: usize) -> bool {
        matches!(&self.waiting.script, Script::Text(text) if place >= text.len())
    }

    /// Values that the run picks on its way.
    fn values(&mut self, program: &Program, variables: &[VariableId]) -> Assignment {
        let (picked, values) = self.assigned(program, variables, self.picked.inputs);
        self.picked.inputs = picked;
        values
    }

    /// Values that variables start with. They are a sequence of their own: what is read into a
    /// variable later does not depend on how many variables there are.
    fn starts(&mut self, program: &Program, variables: &[VariableId]) -> Assignment {
        let (started, values) = self.assigned(program, variables, self.started);
        self.started = started;
        values
    }

    fn assigned(
        &self,
        program: &Program,
        variables: &[VariableId],
        mut picked: usize,
    ) -> (usize, Assignment) {
        let of = |id: &VariableId| {
            let variable = program.variable(*id);
            let first = picked;
            picked += variable.elements() as usize;
            (*id, (first..picked).map(|place| self.pick(place, variable.scalar)).collect())
        };
        let values = variables.iter().map(of).collect();
        (picked, values)
    }

    /// The value at a place of the script.
    fn pick(&self, place: usize, scalar: Scalar) -> u64 {
        match &self.waiting.script {
            Script::Numbers(numbers) => {
                let number =
                    numbers.get(place).or(numbers.last()).map_or(0, |input| input.bits(scalar));
                number & scalar.mask()
            }
            Script::Text(text) if scalar.boolean => u64::from(place >= text.len()),
            Script::Text(text) => {
                text.get(place).map_or(0, |byte| u64::from(*byte)) & scalar.mask()
            }
        }
    }
}
