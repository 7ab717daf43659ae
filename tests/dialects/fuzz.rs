//! Random damage to good programs: no front end may panic, whatever the text; what loads still is
//! the same program once printed.
//!
//! A run of the tests tries a fixed number of texts.
//! `FAULTLINE_FUZZ_SECONDS=600 cargo test --test dialects fuzz` goes on for that long, with seeds
//! that follow on each other; a failure prints its text, which then goes into `FINDINGS`.

use crate::handmade::SAMPLES;
use crate::program::random;
use crate::support::Random;
use crate::support::load::files;
use crate::support::printing::{difference, essence};
use crate::write::{write, writers};
use faultline::lang::model::{Expression, Operation, Place, Program};
use faultline::lang::{load, reprint};
use faultline::wire::options::{Dialect, RequestedOptions};
use std::time::{Duration, Instant};

/// Texts of each dialect that are tried when no time is given.
const TEXTS: u64 = 1500;

/// Words that only one dialect knows, and signs.
const WORDS: [&str; 48] = [
    "decl",
    "begin",
    "end",
    "if",
    "then",
    "else",
    "elsif",
    "fi",
    "while",
    "do",
    "od",
    "constrain",
    "schoose [",
    "enforce",
    "dead",
    "'",
    ":=",
    "goto",
    "return",
    "bool<2>",
    "{x}",
    "atomic_begin;",
    "ASYNC_1:",
    "module",
    "define",
    "A i (0,3)",
    "E j (1,2)",
    "::",
    "->",
    "-->",
    "undef",
    "struct s",
    "enum e",
    "[0,3]",
    "(4)",
    "x'",
    "^^",
    "init",
    "pchoice",
    "choicep",
    "0.5",
    "sgnint",
    "<a b>",
    "4096",
    "99999999999999999999",
    "//! bits = 2\n",
    "/*",
    "DEFAULT_INT_BITS",
];

/// One text more, from a good one.
fn damaged(source: &str, random: &mut Random) -> String {
    let mut text: Vec<char> = source.chars().collect();
    for _ in 0..1 + random.below(6) {
        let at = random.below(text.len() as u64 + 1) as usize;
        let length = (random.below(30) as usize).min(text.len() - at);
        match random.below(6) {
            0 => drop(text.drain(at..at + length)),
            1 => {
                let piece: Vec<char> = text[at..at + length].to_vec();
                let to = random.below(text.len() as u64 + 1) as usize;
                text.splice(to..to, piece);
            }
            2 | 3 => {
                let word = WORDS[random.below(WORDS.len() as u64) as usize];
                text.splice(at..at, format!(" {word} ").chars());
            }
            4 if at < text.len() => {
                text[at] = char::from_u32(32 + random.below(96) as u32).unwrap_or('€')
            }
            _ => text.truncate(at.max(text.len() / 2)),
        }
    }
    text.into_iter().collect()
}

fn survives(source: &str, dialect: Dialect) {
    let requested = RequestedOptions { dialect: Some(dialect), ..RequestedOptions::default() };
    let loaded = load(source, &requested);
    let Some(program) = loaded.program else {
        assert!(!loaded.diagnostics.is_empty(), "no program and nothing said:\n{source}");
        return;
    };
    picks_only_its_own(&program);
    let printed = reprint(source, dialect).expect("what loads is printed");
    let again = load(&printed, &requested)
        .program
        .unwrap_or_else(|| panic!("printed, it does not load:\n{source}\n---\n{printed}"));
    let (first, second) = (essence(&program), essence(&again));
    assert!(
        first == second,
        "printed, it is another program:\n{source}\n---\n{printed}\n---\n{}",
        difference(&first, &second)
    );
}

