//! What an answer says besides its verdict: what was not checked, and what a compiler's warnings
//! tell and the engine knows.

use super::calling::{code, faultline, json, text};
use serde_json::{Value, json};

/// The report of `check` about a C program, which no run fails.
fn safe(program: &str) -> Value {
    let output =
        faultline(&["check", "-", "--dialect", "c", "--format", "json"], program.as_bytes());
    assert_eq!(code(&output), 0, "{program}\n{}", text(&output.stderr));
    json(&output)
}

/// The lines and the codes of its notes.
fn notes(report: &Value) -> Vec<(u64, String)> {
    let all = report["notes"].as_array().cloned().unwrap_or_default();
    let one = |note: &Value| {
        (note["line"].as_u64().expect("a line"), note["code"].as_str().expect("a word").to_string())
    };
    all.iter().map(one).collect()
}

fn of(line: u64, code: &str) -> (u64, String) {
    (line, code.to_string())
}

#[test]
fn what_was_not_checked_is_said_where_the_program_does_not_say_what_an_error_is() {
    let program = "int main(void) { int a[3]; int i; for (i = 0; i < 3; i++) a[i] = i; return 0; }";
    let report = safe(program);
    let open = report["unchecked"].as_array().expect("a list");
    assert!(open.contains(&json!("output")) && open.contains(&json!("endless-loops")), "{open:?}");
    assert!(!open.contains(&json!("leaks")), "it takes no memory: {open:?}");
    let printed = text(&faultline(&["check", "-", "--dialect", "c"], program.as_bytes()).stdout);
    for part in ["Checked: array bounds, ", "Not checked: ", "faultline terminates FILE"] {
        assert!(printed.contains(part), "no {part:?} in\n{printed}");
    }
    let states = "#include <assert.h>\nint main(void) { int x = 1; assert(x == 1); return 0; }";
    assert_eq!(safe(states)["unchecked"], Value::Null);
}

/// Where the program says what an error is, or has the verifiers' names, a local without a value
/// has any value. If a run may read one, that is said.
#[test]
fn locals_that_may_be_read_without_a_value_are_said_to_be_unchecked() {
    let open = |body: &str| {
        let program = format!(
            "#include <assert.h>\nint main(void) {{ int x; int n = __VERIFIER_nondet_int(); {body} return 0; }}"
        );
        safe(&program)["unchecked"].clone()
    };
    let named = json!(["initialised"]);
    assert_eq!(open("assert(x == x);"), named);
    assert_eq!(open("if (n > 3) x = 1; if (n > 4) assert(x == 1 || n < 5 || x != 1);"), named);
    assert_eq!(open("while (n > 3) { int y; n = 0; assert(y == y); }"), named);
    assert_eq!(open("x = 1; assert(x == 1);"), Value::Null);
    assert_eq!(open("if (n > 3) x = 1; else x = 2; assert(x > 0);"), Value::Null);
    let program = "#include <assert.h>\nint main(void) { int x; assert(x == x); return 0; }";
    let output = faultline(&["check", "-", "--dialect", "c"], program.as_bytes());
    let printed = text(&output.stdout);
    assert!(printed.contains("Not checked: reading what has no value."), "{printed}");
    let checks = ["check", "-", "--dialect", "c", "--check", "initialised"];
    let printed = text(&faultline(&checks, program.as_bytes()).stdout);
    assert!(printed.starts_with("It can fail: "), "{printed}");
}

/// Where a pointer may lead to a member and to an array, they are bytes, which the check does not
/// follow: the read of `p.v` is not found, so the answer says that it may not be.
#[test]
fn what_the_check_of_values_does_not_follow_is_said() {
    let program = |memory: &str| {
        format!(
            "struct pair {{ char v; char w; }};\nint main(void) {{ struct pair p; {memory} return p.w; }}"
        )
    };
    let bytes = "int a[2]; a[0] = 1; a[1] = 2; p.w = 3; char *q = a[0] > 0 ? &p.v : (char *)a; if (q == 0) return 1;";
    let open = |source: &str| {
        let unchecked = safe(source)["unchecked"].clone();
        unchecked.as_array().expect("a list").contains(&json!("initialised-in-part"))
    };
    assert!(open(&program(bytes)));
    assert!(!open(&program("p.w = 3;")));
}

