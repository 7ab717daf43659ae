//! Raw pushdown systems: random ones and random formulas over their atoms, against an explicit
//! product over configurations with bounded stacks, which applies rules to plain stacks.

use crate::explicit::{Graph, accepting_cycles, leading_to};
use crate::formulas::text;
use crate::random::Random;
use faultline::analysis::liveness::automaton::Automaton;
use faultline::analysis::liveness::formula::Normal;
use faultline::analysis::liveness::parser::{Reading, parse_named};
use faultline::analysis::liveness::raw_program::{RawProgram, program_of};
use faultline::lang::model::EdgeId;
use faultline::lang::raw::replay::{Configuration, apply, is_in};
use faultline::lang::raw::{AtomTop, LoadedSystem, RawSystem, RawWeights, StateId, SymbolId, load};
use faultline::report::liveness::liveness_report;
use faultline::session::{Budgets, Job, LivenessQuestion, LivenessRefusal, LivenessSession};
use faultline::wire::liveness::{LassoEnding, LivenessReport, LivenessVerdict};
use faultline::wire::options::{Dialect, RequestedOptions};
use std::collections::HashMap;
use std::fmt::Write;

/// The highest stack, and the most nodes.
const HIGHEST: usize = 5;
const MOST_NODES: usize = 20_000;

fn system_of(source: &str) -> RawSystem {
    let dialect = Some(Dialect::Pds);
    let LoadedSystem { system, diagnostics, .. } =
        load(source, &RequestedOptions { dialect, ..RequestedOptions::default() });
    system.unwrap_or_else(|| panic!("{diagnostics:?}\n{source}"))
}

fn ask(raw: &RawProgram, question: &LivenessQuestion) -> Result<LivenessReport, LivenessRefusal> {
    let loaded = load("", &RequestedOptions::default());
    let budgets = Budgets { max_nodes: 3_000_000, max_steps: 40_000_000, ..Budgets::default() };
    let session = LivenessSession::of_raw(raw, &loaded.options, question, false, budgets, None)?;
    let mut session = session;
    session.run();
    Ok(liveness_report(&raw.program, &loaded.options, &session))
}

fn answer(source: &str, formula: &str) -> LivenessReport {
    let raw = program_of(&system_of(source)).unwrap();
    ask(&raw, &LivenessQuestion::Formula(formula.to_string())).unwrap()
}

/// A system as text: few states and symbols, in a third of them one variable.
fn random_system(random: &mut Random) -> String {
    let (states, symbols) = (1 + random.below(3), 1 + random.below(3));
    let relational = random.below(3) == 0;
    let mut out = String::new();
    if relational {
        out += "weights relation x {0..3}\n";
    }
    let state = |random: &mut Random| format!("p{}", random.below(states));
    let symbol = |random: &mut Random| ["a", "b", "c"][random.below(symbols) as usize];
    for _ in 0..2 + random.below(7) {
        let right = match random.below(5) {
            0 | 1 => String::new(),
            2 | 3 => format!(", {}", symbol(random)),
            _ => format!(", {} {}", symbol(random), symbol(random)),
        };
        let (from, top, to) = (state(random), symbol(random), state(random));
        let effect = match random.below(8) {
            _ if !relational => "",
            0 => "x > 0, x := x - 1",
            1 => "x := x + 1",
            2 => "x := *",
            3 => "x < 2 || x = 3, x := 2 * x - 1",
            4 => "!(x = 1)",
            _ => "",
        };
        let _ = writeln!(out, "<{from}, {top}> -> <{to}{right}> {effect}");
    }
    for _ in 0..1 + random.below(2) {
        let stack = match random.below(6) {
            0 => String::new(),
            1 => format!(", {} {}*", symbol(random), symbol(random)),
            2 => format!(", ({} | {} {})+", symbol(random), symbol(random), symbol(random)),
            _ => format!(", {}", symbol(random)),
        };
        let _ = writeln!(out, "initial <{}{stack}>", state(random));
    }
    let _ = writeln!(out, "target <p0>");
    for name in ["A", "B", "C"] {
        let mut head = || match random.below(5) {
            0 => format!("<{}>", state(random)),
            1 => format!("<{}, .>", state(random)),
            2 => format!("<., {}>", symbol(random)),
            _ => format!("<{}, {}>", state(random), symbol(random)),
        };
        let (one, other) = (head(), head());
        let _ = writeln!(out, "atom {name} = {one}, {other}");
    }
    out
}

