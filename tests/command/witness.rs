//! Witnesses in SV-COMP's format 2.0: the YAML read back by a library, every place looked up in the
//! source, every formula read again and compared as a diagram.
//!
//! The library is `yaml-rust2`: plain Rust, kept up; only tests link it.
#![allow(clippy::unwrap_used)]

use faultline::analysis::invariant::Invariant;
use faultline::analysis::reach::Reach;
use faultline::bdd::Bdd;
use faultline::encode::{Cell, Copy};
use faultline::lang::model::VariableId;
use faultline::readable::NamedScalar;
use faultline::readable::predicate::parse;
use faultline::report::Origin;
use faultline::report::witness;
use faultline::session::{Budgets, Job, Outcome, Session, Task};
use faultline::wire::options::RequestedOptions;
use std::rc::Rc;
use yaml_rust2::{Yaml, YamlLoader};

const CALLS: &str = "//! bits = 4
int total;
int twice(int n) {
    int m = n + n;
    return m;
}
void main() {
    int x = nondet();
    total = 0;
    assume(0 < x && x < 5); // a comment
    while (total < 6) {
        total = total + twice(1);
    }
    if (x == 3) { x = twice(x); }
    assert(x != 6);
}
";

const SAFE: &str = "//! bits = 4
int g;
int steps(int n) { return n + 2; }
void main() {
    unsigned even = 0;
    g = 0;
    while (g < 6) {
        g = steps(g);
        even = even + 4;
    }
    assert(g == 6);
    assert(even % 4 == 0);
    do { g = g - 1; } while (g > 0);
    for (int i = 0; i < 3; i++) { assert(i < 3); }
}
";

fn run(source: &str) -> Session {
    let (mut session, _) = Session::load(source, &RequestedOptions::default());
    session.start(Task::Check, Budgets::default());
    session.run();
    session
}

fn origin() -> Origin {
    Origin {
        file_name: "dir/pro\"gram.cimple".into(),
        creation_time: "2026-01-31T12:00:00Z".into(),
    }
}

/// The only entry of the witness.
fn entry(session: &mut Session) -> Yaml {
    let text = witness(session, &origin()).expect("a witness");
    assert_eq!(witness(session, &origin()).as_ref(), Some(&text), "no clock and no chance");
    let mut documents =
        YamlLoader::load_from_str(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let [Yaml::Array(entries)] = &mut documents[..] else { panic!("one document, a list\n{text}") };
    assert_eq!(entries.len(), 1);
    entries.remove(0)
}

fn string<'a>(yaml: &'a Yaml, key: &str) -> &'a str {
    yaml[key].as_str().unwrap_or_else(|| panic!("{key} in {yaml:?}"))
}

fn metadata(entry: &Yaml, source: &str) {
    let metadata = &entry["metadata"];
    assert_eq!(string(metadata, "format_version"), "2.0");
    assert_eq!(string(metadata, "creation_time"), "2026-01-31T12:00:00Z");
    let uuid = string(metadata, "uuid");
    let groups: Vec<usize> = uuid.split('-').map(str::len).collect();
    assert_eq!(groups, [8, 4, 4, 4, 12], "{uuid}");
    assert!(uuid.as_bytes()[14] == b'8' && b"89ab".contains(&uuid.as_bytes()[19]), "{uuid}");
    assert_eq!(string(&metadata["producer"], "name"), "Faultline");
    assert_eq!(string(&metadata["producer"], "version"), env!("CARGO_PKG_VERSION"));
    assert!(string(&metadata["producer"], "configuration").contains("4-bit"));
    let task = &metadata["task"];
    assert_eq!(task["input_files"].as_vec().unwrap(), &[Yaml::String(origin().file_name)]);
    let digest =
        faultline::util::sha256::hexadecimal(&faultline::util::sha256::sha256(source.as_bytes()));
    assert_eq!(string(&task["input_file_hashes"], &origin().file_name), digest);
    assert_eq!(
        string(task, "specification"),
        "CHECK( init(main()), LTL(G ! call(reach_error())) )"
    );
    assert_eq!((string(task, "data_model"), string(task, "language")), ("ILP32", "C"));
}

