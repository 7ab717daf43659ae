//! The page's frame: the top bar and the panes.

use super::keeping::Elsewhere;
use super::{App, Facet, Open};
use crate::draw::memory::{Picture, markup};
use crate::ui::frame::editor::Editor;
use crate::ui::frame::export_menu::ExportMenu;
use crate::ui::frame::files;
use crate::ui::frame::gallery::{Cards, Gallery};
use crate::ui::frame::help::{HelpDialog, Told};
use crate::ui::frame::icons::{Icon, icon, logo};
use crate::ui::frame::memory_pane::MemoryPane;
use crate::ui::frame::options::Options;
use crate::ui::frame::share::Share;
use crate::ui::frame::slice;
use crate::ui::frame::source_bar::SourceBar;
use crate::ui::frame::splitter::{Grows, Splitter};
use crate::ui::frame::stepper::Stepper;
use crate::ui::frame::tab_bar::{TabBar, id_of};
use crate::ui::frame::verdict::{VerdictPanel, fault_line, loading_line};
use crate::ui::tab::Tab;
use crate::ui::view::{Panes, View};
use crate::wire::gallery::Topic;
use yew::prelude::*;

/// The whole page.
pub(super) fn view(app: &App) -> Html {
    let (model, on) = (&app.state.model, &app.handlers);
    let (empty, look) = (model.is_blank(), &app.look);
    let mut panes = if empty { Panes::default() } else { app.state.tab().panes(&draws(app)) };
    if let Some(memory) = app.state.memory().filter(|_| !empty) {
        panes.note = html! { <>{ panes.note }{ memory_button(app) }</> };
        if model.memory_shown {
            panes.picture = memory_pane(app, &memory);
        }
    }
    let timeline = if empty { None } else { timeline(app, panes.note) };
    let sizes =
        format!("--left:{}px;--right:{}px;--bottom:{}px", look.left, look.right, look.bottom);
    let class = classes!(
        "page",
        app.embed.then_some("embed"),
        (app.presenting && !empty).then_some("presenting"),
        app.facet.class(),
        timeline.is_some().then_some("with-run"),
        empty.then_some("empty")
    );
    html! {
        <div {class} style={sizes}>
            { top_bar(app) }
            if let Some(notice) = &app.notice {
                <div class="notice" role="alert"><span>{ notice }</span>
                    if app.aside {
                        <button class="tool" onclick={on.restore.reform(|_| ())}>
                            { "Restore my program" }
                        </button>
                    }
                    if app.unread {
                        <button class="tool" onclick={on.open_unread.reform(|_| ())}>
                            { "Open what was kept" }
                        </button>
                    }
                    if app.elsewhere == Elsewhere::Told {
                        <button class="tool" onclick={on.take_other.reform(|_| ())}>
                            { "Show the other text" }
                        </button>
                    }
                    <button
                        class="tool bare"
                        aria-label="Dismiss"
                        onclick={on.dismiss.reform(|_| ())}
                    >{ icon(Icon::Close) }</button></div>
            }
            if !empty { { facets(app) } }
            <main>
                // First in the order of keys: an example is a few Tabs away.
                if empty { { invitation(app) } }
                { source_pane(app, empty, panes.legend, (panes.offers, panes.findings, panes.proof)) }
                <Splitter
                    name="Width of the source"
                    grows={Grows::Right}
                    value={look.left}
                    least={280}
                    most={760}
                    on_change={on.left.clone()}
                />
                if !empty {
                    <div
                        id="analysis"
                        class="analysis"
                        role="tabpanel"
                        aria-labelledby={id_of(model.shown)}
                    >
                        { panes.picture }
                        <Splitter
                            name="Width of the inspector"
                            grows={Grows::Left}
                            value={look.right}
                            least={220}
                            most={560}
                            on_change={on.right.clone()}
                        />
                        { panes.inspector }
                    </div>
                }
            </main>
            if let Some(timeline) = timeline {
                { run_area(app, timeline) }
            }
            { dialogs(app) }
            if app.dragging { { files::overlay() } }
        </div>
    }
}

/// The timeline, and the border that sets its height.
fn run_area(app: &App, timeline: Html) -> Html {
    html! {
        <section class="run-area" aria-label="Steps">
            <Splitter
                name="Height of the timeline"
                grows={Grows::Up}
                value={app.look.bottom}
                least={110}
                most={320}
                on_change={app.handlers.bottom.clone()}
            />
            { timeline }
        </section>
    }
}

/// The switch between memory and the tab's own picture.
fn memory_button(app: &App) -> Html {
    let on = app.state.model.memory_shown;
    html! {
        <button class={classes!("tool", "memory-switch", on.then_some("on"))}
            aria-pressed={on.to_string()} aria-keyshortcuts="m"
            title="Draw memory at this step: variables, objects, and where pointers lead (m)"
            onclick={app.handlers.toggle_memory.reform(|_| ())}>
            { "Memory" }
        </button>
    }
}

