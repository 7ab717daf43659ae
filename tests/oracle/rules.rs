//! Random programs with random rules, against an interpreter with an explicit monitor: aliases,
//! several objects, procedures that call themselves, results that are any value. The interpreter
//! takes every choice, and runs the automaton of each object on the events.

use crate::support::Random;
use faultline::session::{Budgets, Job, Outcome, Session, Task};
use faultline::wire::options::{Dialect, RequestedOptions, RuleText};
use std::fmt::Write;

const PROGRAMS: u64 = 400;
/// Objects `a`, `b`, `c`.
const OBJECTS: usize = 3;
const EVENTS: [&str; 3] = ["lock", "unlock", "test"];
const STATES: usize = 3;
/// How often a procedure calls itself.
const DEPTH: u32 = 2;
/// Runs of a program that is tried.
const MOST_RUNS: usize = 2000;
const MOST_COUNT: i64 = 40;

/// An address: of an object, or what a pointer holds (`p`, `q`, `x`).
#[derive(Clone, Copy)]
enum Place {
    Object(usize),
    Pointer(usize),
}

enum Step {
    /// The event, and whether the procedure is called through another one.
    Event(usize, Place, bool),
    /// `p = …`, `q = …`
    Move(usize, Place),
    Maybe(Vec<Step>),
    /// `f(…, n - 1)` if `n` is not 0.
    Recurse(Place),
}

#[derive(Clone, Copy, PartialEq)]
enum Ending {
    Stay,
    State(usize),
    Error,
    Stop,
}

struct Transition {
    state: usize,
    /// The index of an event; behind them the end of the program.
    event: usize,
    /// Of `test`: what its result must be; then the event is the return.
    result: Option<bool>,
    /// The counter must be above this.
    above: Option<i64>,
    adds: i64,
    ending: Ending,
}

struct Rule {
    for_each: bool,
    transitions: Vec<Transition>,
}

struct Program {
    main: Vec<Step>,
    f: Vec<Step>,
}

fn place(random: &mut Random, pointers: u64) -> Place {
    match random.flip() {
        true => Place::Object(random.below(OBJECTS as u64) as usize),
        false => Place::Pointer(random.below(pointers) as usize),
    }
}

fn steps(random: &mut Random, length: u64, deep: u32, in_f: bool) -> Vec<Step> {
    let pointers = if in_f { 3 } else { 2 };
    let step = |random: &mut Random| match random.below(10) {
        0 => Step::Move(random.below(2) as usize, place(random, pointers)),
        1 if deep > 0 => Step::Maybe(steps(random, 2, deep - 1, in_f)),
        2 => Step::Recurse(place(random, pointers)),
        _ => Step::Event(random.below(3) as usize, place(random, pointers), random.percent(20)),
    };
    (0..=random.below(length)).map(|_| step(random)).collect()
}

fn rule(random: &mut Random) -> Rule {
    let transition = |random: &mut Random| {
        let event = random.below(4) as usize;
        let ending = match random.below(8) {
            0 => Ending::Stay,
            1 | 4 => Ending::Error,
            2 if random.percent(30) => Ending::Stop,
            3 if event == 3 => Ending::Error,
            _ => Ending::State(random.below(STATES as u64) as usize),
        };
        Transition {
            state: (random.below(4) as usize).min(STATES) % STATES,
            event,
            result: (event == 2 && random.percent(70)).then(|| random.flip()),
            above: random.percent(20).then(|| random.below(2) as i64),
            adds: [0, 0, 0, 1, 1, -1][random.below(6) as usize],
            ending,
        }
    };
    let count = 4 + random.below(7);
    Rule {
        for_each: random.percent(70),
        transitions: (0..count).map(|_| transition(random)).collect(),
    }
}

fn spelt_place(place: Place) -> String {
    match place {
        Place::Object(k) => format!("&{}", ["a", "b", "c"][k]),
        Place::Pointer(k) => ["p", "q", "x"][k].to_string(),
    }
}

