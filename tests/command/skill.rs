//! The sessions of `docs/skill.md`: their files are written, their commands executed, and what the
//! document shows of an answer is in the answer.

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

const DOCUMENT: &str = "docs/skill.md";

/// A block of the document: what stands behind the three backquotes, and its text.
fn blocks(document: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut rest = document;
    while let Some((_, after)) = rest.split_once("\n```") {
        let (kind, after) = after.split_once('\n').expect("a block has a text");
        let (text, after) = after.split_once("\n```").expect("a block has an end");
        found.push((kind, text));
        rest = after;
    }
    found
}

/// Is all of `shown` in `real`? Of a list, its elements in their order, others between them.
fn has(real: &Value, shown: &Value) -> bool {
    match (real, shown) {
        (Value::Object(real), Value::Object(shown)) => {
            shown.iter().all(|(key, part)| real.get(key).is_some_and(|found| has(found, part)))
        }
        (Value::Array(real), Value::Array(shown)) => {
            let mut left = real.iter();
            shown.iter().all(|part| left.any(|found| has(found, part)))
        }
        _ => real == shown,
    }
}

#[test]
fn the_sessions_of_the_document_for_assistants_are_what_the_command_answers() {
    let document = fs::read_to_string(DOCUMENT).expect("the document");
    let folder = std::env::temp_dir().join(format!("faultline-skill-{}", std::process::id()));
    let (mut commands, mut compared) = (0, 0);
    let mut answer = None;
    for (kind, text) in blocks(&document) {
        match kind.split_once(' ') {
            Some((_, name)) => {
                let path = folder.join(name);
                let parent = path.parent().unwrap_or(Path::new("."));
                fs::create_dir_all(parent).expect("a folder");
                fs::write(path, format!("{text}\n")).expect("a file");
            }
            None if kind == "console" => {
                let (command, code) = text.split_once("\n# exit code ").expect("an exit code");
                let words: Vec<&str> = command.split(' ').collect();
                assert_eq!(words[..2], ["$", "faultline"], "{command}");
                let output = Command::new(env!("CARGO_BIN_EXE_faultline"))
                    .args(&words[2..])
                    .current_dir(&folder)
                    .output()
                    .expect("the command was built");
                let expected: i32 = code.trim().parse().expect("a number");
                assert_eq!(output.status.code(), Some(expected), "{command}");
                let json = serde_json::from_slice(&output.stdout).expect("JSON");
                answer = Some((command, json));
                commands += 1;
            }
            None => {
                assert_eq!(kind, "json", "{text}");
                let (command, real): (&str, Value) = answer.take().expect("a command before it");
                let shown: Value = serde_json::from_str(text).expect("JSON");
                assert!(has(&real, &shown), "{command}: {shown:#} is not in {real:#}");
                compared += 1;
            }
        }
    }
    fs::remove_dir_all(&folder).expect("it is there");
    assert!(commands >= 5 && compared == commands, "{commands} commands, {compared} answers");
}

#[test]
fn a_part_of_an_answer_is_in_it_and_another_one_is_not() {
    let real = serde_json::json!({ "a": [1, { "b": 2, "c": 3 }], "d": "x" });
    assert!(has(&real, &serde_json::json!({ "a": [{ "b": 2 }] })));
    assert!(!has(&real, &serde_json::json!({ "a": [{ "b": 3 }] })));
    assert!(!has(&real, &serde_json::json!({ "a": [{ "c": 3 }, 1] })));
    assert!(!has(&real, &serde_json::json!({ "e": "x" })));
}
