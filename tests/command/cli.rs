//! The command as scripts use it: exit codes, JSON keys, and clear words for bad input.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

const UNSAFE: &str = "int x;
void up(int by) {
  x = x + by;
}
void main() {
  x = 1;
  if (*) {
    up(2);
  } else {
    x = 0;
  }
  assert(x != 3);
}
";

const SAFE: &str = "void main() {
  int x;
  x = 1;
  assert(x == 1);
}
";

/// Runs the command with this on its standard input.
fn faultline(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_faultline"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command was built");
    // A command that refuses its arguments does not read its input.
    let _ = child.stdin.take().expect("it is piped").write_all(input);
    child.wait_with_output().expect("the command ends")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the command speaks UTF-8")
}

/// The exit code; a panic must not look like an answer.
fn code(output: &Output) -> i32 {
    assert!(!text(&output.stderr).contains("panicked"), "{}", text(&output.stderr));
    output.status.code().expect("it was not killed")
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).expect("JSON on standard output")
}

/// A file of its own for a test.
fn file(name: &str, contents: &[u8]) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, contents).expect("the target directory is writable");
    path
}

/// Bad input: exit code 2, nothing on standard output, and these words on standard error.
fn refused(arguments: &[&str], input: &[u8], words: &[&str]) {
    let output = faultline(arguments, input);
    let errors = text(&output.stderr);
    assert_eq!(code(&output), 2, "{errors}");
    assert!(output.stdout.is_empty(), "{}", text(&output.stdout));
    for word in words {
        assert!(errors.contains(word), "no {word:?} in\n{errors}");
    }
}

#[test]
fn an_unsafe_program_in_json() {
    let output = faultline(&["projection", "-", "--format", "json"], UNSAFE.as_bytes());
    assert_eq!(code(&output), 1, "{}", text(&output.stderr));
    let report = json(&output);
    assert_eq!(report["verdict"], "unsafe");
    assert_eq!(report["options"]["bits"], 4);
    assert_eq!(report["options"]["globals"], "any");
    assert_eq!(report["error"]["line"], 12);
    assert_eq!(report["error"]["kind"], "assertion");
    assert_eq!(report["projection"]["lines"], serde_json::json!([3, 6, 7, 8, 12]));
    assert_eq!(report["projection"]["method"], "functional");
    let trace = report["trace"].as_array().expect("a trace");
    let lines: Vec<_> = trace.iter().map(|entry| entry["line"].as_u64().expect("a line")).collect();
    assert_eq!(lines, [6, 7, 8, 3, 12]);
    assert_eq!(trace[3]["procedure"], "up");
    assert_eq!(trace[3]["thread"], 0);
    assert_eq!(trace[3]["values"], serde_json::json!({"x": 1, "by": 2}));
    assert_eq!(trace[4]["values"], serde_json::json!({"x": 3}));
}

#[test]
fn an_unsafe_program_in_words() {
    let output = faultline(&["projection", "-"], UNSAFE.as_bytes());
    assert_eq!(code(&output), 1);
    let report = text(&output.stdout);
    for part in [
        "It can fail: assertion at line 12",
        "4-bit",
        "assert(x != 3)",
        "x = 3",
        "8 |     up(2);",
        "10 ·     x = 0;",
    ] {
        assert!(report.contains(part), "no {part:?} in\n{report}");
    }
    assert!(!report.contains('\u{1b}'), "no colours into a pipe");
}

#[test]
fn check_gives_no_projection() {
    let report = json(&faultline(&["check", "-", "--format=json"], UNSAFE.as_bytes()));
    assert_eq!(report["analysis"], "check");
    assert!(report.get("projection").is_none() && report["trace"].is_array());
}

#[test]
fn a_safe_program() {
    let output = faultline(&["projection", "-", "--format", "json"], SAFE.as_bytes());
    assert_eq!(code(&output), 0);
    let report = json(&output);
    assert_eq!(report["verdict"], "safe");
    assert_eq!(report["projection"]["lines"], serde_json::json!([]));
    assert_eq!(report["projection"]["nodes"], 0);
    assert!(
        report.get("error").is_none()
            && report.get("trace").is_none()
            && report.get("limit").is_none()
    );
}

#[test]
fn files_are_read_and_reports_do_not_change() {
    let path = file("safe.cimple", SAFE.as_bytes());
    let path = path.to_str().expect("a plain path");
    let first = faultline(&["check", path, "--format", "json"], b"");
    let second = faultline(&["check", path, "--format", "json"], b"");
    assert_eq!(code(&first), 0);
    assert_eq!(first.stdout, second.stdout);
}

#[test]
fn flags_beat_directives() {
    let source = "//! bits = 8\n//! globals = any\nint g;\nvoid main() { assert(g == 0); }\n";
    let output = faultline(
        &["check", "-", "--format", "json", "--bits", "3", "--globals", "zero"],
        source.as_bytes(),
    );
    assert_eq!(code(&output), 0);
    assert_eq!(json(&output)["options"]["bits"], 3);
    assert_eq!(code(&faultline(&["check", "-"], source.as_bytes())), 1);
}

#[test]
fn checks_can_be_switched() {
    let source = b"int a[3]; int i; void main() { a[i] = 1; }";
    assert_eq!(code(&faultline(&["check", "-"], source)), 1);
    assert_eq!(code(&faultline(&["check", "-", "--check", "none"], source)), 0);
    assert_eq!(code(&faultline(&["check", "-", "--check", "division"], source)), 0);
}

#[test]
fn only_one_error_counts() {
    let source = b"int x;\nvoid main() {\n  assert(x != 1);\n  assert(x != 2);\n}\n";
    let report = json(&faultline(&["projection", "-", "--error", "4", "--format", "json"], source));
    assert_eq!(report["error"]["line"], 4);
    assert_eq!(report["projection"]["lines"], serde_json::json!([3, 4]));
    assert_eq!(report["options"]["error"], 4);
}

/// By every exact method the same; and the slice stands beside it, in JSON and in words.
#[test]
fn methods_and_the_slice() {
    let source = b"int x;\nvoid main() {\n  int unused = 1;\n  x = 2;\n  if (x == 2)\n    x = 3;\n  else x = 4;\n  assert(x == 4);\n}\n";
    for method in ["functional", "per-node", "double-prestar", "double-poststar"] {
        let report =
            json(&faultline(&["projection", "-", "--format", "json", "--method", method], source));
        assert_eq!(report["projection"]["method"], method);
        assert_eq!(report["projection"]["lines"], serde_json::json!([3, 4, 5, 6, 8]));
        assert_eq!(report["projection"]["slice"]["lines"], serde_json::json!([4, 5, 6, 7, 8]));
    }
    let text = String::from_utf8(faultline(&["projection", "-"], source).stdout).expect("text");
    assert!(
        text.contains("on 5 lines; only in the slice: line 7; only in the projection: line 3\n"),
        "{text}"
    );
}

