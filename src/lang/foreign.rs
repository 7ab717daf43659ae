//! Languages that Faultline does not read, by words that no program of its own languages has.

use crate::lang::model::Span;
use crate::wire::code_lines::{CodeLine, code_lines};

/// A piece of a line that tells a language.
struct Sign {
    language: &'static str,
    place: Place,
    /// Words and signs, one after the other; `_` is any word.
    piece: &'static [&'static str],
}

/// Where the piece stands in its line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Anywhere,
    /// The line starts with it.
    Start,
    /// The line starts with it, ends with `:`, and has no sign of C's statements.
    Compound,
    /// The line starts with it, and has no `;`.
    Open,
    /// It is the line.
    Whole,
}

const fn sign(language: &'static str, piece: &'static [&'static str]) -> Sign {
    Sign { language, place: Place::Anywhere, piece }
}

const fn at(language: &'static str, place: Place, piece: &'static [&'static str]) -> Sign {
    Sign { language, place, piece }
}

/// The language among them that Faultline reads.
const READ: &str = "Java";

const SIGNS: [Sign; 47] = [
    at("C++", Place::Whole, &["#", "include", "<", "_", ">"]),
    sign("C++", &["using", "namespace"]),
    sign("C++", &["std", ":", ":"]),
    sign("C++", &["cout", "<", "<"]),
    sign("C++", &["cin", ">", ">"]),
    at("C++", Place::Start, &["template", "<"]),
    at("C++", Place::Start, &["public", ":"]),
    at("C++", Place::Start, &["private", ":"]),
    sign("C#", &["using", "System"]),
    sign("C#", &["Console", ".", "Write"]),
    sign("C#", &["Console", ".", "WriteLine"]),
    sign("C#", &["Console", ".", "ReadLine"]),
    sign("C#", &["static", "void", "Main"]),
    sign("Java", &["public", "class"]),
    sign("Java", &["public", "static"]),
    sign("Java", &["public", "void"]),
    sign("Java", &["public", "int"]),
    sign("Java", &["private", "int"]),
    sign("Java", &["private", "static"]),
    sign("Java", &["System", ".", "out"]),
    sign("Java", &["System", ".", "in"]),
    sign("Java", &["String", "[", "]"]),
    at("Java", Place::Start, &["import", "java"]),
    sign("Python", &["__name__"]),
    at("Python", Place::Compound, &["def", "_", "("]),
    at("Python", Place::Compound, &["class", "_"]),
    at("Python", Place::Compound, &["for", "_", "in"]),
    at("Python", Place::Compound, &["for", "_", ",", "_", "in"]),
    at("Python", Place::Compound, &["while"]),
    at("Python", Place::Compound, &["if"]),
    at("Python", Place::Compound, &["elif"]),
    at("Python", Place::Compound, &["try"]),
    at("Python", Place::Whole, &["else", ":"]),
    at("Python", Place::Open, &["import", "_"]),
    at("Python", Place::Open, &["from", "_", "import"]),
    at("Python", Place::Open, &["print", "("]),
    sign("JavaScript", &["console", ".", "log"]),
    sign("JavaScript", &["=", ">", "{"]),
    at("JavaScript", Place::Start, &["function", "_", "("]),
    at("JavaScript", Place::Start, &["let", "_", "="]),
    sign("Rust", &["fn", "_", "("]),
    sign("Rust", &["println", "!"]),
    sign("Rust", &["let", "mut"]),
    sign("Go", &["package", "main"]),
    at("Go", Place::Start, &["func", "_", "("]),
    sign("Go", &["fmt", ".", "Println"]),
    sign("Go", &["fmt", ".", "Printf"]),
];

/// The language that a text seems to be written in, if Faultline does not read it, and the first
/// line that says so: the language with most such lines. Java is read; its signs are here so that
/// nothing else is taken for it. Linear.
pub(super) fn foreign(source: &str) -> Option<(&'static str, Span)> {
    let mut found: Vec<(&'static str, Span, u32)> = Vec::new();
    let mut is_c = false;
    for line in code_lines(source) {
        let words = &line.words;
        is_c |= matches!(words.as_slice(), ["#", "include", .., ".", "h", ">" | "\""]);
        let Some(sign) = SIGNS.iter().find(|sign| sign.is_in(&line)) else { continue };
        match found.iter_mut().find(|(language, ..)| *language == sign.language) {
            Some((.., lines)) => *lines += 1,
            None => {
                let end = line.start + line.text.len() as u32;
                let span = Span { start: line.start, end, line: line.number };
                found.push((sign.language, span, 1));
            }
        }
    }
    // C's headers are in programs of C and C++.
    found.retain(|(language, ..)| !is_c || *language == "C++");
    let most = found.iter().map(|(.., lines)| *lines).max()?;
    let (language, span, _) = found.into_iter().find(|(.., lines)| *lines == most)?;
    (language != READ).then_some((language, span))
}

impl Sign {
    fn is_in(&self, line: &CodeLine<'_>) -> bool {
        let words = line.words.as_slice();
        let has = |sign: &str| words.contains(&sign);
        let starts = words.len() >= self.piece.len() && self.is_at(words);
        match self.place {
            Place::Anywhere => words.windows(self.piece.len()).any(|window| self.is_at(window)),
            Place::Start => starts,
            Place::Whole => starts && words.len() == self.piece.len(),
            Place::Open => starts && !has(";"),
            Place::Compound => {
                starts && words.last() == Some(&":") && !has(";") && !has("{") && !has("case")
            }
        }
    }

    /// Do the words begin with the piece? There are enough of them.
    fn is_at(&self, words: &[&str]) -> bool {
        let is_word = |word: &str| word.starts_with(|c: char| c == '_' || c.is_alphabetic());
        let fits =
            |(piece, word): (&&str, &&str)| piece == word || (*piece == "_" && is_word(word));
        self.piece.iter().zip(words).all(fits)
    }
}

#[cfg(test)]
mod tests {
    use super::{Span, foreign};

    #[test]
    fn other_languages_are_known_by_their_words() {
        for (source, language) in [
            ("#include <iostream>\nint main() { }", "C++"),
            ("#include <vector>\nint f(vector<int> v) { return v[0]; }", "C++"),
            ("#include <stdio.h>\nint main() { std::vector<int> v; }", "C++"),
            ("def f(x):\n    return x + 1", "Python"),
            ("for i in range(3):\n    print(i)", "Python"),
            ("import math\nx = 3\nif x > 2:\n    print(x)\nelse:\n    x = 4", "Python"),
            ("fn main() { let mut x = 3; }", "Rust"),
            ("package main\nfunc main() {}", "Go"),
            ("const f = (x) => {\n};", "JavaScript"),
            ("function f(x) { return x; }", "JavaScript"),
            ("using System;\nclass P {}", "C#"),
        ] {
            assert_eq!(foreign(source).map(|(name, _)| name), Some(language), "{source}");
        }
        let (language, span) = foreign("int x;\n\n  std::cout << x;\n").expect("it is C++");
        assert_eq!((language, span), ("C++", Span { start: 10, end: 25, line: 3 }));
    }

    #[test]
    fn java_and_c_are_not_foreign() {
        for source in [
            "\npublic class Main {\n}",
            "public static int max(int a, int b) {\n  return a;\n}",
            "class A {\n  private int x;\n  public int get() { return x; }\n}",
            "",
            "#include <stdio.h>\nint main(void) { while (1) ; }",
            "// for each x in a:\n/* while y:\n * std:: */ int x",
            "#include <stdio.h>\nint main() { printf(\"cout << std:: => {\"); int print; print(\n3); }",
            "int f(int x) {\n  switch (x) {\n    if (x) { case 3:\n    default:\n  }\n}",
            "int private; int public = 3; int x = public;",
        ] {
            assert_eq!(foreign(source), None, "{source}");
        }
    }
}
