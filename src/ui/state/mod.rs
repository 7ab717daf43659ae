//! The state of the page, without the browser: plain data that tests can drive natively.
//!
//! [`State`] is the [`model::Model`] (what belongs to all tabs) and the tabs. Its methods take what
//! the user, the worker and the clock say. Effects are collected ([`effect::Effect`]), and the page
//! carries them out.

mod document;
pub(crate) mod effect;
pub(crate) mod export;
pub(crate) mod fault;
pub(crate) mod link;
pub(crate) mod lookup;
pub(crate) mod memory;
pub(crate) mod model;
pub(crate) mod paint;
pub(crate) mod picture;
pub(crate) mod question;
pub(crate) mod run;
pub(crate) mod said;
mod selecting;
pub(crate) mod selection;
pub(crate) mod shared;
pub(crate) mod timeline;
pub(crate) mod verdict;

#[cfg(test)]
pub(crate) mod testing;

use super::tab::Tab;
use super::tabs::Tabs;
use crate::util::Budgets;
use effect::Effect;
use model::Model;
use picture::GraphEvent;
use said::Ask;
use std::any::Any;
use timeline::{Move, Timeline};

/// Everything that the page knows.
#[derive(Default)]
pub(crate) struct State {
    pub(crate) model: Model,
    pub(crate) tabs: Tabs,
    planned: memory::Planned,
}

impl State {
    /// The tab that is shown.
    pub(crate) fn tab(&self) -> &dyn Tab {
        self.tabs.get(self.model.shown)
    }

    /// The tab that is shown, and the model.
    fn tab_mut(&mut self) -> (&mut dyn Tab, &mut Model) {
        (self.tabs.get_mut(self.model.shown), &mut self.model)
    }

    /// The user chooses a tab: by its word, or the first.
    pub(crate) fn show(&mut self, word: &str) {
        (self.model.chosen, self.model.unasked) = (true, false);
        self.turn_to(word);
    }

    /// Shows a tab.
    pub(crate) fn turn_to(&mut self, word: &str) {
        let word = self.tabs.get(word).word();
        if std::mem::replace(&mut self.model.shown, word) != word {
            self.model.playing = false;
            self.forget_what_is_missing();
            self.ask_tabs();
        }
    }

    /// The effects since the last call. Whatever a tab needs of the page is done before.
    pub(crate) fn settle(&mut self) -> Vec<Effect> {
        if std::mem::take(&mut self.model.load_wanted) {
            self.load();
        }
        match self.model.run_wanted.take() {
            Some(Ask::Again) => self.run(Budgets::default()),
            Some(Ask::More) => self.run_on(),
            Some(Ask::Engine | Ask::Look(_)) | None => {}
        }
        self.model.take_effects()
    }

    /// An event of a tab's own panes, or one that was due.
    pub(crate) fn tab_event(&mut self, tab: &str, event: Box<dyn Any>) {
        self.tabs.get_mut(tab).event(event, &mut self.model);
    }

    /// A key. False if neither the tab that is shown nor the timeline has it.
    pub(crate) fn key(&mut self, key: &str) -> bool {
        let (tab, model) = self.tab_mut();
        if tab.key(key, model) {
            return true;
        }
        let to = match key {
            "ArrowLeft" => Move::Back,
            "ArrowRight" => Move::Forward,
            "Home" => Move::First,
            "End" => Move::Last,
            " " => Move::Play,
            _ => return false,
        };
        self.step(to);
        true
    }

    /// Moves on the timeline that is shown, or starts and stops playing it.
    pub(crate) fn step(&mut self, to: Move) {
        let (tab, model) = self.tab_mut();
        if let Move::Speed(speed) = to {
            model.speed = speed;
            return;
        }
        let Some(timeline) = tab.timeline(model) else { return };
        let was_playing = std::mem::take(&mut model.playing);
        if to != Move::Play {
            tab.go_to(timeline.after(to), model);
        } else if !was_playing {
            model.playing = true;
            if timeline.step == timeline.last() {
                tab.go_to(timeline.wraps_to.unwrap_or(0), model);
            }
        }
    }

