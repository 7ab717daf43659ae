//! Focus-statement sequences: the figures of the paper (*Error Explanation by Focus-Statement
//! Sequences*). What must come out is stated here from the paper and its errata, never from our own
//! output.

use crate::support::figure_9::{FIVE, printed, program_of_ours, projects_to};
use crate::support::load::{golden, program as program_of, program_with, session};
use crate::support::meaning::same;
use faultline::analysis::focus::{Assumption, FocusAnalysis, FocusSequence, Question};
use faultline::bdd::KernelLimits;
use faultline::lang::model::{EdgeId, ProcedureId, Program, VariableId};
use faultline::report::focus::{sequence_report, variable_names};
use faultline::session::Budgets;
use faultline::util::{Alarm, Limit};
use faultline::wire::explain::ExplainAsk;
use faultline::wire::focus::SequenceReport;
use faultline::wire::options::{Dialect, RequestedOptions};
use std::rc::Rc;

fn explain(
    figure: &str,
    error_line: Option<u32>,
    uninterpreted: &[&str],
) -> (Rc<Program>, FocusAnalysis) {
    let source = golden(&format!("focus/{figure}"));
    let program = program_of(&source);
    let of = |name: &&str| {
        (0..program.variables.len() as u32)
            .map(VariableId)
            .find(|id| program.variable(*id).name == *name)
    };
    let uninterpreted = uninterpreted.iter().map(|name| of(name).expect("a variable")).collect();
    let question = Question { error_line, uninterpreted, most: 50 };
    let mut analysis =
        FocusAnalysis::new(Rc::clone(&program), question, KernelLimits::NONE).expect("no limit");
    while !analysis.step().expect("no limit") {}
    assert!(analysis.is_complete(), "{figure}: the search ends by itself");
    (program, analysis)
}

fn nest(program: &Program, sequence: &FocusSequence) -> Vec<u32> {
    let shown = sequence.nest.iter().filter(|k| sequence.shown[**k]);
    let mut lines: Vec<u32> = shown.map(|k| program.edge(sequence.entries[*k]).span.line).collect();
    lines.dedup();
    lines
}

fn expect(figure: &str, error_line: Option<u32>, expected: &[(&[u32], &str, &[u32])]) {
    let (program, mut analysis) = explain(figure, error_line, &[]);
    let sequences = analysis.sequences().to_vec();
    for (lines, formula, near) in expected {
        let found =
            sequences.iter().filter(|sequence| sequence.lines == *lines).collect::<Vec<_>>();
        let right = found
            .iter()
            .find(|sequence| same(&program, &mut analysis, &sequence.assumptions, formula));
        let right = right.unwrap_or_else(|| {
            panic!("{figure}: {lines:?} with {formula} among {:?}", lines_of(&sequences))
        });
        assert!(right.is_feasible());
        assert_eq!(nest(&program, right), *near, "{figure}: NEST of {lines:?} with {formula}");
    }
}

fn lines_of(sequences: &[FocusSequence]) -> Vec<&[u32]> {
    sequences.iter().map(|sequence| &sequence.lines[..]).collect()
}

/// Figure 1 (b): ranks 1 and 2, of 7 and 14 statements. The paper misses the third: gotlock == 0,
/// so that its repair (gotlock = 0 after line 5) does not hold. The fourth fails in the other
/// procedure under the same assumption, so that its lines contain no earlier one's.
#[test]
fn figure_1() {
    let first: &[u32] = &[4, 5, 6, 11, 12, 18, 20];
    let second: &[u32] = &[4, 5, 6, 7, 8, 14, 15, 9, 11, 6, 7, 8, 14, 16];
    let third: &[u32] = &[4, 5, 6, 7, 8, 14, 15, 9, 11, 12, 18, 19, 6, 11, 12, 18, 20];
    expect(
        "fig-1.cimple",
        None,
        &[
            (first, "gotlock = 1", first),
            (second, "gotlock ≠ 0", second),
            (third, "gotlock = 0", third),
        ],
    );
    let (_, analysis) = explain("fig-1.cimple", None, &[]);
    let ranked: Vec<(u32, u32)> = analysis
        .sequences()
        .iter()
        .take(2)
        .map(|sequence| (sequence.rank, sequence.length))
        .collect();
    assert_eq!(ranked, [(1, 7), (2, 14)]);
    assert_eq!(lines_of(analysis.sequences())[..2], [first, second]);
}

