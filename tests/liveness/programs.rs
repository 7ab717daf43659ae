//! Small random programs with few configurations, recursion and endless loops included.

use crate::random::Random;
use std::fmt::Write;

/// The atoms that formulas about these programs use.
pub const ATOMS: [&str; 9] = [
    "x == 1",
    "b",
    "x > y",
    "fails",
    "enter(f)",
    "leave(f)",
    "inside(f: n > 0)",
    "y != 2",
    "enter(g)",
];

struct Writer {
    random: Random,
    text: String,
    budget: u32,
    /// May it call `f` and `g`?
    calls: bool,
    recursion: bool,
    in_f: bool,
}

/// The program of a seed: Cimple with two bits. In about a third of them procedures call each
/// other.
pub fn program(seed: u64) -> String {
    let mut writer = Writer {
        random: Random::new(seed ^ 0x11fe),
        text: String::new(),
        budget: 9,
        calls: true,
        recursion: false,
        in_f: false,
    };
    writer.recursion = writer.random.percent(35);
    let start = if writer.random.percent(70) { "zero" } else { "any" };
    let _ = write!(writer.text, "//! bits = 2\n//! globals = {start}\n");
    writer.text += "unsigned int x; unsigned int y; bool b;\n";
    let recursion = writer.recursion;
    writer.text += "void f(unsigned int n) {\n";
    writer.calls = recursion;
    writer.in_f = true;
    writer.block(1);
    writer.text += "}\nvoid g() {\n";
    writer.budget = 4;
    writer.in_f = false;
    writer.block(1);
    writer.text += "}\nvoid main() {\n";
    writer.budget = 9;
    writer.calls = true;
    writer.block(1);
    writer.text += "}\n";
    writer.text
}

impl Writer {
    fn condition(&mut self) -> String {
        let n = self.random.among(4);
        match self.random.among(8) {
            0 | 1 => "*".to_string(),
            2 => "b".to_string(),
            3 => format!("x == {n}"),
            4 => format!("y < {n}"),
            5 => "x != y".to_string(),
            6 if self.in_f => format!("n == {n}"),
            _ => "!b".to_string(),
        }
    }

    fn value(&mut self) -> String {
        match self.random.among(7) {
            0 => "x + 1".to_string(),
            1 => "y - 1".to_string(),
            2 => "x - y".to_string(),
            3 if self.in_f => "n - 1".to_string(),
            4 => "x".to_string(),
            _ => self.random.among(4).to_string(),
        }
    }

    fn block(&mut self, depth: usize) {
        for _ in 0..1 + self.random.among(3) {
            self.statement(depth);
        }
    }

    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.text, "{}{text}", " ".repeat(depth));
    }

    fn statement(&mut self, depth: usize) {
        if self.budget == 0 {
            return self.line(depth, "skip;");
        }
        self.budget -= 1;
        match self.random.among(16) {
            0..=2 => {
                let value = self.value();
                self.line(depth, &format!("x = {value};"));
            }
            3 | 4 => {
                let value = self.value();
                self.line(depth, &format!("y = {value};"));
            }
            5 => {
                let condition = self.condition();
                self.line(depth, &format!("b = {condition};"));
            }
            6 | 7 if depth < 4 => {
                let condition = self.condition();
                self.line(depth, &format!("if ({condition}) {{"));
                self.block(depth + 1);
                if self.random.flip() {
                    self.line(depth, "} else {");
                    self.block(depth + 1);
                }
                self.line(depth, "}");
            }
            8..=10 if depth < 4 => {
                let condition =
                    if self.random.percent(30) { "true".to_string() } else { self.condition() };
                self.line(depth, &format!("while ({condition}) {{"));
                self.block(depth + 1);
                self.line(depth, "}");
            }
            11 | 12 if self.calls => {
                let value = self.value();
                self.line(depth, &format!("f({value});"));
            }
            13 if self.calls => self.line(depth, "g();"),
            14 => {
                let condition = self.condition().replace('*', "b");
                self.line(depth, &format!("assert({condition});"));
            }
            15 => {
                let condition = self.condition().replace('*', "x != 3");
                self.line(depth, &format!("assume({condition});"));
            }
            _ => self.line(depth, "skip;"),
        }
    }
}
