//! switches = 3
// Two philosophers, two forks, and each begins with another one.
#include <pthread.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;
static int meals;

static void *plato(void *unused)
{
    pthread_mutex_lock(&left);
    pthread_mutex_lock(&right);
    meals++;
    pthread_mutex_unlock(&right);
    pthread_mutex_unlock(&left);
    return 0;
}

static void *kant(void *unused)
{
    pthread_mutex_lock(&right);
    pthread_mutex_lock(&left);
    meals++;
    pthread_mutex_unlock(&left);
    pthread_mutex_unlock(&right);
    return 0;
}

int main(void)
{
    pthread_t p, k;
    pthread_create(&p, 0, plato, 0);
    pthread_create(&k, 0, kant, 0);
    pthread_join(p, 0);
    pthread_join(k, 0);
    return 0;
}
