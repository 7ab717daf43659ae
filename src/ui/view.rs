//! What the page gives to a tab that draws, and what the tab gives back.

use super::state::model::Model;
use super::state::picture::GraphEvent;
use super::state::timeline::Move;
use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::collections::BTreeMap;
use yew::prelude::*;

/// What a tab draws in the frame. The timeline is drawn by the page.
#[derive(Default)]
pub(crate) struct Panes {
    pub(crate) picture: Html,
    pub(crate) inspector: Html,
    /// What stands with the verdict.
    pub(crate) beside: Beside,
    /// What the paint on the source means; `None`: the paint is the projection's.
    pub(crate) legend: Option<Html>,
    /// At the right of the timeline's buttons, behind its note.
    pub(crate) note: Html,
}

/// What a tab shows with its verdict.
#[derive(Clone, Default, PartialEq)]
pub(crate) struct Beside {
    /// Behind what the answer is about: other options.
    pub(crate) offers: Html,
    /// Below the reason: what is to be told first.
    pub(crate) lead: Html,
    /// Among the details: what else can fail, and what else is to be told.
    pub(crate) findings: Html,
    /// The same in a few words: "3 failures, 1 more note".
    pub(crate) found: String,
    /// Behind the numbers of the engine.
    pub(crate) proof: Html,
}

/// What a tab draws with.
pub(crate) struct View<'a> {
    pub(crate) model: &'a Model,
    pub(crate) on: &'a Handlers,
    /// The program cannot be changed.
    pub(crate) read_only: bool,
    /// Is the slice shown on the source?
    pub(crate) slice_shown: bool,
}

/// An event of a tab: the tab's word, and the event.
pub(crate) type TabEvent = (&'static str, Box<dyn Any>);

/// Callbacks that tabs share, made once, so that parts of the page are not rendered again for new
/// ones.
pub(crate) struct Handlers {
    pub(crate) line: Callback<u32>,
    pub(crate) statement: Callback<u32>,
    pub(crate) graph: Callback<GraphEvent>,
    pub(crate) step: Callback<Move>,
    pub(crate) toggle_slice: Callback<MouseEvent>,
    /// Another width of `int`.
    pub(crate) bits: Callback<u32>,
    /// Another number of objects of each type.
    pub(crate) heap: Callback<u32>,
    /// Ask whether a run comes to this line, or again whether one fails.
    pub(crate) reach: Callback<Option<u32>>,
    /// Start with this procedure alone, or as the program says.
    pub(crate) alone: Callback<Option<String>>,
    /// Save the witness of the verdict.
    pub(crate) witness: Callback<()>,
    tab: Callback<TabEvent>,
    /// By the type of the tab's events.
    made: RefCell<BTreeMap<TypeId, Box<dyn Any>>>,
}

impl Handlers {
    /// Brings events to their tabs; the other callbacks do nothing yet.
    pub(crate) fn new(tab: Callback<TabEvent>) -> Handlers {
        Handlers {
            line: Callback::noop(),
            statement: Callback::noop(),
            graph: Callback::noop(),
            step: Callback::noop(),
            toggle_slice: Callback::noop(),
            bits: Callback::noop(),
            heap: Callback::noop(),
            reach: Callback::noop(),
            alone: Callback::noop(),
            witness: Callback::noop(),
            tab,
            made: RefCell::default(),
        }
    }

    /// A callback that brings events to their tab: the same one each time.
    pub(crate) fn sends<E: 'static>(&self, tab: &'static str) -> Callback<E> {
        let mut made = self.made.borrow_mut();
        let known = made.get(&TypeId::of::<E>()).and_then(|made| made.downcast_ref());
        if let Some(known) = known.cloned() {
            return known;
        }
        let fresh: Callback<E> = self.tab.reform(move |event| (tab, Box::new(event) as _));
        made.insert(TypeId::of::<E>(), Box::new(fresh.clone()));
        fresh
    }
}
