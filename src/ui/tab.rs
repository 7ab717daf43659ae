//! What a tab is: an analysis with a picture, an inspector and a timeline. Program, verdict, Run,
//! Share and Gallery belong to all tabs.
//!
//! A tab keeps its own state and decides what to ask the worker. Its state is plain data; the
//! browser comes in only where the tab draws its panes. [`super::tabs`] is the list of all tabs.

use super::state::export::{Export, File};
use super::state::model::Model;
use super::state::paint::Paint;
use super::state::said::{Ask, Said};
use super::state::shared::Shared;
use super::state::timeline::{Entry, Timeline};
use crate::draw::svg::Theme;
use crate::wire::localize::CauseReport;
use crate::wire::permalink::Permalink;
use crate::wire::protocol::ReplyMessage;
use crate::wire::report::TraceEntry;
use std::any::Any;

#[cfg(feature = "ui")]
use super::view::{Panes, View};

/// The part of the help that is about a tab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Help {
    /// What it is, in three sentences.
    pub(crate) brief: [&'static str; 3],
    /// A picture of it, as SVG in the colours of the style sheet.
    pub(crate) picture: &'static str,
    /// More about it, for those who ask.
    pub(crate) text: &'static [&'static str],
    /// Its keys, and what they do.
    pub(crate) keys: &'static [(&'static str, &'static str)],
}

/// A tab.
pub(crate) trait Tab {
    /// What its button says.
    fn name(&self) -> &'static str;
    /// What links and the gallery's list call it.
    fn word(&self) -> &'static str;
    /// What the help says of it.
    fn help(&self) -> Help;

    /// Another program: nothing of the old one is left.
    fn forget(&mut self);
    /// The program or its options have changed: what is shown is stale.
    fn invalidate(&mut self);
    /// The worker reads the program once more: what it kept for the tab is gone.
    fn reload(&mut self) {
        self.invalidate();
    }
    /// The user has edited the program.
    fn edited(&mut self) {}
    /// The worker was replaced or has crashed: what was on its way does not arrive, and is given
    /// up.
    fn lose_worker(&mut self);
    /// The check has found a failing run, and goes on.
    fn fails(&mut self, _model: &mut Model) {}
    /// The run of the check has ended.
    fn answered(&mut self, _model: &mut Model) {}
    /// Paints lines and boxes anew: statements, answers or the picture are others now.
    fn repaint(&mut self, _model: &mut Model) {}

    /// Asks the worker for what is due.
    fn ask(&mut self, model: &mut Model);
    /// Takes a reply of the worker; gives back what is not this tab's.
    fn reply(&mut self, message: ReplyMessage, model: &mut Model) -> Option<ReplyMessage>;
    /// Ends what is on its way, where it is.
    fn stop(&mut self, model: &mut Model);
    /// A button beside its verdict was pressed.
    fn work(&mut self, ask: Ask, model: &mut Model);

    /// What it says first: its verdict, or how far it is.
    fn said(&self, model: &Model) -> Said;
    /// What it knows about the present program, in a few words, for the other tabs to show.
    fn knows(&self, model: &Model) -> Option<String>;
    /// Is it of no use where only the bounded engine reads the program?
    fn needs_program(&self) -> bool {
        true
    }
    /// Is it made for such a program?
    fn suits(&self, model: &Model) -> bool;

    /// Takes an event of one of its own panes.
    fn event(&mut self, event: Box<dyn Any>, model: &mut Model);
    /// Takes a key while it is shown. False if the key is none of its own.
    fn key(&mut self, _key: &str, _model: &mut Model) -> bool {
        false
    }
    /// A line was selected in the source, perhaps while another tab is shown.
    fn line_selected(&mut self, _line: u32) {}
    /// A box of the control-flow graph was selected while it is shown, with Shift or without.
    fn box_selected(&mut self, _location: u32, _add: bool, _model: &mut Model) {}
    /// The user has selected something else.
    fn selection_changed(&mut self, _model: &mut Model) {}

    /// Where its timeline is, if it has one.
    fn timeline(&self, model: &Model) -> Option<Timeline>;
    /// A step of the timeline.
    fn entry(&self, step: usize, model: &Model) -> Option<Entry>;
    /// Goes to a step of the timeline.
    fn go_to(&mut self, step: usize, model: &mut Model);
    /// The run that it steps through, statement by statement, and the step.
    fn trace<'a>(&'a self, _model: &'a Model) -> Option<(&'a [TraceEntry], usize)> {
        None
    }
    /// What it knows of the causes of failing runs.
    fn causes(&self) -> &[CauseReport] {
        &[]
    }
    /// The line of the source that the step is about; 0 is none.
    fn current_line(&self, model: &Model) -> u32;
    /// What is painted on the source.
    fn paint<'a>(&'a self, model: &'a Model) -> &'a Shared<Paint> {
        &model.paint
    }

    /// Writes its state into a link.
    fn present(&self, link: &mut Permalink);
    /// Takes its state from a link or from an example. False if the link's text cannot be read.
    fn restore(&mut self, link: &Permalink) -> bool;

    /// Is there something to export?
    fn can_export(&self, what: Export, model: &Model) -> bool;
    /// A file to take away.
    fn export(&self, what: Export, model: &Model, theme: Theme) -> Option<File>;

    /// What it draws.
    #[cfg(feature = "ui")]
    fn panes(&self, view: &View) -> Panes;
}
