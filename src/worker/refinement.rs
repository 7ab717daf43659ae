//! The refinement loop behind messages: runs, rounds that are read, and comparisons, all worked off
//! in slices.

use super::driver::Driver;
use crate::report::cegar_seed::seed;
use crate::report::refinement_reading::{
    RoundReading, abstract_view, compare_row, refinement_report, rounds,
};
use crate::session::{self, CegarSession, Job};
use crate::util::Limit;
use crate::wire::options::EffectiveOptions;
use crate::wire::protocol::{Budgets, Reply, Request};
use crate::wire::refinement::{HEURISTICS, RefinementAsk, RefinementReport};
use std::collections::VecDeque;
use std::rc::Rc;

/// Milliseconds between two reports of progress.
const PROGRESS: f64 = 100.0;
/// The phases of the first rounds are told at once, since one of them may take long; later ones
/// once so many milliseconds have passed.
const ROUNDS_AT_ONCE: usize = 3;
const PHASES: f64 = 25.0;

/// What the worker knows of the loop.
#[derive(Default)]
pub(super) struct Refinement {
    /// The last run that was asked for, over or not.
    run: Option<Loop>,
    /// One after the other.
    readings: VecDeque<Reading>,
    /// The runs that are looked at beside each other.
    sides: [Option<Loop>; 2],
    comparison: Option<Comparison>,
}

/// A round that is being read.
struct Reading {
    id: u32,
    /// Of which run: the last one, or a side.
    side: Option<usize>,
    reading: Box<RoundReading>,
}

