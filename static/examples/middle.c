// The middle of two places in a large array, computed the usual way: (low + high) / 2.
// For unsigned numbers the sum wraps around without a word, and the middle is below both.
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

unsigned middle(unsigned low, unsigned high)
{
    return (low + high) / 2;
}

unsigned careful_middle(unsigned low, unsigned high)
{
    return low + (high - low) / 2;
}

int main(void)
{
    unsigned low = __VERIFIER_nondet_uint();
    unsigned high = __VERIFIER_nondet_uint();
    __VERIFIER_assume(low <= high);

    unsigned safe = careful_middle(low, high);
    assert(low <= safe && safe <= high);

    unsigned m = middle(low, high);
    assert(low <= m && m <= high);
    return 0;
}
