typedef unsigned long size_t;
typedef long ssize_t;
typedef long ptrdiff_t;
typedef long time_t;
typedef long clock_t;
typedef long off_t;
typedef int wchar_t;
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
typedef long intmax_t;
typedef unsigned long uintmax_t;
typedef int int_fast32_t;
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;
typedef char *va_list;
typedef char *__builtin_va_list;
typedef struct __file { int number; } FILE;
typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
typedef unsigned in_addr_t;
struct in_addr { in_addr_t s_addr; };
typedef unsigned mode_t;
typedef _Bool __CPROVER_bool;
typedef unsigned long __CPROVER_size_t;
typedef long __CPROVER_ssize_t;
struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; long tm_gmtoff; const char *tm_zone; };
struct timespec { time_t tv_sec; long tv_nsec; };
struct timeval { time_t tv_sec; long tv_usec; };

FILE __stdin[1] = {{0}}, __stdout[1] = {{1}}, __stderr[1] = {{2}};
int __error_number = 0;
int *__errno(void) { return &__error_number; }

int printf(const char *, ...);
int fprintf(FILE *, const char *, ...);
int sprintf(char *, const char *, ...);
int snprintf(char *, size_t, const char *, ...);
int vprintf(const char *, va_list);
int vfprintf(FILE *, const char *, va_list);
int vsprintf(char *, const char *, va_list);
int vsnprintf(char *, size_t, const char *, va_list);
int scanf(const char *, ...);
int fscanf(FILE *, const char *, ...);
int sscanf(const char *, const char *, ...);
int putchar(int);
int puts(const char *);
int fputs(const char *, FILE *);
int fputc(int, FILE *);
int putc(int, FILE *);
int getchar(void);
int getc(FILE *);
int fgetc(FILE *);
char *fgets(char *, int, FILE *);
char *gets(char *);
int ungetc(int, FILE *);
int feof(FILE *);
int fflush(FILE *);
int fclose(FILE *f) { return 0; }
int ferror(FILE *f) { return 0; }
void perror(const char *s) { fprintf((FILE *)__stderr, "%s: error\n", s); }
void *malloc(size_t);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void free(void *);
void *alloca(size_t);
#define __builtin_alloca alloca
void exit(int);
void abort(void);
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t);
double strtod(const char *, char **);
int rand(void);
void srand(unsigned);
time_t time(time_t *);
clock_t clock(void);
double sqrt(double); double pow(double, double); double sin(double); double cos(double);
double tan(double); double asin(double); double acos(double); double atan(double);
double atan2(double, double); double exp(double); double exp2(double); double log(double);
double log10(double); double log2(double); double floor(double); double ceil(double);
double round(double); double trunc(double); double fabs(double); double fmod(double, double);
double cbrt(double); double hypot(double, double); double sinh(double); double cosh(double);
double tanh(double); double rint(double); double fmax(double, double); double fmin(double, double);
double fma(double, double, double); double ldexp(double, int); double modf(double, double *); double frexp(double, int *);
int __library_any_int(void);
unsigned __library_any_unsigned(void);
unsigned char __library_any_byte(void);
_Bool __library_any_truth(void);
long __library_any_long(void);
int __signbit(double);
int __signbitd(double x) { return __signbit(x); }
int __signbitf(float x) { union { float f; unsigned u; } v; v.f = x; return v.u >> 31; }
double copysign(double x, double y) {
  union { double f; unsigned long u; } v, w;
  v.f = x, w.f = y;
  v.u = v.u & 0x7fffffffffffffffUL | w.u & 0x8000000000000000UL;
  return v.f;
}
float copysignf(float x, float y) {
  union { float f; unsigned u; } v, w;
  v.f = x, w.f = y;
  v.u = v.u & 0x7fffffffU | w.u & 0x80000000U;
  return v.f;
}
int isnan(double x) { return x != x; }
int isnanf(float x) { return x != x; }
int isinf(double x) { return x == x && x - x != x - x; }
int isinff(float x) { return x == x && x - x != x - x; }
int finite(double x) { return x - x == x - x; }
int __CPROVER_isnand(double x) { return x != x; }
int __CPROVER_isnanf(float x) { return x != x; }
int __CPROVER_isnanld(long double x) { return x != x; }
int __CPROVER_isinfd(double x) { return isinf(x); }
int __CPROVER_isinff(float x) { return isinff(x); }
int __CPROVER_isinfld(long double x) { return isinf(x); }
int __CPROVER_isfinited(double x) { return x - x == x - x; }
int __CPROVER_isfinitef(float x) { return x - x == x - x; }
int __CPROVER_isfiniteld(long double x) { return x - x == x - x; }
int __CPROVER_isnormald(double x) { return x - x == x - x && (x >= 0x1p-1022 || x <= -0x1p-1022); }
int __CPROVER_isnormalf(float x) { return x - x == x - x && (x >= 0x1p-126f || x <= -0x1p-126f); }
int __CPROVER_isnormalld(long double x) { return __CPROVER_isnormald(x); }
_Bool __CPROVER_signd(double x) { return __signbit(x); }
_Bool __CPROVER_signf(float x) { return __signbitf(x); }
_Bool __CPROVER_signld(long double x) { return __signbit(x); }
double __CPROVER_fabs(double x) { return fabs(x); }
float __CPROVER_fabsf(float x) { return fabs(x); }
double __builtin_inf(void) { return 1e308 * 10; }
float __builtin_inff(void) { return 1e38f * 10; }
double __builtin_huge_val(void) { return 1e308 * 10; }
float __builtin_huge_valf(void) { return 1e38f * 10; }
float nanf(const char *s) { union { float f; unsigned u; } v; v.u = 0x7fc00000U; return v.f; }
double nan(const char *s) { union { double f; unsigned long u; } v; v.u = 0x7ff8000000000000UL; return v.f; }
#define __builtin_nan nan
#define __builtin_nanf nanf
int __builtin_popcount(unsigned);
float sqrtf(float x) { return sqrt(x); }
float powf(float x, float y) { return pow(x, y); }
float fabsf(float x) { return fabs(x); }
float floorf(float x) { return floor(x); }
float ceilf(float x) { return ceil(x); }
float roundf(float x) { return round(x); }
float sinf(float x) { return sin(x); }
float cosf(float x) { return cos(x); }
float expf(float x) { return exp(x); }
float logf(float x) { return log(x); }
float fmodf(float x, float y) { return fmod(x, y); }
float fmaxf(float x, float y) { return fmax(x, y); }
float fminf(float x, float y) { return fmin(x, y); }
long double sqrtl(long double x) { return sqrt(x); }
long double fabsl(long double x) { return fabs(x); }
long double powl(long double x, long double y) { return pow(x, y); }
float exp2f(float x) { return exp2(x); }
float log2f(float x) { return log2(x); }
float log10f(float x) { return log10(x); }
float tanf(float x) { return tan(x); }
float asinf(float x) { return asin(x); }
float acosf(float x) { return acos(x); }
float atanf(float x) { return atan(x); }
float atan2f(float y, float x) { return atan2(y, x); }
float truncf(float x) { return trunc(x); }
float rintf(float x) { return rint(x); }
float cbrtf(float x) { return cbrt(x); }
float hypotf(float x, float y) { return hypot(x, y); }
float fdimf(float x, float y) { return x != x || y != y ? x + y : x > y ? x - y : 0; }
double fdim(double x, double y) { return x != x || y != y ? x + y : x > y ? x - y : 0; }
long double expl(long double x) { return exp(x); }
long double exp2l(long double x) { return exp2(x); }
long double logl(long double x) { return log(x); }
long double log2l(long double x) { return log2(x); }
long double log10l(long double x) { return log10(x); }
long double sinl(long double x) { return sin(x); }
long double cosl(long double x) { return cos(x); }
long double tanl(long double x) { return tan(x); }
long double floorl(long double x) { return floor(x); }
long double ceill(long double x) { return ceil(x); }
long double roundl(long double x) { return round(x); }
long double truncl(long double x) { return trunc(x); }
long double fmodl(long double x, long double y) { return fmod(x, y); }
long double fmaxl(long double x, long double y) { return fmax(x, y); }
long double fminl(long double x, long double y) { return fmin(x, y); }
long double fmal(long double x, long double y, long double z) { return fma(x, y, z); }
long double copysignl(long double x, long double y) { return copysign(x, y); }
double __builtin_powi(double x, int n) { return pow(x, n); }
float __builtin_powif(float x, int n) { return pow(x, n); }
long double __builtin_powil(long double x, int n) { return pow(x, n); }
#define __builtin_fabs fabs
#define __builtin_fabsf fabsf
#define __builtin_fabsl fabsl
#define __builtin_copysign copysign
#define __builtin_copysignf copysignf
#define __builtin_sqrt sqrt
#define __builtin_pow pow
long lround(double x) { return (long)round(x); }
double nearbyint(double x) { return rint(x); }

