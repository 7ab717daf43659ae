//! All edits that repair makes of a program, as a text: what may be changed in each statement and
//! into what. `tests/golden/localize/edits.list` has them; `UPDATE_EXPECT=1` writes it anew, read
//! the difference. Every one of them is applied and loaded here: an edit that makes no program is a
//! wrong range of tokens.

use crate::support::load::golden;
use crate::support::load::session_with;
use expect_test::expect_file;
use faultline::analysis::repair::Candidate;
use faultline::analysis::repair::insertions::missing_statements;
use faultline::analysis::repair::mutations::{Pool, larger_arrays, mutations};
use faultline::analysis::repair::source::Source;
use faultline::session::Session;
use faultline::wire::options::{Dialect, RequestedOptions};
use std::collections::BTreeSet;
use std::fmt::Write;

fn requested() -> RequestedOptions {
    RequestedOptions { dialect: Some(Dialect::C), ..RequestedOptions::default() }
}

/// A line for every edit: its kind, and the program's line before and after.
fn listed(text: &str, candidates: &[Candidate], list: &mut String) {
    for candidate in candidates {
        let edit = &candidate.edit;
        let new = edit.apply(text);
        let row = text[..edit.start as usize].matches('\n').count();
        let line = |text: &str| text.lines().nth(row).unwrap_or_default().trim().to_string();
        let loads = Session::load(&new, &requested()).0.program().is_some();
        let kind = format!("{:?}", edit.kind);
        let loaded = if loads { "" } else { "  (not a program)" };
        writeln!(list, "    {kind} {}: {}{loaded}", candidate.score, line(&new)).expect("a string");
    }
}

#[test]
fn every_edit_is_as_it_was() {
    let text = golden("localize/edits.c");
    let session = session_with(&text, &requested());
    let program = session.program().expect("a program");
    let source = Source::new(&text, program, &[]);
    let pool = Pool::of(&source, program);
    let mut list = format!("numbers: {:?}\n", pool.numbers());
    let mut seen = BTreeSet::new();
    for edge in program.edge_ids() {
        let statement = source.statement(program, edge);
        let edits = mutations(&source, program, &pool, edge, 10);
        if edits.is_empty() || !seen.insert((statement.start, statement.end)) {
            continue;
        }
        let line = program.edge(edge).span.line;
        writeln!(list, "\n{line}: {}", source.words(&statement)).expect("a string");
        listed(&text, &edits, &mut list);
        listed(&text, &larger_arrays(&source, program, edge), &mut list);
        let on_run = program.edge_ids().filter(|id| program.edge(*id).span.line.is_multiple_of(2));
        let on_run = on_run.collect();
        listed(&text, &missing_statements(&source, program, &on_run, &[edge]), &mut list);
    }
    expect_file!["../golden/localize/edits.list"].assert_eq(&list);
}