#[test]
fn where_nothing_is_to_be_checked_only_what_was_not_checked_is_listed() {
    let program = "int main(void) { return 0; }";
    let report = safe(program);
    assert_eq!((&report["verdict"], &report["checked"]), (&json!("safe"), &json!(0)));
    let printed = text(&faultline(&["check", "-", "--dialect", "c"], program.as_bytes()).stdout);
    assert!(printed.starts_with("Nothing to check"), "{printed}");
    assert!(printed.contains("  Not checked: ") && !printed.contains("  Checked: "), "{printed}");
}

#[test]
fn a_loop_that_no_run_leaves_is_told() {
    let endless = "int main(void) {\n  int i = 0;\n  while (i < 10);\n  return i;\n}\n";
    let report = safe(endless);
    assert_eq!(notes(&report), [of(3, "endless-loop")]);
    let open = report["unchecked"].as_array().expect("a list");
    assert!(!open.contains(&json!("endless-loops")), "it is told: {open:?}");
    let forever = "int main(void) {\n  int x = 0;\n  for (;;) {\n    x = 1 - x;\n  }\n}\n";
    assert_eq!(notes(&safe(forever)), [of(4, "endless-loop")]);
    let ends = "int main(void) {\n  int i = 0;\n  while (i < 10) i++;\n  return i;\n}\n";
    assert_eq!(notes(&safe(ends)), []);
    let leaves = "#include <stdlib.h>\n#include <stdio.h>\nint main(void) {\n  while (1) {\n    if (getchar() == 'q') exit(0);\n  }\n}\n";
    assert_eq!(notes(&safe(leaves)), []);
}

#[test]
fn a_recursion_without_an_end_is_told() {
    let endless =
        "int f(int n) {\n  return n > 9 ? f(0) : f(n);\n}\nint main(void) {\n  return f(5);\n}\n";
    let report = safe(endless);
    assert_eq!(notes(&report), [of(1, "never-ends")]);
    let open = report["unchecked"].as_array().expect("a list");
    assert!(!open.contains(&json!("endless-loops")), "it is told: {open:?}");
    let ends =
        "int f(int n) {\n  return n > 9 ? 0 : f(n + 1);\n}\nint main(void) {\n  return f(5);\n}\n";
    assert_eq!(notes(&safe(ends)), []);
    // Beside a failure, too.
    let factorial = "#include <stdio.h>\nint f(int n) { return n * f(n - 1); }\nint main(void) {\n  int n;\n  scanf(\"%d\", &n);\n  return f(n);\n}\n";
    let out =
        faultline(&["check", "-", "--dialect", "c", "--format", "json"], factorial.as_bytes());
    let report: Value = serde_json::from_slice(&out.stdout).expect("JSON");
    assert_eq!((&report["verdict"], notes(&report)), (&json!("unsafe"), vec![of(2, "never-ends")]));
    let alone = "int f(int n) { return n * f(n - 1); }\nint main(void) { return 0; }\n";
    assert_eq!(notes(&safe(alone)), [of(1, "never-returns")], "no run comes to it");
}

/// What would fail deep in such a recursion does not hold the answer up; what fails before it is
/// told as always.
#[test]
fn that_no_run_ends_is_the_headline() {
    let f = "int f(int n) { return n * f(n - 1); }\n";
    let headline = |main: &str| {
        let out = faultline(&["check", "-", "--dialect", "c"], format!("{f}{main}").as_bytes());
        let printed = text(&out.stdout);
        (code(&out), printed.lines().next().unwrap_or_default().to_string())
    };
    let endless = "`f` never returns: each of its calls leads to another call of `f`";
    assert_eq!(
        headline("int main(void) { return f(5); }\n"),
        (3, format!("No run reaches the end of the program: {endless}"))
    );
    assert_eq!(
        headline("int a[3];\nint main(void) { a[3] = 1; return f(5); }\n"),
        (
            1,
            format!(
                "It can fail: array index outside at line 3. No run reaches the end of the program: {endless}"
            )
        )
    );
    let (_, some_end) = headline("int main(int n) { if (n > 5) return f(5); return 0; }\n");
    assert!(!some_end.contains("No run reaches the end of the program"), "{some_end}");
}