fn memory_pane(app: &App, memory: &Picture) -> Html {
    html! {
        <MemoryPane svg={markup(memory)} size={memory.size} spoken={memory.spoken.clone()}
            on_close={app.handlers.toggle_memory.clone()} />
    }
}

/// What the tabs draw with.
fn draws(app: &App) -> View<'_> {
    View {
        model: &app.state.model,
        on: &app.handlers.shared,
        read_only: app.read_only,
        slice_shown: app.slice_shown,
    }
}

/// The timeline of the tab that is shown.
fn timeline(app: &App, note: Html) -> Option<Html> {
    let (tab, model) = (app.state.tab(), &app.state.model);
    let timeline = tab.timeline(model)?;
    let entries: Vec<_> = timeline.window().filter_map(|step| tab.entry(step, model)).collect();
    let on_move = app.handlers.shared.step.clone();
    // Its steps have other widths in a presentation: made anew, it shows the current one.
    let key = if app.presenting { "presented" } else { "beside" };
    Some(html! {
        <Stepper {key} {timeline} {entries} playing={model.playing} speed={model.speed} {note}
            {on_move} />
    })
}

fn top_bar(app: &App) -> Html {
    let (model, on) = (&app.state.model, &app.handlers);
    let running = app.state.is_working().then(|| app.state.is_stopping());
    let tabs: Vec<_> = app.state.tabs.iter().map(|tab| (tab.word(), tab.name())).collect();
    let theme =
        if app.dark() { (Icon::Sun, "Light colours") } else { (Icon::Moon, "Dark colours") };
    html! {
        <header class="top">
            <span class="logo">{ logo() }{ "Faultline" }</span>
            <TabBar {tabs} shown={model.shown} shows={!model.is_blank()} on_choose={on.show.clone()} />
            <span class="spacer"></span>
            <Options
                requested={model.requested.clone()}
                effective={model.effective.clone()}
                dialect={model.dialect()}
                method={model.method}
                open={app.options_open}
                on_toggle={on.toggle_options.clone()}
                on_change={on.requested.clone()}
                on_method={on.method.clone()}
            />
            // The script of the page's head opens them (`static/delivery/start_page.js`).
            <button class="button chrome" data-lessons="">{ "Lessons" }</button>
            <button class="button chrome" onclick={on.gallery.reform(|_| ())}>{ "Gallery" }</button>
            <ExportMenu missing={app.missing_exports()} on_export={on.export.clone()} />
            <button class="button chrome" onclick={on.share.reform(|_| ())}>{ "Share" }</button>
            <button
                class="tool bare chrome"
                onclick={on.theme.reform(|_| ())}
                aria-label={theme.1}
                title={theme.1}
            >
                { icon(theme.0) }
            </button>
            if !model.is_blank() { { present_button(app) } }
            <button
                class="tool bare chrome"
                onclick={on.help.reform(|_| ())}
                aria-label="Help"
                title="Help (?)"
                aria-keyshortcuts="?"
            >
                { icon(Icon::Help) }
            </button>
            if app.embed {
                <a class="button" href={app.full_address()} target="_blank" rel="noopener">
                    { "Open in Faultline" }
                </a>
            }
            if app.read_only {
            } else if let Some(stopping) = running {
                <button
                    class="button stop"
                    onclick={on.stop.reform(|_| ())}
                    disabled={stopping}
                    aria-keyshortcuts="Escape"
                >
                    { icon(Icon::Stop) }{ "Stop" }<kbd>{ "Esc" }</kbd>
                </button>
            } else {
                <button
                    class="button primary"
                    onclick={on.run.reform(|_| ())}
                    disabled={model.is_blank()}
                    aria-keyshortcuts="Control+Enter"
                >
                    { "Run" }<kbd>{ "Ctrl Enter" }</kbd>
                </button>
            }
            if app.presenting {
                <h1 class="visually-hidden">{ "Presentation" }</h1>
                <button class="button leave" onclick={on.present.reform(|_| false)}
                    aria-keyshortcuts="Escape">{ "Leave" }<kbd>{ "Esc" }</kbd></button>
            }
        </header>
    }
}

fn present_button(app: &App) -> Html {
    html! {
        <button
            class="tool bare chrome present"
            onclick={app.handlers.present.reform(|_: MouseEvent| true)}
            aria-label="Present"
            title="Present: only the picture and the steps, large (P)"
            aria-keyshortcuts="P"
        >
            { icon(Icon::Present) }
        </button>
    }
}

