//! Mutated texts: nothing panics, the ways agree, and what is printed is read.
//! `FAULTLINE_FUZZ_SECONDS=600` goes on for so long, from a seed that `FAULTLINE_FUZZ_SEED` names.

use crate::support::Random;
use crate::systems::{WAYS, print, random_system, requested};
use faultline::lang::raw::load;
use faultline::report;
use faultline::session::{Budgets, Job, Outcome, Session, Task};
use faultline::wire::options::Dialect;
use faultline::wire::projection::Method;
use std::time::{Duration, Instant};

const SEEDS: [(&str, Dialect); 7] = [
    (
        "weights relation x {0..3}, b {0..1}\n<p, a> -> <p, a b> x < 3, x := x + 1\n<p, a> -> <q, a> x' > x, b := *\n<q, a> -> <q> !(x = b || x*2 = 2)\n<q, b> -> <q> x := x - 1\ninitial <p, a>\ntarget <q, b*>\n",
        Dialect::Pds,
    ),
    (
        "weights affine x y modulo 2^4\n<p, a> -> <p, a b> x := x + 1\n<p, a> -> <p>\n<p, b> -> <p> y := y + 2*x - 1, x := *\ninitial <p, a>\ntarget <p>\n",
        Dialect::Pds,
    ),
    (
        "weights boolean\n<p0, g0> -> <p1, g1 g0>\n<p1, g1> -> <p2, g2 g0> # push\n<p2, g2> -> <p0, g1>\n<p0, g1> -> <p0>\n\
         initial <p0, g0 g0>\ntarget <p0, g0 (g0 | .)+ g1?>\n",
        Dialect::Pds,
    ),
    (
        "<p, a> -> <p, a a>\n<p, a> -> <q>\n<q, a> -> <q>\ninitial <p, a*>\ninitial <q>\ntarget <q, ()>\ntarget <p, (a a)+ | b>\n",
        Dialect::Pds,
    ),
    ("<γ', ⊥> -> <1, $ ⊥>\n<1, $> -> <γ'>\ninitial <γ', ⊥>\ntarget <γ', .>\n", Dialect::Pds),
    (
        r#"[{"state-names":true,"weight-type":"none"},{"states":{"p":{"a":[{"push":"b","to":"q"},{"pop":"","to":"p"}],"*":{"swap":"*","to":"q"}},"q":{"b":{"swap":"a","to":"q"}}}},{"accepting":[2],"edges":[["p","a",2],[2,"",3],[3,"b",2]]},{"accepting":["q",7],"edges":[["q","a",7],[7,"b","q"]]}]"#,
        Dialect::Pdaaal,
    ),
    (
        "{\"instance\": [{\"state-names\": false, \"weight-type\": \"none\"},\n {\"states\": [{\"\\u0061\": [{\"push\": \"b\", \"to\": 1}]}, {\"b\": {\"pop\": \"\", \"to\": 0}}]},\n {\"accepting\": [2], \"edges\": [[0, \"a\", 2]]},\n {\"accepting\": [2], \"edges\": [[1, \"b\", 3], [3, \"a\", 2]]}]}\n",
        Dialect::Pdaaal,
    ),
];

const PIECES: [&str; 44] = [
    "<",
    ">",
    "->",
    ",",
    "(",
    ")",
    "|",
    "*",
    "+",
    "?",
    ".",
    "#",
    "\n",
    " ",
    "a",
    "p0",
    "initial ",
    "target ",
    "weights ",
    "boolean",
    "minpath",
    "[",
    "]",
    "{",
    "}",
    "\"",
    ":",
    "\"to\"",
    "\"push\"",
    "\"swap\"",
    "\"pop\"",
    "\"*\"",
    "\"\"",
    "0",
    "18446744073709551616",
    "-1",
    "1e9",
    "null",
    "\\u",
    "\\ud800",
    "é",
    "\u{0}",
    "\r\n",
    "\u{2028}",
];

fn mutate(random: &mut Random, text: &str) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    // Most are one small change away from a system, and many of those are systems again.
    let small = random.below(3) > 0;
    if small {
        let letters: Vec<usize> =
            (0..chars.len()).filter(|k| chars[*k].is_ascii_alphanumeric()).collect();
        if let Some(at) = letters.get(random.below(letters.len().max(1) as u64) as usize) {
            chars[*at] = ['a', 'b', 'p', 'q', '0', '1', '2'][random.below(7) as usize];
        }
    }
    for _ in 0..if small { random.below(2) } else { 1 + random.below(6) } {
        let at = random.below(chars.len() as u64 + 1) as usize;
        let length = (random.below(12) as usize).min(chars.len() - at);
        match random.below(6) {
            0 => drop(chars.drain(at..at + length)),
            1 => drop(
                chars.splice(at..at, PIECES[random.below(PIECES.len() as u64) as usize].chars()),
            ),
            2 => drop(chars.splice(
                at..at + length,
                PIECES[random.below(PIECES.len() as u64) as usize].chars(),
            )),
            3 => {
                let copy: Vec<char> = chars[at..at + length].to_vec();
                let to = random.below(chars.len() as u64 + 1) as usize;
                drop(chars.splice(to..to, copy));
            }
            4 if !chars.is_empty() => {
                let (a, b) = (
                    random.below(chars.len() as u64) as usize,
                    random.below(chars.len() as u64) as usize,
                );
                chars.swap(a, b);
            }
            _ => {
                let lines: Vec<&str> = text.lines().collect();
                let line = lines
                    .get(random.below(lines.len().max(1) as u64) as usize)
                    .copied()
                    .unwrap_or("");
                drop(chars.splice(at..at, line.chars().chain(['\n'])));
            }
        }
    }
    chars.into_iter().collect()
}

