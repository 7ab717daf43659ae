//! The input languages, and which of them a text is written in.

use crate::wire::code_lines::{CodeLine, code_lines};
use serde::{Deserialize, Serialize};

/// Which input language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// The papers' C-like language.
    #[default]
    Cimple,
    /// C, by the conventions of SV-COMP's tasks.
    C,
    /// Boolean programs of the SLAM family.
    #[serde(rename = "bp")]
    BooleanProgram,
    /// Moped's language.
    Remopla,
    /// A pushdown system without a program.
    Pds,
    /// A pushdown system in PDAAAL's JSON.
    #[serde(rename = "json")]
    Pdaaal,
    /// Java, from its source.
    Java,
}

impl Dialect {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Dialect; 7] = [
        Dialect::Cimple,
        Dialect::C,
        Dialect::Java,
        Dialect::BooleanProgram,
        Dialect::Remopla,
        Dialect::Pds,
        Dialect::Pdaaal,
    ];

    /// As people call it.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Cimple => "Cimple",
            Dialect::C => "C",
            Dialect::Java => "Java",
            Dialect::BooleanProgram => "Boolean program",
            Dialect::Remopla => "Remopla",
            Dialect::Pds => "Pushdown system",
            Dialect::Pdaaal => "Pushdown system (JSON)",
        }
    }

    /// The extension of its files, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Dialect::Cimple => "cimple",
            Dialect::C => "c",
            Dialect::Java => "java",
            Dialect::BooleanProgram => "bp",
            Dialect::Remopla => "rem",
            Dialect::Pds => "pds",
            Dialect::Pdaaal => "json",
        }
    }

    /// By the extension of a file's name (without the dot); `None` if no language has it.
    pub fn of_extension(extension: &str) -> Option<Dialect> {
        match extension {
            "i" => Some(Dialect::C),
            other => Dialect::ALL.into_iter().find(|dialect| dialect.extension() == other),
        }
    }

    /// Is it a pushdown system without a program behind it?
    pub fn is_raw(self) -> bool {
        matches!(self, Dialect::Pds | Dialect::Pdaaal)
    }

    /// The language that a text seems to be written in, by words that only one of them has. What
    /// looks like C and has none of Cimple's own words is C: there an `int` has 32 bits, as its
    /// author expects. An empty text is Cimple. Linear.
    pub fn guess(source: &str) -> Dialect {
        let source = source.trim_start_matches('\u{feff}');
        if source.trim_start().starts_with(['[', '{']) {
            return Dialect::Pdaaal;
        }
        let mut signs = Signs::default();
        let mut is_blank = true;
        for line in code_lines(source) {
            is_blank &= line.words.is_empty() && line.directive.is_none();
            signs.read(&line);
        }
        if is_blank { Dialect::Cimple } else { signs.dialect() }
    }
}

/// What the words of a text say about its language.
#[derive(Default)]
struct Signs {
    /// Votes, by dialect.
    score: [u32; 5],
    /// C's own: directives of the preprocessor, `main(void)`, a declaration of `nondet`.
    is_c: bool,
    /// What Cimple does not read: pointers, strings, structs, the library.
    beyond_cimple: bool,
    /// `nondet()`, `*` as a choice, `thread name`, `atomic {`, `unsigned:4`: no C has these.
    is_cimple: bool,
    /// `bool`, `assume`, a directive, `void main`: rather Cimple.
    like_cimple: bool,
    /// `public class`, `class A {`, `import java`: no other language of these has classes.
    is_java: bool,
}

impl Signs {
    /// The language with most votes; between Cimple and C, what only one of them reads decides.
    fn dialect(&self) -> Dialect {
        if self.is_java && !self.is_c {
            return Dialect::Java;
        }
        let best = self.score.into_iter().max().unwrap_or(0);
        let votes = |dialect: Dialect| self.score[dialect as usize];
        let others = [Dialect::BooleanProgram, Dialect::Remopla, Dialect::Pds];
        let (cimple, c) = (votes(Dialect::Cimple), votes(Dialect::C));
        if !self.is_c
            && best > cimple.max(c)
            && let Some(other) = others.into_iter().find(|other| votes(*other) == best)
        {
            return other;
        }
        let is_c = match self.is_cimple {
            _ if self.is_c => true,
            true => c > cimple,
            false => self.beyond_cimple || !self.like_cimple,
        };
        if is_c { Dialect::C } else { Dialect::Cimple }
    }

    fn vote(&mut self, dialect: Dialect, weight: u32) {
        self.score[dialect as usize] += weight;
    }

    fn cimple(&mut self, is_cimple: bool) {
        self.is_cimple |= is_cimple;
        self.like_cimple = true;
        self.vote(Dialect::Cimple, if is_cimple { 4 } else { 2 });
    }

