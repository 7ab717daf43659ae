// Numbers are put into a list where they belong. It stays sorted, however long it gets.
//! bits = 8
#include <assert.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *list;

static void insert(int value)
{
    struct node *n = malloc(sizeof *n);
    struct node *before = NULL, *after = list;
    while (after && after->value < value) {
        before = after;
        after = after->next;
    }
    n->value = value;
    n->next = after;
    if (before)
        before->next = n;
    else
        list = n;
}

int read_number(void), read_bool(void);

int main(void)
{
    while (read_bool())
        insert(read_number());
    for (struct node *p = list; p && p->next; p = p->next)
        assert(p->value <= p->next->value);
    return 0;
}