#[test]
fn the_naive_projection_is_larger() {
    let source = b"bool b; void p() {\nn: skip; }\nvoid main() { if (*) {\nb = false; p(); assume(b); }\nelse if (*) {\nb = true; p(); assume(!b); }\nerror: skip; }\n";
    let lines = |method: &str| {
        json(&faultline(&["projection", "-", "--format", "json", "--method", method], source))["projection"]["lines"].clone()
    };
    let naive = lines("naive");
    let exact = lines("functional");
    assert!(naive.as_array().expect("lines").contains(&serde_json::json!(2)), "{naive}");
    assert!(!exact.as_array().expect("lines").contains(&serde_json::json!(2)), "{exact}");
}

#[test]
fn a_label_can_be_an_error() {
    let source = b"void main() {\nbad: skip;\n}\n";
    assert_eq!(code(&faultline(&["check", "-"], source)), 0);
    assert_eq!(code(&faultline(&["check", "-", "--label", "bad"], source)), 1);
}

#[test]
fn a_limit_is_an_answer() {
    let output =
        faultline(&["projection", "-", "--max-steps", "1", "--format", "json"], UNSAFE.as_bytes());
    assert_eq!(code(&output), 3);
    let report = json(&output);
    assert_eq!(report["verdict"], "unknown");
    assert_eq!(report["limit"], "steps");
}

#[test]
fn help_and_version() {
    for argument in ["--help", "--version"] {
        let output = faultline(&[argument], b"");
        assert_eq!(code(&output), 0);
        assert!(text(&output.stdout).contains("faultline"));
    }
}

/// The contract: `rounds`, and with `--explain` per node `interpolants`.
#[test]
fn refinement_in_json() {
    let output = faultline(
        &["cegar", "-", "--format", "json", "--explain", "--interpolants", "weakest"],
        SAFE.as_bytes(),
    );
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let report = json(&output);
    assert_eq!((&report["analysis"], &report["verdict"]), (&"cegar".into(), &"safe".into()));
    assert_eq!(report["proof"]["checked"], true);
    let rounds = report["rounds"].as_array().expect("a list");
    assert_eq!(rounds.len(), 2);
    assert_eq!(
        (&rounds[0]["predicates_added"], &rounds[0]["max_predicates"]),
        (&1.into(), &1.into())
    );
    assert_eq!((&rounds[0]["spurious"], &rounds[1]["dag_nodes"]), (&true.into(), &0.into()));
    assert!(rounds[0]["dag_nodes"].as_u64().is_some_and(|nodes| nodes > 3));
    let nodes = report["interpolants"].as_array().expect("a list");
    let at_assertion = nodes.iter().find(|node| node["line"] == 4).expect("a node");
    assert_eq!(
        (&at_assertion["readable"], &at_assertion["strongest"]["text"]),
        (&"x = 1".into(), &"x = 1".into())
    );
    for key in ["line", "strongest", "weakest", "chosen", "readable"] {
        assert!(!at_assertion[key].is_null(), "{key}");
    }

    let output = faultline(&["cegar", "-", "--format", "json"], UNSAFE.as_bytes());
    assert_eq!(code(&output), 1, "{}", text(&output.stderr));
    let report = json(&output);
    assert_eq!((&report["verdict"], &report["error"]["line"]), (&"unsafe".into(), &12.into()));
    assert_eq!(
        report["trace"].as_array().and_then(|trace| trace.last()).map(|last| &last["line"]),
        Some(&12.into())
    );
    assert!(report["interpolants"].is_null());

    let output = faultline(&["cegar", "-", "--max-rounds", "0"], SAFE.as_bytes());
    assert_eq!(code(&output), 3);
    assert!(text(&output.stdout).contains("Unknown"), "{}", text(&output.stdout));
}

#[test]
fn causes_in_json_and_in_words() {
    let lock = include_str!("../golden/localize/fig-1.cimple");
    let output =
        faultline(&["localize", "-", "--dialect", "cimple", "--format", "json"], lock.as_bytes());
    assert_eq!(code(&output), 1);
    let report = json(&output);
    assert_eq!(report["verdict"], "unsafe");
    assert_eq!(report["error"]["line"], 5);
    let lines: Vec<_> = report["causes"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|cause| cause["lines"].clone())
        .collect();
    assert_eq!(lines, [serde_json::json!([4]), serde_json::json!([8])]);
    for cause in report["causes"].as_array().expect("a list") {
        assert_eq!(cause["variant"], "edges");
        assert_eq!(
            cause["trace"].as_array().expect("a run").last().expect("its failing statement")["line"],
            cause["error"]["line"]
        );
    }
    assert_eq!(report["ended"], "no-error");
    let arguments =
        ["localize", "-", "--dialect", "cimple", "--variant", "transitions", "--max-traces", "1"];
    let words = text(&faultline(&arguments, lock.as_bytes()).stdout);
    assert!(
        words.contains("cause: line 4")
            && !words.contains("cause: line 8")
            && words.contains("as many were looked for"),
        "{words}"
    );
    let output =
        faultline(&["localize", "-", "--dialect", "cimple", "--trust", "main"], lock.as_bytes());
    assert!(
        text(&output.stdout).contains("no cause") && text(&output.stdout).contains("trusted"),
        "{}",
        text(&output.stdout)
    );
}

#[test]
fn a_safe_program_has_no_causes() {
    let output = faultline(&["localize", "-", "--format", "json"], SAFE.as_bytes());
    assert_eq!(code(&output), 0);
    let report = json(&output);
    assert_eq!(report["causes"], serde_json::json!([]));
    assert_eq!(report["proof"]["checked"], true);
}

