//! What can be taken away as a file.

use super::model::Model;
use crate::draw::dot;
use crate::draw::paint::{Marks, graph_marks};
use crate::draw::svg::{Painting, Theme, standalone};
use crate::wire::protocol::Written;
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
}

impl Export {
    /// Which text the worker writes for it, if it is a text about the run's answer.
    pub(crate) fn written(self) -> Written {
        match self {
            Export::Html => Written::Html,
            Export::Witness => Written::Witness,
            _ => Written::Json,
        }
    }
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
    /// What the worker is to write about the run's answer.
    Asked(Written),
}

impl File {
    /// A report as JSON.
    pub(crate) fn json(report: &impl serde::Serialize) -> File {
        let mut json = serde_json::to_string_pretty(report)
            .expect("a report has only string keys and finite numbers");
        json.push('\n');
        File::Json(json)
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
            Export::Html | Export::Report => self.inspectable().is_some(),
            Export::Witness => self.inspectable().is_some_and(|answer| {
                answer.report.pushdown.is_none() && answer.report.verdict != Verdict::Unknown
            }),
        }
    }

    /// The control-flow graph, or the run's report.
    pub(crate) fn export(&self, what: Export, painted: Painted, theme: Theme) -> File {
        match what {
            Export::Svg | Export::Png => self.export_picture(painted, theme),
            Export::Dot => self.export_graph(),
            Export::Report | Export::Html | Export::Witness => File::Asked(what.written()),
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
}
