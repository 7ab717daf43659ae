// Frees a list, node by node.
#include <stdlib.h>

struct node {
    int key;
    struct node *next;
};

int main(void)
{
    struct node *head = NULL;
    for (int i = 0; i < 2; i++) {
        struct node *n = malloc(sizeof *n);
        n->key = i;
        n->next = head;
        head = n;
    }
    while (head != NULL) {
        free(head);
        head = head->next;
    }
    return 0;
}