struct Explicit {
    accepting: bool,
    complete: bool,
    /// By rule.
    violating: Vec<bool>,
}

/// The letter of a configuration: each atom by its heads, or as the condition on x that it is.
fn letter(system: &RawSystem, texts: &[String], at: &Configuration, x: u64) -> Vec<bool> {
    let holds = |text: &String| {
        let Some(atom) = system.atoms.iter().find(|atom| atom.name == *text) else {
            assert_eq!(text, "x > 1");
            return x > 1;
        };
        atom.heads.iter().any(|head| {
            let top = at.stack.last();
            let is_top = match head.top {
                AtomTop::Empty => top.is_none(),
                AtomTop::Any => top.is_some(),
                AtomTop::Symbol(symbol) => top == Some(&symbol),
            };
            is_top && head.state.is_none_or(|state| state == at.state)
        })
    };
    texts.iter().map(holds).collect()
}

/// Without an automaton all states accept, and runs that end do not count.
fn explore(system: &RawSystem, reading: &Reading, automaton: Option<&Automaton>) -> Explicit {
    let bits: Vec<u32> = match &system.weights {
        RawWeights::Relation(list) => list.iter().map(|one| one.bits).collect(),
        _ => Vec::new(),
    };
    let stores = if bits.is_empty() { 1 } else { 1 << bits[0] };
    let store = |x: u64| if bits.is_empty() { Vec::new() } else { vec![x] };
    type Node = (StateId, Vec<SymbolId>, u64, usize);
    let mut ids: HashMap<Node, usize> = HashMap::new();
    let mut nodes: Vec<Node> = Vec::new();
    let mut complete = true;
    let mut stacks = vec![Vec::new()];
    let mut last = stacks.clone();
    for _ in 0..=HIGHEST {
        let longer = last.iter().flat_map(|stack: &Vec<SymbolId>| {
            let symbols = (0..system.symbols.len() as u32).map(SymbolId);
            symbols.map(move |symbol| [stack.clone(), vec![symbol]].concat())
        });
        last = longer.collect();
        stacks.extend(last.clone());
    }
    for state in (0..system.states.len() as u32).map(StateId) {
        for stack in &stacks {
            if !is_in(&system.initial, &Configuration { state, stack: stack.clone() }) {
                continue;
            }
            if stack.len() > HIGHEST {
                complete = false;
                continue;
            }
            for x in 0..stores {
                let node = (state, stack.clone(), x, 0);
                ids.insert(node.clone(), nodes.len());
                nodes.push(node);
            }
        }
    }
    let mut next: Graph = Vec::new();
    while next.len() < nodes.len() {
        let (state, stack, x, q) = nodes[next.len()].clone();
        let at = Configuration { state, stack };
        let letter = letter(system, &reading.texts, &at, x);
        let allows = |guard: &faultline::analysis::liveness::automaton::Guard| {
            guard.iter().all(|(atom, value)| letter[*atom as usize] == *value)
        };
        let moves: Vec<usize> = match automaton {
            None => vec![0],
            Some(automaton) => {
                let all = automaton.states[q].moves.iter();
                all.filter(|m| allows(&m.guard)).map(|m| m.to).collect()
            }
        };
        let mut after: Vec<(Configuration, u64, Option<EdgeId>)> = Vec::new();
        let mut applies = false;
        for (k, rule) in (0u32..).zip(&system.rules) {
            let mut to = at.clone();
            if !apply(system, &mut to, k) {
                continue;
            }
            for y in 0..stores {
                if bits.is_empty() || rule.effect.relates(&bits, &store(x), &store(y)) {
                    applies = true;
                    if to.stack.len() > HIGHEST {
                        complete = false;
                    } else {
                        after.push((to.clone(), y, Some(EdgeId(k))));
                    }
                }
            }
        }
        if !applies && automaton.is_some() {
            after.push((at, x, None));
        }
        let mut out = Vec::new();
        for (to, y, rule) in after {
            for q in &moves {
                let node = (to.state, to.stack.clone(), y, *q);
                let id = *ids.entry(node.clone()).or_insert_with(|| {
                    nodes.push(node);
                    nodes.len() - 1
                });
                out.push((id, rule));
            }
        }
        next.push(out);
        if nodes.len() > MOST_NODES {
            complete = false;
            break;
        }
    }
    next.resize(nodes.len(), Vec::new());
    let accepts =
        |node: usize| automaton.is_none_or(|automaton| automaton.states[nodes[node].3].accepting);
    let recurring = accepting_cycles(next.clone(), &accepts, &[]);
    let accepting = !recurring.is_empty();
    let before = leading_to(&next, recurring);
    let mut violating = vec![false; system.rules.len()];
    for (to, rule) in next.iter().flatten() {
        if let Some(EdgeId(rule)) = rule.filter(|_| before.contains(to)) {
            violating[rule as usize] = true;
        }
    }
    Explicit { accepting, complete, violating }
}

