//! A failing run leaves as a test: the C file is compiled by the machine's compiler, and it fails
//! at the line of the run.
#![allow(clippy::unwrap_used)]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Programs of the gallery whose failing runs leave.
const EXAMPLES: [&str; 20] = [
    "absolute.c",
    "after-free.c",
    "assignment.c",
    "attempts.c",
    "brackets.c",
    "checked-sum.c",
    "clock.c",
    "copy.c",
    "countdown.c",
    "degrees.c",
    "last-character.c",
    "leap-year.c",
    "middle.c",
    "ring.c",
    "search.c",
    "semicolon.c",
    "shared-hour.c",
    "square.c",
    "student-factorial.c",
    "triangle.c",
];

/// Programs with what the gallery has not: what they take from outside, and how they fail.
const OWN: [(&str, &str); 15] = [
    (
        "verifiers",
        "extern int __VERIFIER_nondet_int(void);\nextern unsigned char __VERIFIER_nondet_uchar(void);\n\
         extern void __VERIFIER_assume(int);\nvoid reach_error(void);\nint main(void) {\n\
         int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_uchar();\n\
         __VERIFIER_assume(x > 7 && y > x);\nif (x + y == 200 && x != y && y == 131)\nreach_error();\nreturn 0; }\n",
    ),
    (
        "short-circuit",
        "#include <assert.h>\nint go_on(void);\nint number(void);\nint main(void) {\nint sum = 0;\n\
         for (int i = 0; i < 3; i++)\nif (go_on() && number() == 5)\nsum++;\n\
         assert(sum != 2 || number() != 9);\n}\n",
    ),
    (
        "label",
        "int input(void);\nint main(void) {\nint n = input();\nif (n * 2 == 14)\ngoto ERROR;\nreturn 0;\n\
         ERROR: return 1; }\n",
    ),
    (
        "assertion-of-verifiers",
        "extern int __VERIFIER_nondet_int(void);\nvoid __VERIFIER_assert(int condition);\nint main(void) {\n\
         int a[3] = {1, 2, 3};\nint i = __VERIFIER_nondet_int();\nif (i >= 0 && i < 3)\n\
         __VERIFIER_assert(a[i] != 2);\nreturn 0; }\n",
    ),
    (
        "scanf",
        "#include <stdio.h>\n#include <assert.h>\nint main(void) {\nint n = 0, x = 0;\n\
         if (scanf(\"%d %d\", &n, &x) != 2)\nreturn 1;\nassert(n + x != 12 || n < x);\nreturn 0; }\n",
    ),
    (
        "getchar",
        "#include <stdio.h>\n#include <assert.h>\nint main(void) {\nint c, depth = 0;\n\
         while ((c = getchar()) != EOF && c != '\\n') {\nif (c == '(') depth++;\n\
         if (c == ')') depth--;\nassert(depth >= 0);\n}\nreturn 0; }\n",
    ),
    (
        "library",
        "#include <stdlib.h>\n#include <time.h>\n#include <assert.h>\nint main(void) {\n\
         srand(time(NULL));\nint die = rand() % 6;\nassert(die != 5);\nreturn 0; }\n",
    ),
    (
        "arguments",
        "#include <assert.h>\nint main(int argc, char **argv) {\n(void)argv;\nassert(argc != 4);\nreturn 0; }\n",
    ),
    (
        "no-main",
        "#include <assert.h>\nint third(int a, unsigned char b) {\nassert(a - b != 40 || b < 3);\nreturn a / 3; }\n",
    ),
    (
        "division",
        "int number(void);\nint main(void) {\nint n = number(), m = number();\nreturn 100 / (n - m); }\n",
    ),
    (
        "overflow",
        "//! check = overflow\nint number(void);\nint main(void) {\nint n = number();\nif (n < 1000) return 0;\n\
         return n * 2 > 7; }\n",
    ),
    (
        "shift",
        "//! check = shift\nunsigned number(void);\nint main(void) {\nunsigned n = number();\nreturn (int)(1u << n); }\n",
    ),
    (
        "null",
        "#include <stdlib.h>\nstruct item { int value; struct item *next; };\nint more(void);\nint main(void) {\n\
         struct item last = {1, NULL}, first = {2, &last};\nstruct item *at = &first;\nwhile (more())\n\
         at = at->next;\nreturn at->value; }\n",
    ),
    (
        "bounded-text",
        "#include <stdio.h>\n#include <string.h>\n#include <assert.h>\nint main(void) {\nchar word[20];\ndouble x;\n\
         if (scanf(\"%19s %lf\", word, &x) != 2)\nreturn 1;\n\
         assert(strcmp(word, \"go\") != 0 || x * 2 != 5.0);\nreturn 0; }\n",
    ),
    (
        "bounded-double",
        "#include <assert.h>\nextern double __VERIFIER_nondet_double(void);\nextern int __VERIFIER_nondet_int(void);\n\
         int main(void) {\ndouble x = __VERIFIER_nondet_double();\nint n = __VERIFIER_nondet_int();\n\
         assert(x * x != 2.25 || n != -3);\nreturn 0; }\n",
    ),
];

