#include <assert.h>
#include <stdio.h>

int main(void) {
    int choice, price;
    int money = 20;

    do {
        printf("1 coffee, 2 tea, 3 cocoa, 0 the end: ");
        if (scanf("%d", &choice) != 1)
            return 1;
        price = 0;
        switch (choice) {
        case 0:
            break;
        case 1:
            price = 3;
        case 2:
            price = 2;
            break;
        case 3:
            price = 4;
            break;
        default:
            printf("There is no such drink.\n");
        }
        assert(choice != 1 || price == 3);
        if (price <= money)
            money -= price;
        printf("You have %d left.\n", money);
    } while (choice != 0);
    return 0;
}
