//! Which statement would have to be another one? Statements by what their best mutant does on runs that are known.
//!
//! Mutation-based localization (Moon, Kim, Kim, Yoo 2014, MUSE; Papadakis, Le Traon 2015, Metallaxis): a mutant of the faulty statement mends failing runs and
//! keeps passing ones more often than a mutant of any other. Mutants are made in the lowered program, so none is read or checked: the interpreter alone
//! executes them. The known runs are random changes of the inputs of one failing run, kept where they execute other statements or with other truth values.

use faultline::analysis::repair::trials::{Bench, End, Trial};
use faultline::lang::interpreter::ConcreteRun;
use faultline::lang::model::BinaryOperator::{self, Add, And, Equal, Less, LessEqual, NotEqual, Or, Subtract};
use faultline::lang::model::{
    EdgeId, ErrorKind, Expression, Operation, ProcedureId, Program, StatementKind, UnaryOperator, VariableId, VariableKind,
};
use std::collections::{BTreeMap, BTreeSet};

/// Random changes that are executed.
const CHANGES: usize = 3_000;
/// Runs of one kind that are kept.
const ALIKE: usize = 4;
/// Calls inside one another: a mutant that goes deeper recurses without end.
const DEPTH: usize = 20;
/// Known runs at most, those for a first look at a mutant, and mutants of a statement that are looked at twice.
const FAILING: usize = 48;
const PASSING: usize = 160;
const FIRST: usize = 12;
const TWICE: usize = 8;

/// What the best mutant of a statement does.
#[derive(Clone, Debug)]
pub(crate) struct Best {
    /// The statement.
    pub(crate) edge: EdgeId,
    /// Failing runs that pass with it.
    pub(crate) mends: usize,
    /// Passing runs that still pass.
    pub(crate) keeps: usize,
    /// How much it changes: 1 an operator or number, 2 a variable, 3 a part negated or left out, 4 a part added.
    pub(crate) change: u32,
    /// The share of failing runs that it mends and of passing runs that it keeps, in thousandths, together.
    pub(crate) score: u32,
}

/// Runs of the program beside a failing one.
pub(crate) struct Known {
    /// Those that fail at the same check.
    pub(crate) failing: Vec<Trial>,
    /// Those that do not.
    pub(crate) passing: Vec<Trial>,
    /// Values that the failing runs pick.
    pub(crate) values: Vec<i128>,
}

/// Runs of one kind: do they fail, the outermost frame's values (up to 3), and which statements are executed with which locals not zero?
type Kind = (bool, Vec<u64>, BTreeSet<(EdgeId, Vec<bool>)>);

fn spread<T: Clone>(all: &[T], most: usize) -> Vec<T> {
    all.iter().step_by(all.len().div_ceil(most).max(1)).cloned().collect()
}

/// Changes the picks of `run` at random (the seed is fixed), with numbers of the program and those beside them.
pub(crate) fn known(program: &Program, run: &ConcreteRun, error: (u32, ErrorKind), trusted: &[ProcedureId], numbers: &[i128]) -> Known {
    let bench = Bench::new(program);
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    let mut random = move |most: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % most.max(1) as u64) as usize
    };
    let slots: Vec<(usize, usize)> =
        run.steps.iter().enumerate().flat_map(|(k, step)| (0..step.choices.len()).map(move |choice| (k, choice))).collect();
    let first: Vec<u64> = slots.iter().map(|(k, choice)| run.steps[*k].choices[*choice]).collect();
    let mut found = Known { failing: vec![Trial::of(program, run)], passing: Vec::new(), values: Vec::new() };
    let mut values: BTreeSet<u64> = first.iter().copied().collect();
    let mut corpus = vec![first];
    let mut kinds: BTreeMap<Kind, usize> = BTreeMap::new();
    for _ in 0..CHANGES * usize::from(!slots.is_empty()) {
        let mut picks = corpus[random(corpus.len())].clone();
        for _ in 0..1 + random(3) {
            let at = random(picks.len());
            let value = if random(3) == 0 { picks[random(picks.len())] } else { numbers[random(numbers.len())] as u64 };
            picks[at] = [value, value, value.wrapping_add(1), value.wrapping_sub(1)][random(4)];
        }
        let mut changed = run.clone();
        for ((k, choice), value) in slots.iter().zip(&picks) {
            changed.steps[*k].choices[*choice] = *value;
        }
        let trial = Trial::of(program, &changed);
        let (mut executed, mut outer) = (BTreeSet::new(), Vec::new());
        let end = bench.run_observed(&trial, |configuration, edge| {
            let frame = &configuration.frames[configuration.frames.len() - 1];
            if !trusted.contains(&program.owner(edge)) {
                executed.insert((edge, frame.values.iter().flatten().map(|value| *value != 0).collect()));
            } else if configuration.frames.len() == 1 {
                outer = frame.values.iter().flatten().map(|value| (*value).min(3)).collect();
            }
        });
        let fails = match end {
            End::Passes => false,
            End::Fails(line, kind) if (line, kind) == error => true,
            End::Fails(..) => continue,
        };
        let alike = kinds.entry((fails, outer, executed)).or_default();
        if *alike < ALIKE {
            *alike += 1;
            if fails {
                values.extend(&picks);
            }
            corpus.push(picks);
            if fails { &mut found.failing } else { &mut found.passing }.push(trial);
        }
    }
    found.failing = spread(&found.failing, FAILING);
    found.passing = spread(&found.passing, PASSING);
    found.values = values.into_iter().filter(|value| *value < 1 << 20).map(i128::from).collect();
    found
}

