//! What the page knows of the threads' analysis: what it is asked for, the report, the step, the
//! selection.

use crate::draw::lanes::{Lanes, context_of, is_folded, lanes};
use crate::ui::state::model::Model;
use crate::ui::state::paint::Paint;
use crate::ui::state::question::Question;
use crate::ui::state::shared::Shared;
use crate::wire::options::EffectiveOptions;
use crate::wire::permalink::ThreadsPlace;
use crate::wire::protocol::Request;
use crate::wire::report::TraceEntry;
use crate::wire::threads::{MOST_SWITCHES, SwitchBound, ThreadsAsk};
use crate::wire::threads::{ThreadsFound, ThreadsReport};
use std::collections::BTreeSet;

/// The clock of an analysis, in milliseconds, unless more was asked for.
const MILLIS: u64 = 30_000;

/// What the user does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ThreadsEvent {
    /// Analyse with other options.
    Other(ThreadsAsk),
    /// Show another picture.
    Show(Shown),
    /// Select what is reachable with so many switches.
    Level(Option<u32>),
    /// Select a node of the tree.
    Node(Option<u32>),
    /// Show a context whole, or fold it again.
    Fold(usize),
}

pub(crate) use crate::wire::permalink::ThreadsPicture as Shown;

impl Shown {
    /// What its button says.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Shown::Lanes => "Run",
            Shown::Tree => "How it was found",
            Shown::Hand => "By hand",
        }
    }
}

/// What is selected instead of the step.
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

/// How far an analysis is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Progress {
    /// Switches for which it is known that nothing fails.
    pub(crate) no_error_up_to: Option<u32>,
    /// Is a failing run being put together?
    pub(crate) found: bool,
    pub(crate) millis: u64,
}

/// All of it.
#[derive(Default)]
pub(crate) struct Threads {
    pub(crate) ask: ThreadsAsk,
    pub(crate) found: Option<Shared<Found>>,
    /// While a schedule is chosen by hand, the analysis; else the schedule's state.
    pub(super) kept: Option<Shared<Found>>,
    /// What the other method built on the same question, once it has.
    pub(crate) other: Option<Shared<ThreadsFound>>,
    pub(super) awaits_other: Option<u32>,
    pub(crate) lanes: Shared<Lanes>,
    /// What takes part in failing runs (before that is known, where a first switch can lead to an
    /// error), and where the run fails.
    pub(crate) paint: Shared<Paint>,
    pub(crate) step: usize,
    pub(crate) shown: Shown,
    pub(crate) picked: Picked,
    pub(super) unfolded: BTreeSet<usize>,
    pub(crate) work: Question<Progress>,
    /// The report as JSON.
    pub(super) json: String,
    /// Where a link or an example wants to be, once there is a report.
    pub(super) opens_at: Option<ThreadsPlace>,
}

impl Threads {
    /// Asks for an analysis, if one is due.
    pub(super) fn analyse(&mut self, model: &mut Model) {
        if self.work.is_due() && model.ready("threads") {
            let (ask, budgets) = (self.ask.clone(), self.work.budgets(MILLIS));
            let id = model.send(Request::Threads { ask, budgets });
            self.work.begin(id, Progress::default());
        }
    }

    /// Something else is asked for.
    pub(super) fn analyse_anew(&mut self, model: &mut Model) {
        model.restart(&mut self.work);
        self.forget_answer();
        self.analyse(model);
    }

    /// What is shown answers another question: its paint goes, and the other method's answer is
    /// not awaited any more.
    pub(super) fn forget_answer(&mut self) {
        self.awaits_other = None;
        self.paint = Shared::default();
    }

    /// The worker is another one now.
    pub(super) fn forget_worker(&mut self) {
        self.awaits_other = None;
    }

    /// Shows another picture. A schedule that is chosen by hand is asked for as an analysis is.
    pub(super) fn show_picture(&mut self, shown: Shown, model: &mut Model) {
        self.shown = shown;
        let by_hand = shown == Shown::Hand;
        if by_hand == self.ask.schedule.is_some() {
            return;
        }
        std::mem::swap(&mut self.found, &mut self.kept);
        self.ask.schedule = by_hand.then(String::new);
        if by_hand || self.found.is_none() || !self.work.is_fresh() {
            self.kept.take_if(|_| !by_hand);
            return self.analyse_anew(model);
        }
        self.draw();
        let trace = self.report().and_then(|report| report.trace.as_ref());
        self.step = trace.map_or(0, |trace| trace.len().saturating_sub(1));
    }

    /// As a link or an example has it.
    pub(super) fn open_at(&mut self, place: ThreadsPlace) {
        self.ask = place.ask.clone();
        self.opens_at = Some(place);
    }

