//! `faultline report`: the answer as one HTML document.

use super::arguments::{Common, Format, ReportPage};
use super::clock::Clock;
use super::console;
use crate::draw::document::{Document, document};
use crate::draw::fold::{WHOLE, fold};
use crate::draw::layout::layout;
use crate::draw::words;
use crate::report;
use crate::report::localize::localize_report;
use crate::session::{LocalizeOptions, Session, Task};
use crate::wire::graph::{Folding, Graph};
use crate::wire::localize::LocalizeReport;
use crate::wire::projection::Method;
use crate::wire::report::Verdict;

/// Writes the document. The exit code is the verdict's.
pub(super) fn print(arguments: &ReportPage) -> Result<Verdict, String> {
    let common = &arguments.common;
    common.refuse_formats(&[])?;
    if common.format == Format::Json {
        return Err("faultline: a report is HTML; `faultline projection` has JSON\n".to_string());
    }
    common.refuse_proofs()?;
    if let Some(output) = &arguments.output {
        console::refuse_over_program(common, "--output", output)?;
    }
    let (mut session, source) = console::load(common)?;
    let mut graph = report::graph(&session);
    session.use_portfolio(&common.requested());
    let clock = Clock::new(common, &mut session);
    session.list_failures();
    clock.start(&mut session, Task::Projection(Method::Functional), common.budgets());
    clock.run(&mut session);
    let mut found = report::report(&session);
    found.invariant = clock.during(|| report::invariants(&mut session));
    let statements = report::statements(&session);
    let causes = match (found.verdict, session.program()) {
        (Verdict::Unsafe, Some(_)) => causes(common, &source, &clock),
        _ => None,
    };
    let name = match common.file.to_str() {
        Some("-") => "Standard input".into(),
        _ => common.file.to_string_lossy(),
    };
    let text = document(&Document {
        name: &name,
        source: &source,
        report: &found,
        statements: &statements,
        graph: readable(&mut graph),
        causes: causes.as_ref().map_or(&[], |found| &found.causes),
        step: None,
    });
    match &arguments.output {
        None => console::print(&text)?,
        Some(path) => {
            std::fs::write(path, text).map_err(|error| {
                format!("faultline: cannot write {}: {error}\n", path.display())
            })?;
            console::print(&format!("{}\n", words::headline(&found)))?;
        }
    }
    Ok(found.verdict)
}

/// The graph as it is shown first on the page, laid out, if it is small enough to be read.
fn readable(graph: &mut Graph) -> Option<&Graph> {
    *graph = fold(graph, &Folding::of(graph));
    if graph.boxes.len() > WHOLE {
        return None;
    }
    layout(graph);
    Some(graph)
}

/// What the first failing run does that no correct run does, as far as the clock allows.
fn causes(common: &Common, source: &str, clock: &Clock) -> Option<LocalizeReport> {
    if clock.is_over() {
        return None;
    }
    let (session, _) = Session::load(source, &common.requested());
    let options = LocalizeOptions { max_traces: 1, ..LocalizeOptions::default() };
    let mut localization = session.localize(options, common.budgets())?;
    clock.run(&mut localization);
    let found = localize_report(&localization);
    (found.report.verdict == Verdict::Unsafe).then_some(found)
}
