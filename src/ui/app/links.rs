//! Share: a link to what is shown.

use super::{App, Msg, Open};
use crate::ui::frame::browser::{address, hash};
use yew::{AttrValue, Context};

impl App {
    pub(super) fn share(&mut self, ctx: &Context<Self>) {
        let link = self.state.present();
        self.copied = false;
        self.link = Some(
            self.link_to(&link)
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

    /// The page with all its controls, on what is shown now.
    pub(super) fn full_address(&self) -> String {
        match self.link_to(&self.state.present()) {
            Ok(fragment) => format!("{}#{fragment}", address()),
            Err(_) => format!("{}{}", address(), hash()),
        }
    }
}
