//! Suspicious statements: what is counted is counted again here, by a loop of its own over the
//! interpreter; and a fault that is put into a program stands nearer to the top of the order than
//! by the failing run's focus alone.

use crate::support::Random;
use crate::support::load::session_with;
use faultline::analysis::focus::focus_of_run;
use faultline::analysis::suspects::known::KnownRun;
use faultline::lang::interpreter::{
    ConcreteRun, ConcreteStep, Machine, Outcome as Executed, replay,
};
use faultline::lang::model::{EdgeId, Expression, Initial, Operation, ProcedureId, Program};
use faultline::report::explain::explanation;
use faultline::report::suspects::suspects_report;
use faultline::session::{Budgets, Job, Outcome, Session, SuspectsSession, Task};
use faultline::util::Limit;
use faultline::wire::explain::ExplainAsk;
use faultline::wire::options::{Dialect, RequestedOptions};
use faultline::wire::suspects::{Change, SuspectsReport};
use std::collections::HashMap;
use std::rc::Rc;

fn checked(source: &str) -> Session {
    let mut session = session_with(source, &RequestedOptions::default());
    session.start(Task::Check, Budgets::default());
    session.run();
    session
}

fn trusted(program: &Program, names: &[&str]) -> Vec<ProcedureId> {
    let ids = (0..program.procedures.len() as u32).map(ProcedureId);
    ids.filter(|id| names.contains(&program.procedure(*id).name.as_str())).collect()
}

fn suspected(source: &str, never: &[&str]) -> (SuspectsSession, SuspectsReport) {
    let session = checked(source);
    let trusted = trusted(session.program().expect("a program"), never);
    let mut suspects = session
        .suspects(&RequestedOptions::default(), &trusted, Budgets::default())
        .unwrap_or_else(|| panic!("it fails: {source}"));
    suspects.run();
    assert_eq!(suspects.limit(), None);
    let report = suspects_report(&suspects);
    (suspects, report)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Fails(u32),
    Passes,
    Neither,
}

/// Executes a program with what a run picks, by edge and occasion: written apart from the product's
/// own loop, on copies of configurations.
fn execute(program: &Program, inputs: &ConcreteRun) -> End {
    let machine = Machine::new(program);
    let mut picks: HashMap<EdgeId, Vec<(usize, &ConcreteStep)>> = HashMap::new();
    for (at, step) in inputs.steps.iter().enumerate() {
        picks.entry(step.edge).or_default().push((at, step));
    }
    let open = inputs
        .initial_globals
        .iter()
        .filter(|(id, _)| program.variable(*id).initial == Initial::Any)
        .cloned()
        .collect();
    let mut here = machine.initial(&open, &inputs.initial_locals);
    let mut taken: HashMap<EdgeId, usize> = HashMap::new();
    for _ in 0..20_000 {
        if here.frames.len() > 200 {
            return End::Neither;
        }
        let mut ways: Vec<(usize, EdgeId, Option<&ConcreteStep>)> = Vec::new();
        for id in program.edge_ids().filter(|id| program.edge(*id).from == here.location) {
            let pick = picks.get(&id).and_then(|all| all.get(taken.get(&id).copied().unwrap_or(0)));
            ways.push((pick.map_or(usize::MAX, |(at, _)| *at), id, pick.map(|(_, step)| *step)));
        }
        ways.sort_by_key(|(at, id, _)| (*at, *id));
        let nothing = ConcreteStep::default();
        let mut next = None;
        for (_, id, pick) in &ways {
            let pick = pick.unwrap_or(&nothing);
            match machine.execute(
                &here,
                *id,
                &pick.choices,
                pick.locals.as_ref().unwrap_or(&Vec::new()),
            ) {
                Executed::Error(check) => return End::Fails(program.edge(*id).checks[check].line),
                Executed::Blocked => {}
                Executed::Next(configuration) => {
                    next = Some((*id, configuration));
                    break;
                }
            }
        }
        let Some((id, configuration)) = next else {
            let exits = |(_, id, _): &(usize, EdgeId, Option<&ConcreteStep>)| {
                matches!(
                    &program.edge(*id).operation,
                    Operation::Assume(Expression::Constant(0, _))
                )
            };
            return if ways.iter().all(exits) { End::Passes } else { End::Neither };
        };
        *taken.entry(id).or_default() += 1;
        here = configuration;
    }
    End::Neither
}

