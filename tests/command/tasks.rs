//! The tasks of `tests/benchexec`: each has the verdict that its definition expects, with the
//! options that `faultline.py` gives for its property.

use super::calling::{code, faultline, json, text};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use yaml_rust2::{Yaml, YamlLoader};

/// The arguments for a property.
fn of_property(file: &str) -> &'static [&'static str] {
    match file {
        "unreach-call.prp" => &["check", "--check", "none"],
        "valid-memsafety.prp" => &["check", "--check", "bounds,leak"],
        "no-overflow.prp" => &["check", "--check", "overflow"],
        "termination.prp" => &["terminates", "--check", "none"],
        other => panic!("no options for {other}"),
    }
}

#[test]
fn tasks_have_the_verdicts_that_they_expect() {
    let folder = Path::new("tests/benchexec");
    let description = std::fs::read_to_string(folder.join("faultline.py")).unwrap();
    let mut decided = 0;
    for entry in std::fs::read_dir(folder.join("tasks")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "yml") {
            continue;
        }
        let task = YamlLoader::load_from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let task: &Yaml = &task[0];
        assert_eq!(task["format_version"].as_str(), Some("2.0"), "{path:?}");
        assert_eq!(task["options"]["data_model"].as_str(), Some("ILP32"), "{path:?}");
        let property = &task["properties"][0];
        let name = property["property_file"].as_str().unwrap();
        assert!(folder.join("tasks").join(name).exists(), "{path:?}");
        let options = of_property(name);
        let checks = format!("(\"{}\", \"{}\"", options[0], options[2]);
        assert!(description.contains(&checks), "faultline.py has other options for {name}");
        let program = folder.join("tasks").join(task["input_files"].as_str().unwrap());
        let file = [program.to_str().unwrap(), "--model", "ilp32", "--format", "json"];
        let output = faultline(&[options, &file].concat(), b"");
        let holds = property["expected_verdict"].as_bool().unwrap();
        assert_eq!(code(&output), i32::from(!holds), "{path:?}: {}", text(&output.stderr));
        if !holds && options[0] == "check" {
            let violated = property["subproperty"].as_str();
            let violated = violated.or_else(|| name.strip_suffix(".prp")).unwrap();
            assert_eq!(json(&output)["error"]["property"], violated, "{path:?}");
            assert!(description.contains(&format!("\"{violated}\": result.")), "{violated}");
        }
        decided += 1;
    }
    assert_eq!(decided, 8);
}

/// What `faultline.py` answers, by `description_test.py`. `None` where the machine has no Python.
fn described(arguments: &[&str], input: &[u8]) -> Option<Vec<String>> {
    let mut child = Command::new("python3")
        .current_dir("tests/benchexec")
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .arg("description_test.py")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    // It does not always read its input.
    let _ = child.stdin.take().expect("it is piped").write_all(input);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{}", text(&output.stderr));
    Some(text(&output.stdout).lines().map(str::to_string).collect())
}

/// One submission for each run: the description calls the command, and reads its report by its
/// fields.
#[test]
fn submissions_have_the_verdicts_that_their_tasks_expect() {
    let folder = Path::new("tests/benchexec/class");
    let path = |name: &str| folder.join(name).to_str().expect("a plain path").to_string();
    let (tests, reference) = (path("tests"), path("reference.c"));
    let domain = "n in 0..4, then n times int in -9..9";
    let grade = ["grade", "--tests", &tests, "--reference", &reference, "--input", domain];
    for (name, graded, tested, failed) in [
        ("anna", "true", "true", ""),
        ("ben", "false", "false", "three"),
        // No test has a negative number.
        ("cleo", "false", "true", ""),
    ] {
        let task = fs::read_to_string(folder.join(format!("{name}.yml"))).expect("a task");
        let task = YamlLoader::load_from_str(&task).expect("YAML");
        let expected = task[0]["properties"][0]["expected_verdict"].as_bool();
        assert_eq!(expected, Some(graded == "true"), "{name}");
        let program = path(&format!("{name}.c"));
        for (options, result) in [(&grade[..], graded), (&["test", "--tests", &tests], tested)] {
            let asked = [&["cmdline", "60", &program], options].concat();
            let Some(words) = described(&asked, b"") else { return };
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let begin = ["faultline", options[0], &program, "--format", "json"];
            let end = ["--timeout", "57"];
            assert_eq!(words, [&begin[..], &options[1..], &end[..]].concat());
            let output = faultline(&words[1..], b"");
            let code = code(&output).to_string();
            let asked = [&["result", code.as_str()], &words[..]].concat();
            let told = described(&asked, &output.stdout).expect("there is Python");
            assert_eq!(told[0], result, "{name}: {}", text(&output.stdout));
            if options[0] == "grade" {
                assert_eq!(told[1], failed, "{name}");
            }
        }
    }
}

/// The result depends on fields: other words in messages change nothing.
#[test]
fn results_are_read_by_fields() {
    let of = |analysis: &str, report: &str| {
        let asked = ["result", "3", "faultline", analysis, "a.c"];
        described(&asked, report.as_bytes()).map(|told| told[0].clone())
    };
    let row = |verdict: &str, rest: &str| {
        format!(
            "a warning\n{{\n\"submissions\": [{{\"verdict\": \"{verdict}\", \"message\": \"passes, \
             fails\"{rest}}}]\n}}\n"
        )
    };
    let limit = ", \"checked\": [{\"verdict\": \"unknown\", \"limit\": \"time\"}]";
    let Some(told) = of("grade", &row("unknown", limit)) else { return };
    assert_eq!(told, "unknown (time)");
    let told = [row("passes", ""), row("fails", ""), row("refused", ""), row("unknown", "")];
    let told = told.map(|report| of("grade", &report).expect("there is Python"));
    assert_eq!(told, ["true", "false", "ERROR (refused)", "unknown (unknown)"]);
    let test = "{\n\"verdict\": \"unknown\", \"tests\": [{\"result\": \"limit\", \"error\": \
                \"steps\"}]\n}\n";
    assert_eq!(of("test", test).as_deref(), Some("unknown (steps)"));
    assert_eq!(of("check", "{\n\"verdict\": \"safe\"\n}\n").as_deref(), Some("true"));
    assert_eq!(of("grade", "no report").as_deref(), Some("ERROR"));
}
