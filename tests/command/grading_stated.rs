//! `faultline grade` with rules and with a procedure alone, and its links.

use super::calling::{code, faultline, json, refused, text};
use faultline::wire::permalink::{TestsPlace, decode};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

const RIGHT: &str = "\\result >= a && \\result >= b";
const RULE: &str = "rule \"locked in turn\"
  start free
  free: lock() -> held
  held: lock() -> error \"locked twice\"
  held: unlock() -> free
  held: at exit -> error \"left locked\"
";

/// Reads a number, and takes a lock.
fn driver(middle: &str) -> String {
    format!(
        "#include <stdio.h>\nvoid lock(void);\nvoid unlock(void);\nint main(void) {{\n  int n;\n  \
         scanf(\"%d\", &n);\n  lock();\n  {middle}\n  unlock();\n  printf(\"%d\\n\", n);\n  \
         return 0;\n}}\nvoid lock(void) {{ }}\nvoid unlock(void) {{ }}\n"
    )
}

/// The larger of two numbers, with a contract; `main` prints it.
fn larger(test: &str, says: &str) -> String {
    format!(
        "#include <stdio.h>\n/*@ ensures {says}; */\nint max(int a, int b) {{\n  \
         if ({test}) return a;\n  return b;\n}}\nint main(void) {{\n  int a, b;\n  \
         scanf(\"%d %d\", &a, &b);\n  printf(\"%d\\n\", max(a, b));\n  return 0;\n}}\n"
    )
}

/// A folder with these files.
fn folder(name: &str, files: &[(&str, String)]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("stated").join(name);
    let _ = fs::remove_dir_all(&folder);
    for (path, contents) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, contents).expect("a file");
    }
    folder
}

fn row<'r>(report: &'r Value, name: &str) -> &'r Value {
    let rows = report["submissions"].as_array().expect("a list");
    rows.iter().find(|row| row["name"] == name).unwrap_or_else(|| panic!("no {name}: {report}"))
}

fn graded(arguments: &[&str]) -> (i32, Value) {
    let all = [&["grade", "--format", "json", "--timeout", "120"], arguments].concat();
    let output = faultline(&all, b"");
    (code(&output), json(&output))
}

fn drivers(name: &str) -> PathBuf {
    folder(
        name,
        &[
            ("lock.rule", RULE.into()),
            ("class/anna.c", driver(";")),
            ("class/ben.c", driver("if (n == 7) lock();")),
            ("class/cleo.c", driver("if (n == 7)\n    lock();")),
            ("class/dora.c", driver("if (n < 0) return 1;")),
            ("class/emil.c", "int main(void) { return x; }\n".into()),
            ("class/null.c", driver("int *p = 0; if (n == 9) n = *p;")),
            ("tests/one.in", "1\n".into()),
            ("tests/one.out", "1\n".into()),
        ],
    )
}

#[test]
fn a_rule_alone() {
    let place = drivers("rule");
    let path = |name: &str| place.join(name).to_str().expect("a plain path").to_string();
    let (class, rule, out) = (path("class"), path("lock.rule"), path("out"));
    let (code, report) = graded(&[&class, "--rule", &rule, "-o", &out]);
    assert_eq!(code, 1, "{report}");
    let verdict = |name: &str| row(&report, name)["verdict"].as_str().expect("a word").to_string();
    let told = ["anna", "ben", "cleo", "dora", "emil", "null"].map(verdict);
    // A null pointer breaks no rule: nobody asked for it.
    assert_eq!(told, ["passes", "fails", "fails", "fails", "refused", "passes"], "{report}");
    let broken = &row(&report, "ben")["checked"][0]["broken"][0];
    assert_eq!((&broken["kind"], &broken["rule"]), (&"rule".into(), &"lock".into()), "{broken}");
    assert_eq!(broken["state"], "its state is held");
    assert_eq!((&broken["event"], &broken["line"]), (&"lock()".into(), &8.into()));
    // The input of the failing run.
    assert_eq!(broken["input"].as_str().map(str::trim), Some("7"), "{broken}");
    let dora = &row(&report, "dora")["checked"][0]["broken"][0];
    assert!(dora["event"].is_null(), "where the program ends: {dora}");
    // At the same event in the same state, in another line.
    let groups = report["groups"].as_array().expect("a list");
    let alike = groups.iter().find(|group| group["submissions"][0] == "ben").expect("ben's");
    assert_eq!(alike["broken"], serde_json::json!(["rule lock: locked twice, its state is held"]));
    // At the end of the program it is another way.
    assert_eq!(alike["submissions"], serde_json::json!(["ben", "cleo"]));
    let mistakes = report["mistakes"].as_array().expect("a list");
    assert_eq!(mistakes[0], serde_json::json!({ "kind": "rule lock", "count": 3 }));
    let read = |name: &str| fs::read_to_string(place.join("out").join(name)).expect(name);
    assert!(read("report.txt").contains("line 8: Locked twice, by `lock()`"), "a line of its own");
    assert!(read("report.txt").contains("input \"7"), "what the run reads");
    let csv = read("report.csv");
    assert!(csv.contains(",lock,its state is held,lock(),8,"), "{csv}");
    let xml = read("report.xml");
    let xml = roxmltree::Document::parse(&xml).expect("XML");
    let failure = xml.descendants().find(|node| node.has_tag_name("failure")).expect("one");
    assert_eq!(failure.attribute("type"), Some("rule lock"));
    assert!(failure.text().is_some_and(|told| told.contains("line 8")), "{failure:?}");
    assert!(read("report.html").contains("<ul class=\"broken\"><li>line 8: "));
}

