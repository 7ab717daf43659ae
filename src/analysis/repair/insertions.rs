//! Statements to insert: a statement that the failing run lacks (Ball, Naik, Rajamani 2003, § 8,
//! suggest repairs of causes), or an initialisation that negates an assumption over one variable
//! (*Error Explanation by Focus-Statement Sequences*, § 1 on Fig. 1).

use super::source::Source;
use super::{Candidate, Edit};
use crate::analysis::replay::{ReplayedEntry, ReplayedRun};
use crate::lang::model::{
    Edge, EdgeId, ErrorKind, Operation, Program, StatementKind, VariableId, VariableKind,
};
use crate::util::names::starts_name;
use crate::wire::repair::RepairKind;
use std::collections::BTreeSet;
use std::ops::Range;

/// A variable, with values that negate the assumptions about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Initialisation {
    /// The variable, a scalar.
    pub variable: VariableId,
    /// The values as bit patterns, best first.
    pub values: Vec<u64>,
    /// The statements of the sequences, in order. The initialisation may go into the blocks that
    /// they open.
    pub statements: Vec<EdgeId>,
}

/// The tokens of a statement that stands alone: from `{`, `}` or `;` before it to its own `;`.
fn whole_statement(source: &Source<'_>, statement: &Range<usize>) -> Option<String> {
    let text = source.words(statement);
    let text = text.strip_suffix(';').unwrap_or(text);
    let stands_alone = source.word(statement.end) == ";" || source.words(statement).ends_with(';');
    (stands_alone && !text.is_empty() && !text.contains('\n')).then(|| format!("{text};"))
}

/// The texts of the program's calls and assignments, without declarations, with their `;`.
fn statements(source: &Source<'_>, program: &Program, run: &BTreeSet<EdgeId>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for id in program.edge_ids().filter(|id| !run.contains(id)) {
        let edge = program.edge(id);
        if !matches!(edge.kind, StatementKind::Assignment | StatementKind::Call)
            || says_error(program, edge)
        {
            continue;
        }
        let statement = source.statement(program, id);
        if statement.is_empty() || source.is_left_out(statement.start) {
            continue;
        }
        // `int x = 1` starts with two names.
        let declares = source.word(statement.start + 1).starts_with(starts_name);
        if let Some(text) = whole_statement(source, &statement).filter(|_| !declares)
            && !found.contains(&text)
        {
            found.push(text);
        }
    }
    found
}

/// Does the edge write the variable of a forbidden assignment (`//! error = (x == V)`)? To write
/// that variable somewhere else repairs nothing.
fn says_error(program: &Program, edge: &Edge) -> bool {
    let judged = |next: &&Edge| {
        next.from == edge.to && next.checks.iter().any(|check| check.kind == ErrorKind::Assignment)
    };
    matches!(edge.operation, Operation::Assign(_)) && program.edges.iter().any(|next| judged(&next))
}

/// Inserts statements that the failing run does not execute before the suspected statements of this
/// run, or in place of a `skip`.
pub fn missing_statements(
    source: &Source<'_>,
    program: &Program,
    run: &BTreeSet<EdgeId>,
    suspects: &[EdgeId],
) -> Vec<Candidate> {
    let pool = statements(source, program, run);
    let mut candidates: Vec<Candidate> = Vec::new();
    for (suspicion, edge) in (0u32..).zip(suspects) {
        let statement = source.statement(program, *edge);
        if statement.is_empty() || source.is_left_out(statement.start) {
            continue;
        }
        let kind = program.edge(*edge).kind;
        if matches!(
            kind,
            StatementKind::Assertion | StatementKind::Assumption | StatementKind::Hidden
        ) {
            continue;
        }
        let old = source.words(&statement);
        let before = statement.start.checked_sub(1).map_or("", |k| source.word(k));
        for text in &pool {
            let edit = match (old, before) {
                ("skip", _) => (
                    source.start(statement.start),
                    source.end(statement.end - 1),
                    text.trim_end_matches(';').to_string(),
                ),
                (_, "{" | "}" | ";") if !in_brackets(source, statement.start) => (
                    source.start(statement.start),
                    source.start(statement.start),
                    format!("{text} "),
                ),
                (_, "else" | ")") if kind != StatementKind::Condition && !old.contains('\n') => {
                    let Some(whole) = whole_statement(source, &statement) else { continue };
                    let end = source.end(if source.word(statement.end) == ";" {
                        statement.end
                    } else {
                        statement.end - 1
                    });
                    (source.start(statement.start), end, format!("{{ {text} {whole} }}"))
                }
                _ => continue,
            };
            let edit = Edit {
                start: edit.0,
                end: edit.1,
                text: edit.2,
                kind: RepairKind::MissingStatement,
            };
            if candidates.iter().all(|known| known.edit != edit) {
                candidates.push(Candidate::new(source.text, edit, *edge, suspicion));
            }
        }
    }
    candidates
}

