//! Typical mistakes of students, each with the fix that a teacher would write: it is among the
//! first three repairs.

use crate::support::load;
use faultline::report::explain::explanation;
use faultline::session::{Budgets, Job};
use faultline::wire::explain::ExplainAsk;
use faultline::wire::options::{Dialect, RequestedOptions};

struct Mistake {
    what: &'static str,
    source: &'static str,
    /// Line, what is replaced, and by what: any of these.
    fixes: &'static [(u32, &'static str, &'static str)],
}

const MISTAKES: [Mistake; 4] = [
    Mistake {
        what: "a wrong operator",
        source: "int main(void) {\n  unsigned char a = nondet();\n  unsigned char b = nondet();\n  int sum = a - b;\n  assert(sum >= a && sum >= b);\n  return 0;\n}\n",
        fixes: &[(4, "-", "+")],
    },
    Mistake {
        what: "a maximum that begins with 0",
        source: "int a[3];\nint main(void) {\n  for (int i = 0; i < 3; i++) { a[i] = nondet(); }\n  int max = 0;\n  for (int i = 1; i < 3; i++) {\n    if (a[i] > max) max = a[i];\n  }\n  assert(max == a[0] || max == a[1] || max == a[2]);\n  return 0;\n}\n",
        fixes: &[(4, "0", "a[0]")],
    },
    Mistake {
        what: "a wrong variable",
        source: "int main(void) {\n  int x = nondet();\n  int y = nondet();\n  int old = x;\n  x = y;\n  y = x;\n  assert(y == old);\n  return 0;\n}\n",
        fixes: &[(6, "x", "old")],
    },
    Mistake {
        what: "a division before a product",
        source: "int main(void) {\n  unsigned char right = nondet();\n  __VERIFIER_assume(right <= 20);\n  int percent = right / 20 * 100;\n  assert(right < 10 || percent >= 50);\n  return 0;\n}\n",
        fixes: &[(4, "right / 20 * 100", "right * 100 / 20")],
    },
];

#[test]
fn the_fix_of_a_teacher_is_among_the_first_three() {
    let requested = RequestedOptions {
        dialect: Some(Dialect::C),
        bits: Some(16),
        ..RequestedOptions::default()
    };
    let ask = ExplainAsk { suspects: false, ..ExplainAsk::default() };
    let mut missed = Vec::new();
    for mistake in &MISTAKES {
        let session = load::session_with(mistake.source, &requested);
        let mut explaining =
            session.explain(&requested, &ask, Budgets::default()).expect("a program");
        explaining.run();
        let repairs = explanation(&explaining).repairs.expect("they were looked for").repairs;
        let told: Vec<(u32, &str, &str)> =
            repairs.iter().map(|r| (r.line, r.replaced.as_str(), r.replacement.as_str())).collect();
        if !told.iter().take(3).any(|one| mistake.fixes.contains(one)) {
            missed.push(format!("{}: {told:?}", mistake.what));
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

/// The focus paper's minimum and maximum: the wrong variable in line 6.
#[test]
fn the_minimum_of_the_focus_paper_is_mended() {
    let source = load::golden("focus/fig-2.cimple");
    let requested = RequestedOptions::default();
    let session = load::session(&source);
    let ask = ExplainAsk { suspects: false, ..ExplainAsk::default() };
    let mut explaining = session.explain(&requested, &ask, Budgets::default()).expect("it fails");
    explaining.run();
    let repairs = explanation(&explaining).repairs.expect("they were looked for").repairs;
    let mends = |r: &faultline::wire::repair::RepairReport| {
        (r.line, r.replaced.as_str(), r.replacement.as_str()) == (6, "max", "min")
    };
    assert!(repairs.iter().take(3).any(mends), "{repairs:#?}");
    // The check of lines 8 and 9 is what is wanted: nothing touches it.
    assert!(repairs.iter().all(|r| r.line < 8), "{repairs:#?}");
}
