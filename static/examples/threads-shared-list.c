// Main and a thread put a node each in front of one list.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

struct node *head;

void *put(void *argument)
{
    struct node *node = calloc(1, sizeof *node);
    node->value = (int)(long)argument;
    node->next = head;
    head = node;
    return NULL;
}

int main(void)
{
    pthread_t other;

    pthread_create(&other, NULL, put, (void *)1);
    put((void *)2);
    pthread_join(other, NULL);
    assert(head->next != NULL);
    return 0;
}