/// What an edge picks is there: each choice of its expressions, in its type.
fn picks_only_its_own(program: &Program) {
    for id in program.edge_ids() {
        let edge = program.edge(id);
        let is_foreign = |e: &Expression| match e {
            Expression::Choice(choice, scalar) => {
                edge.choices.get(choice.0 as usize) != Some(scalar)
            }
            _ => false,
        };
        let mut all: Vec<&Expression> = edge.checks.iter().map(|check| &check.condition).collect();
        match &edge.operation {
            Operation::Skip | Operation::Havoc(_) => {}
            Operation::Assume(condition) => all.push(condition),
            Operation::Assign(pairs) => {
                for (place, e) in pairs {
                    all.push(e);
                    if let Place::Element(_, index) = place {
                        all.push(index);
                    }
                }
            }
            Operation::Call { arguments, .. } => all.extend(arguments),
        }
        assert!(!all.into_iter().any(|e| e.any(is_foreign)), "{:?}", edge.operation);
    }
}

/// On a stack as small as a browser's worker has, with room for unoptimised frames.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(work).expect("a thread");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

fn fuzz(dialect: Dialect) {
    let time = std::env::var("FAULTLINE_FUZZ_SECONDS")
        .ok()
        .and_then(|s| s.parse::<u64>().ok())
        .map(Duration::from_secs);
    on_a_small_stack(move || {
        let mut seeds: Vec<String> = SAMPLES
            .iter()
            .filter(|(_, d, _)| *d == dialect)
            .map(|(_, _, s)| s.to_string())
            .collect();
        for writer in writers().iter().filter(|writer| writer.dialect() == dialect) {
            seeds.extend((0..8).map(|seed| write(&random(seed, writer.counts()), writer.as_ref())));
        }
        let start = Instant::now();
        let mut tried = 0;
        while time.map_or(tried < TEXTS, |time| start.elapsed() < time) {
            let mut random = Random::new(tried);
            let seed = &seeds[random.below(seeds.len() as u64) as usize];
            let text = damaged(seed, &mut random);
            if let Err(panic) = std::panic::catch_unwind(|| survives(&text, dialect)) {
                eprintln!("seed {tried}:\n{text}");
                std::panic::resume_unwind(panic);
            }
            tried += 1;
        }
    });
}

#[test]
fn fuzz_boolean_programs() {
    fuzz(Dialect::BooleanProgram);
}

#[test]
fn fuzz_remopla() {
    fuzz(Dialect::Remopla);
}

/// What fuzzing found, here or in the targets of `tests/fuzz`, once.
const FINDINGS: [(Dialect, &str); 6] = [
    // The format of an input was lost when the program was printed.
    (Dialect::C, "#include <stdio.h>\nint main(void) { int n; return scanf(\"%d\", &n) != 1; }\n"),
    // What an operand had picked was used up by an edge of the next one.
    (
        Dialect::C,
        "struct s0 { struct s0 *next; }; struct s0 a; struct s0 b;\n\
         int f(struct s0 *p) { return p->next == &b & p->next - &a; }\n",
    ),
    // These took the whole stack, or the memory: structs in themselves, and sizes in theirs.
    (
        Dialect::C,
        "struct S { struct T *t; }; struct T { struct S s; struct T t; };\n\
         int main(void) { struct T t; return 0; }\n",
    ),
    (
        Dialect::C,
        "struct T; struct S { struct T *p, t; }; struct T { struct S s[2]; };\n\
         int main(void) { struct T t; return 0; }\n",
    ),
    (
        Dialect::C,
        "struct S { int a[sizeof(struct S)]; };\n\
         int main(void) { struct S s; return sizeof s; }\n",
    ),
    (
        Dialect::C,
        "#include <stdlib.h>\nstruct S { int *q; int a[sizeof(((struct S *)0)->b)]; int b[2]; };\n\
         int main(void) { struct S *s = malloc(sizeof(struct S)); s->b[0] = 1; return 0; }\n",
    ),
];

#[test]
fn findings_stay_mended() {
    for (dialect, source) in FINDINGS {
        survives(source, dialect);
    }
}

