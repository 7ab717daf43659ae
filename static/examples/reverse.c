// Turns a list of three nodes around, in place.
#include <assert.h>
#include <stddef.h>

struct node {
    int key;
    struct node *next;
};

static struct node a, b, c;

static struct node *reverse(struct node *list)
{
    struct node *done = NULL;
    while (list != NULL) {
        struct node *rest = list->next;
        list->next = done;
        done = list;
        list = rest;
    }
    return done;
}

int main(void)
{
    a.next = &b;
    b.next = &c;
    c.next = NULL;
    struct node *list = reverse(&a);
    assert(list == &c && list->next == &b && list->next->next == &a);
    assert(a.next == NULL);
    return 0;
}