int abs(int n) { return n < 0 ? -n : n; }
long labs(long n) { return n < 0 ? -n : n; }
long long llabs(long long n) { return n < 0 ? -n : n; }
#define __builtin_abs abs
#define __builtin_labs labs
#define __builtin_llabs llabs
#define __builtin_trap abort
#define __builtin_abort abort
#define __builtin_exit exit
long __builtin_expect(long value, long usual) { return value; }
int __builtin_popcountl(unsigned long x) { return __builtin_popcount(x) + __builtin_popcount(x >> 32); }
int __builtin_popcountll(unsigned long long x) { return __builtin_popcountl(x); }
int __builtin_parity(unsigned x) { return __builtin_popcount(x) & 1; }
int __builtin_parityl(unsigned long x) { return __builtin_popcountl(x) & 1; }
int __builtin_parityll(unsigned long long x) { return __builtin_popcountl(x) & 1; }
int __leading_zeros(unsigned long x, int width) {
  int n = 0, seen = 0;
  for (int k = width - 1; k >= 0; k--) { seen |= x >> k & 1; n += !seen; }
  return n;
}
int __trailing_zeros(unsigned long x, int width) {
  int n = 0, seen = 0;
  for (int k = 0; k < width; k++) { seen |= x >> k & 1; n += !seen; }
  return n;
}
int __builtin_clz(unsigned x) { return __leading_zeros(x, 32); }
int __builtin_clzl(unsigned long x) { return __leading_zeros(x, 64); }
int __builtin_clzll(unsigned long long x) { return __leading_zeros(x, 64); }
int __builtin_ctz(unsigned x) { return __trailing_zeros(x, 32); }
int __builtin_ctzl(unsigned long x) { return __trailing_zeros(x, 64); }
int __builtin_ctzll(unsigned long long x) { return __trailing_zeros(x, 64); }
int ffs(int x) { return x ? __trailing_zeros((unsigned)x, 32) + 1 : 0; }
int ffsl(long x) { return x ? __trailing_zeros(x, 64) + 1 : 0; }
int ffsll(long long x) { return ffsl(x); }
#define __builtin_ffs ffs
#define __builtin_ffsl ffsl
#define __builtin_ffsll ffsll
uint16_t __builtin_bswap16(uint16_t x) { return x << 8 | x >> 8; }
uint32_t __builtin_bswap32(uint32_t x) { return x << 24 | x >> 24 | (x & 0xff00) << 8 | x >> 8 & 0xff00; }
uint64_t __builtin_bswap64(uint64_t x) { return (uint64_t)__builtin_bswap32(x) << 32 | __builtin_bswap32(x >> 32); }
uint32_t htonl(uint32_t x) { return __builtin_bswap32(x); }
uint32_t ntohl(uint32_t x) { return __builtin_bswap32(x); }
uint16_t htons(uint16_t x) { return __builtin_bswap16(x); }
uint16_t ntohs(uint16_t x) { return __builtin_bswap16(x); }

