//! Threads whose programs use pointers and the heap, arguments and results of threads, and what
//! each thread has of its own: answers that follow from C and POSIX, and random programs beside the
//! same programs without pointers.

use crate::analysed;
use crate::support::random::Random;
use crate::twins::answer;
use faultline::lang::load::load;
use faultline::session::{Budgets, Outcome, SwitchBound, ThreadsOptions};
use faultline::wire::options::{Dialect, RequestedOptions};
use std::collections::BTreeMap;
use std::fmt::Write;

const HEAD: &str = "#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n\
                    #include <stdlib.h>\n#include <assert.h>\n";

fn outcome(text: &str) -> (Outcome, Option<u32>) {
    let source = format!("//! check = bounds, division\n{HEAD}{text}\n");
    let asked = ThreadsOptions { switches: SwitchBound::Rising, at: None };
    let session = analysed(&source, Dialect::C, asked, Budgets::default());
    assert_eq!(session.fault(), None, "{source}");
    (session.outcome(), session.switches())
}

#[track_caller]
fn is_safe(text: &str) {
    assert_eq!(outcome(text), (Outcome::Safe, None), "{text}");
}

#[track_caller]
fn fails_with(switches: u32, text: &str) {
    assert_eq!(outcome(text), (Outcome::Unsafe, Some(switches)), "{text}");
}

#[track_caller]
fn refused(text: &str) -> String {
    let source = format!("{HEAD}{text}\n");
    let requested = RequestedOptions { dialect: Some(Dialect::C), ..RequestedOptions::default() };
    let loaded = load(&source, &requested);
    assert!(loaded.program.is_none(), "{text}");
    loaded.diagnostics.first().map_or(String::new(), |first| first.message.clone())
}

#[test]
fn threads_take_pointers_as_arguments() {
    // Each its own element of an array.
    let sum = |lock: &str, unlock: &str| {
        format!(
            "int ids[2] = {{1, 2}}; int sum; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *a) {{ int id = *(int *)a; {lock} sum += id; {unlock} return 0; }}
int main(void) {{
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, &ids[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(sum == 3);
}}"
        )
    };
    is_safe(&sum("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"));
    // Main, one thread, the other, and back: it reads before the other writes.
    fails_with(4, &sum("", ""));
    // A struct of main's that the thread writes to.
    let distance = |join: &str| {
        format!(
            "struct args {{ int from, to, result; }};
void *worker(void *p) {{ struct args *a = p; a->result = a->to - a->from; return 0; }}
int main(void) {{
  pthread_t t; struct args a = {{1, 5, 0}};
  pthread_create(&t, 0, worker, &a); {join}
  assert(a.result == 4);
}}"
        )
    };
    is_safe(&distance("pthread_join(t, 0);"));
    fails_with(0, &distance(""));
    // Who gets nothing may share a handle.
    is_safe(
        "int *p;
void *worker(void *a) { assert(!a); *p = 1; return 0; }
int main(void) {
  pthread_t t; p = calloc(1, sizeof *p);
  pthread_create(&t, 0, worker, 0); pthread_create(&t, 0, worker, 0);
}",
    );
    // The variable of the loop itself: the thread may read it too late.
    fails_with(
        3,
        "int seen[2];
void *worker(void *p) { int k = *(int *)p; if (k < 2) seen[k] = 1; return 0; }
int main(void) {
  pthread_t t[2]; int i;
  for (i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, &i);
  for (int k = 0; k < 2; k++) pthread_join(t[k], 0);
  assert(seen[0]);
}",
    );
}

#[test]
fn threads_take_and_give_numbers_as_pointers() {
    let doubled = |expected: u32| {
        format!(
            "void *worker(void *p) {{ return (void *)(2 * (long)p); }}
int main(void) {{
  pthread_t t[2]; void *r; long sum = 0;
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, (void *)(i + 1));
  for (int i = 0; i < 2; i++) {{ pthread_join(t[i], &r); sum += (long)r; }}
  assert(sum == {expected});
}}"
        )
    };
    is_safe(&doubled(6));
    assert_eq!(outcome(&doubled(5)).0, Outcome::Unsafe);
    // By `pthread_exit`, into a number.
    let exits = |value: i32| {
        format!(
            "void *worker(void *p) {{ if (p) pthread_exit((void *)7); return (void *)8; }}
int main(void) {{
  pthread_t t; long r = 1;
  pthread_create(&t, 0, worker, &t); pthread_join(t, (void **)&r); assert(r == {value});
}}"
        )
    };
    assert!(refused(&exits(7)).contains("not modelled"), "a handle's address is no argument");
    let exits = |value: i32| exits(value).replace("&t); pthread_join", "\"now\"); pthread_join");
    is_safe(&exits(7));
    fails_with(2, &exits(8));
    // What a join gives is not forgotten.
    fails_with(
        2,
        "void *worker(void *p) { return (void *)2; }
int main(void) {
  pthread_t t; long r = 1;
  pthread_create(&t, 0, worker, 0); pthread_join(t, (void **)&r); assert(r == 1);
}",
    );
}

