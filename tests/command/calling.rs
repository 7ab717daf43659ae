//! Running the command, and reading what it answers.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

pub(crate) const UNSAFE: &str = "int x;
void up(int by) {
  x = x + by;
}
void main() {
  x = 1;
  if (*) {
    up(2);
  } else {
    x = 0;
  }
  assert(x != 3);
}
";

/// Safe, with more than one run: executing one is no proof.
pub(crate) const OPEN: &str = "int x;
void main() {
  x = 1;
  if (*)
    x = 2;
  assert(x != 3);
}
";

pub(crate) const SAFE: &str = "void main() {
  int x;
  x = 1;
  assert(x == 1);
}
";

/// Runs the command with this on its standard input.
pub(crate) fn faultline(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_faultline"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command was built");
    // A command that refuses its arguments does not read its input.
    let _ = child.stdin.take().expect("it is piped").write_all(input);
    child.wait_with_output().expect("the command ends")
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the command speaks UTF-8")
}

/// The exit code; a panic must not look like an answer.
pub(crate) fn code(output: &Output) -> i32 {
    assert!(!text(&output.stderr).contains("panicked"), "{}", text(&output.stderr));
    output.status.code().expect("it was not killed")
}

pub(crate) fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).expect("JSON on standard output")
}

/// A file of its own for a test.
pub(crate) fn file(name: &str, contents: &[u8]) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, contents).expect("the target directory is writable");
    path
}

/// Bad input: exit code 2, nothing on standard output, and these words on standard error.
pub(crate) fn refused(arguments: &[&str], input: &[u8], words: &[&str]) {
    let output = faultline(arguments, input);
    let errors = text(&output.stderr);
    assert_eq!(code(&output), 2, "{errors}");
    assert!(output.stdout.is_empty(), "{}", text(&output.stdout));
    for word in words {
        assert!(errors.contains(word), "no {word:?} in\n{errors}");
    }
}
