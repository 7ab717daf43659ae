//! What POSIX and C11 give threads to wait for each other: each call in a program that is right,
//! and in one that lacks it or uses it wrongly. The answers follow from the standards.

use crate::analysed;
use faultline::report::threads_report;
use faultline::session::{Budgets, SwitchBound, ThreadsOptions};
use faultline::wire::options::Dialect;
use faultline::wire::report::ErrorKind;
use faultline::wire::threads::ThreadsVerdict::{Safe, Unsafe};
use faultline::wire::threads::{ThreadsReport, ThreadsVerdict};

const HEAD: &str = "#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n\
                    #include <errno.h>\n#include <assert.h>\n";

/// A program of globals, one thread, and what main does after it has started the thread.
fn report(globals: &str, thread: &str, main: &str) -> ThreadsReport {
    let source = format!(
        "//! bits = 8\n{HEAD}{globals}\nvoid *worker(void *arg) {{ {thread} return 0; }}\n\
         int main(void) {{ pthread_t t; pthread_create(&t, 0, worker, 0); {main} return 0; }}\n"
    );
    let asked = ThreadsOptions { switches: SwitchBound::Rising, at: None };
    let mut session = analysed(&source, Dialect::C, asked, Budgets::default());
    assert_eq!(session.fault(), None, "{source}");
    threads_report(&mut session)
}

fn check(globals: &str, thread: &str, main: &str, expected: ThreadsVerdict) {
    let report = report(globals, thread, main);
    assert_eq!(report.verdict, expected, "{globals}\n{thread}\n{main}");
}

fn is_deadlock(globals: &str, thread: &str, main: &str) {
    let report = report(globals, thread, main);
    let kind = report.error.map(|error| error.kind);
    assert_eq!(kind, Some(ErrorKind::Deadlock), "{globals}\n{thread}\n{main}");
}

#[test]
fn semaphores() {
    let globals = "sem_t s; int x;";
    // A signal: the reader waits for the writer.
    check(globals, "x = 1; sem_post(&s);", "sem_wait(&s); assert(x == 1);", Safe);
    check(globals, "sem_post(&s); x = 1;", "sem_wait(&s); assert(x == 1);", Unsafe);
    is_deadlock(globals, "x = 1;", "sem_wait(&s);");
    // A lock: an update is not lost.
    let add = "sem_wait(&s); x++; sem_post(&s);";
    let main = format!("{add} pthread_join(t, 0); assert(x == 2);");
    let begun = "void *worker(void *arg); sem_t s = 1; int x;";
    check(begun, add, &main, Safe);
    check("sem_t s = 2; int x;", add, &main, Unsafe);
    // Results: 0 if it was taken, -1 if not; how many are left.
    check("sem_t s = 1;", "", "assert(sem_trywait(&s) == 0); assert(sem_trywait(&s) == -1);", Safe);
    check("sem_t s = 1;", "sem_wait(&s);", "assert(sem_trywait(&s) == 0);", Unsafe);
    let left = "int v; sem_init(&s, 0, 3); sem_wait(&s); sem_getvalue(&s, &v); assert(v == 2);";
    check("sem_t s;", "", left, Safe);
    // What a semaphore cannot hold is refused by `sem_init`.
    check("sem_t s;", "", "assert(sem_init(&s, 0, 200u) == -1);", Safe);
}

#[test]
fn condition_variables() {
    let globals = "pthread_mutex_t m; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int ready;";
    let signal =
        "pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);";
    let wait = "pthread_mutex_lock(&m); while (!ready) pthread_cond_wait(&c, &m); \
                assert(ready == 1); pthread_mutex_unlock(&m);";
    check(globals, signal, wait, Safe);
    check(globals, &signal.replace("signal", "broadcast"), wait, Safe);
    // Who waits holds no mutex, and holds it again afterwards.
    is_deadlock(globals, &signal.replace("pthread_cond_signal(&c);", ""), wait);
    // A signal before anyone waits is lost.
    is_deadlock(globals, signal, &wait.replace("while (!ready) ", ""));
    // A wait with a time limit may give up.
    let timed = wait.replace(
        "while (!ready) pthread_cond_wait(&c, &m);",
        "int r = pthread_cond_timedwait(&c, &m, 0);",
    );
    check(globals, signal, &timed, Unsafe);
    check(globals, signal, &timed.replace("assert(", "assert(r == ETIMEDOUT || "), Safe);
}