/// The source from a location on, to the end of its line; and the line's number.
fn text_at<'a>(source: &'a str, yaml: &Yaml) -> (&'a str, i64, String) {
    let location = &yaml["location"];
    assert_eq!(string(location, "file_name"), origin().file_name);
    let (line, column) = (location["line"].as_i64().unwrap(), location["column"].as_i64().unwrap());
    let text = source.lines().nth(line as usize - 1).unwrap();
    (&text[column as usize - 1..], line, string(location, "function").to_string())
}

/// The formula that a witness of a failing program says is violated.
fn violated(body: &str) -> String {
    let source = format!(
        "//! check = bounds,division,overflow,shift,leak\n#include <stdlib.h>\n\
         int main(void) {{ {body} return 0; }}\n"
    );
    let mut session = run(&source);
    assert!(matches!(session.outcome(), Outcome::Unsafe), "{body}: {:?}", session.outcome());
    let entry = entry(&mut session);
    let text = entry["metadata"]["task"]["specification"].as_str().unwrap().to_string();
    let formula = text.strip_prefix("CHECK( init(main()), LTL(").unwrap();
    formula.strip_suffix(") )").unwrap().to_string()
}

#[test]
fn a_violation_names_the_property_that_its_error_violates() {
    for (body, formula) in [
        ("int *p = malloc(4); if (p) { free(p); free(p); }", "G valid-free"),
        ("int x; int *p = &x; free(p);", "G valid-free"),
        ("int *p; free(p);", "G valid-free"),
        ("int *p = malloc(4); p = 0;", "G valid-memtrack"),
        ("int *p = malloc(4); if (p) { free(p); *p = 1; }", "G valid-deref"),
        ("int *p = 0; *p = 1;", "G valid-deref"),
        ("int a[2]; int i = 2; a[i] = 1;", "G valid-deref"),
        ("int x = 2147483647; x = x + 1;", "G ! overflow"),
        ("int x = 0; x = 1 / x;", "G ! call(reach_error())"),
    ] {
        assert_eq!(violated(body), formula, "{body}");
    }
}

#[test]
fn a_failing_run_is_a_sequence_of_waypoints() {
    let mut session = run(CALLS);
    assert_eq!(session.outcome(), Outcome::Unsafe);
    let entry = entry(&mut session);
    assert_eq!(string(&entry, "entry_type"), "violation_sequence");
    metadata(&entry, CALLS);
    let mut told = Vec::new();
    for segment in entry["content"].as_vec().unwrap() {
        let waypoints = segment["segment"].as_vec().unwrap();
        assert_eq!(waypoints.len(), 1);
        let waypoint = &waypoints[0]["waypoint"];
        assert_eq!(string(waypoint, "action"), "follow");
        let (text, line, function) = text_at(CALLS, waypoint);
        let kind = string(waypoint, "type");
        let constraint = waypoint["constraint"]["value"].as_str().unwrap_or("");
        let format = waypoint["constraint"]["format"].as_str().unwrap_or("");
        match kind {
            "branching" => assert!(
                ["while (", "if ("].iter().any(|word| text.starts_with(word))
                    && matches!(constraint, "true" | "false")
            ),
            "function_enter" => assert!(text.starts_with(')') && constraint.is_empty(), "{text}"),
            "function_return" => {
                assert!(text.starts_with(')') && format == "acsl_expression", "{text}")
            }
            "assumption" => assert_eq!(format, "c_expression"),
            "target" => {
                assert!(text.starts_with("assert(x != 6)") && constraint.is_empty(), "{text}")
            }
            _ => panic!("{kind}"),
        }
        told.push(format!("{line} {function} {kind} {constraint}").trim().to_string());
    }
    // Read by hand off the program: x is 3, the loop goes round three times, twice(3) is 6.
    let round = [
        "11 main branching true",
        "12 main function_enter",
        "12 main function_return \\result == 2",
    ];
    let mut expected = vec!["9 main assumption x == 3".to_string()];
    // The start says what the only global is; nothing else is in scope.
    let start = told.remove(0);
    assert!(start.starts_with("8 main assumption total == "), "{start}");
    for _ in 0..3 {
        expected.extend(round.map(str::to_string));
    }
    expected.extend(
        [
            "11 main branching false",
            "14 main branching true",
            "14 main function_enter",
            "14 main function_return \\result == 6",
            "15 main target",
        ]
        .map(str::to_string),
    );
    assert_eq!(told, expected);
}

