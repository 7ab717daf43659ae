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
double ldexp(double, int); double modf(double, double *); double frexp(double, int *);
int __signbit(double);
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
long lround(double x) { return (long)round(x); }
double nearbyint(double x) { return rint(x); }

int abs(int n) { return n < 0 ? -n : n; }
long labs(long n) { return n < 0 ? -n : n; }
long long llabs(long long n) { return n < 0 ? -n : n; }
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
float strtof(const char *s, char **end) { return strtod(s, end); }

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
double difftime(time_t a, time_t b) { return a - b; }
int rand_r(unsigned *seed) { *seed = *seed * 1103515245 + 12345; return *seed / 65536 % 32768; }

__library_end
