//! The command line on raw systems.

use std::path::PathBuf;
use std::process::{Command, Output};

fn faultline(arguments: &[&str]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_faultline"))
        .args(arguments)
        .output()
        .expect("the command was built");
    assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"), "{output:?}");
    output
}

fn code(arguments: &[&str]) -> i32 {
    faultline(arguments).status.code().expect("it was not killed")
}

fn out(arguments: &[&str]) -> String {
    String::from_utf8(faultline(arguments).stdout).expect("text")
}

fn file(name: &str, contents: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, contents).expect("the target directory is writable");
    path.to_string_lossy().into_owned()
}

const SATURATION: &str = "static/examples/saturation.pds";
const PLOTTER: &str = "static/examples/plotter.pds";

#[test]
fn formulas_are_asked_by_atoms() {
    assert_eq!(code(&["ltl", PLOTTER]), 0, "the formula of its directive");
    assert_eq!(code(&["ltl", PLOTTER, "--ltl", "G F down"]), 1);
    assert_eq!(code(&["terminates", PLOTTER]), 1);
    let told = out(&["ltl", PLOTTER, "--ltl", "G F down"]);
    assert!(told.contains("A run that no rule continues stays in its last"), "{told}");
    assert!(
        told.contains("     1     6    stack        <start, main> -> <start, s end>"),
        "{told}"
    );
    assert!(told.contains("again from step 1") && told.contains("The stack "), "{told}");
    let unknown = faultline(&["ltl", PLOTTER, "--ltl", "G low"]);
    assert_eq!(unknown.status.code(), Some(2));
    let said = String::from_utf8(unknown.stderr).expect("text");
    assert!(said.contains("there is no atom `low`; the system's atoms are `up`, `down`"), "{said}");
    assert_eq!(code(&["ltl", PLOTTER, "--refine"]), 2);
}

#[test]
fn exit_codes_by_every_saturation() {
    let json = r#"[{"state-names":true,"weight-type":"none"},{"states":{"p":{"a":{"pop":"","to":"q"}},"q":{}}},{"accepting":[2],"edges":[["p","a",2]]},{"accepting":["q"],"edges":[]}]"#;
    let json = file("instance.json", json);
    for saturation in ["post", "pre", "both"] {
        assert_eq!(code(&["check", SATURATION, "--saturation", saturation]), 1);
        assert_eq!(code(&["projection", PLOTTER, "--saturation", saturation]), 0);
        assert_eq!(code(&["check", &json, "--saturation", saturation]), 1);
    }
    assert_eq!(code(&["check", SATURATION, "--max-steps", "3"]), 3);
    assert_eq!(code(&["check", SATURATION, "--max-nodes", "3"]), 3);
    assert_eq!(code(&["check", &file("bad.pds", "<p, a> -> <q, a b c>\n")]), 2);
}

#[test]
fn the_report_as_json() {
    let report: serde_json::Value = serde_json::from_str(&out(&[
        "projection",
        SATURATION,
        "--saturation",
        "both",
        "--format",
        "json",
    ]))
    .expect("JSON");
    assert_eq!(
        (&report["verdict"], &report["options"]["dialect"]),
        (&"unsafe".into(), &"pds".into())
    );
    assert_eq!(
        (&report["error"]["kind"], &report["error"]["line"]),
        (&"target".into(), &11.into())
    );
    assert_eq!(report["error"]["message"], "<p0, g0 g0 g0> is reached");
    let trace = report["trace"].as_array().expect("a run");
    assert_eq!(trace.len(), 5);
    assert_eq!(
        (&trace[0]["line"], &trace[0]["statement"]),
        (&2.into(), &"<p0, g0> -> <p1, g1 g0>".into())
    );
    assert_eq!(trace[0]["values"], serde_json::json!({"state": "p0", "stack": ["g0", "g0"]}));
    assert_eq!(trace[4]["values"], serde_json::json!({"state": "p0", "stack": ["g0", "g0", "g0"]}));
    assert_eq!(report["projection"]["lines"], serde_json::json!([2, 3, 4, 5]));
    assert_eq!(
        (&report["projection"]["nodes"], &report["projection"]["of"]),
        (&4.into(), &4.into())
    );
    let pushdown = &report["pushdown"];
    assert_eq!(
        (&pushdown["saturation"], &pushdown["states"], &pushdown["rules"]),
        (&"both".into(), &3.into(), &5.into())
    );
    assert_eq!(
        pushdown["post"],
        serde_json::json!({"states": 7, "transitions": 10, "complete": true})
    );
    assert_eq!(
        pushdown["heads"],
        serde_json::json!(["<p0, g0>", "<p0, g1>", "<p1, g1>", "<p2, g2>"])
    );
    let unknown: serde_json::Value =
        serde_json::from_str(&out(&["check", SATURATION, "--max-steps", "3", "--format", "json"]))
            .expect("JSON");
    assert_eq!((&unknown["verdict"], &unknown["limit"]), (&"unknown".into(), &"steps".into()));
}

