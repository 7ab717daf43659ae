//! C's library: which names mean something here, which are harmless, and which are refused by name.

use super::atomic_calls::atomic;
use super::meaning::{BitScan, Builtin, ScanWidth, ThreadCall, suites, typed_choice};
use super::sync_calls::sync;
use crate::lang::contracts::{CLAUSE, READABLE, VALID};
use crate::lang::java::REQUIRED;
use crate::lang::message::{are, is};
use crate::lang::rules::{ANY_ADDRESS, BROKEN, SAME_ADDRESS};

/// The meaning of a name that a C program does not define.
pub(super) fn meaning(name: &str) -> Option<Builtin> {
    use ThreadCall::*;
    if let Some(type_name) = name.strip_prefix("__VERIFIER_nondet_") {
        return Some(typed_choice(type_name));
    }
    Some(match name {
        BROKEN => Builtin::Broken,
        REQUIRED => Builtin::Required,
        CLAUSE => Builtin::Clause,
        VALID | READABLE => Builtin::Refused(are("pointers").of_memory(), ""),
        ANY_ADDRESS | SAME_ADDRESS => Builtin::Refused(are("pointers").of_memory(), ""),
        "assert" | "static_assert" | "_Static_assert" => Builtin::Assert,
        _ if suites(name, "assert") => Builtin::Assert,
        "__CPROVER_precondition" | "__CPROVER_postcondition" => Builtin::Assert,
        "__builtin_assume" => Builtin::Assume,
        _ if suites(name, "assume") => Builtin::Assume,
        "reach_error" | "__VERIFIER_error" | "__assert_fail" | "__assert" | "__assert_rtn" => {
            Builtin::Error
        }
        "exit" | "abort" | "_Exit" | "_exit" | "quick_exit" | "err" | "errx" | "__builtin_trap"
        | "__builtin_abort" => Builtin::End,
        "error" | "error_at_line" => Builtin::Fatal,
        "printf" | "fprintf" | "puts" | "putchar" | "fputs" | "fputc" | "putc" | "perror"
        | "fflush" | "srand" | "srandom" | "sleep" | "usleep" | "sched_yield" | "system"
        | "warn" | "warnx" | "setbuf" | "setvbuf" | "__CPROVER_input" | "__CPROVER_output"
        | "__CPROVER_cover" | "__ESBMC_yield" => Builtin::Output,
        "scanf" => Builtin::Input(0),
        "fscanf" => Builtin::Input(1),
        "getchar" | "getc" | "fgetc" => Builtin::Character,
        "abs" => Builtin::Absolute(false),
        "labs" | "llabs" => Builtin::Absolute(true),
        "__builtin_expect" | "__builtin_expect_with_probability" => Builtin::First,
        "rand" => Builtin::NotNegative(false),
        "random" => Builtin::NotNegative(true),
        "clock" | "time" | "getpid" | "getppid" => {
            Builtin::AnyOf(name == "clock" || name == "time")
        }
        "__builtin_clz" => Builtin::Scan(BitScan::Leading, ScanWidth::Int),
        "__builtin_clzl" | "__builtin_clzll" => Builtin::Scan(BitScan::Leading, ScanWidth::Long),
        "__builtin_ctz" => Builtin::Scan(BitScan::Trailing, ScanWidth::Int),
        "__builtin_ctzl" | "__builtin_ctzll" => Builtin::Scan(BitScan::Trailing, ScanWidth::Long),
        "__builtin_clzs" => Builtin::Scan(BitScan::Leading, ScanWidth::Short),
        "__builtin_ctzs" => Builtin::Scan(BitScan::Trailing, ScanWidth::Short),
        "__builtin_clzg" => Builtin::Scan(BitScan::Leading, ScanWidth::Own),
        "__builtin_ctzg" => Builtin::Scan(BitScan::Trailing, ScanWidth::Own),
        "ffs" | "__builtin_ffs" => Builtin::Scan(BitScan::First, ScanWidth::Int),
        "ffsl" | "ffsll" | "__builtin_ffsl" | "__builtin_ffsll" => {
            Builtin::Scan(BitScan::First, ScanWidth::Long)
        }
        "pthread_create" => Builtin::Thread(Create),
        "pthread_join" => Builtin::Thread(Join),
        "pthread_exit" => Builtin::Thread(Exit),
        "pthread_mutex_init" => Builtin::Thread(MutexInit),
        "pthread_mutex_destroy" => Builtin::Thread(MutexDestroy),
        "pthread_mutex_lock" => Builtin::Thread(Lock),
        "pthread_mutex_unlock" => Builtin::Thread(Unlock),
        "pthread_spin_lock" => Builtin::Thread(Lock),
        "pthread_spin_unlock" => Builtin::Thread(Unlock),
        "pthread_detach" => Builtin::Thread(Detach),
        "pthread_cleanup_push" => Builtin::Thread(CleanupPush),
        "pthread_cleanup_pop" => Builtin::Thread(CleanupPop),
        "pthread_attr_init"
        | "pthread_attr_destroy"
        | "pthread_attr_setdetachstate"
        | "sem_destroy"
        | "pthread_cond_destroy"
        | "pthread_rwlock_destroy"
        | "pthread_barrier_destroy"
        | "pthread_condattr_init"
        | "pthread_condattr_destroy"
        | "pthread_rwlockattr_init"
        | "pthread_rwlockattr_destroy"
        | "pthread_spin_destroy"
        | "pthread_yield" => Builtin::Thread(Nothing),
        _ if let Some((call, count)) = sync(name) => Builtin::Sync(call, count),
        _ if let Some((what, orders)) = atomic(name) => Builtin::Atomic(what, orders),
        "__VERIFIER_atomic_begin" | "__ESBMC_atomic_begin" | "__CPROVER_atomic_begin" => {
            Builtin::Thread(AtomicBegin)
        }
        "__VERIFIER_atomic_end" | "__ESBMC_atomic_end" | "__CPROVER_atomic_end" => {
            Builtin::Thread(AtomicEnd)
        }
        "malloc" | "calloc" | "realloc" | "free" | "alloca" | "aligned_alloc"
        | "posix_memalign" | "__builtin_alloca" | "strdup" => {
            Builtin::Refused(is("the heap").of_memory(), "use a constant-size array")
        }
        "atexit" => Builtin::Refused(
            are("function pointers").of_memory(),
            "call the procedure before each end of the program",
        ),
        "at_quick_exit" | "on_exit" => {
            Builtin::Refused(is("this library procedure").of_memory(), "use `atexit`")
        }
        "signal" | "sigaction" => Builtin::Refused(
            are("signals"),
            "leave the call out; call the handler where it may run",
        ),
        "qsort" => Builtin::Refused(
            is("this library procedure").of_memory(),
            "sort by two loops that compare and swap the elements",
        ),
        "bsearch" => Builtin::Refused(
            is("this library procedure").of_memory(),
            "search by a loop that compares the elements",
        ),
        "va_start" | "va_end" | "va_arg" | "va_copy" | "vprintf" | "vfprintf" => {
            Builtin::Refused(are("variadic procedures"), "give it a fixed list of parameters")
        }
        "setjmp" | "longjmp" | "_setjmp" | "sigsetjmp" | "siglongjmp" => {
            Builtin::Refused(are("jumps between procedures"), "return instead")
        }
        "sscanf" | "gets" | "fgets" | "getline" | "fread" | "fwrite" | "sprintf" | "snprintf" => {
            Builtin::Refused(
                are("strings as data").of_memory(),
                "read integers with `scanf(\"%d\", &x)`; print with `printf`",
            )
        }
        "atoi" | "atol" | "atoll" | "strtol" | "strtoll" | "strtoul" | "strtoull" => {
            Builtin::Refused(are("strings as data").of_memory(), ANY_INT_HINT)
        }
        _ if is_library(name) => {
            Builtin::Refused(is("this library procedure").of_memory(), "write what it does in C")
        }
        // What it gives is not any value: each has a meaning of its own.
        _ if is_of_verifier(name) => {
            Builtin::Refused(is("this name of a verifier").of_memory(), "")
        }
        _ => return None,
    })
}

