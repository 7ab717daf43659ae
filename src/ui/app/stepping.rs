//! Steps of whichever timeline is shown: to the first, back, forward, to the last, and play.

use super::{App, Msg};
use crate::ui::analysis::Analysis;
use crate::ui::controls::Move;
use gloo::timers::callback::Interval;
use yew::Context;

/// Milliseconds per step when playing.
const TEMPO: u32 = 900;

impl App {
    /// Moves on the timeline.
    pub(super) fn go(&mut self, ctx: &Context<Self>, to: Move) {
        let Some(timeline) = self.analysis.timeline(self) else { return };
        let last = timeline.count - 1;
        if to == Move::Play {
            if self.player.take().is_some() {
                return;
            }
            if timeline.step == last {
                self.analysis.go_to(self, ctx, 0);
            }
            let link = ctx.link().clone();
            self.player = Some(Interval::new(TEMPO, move || link.send_message(Msg::Tick)));
            return;
        }
        self.player = None;
        let step = match to {
            Move::First => 0,
            Move::Back => timeline.step.saturating_sub(1),
            Move::Forward => timeline.step + 1,
            Move::To(step) => step,
            Move::Last | Move::Play => last,
        };
        self.analysis.go_to(self, ctx, step.min(last));
    }

    /// One step on, when playing; the last one ends it.
    pub(super) fn tick(&mut self, ctx: &Context<Self>) {
        match self.analysis.timeline(self) {
            Some(timeline) if timeline.step + 1 < timeline.count => {
                self.analysis.go_to(self, ctx, timeline.step + 1);
                if timeline.step + 2 == timeline.count {
                    self.player = None;
                }
            }
            _ => self.player = None,
        }
    }

    /// Goes to a step of the failing run; the source, the picture and the inspector follow.
    pub(in crate::ui) fn go_to_run_step(&mut self, ctx: &Context<Self>, step: usize) {
        self.model.go_to(step);
        self.reveal();
        self.follow();
        self.inspect_soon(ctx);
    }

    /// Is the timeline being played?
    pub(in crate::ui) fn playing(&self) -> bool {
        self.player.is_some()
    }

    /// Shows another analysis of the same program.
    pub(super) fn show_analysis(&mut self, ctx: &Context<Self>, analysis: Analysis) {
        if self.analysis != analysis {
            self.player = None;
            self.analysis = analysis;
            self.record(ctx);
            self.refine(ctx);
            self.explain(ctx);
            self.analyse_threads(ctx);
        }
    }
}
