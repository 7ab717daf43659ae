//! Systems of the literature, with what is known about them.

use crate::support::Random;
use crate::systems::{WAYS, project, reachable, run};
use faultline::lang::raw::{StackExpression, SymbolId};
use faultline::session::Task;
use faultline::wire::options::Dialect;

/// Schwoon 2002, the running example of chapter 3; its automaton accepts ⟨p0, γ0 γ0⟩ alone.
const RULES: &str =
    "<p0, g0> -> <p1, g1 g0>\n<p1, g1> -> <p2, g2 g0>\n<p2, g2> -> <p0, g1>\n<p0, g1> -> <p0>\n";
const START: &str = "<p0, g0 g0>";

/// All stacks over the three symbols up to this height.
fn stacks(up_to: usize) -> Vec<Vec<SymbolId>> {
    let mut all = vec![Vec::new()];
    let mut last = all.clone();
    for _ in 0..up_to {
        last = last
            .iter()
            .flat_map(|s: &Vec<SymbolId>| {
                (0..3).map(move |k| [s.clone(), vec![SymbolId(k)]].concat())
            })
            .collect();
        all.extend(last.clone());
    }
    all
}

fn g(k: u32) -> StackExpression {
    StackExpression::Symbol(SymbolId(k))
}

fn words(items: &[StackExpression]) -> StackExpression {
    StackExpression::Sequence(items.to_vec())
}

fn configuration(state: usize, stack: &[SymbolId]) -> String {
    let names: Vec<String> = stack.iter().map(|symbol| format!("g{}", symbol.0)).collect();
    format!("<p{state}, {}>", names.join(" "))
}

/// post\*(⟨p0, γ0γ0⟩) is p0: γ0γ0+ | γ1γ0γ0γ0+, p1: γ1γ0γ0+, p2: γ2γ0γ0γ0+.
#[test]
fn schwoon_poststar() {
    let some = || StackExpression::Plus(Box::new(g(0)));
    let known = [
        StackExpression::Choice(vec![words(&[g(0), some()]), words(&[g(1), g(0), g(0), some()])]),
        words(&[g(1), g(0), some()]),
        words(&[g(2), g(0), g(0), some()]),
    ];
    for (state, known) in known.iter().enumerate() {
        for stack in stacks(5) {
            let source =
                format!("{RULES}initial {START}\ntarget {}\n", configuration(state, &stack));
            let session = run(&source, Dialect::Pds, WAYS[0], Task::Check);
            assert_eq!(reachable(&session), known.accepts(&stack), "{source}");
        }
    }
}

/// pre\*(⟨p0, γ0γ0⟩) is p0: γ1\*γ0γ0?, p1: γ1γ0?, p2: γ2γ1\*γ0γ0?.
#[test]
fn schwoon_prestar() {
    let (any, perhaps) =
        (|| StackExpression::Star(Box::new(g(1))), || StackExpression::Optional(Box::new(g(0))));
    let known = [
        words(&[any(), g(0), perhaps()]),
        words(&[g(1), perhaps()]),
        words(&[g(2), any(), g(0), perhaps()]),
    ];
    for (state, known) in known.iter().enumerate() {
        for stack in stacks(5) {
            let source =
                format!("{RULES}initial {}\ntarget {START}\n", configuration(state, &stack));
            let session = run(&source, Dialect::Pds, WAYS[1], Task::Check);
            assert_eq!(reachable(&session), known.accepts(&stack), "{source}");
        }
    }
}

/// The figures' automata: seven transitions after pre\*; two more states and ten transitions (an ε
/// among them) after post\*.
#[test]
fn schwoon_automata() {
    let source = format!("{RULES}initial {START}\ntarget {START}\n");
    let session = project(&source, Dialect::Pds, WAYS[0]);
    let (post, pre) = session.raw().expect("a raw system").sizes();
    let (post, pre) = (post.expect("made"), pre.expect("made"));
    assert_eq!((post.states, post.transitions, post.complete), (7, 10, true));
    assert_eq!((pre.states, pre.transitions, pre.complete), (5, 7, true));
}

const SATURATION: &str = include_str!("../../static/examples/saturation.pds");

#[test]
fn the_gallery_s_saturation() {
    for way in WAYS {
        let session = project(SATURATION, Dialect::Pds, way);
        assert!(reachable(&session));
        let raw = session.raw().expect("a raw system");
        assert_eq!(
            raw.in_projection(),
            Some(&[true, true, true, true, false][..]),
            "all but the rule of x"
        );
        assert_eq!(raw.reached(), Some(&[true, true, true, true, false][..]));
        let heads: Vec<String> = raw
            .lit_heads()
            .expect("projected")
            .iter()
            .map(|(p, symbol)| raw.system().configuration(*p, &[*symbol]))
            .collect();
        assert_eq!(heads, ["<p0, g0>", "<p0, g1>", "<p1, g1>", "<p2, g2>"]);
        assert_eq!(
            raw.run().expect("a run").rules,
            [0, 1, 2, 3],
            "the only way to one symbol more"
        );
    }
}