/// Figure 2 (b): three sequences; x > y remains, and line 6 is named.
#[test]
fn figure_2() {
    let (one, two): (&[u32], &[u32]) = (&[3, 6, 7, 8, 9], &[3, 6, 7, 8, 9]);
    expect(
        "fig-2.cimple",
        None,
        &[
            (one, "x > y ∧ x ≤ z", &[6]),
            (two, "x > y ∧ x > z ∧ z > y", &[6]),
            (two, "x > y ∧ x > z ∧ z ≤ y", &[6]),
        ],
    );
    let (program, mut analysis) = explain("fig-2.cimple", None, &[]);
    let sequences = analysis.sequences().to_vec();
    assert_eq!(sequences.len(), 3);
    assert_eq!(
        sequences.iter().filter(|sequence| sequence.same_as.is_some()).count(),
        1,
        "one of them is dropped by Reduce"
    );
    for sequence in sequences {
        let left: Vec<Assumption> =
            sequence.assumptions.iter().filter(|assumption| !assumption.deleted).cloned().collect();
        assert!(same(&program, &mut analysis, &left, "x > y"));
    }
}

/// Figure 4 (b): the error in rellock is feasible. The one in getlock is not, and an exact search
/// never comes across it: only with `new` and `old` left uninterpreted.
#[test]
fn figure_4() {
    let lines: &[u32] = &[16, 18, 26, 38, 40];
    expect("fig-4.cimple", Some(40), &[(lines, "new = old", lines)]);
    let (_, exact) = explain("fig-4.cimple", Some(33), &[]);
    assert!(exact.sequences().is_empty());
    let (_, analysis) = explain("fig-4.cimple", Some(33), &["new", "old"]);
    let found = analysis.sequences().first().expect("a sequence");
    assert_eq!(found.lines, [16, 18, 19, 31, 32, 34, 20, 18, 19, 31, 33]);
    assert!(analysis.sequences().iter().all(|sequence| !sequence.is_feasible()));
}

const FIRST: &str = "a1 > a2 ∧ a3 > a4 ∧ a1 > a3 ∧ a3 > a5 ∧ a4 > a5 ∧ a2 > a4 ∧ a2 < a3";
const SECOND: &str =
    "a1 > a2 ∧ a3 > a4 ∧ a1 > a3 ∧ a3 > a5 ∧ a4 > a5 ∧ a2 > a4 ∧ a2 ≥ a3 ∧ a2 > a3";
const THIRD: &str = "a1 > a2 ∧ a3 > a4 ∧ a1 > a3 ∧ a3 ≤ a5 ∧ a2 > a3 ∧ a5 > a2 ∧ a5 ≤ a1 ∧ a5 < a1";

/// Figure 7: the sets that the listing gives (the paper's contradict it, as line 15 runs iff a2 <
/// a3), with the printed NESTs.
#[test]
fn figure_7() {
    let (one, two): (&[u32], &[u32]) =
        (&[6, 9, 10, 11, 12, 13, 14, 15, 62, 63], &[6, 9, 10, 11, 12, 13, 14, 17, 62, 63]);
    expect("fig-7.cimple", None, &[(one, FIRST, &[13, 14, 15]), (two, SECOND, &[13, 14, 17])]);
    let (_, analysis) = explain("fig-7.cimple", None, &[]);
    assert_eq!(lines_of(analysis.sequences()), [one, two]);
    assert_eq!(
        analysis.sequences().iter().map(|sequence| sequence.assumptions.len()).collect::<Vec<_>>(),
        [7, 8]
    );
}

