//! Other options: the answer is asked for again.

use super::{App, Msg};
use crate::ui::frame::browser::focus_soon;
use crate::ui::frame::store;
use crate::wire::options::{Dialect, RequestedOptions};
use crate::wire::report::Unchecked;
use yew::Context;

impl App {
    /// Another option: the answer is asked for again, if there was one.
    pub(super) fn option(&mut self, msg: Msg) {
        let model = &mut self.state.model;
        match msg {
            Msg::Requested(options) => {
                if options.bits != model.requested.bits && !self.embed {
                    self.look.choose_width(model.dialect(), options.bits);
                    store::keep_look(&self.look);
                }
                model.requested = options;
            }
            Msg::Bits(bits) => {
                model.requested.bits = Some(bits);
                focus_soon(".verdict");
            }
            Msg::Heap(most) => {
                model.requested.heap = Some(most);
                focus_soon(".verdict");
            }
            Msg::Reach(line) => {
                model.requested.reach = line;
                model.wanted = true;
                focus_soon(".verdict");
            }
            Msg::Alone(procedure) => {
                // Its lines are asked for anew.
                (model.requested.function, model.requested.reach) = (procedure, None);
                focus_soon(".verdict");
            }
            Msg::Method(method) => model.method = method,
            Msg::Dialect(dialect) => {
                model.requested.dialect = dialect;
                model.guessed = Dialect::guess(&model.source);
            }
            _ => return,
        }
        if !self.embed {
            self.make_own();
            self.keep();
        }
        self.state.options_changed();
    }

    /// Has looked at what the answer says nothing about: by another check, or in another tab.
    pub(super) fn look_at(&mut self, ctx: &Context<Self>, what: Unchecked) {
        let model = &self.state.model;
        let (requested, effective) = (model.requested.clone(), model.effective.as_ref());
        let in_force = effective.map(|effective| effective.checks);
        let mut checks = requested.checks.or(in_force).unwrap_or_default();
        let (tab, check) = match what {
            Unchecked::Output | Unchecked::InitialisedInPart => return,
            Unchecked::EndlessLoops => (Some("liveness"), None),
            Unchecked::Races => (Some("threads"), Some(&mut checks.race)),
            Unchecked::Leaks => (None, Some(&mut checks.leak)),
            Unchecked::Overflow => (None, Some(&mut checks.overflow)),
            Unchecked::Initialised => (None, Some(&mut checks.initialised)),
        };
        if let Some(check) = check {
            *check = true;
            let checks = Some(checks);
            self.option(Msg::Requested(RequestedOptions { checks, ..requested }));
        }
        if let Some(tab) = tab {
            self.take(ctx, Msg::Show(tab));
        }
    }
}
