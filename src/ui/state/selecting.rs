//! Selecting a line, a box or a step.

use super::model::Model;
use super::selection::Selection;
use crate::wire::graph::StatementView;

impl Model {
    /// Selects what starts on a line.
    pub(crate) fn select_line(&mut self, line: u32) {
        let here: Vec<&StatementView> =
            self.statements.iter().filter(|s| s.line == line && !s.hidden).collect();
        let mut locations: Vec<u32> = here.iter().map(|s| s.location).collect();
        locations.sort_unstable();
        locations.dedup();
        // Of a condition's outcomes, the one that is on a failing run.
        let shown = here.iter().find(|s| s.lit).or(here.first());
        self.selection = match shown {
            Some(first) => Selection { line, locations, statement: Some(first.id) },
            // A line without statements: nothing to show, and no frame that follows the typing.
            None => Selection::default(),
        };
    }

    /// Selects a box.
    pub(crate) fn select_location(&mut self, location: u32) {
        let Some(node) = self.graph.boxes.iter().find(|b| b.id == location) else { return };
        let is_lit = |id: &u32| self.statement(*id).is_some_and(|statement| statement.lit);
        let all = &node.statements;
        let statement = all.iter().copied().find(is_lit).or(all.first().copied());
        let line = node.line;
        self.selection = Selection { line, locations: vec![location], statement };
    }

    /// Selects the statement of a step: its line, and its edge if it has one.
    pub(crate) fn select_step(&mut self, line: u32, edge: Option<u32>) {
        let location = edge.and_then(|e| self.statement(e)).map(|s| s.location);
        self.selection =
            Selection { line, locations: location.into_iter().collect(), statement: edge };
    }

    /// The editor scrolls to the selected line, also if it has done so before.
    pub(crate) fn reveal(&mut self) {
        self.reveal = (self.selection.line, self.reveal.1 + 1);
    }

    /// The picture follows the selection: where one procedure is shown, the one that it lies in.
    pub(crate) fn follow_selection(&mut self) {
        if let Some(location) = self.selection.locations.first().copied()
            && self.bring(location, false)
        {
            self.draw();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::state::testing;

    #[test]
    fn a_line_selects_its_statements_and_their_boxes() {
        let mut model = testing::model();
        model.select_line(2);
        assert_eq!(model.selection.line, 2);
        assert_eq!(model.selection.statement, Some(1));
        assert_eq!(model.selection.locations, [1, 2]);
        model.select_line(99);
        assert_eq!(model.selection, Selection::default());
    }

    #[test]
    fn a_box_selects_its_line_and_its_first_statement() {
        let mut model = testing::model();
        model.select_location(2);
        let expected = Selection { line: 2, locations: vec![2], statement: Some(2) };
        assert_eq!(model.selection, expected);
        model.select_location(77);
        assert_eq!(model.selection, expected);
    }

    #[test]
    fn the_editor_scrolls_again_to_the_same_line() {
        let mut model = testing::model();
        model.select_line(1);
        model.reveal();
        let first = model.reveal;
        model.reveal();
        assert_eq!(model.reveal.0, first.0);
        assert_ne!(model.reveal.1, first.1);
    }
}