    /// For a link.
    pub(super) fn place(&self) -> ThreadsPlace {
        if let Some(place) = &self.opens_at {
            return ThreadsPlace { ask: self.ask.clone(), ..place.clone() };
        }
        let run = self.report().is_some_and(|report| report.trace.is_some());
        ThreadsPlace {
            ask: self.ask.clone(),
            step: run.then_some(self.step as u32),
            picture: Some(self.shown).filter(|shown| *shown != Shown::default()),
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

    /// The bound that is asked for: by the user, by the program, or else it rises by itself. `None`
    /// until the program is known.
    pub(crate) fn asked(&self, effective: Option<&EffectiveOptions>) -> Option<SwitchBound> {
        let program = effective.map(|options| options.switches);
        self.ask.bound.or(program.map(|switches| SwitchBound::in_force(None, switches)))
    }

    /// The number of switches that is asked for, or to which the bound rose by itself.
    pub(crate) fn bound(&self, effective: Option<&EffectiveOptions>) -> Option<u32> {
        match self.asked(effective)? {
            SwitchBound::AtMost(most) => Some(most),
            SwitchBound::Rising => self.report().map(|report| report.bound),
        }
    }

    /// The worker's answer. False if it was not waited for.
    pub(crate) fn told(
        &mut self,
        id: u32,
        report: Result<ThreadsReport, String>,
        millis: u64,
    ) -> bool {
        if self.work.tell(id).is_none() {
            return false;
        }
        self.other.take_if(|_| self.ask.schedule.is_none());
        self.awaits_other = Some(id);
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
        if let Some(place) = self.opens_at.take() {
            self.step = place.step.map_or(last, |step| (step as usize).min(last));
            self.shown = place.picture.unwrap_or_default();
            self.picked = match (place.level, place.node) {
                (Some(level), _) => Picked::Level(level),
                (None, Some(node)) => Picked::Node(node),
                (None, None) => Picked::Nothing,
            };
        }
        self.draw();
        self.show_step(self.step);
        true
    }

    /// What the other method built. A reply to an older question is dropped.
    pub(super) fn told_other(&mut self, id: u32, mut found: ThreadsFound) {
        if self.awaits_other == Some(id) {
            let explained = std::mem::take(&mut found.json);
            if !explained.is_empty() {
                self.json = explained;
            }
            self.other = Some(Shared::new(found));
            self.draw();
        }
    }

    /// The worker is gone: tells what was known so far.
    pub(super) fn give_up(&mut self) {
        let Some(pending) = self.work.give_up() else { return };
        let Progress { no_error_up_to, millis, .. } = pending.progress;
        let known =
            no_error_up_to.map_or(String::new(), |k| format!(" No error up to {}.", switches(k)));
        let report = Err(format!("It was stopped.{known}"));
        self.found = Some(Shared::new(Found { report, millis }));
        self.lanes = Shared::default();
    }

    /// Goes to a step of the run; a fold that hides it opens.
    pub(super) fn show_step(&mut self, step: usize) {
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
        let bound = self.bound(effective).filter(|_| self.ask.schedule.is_none())?;
        let next = if more { bound + 1 } else { bound.checked_sub(1)? };
        let ask = ThreadsAsk { bound: Some(SwitchBound::AtMost(next)), ..self.ask.clone() };
        (next <= MOST_SWITCHES).then_some(ask)
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
        let lit = self.other.as_ref().filter(|other| !other.lit.is_empty());
        let lit = lit.map(|other| &other.lit).or(report.and_then(|one| one.first_switch.as_ref()));
        let lit = lit.cloned().unwrap_or_default();
        let fails = report
            .filter(|report| report.blocked.is_empty())
            .and_then(|report| report.error.as_ref())
            .map_or(0, |error| error.line);
        self.paint = Shared::new(Paint { lit, fails, ..Paint::default() });
    }
}

/// "1 switch", "3 switches".
pub(crate) fn switches(k: u32) -> String {
    format!("{k} switch{}", if k == 1 { "" } else { "es" })
}

/// A thread's name.
pub(crate) fn thread(report: &ThreadsReport, number: u32) -> String {
    report
        .threads
        .get(number as usize)
        .map_or_else(|| format!("thread {number}"), |thread| thread.name.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::state::said::Ask;
    use crate::ui::state::testing;
    use crate::wire::report::Analysis;
    use crate::wire::report::Values;
    use crate::wire::threads::ThreadsMethod;
    use crate::wire::threads::ThreadsVerdict;

    /// A failing run of so many steps, or none.
    fn report(steps: usize) -> ThreadsReport {
        let step = TraceEntry {
            line: 1,
            procedure: "main".into(),
            thread: 0,
            statement: "x = 1".into(),
            values: Values::default(),
            depth: 0,
            edge: None,
            ..TraceEntry::default()
        };
        let fails = steps > 0;
        let verdict =
            if fails { ThreadsVerdict::Unsafe } else { ThreadsVerdict::NoErrorWithinBound };
        ThreadsReport {
            analysis: Analysis::Threads,
            verdict,
            bound: 2,
            raised: None,
            converged: None,
            proof: None,
            method: ThreadsMethod::default(),
            limit: None,
            fault: None,
            options: testing::options(),
            width: None,
            unchecked: Vec::new(),
            threads: Vec::new(),
            no_error_up_to: None,
            switches: fails.then_some(0),
            error: None,
            blocked: Vec::new(),
            race: None,
            contexts: None,
            trace: fails.then(|| vec![step; steps]),
            parts: Vec::new(),
            next: Vec::new(),
            shortest: None,
            at: None,
            reachable: Vec::new(),
            tree: Vec::new(),
            tree_cut: false,
            interfaces: Vec::new(),
            first_switch: Some(vec![3]),
            explanation: None,
            statistics: Default::default(),
        }
    }

    fn told(threads: &mut Threads, steps: usize) {
        threads.work.begin(1, Progress::default());
        assert!(threads.told(1, Ok(report(steps)), 5));
    }

    #[test]
    fn a_run_opens_at_its_end_and_the_same_one_keeps_its_step() {
        let mut threads = Threads::default();
        told(&mut threads, 3);
        assert_eq!(threads.step, 2);
        threads.show_step(1);
        told(&mut threads, 3);
        assert_eq!(threads.step, 1);
        told(&mut threads, 5);
        assert_eq!(threads.step, 4);
    }

    #[test]
    fn a_link_opens_at_its_step_and_picture() {
        let mut threads = Threads::default();
        let place =
            ThreadsPlace { step: Some(9), picture: Some(Shown::Tree), ..ThreadsPlace::default() };
        threads.open_at(place);
        told(&mut threads, 3);
        assert_eq!((threads.step, threads.shown), (2, Shown::Tree));
        assert_eq!(threads.place().picture, Some(Shown::Tree));
    }

    #[test]
    fn a_schedule_by_hand_keeps_the_analysis_and_is_part_of_the_link() {
        let (mut threads, mut model) = (Threads::default(), Model::default());
        told(&mut threads, 3);
        threads.show_picture(Shown::Hand, &mut model);
        assert_eq!(threads.ask.schedule.as_deref(), Some(""));
        assert!(threads.found.is_none(), "what was analysed is no schedule");
        assert_eq!(threads.another_bound(true, None), None);
        told(&mut threads, 1);
        let place = threads.place();
        assert_eq!((place.picture, place.ask.schedule), (Some(Shown::Hand), Some(String::new())));
        threads.ask.schedule = Some("0,1".into());
        crate::ui::tab::Tab::edited(&mut threads);
        assert_eq!(
            threads.ask.schedule.as_deref(),
            Some(""),
            "of another program it means nothing"
        );
        threads.show_picture(Shown::Lanes, &mut model);
        assert_eq!(threads.ask.schedule, None);
        let steps = threads.report().and_then(|report| report.trace.as_ref()).map(Vec::len);
        assert_eq!((steps, threads.step), (Some(3), 2), "the analysis is there again");
    }

    #[test]
    fn the_bound_goes_up_and_down_within_its_range() {
        let mut threads = Threads::default();
        assert_eq!(threads.another_bound(true, None), None);
        let bound = |ask: Option<ThreadsAsk>| ask.and_then(|ask| ask.bound);
        threads.ask.bound = Some(SwitchBound::AtMost(0));
        assert_eq!(bound(threads.another_bound(true, None)), Some(SwitchBound::AtMost(1)));
        assert_eq!(bound(threads.another_bound(false, None)), None);
        threads.ask.bound = Some(SwitchBound::AtMost(MOST_SWITCHES));
        assert_eq!(bound(threads.another_bound(true, None)), None);
    }

    #[test]
    fn a_bound_rises_by_itself_unless_the_user_or_the_program_gives_a_number() {
        let mut threads = Threads::default();
        assert_eq!(threads.asked(None), None, "the program may have a number");
        let mut options = testing::options();
        assert_eq!(threads.asked(Some(&options)), Some(SwitchBound::Rising));
        assert_eq!(threads.bound(Some(&options)), None, "nothing is known yet");
        told(&mut threads, 3);
        assert_eq!(threads.bound(Some(&options)), Some(2));
        let more = threads.another_bound(true, Some(&options)).expect("one more");
        assert_eq!(more.bound, Some(SwitchBound::AtMost(3)), "one more than it rose to");
        options.switches = Some(5);
        assert_eq!(threads.asked(Some(&options)), Some(SwitchBound::AtMost(5)));
        threads.ask.bound = Some(SwitchBound::Rising);
        assert_eq!(threads.asked(Some(&options)), Some(SwitchBound::Rising));
        assert_eq!(threads.place().ask.bound, Some(SwitchBound::Rising), "a link says so");
    }

    #[test]
    fn what_was_known_is_told_when_the_worker_is_gone() {
        let mut threads = Threads::default();
        threads.work.begin(1, Progress { no_error_up_to: Some(2), found: false, millis: 7 });
        threads.give_up();
        let found = threads.found.as_ref().expect("it tells something");
        assert_eq!(found.report, Err("It was stopped. No error up to 2 switches.".into()));
        let said = threads.verdict(&Model::default());
        assert_eq!((found.millis, said.asks), (7, vec![(Ask::Again, "Analyse again")]));
    }

    #[test]
    fn the_other_methods_answer_is_that_to_the_same_question() {
        let mut threads = Threads::default();
        told(&mut threads, 0);
        threads.told_other(9, ThreadsFound::default());
        assert!(threads.other.is_none());
        threads.told_other(1, ThreadsFound::default());
        assert!(threads.other.is_some());
    }
}
