// First in, first out, in a circle of four places.
#define SIZE 4

static int slots[SIZE];
static int head, tail, count;

int someone_puts(void);
int someone_takes(void);

static void put(int value)
{
    slots[tail] = value;
    tail = (tail + 1) % SIZE;
    count++;
}

static int take(void)
{
    int value = slots[head];
    head = head + 1;
    count--;
    return value;
}

int main(void)
{
    while (someone_puts() || someone_takes()) {
        if (count < SIZE && someone_puts())
            put(1);
        if (count > 0 && someone_takes())
            take();
    }
    return 0;
}
