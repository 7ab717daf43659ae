// Two traffic lights at a crossing.
#include <assert.h>
#include <stdbool.h>

enum light { RED, GREEN, YELLOW };

bool car_waits(int road);

static enum light light[2] = { GREEN, RED };

static void step(int road)
{
    int other = 1 - road;
    switch (light[road]) {
    case GREEN:
        if (car_waits(other))
            light[road] = YELLOW;
        break;
    case YELLOW:
        light[road] = RED;
        light[other] = GREEN;
        break;
    case RED:
        break;
    }
}

int main(void)
{
    for (;;) {
        step(0);
        step(1);
        assert(light[0] == RED || light[1] == RED);
    }
}
