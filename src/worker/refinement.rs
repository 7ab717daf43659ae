//! The refinement loop behind messages: runs, rounds that are read, and comparisons, all worked off in slices.

use super::driver::Driver;
use crate::session::{self, CegarSession};
use crate::util::Limit;
use crate::view::cegar_seed::seed;
use crate::view::protocol::{Budgets, Reply, Request};
use crate::view::refinement::{HEURISTICS, RefinementAsk, RefinementReport};
use crate::view::refinement_reading::{RoundReading, abstract_view, compare_row, refinement_report, rounds};
use std::rc::Rc;

/// Milliseconds between two reports of progress.
const PROGRESS: f64 = 100.0;

/// What the worker knows of the loop.
#[derive(Default)]
pub(super) struct Refinement {
    /// The last run that was asked for, over or not.
    run: Option<Loop>,
    reading: Option<(u32, Box<RoundReading>)>,
    comparison: Option<Comparison>,
}

/// A run.
struct Loop {
    session: CegarSession,
    ask: RefinementAsk,
    /// The request that is not answered.
    waits: Option<u32>,
    began: f64,
    reported: f64,
    max_millis: Option<u64>,
}

/// A comparison of heuristics.
struct Comparison {
    id: u32,
    ask: RefinementAsk,
    budgets: Budgets,
    /// Index of the heuristic that is next.
    next: usize,
    current: Option<Loop>,
}

impl Loop {
    /// Works until `end`; is it over?
    fn advance(&mut self, clock: &impl Fn() -> f64, end: f64) -> bool {
        while !self.session.step() {
            let now = clock();
            if self.max_millis.is_some_and(|limit| now - self.began > limit as f64) {
                self.session.stop(Limit::Time);
                return true;
            }
            if now >= end {
                return false;
            }
        }
        true
    }
}

impl Driver {
    /// Is something of the loop to be worked on?
    pub(super) fn is_refining(&self) -> bool {
        let Refinement { run, reading, comparison } = &self.refinement;
        run.as_ref().is_some_and(|run| run.waits.is_some()) || reading.is_some() || comparison.is_some()
    }

    /// Answers a request about the loop; true if slices are now to be worked off.
    pub(super) fn refinement(&mut self, request: Request, now: f64, post: &mut dyn FnMut(Reply)) -> bool {
        let was_busy = self.is_busy();
        match request {
            Request::Refine { id, ask, budgets } => {
                self.refinement = Refinement::default();
                match self.begin_loop(&ask, budgets, now) {
                    Ok(run) => self.refinement.run = Some(Loop { waits: Some(id), ..run }),
                    Err(problems) => {
                        let report = Box::new(RefinementReport { ask, answer: None, rounds: Vec::new(), problems, predicates: 0 });
                        post(Reply::Refined { id, report, millis: 0 });
                        return false;
                    }
                }
            }
            Request::Round { id, round } => {
                let reading = self.finished_loop().and_then(|session| RoundReading::new(session, round));
                match reading {
                    Some(reading) => self.refinement.reading = Some((id, Box::new(reading))),
                    None => {
                        post(Reply::Round { id, round: None });
                        return false;
                    }
                }
            }
            Request::Abstracted { id } => {
                if let Some(session) = self.finished_loop() {
                    post(Reply::Abstracted { id, program: abstract_view(session) });
                }
                return false;
            }
            Request::Compare { id, ask, budgets } => {
                self.refinement.comparison = Some(Comparison { id, ask, budgets, next: 0, current: None });
            }
            _ => return false,
        }
        !was_busy
    }

    fn finished_loop(&mut self) -> Option<&mut CegarSession> {
        self.refinement.run.as_mut().filter(|run| run.waits.is_none()).map(|run| &mut run.session)
    }

    fn begin_loop(&self, ask: &RefinementAsk, budgets: Budgets, now: f64) -> Result<Loop, Vec<String>> {
        let Some((session, program)) = self.session.as_ref().and_then(|session| Some((session, session.program()?))) else {
            return Err(vec!["There is no program whose data could be abstracted.".to_string()]);
        };
        let limits = session::Budgets { max_nodes: budgets.max_nodes, max_steps: budgets.max_steps, ..session::Budgets::default() };
        let mut cegar = CegarSession::new(Rc::new(program.clone()), session.options().error, ask.options(), limits);
        let problems: Vec<String> = ask.predicates.iter().filter_map(|predicate| seed(&mut cegar, predicate).err()).collect();
        if !problems.is_empty() {
            return Err(problems);
        }
        Ok(Loop { session: cegar, ask: ask.clone(), waits: None, began: now, reported: now, max_millis: budgets.max_millis })
    }

