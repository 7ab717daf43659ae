// Celsius to Fahrenheit on a small display.
#include <assert.h>

signed char sensor(void);

static signed char to_fahrenheit(signed char celsius)
{
    return celsius * 9 / 5 + 32;
}

int main(void)
{
    signed char now = sensor();
    if (now < -40 || now > 60)
        return 1;
    signed char shown = to_fahrenheit(now);
    assert(shown >= now);
    return 0;
}
