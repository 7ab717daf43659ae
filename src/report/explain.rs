//! What the page shows of an explanation: failing runs with their causes, focus-statement sequences
//! with a run of each, and the four levels of detail over them (program, failing run, focus
//! sequence, NEST).

use crate::analysis::focus::{Assumption, Confirmed, FocusSequence, Inputs};
use crate::analysis::localize::Variant;
use crate::lang::model::{Program, VariableId};
use crate::report::build_report;
use crate::report::focus::{SequenceReport, sequence_report, variable_names};
use crate::report::localize::{CauseReport, localize_report};
use crate::report::repair::{RepairsReport, repairs_report};
use crate::report::suspects::{SuspectsReport, suspects_report};
use crate::session::{
    Budgets, ExplainOptions, ExplainSession, ExplainStage, Job, ReplayedEntry, ReplayedRun, Session,
};
use crate::util::Limit;
use crate::wire::options::RequestedOptions;
use crate::wire::report::{ErrorReport, TraceEntry, Verdict};
use serde::{Deserialize, Serialize};

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ExplainAsk {
    /// Which causes are halted at.
    pub variant: Variant,
    /// Names of variables that the sequences leave uninterpreted.
    pub uninterpreted: Vec<String>,
    /// Failing runs, at most.
    pub max_traces: u32,
    /// Sequences, at most.
    pub max_sequences: u32,
    /// Are statements put in order by their best small changes?
    pub suspects: bool,
    /// Repairs, at most.
    pub max_repairs: u32,
}

impl Default for ExplainAsk {
    fn default() -> Self {
        ExplainAsk {
            variant: Variant::Edges,
            uninterpreted: Vec::new(),
            max_traces: 10,
            max_sequences: 12,
            suspects: true,
            max_repairs: 3,
        }
    }
}

impl ExplainAsk {
    /// As a session takes it; an error names what is no variable of the program.
    pub fn options(&self, program: &Program) -> Result<ExplainOptions, String> {
        let mut uninterpreted = Vec::new();
        for name in &self.uninterpreted {
            let before = uninterpreted.len();
            let ids = (0..program.variables.len() as u32).map(VariableId);
            uninterpreted.extend(ids.filter(|id| {
                program.variable(*id).has_name() && program.variable(*id).name == *name
            }));
            if uninterpreted.len() == before {
                return Err(format!("No variable is called {name}."));
            }
        }
        let ExplainAsk { variant, max_traces, max_sequences, suspects, max_repairs, .. } = *self;
        Ok(ExplainOptions {
            variant,
            uninterpreted,
            max_traces,
            max_sequences,
            suspects,
            max_repairs,
        })
    }
}

/// All that is known so far.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explanation {
    /// What was asked for.
    pub ask: ExplainAsk,
    /// Why nothing can be explained; empty if something can.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub problem: String,
    /// Does the program fail?
    pub verdict: Verdict,
    /// Why it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
    /// The interpreter contradicts the engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// Of the first failing run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorReport>,
    /// One for each failing run.
    pub causes: Vec<CauseReport>,
    /// Why no further failing run was looked for: a word of the JSON contract.
    pub ended: String,
    /// The same as a sentence.
    pub ending: String,
    /// By rank.
    pub sequences: Vec<SequenceView>,
    /// Are these all the ways to fail?
    pub complete: bool,
    /// What ended the enumeration early.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut: Option<Limit>,
    /// Sequences whose assumptions can hold, and for which no run was found: not listed.
    pub undecided: u32,
    /// Were sequences looked for at all?
    pub sought: bool,
    /// Statements by their best small changes; missing until they were looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suspects: Option<SuspectsReport>,
    /// Verified repairs; missing until they were looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repairs: Option<RepairsReport>,
}

/// A focus-statement sequence, and a run that has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SequenceView {
    /// As the command line has it, with all of its assumptions.
    pub report: SequenceReport,
    /// By statement: its number.
    pub edges: Vec<u32>,
    /// By assumption: the names of what it speaks of, without those of what a run picks, which have
    /// none.
    pub about: Vec<Vec<String>>,
    /// By assumption: does it also speak of something that a run picks?
    pub picked: Vec<bool>,
    /// A run that was executed; empty if it is not feasible.
    pub run: Vec<TraceEntry>,
    /// By statement: its row in the run; empty if it is not feasible.
    pub rows: Vec<u32>,
}

