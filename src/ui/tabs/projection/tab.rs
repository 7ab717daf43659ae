//! The tab Projection: how it answers to the page.

use super::state::{Projection, ProjectionEvent, WORD};
use crate::draw::paint::graph_marks;
use crate::draw::svg::Theme;
use crate::draw::words::{capitalised, configuration, kind_of_run};
use crate::ui::state::export::{Export, File};
use crate::ui::state::model::Model;
use crate::ui::state::said::{Ask, Said};
use crate::ui::state::shared::Shared;
use crate::ui::state::timeline::{Entry, Timeline, folds};
use crate::ui::tab::{Help, Tab};
use crate::wire::permalink::{Permalink, ProjectionPlace};
use crate::wire::protocol::{Reply, ReplyMessage};
use crate::wire::report::{Report, TraceEntry};
use std::any::Any;

/// Stepping quickly asks once, at the end, after so many milliseconds.
const REST: u32 = 60;

const HELP: Help = Help {
    brief: [
        "Every statement that can take part in a failure is lit; a dim one is innocent, since no \
         failing run executes it.",
        "Below is a shortest failing run: step through it with ← and →, and watch its line, its \
         box and its values.",
        "Click a lit box for a shortest failing run through it, or a dim one to read why no \
         failing run comes there.",
    ],
    picture: include_str!("../../../../static/help/projection.svg"),
    text: &["The tab Projection lights every statement that can take part in a failure. The \
        others are innocent: no failing run executes them. A click on a lit box shows a shortest \
        failing run through that box, with Shift a run through all boxes that were clicked. How \
        does a run come to line 7? is the other question about a statement: it is answered by an \
        input, whether or not the run fails, or by the proof that no run comes there; a button \
        beside that answer leads back. The \
        naive projection, which forgets which call a run came from, keeps more; a button in \
        the legend (“if callers were mixed up”) shows what. Where decision diagrams are slow or do \
        not read a program in C, the bounded engine looks at all inputs at once, up to a number of \
        rounds of each loop: it tells a failing run with the input that leads there, and not which \
        other lines take part."],
    keys: &[
        ("Enter", "the shortest failing run through the selected statement"),
        ("⇧Enter", "also through the ones chosen before"),
    ],
};

impl Projection {
    /// The selection has changed: its questions are asked once it has come to rest.
    fn rest(&self, model: &mut Model) {
        model.later(self.word(), "rest", REST, ProjectionEvent::Settled);
    }
}

