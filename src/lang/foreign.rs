//! Languages that Faultline does not read, by words that no program of its own languages has.

use crate::lang::model::Span;

/// What tells a language: how a line begins, a piece of it, and how it ends.
struct Sign {
    language: &'static str,
    start: &'static str,
    piece: &'static str,
    end: &'static str,
}

const fn sign(language: &'static str, piece: &'static str) -> Sign {
    Sign { language, start: "", piece, end: "" }
}

/// Python's compound statements.
const fn python(start: &'static str, piece: &'static str) -> Sign {
    Sign { language: "Python", start, piece, end: ":" }
}

const SIGNS: [Sign; 22] = [
    sign("C++", "#include <iostream>"),
    sign("C++", "using namespace "),
    sign("C++", "std::"),
    sign("C++", "cout <<"),
    sign("C++", "cin >>"),
    sign("C#", "using System;"),
    sign("C#", "Console.Write"),
    sign("Java", "public class "),
    sign("Java", "public static void main"),
    sign("Java", "System.out."),
    sign("Python", "__name__"),
    python("def ", "("),
    python("for ", " in "),
    python("while ", ""),
    sign("JavaScript", "console.log("),
    sign("JavaScript", "=> {"),
    sign("Rust", "fn main()"),
    sign("Rust", "println!("),
    sign("Rust", "let mut "),
    sign("Go", "package main"),
    sign("Go", "func main()"),
    sign("Go", "fmt.Print"),
];

/// The language that a text seems to be written in, if Faultline does not read it, and the first
/// line that says so. Linear.
pub(super) fn foreign(source: &str) -> Option<(&'static str, Span)> {
    let mut start = 0;
    for (line, text) in (1..).zip(source.split_inclusive('\n')) {
        let code = text.trim();
        let tells = |sign: &&Sign| {
            code.starts_with(sign.start) && code.contains(sign.piece) && code.ends_with(sign.end)
        };
        let is_comment = ["//", "/*", "*"].iter().any(|start| code.starts_with(start));
        if let Some(sign) = SIGNS.iter().find(tells).filter(|_| !is_comment) {
            let first = start + (text.len() - text.trim_start().len()) as u32;
            let span = Span { start: first, end: first + code.len() as u32, line };
            return Some((sign.language, span));
        }
        start += text.len() as u32;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Span, foreign};

    #[test]
    fn other_languages_are_known_by_their_words() {
        for (source, language) in [
            ("#include <iostream>\nint main() { }", "C++"),
            ("\npublic class Main {\n}", "Java"),
            ("def f(x):\n    return x + 1", "Python"),
            ("for i in range(3):\n    print(i)", "Python"),
            ("fn main() { let mut x = 3; }", "Rust"),
            ("package main\nfunc main() {}", "Go"),
            ("const f = (x) => {\n};", "JavaScript"),
            ("using System;\nclass P {}", "C#"),
        ] {
            assert_eq!(foreign(source).map(|(name, _)| name), Some(language), "{source}");
        }
        let (language, span) = foreign("int x;\n\n  std::cout << x;\n").expect("it is C++");
        assert_eq!((language, span), ("C++", Span { start: 10, end: 25, line: 3 }));
        assert_eq!(foreign("#include <stdio.h>\nint main(void) { while (1) ; }"), None);
        assert_eq!(foreign("// for each x in a:\n/* while y:\n * std:: */ int x"), None);
        assert_eq!(foreign(""), None);
    }
}
