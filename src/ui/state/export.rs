//! What can be taken away as a file.

use super::model::Model;
use crate::draw::dot;
use crate::draw::paint::{Marks, graph_marks};
use crate::draw::svg::{Painting, Theme, standalone};
use crate::util::indented;
use crate::wire::options::Dialect;
use crate::wire::report::Verdict;

/// What can be exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Export {
    Svg,
    Png,
    Dot,
    Report,
    Html,
    Witness,
    Harness,
    Input,
}

/// The menu, from top to bottom: what, its words, and how the file is called behind the program's
/// name.
pub(crate) const ITEMS: &[(Export, &str, &str)] = &[
    (Export::Svg, "Picture as SVG", ".svg"),
    (Export::Png, "Picture as PNG", ".png"),
    (Export::Dot, "Graph as DOT", ".dot"),
    (Export::Html, "Report as HTML", ".html"),
    (Export::Report, "Report as JSON", ".json"),
    (Export::Witness, "Witness (SV-COMP 2.0)", ".yml"),
    (Export::Harness, "C harness", ".harness.c"),
    (Export::Input, "Input of the run", ".in"),
];

/// What goes into a file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum File {
    /// An SVG picture with its width and height, which also serves for a PNG.
    Picture(String, f64, f64),
    /// A graph for Graphviz.
    Dot(String),
    /// A report.
    Json(String),
    /// What a run reads.
    Text(String),
}

impl File {
    /// A report as JSON.
    pub(crate) fn json(report: &impl serde::Serialize) -> File {
        let json = serde_json::to_string(report)
            .expect("a report has only string keys and finite numbers");
        File::Json(indented(&json) + "\n")
    }
}

/// How the control-flow graph is painted: its marks, the box that fails, and the step's box and
/// statement.
type Painted<'a> = (&'a Marks, Option<u32>, Option<(u32, Option<u32>)>);

impl Model {
    /// Is there something to export of the program and of the run's answer?
    pub(crate) fn can_export(&self, what: Export) -> bool {
        match what {
            Export::Svg | Export::Png | Export::Dot => !self.picture.boxes.is_empty(),
            Export::Report => self.fresh().is_some(),
            Export::Html => self.inspectable().is_some(),
            Export::Witness => self.fresh().is_some_and(|answer| {
                let report = &answer.report;
                self.run.is_fresh()
                    && report.pushdown.is_none()
                    && report.verdict != Verdict::Unknown
            }),
            Export::Harness | Export::Input => self.fresh().is_some_and(|answer| {
                let report = &answer.report;
                let fails = report.verdict == Verdict::Unsafe && report.error.is_some();
                self.run.is_fresh() && fails && report.options.dialect == Dialect::C
            }),
        }
    }

    /// The control-flow graph, or the run's report.
    pub(crate) fn export(&self, what: Export, painted: Painted, theme: Theme) -> Option<File> {
        match what {
            Export::Svg | Export::Png => Some(self.export_picture(painted, theme)),
            Export::Dot => Some(self.export_graph()),
            Export::Report => self.export_report(),
            Export::Html | Export::Witness | Export::Harness | Export::Input => None,
        }
    }

    fn export_picture(&self, (marks, fails, now): Painted, theme: Theme) -> File {
        let boxes = &self.picture.boxes;
        let position = |location: u32| {
            boxes.iter().position(|b| b.id == location || b.stands_for.contains(&location))
        };
        let painting = Painting {
            marks: Some(marks),
            fails: fails.and_then(position),
            now: now.and_then(|(location, _)| position(location)),
            statement: now.and_then(|(_, statement)| statement),
        };
        let size = self.picture.size;
        File::Picture(standalone(&self.picture, &painting, theme), size.x, size.y)
    }

    /// The control-flow graph for Graphviz.
    pub(crate) fn export_graph(&self) -> File {
        let report = self.fresh().map(|answer| &*answer.report);
        let marks = graph_marks(&self.graph, &self.statements, report);
        File::Dot(dot::render(&self.graph, Some(&marks), false))
    }

    /// The run's report.
    pub(crate) fn export_report(&self) -> Option<File> {
        Some(File::json(&*self.fresh()?.report))
    }
}
