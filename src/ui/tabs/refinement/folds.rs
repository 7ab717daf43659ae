//! Which frames of the counterexamples' picture are folded. What is folded stays so from round to
//! round; the spare worker lays the picture out.

use crate::draw::refinement_fold::{fold_frames, frame_keys};
use crate::ui::state::shared::Shared;
use crate::wire::graph::Graph;
use crate::wire::refinement::RoundView;
use std::collections::{BTreeMap, BTreeSet};

/// The folded frames, by name, and the pictures that were laid out.
#[derive(Default)]
pub(crate) struct Folds {
    pub(crate) folded: BTreeSet<String>,
    /// By round: the picture, and what of it is folded.
    drawn: BTreeMap<u32, (BTreeSet<String>, Shared<Graph>)>,
    /// The layout that is on its way: request, round, and what is folded there.
    asked: Option<(u32, u32, BTreeSet<String>)>,
}

impl Folds {
    /// Folds a frame that is unfolded, or the other way round.
    pub(crate) fn toggle(&mut self, key: String) {
        if !self.folded.remove(&key) {
            self.folded.insert(key);
        }
    }

    /// Folds all frames of a round, or none.
    pub(crate) fn all(&mut self, view: &RoundView, folded: bool) {
        self.folded = if folded { frame_keys(view).into_iter().collect() } else { BTreeSet::new() };
    }

    /// What of a round is folded.
    pub(crate) fn of(&self, view: &RoundView) -> BTreeSet<String> {
        frame_keys(view).into_iter().filter(|key| self.folded.contains(key)).collect()
    }

    /// Other rounds: their pictures are laid out anew, what is folded stays.
    pub(crate) fn forget_pictures(&mut self) {
        (self.drawn, self.asked) = Default::default();
    }

    /// A round was read: its picture as it came, unless something is folded, which is laid out
    /// first.
    pub(crate) fn read(&mut self, view: &RoundView) {
        if self.of(view).is_empty() {
            self.drawn.insert(view.round, (BTreeSet::new(), Shared::new(view.graph.clone())));
        }
    }

    /// The worker that was to lay out a picture may be gone.
    pub(crate) fn ask_again(&mut self) {
        self.asked = None;
    }

    /// The picture of a round, as it was laid out last.
    pub(crate) fn picture(&self, round: u32) -> Option<Shared<Graph>> {
        self.drawn.get(&round).map(|(_, picture)| picture.clone())
    }

    /// A picture that is to be laid out now: it is not there, and not on its way.
    pub(crate) fn wants(&mut self, view: &RoundView) -> Option<Graph> {
        let wanted = self.of(view);
        let asked = self.asked.as_ref().map(|(_, round, folded)| (*round, folded));
        if asked == Some((view.round, &wanted)) {
            return None;
        }
        let there = self.drawn.get(&view.round).is_some_and(|(folded, _)| *folded == wanted);
        if there || wanted.is_empty() {
            if !there {
                self.read(view);
            }
            self.asked = None;
            return None;
        }
        Some(fold_frames(view, &wanted))
    }

    /// A layout of this round was asked for.
    pub(crate) fn begin(&mut self, id: u32, view: &RoundView) {
        self.asked = Some((id, view.round, self.of(view)));
    }

    /// Is this the layout that is on its way?
    pub(crate) fn is_asked(&self, id: u32) -> bool {
        self.asked.as_ref().is_some_and(|(asked, _, _)| *asked == id)
    }

    /// A picture has its places. False if it is not one of these.
    pub(crate) fn laid_out(&mut self, id: u32, graph: Graph) -> bool {
        let Some((_, round, folded)) = self.asked.take_if(|(asked, _, _)| *asked == id) else {
            return false;
        };
        self.drawn.insert(round, (folded, Shared::new(graph)));
        true
    }
}
