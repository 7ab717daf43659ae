//! Programs that build and walk lists of any length, on a heap that is too small for most of them:
//! what is proved of all lists is compared with runs on real ones.

use super::judged_with;
use crate::support::Random;
use faultline::session::{Outcome, Session};
use faultline::wire::cegar::Decider;
use std::fmt::Write;

/// The pointers of a program.
const NAMES: [&str; 4] = ["head", "tail", "p", "q"];
/// Decisions of a run by its input, at most: then each is 0.
const DECISIONS: u32 = 8;
/// Steps of a run, at most.
const STEPS: u32 = 300;

/// A number that is read.
#[derive(Clone, Copy)]
enum Value {
    Number(i8),
    Flag,
    Of(usize),
}

#[derive(Clone, Copy)]
enum Test {
    Input,
    Flag,
    IsNode(usize),
    Same(usize, usize),
    Has(usize, i8),
}

#[derive(Clone)]
enum Step {
    /// A new node, with a value and what follows it.
    Make(usize, Value, Option<usize>),
    Move(usize, usize),
    Clear(usize),
    /// `p = q->next`
    Follow(usize, usize),
    /// `p->next = q`
    Link(usize, usize),
    /// `p->v = …`
    Set(usize, Value),
    SetFlag(Value),
    Free(usize),
    If(Test, Vec<Step>, Vec<Step>),
    While(Test, Vec<Step>),
    Assert(Test),
}

fn value(value: Value) -> String {
    match value {
        Value::Number(n) => n.to_string(),
        Value::Flag => "flag".to_string(),
        Value::Of(at) => format!("{}->v", NAMES[at]),
    }
}

fn test(test: Test) -> String {
    match test {
        Test::Input => "nondet()".to_string(),
        Test::Flag => "flag".to_string(),
        Test::IsNode(at) => NAMES[at].to_string(),
        Test::Same(one, other) => format!("{} == {}", NAMES[one], NAMES[other]),
        Test::Has(at, n) => format!("{}->v == {n}", NAMES[at]),
    }
}

fn write(steps: &[Step], indent: usize, out: &mut String) {
    let pad = "  ".repeat(indent);
    for step in steps {
        match step {
            Step::Make(at, v, next) => {
                let (name, v) = (NAMES[*at], value(*v));
                let next = next.map_or("0", |next| NAMES[next]);
                let _ = writeln!(
                    out,
                    "{pad}{{ struct node *t = malloc(sizeof(struct node)); t->v = {v}; t->next = \
                     {next}; {name} = t; }}"
                );
            }
            Step::Move(to, from) => {
                let _ = writeln!(out, "{pad}{} = {};", NAMES[*to], NAMES[*from]);
            }
            Step::Clear(at) => {
                let _ = writeln!(out, "{pad}{} = 0;", NAMES[*at]);
            }
            Step::Follow(to, from) => {
                let _ = writeln!(out, "{pad}{} = {}->next;", NAMES[*to], NAMES[*from]);
            }
            Step::Link(at, to) => {
                let _ = writeln!(out, "{pad}{}->next = {};", NAMES[*at], NAMES[*to]);
            }
            Step::Set(at, v) => {
                let _ = writeln!(out, "{pad}{}->v = {};", NAMES[*at], value(*v));
            }
            Step::SetFlag(v) => {
                let _ = writeln!(out, "{pad}flag = {};", value(*v));
            }
            Step::Free(at) => {
                let _ = writeln!(out, "{pad}free({});", NAMES[*at]);
            }
            Step::Assert(condition) => {
                let _ = writeln!(out, "{pad}assert({});", test(*condition));
            }
            Step::If(condition, then, otherwise) => {
                let _ = writeln!(out, "{pad}if ({}) {{", test(*condition));
                write(then, indent + 1, out);
                let _ = writeln!(out, "{pad}}} else {{");
                write(otherwise, indent + 1, out);
                let _ = writeln!(out, "{pad}}}");
            }
            Step::While(condition, body) => {
                let _ = writeln!(out, "{pad}while ({}) {{", test(*condition));
                write(body, indent + 1, out);
                let _ = writeln!(out, "{pad}}}");
            }
        }
    }
}