#[test]
fn random_systems_agree_with_an_explicit_product() {
    let mut random = Random::new(8_9);
    let (mut compared, mut violated, mut grows, mut relational, mut ended) = (0, 0, 0, 0, 0);
    let mut exact = 0;
    for round in 0..400 {
        let source = random_system(&mut random);
        let system = system_of(&source);
        let raw = program_of(&system).unwrap();
        let is_relational = source.starts_with("weights");
        let atoms: &[&str] =
            if is_relational { &["A", "B", "C", "x > 1"] } else { &["A", "B", "C"] };
        let terminates = random.percent(15);
        let formula = text(&mut random, atoms);
        let reading = parse_named(&raw.program, &raw.atoms, &formula)
            .unwrap_or_else(|error| panic!("{formula}: {error:?}"));
        let automaton = Automaton::of(&reading.formula.normal(false)).unwrap();
        let (explicit, question) = match terminates {
            true => (explore(&system, &reading, None), LivenessQuestion::Termination),
            false => {
                let explicit = match automaton.states.is_empty() {
                    true => continue,
                    false => explore(&system, &reading, Some(&automaton)),
                };
                (explicit, LivenessQuestion::Formula(formula.clone()))
            }
        };
        let report = ask(&raw, &question).unwrap();
        let Explicit { accepting, complete, violating } = &explicit;
        let told = format!(
            "round {round}, {question:?}: accepting {accepting}, complete {complete}\n{source}\n\
             {report:?}"
        );
        assert_eq!(report.fault, None, "{told}");
        match report.verdict {
            LivenessVerdict::Unknown => panic!("{told}"),
            LivenessVerdict::Holds => {
                assert!(!accepting, "{told}");
                assert!(report.proof.is_some_and(|proof| proof.checked), "{told}");
            }
            LivenessVerdict::Violated => {
                assert!(*accepting || !complete, "{told}");
                let lasso = report.lasso.as_ref().unwrap();
                violated += 1;
                grows += u32::from(!lasso.grows.is_empty());
                ended += u32::from(lasso.ends != LassoEnding::Cycle);
                for statement in &report.statements {
                    let Some(rule) = violating.get(statement.edge as usize) else { continue };
                    assert!(statement.violating || !rule, "{statement:?}: {told}");
                    if *complete {
                        assert_eq!(statement.violating, *rule, "{statement:?}: {told}");
                        exact += 1;
                    }
                }
            }
        }
        compared += u32::from(*complete || *accepting);
        relational += u32::from(is_relational);
    }
    let counts = (compared, violated, grows, relational, ended, exact);
    assert!(compared >= 200 && violated >= 80 && grows >= 5, "{counts:?}");
    assert!(relational >= 60 && ended >= 20 && exact >= 100, "{counts:?}");
}

/// Each state of a run is one configuration: X tells the next rule's.
#[test]
fn next_is_the_next_configuration() {
    let source = "<p, a> -> <q, b a>\n<q, b> -> <q>\n<q, a> -> <r, c>\ninitial <p, a>\n\
                  target <r>\natom first = <p, .>\natom pushed = <q, b>\natom popped = <q, a>\n\
                  atom last = <r, c>\n";
    for (formula, holds) in [
        ("first && X (pushed && X (popped && X G last))", true),
        ("F first && F pushed && F popped && F last", true),
        ("X X pushed", false),
        ("X X X !last", false),
        ("G !last", false),
    ] {
        let report = answer(source, formula);
        let expected = if holds { LivenessVerdict::Holds } else { LivenessVerdict::Violated };
        assert_eq!(report.verdict, expected, "{formula}: {report:?}");
    }
    let lasso = answer(source, "G !last").lasso.unwrap();
    let rules: Vec<&str> = lasso.prefix.iter().map(|entry| entry.statement.as_str()).collect();
    let all = ["<p, a> -> <q, b a>", "<q, b> -> <q>", "<q, a> -> <r, c>", "no rule applies"];
    assert_eq!(rules, all);
    assert_eq!(lasso.ends, LassoEnding::Exit);
}