    fn read(&mut self, line: &CodeLine<'_>) {
        if let Some(directive) = line.directive {
            let key = directive.split('=').next().unwrap_or_default().trim();
            match key {
                "model" | "heap" => self.c(),
                _ => self.cimple(false),
            }
        }
        let words = line.words.as_slice();
        let has = |piece: &[&str]| words.windows(piece.len()).any(|window| window == piece);
        self.is_java |= is_of_java(words);
        if has(&["int", "main", "("]) || words.starts_with(&["main", "("]) {
            self.vote(Dialect::C, 2);
        }
        let to = has(&["-", ">"]);
        if words.first() == Some(&"<") && to || words.first() == Some(&"weights") {
            self.vote(Dialect::Pds, 4);
        }
        self.is_c |= is_directive(words) || has(&["main", "(", "void", ")"]);
        let guarded = has(&[":", ":"]);
        if guarded && to || has(&["-", "-", ">"]) {
            self.vote(Dialect::Remopla, 2);
        } else if to && words.first() != Some(&"<") {
            self.c();
        }
        if has(&[":", "="]) {
            self.vote(Dialect::BooleanProgram, 2);
        }
        self.like_cimple |= has(&["void", "main", "("]);
        for (at, word) in words.iter().enumerate() {
            self.read_word(word, &words[..at], &words[at + 1..]);
        }
    }

    /// Cimple does not read it.
    fn c(&mut self) {
        self.beyond_cimple = true;
        self.vote(Dialect::C, 2);
    }

    fn read_word(&mut self, word: &str, before: &[&str], behind: &[&str]) {
        let (last, next) = (before.last().copied(), behind.first().copied());
        match word {
            "module" => self.vote(Dialect::Remopla, 5),
            "shared" | "sgnint" => self.vote(Dialect::Remopla, 1),
            "decl" => self.vote(Dialect::BooleanProgram, 5),
            "begin" | "then" | "constrain" | "schoose" | "enforce" | "dead" => {
                self.vote(Dialect::BooleanProgram, 1)
            }
            "fi" | "od" => {
                self.vote(Dialect::Remopla, 1);
                self.vote(Dialect::BooleanProgram, 1);
            }
            "extern" | "typedef" | "struct" | "union" | "sizeof" | "static" | "volatile"
            | "float" | "double" | "pthread_t" | "printf" | "scanf" | "puts" | "putchar"
            | "getchar" | "malloc" | "NULL" | "argc" | "\"" => self.c(),
            // Cimple needs no declaration of it.
            "nondet" if next == Some("(") => match last.is_some_and(is_type) {
                true => self.is_c = true,
                false => self.cimple(true),
            },
            "thread"
                if next.is_some_and(is_name) && !matches!(behind.get(1), Some(&(";" | ","))) =>
            {
                self.cimple(true)
            }
            "atomic" if matches!(next, None | Some("{")) => self.cimple(true),
            "bool" => self.cimple(false),
            "assume" if next == Some("(") => self.cimple(false),
            "*" if last.is_some_and(is_type)
                && next.is_some_and(|next| next == "*" || is_name(next)) =>
            {
                self.c()
            }
            "*" => {
                let opens = last.is_some_and(|last| "(=,&|!?:".contains(last));
                let closes = next.is_none_or(|next| ");,&|?:".contains(next));
                let is_type = matches!(behind, [")", "(" | "[", ..]);
                if opens && closes && !is_type {
                    self.cimple(true);
                }
            }
            "[" if matches!(behind, ["]", "," | ")", ..]) => self.c(),
            ":" if last.is_some_and(is_type)
                && next.is_some_and(|next| next.starts_with(|c: char| c.is_ascii_digit()))
                && !matches!(behind.get(1), Some(&(";" | ","))) =>
            {
                self.cimple(true)
            }
            _ if word.starts_with("__") => self.c(),
            _ => {}
        }
    }
}

fn is_type(word: &str) -> bool {
    matches!(word, "int" | "char" | "short" | "long" | "unsigned" | "signed" | "void")
        || matches!(word, "bool" | "_Bool" | "float" | "double" | "extern" | "const")
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c == '_' || c.is_alphabetic())
}

/// Does only Java have such a line? Modifiers stand before `class` and `interface`.
fn is_of_java(words: &[&str]) -> bool {
    const MODIFIERS: [&str; 8] = [
        "public",
        "private",
        "protected",
        "static",
        "final",
        "abstract",
        "default",
        "synchronized",
    ];
    let modifiers = words.iter().take_while(|word| MODIFIERS.contains(word)).count();
    let rest = &words[modifiers..];
    match rest {
        ["class" | "interface" | "enum" | "record", name, next, ..] if is_name(name) => {
            matches!(*next, "{" | "extends" | "implements" | "<") && rest[0] != "enum"
                || modifiers > 0
        }
        ["class" | "interface", name] => is_name(name),
        ["import", "java" | "javax" | "static" | "org", "." | "java" | "org", ..] => true,
        ["void", "main", "(", "String", ..] => true,
        _ => modifiers > 1,
    }
}

