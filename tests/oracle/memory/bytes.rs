//! Programs over bytes: a union, a struct with members of several sizes, and pointers to parts of
//! both. The evaluator keeps each object as its bytes, the least significant first.

use super::{Ends, INPUTS};
use crate::support::Random;

const HEAD: &str = "union U { unsigned u; unsigned char b[4]; unsigned short h[2]; };
struct S { unsigned char c; unsigned n; unsigned short s[2]; };
int __VERIFIER_nondet_int(void);
void set(unsigned char *to) { *to = 9; }
";

/// The bytes of `u` and of `s`, and those of `x`.
const SIZES: [usize; 3] = [4, 12, 4];

/// A part of an object: its name, the object, its first byte and its size.
type Part = (&'static str, usize, usize, usize);

const PARTS: [Part; 12] = [
    ("u.u", 0, 0, 4),
    ("u.b[0]", 0, 0, 1),
    ("u.b[3]", 0, 3, 1),
    ("u.h[1]", 0, 2, 2),
    ("s.c", 1, 0, 1),
    ("s.n", 1, 4, 4),
    ("s.s[0]", 1, 8, 2),
    ("s.s[1]", 1, 10, 2),
    ("x", 2, 0, 4),
    ("u.h[0]", 0, 0, 2),
    ("u.b[1]", 0, 1, 1),
    ("u.b[2]", 0, 2, 1),
];

/// Where a pointer to characters may be set to.
const STARTS: [(&str, usize, usize); 6] = [
    ("u.b", 0, 0),
    ("(unsigned char *)&u.h[1]", 0, 2),
    ("(unsigned char *)&s", 1, 0),
    ("(unsigned char *)&s.n", 1, 4),
    ("(unsigned char *)s.s", 1, 8),
    ("(unsigned char *)&x", 2, 0),
];

/// Where a pointer to unsigned numbers may be set to.
const NUMBERS: [(&str, usize, usize); 3] = [("&u.u", 0, 0), ("&s.n", 1, 4), ("&x", 2, 0)];

#[derive(Clone)]
enum Step {
    Set(Part, u32),
    Copy(Part, Part),
    Start(usize),
    Walk(usize),
    /// Through the pointer to characters.
    Write(u8),
    Read(Part),
    Pass,
    Aim(usize),
    /// Through the pointer to unsigned numbers.
    Store(u32),
    Load,
    If(u32, Vec<Step>),
}

struct State {
    bytes: [Vec<u8>; 3],
    /// Object and byte.
    character: (usize, usize),
    number: (usize, usize),
    input: u32,
}

impl State {
    fn read(&self, object: usize, first: usize, size: usize) -> u32 {
        let bytes = &self.bytes[object][first..first + size];
        bytes.iter().rev().fold(0, |sum, byte| sum << 8 | u32::from(*byte))
    }

    fn write(&mut self, object: usize, first: usize, size: usize, value: u32) {
        for (k, byte) in self.bytes[object][first..first + size].iter_mut().enumerate() {
            *byte = (value >> (8 * k)) as u8;
        }
    }

    fn at(&mut self) -> Result<&mut u8, ()> {
        let (object, at) = self.character;
        self.bytes[object].get_mut(at).ok_or(())
    }

    fn step(&mut self, step: &Step) -> Result<(), ()> {
        match step {
            Step::Set((_, object, first, size), value) => {
                self.write(*object, *first, *size, *value);
            }
            Step::Copy(to, from) => {
                let value = self.read(from.1, from.2, from.3);
                self.write(to.1, to.2, to.3, value);
            }
            Step::Start(which) => self.character = (STARTS[*which].1, STARTS[*which].2),
            Step::Walk(steps) => {
                let (object, at) = self.character;
                if at + steps > SIZES[object] {
                    return Err(());
                }
                self.character.1 += steps;
            }
            Step::Write(value) => *self.at()? = *value,
            Step::Read(to) => {
                let value = u32::from(*self.at()?);
                self.write(to.1, to.2, to.3, value);
            }
            Step::Pass => *self.at()? = 9,
            Step::Aim(which) => self.number = (NUMBERS[*which].1, NUMBERS[*which].2),
            Step::Store(value) => self.write(self.number.0, self.number.1, 4, *value),
            Step::Load => {
                let value = self.read(self.number.0, self.number.1, 4);
                self.write(2, 0, 4, value);
            }
            Step::If(value, then) => {
                if self.input == *value {
                    then.iter().try_for_each(|step| self.step(step))?;
                }
            }
        }
        Ok(())
    }
}

fn print(step: &Step, into: &mut String) {
    let line = match step {
        Step::Set(part, value) => format!("{} = {value}u;", part.0),
        Step::Copy(to, from) => format!("{} = {};", to.0, from.0),
        Step::Start(which) => format!("q = {};", STARTS[*which].0),
        Step::Walk(1) => "q++;".to_string(),
        Step::Walk(steps) => format!("q += {steps};"),
        Step::Write(value) => format!("*q = {value};"),
        Step::Read(to) => format!("{} = *q;", to.0),
        Step::Pass => "set(q);".to_string(),
        Step::Aim(which) => format!("p = {};", NUMBERS[*which].0),
        Step::Store(value) => format!("*p = {value}u;"),
        Step::Load => "x = *p;".to_string(),
        Step::If(value, then) => {
            let mut text = format!("if (input == {value}) {{ ");
            then.iter().for_each(|step| print(step, &mut text));
            text.push('}');
            text
        }
    };
    into.push_str("  ");
    into.push_str(&line);
    into.push('\n');
}

fn step(random: &mut Random, depth: u32) -> Step {
    let part = |random: &mut Random| *random.pick(&PARTS);
    match random.among(14) {
        0 | 1 => Step::Set(part(random), random.next() as u32),
        2 | 3 => Step::Copy(part(random), part(random)),
        4 | 5 => Step::Start(random.among(STARTS.len() as u32) as usize),
        6 => Step::Walk(1 + random.among(3) as usize),
        7 => Step::Write(random.next() as u8),
        8 => Step::Read(part(random)),
        9 => Step::Pass,
        10 => Step::Aim(random.among(NUMBERS.len() as u32) as usize),
        11 => Step::Store(random.next() as u32),
        12 if depth == 0 => {
            let value = random.among(INPUTS);
            Step::If(value, (0..2).map(|_| step(random, 1)).collect())
        }
        _ => Step::Load,
    }
}

/// A random program, and how it ends for each input.
pub fn program(random: &mut Random) -> (String, Vec<Ends>) {
    let mut steps =
        vec![Step::Start(random.among(6) as usize), Step::Aim(random.among(3) as usize)];
    for _ in 0..2 + random.among(5) {
        steps.push(step(random, 0));
    }
    let asked = *random.pick(&PARTS);
    let mut source = HEAD.to_string();
    source.push_str("union U u = {0x44332211}; struct S s = {1, 2, {3, 4}};\n");
    source.push_str("int main(void) {\n  unsigned x = 7, *p; unsigned char *q;\n");
    source.push_str("  int input = __VERIFIER_nondet_int();\n");
    source.push_str("  if (input < 0 || input > 3) return 0;\n");
    steps.iter().for_each(|step| print(step, &mut source));
    let mut expected = None;
    let mut ends = Vec::new();
    for input in 0..INPUTS {
        let first = vec![0x11, 0x22, 0x33, 0x44];
        let second = vec![1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 4, 0];
        let bytes = [first, second, vec![7, 0, 0, 0]];
        let mut state = State { bytes, character: (0, 0), number: (0, 0), input };
        let run = steps.iter().try_for_each(|step| state.step(step));
        let value = run.map(|()| state.read(asked.1, asked.2, asked.3));
        if let (None, Ok(value)) = (expected, value) {
            // Sometimes what is asked for is wrong.
            expected = Some(value ^ u32::from(random.percent(25)));
        }
        ends.push(match value {
            Ok(value) if Some(value) == expected => Ends::Well,
            _ => Ends::Fails,
        });
    }
    let wanted = expected.unwrap_or(0);
    source.push_str(&format!("  assert({} == {wanted}u);\n  return 0;\n}}\n", asked.0));
    (source, ends)
}
