//! `check --reach LINE`: an input with which a run comes to a line, or the proof that none does.

use super::calling::{code, faultline, file, json, text};
use serde_json::json;

const PROGRAM: &str = "#include <stdio.h>
int main(void) {
  int a, b;
  scanf(\"%d %d\", &a, &b);
  if (a > 10 && b == a + 3) {
    if (a % 2 == 1)
      printf(\"here\\n\");
    else if (a < 5)
      printf(\"never\\n\");
  }
  return 0;
}
";

fn asked(more: &[&str]) -> std::process::Output {
    let arguments = [&["check", "-", "--dialect", "c", "--reach"], more].concat();
    faultline(&arguments, PROGRAM.as_bytes())
}

#[test]
fn an_input_is_found_and_written() {
    let input = file("reach.in", b"");
    let output = asked(&["7", "--input-file", &input.to_string_lossy()]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stdout);
    assert!(said.starts_with("A run comes to line 7\n"), "{said}");
    assert!(said.contains("A shortest run to line 7: 5 statements"), "{said}");
    let numbers = std::fs::read_to_string(&input).expect("it is written");
    let numbers: Vec<i64> =
        numbers.split_whitespace().map(|word| word.parse().expect("a number")).collect();
    let [a, b] = numbers[..] else { panic!("{numbers:?}") };
    assert!(a > 10 && b == a + 3 && a % 2 == 1, "{numbers:?}");
}

#[test]
fn a_line_that_no_run_comes_to_is_proved() {
    let output = asked(&["9"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).starts_with("No run comes to line 9\n"));
}

#[test]
fn the_question_and_the_answer_are_in_json() {
    let report = json(&asked(&["7", "--format", "json"]));
    assert_eq!(report["options"]["reach"], json!(7));
    assert_eq!(report["error"]["kind"], json!("reached"));
}

#[test]
fn a_line_without_a_statement_is_refused_with_the_nearest() {
    let output = asked(&["1"]);
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(said.contains("no statement starts on line 1"), "{said}");
    assert!(said.contains("the nearest one starts on line 4"), "{said}");
    assert_eq!(code(&asked(&["7", "--error", "7"])), 2);
}
