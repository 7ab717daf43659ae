//! Which statement is to blame? Statements are ranked by the effect of their best mutant on known
//! runs.
//!
//! Mutation-based fault localization (Moon, Kim, Kim, Yoo 2014, *Ask the Mutants*, MUSE; Papadakis,
//! Le Traon 2015, *Metallaxis-FL*): a mutant of the faulty statement mends failing runs and keeps
//! passing ones more often than a mutant of any other. Mutants are made in the lowered program, so
//! they need no parser. The interpreter alone executes them; nothing is proved.
//!
//! | what | where |
//! | --- | --- |
//! | the inputs of a run, whose values can be changed | `slots` |
//! | more failing and passing runs (random, with a fixed seed) | [`known`] |
//! | numbers, variables and comparisons from which mutants are made | `pool` |
//! | expressions with one small change | [`mutants`] |
//! | where in a statement they go, and the checks that change with them | [`sites`] |
//! | what mutants share with the program itself, executed once | `original` |
//! | the best mutant of a statement | `best` |
//!
//! The order of statements: first by the share of known failing runs that the best mutant mends
//! plus the share of known passing runs that it keeps; then the smaller change; then from the run's
//! end. Each mutant is first tried on a few known failing runs. If no mutant of a statement mends
//! one of these, the statement comes after the others if it is a focus statement of the failing run
//! (*Error Explanation by Focus-Statement Sequences*, Def. 1), and is not listed otherwise.
//! Assertions and assumptions are the specification: they are never suspected.
//!
//! Differs from MUSE: MUSE averages over all mutants of a statement, and weighs mended against
//! broken tests by how many of each there are. Here only the best mutant counts, because a failing
//! run is given and not a test suite.

mod best;
pub mod known;
pub mod mutants;
mod original;
mod pool;
pub mod sites;
mod slots;

use self::best::Judging;
use self::known::{Known, KnownRun, Search};
use self::pool::Pool;
use self::sites::Mutant;
use crate::analysis::focus::focus_of_run;
use crate::analysis::repair::mutations::may_be_edited;
use crate::analysis::repair::property::Property;
use crate::lang::interpreter::{ConcreteRun, Machine, Shape, replay};
use crate::lang::model::{EdgeId, ErrorKind, ProcedureId, Program, Span, StatementKind};
use crate::util::order::sort_by_key;
use crate::util::{Alarm, Bounded, Limit};
pub use pool::numbers;
use std::cmp::Reverse;
use std::rc::Rc;
use std::sync::Arc;

/// The most statements of the failing run that are looked at, counted from its end.
const MOST_STATEMENTS: usize = 400;
/// The search for known runs may take one part in so many of the interpreter's steps.
const SHARE_OF_KNOWN: u64 = 4;

/// At most so many of the items, evenly spread.
pub(crate) fn spread<T: Clone>(all: &[T], most: usize) -> Vec<T> {
    all.iter().step_by(all.len().div_ceil(most.max(1)).max(1)).cloned().collect()
}

/// The request.
#[derive(Clone, Debug)]
pub struct Question {
    /// A failing run.
    pub run: ConcreteRun,
    /// The error: line and kind.
    pub error: (u32, ErrorKind),
    /// Procedures that are never blamed.
    pub trusted: Vec<ProcedureId>,
    /// The numbers of the program, from which changes are made.
    pub numbers: Vec<i128>,
    /// The most interpreter steps of all runs together.
    pub most_steps: u64,
}

/// The best mutant of a statement and its effect.
#[derive(Clone, Debug)]
pub struct Best {
    /// The mutant.
    pub mutant: Mutant,
    /// How many known failing runs come to an end with it and do not fail.
    pub mended: usize,
    /// How many known passing runs still pass.
    pub kept: usize,
    /// The sum of both shares, in thousandths.
    pub score: u32,
}

