//! `faultline check --engine bounded`, and where the bounded engine comes in by itself.

use super::calling::{code, faultline, file, text};
use serde_json::Value;

fn path(name: &str, text: &str) -> String {
    file(name, text.as_bytes()).to_str().expect("a plain path").to_string()
}

fn json(arguments: &[&str]) -> (i32, Value) {
    let output = faultline(arguments, b"");
    let told = text(&output.stdout);
    (code(&output), serde_json::from_str(&told).unwrap_or_else(|_| panic!("no JSON: {told}")))
}

fn average(divisor: &str) -> String {
    format!(
        "#include <stdio.h>\n#include <assert.h>\nint main(void) {{\n  double sum = 0, x;\n  \
         for (int i = 0; i < 3; i++) {{\n    if (scanf(\"%lf\", &x) != 1 || !(x >= 0 && x <= 10)) return 1;\n    \
         sum += x;\n  }}\n  assert(sum / {divisor} <= 10);\n  return 0;\n}}\n"
    )
}

/// Floating point that is read: only the typed front end takes it, so the bounded engine answers.
#[test]
fn floating_point_is_decided() {
    let (code, wrong) = json(&["check", &path("wrong.c", &average("2")), "--format", "json"]);
    assert_eq!((code, &wrong["verdict"]), (1, &"unsafe".into()), "{wrong}");
    assert_eq!((&wrong["decided_by"], &wrong["error"]["line"]), (&"bounded".into(), &9.into()));
    let input = wrong["input"].as_str().expect("an input");
    let numbers: Vec<f64> = input.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    assert_eq!(numbers.len(), 3, "{input}");
    assert!(numbers.iter().sum::<f64>() > 20.0, "{input}");
    let trace = wrong["trace"].as_array().expect("a run");
    assert_eq!(trace.last().expect("a step")["line"], 9);
    let (code, right) = json(&["check", &path("right.c", &average("3")), "--format", "json"]);
    assert_eq!((code, &right["verdict"]), (0, &"safe".into()), "{right}");
    assert_eq!(right["proof"]["checked"], true);
}

#[test]
fn text_that_is_too_long() {
    let program = |width: &str| {
        format!(
            "#include <stdio.h>\nint main(void) {{\n  char name[12];\n  if (scanf(\"%{width}s\", name) != 1)\n    \
             return 1;\n  printf(\"%s\\n\", name);\n  return 0;\n}}\n"
        )
    };
    let told = faultline(&["check", &path("long.c", &program(""))], b"");
    assert_eq!(code(&told), 1);
    let told = text(&told.stdout);
    assert!(told.contains("at line 4") && told.contains("with the input \""), "{told}");
    assert_eq!(code(&faultline(&["check", &path("fits.c", &program("11"))], b"")), 0);
    assert_eq!(code(&faultline(&["check", &path("by_one.c", &program("12"))], b"")), 1);
}

/// A loop whose rounds the input decides: the bound is told, and that is no proof.
#[test]
fn a_bound_is_no_proof() {
    let program = "#include <stdio.h>\n#include <assert.h>\nint main(void) {\n  unsigned n, s = 0;\n  \
        if (scanf(\"%u\", &n) != 1) return 0;\n  while (n > 0) { s ^= n; n = n * 3 / 4; }\n  \
        assert(s != 77777);\n  return 0;\n}\n";
    let program = path("bound.c", program);
    let asked = ["check", &program, "--engine", "bounded", "--timeout", "4", "--format", "json"];
    let (code, report) = json(&asked);
    // Whether it is found in time or not: a run is shown, or the bound is.
    match code {
        1 => assert!(report["input"].is_string()),
        _ => assert!(report["bound"].is_u64() && report["verdict"] == "unknown", "{report}"),
    }
}

#[test]
fn what_has_no_place_is_refused() {
    let program = path("any.c", "int main(void) { return 0; }\n");
    for options in [&["--bits", "16"][..], &["--check", "leak"], &["--format", "sarif"]] {
        let mut arguments = vec!["check", &program, "--engine", "bounded"];
        arguments.extend(options);
        let output = faultline(&arguments, b"");
        assert_eq!(code(&output), 2, "{options:?}");
        assert!(text(&output.stderr).contains("bounded engine"), "{options:?}");
    }
    // Threads are not for it, and nothing says that they are safe.
    let threads = "int x; int main(void) { __CPROVER_ASYNC_1: x = 1; return 0; }\n";
    let output = faultline(&["check", &path("async.c", threads), "--engine", "bounded"], b"");
    assert_eq!(code(&output), 2);
    // The diagrams alone refuse what they do not read.
    let floating = path("floating.c", &average("2"));
    assert_eq!(code(&faultline(&["check", &floating, "--engine", "diagrams"], b"")), 2);
}

#[test]
fn what_a_program_says_of_itself_holds_for_this_engine_too() {
    let answer = |before: &str| {
        let text = format!(
            "{before}#include <stdio.h>\nint main(void) {{\n  int n;\n  if (scanf(\"%d\", &n) != 1) \
             return 1;\n  return n + 1 > n;\n}}\n"
        );
        code(&faultline(&["check", "-", "--engine", "bounded"], text.as_bytes()))
    };
    assert_eq!(answer(""), 1, "the sum overflows");
    assert_eq!(answer("//! check = division\n"), 0, "which nobody asks about");
    assert_eq!(answer("//! bits = 8\n"), 2, "it has `int` of 32 bits only");
    assert_eq!(answer("//! error = (n == 3)\n"), 2, "it knows no such errors");
}

/// What the program's author must mend is told, though the other engine could execute it.
#[test]
fn a_mistake_is_told_and_not_executed() {
    let program =
        "#include <stdio.h>\nint main(void) {\n  int x = 0;\n  scanf(\"%d\", x);\n  return x;\n}\n";
    let output = faultline(&["check", "-", "--dialect", "c"], program.as_bytes());
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(said.contains("write `&x`"), "{said}");
}

/// CBMC's quantifiers: only the typed front end takes them, and over a range without an end they
/// are refused by name.
#[test]
fn quantifiers_are_decided() {
    let program = |body: &str| {
        format!(
            "int a[4];\nint main(void) {{\n  __CPROVER_assert(__CPROVER_forall {{ int i; {body} }}, \
             \"\");\n  return 0;\n}}\n"
        )
    };
    let right = path("all.c", &program("i >= 0 && i < 4 ==> a[i] == 0"));
    let (code_right, found) = json(&["check", &right, "--format", "json"]);
    assert_eq!((code_right, &found["verdict"]), (0, &"safe".into()), "{found}");
    let wrong = path("not_all.c", &program("i >= 0 && i < 4 ==> a[i] == i"));
    let (code_wrong, found) = json(&["check", &wrong, "--format", "json"]);
    assert_eq!((code_wrong, &found["verdict"]), (1, &"unsafe".into()), "{found}");
    let open = path("open.c", &program("i >= 0 ==> a[0] < 1 + (i & 1)"));
    let output = faultline(&["check", &open], b"");
    assert_eq!(code(&output), 2);
    assert!(text(&output.stderr).contains("quantifiers"), "{}", text(&output.stderr));
}
