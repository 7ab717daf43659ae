//! `faultline test` and `faultline equivalent`.

use super::calling::{code, faultline, file, refused, text};
use serde_json::Value;
use std::fs;
use std::path::Path;

const SUM: &str = "#include <stdio.h>
int main(void) {
  int n, i, x, sum = 0;
  scanf(\"%d\", &n);
  for (i = 1; i < n; i++) {
    scanf(\"%d\", &x);
    sum += x;
  }
  printf(\"%d\\n\", sum);
  return 0;
}
/*! test one
1
5
---
5
*/
/*! test none
0
---
0
*/
";

fn path(name: &str, text: &str) -> String {
    file(name, text.as_bytes()).to_str().expect("a plain path").to_string()
}

fn json(arguments: &[&str]) -> (i32, Value) {
    let output = faultline(arguments, b"");
    let told = text(&output.stdout);
    (code(&output), serde_json::from_str(&told).unwrap_or_else(|_| panic!("no JSON: {told}")))
}

#[test]
fn a_table_of_tests() {
    let program = path("sum.c", SUM);
    let (code, report) = json(&["test", &program, "--format", "json", "--explain"]);
    assert_eq!(code, 1);
    assert_eq!(report["verdict"], "fails");
    let first = &report["tests"][0];
    assert_eq!((&first["name"], &first["result"]), (&"one".into(), &"failed".into()));
    assert_eq!((&first["expected"], &first["got"]), (&"5\n".into(), &"0\n".into()));
    assert_eq!(first["line"], 9);
    assert_eq!(first["difference"]["kind"], "values");
    assert_eq!(report["tests"][1]["result"], "passed");
    // The comparison of the loop is the mistake, and `<=` mends it.
    let repaired = report["suspects"].as_array().expect("a list").iter();
    let mended: Vec<&Value> = repaired.filter(|suspect| suspect["line"] == 5).collect();
    assert_eq!(mended[0]["change"]["new"], "<=", "{report}");
    assert_eq!(mended[0]["kind"], "comparison");
    let told = text(&faultline(&["test", &program], b"").stdout);
    assert!(told.starts_with("1 of 2 tests fails"), "{told}");
    assert!(told.contains("Line 1 of the output is \"0\", expected \"5\". (line 9)"), "{told}");
}

/// "one" fails and "none" passes: both execute the same statements, so only values differ. With
/// three numbers the run goes round.
#[test]
fn a_failing_run_beside_the_closest_passing_one() {
    let longer = "/*! test three\n3\n1 2 3\n---\n6\n*/\n/*! test zeros\n2\n0 0\n---\n0\n*/\n";
    let program = path("closest.c", &format!("{SUM}{longer}"));
    let (_, report) = json(&["test", &program, "--format", "json", "--explain"]);
    let closest = &report["tests"][0]["closest"];
    assert_eq!((&closest["test"], &closest["distance"]), (&"none".into(), &0.into()), "{report}");
    assert_eq!(closest["same_statements"], true);
    assert!(closest["parts_at"].is_null(), "{closest}");
    let closest = &report["tests"][2]["closest"];
    assert_eq!((&closest["test"], &closest["distance"]), (&"zeros".into(), &4.into()), "{closest}");
    let parts = &closest["parts_at"];
    assert_eq!((&parts["line"], &parts["condition"]), (&5.into(), &"i < n".into()));
    let way = |outcome: bool, next: u32, n: u32| serde_json::json!({ "outcome": outcome, "next": next, "values": { "n": n, "i": 2 } });
    assert_eq!(parts["failing"], way(true, 6, 3));
    assert_eq!(parts["passing"], way(false, 9, 2));
    let told = text(&faultline(&["test", &program, "--explain"], b"").stdout);
    let line = "Line 5, `i < n`, is where it parts from zeros, which passes: true here (n = 3, i = 2), \
                false there (n = 2, i = 2).";
    assert!(told.contains("Failing runs beside passing ones\n  one\n"), "{told}");
    assert!(told.contains(line), "{told}");
    // Only where somebody asks.
    let (_, report) = json(&["test", &program, "--format", "json"]);
    assert!(report["tests"][2]["closest"].is_null(), "{report}");
}

#[test]
fn tests_of_a_folder() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("suite");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("a.in"), "2.5\n").expect("a file");
    fs::write(folder.join("a.out"), "5.00 \n").expect("a file");
    let program = path(
        "twice.c",
        "#include <stdio.h>\nint main(void) { float x; scanf(\"%f\", &x); printf(\"%.2f\\n\", 2 * x); }",
    );
    let tests = folder.to_str().expect("a plain path");
    let output = faultline(&["test", &program, "--tests", tests], b"");
    assert_eq!(code(&output), 1);
    assert!(text(&output.stdout).contains("Only white space differs"), "{}", text(&output.stdout));
    let output = faultline(&["test", &program, "--tests", tests, "--compare", "lines"], b"");
    assert_eq!((code(&output), text(&output.stdout).lines().next()), (0, Some("The test passes.")));
    fs::write(folder.join("b.in"), "1\n").expect("a file");
    refused(&["test", &program, "--tests", tests], b"", &["b.out"]);
    fs::remove_file(folder.join("b.in")).expect("it is there");
}

#[test]
fn a_difference_from_the_reference() {
    let program = path(
        "largest.c",
        "#include <stdio.h>\nint main(void) {\n  int a, b;\n  scanf(\"%d%d\", &a, &b);\n  printf(\"%d\\n\", a > b ? a : a);\n  return 0;\n}",
    );
    let reference = path(
        "largest-reference.c",
        "#include <stdio.h>\nint main(void) {\n  int a, b;\n  scanf(\"%d%d\", &a, &b);\n  printf(\"%d\\n\", a > b ? a : b);\n  return 0;\n}",
    );
    let domain = "a in -9..9, b in -9..9";
    let line = ["equivalent", &program, &reference, "--input", domain, "--format", "json"];
    let (code, report) = json(&line);
    assert_eq!((code, &report["verdict"], &report["line"]), (1, &"different".into(), &5.into()));
    // Both sides were executed, and the input is the smallest of the domain.
    assert_eq!(report["input"], "0 1\n");
    assert_eq!((&report["output"], &report["expected"]), (&"0\n".into(), &"1\n".into()));
    let (code, report) =
        json(&["equivalent", &reference, &reference, "--input", domain, "--format", "json"]);
    assert_eq!((code, &report["verdict"], &report["tried"]), (0, &"equal".into(), &361.into()));
    let told = faultline(&["equivalent", &reference, &reference], b"");
    assert_eq!(told.status.code(), Some(3));
    assert!(text(&told.stdout).contains("That is no proof."), "{}", text(&told.stdout));
}

#[test]
fn what_is_no_test_is_refused() {
    let program = path("plain.c", "int main(void) { return 0; }");
    refused(&["test", &program], b"", &["--tests"]);
    refused(&["test", &program, "--compare", "loosely"], b"", &["loosely", "words"]);
    refused(&["equivalent", &program, &program, "--input", "n of 3"], b"", &["n of 3", "LO..HI"]);
    let broken = path("broken.c", "int main(void) { return x; }");
    refused(&["test", &broken], b"", &["unknown name `x`"]);
    let wild = path("wild.c", "int main(void) { return strange(1); }\n/*! test\n*/");
    refused(&["test", &wild], b"", &["strange"]);
}

#[test]
fn a_missing_ampersand_is_mended() {
    let program = path(
        "ampersand.c",
        "#include <stdio.h>\nint main(void) {\n  int n;\n  scanf(\"%d\", n);\n  printf(\"%d\\n\", n);\n}\n\
         /*! test\n3\n---\n3\n*/\n",
    );
    let (code, report) = json(&["test", &program, "--explain", "--format", "json"]);
    assert_eq!((code, &report["tests"][0]["result"]), (1, &"error".into()));
    assert_eq!(report["suspects"][0]["line"], 4);
    assert_eq!(report["suspects"][0]["change"]["new"], "&");
}
