//! The page's frame: the top bar and the panes.

use super::keeping::Elsewhere;
use super::{App, Facet, Open, watch};
use crate::draw::memory::{Picture, markup};
use crate::draw::watch::beside;
use crate::ui::frame::browser::focus_soon;
use crate::ui::frame::editor::Editor;
use crate::ui::frame::export_menu::ExportMenu;
use crate::ui::frame::files;
use crate::ui::frame::gallery::{Cards, Example, Gallery};
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
use crate::ui::view::{Beside, Panes, View};
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
    if !empty && app.state.tab().trace(model).is_some() {
        panes.note = html! { <>{ panes.note }{ values_button(app) }</> };
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
        look.timeline.map(|shown| if shown { "timeline-shown" } else { "timeline-hidden" }),
        empty.then_some("empty"),
        app.hides_values().then_some("predicting")
    );
    html! {
        <div {class} style={sizes}>
            if !app.presenting {
                <button class="skip" onclick={|_: MouseEvent| focus_soon(".cm-content")}>
                    { "To the program" }
                </button>
            }
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
                { source_pane(app, empty, panes.legend, panes.beside) }
                <Splitter
                    name="Width of the source"
                    grows={Grows::Right}
                    value={look.left}
                    least={280}
                    most={760}
                    on_change={on.left.clone()}
                />
                if empty { { invitation(app) } }
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
                        <div class="pane side">
                            if app.invites() {
                                { welcome(app) }
                            } else {
                                { for app.looked_at().map(|example| look_note(app, example)) }
                                { panes.inspector }
                                { watch::panel(app) }
                            }
                        </div>
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
                least={100}
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

/// The switch of the values behind the step's line.
fn values_button(app: &App) -> Html {
    let on = app.look.values;
    html! {
        <button class={classes!("tool", "values-switch", on.then_some("on"))}
            aria-pressed={on.to_string()}
            title="Show behind the step's line what it reads and changes"
            onclick={app.handlers.toggle_values.reform(|_: MouseEvent| ())}>
            { "Values" }
        </button>
    }
}

/// What stands behind the step's line.
fn values_beside(app: &App) -> (u32, String) {
    let step =
        app.state.tab().trace(&app.state.model).filter(|_| app.look.values && !app.hides_values());
    let entry = step.and_then(|(trace, step)| trace.get(step));
    entry.map_or_else(Default::default, |entry| (entry.line, beside(entry)))
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
            shown={app.look.shows_timeline(app.presenting)} {on_move}
            on_fold={app.handlers.toggle_timeline.clone()} />
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
            title="Present: source, picture and steps, large (P)"
            aria-keyshortcuts="P"
        >
            { icon(Icon::Present) }
        </button>
    }
}

/// On a phone: source, picture or inspector.
fn facets(app: &App) -> Html {
    let name = |facet: Facet| match facet {
        Facet::Inspector if app.invites() => "Start",
        facet => facet.name(),
    };
    let button = |facet: Facet| {
        let on = app.facet == facet;
        let show = app.handlers.face.reform(move |_: MouseEvent| facet);
        html! {
            <button class={classes!("segment", on.then_some("on"))} aria-pressed={on.to_string()}
                onclick={show}>{ name(facet) }</button>
        }
    };
    html! {
        <nav class="facets" aria-label="Parts of the page">
            // The verdict is the page's heading; it is out of sight with the source.
            if app.facet != Facet::Source {
                <h1 class="visually-hidden">{ name(app.facet) }</h1>
            }
            <div class="segments" role="group" aria-label="What is shown">
                { for Facet::ALL.into_iter().map(button) }
            </div>
        </nav>
    }
}

fn source_pane(app: &App, empty: bool, legend: Option<Html>, beside: Beside) -> Html {
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
                    {beside} known={app.state.known_elsewhere()} suitable={app.state.suitable()}
                    diagnostics={model.diagnostics.clone()}
                    on_line={on.shared.line.clone()} on_ask={on.ask.clone()}
                    on_mend={on.mend.clone()}
                    on_show={on.show.clone()} />
            }
            <Editor document={model.document.clone()} dialect={model.dialect()}
                diagnostics={model.diagnostics.clone()} notes={app.state.notes()}
                paint={tab.paint(model).clone()}
                slice={slice.unwrap_or_default()} current={tab.current_line(model)}
                selected={model.selection.line} hover={model.hover} reveal={model.reveal}
                lent={app.is_welcome()} values={values_beside(app)}
                read_only={app.read_only} on_change={on.edited.clone()}
                on_replaced={on.replaced.clone()} on_cursor={on.cursor.clone()} />
            if !empty { { for legend.map(|legend| folded_legend(app, legend)) } }
        </section>
    }
}