_Bool __builtin_sadd_overflow(int a, int b, int *r) { long w = (long)a + b; *r = (int)w; return *r != w; }
_Bool __builtin_ssub_overflow(int a, int b, int *r) { long w = (long)a - b; *r = (int)w; return *r != w; }
_Bool __builtin_smul_overflow(int a, int b, int *r) { long w = (long)a * b; *r = (int)w; return *r != w; }
_Bool __builtin_uadd_overflow(unsigned a, unsigned b, unsigned *r) { *r = a + b; return *r < a; }
_Bool __builtin_usub_overflow(unsigned a, unsigned b, unsigned *r) { *r = a - b; return a < b; }
_Bool __builtin_umul_overflow(unsigned a, unsigned b, unsigned *r) {
  unsigned long w = (unsigned long)a * b;
  *r = (unsigned)w;
  return w >> 32 != 0;
}
_Bool __builtin_saddl_overflow(long a, long b, long *r) {
  *r = (long)((unsigned long)a + (unsigned long)b);
  return (b < 0) != (*r < a);
}
_Bool __builtin_ssubl_overflow(long a, long b, long *r) {
  *r = (long)((unsigned long)a - (unsigned long)b);
  return (b < 0) != (*r > a);
}
_Bool __builtin_smull_overflow(long a, long b, long *r) {
  *r = (long)((unsigned long)a * (unsigned long)b);
  if (a == 0) return 0;
  if (a == -1) return b < -0x7fffffffffffffffL;
  return *r / a != b;
}
_Bool __builtin_uaddl_overflow(unsigned long a, unsigned long b, unsigned long *r) { *r = a + b; return *r < a; }
_Bool __builtin_usubl_overflow(unsigned long a, unsigned long b, unsigned long *r) { *r = a - b; return a < b; }
_Bool __builtin_umull_overflow(unsigned long a, unsigned long b, unsigned long *r) {
  *r = a * b;
  return a != 0 && *r / a != b;
}
#define __builtin_saddll_overflow __builtin_saddl_overflow
#define __builtin_ssubll_overflow __builtin_ssubl_overflow
#define __builtin_smulll_overflow __builtin_smull_overflow
#define __builtin_uaddll_overflow __builtin_uaddl_overflow
#define __builtin_usubll_overflow __builtin_usubl_overflow
#define __builtin_umulll_overflow __builtin_umull_overflow