/// What mutants are made of.
struct Pool {
    numbers: Vec<i128>,
    variables: Vec<VariableId>,
    comparisons: Vec<Expression>,
}

fn is_comparison(operator: BinaryOperator) -> bool {
    matches!(operator, Equal | NotEqual | Less | LessEqual)
}

fn binary(operator: BinaryOperator, a: &Expression, b: &Expression) -> Expression {
    Expression::Binary(operator, Box::new(a.clone()), Box::new(b.clone()))
}

/// Comparisons of globals and numbers in an expression.
fn comparisons(program: &Program, e: &Expression, found: &mut Vec<Expression>) {
    fn is_global(program: &Program, e: &Expression) -> bool {
        match e {
            Expression::Constant(..) => true,
            Expression::Variable(id, _) => program.variable(*id).owner.is_none(),
            _ => false,
        }
    }
    match e {
        Expression::Binary(operator, a, b) => {
            if is_comparison(*operator) && is_global(program, a) && is_global(program, b) && !found.contains(e) {
                found.push(e.clone());
            }
            comparisons(program, a, found);
            comparisons(program, b, found);
        }
        Expression::Unary(_, a) | Expression::Cast(_, a) => comparisons(program, a, found),
        Expression::Conditional(a, b, c) => [a, b, c].into_iter().for_each(|e| comparisons(program, e, found)),
        _ => {}
    }
}

/// All expressions with one change, and how much it changes.
fn mutants(program: &Program, pool: &Pool, e: &Expression) -> Vec<(u32, Expression)> {
    let mut found = Vec::new();
    let scalar = e.scalar();
    match e {
        Expression::Constant(bits, scalar) if !scalar.boolean => {
            let own = scalar.number(*bits);
            let other = pool.numbers.iter().copied().chain([own + 1, own - 1]).filter(|n| *n != own && scalar.holds(*n));
            found.extend(other.collect::<BTreeSet<_>>().into_iter().map(|n| (1, Expression::Constant(scalar.wrap(n), *scalar))));
        }
        Expression::Variable(id, scalar) => {
            let alike = pool.variables.iter().filter(|other| *other != id && program.variable(**other).scalar == *scalar);
            found.extend(alike.map(|other| (2, Expression::Variable(*other, *scalar))));
        }
        Expression::Element(id, index, scalar) => {
            found.extend(mutants(program, pool, index).into_iter().map(|(n, i)| (n, Expression::Element(*id, Box::new(i), *scalar))));
        }
        Expression::Unary(operator, a) => {
            found.extend(mutants(program, pool, a).into_iter().map(|(n, a)| (n, Expression::Unary(*operator, Box::new(a)))));
        }
        Expression::Cast(scalar, a) => {
            found.extend(mutants(program, pool, a).into_iter().map(|(n, a)| (n, Expression::Cast(*scalar, Box::new(a)))));
        }
        Expression::Binary(operator, a, b) => {
            if is_comparison(*operator) {
                let all = [Equal, NotEqual, Less, LessEqual].into_iter().map(|other| binary(other, a, b));
                found.extend(all.chain([binary(Less, b, a), binary(LessEqual, b, a)]).filter(|other| other != e).map(|other| (1, other)));
            }
            let other = match operator {
                And => Some(Or),
                Or => Some(And),
                Add => Some(Subtract),
                Subtract => Some(Add),
                _ => None,
            };
            if let Some(other) = other {
                found.extend([(1, binary(other, a, b)), (3, (**a).clone()), (3, (**b).clone())]);
            }
            found.extend(mutants(program, pool, a).into_iter().map(|(n, a)| (n, binary(*operator, &a, b))));
            found.extend(mutants(program, pool, b).into_iter().map(|(n, b)| (n, binary(*operator, a, &b))));
        }
        Expression::Conditional(a, b, c) => {
            let made = |a: &Expression, b: &Expression, c: &Expression| {
                Expression::Conditional(Box::new(a.clone()), Box::new(b.clone()), Box::new(c.clone()))
            };
            found.extend([(3, made(a, c, b)), (3, (**b).clone()), (3, (**c).clone())]);
            found.extend(mutants(program, pool, a).into_iter().map(|(n, a)| (n, made(&a, b, c))));
            found.extend(mutants(program, pool, b).into_iter().map(|(n, b)| (n, made(a, &b, c))));
            found.extend(mutants(program, pool, c).into_iter().map(|(n, c)| (n, made(a, b, &c))));
        }
        Expression::Constant(..) | Expression::Choice(..) => {}
    }
    if scalar.boolean && !matches!(e, Expression::Constant(..)) {
        found.push((3, Expression::Unary(UnaryOperator::Not, Box::new(e.clone()))));
        for other in pool.comparisons.iter().filter(|other| *other != e) {
            found.extend([(4, binary(And, e, other)), (4, binary(Or, e, other))]);
        }
    }
    found
}