#[test]
fn localize_ranks_suspicious_statements() {
    let source = "int x;\nint y;\nvoid main() {\n  x = nondet();\n  y = 0;\n  if (x > 3) {\n    y = 1;\n  }\n  assert(y == (x >= 3));\n}\n";
    let output = faultline(&["localize", "-", "--suspects", "--format", "json"], source.as_bytes());
    assert_eq!(code(&output), 1, "{}", text(&output.stderr));
    let report = json(&output);
    let (first, failing, passing) =
        (&report["suspects"][0], &report["known_failing"], &report["known_passing"]);
    assert_eq!(
        (&first["line"], &first["procedure"]),
        (&serde_json::json!(6), &serde_json::json!("main"))
    );
    assert_eq!(
        first["change"],
        serde_json::json!({"kind": "operator", "old": "x > 3", "new": "x >= 3", "mended": failing, "kept": passing})
    );
    assert!(
        failing.as_u64() > Some(0)
            && passing.as_u64() > Some(0)
            && report["changes_tried"].as_u64() > Some(20),
        "{report}"
    );
    assert_eq!(
        report["suspects_notes"][0],
        "The order comes from executed runs alone: nothing is proved"
    );
    assert!(
        report["causes"].is_array()
            && report.get("repairs").is_none()
            && report.get("suspects_limit").is_none()
    );

    let output = faultline(&["localize", "-", "--suspects"], source.as_bytes());
    let shown = text(&output.stdout);
    assert!(
        shown.contains("Suspicious statements (") && shown.contains("   1. line 6: if (x > 3)"),
        "{shown}"
    );
    assert!(
        shown.contains("With `x >= 3` instead of `x > 3`, ") && shown.contains("nothing is proved"),
        "{shown}"
    );

    let output = faultline(&["localize", "-", "--format", "json"], source.as_bytes());
    assert!(json(&output).get("suspects").is_none(), "only where asked for");
    let output = faultline(&["localize", "-", "--suspects", "--format", "json"], SAFE.as_bytes());
    assert_eq!((code(&output), json(&output).get("suspects")), (0, None));
    let output = faultline(
        &["localize", "-", "--suspects", "--trust", "main", "--format", "json"],
        source.as_bytes(),
    );
    assert_eq!(json(&output)["suspects"], serde_json::json!([]), "never blamed");
}

#[test]
fn what_localize_cannot_do_it_says() {
    refused(&["localize", "-", "--trust", "nobody"], UNSAFE.as_bytes(), &["--trust", "nobody"]);
    refused(&["localize", "-", "--invariants"], UNSAFE.as_bytes(), &["--invariants", "check"]);
    refused(&["localize", "-", "--max-traces", "0"], UNSAFE.as_bytes(), &["--max-traces"]);
    let output =
        faultline(&["localize", "-", "--max-steps", "1", "--format", "json"], UNSAFE.as_bytes());
    assert_eq!((code(&output), json(&output)["limit"].clone()), (3, "steps".into()));
}

#[test]
fn bad_usage() {
    refused(&[], b"", &["Usage"]);
    refused(&["frobnicate", "-"], b"", &["frobnicate"]);
    refused(&["check"], b"", &["FILE"]);
    refused(&["check", "-", "--frobnicate"], b"", &["--frobnicate"]);
    refused(&["check", "-", "--bits", "0"], b"", &["--bits", "1..=32"]);
    refused(&["check", "-", "--bits", "99"], b"", &["--bits", "1..=32"]);
    refused(&["check", "-", "--check", "bonds"], b"", &["bonds", "bounds"]);
    refused(&["check", "-", "--dialect", "fortran"], b"", &["fortran", "remopla"]);
    refused(
        &["threads", "-", "--method", "prettiest"],
        SAFE.as_bytes(),
        &["prettiest", "transducer"],
    );
    refused(
        &["cegar", "-", "--interpolants", "prettiest"],
        b"",
        &["prettiest", "skip-conciliated"],
    );
    refused(&["cegar", "-", "--predicate", "x = 1"], SAFE.as_bytes(), &["EXPR@LINE"]);
    refused(&["cegar", "-", "--predicate", "y = 1@everywhere"], SAFE.as_bytes(), &["y"]);
    refused(&["cegar", "-", "--predicate", "x = 1@99"], SAFE.as_bytes(), &["99"]);
}

