//! The lab's effects: what it asks the worker for, and when.

use super::{App, Msg};
use crate::report::lab::LabReport;
use crate::ui::analysis::Analysis;
use crate::ui::lab::{LabEvent, LabQuestion};
use crate::wire::protocol::Request;
use gloo::timers::callback::Timeout;
use yew::Context;

/// Stepping quickly asks once, at the end, after so many milliseconds.
const REST: u32 = 60;

impl App {
    /// Something happened in the lab.
    pub(super) fn lab_event(&mut self, ctx: &Context<Self>, event: LabEvent) {
        let lab = &mut self.model.lab;
        match event {
            LabEvent::Task(task) if task != lab.task => {
                lab.task = task;
                self.record_anew(ctx);
            }
            LabEvent::Set(set) if set.trim() != lab.set.trim() => {
                lab.set = set;
                self.record_anew(ctx);
            }
            LabEvent::Task(_) | LabEvent::Set(_) => {}
            LabEvent::Automaton(automaton) => {
                self.player = None;
                lab.show(automaton);
                self.lab_soon(ctx);
            }
            LabEvent::Select(selected) => {
                lab.selected = selected;
                self.lab_soon(ctx);
            }
            LabEvent::Ask(set) => {
                lab.question = set;
                self.ask_lab();
            }
            LabEvent::Transfer(from, to) => {
                lab.transfer = (from, to);
                self.ask_lab();
            }
            LabEvent::Stop => self.stop_recording(),
            LabEvent::Again => self.record_anew(ctx),
            LabEvent::Settled => self.ask_lab(),
        }
    }

    /// Goes to a step of the recording.
    pub(in crate::ui) fn go_to_lab_step(&mut self, ctx: &Context<Self>, step: usize) {
        self.model.lab.step = step;
        self.lab_soon(ctx);
    }

    /// Something else is to be recorded.
    fn record_anew(&mut self, ctx: &Context<Self>) {
        self.player = None;
        self.stop_recording();
        self.model.lab.invalidate();
        self.record(ctx);
    }

    /// Asks for a recording, if the lab is shown and there is something to record that is not
    /// recorded yet.
    pub(super) fn record(&mut self, ctx: &Context<Self>) {
        let lab = &self.model.lab;
        let wanted = self.analysis == Analysis::Lab
            && !lab.fresh
            && lab.asked.is_none()
            && !self.model.source.trim().is_empty();
        if !wanted || !self.heard || self.model.broken() {
            // A program that is being read is recorded once it was.
            return;
        }
        if !self.loaded {
            self.load(ctx);
            return;
        }
        let id = self.next_request();
        self.model.lab.asked = Some((id, 0));
        let options = self.model.lab.options();
        self.send(id, Request::Lab { options });
    }

    /// A recording has arrived.
    pub(super) fn recorded(&mut self, ctx: &Context<Self>, id: u32, report: LabReport) {
        if self.model.lab.asked.is_none_or(|(asked, _)| asked != id) {
            return;
        }
        self.player = None;
        self.model.lab.recorded(report);
        self.lab_soon(ctx);
    }

    /// How far a recording is. False if the number is not its.
    pub(super) fn recording_progress(&mut self, id: u32, items: u64) -> bool {
        match &mut self.model.lab.asked {
            Some((asked, done)) if *asked == id => {
                *done = items;
                true
            }
            _ => false,
        }
    }

    /// Ends a recording that is on its way, where it is.
    pub(super) fn stop_recording(&mut self) {
        if let Some((id, _)) = self.model.lab.asked {
            self.halt(id);
        }
    }

    /// Asks what there is to ask about step and selection, once they rest.
    fn lab_soon(&mut self, ctx: &Context<Self>) {
        let link = ctx.link().clone();
        self.pending_lab =
            Some(Timeout::new(REST, move || link.send_message(Msg::Lab(LabEvent::Settled))));
    }

    /// Asks for the witness of the selected transition and for the weight that the field asks for.
    pub(super) fn ask_lab(&mut self) {
        let id = self.next_request();
        if let Some((automaton, transition, step)) = self.model.lab.witness_to_ask(id) {
            self.send(id, Request::LabWitness { automaton, transition, step: Some(step) });
        }
        let id = self.next_request();
        match self.model.lab.question_to_ask(id) {
            Some(LabQuestion::Weight { automaton, step, set }) => {
                self.send(
                    id,
                    Request::LabWeight {
                        automaton: automaton as u32,
                        set,
                        step: Some(step as u32),
                    },
                );
            }
            Some(LabQuestion::Transfer { from, to }) => {
                self.send(id, Request::LabTransfer { from, to })
            }
            None => {}
        }
    }
}
