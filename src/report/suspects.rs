//! Suspicious statements as plain data: each with its best small change in the program's words, and
//! the effect of this change on the known runs. The front end reads each offered text again, in the
//! program; a change whose text it does not read is not offered.

use crate::analysis::repair::source::Source;
use crate::analysis::suspects::sites::{Mutant, Site};
use crate::analysis::suspects::{Best, Suspect};
use crate::draw::words::{counted, grouped};
use crate::lang::model::{
    EdgeId, Expression, Operation, Origin, Place, Program, Span, StatementKind, VariableId,
    VariableKind,
};
use crate::report::expression_words::{Words, written};
use crate::session::{Job, SuspectsSession};
use crate::util::names::continues_name;
use crate::wire::options::Dialect;
use crate::wire::suspects::{ChangeReport, SuspectReport, SuspectsReport};
use std::iter::{empty, once};

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
        Some(best) => match change(session, suspect.edge, best, known) {
            Some((change, sentence)) => (Some(change), sentence),
            None => (None, UNWRITTEN.to_string()),
        },
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

/// The text for a statement whose change is no text of the language.
const UNWRITTEN: &str =
    "The failure depends on it; a change of a value in it mends a failing run, but no text says it";

/// The change, and a sentence about its effect on so many known failing and passing runs. `None` if
/// the front end does not read the text of the change.
fn change(
    session: &SuspectsSession,
    edge: EdgeId,
    best: &Best,
    known: (u32, u32),
) -> Option<(ChangeReport, String)> {
    let (program, source) = (session.program(), session.source());
    let (old, new, with) = match counted_as(program, source, &best.mutant) {
        Some((part, truth)) => {
            let with = format!("If `{part}` always counted as {truth}");
            (part, truth.to_string(), with)
        }
        None => {
            let (old, new) = offer(session, edge, &best.mutant)?;
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
    Some((report, sentence))
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

/// The changed part and its replacement, as the statement writes them: the first wording that the
/// front end reads. `None` if it reads none.
fn offer(session: &SuspectsSession, edge: EdgeId, mutant: &Mutant) -> Option<(String, String)> {
    let (program, source) = (session.program(), session.source());
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
    let has_body = |name: &str| program.procedures.iter().any(|one| one.name == name);
    let picked = picked(&text, has_body);
    let dotted = program.memory.dotted;
    let words = Words { name: &name, turned: &turned, picked: &picked, plain_truth: true, dotted };
    let write = |e: &Expression| written(&words, e);
    let reads = |(old, new): &(String, String)| old != new && session.is_read(edge, old, new);
    let part = Some((write(&mutant.old), write(&mutant.new))).filter(reads);
    part.or_else(|| constants(session, edge, mutant, &write(&mutant.new)).find(reads))
        .or_else(|| whole(session, edge, mutant, &write).filter(reads))
}

/// A constant as the statement writes it, `SIZE` for 8, and another one instead.
fn constants<'a>(
    session: &'a SuspectsSession,
    edge: EdgeId,
    mutant: &Mutant,
    new: &'a str,
) -> Box<dyn Iterator<Item = (String, String)> + 'a> {
    let Expression::Constant(bits, scalar) = mutant.old else { return Box::new(empty()) };
    let (program, truth) = (session.program(), if bits & 1 == 1 { ["T", "F"] } else { ["F", "T"] });
    match session.dialect() {
        Dialect::Cimple | Dialect::C => {
            let source = Source::new(session.source(), program, &[]);
            let stands_for = |token: &usize| {
                let named = program.constants.get(source.word(*token));
                source.number(*token) == Some(scalar.number(bits))
                    || named.is_some_and(|(own, of)| of.number(*own) == scalar.number(bits))
            };
            let tokens = source.statement(program, edge).filter(stands_for);
            let words: Vec<String> = tokens.map(|token| source.word(token).to_string()).collect();
            Box::new(words.into_iter().map(|old| (old, new.to_string())))
        }
        Dialect::BooleanProgram if scalar.boolean => {
            Box::new(once((truth[0].to_string(), truth[1].to_string())))
        }
        _ => Box::new(empty()),
    }
}

/// The whole condition, the whole right side, or the whole statement: `i = i + 2` for `i++`.
fn whole(
    session: &SuspectsSession,
    edge: EdgeId,
    mutant: &Mutant,
    write: &dyn Fn(&Expression) -> String,
) -> Option<(String, String)> {
    let program = session.program();
    if !matches!(session.dialect(), Dialect::Cimple | Dialect::C) {
        return None;
    }
    let source = Source::new(session.source(), program, &[]);
    let statement = source.statement(program, edge);
    match mutant.site {
        Site::Condition(..) => {
            let condition = source.condition(&statement)?;
            Some((source.words(&condition).to_string(), write(&mutant.whole)))
        }
        Site::RightSide(of, k) => {
            let Operation::Assign(pairs) = &program.edge(of).operation else { return None };
            let (place, _) = pairs.get(k).filter(|_| pairs.len() == 1)?;
            let before = |token: usize| source.word(token.saturating_sub(1));
            if let Some(right) = source.right_side(&statement).filter(|r| before(r.start) == "=") {
                return Some((source.words(&right).to_string(), write(&mutant.whole)));
            }
            let mut end = statement.end;
            while end > statement.start && source.word(end - 1) == ";" {
                end -= 1;
            }
            let own = Words {
                name: &|id| program.variable(id).name.clone(),
                turned: &|_, _| None,
                picked: "*",
                plain_truth: true,
                dotted: program.memory.dotted,
            };
            let place = match place {
                Place::Variable(id) => (own.name)(*id),
                Place::Element(id, index) => format!("{}[{}]", (own.name)(*id), write(index)),
            };
            let old = source.words(&(statement.start..end)).to_string();
            Some((old, format!("{place} = {}", write(&mutant.whole))))
        }
        Site::Index(..) | Site::Argument(..) => None,
    }
}

/// The text for a value that a run picks, from a statement without blanks: the one function without
/// a body that the statement calls for this, if there is one.
fn picked(text: &str, has_body: impl Fn(&str) -> bool) -> String {
    let mut found: Vec<String> = Vec::new();
    for (end, _) in text.match_indices("()") {
        let start = text[..end]
            .rfind(|c| !continues_name(c))
            .map_or(0, |before| before + text[before..].chars().next().map_or(1, char::len_utf8));
        let name = &text[start..end];
        if !name.is_empty() && !has_body(name) && !found.iter().any(|known| known == name) {
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
    if own.kind != VariableKind::Temporary
        && let Origin::Expression(text) = &own.origin
    {
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
                let dotted = program.memory.dotted;
                let words = Words { name: &inner, turned, picked: "*", plain_truth: true, dotted };
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
        let picked = |text: &str| picked(text, |name| name == "f");
        assert_eq!(picked("x=nondet()+1"), "nondet()");
        assert_eq!(picked("intx=__VERIFIER_nondet_int()+f()"), "__VERIFIER_nondet_int()");
        assert_eq!(picked("if(read_code()==4711)"), "read_code()");
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
