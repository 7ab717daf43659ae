//! The four levels of detail of an explanation as lists of statements: program, failing run, focus
//! sequence, NEST. And a failing run next to a correct one, row by row.

use crate::wire::explain::{Level, SequenceView};
use crate::wire::localize::CauseReport;
use crate::wire::report::TraceEntry;

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
            let row = |(k, statement): (usize, &crate::wire::focus::SequenceStatement)| {
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
            ..TraceEntry::default()
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
