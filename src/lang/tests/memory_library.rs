//! C programs with pointers: what the library and verifiers have, and what a refusal says.

use super::c::{program_at, requested};
use super::execution::{End, ends_of};
use crate::lang::load;

fn ends(source: &str) -> Vec<End> {
    ends_of(&program_at(source, Some(32))).into_iter().collect()
}

fn returns(source: &str, value: i128) {
    assert_eq!(ends(source), [End::Returned(value)], "{source}");
}

fn fails(source: &str, line: u32) {
    let found = ends(source);
    assert!(matches!(&found[..], [end] if end.is_of_memory(line)), "{found:?}: {source}");
}

/// The first error of a program that is refused.
fn refusal(source: &str) -> String {
    let loaded = load(source, &requested(Some(32)));
    assert!(loaded.program.is_none(), "{source}");
    loaded.diagnostics[0].message.clone()
}

#[test]
fn numbers_in_texts() {
    returns(
        "int main(void) { char *e; long n = strtol(\" 42abc\", &e, 10); return n + (*e == 'a'); }",
        43,
    );
    returns("int main(void) { return strtoul(\"-1\", NULL, 10) == (unsigned long)-1; }", 1);
    returns("int main(void) { return atoi(\"017\") + strtol(\"017\", 0, 0); }", 32);
}

#[test]
fn memory_that_cannot_be_there() {
    returns(
        "int main(void) { int *p = calloc(1, 4); *p = 3; int *q = realloc(p, (size_t)-1); return *p + (q == 0); }",
        4,
    );
    returns("int main(void) { return malloc((size_t)-1) == 0; }", 1);
}

#[test]
fn places_of_members() {
    returns(
        "struct S { char a; int b[3]; }; int main(void) { return offsetof(struct S, b[2]) + (int)(unsigned long)&((struct S *)0)->b; }",
        16,
    );
    returns("struct S { int a : 2 + 2, b : 28; }; int main(void) { return sizeof(struct S); }", 4);
}

#[test]
fn pointers_to_arrays() {
    returns(
        "int main(void) { int a[2][3] = {{1, 2, 3}, {4, 5, 6}}; int (*p)[3] = &a[1]; return (*p)[2]; }",
        6,
    );
    fails(
        "typedef int T[2]; int main(void) { T *p = calloc(1, sizeof *p), *q = calloc(1, sizeof *q); (*p)[1] = (*q)[1] = 0; return (*p)[3]; }",
        1,
    );
}

#[test]
fn what_verifiers_ask() {
    returns(
        "int main(void) { int a[3] = {0}, b = 0, *p = a + 1; return __ESBMC_same_object(p, a) + 2 * __ESBMC_same_object(p, &b); }",
        1,
    );
    returns(
        "int main(void) { char *p = calloc(5, 1); return __ESBMC_get_object_size(p) + __ESBMC_get_object_size(\"ab\"); }",
        8,
    );
}

#[test]
fn procedures_without_a_body() {
    returns(
        "void each(int, void (*)(int)); void f(int x) { } int main(void) { each(1, f); return 2; }",
        2,
    );
    returns("void d(void); int main(void) { void *p = d; return p != 0; }", 1);
    returns("int f() { return 3; } int (*p)(int) = f; int main(void) { return p(1); }", 3);
}

#[test]
fn parameters_that_are_bytes() {
    returns(
        "union U { int n; char c; }; int f(union U u) { u.n = u.n + 1; return u.c; } int main(void) { union U u = {4}; return f(u) + u.c; }",
        9,
    );
}

#[test]
fn the_calendar() {
    fails("int main(void) { char *s = asctime(0); return 0; }", 1);
    fails("int main(void) { struct tm t = {0}; char *s = strptime(\"1\", 0, &t); return 0; }", 1);
}

#[test]
fn arrays_that_get_their_size_elsewhere() {
    returns(
        "extern const char *a[]; int main(void) { return sizeof a / sizeof *a + (a[1][0] == 'y'); } const char *a[] = {\"x\", \"y\"};",
        3,
    );
    returns("struct { int n; } a[]; int main(void) { a->n = 4; return a[0].n; }", 4);
}

#[test]
fn a_refusal_names_what_is_refused() {
    for (source, message) in [
        (
            "extern int a[];\nint main(void) { int *p = a; return *p; }",
            "an array whose size no declaration gives is not modelled: line 1",
        ),
        (
            "int main(void) { int *p = 0, *q = p;\n return (int)strdup(\"a\") + *q; }",
            "the heap is not modelled: `strdup` in line 2",
        ),
        (
            "int use(int **p); int main(void) { int *x;\n return use(&x); }",
            "this procedure is not modelled: `use` in line 2",
        ),
        (
            "float f; int main(void) { int x, *p = &x, **q = &p; f = f + 1; return **q; }",
            "arithmetic with floating point is not modelled: line 1",
        ),
    ] {
        assert_eq!(refusal(source), message, "{source}");
    }
}

/// A program that reads a member of a struct by its bytes.
fn by_bytes(first: &str, attribute: &str) -> String {
    format!(
        "{first}\nstruct s {{ char a; int b; }} {attribute};\nstruct s x;\nint main(void) {{ x.a = 1; \
         x.b = 3; char *p = (char *)&x; return p[4]; }}"
    )
}

#[test]
fn attributes_pack_and_comments_do_not() {
    for first in [
        "// not packed, but aligned(4)",
        "/* __attribute__((packed)) */",
        "#define SMALL __attribute__((packed))",
        "#if 0\n#pragma pack(1)\n#endif",
        "int taken(int packed, int all) { return all ? packed : (packed); }",
        "const char *help = \"aligned(8), packed,\";",
    ] {
        returns(&by_bytes(first, ""), 3);
    }
    let other = "a struct that is laid out in another way is not modelled: line ";
    for (first, attribute) in [
        ("", "__attribute__((packed))"),
        ("", "__attribute__((__packed__, unused))"),
        ("", "__attribute__((aligned(16)))"),
        ("#define SMALL __attribute__((packed))", "SMALL"),
        ("#pragma pack(push, 1)", ""),
    ] {
        let found = refusal(&by_bytes(first, attribute));
        assert!(found.starts_with(other), "{first} {attribute}: {found}");
    }
}

#[test]
fn threads_are_started_by_calls_and_not_by_comments() {
    let source = |first: &str, start: &str| {
        format!(
            "#include <pthread.h>\n{first}\nstruct s {{ int a; }};\n\
             struct s made(int a) {{ struct s x; x.a = a; return x; }}\n\
             void *run(void *given) {{ return 0; }}\n\
             int main(void) {{ {start} return made(3).a + made(4).a; }}"
        )
    };
    returns(&source("// no pthread_create here", ""), 7);
    returns(&source("const char *why = \"thrd_create\";", ""), 7);
    let start = "pthread_t t; pthread_create(&t, NULL, run, NULL);";
    assert!(load(&source("", start), &requested(Some(32))).program.is_none());
}

#[test]
fn only_a_program_that_reads_errno_needs_it() {
    let source = |first: &str, rest: &str| {
        format!("{first}\nint main(void) {{ int n = strtol(\"42\", 0, 10); {rest} return n; }}")
    };
    returns(&source("#include <errno.h> // errno", ""), 42);
    let reads = source("#include <errno.h>", "if (errno) n = 0;");
    assert!(load(&reads, &requested(Some(32))).program.is_none());
}
