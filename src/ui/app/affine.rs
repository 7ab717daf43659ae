//! Asking the worker for affine equalities.

use super::App;
use crate::report::affine::AffineReport;
use crate::ui::model::Activity;
use crate::ui::shared::Shared;
use crate::wire::protocol::Request;

impl App {
    /// Shows equalities of these numbers, or none.
    pub(super) fn show_equalities(&mut self, of: Option<Option<u32>>) {
        self.model.relations.shown = of;
        self.ask_equalities();
    }

    /// Asks for what is to be shown, if the worker can be asked.
    pub(super) fn ask_equalities(&mut self) {
        let possible = self.loaded && self.model.activity == Activity::Idle;
        let Some(modulo) = self.model.relations.wanted().filter(|_| possible) else { return };
        let id = self.next_request();
        self.model.relations.asked = Some((id, modulo));
        self.send(id, Request::Affine { modulo });
    }

    pub(super) fn told_equalities(&mut self, id: u32, report: Option<AffineReport>) {
        let Some((_, modulo)) = self.model.relations.asked.take_if(|(asked, _)| *asked == id)
        else {
            return;
        };
        self.model.relations.known.insert(modulo, report.map(Shared::new));
        // Other numbers may be wanted by now.
        self.ask_equalities();
    }
}
