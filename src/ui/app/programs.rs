//! Another program takes the place of the present one: from a file, from the gallery, or by a paste
//! over all of it.

use super::{App, Msg};
use crate::ui::browser::{clear_hash, focus_soon};
use crate::ui::files::{self, FileEvent, Opened};
use crate::ui::gallery::Example;
use crate::ui::shared::Shared;
use crate::ui::store::{self, Program};
use crate::wire::options::{Dialect, RequestedOptions};
use crate::wire::permalink::Permalink;
use crate::wire::protocol::{Budgets, Method};
use web_sys::File;
use yew::Context;

impl App {
    /// An example of the gallery, on the view and the step that its entry names.
    pub(super) fn open_example(&mut self, ctx: &Context<Self>, example: Example, text: String) {
        let Example { view, step, lab, refinement, explain, threads, .. } = example;
        let place =
            Permalink { view, step, lab, refinement, explain, threads, ..Permalink::default() };
        self.open_program(ctx, example.file, text, example.dialect, Some(place));
        self.model.refinement.paper = example.paper.map(Shared::new);
    }

    /// Shows another program and runs it. The editor's undo brings the present one back, and its
    /// options with it.
    pub(super) fn open_program(
        &mut self,
        ctx: &Context<Self>,
        name: String,
        text: String,
        dialect: Option<Dialect>,
        place: Option<Permalink>,
    ) {
        self.open = None;
        self.notice = None;
        clear_hash();
        if std::mem::take(&mut self.linked) && !self.embed && store::set_aside() {
            self.aside = true;
            self.notice = Some("Your own program was put aside when you opened the link.".into());
        }
        self.restore = None;
        self.changed();
        self.shelve();
        self.model.requested = RequestedOptions {
            dialect: dialect.or_else(|| of_name(&name)),
            ..RequestedOptions::default()
        };
        self.model.method = Method::default();
        self.model.replace_source(text);
        self.model.name = Some(name);
        if let Some(place) = place {
            self.show_place(place);
        }
        self.keep();
        if self.model.source.trim().is_empty() {
            self.load(ctx)
        } else {
            self.run(ctx, Budgets::default())
        }
        focus_soon(".verdict");
    }

    /// A file is held over the page, or was given to it.
    pub(super) fn file_event(&mut self, ctx: &Context<Self>, event: FileEvent) {
        match event {
            FileEvent::Over(over) => self.dragging = over && !self.embed,
            FileEvent::Given(file) => self.read_file(ctx, file),
        }
    }

    pub(super) fn read_file(&mut self, ctx: &Context<Self>, file: File) {
        if self.embed {
            return;
        }
        let link = ctx.link().clone();
        wasm_bindgen_futures::spawn_local(async move {
            link.send_message(Msg::Opened(files::read(file).await))
        });
    }

    /// A file was read, or not: then nothing changes.
    pub(super) fn opened(&mut self, ctx: &Context<Self>, opened: Opened) {
        match opened {
            Ok((name, text)) => self.open_program(ctx, name, text, None, None),
            Err(why) => self.notice = Some(format!("{why} The present program stays.")),
        }
    }

    /// The user has replaced the whole program: what was set for the old one does not override what
    /// this one says.
    pub(super) fn replaced(&mut self) {
        self.shelve();
        self.model.forget_program();
        self.model.requested = RequestedOptions::default();
    }

    /// Undo and redo over a replaced program: its name and its options return with it.
    pub(super) fn take_from_shelf(&mut self, text: &str) {
        if let Some(old) = self.shelf.iter().rev().find(|program| program.source == text).cloned() {
            self.shelve();
            self.model.requested = old.options;
            self.model.method = old.method;
            self.model.name = old.name;
        } else if text.trim().is_empty() {
            self.replaced();
        }
    }

    /// Remembers what goes with the present program, before another one takes its place.
    pub(super) fn shelve(&mut self) {
        const KEPT: usize = 8;
        let program = self.present();
        self.shelf.retain(|old| old.source != program.source);
        self.shelf.push(program);
        if self.shelf.len() > KEPT {
            self.shelf.remove(0);
        }
    }

    /// The present program, to be kept.
    pub(super) fn present(&self) -> Program {
        Program {
            source: self.model.source.clone(),
            options: self.model.requested.clone(),
            method: self.model.method,
            name: self.model.name.clone(),
        }
    }
}

fn of_name(name: &str) -> Option<Dialect> {
    Dialect::of_extension(&name.rsplit_once('.')?.1.to_lowercase())
}
