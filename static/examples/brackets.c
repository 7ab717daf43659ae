// Reads brackets, as deep as they come.
#include <assert.h>

enum token { OPEN, CLOSE, END };

enum token next(void);

static int depth;

static void group(void)
{
    enum token t = next();
    while (t == OPEN) {
        depth++;
        group();
        t = next();
    }
    if (t == CLOSE) {
        depth--;
        assert(depth >= 0);
    }
}

int main(void)
{
    group();
    return 0;
}
