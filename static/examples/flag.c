// Nothing is sent before the line is ready.
#include <assert.h>

int dial(void);
int value(void);

int main(void)
{
    int ready = 0;
    int tries = value();
    if (dial() && tries > 0)
        ready = 1;
    int sent = tries * 2;
    if (ready) {
        assert(tries > 0);
        sent = sent + 1;
    }
    return sent;
}
