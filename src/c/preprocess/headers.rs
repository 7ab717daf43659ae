//! C's headers: what each defines as macros, and what is declared without any.

/// Types and procedures of the library, whether a header is included or not: a program that
/// declares the same name has its own.
pub(super) const ALWAYS: &str = include_str!("../library/library.h");

/// The macros of a header; `None` if the header is unknown.
pub(super) fn macros(name: &str) -> Option<&'static str> {
    Some(match name {
        "stdio.h" => STDIO,
        "stdlib.h" => STDLIB,
        "stdbool.h" => STDBOOL,
        "stddef.h" => STDDEF,
        "limits.h" => LIMITS,
        "float.h" => FLOAT,
        "values.h" => VALUES,
        "math.h" => MATH,
        "assert.h" => ASSERT,
        "stdint.h" => STDINT,
        "inttypes.h" => INTTYPES,
        "stdarg.h" => STDARG,
        "time.h" => "#define CLOCKS_PER_SEC 1000000\n#define NULL ((void *)0)\n",
        "fcntl.h" => FCNTL,
        "unistd.h" => UNISTD,
        "iso646.h" => ISO646,
        "errno.h" => {
            "#define errno (*__errno())\n#define ERANGE 34\n#define EINVAL 22\n#define ENOMEM 12\n#define EDOM 33\n\
             #define EPERM 1\n#define ENOENT 2\n#define EINTR 4\n#define EIO 5\n#define EBADF 9\n\
             #define EAGAIN 11\n#define EACCES 13\n#define EEXIST 17\n#define ENOSPC 28\n\
             #define ESPIPE 29\n#define EPIPE 32\n"
        }
        "string.h" | "strings.h" | "ctype.h" | "memory.h" | "malloc.h" | "sys/stat.h"
        | "locale.h" | "wchar.h" | "sys/types.h" | "sys/time.h" | "stdnoreturn.h"
        | "stdalign.h" | "alloca.h" | "arpa/inet.h" | "netinet/in.h" | "byteswap.h" => STDDEF,
        _ => return None,
    })
}

const STDBOOL: &str = "#define bool _Bool
#define true 1
#define false 0
#define __bool_true_false_are_defined 1
";

const STDDEF: &str = "#define NULL ((void *)0)
#define offsetof(type, member) __builtin_offsetof(type, member)
";

const STDIO: &str = "#define NULL ((void *)0)
#define EOF (-1)
#define BUFSIZ 8192
#define FILENAME_MAX 4096
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define stdin ((FILE *)__stdin)
#define stdout ((FILE *)__stdout)
#define stderr ((FILE *)__stderr)
";

const STDLIB: &str = "#define NULL ((void *)0)
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
";

const LIMITS: &str = "#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define CHAR_MIN (-128)
#define CHAR_MAX 127
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MIN (-2147483647-1)
#define INT_MAX 2147483647
#define UINT_MAX 4294967295U
#define LONG_MIN (-9223372036854775807L-1L)
#define LONG_MAX 9223372036854775807L
#define ULONG_MAX 18446744073709551615UL
#define LLONG_MIN (-9223372036854775807LL-1LL)
#define LLONG_MAX 9223372036854775807LL
#define ULLONG_MAX 18446744073709551615ULL
#define PATH_MAX 4096
";

const FLOAT: &str = "#define FLT_MAX 3.40282346638528859812e+38F
#define FLT_MIN 1.17549435082228750797e-38F
#define FLT_EPSILON 1.19209289550781250000e-7F
#define DBL_MAX 1.79769313486231570815e+308
#define DBL_MIN 2.22507385850720138309e-308
#define DBL_EPSILON 2.22044604925031308085e-16
#define FLT_DIG 6
#define DBL_DIG 15
#define FLT_RADIX 2
#define FLT_MANT_DIG 24
#define DBL_MANT_DIG 53
";

const VALUES: &str = "#include <limits.h>
#include <float.h>
#define MAXINT INT_MAX
#define MININT INT_MIN
#define MAXLONG LONG_MAX
#define MINLONG LONG_MIN
#define MAXFLOAT FLT_MAX
#define MINFLOAT FLT_MIN
#define MAXDOUBLE DBL_MAX
#define MINDOUBLE DBL_MIN
";

const MATH: &str = "#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_E 2.7182818284590452354
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define HUGE_VAL (1e308 * 10)
#define INFINITY (1e38F * 10)
#define NAN __builtin_nanf(\"\")
#define isnan(x) ((x) != (x))
#define isinf(x) (!isnan(x) && isnan((x) - (x)))
#define isfinite(x) (!isnan((x) - (x)))
#define isnormal(x) (sizeof(x) == sizeof(float) ? __CPROVER_isnormalf(x) : __CPROVER_isnormald(x))
#define signbit(x) (sizeof(x) == sizeof(float) ? __signbitf(x) : __signbit(x))
";

const ASSERT: &str = "#define assert(condition) __assert(condition)
#define static_assert _Static_assert
";

const STDINT: &str = "#define INT8_MIN (-128)
#define INT8_MAX 127
#define UINT8_MAX 255
#define INT16_MIN (-32768)
#define INT16_MAX 32767
#define UINT16_MAX 65535
#define INT32_MIN (-2147483647-1)
#define INT32_MAX 2147483647
#define UINT32_MAX 4294967295U
#define INT64_MIN (-9223372036854775807L-1L)
#define INT64_MAX 9223372036854775807L
#define UINT64_MAX 18446744073709551615UL
#define SIZE_MAX 18446744073709551615UL
#define INTMAX_MAX 9223372036854775807L
#define UINTMAX_MAX 18446744073709551615UL
#define INT64_C(c) c ## L
#define UINT64_C(c) c ## UL
#define INT32_C(c) c
#define UINT32_C(c) c ## U
";

const INTTYPES: &str = "#include <stdint.h>
#define PRId8 \"d\"
#define PRId16 \"d\"
#define PRId32 \"d\"
#define PRId64 \"ld\"
#define PRIi32 \"i\"
#define PRIi64 \"li\"
#define PRIu8 \"u\"
#define PRIu16 \"u\"
#define PRIu32 \"u\"
#define PRIu64 \"lu\"
#define PRIx32 \"x\"
#define PRIx64 \"lx\"
#define PRIX64 \"lX\"
#define SCNd32 \"d\"
#define SCNd64 \"ld\"
#define SCNu32 \"u\"
#define SCNu64 \"lu\"
#define PRIdMAX \"ld\"
#define PRIuMAX \"lu\"
";

const STDARG: &str = "#define va_start(list, last) __builtin_va_start(list, last)
#define va_arg(list, type) __builtin_va_arg(list, type)
#define va_copy(to, from) ((to) = (from))
#define va_end(list) ((void)(list))
";

const FCNTL: &str = "#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_CREAT 64
#define O_EXCL 128
#define O_TRUNC 512
#define O_APPEND 1024
#define O_NONBLOCK 2048
#define F_DUPFD 0
#define F_GETFD 1
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define FD_CLOEXEC 1
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
";

const UNISTD: &str = "#define NULL ((void *)0)
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
";

const ISO646: &str = "#define and &&
#define or ||
#define not !
#define not_eq !=
#define bitand &
#define bitor |
#define xor ^
";
