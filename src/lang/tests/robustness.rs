//! No text makes the front end panic, overflow the stack, or take long.

use super::dump::{load_plain, well_formed};
use std::time::{Duration, Instant};

/// A fixed sequence of numbers (xorshift).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below as u64) as usize
    }
}

const WORDS: [&str; 78] = [
    "int",
    "bool",
    "void",
    "unsigned",
    "char",
    "const",
    "static",
    "enum",
    "struct",
    "x",
    "y",
    "a",
    "f",
    "main",
    "if",
    "else",
    "while",
    "do",
    "for",
    "switch",
    "case",
    "default",
    "break",
    "continue",
    "goto",
    "return",
    "error",
    "assert",
    "assume",
    "skip",
    "nondet",
    "true",
    "0",
    "1",
    "7",
    "0xF",
    "99999999999999999999",
    "1.5",
    "'a'",
    "\"s\"",
    "(",
    ")",
    "(",
    ")",
    "{",
    "}",
    "{",
    "}",
    "[",
    "]",
    ";",
    ";",
    ";",
    ",",
    ":",
    "?",
    "=",
    "+=",
    "<<=",
    "++",
    "--",
    "+",
    "-",
    "*",
    "/",
    "%",
    "<<",
    "&",
    "&&",
    "||",
    "!",
    "==",
    "<",
    "@",
    "//! bits = 3\n",
    "//@ assert x;\n",
    "/*",
    "#define X\n",
];

const VALID: [&str; 3] = [
    "//! check = bounds,division,overflow,shift\nenum E { A, B = 3 }; int x = 1, a[3] = {1, 2}, m[2][2];\nint f(int p, bool q);\nint g(int p) { return p > 0 ? g(p - 1) : f(p, true); }
int main() { int y = g(2) + x++ * a[x]; for (int i = 0; i < 3; i++) { a[i] = m[1][0] / y; if (i == 1 && g(i) || *) continue; }
again: switch (y) { case A: y = 1; break; case B: y += g(y) << 1; default: y--; } do { y = ~y; } while (y != 3 && !x); if (?) goto again; assert(y); return y; }",
    "//! check = none\n//! error = (x == 2)\nint x, a[4], m[2][3]; void main() { int i = nondet(), j = x / i; x = a[i] + m[j][i] % x; a[j++] = x = i; m[i][j] += x ? 1 : nondet(); x = x << j; }",
    "bool L = false; void main() { assert(!L); L = true; if (*) { assert(L); L = false; } else skip; while (L) { static int n; n++; if (n > 2) break; } error: skip; }",
];

fn survives(source: &str) {
    let loaded = load_plain(source);
    assert_eq!(
        loaded.program.is_none(),
        loaded.diagnostics.iter().any(|d| d.severity == crate::wire::diagnostic::Severity::Error),
        "{source}"
    );
    for d in &loaded.diagnostics {
        assert!(
            d.span.start <= d.span.end && d.span.end as usize <= source.len(),
            "{d:?} in {source}"
        );
        assert!(
            source.is_char_boundary(d.span.start as usize)
                && source.is_char_boundary(d.span.end as usize),
            "{d:?} in {source}"
        );
    }
    if let Some(program) = &loaded.program {
        well_formed(program);
    }
}

#[test]
fn valid_seeds_are_valid() {
    for source in VALID {
        super::dump::program(source);
    }
}

#[test]
fn token_soup() {
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    for _ in 0..3000 {
        let length = 1 + numbers.next(40);
        let soup: Vec<&str> = (0..length).map(|_| WORDS[numbers.next(WORDS.len())]).collect();
        survives(&soup.join(" "));
        survives(&format!(
            "int x, y, a[2]; int f(int p) {{ return p; }} void main() {{ {} }}",
            soup.join(" ")
        ));
    }
}

#[test]
fn truncations() {
    for source in VALID {
        for end in 0..source.len() {
            survives(&source[..end]);
            survives(&source[end..]);
        }
    }
}

