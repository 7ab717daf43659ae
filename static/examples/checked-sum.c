// Adds an amount to an account, and checks afterwards.
//! check = overflow
#include <stdio.h>

int read_amount(void);

int main(void)
{
    int balance = read_amount();
    int amount = read_amount();
    if (balance < 0 || amount < 0)
        return 1;
    int sum = balance + amount;
    if (sum < balance) {
        printf("too much\n");
        return 1;
    }
    return 0;
}