/// What to do instead of making a number from a text, which is any number here.
pub(super) const ANY_INT_HINT: &str =
    "write `__VERIFIER_nondet_int()`, which is any number, or read it with `scanf`";

/// Is this one of the library's names that programs also use for procedures of their own? It only
/// has its meaning if no declaration says that it takes a fixed list of arguments.
pub(super) fn is_common_name(name: &str) -> bool {
    matches!(name, "err" | "errx" | "error" | "error_at_line" | "warn" | "warnx")
}

/// Library procedures on integers, texts, files, processes and time that are not modelled.
const UNMODELLED: [&str; 9] = [
    "div ldiv lldiv getenv",
    "isalpha isdigit isalnum isspace isupper islower ispunct isprint iscntrl isgraph",
    "isxdigit toupper tolower memcpy memmove memset memcmp memchr strcpy strncpy strcat",
    "strncat strcmp strncmp strchr strrchr strstr strlen strnlen strspn strcspn strpbrk",
    "strtok strerror strcasecmp strncasecmp bcopy bzero bcmp index rindex fopen fclose fseek",
    "ftell rewind remove rename tmpfile open close read write lseek pipe dup dup2 fork execv",
    "wait kill unlink stat gettimeofday clock_gettime nanosleep mktime gmtime localtime",
    "strftime difftime tzset fcntl ioctl select poll ungetc feof ferror setlocale atof strtod",
    "sysconf",
];

