#define JOIN(a, b) a##b
#define TEXT(a) #a
int JOIN(x, 1) = 2;
int g(void) { return JOIN(x, 1); }