fn spell(list: &[Step], in_f: bool, text: &mut String) {
    for step in list {
        match step {
            Step::Event(event, place, through) => {
                let name = EVENTS[*event];
                let through = if *through { "through_" } else { "" };
                let _ = write!(text, "{through}{name}({}); ", spelt_place(*place));
            }
            Step::Move(k, place) => {
                let _ = write!(text, "{} = {}; ", ["p", "q"][*k], spelt_place(*place));
            }
            Step::Maybe(list) => {
                text.push_str("if (choose()) { ");
                spell(list, in_f, text);
                text.push_str("} ");
            }
            Step::Recurse(place) => {
                let place = spelt_place(*place);
                let _ = match in_f {
                    true => write!(text, "if (n > 0) f({place}, n - 1); "),
                    false => write!(text, "f({place}, {DEPTH}); "),
                };
            }
        }
    }
}

fn spelt(program: &Program) -> String {
    let mut text = String::from(
        "int choose(void);\nstruct lock { int unused; };\nstruct lock a, b, c;\n\
         struct lock *p = &a, *q = &b;\nvoid lock(struct lock *m);\nvoid unlock(struct lock *m) { }\n\
         int test(struct lock *m);\nvoid through_lock(struct lock *m) { lock(m); }\n\
         void through_unlock(struct lock *m) { unlock(m); }\n\
         void through_test(struct lock *m) { if (test(m)) { } }\n",
    );
    text.push_str("void f(struct lock *x, int n) { ");
    spell(&program.f, true, &mut text);
    text.push_str("}\nint main(void) { ");
    spell(&program.main, false, &mut text);
    text.push_str("return 0; }\n");
    text
}

fn spelt_rule(rule: &Rule) -> String {
    let object = if rule.for_each { " for m" } else { "" };
    let mut text = format!("rule \"random\"{object}\n  start s0\n  state s1\n  state s2\n");
    for t in &rule.transitions {
        let argument = if rule.for_each { "m" } else { "_" };
        let event = match (t.event, t.result) {
            (3, _) => "at exit".to_string(),
            (event, None) => format!("{}({argument})", EVENTS[event]),
            (event, Some(_)) => format!("r = {}({argument})", EVENTS[event]),
        };
        let mut parts = Vec::new();
        parts.extend(t.result.map(|yes| if yes { "r != 0" } else { "r == 0" }.to_string()));
        parts.extend(t.above.map(|n| format!("n > {n}")));
        let condition = match parts.is_empty() {
            true => String::new(),
            false => format!(" if {}", parts.join(" && ")),
        };
        let (sign, by) = if t.adds < 0 { ("-", -t.adds) } else { ("+", t.adds) };
        let mut outcome = vec![format!("n = n {sign} {by} up to {MOST_COUNT}")];
        match t.ending {
            Ending::Stay => {}
            Ending::State(k) => outcome.push(format!("s{k}")),
            Ending::Error => outcome.push("error \"broken\"".into()),
            Ending::Stop => outcome.push("stop".into()),
        }
        let _ = writeln!(text, "  s{}: {event}{condition} -> {}", t.state, outcome.join(", "));
    }
    text
}

/// An event of a run: which, of which object, and whether the result is not 0.
type Event = (usize, usize, bool);

/// A run with these choices.
struct Run<'p> {
    program: &'p Program,
    choices: Vec<bool>,
    used: usize,
    /// Were there too few choices?
    open: bool,
    pointers: [usize; 2],
    events: Vec<Event>,
}

impl Run<'_> {
    fn choose(&mut self) -> bool {
        let choice = self.choices.get(self.used).copied();
        self.used += 1;
        self.open |= choice.is_none();
        choice.unwrap_or(false)
    }

    fn at(&self, place: Place, x: usize) -> usize {
        match place {
            Place::Object(k) => k,
            Place::Pointer(2) => x,
            Place::Pointer(k) => self.pointers[k],
        }
    }

    fn steps(&mut self, list: &[Step], x: usize, n: u32, in_f: bool) {
        for step in list {
            if self.open {
                return;
            }
            match step {
                Step::Event(event, place, _) => {
                    let object = self.at(*place, x);
                    let result = *event == 2 && self.choose();
                    self.events.push((*event, object, result));
                }
                Step::Move(k, place) => self.pointers[*k] = self.at(*place, x),
                Step::Maybe(inner) => {
                    if self.choose() {
                        self.steps(inner, x, n, in_f);
                    }
                }
                Step::Recurse(place) => {
                    let x = self.at(*place, x);
                    let program = self.program;
                    if !in_f {
                        self.steps(&program.f, x, DEPTH, true);
                    } else if n > 0 {
                        self.steps(&program.f, x, n - 1, true);
                    }
                }
            }
        }
    }
}

