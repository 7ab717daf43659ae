//! `--format sarif` and `--format junit`: what other tools read. SARIF by the structure that the
//! standard asks for, JUnit by an XML parser (`roxmltree`; only tests link it).

use super::calling::{OPEN, SAFE, UNSAFE, code, faultline, file, json, refused, text};
use roxmltree::{Document, Node};
use serde_json::Value;

/// The one run of a log. Whatever the verdict, it names its tool, rules that results point to, and
/// the program.
fn sarif(arguments: &[&str], input: &str, exit: i32) -> Value {
    let output = faultline(&[arguments, &["--format", "sarif"]].concat(), input.as_bytes());
    assert_eq!(code(&output), exit, "{}", text(&output.stderr));
    let log = json(&output);
    assert_eq!(log["version"], "2.1.0");
    assert!(log["$schema"].as_str().is_some_and(|name| name.ends_with("sarif-schema-2.1.0.json")));
    let runs = log["runs"].as_array().expect("runs");
    assert_eq!(runs.len(), 1);
    let run = &runs[0];
    let driver = &run["tool"]["driver"];
    assert_eq!(driver["name"], "Faultline");
    assert_eq!(driver["semanticVersion"], env!("CARGO_PKG_VERSION"));
    assert_eq!(run["invocations"][0]["exitCode"], exit);
    assert_eq!(run["invocations"][0]["executionSuccessful"], exit != 3);
    for result in run["results"].as_array().expect("a list, maybe an empty one") {
        let index = result["ruleIndex"].as_u64().expect("an index") as usize;
        assert_eq!(driver["rules"][index]["id"], result["ruleId"]);
        assert!(!result["message"]["text"].as_str().expect("a message").is_empty());
    }
    for note in run["invocations"][0]["toolExecutionNotifications"].as_array().expect("a list") {
        let index = note["descriptor"]["index"].as_u64().expect("an index") as usize;
        assert_eq!(driver["notifications"][index]["id"], note["descriptor"]["id"]);
    }
    run.clone()
}

fn lines(locations: &Value, place: impl Fn(&Value) -> Value) -> Vec<u64> {
    let locations = locations.as_array().expect("a list").iter();
    let line = |one: &Value| place(one)["region"]["startLine"].as_u64().expect("a line");
    locations.map(line).collect()
}

#[test]
fn a_failing_run_is_a_code_flow() {
    let path = file("a flow.cimple", UNSAFE.as_bytes());
    let run = sarif(&["projection", path.to_str().expect("UTF-8")], "", 1);
    let results = run["results"].as_array().expect("results");
    assert_eq!(results.len(), 1);
    let result = &results[0];
    assert_eq!((&result["ruleId"], &result["level"]), (&"assertion".into(), &"error".into()));
    let place = &result["locations"][0];
    assert_eq!(place["physicalLocation"]["region"]["startLine"], 12);
    assert_eq!(place["physicalLocation"]["region"]["snippet"]["text"], "  assert(x != 3);");
    assert_eq!(place["logicalLocations"][0]["name"], "main");
    let uri = place["physicalLocation"]["artifactLocation"]["uri"].as_str().expect("a URI");
    assert!(uri.starts_with("file:///") && uri.ends_with("/a%20flow.cimple"), "{uri}");
    assert_eq!(run["artifacts"][0]["location"]["uri"], uri);
    let flow = &result["codeFlows"][0]["threadFlows"][0]["locations"];
    let physical = |step: &Value| step["location"]["physicalLocation"].clone();
    assert_eq!(lines(flow, physical), [6, 7, 8, 3, 12]);
    assert_eq!(flow[3]["state"], serde_json::json!({"x": {"text": "1"}, "by": {"text": "2"}}));
    assert_eq!((&flow[2]["nestingLevel"], &flow[3]["nestingLevel"]), (&0.into(), &1.into()));
    assert_eq!(flow[4]["importance"], "essential");
    let related = |one: &Value| one["physicalLocation"].clone();
    assert_eq!(lines(&result["relatedLocations"], related), [3, 6, 7, 8, 12]);
    // Only a projection lights lines.
    let run = sarif(&["check", "-"], UNSAFE, 1);
    assert!(run["results"][0]["relatedLocations"].is_null());
    let place = &run["artifacts"][0]["location"];
    assert_eq!(
        (&place["uri"], &place["description"]["text"]),
        (&Value::Null, &"standard input".into())
    );
}

#[test]
fn what_has_no_failing_run_has_no_results() {
    let run = sarif(&["check", "-"], SAFE, 0);
    assert_eq!(run["results"], serde_json::json!([]));
    assert_eq!(run["invocations"][0]["toolExecutionNotifications"], serde_json::json!([]));
    assert_eq!(run["properties"]["verdict"], "safe");
    let run = sarif(&["check", "-", "--max-steps", "1"], OPEN, 3);
    assert_eq!(run["results"], serde_json::json!([]));
    let note = &run["invocations"][0]["toolExecutionNotifications"][0];
    assert_eq!((&note["descriptor"]["id"], &note["level"]), (&"steps".into(), &"warning".into()));
    assert!(note["message"]["text"].as_str().is_some_and(|text| text.contains("step limit")));
    // A system that reaches its target has a run, too.
    let system = include_str!("../../static/examples/delay.pds");
    let run = sarif(&["projection", "-", "--dialect", "pds"], system, 1);
    assert_eq!(run["results"][0]["ruleId"], "target");
}

