//! The input languages, and which of them a text is written in.

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
}

/// The weight of what only one language has, over words that others may have as names.
const DECISIVE: u32 = 1000;

impl Dialect {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Dialect; 6] = [
        Dialect::Cimple,
        Dialect::C,
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

    /// The language that a text seems to be written in, by words that only one of them has; Cimple
    /// if nothing says otherwise. What looks like C and has none of Cimple's own words is C: there
    /// an `int` has 32 bits, as its author expects. Linear.
    pub fn guess(source: &str) -> Dialect {
        if source.trim_start().starts_with(['[', '{']) {
            return Dialect::Pdaaal;
        }
        let mut score = [0u32; 5];
        let mut vote = |dialect: Dialect, weight: u32| score[dialect as usize] += weight;
        let mut in_comment = false;
        for line in source.lines() {
            if line.contains("//!") {
                vote(Dialect::Cimple, 2);
            }
            let line = code_of(line, &mut in_comment);
            let line = line.trim();
            if line.contains("(*)") && !line.contains("(*)(") {
                vote(Dialect::Cimple, 4);
            }
            let heads = ["int main(", "int main ("].iter().any(|head| line.contains(head));
            if heads || line.starts_with("main(") || line.starts_with("main (") {
                vote(Dialect::C, 2);
            }
            if line.starts_with('<') && line.contains("->") || line.starts_with("weights ") {
                vote(Dialect::Pds, 4);
            }
            // Neither is in Cimple, which needs no declaration of `nondet` either.
            if is_directive(line) || line.contains("main(void)") || line.starts_with("int nondet(")
            {
                vote(Dialect::C, DECISIVE);
            }
            if line.contains("::") && line.contains("->") || line.contains("-->") {
                vote(Dialect::Remopla, 2);
            }
            if line.contains(":=") {
                vote(Dialect::BooleanProgram, 2);
            }
            for word in line
                .split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
                .filter(|word| !word.is_empty())
            {
                match word {
                    "module" | "shared" | "fi" | "od" | "sgnint" => vote(Dialect::Remopla, 1),
                    _ => {}
                }
                match word {
                    "decl" | "begin" | "fi" | "od" | "then" | "constrain" | "schoose"
                    | "enforce" | "dead" => vote(Dialect::BooleanProgram, 1),
                    _ => {}
                }
                match word {
                    "module" => vote(Dialect::Remopla, 4),
                    "decl" => vote(Dialect::BooleanProgram, 4),
                    "extern" | "typedef" | "struct" | "sizeof" | "static" | "volatile"
                    | "pthread_t" | "printf" | "scanf" | "puts" | "putchar" | "getchar"
                    | "malloc" | "NULL" | "argc" => vote(Dialect::C, 2),
                    "nondet" | "thread" | "atomic" => vote(Dialect::Cimple, 4),
                    "bool" | "assume" => vote(Dialect::Cimple, 2),
                    _ if word.starts_with("__") => vote(Dialect::C, 2),
                    _ => {}
                }
            }
        }
        let best = score.into_iter().max().unwrap_or(0);
        if best == 0 {
            return Dialect::Cimple;
        }
        Dialect::ALL
            .into_iter()
            .take(5)
            .find(|dialect| score[*dialect as usize] == best)
            .unwrap_or_default()
    }
}

/// Is it a line for C's preprocessor?
fn is_directive(line: &str) -> bool {
    const WORDS: [&str; 7] = ["include", "define", "undef", "if", "pragma", "error", "line"];
    let word = line.strip_prefix('#').map(str::trim_start);
    word.is_some_and(|word| WORDS.iter().any(|known| word.starts_with(known)))
}

/// The line without its comments.
fn code_of<'l>(line: &'l str, in_comment: &mut bool) -> &'l str {
    let mut rest = line;
    if *in_comment {
        match rest.find("*/") {
            Some(end) => {
                rest = &rest[end + 2..];
                *in_comment = false;
            }
            None => return "",
        }
    }
    let line_comment = rest.find("//").unwrap_or(rest.len());
    if let Some(block) = rest.find("/*").filter(|block| *block < line_comment) {
        *in_comment = !rest[block..].contains("*/");
        return &rest[..block];
    }
    &rest[..line_comment]
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
        assert_eq!(guess(""), Dialect::Cimple);
        assert_eq!(guess("/* decl decl\n decl */ void main() { }"), Dialect::Cimple);
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
