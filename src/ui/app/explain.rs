//! The effects of explanations: what they ask the worker for, and when; repairs that are applied.

use super::App;
use crate::report::explain::{Explanation, Level};
use crate::ui::analysis::Analysis;
use crate::ui::explain::ExplainEvent;
use crate::ui::model::Selection;
use crate::wire::protocol::{Budgets, Request};
use yew::Context;

impl App {
    /// Something happened on the page of explanations.
    pub(super) fn explain_event(&mut self, ctx: &Context<Self>, event: ExplainEvent) {
        let explain = &mut self.model.explain;
        match event {
            ExplainEvent::Ask(ask) => {
                if ask != explain.ask {
                    explain.ask = ask;
                    self.explain_anew(ctx);
                }
                return;
            }
            ExplainEvent::Level(level) => {
                explain.show_level(level);
                self.player = None;
            }
            ExplainEvent::SideBySide(on) => explain.side_by_side = on,
            ExplainEvent::Run(run) => {
                explain.show_run(run);
                self.player = None;
            }
            ExplainEvent::Sequence(sequence) => {
                explain.show_sequence(sequence);
                self.player = None;
            }
            ExplainEvent::Input(name) => {
                explain.toggle_input(name);
                return;
            }
            ExplainEvent::AllInputs => {
                explain.inputs.clear();
                return;
            }
            ExplainEvent::Row(row) => {
                if let Some(step) = explain.rows.iter().position(|r| r.row == Some(row)) {
                    explain.go_to(step);
                }
            }
            ExplainEvent::Apply(repair) => return self.apply_repair(ctx, repair),
            ExplainEvent::Stop => return self.stop_explaining(),
            ExplainEvent::Again => return self.explain_anew(ctx),
            ExplainEvent::More => {
                explain.go_on();
                return self.explain_anew(ctx);
            }
        }
        self.show_explained();
    }

    /// The source, the picture and the selection follow the level and its step.
    fn show_explained(&mut self) {
        self.model.repaint();
        let Some(row) = self.model.explain.row().cloned() else { return };
        let location = row
            .edge
            .and_then(|edge| self.model.statement(edge))
            .map(|statement| statement.location);
        self.model.selection = Selection {
            line: row.line,
            locations: location.into_iter().collect(),
            statement: row.edge,
        };
        self.reveal();
        self.follow_selection();
    }

    /// Goes to a statement of the level.
    pub(in crate::ui) fn go_to_explain_step(&mut self, step: usize) {
        self.model.explain.go_to(step);
        self.show_explained();
    }

    /// A box was selected: the step goes to its statement, if the level has one there.
    pub(super) fn explain_box(&mut self, location: u32) {
        let here = |edge: Option<u32>| {
            edge.and_then(|edge| self.model.statement(edge)).is_some_and(|s| s.location == location)
        };
        if let Some(step) = self.model.explain.rows.iter().position(|row| here(row.edge)) {
            self.model.explain.go_to(step);
        }
    }

    /// A key that only explanations have. False if it is none.
    pub(super) fn explain_key(&mut self, ctx: &Context<Self>, key: &str) -> bool {
        let explain = &self.model.explain;
        let level =
            |n: usize| explain.has(Level::ALL[n]).then_some(ExplainEvent::Level(Level::ALL[n]));
        let event = match key {
            "1" | "2" | "3" | "4" => level(usize::from(key.as_bytes()[0] - b'1')),
            "[" => explain.beside(-1),
            "]" => explain.beside(1),
            _ => return false,
        };
        if let (Analysis::Explain, Some(event)) = (self.analysis, event) {
            self.explain_event(ctx, event);
        }
        true
    }

    /// Asks for an explanation, if it is shown and there is a program that was not explained yet.
    pub(super) fn explain(&mut self, ctx: &Context<Self>) {
        let explain = &self.model.explain;
        let idle = !explain.fresh && explain.asked.is_none() && !explain.halted;
        if self.analysis != Analysis::Explain
            || !idle
            || self.model.source.trim().is_empty()
            || !self.heard
            || self.model.broken()
        {
            return;
        }
        if !self.loaded {
            self.load(ctx);
            return;
        }
        let (ask, budgets) = (explain.ask.clone(), explain.budgets());
        let id = self.next_request();
        self.model.explain.begin(id);
        self.send(id, Request::Explain { ask, budgets });
    }

    /// Something else is asked for.
    fn explain_anew(&mut self, ctx: &Context<Self>) {
        self.player = None;
        self.stop_explaining();
        self.model.explain.invalidate();
        self.explain(ctx);
    }

    /// A stage is over.
    pub(super) fn explained(&mut self, id: u32, explanation: Explanation, done: bool, millis: u64) {
        if !self.model.explain.told(id, explanation, done, millis) {
            return;
        }
        self.player = None;
        // While somebody types, the editor stays where it is.
        if self.analysis == Analysis::Explain && self.wanted {
            self.show_explained();
        } else {
            self.model.repaint();
        }
    }

    /// Ends what is on its way, where it is.
    pub(super) fn stop_explaining(&mut self) {
        let Some(id) = self.model.explain.asked.as_ref().map(|asked| asked.id) else { return };
        self.halt(id);
    }

    /// Edits the program as a repair says; the editor's undo takes it back. The check runs again,
    /// and so does the explanation.
    fn apply_repair(&mut self, ctx: &Context<Self>, repair: usize) {
        if self.embed {
            return;
        }
        let found = self.model.explain.found.as_ref().filter(|_| self.model.explain.fresh);
        let Some(text) = found
            .and_then(|found| found.repairs.as_ref()?.repairs.get(repair))
            .and_then(|repair| repair.apply(&self.model.source))
        else {
            self.notice = Some(
                "The program has changed since this repair was found: explain it again.".into(),
            );
            return;
        };
        self.model.edit_source(text);
        self.make_own();
        self.restore = None;
        self.changed();
        self.keep();
        self.run(ctx, Budgets::default());
    }
}
