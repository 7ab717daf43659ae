//! Links: making one, and restoring what one holds.

use super::{App, Msg, Open};
use crate::draw::fold::Folding;
use crate::ui::analysis::Analysis;
use crate::ui::browser::{address, clear_hash, hash};
use crate::wire::permalink::{
    self, ExplainPlace, LabPlace, Permalink, RefinementPlace, ThreadsPlace,
};
use crate::wire::protocol::Budgets;
use yew::{AttrValue, Context};

impl App {
    pub(super) fn share(&mut self, ctx: &Context<Self>) {
        let link = Permalink {
            source: self.model.source.clone(),
            options: self.model.requested.clone(),
            method: self.model.method,
            view: self.analysis.word().into(),
            step: self.model.step.map(|s| s as u32),
            selection: Some(self.model.selection.line).filter(|l| *l > 0),
            through: self
                .model
                .through
                .as_ref()
                .map(|through| through.sets.clone())
                .unwrap_or_default(),
            folding: Some(self.model.folding.clone())
                .filter(|folding| *folding != Folding::of(&self.model.graph)),
            lab: Some(self.model.lab.present()).filter(|place| *place != LabPlace::default()),
            refinement: Some(self.model.refinement.present())
                .filter(|place| *place != RefinementPlace::default()),
            explain: Some(self.model.explain.present())
                .filter(|place| *place != ExplainPlace::default()),
            threads: Some(self.model.threads.present())
                .filter(|place| *place != ThreadsPlace::default()),
        };
        self.copied = false;
        self.link = Some(
            permalink::encode(&link)
                .map(|fragment| AttrValue::from(format!("{}#{fragment}", address()))),
        );
        self.open = Some(Open::Share);
        self.copy(ctx);
    }

    pub(super) fn copy(&mut self, ctx: &Context<Self>) {
        let Some(Ok(text)) = self.link.clone() else { return };
        let Some(window) = web_sys::window() else { return };
        // Without a secure context there is no clipboard; the link can be copied by hand then.
        let navigator = window.navigator();
        if js_sys::Reflect::get(&navigator, &"clipboard".into()).is_ok_and(|c| c.is_undefined()) {
            return;
        }
        let written = wasm_bindgen_futures::JsFuture::from(navigator.clipboard().write_text(&text));
        let link = ctx.link().clone();
        wasm_bindgen_futures::spawn_local(async move {
            link.send_message(Msg::Copied(written.await.is_ok()))
        });
    }

    /// Restores what the address's fragment holds; true if it is a readable link.
    pub(super) fn open_link(&mut self, ctx: &Context<Self>) -> bool {
        let fragment = hash();
        if !permalink::is_link(&fragment) {
            return false;
        }
        match permalink::decode(&fragment) {
            Ok(link) => {
                self.changed();
                self.linked = true;
                self.model.requested = link.options.clone();
                self.model.method = link.method;
                self.model.replace_source(link.source.clone());
                self.show_place(link);
                self.run(ctx, Budgets::default());
                true
            }
            Err(error) => {
                self.notice = Some(format!(
                    "This link cannot be opened: {error}. Your own program is still here."
                ));
                clear_hash();
                false
            }
        }
    }

    /// Opens a program, about to run, on the view and the step that a link or an example names.
    pub(super) fn show_place(&mut self, place: Permalink) {
        self.analysis = Analysis::of_word(&place.view).unwrap_or_default();
        if let Some(lab) = place.lab.clone() {
            self.model.lab.restore(lab);
        }
        if let Some(refinement) = place.refinement.clone() {
            self.model.refinement.restore(refinement);
        }
        if let Some(threads) = place.threads.clone() {
            self.model.threads.restore(threads);
        }
        if let Some(explain) = place.explain.clone() {
            self.model.explain.restore(explain);
        }
        self.restore = Some(place);
    }

    /// The page with all its controls, on the same program.
    pub(in crate::ui) fn full_address(&self) -> String {
        format!("{}{}", address(), hash())
    }
}
