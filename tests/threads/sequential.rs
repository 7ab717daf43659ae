//! Threads under a bound as sequential programs: a third opinion. What is transformed is the
//! program's graph; what decides is post\* of a sequential program, which knows nothing of threads.
//!
//! * [`guess_and_check`]: with the schedule given, the globals at each switch are guessed
//!   beforehand and checked where the context ends; so threads can run one after the other, each
//!   with all its contexts (Lal and Reps, CAV 2008, with a schedule instead of rounds).
//! * [`kiss`]: up to two switches without guesses. Another thread runs on top of the first one's
//!   stack and leaves it by unwinding its own (Qadeer and Wu, PLDI 2004).
//!
//! For threads that run from the start. Deadlocks are not looked for: here, who waits just does not
//! go on.

use faultline::analysis::reach::Reach;
use faultline::bdd::KernelLimits;
use faultline::lang::concurrency::Concurrency;
use faultline::lang::model::{
    BinaryOperator, Edge, Expression, Initial, Location, LocationId, Operation, Place, Procedure,
    ProcedureId, Program, Scalar, ScopeId, Span, StatementKind, Variable, VariableId, VariableKind,
};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Who runs in each context; neighbours differ.
pub type Schedule = Vec<ProcedureId>;

const CONTEXT: Scalar = Scalar::int(3, false);
const NOWHERE: Span = Span { start: 0, end: 0, line: 1 };

/// All schedules with this many switches. Main is first, if there is one.
pub fn schedules(program: &Program, switches: u32) -> Vec<Schedule> {
    let mut threads = vec![program.main_id()];
    threads.extend(&program.concurrency.threads);
    let has_main = program.procedure(program.main_id()).name == "main";
    let mut all: Vec<Schedule> = threads
        .iter()
        .take(if has_main { 1 } else { threads.len() })
        .map(|first| vec![*first])
        .collect();
    for _ in 0..switches {
        let extended = |schedule: &Schedule| {
            let others = threads.iter().filter(|thread| Some(*thread) != schedule.last());
            others.map(|thread| [&schedule[..], &[*thread]].concat()).collect::<Vec<Schedule>>()
        };
        all = all.iter().flat_map(extended).collect();
    }
    all
}

/// Can a check fail? By post\* of the program, which has no threads. Only errors on `line` count,
/// if given.
pub fn fails(program: Program, line: Option<u32>) -> bool {
    assert!(!program.concurrency.has_threads());
    let mut reach = Reach::new(Rc::new(program), line, KernelLimits::NONE).expect("no limit");
    let mut seen = 0;
    while !reach.is_done() {
        reach.step().expect("no limit");
        if reach.saw_error(&mut seen) {
            return true;
        }
    }
    false
}

/// A program that fails iff the given one fails in the last context of the schedule.
///
/// The threads run in order of their numbers, the last context's one at the end. With `context` =
/// c, before each location where a switch can happen, a thread may end its context c if the globals
/// are the guessed ones of c + 1; it goes on with its next context and its guessed globals, or, if
/// c was its last one, calls the next thread, and that call never returns.
pub fn guess_and_check(program: &Program, schedule: &Schedule) -> Program {
    let mut made = Sequential::new(program);
    let last = schedule.len() - 1;
    let globals: Vec<VariableId> =
        program.globals().filter(|id| Some(*id) != program.concurrency.atomic).collect();
    // By context: the globals with which it begins. Those of the first one are the program's, kept
    // for when its thread's turn comes.
    let guesses: Vec<Vec<VariableId>> =
        (0..=last).map(|_| globals.iter().map(|id| made.copy_of(*id)).collect()).collect();
    let mut order: Vec<ProcedureId> =
        schedule.iter().copied().filter(|thread| *thread != schedule[last]).collect();
    order.sort_unstable();
    order.dedup();
    order.push(schedule[last]);
    let contexts = |thread: ProcedureId| (0..=last).filter(move |c| schedule[*c] == thread);
    let begins = |made: &Sequential, c: usize| {
        let mut writes = vec![made.set_context(c)];
        writes.extend(
            globals.iter().zip(&guesses[c]).flat_map(|(to, from)| made.copying(*to, *from)),
        );
        Operation::Assign(writes)
    };
    for hub in made.hubs() {
        for c in 0..last {
            let thread = schedule[c];
            let ended = made.location_like(hub.before);
            let equal = globals
                .iter()
                .zip(&guesses[c + 1])
                .flat_map(|(now, then)| made.equalities(*now, *then));
            let condition = equal.fold(made.free_and_in(c), and);
            made.add(hub.before, ended, Operation::Assume(condition));
            match contexts(thread).find(|next| *next > c) {
                Some(next) => made.add(ended, hub.location, begins(&made, next)),
                None => {
                    let place =
                        order.iter().position(|one| *one == thread).expect("it is in the schedule");
                    let (called, never) =
                        (made.location_like(hub.before), made.location_like(hub.before));
                    let next = order[place + 1];
                    let first = contexts(next).next().expect("it is in the schedule");
                    made.add(ended, called, begins(&made, first));
                    made.add(called, never, call(next));
                }
            }
        }
    }
    made.count_errors_of(last);
    let first = contexts(order[0]).next().expect("it is in the schedule");
    let mut keeps: Vec<(Place, Expression)> = Vec::new();
    for (now, then) in globals.iter().zip(&guesses[0]) {
        keeps.extend(made.copying(*then, *now));
    }
    let start = begins(&made, first);
    made.finish(vec![Operation::Assign(keeps), start, call(order[0])])
}

