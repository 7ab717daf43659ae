//! The page's frame: the top bar and the panes.

use super::analysis::{Analysis, Panes, Tabs};
use super::app::{App, Msg, Open, Pane};
use super::controls::Move;
use super::editor::Editor;
use super::explain::{self, ExplainEvent};
use super::export_menu::{Export, ExportMenu};
use super::files::{self, FileEvent};
use super::gallery::{Cards, Example, Gallery};
use super::graph_view::GraphEvent;
use super::help::Help;
use super::icons::{Icon, icon, logo};
use super::lab::LabEvent;
use super::model::Activity;
use super::options::Options;
use super::refinement::RefinementEvent;
use super::share::Share;
use super::slice;
use super::source_bar::SourceBar;
use super::splitter::{Grows, Splitter};
use super::threads::{self, ThreadsEvent};
use super::verdict::VerdictPanel;
use crate::wire::options::{Dialect, RequestedOptions};
use crate::wire::protocol::Method;
use web_sys::File;
use yew::html::Scope;
use yew::prelude::*;

/// Callbacks, made once, so that parts of the page are not rendered again for new ones.
pub(super) struct Handlers {
    pub(super) edited: Callback<(String, bool)>,
    pub(super) cursor: Callback<u32>,
    pub(super) line: Callback<u32>,
    pub(super) statement: Callback<u32>,
    pub(super) graph: Callback<GraphEvent>,
    pub(super) requested: Callback<RequestedOptions>,
    pub(super) bits: Callback<u32>,
    pub(super) method: Callback<Method>,
    pub(super) toggle_options: Callback<()>,
    pub(super) toggle_slice: Callback<()>,
    pub(super) run: Callback<()>,
    pub(super) again: Callback<()>,
    pub(super) replaced: Callback<()>,
    pub(super) export: Callback<Export>,
    pub(super) more: Callback<()>,
    pub(super) witness: Callback<()>,
    pub(super) stop: Callback<()>,
    pub(super) step: Callback<Move>,
    pub(super) through: Callback<(u32, bool)>,
    pub(super) leave_through: Callback<()>,
    pub(super) query: Callback<String>,
    pub(super) beside: Callback<()>,
    pub(super) gallery: Callback<()>,
    pub(super) share: Callback<()>,
    pub(super) help: Callback<()>,
    pub(super) close: Callback<()>,
    pub(super) copy: Callback<()>,
    pub(super) fetch: Callback<Example>,
    pub(super) choose: Callback<()>,
    pub(super) file: Callback<File>,
    pub(super) dialect: Callback<Option<Dialect>>,
    pub(super) theme: Callback<()>,
    pub(super) analysis: Callback<Analysis>,
    pub(super) lab: Callback<LabEvent>,
    pub(super) refinement: Callback<RefinementEvent>,
    pub(super) explain: Callback<ExplainEvent>,
    pub(super) threads: Callback<ThreadsEvent>,
    pub(super) equalities: Callback<Option<Option<u32>>>,
    pub(super) dismiss: Callback<()>,
    pub(super) restore: Callback<()>,
    pub(super) left: Callback<i32>,
    pub(super) right: Callback<i32>,
    pub(super) bottom: Callback<i32>,
}

impl Handlers {
    pub(super) fn new(link: &Scope<App>) -> Handlers {
        Handlers {
            edited: link.callback(|(text, pasted)| Msg::Edited(text, pasted)),
            cursor: link.callback(Msg::Cursor),
            line: link.callback(Msg::Line),
            statement: link.callback(Msg::Statement),
            graph: link.callback(Msg::Graph),
            requested: link.callback(Msg::Requested),
            bits: link.callback(Msg::Bits),
            method: link.callback(Msg::Method),
            toggle_options: link.callback(|()| Msg::ToggleOptions),
            toggle_slice: link.callback(|()| Msg::ToggleSlice),
            run: link.callback(|()| Msg::Run),
            again: link.callback(|()| Msg::Again),
            replaced: link.callback(|()| Msg::Replaced),
            export: link.callback(Msg::Export),
            more: link.callback(|()| Msg::More),
            witness: link.callback(|()| Msg::Witness),
            stop: link.callback(|()| Msg::Stop),
            step: link.callback(Msg::Step),
            through: link.callback(|(statement, add)| Msg::Through(statement, add)),
            leave_through: link.callback(|()| Msg::LeaveThrough),
            query: link.callback(Msg::Query),
            beside: link.callback(|()| Msg::Beside),
            gallery: link.callback(|()| Msg::Open(Open::Gallery)),
            share: link.callback(|()| Msg::Open(Open::Share)),
            help: link.callback(|()| Msg::Open(Open::Help)),
            close: link.callback(|()| Msg::CloseDialog),
            copy: link.callback(|()| Msg::Copy),
            fetch: link.callback(|example| Msg::Fetch(Box::new(example))),
            theme: link.callback(|()| Msg::Theme),
            analysis: link.callback(Msg::Analysis),
            lab: link.callback(Msg::Lab),
            refinement: link.callback(Msg::Refinement),
            explain: link.callback(|event| Msg::Explain(Box::new(event))),
            threads: link.callback(Msg::Threads),
            equalities: link.callback(Msg::Equalities),
            choose: link.callback(|()| Msg::Choose),
            file: link.callback(|file| Msg::File(FileEvent::Given(file))),
            dialect: link.callback(Msg::Dialect),
            dismiss: link.callback(|()| Msg::Dismiss),
            restore: link.callback(|()| Msg::Restore),
            left: link.callback(|v| Msg::Resize(Pane::Left, v)),
            right: link.callback(|v| Msg::Resize(Pane::Right, v)),
            bottom: link.callback(|v| Msg::Resize(Pane::Bottom, v)),
        }
    }
}

