//! C programs without a `main`: each procedure that no other calls is a start, and the answer says
//! which fails.

use super::calling::{faultline, json, text};
use serde_json::{Value, json};

fn report(program: &str) -> Value {
    json(&faultline(&["check", "-", "--dialect", "c", "--format", "json"], program.as_bytes()))
}

fn headline(program: &str) -> String {
    let printed = faultline(&["check", "-", "--dialect", "c"], program.as_bytes());
    text(&printed.stdout).lines().next().unwrap_or_default().to_string()
}

const HALF: &str = "char add(char a, char b) {\n  return a / 2 + b / 2;\n}\nchar half(char n, char by) {\n  return n / by;\n}\n";

#[test]
fn each_procedure_is_a_start_and_the_headline_says_which_fails() {
    let found = report(HALF);
    assert_eq!(found["starts"], json!({ "procedures": ["add", "half"], "fails": "half" }));
    assert_eq!(found["error"]["line"], json!(5));
    let said = headline(HALF);
    assert!(said.contains("line 5, started with half (one of 2 procedures)"), "{said}");
}

/// Integers of 32 bits, whose quotients no diagram holds: the interpreter tries every start.
#[test]
fn a_start_that_divides_is_found_beside_one_that_overflows() {
    let add = "int add(int a, int b) {\n  return a + b;\n}\n";
    let half = "int half(int n, int by) {\n  return n / by;\n}\n";
    for program in [format!("{add}{half}"), format!("{half}{add}")] {
        let found = report(&program);
        assert_eq!(found["starts"]["fails"], json!("half"), "{found}");
        assert_eq!(found["error"]["kind"], json!("division"));
        let kinds = found["failures"].as_array().expect("several fail");
        let kinds: Vec<_> = kinds.iter().map(|failure| failure["kind"].clone()).collect();
        assert_eq!(kinds, ["division", "overflow", "overflow"]);
    }
}

#[test]
fn where_none_fails_the_headline_says_how_many_were_checked() {
    let halves = HALF.replace("n / by", "by == 0 ? 0 : n / by");
    let found = report(&halves);
    assert_eq!(found["verdict"], json!("safe"));
    assert_eq!(found["starts"]["procedures"], json!(["add", "half"]));
    let said = headline(&halves);
    assert!(said.contains("whichever of 2 procedures it starts with"), "{said}");
}

#[test]
fn a_main_is_the_only_start() {
    let found = report(&format!("{HALF}int main(void) {{ return half(4, 2); }}\n"));
    assert_eq!((&found["verdict"], &found["starts"]), (&json!("safe"), &Value::Null));
}

#[test]
fn a_global_that_is_used_above_its_declaration_is_a_mistake() {
    let program = "int main(void) {\n  x = 3;\n  return x;\n}\nint x;\n";
    let output = faultline(&["check", "-", "--dialect", "c"], program.as_bytes());
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(said.contains("`x` is used above its declaration in line 5"), "{said}");
    let declared = format!("extern int x;\n{program}");
    let output = faultline(&["check", "-", "--dialect", "c"], declared.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}
