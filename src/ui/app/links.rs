//! Links: making one, and restoring what one holds.

use super::{App, Msg, Open};
use crate::ui::frame::browser::{address, clear_hash, hash};
use crate::util::Budgets;
use crate::wire::permalink;
use yew::{AttrValue, Context};

impl App {
    pub(super) fn share(&mut self, ctx: &Context<Self>) {
        let link = self.state.present();
        self.copied = false;
        self.link = Some(
            permalink::encode(&link)
                .map(|fragment| AttrValue::from(format!("{}#{fragment}", address()))),
        );
        self.open = Some(Open::Share);
        self.copy(ctx);
    }

    pub(crate) fn copy(&mut self, ctx: &Context<Self>) {
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
    pub(super) fn open_link(&mut self) -> bool {
        let fragment = hash();
        if !permalink::is_link(&fragment) {
            return false;
        }
        match permalink::decode(&fragment) {
            Ok(link) => {
                self.linked = true;
                if !self.state.open(link) {
                    self.notice = Some("A part of this link cannot be read.".into());
                }
                self.state.run(Budgets::default());
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

    /// The page with all its controls, on the same program.
    pub(super) fn full_address(&self) -> String {
        format!("{}{}", address(), hash())
    }
}