/// Every count is what executions give; known runs are what they are said to be; the order is by
/// the counts. How many mutants were executed again.
fn holds(suspects: &SuspectsSession) -> usize {
    let (program, found) = (suspects.program(), suspects.found());
    let line = suspects.failing_run().check.line;
    let ends = |program: &Program, runs: &[KnownRun], end: End| {
        runs.iter().filter(|run| execute(program, &run.inputs) == end).count()
    };
    assert!(
        !found.failing().is_empty() && found.failing().len() <= 48 && found.passing().len() <= 160
    );
    assert_eq!(ends(program, found.failing(), End::Fails(line)), found.failing().len());
    assert_eq!(ends(program, found.passing(), End::Passes), found.passing().len());
    let mut before = None;
    let mut again = 0;
    for suspect in found.suspects() {
        let Some(best) = &suspect.best else {
            before = Some((u32::MAX, 0));
            continue;
        };
        let changed = best.mutant.apply(program);
        assert_eq!(ends(&changed, found.failing(), End::Passes), best.mended, "{:?}", best.mutant);
        assert_eq!(ends(&changed, found.passing(), End::Passes), best.kept, "{:?}", best.mutant);
        assert!(best.mended > 0 && program.edge(suspect.edge).is_statement());
        let share = |count: usize, of: usize| (1_000 * count / of.max(1)) as u32;
        let score =
            share(best.mended, found.failing().len()) + share(best.kept, found.passing().len());
        let key = (2_000 - score, best.mutant.oddness());
        assert!(before.is_none_or(|before| before <= key), "{:?} before {key:?}", before);
        before = Some(key);
        again += 1;
    }
    again
}

/// A condition with the wrong operator: the change that mends it is found, in the words of the
/// source.
#[test]
fn a_wrong_operator_comes_first() {
    let source = "//! bits = 5
int limit;
int level;
bool alarm;
void main() {
  limit = nondet();
  level = nondet();
  assume(limit > 0 && level >= 0);
  alarm = false;
  if (level >= limit) {
    alarm = true;
  }
  assert(alarm == (level > limit));
}
";
    let (suspects, report) = suspected(source, &[]);
    assert!(holds(&suspects) > 0);
    let first = &report.suspects[0];
    let change = first.change.as_ref().expect("a change");
    assert_eq!(
        (first.line, change.kind, change.old.as_str(), change.new.as_str()),
        (10, Change::Operator, "level >= limit", "level > limit")
    );
    assert!(report.known_passing > 4 && report.known_failing > 4, "{report:?}");
    assert_eq!((change.mended, change.kept), (report.known_failing, report.known_passing));
    let (f, p) = (report.known_failing, report.known_passing);
    let expected = format!(
        "With `level > limit` instead of `level >= limit`, {f} of {f} known failing runs pass, and {p} of {p} known passing runs still do"
    );
    assert_eq!(first.sentence, expected);
    assert!(
        report.suspects.iter().all(|suspect| ![8, 13].contains(&suspect.line)),
        "assumptions and assertions say what is wanted"
    );
    assert!(report.notes[0].contains("nothing is proved"));
    // Always the same.
    assert_eq!(suspected(source, &[]).1, report);
}

