//! Liveness as a tab of the page.

use super::state::{Liveness, LivenessEvent, WORD};
use crate::draw::svg::{Theme, style};
use crate::ui::state::export::{Export, File};
use crate::ui::state::model::Model;
use crate::ui::state::paint::Paint;
use crate::ui::state::said::{Ask, Said};
use crate::ui::state::shared::Shared;
use crate::ui::state::timeline::{Entry, Timeline};
use crate::ui::tab::{Help, Tab};
use crate::wire::liveness::AutomatonPicture;
use crate::wire::permalink::{LivenessPlace, Permalink};
use crate::wire::protocol::{Reply, ReplyMessage};
use crate::wire::report::TraceEntry;
use std::any::Any;

const HELP: Help = Help {
    brief: [
        "A formula speaks of whole runs: G p says that p always holds, F p that it holds some \
         time, p U q that p holds until q does.",
        "A run that violates it goes round a cycle for ever. Play it: behind the last step it \
         goes on where the cycle begins. Lit is what violating runs execute, or only the cycle.",
        "The table says what is true in each state; a click on a column goes there.",
    ],
    picture: include_str!("../../../../static/help/liveness.svg"),
    text: &["The tab Liveness asks whether every run satisfies a formula of linear temporal \
        logic, or whether every run ends. Conditions over globals are atoms, as in \
        G (lock == 1 -> F lock == 0); at(12) and at(label) name a place, enter(f) and leave(f) a \
        procedure, fails a failure, and inside(f: x > 0) speaks of f's own variables. A program \
        can ask by itself: //! ltl = FORMULA, or //! terminates. The negation becomes a Büchi \
        automaton, which runs beside the program; the stack may grow without bound. Lit is every \
        statement that some violating run executes; of any other line the inspector says whether \
        runs pass it at all. With fair choices (or //! fair) only runs count on which no choice, \
        such as *, is for ever made the same way. In a pushdown system the atoms are its lines \
        atom NAME = <p, a>, <q, .>."],
    keys: &[("Enter", "in the field of Liveness: ask")],
};

impl Liveness {
    /// Editor and picture show the step.
    fn show(&self, model: &mut Model) {
        let Some(entry) = self.trace().get(self.step) else { return };
        model.select_step(entry.line, entry.edge);
        model.reveal();
        if let Some((location, _)) = self.current(model)
            && model.bring(location, false)
        {
            model.draw();
        }
    }

    fn automaton_picture(&self) -> Option<&AutomatonPicture> {
        self.found()?.automaton.as_ref()
    }
}

