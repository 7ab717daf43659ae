//! Explanations as a tab of the page.

use super::state::{Explain, ExplainEvent, Progress};
use crate::draw::svg::Theme;
use crate::ui::state::effect::Effect;
use crate::ui::state::export::{Export, File};
use crate::ui::state::model::Model;
use crate::ui::state::paint::Paint;
use crate::ui::state::said::{Ask, Said};
use crate::ui::state::shared::Shared;
use crate::ui::state::timeline::{Entry, Timeline};
use crate::ui::tab::{Help, Tab};
use crate::wire::explain::{ExplainAsk, Level};
use crate::wire::localize::CauseReport;
use crate::wire::permalink::{ExplainPlace, Permalink};
use crate::wire::protocol::{Reply, ReplyMessage};
use crate::wire::report::TraceEntry;
use std::any::Any;

const HELP: Help = Help {
    brief: [
        "A failing run stands beside the correct run that is closest to it, and a mark shows \
         where they part.",
        "Four levels go from the whole program to the failing run, to the statements that \
         matter, and to the place where you would mend it.",
        "On the right are the cause, suspicious statements, and repairs that were checked before \
         they are offered.",
    ],
    picture: include_str!("../../../../static/help/explain.svg"),
    text: &[
        "The tab Explain says why a program fails. Four levels of detail zoom in on one error: the \
         program, a failing run, the focus sequence (the statements that made it fail; without the \
         others it fails all the same) and the NEST, the neighborhood of error statements, where \
         to mend it.",
        "A cause is what a failing run does and no correct run does: by edges, whatever the \
         values; by transitions, with these values. Correct runs pass the check that fails. Where \
         nothing passes it, as at reach_error(), correct runs reach the end of main; a run that \
         exits before does not count. Where the runs are shown, the failing run is compared row by \
         row with the correct run that is closest to it (or with a close one, where the closest is \
         not found), and a row marks where they part.",
        "Ways to fail are listed the simplest first, with what each assumes of inputs and \
         uninitialised variables. The chips keep only assumptions over the inputs that you \
         choose. A statement is suspicious if one small change of it (another operator, number or \
         variable, a part negated, left out or added) lets known failing runs pass and keeps known \
         passing runs passing. Both are counted by executing runs, and nothing is proved. A \
         suggested repair was checked before it is offered, and says what was proved. A change of \
         what only reports the error stands last, under Weakens the check. Apply edits the \
         program; undo takes it back.",
    ],
    keys: &[
        ("1 2 3 4", "in Explain: program, failing run, focus sequence, NEST"),
        ("[ ]", "in Explain: the failing run, or the sequence, before and after"),
    ],
};

impl Explain {
    /// The source, the picture and the selection follow the level and its step.
    fn show(&mut self, model: &mut Model) {
        self.repaint(model);
        let Some(row) = self.row() else { return };
        model.select_step(row.line, row.edge);
        model.reveal();
        model.follow_selection();
    }

    /// Box and statement of the step.
    pub(crate) fn current(&self, model: &Model) -> Option<(u32, Option<u32>)> {
        let edge = self.row()?.edge;
        Some((model.location(edge)?, edge))
    }

    /// The box where the shown run fails.
    pub(crate) fn failing_location(&self, model: &Model) -> Option<u32> {
        model.location(self.trace().last().filter(|_| self.work.is_fresh())?.edge)
    }

    /// Is the last row of the level the failing statement?
    fn fails(&self) -> bool {
        let last = self.rows.last().and_then(|row| row.row);
        last.is_some_and(|last| last + 1 == self.trace().len())
    }

    /// Edits the program as a repair says, and has it run; the editor's undo takes it back.
    fn apply_repair(&self, repair: usize, model: &mut Model) {
        let found = self.found.as_ref().filter(|_| self.work.is_fresh());
        let repair = found.and_then(|found| found.repairs.as_ref()?.repairs.get(repair));
        model.effect(match repair.and_then(|repair| repair.apply(&model.source)) {
            Some(text) => Effect::Edit(text),
            None => Effect::Notice(
                "The program has changed since this repair was found: explain it again.".into(),
            ),
        });
    }

