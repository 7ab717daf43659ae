//! `faultline grade`: a class in a folder.

use super::calling::{code, faultline, json, refused, text};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

const REFERENCE: &str = "#include <stdio.h>
int main(void) {
  int n, i, x, sum = 0;
  scanf(\"%d\", &n);
  for (i = 0; i < n; i++) {
    scanf(\"%d\", &x);
    sum += x;
  }
  printf(\"%d\\n\", sum);
  return 0;
}
";
const DOMAIN: &str = "n in 0..2, then n times int in -2..2";

/// A folder of its own: a class of seven, tests and a reference.
fn class(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("grading").join(name);
    let _ = fs::remove_dir_all(&folder);
    let write = |path: &str, contents: &[u8]| {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, contents).expect("a file");
    };
    let wrong = REFERENCE.replace("i = 0", "i = 1");
    write("tests/two.in", b"2 3 4");
    write("tests/two.out", b"7\n");
    write("tests/none.in", b"0");
    write("tests/none.out", b"0\n");
    write("reference.c", REFERENCE.as_bytes());
    write("class/anna.c", REFERENCE.as_bytes());
    write("class/ben/work/sum.c", wrong.as_bytes());
    write("class/cleo.c", wrong.replace("sum", "<b>").replace("<b>", "total").as_bytes());
    write("class/dora.c", b"int main(void) { return x; }\n");
    write("class/emil.c", b"int main(void) { while (1) { } }\n");
    write("class/fred.tar", &tar("fred/main.c", REFERENCE.as_bytes()));
    write("class/<i>gus.c", REFERENCE.replace("%d\\n", "<b>%d</b>\\n").as_bytes());
    folder
}

/// A tar with one file, by POSIX.1-1988.
fn tar(path: &str, contents: &[u8]) -> Vec<u8> {
    let mut block = vec![0u8; 512];
    let mut put =
        |at: usize, text: &str| block[at..at + text.len()].copy_from_slice(text.as_bytes());
    put(0, path);
    put(100, "0000644\0");
    put(124, &format!("{:011o}\0", contents.len()));
    put(136, "00000000000\0");
    put(148, "        ");
    put(156, "0");
    put(257, "ustar\x0000");
    let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    block.extend_from_slice(contents);
    block.resize(block.len().next_multiple_of(512) + 1024, 0);
    block
}

fn arguments<'a>(folder: &'a Path, more: &[&'a str], paths: &'a mut Vec<String>) -> Vec<&'a str> {
    for path in ["class", "tests", "reference.c", "out"] {
        paths.push(folder.join(path).to_str().expect("a plain path").to_string());
    }
    let [class, tests, reference, _] = &paths[..] else { unreachable!() };
    let mut list = vec!["grade", class, "--tests", tests, "--reference", reference];
    list.extend(["--input", DOMAIN]);
    list.extend(more);
    list
}

fn row<'r>(report: &'r Value, name: &str) -> &'r Value {
    let rows = report["submissions"].as_array().expect("a list");
    rows.iter().find(|row| row["name"] == name).unwrap_or_else(|| panic!("no {name}: {report}"))
}