/// A failing run is found within few steps, although the recursion has as many calls as its
/// argument says. Procedures that call each other without an end are told, each at its line.
#[test]
fn a_recursion_that_fails_and_one_without_an_end_are_told_within_few_steps() {
    let reports = |program: &str| {
        let arguments =
            ["check", "-", "--dialect", "c", "--max-steps", "200000", "--format", "json"];
        json(&faultline(&arguments, program.as_bytes()))
    };
    let fibonacci = "int fib(int n) {\n  if (n <= 1) return n;\n  return fib(n - 1) + fib(n - 2);\n}\nint main(void) {\n  int n = __VERIFIER_nondet_int();\n  if (n >= 0 && n <= 10) assert(fib(n) < 55);\n  return 0;\n}\n";
    let report = reports(fibonacci);
    assert_eq!((&report["verdict"], &report["error"]["line"]), (&json!("unsafe"), &json!(7)));
    let mutual = "int odd(int n);\nint even(int n) { return odd(n - 1); }\nint odd(int n) { return even(n - 1); }\nint main(void) { return even(4); }\n";
    let lines: Vec<u64> = notes(&reports(mutual)).into_iter().map(|(line, _)| line).collect();
    assert_eq!(lines, [2, 3]);
}

#[test]
fn memory_that_nothing_frees_is_told() {
    let taken = "#include <stdlib.h>\nint main(void) {\n  int *p = malloc(sizeof(int));\n  if (p == NULL) return 1;\n  *p = 3;\n";
    let report = safe(&format!("{taken}  return 0;\n}}\n"));
    assert_eq!(notes(&report), [of(3, "leak")]);
    assert!(report["unchecked"].as_array().expect("a list").contains(&json!("leaks")));
    assert_eq!(notes(&safe(&format!("{taken}  free(p);\n  return 0;\n}}\n"))), []);
}