#[test]
fn a_rule_beside_tests_counts_too() {
    let place = drivers("both");
    let path = |name: &str| place.join(name).to_str().expect("a plain path").to_string();
    let (class, rule, tests) = (path("class"), path("lock.rule"), path("tests"));
    let (_, report) = graded(&[&class, "--rule", &rule, "--tests", &tests]);
    let ben = row(&report, "ben");
    assert_eq!((&ben["verdict"], &ben["failed"]), (&"fails".into(), &serde_json::json!([])));
    assert!(ben["message"].as_str().is_some_and(|told| told.starts_with("The test passes.")));
    assert_eq!(row(&report, "anna")["verdict"], "passes");
    let (_, report) = graded(&[&class, "--tests", &tests]);
    assert_eq!(row(&report, "ben")["verdict"], "passes", "nobody asked for the rule");
    // What is kept is the answer to another question.
    let out = path("out");
    graded(&[&class, "--tests", &tests, "-o", &out]);
    let (_, report) = graded(&[&class, "--rule", &rule, "--tests", &tests, "-o", &out]);
    assert_eq!(row(&report, "ben")["verdict"], "fails");
}

#[test]
fn a_procedure_alone_with_its_contract() {
    let place = folder(
        "alone",
        &[
            ("class/right.c", larger("a > b", RIGHT)),
            ("class/wrong.c", larger("a > b", "\\result > a")),
            ("class/other.c", "int main(void) { return 0; }\n".into()),
            ("class/part.c", "int max(int a, int b) { return a / b; }\n".into()),
            ("reference.c", larger("a > b", RIGHT)),
            ("tests/two.in", "3 4\n".into()),
            ("tests/two.out", "4\n".into()),
        ],
    );
    let path = |name: &str| place.join(name).to_str().expect("a plain path").to_string();
    let (class, tests, reference) = (path("class"), path("tests"), path("reference.c"));
    let (code, report) = graded(&[&class, "--function", "max"]);
    assert_eq!(code, 1, "{report}");
    let right = row(&report, "right");
    assert_eq!(right["verdict"], "passes", "{right}");
    assert!(right["message"].as_str().is_some_and(|told| told.contains("no run of max fails")));
    let broken = &row(&report, "wrong")["checked"][0]["broken"][0];
    assert_eq!(broken["clause"], "ensures \\result > a", "{broken}");
    let given = broken["given"].as_array().expect("a list");
    assert!(given.iter().any(|one| one["name"] == "a" && one["value"].is_string()), "{broken}");
    // Without a contract: what no run may do. Without a `main` it is read all the same.
    let part = &row(&report, "part")["checked"][0]["broken"][0];
    assert_eq!((&part["kind"], &part["line"]), (&"division".into(), &1.into()), "{part}");
    let other = row(&report, "other");
    assert_eq!(other["verdict"], "refused");
    assert!(other["message"].as_str().is_some_and(|told| told.contains("no procedure `max`")));

    // With tests and a reference the whole program is executed, too.
    let both = [class.as_str(), "--function", "max", "--tests", &tests, "--reference", &reference];
    let (_, report) = graded(&[&both[..], &["--input", "int in 0..3, int in 0..3"]].concat());
    let wrong = row(&report, "wrong");
    assert_eq!((&wrong["verdict"], &wrong["failed"]), (&"fails".into(), &serde_json::json!([])));
    assert_eq!(row(&report, "right")["verdict"], "passes");
    assert_eq!(row(&report, "other")["verdict"], "fails", "its test fails");

    // A limit is named, and nothing is guessed.
    let short = ["grade", &class, "--function", "max", "--max-steps", "10", "--format", "json"];
    let report = json(&faultline(&short, b""));
    let right = row(&report, "right");
    assert_eq!(
        (&right["verdict"], &right["checked"][0]["limit"]),
        (&"unknown".into(), &"steps".into())
    );

    refused(&["grade", &class, "--function", "min", "--reference", &reference], b"", &["min"]);
    refused(&["grade", &class, "--rule", "nosuch"], b"", &["nosuch"]);
}

