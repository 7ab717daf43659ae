//! check = race
// The same buffer. Both threads hold the mutex when they touch it.
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int item;
int full = 0;

void *producer(void *arg) {
    pthread_mutex_lock(&lock);
    item = 7;
    full = 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t worker;
    pthread_create(&worker, 0, producer, 0);
    int taken = 0;
    pthread_mutex_lock(&lock);
    if (full) {
        taken = item;
    }
    pthread_mutex_unlock(&lock);
    return taken;
}
