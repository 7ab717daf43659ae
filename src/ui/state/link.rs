//! The state of the page in a link, and back. Each tab writes and reads its own part.

use super::State;
use super::memory;
use crate::wire::graph::Folding;
use crate::wire::permalink::Permalink;

/// Where the watched expressions stand in a link.
const WATCHES: &str = "watch";

impl State {
    /// A link to what the page shows now.
    pub(crate) fn present(&self) -> Permalink {
        let model = &self.model;
        let mut link = Permalink {
            source: model.source.clone(),
            options: model.requested.clone(),
            method: model.method,
            view: model.shown.into(),
            selection: Some(model.selection.line).filter(|line| *line > 0),
            folding: Some(model.folding.clone())
                .filter(|folding| *folding != Folding::of(&model.graph)),
            ..Permalink::default()
        };
        self.tabs.iter().for_each(|tab| tab.present(&mut link));
        link.put(memory::WORD, &model.memory_shown);
        // What is restored once the run has ended is shown soon.
        if let Some(soon) = &model.link {
            link.step = soon.step;
            link.selection = soon.selection;
            link.through = soon.through.clone();
            link.folding = soon.folding.clone();
        }
        link.put(WATCHES, &self.model.watches);
        link
    }

    /// Opens the program of a link, about to run.
    pub(crate) fn open(&mut self, link: Permalink) -> bool {
        self.changed();
        self.model.requested = link.options.clone();
        self.model.method = link.method;
        self.replace_source(link.source.clone());
        self.restore(link)
    }

    /// Opens the present program, about to run, on the tab and the step that a link or an example
    /// names. False if a part of it cannot be read; the rest is restored.
    pub(crate) fn restore(&mut self, link: Permalink) -> bool {
        self.model.shown = self.tabs.get(&link.view).word();
        self.model.chosen = !link.view.is_empty();
        let unread = self.tabs.iter_mut().filter_map(|tab| (!tab.restore(&link)).then_some(()));
        let unread = unread.count();
        self.model.watches = link.place(WATCHES).ok().flatten().unwrap_or_default();
        let memory = link.place(memory::WORD);
        self.model.memory_shown = matches!(memory, Ok(Some(true)));
        self.model.link = Some(link);
        unread == 0 && memory.is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::permalink::{decode, encode};

    /// A link through the text of an address.
    fn sent(link: &Permalink) -> Permalink {
        decode(&encode(link).expect("it is short")).expect("it was just made")
    }

    fn restored(link: Permalink) -> State {
        let mut state = State::default();
        state.model.shown = state.tabs.get("").word();
        assert!(state.open(link));
        state
    }

    #[test]
    fn a_fresh_page_says_nothing_of_its_tabs() {
        let link = restored(Permalink { source: "x".into(), ..Permalink::default() }).present();
        assert_eq!(link.places, Default::default());
        assert_eq!((link.source.as_str(), link.view.as_str()), ("x", "projection"));
    }

    #[test]
    fn what_a_link_asks_for_is_in_the_next_link() {
        let text = r#"{ "source": "s", "view": "threads",
            "threads": { "ask": { "bound": 3, "method": "transducer" } },
            "lab": { "task": "pre", "set": "<p, a>" },
            "explain": { "level": "nest", "side_by_side": true, "inputs": ["n"] },
            "refinement": { "ask": { "interpolants": "weakest", "lazy": true }, "folded": ["f"] } }"#;
        let link: Permalink = serde_json::from_str(text).expect("it is a link");
        let state = restored(sent(&link));
        assert_eq!(state.model.shown, "threads");
        let again = state.present();
        for (word, place) in &link.places {
            let there = again.places[word].as_object().expect("a place has fields");
            let given = place.as_object().expect("a place has fields");
            for (field, value) in given.iter().filter(|(field, _)| *field != "ask") {
                assert_eq!(there.get(field), Some(value), "{word}: {field}");
            }
        }
        assert_eq!(again.places["threads"]["ask"]["bound"], 3);
        assert_eq!(again.places["threads"]["ask"]["method"], "transducer");
        assert_eq!(again.places["refinement"]["ask"]["interpolants"], "weakest");
        assert_eq!(sent(&again), again);
    }

    #[test]
    fn a_part_that_cannot_be_read_leaves_the_rest() {
        let text = r#"{ "source": "s", "view": "lab", "lab": { "task": 7 },
            "threads": { "ask": { "bound": 5 } } }"#;
        let link: Permalink = serde_json::from_str(text).expect("it is a link");
        let mut state = State::default();
        assert!(!state.open(link));
        assert_eq!(state.model.shown, "lab");
        assert_eq!(state.present().places["threads"]["ask"]["bound"], 5);
    }
}
