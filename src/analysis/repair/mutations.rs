//! Edits inside one statement.
//!
//! Single mutations, as in mutation-based repair (Debroy, Wong 2010): another number, name or
//! operator; a condition or a part of it negated, left out, or joined by one more part that the
//! program has elsewhere; the right side of another assignment to a variable of the same name.

use super::property::Property;
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
    pub(super) property: Property,
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
            property: Property::with_flags(program),
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
    /// May the statement be edited? What says what is wanted never is.
    pub fn may_be_edited(&self, program: &Program, edge: EdgeId) -> bool {
        may_be_edited(program, &self.property, edge)
    }

    /// Its numbers.
    pub fn numbers(&self) -> Vec<i128> {
        self.numbers.iter().copied().collect()
    }
}

/// May the statement be edited?
pub fn may_be_edited(program: &Program, property: &Property, edge: EdgeId) -> bool {
    let kind = program.edge(edge).kind;
    !property.contains(edge)
        && !matches!(kind, StatementKind::Hidden | StatementKind::Jump | StatementKind::Skip)
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

/// All edits of a statement, which is the `suspicion`-th in the order of suspicion. At most `MOST`.
pub fn mutations(
    source: &Source<'_>,
    program: &Program,
    pool: &Pool,
    edge: EdgeId,
    suspicion: u32,
) -> Vec<Candidate> {
    let statement = source.statement(program, edge);
    if !pool.may_be_edited(program, edge)
        || statement.is_empty()
        || source.is_left_out(statement.start)
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
    edits.slips(&statement);
    edits.found.truncate(MOST);
    let candidate = |edit: Edit| Candidate::new(source.text, edit, edge, suspicion);
    let mut candidates: Vec<Candidate> = edits.found.into_iter().map(candidate).collect();
    let mut targets = Edits { source, found: Vec::new() };
    targets.target(program, pool, edge, &statement);
    let target = |edit: Edit| Candidate { moves: true, ..candidate(edit) };
    candidates.extend(targets.found.into_iter().map(target));
    candidates
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
            candidates.push(Candidate::new(source.text, edit, edge, 0));
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

    /// Another variable that is assigned.
    fn target(&mut self, program: &Program, pool: &Pool, edge: EdgeId, statement: &Range<usize>) {
        let source = self.source;
        let Some(equals) = statement.clone().find(|k| source.word(*k) == "=") else { return };
        // A declaration gives its own name a value.
        if equals == statement.start + 1 && source.word(statement.start) != "for" {
            self.value(program, pool, edge, statement.start);
            self.found.retain(|edit| !edit.text.starts_with(|c: char| c.is_ascii_digit()));
        }
    }

    /// Slips: one more or one less, arguments in the other order, the first element for a number, a
    /// division before a product.
    fn slips(&mut self, statement: &Range<usize>) {
        let source = self.source;
        let within = editable(source, statement);
        let is_operand = |k: usize| {
            source.tokens[k].kind == TokenKind::Name
                && !source.tokens[k].directive
                && !matches!(source.word(k), "true" | "false" | "return" | "if" | "while" | "else")
        };
        for k in within.clone().filter(|k| is_operand(*k)) {
            let next = source.word(k + 1);
            let last = match next {
                "(" | "." | "->" => continue,
                "[" => source.closing(k + 1).filter(|close| *close < within.end),
                _ => Some(k),
            };
            let Some(last) = last else { continue };
            let ends = matches!(
                source.word(last + 1),
                ")" | "]" | ";" | "," | "<" | "<=" | ">" | ">=" | "==" | "!=" | "&&" | "||" | "?"
            );
            let before = k.checked_sub(1).map_or("", |k| source.word(k));
            let starts = matches!(
                before,
                "(" | "["
                    | "="
                    | ","
                    | "<"
                    | "<="
                    | ">"
                    | ">="
                    | "=="
                    | "!="
                    | "&&"
                    | "||"
                    | "return"
                    | ";"
                    | "+="
            ) || is_last_of_sum(source, &within, k);
            if starts && (ends || last + 1 == within.end) {
                let text = source.words(&(k..last + 1));
                for other in [format!("{text} + 1"), format!("{text} - 1")] {
                    self.replace(k..last + 1, &other, RepairKind::Constant);
                }
            }
        }
        for open in statement.clone().filter(|k| source.word(*k) == "(") {
            let named = open.checked_sub(1).is_some_and(&is_operand);
            if let (true, Some(close)) = (named, source.closing(open)) {
                self.swaps(open + 1..close);
            }
        }
        // `a / b * c` is `a * c / b`, but for what the division drops.
        for k in within.clone().filter(|k| source.word(*k) == "/") {
            let is_short = k > within.start && k + 3 < within.end && source.word(k + 2) == "*";
            if is_short && [k - 1, k + 1, k + 3].into_iter().all(|k| source.word(k) != ")") {
                let [a, b, c] = [k - 1, k + 1, k + 3].map(|k| source.word(k));
                self.replace(k - 1..k + 4, &format!("{a} * {c} / {b}"), RepairKind::SameShape);
            }
        }
    }

    /// Two arguments in the other order.
    fn swaps(&mut self, arguments: Range<usize>) {
        let source = self.source;
        let mut cuts = vec![arguments.start];
        let mut k = arguments.start;
        while k < arguments.end {
            match source.word(k) {
                "(" | "[" => k = source.closing(k).unwrap_or(arguments.end),
                "," => cuts.push(k + 1),
                _ => {}
            }
            k += 1;
        }
        cuts.push(arguments.end + 1);
        let list: Vec<Range<usize>> = cuts.windows(2).map(|cut| cut[0]..cut[1] - 1).collect();
        for i in 0..list.len().min(6) {
            for j in i + 1..list.len().min(6) {
                let between = source.words(&(list[i].end..list[j].start));
                let [a, b] = [&list[i], &list[j]].map(|part| source.words(part));
                let text = format!("{b}{between} {a}");
                self.replace(list[i].start..list[j].end, &text, RepairKind::Swap);
            }
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
        let in_condition = |k: usize| {
            let start = source.statement(program, edge).start;
            let word = |before: usize| start.checked_sub(before).map_or("", |k| source.word(k));
            // The assignment in `if (x = 5)` is a statement of its own.
            matches!(source.word(start), "if" | "while" | "for") && k > start
                || word(1) == "(" && matches!(word(2), "if" | "while")
        };
        for other in other_operators(word).iter().filter(|_| word != "=" || in_condition(k)) {
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
            self.elements(program, pool, edge, k);
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
            if alike && !source.would_assign_itself(k, &variable.name) {
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

    /// Where a variable gets a number and elsewhere `a[i]`: the first element.
    fn elements(&mut self, program: &Program, pool: &Pool, edge: EdgeId, k: usize) {
        let source = self.source;
        let is_whole = k >= 2
            && source.word(k - 1) == "="
            && matches!(source.word(k + 1), ";" | ",")
            && program.edge(edge).is_statement();
        let of = source.word(k.saturating_sub(2));
        for (_, right) in pool.right_sides.iter().filter(|(name, _)| is_whole && name == of) {
            let Some((array, rest)) = right.split_once('[') else { continue };
            if rest.ends_with(']') && !rest.contains(['[', ' ', '(']) {
                self.replace(k..k + 1, &format!("{array}[0]"), RepairKind::Constant);
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
        // `true && P` is P: the condition itself is replaced. A choice of the run stays one.
        if matches!(text, "true" | "false" | "*") || text.contains("nondet") {
            return;
        }
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

/// Does a sum, difference or product end with the operand at this token? Then one more or one less
/// behind it is one more or one less of the whole: `n - i` becomes `n - i - 1`.
fn is_last_of_sum(source: &Source<'_>, within: &Range<usize>, operand: usize) -> bool {
    let is_arithmetic = |k: &usize| matches!(source.word(*k), "+" | "-" | "*");
    let Some(operator) = operand.checked_sub(1).filter(is_arithmetic) else { return false };
    // A sign and a dereference have no operand before them.
    let Some(before) = operator.checked_sub(1).filter(|k| within.contains(k)) else { return false };
    matches!(source.word(before), ")" | "]")
        || matches!(source.tokens[before].kind, TokenKind::Name | TokenKind::Number)
            && source.word(before) != "return"
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
        "=" => &["=="],
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
