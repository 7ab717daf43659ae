//! Makes the report of a session.

use crate::lang::interpreter::{ConcreteRun, Observed, observe};
use crate::lang::model::{EdgeId, Operation, ProcedureId, Program};
use crate::report::steps::{self, Step};
use crate::report::{failure, notes, raw};
use crate::session::{
    Certainty, Job, Outcome, Proof, ReplayedEntry, ReplayedRun, Session, Sought, Task,
};
use crate::wire::cegar::Decider;
use crate::wire::options::C_BITS;
use crate::wire::projection::Method;
use crate::wire::report::{
    Analysis, ErrorReport, FailureReport, ProjectionReport, ProofReport, Report, SliceReport,
    StartsReport, Statistics, ThroughReport, TraceEntry, Verdict,
};

/// The report of a run that is over.
pub fn report(session: &Session) -> Report {
    let answered = session.answered_program();
    let program = answered.as_ref().map(|(program, _)| &**program);
    let options = answered.as_ref().map_or(session.options(), |(_, options)| options);
    let refined = session.refined();
    let mut options = options.clone();
    if refined.and_then(|refined| refined.decided).is_some_and(|it| it.by == Decider::Summary) {
        // The answer is about any number of objects.
        options.heap = None;
    }
    let run = session.failing_run();
    let (peak_nodes, steps, bytes) = session.statistics();
    let raw = session.raw();
    let raw_run = raw.and_then(|raw| Some((raw, raw.run()?)));
    let analysis = match session.task() {
        Task::Check => Analysis::Check,
        Task::Projection(_) => Analysis::Projection,
    };
    let verdict = match session.outcome() {
        Outcome::Safe => Verdict::Safe,
        Outcome::Unsafe => Verdict::Unsafe,
        Outcome::Unknown(_) | Outcome::Fault => Verdict::Unknown,
    };
    let notes = program.map_or(Vec::new(), |program| notes::notes(session, program));
    let unchecked = match (verdict, program) {
        (Verdict::Safe, Some(program)) => notes::unchecked(program, &options, &notes),
        _ => Vec::new(),
    };
    Report {
        unchecked,
        notes,
        limit: session.limit(),
        fault: session.fault().map(str::to_string),
        width: options.width(),
        widths: session.widths(),
        refined,
        checked: program.map_or(raw.map_or(0, raw::targets), |program| {
            program.edges.iter().map(|edge| edge.checks.len() as u32).sum()
        }),
        error: program
            .zip(run)
            .map(|(program, run)| failure::error(program, run))
            .or_else(|| raw::reached(raw?)),
        trace: program
            .zip(run)
            .map(|(program, run)| trace(program, run))
            .or_else(|| raw_run.map(|(raw, run)| raw::trace(raw.system(), run))),
        shortest: run
            .map(|_| session.certainty() == Certainty::Shortest)
            .or(raw_run.map(|(raw, _)| raw.is_shortest())),
        failures: program.map_or(Vec::new(), |program| failures(program, session.failures())),
        failures_limit: session.failures_limit(),
        projection: projection(session).or_else(|| raw::projection(raw?)),
        pushdown: raw.map(raw::pushdown),
        starts: program.and_then(|program| starts(program, run)),
        assumed: program.map_or(Vec::new(), |program| program.assumed.clone()),
        proof: session.proof().filter(|_| session.outcome() == Outcome::Safe).map(|proof| {
            match proof {
                Proof::Checked => ProofReport { checked: true, limit: None },
                Proof::Unchecked(limit) => ProofReport { checked: false, limit: Some(limit) },
            }
        }),
        statistics: Statistics { peak_nodes, steps, bytes },
        ..Report::new(analysis, verdict, options)
    }
}

/// Where a run may start if no procedure is `main`, and where the failing one does.
fn starts(program: &Program, run: Option<&ReplayedRun>) -> Option<StartsReport> {
    let name = |id: ProcedureId| program.procedure(id).name.clone();
    let entered = |run: &ReplayedRun| {
        run.run.steps.iter().find_map(|step| match program.edge(step.edge).operation {
            Operation::Call { callee, .. } if program.starts.contains(&callee) => {
                Some(name(callee))
            }
            _ => None,
        })
    };
    (!program.starts.is_empty()).then(|| StartsReport {
        procedures: program.starts.iter().map(|id| name(*id)).collect(),
        fails: run.and_then(entered),
    })
}

fn failures(program: &Program, runs: &[ReplayedRun]) -> Vec<FailureReport> {
    let one = |run: &ReplayedRun| {
        let ErrorReport { line, kind, message, detail, broken, .. } = failure::error(program, run);
        let (trace, input, choices) = (trace(program, run), None, Vec::new());
        FailureReport { line, kind, message, detail, broken, trace, input, choices }
    };
    runs.iter().map(one).collect()
}

