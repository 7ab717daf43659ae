//! switches = 3
// Whoever comes first sets everything up.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static bool done;
static int times;

static void set_up(void)
{
    if (!done) {
        times++;
        done = true;
    }
}

static void *worker(void *unused)
{
    set_up();
    assert(times == 1);
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
