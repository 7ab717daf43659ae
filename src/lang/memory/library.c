/* The library of strings, as programs of Faultline see it. Each procedure calls none of the
   others. */

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
