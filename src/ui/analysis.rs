//! The analyses of the page. Each has its picture, its inspector and its timeline; program,
//! verdict, Run, Share and Gallery belong to all.
//!
//! A new one is a file with `panes`, `timeline`, `current_line` and a way to go to a step, and a
//! line in each of the lists here.

use super::app::App;
use super::editor::Paint;
use super::shared::Shared;
use super::{explain, lab, projection, refinement, threads};
use web_sys::{HtmlElement, KeyboardEvent};
use yew::prelude::*;

/// Which analysis is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Analysis {
    /// Which statements can take part in a failure.
    #[default]
    Projection,
    /// How abstraction is refined, round by round.
    Refinement,
    /// Why the program fails: causes, focus sequences, repairs.
    Explain,
    /// What threads do together, under a bound on context switches.
    Threads,
    /// How pre*, post* and the transducer come about.
    Lab,
}

/// What an analysis shows in the frame.
#[derive(Default)]
pub(super) struct Panes {
    pub(super) picture: Html,
    pub(super) inspector: Html,
    /// Where there is something to step through.
    pub(super) timeline: Option<Html>,
}

/// Where a timeline stands; it has at least one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Timeline {
    pub(super) step: usize,
    pub(super) count: usize,
}

impl Analysis {
    /// From left to right.
    pub(super) const ALL: [Analysis; 5] = [
        Analysis::Projection,
        Analysis::Refinement,
        Analysis::Explain,
        Analysis::Threads,
        Analysis::Lab,
    ];

    /// What its tab says.
    pub(super) fn name(self) -> &'static str {
        match self {
            Analysis::Projection => "Projection",
            Analysis::Explain => "Explain",
            Analysis::Refinement => "Refinement",
            Analysis::Threads => "Threads",
            Analysis::Lab => "Lab",
        }
    }

    /// What links and the gallery's list call it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Analysis::Projection => "projection",
            Analysis::Explain => "explain",
            Analysis::Refinement => "refinement",
            Analysis::Threads => "threads",
            Analysis::Lab => "lab",
        }
    }

    /// Its tab's id.
    pub(super) fn tab(self) -> String {
        format!("tab-{}", self.word())
    }

    /// By its word.
    pub(super) fn of_word(word: &str) -> Option<Analysis> {
        Analysis::ALL.into_iter().find(|analysis| analysis.word() == word)
    }

    /// What is shown of the program.
    pub(super) fn panes(self, app: &App) -> Panes {
        match self {
            Analysis::Projection => projection::panes(app),
            Analysis::Explain => explain::panes(app),
            Analysis::Refinement => refinement::panes(app),
            Analysis::Threads => threads::panes(app),
            Analysis::Lab => lab::panes(app),
        }
    }

    /// Where the timeline stands, if there is one.
    pub(super) fn timeline(self, app: &App) -> Option<Timeline> {
        match self {
            Analysis::Projection => projection::timeline(app),
            Analysis::Explain => explain::timeline(app),
            Analysis::Refinement => refinement::timeline(app),
            Analysis::Threads => threads::timeline(app),
            Analysis::Lab => lab::timeline(app),
        }
    }

    /// The line of the source that the step is about; 0 is none.
    pub(super) fn current_line(self, app: &App) -> u32 {
        match self {
            Analysis::Projection => projection::current_line(app),
            Analysis::Explain => explain::current_line(app),
            Analysis::Refinement => refinement::current_line(app),
            Analysis::Threads => threads::current_line(app),
            Analysis::Lab => lab::current_line(app),
        }
    }

    /// What is painted on the source.
    pub(super) fn paint(self, app: &App) -> &Shared<Paint> {
        match self {
            Analysis::Explain => &app.model.explain.paint,
            Analysis::Threads => &app.model.threads.paint,
            Analysis::Projection | Analysis::Refinement | Analysis::Lab => &app.model.paint,
        }
    }

    /// Goes to a step of the timeline.
    pub(super) fn go_to(self, app: &mut App, ctx: &Context<App>, step: usize) {
        match self {
            Analysis::Projection => app.go_to_run_step(ctx, step),
            Analysis::Explain => app.go_to_explain_step(step),
            Analysis::Threads => app.go_to_threads_step(step),
            Analysis::Refinement => app.go_to_refinement_step(ctx, step),
            Analysis::Lab => app.go_to_lab_step(ctx, step),
        }
    }
}

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) shown: Analysis,
    pub(super) on_choose: Callback<Analysis>,
}

/// The switch in the top bar: tabs as ARIA has them.
#[function_component(Tabs)]
pub(super) fn tabs(props: &Props) -> Html {
    let host = use_node_ref();
    let (shown, choose, holder) = (props.shown, props.on_choose.clone(), host.clone());
    let key = Callback::from(move |event: KeyboardEvent| {
        let (at, count) =
            (Analysis::ALL.iter().position(|a| *a == shown).unwrap_or(0), Analysis::ALL.len());
        let to = match event.key().as_str() {
            "ArrowRight" => (at + 1) % count,
            "ArrowLeft" => (at + count - 1) % count,
            "Home" => 0,
            "End" => count - 1,
            _ => return,
        };
        // Not a step of the timeline.
        event.prevent_default();
        event.stop_propagation();
        choose.emit(Analysis::ALL[to]);
        let tab =
            holder.cast::<web_sys::Element>().and_then(|host| host.children().item(to as u32));
        if let Some(tab) =
            tab.and_then(|tab| wasm_bindgen::JsCast::dyn_into::<HtmlElement>(tab).ok())
        {
            let _ = tab.focus();
        }
    });
    let tabs = Analysis::ALL.into_iter().map(|analysis| {
        let on = analysis == props.shown;
        let choose = props.on_choose.reform(move |_: MouseEvent| analysis);
        html! {
            <button id={analysis.tab()} class={classes!("tab", on.then_some("on"))} role="tab" aria-selected={on.to_string()} aria-controls="analysis"
                tabindex={if on { "0" } else { "-1" }} onclick={choose}>{ analysis.name() }</button>
        }
    });
    html! { <nav ref={host} role="tablist" aria-label="Analyses" onkeydown={key}>{ for tabs }</nav> }
}