#[test]
fn threads_give_pointers() {
    let kept = |value: i32| {
        format!(
            "int x;
void *worker(void *p) {{ x = 3; return &x; }}
int main(void) {{
  pthread_t t; void *r;
  pthread_create(&t, 0, worker, 0); pthread_join(t, &r); assert(*(int *)r == {value});
}}"
        )
    };
    is_safe(&kept(3));
    fails_with(2, &kept(4));
    // Memory that the thread took, and main gives back.
    let made = |free: &str| {
        format!(
            "void *worker(void *p) {{ int *n = calloc(1, sizeof *n); *n = 5; {free} return n; }}
int main(void) {{
  pthread_t t; void *r;
  pthread_create(&t, 0, worker, 0); pthread_join(t, &r);
  assert(*(int *)r == 5); free(r);
}}"
        )
    };
    is_safe(&made(""));
    fails_with(2, &made("free(n);"));
}

#[test]
fn locks_stand_inside_of_objects() {
    let counter = |lock: &str, unlock: &str| {
        format!(
            "struct counter {{ pthread_mutex_t lock; int n; }};
void inc(struct counter *c) {{ {lock} c->n++; {unlock} }}
void *worker(void *p) {{ inc(p); return 0; }}
int main(void) {{
  pthread_t t; struct counter *c = calloc(1, sizeof *c); pthread_mutex_init(&c->lock, 0);
  pthread_create(&t, 0, worker, c); inc(c); pthread_join(t, 0);
  assert(c->n == 2); free(c);
}}"
        )
    };
    is_safe(&counter("pthread_mutex_lock(&c->lock);", "pthread_mutex_unlock(&c->lock);"));
    fails_with(2, &counter("", ""));
    // Semaphores and condition variables, in one queue.
    let queue = |post: &str| {
        format!(
            "typedef struct {{ int cell; sem_t full; }} queue;
void *producer(void *a) {{ queue *q = a; q->cell = 4; {post} return 0; }}
int main(void) {{
  pthread_t t; queue *q = calloc(1, sizeof(queue)); sem_init(&q->full, 0, 0);
  pthread_create(&t, 0, producer, q); sem_wait(&q->full); assert(q->cell == 4);
}}"
        )
    };
    is_safe(&queue("sem_post(&q->full);"));
    assert_eq!(outcome(&queue("")).0, Outcome::Unsafe, "main waits for ever");
    // An atomic operation on a member.
    let added = |add: &str| {
        format!(
            "struct s {{ int n; }};
void *worker(void *p) {{ struct s *s = p; {add} return 0; }}
int main(void) {{
  pthread_t t; struct s *s = calloc(1, sizeof *s);
  pthread_create(&t, 0, worker, s); {add} pthread_join(t, 0); assert(s->n == 2);
}}"
        )
    };
    is_safe(&added("__sync_fetch_and_add(&s->n, 1);"));
    fails_with(2, &added("s->n++;"));
}

#[test]
fn mutexes_begin_free() {
    let held = |lock: &str, unlock: &str| {
        format!(
            "struct s {{ int n; pthread_mutex_t m; }};
int *q;
void *worker(void *a) {{
  pthread_mutex_t *m = (pthread_mutex_t *)a; {lock} *q = 2; {unlock} return 0;
}}
int main(void) {{
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; struct s s = {{3, PTHREAD_MUTEX_INITIALIZER}};
  pthread_t t; q = calloc(1, sizeof *q); pthread_create(&t, 0, worker, &m);
  pthread_mutex_lock(&m); int a = *q; int b = *q; assert(a == b); pthread_mutex_unlock(&m);
  pthread_mutex_lock(&s.m); assert(s.n == 3); pthread_mutex_unlock(&s.m);
  pthread_join(t, 0);
}}"
        )
    };
    let (lock, unlock) = ("pthread_mutex_lock((pthread_mutex_t *)a);", "pthread_mutex_unlock(m);");
    is_safe(&held(lock, unlock));
    fails_with(2, &held("", ""));
}