const size_t __CPROVER_max_malloc_size = 0x80000000000000UL;
void __sync_synchronize(void) { }
void __atomic_thread_fence(int order) { }
void __atomic_signal_fence(int order) { }
_Bool __CPROVER_r_ok(const void *, size_t);
_Bool __CPROVER_w_ok(const void *, size_t);
_Bool __CPROVER_rw_ok(const void *, size_t);
size_t __CPROVER_OBJECT_SIZE(const void *);
__CPROVER_ssize_t __CPROVER_POINTER_OFFSET(const void *);
size_t __CPROVER_POINTER_OBJECT(const void *);
#define __ESBMC_get_object_size __CPROVER_OBJECT_SIZE
_Bool __CPROVER_same_object(const void *p, const void *q) {
  return __CPROVER_POINTER_OBJECT(p) == __CPROVER_POINTER_OBJECT(q);
}
#define __ESBMC_same_object __CPROVER_same_object
void *__CPROVER_allocate(size_t size, _Bool zero) { return zero ? calloc(1, size) : malloc(size); }
void __CPROVER_havoc_object(void *p) {
  unsigned char *q = (unsigned char *)p - __CPROVER_POINTER_OFFSET(p);
  size_t n = __CPROVER_OBJECT_SIZE(p);
  if (n == 0) *q = 0;
  for (size_t k = 0; k < n; k++) q[k] = __library_any_byte();
}
void __copy_array(void *to, const void *from, size_t room, size_t there) {
  unsigned char *q = to;
  if (!room) room = __CPROVER_OBJECT_SIZE(to) - __CPROVER_POINTER_OFFSET(to);
  if (!there) there = __CPROVER_OBJECT_SIZE(from) - __CPROVER_POINTER_OFFSET(from);
  memcpy(to, from, room < there ? room : there);
  for (size_t k = there; k < room; k++) q[k] = __library_any_byte();
}
div_t div(int a, int b) { div_t d = {a / b, a % b}; return d; }
ldiv_t ldiv(long a, long b) { ldiv_t d = {a / b, a % b}; return d; }
char *getenv(const char *name) { return 0; }