#[test]
fn bad_files() {
    refused(&["check", "no/such/file.cimple"], b"", &["no/such/file.cimple"]);
    refused(&["check", env!("CARGO_TARGET_TMPDIR")], b"", &["cannot read"]);
    let garbage: Vec<u8> =
        (0..4096u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let path = file("garbage.cimple", &garbage);
    refused(&["check", path.to_str().expect("a plain path")], b"", &["UTF-8"]);
    refused(&["check", "-"], &garbage, &["UTF-8"]);
}

#[test]
fn bad_programs() {
    refused(&["check", "-"], b"", &["Error"]);
    refused(&["check", "-"], b"void main() { int x; x = y; }", &["`y`"]);
    refused(&["check", "-"], b"void main() { if (*) { ", &["Error"]);
    refused(&["check", "-"], b"}}}}", &["Error"]);
    refused(&["check", "-"], b"void main() { int *p; }", &["pointer"]);
    refused(&["check", "-"], b"//! bits = 99\nvoid main() { }", &["bits"]);
    refused(&["check", "-"], b"//! bits = 0\nvoid main() { }", &["bits"]);
    refused(&["check", "-"], "void main() { \u{0}\u{1}\u{fffd} }".as_bytes(), &["Error"]);
}

#[test]
fn deep_nesting_is_refused_not_fatal() {
    let deep = |open: &str, close: &str| {
        format!("int x; void main() {{ x = {}1{}; }}", open.repeat(50_000), close.repeat(50_000))
    };
    refused(&["check", "-"], deep("(", ")").as_bytes(), &["deep"]);
    let blocks = format!("void main() {{ {} {} }}", "{".repeat(50_000), "}".repeat(50_000));
    refused(&["check", "-"], blocks.as_bytes(), &["deep"]);
}

#[test]
fn ten_thousand_lines() {
    let mut source = String::from("int x;\nvoid main() {\n  x = 0;\n");
    for _ in 0..10_000 {
        source.push_str("  x = x + 1;\n");
    }
    source.push_str("  assert(x == 0);\n}\n");
    // 10,000 is 0 modulo 16.
    let output = faultline(&["check", "-", "--format", "json"], source.as_bytes());
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let broken = "  x = = 1;\n".repeat(10_000);
    refused(&["check", "-"], format!("int x;\nvoid main() {{\n{broken}}}\n").as_bytes(), &["more"]);
}

/// A condition that cannot be evaluated is where the run fails, so its line is lit although neither
/// outcome is on a failing run.
#[test]
fn a_condition_whose_evaluation_fails_is_lit() {
    let source =
        "int a[3];\nvoid main() {\n  int i = 3;\n  if (a[i] > 0) {\n    skip;\n  }\n  i = 0;\n}\n";
    let output = faultline(&["projection", "-", "--format", "json"], source.as_bytes());
    assert_eq!(code(&output), 1, "{}", text(&output.stderr));
    let report = json(&output);
    assert_eq!(report["error"]["kind"], "bounds");
    assert_eq!(report["projection"]["lines"], serde_json::json!([3, 4]));
    assert_eq!(report["projection"]["nodes"], 2);
}

/// "Safe" must not be read as a proof where nothing was to be proved.
#[test]
fn a_program_without_anything_to_check_says_so() {
    let output = faultline(&["check", "-"], b"int x;\nvoid main() { x = 1; }\n");
    assert_eq!(code(&output), 0);
    assert!(text(&output.stdout).contains("Nothing to check"), "{}", text(&output.stdout));
}

const TWO_WAYS: &str = "int x;
void main() {
  x = 0;
  if (*) {
    x = 1;
  } else {
    x = 1;
    x = 2;
    x = 1;
  }
  assert(x != 1);
  x = 3;
}
";

#[test]
fn the_shown_run_is_a_shortest_one() {
    for analysis in ["check", "projection"] {
        let report = json(&faultline(&[analysis, "-", "--format", "json"], TWO_WAYS.as_bytes()));
        assert_eq!(report["shortest"], true);
        assert_eq!(report["trace"].as_array().expect("a trace").len(), 4);
        assert_eq!(report["projection"].get("through"), None);
    }
}

#[test]
fn a_shortest_run_through_lines() {
    let report = json(&faultline(
        &["projection", "-", "--format", "json", "--through", "8"],
        TWO_WAYS.as_bytes(),
    ));
    assert_eq!(
        report["trace"].as_array().expect("a trace").len(),
        4,
        "the overall shortest one is still there"
    );
    let through = &report["projection"]["through"];
    assert_eq!(
        (&through["lines"], &through["exists"]),
        (&serde_json::json!([8]), &serde_json::json!(true))
    );
    let lines = |trace: &serde_json::Value| -> Vec<u64> {
        trace
            .as_array()
            .expect("a trace")
            .iter()
            .map(|entry| entry["line"].as_u64().expect("a line"))
            .collect()
    };
    assert_eq!(lines(&through["trace"]), [3, 4, 7, 8, 9, 11]);
    assert_eq!(through["error"]["line"], 11);
    let output = faultline(&["projection", "-", "--through", "3,9"], TWO_WAYS.as_bytes());
    assert_eq!(code(&output), 1);
    assert!(
        text(&output.stdout).contains("Shortest failing run through lines 3 and 9: 6 statements"),
        "{}",
        text(&output.stdout)
    );
}

#[test]
fn lines_that_no_failing_run_goes_through() {
    let through = |lines: &str| {
        let output = faultline(
            &["projection", "-", "--format", "json", "--through", lines],
            TWO_WAYS.as_bytes(),
        );
        assert_eq!(code(&output), 1);
        json(&output)["projection"]["through"].clone()
    };
    let alone = through("3,12");
    assert_eq!(
        (&alone["exists"], &alone["never"]),
        (&serde_json::json!(false), &serde_json::json!([12]))
    );
    let together = through("5,8");
    assert_eq!((&together["exists"], together.get("never")), (&serde_json::json!(false), None));
    let words = |lines: &str| {
        text(&faultline(&["projection", "-", "--through", lines], TWO_WAYS.as_bytes()).stdout)
    };
    assert!(words("3,12").contains("No failing run goes through line 12"), "{}", words("3,12"));
    assert!(
        words("5,8").contains("No failing run goes through lines 5 and 8 together"),
        "{}",
        words("5,8")
    );
    let safe = json(&faultline(
        &["projection", "-", "--format", "json", "--through", "4"],
        SAFE.as_bytes(),
    ));
    assert_eq!(safe["projection"]["through"]["exists"], false);
}

#[test]
fn bad_lines_to_go_through() {
    let line = |lines: &str, words: &[&str]| {
        refused(&["projection", "-", "--through", lines], TWO_WAYS.as_bytes(), words)
    };
    line("1", &["--through 1", "no statement starts on line 1", "line 3"]);
    line("5,99", &["--through 99", "line 12"]);
    line("0", &["--through"]);
    line("3,4,5,7,8,9,11,12,13", &["at most 8 lines, not 9"]);
    refused(&["check", "-", "--through", "5"], TWO_WAYS.as_bytes(), &["--through"]);
}

#[test]
fn a_safe_program_shows_its_invariant() {
    let output = faultline(&["check", "-", "--invariants", "--format", "json"], SAFE.as_bytes());
    assert_eq!(code(&output), 0);
    let report = json(&output);
    assert_eq!(report["proof"], serde_json::json!({ "checked": true }));
    let invariant = report["invariant"].as_array().expect("a list");
    let at = |line: u64| {
        invariant.iter().find(|one| one["line"] == line).expect("each statement's line is there")
    };
    assert_eq!((&at(3)["procedure"], &at(3)["formula"]), (&"main".into(), &"true".into()));
    assert_eq!(at(4)["formula"], "x = 1");
    let shown = text(&faultline(&["check", "-", "--invariants"], SAFE.as_bytes()).stdout);
    assert!(
        shown.contains("proved by an inductive invariant") && shown.contains("  4  x = 1\n"),
        "{shown}"
    );
    // Only where it is asked for, and of a safe program.
    assert!(
        json(&faultline(&["check", "-", "--format", "json"], SAFE.as_bytes()))["invariant"]
            .is_null()
    );
    let report =
        json(&faultline(&["check", "-", "--invariants", "--format", "json"], UNSAFE.as_bytes()));
    assert!(report["invariant"].is_null() && report["proof"].is_null());
}

#[test]
fn a_proof_that_is_cut_short_is_said_to_be_so() {
    let counting = "int g; void add(int n) { g = g + n; } void main() { int i = 0; g = 0; while (i < 3) { add(2); i = i + 1; } assert(g == 6); }";
    let check = |steps: &str| {
        json(&faultline(
            &["check", "-", "--format", "json", "--max-steps", steps],
            counting.as_bytes(),
        ))
    };
    let whole = check("1000000");
    assert_eq!((&whole["verdict"], &whole["proof"]["checked"]), (&"safe".into(), &true.into()));
    // The last step is the proof's; without it the verdict stands, and says what it lacks.
    let steps = whole["statistics"]["steps"].as_u64().expect("a number");
    let short = check(&(steps - 1).to_string());
    assert_eq!(
        (&short["verdict"], &short["proof"]),
        (&"safe".into(), &serde_json::json!({ "checked": false, "limit": "steps" }))
    );
    let none = check("50");
    assert_eq!(
        (&none["verdict"], &none["limit"], none["proof"].is_null()),
        (&"unknown".into(), &"steps".into(), true)
    );
}

#[test]
fn witnesses_are_written_for_both_verdicts() {
    for (program, name, kind) in
        [(SAFE, "safe", "invariant_set"), (UNSAFE, "unsafe", "violation_sequence")]
    {
        let source = file(&format!("witness-{name}.cimple"), program.as_bytes());
        let witness = file(&format!("witness-{name}.yml"), b"");
        let (source, path) = (source.to_str().expect("UTF-8"), witness.to_str().expect("UTF-8"));
        for analysis in ["check", "projection"] {
            code(&faultline(&[analysis, source, "--witness", path], b""));
            let written = std::fs::read_to_string(&witness).expect("it was written");
            assert!(written.starts_with(&format!("- entry_type: {kind}\n")), "{written}");
            assert!(written.contains(&format!("- {}", serde_json::json!(source))), "{written}");
        }
    }
    let nowhere = faultline(&["check", "-", "--witness", "/nowhere/at/all.yml"], SAFE.as_bytes());
    assert_eq!(code(&nowhere), 0);
    assert!(text(&nowhere.stderr).contains("cannot write"), "{}", text(&nowhere.stderr));
}

/// Fig. 1 of the paper: `p` is called twice, and only the callers rule out what would fail.
const FIGURE_1: &str = include_str!("../../static/examples/correlation.cimple");

fn projection(arguments: &[&str], input: &str) -> (Output, serde_json::Value) {
    let arguments: Vec<&str> =
        ["projection", "-", "--format", "json"].iter().chain(arguments).copied().collect();
    let output = faultline(&arguments, input.as_bytes());
    assert!(code(&output) < 2, "{}", text(&output.stderr));
    let report = json(&output);
    (output, report)
}

#[test]
fn the_stores_that_fail_at_a_line() {
    // Before line 12, x is 1 or, after the call, 3: only 3 fails.
    let (output, report) = projection(&["--stores", "12"], UNSAFE);
    assert_eq!(code(&output), 1);
    let stores = &report["stores"];
    assert_eq!(
        (stores["line"].as_u64(), stores["formula"].as_str(), stores["count"].as_str()),
        (Some(12), Some("x = 3"), Some("1"))
    );
    assert!(stores.get("possible").is_none() && stores.get("where").is_none(), "{stores}");
    assert_eq!(stores["statements"][0]["statement"], "assert(x != 3)");
    // Inside the callee, the parameter is in scope.
    let (_, report) = projection(&["--stores", "3", "--where", "x > 0 && by == 2"], UNSAFE);
    assert_eq!(report["stores"]["possible"], true);
    assert_eq!(report["stores"]["example"], serde_json::json!({"x": 1, "by": 2}));
    let (_, report) = projection(&["--stores", "3", "--where", "x != 1"], UNSAFE);
    assert_eq!(
        (&report["stores"]["possible"], &report["stores"]["example"]),
        (&false.into(), &serde_json::Value::Null)
    );
    assert_eq!(report["stores"]["where"], "x != 1");
}

#[test]
fn several_statements_on_one_line() {
    let (_, report) = projection(&["--stores", "7", "--where", "x == 1"], UNSAFE);
    let statements = report["stores"]["statements"].as_array().expect("a list").clone();
    let outcomes: Vec<&str> =
        statements.iter().map(|s| s["outcome"].as_str().expect("an outcome")).collect();
    assert_eq!(outcomes, ["true", "false"]);
    assert_eq!(
        (&statements[0]["possible"], &statements[1]["possible"]),
        (&true.into(), &false.into())
    );
    assert_eq!((&statements[0]["count"], &statements[1]["count"]), (&"1".into(), &"0".into()));
    assert_eq!(
        (&report["stores"]["formula"], &report["stores"]["possible"]),
        (&"x = 1".into(), &true.into())
    );
}

#[test]
fn why_a_line_is_innocent() {
    let (_, report) = projection(&["--why", "4"], FIGURE_1);
    let why = &report["why"];
    assert_eq!((&why["line"], &why["reason"]), (&4.into(), &"context".into()));
    let cross = &why["statements"][0]["cross"];
    let lines = |key: &str| -> Vec<u64> {
        cross[key].as_array().expect("a list").iter().filter_map(|p| p["line"].as_u64()).collect()
    };
    let example = cross["example"]["b"].as_bool().expect("a truth value");
    let expected = if example { (vec![14], vec![10]) } else { (vec![10], vec![14]) };
    assert_eq!((lines("arrives"), lines("fails")), expected);
    assert_eq!(cross["count"], "2", "b may be either");

    let (_, report) = projection(&["--why", "10"], FIGURE_1);
    assert_eq!(
        (&report["why"]["reason"], &report["why"]["statements"][0]["predicate"]),
        (&"cannot-fail".into(), &"¬b".into())
    );

    let (_, report) = projection(&["--why", "11"], FIGURE_1);
    let one = &report["why"]["statements"][0];
    assert_eq!(
        (&report["why"]["reason"], &one["barriers"][0]["line"], &one["barriers"][0]["holds"]),
        (&"unreached".into(), &11.into(), &"¬b".into())
    );

    let (_, report) = projection(&["--why", "17"], FIGURE_1);
    assert_eq!(report["why"]["reason"], "lit");

    // A safe program is innocent throughout.
    let (output, report) = projection(&["--why", "3"], SAFE);
    assert_eq!((code(&output), &report["why"]["reason"]), (0, &"cannot-fail".into()));
}

#[test]
fn reasons_in_words() {
    let output = faultline(
        &["projection", "-", "--why", "4", "--stores", "17", "--where", "b"],
        FIGURE_1.as_bytes(),
    );
    let words = text(&output.stdout);
    for part in [
        "Why line 4 is innocent",
        "never in one calling context",
        "With b = false, it is reached when p is called at line 10",
        "`b` can hold there on a failing run: b = true",
    ] {
        assert!(words.contains(part), "no {part:?} in\n{words}");
    }
}

#[test]
fn bad_questions() {
    refused(
        &["projection", "-", "--stores", "2"],
        FIGURE_1.as_bytes(),
        &["no statement starts on line 2", "line 4: skip"],
    );
    refused(
        &["projection", "-", "--why", "900"],
        FIGURE_1.as_bytes(),
        &["no statement starts on line 900", "nearest is on line 17"],
    );
    refused(
        &["projection", "-", "--stores", "4", "--where", "c > 0"],
        FIGURE_1.as_bytes(),
        &["--where:1:1", "c"],
    );
    refused(
        &["projection", "-", "--stores", "4", "--where", "b ="],
        FIGURE_1.as_bytes(),
        &["--where:1:"],
    );
    refused(
        &["projection", "-", "--stores", "4", "--where", ""],
        FIGURE_1.as_bytes(),
        &["--where"],
    );
    refused(
        &["projection", "-", "--why", "4", "--method", "naive"],
        FIGURE_1.as_bytes(),
        &["exact projection"],
    );
    refused(
        &["projection", "-", "--stores", "4", "--method", "naive"],
        FIGURE_1.as_bytes(),
        &["exact projection"],
    );
    refused(&["projection", "-", "--where", "b"], FIGURE_1.as_bytes(), &["--stores"]);
}

#[test]
fn a_question_that_a_limit_cuts_short() {
    let output = faultline(
        &["projection", "-", "--format", "json", "--max-steps", "10", "--why", "4"],
        FIGURE_1.as_bytes(),
    );
    let report = json(&output);
    assert!(report.get("why").is_none() && report.get("projection").is_none(), "{report}");
    assert_eq!(report["unanswered"], "steps");
}

#[test]
fn boolean_programs_and_remopla_by_their_extensions() {
    let bp = file("label.bp", b"decl {x==0};\nvoid main() begin\n  {x==0} := *;\n  if {x==0} then\n    SLIC_ERROR: skip;\n  fi\nend\n");
    let output = faultline(&["check", &bp.display().to_string()], b"");
    assert_eq!(code(&output), 1);
    let shown = text(&output.stdout);
    assert!(
        shown.contains("the label SLIC_ERROR is reached")
            && shown.contains("arbitrary initial values")
            && !shown.contains("integers"),
        "{shown}"
    );
    assert!(shown.contains("{x==0} := *") && shown.contains("{x==0} = true"), "{shown}");
    let rem = file("narrow.rem", b"define DEFAULT_INT_BITS 3\nint x;\nmodule void main() {\n  x = 7;\n  x = x + 1;\n  assert(x > 0);\n}\n");
    let output = faultline(&["check", &rem.display().to_string()], b"");
    assert_eq!(code(&output), 1);
    assert!(
        text(&output.stdout).contains("for the widths that the program declares"),
        "{}",
        text(&output.stdout)
    );
    let wider = faultline(&["check", "--bits", "4", &rem.display().to_string()], b"");
    assert_eq!(code(&wider), 0, "{}", text(&wider.stdout));
}

/// `pds`: the saturated automaton with its sizes, the weight of a set with a replayed run, a
/// witness, a transducer, DOT.
#[test]
fn saturations_are_printed() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/static/examples");
    let (delay, growth) = (format!("{folder}/delay.pds"), format!("{folder}/growth.pds"));
    let output = faultline(
        &["pds", &delay, "--weight", "<there, ip>", "--witness-of", "1", "--format", "json"],
        b"",
    );
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let report = json(&output);
    assert_eq!(
        (report["analysis"].as_str(), report["saturate"].as_str()),
        (Some("pds"), Some("post"))
    );
    assert_eq!(report["options"]["dialect"], "pds");
    let automaton = &report["automata"][0];
    assert_eq!(
        (automaton["complete"].as_bool(), automaton["title"].as_str()),
        (Some(true), Some("post*"))
    );
    assert_eq!(automaton["transitions"][0]["symbol"], "ip");
    assert_eq!(
        (report["weight"]["weight"].as_str(), report["weight"]["run"]["length"].as_u64()),
        (Some("4"), Some(3))
    );
    assert_eq!(report["witness"]["nodes"][0]["transition"], 1);
    let output = faultline(
        &[
            "pds",
            &growth,
            "--saturate",
            "transducer",
            "--from",
            "<p1, a>",
            "--to",
            "<p2, b b b b+>",
        ],
        b"",
    );
    assert_eq!(code(&output), 0);
    assert!(
        text(&output.stdout).contains("Weight: 4") && text(&output.stdout).contains("A_grow"),
        "{}",
        text(&output.stdout)
    );
    let output = faultline(&["pds", &delay, "--saturate", "pre", "--weight", "<here, ip>"], b"");
    let printed = text(&output.stdout);
    assert!(
        printed.starts_with("pre* of <there, ip>: ")
            && printed.contains("saturated after")
            && printed.contains("Weight: 4"),
        "{printed}"
    );
    let dot = text(&faultline(&["pds", &growth, "--format", "dot"], b"").stdout);
    assert!(
        dot.starts_with("digraph \"post*\" {")
            && dot.contains("peripheries=2")
            && dot.trim_end().ends_with('}'),
        "{dot}"
    );
    // A program's own system, under its names.
    let output = faultline(
        &["pds", "-", "--dialect", "cimple", "--weight", "<p, error@12>"],
        UNSAFE.as_bytes(),
    );
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("Weight: x = 3"), "{}", text(&output.stdout));
    let output = faultline(&["pds", &delay, "--max-steps", "2"], b"");
    assert_eq!(code(&output), 3);
    assert!(text(&output.stdout).contains("not saturated"));
    refused(&["pds", &delay, "--weight", "<there, up>"], b"", &["no stack symbol `up`", "^^"]);
    refused(&["pds", &delay, "--set", "there"], b"", &["expected `<`"]);
    refused(
        &["pds", &delay, "--from", "<here>", "--to", "<there>"],
        b"",
        &["--saturate transducer"],
    );
    refused(&["pds", &delay, "--saturation", "pre"], b"", &["--saturate"]);
    refused(&["pds", &delay, "--witness-of", "99"], b"", &["no transition 99"]);
    refused(
        &["pds", "-", "--dialect", "cimple", "--saturate", "transducer"],
        SAFE.as_bytes(),
        &["raw systems"],
    );
}

