// A clock that ticks once a minute.
#include <assert.h>

static int hour, minute;

static void tick(void)
{
    minute++;
    if (minute == 60) {
        minute = 0;
        hour++;
    }
    if (hour > 24)
        hour = 0;
}

int main(void)  //! bits = 8
{
    hour = 23;
    minute = 58;
    for (int i = 0; i < 3; i++) {
        tick();
        assert(minute < 60);
        assert(hour < 24);
    }
    return 0;
}
