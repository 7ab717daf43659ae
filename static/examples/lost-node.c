// Inserts two numbers at the front of a list. One of the nodes gets lost.
#include <assert.h>
#include <stdlib.h>

struct node {
    int key;
    struct node *next;
};

static struct node *head;

static void insert(int key)
{
    struct node *new_node = malloc(sizeof *new_node);
    new_node->key = key;
    head = new_node;
    new_node->next = head;
}

int main(void)
{
    insert(1);
    insert(2);
    assert(head->next->key == 1);
    return 0;
}
