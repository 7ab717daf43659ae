#define X 3
#if defined(X) && X > 2
int y = X;
#elif X
int y = 1;
#else
int z;
#endif
#ifndef Y
#undef X
#endif