    fn explain_other(&mut self, ask: ExplainAsk, model: &mut Model) {
        if ask != self.ask {
            self.ask = ask;
            self.explain_anew(model);
        }
    }

    /// What the timeline is called, and its note.
    fn spoken(&self) -> (&'static str, &'static str) {
        match self.shown_level() {
            Level::Program | Level::Run => ("Failing run", "replayed statement by statement"),
            Level::Focus => (
                "Focus sequence",
                "each statement as the run executes it; the statements between made no difference",
            ),
            Level::Nest => ("NEST", "where to mend it"),
        }
    }
}

impl Tab for Explain {
    fn name(&self) -> &'static str {
        "Explain"
    }

    fn word(&self) -> &'static str {
        "explain"
    }

    fn help(&self) -> Help {
        HELP
    }

    fn forget(&mut self) {
        let ask = ExplainAsk { uninterpreted: Vec::new(), ..self.ask.clone() };
        let (level, side_by_side) = (self.level, self.side_by_side);
        *self = Explain { ask, level, side_by_side, ..Explain::default() };
    }

    fn invalidate(&mut self) {
        self.work.invalidate();
    }

    /// What it has told is still true.
    fn lose_worker(&mut self) {
        self.work.give_up();
    }

    fn repaint(&mut self, model: &mut Model) {
        self.paint_level(&model.statements, model.present_picture());
    }

    fn ask(&mut self, model: &mut Model) {
        self.explain(model);
    }

    fn reply(&mut self, message: ReplyMessage, model: &mut Model) -> Option<ReplyMessage> {
        let ReplyMessage { id, last, millis, reply } = message;
        match reply {
            Reply::Cut if self.work.cut(id) => {}
            Reply::Progress { progress, .. } if self.work.waits_for(id) => {
                let told = Progress { stage: progress.stage, millis };
                self.work.progress(id).into_iter().for_each(|progress| *progress = told.clone());
            }
            Reply::Explained { explanation, json } => {
                if self.told(id, *explanation, last, millis) {
                    self.json = json;
                    model.playing = false;
                    // While the user types, the editor stays where it is.
                    match model.wanted && model.shown == self.word() {
                        true => self.show(model),
                        false => self.repaint(model),
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
        self.explain_anew(model);
    }

    fn said(&self, _: &Model) -> Said {
        self.verdict()
    }

    fn knows(&self, _: &Model) -> Option<String> {
        self.known()
    }

    fn suits(&self, model: &Model) -> bool {
        model.is_sequential()
    }

    fn event(&mut self, event: Box<dyn Any>, model: &mut Model) {
        let Ok(event) = event.downcast::<ExplainEvent>() else { return };
        match *event {
            ExplainEvent::Other(ask) => return self.explain_other(ask, model),
            ExplainEvent::Level(level) => {
                self.show_level(level);
                model.playing = false;
            }
            ExplainEvent::SideBySide(on) => self.side_by_side = on,
            ExplainEvent::Run(run) => {
                self.show_run(run);
                model.playing = false;
            }
            ExplainEvent::Sequence(sequence) => {
                self.show_sequence(sequence);
                model.playing = false;
            }
            ExplainEvent::Input(name) => return self.toggle_input(name),
            ExplainEvent::AllInputs => return self.inputs.clear(),
            ExplainEvent::Row(row) => {
                if let Some(step) = self.rows.iter().position(|r| r.row == Some(row)) {
                    self.step = Some(step);
                }
            }
            ExplainEvent::Apply(repair) => return self.apply_repair(repair, model),
        }
        self.show(model);
    }

    fn key(&mut self, key: &str, model: &mut Model) -> bool {
        let event = match key {
            "1" | "2" | "3" | "4" => {
                let level = Level::ALL[usize::from(key.as_bytes()[0] - b'1')];
                self.has(level).then_some(ExplainEvent::Level(level))
            }
            "[" => self.neighbor(-1),
            "]" => self.neighbor(1),
            _ => return false,
        };
        if let Some(event) = event {
            self.event(Box::new(event), model);
        }
        true
    }

    /// The step goes to the box's statement, if the level has one there.
    fn box_selected(&mut self, location: u32, _: bool, model: &mut Model) {
        let here = |edge: Option<u32>| model.location(edge) == Some(location);
        if let Some(step) = self.rows.iter().position(|row| here(row.edge)) {
            self.step = Some(step);
        }
    }

    fn timeline(&self, _: &Model) -> Option<Timeline> {
        let (step, count) = (self.step(), self.rows.len());
        let row = self.row()?;
        let (name, note) = self.spoken();
        Some(Timeline {
            step,
            count,
            name: name.into(),
            class: "explain-timeline",
            position: (
                format!("{name}: {} of {count}", step + 1),
                format!("{}, line {}", row.procedure, row.line),
            ),
            note: note.into(),
            noun: "step",
            ..Timeline::default()
        })
    }

    fn entry(&self, step: usize, _: &Model) -> Option<Entry> {
        let row = self.rows.get(step)?;
        // A mark on every statement would say nothing.
        let tells_apart =
            self.shown_level() == Level::Focus && self.rows.iter().any(|row| !row.nest);
        let nest = row.nest && tells_apart;
        let fails = self.fails() && step + 1 == self.rows.len();
        let mut drawn = Entry {
            number: (step + 1).to_string(),
            place: Some(row.procedure.clone()),
            line: format!("line {}", row.line),
            text: row.statement.clone(),
            depth: Some(row.depth),
            title: format!("line {}: {}", row.line, row.statement),
            ..Entry::default()
        };
        if fails {
            drawn.classes.push("fails");
        }
        if nest {
            drawn.classes.push("in-nest");
            drawn.marks.push(("nest-mark", "NEST"));
        }
        if fails {
            drawn.marks.push(("fails-here", "fails here"));
        }
        Some(drawn)
    }

    fn go_to(&mut self, step: usize, model: &mut Model) {
        self.step = Some(step);
        self.show(model);
    }

    fn trace<'a>(&'a self, _: &'a Model) -> Option<(&'a [TraceEntry], usize)> {
        Some((Explain::trace(self), self.row()?.row?))
    }

    fn current_line(&self, _: &Model) -> u32 {
        self.row().map_or(0, |row| row.line)
    }

    fn paint<'a>(&'a self, _: &'a Model) -> &'a Shared<Paint> {
        &self.paint
    }

    fn present(&self, link: &mut Permalink) {
        link.put(self.word(), &self.place());
    }

    fn restore(&mut self, link: &Permalink) -> bool {
        let place = link.place::<ExplainPlace>(self.word());
        place.map(|place| place.into_iter().for_each(|place| self.open_at(place))).is_ok()
    }

    fn causes(&self) -> &[CauseReport] {
        let found = self.found.as_ref().filter(|_| self.work.is_fresh());
        found.map_or(&[], |found| &found.causes)
    }

    fn can_export(&self, what: Export, model: &Model) -> bool {
        match what {
            Export::Report => self.work.is_fresh(),
            _ => model.can_export(what),
        }
    }

    fn export(&self, what: Export, model: &Model, theme: Theme) -> Option<File> {
        if what == Export::Report {
            return self.work.is_fresh().then(|| File::Json(self.json.clone()));
        }
        let (fails, now) = (self.failing_location(model), self.current(model));
        model.export(what, (&self.marks, fails, now), theme)
    }

    #[cfg(feature = "ui")]
    fn panes(&self, view: &crate::ui::view::View) -> crate::ui::view::Panes {
        super::view::panes(self, view)
    }
}
