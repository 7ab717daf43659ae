// Copies a string into a buffer that is large enough for its letters.
static char buffer[5];

static void copy(char *to, const char *from)
{
    while (*from != '\0') {
        *to = *from;
        to++;
        from++;
    }
    *to = '\0';
}

int main(void)
{
    copy(buffer, "tiles");
    return 0;
}
