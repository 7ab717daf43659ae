//! Bad arguments, bad files and bad programs: clear words, and never a panic.

use super::calling::{SAFE, code, faultline, file, refused, text};

#[test]
fn bad_usage() {
    refused(&[], b"", &["Usage"]);
    refused(&["frobnicate", "-"], b"", &["frobnicate"]);
    refused(&["check"], b"", &["FILE"]);
    refused(&["check", "-", "--frobnicate"], b"", &["--frobnicate"]);
    refused(&["check", "-", "--bits", "0"], b"", &["--bits", "1..=32"]);
    refused(&["check", "-", "--bits", "99"], b"", &["--bits", "1..=32"]);
    refused(&["check", "-", "--check", "bonds"], b"", &["bonds", "bounds"]);
    refused(&["check", "-", "--dialect", "fortran"], b"", &["fortran", "remopla"]);
    refused(
        &["threads", "-", "--method", "prettiest"],
        SAFE.as_bytes(),
        &["prettiest", "transducer"],
    );
    refused(
        &["cegar", "-", "--interpolants", "prettiest"],
        b"",
        &["prettiest", "skip-conciliated"],
    );
    refused(&["cegar", "-", "--predicate", "x = 1"], SAFE.as_bytes(), &["EXPR@LINE"]);
    refused(&["cegar", "-", "--predicate", "y = 1@everywhere"], SAFE.as_bytes(), &["y"]);
    refused(&["cegar", "-", "--predicate", "x = 1@99"], SAFE.as_bytes(), &["99"]);
}

#[test]
fn bad_files() {
    refused(&["check", "no/such/file.cimple"], b"", &["no/such/file.cimple"]);
    refused(&["check", env!("CARGO_TARGET_TMPDIR")], b"", &["cannot read"]);
    let garbage: Vec<u8> =
        (0..4096u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let path = file("garbage.cimple", &garbage);
    refused(&["check", path.to_str().expect("a plain path")], b"", &["UTF-8"]);
    refused(&["check", "-"], &garbage, &["UTF-8"]);
}

#[test]
fn bad_programs() {
    refused(&["check", "-"], b"", &["Error"]);
    refused(&["check", "-"], b"void main() { int x; x = y; }", &["`y`"]);
    refused(&["check", "-"], b"void main() { if (*) { ", &["Error"]);
    refused(&["check", "-"], b"}}}}", &["Error"]);
    let cimple = ["check", "-", "--dialect", "cimple"];
    refused(&cimple, b"void main() { int *p; }", &["pointer"]);
    refused(&["check", "-"], b"//! bits = 99\nvoid main() { }", &["bits"]);
    refused(&["check", "-"], b"//! bits = 0\nvoid main() { }", &["bits"]);
    refused(&["check", "-"], "void main() { \u{0}\u{1}\u{fffd} }".as_bytes(), &["Error"]);
}

#[test]
fn deep_nesting_is_refused_not_fatal() {
    let deep = |open: &str, close: &str| {
        format!("int x; void main() {{ x = {}1{}; }}", open.repeat(50_000), close.repeat(50_000))
    };
    refused(&["check", "-"], deep("(", ")").as_bytes(), &["deep"]);
    let blocks = format!("void main() {{ {} {} }}", "{".repeat(50_000), "}".repeat(50_000));
    refused(&["check", "-"], blocks.as_bytes(), &["deep"]);
}

#[test]
fn ten_thousand_lines() {
    let mut source = String::from("int x;\nvoid main() {\n  x = 0;\n");
    for _ in 0..10_000 {
        source.push_str("  x = x + 1;\n");
    }
    source.push_str("  assert(x == 0);\n}\n");
    // 10,000 is 0 modulo 16.
    let output = faultline(&["check", "-", "--format", "json"], source.as_bytes());
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let broken = "  x = = 1;\n".repeat(10_000);
    refused(&["check", "-"], format!("int x;\nvoid main() {{\n{broken}}}\n").as_bytes(), &["more"]);
}
