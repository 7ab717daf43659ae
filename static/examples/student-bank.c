//! switches = 4
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

int balance = 0;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *deposit(void *arg) {
    pthread_mutex_lock(&lock);
    balance = balance + 100;
    pthread_mutex_unlock(&lock);
    return NULL;
}

void *withdraw(void *arg) {
    balance = balance - 30;
    return NULL;
}

int main(void) {
    pthread_t first, second;

    pthread_create(&first, NULL, deposit, NULL);
    pthread_create(&second, NULL, withdraw, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    printf("The balance is %d\n", balance);
    assert(balance == 70);
    return 0;
}
