// A volume from 0 to 10, changed in steps of three.
#include <assert.h>

#define MOST 10

enum key { UP, DOWN, OFF };

enum key next_key(void);

int main(void)
{
    int volume = 5;
    enum key key;
    while ((key = next_key()) != OFF) {
        if (key == UP && volume < MOST)
            volume += 3;
        if (key == DOWN && volume > 0)
            volume -= 3;
        assert(volume >= 0 && volume <= MOST);
    }
    return 0;
}