/// A stack that grows for ever is told by the rules that push.
#[test]
fn growth_is_told_by_rules() {
    let source = "<p, a> -> <p, a b>\n<p, b> -> <p>\ninitial <p, a>\ntarget <p>\n\
                  atom low = <p, b>\n";
    let lasso = answer(source, "G F low").lasso.unwrap();
    assert_eq!(lasso.cycle.len(), 1);
    let grown: Vec<&str> = lasso.grows.iter().map(|call| call.statement.as_str()).collect();
    assert_eq!(grown, ["<p, a> -> <p, a b>"]);
    assert_eq!(answer(source, "G !low").verdict, LivenessVerdict::Holds);
}

#[test]
fn what_is_no_atom_is_refused_with_the_names() {
    let source = "<p, a> -> <p, a>\ninitial <p, a>\ntarget <p>\natom here = <p, a>\n";
    let raw = program_of(&system_of(source)).unwrap();
    for (formula, said) in [
        ("G there", "there is no atom `there`; the system's atoms are `here`"),
        ("F at(1)", "`at` is about programs; the system's atoms are `here`"),
        ("G !fails", "`fails` is about programs; the system's atoms are `here`"),
    ] {
        let refused = ask(&raw, &LivenessQuestion::Formula(formula.to_string()));
        let Err(LivenessRefusal::Formula(error)) = refused else { panic!("{formula}") };
        assert_eq!(error.message, said);
    }
    let primed = "weights relation x {0..3}\n<p, a> -> <p, a> x' > x\ninitial <p, a>\ntarget <p>\n";
    let refused = program_of(&system_of(primed)).unwrap_err();
    assert!(refused.starts_with("line 2: ") && refused.contains("primed"), "{refused}");
}

#[test]
fn atoms_are_read_and_printed() {
    use faultline::lang::raw::text::print;
    let source = "weights boolean\n<p, a> -> <q, a a>\ninitial <p, a>\ntarget <q, .*>\n\
                  atom here = <p, a>, <q, .>, <., a>, <p>\n";
    let system = system_of(source);
    assert_eq!(print(&system).as_deref(), Some(source));
    let union = system_of(&format!("{source}atom here = <q>\n"));
    assert_eq!(union.atoms.len(), 1);
    assert_eq!(union.atoms[0].heads.len(), 5);
    for (line, place) in [
        ("atom = <p, a>", "expected a name"),
        ("atom fails = <p, a>", "`fails` cannot name an atom"),
        ("atom one <p, a>", "expected `=`"),
        ("atom one = <p, a b>", "expected `>`"),
        ("atom one = <p, a*>", "expected `>`"),
        ("atom one = <p, a> <q, a>", "behind the end"),
    ] {
        let loaded = load(
            &format!("{source}{line}\n"),
            &RequestedOptions { dialect: Some(Dialect::Pds), ..RequestedOptions::default() },
        );
        assert!(loaded.system.is_none(), "{line}");
        let message = &loaded.diagnostics[0].message;
        assert!(message.contains(place), "{line}: {message}");
    }
}

/// The normal form is not needed here, but its automaton must have been the negation's.
#[test]
fn the_automaton_of_a_safety_formula_has_one_absorbing_state() {
    let literal = |value| Normal::Literal(0, value);
    let eventually = Normal::Until(Box::new(Normal::True), Box::new(literal(true)));
    let automaton = Automaton::of(&eventually).unwrap();
    assert!(automaton.accepts_by_prefix());
    let always = Normal::Release(Box::new(Normal::False), Box::new(literal(false)));
    let automaton = Automaton::of(&always).unwrap();
    assert_eq!(automaton.absorbing(), None);
    // What holds whatever comes is one state, however it is written.
    let either = Normal::Or(Box::new(eventually), Box::new(always));
    let automaton = Automaton::of(&either).unwrap();
    assert!(automaton.absorbing().is_some(), "{automaton:?}");
}