/// The whole page.
pub(super) fn view(app: &App) -> Html {
    let (model, on) = (&app.model, &app.handlers);
    let empty = model.source.trim().is_empty();
    let panes = if empty { Panes::default() } else { app.analysis.panes(app) };
    let sizes = format!(
        "--left:{}px;--right:{}px;--bottom:{}px",
        app.look.left, app.look.right, app.look.bottom
    );
    let class = classes!(
        "page",
        app.embed.then_some("embed"),
        panes.timeline.is_some().then_some("with-run"),
        empty.then_some("empty")
    );
    html! {
        <div {class} style={sizes}>
            { top_bar(app) }
            if let Some(notice) = &app.notice {
                <div class="notice" role="alert"><span>{ notice }</span>
                    if app.aside { <button class="tool" onclick={on.restore.reform(|_| ())}>{ "Restore my program" }</button> }
                    <button class="tool bare" aria-label="Dismiss" onclick={on.dismiss.reform(|_| ())}>{ icon(Icon::Close) }</button></div>
            }
            <main>
                { source_pane(app, empty) }
                <Splitter name="Width of the source" grows={Grows::Right} value={app.look.left} least={280} most={760} on_change={on.left.clone()} />
                if empty { { invitation(app) } } else {
                    <div id="analysis" class="analysis" role="tabpanel" aria-labelledby={app.analysis.tab()}>
                        { panes.picture }
                        <Splitter name="Width of the inspector" grows={Grows::Left} value={app.look.right} least={220} most={560} on_change={on.right.clone()} />
                        { panes.inspector }
                    </div>
                }
            </main>
            if let Some(timeline) = panes.timeline {
                <Splitter name="Height of the timeline" grows={Grows::Up} value={app.look.bottom} least={110} most={320} on_change={on.bottom.clone()} />
                { timeline }
            }
            { dialogs(app) }
            if app.dragging { { files::overlay() } }
        </div>
    }
}

fn top_bar(app: &App) -> Html {
    let (model, on) = (&app.model, &app.handlers);
    let running = match &model.activity {
        Activity::Running(progress) => Some(progress.stopping),
        Activity::Idle => None,
    };
    let theme =
        if app.dark() { (Icon::Sun, "Light colours") } else { (Icon::Moon, "Dark colours") };
    html! {
        <header class="top">
            <span class="logo">{ logo() }{ "Faultline" }</span>
            <Tabs shown={app.analysis} on_choose={on.analysis.clone()} />
            <span class="spacer"></span>
            <Options requested={model.requested.clone()} effective={model.effective.clone()} dialect={model.dialect()} method={model.method} open={app.options_open}
                on_toggle={on.toggle_options.clone()} on_change={on.requested.clone()} on_method={on.method.clone()} />
            <button class="button chrome" onclick={on.gallery.reform(|_| ())}>{ "Gallery" }</button>
            <ExportMenu missing={app.missing_exports()} on_export={on.export.clone()} />
            <button class="button chrome" onclick={on.share.reform(|_| ())}>{ "Share" }</button>
            <button class="tool bare chrome" onclick={on.theme.reform(|_| ())} aria-label={theme.1} title={theme.1}>{ icon(theme.0) }</button>
            <button class="tool bare chrome" onclick={on.help.reform(|_| ())} aria-label="Help" title="Help (?)" aria-keyshortcuts="?">{ icon(Icon::Help) }</button>
            if app.embed {
                <a class="button" href={app.full_address()} target="_blank" rel="noopener">{ "Open in Faultline" }</a>
            } else if let Some(stopping) = running {
                <button class="button stop" onclick={on.stop.reform(|_| ())} disabled={stopping} aria-keyshortcuts="Escape">{ icon(Icon::Stop) }{ "Stop" }<kbd>{ "Esc" }</kbd></button>
            } else {
                <button class="button primary" onclick={on.run.reform(|_| ())} disabled={model.source.trim().is_empty()} aria-keyshortcuts="Control+Enter">{ "Run" }<kbd>{ "Ctrl Enter" }</kbd></button>
            }
        </header>
    }
}

