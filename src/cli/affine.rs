//! `faultline affine`: what always holds among the variables, line by line.

use super::arguments::{Affine, Format};
use super::clock::Clock;
use super::console;
use crate::draw::words::affine_holds_for;
use crate::draw::words::limit_sentence;
use crate::encode::affine::Arithmetic;
use crate::report::affine::affine_report;
use crate::report::json;
use crate::session::AffineSession;
use crate::wire::affine::AffineReport;
use crate::wire::report::Verdict;
use std::fmt::Write;
use std::rc::Rc;

/// Analyses and prints. Exit codes: 0 done, 3 if a limit was hit.
pub(super) fn print(arguments: &Affine) -> Result<Verdict, String> {
    let common = &arguments.common;
    common.refuse_formats(&[])?;
    let (mut session, _) = console::load(common)?;
    let program = console::program(&session, "`affine` relates the variables of programs")?;
    let arithmetic = arguments.modulo.map_or(Arithmetic::Unbounded, Arithmetic::Modulo);
    let mut affine = AffineSession::within(
        Rc::clone(&program),
        arithmetic,
        arguments.switches,
        common.max_steps,
    );
    Clock::new(common, &mut session).run(&mut affine);
    let report = affine_report(&program, session.options(), &mut affine);
    console::print(&match common.format {
        Format::Json => json::render(&report),
        _ => text(&report),
    })?;
    console::suggest_width(&report.options, report.limit);
    Ok(if report.limit.is_some() { Verdict::Unknown } else { Verdict::Safe })
}

fn text(report: &AffineReport) -> String {
    if let Some(limit) = report.limit {
        return format!("No answer: {}\n", limit_sentence(limit));
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
