#define f(x) g(x) + 1
#define g(x) f(x)
#define EMPTY
#define twice(x) x x
int EMPTY v = 3;
int k(void) { return v twice(EMPTY); }
