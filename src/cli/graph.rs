//! `faultline graph`: the control-flow graph as text, JSON, DOT or SVG.

use super::arguments::{Format, Graph};
use super::clock::Clock;
use super::console;
use crate::draw::dot;
use crate::draw::graph_report::{graph_report, text};
use crate::draw::layout::layout;
use crate::draw::paint::graph_marks;
use crate::draw::svg::{Painting, Theme, standalone};
use crate::report;
use crate::report::json;
use crate::session::{Job, Task};
use crate::wire::projection::Method;
use crate::wire::report::Verdict;

/// Prints the graph. Without a projection nothing is analysed, and the exit code is 0.
pub(super) fn print(arguments: &Graph) -> Result<Verdict, String> {
    let common = &arguments.common;
    common.refuse_formats(&[Format::Dot, Format::Svg])?;
    let (mut session, _) = console::load(common)?;
    let mut graph = report::graph(&session);
    let positions = arguments.layout || common.format == Format::Svg;
    if positions {
        layout(&mut graph);
    }
    let mut verdict = Verdict::Safe;
    let mut marks = None;
    let mut fails = None;
    if arguments.projection {
        let clock = Clock::new(common, &mut session);
        clock.start(&mut session, Task::Projection(Method::Functional), common.budgets());
        clock.run(&mut session);
        let (report, statements) = (report::report(&session), report::statements(&session));
        verdict = report.verdict;
        marks = Some(graph_marks(&graph, &statements, Some(&report)));
        let last = report.trace.as_ref().and_then(|trace| trace.last()?.edge);
        fails = last.and_then(|id| graph.boxes.iter().position(|b| b.statements.contains(&id)));
    }
    let marks = marks.as_ref();
    let described = || graph_report(&graph, session.options(), marks, positions);
    let printed = match common.format {
        Format::Json => json::render(&described()),
        Format::Dot => dot::render(&graph, marks, positions),
        Format::Svg => {
            standalone(&graph, &Painting { marks, fails, ..Painting::default() }, Theme::Light)
        }
        _ => text(&described()),
    };
    console::print(&printed)?;
    let open = verdict == Verdict::Unknown;
    console::suggest_width(session.options(), session.limit().filter(|_| open));
    Ok(verdict)
}