/// How a condition whose operands are calls came out is noted by the front end. A change of such a
/// note is said of the condition, which is evaluated as before.
#[test]
fn a_condition_that_always_counts_as_one_value_is_named() {
    let source = "bool r;
bool a() { return nondet(); }
bool b() { return nondet(); }
void main() {
  r = a()
    && b();
  assert(r);
}
";
    let (suspects, report) = suspected(source, &[]);
    assert!(holds(&suspects) > 0);
    let named = report
        .suspects
        .iter()
        .find(|suspect| suspect.line == 5 && suspect.statement.starts_with("r ="))
        .expect("the assignment");
    let change = named.change.as_ref().expect("a change");
    assert_eq!(
        (change.kind, change.old.as_str(), change.new.as_str()),
        (Change::Number, "a() && b()", "true")
    );
    assert!(named.sentence.starts_with("If `a() && b()` always counted as true, "), "{named:?}");
    assert_eq!(change.mended, report.known_failing, "{report:?}");
}

/// A value that is chosen stands in the source itself: it is that which changes. And what stands
/// for a condition with calls is the condition.
#[test]
fn values_of_a_choice_are_named_as_they_stand() {
    let source = "bool r;
int n;
bool a() { n = n + 1; return nondet(); }
void main() {
  r = nondet() ? a() : false;
  assert(r || n > 0);
}
";
    let (suspects, report) = suspected(source, &[]);
    assert!(holds(&suspects) > 0);
    let first = report
        .suspects
        .iter()
        .find_map(|suspect| suspect.change.as_ref().filter(|_| suspect.line == 5))
        .expect("a change");
    assert_eq!((first.old.as_str(), first.new.as_str()), ("false", "true"));
    let source = "bool r;
bool a() { return nondet(); }
bool b() { return nondet(); }
void main() {
  r = a() || b();
  assert(r == false);
  r = !(a() && b());
  assert(r == false);
}
";
    let (_, report) = suspected(source, &[]);
    assert!(report.suspects.iter().all(|suspect| !suspect.sentence.contains('…')), "{report:?}");
}

/// Programs in which the front end makes variables and statements of its own: for calls in
/// conditions, operands that are kept while another one is evaluated, choices, results. In no
/// language is one of them named.
#[test]
fn nothing_that_the_front_end_made_is_named() {
    let programs = [
        (
            Dialect::Cimple,
            "int n; int f(int k) { n = n + 1; return k + n; }\nvoid main() { int i; i = 0;\n n = n + f(n) + f(i);\n if (f(1) > 2 && (f(2) > 3 || f(n) == 1)) n = f(2) > 1 ? f(3) : n;\n assert(n == 3); }\n",
        ),
        (
            Dialect::Cimple,
            "int n, a[3]; int g() { skip; }\nvoid main() { int i = 1; a[1] = i++ + i; a[g() > 0 ? 1 : 2] = n;\n while (n < 2 && g() > 1) n++;\n assert(a[1] != 3 || n != 2); }\n",
        ),
        (
            Dialect::C,
            "#include <assert.h>\nextern int nondet_int(void);\nint n; int f(int k) { n++; return k > 2; }\nint main(void) { int x = nondet_int();\n int r = (x > 1 && f(x)) || (x < -5 && f(-x));\n int s = r ? f(x) : 0;\n if (s) assert(x != 5); return 0; }\n",
        ),
        (
            Dialect::BooleanProgram,
            "decl h;\nbool f(a) begin if (a) then return h; fi; end\nmain() begin decl x, y; x := f(y); if (x & schoose[h, !h]) then assert(!x); fi; end\n",
        ),
    ];
    let mut sentences = 0;
    for (dialect, source) in programs {
        let requested = RequestedOptions { dialect: Some(dialect), ..RequestedOptions::default() };
        let mut session = session_with(source, &requested);
        session.start(Task::Check, Budgets::default());
        session.run();
        assert_eq!(session.outcome(), Outcome::Unsafe, "{source}");
        let ask = ExplainAsk { max_repairs: 2, ..ExplainAsk::default() };
        let mut session = session.explain(&requested, &ask, Budgets::default()).expect("a program");
        session.run();
        let found = explanation(&session);
        let report = found.suspects.as_ref().expect("it has no threads");
        let mut texts: Vec<String> = report
            .suspects
            .iter()
            .flat_map(|suspect| [suspect.sentence.clone(), suspect.statement.clone()])
            .collect();
        texts.extend(
            found
                .repairs
                .iter()
                .flat_map(|repairs| repairs.repairs.iter())
                .flat_map(|repair| [repair.sentence.clone(), repair.claim.clone()]),
        );
        texts.extend(found.causes.iter().map(|cause| cause.reason.clone()));
        for sequence in &found.sequences {
            texts.extend(
                sequence.report.assumptions.iter().map(|assumption| assumption.text.clone()),
            );
            texts.extend(
                sequence.report.statements.iter().map(|statement| statement.statement.clone()),
            );
            texts.extend(sequence.about.iter().flatten().cloned());
        }
        assert!(!found.sequences.is_empty() && texts.len() > 5, "{source}");
        for text in &texts {
            let mut words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            assert!(!words.any(|word| word == "temporary" || word == "result"), "{text}");
            assert!(
                !text.is_empty()
                    && !text.contains("``")
                    && !text.contains("(…)")
                    && !text.contains("::"),
                "{text} of {source}"
            );
        }
        sentences += texts.len();
    }
    assert!(sentences > 60, "{sentences}");
}