struct Node {
    v: i8,
    next: Option<usize>,
    is_there: bool,
}

/// A run that ends: it fails, or it takes too many steps here.
enum End {
    Fails,
    Long,
}

/// A heap without a bound.
#[derive(Default)]
struct State {
    pointers: [Option<usize>; 4],
    nodes: Vec<Node>,
    flag: i8,
    input: u32,
    steps: u32,
}

impl State {
    fn node(&mut self, at: usize) -> Result<&mut Node, End> {
        let node = self.pointers[at].map(|at| &mut self.nodes[at]);
        node.filter(|node| node.is_there).ok_or(End::Fails)
    }

    fn value(&mut self, value: Value) -> Result<i8, End> {
        match value {
            Value::Number(n) => Ok(n),
            Value::Flag => Ok(self.flag),
            Value::Of(at) => Ok(self.node(at)?.v),
        }
    }

    fn holds(&mut self, test: Test) -> Result<bool, End> {
        Ok(match test {
            Test::Input => {
                let decision = self.input & 1 == 1;
                self.input >>= 1;
                decision
            }
            Test::Flag => self.flag != 0,
            Test::IsNode(at) => self.pointers[at].is_some(),
            Test::Same(one, other) => self.pointers[one] == self.pointers[other],
            Test::Has(at, n) => self.node(at)?.v == n,
        })
    }