#[test]
fn a_class_of_seven() {
    let folder = class("seven");
    let mut paths = Vec::new();
    let output = faultline(&arguments(&folder, &["--format", "json"], &mut paths), b"");
    assert_eq!(code(&output), 1);
    let report = json(&output);
    let told: Vec<(&str, &str)> = report["submissions"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|row| {
            (row["name"].as_str().expect("a name"), row["verdict"].as_str().expect("a word"))
        })
        .collect();
    let expected = [
        ("<i>gus", "fails"),
        ("anna", "passes"),
        ("ben", "fails"),
        ("cleo", "fails"),
        ("dora", "refused"),
        ("emil", "fails"),
        ("fred", "passes"),
    ];
    assert_eq!(told, expected);
    let ben = row(&report, "ben");
    assert_eq!(ben["file"], "ben/work/sum.c");
    assert_eq!(ben["failed"], serde_json::json!(["two"]));
    // The smallest input: one number that is not zero.
    assert_eq!((&ben["expected"], &ben["output"]), (&"1\n".into(), &"0\n".into()), "{ben}");
    let suspects = ben["suspects"].as_array().expect("a list");
    assert!(suspects.len() <= 5 && suspects.iter().any(|one| one["line"] == 5), "{ben}");
    assert!(ben["kind"].is_string() && ben["seconds"].is_number(), "{ben}");
    assert_eq!(row(&report, "fred")["file"], "fred.tar/fred/main.c");
    let dora = row(&report, "dora");
    assert_eq!(dora["message"], "Line 1: unknown name `x`.");
    assert!(dora["kind"].is_null() && dora["input"].is_null());
    assert_eq!(row(&report, "emil")["kind"], "endless");
    let groups = report["groups"].as_array().expect("a list");
    assert_eq!(groups[0]["submissions"], serde_json::json!(["ben", "cleo"]));
    assert_eq!(groups[0]["failed"], serde_json::json!(["two"]));
    let mistakes = report["mistakes"].as_array().expect("a list");
    let sum: u64 = mistakes.iter().map(|one| one["count"].as_u64().expect("a number")).sum();
    assert_eq!(sum, 4, "{report}");

    // How many at once changes nothing but the time.
    let timeless = |report: &Value| {
        let mut report = report.clone();
        for row in report["submissions"].as_array_mut().expect("a list") {
            row["seconds"] = 0.into();
        }
        report
    };
    let more = ["--format", "json", "--jobs", "1"];
    let alone = faultline(&arguments(&folder, &more, &mut Vec::new()), b"");
    assert_eq!(timeless(&json(&alone)), timeless(&report));

    let told = text(&faultline(&arguments(&folder, &[], &mut Vec::new()), b"").stdout);
    assert!(told.starts_with("7 submissions: 2 pass, 4 fail, 1 refused.\n"), "{told}");
    assert!(told.contains("\nFail alike\n") && told.contains("\nMistakes\n"), "{told}");
}

#[test]
fn reports_in_a_folder() {
    let folder = class("reports");
    let out = folder.join("out");
    let more = ["-o", out.to_str().expect("a plain path")];
    let output = faultline(&arguments(&folder, &more, &mut Vec::new()), b"");
    assert_eq!(code(&output), 1);
    let told = text(&output.stdout);
    assert!(told.starts_with("7 submissions: 2 pass"), "{told}");
    assert!(told.trim_end().ends_with("report.html"), "{told}");
    let read = |name: &str| fs::read_to_string(out.join(name)).expect(name);
    assert!(read("report.txt").contains("dora"));
    assert_eq!(read("report.csv").matches("\r\n").count(), 8);
    let report: Value = serde_json::from_str(&read("report.json")).expect("JSON");
    assert_eq!(report["submissions"].as_array().map(Vec::len), Some(7));
    let xml = read("report.xml");
    let xml = roxmltree::Document::parse(&xml).expect("XML");
    assert_eq!(xml.descendants().filter(|node| node.has_tag_name("testcase")).count(), 7);
    let page = read("report.html");
    assert!(page.contains("&lt;i&gt;gus") && page.contains("&lt;b&gt;"), "{page}");
    for never in ["<i>", "<b>0</b>", "<script", "http:", "https:"] {
        assert!(!page.contains(never), "{never}");
    }
    assert!(page.contains("<h1>class</h1>") && page.contains("<svg class=\"chart\""));
}

