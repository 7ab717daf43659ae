//! What the page knows of the threads' analysis: what it is asked for, the report, the step, the
//! selection. No effects.

use crate::draw::lanes::{Lanes, context_of, is_folded, lanes};
use crate::ui::editor::Paint;
use crate::ui::shared::Shared;
use crate::wire::options::EffectiveOptions;
use crate::wire::permalink::ThreadsPlace;
use crate::wire::protocol::Budgets;
use crate::wire::report::TraceEntry;
use crate::wire::threads::{ThreadsFound, ThreadsReport};
use crate::wire::threads_ask::{MOST_SWITCHES, ThreadsAsk, USUAL_SWITCHES};
use std::collections::BTreeSet;

/// The clock of an analysis, in milliseconds, unless more was asked for.
const MILLIS: u64 = 30_000;

/// What the user does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ThreadsEvent {
    /// Analyse with other options.
    Ask(ThreadsAsk),
    /// Show another picture.
    Show(Shown),
    /// Select what is reachable with so many switches.
    Level(Option<u32>),
    /// Select a node of the tree.
    Node(Option<u32>),
    /// Show a context whole, or fold it again.
    Fold(usize),
    /// End the analysis where it is.
    Stop,
    /// Analyse again.
    Again,
    /// Analyse again with ten times the budgets.
    More,
}

/// What the picture shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Shown {
    /// The interleaved run.
    #[default]
    Lanes,
    /// The Qadeer-Rehof tree, and the interfaces.
    Tree,
}

impl Shown {
    pub(crate) const ALL: [Shown; 2] = [Shown::Lanes, Shown::Tree];

    /// What its button says.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Shown::Lanes => "Run",
            Shown::Tree => "How it was found",
        }
    }

    /// What links call it.
    fn word(self) -> &'static str {
        match self {
            Shown::Lanes => "run",
            Shown::Tree => "tree",
        }
    }
}

/// What is selected beside the step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Picked {
    #[default]
    Nothing,
    /// What is reachable with so many switches.
    Level(u32),
    /// A node of the tree.
    Node(u32),
}

/// An analysis that is over, or that was given up.
#[derive(Debug)]
pub(crate) struct Found {
    /// The worker's answer; or why there is none.
    pub(crate) report: Result<ThreadsReport, String>,
    pub(crate) millis: u64,
}

impl Found {
    /// A statement of its run.
    pub(crate) fn entry(&self, step: usize) -> Option<&TraceEntry> {
        self.report.as_ref().ok()?.trace.as_ref()?.get(step)
    }
}

/// An analysis that is on its way.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Asked {
    pub(crate) id: u32,
    /// What it is at.
    pub(crate) phase: String,
    /// Switches for which it is known that nothing fails.
    pub(crate) no_error_up_to: Option<u32>,
    pub(crate) millis: u64,
}

/// All of it.
#[derive(Default)]
pub(crate) struct Threads {
    pub(crate) ask: ThreadsAsk,
    pub(crate) found: Option<Shared<Found>>,
    /// What the other method built on the same question, once it has.
    pub(crate) beside: Option<Shared<ThreadsFound>>,
    awaits_beside: Option<u32>,
    pub(crate) lanes: Shared<Lanes>,
    /// Where a first switch can lead to an error, and where the run fails.
    pub(crate) paint: Shared<Paint>,
    pub(crate) step: usize,
    pub(crate) shown: Shown,
    pub(crate) picked: Picked,
    unfolded: BTreeSet<usize>,
    pub(crate) asked: Option<Asked>,
    /// Ten times the usual budgets, or a hundred times.
    scale: Option<u64>,
    /// Is what was found of the program as it is now?
    pub(crate) fresh: bool,
    /// It was stopped: nothing is analysed again until somebody asks.
    pub(crate) halted: bool,
    place: Option<ThreadsPlace>,
}

