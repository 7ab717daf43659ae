//! Which part of the control-flow graph is drawn.

use super::App;
use crate::draw::fold::{Folding, Scope};
use crate::ui::graph_view::GraphEvent;
use yew::Context;

impl App {
    /// The picture follows a selection made in the source.
    pub(super) fn follow_selection(&mut self) {
        if let Some(location) = self.model.selection.locations.first().copied()
            && self.model.bring(location, false)
        {
            self.draw();
        }
    }

    /// Folds and unfolds; should the page be rendered?
    pub(super) fn folded(&mut self, ctx: &Context<Self>, event: GraphEvent) -> bool {
        match event {
            GraphEvent::Unfold(id) => {
                if !self.model.unfold(id) {
                    return false;
                }
            }
            GraphEvent::FoldChain(head) => self.model.folding.toggle_chain(head),
            GraphEvent::FoldProcedure(cluster) => self.model.fold_procedure(cluster),
            GraphEvent::Chains(folded) => {
                (self.model.folding.chains, self.model.folding.exceptions) =
                    (folded, Default::default())
            }
            GraphEvent::Show(scope) => {
                if self.model.folding.scope == scope && self.model.folding.procedures.is_empty() {
                    return false;
                }
                self.model.folding = Folding {
                    scope,
                    procedures: Default::default(),
                    ..std::mem::take(&mut self.model.folding)
                };
            }
            GraphEvent::Up => {
                if !matches!(self.model.folding.scope, Scope::Procedure(_)) {
                    return false;
                }
                self.model.folding.scope = Scope::Calls;
            }
            GraphEvent::Find(location) => {
                let moved = self.model.bring(location, true);
                self.model.select_location(location);
                self.reveal();
                self.inspect_soon(ctx);
                if !moved {
                    return true;
                }
            }
            GraphEvent::Select(_) | GraphEvent::Add(_) | GraphEvent::Hover(_) => return false,
        }
        self.draw();
        true
    }
}