impl Tab for Projection {
    fn name(&self) -> &'static str {
        "Projection"
    }

    fn word(&self) -> &'static str {
        WORD
    }

    fn help(&self) -> Help {
        HELP
    }

    fn forget(&mut self) {}

    fn invalidate(&mut self) {
        (self.step, self.through, self.failure) = (None, None, None);
        self.questions.forget();
    }

    fn reload(&mut self) {
        self.questions.lose_worker();
    }

    fn lose_worker(&mut self) {
        self.questions.lose_worker();
        if let Some(through) = &mut self.through {
            through.question.give_up();
        }
    }

    fn fails(&mut self, model: &mut Model) {
        if self.step.is_none() && !self.trace(model).is_empty() {
            self.show_run(None, model);
        }
    }

    /// Shows the step that a link asked for, else where the run fails. A run that was shown while
    /// the rest was computed stays where it is.
    fn answered(&mut self, model: &mut Model) {
        self.questions.forget();
        (self.through, self.failure) = (None, None);
        let link = model.link.take().unwrap_or_default();
        let last = self.trace(model).len().saturating_sub(1);
        let before = model.failing.take().and_then(|failing| failing.trace.clone());
        let kept = self.step.filter(|_| before.is_some_and(|run| run == self.trace(model)));
        let step = link.step.map(|step| step as usize).or(kept).unwrap_or(last);
        self.select_step(step, model);
        if let Ok(Some(place)) = link.place::<ProjectionPlace>(WORD) {
            self.choose_failure(place.failure, link.step.map(|step| step as usize), model);
        }
        if let Some(line) = link.selection.filter(|line| *line != model.selection.line) {
            model.select_line(line);
        }
        model.reveal();
        // A link's part of the picture is the one to show, wherever its step is.
        if link.folding.is_none() {
            self.follow(model);
        }
        self.rest(model);
        if !link.through.is_empty() {
            self.ask_through(link.through, link.step.map(|step| step as usize), model);
        }
    }

    fn repaint(&mut self, model: &mut Model) {
        self.repaint_lines(model);
        let report = self.shown(model).cloned();
        // A picture of what was before the last edit has nothing to say.
        let marks = model
            .present_picture()
            .map(|picture| graph_marks(picture, &model.statements, report.as_deref()))
            .unwrap_or_default();
        if *self.marks != marks {
            self.marks = Shared::new(marks);
        }
    }

    fn ask(&mut self, model: &mut Model) {
        self.inspect(model);
    }

    fn reply(&mut self, message: ReplyMessage, model: &mut Model) -> Option<ReplyMessage> {
        let ReplyMessage { id, last, millis, reply } = message;
        match reply {
            Reply::Improved { report } if id == model.worker.awaited => {
                self.improved(report, model)
            }
            Reply::Through { through } => self.told_through(id, through, model),
            reply => return self.told(ReplyMessage { id, last, millis, reply }, model),
        }
        None
    }

    /// The check is the page's, which stops it.
    fn stop(&mut self, _: &mut Model) {}

    fn work(&mut self, ask: Ask, model: &mut Model) {
        model.run_again(ask);
    }

    fn said(&self, model: &Model) -> Said {
        self.verdict(model)
    }

    fn knows(&self, model: &Model) -> Option<String> {
        self.known(model)
    }

    fn needs_program(&self) -> bool {
        false
    }

    fn suits(&self, model: &Model) -> bool {
        !model.has_threads
    }

    fn event(&mut self, event: Box<dyn Any>, model: &mut Model) {
        let Ok(event) = event.downcast::<ProjectionEvent>() else { return };
        model.unasked &= *event == ProjectionEvent::Settled;
        match *event {
            ProjectionEvent::Through(statement, add) => {
                self.through_statement(statement, add, model)
            }
            ProjectionEvent::LeaveThrough => self.leave_through(model),
            ProjectionEvent::Failure(at) => self.choose_failure(at, None, model),
            ProjectionEvent::Query(condition) => self.ask_query(condition, model),
            ProjectionEvent::Compare => {
                self.compared = !self.compared;
                self.ask_naive(model);
                self.repaint_lines(model);
            }
            ProjectionEvent::Equalities(of) => {
                self.equalities_of = of;
                self.ask_equalities(model);
            }
            ProjectionEvent::Settled => self.inspect(model),
        }
    }

    fn key(&mut self, key: &str, model: &mut Model) -> bool {
        let enter = matches!(key, "Enter" | "AddEnter");
        if let Some(statement) = model.selection.statement.filter(|_| enter) {
            model.unasked = false;
            self.through_statement(statement, key == "AddEnter", model);
        }
        enter
    }

    fn box_selected(&mut self, location: u32, add: bool, model: &mut Model) {
        model.unasked = false;
        self.through_box(location, add, model);
    }

    fn selection_changed(&mut self, model: &mut Model) {
        self.rest(model);
    }

    fn timeline(&self, model: &Model) -> Option<Timeline> {
        let (report, count) = (self.shown(model)?, self.trace(model).len());
        let step = self.step.filter(|_| count > 0)?;
        let entry = self.trace(model).get(step)?;
        let raw = report.pushdown.is_some();
        Some(Timeline {
            step,
            count,
            name: match raw {
                true => "Run into the target".into(),
                false => capitalised(&kind_of_run(report.options.reach)),
            },
            position: (
                format!("Step {} of {count}", step + 1),
                format!("{}, line {}", place(entry, raw), entry.line),
            ),
            note: if self.through.is_some() { String::new() } else { note(report) },
            noun: "step",
            folds: folds(self.trace(model)),
            ..Timeline::default()
        })
    }

    fn entry(&self, step: usize, model: &Model) -> Option<Entry> {
        let raw = self.shown(model)?.pushdown.is_some();
        let trace = self.trace(model);
        let entry = trace.get(step)?;
        let fails = self.shown(model)?.options.reach.is_none() && step + 1 == trace.len();
        let mut drawn = Entry::of(entry, step, fails);
        drawn.place = Some(place(entry, raw));
        if raw {
            drawn.marks.iter_mut().for_each(|(_, text)| *text = "reached");
        }
        Some(drawn)
    }

    fn go_to(&mut self, step: usize, model: &mut Model) {
        self.select_step(step, model);
        model.reveal();
        self.follow(model);
        self.rest(model);
    }

    fn trace<'a>(&'a self, model: &'a Model) -> Option<(&'a [TraceEntry], usize)> {
        let trace = Projection::trace(self, model);
        (!model.dialect().is_raw() && !trace.is_empty()).then_some((trace, self.step?))
    }

    fn current_line(&self, model: &Model) -> u32 {
        self.step.and_then(|step| self.trace(model).get(step)).map_or(0, |entry| entry.line)
    }

    fn present(&self, link: &mut Permalink) {
        link.step = self.step.map(|step| step as u32);
        link.through = self.through.as_ref().map(|t| t.sets.clone()).unwrap_or_default();
        let failure = self.failure.as_ref().map_or(0, |(at, _)| *at);
        link.put(WORD, &ProjectionPlace { failure });
    }

    fn restore(&mut self, _: &Permalink) -> bool {
        // Once the run has ended: see `answered`.
        true
    }

    fn can_export(&self, what: Export, model: &Model) -> bool {
        model.can_export(what)
    }

    fn export(&self, what: Export, model: &Model, theme: Theme) -> Option<File> {
        let (fails, now) = (self.failing_location(model), self.current(model));
        model.export(what, (&self.marks, fails, now), theme)
    }

    #[cfg(feature = "ui")]
    fn panes(&self, view: &crate::ui::view::View) -> crate::ui::view::Panes {
        super::view::panes(self, view)
    }
}

