//! What leaves the page as a file: pictures, graphs, reports.

use super::{App, Msg};
use crate::draw::svg::Theme;
use crate::ui::frame::browser::{download, download_bytes, png, save};
use crate::ui::state::export::{Export, File, ITEMS};
use yew::Context;

impl App {
    /// Makes a file and hands it to the browser.
    pub(super) fn export(&mut self, ctx: &Context<Self>, what: Export) {
        if what == Export::Witness {
            return self.state.ask_witness(super::now());
        }
        if what == Export::Html {
            return self.state.ask_document();
        }
        let theme = if self.dark() { Theme::Dark } else { Theme::Light };
        if matches!(what, Export::Harness | Export::Input) {
            return self.export_run(what, theme);
        }
        let model = &self.state.model;
        let is_picture = matches!(what, Export::Svg | Export::Png);
        let memory = self.state.memory_file(theme).filter(|_| is_picture);
        let Some(file) = memory.or_else(|| self.state.tab().export(what, model, theme)) else {
            return;
        };
        let ending = ITEMS.iter().find(|(item, _, _)| *item == what).map_or("", |item| item.2);
        let name = format!("{}{ending}", model.stem());
        match file {
            File::Dot(text) => download(&name, "text/vnd.graphviz", &text),
            File::Json(text) => download(&name, "application/json", &text),
            File::Text(text) => download_bytes(&name, text.as_bytes()),
            File::Picture(svg, _, _) if what == Export::Svg => {
                download(&name, "image/svg+xml", &svg)
            }
            File::Picture(svg, width, height) => {
                let link = ctx.link().clone();
                wasm_bindgen_futures::spawn_local(async move {
                    match png(&svg, width, height).await {
                        Ok(blob) => save(&name, &blob),
                        Err(_) => link.send_message(Msg::Notice(
                            "This browser cannot make a PNG of the picture. Take the SVG instead."
                                .into(),
                        )),
                    }
                });
            }
        }
    }

    /// The failing run as a test, or what a run reads: a test's input is known to its tab.
    fn export_run(&mut self, what: Export, theme: Theme) {
        let model = &self.state.model;
        match self.state.tab().export(what, model, theme) {
            Some(File::Text(text)) => {
                download_bytes(&format!("{}.in", model.stem()), text.as_bytes())
            }
            _ => self.state.ask_harness(what == Export::Input),
        }
    }

    /// What there is nothing to export for.
    pub(super) fn missing_exports(&self) -> Vec<Export> {
        let (tab, model) = (self.state.tab(), &self.state.model);
        let missing = |what: &Export| !tab.can_export(*what, model);
        ITEMS.iter().map(|(what, _, _)| *what).filter(missing).collect()
    }
}