/// A run.
struct Loop {
    session: CegarSession,
    ask: RefinementAsk,
    /// The request that is not answered.
    waits: Option<u32>,
    began: f64,
    reported: f64,
    /// How many phases were reported.
    told: usize,
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
    /// Works until `end`; is it over? `tell` hears of each phase that has ended.
    fn advance(
        &mut self,
        clock: &impl Fn() -> f64,
        end: f64,
        tell: &mut dyn FnMut(&mut Loop, f64),
    ) -> bool {
        while !self.session.step() {
            let now = clock();
            if self.is_news(now) {
                tell(self, now);
            }
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

    /// Is it time to report?
    fn is_news(&self, now: f64) -> bool {
        let rounds = self.session.rounds();
        let phases: usize = rounds.iter().map(|round| round.steps.len()).sum();
        phases > self.told && (rounds.len() <= ROUNDS_AT_ONCE || now - self.reported > PHASES)
            || now - self.reported > PROGRESS
    }

    /// How far it is, for the request that waits.
    fn progress(&mut self, id: u32, now: f64) -> Reply {
        let rounds = rounds(&self.session);
        (self.reported, self.told) = (now, rounds.iter().map(|round| round.phases.len()).sum());
        let (phase, steps) = (self.session.phase().word().to_string(), self.session.statistics().1);
        Reply::Refining { id, phase, rounds, steps, millis: (now - self.began) as u64 }
    }

    /// The answer.
    fn report(&mut self, options: &EffectiveOptions, now: f64) -> (Box<RefinementReport>, u64) {
        (
            Box::new(refinement_report(&mut self.session, options, &self.ask)),
            (now - self.began) as u64,
        )
    }
}

impl Driver {
    /// Is something of the loop to be worked on?
    pub(super) fn is_refining(&self) -> bool {
        let Refinement { run, readings, sides, comparison } = &self.refinement;
        let waits = |run: &Loop| run.waits.is_some();
        run.as_ref().is_some_and(waits)
            || sides.iter().flatten().any(waits)
            || !readings.is_empty()
            || comparison.is_some()
    }

    /// Answers a request about the loop; true if slices are now to be worked off.
    pub(super) fn refinement(
        &mut self,
        request: Request,
        now: f64,
        post: &mut dyn FnMut(Reply),
    ) -> bool {
        let was_busy = self.is_busy();
        match request {
            Request::Refine { id, ask, budgets } => {
                self.refinement = Refinement::default();
                match self.begin_loop(&ask, budgets, now) {
                    Ok(run) => self.refinement.run = Some(Loop { waits: Some(id), ..run }),
                    Err(problems) => {
                        let report = Box::new(RefinementReport {
                            ask,
                            answer: None,
                            rounds: Vec::new(),
                            problems,
                            predicates: 0,
                        });
                        post(Reply::Refined { id, report, millis: 0 });
                        return false;
                    }
                }
            }
            Request::Round { id, round } => {
                return self.read_round(id, None, round, post) && !was_busy;
            }
            Request::SideRound { id, side, round } => {
                return self.read_round(id, Some(side as usize), round, post) && !was_busy;
            }
            Request::Side { id, side, ask, budgets } => {
                // What is being read of the old one makes no sense in the new one.
                self.refinement.readings.retain(|reading| {
                    let other = reading.side != Some(side as usize);
                    if !other {
                        post(Reply::Round { id: reading.id, round: None });
                    }
                    other
                });
                let begun = self.begin_loop(&ask, budgets, now);
                let place = self.refinement.sides.get_mut(side as usize);
                match (begun, place) {
                    (Ok(run), Some(place)) => *place = Some(Loop { waits: Some(id), ..run }),
                    (begun, _) => {
                        let problems = begun.err().unwrap_or_default();
                        let report = Box::new(RefinementReport {
                            ask,
                            answer: None,
                            rounds: Vec::new(),
                            problems,
                            predicates: 0,
                        });
                        post(Reply::Side { id, report, millis: 0 });
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
                self.refinement.comparison =
                    Some(Comparison { id, ask, budgets, next: 0, current: None });
            }
            _ => return false,
        }
        !was_busy
    }

    /// Begins to read a round of the last run, or of a side; false if there is none, which is
    /// answered.
    fn read_round(
        &mut self,
        id: u32,
        side: Option<usize>,
        round: u32,
        post: &mut dyn FnMut(Reply),
    ) -> bool {
        let run = match side {
            None => self.refinement.run.as_ref(),
            Some(side) => self.refinement.sides.get(side).and_then(Option::as_ref),
        };
        let finished = run.filter(|run| run.waits.is_none());
        let reading = finished.and_then(|run| RoundReading::new(&run.session, round));
        let Some(reading) = reading else {
            post(Reply::Round { id, round: None });
            return false;
        };
        self.refinement.readings.push_back(Reading { id, side, reading: Box::new(reading) });
        true
    }

    fn finished_loop(&mut self) -> Option<&mut CegarSession> {
        self.refinement.run.as_mut().filter(|run| run.waits.is_none()).map(|run| &mut run.session)
    }

    fn begin_loop(
        &self,
        ask: &RefinementAsk,
        budgets: Budgets,
        now: f64,
    ) -> Result<Loop, Vec<String>> {
        let Some((session, program)) =
            self.session.as_ref().and_then(|session| Some((session, session.program()?)))
        else {
            return Err(vec!["There is no program whose data could be abstracted.".to_string()]);
        };
        let limits = session::Budgets {
            max_nodes: budgets.max_nodes,
            max_steps: budgets.max_steps,
            ..session::Budgets::default()
        };
        let mut cegar = CegarSession::new(
            Rc::new(program.clone()),
            session.options().error,
            ask.options(),
            limits,
        );
        let problems: Vec<String> = ask
            .predicates
            .iter()
            .filter_map(|predicate| seed(&mut cegar, predicate).err())
            .collect();
        if !problems.is_empty() {
            return Err(problems);
        }
        Ok(Loop {
            session: cegar,
            ask: ask.clone(),
            waits: None,
            began: now,
            reported: now,
            told: 0,
            max_millis: budgets.max_millis,
        })
    }

    /// Ends the run or the comparison with this number where it is.
    pub(super) fn stop_refinement(&mut self, id: u32, now: f64, post: &mut dyn FnMut(Reply)) {
        if let Some(run) = self.refinement.run.as_mut().filter(|run| run.waits == Some(id)) {
            run.session.stop(Limit::Time);
            self.answer_refinement(now, post);
        }
        if let Some(side) = (0..2).find(|side| {
            self.refinement.sides[*side].as_ref().is_some_and(|run| run.waits == Some(id))
        }) {
            if let Some(run) = &mut self.refinement.sides[side] {
                run.session.stop(Limit::Time);
            }
            self.answer_side(side, now, post);
        }
        if let Some(comparison) =
            self.refinement.comparison.take_if(|comparison| comparison.id == id)
        {
            let row = comparison.current.map(|mut run| {
                run.session.stop(Limit::Time);
                compare_row(&run.session, &run.ask, (now - run.began) as u64)
            });
            post(Reply::Compared { id, row, done: true });
        }
    }

    /// Works on it for at most so many milliseconds; true if there is more to do.
    pub(super) fn slice_refinement(
        &mut self,
        clock: &impl Fn() -> f64,
        slice: f64,
        post: &mut dyn FnMut(Reply),
    ) -> bool {
        let end = clock() + slice;
        if let Some(run) = self.refinement.run.as_mut()
            && let Some(id) = run.waits
        {
            if run.advance(clock, end, &mut |run, now| post(run.progress(id, now))) {
                self.answer_refinement(clock(), post);
                return self.is_busy();
            }
            return true;
        }
        if let Some(side) = (0..2).find(|side| {
            self.refinement.sides[*side].as_ref().is_some_and(|run| run.waits.is_some())
        }) {
            let over = self.refinement.sides[side]
                .as_mut()
                .is_none_or(|run| run.advance(clock, end, &mut |_, _| {}));
            if over {
                self.answer_side(side, clock(), post);
            }
            return self.is_busy();
        }
        if !self.refinement.readings.is_empty() {
            return self.slice_reading(clock, end, post) || self.is_busy();
        }
        self.slice_comparison(clock, end, post) || self.is_busy()
    }

    fn answer_refinement(&mut self, now: f64, post: &mut dyn FnMut(Reply)) {
        let (Some(session), Some(run)) = (&self.session, &mut self.refinement.run) else { return };
        if let Some(id) = run.waits.take() {
            let (report, millis) = run.report(session.options(), now);
            post(Reply::Refined { id, report, millis });
        }
    }

    fn answer_side(&mut self, side: usize, now: f64, post: &mut dyn FnMut(Reply)) {
        let (Some(session), Some(run)) = (&self.session, &mut self.refinement.sides[side]) else {
            return;
        };
        if let Some(id) = run.waits.take() {
            let (report, millis) = run.report(session.options(), now);
            post(Reply::Side { id, report, millis });
        }
    }

    fn slice_reading(
        &mut self,
        clock: &impl Fn() -> f64,
        end: f64,
        post: &mut dyn FnMut(Reply),
    ) -> bool {
        let Refinement { run, sides, readings, .. } = &mut self.refinement;
        let Some(Reading { id, side, reading: mut begun }) = readings.pop_front() else {
            return false;
        };
        let run = match side {
            None => run.as_mut(),
            Some(side) => sides.get_mut(side).and_then(Option::as_mut),
        };
        let Some(run) = run else {
            post(Reply::Round { id, round: None });
            return false;
        };
        while !begun.step(&mut run.session) {
            if clock() >= end {
                readings.push_front(Reading { id, side, reading: begun });
                return true;
            }
        }
        post(Reply::Round { id, round: Some(Box::new(begun.finish(&run.session))) });
        false
    }

    fn slice_comparison(
        &mut self,
        clock: &impl Fn() -> f64,
        end: f64,
        post: &mut dyn FnMut(Reply),
    ) -> bool {
        let Some(mut comparison) = self.refinement.comparison.take() else { return false };
        let id = comparison.id;
        if comparison.current.is_none() {
            let Some((word, _, _)) = HEURISTICS.get(comparison.next) else { return false };
            // Nobody looks at the other interpolants.
            let ask = RefinementAsk {
                interpolants: (*word).to_string(),
                terse: true,
                ..comparison.ask.clone()
            };
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
            if run.advance(clock, end, &mut |_, _| {}) {
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
