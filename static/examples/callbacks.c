// A table of callbacks; one of its entries was forgotten.
#include <stddef.h>

static int opened, closed;

static void open_door(void) { opened++; }
static void close_door(void) { closed++; }

static void (*table[3])(void) = {open_door, close_door};

int read_number(void);

int main(void)
{
    int event = read_number();
    if (event >= 0 && event < 3)
        table[event]();
    return 0;
}
