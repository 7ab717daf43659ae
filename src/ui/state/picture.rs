//! Which part of the control-flow graph is drawn: folding, unfolding, and having it laid out.

use super::effect::Effect;
use super::model::Model;
use super::shared::Shared;
use crate::draw::fold::{fold, hidden_in_chain};
use crate::wire::graph::{BoxKind, Graph};
use crate::wire::graph::{Folding, Scope};
use crate::wire::protocol::Request;

/// What happens to the picture of the control-flow graph.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum GraphEvent {
    /// A box was selected, by its location.
    Select(u32),
    /// The same with Shift.
    Add(u32),
    /// The pointer is over a box, or over none.
    Hover(Option<u32>),
    /// Unfold this box.
    Unfold(u32),
    /// Fold the row of statements that this box heads.
    FoldChain(u32),
    /// Fold this procedure, by its place in the graph.
    FoldProcedure(usize),
    /// Fold all rows of statements, or none.
    Chains(bool),
    /// Show another part of the program.
    Show(Scope),
    /// From a procedure back to the call graph.
    Up,
    /// A search has found this box.
    Find(u32),
}

impl Model {
    /// Folds and unfolds. True if something else is drawn now.
    pub(crate) fn fold(&mut self, event: &GraphEvent) -> bool {
        match event {
            GraphEvent::Unfold(id) => {
                if !self.unfold(*id) {
                    return false;
                }
            }
            GraphEvent::FoldChain(head) => self.folding.toggle_chain(*head),
            GraphEvent::FoldProcedure(cluster) => self.fold_procedure(*cluster),
            GraphEvent::Chains(folded) => {
                (self.folding.chains, self.folding.exceptions) = (*folded, Default::default())
            }
            GraphEvent::Show(scope) => {
                if self.folding.scope == *scope && self.folding.procedures.is_empty() {
                    return false;
                }
                self.folding = Folding {
                    scope: scope.clone(),
                    procedures: Default::default(),
                    ..std::mem::take(&mut self.folding)
                };
            }
            GraphEvent::Up => {
                if !matches!(self.folding.scope, Scope::Procedure(_)) {
                    return false;
                }
                self.folding.scope = Scope::Calls;
            }
            GraphEvent::Find(location) => {
                if !self.bring(*location, true) {
                    return false;
                }
            }
            GraphEvent::Select(_) | GraphEvent::Add(_) | GraphEvent::Hover(_) => return false,
        }
        self.draw();
        true
    }

    /// Sees to it that a box is shown, if need be as a part of a folded one; with `unfold`, by
    /// itself. True if something else is to be drawn.
    pub(crate) fn bring(&mut self, location: u32, unfold: bool) -> bool {
        let before = self.folding.clone();
        let Ok(position) = self.graph.boxes.binary_search_by_key(&location, |b| b.id) else {
            return false;
        };
        let name = &self.graph.clusters[self.graph.boxes[position].cluster as usize].name;
        match &self.folding.scope {
            Scope::Calls if unfold => self.folding.scope = Scope::Procedure(name.clone()),
            Scope::Procedure(shown) if shown != name => {
                self.folding.scope = Scope::Procedure(name.clone())
            }
            Scope::Program if unfold => {
                self.folding.procedures.remove(name);
            }
            _ => {}
        }
        if let Some(head) = Some(location)
            .filter(|_| unfold)
            .and_then(|id| hidden_in_chain(&self.graph, &self.folding, id))
        {
            self.folding.toggle_chain(head);
        }
        self.folding != before
    }

    /// Unfolds a box of the picture. True if it was one that unfolds.
    fn unfold(&mut self, id: u32) -> bool {
        let Some(b) = self.picture.boxes.iter().find(|b| b.id == id) else { return false };
        match b.kind {
            BoxKind::Chain => self.folding.toggle_chain(id),
            BoxKind::Procedure if self.folding.scope == Scope::Program => {
                self.folding.procedures.remove(&b.label);
            }
            BoxKind::Procedure => self.folding.scope = Scope::Procedure(b.label.clone()),
            _ => return false,
        }
        true
    }

    /// Folds an open procedure; where only one is open, that leads back to the call graph.
    fn fold_procedure(&mut self, cluster: usize) {
        let Some(name) = self.graph.clusters.get(cluster).map(|c| c.name.clone()) else { return };
        match self.folding.scope {
            Scope::Program => {
                self.folding.procedures.insert(name);
            }
            _ => self.folding.scope = Scope::Calls,
        }
    }

    /// Has the picture laid out anew: another program, or something was folded or unfolded.
    pub(crate) fn draw(&mut self) {
        let id = self.next_request();
        self.drawing = id;
        let graph = fold(&self.graph, &self.folding);
        self.effect(Effect::Aside(id, Request::Layout { graph }));
    }

    /// A picture has its places. False if it is not the control-flow graph's latest.
    pub(crate) fn drawn(&mut self, id: u32, picture: &Graph) -> bool {
        if id != self.drawing {
            return false;
        }
        self.picture = Shared::new(picture.clone());
        self.picture_of = self.graph.clone();
        true
    }

    /// The picture, if it shows the graph of the program as it was read last.
    pub(crate) fn present_picture(&self) -> Option<&Graph> {
        Some(&*self.picture).filter(|_| self.picture_of == self.graph)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::state::testing;

    fn layouts(model: &mut Model) -> Vec<u32> {
        let ids = model.take_effects().into_iter().filter_map(|effect| match effect {
            Effect::Aside(id, Request::Layout { .. }) => Some(id),
            _ => None,
        });
        ids.collect()
    }

    #[test]
    fn another_part_is_laid_out_once() {
        let mut model = testing::model();
        assert!(model.fold(&GraphEvent::Show(Scope::Calls)));
        assert!(!model.fold(&GraphEvent::Show(Scope::Calls)));
        assert_eq!(layouts(&mut model).len(), 1);
        assert!(!model.fold(&GraphEvent::Up));
    }

    #[test]
    fn an_older_layout_is_dropped() {
        let mut model = testing::model();
        model.draw();
        model.draw();
        let ids = layouts(&mut model);
        let picture = (*model.graph).clone();
        assert!(!model.drawn(ids[0], &picture));
        assert!(model.drawn(ids[1], &picture));
        assert!(model.present_picture().is_some());
    }

    #[test]
    fn a_search_opens_the_procedure_that_it_leads_into() {
        let mut model = testing::model();
        model.folding.scope = Scope::Calls;
        assert!(model.fold(&GraphEvent::Find(4)));
        assert_eq!(model.folding.scope, Scope::Procedure("f".into()));
    }
}