/// What is kept is the answer as long as nothing else changes, so a kept file that says something
/// else shows who was not judged again.
#[test]
fn what_is_done_is_not_done_again() {
    let folder = class("again");
    let out = folder.join("out");
    let more = ["--format", "json", "-o", out.to_str().expect("a plain path")];
    let run = || json(&faultline(&arguments(&folder, &more, &mut Vec::new()), b""));
    run();
    for entry in fs::read_dir(out.join("submissions")).expect("a folder").flatten() {
        let kept = fs::read_to_string(entry.path()).expect("a file");
        let mut kept: Value = serde_json::from_str(&kept).expect("JSON");
        kept["row"]["message"] = "as it is kept".into();
        fs::write(entry.path(), kept.to_string()).expect("a file");
    }
    let wrong = fs::read_to_string(folder.join("class/cleo.c")).expect("a file");
    fs::write(folder.join("class/cleo.c"), wrong + "\n").expect("a file");
    let second = run();
    for row in second["submissions"].as_array().expect("a list") {
        let again = row["name"] == "cleo";
        assert_eq!(row["message"] != "as it is kept", again, "{row}");
    }
    // Other tests: all are judged again.
    fs::write(folder.join("tests/none.in"), "0 ").expect("a file");
    let third = run();
    let rows = third["submissions"].as_array().expect("a list");
    assert!(rows.iter().all(|row| row["message"] != "as it is kept"), "{third}");
}

#[test]
fn exit_codes_and_bad_input() {
    let folder = class("codes");
    let path = |name: &str| folder.join(name).to_str().expect("a plain path").to_string();
    let (tests, reference) = (path("tests"), path("reference.c"));
    let only = |file: &str| {
        let place = folder.join("only");
        let _ = fs::remove_dir_all(&place);
        fs::create_dir_all(&place).expect("a folder");
        fs::copy(folder.join("class").join(file), place.join(file)).expect("a file");
        let place = place.to_str().expect("a plain path").to_string();
        code(&faultline(&["grade", &place, "--tests", &tests], b""))
    };
    assert_eq!([only("anna.c"), only("cleo.c"), only("dora.c")], [0, 1, 3]);
    // A reference alone.
    let class = path("class");
    let alone = ["grade", &class, "--reference", &reference, "--input", DOMAIN];
    let output = faultline(&[&alone[..], &["--format", "json"]].concat(), b"");
    assert_eq!(row(&json(&output), "anna")["verdict"], "passes");
    assert_eq!(row(&json(&output), "ben")["verdict"], "fails");

    // All tests pass, and nobody said whether the input counts on which it differs.
    let place = folder.join("only");
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(&place).expect("a folder");
    let guarded = REFERENCE.replace("  printf", "  if (n == 1) sum++;\n  printf");
    fs::write(place.join("hal.c"), guarded).expect("a file");
    let place = place.to_str().expect("a plain path");
    let both = ["grade", place, "--tests", &tests, "--reference", &reference, "--format", "json"];
    let output = faultline(&both, b"");
    let report = json(&output);
    let hal = row(&report, "hal");
    assert_eq!((code(&output), &hal["verdict"]), (3, &"unknown".into()), "{hal}");
    assert_eq!((&hal["expected"], &hal["output"]), (&"0\n".into(), &"1\n".into()), "{hal}");
    assert_eq!(code(&faultline(&[&both[..], &["--input", DOMAIN]].concat(), b"")), 1);

    refused(&["grade", &class], b"", &["nothing to grade by"]);
    refused(&["grade", &path("nowhere"), "--tests", &tests], b"", &["cannot read"]);
    refused(&["grade", &tests, "--reference", &reference], b"", &["no submissions"]);
    refused(&["grade", &class, "--tests", &class], b"", &["no tests"]);
    refused(&["grade", &class, "--reference", &path("class/dora.c")], b"", &["unknown name"]);
    refused(&["grade", &class, "--tests", &tests, "--input", "int"], b"", &["--reference"]);
    refused(&["grade", &class, "--reference", &reference, "--input", "?"], b"", &["--input"]);
    refused(&["grade", &class, "--tests", &tests, "--frobnicate"], b"", &["--frobnicate"]);
    refused(&["grade", &class, "--tests", &tests, "--format", "svg"], b"", &["text or json"]);
}
