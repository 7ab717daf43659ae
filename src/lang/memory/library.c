/* The library of strings, as programs of Faultline see it. Each procedure calls none of the
   others. */

void (*atexit_procedures[40])(void);
int atexit_count = 0;

int atexit(void (*procedure)(void)) {
  if (atexit_count >= 40) library_cut_off();
  atexit_procedures[atexit_count] = procedure;
  atexit_count = atexit_count + 1;
  return 0;
}

void atexit_run(void) {
  while (atexit_count > 0) {
    atexit_count = atexit_count - 1;
    atexit_procedures[atexit_count]();
  }
}

unsigned long strlen(const char *s) {
  unsigned long n = 0;
  while (s[n] != 0) n = n + 1;
  return n;
}

char *strcpy(char *to, const char *from) {
  unsigned long i = 0;
  while (from[i] != 0) {
    to[i] = from[i];
    i = i + 1;
  }
  to[i] = 0;
  return to;
}

char *strncpy(char *to, const char *from, unsigned long n) {
  unsigned long i = 0;
  while (i < n && from[i] != 0) {
    to[i] = from[i];
    i = i + 1;
  }
  while (i < n) {
    to[i] = 0;
    i = i + 1;
  }
  return to;
}

char *strcat(char *to, const char *from) {
  unsigned long n = 0;
  unsigned long i = 0;
  while (to[n] != 0) n = n + 1;
  while (from[i] != 0) {
    to[n + i] = from[i];
    i = i + 1;
  }
  to[n + i] = 0;
  return to;
}

int strcmp(const char *a, const char *b) {
  unsigned long i = 0;
  while (a[i] != 0 && a[i] == b[i]) i = i + 1;
  if ((unsigned char)a[i] < (unsigned char)b[i]) return -1;
  return (unsigned char)a[i] > (unsigned char)b[i];
}

int strncmp(const char *a, const char *b, unsigned long n) {
  unsigned long i = 0;
  while (i < n && a[i] != 0 && a[i] == b[i]) i = i + 1;
  if (i >= n) return 0;
  if ((unsigned char)a[i] < (unsigned char)b[i]) return -1;
  return (unsigned char)a[i] > (unsigned char)b[i];
}

char *strchr(const char *s, int c) {
  unsigned long i = 0;
  while (s[i] != 0 && s[i] != (char)c) i = i + 1;
  return s[i] == (char)c ? (char *)s + i : (char *)0;
}

void *memset(char *to, int c, unsigned long n) {
  unsigned long i = 0;
  while (i < n) {
    to[i] = (char)c;
    i = i + 1;
  }
  return to;
}

void *memcpy(char *to, const char *from, unsigned long n) {
  unsigned long i = 0;
  while (i < n) {
    to[i] = from[i];
    i = i + 1;
  }
  return to;
}

int memcmp(const char *a, const char *b, unsigned long n) {
  unsigned long i = 0;
  while (i < n && a[i] == b[i]) i = i + 1;
  if (i >= n) return 0;
  if ((unsigned char)a[i] < (unsigned char)b[i]) return -1;
  return 1;
}

unsigned long strnlen(const char *s, unsigned long most) {
  unsigned long n = 0;
  while (n < most && s[n] != 0) n = n + 1;
  return n;
}

