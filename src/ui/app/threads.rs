//! The effects of the threads' analysis: what it asks the worker for, and when.

use super::App;
use crate::ui::analysis::Analysis;
use crate::ui::threads::ThreadsEvent;
use crate::wire::protocol::{Reply, Request};
use yew::Context;

impl App {
    /// Something happened on the page of threads.
    pub(super) fn threads_event(&mut self, ctx: &Context<Self>, event: ThreadsEvent) {
        let threads = &mut self.model.threads;
        match event {
            ThreadsEvent::Ask(ask) => {
                if ask != threads.ask {
                    threads.ask = ask;
                    self.analyse_threads_anew(ctx);
                }
            }
            ThreadsEvent::Show(shown) => threads.shown = shown,
            ThreadsEvent::Level(level) => threads.pick_level(level),
            ThreadsEvent::Node(node) => threads.pick_node(node),
            ThreadsEvent::Fold(context) => threads.fold(context),
            ThreadsEvent::Stop => self.stop_threads(),
            ThreadsEvent::Again => self.analyse_threads_anew(ctx),
            ThreadsEvent::More => {
                threads.go_on();
                self.analyse_threads_anew(ctx);
            }
        }
    }

    /// Goes to a step of the interleaved run.
    pub(in crate::ui) fn go_to_threads_step(&mut self, step: usize) {
        let threads = &mut self.model.threads;
        threads.go_to(step);
        threads.pick_level(None);
        self.show_threads_step();
    }

    fn show_threads_step(&mut self) {
        let line = self.analysis.current_line(self);
        if line > 0 {
            self.model.select_line(line);
            self.reveal();
        }
    }

    /// A key that only threads have: + and − change the bound. False if it is none.
    pub(super) fn threads_key(&mut self, ctx: &Context<Self>, key: &str) -> bool {
        if !matches!(key, "+" | "-") {
            return false;
        }
        if let (Analysis::Threads, Some(ask)) = (
            self.analysis,
            self.model.threads.another_bound(key == "+", self.model.effective.as_ref()),
        ) {
            self.threads_event(ctx, ThreadsEvent::Ask(ask));
        }
        true
    }

    /// Asks for an analysis, if it is shown and there is a program that was not analysed yet.
    pub(super) fn analyse_threads(&mut self, ctx: &Context<Self>) {
        let threads = &self.model.threads;
        let idle = !threads.fresh && threads.asked.is_none() && !threads.halted;
        if self.analysis != Analysis::Threads
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
        let (ask, budgets) = (threads.ask.clone(), threads.budgets());
        let id = self.next_request();
        self.model.threads.begin(id);
        self.send(id, Request::Threads { ask, budgets });
    }

    fn analyse_threads_anew(&mut self, ctx: &Context<Self>) {
        self.player = None;
        self.stop_threads();
        self.model.threads.invalidate();
        self.analyse_threads(ctx);
    }

    /// What the worker says of threads.
    pub(super) fn threads_reply(&mut self, id: u32, millis: u64, reply: Reply) {
        let threads = &mut self.model.threads;
        match reply {
            Reply::ThreadsBeside { found } => threads.told_beside(id, *found),
            Reply::Threaded { report, problem } => {
                let report =
                    report.map(|report| *report).ok_or_else(|| problem.unwrap_or_default());
                if threads.told(id, report, millis) {
                    self.player = None;
                    if self.analysis == Analysis::Threads {
                        self.show_threads_step();
                    }
                }
            }
            _ => {}
        }
    }

    /// Ends what is on its way, where it is.
    pub(super) fn stop_threads(&mut self) {
        let Some(id) = self.model.threads.asked.as_ref().map(|asked| asked.id) else { return };
        self.halt(id);
    }
}