/// A suspected statement.
#[derive(Clone, Debug)]
pub struct Suspect {
    /// The statement, by the last of its edges that the failing run executes.
    pub edge: EdgeId,
    /// Its best mutant. `None` if no mutant mends one of the known failing runs on which it was
    /// tried; then the statement is a focus statement of the failing run.
    pub best: Option<Best>,
}

/// The work so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Mutants that were executed.
    pub mutants: u64,
    /// Runs that were executed.
    pub executions: u64,
    /// Interpreter steps of these.
    pub steps: u64,
}

enum Stage {
    Known(Box<Search>),
    /// The next statement, and the trials of its mutants.
    Statement(Option<Box<Judging>>),
    Done,
}

/// The search, in small steps.
pub struct Suspects {
    program: Rc<Program>,
    /// The program with a mutant.
    changed: Program,
    shape: Arc<Shape>,
    question: Question,
    stage: Stage,
    known: Option<Known>,
    pool: Option<Pool>,
    /// The statements, from the run's end.
    statements: Vec<EdgeId>,
    /// How many statements are left out because they are too far from the run's end.
    left_out: usize,
    /// How many of them were looked at.
    looked_at: usize,
    found: Vec<Suspect>,
    effort: Effort,
    alarm: Option<Alarm>,
}

/// Statements of the failing run, from its end, each once.
fn from_the_end(program: &Program, run: &ConcreteRun, trusted: &[ProcedureId]) -> Vec<EdgeId> {
    let mut found: Vec<EdgeId> = Vec::new();
    let mut seen: rustc_hash::FxHashSet<Span> = rustc_hash::FxHashSet::default();
    for edge in run.steps.iter().rev().map(|step| step.edge) {
        let own = program.edge(edge);
        if own.is_statement()
            && !program.is_shared(edge)
            && !trusted.contains(&program.owner(edge))
            && seen.insert(own.span)
        {
            found.push(edge);
        }
    }
    found
}

impl Suspects {
    /// Prepares the analysis of a program without threads.
    pub fn new(program: Rc<Program>, question: Question) -> Suspects {
        let mut statements = from_the_end(&program, &question.run, &question.trusted);
        let property = Property::of(&program);
        statements.retain(|edge| may_be_edited(&program, &property, *edge));
        let left_out = statements.len().saturating_sub(MOST_STATEMENTS);
        statements.truncate(MOST_STATEMENTS);
        let Question { run, error, trusted, numbers, .. } = &question;
        Suspects {
            changed: (*program).clone(),
            shape: Arc::new(Shape::of(&program)),
            stage: Stage::Known(Box::new(Search::new(&program, run, *error, trusted, numbers))),
            program,
            question,
            known: None,
            pool: None,
            statements,
            left_out,
            looked_at: 0,
            found: Vec::new(),
            effort: Effort::default(),
            alarm: None,
        }
    }

    /// A flag that ends long operations inside one step with [`Limit::Time`].
    pub fn set_alarm(&mut self, alarm: Alarm) {
        self.alarm = Some(alarm);
    }

