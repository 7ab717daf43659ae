#define LOG(...) printf(__VA_ARGS__)
#include <stdio.h>
void f(int x) { LOG("%d", x); }
