//! The contents of the known headers: macros, relative to the width of `int`. Their types are known
//! to the parser, their functions to the elaboration, whether or not a header is included.

use crate::wire::options::DataModel;

/// The headers whose declarations are built in.
const KNOWN: [&str; 34] = [
    "assert.h",
    "complex.h",
    "ctype.h",
    "err.h",
    "errno.h",
    "error.h",
    "fcntl.h",
    "features.h",
    "float.h",
    "inttypes.h",
    "iso646.h",
    "limits.h",
    "locale.h",
    "malloc.h",
    "math.h",
    "memory.h",
    "pthread.h",
    "sched.h",
    "semaphore.h",
    "setjmp.h",
    "signal.h",
    "stdarg.h",
    "stdatomic.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "strings.h",
    "sys/types.h",
    "threads.h",
    "time.h",
    "unistd.h",
];

/// Bits of C's types.
#[derive(Clone, Copy, Debug)]
pub(super) struct Widths {
    pub(super) int: u32,
    /// Of `long` and of pointers.
    pub(super) long: u32,
}

impl Widths {
    pub(super) fn new(int: u32, model: DataModel) -> Widths {
        let long = match model {
            DataModel::Lp64 => 2 * int,
            DataModel::Ilp32 => int,
        };
        Widths { int, long }
    }
}

/// The macros of a header; `None` if it is not known.
pub(super) fn known(header: &str, widths: Widths) -> Option<Vec<(&'static str, String)>> {
    if !KNOWN.contains(&header) {
        return None;
    }
    Some(match header {
        "limits.h" => limits(widths),
        "stdint.h" | "inttypes.h" => exact_limits(),
        "stdlib.h" => vec![
            ("EXIT_SUCCESS", "0".to_string()),
            ("EXIT_FAILURE", "1".to_string()),
            ("RAND_MAX", limit(widths.int, true).1),
        ],
        "time.h" => vec![("CLOCKS_PER_SEC", clocks(widths))],
        "errno.h" => errors(),
        "pthread.h" => fixed(&[
            ("PTHREAD_COND_INITIALIZER", "0"),
            ("PTHREAD_RWLOCK_INITIALIZER", "0"),
            ("PTHREAD_BARRIER_SERIAL_THREAD", "(-1)"),
            ("PTHREAD_CREATE_JOINABLE", "0"),
            ("PTHREAD_CREATE_DETACHED", "1"),
            ("PTHREAD_PROCESS_PRIVATE", "0"),
        ]),
        "stdatomic.h" => fixed(&[
            ("memory_order_relaxed", "0"),
            ("memory_order_consume", "1"),
            ("memory_order_acquire", "2"),
            ("memory_order_release", "3"),
            ("memory_order_acq_rel", "4"),
            ("memory_order_seq_cst", "5"),
            ("ATOMIC_FLAG_INIT", "0"),
        ]),
        "stdio.h" => vec![("EOF", "(-1)".to_string())],
        _ => Vec::new(),
    })
}