/// Which run this is.
fn note(report: &Report) -> String {
    let shortest = report.shortest == Some(true);
    let Some(pushdown) = &report.pushdown else {
        let which = if shortest { "a shortest" } else { "a" };
        let run = format!("{which} {}", kind_of_run(report.options.reach));
        return format!("{run}, replayed statement by statement");
    };
    let which = match pushdown.weight.filter(|_| pushdown.run_weight == pushdown.weight) {
        Some(weight) => format!("a run of least weight {weight}"),
        None if shortest => "a shortest run".to_string(),
        None => "a run".to_string(),
    };
    format!("{which} into the target, replayed rule by rule")
}

/// Where a step is: its procedure, or the configuration before it.
fn place(entry: &TraceEntry, raw: bool) -> String {
    if raw { configuration(&entry.values) } else { entry.procedure.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::state::State;
    use crate::ui::state::effect::Effect;
    use crate::ui::state::picture::GraphEvent;
    use crate::ui::state::said::Tone;
    use crate::ui::state::testing::{failed, page, read};
    use crate::ui::state::timeline::Move;
    use crate::util::Budgets;
    use crate::wire::protocol::Request;
    use crate::wire::report::{ErrorKind, ErrorReport, FailureReport, ThroughReport};

    /// The program fails after its four statements.
    fn failing() -> State {
        let mut state = page();
        state.run(Budgets::default());
        failed(&mut state);
        state
    }

    fn step(state: &State) -> Option<usize> {
        state.tab().timeline(&state.model).map(|timeline| timeline.step)
    }

    #[test]
    fn a_run_opens_where_it_fails_and_steps_select_their_statements() {
        let mut state = failing();
        assert_eq!((step(&state), state.model.selection.statement), (Some(3), Some(4)));
        state.step(Move::First);
        assert_eq!((step(&state), state.model.selection.line), (Some(0), 1));
        assert_eq!(state.tab().current_line(&state.model), 1);
        assert!(state.key("ArrowRight") && state.key("End"));
        assert_eq!(step(&state), Some(3));
    }

    #[test]
    fn a_failing_run_is_shown_while_the_rest_is_computed() {
        let mut known = failing();
        let report = known.model.answer.take().expect("it fails").report;
        let message = "array index out of bounds: index of a".to_string();
        let error = Some(ErrorReport::new(5, ErrorKind::Bounds, message, None));
        let report = Report { error, ..(*report).clone() };
        let mut state = page();
        state.run(Budgets::default());
        read(&mut state);
        assert_eq!(step(&state), None);
        let id = state.model.worker.awaited;
        let reply = Reply::Improved { report: report.clone() };
        state.reply(ReplyMessage { id, last: false, millis: 100, reply });
        assert_eq!(step(&state), Some(3), "where it fails");
        let said = state.said();
        assert_eq!((said.tone, state.is_working()), (Tone::Failing, true));
        assert!(said.headline.contains("line 5") && said.working.starts_with("Going on"));
        state.step(Move::First);
        let (last, statements) = (true, (*state.model.statements).clone());
        let reply = Reply::Done { report, statements };
        state.reply(ReplyMessage { id, last, millis: 200, reply });
        assert_eq!((step(&state), state.said().tone), (Some(0), Tone::Unsafe), "it stays there");
    }

    #[test]
    fn every_check_that_can_fail_has_its_run_one_click_away() {
        let mut state = failing();
        let answer = state.model.answer.as_mut().expect("it fails");
        let report = (*answer.report).clone();
        let run = report.trace.clone().unwrap_or_default();
        let failure = |line, length| FailureReport {
            line,
            kind: ErrorKind::Division,
            message: "division by zero".into(),
            detail: None,
            broken: None,
            trace: run[..length].to_vec(),
            input: None,
            choices: Vec::new(),
        };
        let failures = vec![failure(5, 4), failure(2, 2)];
        answer.report = Shared::new(Report { failures, ..report });
        state.tab_event("projection", Box::new(ProjectionEvent::Failure(1)));
        assert_eq!((step(&state), state.model.paint.fails), (Some(1), 2));
        assert_eq!(state.tab().trace(&state.model).map(|(run, _)| run.len()), Some(2));
        let link = state.present();
        let place = link.place::<ProjectionPlace>("projection").expect("it was just written");
        assert_eq!(place.map(|place| place.failure), Some(1));
        state.tab_event("projection", Box::new(ProjectionEvent::Failure(0)));
        assert_eq!(step(&state), Some(3), "the first one again");
    }

    #[test]
    fn playing_begins_anew_at_the_end_and_stops_there() {
        let mut state = failing();
        state.step(Move::Play);
        assert_eq!((step(&state), state.model.playing), (Some(0), true));
        (0..3).for_each(|_| state.tick());
        assert_eq!((step(&state), state.model.playing), (Some(3), false));
        state.step(Move::Play);
        state.step(Move::Play);
        assert!(!state.model.playing);
    }

    #[test]
    fn a_link_opens_at_its_step() {
        let mut state = page();
        state.model.link = Some(Permalink { step: Some(1), ..Permalink::default() });
        state.run(Budgets::default());
        failed(&mut state);
        assert_eq!((step(&state), state.present().step), (Some(1), Some(1)));
    }

    #[test]
    fn the_failing_statement_is_marked() {
        let state = failing();
        let drawn = |step| state.tab().entry(step, &state.model).expect("it has four steps");
        assert_eq!(drawn(3).marks, [("fails-here", "fails here")]);
        assert!(drawn(0).marks.is_empty());
        assert!(state.tab().entry(4, &state.model).is_none());
    }

    #[test]
    fn a_run_through_two_boxes_is_asked_for_and_left() {
        let mut state = failing();
        state.settle();
        state.graph_event(&GraphEvent::Select(0));
        state.graph_event(&GraphEvent::Add(1));
        let sets = state.present().through;
        assert_eq!(sets, [vec![0], vec![1]]);
        state.tab_event("projection", Box::new(ProjectionEvent::LeaveThrough));
        let sent = state.settle();
        let given_up = |effect: &Effect| match effect {
            Effect::Send(_, Request::Through { sets }, _) => sets.is_empty(),
            _ => false,
        };
        assert!(sent.iter().any(given_up), "{sent:?}");
        assert!(state.present().through.is_empty());
    }

    #[test]
    fn where_no_run_goes_through_a_box_the_step_stays() {
        let mut state = failing();
        state.step(Move::First);
        state.graph_event(&GraphEvent::Select(2));
        let selected = state.model.selection.clone();
        let asked = state.settle().into_iter().find_map(|effect| match effect {
            Effect::Send(id, Request::Through { .. }, _) => Some(id),
            _ => None,
        });
        let through = Some(ThroughReport { lines: vec![3], never: vec![3], ..none() });
        state.reply(ReplyMessage {
            id: asked.expect("a run through the box is asked for"),
            last: true,
            millis: 1,
            reply: Reply::Through { through },
        });
        assert_eq!(step(&state), Some(0));
        assert_eq!(state.model.selection, selected);
    }

    /// There is no such run.
    fn none() -> ThroughReport {
        ThroughReport {
            lines: Vec::new(),
            sets: Vec::new(),
            exists: Some(false),
            never: Vec::new(),
            each_alone: false,
            limit: None,
            error: None,
            pushdown: false,
            weight: None,
            trace: None,
        }
    }

    #[test]
    fn a_statement_is_looked_into_only_while_its_tab_is_shown() {
        let mut state = failing();
        state.settle();
        let rest = |state: &mut State| {
            state.tab_event("projection", Box::new(ProjectionEvent::Settled));
        };
        let inspects = |state: &mut State| {
            let is_inspect =
                |effect: &Effect| matches!(effect, Effect::Send(_, Request::Inspect { .. }, _));
            state.settle().iter().filter(|effect| is_inspect(effect)).count()
        };
        state.show("lab");
        rest(&mut state);
        assert_eq!(inspects(&mut state), 0);
        state.show("projection");
        assert_eq!(inspects(&mut state), 1);
        rest(&mut state);
        assert_eq!(inspects(&mut state), 0, "it is asked already");
    }
}