/// The second error, at line 48: a third sequence, whose NEST is all of it; the other two keep
/// theirs.
#[test]
fn figure_7_with_both_errors() {
    let (one, two): (&[u32], &[u32]) =
        (&[6, 9, 10, 11, 12, 13, 14, 15, 62, 63], &[6, 9, 10, 11, 12, 13, 14, 17, 62, 63]);
    let three: &[u32] = &[6, 9, 41, 42, 43, 44, 45, 48, 62, 63];
    expect(
        "fig-7-two.cimple",
        None,
        &[(one, FIRST, &[13, 14, 15]), (two, SECOND, &[13, 14, 17]), (three, THIRD, three)],
    );
    let (_, analysis) = explain("fig-7-two.cimple", None, &[]);
    assert_eq!(analysis.sequences().len(), 3);
}

/// A procedure that does not matter is passed at every call in one step: entries, and nodes looked
/// at, do not grow with its inside.
#[test]
fn a_procedure_that_does_not_matter_is_no_part_of_it() {
    let source = "int x, y; void q() { if (y > 1) y = 2; else y = 3; if (y == 2) y = 0; }
void main() { x = 1; q(); q(); q(); q(); assert(x == 2); }";
    let program = program_of(source);
    let question = Question { error_line: None, uninterpreted: Vec::new(), most: 50 };
    let mut analysis =
        FocusAnalysis::new(Rc::clone(&program), question, KernelLimits::NONE).expect("no limit");
    while !analysis.step().expect("no limit") {}
    let texts: Vec<Vec<&str>> = analysis
        .sequences()
        .iter()
        .map(|s| s.entries.iter().map(|id| program.edge(*id).text.as_str()).collect())
        .collect();
    assert_eq!(texts, [["x = 1", "assert(x == 2)"]]);
}

/// The sequences of a program, found in 20,000 steps at most, and how many statements of procedure
/// `q` were looked at.
fn walked(source: &str, summaries: bool) -> (FocusAnalysis, u64) {
    let program = program_of(source);
    let question = Question { error_line: None, uninterpreted: Vec::new(), most: 50 };
    let mut analysis =
        FocusAnalysis::new(Rc::clone(&program), question, KernelLimits::NONE).expect("no limit");
    if !summaries {
        analysis.walk_every_call();
    }
    let mut steps = 0;
    while steps < 20_000 && !analysis.step().expect("no limit") {
        steps += 1;
    }
    let q = program
        .procedures
        .iter()
        .position(|procedure| procedure.name == "q")
        .expect("a procedure q");
    let walked = analysis.walked(ProcedureId(q as u32));
    (analysis, walked)
}

/// § 3.3: a procedure called k times is summarised once. The counts are of statements, with and
/// without summaries.
#[test]
fn a_procedure_called_many_times_is_summarised_once() {
    let matters = |calls: usize| {
        let q = "if (y > 0) y = 1; else y = 2; if (c > 0) x = x + 1; else x = x + 2; if (y > 1) z = 2; else z = y;";
        format!(
            "//! bits = 8\nint x, y, z, c; void q() {{ {q} }} void main() {{ x = 0; {}assert(x != {calls}); }}",
            "q(); ".repeat(calls)
        )
    };
    // Only by looking inside can it be seen that what it writes is not what is asked.
    let passed = |calls: usize| {
        let q = "if (y > 0) a[1] = 1; else y = 2; if (y > 1) z = 2; else a[1] = y;";
        format!(
            "int a[2], y, z; void q() {{ {q} }} void main() {{ a[0] = 1; {}assert(a[0] != 1); }}",
            "q(); ".repeat(calls)
        )
    };
    for source in [&matters as &dyn Fn(usize) -> String, &passed] {
        let ((few, in_few), (many, in_many)) =
            (walked(&source(2), true), walked(&source(32), true));
        assert!(few.is_complete() && many.is_complete());
        assert_eq!((few.sequences().len(), many.sequences().len()), (1, 1));
        assert!(in_few > 0);
        assert_eq!(in_few, in_many, "the same walk for 2 calls and for 32");
        let (again, without) = walked(&source(32), false);
        assert_eq!(lines_of(again.sequences()), lines_of(many.sequences()));
        assert!(
            without >= 16 * in_many,
            "{without} statements without summaries, {in_many} with them"
        );
    }
}

