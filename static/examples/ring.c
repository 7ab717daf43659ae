// A ring buffer in a struct, handed to its procedures by address.
// get() forgets to ask whether the ring is empty: head may overtake tail.
#include <assert.h>
#define SIZE 3

struct ring {
    int slots[SIZE];
    int head, count;
};

extern int __VERIFIER_nondet_int(void);

static int full(struct ring *r) { return r->count == SIZE; }

static void put(struct ring *r, int value)
{
    if (full(r))
        return;
    r->slots[(r->head + r->count) % SIZE] = value;
    r->count++;
}

static int get(struct ring *r)
{
    int value = r->slots[r->head];
    r->head = (r->head + 1) % SIZE;
    r->count--;
    return value;
}

int main(void)
{
    struct ring ring = { .count = 0 };
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            put(&ring, 1);
        else
            get(&ring);
        assert(ring.count >= 0 && ring.count <= SIZE);
    }
    return 0;
}
