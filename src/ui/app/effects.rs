//! Carries out the effects that the state asks for.

use super::{App, Msg};
use crate::ui::frame::browser::{download, download_bytes};
use crate::ui::frame::proof;
use crate::ui::frame::store;
use crate::ui::state::effect::{Effect, Timer};
use crate::util::Budgets;
use crate::wire::protocol::Request;
use gloo::timers::callback::{Interval, Timeout};
use yew::Context;

/// The timer that loads the program once typing pauses.
pub(super) const LOAD: Timer = ("", "load");

impl App {
    /// Carries out all effects, in order.
    pub(super) fn carry_out(&mut self, ctx: &Context<Self>) {
        // Some of them have effects of their own.
        loop {
            let effects = self.state.settle();
            if effects.is_empty() {
                break;
            }
            effects.into_iter().for_each(|effect| self.carry_out_one(ctx, effect));
        }
        match (self.state.model.playing, self.player.is_some()) {
            (true, false) => {
                let link = ctx.link().clone();
                let millis = self.state.model.speed.millis();
                self.player = Some(Interval::new(millis, move || link.send_message(Msg::Tick)));
            }
            (false, _) => self.player = None,
            (true, true) => {}
        }
    }

    fn carry_out_one(&mut self, ctx: &Context<Self>, effect: Effect) {
        match effect {
            Effect::Send(id, request, unasked) => {
                if matches!(request, Request::Load { .. } | Request::Run { .. }) {
                    // What was typed is on its way.
                    self.timers.remove(&LOAD);
                }
                if let Some(engine) = &self.engine {
                    engine.send(id, request, unasked);
                }
            }
            Effect::Aside(id, request) => {
                if let Some(engine) = &self.engine {
                    engine.send_aside(id, request);
                }
            }
            Effect::Stop(id) => {
                if let Some(engine) = &self.engine {
                    engine.stop(id);
                }
            }
            Effect::Later { timer, millis, event } => {
                let (link, mut event) = (ctx.link().clone(), Some((timer.0, event)));
                let say = move || {
                    event.take().into_iter().for_each(|event| link.send_message(Msg::Tab(event)))
                };
                self.timers.insert(timer, Timeout::new(millis, say));
            }
            // A program that was only opened does not replace the kept one.
            Effect::Keep if self.lender.is_some() => {}
            Effect::Keep => self.keep(),
            Effect::Edit(text) => self.edit(text),
            Effect::Remember { name, text } => store::remember(&name, &text),
            Effect::Recall { name, tab, event } => {
                if let Some(text) = store::recall(&name) {
                    ctx.link().send_message(Msg::Tab((tab, event(text))));
                }
            }
            Effect::SaveFile { name, text } => {
                download(&name, "application/json", &text);
            }
            Effect::Notice(text) => self.notice = Some(text),
            Effect::SaveDocument(text) => {
                download(&format!("{}.html", self.state.model.stem()), "text/html", &text);
            }
            Effect::SaveText(ending, bytes) => {
                let name = format!("{}{ending}", self.state.model.stem());
                download_bytes(&name, &bytes);
            }
            Effect::SaveWitness(text) => {
                if proof::save("witness.yml", &text).is_none() {
                    self.notice = Some("The browser does not take the file.".into());
                }
            }
        }
    }

    /// Edits the program for the user; the editor's undo takes it back. The check runs again.
    pub(super) fn edit(&mut self, text: String) {
        if self.read_only {
            return;
        }
        self.make_own();
        self.state.model.edit_source(text.clone());
        self.state.edited(text);
        self.keep();
        self.state.run(Budgets::default());
    }
}
