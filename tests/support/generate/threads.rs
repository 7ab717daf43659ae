//! Programs with two or three threads: locals, loops, calls, locks, atomic sections. Two bits for
//! `int`, few globals and no recursion, so that every interleaving can be searched.

use super::super::tree::{Expression, Line, Type, words};
use super::Generator;

/// What the statements of a thread may use.
struct Thread<'g> {
    generator: &'g mut Generator,
    /// May statements call `helper`?
    helper: bool,
    /// Does the procedure have the locals `i` and `flag`?
    locals: bool,
    atomic: bool,
    nested: u32,
    loops: u32,
}

/// Writes the program.
pub(super) fn write(generator: &mut Generator) {
    generator.line("//! bits = 2");
    let any = generator.random.percent(25);
    generator.line(if any { "//! globals = any" } else { "//! globals = zero" });
    for global in ["int x;", "bool p;", "bool q;", "bool m;"] {
        generator.line(global);
    }
    let mut thread =
        Thread { generator, helper: false, locals: false, atomic: false, nested: 0, loops: 0 };
    if thread.generator.random.percent(60) {
        thread.helper();
    }
    let threads = 2 + u32::from(thread.generator.random.percent(35));
    let has_main = thread.generator.random.percent(70);
    for number in 0..threads {
        let head = if number == 0 && has_main {
            "void main()".to_string()
        } else {
            format!("thread t{number}")
        };
        thread.thread(&head, number + 1 == threads);
    }
}

impl Thread<'_> {
    fn helper(&mut self) {
        self.locals = true;
        self.generator.open("bool helper(int i)");
        self.generator.line("bool flag;");
        self.block(1);
        let value = self.condition();
        self.generator.line(words!["return ", value, ";"]);
        self.generator.close();
        self.helper = true;
    }

    fn thread(&mut self, head: &str, last: bool) {
        self.generator.open(head);
        self.locals = self.generator.random.percent(70);
        if self.locals {
            for line in ["int i;", "bool flag;", "i = 0;"] {
                self.generator.line(line);
            }
        }
        self.loops = 0;
        let asserts = last || self.generator.random.percent(30);
        let statements = 2 + self.generator.random.among(3);
        self.block(statements);
        if asserts {
            let condition = self.condition();
            let other = self.global_condition();
            self.generator.line(words!["assert(!(", condition, " && ", other, "));"]);
        }
        self.generator.close();
    }

    fn global_condition(&mut self) -> Expression {
        let value = self.generator.random.among(4);
        let text = match self.generator.random.among(4) {
            0 => "p".to_string(),
            1 => "!q".to_string(),
            2 if value < 2 => format!("x == {value}"),
            2 => format!("x == -{}", value - 1),
            _ => "p == q".to_string(),
        };
        Expression::leaf(Type::Bool, text)
    }

    fn condition(&mut self) -> Expression {
        const CONDITIONS: [&str; 7] = ["p", "q", "!p", "x == 1", "x != 0", "flag", "i == x"];
        let known = if self.locals { 7 } else { 5 };
        let condition = self.generator.random.among(known);
        Expression::leaf(Type::Bool, CONDITIONS[condition as usize])
    }

    fn block(&mut self, statements: u32) {
        for _ in 0..statements {
            self.statement();
        }
    }

    fn statement(&mut self) {
        let choice = self.generator.random.among(100);
        let locals = self.locals;
        let line = match choice {
            0..15 => words![format!("x = {};", self.generator.random.among(2))],
            15..25 => words!["x = x + 1;"],
            25..35 => words!["p = ", self.condition(), ";"],
            35..44 => words!["q = !(", self.condition(), ");"],
            44..50 if locals => words!["i = x;"],
            50..55 if locals => words!["flag = *;"],
            55..60 if locals => words!["x = i;"],
            60..68 => words!["assume(", self.condition(), ");"],
            68..76 if self.nested < 2 => {
                let choice = self.generator.random.percent(25);
                let head =
                    if choice { words!["if (*)"] } else { words!["if (", self.condition(), ")"] };
                return self.nest(head);
            }
            76..82 if self.nested < 2 && self.loops == 0 => {
                self.loops += 1;
                let condition = self.condition();
                return self.nest(words!["while (", condition, ")"]);
            }
            82..88 if !self.atomic && self.nested < 2 => {
                self.atomic = true;
                self.nest(words!["atomic"]);
                self.atomic = false;
                return;
            }
            88..93 if self.helper => match locals {
                true => words!["flag = helper(x);"],
                false => words!["helper(1);"],
            },
            93..97 if !self.atomic => return self.locked(),
            _ => words!["skip;"],
        };
        self.generator.line(line);
    }

    /// A statement under a lock, which some threads forget to give back.
    fn locked(&mut self) {
        self.generator.line("lock(m);");
        self.statement();
        if self.generator.random.percent(85) {
            self.generator.line("unlock(m);");
        }
    }

    fn nest(&mut self, head: Line) {
        self.nested += 1;
        self.generator.open(head);
        let statements = 1 + self.generator.random.among(2);
        self.block(statements);
        self.generator.close();
        self.nested -= 1;
    }
}
