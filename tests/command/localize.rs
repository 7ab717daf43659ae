//! `faultline localize` and `faultline focus`: causes, suspects, sequences, in JSON and in words.

use super::calling::{SAFE, UNSAFE, code, faultline, json, refused, text};

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
            text(&limited.stdout)
                .starts_with("No answer, and no failure found: the node limit was hit\n"),
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
