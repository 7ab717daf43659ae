#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define N 4
int a[N];
int f(int x) { return MAX(x, N); }
