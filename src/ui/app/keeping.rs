//! The program that the browser keeps: writing it, and showing it again; and what another tab of
//! the browser has made of it.

use super::App;
use super::history::Wanted;
use crate::ui::frame::place::Kept;
use crate::ui::frame::store::{self, Program};
use crate::wire::kept::ReadBack;
use yew::Context;

/// What the page says of other tabs of the browser.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Elsewhere {
    /// None has changed the program since this one has written it.
    #[default]
    Unchanged,
    /// The notice says that one has.
    Told,
    /// It was read, and dismissed.
    Dismissed,
}

impl App {
    /// Keeps the program, or says that it is not kept.
    pub(super) fn keep(&mut self) {
        if self.embed {
            return;
        }
        let kept = self.place.keep(&self.present());
        if std::mem::take(&mut self.elsewhere) == Elsewhere::Told {
            self.notice = None;
        }
        if self.notice.is_none() {
            self.notice = match kept {
                Kept::Yes => None,
                Kept::Beside => Some(
                    "The program was changed in another tab too. The text from there is kept \
                     among your programs: the name above the source opens them."
                        .into(),
                ),
                Kept::No => Some(
                    "The browser does not keep the program (its store is full or closed): copy \
                     it before you leave."
                        .into(),
                ),
            };
        }
    }

    /// Another tab of the browser has written the kept program. Should the page be rendered?
    pub(super) fn changed_elsewhere(&mut self) -> bool {
        let is_said = self.elsewhere != Elsewhere::Unchanged || self.notice.is_some();
        if self.embed || self.lender.is_some() || is_said {
            return false;
        }
        let Some(other) = self.place.other() else { return false };
        if other.source == self.state.model.source {
            // Other options: nothing is lost when this tab writes its own.
            self.place.read();
            return false;
        }
        self.elsewhere = Elsewhere::Told;
        self.notice = Some(
            "The program was changed in another tab. What you write here is kept beside it.".into(),
        );
        true
    }

    /// Shows what another tab of the browser has made of the program.
    pub(super) fn take_other(&mut self, ctx: &Context<Self>) {
        (self.elsewhere, self.notice) = (Elsewhere::Unchanged, None);
        self.turn_page();
        self.shelve();
        let ReadBack { program, .. } = self.place.read();
        self.reopen(ctx, program);
    }

    /// Shows the program that the browser keeps; to who has none yet, an example with its answer.
    pub(super) fn welcome(&mut self, ctx: &Context<Self>) {
        match self.embed || store::written().is_some() {
            true => self.reopen_kept(ctx),
            false => self.want(ctx, Wanted::Welcome(String::new())),
        }
    }

    /// Shows the program that the browser keeps.
    pub(super) fn reopen_kept(&mut self, ctx: &Context<Self>) {
        let ReadBack { program, is_whole } = self.place.read();
        if !is_whole {
            self.unread = true;
            self.notice = Some(
                "A part of what this browser kept with your program could not be read. The text \
                 is here; all that was kept was put aside."
                    .into(),
            );
        }
        self.reopen(ctx, program);
    }

    /// Shows a kept program, and runs it.
    pub(super) fn reopen(&mut self, ctx: &Context<Self>, program: Program) {
        self.state.changed();
        let model = &mut self.state.model;
        model.requested = program.options;
        model.method = program.method;
        self.state.replace_source(program.source);
        self.state.model.name = program.name;
        self.derive_from(ctx, program.example);
        self.begin_unasked();
    }
}
