//! `--rule`, `//! rule`, and rules in comments.

use super::calling::{code, faultline, file, text};
use serde_json::Value;

fn path(name: &str, text: &str) -> String {
    file(name, text.as_bytes()).to_str().expect("a plain path").to_string()
}

fn json(arguments: &[&str]) -> (i32, Value) {
    let output = faultline(&[arguments, &["--format", "json"]].concat(), b"");
    let told = text(&output.stdout);
    let shown = || format!("no JSON: {told}{}", text(&output.stderr));
    (code(&output), serde_json::from_str(&told).unwrap_or_else(|_| panic!("{}", shown())))
}

/// A driver: two locks, one procedure that takes them through a pointer.
fn driver(last: &str) -> String {
    format!(
        "struct mutex;\nextern void mutex_lock(struct mutex *lock);\n\
         extern void mutex_unlock(struct mutex *lock);\nextern struct mutex first, second;\n\
         static void enter(struct mutex *lock) {{\n  mutex_lock(lock);\n}}\nint main(void) {{\n  \
         struct mutex *also = &first;\n  enter(&first);\n  enter(&second);\n  \
         mutex_unlock(also);\n  mutex_unlock({last});\n  return 0;\n}}\n"
    )
}

#[test]
fn a_rule_is_broken_for_one_object() {
    let (code, right) = json(&["check", &path("right.c", &driver("&second")), "--rule", "mutex"]);
    assert_eq!((code, &right["verdict"]), (0, &"safe".into()), "{right}");
    assert_eq!(right["options"]["rules"], serde_json::json!(["mutex"]));
    let (code, wrong) = json(&["check", &path("wrong.c", &driver("&first")), "--rule", "mutex"]);
    assert_eq!((code, &wrong["verdict"]), (1, &"unsafe".into()), "{wrong}");
    let failures: Vec<(u64, &str)> = wrong["failures"]
        .as_array()
        .expect("two failures")
        .iter()
        .map(|one| (one["line"].as_u64().unwrap(), one["message"].as_str().unwrap()))
        .collect();
    let unlocked =
        "unlocked although it is not locked, by `mutex_unlock(&first)` (rule mutex: m is free)";
    assert!(failures.contains(&(13, unlocked)), "{failures:?}");
    assert_eq!(wrong["error"]["kind"], "rule");
    // Steps tell the state of the rule.
    let values =
        &wrong["trace"].as_array().and_then(|trace| trace.last()).expect("a run")["values"];
    assert_eq!(values["state of mutex"], "free", "{values}");
    // The other engine knows no rules, so it is not asked.
    assert!(wrong["decided_by"].is_null());
    let asked = ["check", &path("right.c", &driver("&second")), "--rule", "mutex", "--engine"];
    let told = faultline(&[&asked[..], &["bounded"]].concat(), b"");
    assert_eq!(super::calling::code(&told), 2);
}

#[test]
fn a_rule_that_says_nothing_of_a_program_is_told() {
    let other = path("other.c", "int main(void) {\n  return 0;\n}\n");
    let output = faultline(&["check", &other, "--rule", "ldv/mutex"], b"");
    let told = text(&output.stderr);
    assert!(told.contains("rule ldv/mutex says nothing about this program"), "{told}");
    let right = path("right-again.c", &driver("&second"));
    let output = faultline(&["check", &right, "--rule", "mutex"], b"");
    assert_eq!(text(&output.stderr), "", "a rule that is built in has names for others");
}

#[test]
fn a_program_carries_its_rules() {
    let lock = "void lock(void);\nvoid unlock(void);\nint ready(void);\nint main(void) {\n  \
         lock();\n  if (ready()) return 1;\n  unlock();\n  return 0;\n}\n";
    let rule = "/*! rule \"locked in turn\"\n  start free\n  free: lock() -> held\n  \
         held: unlock() -> free\n  held: at exit -> error \"left locked\"\n*/\n";
    let (_, wrong) = json(&["check", &path("inside.c", &format!("{rule}{lock}"))]);
    assert_eq!((&wrong["verdict"], &wrong["error"]["line"]), (&"unsafe".into(), &12.into()));
    let message = "left locked, when the program ends (rule here: its state is held)";
    assert_eq!(wrong["error"]["message"], message);
    let mended = lock.replace("return 1", "{ unlock(); return 1; }");
    let (_, right) = json(&["check", &path("mended.c", &format!("{rule}{mended}"))]);
    assert_eq!(right["verdict"], "safe", "{right}");
    let named = format!("//! rule = mutex\n{}", driver("&second"));
    assert_eq!(json(&["check", &path("named.c", &named)]).1["verdict"], "safe");
    let named = format!("//! rule = mutex\n{}", driver("&first"));
    assert_eq!(json(&["check", &path("named.c", &named)]).1["verdict"], "unsafe");
}

