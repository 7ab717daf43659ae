//! check = bounds, division, leak
// Takes memory for a message and its text. What goes wrong gives everything back: or does it?
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct message {
    int length;
    int *text;
};

int main(void)
{
    struct message *m = malloc(sizeof *m);
    m->length = __VERIFIER_nondet_int();
    m->text = malloc(2 * sizeof(int));
    if (m->length > 2) {
        free(m);
        return 1;
    }
    m->text[0] = m->length;
    free(m->text);
    free(m);
    return 0;
}