fn fixed(macros: &[(&'static str, &str)]) -> Vec<(&'static str, String)> {
    macros.iter().map(|(name, value)| (*name, value.to_string())).collect()
}

/// Macros that are defined without a header.
pub(super) fn predefined(widths: Widths) -> Vec<(&'static str, String)> {
    let bytes = |width: u32| width.div_ceil(8).to_string();
    let Widths { int: bits, long } = widths;
    vec![
        ("__STDC__", "1".to_string()),
        ("__SIZEOF_CHAR__", bytes(bits.min(8))),
        ("__SIZEOF_SHORT__", bytes(bits.min(16))),
        ("__SIZEOF_INT__", bytes(bits)),
        ("__SIZEOF_LONG__", bytes(long)),
        ("__SIZEOF_POINTER__", bytes(long)),
        ("__SIZEOF_LONG_LONG__", bytes(2 * bits)),
        ("__CHAR_BIT__", "8".to_string()),
        ("__INT_MAX__", limit(bits, true).1),
        ("__ATOMIC_RELAXED", "0".to_string()),
        ("__ATOMIC_CONSUME", "1".to_string()),
        ("__ATOMIC_ACQUIRE", "2".to_string()),
        ("__ATOMIC_RELEASE", "3".to_string()),
        ("__ATOMIC_ACQ_REL", "4".to_string()),
        ("__ATOMIC_SEQ_CST", "5".to_string()),
    ]
}

/// Least and greatest value of a width, as C spells them.
fn limit(width: u32, signed: bool) -> (String, String) {
    if signed {
        let greatest = (1i128 << (width - 1)) - 1;
        (format!("(-{greatest} - 1)"), greatest.to_string())
    } else {
        ("0".to_string(), format!("{}u", (1i128 << width) - 1))
    }
}

fn limits(widths: Widths) -> Vec<(&'static str, String)> {
    let bits = widths.int;
    let small = |width: u32| (limit(width, true), ((1i128 << width) - 1).to_string());
    let (character, character_unsigned) = small(bits.min(8));
    let (short, short_unsigned) = small(bits.min(16));
    let (int, long) = (limit(bits, true), limit(widths.long, true));
    let greatest_long = format!("{}l", long.1);
    let least_long = format!("(-{greatest_long} - 1l)");
    let unsigned_long = format!("{}ul", (1i128 << widths.long) - 1);
    let longest = format!("{}ll", limit(2 * bits, true).1);
    let least_longest = format!("(-{longest} - 1ll)");
    let unsigned_longest = format!("{}ull", (1i128 << (2 * bits)) - 1);
    // If `int` cannot hold the unsigned values of a small type, they are spelt as unsigned.
    let spelt = |width: u32, value: String| if width >= bits { format!("{value}u") } else { value };
    vec![
        ("CHAR_BIT", bits.min(8).to_string()),
        ("SCHAR_MIN", character.0.clone()),
        ("SCHAR_MAX", character.1.clone()),
        ("CHAR_MIN", character.0),
        ("CHAR_MAX", character.1),
        ("UCHAR_MAX", spelt(bits.min(8), character_unsigned)),
        ("SHRT_MIN", short.0),
        ("SHRT_MAX", short.1),
        ("USHRT_MAX", spelt(bits.min(16), short_unsigned)),
        ("INT_MIN", int.0),
        ("INT_MAX", int.1),
        ("UINT_MAX", limit(bits, false).1),
        ("LONG_MIN", least_long),
        ("LONG_MAX", greatest_long),
        ("ULONG_MAX", unsigned_long),
        ("LLONG_MIN", least_longest),
        ("LLONG_MAX", longest),
        ("ULLONG_MAX", unsigned_longest),
    ]
}

/// The limits of the types with exact widths, with their values in C. The elaboration reports them
/// if `int` is too narrow.
fn exact_limits() -> Vec<(&'static str, String)> {
    let spelt = |width: u32, signed: bool| -> (String, String) {
        if signed {
            let suffix = if width == 64 { "ll" } else { "" };
            let greatest = (1i128 << (width - 1)) - 1;
            (format!("(-{greatest}{suffix} - 1)"), format!("{greatest}{suffix}"))
        } else {
            let suffix = match width {
                64 => "ull",
                32 => "u",
                _ => "",
            };
            ("0".to_string(), format!("{}{suffix}", (1i128 << width) - 1))
        }
    };
    let names = [
        (8, "INT8_MIN", "INT8_MAX", "UINT8_MAX"),
        (16, "INT16_MIN", "INT16_MAX", "UINT16_MAX"),
        (32, "INT32_MIN", "INT32_MAX", "UINT32_MAX"),
        (64, "INT64_MIN", "INT64_MAX", "UINT64_MAX"),
    ];
    names
        .into_iter()
        .flat_map(|(width, least, greatest, unsigned)| {
            let (low, high) = spelt(width, true);
            [(least, low), (greatest, high), (unsigned, spelt(width, false).1)]
        })
        .collect()
}

/// `CLOCKS_PER_SEC`: a million, as POSIX says, if `long` can hold that; else the greatest `long`.
fn clocks(widths: Widths) -> String {
    let greatest = (1i128 << (widths.long - 1)) - 1;
    format!("{}l", greatest.min(1_000_000))
}

/// The numbers of errors on Linux.
fn errors() -> Vec<(&'static str, String)> {
    let all = [
        ("EPERM", 1),
        ("ENOENT", 2),
        ("ESRCH", 3),
        ("EINTR", 4),
        ("EAGAIN", 11),
        ("ENOMEM", 12),
        ("EBUSY", 16),
        ("EINVAL", 22),
        ("EDEADLK", 35),
        ("ETIMEDOUT", 110),
    ];
    all.into_iter().map(|(name, n)| (name, n.to_string())).collect()
}
