//! switches = 3
// Two counters sell the last seat, one at a time.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t desk = PTHREAD_MUTEX_INITIALIZER;
static int seats = 1;

static void *counter(void *unused)
{
    pthread_mutex_lock(&desk);
    if (seats > 0)
        seats = seats - 1;
    pthread_mutex_unlock(&desk);
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, counter, 0);
    pthread_create(&two, 0, counter, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(seats == 0);
    return 0;
}
