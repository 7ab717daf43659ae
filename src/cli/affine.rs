//! `faultline affine`: what always holds among the variables, line by line.

use super::arguments::{Affine, Format};
use crate::draw::words::limit_sentence;
use crate::encode::affine::Arithmetic;
use crate::report::affine::{AffineReport, affine_holds_for, affine_report};
use crate::session::{AffineSession, Job};
use crate::util::Limit;
use crate::wire::report::Verdict;
use std::fmt::Write;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Analyses and prints. Exit codes: 0 done, 3 if a limit was hit.
pub(super) fn print(arguments: &Affine) -> Result<Verdict, String> {
    let common = &arguments.common;
    let (session, _) = super::load(common)?;
    let Some(program) = session.program() else { return Err(String::new()) };
    let program = Rc::new(program.clone());
    let arithmetic = arguments.modulo.map_or(Arithmetic::Unbounded, Arithmetic::Modulo);
    let mut affine =
        AffineSession::within(program.clone(), arithmetic, arguments.switches, common.max_steps);
    let end = common.timeout.map(|seconds| Instant::now() + Duration::from_secs_f64(seconds));
    while !affine.step() {
        if end.is_some_and(|end| Instant::now() > end) {
            affine.stop(Limit::Time);
        }
    }
    let report = affine_report(&program, session.options(), &mut affine);
    let printed = match common.format {
        Format::Json => super::json::render(&report),
        Format::Text => text(&report),
        Format::Dot | Format::Svg => {
            return Err("faultline: dot and svg are formats of `faultline graph`\n".to_string());
        }
    };
    super::print(&printed);
    Ok(if report.limit.is_some() { Verdict::Unknown } else { Verdict::Safe })
}

fn text(report: &AffineReport) -> String {
    if let Some(limit) = report.limit {
        return format!("Unknown: {}\n", limit_sentence(limit));
    }
    let mut text = format!("{}.\n", affine_holds_for(report));
    let mut procedure = "";
    for place in &report.relations {
        if place.procedure != procedure {
            procedure = &place.procedure;
            let _ = writeln!(text, "\n{procedure}");
        }
        let what = if place.statement.is_empty() { "at the end" } else { place.statement.as_str() };
        let holds = match &place.equalities {
            None => "never reached".to_string(),
            Some(list) if list.is_empty() => "nothing".to_string(),
            Some(list) => list.join(", "),
        };
        let _ = writeln!(text, "{:>5}  {what:<32}  {holds}", place.line);
    }
    text
}
