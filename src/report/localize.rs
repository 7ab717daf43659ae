//! Causes of errors in the program's words.

use crate::draw::words;
use crate::lang::model::{EdgeId, ProcedureId, Program};
use crate::report::alignment::align;
use crate::report::build_report::{trace, trace_of};
use crate::report::failure;
use crate::session::{Ending, Judged, LocalizeSession, LocalizedTrace, Outcome, Proof};
use crate::util::Limit;
use crate::wire::localize::{Cause, CauseReport, LocalizeReport, SearchEnd, Variant};
use crate::wire::report::{
    Analysis, ErrorReport, ProofReport, Report, SliceReport, Statistics, Verdict,
};
use std::collections::{BTreeMap, BTreeSet};

/// The report of a localization that is over.
pub fn localize_report(session: &LocalizeSession) -> LocalizeReport {
    let program = session.program();
    let (effective, options) = session.options();
    let first = session.traces().first();
    let outcome = session.outcome();
    let (peak_nodes, bytes) = session.peak();
    let limit = match session.ending() {
        Some(Ending::Limit(limit)) => Some(limit),
        _ => None,
    };
    let verdict = match outcome {
        Outcome::Safe => Verdict::Safe,
        Outcome::Unsafe => Verdict::Unsafe,
        Outcome::Unknown(_) | Outcome::Fault => Verdict::Unknown,
    };
    let report = Report {
        limit,
        fault: session.fault().map(str::to_string),
        checked: program.edges.iter().map(|edge| edge.checks.len() as u32).sum(),
        error: first.map(|first| failure::error(program, &first.run)),
        trace: first.map(|first| trace(program, &first.run)),
        shortest: first.map(|first| first.shortest),
        width: effective.width(),
        proof: session.proof().filter(|_| outcome == Outcome::Safe).map(|proof| match proof {
            Proof::Checked => ProofReport { checked: true, limit: None },
            Proof::Unchecked(limit) => ProofReport { checked: false, limit: Some(limit) },
        }),
        statistics: Statistics { peak_nodes, steps: session.steps(), bytes },
        ..Report::new(Analysis::Localize, verdict, effective.clone())
    };
    let name = |id: &ProcedureId| program.procedure(*id).name.clone();
    LocalizeReport {
        report,
        variant: options.variant,
        trusted: options.trusted.iter().map(name).collect(),
        dependent: options.dependent,
        refined: options.refined,
        causes: causes(session),
        ended: ended(session.ending()),
        ending: ending(session),
    }
}

fn causes(session: &LocalizeSession) -> Vec<CauseReport> {
    let mut slices: BTreeMap<u32, Option<SliceReport>> = BTreeMap::new();
    let judged = session.traces().iter().enumerate().filter(|(_, trace)| trace.judged);
    judged
        .map(|(number, trace)| {
            let line = trace.run.check.line;
            let made = || session.slice(line).map(|inside| slice(session.program(), &inside));
            let slice = slices.entry(line).or_insert_with(made).clone();
            CauseReport { slice, ..cause(session, trace, number == 0) }
        })
        .collect()
}

fn cause(session: &LocalizeSession, localized: &LocalizedTrace, is_first: bool) -> CauseReport {
    let program = session.program();
    let variant = session.options().1.variant;
    let by = |variant: Variant| {
        let causes = localized.causes(variant);
        let mut edges: Vec<u32> = causes.iter().map(|edge| edge.edge().0).collect();
        edges.sort_unstable();
        edges.dedup();
        let on =
            localized.transitions.iter().filter(|judged| causes.contains(&judged.transition.edge));
        Cause { lines: localized.lines(variant), transitions: on.count() as u32, edges }
    };
    let error = failure::error(program, &localized.run);
    let failing = trace(program, &localized.run);
    let run = localized.correct.as_ref().ok().and_then(Option::as_ref);
    let correct = run.map(|run| trace_of(program, &run.entries, &run.run, run.passes_check));
    CauseReport {
        alignment: correct.as_ref().map(|correct| align(&failing, correct)),
        correct,
        closest: run.map(|run| run.closest.is_ok()),
        correct_limit: localized
            .correct
            .as_ref()
            .err()
            .copied()
            .or(run.and_then(|run| run.closest.err())),
        trace: failing,
        slice: None,
        lines: localized.lines(variant),
        variant,
        reason: reason(session, localized, &error, is_first),
        error,
        shortest: localized.shortest,
        path: localized.path(),
        transitions: localized.transitions.len() as u32,
        by_edges: by(Variant::Edges),
        by_transitions: by(Variant::Transitions),
        check_steps: localized.steps.0,
        cause_steps: localized.steps.1,
    }
}