/// Ball, Naik, Rajamani 2003, Fig. 1 and Fig. 8, as the command says them: causes, the correct run
/// beside each, and what the slice alone would say.
#[test]
fn figures_of_causes_on_the_command_line() {
    let lock = include_str!("../golden/localize/fig-1.cimple");
    let report = json(&faultline(
        &["localize", "-", "--dialect", "cimple", "--format", "json"],
        lock.as_bytes(),
    ));
    let correct = |k: usize| {
        let correct = report["causes"][k]["correct"].as_array().expect("a correct run");
        let mut lines: Vec<_> =
            correct.iter().map(|entry| entry["line"].as_u64().expect("a line")).collect();
        lines.dedup();
        lines
    };
    assert_eq!((correct(0), correct(1)), (vec![1, 2, 3, 5], vec![1, 2, 3, 5, 6, 7, 9]));
    for cause in report["causes"].as_array().expect("a list") {
        let (pairs, shared) = (
            cause["alignment"]["pairs"].as_array().expect("pairs"),
            cause["alignment"]["shared"].as_u64().expect("a number"),
        );
        assert!(pairs.len() as u64 >= shared && shared > 0);
        for k in 0..shared {
            assert_eq!(cause["trace"][k as usize], cause["correct"][k as usize]);
        }
        let lines = cause["lines"].as_array().expect("lines");
        assert!(
            !cause["slice"]["lines"].as_array().expect("a slice").contains(&lines[0]),
            "the slice loses errors of omission (Fig. 4a)"
        );
    }
    let words = text(&faultline(&["localize", "-", "--dialect", "cimple"], lock.as_bytes()).stdout);
    for expected in [
        "1. assertion at line 5, cause: line 4",
        "2. assertion at line 9, cause: line 8",
        "The closest correct run, 6 statements",
        "holds",
        "the slice",
    ] {
        assert!(words.contains(expected), "no {expected:?} in\n{words}");
    }
    let omitted = faultline(
        &["localize", "-", "--dialect", "cimple", "--dependent", "--format", "json"],
        lock.as_bytes(),
    );
    assert_eq!(
        (json(&omitted)["ended"].clone(), json(&omitted)["dependent"].clone()),
        ("independent".into(), true.into()),
        "an error of omission"
    );

    let value = include_str!("../golden/localize/fig-8.cimple");
    let report = json(&faultline(
        &["localize", "-", "--dialect", "cimple", "--format", "json"],
        value.as_bytes(),
    ));
    assert_eq!(report["ended"], "no-cause");
    let cause = &report["causes"][0];
    assert_eq!(
        (cause["by_edges"]["lines"].clone(), cause["by_transitions"]["lines"].clone()),
        (serde_json::json!([]), serde_json::json!([3, 4]))
    );
    let words =
        text(&faultline(&["localize", "-", "--dialect", "cimple"], value.as_bytes()).stdout);
    assert!(
        words.contains("no cause")
            && words.contains("coincidental correctness")
            && words.contains("lines 3 and 4"),
        "{words}"
    );
}