#[test]
fn barriers() {
    let globals = "pthread_barrier_t b; int x, y;";
    let main = "y = 1; pthread_barrier_wait(&b); assert(x == 1);";
    let source = |count: u32| {
        format!(
            "//! bits = 8\n{HEAD}{globals}\nvoid *worker(void *arg) {{ x = 1; \
             pthread_barrier_wait(&b); assert(y == 1); return 0; }}\n\
             int main(void) {{ pthread_t t; pthread_barrier_init(&b, 0, {count}); \
             pthread_create(&t, 0, worker, 0); {main} pthread_join(t, 0); return 0; }}\n"
        )
    };
    for (count, expected) in [(2, Safe), (1, Unsafe), (3, Unsafe)] {
        let asked = ThreadsOptions { switches: SwitchBound::Rising, at: None };
        let mut session = analysed(&source(count), Dialect::C, asked, Budgets::default());
        let report = threads_report(&mut session);
        assert_eq!(report.verdict, expected, "{count}");
        let deadlock = report.error.is_some_and(|error| error.kind == ErrorKind::Deadlock);
        assert_eq!(deadlock, count == 3, "three never come");
    }
    // One of them is told that it was the last.
    let last = "int r = pthread_barrier_wait(&b); assert(r == PTHREAD_BARRIER_SERIAL_THREAD);";
    check("pthread_barrier_t b;", "", &format!("pthread_barrier_init(&b, 0, 1); {last}"), Safe);
}

#[test]
fn read_write_locks_and_locks_that_are_tried() {
    let globals = "pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; int a, b;";
    let write = "pthread_rwlock_wrlock(&l); a = 1; b = 1; pthread_rwlock_unlock(&l);";
    let read = "pthread_rwlock_rdlock(&l); assert(a == b); pthread_rwlock_unlock(&l);";
    check(globals, write, read, Safe);
    check(globals, &write.replace("wrlock", "rdlock"), read, Unsafe);
    // Readers do not keep each other out; a writer keeps itself out.
    check(globals, read, &format!("pthread_rwlock_rdlock(&l); {read} pthread_join(t, 0);"), Safe);
    is_deadlock(globals, "", &format!("pthread_rwlock_wrlock(&l); {read}"));
    let tried = "assert(pthread_rwlock_trywrlock(&l) == 0); \
                 assert(pthread_rwlock_tryrdlock(&l) == EBUSY);";
    check(globals, "", tried, Safe);
    let mutex = "pthread_mutex_t m; int x;";
    let add = "if (pthread_mutex_trylock(&m) == 0) { x++; pthread_mutex_unlock(&m); }";
    check(mutex, add, &format!("{add} pthread_join(t, 0); assert(x == 1 || x == 2);"), Safe);
    check(mutex, add, &format!("{add} pthread_join(t, 0); assert(x == 2);"), Unsafe);
}

#[test]
fn atomic_operations() {
    for add in [
        "atomic_fetch_add(&x, 1);",
        "atomic_fetch_add_explicit(&x, 1, memory_order_seq_cst);",
        "__sync_fetch_and_add(&x, 1);",
        "__sync_add_and_fetch(&x, 1);",
        "__atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);",
        "__atomic_add_fetch(&x, 1, __ATOMIC_SEQ_CST);",
        "int e = atomic_load(&x); while (!atomic_compare_exchange_weak(&x, &e, e + 1)) {}",
        "int e; do { e = x; } while (!__sync_bool_compare_and_swap(&x, e, e + 1));",
    ] {
        let main = format!("{{ {add} }} pthread_join(t, 0); assert(x == 2);");
        check("int x;", add, &main, Safe);
    }
    let torn = "int e = atomic_load(&x); atomic_store(&x, e + 1);";
    check("int x;", torn, &format!("{torn} pthread_join(t, 0); assert(x == 2);"), Unsafe);
    // Old and new values.
    for (call, expected) in [
        ("atomic_fetch_add(&x, 2)", "r == 5 && x == 7"),
        ("__sync_sub_and_fetch(&x, 2)", "r == 3 && x == 3"),
        ("atomic_exchange(&x, 9)", "r == 5 && x == 9"),
        ("__sync_fetch_and_or(&x, 2)", "r == 5 && x == 7"),
        ("__sync_nand_and_fetch(&x, 4)", "r == ~4 && x == ~4"),
        ("__sync_val_compare_and_swap(&x, 5, 6)", "r == 5 && x == 6"),
        ("__sync_val_compare_and_swap(&x, 4, 6)", "r == 5 && x == 5"),
        ("__sync_lock_test_and_set(&x, 1)", "r == 5 && x == 1"),
    ] {
        check("int x = 5;", "", &format!("int r = {call}; assert({expected});"), Safe);
    }
    // A weak exchange may fail without a reason, a strong one not; the failed one tells the value.
    let strong = "int e = 4; assert(!atomic_compare_exchange_strong(&x, &e, 6) && e == 5); \
                  assert(atomic_compare_exchange_strong(&x, &e, 6)); assert(x == 6);";
    check("int x = 5;", "", strong, Safe);
    check("int x = 5;", "", "int e = 5; assert(atomic_compare_exchange_weak(&x, &e, 6));", Unsafe);
    // A spinning lock.
    let locked = "while (atomic_flag_test_and_set(&f)) {} x++; atomic_flag_clear(&f);";
    let main = format!("{locked} pthread_join(t, 0); assert(x == 2);");
    check("atomic_flag f = ATOMIC_FLAG_INIT; int x;", locked, &main, Safe);
}

