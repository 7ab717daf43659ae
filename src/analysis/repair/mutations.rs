//! Edits inside one statement.
//!
//! Single mutations, as in mutation-based repair (Debroy, Wong 2010): another number, name or
//! operator; a condition or a part of it negated, left out, or joined by one more part that the
//! program has elsewhere; the right side of another assignment to a variable of the same name.

use super::source::{Part, Source};
use super::{Candidate, Edit};
use crate::lang::model::{EdgeId, Operation, Program, StatementKind, VariableId};
use crate::lang::tokens::TokenKind;
use crate::wire::repair::RepairKind;
use std::collections::BTreeSet;
use std::ops::Range;

/// Most edits of one statement.
const MOST: usize = 400;

/// Texts from the rest of the program from which edits are made.
pub struct Pool {
    numbers: BTreeSet<i128>,
    macros: Vec<String>,
    parts: Vec<String>,
    calls: BTreeSet<String>,
    /// Right sides, with the name of the variable that they are assigned to.
    right_sides: Vec<(String, String)>,
}

impl Pool {
    /// Collects the texts of the program outside of trusted procedures.
    pub fn of(source: &Source<'_>, program: &Program) -> Pool {
        let usable = |k: &usize| !source.is_left_out(*k);
        let mut pool = Pool {
            numbers: BTreeSet::from([0, 1]),
            macros: Vec::new(),
            parts: Vec::new(),
            calls: BTreeSet::new(),
            right_sides: Vec::new(),
        };
        for k in (0..source.tokens.len()).filter(usable) {
            pool.numbers.extend(source.number(k));
            if source.tokens[k].kind == TokenKind::Name
                && !source.tokens[k].directive
                && source.word(k + 1) == "("
                && source.word(k + 2) == ")"
            {
                let name = source.word(k);
                // The declaration of a procedure is no call.
                if program.procedures.iter().any(|p| p.name == name && p.result.is_some())
                    && !source.is_out_of_reach(name)
                {
                    pool.calls.insert(format!("{name}()"));
                }
            }
        }
        pool.macros = source.macros.keys().map(|name| name.to_string()).collect();
        for id in program.edge_ids() {
            let edge = program.edge(id);
            let statement = source.statement(program, id);
            if statement.is_empty()
                || source.is_left_out(statement.start)
                || matches!(edge.kind, StatementKind::Assertion | StatementKind::Hidden)
            {
                continue;
            }
            for part in source.parts(&statement) {
                let text = trimmed(source.words(&part.tokens)).to_string();
                if !pool.parts.contains(&text)
                    && !text.contains(['\n', '?'])
                    && pool.parts.len() < 40
                {
                    pool.parts.push(text);
                }
            }
            if let (Some(name), Some(right)) =
                (assigned(source, &statement), source.right_side(&statement))
            {
                let entry = (name.to_string(), source.words(&right).to_string());
                if !pool.right_sides.contains(&entry) && !entry.1.contains('\n') {
                    pool.right_sides.push(entry);
                }
            }
        }
        pool
    }
}

impl Pool {
    /// Its numbers.
    pub fn numbers(&self) -> Vec<i128> {
        self.numbers.iter().copied().collect()
    }
}

/// The name that a plain assignment gives a value.
fn assigned<'s>(source: &Source<'s>, statement: &Range<usize>) -> Option<&'s str> {
    let equals = statement.clone().find(|k| source.word(*k) == "=")?;
    let before = equals.checked_sub(1).filter(|k| statement.contains(k))?;
    (source.tokens[before].kind == TokenKind::Name).then(|| source.word(before))
}

/// The text without brackets around all of it.
fn trimmed(text: &str) -> &str {
    let inner = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    match inner {
        Some(inner) if balanced(inner) => trimmed(inner),
        _ => text,
    }
}