/// *Error Explanation by Focus-Statement Sequences*, Fig. 1: ranks 1 and 2 as printed; the third
/// that the paper misses.
#[test]
fn figures_of_focus_on_the_command_line() {
    let lock = include_str!("../golden/focus/fig-1.cimple");
    let report = json(&faultline(
        &["focus", "-", "--dialect", "cimple", "--format", "json"],
        lock.as_bytes(),
    ));
    assert_eq!(
        (report["analysis"].clone(), report["verdict"].clone(), report["complete"].clone()),
        ("focus".into(), "unsafe".into(), true.into())
    );
    let [first, second] = [0, 1].map(|k| report["sequences"][k].clone());
    assert_eq!((first["rank"].clone(), first["length"].clone()), (1.into(), 7.into()));
    assert_eq!(first["lines"], serde_json::json!([4, 5, 6, 11, 12, 18, 20]));
    assert_eq!((second["rank"].clone(), second["length"].clone()), (2.into(), 14.into()));
    assert_eq!(second["lines"], serde_json::json!([4, 5, 6, 7, 8, 14, 15, 9, 11, 6, 7, 8, 14, 16]));
    for sequence in [&first, &second] {
        let about = sequence["assumptions"]
            .as_array()
            .expect("a list")
            .iter()
            .all(|one| one["text"].as_str().is_some_and(|text| text.contains("gotlock")));
        assert!(about && sequence["feasible"] == true, "{sequence}");
    }
    let words = text(
        &faultline(&["focus", "-", "--dialect", "cimple", "--max-sequences", "1"], lock.as_bytes())
            .stdout,
    );
    for expected in [
        "Rank 1: 7 statements",
        "assumes gotlock",
        "look at lines 4, 5, 6, 11, 12, 18, 20",
        "There may be more ways to fail.",
    ] {
        assert!(words.contains(expected), "no {expected:?} in\n{words}");
    }
    assert!(!words.contains("Rank 2"), "{words}");
}

