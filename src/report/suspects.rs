//! Suspicious statements as plain data: each with its best small change in the program's words, and
//! the effect of this change on the known runs.

use crate::analysis::suspects::sites::{Mutant, Site};
use crate::analysis::suspects::{Best, Suspect};
use crate::draw::words::{counted, grouped};
use crate::lang::model::{
    EdgeId, Expression, Operation, Origin, Program, Span, StatementKind, VariableId, VariableKind,
};
use crate::report::expression_words::{Words, written};
use crate::session::{Job, SuspectsSession};
use crate::util::names::continues_name;
use crate::wire::suspects::{ChangeReport, SuspectReport, SuspectsReport};

/// The report of a search that is over.
pub fn suspects_report(session: &SuspectsSession) -> SuspectsReport {
    let found = session.found();
    let effort = found.effort();
    let known = (found.failing().len() as u32, found.passing().len() as u32);
    SuspectsReport {
        suspects: found.suspects().iter().map(|suspect| report(session, suspect, known)).collect(),
        known_failing: known.0,
        known_passing: known.1,
        changes_tried: effort.mutants,
        runs_executed: effort.executions,
        notes: notes(session),
        limit: session.limit(),
    }
}

fn notes(session: &SuspectsSession) -> Vec<String> {
    let found = session.found();
    let mut notes = vec!["The order comes from executed runs alone: nothing is proved".to_string()];
    if found.inputs() == Some(0) {
        notes.push(
            "The failing run takes no value from outside, so it is the only run that is known"
                .to_string(),
        );
    } else if found.inputs().is_some() && found.passing().is_empty() {
        notes.push("No passing run is known, so nothing tells what a change breaks".to_string());
    }
    let (statements, looked_at) = found.statements();
    if session.limit().is_some() {
        notes.push(format!(
            "{} of {} were looked at",
            grouped(looked_at as u64),
            counted(statements as u64, "statement")
        ));
    } else if found.suspects().iter().all(|suspect| suspect.best.is_none()) {
        notes.push("None of the small changes of a single statement mends a failing run that it was tried on".to_string());
    }
    if found.left_out() > 0 {
        let left_out = counted(found.left_out() as u64, "statement");
        notes.push(format!(
            "Changes were tried of the last {} of the run; {left_out} before them were left out",
            grouped(statements as u64)
        ));
    }
    notes
}

fn report(session: &SuspectsSession, suspect: &Suspect, known: (u32, u32)) -> SuspectReport {
    let program = session.program();
    let edge = program.edge(suspect.edge);
    let (change, sentence) = match &suspect.best {
        None => (None, without_change(session.found().was_tried(suspect.edge)).to_string()),
        Some(best) => {
            let (change, sentence) = change(session, suspect.edge, best, known);
            (Some(change), sentence)
        }
    };
    SuspectReport {
        line: edge.span.line,
        procedure: program.procedure(program.owner(suspect.edge)).name.clone(),
        statement: edge.text.clone(),
        edge: suspect.edge.0,
        sentence,
        change,
    }
}

/// The text for a statement without a change that mends a known failing run. A change is tried on a
/// few of these runs, and on all only if it mends one of the few.
fn without_change(was_tried: bool) -> &'static str {
    match was_tried {
        true => {
            "The failure depends on it; none of the small changes of it mends a failing run that it was tried on"
        }
        false => "The failure depends on it; no changes of it were tried",
    }
}

/// The change, and a sentence about its effect on so many known failing and passing runs.
fn change(
    session: &SuspectsSession,
    edge: EdgeId,
    best: &Best,
    known: (u32, u32),
) -> (ChangeReport, String) {
    let (program, source) = (session.program(), session.source());
    let (old, new, with) = match counted_as(program, source, &best.mutant) {
        Some((part, truth)) => {
            let with = format!("If `{part}` always counted as {truth}");
            (part, truth.to_string(), with)
        }
        None => {
            let (old, new) = in_words(program, source, edge, &best.mutant);
            let with = format!("With `{new}` instead of `{old}`");
            (old, new, with)
        }
    };
    let report = ChangeReport {
        kind: best.mutant.change,
        old,
        new,
        mended: best.mended as u32,
        kept: best.kept as u32,
    };
    let sentence = format!("{with}, {}", effect(&report, known));
    (report, sentence)
}

/// The operands of `a && f()` are evaluated one by one, and the front end stores the result, once
/// for each way through it. Such an assignment does not occur in the source. So for a change of it
/// the part counts as one constant truth value.
fn counted_as(program: &Program, source: &str, mutant: &Mutant) -> Option<(String, bool)> {
    let Site::RightSide(edge, k) = mutant.site else { return None };
    let own = program.edge(edge);
    let (Operation::Assign(pairs), Expression::Constant(bits, scalar)) =
        (&own.operation, &mutant.whole)
    else {
        return None;
    };
    let notes = pairs.get(k).is_some_and(|(place, old)| {
        program.variable(place.variable()).kind == VariableKind::Temporary
            && matches!(old, Expression::Constant(..))
    });
    let part = part(source, own.span)
        .filter(|_| own.kind == StatementKind::Hidden && notes && scalar.boolean)?;
    // If the part itself is a truth value, the truth value changes.
    (!["true", "false", "0", "1"].contains(&part.as_str())).then_some((part, bits & 1 == 1))
}

/// The most characters of a part of the source in a sentence.
const LONGEST_PART: usize = 80;

