// Two threads add up half of an array each; main adds what they give back.
#include <assert.h>
#include <pthread.h>

struct part {
    int *first;
    int count;
};

int numbers[4] = {3, 1, 4, 1};

void *add(void *argument)
{
    struct part *part = argument;
    long sum = 0;
    for (int i = 0; i < part->count; i++)
        sum += part->first[i];
    return (void *)sum;
}

int main(void)
{
    pthread_t threads[2];
    struct part parts[2] = {{numbers, 2}, {numbers + 2, 2}};
    long sum = 0;

    for (int k = 0; k < 2; k++)
        pthread_create(&threads[k], NULL, add, &parts[k]);
    for (int k = 0; k < 2; k++) {
        void *half;
        pthread_join(threads[k], &half);
        sum += (long)half;
    }
    assert(sum == 9);
    return 0;
}
