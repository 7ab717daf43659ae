//! Procedures alone, with their contracts: each is right as it stands and wrong with `WRONG`
//! defined. The first line of its file says how the wrong one fails.

#[path = "../support/load.rs"]
#[allow(dead_code)]
mod load;

mod oracle;

use faultline::session::{Budgets, Job, Outcome, Session, Task};
use faultline::wire::options::{Dialect, RequestedOptions};

/// The outcome, and the kind of the error that a run ends with.
fn checked(name: &str, source: &str, defines: &[&str]) -> (Outcome, Option<&'static str>) {
    let requested = RequestedOptions {
        dialect: Some(Dialect::C),
        defines: defines.iter().map(|one| (*one).to_string()).collect(),
        ..RequestedOptions::default()
    };
    let (mut session, diagnostics) = Session::load(source, &requested);
    assert!(session.program().is_some(), "{name}: {diagnostics:#?}");
    session.start(Task::Check, Budgets::default());
    session.run();
    let kind = session.failing_run().map(|run| run.check.kind.word());
    (session.outcome(), kind)
}

#[test]
fn right_procedures_are_proved_and_wrong_ones_fail() {
    let mut mistakes = Vec::new();
    let files = load::files("tests/contracts", &["c"]);
    assert!(files.len() >= 30, "{}", files.len());
    for (name, source) in &files {
        let first = source.lines().next().unwrap_or_default();
        let expected = first.strip_prefix("// wrong: ").expect("the first line says it");
        let right = checked(name, source, &[]);
        if right != (Outcome::Safe, None) {
            mistakes.push(format!("{name}, right: {right:?}"));
        }
        let wrong = checked(name, source, &["WRONG"]);
        if wrong != (Outcome::Unsafe, Some(expected)) {
            mistakes.push(format!("{name}, wrong: {wrong:?}"));
        }
    }
    assert!(mistakes.is_empty(), "{mistakes:#?}");
}

/// The messages of what a text is refused for.
fn refusals(source: &str, function: Option<&str>) -> Vec<(u32, String)> {
    let requested = RequestedOptions {
        dialect: Some(Dialect::C),
        function: function.map(str::to_string),
        ..RequestedOptions::default()
    };
    let (session, diagnostics) = Session::load(source, &requested);
    assert!(session.program().is_none(), "{source}");
    diagnostics.iter().map(|one| (one.span.line, one.message.clone())).collect()
}

#[test]
fn what_is_outside_is_refused_by_name_and_line() {
    for (clause, name) in [
        ("behavior b:\n  assumes x > 0;", "annotation `behavior`"),
        ("ensures \\separated(x, x);", "`\\separated`"),
        ("ensures f(x) == 0;", "`f(…)` in an annotation"),
        ("ensures \\forall integer i; i >= x;", "a quantifier over `i` without a range"),
        ("ensures \\result ==;", "expected a term, found `;`"),
    ] {
        let source = format!("int unused;\n/*@ {clause} */\nint f(int x) {{ return x; }}\n");
        let found = refusals(&source, None);
        assert!(found.iter().any(|(line, m)| *line == 2 && m.contains(name)), "{found:?}");
    }
    let source = "int f(int x) { return x; }\nint main(void) { return f(1); }\n";
    let found = refusals(source, Some("g"));
    assert!(found[0].1.contains("no procedure `g` with a body"), "{found:?}");
    let pointer = "int f(void *x) { return x != 0; }\nint main(void) { return 0; }\n";
    let found = refusals(pointer, Some("f"));
    assert!(found[0].1.contains("a pointer to `void` of `f`"), "{found:?}");
}

#[test]
fn an_annotation_without_braces_leaves_the_branch_as_it_is() {
    let source = "//! check = none\nint f(int x) {\n  int y = 0;\n  if (x > 3)\n    //@ assert x > 2;\n    \
                  y = 1;\n  //@ assert x > 3 ==> y == 1;\n  //@ assert x <= 3 ==> y == 0;\n  return y;\n}\n";
    assert_eq!(checked("branch", source, &[]).0, Outcome::Safe);
}