const PLOTTER: &str = include_str!("../../static/examples/plotter.pds");

/// Esparza, Hansel, Rossmanith, Schwoon 2000: the plotter never goes down straight after it went
/// up. Without the movement to the right it would.
#[test]
fn the_plotter_does_not_scratch() {
    for way in WAYS {
        assert!(!reachable(&project(PLOTTER, Dialect::Pds, way)));
        let careless =
            PLOTTER.replace("<up, right_m>    -> <right, m_or_not>", "<up, right_m>    -> <up>");
        assert_ne!(careless, PLOTTER);
        let session = project(&careless, Dialect::Pds, way);
        assert!(reachable(&session));
        let raw = session.raw().expect("a raw system");
        let run = raw.run().expect("a run");
        let last =
            raw.system().rule(&raw.system().rules[*run.rules.last().expect("rules") as usize]);
        assert!(
            last == "<up, down_s> -> <scratched>" || last == "<up, down_m> -> <scratched>",
            "{last}"
        );
    }
}

/// A packet that took the backup path keeps its label at r4, unless r3 takes it off; labels are a
/// stack, as in MPLS.
#[test]
fn label_switching() {
    for way in WAYS {
        let leak =
            project(include_str!("../../static/examples/label-leak.json"), Dialect::Pdaaal, way);
        assert!(reachable(&leak));
        let raw = leak.raw().expect("a raw system");
        let run: Vec<u32> = raw
            .run()
            .expect("a run")
            .rules
            .iter()
            .map(|k| raw.system().rules[*k as usize].span.line)
            .collect();
        assert_eq!(run, [4, 6, 7, 9], "line by line: in, backup, backup's end, out");
        let lit: Vec<bool> = raw.in_projection().expect("projected").to_vec();
        assert_eq!(lit, [true, false, true, true, false, true], "the way through t does not leak");
        assert!(!reachable(&project(
            include_str!("../../static/examples/label-switching.json"),
            Dialect::Pdaaal,
            way
        )));
    }
}

/// The stack counts: a run may be long, but not a derivation of it. Each of `n` symbols is popped
/// by two runs of the one below.
fn doubling(n: usize) -> String {
    let mut text = String::new();
    for k in 1..=n {
        text.push_str(&format!(
            "<p, a{k}> -> <p, a{} b{k}>\n<p, b{k}> -> <p, a{}>\n",
            k - 1,
            k - 1
        ));
    }
    format!("{text}<p, a0> -> <p>\ninitial <p, a{n}>\ntarget <p>\n")
}

/// A run whose length is exponential in the system is found, and shown up to 100,000 rules; the
/// answer does not depend on it.
#[test]
fn long_runs() {
    for way in WAYS {
        let session = project(&doubling(12), Dialect::Pds, way);
        assert!(reachable(&session));
        // Three rules at a0 … : 2^12 pops, and two rules for each of the 2^12 - 1 symbols above.
        assert_eq!(
            session.raw().and_then(|raw| raw.run()).expect("a run").rules.len(),
            4_096 + 2 * 4_095
        );
        let session = project(&doubling(40), Dialect::Pds, way);
        let raw = session.raw().expect("a raw system");
        assert_eq!((raw.reachable(), raw.run(), raw.is_run_too_long()), (Some(true), None, true));
        assert!(
            raw.in_projection().is_some_and(|lit| lit.iter().all(|lit| *lit)),
            "the projection does not need the run"
        );
    }
}

/// A high stack: what is shown of it is limited, the run is not.
#[test]
fn high_stacks() {
    let mut random = Random::new(3);
    let height = 2_000 + random.below(100) as usize;
    let source = format!(
        "<p, a> -> <p, b a>\n<p, b> -> <p>\ninitial <p, {}>\ntarget <p, b{}>\n",
        "a ".repeat(height),
        " a".repeat(height)
    );
    for way in WAYS {
        let session = run(&source, Dialect::Pds, way, Task::Check);
        assert!(reachable(&session));
        let report = faultline::report::report(&session);
        let first = &report.trace.expect("a run")[0];
        assert_eq!(
            first.values.0[1].1.to_string().matches(", ").count(),
            32,
            "32 symbols and how many more"
        );
    }
}
