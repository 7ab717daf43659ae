// Kernighan's way to count bits, against the plain one.
#include <assert.h>

unsigned char read_byte(void);

int main(void)
{
    unsigned char byte = read_byte();

    int plain = 0;
    for (int i = 0; i < 8; i++)
        plain += (byte >> i) & 1;

    int quick = 0;
    for (unsigned char rest = byte; rest != 0; rest &= rest - 1)
        quick++;

    assert(quick == plain);
    return 0;
}
