//! What leaves the page as a file: pictures, graphs, reports.

use super::{App, Msg};
use crate::draw::dot;
use crate::draw::paint::{Marks, graph_marks};
use crate::draw::svg::{Painting, Theme, standalone};
use crate::ui::analysis::Analysis;
use crate::ui::browser::{download, png, save};
use crate::ui::explain;
use crate::ui::export_menu::{Export, ITEMS};
use crate::ui::lab;
use crate::ui::refinement;
use crate::ui::threads;
use crate::wire::report::Verdict;
use yew::Context;

impl App {
    /// Makes a file and hands it to the browser.
    pub(super) fn export(&mut self, ctx: &Context<Self>, what: Export) {
        let ending =
            ITEMS.iter().find(|(item, _, _)| *item == what).map_or("", |(_, _, ending)| ending);
        let name = format!("{}{ending}", self.model.stem());
        let model = &self.model;
        match what {
            Export::Svg => download(&name, "image/svg+xml", &self.picture().0),
            Export::Png => {
                let ((svg, width, height), link) = (self.picture(), ctx.link().clone());
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
            Export::Dot if self.analysis == Analysis::Lab => {
                if let Some(text) = lab::dot(&model.lab) {
                    download(&name, "text/vnd.graphviz", &text);
                }
            }
            Export::Dot => {
                let report = model.fresh().map(|a| a.report.clone());
                let marks = graph_marks(&model.graph, &model.statements, report.as_deref());
                download(
                    &name,
                    "text/vnd.graphviz",
                    &dot::render(&model.graph, Some(&marks), false),
                );
            }
            Export::Witness => ctx.link().send_message(Msg::Witness),
            Export::Report if self.analysis == Analysis::Threads => {
                if let Some(report) = model.threads.report().filter(|_| model.threads.fresh) {
                    let mut json = serde_json::to_string_pretty(report)
                        .expect("a report has only string keys and finite numbers");
                    json.push('\n');
                    download(&name, "application/json", &json);
                }
            }
            Export::Report if self.analysis == Analysis::Explain => {
                if let Some(found) = model.explain.found.as_ref().filter(|_| model.explain.fresh) {
                    let mut json = serde_json::to_string_pretty(&**found)
                        .expect("a report has only string keys and finite numbers");
                    json.push('\n');
                    download(&name, "application/json", &json);
                }
            }
            Export::Report => {
                if let Some(answer) = model.fresh() {
                    let mut json = serde_json::to_string_pretty(&*answer.report)
                        .expect("a report has only string keys and finite numbers");
                    json.push('\n');
                    download(&name, "application/json", &json);
                }
            }
        }
    }

    /// The picture as it is shown, the whole of it, and its width and height.
    fn picture(&self) -> (String, f64, f64) {
        let model = &self.model;
        let theme = if self.dark() { Theme::Dark } else { Theme::Light };
        if let Some(picture) = self.automaton(theme) {
            return picture;
        }
        let position = |location: u32| {
            model
                .picture
                .boxes
                .iter()
                .position(|b| b.id == location || b.stands_for.contains(&location))
        };
        let explained = self.analysis == Analysis::Explain;
        let marks: &Marks = if explained { &model.explain.marks } else { &model.marks };
        let (fails, current) = match explained {
            true => (explain::failing_location(self), explain::current(self)),
            false => (model.failing_location(), model.current()),
        };
        let painting = Painting {
            marks: Some(marks),
            fails: fails.and_then(position),
            now: current.and_then(|(location, _)| position(location)),
            statement: current.and_then(|(_, statement)| statement),
        };
        (standalone(&model.picture, &painting, theme), model.picture.size.x, model.picture.size.y)
    }

    /// In the lab, the automaton as it is after the step that is shown; of a refinement, the
    /// round's DAG.
    fn automaton(&self, theme: Theme) -> Option<(String, f64, f64)> {
        match self.analysis {
            Analysis::Projection | Analysis::Explain => None,
            Analysis::Refinement => refinement::standalone(&self.model.refinement, theme),
            Analysis::Threads => threads::standalone(&self.model.threads, theme),
            Analysis::Lab => lab::standalone(&self.model.lab, theme),
        }
    }

    /// What there is nothing to export for.
    pub(in crate::ui) fn missing_exports(&self) -> Vec<Export> {
        let (graph, report) = (self.model.picture.boxes.is_empty(), self.model.fresh().is_none());
        let picture = match self.analysis {
            Analysis::Projection | Analysis::Explain => graph,
            Analysis::Refinement => {
                self.model.refinement.view().is_none_or(|view| view.graph.boxes.is_empty())
            }
            Analysis::Threads => self.model.threads.lanes.rows.is_empty(),
            Analysis::Lab => self.model.lab.is_empty(),
        };
        let missing = |what: &Export| match what {
            Export::Svg | Export::Png => picture,
            Export::Dot if self.analysis == Analysis::Lab => picture,
            Export::Dot => graph,
            Export::Report if self.analysis == Analysis::Explain => !self.model.explain.fresh,
            Export::Report if self.analysis == Analysis::Threads => {
                !self.model.threads.fresh || self.model.threads.report().is_none()
            }
            Export::Report => report,
            Export::Witness => self.model.fresh().is_none_or(|a| {
                !a.inspectable
                    || a.report.pushdown.is_some()
                    || a.report.verdict == Verdict::Unknown
            }),
        };
        ITEMS.iter().map(|(what, _, _)| *what).filter(missing).collect()
    }
}