impl Tab for Liveness {
    fn name(&self) -> &'static str {
        "Liveness"
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
        self.work.invalidate();
        self.paint = Shared::default();
    }

    fn lose_worker(&mut self) {
        self.give_up();
    }

    fn repaint(&mut self, model: &mut Model) {
        self.redraw(model);
    }

    fn ask(&mut self, model: &mut Model) {
        self.analyse(model);
    }

    fn reply(&mut self, message: ReplyMessage, model: &mut Model) -> Option<ReplyMessage> {
        let ReplyMessage { id, last, millis, reply } = message;
        match reply {
            Reply::Progress { progress: at, .. } if self.work.waits_for(id) => {
                if let Some(progress) = self.work.progress(id) {
                    *progress = (at.stage, millis);
                }
            }
            Reply::Cut if self.work.cut(id) => {}
            Reply::Lived { answer } => {
                if self.told(id, *answer, millis) {
                    model.playing = false;
                    self.redraw(model);
                    if model.shown == WORD {
                        self.show(model);
                    }
                }
            }
            reply => return Some(ReplyMessage { id, last, millis, reply }),
        }
        None
    }

    fn stop(&mut self, model: &mut Model) {
        model.stop(&mut self.work);
    }

    fn work(&mut self, ask: Ask, model: &mut Model) {
        ask.readies(&mut self.work);
        self.analyse_anew(model);
    }

    fn said(&self, model: &Model) -> Said {
        self.verdict(model)
    }

    fn knows(&self, _: &Model) -> Option<String> {
        self.known()
    }

    fn suits(&self, _: &Model) -> bool {
        false
    }

    fn event(&mut self, event: Box<dyn Any>, model: &mut Model) {
        let Ok(event) = event.downcast::<LivenessEvent>() else { return };
        match *event {
            LivenessEvent::Draft(formula) => self.draft(formula),
            LivenessEvent::Kind(is_termination) => self.choose(is_termination, model),
            LivenessEvent::Fair(fair) => {
                self.fair = Some(fair);
                self.analyse_anew(model);
            }
            LivenessEvent::Ask => self.analyse_anew(model),
            LivenessEvent::Automaton(shown) => self.automaton = shown,
            LivenessEvent::Cycle(only) => {
                self.cycle_only = only;
                self.redraw(model);
            }
            LivenessEvent::Column(column) => {
                let states = self.found.as_ref().and_then(|found| found.lasso());
                let entry = states.and_then(|lasso| lasso.states.get(column)).map(|s| s.entry);
                if let Some(entry) = entry {
                    let last = self.trace().len().saturating_sub(1);
                    self.go_to((entry as usize).min(last), model);
                    self.column = Some(column);
                }
            }
        }
    }

    fn timeline(&self, _: &Model) -> Option<Timeline> {
        let entry = self.trace().get(self.step)?;
        let count = self.trace().len();
        let wraps_to = self.found.as_ref().and_then(|found| found.cycle_at());
        Some(Timeline {
            step: self.step,
            count,
            wraps_to,
            name: "Run".into(),
            class: "liveness-timeline",
            position: (
                format!("Step {} of {count}", self.step + 1),
                format!("{}, line {}", entry.procedure, entry.line),
            ),
            note: self.goes_on(),
            noun: "step",
            ..Timeline::default()
        })
    }

    fn entry(&self, step: usize, _: &Model) -> Option<Entry> {
        let mut drawn = Entry::of(self.trace().get(step)?, step, false);
        let cycle = self.found.as_ref().and_then(|found| found.cycle_at());
        let last = step + 1 == self.trace().len();
        if let Some(first) = cycle.filter(|first| step >= *first) {
            drawn.classes.push("in-cycle");
            drawn.begins = Some("in-cycle");
            if step == first {
                drawn.begins = Some("in-cycle first-of-cycle");
                drawn.marks.push(("round", "the cycle begins"));
            } else if last {
                drawn.marks.push(("round", "↻"));
            }
        }
        Some(drawn)
    }

    fn go_to(&mut self, step: usize, model: &mut Model) {
        (self.step, self.column) = (step, None);
        self.show(model);
    }

    fn trace<'a>(&'a self, _: &'a Model) -> Option<(&'a [TraceEntry], usize)> {
        (!self.trace().is_empty()).then(|| (Liveness::trace(self), self.step))
    }

    fn current_line(&self, _: &Model) -> u32 {
        let entry = Liveness::trace(self).get(self.step).filter(|_| self.work.is_fresh());
        entry.map_or(0, |entry| entry.line)
    }

    fn paint<'a>(&'a self, _: &'a Model) -> &'a Shared<Paint> {
        &self.paint
    }

    fn present(&self, link: &mut Permalink) {
        link.put(self.word(), &self.place());
    }

    fn restore(&mut self, link: &Permalink) -> bool {
        let place = link.place::<LivenessPlace>(self.word());
        place.map(|place| place.into_iter().for_each(|place| self.open_at(place))).is_ok()
    }

    fn can_export(&self, what: Export, model: &Model) -> bool {
        match what {
            Export::Svg | Export::Png if self.automaton => self.automaton_picture().is_some(),
            Export::Report => self.work.is_fresh() && self.found().is_some(),
            Export::Witness | Export::Harness | Export::Input => false,
            _ => model.can_export(what),
        }
    }

    fn export(&self, what: Export, model: &Model, theme: Theme) -> Option<File> {
        match what {
            Export::Report => Some(File::Json(self.found()?.json.clone())),
            Export::Svg | Export::Png if self.automaton => {
                let AutomatonPicture { content, size, .. } = self.automaton_picture()?;
                let svg = format!(
                    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w:.0}\" height=\"{h:.0}\" \
                     viewBox=\"0 0 {w:.0} {h:.0}\">\n<style>{}</style>\n<rect class=\"ground\" \
                     width=\"100%\" height=\"100%\"/>\n{content}</svg>\n",
                    style(theme),
                    w = size.x,
                    h = size.y,
                );
                Some(File::Picture(svg, size.x, size.y))
            }
            _ => model.export(what, (&self.marks, None, self.current(model)), theme),
        }
    }

    #[cfg(feature = "ui")]
    fn panes(&self, view: &crate::ui::view::View) -> crate::ui::view::Panes {
        super::view::panes(self, view)
    }
}