#[test]
fn what_a_compiler_warns_of_is_told_at_its_line() {
    let program = "#include <stdio.h>
#include <string.h>
int main(void) {
  int x = 0, i;
  scanf(\"%d\", &x);
  if (x = 5) printf(\"five\\n\");
  if ((x = 6)) printf(\"six\\n\");
  x == 3;
  strlen(\"abc\");
  (void)(x + 1);
  for (i = 0; i < 3; i + 1) i++;
  return 0;
  printf(\"never\\n\");
}
";
    let report = safe(program);
    assert_eq!(
        notes(&report),
        [
            of(6, "assigned-condition"),
            of(8, "unused-result"),
            of(9, "unused-result"),
            of(11, "unused-result"),
            of(13, "unreached"),
        ]
    );
    let printed = text(&faultline(&["check", "-", "--dialect", "c"], program.as_bytes()).stdout);
    for part in ["Notes\n", "line 6: `x = 5` assigns"] {
        assert!(printed.contains(part), "no {part:?} in\n{printed}");
    }
}

#[test]
fn a_condition_that_always_comes_out_alike_is_told() {
    let of_type = "#include <stdio.h>\nint main(void) {\n  unsigned i;\n  for (i = 9; i >= 0; i--)\n    if (i == 3) break;\n  return 0;\n}\n";
    assert_eq!(notes(&safe(of_type)), [of(4, "always-true")]);
    // The index fails, and the note says why.
    let fails = "int a[10];\nint main(void) {\n  unsigned i;\n  for (i = 9; i >= 0 && a[i] == 0; i--);\n  return 0;\n}\n";
    let output = faultline(&["check", "-", "--dialect", "c", "--format", "json"], fails.as_bytes());
    assert_eq!(code(&output), 1);
    assert_eq!(notes(&json(&output)), [of(4, "always-true")]);
    let proved = "#include <stdio.h>\nint main(void) {\n  int x = 0, y = 0;\n  scanf(\"%d\", &x);\n  if (x > 10) {\n    if (x < 5) y = 1;\n  } else {\n    y = 2;\n  }\n  if (y > 3) y = 4;\n  return y;\n}\n";
    assert_eq!(notes(&safe(proved)), [of(6, "always-false"), of(10, "always-false")]);
}

#[test]
fn conditions_that_are_meant_to_be_constant_are_not_told() {
    // One run alone; a guard of the end; what callers give; a macro; a constant.
    for program in [
        "int main(void) {\n  int x = 5, y = 0;\n  if (x > 3) y = 1;\n  return y;\n}\n",
        "#include <stdio.h>\n#include <stdlib.h>\nint main(void) {\n  int x = 0;\n  scanf(\"%d\", &x);\n  if (x > 5 && x < 3) exit(1);\n  return 0;\n}\n",
        "#include <stdio.h>\nint half(int n) {\n  if (n < 0) return 0;\n  return n / 2;\n}\nint main(void) {\n  int c = getchar();\n  return half(c == 4 ? 4 : 6);\n}\n",
        "#include <stdio.h>\n#define CHECK(x) if ((x) > 300) return 1\nint main(void) {\n  int c = getchar();\n  CHECK(c);\n  return 0;\n}\n",
        "#include <stdio.h>\nint main(void) {\n  int c = 0;\n  while (1) {\n    c = getchar();\n    if (c < 10) break;\n  }\n  return 0;\n}\n",
    ] {
        assert_eq!(notes(&safe(program)), [], "{program}");
    }
}

const RACE: &str = "#include <pthread.h>
int counter = 0;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *add(void *p) {
  BEFORE
  counter++;
  AFTER
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  LAST
  return 0;
}
";

fn threads(before: &str, after: &str, last: &str) -> (i32, String) {
    let program = RACE.replace("BEFORE", before).replace("AFTER", after).replace("LAST", last);
    let output = faultline(&["threads", "-", "--dialect", "c"], program.as_bytes());
    (code(&output), text(&output.stdout))
}

#[test]
fn data_races_are_looked_for_where_nothing_else_is_an_error() {
    let (code, printed) = threads("", "", "");
    assert_eq!(code, 1, "{printed}");
    assert!(printed.contains("data race on counter"), "{printed}");
    let (code, printed) = threads("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);", "");
    assert_eq!(code, 0, "{printed}");
    assert!(printed.contains("no data race, whatever the number of switches"), "{printed}");
    assert!(!printed.contains("Not checked: data races"), "{printed}");
}

#[test]
fn where_the_program_says_what_an_error_is_data_races_are_named_as_not_checked() {
    let last = "if (counter > 2) __assert_fail();";
    let (code, printed) = threads("", "", last);
    assert_eq!(code, 0, "{printed}");
    assert!(printed.contains("Not checked: data races."), "{printed}");
    assert!(printed.contains("faultline threads --check race FILE"), "{printed}");
}

#[test]
fn notes_are_results_of_sarif() {
    let program = "int main(void) {\n  int x = 3;\n  x == 4;\n  return 0;\n}\n";
    let arguments = ["check", "-", "--dialect", "c", "--format", "sarif"];
    let log = json(&faultline(&arguments, program.as_bytes()));
    let results = &log["runs"][0]["results"];
    assert_eq!(results.as_array().map(Vec::len), Some(1), "{results}");
    assert_eq!(
        (&results[0]["level"], &results[0]["ruleId"]),
        (&json!("note"), &json!("unused-result"))
    );
    let rule = results[0]["ruleIndex"].as_u64().expect("an index") as usize;
    assert_eq!(log["runs"][0]["tool"]["driver"]["rules"][rule]["id"], "unused-result");
}