#[test]
fn a_proof_is_a_set_of_invariants() {
    let mut session = run(SAFE);
    assert_eq!(session.outcome(), Outcome::Safe);
    let entry = entry(&mut session);
    assert_eq!(string(&entry, "entry_type"), "invariant_set");
    metadata(&entry, SAFE);
    let proved = session.invariant().unwrap().unwrap();
    let (mut reach, _) = session.into_reach().unwrap();
    let program = Rc::clone(&reach.program);
    let proved = proved.whole(&mut reach.domain, &program).unwrap();
    let mut told = Vec::new();
    for item in entry["content"].as_vec().unwrap() {
        let invariant = &item["invariant"];
        assert_eq!(string(invariant, "format"), "c_expression");
        let (text, line, function) = text_at(SAFE, invariant);
        let (kind, value) = (string(invariant, "type"), string(invariant, "value"));
        assert_eq!(
            kind == "loop_invariant",
            text.starts_with("while (") || text.starts_with("for ("),
            "{text}"
        );
        told.push((line, value.to_string()));
        same_as_proved(&mut reach, &proved, line, &function, text, value);
    }
    let at = |line: i64| {
        told.iter()
            .filter(|(other, _)| *other == line)
            .map(|(_, value)| value.as_str())
            .collect::<Vec<_>>()
    };
    assert_eq!(at(11).len(), 1, "one invariant on the assertion's line: {told:?}");
    assert!(told.iter().any(|(line, _)| *line == 7), "the first loop has an invariant: {told:?}");
    assert_eq!(
        at(13).len(),
        1,
        "of the loop with the condition at its end, only the statement inside: {told:?}"
    );
    assert!(at(14)[0].contains("i"), "{told:?}");
}

/// A struct, an array, a pointer or a constant hides the global of its name: there no formula names
/// the global. Behind the block it does.
#[test]
fn no_formula_names_what_is_hidden() {
    let program = |hiding: &str, error: &str| {
        format!(
            "//! bits = 4\n#include <assert.h>\nint g = 5; struct S {{ int m; }};\n\
             int main(void) {{\nint x = 1, y = nondet();\ny = 0;\nif (x) {{\n{hiding}\n\
             x++;\nassert(x == {error});\n}}\nx = g;\ny = x;\nassert(y == 5);\nreturn 0;\n}}\n"
        )
    };
    for hiding in [
        "struct S g = {3}; x = g.m - 2;",
        "struct S g[2] = {{3}, {4}}; x = g[1].m - 3;",
        "int g[2] = {3, 4}; x = g[0] - 2;",
        "static struct S g; x = g.m + 1;",
        "int *g = &x; *g = 1;",
        "enum { g = 3 }; x = g - 2;",
        "pthread_mutex_t g;",
    ] {
        for (error, outcome) in [("2", Outcome::Safe), ("3", Outcome::Unsafe)] {
            let source = program(hiding, error);
            let mut session = run(&source);
            assert_eq!(session.outcome(), outcome, "{source}");
            let entry = entry(&mut session);
            let mut named = (0, 0);
            for item in entry["content"].as_vec().unwrap() {
                let (place, value) = match item["segment"].is_badvalue() {
                    true => (&item["invariant"], item["invariant"]["value"].as_str()),
                    false => {
                        let waypoint = &item["segment"][0]["waypoint"];
                        (waypoint, waypoint["constraint"]["value"].as_str())
                    }
                };
                let (_, line, _) = text_at(&source, place);
                let value = value.unwrap_or_default();
                let global = value.contains("g == 5");
                assert!(!global || line <= 8 || line > 11, "line {line}: {value}\n{source}");
                named.0 += usize::from((9..=11).contains(&line) && !value.is_empty());
                named.1 += usize::from(global);
            }
            // Otherwise nothing would be compared.
            assert!(named.0 > 0 || outcome == Outcome::Unsafe, "{entry:?}\n{source}");
            assert!(named.1 > 0, "{entry:?}\n{source}");
        }
    }
}

