//! `--through LINE[,LINE…]`: from lines to statements, or to the rules of a raw system.

use crate::analysis::shortest_run::MAX_SETS;
use crate::lang::model::{EdgeId, Program};
use crate::lang::raw::RawSystem;
use std::collections::{BTreeMap, BTreeSet};

/// The statements of each line; a line that is named twice counts once. The error is a message
/// about a line without statements.
pub(super) fn statements(program: &Program, lines: &[u32]) -> Result<Vec<Vec<EdgeId>>, String> {
    let stands = |id: &EdgeId| program.stands_at(*id, program.edge(*id).span.line);
    let statements = program.edge_ids().filter(stands);
    on_lines("statement", statements.map(|edge| (program.edge(edge).span.line, edge)), lines)
}

/// The rules of each line of a raw system, by their numbers.
pub(super) fn rules(system: &RawSystem, lines: &[u32]) -> Result<Vec<Vec<EdgeId>>, String> {
    on_lines(
        "rule",
        (0..).map(EdgeId).zip(&system.rules).map(|(id, rule)| (rule.span.line, id)),
        lines,
    )
}

fn on_lines(
    what: &str,
    all: impl Iterator<Item = (u32, EdgeId)>,
    lines: &[u32],
) -> Result<Vec<Vec<EdgeId>>, String> {
    let mut by_line: BTreeMap<u32, Vec<EdgeId>> = BTreeMap::new();
    for (line, id) in all {
        by_line.entry(line).or_default().push(id);
    }
    let mut seen = BTreeSet::new();
    let lines: Vec<u32> = lines.iter().copied().filter(|line| seen.insert(*line)).collect();
    if lines.len() > MAX_SETS {
        return Err(format!(
            "faultline: `--through` takes at most {MAX_SETS} lines, not {}\n",
            lines.len()
        ));
    }
    let statements = |line: &u32| {
        by_line.get(line).cloned().ok_or_else(|| nothing_on(what, *line, by_line.keys().copied()))
    };
    lines.iter().map(statements).collect()
}

fn nothing_on(what: &str, line: u32, others: impl Iterator<Item = u32>) -> String {
    let hint = match others.min_by_key(|other| (other.abs_diff(line), *other)) {
        Some(nearest) => format!("the nearest one starts on line {nearest}"),
        None => "there is none".to_string(),
    };
    format!("faultline: `--through {line}`: no {what} starts on line {line}; {hint}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::options::RequestedOptions;

    #[test]
    fn lines_become_statements_or_hints() {
        let source = "int x;\n\n\nvoid main() {\n  x = 1; x = 2;\n\n  assert(x == 2);\n}\n";
        let program =
            crate::lang::load(source, &RequestedOptions::default()).program.expect("a program");
        let found = statements(&program, &[5, 7, 5]).expect("statements");
        assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1], "a line counts once");
        let hint = |lines: &[u32]| statements(&program, lines).expect_err("no statement");
        assert_eq!(
            hint(&[7, 1]),
            "faultline: `--through 1`: no statement starts on line 1; the nearest one starts on line 5\n"
        );
        assert!(hint(&[6]).contains("line 5"), "the earlier one of two as near");
        assert!(hint(&[99]).contains("line 7"));
        assert!(hint(&[1, 2, 3, 4, 5, 6, 7, 8, 9]).contains("at most 8 lines, not 9"));
    }
}
