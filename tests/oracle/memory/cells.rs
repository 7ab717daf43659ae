//! Programs over whole objects: variables, an array, nodes on the heap, pointers to them and to
//! procedures.

use super::{Ends, INPUTS};
use crate::support::Random;

/// What comes before `main`.
pub const HEAD: &str = "struct node { int v; struct node *next; };
int __VERIFIER_nondet_int(void);
int up(int n) { return n + 1; }
int down(int n) { return n - 3; }
void swap(int **a, int **b) { int *t = *a; *a = *b; *b = t; }
void bump(int *p) { *p = *p + 2; }
";

/// An object with numbers: a variable, or an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Object {
    X,
    Y,
    Array,
}

const LENGTH: i32 = 3;

#[derive(Clone, Copy, Debug)]
enum Pointer {
    Invalid,
    Null,
    To(Object, i32),
}

#[derive(Clone, Copy, Debug)]
enum Link {
    Invalid,
    Null,
    To(usize),
}

struct Node {
    v: i8,
    next: Link,
    is_there: bool,
}

struct State {
    x: i8,
    y: i8,
    array: [i8; LENGTH as usize],
    /// `p` and `q`.
    pointers: [Pointer; 2],
    /// `l` and `m`.
    links: [Link; 2],
    nodes: Vec<Node>,
    is_up: bool,
    input: u32,
}

/// A number that is read.
#[derive(Clone, Copy)]
enum Value {
    Number(i8),
    X,
    Y,
    Element(i32),
    Followed(usize),
    OfNode(usize),
}

#[derive(Clone)]
enum Step {
    /// To `x`, `y`, an element, `*p`, or `l->v`.
    Set(Value, Value),
    Point(usize, Pointer),
    Copy(usize, usize),
    Walk(usize, i32),
    Swap,
    Bump(usize),
    Make(usize, i8, Option<usize>),
    Move(usize, usize),
    Follow(usize),
    Link(usize, usize),
    Clear(usize),
    Free(usize),
    Choose(bool),
    Call,
    If(u32, Vec<Step>, Vec<Step>),
}

type Run<T> = Result<T, ()>;

impl State {
    fn number(&mut self, pointer: Pointer) -> Run<&mut i8> {
        match pointer {
            Pointer::To(Object::X, 0) => Ok(&mut self.x),
            Pointer::To(Object::Y, 0) => Ok(&mut self.y),
            Pointer::To(Object::Array, at) => self.array.get_mut(at as usize).ok_or(()),
            _ => Err(()),
        }
    }

    fn node(&mut self, link: Link) -> Run<&mut Node> {
        match link {
            Link::To(at) if self.nodes[at].is_there => Ok(&mut self.nodes[at]),
            _ => Err(()),
        }
    }

    fn place(&mut self, value: Value) -> Run<&mut i8> {
        match value {
            Value::X => Ok(&mut self.x),
            Value::Y => Ok(&mut self.y),
            Value::Element(at) => Ok(&mut self.array[at as usize]),
            Value::Followed(which) => self.number(self.pointers[which]),
            Value::OfNode(which) => Ok(&mut self.node(self.links[which])?.v),
            Value::Number(_) => Err(()),
        }
    }

    fn read(&mut self, value: Value) -> Run<i8> {
        match value {
            Value::Number(n) => Ok(n),
            place => self.place(place).copied(),
        }
    }

    /// Is there a node that neither `l` nor `m` leads to?
    fn has_lost(&self) -> bool {
        let mut reached = vec![false; self.nodes.len()];
        let mut next: Vec<Link> = self.links.to_vec();
        while let Some(link) = next.pop() {
            if let Link::To(at) = link
                && self.nodes[at].is_there
                && !std::mem::replace(&mut reached[at], true)
            {
                next.push(self.nodes[at].next);
            }
        }
        self.nodes.iter().zip(reached).any(|(node, reached)| node.is_there && !reached)
    }

