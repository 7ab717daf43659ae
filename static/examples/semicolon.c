// A seat may be booked only if one is left.
#include <assert.h>

int people_waiting(void);

int main(void)
{
    int seats = 12;
    int waiting = people_waiting();
    while (waiting > 0) {
        if (seats > 0);
            seats--;
        waiting--;
        assert(seats >= 0);
    }
    return 0;
}
