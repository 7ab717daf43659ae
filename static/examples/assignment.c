// A valve that stays shut while the pump is running.
#include <assert.h>

enum state { SHUT, OPEN };

int pump_runs(void);

int main(void)
{
    enum state valve = SHUT;
    int litres = 0;
    while (pump_runs()) {
        if (valve = OPEN)
            litres = litres / 2;
        assert(valve == SHUT);
    }
    return litres;
}
