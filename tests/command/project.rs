//! `faultline project`: methods, shortest runs, and questions about statements.

use super::calling::{SAFE, UNSAFE, code, faultline, json, refused, text};
use std::process::Output;

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
        "only when it is called from elsewhere",
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

/// Figure 1 of the error-projection paper: the naive projection keeps line 3, which is on no
/// failing run. Nothing that is said claims that it is.
#[test]
fn a_naive_projection_is_called_an_overestimate() {
    let figure = include_bytes!("../golden/error_projection/figure-1.cimple");
    let naive = |more: &[&str]| {
        let all = [&["projection", "-", "--method", "naive"][..], more].concat();
        text(&faultline(&all, figure).stdout)
    };
    let words = naive(&["--through", "3"]);
    let first = words.lines().next().expect("a headline");
    assert!(first.ends_with("; the lit lines are an overestimate (naive)"), "{first}");
    assert!(words.contains("may be on a failing run: an overestimate"), "{words}");
    assert!(words.contains("\nNo failing run goes through line 3\n"), "{words}");
    let both = naive(&["--through", "3,15"]);
    assert!(both.contains("\nNo failing run goes through lines 3 and 15 together\n"), "{both}");
    let sarif = naive(&["--format", "sarif"]);
    assert!(!sarif.contains("is on some failing run"), "{sarif}");
    let report = json(&faultline(
        &["projection", "-", "--method", "naive", "--format", "json", "--through", "3"],
        figure,
    ));
    assert_eq!(report["projection"]["overestimate"], true);
    assert_eq!(report["projection"]["through"]["never"], serde_json::json!([3]));
    let exact = json(&faultline(&["projection", "-", "--format", "json"], figure));
    assert_eq!(exact["projection"].get("overestimate"), None);
}
