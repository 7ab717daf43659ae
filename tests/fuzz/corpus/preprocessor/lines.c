# 1 "a.c"
#pragma once
#define LONG 1 + \
 2
int x = LONG; /* a
 comment */ // another
#line 7
int l(void) { return __LINE__; }
