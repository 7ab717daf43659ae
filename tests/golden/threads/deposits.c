#include <pthread.h>
#include <assert.h>
int balance = 0;
void *deposit(void *arg) {
  balance++;
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, deposit, 0);
  pthread_create(&b, 0, deposit, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(balance == 2);
  return 0;
}