/// Every change that is offered is a text of the program: `old` is in the statement, and the
/// program with `new` there is read. Constants have the statement's name for them; where the
/// statement has no text for what changes, all of it does.
#[test]
fn offered_changes_are_texts_that_are_read() {
    let programs = [
        "#define SIZE 8\n#include <assert.h>\nint a[SIZE];\nint main(void) {\n  int high = SIZE;\n  for (int i = 0; i < 3; i++) { a[i] = i; }\n  assert(high < SIZE && a[2] == 2);\n  return 0;\n}\n",
        "#include <assert.h>\nint read_code(void);\nint main(void) {\n  int open = 0;\n  int tries = 0;\n  while (tries < 3) {\n    if (read_code() == 4711) { open = 1; }\n    tries++;\n  }\n  assert(open == 0 && tries == 3);\n  return 0;\n}\n",
        "#include <assert.h>\nint main(void) {\n  int tries = 0;\n  while (tries < 3) { tries++; }\n  assert(tries == 4);\n  return 0;\n}\n",
        "#include <assert.h>\n#include <stdio.h>\nenum state { OPEN = 1, SHUT };\nint main(void) {\n  int n;\n  scanf(\"%d\", &n);\n  enum state s = OPEN;\n  if (n > 5) s = SHUT;\n  assert(s == OPEN || n > 6);\n  return 0;\n}\n",
    ];
    let requested = RequestedOptions { dialect: Some(Dialect::C), ..RequestedOptions::default() };
    let mut offered = Vec::new();
    for source in programs {
        let mut session = session_with(source, &requested);
        session.start(Task::Check, Budgets::default());
        session.run();
        let mut suspects = session.suspects(&requested, &[], Budgets::default()).expect("it fails");
        suspects.run();
        for suspect in suspects_report(&suspects).suspects {
            let Some(change) = suspect.change else { continue };
            let lines: Vec<&str> = source.lines().collect();
            let at = suspect.line as usize - 1;
            let reads = lines[at].match_indices(&change.old).any(|(from, _)| {
                let (before, after) = (&lines[at][..from], &lines[at][from + change.old.len()..]);
                let line = format!("{before}{}{after}", change.new);
                let edited =
                    [&lines[..at], &[line.as_str()][..], &lines[at + 1..]].concat().join("\n");
                faultline::lang::load(&edited, &requested).program.is_some()
            });
            assert!(reads, "line {}: `{}` for `{}`", suspect.line, change.new, change.old);
            offered.push((change.old, change.new));
        }
    }
    let has =
        |old: &str, new: &str| offered.iter().any(|(o, n)| (o.as_str(), n.as_str()) == (old, new));
    assert!(has("SIZE", "7"), "{offered:?}");
    assert!(has("tries++", "tries = tries + 2"), "{offered:?}");
    assert!(has("SHUT", "1"), "{offered:?}");
}