/// That a recursive procedure can be passed without focus statements is found however deep it goes;
/// what matters in it is found too.
#[test]
fn recursion_is_summarised() {
    let source = "int a[2]; void q() { if (*) { a[1] = 1; q(); } else { r(); } } void r() { if (*) q(); a[1] = 0; }
void main() { a[0] = 1; q(); q(); assert(a[0] != 1); }";
    let (analysis, _) = walked(source, true);
    assert!(analysis.is_complete());
    assert_eq!(lines_of(analysis.sequences()), [[2]]);
    let (without, _) = walked(source, false);
    assert!(!without.is_complete(), "statement by statement the search goes down without end");
    let source = "int x; void q() { if (*) q(); else x = 1; }
void main() { x = 0; q(); q(); assert(x != 1); }";
    let (analysis, _) = walked(source, true);
    assert!(analysis.sequences().iter().any(|sequence| sequence.is_feasible()));
}

/// A return whose own check makes it a focus statement is one entry.
#[test]
fn a_return_that_may_fail_is_one_entry() {
    let source = "int a[2]; int x;
int q(int i) { if (i > 3) x = 2;
return a[i]; }
void main() { int j; x = 2; q(j);
assert(x != 2); }";
    let (analysis, _) = walked(source, true);
    assert!(analysis.is_complete(), "{} undecided", analysis.undecided());
    let last = analysis.sequences().iter().filter(|sequence| sequence.lines.last() == Some(&5));
    assert!(last.clone().count() > 0);
    for sequence in last {
        let returns = sequence.entries.windows(2).filter(|pair| pair[0] == pair[1]).count();
        assert_eq!(returns, 0);
    }
}

/// Figure 9: the resolution advisory, with the threshold an input, projected onto the five printed
/// variables. The figure is about a climb that is not inhibited; where it is, the separations are
/// compared with 100 more upwards; where that is an input, there are both sequences.
#[test]
fn figure_9() {
    for (value, upwards) in [("UPWARD_RA", true), ("DOWNWARD_RA", false)] {
        let source =
            program_of_ours().replace("altSep == UPWARD_RA", &format!("altSep == {value}"));
        assert!(
            source.contains(&format!("(altSep == {value})"))
                && source.contains("climbInhibit = false;")
        );
        let inhibited = source.replace("climbInhibit = false;", "climbInhibit = true;");
        let either = source.replace("climbInhibit = false;", "climbInhibit;");
        let (plain, more) = (printed(&FIVE, upwards, ""), printed(&FIVE, upwards, " + 100"));
        assert_eq!(projects_to(&source, &FIVE, &plain), 1);
        assert_eq!(projects_to(&inhibited, &FIVE, &more), 1);
        assert_eq!(projects_to(&either, &FIVE, &format!("({plain}) ∨ ({more})")), 2);
    }
}

/// What is collected while the search goes on is not needed any more.
#[test]
fn garbage_makes_no_difference() {
    for figure in ["fig-1.cimple", "fig-2.cimple", "fig-7.cimple"] {
        let (program, plain) = explain(figure, None, &[]);
        let question = Question { error_line: None, uninterpreted: Vec::new(), most: 50 };
        let mut analysis =
            FocusAnalysis::new(program, question, KernelLimits::NONE).expect("no limit");
        analysis.collect_every_step();
        while !analysis.step().expect("no limit") {}
        assert_eq!(lines_of(plain.sequences()), lines_of(analysis.sequences()), "{figure}");
        let assumed = |analysis: &FocusAnalysis| -> Vec<usize> {
            analysis.sequences().iter().map(|one| one.assumptions.len()).collect()
        };
        assert_eq!(assumed(&plain), assumed(&analysis), "{figure}");
    }
}

