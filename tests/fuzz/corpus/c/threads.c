#include <pthread.h>
#include <assert.h>
_Atomic int n, a[2];
int x;
pthread_mutex_t m;
void *worker(void *arg) {
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  n += x;
  a[1]++;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  __VERIFIER_atomic_begin();
  x = n ?: 2;
  __VERIFIER_atomic_end();
  pthread_join(t, 0);
  assert(n != 7);
  return 0;
}