/// What the gallery says of the example that is shown: what to look at.
fn look_note(app: &App, example: &Example) -> Html {
    html! {
        <aside class="look-note" aria-label="What to look at">
            <p><b>{ &example.title }</b>{ " " }{ &example.look }</p>
            <button class="tool bare" aria-label="Dismiss the note"
                onclick={app.handlers.dismiss_look.reform(|_: MouseEvent| ())}>
                { icon(Icon::Close) }
            </button>
        </aside>
    }
}

/// What the paint means, in one line; what it can be compared with, on request.
fn folded_legend(app: &App, legend: Html) -> Html {
    if legend == Html::default() {
        return legend;
    }
    let open = app.look.legend;
    html! {
        <div class={classes!("legend-area", open.then_some("open"))}>
            { legend }
            <button class="legend-switch" aria-expanded={open.to_string()}
                onclick={app.handlers.toggle_legend.reform(|_| ())}>
                { if open { "Less" } else { "More" } }
                { icon(if open { Icon::Up } else { Icon::Down }) }
            </button>
        </div>
    }
}

/// What an empty page says.
fn invitation(app: &App) -> Html {
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
                <h1>{ "Can your program fail?" }</h1>
                <p>{ "Paste a program into the editor, write one, or drop a file onto the page. \
                    Run shows a run that fails, the lines that can take part in one, and why the \
                    rest is innocent; or it proves that no run fails." }</p>
                { what_can_be_asked() }
                { beginnings(app) }
            </div>
        </section>
    }
}

/// Beside the example that stands ready on a first visit: what it is, and how to go on.
fn welcome(app: &App) -> Html {
    let clear = app.handlers.clear.reform(|_: MouseEvent| ());
    html! {
        <section class="pane inspector" aria-label="Start">
            <div class="inspector-body welcome beside">
                <h2>{ "Can your program fail?" }</h2>
                <p>{ "An example stands ready with its answer above it. Choose a line or a box to \
                    see why it is lit or not. Paste your own program over it, or " }
                    <button class="link" aria-keyshortcuts="Delete" onclick={clear}>
                        { "clear the editor" }
                    </button>
                    { " (" }<kbd>{ "Del" }</kbd>{ ") and write." }</p>
                { what_can_be_asked() }
                { beginnings(app) }
            </div>
        </section>
    }
}

/// The questions that the tabs answer.
fn what_can_be_asked() -> Html {
    html! {
        <dl class="questions">
            <dt>{ "Projection" }</dt><dd>{ "Can it fail, and which lines take part?" }</dd>
            <dt>{ "Refinement" }</dt><dd>{ "How is that found out, and what proves it safe?" }</dd>
            <dt>{ "Explain" }</dt><dd>{ "What is the cause, and which change mends it?" }</dd>
            <dt>{ "Tests" }</dt><dd>{ "Does it print what it should, and if not, why?" }</dd>
            <dt>{ "Threads" }</dt><dd>{ "Do threads get in each other’s way?" }</dd>
            <dt>{ "Liveness" }</dt><dd>{ "Does every run end? Does an order always hold?" }</dd>
            <dt>{ "Lab" }</dt><dd>{ "What does the engine do, step by step?" }</dd>
        </dl>
    }
}

/// The first lesson, and examples.
fn beginnings(app: &App) -> Html {
    let on = &app.handlers;
    html! {
        <>
            <p><button class="link" data-lessons="">{ "New to this? Take a lesson." }</button></p>
            if !app.examples.is_empty() {
                <h2>{ "Try an example" }</h2>
                <Cards examples={app.examples.clone()} most={6} topic={Some(Topic::Start)}
                    except={app.state.model.name.clone().filter(|_| app.is_welcome())}
                    on_open={on.fetch.clone()} />
            }
            <p class="quiet">{ "C, Cimple, Boolean programs, Remopla and pushdown systems are \
                read. Everything runs in this page; nothing is sent anywhere." }</p>
            if let Some(fault) = &app.state.model.fault {
                { fault_line(fault, &on.ask) }
            } else if let Some(loading) = app.loading { { loading_line(loading) } }
        </>
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