    fn run(&mut self, steps: &[Step]) -> Result<(), End> {
        for step in steps {
            self.steps += 1;
            if self.steps > STEPS {
                return Err(End::Long);
            }
            match step {
                Step::Make(at, v, next) => {
                    let v = self.value(*v)?;
                    let next = next.and_then(|next| self.pointers[next]);
                    self.nodes.push(Node { v, next, is_there: true });
                    self.pointers[*at] = Some(self.nodes.len() - 1);
                }
                Step::Move(to, from) => self.pointers[*to] = self.pointers[*from],
                Step::Clear(at) => self.pointers[*at] = None,
                Step::Follow(to, from) => self.pointers[*to] = self.node(*from)?.next,
                Step::Link(at, to) => {
                    let to = self.pointers[*to];
                    self.node(*at)?.next = to;
                }
                Step::Set(at, v) => {
                    let v = self.value(*v)?;
                    self.node(*at)?.v = v;
                }
                Step::SetFlag(v) => self.flag = self.value(*v)?,
                Step::Free(at) => {
                    if self.pointers[*at].is_some() {
                        self.node(*at)?.is_there = false;
                    }
                }
                Step::Assert(condition) => {
                    if !self.holds(*condition)? {
                        return Err(End::Fails);
                    }
                }
                Step::If(condition, then, otherwise) => {
                    let holds = self.holds(*condition)?;
                    self.run(if holds { then } else { otherwise })?;
                }
                Step::While(condition, body) => {
                    while self.holds(*condition)? {
                        self.run(body)?;
                        self.steps += 1;
                        if self.steps > STEPS {
                            return Err(End::Long);
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

fn some_value(random: &mut Random) -> Value {
    match random.among(5) {
        0 => Value::Flag,
        n => Value::Number(n as i8 % 3),
    }
}

/// Statements that work on the pointers from `first` on.
fn some_steps(random: &mut Random, depth: u32) -> Vec<Step> {
    (0..=random.among(3)).map(|_| some_step(random, depth)).collect()
}

fn some_step(random: &mut Random, depth: u32) -> Step {
    let mut any = || random.among(4) as usize;
    let (one, other) = (any(), any());
    // Most pointers are tested before they are followed.
    let guarded = |random: &mut Random, at: usize, step: Step| match random.percent(85) {
        true => Step::If(Test::IsNode(at), vec![step], Vec::new()),
        false => step,
    };
    match random.among(16) {
        0..=2 => {
            let next = random.percent(80).then_some(other);
            Step::Make(one, some_value(random), next)
        }
        3..=5 => Step::Move(one, other),
        6 => Step::Clear(one),
        7 | 8 => guarded(random, other, Step::Follow(one, other)),
        9 => guarded(random, one, Step::Link(one, other)),
        10 => {
            let v = some_value(random);
            guarded(random, one, Step::Set(one, v))
        }
        11 => match random.percent(30) {
            true => {
                let read = Step::SetFlag(Value::Of(one));
                guarded(random, one, read)
            }
            false => Step::SetFlag(some_value(random)),
        },
        12 if random.percent(25) => Step::Free(one),
        _ if depth > 1 => Step::Move(one, other),
        12 | 13 => {
            let test = match random.among(4) {
                0 => Test::Flag,
                1 => Test::Same(one, other),
                2 => Test::IsNode(one),
                _ => Test::Input,
            };
            let then = some_steps(random, depth + 1);
            Step::If(test, then, some_steps(random, depth + 1))
        }
        _ => walk(random, one, depth),
    }
}

/// Walks a list from a pointer on, and does something with each node.
fn walk(random: &mut Random, from: usize, depth: u32) -> Step {
    let p = 2 + random.among(2) as usize;
    let mut body = Vec::new();
    match random.among(4) {
        0 => body.push(Step::Assert(Test::Has(p, random.among(3) as i8))),
        1 => body.push(Step::Set(p, some_value(random))),
        2 => {
            let n = random.among(3) as i8;
            body.push(Step::If(Test::Has(p, n), Vec::new(), some_steps(random, depth + 1)));
        }
        _ => {}
    }
    body.push(Step::Follow(p, p));
    let walk = Step::While(Test::IsNode(p), body);
    Step::If(Test::Input, vec![Step::Move(p, from), walk], Vec::new())
}

/// A program with its text.
fn program(random: &mut Random) -> (String, Vec<Step>) {
    let mut steps = some_steps(random, 1);
    let value = some_value(random);
    let mut made = vec![Step::Make(2, value, random.flip().then_some(0))];
    made.push(Step::Move(0, 2));
    made.extend(some_steps(random, 1));
    steps.push(Step::While(Test::Input, made));
    steps.extend(some_steps(random, 0));
    let n = random.among(3) as i8;
    let check = match random.among(4) {
        0 => Test::IsNode(1),
        1 => Test::Same(0, 1),
        _ => Test::Has(2, n),
    };
    steps.push(Step::Move(2, 0));
    let checks = vec![Step::Assert(check), Step::Follow(2, 2)];
    steps.push(Step::While(Test::IsNode(2), checks));
    let mut text = "#include <assert.h>\n#include <stdlib.h>\n\
                    struct node { int v; struct node *next; };\nint nondet(void);\n\
                    int main(void) {\n  struct node *head = 0, *tail = 0, *p = 0, *q = 0;\n  \
                    int flag = 0;\n"
        .to_string();
    write(&steps, 1, &mut text);
    text.push_str("  return 0;\n}\n");
    (text, steps)
}

/// Does a run fail that takes few decisions?
fn fails(steps: &[Step]) -> bool {
    (0..1 << DECISIONS).any(|input| {
        let mut state = State { input, ..State::default() };
        matches!(state.run(steps), Err(End::Fails))
    })
}

fn decided_by_summary(session: &Session) -> bool {
    let decided = session.refined().and_then(|refined| refined.decided);
    decided.is_some_and(|decision| decision.by == Decider::Summary)
}

#[test]
fn what_is_proved_of_lists_of_any_length() {
    let (mut proved, mut failing) = (0, 0);
    for seed in 0..350 {
        let (text, steps) = program(&mut Random::new(0xE1D + seed));
        let session = judged_with(&text, 16, 1);
        match session.outcome() {
            Outcome::Safe => {
                assert!(!fails(&steps), "seed {seed}: safe, but a run fails\n{text}");
                proved += u32::from(decided_by_summary(&session));
            }
            Outcome::Unsafe => failing += 1,
            Outcome::Unknown(_) => {}
            Outcome::Fault => panic!("seed {seed}: {:?}\n{text}", session.fault()),
        }
    }
    println!("{proved} proved, {failing} fail");
    assert!(proved >= 40 && failing >= 100, "{proved} proved, {failing} fail");
}
