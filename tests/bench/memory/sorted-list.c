// Inserts numbers into a sorted list: faultline check sorted-list.c -D COUNT=3 --heap 3
#include <assert.h>
#include <stdlib.h>

struct node {
    signed char key;
    struct node *next;
};

static struct node *head;

signed char input(void);

static void insert(signed char key)
{
    struct node *n = malloc(sizeof *n), *before = NULL, *at = head;
    n->key = key;
    while (at != NULL && at->key < key) {
        before = at;
        at = at->next;
    }
    n->next = at;
    if (before == NULL)
        head = n;
    else
        before->next = n;
}

int main(void)
{
    for (int i = 0; i < COUNT; i++)
        insert(input());
    for (struct node *n = head; n != NULL && n->next != NULL; n = n->next)
        assert(n->key <= n->next->key);
    return 0;
}