/// Library procedures on floating point.
const FLOATING_POINT: [&str; 2] = [
    "sin cos tan asin acos atan atan2 sinh cosh tanh exp exp2 log log2 log10 pow sqrt cbrt",
    "ceil floor round trunc rint nearbyint fabs fmod hypot fmax fmin ldexp frexp modf",
];

/// Library procedures that programs call most, besides those above.
const COMMON: [&str; 4] = [
    "printf fprintf puts putchar fputs fputc scanf fscanf getchar getc fgets sprintf snprintf",
    "malloc calloc realloc free strdup exit abort abs labs rand srand atoi time qsort assert",
    "pthread_create pthread_join pthread_exit pthread_mutex_init pthread_mutex_lock",
    "pthread_mutex_unlock pthread_mutex_destroy",
];

/// Names of the library that a misspelt name may have meant.
pub(in crate::lang) fn library_names<'a>() -> impl Iterator<Item = &'a str> {
    let lines = COMMON.iter().chain(&UNMODELLED).chain(&FLOATING_POINT);
    lines.flat_map(|line| line.split(' '))
}

/// Beginnings of the names of whole families of library procedures.
const FAMILIES: [&str; 10] = [
    "pthread_",
    "sem_",
    "atomic_",
    "__atomic_",
    "__sync_",
    "__builtin_",
    "mtx_",
    "thrd_",
    "cnd_",
    "__VERIFIER_atomic_",
];

/// Does the name mean something in C's library, or to verifiers?
pub(in crate::lang) fn is_known(name: &str) -> bool {
    meaning(name).is_some()
}

/// Does the name mean something there that is modelled?
pub(in crate::lang) fn is_modelled(name: &str) -> bool {
    meaning(name).is_some_and(|meaning| !matches!(meaning, Builtin::Refused(..)))
}

/// Is this the name of an atomic operation?
pub(in crate::lang) fn is_atomic(name: &str) -> bool {
    atomic(name).is_some()
}

/// Is this the name of a library procedure that is not modelled? A program may use it without a
/// declaration of its own.
fn is_library(name: &str) -> bool {
    let mut listed = UNMODELLED.iter().chain(&FLOATING_POINT).flat_map(|line| line.split(' '));
    let in_family = |prefix: &&str| name.strip_prefix(prefix).is_some_and(|rest| !rest.is_empty());
    listed.any(|n| n == name) || FAMILIES.iter().any(in_family)
}

/// Does the name begin as those that only verifiers give a meaning?
pub(super) fn is_of_verifier(name: &str) -> bool {
    ["__CPROVER_", "__ESBMC_", "__VERIFIER_"].iter().any(|prefix| name.starts_with(prefix))
}

/// Variables that headers declare.
pub(super) fn is_variable(name: &str) -> bool {
    matches!(
        name,
        "errno"
            | "stdin"
            | "stdout"
            | "stderr"
            | "daylight"
            | "timezone"
            | "tzname"
            | "environ"
            | "optarg"
            | "optind"
    )
}
