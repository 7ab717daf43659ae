//! Turns requests into work on a [`Session`], slice by slice.

use super::affine::Affine;
use super::explain::Explaining;
use super::lab::Recording;
use super::questions::Beside;
use super::refinement::Refinement;
use super::threads::Threading;
use crate::analysis::error_projection::Method;
use crate::draw;
use crate::lang::diagnostic::{Diagnostic, Severity};
use crate::lang::model::EdgeId;
use crate::report;
use crate::report::diagnostics::diagnostics;
use crate::session::{self, Job, Phase, Session, Task};
use crate::util::Limit;
use crate::wire::options::RequestedOptions;
use crate::wire::protocol::{Budgets, Reply, Request};

/// Longest stretch of work, in milliseconds, before the worker looks at its messages.
const SLICE: f64 = 50.0;
/// Milliseconds between two reports of progress.
const PROGRESS: f64 = 100.0;

/// The worker's state.
pub(super) struct Driver {
    pub(super) session: Option<Session>,
    /// What it was loaded with.
    pub(super) requested: RequestedOptions,
    pub(super) run: Option<Run>,
    pub(super) beside: Option<Beside>,
    pub(super) affine: Option<Affine>,
    pub(super) after: Option<After>,
    /// The pushdown lab.
    pub(super) recording: Option<Recording>,
    /// An explanation.
    pub(super) explaining: Option<Explaining>,
    /// The threads' analysis.
    pub(super) threading: Option<Threading>,
    /// The refinement loop.
    pub(super) refinement: Refinement,
    /// While a run is on, the loop has every second slice.
    refined_last: bool,
}

/// What goes on once a run was answered.
#[derive(Clone, Copy)]
pub(super) enum After {
    /// The run of this number gets a shortest failing run.
    Improve(u32),
    /// A run through statements was asked for.
    Through(u32),
}

pub(super) struct Run {
    id: u32,
    began: f64,
    reported: f64,
    max_millis: Option<u64>,
}

impl Driver {
    pub(super) fn new() -> Driver {
        Driver {
            session: None,
            requested: RequestedOptions::default(),
            run: None,
            after: None,
            beside: None,
            affine: None,
            recording: None,
            explaining: None,
            threading: None,
            refinement: Refinement::default(),
            refined_last: false,
        }
    }

    /// Are slices being worked off?
    pub(super) fn is_busy(&self) -> bool {
        self.run.is_some()
            || self.after.is_some()
            || self.beside.is_some()
            || self.affine.is_some()
            || self.is_recording()
            || self.explaining.is_some()
            || self.threading.is_some()
            || self.is_refining()
    }

    /// Answers a request; true if a run has begun, whose slices are now to be worked off.
    pub(super) fn handle(
        &mut self,
        request: Request,
        now: f64,
        post: &mut dyn FnMut(Reply),
    ) -> bool {
        match request {
            Request::Load { id, source, options } => {
                self.load(id, &source, &options, post);
                false
            }
            Request::Run { id, source, options, budgets, method } => {
                let was_running = self.is_busy();
                let readable = self.load(id, &source, &options, post);
                if readable {
                    self.begin(id, budgets, method, now);
                }
                readable && !was_running
            }
            Request::Stop { id } => {
                if let (Some(session), true) =
                    (&mut self.session, self.run.as_ref().is_some_and(|r| r.id == id))
                {
                    session.stop(Limit::Time);
                    self.finish(now, post);
                }
                self.stop_recording(id, post);
                self.stop_explaining(id, now, post);
                self.stop_threads(id, now, post);
                self.stop_refinement(id, now, post);
                false
            }
            Request::Why { id, statement } => self.explain(id, Some(statement), post),
            Request::Beside { id } => self.explain(id, None, post),
            Request::Query { id, statement, condition } => {
                if let (Some(session), None) = (&mut self.session, &self.run) {
                    post(Reply::Queried {
                        id,
                        answer: report::stores::query(session, statement, &condition),
                    });
                }
                false
            }
            Request::Witness { id, file_name, creation_time } => {
                if let (Some(session), None) = (&mut self.session, &self.run) {
                    post(Reply::Witness {
                        id,
                        text: report::witness(
                            session,
                            &report::Origin { file_name, creation_time },
                        ),
                    });
                }
                false
            }
            Request::Inspect { id, statement } => {
                if let (Some(session), None) = (&mut self.session, &self.run) {
                    post(Reply::Inspected { id, inspection: report::inspect(session, statement) });
                }
                false
            }
            Request::Through { id, sets } => self.seek(id, &sets, post),
            Request::Affine { id, modulo } => self.relate(id, modulo, post),
            Request::Lab { .. }
            | Request::LabWeight { .. }
            | Request::LabWitness { .. }
            | Request::LabTransfer { .. } => self.lab(request, now, post),
            Request::Refine { .. }
            | Request::Round { .. }
            | Request::Abstracted { .. }
            | Request::Compare { .. }
            | Request::Side { .. }
            | Request::SideRound { .. } => self.refinement(request, now, post),
            Request::Threads { id, ask, budgets } => {
                self.analyse_threads(id, &ask, budgets, now, post)
            }
            Request::Explain { id, ask, budgets } => self.explanation(id, ask, budgets, now, post),
            Request::Layout { id, mut graph } => {
                draw::layout::layout(&mut graph);
                post(Reply::LaidOut { id, graph });
                false
            }
        }
    }