int isdigit(int c) { return c >= '0' && c <= '9'; }
int islower(int c) { return c >= 'a' && c <= 'z'; }
int isupper(int c) { return c >= 'A' && c <= 'Z'; }
int isalpha(int c) { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'; }
int isalnum(int c) { return isalpha(c) || isdigit(c); }
int isspace(int c) { return c == ' ' || c >= '\t' && c <= '\r'; }
int isblank(int c) { return c == ' ' || c == '\t'; }
int iscntrl(int c) { return c >= 0 && c < 32 || c == 127; }
int isprint(int c) { return c >= 32 && c < 127; }
int isgraph(int c) { return c > 32 && c < 127; }
int ispunct(int c) { return isgraph(c) && !isalnum(c); }
int isxdigit(int c) { return isdigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'; }
int tolower(int c) { return isupper(c) ? c + 32 : c; }
int toupper(int c) { return islower(c) ? c - 32 : c; }

size_t strlen(const char *s) { const char *p = s; while (*p) p++; return p - s; }
size_t strnlen(const char *s, size_t n) { size_t k = 0; while (k < n && s[k]) k++; return k; }
char *strcpy(char *to, const char *from) { char *p = to; while (*p++ = *from++) ; return to; }
char *stpcpy(char *to, const char *from) { while (*to = *from++) to++; return to; }
char *strncpy(char *to, const char *from, size_t n) {
  size_t k = 0;
  for (; k < n && from[k]; k++) to[k] = from[k];
  for (; k < n; k++) to[k] = 0;
  return to;
}
char *strcat(char *to, const char *from) { strcpy(to + strlen(to), from); return to; }
char *strncat(char *to, const char *from, size_t n) {
  char *p = to + strlen(to);
  while (n-- && *from) *p++ = *from++;
  *p = 0;
  return to;
}
int strcmp(const char *a, const char *b) {
  while (*a && *a == *b) a++, b++;
  return (unsigned char)*a - (unsigned char)*b;
}
int strncmp(const char *a, const char *b, size_t n) {
  while (n && *a && *a == *b) a++, b++, n--;
  return n ? (unsigned char)*a - (unsigned char)*b : 0;
}
int strcasecmp(const char *a, const char *b) {
  while (*a && tolower(*a) == tolower(*b)) a++, b++;
  return tolower((unsigned char)*a) - tolower((unsigned char)*b);
}
int strncasecmp(const char *a, const char *b, size_t n) {
  while (n && *a && tolower(*a) == tolower(*b)) a++, b++, n--;
  return n ? tolower((unsigned char)*a) - tolower((unsigned char)*b) : 0;
}
int strcoll(const char *a, const char *b) { return strcmp(a, b); }
char *strchr(const char *s, int c) {
  for (; *s != (char)c; s++) if (!*s) return 0;
  return (char *)s;
}
char *index(const char *s, int c) { return strchr(s, c); }
char *strrchr(const char *s, int c) {
  const char *last = 0;
  do if (*s == (char)c) last = s; while (*s++);
  return (char *)last;
}
char *strstr(const char *s, const char *t) {
  size_t n = strlen(t);
  for (; ; s++) {
    if (!strncmp(s, t, n)) return (char *)s;
    if (!*s) return 0;
  }
}
size_t strspn(const char *s, const char *set) { size_t k = 0; while (s[k] && strchr(set, s[k])) k++; return k; }
size_t strcspn(const char *s, const char *set) { size_t k = 0; while (s[k] && !strchr(set, s[k])) k++; return k; }
char *strpbrk(const char *s, const char *set) { s += strcspn(s, set); return *s ? (char *)s : 0; }
void *memchr(const void *s, int c, size_t n) {
  const unsigned char *p = s;
  for (; n--; p++) if (*p == (unsigned char)c) return (void *)p;
  return 0;
}
char *__rest_of_strtok = 0;
char *strtok_r(char *s, const char *set, char **rest) {
  if (!s) s = *rest;
  if (!s) return 0;
  s += strspn(s, set);
  if (!*s) { *rest = 0; return 0; }
  char *end = s + strcspn(s, set);
  if (*end) { *end = 0; *rest = end + 1; } else *rest = 0;
  return s;
}
char *strtok(char *s, const char *set) { return strtok_r(s, set, &__rest_of_strtok); }
char *strdup(const char *s) { char *p = malloc(strlen(s) + 1); return strcpy(p, s); }
char *strndup(const char *s, size_t n) {
  size_t k = strnlen(s, n);
  char *p = malloc(k + 1);
  memcpy(p, s, k);
  p[k] = 0;
  return p;
}
char *strerror(int n) { return "error"; }
int __failed(void) {
  int n = __library_any_int();
  __error_number = n > 0 && n < 134 ? n : 22;
  return -1;
}
int open(const char *path, int flags, ...) {
  int number = __library_any_int();
  strlen(path);
  return number < 0 ? __failed() : number;
}
int creat(const char *path, mode_t mode) { return open(path, 0); }
int close(int number) { return number < 0 || __library_any_truth() ? __failed() : 0; }
int fcntl(int number, int command, ...) {
  int result = __library_any_int();
  return number < 0 || result < 0 ? __failed() : result;
}
off_t lseek(int number, off_t offset, int whence) {
  off_t result = __library_any_long();
  if (number < 0 || result < 0 || whence == 0 && offset < 0) return __failed();
  return whence == 0 ? offset : result;
}
int daylight = 0;
long timezone = 0;
char *tzname[2] = {"UTC", "UTC"};
void tzset(void) {
  daylight = __library_any_truth();
  timezone = __library_any_long();
  if (timezone < -50400 || timezone > 43200) timezone = 0;
}
char __address_text[16];
char *inet_ntoa(struct in_addr address) {
  unsigned char *byte = (unsigned char *)&address.s_addr;
  char *to = __address_text;
  for (int k = 0; k < 4; k++) {
    if (byte[k] > 99) *to++ = '0' + byte[k] / 100;
    if (byte[k] > 9) *to++ = '0' + byte[k] / 10 % 10;
    *to++ = '0' + byte[k] % 10;
    *to++ = k < 3 ? '.' : 0;
  }
  return __address_text;
}

unsigned long __number(const char *s, char **end, int base, unsigned long most, unsigned long least, int is_signed) {
  const char *p = s;
  while (isspace((unsigned char)*p)) p++;
  int negative = *p == '-';
  if (*p == '-' || *p == '+') p++;
  if ((base == 0 || base == 16) && *p == '0' && (p[1] == 'x' || p[1] == 'X') && isxdigit((unsigned char)p[2])) { p += 2; base = 16; }
  else if (base == 0) base = *p == '0' ? 8 : 10;
  unsigned long n = 0;
  int any = 0, over = 0;
  for (;; p++) {
    int d = isdigit((unsigned char)*p) ? *p - '0' : isalpha((unsigned char)*p) ? tolower(*p) - 'a' + 10 : 99;
    if (d >= base) break;
    any = 1;
    if (n > (0xffffffffffffffffUL - d) / base) over = 1; else n = n * base + d;
  }
  if (end) *end = (char *)(any ? p : s);
  if (is_signed) {
    if (over || n > (negative ? least : most)) { __error_number = 34; return negative ? least : most; }
  } else if (over) { __error_number = 34; return most; }
  return negative ? -n : n;
}
long strtol(const char *s, char **end, int base) { return (long)__number(s, end, base, 0x7fffffffffffffffUL, 0x8000000000000000UL, 1); }
long long strtoll(const char *s, char **end, int base) { return strtol(s, end, base); }
unsigned long strtoul(const char *s, char **end, int base) { return __number(s, end, base, 0xffffffffffffffffUL, 0, 0); }
unsigned long long strtoull(const char *s, char **end, int base) { return strtoul(s, end, base); }
int atoi(const char *s) { return (int)strtol(s, 0, 10); }
long atol(const char *s) { return strtol(s, 0, 10); }
long long atoll(const char *s) { return strtol(s, 0, 10); }
double atof(const char *s) { return strtod(s, 0); }
long double strtold(const char *s, char **end) { return strtod(s, end); }
float strtof(const char *s, char **end) { return strtod(s, end); }

int posix_memalign(void **to, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) || !alignment || alignment & (alignment - 1)) return 22;
  if (__library_any_truth()) return 12;
  *to = malloc(size);
  return 0;
}
void *aligned_alloc(size_t alignment, size_t size) { return malloc(size); }
unsigned sleep(unsigned seconds) { unsigned left = __library_any_unsigned(); return left < seconds ? left : 0; }
int usleep(unsigned microseconds) { return __library_any_truth() ? -1 : 0; }
size_t fread(void *to, size_t size, size_t count, FILE *file) {
  unsigned char *p = to;
  for (size_t k = 0; k < count; k++)
    for (size_t j = 0; j < size; j++) {
      int c = fgetc(file);
      if (c == -1) return k;
      *p++ = c;
    }
  return count;
}
size_t fwrite(const void *from, size_t size, size_t count, FILE *file) {
  const unsigned char *p = from;
  for (size_t k = 0; k < size * count; k++) fputc(*p++, file);
  return count;
}
FILE *fdopen(int number, const char *mode) { return (FILE *)(number == 0 ? __stdin : number == 1 ? __stdout : number == 2 ? __stderr : 0); }
int vasprintf(char **to, const char *format, va_list list) {
  int n = vsnprintf(0, 0, format, list);
  *to = malloc(n + 1);
  return vsprintf(*to, format, list);
}
void *reallocarray(void *p, size_t n, size_t size) { return realloc(p, n * size); }
void __swap(char *a, char *b, size_t size) { while (size--) { char c = *a; *a++ = *b; *b++ = c; } }
void __merge_sort(char *a, char *room, size_t n, size_t size, int (*compare)(const void *, const void *)) {
  if (n < 2) return;
  size_t half = n / 2, i = 0, j = half, k = 0;
  __merge_sort(a, room, half, size, compare);
  __merge_sort(a + half * size, room, n - half, size, compare);
  while (i < half && j < n) {
    if (compare(a + i * size, a + j * size) <= 0) memcpy(room + k++ * size, a + i++ * size, size);
    else memcpy(room + k++ * size, a + j++ * size, size);
  }
  while (i < half) memcpy(room + k++ * size, a + i++ * size, size);
  while (j < n) memcpy(room + k++ * size, a + j++ * size, size);
  memcpy(a, room, n * size);
}
void qsort(void *a, size_t n, size_t size, int (*compare)(const void *, const void *)) {
  if (n < 2) return;
  char *room = malloc(n * size);
  __merge_sort(a, room, n, size, compare);
  free(room);
}
void *bsearch(const void *key, const void *a, size_t n, size_t size, int (*compare)(const void *, const void *)) {
  size_t low = 0, high = n;
  while (low < high) {
    size_t middle = (low + high) / 2;
    int c = compare(key, (const char *)a + middle * size);
    if (c == 0) return (char *)a + middle * size;
    if (c < 0) high = middle; else low = middle + 1;
  }
  return 0;
}
ssize_t getline(char **line, size_t *room, FILE *file) {
  size_t n = 0;
  int c;
  if (!*line) { *room = 120; *line = malloc(*room); }
  while ((c = fgetc(file)) != -1) {
    if (n + 2 > *room) { *room = *room * 2 + 2; *line = realloc(*line, *room); }
    (*line)[n++] = c;
    if (c == '\n') break;
  }
  if (!n) return -1;
  (*line)[n] = 0;
  return n;
}
#define __builtin_memcpy memcpy
#define __builtin_memmove memmove
#define __builtin_memset memset
#define __builtin_memcmp memcmp
#define __builtin_strlen strlen
#define __builtin_strcmp strcmp
#define __builtin_strncmp strncmp
#define __builtin_strcpy strcpy
#define __builtin_strchr strchr
#define __builtin_malloc malloc
#define __builtin_free free
#define __builtin_printf printf
double difftime(time_t a, time_t b) { return a - b; }
int rand_r(unsigned *seed) { *seed = *seed * 1103515245 + 12345; return *seed / 65536 % 32768; }

__library_end