    fn step(&mut self, step: &Step) -> Run<()> {
        match step {
            Step::Set(place, value) => {
                let value = self.read(*value)?;
                *self.place(*place)? = value;
            }
            Step::Point(which, to) => self.pointers[*which] = *to,
            Step::Copy(which, from) => self.pointers[*which] = self.pointers[*from],
            Step::Walk(which, steps) => {
                let Pointer::To(object, at) = self.pointers[*which] else { return Err(()) };
                let length = if object == Object::Array { LENGTH } else { 1 };
                if !(0..=length).contains(&(at + steps)) {
                    return Err(());
                }
                self.pointers[*which] = Pointer::To(object, at + steps);
            }
            Step::Swap => self.pointers.swap(0, 1),
            Step::Bump(which) => {
                let number = self.number(self.pointers[*which])?;
                *number = number.wrapping_add(2);
            }
            Step::Make(which, v, next) => {
                let next = next.map_or(Link::Null, |from| self.links[from]);
                self.nodes.push(Node { v: *v, next, is_there: true });
                self.links[*which] = Link::To(self.nodes.len() - 1);
            }
            Step::Move(which, from) => self.links[*which] = self.links[*from],
            Step::Follow(which) => self.links[*which] = self.node(self.links[*which])?.next,
            Step::Link(which, to) => {
                let to = self.links[*to];
                self.node(self.links[*which])?.next = to;
            }
            Step::Clear(which) => self.links[*which] = Link::Null,
            Step::Free(which) => match self.links[*which] {
                Link::Null => {}
                link => self.node(link)?.is_there = false,
            },
            Step::Choose(up) => self.is_up = *up,
            Step::Call => self.x = self.x.wrapping_add(if self.is_up { 1 } else { -3 }),
            Step::If(value, then, otherwise) => {
                let branch = if self.input == *value { then } else { otherwise };
                branch.iter().try_for_each(|step| self.step(step))?;
            }
        }
        Ok(())
    }
}

const POINTERS: [&str; 2] = ["p", "q"];
const LINKS: [&str; 2] = ["l", "m"];

fn spelt(value: Value) -> String {
    match value {
        Value::Number(n) => n.to_string(),
        Value::X => "x".to_string(),
        Value::Y => "y".to_string(),
        Value::Element(at) => format!("a[{at}]"),
        Value::Followed(which) => format!("*{}", POINTERS[which]),
        Value::OfNode(which) => format!("{}->v", LINKS[which]),
    }
}

fn print(step: &Step, into: &mut String) {
    let line = match step {
        Step::Set(place, value) => format!("{} = {};", spelt(*place), spelt(*value)),
        Step::Point(which, to) => {
            let to = match to {
                Pointer::To(Object::X, _) => "&x".to_string(),
                Pointer::To(Object::Y, _) => "&y".to_string(),
                Pointer::To(Object::Array, at) => format!("&a[{at}]"),
                _ => "0".to_string(),
            };
            format!("{} = {to};", POINTERS[*which])
        }
        Step::Copy(which, from) => format!("{} = {};", POINTERS[*which], POINTERS[*from]),
        Step::Walk(which, 1) => format!("{}++;", POINTERS[*which]),
        Step::Walk(which, steps) => format!("{0} = {0} + ({steps});", POINTERS[*which]),
        Step::Swap => "swap(&p, &q);".to_string(),
        Step::Bump(which) => format!("bump({});", POINTERS[*which]),
        Step::Make(which, v, next) => {
            let next = next.map_or("0", |from| LINKS[from]);
            let l = LINKS[*which];
            format!(
                "{{ struct node *n = malloc(sizeof(struct node)); n->v = {v}; n->next = {next}; {l} = n; }}"
            )
        }
        Step::Move(which, from) => format!("{} = {};", LINKS[*which], LINKS[*from]),
        Step::Follow(which) => format!("{0} = {0}->next;", LINKS[*which]),
        Step::Link(which, to) => format!("{}->next = {};", LINKS[*which], LINKS[*to]),
        Step::Clear(which) => format!("{} = 0;", LINKS[*which]),
        Step::Free(which) => format!("free({});", LINKS[*which]),
        Step::Choose(up) => format!("f = {};", if *up { "up" } else { "down" }),
        Step::Call => "x = f(x);".to_string(),
        Step::If(value, then, otherwise) => {
            let mut text = format!("if (input == {value}) {{ ");
            then.iter().for_each(|step| print(step, &mut text));
            text.push_str("} else { ");
            otherwise.iter().for_each(|step| print(step, &mut text));
            text.push('}');
            text
        }
    };
    into.push_str("  ");
    into.push_str(&line);
    into.push('\n');
}

fn place(random: &mut Random) -> Value {
    match random.among(7) {
        0 => Value::X,
        1 => Value::Y,
        2 => Value::Element(random.among(LENGTH as u32) as i32),
        3 | 4 => Value::Followed(random.among(2) as usize),
        _ => Value::OfNode(random.among(2) as usize),
    }
}