/// Returns whether it loaded.
fn check(source: &str, dialect: Dialect) -> bool {
    let budgets = Budgets { max_nodes: 20_000, max_steps: 100_000, ..Budgets::default() };
    let mut outcomes = Vec::new();
    for way in WAYS {
        let (mut session, found) = Session::load(source, &requested(dialect, way));
        let _ = report::diagnostics::diagnostics(source, &found);
        for one in &found {
            assert!(one.span.start <= one.span.end && one.span.line >= 1, "{one:?}\n{source}");
            assert!(!one.message.is_empty() && !one.hint.is_empty(), "{one:?}\n{source}");
        }
        session.start(Task::Projection(Method::Functional), budgets);
        session.run();
        let _ = (report::graph(&session), report::statements(&session), report::report(&session));
        if session.raw().is_some() {
            outcomes.push(session.outcome());
        }
    }
    assert!(!outcomes.contains(&Outcome::Fault), "{source}");
    let known: Vec<&Outcome> =
        outcomes.iter().filter(|outcome| !matches!(outcome, Outcome::Unknown(_))).collect();
    assert!(known.windows(2).all(|pair| pair[0] == pair[1]), "{outcomes:?}\n{source}");
    let loaded = load(source, &requested(dialect, WAYS[0])).system;
    if let Some(system) = &loaded {
        let printed = match dialect {
            Dialect::Pdaaal => faultline::lang::raw::pdaaal::print(system),
            _ => faultline::lang::raw::text::print(system),
        };
        if let Some(printed) = printed {
            let again = load(&printed, &requested(dialect, WAYS[0]));
            let again = again.system.unwrap_or_else(|| {
                panic!("{:?}\n{printed}\nprinted for\n{source}", again.diagnostics)
            });
            let counts = |s: &faultline::lang::raw::RawSystem| {
                (s.states.len(), s.symbols.len(), s.rules.len())
            };
            assert!(
                dialect == Dialect::Pdaaal || counts(&again) == counts(system),
                "{printed}\nprinted for\n{source}"
            );
            assert_eq!(again.rules.len(), system.rules.len(), "{printed}\nprinted for\n{source}");
        }
    }
    loaded.is_some()
}

#[test]
fn mutated_texts_do_no_harm() {
    let seconds = std::env::var("FAULTLINE_FUZZ_SECONDS")
        .ok()
        .and_then(|text| text.parse().ok())
        .map(Duration::from_secs);
    let mut random = Random::new(
        std::env::var("FAULTLINE_FUZZ_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1),
    );
    let (began, mut tried, mut loaded) = (Instant::now(), 0u64, 0u64);
    while seconds.map_or(tried < 1_500, |seconds| began.elapsed() < seconds) {
        let (text, dialect) = match random.below(3) {
            0 => {
                let dialect = if random.flip() { Dialect::Pds } else { Dialect::Pdaaal };
                (print(&random_system(&mut random, dialect), dialect), dialect)
            }
            _ => {
                let (text, dialect) = SEEDS[random.below(SEEDS.len() as u64) as usize];
                (text.to_string(), dialect)
            }
        };
        let mutated = mutate(&mut random, &text);
        // Some are read in the other dialect.
        let dialect = match (random.below(20), dialect) {
            (0, Dialect::Pds) => Dialect::Pdaaal,
            (0, _) => Dialect::Pds,
            _ => dialect,
        };
        tried += 1;
        loaded += u64::from(check(&mutated, dialect));
    }
    assert!(loaded * 20 > tried, "too few load to be worth it: {loaded} of {tried}");
}

/// A megabyte of garbage is refused, or read; nothing recurses without bound.
#[test]
fn garbage_is_refused() {
    let megabyte = 1 << 20;
    let patterns = [
        "<",
        "(",
        "[",
        "{\"a\":",
        "\"",
        "a ",
        "<p, a> -> <q, b b>\n",
        "initial <p, (((",
        "target <p, a**",
        "[[",
        "\\",
        "\u{0}",
        "⊥⊥ ",
        "[1,",
        "(a|",
    ];
    for pattern in patterns {
        let text = pattern.repeat(megabyte / pattern.len());
        for dialect in [Dialect::Pds, Dialect::Pdaaal] {
            let _ = load(&text, &requested(dialect, WAYS[0]));
        }
    }
    let mut random = Random::new(7);
    let noise: String = (0..megabyte).map(|_| char::from(32 + random.below(95) as u8)).collect();
    for dialect in [Dialect::Pds, Dialect::Pdaaal] {
        assert!(load(&noise, &requested(dialect, WAYS[0])).system.is_none(), "noise is no system");
    }
    let nested = format!("initial <p, {}a{}>\ntarget <p, a>\n", "(".repeat(200), ")".repeat(200));
    let described =
        format!("initial <p, {}a{}>\ntarget <p, a>\n", "(a* ".repeat(200), ")*".repeat(200));
    for source in [nested, described] {
        assert!(check(&source, Dialect::Pds), "nesting below the cap is read");
    }
    let deep = format!("initial <p, {}a{}>\n", "(".repeat(300), ")".repeat(300));
    assert!(!check(&deep, Dialect::Pds), "nesting above the cap is refused");
}
