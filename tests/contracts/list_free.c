// wrong: freed
#include <stdlib.h>
struct node {
  int value;
  struct node *next;
};
void list_free(struct node *list) {
  while (list) {
    struct node *next = list->next;
    free(list);
#ifdef WRONG
    list = list->next;
#else
    list = next;
#endif
  }
}
