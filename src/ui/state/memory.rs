//! The picture of memory for the run that a tab shows: planned once for each run.

use super::State;
use crate::draw::memory::{Memory, Picture};
use crate::draw::svg::Theme;
use crate::ui::state::export::File;
use crate::wire::report::TraceEntry;
use std::cell::RefCell;

/// Its word in links.
pub(super) const WORD: &str = "memory";

/// What was planned last, and for which run.
#[derive(Debug, Default)]
pub(crate) struct Planned(RefCell<(Vec<TraceEntry>, Memory)>);

impl Planned {
    fn at(&self, trace: &[TraceEntry], step: usize) -> Option<Picture> {
        let mut planned = self.0.borrow_mut();
        if planned.0 != trace {
            *planned = (trace.to_vec(), Memory::of(trace));
        }
        let memory = &planned.1;
        memory.is_worth_a_picture().then(|| memory.at(trace, step))
    }
}

impl State {
    /// Memory at the step that the present tab shows, if there is more to see than a table of
    /// values says.
    pub(crate) fn memory(&self) -> Option<Picture> {
        let (trace, step) = self.tab().trace(&self.model)?;
        self.planned.at(trace, step.min(trace.len().checked_sub(1)?))
    }

    /// Draws memory, or the tab's own picture again.
    pub(crate) fn toggle_memory(&mut self) {
        self.model.memory_shown = !self.model.memory_shown;
    }

    /// The picture of memory as a file, while it is shown.
    pub(crate) fn memory_file(&self, theme: Theme) -> Option<File> {
        let picture = self.memory().filter(|_| self.model.memory_shown)?;
        let svg = crate::draw::memory::standalone(&picture, theme);
        Some(File::Picture(svg, picture.size.x, picture.size.y))
    }
}