#[test]
fn threads_start_threads() {
    let nested = |join: &str| {
        format!(
            "int x;
void *inner(void *a) {{ int *p = a; *p = 7; return 0; }}
void *outer(void *a) {{
  pthread_t t; pthread_create(&t, 0, inner, a); {join} return a;
}}
int main(void) {{
  pthread_t t; void *r;
  pthread_create(&t, 0, outer, &x); pthread_join(t, &r); assert(*(int *)r == 7);
}}"
        )
    };
    is_safe(&nested("pthread_join(t, 0);"));
    fails_with(2, &nested(""));
}

/// A procedure that only threads run stands in the program once for each handle, and not once more.
#[test]
fn what_only_threads_run_is_read_for_them_alone() {
    let source = format!(
        "{HEAD}int *p;
void *worker(void *a) {{ *p = (int)(long)a; return 0; }}
int main(void) {{
  pthread_t t; p = calloc(1, sizeof *p);
  pthread_create(&t, 0, worker, (void *)3); pthread_join(t, 0); assert(*p == 3);
}}\n"
    );
    let requested = RequestedOptions { dialect: Some(Dialect::C), ..RequestedOptions::default() };
    let program = load(&source, &requested).program.expect("a program");
    let workers = program.procedures.iter().filter(|procedure| procedure.name == "worker");
    assert_eq!(workers.count(), 1);
}

#[test]
fn the_heap_is_taken_in_one_step() {
    let list = |lock: &str, unlock: &str| {
        format!(
            "struct node {{ struct node *next; }};
struct node *head; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void push(void) {{
  struct node *n = calloc(1, sizeof *n); {lock} n->next = head; head = n; {unlock}
}}
void *worker(void *a) {{ push(); return 0; }}
int main(void) {{
  pthread_t t; pthread_create(&t, 0, worker, 0); push(); pthread_join(t, 0);
  assert(head->next && !head->next->next);
}}"
        )
    };
    is_safe(&list("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"));
    fails_with(2, &list("", ""));
    // What one thread frees, the other still uses.
    fails_with(
        2,
        "int *p;
void *worker(void *a) { free(p); return 0; }
int main(void) {
  pthread_t t; p = calloc(1, sizeof *p); pthread_create(&t, 0, worker, 0); *p = 1;
  pthread_join(t, 0);
}",
    );
}

#[test]
fn each_thread_has_variables_of_its_own() {
    let own = |storage: &str, expected: u32| {
        format!(
            "static {storage} int mine = 1; int total; pthread_mutex_t m;
static void bump(void) {{ mine++; }}
void *worker(void *p) {{
  bump(); pthread_mutex_lock(&m); total += mine; pthread_mutex_unlock(&m); return 0;
}}
int main(void) {{
  pthread_t t; pthread_create(&t, 0, worker, 0); worker(0); pthread_join(t, 0);
  assert(total == {expected}); assert(mine == 2);
}}"
        )
    };
    is_safe(&own("_Thread_local", 4));
    assert_eq!(outcome(&own("__thread", 5)).0, Outcome::Unsafe);
    assert_eq!(outcome(&own("", 4)).0, Outcome::Unsafe, "one variable for both");
    // A thread begins with the initial value, also the second one of a handle.
    is_safe(
        "_Thread_local int a[2] = {3, 4};
void *worker(void *p) { assert(a[0] == 3 && a[1] == 4); a[0] = 0; a[1] = 0; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0); pthread_join(t, 0);
  pthread_create(&t, 0, worker, 0); pthread_join(t, 0);
  assert(a[0] == 3);
}",
    );
    let inside = "void *w(void *p) { static __thread int n; n++; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); }";
    assert_eq!(refused(inside), "a variable of each thread in a procedure is not modelled: line 6");
}

#[test]
fn keys_keep_a_pointer_for_each_thread() {
    let numbers = |expected: u32| {
        format!(
            "pthread_key_t key;
int id(void) {{ return (int)(long)pthread_getspecific(key); }}
void *worker(void *a) {{ pthread_setspecific(key, (void *)5L); assert(id() == 5); return 0; }}
int main(void) {{
  pthread_t t; pthread_key_create(&key, 0); pthread_setspecific(key, (void *)3L);
  pthread_create(&t, 0, worker, 0); pthread_join(t, 0); assert(id() == {expected});
}}"
        )
    };
    is_safe(&numbers(3));
    fails_with(2, &numbers(5));
    is_safe(
        "pthread_key_t key; int x = 1, y = 2;
int now(void) { return *(int *)pthread_getspecific(key); }
void *worker(void *a) {
  assert(!pthread_getspecific(key)); pthread_setspecific(key, &y); assert(now() == 2); return 0;
}
int main(void) {
  pthread_t t; pthread_key_create(&key, 0); pthread_setspecific(key, &x);
  pthread_create(&t, 0, worker, 0); assert(now() == 1); pthread_join(t, 0);
}",
    );
}