/// The suite's cases as (name, what came out, its message), and its counts.
fn junit(arguments: &[&str], input: &str, exit: i32) -> (Vec<[String; 3]>, [u32; 4]) {
    let output =
        faultline(&[&["check", "-", "--format", "junit"], arguments].concat(), input.as_bytes());
    assert_eq!(code(&output), exit, "{}", text(&output.stderr));
    let printed = text(&output.stdout);
    let document = Document::parse(&printed).expect("XML");
    let root = document.root_element();
    assert!(root.has_tag_name("testsuites"));
    let elements = |node: Node<'_, '_>, name: &'static str| {
        node.children()
            .filter(move |child| child.has_tag_name(name))
            .map(|child| child.id())
            .collect::<Vec<_>>()
    };
    let suites = elements(root, "testsuite");
    assert_eq!(suites.len(), 1);
    let suite = document.get_node(suites[0]).expect("it is there");
    let count = |name: &str| suite.attribute(name).and_then(|n| n.parse().ok()).expect("a number");
    let cases = elements(suite, "testcase").into_iter().map(|case| {
        let case = document.get_node(case).expect("it is there");
        let name = case.attribute("name").expect("a name").to_string();
        assert!(case.has_attribute("classname"));
        match case.first_element_child() {
            None => [name, "passed".to_string(), String::new()],
            Some(told) => {
                let message = told.attribute("message").expect("a message");
                let kind = told.attribute("type").expect("a type");
                if told.has_tag_name("failure") {
                    assert!(
                        told.text().is_some_and(|run| run.contains("failing run")),
                        "{printed}"
                    );
                }
                [name, format!("{} {kind}", told.tag_name().name()), message.to_string()]
            }
        }
    });
    (cases.collect(), ["tests", "failures", "errors", "skipped"].map(count))
}

const THREE: &str = "int x;
int a[3];
void main() {
  int i = 2;
  assert(x < 3 || x >= 3);
  if (x == 6) { a[i + 1] = 1; }
  assert(x != 5);
  assert(i == 2);
}
";

#[test]
fn each_line_that_checks_something_is_a_test_case() {
    let (cases, counts) = junit(&[], THREE, 1);
    let told: Vec<(&str, &str)> =
        cases.iter().map(|[name, came, _]| (&name[..], &came[..])).collect();
    assert_eq!(
        told,
        [
            ("line 5, assertion: assert(x < 3 || x >= 3)", "passed"),
            ("line 6, bounds: index of a", "failure bounds"),
            ("line 7, assertion: assert(x != 5)", "failure assertion"),
            ("line 8, assertion: assert(i == 2)", "passed"),
        ]
    );
    assert!(cases[1][2].contains("i + 1 is 3"), "{:?}", cases[1]);
    assert_eq!(counts, [4, 2, 0, 0]);
    // One line alone, as `--error` says.
    let (cases, counts) = junit(&["--error", "8"], THREE, 0);
    assert_eq!((cases.len(), counts), (1, [1, 0, 0, 0]));
}

#[test]
fn what_a_limit_leaves_open_is_skipped() {
    let (cases, counts) = junit(&["--max-steps", "1"], OPEN, 3);
    assert_eq!(counts, [1, 0, 0, 1]);
    assert_eq!(cases[0][1], "skipped steps");
    assert!(cases[0][2].contains("the step limit was hit"));
    let (cases, counts) = junit(&[], "void main() { skip; }", 0);
    assert_eq!((cases[0][1].as_str(), counts), ("passed", [1, 0, 0, 0]));
}

#[test]
fn formats_belong_to_their_analyses() {
    refused(&["projection", "-", "--format", "junit"], SAFE.as_bytes(), &["`faultline check`"]);
    refused(&["focus", "-", "--format", "sarif"], SAFE.as_bytes(), &["faultline projection"]);
    refused(&["graph", "-", "--format", "sarif"], SAFE.as_bytes(), &["sarif is a format of"]);
    refused(&["check", "-", "--format", "dot"], SAFE.as_bytes(), &["dot is a format of"]);
    refused(&["pds", "-", "--format", "junit"], SAFE.as_bytes(), &["junit is a format of"]);
    let asked = ["check", "-", "--invariants", "--format", "sarif"];
    refused(&asked, SAFE.as_bytes(), &["for text and json"]);
    let system = include_bytes!("../../static/examples/delay.pds");
    refused(&["check", "-", "--format", "junit"], system, &["no assertions"]);
}