impl Explanation {
    /// Nothing but why not.
    pub fn nothing(ask: ExplainAsk, problem: String) -> Explanation {
        Explanation {
            ask,
            problem,
            verdict: Verdict::Unknown,
            limit: None,
            fault: None,
            error: None,
            causes: Vec::new(),
            ended: String::new(),
            ending: String::new(),
            sequences: Vec::new(),
            complete: false,
            cut: None,
            undecided: 0,
            sought: false,
            suspects: None,
            repairs: None,
        }
    }

    /// The names that assumptions speak of, each once, in the order in which they come up.
    pub fn inputs(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for name in self.sequences.iter().flat_map(|sequence| sequence.about.iter().flatten()) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        names
    }
}

/// Begins the explanation of the loaded program; an error says why there is none.
pub fn explain(
    session: &Session,
    requested: &RequestedOptions,
    ask: &ExplainAsk,
    budgets: Budgets,
) -> Result<ExplainSession, String> {
    let Some(program) = session.program() else {
        return Err("Causes and focus sequences are for programs: a raw pushdown system has neither assertions nor inputs.".to_string());
    };
    let options = ask.options(program)?;
    session
        .explain(requested, options, budgets)
        .ok_or_else(|| "There is no program to explain.".to_string())
}

/// What is known so far.
pub fn explanation(session: &ExplainSession, ask: &ExplainAsk) -> Explanation {
    let found = localize_report(session.causes());
    let known = session.stage() != ExplainStage::Causes;
    let focus = session.sequences();
    // While they are being looked for, the lists of sequences, suspects and repairs are not
    // settled.
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
        ask: ask.clone(),
        problem: String::new(),
        verdict: if known { found.report.verdict } else { Verdict::Unknown },
        limit: found.report.limit,
        fault: found.report.fault,
        error: found.report.error,
        causes: found.causes,
        ended: found.ended,
        ending: found.ending,
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

/// The run of a sequence, and the rows of the sequence's statements in it.
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
    // Statement by statement, each behind the one before it: first among the run's focus
    // statements, by their positions in its trace.
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

/// The levels of detail over one error (*Error Explanation by Focus-Statement Sequences*, figure
/// 3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// Everything.
    Program,
    /// What a failing run passes.
    #[default]
    Run,
    /// What of it made it fail.
    Focus,
    /// Where to mend it.
    Nest,
}

impl Level {
    /// From the whole to the detail.
    pub const ALL: [Level; 4] = [Level::Program, Level::Run, Level::Focus, Level::Nest];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Level::Program => "Program",
            Level::Run => "Failing run",
            Level::Focus => "Focus sequence",
            Level::Nest => "NEST",
        }
    }
}

/// A statement that a level shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelRow {
    /// 1-based.
    pub line: u32,
    /// Whose code.
    pub procedure: String,
    /// As in the source, with the outcome of a condition.
    pub statement: String,
    /// Its number.
    pub edge: Option<u32>,
    /// Its row in the level's run; none where there is no run.
    pub row: Option<usize>,
    /// Calls pending.
    pub depth: u32,
    /// Is it in the neighborhood of error statements?
    pub nest: bool,
}

/// The statements that a level shows of a failing run, or of a sequence, in the order of execution.
/// The program shows its failing run.
pub fn rows(
    level: Level,
    cause: Option<&CauseReport>,
    sequence: Option<&SequenceView>,
) -> Vec<LevelRow> {
    match level {
        Level::Program | Level::Run => {
            let trace = cause.map_or(&[][..], |cause| &cause.trace[..]);
            let row = |(k, entry): (usize, &TraceEntry)| LevelRow {
                line: entry.line,
                procedure: entry.procedure.clone(),
                statement: entry.statement.clone(),
                edge: entry.edge,
                row: Some(k),
                depth: entry.depth,
                nest: false,
            };
            trace.iter().enumerate().map(row).collect()
        }
        Level::Focus | Level::Nest => {
            let Some(sequence) = sequence else { return Vec::new() };
            let row = |(k, statement): (usize, &crate::report::focus::SequenceStatement)| {
                let at = sequence.rows.get(k).map(|row| *row as usize);
                let outcome = if statement.outcome.is_empty() {
                    String::new()
                } else {
                    format!(": {}", statement.outcome)
                };
                LevelRow {
                    line: statement.line,
                    procedure: statement.procedure.clone(),
                    statement: format!("{}{outcome}", statement.statement),
                    edge: sequence.edges.get(k).copied(),
                    row: at,
                    depth: at.and_then(|at| sequence.run.get(at)).map_or(0, |entry| entry.depth),
                    nest: statement.nest && sequence.report.feasible,
                }
            };
            let all = sequence.report.statements.iter().enumerate().map(row);
            all.filter(|row| level == Level::Focus || row.nest).collect()
        }
    }
}

