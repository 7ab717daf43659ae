//! The line at which a failure is told, for programs with several calls of the library: it is where
//! a C compiler's sanitizers find the failure.

use super::judged;
use super::sanitizers::{compiles, works};
use crate::support::Random;
use faultline::report::report;
use faultline::session::Outcome;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// Programs that are compared.
const PROGRAMS: u64 = 40;
/// Buffers, with their sizes.
const BUFFERS: [(&str, u64); 3] = [("a", 5), ("b", 4), ("c", 3)];

/// A program without input: each statement has a line of its own.
fn program(random: &mut Random) -> String {
    let mut text = String::from("void put(char *to, const char *from) {\n  strcpy(to, from);\n}\n");
    text.push_str("int main(void) {\n  unsigned long n = 0;\n");
    for (name, size) in BUFFERS {
        let _ = writeln!(text, "  char {name}[{size}] = \"\";");
    }
    let heap = random.below(2) == 0;
    if heap {
        let _ = writeln!(text, "  char *p = calloc({}, 1);", 2 + random.below(3));
    }
    let buffers: Vec<&str> =
        BUFFERS.iter().map(|(name, _)| *name).chain(heap.then_some("p")).collect();
    for _ in 0..3 + random.below(5) {
        let to = random.below(buffers.len() as u64) as usize;
        let from = (to + 1 + random.below(buffers.len() as u64 - 1) as usize) % buffers.len();
        let (to, from) = (buffers[to], buffers[from]);
        let word = ["", "x", "yz", "abc", "four"][random.below(5) as usize];
        let k = 1 + random.below(5);
        let _ = match random.below(12) {
            0 | 1 => writeln!(text, "  strcpy({to}, \"{word}\");"),
            2 => writeln!(text, "  strcpy({to}, {from});"),
            3 => writeln!(text, "  strcat({to}, \"{word}\");"),
            4 => writeln!(text, "  strcat({to}, {from});"),
            5 => writeln!(text, "  n = n + strlen({to});"),
            6 => writeln!(text, "  put({to}, \"{word}\");"),
            7 => writeln!(text, "  strncpy({to}, \"{word}\", {k});\n  {to}[2] = 0;"),
            8 => writeln!(text, "  memset({to}, 'm', {k});\n  {to}[2] = 0;"),
            9 => writeln!(text, "  n = n +\n    strlen({to}) +\n    strlen({from});"),
            10 if heap => {
                writeln!(text, "  free(p);\n  p = calloc(3, 1);\n  strcpy(p, \"{word}\");")
            }
            _ => writeln!(text, "  strncat({to}, {from}, {k});"),
        };
    }
    if heap && random.below(4) == 0 {
        text.push_str("  free(p);\n  strcpy(p, a);\n");
    }
    text.push_str("  return 0;\n}\n");
    text
}

/// The line of this source at which a sanitizer reports a failure; `None` if the run ends well.
fn reported(binary: &Path, source: &str) -> Option<u32> {
    let output = Command::new(binary)
        .env("ASAN_OPTIONS", "detect_leaks=0:strict_string_checks=0:symbolize=1")
        .output()
        .expect("what was compiled can be run");
    if output.status.success() {
        return None;
    }
    let said = String::from_utf8_lossy(&output.stderr).to_string();
    let mark = format!("{source}:");
    let line = said.split(&mark).nth(1).map(|rest| {
        rest.chars().take_while(char::is_ascii_digit).collect::<String>().parse::<u32>()
    });
    match line {
        Some(Ok(line)) => Some(line),
        _ => panic!("no line: {said}"),
    }
}

/// A program that takes objects of a size that only the run knows, and uses their first elements.
fn sized(random: &mut Random) -> String {
    let mut text = String::from(
        "char *make(int n) {\n  char *p = malloc(n);\n  p[0] = 1;\n  return p;\n}\n\
         int main(void) {\n",
    );
    let first = 1 + random.below(2);
    let _ = writeln!(text, "  char *a = make({first});\n  char *b = make({});", 3 - first);
    for _ in 0..random.below(3) {
        let name = ["a", "b"][random.below(2) as usize];
        let _ = match random.below(4) {
            0 => writeln!(text, "  *{name} = 2;"),
            1 => writeln!(text, "  {name}[1] = 3;"),
            2 => writeln!(text, "  {name}[0] = 4;"),
            _ => writeln!(text, "  free({name});\n  {name} = make({});", 1 + random.below(2)),
        };
    }
    text.push_str("  free(a);\n  free(b);\n  return 0;\n}\n");
    text
}

#[test]
fn failures_are_told_where_sanitizers_find_them() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lines");
    std::fs::create_dir_all(&folder).expect("the test's own folder can be made");
    if !works(&folder) {
        println!("left out: no C compiler with -fsanitize=address,undefined");
        return;
    }
    let (mut safe, mut failing) = (0, 0);
    for seed in 0..PROGRAMS {
        let random = &mut Random::new(9000 + seed);
        let made = if seed % 5 == 4 { sized(random) } else { program(random) };
        let source = format!("#include <string.h>\n#include <stdlib.h>\n{made}");
        let name = format!("program_{seed}");
        assert!(compiles(&source, &folder, &name), "it is C: {source}");
        let found = reported(&folder.join(&name), &format!("{name}.c"));
        let session = judged(&source, 8, false);
        match session.outcome() {
            Outcome::Safe => {
                assert_eq!(found, None, "seed {seed}: safe, but a sanitizer reports\n{source}");
                safe += 1;
            }
            Outcome::Unsafe => {
                let report = report(&session);
                let error = report.error.expect("it fails");
                let told = format!("seed {seed}: {}\n{source}", error.message);
                assert_eq!(Some(error.line), found, "{told}");
                let last = report.trace.as_ref().and_then(|trace| trace.last());
                assert_eq!(last.map(|step| step.line), found, "the last step of {told}");
                failing += 1;
            }
            _ => {}
        }
    }
    assert!(safe >= 5 && failing >= 10, "{safe} safe and {failing} failing of {PROGRAMS}");
}