impl Threads {
    /// The budgets of the next analysis.
    pub(crate) fn budgets(&self) -> Budgets {
        let (scale, usual) = (self.scale.unwrap_or(1), Budgets::default());
        Budgets {
            max_nodes: usual.max_nodes.saturating_mul(scale),
            max_steps: usual.max_steps.saturating_mul(scale),
            max_millis: Some(MILLIS.saturating_mul(scale)),
        }
    }

    /// Ten times as much.
    pub(crate) fn go_on(&mut self) {
        self.scale = Some(self.scale.unwrap_or(1).saturating_mul(10));
    }

    /// Another program: nothing of the old one is left but the method.
    pub(crate) fn forget(&mut self) {
        let ask = ThreadsAsk { bound: None, ..self.ask.clone() };
        *self = Threads { ask, ..Threads::default() };
    }

    /// The program or its options have changed, or the worker: what is shown stays until there is a
    /// new answer.
    pub(crate) fn invalidate(&mut self) {
        (self.fresh, self.halted, self.asked, self.awaits_beside) = (false, false, None, None);
        self.paint = Shared::default();
    }

    /// The worker is another one now: what is shown stays.
    pub(crate) fn lose_worker(&mut self) {
        (self.asked, self.awaits_beside) = (None, None);
    }

    /// As a link or an example has it.
    pub(crate) fn restore(&mut self, place: ThreadsPlace) {
        self.ask = place.ask.clone();
        self.place = Some(place);
    }

    /// For a link.
    pub(crate) fn present(&self) -> ThreadsPlace {
        let run = self.report().is_some_and(|report| report.trace.is_some());
        ThreadsPlace {
            ask: ThreadsAsk {
                bound: self.ask.bound.or(self.report().map(|report| report.bound)),
                ..self.ask.clone()
            },
            step: run.then_some(self.step as u32),
            picture: if self.shown == Shown::default() {
                String::new()
            } else {
                self.shown.word().to_string()
            },
            level: match self.picked {
                Picked::Level(level) => Some(level),
                _ => None,
            },
            node: match self.picked {
                Picked::Node(node) => Some(node),
                _ => None,
            },
        }
    }

    /// The report that is shown.
    pub(crate) fn report(&self) -> Option<&ThreadsReport> {
        self.found.as_ref()?.report.as_ref().ok()
    }

    /// The bound that is shown, on its way, or next: what was asked for, else the program's, else
    /// the usual one.
    pub(crate) fn bound(&self, effective: Option<&EffectiveOptions>) -> Option<u32> {
        let next = effective.map(|options| options.switches.unwrap_or(USUAL_SWITCHES));
        self.ask.bound.or(self.report().map(|report| report.bound)).or(next)
    }

    /// An analysis is on its way.
    pub(crate) fn begin(&mut self, id: u32) {
        self.halted = false;
        self.asked = Some(Asked { id, ..Asked::default() });
    }

    /// How far it is. False if the number is not its.
    pub(crate) fn progress(
        &mut self,
        id: u32,
        phase: String,
        no_error_up_to: Option<u32>,
        millis: u64,
    ) -> bool {
        match &mut self.asked {
            Some(asked) if asked.id == id => {
                *asked = Asked { id, phase, no_error_up_to, millis };
                true
            }
            _ => false,
        }
    }