    /// One step on, when playing; the last one ends it, unless a cycle begins anew behind it.
    pub(crate) fn tick(&mut self) {
        let (tab, model) = self.tab_mut();
        let has_next =
            |timeline: &Timeline| timeline.step < timeline.last() || timeline.wraps_to.is_some();
        let timeline = tab.timeline(model).filter(has_next);
        let Some(timeline) = timeline.filter(|_| model.playing) else {
            model.playing = false;
            return;
        };
        let next = timeline.after(Move::Forward);
        tab.go_to(next, model);
        model.playing = next < timeline.last() || timeline.wraps_to.is_some();
    }

    /// The cursor is on a line, or a line was chosen somewhere on the page (`reveal`): then the
    /// editor shows it.
    pub(crate) fn select_line(&mut self, line: u32, reveal: bool) {
        self.model.select_line(line);
        self.tabs.iter_mut().for_each(|tab| tab.line_selected(line));
        if reveal {
            // Also where no statement starts: a diagnostic may be about it.
            self.model.selection.line = line;
            self.model.reveal();
        }
        self.model.follow_selection();
        self.selection_changed();
    }

    /// One of the statements of the selected line or box.
    pub(crate) fn select_statement(&mut self, statement: u32) {
        self.model.selection.statement = Some(statement);
        self.selection_changed();
    }

    /// Something happened on the control-flow graph's picture. False if nothing is drawn anew.
    pub(crate) fn graph_event(&mut self, event: &GraphEvent) -> bool {
        match event {
            GraphEvent::Select(location) | GraphEvent::Add(location) => {
                self.select_box(*location);
                let add = matches!(event, GraphEvent::Add(_));
                let (tab, model) = self.tab_mut();
                tab.box_selected(*location, add, model);
                true
            }
            GraphEvent::Hover(location) => {
                let boxes = &self.model.graph.boxes;
                let line =
                    location.and_then(|id| boxes.iter().find(|b| b.id == id)).map_or(0, |b| b.line);
                std::mem::replace(&mut self.model.hover, line) != line
            }
            GraphEvent::Find(location) => {
                self.model.fold(event);
                self.select_box(*location);
                true
            }
            _ => self.model.fold(event),
        }
    }

    fn select_box(&mut self, location: u32) {
        self.model.select_location(location);
        self.model.reveal();
        self.selection_changed();
    }

    fn selection_changed(&mut self) {
        self.tabs.iter_mut().for_each(|tab| tab.selection_changed(&mut self.model));
    }

    /// Puts another program into the page: nothing that was known of the old one is left.
    pub(crate) fn replace_source(&mut self, text: String) {
        self.model.replace_source(text);
        self.forget_tabs();
    }

    /// Another program is in the editor: nothing that was known of the old one is left.
    pub(crate) fn forget_program(&mut self) {
        self.model.forget_program();
        self.forget_tabs();
    }

    fn forget_tabs(&mut self) {
        self.tabs.iter_mut().for_each(|tab| {
            tab.forget();
            tab.invalidate();
        });
        self.repaint();
    }

    /// The user has edited the program.
    pub(crate) fn edited(&mut self, text: String) {
        self.model.source = text;
        self.model.link = None;
        // The line may be another one now.
        self.model.requested.reach = None;
        self.tabs.iter_mut().for_each(|tab| tab.edited());
        self.changed();
        (self.model.wanted, self.model.unasked) = (false, false);
    }

    fn repaint(&mut self) {
        self.tabs.iter_mut().for_each(|tab| tab.repaint(&mut self.model));
    }

    fn ask_tabs(&mut self) {
        self.tabs.iter_mut().for_each(|tab| tab.ask(&mut self.model));
    }
}
