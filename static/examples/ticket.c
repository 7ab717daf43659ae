// Children pay 5, pensioners from 65 pay 7, all others 10.
#include <assert.h>

int read_age(void);

static int price(int age)
{
    int pays = 10;
    if (age < 14)
        pays = 5;

    if (age > 65)
        pays = 7;
    return pays;
}

int main(void)
{
    int age = read_age();
    if (age < 0 || age > 120)
        return 1;
    int pays = price(age);
    assert(age < 65 || pays == 7);
    assert(age >= 14 || pays == 5);
    return 0;
}