/// Errors as "variable = value in procedure", several at once.
#[test]
fn focus_with_error_states() {
    let source = "int x; int y = 0;
void f() {
  y = x;
}
void main() {
  x = 1;
  if (*) x = 3;
  f();
  y = 2;
}
";
    let lines = |states: &[&str]| {
        let mut arguments = vec!["focus", "-", "--format", "json"];
        states.iter().for_each(|state| arguments.extend(["--error-state", state]));
        let output = faultline(&arguments, source.as_bytes());
        let report = json(&output);
        let sequences = report["sequences"].as_array().expect("a list").clone();
        (
            report["verdict"].clone(),
            sequences.into_iter().map(|one| one["lines"].clone()).collect::<Vec<_>>(),
        )
    };
    assert_eq!(lines(&[]), ("safe".into(), vec![]));
    let (verdict, found) = lines(&["y = 3 in f"]);
    assert_eq!(verdict, "unsafe");
    assert!(
        !found.is_empty()
            && found
                .iter()
                .all(|lines| lines.as_array().is_some_and(|lines| lines.contains(&7.into()))),
        "{found:?}"
    );
    assert_eq!(lines(&["y = 2 in f"]), ("safe".into(), vec![]), "y is 2 in main alone");
    let (_, both) = lines(&["y = 3 in f", "y == 2 in main"]);
    assert!(
        both.len() > found.len()
            && both
                .iter()
                .any(|lines| lines.as_array().and_then(|lines| lines.last()) == Some(&9.into())),
        "{both:?}"
    );
    refused(
        &["focus", "-", "--error-state", "y = 3"],
        source.as_bytes(),
        &["--error-state", "NAME = VALUE in PROCEDURE"],
    );
    refused(&["focus", "-", "--error-state", "z = 3 in f"], source.as_bytes(), &["z"]);
    refused(&["focus", "-", "--error-state", "y = 99 in f"], source.as_bytes(), &["99"]);
    refused(&["focus", "-", "--error-state", "y = 3 in g"], source.as_bytes(), &["g"]);
}

