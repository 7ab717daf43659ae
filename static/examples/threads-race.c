//! check = race
// A worker fills a buffer and says that it is full. Nothing orders the two threads.
#include <pthread.h>

int item;
int full = 0;

void *producer(void *arg) {
    item = 7;
    full = 1;
    return 0;
}

int main(void) {
    pthread_t worker;
    pthread_create(&worker, 0, producer, 0);
    int taken = 0;
    if (full) {
        taken = item;
    }
    return taken;
}