/// What a link opens.
fn opened(link: &Value) -> (faultline::wire::permalink::Permalink, TestsPlace) {
    let link = link.as_str().expect("a link");
    let (address, fragment) = link.split_once('#').expect("a fragment");
    assert_eq!(address, "https://example.org/page/");
    let link = decode(fragment).expect("a link of the page");
    let place = link.place::<TestsPlace>("tests").expect("a place").unwrap_or_default();
    (link, place)
}

#[test]
fn each_row_has_a_link_to_the_step_it_means() {
    let place = drivers("links");
    let path = |name: &str| place.join(name).to_str().expect("a plain path").to_string();
    fs::write(place.join("class/fred.c"), driver(";").replace("\", n)", "\", n + 1)"))
        .expect("a file");
    fs::write(place.join("class/gus.c"), driver("if (n == 2) n = 3;")).expect("a file");
    fs::write(place.join("reference.c"), driver(";")).expect("a file");
    let (class, tests, out) = (path("class"), path("tests"), path("out"));
    let (reference, rule) = (path("reference.c"), path("lock.rule"));
    let address = ["--link", "https://example.org/page/#"];
    let by = ["--tests", &tests, "--reference", &reference, "--input", "int in 0..9", "-o", &out];
    let (_, report) = graded(&[&[class.as_str()], &address[..], &by[..]].concat());
    // A test that fails: its run, where it prints the wrong character.
    let (link, place_of_tests) = opened(&row(&report, "fred")["link"]);
    assert_eq!(link.view, "tests");
    assert!(link.source.contains("n + 1"));
    assert_eq!(place_of_tests.tests.len(), 1);
    assert_eq!(
        (place_of_tests.compare.as_str(), place_of_tests.domain.as_str()),
        ("exact", "int in 0..9")
    );
    assert_eq!(place_of_tests.reference, driver(";"));
    let run = place_of_tests.run.expect("a run");
    let ask = faultline::wire::testing::ExecuteRequest {
        source: link.source.clone(),
        input: place_of_tests.tests[run.row as usize].input.clone(),
        until: Some(0),
    };
    let trace = faultline::report::testing_answer::executed(&ask).expect("it is read").trace;
    assert_eq!(trace[run.step as usize].statement, "printf(\"%d\\n\", n + 1)");
    // An input on which it differs from the reference becomes a test.
    let (link, with_difference) = opened(&row(&report, "gus")["link"]);
    assert_eq!(with_difference.tests.len(), 2);
    let run = with_difference.run.expect("a run");
    assert_eq!((link.view.as_str(), run.row), ("tests", 1));
    let test = &with_difference.tests[1];
    assert_eq!((test.input.trim(), test.expected.as_str()), ("2", "2\n"), "{test:?}");
    // Nothing fails: the tests stand there.
    let (_, passing) = opened(&row(&report, "anna")["link"]);
    assert_eq!((passing.tests.len(), passing.run), (1, None));
    let page = fs::read_to_string(place.join("out/report.html")).expect("a file");
    assert!(page.contains("<a href=\"https://example.org/page/#v1/"));
    let csv = fs::read_to_string(place.join("out/report.csv")).expect("a file");
    assert!(csv.contains(",https://example.org/page/#v1/"));

    // A rule: the program with the rule, at the end of the failing run.
    let (_, report) = graded(&[&[class.as_str(), "--rule", &rule], &address[..]].concat());
    let (link, _) = opened(&row(&report, "ben")["link"]);
    assert_eq!((link.view.as_str(), link.options.rules.len()), ("projection", 1));
    assert!(link.step.is_some_and(|step| step > 2), "{:?}", link.step);
    // No link where nobody asks.
    let (_, report) = graded(&[&class, "--rule", &rule]);
    assert!(row(&report, "ben")["link"].is_null());
}

#[test]
fn text_for_people_names_rule_and_line() {
    let place = drivers("text");
    let path = |name: &str| place.join(name).to_str().expect("a plain path").to_string();
    let output = faultline(&["grade", &path("class"), "--rule", &path("lock.rule")], b"");
    let told = text(&output.stdout);
    assert!(told.starts_with("6 submissions: 2 pass, 3 fail, 1 refused.\n"), "{told}");
    assert!(told.contains("\n  rule lock     3  ####"), "{told}");
}
