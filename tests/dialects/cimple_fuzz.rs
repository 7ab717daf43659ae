//! Mutated programs: no text makes a front end panic. `FAULTLINE_FUZZ_SECONDS` says how long;
//! without it a fixed number is tried.

use crate::support::Random;
use crate::support::load::files;
use faultline::wire::options::{Dialect, RequestedOptions};

/// Programs that were tried when nobody says how long.
const TRIED: u64 = 3_000;
/// Longest text.
const MOST_BYTES: usize = 20_000;

const C_SEEDS: [&str; 8] = [
    "#include <assert.h>\n#define N 4\n#define MAX(a, b) ((a) > (b) ? (a) : (b))\nint a[N]; int f(int x) { return MAX(x, N); }\nint main(void) { int i; for (i = 0; i < N; i++) { a[i] = f(i); } assert(a[0] == N); return 0; }\n",
    "typedef struct { int x, v[2]; } S; S g = {1, {2, 3}}; void h(S *s, int *p) { s->x += *p; (*p)++; }\nint main() { S l = {.x = 2}; int q = 3; h(&l, &q); h(&g, &q); g = l; return g.v[q % 2]; }\n",
    "#include <pthread.h>\n_Atomic int n; pthread_mutex_t m; void *w(void *arg) { pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m); return 0; }\nint main() { pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); if (n != 1) { ERROR: return 1; } return 0; }\n",
    "extern unsigned __VERIFIER_nondet_uint(void); enum E { A = 3, B }; int main(argc, argv) int argc; char *argv[]; { static unsigned long k = 1ul; switch (argc) { case A: k <<= 2; case B: k--; break; default: goto out; } out: return (int)k ?: sizeof(k); }\n",
    "# 1 \"x.c\"\n#if defined(__STDC__) && !defined(Q)\n#ifdef Z\n#elif 1\nint main() { ((void)sizeof((1) ? 1 : 0), __extension__ ({ if (1) ; else __assert_fail(\"a\", \"b\", 1, \"c\"); })); }\n#endif\n#endif\n",
    "int g; void __VERIFIER_atomic_x(void) { if (g) return; g = 1; } int main() { do { int y[2][2] = {{1}, {2, 3}}; g ^= y[1][0]; } while (g & 1 || (g, 0)); printf(\"%d\", g++); }\n",
    "struct a { struct b { int c : 3; } d; }; int f(struct a *p, int q[2]) { return p->d.c + q[0] + *q; } int main() { struct a x; int z[2]; int *r = z; r[0] = 1; return f(&x, z) == 0 && r != 0; }\n",
    "//! bits = 6\n//! error = (g == 3)\nint g; int rec(int n) { return n <= 0 ? 0 : rec(n - 1) + 1; } int main() { g = rec(3); while (g) { if (rand() > 2) break; else continue; } return !g; }\n",
];

const WORDS: [&str; 44] = [
    "int",
    "unsigned",
    "struct",
    "union",
    "typedef",
    "*",
    "&",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    "->",
    ".",
    "#define X",
    "#if",
    "#endif\n",
    "\n",
    "#else\n",
    "X",
    "sizeof",
    "return",
    "goto",
    "ERROR:",
    "x",
    "main",
    "0x7FFFFFFF",
    "18446744073709551615u",
    "\"s\"",
    "'\\n'",
    "? :",
    "++",
    "<<=",
    "atomic",
    "thread t",
    "lock(m)",
    "pthread_create",
    "__extension__ ({",
    "...",
    "\\\n",
    "/*",
];

fn mutate(random: &mut Random, seeds: &[String]) -> String {
    let pick = |random: &mut Random| random.below(seeds.len() as u64) as usize;
    let mut text = seeds[pick(random)].clone();
    for _ in 0..1 + random.below(6) {
        let at = |random: &mut Random, text: &str| {
            let mut at = random.below(text.len() as u64 + 1) as usize;
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let (one, other) = (at(random, &text), at(random, &text));
        let (start, end) = (one.min(other), one.max(other));
        match random.below(6) {
            0 => text.replace_range(start..end.min(start + 8).max(start), ""),
            1 => text.insert_str(start, WORDS[random.below(WORDS.len() as u64) as usize]),
            2 => {
                let piece = text[start..end].to_string();
                text.insert_str(one, &piece);
            }
            3 => {
                let donor = &seeds[pick(random)];
                let (a, b) = (at(random, donor), at(random, donor));
                let piece = donor[a.min(b)..a.max(b)].to_string();
                text.insert_str(start, &piece);
            }
            4 => text.truncate(start),
            _ => {
                let word = WORDS[random.below(WORDS.len() as u64) as usize];
                text = text.replacen(word, WORDS[random.below(WORDS.len() as u64) as usize], 2);
            }
        }
        if text.len() > MOST_BYTES {
            let mut end = MOST_BYTES;
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            text.truncate(end);
        }
    }
    text
}

fn seeds() -> Vec<String> {
    let mut seeds: Vec<String> = C_SEEDS.iter().map(|seed| seed.to_string()).collect();
    let texts = files("static/examples", &["cimple", "c", "bp", "rem", "pds", "pdaaal"]);
    seeds.extend(texts.into_iter().map(|(_, text)| text));
    seeds
}

#[test]
fn mutated_programs_never_panic() {
    let seconds: Option<u64> =
        std::env::var("FAULTLINE_FUZZ_SECONDS").ok().and_then(|seconds| seconds.parse().ok());
    let until =
        seconds.map(|seconds| std::time::Instant::now() + std::time::Duration::from_secs(seconds));
    let seeds = seeds();
    let mut random = Random::new(seconds.unwrap_or(1));
    let mut tried = 0u64;
    let mut read = 0u64;
    loop {
        match until {
            Some(until) if std::time::Instant::now() >= until => break,
            None if tried == TRIED => break,
            _ => {}
        }
        let text = mutate(&mut random, &seeds);
        tried += 1;
        for dialect in [Dialect::C, Dialect::Cimple] {
            let requested =
                RequestedOptions { dialect: Some(dialect), ..RequestedOptions::default() };
            let before = text.clone();
            let loaded = std::panic::catch_unwind(|| {
                faultline::lang::load(&text, &requested).program.is_some()
            });
            match loaded {
                Ok(loaded) => read += u64::from(loaded),
                Err(_) => panic!("{dialect:?} panics on\n{before}"),
            }
        }
    }
    assert!(read > 0, "{tried} texts, none of which could be read");
}
