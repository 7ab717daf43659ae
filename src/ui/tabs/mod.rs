//! The one list of tabs. A new tab is a folder of its own beside this file, and two lines here.

pub(super) mod explain;
pub(super) mod lab;
pub(super) mod liveness;
pub(super) mod projection;
pub(super) mod refinement;
pub(super) mod tests;
pub(super) mod threads;

use super::tab::Tab;
use explain::Explain;
use lab::Lab;
use liveness::Liveness;
use projection::Projection;
use refinement::Refinement;
use tests::Tests;
use threads::Threads;

/// All tabs, from left to right.
fn all() -> Vec<Box<dyn Tab>> {
    vec![
        Box::new(Projection::default()),
        Box::new(Refinement::default()),
        Box::new(Explain::default()),
        Box::new(Tests::default()),
        Box::new(Threads::default()),
        Box::new(Liveness::default()),
        Box::new(Lab::default()),
    ]
}

/// The tabs of the page.
pub(crate) struct Tabs(Vec<Box<dyn Tab>>);

impl Default for Tabs {
    fn default() -> Self {
        Tabs(all())
    }
}

impl Tabs {
    /// From left to right.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &dyn Tab> {
        self.0.iter().map(|tab| &**tab)
    }

    /// From left to right.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Box<dyn Tab>> {
        self.0.iter_mut()
    }

    /// The tab that links call so, or the first.
    pub(crate) fn get(&self, word: &str) -> &dyn Tab {
        &*self.0[self.position(word)]
    }

    /// The same.
    pub(crate) fn get_mut(&mut self, word: &str) -> &mut dyn Tab {
        let position = self.position(word);
        &mut *self.0[position]
    }

    fn position(&self, word: &str) -> usize {
        self.0.iter().position(|tab| tab.word() == word).unwrap_or(0)
    }
}

#[cfg(test)]
mod unit_tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn words_and_names_tell_tabs_apart() {
        let tabs = Tabs::default();
        let words: BTreeSet<_> = tabs.iter().map(|tab| tab.word()).collect();
        let names: BTreeSet<_> = tabs.iter().map(|tab| tab.name()).collect();
        assert_eq!((words.len(), names.len()), (tabs.0.len(), tabs.0.len()));
        assert_eq!(tabs.get("lab").name(), "Lab");
        assert_eq!(tabs.get("no such tab").word(), tabs.0[0].word());
    }

    #[test]
    fn every_tab_says_what_it_is() {
        for tab in Tabs::default().iter() {
            assert!(!tab.help().text.is_empty(), "{}", tab.name());
        }
    }
}