/// Is every step of a failing run a cause, because no run at all is correct? Then none of them says
/// anything.
pub fn blames_everything(cause: &CauseReport) -> bool {
    cause.transitions > 0 && cause.by_edges.transitions == cause.transitions
}

/// A row of two runs beside each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlignedRow {
    /// Index into the failing run.
    pub failing: Option<usize>,
    /// Index into the correct run.
    pub correct: Option<usize>,
    /// Do both execute the same statement here, each as a part of what they share?
    pub together: bool,
    /// Variables whose values differ before it.
    pub differ: Vec<String>,
}

/// Two runs, row by row: what `pairs` (of indices, both increasing) puts together shares a row;
/// what stands between two of them is set side by side from the top on.
pub fn aligned(
    failing: &[TraceEntry],
    correct: &[TraceEntry],
    pairs: &[(u32, u32)],
) -> Vec<AlignedRow> {
    let mut rows = Vec::new();
    let (mut left, mut right) = (0, 0);
    let apart = |rows: &mut Vec<AlignedRow>,
                 left: std::ops::Range<usize>,
                 right: std::ops::Range<usize>| {
        for k in 0..left.len().max(right.len()) {
            let at = |range: &std::ops::Range<usize>| {
                (range.start + k < range.end).then_some(range.start + k)
            };
            rows.push(AlignedRow {
                failing: at(&left),
                correct: at(&right),
                together: false,
                differ: Vec::new(),
            });
        }
    };
    for (a, b) in pairs.iter().map(|(a, b)| (*a as usize, *b as usize)) {
        if a < left || b < right || a >= failing.len() || b >= correct.len() {
            continue;
        }
        apart(&mut rows, left..a, right..b);
        let value = |name: &String| {
            correct[b].values.0.iter().find(|(other, _)| other == name).map(|(_, value)| value)
        };
        let differing = failing[a]
            .values
            .0
            .iter()
            .filter(|(name, here)| value(name).is_some_and(|there| there != here));
        let differ = differing.map(|(name, _)| name.clone()).collect();
        rows.push(AlignedRow { failing: Some(a), correct: Some(b), together: true, differ });
        (left, right) = (a + 1, b + 1);
    }
    apart(&mut rows, left..failing.len(), right..correct.len());
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::report::{Value, Values};

    fn entry(line: u32, x: i128) -> TraceEntry {
        TraceEntry {
            line,
            procedure: "main".into(),
            thread: 0,
            statement: String::new(),
            values: Values(vec![("x".into(), Value::Number(x))]),
            depth: 0,
            edge: None,
        }
    }

    #[test]
    fn runs_beside_each_other_keep_every_statement_in_order() {
        let failing = [entry(1, 0), entry(2, 0), entry(3, 0), entry(5, 1)];
        let correct = [entry(1, 0), entry(2, 0), entry(4, 0), entry(4, 1), entry(5, 2)];
        let rows = aligned(&failing, &correct, &[(0, 0), (1, 1), (3, 4)]);
        let places: Vec<_> =
            rows.iter().map(|row| (row.failing, row.correct, row.together)).collect();
        let (yes, no) = (true, false);
        assert_eq!(
            places,
            [
                (Some(0), Some(0), yes),
                (Some(1), Some(1), yes),
                (Some(2), Some(2), no),
                (None, Some(3), no),
                (Some(3), Some(4), yes)
            ]
        );
        assert_eq!(rows[4].differ, ["x"]);
        assert!(rows[1].differ.is_empty());
        assert_eq!(aligned(&failing, &[], &[(7, 7)]).len(), 4, "pairs that are none are left out");
    }
}