/// At a procedure's end, too: a pointer that is a parameter hides a global.
#[test]
fn a_pointer_hides_a_global_until_its_procedure_ends() {
    let source = "//! bits = 4\n#include <assert.h>\nint g = 5, h = 2;\nint f(int *g) {\n\
                  return *g;\n}\nint main(void) { h = f(&h); assert(g == 5); return 0; }\n";
    let mut session = run(source);
    let report = faultline::report::invariants(&mut session).unwrap();
    let ends: Vec<&String> =
        report.iter().filter(|at| at.line == 6).map(|at| &at.formula).collect();
    assert!(!ends.is_empty() && ends.iter().all(|text| text.contains("h = 2")), "{ends:?}");
    assert!(ends.iter().all(|text| !text.contains('g')), "{ends:?}");
    // A static of a block is not in scope at the end.
    let source = "//! bits = 4\n#include <assert.h>\nint g = 5;\nint main(void) {\n\
                  int x = g;\nif (x) { static int g = 1; x = g; }\nassert(x == 1);\n}\n";
    let report = faultline::report::invariants(&mut run(source)).unwrap();
    let end = report.iter().find(|at| at.line == 8).unwrap();
    assert_eq!(end.formula, "g = 5");
}

/// The formula, read again, is the invariant over the variables in scope.
fn same_as_proved(
    reach: &mut Reach,
    invariant: &Invariant,
    line: i64,
    function: &str,
    text: &str,
    value: &str,
) {
    let program = Rc::clone(&reach.program);
    let found = program.edge_ids().find(|id| {
        let edge = program.edge(*id);
        let here = edge.span.line as i64 == line
            && text.starts_with(&SAFE[edge.span.start as usize..edge.span.end as usize]);
        here && program.procedure(program.owner(*id)).name == function
    });
    let edge = program.edge(found.unwrap());
    let scope: Vec<VariableId> = program.scope(edge.scope).variables.clone();
    let scalars: Vec<NamedScalar> = scope
        .iter()
        .map(|id| NamedScalar {
            name: program.variable(*id).name.clone(),
            scalar: program.variable(*id).scalar,
            bits: reach.domain.layout.cell(Cell { variable: *id, element: 0 }, Copy::Now),
            values: None,
            wraps: false,
        })
        .collect();
    let mut proved = invariant.stores(reach, edge.from).unwrap();
    let named: Vec<_> = scalars.iter().flat_map(|scalar| scalar.bits.clone()).collect();
    let kernel = &mut reach.domain.kernel;
    let others: Vec<_> =
        kernel.support(proved).into_iter().filter(|level| !named.contains(level)).collect();
    let others = kernel.var_set(&others);
    proved = kernel.exists(proved, others).unwrap();
    let read = if value == "0" {
        Bdd::FALSE
    } else {
        parse(kernel, value, &scalars).unwrap_or_else(|error| panic!("{value}: {error}"))
    };
    assert_eq!(read, proved, "line {line}: {value}");
}

/// Programs with threads have no verdict here, so no witness.
fn has_threads(file: &std::path::Path) -> bool {
    file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("threads-"))
}

/// Every example's witness is good YAML, and names only places that are there.
#[test]
fn every_example_has_a_witness() {
    for file in std::fs::read_dir("static/examples").unwrap().map(|file| file.unwrap().path()) {
        // Without refinement quicksort has no end.
        if file.extension().is_none_or(|extension| extension != "cimple")
            || file.ends_with("refine-quicksort.cimple")
            || has_threads(&file)
        {
            continue;
        }
        let source = std::fs::read_to_string(&file).unwrap();
        let mut session = run(&source);
        let entry = entry(&mut session);
        let content = entry["content"].as_vec().unwrap();
        assert!(!content.is_empty(), "{}", file.display());
        for item in content {
            let place = if item["segment"].is_badvalue() {
                &item["invariant"]
            } else {
                &item["segment"][0]["waypoint"]
            };
            let (text, ..) = text_at(&source, place);
            assert!(!text.is_empty(), "{}: {item:?}", file.display());
        }
        if session.outcome() == Outcome::Unsafe {
            let target = &content.last().unwrap()["segment"][0]["waypoint"];
            assert_eq!(string(target, "type"), "target");
            let fails = session.failing_run().unwrap().entries.last().unwrap().edge;
            assert_eq!(
                target["location"]["line"].as_i64().unwrap(),
                i64::from(session.program().unwrap().edge(fails).span.line)
            );
        }
    }
}

#[test]
fn without_a_verdict_there_is_no_witness() {
    let (mut session, _) = Session::load(CALLS, &RequestedOptions::default());
    session.start(Task::Check, Budgets { max_nodes: 40, ..Budgets::default() });
    session.run();
    assert!(matches!(session.outcome(), Outcome::Unknown(_)));
    assert_eq!(witness(&mut session, &origin()), None);
}