fn projection(session: &Session) -> Option<ProjectionReport> {
    let Task::Projection(method) = session.task() else { return None };
    let (program, lit, executed) =
        (session.program()?, session.in_projection()?, session.executed()?);
    let shown = program.edge_ids().filter(|id| program.edge(*id).is_statement());
    // What a shared procedure does belongs to the lines of the calls.
    let line = |id: EdgeId| (!program.is_shared(id)).then(|| program.edge(id).span.line);
    let shown: Vec<_> = shown.map(|id| (id.0 as usize, line(id))).collect();
    let lines = |marked: &[bool]| {
        let mut lines: Vec<u32> =
            shown.iter().filter(|(k, _)| marked[*k]).filter_map(|(_, line)| *line).collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    };
    let count = |marked: &[bool]| shown.iter().filter(|(k, _)| marked[*k]).count() as u32;
    Some(ProjectionReport {
        lines: lines(&lit),
        nodes: count(&lit),
        of: count(executed),
        method: method.into(),
        overestimate: method == Method::Naive,
        bits: session.options().width().filter(|bits| *bits < C_BITS),
        through: through(session),
        slice: session
            .slice()
            .map(|slice| SliceReport { lines: lines(slice), nodes: count(slice) }),
    })
}

/// The run through the statements that were last asked for, if there was such a question.
pub fn through(session: &Session) -> Option<ThroughReport> {
    if let Some(system) = session.raw() {
        return raw::through(system);
    }
    let (program, through) = (session.program()?, session.through()?);
    let line = |set: &Vec<EdgeId>| set.first().map_or(0, |edge| program.edge(*edge).span.line);
    let mut report = ThroughReport {
        lines: through.sets.iter().map(line).collect(),
        sets: through.sets.iter().map(|set| set.iter().map(|edge| edge.0).collect()).collect(),
        exists: None,
        never: Vec::new(),
        each_alone: false,
        limit: None,
        error: None,
        pushdown: false,
        weight: None,
        trace: None,
    };
    match &through.answer {
        Sought::Run(run) => {
            report.exists = Some(true);
            report.error = Some(failure::error(program, run));
            report.trace = Some(trace(program, run));
        }
        Sought::None(never) => {
            report.exists = Some(false);
            report.never = never.iter().filter_map(|set| report.lines.get(*set).copied()).collect();
            report.each_alone = never.is_empty() && is_each_lit(session, &through.sets);
        }
        Sought::Unknown(limit) => report.limit = Some(*limit),
    }
    Some(report)
}

/// Is a statement of each set on a failing run, as an exact projection says?
fn is_each_lit(session: &Session, sets: &[Vec<EdgeId>]) -> bool {
    let is_exact = matches!(session.task(), Task::Projection(method) if method != Method::Naive);
    let Some(lit) = session.in_projection().filter(|_| is_exact) else { return false };
    sets.iter().all(|set| set.iter().any(|edge| lit[edge.0 as usize]))
}

/// The entries of a run's trace.
pub fn trace(program: &Program, run: &ReplayedRun) -> Vec<TraceEntry> {
    trace_of(program, &run.entries, &run.run, true)
}

/// The entries of a trace. If `with_last`, the last statement is shown whatever its kind is.
pub(in crate::report) fn trace_of(
    program: &Program,
    entries: &[ReplayedEntry],
    run: &ConcreteRun,
    with_last: bool,
) -> Vec<TraceEntry> {
    let last = entries.len().saturating_sub(1);
    let seen = observe(program, run).steps;
    // A run that may start with several procedures is told from the beginning of one.
    let is_before = |entry: &&ReplayedEntry| !program.starts.contains(&program.owner(entry.edge));
    let unseen = match program.starts.is_empty() {
        true => 0,
        false => entries.iter().take_while(is_before).count().min(last),
    };
    let above = u32::from(unseen > 0);
    let observed: Vec<Observed> = entries
        .iter()
        .enumerate()
        .map(|(k, entry)| match seen.get(k).filter(|seen| seen.edge == entry.edge) {
            Some(seen) => seen.clone(),
            None => Observed { edge: entry.edge, depth: entry.depth, ..Observed::default() },
        })
        .map(|seen| Observed { depth: seen.depth.saturating_sub(above), ..seen })
        .collect();
    let all = entries.iter().zip(&observed).enumerate().skip(unseen);
    let steps = all.map(|(k, (entry, observed))| Step {
        thread: 0,
        store: &entry.values,
        observed,
        shown: with_last && k == last || program.edge(entry.edge).is_traced(),
    });
    steps::trace(program, steps)
}