/// Inputs that are only initial values are changed as well.
#[test]
fn initial_values_are_inputs() {
    let source = "//! bits = 4\n//! globals = any\nint x;\nint y;\nvoid main() {\n  y = 0;\n  if (x < 3) {\n    y = 2;\n  }\n  assert(y == 0 || x < 2);\n}\n";
    let (suspects, report) = suspected(source, &[]);
    assert!(holds(&suspects) > 0);
    assert!(report.known_passing > 0, "{report:?}");
    let local = "//! bits = 4\nvoid main() {\n  int x;\n  int y = 0;\n  if (x < 3) {\n    y = 2;\n  }\n  assert(y == 0 || x < 2);\n}\n";
    let (suspects, report) = suspected(local, &[]);
    assert!(holds(&suspects) > 0);
    assert!(report.known_passing > 0, "{report:?}");
    let condition = report
        .suspects
        .iter()
        .find(|suspect| suspect.line == 5)
        .and_then(|suspect| suspect.change.as_ref())
        .expect("the condition");
    assert_eq!(
        (condition.mended, condition.kept),
        (report.known_failing, report.known_passing),
        "{report:?}"
    );
}

/// Without inputs there is the failing run alone; that is said. What no small change mends stands
/// behind, by the run's focus.
#[test]
fn what_is_not_known_is_said() {
    let (suspects, report) =
        suspected("int x;\nvoid main() {\n  x = 1;\n  x = x + 1;\n  assert(x == 1);\n}\n", &[]);
    assert!(holds(&suspects) > 0);
    assert_eq!((report.known_failing, report.known_passing), (1, 0));
    assert!(
        report.notes.iter().any(|note| note.contains("only run that is known")),
        "{:?}",
        report.notes
    );
    assert!(
        report.suspects[0].sentence.ends_with("the failing run passes"),
        "{:?}",
        report.suspects[0]
    );
    let (_, report) =
        suspected("int x;\nvoid main() {\n  x = nondet();\n  assert(x != x);\n}\n", &[]);
    assert!(
        report.notes.iter().any(|note| note.contains("No passing run is known")),
        "{:?}",
        report.notes
    );
    assert!(
        report.notes.iter().any(|note| note.contains("None of the small changes")),
        "{:?}",
        report.notes
    );
    assert!(report.suspects.iter().all(|suspect| suspect.change.is_none()));
    // Not every change is tried on every known run.
    assert!(
        report.suspects.iter().any(|suspect| suspect.sentence.contains("that it was tried on")),
        "{report:?}"
    );
}

/// A change after which a run never ends mends nothing.
#[test]
fn endless_runs_do_not_pass() {
    let source = "//! bits = 3\nunsigned n;\nunsigned i;\nunsigned m;\nvoid main() {\n  n = nondet();\n  m = nondet();\n  i = 0;\n  while (i < n) {\n    i = i + 1;\n  }\n  assert(i != 3 || m > 5);\n}\n";
    let (suspects, report) = suspected(source, &[]);
    assert!(holds(&suspects) > 0);
    // `i = i + 0` would go on for ever wherever the program fails.
    let endless = |suspect: &faultline::wire::suspects::SuspectReport| {
        suspect.change.as_ref().is_some_and(|change| suspect.line == 10 && change.new == "0")
    };
    assert!(report.known_failing > 1 && !report.suspects.iter().any(endless), "{report:?}");
}