/// A thread's pointer goes to the key's destructor when the thread ends.
#[test]
fn destructors_of_keys_are_called() {
    let program = |thread: &str, main: &str| {
        format!(
            "pthread_key_t key; int called;
void drop(void *p) {{ called++; free(p); }}
void *worker(void *a) {{ {thread} }}
int main(void) {{
  pthread_t t; pthread_key_create(&key, drop);
  pthread_create(&t, 0, worker, 0); pthread_join(t, 0); {main} return 0;
}}"
        )
    };
    let set = "int *p = calloc(1, 4); if (!p) return 0; pthread_setspecific(key, p);";
    let returned = program(&format!("{set} return 0;"), "assert(called <= 1);");
    is_safe(&returned);
    fails_with(2, &returned.replace("<= 1", "== 0"));
    is_safe(&program(&format!("{set} pthread_exit(0);"), "assert(called <= 1);"));
    // The end of the procedure, and a thread that keeps nothing.
    is_safe(&program("if (a) { pthread_setspecific(key, a); }", "assert(called == 0);"));
    let cleared = format!("{set} pthread_setspecific(key, 0); free(p); return 0;");
    is_safe(&program(&cleared, "assert(called == 0);"));
    // What a thread keeps after the key is gone is its own affair.
    is_safe(&program(&format!("{set} return 0;"), "pthread_key_delete(key); assert(called <= 1);"));
    let gone = "pthread_key_t key; int x, called; sem_t set, deleted;
void drop(void *p) { called++; }
void *worker(void *a) {
  pthread_setspecific(key, &x); sem_post(&set); sem_wait(&deleted); return 0;
}
int main(void) {
  pthread_t t; sem_init(&set, 0, 0); sem_init(&deleted, 0, 0); pthread_key_create(&key, drop);
  pthread_create(&t, 0, worker, 0); sem_wait(&set); DELETE; sem_post(&deleted); pthread_join(t, 0);
  assert(called == 0);
}";
    is_safe(&gone.replace("DELETE", "pthread_key_delete(key)"));
    fails_with(4, &gone.replace("DELETE", ""));
    // The main thread's pointer only if it ends as a thread does.
    let of_main = "pthread_key_t key; int x, called;
void drop(void *p) { called++; assert(called == 0); }
int main(void) { pthread_key_create(&key, drop); pthread_setspecific(key, &x); END; }";
    is_safe(&of_main.replace("END", "return 0"));
    fails_with(0, &of_main.replace("END", "pthread_exit(0)"));
}

/// Where it cannot be said when and with what a destructor is called, the key is refused.
#[test]
fn other_destructors_of_keys_are_refused() {
    let refuses = |drop: &str, last: &str, thread: &str| {
        let text = format!(
            "pthread_key_t key, other; int x, *result;
void drop(void *p) {{ {drop} }}
void last(void) {{ {last} }}
void *worker(void *a) {{ pthread_setspecific(key, &x); last(); {thread} }}
int main(void) {{
  pthread_t t; pthread_key_create(&key, drop); pthread_create(&t, 0, worker, 0); pthread_join(t, 0);
}}"
        );
        assert!(refused(&text).contains("not modelled"), "{text}");
    };
    refuses("pthread_setspecific(key, p);", "", "return 0;");
    refuses("x++;", "pthread_exit(0);", "return 0;");
    refuses("result = 0;", "", "return result;");
    refuses("x++;", "", "pthread_key_create(&other, free); return 0;");
    // A key that is deleted and made again.
    let again = "pthread_key_t key; int x;
void drop(void *p) { x++; }
void *worker(void *a) { pthread_setspecific(key, &x); return 0; }
int main(void) {
  pthread_t t;
  for (int i = 0; i < 2; i++) {
    pthread_key_create(&key, drop); pthread_create(&t, 0, worker, 0); pthread_join(t, 0);
    pthread_key_delete(key);
  }
}";
    assert!(refused(again).contains("not modelled"));
}

#[test]
fn each_thread_has_locals_of_its_own() {
    let program = |claim: &str| {
        format!(
            "int total; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void twice(int *p) {{ *p = *p * 2; }}
void *w(void *a) {{
  int mine = (int)(long)a; twice(&mine);
  pthread_mutex_lock(&m); total += mine; pthread_mutex_unlock(&m); return 0;
}}
int main(void) {{
  pthread_t t, u; pthread_create(&t, 0, w, (void *)1); pthread_create(&u, 0, w, (void *)2);
  pthread_join(t, 0); pthread_join(u, 0); assert({claim});
}}"
        )
    };
    is_safe(&program("total == 6"));
    fails_with(3, &program("total != 6"));
}

