//! The tasks of `tests/benchexec`: each has the verdict that its definition expects, with the
//! options that `faultline.py` gives for its property.

use super::calling::{code, faultline, json, text};
use std::path::Path;
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