/// A part of the source on one line, shortened if it is long. Returns `None` if it is empty.
fn part(source: &str, span: Span) -> Option<String> {
    let text = source.get(span.start as usize..span.end as usize)?;
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    // Backquotes mark parts in a sentence, so a part must have none.
    if words.is_empty() || words.contains('`') {
        return None;
    }
    match words.char_indices().nth(LONGEST_PART) {
        None => Some(words),
        Some((end, _)) => Some(format!("{}…", words[..end].trim_end())),
    }
}

/// The effect of a change on so many known failing and passing runs.
fn effect(change: &ChangeReport, (failing, passing): (u32, u32)) -> String {
    let ChangeReport { mended, kept, .. } = change;
    let mends = match (failing, *mended) {
        (1, 1) => "the failing run passes".to_string(),
        (of, 1) => format!("1 of {of} known failing runs passes"),
        (of, mended) => format!("{mended} of {of} known failing runs pass"),
    };
    let keeps = match (passing, *kept) {
        (0, _) => String::new(),
        (1, 1) => ", and the known passing run still does".to_string(),
        (1, _) => ", but the known passing run does no longer".to_string(),
        (of, 1) => format!(", and 1 of {of} known passing runs still does"),
        (of, 0) => format!(", but none of {of} known passing runs does any longer"),
        (of, kept) => format!(", and {kept} of {of} known passing runs still do"),
    };
    format!("{mends}{keeps}")
}

/// The changed part and its replacement, as the statement would write them.
fn in_words(program: &Program, source: &str, edge: EdgeId, mutant: &Mutant) -> (String, String) {
    let span = program.edge(edge).span;
    let squeezed = |text: &str| text.split_whitespace().collect::<String>();
    // The text without blanks.
    let text = squeezed(source.get(span.start as usize..span.end as usize).unwrap_or_default());
    let turned = |left: &str, right: &str| {
        let forward = text.contains(&format!("{}<", squeezed(left)));
        let backward = text.contains(&format!("{}>", squeezed(right)));
        (forward != backward).then_some(backward)
    };
    let name = |variable: VariableId| called(program, source, variable, &turned, NESTED);
    let picked = picked(&text);
    let words = Words { name: &name, turned: &turned, picked: &picked, plain_truth: true };
    let write = |e: &Expression| written(&words, e);
    (write(&mutant.old), write(&mutant.new))
}

/// The text for a value that a run picks, from a statement without blanks: the one function that
/// the statement calls for this, if there is one.
fn picked(text: &str) -> String {
    let mut found: Vec<String> = Vec::new();
    for (end, _) in text.match_indices("()") {
        let start = text[..end]
            .rfind(|c| !continues_name(c))
            .map_or(0, |before| before + text[before..].chars().next().map_or(1, char::len_utf8));
        let name = &text[start..end];
        if name.contains("nondet") && !found.iter().any(|known| known == name) {
            found.push(name.to_string());
        }
    }
    match &found[..] {
        [only] => format!("{only}()"),
        _ => "*".to_string(),
    }
}

/// The most nested temporaries that are written out.
const NESTED: u32 = 6;

/// A variable's name. A value that the front end made for a call or a condition, or keeps during a
/// call, is written as the expression that it stands for.
pub(in crate::report) fn called(
    program: &Program,
    source: &str,
    variable: VariableId,
    turned: &dyn Fn(&str, &str) -> Option<bool>,
    nested: u32,
) -> String {
    let own = program.variable(variable);
    if let Origin::Expression(text) = &own.origin {
        return text.clone();
    }
    if own.kind != VariableKind::Temporary {
        return own.name.clone();
    }
    let mut found: Vec<String> = Vec::new();
    for edge in program.edges.iter().filter(|_| nested > 0) {
        match &edge.operation {
            Operation::Call { result: Some(result), .. } if *result == variable => {
                found.push(edge.text.clone())
            }
            Operation::Assign(pairs) => {
                let inner = |other: VariableId| called(program, source, other, turned, nested - 1);
                let words = Words { name: &inner, turned, picked: "*", plain_truth: true };
                let assigned = pairs.iter().filter(|(place, _)| place.variable() == variable);
                found.extend(assigned.map(|(_, e)| {
                    if matches!(e, Expression::Variable(..) | Expression::Element(..)) {
                        written(&words, e)
                    } else {
                        format!("({})", written(&words, e))
                    }
                }));
            }
            _ => {}
        }
    }
    // If there are several, they are the ways through a condition of the source.
    match &found[..] {
        [one] => one.clone(),
        _ => part(source, own.span).map_or_else(|| "(…)".to_string(), |part| format!("({part})")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_run_picks_is_written_as_the_statement_does() {
        assert_eq!(picked("x=nondet()+1"), "nondet()");
        assert_eq!(picked("intx=__VERIFIER_nondet_int()+f()"), "__VERIFIER_nondet_int()");
        assert_eq!(picked("x=nondet_int()+nondet_char()"), "*");
        assert_eq!(picked("x=*+f()"), "*");
        assert_eq!(picked(""), "*");
    }

    #[test]
    fn parts_are_one_line_and_short() {
        let whole = |text: &str| part(text, Span { start: 0, end: text.len() as u32, line: 1 });
        assert_eq!(whole("a()\n    && b()").as_deref(), Some("a() && b()"));
        assert_eq!(whole(" \n "), None);
        assert_eq!(whole("a `quoted` part"), None);
        let long = whole(&"ab ".repeat(60)).expect("a part");
        assert!(long.ends_with("a…") || long.ends_with("b…"), "{long}");
        assert_eq!(long.chars().count(), 81);
        assert_eq!(part("x", Span { start: 0, end: 9, line: 1 }), None, "not of this text");
    }
}
