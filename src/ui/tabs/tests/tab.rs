//! Tests as a tab of the page.

use super::state::{Tests, TestsEvent, WORD};
use crate::draw::svg::Theme;
use crate::ui::state::export::{Export, File};
use crate::ui::state::model::Model;
use crate::ui::state::paint::Paint;
use crate::ui::state::said::{Ask, Said};
use crate::ui::state::shared::Shared;
use crate::ui::state::timeline::{Entry, Timeline};
use crate::ui::tab::{Help, Tab};
use crate::wire::options::Dialect;
use crate::wire::permalink::{Permalink, TestsPlace};
use crate::wire::protocol::{Reply, ReplyMessage};
use crate::wire::trace::TraceEntry;
use std::any::Any;

const HELP: Help = Help {
    brief: [
        "A test is what a program in C or Java reads and what it should print. Run tests executes the program \
         on each, as a machine would, and says what is wrong first.",
        "Where a test fails, hints open one by one: the line that printed it, the suspected lines, \
         what kind of mistake it is, a change with which all tests pass. Its run can be stepped \
         through, with what was printed so far and what is left to read.",
        "With a reference, a correct solution, an input is found on which both differ; it can \
         become a test.",
    ],
    picture: include_str!("../../../../static/help/tests.svg"),
    text: &[
        "The tab Tests executes the program itself, with the numbers and the memory that C has, \
        so it also takes programs that the other tabs cannot read. Files NAME.in and NAME.out become \
        the test NAME. A test can stand in a comment of the program: /*! test NAME, the input, a \
        line with ---, the expected output, and */. Outputs are compared line by line, where white \
        space at the ends of lines does not count; exactly; by their words; or by their words with \
        numbers that may differ by a millionth. An input whose last line has no end gets one. A run \
        that never ends is recognised by a state that comes back. Lines that no test executes are \
        dim. With the suspected lines a failing run is compared with the passing run that is \
        closest to it: where the two part, with which values, and what only it executes. Predict, \
        below what is watched, asks what a statement makes of a variable before it is \
        shown. Inputs of the reference are those \
        of a domain such as n in 1..100, then n times int; without one it is read off what the \
        reference reads. The smallest difference is shown. Equal is said only where all inputs of \
        the domain were executed. Exercise makes one of the program, as its solution, and its \
        tests: what is asked, what students begin with, and which tests are hidden. Whoever does an \
        exercise has attempts that are kept, and hints that are counted. Tests and reference stay \
        when another program is pasted, they are \
        in links and come back with the browser's Back and Reload; a new visit begins without them.",
    ],
    keys: &[("Ctrl Enter", "in Tests: run the tests")],
};