/// What a statement assigns or decides, part by part: those that the front end made of it lie inside of it. Each with its edges (the second one of a decision is
/// its negation).
fn parts(program: &Program, edge: EdgeId) -> Vec<(Expression, Vec<EdgeId>)> {
    let own = program.edge(edge);
    let is_part = |id: &EdgeId| {
        let other = program.edge(*id);
        let inside = own.span.start <= other.span.start && other.span.end <= own.span.end && program.owner(*id) == program.owner(edge);
        inside && (other.kind == StatementKind::Hidden || other.kind == own.kind && other.span == own.span)
    };
    let edges: Vec<EdgeId> = program.edge_ids().filter(is_part).collect();
    let mut found = Vec::new();
    for id in &edges {
        match &program.edge(*id).operation {
            Operation::Assign(pairs) if pairs.len() == 1 => found.push((pairs[0].1.clone(), vec![*id])),
            Operation::Assume(condition) => {
                let negated = condition.clone().negated();
                let is_other = |other: &&EdgeId| {
                    let matches = matches!(&program.edge(**other).operation, Operation::Assume(e) if *e == negated);
                    matches && program.edge(**other).from == program.edge(*id).from
                };
                if let Some(other) = edges.iter().find(is_other).filter(|_| !matches!(condition, Expression::Unary(UnaryOperator::Not, _)))
                {
                    found.push((condition.clone(), vec![*id, *other]));
                }
            }
            _ => {}
        }
    }
    found
}

/// For each global the comparison with a number that tells failing from passing runs best, and its negation.
fn separating(program: &Program, known: &Known, numbers: &BTreeSet<i128>) -> Vec<Expression> {
    let bench = Bench::new(program);
    let ends = |trials: &[Trial]| -> Vec<Vec<Vec<u64>>> {
        let end = |trial: &Trial| {
            let mut globals = Vec::new();
            bench.run_observed(trial, |configuration, _| globals.clone_from(&configuration.globals));
            globals
        };
        trials.iter().map(end).collect()
    };
    let (failing, passing) = (ends(&known.failing), ends(&known.passing));
    let mut found = Vec::new();
    for (k, id) in program.globals().enumerate() {
        let variable = program.variable(id);
        if variable.is_array() || variable.scalar.boolean {
            continue;
        }
        let share = |runs: &[Vec<Vec<u64>>], number: i128| {
            let below = |globals: &&Vec<Vec<u64>>| globals.get(k).is_some_and(|values| variable.scalar.number(values[0]) < number);
            1_000 * runs.iter().filter(below).count() as i64 / runs.len().max(1) as i64
        };
        let thresholds = numbers.iter().flat_map(|number| [*number, number + 1]).filter(|number| variable.scalar.holds(*number));
        let Some(best) = thresholds.max_by_key(|number| (share(&failing, *number) - share(&passing, *number)).abs()) else { continue };
        let number = Expression::Constant(variable.scalar.wrap(best), variable.scalar);
        let own = Expression::Variable(id, variable.scalar);
        found.extend([binary(Less, &own, &number), binary(LessEqual, &number, &own)]);
    }
    found
}