/// The texts that the targets of `tests/fuzz` start from are tried here, too, where no fuzzer is.
#[test]
fn the_corpora_of_the_fuzz_targets() {
    let extension = |dialect: Dialect| if dialect == Dialect::C { "c" } else { "txt" };
    let mut read = 0;
    for (target, dialect) in [
        ("boolean_programs", Dialect::BooleanProgram),
        ("c", Dialect::C),
        ("cimple", Dialect::Cimple),
        ("preprocessor", Dialect::C),
        ("remopla", Dialect::Remopla),
    ] {
        for (_, text) in files(&format!("tests/fuzz/corpus/{target}"), &[extension(dialect)]) {
            let whole = match target {
                "preprocessor" => text + "\nint main(void) { return 0; }\n",
                _ => text,
            };
            survives(&whole, dialect);
            read += 1;
        }
    }
    assert!(read >= 20, "{read}");
}

/// Texts of a megabyte without sense are refused; depth is capped.
#[test]
fn a_megabyte_of_anything() {
    on_a_small_stack(|| {
        let size = 1 << 20;
        for dialect in [Dialect::BooleanProgram, Dialect::Remopla] {
            let requested =
                RequestedOptions { dialect: Some(dialect), ..RequestedOptions::default() };
            for word in [
                "(",
                "!",
                "begin ",
                "if ",
                "x := ",
                "do :: ",
                "a[",
                "@",
                "\n",
                "A i (0,4000) ",
                "schoose [",
                "a.",
                "x' ",
                "-",
                "x, ",
                "p <s> ",
            ] {
                let prefix = match dialect {
                    Dialect::BooleanProgram => "decl x; void main() begin x := ",
                    _ => "int x; module void main() { x = ",
                };
                for head in ["", prefix] {
                    let text = head.to_string() + &word.repeat(size / word.len());
                    assert!(
                        load(&text, &requested).program.is_none(),
                        "{word} as {}",
                        dialect.name()
                    );
                }
            }
        }
    });
}

/// Everything at the caps of depth loads where the machine's stack is small.
#[test]
fn what_is_allowed_fits_a_small_stack() {
    let thread = std::thread::Builder::new().stack_size(512 << 10).spawn(|| {
        let deep = |open: &str, inner: &str, close: &str, times: usize| {
            open.repeat(times) + inner + &close.repeat(times)
        };
        let boolean = |statement: String| format!("decl x;\nvoid main() begin\n{statement}\nend\n");
        let remopla = |statement: String| {
            format!("bool x; int n(3), a[8](3);\nmodule void main() {{\n{statement}\n}}\n")
        };
        let texts = [
            (Dialect::BooleanProgram, boolean(deep("if x then ", "skip;", " fi;", 250))),
            (Dialect::BooleanProgram, boolean(deep("while x do begin ", "skip;", " end od;", 120))),
            (Dialect::BooleanProgram, boolean(format!("x := {};", deep("(!", "x", ")", 120)))),
            (Dialect::BooleanProgram, boolean(format!("x := {};", deep("x => ", "x", "", 240)))),
            (Dialect::BooleanProgram, boolean(format!("x := {}x;", "x & ".repeat(490)))),
            (Dialect::Remopla, remopla(deep("if :: x -> ", "skip;", " fi;", 250))),
            (
                Dialect::Remopla,
                remopla(deep("do :: x -> { ", "skip;", " } :: else -> break; od;", 120)),
            ),
            (Dialect::Remopla, remopla(format!("n = {};", deep("a[", "n", "]", 200)))),
            (Dialect::Remopla, remopla(format!("x = {}x;", "A i (0,0) ".repeat(240)))),
            (Dialect::Remopla, remopla(format!("n = {}n;", "n + ".repeat(490)))),
        ];
        for (dialect, text) in texts {
            let requested =
                RequestedOptions { dialect: Some(dialect), ..RequestedOptions::default() };
            let loaded = load(&text, &requested);
            assert!(
                loaded.program.is_some(),
                "{:?}: {}",
                loaded.diagnostics,
                text.chars().take(60).collect::<String>()
            );
            assert!(reprint(&text, dialect).is_some());
        }
    });
    if let Err(panic) = thread.expect("a thread").join() {
        std::panic::resume_unwind(panic);
    }
}
