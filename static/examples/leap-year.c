// How many days has February?
#include <assert.h>
#include <stdbool.h>

unsigned short read_year(void);

static int february(unsigned short year)
{
    if (year % 4 == 0 && year % 100 != 0)
        return 29;
    return 28;
}

int main(void)
{
    unsigned short year = read_year();
    int days = february(year);
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    assert(days == (leap ? 29 : 28));
    return 0;
}