/// A call matters for a check alone, two procedures deep: the returns of both are entries behind
/// what is inside. (TCAS's table of thresholds has such a check.)
#[test]
fn returns_stand_behind_what_they_return_from() {
    let source = "int a[2], i, x;
int element() { return a[i]; }
int twice() { int r; r = element(); return r; }
void main() { x = twice(); assert(x != x); }";
    let program = program_of(source);
    let question = Question { error_line: Some(4), uninterpreted: Vec::new(), most: 50 };
    let mut analysis =
        FocusAnalysis::new(Rc::clone(&program), question, KernelLimits::NONE).expect("no limit");
    while !analysis.step().expect("no limit") {}
    assert!(analysis.is_complete(), "{} undecided", analysis.undecided());
    assert!(!analysis.sequences().is_empty());
}

/// The same where nothing that is returned matters.
#[test]
fn returns_of_calls_that_only_check() {
    let source = "int a[2], i, x, y;
int element() { return a[i]; }
int twice() { int r; r = element(); return r; }
void main() { y = twice(); assert(x != 0); }";
    let program = program_of(source);
    let question = Question { error_line: Some(4), uninterpreted: Vec::new(), most: 50 };
    let mut analysis =
        FocusAnalysis::new(Rc::clone(&program), question, KernelLimits::NONE).expect("no limit");
    while !analysis.step().expect("no limit") {}
    assert!(analysis.is_complete(), "{} undecided", analysis.undecided());
    let [only] = analysis.sequences() else { panic!("{} sequences", analysis.sequences().len()) };
    let texts: Vec<&str> = only.entries.iter().map(|id| program.edge(*id).text.as_str()).collect();
    let calls_and_returns: Vec<&str> = texts.into_iter().filter(|text| !text.is_empty()).collect();
    assert_eq!(
        calls_and_returns,
        ["y = twice()", "r = element()", "return a[i]", "return r", "assert(x != 0)"]
    );
}

/// What a callee leaves uninitialised, each of its calls picks: two of them may differ.
#[test]
fn a_call_picks_what_its_procedure_leaves_uninitialised() {
    let source = "int f() { skip; }
void main() { int x, y; x = f();
y = f();
assert(x == y); }";
    for summaries in [true, false] {
        let program = program_of(source);
        let question = Question { error_line: None, uninterpreted: Vec::new(), most: 50 };
        let mut analysis =
            FocusAnalysis::new(program, question, KernelLimits::NONE).expect("no limit");
        if !summaries {
            analysis.walk_every_call();
        }
        while !analysis.step().expect("no limit") {}
        assert!(analysis.is_complete());
        assert_eq!(lines_of(analysis.sequences()), [[2, 3, 4]]);
    }
}

/// Calls deeper than the search enters are found along whole procedures, or it says that it did not
/// look.
#[test]
fn deep_calls_are_not_forgotten() {
    let chain = |deepest: usize| {
        let calls: String =
            (0..deepest).map(|k| format!("void p{k}() {{ p{}(); }} ", k + 1)).collect();
        format!(
            "int x; void p{deepest}() {{ x = 1; }} {calls}void main() {{ p0(); assert(x == 0); }}"
        )
    };
    for (deepest, most) in [(33, 50), (40, 50), (100, 50)] {
        let program = program_of(&chain(deepest));
        let question = Question { error_line: None, uninterpreted: Vec::new(), most };
        let mut analysis =
            FocusAnalysis::new(program, question, KernelLimits::NONE).expect("no limit");
        while !analysis.step().expect("no limit") {}
        assert!(
            !analysis.sequences().is_empty() || analysis.cut() == Some(Limit::Depth),
            "{deepest} calls"
        );
        assert_eq!(analysis.is_complete(), analysis.cut().is_none());
    }
}