/// Is it a line for C's preprocessor?
fn is_directive(words: &[&str]) -> bool {
    const WORDS: [&str; 11] = [
        "include", "define", "undef", "if", "ifdef", "ifndef", "pragma", "error", "line", "elif",
        "endif",
    ];
    matches!(words, ["#", word, ..] if WORDS.contains(word))
}

#[cfg(test)]
mod tests {
    use super::Dialect;

    #[test]
    fn by_words_that_only_one_language_has() {
        let guess = Dialect::guess;
        assert_eq!(guess("void main() { int x = 3; assert(x == 3); }"), Dialect::Cimple);
        assert_eq!(guess("extern void __VERIFIER_error();\nint main() { return 0; }"), Dialect::C);
        assert_eq!(guess("#include <assert.h>\nint main() { return 0; }"), Dialect::C);
        assert_eq!(guess("int main(void) { assert(1); return 0; }"), Dialect::C);
        assert_eq!(guess("int main()\n{\n  int s = 0;\n  assert(s == 0);\n}"), Dialect::C);
        assert_eq!(guess("int\nmain ()\n{\n}"), Dialect::C);
        let declared = "int nondet(void);\nint main(void) { int a = nondet(), b = nondet(); }";
        assert_eq!(guess(declared), Dialect::C);
        assert_eq!(guess("#include <stdio.h>\nint main() { thread(); thread(); }"), Dialect::C);
        assert_eq!(guess("void main() { printf(\"hi\"); }"), Dialect::C);
        assert_eq!(guess("int main() { if (*) { assert(0); } }"), Dialect::Cimple);
        assert_eq!(guess("int main() { int x = nondet(); assert(x); }"), Dialect::Cimple);
        assert_eq!(guess("//! bits = 3\nint main() { int x; assert(x); }"), Dialect::Cimple);
        assert_eq!(guess("unsigned:4 f(int x) { return x; }"), Dialect::Cimple);
        assert_eq!(guess("void f() { int x = *; if (* && x) { f(); } }"), Dialect::Cimple);
        assert_eq!(guess("thread a { atomic { x = x + 1; } }\nint x;"), Dialect::Cimple);
        assert_eq!(guess("bool odd(int x) { return x % 2 == 1; }"), Dialect::Cimple);
        assert_eq!(guess("#include <stdbool.h>\nint main() { bool b; }"), Dialect::C);
        assert_eq!(
            guess("decl g;\nvoid main() begin\n g := T; if (g) then skip; fi\nend"),
            Dialect::BooleanProgram
        );
        assert_eq!(
            guess("bool g;\nmodule void main() { do :: g -> g = false; :: else -> break; od; }"),
            Dialect::Remopla
        );
        assert_eq!(
            guess("# teaching\n<p, a> -> <q, b a>\ninitial <p, a>\ntarget <q, b+>"),
            Dialect::Pds
        );
        assert_eq!(guess(" [{\"state-names\": true}]"), Dialect::Pdaaal);
        assert_eq!(guess("public class A {\n  int x;\n}"), Dialect::Java);
        assert_eq!(guess("import java.util.Random;\nclass A { }"), Dialect::Java);
        assert_eq!(guess("class A extends B {\n}"), Dialect::Java);
        assert_eq!(guess("class A\n{\n  void f() { }\n}"), Dialect::Java);
        assert_eq!(guess("interface Shape {\n  int area();\n}"), Dialect::Java);
        assert_eq!(guess("static int f(void) { return 0; }"), Dialect::C);
        assert_eq!(guess("enum color { RED, GREEN };\nint f() { return RED; }"), Dialect::C);
        assert_eq!(guess("#include <vector>\nclass A {\n};"), Dialect::C);
        assert_eq!(guess(""), Dialect::Cimple);
        assert_eq!(guess("// nothing yet\n"), Dialect::Cimple);
        assert_eq!(guess("/* decl decl\n decl */ void main() { }"), Dialect::Cimple);
    }

    #[test]
    fn a_c_function_alone_is_c() {
        for source in [
            "int sum(int a[], int n) {\n  int s = 0;\n  for (int i = 0; i <= n; i++) s += a[i];\n  return s;\n}",
            "int max(int a, int b) { if (a > b) return a; return b; }",
            "void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }",
            "\u{feff}int half(int x)\n{\n  return 100 / x;\n}",
            "bool in(const char *s, char c) { while (*s) if (*s++ == c) return true; return false; }",
            "void main() { char *thread = \"nondet() atomic { thread t\"; }",
            "struct s { int x; unsigned : 4; };\nint f(struct s *p) { return p->x; }",
            "int g(int (*f)(int)) { return f(3); }",
            "int nondet();\nint f() { return nondet(); }",
        ] {
            assert_eq!(Dialect::guess(source), Dialect::C, "{source}");
        }
    }

    #[test]
    fn extensions() {
        for dialect in Dialect::ALL {
            assert_eq!(Dialect::of_extension(dialect.extension()), Some(dialect));
        }
        assert_eq!(Dialect::of_extension("i"), Some(Dialect::C));
        assert_eq!(Dialect::of_extension("txt"), None);
    }
}