fn source_pane(app: &App, empty: bool) -> Html {
    let (model, on) = (&app.model, &app.handlers);
    let current = app.analysis.current_line(app);
    let raw = model.dialect().is_raw();
    let painted = !model.paint.lit.is_empty();
    let sliced = slice::lines(model.fresh())
        .filter(|_| app.slice_shown)
        .map(<[u32]>::to_vec)
        .unwrap_or_default();
    html! {
        <section class="pane source" aria-label="Source">
            <SourceBar name={model.name.clone()} requested={model.requested.dialect} guessed={model.guessed} blank={model.source.trim().is_empty()}
                read_only={app.embed} input={app.file_input.clone()} on_dialect={on.dialect.clone()} on_open={on.choose.clone()} on_file={on.file.clone()} />
            if !empty {
                <VerdictPanel activity={model.activity.clone()} answer={model.answer.clone()} diagnostics={model.diagnostics.clone()}
                    on_line={on.line.clone()} {raw} on_bits={on.bits.clone()} on_run={on.again.clone()} on_more={on.more.clone()} on_witness={on.witness.clone()} on_threads={on.analysis.reform(|()| Analysis::Threads)} />
            }
            <Editor document={model.document.clone()} dialect={model.dialect()} diagnostics={model.diagnostics.clone()} paint={app.analysis.paint(app).clone()} slice={sliced} {current}
                selected={model.selection.line} hover={model.hover} reveal={app.reveal} read_only={app.embed}
                on_change={on.edited.clone()} on_replaced={on.replaced.clone()} on_cursor={on.cursor.clone()} />
            if app.analysis == Analysis::Explain {
                { explain::legend(app) }
            } else if app.analysis == Analysis::Threads {
                { threads::legend(app) }
            } else if painted {
                <div class="legend" aria-label="Legend">
                    <span><i class="key lit"></i>{ if raw { "on a run into the target" } else { "on a failing run" } }</span>
                    <span><i class="key dim">{ "ab" }</i>{ if raw { "on none" } else { "innocent" } }</span>
                    <span><i class="key current"></i>{ "step" }</span>
                    <span><i class="key selected"></i>{ "selected" }</span>
                    if !raw { { beside(app) } }
                    { slice::switch(model.fresh(), app.slice_shown, on.toggle_slice.reform(|_| ())) }
                </div>
            }
        </section>
    }
}

/// The toggle for what only the naive projection keeps.
fn beside(app: &App) -> Html {
    let answers = &app.model.answers;
    let told = match answers.cross.as_deref().filter(|_| answers.beside) {
        Some([]) => ": nothing more".to_string(),
        Some(cross) => format!(": {} more", cross.len()),
        None => String::new(),
    };
    html! {
        <button class={classes!("beside", answers.beside.then_some("on"))} aria-pressed={answers.beside.to_string()} onclick={app.handlers.beside.reform(|_| ())}
            title="The naive projection forgets who called. Statements that it keeps besides are hatched: they are innocent.">
            <i class="key cross"></i>{ "naive projection beside" }{ told }
        </button>
    }
}

/// What an empty page says.
fn invitation(app: &App) -> Html {
    let on = &app.handlers;
    html! {
        <section class="pane invitation" aria-label="Start">
            <div class="welcome">
                <h1>{ "Can this program fail?" }</h1>
                <p>{ "Paste a program with assertions into the editor, or drop a file onto the page: C, Cimple, a Boolean program, Remopla, or a pushdown system. Faultline says whether one of them can fail, shows a run that does, and lights every statement that can take part in one. The rest is innocent." }</p>
                if !app.examples.is_empty() {
                    <h2>{ "Try an example" }</h2>
                    <Cards examples={app.examples.clone()} most={6} on_open={on.fetch.clone()} />
                }
                <p class="quiet">{ "Everything runs in this page. Nothing is sent anywhere." }</p>
            </div>
        </section>
    }
}

fn dialogs(app: &App) -> Html {
    let on = &app.handlers;
    match app.open {
        None => html! {},
        Some(Open::Gallery) => {
            html! { <Gallery examples={app.examples.clone()} on_open={on.fetch.clone()} on_close={on.close.clone()} /> }
        }
        Some(Open::Help) => html! { <Help on_close={on.close.clone()} /> },
        Some(Open::Share) => match &app.link {
            Some(link) => {
                html! { <Share link={link.clone()} copied={app.copied} on_copy={on.copy.clone()} on_close={on.close.clone()} /> }
            }
            None => html! {},
        },
    }
}