/// The automaton of one object: its state and its counter.
struct Automaton<'r> {
    rule: &'r Rule,
    state: usize,
    count: i64,
    /// Was there an event about its object?
    is_there: bool,
}

impl Automaton<'_> {
    /// Takes the first transition that fits: before the call (`result` is none) or after it.
    fn step(&mut self, event: usize, result: Option<bool>) -> Ending {
        let fits = |t: &&Transition| {
            t.state == self.state
                && t.event == event
                && t.result.is_some() == result.is_some()
                && (t.result.is_none() || t.result == result)
                && t.above.is_none_or(|n| self.count > n)
        };
        let Some(taken) = self.rule.transitions.iter().find(fits) else { return Ending::Stay };
        self.count += taken.adds;
        if let Ending::State(to) = taken.ending {
            self.state = to;
        }
        taken.ending
    }
}

/// Do these events break the rule, before it says that the run does not count?
fn is_broken(rule: &Rule, events: &[Event]) -> bool {
    let count = if rule.for_each { OBJECTS } else { 1 };
    let mut automata: Vec<Automaton<'_>> = (0..count)
        .map(|_| Automaton { rule, state: 0, count: 0, is_there: !rule.for_each })
        .collect();
    for (event, object, result) in events {
        let of = if rule.for_each { *object } else { 0 };
        // Events that the rule does not name are not about anything.
        automata[of].is_there |= rule.transitions.iter().any(|t| t.event == *event);
        for result in [None, Some(*result)] {
            match automata[of].step(*event, result) {
                Ending::Error => return true,
                Ending::Stop => return false,
                Ending::Stay | Ending::State(_) => {}
            }
        }
    }
    // At the end every automaton takes its step; one that stops takes the whole run away.
    let ends: Vec<Ending> =
        automata.iter_mut().filter(|one| one.is_there).map(|one| one.step(3, None)).collect();
    !ends.contains(&Ending::Stop) && ends.contains(&Ending::Error)
}

/// Does some run break the rule for some object? `None` if there are too many runs.
fn fails(program: &Program, rule: &Rule) -> Option<bool> {
    let mut waiting = vec![Vec::new()];
    let mut count = 0;
    while let Some(choices) = waiting.pop() {
        count += 1;
        if count > MOST_RUNS {
            return None;
        }
        let (used, open, events) = (0, false, Vec::new());
        let mut run =
            Run { program, choices: choices.clone(), used, open, pointers: [0, 1], events };
        run.steps(&program.main, 0, 0, false);
        if run.open {
            waiting.extend([false, true].map(|next| [&choices[..], &[next]].concat()));
            continue;
        }
        if is_broken(rule, &run.events) {
            return Some(true);
        }
    }
    Some(false)
}

#[test]
fn verdicts_are_those_of_an_explicit_monitor() {
    let (mut wrong, mut counts) = (Vec::new(), [0u32; 3]);
    for seed in 0..PROGRAMS {
        let random = &mut Random::new(seed * 7919 + 5);
        let program = Program { main: steps(random, 6, 2, false), f: steps(random, 3, 1, true) };
        let rule = rule(random);
        let Some(expected) = fails(&program, &rule) else { continue };
        let (source, text) = (spelt(&program), spelt_rule(&rule));
        let requested = RequestedOptions {
            dialect: Some(Dialect::C),
            rules: vec![RuleText { name: "random".into(), text: Some(text.clone()) }],
            ..RequestedOptions::default()
        };
        let (mut session, found) = Session::load(&source, &requested);
        assert!(session.program().is_some(), "{found:?}\n{source}\n{text}");
        session.start(Task::Check, Budgets::default());
        session.run();
        let found = match session.outcome() {
            Outcome::Safe => Some(false),
            Outcome::Unsafe => Some(true),
            Outcome::Unknown(_) => None,
            Outcome::Fault => panic!("the engine contradicts itself:\n{text}{source}"),
        };
        match found {
            Some(found) if found == expected => counts[usize::from(found)] += 1,
            Some(_) => wrong.push(format!("expected {expected}:\n{text}{source}")),
            None => counts[2] += 1,
        }
    }
    assert!(wrong.is_empty(), "{} wrong, the first:\n{}", wrong.len(), wrong[0]);
    let [safe, failing, open] = counts;
    assert!(safe >= 100 && failing >= 80 && open <= 3, "{counts:?}");
}
