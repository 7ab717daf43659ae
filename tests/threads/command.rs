//! The command `faultline threads`.

use std::process::{Command, Output};

fn faultline(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_faultline")).args(arguments).output().expect("it runs")
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

/// What `--explain` adds, and that nothing else is explained.
#[test]
fn an_explanation_in_json() {
    let of = |arguments: &[&str]| -> serde_json::Value {
        let all: Vec<&str> = [&["threads", LOST, "--format", "json"], arguments].concat();
        serde_json::from_slice(&faultline(&all).stdout).expect("JSON")
    };
    assert_eq!(of(&[])["explanation"], serde_json::Value::Null);
    assert_eq!(of(&["--explain", "--switches", "1"])["explanation"], serde_json::Value::Null);
    let report = of(&["--explain"]);
    let explained = &report["explanation"];
    assert_eq!(explained["bound"], report["switches"]);
    let threads = explained["statements"].as_array().expect("a list");
    let numbers: Vec<_> = threads.iter().filter_map(|one| one["thread"].as_u64()).collect();
    assert_eq!(numbers, [0, 1], "both threads take part");
    let trace = report["trace"].as_array().expect("a run");
    let correct = explained["correct"]["trace"].as_array().expect("a correct run");
    let common = explained["correct"]["common"].as_u64().expect("a number") as usize;
    assert_eq!(trace[..common], correct[..common]);
    assert_ne!(trace.get(common), correct.get(common));
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

const RACE: &str = "static/examples/threads-race.c";

#[test]
fn a_race_is_named_with_both_accesses() {
    let out = faultline(&["threads", RACE]);
    assert_eq!(out.status.code(), Some(1));
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    for part in [
        "Unsafe with 1 context switch, and with no fewer: data race on full (data race at line 10)",
        "main reads it at line 18, producer writes it at line 10, and nothing orders the two",
        "(about to read full)",
        "(writes full at the same time)",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    // Without the check nothing fails.
    let out = faultline(&["threads", RACE, "--check", "none"]);
    assert_eq!(out.status.code(), Some(0), "{}", String::from_utf8_lossy(&out.stdout));
    let out = faultline(&["threads", "static/examples/threads-race-mutex.c"]);
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(text.contains("no data race, whatever the number of switches"), "{text}");
    let out = faultline(&["threads", RACE, "--format", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&out.stdout).expect("JSON");
    assert_eq!(report["error"]["kind"], "race");
    assert_eq!(report["race"]["place"], "full");
    assert_eq!(report["options"]["checks"]["race"], true);
}

#[test]
fn a_schedule_is_followed() {
    let out = faultline(&["threads", LOST, "--schedule", ""]);
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    assert_eq!(out.status.code(), Some(0), "{text}");
    assert!(text.contains("Next") && text.contains("[0]") && text.contains("[1]"), "{text}");
    assert!(text.contains("can still fail"), "{text}");
    let out = faultline(&["threads", LOST, "--schedule", "9"]);
    assert_eq!(out.status.code(), Some(2));
    let text = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(text.contains("Move 1 of the schedule, `9`, cannot be made."), "{text}");
    let out = faultline(&["threads", LOST, "--schedule", "0", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&out.stdout).expect("JSON");
    assert_eq!(report["next"][0]["schedule"], "0,0");
}

/// Both threads can take either branch: their two moves say which.
#[test]
fn moves_of_a_condition_say_their_branch() {
    let out = faultline(&["threads", "static/examples/threads-figure-4.cimple", "--schedule", ""]);
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    for branch in ["if (*): true  [0]", "if (*): false  [0.1]", "if (*): true  [1]"] {
        assert!(text.contains(branch), "{branch}: {text}");
    }
    let out = faultline(&["threads", "static/examples/threads-figure-4.cimple"]);
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(text.contains("combinations of the globals' values"), "{text}");
}
