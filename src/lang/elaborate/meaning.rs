//! Names that mean something without a declaration, and their meanings in Cimple.

use super::atomic_calls::Atomic;
use super::sync_calls::Sync;
use crate::lang::message::{What, are, at_line, is};

/// What a built-in name does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Builtin {
    /// Any value of the type that its place needs.
    Choice,
    /// Any value of a type that the name says.
    TypedChoice(Named),
    Assert,
    Assume,
    /// Reaching it is the error.
    Error,
    /// A rule is broken.
    Broken,
    /// Java: an exception, unless a condition holds.
    Required,
    /// Of a contract.
    Clause,
    /// The run ends, without an error.
    End,
    Skip,
    /// C: written for people to read; its result is any `int`.
    Output,
    /// C: reads integers by a format, which is the argument with this index.
    Input(usize),
    /// C: reads a character, or the end of the input.
    Character,
    /// C: ends the run unless its first argument is 0.
    Fatal,
    /// C: the absolute value of an `int`, or of a `long`.
    Absolute(bool),
    /// C: the value of its first argument.
    First,
    /// C: any `int` that is not negative, or any such `long`.
    NotNegative(bool),
    /// C: any `int`, or any `long`.
    AnyOf(bool),
    /// C: finds a bit.
    Scan(BitScan, ScanWidth),
    /// C: acts on threads.
    Thread(ThreadCall),
    /// C: lets threads wait for each other; takes so many arguments.
    Sync(Sync, usize),
    /// C: an atomic operation; its last arguments, so many, are orders.
    Atomic(Atomic, usize),
    /// Cimple: takes a lock, or frees it.
    Lock(bool),
    /// A name of C that is not modelled: why, and what to do instead.
    Refused(What<'static>, &'static str),
}

/// The types that `__VERIFIER_nondet_*` can name, relative to `bits`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Named {
    Bool,
    /// Width as `min(bits, n)` for `n` up to 32, signedness.
    AtMost(u8, bool),
    /// `2 * bits`.
    Long(bool),
    LongLong(bool),
    Exact(u8, bool),
    /// `float` or `double`.
    Floating(u8),
}

/// What a call that finds a bit counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BitScan {
    /// Zeros before the first one; undefined for 0.
    Leading,
    /// Zeros after the last one; undefined for 0.
    Trailing,
    /// Position of the last one, from 1; 0 for 0.
    First,
}

/// The width of the argument of a call that finds a bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScanWidth {
    Short,
    Int,
    Long,
    /// That of the argument's own type. The result for 0 may follow as a second argument.
    Own,
}

/// The calls that concern threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ThreadCall {
    Create,
    Join,
    Exit,
    MutexInit,
    MutexDestroy,
    Lock,
    Unlock,
    AtomicBegin,
    AtomicEnd,
    /// Says that nobody will join the thread.
    Detach,
    /// A handler that runs when the thread ends.
    CleanupPush,
    CleanupPop,
    /// Has no effect on a run.
    Nothing,
}

/// The meaning of a name that the program does not define (or whose meaning is kept).
pub(super) fn builtin(name: &str) -> Option<Builtin> {
    if let Some(type_name) = name.strip_prefix("__VERIFIER_nondet_") {
        return Some(typed_choice(type_name));
    }
    if name.starts_with("__VERIFIER_atomic_") || name.starts_with("pthread_") {
        return Some(Builtin::Refused(
            at_line("this belongs to C"),
            "write `thread name { … }`, `atomic { … }`, `lock(m)` and `unlock(m)`",
        ));
    }
    Some(match name {
        "nondet" | "__VERIFIER_nondet" => Builtin::Choice,
        "assert" => Builtin::Assert,
        "assume" => Builtin::Assume,
        _ if suites(name, "assert") => Builtin::Assert,
        _ if suites(name, "assume") => Builtin::Assume,
        "reach_error" | "__VERIFIER_error" | "__assert_fail" => Builtin::Error,
        "exit" | "abort" | "_Exit" => Builtin::End,
        "skip" => Builtin::Skip,
        "lock" | "unlock" => Builtin::Lock(name == "lock"),
        "malloc" | "calloc" | "realloc" | "free" | "alloca" => {
            Builtin::Refused(is("the heap").of_memory(), "use a constant-size array")
        }
        "printf" | "scanf" | "puts" | "putchar" | "getchar" => {
            Builtin::Refused(are("input and output"), "leave output out; read with `nondet()`")
        }
        _ => return None,
    })
}

/// Does this name keep its meaning even if the program gives it a body? The conventions of
/// verification tasks require it for some names.
pub(super) fn keeps_its_meaning(name: &str, c: bool) -> bool {
    let verifier =
        name.starts_with("__VERIFIER_") && !(c && name.starts_with("__VERIFIER_atomic_"));
    matches!(name, "reach_error" | "__assert_fail")
        || suites(name, "assert")
        || suites(name, "assume")
        || verifier
}

pub(super) fn suites(name: &str, what: &str) -> bool {
    ["__VERIFIER_", "__CPROVER_", "__ESBMC_"]
        .iter()
        .any(|prefix| name.strip_prefix(prefix) == Some(what))
}

pub(super) fn typed_choice(name: &str) -> Builtin {
    Builtin::TypedChoice(match name {
        "bool" | "_Bool" => Named::Bool,
        "char" | "schar" => Named::AtMost(8, true),
        "uchar" | "unchar" => Named::AtMost(8, false),
        "short" => Named::AtMost(16, true),
        "ushort" => Named::AtMost(16, false),
        "int" => Named::AtMost(32, true),
        "uint" | "unsigned" | "unsigned_int" => Named::AtMost(32, false),
        "long" => Named::Long(true),
        "ulong" | "size_t" => Named::Long(false),
        "longlong" => Named::LongLong(true),
        "ulonglong" => Named::LongLong(false),
        "u8" | "uint8_t" => Named::Exact(8, false),
        "u16" | "uint16_t" => Named::Exact(16, false),
        "u32" | "uint32_t" => Named::Exact(32, false),
        "u64" | "uint64_t" => Named::Exact(64, false),
        "int8_t" => Named::Exact(8, true),
        "int16_t" => Named::Exact(16, true),
        "int32_t" => Named::Exact(32, true),
        "int64_t" => Named::Exact(64, true),
        "float" => Named::Floating(32),
        "double" => Named::Floating(64),
        "pointer" => return Builtin::Refused(are("pointers").of_memory(), "use an integer"),
        _ => {
            return Builtin::Refused(
                at_line("this choice's type is not known"),
                "use `nondet()`: it takes the type that its place needs",
            );
        }
    })
}