    /// The worker's answer. False if it was not waited for.
    pub(crate) fn told(
        &mut self,
        id: u32,
        report: Result<ThreadsReport, String>,
        millis: u64,
    ) -> bool {
        if self.asked.as_ref().is_none_or(|asked| asked.id != id) {
            return false;
        }
        (self.asked, self.fresh) = (None, true);
        (self.beside, self.awaits_beside) = (None, Some(id));
        let same_run = self.report().is_some_and(|old| {
            report.as_ref().is_ok_and(|new| old.trace == new.trace && new.trace.is_some())
        });
        let last = report
            .as_ref()
            .ok()
            .and_then(|report| report.trace.as_ref())
            .map_or(0, |trace| trace.len().saturating_sub(1));
        if !same_run {
            (self.step, self.picked) = (last, Picked::Nothing);
            self.unfolded.clear();
        }
        self.found = Some(Shared::new(Found { report, millis }));
        if let Some(place) = self.place.take() {
            self.step = place.step.map_or(last, |step| (step as usize).min(last));
            self.shown = Shown::ALL
                .into_iter()
                .find(|shown| shown.word() == place.picture)
                .unwrap_or_default();
            self.picked = match (place.level, place.node) {
                (Some(level), _) => Picked::Level(level),
                (None, Some(node)) => Picked::Node(node),
                (None, None) => Picked::Nothing,
            };
        }
        self.draw();
        self.go_to(self.step);
        true
    }

    /// What the other method built. A reply to an older question is dropped.
    pub(crate) fn told_beside(&mut self, id: u32, found: ThreadsFound) {
        if self.awaits_beside.take_if(|awaited| *awaited == id).is_some() {
            self.beside = Some(Shared::new(found));
        }
    }

    /// The worker did not answer Stop.
    pub(crate) fn give_up(&mut self) {
        if let Some(asked) = self.asked.take() {
            let known = asked
                .no_error_up_to
                .map_or(String::new(), |k| format!(" No error up to {}.", switches(k)));
            self.found = Some(Shared::new(Found {
                report: Err(format!("It was stopped.{known}")),
                millis: asked.millis,
            }));
            self.lanes = Shared::default();
        }
        (self.fresh, self.halted) = (false, true);
    }

    /// Goes to a step of the run; a fold that hides it opens.
    pub(crate) fn go_to(&mut self, step: usize) {
        self.step = step;
        let hidden = self
            .report()
            .filter(|report| is_folded(report, step))
            .and_then(|report| context_of(report, step));
        if let Some(context) = hidden
            && self.unfolded.insert(context)
        {
            self.draw();
        }
    }

    /// Selects what is reachable with so many switches, or nothing.
    pub(crate) fn pick_level(&mut self, level: Option<u32>) {
        self.picked = level.map_or(Picked::Nothing, Picked::Level);
    }

    /// Selects a node of the tree, or nothing.
    pub(crate) fn pick_node(&mut self, node: Option<u32>) {
        self.picked = node.map_or(Picked::Nothing, Picked::Node);
    }

    /// The same with one switch more or less, if that can be asked for.
    pub(crate) fn another_bound(
        &self,
        more: bool,
        effective: Option<&EffectiveOptions>,
    ) -> Option<ThreadsAsk> {
        let bound = self.bound(effective)?;
        let next = if more { bound + 1 } else { bound.checked_sub(1)? };
        (next <= MOST_SWITCHES).then(|| ThreadsAsk { bound: Some(next), ..self.ask.clone() })
    }

    /// Shows a context whole, or folds it again.
    pub(crate) fn fold(&mut self, context: usize) {
        if !self.unfolded.remove(&context) {
            self.unfolded.insert(context);
        }
        self.draw();
    }

    fn draw(&mut self) {
        self.lanes = Shared::new(
            self.report().map(|report| lanes(report, &self.unfolded)).unwrap_or_default(),
        );
        let report = self.report();
        let lit = report.and_then(|report| report.first_switch.clone()).unwrap_or_default();
        let fails = report
            .filter(|report| report.blocked.is_empty())
            .and_then(|report| report.error.as_ref())
            .map_or(0, |error| error.line);
        self.paint = Shared::new(Paint { lit, fails, ..Paint::default() });
    }

    /// Does what is shown answer an older program?
    pub(crate) fn stale(&self) -> bool {
        self.found.is_some() && !self.fresh && !self.halted && self.asked.is_none()
    }
}

/// "1 switch", "3 switches".
pub(crate) fn switches(k: u32) -> String {
    format!("{k} switch{}", if k == 1 { "" } else { "es" })
}