/// The same for schedules of up to three contexts, without guesses: the second thread is called
/// where the first one is switched away from. It calls the third, if that is another one, or
/// unwinds its stack wherever it is left, and the first one goes on.
pub fn kiss(program: &Program, schedule: &Schedule) -> Program {
    assert!(schedule.len() <= 3);
    let mut made = Sequential::new(program);
    let unwinding = made.variable("unwinding", Scalar::BOOL, Vec::new(), Initial::Exactly(vec![0]));
    let unwinds = Expression::Variable(unwinding, Scalar::BOOL);
    let set = |value: u64| (Place::Variable(unwinding), Expression::Constant(value, Scalar::BOOL));
    // Behind every call that the program itself has.
    for edge in 0..program.edges.len() {
        if let Operation::Call { .. } = made.program.edges[edge].operation {
            let (from, to) = (made.program.edges[edge].from, made.program.edges[edge].to);
            let exit = program.procedure(program.location(from).procedure).exit;
            let returned = made.location_like(to);
            made.program.edges[edge].to = returned;
            made.add(returned, to, Operation::Assume(unwinds.clone().negated()));
            made.add(returned, exit, Operation::Assume(unwinds.clone()));
        }
    }
    for hub in made.hubs() {
        for c in 0..schedule.len() - 1 {
            let ended = made.location_like(hub.before);
            made.add(hub.before, ended, Operation::Assume(made.free_and_in(c)));
            if c == 1 && schedule[2] == schedule[0] {
                let procedure = program.location(hub.location).procedure;
                made.add(
                    ended,
                    program.procedure(procedure).exit,
                    Operation::Assign(vec![made.set_context(2), set(1)]),
                );
                continue;
            }
            let (called, returned, back) = (
                made.location_like(hub.before),
                made.location_like(hub.before),
                made.location_like(hub.before),
            );
            made.add(ended, called, Operation::Assign(vec![made.set_context(c + 1)]));
            made.add(called, returned, call(schedule[c + 1]));
            made.add(returned, back, Operation::Assume(unwinds.clone()));
            made.add(back, hub.location, Operation::Assign(vec![set(0)]));
        }
    }
    made.count_errors_of(schedule.len() - 1);
    let start = Operation::Assign(vec![made.set_context(0)]);
    made.finish(vec![start, call(schedule[0])])
}

fn call(callee: ProcedureId) -> Operation {
    Operation::Call { callee, arguments: Vec::new(), result: None }
}

/// What comes before a location where a context switch can happen.
struct Hub {
    before: LocationId,
    location: LocationId,
}

struct Sequential {
    program: Program,
    /// How many locations and edges the given program has.
    own: (usize, usize),
    context: VariableId,
    atomic: Option<VariableId>,
    uninterruptible: BTreeSet<LocationId>,
}

impl Sequential {
    fn new(program: &Program) -> Sequential {
        let Concurrency { starts, atomic, uninterruptible, .. } = &program.concurrency;
        assert!(starts.is_empty(), "threads that are started are left out");
        let mut made = Sequential {
            program: program.clone(),
            own: (program.locations.len(), program.edges.len()),
            context: VariableId(0),
            atomic: *atomic,
            uninterruptible: uninterruptible.clone(),
        };
        made.program.concurrency = Concurrency::default();
        made.context = made.variable("context", CONTEXT, Vec::new(), Initial::Exactly(vec![0]));
        made
    }

    fn variable(
        &mut self,
        name: &str,
        scalar: Scalar,
        dimensions: Vec<u32>,
        initial: Initial,
    ) -> VariableId {
        let (name, kind) = (name.to_string(), VariableKind::Global);
        self.program.variables.push(Variable {
            name,
            scalar,
            dimensions,
            kind,
            owner: None,
            span: NOWHERE,
            initial,
            origin: faultline::lang::model::Origin::Written,
        });
        VariableId(self.program.variables.len() as u32 - 1)
    }

    /// A global of the same type, with any value.
    fn copy_of(&mut self, id: VariableId) -> VariableId {
        let Variable { scalar, dimensions, .. } = self.program.variable(id).clone();
        self.variable("guess", scalar, dimensions, Initial::Any)
    }

