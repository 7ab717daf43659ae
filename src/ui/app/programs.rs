//! Another program takes the place of the present one: from a file, from the gallery, or by a paste
//! over all of it.

use super::history::{Lender, options_of};
use super::{App, Facet, Msg};
use crate::ui::frame::browser::focus_soon;
use crate::ui::frame::files::{self, FileEvent, Opened};
use crate::ui::frame::gallery::Example;
use crate::ui::frame::store::{self, Program};
use crate::wire::exercise::{ExerciseFile, FILE_ENDING};
use crate::wire::options::{Dialect, RequestedOptions};
use crate::wire::permalink::Permalink;
use crate::wire::projection::Method;
use web_sys::File;
use yew::Context;

impl App {
    /// An example of the gallery, on the tab and the step that its entry names.
    pub(super) fn open_example(&mut self, ctx: &Context<Self>, example: Example, text: String) {
        let Example { file, dialect, view, step, places, .. } = example.clone();
        let place = Permalink { view, step, places, ..Permalink::default() };
        self.turn_page();
        self.shelve();
        self.derive_from(ctx, None);
        self.opened_from_gallery(&example, &text);
        self.open_program(file, text, dialect, Some(place));
    }

    /// Shows another program and runs it. The editor's undo brings the present one back, and its
    /// options with it.
    pub(crate) fn open_program(
        &mut self,
        name: String,
        text: String,
        dialect: Option<Dialect>,
        place: Option<Permalink>,
    ) {
        self.open = None;
        self.notice = None;
        // An example is only lent; a file takes the place of the kept program.
        let lent = place.is_some();
        let was_lent = self.lender.take().is_some();
        if !lent && was_lent && !self.embed && store::set_aside() {
            self.aside = true;
            self.notice = Some("Your own program was put aside when you opened the file.".into());
        }
        self.lender = lent.then_some(Lender::Gallery);
        self.state.model.link = None;
        self.state.changed();
        let options = options_of(&name, dialect);
        let guessed = options.dialect.unwrap_or_else(|| Dialect::guess(&text));
        // An example opens as the gallery promises.
        let bits = if lent { None } else { self.look.chosen_width(guessed, &text) };
        self.state.model.requested = RequestedOptions { bits, ..options };
        self.state.model.method = Method::default();
        self.state.replace_source(text);
        self.state.model.name = Some(name);
        if let Some(place) = place {
            // The gallery's list is the page's own: its places can be read.
            self.state.restore(place);
        }
        if !lent {
            self.keep();
        }
        self.facet = Facet::Source;
        self.begin();
        focus_soon(".verdict");
    }

    /// A file is held over the page, or was given to it.
    pub(crate) fn file_event(&mut self, ctx: &Context<Self>, event: FileEvent) {
        match event {
            FileEvent::Over(over) => self.dragging = over && !self.read_only,
            FileEvent::Given(file) => self.read_file(ctx, file),
        }
    }

    pub(crate) fn read_file(&mut self, ctx: &Context<Self>, file: File) {
        if self.read_only {
            return;
        }
        let link = ctx.link().clone();
        wasm_bindgen_futures::spawn_local(async move {
            link.send_message(Msg::Opened(files::read(file).await))
        });
    }

    /// A file was read, or not: then nothing changes.
    pub(crate) fn opened(&mut self, ctx: &Context<Self>, opened: Opened) {
        match opened {
            Ok((name, text)) if name.ends_with(FILE_ENDING) => match ExerciseFile::read(&text) {
                Some(file) => self.open_exercise(ctx, file),
                None => {
                    self.notice = Some(format!(
                        "{name} is no exercise of this page. The present program stays."
                    ));
                }
            },
            Ok((name, text)) => {
                self.turn_page();
                self.shelve();
                self.derive_from(ctx, None);
                self.open_program(name, text, None, None);
            }
            Err(why) => self.notice = Some(format!("{why} The present program stays.")),
        }
    }

    /// An exercise from a file: the program to begin with, on the tab Tests.
    fn open_exercise(&mut self, ctx: &Context<Self>, file: ExerciseFile) {
        let exercise = file.tests.exercise.as_deref().cloned().unwrap_or_default();
        let mut place = Permalink { view: "tests".into(), ..Permalink::default() };
        place.put("tests", &file.tests);
        self.turn_page();
        self.shelve();
        self.derive_from(ctx, None);
        self.open_program(exercise.title, exercise.start, Some(Dialect::C), Some(place));
    }

    /// The user has replaced the whole program: what was set for the old one does not override what
    /// this one says. The text of the new one comes with the next edit.
    pub(crate) fn replaced(&mut self, ctx: &Context<Self>) {
        self.turn_page();
        self.is_replaced = true;
        self.shelve();
        self.derive_from(ctx, None);
        self.state.forget_program();
        self.state.model.requested = RequestedOptions::default();
    }

    /// Undo and redo over a replaced program: its name and its options return with it.
    pub(crate) fn take_from_shelf(&mut self, ctx: &Context<Self>, text: &str) {
        if let Some(old) = self.shelf.iter().rev().find(|program| program.source == text).cloned() {
            self.shelve();
            self.is_replaced = false;
            self.state.model.requested = old.options;
            self.state.model.method = old.method;
            self.state.model.name = old.name;
            self.derive_from(ctx, old.example);
        } else if text.trim().is_empty() {
            self.replaced(ctx);
        }
    }

    /// Remembers what goes with the present program, before another one takes its place.
    pub(crate) fn shelve(&mut self) {
        const KEPT: usize = 8;
        let program = self.present();
        self.shelf.retain(|old| old.source != program.source);
        self.shelf.push(program);
        if self.shelf.len() > KEPT {
            self.shelf.remove(0);
        }
    }

    /// The present program, to be kept.
    pub(crate) fn present(&self) -> Program {
        Program {
            source: self.state.model.source.clone(),
            options: self.state.model.requested.clone(),
            method: self.state.model.method,
            name: self.state.model.name.clone(),
            example: self.origin.as_ref().map(|origin| origin.file.clone()),
        }
    }
}