#[test]
fn mutations() {
    let mut numbers = Numbers(0x2545_F491_4F6C_DD1D);
    for _ in 0..3000 {
        let mut text = VALID[numbers.next(VALID.len())].to_string();
        for _ in 0..1 + numbers.next(4) {
            let at = numbers.next(text.len());
            let until = (at + numbers.next(6)).min(text.len());
            let word = if numbers.next(2) == 0 { WORDS[numbers.next(WORDS.len())] } else { "é" };
            if text.is_char_boundary(at) && text.is_char_boundary(until) {
                text.replace_range(at..until, word);
            }
        }
        survives(&text);
    }
}

/// Runs with as much stack as a Web Worker has. `tests/browser` does the same in a Web Worker.
fn on_small_stack(source: String) -> Vec<String> {
    let load = move || super::dump::messages(&source);
    let thread = std::thread::Builder::new()
        .stack_size(1 << 20)
        .spawn(load)
        .expect("a thread can be started");
    thread.join().expect("no stack overflow")
}

#[test]
fn deep_nesting_is_refused_by_name() {
    let deep = [
        format!("void main() {{ {} }}", "{".repeat(100_000)),
        format!("void main() {{ int x; x = {}1{}; }}", "(".repeat(100_000), ")".repeat(100_000)),
        format!("void main() {{ int x; x = {}x; }}", "!-~".repeat(100_000)),
        format!("void main() {{ {} skip; }}", "if (*) ".repeat(100_000)),
        format!("void main() {{ int x; x = {}x; }}", "x = ".repeat(100_000)),
        format!("void main() {{ int x; x = {}x; }}", "x ? x : ".repeat(100_000)),
        format!("int a[2] = {}1; void main() {{ }}", "{".repeat(100_000)),
        format!("void main() {{ int x; x = {}; }}", "main(".repeat(100_000)),
    ];
    for source in deep {
        let start: String = source.chars().take(60).collect();
        let messages = on_small_stack(source);
        assert!(
            messages[0].contains("nested deeper than 256 levels: line 1"),
            "{start}: {messages:?}"
        );
        assert!(messages.len() <= 2, "{start}: {messages:?}");
    }
    let chain = format!("void main() {{ int x; x = x{}; }}", " + x".repeat(10_000));
    assert!(on_small_stack(chain)[0].contains("chains more than 500 operators: line 1"));
}

#[test]
fn what_is_allowed_fits_a_small_stack() {
    let allowed = [
        format!("void main() {{ {} skip; {} }}", "{".repeat(250), "}".repeat(250)),
        format!("void main() {{ int x; x = {}1{}; }}", "(x + ".repeat(250), ")".repeat(250)),
        format!("void main() {{ int x; x = {}1{}; }}", "(1 - x * ".repeat(240), ")".repeat(240)),
        format!("void main() {{ int x; if (x{}) skip; }}", " + x".repeat(490)),
        format!("void main() {{ int x; if (x{}) skip; }}", " && x / x".repeat(490)),
        format!(
            "int f(int p) {{ return p; }} void main() {{ int x; x = {}1{}; }}",
            "f(".repeat(250),
            ")".repeat(250)
        ),
        format!("void main() {{ int x; {} skip; }}", "if (x) skip; else ".repeat(10_000)),
        format!("void main() {{ int x; {} skip; {} }}", "while (x) {".repeat(120), "}".repeat(120)),
        format!("void main() {{ {} skip; }}", "if (*) ".repeat(250)),
        format!(
            "bool f() {{ return *; }} void main() {{ if (f(){}) skip; }}",
            " && f()".repeat(490)
        ),
        format!(
            "bool f() {{ return *; }} void main() {{ if ({}f(){}) skip; }}",
            "f() && (".repeat(240),
            ")".repeat(240)
        ),
        format!("int f() {{ return *; }} void main() {{ int x = {}1; }}", "f() ? 1 : ".repeat(250)),
    ];
    for source in allowed {
        let start: String = source.chars().take(80).collect();
        assert_eq!(on_small_stack(source), Vec::<String>::new(), "{start}");
    }
}

