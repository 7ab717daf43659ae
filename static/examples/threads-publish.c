//! switches = 3
// One thread writes, the other waits for its sign.
#include <assert.h>
#include <pthread.h>

static int data;
static int ready;

static void *writer(void *unused)
{
    ready = 1;
    data = 42;
    return 0;
}

static void *reader(void *unused)
{
    if (ready)
        assert(data == 42);
    return 0;
}

int main(void)
{
    pthread_t w, r;
    pthread_create(&w, 0, writer, 0);
    pthread_create(&r, 0, reader, 0);
    pthread_join(w, 0);
    pthread_join(r, 0);
    return 0;
}
