//! switches = 3
// Two counters sell the last seat.
#include <assert.h>
#include <pthread.h>

static int seats = 1;

static void *counter(void *unused)
{
    if (seats > 0) {
        seats = seats - 1;
        assert(seats >= 0);
    }
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, counter, 0);
    pthread_create(&two, 0, counter, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