#[test]
fn the_report_as_text() {
    let text = out(&["projection", SATURATION]);
    for part in [
        "Reachable: a run reaches the target of line 11",
        "  <p0, g0 g0 g0> is reached",
        "for stacks of any height, by post* of the initial configurations",
        "A shortest run into the target: 4 rules",
        "     2     3  <p1, g1 g0 g0>     <p1, g1> -> <p2, g2 g0>",
        "4 of 4 rules that runs apply are on a run into the target",
        "  2 | <p0, g0> -> <p1, g1 g0>",
        "  8 · <p1, x>  -> <p0, x>",
    ] {
        assert!(text.contains(part), "no {part:?} in\n{text}");
    }
    assert!(
        out(&["check", PLOTTER])
            .starts_with("Not reachable: no run from an initial configuration reaches a target\n")
    );
}

#[test]
fn the_picture() {
    let graph: serde_json::Value =
        serde_json::from_str(&out(&["graph", SATURATION, "--projection", "--format", "json"]))
            .expect("JSON");
    let names: Vec<&str> = graph["clusters"]
        .as_array()
        .expect("clusters")
        .iter()
        .filter_map(|c| c["name"].as_str())
        .collect();
    assert_eq!(names, ["system"]);
    let marks = |of: &str, key: &str| -> Vec<String> {
        graph[of]
            .as_array()
            .expect("a list")
            .iter()
            .map(|one| {
                format!(
                    "{}: {}",
                    one[key].as_str().unwrap_or(""),
                    one["mark"].as_str().unwrap_or("")
                )
            })
            .collect()
    };
    // The rule of x, its head and where it leads are dim.
    let nodes = [
        "<p0, g0>: lit",
        "<p0, g1>: lit",
        "<p0, x>: dim",
        "<p0, …>: lit",
        "<p1, g1>: lit",
        "<p1, x>: dim",
        "<p2, g2>: lit",
    ];
    assert_eq!(marks("nodes", "label"), nodes);
    assert_eq!(marks("edges", "label"), ["g1 g0: lit", "g2 g0: lit", ": lit", "ε: lit", ": dim"]);
    assert!(out(&["graph", PLOTTER, "--format", "svg"]).contains("</svg>"));
    assert!(out(&["graph", PLOTTER, "--format", "dot"]).contains("digraph"));
}

/// The cheapest run goes through one tunnel; by the rule of line 15 it takes the tunnel within.
#[test]
fn the_cheapest_run_by_a_rule() {
    let text = out(&["projection", "static/examples/delay.pds", "--through", "15"]);
    assert!(text.contains("A run of least weight 4 "), "{text}");
    assert!(text.contains("A run of least weight 6 by line 15: 5 rules"), "{text}");
    let json: serde_json::Value = serde_json::from_str(&out(&[
        "projection",
        "static/examples/delay.pds",
        "--through",
        "15,6",
        "--format",
        "json",
    ]))
    .expect("JSON");
    assert_eq!(json["projection"]["through"]["exists"], false);
}

#[test]
fn what_is_for_programs_is_refused_and_the_other_way_round() {
    for arguments in [
        ["check", SATURATION, "--invariants", ""],
        ["check", SATURATION, "--error", "3"],
        ["check", SATURATION, "--label", "bad"],
        ["projection", SATURATION, "--method", "naive"],
        ["projection", SATURATION, "--through", "1"],
        ["projection", SATURATION, "--why", "3"],
        ["check", "static/examples/table-1.cimple", "--saturation", "pre"],
    ] {
        let arguments: Vec<&str> =
            arguments.into_iter().filter(|argument| !argument.is_empty()).collect();
        assert_eq!(code(&arguments), 2, "{arguments:?}");
    }
}
