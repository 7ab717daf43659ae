// Reads a word into a buffer and ends it with a zero.
#define ROOM 8

char next_character(void);

int main(void)
{
    char word[ROOM];
    int length = 0;
    char c = next_character();
    while (c != ' ' && length < ROOM) {
        word[length] = c;
        length++;
        c = next_character();
    }
    word[length] = '\0';
    return 0;
}