/// The machine's C compiler, if there is one that has sanitizers.
fn compiler() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (source, program) = (folder.join("no-harness.c"), folder.join("no-harness"));
    std::fs::write(&source, "int main(void) { return 0; }\n").unwrap();
    let found = ["cc", "gcc", "clang"].into_iter().find(|name| {
        let mut command = Command::new(name);
        let done = command.arg("-fsanitize=address").arg(&source).arg("-o").arg(&program).output();
        done.is_ok_and(|done| done.status.success())
    });
    found.map(PathBuf::from)
}

/// What the command says, and the file that it writes; none where it is refused.
fn left(path: &Path, name: &str) -> (Value, String, Option<PathBuf>) {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("harness-{name}.c"));
    let _ = std::fs::remove_file(&out);
    let mut command = Command::new(env!("CARGO_BIN_EXE_faultline"));
    command.args(["check", "--format", "json", "--harness"]).arg(&out).arg(path);
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let report =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{name}: {said}"));
    (report, said, Some(out).filter(|out| out.exists()))
}

/// Compiles and runs a file as its head says; gives what it says and whether it ends well.
fn compiled(compiler: &Path, file: &Path) -> (String, bool) {
    let text = std::fs::read_to_string(file).unwrap();
    let head = text.lines().find_map(|line| line.strip_prefix(" *     cc ")).unwrap();
    let (options, run) = head.split_once(" harness.c && ").unwrap();
    let program = file.with_extension("");
    let mut command = Command::new(compiler);
    command.args(options.split_whitespace()).arg("-w").arg(file).arg("-o").arg(&program);
    let built = command.output().unwrap();
    assert!(built.status.success(), "{}\n{text}", String::from_utf8_lossy(&built.stderr));
    // Each in a folder of its own: an input goes through a file.
    let folder = file.with_extension("d");
    std::fs::create_dir_all(&folder).unwrap();
    let mut command = Command::new(&program);
    command.current_dir(folder);
    if let Some((name, value)) = run.split_whitespace().next().unwrap().split_once('=') {
        command.env(name, value);
    }
    let output = command.output().unwrap();
    (String::from_utf8_lossy(&output.stderr).into_owned(), output.status.success())
}

/// The run of a program leaves, and fails where the report says.
fn fails_there(compiler: &Path, path: &Path, name: &str) {
    let (report, said, file) = left(path, name);
    let line = report["error"]["line"].as_u64().unwrap_or_else(|| panic!("{name}: {report}"));
    let file = file.unwrap_or_else(|| panic!("{name}: {said}"));
    let (told, ends_well) = compiled(compiler, &file);
    assert!(!ends_well, "{name}: it does not fail");
    let place = format!("{}:{line}", path.file_name().unwrap().to_string_lossy());
    let is_there = told
        .match_indices(&place)
        .any(|(at, _)| !told[at + place.len()..].starts_with(|next: char| next.is_ascii_digit()));
    assert!(is_there, "{name} fails elsewhere than at {place}:\n{told}");
}

#[test]
fn the_gallerys_failing_runs_fail_with_the_machines_compiler() {
    let Some(compiler) = compiler() else {
        return eprintln!("skipped: this machine has no C compiler with sanitizers");
    };
    for example in EXAMPLES {
        fails_there(&compiler, &Path::new("static/examples").join(example), example);
    }
}

#[test]
fn what_a_run_takes_from_outside_is_given_again() {
    let Some(compiler) = compiler() else {
        return eprintln!("skipped: this machine has no C compiler with sanitizers");
    };
    for (name, text) in OWN {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("leaves-{name}.c"));
        std::fs::write(&path, text).unwrap();
        fails_there(&compiler, &path, name);
    }
}

#[test]
fn what_cannot_leave_is_refused_by_name() {
    let refused = [
        (
            "threads",
            "#include <pthread.h>\n#include <assert.h>\nint x;\nvoid *f(void *a) { x = 1; return 0; }\n\
          int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); assert(x == 5); return 0; }\n",
            "threads",
        ),
        (
            "leak",
            "#include <stdlib.h>\nint main(void) { int *p = malloc(4); if (p) *p = 1; return 0; }\n//! check = leak\n",
            "(lost-memory)",
        ),
        (
            "no-value",
            "#include <assert.h>\nint main(void) { int x; assert(x != 5); return 0; }\n//! checks = off\n",
            "has no value when line 2 reads it",
        ),
        (
            "pointer",
            "#include <assert.h>\nint find(const int *a);\nint main(void) { int a[2] = {1, 2}; assert(find(a) != 1); return 0; }\n",
            "`find` has no body",
        ),
    ];
    for (name, text, why) in refused {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("stays-{name}.c"));
        std::fs::write(&path, text).unwrap();
        let (report, said, file) = left(&path, &format!("stays-{name}"));
        assert_eq!(report["verdict"], "unsafe", "{name}: {report}");
        assert!(said.contains(why) && said.contains("nothing is written"), "{name}: {said}");
        assert!(file.is_none(), "{name}");
    }
}

#[test]
fn what_is_read_is_a_file_of_its_own() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (path, input) = (folder.join("reads.c"), folder.join("reads.in"));
    std::fs::write(
        &path,
        "#include <stdio.h>\n#include <assert.h>\nint main(void) {\nint n = 0;\n\
        if (scanf(\"%d\", &n) == 1)\nassert(n != 42);\nreturn 0; }\n",
    )
    .unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_faultline"));
    let output = command.args(["check", "--input-file"]).arg(&input).arg(&path).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(std::fs::read_to_string(&input).unwrap(), "42\n");
}