/// Is the token between `(` and `)`, as in the head of a `for`?
fn in_brackets(source: &Source<'_>, token: usize) -> bool {
    let mut depth = 0i32;
    for k in (0..token).rev().take(400) {
        match source.word(k) {
            "{" | "}" => return false,
            ")" => depth += 1,
            "(" if depth == 0 => return true,
            "(" => depth -= 1,
            _ => {}
        }
    }
    false
}

/// First values for what the procedures of the failing run declare without one.
pub fn missing_values(source: &Source<'_>, program: &Program, run: &ReplayedRun) -> Vec<Candidate> {
    let mut candidates: Vec<Candidate> = Vec::new();
    for (id, variable) in program.variables.iter().enumerate() {
        let id = VariableId(id as u32);
        if variable.kind != VariableKind::Local || variable.is_array() || !variable.has_name() {
            continue;
        }
        let used = |entry: &&ReplayedEntry| {
            let scope = program.scope(program.edge(entry.edge).scope);
            variable.owner == Some(program.owner(entry.edge)) && scope.variables.contains(&id)
        };
        let Some(edge) = run.entries.iter().find(used).map(|entry| entry.edge) else { continue };
        let from = source.first_at(variable.span.start);
        let declared =
            (from..source.tokens.len().min(from + 40)).find(|k| source.word(*k) == variable.name);
        let Some(token) = declared.filter(|k| !source.is_left_out(*k)) else { continue };
        if !matches!(source.word(token + 1), ";" | ",") || source.word(token - 1) == "*" {
            continue;
        }
        let values: &[&str] =
            if variable.scalar.boolean { &["false", "true"] } else { &["0", "1"] };
        for value in values {
            let text = format!("{} = {value}", variable.name);
            let (start, end) = (source.start(token), source.end(token));
            let edit = Edit { start, end, text, kind: RepairKind::Constant };
            candidates.push(Candidate::new(source.text, edit, edge, 0));
        }
    }
    candidates
}

/// Initialisations at the beginning of each block that a condition of the sequences opens.
pub fn initialisations(
    source: &Source<'_>,
    program: &Program,
    asked: &[Initialisation],
) -> Vec<Candidate> {
    let mut candidates: Vec<Candidate> = Vec::new();
    for initialisation in asked {
        let variable = program.variable(initialisation.variable);
        if variable.is_array()
            || !matches!(
                variable.kind,
                VariableKind::Global | VariableKind::Local | VariableKind::Parameter
            )
        {
            continue;
        }
        for (place, edge) in (0u32..).zip(&initialisation.statements) {
            let statement = program.edge(*edge);
            let visible = variable.owner.is_none_or(|owner| owner == program.owner(*edge));
            if !visible
                || statement.kind != StatementKind::Condition
                || !matches!(statement.operation, Operation::Assume(_))
            {
                continue;
            }
            let tokens = source.statement(program, *edge);
            let opens =
                !tokens.is_empty() && statement.outcome == "true" && source.word(tokens.end) == "{";
            if !opens || source.is_left_out(tokens.start) {
                continue;
            }
            let at = source.end(tokens.end);
            for value in &initialisation.values {
                let text = format!(" {} = {};", variable.name, variable.scalar.show(*value));
                let edit = Edit { start: at, end: at, text, kind: RepairKind::Initialisation };
                if candidates.iter().all(|known| known.edit != edit) {
                    candidates.push(Candidate::new(source.text, edit, *edge, place));
                }
            }
        }
    }
    candidates
}