    /// Does one bounded piece of work, some changed runs or a mutant, and returns whether the
    /// analysis is over. A limit keeps what was found; call [`Self::finish`] then, which puts it in
    /// order.
    pub fn step(&mut self) -> Bounded<bool> {
        let rung = || self.alarm.as_ref().and_then(|alarm| alarm.look(0));
        if let Some(limit) = rung() {
            return Err(limit);
        }
        if self.effort.steps > self.question.most_steps {
            return Err(Limit::Steps);
        }
        match std::mem::replace(&mut self.stage, Stage::Done) {
            Stage::Known(mut search) => {
                let machine = Machine::with_shape(&self.program, Arc::clone(&self.shape));
                let mut is_over = search.step(&machine);
                (self.effort.executions, self.effort.steps) = search.effort();
                if self.effort.steps > self.question.most_steps / SHARE_OF_KNOWN {
                    search.cut();
                    is_over = true;
                }
                if search.is_lost() {
                    return Err(Limit::Steps);
                }
                self.stage = if is_over { self.begin(*search) } else { Stage::Known(search) };
            }
            Stage::Statement(judging) => {
                let (Some(edge), Some(known), Some(pool)) =
                    (self.statements.get(self.looked_at).copied(), &self.known, &self.pool)
                else {
                    self.finish();
                    return Ok(true);
                };
                let mut judging =
                    judging.unwrap_or_else(|| Box::new(Judging::of(&self.program, pool, edge)));
                let is_over = judging.step(
                    &self.program,
                    &mut self.changed,
                    &self.shape,
                    known,
                    &mut self.effort,
                    rung,
                );
                self.stage = if is_over? {
                    self.found
                        .extend(judging.best().map(|best| Suspect { edge, best: Some(best) }));
                    self.looked_at += 1;
                    Stage::Statement(None)
                } else {
                    Stage::Statement(Some(judging))
                };
            }
            Stage::Done => return Ok(true),
        }
        Ok(false)
    }

    fn begin(&mut self, search: Search) -> Stage {
        let known = search.finish(&self.program);
        self.pool =
            Some(Pool::of(&self.program, &known, &self.question.trusted, &self.question.numbers));
        self.known = Some(known);
        Stage::Statement(None)
    }

    /// Puts what was found in order and adds the focus statements of the failing run.
    pub fn finish(&mut self) {
        self.stage = Stage::Done;
        let key = |suspect: &Suspect| {
            suspect.best.as_ref().map(|best| (Reverse(best.score), best.mutant.oddness()))
        };
        self.found.retain(|suspect| suspect.best.is_some());
        sort_by_key(&mut self.found, key);
        let Ok(replayed) = replay(&self.program, &self.question.run) else { return };
        let focus = focus_of_run(&self.program, &replayed).focus;
        let mut seen: Vec<Span> =
            self.found.iter().map(|suspect| self.program.edge(suspect.edge).span).collect();
        for (step, _) in replayed.steps.iter().zip(&focus).rev().filter(|(_, focus)| **focus) {
            let own = self.program.edge(step.edge);
            let is_wanted =
                matches!(own.kind, StatementKind::Assertion | StatementKind::Assumption);
            if own.is_statement()
                && !is_wanted
                && !self.question.trusted.contains(&self.program.owner(step.edge))
                && !seen.contains(&own.span)
            {
                seen.push(own.span);
                self.found.push(Suspect { edge: step.edge, best: None });
            }
        }
    }

    /// The suspects, most suspected first. The order is final once the analysis is over or was
    /// finished.
    pub fn suspects(&self) -> &[Suspect] {
        &self.found
    }

    /// Known failing runs, the given one first, once they were looked for.
    pub fn failing(&self) -> &[KnownRun] {
        self.known.as_ref().map_or(&[], |known| &known.failing)
    }

    /// Known passing runs.
    pub fn passing(&self) -> &[KnownRun] {
        self.known.as_ref().map_or(&[], |known| &known.passing)
    }

    /// How many values the failing run takes from its inputs; `None` until runs were looked for. If
    /// there are none, the failing run is the only known run.
    pub fn inputs(&self) -> Option<usize> {
        self.known.as_ref().map(|known| known.slots)
    }

    /// How many statements can have mutants, and how many of these were looked at.
    pub fn statements(&self) -> (usize, usize) {
        (self.statements.len(), self.looked_at)
    }

    /// How many statements get no mutants because they are too far from the run's end.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// Were the mutants of this statement tried?
    pub fn was_tried(&self, edge: EdgeId) -> bool {
        let span = self.program.edge(edge).span;
        self.statements
            .iter()
            .take(self.looked_at)
            .any(|tried| self.program.edge(*tried).span == span)
    }

    /// What the analysis has done.
    pub fn effort(&self) -> Effort {
        self.effort
    }
}