/// Bad input to `localize` and `focus`, and programs of which there is nothing to explain.
#[test]
fn what_cannot_be_explained_is_said() {
    for (option, value) in [
        ("--inputs", "nobody"),
        ("--inputs", ""),
        ("--inputs", "x,,x"),
        ("--uninterpreted", "nobody"),
    ] {
        refused(&["focus", "-", option, value], UNSAFE.as_bytes(), &[option, "no variable"]);
    }
    refused(&["focus", "-", "--max-sequences", "0"], UNSAFE.as_bytes(), &["--max-sequences"]);
    refused(&["localize", "-", "--trust", "up,nobody"], UNSAFE.as_bytes(), &["--trust", "nobody"]);
    let nothing = "int x; void main() { x = 1; }";
    let unreached = "int x; void main() { x = 1; if (x == 2) { error: skip; } }";
    let endless = "int x; void f() { x = x + 1; f(); } void main() { f(); assert(x == 0); }";
    for analysis in ["localize", "focus"] {
        refused(
            &[analysis, "-", "--dialect", "pds"],
            b"<p, a> -> <p, b>\n",
            &["raw pushdown system"],
        );
        refused(&[analysis, "-", "--error", "99"], UNSAFE.as_bytes(), &["line 99"]);
        for (program, word) in
            [(SAFE, "Safe"), (nothing, "Nothing to check"), (unreached, "Safe"), (endless, "Safe")]
        {
            let output = faultline(&[analysis, "-"], program.as_bytes());
            assert_eq!(code(&output), 0, "{program}");
            assert!(
                text(&output.stdout).starts_with(word) && text(&output.stdout).contains("4-bit"),
                "{}",
                text(&output.stdout)
            );
        }
        let limited = faultline(&[analysis, "-", "--max-nodes", "1"], UNSAFE.as_bytes());
        assert_eq!(code(&limited), 3);
        assert!(
            text(&limited.stdout).starts_with("Unknown: the node limit was hit\n"),
            "{}",
            text(&limited.stdout)
        );
    }
    // Deadlocks, and errors that need several threads.
    let threads = "#include <pthread.h>
pthread_mutex_t a;
void *t(void *p) { pthread_mutex_lock(&a); return 0; }
int main() { pthread_t h; pthread_create(&h, 0, t, 0); pthread_mutex_lock(&a); pthread_mutex_lock(&a); return 0; }
";
    refused(&["focus", "-", "--dialect", "c"], threads.as_bytes(), &["without threads"]);
    let output = faultline(&["localize", "-", "--dialect", "c"], threads.as_bytes());
    assert_eq!(code(&output), 3);
    assert!(text(&output.stdout).contains("the program has threads"), "{}", text(&output.stdout));
}

/// What is left out on request is not said to be on a correct run; what fails at once has nothing
/// before it.
#[test]
fn reasons_of_runs_without_a_cause() {
    let lock = include_str!("../golden/localize/fig-1.cimple");
    let words = |arguments: &[&str], source: &str| {
        let all: Vec<&str> =
            ["localize", "-", "--dialect", "cimple"].iter().chain(arguments).copied().collect();
        text(&faultline(&all, source.as_bytes()).stdout)
    };
    let trusted = words(&["--trust", "main"], lock);
    assert!(
        trusted.contains("but they lie in procedures that are never blamed")
            && !trusted.contains("Whatever this run does"),
        "{trusted}"
    );
    let dependent = words(&["--dependent"], lock);
    assert!(
        dependent.contains("but what fails depends on none of them")
            && !dependent.contains("Whatever this run does"),
        "{dependent}"
    );
    let refined = words(&["--refined"], lock);
    assert!(
        refined.contains(
            "some run that passes the check of line 5 on the refined abstraction does too"
        ),
        "{refined}"
    );
    let at_once = words(&[], "int a[3]; int i; void main() { a[i] = 1; }");
    assert!(
        at_once.contains("It fails at its first statement")
            && !at_once.contains("Whatever this run does"),
        "{at_once}"
    );
}

/// Assumptions over other variables are counted, not denied; and what was asked stands beside the
/// answer.
#[test]
fn assumptions_that_are_not_shown() {
    let source = "int x, y;\nvoid main() {\n  if (x > 0)\n    if (y > 0)\n      assert(0);\n}\n";
    let words = text(&faultline(&["focus", "-", "--inputs", "x"], source.as_bytes()).stdout);
    for expected in [
        "assumptions over x alone",
        "assumes x > 0  (line 3)",
        "1 assumption over other variables",
        "look at lines 3, 4, 5",
    ] {
        assert!(words.contains(expected), "no {expected:?} in\n{words}");
    }
    assert!(!words.contains("assumes nothing") && !words.contains("y > 0  ("), "{words}");
    let report =
        json(&faultline(&["focus", "-", "--inputs", "x", "--format", "json"], source.as_bytes()));
    assert_eq!(
        (&report["inputs"], &report["sequences"][0]["hidden_assumptions"]),
        (&serde_json::json!(["x"]), &1.into())
    );
    let one =
        text(&faultline(&["focus", "-"], b"int a[3]; int i; void main() {\na[i] = 1; }").stdout);
    assert!(one.contains("Rank 1: 1 statement\n") && one.contains("look at line 2 (▸)"), "{one}");
}

/// Long programs: their sequences are found with runs, and lists of lines stay readable.
#[test]
fn long_programs_are_explained() {
    let count = 400;
    let straight = format!(
        "int x;\nvoid main() {{\nx = 0;\n{}assert(x != {});\n}}\n",
        "x = x + 1;\n".repeat(count),
        count % 16
    );
    let branches = format!(
        "int x;\nvoid main() {{\n{}assert(x != 3);\n}}\n",
        "if (*) x = x + 1; else x = x - 1;\n".repeat(count)
    );
    for source in [straight, branches] {
        let report = json(&faultline(
            &["focus", "-", "--max-sequences", "1", "--format", "json"],
            source.as_bytes(),
        ));
        let sequences = report["sequences"].as_array().expect("a list");
        assert_eq!((sequences.len(), report.get("undecided")), (1, None), "a run was found for it");
        assert!(sequences[0]["length"].as_u64().is_some_and(|length| length > count as u64));
    }
    let straight = format!(
        "int x;\nvoid main() {{\nx = 0;\n{}assert(x != 0);\n}}\n",
        "x = x + 1;\n".repeat(count)
    );
    let words = text(&faultline(&["localize", "-"], straight.as_bytes()).stdout);
    assert!(words.contains("(lines 3-403)") || words.contains("lines 4-403"), "{}", &words[..600]);
}

/// Explanations write no witness and no invariants, and do not keep silent about it.
#[test]
fn explanations_refuse_what_they_do_not_write() {
    let source = b"int x; void main() { assert(x != 1); }";
    for analysis in ["focus", "localize"] {
        for option in [&["--invariants"][..], &["--witness", "nowhere.yml"]] {
            let arguments = [&[analysis, "-"][..], option].concat();
            refused(
                &arguments,
                source,
                &["--invariants and --witness are for `check` and `projection`"],
            );
        }
    }
}
