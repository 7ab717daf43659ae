//! bits = 8
//! check = race
#include <pthread.h>

int hits;

void *visitor(void *arg) {
    hits++;
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, visitor, 0);
    pthread_create(&two, 0, visitor, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return hits;
}
