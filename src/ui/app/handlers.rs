//! Callbacks, made once, so that parts of the page are not rendered again for new ones.

use super::{App, Facet, Msg, Open, Pane};
use crate::ui::frame::files::FileEvent;
use crate::ui::frame::gallery::Example;
use crate::ui::state::export::Export;
use crate::ui::state::said::Ask;
use crate::ui::view::Handlers;
use crate::wire::diagnostic::TextEdit;
use crate::wire::options::{Dialect, RequestedOptions};
use crate::wire::projection::Method;
use web_sys::File;
use yew::html::Scope;
use yew::prelude::*;

/// The callbacks of the frame.
pub(super) struct AppHandlers {
    /// Those that the tabs share.
    pub(super) shared: Handlers,
    pub(super) edited: Callback<(String, bool)>,
    pub(super) replaced: Callback<()>,
    pub(super) cursor: Callback<u32>,
    pub(super) requested: Callback<RequestedOptions>,
    pub(super) method: Callback<Method>,
    pub(super) dialect: Callback<Option<Dialect>>,
    pub(super) toggle_options: Callback<()>,
    pub(super) toggle_memory: Callback<()>,
    pub(super) clear: Callback<()>,
    pub(super) toggle_legend: Callback<()>,
    pub(super) toggle_timeline: Callback<()>,
    pub(super) run: Callback<()>,
    pub(super) ask: Callback<Ask>,
    pub(super) mend: Callback<TextEdit>,
    pub(super) stop: Callback<()>,
    pub(super) show: Callback<&'static str>,
    pub(super) export: Callback<Export>,
    pub(super) gallery: Callback<()>,
    pub(super) share: Callback<()>,
    pub(super) help: Callback<()>,
    pub(super) present: Callback<bool>,
    pub(super) face: Callback<Facet>,
    pub(super) close: Callback<()>,
    pub(super) copy: Callback<()>,
    pub(super) fetch: Callback<Example>,
    pub(super) choose: Callback<()>,
    pub(super) file: Callback<File>,
    pub(super) theme: Callback<()>,
    pub(super) dismiss: Callback<()>,
    pub(super) dismiss_look: Callback<()>,
    pub(super) watch: Callback<String>,
    pub(super) unwatch: Callback<usize>,
    pub(super) toggle_values: Callback<()>,
    pub(super) toggle_predicting: Callback<()>,
    pub(super) predict: Callback<Option<String>>,
    pub(super) restore: Callback<()>,
    pub(super) open_unread: Callback<()>,
    pub(super) take_other: Callback<()>,
    pub(super) left: Callback<i32>,
    pub(super) right: Callback<i32>,
    pub(super) bottom: Callback<i32>,
}

impl AppHandlers {
    pub(super) fn new(link: &Scope<App>) -> AppHandlers {
        let mut shared = Handlers::new(link.callback(Msg::Tab));
        shared.line = link.callback(Msg::Line);
        shared.statement = link.callback(Msg::Statement);
        shared.graph = link.callback(Msg::Graph);
        shared.step = link.callback(Msg::Step);
        shared.toggle_slice = link.callback(|_| Msg::ToggleSlice);
        shared.bits = link.callback(Msg::Bits);
        shared.heap = link.callback(Msg::Heap);
        shared.reach = link.callback(Msg::Reach);
        shared.alone = link.callback(Msg::Alone);
        shared.witness = link.callback(|()| Msg::Witness);
        AppHandlers {
            shared,
            edited: link.callback(|(text, pasted)| Msg::Edited(text, pasted)),
            replaced: link.callback(|()| Msg::Replaced),
            cursor: link.callback(Msg::Cursor),
            requested: link.callback(Msg::Requested),
            method: link.callback(Msg::Method),
            dialect: link.callback(Msg::Dialect),
            toggle_memory: link.callback(|()| Msg::ToggleMemory),
            clear: link.callback(|()| Msg::Clear),
            toggle_legend: link.callback(|()| Msg::ToggleLegend),
            toggle_timeline: link.callback(|()| Msg::ToggleTimeline),
            toggle_options: link.callback(|()| Msg::ToggleOptions),
            run: link.callback(|()| Msg::Run),
            ask: link.callback(Msg::Ask),
            mend: link.callback(Msg::Mend),
            stop: link.callback(|()| Msg::Stop),
            show: link.callback(Msg::Show),
            export: link.callback(Msg::Export),
            gallery: link.callback(|()| Msg::Open(Open::Gallery)),
            share: link.callback(|()| Msg::Open(Open::Share)),
            help: link.callback(|()| Msg::Open(Open::Help)),
            present: link.callback(Msg::Present),
            face: link.callback(Msg::Face),
            close: link.callback(|()| Msg::CloseDialog),
            copy: link.callback(|()| Msg::Copy),
            fetch: link.callback(|example| Msg::Fetch(Box::new(example))),
            choose: link.callback(|()| Msg::Choose),
            file: link.callback(|file| Msg::File(FileEvent::Given(file))),
            theme: link.callback(|()| Msg::Theme),
            dismiss: link.callback(|()| Msg::Dismiss),
            dismiss_look: link.callback(|()| Msg::DismissLook),
            watch: link.callback(Msg::Watch),
            unwatch: link.callback(Msg::Unwatch),
            toggle_values: link.callback(|()| Msg::ToggleValues),
            toggle_predicting: link.callback(|()| Msg::TogglePredicting),
            predict: link.callback(Msg::Predict),
            restore: link.callback(|()| Msg::Restore),
            open_unread: link.callback(|()| Msg::OpenUnread),
            take_other: link.callback(|()| Msg::TakeOther),
            left: link.callback(|v| Msg::Resize(Pane::Left, v)),
            right: link.callback(|v| Msg::Resize(Pane::Right, v)),
            bottom: link.callback(|v| Msg::Resize(Pane::Bottom, v)),
        }
    }
}
