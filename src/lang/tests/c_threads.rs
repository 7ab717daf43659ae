//! Threads, locks and atomic sections, in C and in Cimple.

use super::c::{effects, program_at, requested};
use super::dump::{dump, load_plain, program};
use crate::lang::load;
use crate::lang::model::{Operation, Program};

const TWO: &str = "int m, g;
thread left { lock(m); g = 1; unlock(m); }
thread right { atomic { if (g) { return; } g = 2; } }
";

#[test]
fn cimple_threads_start_with_main() {
    let with_main = program(&format!("{TWO}void main() {{ skip; }}"));
    assert_eq!(with_main.concurrency.threads.len(), 2);
    assert_eq!(with_main.procedure(with_main.main_id()).name, "main");
    // Without main the first thread is the one that starts.
    let without = program(TWO);
    assert_eq!(without.procedure(without.main_id()).name, "left");
    assert_eq!(without.concurrency.threads.len(), 1);
}

#[test]
fn a_lock_is_one_step() {
    let program = program(TWO);
    let waits: Vec<_> = program.concurrency.waits.iter().collect();
    assert_eq!(waits.len(), 1);
    let edge = program.edge(*waits[0]);
    assert!(matches!(edge.operation, Operation::Assume(_)));
    assert!(program.concurrency.uninterruptible.contains(&edge.to));
    let next = program.edges.iter().find(|e| e.from == edge.to).expect("the lock is taken");
    assert!(matches!(next.operation, Operation::Assign(_)));
}

/// Every way out of `atomic` restores what it was.
#[test]
fn atomic_is_left_by_return() {
    let program = program(TWO);
    let atomic = program.concurrency.atomic.expect("there is an atomic section");
    let writes = |p: &Program| {
        let assigns = p.edges.iter().filter(|e| match &e.operation {
            Operation::Assign(pairs) => pairs.iter().any(|(place, _)| place.variable() == atomic),
            _ => false,
        });
        assigns.count()
    };
    assert_eq!(writes(&program), 3, "{:#?}", dump(&program));
}

const JOINED: &str = "#include <pthread.h>
int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *arg) { pthread_mutex_lock(&m); x = x + 1; pthread_mutex_unlock(&m); return NULL; }
int main(void) { pthread_t t; pthread_create(&t, NULL, worker, NULL); pthread_join(t, NULL); return 0; }
";

#[test]
fn a_thread_that_is_joined_says_that_it_ended() {
    let program = program_at(JOINED, Some(8));
    assert_eq!(program.concurrency.starts.len(), 1);
    assert_eq!(program.concurrency.waits.len(), 2);
    let shown = dump(&program);
    assert!(shown.iter().any(|line| line.contains("ended := true")), "{shown:#?}");
    assert!(shown.iter().any(|line| line.contains("assume ended")), "{shown:#?}");
}

#[test]
fn reads_and_writes_of_shared_variables_are_steps_of_their_own() {
    let shown = dump(&program_at(JOINED, Some(8)));
    let read = shown.iter().position(|line| line.contains("$ := x")).expect("x is read by itself");
    assert!(shown[read + 1].contains("x := ($ + 1)"), "{shown:#?}");
}

#[test]
fn an_atomic_variable_is_changed_in_one_step() {
    let source = "_Atomic int n; void *w(void *a) { n++; return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); }";
    let program = program_at(source, Some(8));
    assert!(program.concurrency.atomic.is_some(), "{:#?}", dump(&program));
}

#[test]
fn atomic_procedures_of_the_suites() {
    let source = "int g; void __VERIFIER_atomic_take(void) { if (g) return; g = 1; } int main(void) { __VERIFIER_atomic_take(); }";
    let program = program_at(source, Some(8));
    assert!(program.concurrency.atomic.is_some());
    assert_eq!(program.procedures.len(), 2);
    assert!(effects(source).iter().any(|line| line.contains("__VERIFIER_atomic_take()")));
}

/// All accesses are in one order, so that is the only one that may be named.
#[test]
fn the_order_of_an_atomic_operation_is_named() {
    let said = |call: &str| -> Vec<String> {
        let source =
            format!("#include <stdatomic.h>\nint x; int main(void) {{ {call}; return 0; }}");
        load(&source, &requested(Some(8))).diagnostics.iter().map(|d| d.message.clone()).collect()
    };
    for call in [
        "atomic_fetch_add_explicit(&x, 1, memory_order_seq_cst)",
        "atomic_store_explicit(&x, 1, memory_order_seq_cst)",
        "__atomic_fetch_sub(&x, 1, __ATOMIC_SEQ_CST)",
        "__atomic_thread_fence(__ATOMIC_SEQ_CST)",
    ] {
        assert_eq!(said(call), Vec::<String>::new(), "{call}");
    }
    for call in [
        "atomic_fetch_add_explicit(&x, 1, memory_order_relaxed)",
        "__atomic_store_n(&x, 1, __ATOMIC_RELEASE)",
    ] {
        assert_eq!(said(call), ["a weaker memory order is not modelled: line 2"], "{call}");
    }
}

#[test]
fn what_joins_cannot_do_is_refused_by_name() {
    let refused = |source: &str| {
        load(source, &requested(Some(8)))
            .diagnostics
            .first()
            .map(|d| d.message.clone())
            .unwrap_or_default()
    };
    let in_loop = "void *w(void *a) { return 0; } int main(void) { pthread_t t; for (int i = 0; i < 2; i++) { pthread_create(&t, 0, w, 0); } pthread_join(t, 0); }";
    assert_eq!(refused(in_loop), "", "a run that loses a handle is cut off");
    let shared = "void *w(void *a) { return 0; } void *v(void *a) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); return 0; } int main(void) { pthread_t p, q; pthread_create(&p, 0, v, 0); pthread_create(&q, 0, v, 0); }";
    assert_eq!(
        refused(shared),
        "joining `t`, which may be several threads, is not modelled: line 1"
    );
    let itself = "pthread_t t; void *w(void *a) { pthread_create(&t, 0, w, 0); return 0; } int main(void) { pthread_create(&t, 0, w, 0); }";
    let why = "recursion through thread creation is not modelled: line 1";
    assert_eq!(refused(itself), why);
}

#[test]
fn threads_without_a_main_alone_load() {
    assert!(load_plain("thread a { skip; } thread b { skip; }").program.is_some());
}