fn write(program: &mut Program, edges: &[EdgeId], e: &Expression) {
    for (k, id) in edges.iter().enumerate() {
        match &mut program.edges[id.0 as usize].operation {
            Operation::Assign(pairs) => pairs[0].1 = e.clone(),
            Operation::Assume(condition) if k == 0 => *condition = e.clone(),
            Operation::Assume(condition) => *condition = e.clone().negated(),
            _ => {}
        }
    }
}

fn passes(bench: &Bench<'_>, trial: &Trial) -> bool {
    let mut is_deep = false;
    let end = bench.run_observed(trial, |configuration, _| is_deep |= configuration.frames.len() > DEPTH);
    end == End::Passes && !is_deep
}

fn count(bench: &Bench<'_>, trials: &[Trial]) -> usize {
    trials.iter().filter(|trial| passes(bench, trial)).count()
}

/// The best mutant of each of the statements (in this order); statements of which no mutant mends a known run are left out.
pub(crate) fn best(program: &Program, known: &Known, suspects: &[EdgeId], trusted: &[ProcedureId], numbers: &[i128]) -> Vec<Best> {
    let (first_failing, first_passing) = (spread(&known.failing, FIRST), spread(&known.passing, FIRST));
    let mut shared: Vec<Expression> = Vec::new();
    for edge in program.edge_ids().filter(|id| !trusted.contains(&program.owner(*id))) {
        match &program.edge(edge).operation {
            Operation::Assume(e) => comparisons(program, e, &mut shared),
            Operation::Assign(pairs) => pairs.iter().for_each(|(_, e)| comparisons(program, e, &mut shared)),
            _ => {}
        }
    }
    let numbers: BTreeSet<i128> = numbers.iter().chain(&known.values).copied().collect();
    let shared = [spread(&shared, 10), separating(program, known, &numbers)].concat();
    let mut found = Vec::new();
    let mut changed = program.clone();
    for edge in suspects {
        let parts = parts(program, *edge);
        let owner = program.owner(*edge);
        let is_visible = |id: &VariableId| {
            let variable = program.variable(*id);
            !variable.is_array() && variable.kind != VariableKind::Temporary && variable.owner.is_none_or(|of| of == owner)
        };
        let variables = (0..program.variables.len() as u32).map(VariableId).filter(is_visible).collect();
        let pool = Pool { numbers: spread(&numbers.iter().copied().collect::<Vec<_>>(), 60), variables, comparisons: shared.clone() };
        let score = |mends: usize, keeps: usize, failing: &[Trial], passing: &[Trial]| {
            (1_000 * mends / failing.len().max(1) + 1_000 * keeps / passing.len().max(1)) as u32
        };
        let mut looked_at: Vec<(u32, u32, usize, Expression)> = Vec::new();
        for (k, (own, edges)) in parts.iter().enumerate() {
            for (change, e) in mutants(program, &pool, own) {
                write(&mut changed, edges, &e);
                let bench = Bench::new(&changed);
                if first_failing.iter().take(4).any(|trial| passes(&bench, trial)) {
                    let (mends, keeps) = (count(&bench, &first_failing), count(&bench, &first_passing));
                    looked_at.push((score(mends, keeps, &first_failing, &first_passing), change, k, e));
                }
            }
            write(&mut changed, edges, own);
        }
        looked_at.sort_by_key(|(score, change, ..)| (std::cmp::Reverse(*score), *change));
        looked_at.truncate(TWICE);
        let mut judged: Vec<Best> = Vec::new();
        for (_, change, k, e) in looked_at {
            write(&mut changed, &parts[k].1, &e);
            let bench = Bench::new(&changed);
            let (mends, keeps) = (count(&bench, &known.failing), count(&bench, &known.passing));
            judged.push(Best { edge: *edge, mends, keeps, change, score: score(mends, keeps, &known.failing, &known.passing) });
            write(&mut changed, &parts[k].1, &parts[k].0);
        }
        found.extend(judged.into_iter().min_by_key(|best| (std::cmp::Reverse(best.score), best.change)));
    }
    found
}
