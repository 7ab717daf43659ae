//! The content of an explanation on the page: failing runs with their causes, focus-statement
//! sequences with a run of each, and the four levels of detail (program, failing run, focus
//! sequence, NEST).

use crate::analysis::focus::{Assumption, Confirmed, FocusSequence, Inputs};
use crate::lang::model::Program;
use crate::report::build_report;
use crate::report::failure;
use crate::report::focus::{sequence_report, variable_names};
use crate::report::localize::localize_report;
use crate::report::repair::repairs_report;
use crate::report::suspects::suspects_report;
use crate::session::{ExplainSession, ExplainStage, Job, ReplayedEntry, ReplayedRun};
use crate::wire::explain::{Explanation, SequenceView};
use crate::wire::report::{TraceEntry, Verdict};

/// What is known so far.
pub fn explanation(session: &ExplainSession) -> Explanation {
    let found = localize_report(session.causes());
    let over = session.stage() != ExplainStage::Causes;
    // That a run fails can be told before its causes are known.
    let first = session.causes().first_run();
    let known = over || first.is_some();
    let focus = session.sequences();
    // While a stage is running, its list of sequences, suspects or repairs is not final.
    let listed = focus.filter(|_| session.stage() > ExplainStage::Sequences);
    let suspects = session.suspects().filter(|_| session.stage() > ExplainStage::Suspects);
    let repairs = session.repairs().filter(|_| session.stage() == ExplainStage::Done);
    let sequences = listed.and_then(|focus| {
        let inputs = focus.inputs()?;
        Some(
            focus
                .sequences()
                .iter()
                .map(|sequence| view(focus.program(), inputs, sequence))
                .collect(),
        )
    });
    Explanation {
        ask: session.ask().clone(),
        problem: String::new(),
        verdict: if known { found.report.verdict } else { Verdict::Unknown },
        options: Some(found.report.options),
        limit: found.report.limit,
        fault: found.report.fault,
        error: found.report.error.or_else(|| Some(failure::error(session.program(), first?))),
        causes: found.causes,
        ended: over.then_some(found.ended),
        ending: if over { found.ending } else { String::new() },
        sequences: sequences.unwrap_or_default(),
        complete: listed.is_some_and(|focus| focus.is_complete()),
        cut: listed.and_then(|focus| focus.limit()),
        undecided: listed.map_or(0, |focus| focus.undecided()),
        sought: focus.is_some(),
        suspects: suspects.map(suspects_report),
        repairs: repairs.map(repairs_report),
    }
}

fn view(program: &Program, inputs: &Inputs, sequence: &FocusSequence) -> SequenceView {
    let edges = shown(sequence).map(|edge| edge.0).collect();
    let (run, rows) = sequence
        .confirmed
        .as_ref()
        .map(|confirmed| run(program, confirmed, sequence))
        .unwrap_or_default();
    let speaks = |assumption: &Assumption| variable_names(program, inputs, &assumption.expression);
    let (about, picked) = sequence.assumptions.iter().map(speaks).unzip();
    SequenceView {
        report: sequence_report(program, inputs, sequence, &[]),
        edges,
        about,
        picked,
        run,
        rows,
    }
}

fn shown(sequence: &FocusSequence) -> impl Iterator<Item = crate::lang::model::EdgeId> + '_ {
    sequence.entries.iter().zip(&sequence.shown).filter(|(_, shown)| **shown).map(|(edge, _)| *edge)
}

/// The run of a sequence, and the rows of the sequence's statements in this run.
fn run(
    program: &Program,
    confirmed: &Confirmed,
    sequence: &FocusSequence,
) -> (Vec<TraceEntry>, Vec<u32>) {
    let steps = &confirmed.replay.steps;
    let Some(check) = steps
        .last()
        .and_then(|last| program.edge(last.edge).checks.get(confirmed.replay.failed_check))
    else {
        return Default::default();
    };
    let entries = steps
        .iter()
        .map(|step| ReplayedEntry {
            edge: step.edge,
            depth: step.depth,
            values: step.store.clone(),
        })
        .collect();
    let trace = build_report::trace(
        program,
        &ReplayedRun { entries, check: check.clone(), run: confirmed.run.clone() },
    );
    // Places each statement behind the one before it. It looks among the run's focus statements
    // first, by their positions in its trace.
    let last = steps.len() - 1;
    let mut traced = Vec::new();
    for (k, step) in steps.iter().enumerate() {
        if k == last || program.edge(step.edge).is_traced() {
            traced.push((step.edge, confirmed.focus.focus.get(k) == Some(&true)));
        }
    }
    let mut rows = Vec::new();
    let mut next = 0;
    for edge in shown(sequence) {
        let Some(at) = traced
            .iter()
            .enumerate()
            .skip(next)
            .find(|(_, (of, focus))| *focus && *of == edge)
            .map(|(at, _)| at)
        else {
            return (trace, Vec::new());
        };
        rows.push(at as u32);
        next = at + 1;
    }
    (trace, rows)
}