/// The sequences of a program, as they are printed.
fn reported(
    source: &str,
    dialect: Option<Dialect>,
) -> (Rc<Program>, FocusAnalysis, Vec<SequenceReport>) {
    let requested = RequestedOptions { dialect, ..RequestedOptions::default() };
    let (program, _) = program_with(source, &requested);
    let question = Question { error_line: None, uninterpreted: Vec::new(), most: 50 };
    let mut analysis =
        FocusAnalysis::new(Rc::clone(&program), question, KernelLimits::NONE).expect("no limit");
    while !analysis.step().expect("no limit") {}
    let own = analysis.inputs_ref();
    let reports = analysis
        .sequences()
        .iter()
        .map(|sequence| sequence_report(&program, own, sequence, &[]))
        .collect();
    (program, analysis, reports)
}

fn assumed(report: &SequenceReport) -> Vec<&str> {
    report.assumptions.iter().map(|assumption| assumption.text.as_str()).collect()
}

/// Two statements in a row that each pick a value pick two values: the check of the second does not
/// look at what the first has written.
#[test]
fn each_statement_picks_for_itself() {
    let (_, analysis, reports) =
        reported("int x; void main() { x = nondet(); assert(x == nondet()); }", None);
    let [only] = &reports[..] else { panic!("{} sequences", reports.len()) };
    assert!(analysis.is_complete() && only.feasible && only.length == 2);
    assert_eq!(assumed(only), ["any@1#1 != any@1#2"]);
}

/// No two variables of one sequence's assumptions go by one name.
#[test]
fn assumptions_keep_names_apart() {
    let one = |source: &str| {
        let (_, _, reports) = reported(source, None);
        assert_eq!(reports.len(), 1, "{source}");
        assumed(&reports[0]).join("; ")
    };
    let loops = "int x, y, k;\nvoid main() {\n  k = 0;\n  while (k < 2) {\n    y = x;\n    x = nondet();\n    k = k + 1;\n  }\n  assert(x == y);\n}\n";
    assert_eq!(one(loops), "any@6#2 != any@6#1", "what x has now, and what it had before");
    assert_eq!(
        one("int x;\nvoid f() { int x; assert(x != 3); }\nvoid main() { if (x == 2) f(); }\n"),
        "x == 2; f::x == 3"
    );
    assert_eq!(
        one("int x;\nvoid f() { assume(x == 1); }\nvoid main() { int x; f(); assert(x != 3); }\n"),
        "x == 1; main::x == 3"
    );
    let callee =
        "int r, s;\nvoid f() { int x; s = r; r = x; }\nvoid main() { f(); f(); assert(r != s); }\n";
    assert_eq!(one(callee), "f::x#2 == f::x#1", "of the second call, and of the first");
}

/// What the front end made for values on their way is never named: neither in assumptions nor as a
/// variable to ask for.
#[test]
fn what_the_front_end_made_has_no_name() {
    let (program, analysis, reports) =
        reported("int f() { skip; }\nvoid main() { int x; x = f(); assert(x != 3); }\n", None);
    let [only] = &reports[..] else { panic!("{} sequences", reports.len()) };
    assert_eq!(assumed(only), ["f() == 3"], "what it returns is any value");
    let (names, picked) = variable_names(
        &program,
        analysis.inputs_ref(),
        &analysis.sequences()[0].assumptions[0].expression,
    );
    assert_eq!((names, picked), (Vec::new(), true));
    let session = session("int f() { skip; }\nvoid main() { int x; x = f(); assert(x != 3); }\n");
    let explained = |name: &str| {
        let ask = ExplainAsk { uninterpreted: vec![name.to_string()], ..ExplainAsk::default() };
        session.explain(&RequestedOptions::default(), &ask, Budgets::default()).map(|_| ())
    };
    assert!(program.variables.iter().any(|variable| variable.name == "result"));
    for made in ["result", "temporary", ""] {
        assert_eq!(explained(made), Err(format!("No variable is called {made}.")));
    }
    assert!(explained("x").is_ok());
    let (_, _, reports) = reported(
        "decl h;\nbool f(a) begin if (a) then return h; fi; end\nmain() begin decl x, y; x := f(y); if (x & schoose[h, !h]) then assert(!x); fi; end\n",
        Some(Dialect::BooleanProgram),
    );
    for text in reports.iter().flat_map(assumed) {
        assert!(
            !text.contains("result") && !text.contains("temporary") && !text.contains("::"),
            "{text}"
        );
    }
    assert!(reports.iter().flat_map(assumed).any(|text| text.contains("f()")), "{reports:?}");
}

