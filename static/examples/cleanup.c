// As drivers do it: whatever goes wrong, go to the end and tidy up.
#include <assert.h>
#include <stdbool.h>

static bool locked;

bool memory_there(void);
bool device_there(void);

static void lock(void)   { assert(!locked); locked = true; }
static void unlock(void) { assert(locked);  locked = false; }

static int open_device(void)
{
    int result = -1;
    lock();
    if (!memory_there())
        goto out;
    if (!device_there()) {
        unlock();
        goto out;
    }
    result = 0;
    unlock();
out:
    return result;
}

int main(void)
{
    while (open_device() != 0)
        ;
    return 0;
}