fn balanced(text: &str) -> bool {
    let mut depth = 0i32;
    for character in text.chars() {
        depth += i32::from(character == '(') - i32::from(character == ')');
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

/// May the statement be edited? Checks and assumptions are the specification and are never edited.
pub fn may_be_edited(program: &Program, edge: EdgeId) -> bool {
    let edge = program.edge(edge);
    !matches!(
        edge.kind,
        StatementKind::Assertion
            | StatementKind::Assumption
            | StatementKind::Hidden
            | StatementKind::Jump
            | StatementKind::Skip
    )
}

/// All edits of a statement, which is the `suspicion`-th in the order of suspicion. At most `MOST`.
pub fn mutations(
    source: &Source<'_>,
    program: &Program,
    pool: &Pool,
    edge: EdgeId,
    suspicion: u32,
) -> Vec<Candidate> {
    let statement = source.statement(program, edge);
    if !may_be_edited(program, edge) || statement.is_empty() || source.is_left_out(statement.start)
    {
        return Vec::new();
    }
    let mut edits = Edits { source, found: Vec::new() };
    edits.same_shape(pool, &statement);
    let editable = editable(source, &statement);
    for k in editable.clone() {
        edits.token(program, pool, edge, k);
    }
    for part in source.parts(&statement) {
        edits.part(pool, &part);
    }
    if let Some(right) = source.right_side(&statement)
        && is_truth(source, program, edge, &right)
    {
        edits.one_more(pool, &right);
    }
    edits.found.truncate(MOST);
    let scored = |edit: Edit| Candidate { score: suspicion + edit.kind.handicap(), edit, edge };
    edits.found.into_iter().map(scored).collect()
}

/// Where an index is outside: the declarations of the arrays in the statement, with one more
/// element.
pub fn larger_arrays(source: &Source<'_>, program: &Program, edge: EdgeId) -> Vec<Candidate> {
    let statement = source.statement(program, edge);
    let mut candidates = Vec::new();
    for variable in program.variables.iter().filter(|variable| variable.is_array()) {
        if !statement.clone().any(|k| source.word(k) == variable.name && source.word(k + 1) == "[")
        {
            continue;
        }
        let from = source.first_at(variable.span.start);
        let declared = (from..source.tokens.len().min(from + 40))
            .find(|k| source.word(*k) == variable.name && source.word(k + 1) == "[");
        let Some(size) = declared
            .map(|k| k + 2)
            .filter(|k| source.word(k + 1) == "]" && !source.is_left_out(*k))
        else {
            continue;
        };
        if let Some(number) = source.number(size) {
            let edit = Edit {
                start: source.start(size),
                end: source.end(size),
                text: (number + 1).to_string(),
                kind: RepairKind::Constant,
            };
            candidates.push(Candidate { edit, edge, score: 0 });
        }
    }
    candidates
}

/// The tokens that may change. Of an assignment these are the tokens to the right of the name; of a
/// `for` those of its condition: what it assigns are statements of their own. Of other statements
/// all tokens.
fn editable(source: &Source<'_>, statement: &Range<usize>) -> Range<usize> {
    if source.word(statement.start) == "for" {
        return source.condition(statement).unwrap_or(statement.start..statement.start);
    }
    match statement.clone().find(|k| matches!(source.word(*k), "=" | "+=" | "-=" | "*=")) {
        Some(equals) => match source.word(equals - 1) {
            "]" => statement.start..statement.end,
            _ => equals..statement.end,
        },
        None => statement.clone(),
    }
}

/// Is the right side a truth value? It is one if its outermost operator compares or joins, or if it
/// is assigned to a bool.
fn is_truth(source: &Source<'_>, program: &Program, edge: EdgeId, right: &Range<usize>) -> bool {
    let joined = right
        .clone()
        .any(|k| matches!(source.word(k), "&&" | "||" | "<" | "<=" | ">" | ">=" | "==" | "!="));
    let to_bool = match &program.edge(edge).operation {
        Operation::Assign(pairs) => {
            pairs.iter().any(|(place, _)| program.variable(place.variable()).scalar.boolean)
        }
        Operation::Call { result: Some(result), .. } => program.variable(*result).scalar.boolean,
        _ => false,
    };
    // C has no type of truth values, so the result of a procedure without parameters may be one.
    let calls = source.word(right.start + 1) == "("
        && source.word(right.start + 2) == ")"
        && right.len() == 3;
    (joined || to_bool || calls) && !right.clone().any(|k| source.word(k) == "?")
}

struct Edits<'a, 's> {
    source: &'a Source<'s>,
    found: Vec<Edit>,
}

impl Edits<'_, '_> {
    fn replace(&mut self, tokens: Range<usize>, text: &str, kind: RepairKind) {
        if tokens.is_empty() || text == self.source.words(&tokens) || text.contains('\n') {
            return;
        }
        let edit = Edit {
            start: self.source.start(tokens.start),
            end: self.source.end(tokens.end - 1),
            text: text.to_string(),
            kind,
        };
        if !self.source.words(&tokens).contains('\n') && !self.found.contains(&edit) {
            self.found.push(edit);
        }
    }

    fn same_shape(&mut self, pool: &Pool, statement: &Range<usize>) {
        let (Some(name), Some(right)) =
            (assigned(self.source, statement), self.source.right_side(statement))
        else {
            return;
        };
        for (of, text) in &pool.right_sides {
            if of == name {
                self.replace(right.clone(), text, RepairKind::SameShape);
            }
        }
    }

    fn token(&mut self, program: &Program, pool: &Pool, edge: EdgeId, k: usize) {
        let source = self.source;
        let word = source.word(k);
        for other in other_operators(word) {
            self.replace(k..k + 1, other, RepairKind::Operator);
        }
        match source.tokens[k].kind {
            TokenKind::Name if matches!(word, "true" | "false") => {
                self.replace(
                    k..k + 1,
                    if word == "true" { "false" } else { "true" },
                    RepairKind::Constant,
                );
            }
            TokenKind::Name if source.word(k + 1) == "(" => {
                for call in pool.calls.iter().filter(|_| source.word(k + 2) == ")") {
                    self.replace(k..k + 3, call, RepairKind::Variable);
                }
            }
            TokenKind::Name | TokenKind::Number => self.value(program, pool, edge, k),
            _ => {}
        }
    }

    /// Another number or variable for a number, a macro or a variable.
    fn value(&mut self, program: &Program, pool: &Pool, edge: EdgeId, k: usize) {
        let source = self.source;
        let word = source.word(k);
        let in_scope = program.scope(program.edge(edge).scope).variables.iter().rev();
        let variables: Vec<VariableId> = in_scope.copied().collect();
        let own = variables
            .iter()
            .find(|id| program.variable(**id).name == word)
            .map(|id| program.variable(*id));
        let number = source.number(k);
        if own.is_none() && number.is_none() {
            return;
        }
        if let Some(number) = number {
            self.definition(pool, word, number);
            for name in &pool.macros {
                self.replace(k..k + 1, name, RepairKind::Constant);
            }
            for other in [number + 1, number - 1]
                .into_iter()
                .filter(|n| *n >= 0)
                .chain(pool.numbers.iter().copied())
            {
                if other != number {
                    self.replace(k..k + 1, &other.to_string(), RepairKind::Constant);
                }
            }
        }
        for id in variables.iter().take(60) {
            let variable = program.variable(*id);
            let alike = match own {
                Some(own) => {
                    own.scalar.boolean == variable.scalar.boolean
                        && own.dimensions == variable.dimensions
                }
                None => !variable.is_array() && !variable.scalar.boolean,
            };
            if alike {
                self.replace(k..k + 1, &variable.name, RepairKind::Variable);
            }
        }
        let counts = |at: usize| matches!(source.word(at), "++" | "--");
        let is_counted = counts(k + 1) || k.checked_sub(1).is_some_and(counts);
        if own.is_some_and(|own| !own.is_array()) && !is_counted {
            for number in pool.numbers.iter().take(6) {
                self.replace(k..k + 1, &number.to_string(), RepairKind::Variable);
            }
        }
    }

    /// Replaces the number in the definition of a macro.
    fn definition(&mut self, pool: &Pool, name: &str, number: i128) {
        let source = self.source;
        let is_it = |k: &usize| {
            source.tokens[*k].directive && source.word(*k) == name && source.number(k + 1).is_some()
        };
        let Some(at) = (0..source.tokens.len()).find(is_it) else { return };
        if source.tokens[at + 1].directive {
            for other in [number + 1, number - 1]
                .into_iter()
                .filter(|n| *n >= 0)
                .chain(pool.numbers.iter().copied())
            {
                if other != number {
                    self.replace(at + 1..at + 2, &other.to_string(), RepairKind::Constant);
                }
            }
        }
    }

    fn part(&mut self, pool: &Pool, part: &Part) {
        let source = self.source;
        let text = source.words(&part.tokens);
        // An edit must not replace a choice of the run.
        if text == "*" || text.contains("nondet") {
            return;
        }
        match text.strip_prefix('!') {
            Some(rest)
                if part.tokens.len() == 2
                    || rest.starts_with('(')
                        && source.closing(part.tokens.start + 1) == Some(part.tokens.end - 1) =>
            {
                self.replace(part.tokens.clone(), rest, RepairKind::Negation);
            }
            _ if part.tokens.len() == 1 => {
                self.replace(part.tokens.clone(), &format!("!{text}"), RepairKind::Negation)
            }
            _ => self.replace(part.tokens.clone(), &format!("!({text})"), RepairKind::Negation),
        }
        // Removes the part and the operator next to it. The neighbour on the other side of the
        // operator stays as it is.
        if let Some(operator) = part.after {
            let next = source.words(&(operator + 1..operator + 2)).to_string();
            self.replace(part.tokens.start..operator + 2, &next, RepairKind::DroppedPart);
        } else if let Some(operator) = part.before {
            let last = source.words(&(operator - 1..operator)).to_string();
            self.replace(operator - 1..part.tokens.end, &last, RepairKind::DroppedPart);
        }
        self.one_more(pool, &part.tokens);
    }

    /// `E` becomes `(E && P)` or `(E || P)`.
    fn one_more(&mut self, pool: &Pool, tokens: &Range<usize>) {
        let text = self.source.words(tokens);
        for other in &pool.parts {
            if other != text {
                for operator in ["&&", "||"] {
                    self.replace(
                        tokens.clone(),
                        &format!("(({text}) {operator} ({other}))"),
                        RepairKind::AddedPart,
                    );
                }
            }
        }
    }
}

/// The operators that may replace an operator.
fn other_operators(operator: &str) -> &'static [&'static str] {
    match operator {
        "<" => &["<=", ">", ">=", "!=", "=="],
        "<=" => &["<", ">=", ">", "==", "!="],
        ">" => &[">=", "<", "<=", "!=", "=="],
        ">=" => &[">", "<=", "<", "==", "!="],
        "==" => &["!=", "<=", ">="],
        "!=" => &["==", "<", ">"],
        "&&" => &["||"],
        "||" => &["&&"],
        "+" => &["-"],
        "-" => &["+"],
        "*" => &["+"],
        "++" => &["--"],
        "--" => &["++"],
        "+=" => &["-="],
        "-=" => &["+="],
        _ => &[],
    }
}
