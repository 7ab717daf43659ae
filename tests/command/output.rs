//! Output that gets lost is told, and nothing overwrites the program.

use super::calling::{SAFE, UNSAFE, code, faultline, file, json, refused, text};
use std::fs::File;
use std::process::{Command, Output, Stdio};

/// The command, with its standard output on a disk that is full.
#[cfg(target_os = "linux")]
fn on_a_full_disk(arguments: &[&str]) -> Output {
    let full = File::options().write(true).open("/dev/full").expect("Linux has one");
    Command::new(env!("CARGO_BIN_EXE_faultline"))
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(full)
        .stderr(Stdio::piped())
        .output()
        .expect("the command was built")
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_told() {
    let path = file("full-disk.cimple", UNSAFE.as_bytes());
    let program = path.to_str().expect("a plain path");
    let analyses = [
        "check",
        "projection",
        "report",
        "cegar",
        "localize",
        "focus",
        "threads",
        "affine",
        "graph",
        "pds",
    ];
    for analysis in analyses {
        let output = on_a_full_disk(&[analysis, program]);
        let errors = text(&output.stderr);
        assert_eq!(code(&output), 2, "{analysis}: {errors}");
        assert!(errors.contains("cannot write the output"), "{analysis}: {errors}");
    }
    for arguments in [&["--help"][..], &["check", "--help"], &["--version"], &["--licenses"]] {
        let output = on_a_full_disk(arguments);
        let errors = text(&output.stderr);
        assert_eq!(code(&output), 2, "{arguments:?}: {errors}");
        assert!(errors.contains("cannot write the output"), "{arguments:?}: {errors}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_witness_that_cannot_be_written_is_told() {
    let output = faultline(&["check", "-", "--witness", "/dev/full"], SAFE.as_bytes());
    assert_eq!(code(&output), 2);
    assert!(text(&output.stderr).contains("cannot write /dev/full"), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("Safe"), "the report is printed all the same");
}

#[test]
#[cfg(unix)]
fn a_reader_that_has_gone_away_changes_no_verdict() {
    let path = file("gone-reader.cimple", UNSAFE.as_bytes());
    let mut child = Command::new(env!("CARGO_BIN_EXE_faultline"))
        .arg("check")
        .arg(&path)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command was built");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the command ends");
    assert_eq!((code(&output), text(&output.stderr).as_str()), (1, ""));
}

#[test]
fn a_witness_never_overwrites_the_program() {
    let path = file("witness-over-program.cimple", SAFE.as_bytes());
    let program = path.to_str().expect("a plain path");
    let roundabout = path.with_file_name(".").join("witness-over-program.cimple");
    let roundabout = roundabout.to_str().expect("a plain path");
    refused(&["check", program, "--witness", program], b"", &["would overwrite the program"]);
    refused(&["check", program, "--witness", roundabout], b"", &["would overwrite the program"]);
    let linked = path.with_file_name("witness-link.yml");
    let _ = std::fs::remove_file(&linked);
    std::fs::hard_link(&path, &linked).expect("links are supported");
    let linked = linked.to_str().expect("a plain path");
    refused(&["check", program, "--witness", linked], b"", &["would overwrite the program"]);
    let output = Command::new(env!("CARGO_BIN_EXE_faultline"))
        .args(["check", "-", "--witness", program])
        .stdin(File::open(&path).expect("it was written"))
        .output()
        .expect("the command was built");
    assert_eq!(code(&output), 2, "{}", text(&output.stderr));
    assert_eq!(std::fs::read_to_string(&path).expect("it is there"), SAFE);
}

#[test]
fn a_program_has_at_most_16_megabytes() {
    let mut long = SAFE.as_bytes().to_vec();
    long.resize((16 << 20) + 1, b' ');
    refused(&["check", "-"], &long, &["16 MB"]);
    let path = file("too-long.cimple", &long);
    refused(&["check", path.to_str().expect("a plain path")], b"", &["16 MB"]);
    #[cfg(target_os = "linux")]
    refused(&["check", "/dev/zero"], b"", &["16 MB"]);
}

#[test]
fn a_limit_before_the_saturation_is_json_where_json_is_asked_for() {
    let output =
        faultline(&["pds", "-", "--format", "json", "--max-steps", "7"], UNSAFE.as_bytes());
    assert_eq!(code(&output), 3, "{}", text(&output.stderr));
    assert_eq!(json(&output)["limit"], "steps");
}

#[test]
fn an_explanation_ends_with_the_time() {
    let source = include_str!("../../static/examples/explain-focus-9.cimple");
    let ask = |timeout| {
        let arguments = ["cegar", "-", "--explain", "--format", "json", "--timeout", timeout];
        let output = faultline(&arguments, source.as_bytes());
        code(&output);
        json(&output)
    };
    // With no time nothing is explained, and the report says so.
    let report = ask("0.000001");
    assert_eq!(report["unexplained"], "time");
    assert_eq!(report["interpolants"], serde_json::json!([]));
}

/// The link that `--link` prints holds the program and its options, and opens on the tab of the
/// analysis.
#[test]
fn a_link_opens_the_program_in_the_page() {
    let program = file("linked.cimple", UNSAFE.as_bytes());
    let program = program.to_str().expect("a plain path");
    let link = |analysis: &str, more: &[&str]| {
        let address = ["--link", "https://faultline.example/"];
        let arguments = [&[analysis, program][..], &address, more].concat();
        let told = text(&faultline(&arguments, b"").stdout);
        let fragment = told.split("https://faultline.example/#").nth(1).map(str::trim);
        fragment.map(|fragment| faultline::wire::permalink::decode(fragment).expect("a link"))
    };
    let opened = link("check", &["--bits", "6"]).expect("a link is printed");
    assert_eq!((opened.source.as_str(), opened.options.bits), (UNSAFE, Some(6)));
    assert_eq!(opened.view, "projection");
    assert_eq!(link("cegar", &[]).expect("a link").view, "refinement");
    assert!(link("check", &["--format", "json"]).is_none(), "JSON is for scripts");
    let output = faultline(&["check", "-", "--link", "https://faultline.example/"], b"");
    assert_eq!(code(&output), 2);
}
