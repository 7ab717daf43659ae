//! "An input that reaches this line": a program whose only failure that counts is to come to a
//! line. So each engine answers the question, and each run is replayed as a failing one.

use crate::lang::diagnostic::Diagnostics;
use crate::lang::loaded::{Loaded, line_span};
use crate::lang::model::{Check, EdgeId, ErrorKind, Expression, Program, Scalar, Subject};

/// Makes that program of what was read. Reports if no statement starts on the line.
pub(super) fn reaching(source: &str, loaded: Loaded, line: u32) -> Loaded {
    let Loaded { program, mut options, mut diagnostics, source_lines } = loaded;
    options.reach = Some(line);
    options.error = Some(line);
    let Some(mut program) = program else {
        return Loaded { program: None, options, diagnostics, source_lines };
    };
    let found = reach(&mut program, line);
    if !found {
        let mut more = Diagnostics::default();
        let message = format!("no statement starts on line {line}");
        more.error(line_span(source, line), message, nearest(&program, line));
        diagnostics.splice(..0, more.finish());
    }
    Loaded { program: found.then_some(program), options, diagnostics, source_lines }
}

/// Makes every statement that starts on the line fail; is there one? Runs that fail before it do
/// not come to it, and whatever else is checked on the line comes too late.
pub(super) fn reach(program: &mut Program, line: u32) -> bool {
    let here: Vec<EdgeId> = program.edge_ids().filter(|id| program.stands_at(*id, line)).collect();
    for id in &here {
        program.edges[id.0 as usize].checks = vec![Check {
            kind: ErrorKind::Reached,
            condition: Expression::Constant(0, Scalar::BOOL),
            message: format!("line {line} is reached"),
            subject: Subject::Condition,
            line,
        }];
    }
    !here.is_empty()
}

fn nearest(program: &Program, line: u32) -> String {
    let lines = program.edge_ids().map(|id| (id, program.edge(id).span.line));
    let starts = lines.filter(|(id, line)| program.stands_at(*id, *line)).map(|(_, line)| line);
    match starts.min_by_key(|other| (other.abs_diff(line), *other)) {
        Some(nearest) => format!("the nearest one starts on line {nearest}"),
        None => "there is none".to_string(),
    }
}