/// Limits and Stop keep what was found so far.
#[test]
fn limits_keep_what_was_found() {
    let session = checked(
        "//! bits = 4\nint x;\nvoid main() {\n  x = nondet();\n  x = x + 1;\n  x = x + 2;\n  x = x + 3;\n  assert(x != 3);\n}\n",
    );
    let mut few = session
        .suspects(
            &RequestedOptions::default(),
            &[],
            Budgets { max_steps: 300, ..Budgets::default() },
        )
        .expect("it fails");
    few.run();
    assert_eq!(few.limit(), Some(Limit::Steps));
    let report = suspects_report(&few);
    assert!(
        report.suspects.iter().any(|suspect| suspect.change.is_none()),
        "the run's focus is there all the same"
    );
    assert!(report.notes.iter().any(|note| note.contains("were looked at")), "{:?}", report.notes);
    let mut stopped =
        session.suspects(&RequestedOptions::default(), &[], Budgets::default()).expect("it fails");
    assert!(!stopped.step());
    stopped.stop(Limit::Time);
    assert!(stopped.step());
    assert_eq!(
        (stopped.limit(), stopped.found().suspects().is_empty()),
        (Some(Limit::Time), false)
    );
}

/// There is nothing to suspect in safe programs, and nothing is said of programs with threads.
#[test]
fn safe_programs_have_no_suspects() {
    assert!(
        checked("int x = 1;\nvoid main() { assert(x == 1); }\n")
            .suspects(&RequestedOptions::default(), &[], Budgets::default())
            .is_none()
    );
}

/// A procedure of a few statements over its parameters, one on each line, without the header and
/// the last line.
///
/// Not by `support::generate`: one line at a time is changed here, and the program must be safe
/// without the change.
fn body(random: &mut Random) -> Vec<String> {
    const NAMES: [&str; 5] = ["a", "b", "c", "u", "v"];
    let name = |random: &mut Random| NAMES[random.below(5) as usize];
    let operand = |random: &mut Random| {
        if random.below(3) == 0 { random.below(7).to_string() } else { name(random).to_string() }
    };
    let mut lines = vec!["  int u = a;".to_string(), "  int v = 1;".to_string()];
    for _ in 0..5 + random.below(4) {
        let comparison = ["<", "<=", ">", ">=", "==", "!="][random.below(6) as usize];
        let assigned = ["u", "v"][random.below(2) as usize];
        let operator = ["+", "-"][random.below(2) as usize];
        let (left, right) = (name(random), operand(random));
        let assignment = format!("{assigned} = {} {operator} {};", name(random), operand(random));
        match random.below(3) {
            0 => lines.push(format!("  {assignment}")),
            1 => lines.extend([
                format!("  if ({left} {comparison} {right}) {{"),
                format!("    {assignment}"),
                "  }".to_string(),
            ]),
            _ => {
                let (other, joined) = (name(random), ["&&", "||"][random.below(2) as usize]);
                lines.push(format!(
                    "  if ({left} {comparison} {right} {joined} {other} < {}) {{",
                    operand(random)
                ));
                lines.extend([
                    format!("    {assignment}"),
                    "  } else {".to_string(),
                    format!("    {assigned} = {};", operand(random)),
                    "  }".to_string(),
                ]);
            }
        }
    }
    lines.push(format!("  return {} + v;", name(random)));
    lines
}

/// One change in one line: an operator, a number or a name is another one. The index of the line.
fn faulty(lines: &mut [String], random: &mut Random) -> usize {
    loop {
        let at = 1 + random.below(lines.len() as u64 - 1) as usize;
        let mut words: Vec<String> = lines[at].split(' ').map(str::to_string).collect();
        let k = random.below(words.len() as u64) as usize;
        // What is assigned stays.
        if words.get(k + 1).is_some_and(|next| next == "=") {
            continue;
        }
        let word = words[k].clone();
        let bare = word.trim_matches(|c| matches!(c, '(' | ')' | ';'));
        let others: &[&str] = match bare {
            "<" | "<=" | ">" | ">=" | "==" | "!=" => &["<", "<=", ">", ">=", "==", "!="],
            "+" | "-" => &["+", "-"],
            "&&" | "||" => &["&&", "||"],
            "a" | "b" | "c" | "u" | "v" => &["a", "b", "c", "u", "v"],
            _ if bare.parse::<u32>().is_ok() => &["0", "1", "2", "3", "4", "5", "6"],
            _ => continue,
        };
        let other = others[random.below(others.len() as u64) as usize];
        if other != bare {
            words[k] = word.replace(bare, other);
            lines[at] = words.join(" ");
            return at;
        }
    }
}

