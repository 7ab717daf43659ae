//! `faultline report`: the answer as one HTML document.

use super::arguments::{Common, Format, ReportPage};
use super::clock::Clock;
use super::console;
use crate::draw::words;
use crate::report;
use crate::report::document::{self, document};
use crate::report::localize::failing;
use crate::session::{Session, Task};
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
    let (mut session, _) = console::load(common)?;
    session.use_portfolio(&common.requested());
    let clock = Clock::new(common, &mut session);
    session.start(Task::Projection(Method::Functional), common.budgets());
    clock.run(&mut session);
    let causes = causes(common, &session, &clock);
    let name = match common.file.to_str() {
        Some("-") => "Standard input".into(),
        _ => common.file.to_string_lossy(),
    };
    let text = clock.during(|| document(&mut session, &name, causes.as_ref(), None));
    let found = report::report(&session);
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

/// What the first failing run does that no correct run does, as far as the clock allows.
fn causes(common: &Common, session: &Session, clock: &Clock) -> Option<LocalizeReport> {
    let mut localization = document::causes(session, common.budgets())?;
    if clock.is_over() {
        return None;
    }
    clock.run(&mut localization);
    failing(&localization)
}
