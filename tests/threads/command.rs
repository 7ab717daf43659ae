//! The command `faultline threads`.

use std::process::{Command, Output};

fn faultline(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_faultline"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("it runs")
}

const LOST: &str = "static/examples/threads-lost-update.cimple";

/// The directive `switches` is the bound, the flag beats it; exit codes as in the contract.
#[test]
fn bounds_and_exit_codes() {
    let whole = faultline(&["threads", LOST]);
    assert_eq!(whole.status.code(), Some(1));
    let text = String::from_utf8_lossy(&whole.stdout).into_owned();
    assert!(
        text.starts_with(
            "Unsafe with 2 context switches, and with no fewer: assert(balance == 2) does not hold"
        ),
        "{text}"
    );
    assert!(text.contains("other goes on, with balance = 0, done = false"), "{text}");
    let fewer = faultline(&["threads", LOST, "--switches", "1"]);
    assert_eq!(fewer.status.code(), Some(0));
    let text = String::from_utf8_lossy(&fewer.stdout).into_owned();
    assert!(
        text.starts_with("No error within 1 context switch.") && !text.contains("Safe"),
        "{text}"
    );
}

#[test]
fn the_contract_in_json() {
    let out = faultline(&["threads", LOST, "--format", "json", "--switches", "1", "--at", "16"]);
    let report: serde_json::Value = serde_json::from_slice(&out.stdout).expect("JSON");
    assert_eq!(report["verdict"], "no-error-within-bound");
    assert_eq!(report["bound"], 1);
    assert_eq!(report["options"]["switches"], 3);
    assert_eq!(report["reachable"].as_array().map(Vec::len), Some(2));
    let out = faultline(&["threads", LOST, "--format", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&out.stdout).expect("JSON");
    assert_eq!((&report["verdict"], &report["switches"]), (&"unsafe".into(), &2.into()));
    let threads: Vec<u64> = report["trace"]
        .as_array()
        .expect("a trace")
        .iter()
        .filter_map(|entry| entry["thread"].as_u64())
        .collect();
    assert_eq!(threads, [0, 0, 1, 1, 1, 1, 0, 0, 0]);
}

/// Without a number the bound rises by itself, and the report says how far and why no further.
#[test]
fn the_bound_rises_by_itself() {
    let out = faultline(&["threads", LOST, "--format", "json", "--switches", "rising"]);
    assert_eq!(out.status.code(), Some(1));
    let report: serde_json::Value = serde_json::from_slice(&out.stdout).expect("JSON");
    assert_eq!(
        (&report["bound"], &report["switches"], &report["raised"]),
        (&2.into(), &2.into(), &"failure".into())
    );
    let peterson = "static/examples/threads-peterson.cimple";
    let out = faultline(&["threads", peterson, "--switches", "rising"]);
    assert_eq!(out.status.code(), Some(0));
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(text.starts_with("Safe, whatever the number of context switches\n"), "{text}");
    assert!(text.contains(" of all threads, closed under every step"), "{text}");
    let out = faultline(&["threads", peterson, "--format", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&out.stdout).expect("JSON");
    assert_eq!((&report["verdict"], &report["converged"]), (&"safe".into(), &report["bound"]));
    assert!(report["proof"]["configurations"].as_u64() > Some(0));
}

#[test]
fn what_cannot_be_asked() {
    for arguments in [
        ["threads", LOST, "--at", "99"],
        ["threads", LOST, "--switches", "31"],
        ["threads", LOST, "--method", "prettiest"],
        ["threads", LOST, "--format", "svg"],
        ["threads", "static/examples/counter.pds", "--switches", "1"],
    ] {
        let out = faultline(&arguments);
        assert_eq!(out.status.code(), Some(2), "{arguments:?}");
        assert!(!out.stderr.is_empty());
    }
}

/// The other analyses run the first thread alone, and say so.
#[test]
fn check_points_to_threads() {
    let out = faultline(&["check", "static/examples/threads-three-switches.cimple"]);
    assert_eq!(out.status.code(), Some(3));
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(text.contains("faultline threads"), "{text}");
}