/// What is open has a number of its own.
#[test]
fn two_open_sockets_are_two() {
    let program = |check: &str| {
        format!(
            "int socket(int a, int b, int c);\nint close(int s);\nint main(void) {{\n  \
             int s = socket(1, 2, 3);\n  int t = socket(1, 2, 3);\n  if (s >= 0)\n    close(s);\n  \
             if ({check})\n    close(t);\n  return 0;\n}}\n"
        )
    };
    let of = |check| {
        let program = path("sockets.c", &program(check));
        json(&["check", &program, "--rule", "socket"]).1
    };
    assert_eq!(of("t >= 0")["verdict"], "safe");
    let wrong = of("s >= 0 && t >= 0");
    assert_eq!(
        wrong["error"]["message"],
        "never closed, when the program ends (rule socket: s is opened)"
    );
}

/// What a procedure without a body gives back is any pointer, and has a value.
#[test]
fn an_unknown_pointer_has_a_value() {
    let program = |second: &str| {
        format!(
            "struct device;\nstruct device *get(int n);\nvoid put(struct device *d);\nint main(void) {{\n  \
             struct device *d = get(1), *e = get(2);\n  if (!d || !e || d == e) return 0;\n  put(d);\n  \
             put({second});\n  return 0;\n}}\n"
        )
    };
    let rule = "rule \"put what was got, once\" for d\n  start out\n  out: d = get(_) -> in\n  \
         in: put(d) -> out\n  out: put(d) -> error \"put twice\"\n";
    let rule = path("device.rule", rule);
    let of = |second| {
        let program = path("device.c", &program(second));
        json(&["check", &program, "--rule", &rule, "--engine", "diagrams"]).1
    };
    assert_eq!(of("e")["verdict"], "safe");
    let wrong = of("d");
    assert_eq!((&wrong["error"]["kind"], &wrong["error"]["line"]), (&"rule".into(), &8.into()));
}

#[test]
fn a_bad_rule_is_refused_with_its_line() {
    let program = path("right.c", &driver("&second"));
    let refused = |rule: &str| {
        let rule = path("bad.rule", rule);
        let output = faultline(&["check", &program, "--rule", &rule], b"");
        assert_eq!(code(&output), 2);
        text(&output.stderr)
    };
    let told = refused(
        "rule \"r\" for m\n  start free\n  free: mutex_lock(m) -> hold\n  hold2: at exit -> stop",
    );
    assert!(told.contains("bad.rule:3: unknown state `hold`; did you mean `hold2`?"), "{told}");
    let told = refused("rule \"r\" for m\n  start free\n  free: mutex_lock(m, n) -> free\n");
    assert!(told.contains("line 3: `mutex_lock` takes 1 arguments, not 2"), "{told}");
    let told = refused("rule \"r\" for m\n  start free\n  free: mutex_lock(m) if n > 0 -> free\n");
    assert!(told.contains("line 3: unknown name `n`"), "{told}");
    let named = path("misspelt.c", &format!("//! rule = mutexx\n{}", driver("&second")));
    let told = text(&faultline(&["check", &named], b"").stderr);
    assert!(told.contains("no rule `mutexx` is built in") && told.contains("`mutex`"), "{told}");
    let threads = "#include <pthread.h>\nvoid *run(void *x) { return x; }\nint main(void) {\n  \
         pthread_t t;\n  pthread_create(&t, 0, run, 0);\n  return 0;\n}\n";
    let output = faultline(&["check", &path("threads.c", threads), "--rule", "mutex"], b"");
    assert_eq!(code(&output), 2);
    for cimple in ["//! rule = mutex\nvoid main() { }", "/*! rule \"r\" */ void main() { }"] {
        let output = faultline(&["check", &path("other.cimple", cimple)], b"");
        assert_eq!(code(&output), 2);
        assert!(text(&output.stderr).contains("beside C programs only"));
    }
    // Systems of rules of another kind have none of these.
    let raw = path("other.pds", "(a <b>)\na <b> --> a <>\n");
    assert_eq!(code(&faultline(&["pds", &raw, "--rule", "mutex"], b"")), 2);
    // A rule that looks at nothing of the program says so.
    let rule = path("other.rule", "rule \"r\"\n  start s\n  s: never_there() -> error \"x\"\n");
    let output = faultline(&["check", &program, "--rule", &rule], b"");
    assert_eq!(code(&output), 0);
    assert!(text(&output.stderr).contains("no `never_there`"));
}

#[test]
fn a_count_beyond_its_bound_is_no_answer() {
    let program = "void lock(void);\nvoid unlock(void);\nint main(void) {\n  for (int i = 0; i < 5; i++)\n    \
         lock();\n  for (int i = 0; i < 5; i++)\n    unlock();\n  return 0;\n}\n";
    let rule = |most: u32| {
        format!(
            "rule \"balanced\"\n  start s\n  s: lock() -> n = n + 1 up to {most}\n  \
             s: unlock() -> n = n - 1\n  s: at exit if n != 0 -> error \"not balanced\"\n"
        )
    };
    let program = path("count.c", program);
    let of = |most| {
        let rule = path(&format!("count{most}.rule"), &rule(most));
        json(&["check", &program, "--rule", &rule, "--engine", "diagrams"]).1["verdict"].clone()
    };
    assert_eq!(of(7), "safe");
    assert_eq!(of(4), "unknown");
}