/// On a phone: source, picture or inspector.
fn facets(app: &App) -> Html {
    let button = |facet: Facet| {
        let on = app.facet == facet;
        let show = app.handlers.face.reform(move |_: MouseEvent| facet);
        html! {
            <button class={classes!("segment", on.then_some("on"))} aria-pressed={on.to_string()}
                onclick={show}>{ facet.name() }</button>
        }
    };
    html! {
        <nav class="facets" aria-label="Parts of the page">
            // The verdict is the page's heading; it is out of sight with the source.
            if app.facet != Facet::Source {
                <h1 class="visually-hidden">{ app.facet.name() }</h1>
            }
            <div class="segments" role="group" aria-label="What is shown">
                { for Facet::ALL.into_iter().map(button) }
            </div>
        </nav>
    }
}

fn source_pane(app: &App, empty: bool, legend: Option<Html>, besides: (Html, Html, Html)) -> Html {
    let (model, on, tab) = (&app.state.model, &app.handlers, app.state.tab());
    let slice = slice::lines(model.fresh()).filter(|_| app.slice_shown).map(<[u32]>::to_vec);
    // A tab with no paint of its own shows the first one's, and its legend.
    let legend = legend.or_else(|| app.state.tabs.get("").panes(&draws(app)).legend);
    html! {
        <section class="pane source" aria-label="Source">
            <SourceBar
                name={model.name.clone()}
                requested={model.requested.dialect}
                guessed={model.guessed}
                blank={model.is_blank()}
                read_only={app.read_only}
                input={app.file_input.clone()}
                on_dialect={on.dialect.clone()}
                on_open={on.choose.clone()}
                on_file={on.file.clone()}
            />
            if !empty {
                <VerdictPanel loading={app.loading} tab={model.shown} said={app.state.said()}
                    offers={besides.0} findings={besides.1} proof={besides.2} known={app.state.known_elsewhere()}
                    suitable={app.state.suitable()} diagnostics={model.diagnostics.clone()}
                    on_line={on.shared.line.clone()} on_ask={on.ask.clone()}
                    on_mend={on.mend.clone()}
                    on_show={on.show.clone()} />
            }
            <Editor document={model.document.clone()} dialect={model.dialect()}
                diagnostics={model.diagnostics.clone()} notes={app.state.notes()}
                paint={tab.paint(model).clone()}
                slice={slice.unwrap_or_default()} current={tab.current_line(model)}
                selected={model.selection.line} hover={model.hover} reveal={model.reveal}
                read_only={app.read_only} on_change={on.edited.clone()}
                on_replaced={on.replaced.clone()} on_cursor={on.cursor.clone()} />
            if !empty { { for legend } }
        </section>
    }
}

/// What an empty page says.
fn invitation(app: &App) -> Html {
    let on = &app.handlers;
    if app.is_opening() {
        return html! {
            <section class="pane invitation" aria-label="Start">
                <div class="welcome"><p class="quiet">{ "Opening the example…" }</p></div>
            </section>
        };
    }
    html! {
        <section class="pane invitation" aria-label="Start">
            <div class="welcome">
                <h1>{ "Can this program fail?" }</h1>
                <p>{ "Paste a program with assertions into the editor, or drop a file onto the \
                    page: C, Cimple, a Boolean program, Remopla, or a pushdown system. Faultline \
                    says whether one of them can fail, shows a run that does, and lights every \
                    statement that can take part in one. The rest is innocent." }</p>
                <p class="quiet">{ "Everything runs in this page. Nothing is sent anywhere." }</p>
                <p><button class="link" data-lessons="">{ "New to this? Take a lesson." }</button></p>
                if !app.examples.is_empty() {
                    <h2>{ "Try an example" }</h2>
                    <Cards examples={app.examples.clone()} most={6} topic={Some(Topic::Start)}
                        on_open={on.fetch.clone()} />
                }
                if let Some(fault) = &app.state.model.fault {
                    { fault_line(fault, &on.ask) }
                } else if let Some(loading) = app.loading { { loading_line(loading) } }
            </div>
        </section>
    }
}

fn dialogs(app: &App) -> Html {
    let on = &app.handlers;
    match app.open {
        None => html! {},
        Some(Open::Gallery) => {
            html! {
                <Gallery
                    examples={app.examples.clone()}
                    on_open={on.fetch.clone()}
                    on_close={on.close.clone()}
                />
            }
        }
        Some(Open::Help) => {
            let told =
                |tab: &dyn Tab| Told { word: tab.word(), name: tab.name(), help: tab.help() };
            let tabs: Vec<Told> = app.state.tabs.iter().map(told).collect();
            let shown = app.state.model.shown;
            html! { <HelpDialog {tabs} {shown} on_close={on.close.clone()} /> }
        }
        Some(Open::Share) => match &app.link {
            Some(link) => {
                html! {
                    <Share
                        link={link.clone()}
                        copied={app.copied}
                        on_copy={on.copy.clone()}
                        on_close={on.close.clone()}
                    />
                }
            }
            None => html! {},
        },
    }
}