impl Tab for Tests {
    fn name(&self) -> &'static str {
        "Tests"
    }

    fn word(&self) -> &'static str {
        WORD
    }

    fn help(&self) -> Help {
        HELP
    }

    fn forget(&mut self) {
        self.forget_program();
    }

    fn invalidate(&mut self) {
        self.running.work.invalidate();
        self.explaining.work.invalidate();
        self.comparing.work.invalidate();
        self.leave_run();
    }

    fn edited(&mut self) {
        self.want_nothing();
    }

    fn lose_worker(&mut self) {
        self.running.work.give_up();
        self.explaining.work.give_up();
        self.comparing.work.give_up();
        self.stepping.work.give_up();
    }

    fn ask(&mut self, model: &mut Model) {
        self.analyse(model);
    }

    fn reply(&mut self, message: ReplyMessage, model: &mut Model) -> Option<ReplyMessage> {
        let ReplyMessage { id, last, millis, reply } = message;
        match reply {
            Reply::Tested { answer } => {
                let ran = self.running.work.waits_for(id);
                if self.told(id, *answer) {
                    if ran {
                        self.mark(model);
                        self.analyse(model);
                    }
                    self.follow_link(model);
                }
            }
            Reply::Equated { answer } => {
                self.told_of_reference(id, *answer);
            }
            Reply::Executed { run } => {
                if self.told_run(id, *run) {
                    self.go_to(self.stepping.step, model);
                }
            }
            reply => return Some(ReplyMessage { id, last, millis, reply }),
        }
        None
    }

    fn stop(&mut self, model: &mut Model) {
        model.stop(&mut self.running.work);
        model.stop(&mut self.explaining.work);
        model.stop(&mut self.comparing.work);
    }

    fn work(&mut self, _: Ask, model: &mut Model) {
        self.run(model);
    }

    fn said(&self, model: &Model) -> Said {
        self.verdict(model)
    }

    fn knows(&self, _: &Model) -> Option<String> {
        self.known()
    }

    /// Who pastes a program while the tab is shown stays on it.
    fn needs_program(&self) -> bool {
        false
    }

    fn suits(&self, model: &Model) -> bool {
        model.shown == WORD && matches!(model.dialect(), Dialect::C | Dialect::Java)
    }

    fn event(&mut self, event: Box<dyn Any>, model: &mut Model) {
        let Ok(event) = event.downcast::<TestsEvent>() else { return };
        match *event {
            TestsEvent::Add => self.add(),
            TestsEvent::Remove(at) => self.remove(at),
            TestsEvent::Name(at, name) => self.set(at, |test| test.name = name),
            TestsEvent::Input(at, input) => self.set(at, |test| test.input = input),
            TestsEvent::Expected(at, expected) => self.set(at, |test| test.expected = expected),
            TestsEvent::Files(files) => self.take(files),
            TestsEvent::Compare(compare) => self.choose(compare),
            TestsEvent::Run => {
                self.run(model);
            }
            TestsEvent::Row(row) => self.open(row),
            TestsEvent::Step(row) => self.step_through(row, model),
            TestsEvent::LeaveRun => self.leave_run(),
            TestsEvent::Suspects => {
                self.hint(model);
                self.explain(model);
            }
            TestsEvent::Kind(at) => {
                self.kinds.insert(at);
                self.hint(model);
            }
            TestsEvent::Change(at) => {
                self.changes.insert(at);
                self.hint(model);
            }
            TestsEvent::Reference(reference) => self.reference = reference,
            TestsEvent::Domain(domain) => self.domain = domain,
            TestsEvent::Differ => self.differ(model),
            TestsEvent::Keep => self.keep(),
            TestsEvent::Exercise(event) => self.exercise_event(event, model),
            TestsEvent::Rule(event) => self.rule_event(event, model),
        }
    }

    fn key(&mut self, key: &str, model: &mut Model) -> bool {
        key == "Run" && !model.is_blank() && self.run(model)
    }

    fn timeline(&self, _: &Model) -> Option<Timeline> {
        self.stepping.timeline()
    }

    fn entry(&self, step: usize, _: &Model) -> Option<Entry> {
        self.stepping.entry(step)
    }

    fn go_to(&mut self, step: usize, model: &mut Model) {
        self.stepping.step = step;
        let line = self.stepping.line();
        if line != 0 {
            model.select_line(line);
            // Also where no other tab reads the program.
            model.selection.line = line;
            model.reveal();
        }
    }

    fn trace<'a>(&'a self, _: &'a Model) -> Option<(&'a [TraceEntry], usize)> {
        let trace = self.stepping.trace();
        (!trace.is_empty()).then_some((trace, self.stepping.step))
    }

    fn current_line(&self, _: &Model) -> u32 {
        self.stepping.line()
    }

    fn paint<'a>(&'a self, _: &'a Model) -> &'a Shared<Paint> {
        if self.is_stale() { &self.no_paint } else { &self.paint }
    }

    fn present(&self, link: &mut Permalink) {
        link.put(self.word(), &self.place());
    }

    fn restore(&mut self, link: &Permalink) -> bool {
        let place = link.place::<TestsPlace>(self.word());
        place.map(|place| self.open_at(place.unwrap_or_default())).is_ok()
    }

    fn can_export(&self, what: Export, model: &Model) -> bool {
        match what {
            Export::Report => !self.is_stale() && self.report().is_some(),
            Export::Input => self.open_test().is_some(),
            Export::Witness | Export::Harness => false,
            _ => model.can_export(what),
        }
    }

    fn export(&self, what: Export, model: &Model, theme: Theme) -> Option<File> {
        match what {
            Export::Report => Some(File::Json(self.report()?.json.clone())),
            Export::Input => Some(File::Text(self.open_test()?.input.clone())),
            _ => model.export(what, (&Default::default(), None, None), theme),
        }
    }

    #[cfg(feature = "ui")]
    fn panes(&self, view: &crate::ui::view::View) -> crate::ui::view::Panes {
        super::view::panes(self, view)
    }
}
