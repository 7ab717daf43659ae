//! Random programs with two or three threads: locals, loops, calls, locks, atomic sections; their
//! stacks are bounded.

/// SplitMix64 (Steele, Lea, Flood 2014).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: u32) -> u32 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u32
    }

    pub fn percent(&mut self, chance: u32) -> bool {
        self.below(100) < chance
    }
}

struct Generator {
    random: Random,
    lines: Vec<String>,
    indent: usize,
    /// May statements call `helper`?
    helper: bool,
    /// Does the procedure have the locals `i` and `flag`?
    locals: bool,
    asserts: u32,
    atomic: bool,
    nested: u32,
    loops: u32,
}

/// The program of a seed. Two bits for int; few globals, so that every interleaving can be
/// searched.
pub fn program(seed: u64) -> String {
    let mut g = Generator {
        random: Random::new(seed),
        lines: Vec::new(),
        indent: 0,
        helper: false,
        locals: false,
        asserts: 0,
        atomic: false,
        nested: 0,
        loops: 0,
    };
    g.line("//! bits = 2");
    let any = g.random.percent(25);
    g.line(if any { "//! globals = any" } else { "//! globals = zero" });
    g.line("int x;");
    g.line("bool p;");
    g.line("bool q;");
    g.line("bool m;");
    if g.random.percent(60) {
        g.locals = true;
        g.line("bool helper(int i) {");
        g.indent += 1;
        g.line("bool flag;");
        g.block(1);
        let value = g.condition();
        g.line(&format!("return {value};"));
        g.indent -= 1;
        g.line("}");
        g.helper = true;
    }
    let threads = 2 + u32::from(g.random.percent(35));
    let has_main = g.random.percent(70);
    for thread in 0..threads {
        let header = if thread == 0 && has_main {
            "void main() {".to_string()
        } else {
            format!("thread t{thread} {{")
        };
        g.line(&header);
        g.indent += 1;
        g.locals = g.random.percent(70);
        if g.locals {
            g.line("int i;");
            g.line("bool flag;");
            g.line("i = 0;");
        }
        g.loops = 0;
        g.asserts = u32::from(thread + 1 == threads || g.random.percent(30));
        let statements = 2 + g.random.below(3);
        g.block(statements);
        if g.asserts > 0 {
            let condition = g.condition();
            let other = g.global_condition();
            g.line(&format!("assert(!({condition} && {other}));"));
        }
        g.indent -= 1;
        g.line("}");
    }
    g.lines.join("\n") + "\n"
}

impl Generator {
    fn line(&mut self, text: &str) {
        self.lines.push(format!("{}{text}", "    ".repeat(self.indent)));
    }

    fn global_condition(&mut self) -> String {
        let value = self.random.below(4);
        match self.random.below(4) {
            0 => "p".to_string(),
            1 => "!q".to_string(),
            2 if value < 2 => format!("x == {value}"),
            2 => format!("x == -{}", value - 1),
            _ => "p == q".to_string(),
        }
    }

    fn condition(&mut self) -> String {
        match self.random.below(if self.locals { 7 } else { 5 }) {
            0 => "p".to_string(),
            1 => "q".to_string(),
            2 => "!p".to_string(),
            3 => "x == 1".to_string(),
            4 => "x != 0".to_string(),
            5 => "flag".to_string(),
            _ => "i == x".to_string(),
        }
    }

    fn block(&mut self, statements: u32) {
        for _ in 0..statements {
            self.statement();
        }
    }

    fn statement(&mut self) {
        let choice = self.random.below(100);
        let locals = self.locals;
        match choice {
            0..15 => {
                let value = self.random.below(2);
                self.line(&format!("x = {value};"));
            }
            15..25 => self.line("x = x + 1;"),
            25..35 => {
                let value = self.condition();
                self.line(&format!("p = {value};"));
            }
            35..44 => {
                let value = self.condition();
                self.line(&format!("q = !({value});"));
            }
            44..50 if locals => self.line("i = x;"),
            50..55 if locals => self.line("flag = *;"),
            55..60 if locals => self.line("x = i;"),
            60..68 => {
                let condition = self.condition();
                self.line(&format!("assume({condition});"));
            }
            68..76 if self.nested < 2 => {
                let condition =
                    if self.random.percent(25) { "*".to_string() } else { self.condition() };
                self.nest(&format!("if ({condition}) {{"));
            }
            76..82 if self.nested < 2 && self.loops == 0 => {
                self.loops += 1;
                let condition = self.condition();
                self.nest(&format!("while ({condition}) {{"));
            }
            82..88 if !self.atomic && self.nested < 2 => {
                self.atomic = true;
                self.nest("atomic {");
                self.atomic = false;
            }
            88..93 if self.helper => match locals {
                true => self.line("flag = helper(x);"),
                false => self.line("helper(1);"),
            },
            93..97 if !self.atomic => {
                self.line("lock(m);");
                self.statement();
                if self.random.percent(85) {
                    self.line("unlock(m);");
                }
            }
            _ => self.line("skip;"),
        }
    }

    fn nest(&mut self, header: &str) {
        self.nested += 1;
        self.line(header);
        self.indent += 1;
        let statements = 1 + self.random.below(2);
        self.block(statements);
        self.indent -= 1;
        self.line("}");
        self.nested -= 1;
    }
}