    /// Ends the run or the comparison with this number where it is.
    pub(super) fn stop_refinement(&mut self, id: u32, now: f64, post: &mut dyn FnMut(Reply)) {
        if let Some(run) = self.refinement.run.as_mut().filter(|run| run.waits == Some(id)) {
            run.session.stop(Limit::Time);
            self.answer_refinement(now, post);
        }
        if let Some(comparison) = self.refinement.comparison.take_if(|comparison| comparison.id == id) {
            let row = comparison.current.map(|mut run| {
                run.session.stop(Limit::Time);
                compare_row(&run.session, &run.ask, (now - run.began) as u64)
            });
            post(Reply::Compared { id, row, done: true });
        }
    }

    /// Works on it for at most so many milliseconds; true if there is more to do.
    pub(super) fn slice_refinement(&mut self, clock: &impl Fn() -> f64, slice: f64, post: &mut dyn FnMut(Reply)) -> bool {
        let end = clock() + slice;
        if let Some(run) = self.refinement.run.as_mut()
            && let Some(id) = run.waits
        {
            if run.advance(clock, end) {
                self.answer_refinement(clock(), post);
                return self.is_busy();
            }
            let now = clock();
            if now - run.reported > PROGRESS {
                run.reported = now;
                let (phase, steps) = (run.session.phase().word().to_string(), run.session.statistics().1);
                post(Reply::Refining { id, phase, rounds: rounds(&run.session), steps, millis: (now - run.began) as u64 });
            }
            return true;
        }
        if self.refinement.reading.is_some() {
            return self.slice_reading(clock, end, post) || self.is_busy();
        }
        self.slice_comparison(clock, end, post) || self.is_busy()
    }

    fn answer_refinement(&mut self, now: f64, post: &mut dyn FnMut(Reply)) {
        let (Some(session), Some(run)) = (&self.session, &mut self.refinement.run) else { return };
        if let Some(id) = run.waits.take() {
            let report = Box::new(refinement_report(&mut run.session, session.options(), &run.ask));
            post(Reply::Refined { id, report, millis: (now - run.began) as u64 });
        }
    }

    fn slice_reading(&mut self, clock: &impl Fn() -> f64, end: f64, post: &mut dyn FnMut(Reply)) -> bool {
        let (Some(run), Some((_, reading))) = (&mut self.refinement.run, &mut self.refinement.reading) else { return false };
        while !reading.step(&mut run.session) {
            if clock() >= end {
                return true;
            }
        }
        if let Some((id, reading)) = self.refinement.reading.take() {
            post(Reply::Round { id, round: Some(Box::new(reading.finish(&run.session))) });
        }
        false
    }

    fn slice_comparison(&mut self, clock: &impl Fn() -> f64, end: f64, post: &mut dyn FnMut(Reply)) -> bool {
        let Some(mut comparison) = self.refinement.comparison.take() else { return false };
        let id = comparison.id;
        if comparison.current.is_none() {
            let Some((word, _, _)) = HEURISTICS.get(comparison.next) else { return false };
            // Nobody looks at the other interpolants.
            let ask = RefinementAsk { interpolants: (*word).to_string(), terse: true, ..comparison.ask.clone() };
            comparison.next += 1;
            match self.begin_loop(&ask, comparison.budgets, clock()) {
                Ok(run) => comparison.current = Some(run),
                Err(_) => {
                    post(Reply::Compared { id, row: None, done: true });
                    return false;
                }
            }
        }
        if let Some(mut run) = comparison.current.take() {
            if run.advance(clock, end) {
                let row = compare_row(&run.session, &run.ask, (clock() - run.began) as u64);
                let done = comparison.next == HEURISTICS.len();
                post(Reply::Compared { id, row: Some(row), done });
                if done {
                    return false;
                }
            } else {
                comparison.current = Some(run);
            }
        }
        self.refinement.comparison = Some(comparison);
        true
    }
}