/// One step. `left` counts the nodes that may still be made: no run needs more than the model has.
fn step(random: &mut Random, left: &mut u32, depth: u32) -> Step {
    let (one, other) = (random.among(2) as usize, random.among(2) as usize);
    match random.among(19) {
        0..=3 => {
            let value = match random.flip() {
                true => place(random),
                false => Value::Number(random.among(9) as i8),
            };
            Step::Set(place(random), value)
        }
        4 | 5 => Step::Point(
            one,
            match random.among(12) {
                0..=3 => Pointer::To(Object::X, 0),
                4..=6 => Pointer::To(Object::Y, 0),
                7..=10 => Pointer::To(Object::Array, random.among(LENGTH as u32) as i32),
                _ => Pointer::Null,
            },
        ),
        6 => Step::Copy(one, other),
        7 => Step::Walk(one, if random.percent(70) { 1 } else { -1 }),
        8 => Step::Swap,
        9 => Step::Bump(one),
        10 | 11 if *left > 0 => {
            *left -= 1;
            Step::Make(one, random.among(9) as i8, random.flip().then_some(other))
        }
        12 => Step::Move(one, other),
        13 => Step::Follow(one),
        14 => Step::Link(one, other),
        15 if random.percent(30) => Step::Free(one),
        15 => Step::Clear(one),
        16 => Step::Choose(random.flip()),
        17 if depth == 0 => {
            let value = random.among(INPUTS);
            let mut part = |count: u32| (0..count).map(|_| step(random, left, 1)).collect();
            let (then, otherwise) = (part(2), part(1));
            Step::If(value, then, otherwise)
        }
        _ => Step::Call,
    }
}

/// A random program, and how it ends for each input.
pub fn program(random: &mut Random) -> (String, Vec<Ends>) {
    let (source, ends) = main(random, Kind::Any);
    (format!("{HEAD}{source}"), ends)
}

/// What a program is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Any,
    /// Each pointer has a value: no compiler tells whether it has.
    Given,
    /// `l` and `m` are globals, and a node that is lost is an error.
    Lost,
}

/// The procedure `main` of a random program of a kind, and how it ends for each input.
pub fn main(random: &mut Random, kind: Kind) -> (String, Vec<Ends>) {
    let mut left = 2;
    let mut steps = vec![
        Step::Make(0, 1, None),
        Step::Point(0, Pointer::To(Object::Array, 0)),
        Step::Point(1, Pointer::To(Object::Y, 0)),
        Step::Move(1, 0),
    ];
    // Sometimes a pointer has no value at first.
    if random.percent(15) && kind == Kind::Any {
        steps.remove(1 + random.among(3) as usize);
    }
    for _ in 0..2 + random.among(7) {
        steps.push(step(random, &mut left, 0));
    }
    let asked = place(random);
    let mut source = String::new();
    if kind == Kind::Lost {
        source.push_str("struct node *l, *m;\n");
    }
    source.push_str("int main(void) {\n  int x = 1, y = 2, a[3] = {3, 4, 5}, *p, *q, input;\n");
    source.push_str("  int (*f)(int) = up;\n");
    if kind != Kind::Lost {
        source.push_str("  struct node *l, *m;\n");
    }
    source.push_str("  input = __VERIFIER_nondet_int();\n");
    source.push_str("  if (input < 0 || input > 3) return 0;\n");
    steps.iter().for_each(|step| print(step, &mut source));
    let mut expected = None;
    let mut ends = Vec::new();
    for input in 0..INPUTS {
        let mut state = State {
            x: 1,
            y: 2,
            array: [3, 4, 5],
            pointers: [Pointer::Invalid; 2],
            links: [Link::Invalid; 2],
            nodes: Vec::new(),
            is_up: true,
            input,
        };
        let run = steps.iter().try_for_each(|step| state.step(step));
        let value = run.and_then(|()| state.read(asked));
        if let (None, Ok(value)) = (expected, value) {
            // Sometimes what is asked for is wrong.
            let off = if random.percent(25) { 1 } else { 0 };
            expected = Some(value.wrapping_add(off));
        }
        let lost = kind == Kind::Lost && state.has_lost();
        ends.push(match value {
            Ok(value) if Some(value) == expected && !lost => Ends::Well,
            _ => Ends::Fails,
        });
    }
    let wanted = expected.unwrap_or(0);
    source.push_str(&format!("  assert({} == {wanted});\n  return 0;\n}}\n", spelt(asked)));
    (source, ends)
}