fn slice(program: &Program, inside: &[bool]) -> SliceReport {
    let is_inside = |id: &EdgeId| program.edge(*id).is_statement() && inside[id.0 as usize];
    let edges: Vec<EdgeId> = program.edge_ids().filter(is_inside).collect();
    let own = edges.iter().filter(|id| !program.is_shared(**id));
    let lines: BTreeSet<u32> = own.map(|id| program.edge(*id).span.line).collect();
    SliceReport { lines: lines.into_iter().collect(), nodes: edges.len() as u32 }
}

/// `is_first`: no earlier causes exist that other runs must avoid.
fn reason(
    session: &LocalizeSession,
    localized: &LocalizedTrace,
    error: &ErrorReport,
    is_first: bool,
) -> String {
    let options = session.options().1;
    let variant = options.variant;
    let abstraction = if options.refined { " on the refined abstraction" } else { "" };
    let program = session.program();
    let avoids = if is_first { "" } else { "avoids the causes above and " };
    let correct = match localized.ends_with_program {
        // A run that exits before, or that an assumption blocks, does not count.
        true => format!(
            "{avoids}reaches the end of {}{abstraction}",
            program.procedure(program.main_id()).name
        ),
        false => format!("{avoids}passes the check of line {}{abstraction}", error.line),
    };
    if localized.transitions.is_empty() {
        return "It fails at its first statement, so that only what it starts with can be to blame"
            .to_string();
    }
    let is_incorrect = |judged: &Judged| match variant {
        Variant::Edges => !judged.edge_is_correct,
        Variant::Transitions => !judged.is_correct,
    };
    if localized.causes(variant).is_empty() && localized.transitions.iter().any(is_incorrect) {
        let left_out = match (options.dependent, options.trusted.is_empty()) {
            (true, true) => "what fails depends on none of them",
            (true, false) => {
                "they lie in procedures that are never blamed, or what fails does not depend on them"
            }
            (false, _) => "they lie in procedures that are never blamed",
        };
        return format!("No run that {correct} takes some steps of this one, but {left_out}");
    }
    let edges = localized.causes(Variant::Edges);
    let transitions = localized.lines(Variant::Transitions);
    let none = localized.transitions.iter().all(|judged| !judged.edge_is_correct)
        && matches!(localized.correct, Ok(None));
    match variant {
        _ if none && !options.refined => {
            format!("No run at all {correct}, so every step of this one is a cause")
        }
        Variant::Edges if edges.is_empty() && transitions.is_empty() => {
            format!("Whatever this run does, some run that {correct} does too")
        }
        Variant::Edges if edges.is_empty() => format!(
            "Each step of this run is also on some run that {correct} (coincidental correctness); comparing values too blames {}",
            words::lines(&transitions)
        ),
        Variant::Edges => {
            format!(
                "No run that {correct} takes these steps, whatever its values. What goes wrong by values alone is not seen like this"
            )
        }
        Variant::Transitions if transitions.is_empty() => {
            format!(
                "Whatever this run does, some run that {correct} does too, with the same values"
            )
        }
        Variant::Transitions => {
            format!(
                "No run that {correct} takes these steps with these values. The first of them is the likely cause; the others may only follow from it"
            )
        }
    }
}

fn ended(ending: Option<Ending>) -> SearchEnd {
    match ending {
        Some(Ending::NoError) => SearchEnd::NoError,
        Some(Ending::NoCause) => SearchEnd::NoCause,
        Some(Ending::Trusted) => SearchEnd::Trusted,
        Some(Ending::Independent) => SearchEnd::Independent,
        Some(Ending::MaxTraces) => SearchEnd::MaxTraces,
        Some(Ending::Limit(_)) | None => SearchEnd::Limit,
    }
}

fn ending(session: &LocalizeSession) -> String {
    let found = session.traces().len() as u64;
    match session.ending() {
        Some(Ending::NoError) if session.fault().is_some() => {
            "A defect of Faultline ended the search".to_string()
        }
        Some(Ending::NoError) if found == 0 => "No run fails".to_string(),
        Some(Ending::NoError) => {
            let which = if found == 1 { "this cause" } else { "one of these causes" };
            format!("Every failing run goes through {which}")
        }
        Some(Ending::NoCause) => {
            "The last run has no cause to halt at, so the search ends with it".to_string()
        }
        Some(Ending::Trusted) => {
            "All causes of the last run lie in trusted procedures, so the search ends with it"
                .to_string()
        }
        Some(Ending::Independent) => {
            "What fails in the last run depends on none of its causes, so the search ends with it"
                .to_string()
        }
        Some(Ending::MaxTraces) => {
            "There may be failing runs with other causes: as many were looked for as asked"
                .to_string()
        }
        Some(Ending::Limit(Limit::Threads)) => {
            "No causes: correct runs may need the other threads, which were not run".to_string()
        }
        Some(Ending::Limit(limit)) => format!("Not finished: {}", words::limit_sentence(limit)),
        None => "Not finished".to_string(),
    }
}
