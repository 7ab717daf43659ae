// wrong: outside-object
char text_end(const char *s) {
  while (*s) s++;
#ifdef WRONG
  return s[1];
#else
  return *s;
#endif
}