    /// Begins a search; true if there are slices to be worked off now.
    fn seek(&mut self, id: u32, sets: &[Vec<u32>], post: &mut dyn FnMut(Reply)) -> bool {
        let was_busy = self.is_busy();
        self.after = None;
        let (Some(session), None) = (&mut self.session, &self.run) else { return false };
        session.cancel_search();
        let rules = session.raw().map_or(0, |raw| raw.system().rules.len());
        let edges = session.program().map_or(rules, |program| program.edges.len());
        let known = sets.iter().flatten().all(|edge| (*edge as usize) < edges);
        let sets: Vec<Vec<EdgeId>> =
            sets.iter().map(|set| set.iter().map(|edge| EdgeId(*edge)).collect()).collect();
        if sets.is_empty() || !known || !session.seek_through(sets) {
            post(Reply::Through { id, through: None });
            return false;
        }
        if session.phase() == Phase::Done {
            post(Reply::Through { id, through: report::through(session) });
            return false;
        }
        self.after = Some(After::Through(id));
        !was_busy
    }

    /// Works for at most [`SLICE`]; true if there is more to do.
    pub(super) fn slice(&mut self, clock: impl Fn() -> f64, post: &mut dyn FnMut(Reply)) -> bool {
        if self.run.is_some()
            && self.is_refining()
            && !std::mem::replace(&mut self.refined_last, true)
        {
            // In turn: a program whose values are too many may still have few predicates.
            self.slice_refinement(&clock, SLICE, post);
            return true;
        }
        self.refined_last = false;
        if self.run.is_none() {
            // A search for a run goes first; a naive projection waits for it.
            return match self.after {
                Some(_) => self.seeking_slice(clock, post) || self.is_busy(),
                None if self.beside.is_some() => {
                    self.slice_beside(&clock, SLICE, post) || self.is_busy()
                }
                None if self.affine.is_some() => {
                    self.slice_affine(&clock, SLICE, post) || self.is_busy()
                }
                None if self.threading.is_some() => {
                    self.slice_threads(&clock, SLICE, post) || self.is_busy()
                }
                None if self.explaining.is_some() => {
                    self.slice_explaining(&clock, SLICE, post) || self.is_busy()
                }
                None if self.is_recording() => {
                    self.slice_lab(&clock, SLICE, post) || self.is_busy()
                }
                None => self.slice_refinement(&clock, SLICE, post),
            };
        }
        let (Some(session), Some(run)) = (&mut self.session, &mut self.run) else { return false };
        let start = clock();
        loop {
            if session.step() {
                self.finish(clock(), post);
                return self.is_busy();
            }
            let now = clock();
            if run.max_millis.is_some_and(|limit| now - run.began > limit as f64) {
                session.stop(Limit::Time);
                self.finish(now, post);
                return self.is_busy();
            }
            if now - start > SLICE && session.phase() == Phase::Shortest {
                // The answer is known; only the run may still become shorter.
                let id = run.id;
                self.finish(now, post);
                self.after = Some(After::Improve(id));
                return true;
            }
            if now - start > SLICE {
                if now - run.reported > PROGRESS {
                    run.reported = now;
                    let (phase, items, nodes) = report::progress(session);
                    post(Reply::Progress {
                        id: run.id,
                        phase,
                        items,
                        nodes,
                        millis: (now - run.began) as u64,
                    });
                }
                return true;
            }
        }
    }

    fn seeking_slice(&mut self, clock: impl Fn() -> f64, post: &mut dyn FnMut(Reply)) -> bool {
        let (Some(session), Some(after)) = (&mut self.session, self.after) else { return false };
        let start = clock();
        while !session.step() {
            if clock() - start > SLICE {
                return true;
            }
        }
        self.after = None;
        post(match after {
            After::Improve(id) => Reply::Improved { id, report: report::report(session) },
            After::Through(id) => Reply::Through { id, through: report::through(session) },
        });
        false
    }

    fn load(
        &mut self,
        id: u32,
        source: &str,
        options: &RequestedOptions,
        post: &mut dyn FnMut(Reply),
    ) -> bool {
        self.run = None;
        self.after = None;
        self.beside = None;
        self.affine = None;
        self.recording = None;
        self.explaining = None;
        self.threading = None;
        self.refinement = Refinement::default();
        let (session, found) = Session::load(source, options);
        post(Reply::Loaded {
            id,
            diagnostics: diagnostics(source, &found),
            options: session.options().clone(),
            graph: report::graph(&session),
            statements: report::statements(&session),
        });
        self.session = Some(session);
        self.requested = options.clone();
        !found.iter().any(|d: &Diagnostic| d.severity == Severity::Error)
    }

    fn begin(&mut self, id: u32, budgets: Budgets, method: Method, now: f64) {
        if let Some(session) = &mut self.session {
            let budgets_ = session::Budgets {
                max_nodes: budgets.max_nodes,
                max_steps: budgets.max_steps,
                ..session::Budgets::default()
            };
            session.start(Task::Projection(method), budgets_);
            self.run = Some(Run { id, began: now, reported: now, max_millis: budgets.max_millis });
        }
    }

    fn finish(&mut self, now: f64, post: &mut dyn FnMut(Reply)) {
        if let (Some(session), Some(run)) = (&self.session, self.run.take()) {
            let millis = (now - run.began) as u64;
            post(Reply::Done {
                id: run.id,
                report: report::report(session),
                statements: report::statements(session),
                millis,
            });
        }
    }
}