/// A search that is given up lists what was found by then, and nothing that a whole search would
/// not.
#[test]
fn a_limit_loses_nothing_that_was_found() {
    let source = "int x, y;\nvoid main() {\n  if (x == 1) y = 2;\n  if (x == 2) y = 3;\n  assert(y != 2);\n  assert(y != 3);\n}\n";
    let program = program_of(source);
    let run = |nodes: usize| {
        let question = Question { error_line: None, uninterpreted: Vec::new(), most: 50 };
        let mut analysis = FocusAnalysis::new(Rc::clone(&program), question, KernelLimits::NONE)
            .expect("no limit");
        analysis.give_up_after(nodes);
        let mut found = (0, 0);
        let ended = loop {
            match analysis.step() {
                Ok(false) => found = analysis.found(),
                Ok(true) => break None,
                Err(limit) => break Some(limit),
            }
        };
        let listed: Vec<Vec<EdgeId>> =
            analysis.sequences().iter().map(|sequence| sequence.entries.clone()).collect();
        (ended, listed, found, analysis.nodes(), analysis.is_complete())
    };
    let (ended, all, _, total, complete) = run(usize::MAX);
    assert!(ended.is_none() && complete && all.len() > 2);
    let mut waited = 0;
    for nodes in 0..total {
        let (ended, listed, found, _, complete) = run(nodes);
        assert!(ended == Some(Limit::Steps) && !complete, "{nodes} of {total} nodes");
        assert!(
            listed.iter().all(|entries| all.contains(entries)),
            "{nodes} of {total} nodes: {listed:?}"
        );
        let (accepted, waiting) = found;
        assert_eq!(listed.len(), accepted + waiting, "{nodes} of {total} nodes");
        waited += usize::from(waiting > 0);
    }
    assert!(waited > 0, "nothing ever waits, in {total} nodes");
}

/// A library's loops have many ways through one statement. Neither what the search begins with nor
/// a step of it may take for ever.
#[test]
fn comparing_strings_behind_the_error_ends_the_search_by_a_limit_at_the_latest() {
    let source = "#include <string.h>
#include <assert.h>
#include <stdio.h>
int main(void) {
    char buffer[16];
    int x;
    scanf(\"%d\", &x);
    strcpy(buffer, \"hello\");
    assert(x != 3);
    if (strcmp(buffer, \"hello\") == 0) return 1;
    return 0;
}
";
    let requested = RequestedOptions { dialect: Some(Dialect::C), ..RequestedOptions::default() };
    let (program, _) = program_with(source, &requested);
    let question = Question { error_line: Some(9), uninterpreted: Vec::new(), most: 1 };
    let limits = KernelLimits::NONE;
    let mut analysis =
        FocusAnalysis::new(Rc::clone(&program), question.clone(), limits).expect("no limit");
    while !analysis.step().expect("no limit") {}
    assert_eq!(analysis.sequences().len(), 1);
    let all = Question { error_line: None, ..question };
    let mut analysis = FocusAnalysis::new(program, all, limits).expect("no limit");
    analysis.inputs().kernel.set_alarm(Some(Alarm::new(|_| Some(Limit::Time))));
    assert_eq!(analysis.step(), Err(Limit::Time), "the clock is looked at");
}
