//! No text makes the front end panic. Large and deep ones are in `tests/dialects/large_texts.rs`.

use super::dump::{load_plain, well_formed};

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
            let word = if numbers.next(2) == 0 { WORDS[numbers.next(WORDS.len())] } else { "€" };
            if text.is_char_boundary(at) && text.is_char_boundary(until) {
                text.replace_range(at..until, word);
            }
        }
        survives(&text);
    }
}
