// A stack of linked nodes gives back what was pushed last.
#include <assert.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *below;
};

static struct node *top;

static void push(int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->below = top;
    top = n;
}

static int pop(void)
{
    struct node *n = top;
    int value = n->value;
    top = n->below;
    free(n);
    return value;
}

int read_number(void);

int main(void)
{
    int a = read_number(), b = read_number();
    push(a);
    push(b);
    assert(pop() == b);
    push(b);
    assert(pop() == b);
    assert(pop() == a);
    assert(top == NULL);
    return 0;
}
