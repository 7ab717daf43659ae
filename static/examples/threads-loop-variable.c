// Each thread is given the address of the loop's own variable.
#include <assert.h>
#include <pthread.h>

int filled[2];

void *fill(void *argument)
{
    int own = *(int *)argument;
    if (own < 2)
        filled[own] = 1;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int i;

    for (i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, fill, &i);
    for (int k = 0; k < 2; k++)
        pthread_join(threads[k], NULL);
    assert(filled[0] && filled[1]);
    return 0;
}