/// The faulty procedure first, then the same without the fault, and a main that asserts that both
/// agree.
fn beside_the_original(faulty: &[String], original: &[String]) -> String {
    let procedure = |name: &str, lines: &[String]| {
        format!("int {name}(int a, int b, int c) {{\n{}\n}}\n", lines.join("\n"))
    };
    format!(
        "//! bits = 4\n{}{}void main() {{\n  int a = nondet();\n  int b = nondet();\n  int c = nondet();\n  int x = f(a, b, c);\n  int y = original(a, b, c);\n  assert(x == y);\n}}\n",
        procedure("f", faulty),
        procedure("original", original)
    )
}

/// Lines of the focus statements of the failing run, from its end.
fn own_focus(session: &Session, trusted: &[ProcedureId]) -> Vec<u32> {
    let program = Rc::new(session.program().expect("a program").clone());
    let replayed = replay(&program, &session.failing_run().expect("it fails").run).expect("a run");
    let focus = focus_of_run(&program, &replayed).focus;
    let kept =
        replayed.steps.iter().zip(&focus).filter(|(_, focus)| **focus).map(|(step, _)| step.edge);
    let kept = kept.filter(|edge| {
        program.edge(*edge).is_statement() && !trusted.contains(&program.owner(*edge))
    });
    once(kept.rev().map(|edge| program.edge(edge).span.line))
}

fn once(lines: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut found = Vec::new();
    for line in lines {
        if !found.contains(&line) {
            found.push(line);
        }
    }
    found
}

/// How many lines are read up to this one; one more than there are, if it is not among them.
fn rank(lines: &[u32], line: u32) -> usize {
    lines.iter().position(|l| *l == line).unwrap_or(lines.len()) + 1
}

/// A known fault in random programs that are safe without it, by construction. All counts are
/// confirmed; on average the faulty line is read much sooner than by the focus of the failing run
/// alone.
#[test]
fn a_fault_that_was_put_in_is_near_the_top() {
    let mut random = Random::new(2014);
    let (mut by_suspects, mut by_focus, mut sample, mut again, mut first) = (0, 0, 0, 0, 0);
    while sample < 30 {
        let original = body(&mut random);
        let mut changed = original.clone();
        let at = faulty(&mut changed, &mut random);
        let source = beside_the_original(&changed, &original);
        let session = checked(&source);
        if session.outcome() != Outcome::Unsafe {
            // The change changes nothing.
            assert_eq!(session.outcome(), Outcome::Safe);
            continue;
        }
        sample += 1;
        let line = at as u32 + 3;
        assert_eq!(source.lines().nth(line as usize - 1), Some(changed[at].as_str()));
        let never = ["main", "original"];
        let (suspects, report) = suspected(&source, &never);
        again += holds(&suspects);
        let read = once(report.suspects.iter().map(|suspect| suspect.line));
        let focus = own_focus(&session, &trusted(session.program().expect("a program"), &never));
        by_suspects += rank(&read, line);
        by_focus += rank(&focus, line);
        first += usize::from(rank(&read, line) == 1);
    }
    assert!(again > 60, "{again}");
    assert!(
        3 * by_suspects < 2 * by_focus && 2 * first > sample,
        "{by_suspects} lines by suspicion, {by_focus} by focus; {first} of {sample} first"
    );
}