/// The limit is generous, because an unoptimised build on a busy machine must pass too.
fn within(limit: Duration, what: &str, source: &str) {
    let before = Instant::now();
    survives(source);
    let took = before.elapsed();
    assert!(took < limit, "{what} took {took:?}");
}

#[test]
fn a_megabyte_of_anything_is_quick() {
    let size = 1 << 20;
    let limit = Duration::from_secs(10);
    let mut numbers = Numbers(42);
    let mut soup = String::new();
    while soup.len() < size {
        let word = WORDS[numbers.next(WORDS.len())];
        // An open comment would hide the rest.
        soup.push_str(if word == "/*" { "x" } else { word });
        soup.push(' ');
    }
    within(limit, "soup", &soup);
    within(limit, "bytes", &"\u{1}@$`é".repeat(size / 6));
    within(limit, "quotes", &"\"".repeat(size));
    within(limit, "comments", &"/* ".repeat(size / 3));
    within(limit, "annotations", &"//@ assert x;\n".repeat(size / 14));
    within(limit, "braces", &"{}".repeat(size / 2));
    within(limit, "closing braces", &"}".repeat(size));
    within(
        limit,
        "unknown names",
        &format!("void main() {{ {} }}", "foo = bar;".repeat(size / 10)),
    );
    let locals: String = (0..80_000).map(|i| format!("int v{i}=1;")).collect();
    within(limit, "locals", &format!("void main() {{ {locals} }}"));
    let globals: String = (0..1000).map(|i| format!("int g{i};")).collect();
    let procedures: String = (0..1000)
        .map(|i| format!("void f{i}() {{ {} }}", &locals[..locals.find("v99=").unwrap_or(0)]))
        .collect();
    within(limit, "scopes", &format!("{globals}{procedures}"));
    let cases: String = (0..80_000).map(|i| format!("case {i}:")).collect();
    within(
        limit,
        "cases",
        &format!("//! bits = 32\nvoid main() {{ int x; switch (x) {{ {cases} }} }}"),
    );
    let guarded = format!("if (x{}) skip;\n", " && x / x".repeat(490));
    within(
        limit,
        "guarded checks",
        &format!("void main() {{ int x; {} }}", guarded.repeat(size / guarded.len())),
    );
    let sums = format!("x = x{};\n", " + x".repeat(490));
    within(
        limit,
        "overflow checks",
        &format!(
            "//! check = overflow\nvoid main() {{ int x; {} }}",
            sums.repeat(size / sums.len())
        ),
    );
    let divisions = format!("x = {}x{};\n", "x / (".repeat(12), ")".repeat(12));
    within(
        limit,
        "unchecked divisions",
        &format!(
            "//! check = none\nvoid main() {{ int x; {} }}",
            divisions.repeat(size / divisions.len())
        ),
    );
    let parameters = vec!["int p"; 50_000].join(",");
    within(
        limit,
        "parameters",
        &format!(
            "int g() {{ return 1; }} int f({parameters}) {{ return f({}); }}",
            vec!["g()"; 50_000].join(",")
        ),
    );
    within(limit, "procedures", &"void f(int x){skip;}\n".repeat(size / 21));
}

#[test]
fn ten_thousand_lines_load_quickly() {
    let mut source = String::from("int x, a[8];\n");
    for i in 0..1000 {
        source += &format!(
            "int f{i}(int p) {{\n  int r = p;\n  while (r < 5) {{\n    r = r + a[r];\n    if (r == 3 && x > 1)\n      break;\n  }}\n  x = r;\n  return r;\n}}\n"
        );
    }
    source += "void main() { x = f0(1) + f999(2); assert(x); }\n";
    within(Duration::from_secs(10), "10,000 lines", &source);
    let one = format!(
        "int x, y;\nvoid main() {{\n{}}}\n",
        "if (x > y) x = x - y; else { y = y - x; assert(y); }\n".repeat(10_000)
    );
    within(Duration::from_secs(10), "10,000 lines in one procedure", &one);
}
