//! Random programs with pointers, run by a C compiler's sanitizers of addresses and of undefined
//! behaviour: what is called safe ends well there for each input, and what is called unsafe fails
//! for one of them.
//!
//! Sanitizers do not see all that C forbids: a pointer that leaves its array and is not followed.
//! Programs that fail for that reason are left out.

use super::cells::{HEAD, Kind, main};
use super::{INPUTS, judged};
use crate::support::Random;
use faultline::report::report;
use faultline::session::Outcome;
use std::path::Path;
use std::process::{Command, Stdio};

/// Programs that are compared.
const PROGRAMS: u64 = 60;

/// Compiles a text; false if there is no compiler, or none with sanitizers.
pub(super) fn compiles(text: &str, folder: &Path, name: &str) -> bool {
    let source = folder.join(format!("{name}.c"));
    std::fs::write(&source, text).expect("the test's own folder can be written");
    Command::new("cc")
        .args(["-w", "-g", "-O0", "-fno-builtin", "-fsanitize=address,undefined"])
        .args(["-fno-sanitize-recover=all", "-o"])
        .arg(folder.join(name))
        .arg(&source)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Does the run of a program with this input end well?
fn ends_well(program: &Path, number: u64, input: u32) -> bool {
    Command::new(program)
        .args([number.to_string(), input.to_string()])
        .env("ASAN_OPTIONS", "detect_leaks=0")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("what was compiled can be run")
        .success()
}

/// Is there a compiler with sanitizers, and does what it makes run?
pub(super) fn works(folder: &Path) -> bool {
    compiles("int main(void) { return 0; }", folder, "nothing")
        && ends_well(&folder.join("nothing"), 0, 0)
}

#[test]
fn sanitizers_agree() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sanitizers");
    std::fs::create_dir_all(&folder).expect("the test's own folder can be made");
    if !works(&folder) {
        println!("left out: no C compiler with -fsanitize=address,undefined");
        return;
    }
    let programs: Vec<String> =
        (0..PROGRAMS).map(|seed| main(&mut Random::new(5000 + seed), Kind::Given).0).collect();
    let mut text = String::from("#include <assert.h>\n#include <stdlib.h>\nstatic int given;\n");
    text.push_str(HEAD);
    text.push_str("int __VERIFIER_nondet_int(void) { return given; }\n");
    for (number, program) in programs.iter().enumerate() {
        text.push_str(&program.replacen("int main(void)", &format!("int main_{number}(void)"), 1));
    }
    text.push_str("int main(int argc, char **argv) {\n  given = atoi(argv[2]);\n");
    text.push_str("  switch (atoi(argv[1])) {\n");
    for number in 0..programs.len() {
        text.push_str(&format!("  case {number}: return main_{number}();\n"));
    }
    text.push_str("  }\n  return 0;\n}\n");
    assert!(compiles(&text, &folder, "programs"), "the programs are C");
    let binary = folder.join("programs");
    let (mut safe, mut failing) = (0, 0);
    for (number, program) in (0..).zip(&programs) {
        let session = judged(&format!("{HEAD}{program}"), 8, false);
        let fails = (0..INPUTS).any(|input| !ends_well(&binary, number, input));
        match session.outcome() {
            Outcome::Safe => {
                assert!(!fails, "{number}: safe, but a sanitizer reports\n{program}");
                safe += 1;
            }
            Outcome::Unsafe => {
                let error = report(&session).error;
                let message = error.map(|error| error.message).unwrap_or_default();
                if message.contains("leads outside") {
                    continue;
                }
                assert!(fails, "{number}: {message}, but no run fails\n{program}");
                failing += 1;
            }
            _ => {}
        }
    }
    assert!(safe >= 10 && failing >= 10, "{safe} safe and {failing} failing of {PROGRAMS}");
}
