// A stack of numbers, handed on by its address.
#include <stdbool.h>

#define ROOM 3

struct stack {
    int items[ROOM];
    int size;
};

int command(void);

static bool push(struct stack *s, int item)
{
    if (s->size == ROOM)
        return false;
    s->items[s->size++] = item;
    return true;
}

static int pop(struct stack *s)
{
    return s->items[--s->size];
}

int main(void)
{
    struct stack s = { .size = 0 };
    int sum = 0;
    for (;;) {
        switch (command()) {
        case 0:
            push(&s, 1);
            break;
        case 1:
            sum = pop(&s);
            break;
        default:
            return sum;
        }
    }
}