    fn location_like(&mut self, like: LocationId) -> LocationId {
        let Location { procedure, line } = *self.program.location(like);
        self.program.locations.push(Location { procedure, line });
        LocationId(self.program.locations.len() as u32 - 1)
    }

    fn add(&mut self, from: LocationId, to: LocationId, operation: Operation) {
        self.program.edges.push(Edge {
            from,
            to,
            checks: Vec::new(),
            operation,
            choices: Vec::new(),
            kind: StatementKind::Hidden,
            outcome: String::new(),
            span: NOWHERE,
            text: String::new(),
            scope: ScopeId(0),
        });
    }

    /// Puts a location before each of the program's own at which a switch can happen.
    fn hubs(&mut self) -> Vec<Hub> {
        let mut hubs = Vec::new();
        for k in 0..self.own.0 as u32 {
            let location = LocationId(k);
            if self.uninterruptible.contains(&location) {
                continue;
            }
            let before = self.location_like(location);
            for edge in &mut self.program.edges {
                if edge.to == location {
                    edge.to = before;
                }
            }
            for procedure in &mut self.program.procedures {
                if procedure.entry == location {
                    procedure.entry = before;
                }
            }
            hubs.push(Hub { before, location });
        }
        for Hub { before, location } in &hubs {
            self.add(*before, *location, Operation::Skip);
        }
        hubs
    }

    /// Nothing atomic is under way, and this is the context.
    fn free_and_in(&self, context: usize) -> Expression {
        let here = self.is_in(context);
        self.atomic.map_or(here.clone(), |flag| {
            and(here, Expression::Variable(flag, Scalar::BOOL).negated())
        })
    }

    fn is_in(&self, context: usize) -> Expression {
        equal(
            Expression::Variable(self.context, CONTEXT),
            Expression::Constant(context as u64, CONTEXT),
        )
    }

    fn set_context(&self, context: usize) -> (Place, Expression) {
        (Place::Variable(self.context), Expression::Constant(context as u64, CONTEXT))
    }

    fn elements(&self, id: VariableId) -> Vec<(Place, Expression)> {
        let variable = self.program.variable(id);
        if !variable.is_array() {
            return vec![(Place::Variable(id), Expression::Variable(id, variable.scalar))];
        }
        let index = |element: u32| Expression::Constant(u64::from(element), Scalar::int(32, false));
        let element = |k: u32| {
            (
                Place::Element(id, index(k)),
                Expression::Element(id, Box::new(index(k)), variable.scalar),
            )
        };
        (0..variable.elements()).map(element).collect()
    }

    fn copying(&self, to: VariableId, from: VariableId) -> Vec<(Place, Expression)> {
        self.elements(to)
            .into_iter()
            .zip(self.elements(from))
            .map(|((place, _), (_, value))| (place, value))
            .collect()
    }

    fn equalities(&self, left: VariableId, right: VariableId) -> Vec<Expression> {
        self.elements(left)
            .into_iter()
            .zip(self.elements(right))
            .map(|((_, left), (_, right))| equal(left, right))
            .collect()
    }

    /// Checks count in this context; one that fails earlier was found with fewer switches.
    fn count_errors_of(&mut self, context: usize) {
        let elsewhere = self.is_in(context).negated();
        for edge in &mut self.program.edges[..self.own.1] {
            for check in &mut edge.checks {
                check.condition = Expression::Binary(
                    BinaryOperator::Or,
                    Box::new(elsewhere.clone()),
                    Box::new(check.condition.clone()),
                );
            }
        }
    }

    /// The program starts with these steps.
    fn finish(mut self, steps: Vec<Operation>) -> Program {
        let procedure = ProcedureId(self.program.procedures.len() as u32);
        let first = LocationId(self.program.locations.len() as u32);
        let exit = LocationId(first.0 + steps.len() as u32);
        self.program.locations.extend((first.0..=exit.0).map(|_| Location { procedure, line: 1 }));
        let (name, result, span) = ("sequential".to_string(), None, NOWHERE);
        self.program.procedures.push(Procedure {
            name,
            parameters: Vec::new(),
            locals: Vec::new(),
            result,
            entry: first,
            exit,
            span,
        });
        self.program.main = procedure.0 as usize;
        for (k, operation) in steps.into_iter().enumerate() {
            self.add(LocationId(first.0 + k as u32), LocationId(first.0 + k as u32 + 1), operation);
        }
        self.program
    }
}

fn equal(left: Expression, right: Expression) -> Expression {
    Expression::Binary(BinaryOperator::Equal, Box::new(left), Box::new(right))
}

fn and(left: Expression, right: Expression) -> Expression {
    Expression::Binary(BinaryOperator::And, Box::new(left), Box::new(right))
}