#[test]
fn what_is_not_modelled_is_refused_by_name() {
    // A handle in an object.
    let inside = "struct s { pthread_t id; int *p; };
void *w(void *a) { return 0; }
int main(void) { struct s s; s.p = malloc(4); pthread_create(&s.id, 0, w, 0); }";
    assert!(refused(inside).contains("not modelled"));
}

/// Statements about the members of an object, or about globals: `$x` is one of them.
const STATEMENTS: [&str; 9] = [
    "$x++;",
    "$y = $x;",
    "$x = $y + 1;",
    "i = $x;",
    "$y = i;",
    "if ($x == 1) $y = 2;",
    "pthread_mutex_lock(&$m); $x++; pthread_mutex_unlock(&$m);",
    "pthread_mutex_lock(&$m); i = $x; $y = i; pthread_mutex_unlock(&$m);",
    "for (int k = 0; k < 2; k++) $y += k;",
];

const ASSERTIONS: [&str; 4] =
    ["assert($x != 2);", "assert($x <= $y + 1);", "assert(i != 2);", "assert($y < 3);"];

/// A random program whose threads share an object by pointers; the same one with globals.
fn with_and_without_pointers(mut random: Random) -> (String, String) {
    let mut body = |asserts: bool| {
        let mut text = String::from("  int i = 0;\n");
        for _ in 0..1 + random.among(3) {
            let _ = writeln!(text, "  {}", random.pick(&STATEMENTS));
        }
        if asserts {
            let _ = writeln!(text, "  {}", random.pick(&ASSERTIONS));
        }
        text
    };
    let (first, second, main) = (body(false), body(true), body(true));
    let object = random.among(3);
    let of = |text: &str, to: &str| {
        text.replace("$x", &format!("{to}x"))
            .replace("$y", &format!("{to}y"))
            .replace("$m", &format!("{to}m"))
    };
    let heads = "//! bits = 3\n#include <pthread.h>\n#include <stdlib.h>\n#include <assert.h>\n";
    let fields = "int x, y; pthread_mutex_t m;";
    let (global, make) = match object {
        0 => ("", "struct s *c = calloc(1, sizeof *c);"),
        1 => ("struct s o;\n", "struct s *c = &o;"),
        _ => ("struct s o[2];\n", "struct s *c = o + 1;"),
    };
    let starts = |argument: &str| {
        format!(
            "  pthread_t t, u;\n  pthread_create(&t, 0, f, {argument});\n  pthread_create(&u, 0, g, {argument});\n"
        )
    };
    let pointers = format!(
        "{heads}struct s {{ {fields} }};\n{global}struct s *unused;\n\
         void *f(void *p) {{\n  struct s *c = p;\n{}  return 0;\n}}\n\
         void *g(void *p) {{\n  struct s *c = p;\n{}  return 0;\n}}\n\
         int main(void) {{\n  unused = calloc(1, sizeof *unused);\n  {make}\n{}{}  return 0;\n}}\n",
        of(&first, "c->"),
        of(&second, "c->"),
        starts("c"),
        of(&main, "c->"),
    );
    let globals = format!(
        "{heads}{fields}\nvoid *f(void *p) {{\n{}  return 0;\n}}\nvoid *g(void *p) {{\n{}  return 0;\n}}\n\
         int main(void) {{\n{}{}  return 0;\n}}\n",
        of(&first, ""),
        of(&second, ""),
        starts("0"),
        of(&main, ""),
    );
    (pointers, globals)
}

#[test]
fn a_shared_object_is_as_good_as_globals() {
    let mut outcomes: BTreeMap<String, u32> = BTreeMap::new();
    for seed in 0..26 {
        let (pointers, globals) = with_and_without_pointers(Random::new(seed));
        let found = answer(&pointers, Dialect::C);
        assert_eq!(found, answer(&globals, Dialect::C), "seed {seed}\n{pointers}\n{globals}");
        *outcomes.entry(format!("{found:?}")).or_default() += 1;
    }
    let unsafe_ones: u32 =
        outcomes.iter().filter(|(how, _)| how.contains("Unsafe")).map(|(_, n)| n).sum();
    assert!((12..=26).contains(&unsafe_ones), "{outcomes:?}");
    assert!(outcomes.len() >= 3, "with several numbers of switches: {outcomes:?}");
}
