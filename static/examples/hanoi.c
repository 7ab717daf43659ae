// Moves a tower from the first place to the third, one disk at a time.
#include <assert.h>

#define DISKS 4

static int height[3] = { DISKS, 0, 0 };

static void move(int disks, int from, int to)
{
    if (disks == 0)
        return;
    int other = 3 - from - to;
    move(disks - 1, from, other);
    assert(height[from] > 0);
    height[from]--;
    height[to]++;
    move(disks - 1, other, to);
}

int main(void)
{
    move(DISKS, 0, 2);
    assert(height[0] == 0 && height[1] == 0 && height[2] == DISKS);
    return 0;
}