int isdigit(int c) { return c >= '0' && c <= '9'; }
int isupper(int c) { return c >= 'A' && c <= 'Z'; }
int islower(int c) { return c >= 'a' && c <= 'z'; }
int isalpha(int c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
int isalnum(int c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}
int isspace(int c) { return c == 32 || (c >= 9 && c <= 13); }
int toupper(int c) { return c >= 'a' && c <= 'z' ? c - 32 : c; }
int tolower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

char *strrchr(const char *s, int c) {
  unsigned long i = 0;
  char *found = (char *)0;
  while (s[i] != 0) {
    if (s[i] == (char)c) found = (char *)s + i;
    i = i + 1;
  }
  return s[i] == (char)c ? (char *)s + i : found;
}

char *strncat(char *to, const char *from, unsigned long n) {
  unsigned long at = 0;
  unsigned long i = 0;
  while (to[at] != 0) at = at + 1;
  while (i < n && from[i] != 0) {
    to[at + i] = from[i];
    i = i + 1;
  }
  to[at + i] = 0;
  return to;
}

/* A line of the input: any characters. */
char *fgets(char *to, int n) {
  int i = 0;
  int ends = 0;
  if (n < 1 || __VERIFIER_nondet_bool()) return (char *)0;
  while (i < n - 1 && ends == 0) {
    to[i] = __VERIFIER_nondet_char();
    ends = to[i] == 10 || __VERIFIER_nondet_bool();
    i = i + 1;
  }
  to[i] = 0;
  return to;
}

/* `scanf("%9s", to)`: a word without blanks, of at most so many characters if that is not 0. */
int __faultline_word(char *to, int most) {
  int i = 0;
  if (__VERIFIER_nondet_bool()) return -1;
  while ((most == 0 || i < most) && (i == 0 || __VERIFIER_nondet_bool())) {
    to[i] = __VERIFIER_nondet_char();
    __VERIFIER_assume(to[i] != 0 && to[i] != 32 && !(to[i] >= 9 && to[i] <= 13));
    i = i + 1;
  }
  to[i] = 0;
  return 1;
}

/* A line without its end, of any length. */
char *gets(char *to) {
  int i = 0;
  if (__VERIFIER_nondet_bool()) return (char *)0;
  while (__VERIFIER_nondet_bool()) {
    to[i] = __VERIFIER_nondet_char();
    __VERIFIER_assume(to[i] != 10);
    i = i + 1;
  }
  to[i] = 0;
  return to;
}

/* What is not specified: texts of any characters. A variable whose name ends with `_text` may be
   longer than it is here; a run that reads on is cut off. */
char *getenv(const char *name) {
  static char environment_text[3];
  __faultline_given(name);
  if (__VERIFIER_nondet_bool()) return (char *)0;
  __faultline_any(environment_text);
  return environment_text;
}

char *strerror(int number) {
  static char error_text[3];
  __faultline_any(error_text);
  return error_text;
}

struct tm {
  int tm_sec;
  int tm_min;
  int tm_hour;
  int tm_mday;
  int tm_mon;
  int tm_year;
  int tm_wday;
  int tm_yday;
  int tm_isdst;
};

int getdate_err;

char *asctime(const struct tm *time) {
  static char time_text[3];
  __faultline_given(time);
  __faultline_any(time_text);
  return time_text;
}

char *ctime(const long *time) {
  static char time_text[3];
  __faultline_given(time);
  __faultline_any(time_text);
  return time_text;
}

char *asctime_r(const struct tm *time, char *to) {
  int i = 0;
  __faultline_given(time);
  __faultline_given(to);
  while (i < 25) {
    to[i] = __VERIFIER_nondet_char();
    i = i + 1;
  }
  to[25] = 0;
  return to;
}

char *ctime_r(const long *time, char *to) {
  int i = 0;
  __faultline_given(time);
  __faultline_given(to);
  while (i < 25) {
    to[i] = __VERIFIER_nondet_char();
    i = i + 1;
  }
  to[25] = 0;
  return to;
}

struct tm *localtime(const long *time) {
  static struct tm local_time;
  __faultline_given(time);
  __faultline_any(local_time);
  __VERIFIER_assume(local_time.tm_sec >= 0 && local_time.tm_sec <= 60);
  __VERIFIER_assume(local_time.tm_min >= 0 && local_time.tm_min <= 59);
  __VERIFIER_assume(local_time.tm_hour >= 0 && local_time.tm_hour <= 23);
  __VERIFIER_assume(local_time.tm_mday >= 1 && local_time.tm_mday <= 31);
  __VERIFIER_assume(local_time.tm_mon >= 0 && local_time.tm_mon <= 11);
  __VERIFIER_assume(local_time.tm_wday >= 0 && local_time.tm_wday <= 6);
  __VERIFIER_assume(local_time.tm_yday >= 0 && local_time.tm_yday <= 365);
  return &local_time;
}

struct tm *gmtime(const long *time) {
  static struct tm world_time;
  __faultline_given(time);
  __faultline_any(world_time);
  __VERIFIER_assume(world_time.tm_sec >= 0 && world_time.tm_sec <= 60);
  __VERIFIER_assume(world_time.tm_min >= 0 && world_time.tm_min <= 59);
  __VERIFIER_assume(world_time.tm_hour >= 0 && world_time.tm_hour <= 23);
  __VERIFIER_assume(world_time.tm_mday >= 1 && world_time.tm_mday <= 31);
  __VERIFIER_assume(world_time.tm_mon >= 0 && world_time.tm_mon <= 11);
  __VERIFIER_assume(world_time.tm_wday >= 0 && world_time.tm_wday <= 6);
  __VERIFIER_assume(world_time.tm_yday >= 0 && world_time.tm_yday <= 365);
  world_time.tm_isdst = 0;
  return &world_time;
}

struct tm *getdate(const char *text) {
  static struct tm read_time;
  __faultline_given(text);
  if (__VERIFIER_nondet_bool()) {
    getdate_err = __VERIFIER_nondet_int();
    __VERIFIER_assume(getdate_err >= 1 && getdate_err <= 8);
    return (struct tm *)0;
  }
  __faultline_any(read_time);
  __VERIFIER_assume(read_time.tm_sec >= 0 && read_time.tm_sec <= 60);
  __VERIFIER_assume(read_time.tm_min >= 0 && read_time.tm_min <= 59);
  __VERIFIER_assume(read_time.tm_hour >= 0 && read_time.tm_hour <= 23);
  __VERIFIER_assume(read_time.tm_mday >= 1 && read_time.tm_mday <= 31);
  __VERIFIER_assume(read_time.tm_mon >= 0 && read_time.tm_mon <= 11);
  __VERIFIER_assume(read_time.tm_wday >= 0 && read_time.tm_wday <= 6);
  __VERIFIER_assume(read_time.tm_yday >= 0 && read_time.tm_yday <= 365);
  return &read_time;
}
