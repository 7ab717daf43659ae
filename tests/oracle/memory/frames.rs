//! Procedures that call themselves with addresses of their locals, and pointers that outlive them.

use super::{Ends, INPUTS};
use crate::support::Random;
use std::fmt::Write;

/// What can be named: two locals, the parameter `out`, a local pointer, and a global one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pointer {
    X,
    Y,
    Out,
    P,
    Global,
}

#[derive(Clone)]
enum Step {
    /// `x` or `y` (by number) takes a number, or `n` and a number.
    Set(usize, i8, bool),
    /// `x += *p`
    Add(usize, Pointer),
    /// `*p = x + c`
    Store(Pointer, usize, i8),
    /// `p = …`, or the global pointer.
    Point(bool, Pointer),
    /// `if (n > 0) f(n - 1, …)`
    Call(Pointer),
    If(u32, Vec<Step>),
}

const LOCALS: [&str; 2] = ["x", "y"];

fn address(pointer: Pointer) -> &'static str {
    match pointer {
        Pointer::X => "&x",
        Pointer::Y => "&y",
        Pointer::Out => "out",
        Pointer::P => "p",
        Pointer::Global => "g",
    }
}

fn write(steps: &[Step], indent: usize, out: &mut String) {
    let pad = "  ".repeat(indent);
    for step in steps {
        let _ = match step {
            Step::Set(at, n, false) => writeln!(out, "{pad}{} = {n};", LOCALS[*at]),
            Step::Set(at, n, true) => writeln!(out, "{pad}{} = n + {n};", LOCALS[*at]),
            Step::Add(at, from) => writeln!(out, "{pad}{} += *{};", LOCALS[*at], address(*from)),
            Step::Store(to, at, n) => {
                writeln!(out, "{pad}*{} = {} + {n};", address(*to), LOCALS[*at])
            }
            Step::Point(true, to) => writeln!(out, "{pad}g = {};", address(*to)),
            Step::Point(false, to) => writeln!(out, "{pad}p = {};", address(*to)),
            Step::Call(with) => writeln!(out, "{pad}if (n > 0) f(n - 1, {});", address(*with)),
            Step::If(value, then) => {
                let _ = writeln!(out, "{pad}if (n == {value}) {{");
                write(then, indent + 1, out);
                writeln!(out, "{pad}}}")
            }
        };
    }
}

/// A variable that has an address.
struct Cell {
    value: i8,
    is_there: bool,
}

struct Frame {
    n: u32,
    locals: [usize; 2],
    out: usize,
    p: usize,
}

#[derive(Default)]
struct State {
    cells: Vec<Cell>,
    global: usize,
}

impl State {
    fn new_cell(&mut self) -> usize {
        self.cells.push(Cell { value: 0, is_there: true });
        self.cells.len() - 1
    }

    fn led(&self, frame: &Frame, pointer: Pointer) -> usize {
        match pointer {
            Pointer::X => frame.locals[0],
            Pointer::Y => frame.locals[1],
            Pointer::Out => frame.out,
            Pointer::P => frame.p,
            Pointer::Global => self.global,
        }
    }

    fn cell(&mut self, frame: &Frame, pointer: Pointer) -> Result<&mut i8, ()> {
        let at = self.led(frame, pointer);
        self.cells.get_mut(at).filter(|cell| cell.is_there).map(|cell| &mut cell.value).ok_or(())
    }

    fn call(&mut self, body: &[Step], n: u32, out: usize) -> Result<(), ()> {
        let locals = [self.new_cell(), self.new_cell()];
        let mut frame = Frame { n, locals, out, p: out };
        self.run(body, body, &mut frame)?;
        for at in locals {
            self.cells[at].is_there = false;
        }
        Ok(())
    }

    fn run(&mut self, steps: &[Step], body: &[Step], frame: &mut Frame) -> Result<(), ()> {
        for step in steps {
            match step {
                Step::Set(at, number, with_n) => {
                    let n = if *with_n { frame.n as i8 } else { 0 };
                    self.cells[frame.locals[*at]].value = number.wrapping_add(n);
                }
                Step::Add(at, from) => {
                    let more = *self.cell(frame, *from)?;
                    let local = &mut self.cells[frame.locals[*at]].value;
                    *local = local.wrapping_add(more);
                }
                Step::Store(to, at, number) => {
                    let value = self.cells[frame.locals[*at]].value.wrapping_add(*number);
                    *self.cell(frame, *to)? = value;
                }
                Step::Point(true, to) => self.global = self.led(frame, *to),
                Step::Point(false, to) => frame.p = self.led(frame, *to),
                Step::Call(with) => {
                    if frame.n > 0 {
                        let out = self.led(frame, *with);
                        self.call(body, frame.n - 1, out)?;
                    }
                }
                Step::If(value, then) => {
                    if frame.n == *value {
                        self.run(then, body, frame)?;
                    }
                }
            }
        }
        Ok(())
    }
}

fn some_pointer(random: &mut Random) -> Pointer {
    *random.pick(&[
        Pointer::X,
        Pointer::Y,
        Pointer::Y,
        Pointer::Out,
        Pointer::Out,
        Pointer::P,
        Pointer::P,
        Pointer::Global,
    ])
}

fn some_steps(random: &mut Random, most: u32, is_inner: bool) -> Vec<Step> {
    let mut steps = Vec::new();
    for _ in 0..1 + random.among(most) {
        let (at, n) = (random.among(2) as usize, random.among(4) as i8);
        let pointer = some_pointer(random);
        steps.push(match random.among(if is_inner { 9 } else { 11 }) {
            0 => Step::Set(at, n, random.flip()),
            1 | 2 => Step::Add(at, pointer),
            3 | 4 => Step::Store(pointer, at, n),
            5 => Step::Point(false, pointer),
            6 => Step::Point(true, pointer),
            7 | 8 => Step::Call(pointer),
            _ => Step::If(random.among(3), some_steps(random, 2, true)),
        });
    }
    steps
}

/// A random program, and how it ends for each input.
pub fn program(random: &mut Random) -> (String, Vec<Ends>) {
    let body = some_steps(random, 6, false);
    let results: Vec<Result<i8, ()>> = (0..INPUTS)
        .map(|input| {
            let mut state = State::default();
            let result = state.new_cell();
            state.global = result;
            state.call(&body, input % 3, result)?;
            Ok(state.cells[result].value)
        })
        .collect();
    // Half of the claims are about a result that there is.
    let known: Vec<i8> = results.iter().filter_map(|result| result.ok()).collect();
    let claimed = match known.len() {
        0 => 1,
        count => known[random.among(count as u32) as usize],
    };
    let claim = claimed.wrapping_add(random.flip() as i8);
    let ends = results.iter().map(|result| match result {
        Ok(r) if *r == claim => Ends::Well,
        _ => Ends::Fails,
    });
    let ends = ends.collect();
    let mut text = "int __VERIFIER_nondet_int(void);\nint *g;\nvoid f(int n, int *out) {\n  int x \
                    = 0, y = 0;\n  int *p = out;\n"
        .to_string();
    write(&body, 1, &mut text);
    let _ = writeln!(
        text,
        "}}\nint main(void) {{\n  int r = 0, n = __VERIFIER_nondet_int();\n  if (n < 0 || n > 2) \
         return 0;\n  g = &r;\n  f(n, &r);\n  assert(r == {claim});\n  return 0;\n}}"
    );
    (text, ends)
}
