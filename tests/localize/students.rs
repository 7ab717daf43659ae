//! Typical mistakes of students, each with the fix that a teacher would write: it is among the
//! first three repairs.

use crate::support::load;
use faultline::report::explain::explanation;
use faultline::report::repair::repairs_report;
use faultline::session::{Budgets, Job, LocalizeOptions, RepairOptions};
use faultline::wire::explain::ExplainAsk;
use faultline::wire::options::{Dialect, RequestedOptions};

struct Mistake {
    what: &'static str,
    source: &'static str,
    /// Line, what is replaced, and by what: any of these.
    fixes: &'static [(u32, &'static str, &'static str)],
}

const MISTAKES: [Mistake; 9] = [
    Mistake {
        what: "one round too many",
        source: "int main(void) {\n  int sum = 0;\n  for (int i = 0; i <= 10; i++) {\n    sum = sum + 1;\n  }\n  assert(sum == 10);\n  return 0;\n}\n",
        fixes: &[(3, "<=", "<")],
    },
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
        what: "arguments in the wrong order",
        source: "int minus(int x, int y) { return x - y; }\nint main(void) {\n  unsigned char low = nondet();\n  unsigned char high = nondet();\n  __VERIFIER_assume(low <= high);\n  int length = minus(low, high);\n  assert(length >= 0);\n  return 0;\n}\n",
        fixes: &[(6, "low, high", "high, low")],
    },
    Mistake {
        what: "= for ==",
        source: "int main(void) {\n  int x = nondet();\n  int zero = 0;\n  if (x = 5) {\n    zero = x;\n  }\n  assert(zero == 0 || x == 5 && zero == 5);\n  int y = nondet();\n  __VERIFIER_assume(y == 1);\n  int was = y;\n  if (y = 2) {\n    was = 0;\n  }\n  assert(was == 1);\n  return 0;\n}\n",
        fixes: &[(11, "=", "==")],
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
    Mistake {
        what: "a missing + 1",
        source: "int main(void) {\n  unsigned char from = nondet();\n  unsigned char to = nondet();\n  __VERIFIER_assume(from <= to && to < 6);\n  int count = to - from;\n  int seen = 0;\n  for (int i = from; i <= to; i++) { seen = seen + 1; }\n  assert(count == seen);\n  return 0;\n}\n",
        fixes: &[(5, "from", "from + 1"), (7, "<=", "<"), (7, "from", "from + 1")],
    },
    Mistake {
        what: "a wrong bound in a binary search",
        source: "int a[4] = { 1, 3, 5, 7 };\nint main(void) {\n  int wanted = 7;\n  int low = 0;\n  int high = 3;\n  int found = 0;\n  while (low < high) {\n    int middle = (low + high) / 2;\n    if (a[middle] == wanted) { found = 1; break; }\n    if (a[middle] < wanted) low = middle + 1; else high = middle - 1;\n  }\n  assert(found == 1);\n  return 0;\n}\n",
        fixes: &[(7, "<", "<=")],
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
    // All that runs over an array needs more steps; the others have loops whose sequences of focus
    // statements would take them all.
    let budgets_of = |source: &str| {
        let millions = if source.starts_with("int a[3]") { 150 } else { 30 };
        Budgets::default().with_steps(millions * 1_000_000)
    };
    for mistake in &MISTAKES {
        let budgets = budgets_of(mistake.source);
        let session = load::session_with(mistake.source, &requested);
        let mut explaining = session.explain(&requested, &ask, budgets).expect("a program");
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

/// Bubble sort. The comparison of two elements has checks of their indices before it; the edits of
/// the condition itself are tried, too.
const SORTS: [Mistake; 3] = [
    Mistake {
        what: "it compares the wrong way round",
        source: "int a[3];\nint main(void) {\n  for (int i = 0; i < 3; i++) { a[i] = nondet(); }\n  for (int i = 0; i < 2; i++) {\n    for (int j = 0; j < 2 - i; j++) {\n      if (a[j] < a[j + 1]) {\n        int t = a[j];\n        a[j] = a[j + 1];\n        a[j + 1] = t;\n      }\n    }\n  }\n  assert(a[0] <= a[1] && a[1] <= a[2]);\n  return 0;\n}\n",
        fixes: &[(6, "<", ">")],
    },
    Mistake {
        what: "its rounds end one element too early",
        source: "#define N 3\nint main(void) {\n  int a[N] = {3, 1, 2};\n  for (int i = 0; i < N; i++) {\n    for (int j = 0; j < N - i - 2; j++) {\n      if (a[j] > a[j + 1]) {\n        int t = a[j];\n        a[j] = a[j + 1];\n        a[j + 1] = t;\n      }\n    }\n  }\n  for (int i = 0; i < N - 1; i++)\n    assert(a[i] <= a[i + 1]);\n  return 0;\n}\n",
        fixes: &[(5, "2", "1"), (5, "<", "<=")],
    },
    Mistake {
        what: "a procedure that compares the wrong way round",
        source: "void sort(int a[], int n) {\n  for (int i = 0; i < n - 1; i++)\n    for (int j = 0; j < n - 1 - i; j++)\n      if (a[j] < a[j + 1]) {\n        int t = a[j];\n        a[j] = a[j + 1];\n        a[j + 1] = t;\n      }\n}\nint main(void) {\n  int a[3] = {3, 1, 2};\n  sort(a, 3);\n  assert(a[0] <= a[1] && a[1] <= a[2]);\n  return 0;\n}\n",
        fixes: &[(4, "<", ">")],
    },
];

#[test]
fn a_bubble_sort_is_mended_where_its_mistake_is() {
    let requested = RequestedOptions {
        dialect: Some(Dialect::C),
        bits: Some(16),
        ..RequestedOptions::default()
    };
    let mut missed = Vec::new();
    for mistake in &SORTS {
        let session = load::session_with(mistake.source, &requested);
        let mut causes =
            session.localize(LocalizeOptions::default(), Budgets::default()).expect("a program");
        causes.run();
        let options = RepairOptions { max_steps: 3_000_000, ..RepairOptions::default() };
        let mut search = causes.repair(&requested, options, Budgets::default()).expect("it fails");
        search.run();
        let repairs = repairs_report(&search).repairs;
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
