// Two threads deposit one coin each, and no lock keeps them apart.
#include <pthread.h>
#include <assert.h>

int balance = 0;

void *deposit(void *arg) {
    balance++;
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, deposit, 0);
    pthread_create(&second, 0, deposit, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(balance == 2);
    return 0;
}