#[test]
fn detached_threads_and_handlers() {
    let twice = "assert(pthread_detach(t) == 0); assert(pthread_detach(t) == EINVAL);";
    check("int x;", "x = 1;", "assert(pthread_detach(t) == 0);", Safe);
    // It has ended perhaps, and then there is no such thread any more.
    check("int x;", "x = 1;", twice, Unsafe);
    check("int x;", "while (1) { x = 1; }", twice, Safe);
    check("int x;", "", "pthread_join(t, 0); assert(pthread_detach(t) == ESRCH);", Safe);
    let globals = "int x, y; void first(void *p) { x = 1; } void second(void *p) { y = x; }";
    let pushed = "pthread_cleanup_push(second, 0); pthread_cleanup_push(first, 0);";
    let looks = "pthread_join(t, 0); assert(x == 1 && y == 1);";
    let popped =
        |a: u32, b: u32| format!("{pushed} pthread_cleanup_pop({a}); pthread_cleanup_pop({b});");
    check(globals, &popped(1, 1), looks, Safe);
    check(globals, &popped(0, 1), looks, Unsafe);
    check(globals, &popped(1, 0), looks, Unsafe);
    // The end of the thread runs them, the last one first.
    check(globals, &format!("{pushed} pthread_exit(0);"), looks, Safe);
}

/// Threads that are made and joined in loops, and handles that are used again.
#[test]
fn handles_for_several_threads() {
    let program = |globals: &str, worker: &str, main: &str| {
        format!(
            "//! bits = 8\n{HEAD}pthread_mutex_t m; int n; {globals}\n\
             void *worker(void *arg) {{ {worker} return 0; }}\nint main(void) {{ {main} return 0; }}\n"
        )
    };
    let locked = "pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m);";
    let both = "int i; for (i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, 0);\n\
                for (i = 0; i < 2; i++) pthread_join(t[i], 0);\nassert(n == 2);";
    let one = "int i; for (i = 0; i < 2; i++) {\n  pthread_create(&t, 0, worker, 0);\n  \
               pthread_join(t, 0);\n}\nassert(n == 2);";
    for (globals, worker, main, expected) in [
        ("pthread_t t[2];", locked, both.to_string(), Safe),
        ("pthread_t t[2];", "n++;", both.to_string(), Unsafe),
        ("", locked, format!("pthread_t t[2];\n{both}"), Safe),
        // Who does not wait for all finds one missing.
        (
            "pthread_t t[2];",
            locked,
            both.replace("for (i = 0; i < 2; i++) pthread_join", "i = 1; pthread_join"),
            Unsafe,
        ),
        // One after the other nobody disturbs the other.
        ("pthread_t t;", "n++;", one.to_string(), Safe),
        ("pthread_t t;", "n++;", one.replace("n == 2", "n == 1"), Unsafe),
    ] {
        let source = program(globals, worker, &main);
        let asked = ThreadsOptions { switches: SwitchBound::Rising, at: None };
        let mut session = analysed(&source, Dialect::C, asked, Budgets::default());
        let report = threads_report(&mut session);
        assert_eq!((report.verdict, report.fault), (expected, None), "{source}");
    }
    // A handle that is lost while its thread runs: what a later join waits for is not known.
    let lost = program(
        "pthread_t t;",
        locked,
        "for (int i = 0; i < 2; i++) pthread_create(&t, 0, worker, 0); pthread_join(t, 0);",
    );
    let asked = ThreadsOptions { switches: SwitchBound::Rising, at: None };
    let mut session = analysed(&lost, Dialect::C, asked, Budgets::default());
    assert_eq!(threads_report(&mut session).verdict, ThreadsVerdict::Unknown, "{lost}");
}
