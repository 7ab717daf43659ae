// Opens a file, reads from it, closes it.
#include <assert.h>
#include <stdbool.h>

static bool is_open;

bool more_lines(void);
bool disk_full(void);

static void open_file(void)  { assert(!is_open); is_open = true; }
static void read_line(void)  { assert(is_open); }
static void close_file(void) { assert(is_open); is_open = false; }

static bool finish(void)
{
    if (disk_full()) {
        close_file();
        return false;
    }
    return true;
}

int main(void)
{
    open_file();
    while (more_lines())
        read_line();
    finish();
    close_file();
    return 0;
}
