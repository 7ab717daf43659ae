// Clears an array from its end.
#define SIZE 4

int main(void)
{
    int a[SIZE];
    for (unsigned i = SIZE - 1; i >= 0; i--)
        a[i] = 0;
    return a[0];
}
