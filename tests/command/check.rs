//! `faultline check`: verdicts, options, witnesses, and what a limit says; JSON keys and words.

use super::calling::{OPEN, SAFE, UNSAFE, code, faultline, file, json, refused, text};

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

#[test]
fn a_label_can_be_an_error() {
    let source = b"void main() {\nbad: skip;\n}\n";
    assert_eq!(code(&faultline(&["check", "-"], source)), 0);
    assert_eq!(code(&faultline(&["check", "-", "--label", "bad"], source)), 1);
}

#[test]
fn a_limit_is_an_answer() {
    let output =
        faultline(&["projection", "-", "--max-steps", "1", "--format", "json"], OPEN.as_bytes());
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

#[test]
fn the_licences_of_what_is_inside() {
    let output = faultline(&["--licenses"], b"");
    assert_eq!(code(&output), 0);
    let licences = text(&output.stdout);
    for part in ["clap ", "num-bigint ", "yew ", "@codemirror/state ", "THE SOFTWARE IS PROVIDED"] {
        assert!(licences.contains(part), "{part}");
    }
    let output = faultline(&[], b"");
    assert_eq!(code(&output), 2);
    assert!(text(&output.stderr).contains("Usage: faultline <COMMAND>"), "{output:?}");
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
    assert!(text(&output.stdout).contains("No answer"), "{}", text(&output.stdout));
}

/// What decided is named, and a heuristic that is asked for by name is used to the end.
#[test]
fn refinement_says_whether_predicates_or_variables_decided() {
    let ring = include_bytes!("../golden/cegar/ring.cimple");
    let run = |more: &[&str]| {
        let output = faultline(&[&["cegar", "-", "--format", "json"], more].concat(), ring);
        (code(&output), json(&output))
    };
    let (code, report) = run(&[]);
    assert_eq!((code, &report["decided"]["by"]), (0, &"predicates".into()));
    assert_eq!(report["decided"]["followed"], 0);
    let small = ["--max-nodes", "2000"];
    let (code, report) = run(&small);
    assert_eq!((code, &report["decided"]["by"]), (0, &"followed variables".into()));
    assert_eq!(
        (&report["decided"]["followed"], &report["proof"]["checked"]),
        (&4.into(), &true.into())
    );
    let rounds = report["rounds"].as_array().expect("a list");
    assert_eq!(rounds.last().map(|last| &last["follows"]), Some(&4.into()));
    for pure in [&["--only-predicates"][..], &["--interpolants", "skip-conciliated"]] {
        let (code, report) = run(&[&small[..], pure].concat());
        assert_eq!((code, &report["limit"]), (3, &"nodes".into()));
        assert!(report["decided"].is_null());
        let rounds = report["rounds"].as_array().expect("a list");
        assert!(rounds.iter().all(|round| round["follows"].is_null()));
    }
}

/// "Safe" must not be read as a proof where nothing was to be proved.
#[test]
fn a_program_without_anything_to_check_says_so() {
    let output = faultline(&["check", "-"], b"int x;\nvoid main() { x = 1; }\n");
    assert_eq!(code(&output), 0);
    assert!(text(&output.stdout).contains("Nothing to check"), "{}", text(&output.stdout));
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
    assert_eq!(code(&nowhere), 2);
    assert!(text(&nowhere.stderr).contains("cannot write"), "{}", text(&nowhere.stderr));
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
    let folder = "static/examples";
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

#[test]
fn analyses_of_one_width_say_which_width_to_try() {
    let source = "int nondet(void);\nint main(void) {\n  int a = nondet(), b = nondet();\n  \
                  assert(a * b == b * a);\n  return 0;\n}\n";
    let program = file("products.c", source.as_bytes());
    let path = program.to_str().expect("a path in UTF-8");
    let limit = ["--max-nodes", "50000"];
    for analysis in [&["localize"][..], &["focus"], &["graph", "--projection"]] {
        let with = |more: &[&str]| faultline(&[analysis, &[path], &limit, more].concat(), b"");
        let output = with(&[]);
        assert_eq!(code(&output), 3, "{analysis:?}");
        let told = text(&output.stderr);
        assert!(told.contains("`--bits 8`"), "{analysis:?}: {told}");
        let output = with(&["--bits", "32"]);
        assert_eq!(code(&output), 3, "{analysis:?}");
        let told = text(&output.stderr);
        assert!(!told.contains("--bits"), "the width was given: {told}");
    }
    let output = faultline(&["check", path, "--max-nodes", "50000"], b"");
    assert!(!text(&output.stderr).contains("--bits"), "it tries narrower widths itself");
}

#[test]
fn characters_are_written_as_characters_and_are_numbers_in_json() {
    let source =
        b"#include <assert.h>\nint main(void) {\n  char s[3] = \"ab\";\n  char c = s[0];\n  \
                   s[1] = 'x';\n  assert(c == 'b');\n}\n";
    let program = file("characters.c", source);
    let path = program.to_str().expect("a path in UTF-8");
    let told = text(&faultline(&["check", path], b"").stdout);
    for part in ["c is 97 'a'", "s[1] = 120 'x'"] {
        assert!(told.contains(part), "no {part:?} in\n{told}");
    }
    let report = json(&faultline(&["check", path, "--format", "json"], b""));
    let last = report["trace"].as_array().expect("a trace").last().expect("a step");
    assert_eq!(last["values"], serde_json::json!({"s": [97, 120, 0], "c": 97}));
}

/// What the library is told of its arguments: names, and how many bytes there are.
#[test]
fn the_library_looks_at_its_arguments() {
    let verdict = |body: &str| {
        let program = format!(
            "#include <fcntl.h>\n#include <unistd.h>\nint main(void) {{ {body} return 0; }}"
        );
        let output = faultline(&["check", "-", "--dialect", "c"], program.as_bytes());
        let said = text(&output.stdout);
        said.split([':', '\n']).next().unwrap_or_default().to_string()
    };
    let fails = "It can fail";
    assert_eq!(verdict("char data[20]; read(0, data, 21);"), fails);
    assert_ne!(verdict("char data[20]; return read(0, data, 20) > 20;"), fails);
    assert_eq!(verdict("char *path; open(path, 0);"), fails);
    assert_ne!(verdict("char path[2] = \"a\"; open(path, 0);"), fails);
    assert_ne!(verdict("open(\"a\", 0);"), fails);
}

/// Nothing is known of a name that nobody declares: no verdict rests on it.
#[test]
fn what_is_declared_nowhere_is_refused() {
    for (name, arguments) in [("foo", "1"), ("prinft", "\"a\""), ("__CPROVER_foo", "1")] {
        let program = format!("int main(void) {{ {name}({arguments}); return 0; }}");
        let output = faultline(&["check", "-", "--dialect", "c"], program.as_bytes());
        assert_eq!(output.status.code(), Some(2), "{name}");
        let said = text(&output.stderr);
        assert!(said.contains(&format!("`{name}`")), "{said}");
        assert_eq!(name == "prinft", said.contains("did you mean `printf`?"), "{said}");
    }
}

/// The bytes of a local union behind a shorter member that is set have any value.
#[test]
fn the_rest_of_a_union_is_not_zero() {
    let program = "#include <assert.h>
union u { int i; char c; };
int main(void) { union u x = {.c = 1}; assert(x.i == 1); return 0; }";
    let output = faultline(&["check", "-", "--dialect", "c"], program.as_bytes());
    assert_ne!(output.status.code(), Some(0), "{}", text(&output.stdout));
}
